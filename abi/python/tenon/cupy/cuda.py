"""CuPy's module cuda: devices, streams, events, memory. All of it is Tenon's under CuPy's names; without a GPU, device
0 is the CPU."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from types import SimpleNamespace, TracebackType
from typing import Any, NoReturn
from collections.abc import Callable, Iterator

import tenon

from .. import _raw, _stream
from .._array import Array
from .._device import Device as TenonDevice
from .._errors import TenonError, check
from .._handle import after_fork
from .._interface import array_of, lent
from .._library import core, lib
from .._stream import as_stream

# CuPy's exceptions: each of these classes covers all that its namesake does.
CUDARuntimeError, OutOfMemoryError = TenonError, tenon.OutOfMemory
compiler, driver = SimpleNamespace(CompileException=tenon.CompileError), SimpleNamespace(CUDADriverError=TenonError)
stream = memory = device = sys.modules[__name__]  # CuPy's submodules of cuda, as in cuda.stream.Stream


class _Current(threading.local):
    """The calling thread's current device and streams."""

    def __init__(self) -> None:
        self.device = 0
        self.streams: dict[int, Stream] = {}  # by device; the default stream if absent


_current = _Current()


def is_available() -> bool:
    """Whether there is a GPU."""
    return any(device.kind == "cuda" for device in tenon.devices())


_found: list[TenonDevice] = []
after_fork(_found.clear)


def _devices() -> list[TenonDevice]:
    """The GPUs, or the CPU if there is none."""
    if not _found:
        found = tenon.devices()
        _found.extend([one for one in found if one.kind == "cuda"] or found[:1])
    return _found


def device_of(index: int | None = None) -> TenonDevice:
    """Tenon's device for CuPy's device number; None: the current device."""
    index = _current.device if index is None else index
    found = _devices()
    if not 0 <= index < len(found):
        raise ValueError(f"there is no device {index}: "
                         f"{', '.join(f'{i} is {one.name}' for i, one in enumerate(found))}")
    return found[index]


class Device:
    """A device by its number. Within `with device:`, and after device.use(), new arrays are created on it."""

    def __init__(self, device: Any = None):
        if isinstance(device, TenonDevice):
            device = _devices().index(device)
        self.id = int(device) if device is not None else _current.device
        self._before: list[int] = []
        device_of(self.id)

    def __int__(self) -> int:
        return self.id

    def __index__(self) -> int:
        return self.id

    def use(self) -> None:
        """Makes this the current device of the thread."""
        _current.device = self.id

    def __enter__(self) -> Device:
        self._before.append(_current.device)
        self.use()
        return self

    def __exit__(self, *_: Any) -> None:
        _current.device = self._before.pop()

    def synchronize(self) -> None:
        """Waits for all work on the device."""
        self.tenon.synchronize()

    @property
    def tenon(self) -> TenonDevice:
        """Tenon's device."""
        return device_of(self.id)

    @property
    def compute_capability(self) -> str:
        """The compute capability in CuPy's notation, such as "90"; "00" on the CPU."""
        info = self.tenon.info
        return f"{info['compute_major']}{info['compute_minor']}"

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free and the total memory in bytes."""
        info = self.tenon.info
        return info["free_memory"], info["total_memory"]

    @property
    def attributes(self) -> dict[str, int]:
        """The launch limits, by the names of CUDA's attributes."""
        info = self.tenon.info
        names = {"WarpSize": "warp_size", "MaxThreadsPerBlock": "max_threads_per_block",
                 "MultiProcessorCount": "multiprocessors", "MaxSharedMemoryPerBlock": "shared_per_block",
                 "MaxSharedMemoryPerBlockOptin": "shared_per_block_max", "L2CacheSize": "l2_bytes",
                 "MaxThreadsPerMultiProcessor": "max_threads_per_multiprocessor",
                 "ComputeCapabilityMajor": "compute_major", "ComputeCapabilityMinor": "compute_minor"}
        return {**{name: info[ours] for name, ours in names.items()},
                **{f"MaxBlockDim{axis}": info["max_block"][i] for i, axis in enumerate("XYZ")},
                **{f"MaxGridDim{axis}": info["max_grid"][i] for i, axis in enumerate("XYZ")}}

    def __eq__(self, other: Any) -> bool:
        return (isinstance(other, Device) and self.id == other.id
                or isinstance(other, TenonDevice) and self.tenon == other)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>" if self.tenon.kind == "cuda" else f"<Device {self.id}: {self.tenon.name}>"


