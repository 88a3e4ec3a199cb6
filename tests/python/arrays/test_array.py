"""Arrays, compared with NumPy: creation, views, subscripts, copies, conversion, Python's protocols."""

import gc
import operator
import pickle
import weakref

import numpy
import pytest

import tenon
from conftest import on, sample

COMPUTE = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
           "complex64", "complex128"]


def same(ours, theirs):
    """Checks the shape, the dtype and every element."""
    assert ours.shape == theirs.shape
    numpy.testing.assert_array_equal(ours.numpy(), theirs)
    assert ours.numpy().dtype == theirs.dtype


# --- creation ---

@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 4), (2, 0, 5), (2, 3, 4, 5), (1,) * 30])
@pytest.mark.parametrize("dtype", COMPUTE)
def test_zeros_are_zeros_of_the_shape(device, shape, dtype):
    same(tenon.zeros(shape, dtype, device=device), numpy.zeros(shape, dtype))


@pytest.mark.parametrize("dtype", COMPUTE)
def test_full_holds_the_value_everywhere(device, dtype):
    same(tenon.full((3, 5), 1, dtype, device=device), numpy.full((3, 5), 1, dtype))


@pytest.mark.parametrize("value", [2**63 - 1, -2**63, 2**53 + 1])
def test_integers_beyond_a_doubles_mantissa_are_stored_exactly(device, value):
    same(tenon.full((3,), value, "int64", device=device), numpy.full((3,), value, "int64"))
    array = tenon.zeros((2, 3), "int64", device=device)
    array[1, ::2] = value
    assert array.tolist() == [[0, 0, 0], [value, 0, value]]


def test_an_integer_shape_is_one_axis(device):
    assert tenon.empty(5, device=device).shape == (5,)
    assert tenon.empty(numpy.int64(5), device=device).shape == (5,)


@pytest.mark.parametrize("shape, error", [((-1,), ValueError), ((2**62, 2**62), OverflowError), ((2.5,), TypeError),
                                          ((1,) * 65, ValueError)])
def test_an_impossible_shape_is_refused(device, shape, error):
    with pytest.raises(error):
        tenon.empty(shape, device=device)


def test_too_much_memory_is_a_memory_error_that_says_how_much(device):
    with pytest.raises(MemoryError, match=r"\d"):
        tenon.empty((2**50,), "uint8", device=device)


@pytest.mark.parametrize("memory, dlpack", [("pinned", 3), ("managed", 13)])
def test_other_kinds_of_memory_hold_arrays_or_say_why_not(device, memory, dlpack):
    if device.kind == "cpu":
        with pytest.raises(tenon.TenonError):
            tenon.empty(3, device=device, memory=memory)
        return
    array = tenon.empty((3, 4), "float32", device=device, memory=memory)
    assert array.__dlpack_device__()[0] == dlpack
    array[...] = 2
    assert array.tolist() == [[2] * 4] * 3
    with pytest.raises(ValueError):
        tenon.empty(3, device=device, memory="magic")


def test_nested_lists_and_numbers_become_arrays(device):
    same(tenon.asarray([[1, 2], [3, 4]], device=device), numpy.array([[1, 2], [3, 4]]))
    same(tenon.asarray(2.5, device=device), numpy.array(2.5))


# --- attributes ---

def test_an_array_knows_what_it_is(device):
    array = tenon.zeros((2, 3), "float32", device=device)
    assert (array.shape, array.strides, array.ndim, array.size, array.itemsize, array.nbytes) == ((2, 3), (3, 1), 2, 6, 4, 24)
    assert array.dtype == "float32" and array.device == device and not array.readonly
    assert array.c_contiguous and not array.f_contiguous and array.T.f_contiguous
    assert len(array) == 2 and [row.shape for row in array] == [(3,), (3,)]


