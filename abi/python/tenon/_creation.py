"""Creating arrays."""

from __future__ import annotations

import ctypes
import functools
import math
from typing import Any

from . import _raw
from ._array import Array, extents
from ._device import as_device, chosen_device
from ._dlpack import from_dlpack
from ._dtypes import BY_NAME, DType, as_dtype
from ._errors import DTypeError, InvalidArgument, LayoutError, TenonError
from ._handle import make
from ._integers import int64s
from ._library import core, lib
from ._stream import as_stream, stream_handle
from ._torch import resolved

FLOAT64 = BY_NAME["float64"]  # the dtype of new arrays unless another is given

MEMORY = {"device": _raw.TENON_MEMORY_DEVICE, "pinned": _raw.TENON_MEMORY_PINNED, "managed": _raw.TENON_MEMORY_MANAGED}


def empty(shape: Any, dtype: Any = None, *, device: Any = None, stream: Any = None, memory: str = "device") -> Array:
    """A new uninitialised C-ordered array of dtype (None: float64) on a device (None: the default device). memory: "device",
    "pinned" (host memory that a CUDA device can read too, and with which it exchanges data faster), or "managed"
    (migrates between host and device)."""
    dtype = FLOAT64 if dtype is None else dtype
    if memory == "device":
        made = core.create(False, shape, dtype, device) if stream is None else None
        return made if made is not None else _create(lib.tenon_array_create, shape, dtype, device, stream)
    if memory not in MEMORY:
        raise ValueError(f"memory must be one of {', '.join(MEMORY)}, not {memory!r}")
    shape, dtype, device = extents(shape), as_dtype(dtype), as_device(device)
    stream = as_stream(stream, device)
    size = math.prod(shape) * dtype.itemsize
    if size < 0 or size >= 2**63 or any(extent < 0 for extent in shape):
        raise InvalidArgument(f"shape {shape} is not a size of memory", _raw.TENON_ERROR_INVALID_ARGUMENT)
    buffer = make(lib.tenon_buffer_create, device._handle, size, MEMORY[memory], stream_handle(stream))
    try:
        return Array._own(make(lib.tenon_array_from_buffer, buffer, dtype.code, len(shape), int64s(shape), None, 0))
    finally:
        lib.tenon_buffer_release(buffer)


