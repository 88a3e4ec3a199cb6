"""Programs and kernels: compiles CUDA C text into objects that launch kernels when called."""

from __future__ import annotations

import ctypes
import operator
import struct
import time
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack
from collections.abc import Iterable, Mapping, Sequence

from . import _dynamo, _raw
from ._array import Array
from ._device import Device, as_device
from ._dlpack import from_dlpack
from ._dtypes import DType, as_dtype, numbers, pack_scalar
from ._errors import InvalidArgument, check, raise_last
from ._handle import Fixed, Handle, after_fork, make
from ._integers import integer
from ._library import core, lib
from ._stream import as_stream, stream_handle
from ._texture import Surface, Texture
from ._torch import detached, is_tensor, is_traced, launched, recording

# A tenon_arg that holds a handle, written in one operation.
_HANDLE = struct.Struct("=IIQQ")

INPUTS = {"source": _raw.TENON_INPUT_SOURCE, "binary": _raw.TENON_INPUT_BINARY, "ptx": _raw.TENON_INPUT_PTX,
          "fatbin": _raw.TENON_INPUT_FATBIN, "lto_ir": _raw.TENON_INPUT_LTO_IR}
IMAGE_KINDS = {"binary": _raw.TENON_IMAGE_BINARY, "ptx": _raw.TENON_IMAGE_PTX}
MODES = {"fast": _raw.TENON_PROGRAM_MODE_FAST, "debug": _raw.TENON_PROGRAM_MODE_DEBUG,
         "check": _raw.TENON_PROGRAM_MODE_CHECK}


class TextOptions(TypedDict, total=False):
    """The keywords of everything that compiles a text."""

    headers: Mapping[str, str] | None
    options: Sequence[str]
    mode: str
    fast_math: bool
    reverse_order: bool
    no_cache: bool
    globals: Iterable[str]
    time_limit: float


class ImageOptions(TextOptions, total=False):
    """The keywords of Program.compile."""

    name: str


class KernelOptions(TextOptions, total=False):
    """The keywords of Program that Kernel also accepts."""

    architecture: str | None


class ProgramOptions(KernelOptions, total=False):
    """The keywords of the other functions that create programs."""

    name: str