def test_repr_shows_small_arrays_and_describes_large_ones(device):
    assert "[1.0, 1.0]" in repr(tenon.ones(2, device=device)) and str(device) in repr(tenon.ones(2, device=device))
    assert "(5000,)" in repr(tenon.zeros(5000, device=device))


def test_arrays_are_not_hashable_and_len_needs_an_axis(device):
    with pytest.raises(TypeError):
        hash(tenon.zeros(1, device=device))
    with pytest.raises(TypeError):
        len(tenon.zeros((), device=device))


# --- subscripts ---

KEYS = [0, -1, 2, slice(None), slice(1, None), slice(None, -1), slice(None, None, 2), slice(None, None, -1), slice(4, 0, -2),
        slice(-3, None), slice(100, 200), slice(-100, 100), slice(3, 1), slice(None, None, -3), slice(2**70), slice(-2**70, None),
        Ellipsis, None, (), (0, 1), (slice(None), 2), (Ellipsis, 1), (1, Ellipsis), (0, 1, 2), (None, 1), (1, None, Ellipsis, None),
        (slice(None, None, -1), slice(1, 3), slice(None, None, 2)), (Ellipsis, None, slice(None, None, -2)),
        (numpy.int64(1), slice(numpy.int8(1), None)), (0, Ellipsis, 0), (slice(0, 0), 1), (Ellipsis, slice(None), None, 0)]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_subscript_gives_what_numpys_gives(device, random, key):
    host = sample(random, (5, 4, 3), "float32")
    same(on(device, host)[key], host[key])


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_subscript_of_a_transposed_view_gives_what_numpys_gives(device, random, key):
    host = sample(random, (3, 4, 5), "int16")
    same(on(device, host).T[key], host.T[key])


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_assignment_through_a_subscript_writes_what_numpys_writes(device, random, key):
    host = sample(random, (5, 4, 3), "float64")
    array = on(device, host)
    host[key] = 9
    array[key] = 9
    same(array, host)
    values = sample(random, host[key].shape, "float64")
    host[key] = values
    array[key] = on(device, values)
    same(array, host)


@pytest.mark.parametrize("key, error", [(5, IndexError), (-6, IndexError), ((0, 0, 0, 0), IndexError),
                                        ((Ellipsis, Ellipsis), IndexError), (1.5, TypeError), ("a", TypeError),
                                        (slice(None, None, 0), ValueError), (slice(1.5), TypeError)],
                         ids=str)
def test_a_bad_subscript_is_refused(device, key, error):
    with pytest.raises(error):
        tenon.zeros((5, 4, 3), device=device)[key]


def test_random_chains_of_views_agree_with_numpy(device, random):
    for _ in range(60):
        host = sample(random, (4, 5, 6), "int32")
        array = on(device, host)
        for _ in range(5):
            move = random.integers(4)
            if move == 0:
                axes = tuple(int(axis) for axis in random.permutation(host.ndim))
                host, array = host.transpose(axes), array.transpose(axes)
            elif move == 1:
                key = tuple(slice(*(int(v) if random.integers(3) else None for v in (random.integers(-4, 4), random.integers(-4, 7))),
                                  int(random.choice([-2, -1, 1, 2]))) for _ in range(host.ndim))
                host, array = host[key], array[key]
            elif move == 2 and host.size and host.ndim < 5:
                host, array = host.reshape(host.shape[::-1]), array.reshape(host.shape[::-1])
            elif host.ndim and 0 not in host.shape:
                host, array = host[-1], array[-1]
            same(array, numpy.asarray(host))


# --- shapes ---

@pytest.mark.parametrize("shape", [(24,), (4, 6), (-1,), (2, -1, 3), (1, 24, 1), (2, 3, 4)])
def test_reshape_of_contiguous_memory_is_a_view(device, random, shape):
    host = sample(random, (2, 3, 4), "float32")
    array = on(device, host)
    same(array.reshape(shape), host.reshape(shape))
    assert array.reshape(shape).data_ptr == array.data_ptr


