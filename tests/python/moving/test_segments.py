"""Reductions and scans of segments: NumPy, segment by segment, is the reference; random lengths, strides and axes."""


import numpy as np
import pytest

import tenon
from conftest import importing, on, run_python

FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REAL = ["bool"] + INTEGERS + FLOATS
COMPLEX = ["complex64", "complex128"]
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-6, "float64": 1e-12, "complex64": 2e-6,
             "complex128": 1e-12}


def logsumexp(x, axis=0):
    with np.errstate(divide="ignore"):
        return np.logaddexp.reduce(x, axis=axis, initial=-np.inf)


def neutral(name, dtype):
    if name in ("sum", "prod"):
        return 0 if name == "sum" else 1
    if name == "logsumexp":
        return -np.inf
    if dtype == "bool":
        return name == "min"
    if dtype in INTEGERS:
        return np.iinfo(dtype).min if name == "max" else np.iinfo(dtype).max
    end = -np.inf if name == "max" else np.inf
    return complex(end, end) if dtype in COMPLEX else end


REDUCED = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "logsumexp": logsumexp}
RUNNING = {"sum": np.cumsum, "prod": np.cumprod, "max": np.maximum.accumulate, "min": np.minimum.accumulate,
           "logsumexp": np.logaddexp.accumulate}


def wide(name, dtype):
    """The NumPy dtype in which the reference computes."""
    if dtype in COMPLEX:
        return "complex128"
    if name in ("sum", "prod"):
        return "uint64" if dtype.startswith("u") else "int64" if dtype in INTEGERS + ["bool"] else "float64"
    return "float64" if dtype in FLOATS or name == "logsumexp" else dtype


def numbers(rng, shape, dtype, name):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    x = rng.normal(size=shape)
    if dtype in COMPLEX:
        x = x + 1j * rng.normal(size=shape)
    if name == "prod":  # stays far from overflow
        x = 1 + 0.003 * x
    x = x.astype(dtype) if dtype != "bfloat16" else np.asarray(tenon.asarray(x).astype("bfloat16").astype("float64"))
    if dtype in FLOATS and name != "sum" and x.size > 3:
        x.reshape(-1)[rng.integers(0, x.size, 2)] = rng.choice([np.nan, np.inf, -np.inf])
    return x


def offsets_of(rng, n, count):
    """Ascending offsets: many empty segments, short ones, and long ones."""
    if rng.integers(0, 3) == 0:
        places = rng.integers(0, n + 1, count + 1)
    else:
        lengths = rng.choice([0, 1, 2, 30, 33, 700, 5000], count, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.06, 0.04])
        places = np.minimum(np.concatenate([[0], np.cumsum(lengths)]), n)
    return np.sort(places)


def there(device, host, dtype):
    return on(device, host).astype(dtype) if dtype == "bfloat16" else on(device, host)


def close(got, want, dtype, name, length=1):
    got = (got.astype("float64") if got.dtype.name == "bfloat16" else got).numpy()
    if got.dtype.kind in "biu":
        assert got.tolist() == want.astype(got.dtype).tolist()
        return
    with np.errstate(over="ignore", invalid="ignore"):
        scale = TOLERANCE[dtype] if dtype in TOLERANCE else 1e-12
        np.testing.assert_allclose(got, want.astype(got.dtype), rtol=scale, atol=scale * 4 * max(1.0, length) ** 0.5)


def reduced(x, offsets, name, dtype, axis):
    x = np.moveaxis(x.astype(wide(name, dtype)), axis, 0)
    out = np.empty((len(offsets) - 1, *x.shape[1:]), x.dtype)
    with np.errstate(all="ignore"):
        for s in range(len(offsets) - 1):
            part = x[offsets[s]:offsets[s + 1]]
            out[s] = REDUCED[name](part, axis=0) if len(part) else neutral(name, dtype)
    return np.moveaxis(out, 0, axis)


def scanned(x, heads, name, dtype, axis, exclusive):
    x = np.moveaxis(x.astype(wide(name, dtype)), axis, 0)
    begins = np.flatnonzero(heads | (np.arange(len(x)) == 0))
    out = np.empty_like(x)
    with np.errstate(all="ignore"):
        for begin, end in zip(begins, [*begins[1:], len(x)]):
            running = RUNNING[name](x[begin:end], axis=0)
            out[begin:end] = running
            if exclusive:
                out[begin], out[begin + 1:end] = neutral(name, dtype), running[:-1]
    return np.moveaxis(out, 0, axis)