def get_device_id() -> int:
    """The number of the current device."""
    return _current.device


# --- streams and events --------------------------------------------------------------------------------------------

class BaseStream:
    """The base class of streams: `with stream:` and stream.use() make the stream the thread's current stream."""

    def __init__(self, stream: Any, device_id: int, null: bool = False, non_blocking: bool = False,
                 priority: int = 0):
        self._own, self.device_id, self._null = stream, device_id, null
        self.is_non_blocking, self.priority = non_blocking, priority
        self._before: list[BaseStream | None] = []
        self._capture: _Capture | None = None

    @property
    def tenon(self) -> tenon.Stream:
        """Tenon's stream. While this stream captures, it is the stream that records the graph."""
        return self._own if self._capture is None else self._capture.stream

    def _recording_stream(self) -> Any:
        """For tenon's functions with stream=."""
        return self.tenon

    @property
    def ptr(self) -> int:
        """The CUstream; 0 on the CPU and for the null stream."""
        return 0 if self._own.native == 1 else self._own.native

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr

    def use(self) -> BaseStream:
        """Makes this the current stream of the thread."""
        _current.streams[self.device_id] = self  # type: ignore[assignment]
        return self

    def __enter__(self) -> BaseStream:
        self._before.append(_current.streams.get(self.device_id))
        return self.use()

    def __exit__(self, *_: Any) -> None:
        before = self._before.pop()
        if before is None:
            _current.streams.pop(self.device_id, None)
        else:
            before.use()

    def synchronize(self) -> None:
        """Waits for the work on the stream, and for that on the default stream, where copies to and from the host
        run, ordered by the arrays they use."""
        self._refuse_in_capture("synchronize()")
        self._own.synchronize()
        tenon.Stream.default(self._own.device).synchronize()

    @property
    def done(self) -> bool:
        """Whether all work on the stream is complete."""
        self._refuse_in_capture("done")
        return self._own.query() and tenon.Stream.default(self._own.device).query()

    def record(self, event: Event | None = None) -> Event:
        """Marks the current point of the stream with the event (None: a new one) and returns it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Makes work enqueued from now on wait for the event. If the event was recorded on a stream that captures, this
        stream joins the capture."""
        if event._capture is None or event._capture.ended:
            self.tenon.wait(event.tenon)
        elif self._capture is None:
            event._capture.join(self)
        elif self._capture is not event._capture:
            raise _illegal("the event belongs to another capture than the stream")

    def launch_host_func(self, callback: Callable[[Any], Any], arg: Any) -> None:
        """Calls callback(arg) when the work enqueued so far is complete; the callback must call neither Tenon nor
        CUDA."""
        self.tenon.call_host(lambda: callback(arg))

    def add_callback(self, callback: Callable[[Any, int, Any], Any], arg: Any) -> None:
        """Calls callback(stream, 0, arg) in the same way."""
        self.tenon.call_host(lambda: callback(self, 0, arg))

    def begin_capture(self, mode: Any = None) -> None:
        """From now on, the functions, kernels and host calls that run on this stream are recorded instead of run, until
        end_capture(). mode has no effect: only calls on this stream, and on streams that wait for one of its events,
        take part."""
        if self._null:
            raise _illegal("the null stream cannot capture; use a new Stream()")
        if self._capture is not None:
            raise _illegal("the stream captures already")
        _Capture(self)

    def end_capture(self) -> Graph:
        """Ends the capture that began on this stream, and returns the graph."""
        if self._capture is None or self._capture.streams[0] is not self:
            raise _illegal("no capture began on this stream")
        return self._capture.end()

    def is_capturing(self) -> bool:
        """Whether calls on the stream are being recorded."""
        return self._capture is not None

    def _refuse_in_capture(self, what: str) -> None:
        if self._capture is not None:
            raise _illegal(f"the stream is capturing: {what} needs work that has run; call end_capture() first")

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, BaseStream) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        """Identifies the native stream; the CPU's streams have no address."""
        return self.device_id, 0 if self._null else self.ptr or id(self._own)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr:#x} (device {self.device_id})>"


