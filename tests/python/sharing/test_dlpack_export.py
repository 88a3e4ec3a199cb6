"""DLPack export: one test per rule for producers."""

import gc
import threading

import numpy
import pytest

import tenon
from dlpack_by_hand import BFLOAT, BOOL, COMPLEX, CPU, FLOAT, INT, IS_COPIED, READ_ONLY, UINT, Exported, Producer, aligned, capsule_name
from conftest import PRELOAD, on, run_python, sample


@pytest.fixture(params=[None, (0, 8), (1, 0), (1, 1), (1, 3), (2, 0)], ids=str)
def max_version(request):
    return request.param


def make(device, shape=(4, 6), dtype="float32"):
    return tenon.zeros(shape, dtype, device=device)


# --- the struct ---

def test_the_form_follows_max_version(device, max_version):
    exported = Exported(make(device).__dlpack__(max_version=max_version))
    if max_version is None or max_version[0] < 1:
        assert exported.name == b"dltensor"
    else:
        assert exported.name == b"dltensor_versioned"
        assert exported.managed.major == 1 and exported.managed.flags == 0


def test_the_tensor_is_the_array(device, max_version):
    array = make(device)
    exported = Exported(array.__dlpack__(max_version=max_version))
    tensor = exported.tensor
    assert (exported.shape, exported.strides) == ((4, 6), (6, 1))
    assert tensor.data == array.data_ptr and tensor.byte_offset == 0
    assert (tensor.device_type, tensor.device_id) == array.__dlpack_device__()
    assert exported.managed.deleter


@pytest.mark.parametrize("dtype, code, bits", [("bool", BOOL, 8), ("int8", INT, 8), ("int64", INT, 64), ("uint16", UINT, 16), ("float16", FLOAT, 16),
                                               ("float64", FLOAT, 64), ("bfloat16", BFLOAT, 16), ("complex64", COMPLEX, 64),
                                               ("complex128", COMPLEX, 128), ("float8_e5m2", 12, 8)])
def test_the_dtype_is_dlpacks(device, dtype, code, bits):
    tensor = Exported(tenon.empty(3, dtype, device=device).__dlpack__(max_version=(1, 0))).tensor
    assert (tensor.code, tensor.bits, tensor.lanes) == (code, bits, 1)


def test_the_offset_of_a_view_is_in_the_pointer(device, max_version):
    array = make(device)
    exported = Exported(array[2:, 3:].__dlpack__(max_version=max_version))
    assert exported.tensor.data == array.data_ptr + (2 * 6 + 3) * 4 and exported.tensor.byte_offset == 0
    assert (exported.shape, exported.strides) == ((2, 3), (6, 1))


def test_strides_are_given_also_for_c_order(device, max_version):
    assert Exported(make(device).__dlpack__(max_version=max_version)).tensor.strides


@pytest.mark.parametrize("key, strides", [((slice(0, 1), slice(None)), (6, 1)), ((slice(None), slice(2, 3)), (1, 1)), ((slice(3, 4), slice(5, 6)), (1, 1))],
                         ids=str)
def test_axes_of_one_element_get_canonical_strides(device, max_version, key, strides):
    exported = Exported(make(device)[key].__dlpack__(max_version=max_version))
    shape = exported.shape
    for axis, extent in enumerate(shape):
        if extent == 1:  # its stride in C order: the product of the extents after it
            following = exported.strides[axis + 1] * shape[axis + 1] if axis + 1 < len(shape) else 1
            assert exported.strides[axis] == following


def test_an_empty_array_has_no_data_pointer(device, max_version):
    exported = Exported(make(device, (3, 0)).__dlpack__(max_version=max_version))
    assert exported.tensor.data is None and exported.shape == (3, 0) and all(stride >= 0 for stride in exported.strides)


def test_an_array_without_axes_goes_out(device, max_version):
    exported = Exported(tenon.full((), 7, "float32", device=device).__dlpack__(max_version=max_version))
    assert exported.tensor.ndim == 0 and exported.shape == ()


def test_negative_strides_are_copied(device, random):
    host = sample(random, (4, 6), "float32")
    array = on(device, host)[::-1, ::2]
    exported = Exported(array.__dlpack__(max_version=(1, 0)))
    assert all(stride > 0 for stride in exported.strides) and exported.managed.flags & IS_COPIED
    back = tenon.from_dlpack(exported.capsule)
    numpy.testing.assert_array_equal(back.numpy(), host[::-1, ::2])
    with pytest.raises(BufferError):
        array.__dlpack__(copy=False)


# --- flags and copies ---

def read_only_array():
    return tenon.from_dlpack(Producer(aligned(8, "float32"), flags=READ_ONLY).capsule())


def test_read_only_is_said_in_the_versioned_form_and_refused_in_the_legacy_form():
    array = read_only_array()
    assert Exported(array.__dlpack__(max_version=(1, 0))).managed.flags & READ_ONLY
    with pytest.raises(BufferError):
        array.__dlpack__()
    assert not Exported(array.__dlpack__(max_version=(1, 0), copy=True)).managed.flags & READ_ONLY
    Exported(array.__dlpack__(copy=True))


