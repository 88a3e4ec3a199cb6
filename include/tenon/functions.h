/* tenon/functions.h: the codes of the functions that compute.h applies to arrays.
 * Derived from src/functions/table.py (abi/README.md).
 *
 * The letters in brackets list the kinds of dtypes that a function is computed in: b bool, i signed and u unsigned
 * integers, f floating point, c complex. If only f or c is listed, integers and bool are converted to float64. Unless
 * a comment says otherwise, the result has the operands' dtype; comparisons and tests give bool, and the parts of
 * complex numbers have the corresponding real dtype.
 *
 * "On the CPU within 1 ulp" bounds the error of the CPU device in units in the last place of the exact result; float16
 * and bfloat16 are computed in float32 and rounded once. There the result for an element depends only on the operands:
 * not on the processor, the number of threads, or the element's position.
 */
#ifndef TENON_FUNCTIONS_H
#define TENON_FUNCTIONS_H

#include <tenon/abi.h>

/* One operand: tenon_unary. */
#define TENON_FN_POSITIVE 1 /* [biufc] x itself. */
#define TENON_FN_NEGATIVE 2 /* [iufc] -x; for integers modulo 2^bits. */
#define TENON_FN_ABS 3 /* [biufc] The absolute value; the smallest signed integer stays as it is. */
#define TENON_FN_SIGN 4 /* [iufc] -1, 0 or 1; for complex numbers x / |x|; NaN for NaN. */
#define TENON_FN_SQUARE 5 /* [iufc] x * x. */
#define TENON_FN_RECIPROCAL 6 /* [fc] 1 / x. */
#define TENON_FN_SQRT 7 /* [fc] The square root; NaN for negative real numbers. */
#define TENON_FN_CBRT 8 /* [f] The cube root. On the CPU within 0.51 ulp in float32, 0.55 in float64. */
#define TENON_FN_RSQRT 9 /* [f] 1 / sqrt(x). */
#define TENON_FN_EXP 10 /* [fc] e to the power x. On the CPU within 1 ulp in float32, 0.85 in float64. */
#define TENON_FN_EXP2 11 /* [fc] 2 to the power x. On the CPU within 0.9 ulp in float32, 0.8 in float64. */
#define TENON_FN_EXPM1 12 /* [fc] exp(x) - 1, accurate near 0. On the CPU within 0.51 ulp in float32, 1.2 in float64. */
#define TENON_FN_LOG 13 /* [fc] The natural logarithm. On the CPU within 0.85 ulp in float32, 0.85 in float64. */
#define TENON_FN_LOG2 14 /* [fc] The logarithm to base 2. On the CPU within 1.2 ulp in float32, 0.7 in float64. */
#define TENON_FN_LOG10 15 /* [fc] The logarithm to base 10. On the CPU within 1.4 ulp in float32, 0.7 in float64. */
#define TENON_FN_LOG1P 16 /* [fc] log(1 + x), accurate near 0. On the CPU within 0.51 ulp in float32, 2 in float64. */
#define TENON_FN_SIN 17 /* [fc] The sine. On the CPU within 1.7 ulp in float32, 0.85 in float64. */
#define TENON_FN_COS 18 /* [fc] The cosine. On the CPU within 1.7 ulp in float32, 0.85 in float64. */
#define TENON_FN_TAN 19 /* [fc] The tangent. On the CPU within 3.9 ulp in float32, 1.1 in float64. */
#define TENON_FN_ASIN 20 /* [fc] The inverse sine. On the CPU within 0.51 ulp in float32, 2.5 in float64. */
#define TENON_FN_ACOS 21 /* [fc] The inverse cosine. On the CPU within 0.51 ulp in float32, 3 in float64. */
#define TENON_FN_ATAN 22 /* [fc] The inverse tangent. On the CPU within 0.51 ulp in float32, 1.8 in float64. */
#define TENON_FN_SINH 23 /* [fc] The hyperbolic sine. On the CPU within 0.51 ulp in float32, 2.5 in float64. */
#define TENON_FN_COSH 24 /* [fc] The hyperbolic cosine. On the CPU within 0.51 ulp in float32, 1.5 in float64. */
#define TENON_FN_TANH 25 /* [fc] The hyperbolic tangent. On the CPU within 1.4 ulp in float32, 0.9 in float64. */
#define TENON_FN_ASINH 26 /* [fc] The inverse hyperbolic sine. On the CPU within 0.51 ulp in float32, 3 in float64. */
#define TENON_FN_ACOSH 27 /* [fc] The inverse hyperbolic cosine. On the CPU within 0.51 ulp in float32, 3 in float64. */
#define TENON_FN_ATANH 28 /* [fc] The inverse hyperbolic tangent. On the CPU within 0.51 ulp in float32, 2.5 in
                             float64. */