def test_reshape_copies_only_where_it_must(device, random):
    host = sample(random, (4, 6), "float32")
    array = on(device, host)
    same(array.T.reshape(24), host.T.reshape(24))
    assert array.T.reshape(24).data_ptr != array.data_ptr
    assert array[:, ::2].reshape(4, 3, 1).data_ptr == array.data_ptr


@pytest.mark.parametrize("shape", [(5,), (-1, -1), (7, -1), (0, -1)])
def test_a_reshape_to_another_size_is_refused(device, shape):
    with pytest.raises(ValueError):
        tenon.zeros((2, 3, 4), device=device).reshape(shape)


@pytest.mark.parametrize("axes", [(), (2, 1, 0), (0, 2, 1), (-1, 0, 1), ((1, 2, 0),), (None,)])
def test_transpose_gives_what_numpys_gives(device, random, axes):
    host = sample(random, (2, 3, 4), "complex64")
    same(on(device, host).transpose(*axes), host.transpose(*axes))


def test_mT_exchanges_the_last_two_axes(device, random):
    host = sample(random, (2, 3, 4), "float32")
    same(on(device, host).mT, numpy.swapaxes(host, -1, -2))


@pytest.mark.parametrize("axes", [(0, 1), (0, 0, 1), (0, 1, 3), (0, 1, 2, 3)])
def test_bad_axes_are_refused(device, axes):
    with pytest.raises(ValueError):
        tenon.zeros((2, 3, 4), device=device).transpose(*axes)


@pytest.mark.parametrize("start, end", [((3,), (2, 3)), ((1, 3), (4, 3)), ((), (2, 2)), ((2, 1, 3), (2, 5, 3)), ((1,), (0,)), ((3,), (3,))])
def test_broadcasting_gives_a_read_only_view(device, random, start, end):
    host = sample(random, start, "float32")
    array = on(device, host).broadcast_to(end)
    same(array, numpy.broadcast_to(host, end))
    assert array.readonly
    with pytest.raises(ValueError):
        array[...] = 1


@pytest.mark.parametrize("start, end", [((3,), (2,)), ((3,), (3, 2)), ((2, 3), (3,)), ((0,), (2,))])
def test_what_does_not_broadcast_is_refused(device, start, end):
    with pytest.raises(ValueError):
        tenon.zeros(start, device=device).broadcast_to(end)


@pytest.mark.parametrize("first, second", [("float32", "int32"), ("complex64", "float32"), ("uint8", "float64"), ("float32", "uint8"),
                                           ("int16", "float16")])
def test_a_view_of_another_dtype_shows_the_same_bytes(device, random, first, second):
    host = sample(random, (3, 16), first)
    same(on(device, host).view(second), host.view(second))


def test_views_keep_the_memory_alive(device):
    array = tenon.full((1000,), 7, "int32", device=device)
    view = array[::3][5:7]
    watch = weakref.ref(array)
    del array
    gc.collect()
    assert watch() is None
    filler = [tenon.zeros((1000,), "int32", device=device) for _ in range(20)]
    assert view.tolist() == [7, 7] and len(filler) == 20


# --- copies and conversion ---

@pytest.mark.parametrize("source", COMPUTE)
@pytest.mark.parametrize("target", COMPUTE)
def test_conversion_between_any_two_dtypes_is_numpys(device, random, source, target):
    host = sample(random, (6, 5), source)
    if numpy.dtype(target).kind == "u":
        host = numpy.abs(host.real).astype(source)  # converting a negative float to unsigned is undefined
    with numpy.errstate(all="ignore"), __import__("warnings").catch_warnings():
        __import__("warnings").simplefilter("ignore")
        expected = host.astype(target)
    same(on(device, host).astype(target), expected)
    same(on(device, host).T.astype(target), expected.T)


