// backend/cpu/compile/compile.cpp: a request becomes a shared object.
//
// The text is compiled for one execution mode (see shim/sync/tenon_sync.h). The mode is guessed from the words in the
// text, and the object file then proves it: a mode that cannot run the kernels leaves an undefined symbol, and one that
// does more than needed leaves no trace of its use. At worst the text is compiled again; a wrong mode cannot be linked.
// Kernels in it that never wait remain loops in every mode.
#include <algorithm>
#include <deque>
#include <set>
#include "backend/cpu/kernel.hpp"
#include "backend/cpu/compile/source/cccl.hpp"
#include "backend/cpu/compile/compiler/diagnose.hpp"
#include "backend/cpu/compile/probe.hpp"
#include "backend/cpu/compile/source/shim.hpp"
#include "backend/cpu/compile/unit.hpp"
#include "backend/cpu/target.hpp"
#include "base/hash.hpp"

namespace tenon::cpu {
namespace {

// The size of a fiber's stack: the frames, and room for the runtime, printf and some recursion.
uint64_t fiber_stack_bytes(uint64_t frames) {
  constexpr uint64_t kSpare = 48 << 10, kLeast = 64 << 10, kMost = 64 << 20;
  return std::min(kMost, std::max(kLeast, (frames + kSpare + 4095) / 4096 * 4096));
}

// The library that is always loaded, which has the function for thread-local variables.
#if defined(__aarch64__)
constexpr char kLoader[] = "-l:ld-linux-aarch64.so.1";
#else
constexpr char kLoader[] = "-l:ld-linux-x86-64.so.2";
#endif

class Compilation {
 public:
  Compilation(const CompileRequest& request, const Compiler& compiler, const std::string& cccl,
              const std::string& sources, ImageStore& memory)
      : request_(request), compiler_(compiler), memory_(memory) {
    const bool several = request.inputs.size() > 1;
    for (size_t i = 0; i < request.inputs.size(); ++i)
      units_.emplace_back(request.unit(i), request.inputs[i].kernels, several ? int(i) : -1, compiler, cccl, sources,
                          memory);
    if (!request.inputs.empty()) return;
    std::vector<size_t> numbers(request.kernels.size());
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    units_.emplace_back(request, numbers, -1, compiler, cccl, sources, memory);
  }

  // All units are compiled for one mode, because a kernel of one may call a barrier in another.
  Image run() {
    Execution mode = thread_loop;
    for (const Unit& unit : units_) mode = std::max(mode, unit.least());
    compile(mode);
    // Up until the mode supports the text, then down once if it does more than needed.
    while (mode < scheduled_fibers && needed() > mode)
      compile(mode = request_.mode == TENON_PROGRAM_MODE_FAST ? needed() : scheduled_fibers);
    if (mode > thread_loop && used() < mode) {
      const Execution less = used();
      compile(less);
      if (needed() <= less) mode = less;
      else compile(mode);
    }
    Image image;
    for (const Compiled& made : made_) image.log += made.log;
    image.binary = sealed_image(link(image.log), target_of(request_.architecture));
    image.execution = mode;
    shorten_log(image.log);
    for (size_t i = 0; i < request_.kernels.size(); ++i) image.symbols.push_back(kernel_symbol(i));
    for (size_t i = 0; i < request_.globals.size(); ++i) image.globals.push_back(variable_symbol(i));
    return image;
  }

 private:
  void compile(Execution mode) {
    made_.clear();
    for (const Unit& unit : units_) made_.push_back(unit.compile(mode));
  }
  Execution needed() const {
    Execution most = thread_loop;
    for (const Compiled& made : made_) most = std::max(most, made.needed());
    return most;
  }
  bool any_uses(const char* mark) const {
    return std::any_of(made_.begin(), made_.end(), [&](const Compiled& made) { return made.has(mark, true); });
  }
  Execution used() const {
    if (any_uses("tenon_uses_scheduler")) return scheduled_fibers;
    if (!any_uses("tenon_uses_ring")) return thread_loop;
    return request_.mode == TENON_PROGRAM_MODE_FAST ? ring_fibers : scheduled_fibers;
  }

