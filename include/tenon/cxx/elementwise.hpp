// tenon/cxx/elementwise.hpp: the functions of functions.h on expressions, arrays and numbers (expressions.hpp).
// Derived from src/functions/table.py (abi/README.md).
#ifndef TENON_CXX_ELEMENTWISE_HPP
#define TENON_CXX_ELEMENTWISE_HPP

#include <tenon/cxx/expressions.hpp>

namespace tenon {
inline namespace TENON_CXX_MODE {

// x itself.
template <class X, class = detail::if_lazy<X>> expression positive(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::positive, expression(x));
}
// -x; for integers modulo 2^bits.
template <class X, class = detail::if_lazy<X>> expression negative(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::negative, expression(x));
}
// The absolute value; the smallest signed integer stays as it is.
template <class X, class = detail::if_lazy<X>> expression abs(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::abs, expression(x));
}
// -1, 0 or 1; for complex numbers x / |x|; NaN for NaN.
template <class X, class = detail::if_lazy<X>> expression sign(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::sign, expression(x));
}
// x * x.
template <class X, class = detail::if_lazy<X>> expression square(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::square, expression(x));
}
// 1 / x.
template <class X, class = detail::if_lazy<X>> expression reciprocal(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::reciprocal, expression(x));
}
// The square root; NaN for negative real numbers.
template <class X, class = detail::if_lazy<X>> expression sqrt(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::sqrt, expression(x));
}
// The cube root. On the CPU within 0.51 ulp in float32, 0.55 in float64.
template <class X, class = detail::if_lazy<X>> expression cbrt(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::cbrt, expression(x));
}
// 1 / sqrt(x).
template <class X, class = detail::if_lazy<X>> expression rsqrt(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::rsqrt, expression(x));
}
// e to the power x. On the CPU within 1 ulp in float32, 0.85 in float64.
template <class X, class = detail::if_lazy<X>> expression exp(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::exp, expression(x));
}
// 2 to the power x. On the CPU within 0.9 ulp in float32, 0.8 in float64.
template <class X, class = detail::if_lazy<X>> expression exp2(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::exp2, expression(x));
}
// exp(x) - 1, accurate near 0. On the CPU within 0.51 ulp in float32, 1.2 in float64.
template <class X, class = detail::if_lazy<X>> expression expm1(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::expm1, expression(x));
}
// The natural logarithm. On the CPU within 0.85 ulp in float32, 0.85 in float64.
template <class X, class = detail::if_lazy<X>> expression log(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::log, expression(x));
}
// The logarithm to base 2. On the CPU within 1.2 ulp in float32, 0.7 in float64.
template <class X, class = detail::if_lazy<X>> expression log2(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::log2, expression(x));
}
// The logarithm to base 10. On the CPU within 1.4 ulp in float32, 0.7 in float64.
template <class X, class = detail::if_lazy<X>> expression log10(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::log10, expression(x));
}
// log(1 + x), accurate near 0. On the CPU within 0.51 ulp in float32, 2 in float64.
template <class X, class = detail::if_lazy<X>> expression log1p(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::log1p, expression(x));
}
// The sine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
template <class X, class = detail::if_lazy<X>> expression sin(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::sin, expression(x));
}
// The cosine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
template <class X, class = detail::if_lazy<X>> expression cos(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::cos, expression(x));
}
// The tangent. On the CPU within 3.9 ulp in float32, 1.1 in float64.
template <class X, class = detail::if_lazy<X>> expression tan(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::tan, expression(x));
}
// The inverse sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
template <class X, class = detail::if_lazy<X>> expression asin(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::asin, expression(x));
}
// The inverse cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
template <class X, class = detail::if_lazy<X>> expression acos(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::acos, expression(x));
}
// The inverse tangent. On the CPU within 0.51 ulp in float32, 1.8 in float64.
template <class X, class = detail::if_lazy<X>> expression atan(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::atan, expression(x));
}
// The hyperbolic sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
template <class X, class = detail::if_lazy<X>> expression sinh(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::sinh, expression(x));
}
// The hyperbolic cosine. On the CPU within 0.51 ulp in float32, 1.5 in float64.
template <class X, class = detail::if_lazy<X>> expression cosh(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::cosh, expression(x));
}
// The hyperbolic tangent. On the CPU within 1.4 ulp in float32, 0.9 in float64.
template <class X, class = detail::if_lazy<X>> expression tanh(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::tanh, expression(x));
}
// The inverse hyperbolic sine. On the CPU within 0.51 ulp in float32, 3 in float64.
template <class X, class = detail::if_lazy<X>> expression asinh(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::asinh, expression(x));
}
// The inverse hyperbolic cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
template <class X, class = detail::if_lazy<X>> expression acosh(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::acosh, expression(x));
}
// The inverse hyperbolic tangent. On the CPU within 0.51 ulp in float32, 2.5 in float64.
template <class X, class = detail::if_lazy<X>> expression atanh(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::atanh, expression(x));
}
// The largest integer that is not above x, in x's dtype.
template <class X, class = detail::if_lazy<X>> expression floor(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::floor, expression(x));
}
// The smallest integer that is not below x, in x's dtype.
template <class X, class = detail::if_lazy<X>> expression ceil(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::ceil, expression(x));
}
// The integer part of x, in x's dtype.
template <class X, class = detail::if_lazy<X>> expression trunc(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::trunc, expression(x));
}
// The nearest integer, halves to the even one, in x's dtype.
template <class X, class = detail::if_lazy<X>> expression round(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::round, expression(x));
}
// Whether x is NaN.
template <class X, class = detail::if_lazy<X>> expression isnan(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::isnan, expression(x));
}
// Whether x is infinite.
template <class X, class = detail::if_lazy<X>> expression isinf(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::isinf, expression(x));
}
// Whether x is neither infinite nor NaN.
template <class X, class = detail::if_lazy<X>> expression isfinite(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::isfinite, expression(x));
}
// Whether the sign of x is set, also of -0.0.
template <class X, class = detail::if_lazy<X>> expression signbit(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::signbit, expression(x));
}
// Whether x is 0.
template <class X, class = detail::if_lazy<X>> expression logical_not(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::logical_not, expression(x));
}
// Every bit inverted; for bool: not.
template <class X, class = detail::if_lazy<X>> expression bitwise_invert(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::bitwise_invert, expression(x));
}
// The complex conjugate.
template <class X, class = detail::if_lazy<X>> expression conj(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::conj, expression(x));
}
// The real part.
template <class X, class = detail::if_lazy<X>> expression real(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::real, expression(x));
}
// The imaginary part; 0 for real numbers.
template <class X, class = detail::if_lazy<X>> expression imag(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::imag, expression(x));
}
// The angle of a complex number, from -pi to pi; for a real one 0 or pi.
template <class X, class = detail::if_lazy<X>> expression angle(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::angle, expression(x));
}
// Converts degrees to radians.
template <class X, class = detail::if_lazy<X>> expression deg2rad(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::deg2rad, expression(x));
}
// Converts radians to degrees.
template <class X, class = detail::if_lazy<X>> expression rad2deg(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::rad2deg, expression(x));
}
// sin(pi x) / (pi x); 1 at 0.
template <class X, class = detail::if_lazy<X>> expression sinc(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::sinc, expression(x));
}
// The error function. On the CPU within 0.51 ulp in float32, 1.5 in float64.
template <class X, class = detail::if_lazy<X>> expression erf(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::erf, expression(x));
}
// 1 - erf(x), accurate for large x. On the CPU within 0.51 ulp in float32, 5 in float64.
template <class X, class = detail::if_lazy<X>> expression erfc(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::erfc, expression(x));
}
// The gamma function.
template <class X, class = detail::if_lazy<X>> expression gamma(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::gamma, expression(x));
}
// The logarithm of the absolute value of the gamma function.
template <class X, class = detail::if_lazy<X>> expression lgamma(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::lgamma, expression(x));
}
// The derivative of lgamma; NaN at negative integers, -infinity at 0.
template <class X, class = detail::if_lazy<X>> expression digamma(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::digamma, expression(x));
}
// The logistic function 1 / (1 + exp(-x)). On the CPU within 2.5 ulp in float32, 2.5 in float64.
template <class X, class = detail::if_lazy<X>> expression expit(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::expit, expression(x));
}
// log(x / (1 - x)).
template <class X, class = detail::if_lazy<X>> expression logit(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::logit, expression(x));
}
// The Bessel function of the first kind of order 0.
template <class X, class = detail::if_lazy<X>> expression j0(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::j0, expression(x));
}
// The Bessel function of the first kind of order 1.
template <class X, class = detail::if_lazy<X>> expression j1(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::j1, expression(x));
}
// The Bessel function of the second kind of order 0.
template <class X, class = detail::if_lazy<X>> expression y0(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::y0, expression(x));
}
// The Bessel function of the second kind of order 1.
template <class X, class = detail::if_lazy<X>> expression y1(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::y1, expression(x));
}
// The number of bits set in |x|.
template <class X, class = detail::if_lazy<X>> expression bitwise_count(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::bitwise_count, expression(x));
}
// -x log(x), the summand of an entropy; 0 at 0, -infinity below. Since level 1.1.
template <class X, class = detail::if_lazy<X>> expression entr(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::entr, expression(x));
}
// The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p - 1) is the normal quantile. Since
// level 1.1.
template <class X, class = detail::if_lazy<X>> expression erfinv(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::erfinv, expression(x));
}
// The modified Bessel function of the first kind of order 0. Since level 1.1.
template <class X, class = detail::if_lazy<X>> expression i0(const X& x) {
  return detail::step_of(TENON_STEP_UNARY, fn::i0, expression(x));
}
// x1 + x2; for bool: or.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression add(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::add, expression(x), expression(y));
}
// x1 - x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression subtract(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::subtract, expression(x), expression(y));
}
// x1 * x2; for bool: and.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression multiply(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::multiply, expression(x), expression(y));
}
// x1 / x2; for integers in float64.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression divide(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::divide, expression(x), expression(y));
}
// The largest integer that is not above x1 / x2; for integers 0 where x2 is 0.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression floor_divide(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::floor_divide, expression(x), expression(y));
}
// x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression remainder(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::remainder, expression(x), expression(y));
}
// C's remainder, with x1's sign; for integers 0 where x2 is 0.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression fmod(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::fmod, expression(x), expression(y));
}
// x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1 give the exact result and all other
// integers 0. On the CPU within 1 ulp in float32, 0.8 in float64.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression pow(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::pow, expression(x), expression(y));
}
// The larger one; NaN if either is NaN. Complex numbers are ordered by their real, then their imaginary parts.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression maximum(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::maximum, expression(x), expression(y));
}
// The smaller one; NaN if either is NaN. Complex numbers are ordered as by maximum.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression minimum(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::minimum, expression(x), expression(y));
}
// The larger one, as by maximum; if only one is NaN, the other.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression fmax(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::fmax, expression(x), expression(y));
}
// The smaller one, as by minimum; if only one is NaN, the other.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression fmin(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::fmin, expression(x), expression(y));
}
// x1 == x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression equal(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::equal, expression(x), expression(y));
}
// x1 != x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression not_equal(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::not_equal, expression(x), expression(y));
}
// x1 < x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression less(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::less, expression(x), expression(y));
}
// x1 <= x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression less_equal(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::less_equal, expression(x), expression(y));
}
// x1 > x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression greater(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::greater, expression(x), expression(y));
}
// x1 >= x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression greater_equal(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::greater_equal, expression(x), expression(y));
}
// Whether both are nonzero.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression logical_and(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::logical_and, expression(x), expression(y));
}
// Whether at least one is nonzero.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression logical_or(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::logical_or, expression(x), expression(y));
}
// Whether exactly one is nonzero.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression logical_xor(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::logical_xor, expression(x), expression(y));
}
// The bits set in both.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression bitwise_and(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::bitwise_and, expression(x), expression(y));
}
// The bits set in at least one.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression bitwise_or(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::bitwise_or, expression(x), expression(y));
}
// The bits set in exactly one.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression bitwise_xor(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::bitwise_xor, expression(x), expression(y));
}
// x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the number of bits.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression bitwise_left_shift(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::bitwise_left_shift, expression(x), expression(y));
}
// x1 / 2^x2 rounded down; where x2 is negative or at least the number of bits, 0, or -1 for a negative x1.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression bitwise_right_shift(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::bitwise_right_shift, expression(x), expression(y));
}
// The angle of the point (x2, x1), from -pi to pi. On the CPU within 0.51 ulp in float32, 2.5 in float64.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression atan2(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::atan2, expression(x), expression(y));
}
// sqrt(x1^2 + x2^2) without intermediate overflow. On the CPU within 0.51 ulp in float32, 1 in float64.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression hypot(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::hypot, expression(x), expression(y));
}
// x1 with x2's sign.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression copysign(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::copysign, expression(x), expression(y));
}
// The next number of the dtype after x1 towards x2.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression nextafter(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::nextafter, expression(x), expression(y));
}
// log(exp(x1) + exp(x2)) without intermediate overflow.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression logaddexp(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::logaddexp, expression(x), expression(y));
}
// log2(2^x1 + 2^x2) without intermediate overflow.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression logaddexp2(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::logaddexp2, expression(x), expression(y));
}
// 0 below 0, x2 at 0, 1 above.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression heaviside(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::heaviside, expression(x), expression(y));
}
// The greatest common divisor, not negative.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression gcd(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::gcd, expression(x), expression(y));
}
// The lowest common multiple, not negative, modulo 2^bits.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression lcm(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::lcm, expression(x), expression(y));
}
// x1 * log(x2); 0 where x1 is 0.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression xlogy(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::xlogy, expression(x), expression(y));
}
// x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is not negative, infinity where one of the
// two is otherwise not positive. Since level 1.1.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression rel_entr(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::rel_entr, expression(x), expression(y));
}
// Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is Riemann's. NaN for x1 below 1,
// infinity where x1 is 1 or x2 is 0 or a negative integer; negative x2 otherwise need a whole x1, else NaN. Since level
// 1.1.
template <class X, class Y, class = detail::if_lazy<X, Y>> expression zeta(const X& x, const Y& y) {
  return detail::step_of(TENON_STEP_BINARY, fn::zeta, expression(x), expression(y));
}
// The sum. For integers in 64 bits, signed or unsigned; for bool the number of true elements. Floating-point numbers
// are added in blocks and trees: the error grows with the logarithm of the count, and the same shape and strides give
// the same bits.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> sum(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::sum, expression(x), axes, keep_axes, stream, result);
}
// The product; dtypes as for sum.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> prod(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::prod, expression(x), axes, keep_axes, stream, result);
}
// The largest element, as by maximum; NaN if there is one. There must be at least one element.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> max(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::max, expression(x), axes, keep_axes, stream, result);
}
// The smallest element, as by minimum; NaN if there is one. There must be at least one element.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> min(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::min, expression(x), axes, keep_axes, stream, result);
}
// Whether all elements are nonzero.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> all(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::all, expression(x), axes, keep_axes, stream, result);
}
// Whether any element is nonzero.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> any(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::any, expression(x), axes, keep_axes, stream, result);
}
// The number of nonzero elements.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> count_nonzero(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::count_nonzero, expression(x), axes, keep_axes, stream, result);
}
// The index, in C order of the reduced axes, of the first largest element, or of the first NaN. There must be at least
// one element.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> argmax(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::argmax, expression(x), axes, keep_axes, stream, result);
}
// The index, in C order of the reduced axes, of the first smallest element, or of the first NaN. There must be at least
// one element.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> argmin(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::argmin, expression(x), axes, keep_axes, stream, result);
}
// The mean; for integers in float64; NaN for no elements.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> mean(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::mean, expression(x), axes, keep_axes, stream, result);
}
// The variance: the mean of |x - mean|^2; correction is subtracted from the count.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> var(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::var, expression(x), axes, keep_axes, stream, result);
}
// The standard deviation: the square root of the variance.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> stddev(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::std, expression(x), axes, keep_axes, stream, result);
}
// log(sum(exp(x))) without intermediate overflow; -infinity for no elements.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> logsumexp(const X& x, list<const int32_t> axes = {}, bool keep_axes = false,
                              ref<tenon_stream> stream = {}, const into& result = {}) {
  return detail::reduced(fn::logsumexp, expression(x), axes, keep_axes, stream, result);
}
// The running sum along an axis; dtypes as for sum.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> cumulative_sum(const X& x, int32_t axis, bool exclusive = false, ref<tenon_stream> stream = {},
                              const into& result = {}) {
  return detail::scanned(fn::cumulative_sum, expression(x), axis, exclusive, stream, result);
}
// The running product along an axis; dtypes as for prod.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> cumulative_prod(const X& x, int32_t axis, bool exclusive = false, ref<tenon_stream> stream = {},
                              const into& result = {}) {
  return detail::scanned(fn::cumulative_prod, expression(x), axis, exclusive, stream, result);
}
// The running maximum along an axis; NaN from the first one on.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> cumulative_max(const X& x, int32_t axis, bool exclusive = false, ref<tenon_stream> stream = {},
                              const into& result = {}) {
  return detail::scanned(fn::cumulative_max, expression(x), axis, exclusive, stream, result);
}
// The running minimum along an axis; NaN from the first one on.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> cumulative_min(const X& x, int32_t axis, bool exclusive = false, ref<tenon_stream> stream = {},
                              const into& result = {}) {
  return detail::scanned(fn::cumulative_min, expression(x), axis, exclusive, stream, result);
}
// The running logsumexp along an axis.
template <class X, class = detail::if_lazy<X>>
outcome<dynamic_array> cumulative_logsumexp(const X& x, int32_t axis, bool exclusive = false, ref<tenon_stream> stream = {},
                              const into& result = {}) {
  return detail::scanned(fn::cumulative_logsumexp, expression(x), axis, exclusive, stream, result);
}
}  // namespace TENON_CXX_MODE
}  // namespace tenon
#endif
