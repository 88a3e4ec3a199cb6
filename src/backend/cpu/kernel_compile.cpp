// backend/cpu/kernel_compile.cpp: a request becomes a shared object.
//
// The text is compiled for one execution mode (see shim/tenon_sync.h). Which one is guessed from the words in it and then
// proved by the object file: a mode that cannot serve the kernels leaves an undefined symbol, one that is richer than
// needed leaves no mark of its use. At worst the text is compiled again; a wrong mode cannot be linked.
#include <sys/stat.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include "backend/cpu/kernel.hpp"
#include "backend/cpu/kernel_compiler.hpp"
#include "backend/cpu/kernel_diagnose.hpp"
#include "backend/cpu/kernel_object.hpp"
#include "backend/cpu/kernel_options.hpp"
#include "backend/cpu/kernel_shim.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/process.hpp"

namespace tenon::cpu {
namespace {

enum Execution { thread_loop = 1, ring_fibers = 2, scheduled_fibers = 3 };

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

// The whole translation unit.
std::string compose(const CompileRequest& request, const Options& options, const std::string& shim) {
  std::string out = "#include " + quoted(shim + "/tenon_cuda.h") + "\n#line 1 \"<options>\"\n" + options.text +
                    "#pragma GCC visibility push(default)\n#line 1 " + quoted(request.name) + "\n" + request.source + "\n" + request.trailer + "\n#line 1 \"<entries>\"\nTENON_MODULE(" +
                    std::to_string(request.kernels.size()) + ",\n";
  for (const std::string& name : request.kernels) out += "TENON_KERNEL(" + quoted(name) + ", " + name + "),\n";
  return out + "#line 1 \"<entries>\"\n)\n";
}

bool identifier_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// All identifiers of the user's text, comments and all: it only serves a guess.
Execution guess(const CompileRequest& request) {
  Execution out = thread_loop;
  auto scan = [&out](const std::string& text) {
    for (size_t i = 0; i < text.size();) {
      if (!identifier_part(text[i])) { ++i; continue; }
      size_t end = i;
      while (end < text.size() && identifier_part(text[end])) ++end;
      std::string_view word(text.data() + i, end - i);
      if (word == "__syncthreads" || word == "__barrier_sync") out = std::max(out, ring_fibers);
      bool warp = word.find("_sync") != word.npos && word.substr(0, 2) == "__" && word != "__barrier_sync";
      if (warp || word == "__syncwarp" || word == "__activemask" || word == "__syncthreads_count" || word == "__syncthreads_and" ||
          word == "__syncthreads_or" || word == "cooperative_groups")
        out = scheduled_fibers;
      i = end;
    }
  };
  scan(request.source);
  for (const SourceHeader& header : request.headers) scan(header.text);
  if (request.mode != TENON_PROGRAM_FAST && out == ring_fibers) out = scheduled_fibers;
  return out;
}

// Where the texts of one compile lie.
struct Workplace {
  base::ScratchDirectory directory;
  std::string shim = directory.path() + "/shim", user = directory.path() + "/include";
  std::string text = directory.path() + "/main.cpp", object = directory.path() + "/main.o", image = directory.path() + "/main.so";
  std::string frames = directory.path() + "/main.su";

  Workplace(const CompileRequest& request, const Options& options) {
    mkdir(shim.c_str(), 0700);
    mkdir(user.c_str(), 0700);
    for (int i = 0; i < shim_header_count; ++i) write(shim, shim_headers[i].name, shim_headers[i].text);
    for (const SourceHeader& header : request.headers) write(user, header.name, header.text);
    write(directory.path(), "main.cpp", compose(request, options, shim));
  }

 private:
  static void write(const std::string& folder, const std::string& name, std::string_view text) {
    TENON_REQUIRE(!name.empty() && name[0] != '/' && ("/" + name + "/").find("/../") == std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                  "a header given as text is named \"%s\"; the name must be a relative path without \"..\"", name.c_str());
    for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      mkdir((folder + "/" + name.substr(0, slash)).c_str(), 0700);
    std::string why;
    TENON_REQUIRE(base::write_file_atomically(folder + "/" + name, text, &why), TENON_ERROR_IO, "%s/%s: %s", folder.c_str(),
                  name.c_str(), why.c_str());
  }
};

struct Compiled {
  std::string log;
  std::string object;
  bool has(const char* name, bool defined) const {
    for (const ObjectSymbol& symbol : symbols)
      if (symbol.defined == defined && symbol.name == name) return true;
    return false;
  }
  std::vector<ObjectSymbol> symbols;
  uint64_t stack_bytes = 0;  // of the deepest chain of calls there can be without recursion, at most
};

// The sum of all frames in a -fstack-usage file: "file:line:column:function<tab>bytes<tab>kind".
uint64_t sum_of_frames(const std::string& text) {
  uint64_t sum = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab != std::string::npos) sum += std::strtoull(line.c_str() + tab, nullptr, 10);
  }
  return sum;
}

