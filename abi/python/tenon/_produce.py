"""Calls functions whose outputs the caller may supply (TENON_INOUT in the headers)."""

from __future__ import annotations

import ctypes
from typing import Any, cast

from ._array import Array
from ._creation import asarray, target
from ._errors import check
from ._stream import as_stream, stream_handle
from ._torch import written


def array_of(x: Any, device: Any = None) -> Array:
    """x as an Array; anything that is not an array yet is copied to the device."""
    if isinstance(x, Array):
        return x
    result = asarray(x)
    return result if device is None or result.device == device or hasattr(x,
            "__dlpack_device__") and type(x).__module__ != "numpy" \
        else result.to_device(device)


def produce(function: Any, *arguments: Any, device: Any, stream: Any = None, out: Any = None) -> Array:
    """Calls a function of (arguments ..., stream, output) and returns the new array, or `out`, which then holds the
    result."""
    stream = as_stream(stream, device)
    given: Any = None if out is None else target(out, "out")
    handle = ctypes.c_void_p(None if given is None else given._handle)
    check(function(*arguments, stream_handle(stream), ctypes.byref(handle)))
    if given is None:
        return Array._own(handle)
    written(out, stream=stream)
    return cast(Array, out)


def produce_several(function: Any, *arguments: Any, device: Any, stream: Any, wanted: list[bool]) -> list[Any]:
    """As produce, for several new arrays; `wanted` selects those to create."""
    stream = as_stream(stream, device)
    handles = [ctypes.c_void_p() for _ in wanted]
    check(function(*arguments, stream_handle(stream), *(ctypes.byref(handle) if want else None for handle,
            want in zip(handles, wanted))))
    return [Array._own(handle) if want else None for handle, want in zip(handles, wanted)]


def handles(arrays: list[Array]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*(array._handle for array in arrays)) if arrays else None