#define TENON_FN_FLOOR 29 /* [biuf] The largest integer that is not above x, in x's dtype. */
#define TENON_FN_CEIL 30 /* [biuf] The smallest integer that is not below x, in x's dtype. */
#define TENON_FN_TRUNC 31 /* [biuf] The integer part of x, in x's dtype. */
#define TENON_FN_ROUND 32 /* [iufc] The nearest integer, halves to the even one, in x's dtype. */
#define TENON_FN_ISNAN 33 /* [biufc] Whether x is NaN. */
#define TENON_FN_ISINF 34 /* [biufc] Whether x is infinite. */
#define TENON_FN_ISFINITE 35 /* [biufc] Whether x is neither infinite nor NaN. */
#define TENON_FN_SIGNBIT 36 /* [iuf] Whether the sign of x is set, also of -0.0. */
#define TENON_FN_LOGICAL_NOT 37 /* [biufc] Whether x is 0. */
#define TENON_FN_BITWISE_INVERT 38 /* [biu] Every bit inverted; for bool: not. */
#define TENON_FN_CONJ 39 /* [iufc] The complex conjugate. */
#define TENON_FN_REAL 40 /* [biufc] The real part. */
#define TENON_FN_IMAG 41 /* [biufc] The imaginary part; 0 for real numbers. */
#define TENON_FN_ANGLE 42 /* [fc] The angle of a complex number, from -pi to pi; for a real one 0 or pi. */
#define TENON_FN_DEG2RAD 43 /* [f] Converts degrees to radians. */
#define TENON_FN_RAD2DEG 44 /* [f] Converts radians to degrees. */
#define TENON_FN_SINC 45 /* [f] sin(pi x) / (pi x); 1 at 0. */
#define TENON_FN_ERF 46 /* [f] The error function. On the CPU within 0.51 ulp in float32, 1.5 in float64. */
#define TENON_FN_ERFC 47 /* [f] 1 - erf(x), accurate for large x. On the CPU within 0.51 ulp in float32, 5 in
                            float64. */
#define TENON_FN_GAMMA 48 /* [f] The gamma function. */
#define TENON_FN_LGAMMA 49 /* [f] The logarithm of the absolute value of the gamma function. */
#define TENON_FN_DIGAMMA 50 /* [f] The derivative of lgamma; NaN at negative integers, -infinity at 0. */
#define TENON_FN_EXPIT 51 /* [f] The logistic function 1 / (1 + exp(-x)). On the CPU within 2.5 ulp in float32, 2.5
                             in float64. */
#define TENON_FN_LOGIT 52 /* [f] log(x / (1 - x)). */
#define TENON_FN_J0 53 /* [f] The Bessel function of the first kind of order 0. */
#define TENON_FN_J1 54 /* [f] The Bessel function of the first kind of order 1. */
#define TENON_FN_Y0 55 /* [f] The Bessel function of the second kind of order 0. */
#define TENON_FN_Y1 56 /* [f] The Bessel function of the second kind of order 1. */
#define TENON_FN_BITWISE_COUNT 57 /* [biu] The number of bits set in |x|. */
#define TENON_FN_ENTR 59 /* [f] -x log(x), the summand of an entropy; 0 at 0, -infinity below. Since level 1.1. */
#define TENON_FN_ERFINV 60 /* [f] The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p
                              - 1) is the normal quantile. Since level 1.1. */