class Stream(BaseStream):
    """A new stream of the current device; Stream.null, or null=True, is the default stream. Tenon orders its uses of
    arrays across all streams, so non_blocking has no effect on it."""

    null: Stream
    ptds: Stream

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: int | None = None):
        device = device_of()
        if ptds and device.kind == "cuda":
            made = tenon.Stream.wrap(device, 2)
        else:
            made = tenon.Stream.default(device) if null or ptds else tenon.Stream(device, priority or 0)
        super().__init__(made, _current.device, null or made.native == 1, non_blocking, priority or 0)

    @classmethod
    def from_external(cls, foreign: Any) -> BaseStream:
        """The stream of another library's object that has the method __cuda_stream__; the object is kept alive. The
        protocol does not tell the stream's device: it has to be the current one."""
        return _External(foreign)


class ExternalStream(BaseStream):
    """A stream of another library, given by its CUstream, which must stay valid."""

    def __init__(self, ptr: int, device_id: int = -1):
        device_id = _current.device if device_id < 0 else device_id
        super().__init__(tenon.Stream.wrap(device_of(device_id), ptr), device_id)


class _External(BaseStream):
    """What Stream.from_external returns."""

    def __init__(self, foreign: Any):
        if not hasattr(foreign, "__cuda_stream__"):
            raise TypeError(f"a {type(foreign).__name__} does not implement __cuda_stream__; Stream.from_external takes "
                            "an object that returns its version and its CUstream by this method")
        super().__init__(as_stream(foreign, device_of()), _current.device)
        self._foreign_stream_ref = foreign


class _Null:
    """Stream.null: the default stream of the current device."""

    def __get__(self, instance: Any, owner: Any) -> Stream:
        return Stream(null=True)


Stream.null = Stream.ptds = _Null()  # type: ignore[assignment]


def get_current_stream(device_id: int | None = None) -> BaseStream:
    """The stream on which the thread's functions and kernels run."""
    device_id = _current.device if device_id is None else device_id
    found = _current.streams.get(device_id)
    if found is not None:
        return found
    with Device(device_id):
        return Stream(null=True)


def current_stream(device: Any = None) -> Any:
    """Tenon's stream for a call on a device, that of the arrays; None: Tenon's own choice."""
    streams = _current.streams
    if not streams:
        return None
    index = _current.device if device is None else _devices().index(device) if device in _devices() else -1
    found = streams.get(index)
    return None if found is None else found.tenon


_stream.current = current_stream
core.ask_streams()


def _illegal(text: str) -> tenon.InvalidArgument:
    return tenon.InvalidArgument(text, _raw.TENON_ERROR_INVALID_ARGUMENT)


class _Capture:
    """The recording of a graph, and the streams that take part in it, the first of which began it. The calls of all of
    them are recorded in the order in which they are made."""

    def __init__(self, first: BaseStream):
        self._graph, self._device_id, self.ended = tenon.Graph(first._own.device), first.device_id, False
        self.stream = self._graph.__enter__()._recording_stream()
        self.streams: list[BaseStream] = []
        self.join(first)

    def join(self, stream: BaseStream) -> None:
        self.streams.append(stream)
        stream._capture = self

    def end(self) -> Graph:
        for stream in self.streams:
            stream._capture = None
        self.ended = True
        self._graph.__exit__(None, None, None)
        return Graph(self._graph, self._device_id)


class Graph:
    """Calls recorded by a stream between begin_capture() and end_capture(). Arrays that they made are written again by
    each launch."""

    def __init__(self, graph: tenon.Graph, device_id: int):
        self.tenon, self._device_id = graph, device_id  # tenon: Tenon's graph

    def launch(self, stream: BaseStream | None = None) -> None:
        """Enqueues the recorded calls on a stream (None: the current stream)."""
        self.tenon.launch((get_current_stream(self._device_id) if stream is None else stream).tenon)

    def upload(self, stream: BaseStream | None = None) -> None:
        """Without effect: the end of the capture has prepared the graph for its launches."""


