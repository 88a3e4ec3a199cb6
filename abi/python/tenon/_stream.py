"""Streams, which order work on a device, and events, which mark points in streams."""

from __future__ import annotations

import atexit
import ctypes
import os
from typing import Any
from collections.abc import Callable

from . import _raw
from ._device import Device, as_device
from ._errors import TenonError, check
from ._handle import Handle, make
from ._integers import integer
from ._library import core, lib


class Stream(Handle):
    """A new stream on a device. Stream.default(device) is the stream of calls that name none (on CUDA the legacy
    default stream); Stream.wrap(device, handle) wraps another library's CUstream. Objects for the same native stream
    share its order.

        >>> stream = tenon.Stream()
        >>> x = tenon.ones(3, device=stream.device, stream=stream)
        >>> stream.synchronize()
        >>> stream.query()
        True
    """

    __slots__ = ("device",)
    _release = lib.tenon_stream_release
    device: Device

    def __new__(cls, device: Any = None, priority: int = 0) -> Stream:
        device = as_device(device)
        options = _raw.tenon_stream_options(priority=integer(priority, "priority", ctypes.c_int32))
        return cls._on(device, make(lib.tenon_stream_create, device._handle, ctypes.byref(options)))

    def __init__(self, device: Any = None, priority: int = 0) -> None:
        pass

    @classmethod
    def _on(cls, device: Device, handle: Any) -> Stream:
        self = object.__new__(cls)
        self._handle = handle
        self._set(device=device)
        return self

    @classmethod
    def default(cls, device: Any = None) -> Stream:
        """The stream that is used when none is given."""
        device = as_device(device)
        return cls._on(device, make(lib.tenon_stream_default, device._handle))

    @classmethod
    def wrap(cls, device: Any, native: int, owner: Any = None) -> Stream:
        """Wraps a stream of another library: a CUstream; 0 or 1 is the legacy default stream, 2 the per-thread default
        stream. The native stream must stay valid as long as the wrapper exists. owner: an object that keeps it valid,
        which Tenon references as long as necessary."""
        device = as_device(device)
        handle = integer(native, "a stream's handle", ctypes.c_uint64)
        if owner is None:
            return cls._on(device, make(lib.tenon_stream_wrap, device._handle, handle, None, None))
        with _handed_over(owner) as user:
            wrapped = make(lib.tenon_stream_wrap, device._handle, handle, core.drop_object, user.value)
            user.taken = True
        return cls._on(device, wrapped)

    @property
    def native(self) -> int:
        """The CUstream; 0 on the CPU."""
        out = ctypes.c_uint64()
        check(lib.tenon_stream_native(self._handle, ctypes.byref(out)))
        return out.value

    def __cuda_stream__(self) -> tuple[int, int]:
        """The protocol of that name, version 0."""
        return 0, self.native

    def synchronize(self) -> None:
        """Waits until all work enqueued so far is complete; raises the stream's fault if there was one."""
        check(lib.tenon_stream_synchronize(self._handle))

    def query(self) -> bool:
        """Whether all work is complete."""
        return _ready(lib.tenon_stream_query(self._handle))

    def wait(self, event: Event) -> None:
        """Makes work enqueued from now on wait for the point that the event last recorded."""
        check(lib.tenon_stream_wait_event(self._handle, event._handle))

    def call_host(self, function: Callable[[], Any]) -> None:
        """Runs a host function without arguments when the work enqueued so far is complete; later work waits for it. On
        the CPU it runs immediately, on a GPU on a thread of the driver, where it must call neither Tenon nor CUDA.
        Exceptions of the function are passed to sys.unraisablehook."""
        if not callable(function):
            raise TypeError(f"{function!r} cannot be called")
        _run_before_exit(self.device)
        with _handed_over(function) as user:
            status = lib.tenon_stream_call_host(self._handle, core.stream_function(), core.drop_object, user.value)
            user.taken = status == 0
        check(status)

    def record(self, timing: bool = False) -> Event:
        """A new event that marks the current point of the stream."""
        event = Event(self.device, timing=timing)
        event.record(self)
        return event

    def __repr__(self) -> str:
        return f"<tenon.Stream 0x{self.native:x} on {self.device}>"