#define TENON_FN_I0 61 /* [f] The modified Bessel function of the first kind of order 0. Since level 1.1. */

/* Two operands: tenon_binary. */
#define TENON_FN_ADD 101 /* [biufc] x1 + x2; for bool: or. */
#define TENON_FN_SUBTRACT 102 /* [iufc] x1 - x2. */
#define TENON_FN_MULTIPLY 103 /* [biufc] x1 * x2; for bool: and. */
#define TENON_FN_DIVIDE 104 /* [fc] x1 / x2; for integers in float64. */
#define TENON_FN_FLOOR_DIVIDE 105 /* [iuf] The largest integer that is not above x1 / x2; for integers 0 where x2 is
                                     0. */
#define TENON_FN_REMAINDER 106 /* [iuf] x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0. */
#define TENON_FN_FMOD 107 /* [iuf] C's remainder, with x1's sign; for integers 0 where x2 is 0. */
#define TENON_FN_POW 108 /* [iufc] x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1
                            give the exact result and all other integers 0. On the CPU within 1 ulp in float32, 0.8
                            in float64. */
#define TENON_FN_MAXIMUM 109 /* [biufc] The larger one; NaN if either is NaN. Complex numbers are ordered by their
                                real, then their imaginary parts. */
#define TENON_FN_MINIMUM 110 /* [biufc] The smaller one; NaN if either is NaN. Complex numbers are ordered as by
                                maximum. */
#define TENON_FN_FMAX 111 /* [biufc] The larger one, as by maximum; if only one is NaN, the other. */
#define TENON_FN_FMIN 112 /* [biufc] The smaller one, as by minimum; if only one is NaN, the other. */
#define TENON_FN_EQUAL 113 /* [biufc] x1 == x2. */
#define TENON_FN_NOT_EQUAL 114 /* [biufc] x1 != x2. */
#define TENON_FN_LESS 115 /* [biuf] x1 < x2. */
#define TENON_FN_LESS_EQUAL 116 /* [biuf] x1 <= x2. */
#define TENON_FN_GREATER 117 /* [biuf] x1 > x2. */
#define TENON_FN_GREATER_EQUAL 118 /* [biuf] x1 >= x2. */
#define TENON_FN_LOGICAL_AND 119 /* [biufc] Whether both are nonzero. */
#define TENON_FN_LOGICAL_OR 120 /* [biufc] Whether at least one is nonzero. */
#define TENON_FN_LOGICAL_XOR 121 /* [biufc] Whether exactly one is nonzero. */
#define TENON_FN_BITWISE_AND 122 /* [biu] The bits set in both. */
#define TENON_FN_BITWISE_OR 123 /* [biu] The bits set in at least one. */
#define TENON_FN_BITWISE_XOR 124 /* [biu] The bits set in exactly one. */
#define TENON_FN_BITWISE_LEFT_SHIFT 125 /* [iu] x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the
                                           number of bits. */
#define TENON_FN_BITWISE_RIGHT_SHIFT 126 /* [iu] x1 / 2^x2 rounded down; where x2 is negative or at least the number
                                            of bits, 0, or -1 for a negative x1. */
#define TENON_FN_ATAN2 127 /* [f] The angle of the point (x2, x1), from -pi to pi. On the CPU within 0.51 ulp in
                              float32, 2.5 in float64. */
#define TENON_FN_HYPOT 128 /* [f] sqrt(x1^2 + x2^2) without intermediate overflow. On the CPU within 0.51 ulp in
                              float32, 1 in float64. */
