"""tenon.cupy.ndimage against scipy.ndimage, which it replaces."""

import numpy as np
import pytest

import tenon
import tenon.cupy as cupy
from tenon.cupy import ndimage

scipy = pytest.importorskip("scipy.ndimage")

MODES = ("reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "wrap", "grid-wrap")


def numbers(shape, dtype="float64", seed=1):
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return random.integers(0 if dtype.kind == "u" else -100, 100, shape).astype(dtype)
    made = random.standard_normal(shape)
    return (made + 1j * random.standard_normal(shape) if dtype.kind == "c" else made).astype(dtype)


def same(name, x, *args, tolerance=None, **keywords):
    """Calls both functions; the results have one dtype and are equal to rounding. Returns Tenon's."""
    theirs = getattr(scipy, name)(x, *args, **keywords)
    ours = getattr(ndimage, name)(cupy.asarray(x), *args, **keywords)
    assert isinstance(ours, tenon.Array)
    assert ours.dtype == theirs.dtype
    if tolerance is None:
        tolerance = 0 if theirs.dtype.kind in "biu" else 1e-5 if theirs.dtype.itemsize // (1 + (theirs.dtype.kind == "c")) == 4 else 1e-12
    np.testing.assert_allclose(cupy.asnumpy(ours), theirs, rtol=tolerance, atol=tolerance)
    return ours


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape, window", [((9,), (3,)), ((9,), (4,)), ((5, 7), (3, 2)), ((4, 5, 6), (2, 3, 4)),
                                           ((3, 2, 4, 3), (2, 1, 3, 2)), ((2, 3), (7, 9)), ((1, 1), (3, 3))])
