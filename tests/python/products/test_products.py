"""Products of float8, epilogues that CUDA fuses with the product, and measured algorithms."""

import itertools
import math
import os

import numpy
import pytest

import tenon
from conftest import eps, on, run_python, sample

# --- float8, by its definition ---

def float8_values(exponent_bits, ieee):
    """The values of the 256 codes. ieee: exponents of all ones are infinity or NaN; otherwise only a code of all ones
    is NaN."""
    codes = numpy.arange(256)
    fraction_bits = 7 - exponent_bits
    fraction, exponent = codes % 2**fraction_bits, codes // 2**fraction_bits % 2**exponent_bits
    top, bias = 2**exponent_bits - 1, 2**(exponent_bits - 1) - 1
    value = numpy.where(exponent == 0, numpy.ldexp(fraction / 2**fraction_bits, 1 - bias), numpy.ldexp(1 + fraction / 2**fraction_bits, exponent - bias))
    if ieee:
        value = numpy.where(exponent == top, numpy.where(fraction == 0, numpy.inf, numpy.nan), value)
    else:
        value = numpy.where(codes % 128 == 127, numpy.nan, value)
    return numpy.where(codes < 128, value, -value)


VALUES = {"float8_e4m3fn": float8_values(4, False), "float8_e5m2": float8_values(5, True)}
PAIRS = [("float8_e4m3fn", "float8_e4m3fn"), ("float8_e4m3fn", "float8_e5m2"), ("float8_e5m2", "float8_e4m3fn")]


@pytest.fixture
def device8(device):
    if device.kind == "cuda":
        major, minor = device.info["compute_major"], device.info["compute_minor"]
        if (major, minor) < (8, 9):
            pytest.skip(f"compute capability {major}.{minor} has no float8")
    return device


def codes(random, shape, dtype):
    """Random codes of moderate numbers."""
    moderate = numpy.flatnonzero(numpy.abs(VALUES[dtype]) <= 4).astype("uint8")
    return random.choice(moderate, shape)


def there(device, host, dtype):
    return on(device, host).view(dtype)


def unit(device, c):
    """The rounding unit of a sum of float8 products. Tensor cores align 32 products to the largest, with about 13 bits,
    before adding them."""
    return (2.0**-8 if device.kind == "cuda" else 2.0**-23) + {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 0}[c]


def check(device, got, c, left, right, alpha=1.0, beta=0.0, before=0.0):
    exact = alpha * (left @ right) + beta * before
    size = abs(alpha) * (numpy.abs(left) @ numpy.abs(right)) + numpy.abs(beta * before)
    steps = 1 if device.kind == "cuda" else left.shape[-1] + 3
    bound = unit(device, c) * size + (steps - 1) * 2.0**-23 * size + 1e-7
    assert numpy.all(numpy.abs(got.astype("float64").numpy() - exact) <= bound)


def test_float8_codes_mean_what_ml_dtypes_says():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    for name, values in VALUES.items():
        numpy.testing.assert_array_equal(numpy.arange(256, dtype="uint8").view(getattr(ml_dtypes, name)).astype("float64"), values)


@pytest.mark.parametrize("first, second", PAIRS)
@pytest.mark.parametrize("c", ["float32", "float16", "bfloat16"])
def test_every_pair_of_float8_codes_is_multiplied_exactly(device8, first, second, c):
    every = numpy.arange(256, dtype="uint8")
    a, b = there(device8, every[:, None], first), there(device8, every[None, :], second)
    with numpy.errstate(all="ignore"):
        exact = (VALUES[first][:, None] * VALUES[second][None, :]).astype("float32")  # at most 8 bits
        want = exact.astype("float16").astype("float32") if c == "float16" else exact
    got = tenon.gemm(a, b, dtype=c)
    assert got.dtype == c and got.shape == (256, 256)
    if c == "bfloat16":  # the same exponents as float32, 8 bits
        assert exact.dtype == "float32"
    numpy.testing.assert_array_equal(got.astype("float32").numpy(), want)


LAYOUTS = {
    "as it is": lambda x: x,
    "transposed": lambda x: x.mT if isinstance(x, tenon.Array) else x.T,
    "columns skipped": lambda x: x[..., :, ::3],
}


