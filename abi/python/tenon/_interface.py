"""Imports memory given by address: __cuda_array_interface__ of other libraries (the only protocol of Numba's arrays),
and pointers."""

from __future__ import annotations

import ctypes
from typing import Any
from collections.abc import Iterable

from . import _raw
from ._array import Array
from ._device import Device, devices
from ._dtypes import as_dtype
from ._errors import DeviceError, InvalidArgument
from ._handle import make
from ._integers import int64s, integer
from ._library import core, lib
from ._stream import Stream, _handed_over, stream_handle


def lent(device: Device, address: int, size: int, owner: Any, *, read_only: bool = False,
         stream: Stream | None = None) -> Any:
    """A buffer for foreign memory; the caller must release the handle. The owner is kept alive until nothing uses the
    memory. Its library uses the memory on the stream (None: the default stream)."""
    with _handed_over(owner) as user:
        buffer = make(lib.tenon_buffer_wrap, device._handle, integer(address, "an address", ctypes.c_uint64),
                      integer(size, "a size", ctypes.c_uint64), _raw.TENON_MEMORY_DEVICE, int(read_only),
                      stream_handle(stream),
                      core.drop_object, user.value)
        user.taken = True
    return buffer


def array_of(buffer: Any, dtype: Any, shape: tuple[int, ...], strides: tuple[int, ...] | None = None,
             offset: int = 0) -> Array:
    """An array in a buffer's memory; releases the buffer's handle. The strides are in elements, the offset in bytes."""
    try:
        return Array._own(make(lib.tenon_array_from_buffer, buffer, dtype.code, len(shape), int64s(shape),
                               None if strides is None else int64s(strides), offset))
    finally:
        lib.tenon_buffer_release(buffer)


def from_cuda_array_interface(x: Any, where: Iterable[Device] | None = None) -> Array:
    """The array of an object with __cuda_array_interface__, version 2 or 3. The driver determines the GPU of the
    memory."""
    interface = x.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise BufferError(f"the {type(x).__name__} has a mask, which Tenon's arrays do not support")
    dtype, shape = as_dtype(interface["typestr"]), tuple(interface["shape"])
    steps = interface.get("strides")
    if steps is not None and any(step % dtype.itemsize for step in steps):
        raise BufferError(f"strides of {steps} bytes are not multiples of the element's {dtype.itemsize}")
    strides = None if steps is None else tuple(step // dtype.itemsize for step in steps)
    address, read_only = interface["data"]
    found = [one for one in devices() if one.kind == "cuda"] if where is None else list(where)
    if not found:
        raise DeviceError(f"the {type(x).__name__} is in a GPU's memory, but Tenon found no GPU: tenon.info() reports why",
                          _raw.TENON_ERROR_DEVICE)
    low, high = _ends(shape, steps, dtype.itemsize)
    for device in found:
        try:
            if low == high:  # no elements: nothing to share
                return Array._own(make(lib.tenon_array_create, device._handle, dtype.code, len(shape), int64s(shape),
                                       None))
            stream = interface.get("stream")
            buffer = lent(device, address + low, high - low, x, read_only=bool(read_only),
                          stream=None if stream is None else Stream.wrap(device, stream))
            return array_of(buffer, dtype, shape, strides, -low)
        except (DeviceError, InvalidArgument):  # the memory of another device
            if device is found[-1]:
                raise
    raise AssertionError("one of the devices has it, or the last one says why not")


def _ends(shape: tuple[int, ...], strides: Any, itemsize: int) -> tuple[int, int]:
    """The start and the end of the elements, in bytes from the element at index 0."""
    if 0 in shape:
        return 0, 0
    if strides is None:
        size = itemsize
        for extent in shape:
            size *= extent
        return 0, size
    reach = [(extent - 1) * step for extent, step in zip(shape, strides)]
    return sum(one for one in reach if one < 0), sum(one for one in reach if one > 0) + itemsize