def zeros(shape: Any, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """A new C-ordered array of zeros of dtype (None: float64).

        >>> tenon.zeros((2, 2), "float32").tolist()
        [[0.0, 0.0], [0.0, 0.0]]
    """
    dtype = FLOAT64 if dtype is None else dtype
    made = core.create(True, shape, dtype, device) if stream is None else None
    return made if made is not None else _create(lib.tenon_array_zeros, shape, dtype, device, stream)


def full(shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """A new C-ordered array filled with fill_value, of fill_value's dtype unless another is given.

        >>> tenon.full(3, 7).tolist()
        [7, 7, 7]
    """
    if dtype is None:
        dtype = getattr(fill_value, "dtype", type(fill_value))
    return empty(shape, dtype, device=device, stream=stream).fill(fill_value, stream=stream)


def ones(shape: Any, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """A new C-ordered array of ones of dtype (None: float64)."""
    return full(shape, 1, FLOAT64 if dtype is None else dtype, device=device, stream=stream)


def empty_like(x: Array, /, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """A new uninitialised C-ordered array of x's shape, with x's dtype and device unless others are given."""
    return empty(x.shape, x.dtype if dtype is None else dtype, device=x.device if device is None else device,
                 stream=stream)


def zeros_like(x: Array, /, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """As empty_like, filled with zeros."""
    return zeros(x.shape, x.dtype if dtype is None else dtype, device=x.device if device is None else device,
                 stream=stream)


def full_like(x: Array, /, fill_value: Any, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """As empty_like, filled with fill_value."""
    return empty_like(x, dtype, device=device, stream=stream).fill(fill_value, stream=stream)


def ones_like(x: Array, /, dtype: Any = None, *, device: Any = None, stream: Any = None) -> Array:
    """As empty_like, filled with ones.

        >>> tenon.ones_like(tenon.arange(3)).tolist()
        [1, 1, 1]
    """
    return full_like(x, 1, dtype, device=device, stream=stream)


def _asarray(x: Any, dtype: Any = None, *, device: Any = None, copy: bool | None = None) -> Array:
    """asarray for anything that is neither an Array nor an array of another library that can be imported unchanged."""
    if isinstance(x, Array) or hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__"):
        result = _shared(x, copy)
    else:
        result = _through_numpy(x, copy)
        device = chosen_device() if device is None else device
    if dtype is not None and as_dtype(dtype) is not result.dtype:
        if copy is False:
            raise ValueError(f"{result.dtype} cannot be {dtype} without a copy")
        result = result.astype(dtype)
    if device is not None and as_device(device) != result.device:
        if copy is False:
            raise ValueError(f"the memory is on {result.device}; {device} needs a copy, and copy=False forbids one")
        result = result.to_device(device)
    return result


asarray = core.asarray
core.set_hooks(None, None, None, None, _asarray)


def _shared(x: Any, copy: bool | None) -> Array:
    try:
        return from_dlpack(x, copy=copy)
    except (BufferError, LayoutError):
        real = resolved(x)
        if copy is not False and real is not x:
            return from_dlpack(real)
        # DLPack cannot express NumPy's other byte order, types of ml_dtypes (which can be identified by name), and
        # addresses that are not a multiple of the element's size.
        if not hasattr(x, "__array_interface__"):
            raise
    return _through_numpy(x, copy)


def _through_numpy(x: Any, copy: bool | None) -> Array:
    import numpy

    values = (bool, int, float, complex, list, tuple, numpy.generic)
    if copy is False and not isinstance(x, numpy.ndarray) and (isinstance(x, values) or _copied(numpy, x)):
        raise ValueError(f"{type(x).__name__} is not an array: without a copy there is no memory to share")
    host = numpy.asarray(x)
    if not host.flags.aligned:
        if copy is False:
            raise ValueError("an array whose address or strides are not multiples of its element's alignment cannot be shared without a copy")
        host = host.copy()
    if host.dtype.kind == "V" or host.dtype.name not in _numpy_names():
        dtype = as_dtype(host.dtype)  # an ml_dtypes type, or TypeError; it is exported to DLPack as bytes
        if not dtype.itemsize:
            raise DTypeError(f"NumPy keeps each {dtype.name} in a byte of its own, and Tenon packs them: convert it to "
                             "another dtype, or pass packed bytes as uint8", _raw.TENON_ERROR_DTYPE)
        return from_dlpack(_exportable(host.view(f"u{host.dtype.itemsize}")), copy=copy).view(dtype)
    if not host.dtype.isnative:
        if copy is False:
            raise ValueError("an array in the other byte order cannot be shared without a copy")
        host = host.astype(host.dtype.newbyteorder("="))
    return from_dlpack(_exportable(host), copy=copy)


def _copied(numpy: Any, x: Any) -> bool:
    """Whether NumPy copies x when it converts it, which is not a NumPy array."""
    first, second = numpy.asarray(x), numpy.asarray(x)
    return not numpy.shares_memory(first, second)


def _exportable(host: Any) -> Any:
    """The array, or a copy if NumPy refuses to export it: before version 2.1 it cannot export read-only memory."""
    try:
        host.__dlpack__(max_version=(1, 0))
    except TypeError:
        return host if host.flags.writeable else host.copy()
    except BufferError:
        return host.copy()
    return host


def _numpy_names() -> frozenset[str]:
    return frozenset(("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                      "float32", "float64", "complex64", "complex128"))


def _create(function: Any, shape: Any, dtype: Any, device: Any, stream: Any) -> Array:
    shape, device = extents(shape), as_device(device)
    if type(dtype) is int and dtype < 65536:  # a DType's code has bits and lanes above that
        raise TypeError(f"{dtype} is not a dtype; write a shape of several axes as a tuple: ({', '.join(map(str, (*shape, dtype)))})")
    stream = as_stream(stream, device)
    return Array._own(make(function, device._handle, as_dtype(dtype).code, len(shape), _kept_extents(shape),
                           stream_handle(stream)))


def target(x: Any, what: str) -> Array:
    """The array that a function writes to: a Tenon array, or a view of another library's array. `what` names it in
    error messages. After the work is enqueued, call written(x), which informs the library that owns x."""
    if type(x) is Array:
        return x
    try:
        return asarray(x, copy=False)
    except (TypeError, ValueError, BufferError) as error:
        if isinstance(error, TenonError):
            raise
        raise type(error)(f"{what} cannot be written: {error}") from None


# Cached, because programs create arrays of the same few shapes, and shared, because the library only reads them.
_kept_extents = functools.lru_cache(1024)(int64s)


def _host_bytes(data: bytes, shape: tuple[int, ...], dtype: DType, device: Any) -> Array:
    """A new array from the bytes of its elements in C order."""
    source = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
    return Array._own(make(lib.tenon_array_from_host, as_device(device)._handle, dtype.code, len(shape), int64s(shape),
                           source, len(data), None))


def _from_bytes(data: bytes, shape: tuple[int, ...], dtype: DType, device: str) -> Array:
    """Restores a pickled array on the device it was on, or on the CPU if there is no such device."""
    try:
        return _host_bytes(data, shape, dtype, device)
    except LookupError:
        return _host_bytes(data, shape, dtype, "cpu:0")