class Program(Handle):
    """CUDA C source compiled for one device. `kernels` lists the kernels to compile, including template instances:
    ["saxpy", "axpy<float>"]; `globals` lists the __device__ and __constant__ variables for program.variable. headers
    maps names of headers to their text. options are passed to the compiler. CompileError is raised for errors in the
    text and when compiling takes longer than time_limit seconds (0: five minutes). Compilation does the same in the
    background."""

    __slots__ = ("device", "_kernels", "_checked")
    _kernels: dict[str, CompiledKernel]
    _checked: bool
    _release = lib.tenon_program_release
    __iter__ = None
    device: Device

    def __new__(cls, source: str, kernels: Iterable[str] = (), *, device: Any = None, name: str = "kernel.cu",
                headers: Mapping[str, str] | None = None, options: Sequence[str] = (), mode: str = "fast",
                fast_math: bool = False, reverse_order: bool = False, no_cache: bool = False,
                architecture: str | None = None, globals: Iterable[str] = (), time_limit: float = 0) -> Program:
        record = _options(kernels, name=name, headers=headers, options=options, mode=mode, fast_math=fast_math,
                          reverse_order=reverse_order, no_cache=no_cache, architecture=architecture, globals=globals,
                          time_limit=time_limit)
        device, text = as_device(device), _text(source)
        return cls._of(make(lib.tenon_program_create, device._handle, text, len(text), ctypes.byref(record)), device,
                       mode)

    @classmethod
    def _of(cls, handle: Any, device: Device, mode: str) -> Program:
        self = object.__new__(cls)
        self._set(device=device)
        self._handle = handle
        self._kernels = {}
        self._checked = mode == "check" and device.kind == "cpu"
        return self

    if not TYPE_CHECKING:  # __new__ declares the arguments
        def __init__(self, *_args: Any, **_keywords: Any) -> None:
            pass

    @classmethod
    def link(cls, inputs: Iterable[Input | str], kernels: Iterable[str] = (), *, device: Any = None,
             trusted: bool = False, **program_options: Unpack[ProgramOptions]) -> Program:
        """Links several sources (text, or Input with a name) and images into one program; the other keywords are those
        of Program. Images that are machine code or LTO-IR are accepted only with trusted=True."""
        device = as_device(device)
        record = _options(kernels, trusted=trusted, **program_options)
        packed, count, keep = _inputs(inputs)
        handle = make(lib.tenon_program_link, device._handle, packed, count, ctypes.byref(record))
        del keep
        return cls._of(handle, device, program_options.get("mode", "fast"))

    @classmethod
    def from_image(cls, image: bytes | str, kernels: Iterable[str] = (), *, kind: str = "binary", trusted: bool = False,
                   name: str = "image", device: Any = None) -> Program:
        """A program from an image that was compiled before or elsewhere: the result of program.image() ("binary"),
        "ptx", "fatbin" or "lto_ir". Without `kernels`, it has all kernels that the image describes. The image runs with
        your rights: pass trusted=True only if you trust its source."""
        return cls.link([Input(image, kind, name)], kernels, device=device, trusted=trusted)

    @property
    def log(self) -> str:
        """The compiler's warnings."""
        out = ctypes.c_char_p()
        check(lib.tenon_program_log(self._handle, ctypes.byref(out)))
        return (out.value or b"").decode(errors="replace")

    def image(self, kind: str = "binary") -> bytes:
        """The compiled image: "binary" (a cubin, or the CPU's shared object) or "ptx" (CUDA only)."""
        return _blob(make(lib.tenon_program_image, self._handle, IMAGE_KINDS[kind]))

    def kernel(self, name: str) -> CompiledKernel:
        """A kernel of the program, by the name given in `kernels`."""
        if name not in self._kernels:
            self._kernels[name] = CompiledKernel._own(make(lib.tenon_program_kernel, self._handle, name.encode()), self)
        return self._kernels[name]

    __getitem__ = kernel

    def __repr__(self) -> str:
        return f"<tenon.Program on {self.device}>"

    def variable(self, name: str) -> Array:
        """A __device__ or __constant__ variable as an array that shares its memory. A variable listed in globals= has
        the dtype and shape that the compiler reports; any other is a read-only array of its bytes."""
        return Array._own(make(lib.tenon_program_global, self._handle, name.encode()))

    @staticmethod
    def check(source: str, architecture: str, kernels: Iterable[str] = (), *, name: str = "kernel.cu",
              headers: Mapping[str, str] | None = None, options: Sequence[str] = (), mode: str = "fast",
              fast_math: bool = False, globals: Iterable[str] = (), time_limit: float = 0) -> str:
        """Compiles for an architecture ("sm_90") with NVRTC, without a GPU, discards the result, and returns the
        warnings. Errors in the text raise CompileError."""
        record = _options(kernels, name=name, headers=headers, options=options, mode=mode, fast_math=fast_math,
                          globals=globals, time_limit=time_limit)
        text = _text(source)
        log = ctypes.c_void_p()
        check(lib.tenon_program_compile(architecture.encode(), text, len(text), ctypes.byref(record),
                                        _raw.TENON_IMAGE_BINARY, None, ctypes.byref(log)))
        return _blob(log).decode(errors="replace")

    @staticmethod
    def compile(source: str, architecture: str, kernels: Iterable[str] = (), *, kind: str = "binary",
                **program_options: Unpack[ImageOptions]) -> tuple[bytes, str]:
        """Compiles for an architecture ("sm_90") with NVRTC, without a GPU, and returns the image (a cubin, or PTX with
        kind="ptx") and the compiler's log; with options=["--ptxas-options=-v"] the log lists the resources of each
        kernel. Program.from_image loads the image."""
        record, text = _options(kernels, **program_options), _text(source)
        image, log = ctypes.c_void_p(), ctypes.c_void_p()
        check(lib.tenon_program_compile(architecture.encode(), text, len(text), ctypes.byref(record),
                                        IMAGE_KINDS[kind], ctypes.byref(image), ctypes.byref(log)))
        return _blob(image), _blob(log).decode(errors="replace")


class Input(NamedTuple):
    """One input of Program.link: CUDA C text, or an image with its kind; the name appears in messages."""

    data: bytes | str
    kind: str = "source"
    name: str | None = None


def _inputs(given: Iterable[Input | str]) -> tuple[Any, int, Any]:
    """The inputs as C structs, their number, and the objects that must stay alive until the call returns."""
    inputs = [one if isinstance(one, Input) else Input(one)
              for one in ([given] if isinstance(given, (str, Input)) else given)]
    packed, keep = (_raw.tenon_program_input * max(len(inputs), 1))(), []
    for record, (data, kind, name) in zip(packed, inputs):
        if kind not in INPUTS:
            raise ValueError(f"the kind of an input must be one of {', '.join(INPUTS)}, not {kind!r}")
        text = data.encode() if isinstance(data, str) else bytes(data)
        keep.append(text)
        record.struct_size, record.kind, record.size = ctypes.sizeof(record), INPUTS[kind], len(text)
        record.data = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p)
        record.name = None if name is None else name.encode()
    return packed, len(inputs), keep