@pytest.mark.parametrize("name", ["correlate", "convolve"])
def test_windows_of_any_rank(name, shape, window, mode):
    x, weights = numbers(shape), numbers(window, seed=2)
    same(name, x, weights, mode=mode, cval=1.5)
    same(name, x, weights, mode=mode, origin=-(window[0] // 2) if len(set(window)) == 1 else 0)
    same(name, x, weights, mode=mode, origin=[(extent - 1) // 2 for extent in window])


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d"])
@pytest.mark.parametrize("mode", MODES)
def test_lines(name, mode):
    x = numbers((4, 5, 6))
    for axis in (0, 1, 2, -1, -3):
        for size, origin in ((1, 0), (3, 1), (4, -2), (4, 1), (15, 7)):
            same(name, x, numbers(size, seed=3), axis=axis, mode=mode, cval=-2.0, origin=origin)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                                   "float32", "float64", "complex64", "complex128"])
def test_dtypes(dtype):
    x = numbers((6, 7), dtype)
    same("correlate1d", x, [1, -2, 1], axis=0)
    same("correlate", x, [[0, 1, 0], [1, -4, 1], [0, 1, 0]])
    same("gaussian_filter", x, 1.3, tolerance=1 if dtype.startswith(("int", "uint")) else None)
    if dtype not in ("bool", "uint64"):  # sums of wrapped uint64 leave the range that conversions are defined for
        same("sobel", x, axis=0)
    same("convolve", x, np.ones((3, 3)), output=np.complex128 if "complex" in dtype else np.float64)
    if "complex" not in dtype:
        same("maximum_filter", x, 3)
        same("minimum_filter", x, footprint=np.eye(3, dtype=bool), mode="nearest")


def test_complex_weights_are_conjugated_by_correlation_only():
    x, weights = numbers((5, 6), "float32"), numbers((3, 2), "complex128", 4)
    for name in ("correlate", "convolve"):
        same(name, x, weights, cval=2.0, mode="constant")
        same(name, numbers((5, 6), "complex128", 5), weights, cval=1 + 2j, mode="constant")
    for name in ("correlate1d", "convolve1d"):
        same(name, x, weights[:, 0], axis=0)
    with pytest.raises(ValueError, match="complex, and the input is real"):
        ndimage.correlate1d(cupy.asarray(x), np.ones(3), cval=1j)


@pytest.mark.parametrize("name", ["sobel", "prewitt"])
def test_edges_of_a_volume(name):
    volume = numbers((4, 5, 6))
    for axis in (0, 1, -1):
        same(name, volume, axis=axis)
        same(name, volume, axis, mode=["wrap", "constant", "mirror"], cval=3.0)
        same(name, numbers((4, 5, 6), "uint8"), axis)
    assert not np.allclose(ndimage.sobel(cupy.asarray(volume), 0).numpy(),
                           np.stack([scipy.sobel(one, 0) for one in volume]))  # a volume is no stack of images


@pytest.mark.parametrize("name, args", [("laplace", ()), ("gaussian_laplace", (1.2,)), ("gaussian_laplace", ([1.0, 2.0, 0.5],)),
                                        ("gaussian_gradient_magnitude", (1.2,))])
def test_second_derivatives_and_gradients(name, args):
    volume = numbers((6, 5, 7))
    same(name, volume, *args)
    same(name, volume, *args, mode=["wrap", "nearest", "mirror"])
    same(name, volume.astype("float32"), *args, output="float64")
    if args != ([1.0, 2.0, 0.5],):
        same(name, volume, *args, axes=(0, 2))
        same(name, volume, *args, mode=["wrap", "mirror"], axes=(2, 0))


def test_gaussians():
    volume = numbers((6, 9, 8))
    same("gaussian_filter", volume, 1.5)
    same("gaussian_filter", volume, [0.5, 0, 2], mode=["wrap", "nearest", "mirror"])
    same("gaussian_filter", volume, 0)
    same("gaussian_filter", volume, 1.0, truncate=2.0)
    same("gaussian_filter", volume, 1.0, radius=[1, 2, 3], order=[0, 1, 2])
    same("gaussian_filter", volume, 1.0, axes=(1,), mode="constant", cval=2)
    for order in range(6):
        same("gaussian_filter1d", volume, 1.7, 1, order, tolerance=1e-11)
    with pytest.raises(ValueError, match="order must be 0 or more"):
        ndimage.gaussian_filter1d(cupy.asarray(volume), 1, order=-1)
    with pytest.raises(ValueError, match="radius"):
        ndimage.gaussian_filter1d(cupy.asarray(volume), 1, radius=1.5)


def test_boxes():
    x = numbers((6, 7, 5))
    for name in ("uniform_filter", "minimum_filter", "maximum_filter"):
        same(name, x, 3)
        same(name, x, [2, 1, 4], mode=["reflect", "wrap", "constant"], cval=9.0, origin=[0, 0, -1])
        same(name, x, 4, axes=(0, 2))
    for name in ("uniform_filter1d", "minimum_filter1d", "maximum_filter1d"):
        same(name, x, 4, axis=0, origin=1, mode="constant", cval=-5.0)
    footprint = numbers((2, 3, 3), "bool", 8)
    for name in ("minimum_filter", "maximum_filter"):
        same(name, x, footprint=footprint, origin=(-1, 1, 0), mode="mirror")
        same(name, x, footprint=footprint[0], axes=(0, 2))
    least = np.full((3, 3), np.iinfo("int64").min)
    assert ndimage.maximum_filter(cupy.asarray(least), 3).numpy().max() == least[0, 0]  # exact beyond 2^53
    with pytest.raises(TypeError, match="no order"):
        ndimage.minimum_filter(cupy.asarray(numbers((3, 3), "complex64")), 3)
    with pytest.raises(RuntimeError, match="size, the extent"):
        ndimage.minimum_filter(cupy.asarray(x))
    with pytest.raises(ValueError, match="no true entry"):
        ndimage.minimum_filter(cupy.asarray(x), footprint=np.zeros((3, 3, 3)))


def test_the_output():
    x = numbers((6, 7))
    weights = np.ones((3, 3))
    for made in ("float32", np.int16, np.dtype("uint8"), float):
        same("correlate", np.abs(x), weights, output=made)
    for name, args in (("correlate", (weights,)), ("sobel", ()), ("laplace", ()), ("gaussian_filter", (1.0,)),
                       ("maximum_filter", (3,)), ("gaussian_gradient_magnitude", (1.0,))):
        expected = getattr(scipy, name)(x, *args)
        given = cupy.asarray(x).copy()
        out = tenon.empty((6, 7), "float64", device=given.device)
        assert getattr(ndimage, name)(given, *args, output=out) is out
        np.testing.assert_allclose(cupy.asnumpy(out), expected, rtol=1e-12, atol=1e-12)
        wide = tenon.zeros((6, 14), "float64", device=given.device)
        getattr(ndimage, name)(given, *args, output=wide[:, ::2])  # not contiguous
        np.testing.assert_allclose(cupy.asnumpy(wide)[:, ::2], expected, rtol=1e-12, atol=1e-12)
        assert not cupy.asnumpy(wide)[:, 1::2].any()
        getattr(ndimage, name)(given.T, *args, output=given.T)  # in place, and not contiguous either
        np.testing.assert_allclose(cupy.asnumpy(given).T, getattr(scipy, name)(x.T, *args), rtol=1e-12, atol=1e-12)
    half = cupy.asarray(x).copy()
    ndimage.correlate1d(half[:3], [1.0, 2.0, 3.0], 0, output=half[1:4])  # a part of the input
    np.testing.assert_allclose(cupy.asnumpy(half)[1:4], scipy.correlate1d(x[:3], [1, 2, 3], 0), rtol=1e-12)
    with pytest.raises(RuntimeError, match=r"output has shape \(6, 6\), and the input \(6, 7\)"):
        ndimage.sobel(half, output=tenon.zeros((6, 6), device=half.device))
    with pytest.raises(RuntimeError, match="the result is complex, and output is float64"):
        ndimage.correlate(half, weights * 1j, output=half)


def test_other_axes_and_empty_arrays():
    x = numbers((4, 5, 6))
    weights = numbers((2, 3), seed=6)
    same("correlate", x, weights, axes=(0, 2))
    same("convolve", x, weights, axes=(-2, -1), origin=(-1, 1))
    assert ndimage.correlate(cupy.asarray(np.zeros((0, 3))), np.ones((3, 3))).shape == (0, 3)
    assert ndimage.gaussian_filter(cupy.asarray(np.zeros((3, 0))), 1).shape == (3, 0)


def test_zeros_of_a_window_spread_nothing():
    x = np.array([[1.0, np.inf, 2.0], [3.0, 4.0, np.nan], [5.0, 6.0, 7.0]])
    same("correlate", x, [[0, 0, 0], [0, 1, 0], [1, 0, 0]])


def test_arguments_that_are_refused():
    x = cupy.asarray(numbers((4, 5)))
    for call in (lambda mode: ndimage.correlate(x, np.ones((3, 3)), mode=mode), lambda mode: ndimage.sobel(x, mode=mode),
                 lambda mode: ndimage.gaussian_filter(x, 1, mode=mode), lambda mode: ndimage.maximum_filter(x, 3, mode=mode)):
        with pytest.raises(RuntimeError, match="mode must be one of reflect, grid-mirror, .* not 'grid_wrap'"):
            call("grid_wrap")
    with pytest.raises(RuntimeError, match="mode must be one of"):
        ndimage.correlate(x, np.ones((3, 3)), mode=["wrap", "wrap"])  # one mode only, as in SciPy
    with pytest.raises(RuntimeError, match="mode has 3 values for 2 axes"):
        ndimage.sobel(x, mode=["wrap"] * 3)
    with pytest.raises(RuntimeError, match=r"weights has shape \(3,\)"):
        ndimage.correlate(x, np.ones(3))
    for origin in (-2, 2):
        with pytest.raises(ValueError, match="origin must be between -1 and 1 for a window of 3"):
            ndimage.correlate(x, np.ones((3, 3)), origin=origin)
    with pytest.raises(ValueError, match="axis 2 is out of range for an array with 2 axes"):
        ndimage.sobel(x, 2)
    with pytest.raises(ValueError, match="names an axis twice"):
        ndimage.gaussian_filter(x, 1, axes=(0, -2))
    with pytest.raises(AttributeError, match="no zoom: .*tenon.ops.image"):
        _ = ndimage.zoom


def test_weights_stay_on_the_device_and_streams_are_current():
    x, weights = cupy.asarray(numbers((8, 9), "float32")), cupy.asarray(numbers((3, 3), seed=2))
    with cupy.cuda.Stream(non_blocking=True) as stream:
        made = ndimage.correlate(x, weights)
    stream.synchronize()
    np.testing.assert_allclose(cupy.asnumpy(made), scipy.correlate(cupy.asnumpy(x), cupy.asnumpy(weights)), rtol=1e-5,
                               atol=1e-5)


@pytest.mark.parametrize("seed", range(40))
def test_random_arguments(seed):
    random = np.random.default_rng(seed)
    rank = int(random.integers(1, 5))
    x = numbers(tuple(random.integers(1, 7, rank)), random.choice(["float64", "int32", "float32", "uint8"]), seed)
    window = random.integers(1, 6, rank)
    origin = [int(random.integers(-(size // 2), (size - 1) // 2 + 1)) for size in window]
    mode = str(random.choice(MODES))
    x = x[tuple(slice(None, None, int(random.choice([1, -1]))) for _ in range(rank))]
    weights = np.round(random.standard_normal(window) * 4)
    name = str(random.choice(["correlate", "convolve"]))
    expected = getattr(scipy, name)(x, weights, "float64", mode, 3.0, origin)
    made = getattr(ndimage, name)(cupy.asarray(x), weights, "float64", mode, 3.0, origin)
    np.testing.assert_allclose(cupy.asnumpy(made), expected, rtol=1e-12, atol=1e-12)
