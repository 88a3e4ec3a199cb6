"""FFT, compared with NumPy in double precision: lengths, axes, norms, layouts, in place."""

import numpy
import pytest

import tenon
import tenon.cupy as cupy
from conftest import COMPLEX, REAL, eps, on, sample

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
    close(tenon.fftn(on(device, x), axes=axes).numpy(), numpy.fft.fftn(x.astype("complex128"), axes=axes), points)
    close(tenon.ifftn(on(device, x), axes=axes).numpy(), numpy.fft.ifftn(x.astype("complex128"), axes=axes), points)


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
    close(tenon.fft(VIEWS[view](on(device, x)), axis=axis).numpy(), numpy.fft.fft(VIEWS[view](x), axis=axis), 30)


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
    close(tenon.fft(on(device, x), axis=0).numpy(), numpy.fft.fft(x.astype("complex128"), axis=0), 1000)


def test_no_axes_are_treated_as_in_numpy(device, random):
    x = on(device, sample(random, (3, 4), "float32"))
    for name in ("fftn", "ifftn", "fft2", "ifft2"):
        assert getattr(tenon, name)(x, axes=()) is x and getattr(tenon, name)(x, s=(), axes=()) is x, name
        there = x.numpy()
        assert getattr(numpy.fft, name)(there, axes=()) is there, name
    for name in ("rfftn", "irfftn", "rfft2", "irfft2"):
        for module, y in ((tenon, x), (numpy.fft, x.numpy())):
            with pytest.raises(IndexError):
                getattr(module, name)(y, axes=())
    with pytest.raises(tenon.InvalidArgument, match="at least one axis"):
        tenon.rfftn(x, axes=())
    with pytest.raises(ValueError, match="norm"):
        tenon.fftn(x, axes=(), norm="none")


def test_empty_batches_do_nothing(device):
    assert tenon.fft(tenon.zeros((0, 8), "complex64", device=device)).shape == (0, 8)


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.fft(z((3, 0))), ValueError),
    (lambda z: tenon.fft(z((3, 4)), axis=2), ValueError),
    (lambda z: tenon.fft(z((3, 4)), axis=-3), ValueError),
    (lambda z: tenon.fftn(z((3, 4)), axes=(0, 0)), ValueError),
    (lambda z: tenon.fftn(z((3, 4)), axes=(0, -2)), ValueError),
    (lambda z: tenon.fft(z((3, 4)), out=z((4, 3))), ValueError),
    (lambda z: tenon.fft(z((3, 4)), out=z((3, 4), "complex128")), TypeError),
    (lambda z: tenon.fft(z((3, 4)), norm="none"), ValueError),
    (lambda z: tenon.fft(z((3, 4)), out=z((1, 4)).broadcast_to((3, 4))), ValueError),
    (lambda z: (lambda x: tenon.fft(x[:4], out=x[1:]))(z((5, 8))), ValueError),
])
def test_what_does_not_fit_is_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="complex64": tenon.zeros(shape, dtype, device=device))


# --- between real and complex numbers ---


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", REAL)
def test_real_transforms_of_any_length(device, random, n, dtype):
    x = sample(random, (3, n), dtype)
    wide = x.astype("float64")
    half = tenon.rfft(on(device, x))
    assert half.dtype == ("complex64" if dtype == "float32" else "complex128")
    close(half.numpy(), numpy.fft.rfft(wide), n)
    back = tenon.irfft(half, n=n)
    assert back.dtype == dtype and back.shape == x.shape
    close(back.numpy(), wide, n)


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("last", [14, 15])
def test_norms_of_real_transforms_are_numpys(device, random, norm, last):
    x = sample(random, (6, last), "float64")
    half = numpy.fft.rfftn(x, norm=norm)
    close(tenon.rfftn(on(device, x), norm=norm).numpy(), half, x.size)
    close(tenon.irfftn(on(device, half), s=x.shape, norm=norm).numpy(), x, x.size)
    close(tenon.hfft(on(device, half), n=last, norm=norm).numpy(), numpy.fft.hfft(half, n=last, norm=norm), last)
    close(tenon.ihfft(on(device, x), norm=norm).numpy(), numpy.fft.ihfft(x, norm=norm), last)


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (-1,), (0, 1), (1, 2), (0, 2), (2, 0), (-1, -3), (0, 1, 2), (2, 1, 0), (1, 3), (3, 2, 1, 0), (0, 3), (1, 2, 0)])
@pytest.mark.parametrize("dtype", REAL)
def test_real_transforms_over_any_set_of_axes(device, random, axes, dtype):
    x = sample(random, (4, 5, 6, 7), dtype)
    wide = x.astype("float64")
    points = numpy.prod([x.shape[axis] for axis in axes])
    half = numpy.fft.rfftn(wide, axes=axes)
    close(tenon.rfftn(on(device, x), axes=axes).numpy(), half, points)
    narrow = half.astype("complex64" if dtype == "float32" else "complex128")
    lengths = [x.shape[axis] for axis in axes]
    close(tenon.irfftn(on(device, narrow), axes=axes, s=lengths).numpy(), numpy.fft.irfftn(half, s=lengths, axes=axes), points)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("axis", [0, -1])
