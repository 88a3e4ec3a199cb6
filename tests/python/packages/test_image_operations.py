"""The operations of kernels/image except the Gaussian, compared with scipy.ndimage and NumPy, and all self-tests of the
package, on every device."""


import numpy
import pytest

import tenon
from conftest import KERNELS, on

ndimage = pytest.importorskip("scipy.ndimage")

MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]
PACKAGE = KERNELS / "image"
OPERATIONS = sorted(one["name"] for one in tenon.plugins.check(PACKAGE)["operations"])


@pytest.fixture(scope="module")
def image():
    return tenon.plugins.load(PACKAGE)


def host(array):
    return numpy.asarray(array.to_device(tenon.Device("cpu:0")))


def each(function, x, *args, **keywords):
    """Applies a function of images to each image of a batch."""
    return numpy.stack([function(one, *args, **keywords) for one in x.reshape(-1, *x.shape[-2:])]).reshape(x.shape)


def close(result, expected, bound=1e-6):
    assert result.shape == expected.shape
    assert numpy.max(numpy.abs(host(result).astype("float64") - expected), initial=0) <= bound * max(1.0, numpy.max(numpy.abs(expected), initial=0))


@pytest.mark.parametrize("name", OPERATIONS)
def test_self_tests_pass(device, image, name):
    result = image[name].test(device)
    assert not [case for case in result["cases"] if not case["passed"]]
    assert result["passed"] > 0 or name.endswith("_gradient")  # gradients are tested with their operation


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("window", [(3, 3), (4, 5), (1, 9), (70, 3), (5, 131)])
def test_dense_windows(device, image, random, mode, window):
    x, weights = random.standard_normal((2, 50, 130)), random.standard_normal(window)
    for name, function in (("correlate", ndimage.correlate), ("convolve", ndimage.convolve)):
        expected = each(function, x, weights, mode=mode, cval=0.5)
        close(image[name](on(device, x), on(device, weights), mode, 0.5), expected, 1e-12)
        close(image[name](on(device, x.astype("float32")), on(device, weights.astype("float32")), mode, 0.5), expected, 2e-5)


