"""Views of the same memory that share elements, and views whose elements are interleaved without sharing: a call that
writes one and reads the other is rejected exactly if that matters."""

import numpy
import pytest

import tenon
from conftest import on
from tenon._errors import check
from tenon._library import lib

ROOM = 420  # elements of the memory for random views


def copy(to, of):
    """The library's copy; an assignment would read all elements before it writes."""
    check(lib.tenon_array_copy(to._handle, of._handle, None))


def random_view(random, shape, host):
    """A view of that shape with random strides, often multiples of a common one, and the offsets of its elements."""
    common = int(random.choice([1, 2, 3, 5, 6, 7]))
    strides = [int(random.integers(1, 6)) * common * int(random.choice([-1, 1])) for _ in shape]
    ends = [(n - 1) * s for n, s in zip(shape, strides)]
    start = int(random.integers(-sum(min(end, 0) for end in ends), ROOM - sum(max(end, 0) for end in ends)))
    places = start + sum(index * s for index, s in zip(numpy.indices(shape), strides))
    return numpy.lib.stride_tricks.as_strided(host[start:], shape, [s * host.itemsize for s in strides]), places


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "complex128"])
def test_random_pairs_of_strided_views_are_copied_right_or_refused(random, dtype):
    """Compared with the elements' offsets: a copy between views that share elements is rejected or harmless, and
    interleaved views whose strides have a common divisor are copied."""
    refused = copied = between = 0
    for _ in range(1500):
        host = random.integers(0, 200, ROOM).astype(dtype)
        shape = tuple(random.integers(1, 6, random.integers(1, 3)))
        (to, to_places), (other, from_places) = random_view(random, shape, host), random_view(random, shape, host)
        if len(numpy.unique(to_places)) < to_places.size:
            continue
        expected = host.copy()
        expected[to_places] = host[from_places]
        shared = numpy.intersect1d(to_places, from_places).size > 0 and not numpy.array_equal(to_places, from_places)
        try:
            copy(tenon.asarray(to, copy=False), tenon.asarray(other, copy=False))
        except tenon.OverlapError:
            refused += 1
            continue
        assert not shared, (to_places, from_places)
        numpy.testing.assert_array_equal(host, expected)
        copied += 1
        between += max(to_places.min(), from_places.min()) <= min(to_places.max(), from_places.max())
    assert refused > 50 and copied > 200 and between > 5


STRIDES = [2, 3, 4, 5, 6, 7, 12]
WAYS = [pytest.param(1, id="down"), pytest.param(-1, id="up")]


def shifted(array, stride, way):
    """Every stride-th element, and the same elements shifted by one stride: they share all but one element."""
    low, high = array[0:-stride:stride], array[stride::stride]
    return (low, high) if way > 0 else (high, low)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stride", STRIDES)
def test_what_reads_and_writes_shifted_views_is_refused(device, stride, way):
    add = tenon.elementwise("T x", "T y", "y = x + 1")
    running = tenon.scan("T x", "T y")
    array = on(device, numpy.arange(60 * stride, dtype="float32"))
    before = array.numpy()
    source, target = shifted(array, stride, way)
    with pytest.raises(tenon.OverlapError):
        copy(target, source)
    with pytest.raises(tenon.OverlapError):
        add(source, out=target)
    with pytest.raises(tenon.OverlapError):
        running(source, out=target)
    numpy.testing.assert_array_equal(array.numpy(), before)
    add(array[0::stride], out=array[1::stride])  # interleaved
    before[1::stride] = before[0::stride] + 1
    numpy.testing.assert_array_equal(array.numpy(), before)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stride", [3, 5, 6, 7])
def test_transforms_and_products_refuse_shifted_views(device, stride, way):
    array = on(device, numpy.ones(32 * stride, "complex64"))
    source, target = shifted(array, stride, way)
    with pytest.raises(tenon.OverlapError):
        tenon.fft(source, out=target)
    square = on(device, numpy.ones((9 * stride, 8), "float32"))
    source, target = shifted(square, stride, way)
    with pytest.raises(tenon.OverlapError):
        tenon.gemm(source, on(device, numpy.ones((8, 8), "float32")), target)
    with pytest.raises(tenon.OverlapError):
        tenon.blas.axpy(source, target)


@pytest.mark.parametrize("channels", [1, 3, 4, 5])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
def test_a_channel_of_an_image_is_not_shifted_onto_itself(device, dtype, channels):
    image = on(device, numpy.arange(24 * 16 * channels).reshape(24, 16, channels).astype(dtype))
    before = image.numpy()
    for target, source in (((slice(1, None), slice(None), 0), (slice(None, -1), slice(None), 0)),
                           ((slice(None), slice(1, None), 0), (slice(None), slice(None, -1), 0))):
        for to, of in ((target, source), (source, target)):
            with pytest.raises(tenon.OverlapError):
                copy(image[to], image[of])
    numpy.testing.assert_array_equal(image.numpy(), before)
    if channels > 1:
        image[:, :, 0] = image[:, :, 1]
        before[:, :, 0] = before[:, :, 1]
        numpy.testing.assert_array_equal(image.numpy(), before)


def test_an_array_that_cannot_be_proved_to_be_apart_from_itself_is_not_written():
    """Nested axes are recognised as disjoint for any number of elements; otherwise up to a million elements are
    checked."""
    memory = numpy.zeros(1 << 24, "uint8")
    view = lambda shape, strides: tenon.asarray(numpy.lib.stride_tricks.as_strided(memory, shape, strides), copy=False)
    view((3, 1 << 20), (1 << 22, 2))[...] = 1  # nested
    view((4, 2, 2, 2), (1 << 21, 3, 5, 9))[...] = 1  # not nested: the elements are checked
    for shape, strides in (((2, 2, 2), (3, 5, 8)), ((600, 600, 600), (6001, 6007, 6011))):
        with pytest.raises(tenon.OverlapError, match="share memory"):
            view(shape, strides)[...] = 1
