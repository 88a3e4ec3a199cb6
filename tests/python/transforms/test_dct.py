"""Cosine and sine transforms, compared with their definitions in long double."""

import numpy
import pytest

import tenon
from conftest import REAL, eps, on, sample

SIZES = [1, 2, 3, 4, 5, 8, 15, 16, 31, 64, 97, 100, 255]


def matrix(n, kind, sine, ortho=False):
    """The matrix of the transform as defined in tenon/fft.h; ortho: scaled to be orthogonal."""
    pi = numpy.longdouble("3.14159265358979323846264338327950288")
    j, k = numpy.arange(n, dtype="longdouble")[None, :], numpy.arange(n, dtype="longdouble")[:, None]
    function = numpy.sin if sine else numpy.cos
    first, last = (j + 1, k + 1) if sine else (j, k)
    if kind == 1:
        size = n + 1 if sine else n - 1
        m = 2 * function(pi * first * last / size)
    elif kind == 2:
        size, m = n, 2 * function(pi * (2 * j + 1) * last / (2 * n))
    elif kind == 3:
        size, m = n, 2 * function(pi * first * (2 * k + 1) / (2 * n))
    else:
        size, m = n, 2 * function(pi * (2 * j + 1) * (2 * k + 1) / (4 * n))
    ends_in = {(1, False): [0, n - 1], (3, False): [0], (3, True): [n - 1]}.get((kind, sine), [])
    ends_out = {(1, False): [0, n - 1], (2, False): [0], (2, True): [n - 1]}.get((kind, sine), [])
    for end in ends_in:
        m[:, end] /= 2
    if ortho:
        for end in ends_in:
            m[:, end] *= numpy.sqrt(numpy.longdouble(2))
        for end in ends_out:
            m[end] /= numpy.sqrt(numpy.longdouble(2))
        m = m / numpy.sqrt(numpy.longdouble(2 * size))
    return m, 2 * size


def room(dtype, n, x):
    return 8 * eps(dtype) * (1 + numpy.log2(n)) * numpy.sqrt((numpy.abs(x) ** 2).sum()) * 2 * numpy.sqrt(n) + 1e-30


