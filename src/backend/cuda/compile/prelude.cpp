// backend/cuda/compile/prelude.cpp: the text around the user's for NVRTC: Tenon's macros, line numbers, small headers.
#include <ctype.h>
#include <cstring>
#include "backend/cuda/compile/compile.hpp"

namespace tenon::cuda {
namespace {

// One macro for both devices (see kernel.h for the CPU): here it is the usual grid-stride loop.
constexpr const char* kPrelude =
    "#define TENON_CUDA_KERNEL 1\n"
    "#define TENON_GRID_STRIDE(i, n) "
    "for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, tenon_stride_##i = (long long)gridDim.x * blockDim.x; "
    "i < (long long)(n); i += tenon_stride_##i)\n";

// Types and macros are identical to those of CCCL's <cuda/std/cstdint>, so that both can be included in any order.
constexpr const char* kStdint = R"(#pragma once
#ifndef _CUDA_STD_CSTDINT
#include <limits.h>
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int8_t int_fast8_t;
typedef int16_t int_fast16_t;
typedef int32_t int_fast32_t;
typedef int64_t int_fast64_t;
typedef uint8_t uint_fast8_t;
typedef uint16_t uint_fast16_t;
typedef uint32_t uint_fast32_t;
typedef uint64_t uint_fast64_t;
typedef int8_t int_least8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#define INT8_MIN SCHAR_MIN
#define INT16_MIN SHRT_MIN
#define INT32_MIN INT_MIN
#define INT64_MIN LLONG_MIN
#define INT8_MAX SCHAR_MAX
#define INT16_MAX SHRT_MAX
#define INT32_MAX INT_MAX
#define INT64_MAX LLONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define PTRDIFF_MAX INT64_MAX
#define SIZE_MAX UINT64_MAX
#define INT8_C(X) ((::int_least8_t)(X))
#define INT16_C(X) ((::int_least16_t)(X))
#define INT32_C(X) ((::int_least32_t)(X))
#define INT64_C(X) ((::int_least64_t)(X))
#define UINT8_C(X) ((::uint_least8_t)(X))
#define UINT16_C(X) ((::uint_least16_t)(X))
#define UINT32_C(X) ((::uint_least32_t)(X))
#define UINT64_C(X) ((::uint_least64_t)(X))
#define INTMAX_C(X) ((::intmax_t)(X))
#define UINTMAX_C(X) ((::uintmax_t)(X))
#endif
)";

constexpr const char* kLimits = R"(#pragma once
#ifndef _CUDA_STD_CLIMITS
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX 0x7fff
#define USHRT_MAX 0xffff
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 0x7fffffff
#define UINT_MAX 0xffffffff
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX LLONG_MAX
#define ULONG_MAX ULLONG_MAX
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffUL
#endif
)";

constexpr const char* kFloat = R"(#pragma once
#ifndef FLT_RADIX
#define FLT_RADIX 2
#endif
#ifndef FLT_MANT_DIG
#define FLT_MANT_DIG 24
#endif
#ifndef FLT_DIG
#define FLT_DIG 6
#endif
#ifndef FLT_MIN_EXP
#define FLT_MIN_EXP (-125)
#endif
#ifndef FLT_MAX_EXP
#define FLT_MAX_EXP 128
#endif
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#endif
#ifndef FLT_MIN
#define FLT_MIN 1.175494351e-38f
#endif
#ifndef FLT_EPSILON
#define FLT_EPSILON 1.1920928955e-07f
#endif
#ifndef DBL_MANT_DIG
#define DBL_MANT_DIG 53
#endif
#ifndef DBL_DIG
#define DBL_DIG 15
#endif
#ifndef DBL_MIN_EXP
#define DBL_MIN_EXP (-1021)
#endif
#ifndef DBL_MAX_EXP
#define DBL_MAX_EXP 1024
#endif
#ifndef DBL_MAX
#define DBL_MAX 1.7976931348623157e+308
#endif
#ifndef DBL_MIN
#define DBL_MIN 2.2250738585072014e-308
#endif
#ifndef DBL_EPSILON
#define DBL_EPSILON 2.2204460492503131e-16
#endif
)";

// The names of <stdint.h> in namespace std, like <cstdint>.
constexpr const char* kCstdint = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr const char* kStddef = R"(#pragma once
typedef decltype(nullptr) tenon_nullptr_t;
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
typedef long ptrdiff_t;
)";

constexpr const char* kAssert = R"(#pragma once
#ifndef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern "C" __device__ void __assertfail(const void* message, const void* file, unsigned int line, const void* function, size_t size);
#define assert(condition) \
  ((condition) ? (void)0 : __assertfail((const void*)#condition, (const void*)__FILE__, __LINE__, (const void*)__func__, 1))
#endif
#endif
)";

// The macros of <math.h>; its functions are built into NVRTC.
constexpr const char* kMath = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef HUGE_VALF
#define HUGE_VALF __int_as_float(0x7f800000)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)
#endif
#ifndef M_E
#define M_E 2.7182818284590452354
#endif
#ifndef M_LOG2E
#define M_LOG2E 1.4426950408889634074
#endif
#ifndef M_LOG10E
#define M_LOG10E 0.43429448190325182765
#endif
#ifndef M_LN2
#define M_LN2 0.69314718055994530942
#endif
#ifndef M_LN10
#define M_LN10 2.30258509299404568402
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef M_PI_2
#define M_PI_2 1.57079632679489661923
#endif
#ifndef M_PI_4
#define M_PI_4 0.78539816339744830962
#endif
#ifndef M_1_PI
#define M_1_PI 0.31830988618379067154
#endif
#ifndef M_2_PI
#define M_2_PI 0.63661977236758134308
#endif
#ifndef M_2_SQRTPI
#define M_2_SQRTPI 1.12837916709551257390
#endif
#ifndef M_SQRT2
#define M_SQRT2 1.41421356237309504880
#endif
#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif
)";

// Everything that these headers declare is built into NVRTC.
constexpr const char* kNothing = "#pragma once\n";

}  // namespace

const std::vector<SourceHeader>& builtin_headers() {
  static const auto& list = *new std::vector<SourceHeader>{
      {"stdint.h", kStdint},
      {"cstdint", kCstdint},
      {"inttypes.h", "#pragma once\n#include <stdint.h>\n"},
      {"limits.h", kLimits},
      {"climits", "#pragma once\n#include <limits.h>\n"},
      {"float.h", kFloat},
      {"cfloat", "#pragma once\n#include <float.h>\n"},
      {"stddef.h", kStddef},
      {"cstddef", "#pragma once\n#include <stddef.h>\n"},
      {"assert.h", kAssert},
      {"cassert", "#pragma once\n#include <assert.h>\n"},
      {"math.h", kMath},
      {"cmath", "#pragma once\n#include <math.h>\n"},
      {"stdio.h", kNothing},
      {"cstdio", kNothing},
      {"stdlib.h", kNothing},
      {"cstdlib", kNothing},
      {"string.h", kNothing},
      {"cstring", kNothing},
      {"new", kNothing},
      {"cuda_runtime.h", "#pragma once\n#include <math.h>\n"},
      {"cuda_runtime_api.h", kNothing},
      {"device_launch_parameters.h", kNothing},
  };
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
