"""CUDA's intrinsics on the CPU, compared with exact arithmetic at all ends of their ranges, with each compiler."""

import pathlib
import shutil
from fractions import Fraction

import numpy
import pytest

import tenon

from conftest import ROOT

COMPILERS = [None, "g++"]  # None: Tenon's choice, which is clang if it is available
INDEX = "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
INCLUDES = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"


@pytest.fixture(params=COMPILERS, ids=lambda name: name or "default")
def compiler(request, monkeypatch):
    if request.param:
        if not shutil.which(request.param):
            pytest.skip(f"no {request.param}")
        monkeypatch.setenv("TENON_CXX", request.param)


def run_all(kernels, **options):
    """Runs kernels of one program, each given as (parameters, body, arrays), with one thread per array element."""
    source = INCLUDES + "".join(f'extern "C" __global__ void k{k}({parameters}, int n) {{ {INDEX}\n{body}\n}}\n' for k, (parameters, body, _) in enumerate(kernels))
    program = tenon.Program(source, [f"k{k}" for k in range(len(kernels))], device="cpu:0", **options)
    for k, (_, _, arrays) in enumerate(kernels):
        program[f"k{k}"]((len(arrays[0]) + 255) // 256, 256, [*arrays, len(arrays[0])])


def run(parameters, body, arrays, **options):
    run_all([(parameters, body, arrays)], **options)


# --- directed rounding

class Format:
    def __init__(self, dtype, digits, least):
        self.dtype, self.digits, self.least = numpy.dtype(dtype), digits, least  # least: the exponent of the least normal number
        self.largest = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** (1 - least)


FLOAT, DOUBLE = Format("float32", 24, -126), Format("float64", 53, -1022)


def rounded(value, negative, form, mode):
    """A nonzero number rounded to a format, as defined in IEEE 754."""
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, form.least) - form.digits + 1)
    whole, rest = divmod(size, unit)
    if mode == "rn":
        whole += 2 * rest > unit or (2 * rest == unit and whole % 2 == 1)
    elif rest and (mode == "ru" and not negative or mode == "rd" and negative):
        whole += 1
    size = whole * unit
    if size > form.largest:
        inwards = mode == "rz" or mode == "ru" and negative or mode == "rd" and not negative
        size = form.largest if inwards else numpy.inf
    return -float(size) if negative else float(size)


def signed_zero(negative):
    return -0.0 if negative else 0.0


def exact_sum(terms, negatives, form, mode):
    """The sum of exact terms, or of numbers that are not all finite; negatives: their signs, for zeros."""
    special = [t for t in terms if not isinstance(t, Fraction)]
    if special:
        return special[0] if all(s == special[0] for s in special) else numpy.nan
    total = sum(terms)
    if total:
        return rounded(total, total < 0, form, mode)
    return signed_zero(all(negatives) or (mode == "rd" and any(negatives)))


def exact_product(a, b):
    """The product as a term (a fraction, an infinity or NaN), and its sign."""
    negative = numpy.signbit(a) != numpy.signbit(b)
    if numpy.isnan(a) or numpy.isnan(b) or (numpy.isinf(a) and b == 0) or (a == 0 and numpy.isinf(b)):
        return numpy.nan, negative
    if numpy.isinf(a) or numpy.isinf(b):
        return -numpy.inf if negative else numpy.inf, negative
    return Fraction(float(a)) * Fraction(float(b)), negative


def term(a):
    return Fraction(float(a)) if numpy.isfinite(a) else float(a)


def add(a, b, form, mode):
    return exact_sum([term(a), term(b)], [numpy.signbit(a), numpy.signbit(b)], form, mode)


def multiply(a, b, form, mode):
    product, negative = exact_product(a, b)
    if not isinstance(product, Fraction):
        return product
    return rounded(product, negative, form, mode) if product else signed_zero(negative)


def divide(a, b, form, mode):
    negative = numpy.signbit(a) != numpy.signbit(b)
    if numpy.isnan(a) or numpy.isnan(b) or (numpy.isinf(a) and numpy.isinf(b)) or (a == 0 and b == 0):
        return numpy.nan
    if numpy.isinf(a) or b == 0:
        return -numpy.inf if negative else numpy.inf
    if a == 0 or numpy.isinf(b):
        return signed_zero(negative)
    return rounded(Fraction(float(a)) / Fraction(float(b)), negative, form, mode)