def test_real_transforms_of_any_layout(device, random, view, axis):
    x = sample(random, (24, 31), "float32")
    array = on(device, x)
    expected = numpy.fft.rfft(VIEWS[view](x).astype("float64"), axis=axis)
    close(tenon.rfft(VIEWS[view](array), axis=axis).numpy(), expected, 31)
    numpy.testing.assert_array_equal(array.numpy(), x)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("axis", [0, -1])
def test_transforms_to_real_of_any_layout_leave_the_source(device, random, view, axis):
    x = sample(random, (24, 31), "complex64")
    array = on(device, x)
    part = VIEWS[view](x)
    n = 2 * part.shape[axis] - 1
    close(tenon.irfft(VIEWS[view](array), axis=axis, n=n).numpy(), numpy.fft.irfft(part.astype("complex128"), n=n, axis=axis), 31)
    numpy.testing.assert_array_equal(array.numpy(), x)


@pytest.mark.parametrize("view", VIEWS)
def test_real_transforms_into_any_layout(device, random, view):
    whole, expected = tenon.zeros((24, 30), "complex128", device=device), numpy.zeros((24, 30), "complex128")
    n = 2 * VIEWS[view](expected).shape[-1] - 1
    x = sample(random, VIEWS[view](expected).shape[:-1] + (n,), "float64")
    tenon.rfft(on(device, x), out=VIEWS[view](whole))
    VIEWS[view](expected)[...] = numpy.fft.rfft(x)
    close(whole.numpy(), expected, n)
    back, wanted = tenon.zeros((24, 30), "float64", device=device), numpy.zeros((24, 30))
    m = VIEWS[view](wanted).shape[-1]
    half = numpy.fft.rfft(sample(random, VIEWS[view](wanted).shape, "float64"))
    tenon.irfft(on(device, half), n=m, out=VIEWS[view](back))
    VIEWS[view](wanted)[...] = numpy.fft.irfft(half, n=m)
    close(back.numpy(), wanted, m)


@pytest.mark.parametrize("n", [1, 4, 9, 20])
def test_lengths_cut_and_fill_up(device, random, n):
    x = sample(random, (5, 9), "float64")
    close(tenon.fft(on(device, x), n=n).numpy(), numpy.fft.fft(x, n=n), n)
    close(tenon.rfft(on(device, x), n=n, axis=0).numpy(), numpy.fft.rfft(x, n=n, axis=0), n)
    close(tenon.irfft(on(device, x), n=n).numpy(), numpy.fft.irfft(x, n=n), n)
    close(tenon.ifft2(on(device, x), s=(n, 3)).numpy(), numpy.fft.ifft2(x, s=(n, 3)), 3 * n)


@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "fftn", "ifftn", "rfft", "rfftn", "irfft", "irfftn", "hfft", "ihfft"])
def test_results_keep_the_order_of_their_source(device, random, name):
    """The order of axes in memory, as in NumPy."""
    x = sample(random, (3, 4, 5), "float32" if name in ("rfft", "rfftn", "ihfft") else "complex64")
    for axes in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)):
        expected = getattr(numpy.fft, name)(x.transpose(axes))
        got = getattr(tenon, name)(on(device, x).transpose(axes))
        close(got.numpy(), expected, 60)
        assert numpy.argsort([-s for s in got.strides]).tolist() == numpy.argsort([-s for s in expected.strides]).tolist()
    got = getattr(tenon, name)(on(device, x)[::2, :, ::-1])
    assert got.c_contiguous
    close(got.numpy(), getattr(numpy.fft, name)(x[::2, :, ::-1]), 60)


