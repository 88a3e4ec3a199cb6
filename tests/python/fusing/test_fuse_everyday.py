"""tenon.fuse on functions as users of NumPy write them: the fused function gives what the separate operations give, bit
for bit where fuse promises it, with operands of all dtypes, awkward strides, no elements and no axes."""

import numpy as np
import pytest

import tenon

T = tenon


def made(rng, dtype, shape, positive=False):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        small = rng.integers(1 if positive else max(info.min, -9), 10, shape).astype(dtype)
        return np.where(rng.random(shape) < (0 if positive else 0.2), wide, small).astype(dtype)
    x = rng.integers(-40, 41, shape) / 8.0
    if kind == "c":
        x = x + 1j * rng.integers(-40, 41, shape) / 8.0
    if positive:
        x = np.abs(x) + 0.5
    return x.astype(dtype)


def f8(*shape):
    return ("float64", shape)


def f4(*shape):
    return ("float32", shape)


def i4(*shape):
    return ("int32", shape)


def of(dtype, *shape):
    return (dtype, shape)


# Functions with the arrays they take, and the numbers that follow these. The first list promises the bits.
EXACT = [
    (lambda x: x * 2 + 1, [f4(50)], []),
    (lambda x, y: x * y + x / y - 3, [f8(6, 7), f8(7)], []),
    (lambda x, y: (x - y) ** 2, [f4(5, 1), f4(1, 6)], []),
    (lambda x: T.where(x > 0, x, 0), [f4(64)], []),
    (lambda x: T.where(x > 0, x, -x * 0.5), [f8(3, 4, 5)], []),
    (lambda x, y: T.where((x > 0) & (y < 1), x, y), [f4(40), f4(40)], []),
    (lambda x: T.clip(x, -1, 1), [f4(33)], []),
    (lambda x: x.clip(0), [i4(33)], []),
    (lambda x, low, high: T.clip(x, low, high), [f8(9, 3)], [-2.0, 2.0]),
    (lambda x, low: T.clip(x, low, None), [i4(20)], [3]),
    (lambda x: T.clip(x, -300, 300), [of("int8", 40)], []),
    (lambda x, n: T.clip(x, n, 10**6), [of("uint8", 40)], [-5]),
    (lambda x: T.minimum(T.maximum(x, 0), 6) / 6, [f4(30)], []),
    (lambda x: T.sqrt(T.abs(x)), [f4(30)], []),
    (lambda x, y: T.sqrt(x * x + y * y), [f8(30), f8(30)], []),
    (lambda x: -x if x.dtype.kind == "f" else x, [f4(9)], []),
    (lambda x: abs(x) % 3, [i4(40)], []),
    (lambda x, y: x // y + x % y, [i4(40), ("int32", (40,), True)], []),
    (lambda x: x >> 2 << 1, [i4(40)], []),
    (lambda x, y: (x & y) | ~x ^ y, [of("uint16", 40), of("uint16", 40)], []),
    (lambda x: (x > 300) | (x < -300) | (x == 1000), [of("int8", 40)], []),
    (lambda x: (x >= -1) & (x != -1) & (256 > x) & (-1 <= x), [of("uint8", 40)], []),
    (lambda x: x <= 2**40, [i4(40)], []),
    (lambda x: (x < 2**70) & (x > -(2**70)), [of("uint64", 40)], []),
    (lambda x, n: (x < n, x <= n, x > n, x >= n, x == n, x != n), [of("uint8", 40)], [300]),
    (lambda x, n: (n < x, n <= x, n > x, n >= x, n == x, n != x), [of("uint8", 40)], [-1]),
    (lambda x, n: (x < n, x <= n, x > n, x >= n, x == n, x != n), [of("int64", 40)], [2**63]),
    (lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), [of("int64", 60), of("uint64", 60)], []),
    (lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), [of("uint64", 60), of("int64", 60)], []),
    (lambda x, y: T.where(x == y, 1.0, 0.0), [of("int64", 60), of("uint64", 1)], []),
    (lambda x: x + np.float32(0.5), [of("float16", 30)], []),
    (lambda x, y: x + y, [of("float16", 30), of("int8", 30)], []),
    (lambda x, y: x * y - x, [of("float16", 30), of("float32", 30)], []),
    (lambda x, y: x + y, [of("bfloat16", 30), of("float16", 30)], []),
    (lambda x: (x + 1) * 2 - 3, [of("float16", 30)], []),
    (lambda x: (x * 3 + 1) / 7, [of("bfloat16", 30)], []),
    (lambda x: x.astype("float32") * 0.1, [of("float16", 30)], []),
    (lambda x: (x * 10).astype("int16"), [f4(30)], []),
    (lambda x: x.astype("uint8"), [f8(30)], []),
    (lambda x: x.astype("bool").astype("int32") * 5, [f8(30)], []),
    (lambda x: x.astype("complex64") + 1j, [f4(30)], []),
    (lambda z: z + z.conj(), [of("complex64", 30)], []),
    (lambda z: z.real * 2 - z.imag, [of("complex128", 30)], []),
    (lambda z: T.where(z.real > 0, z, 0), [of("complex128", 5, 6)], []),
    (lambda z, w: (z == w) | (z != 1j), [of("complex64", 30), of("complex64", 30)], []),
    (lambda z, w: T.maximum(z, w), [of("complex64", 30), of("complex64", 30)], []),
    (lambda z: (z.max(), z.min(axis=0), z.argmax(axis=-1)), [of("complex128", 6, 7)], []),
    (lambda b, x: T.where(b, x, 0), [of("bool", 4, 1), i4(5)], []),
    (lambda b, c: (b & c, b | ~c, b ^ c), [of("bool", 30), of("bool", 30)], []),
    (lambda b: b + b * 2, [of("bool", 30)], []),
    (lambda b, x: b * x, [of("bool", 30), f4(30)], []),
    (lambda x: (x, ), [f4(30)], []),
    (lambda x: x + 0, [f4()], []),
    (lambda x, y: x * y, [f4(), i4(6)], []),
    (lambda x: (x * 2, x + 1, x > 0), [f4(3, 0)], []),
    (lambda x, y: x + y, [f4(0, 1), f4(5)], []),
    (lambda x: x.max(axis=1), [f4(5, 9)], []),
    (lambda x: x - x.min(axis=0, keepdims=True), [i4(5, 9)], []),
    (lambda x: (x > 0).sum(axis=-1), [f4(5, 90)], []),
    (lambda x: T.count_nonzero(x * 2 > x, axis=(0, 2)), [f4(3, 4, 5)], []),
    (lambda x: (x.any(), (x != x).any(axis=0), (x == x).all()), [f8(7, 8)], []),
    (lambda x: T.argmax(T.abs(x), axis=-1), [f4(6, 70)], []),
    (lambda x: T.argmin(x * x, keepdims=True), [f4(6, 70)], []),
    (lambda x: x.sum(), [of("uint8", 3000)], []),
    (lambda x: x.astype("int64").prod(axis=0), [of("int8", 6, 5)], []),
    (lambda x: T.sum(x % 3 == 0), [i4(700)], []),
    (lambda x: x.max(axis=(0, 1), keepdims=True) - x, [i4(3, 4, 5)], []),
    (lambda x: x / x.max(), [f8(40)], []),
    (lambda x: T.cumulative_sum(x * 2, axis=-1), [i4(4, 30)], []),
    (lambda x: T.cummax(x, 0) - x, [f4(4, 30)], []),
    (lambda x: x.cumsum(axis=0), [of("bool", 30)], []),
    (lambda x, i: x[i] * 2, [f4(50), ("int64", (20,), True)], []),
    (lambda x, i: T.take(x, i, axis=1) + 1, [f4(4, 50), ("int32", (3,), True)], []),
    (lambda x, i: T.where(i > 4, x[i], 0), [of("complex64", 50), ("uint8", (20,), True)], []),
    (lambda x, i: x[i].max(axis=0), [f4(30, 7), ("int64", (5,), True)], []),
    (lambda x, n: x * n + (n + 1) * 2 - n**2, [i4(20)], [3]),
    (lambda x, n: T.where(x > n, n, x), [i4(20)], [2]),
    (lambda x, n: x + (-n) + abs(n), [f4(20)], [-2.5]),
    (lambda x: T.logical_not(x), [f4(9)], []),
    (lambda x: np.maximum(x, 1) - np.minimum(x, 1), [f4(20)], []),
    (lambda x: np.add(x, x) * np.sqrt(np.abs(x)), [f8(20)], []),
    (lambda x: T.sign(x) * T.floor(x) + T.ceil(x) - T.trunc(x) + T.round(x), [f4(50)], []),
    (lambda x: T.copysign(T.square(x), x), [f4(50)], []),
    (lambda x: T.isnan(x / x) | T.isinf(1 / x) | T.isfinite(x), [f4(50)], []),
    (lambda x: 1 - x, [of("uint8", 50)], []),
    (lambda x: 2.5 * x + 1, [of("int16", 50)], []),
    (lambda x, y: T.bitwise_left_shift(x, y), [of("uint8", 50), ("uint8", (50,), True)], []),
    (lambda x: x if x.dtype.itemsize > 4 else x.astype("float64"), [f4(12)], []),
]
CLOSE = [
    (lambda x: T.exp(-x * x / 2), [f8(40)], []),
    (lambda x: 1 / (1 + T.exp(-x)), [f4(40)], []),
    (lambda x: T.exp(x - x.max(axis=-1, keepdims=True)) / T.exp(x - x.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True),
     [f4(6, 30)], []),
    (lambda x: (x - x.mean(axis=0)) / T.sqrt(x.var(axis=0) + 1e-5), [f4(40, 6)], []),
    (lambda x, y: ((x - y) ** 2).sum(axis=-1) ** 0.5, [f8(7, 1, 3), f8(1, 8, 3)], []),
    (lambda x: x.std(axis=1, correction=1), [f8(6, 30)], []),
    (lambda x: T.logsumexp(x, axis=-1), [f8(6, 30)], []),
    (lambda z: T.exp(1j * z), [f8(30)], []),
    (lambda z: (abs(z) ** 2).mean(axis=0), [of("complex64", 40, 3)], []),
    (lambda z: (z * z.conj()).sum(), [of("complex128", 300)], []),
    (lambda x, y: T.arctan2(x, y) + T.hypot(x, y), [f4(40), f4(40)], []),
    (lambda x: T.tanh(x) * T.sin(x) + T.log1p(T.abs(x)), [f4(40)], []),
    (lambda x, n: x**n, [f8(40)], [3]),
    (lambda x: x.mean(), [of("float16", 900)], []),
    (lambda x: x.sum(axis=(0, -1)), [f4(9, 8, 7)], []),
    (lambda x: T.cumulative_sum(x, axis=1) / 2, [f8(3, 50)], []),
    (lambda x: x.mean(axis=-1) + 1, [i4(9, 8)], []),
    (lambda x: (x.sum(axis=0), x.max(), x * 2), [f4(9, 8)], []),
]


