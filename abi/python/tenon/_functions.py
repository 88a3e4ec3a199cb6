"""The functions of the table. Derived from src/functions/table.py (abi/README.md)."""

from __future__ import annotations

from typing import Any

from . import _raw
from ._array import Array
from ._compute import binary, unary

__all__ = [
    "positive", "negative", "abs", "absolute", "sign", "square", "reciprocal", "sqrt", "cbrt", "rsqrt", "exp", "exp2",
    "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "arcsin", "acos", "arccos", "atan", "arctan",
    "sinh", "cosh", "tanh", "asinh", "arcsinh", "acosh", "arccosh", "atanh", "arctanh", "floor", "ceil", "trunc",
    "round", "rint", "isnan", "isinf", "isfinite", "signbit", "logical_not", "bitwise_invert", "invert", "bitwise_not",
    "conj", "conjugate", "real", "imag", "angle", "deg2rad", "radians", "rad2deg", "degrees", "sinc", "erf", "erfc",
    "gamma", "lgamma", "gammaln", "digamma", "psi", "expit", "sigmoid", "logit", "j0", "j1", "y0", "y1",
    "bitwise_count", "entr", "erfinv", "i0", "add", "subtract", "multiply", "divide", "true_divide", "floor_divide",
    "remainder", "mod", "fmod", "pow", "power", "maximum", "minimum", "fmax", "fmin", "equal", "not_equal", "less",
    "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
    "bitwise_xor", "bitwise_left_shift", "left_shift", "bitwise_right_shift", "right_shift", "atan2", "arctan2",
    "hypot", "copysign", "nextafter", "logaddexp", "logaddexp2", "heaviside", "gcd", "lcm", "xlogy", "rel_entr", "zeta",
]


def positive(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x itself.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_POSITIVE, x, out, stream)


def negative(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """-x; for integers modulo 2^bits.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_NEGATIVE, x, out, stream)


def abs(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The absolute value; the smallest signed integer stays as it is.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_ABS, x, out, stream)


def sign(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """-1, 0 or 1; for complex numbers x / |x|; NaN for NaN.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_SIGN, x, out, stream)


def square(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x * x.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_SQUARE, x, out, stream)


def reciprocal(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """1 / x.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_RECIPROCAL, x, out, stream)


def sqrt(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The square root; NaN for negative real numbers.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_SQRT, x, out, stream)


def cbrt(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The cube root. On the CPU within 0.51 ulp in float32, 0.55 in float64.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_CBRT, x, out, stream)


def rsqrt(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """1 / sqrt(x).

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_RSQRT, x, out, stream)


def exp(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """e to the power x. On the CPU within 1 ulp in float32, 0.85 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_EXP, x, out, stream)


def exp2(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """2 to the power x. On the CPU within 0.9 ulp in float32, 0.8 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_EXP2, x, out, stream)


def expm1(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """exp(x) - 1, accurate near 0. On the CPU within 0.51 ulp in float32, 1.2 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_EXPM1, x, out, stream)


def log(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The natural logarithm. On the CPU within 0.85 ulp in float32, 0.85 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_LOG, x, out, stream)


def log2(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The logarithm to base 2. On the CPU within 1.2 ulp in float32, 0.7 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_LOG2, x, out, stream)


def log10(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The logarithm to base 10. On the CPU within 1.4 ulp in float32, 0.7 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_LOG10, x, out, stream)


def log1p(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """log(1 + x), accurate near 0. On the CPU within 0.51 ulp in float32, 2 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_LOG1P, x, out, stream)


def sin(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The sine. On the CPU within 1.7 ulp in float32, 0.85 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_SIN, x, out, stream)


def cos(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The cosine. On the CPU within 1.7 ulp in float32, 0.85 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_COS, x, out, stream)


def tan(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The tangent. On the CPU within 3.9 ulp in float32, 1.1 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_TAN, x, out, stream)


def asin(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ASIN, x, out, stream)