@pytest.mark.parametrize("source", ["float32", "float64", "float16", "int32", "complex64"])
def test_conversion_to_and_from_bfloat16_rounds_to_nearest_even(device, random, source):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    host = (sample(random, (1000,), "float64") * 300).astype(source)
    expected = host.real.astype("float32").astype(ml_dtypes.bfloat16)
    ours = on(device, host).astype("bfloat16")
    numpy.testing.assert_array_equal(ours.numpy().view("uint16"), expected.view("uint16"))
    numpy.testing.assert_array_equal(ours.astype("float32").numpy(), expected.astype("float32"))


def test_float_edge_values_survive_conversion(device):
    values = numpy.array([0.0, -0.0, 1e-45, 65504, 65520, 1e38, numpy.inf, -numpy.inf, numpy.nan], "float32")
    with numpy.errstate(over="ignore"):
        expected = values.astype("float16")
    ours = on(device, values).astype("float16").numpy()
    numpy.testing.assert_array_equal(ours.view("uint16")[:-1], expected.view("uint16")[:-1])
    assert numpy.isnan(ours[-1])


def test_astype_without_copy_returns_the_array_itself(device):
    array = tenon.zeros(3, "float32", device=device)
    assert array.astype("float32", copy=False) is array
    assert array.astype("float32").data_ptr != array.data_ptr


def test_a_copy_has_memory_of_its_own(device, random):
    host = sample(random, (4, 5), "float32")
    array = on(device, host)
    copy = array[::-1, ::2].copy()
    array[...] = 0
    same(copy, host[::-1, ::2])
    assert copy.c_contiguous


def test_assignment_broadcasts_and_converts(device, random):
    host = numpy.zeros((3, 4), "int32")
    array = on(device, host)
    row = sample(random, (4,), "float64") * 10
    host[...] = row
    array[...] = on(device, row)
    same(array, host)
    array[:, 1] = [7, 8, 9]
    host[:, 1] = [7, 8, 9]
    same(array, host)


def test_assignment_of_a_wrong_shape_is_refused_and_writes_nothing(device):
    array = tenon.zeros((3, 4), device=device)
    with pytest.raises(ValueError):
        array[...] = tenon.ones((3, 5), device=device)
    assert numpy.all(array.numpy() == 0)


def test_an_assignment_reads_all_elements_before_it_writes(device):
    numbers = numpy.arange(30.0).reshape(5, 6)
    for to, of in (((slice(1, None),), (slice(None, -1),)), ((slice(None, -1),), (slice(1, None),)),
                   ((...,), (slice(None, None, -1), slice(None, None, -1))), ((..., slice(0, 4)), (..., slice(2, 6))),
                   ((slice(0, 5), slice(0, 5)), "T")):
        array, expected = on(device, numbers), numbers.copy()
        array[to] = array[:, :5].T if of == "T" else array[of]
        expected[to] = expected[:, :5].T.copy() if of == "T" else expected[of].copy()
        same(array, expected)
    array[...] = array
    same(array, expected)


def test_an_assignment_to_elements_that_share_memory_is_refused(device):
    windows = tenon.from_dlpack(numpy.lib.stride_tricks.as_strided(numpy.zeros(6), (4, 3), (8, 8), writeable=True))
    with pytest.raises(tenon.OverlapError):
        windows[1:] = windows[:-1]


@pytest.mark.parametrize("dtype, part", [("complex64", "float32"), ("complex128", "float64")])
def test_complex_numbers_aligned_for_their_parts(device, random, dtype, part):
    """Addresses are aligned for the parts, but not for the complex number."""
    numbers = sample(random, (6, 5), dtype)
    flat = on(device, numpy.concatenate([[0], numbers.ravel().view(part)]).astype(part))
    array = flat[1:].view(dtype).reshape((6, 5))
    same(array, numbers)
    for view in (lambda x: x, lambda x: x.T, lambda x: x[::2, ::-1]):
        for wanted in ("complex64", "complex128", "bool"):
            same(view(array).astype(wanted), view(numbers).astype(wanted))
        other = sample(random, (6, 5), "complex64" if dtype == "complex128" else "complex128")
        view(array)[...] = on(device, view(other))
        view(numbers)[...] = view(other)
        same(array, numbers)
    array[1:, ::2] = 1 + 2j
    numbers[1:, ::2] = 1 + 2j
    same(array, numbers)
    array[...] = 3 - 1j
    assert numpy.all(array.numpy() == 3 - 1j) and flat[0].item() == 0