class Compilation(Handle):
    """A program that is compiled in the background; the arguments are those of Program. Several compilations run in
    parallel.

        compilation = tenon.Compilation(source, ["saxpy"], device=device)
        program = compilation.result()      # waits; raises the same errors as Program
    """

    __slots__ = ("device", "_program", "_mode")
    _program: Program | None
    _mode: str
    _release = lib.tenon_compilation_release
    device: Device

    def __new__(cls, source: str, kernels: Iterable[str] = (), *, device: Any = None,
                **program_options: Unpack[ProgramOptions]) -> Compilation:
        record = _options(kernels, **program_options)
        device, text = as_device(device), _text(source)
        return cls._of(make(lib.tenon_compilation_start, device._handle, text, len(text), ctypes.byref(record)),
                       device, program_options)

    @classmethod
    def link(cls, inputs: Iterable[Input | str], kernels: Iterable[str] = (), *, device: Any = None,
             **program_options: Unpack[ProgramOptions]) -> Compilation:
        """Program.link in the background."""
        device = as_device(device)
        record = _options(kernels, **program_options)
        packed, count, keep = _inputs(inputs)
        handle = make(lib.tenon_compilation_link, device._handle, packed, count, ctypes.byref(record))
        del keep
        return cls._of(handle, device, program_options)

    @classmethod
    def _of(cls, handle: Any, device: Device, program_options: Mapping[str, Any]) -> Compilation:
        self = object.__new__(cls)
        self._set(device=device)
        self._handle = handle
        self._program = None
        self._mode = program_options.get("mode", "fast")
        return self

    if not TYPE_CHECKING:  # __new__ declares the arguments
        def __init__(self, *_args: Any, **_keywords: Any) -> None:
            pass

    def done(self) -> bool:
        """Whether the compilation has ended, successfully or not, or was cancelled."""
        status: int = lib.tenon_compilation_query(self._handle)
        if status not in (_raw.TENON_OK, _raw.TENON_ERROR_NOT_READY):
            raise_last(status)
        return status == _raw.TENON_OK

    def result(self, timeout: float | None = None) -> Program:
        """Waits for the program and returns it. Raises NotReady (a TimeoutError) after `timeout` seconds while the
        compilation continues, Cancelled, CompileError and the other errors of Program."""
        end = None if timeout is None else time.monotonic() + timeout
        while self._program is None:  # in small steps, so that an interrupt is noticed
            step = 0.2 if end is None else min(0.2, max(0.0, end - time.monotonic()))
            out = ctypes.c_void_p()
            status = lib.tenon_compilation_wait(self._handle, step, ctypes.byref(out))
            if status == _raw.TENON_OK:
                self._program = Program._of(out, self.device, self._mode)
            elif status != _raw.TENON_ERROR_NOT_READY or (end is not None and time.monotonic() >= end):
                raise_last(status)
        return self._program

    def cancel(self) -> None:
        """Requests cancellation; result() then raises Cancelled, unless the compilation had already ended."""
        check(lib.tenon_compilation_cancel(self._handle))

    def __repr__(self) -> str:
        return f"<tenon.Compilation on {self.device}>"


def _text(source: Any) -> bytes:
    if not isinstance(source, str):
        raise TypeError(f"the source must be CUDA C as a str, not {type(source).__name__}")
    return source.encode()


def _options(kernels: Iterable[str], *, name: str | None = None, headers: Mapping[str, str] | None = None,
             options: Sequence[str] = (), mode: str = "fast", fast_math: bool = False, reverse_order: bool = False,
             no_cache: bool = False, architecture: str | None = None, globals: Iterable[str] = (),
             time_limit: float = 0, trusted: bool = False) -> Any:
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    flags = (_raw.TENON_PROGRAM_FLAG_FAST_MATH * fast_math | _raw.TENON_PROGRAM_FLAG_REVERSE_ORDER * reverse_order
             | _raw.TENON_PROGRAM_FLAG_NO_CACHE * no_cache | _raw.TENON_PROGRAM_FLAG_TRUSTED * trusted)
    kernels = [kernels] if isinstance(kernels, str) else list(kernels)
    variables = [globals] if isinstance(globals, str) else list(globals)
    options = [options] if isinstance(options, str) else list(options)
    headers = dict(headers or {})
    return _raw.tenon_program_options(
        flags=flags, name=name and name.encode(), kernels=_strings(kernels), kernel_count=len(kernels),
        header_count=len(headers), header_names=_strings(headers.keys()), header_sources=_strings(headers.values()),
        options=_strings(options), option_count=len(options), mode=MODES[mode],
        architecture=architecture and architecture.encode(), globals=_strings(variables), global_count=len(variables),
        time_limit=time_limit)


def _blob(blob: Any) -> bytes:
    try:
        data, size = ctypes.c_void_p(), ctypes.c_uint64()
        check(lib.tenon_blob_data(blob, ctypes.byref(data), ctypes.byref(size)))
        return ctypes.string_at(data, size.value) if size.value else b""
    finally:
        lib.tenon_blob_release(blob)


def _strings(texts: Iterable[str]) -> Any:
    encoded = [text.encode() for text in texts]
    if any(b"\0" in text for text in encoded):
        raise ValueError("a name, a header or an option contains a NUL character")
    return (ctypes.c_char_p * len(encoded))(*encoded) if encoded else None