class Event(Handle):
    """A point in a stream that can be waited for; with timing=True it also measures time.

        >>> event = tenon.Event()
        >>> event.record()
        >>> event.synchronize()
        >>> event.query()
        True
    """

    __slots__ = ("device",)
    _release = lib.tenon_event_release
    device: Device

    def __new__(cls, device: Any = None, timing: bool = False) -> Event:
        flags = _raw.TENON_EVENT_TIMING if timing else 0
        self = object.__new__(cls)
        self._set(device=as_device(device))
        self._handle = make(lib.tenon_event_create, self.device._handle, flags)
        return self

    def __init__(self, device: Any = None, timing: bool = False) -> None:
        pass

    @classmethod
    def wrap(cls, device: Any, native: int, owner: Any = None) -> Event:
        """Wraps an event of another library: a CUevent that it has recorded; on the CPU only 0, which counts as
        reached. The event must stay valid as long as the wrapper exists; owner: an object that keeps it valid."""
        self = object.__new__(cls)
        self._set(device=as_device(device))
        handle = integer(native, "an event's handle", ctypes.c_uint64)
        if owner is None:
            self._handle = make(lib.tenon_event_wrap, self.device._handle, handle, None, None)
        else:
            with _handed_over(owner) as user:
                wrapped = make(lib.tenon_event_wrap, self.device._handle, handle, core.drop_object, user.value)
                user.taken = True
            self._handle = wrapped
        return self

    @property
    def native(self) -> int:
        """The CUevent; 0 on the CPU."""
        out = ctypes.c_uint64()
        check(lib.tenon_event_native(self._handle, ctypes.byref(out)))
        return out.value

    def record(self, stream: Any = None) -> None:
        """Marks the current point of the stream (None: the default stream of the event's device)."""
        stream = as_stream(stream, self.device)
        check(lib.tenon_event_record(self._handle, stream_handle(stream)))

    def synchronize(self) -> None:
        """Waits until the mark is reached."""
        check(lib.tenon_event_synchronize(self._handle))

    def query(self) -> bool:
        """Whether the mark is reached."""
        return _ready(lib.tenon_event_query(self._handle))

    def milliseconds_since(self, start: Event) -> float:
        """The time in milliseconds since the event `start`. Both events need timing=True and must have been reached."""
        out = ctypes.c_double()
        check(lib.tenon_event_elapsed(start._handle, self._handle, ctypes.byref(out)))
        return 1e3 * out.value

    def __repr__(self) -> str:
        return f"<tenon.Event on {self.device}>"


_keep, _give_back = ctypes.pythonapi.Py_IncRef, ctypes.pythonapi.Py_DecRef
for _function in (_keep, _give_back):
    _function.argtypes, _function.restype = [ctypes.py_object], None


class _handed_over:
    """The user pointer of a call that takes over a reference to the object; set `taken` when it has done so."""

    def __init__(self, owner: Any) -> None:
        self.owner, self.value, self.taken = owner, id(owner), False

    def __enter__(self) -> _handed_over:
        _keep(self.owner)
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if not self.taken:
            _give_back(self.owner)


_calling: dict[str, Device] = {}  # devices whose streams call Python functions
os.register_at_fork(after_in_child=_calling.clear)


def _run_before_exit(device: Device) -> None:
    """Makes the process wait for the device before it exits: a thread of the driver must not call a Python function
    after the interpreter has ended."""
    if not _calling:
        atexit.register(_wait_for_calls)
    _calling[device.name] = device


def _wait_for_calls() -> None:
    while _calling:
        try:
            _calling.popitem()[1].synchronize()
        except TenonError:  # the device can no longer run anything
            pass


_lasting: dict[tuple[str, int], Stream] = {}  # for PyTorch's streams, which live as long as the process
os.register_at_fork(after_in_child=_lasting.clear)


def _lasting_stream(device: Device, native: int) -> Stream:
    key = (device.name, native)
    if key not in _lasting:
        _lasting[key] = Stream.wrap(device, native)
    return _lasting[key]


def _ready(status: int) -> bool:
    if status == _raw.TENON_ERROR_NOT_READY:
        return False
    check(status)
    return True


# Returns the calling thread's current stream on a device (None: that of CuPy's current device), or None: Tenon's own
# choice. tenon.cupy, which has current streams, sets it.
current: Callable[[Any], Any] | None = None


def as_stream(what: Any, device: Any) -> Stream | None:
    """The Stream for a Stream, for None (the current one, if there are current streams), for a Graph that is being
    recorded, or for any object with __cuda_stream__ (the streams of torch, CuPy and cuda.core)."""
    if what is None:
        return None if current is None else current(device)
    if isinstance(what, Stream):
        return what
    if hasattr(type(what), "_recording_stream"):
        result: Stream | None = what._recording_stream()
        return result
    protocol = getattr(what, "__cuda_stream__", None)
    if protocol is not None:
        return _of_library(what, device, _native(what, protocol() if callable(protocol) else protocol))
    if hasattr(what, "cuda_stream"):  # versions of PyTorch without the protocol
        return _of_library(what, device, what.cuda_stream)
    raise TypeError(f"{what!r} is not a stream: pass a tenon.Stream, or an object with __cuda_stream__")


def _native(what: Any, said: Any) -> int:
    """The CUstream in the result of the method __cuda_stream__."""
    if not isinstance(said, tuple) or len(said) != 2:
        raise TypeError(f"__cuda_stream__ of {what!r} must return a 2-tuple (version, stream), not {said!r}")
    version, native = said
    if not isinstance(version, int) or not isinstance(native, int):
        raise TypeError(f"__cuda_stream__ of {what!r} must return (int, int), not {said!r}")
    if version != 0:
        raise TypeError(f"{what!r} uses an unsupported version of __cuda_stream__: {version}; only version 0 is known")
    return native


def _of_library(what: Any, device: Device, native: int) -> Stream:
    kind = type(what)
    if kind.__module__.partition(".")[0] == "torch" and kind.__name__ != "ExternalStream":
        return _lasting_stream(device, native)
    return Stream.wrap(device, native, what)


def stream_handle(stream: Any) -> int | None:
    """The handle to pass to the library."""
    return None if stream is None else stream._handle