  // `extern __shared__` arrays are the undefined thread-local symbols: all share the one dynamic buffer, as in CUDA.
  std::string link(std::string& log) const {
    const std::string image = units_[0].directory() + "/main.so";
    std::vector<std::string> words = {"-z", "defs", "--gc-sections", "-Bsymbolic", "--build-id=none"};
    bool dynamic = false;
    uint64_t frames = 0;
    for (const Compiled& made : made_) {
      frames += made.frame_bytes;
      for (const ObjectSymbol& symbol : made.symbols) {
        if (symbol.defined || symbol.weak || symbol.local || !symbol.thread_local_data || is_state(symbol.name))
          continue;
        words.push_back("--defsym=" + symbol.name + "=tenon_dynamic_shared");
        dynamic = true;
      }
    }
    if (dynamic) words.insert(words.end(), {"-u", "tenon_dynamic_shared"});
    // Functions that wait and that no kernel reaches: they are never called, but the linker requires all symbols.
    for (const char* name : {"tenon_needs_fibers", "tenon_needs_scheduler"})
      if (made_.size() == 1 && made_[0].has(name, false))
        words.push_back("--defsym=" + std::string(name) + "=tenon_cpu_module");
    if (request_.mode == TENON_PROGRAM_MODE_CHECK)
      words.insert(words.end(), {"--wrap=memcpy", "--wrap=memmove", "--wrap=memset"});
    if (request_.mode == TENON_PROGRAM_MODE_DEBUG) words.push_back("--defsym=tenon_debug_image=1");
    words.push_back("--defsym=tenon_stack_bytes=" + std::to_string(fiber_stack_bytes(frames)));
    const std::vector<uint64_t> shared = static_shared();
    for (size_t k = 0; k < shared.size(); ++k)
      words.push_back("--defsym=" + shared_symbol(kernel_symbol(k)) + "=" + std::to_string(shared[k]));
    for (const Compiled& made : made_)
      for (const auto& [k, threads] : made.most_threads)
        words.push_back("--defsym=" + threads_symbol(kernel_symbol(k)) + "=" + std::to_string(threads));
    log += link_objects(image, words);
    std::string binary, why;
    TENON_REQUIRE(base::read_file(image, binary, &why), TENON_ERROR_IO, "%s: %s", image.c_str(), why.c_str());
    return binary;
  }

  // By the linker itself if the compiler told how; its errors are the compiler's to report. Most kernels call nothing
  // outside themselves but the loader: reading the symbols of the C library takes four fifths of the linker's time.
  std::string link_objects(const std::string& image, const std::vector<std::string>& words) const {
    using Words = std::vector<std::string>;
    const Words all = {"-lm", "-lc", "-lgcc"};
    const auto line = [&](Words argv, const char* before, const Words& libraries) {
      for (const Unit& unit : units_) argv.push_back(unit.object());
      argv.insert(argv.end(), {"-o", image});
      for (const std::string& word : words) argv.push_back(before + word);
      argv.insert(argv.end(), libraries.begin(), libraries.end());
      return argv;
    };
    if (const Words linker = linker_of(compiler_, memory_); !linker.empty()) {
      for (const Words& libraries : {Words{kLoader}, all}) {
        if (libraries != all && calls_libraries()) continue;
        try {
          return run_compiler(request_, compiler_, line(linker, "", libraries), units_[0].directory());
        } catch (const Error&) {
          rethrow_if_cancelled(request_);
        }
      }
    }
    return run_compiler(request_, compiler_,
                        line({compiler_.path, "-shared", "-nostartfiles", "-nodefaultlibs"}, "-Wl,", all),
                        units_[0].directory());
  }

  // Whether the objects mention functions that neither they nor the loader have. (The shim's printf calls vprintf; the
  // linker drops it from kernels that do not print.)
  bool calls_libraries() const {
    std::set<std::string> defined = {"__tls_get_addr", "_GLOBAL_OFFSET_TABLE_", "vprintf"};
    for (const Compiled& made : made_)
      for (const ObjectSymbol& symbol : made.symbols)
        if (symbol.defined) defined.insert(symbol.name);
    for (const Compiled& made : made_)
      for (const ObjectSymbol& symbol : made.symbols)
        if (!symbol.defined && !symbol.name.empty() && !defined.count(symbol.name)) return true;
    return false;
  }