class Parameter(Fixed):
    """One parameter of a kernel, as the compiler reports it."""

    __slots__ = ("name", "kind", "dtype", "read_only", "size", "alignment")
    name: str  # as in the source; "" if it is not certain
    kind: str  # "scalar", "pointer", "struct", "unknown"
    dtype: DType | None
    read_only: bool
    size: int
    alignment: int

    def __init__(self, name: str, kind: str, dtype: DType | None, read_only: bool, size: int, alignment: int):
        self._set(name=name, kind=kind, dtype=dtype, read_only=read_only, size=size, alignment=alignment)

    def __reduce__(self) -> Any:
        return Parameter, (self.name, self.kind, self.dtype, self.read_only, self.size, self.alignment)

    def __eq__(self, other: Any) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, Parameter) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    @classmethod
    def _of(cls, record: Any, name: str = "") -> Parameter:
        kind = {1: "scalar", 2: "pointer", 3: "struct", 4: "unknown"}[record.kind]
        return cls(name, kind, DType(record.dtype) if record.dtype else None, bool(record.read_only), record.size,
                   record.alignment)

    def __repr__(self) -> str:
        what = self.dtype or ("void" if self.kind == "pointer" else f"{self.size} bytes")
        return f"<{self.kind} {'const ' if self.read_only else ''}{what}{' ' if self.name else ''}{self.name}>"


class Strided(NamedTuple):
    """An array of any strides as a kernel argument: the pointer parameter gets the address of the element at index 0,
    and the kernel must handle the strides itself.

        kernel(grid, block, [tenon.Strided(x.T), *x.T.strides])
    """

    array: Array


class _Configured:
    """A kernel with its geometry, the result of kernel[grid, block]."""

    __slots__ = ("_kernel", "_grid", "_block", "_options")

    def __init__(self, kernel: Any, geometry: Any):
        if not isinstance(geometry, tuple) or not 2 <= len(geometry) <= 4:
            raise TypeError("kernel[grid, block], kernel[grid, block, stream] or kernel[grid, block, stream, "
                            f"shared], not {geometry!r}")
        self._kernel, (self._grid, self._block), self._options = kernel, geometry[:2], {}
        if len(geometry) > 2 and geometry[2] is not None and not (type(geometry[2]) is int and geometry[2] == 0):
            self._options["stream"] = geometry[2]  # Numba's 0 is the default stream
        if len(geometry) > 3:
            self._options["shared"] = geometry[3]

    def __call__(self, *args: Any) -> None:
        self._kernel(self._grid, self._block, args, **self._options)

    def __repr__(self) -> str:
        return f"<{self._kernel!r} with grid {self._grid} and block {self._block}>"


