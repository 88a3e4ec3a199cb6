// device/math_std.h: the functions of <cmath> in namespace std, for kernels on every device; nvcc has them in every
// text.
#ifndef TENON_MATH_STD
#define TENON_MATH_STD
#ifndef TENON_STD_MATH  // a compiler that needs overloads of its own defines the two
#define TENON_STD_MATH(name) using ::name;
#define TENON_STD_MATH_OF_TWO(name) using ::name;
#endif
namespace std {
TENON_STD_MATH(acos)
TENON_STD_MATH(acosh)
TENON_STD_MATH(asin)
TENON_STD_MATH(asinh)
TENON_STD_MATH(atan)
TENON_STD_MATH(atanh)
TENON_STD_MATH(cbrt)
TENON_STD_MATH(ceil)
TENON_STD_MATH(cos)
TENON_STD_MATH(cosh)
TENON_STD_MATH(erf)
TENON_STD_MATH(erfc)
TENON_STD_MATH(exp)
TENON_STD_MATH(exp2)
TENON_STD_MATH(expm1)
TENON_STD_MATH(fabs)
TENON_STD_MATH(floor)
TENON_STD_MATH(ilogb)
TENON_STD_MATH(isfinite)
TENON_STD_MATH(isinf)
TENON_STD_MATH(isnan)
TENON_STD_MATH(lgamma)
TENON_STD_MATH(llrint)
TENON_STD_MATH(llround)
TENON_STD_MATH(log)
TENON_STD_MATH(log10)
TENON_STD_MATH(log1p)
TENON_STD_MATH(log2)
TENON_STD_MATH(logb)
TENON_STD_MATH(lrint)
TENON_STD_MATH(lround)
TENON_STD_MATH(nearbyint)
TENON_STD_MATH(rint)
TENON_STD_MATH(round)
TENON_STD_MATH(signbit)
TENON_STD_MATH(sin)
TENON_STD_MATH(sinh)
TENON_STD_MATH(sqrt)
TENON_STD_MATH(tan)
TENON_STD_MATH(tanh)
TENON_STD_MATH(tgamma)
TENON_STD_MATH(trunc)
TENON_STD_MATH_OF_TWO(atan2)
TENON_STD_MATH_OF_TWO(copysign)
TENON_STD_MATH_OF_TWO(fdim)
TENON_STD_MATH_OF_TWO(fmax)
TENON_STD_MATH_OF_TWO(fmin)
TENON_STD_MATH_OF_TWO(fmod)
TENON_STD_MATH_OF_TWO(hypot)
TENON_STD_MATH_OF_TWO(nextafter)
TENON_STD_MATH_OF_TWO(pow)
TENON_STD_MATH_OF_TWO(remainder)
using ::abs;
using ::fma;
using ::frexp;
using ::ldexp;
using ::llabs;
using ::modf;
using ::remquo;
using ::scalbln;
using ::scalbn;
}  // namespace std
#undef TENON_STD_MATH
#undef TENON_STD_MATH_OF_TWO
#endif