def strided(rng, x):
    """The same elements with other strides."""
    how = rng.integers(0, 3)
    if how == 0:
        return np.asfortranarray(x)
    if how == 1:
        return x[tuple(slice(None, None, -1) for _ in range(x.ndim))][tuple(slice(None, None, -1) for _ in range(x.ndim))]
    wide_ = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
    wide_[..., ::2] = x
    return wide_[..., ::2]


def random_case(device, rng, name, dtype, largest):
    """One random reduction by offsets and by numbers, and one scan of each kind."""
    n = int(rng.choice([0, 1, 5, 100, largest]))
    shape, axis = [(n,), (3, n), (n, 2), (2, n, 2)][rng.integers(0, 4)], None
    axis = shape.index(n)
    x = numbers(rng, shape, dtype, name)
    offsets = offsets_of(rng, n, int(rng.choice([0, 1, 3, 40, 500])))
    given = there(device, strided(rng, x) if x.size else x, dtype)
    index = rng.choice(["int32", "int64", "uint16"] if n < 60000 else ["int32", "int64"])
    want = reduced(x, offsets, name, dtype, axis)
    got = getattr(tenon, f"segment_{name}")(given, offsets=on(device, offsets.astype(index)), axis=axis)
    close(got, want, dtype, name, n)
    again = getattr(tenon, f"segment_{name}")(given, offsets=on(device, offsets), axis=axis - len(shape))
    assert got.astype("float64" if dtype == "bfloat16" else got.dtype).numpy().tobytes() == \
        again.astype("float64" if dtype == "bfloat16" else got.dtype).numpy().tobytes()
    count = int(rng.integers(0, 12))
    ids = rng.integers(-1, count + 1, n)
    order = np.argsort(ids, kind="stable")
    want = reduced(np.take(x, order, axis), np.searchsorted(ids[order], np.arange(count + 1)), name, dtype, axis)
    close(getattr(tenon, f"segment_{name}")(given, on(device, ids), count, axis=axis), want, dtype, name, n)
    exclusive = bool(rng.integers(0, 2))
    heads = rng.random(n) < rng.choice([0.001, 0.1, 0.9])
    scan = getattr(tenon, "segment_log" + "cumsumexp" if name == "logsumexp" else f"segment_cum{name}")
    close(scan(given, flags=on(device, heads), axis=axis, exclusive=exclusive),
          scanned(x, heads, name, dtype, axis, exclusive), dtype, name, n)
    marks = np.zeros(n, bool)
    marks[offsets[offsets < n]] = True
    close(scan(given, offsets=on(device, offsets), axis=axis, exclusive=exclusive),
          scanned(x, marks, name, dtype, axis, exclusive), dtype, name, n)
    keys = np.cumsum(heads) % 3
    changes = np.concatenate([[True], keys[1:] != keys[:-1]])[:n]
    close(scan(given, keys=on(device, keys.astype("float32")), axis=axis, exclusive=exclusive),
          scanned(x, changes, name, dtype, axis, exclusive), dtype, name, n)
    assert tenon.segment_offsets(keys=on(device, keys)).tolist() == [*np.flatnonzero(changes).tolist(), n]


@pytest.mark.parametrize("name", list(REDUCED))
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_random_segments(device, name, dtype):
    if dtype in COMPLEX and name == "logsumexp":
        with pytest.raises(tenon.DTypeError):
            getattr(tenon, f"segment_{name}")(tenon.zeros(3, dtype, device=device), offsets=on(device, [0, 3]))
        return
    rng = np.random.default_rng([REAL.index(dtype) if dtype in REAL else 20, list(REDUCED).index(name)])
    for _ in range(12):
        random_case(device, rng, name, dtype, 20000)


OWN = [("sum", "float32"), ("sum", "complex128"), ("max", "complex64"), ("min", "complex128"), ("prod", "int64"), ("max", "float16"), ("min", "bool"),
       ("logsumexp", "float64")]


@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_extremes_have_numpys_order(device, dtype):
    """By the real, then by the imaginary part; NaN in either part wins."""
    rng = np.random.default_rng(21)
    for parts in ([-np.inf, -1.0, 0.0, 2.0, np.inf], [-1.0, 2.0, np.nan]):
        x = (rng.choice(parts, 3000) + 0j).astype(dtype)
        x.imag = rng.choice(parts, 3000)
        offsets = np.sort(rng.integers(0, 3001, 400))
        for name in ("max", "min"):
            got = getattr(tenon, f"segment_{name}")(on(device, x), offsets=on(device, offsets)).numpy()
            want = reduced(x, offsets, name, dtype, 0).astype(dtype)
            assert np.array_equal(np.isnan(got), np.isnan(want))
            assert got[~np.isnan(got)].tolist() == want[~np.isnan(want)].tolist()