def arguments(rng, arrays, device, strided):
    out = []
    for dtype, shape, *positive in arrays:
        x = made(rng, "float32" if dtype == "bfloat16" else dtype, shape, bool(positive))
        t = tenon.asarray(x).to_device(device)
        if dtype == "bfloat16":
            t = t.astype("bfloat16")
        if strided and len(shape) > 1:
            t = tenon.permute_dims(tenon.permute_dims(t, tuple(range(len(shape)))[::-1]).copy(),
                                   tuple(range(len(shape)))[::-1])
        elif strided and len(shape) == 1:
            t = tenon.repeat(t, 3)[::3][::-1]
        out.append(t)
    return out


def check(got, want, exact):
    if isinstance(want, tuple):
        assert isinstance(got, tuple) and len(got) == len(want)
        for one, other in zip(got, want):
            check(one, other, exact)
        return
    assert got.dtype is want.dtype and got.shape == want.shape, (got.dtype, want.dtype, got.shape, want.shape)
    wide = "float32" if got.dtype.name == "bfloat16" else got.dtype.name
    a, b = got.astype(wide).numpy(), want.astype(wide).numpy()
    if exact:
        assert np.array_equal(a, b, equal_nan=a.dtype.kind in "fc") and \
            (a.dtype.kind != "f" or np.array_equal(np.signbit(a), np.signbit(b)) or np.isnan(a).any()), (a, b)
    else:
        eps = {"float16": 2e-3, "float32": 5e-6, "complex64": 5e-6}.get(got.dtype.name, 1e-13)
        np.testing.assert_allclose(a, b, rtol=eps, atol=eps * max(1, np.abs(b).max(initial=0)))