@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (5, 7, 3), (64, 64, 64), (65, 33, 129), (16, 32, 1040), (300, 20, 9), (1, 48, 256)])
@pytest.mark.parametrize("left", LAYOUTS)
@pytest.mark.parametrize("right", LAYOUTS)
def test_float8_products_of_any_size_and_layout(device8, random, m, n, k, left, right):
    def operand(rows, cols, layout, dtype):
        shape = {"transposed": (cols, rows), "columns skipped": (rows, 3 * cols - 2)}.get(layout, (rows, cols))
        host = codes(random, shape, dtype)
        return LAYOUTS[layout](there(device8, host, dtype)), VALUES[dtype][LAYOUTS[layout](host)]

    (a, x), (b, y) = operand(m, k, left, "float8_e4m3fn"), operand(k, n, right, "float8_e5m2")
    check(device8, tenon.gemm(a, b), "float32", x, y)


@pytest.mark.parametrize("c", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("view", ["as it is", "transposed"])
def test_float8_products_scale_and_add_into_views(device8, random, c, view):
    for m, n, k in [(32, 48, 64), (6, 10, 20)]:
        x, y = codes(random, (3, m, k), "float8_e4m3fn"), codes(random, (k, n), "float8_e4m3fn")
        before = sample(random, (3, n, m) if view == "transposed" else (3, m, n), "float32")
        result = on(device8, before).astype(c)
        start = result.astype("float64").numpy()
        shown = result.mT if view == "transposed" else result
        tenon.gemm(there(device8, x, "float8_e4m3fn"), there(device8, y, "float8_e4m3fn"), shown, alpha=0.5, beta=-2)
        start = numpy.swapaxes(start, -1, -2) if view == "transposed" else start
        check(device8, shown, c, VALUES["float8_e4m3fn"][x], VALUES["float8_e4m3fn"][y], 0.5, -2.0, start)


@pytest.mark.parametrize("first, second", [((4, 32, 64), (4, 64, 16)), ((3, 16, 32), (32, 48)), ((4, 5, 7), (7, 3)), ((5, 7), (4, 7, 3)), ((2, 1, 16, 32), (3, 32, 16))])
def test_float8_batches_broadcast(device8, random, first, second):
    x, y = codes(random, first, "float8_e5m2"), codes(random, second, "float8_e4m3fn")
    got = there(device8, x, "float8_e5m2") @ there(device8, y, "float8_e4m3fn")
    check(device8, got, "float32", VALUES["float8_e5m2"][x], VALUES["float8_e4m3fn"][y])
    turned = numpy.ascontiguousarray(numpy.swapaxes(y, -1, -2))  # k has unit stride, as CUDA requires
    got = there(device8, x, "float8_e5m2") @ there(device8, turned, "float8_e4m3fn").mT
    check(device8, got, "float32", VALUES["float8_e5m2"][x], VALUES["float8_e4m3fn"][y])


def gelu(x):
    return 0.5 * x * (1 + numpy.tanh((2 / numpy.pi) ** .5 * (x + 0.044715 * x ** 3)))


EPILOGUES = {"none": lambda x: x, "relu": lambda x: numpy.maximum(x, 0), "gelu": gelu}


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("c", ["float32", "float16", "bfloat16"])
def test_float8_with_a_bias_and_an_epilogue(device8, random, c, biased, epilogue):
    for m, n, k in [(32, 48, 64), (7, 10, 20)]:
        x, y = codes(random, (m, k), "float8_e4m3fn"), codes(random, (n, k), "float8_e4m3fn")
        bias = on(device8, sample(random, (n,), "float32")).astype(c)
        got = tenon.matmul(there(device8, x, "float8_e4m3fn"), there(device8, y, "float8_e4m3fn").mT, dtype=c,
                           bias=bias if biased else None, epilogue=epilogue).astype("float64").numpy()
        left, right = VALUES["float8_e4m3fn"][x], VALUES["float8_e4m3fn"][y].T
        exact = EPILOGUES[epilogue](left @ right + (bias.astype("float64").numpy() if biased else 0))
        rounding = {"float16": 2.0**-9, "bfloat16": 2.0**-6, "float32": 2.0**-20}[c]
        sums = 2 * unit(device8, "float32") * (numpy.abs(left) @ numpy.abs(right)).max()
        assert numpy.all(numpy.abs(got - exact) <= rounding * (1 + numpy.abs(exact)) + sums)


def test_float8_without_terms_and_into_a_recording(device8, random):
    a, b = there(device8, numpy.zeros((3, 0), "uint8"), "float8_e4m3fn"), there(device8, numpy.zeros((0, 4), "uint8"), "float8_e5m2")
    c = tenon.ones((3, 4), "float16", device=device8)
    tenon.gemm(a, b, c, beta=3)
    assert numpy.all(c.numpy() == 3) and numpy.all((a @ b).numpy() == 0)
    x, y = codes(random, (20, 50), "float8_e4m3fn"), codes(random, (50, 30), "float8_e4m3fn")
    p, q, out = there(device8, x, "float8_e4m3fn"), there(device8, y, "float8_e4m3fn"), tenon.empty((20, 30), "float32", device=device8)
    with tenon.Graph(device8) as graph:
        tenon.gemm(p, q, out, stream=graph)
    for _ in range(2):
        out[...] = numpy.float32(7)
        graph.launch()
        check(device8, out, "float32", VALUES["float8_e4m3fn"][x], VALUES["float8_e4m3fn"][y])


@pytest.mark.parametrize("a, b, c, text", [
    ("float8_e5m2", "float8_e5m2", "float32", "both float8_e5m2"),
    ("float8_e4m3fn", "float16", "float32", "can be combined with each other"),
    ("float32", "float8_e4m3fn", "float32", "can be combined with each other"),
    ("float8_e4m3fn", "float8_e4m3fn", "float64", "float16, bfloat16 or float32"),
    ("float8_e4m3fn", "float8_e4m3fn", "float8_e4m3fn", "float16, bfloat16 or float32"),
    ("float8_e4m3fnuz", "float8_e4m3fnuz", "float32", "no product of float8_e4m3fnuz"),
])
def test_float8_with_unsupported_operands_is_refused(device, a, b, c, text):
    with pytest.raises(TypeError, match=text):
        tenon.gemm(tenon.empty((16, 16), a, device=device), tenon.empty((16, 16), b, device=device), dtype=c)
    with pytest.raises(TypeError, match="c float32"):
        tenon.gemm(tenon.empty((2, 2), "float16", device=device), tenon.empty((2, 2), "float16", device=device), dtype="float64")


def test_float8_has_no_imaginary_scale_and_no_bias_of_another_dtype(device):
    x = tenon.empty((16, 16), "float8_e4m3fn", device=device)
    with pytest.raises(ValueError, match="imaginary"):
        tenon.gemm(x, x.mT, alpha=1j)
    with pytest.raises(TypeError, match="it must have shape"):
        tenon.gemm(x, x.mT, dtype="float16", bias=tenon.zeros((16,), "float32", device=device))


# --- epilogues ---

def bits_of(c):
    return 2.0 ** -7 if c == "bfloat16" else eps(c)


@pytest.mark.parametrize("operands, c", [("float16", "float16"), ("bfloat16", "bfloat16"), ("float32", "float32"), ("float16", "float32"),
                                         ("bfloat16", "float32"), ("float64", "float64")])
@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("m, n, k, batch", [(64, 128, 96, ()), (33, 17, 50, ()), (16, 24, 40, (3,)), (1, 512, 64, ())])
def test_epilogues_of_every_dtype_shape_and_form(device, random, operands, c, epilogue, m, n, k, batch):
    a, b = (on(device, sample(random, shape, "float32") / 4).astype(operands) for shape in (batch + (m, k), batch + (k, n)))
    bias = on(device, sample(random, (n + 1,), "float32")).astype(c)
    wide = (a.astype("float64").numpy() @ b.astype("float64").numpy())
    size = numpy.abs(a.astype("float64").numpy()) @ numpy.abs(b.astype("float64").numpy())
    start = on(device, sample(random, batch + (m, n), "float32")).astype(c)
    for shift in (0, 1):  # the second bias is not aligned
        for beta in (0, 0.5):
            result = start.copy()
            tenon.gemm(a, b, result, alpha=1.5, beta=beta, bias=bias[shift:shift + n], epilogue=epilogue)
            before = 1.5 * wide + beta * start.astype("float64").numpy() + bias.astype("float64").numpy()[shift:shift + n]
            exact = EPILOGUES[epilogue](before)
            bound = 8 * bits_of(c) * (1 + numpy.abs(before)) + 2 * eps("float32" if c != "float64" else c) * (k + 3) * size
            assert numpy.all(numpy.abs(result.astype("float64").numpy() - exact) <= bound)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("m, n, k", [(64, 64, 64), (5, 3, 7), (256, 128, 128)])
def test_relu_keeps_nan_and_infinity(device, random, dtype, biased, m, n, k):
    host = sample(random, (m, k), "float32")
    host[0, :], host[1, :], host[2, :], host[3, 0] = -1, numpy.nan, 1, numpy.inf
    a, b = on(device, host).astype(dtype), tenon.ones((k, n), dtype, device=device)
    bias = tenon.full((n,), -1, dtype, device=device) if biased else None
    got = tenon.matmul(a, b, bias=bias, epilogue="relu").astype("float64").numpy()
    assert numpy.all(numpy.isnan(got[1])) and numpy.all(numpy.isposinf(got[3]))
    rest = numpy.delete(got, (1, 3), axis=0)
    assert numpy.all(rest >= 0) and numpy.all(numpy.isfinite(rest)) and numpy.all(got[0] == 0) and numpy.all(got[2] == k - biased)
    gelus = tenon.matmul(a, b, bias=bias, epilogue="gelu").astype("float64").numpy()
    assert numpy.all(numpy.isnan(gelus[1])) and numpy.all(numpy.isposinf(gelus[3]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("wide", [1, 64])
def test_gelu_is_the_form_with_tanh(device, dtype, wide):
    x = on(device, numpy.linspace(-6, 6, 768).astype("float32")).astype(dtype)
    column, exact = tenon.ones((1, wide), dtype, device=device), x.astype("float64").numpy()
    got = tenon.matmul(x[:, None], column, epilogue="gelu").astype("float64").numpy()
    assert numpy.all(got == got[:, :1])
    tanh, erf = gelu(exact), exact * (1 + numpy.vectorize(math.erf)(exact / 2**.5)) / 2
    error = numpy.abs(got[:, 0] - tanh)
    assert numpy.all(error <= 4 * bits_of(dtype) * (1 + numpy.abs(exact)))
    if dtype != "bfloat16":  # too coarse: the two forms differ by at most 5e-4, mostly for small results
        between = (exact > -3.5) & (exact < -1)
        assert error[between].sum() < 0.5 * numpy.abs(got[:, 0] - erf)[between].sum()


def test_epilogues_in_a_recording(device, random):
    a, b, bias = (on(device, sample(random, shape, "float16")) for shape in ((32, 64), (64, 48), (48,)))
    out = [tenon.empty((32, 48), "float16", device=device) for _ in range(3)]
    with tenon.Graph(device) as graph:
        for result, epilogue in zip(out, EPILOGUES):
            tenon.gemm(a, b, result, bias=bias, epilogue=epilogue, tune=epilogue == "relu", stream=graph)
    for factor in (1, 2):
        a[...] = sample(random, (32, 64), "float16") / numpy.float16(factor)
        graph.launch()
        sums = a.astype("float64").numpy() @ b.astype("float64").numpy() + bias.astype("float64").numpy()
        for result, epilogue in zip(out, EPILOGUES.values()):
            exact = epilogue(sums)
            assert numpy.all(numpy.abs(result.astype("float64").numpy() - exact) <= 8 * eps("float16") * (1 + numpy.abs(sums)))


# --- measured algorithms ---

def measured(device):
    found = [one for one in tenon.info()["devices"] if one["name"] == device.name]
    return found[0]["details"]["matmul_plans"]["measured"] if device.kind == "cuda" else 0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_tuned_products_are_right_and_measured_once(device, random, dtype, batch):
    m, n, k = 65, 80, 33
    def numbers(shape):
        return on(device, sample(random, shape, "float32" if dtype == "bfloat16" else dtype)).astype(dtype)

    def exact(x):
        return x.astype("complex128" if dtype[0] == "c" else "float64").numpy()

    a, b, c = numbers(batch + (m, k)), numbers(batch + (k, n)), numbers(batch + (m, n))
    start = exact(c)
    before = measured(device)
    tenon.gemm(a, b, c, alpha=0.5, beta=2, tune=True)  # the trials must not have added to c
    after = measured(device)
    once = exact(c)
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)

    def right(got, added):
        want = 0.5 * (exact(a) @ exact(b)) + 2 * added
        size = numpy.abs(exact(a)) @ numpy.abs(exact(b)) + 2 * numpy.abs(added)
        return numpy.all(numpy.abs(got - want) <= bits_of(real) * numpy.abs(want) + 4 * (k + 3) * eps("float64" if real == "float64" else "float32") * size)

    assert right(once, start)
    tenon.gemm(a, b, c, alpha=0.5, beta=2, tune=True)
    assert right(exact(c), once)
    assert measured(device) == after and (device.kind == "cpu" or after == before + 1)


@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_tuned_epilogues_and_float8(device8, random, epilogue):
    a, b, bias = (on(device8, sample(random, shape, "float16")) for shape in ((48, 64), (64, 32), (32,)))
    sums = a.astype("float64").numpy() @ b.astype("float64").numpy() + bias.astype("float64").numpy()
    for _ in range(2):
        got = tenon.matmul(a, b, bias=bias, epilogue=epilogue, tune=True).astype("float64").numpy()
        assert numpy.all(numpy.abs(got - EPILOGUES[epilogue](sums)) <= 8 * eps("float16") * (1 + numpy.abs(sums)))
    x, y = codes(random, (48, 64), "float8_e4m3fn"), codes(random, (32, 64), "float8_e5m2")
    for _ in range(2):
        got = tenon.gemm(there(device8, x, "float8_e4m3fn"), there(device8, y, "float8_e5m2").mT, tune=True)
        check(device8, got, "float32", VALUES["float8_e4m3fn"][x], VALUES["float8_e5m2"][y].T)


def test_tune_is_0_or_1(device):
    import ctypes

    from tenon import _raw
    from tenon._library import lib
    x, y, z = (tenon.zeros((2, 2), device=device) for _ in range(3))
    options = _raw.tenon_gemm_options(tune=2)
    out = ctypes.byref(ctypes.c_void_p(z._handle))
    assert lib.tenon_gemm(None, x._handle, y._handle, None, ctypes.byref(options), None, out) \
        == _raw.TENON_ERROR_INVALID_ARGUMENT


def test_a_deterministic_context_measures_nothing(device):
    code = ("import tenon\n"
            f"a = tenon.ones((64, 64), device={device.name!r})\n"
            "tenon.gemm(a, a, tune=True)\n"
            "print([one['details'].get('matmul_plans', {}).get('measured', 0) for one in tenon.info()['devices']])")
    os.environ["TENON_DETERMINISTIC"] = "1"
    try:
        done = run_python(code)
    finally:
        del os.environ["TENON_DETERMINISTIC"]
    assert done.returncode == 0, done.stderr
    assert not any(eval(done.stdout))


ROWS = [("float16", "float16"), ("bfloat16", "bfloat16"), ("float32", "float32"), ("float64", "float64"), ("complex64", "complex64"),
        ("complex128", "complex128"), ("float16", "float32"), ("bfloat16", "float32"), ("int8", "int32")]


@pytest.mark.parametrize("operands, result", ROWS)
@pytest.mark.parametrize("m, k, n", [(3, 4, 5), (40, 33, 20), (1, 1, 1), (3, 0, 5)])
def test_factors_of_every_kind(device, random, operands, result, m, k, n):
    """Small integers, whose sums are exact in every dtype: NaN propagates, and a factor of 0 is not multiplied."""
    a, b, c = (random.integers(-1, 2, shape) for shape in ((m, k), (k, n), (m, n)))
    whole = operands == "int8"
    there = [on(device, x.astype("int8" if whole else "float32")).astype(operands) for x in (a, b)]
    for alpha in (0, 1, -1, 2) + (() if whole else (0.5, numpy.nan)):
        for beta in (0, 1, -1, 2) + (() if whole else (0.5, numpy.nan)):
            for bad in (False,) if whole else (False, True):
                before = c.astype("float64")
                before[0, 0] = numpy.nan if bad else before[0, 0]
                out = on(device, before.astype("int32" if whole else "float32")).astype(result)
                tenon.gemm(*there, out, alpha=alpha, beta=beta)
                want = (alpha * (a @ b) if k and alpha != 0 else numpy.zeros((m, n))) + (beta * before if beta != 0 else 0)
                got = out.astype("complex128").numpy() if "complex" in result else out.astype("float64").numpy()
                assert numpy.array_equal(numpy.isnan(got), numpy.isnan(want)), (alpha, beta, bad)
                numpy.testing.assert_array_equal(got.real[~numpy.isnan(want)], want[~numpy.isnan(want)])


@pytest.mark.parametrize("m, k, n", [(5, 70000, 3), (64, 4097, 33), (1, 1025, 1)])
def test_sums_of_int8_are_modulo_2_to_the_32(device, random, m, k, n):
    for left, right in ((-128, -128), (-128, 127), (127, 127)):
        c = random.integers(-2**31, 2**31, (m, n)).astype("int32")
        for alpha, beta in ((1, 0), (2**31 - 1, 1), (1 - 2**31, 1 - 2**31), (3, 2)):
            out = on(device, c)
            tenon.gemm(tenon.full((m, k), left, "int8", device=device), tenon.full((k, n), right, "int8", device=device), out, alpha=alpha, beta=beta)
            assert numpy.all(out.numpy().astype(object) % 2**32 == (alpha * k * left * right + beta * c.astype(object)) % 2**32)
    for alpha in (2**31, -2**31, 0.5, numpy.nan, numpy.inf):
        with pytest.raises(tenon.InvalidArgument, match="integers"):
            tenon.gemm(tenon.zeros((2, 2), "int8", device=device), tenon.zeros((2, 2), "int8", device=device), alpha=alpha)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_small_products_of_every_size_and_layout(device, random, dtype):
    """The CPU device multiplies matrices of up to 8 x 8 by itself."""
    for m, n, k in itertools.product((1, 2, 3, 4, 5, 8, 9), repeat=3):
        def matrix(rows, columns):
            x = random.integers(-8, 9, (3, rows, 2 * columns)).astype(dtype)  # sums are exact
            return [x[:, :, :columns], numpy.swapaxes(x.reshape(3, 2 * columns, rows), 1, 2)[:, :, ::2],
                    numpy.ascontiguousarray(x[:, :, ::2])][random.integers(0, 3)]

        a, b, c = matrix(m, k), matrix(k, n), matrix(m, n)
        x, y = on(device, a), on(device, b)
        numpy.testing.assert_array_equal(tenon.matmul(x, y).numpy(), a @ b)
        numpy.testing.assert_array_equal(tenon.matmul(x[0], y[1]).numpy(), a[0] @ b[1])
        z = on(device, c)
        tenon.gemm(x, y, z, alpha=2, beta=-1)
        numpy.testing.assert_array_equal(z.numpy(), 2 * (a @ b) - c)
        tenon.gemm(on(device, numpy.full_like(a, numpy.nan)), y, z, alpha=1e-60, beta=1)
        if dtype == "float32":  # alpha is 0 in float32: the operands are not read
            numpy.testing.assert_array_equal(z.numpy(), 2 * (a @ b) - c)
        nothing = on(device, numpy.full_like(c, numpy.nan))
        tenon.gemm(x, y, nothing)
        numpy.testing.assert_array_equal(nothing.numpy(), a @ b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_batches_of_small_products_are_those_of_their_matrices(device, random, dtype):
    """To the bit, also where the batch has a factor in common and becomes one product."""
    for m, n, k in ((4, 4, 4), (8, 8, 8), (3, 5, 7)):
        a, b = (on(device, random.standard_normal(shape).astype(dtype)) for shape in ((3000, m, k), (3000, k, n)))
        every = (tenon.matmul(a, b).numpy(), tenon.matmul(a, b[0]).numpy(), tenon.matmul(a[0], b).numpy())
        for i in (0, 1, 2999):
            alone = (tenon.matmul(a[i], b[i]), tenon.matmul(a[i], b[0]), tenon.matmul(a[0], b[i]))
            if device.kind == "cpu":
                assert all(x[i].tobytes() == y.numpy().tobytes() for x, y in zip(every, alone)), (m, n, k)