@pytest.mark.parametrize("name,dtype", OWN)
def test_the_kernels_for_gpus(name, dtype):
    code = f"""
{importing(__file__)}import numpy as np, tenon, test_segments as t
rng = np.random.default_rng(3)
for _ in range(6): t.random_case(tenon.Device("cpu:0"), rng, {name!r}, {dtype!r}, 9000)
for _ in range(20 if {name!r} == "sum" else 0): t.numbered_case(tenon.Device("cpu:0"), rng)
print("same")
"""
    done = run_python(code, TENON_OWN_KERNELS="1")
    assert done.stdout == "same\n", done.stderr


def numbered_case(device, rng):
    """Many numbers in any order: GPUs sort only the bits that the count needs."""
    n, count = int(rng.choice([0, 4096, 9001])), int(rng.choice([0, 1, 255, 256, 65535, 65536]))
    dtype = rng.choice(["int8", "uint8", "int16", "int32", "int64", "uint64"])
    ends = np.iinfo(dtype)
    numbers = rng.integers(max(ends.min, -3), min(ends.max, count + 3), n, dtype, endpoint=True)
    numbers[::50] = ends.min
    numbers[1::50] = ends.max
    x = rng.integers(-1000, 1000, n)
    want = np.zeros(count, np.int64)
    inside = np.array([0 <= int(number) < count for number in numbers], bool)
    np.add.at(want, numbers[inside].astype(np.int64), x[inside])
    assert np.array_equal(tenon.segment_sum(on(device, x), on(device, numbers), count).numpy(), want), (n, count, dtype)


def test_numbers_of_every_dtype(device):
    rng = np.random.default_rng(8)
    for _ in range(60):
        numbered_case(device, rng)


@pytest.mark.parametrize("shape,axis,count", [((200_000,), 0, 3), ((200_000,), 0, 5000), ((2, 150_000), 1, 2000),
                                              ((3000, 150), 0, 40), ((2, 9000, 9), 1, 200), ((70_000,), 0, 1)])
@pytest.mark.parametrize("order", ["random", "ascending", "mostly outside"])
def test_many_elements_by_numbers_in_any_order(device, shape, axis, count, order):
    """Long enough for several chunks with sums of their own, and wide enough for several tiles of columns."""
    rng = np.random.default_rng(4)
    n = shape[axis]
    numbers = rng.integers(-1, count + 1, n)
    if order == "ascending":
        numbers.sort()
    elif order == "mostly outside":
        numbers[rng.random(n) < 0.9] = 1 << 40
    x = rng.integers(-50, 50, shape)
    inside = (numbers >= 0) & (numbers < count)
    moved = np.moveaxis(x, axis, 0)[inside]
    total, largest = np.zeros((count, *moved.shape[1:]), np.int64), np.full((count, *moved.shape[1:]), -np.inf)
    np.add.at(total, numbers[inside], moved)
    np.maximum.at(largest, numbers[inside], moved)
    given, where = on(device, x.astype("float32")), on(device, numbers)
    for name, want in (("sum", total), ("max", largest)):
        got = getattr(tenon, "segment_" + name)(given, where, count, axis=axis).numpy()
        assert np.array_equal(np.moveaxis(got, axis, 0), want), name


def test_long_segments_have_small_errors(device):
    """Sums in float64, of parts that do not grow with the length."""
    rng = np.random.default_rng(1)
    x = rng.random(3_000_000).astype("float32")
    offsets = np.array([0, 7, 2_900_000, 3_000_000])
    got = tenon.segment_sum(on(device, x), offsets=on(device, offsets)).numpy()
    want = np.array([x[a:b].astype("float64").sum() for a, b in zip(offsets, offsets[1:])]).astype("float32")
    np.testing.assert_array_max_ulp(got, want, 1)
    running = tenon.segment_cumsum(on(device, x), offsets=on(device, offsets)).numpy()
    np.testing.assert_array_max_ulp(running[offsets[1:] - 1], want, 1)


