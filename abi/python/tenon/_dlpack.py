"""DLPack in Python: capsules out and in, with the stream hand-over that the protocol asks for."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from . import _raw
from ._array import Array
from ._device import as_device
from ._errors import LayoutError, ReadOnlyError, check
from ._handle import make
from ._library import lib, load_helper, path
from ._stream import Stream, as_stream, stream_handle
from ._torch import is_tensor

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
LEGACY_DEFAULT, PER_THREAD_DEFAULT = 1, 2
FLAG_COPIED = 2
VERSION = (1, 1)  # what is written, and the newest asked for; any 1.x is understood

# Names are kept for ever: a capsule holds the pointer only.
_NAMES = {"legacy": b"dltensor", "versioned": b"dltensor_versioned"}
_USED = {"legacy": b"used_dltensor", "versioned": b"used_dltensor_versioned"}

_python = ctypes.pythonapi
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", _python))
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _python))

_helper = load_helper(path)
_destructor = ctypes.cast(_helper.tenon_python_drop_capsule, ctypes.c_void_p).value


# --- the C exchange table (DLPack 1.3): the same without Python calls in between ---------------------------------------

_helper.tenon_python_exchange_table.restype = ctypes.c_void_p
_helper.tenon_python_exchange_table.argtypes = [ctypes.py_object]
Array.__dlpack_c_exchange_api__ = _new_capsule(_helper.tenon_python_exchange_table(Array._own), b"dlpack_exchange_api", None)


class _Exchange(ctypes.Structure):
    """Another library's table, as far as importing needs it."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p), ("allocate", ctypes.c_void_p),
                ("from_object", ctypes.c_void_p), ("to_object", ctypes.c_void_p), ("tensor_from_object", ctypes.c_void_p),
                ("work_stream", ctypes.c_void_p)]


_FromObject = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
_CurrentStream = _raw.tenon_current_stream_fn
_tables: dict[type, tuple[Any, Any] | None] = {}  # by type of the producer; None: it has no table that we can read


def _table_of(kind: type) -> tuple[Any, Any] | None:
    """(tensor from object, current work stream) of a type that has a table of major version 1, else None."""
    capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
    address = None
    if _is_capsule(capsule) and _is_valid(capsule, b"dlpack_exchange_api"):
        address = _pointer(capsule, b"dlpack_exchange_api")
    while address:
        table = _Exchange.from_address(address)
        if table.major == 1 and table.from_object and table.work_stream:
            return _FromObject(table.from_object), _CurrentStream(table.work_stream)
        address = table.previous
    return None


def _exchanged(x: Any, table: tuple[Any, Any], copy: bool | None) -> Array:
    """An import through the producer's table. Nothing synchronises: Tenon's work follows the producer's current stream."""
    # PyTorch's table passes over what its __dlpack__ refuses (2.13: gradients and the conjugate bit, silently).
    if getattr(x, "requires_grad", False) or (hasattr(x, "is_conj") and x.is_conj()):
        return _import(*_request(x, copy), _is_mutable(x))
    tensor = ctypes.c_void_p()
    try:
        failed = table[0](x, ctypes.byref(tensor)) or not tensor.value
    except Exception:
        failed = True
    if failed:
        return _import(*_request(x, copy), _is_mutable(x))  # which says why in better words, or knows another way
    kind = ctypes.c_int32.from_address(tensor.value + 40).value  # of the DLTensor inside
    try:
        handle = make(lib.tenon_array_from_dlpack_versioned, None, tensor, None)
    except BaseException:
        deleter = _Versioned.from_address(tensor.value).deleter
        if deleter:
            _Deleter(deleter)(tensor.value)
        raise
    return _followed(Array._own(handle), kind, table[1])


def _followed(array: Array, kind: int, current: Any) -> Array:
    """The array, which follows the stream that the function tells."""
    if kind == CUDA or kind == CUDA_MANAGED:
        check(lib.tenon_array_follow(array._handle, current))
    return array


def _torch_current(index: int) -> tuple[Any, int]:
    import torch

    stream = torch.cuda.current_stream(index)
    return stream, stream.cuda_stream


def _cupy_current(index: int) -> tuple[Any, int]:
    import cupy

    with cupy.cuda.Device(index):
        stream = cupy.cuda.get_current_stream()
    return stream, stream.ptr


