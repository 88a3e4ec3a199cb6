"""Convolution and correlation, compared with their definition in the host's long double."""

import itertools

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import wide


def direct(a, b, correlation):
    """The full convolution or correlation along all axes, by definition."""
    b = b[(slice(None, None, -1),) * b.ndim].conj() if correlation else b
    out = numpy.zeros([m + n - 1 for m, n in zip(a.shape, b.shape)], numpy.result_type(a, b))
    for index in numpy.ndindex(*b.shape):
        out[tuple(slice(i, i + m) for i, m in zip(index, a.shape))] += a * b[index]
    return out


def window(full, a, b, mode):
    if mode == "full":
        return full
    first = [(n - 1) // 2 if mode == "same" else n - 1 for n in b.shape]
    count = a.shape if mode == "same" else [m - n + 1 for m, n in zip(a.shape, b.shape)]
    return full[tuple(slice(i, i + k) for i, k in zip(first, count))]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("first, second", [((1,), (1,)), ((50,), (7,)), ((33,), (33,)), ((12, 9), (3, 4)), ((5, 6, 7), (2, 3, 1)), ((64,), (1,))])
@pytest.mark.parametrize("correlation", [False, True])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_convolutions_match_the_definition(device, random, dtype, correlation, first, second, mode):
    a, b = sample(random, first, dtype), sample(random, second, dtype)
    exact = window(direct(wide(a), wide(b), correlation), a, b, mode)
    got = (tenon.correlate if correlation else tenon.convolve)(on(device, a), on(device, b), mode).numpy()
    assert got.shape == exact.shape and got.dtype == dtype
    room = 8 * eps(dtype) * (1 + numpy.log2(a.size + b.size)) * float(numpy.linalg.norm(wide(a)) * numpy.linalg.norm(wide(b)))
    assert numpy.max(numpy.abs(got - exact)) <= room


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("first, second", [((200,), (30,)), ((3, 4), (3, 2)), ((12, 9), (3, 4)), ((5, 6, 7), (2, 3, 1))])
@pytest.mark.parametrize("correlation", [False, True])
@pytest.mark.parametrize("dtype", REAL + COMPLEX + ["float16"])
def test_small_convolutions_of_small_integers_are_exact(device, random, dtype, correlation, first, second, mode):
    a, b = (numpy.rint(3 * sample(random, shape, dtype)).astype(dtype) for shape in (first, second))
    exact = window(direct(wide(a), wide(b), correlation), a, b, mode)
    got = (tenon.correlate if correlation else tenon.convolve)(on(device, a), on(device, b), mode).numpy()
    numpy.testing.assert_array_equal(got, exact.astype(dtype))


def test_convolution_over_some_axes_broadcasts_the_others(device, random):
    a, b = sample(random, (3, 20, 4), "float64"), sample(random, (1, 5, 4), "float64")
    got = tenon.convolve(on(device, a), on(device, b), axes=(1,)).numpy()
    for i, j in itertools.product(range(3), range(4)):
        numpy.testing.assert_allclose(got[i, :, j], numpy.convolve(a[i, :, j], b[0, :, j]), rtol=1e-12, atol=1e-12)


AXES = [((3, 20, 4), (1, 5, 4), (1,)), ((1, 20, 4), (3, 5, 1), (1,)), ((20, 6), (4, 6), (0,)), ((2, 9, 3, 8), (2, 4, 1, 3), (1, 3)),
        ((2, 9, 3, 8), (1, 4, 3, 3), (3, 1)), ((6, 5), (3, 5), (-2,)), ((7, 1, 5), (2, 4, 5), (0,)), ((1, 1, 9), (4, 1, 3), (2,))]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("first, second, axes", AXES)
@pytest.mark.parametrize("correlation", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_batches_broadcast_around_any_axes(device, random, dtype, correlation, first, second, axes, mode):
    a, b = sample(random, first, dtype), sample(random, second, dtype)
    ends = [axis % a.ndim for axis in axes]
    batch = numpy.broadcast_shapes(*(tuple(1 if i in ends else n for i, n in enumerate(shape)) for shape in (first, second)))
    at_end = range(-len(ends), 0)
    wide_a, wide_b = (numpy.moveaxis(numpy.broadcast_to(x, [x.shape[i] if i in ends else n for i, n in enumerate(batch)]), ends, at_end)
                      for x in (a, b))
    got = (tenon.correlate if correlation else tenon.convolve)(on(device, a), on(device, b), mode, axes=axes)
    assert got.c_contiguous
    got = numpy.moveaxis(got.numpy(), ends, at_end)
    for index in numpy.ndindex(*wide_a.shape[:-len(ends)]):
        exact = window(direct(wide(wide_a[index]), wide(wide_b[index]), correlation), wide_a[index], wide_b[index], mode)
        assert got[index].shape == exact.shape
        assert numpy.max(numpy.abs(got[index] - exact)) <= 1e-13


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_views_of_any_strides(device, random, dtype, mode):
    a, b = sample(random, (17, 12), dtype), sample(random, (9, 8), dtype)
    views = [lambda x: x[::-1, ::2], lambda x: x.T[2:7], lambda x: x[3:4, ::-1]]
    for of_a, of_b in itertools.product(views, views):
        x, y = of_a(a), of_b(b)
        if mode == "valid" and any(m < n for m, n in zip(x.shape, y.shape)):
            continue
        for correlation in (False, True):
            there, here = on(device, a), on(device, b)
            got = (tenon.correlate if correlation else tenon.convolve)(of_a(there), of_b(here), mode).numpy()
            exact = window(direct(wide(x), wide(y), correlation), x, y, mode)
            assert numpy.max(numpy.abs(got - exact)) <= 200 * eps(dtype) * float(numpy.linalg.norm(wide(x)) * numpy.linalg.norm(wide(y)))
            numpy.testing.assert_array_equal(there.numpy(), a)  # the operands are unchanged
            numpy.testing.assert_array_equal(here.numpy(), b)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_convolutions_are_scipys(device, random, dtype, mode):
    """Prime lengths, a single number, b longer than a."""
    signal = pytest.importorskip("scipy.signal", reason="scipy is not installed")
    for m, n in [(1, 1), (1, 7), (7, 1), (2, 2), (97, 31), (31, 97), (128, 128), (1000, 3), (3, 1000), (509, 510)]:
        if mode == "valid" and n > m:
            continue
        a, b = sample(random, (m,), dtype), sample(random, (n,), dtype)
        double = "complex128" if numpy.dtype(dtype).kind == "c" else "float64"
        room = 16 * eps(dtype) * (1 + numpy.log2(m + n)) * numpy.linalg.norm(a) * numpy.linalg.norm(b)
        for ours, theirs in [(tenon.convolve, signal.convolve), (tenon.correlate, signal.correlate)]:
            want = theirs(a.astype(double), b.astype(double), mode, method="direct")
            if mode == "same" and n > m and want.shape != (m,):
                continue
            got = ours(on(device, a), on(device, b), mode).numpy()
            assert got.shape == want.shape, (m, n)
            assert numpy.max(numpy.abs(got - want)) <= room, (m, n)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_float16_is_computed_in_float32_and_rounded_once(device, random, dtype):
    a, b = (tenon.asarray(sample(random, (n,), "float32")).to_device(device).astype(dtype) for n in (40, 6))
    got = tenon.convolve(a, b)
    assert got.dtype == dtype and got.device == device
    single = tenon.convolve(a.astype("float32"), b.astype("float32"))
    numpy.testing.assert_array_equal(got.astype("float32").numpy(), single.astype(dtype).astype("float32").numpy())


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_empty_batches_and_nan_stay_where_they_are(device, random, dtype):
    assert tenon.convolve(tenon.zeros((0, 8), dtype, device=device), tenon.zeros((1, 3), dtype, device=device), axes=(1,)).shape == (0, 10)
    a, b = sample(random, (3, 20), dtype), sample(random, (1, 4), dtype)
    a[1, 7] = numpy.nan
    got = tenon.convolve(on(device, a), on(device, b), axes=(-1,)).numpy()
    assert numpy.isnan(got[1, 7:11]).all() and numpy.isfinite(got[[0, 2]]).all()


@pytest.mark.parametrize("mode", ["full", "valid"])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_convolutions_are_recorded(device, random, dtype, mode):
    a, b = on(device, sample(random, (2, 33), dtype)), on(device, sample(random, (1, 8), dtype))
    want = tenon.convolve(a, b, mode, axes=(1,)).numpy()
    turned = tenon.correlate(a, b, mode, axes=(1,)).numpy()
    with tenon.Graph(device) as graph:
        got = tenon.convolve(a, b, mode, axes=(1,), stream=graph)
        correlated = tenon.correlate(a, b, mode, axes=(1,), stream=graph)
    for _ in range(2):
        graph.launch()
        numpy.testing.assert_array_equal(got.numpy(), want)
        numpy.testing.assert_array_equal(correlated.numpy(), turned)
    before = a.numpy()
    a[...] = on(device, 2 * before)
    graph.launch()
    numpy.testing.assert_allclose(got.numpy(), 2 * want, rtol=1e-4, atol=1e-4)


def test_what_is_refused_is_not_recorded(device):
    a = tenon.zeros((4,), device=device)
    with tenon.Graph(device) as graph:
        with pytest.raises(ValueError):
            tenon.convolve(a, tenon.zeros((5,), device=device), "valid", stream=graph)
    assert len(graph) == 0


def test_fast_lengths_are_the_smallest():
    smooth = sorted(2**i * 3**j * 5**k for i in range(13) for j in range(9) for k in range(6))
    for n in range(1, 4000):
        assert tenon.next_fast_length(n) == next(length for length in smooth if length >= n)
    smooth = sorted(2**i * 3**j * 5**k for i in range(64) for j in range(41) for k in range(28) if 2**i * 3**j * 5**k <= 2**63)
    for n in [10**9 + 7, 2**31 + 1, 3**25 + 1, 5**20 + 1, 2**53 + 1, 2**61 + 1, 2**62 - 1, 2**62]:
        assert tenon.next_fast_length(n) == next(length for length in smooth if length >= n)
    for n, error in [(0, tenon.InvalidArgument), (-3, tenon.InvalidArgument), (2**62 + 1, tenon.SizeOverflow), (2**80, tenon.InvalidArgument)]:
        with pytest.raises(error):
            tenon.next_fast_length(n)


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.convolve(z((3,)), z((3,)), "half"), ValueError),
    (lambda z: tenon.convolve(z((3,)), z((3,), "float32")), TypeError),
    (lambda z: tenon.convolve(z((3,), "int32"), z((3,), "int32")), TypeError),
    (lambda z: tenon.convolve(z((3,)), z((3, 3))), ValueError),
    (lambda z: tenon.convolve(z(()), z(())), ValueError),
    (lambda z: tenon.convolve(z((3, 0)), z((3, 2))), ValueError),
    (lambda z: tenon.convolve(z((2,)), z((3,)), "valid"), ValueError),
    (lambda z: tenon.convolve(z((2, 2)), z((2, 2)), axes=(0, 0)), ValueError),
    (lambda z: tenon.convolve(z((2, 2)), z((2, 2)), axes=(2,)), ValueError),
    (lambda z: tenon.convolve(z((2, 2)), z((2, 2)), axes=(0, 1, 0)), ValueError),
    (lambda z: tenon.convolve(z((2, 2)), z((2, 2)), axes=()), ValueError),
    (lambda z: tenon.convolve(z((2, 3)), z((4, 3)), axes=(1,)), ValueError),
    (lambda z: tenon.correlate(z((2,)), z((2,), "complex128")), TypeError),
    (lambda z: tenon.convolve(z((2,), "complex32"), z((2,), "complex32")), TypeError),
])
def test_what_does_not_fit_is_refused(device, call, error):
    with pytest.raises(error):  # InvalidArgument and ShapeError are ValueErrors
        call(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_numpys_functions_take_operands_of_any_dtypes_and_lengths(device, random, mode):
    a, b = sample(random, (9,), "float64"), sample(random, (4,), "float32")
    for first, second in itertools.product((a, b, b + 1j, numpy.arange(5), numpy.array([3], "int8")), repeat=2):
        for function in (numpy.convolve, numpy.correlate):
            if device != "cpu:0" and (first.dtype.kind + second.dtype.kind in ("ii",) or first.size < second.size):
                continue  # the host's NumPy computes these
            want = function(first, second, mode)
            got = function(on(device, first), on(device, second), mode)
            assert got.dtype == want.dtype
            numpy.testing.assert_allclose(got.numpy(), want, atol=1e-5)