def test_views_larger_than_the_address_space_are_refused(device):
    one = tenon.zeros(1, "float64", device=device)
    with pytest.raises(OverflowError):
        one.broadcast_to((2**60,))
    assert one.broadcast_to((2**59,)).size == 2**59


def test_large_strided_copies_are_right(device, random):
    host = sample(random, (257, 1031), "float32")
    array = on(device, host)
    same(array.T.copy(), host.T)
    same(array[::-3, 5::7].copy(), host[::-3, 5::7])


def test_to_device_moves_and_brings_back(device, random):
    host = sample(random, (33, 65), "complex128")
    array = tenon.asarray(host, copy=True)
    there = array[::2, 1:].to_device(device)
    back = there.to_device("cpu:0")
    same(back, host[::2, 1:])
    assert there.to_device(device) is there


# --- Python's protocols ---

@pytest.mark.parametrize("dtype", COMPUTE)
def test_one_element_is_a_python_number(device, dtype):
    array = tenon.full((1, 1), 1, dtype, device=device)
    assert array.item() == 1 and type(array.item()) is type(numpy.ones(1, dtype).item())
    assert complex(array) == 1 and bool(array) is True


def test_only_one_element_is_a_number_and_only_integers_are_indices(device):
    with pytest.raises(ValueError):
        float(tenon.zeros(2, device=device))
    with pytest.raises(ValueError):
        bool(tenon.zeros(0, device=device))
    assert operator.index(tenon.full((), 3, "int32", device=device)) == 3
    assert [10, 20, 30, 40][tenon.full((), 3, "int32", device=device)] == 40
    for bad in (tenon.full((), 3.0, device=device), tenon.full((1,), 3, "int32", device=device)):
        with pytest.raises(TypeError):
            operator.index(bad)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0), (0, 2), (2, 3, 2)])
def test_tolist_is_numpys(device, random, shape):
    host = sample(random, shape, "int32")
    assert on(device, host).tolist() == host.tolist()


def test_pickling_brings_the_elements_back(device, random):
    host = sample(random, (3, 4), "complex64")
    back = pickle.loads(pickle.dumps(on(device, host)[:, ::2]))
    same(back, host[:, ::2])
    assert back.device == device


def test_numpy_shares_host_memory_with_any_strides():
    array = tenon.zeros((4, 6), "float32", device="cpu:0")
    view = array[::-1, ::2].numpy()
    view[0, 0] = 5
    assert array[3, 0].item() == 5
    assert view.strides == (-24, 8)
    assert not array.broadcast_to((2, 4, 6)).numpy().flags.writeable


def test_numpy_does_not_copy_device_memory_implicitly(device):
    array = tenon.ones(3, device=device)
    if device.kind == "cpu":
        assert numpy.asarray(array).tolist() == [1, 1, 1]
        assert numpy.asarray(array, dtype="int32").dtype == "int32"
    else:
        with pytest.raises(TypeError, match="numpy()"):
            numpy.asarray(array)
    assert array.numpy().tolist() == [1, 1, 1]


def test_cuda_array_interface_is_there_on_cuda_only(device):
    array = tenon.zeros((4, 6), "float32", device=device)[:, ::2]
    if device.kind == "cpu":
        assert not hasattr(array, "__cuda_array_interface__")
        return
    interface = array.__cuda_array_interface__
    assert interface["version"] == 3 and interface["typestr"] == "<f4" and interface["shape"] == (4, 3)
    assert interface["strides"] == (24, 8) and interface["data"] == (array.data_ptr, False) and interface["stream"] not in (0, None)
