"""DLPack's C exchange table, used as by a consumer in C."""

import ctypes
import gc

import numpy
import pytest

import tenon
from dlpack_by_hand import CPU, FLOAT, Deleter, ManagedVersioned, Producer, Tensor, aligned, capsule_name, capsule_pointer, int64s

SetError = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class Table(ctypes.Structure):
    """DLPackExchangeAPI."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p),
                ("allocate", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, SetError)),
                ("from_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))),
                ("to_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))),
                ("tensor_from_object", ctypes.c_void_p),
                ("work_stream", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)))]


@pytest.fixture
def table():
    return Table.from_address(capsule_pointer(tenon.Array.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def delete(address):
    Deleter(ManagedVersioned.from_address(address).deleter)(address)


def test_the_table_is_of_version_one_and_stays_where_it_is(table):
    assert ctypes.sizeof(Table) == 56 and capsule_name(tenon.Array.__dlpack_c_exchange_api__) == b"dlpack_exchange_api"
    assert table.major == 1 and not table.previous
    assert tenon.zeros(1, device="cpu:0").__dlpack_c_exchange_api__ is tenon.Array.__dlpack_c_exchange_api__


def test_an_array_is_exported(table, device):
    array = tenon.zeros((4, 6), "float32", device=device)
    out = ctypes.c_void_p()
    assert table.from_object(array, ctypes.byref(out)) == 0
    tensor = ManagedVersioned.from_address(out.value).tensor
    assert tensor.data == array.data_ptr and (tensor.device_type, tensor.device_id) == array.__dlpack_device__()
    delete(out.value)


def test_exporting_another_object_is_an_exception(table):
    for bad in (object(), 5):
        with pytest.raises(TypeError, match="a tenon.Array is needed"):
            table.from_object(bad, ctypes.byref(ctypes.c_void_p()))


def test_a_tensor_comes_in_and_is_consumed(table):
    producer = Producer(aligned(8, "float32"))
    out = ctypes.py_object()
    assert table.to_object(producer.address, ctypes.byref(out)) == 0
    array = out.value
    ctypes.pythonapi.Py_DecRef(out)  # the reference from the call; `array` has its own
    assert type(array) is tenon.Array and array.data_ptr == producer.host.ctypes.data
    del array, out
    gc.collect()
    tenon.Device("cpu:0").synchronize()
    assert producer.deleted == 1


def test_a_bad_tensor_is_an_exception_and_not_consumed(table):
    producer = Producer(aligned(8, "float32"), ndim=-1)
    with pytest.raises(BufferError):
        table.to_object(producer.address, ctypes.byref(ctypes.py_object()))
    assert producer.deleted == 0


def test_memory_is_allocated_like_a_prototype(table, device):
    shape = int64s([3, 5])
    prototype = Tensor(device_type=tenon.zeros(1, device=device).__dlpack_device__()[0], ndim=2, code=FLOAT, bits=64, lanes=1,
                       shape=ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)))
    out, seen = ctypes.c_void_p(), []
    note = SetError(lambda context, kind, message: seen.append((kind, message)))
    assert table.allocate(ctypes.byref(prototype), ctypes.byref(out), None, note) == 0 and not seen
    tensor = ManagedVersioned.from_address(out.value).tensor
    assert tuple(tensor.shape[:2]) == (3, 5) and tensor.bits == 64 and tensor.data
    delete(out.value)
    prototype.code = 77
    assert table.allocate(ctypes.byref(prototype), ctypes.byref(out), None, note) == -1 and len(seen) == 1


def test_the_work_stream_is_the_devices_default_stream(table, device):
    out = ctypes.c_void_p()
    kind, index = tenon.zeros(1, device=device).__dlpack_device__()
    assert table.work_stream(kind, index, ctypes.byref(out)) == 0
    assert (out.value or 0) == tenon.Stream.default(device).native
    with pytest.raises(BufferError):
        table.work_stream(99, 0, ctypes.byref(out))


class WithTable:
    """A producer with only a table, which exports the tensor in `next`."""

    next = None
    calls = []


def make_table(major=1, previous=None):
    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
    def from_object(x, out):
        type(x).calls.append("from")
        out[0] = type(x).next.address
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    def work_stream(kind, index, out):
        out[0] = None
        return 0

    table = Table(major=major, minor=3, previous=previous)
    for name, function in (("from_object", from_object), ("work_stream", work_stream)):
        ctypes.c_void_p.from_buffer(table, getattr(Table, name).offset).value = ctypes.cast(function, ctypes.c_void_p).value
    KEPT.extend((table, from_object, work_stream))
    return table


KEPT = []
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))


@pytest.mark.parametrize("newer", [False, True])
def test_a_producers_table_is_used(newer):
    table = make_table()
    if newer:  # a table of a later major version points to the table of the known version
        table = make_table(major=2, previous=ctypes.addressof(table))
    kind = type("Producing", (WithTable,), {"__dlpack_c_exchange_api__": new_capsule(ctypes.addressof(table), b"dlpack_exchange_api", None), "calls": []})
    kind.next = Producer(aligned(8, "float32"))
    array = tenon.from_dlpack(kind())
    assert array.data_ptr == kind.next.host.ctypes.data and kind.calls == ["from"]
    kind.next = Producer(aligned(8, "float32"), ndim=-1)
    with pytest.raises(ValueError):
        tenon.from_dlpack(kind())
    assert kind.next.deleted == 1  # the rejected tensor is deleted


@pytest.mark.parametrize("api", [None, 7, "capsule of another name"])
def test_an_unreadable_table_is_ignored(api):
    table = make_table(major=2)
    if isinstance(api, str):
        api = new_capsule(ctypes.addressof(table), b"something", None)
    kind = type("Odd", (), {"__dlpack_c_exchange_api__": api, "__dlpack__": lambda self, **keywords: numpy.zeros(3).__dlpack__(**keywords),
                            "__dlpack_device__": lambda self: (CPU, 0)})
    assert tenon.from_dlpack(kind()).shape == (3,)
