"""DLPack in Python: exports and imports capsules, with the stream synchronisation that the protocol requires."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from . import _raw
from ._array import Array
from ._device import as_device
from ._errors import LayoutError, ReadOnlyError, check
from ._handle import make
from ._library import core, lib
from ._stream import Stream, as_stream, stream_handle
from ._torch import is_tensor

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
LEGACY_DEFAULT, PER_THREAD_DEFAULT = 1, 2
FLAG_COPIED = 2
VERSION = (1, 1)  # the version of exports and the newest version requested; any 1.x is accepted

# The names are never freed, because a capsule holds only a pointer to its name.
_NAMES = {"legacy": b"dltensor", "versioned": b"dltensor_versioned"}
_USED = {"legacy": b"used_dltensor", "versioned": b"used_dltensor_versioned"}

_python = ctypes.pythonapi
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _python))

_CurrentStream = _raw.tenon_current_stream_fn


def _followed(array: Array, kind: int, current: Any) -> Array:
    """The array, after binding it to the current stream of its library, which the function reports."""
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
    """Callback that reports CuPy's current stream. CuPy's object keeps the stream alive as long as arrays refer to
    it."""
    try:
        stream, native = _cupy_current(index)
        if native not in (0, LEGACY_DEFAULT, PER_THREAD_DEFAULT):
            as_stream(stream, as_device(f"cuda:{index}"))
        out[0] = native
        return 0
    except Exception:
        return -1


def _torch_stream(kind: int, index: int, out: Any) -> int:
    """Callback that reports PyTorch's current stream, for versions of PyTorch without the exchange table."""
    try:
        out[0] = _torch_current(index)[1]
        return 0
    except Exception:
        return -1


# Libraries whose current stream is available only in Python. The callbacks live as long as the process.
_telling = {"cupy": _CurrentStream(_cupy_stream), "torch": _CurrentStream(_torch_stream)}


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Versioned(ctypes.Structure):
    """The first fields of DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64)]


# --- export
# -------------------------------------------------------------------------------------------------------------

def _consumer_stream(array: Array, stream: Any) -> tuple[Stream | None, bool]:
    """The stream on which the exported memory must be ready (None: no ordering needed), and whether that stream is
    known to live as long as the export."""
    if stream is not None and (isinstance(stream, bool) or not isinstance(stream, int)):
        raise TypeError(f"stream must be an integer or None, not {stream!r}")
    if array._place[0] == _raw.TENON_DEVICE_CPU:
        if stream is not None:
            raise ValueError(f"CPU memory must be exported with stream=None, not {stream!r}")
        return None, True
    if stream is None:
        stream = LEGACY_DEFAULT
    if stream == 0:
        raise ValueError("stream=0 is ambiguous on CUDA; 1 is the legacy default stream, 2 the per-thread one")
    if stream < -1:
        raise ValueError(f"stream={stream} is not a CUDA stream")
    return (None, True) if stream == -1 else _stream_of_consumer(array.device, stream)


def _stream_of_consumer(device: Any, native: int) -> tuple[Stream | None, bool]:
    """The stream with this native handle; the protocol passes no owner. If it is the current stream of a loaded
    library, that library's object keeps it alive."""
    if native in (LEGACY_DEFAULT, PER_THREAD_DEFAULT):
        return Stream.wrap(device, native), True
    for name, current in (("torch", _torch_current), ("cupy", _cupy_current)):
        if name not in sys.modules:
            continue
        try:
            stream, handle = current(device.index)
        except Exception:  # built without CUDA, or not that library but a folder of its name
            continue
        if handle == native:
            return as_stream(stream, device), True
    return Stream.wrap(device, native), False