class Event:
    """A point in a stream. With disable_timing=True it cannot be used with get_elapsed_time."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False):
        if interprocess:
            raise AttributeError("Tenon's events belong to one process: share memory and wait for the stream, "
                                 "stream.synchronize()")
        self.tenon = tenon.Event(device_of(), timing=not disable_timing)
        self._capture: _Capture | None = None  # in which it was recorded last

    @property
    def ptr(self) -> int:
        return self.tenon.native

    @property
    def done(self) -> bool:
        """Whether the event has been reached."""
        return self.tenon.query()

    def record(self, stream: Any = None) -> None:
        """Marks the current point of a stream (None: the current stream)."""
        stream = get_current_stream() if stream is None else stream
        self._capture = stream._capture if isinstance(stream, BaseStream) else None
        if self._capture is None:
            self.tenon.record(stream.tenon if isinstance(stream, BaseStream) else stream)

    def synchronize(self) -> None:
        self.tenon.synchronize()


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """The time in milliseconds between two events, which must have been reached."""
    return end_event.tenon.milliseconds_since(start_event.tenon)


# --- memory --------------------------------------------------------------------------------------------------------

class Memory:
    """Memory of the current device, and its owner."""

    def __init__(self, size: int):
        self._set(tenon.empty((size,), "uint8", device=device_of()))

    def _set(self, array: Array) -> None:
        self.array, self.size, self.device = array, array.nbytes, Device(array.device)

    @classmethod
    def _of(cls, array: Array) -> Memory:
        self = object.__new__(cls)
        self._set(array)
        return self

    @property
    def ptr(self) -> int:
        return self.array.data_ptr

    @property
    def device_id(self) -> int:
        return self.device.id


class UnownedMemory(Memory):
    """Memory that another object owns; the owner is kept alive as long as the memory is used."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1):
        device = device_of(None if device_id < 0 else device_id)
        self._set(array_of(lent(device, ptr, size, owner), tenon.uint8, (size,)))


class MemoryPointer:
    """An address in a Memory. tenon.cupy.ndarray(shape, dtype, pointer) is an array at that address."""

    def __init__(self, mem: Memory, offset: int):
        self.mem, self.offset = mem, offset

    @property
    def ptr(self) -> int:
        return self.mem.ptr + self.offset

    @property
    def device(self) -> Device:
        return self.mem.device

    @property
    def device_id(self) -> int:
        return self.mem.device_id

    def __int__(self) -> int:
        return self.ptr

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.offset + offset)

    __radd__ = __add__

    def __sub__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.offset - offset)

    def bytes(self, size: int) -> Array:
        """The next `size` bytes as an array."""
        if not 0 <= self.offset <= self.offset + size <= self.mem.size:
            raise ValueError(f"{size} bytes from byte {self.offset} on are more than the memory has: {self.mem.size}")
        return self.mem.array[self.offset:self.offset + size]

    def memset(self, value: int, size: int) -> None:
        """Sets `size` bytes to the value."""
        self.bytes(size).fill(value & 255)

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        self.bytes(size)[...] = src.bytes(size)

    def copy_from_host(self, mem: Any, size: int) -> None:
        """Copies `size` bytes from a host address: ctypes.c_void_p or an integer."""
        place = self.bytes(size)
        check(lib.tenon_array_set_from_host(place._handle, _address(mem), size, None))

    def copy_to_host(self, mem: Any, size: int) -> None:
        place = self.bytes(size)
        check(lib.tenon_array_to_host(place._handle, _address(mem), size, None))

    def copy_from(self, mem: Any, size: int) -> None:
        self.copy_from_device(mem, size) if isinstance(mem, MemoryPointer) else self.copy_from_host(mem, size)

    def memset_async(self, value: int, size: int, stream: Any = None) -> None:
        self.memset(value, size)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: Any = None) -> None:
        self.copy_from_device(src, size)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        self.copy_from_host(mem, size)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        self.copy_to_host(mem, size)

    def copy_from_async(self, mem: Any, size: int, stream: Any = None) -> None:
        self.copy_from(mem, size)


def _address(mem: Any) -> int | None:
    return mem.value if isinstance(mem, ctypes.c_void_p) else int(mem)


def alloc(size: int) -> MemoryPointer:
    """Allocates memory of the current device."""
    return MemoryPointer(Memory(size), 0)


