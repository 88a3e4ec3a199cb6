// backend/cuda/compile/compile.cpp: NVRTC: a request becomes a cubin for one architecture, and its PTX.
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include "backend/cuda/compile/apart.hpp"
#include "backend/cuda/compile/compile.hpp"
#include "backend/cuda/device.hpp"
#include "backend/cuda/vendor/loading.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"

namespace tenon::cuda {
namespace {

Error vendor_error(const Nvrtc& compiler, int result, const char* call) {
  Error error(
      result == NVRTC_ERROR_OUT_OF_MEMORY ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR_VENDOR,
      format("%s failed: %s", call, compiler.nvrtcGetErrorString ? compiler.nvrtcGetErrorString(result) : "no text"));
  error.native_call = call;
  error.native_code = result;
  return error;
}

void check(const Nvrtc& compiler, int result, const char* call) {
  if (result != NVRTC_SUCCESS) throw vendor_error(compiler, result, call);
}

// The architectures that the compiler supports, ascending.
std::vector<int> supported_architectures(const Nvrtc& compiler) {
  int count = 0;
  check(compiler, compiler.nvrtcGetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> list(static_cast<size_t>(count));
  check(compiler, compiler.nvrtcGetSupportedArchs(list.data()), "nvrtcGetSupportedArchs");
  std::sort(list.begin(), list.end());
  return list;
}

// The architecture to compile for: the requested one; or, if the device is newer than the compiler, PTX of the newest
// supported one, which the driver turns into code.
std::string target(const Nvrtc& compiler, const std::string& requested) {
  const int number = architecture_number(requested);
  const std::vector<int> known = supported_architectures(compiler);
  if (known.empty() || std::find(known.begin(), known.end(), number) != known.end()) return requested;
  TENON_REQUIRE(
      number > known.front(), TENON_ERROR_UNSUPPORTED,
      "NVRTC %d.%d compiles for sm_%d and later, not for %s: use the CUDA 12 libraries (TENON_CUDA_PATH) for this "
      "device",
      compiler.major, compiler.minor, known.front(), requested.c_str());
  auto below = std::lower_bound(known.begin(), known.end(), number);
  return "compute_" + std::to_string(*(below - 1));
}

bool gives_architecture(const std::vector<std::string>& options) {
  for (const std::string& option : options)
    for (const char* prefix : {"-arch", "--gpu-architecture"})
      if (option.rfind(prefix, 0) == 0) return true;
  return false;
}

// NVRTC takes 128-bit integers, which nvcc and the CPU's compilers always have, only on request.
bool has_wide_integers(const CompileRequest& request) {
  const auto in = [](const std::string& text) { return text.find("__int128") != text.npos; };
  return in(request.source) || std::any_of(request.headers.begin(), request.headers.end(),
                                           [&](const SourceHeader& header) { return in(header.text); });
}

std::vector<std::string> all_options(const Nvrtc& compiler, const CompileRequest& request,
                                     const std::string& architecture) {
  std::vector<std::string> options;
  if (!gives_architecture(request.options)) options.push_back("--gpu-architecture=" + architecture);
  if (request.mode == TENON_PROGRAM_MODE_DEBUG) options.push_back("--device-debug");
  if (request.mode == TENON_PROGRAM_MODE_CHECK) options.push_back("--generate-line-info");
  if (request.flags & TENON_PROGRAM_FLAG_FAST_MATH) options.push_back("--use_fast_math");
  const auto& given = request.options;
  if (has_wide_integers(request) && !std::count(given.begin(), given.end(), "--device-int128") &&
      !std::count(given.begin(), given.end(), "-device-int128"))
    options.push_back("--device-int128");
  options.insert(options.end(), given.begin(), given.end());
  // After the user's directories: those are searched first.
  for (const std::string& directory : cuda_include_directories(compiler.include_directory))
    options.push_back("-I" + directory);
  return options;
}

NvrtcWork work_of(const Nvrtc& compiler, const CompileRequest& request, std::vector<std::string> options) {
  NvrtcWork work;
  if (!compiler.builtins.empty()) work.libraries.push_back(compiler.builtins);
  work.libraries.push_back(compiler.library.path());
  work.unit = translation_unit(request);
  TENON_REQUIRE(work.unit.find('\0') == std::string::npos, TENON_ERROR_COMPILE, "the source contains a NUL byte");
  work.name = request.name.empty() ? "kernel.cu" : request.name;
  auto add = [&](const SourceHeader& header) {
    if (std::find(work.header_names.begin(), work.header_names.end(), header.name) != work.header_names.end()) return;
    work.header_names.push_back(header.name);
    work.header_texts.push_back(header.text);
  };
  for (const SourceHeader& header : request.headers) add(header);
  for (const SourceHeader& header : builtin_headers()) add(header);
  work.expressions = request.kernels;
  for (const std::string& variable : request.globals) work.expressions.push_back("&" + variable);
  work.options = std::move(options);
  return work;
}

// NVRTC calls this from any of its threads; 1 ends the compile.
int asked_to_stop(void* control, void*) { return static_cast<const CompileControl*>(control)->stopped() ? 1 : 0; }

// NVRTC's result or failure; throws if the compile was stopped. A compile that a caller may want to end runs in a
// separate process: NVRTC does not check for cancellation while it instantiates templates, and within a process it
// parses one text at a time.
NvrtcDone run(const Nvrtc& compiler, const CompileRequest& request, const NvrtcWork& work) {
  const CompileControl default_control;
  const CompileControl& control = request.control ? *request.control : default_control;
  control.check(request.name);
  NvrtcDone done;
  if (!control.ends_when_told() || !run_apart(work, request.name, control, done))
    done = NvrtcRun<Nvrtc>(compiler, work, asked_to_stop, const_cast<CompileControl*>(&control))();
  while (!done.log.empty() && (done.log.back() == '\0' || done.log.back() == '\n')) done.log.pop_back();
  shorten_log(done.log);
  if (control.stopped()) control.fail_stopped(request.name, done.failed.empty() ? "" : done.log);
  if (!done.failed.empty() && done.failed != "nvrtcCompileProgram") {
    Error error = vendor_error(compiler, done.code, done.failed.c_str());
    error.log = done.log;
    throw error;
  }
  return done;
}

Image image_of(const CompileRequest& request, NvrtcDone done, bool binary) {
  Image out;
  const auto globals = done.lowered.begin() + std::ptrdiff_t(request.kernels.size());
  out.symbols.assign(done.lowered.begin(), globals);
  out.globals.assign(globals, done.lowered.end());
  out.log = std::move(done.log);
  out.binary = binary ? std::move(done.binary) : done.ptx;
  out.ptx = std::move(done.ptx);
  if (!out.ptx.empty() && out.ptx.back() == '\0') out.ptx.pop_back();
  return out;
}

// The name in an error such as "cannot open source file "x.h""; "" for other errors.
std::string missing_header(const std::string& error) {
  constexpr std::string_view mark = "cannot open source file \"";
  const size_t begin = error.find(mark);
  if (begin == std::string::npos) return "";
  const size_t end = error.find('"', begin + mark.size());
  return end == std::string::npos ? "" : error.substr(begin + mark.size(), end - begin - mark.size());
}

// The pip package that contains a CUDA header; "" if none does.
std::string package_of(const std::string& header, int major) {
  const auto in = [&](std::initializer_list<const char*> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](const char* beginning) { return header.rfind(beginning, 0) == 0; });
  };
  const char* package = in({"nv/", "cuda/", "cub/", "thrust/"}) ? "nvidia-cuda-cccl"
                        : in({"crt/"})                          ? major == 12 ? "nvidia-cuda-nvcc" : "nvidia-cuda-crt"
                        : in({"curand"})                        ? "nvidia-curand"
                        : in({"cuda_", "cuda.h", "cooperative_groups", "mma.h", "vector_", "math_", "device_", "sm_"})
                            ? "nvidia-cuda-runtime"
                            : "";
  return *package ? std::string(package) + (major == 12 ? "-cu12" : "") : "";
}

[[noreturn]] void compile_failed(const Nvrtc& compiler, int result, const std::string& log) {
  std::string said = first_error(log);
  if (said.empty()) said = compiler.nvrtcGetErrorString ? compiler.nvrtcGetErrorString(result) : "no message";
  Error error(result == NVRTC_ERROR_OUT_OF_MEMORY ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR_COMPILE,
              "the source does not compile: " + said);
  if (const std::string header = missing_header(said); !header.empty())
    if (const std::string package = package_of(header, compiler.major); !package.empty())
      error.message += format(" (CUDA %d's header %s was not found: install the pip package %s, or the CUDA Toolkit)",
                              compiler.major, header.c_str(), package.c_str());
  error.log = log;
  error.native_call = "nvrtcCompileProgram";
  error.native_code = result;
  throw error;
}

// PyTorch's wheels bring CUDA's headers without libcu++. Then a text that includes cooperative groups is compiled once
// more: NVRTC 13 has the macros of libcu++'s nv/target built in, and with this macro the headers of cooperative groups
// need nothing else of it.
NvrtcDone run_also_without_libcuxx(const Nvrtc& compiler, const CompileRequest& request, NvrtcWork& work) {
  NvrtcDone done = run(compiler, request, work);
  if (compiler.major < 13 || done.failed.empty() || missing_header(first_error(done.log)) != "nv/target") return done;
  work.header_names.push_back("nv/target");
  work.header_texts.push_back("#pragma once\n");
  work.options.push_back("-D_CG_LIMIT_INCLUDED_DEPENDENCIES");
  return run(compiler, request, work);
}

bool asks_for_binary(const std::vector<std::string>& options, const std::string& architecture) {
  std::string last = architecture;
  for (size_t i = 0; i < options.size(); ++i)
    for (const char* prefix : {"-arch", "--gpu-architecture"}) {
      if (options[i].rfind(prefix, 0) != 0) continue;
      const size_t equals = options[i].find('=');
      last = equals != std::string::npos ? options[i].substr(equals + 1)
             : i + 1 < options.size()    ? options[i + 1]
                                         : last;
    }
  return last.rfind("sm_", 0) == 0;
}

}  // namespace