def fma(a, b, c, form, mode):
    product, negative = exact_product(a, b)
    return exact_sum([product, term(c)], [negative, numpy.signbit(c)], form, mode)


def root(a, form, mode):
    if not a > 0:
        return float(a) if a == 0 else numpy.nan
    if numpy.isinf(a):
        return numpy.inf
    low = rounded(Fraction(float(numpy.sqrt(numpy.longdouble(a)).astype(form.dtype))), False, form, "rn")  # off by one unit at most
    exact = Fraction(float(a))
    candidates = [float(numpy.nextafter(form.dtype.type(low), form.dtype.type(to))) for to in (0, numpy.inf)]
    below = max(x for x in (low, *candidates) if Fraction(x) ** 2 <= exact)
    above = min(x for x in (low, *candidates) if Fraction(x) ** 2 >= exact)
    return above if mode == "ru" else below


def edges(form):
    """Each kind of number: zeros, the ends of the denormal and normal ranges, ones, ties, and pairs that overflow."""
    tiny, least, unit = 2.0 ** (form.least - form.digits + 1), 2.0 ** form.least, 2.0 ** (1 - form.digits)
    sizes = [0.0, tiny, 3 * tiny, least - tiny, least, least * (1 + unit), 2.0 ** (form.least // 2), 2.0 ** -form.digits, 0.7, 1.0 - unit / 2,
             1.0, 1.0 + unit, 1.5, 3.0, 2.0 ** form.digits + 1, 2.0 ** (-form.least // 2) * 1.3, float(form.largest) / 2, float(form.largest), numpy.inf]
    return numpy.array([s * size for size in sizes for s in (1, -1)] + [numpy.nan]).astype(form.dtype)


def random_numbers(form, count, seed):
    """Random bits, and operands so close to each other that sums cancel."""
    bits = numpy.random.default_rng(seed).integers(0, 2 ** (8 * form.dtype.itemsize) - 1, count, dtype=f"uint{8 * form.dtype.itemsize}", endpoint=True)
    numbers = bits.view(form.dtype)
    near = numpy.random.default_rng(seed + 1).integers(1, 1 << 24, count).astype(form.dtype) * form.dtype.type(2.0 ** -20)
    return numpy.where(numpy.arange(count) % 2 == 0, numbers, near).astype(form.dtype)


def operands(form, arity, count):
    grid = numpy.meshgrid(*[edges(form)] * arity, indexing="ij")
    columns = [axis.ravel() for axis in grid]
    if len(columns[0]) > 8 * count:  # only a sample of the triples
        chosen = numpy.random.default_rng(5).choice(len(columns[0]), 8 * count, replace=False)
        columns = [column[chosen] for column in columns]
    return [numpy.concatenate([column, random_numbers(form, count, 11 * k)]) for k, column in enumerate(columns)]


OPERATIONS = {  # of float, of double
    "add": ("__fadd", "__dadd", 2, add),
    "sub": ("__fsub", "__dsub", 2, lambda a, b, form, mode: add(a, -b, form, mode)),
    "mul": ("__fmul", "__dmul", 2, multiply),
    "div": ("__fdiv", "__ddiv", 2, divide),
    "rcp": ("__frcp", "__drcp", 1, lambda a, form, mode: divide(form.dtype.type(1), a, form, mode)),
    "sqrt": ("__fsqrt", "__dsqrt", 1, root),
    "fma": ("__fmaf", "__fma", 3, fma),
}
references = {}


def same(got, want):
    """Whether all bits are equal, except for the payload of NaN."""
    kind = f"uint{8 * got.dtype.itemsize}"
    return (got.view(kind) == want.view(kind)) | (numpy.isnan(got) & numpy.isnan(want))


def expect_same(got, want, describe):
    wrong = numpy.flatnonzero(~same(got, want))
    assert not len(wrong), f"{len(wrong)} of {len(got)} are wrong, the first: " + "; ".join(describe(i) + f" is {got[i]!r}, exactly {want[i]!r}" for i in wrong[:5])


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=["float", "double"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic_with_a_direction_is_exact_over_the_whole_range(compiler, name, form):
    of_float, of_double, arity, reference = OPERATIONS[name]
    prefix = of_float if form is FLOAT else of_double
    x = operands(form, arity, 200)
    modes = ("rn", "rz", "ru", "rd")
    key = name, form.dtype
    if key not in references:
        with numpy.errstate(all="ignore"):
            references[key] = {mode: numpy.array([reference(*row, form, mode) for row in zip(*x)]).astype(form.dtype) for mode in modes if (name, mode) != ("sqrt", "rn")}
    ctype = "float" if form is FLOAT else "double"
    out = [numpy.zeros_like(x[0]) for _ in modes]
    names = "abc"[:arity]
    run(", ".join(f"const {ctype}* {v}" for v in names) + "".join(f", {ctype}* {mode}" for mode in modes),
        "\n".join(f"{mode}[i] = {prefix}_{mode}({', '.join(f'{v}[i]' for v in names)});" for mode in modes), [*x, *out])
    for mode, got in zip(modes, out):
        if mode in references[key]:
            expect_same(got, references[key][mode], lambda i: f"{prefix}_{mode}({', '.join(repr(float(v[i])) for v in x)})")


def test_division_to_nearest_is_exact_with_fast_math(compiler):
    a, b, c = operands(FLOAT, 3, 300)
    first, second = numpy.zeros_like(a), numpy.zeros_like(a)
    run("const float* a, const float* b, const float* c, float* p, float* q", "p[i] = __fdiv_rn(a[i], b[i]); q[i] = __fdiv_rn(c[i], b[i]);",
        [a, b, c, first, second], fast_math=True)
    with numpy.errstate(all="ignore"):
        for got, x in ((first, a), (second, c)):
            expect_same(got, x / b, lambda i: f"__fdiv_rn({x[i]!r}, {b[i]!r})")


def test_double_to_float_with_a_direction(compiler):
    x = numpy.concatenate([edges(DOUBLE), edges(FLOAT).astype("float64"), random_numbers(DOUBLE, 2000, 3),
                           random_numbers(FLOAT, 4000, 4).astype("float64") * (1 + 2.0 ** -30), [3.4028235677973366e38, 3.4028235677973362e38]])
    modes = ("rn", "rz", "ru", "rd")
    out = [numpy.zeros(len(x), "float32") for _ in modes]
    run("const double* x, float* rn, float* rz, float* ru, float* rd", "".join(f"{m}[i] = __double2float_{m}(x[i]);" for m in modes), [x, *out])
    for mode, got in zip(modes, out):
        want = [rounded(Fraction(v), v < 0, FLOAT, mode) if numpy.isfinite(v) and v else v for v in x.tolist()]
        expect_same(got, numpy.array(want).astype("float32"), lambda i: f"__double2float_{mode}({float(x[i])!r})")


# --- to integers and back

WHOLE = {"int": ("int", -2**31, 2**31 - 1), "uint": ("unsigned", 0, 2**32 - 1), "ll": ("long long", -2**63, 2**63 - 1),
         "ull": ("unsigned long long", 0, 2**64 - 1), "short": ("short", -2**15, 2**15 - 1), "ushort": ("unsigned short", 0, 2**16 - 1)}
BYTES = {"char": ("signed char", -128, 127), "uchar": ("unsigned char", 0, 255)}
DIRECTIONS = {"rn": numpy.rint, "rz": numpy.trunc, "ru": numpy.ceil, "rd": numpy.floor}


def whole_dtype(low, high):
    return numpy.dtype(f"{'i' if low else 'u'}{(high.bit_length() + 7) // 8}")


def expect_whole(got, x, mode, low, high, strange, name):
    with numpy.errstate(invalid="ignore"):
        whole = DIRECTIONS[mode](x.astype("float64"))
        want = whole.astype(got.dtype)
    want[whole <= low], want[whole >= high], want[numpy.isnan(whole)] = low, high, strange
    wrong = numpy.flatnonzero(got != want)
    assert not len(wrong), f"{len(wrong)} wrong, the first: {name}_{mode}({x[wrong[0]]!r}) is {got[wrong[0]]}, exactly {want[wrong[0]]}"


def strange_integer(low, high, wide):
    """The conversion of NaN to an integer in PTX: 0, or only the highest bit set if one of the types has 64 bits."""
    bits = high.bit_length() + (low < 0)
    return 0 if not wide and bits < 64 else low if low else 1 << (bits - 1)


@pytest.mark.parametrize("source", ["float", "double"])
def test_numbers_become_the_nearest_integer_of_the_type(compiler, source):
    form = FLOAT if source == "float" else DOUBLE
    around = [sign * (2.0 ** e + d) for e in (15, 16, 31, 32, 52, 63, 64) for d in (-1.5, -1, -0.5, 0, 0.5, 1, 1.5) for sign in (1, -1)]
    x = numpy.concatenate([edges(form), numpy.array(around).astype(form.dtype), numpy.arange(-3, 3, 0.25).astype(form.dtype)])
    with numpy.errstate(all="ignore"):
        x = numpy.concatenate([x, random_numbers(form, 1000, 9)])
    integers = {name: row for name, row in WHOLE.items() if "short" not in name}
    out = {name: [numpy.zeros(len(x), whole_dtype(*row[1:])) for _ in DIRECTIONS] for name, row in integers.items()}
    run_all([(f"const {source}* x" + "".join(f", {row[0]}* {m}" for m in DIRECTIONS), "".join(f"{m}[i] = __{source}2{name}_{m}(x[i]);" for m in DIRECTIONS),
              [x, *out[name]]) for name, row in integers.items()])
    for name, (_, low, high) in integers.items():
        for mode, got in zip(DIRECTIONS, out[name]):
            expect_whole(got, x, mode, low, high, strange_integer(low, high, source == "double"), f"__{source}2{name}")
    lrint, llround = numpy.zeros(len(x), "int64"), numpy.zeros(len(x), "int64")
    suffix = "f" if source == "float" else ""
    run(f"const {source}* x, long* a, long long* b", f"a[i] = lrint{suffix}(x[i]); b[i] = llround{suffix}(trunc(x[i]));", [x, lrint, llround])
    expect_whole(lrint, x, "rn", -2**63, 2**63 - 1, -2**63, "lrint")
    expect_whole(llround, x, "rz", -2**63, 2**63 - 1, -2**63, "llround")


SMALL = {"half": ("half", "__half", numpy.arange(65536).astype("uint16").view("float16").astype("float64")),
         "bfloat16": ("bfloat16", "__nv_bfloat16", (numpy.arange(65536, dtype="uint32") << 16).view("float32").astype("float64"))}


@pytest.mark.parametrize("kind", SMALL)
def test_each_small_number_becomes_the_nearest_integer_of_the_type(compiler, kind):
    word, ctype, x = SMALL[kind]
    bits = numpy.arange(65536).astype("uint16")
    integers = {**WHOLE, **BYTES}
    modes = {name: ["rz"] if name in BYTES else list(DIRECTIONS) for name in integers}
    out = {name: [numpy.zeros(65536, whole_dtype(*row[1:])) for _ in modes[name]] for name, row in integers.items()}
    run_all([("const unsigned short* x" + "".join(f", {row[0]}* {m}" for m in modes[name]),
              f"const {ctype} v = __ushort_as_{word}(x[i]);" + "".join(f"{m}[i] = __{word}2{name}_{m}(v);" for m in modes[name]), [bits, *out[name]])
             for name, row in integers.items()])
    for name, (_, low, high) in integers.items():
        for mode, got in zip(modes[name], out[name]):
            expect_whole(got, x, mode, low, high, strange_integer(low, high, False), f"__{word}2{name}")


SMALL_FORMS = {"half": Format("float16", 11, -14), "bfloat16": Format("float32", 8, -126)}


def small_values(kind, bits):
    return SMALL[kind][2][bits]


@pytest.mark.parametrize("kind", SMALL_FORMS)
def test_integers_become_small_numbers_rounded_once(compiler, kind):
    word, ctype, _ = SMALL[kind]
    form = SMALL_FORMS[kind]
    random = numpy.random.default_rng(3)
    modes = ("rn", "rz", "ru", "rd")
    x, out = {}, {}
    for name, (_, low, high) in WHOLE.items():
        points = [0, 1, -1, low, low + 1, high, high - 1, 16777217, 2**62 + 2**54 + 1, 2**62 + 2**54, 2**62 + 2**54 - 1, 65504, 65519, 65520, 2049, 4097]
        points += [s * (2**e + 2 ** max(e - k, 0) + d) for e in range(0, 64, 3) for k in (8, 9, 11, 12) for d in (-1, 0, 1) for s in (1, -1)]
        points += random.integers(low, high, 100, dtype=whole_dtype(low, high), endpoint=True).tolist()
        x[name] = numpy.array([p for p in points if low <= p <= high], whole_dtype(low, high))
        out[name] = [numpy.zeros(len(x[name]), "uint16") for _ in modes]
    run_all([(f"const {row[0]}* x" + "".join(f", unsigned short* {m}" for m in modes),
              "".join(f"{m}[i] = __{word}_as_ushort(__{name}2{word}_{m}(x[i]));" for m in modes), [x[name], *out[name]]) for name, row in WHOLE.items()])
    for name in WHOLE:
        for mode, got in zip(modes, out[name]):
            want = numpy.array([rounded(Fraction(int(v)), int(v) < 0, form, mode) if v else 0.0 for v in x[name]])
            expect_same(small_values(kind, got), want, lambda i: f"__{name}2{word}_{mode}({x[name][i]})")


@pytest.mark.parametrize("kind", SMALL_FORMS)
def test_fused_products_of_small_numbers_are_rounded_once(compiler, kind):
    word, ctype, values = SMALL[kind]
    form = SMALL_FORMS[kind]
    finite = numpy.flatnonzero(numpy.isfinite(values))
    random = numpy.random.default_rng(8)
    a, b, c = (random.choice(finite, 4000).astype("uint16") for _ in range(3))
    ones = {"half": 0x3c00, "bfloat16": 0x3f80}[kind]
    # Products next to ties, and a third operand that is far smaller.
    for at in range(2000):
        a[at], b[at] = ones + random.integers(0, 128), ones + random.integers(0, 128)
        c[at] = random.choice([1, 2, ones // 8, ones // 4, ones // 2]) | random.choice([0, 0x8000])
    if kind == "bfloat16":
        a[0], b[0], c[0] = 0x4040, 0x42ae, 0x2180  # 3 * 87 + 2^-60
    out = numpy.zeros(len(a), "uint16")
    run("const unsigned short* a, const unsigned short* b, const unsigned short* c, unsigned short* out",
        f"out[i] = __{word}_as_ushort(__hfma(__ushort_as_{word}(a[i]), __ushort_as_{word}(b[i]), __ushort_as_{word}(c[i])));", [a, b, c, out])
    want = numpy.array([fma(values[x], values[y], values[z], form, "rn") for x, y, z in zip(a, b, c)])
    expect_same(small_values(kind, out), want, lambda i: f"__hfma({values[a[i]]}, {values[b[i]]}, {values[c[i]]})")


def test_nan_of_half_is_the_canonical_one(compiler):
    out = numpy.zeros(3, "uint16")
    run("unsigned short* out", "out[i] = __half_as_ushort(i == 0 ? __float2half(nanf(\"\")) : i == 1 ? __double2half(nan(\"\")) : __float2half_rz(nanf(\"\")));", [out])
    assert out.tolist() == [0x7fff] * 3


# --- special values, as in CUDA's headers

INF, NAN = numpy.inf, numpy.nan
SPECIAL = [  # the expression of float a, b, c, their values, the result
    ("norm3df(a, b, c)", INF, NAN, 1, INF), ("norm3df(a, b, c)", NAN, 1, -INF, INF), ("norm3df(a, b, c)", NAN, 1, 2, NAN),
    ("norm4df(a, b, c, 1.0f)", NAN, -INF, 1, INF), ("rnorm3df(a, b, c)", INF, NAN, 1, 0.0), ("rnorm4df(a, b, c, 1.0f)", NAN, INF, 1, 0.0),
    ("rnorm3df(a, b, c)", NAN, 1, 1, NAN), ("rhypotf(a, b)", INF, NAN, 0, 0.0), ("rhypotf(a, b)", NAN, 1, 0, NAN), ("hypotf(a, b)", NAN, INF, 0, INF),
    ("({ const float v[] = {a, b, c}; normf(3, v); })", NAN, INF, 0, INF), ("({ const float v[] = {a, b, c}; normf(3, v); })", NAN, 1, 0, NAN),
    ("({ const float v[] = {a, b, c}; rnormf(3, v); })", NAN, INF, 0, 0.0), ("({ const float v[] = {a, b, c}; rnormf(3, v); })", 3, 4, 0, 0.2),
    ("({ const double v[] = {a, b, c}; norm(1, v); })", NAN, 0, 0, NAN), ("({ const double v[] = {a, b, c}; norm(3, v); })", NAN, 1, -INF, INF),
    ("({ const double v[] = {a, b, c}; norm(3, v); })", 1, NAN, 2, NAN), ("({ const double v[] = {a, b, c}; rnorm(3, v); })", 1, NAN, INF, 0.0),
    ("({ const double v[] = {a, b, c}; norm(3, v); })", 0, 0, 0, 0.0), ("({ const double v[] = {a, b, c}; rnorm(3, v); })", 0, 0, 0, INF),
    ("norm3d(a, b, c)", NAN, INF, 1, INF), ("norm4d(a, b, c, 1.0)", NAN, 2, INF, INF), ("rnorm3d(a, b, c)", NAN, INF, 1, 0.0),
    ("rnorm4d(a, b, c, 1.0)", NAN, 2, INF, 0.0), ("rnorm3d(a, b, c)", NAN, 2, 1, NAN), ("rhypot((double)a, (double)b)", NAN, -INF, 1, 0.0),
    ("rnorm3d(1.5e308 * a, 1.5e308, 1.5e308) * 1e308 / 3.8490017945975053e-1", 1, 0, 0, 1.0),
    ("rnorm4d(1.5e308 * a, 1.5e308, 1.5e308, 1.5e308) * 1e308 * 3", 1, 0, 0, 1.0),
    ("({ const double v[] = {1.5e308 * a, 1.5e308, 1.5e308, 1.5e308}; rnorm(4, v); }) * 1e308 * 3", 1, 0, 0, 1.0),
    ("fmaxf(a, b)", -0.0, 0.0, 0, 0.0), ("fmaxf(a, b)", 0.0, -0.0, 0, 0.0), ("fminf(a, b)", 0.0, -0.0, 0, -0.0), ("fminf(a, b)", -0.0, 0.0, 0, -0.0),
    ("fmaxf(a, b)", -0.0, -0.0, 0, -0.0), ("fminf(a, b)", 0.0, 0.0, 0, 0.0), ("fmaxf(a, b)", NAN, -2, 0, -2), ("fmaxf(a, b)", -2, NAN, 0, -2),
    ("fminf(a, b)", NAN, -2, 0, -2), ("fminf(a, b)", 3, NAN, 0, 3), ("fmaxf(a, b)", NAN, NAN, 0, NAN), ("fmaxf(a, b)", 2, 1, 0, 2), ("fminf(a, b)", 2, 1, 0, 1),
    ("fmaxf(a, b)", -INF, INF, 0, INF), ("fminf(a, b)", -INF, INF, 0, -INF), ("max(a, b)", -0.0, 0.0, 0, 0.0), ("min(a, b)", 0.0, -0.0, 0, -0.0),
    ("fmax((double)a, (double)b)", -0.0, 0.0, 0, 0.0), ("fmin((double)a, (double)b)", 0.0, -0.0, 0, -0.0), ("fmax((double)a, (double)b)", NAN, -2, 0, -2),
    *[(f"__half2float({f}(__float2half(a), __float2half(b)))", x, y, 0, 0.0 if "max" in f else -0.0)
      for f in ("__hmax", "__hmin", "__hmax_nan", "__hmin_nan") for x, y in ((0.0, -0.0), (-0.0, 0.0))],
    *[(f"__bfloat162float({f}(__float2bfloat16(a), __float2bfloat16(b)))", x, y, 0, 0.0 if "max" in f else -0.0)
      for f in ("__hmax", "__hmin", "__hmax_nan", "__hmin_nan") for x, y in ((0.0, -0.0), (-0.0, 0.0))],
    ("__half2float(__hmax_nan(__float2half(a), __float2half(b)))", NAN, 1, 0, NAN), ("__half2float(__hmax(__float2half(a), __float2half(b)))", NAN, 1, 0, 1),
    ("tanhf(a)", -0.0, 0, 0, -0.0), ("tanhf(a)", 0.0, 0, 0, 0.0), ("__tanhf(a)", -0.0, 0, 0, -0.0), ("__half2float(htanh(__float2half(a)))", -0.0, 0, 0, -0.0),
    ("tanhf(a)", -INF, 0, 0, -1), ("tanhf(a)", NAN, 0, 0, NAN), ("tanh((double)a)", -0.0, 0, 0, -0.0),
    ("cyl_bessel_i1f(a)", -0.0, 0, 0, -0.0), ("cyl_bessel_i1((double)a)", -0.0, 0, 0, -0.0), ("cyl_bessel_i1f(a)", -INF, 0, 0, -INF), ("cyl_bessel_i1f(a)", 0.0, 0, 0, 0.0),
    ("jnf(-1, a)", 1, 0, 0, NAN), ("ynf(-1, a)", 1, 0, 0, NAN), ("jn(-2, (double)a)", 1, 0, 0, NAN), ("yn(-3, (double)a)", 1, 0, 0, NAN),
    ("jnf(2, a)", 0.0, 0, 0, 0.0), ("ynf(2, a)", 0.0, 0, 0, -INF), ("normcdfinv((double)a)", 0.5, 0, 0, 0.0), ("normcdfinvf(a)", 0.5, 0, 0, 0.0),
    ("__half2float(__hfma_relu(__float2half(a), __float2half(b), __float2half(c)))", NAN, 1, 1, NAN),
    ("__half2float(__hfma_relu(__float2half(a), __float2half(b), __float2half(c)))", -1, 1, 0, 0.0),
    ("__bfloat162float(__hfma_relu(__float2bfloat16(a), __float2bfloat16(b), __float2bfloat16(c)))", 1, NAN, 1, NAN),
    ("__half2float(__hfma_sat(__float2half(a), __float2half(b), __float2half(c)))", NAN, 1, 1, 0.0),
]


def test_special_values_are_those_of_cudas_headers(compiler):
    rows = numpy.array([row[1:] for row in SPECIAL], "float32")
    a, b, c, want = (numpy.ascontiguousarray(column) for column in rows.T)
    out = numpy.zeros(len(rows), "float32")
    cases = "".join(f"case {k}: out[i] = (float)({row[0]}); break;\n" for k, row in enumerate(SPECIAL))
    run("const float* x, const float* y, const float* z, float* out", f"const float a = x[i], b = y[i], c = z[i];\nswitch (i) {{\n{cases}}}", [a, b, c, out])
    close = numpy.isclose(out, want, rtol=1e-6, atol=0) & (want != 0) & numpy.isfinite(want)
    wrong = [f"{SPECIAL[k][0]} of {SPECIAL[k][1:4]} is {out[k]}, not {want[k]}" for k in numpy.flatnonzero(~same(out, want) & ~close)]
    assert not wrong, "\n".join(wrong)


# --- integers

def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def dot_of_bytes(a, b, c, sign):
    lane = (lambda x, k: signed(x >> 8 * k, 8)) if sign else (lambda x, k: x >> 8 * k & 255)
    return c + sum(lane(a, k) * lane(b, k) for k in range(4))


def dot_of_halves(a, b, c, sign, high):
    half = (lambda x, k: signed(x >> 16 * k, 16)) if sign else (lambda x, k: x >> 16 * k & 65535)
    byte = (lambda x, k: signed(x >> 8 * k, 8)) if sign else (lambda x, k: x >> 8 * k & 255)
    return c + sum(half(a, k) * byte(b, k + 2 * high) for k in range(2))


DOTS = [("__dp4a({0}, {1}, {2})", dot_of_bytes, ()), ("__dp2a_lo({0}, {1}, {2})", dot_of_halves, (False,)), ("__dp2a_hi({0}, {1}, {2})", dot_of_halves, (True,))]


@pytest.mark.parametrize("mode", ["fast", "check"])
def test_dot_products_of_bytes_wrap_in_all_their_overloads(compiler, mode):
    corners = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7f7f7f7f, 0x80808080, 0x80008000, 0x7fff7fff, 0x7fffffff, 0x80000000, 0xffffffff]
    grid = numpy.meshgrid(corners, corners, [0, 1, 0x7fffffff, 0x80000000, 0xffffffff], indexing="ij")
    extra = numpy.random.default_rng(2).integers(0, 2**32, (3, 500))
    a, b, c = (numpy.concatenate([axis.ravel(), more]).astype("uint32") for axis, more in zip(grid, extra))
    for call, reference, more in DOTS:
        first = "char4" if "dp4a" in call else "short2"
        forms = [(True, call.format("(int)a[i]", "(int)b[i]", "(int)c[i]")), (False, call.format("a[i]", "b[i]", "c[i]")),
                 (True, call.format(f"*({first}*)&x", "*(char4*)&y", "(int)c[i]")), (False, call.format(f"*(u{first}*)&x", "*(uchar4*)&y", "c[i]"))]
        out = [numpy.zeros(len(a), "uint32") for _ in forms]
        run("const unsigned* a, const unsigned* b, const unsigned* c, unsigned* p, unsigned* q, unsigned* r, unsigned* s",
            "unsigned x = a[i], y = b[i]; (void)x, (void)y;" + "".join(f"{name}[i] = (unsigned){text};" for name, (_, text) in zip("pqrs", forms)), [a, b, c, *out], mode=mode)
        for (sign, text), got in zip(forms, out):
            want = numpy.array([reference(int(x), int(y), int(z), sign, *more) & 0xffffffff for x, y, z in zip(a, b, c)], "uint32")
            wrong = numpy.flatnonzero(got != want)
            assert not len(wrong), f"{text}: {a[wrong[0]]:#x}, {b[wrong[0]]:#x}, {c[wrong[0]]:#x} gives {got[wrong[0]]:#x}, exactly {want[wrong[0]]:#x}"


@pytest.mark.parametrize("mode", ["fast", "check", "debug"])
def test_what_is_defined_to_wrap_wraps_in_every_mode(compiler, mode):
    low, wide_low = -2**31, -2**63
    x, wide = numpy.array([low], "int32"), numpy.array([wide_low], "int64")
    small, large = numpy.zeros(10, "int32"), numpy.zeros(6, "int64")
    memory = numpy.array([2**31 - 1, low, 2**31 - 1, low], "int32")
    run("const int* x, const long long* w, int* s, long long* l, int* m", """
        s[0] = abs(x[i]), s[1] = abs(x[i]) < 0, s[2] = atomicAdd_block(m, 1), s[3] = atomicSub_block(m + 1, 1);
        s[4] = atomicAdd(m + 2, 1), s[5] = atomicSub(m + 3, 1), s[6] = (int)__fns(5u, 31u, x[i]), s[7] = (int)__sad(x[i], 2147483647, 1u);
        s[8] = (int)__vabs2(0x80008000u), s[9] = __viaddmax_s32(x[i], -1, 5);
        l[0] = abs(x[i]), l[1] = llabs(w[i]), l[2] = labs((long)w[i]), l[3] = abs(w[i]) < 0, l[4] = abs((long)w[i]), l[5] = abs(-5);""",
        [x, wide, small, large, memory], mode=mode)
    assert small.tolist() == [low, 1, 2**31 - 1, low, 2**31 - 1, low, -1, 0, -2147450880, 2**31 - 1]
    assert large.tolist() == [low, wide_low, wide_low, 1, wide_low, 5]
    assert memory.tolist() == [low, 2**31 - 1, low, 2**31 - 1]


def test_printf_returns_the_number_of_arguments(compiler, capfd):
    out = numpy.full(6, -9, "int32")
    run("int* out", """
        if (i) return;
        out[0] = printf("hello %d %d\\n", 1, 2); out[1] = printf("hello\\n"); out[2] = printf("100%% %s %c %5.2f\\n", "text", 'x', 1.5);
        const char* nothing = out[3] == -9 ? 0 : "text"; out[3] = printf(nothing, 0);
        out[4] = printf("%*d %-8.3lld %%\\n", 4, 7, 8ll); out[5] = printf("%p %lu %hhx\\n", (void*)0, 5ul, 3);""", [out])
    assert out.tolist() == [2, 0, 3, -1, 3, 3]


# --- headers

SHIM = ROOT / "src/backend/cpu/shim"


def headers():
    """The names by which kernels include the CPU's own headers."""
    empty = (SHIM / "empty_headers.txt").read_text().split()
    parts = [part for part in SHIM.iterdir() if part.is_dir() and part.name != "cccl"]
    files = [path.relative_to(part).as_posix() for part in parts for path in part.rglob("*") if path.is_file()]
    return sorted({*empty, *(name for name in files if not pathlib.PurePath(name).name.startswith("tenon_"))})


@pytest.mark.parametrize("backwards", [False, True])
def test_every_header_is_found_whatever_comes_before_it(compiler, backwards):
    names = headers()[:: -1 if backwards else 1]
    assert {"climits", "cuda_fp16.h", "cuda/std/limits", "cooperative_groups.h"} <= set(names)
    source = "".join(f"#include <{name}>\n" for name in names)
    program = tenon.Program(source + """
__global__ void ranges(long long* out) {
  out[0] = INT_MAX, out[1] = SHRT_MIN, out[2] = LLONG_MAX, out[3] = CHAR_BIT, out[4] = std::numeric_limits<int>::min();
}""", ["ranges"], device="cpu:0")
    out = numpy.zeros(5, dtype="int64")
    program["ranges"](1, 1, [out])
    assert out.tolist() == [2**31 - 1, -(2**15), 2**63 - 1, 8, -(2**31)]