EMPTY = [(0, 4), (4, 0), (0, 0), (0, 4, 5), (4, 0, 5), (4, 5, 0)]


@pytest.mark.parametrize("shape", EMPTY, ids=str)
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "fft2", "rfft2", "irfft2", "fftn", "rfftn", "irfftn"])
def test_transforms_of_nothing_are_numpys(device, name, shape):
    """A batch may be empty; a transformed axis may only be empty if it is zero-padded."""
    one = name in ("fft", "rfft", "irfft")
    for keywords in [{}, {"n": 6}, {"axis": 0}, {"axis": 0, "n": 3}] if one else [{}, {"s": (4, 6), "axes": (0, 1)}, {"axes": (-1,)}, {"axes": (0,)}]:
        x = numpy.zeros(shape, "float64" if name.startswith("r") else "complex128")
        try:
            expected = getattr(numpy.fft, name)(x, **keywords)
        except ValueError:
            with pytest.raises(ValueError):
                getattr(tenon, name)(on(device, x), **keywords)
            continue
        got = getattr(tenon, name)(on(device, x), **keywords).numpy()
        assert got.shape == expected.shape and got.dtype == expected.dtype
        assert not got.any()  # NumPy's result may be uninitialised memory


HALVED = [1, 2, 3, 7, 10, 12, 4096, 6144, 8192, 12288, 16384, 1 << 17]


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("n", HALVED)
def test_imaginary_parts_that_have_no_meaning_are_not_read(device, random, n, dtype):
    """The length determines cuFFT's algorithm, and thus what it would read."""
    half = sample(random, (3, n // 2 + 1), dtype)
    half[:, 0] += 100j
    if n % 2 == 0:
        half[:, -1] -= 50j
    clean = half.copy()
    clean[:, 0].imag = 0
    if n % 2 == 0:
        clean[:, -1].imag = 0
    close(tenon.irfft(on(device, half), n=n).numpy(), numpy.fft.irfft(clean.astype("complex128"), n=n), n)
    nothing = numpy.zeros(n // 2 + 1, dtype)
    nothing[0] = 100j
    assert not tenon.irfft(on(device, nothing), n=n).numpy().any()


@pytest.mark.parametrize("shape", [(4, 6), (5, 7), (8, 8), (3, 16, 10), (64, 256), (2, 1), (1, 2), (6, 5, 4)], ids=str)
@pytest.mark.parametrize("dtype", COMPLEX)
def test_halves_of_several_axes_need_not_be_hermitian(device, random, dtype, shape):
    """As in NumPy, the other axes are transformed first, and imaginary parts of that result that must be 0 are not
    read."""
    half = sample(random, shape[:-1] + (shape[-1] // 2 + 1,), dtype)
    size = int(numpy.prod(shape))
    close(tenon.irfftn(on(device, half), s=shape).numpy(), numpy.fft.irfftn(half.astype("complex128"), s=shape), size)
    close(tenon.irfft2(on(device, half), s=shape[-2:]).numpy(), numpy.fft.irfft2(half.astype("complex128"), s=shape[-2:]), size)


@pytest.mark.parametrize("axes", [None, 0, (1,), (0, -1)])
@pytest.mark.parametrize("shape", [(6, 7), (1, 4), (5, 0)])
def test_shifts_are_numpys(device, random, axes, shape):
    x = sample(random, shape, "int32")
    numpy.testing.assert_array_equal(tenon.fftshift(on(device, x), axes).numpy(), numpy.fft.fftshift(x, axes))
    numpy.testing.assert_array_equal(tenon.ifftshift(on(device, x), axes).numpy(), numpy.fft.ifftshift(x, axes))


@pytest.mark.parametrize("axes", [None, (0, 2, 4), (5, 1), (0, 1, 2, 3, 4, 5)])
def test_shifts_along_many_axes_of_any_layout(device, random, axes):
    x = sample(random, (3, 2, 5, 1, 4, 3), "complex64")
    for view in (lambda x: x, lambda x: x.T, lambda x: x[::-1, :, ::2, :, ::-3]):
        got = tenon.fftshift(view(on(device, x)), axes)
        numpy.testing.assert_array_equal(got.numpy(), numpy.fft.fftshift(view(x), axes))
        numpy.testing.assert_array_equal(tenon.ifftshift(got, axes).numpy(), view(x))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "int64", "complex128"])
def test_shifts_take_every_dtype_and_no_axes(device, random, dtype):
    x = sample(random, (7,), dtype)
    numpy.testing.assert_array_equal(tenon.fftshift(on(device, x)).numpy(), numpy.fft.fftshift(x))
    same = tenon.fftshift(on(device, x), ())
    numpy.testing.assert_array_equal(same.numpy(), x)
    point = numpy.array(x[0])
    numpy.testing.assert_array_equal(tenon.ifftshift(on(device, point)).numpy(), point)


@pytest.mark.parametrize("n", [1, 2, 3, 9, 16, 97, 100000])
@pytest.mark.parametrize("d", [1.0, 0.25, -0.1, 1e300])
def test_frequencies_are_numpys_to_the_bit(device, n, d):
    numpy.testing.assert_array_equal(tenon.fftfreq(n, d, device=device).numpy(), numpy.fft.fftfreq(n, d))
    numpy.testing.assert_array_equal(tenon.rfftfreq(n, d, device=device).numpy(), numpy.fft.rfftfreq(n, d))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_frequencies_of_other_dtypes_are_rounded_once(device, dtype):
    got = tenon.fftfreq(1001, 0.3, dtype=dtype, device=device)
    assert got.dtype == dtype and got.device == device
    numpy.testing.assert_array_equal(got.numpy(), numpy.fft.fftfreq(1001, 0.3).astype(dtype))


@pytest.mark.parametrize("call, error", [
    (lambda d: tenon.fftfreq(0, device=d), tenon.InvalidArgument),
    (lambda d: tenon.rfftfreq(-2, device=d), tenon.InvalidArgument),
    (lambda d: tenon.fftfreq(2**70, device=d), tenon.InvalidArgument),
    (lambda d: tenon.fftfreq(5, 0.0, device=d), tenon.InvalidArgument),
    (lambda d: tenon.fftfreq(5, float("nan"), device=d), tenon.InvalidArgument),
    (lambda d: tenon.fftfreq(5, float("-inf"), device=d), tenon.InvalidArgument),
    (lambda d: tenon.fftfreq(5, 1.7e308, device=d), tenon.SizeOverflow),
    (lambda d: tenon.fftfreq(5, 1e-320, device=d), tenon.SizeOverflow),
    (lambda d: tenon.fftfreq(5, dtype="int32", device=d), tenon.DTypeError),
    (lambda d: tenon.fftfreq(5, dtype="complex64", device=d), tenon.DTypeError),
    (lambda d: tenon.fftshift(tenon.zeros((3,), device=d), 1), tenon.InvalidArgument),
    (lambda d: tenon.ifftshift(tenon.zeros((3, 2), device=d), (-3,)), tenon.InvalidArgument),
    (lambda d: tenon.fftshift(tenon.zeros((4,), "float4_e2m1fn", device=d)), tenon.Unsupported),
])
def test_order_and_frequencies_refuse_what_has_none(device, call, error):
    with pytest.raises(error):
        call(device)


def test_order_and_frequencies_are_recorded(device, random):
    x = on(device, sample(random, (5, 6), "float32"))
    with tenon.Graph(device) as graph:
        shifted = tenon.fftshift(x, stream=graph)
        frequencies = tenon.fftfreq(6, 0.5, dtype="float32", device=device, stream=graph)
    graph.launch()
    numpy.testing.assert_array_equal(shifted.numpy(), numpy.fft.fftshift(x.numpy()))
    numpy.testing.assert_array_equal(frequencies.numpy(), numpy.fft.fftfreq(6, 0.5).astype("float32"))


# --- plans ahead ---


def test_a_prepared_transform_finds_its_plans(device, random):
    def misses():
        details = next(one for one in tenon.info()["devices"] if one["name"] == device.name)["details"]
        return details.get("fft_plans", {"misses": 0})["misses"]

    cases = [("complex64", (6, 84), "complex64", (6, 84), (0, 1)), ("float32", (5, 91), "complex64", (5, 46), (1,)),
             ("complex128", (7, 40), "float64", (7, 78), (0, 1)), ("complex64", (3, 4, 5, 6, 7), "complex64", (3, 4, 5, 6, 7), None),
             ("complex32", (3, 128), "complex32", (3, 128), (1,)), ("complex32", (3, 60), "complex32", (3, 60), (1,))]
    for from_dtype, from_shape, to_dtype, to_shape, axes in cases:
        x, out = tenon.zeros(from_shape, from_dtype, device=device), tenon.full(to_shape, 7, to_dtype, device=device)
        assert tenon.fft_prepare(x, out, axes, inverse=to_dtype == "float64") is None
        numpy.testing.assert_array_equal(out.astype("complex128").numpy(), 7)  # nothing ran
        made = misses()
        transform = tenon.irfftn if to_dtype == "float64" else tenon.rfftn if from_dtype == "float32" else tenon.fftn
        transform(tenon.ones(from_shape, from_dtype, device=device), axes=axes, out=out, **({"s": to_shape} if to_dtype == "float64" else {}))
        assert misses() == made
    x, out = tenon.zeros((4, 9), device=device), tenon.full((4, 9), 7.0, device=device)
    for kind in (1, 2, 3, 4):
        tenon.dct_prepare(x, out, kind, sine=kind > 2)
        numpy.testing.assert_array_equal(out.numpy(), 7)
        made = misses()
        (tenon.dstn if kind > 2 else tenon.dctn)(x, kind, out=out)
        assert misses() == made
        out[...] = 7


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.fft_prepare(z((3, 4)), z((4, 3))), ValueError),
    (lambda z: tenon.fft_prepare(z((3, 4)), z((3, 4), "complex128")), TypeError),
    (lambda z: tenon.fft_prepare(z((3, 4)), z((3, 4)), (2,)), ValueError),
    (lambda z: tenon.fft_prepare(z((3, 4)), z((3, 4)), norm="none"), ValueError),
    (lambda z: tenon.fft_prepare(z((3, 4)), z((1, 4)).broadcast_to((3, 4))), ValueError),
    (lambda z: tenon.dct_prepare(z((3, 4)), z((3, 4))), TypeError),
    (lambda z: tenon.dct_prepare(z((3, 4), "float32"), z((3, 4), "float32"), 5), ValueError),
    (lambda z: tenon.dct_prepare(z((3, 1), "float32"), z((3, 1), "float32"), 1), ValueError),
])
def test_a_preparation_refuses_what_its_transform_would(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="complex64": tenon.zeros(shape, dtype, device=device))


