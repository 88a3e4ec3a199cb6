"""The package kernels/image, compared with scipy.ndimage, on every device."""

import itertools

import numpy
import pytest

import tenon
from conftest import KERNELS, on

ndimage = pytest.importorskip("scipy.ndimage")

MODES = ["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]


@pytest.fixture(scope="module")
def image():
    return tenon.plugins.load(KERNELS / "image")


@pytest.fixture(params=[0, 1, 2, 3], ids=["default", "lines", "tiles", "strips"])
def gaussian(request, image):
    """The Gaussian filter, with each of its implementations."""
    operation = image.gaussian_filter
    operation.set_tunable("plan", request.param)
    yield operation
    operation.set_tunable("plan", 0)


def close(result, expected, magnitude, dtype="float32"):
    """Compares to 1e-6 of the filtered magnitude of the input (1e-14 for float64)."""
    result = numpy.asarray(result.to_device(tenon.Device("cpu:0")))
    assert result.shape == expected.shape
    bound = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
    error = numpy.max(numpy.abs(result.astype("float64") - expected) / numpy.maximum(magnitude, 1e-30), initial=0)
    assert error <= bound


def beside_scipy(gaussian, device, x, sigma, dtype="float32", **options):
    x = x.astype(dtype)
    mode = options.get("mode", "reflect")
    wide = x.astype("float64")
    expected = ndimage.gaussian_filter(wide, sigma, **options)
    smooth = dict(options, order=0, cval=abs(options.get("cval", 0)))
    magnitude = ndimage.gaussian_filter(numpy.abs(wide), sigma, **smooth)
    if numpy.any(options.get("order", 0)):  # for derivatives the absolute sum of the weights is not 1
        magnitude = numpy.full_like(magnitude, max(magnitude.max(), 1e-3))
    result = gaussian(on(device, x), sigma, **dict(options, mode=mode.replace("-", "_")))
    close(result, expected, magnitude, dtype)


@pytest.mark.parametrize("mode", MODES)
def test_every_boundary_is_scipys(device, gaussian, random, mode):
    x = random.standard_normal((45, 70))
    beside_scipy(gaussian, device, x, 3.0, mode=mode, cval=0.7)
    beside_scipy(gaussian, device, x, (1.3, 0.6), mode=mode, cval=-2.0)


@pytest.mark.parametrize("shape", [(300, 1100), (7, 130), (130, 7), (1, 5), (3, 64), (200,), (4, 33, 50), (2, 3, 20, 37)])
def test_any_rank_and_shape(device, gaussian, random, shape):
    beside_scipy(gaussian, device, random.random(shape), 2.0)


def test_any_sigma_for_each_axis(device, gaussian, random):
    x = random.random((9, 40, 52))
    for sigma in itertools.product((0, 1.7), repeat=3):
        beside_scipy(gaussian, device, x, sigma)
    beside_scipy(gaussian, device, x, (5.0, 9.0, 21.0))  # filters longer than the axes
    beside_scipy(gaussian, device, x, (0.1, 0.5, 4.1))


@pytest.mark.parametrize("mode", ["reflect", "constant", "mirror"])
def test_derivatives(device, gaussian, random, mode):
    x = random.random((50, 61))
    for order in itertools.product((0, 1, 2), repeat=2):
        beside_scipy(gaussian, device, x, (2.0, 1.5), order=order, mode=mode, cval=0.4)


def test_truncate_and_radius(device, gaussian, random):
    x = random.random((60, 71))
    beside_scipy(gaussian, device, x, 3.0, truncate=2.5)
    beside_scipy(gaussian, device, x, 3.0, radius=(5, 11))
    beside_scipy(gaussian, device, x, 3.0, radius=0)


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_other_dtypes(device, gaussian, random, dtype):
    beside_scipy(gaussian, device, random.random((80, 90)), 3.0, dtype=dtype)
    beside_scipy(gaussian, device, random.random((5, 30, 33)), 1.0, dtype=dtype)


def test_images_that_are_not_contiguous_or_aligned(device, gaussian, random):
    x = random.random((60, 81)).astype("float32")
    expected = ndimage.gaussian_filter(x.T[1:, 3:].astype("float64"), 2.0)
    result = gaussian(on(device, x).T[1:, 3:], 2.0)
    close(result, expected, expected)
    flat = on(device, numpy.concatenate([[0], x[:, :80].ravel()]).astype("float32"))[1:].reshape(60, 80)  # unaligned
    expected = ndimage.gaussian_filter(x[:, :80].astype("float64"), 2.0)
    close(gaussian(flat, 2.0), expected, expected)


def test_empty_arrays_and_scalars(device, gaussian):
    assert gaussian(on(device, numpy.zeros((0, 5), "float32")), 2.0).shape == (0, 5)
    assert gaussian(on(device, numpy.zeros((5, 0), "float32")), 2.0).shape == (5, 0)
    assert float(numpy.asarray(gaussian(on(device, numpy.array(2.5, "float32"))).to_device(tenon.Device("cpu:0")))) == 2.5


def test_what_is_refused_names_the_reason(device, gaussian):
    x = on(device, numpy.zeros((5, 6), "float32"))
    for keywords, reason in [({"sigma": -1.0}, "negative"), ({"sigma": [1.0, float("nan")]}, "not a number"),
                             ({"sigma": float("inf")}, "does not fit in a 64-bit integer"), ({"sigma": 1.0, "order": 3}, "other than 0, 1 and 2"), ({"sigma": 1.0, "radius": -2}, "below -1"),
                             ({"sigma": 1.0, "truncate": -1.0}, "truncate is -1"), ({"sigma": [1.0, 2.0, 3.0]}, "must be 2")]:
        with pytest.raises(tenon.TenonError, match=reason):
            gaussian(x, **keywords)
