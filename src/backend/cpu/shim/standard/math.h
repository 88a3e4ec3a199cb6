// shim/standard/math.h: the macros of <math.h>, and its functions in namespace std; they are always available in the
// global one.
#ifndef TENON_MATH_MACROS
#define TENON_MATH_MACROS
#ifndef INFINITY
#define INFINITY __builtin_inff()
#endif
#ifndef NAN
#define NAN __builtin_nanf("")
#endif
#ifndef HUGE_VALF
#define HUGE_VALF __builtin_inff()
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __builtin_inf()
#endif
#include "device/math_numbers.h"
#if !TENON_CCCL  // there they are libcu++'s
#include "device/math_std.h"
#endif
#endif
