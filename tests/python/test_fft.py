"""FFT against NumPy in double precision: lengths, axes, norms, layouts, in place."""

import numpy
import pytest

import tenon
from conftest import COMPLEX, eps, on, sample

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 60, 97, 128, 211, 243, 256, 360, 1000, 1009, 1024, 4096, 4099, 10007]


def close(got, expected, points):
    """The relative error in the Euclidean norm grows as eps log2(points)."""
    bound = 8 * eps(got.dtype) * (1 + numpy.log2(max(points, 2)))
    assert got.shape == expected.shape
    assert numpy.linalg.norm(got.astype("complex128") - expected) <= bound * numpy.linalg.norm(expected) + 1e-300


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", COMPLEX)
def test_any_length_primes_too(device, random, n, dtype):
    x = sample(random, (3, n), dtype)
    close(tenon.fft(on(device, x)).numpy(), numpy.fft.fft(x.astype("complex128")), n)
    close(tenon.ifft(on(device, x)).numpy(), numpy.fft.ifft(x.astype("complex128")), n)


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("inverse", [False, True])
def test_norms_are_numpys(device, random, norm, inverse):
    x = sample(random, (6, 15), "complex128")
    ours, theirs = (tenon.ifftn, numpy.fft.ifftn) if inverse else (tenon.fftn, numpy.fft.fftn)
    close(ours(on(device, x), norm=norm).numpy(), theirs(x, norm=norm), x.size)


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (-1,), (0, 1), (1, 2), (0, 2), (2, 0), (-1, -3), (0, 1, 2), (2, 1, 0), (1, 3), (3, 2, 1, 0), (0, 3)])
@pytest.mark.parametrize("dtype", COMPLEX)
def test_any_set_of_axes(device, random, axes, dtype):
    x = sample(random, (4, 5, 6, 7), dtype)
    points = numpy.prod([x.shape[axis] for axis in axes])
    close(tenon.fftn(on(device, x), axes).numpy(), numpy.fft.fftn(x.astype("complex128"), axes=axes), points)
    close(tenon.ifftn(on(device, x), axes).numpy(), numpy.fft.ifftn(x.astype("complex128"), axes=axes), points)


@pytest.mark.parametrize("shape", [(64, 64), (1, 128), (128, 1), (31, 37), (240, 320)])
def test_two_dimensions(device, random, shape):
    x = sample(random, shape, "complex64")
    close(tenon.fft2(on(device, x)).numpy(), numpy.fft.fft2(x.astype("complex128")), x.size)


VIEWS = {
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "skipped": lambda x: x[::2, ::3],
    "offset": lambda x: x[3:, 5:],
    "one row": lambda x: x[7],
    "one column": lambda x: x[:, 7],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("axis", [0, -1])
def test_input_of_any_layout(device, random, view, axis):
    x = sample(random, (24, 30), "complex128")
    close(tenon.fft(VIEWS[view](on(device, x)), axis).numpy(), numpy.fft.fft(VIEWS[view](x), axis=axis), 30)


@pytest.mark.parametrize("view", VIEWS)
def test_output_of_any_layout(device, random, view):
    x = sample(random, (24, 30), "complex128")
    whole = tenon.zeros((24, 30), "complex128", device=device)
    source = VIEWS[view](x)
    tenon.fft(on(device, source), out=VIEWS[view](whole))
    expected = numpy.zeros((24, 30), "complex128")
    VIEWS[view](expected)[...] = numpy.fft.fft(source)
    close(whole.numpy(), expected, 30)


@pytest.mark.parametrize("view", ["transposed", "offset", "skipped"])
def test_in_place(device, random, view):
    x = sample(random, (24, 30), "complex64")
    array = on(device, x)
    part = VIEWS[view](array)
    assert tenon.fftn(part, out=part) is part
    expected = x.astype("complex128")
    VIEWS[view](expected)[...] = numpy.fft.fftn(VIEWS[view](expected))
    close(array.numpy(), expected, 720)


def test_there_and_back_gives_the_signal(device, random):
    x = sample(random, (50, 77), "complex128")
    close(tenon.ifft2(tenon.fft2(on(device, x))).numpy(), x, x.size)


@pytest.mark.parametrize("dtype, result", [("float32", "complex64"), ("float64", "complex128"), ("int32", "complex128"), ("float16", "complex64"), ("bool", "complex128")])
def test_real_input_becomes_complex(device, random, dtype, result):
    x = sample(random, (4, 20), dtype)
    got = tenon.fft(on(device, x)).numpy()
    assert got.dtype == result
    close(got, numpy.fft.fft(x.astype("float64")), 20)


def test_large_batches(device, random):
    x = sample(random, (1000, 12), "complex64")
    close(tenon.fft(on(device, x)).numpy(), numpy.fft.fft(x.astype("complex128")), 12)
    close(tenon.fft(on(device, x), 0).numpy(), numpy.fft.fft(x.astype("complex128"), axis=0), 1000)


def test_no_axes_and_empty_batches_do_nothing(device, random):
    x = sample(random, (3, 4), "complex64")
    numpy.testing.assert_array_equal(tenon.fftn(on(device, x), ()).numpy(), x)
    assert tenon.fft(tenon.zeros((0, 8), "complex64", device=device)).shape == (0, 8)


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.fft(z((3, 0))), ValueError),
    (lambda z: tenon.fft(z((3, 4)), 2), ValueError),
    (lambda z: tenon.fft(z((3, 4)), -3), ValueError),
    (lambda z: tenon.fftn(z((3, 4)), (0, 0)), ValueError),
    (lambda z: tenon.fftn(z((3, 4)), (0, -2)), ValueError),
    (lambda z: tenon.fft(z((3, 4)), out=z((4, 3))), ValueError),
    (lambda z: tenon.fft(z((3, 4)), out=z((3, 4), "complex128")), TypeError),
    (lambda z: tenon.fft(z((3, 4)), norm="none"), ValueError),
    (lambda z: tenon.fft(z((3, 4)), out=z((1, 4)).broadcast_to((3, 4))), ValueError),
    (lambda z: (lambda x: tenon.fft(x[:4], out=x[1:]))(z((5, 8))), ValueError),
])
def test_what_does_not_fit_is_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="complex64": tenon.zeros(shape, dtype, device=device))
