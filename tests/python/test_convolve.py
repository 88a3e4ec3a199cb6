"""Convolution and correlation against their definition in the host's long double."""

import itertools

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import wide


def direct(a, b, correlation):
    """Full, along all axes."""
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
def test_by_the_definition(device, random, dtype, correlation, first, second, mode):
    a, b = sample(random, first, dtype), sample(random, second, dtype)
    exact = window(direct(wide(a), wide(b), correlation), a, b, mode)
    got = (tenon.correlate if correlation else tenon.convolve)(on(device, a), on(device, b), mode).numpy()
    assert got.shape == exact.shape and got.dtype == dtype
    room = 8 * eps(dtype) * (1 + numpy.log2(a.size + b.size)) * float(numpy.linalg.norm(wide(a)) * numpy.linalg.norm(wide(b)))
    assert numpy.max(numpy.abs(got - exact)) <= room


def test_some_axes_and_others_broadcast(device, random):
    a, b = sample(random, (3, 20, 4), "float64"), sample(random, (1, 5, 4), "float64")
    got = tenon.convolve(on(device, a), on(device, b), axes=(1,)).numpy()
    for i, j in itertools.product(range(3), range(4)):
        numpy.testing.assert_allclose(got[i, :, j], numpy.convolve(a[i, :, j], b[0, :, j]), rtol=1e-12, atol=1e-12)


def test_fast_lengths_are_the_smallest():
    smooth = sorted(2**i * 3**j * 5**k for i in range(13) for j in range(9) for k in range(6))
    for n in range(1, 4000):
        assert tenon.next_fast_length(n) == next(length for length in smooth if length >= n)


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
])
def test_what_does_not_fit_is_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))