class CompiledKernel(core.CompiledKernel, Handle):
    """A kernel on one device: kernel(grid, block, args=(), *, shared=0, stream=None, cooperative=False, cluster=(0, 0,
    0), programmatic=False) launches `grid` blocks of `block` threads (each an integer or up to three). Arguments are
    arrays (Tenon's, or anything with DLPack, used in place), Python numbers (converted to the parameter's type; a
    number that does not fit is an error), bytes or ctypes structures for structs by value, and ctypes.c_void_p for a
    raw address. programmatic: the kernel may begin before the previous kernel ends (programmatic dependent launch)."""

    __slots__ = ("program", "device", "parameters", "_writers", "_launches")
    program: Program
    device: Device
    _writers: tuple[Any, ...]
    _launches: dict[Any, Any]
    _release = lib.tenon_kernel_release
    __iter__ = None  # kernel[grid, block] is a launch
    parameters: tuple[Parameter, ...]

    @classmethod
    def _own(cls, handle: Any, program: Program) -> CompiledKernel:  # type: ignore[override]
        self = object.__new__(cls)
        self._handle = handle
        count = ctypes.c_int32()
        check(lib.tenon_kernel_parameter_count(self._handle, ctypes.byref(count)))
        self._set(program=program, device=program.device,
                  parameters=tuple(Parameter._of(*self._parameter(index)) for index in range(count.value)))
        self._writers = tuple(_writer(parameter) for parameter in self.parameters)
        self._launches = {}
        _dynamo.allow(self)
        if not program._checked:
            self._describe()
        return self

    def _parameter(self, index: int) -> tuple[Any, str]:
        record, name = _raw.tenon_parameter_info(), ctypes.c_char_p()
        check(lib.tenon_kernel_get_parameter_info(self._handle, index, ctypes.byref(record)))
        check(lib.tenon_kernel_parameter_name(self._handle, index, ctypes.byref(name)))
        return record, (name.value or b"").decode(errors="replace")

    def _place(self, index: int) -> str:
        name = self.parameters[index].name if index < len(self.parameters) else ""
        return f"argument {index}{f' ({name})' if name else ''} of {self.name}"

    def __getitem__(self, geometry: Any) -> _Configured:
        """kernel[grid, block, stream, shared](*args): the launch as Numba writes it; stream and shared may be left
        out."""
        return _Configured(self, geometry)

    @property
    def name(self) -> str:
        out = ctypes.c_char_p()
        check(lib.tenon_kernel_name(self._handle, ctypes.byref(out)))
        return (out.value or b"").decode()

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def info(self) -> dict[str, int]:
        """Resources and limits that the compiler and the device report: registers, shared_bytes,
        max_threads_per_block ..."""
        from ._device import _fields

        record = _raw.tenon_kernel_info()
        check(lib.tenon_kernel_get_info(self._handle, ctypes.byref(record)))
        return _fields(record)

    def _launch(self, grid: Any, block: Any, args: Sequence[Any] = (), *, shared: int = 0, stream: Any = None,
                cooperative: bool = False, cluster: Any = (0, 0, 0), programmatic: bool = False) -> None:
        """Handles the calls that the compiled __call__ does not: those with anything but integers, arrays and
        numbers."""
        if is_traced(args):
            from . import _torch_traced

            return _torch_traced.launch(self, self, grid, block, args, shared=shared, stream=stream,
                                        cooperative=cooperative, cluster=cluster, programmatic=programmatic)
        packed, keep, tensors = self._pack(args)
        key = (grid, block, shared, cooperative, cluster, programmatic)
        try:
            launch = self._launches.get(key) if _are_integers(grid) and _are_integers(block) else None
        except TypeError:  # a list
            launch = _launch(*key)
        if launch is None:
            launch = _launch(*key)
            if len(self._launches) < 64:
                self._launches[key] = launch
        if stream is not None:
            stream = as_stream(stream, self.device)
        status = lib.tenon_kernel_launch(self._handle, ctypes.addressof(launch), packed, len(args),
                                         stream_handle(stream))
        del keep  # temporaries that the arguments point to, needed until here
        if status:
            raise_last(status)
        if tensors:
            launched(tensors, stream)
        if self.program._checked:
            self._raise_faults(stream)

    def _raise_faults(self, stream: Any) -> None:
        """In the mode "check", raises the faults of this launch."""
        if stream is None:
            self.device.synchronize()
        elif stream._handle not in recording:
            stream.synchronize()

    def bind(self, grid: Any, block: Any, args: Sequence[Any] = (), *, shared: int = 0, cooperative: bool = False,
             cluster: Any = (0, 0, 0), programmatic: bool = False) -> Call:
        """Checks and packs the geometry and the arguments once, for many launches."""
        packed, keep, tensors = self._pack(args)
        launch = _launch(grid, block, shared, cooperative, cluster, programmatic)
        handle = make(lib.tenon_call_create, self._handle, ctypes.byref(launch), packed, len(args))
        del keep
        return Call._of(handle, self, tensors)

    def time(self, grid: Any, block: Any, args: Sequence[Any] = (), *, shared: int = 0, stream: Any = None,
             cooperative: bool = False, cluster: Any = (0, 0, 0), programmatic: bool = False) -> float:
        """Launches, waits, and returns the milliseconds that the kernel took on the device."""
        packed, keep, tensors = self._pack(args)
        launch = _launch(grid, block, shared, cooperative, cluster, programmatic)
        if stream is not None:
            stream = as_stream(stream, self.device)
        out = ctypes.c_double()
        check(lib.tenon_kernel_time(self._handle, ctypes.byref(launch), packed, len(args), stream_handle(stream),
                                    ctypes.byref(out)))
        del keep
        launched(tensors, stream)
        return 1e3 * out.value

    def occupancy(self, block: int, shared: int = 0) -> int:
        """The number of blocks of `block` threads that one multiprocessor runs at once."""
        out = ctypes.c_int32()
        block = integer(block, "block", ctypes.c_uint32)
        check(lib.tenon_kernel_occupancy(self._handle, block, _shared(shared), ctypes.byref(out)))
        return out.value

    def prefer_shared(self, percent: int) -> None:
        """Asks the driver to use this percentage of a multiprocessor's L1 cache as shared memory for the kernel's later
        launches, 0 to 100; -1: the driver's choice. info["shared_carveout"] has it. The CPU device keeps it without an
        effect."""
        check(lib.tenon_kernel_prefer_shared(self._handle, integer(percent, "percent", ctypes.c_int32)))

    def suggest(self, shared: int = 0) -> tuple[int, int]:
        """(block, grid): the block size with the highest occupancy, and the smallest number of such blocks that fills
        the device."""
        block, grid = ctypes.c_uint32(), ctypes.c_uint32()
        check(lib.tenon_kernel_suggest(self._handle, _shared(shared), ctypes.byref(block), ctypes.byref(grid)))
        return block.value, grid.value

    def geometry(self, count: int, block: int = 0, shared: int = 0) -> tuple[int, int]:
        """(grid, block) with one thread per element, for `count` elements: kernel(*kernel.geometry(n), args). block 0:
        the suggested block size."""
        launch = _raw.tenon_launch(block=(integer(block, "block", ctypes.c_uint32), 0, 0), shared_bytes=_shared(shared))
        check(lib.tenon_launch_for(self._handle, integer(count, "count", ctypes.c_uint64), ctypes.byref(launch)))
        return launch.grid[0], launch.block[0]

    def _pack(self, args: Sequence[Any]) -> tuple[Any, list[Any], dict[int, Any]]:
        """The arguments as an array of tenon_arg, the objects that must stay alive until the call returns, and the
        PyTorch tensors that the kernel may write, by argument number."""
        packed = (_raw.tenon_arg * max(len(args), 1))()
        keep: list[Any] = []
        tensors: dict[int, Any] = {}
        writers = self._writers
        for index, value in enumerate(args):
            if type(value) is Array:
                _HANDLE.pack_into(packed, 32 * index, _raw.TENON_ARG_ARRAY, 0, 0, value._handle)
                continue
            writer = writers[index] if index < len(writers) else None
            try:
                if writer is not None and type(value) in writer[0]:
                    writer[1](packed, 32 * index, _raw.TENON_ARG_SCALAR, writer[2], writer[3], value)
                else:
                    _fill(packed[index], self.parameters[index] if index < len(self.parameters) else None, value, keep,
                          index, tensors)
            except struct.error:
                raise OverflowError(f"{self._place(index)}: {value!r} does not fit "
                                    f"{self.parameters[index].dtype}") from None
            except (TypeError, OverflowError, ValueError, BufferError) as error:
                if hasattr(error, "status"):
                    raise
                raise type(error)(f"{self._place(index)}: {error}") from None
        return packed, keep, tensors

    def __repr__(self) -> str:
        return f"<tenon kernel {self.name} on {self.device}: {', '.join(map(repr, self.parameters))}>"