def test_results_do_not_depend_on_threads():
    code = """
import hashlib, numpy as np, tenon
rng = np.random.default_rng(2)
x, offsets = rng.normal(size=300000), np.sort(rng.integers(0, 300001, 900))
for name in ("sum", "logsumexp"):
    print(hashlib.sha1(getattr(tenon, f"segment_{name}")(x, offsets=offsets).numpy().tobytes()).hexdigest())
for count in (5, 4000):
    print(hashlib.sha1(tenon.segment_sum(x, rng.integers(0, count, x.size), count).numpy().tobytes()).hexdigest())
print(hashlib.sha1(tenon.segment_cumsum(x, offsets=offsets).numpy().tobytes()).hexdigest())
"""
    outputs = {run_python(code, TENON_CPU_THREADS=threads).stdout for threads in ("1", "2", "5")}
    assert len(outputs) == 1 and outputs.pop().count("\n") == 5


@pytest.mark.parametrize("bad,place", [([0, 3, 2, 5], 2), ([0, 3, 6], 2), ([-1, 5], 0)])
def test_wrong_offsets_are_reported(device, bad, place):
    x, offsets = on(device, np.arange(5.0)), on(device, np.array(bad))
    for call in (tenon.segment_sum, tenon.segment_cumsum):
        with pytest.raises(tenon.InvalidArgument, match=rf"\[{place}\].*\[0, 5\]"):
            call(x, offsets=offsets)


def test_refusals(device):
    x = on(device, np.arange(6.0).reshape(2, 3))
    with pytest.raises(tenon.ShapeError, match="4 elements, but x has 2"):
        tenon.segment_sum(x, on(device, np.array([0, 1, 1, 0])), 2)
    with pytest.raises(tenon.ShapeError, match="2 axes"):
        tenon.segment_sum(x, offsets=on(device, np.array([[0, 2]])))
    with pytest.raises(tenon.DTypeError, match="integers"):
        tenon.segment_sum(x, offsets=on(device, np.array([0.0, 2.0])))
    with pytest.raises(tenon.ShapeError, match="empty"):
        tenon.segment_sum(x, offsets=on(device, np.zeros(0, "int64")))
    with pytest.raises(tenon.InvalidArgument, match="axis 5"):
        tenon.segment_sum(x, offsets=on(device, np.array([0, 2])), axis=5)
    with pytest.raises(tenon.InvalidArgument, match="negative"):
        tenon.segment_sum(x, on(device, np.array([0, 1])), -1)
    with pytest.raises(tenon.SizeOverflow, match="2\\^62"):
        tenon.segment_sum(x, on(device, np.array([0, 1])), 2**63 - 1)
    with pytest.raises(TypeError, match="one of the two"):
        tenon.segment_sum(x)
    with pytest.raises(TypeError, match="one of offsets="):
        tenon.segment_cumsum(x, flags=[1, 0], keys=[1, 0])
    with pytest.raises(tenon.ShapeError, match="no axes"):
        tenon.segment_sum(tenon.asarray(1.0), offsets=[0])


def test_outputs_dtypes_and_keys(device):
    x = on(device, np.array([[1, 2, 3], [4, 5, 6]], "int8"))
    out = tenon.empty((2, 2), "int64", device=device).T
    assert tenon.segment_sum(x, offsets=on(device, np.array([0, 1, 3])), axis=1, out=out) is out
    assert out.tolist() == [[1, 5], [4, 11]]
    assert tenon.segment_sum(x, offsets=on(device, np.array([0, 2])), dtype="int8").dtype == "int8"
    y = on(device, np.array([1.0, 2.0, 3.0]))
    assert tenon.segment_cumsum(y, flags=on(device, np.array([0, 1, 0])), out=y) is y and y.tolist() == [1.0, 2.0, 5.0]
    with pytest.raises(tenon.OverlapError):
        tenon.segment_cumsum(y[:2], flags=on(device, np.array([0, 1])), out=y[1:])
    keys, sums = tenon.reduce_by_key(on(device, np.array([np.nan, np.nan, 0.0, -0.0, 5.0])), on(device, np.arange(5)))
    assert keys.numpy()[1:].tolist() == [0.0, 5.0] and sums.tolist() == [1, 5, 4]
    assert tenon.reduce_by_key(on(device, np.zeros(0)), on(device, np.zeros(0)), "max").values.shape == (0,)
    with pytest.raises(tenon.InvalidArgument, match="'mean'"):
        tenon.reduce_by_key(keys, keys, "mean")
    sorted_ids = on(device, np.array([0, 0, 2]))
    assert tenon.segment_max(on(device, np.array([3, 1, 2])), sorted_ids, 3, indices_are_sorted=True).tolist() == \
        [3, np.iinfo("int64").min, 2]
    assert tenon.segment_sum(on(device, np.array([3, 1, 2])), sorted_ids).tolist() == [4, 0, 2]