def _cupy_stream(kind: int, index: int, out: Any) -> int:
    """CuPy's current stream, for the library to call; kept alive by its object for as long as arrays remember it."""
    try:
        stream, native = _cupy_current(index)
        if native not in (0, LEGACY_DEFAULT, PER_THREAD_DEFAULT):
            as_stream(stream, as_device(f"cuda:{index}"))
        out[0] = native
        return 0
    except Exception:
        return -1


def _torch_stream(kind: int, index: int, out: Any) -> int:
    """PyTorch's current stream, for versions without the exchange table."""
    try:
        out[0] = _torch_current(index)[1]
        return 0
    except Exception:
        return -1


# Libraries that tell their current stream in Python only; the callbacks live as long as the process.
_telling = {"cupy": _CurrentStream(_cupy_stream), "torch": _CurrentStream(_torch_stream)}


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Versioned(ctypes.Structure):
    """The head of DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64)]


# --- out -------------------------------------------------------------------------------------------------------------

def device_of(array: Array) -> tuple[int, int]:
    """(device type, id) as DLPack numbers them."""
    kind, index, memory = array._place
    if memory == _raw.TENON_MEMORY_PINNED:
        return CUDA_HOST, 0
    if memory == _raw.TENON_MEMORY_MANAGED:
        return CUDA_MANAGED, index
    return kind, index


def _consumer_stream(array: Array, stream: Any) -> tuple[Stream | None, bool]:
    """The stream that the exported memory must be ready on (None where nothing has to be ordered), and whether it is known to live
    as long as the export."""
    if array._place[0] == _raw.TENON_DEVICE_CPU:
        if stream is not None:
            raise ValueError(f"memory of the CPU is exported with stream=None, not {stream!r}")
        return None, True
    if stream is None:
        stream = LEGACY_DEFAULT
    if isinstance(stream, bool) or not isinstance(stream, int):
        raise TypeError(f"stream is an integer or None, not {stream!r}")
    if stream == 0:
        raise ValueError("stream=0 is ambiguous on CUDA; 1 is the legacy default stream, 2 the per-thread one")
    if stream < -1:
        raise ValueError(f"stream={stream} is not a CUDA stream")
    return (None, True) if stream == -1 else _stream_of_consumer(array.device, stream)


def _stream_of_consumer(device: Any, native: int) -> tuple[Stream, bool]:
    """The protocol gives a number only. Where it is the current stream of a library that is loaded, its object keeps it alive."""
    if native in (LEGACY_DEFAULT, PER_THREAD_DEFAULT):
        return Stream.wrap(device, native), True
    for name, current in (("torch", _torch_current), ("cupy", _cupy_current)):
        if name in sys.modules:
            stream, handle = current(device.index)
            if handle == native:
                return as_stream(stream, device), True
    return Stream.wrap(device, native), False


def export(array: Array, stream: Any, max_version: Any, dl_device: Any, copy: bool | None) -> Any:
    """What Array.__dlpack__ returns: a capsule that owns a reference to the memory."""
    versioned = max_version is not None and max_version[0] >= 1
    copied = False
    if dl_device is not None and tuple(int(part) for part in dl_device) != device_of(array):
        array = _moved(array, tuple(int(part) for part in dl_device), copy)
        copied = True
        if array._place[0] == _raw.TENON_DEVICE_CPU:
            stream = None  # the data is there when the copy returns
    consumer, lasts = _consumer_stream(array, stream)
    if copy is False and any(stride < 0 for stride, extent in zip(array.strides, array.shape) if extent > 1):
        raise BufferError("negative strides cannot be exported without a copy, and copy=False forbids one")
    flags = (_raw.TENON_DLPACK_COPY if copy and not copied else 0) | (0 if lasts else _raw.TENON_DLPACK_STREAM_MAY_END)
    function = lib.tenon_array_to_dlpack_versioned if versioned else lib.tenon_array_to_dlpack
    try:
        tensor = make(function, array._handle, flags, stream_handle(consumer))
    except (ReadOnlyError, LayoutError) as error:
        raise BufferError(str(error)) from None
    if versioned and copied:
        _Versioned.from_address(tensor.value).flags |= FLAG_COPIED
    return _new_capsule(tensor.value, _NAMES["versioned" if versioned else "legacy"], _destructor)


def _moved(array: Array, place: tuple[int, int], copy: bool | None) -> Array:
    if copy is False:
        raise BufferError(f"the array is on {array.device}; another device needs a copy, and copy=False forbids one")
    kind, index = place
    if kind not in (CPU, CUDA):
        raise BufferError(f"an export to DLPack device type {kind} is not supported")
    try:
        return array.to_device(f"{'cpu' if kind == CPU else 'cuda'}:{0 if kind == CPU else index}")
    except LookupError as error:
        raise BufferError(str(error)) from None


def order_before_default(array: Array) -> None:
    """Makes the device's default stream wait for the work on the array that other streams of Tenon still do."""
    tensor = make(lib.tenon_array_to_dlpack_versioned, array._handle, 0, None)
    _Deleter(_Versioned.from_address(tensor.value).deleter)(tensor)