  std::vector<uint64_t> static_shared() const {
    std::vector<std::string> objects(units_.size());
    std::string why;
    for (size_t i = 0; i < units_.size(); ++i)
      TENON_REQUIRE(base::read_file(units_[i].object(), objects[i], &why), TENON_ERROR_IO, "%s", why.c_str());
    return static_shared_bytes(objects, request_.kernels.size());
  }

  // Is this the name of a variable that the first unit defines for all (TENON_STATE in the shim)?
  bool is_state(const std::string& name) const {
    return std::any_of(made_[0].symbols.begin(), made_[0].symbols.end(),
                       [&](const ObjectSymbol& symbol) { return symbol.defined && symbol.name == name; });
  }

  const CompileRequest& request_;
  const Compiler& compiler_;
  ImageStore& memory_;
  std::deque<Unit> units_;
  std::vector<Compiled> made_;
};

const std::string& shim_hash() {
  static const auto& hash = *new std::string([] {
    std::string all;
    for (int i = 0; i < shim_header_count; ++i)
      all += std::string(shim_headers[i].name) + '\0' + shim_headers[i].text + '\0';
    return base::hash_hex(all);
  }());
  return hash;
}

// Of any of its inputs.
UsesCccl uses_cccl_in(const CompileRequest& request) {
  UsesCccl most = request.inputs.empty() ? uses_cccl(request) : UsesCccl::no;
  for (size_t i = 0; i < request.inputs.size(); ++i)
    if (const UsesCccl its = uses_cccl(request.unit(i)); its == UsesCccl::yes || most == UsesCccl::no) most = its;
  return most;
}

}  // namespace

std::vector<std::string> kernel_include_directories(const CompileRequest& request) {
  if (uses_cccl_in(request) == UsesCccl::no) return {};
  const std::string found = cccl_directory(request);
  return found.empty() ? std::vector<std::string>() : std::vector<std::string>{found};
}

std::string kernel_compiler_identity(const CompileRequest& request, ImageStore& memory) {
  const Compiler compiler = host_compiler(&memory);
  std::string out =
      compiler.path + "\n" + compiler.banner + "\n" + compiler.content + "\n" + shim_hash() + "\n" + writers_digest;
  if (target_of(request.architecture).tuning == "native") out += "\n" + base::hash_hex(processor_features());
  for (const std::string& option : mode_options(request, compiler)) out += "\n" + option;
  return out;
}

Image kernel_compile(const CompileRequest& request, const std::string& sources, ImageStore& memory) {
  for (const ProgramInput& input : request.inputs) {
    TENON_REQUIRE(input.kind == TENON_INPUT_SOURCE, TENON_ERROR_UNSUPPORTED,
                  "the CPU device links sources only, and %s is an image: an image is loaded alone",
                  input.name.c_str());
  }
#if !defined(__x86_64__)
  fail(TENON_ERROR_UNSUPPORTED, "kernels on the CPU device run only on x86-64 processors");
#endif
  const Compiler compiler = host_compiler(&memory);
  const UsesCccl uses = uses_cccl_in(request);
  if (const std::string log = cccl_for_the_host(request); !log.empty()) fail_with_log(request, log);
  const std::string cccl = uses == UsesCccl::no ? "" : cccl_directory(request);
  try {
    return Compilation(request, compiler, uses == UsesCccl::yes ? cccl : "", sources, memory).run();
  } catch (const Error& error) {
    if (uses != UsesCccl::perhaps || cccl.empty() || !lacks_cccl(error.log, cccl)) throw;
  }
  return Compilation(request, compiler, cccl, sources, memory).run();
}

std::string kernel_toolkit() {
  try {
    return host_compiler().sentence();
  } catch (const Error& error) {
    return error.message;
  }
}

}  // namespace tenon::cpu