class Call(core.Call, Handle):
    """A bound call: call(stream=None) launches; call[i] = value replaces an argument. One thread at a time."""

    __slots__ = ("kernel", "_tensors")
    _tensors: dict[int, Any]
    _release = lib.tenon_call_release
    kernel: CompiledKernel

    @classmethod
    def _of(cls, handle: Any, kernel: CompiledKernel, tensors: Mapping[int, Any]) -> Call:
        self = object.__new__(cls)
        self._handle = handle
        self._set(kernel=kernel)
        self._tensors = {index: detached(tensor) for index, tensor in tensors.items()}  # written by a launch
        self._weigh()
        return self

    def _weigh(self) -> None:
        self._plain = not self._tensors and not self.kernel.program._checked

    def _launch(self, stream: Any = None) -> None:
        """Handles the launches that the compiled __call__ does not: with PyTorch tensors, in check mode, recorded, or
        on another library's stream."""
        if stream is not None:
            stream = as_stream(stream, self.kernel.device)
        check(lib.tenon_call_launch(self._handle, stream_handle(stream)))
        if self._tensors:
            launched(self._tensors, stream)
        if self.kernel.program._checked:
            self.kernel._raise_faults(stream)

    def __setitem__(self, index: int, value: Any) -> None:
        index = integer(index, "an argument's index", ctypes.c_int32)
        argument = _raw.tenon_arg()
        keep: list[Any] = []
        tensors: dict[int, Any] = {}
        parameters = self.kernel.parameters
        _fill(argument, parameters[index] if 0 <= index < len(parameters) else None, value, keep, index, tensors)
        check(lib.tenon_call_set(self._handle, index, ctypes.byref(argument)))
        self._tensors.pop(index, None)
        self._tensors.update((at, detached(tensor)) for at, tensor in tensors.items())
        self._weigh()

    def set_launch(self, grid: Any, block: Any, *, shared: int = 0, cooperative: bool = False, cluster: Any = (0, 0, 0),
                   programmatic: bool = False) -> None:
        """Replaces the geometry."""
        launch = _launch(grid, block, shared, cooperative, cluster, programmatic)
        check(lib.tenon_call_set_launch(self._handle, ctypes.byref(launch)))

    def clone(self) -> Call:
        """An independent copy: replacing an argument of one does not affect the other."""
        return Call._of(make(lib.tenon_call_clone, self._handle), self.kernel, self._tensors)

    def __copy__(self) -> Call:
        return self.clone()

    def __deepcopy__(self, _memo: Any) -> Call:
        return self.clone()

    def __repr__(self) -> str:
        return f"<tenon.Call of {self.kernel.name} on {self.kernel.device}>"


