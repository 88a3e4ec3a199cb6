// backend/cpu/compile/unit.cpp: one translation unit: the text around the user's, its files, the compiler's command
// line.
#include "backend/cpu/compile/unit.hpp"
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include "backend/cpu/compile/source/clusters.hpp"
#include "backend/cpu/compile/compiler/diagnose.hpp"
#include "backend/cpu/compile/compiler/guards.hpp"
#include "backend/cpu/compile/compiler/ir.hpp"
#include "backend/cpu/compile/compiler/masks.hpp"
#include "backend/cpu/compile/source/launches.hpp"
#include "backend/cpu/compile/precompiled.hpp"
#include "backend/cpu/text/loops.hpp"
#include "backend/cpu/compile/probe.hpp"
#include "backend/cpu/ptx/ptx.hpp"
#include "backend/cpu/compile/source/shim.hpp"
#include "backend/cpu/text/spins.hpp"
#include "backend/cpu/target.hpp"
#include "base/hash.hpp"
#include "base/process/process.hpp"
#include "core/kernel_name.hpp"

namespace tenon::cpu {
namespace {

// Limits for the probes of a text's loops: a loop's body appears twice, so one at depth n appears 2^n times.
constexpr int kDeepestLoop = 3;
constexpr size_t kMostLoops = 64, kLongestText = 16 << 20;
constexpr int kMostLoopsBeside = 8;  // loops of a program that run side by side: each has several copies of its body
constexpr char kProbeRows[] = "-DTENON_PROBE=1", kProbeSums[] = "-DTENON_PROBE=2", kProbeBeside[] = "-DTENON_PROBE=3";

// Releases of clang trust the intermediate code that they read. Code that was rewritten in other ways than operation by
// operation is verified, and releases without this option do not get such code.
constexpr char kVerify[] = "-fverify-intermediate-code";
constexpr int kFirstThatVerifies = 18;

bool identifier_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

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

// What a text with inline PTX includes.
std::string ptx_headers(bool halves, bool matrices) {
  std::string out = "#include <tenon_ptx.h>\n";
  if (halves) out += "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  if (matrices) out += "#include <tenon_matrix.h>\n";
  return out;
}

// Stores what a debugger shows: the text and the headers that were given as text, under their names in the returned
// folder. "": nothing can be stored; the debugger then shows lines without their text.
std::string leave_sources(const CompileRequest& request, const std::string& sources) {
  if (request.mode != TENON_PROGRAM_MODE_DEBUG || sources.empty()) return {};
  std::string all = request.name + '\0' + request.source;
  for (const SourceHeader& header : request.headers) all += '\0' + header.name + '\0' + header.text;
  const std::string folder = sources + "/" + base::hash_hex(all);
  std::string why;
  bool good = base::private_directory(sources, &why) && base::private_directory(folder, &why) &&
              base::private_directory(folder + "/include", &why);
  const auto leave = [&](const std::string& below, const std::string& name, const std::string& text) {
    if (name.empty() || name[0] == '/' || ("/" + name + "/").find("/../") != std::string::npos)
      return;  // a file of the user's
    for (size_t slash = name.find('/'); good && slash != std::string::npos; slash = name.find('/', slash + 1))
      good = base::private_directory(below + "/" + name.substr(0, slash), &why);
    good = good && base::write_file_atomically(below + "/" + name, text, &why);
  };
  if (good) leave(folder, request.name, request.source);
  for (const SourceHeader& header : request.headers)
    if (good) leave(folder + "/include", header.name, header.text);
  return good ? folder : "";
}

}  // namespace

Execution needed_by(const Waits& waits) {
  return waits.warp ? scheduled_fibers : waits.block ? ring_fibers : thread_loop;
}

bool Compiled::has(const char* name, bool defined) const {
  for (const ObjectSymbol& symbol : symbols)
    if (symbol.defined == defined && symbol.name == name) return true;
  return false;
}

Execution Compiled::needed() const {
  if (!waits) return needed_by({has("tenon_needs_fibers", false), has("tenon_needs_scheduler", false)});
  Execution most = thread_loop;
  for (const Waits& one : *waits) most = std::max(most, needed_by(one));
  return most;
}

std::string run_compiler(const CompileRequest& request, const Compiler& compiler, const std::vector<std::string>& argv,
                         const std::string& hidden, double most_seconds) {
  const CompileControl own;
  const CompileControl& control = request.control ? *request.control : own;
  base::ProcessOptions limits;
  limits.temporary = hidden;  // a compiler that is killed leaves its files behind
  limits.output_limit = kLongestLog;
  limits.timeout_seconds = std::min(most_seconds, control.seconds_left());
  limits.limit_processor_time = true;
  limits.fork_server = compiler.is_clang() && argv[0] == compiler.path;  // the others start fast
  limits.stop = [&control] { return control.cancelled(); };
  base::ProcessResult result = base::run_process(argv, limits);
  TENON_REQUIRE(result.start_error.empty(), TENON_ERROR_MISSING_LIBRARY, "the compiler could not be started: %s",
                result.start_error.c_str());
  // The scratch directory has a different name each time, and no longer exists when the log is read.
  for (size_t at; (at = result.output.find(hidden + "/")) != std::string::npos;)
    result.output.erase(at, hidden.size() + 1);
  shorten_log(result.output, result.dropped);
  if (result.timed_out || result.stopped) control.fail_stopped(request.name, std::move(result.output));
  const bool part_killed =
      result.exit_code == 1 && result.output.find("Killed signal terminated program") != std::string::npos;  // from g++
  if (result.exit_code > 128 || part_killed) {
    const int signal = part_killed ? SIGKILL : result.exit_code - 128;
    CompilerKilled error(
        TENON_ERROR_COMPILE,
        format("the compiler %s was killed by signal %d while it compiled %s%s", argv[0].c_str(), signal,
               request.name.c_str(), signal == SIGKILL ? "; systems kill processes when memory runs out" : ""));
    error.log = std::move(result.output);
    throw error;
  }
  if (result.exit_code > 0) fail_with_log(request, result.output);
  return std::move(result.output);
}

void rethrow_if_cancelled(const CompileRequest& request) {
  if (request.control && request.control->cancelled()) throw;
}

Unit::Unit(CompileRequest request, std::vector<size_t> numbers, int number, const Compiler& compiler,
           const std::string& cccl, const std::string& sources, ImageStore& memory)
    : request_(std::move(request)),
      number_(number),
      compiler_(compiler),
      memory_(memory),
      options_(translated_options(request_)),
      shim_(directory() + "/shim"),
      user_(directory() + "/include"),
      text_(directory() + "/main.cpp"),
      object_(directory() + "/main.o"),
      frames_(directory() + "/main.su"),
      cccl_(cccl),
      sources_(leave_sources(request_, sources)),
      frame_{request_, options_.text, shim_, std::move(numbers), number <= 0, {}} {
  mkdir(shim_.c_str(), 0700);
  mkdir(user_.c_str(), 0700);
  // The first header has everything that is available without an include.
  const int headers = mentioned("include") || mentioned("asm") ? shim_header_count : 1;
  for (int i = 0; i < headers; ++i)
    if (const std::string_view name = shim_headers[i].name;
        cccl_.empty() ? name.rfind("cccl/", 0) != 0 : name.rfind("cuda/", 0) != 0)
      write(shim_, shim_headers[i].name, shim_headers[i].text);
  for (const SourceHeader& header : request_.headers) write(user_, header.name, header.text);
}

void Unit::write(const std::string& folder, const std::string& name, std::string_view text) const {
  TENON_REQUIRE(!name.empty() && name[0] != '/' && ("/" + name + "/").find("/../") == std::string::npos,
                TENON_ERROR_INVALID_ARGUMENT,
                "a header given as text is named \"%s\"; the name must be a relative path without \"..\"",
                name.c_str());
  for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
    mkdir((folder + "/" + name.substr(0, slash)).c_str(), 0700);
  std::string why;
  TENON_REQUIRE(base::write_file_atomically(folder + "/" + name, text, &why), TENON_ERROR_IO, "%s/%s: %s",
                folder.c_str(), name.c_str(), why.c_str());
}

// Whether threads of the block must take turns, anywhere in the code.
bool Unit::spins() const {
  if (!spins_)
    spins_ = may_spin(request_.source) || std::any_of(request_.headers.begin(), request_.headers.end(),
                                                      [](const SourceHeader& header) { return may_spin(header.text); });
  return *spins_;
}

// Whether a block may wait for an earlier one: it reads what that one publishes. (Blocks that only publish are run in
// the same way, which costs them little.)
bool Unit::blocks_may_wait() const {
  return spins() || mentioned("volatile") || mentioned("__threadfence") || mentioned("__nanosleep") ||
         mentioned("memory_order") || mentioned("ld.acquire") || mentioned("ld.relaxed");
}

Execution Unit::guess() const {
  if (spins()) return scheduled_fibers;
  Execution out = thread_loop;
  auto scan = [&](const std::string& text) {
    for (size_t i = 0; i < text.size();) {
      if (!identifier_part(text[i])) {
        ++i;
        continue;
      }
      size_t end = i;
      while (end < text.size() && identifier_part(text[end])) ++end;
      std::string_view word(text.data() + i, end - i);
      if (word == "__syncthreads" || word == "__barrier_sync") out = std::max(out, ring_fibers);
      bool warp = word.find("_sync") != word.npos && word.substr(0, 2) == "__" && word != "__barrier_sync";
      if (warp || word == "__syncwarp" || word == "__activemask" || word == "__syncthreads_count" ||
          word == "__syncthreads_and" || word == "__syncthreads_or" || word == "cooperative_groups" ||
          word == "nvcuda" || (word == "cub" && !cccl_.empty()) || word == "mbarrier" || word == "ldmatrix" ||
          word == "movmatrix" || word == "shfl" || word == "arrive_and_wait")
        out = scheduled_fibers;
      i = end;
    }
  };
  scan(request_.source);
  for (const SourceHeader& header : request_.headers) scan(header.text);
  if (request_.mode != TENON_PROGRAM_MODE_FAST && out == ring_fibers) out = scheduled_fibers;
  return out;
}

std::vector<std::string> Unit::arguments(Execution mode, const std::vector<std::string>& what) const {
  std::vector<std::string> argv = {compiler_.path, "-x", "c++"};
  argv.insert(argv.end(), what.begin(), what.end());
  argv.insert(argv.end(), {"-I", user_});
  for (std::string& option : options_of(mode)) argv.push_back(std::move(option));
  if (!cccl_.empty()) {
    argv.insert(argv.end(), {"-isystem", shim_ + "/cccl"});
    if (!compiler_.is_clang()) argv.push_back("-fpermissive");  // `using WarpScan = WarpScan<T>` in a class
  }
  argv.insert(argv.end(), {"-isystem", shim_});
  if (!cccl_.empty()) argv.insert(argv.end(), {"-isystem", cccl_});
  return argv;
}

// Those that the shim depends on.
std::vector<std::string> Unit::options_of(Execution mode) const {
  std::vector<std::string> argv = mode_options(request_, compiler_);
  if (!sources_.empty()) {
    // The names in the text are relative to the directory of the compilation, so the debugger gets that directory.
    char here[4096];
    if (getcwd(here, sizeof here) && here[1])
      argv.push_back(std::string("-fdebug-prefix-map=") + here + "=" + sources_);
    argv.push_back("-fdebug-prefix-map=" + user_ + "=" + sources_ + "/include");
  }
  if (mode != thread_loop && has_loops()) argv.push_back("-DTENON_LOOPS=1");
  // Thrust's algorithms allocate, and the runtime API is in the declarations of CUB. A virtual destructor mentions
  // delete, a pure virtual function what reports its call.
  if (has_directories() || !cccl_.empty() || mentioned("malloc") || mentioned("free") || mentioned("new") ||
      mentioned("delete") || mentioned("virtual"))
    argv.push_back("-DTENON_HEAP=1");
  if (may_launch() || !cccl_.empty()) argv.push_back("-DTENON_CHILDREN=1");
  if (may_read_textures()) argv.push_back("-DTENON_TEXTURES=1");
  if (const int width = mode == thread_loop || has_loops() ? vector_functions() : 0)
    argv.insert(argv.end(), {"-DTENON_VECTOR_MATH=" + std::to_string(width), "-fveclib=libmvec"});
  if (blocks_may_wait()) argv.push_back("-DTENON_IN_TURN=1");
  argv.push_back("-DTENON_EXECUTION=" + std::to_string(mode));
  if (mode != thread_loop) argv.push_back("-mno-red-zone");
  if (spins() && mode == scheduled_fibers) {
    argv.push_back("-DTENON_SPINS=1");
    if (request_.mode != TENON_PROGRAM_MODE_CHECK) argv.push_back(stretches_option(compiler_));
  }
  if (number_ >= 0) argv.push_back("-DTENON_UNIT=" + std::to_string(number_));
  argv.insert(argv.end(), options_.arguments.begin(), options_.arguments.end());
  if (!cccl_.empty()) argv.push_back("-DTENON_CCCL=1");
  return argv;
}

Compiled Unit::compile(Execution mode, const std::vector<std::string>& more, double most_seconds, bool masks) const {
  Compiled out;
  out.log = compile_object(mode, more, most_seconds, masks, out);
  std::string object, why, frames;
  if (!base::read_file(object_, object, &why)) fail_with_log(request_, out.log + object_ + ": " + why + "\n");
  if (request_.mode == TENON_PROGRAM_MODE_CHECK)
    TENON_REQUIRE(base::write_file_atomically(object_, object = with_margins(std::move(object)), &why), TENON_ERROR_IO,
                  "%s: %s", object_.c_str(), why.c_str());
  out.symbols = object_symbols(object);
  if (number_ < 0 && !request_.kernels.empty()) out.waits = read_waits(object, frame_.numbers);
  if (base::read_file(frames_, frames)) out.frame_bytes = sum_of_frames(frames);
  return out;
}

// In two steps if the compiler is clang: in between, integer operations get CUDA's meaning (compile/compiler/ir.hpp),
// and bounds checks are taken out of kernels. In three if masks are tested.
std::string Unit::compile_object(Execution mode, const std::vector<std::string>& more, double most_seconds, bool masks,
                                 Compiled& out) const {
  if (!compiler_.is_clang()) {
    std::vector<std::string> argv = arguments(mode, {"-c", text_, "-o", object_, "-fstack-usage"});
    argv.insert(argv.end(), more.begin(), more.end());
    return run_compiler(request_, compiler_, argv, directory(), most_seconds);
  }
  const std::string file = directory() + "/main.ll";
  const std::string log = run_front_end(
      mode, more, {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", text_, "-o", file}, most_seconds);
  std::string text, why;
  TENON_REQUIRE(base::read_file(file, text, &why), TENON_ERROR_IO, "%s: %s", file.c_str(), why.c_str());
  const auto probes = [&more](const char* about) {
    return std::any_of(more.begin(), more.end(), [about](const std::string& one) { return one.rfind(about, 0) == 0; });
  };
  const auto write_module = [&](bool plain) {
    std::string module = with_guards(text, plain);
    out.most_threads = take_launch_bounds(module);
    if (probes("-DTENON_PROBE=")) module = with_visible_effects(module);
    TENON_REQUIRE(!probes(kProbeBeside) || !hides_addresses(module), TENON_ERROR_UNSUPPORTED,
                  "a number may hold the address of a variable of the kernel");  // only an attempt: see prove()
    TENON_REQUIRE(base::write_file_atomically(file, with_total_integers(module), &why), TENON_ERROR_IO, "%s: %s",
                  file.c_str(), why.c_str());
  };
  std::vector<std::string> options = options_for_ir(arguments(mode, {}));
  options.insert(options.end(), more.begin(), more.end());
  const auto second = [&] { return compile_module(file, options, most_seconds, masks); };
  const bool plain = !avoids_masks() || mentioned("TENON_PLAIN_LOOPS");
  write_module(plain);
  if (!plain) {
    try {
      options.push_back(kVerify);
      return log + second();
    } catch (const Error& error) {  // for example of the text's asm statements
      forgive(error);
    }
    options.pop_back();
    write_module(true);
  }
  return log + second();
}

// The second step, and the third.
std::string Unit::compile_module(const std::string& module, const std::vector<std::string>& options,
                                 double most_seconds, bool masks) const {
  const auto run = [&](std::vector<std::string> argv, const std::vector<std::string>& last) {
    argv.insert(argv.begin(), {compiler_.path, "-x", "ir"});
    argv.insert(argv.end(), options.begin(), options.end());
    argv.insert(argv.end(), last.begin(), last.end());
    return run_compiler(request_, compiler_, argv, directory(), most_seconds);
  };
  const auto objects = [&](const std::string& from) {
    return std::vector<std::string>{"-c", from, "-o", object_, "-fstack-usage"};
  };
  if (masks) {
    try {
      const std::string optimised = directory() + "/optimised.ll";
      const std::string warnings = run({"-S", "-emit-llvm", module, "-o", optimised}, {});
      std::string text, why;
      TENON_REQUIRE(base::read_file(optimised, text, &why), TENON_ERROR_IO, "%s: %s", optimised.c_str(), why.c_str());
      if (test_masks(text))
        TENON_REQUIRE(base::write_file_atomically(optimised, text, &why), TENON_ERROR_IO, "%s: %s", optimised.c_str(),
                      why.c_str());
      run(objects(optimised), {"-Xclang", "-disable-llvm-passes", kVerify});
      return warnings;
    } catch (const Error& error) {
      forgive(error);
    }
  }
  return run(objects(module), {});
}

// Where masks have instructions of their own, a masked access costs less than what avoids it.
bool Unit::avoids_masks() const {
  return compiler_.is_clang() && compiler_.major >= kFirstThatVerifies &&
         !target_of(request_.architecture).has("avx512f");
}

// For kernels in regions: masks there are mostly bounds checks. Other kernels begin with them
// (compile/compiler/guards).
bool Unit::tests_masks() const {
  return avoids_masks() && any(regions_) && request_.mode == TENON_PROGRAM_MODE_FAST &&
         target_of(request_.architecture).has("avx2");
}

// With the shim's first header precompiled where that is possible.
std::string Unit::run_front_end(Execution mode, const std::vector<std::string>& more,
                                const std::vector<std::string>& what, double most_seconds) const {
  std::vector<std::string> argv = arguments(mode, what);
  argv.insert(argv.end(), more.begin(), more.end());
  const auto run = [&](const std::vector<std::string>& line) {
    return run_compiler(request_, compiler_, line, directory(), most_seconds);
  };
  if (request_.mode == TENON_PROGRAM_MODE_DEBUG) return run(argv);  // a debugger reads the header's text
  std::vector<std::string> options = options_of(mode);
  options.insert(options.end(), more.begin(), more.end());
  const std::vector<std::string> header = precompiled_shim(request_, compiler_, options, memory_);
  if (header.empty()) return run(argv);
  std::vector<std::string> with = argv;
  with.insert(with.end(), header.begin(), header.end());
  try {
    return run(with);
  } catch (const Error& error) {
    forgive(error);
  }
  std::string log = run(argv);  // an error of the text ends here
  give_up_precompiled(compiler_, options);
  return log;
}

Compiled Unit::compile(Execution mode) const {
  find_regions();
  if (mode != thread_loop) find_waitless();
  std::optional<Compiled> out = compile_proved(mode);
  if (!out) out = compile_regions(mode);
  if (!out) out = compile_plain(mode);
  const Execution needed = out->needed();
  if (needed > mode) regions_.clear();  // a barrier remained, in a function that the only kernel calls
  if (needed > mode || mode == thread_loop || needed == thread_loop) return std::move(*out);
  // A loop over threads still contains a waiting operation, which only the linker would have reported: all threads
  // become fibers.
  waitless_.clear();
  regions_.clear();
  proved_.reset();
  return compile_plain(mode);
}

Compiled Unit::compile_plain(Execution mode) const {
  write_text(text(ways(mode)));
  return compile(mode, {});
}

Execution Unit::least() const {
  const Execution guessed = guess();
  if (guessed == thread_loop || spins()) return guessed;
  find_regions();
  find_waitless();
  Execution most = request_.kernels.empty() ? guessed : thread_loop;
  for (size_t k = 0; k < request_.kernels.size(); ++k)
    if (!has(waitless_, k) && !has(regions_, k)) most = std::max(most, waits_.empty() ? guessed : needed_by(waits_[k]));
  return most;
}

Ways Unit::ways(Execution mode) const {
  Ways out;
  for (size_t k = 0; k < request_.kernels.size(); ++k)
    out.loops.push_back(mode == thread_loop || has(waitless_, k) || has(regions_, k));
  out.regions = regions_;
  for (size_t k = 0; k < regions_.size(); ++k)
    out.blocks.push_back(regions_[k] ? region_text_->blocks_of(function_of_kernel(request_.kernels[k]))
                                     : RegionText::Blocks::any);
  return out;
}
bool Unit::has_loops() const { return any(waitless_) || any(regions_); }

// Called where the error of an attempt is caught: continues if the error may be in the user's text, which the final
// compile reports, or if the attempt took too long.
void Unit::forgive(const Error& error) const {
  rethrow_if_cancelled(request_);
  if (dynamic_cast<const CompilerKilled*>(&error)) throw;
}

// The part of the remaining time that a probe may take. It is large, because a slower form that was chosen while the
// machine was busy would remain in the cache.
double Unit::probe_seconds() const {
  const CompileControl own;
  return (request_.control ? *request_.control : own).seconds_left() / 3;
}

// Whether the text has other kernels than the one that is asked for: they may be why it seems to wait.
bool Unit::others_wait() const {
  size_t kernels = 0;
  for (size_t at = 0; (at = request_.source.find("__global__", at)) != std::string::npos; at += 10) ++kernels;
  return kernels > 1 && !request_.kernels.empty();
}

// One kernel of a program that needs fibers does not make the others slow: those whose threads never wait remain loops.
// A compile finds out which ones, but only if the text has several kernels.
void Unit::find_waitless() const {
  if (asked_waitless_ || request_.mode != TENON_PROGRAM_MODE_FAST || number_ >= 0 || spins() ||
      (request_.kernels.size() < 2 && (has(regions_, 0) || !others_wait())))
    return;
  asked_waitless_ = true;
  try {
    write_text(text(ways(thread_loop)));
    waits_ = *compile(thread_loop, {"-w", "-O1"}, probe_seconds()).waits;
    for (const Waits& one : waits_) waitless_.push_back(one.none());
  } catch (const Error& error) {  // errors in the user's text are reported by the final compile
    forgive(error);
  }
}

// The compiler's warnings about the text as given, not about the rewritten one.
std::string Unit::log_as_given(Execution mode) const {
  write_text(text(ways(mode)));
  return run_compiler(request_, compiler_, arguments(mode, {"-fsyntax-only", text_}), directory());
}

bool Unit::mentioned(const char* word) const {
  const auto in = [word](const std::string& text) { return text.find(word) != std::string::npos; };
  return in(request_.source) || in(options_.text) ||
         std::any_of(request_.headers.begin(), request_.headers.end(),
                     [&](const SourceHeader& header) { return in(header.text); });
}

// The text with its macros expanded; `first` are lines before it. "": it is too long.
std::string Unit::expand(const std::string& first) const {
  write_text(text_to_expand(frame_, first));
  const std::string file = directory() + "/main.ii";
  run_compiler(request_, compiler_, arguments(thread_loop, {"-E", "-w", text_, "-o", file}), directory());
  std::string text;
  return base::read_file(file, text) && text.size() <= kLongestText ? expanded_text(text) : "";
}

// For headers: only the compiler sees the contents of such directories.
// Whether the text has a word of shim/texture/tenon_texture.h, whose templates cost each compile some time.
bool Unit::may_read_textures() const {
  return has_directories() || mentioned("tex1D") || mentioned("tex2D") || mentioned("tex3D") ||
         mentioned("texCubemap") || mentioned("surf1D") || mentioned("surf2D") || mentioned("surf3D") ||
         mentioned("surfCubemap") || mentioned("tex_obj_input") || mentioned("cudaTextureObject_t") ||
         mentioned("cudaSurfaceObject_t") || mentioned("cudaBoundaryMode");
}

// CUB's functions wait inside, so kernels that call them stay whole; a proof for others would read all of CUB again.
bool Unit::has_cub() const { return !cccl_.empty() && mentioned("cub"); }

bool Unit::has_directories() const {
  return std::any_of(options_.arguments.begin(), options_.arguments.end(),
                     [](const std::string& option) { return option.rfind("-I", 0) == 0; });
}

// Whether the text has inline PTX, launches kernels, has kernels with clusters, or alignments that C++ expects
// elsewhere. Then the expanded text replaces it.
bool Unit::has_ptx() const {
  if (has_ptx_) return *has_ptx_;
  // The headers of CCCL have asm statements and use half precision: a text that includes them is expanded once.
  const bool with_cccl = !cccl_.empty();
  const bool any =
      mentioned("asm") || mentioned("__cluster_dims__") || mentioned("alignas") || may_launch() || with_cccl;
  const std::string written = any ? expand(with_cccl ? ptx_headers(true, true) : "") : "";
  std::string text = alignments_first(written);
  const bool moved = text != written;
  std::string problems;
  const auto clusters = cluster_dims(text, problems);
  for (size_t k = 0; k < request_.kernels.size(); ++k)
    if (const auto found = clusters.find(plain_name(request_.kernels[k])); found != clusters.end())
      frame_.clusters[k] = cluster_function(request_.kernels[k]);
  int launches = 0;
  const bool statements = with_cccl || ptx::has_statements(text);
  if (!statements) text = launches_as_calls(text, clusters, launches, problems);
  if (!problems.empty()) fail_with_log(request_, problems);
  has_ptx_ = statements || launches > 0 || !clusters.empty() || moved;
  launches_ = launches > 0;
  if (!statements) {
    expanded_ = clusters.empty() ? std::move(text) : with_cluster_functions(text);
    return *has_ptx_;
  }
  const auto uses = [&text](const char* word) { return text.find(word) != text.npos; };
  const bool matrices = uses("mma.sync") || uses("matrix.sync");
  if (!with_cccl) text = alignments_first(expand(ptx_headers(matrices || uses("f16"), matrices)));
  std::string log;
  expanded_ = ptx::as_calls(text, cccl_, log);
  expanded_ = launches_as_calls(expanded_, clusters, launches, log);
  launches_ = launches > 0;
  if (!clusters.empty()) expanded_ = with_cluster_functions(expanded_);
  if (!log.empty()) {
    has_ptx_.reset();  // an attempt may have asked, whose failure is forgiven
    fail_with_log(request_, log);
  }
  return true;
}

bool Unit::launches() const {
  has_ptx();
  return launches_;
}
bool Unit::may_launch() const { return has_directories() || mentioned("<<<"); }

// With asm statements replaced by C++.
const std::string& Unit::expanded() const {
  if (!has_ptx() && expanded_.empty()) expanded_ = expand("");
  return expanded_;
}

// The whole translation unit.
std::string Unit::text(const Ways& ways) const {
  return has_ptx() ? proved_text(frame_, expanded_, ways) : program_text(frame_, ways);
}

// Whether the text is searched for loops that run in another way than written. In the other modes, and in reverse
// order, it runs as written.
bool Unit::may_change_loops() const {
  return request_.mode == TENON_PROGRAM_MODE_FAST && !(request_.flags & TENON_PROGRAM_FLAG_REVERSE_ORDER) &&
         !request_.kernels.empty() && number_ < 0 && !spins() && !launches() && !has_cub() &&
         !mentioned("TENON_PLAIN_LOOPS");
}
// For grid-stride loops.
bool Unit::may_stride() const { return mentioned("gridDim") || mentioned("#include \""); }
// For loops that threads run side by side: not if a block may wait for another one. (g++ fuses more or fewer products
// and sums in such a loop than in the same loop as written.) The text is looked at before its macros are expanded,
// which takes a compiler's process: loops that macros make run as written.
bool Unit::may_run_beside() const {
  if (!compiler_.is_clang() || !mentioned("for") || blocks_may_wait()) return false;
  return has_directories() || LoopText(request_.source).has_beside() ||
         std::any_of(request_.headers.begin(), request_.headers.end(),
                     [](const SourceHeader& header) { return LoopText(header.text).has_beside(); });
}

// Expands the macros of the text, and lets the compiler prove facts about its loops.
void Unit::prove(Execution mode) const {
  if (tried_) return;
  tried_ = true;
  if (!may_change_loops()) return;
  const bool beside = mode == thread_loop && may_run_beside();
  if (!(may_stride() || beside) || expanded().empty()) return;
  LoopText loops(expanded());
  Proof sums, rows;
  if (may_stride() && loops.mentions("gridDim")) {
    if (loops.has_sums()) {
      try {
        sums = ask(loops, kProbeSums);
      } catch (const Error& error) {  // for example a name that is not a variable
        forgive(error);
        loops.forget_sums();
      }
    }
    // Code that waits for another block relies on the order of blocks. (Loops that run early have no other effects, so
    // they do not wait.)
    if ((guess() == thread_loop || any(waitless_)) && loops.has_rows() && !loops.mentions("volatile") &&
        !loops.mentions("__threadfence") && !loops.mentions("__threadfence_block") &&
        !loops.mentions("__threadfence_system") && !loops.mentions("__nanosleep"))
      rows = ask(loops, kProbeRows);
    for (size_t k = 0; k < rows.kernels.size() && k < sums.kernels.size(); ++k)
      if (rows.kernels[k]) sums.kernels[k] = false;
  }
  std::vector<int> last(request_.kernels.size(), -1);
  if (beside && !loops.mentions("new")) {  // in a proof, allocations that are not used vanish
    try {
      last = ask_beside(loops, rows, sums);
    } catch (const Error& error) {
      forgive(error);
    }
  }
  if (rows.any() || sums.any() || std::any_of(last.begin(), last.end(), [](int loop) { return loop >= 0; }))
    proved_.emplace(Proved{std::move(loops), std::move(rows), std::move(sums), std::move(last)});
}

// Compiles a probe, and returns its object.
std::string Unit::probed(const std::string& text, const char* about) const {
  write_text(text);
  std::vector<std::string> options = probe_options(compiler_);
  options.push_back(about);
  compile(thread_loop, options, probe_seconds());
  std::string object;
  base::read_file(object_, object);
  return object;
}

Proof Unit::ask(const LoopText& loops, const char* about) const {
  std::vector<bool> candidates;
  for (const CountedLoop& loop : loops.loops())
    candidates.push_back(loop.kernel.empty() && loop.depth < kDeepestLoop && candidates.size() < kMostLoops);
  return read_probe(probed(probe_text(frame_, loops.rewritten(candidates)), about), request_.kernels.size(),
                    candidates.size());
}

// Of kernels that do not run in another way.
std::vector<int> Unit::ask_beside(const LoopText& loops, const Proof& rows, const Proof& sums) const {
  std::vector<int> numbers;
  for (size_t k = 0; k < request_.kernels.size(); ++k)
    numbers.push_back(has(regions_, k) || has(rows.kernels, k) || has(sums.kernels, k)
                          ? 0
                          : loops.loops_of(function_of_kernel(request_.kernels[k])));
  int room = kMostLoopsBeside;
  for (int& one : numbers) room -= one = std::min(one, room);
  if (std::all_of(numbers.begin(), numbers.end(), [](int n) { return n == 0; }))
    return std::vector<int>(numbers.size(), -1);
  std::vector<bool> candidates;
  for (const CountedLoop& loop : loops.loops()) candidates.push_back(!loop.kernel.empty());
  return read_beside(probed(probe_text(frame_, loops.rewritten(candidates), numbers), kProbeBeside), numbers);
}

// Compiles with the loops changed as far as the proof allows. Empty if there are no such loops, or if anything fails.
std::optional<Compiled> Unit::compile_proved(Execution mode) const {
  std::optional<Compiled> out;
  try {
    prove(mode);
    if (!proved_) return out;
    const auto& [loops, rows, sums, beside] = *proved_;
    Ways how = ways(mode);
    for (size_t k = 0; k < rows.kernels.size(); ++k) how.rows.push_back(rows.kernels[k] && has(how.loops, k));
    if (mode == thread_loop) how.beside = beside;
    std::map<std::string, int> last;  // by function
    for (size_t k = 0; k < how.beside.size(); ++k) {
      int& at = last.emplace(function_of_kernel(request_.kernels[k]), -1).first->second;
      at = std::max(at, how.beside[k]);
    }
    const bool by_rows = any(how.rows);
    std::vector<bool> chosen;
    for (size_t i = 0; i < loops.loops().size(); ++i) {
      const CountedLoop& loop = loops.loops()[i];
      const auto found = last.find(loop.kernel);
      chosen.push_back(loop.kernel.empty() ? (by_rows && rows.loops[i]) || (sums.any() && sums.loops[i])
                                           : found != last.end() && loop.number <= found->second);
    }
    if (!any(chosen)) return out;
    how.sums = sums.kernels;
    RegionText text(loops.rewritten(chosen));
    for (size_t k = 0; k < regions_.size(); ++k)
      if (regions_[k] && !text.refused(function_of_kernel(request_.kernels[k])).empty()) regions_[k] = false;
    how.regions = regions_;
    how.loops = ways(mode).loops;
    how.blocks = ways(mode).blocks;
    write_text(proved_text(frame_, text.rewritten(functions_of(regions_)), how));
    std::vector<std::string> options = any(regions_) ? options_of_regions() : std::vector<std::string>();
    options.push_back(std::string("-DTENON_ROWS=") + (loops.mentions("tenon_fault") ? "2" : "1"));
    const bool several_forms = std::any_of(last.begin(), last.end(), [](const auto& row) { return row.second >= 0; });
    out = compile(mode, options, several_forms ? probe_seconds() : 1e9, tests_masks());
    if (!out->log.empty()) out->log = log_as_given(mode);
  } catch (const Error& error) {
    forgive(error);
    out.reset();
  }
  return out;
}

// Which of our vector functions, of shim/math/tenon_fast.h (1) and tenon_fast_double.h (2), to use: for versions of
// clang whose list of names is known, and texts that may call them. They take as long to compile as a small kernel.
int Unit::vector_functions() const {
  const Target target = target_of(request_.architecture);
  if (!compiler_.is_clang() || compiler_.major > 19 || request_.mode != TENON_PROGRAM_MODE_FAST ||
      !target.has("avx2") || !target.has("fma"))
    return 0;
  return !mentioned("sin") && !mentioned("cos") ? 0 : mentioned("double") ? 2 : 1;
}

}  // namespace tenon::cpu
