// backend/cuda/compile/prelude.cpp: the text around the user's for NVRTC: Tenon's macros, line numbers, small headers.
#include <ctype.h>
#include <cstring>
#include "backend/cuda/compile/compile.hpp"

namespace tenon::cuda {

extern const char kStdintHeader[], kCstdintHeader[], kLimitsHeader[], kFloatHeader[], kStddefHeader[], kAssertHeader[],
    kMathHeader[], kMathNumbersHeader[],
    kMathStdHeader[];  // headers/ and device/math_*.h, embedded by meson.build

namespace {

// One macro for both devices (see kernel.h for the CPU): here it is the usual grid-stride loop.
constexpr const char* kPrelude =
    "#define TENON_CUDA_KERNEL 1\n"
    "#define TENON_GRID_STRIDE(i, n) for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, "
    "tenon_stride_##i = (long long)gridDim.x * blockDim.x; i < (long long)(n); i += tenon_stride_##i)\n";

std::string once(const std::string& text) { return "#pragma once\n" + text; }

// Headers of the C++ standard library that libcu++ has for device code. As on the CPU, the names of std and of
// cuda::std mean the same types.
constexpr const char* kFromLibcuxx[] = {"algorithm",        "array",  "atomic",   "bit",  "complex", "functional",
                                        "initializer_list", "limits", "optional", "span", "tuple",   "type_traits",
                                        "utility"};

// The functions of <math.h> in namespace std hide those that a using-directive makes visible there.
std::string complex_in_std() {
  std::string text = "#include <math.h>\nnamespace std {\n";
  for (const std::string name : {"abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log",
                                 "log10", "sin", "sinh", "sqrt", "tan", "tanh"})
    text += "template <class T> __device__ inline auto " + name +
            "(const cuda::std::complex<T>& x) -> decltype(cuda::std::" + name + "(x)) { return cuda::std::" + name +
            "(x); }\n";
  for (const char* pair : {"const cuda::std::complex<T>& x, const cuda::std::complex<T>& y",
                           "const cuda::std::complex<T>& x, const T& y", "const T& x, const cuda::std::complex<T>& y"})
    text += std::string("template <class T> __device__ inline cuda::std::complex<T> pow(") + pair +
            ") { return cuda::std::pow(x, y); }\n";
  return text + "}\n";
}

std::vector<SourceHeader> make_builtin_headers() {
  // Everything that headers without a text declare is built into NVRTC.
  std::vector<SourceHeader> list = {
      {"stdint.h", once(kStdintHeader)},
      {"cstdint", once(kCstdintHeader)},
      {"inttypes.h", once("#include <stdint.h>\n")},
      {"limits.h", once(kLimitsHeader)},
      {"climits", once("#include <limits.h>\n")},
      {"float.h", once(kFloatHeader)},
      {"cfloat", once("#include <float.h>\n")},
      {"stddef.h", once(kStddefHeader)},
      {"cstddef", once("#include <stddef.h>\n")},
      {"assert.h", once(kAssertHeader)},
      {"cassert", once("#include <assert.h>\n")},
      {"math.h", once(std::string(kMathHeader) + kMathNumbersHeader + kMathStdHeader)},
      {"cmath", once("#include <math.h>\n")},
      {"stdio.h", once("")},
      {"cstdio", once("")},
      {"stdlib.h", once("")},
      {"cstdlib", once("")},
      {"string.h", once("")},
      {"cstring", once("")},
      {"new", once("")},
      {"cuda_runtime.h", once("#include <math.h>\n")},
      {"cuda_runtime_api.h", once("")},
      {"device_launch_parameters.h", once("")},
  };
  for (const std::string name : kFromLibcuxx)
    list.push_back({name, once("#include <cuda/std/" + name + ">\nnamespace std {\nusing namespace cuda::std;\n}\n" +
                               (name == "complex" ? complex_in_std() : ""))});
  return list;
}

}  // namespace

const std::vector<SourceHeader>& builtin_headers() {
  static const auto& list = *new std::vector<SourceHeader>(make_builtin_headers());
  return list;
}

std::string translation_unit(const CompileRequest& request) {
  std::string name;
  for (char c : request.name.empty() ? std::string("kernel.cu") : request.name) {
    if (c == '"' || c == '\\') name += '\\';
    name += c == '\n' ? ' ' : c;
  }
  std::string unit = kPrelude;
  unit += "#line 1 \"" + name + "\"\n" + request.source + "\n";
  if (!request.trailer.empty()) unit += "#line 1 \"tenon\"\n" + request.trailer + "\n";
  return unit;
}

bool fits_minimal(const CompileRequest& request) {
  auto plain = [](std::string_view text) {
    for (const char* word : {"cuda", "tex", "surf", "#include", "# include", "<<<"})
      if (text.find(word) != std::string_view::npos) return false;
    return true;
  };
  if (!plain(request.source) || !plain(request.trailer)) return false;
  for (const SourceHeader& header : request.headers)
    if (!plain(header.text)) return false;
  return true;
}

std::string first_error(const std::string& log) {
  for (size_t begin = 0; begin < log.size();) {
    size_t end = std::min(log.find('\n', begin), log.size());
    std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    if (line.find("error") != std::string::npos) return line;
  }
  return {};
}

int architecture_number(const std::string& architecture) {
  const size_t at = architecture.rfind("sm_", 0) == 0        ? 3
                    : architecture.rfind("compute_", 0) == 0 ? 8
                                                             : std::string::npos;
  size_t end = at;
  if (at != std::string::npos)
    while (end < architecture.size() && isdigit(static_cast<unsigned char>(architecture[end]))) ++end;
  const bool right =
      at != std::string::npos && end - at >= 2 && end - at <= 3 &&
      (end == architecture.size() || (end + 1 == architecture.size() && strchr("af", architecture[end])));
  TENON_REQUIRE(right, TENON_ERROR_INVALID_ARGUMENT,
                "\"%s\" is not an architecture; it must look like sm_90 or compute_90a", architecture.c_str());
  return std::stoi(architecture.substr(at, end - at));
}

}  // namespace tenon::cuda