# --- many axes ---


@pytest.mark.parametrize("axes", [None, (7, 0, 3), (6, 5, 4, 3, 2), (1, 3, 5, 7)])
@pytest.mark.parametrize("dtype", COMPLEX)
def test_up_to_eight_axes(device, random, axes, dtype):
    x = sample(random, (3, 2, 1, 4, 2, 3, 2, 5), dtype)
    double = x.astype("complex128")
    chosen = range(8) if axes is None else axes
    points = numpy.prod([x.shape[axis] for axis in chosen])

    def exact(y, transform):
        for axis in chosen:
            y = transform(y, axis=axis)
        return y

    for view in (lambda x: x, lambda x: x[::-1, :, :, ::-1, ::-1], lambda x: x.T.T[..., ::-1]):
        close(tenon.fftn(view(on(device, x)), axes=axes).numpy(), exact(view(double), numpy.fft.fft), points)
        close(tenon.ifftn(view(on(device, x)), axes=axes).numpy(), exact(view(double), numpy.fft.ifft), points)
    turned = on(device, numpy.ascontiguousarray(x.T)).T  # Fortran order
    tenon.fftn(turned, axes=axes, out=turned)
    close(turned.numpy(), exact(double, numpy.fft.fft), points)


@pytest.mark.parametrize("axes", [(0, 1, 2, 3, 4, 5, 6, 7), (7, 0, 3), (1, 3, 5, 7, 0)])
def test_real_transforms_of_eight_axes(device, random, axes):
    x = sample(random, (3, 2, 1, 4, 2, 3, 2, 5), "float64")
    half = x.astype("complex128")
    for axis in reversed(axes):  # as in NumPy: the last axis first, for real numbers
        half = numpy.fft.rfft(x, axis=axis) if axis == axes[-1] else numpy.fft.fft(half, axis=axis)
    points = numpy.prod([x.shape[axis] for axis in axes])
    got = tenon.rfftn(on(device, x), axes=axes)
    close(got.numpy(), half, points)
    close(tenon.irfftn(got, axes=axes, s=[x.shape[axis] for axis in axes]).numpy(), x, points)


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.rfft(z((3, 0), "float64")), ValueError),
    (lambda z: tenon.rfft(z((3, 4))), TypeError),
    (lambda z: tenon.rfft(z((3, 4), "float32"), out=z((3, 4), "complex64")), ValueError),
    (lambda z: tenon.rfft(z((3, 4), "float32"), out=z((3, 3), "complex128")), TypeError),
    (lambda z: tenon.irfft(z((3, 3)), n=7, out=z((3, 7), "float64")), TypeError),
    (lambda z: tenon.irfft(z((3, 1))), ValueError),
    (lambda z: tenon.irfftn(z((3, 3)), axes=(0, 1), s=(3,)), ValueError),
    (lambda z: tenon.rfft(z((3, 4), "float32"), axis=5), ValueError),
    (lambda z: (lambda x: tenon.rfft(x.view("float32")[:, :6], out=x[:, :4]))(z((3, 4))), ValueError),
])
def test_real_transforms_that_do_not_fit_are_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="complex64": tenon.zeros(shape, dtype, device=device))