def export(array: Array, *, stream: Any = None, max_version: tuple[int, int] | None = None,
           dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
    """Array.__dlpack__ for all cases but CPU memory that is exported unchanged: a capsule that owns a reference to the
    memory."""
    versioned = max_version is not None and max_version[0] >= 1
    copied = False
    if dl_device is not None and tuple(int(part) for part in dl_device) != array.__dlpack_device__():
        array = _moved(array, (int(dl_device[0]), int(dl_device[1])), copy)
        copied = True
        if array._place[0] == _raw.TENON_DEVICE_CPU:
            stream = None  # the data is complete when the copy returns
    consumer, lasts = _consumer_stream(array, stream)
    flags = ((_raw.TENON_DLPACK_COPY if copy and not copied else 0) | (0 if lasts else _raw.TENON_DLPACK_STREAM_MAY_END)
             | (_raw.TENON_DLPACK_NEVER_COPY if copy is False else 0))
    function = lib.tenon_array_to_dlpack_versioned if versioned else lib.tenon_array_to_dlpack
    try:
        tensor = make(function, array._handle, flags, stream_handle(consumer))
    except (ReadOnlyError, LayoutError) as error:
        raise BufferError(str(error)) from None
    if versioned and copied:
        _Versioned.from_address(tensor.value or 0).flags |= FLAG_COPIED
    return core.capsule(tensor.value, versioned)


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
    """Makes the device's default stream wait for pending work on the array on Tenon's other streams."""
    tensor = make(lib.tenon_array_to_dlpack_versioned, array._handle, 0, None)
    _Deleter(_Versioned.from_address(tensor.value or 0).deleter)(tensor.value)


# --- import
# --------------------------------------------------------------------------------------------------------------

def _from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """from_dlpack for the cases that the compiled function, which only uses the exchange table of x, does not
    handle."""
    if is_tensor(x):
        from ._torch_traced import to_share

        x = to_share(x)
    if isinstance(x, Array):
        result = x
    elif _is_capsule(x):
        result = _import(x, None)
    elif not hasattr(x, "__dlpack__") and hasattr(x, "__cuda_array_interface__"):
        from ._interface import from_cuda_array_interface

        result = from_cuda_array_interface(x)
    else:
        if hasattr(x, "is_neg") and x.is_neg():  # PyTorch would export it without the sign
            raise BufferError("a tensor with the negative bit set cannot be shared; call resolve_neg() on it")
        imported = core.imported(x)
        if imported is not None:
            result = imported
        else:
            result = _import(*_request(x, copy), _is_mutable(x))
            current = _telling.get(type(x).__module__.partition(".")[0])
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
    """Requests a capsule from x, in the newest form that x supports; its data is ready on the stream that is
    returned."""
    export_of = getattr(x, "__dlpack__", None)
    if export_of is None:
        raise TypeError(f"{type(x).__name__} has no __dlpack__; tenon.asarray accepts more types")
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
    """Whether memory imported with the legacy struct, which has no read-only flag, may be written. That is only known
    for these libraries; memory of others (JAX's arrays are immutable) counts as read-only, as in NumPy."""
    return type(x).__module__.partition(".")[0] in ("numpy", "torch", "cupy")


def _import(capsule: Any, stream: Stream | None, mutable: bool = False) -> Array:
    flags: tuple[int, ...]
    if _is_valid(capsule, _NAMES["versioned"]):
        form, function, flags = "versioned", lib.tenon_array_from_dlpack_versioned, ()
    elif _is_valid(capsule, _NAMES["legacy"]):
        form, function, flags = "legacy", lib.tenon_array_from_dlpack, (0 if mutable else 1,)
    elif _is_valid(capsule, _USED["versioned"]) or _is_valid(capsule, _USED["legacy"]):
        raise ValueError("the capsule was already consumed: a DLPack capsule can be imported only once")
    else:
        raise ValueError(f"{capsule!r} is not a DLPack capsule")
    tensor = _pointer(capsule, _NAMES[form])
    _rename(capsule, _USED[form])  # first, so that no other thread consumes it; disables its destructor
    try:
        return Array._own(make(function, None, tensor, *flags, stream_handle(stream)))
    except BaseException:
        _rename(capsule, _NAMES[form])
        raise


from_dlpack = core.from_dlpack
core.set_hooks(None, None, None, _from_dlpack, None, export)