Image compile_relocatable(const CompileRequest& unit, const std::string& architecture, bool lto) {
  const Nvrtc& compiler = nvrtc();
  const std::string chosen = target(compiler, architecture);
  TENON_REQUIRE(
      chosen == architecture, TENON_ERROR_UNSUPPORTED,
      "NVRTC %d.%d is older than this device (%s) and cannot compile code to be linked for it; update the CUDA "
      "libraries",
      compiler.major, compiler.minor, architecture.c_str());
  CompileRequest plain = unit;  // the options for relocatable code are set once, below
  plain.options = without_link_options(unit.options);
  std::vector<std::string> options = all_options(compiler, plain, chosen);
  options.push_back(lto ? "-dlto" : "--relocatable-device-code=true");
  NvrtcWork work = work_of(compiler, unit, std::move(options));
  work.intermediate = lto;
  work.cubin = true;
  NvrtcDone done = run_also_without_libcuxx(compiler, unit, work);
  if (!done.failed.empty()) compile_failed(compiler, done.code, done.log);
  return image_of(unit, std::move(done), true);
}

std::string identity_for(const CompileRequest& request, const std::string& architecture) {
  architecture_number(architecture);  // throws
  const CompilerFile& compiler = compiler_on_disk();
  static const auto& rules = *new std::string([] {
    std::string text = translation_unit(CompileRequest{});
    for (const SourceHeader& header : builtin_headers()) text += header.name + "\n" + header.text + "\n";
    return base::hash_hex(text);
  }());
  std::string out = format("nvrtc %d.%d (%llu bytes), %s, minimal %d, rules %s", compiler.major, compiler.minor,
                           static_cast<unsigned long long>(compiler.bytes), architecture.c_str(),
                           fits_minimal(request) ? 1 : 0, rules.c_str());
  if (asks_to_link(request)) out += ", " + linker_identity();
  return out;
}

