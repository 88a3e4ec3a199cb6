"""DLPack import: one test per rule for what a consumer must accept, and what it must reject without consuming the
tensor."""

import gc

import numpy
import pytest

import tenon
from dlpack_by_hand import BFLOAT, CUDA, IS_COPIED, READ_ONLY, SUBBYTE_PADDED, NAMES, Producer, aligned, capsule_name, new_capsule

FORMS = ["legacy", "versioned"]


@pytest.fixture(params=FORMS)
def form(request):
    return request.param


def host(count=24, dtype="float32"):
    array = aligned(count, dtype)
    array[:] = numpy.arange(count)
    return array


def give_back(array):
    """Drops the last reference and lets the library detect that the memory's last use has ended."""
    del array
    gc.collect()
    tenon.Device("cpu:0").synchronize()


# --- accepted ---

def test_memory_is_shared_both_ways(form):
    producer = Producer(host().reshape(4, 6), form)
    array = tenon.from_dlpack(producer.capsule())
    assert array.data_ptr == producer.host.ctypes.data
    producer.host[1, 2] = -1
    assert array[1, 2].item() == -1
    if form == "legacy":  # the struct has no read-only flag: JAX's arrays are exported like this
        assert array.readonly
        with pytest.raises(tenon.ReadOnlyError):
            array[3, 3] = -2
    else:
        array[3, 3] = -2
        assert producer.host[3, 3] == -2


def test_legacy_memory_of_libraries_whose_arrays_are_written_is_writable():
    x = host()

    class Old(numpy.ndarray):  # like NumPy before 2.1, which refuses to export read-only memory
        __module__ = "numpy"

        def __dlpack__(self):
            return self.view(numpy.ndarray).__dlpack__()

    tenon.from_dlpack(x.view(Old))[0] = 7
    assert x.flat[0] == 7


def test_the_capsule_is_renamed_and_the_deleter_called_once_at_the_end(form):
    producer = Producer(host(), form)
    capsule = producer.capsule()
    array = tenon.from_dlpack(capsule)
    assert capsule_name(capsule) == b"used_" + NAMES[form]
    view = array[3:5]
    del capsule, array
    assert producer.deleted == 0 and view.tolist() == [3, 4]
    del view
    give_back(None)
    assert producer.deleted == 1


def test_a_used_capsule_is_refused(form):
    producer = Producer(host(), form)
    capsule = producer.capsule()
    array = tenon.from_dlpack(capsule)
    with pytest.raises(ValueError, match="consumed"):
        tenon.from_dlpack(capsule)
    give_back(array)


def test_a_capsule_of_something_else_is_refused():
    with pytest.raises(ValueError, match="not a DLPack"):
        tenon.from_dlpack(new_capsule(16, b"something", None))


def test_null_strides_mean_c_order(form):
    array = tenon.from_dlpack(Producer(host().reshape(4, 6), form, strides=None).capsule())
    assert array.strides == (6, 1) and array[2, 1].item() == 13


def test_a_null_deleter_is_legal(form):
    array = tenon.from_dlpack(Producer(memory := host(), form, deleter=None).capsule())
    assert array[5].item() == 5
    give_back(array)
    assert memory[5] == 5


def test_byte_offset_is_added(form):
    array = tenon.from_dlpack(Producer(memory := host(), form, shape=[10], byte_offset=32).capsule())
    assert array.data_ptr == memory.ctypes.data + 32 and array.tolist() == list(range(8, 18))


@pytest.mark.parametrize("stride", [0, 1, -7, 2**40])
def test_strides_of_axes_of_one_element_are_ignored(form, stride):
    array = tenon.from_dlpack(Producer(host(), form, ndim=2, shape=[1, 24], strides=[stride, 1]).capsule())
    assert array.shape == (1, 24) and array[0, 7].item() == 7 and array.c_contiguous


@pytest.mark.parametrize("fields", [dict(ndim=1, shape=[0], strides=[1], data=None), dict(ndim=2, shape=[3, 0], strides=[2**40, -5], data=None),
                                    dict(ndim=1, shape=[0], strides=None)], ids=str)
def test_empty_tensors_need_no_data_and_no_sane_strides(form, fields):
    array = tenon.from_dlpack(Producer(host(), form, **fields).capsule())
    assert array.size == 0 and array.tolist() in ([], [[], [], []])