// What a fiber gets: the frames, and room for the runtime, printf and some recursion.
uint64_t fiber_stack_bytes(uint64_t frames) {
  constexpr uint64_t kSpare = 48 << 10, kLeast = 64 << 10, kMost = 64 << 20;
  return std::min(kMost, std::max(kLeast, (frames + kSpare + 4095) / 4096 * 4096));
}

class Compilation {
 public:
  Compilation(const CompileRequest& request, const Compiler& compiler)
      : request_(request), compiler_(compiler), control_(request.control ? *request.control : default_control_),
        options_(translated_options(request)), place_(request, options_) {}

  Image run() {
    Execution mode = guess(request_);
    Compiled made = compile(mode);
    // Up until the mode can serve the text, then down once where it does more than is needed.
    while (mode < scheduled_fibers && needed(made) > mode) made = compile(mode = richer(made));
    if (mode > thread_loop && used(made) < mode) {
      Execution less = used(made);
      Compiled smaller = compile(less);
      if (needed(smaller) <= less) made = std::move(smaller), mode = less;
      else made = compile(mode);
    }
    Image image;
    image.log = made.log;
    link(made, image.log);
    std::string why;
    TENON_REQUIRE(base::read_file(place_.image, image.binary, &why), TENON_ERROR_IO, "%s: %s", place_.image.c_str(), why.c_str());
    image.execution = mode;
    for (size_t i = 0; i < request_.kernels.size(); ++i) image.symbols.push_back("tenon_cpu_kernel_" + std::to_string(i));
    for (size_t i = 0; i < request_.globals.size(); ++i) image.globals.push_back("tenon_global_place_" + std::to_string(i));
    return image;
  }

 private:
  Execution richer(const Compiled& made) const {
    return request_.mode == TENON_PROGRAM_FAST ? needed(made) : scheduled_fibers;
  }
  static Execution needed(const Compiled& made) {
    if (made.has("tenon_needs_scheduler", false)) return scheduled_fibers;
    return made.has("tenon_needs_fibers", false) ? ring_fibers : thread_loop;
  }
  Execution used(const Compiled& made) const {
    if (made.has("tenon_uses_scheduler", true)) return scheduled_fibers;
    if (!made.has("tenon_uses_ring", true)) return thread_loop;
    return request_.mode == TENON_PROGRAM_FAST ? ring_fibers : scheduled_fibers;
  }

  std::string call(std::vector<std::string> argv) const {
    base::ProcessOptions limits;
    limits.output_limit = kLongestLog;
    limits.timeout_seconds = control_.seconds_left();
    limits.stop = [this] { return control_.cancelled(); };
    base::ProcessResult result = base::run_process(argv, limits);
    TENON_REQUIRE(result.start_error.empty(), TENON_ERROR_MISSING_LIBRARY, "the compiler could not be started: %s", result.start_error.c_str());
    hide_scratch(result.output);
    shorten_log(result.output, result.dropped);
    if (result.timed_out || result.stopped) control_.fail_stopped(request_.name, std::move(result.output));
    if (result.exit_code > 0) fail_with_log(request_, result.output);
    return result.output;
  }

  // The scratch directory has another name each time and is gone when the log is read.
  void hide_scratch(std::string& log) const {
    const std::string path = place_.directory.path() + "/";
    for (size_t at; (at = log.find(path)) != std::string::npos;) log.erase(at, path.size());
  }

