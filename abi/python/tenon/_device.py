"""Devices, which hold memory and run kernels."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from . import _raw
from ._errors import check
from ._handle import Renewed, after_fork, make
from ._integers import integer
from ._library import core, lib


class Device(Renewed):
    """A device, by name: tenon.Device("cpu:0"), "cuda:1", or "best".

        >>> tenon.Device("cpu:0").kind
        'cpu'
    """

    __slots__ = ("name", "kind", "index")
    _release = lib.tenon_device_release

    name: str   # "cpu:0"
    kind: str   # "cpu" or "cuda"
    index: int

    def __new__(cls, name: str = "best") -> Device:
        return as_device(name)

    def __init__(self, name: str = "best") -> None:
        pass

    @classmethod
    def _own(cls, handle: Any) -> Device:
        self = object.__new__(cls)
        self._put(self, handle)
        name = self._text(lib.tenon_device_name)
        kind, _, index = name.partition(":")
        self._set(name=name, kind=kind, index=int(index))
        self._enlist()
        return self

    def _renew(self) -> Any:
        return make(lib.tenon_context_device, None, self.name.encode())

    def _text(self, function: Any) -> str:
        out = ctypes.c_char_p()
        check(function(self._handle, ctypes.byref(out)))
        return (out.value or b"").decode(errors="replace")

    @property
    def description(self) -> str:
        """The product: "NVIDIA H200"."""
        return self._text(lib.tenon_device_description)

    @property
    def toolkit(self) -> str:
        """The compiler of the device's kernels and where it was found, or what is missing."""
        return self._text(lib.tenon_device_toolkit)

    @property
    def info(self) -> dict[str, Any]:
        """Limits and sizes, by the names of tenon_device_info."""
        record = _raw.tenon_device_info()
        check(lib.tenon_device_get_info(self._handle, ctypes.byref(record)))
        return _fields(record)

    @property
    def memory(self) -> dict[str, int]:
        """Statistics of the device's memory pool, in bytes."""
        record = _raw.tenon_memory_info()
        check(lib.tenon_device_get_memory_info(self._handle, ctypes.byref(record)))
        return _fields(record)

    def trim_memory(self, keep_bytes: int = 0) -> None:
        """Returns free blocks of the memory pool to the system, keeping at most keep_bytes bytes of them."""
        check(lib.tenon_device_trim_memory(self._handle, integer(keep_bytes, "keep_bytes", ctypes.c_uint64)))

    def limit_memory(self, limit_bytes: int | None) -> None:
        """Limits the total size of the device's arrays in bytes; allocations beyond it raise OutOfMemory. None: no
        limit."""
        limit = integer(limit_bytes or 0, "limit_bytes", ctypes.c_uint64)
        check(lib.tenon_device_limit_memory(self._handle, limit))

    def synchronize(self) -> None:
        """Waits for all work that Tenon enqueued on the device; raises the first fault of that work."""
        check(lib.tenon_device_synchronize(self._handle))

    def __eq__(self, other: Any) -> bool:
        return self.name == other.name if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"tenon.Device({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        return Device, (self.name,)


def _fields(record: ctypes.Structure) -> dict[str, Any]:
    values = {}
    for name, kind in record._fields_:  # type: ignore[misc]
        value = getattr(record, name)
        values[name] = tuple(value) if hasattr(kind, "_length_") else value
    values.pop("struct_size")
    values.pop("reserved", None)
    return values


_devices: dict[str, Device] = {}
after_fork(_devices.clear)  # in the child "best" may be a different device


def _by_name(name: str) -> Device:
    if name not in _devices:
        _devices[name] = Device._own(make(lib.tenon_context_device, None, name.encode()))
    return _devices[name]


_default: Any = None                                              # of the process; None: the best
_chosen: ContextVar[Any] = ContextVar("tenon.device", default=None)  # within `with tenon.device(...)`


def chosen_device() -> Any:
    """The default device if it was chosen by device() or set_default_device(), else None."""
    return _chosen.get() or _default


def as_device(what: Any) -> Device:
    """A Device from one, its name, or None for the default device."""
    if isinstance(what, Device):
        return what
    if what is None:
        return chosen_device() or _by_name("best")
    if isinstance(what, str) or type(what).__name__ == "device":  # PyTorch's device, whose str() is its name
        return _by_name(str(what))
    raise TypeError("a device must be a tenon.Device, a name such as \"cpu:0\", or None for the default device, not "
                    f"{what!r}")


@contextlib.contextmanager
def device(device: Any) -> Iterator[Device]:
    """Makes a device the default for a block: what is created there without device= is created on it (arrays, programs,
    streams, generators of random numbers; asarray of a list or a number, too, which otherwise stays on the CPU).
    Functions of arrays run where their arrays are. It applies to the calling thread or asynchronous task only.

        >>> with tenon.device("cpu:0"):
        ...     tenon.zeros(3).device.name
        'cpu:0'
    """
    chosen = as_device(device)
    before = _chosen.set(chosen)
    try:
        yield chosen
    finally:
        _chosen.reset(before)


def set_default_device(device: Any) -> None:
    """Sets the device on which things are created without device=, in all threads; None: the best device, which is the
    first GPU if there is one. A block of `with tenon.device(...)` takes precedence."""
    global _default
    _default = None if device is None else as_device(device)


def default_device() -> Device:
    """The device on which things are created without device=."""
    return as_device(None)


core.set_hooks(None, None, as_device)


def devices() -> list[Device]:
    """The CPU, then every CUDA device."""
    count = ctypes.c_int32()
    check(lib.tenon_context_device_count(None, ctypes.byref(count)))
    found = [Device._own(make(lib.tenon_context_device_at, None, index)) for index in range(count.value)]
    return [_devices.setdefault(device.name, device) for device in found]


def info() -> dict[str, Any]:
    """Describes the library and what it found, with reasons: build, devices, toolkit, libraries with their paths,
    cache."""
    import json

    from ._library import path

    blob = make(lib.tenon_context_report, None)
    try:
        data, size = ctypes.c_void_p(), ctypes.c_uint64()
        check(lib.tenon_blob_data(blob, ctypes.byref(data), ctypes.byref(size)))
        report = json.loads(ctypes.string_at(data, size.value))
    finally:
        lib.tenon_blob_release(blob)
    return {"library": path, "build": json.loads(lib.tenon_build_info()), **report}
