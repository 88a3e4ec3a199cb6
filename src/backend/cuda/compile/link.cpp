// backend/cuda/compile/link.cpp: nvJitLink: several units, compiled as relocatable device code, become one cubin.
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include "backend/cuda/compile/compile.hpp"
#include "backend/cuda/device.hpp"
#include "backend/cuda/vendor/loading.hpp"
#include "base/files.hpp"

namespace tenon::cuda {
namespace {

constexpr int kDeviceLibrary = 6;  // NVJITLINK_INPUT_LIBRARY

enum class Asks { nothing, no, relocatable, optimised };

// What an option requests from the linker; *words: the number of options that it takes.
Asks says(const std::vector<std::string>& options, size_t at, size_t* words) {
  const std::string& option = options[at];
  *words = 1;
  if (option == "-dlto" || option == "--dlink-time-opt") return Asks::optimised;
  if (option == "-dc" || option == "--device-c") return Asks::relocatable;
  for (const std::string name : {"-rdc", "--relocatable-device-code"}) {
    if (option == name && at + 1 < options.size()) {
      *words = 2;
      return options[at + 1] == "true" ? Asks::relocatable : Asks::no;
    }
    if (option.rfind(name + "=", 0) == 0) return option == name + "=true" ? Asks::relocatable : Asks::no;
  }
  return Asks::nothing;
}

// The strongest request among the options.
Asks asked(const std::vector<std::string>& options) {
  Asks most = Asks::nothing;
  size_t words = 1;
  for (size_t i = 0; i < options.size(); i += words) most = std::max(most, says(options, i, &words));
  return most;
}

bool optimises_at_link_time(const CompileRequest& request) {
  if (asked(request.options) == Asks::optimised) return true;
  return std::any_of(request.inputs.begin(), request.inputs.end(),
                     [](const ProgramInput& input) { return input.kind == TENON_INPUT_LTO_IR; });
}

int link_kind(int32_t kind) {
  switch (kind) {
    case TENON_INPUT_PTX: return NVJITLINK_INPUT_PTX;
    case TENON_INPUT_FATBIN: return NVJITLINK_INPUT_FATBIN;
    case TENON_INPUT_LTO_IR: return NVJITLINK_INPUT_LTOIR;
    default: return NVJITLINK_INPUT_CUBIN;
  }
}

// The last value of any of these options, given as "name=value" or as two words; "" if there is none.
std::string last_of(const std::vector<std::string>& options, std::initializer_list<std::string_view> names) {
  std::string value;
  for (size_t i = 0; i < options.size(); ++i)
    for (const std::string_view name : names) {
      if (options[i] == name && i + 1 < options.size()) value = options[i + 1];
      if (options[i].starts_with(name) && options[i][name.size()] == '=') value = options[i].substr(name.size() + 1);
    }
  return value;
}

bool any_of(const std::vector<std::string>& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return std::find(names.begin(), names.end(), option) != names.end();
  });
}

// The linker generates the code for link-time optimisation and from PTX, so the compile's options that affect code must
// be passed to it again, in its syntax.
std::vector<std::string> link_options(const CompileRequest& request, const std::string& architecture, bool lto) {
  const auto& given = request.options;
  std::vector<std::string> options = {"-arch=" + architecture};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) options.push_back(name + value);
  };
  if (request.mode == TENON_PROGRAM_MODE_DEBUG || any_of(given, {"-G", "--device-debug"})) options.push_back("-g");
  if (request.mode == TENON_PROGRAM_MODE_CHECK || any_of(given, {"-lineinfo", "--generate-line-info"}))
    options.push_back("-lineinfo");
  add("-maxrregcount=", last_of(given, {"-maxrregcount", "--maxrregcount"}));
  if (!lto) return options;
  options.push_back("-lto");
  const bool fast =
      request.flags & TENON_PROGRAM_FLAG_FAST_MATH || any_of(given, {"-use_fast_math", "--use_fast_math"});
  const auto number = [&](std::initializer_list<std::string_view> names, const char* when_fast) -> std::string {
    const std::string said = last_of(given, names);
    return said == "true" ? "1" : said == "false" ? "0" : fast ? when_fast : "";
  };
  add("-ftz=", number({"-ftz", "--ftz"}, "1"));
  add("-prec-div=", number({"-prec-div", "--prec-div"}, "0"));
  add("-prec-sqrt=", number({"-prec-sqrt", "--prec-sqrt"}, "0"));
  add("-fma=", number({"-fmad", "--fmad"}, "1"));
  return options;
}