class MemoryPool:
    """Tenon's memory pool of each device. All objects of this class refer to the same pools."""

    def __init__(self, allocator: Any = None):
        if allocator is not None:
            raise AttributeError("Tenon's pool takes no allocator from Python: a C program gives one in "
                                 "tenon_context_options")

    def malloc(self, size: int) -> MemoryPointer:
        return alloc(size)

    def used_bytes(self) -> int:
        """The bytes of all arrays on the current device."""
        return device_of().memory["used"]

    def total_bytes(self) -> int:
        """The bytes that the pool holds, including free blocks."""
        return device_of().memory["held"]

    def free_bytes(self) -> int:
        return max(self.total_bytes() - self.used_bytes(), 0)

    def n_free_blocks(self) -> int:
        """1 if the pool holds free memory, else 0: it is one heap, which is not divided into blocks."""
        return int(self.free_bytes() > 0)

    def free_all_blocks(self, stream: Any = None) -> None:
        """Returns free blocks to the system."""
        device_of().trim_memory()

    free_all_free = free_all_blocks

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Limits the memory of the arrays on the current device to `size` bytes or a fraction of the device's memory;
        0: no limit."""
        if (size is None) == (fraction is None):
            raise ValueError("set_limit takes either size= or fraction=")
        if fraction is not None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"fraction must be between 0 and 1, not {fraction}")
            size = int(fraction * device_of().info["total_memory"])
        device_of().limit_memory(size)

    def get_limit(self) -> int:
        return device_of().memory["limit"]

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"tenon.cupy's MemoryPool has no {name}: tenon.Device().memory has the figures of the "
                             "pool")


class PinnedMemoryPool:
    """CuPy's pool of pinned memory, which in Tenon is part of the device's pool."""

    def free_all_blocks(self) -> None:
        device_of().trim_memory()

    def n_free_blocks(self) -> int:
        return _pool.n_free_blocks()

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"tenon.cupy's PinnedMemoryPool has no {name}: tenon.empty(shape, dtype, "
                             "memory=\"pinned\") is an array "
                             "in pinned memory")


_pool, _pinned_pool = MemoryPool(), PinnedMemoryPool()


def get_default_memory_pool() -> MemoryPool:
    return _pool


def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    return _pinned_pool


def set_allocator(allocator: Any = None) -> None:
    """Accepts Tenon's own pool, which is the only allocator."""
    if allocator is not None and getattr(allocator, "__self__", None) is not _pool and not isinstance(
            getattr(allocator, "__self__", None), MemoryPool):
        raise AttributeError("Tenon's arrays come from Tenon's pool: memory of other allocators is shared as it is, by "
                             "tenon.from_dlpack")


set_pinned_memory_allocator = set_allocator


@contextlib.contextmanager
def using_allocator(allocator: Any = None) -> Iterator[None]:
    set_allocator(allocator)
    yield


def alloc_pinned_memory(size: int) -> Any:
    """Pinned host memory as an object for numpy.frombuffer; ordinary memory on the CPU device."""
    device = device_of()
    array = tenon.empty((size,), "uint8", device=device, memory="pinned" if device.kind == "cuda" else "device")
    made: Any = (ctypes.c_ubyte * size).from_address(array.data_ptr)
    made.ptr, made._array = array.data_ptr, array  # keeps the memory alive
    return made


# --- the runtime ---------------------------------------------------------------------------------------------------

def _properties(device: int) -> dict[str, Any]:
    found, info = device_of(device), device_of(device).info
    return {"name": found.description.encode(), "totalGlobalMem": info["total_memory"], "warpSize": info["warp_size"],
            "sharedMemPerBlock": info["shared_per_block"], "sharedMemPerBlockOptin": info["shared_per_block_max"],
            "maxThreadsPerBlock": info["max_threads_per_block"], "maxThreadsDim": info["max_block"],
            "maxGridSize": info["max_grid"], "multiProcessorCount": info["multiprocessors"],
            "l2CacheSize": info["l2_bytes"],
            "maxThreadsPerMultiProcessor": info["max_threads_per_multiprocessor"], "major": info["compute_major"],
            "minor": info["compute_minor"]}


class _Runtime(SimpleNamespace):
    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"tenon.cupy.cuda.runtime has no {name}: tenon.Device, tenon.Stream and tenon.Event do "
                             "what programs need of CUDA's runtime")


runtime = _Runtime(
    CUDARuntimeError=CUDARuntimeError, getDeviceCount=lambda: len(_devices()), getDevice=get_device_id,
    setDevice=lambda device: Device(device).use(), deviceSynchronize=lambda: Device().synchronize(),
    getDeviceProperties=_properties, memGetInfo=lambda: Device().mem_info,
    driverGetVersion=lambda: device_of().info["driver_version"],
    runtimeGetVersion=lambda: device_of().info["driver_version"],
    streamSynchronize=lambda stream: tenon.Stream.wrap(device_of(), stream).synchronize(),
    is_hip=False)


class profile:
    """`with cuda.profile():` has no effect: TENON_NVTX=1 enables ranges for profilers."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        return None


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"tenon.cupy.cuda has no {name}: see tenon.Device, tenon.Stream, tenon.Event and tenon.Graph")