  Compiled compile(Execution mode) const {
    std::vector<std::string> argv = {compiler_.path, "-x", "c++", "-c", place_.text, "-o", place_.object, "-I", place_.user};
    for (auto& option : mode_options(request_, compiler_)) argv.push_back(option);
    argv.push_back("-fstack-usage");
    if (const int width = mode == thread_loop ? vector_functions() : 0)
      argv.insert(argv.end(), {"-DTENON_VECTOR_MATH=" + std::to_string(width), "-fveclib=libmvec"});
    argv.push_back("-DTENON_EXECUTION=" + std::to_string(mode));
    argv.insert(argv.end(), options_.arguments.begin(), options_.arguments.end());
    argv.insert(argv.end(), {"-isystem", place_.shim});
    Compiled out;
    out.log = call(argv);
    std::string why;
    if (!base::read_file(place_.object, out.object, &why)) fail_with_log(request_, out.log + place_.object + ": " + why + "\n");
    out.symbols = object_symbols(out.object);
    std::string frames;
    if (base::read_file(place_.frames, frames)) out.stack_bytes = sum_of_frames(frames);
    return out;
  }

  // Our vector functions of shim/tenon_fast.h (1) and tenon_fast_double.h (2): for the clangs whose list of names is known, and texts
  // that may call them. They cost as much compiling as a small kernel does.
  int vector_functions() const {
    const std::string& features = processor_features();
    if (!compiler_.is_clang() || compiler_.major > 19 || request_.mode != TENON_PROGRAM_FAST || features.find(" avx2 ") == std::string::npos ||
        features.find(" fma ") == std::string::npos)
      return 0;
    auto mentioned = [this](const char* word) {
      auto in = [word](const std::string& text) { return text.find(word) != std::string::npos; };
      return in(request_.source) || in(options_.text) ||
             std::any_of(request_.headers.begin(), request_.headers.end(), [&](const SourceHeader& header) { return in(header.text); });
    };
    return !mentioned("sin") && !mentioned("cos") ? 0 : mentioned("double") ? 2 : 1;
  }

  // `extern __shared__` arrays are the undefined thread-local names: all are the one dynamic buffer, as in CUDA.
  void link(const Compiled& made, std::string& log) const {
    std::vector<std::string> argv = {compiler_.path, "-shared", place_.object, "-o", place_.image, "-nostartfiles", "-nodefaultlibs",
                                     "-Wl,-z,defs", "-Wl,--gc-sections", "-Wl,-Bsymbolic", "-Wl,--build-id=none"};
    bool dynamic = false;
    for (const ObjectSymbol& symbol : made.symbols) {
      if (symbol.defined || symbol.weak || symbol.local || !symbol.thread_local_data) continue;
      argv.push_back("-Wl,--defsym=" + symbol.name + "=tenon_dynamic_shared");
      dynamic = true;
    }
    if (dynamic) argv.push_back("-Wl,-u,tenon_dynamic_shared");
    argv.push_back("-Wl,--defsym=tenon_stack_bytes=" + std::to_string(fiber_stack_bytes(made.stack_bytes)));
    argv.insert(argv.end(), {"-lm", "-lc", "-lgcc"});
    log += call(argv);
  }

  const CompileRequest& request_;
  const Compiler& compiler_;
  const CompileControl default_control_;
  const CompileControl& control_;
  const Options options_;
  Workplace place_;
};

const std::string& shim_hash() {
  static const auto& hash = *new std::string([] {
    std::string all;
    for (int i = 0; i < shim_header_count; ++i) all += std::string(shim_headers[i].name) + '\0' + shim_headers[i].text + '\0';
    return base::hash_hex(all);
  }());
  return hash;
}

}  // namespace

std::string kernel_compiler_identity(const CompileRequest& request, ImageStore& memory) {
  const Compiler compiler = host_compiler(&memory);
  std::string out = compiler.path + "\n" + compiler.banner + "\n" + base::hash_hex(processor_features()) + "\n" + shim_hash();
  for (const std::string& option : mode_options(request, compiler)) out += "\n" + option;
  return out;
}

Image kernel_compile(const CompileRequest& request) {
  TENON_REQUIRE(request.architecture.empty(), TENON_ERROR_UNSUPPORTED,
                "the CPU device compiles for its own processor only; leave the architecture empty instead of \"%s\"", request.architecture.c_str());
#if !defined(__x86_64__)
  fail(TENON_ERROR_UNSUPPORTED, "kernels on the CPU device run on x86-64 processors only so far");
#endif
  const Compiler compiler = host_compiler();
  return Compilation(request, compiler).run();
}

std::string kernel_toolkit() {
  try {
    return host_compiler().sentence();
  } catch (const Error& error) {
    return error.message;
  }
}

}  // namespace tenon::cpu