CASES = [(function, arrays, numbers, True) for function, arrays, numbers in EXACT] + \
    [(function, arrays, numbers, False) for function, arrays, numbers in CLOSE]


@pytest.mark.parametrize("at", range(len(CASES)))
def test_fused_is_separate(at, device):
    function, arrays, numbers, exact = CASES[at]
    fused = tenon.fuse(function)
    for strided in (False, True):
        rng = np.random.default_rng(at)
        args = arguments(rng, arrays, device, strided)
        with np.errstate(all="ignore"):
            check(fused(*args, *numbers), function(*args, *numbers), exact)


def test_integers_beyond_a_dtype_may_change_from_call_to_call(device):
    """One trace serves all of them."""
    traced = []

    def compared(x, n):
        traced.append(n)
        return x < n, n <= x, x == n, n != x, x > n

    fused, bounded = tenon.fuse(compared), tenon.fuse(lambda x, n: T.clip(x, n, None))
    for dtype in ("int8", "uint8", "int32", "uint64", "int64"):
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        x = tenon.asarray(np.array([least, least + 1, 0, 1, most - 1, most], dtype)).to_device(device)
        traced.clear()
        for n in (0, least, most, least - 1, most + 1, 5, 2**63, 2**64 - 1, 2**80, -(2**63), -(2**80)):
            for got, want in zip(fused(x, n), compared(x, n)):
                check(got, want, True)
        assert sum(isinstance(n, tenon._fuse.Number) for n in traced) == 1
        for n in (0, least, most, -(2**63), 5):
            check(bounded(x, n), T.clip(x, n, None), True)
    with pytest.raises(OverflowError):
        tenon.fuse(lambda x, n: x + n)(tenon.asarray(np.zeros(2, "int8")).to_device(device), 300)
    with pytest.raises(OverflowError):
        tenon.fuse(lambda x: x + 300)(tenon.asarray(np.zeros(2, "int8")).to_device(device))