def test_copy_true_says_copied_and_shares_nothing(device):
    array = make(device)
    exported = Exported(array.__dlpack__(max_version=(1, 0), copy=True))
    assert exported.managed.flags & IS_COPIED and exported.tensor.data != array.data_ptr
    assert Exported(array.__dlpack__(copy=True)).tensor.data != array.data_ptr


def test_dl_device_of_the_array_shares_and_cpu_copies(device):
    array = tenon.full((2, 3), 4, "int32", device=device)
    assert Exported(array.__dlpack__(max_version=(1, 0), dl_device=array.__dlpack_device__())).tensor.data == array.data_ptr
    exported = Exported(array.__dlpack__(max_version=(1, 0), dl_device=(CPU, 0)))
    assert exported.tensor.device_type == CPU
    assert bool(exported.managed.flags & IS_COPIED) == (device.kind != "cpu")
    assert tenon.from_dlpack(exported.capsule).tolist() == [[4] * 3] * 2


def test_a_device_that_is_not_there_is_a_buffer_error(device):
    for place in ((2, 77), (8, 0), (99, 0)):
        with pytest.raises(BufferError):
            make(device).__dlpack__(dl_device=place)
    if device.kind == "cuda":
        with pytest.raises(BufferError):
            make(device).__dlpack__(dl_device=(CPU, 0), copy=False)


# --- streams ---

def test_the_cpu_takes_no_stream():
    for stream in (0, 1, 2, -1, 12345):
        with pytest.raises(ValueError):
            make("cpu:0").__dlpack__(stream=stream)
    make("cpu:0").__dlpack__(stream=None)


def test_cuda_takes_the_streams_of_the_standard(device):
    if device.kind == "cpu":
        pytest.skip("CUDA's stream numbers")
    array = make(device)
    own = tenon.Stream(device)  # keeps the native handle valid
    for stream in (None, -1, 1, 2, own.native):
        Exported(array.__dlpack__(stream=stream, max_version=(1, 0)))
    for stream in (0, -2, True):
        with pytest.raises((ValueError, TypeError)):
            array.__dlpack__(stream=stream)
    with pytest.raises(TypeError):
        array.__dlpack__(stream="1")


def test_arguments_are_keywords(device):
    with pytest.raises(TypeError):
        make(device).__dlpack__(None)


# --- lifetime ---

class Counted:
    """Memory as a Tenon array that counts its releases."""

    def __init__(self):
        self.producer = Producer(aligned(8, "float32"))

    def array(self):
        return tenon.from_dlpack(self.producer.capsule())

    @property
    def released(self):
        gc.collect()
        tenon.Device("cpu:0").synchronize()
        return self.producer.deleted


def test_an_unconsumed_capsule_gives_the_memory_back(max_version):
    memory = Counted()
    capsule = memory.array().__dlpack__(max_version=max_version)
    assert memory.released == 0
    del capsule
    assert memory.released == 1


def test_a_consumed_capsule_does_not_give_the_memory_back(max_version):
    memory = Counted()
    exported = Exported(memory.array().__dlpack__(max_version=max_version))
    exported.take()
    exported.capsule = None
    assert memory.released == 0
    exported.delete()
    assert memory.released == 1


def test_the_deleter_may_run_on_another_thread(max_version):
    memory = Counted()
    exported = Exported(memory.array().__dlpack__(max_version=max_version))
    exported.take()
    thread = threading.Thread(target=exported.delete)
    thread.start()
    thread.join()
    assert memory.released == 1


def test_tenon_to_tenon_keeps_the_address(device, max_version):
    array = make(device)
    stream = None if device.kind == "cpu" else 1
    back = tenon.from_dlpack(array.__dlpack__(max_version=max_version, stream=stream))
    address = array.data_ptr
    del array
    assert back.data_ptr == address and back.device == device
    assert back.readonly == (max_version is None or max_version[0] < 1)  # the old struct has no flag
    if not back.readonly:
        back[1, 1] = 5
        assert back[1, 1].item() == 5


def test_a_consumers_refusal_keeps_its_own_exception():
    array = tenon.zeros(4, "bfloat16", device="cpu:0")  # NumPy has no such type and drops the capsule with its error set
    with pytest.raises((BufferError, RuntimeError, TypeError)) as caught:
        numpy.from_dlpack(array)
    assert not isinstance(caught.value, SystemError)


def test_a_capsule_alive_at_exit_is_harmless():
    code = ("import tenon, numpy\n"
            "a = tenon.ones(5, device='cpu:0')\n"
            "keep = [a.__dlpack__(max_version=(1, 0)), a.__dlpack__(), numpy.from_dlpack(a), tenon.from_dlpack(numpy.arange(4.0))]\n"
            "import builtins; builtins.keep = keep\n"
            "print('end')\n")
    done = run_python(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_capsules_made_and_dropped_leave_no_memory_behind():
    resource = pytest.importorskip("resource")
    array = tenon.zeros(1 << 20, device="cpu:0")
    for _ in range(100):
        array.__dlpack__(max_version=(1, 0))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5000):
        array.__dlpack__(max_version=(1, 0))
        array.__dlpack__()
    if PRELOAD is None:  # a sanitizer keeps freed memory
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 5_000  # KiB
    assert capsule_name(array.__dlpack__()) == b"dltensor"