def random_error(ours, exact):
    """The root-mean-square error divided by the root mean square of the result."""
    return numpy.linalg.norm(ours - exact) / numpy.linalg.norm(exact)


def exact_transform(x):
    """The transform by definition in the host's long double, with reduced angles."""
    n = x.shape[-1]
    angles = numpy.outer(numpy.arange(n), numpy.arange(n)) % n * (-2 * numpy.longdouble("3.14159265358979323846264338327950288") / n)
    return x.astype("clongdouble") @ (numpy.cos(angles) + 1j * numpy.sin(angles))


PRIMES = [n for n in range(2, 200) if all(n % k for k in range(2, n))]


STEPS = sorted({*range(1, 65), *PRIMES, *(2**k for k in range(13)), 96, 100, 243, 625, 720, 1000, 1009, 2187, 3125, 4093, 4095})


@pytest.mark.parametrize("dtype", COMPLEX)
def test_errors_are_within_three_times_the_best_librarys(device, random, dtype):
    """All lengths from 1 to 4096 and all primes under 200, compared with SciPy's error in the same precision. On a GPU,
    where each length needs a plan, only some of the lengths."""
    scipy_fft = pytest.importorskip("scipy.fft", reason="scipy is not installed")
    for n in STEPS if device.name.startswith("cuda") else range(1, 4097):
        x = sample(random, (2, n), dtype)
        exact = exact_transform(x) if n <= 256 else scipy_fft.fft(x.astype("clongdouble"))
        ours = random_error(tenon.fft(on(device, x)).numpy(), exact)
        best = random_error(scipy_fft.fft(x), exact)
        assert ours <= 3 * max(best, 0.3 * eps(dtype)), f"length {n}: {ours / eps(dtype):.2f} epsilon, SciPy {best / eps(dtype):.2f}"