class Kernel(core.Kernel, Fixed):
    """A kernel from CUDA C source that runs on the device of its arguments. It is compiled for a device at the first
    call with arrays on that device; with device= given, for that device only. The other keywords are those of Program.
    It can be pickled, as its source, name and keywords.

        >>> source = '__global__ void twice(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }'
        >>> twice, x = tenon.Kernel(source, "twice"), tenon.ones(3, "float32")
        >>> twice(1, 32, [x, 2])
        >>> x.tolist()
        [2.0, 2.0, 1.0]
    """

    source: str
    name: str
    __iter__ = None  # kernel[grid, block] is a launch

    def __init__(self, source: str, name: str, *, device: Any = None,
                 **program_options: Unpack[KernelOptions]):
        _text(source)
        if not isinstance(name, str):
            raise TypeError(f"the kernel's name must be a str, not {type(name).__name__}")
        marked = any(word in source for word in ("__global__", "#include", "TENON_"))
        if not marked and not program_options.keys() & {"headers", "options"}:
            hint = ": it looks like a path; read the file and give its text" if "\n" not in source and source.endswith((".cu", ".cuh")) else ""
            raise ValueError(f"the source has no __global__ function{hint}")
        _options([name], **program_options)  # reports invalid options here and not at the first call
        self._set(source=source, name=name)
        self.__name__ = name  # as functions have it
        _dynamo.allow(self)  # a traced launch is an operation of PyTorch
        self._device = None if device is None else as_device(device)
        self._options = program_options
        self._forget()
        _kernels.add(self)
        if self._device is not None:
            self.on(self._device)

    def _forget(self) -> None:
        self._compiled: dict[str, CompiledKernel] = {}
        self._by_place: dict[tuple[int, int, int], CompiledKernel] = {}
        self._forget_places()

    def __reduce__(self) -> Any:
        return _kernel_again, (self.source, self.name, self._device and self._device.name, self._options)

    def on(self, device: Any = None) -> CompiledKernel:
        """The kernel compiled for a device (None: the default device)."""
        device = as_device(device)
        found = self._compiled.get(device.name)
        if found is None:
            program = Program(self.source, [self.name], device=device, **self._options)
            found = self._compiled[device.name] = program.kernel(self.name)
        return found

    def _launch(self, grid: Any, block: Any, args: Sequence[Any] = (), **launch_options: Any) -> None:
        """Handles the calls that the compiled __call__ does not, such as the first on a device."""
        if is_traced(args):
            from . import _torch_traced

            return _torch_traced.launch(self, self.on(self._device or _torch_traced.device_of(args)), grid, block,
                                        args, **launch_options)
        args, kernel = self._resolve(args)
        kernel(grid, block, args, **launch_options)

    def __getitem__(self, geometry: Any) -> _Configured:
        """kernel[grid, block, stream, shared](*args): the launch as Numba writes it; stream and shared may be left
        out."""
        return _Configured(self, geometry)

    def bind(self, grid: Any, block: Any, args: Sequence[Any] = (), **launch_options: Any) -> Call:
        """A bound call; see CompiledKernel.bind."""
        args, kernel = self._resolve(args)
        return kernel.bind(grid, block, args, **launch_options)

    def _resolve(self, args: Sequence[Any]) -> tuple[list[Any], CompiledKernel]:
        """The arguments with foreign arrays imported, and the kernel for their device."""
        resolved: list[Any] = []
        first: Any = None
        for index, value in enumerate(args):
            kind = type(value)
            if kind is not int and kind is not float and kind is not Array and _is_foreign_array(value):
                try:
                    value = _Imported(from_dlpack(value), value)
                except (TypeError, ValueError, BufferError) as error:
                    if hasattr(error, "status"):
                        raise
                    raise type(error)(f"argument {index} of {self.name}: {error}") from None
                first = first or value
            elif first is None and (kind is Array or kind is Strided):
                first = _Imported(value if kind is Array else value.array, value)
            resolved.append(value)
        if first is None and self._device is None:  # an array without axes may be meant for a pointer or as a number
            first = next((_Imported(from_dlpack(value), value) for value in args if hasattr(value, "__dlpack__")), None)
        if self._device is not None or first is None:
            texture = next((value for value in args if isinstance(value, (Texture, Surface))), None)
            kernel = self.on(self._device or (texture and texture.device))
            if first is not None and first.array._place not in self._by_place:
                place: tuple[int, int, int] = first.array._place
                self._by_place[place] = kernel
                self._remember(*place, kernel)
            return resolved, kernel
        array: Array = first.array
        known = self._by_place.get(array._place)
        if known is None:
            known = self._by_place[array._place] = self.on(array.device)
            self._remember(*array._place, known)
        return resolved, known

    def __repr__(self) -> str:
        return f"tenon.Kernel({self.name!r}, compiled for {', '.join(self._compiled) or 'no device yet'})"


_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()


@after_fork
def _forget_compiled() -> None:
    for kernel in list(_kernels):
        kernel._forget()


def _kernel_again(source: str, name: str, device: str | None, program_options: Mapping[str, Any]) -> Kernel:
    return Kernel(source, name, device=device, **program_options)


class _Imported(NamedTuple):
    """An argument of another library: an Array in its memory, and the object itself."""

    array: Array
    value: Any


def _is_foreign_array(value: Any) -> bool:
    """Whether the value is imported through DLPack; NumPy's scalars and arrays without axes are numbers."""
    return (hasattr(value, "__dlpack__") or hasattr(value, "__cuda_array_interface__")) \
        and not isinstance(value, Array) and getattr(value, "ndim", 1) != 0


def _launch(grid: Any, block: Any, shared: int, cooperative: bool, cluster: Any, programmatic: bool = False) -> Any:
    flags = _raw.TENON_LAUNCH_COOPERATIVE if cooperative else 0
    flags |= _raw.TENON_LAUNCH_PROGRAMMATIC if programmatic else 0
    return _raw.tenon_launch(flags=flags, grid=_three(grid, "grid"), block=_three(block, "block"),
                             cluster=_three(cluster, "cluster"), shared_bytes=_shared(shared))


def _shared(shared: int) -> int:
    return integer(shared, "shared", ctypes.c_uint32)


def _are_integers(extent: Any) -> bool:
    """Whether all entries are integers: a tuple of floats has the same hash and would be found in the cache."""
    return type(extent) is int or (type(extent) is tuple and all(type(part) is int for part in extent))


