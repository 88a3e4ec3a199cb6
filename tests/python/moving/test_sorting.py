"""Sorting, searching, sets and counting: NumPy is the reference; the CUDA texts compiled for the CPU give the same
results."""

import numpy as np
import pytest

import tenon
from conftest import on, run_python

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
          "float32", "float64"]


def numbers(shape, dtype, rng):
    """Random numbers with repetitions, the ends of the range, zeros of both signs and NaN."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if kind == "c":
        z = numbers((*shape, 2), np.dtype(dtype).type().real.dtype, rng).view(dtype)[..., 0]
        return np.where(rng.integers(0, 2, shape) == 0, rng.choice(z.reshape(-1)[:7], shape) if z.size else z, z)
    if kind in "iu":
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        return np.where(rng.integers(0, 3, shape) == 0, rng.integers(0, 5, shape).astype(dtype), wide)
    x = rng.normal(size=shape)
    x = np.where(rng.integers(0, 5, shape) == 0,
                 rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0, -1.0, 1e-7], shape), x)
    return x.astype(dtype)


def descending(x, axis):
    """A stable descending sort with NaN last."""
    index = np.empty(x.shape, np.int64)
    for place in np.ndindex(*(n for d, n in enumerate(x.shape) if d != axis % x.ndim)):
        key = list(place)
        key.insert(axis % x.ndim, slice(None))
        line = x[tuple(key)]
        nan = np.isnan(line) if line.dtype.kind == "f" else np.zeros(line.shape, bool)
        index[tuple(key)] = sorted(range(len(line)), key=lambda i: (nan[i], 0 if nan[i] else -line[i].item()))
    return index


def same_bits(a, b):
    assert a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == np.ascontiguousarray(b).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorts_along_any_axis(dtype):
    rng = np.random.default_rng(DTYPES.index(dtype))
    for shape in ((1,), (7,), (0,), (3, 0), (700,), (5, 4, 6), (3, 600), (600, 3)):
        x = numbers(shape, dtype, rng)
        for axis in range(-len(shape), len(shape)):
            for strided in (x, np.asfortranarray(x), x[::-1]):
                index = np.argsort(strided, axis=axis, kind="stable")
                assert np.array_equal(tenon.argsort(strided, axis=axis).numpy(), index)
                same_bits(tenon.sort(strided, axis=axis).numpy(), np.take_along_axis(strided, index, axis))
            if x.size < 800:
                index = descending(x, axis)
                assert np.array_equal(tenon.argsort(x, axis=axis, descending=True).numpy(), index)
                same_bits(tenon.sort(x, axis=axis, descending=True).numpy(), np.take_along_axis(x, index, axis))


@pytest.mark.parametrize("dtype", ["int16", "uint32", "float32", "float64"])
def test_long_rows_by_all_threads(dtype):
    rng = np.random.default_rng(7)
    x = numbers((200003,), dtype, rng)
    index = np.argsort(x, kind="stable")
    assert np.array_equal(tenon.argsort(x).numpy(), index)
    same_bits(tenon.sort(x).numpy(), x[index])
    values, places = tenon.top_k(x, 100)
    order = np.lexsort((np.arange(len(x)), -x.astype("f8"))) if np.dtype(dtype).kind == "f" \
        else np.argsort(-x.astype("i8"), kind="stable")
    assert np.array_equal(places.numpy(), order[:100])
    same_bits(values.numpy(), x[order[:100]])


def test_complex_numbers_sort_as_numpys():
    rng = np.random.default_rng(8)
    for dtype in ("complex64", "complex128"):
        parts = rng.choice([0.0, 1.0, -1.0, np.nan, np.inf, 2.5], (2, 4, 60))
        x = (parts[0] + 0j).astype(dtype)
        x.imag = parts[1]
        for axis in (0, 1):
            got, expected = tenon.sort(x, axis=axis).numpy(), np.sort(x, axis=axis, kind="stable")
            assert np.array_equal(np.isnan(got.real), np.isnan(expected.real)) \
                and np.array_equal(np.isnan(got.imag), np.isnan(expected.imag))
            assert np.array_equal(np.nan_to_num(got), np.nan_to_num(expected))


@pytest.mark.parametrize("dtype", [*DTYPES, "complex64", "complex128"])
def test_top_k_is_the_beginning_of_a_sort(dtype):
    rng = np.random.default_rng(9)
    x = numbers((4, 3000), dtype, rng)
    for k in (0, 1, 5, 300, 2999, 3000):
        for largest in (True, False):
            values, index = tenon.top_k(x, k, largest=largest)
            assert np.array_equal(index.numpy(), tenon.argsort(x, descending=largest).numpy()[:, :k])
            same_bits(values.numpy(), np.take_along_axis(x, index.numpy(), 1))
    values, index = tenon.top_k(x, 2, axis=0)
    assert values.shape == (2, 3000) and np.array_equal(index.numpy(),
                                                        tenon.argsort(x, axis=0, descending=True).numpy()[:2])


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float16", "float32", "float64"])
def test_top_k_of_long_rows_in_any_order(dtype):
    """What is kept is chosen by a bound that decreases: in ascending rows it does so with each element, in descending
    ones never, and equal elements are at the bound."""
    rng = np.random.default_rng(17)
    x = numbers((200_003,), dtype, rng)
    for row in (np.sort(x), np.sort(x)[::-1].copy(), np.full_like(x, 3), x):
        for k in (1, 10, 700, 20_000):
            for largest in (True, False):
                values, index = tenon.top_k(row, k, largest=largest)
                expected = tenon.argsort(row, descending=largest).numpy()[:k]
                assert np.array_equal(index.numpy(), expected), (k, largest)
                same_bits(values.numpy(), row[expected])
    rows = x[:200_000].reshape(-1, 200)
    for largest in (True, False):
        assert np.array_equal(tenon.top_k(rows, 5, largest=largest).indices.numpy(),
                              tenon.argsort(rows, descending=largest).numpy()[:, :5])


@pytest.mark.parametrize("dtype", [*DTYPES, "complex64", "complex128"])
def test_searches(dtype):
    rng = np.random.default_rng(10)
    sorted_, wanted = np.sort(numbers((501,), dtype, rng)), numbers((30, 7), dtype, rng)
    for side in ("left", "right"):
        assert np.array_equal(tenon.searchsorted(sorted_, wanted, side=side).numpy(),
                              np.searchsorted(sorted_, wanted, side))
        assert np.array_equal(tenon.searchsorted(sorted_[::-1][::-1], wanted.T, side=side).numpy(),
                              np.searchsorted(sorted_, wanted.T, side))
    assert tenon.searchsorted(sorted_, wanted[0, 0]).shape == ()
    assert tenon.searchsorted(np.zeros(0), 1.0).item() == 0


@pytest.mark.parametrize("dtype", [*DTYPES, "complex64", "complex128"])
def test_unique(dtype):
    rng = np.random.default_rng(11)
    for shape in ((0,), (1,), (40, 50)):
        x = numbers(shape, dtype, rng)
        got = tenon.unique(x, return_index=True, return_inverse=True, return_counts=True)
        expected = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        for ours, theirs in zip(got, expected):
            assert np.array_equal(ours.numpy().reshape(-1), theirs.reshape(-1), equal_nan=ours.dtype.kind in "fc")
        everything = tenon.unique_all(x)
        distinct = np.unique(x, equal_nan=False)
        assert everything.values.shape == distinct.shape and everything.inverse_indices.shape == x.shape
        back = everything.values.numpy()[everything.inverse_indices.numpy()]
        assert np.array_equal(back, x, equal_nan=back.dtype.kind in "fc")
        assert everything.counts.numpy().sum() == x.size
    assert tenon.unique_counts([3, 1, 3]).counts.tolist() == [1, 2] \
        and tenon.unique_values([3, 1, 3]).tolist() == [1, 3]


def test_sets():
    rng = np.random.default_rng(12)
    a, b = rng.integers(0, 30, 40), rng.integers(10, 50, 25)
    assert tenon.union1d(a, b).tolist() == np.union1d(a, b).tolist()
    assert tenon.intersect1d(a, b).tolist() == np.intersect1d(a, b).tolist()
    assert tenon.setdiff1d(a, b).tolist() == np.setdiff1d(a, b).tolist()
    x = rng.random((4, 5)).round(1)
    for invert in (False, True):
        assert np.array_equal(tenon.isin(x, [0.1, 0.5, np.nan], invert=invert).numpy(),
                              np.isin(x, [0.1, 0.5, np.nan], invert=invert))
    assert tenon.isin([np.nan], [np.nan]).tolist() == [False]


def test_lexsort_and_partition():
    rng = np.random.default_rng(13)
    keys = rng.integers(0, 3, (3, 50)),
    assert np.array_equal(tenon.lexsort(list(keys[0])).numpy(), np.lexsort(keys[0]))
    x = rng.random(101)
    part = tenon.partition(x, 40).numpy()
    assert part[40] == np.partition(x, 40)[40] and part[:40].max() <= part[40] <= part[41:].min()
    assert x[tenon.argpartition(x, 7).numpy()][7] == np.sort(x)[7]
    with pytest.raises(tenon.InvalidArgument, match="101 elements"):
        tenon.partition(x, 101)


def test_counts():
    rng = np.random.default_rng(14)
    x = rng.integers(0, 50, 100000)
    for dtype in ("int8", "uint16", "int64"):
        assert np.array_equal(tenon.bincount(x.astype(dtype), minlength=60).numpy(), np.bincount(x, minlength=60))
    weights = rng.random(100000)
    assert np.array_equal(tenon.bincount(x, weights).numpy(), np.bincount(x, weights))
    assert tenon.bincount(np.zeros(0, "i8")).shape == (0,) \
        and tenon.bincount(np.zeros(0, "i8"), minlength=2).tolist() == [0, 0]
    with pytest.raises(tenon.InvalidArgument, match="x contains -1"):
        tenon.bincount(np.array([3, -1]))
    with pytest.raises(tenon.DTypeError, match="counts integers"):
        tenon.bincount(np.array([0.5]))


def test_histograms():
    rng = np.random.default_rng(15)
    for x in (rng.normal(size=5000), rng.integers(0, 20, 3000), rng.normal(size=2000).astype("f4"),
              np.array([1.0, 1.0])):
        for bins in (7, [-1, 0, 0.5, 3], np.array([0, 1, 10, 20])):
            got, edges = tenon.histogram(x, bins)
            expected, wanted = np.histogram(x, bins)
            assert np.allclose(edges.numpy(), wanted, rtol=1e-6 if x.dtype == "f4" else 1e-15, atol=1e-15)
            assert got.numpy().tolist() == expected.tolist()
    x = np.array([0.0, 1.0, 2.0, np.nan, 5.0])
    assert tenon.histogram(x, 2, range=(0, 2))[0].tolist() == [1, 2]
    assert tenon.histogram(x[:3], [0.0, 1.0, np.inf])[0].tolist() == [1, 2]
    weighted = tenon.histogram(x[:3], 2, weights=np.array([0.5, 0.25, 4.0]))[0]
    assert weighted.tolist() == np.histogram(x[:3], 2, weights=np.array([0.5, 0.25, 4.0]))[0].tolist()
    with pytest.raises(tenon.InvalidArgument, match="ascending"):
        tenon.histogram(x, [1, 0])


def test_outputs_are_given_and_sorted_in_place():
    rng = np.random.default_rng(16)
    x = rng.random((5, 6))
    memory = tenon.zeros((10, 6), device="cpu:0")
    assert np.array_equal(tenon.sort(x, axis=0, out=memory[::2]).numpy(), np.sort(x, 0)) \
        and not memory.numpy()[1::2].any()
    with pytest.raises(tenon.TenonError, match="shares memory"):
        ours = tenon.asarray(x)
        tenon.sort(ours, out=ours)
    ours = tenon.asarray(x.copy())
    ours.sort(axis=0)
    assert np.array_equal(ours.numpy(), np.sort(x, 0))


@pytest.mark.parametrize("call,kind,words", [
    (lambda: tenon.sort(np.float64(1.0)), tenon.InvalidArgument, "axis"),
    (lambda: tenon.sort([1, 2], axis=1), tenon.InvalidArgument, "axis"),
    (lambda: tenon.top_k([1, 2], 3), tenon.InvalidArgument, "k is 3"),
    (lambda: tenon.top_k(tenon.zeros(2, "complex32"), 1), tenon.DTypeError, "complex32"),
    (lambda: tenon.searchsorted(np.zeros((2, 2)), 1.0), tenon.ShapeError, "it must have one"),
    (lambda: tenon.searchsorted([1.0], 1.0, side="middle"), ValueError, "side must be"),
    (lambda: tenon.unique(tenon.zeros(2, "complex32")), tenon.DTypeError, "complex32"),
    (lambda: tenon.lexsort([]), tenon.InvalidArgument, "one key"),
])
def test_bad_input(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


RESULTS = """
import hashlib, numpy as np, tenon
rng = np.random.default_rng(5)
def show(*arrays): print(*(hashlib.sha256(np.ascontiguousarray(a.numpy()).tobytes()).hexdigest()[:12] for a in arrays))
x = rng.normal(size=(3, 9001)).astype("f4").round(2)
x[0, ::7], x[1, ::5], x[2, ::3] = np.nan, -0.0, 0.0
show(tenon.sort(x), tenon.argsort(x, descending=True), *tenon.top_k(x, 5))
for n in (1, 2, 3, 7, 20, 32, 33, 100, 256, 257, 300, 3000): show(tenon.sort(x[:, -n:]), tenon.argsort(x[:, -n:], descending=True))
show(*tenon.top_k(x, 1000, largest=False), *tenon.top_k(x, 8000))
for n in (5, 31, 90):
    rows = x.ravel()[:n * 77].reshape(77, n)
    for kind in ("float64", "float16", "int8"):
        y = tenon.asarray(np.nan_to_num(rows) * 9 if kind[0] == "i" else rows).astype(kind)
        show(tenon.sort(y), tenon.argsort(y, descending=True), tenon.median(y, axis=1), *tenon.top_k(y, n // 2))
whole = rng.integers(-5, 5, (2, 5000), "i8")
whole[1] <<= 59
show(tenon.sort(whole, descending=True), *tenon.top_k(whole, 600), tenon.argsort(whole.astype("u1")))
hard = np.concatenate([rng.integers(0, 2**63, 7000).view("f8"), -x[0].astype("f8"), [np.inf, -np.inf, -np.nan]])
for kind in ("float64", "float32", "float16", "bfloat16", "int8", "uint32"):
    y = tenon.asarray(hard if kind[-1] != "8" and kind[0] != "u" else whole.ravel()).astype(kind)
    for backwards in (False, True):
        show(tenon.sort(y, descending=backwards).view("uint%d" % (8 * y.itemsize)), tenon.argsort(y, descending=backwards))
    show(y[y > 0].view("uint%d" % (8 * y.itemsize)), tenon.unique(y), *tenon.nonzero(y > 0))
show(tenon.asarray(hard + 1j)[tenon.asarray(hard > 0)], tenon.asarray(x.T)[tenon.asarray(x.T > 0)])
show(*tenon.unique_all(x[0]), *tenon.unique_all(x[0] + 1j * x[1]), tenon.unique(x[0] + 1j * x[1]))
show(tenon.searchsorted(np.sort(x[1]), x[0]))
z = x[:2, :9000].copy().view("complex64")
show(*tenon.top_k(z, 7), *tenon.top_k(z, 1, axis=0, largest=False))
show(*(tenon.searchsorted(tenon.sort(z.ravel()[:n]), z) for n in (500, 5000)), tenon.median(z, axis=1), tenon.nanmedian(z, axis=1))
index = rng.integers(-9001, 9001, 500)
show(tenon.take(x, index, axis=1), *tenon.nonzero(x))
y = tenon.asarray(x.copy())
tenon.scatter(y, np.arange(0, 9001, 3), 7.0, axis=1)
show(y)
z = tenon.zeros(50, "int32")
tenon.scatter(z, rng.integers(0, 50, 1000), np.ones(1000, "i4"), operation="add")
show(z, tenon.linspace(0, 1, 100, dtype="float32"), tenon.tril(x))
h = tenon.zeros(7, "float16")
tenon.scatter(h, rng.integers(0, 7, 300), rng.integers(-9, 9, 300).astype("f2"), operation="max")
show(h)
try:
    tenon.take(x, [0, 9001], axis=1)
except tenon.InvalidArgument as error:
    print("refused", "extent 9001" in str(error) and "(1" in str(error))
print(tenon.bincount(np.array([1, 1, 3])).tolist())
"""


def test_the_texts_for_gpus_give_the_same():
    """TENON_OWN_KERNELS makes the CPU run the kernels for GPUs, block by block."""
    def run(**more):
        done = run_python(RESULTS, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    usual = run()
    assert "refused True" in usual and "[0, 2, 0, 1]" in usual
    assert run(TENON_CPU_THREADS="3") == usual
    assert run(TENON_OWN_KERNELS="1") == usual


def test_work_is_recorded_into_graphs():
    x = tenon.asarray(np.array([3.0, 1.0, 2.0]))
    index = tenon.asarray(np.array([2, 0]))
    g = tenon.random.Generator(5, device="cpu:0")
    with tenon.Graph("cpu:0") as graph:
        ordered = tenon.sort(x, stream=graph)
        order = tenon.argsort(x, descending=True, stream=graph)
        taken = tenon.take(x, index, stream=graph)
        drawn = g.normal(3, stream=graph)
        joined = tenon.concat([x, x], stream=graph)
        tenon.scatter(x, index, 9.0, operation="add", stream=graph)
        with pytest.raises(tenon.Unsupported, match="shape depends"):
            tenon.nonzero(x, stream=graph)
    assert x.tolist() == [3.0, 1.0, 2.0]
    graph.launch()
    assert ordered.tolist() == [1.0, 2.0, 3.0] and order.tolist() == [0, 2, 1] and taken.tolist() == [2.0, 3.0]
    assert drawn.tolist() == tenon.random.Generator(5).normal(3).tolist()
    assert joined.tolist() == [3.0, 1.0, 2.0] * 2 and x.tolist() == [12.0, 1.0, 11.0]
    x[...] = np.array([-1.0, 5.0, 0.0])
    graph.launch()
    assert ordered.tolist() == [-1.0, 0.0, 5.0] and x.tolist() == [8.0, 5.0, 9.0]
    index[0] = 3
    with pytest.raises(tenon.InvalidArgument, match="extent 3"):
        graph.launch()


@pytest.mark.parametrize("dtype", ["int32", "uint32", "float32", "int64", "uint64", "float64"])
def test_long_rows_of_every_pattern_are_sorted(device, random, dtype):
    n = 70_000
    for x in (np.arange(n), np.arange(n)[::-1], np.full(n, 5), np.arange(n) % 7, np.tile(np.arange(4099), 18)[:n],
              np.where(np.arange(n) < n // 2, 3, random.integers(0, 1 << 20, n)), random.integers(0, 1 << 20, n)):
        for part in (x, x[:129], x[:1000], x[:4097]):
            part = part.astype(dtype)
            np.testing.assert_array_equal(tenon.sort(on(device, part)).numpy(), np.sort(part))
            np.testing.assert_array_equal(tenon.sort(on(device, part), descending=True).numpy(), np.sort(part)[::-1])


@pytest.mark.parametrize("dtype", DTYPES)
def test_short_rows_of_every_length(dtype):
    """Rows are sorted side by side, as many as a vector has of the dtype: some groups have less, and a group with
    zeros of both signs or NaN takes another way."""
    rng = np.random.default_rng(18)
    for n in (*range(1, 70), 100, 127, 129, 511, 512, 513, 1023, 1024, 1025):
        x = numbers((int(rng.integers(1, 140 if n < 8 else 40)), n), dtype, rng)
        if n % 2 and np.dtype(dtype).kind == "f":
            x = np.where(np.isfinite(x) & (x != 0), x, rng.normal(size=x.shape)).astype(dtype)
            if n % 3 == 0:
                x[-1, 0] = np.nan
        index = np.argsort(x, axis=1, kind="stable")
        assert np.array_equal(tenon.argsort(x).numpy(), index), n
        same_bits(tenon.sort(x).numpy(), np.take_along_axis(x, index, 1))
        keep = n - n // 8
        values, places = tenon.top_k(x, keep, largest=False)
        assert np.array_equal(places.numpy(), index[:, :keep]), n
        same_bits(values.numpy(), np.take_along_axis(x, index[:, :keep], 1))
        if n < 50:
            index = descending(x, 1)
            assert np.array_equal(tenon.argsort(x, descending=True).numpy(), index), n
            same_bits(tenon.sort(x, descending=True).numpy(), np.take_along_axis(x, index, 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_searches_in_lists_of_every_length(dtype):
    rng = np.random.default_rng(19)
    for n in (*range(1, 40), 1000, 70_000):
        ordered = np.sort(numbers((n,), dtype, rng))
        for count in (1, 7, 8, 9, 3000):
            wanted = np.where(rng.integers(0, 2, count) == 0, rng.choice(ordered, count), numbers((count,), dtype, rng))
            for side in ("left", "right"):
                assert np.array_equal(tenon.searchsorted(ordered, wanted, side=side).numpy(),
                                      np.searchsorted(ordered, wanted, side)), (n, count, side)


def misleading(random, n):
    """A row whose sample for eight parts looks uniform, while most elements belong to one part."""
    row = random.integers(1 << 30, (1 << 30) + (1 << 20), n)
    k = np.arange(64 * 8)
    offsets = (k + 1) * 0x9E3779B9 % (1 << 32) / (1 << 32)
    row[((k + offsets) * (n / len(k))).astype(int)] = random.integers(0, 1 << 32, len(k))
    return row


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint32"])
def test_long_rows_of_every_distribution(dtype):
    """Skewed, repeated and ordered values, too: threads share long rows by splitters from a sample."""
    random, n = np.random.default_rng(5), (1 << 18) + 77
    normal = random.standard_normal(n)
    rows = [abs(normal) * 1e3, random.integers(0, 3, n), np.arange(n), np.zeros(n), np.minimum(abs(normal) ** 9, 4e9),
            misleading(random, n)]
    for row in (row.astype(dtype) for row in rows):
        np.testing.assert_array_equal(tenon.sort(tenon.asarray(row)).numpy(), np.sort(row))
    row = normal.astype(dtype) if dtype != "uint32" else rows[1].astype(dtype)
    if dtype != "uint32":
        row[::7], row[1::9], row[2::9], row[3::11] = np.nan, 0, -0.0, np.inf
    sorted_ = tenon.sort(tenon.asarray(row)).numpy()
    np.testing.assert_array_equal(sorted_, np.sort(row))
    zero = sorted_ == 0
    np.testing.assert_array_equal(np.signbit(sorted_[zero]), np.signbit(row[row == 0]))


ROWS = """
import hashlib, numpy as np, tenon
rng = np.random.default_rng(3)
def show(*arrays): print(*(hashlib.sha256(np.ascontiguousarray(a.numpy()).tobytes()).hexdigest()[:12] for a in arrays))
few = rng.integers(0, 2**32, 3, "u4") | 0x7f800001  # NaNs of both signs
for rows, n in ((1, 700), (1, 200_003), (90, 33), (40, 600)):
    x = rng.standard_normal(rows * n, dtype="f4").round(3)
    x[::9], x[1::9], x[2::11], x[3::1000], x[4::999] = 0.0, -0.0, np.inf, few.view("f4")[0], few.view("f4")[1]
    for row in (x, abs(x) + 1, x.astype("f8"), x.view("i4"), x.view("u4"), rng.integers(-2**62, 2**62, len(x)),
                x.astype("f2"), x.view("i2")[::2], x.view("u1")[::4]):
        for down in (False, True):
            y = tenon.asarray(row.reshape(rows, n))
            show(tenon.sort(y, descending=down), tenon.argsort(y, descending=down), *tenon.top_k(y, n // 2, largest=down),
                 tenon.argmax(y, axis=1) if down else tenon.argmin(y, axis=1))
"""


def test_rows_do_not_depend_on_the_processor():
    """The instruction set decides which sort runs, and the number of threads into how many parts a row is split."""
    def run(**more):
        done = run_python(ROWS, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    usual = run(TENON_CPU_ISA="x86-64-v2", TENON_CPU_THREADS="1")
    assert len(usual.split()) == 360
    for level, threads in ((3, 1), (3, 3), (4, 1), (4, 3)):
        assert run(TENON_CPU_ISA=f"x86-64-v{level}", TENON_CPU_THREADS=str(threads)) == usual, (level, threads)