// The architecture for which the units are compiled: the one in the options, if they name one.
std::string link_architecture(const CompileRequest& request, const std::string& architecture) {
  const std::string named = last_of(request.options, {"-arch", "--gpu-architecture"});
  if (named.empty()) return architecture;
  TENON_REQUIRE(
      named.rfind("sm_", 0) == 0, TENON_ERROR_INVALID_ARGUMENT,
      "the compile options name the architecture \"%s\", but linked programs are code for one processor: pass sm_%s",
      named.c_str(), named.substr(named.find('_') + 1).c_str());
  return named;
}

// Does a text or an image launch kernels from kernels? A search for words may answer yes too often, which is harmless:
// the linker takes only what is needed from a library.
bool launches_kernels(const CompileRequest& request) {
  return std::any_of(request.inputs.begin(), request.inputs.end(), [](const ProgramInput& input) {
    for (const char* word : {"<<<", "cudaLaunchDevice", "cudaGetParameterBuffer"})
      if (input.data.find(word) != std::string::npos) return true;
    return false;
  });
}

// The library of the device runtime; "" if no toolkit of this major version has it.
std::string device_runtime(int major) {
  for (const ToolkitDirectory& place : toolkit_directories())
    for (const std::string& beside : {"libcudart.so." + std::to_string(major), soname(Vendor::nvrtc, major)})
      if (const std::string path = place.directory + "/libcudadevrt.a";
          base::file_exists(place.directory + "/" + beside) && base::file_exists(path))
        return path;
  return {};
}

class Link {
 public:
  Link(const CompileRequest& request, const std::vector<std::string>& options)
      : linker_(nvjitlink()), request_(request) {
    std::vector<const char*> list;
    for (const std::string& option : options) list.push_back(option.c_str());
    check(linker_.nvJitLinkCreate(&handle_, uint32_t(list.size()), list.data()), "nvJitLinkCreate");
  }
  ~Link() {
    if (handle_ && linker_.nvJitLinkDestroy) linker_.nvJitLinkDestroy(&handle_);
  }
  Link(const Link&) = delete;

  void add(int kind, const std::string& data, const std::string& name) {
    check(linker_.nvJitLinkAddData(handle_, kind, data.data(), data.size(), name.c_str()), "nvJitLinkAddData");
  }
  std::string finish(std::string& log) {
    check(linker_.nvJitLinkComplete(handle_), "nvJitLinkComplete");
    size_t size = 0;
    check(linker_.nvJitLinkGetLinkedCubinSize(handle_, &size), "nvJitLinkGetLinkedCubinSize");
    std::string cubin(size, '\0');
    check(linker_.nvJitLinkGetLinkedCubin(handle_, cubin.data()), "nvJitLinkGetLinkedCubin");
    log += text(linker_.nvJitLinkGetInfoLogSize, linker_.nvJitLinkGetInfoLog);
    return cubin;
  }

 private:
  template <class Size, class Get> std::string text(const Size& size_of, const Get& get) const {
    size_t size = 0;
    if (!handle_ || size_of(handle_, &size) != NVJITLINK_SUCCESS || size == 0) return {};
    std::string out(size, '\0');
    if (get(handle_, out.data()) != NVJITLINK_SUCCESS) return {};
    while (!out.empty() && (out.back() == '\0' || out.back() == '\n')) out.pop_back();
    if (!out.empty()) out += '\n';
    shorten_log(out);
    return out;
  }