def _three(extent: Any, what: str) -> tuple[int, int, int]:
    try:
        extents = tuple(map(operator.index, extent if isinstance(extent, (tuple, list)) else (extent,)))
    except TypeError:
        raise TypeError(f"{what} must be an integer or a sequence of one to three integers, not {extent!r}") from None
    if not 1 <= len(extents) <= 3 or any(not 0 <= part < 2**32 for part in extents):
        raise InvalidArgument(f"{what} must be one to three counts from 0 to 2^32 - 1, not "
                              f"{extent!r}", _raw.TENON_ERROR_INVALID_ARGUMENT)
    if what != "cluster" and 0 in extents:
        raise InvalidArgument(f"{what} {extent!r} has a zero in it", _raw.TENON_ERROR_INVALID_ARGUMENT)
    x, y, z = extents + (1 if what != "cluster" else 0,) * (3 - len(extents))
    return x, y, z


def _writer(parameter: Parameter) -> Any:
    """For a scalar parameter: (the Python types accepted directly, the function that writes the tenon_arg, the dtype,
    the size)."""
    dtype: Any = parameter.dtype
    types, text = numbers(dtype) if parameter.kind == "scalar" else ((), "")
    return (types, struct.Struct("=IIQ" + text).pack_into, dtype.code, dtype.itemsize) if types else None


def _fill(argument: Any, parameter: Parameter | None, value: Any, keep: list[Any], index: int,
          tensors: dict[int, Any]) -> None:
    """Writes one tenon_arg. Values that do not fit the parameter are passed on, so that the library reports the error.
    A PyTorch tensor that the kernel may write is added to `tensors`."""
    pointer = parameter is not None and parameter.kind == "pointer"
    if not isinstance(value, (Array, _Imported)) and (_is_foreign_array(value)
                                                      or (pointer and hasattr(value, "__dlpack__"))):
        value = _Imported(from_dlpack(value), value)
    if isinstance(value, _Imported):
        keep.append(value.array)
        if parameter is not None and pointer and not parameter.read_only and is_tensor(value.value):
            tensors[index] = value.value
        value = value.array
    if isinstance(value, Array):
        argument.kind, argument.value.array = _raw.TENON_ARG_ARRAY, value._handle
    elif isinstance(value, Texture):
        argument.kind, argument.value.texture = _raw.TENON_ARG_TEXTURE, value._handle
    elif isinstance(value, Surface):
        argument.kind, argument.value.texture = _raw.TENON_ARG_SURFACE, value.texture._handle
    elif isinstance(value, Strided):
        argument.kind, argument.value.array = _raw.TENON_ARG_STRIDED, value.array._handle
    elif isinstance(value, ctypes.c_void_p):
        argument.kind, argument.value.pointer = _raw.TENON_ARG_POINTER, value.value
    elif value is None:
        argument.kind, argument.value.pointer = _raw.TENON_ARG_POINTER, None
    elif isinstance(value, (ctypes.Structure, ctypes.Array, bytes, bytearray)):
        _fill_bytes(argument, bytes(value), keep)
    elif parameter is not None and parameter.kind == "scalar" and parameter.dtype is not None:
        _fill_scalar(argument, parameter.dtype, pack_scalar(parameter.dtype, value))
    elif parameter is not None and parameter.kind == "struct" and isinstance(value, complex):
        width = {8: "complex64", 16: "complex128"}.get(parameter.size)
        if width is None:
            raise TypeError(f"a complex number does not fit a struct of {parameter.size} bytes")
        _fill_bytes(argument, pack_scalar(as_dtype(width), value), keep)
    elif hasattr(value, "tobytes") and hasattr(value, "dtype") and parameter is not None and parameter.kind == "struct":
        _fill_bytes(argument, value.tobytes(), keep)  # a NumPy record
    elif parameter is not None and parameter.kind == "unknown" and isinstance(value, ctypes._SimpleCData):
        _fill_bytes(argument, bytes(value), keep)
    elif parameter is not None and parameter.kind == "unknown" and hasattr(value, "tobytes"):
        _fill_bytes(argument, value.tobytes(), keep)  # a NumPy number, which has a size
    elif parameter is not None and parameter.kind == "unknown":
        raise TypeError(f"only the size of the parameter is known ({parameter.size} bytes): pass numpy.float32(...), "
                        f"ctypes.c_int(...) or bytes instead of {type(value).__name__}")
    elif parameter is not None and parameter.kind == "pointer":
        raise TypeError(f"{parameter!r} takes an array or ctypes.c_void_p, not {type(value).__name__}")
    elif isinstance(value, (bool, int, float)):  # an extra argument: the library reports the wrong count
        _fill_scalar(argument, as_dtype(type(value)), pack_scalar(as_dtype(type(value)), value))
    else:
        raise TypeError(f"{type(value).__name__} cannot be a kernel argument")


def _fill_bytes(argument: Any, data: bytes, keep: list[Any]) -> None:
    buffer = ctypes.create_string_buffer(data, len(data))
    keep.append(buffer)
    argument.kind, argument.size, argument.value.bytes = _raw.TENON_ARG_BYTES, len(data), ctypes.addressof(buffer)


def _fill_scalar(argument: Any, dtype: DType, data: bytes) -> None:
    argument.kind, argument.dtype, argument.size = _raw.TENON_ARG_SCALAR, dtype.code, len(data)
    ctypes.memmove(ctypes.addressof(argument.value), data, len(data))