@pytest.mark.parametrize("pointers", [dict(), dict(shape=None), dict(strides=None), dict(shape=None, strides=None)], ids=str)
def test_no_axes_need_no_shape(form, pointers):
    fields = dict(ndim=0, shape=[], strides=[]) | pointers
    assert tenon.from_dlpack(Producer(host(), form, **fields).capsule()).item() == 0


def test_negative_strides_are_a_view(form):
    memory = host()
    array = tenon.from_dlpack(Producer(memory, form, data=memory.ctypes.data + 23 * 4, strides=[-1]).capsule())
    assert array.tolist() == list(range(23, -1, -1))


def test_zero_strides_repeat_an_element(form):
    array = tenon.from_dlpack(Producer(host(), form, ndim=2, shape=[3, 4], strides=[0, 1]).capsule())
    assert array.tolist() == [[0, 1, 2, 3]] * 3


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
                                   "float64", "complex64", "complex128"])
def test_every_dtype_of_numpy_comes_in(form, dtype):
    memory = host(10, dtype)
    array = tenon.from_dlpack(Producer(memory, form).capsule())
    assert array.dtype == dtype and array.tolist() == memory.tolist()


@pytest.mark.parametrize("code, bits, name", [(BFLOAT, 16, "bfloat16"), (10, 8, "float8_e4m3fn"), (12, 8, "float8_e5m2"), (14, 8, "float8_e8m0fnu")])
def test_types_without_a_numpy_name_come_in(form, code, bits, name):
    array = tenon.from_dlpack(Producer(host(8, f"uint{bits}"), form, code=code, bits=bits).capsule())
    assert array.dtype == name and array.shape == (8,)


def test_vector_lanes_come_in(form):
    array = tenon.from_dlpack(Producer(host(), form, shape=[6], lanes=4).capsule())
    assert array.itemsize == 16 and array.view("float32").tolist() == list(range(24))


@pytest.mark.parametrize("minor", [0, 1, 3, 99])
def test_any_minor_version_is_fine(minor):
    assert tenon.from_dlpack(Producer(host(), minor=minor).capsule())[4].item() == 4


def test_read_only_memory_stays_read_only():
    producer = Producer(host(), flags=READ_ONLY)
    array = tenon.from_dlpack(producer.capsule())
    assert array.readonly and array[2:].readonly and not array.copy().readonly
    for write in (lambda: array.fill(1), lambda: array[3:].__setitem__(0, 1), lambda: array.__setitem__(Ellipsis, tenon.zeros(24, "float32", device="cpu:0"))):
        with pytest.raises(tenon.ReadOnlyError):
            write()
    assert producer.host[3] == 3


@pytest.mark.parametrize("device_id", [-1, 5])
def test_host_memory_is_the_cpus_whatever_number_the_producer_gives_it(form, device_id):
    assert tenon.from_dlpack(Producer(host(), form, device_id=device_id).capsule()).device == tenon.Device("cpu:0")


def test_the_copied_flag_makes_no_difference():
    array = tenon.from_dlpack(Producer(host(), flags=IS_COPIED).capsule())
    assert not array.readonly and array[1].item() == 1


# --- refused ---

NOT_ELEMENTS = [dict(ndim=-1), dict(ndim=65), dict(ndim=2**31 - 1), dict(shape=None), dict(shape=[-1]), dict(ndim=2, shape=[-2, -2], strides=[1, 1]),
                dict(data=None), dict(ndim=2, shape=[2**40, 2**40], strides=None), dict(ndim=3, shape=[2**31, 2**31, 4], strides=[4, 4, 1]),
                dict(strides=[2**62]), dict(shape=[2**61], strides=[1])]


@pytest.mark.parametrize("fields", NOT_ELEMENTS, ids=str)
def test_a_tensor_that_describes_no_elements_is_refused(form, fields):
    refused(Producer(host(), form, **fields), (ValueError, OverflowError))


@pytest.mark.parametrize("fields", [dict(code=200), dict(code=3), dict(code=2, bits=7), dict(code=2, bits=0), dict(code=0, bits=24), dict(code=5, bits=16),
                                    dict(code=6, bits=1), dict(lanes=0), dict(code=4, bits=32)], ids=str)
def test_an_unknown_dtype_is_refused(form, fields):
    refused(Producer(host(), form, **fields), (TypeError, ValueError))