Image compile_for(const CompileRequest& request, const std::string& architecture) {
  const Nvrtc& compiler = nvrtc();
  const std::string chosen = target(compiler, architecture);
  const bool binary = asks_for_binary(request.options, chosen);
  NvrtcWork work = work_of(compiler, request, all_options(compiler, request, chosen));
  work.cubin = binary;
  // --minimal halves the time for small programs. If anything goes wrong with it, the compile is tried again without
  // it.
  if (fits_minimal(request) && (compiler.major > 12 || compiler.minor >= 4)) work.quick_option = "--minimal";
  NvrtcDone done = run_also_without_libcuxx(compiler, request, work);
  if (!done.failed.empty()) compile_failed(compiler, done.code, done.log);
  return image_of(request, std::move(done), binary);
}

std::string CudaDevice::compiler_identity(const CompileRequest& request) {
  return identity_for(request,
                      request.architecture.empty() ? "sm_" + std::to_string(capability()) : request.architecture);
}

std::vector<std::string> CudaDevice::include_directories(const CompileRequest&) {
  // Looked up once, because every program from the cache needs it.
  static const auto& list =
      *new std::vector<std::string>(cuda_include_directories(compiler_on_disk().include_directory));
  return list;
}

const std::vector<SourceHeader>& CudaDevice::own_headers() const { return builtin_headers(); }

Image CudaDevice::compile(const CompileRequest& request) {
  const std::string architecture =
      request.architecture.empty() ? "sm_" + std::to_string(capability()) : request.architecture;
  if (asks_to_link(request)) return link_for(request, architecture);
  try {
    return compile_for(request, architecture);
  } catch (const Error& error) {
    // Kernels that launch kernels must be linked with the device runtime. NVRTC 12 says the first, NVRTC 13 the second.
    if (error.log.find("requires separate compilation mode") == std::string::npos &&
        error.log.find("device-side kernel launch could not be processed") == std::string::npos)
      throw;
  }
  return link_for(request, architecture);
}

}  // namespace tenon::cuda