@pytest.mark.parametrize("mode", MODES)
def test_separable_windows(device, image, random, mode):
    x, down, across = random.standard_normal((3, 20, 75)), random.standard_normal(7), random.standard_normal(4)
    expected = each(lambda one: ndimage.correlate1d(ndimage.correlate1d(one, down, 0, mode=mode), across, 1, mode=mode), x)
    close(image.correlate_separable(on(device, x), on(device, down), on(device, across), mode), expected, 1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_edges(device, image, random, mode):
    x = random.standard_normal((2, 33, 90))
    for name in ("sobel", "prewitt"):
        for axis in (0, 1):
            close(image[name](on(device, x), "yx"[axis], mode), each(getattr(ndimage, name), x, axis, mode=mode), 1e-12)
    close(image.laplace(on(device, x), mode), each(ndimage.laplace, x, mode=mode), 1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int8", "uint16", "int16", "int32"])
def test_ranks(device, image, random, dtype):
    whole = numpy.dtype(dtype).kind in "iu"
    x = (random.integers(-100 if dtype.startswith("i") else 0, 120, (2, 25, 70)) if whole else random.standard_normal((2, 25, 70))).astype(dtype)
    for mode in MODES:
        for size in ((3, 3), (5, 2), (1, 7)):
            assert numpy.array_equal(host(image.median_filter(on(device, x), size, mode)), each(ndimage.median_filter, x, size, mode=mode))
            for rank in (0, -2, 3):
                expected = each(ndimage.rank_filter, x, rank, size, mode=mode)
                assert numpy.array_equal(host(image.rank_filter(on(device, x), rank, size, mode)), expected)


def test_the_ends_of_the_ranks_and_large_windows(device, image, random):
    """The largest, a window of one element, and one so large that its elements are counted."""
    x = random.standard_normal((2, 25, 70)).astype("float32")
    for size, rank in (((3, 3), -1), ((1, 1), 0), ((8, 8), 17)):
        expected = each(ndimage.rank_filter, x, rank, size)
        assert numpy.array_equal(host(image.rank_filter(on(device, x), rank, size)), expected)


def test_the_median_of_special_numbers(device, image):
    x = numpy.array([[-0.0, numpy.inf, -numpy.inf, 1e-42, -1e-42, 3.0, 2.0]], "float32")
    assert host(image.median_filter(on(device, x), (1, 3), "nearest")).tolist() == ndimage.median_filter(x, (1, 3), mode="nearest").tolist()


@pytest.mark.parametrize("dtype", ["float32", "uint8", "int32"])
def test_morphology(device, image, random, dtype):
    x = (random.random((2, 31, 140)) * 200).astype(dtype)
    for mode in MODES:
        for size in ((3, 3), (5, 1), (7, 75)):
            for name in ("erosion", "dilation", "opening", "closing"):
                expected = each(getattr(ndimage, "grey_" + name), x, size, mode=mode)
                assert numpy.array_equal(host(image[name](on(device, x), size, mode)), expected)


def weights(n, to, kind):
    """The matrix that resizes n elements to another number of elements, by definition."""
    out = numpy.zeros((to, n))
    for i in range(to):
        if kind == "area":
            for j in range(n):
                out[i, j] = max(0, min((i + 1) * n, (j + 1) * to) - max(i * n, j * to)) / n
            continue
        at = (i + 0.5) * n / to - 0.5
        taps = {"nearest": [(numpy.floor(at + 0.5), 1.0)]}.get(kind)
        if taps is None:
            low, a = numpy.floor(at), -0.75
            near = lambda d: (a + 2) * d**3 - (a + 3) * d**2 + 1
            far = lambda d: a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
            t = at - low
            taps = [(low, 1 - t), (low + 1, t)] if kind == "bilinear" else [(low - 1, far(1 + t)), (low, near(t)), (low + 1, near(1 - t)), (low + 2, far(2 - t))]
        for j, weight in taps:
            out[i, int(min(max(j, 0), n - 1))] += weight
    return out


@pytest.mark.parametrize("kind", ["nearest", "bilinear", "bicubic", "area"])
def test_resize(device, image, random, kind):
    x = random.random((2, 24, 37))
    for height, width in ((24, 37), (48, 111), (7, 10), (1, 50), (31, 1)):
        expected = numpy.einsum("ih,bhw,jw->bij", weights(24, height, kind), x, weights(37, width, kind))
        close(image.resize(on(device, x), height, width, kind), expected, 1e-12)
        close(image.resize(on(device, x.astype("float32")), height, width, kind), expected, 1e-5)
        whole = (x * 255).astype("uint8")
        result = host(image.resize(on(device, whole), height, width, kind)).astype("float64")
        exact = numpy.clip(numpy.einsum("ih,bhw,jw->bij", weights(24, height, kind), whole, weights(37, width, kind)), 0, 255)
        assert numpy.max(numpy.abs(result - exact)) <= 0.5 + 1e-4


@pytest.mark.parametrize("sizes", [((3, 3), (2, 2)), ((4, 6), (2, 3)), ((3, 5), (7, 8)), ((4, 4), (4, 4)), ((9, 100), (7, 70)), ((2, 40), (5, 90))])
def test_resize_by_area_looks_at_the_area_and_no_more(device, image, sizes):
    """An infinity affects each new element that covers part of it, and no others; the same holds for the gradient."""
    (h, w), (height, width) = sizes
    down, across = weights(h, height, "area") > 0, weights(w, width, "area") > 0
    for i, j in ((0, 0), (1, 2), (h - 1, w - 1), (h // 2, w // 2), (0, w - 2)):
        x = numpy.ones((h, w))
        x[i, j] = numpy.inf
        result = host(image.resize(on(device, x), height, width, "area"))
        assert numpy.array_equal(result == numpy.inf, numpy.outer(down[:, i], across[:, j]))
        assert numpy.allclose(result[result != numpy.inf], 1)
    for i, j in ((0, 0), (1, 1), (height - 1, width - 1), (height // 2, width // 2), (1, width - 2)):
        back = numpy.zeros((height, width))
        back[i, j] = numpy.inf
        result = host(image.resize_gradient(on(device, numpy.zeros((h, w))), on(device, back), "area"))
        assert numpy.array_equal(result == numpy.inf, numpy.outer(down[i], across[j]))
        assert not result[result != numpy.inf].any()


@pytest.mark.parametrize("kind", ["nearest", "bilinear", "bicubic", "area"])
def test_resize_gradient_is_the_adjoint(device, image, random, kind):
    """All elements of the gradient, compared with the transposed matrices, for larger, smaller and single-element
    sizes."""
    for h, w in ((24, 37), (1, 6), (5, 1)):
        x = on(device, numpy.zeros((2, h, w)))
        for height, width in ((24, 37), (48, 111), (7, 10), (1, 50), (131, 1), (h, w + 1)):
            back = random.standard_normal((2, height, width))
            expected = numpy.einsum("ih,bij,jw->bhw", weights(h, height, kind), back, weights(w, width, kind))
            close(image.resize_gradient(x, on(device, back), kind), expected, 1e-12)
            single = [image.resize_gradient(on(device, numpy.zeros((2, h, w), "float32")), on(device, back.astype("float32")), kind) for _ in range(2)]
            close(single[0], expected, 1e-5)
            assert single[0].tobytes() == single[1].tobytes()
    for height, width in ((0, 7), (4, 0)):
        assert not host(image.resize_gradient(x, on(device, numpy.zeros((2, height, width))), kind)).any()
    assert image.resize_gradient(on(device, numpy.zeros((0, 3, 4))), on(device, numpy.zeros((0, 6, 2))), kind).shape == (0, 3, 4)
    back = numpy.zeros((40, 60))
    back[0, 0] = numpy.inf  # only affects the elements that it came from
    assert numpy.isfinite(host(image.resize_gradient(on(device, numpy.zeros((20, 20))), on(device, back), kind))[5:, 5:]).all()
    with pytest.raises(tenon.ShapeError, match="grad_y of image/resize_gradient"):
        image.resize_gradient(x, on(device, numpy.zeros((3, 4, 4))), kind)
    with pytest.raises(tenon.DTypeError, match="grad_y of image/resize_gradient"):
        image.resize_gradient(x, on(device, numpy.zeros((2, 4, 4), "float32")), kind)


def test_resize_as_pytorch(device, image, random):
    torch = pytest.importorskip("torch")
    x = random.random((2, 24, 37)).astype("float32")
    for kind in ("bilinear", "bicubic", "nearest-exact"):
        expected = torch.nn.functional.interpolate(torch.from_numpy(x)[None], (50, 31), mode=kind)[0].numpy()
        close(image.resize(on(device, x), 50, 31, kind.split("-")[0]), expected, 1e-5)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order, kind", [(0, "nearest"), (1, "bilinear")])
def test_affine_transforms(device, image, random, mode, order, kind):
    x = random.random((2, 24, 37))
    for matrix, size in (([0.8, 0.6, -3.113, -0.6, 0.8, 11.713], (24, 37)), ([2, 0.3, -60.013, 0.1, -3, 200.021], (50, 9)),
                         ([0.1, 0, 0.31, 0, 0.2, 0.17], (7, 120))):
        m = numpy.reshape(matrix, (2, 3))
        options = {"order": order, "mode": f"grid-{mode}" if mode in ("constant", "wrap") else mode, "cval": 0.5}
        expected = numpy.stack([ndimage.affine_transform(one, m[:, :2], m[:, 2], size, **options) for one in x])
        given = {"size": size, "filter": kind, "mode": mode, "cval": 0.5}
        close(image.affine_transform(on(device, x), matrix, **given), expected, 1e-12)
        close(image.affine_transform(on(device, x.astype("float32")), matrix, **given), expected, 1e-5)
        whole = (x * 255).astype("uint8")
        exact = numpy.stack([ndimage.affine_transform(one, m[:, :2], m[:, 2], size, output="f8", **options) for one in whole])
        result = host(image.affine_transform(on(device, whole), matrix, **given)).astype("float64")
        assert numpy.max(numpy.abs(result - exact)) <= 0.5 + 1e-3


def test_affine_transforms_far_outside(device, image):
    x = on(device, numpy.array([[1.0, numpy.inf], [3.0, 4.0]]))
    same = [1, 0, 0, 0, 1, 0]
    assert host(image.affine_transform(x, same)).tolist() == [[1, numpy.inf], [3, 4]]  # a weight of 0 counts nothing
    for matrix in ([1e300, 0, 1e30, 0, 1, 0], [numpy.nan, 0, 0, 0, 1, 0]):
        assert host(image.affine_transform(x, matrix, cval=7)).tolist() == [[7, 7], [7, 7]]
    assert host(image.affine_transform(x, [1e300, 0, 1e30, 0, 1, 0], mode="nearest")).tolist() == [[3, 4], [3, 4]]
    assert image.affine_transform(x, same, (0, 5)).shape == (0, 5)
    assert host(image.affine_transform(x[:0], same, (1, 2), cval=2)).tolist() == [[2, 2]]


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int32"])
def test_histogram(device, image, random, dtype):
    x = (random.standard_normal(300001) * 60 + 100).astype("uint8" if dtype == "uint8" else dtype)
    for bins, low, high in ((256, 0.0, 256.0), (17, -3.5, 120.25), (1, 0.0, 1.0), (5000, 0.0, 255.0)):
        expected = numpy.histogram(x.astype("float64"), bins, (low, high))[0]
        assert numpy.array_equal(host(image.histogram(on(device, x), bins, low, high)), expected)
    special = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 1.0], "float32")
    assert host(image.histogram(on(device, special), 2, 0.0, 1.0)).tolist() == [0, 1]
    assert host(image.histogram(on(device, special[:0]), 3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("values, bins, low, high", [
    (numpy.round(numpy.linspace(-1, 1, 201), 2), 20, -1.0, 1.0), (numpy.arange(-100, 100.0), 1000, -100.0, 100.0),
    (numpy.arange(256).astype("uint8"), 1000, -100.0, 300.0), (numpy.arange(-60, 60) / 10, 100, -5.0, 5.0)])
def test_values_on_edges_are_counted_as_numpy_counts_them(device, image, values, bins, low, high):
    assert numpy.array_equal(host(image.histogram(on(device, values), bins, low, high)), numpy.histogram(values.astype("float64"), bins, (low, high))[0])


def test_colours(device, image, random):
    x = random.random((2, 3, 6, 7)).astype("float32")
    close(image.rgb_to_gray(on(device, x)), numpy.einsum("ncij,c->nij", x.astype("float64"), [0.299, 0.587, 0.114]))
    assert numpy.array_equal(host(image.gray_to_rgb(on(device, x[:, 0]))), numpy.repeat(x[:, :1], 3, axis=1))
    with pytest.raises(tenon.ShapeError, match="x of image/rgb_to_gray"):
        image.rgb_to_gray(on(device, x[:, :2]))


def test_a_flat_picture_in_colour_keeps_its_colours(device, image):
    """Each operation on images treats the channels as separate images."""
    red = numpy.zeros((3, 12, 15))
    red[0] = 1
    kept = {"gaussian_filter": dict(sigma=3.0, axes=2), "median_filter": dict(size=5), "rank_filter": dict(rank=3), "erosion": {}, "dilation": {}, "opening": {}, "closing": {},
            "correlate": dict(weights=numpy.full((3, 5), 1 / 15)), "convolve": dict(weights=numpy.full((3, 5), 1 / 15))}
    for name, keywords in kept.items():
        close(image[name](on(device, red), **{key: on(device, value) if isinstance(value, numpy.ndarray) else value for key, value in keywords.items()}), red, 1e-12)
    for kind in ("nearest", "bilinear", "bicubic", "area"):
        close(image.resize(on(device, red), 20, 7, kind), numpy.broadcast_to(red[:, :1, :1], (3, 20, 7)), 1e-12)
    for name in ("sobel", "prewitt", "laplace"):
        close(image[name](on(device, red)), numpy.zeros_like(red), 1e-12)


def test_only_the_last_axes_of_a_gaussian(device, image, random):
    x = random.standard_normal((2, 3, 20, 31))
    close(image.gaussian_filter(on(device, x), 1.5, axes=2), ndimage.gaussian_filter(x, (0, 0, 1.5, 1.5)), 1e-12)
    close(image.gaussian_filter(on(device, x), (9.0, 9.0, 1.0, 2.0), axes=1), ndimage.gaussian_filter(x, (0, 0, 0, 2.0)), 1e-12)
    with pytest.raises(tenon.TenonError, match="axes is 5: it must be 0 \\(all axes\\) to 4"):
        image.gaussian_filter(on(device, x), 1.5, axes=5)


@pytest.mark.parametrize("call, reason", [
    (lambda image, x: image.median_filter(x, (0, 3)), "the window is 0 x 3"),
    (lambda image, x: image.rank_filter(x, 9), "rank is 9"),
    (lambda image, x: image.erosion(x, (2, 3)), "both must be odd"),
    (lambda image, x: image.histogram(x, 0), "bins is 0"),
    (lambda image, x: image.histogram(x, 4, 2.0, 2.0), "the range is from 2 to 2: low must be below high"),
    (lambda image, x: image.resize(x, -1, 4), "the size is -1 x 4: neither may be negative"),
    (lambda image, x: image.affine_transform(x, [1.0, 0, 0, 0, 1, 0], (-2, 3)), "size is -2 x 3"),
    (lambda image, x: image.affine_transform(x[:0], [1.0, 0, 0, 0, 1, 0], 2, mode="wrap"), "the images have no elements"),
    (lambda image, x: image.correlate(x, x[:0]), "the window has no weights"),
])
def test_what_is_refused_names_the_reason(device, image, call, reason):
    with pytest.raises(tenon.TenonError, match=reason):
        call(image, on(device, numpy.zeros((5, 6), "float32")))