@pytest.mark.parametrize("dtype", REAL)
def test_errors_of_real_transforms_are_within_three_times_the_best_librarys(device, random, dtype):
    scipy_fft = pytest.importorskip("scipy.fft", reason="scipy is not installed")
    for n in STEPS:
        x = sample(random, (2, n), dtype)
        exact = exact_transform(x)[:, :n // 2 + 1] if n <= 256 else scipy_fft.rfft(x.astype("longdouble"))
        half = tenon.rfft(on(device, x))
        ours, best = random_error(half.numpy(), exact), random_error(scipy_fft.rfft(x), exact)
        assert ours <= 3 * max(best, 0.4 * eps(dtype)), f"length {n}: {ours / eps(dtype):.2f} epsilon, SciPy {best / eps(dtype):.2f}"
        there = exact.astype(half.numpy().dtype)
        exact_back = scipy_fft.irfft(there.astype("clongdouble"), n=n)
        ours = random_error(tenon.irfft(on(device, there), n=n).numpy(), exact_back)
        best = random_error(scipy_fft.irfft(there, n=n), exact_back)
        assert ours <= 3 * max(best, 0.4 * eps(dtype)), f"back, length {n}: {ours / eps(dtype):.2f} epsilon, SciPy {best / eps(dtype):.2f}"


@pytest.mark.parametrize("dtype", COMPLEX)
def test_the_error_of_a_long_transform_is_within_three_times_the_best_librarys(device, random, dtype):
    scipy_fft = pytest.importorskip("scipy.fft", reason="scipy is not installed")
    n = 1 << 24
    x = random.standard_normal((n, 2), "float32" if dtype == "complex64" else "float64").view(dtype).reshape(n)
    exact = scipy_fft.fft(x.astype("complex128" if dtype == "complex64" else "clongdouble"))
    ours, best = random_error(tenon.fft(on(device, x)).numpy(), exact), random_error(scipy_fft.fft(x), exact)
    assert ours <= 3 * best, f"{ours / eps(dtype):.2f} epsilon, SciPy {best / eps(dtype):.2f}"


# --- half precision ---

def half(device, host):
    """Complex numbers as pairs of float16 on the device, and their rounded values on the host."""
    x = tenon.asarray(host.astype("complex64")).to_device(device).astype("complex32")
    return x, x.astype("complex64").numpy()


@pytest.mark.parametrize("shape, axes", [((64,), (0,)), ((8, 256), (1,)), ((256, 8), (0,)), ((16, 32, 64), (0, 1, 2)), ((7, 15), (0, 1)), ((3, 1000), (1,))])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("inverse", [False, True])
def test_half_precision(device, random, shape, axes, norm, inverse):
    x, values = half(device, random.standard_normal(shape) + 1j * random.standard_normal(shape))
    got = (tenon.ifftn if inverse else tenon.fftn)(x, axes=axes, norm=norm)
    assert got.dtype == "complex32" and got.device == device
    want = (numpy.fft.ifftn if inverse else numpy.fft.fftn)(values, axes=axes, norm=norm)
    assert numpy.linalg.norm(got.astype("complex64").numpy() - want) <= 2e-3 * numpy.linalg.norm(want)
    again, _ = half(device, values)
    (tenon.ifftn if inverse else tenon.fftn)(again, axes=axes, norm=norm, out=again)
    assert again.astype("complex64").numpy().tobytes() == got.astype("complex64").numpy().tobytes()


@pytest.mark.parametrize("shape, axes", [((64,), (0,)), ((8, 256), (1,)), ((256, 8), (0,)), ((16, 32, 64), (0, 1, 2)), ((7, 15), (0, 1)), ((64, 32), (1, 0))])
def test_half_precision_of_real_numbers(device, random, shape, axes):
    x = tenon.asarray(random.standard_normal(shape).astype("float16")).to_device(device)
    want = numpy.fft.rfftn(x.numpy().astype("float64"), axes=axes)
    got = tenon.rfftn(x, axes=axes, out=tenon.empty(want.shape, "complex32", device=device))
    assert numpy.linalg.norm(got.astype("complex64").numpy() - want) <= 2e-3 * numpy.linalg.norm(want)
    back = tenon.irfftn(got, axes=axes, s=[shape[axis] for axis in axes])
    assert back.dtype == "float16"
    numpy.testing.assert_allclose(back.numpy().astype("float32"), x.numpy().astype("float32"), atol=0.02)


def test_half_precision_does_not_overflow_before_it_is_scaled(device):
    x = tenon.full((4096,), 1000, "complex32", device=device)
    assert tenon.fft(x, norm="forward").astype("complex64").numpy()[0] == 1000
    assert tenon.ifft(x).astype("complex64").numpy()[0] == 1000
    assert numpy.isinf(tenon.fft(x).astype("complex64").numpy()[0].real)


def test_half_complex_numbers_are_converted(device, random):
    host = (random.standard_normal((5, 6)) + 1j * random.standard_normal((5, 6))).astype("complex128")
    want = host.real.astype("float16").astype("float64") + 1j * host.imag.astype("float16").astype("float64")
    for source in (host, host[::2, ::-1], host.T):
        x = tenon.asarray(source.copy()).to_device(device)
        assert x.astype("complex32").itemsize == 4
        kept = want if source is host else want[::2, ::-1] if source.shape[0] == 3 else want.T
        numpy.testing.assert_array_equal(x.astype("complex32").astype("complex128").numpy(), kept)
    real = tenon.asarray(numpy.arange(-5, 5)).to_device(device).astype("complex32")
    numpy.testing.assert_array_equal(real.astype("int32").numpy(), numpy.arange(-5, 5))
    numpy.testing.assert_array_equal(real[::2].astype("float16").numpy(), numpy.arange(-5, 5)[::2])
    assert complex(real[3]) == -2 and real.dtype == tenon.complex32
    with pytest.raises(tenon.DTypeError, match="astype"):
        numpy.asarray(tenon.asarray(real, device="cpu:0"))
    with pytest.raises(tenon.DTypeError, match="complex32"):
        tenon.matmul(real[None, :], real[:, None])


@pytest.mark.parametrize("transform, dtype", [(tenon.fftn, "complex128"), (tenon.ifftn, "complex128"), (tenon.dctn, "float64"),
                                              (tenon.idstn, "float64")])
def test_no_axes_is_a_copy_into_what_a_transform_would_take(device, random, transform, dtype):
    x = sample(random, (2, 3), dtype)
    there, out = on(device, x), tenon.zeros((2, 3), dtype, device=device)
    assert transform(there, axes=(), out=out) is out
    numpy.testing.assert_array_equal(out.numpy(), x)
    with pytest.raises(tenon.ShapeError, match=r"shape \(2, 3\) and the destination \(4, 2, 3\)"):  # a copy would broadcast
        transform(there, axes=(), out=tenon.zeros((4, 2, 3), dtype, device=device))
    with pytest.raises(tenon.DTypeError, match=f"{dtype} and the destination float32"):  # and would convert
        transform(there, axes=(), out=tenon.zeros((2, 3), "float32", device=device))


@pytest.mark.parametrize("shift", [tenon.fftshift, tenon.ifftshift])
@pytest.mark.parametrize("axes", [(0, 0), (1, -1)])
def test_a_shift_takes_each_axis_once(device, shift, axes):
    with pytest.raises(tenon.InvalidArgument, match="twice"):
        shift(tenon.zeros((4, 5), device=device), axes)


@pytest.mark.parametrize("names", [("fft2", "ifft2"), ("fftn", "ifftn"), ("rfft2", "irfft2"), ("rfftn", "irfftn")])
@pytest.mark.parametrize("s", [(None, 6), (4, None), (None, None), (-1, 6), (5, -1), (-1, None)])
@pytest.mark.filterwarnings("ignore:Passing an array containing `None`")
def test_lengths_that_are_left_as_they_are(device, random, names, s):
    for name in names:
        x = sample(random, (3, 5, 6), "float64" if name.startswith("rfft") else "complex128")
        for axes in ((-2, -1), (2, 0)):
            want = getattr(numpy.fft, name)(x, s, axes)
            for function in (getattr(tenon, name), getattr(cupy.fft, name)):
                close(function(on(device, x), s, axes).numpy(), want, want.size)


def test_arguments_have_numpys_order(device, random):
    """A ported call that passes them by position means the same."""
    x = sample(random, (4, 6), "complex128")
    there = on(device, x)
    for name in ("fft", "ifft", "irfft", "hfft"):
        want = getattr(numpy.fft, name)(x, 5, 0, "ortho")
        close(getattr(cupy.fft, name)(there, 5, 0, "ortho").numpy(), want, x.size)
        close(getattr(tenon, name)(there, 5, 0, "ortho").numpy(), want, x.size)
        assert getattr(cupy.fft, name)(there, 1).shape[-1] == 1  # a length, not an axis
    for name in ("rfft", "ihfft"):
        close(getattr(cupy.fft, name)(on(device, x.real.copy()), 5, 0, "ortho").numpy(), getattr(numpy.fft, name)(x.real, 5, 0, "ortho"), x.size)
    for name in ("fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn"):
        close(getattr(cupy.fft, name)(there, (5, 4), (1, 0), "forward").numpy(), getattr(numpy.fft, name)(x, (5, 4), (1, 0), "forward"), x.size)
    for name in ("fftfreq", "rfftfreq"):
        numpy.testing.assert_allclose(getattr(cupy.fft, name)(7, 0.5).numpy(), getattr(numpy.fft, name)(7, 0.5))
    for name in ("fftshift", "ifftshift"):
        assert (getattr(cupy.fft, name)(there, 0).numpy() == getattr(numpy.fft, name)(x, 0)).all()
    with pytest.raises(ValueError, match="at least one number, not -1"):
        tenon.fft(there, -1)