@pytest.mark.parametrize("sine", [False, True], ids=["cosine", "sine"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", REAL)
def test_errors_are_within_three_times_the_best_librarys(device, random, dtype, kind, sine):
    """Root-mean-square errors, compared with SciPy's in the same precision."""
    scipy_fft = pytest.importorskip("scipy.fft", reason="scipy is not installed")
    ours, theirs = (tenon.dst, scipy_fft.dst) if sine else (tenon.dct, scipy_fft.dct)
    for n in [2, 3, 4, 5, 7, 8, 12, 13, 16, 31, 64, 97, 100, 128, 199, 255, 360, 512, 1000, 1009, 2048, 4095, 4096]:
        x = sample(random, (4, n), dtype)
        exact = theirs(x.astype("longdouble"), kind)
        error, best = (numpy.linalg.norm(y - exact) / numpy.linalg.norm(exact) for y in (ours(on(device, x), kind).numpy(), theirs(x, kind)))
        assert error <= 3 * max(best, 0.3 * eps(dtype)), f"length {n}: {error / eps(dtype):.2f} epsilon, SciPy {best / eps(dtype):.2f}"


@pytest.mark.parametrize("sine", [False, True], ids=["cosine", "sine"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", REAL)
def test_transforms_are_their_definition(device, random, dtype, kind, sine):
    forward, inverse = (tenon.dst, tenon.idst) if sine else (tenon.dct, tenon.idct)
    for n in SIZES:
        if kind == 1 and not sine and n == 1:
            continue
        x = sample(random, (3, n), dtype)
        there = on(device, x)
        plain, size = matrix(n, kind, sine)
        ortho, _ = matrix(n, kind, sine, ortho=True)
        assert numpy.abs(ortho @ ortho.T - numpy.eye(n)).max() < 1e-15  # checks the test itself
        for norm, m in ((None, plain), ("ortho", ortho), ("forward", plain / size)):
            y = forward(there, kind, norm=norm)
            assert y.dtype == dtype and y.shape == x.shape
            scale = numpy.abs(m).max() / 2
            assert numpy.abs(y.numpy() - x @ m.T).max() <= room(dtype, n, x) * scale, (n, norm)
            back = inverse(y, kind, norm=norm).numpy()
            assert numpy.abs(back - x).max() <= 4 * room(dtype, n, x) / numpy.sqrt(n), (n, norm)
        numpy.testing.assert_array_equal(there.numpy(), x)


@pytest.mark.parametrize("sine", [False, True], ids=["cosine", "sine"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("axes", [None, (0,), (1,), (-1, 0), (2, 1, 0)])
def test_several_axes_and_views(device, random, axes, kind, sine):
    x = sample(random, (6, 10, 9), "float64")
    whole = on(device, x)
    for view, there in ((x, whole), (x[::-1, ::2, 1:], whole[::-1, ::2, 1:]), (x.transpose(2, 0, 1), whole.transpose(2, 0, 1))):
        exact = view.astype("longdouble")
        for axis in range(3) if axes is None else axes:
            exact = numpy.moveaxis(numpy.moveaxis(exact, axis, -1) @ matrix(view.shape[axis], kind, sine)[0].T, -1, axis)
        function, inverse = (tenon.dstn, tenon.idstn) if sine else (tenon.dctn, tenon.idctn)
        got = function(there, kind, axes=axes)
        assert numpy.abs(got.numpy() - exact).max() <= 1e-13 * numpy.abs(exact).max() * 8
        assert numpy.abs(inverse(got, kind, axes=axes).numpy() - view).max() <= 1e-13
    inside = whole[:, ::2]
    assert (tenon.dstn if sine else tenon.dctn)(inside, kind, axes=(1,), out=inside).data_ptr == inside.data_ptr  # in place
    exact = numpy.moveaxis(numpy.moveaxis(x[:, ::2].astype("longdouble"), 1, -1) @ matrix(5, kind, sine)[0].T, -1, 1)
    assert numpy.abs(whole.numpy()[:, ::2] - exact).max() <= 1e-12
    numpy.testing.assert_array_equal(whole.numpy()[:, 1::2], x[:, 1::2])


def test_other_dtypes_become_real_numbers(device, random):
    x = sample(random, (4, 8), "int32")
    assert tenon.dct(on(device, x)).dtype == "float64" and tenon.dct(on(device, x.astype("float16"))).dtype == "float32"
    assert tenon.dct(tenon.zeros((0, 5), device=device)).shape == (0, 5)
    assert tenon.dctn(tenon.ones((3, 3), device=device), axes=()).numpy().tolist() == numpy.ones((3, 3)).tolist()


@pytest.mark.parametrize("call, error, text", [
    (lambda z: tenon.dct(z((4,)), 5), ValueError, "types 1 to 4"),
    (lambda z: tenon.dct(z((4,)), norm="unit"), ValueError, "norm must be one of"),
    (lambda z: tenon.dct(z((4, 1)), 1), ValueError, "at least two"),
    (lambda z: tenon.dct(z((4, 0))), ValueError, "empty"),
    (lambda z: tenon.dctn(z((4, 4)), axes=(0, 0)), ValueError, "twice"),
    (lambda z: tenon.dct(z((4, 4)), axis=2), (ValueError, IndexError), "axis"),
    (lambda z: tenon.dct(z((4,), "complex64")), TypeError, "real numbers"),
    (lambda z: tenon.dct(z((4,)), out=z((5,))), ValueError, "must be equal"),
    (lambda z: tenon.dct(z((4,)), out=z((4,), "float32")), TypeError, "both must be float32 or both float64"),
    (lambda z: (lambda x: tenon.dct(x[:-1], out=x[1:]))(z((5,))), ValueError, "share memory"),
])
def test_what_does_not_fit_is_refused(device, call, error, text):
    with pytest.raises(error, match=text):
        call(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))