#define TENON_FN_COPYSIGN 129 /* [f] x1 with x2's sign. */
#define TENON_FN_NEXTAFTER 130 /* [f] The next number of the dtype after x1 towards x2. */
#define TENON_FN_LOGADDEXP 131 /* [f] log(exp(x1) + exp(x2)) without intermediate overflow. */
#define TENON_FN_LOGADDEXP2 132 /* [f] log2(2^x1 + 2^x2) without intermediate overflow. */
#define TENON_FN_HEAVISIDE 133 /* [f] 0 below 0, x2 at 0, 1 above. */
#define TENON_FN_GCD 134 /* [iu] The greatest common divisor, not negative. */
#define TENON_FN_LCM 135 /* [iu] The lowest common multiple, not negative, modulo 2^bits. */
#define TENON_FN_XLOGY 136 /* [f] x1 * log(x2); 0 where x1 is 0. */
#define TENON_FN_REL_ENTR 140 /* [f] x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is
                                 not negative, infinity where one of the two is otherwise not positive. Since level
                                 1.1. */
#define TENON_FN_ZETA 141 /* [f] Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is
                             Riemann's. NaN for x1 below 1, infinity where x1 is 1 or x2 is 0 or a negative integer;
                             negative x2 otherwise need a whole x1, else NaN. Since level 1.1. */

/* tenon_reduce. */
#define TENON_FN_SUM 301 /* [iufc] The sum. For integers in 64 bits, signed or unsigned; for bool the number of true
                            elements. Floating-point numbers are added in blocks and trees: the error grows with the
                            logarithm of the count, and the same shape and strides give the same bits. */
#define TENON_FN_PROD 302 /* [iufc] The product; dtypes as for sum. */
#define TENON_FN_MAX 303 /* [biufc] The largest element, as by maximum; NaN if there is one. There must be at least
                            one element. */
#define TENON_FN_MIN 304 /* [biufc] The smallest element, as by minimum; NaN if there is one. There must be at least
                            one element. */
#define TENON_FN_ALL 305 /* [b] Whether all elements are nonzero. */
#define TENON_FN_ANY 306 /* [b] Whether any element is nonzero. */
#define TENON_FN_COUNT_NONZERO 307 /* [b] The number of nonzero elements. */
#define TENON_FN_ARGMAX 308 /* [biufc] The index, in C order of the reduced axes, of the first largest element, or of
                               the first NaN. There must be at least one element. */
#define TENON_FN_ARGMIN 309 /* [biufc] The index, in C order of the reduced axes, of the first smallest element, or
                               of the first NaN. There must be at least one element. */
#define TENON_FN_MEAN 310 /* [fc] The mean; for integers in float64; NaN for no elements. */
#define TENON_FN_VAR 311 /* [fc] The variance: the mean of |x - mean|^2; correction is subtracted from the count. */
#define TENON_FN_STD 312 /* [fc] The standard deviation: the square root of the variance. */
#define TENON_FN_NORM 313 /* [fc] The Euclidean norm: the square root of the sum of |x|^2, which is computed in
                             float64 for float32. */
#define TENON_FN_LOGSUMEXP 314 /* [f] log(sum(exp(x))) without intermediate overflow; -infinity for no elements. */

/* tenon_accumulate. */
#define TENON_FN_CUMULATIVE_SUM 401 /* [iufc] The running sum along an axis; dtypes as for sum. */
#define TENON_FN_CUMULATIVE_PROD 402 /* [iufc] The running product along an axis; dtypes as for prod. */
#define TENON_FN_CUMULATIVE_MAX 403 /* [biufc] The running maximum along an axis; NaN from the first one on. */
#define TENON_FN_CUMULATIVE_MIN 404 /* [biufc] The running minimum along an axis; NaN from the first one on. */
#define TENON_FN_CUMULATIVE_LOGSUMEXP 405 /* [f] The running logsumexp along an axis. */

#endif