  void check(int result, const char* call) const {
    if (result == NVJITLINK_SUCCESS) return;
    const std::string log = text(linker_.nvJitLinkGetErrorLogSize, linker_.nvJitLinkGetErrorLog);
    std::string said = first_error(log);
    if (said.empty()) said = log.empty() ? format("%s returned %d", call, result) : log.substr(0, log.find('\n'));
    Error error(TENON_ERROR_COMPILE, request_.name + " cannot be linked: " + said);
    error.log = log;
    error.native_call = call;
    error.native_code = result;
    throw error;
  }

  const NvJitLink& linker_;
  const CompileRequest& request_;
  nvJitLinkHandle handle_ = nullptr;
};

}  // namespace

bool asks_to_link(const CompileRequest& request) {
  return !request.inputs.empty() || asked(request.options) >= Asks::relocatable;
}

std::vector<std::string> without_link_options(const std::vector<std::string>& options) {
  std::vector<std::string> out;
  size_t words = 1;
  for (size_t i = 0; i < options.size(); i += words)
    if (says(options, i, &words) == Asks::nothing) out.push_back(options[i]);
  return out;
}

std::string linker_identity() {
  unsigned major = 0, minor = 0;
  const NvJitLink& linker = nvjitlink();
  if (linker.nvJitLinkVersion) linker.nvJitLinkVersion(&major, &minor);
  return format("nvJitLink %u.%u", major, minor);
}

Image link_for(const CompileRequest& given, const std::string& architecture) {
  CompileRequest request = given;
  if (request.inputs.empty()) {  // one source whose options request linking
    ProgramInput input;
    input.name = request.name;
    input.data = std::move(request.source);
    input.trailer = std::move(request.trailer);
    for (size_t i = 0; i < request.kernels.size(); ++i) input.kernels.push_back(i);
    for (size_t i = 0; i < request.globals.size(); ++i) input.globals.push_back(i);
    request.inputs.push_back(std::move(input));
  }
  const bool lto = optimises_at_link_time(request);
  Link link(request, link_options(request, link_architecture(request, architecture), lto));
  Image out;
  out.symbols = request.kernels;  // images are referred to by their symbols
  out.globals = request.globals;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const ProgramInput& input = request.inputs[i];
    if (input.kind != TENON_INPUT_SOURCE) {
      link.add(link_kind(input.kind), input.data, input.name);
      continue;
    }
    const Image unit = compile_relocatable(request.unit(i), architecture, lto);
    for (size_t k = 0; k < input.kernels.size(); ++k) out.symbols[input.kernels[k]] = unit.symbols[k];
    for (size_t k = 0; k < input.globals.size(); ++k) out.globals[input.globals[k]] = unit.globals[k];
    out.log += unit.log;
    if (!out.log.empty() && out.log.back() != '\n') out.log += '\n';
    link.add(lto ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_CUBIN, unit.binary, input.name);
  }
  if (launches_kernels(request)) {
    const std::string path = device_runtime(nvrtc().major);
    TENON_REQUIRE(!path.empty(), TENON_ERROR_MISSING_LIBRARY,
                  "%s launches kernels from kernels, which needs CUDA %d's libcudadevrt.a: install the pip package "
                  "nvidia-cuda-runtime%s, or the CUDA Toolkit",
                  request.name.c_str(), nvrtc().major, nvrtc().major == 12 ? "-cu12" : "");
    std::string library, why;
    TENON_REQUIRE(base::read_file(path, library, &why), TENON_ERROR_IO, "%s", why.c_str());
    link.add(kDeviceLibrary, library, path);
  }
  if (request.control) request.control->check(request.name);
  out.binary = link.finish(out.log);
  if (request.control) request.control->check(request.name);
  return out;
}

}  // namespace tenon::cuda