# --- in --------------------------------------------------------------------------------------------------------------

def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """An array that shares the memory of x: any object with __dlpack__ (NumPy, PyTorch, JAX, CuPy ...), or a capsule.
    The memory lives as long as the array or any view of it. device: "cpu:0" ..., copied there if need be; copy: True for
    memory of its own, False for never."""
    if getattr(x, "requires_grad", False) and is_tensor(x) and not sys.modules["torch"].is_grad_enabled():
        x = x.detach()  # PyTorch's rule: within no_grad() it counts as any other tensor
    if isinstance(x, Array):
        result = x
    elif _is_capsule(x):
        result = _import(x, None)
    else:
        kind = type(x)
        if kind not in _tables:
            _tables[kind] = _table_of(kind)
        table = _tables[kind]
        if hasattr(x, "is_neg") and x.is_neg():  # PyTorch shares it all the same, with the sign lost
            raise BufferError("a tensor with the negative bit set cannot be shared; call resolve_neg() on it")
        if table is not None:
            result = _exchanged(x, table, copy)
        else:
            result = _import(*_request(x, copy), _is_mutable(x))
            current = _telling.get(kind.__module__.partition(".")[0])
            if current is not None:
                result = _followed(result, int(x.__dlpack_device__()[0]), current)
    if device is not None and as_device(device) != result.device:
        if copy is False:
            raise ValueError(f"the memory is on {result.device}; {device} needs a copy, and copy=False forbids one")
        return result.to_device(device)
    return result.copy() if copy else result


def _is_capsule(x: Any) -> bool:
    return type(x).__name__ == "PyCapsule"


def _request(x: Any, copy: bool | None) -> tuple[Any, Stream | None]:
    """Asks x for a capsule: the newest form it knows, ready on the stream that is returned with it."""
    export_of = getattr(x, "__dlpack__", None)
    if export_of is None:
        raise TypeError(f"{type(x).__name__} has no __dlpack__; tenon.asarray takes more")
    kind, index = x.__dlpack_device__() if hasattr(x, "__dlpack_device__") else (CPU, 0)
    keywords: dict[str, Any] = {}
    stream = None
    if kind == CUDA or kind == CUDA_MANAGED:
        stream = Stream.default(f"cuda:{int(index)}")
        keywords["stream"] = stream.native
    newer = {"max_version": VERSION} if copy is not False else {"max_version": VERSION, "copy": False}
    try:
        return export_of(**keywords, **newer), stream
    except TypeError as error:
        if "unexpected keyword" not in str(error) and "takes no keyword" not in str(error) and "argument" not in str(error):
            raise
    return export_of(**keywords), stream  # a producer from before DLPack 1.0


def _is_mutable(x: Any) -> bool:
    """Whether memory that comes in the legacy struct, which cannot say "read-only", may be written: of other libraries than these
    it is not known (JAX's arrays are immutable), and counts as read-only, as in NumPy."""
    return type(x).__module__.partition(".")[0] in ("numpy", "torch", "cupy")


def _import(capsule: Any, stream: Stream | None, mutable: bool = False) -> Array:
    if _is_valid(capsule, _NAMES["versioned"]):
        form, function, flags = "versioned", lib.tenon_array_from_dlpack_versioned, ()
    elif _is_valid(capsule, _NAMES["legacy"]):
        form, function, flags = "legacy", lib.tenon_array_from_dlpack, (0 if mutable else 1,)
    elif _is_valid(capsule, _USED["versioned"]) or _is_valid(capsule, _USED["legacy"]):
        raise ValueError("the capsule was consumed already: a DLPack capsule can be imported once")
    else:
        raise ValueError(f"{capsule!r} is no DLPack capsule")
    tensor = _pointer(capsule, _NAMES[form])
    _rename(capsule, _USED[form])  # first: another thread must not take it too. From here on its destructor does nothing
    try:
        return Array._own(make(function, None, tensor, *flags, stream_handle(stream)))
    except BaseException:
        _rename(capsule, _NAMES[form])
        raise