def acos(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse cosine. On the CPU within 0.51 ulp in float32, 3 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ACOS, x, out, stream)


def atan(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse tangent. On the CPU within 0.51 ulp in float32, 1.8 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ATAN, x, out, stream)


def sinh(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The hyperbolic sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_SINH, x, out, stream)


def cosh(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The hyperbolic cosine. On the CPU within 0.51 ulp in float32, 1.5 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_COSH, x, out, stream)


def tanh(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The hyperbolic tangent. On the CPU within 1.4 ulp in float32, 0.9 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_TANH, x, out, stream)


def asinh(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse hyperbolic sine. On the CPU within 0.51 ulp in float32, 3 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ASINH, x, out, stream)


def acosh(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse hyperbolic cosine. On the CPU within 0.51 ulp in float32, 3 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ACOSH, x, out, stream)


def atanh(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse hyperbolic tangent. On the CPU within 0.51 ulp in float32, 2.5 in float64.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ATANH, x, out, stream)


def floor(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The largest integer that is not above x, in x's dtype.

    Computed in: bool, signed integers, unsigned integers, floating-point.
    """
    return unary(_raw.TENON_FN_FLOOR, x, out, stream)


def ceil(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The smallest integer that is not below x, in x's dtype.

    Computed in: bool, signed integers, unsigned integers, floating-point.
    """
    return unary(_raw.TENON_FN_CEIL, x, out, stream)


def trunc(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The integer part of x, in x's dtype.

    Computed in: bool, signed integers, unsigned integers, floating-point.
    """
    return unary(_raw.TENON_FN_TRUNC, x, out, stream)


def round(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The nearest integer, halves to the even one, in x's dtype.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_ROUND, x, out, stream)


def isnan(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether x is NaN.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return unary(_raw.TENON_FN_ISNAN, x, out, stream)


def isinf(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether x is infinite.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return unary(_raw.TENON_FN_ISINF, x, out, stream)


def isfinite(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether x is neither infinite nor NaN.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return unary(_raw.TENON_FN_ISFINITE, x, out, stream)


def signbit(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether the sign of x is set, also of -0.0.

    Computed in: signed integers, unsigned integers, floating-point. The result is bool.
    """
    return unary(_raw.TENON_FN_SIGNBIT, x, out, stream)


def logical_not(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether x is 0.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return unary(_raw.TENON_FN_LOGICAL_NOT, x, out, stream)


def bitwise_invert(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Every bit inverted; for bool: not.

    Computed in: bool, signed integers, unsigned integers.
    """
    return unary(_raw.TENON_FN_BITWISE_INVERT, x, out, stream)


def conj(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The complex conjugate.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_CONJ, x, out, stream)


def real(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The real part.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_REAL, x, out, stream)


def imag(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The imaginary part; 0 for real numbers.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return unary(_raw.TENON_FN_IMAG, x, out, stream)


def angle(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The angle of a complex number, from -pi to pi; for a real one 0 or pi.

    Computed in: floating-point, complex.
    """
    return unary(_raw.TENON_FN_ANGLE, x, out, stream)


def deg2rad(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Converts degrees to radians.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_DEG2RAD, x, out, stream)


def rad2deg(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Converts radians to degrees.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_RAD2DEG, x, out, stream)


def sinc(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """sin(pi x) / (pi x); 1 at 0.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_SINC, x, out, stream)


def erf(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The error function. On the CPU within 0.51 ulp in float32, 1.5 in float64.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_ERF, x, out, stream)


def erfc(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """1 - erf(x), accurate for large x. On the CPU within 0.51 ulp in float32, 5 in float64.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_ERFC, x, out, stream)


def gamma(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The gamma function.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_GAMMA, x, out, stream)


def lgamma(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The logarithm of the absolute value of the gamma function.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_LGAMMA, x, out, stream)


def digamma(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The derivative of lgamma; NaN at negative integers, -infinity at 0.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_DIGAMMA, x, out, stream)


def expit(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The logistic function 1 / (1 + exp(-x)). On the CPU within 2.5 ulp in float32, 2.5 in float64.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_EXPIT, x, out, stream)


def logit(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """log(x / (1 - x)).

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_LOGIT, x, out, stream)


def j0(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The Bessel function of the first kind of order 0.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_J0, x, out, stream)


def j1(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The Bessel function of the first kind of order 1.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_J1, x, out, stream)


def y0(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The Bessel function of the second kind of order 0.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_Y0, x, out, stream)


def y1(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The Bessel function of the second kind of order 1.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_Y1, x, out, stream)


def bitwise_count(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The number of bits set in |x|.

    Computed in: bool, signed integers, unsigned integers.
    """
    return unary(_raw.TENON_FN_BITWISE_COUNT, x, out, stream)


def entr(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """-x log(x), the summand of an entropy; 0 at 0, -infinity below. Since level 1.1.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_ENTR, x, out, stream)


def erfinv(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p - 1) is the normal quantile.
    Since level 1.1.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_ERFINV, x, out, stream)


def i0(x: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The modified Bessel function of the first kind of order 0. Since level 1.1.

    Computed in: floating-point.
    """
    return unary(_raw.TENON_FN_I0, x, out, stream)


def add(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 + x2; for bool: or.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_ADD, x1, x2, out, stream)


def subtract(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 - x2.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_SUBTRACT, x1, x2, out, stream)


def multiply(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 * x2; for bool: and.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_MULTIPLY, x1, x2, out, stream)


def divide(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 / x2; for integers in float64.

    Computed in: floating-point, complex.
    """
    return binary(_raw.TENON_FN_DIVIDE, x1, x2, out, stream)


def floor_divide(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The largest integer that is not above x1 / x2; for integers 0 where x2 is 0.

    Computed in: signed integers, unsigned integers, floating-point.
    """
    return binary(_raw.TENON_FN_FLOOR_DIVIDE, x1, x2, out, stream)


def remainder(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0.

    Computed in: signed integers, unsigned integers, floating-point.
    """
    return binary(_raw.TENON_FN_REMAINDER, x1, x2, out, stream)


def fmod(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """C's remainder, with x1's sign; for integers 0 where x2 is 0.

    Computed in: signed integers, unsigned integers, floating-point.
    """
    return binary(_raw.TENON_FN_FMOD, x1, x2, out, stream)


def pow(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1 give the exact result and all
    other integers 0. On the CPU within 1 ulp in float32, 0.8 in float64.

    Computed in: signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_POW, x1, x2, out, stream)


def maximum(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The larger one; NaN if either is NaN. Complex numbers are ordered by their real, then their imaginary parts.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_MAXIMUM, x1, x2, out, stream)


def minimum(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The smaller one; NaN if either is NaN. Complex numbers are ordered as by maximum.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_MINIMUM, x1, x2, out, stream)


def fmax(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The larger one, as by maximum; if only one is NaN, the other.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_FMAX, x1, x2, out, stream)


def fmin(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The smaller one, as by minimum; if only one is NaN, the other.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex.
    """
    return binary(_raw.TENON_FN_FMIN, x1, x2, out, stream)


def equal(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 == x2.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return binary(_raw.TENON_FN_EQUAL, x1, x2, out, stream)


def not_equal(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 != x2.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return binary(_raw.TENON_FN_NOT_EQUAL, x1, x2, out, stream)


def less(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 < x2.

    Computed in: bool, signed integers, unsigned integers, floating-point. The result is bool.
    """
    return binary(_raw.TENON_FN_LESS, x1, x2, out, stream)


def less_equal(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 <= x2.

    Computed in: bool, signed integers, unsigned integers, floating-point. The result is bool.
    """
    return binary(_raw.TENON_FN_LESS_EQUAL, x1, x2, out, stream)


def greater(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 > x2.

    Computed in: bool, signed integers, unsigned integers, floating-point. The result is bool.
    """
    return binary(_raw.TENON_FN_GREATER, x1, x2, out, stream)


def greater_equal(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 >= x2.

    Computed in: bool, signed integers, unsigned integers, floating-point. The result is bool.
    """
    return binary(_raw.TENON_FN_GREATER_EQUAL, x1, x2, out, stream)


def logical_and(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether both are nonzero.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return binary(_raw.TENON_FN_LOGICAL_AND, x1, x2, out, stream)


def logical_or(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether at least one is nonzero.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return binary(_raw.TENON_FN_LOGICAL_OR, x1, x2, out, stream)


def logical_xor(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Whether exactly one is nonzero.

    Computed in: bool, signed integers, unsigned integers, floating-point, complex. The result is bool.
    """
    return binary(_raw.TENON_FN_LOGICAL_XOR, x1, x2, out, stream)


def bitwise_and(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The bits set in both.

    Computed in: bool, signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_BITWISE_AND, x1, x2, out, stream)


def bitwise_or(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The bits set in at least one.

    Computed in: bool, signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_BITWISE_OR, x1, x2, out, stream)


def bitwise_xor(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The bits set in exactly one.

    Computed in: bool, signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_BITWISE_XOR, x1, x2, out, stream)


def bitwise_left_shift(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the number of bits.

    Computed in: signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_BITWISE_LEFT_SHIFT, x1, x2, out, stream)


def bitwise_right_shift(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 / 2^x2 rounded down; where x2 is negative or at least the number of bits, 0, or -1 for a negative x1.

    Computed in: signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_BITWISE_RIGHT_SHIFT, x1, x2, out, stream)


def atan2(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The angle of the point (x2, x1), from -pi to pi. On the CPU within 0.51 ulp in float32, 2.5 in float64.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_ATAN2, x1, x2, out, stream)


def hypot(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """sqrt(x1^2 + x2^2) without intermediate overflow. On the CPU within 0.51 ulp in float32, 1 in float64.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_HYPOT, x1, x2, out, stream)


def copysign(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 with x2's sign.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_COPYSIGN, x1, x2, out, stream)


def nextafter(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The next number of the dtype after x1 towards x2.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_NEXTAFTER, x1, x2, out, stream)


def logaddexp(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """log(exp(x1) + exp(x2)) without intermediate overflow.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_LOGADDEXP, x1, x2, out, stream)


def logaddexp2(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """log2(2^x1 + 2^x2) without intermediate overflow.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_LOGADDEXP2, x1, x2, out, stream)


def heaviside(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """0 below 0, x2 at 0, 1 above.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_HEAVISIDE, x1, x2, out, stream)


def gcd(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The greatest common divisor, not negative.

    Computed in: signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_GCD, x1, x2, out, stream)


def lcm(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The lowest common multiple, not negative, modulo 2^bits.

    Computed in: signed integers, unsigned integers.
    """
    return binary(_raw.TENON_FN_LCM, x1, x2, out, stream)


def xlogy(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 * log(x2); 0 where x1 is 0.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_XLOGY, x1, x2, out, stream)


def rel_entr(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is not negative, infinity where one of
    the two is otherwise not positive. Since level 1.1.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_REL_ENTR, x1, x2, out, stream)


def zeta(x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is Riemann's. NaN for x1 below
    1, infinity where x1 is 1 or x2 is 0 or a negative integer; negative x2 otherwise need a whole x1, else NaN. Since
    level 1.1.

    Computed in: floating-point.
    """
    return binary(_raw.TENON_FN_ZETA, x1, x2, out, stream)


absolute = abs
arcsin = asin
arccos = acos
arctan = atan
arcsinh = asinh
arccosh = acosh
arctanh = atanh
rint = round
invert = bitwise_invert
bitwise_not = bitwise_invert
conjugate = conj
radians = deg2rad
degrees = rad2deg
gammaln = lgamma
psi = digamma
sigmoid = expit
true_divide = divide
mod = remainder
power = pow
left_shift = bitwise_left_shift
right_shift = bitwise_right_shift
arctan2 = atan2
