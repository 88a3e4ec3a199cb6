"""src/functions/table.py: the one table of elementwise functions, reductions and scans.

Everything else that lists functions is derived from these rows by abi/generate.py: the enumeration TENON_FN_* of
include/tenon/functions.h, the library's own table and the CPU device's instances (table.inc), the text that is compiled
for a GPU, Python's functions with their docstrings, and the tests of special values. A new function is a new row.

body: CUDA C over x (and y, z), of one type T, compiled for both devices. It may use the functions of real.cuh,
complex.cuh and complex_functions.cuh. A dict gives one body for each group of kinds. Kinds of types: b bool, i signed and u unsigned
integers, f floating-point, c complex. float16 and bfloat16 are computed in float.

takes: the kinds that the function is computed in. Integers and bool are converted to float64 where a function takes
only f and c.
result: "same" as the operands, "real" (the parts of a complex type), or a dtype.
ulp: the largest difference from NumPy's result that the tests allow, in units in the last place; 0: the same bits.
simd: the CPU device also has it compiled for the vector instructions of newer processors. Set it for every body that
uses a function of backend/cpu/native/compute/compute_math.hpp, whose multiply-adds are slow without them.
errors: the largest errors of the CPU device in float32 and float64, in units in the last place; the tests measure them
by computing in a wider type.
reference: how the tests compute it with NumPy (np) or SciPy (special), if it is not np.<name>.
since: the level of the C interface that added it; "" for level 1.0.
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Row:
    code: int
    name: str
    kind: str            # unary, binary, ternary, reduction, scan
    takes: str
    body: dict[str, str]  # kinds -> text
    doc: str
    result: str = "same"
    ulp: float = 0
    least: float = 0     # tests: errors are measured relative to at least this much, near zeros of the function
    simd: bool = False
    errors: tuple[float, ...] = ()  # the CPU device's own functions: the largest in float32 and float64
    reference: str = ""
    public: bool = True      # False: a step of other functions, not a name of its own in the bindings
    python: str = ""         # the Python name, where it is another
    aliases: tuple[str, ...] = ()
    identity: str = ""       # reductions and scans
    map: str = ""            # reductions: of an element x, to the accumulator
    post: str = ""           # reductions: of the accumulator a and the count n
    domain: str = "all"      # tests: numbers to try: all, positive, unit (from -1 to 1), small, over_one
    since: str = ""

    def body_of(self, kind: str) -> str:
        return next(text for kinds, text in self.body.items() if kind in kinds)

    @property
    def lower(self) -> str:
        return self.name.lower()

    @property
    def python_name(self) -> str:
        return self.python or self.lower


ROWS: list[Row] = []


def _row(kind, code, name, takes, body, doc, **more):
    bodies = body if isinstance(body, dict) else {takes: body}
    row = Row(code, name, kind, takes, bodies, doc, **more)
    if row.errors:
        row.doc += " On the CPU within {:g} ulp in float32, {:g} in float64.".format(*row.errors)
    if row.since:
        row.doc += f" Since level {row.since}."
    ROWS.append(row)


def unary(*args, **more):
    _row("unary", *args, **more)


def binary(*args, **more):
    _row("binary", *args, **more)


def reduction(*args, **more):
    _row("reduction", *args, **more)


def scan(*args, **more):
    _row("scan", *args, **more)


# --- one operand ---

unary(1, "POSITIVE", "biufc", "x", "x itself.", simd=True, reference="np.array(x)")
unary(2, "NEGATIVE", "iufc", {"iu": "(T)(0 - x)", "fc": "-x"}, "-x; for integers modulo 2^bits.", simd=True)
unary(3, "ABS", "biufc", {"bu": "x", "i": "(T)(x < 0 ? 0 - x : x)", "f": "fabs(x)", "c": "hypot(x.real(), x.imag())"},
      "The absolute value; the smallest signed integer stays as it is.", result="real", ulp=1, simd=True,
      aliases=("absolute",))
unary(4, "SIGN", "iufc", {"iu": "(T)((x > 0) - (x < 0))", "f": "x != x ? x : (T)((x > 0) - (x < 0))",
                          "c": "tenon_g_sign(x)"},
      "-1, 0 or 1; for complex numbers x / |x|; NaN for NaN.", ulp=4, simd=True)
unary(5, "SQUARE", "iufc", {"iu": "tenon_g_multiply(x, x)", "fc": "x * x"}, "x * x.", simd=True, ulp=2)
unary(6, "RECIPROCAL", "fc", {"f": "(T)1 / x", "c": "T((tenon_g_real)1) / x"}, "1 / x.", ulp=4,
      simd=True, reference="1 / x")
unary(7, "SQRT", "fc", {"f": "sqrt(x)", "c": "tenon_g_sqrt(x)"}, "The square root; NaN for negative real numbers.",
      ulp=4, simd=True)
unary(8, "CBRT", "f", "cbrt(x)", "The cube root.", ulp=2, simd=True, errors=(0.51, 0.55))
unary(9, "RSQRT", "f", "(T)1 / sqrt(x)", "1 / sqrt(x).", ulp=1, simd=True, reference="1 / np.sqrt(x)")
unary(10, "EXP", "fc", {"f": "exp(x)", "c": "tenon_g_exp(x)"}, "e to the power x.", ulp=4, simd=True, errors=(1, 0.85))
unary(11, "EXP2", "fc", {"f": "exp2(x)", "c": "tenon_g_exp(tenon_g_times(x, (tenon_g_real)0.69314718055994530942))"},
      "2 to the power x.", ulp=4, domain="small", simd=True, errors=(0.9, 0.8))
unary(12, "EXPM1", "fc", {"f": "expm1(x)", "c": "tenon_g_expm1(x)"}, "exp(x) - 1, accurate near 0.", ulp=8, simd=True,
      errors=(0.51, 1.2))
unary(13, "LOG", "fc", {"f": "log(x)", "c": "tenon_g_log(x)"}, "The natural logarithm.", ulp=4, simd=True,
      errors=(0.85, 0.85))
unary(14, "LOG2", "fc", {"f": "log2(x)", "c": "tenon_g_times(tenon_g_log(x), (tenon_g_real)1.44269504088896340736)"},
      "The logarithm to base 2.", ulp=8, simd=True, errors=(1.2, 0.7))
unary(15, "LOG10", "fc", {"f": "log10(x)", "c": "tenon_g_times(tenon_g_log(x), (tenon_g_real)0.43429448190325182765)"},
      "The logarithm to base 10.", ulp=8, simd=True, errors=(1.4, 0.7))
unary(16, "LOG1P", "fc", {"f": "log1p(x)", "c": "tenon_g_log1p(x)"}, "log(1 + x), accurate near 0.", ulp=8, simd=True,
      errors=(0.51, 2))
unary(17, "SIN", "fc", {"f": "sin(x)", "c": "tenon_g_sin(x)"}, "The sine.", ulp=4, simd=True, errors=(1.7, 0.85))
unary(18, "COS", "fc", {"f": "cos(x)", "c": "tenon_g_cos(x)"}, "The cosine.", ulp=4, simd=True, errors=(1.7, 0.85))
unary(19, "TAN", "fc", {"f": "tan(x)", "c": "tenon_g_tan(x)"}, "The tangent.", ulp=8, simd=True, errors=(3.9, 1.1))
unary(20, "ASIN", "fc", {"f": "asin(x)", "c": "tenon_g_asin(x)"}, "The inverse sine.", ulp=16,
      domain="unit", aliases=("arcsin",), simd=True, errors=(0.51, 2.5))
unary(21, "ACOS", "fc", {"f": "acos(x)", "c": "tenon_g_acos(x)"}, "The inverse cosine.", ulp=16,
      domain="unit", aliases=("arccos",), simd=True, errors=(0.51, 3))
unary(22, "ATAN", "fc", {"f": "atan(x)", "c": "tenon_g_atan(x)"}, "The inverse tangent.", ulp=16, aliases=("arctan",),
      simd=True, errors=(0.51, 1.8))
unary(23, "SINH", "fc", {"f": "sinh(x)", "c": "tenon_g_sinh(x)"}, "The hyperbolic sine.", ulp=8, simd=True,
      errors=(0.51, 2.5))
unary(24, "COSH", "fc", {"f": "cosh(x)", "c": "tenon_g_cosh(x)"}, "The hyperbolic cosine.", ulp=8, simd=True,
      errors=(0.51, 1.5))
unary(25, "TANH", "fc", {"f": "tanh(x)", "c": "tenon_g_tanh(x)"}, "The hyperbolic tangent.", ulp=8, simd=True,
      errors=(1.4, 0.9))
unary(26, "ASINH", "fc", {"f": "asinh(x)", "c": "tenon_g_asinh(x)"}, "The inverse hyperbolic sine.",
      ulp=16, aliases=("arcsinh",), simd=True, errors=(0.51, 3))
unary(27, "ACOSH", "fc", {"f": "acosh(x)", "c": "tenon_g_acosh(x)"}, "The inverse hyperbolic cosine.",
      ulp=16, domain="over_one", aliases=("arccosh",), simd=True, errors=(0.51, 3))
unary(28, "ATANH", "fc", {"f": "atanh(x)", "c": "tenon_g_atanh(x)"}, "The inverse hyperbolic tangent.",
      ulp=16, domain="unit", aliases=("arctanh",), simd=True, errors=(0.51, 2.5))
unary(29, "FLOOR", "biuf", {"biu": "x", "f": "floor(x)"}, "The largest integer that is not above x, in x's dtype.",
      simd=True)
unary(30, "CEIL", "biuf", {"biu": "x", "f": "ceil(x)"}, "The smallest integer that is not below x, in x's dtype.",
      simd=True)
unary(31, "TRUNC", "biuf", {"biu": "x", "f": "trunc(x)"}, "The integer part of x, in x's dtype.", simd=True)
unary(32, "ROUND", "iufc", {"iu": "x", "f": "rint(x)", "c": "T(rint(x.real()), rint(x.imag()))"},
      "The nearest integer, halves to the even one, in x's dtype.", simd=True, reference="np.round(x)",
      aliases=("rint",))
unary(33, "ISNAN", "biufc", {"biu": "false", "f": "x != x", "c": "x.real() != x.real() || x.imag() != x.imag()"},
      "Whether x is NaN.", result="bool", simd=True)
unary(34, "ISINF", "biufc", {"biu": "false", "f": "tenon_g_isinf(x)",
                             "c": "tenon_g_isinf(x.real()) || tenon_g_isinf(x.imag())"},
      "Whether x is infinite.", result="bool", simd=True)
unary(35, "ISFINITE", "biufc", {"biu": "true", "f": "tenon_g_isfinite(x)",
                                "c": "tenon_g_isfinite(x.real()) && tenon_g_isfinite(x.imag())"},
      "Whether x is neither infinite nor NaN.", result="bool", simd=True)
unary(36, "SIGNBIT", "iuf", {"iu": "x < 0", "f": "tenon_g_signbit(x)"}, "Whether the sign of x is set, also of -0.0.",
      result="bool", simd=True, reference="np.signbit(x) if x.dtype.kind == 'f' else x < 0")
unary(37, "LOGICAL_NOT", "biufc", {"biuf": "x == 0", "c": "x == T((tenon_g_real)0)"}, "Whether x is 0.",
      result="bool", simd=True)
unary(38, "BITWISE_INVERT", "biu", {"b": "!x", "iu": "(T)~x"}, "Every bit inverted; for bool: not.", simd=True,
      aliases=("invert", "bitwise_not"))
unary(39, "CONJ", "iufc", {"iuf": "x", "c": "T(x.real(), -x.imag())"}, "The complex conjugate.", simd=True,
      aliases=("conjugate",))
unary(40, "REAL", "biufc", {"biuf": "x", "c": "x.real()"}, "The real part.", result="real", simd=True,
      reference="np.array(np.real(x))")
unary(41, "IMAG", "biufc", {"biuf": "(T)0", "c": "x.imag()"}, "The imaginary part; 0 for real numbers.",
      result="real", simd=True, reference="np.array(np.imag(x))")
unary(42, "ANGLE", "fc", {"f": "x != x ? x : (T)(tenon_g_signbit(x) ? 3.14159265358979323846 : 0.0)",
                          "c": "atan2(x.imag(), x.real())"},
      "The angle of a complex number, from -pi to pi; for a real one 0 or pi.", result="real", ulp=2, simd=True)
unary(43, "DEG2RAD", "f", "x * (T)0.017453292519943295769", "Converts degrees to radians.", ulp=2, simd=True,
      aliases=("radians",))
unary(44, "RAD2DEG", "f", "x * (T)57.295779513082320877", "Converts radians to degrees.", ulp=2, simd=True,
      aliases=("degrees",))
unary(45, "SINC", "f", "tenon_g_sinc(x)", "sin(pi x) / (pi x); 1 at 0.", ulp=64, domain="small", simd=True)
unary(46, "ERF", "f", "erf(x)", "The error function.", ulp=4, reference="special.erf(x)", simd=True, errors=(0.51, 1.5))
unary(47, "ERFC", "f", "erfc(x)", "1 - erf(x), accurate for large x.", ulp=16,
      reference="special.erfc(x)", domain="small", simd=True, errors=(0.51, 5))
unary(48, "GAMMA", "f", "tgamma(x)", "The gamma function.", ulp=64, reference="special.gamma(x)",
      domain="positive_small")
unary(49, "LGAMMA", "f", "lgamma(x)", "The logarithm of the absolute value of the gamma function.", least=1, ulp=64,
      reference="special.gammaln(x)", domain="positive_small", aliases=("gammaln",))
unary(50, "DIGAMMA", "f", "tenon_g_digamma(x)",
      "The derivative of lgamma; NaN at negative integers, -infinity at 0.", least=1, ulp=64,
      reference="special.digamma(x)", domain="positive_small", aliases=("psi",), simd=True)
unary(51, "EXPIT", "f", "tenon_g_expit(x)", "The logistic function 1 / (1 + exp(-x)).", ulp=8,
      reference="special.expit(x)", aliases=("sigmoid",), domain="small", simd=True, errors=(2.5, 2.5))
unary(52, "LOGIT", "f", "log(x / ((T)1 - x))", "log(x / (1 - x)).", ulp=64, reference="special.logit(x)",
      domain="probability", simd=True)
unary(53, "J0", "f", "(T)j0((double)x)", "The Bessel function of the first kind of order 0.", least=1, ulp=256,
      reference="special.j0(x)", domain="positive_small")
unary(54, "J1", "f", "(T)j1((double)x)", "The Bessel function of the first kind of order 1.", least=1, ulp=256,
      reference="special.j1(x)", domain="positive_small")
unary(55, "Y0", "f", "(T)y0((double)x)", "The Bessel function of the second kind of order 0.", least=1, ulp=256,
      reference="special.y0(x)", domain="positive_small")
unary(56, "Y1", "f", "(T)y1((double)x)", "The Bessel function of the second kind of order 1.", least=1, ulp=256,
      reference="special.y1(x)", domain="positive_small")
unary(57, "BITWISE_COUNT", "biu", {"b": "x", "iu": "tenon_g_bit_count(x)"}, "The number of bits set in |x|.",
      result="uint8", simd=False)
unary(59, "ENTR", "f", "x > 0 ? -x * log(x) : x == 0 ? (T)0 : x != x ? x : (T)-INFINITY",
      "-x log(x), the summand of an entropy; 0 at 0, -infinity below.", ulp=8, reference="special.entr(x)", simd=True,
      since="1.1")
unary(60, "ERFINV", "f", "(T)tenon_g_erfinv((double)x)",
      "The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p - 1) is the normal quantile.",
      ulp=8, reference="special.erfinv(x)", domain="unit", simd=True, since="1.1")
unary(61, "I0", "f", "(T)tenon_g_i0((double)x)",
      "The modified Bessel function of the first kind of order 0.", ulp=16, reference="special.i0(x)", domain="small",
      simd=True, since="1.1")
unary(58, "ABS_SQUARED", "fc", {"f": "x * x", "c": "x.real() * x.real() + x.imag() * x.imag()"},
      "The square of the absolute value.", result="real", simd=True, public=False, ulp=4)

# --- two operands ---

binary(101, "ADD", "biufc", {"b": "x || y", "iu": "(T)(x + y)", "fc": "x + y"}, "x1 + x2; for bool: or.", simd=True)
binary(102, "SUBTRACT", "iufc", {"iu": "(T)(x - y)", "fc": "x - y"}, "x1 - x2.", simd=True)
binary(103, "MULTIPLY", "biufc", {"b": "x && y", "iu": "tenon_g_multiply(x, y)", "fc": "x * y"},
       "x1 * x2; for bool: and.", simd=True, ulp=2)
binary(104, "DIVIDE", "fc", "x / y", "x1 / x2; for integers in float64.", simd=True, ulp=4, aliases=("true_divide",))
binary(105, "FLOOR_DIVIDE", "iuf", "tenon_g_floor_divide(x, y)",
       "The largest integer that is not above x1 / x2; for integers 0 where x2 is 0.", simd=True)
binary(106, "REMAINDER", "iuf", "tenon_g_remainder(x, y)",
       "x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0.", simd=True, aliases=("mod",))
binary(107, "FMOD", "iuf", {"iu": "tenon_g_modulus(x, y)", "f": "fmod(x, y)"},
       "C's remainder, with x1's sign; for integers 0 where x2 is 0.")
binary(108, "POW", "iufc", {"iu": "tenon_g_pow(x, y)", "f": "pow(x, y)", "c": "tenon_g_pow(x, y)"},
       "x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1 give the exact result and "
       "all other integers 0.", ulp=16, aliases=("power",), simd=True, errors=(1, 0.8))
binary(109, "MAXIMUM", "biufc", {"b": "x || y", "iu": "x > y ? x : y", "f": "x >= y || x != x ? x : y",
                                 "c": "tenon_g_at_least(x, y) || x != x ? x : y"},
       "The larger one; NaN if either is NaN. Complex numbers are ordered by their real, then their imaginary parts.",
       simd=True)
binary(110, "MINIMUM", "biufc", {"b": "x && y", "iu": "x < y ? x : y", "f": "x <= y || x != x ? x : y",
                                 "c": "tenon_g_at_least(y, x) || x != x ? x : y"},
       "The smaller one; NaN if either is NaN. Complex numbers are ordered as by maximum.", simd=True)
binary(111, "FMAX", "biufc", {"b": "x || y", "iu": "x > y ? x : y", "f": "x >= y || y != y ? x : y",
                              "c": "tenon_g_at_least(x, y) || y != y ? x : y"},
       "The larger one, as by maximum; if only one is NaN, the other.", simd=True)
binary(112, "FMIN", "biufc", {"b": "x && y", "iu": "x < y ? x : y", "f": "x <= y || y != y ? x : y",
                              "c": "tenon_g_at_least(y, x) || y != y ? x : y"},
       "The smaller one, as by minimum; if only one is NaN, the other.", simd=True)
binary(113, "EQUAL", "biufc", "x == y", "x1 == x2.", result="bool", simd=True)
binary(114, "NOT_EQUAL", "biufc", "x != y", "x1 != x2.", result="bool", simd=True)
binary(115, "LESS", "biuf", "x < y", "x1 < x2.", result="bool", simd=True)
binary(116, "LESS_EQUAL", "biuf", "x <= y", "x1 <= x2.", result="bool", simd=True)
binary(117, "GREATER", "biuf", "x > y", "x1 > x2.", result="bool", simd=True)
binary(118, "GREATER_EQUAL", "biuf", "x >= y", "x1 >= x2.", result="bool", simd=True)
binary(119, "LOGICAL_AND", "biufc", {"biuf": "x != 0 && y != 0",
                                     "c": "x != T((tenon_g_real)0) && y != T((tenon_g_real)0)"},
       "Whether both are nonzero.", result="bool", simd=True)
binary(120, "LOGICAL_OR", "biufc", {"biuf": "x != 0 || y != 0",
                                    "c": "x != T((tenon_g_real)0) || y != T((tenon_g_real)0)"},
       "Whether at least one is nonzero.", result="bool", simd=True)
binary(121, "LOGICAL_XOR", "biufc", {"biuf": "(x != 0) != (y != 0)",
                                     "c": "(x != T((tenon_g_real)0)) != (y != T((tenon_g_real)0))"},
       "Whether exactly one is nonzero.", result="bool", simd=True)
binary(122, "BITWISE_AND", "biu", {"b": "x && y", "iu": "(T)(x & y)"}, "The bits set in both.", simd=True)
binary(123, "BITWISE_OR", "biu", {"b": "x || y", "iu": "(T)(x | y)"}, "The bits set in at least one.", simd=True)
binary(124, "BITWISE_XOR", "biu", {"b": "x != y", "iu": "(T)(x ^ y)"}, "The bits set in exactly one.", simd=True)
binary(125, "BITWISE_LEFT_SHIFT", "iu", "tenon_g_shift_left(x, y)",
       "x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the number of bits.", simd=True,
       aliases=("left_shift",))
binary(126, "BITWISE_RIGHT_SHIFT", "iu", "tenon_g_shift_right(x, y)",
       "x1 / 2^x2 rounded down; where x2 is negative or at least the number of bits, 0, or -1 for a negative x1.",
       simd=True, aliases=("right_shift",))
binary(127, "ATAN2", "f", "atan2(x, y)", "The angle of the point (x2, x1), from -pi to pi.",
       ulp=4, aliases=("arctan2",), simd=True, errors=(0.51, 2.5))
binary(128, "HYPOT", "f", "hypot(x, y)", "sqrt(x1^2 + x2^2) without intermediate overflow.", ulp=2, simd=True,
       errors=(0.51, 1))
binary(129, "COPYSIGN", "f", "copysign(x, y)", "x1 with x2's sign.", simd=True)
binary(130, "NEXTAFTER", "f", "nextafter(x, y)", "The next number of the dtype after x1 towards x2.")
binary(131, "LOGADDEXP", "f", "tenon_g_logaddexp(x, y)", "log(exp(x1) + exp(x2)) without intermediate overflow.", ulp=8,
       simd=True)
binary(132, "LOGADDEXP2", "f", "tenon_g_logaddexp2(x, y)", "log2(2^x1 + 2^x2) without intermediate overflow.", ulp=8,
       simd=True)
binary(133, "HEAVISIDE", "f", "x != x ? x : x < 0 ? (T)0 : x > 0 ? (T)1 : y", "0 below 0, x2 at 0, 1 above.", simd=True)
binary(134, "GCD", "iu", "tenon_g_gcd(x, y)", "The greatest common divisor, not negative.")
binary(135, "LCM", "iu", "tenon_g_lcm(x, y)", "The lowest common multiple, not negative, modulo 2^bits.")
binary(136, "XLOGY", "f", "x == 0 && y == y ? (T)0 : x * log(y)", "x1 * log(x2); 0 where x1 is 0.", ulp=8,
       reference="special.xlogy(x, y)", simd=True)
binary(140, "REL_ENTR", "f",
       "x != x || y != y ? x + y : x > 0 && y > 0 ? tenon_g_rel_entr(x, y) : x == 0 && y >= 0 ? (T)0 : (T)INFINITY",
       "x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is not negative, infinity where one "
       "of the two is otherwise not positive.", ulp=8, least=1, reference="special.rel_entr(x, y)", simd=True,
       since="1.1")
binary(141, "ZETA", "f", "tenon_g_zeta(x, y)",
       "Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is Riemann's. NaN for x1 below "
       "1, infinity where x1 is 1 or x2 is 0 or a negative integer; negative x2 otherwise need a whole x1, else NaN.",
       ulp=32, least=1, reference="special.zeta(x, y)", simd=True, since="1.1")
binary(137, "SQUARED_DIFFERENCE", "fc", {"f": "(x - y) * (x - y)", "c": "tenon_g_squared_difference(x, y)"},
       "|x1 - x2|^2.", result="real", simd=True, public=False, ulp=4)
binary(138, "EXP_DIFFERENCE", "f", "exp(x - (tenon_g_isinf(y) ? (T)0 : y))",
       "exp(x1 - x2), without x2 where it is infinite.", public=False, ulp=4, simd=True)
binary(139, "LOG_SUM", "f", "log(x) + (tenon_g_isinf(y) ? (T)0 : y)", "log(x1) + x2, without x2 where it is infinite.",
       public=False, ulp=4, simd=True)

# The 16-bit types are computed in float, whose next number rounds to x itself.
for _code, _type, _ratio, _least, _most in ((203, "FLOAT16", "8192", "5.9604644775390625e-08", "65504"),
                                            (204, "BFLOAT16", "65536", "9.183549615799121e-41", "3.3895313892515355e38")):
    binary(_code, f"NEXTAFTER_{_type}", "f", f"tenon_g_next_of(x, y, (T){_ratio}, (T){_least}, (T){_most})",
           f"The next number of {_type.lower()} after x1 towards x2.", public=False)

# --- three operands, and steps of casts: the library's own ---

_row("ternary", 201, "CLIP", "iuf", "tenon_g_clip(x, y, z)", "min(max(x, y), z).", simd=True, public=False)
_row("ternary", 202, "SELECT", "biufc", "x ? y : z", "y where x is true, else z.", simd=True, public=False)
for _code, _bits in enumerate((8, 16, 32, 64)):
    for _sign, _type in (("", {8: "signed char", 16: "short", 32: "int", 64: "long long"}[_bits]),
                         ("U", "unsigned " + {8: "char", 16: "short", 32: "int", 64: "long long"}[_bits])):
        _high = f"({_type})({2**(_bits - (_sign == '')) - 1}{'ull' if _bits == 64 else 'u'})"
        _low = f"({_type})0" if _sign else f"({_type})(-{_high} - 1)"
        unary(211 + _code + 4 * (_sign == "U"), f"TO_{_sign}INT{_bits}", "f",
              f"tenon_g_saturated<{_type}>(x, {_low}, {_high})",
              f"x as {_sign.lower()}int{_bits}.", result=f"{_sign.lower()}int{_bits}", public=False, simd=True)

# --- reductions: body combines a and b, map makes the accumulator of an element ---

reduction(301, "SUM", "iufc", {"iu": "(T)(a + b)", "fc": "a + b"},
          "The sum. For integers in 64 bits, signed or unsigned; for bool the number of true elements. Floating-point "
          "numbers are added in blocks and trees: the error grows with the logarithm of the count, and the same shape "
          "and strides give the same bits.",
          identity="(T)0", ulp=64, simd=True)
reduction(302, "PROD", "iufc", {"iu": "tenon_g_multiply(a, b)", "fc": "a * b"}, "The product; dtypes as for sum.",
          identity="(T)1", ulp=64, simd=True)
reduction(303, "MAX", "biufc", {"b": "a || b", "iu": "a > b ? a : b", "f": "a >= b || a != a ? a : b",
                                "c": "tenon_g_at_least(a, b) || a != a ? a : b"},
          "The largest element, as by maximum; NaN if there is one. There must be at least one element.", simd=True,
          aliases=("amax",))
reduction(304, "MIN", "biufc", {"b": "a && b", "iu": "a < b ? a : b", "f": "a <= b || a != a ? a : b",
                                "c": "tenon_g_at_least(b, a) || a != a ? a : b"},
          "The smallest element, as by minimum; NaN if there is one. There must be at least one element.", simd=True,
          aliases=("amin",))
reduction(305, "ALL", "b", "a && b", "Whether all elements are nonzero.", result="bool",
          identity="true", simd=True)
reduction(306, "ANY", "b", "a || b", "Whether any element is nonzero.", result="bool", identity="false", simd=True)
reduction(307, "COUNT_NONZERO", "b", "", "The number of nonzero elements.", result="int64", identity="0")
reduction(308, "ARGMAX", "biufc", "", "The index, in C order of the reduced axes, of the first largest element, or of "
          "the first NaN. There must be "
          "at least one element.", result="int64")
reduction(309, "ARGMIN", "biufc", "", "The index, in C order of the reduced axes, of the first smallest element, or of "
          "the first NaN. There must be "
          "at least one element.", result="int64")
reduction(310, "MEAN", "fc", "", "The mean; for integers in float64; NaN for no elements.", ulp=64)
reduction(311, "VAR", "fc", "", "The variance: the mean of |x - mean|^2; correction is "
          "subtracted from the count.", result="real", ulp=256)
reduction(312, "STD", "fc", "", "The standard deviation: the square root of the variance.", result="real", ulp=256)
reduction(313, "NORM", "fc", "", "The Euclidean norm: the square root of the sum of |x|^2, which is computed in "
          "float64 for float32.", result="real", ulp=64)
reduction(314, "LOGSUMEXP", "f", "", "log(sum(exp(x))) without intermediate overflow; -infinity for no elements.",
          ulp=64, reference="special.logsumexp(x)")

# --- scans: body combines a, all before, and b ---

scan(401, "CUMULATIVE_SUM", "iufc", {"iu": "(T)(a + b)", "fc": "a + b"},
     "The running sum along an axis; dtypes as for sum.", identity="(T)0", ulp=256, reference="np.cumsum(x)")
scan(402, "CUMULATIVE_PROD", "iufc", {"iu": "tenon_g_multiply(a, b)", "fc": "a * b"},
     "The running product along an axis; dtypes as for prod.", identity="(T)1", ulp=256, reference="np.cumprod(x)")
scan(403, "CUMULATIVE_MAX", "biufc", {"b": "a || b", "iu": "a > b ? a : b", "f": "a >= b || a != a ? a : b",
                                      "c": "tenon_g_at_least(a, b) || a != a ? a : b"},
     "The running maximum along an axis; NaN from the first one on.", identity="lowest",
     reference="np.maximum.accumulate(x)")
scan(404, "CUMULATIVE_MIN", "biufc", {"b": "a && b", "iu": "a < b ? a : b", "f": "a <= b || a != a ? a : b",
                                      "c": "tenon_g_at_least(b, a) || a != a ? a : b"},
     "The running minimum along an axis; NaN from the first one on.", identity="highest",
     reference="np.minimum.accumulate(x)")
scan(405, "CUMULATIVE_LOGSUMEXP", "f", "tenon_g_logaddexp(a, b)", "The running logsumexp along an axis.",
     identity="(T)-INFINITY", ulp=256, simd=True, reference="np.logaddexp.accumulate(x)")

BY_NAME = {row.name: row for row in ROWS}
assert len({row.code for row in ROWS}) == len(ROWS) == len(BY_NAME)
