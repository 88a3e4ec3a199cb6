// <math.h> for NVRTC: its macros; its functions are built in.
#pragma once
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
// NVRTC's own functions are ambiguous for integers and for two types; where one fits, it goes before these templates.
template <class T> struct tenon_std_double {};
#define TENON_DOUBLE_OF(T)                 \
  template <> struct tenon_std_double<T> { \
    typedef double type;                   \
  };
TENON_DOUBLE_OF(signed char)
TENON_DOUBLE_OF(char)
TENON_DOUBLE_OF(short)
TENON_DOUBLE_OF(int)
TENON_DOUBLE_OF(long)
TENON_DOUBLE_OF(long long)
TENON_DOUBLE_OF(unsigned char)
TENON_DOUBLE_OF(unsigned short)
TENON_DOUBLE_OF(unsigned int)
TENON_DOUBLE_OF(unsigned long)
TENON_DOUBLE_OF(unsigned long long)
TENON_DOUBLE_OF(float)
TENON_DOUBLE_OF(double)
#undef TENON_DOUBLE_OF
#define TENON_DOUBLE(T) typename tenon_std_double<T>::type
#define TENON_STD_MATH(name) \
  using ::name;              \
  template <class T> __device__ inline decltype(::name(TENON_DOUBLE(T)())) name(T x) { return ::name(double(x)); }
#define TENON_STD_MATH_OF_TWO(name)                                                                              \
  using ::name;                                                                                                  \
  template <class T, class U> __device__ inline decltype(TENON_DOUBLE(T)() + TENON_DOUBLE(U)()) name(T x, U y) { \
    return ::name(double(x), double(y));                                                                         \
  }