@pytest.mark.parametrize("fields", [dict(device_type=0), dict(device_type=999), dict(device_type=-1), dict(device_type=7), dict(device_type=10)], ids=str)
def test_an_unknown_device_is_refused(form, fields):
    refused(Producer(host(), form, **fields), (ValueError, LookupError, NotImplementedError))


def test_host_memory_said_to_be_cuda_memory_is_refused(form):
    refused(Producer(host(), form, device_type=CUDA), (ValueError, LookupError, NotImplementedError))


def test_misaligned_elements_are_refused(form):
    refused(Producer(memory := host(), form, data=memory.ctypes.data + 1, shape=[3]), (ValueError,))
    refused(Producer(memory, form, byte_offset=2, shape=[3]), (ValueError,))


@pytest.mark.parametrize("major", [0, 2, 2**32 - 1])
def test_another_major_version_is_refused(major):
    refused(Producer(host(), major=major, ndim=-5), (tenon.VersionError,))


def test_padded_subbyte_types_are_refused_or_kept_apart():
    producer = Producer(host(8, "uint8"), flags=SUBBYTE_PADDED, code=17, bits=4)
    refused(producer, (ValueError, TypeError, NotImplementedError))


def refused(producer, errors):
    """Checks that the import raises one of the errors and neither consumes the capsule nor calls the deleter."""
    capsule = producer.capsule()
    with pytest.raises(errors) as caught:
        tenon.from_dlpack(capsule)
    assert len(str(caught.value)) > 10
    assert capsule_name(capsule) == NAMES[producer.form] and producer.deleted == 0


# --- objects with __dlpack__ ---

class Peer:
    """An object whose __dlpack__ records its arguments."""

    def __init__(self, producer, accept, device=(1, 0)):
        self.producer, self.accept, self.device, self.asked = producer, accept, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        unknown = set(keywords) - set(self.accept)
        if unknown:
            raise TypeError(f"__dlpack__() got an unexpected keyword argument '{unknown.pop()}'")
        return self.producer.capsule()


def test_the_versioned_form_is_asked_for_first():
    peer = Peer(Producer(host()), ["max_version"])
    assert tenon.from_dlpack(peer)[3].item() == 3
    assert peer.asked == [{"max_version": (1, 1)}]  # no stream for CPU memory


def test_a_producer_of_the_old_form_is_asked_again_without_keywords():
    peer = Peer(Producer(host(), "legacy"), [])
    assert tenon.from_dlpack(peer)[3].item() == 3
    assert peer.asked == [{"max_version": (1, 1)}, {}]


def test_an_error_inside_the_producer_is_not_mistaken_for_an_old_form():
    class Broken:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **keywords):
            raise RuntimeError("the producer's own")

    with pytest.raises(RuntimeError, match="the producer's own"):
        tenon.from_dlpack(Broken())


def test_what_has_no_dlpack_is_a_type_error():
    with pytest.raises(TypeError, match="__dlpack__"):
        tenon.from_dlpack([1, 2, 3])


def test_copy_true_gives_memory_of_its_own():
    producer = Producer(host())
    array = tenon.from_dlpack(Peer(producer, ["max_version", "copy"]), copy=True)
    producer.host[:] = 0
    assert array[5].item() == 5


def test_device_moves_the_import(device):
    array = tenon.from_dlpack(Peer(Producer(host()), ["max_version"]), device=device)
    assert array.device == device and array.tolist() == list(range(24))


def test_copy_false_never_moves():
    if len(tenon.devices()) < 2:
        pytest.skip("needs a second device")
    with pytest.raises(ValueError, match="copy"):
        tenon.from_dlpack(Peer(Producer(host()), ["max_version", "copy"]), device=tenon.devices()[1], copy=False)


def test_the_memory_outlives_the_producer_object():
    def make():
        return tenon.asarray(numpy.arange(1000, dtype="float64"))

    arrays = [make() for _ in range(50)]
    gc.collect()
    assert all(array[999].item() == 999 for array in arrays)


def test_many_imports_leave_no_memory_behind():
    resource = pytest.importorskip("resource")
    memory = numpy.zeros(1 << 20)
    for _ in range(3):
        tenon.from_dlpack(memory)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3000):
        tenon.from_dlpack(memory)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB
