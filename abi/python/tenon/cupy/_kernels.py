"""CuPy's kernel classes, implemented with Tenon's programs and generated kernels."""

from __future__ import annotations

import os
import re
from typing import Any, NoReturn
from collections.abc import Iterable, Sequence

import tenon

from .. import _raw
from .._array import Array
from .._creation import asarray
from .._dtypes import is_number
from .._errors import CompileError, NotFound
from .._generated import Elementwise, Reduction, _declared
from .._kernel import CompiledKernel, Program, Strided
from . import cuda

# CuPy's headers that kernels include; its complex numbers become the toolkit's.
_HEADERS = {"cupy/complex.cuh": "#pragma once\n#include <cuda/std/complex>\nusing cuda::std::complex;\n"}
_IMAGES = {".cubin": "binary", ".ptx": "ptx", ".fatbin": "fatbin", ".ltoir": "lto_ir"}


# --- raw kernels ---------------------------------------------------------------------------------------------------

class RawModule:
    """CUDA C source, or a file with source or an image (path=), with access to its kernels and variables by name. It is
    compiled at first use, for the device that is current then. The kernels of one module share its variables.

        module = tenon.cupy.RawModule(code=source, name_expressions=["scale<float>"])
        module.get_function("scale<float>")((blocks,), (256,), (x, n))
    """

    def __init__(self, code: str | None = None, *, path: str | None = None, options: Sequence[str] = (),
                 backend: str = "nvrtc",
                 translate_cucomplex: bool = False, enable_cooperative_groups: bool = False,
                 name_expressions: Iterable[str] | None = None, jitify: bool = False):
        if (code is None) == (path is None):
            raise TypeError("RawModule takes either code= or path=")
        if backend not in ("nvrtc", "nvcc"):
            raise ValueError(f"backend must be 'nvrtc' or 'nvcc', not {backend!r}; Tenon compiles with NVRTC, and for the "
                             "CPU with the host's compiler")
        self.code, self.file_path, self.backend = code, path, backend
        self.options = (options,) if isinstance(options, str) else tuple(options)
        self.enable_cooperative_groups = enable_cooperative_groups
        self.name_expressions = None if name_expressions is None else tuple(name_expressions)
        self._image: bytes | None = None
        if path is not None:
            self._read(path)
        self._loaded: dict[str, _Loaded] = {}

    def _read(self, path: str) -> None:
        self._kind = _IMAGES.get(os.path.splitext(path)[1], "source")
        with open(path, "rb") as file:
            data = file.read()
        if self._kind == "source":
            self.code = data.decode()
        else:
            self._image = data

    def _on_current(self) -> _Loaded:
        device = cuda.device_of()
        if device.name not in self._loaded:
            self._loaded[device.name] = _Loaded(self, device)
        return self._loaded[device.name]

    def get_function(self, name: str) -> RawKernel:
        """A kernel, or an instance of a template, by its name."""
        self._on_current().kernel(name)
        return RawKernel._of(self, name)

    def get_global(self, name: str) -> cuda.MemoryPointer:
        """The address of a __device__ or __constant__ variable: read and write it with tenon.cupy.ndarray(shape, dtype,
        pointer)."""
        variable = self._on_current().variable(name)
        return cuda.MemoryPointer(cuda.Memory._of(variable.reshape(-1).view("uint8")), 0)

    def compile(self, log_stream: Any = None) -> None:
        """Compiles it now; the compiler's log goes to log_stream."""
        log = self._on_current().program.log
        if log_stream is not None:
            log_stream.write(log)

    def get_texref(self, name: str) -> NoReturn:
        raise AttributeError("texture references were removed in CUDA 12; pass a tenon.Texture to a tenon.Kernel, or the array")

    module = property(lambda self: self._on_current().program)

    def __reduce__(self) -> Any:
        if self.file_path is not None:
            return _from_path, (self.file_path, self.options, self.backend, self.name_expressions)
        return _from_code, (self.code, self.options, self.backend, self.enable_cooperative_groups,
                            self.name_expressions)

    def __repr__(self) -> str:
        return f"<tenon.cupy.RawModule {self.file_path or ''}".rstrip() + ">"


def _from_code(code: str, options: Any, backend: str, cooperative: bool, names: Any) -> RawModule:
    return RawModule(code=code, options=options, backend=backend, enable_cooperative_groups=cooperative,
                     name_expressions=names)


def _from_path(path: str, options: Any, backend: str, names: Any) -> RawModule:
    return RawModule(path=path, options=options, backend=backend, name_expressions=names)


class _Loaded:
    """A module on one device. The names of kernels and variables are required when it is compiled: all that can be
    found in its text, and those in name_expressions. Another name (from a macro, for example) causes a recompilation
    with that name added, unless the contents of a variable could be lost."""

    def __init__(self, module: RawModule, device: Any):
        self.module, self.device = module, device
        self.kernels = list(module.name_expressions or ())
        text = without_comments(module.code or "")
        self.variables = found_variables(text)
        self.lent = False  # whether the caller has got a variable
        self.version = 0
        shown = [name for name in found_kernels(text) if name not in self.kernels]
        try:
            self.program = self._compiled([*self.kernels, *shown], self.variables)
            self.kernels += shown
        except CompileError:  # names in the text that the compiler does not find: under #if, in a namespace
            self.variables = []
            self.program = self._compiled(self.kernels, [])

    def _compiled(self, kernels: list[str], variables: list[str]) -> Program:
        module = self.module
        if module._image is not None:
            return Program.from_image(module._image, kernels, kind=module._kind, trusted=True, device=self.device)
        options = [one for one in module.options if one not in ("-dc", "--device-c=true")]
        code = module.code or ""
        headers = {name: text for name, text in _HEADERS.items() if name in code}
        return Program(code, kernels, device=self.device, options=options, globals=variables, headers=headers,
                       name=os.path.basename(module.file_path or "kernel.cu"))

    def kernel(self, name: str) -> CompiledKernel:
        try:
            return self.program.kernel(name)
        except NotFound:
            if self.module._image is not None or name in self.kernels:
                raise
        self._again([*self.kernels, name], self.variables, name)
        return self.program.kernel(name)

    def variable(self, name: str) -> Array:
        if name not in self.variables and self.module._image is None:
            self._again(self.kernels, [*self.variables, name], name)
        self.lent = True
        return self.program.variable(name)

    def _again(self, kernels: list[str], variables: list[str], name: str) -> None:
        """Recompiles with one more name. The contents of the variables are copied, but an array of a variable that the
        caller already has could not follow."""
        if self.lent:
            raise NotFound(f"{name} was not seen in the text of the module, whose variables are in use already: give "
                           f"name_expressions=[{name!r}, ...]", _raw.TENON_ERROR_NOT_FOUND)
        made = self._compiled(kernels, variables)
        for one in self.variables:
            made.variable(one)[...] = self.program.variable(one)
        self.program, self.kernels, self.variables = made, kernels, variables
        self.version += 1


class RawKernel:
    """A kernel from CUDA C source: kernel(grid, block, args, shared_mem=0) launches it on the current stream. Numbers
    are converted to the type of their parameter; an array with another dtype than the parameter's is an error. Views
    with gaps are passed as the address of their first element, as in CuPy.

        add = tenon.cupy.RawKernel(source, "add")
        add((blocks,), (256,), (x, y, n))
    """

    def __init__(self, code: str, name: str, options: Sequence[str] = (), backend: str = "nvrtc", *,
                 translate_cucomplex: bool = False,
                 enable_cooperative_groups: bool = False, jitify: bool = False):
        self._set(RawModule(code, options=options, backend=backend, enable_cooperative_groups=enable_cooperative_groups,
                            name_expressions=[name] if not re.fullmatch(r"\w+", name) else None), name)

    def _set(self, module: RawModule, name: str) -> None:
        self._module, self.name = module, name
        self._shared = 0
        self._found: tuple[Any, int, CompiledKernel] | None = None

    @classmethod
    def _of(cls, module: RawModule, name: str) -> RawKernel:
        self = object.__new__(cls)
        self._set(module, name)
        return self

    @property
    def kernel(self) -> CompiledKernel:
        """Tenon's kernel on the current device."""
        loaded = self._module._on_current()
        if self._found is None or self._found[0] is not loaded or self._found[1] != loaded.version:
            self._found = loaded, loaded.version, loaded.kernel(self.name)
        return self._found[2]

    def compile(self, log_stream: Any = None) -> None:
        """Compiles it now; the compiler's log goes to log_stream."""
        _ = self.kernel  # adds the name, so that the kernel is compiled with the others
        self._module.compile(log_stream)

    def __call__(self, grid: Any, block: Any, args: Sequence[Any] = (), *, shared_mem: int = 0,
                 stream: Any = None) -> None:
        kernel = self.kernel
        if stream is None:
            stream = cuda.current_stream(kernel.device)
        elif isinstance(stream, cuda.BaseStream):
            stream = stream.tenon
        kernel(_extent(grid), _extent(block), [_raw_argument(one) for one in args], shared=shared_mem, stream=stream,
               cooperative=self._module.enable_cooperative_groups)

    code = property(lambda self: self._module.code)
    options = property(lambda self: self._module.options)
    backend = property(lambda self: self._module.backend)
    file_path = property(lambda self: self._module.file_path)
    enable_cooperative_groups = property(lambda self: self._module.enable_cooperative_groups)

    @property
    def max_threads_per_block(self) -> int:
        return self.kernel.info["max_threads_per_block"]

    @property
    def num_regs(self) -> int:
        """Registers per thread; 0 on the CPU."""
        return self.kernel.info["registers"]

    @property
    def shared_size_bytes(self) -> int:
        return self.kernel.info["shared_bytes"]

    @property
    def const_size_bytes(self) -> int:
        return self.kernel.info["constant_bytes"]

    @property
    def local_size_bytes(self) -> int:
        return self.kernel.info["local_bytes"]

    @property
    def ptx_version(self) -> int:
        """The virtual architecture that the kernel was compiled for: 90 is compute_90; 0 on the CPU."""
        return self.kernel.info["ptx_version"]

    @property
    def binary_version(self) -> int:
        """The architecture of the kernel's machine code: 90 is compute capability 9.0; 0 on the CPU."""
        return self.kernel.info["binary_version"]

    @property
    def cache_mode_ca(self) -> int:
        """1: compiled to cache loads from global memory in the L1 cache (-Xptxas --dlcm=ca); 0 on the CPU."""
        return self.kernel.info["cache_mode_ca"]

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """The dynamic shared memory that a launch may request. With Tenon, a launch can use all that the device has
        without setting this first; setting it only checks that the device has that much."""
        return self._shared or cuda.device_of().info["shared_per_block"] - self.shared_size_bytes

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, size: int) -> None:
        most = self.kernel.info["dynamic_shared_bytes"]
        if not 0 <= size <= most:
            raise ValueError(f"{size} bytes of dynamic shared memory: a block of {self.name} has {most} at most")
        self._shared = size

    @property
    def preferred_shared_memory_carveout(self) -> int:
        """The percentage of the L1 cache to use as shared memory, a hint for the driver; -1: the driver's choice. It
        belongs to the kernel on the current device. On the CPU it is kept and has no effect."""
        return self.kernel.info["shared_carveout"]

    @preferred_shared_memory_carveout.setter
    def preferred_shared_memory_carveout(self, percent: int) -> None:
        self.kernel.prefer_shared(percent)

    @property
    def attributes(self) -> dict[str, int]:
        """The properties above, by name."""
        return {name: getattr(self, name) for name in (
            "max_threads_per_block", "num_regs", "shared_size_bytes", "const_size_bytes", "local_size_bytes",
            "ptx_version", "binary_version", "cache_mode_ca", "max_dynamic_shared_size_bytes",
            "preferred_shared_memory_carveout")}

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"tenon.cupy's RawKernel has no {name}: kernel.kernel is Tenon's kernel, with info, "
                             "parameters, occupancy() and time()")

    def __reduce__(self) -> Any:
        return _kernel_of, (self._module, self.name)

    def __repr__(self) -> str:
        return f"<tenon.cupy.RawKernel {self.name}>"


def _kernel_of(module: RawModule, name: str) -> RawKernel:
    return RawKernel._of(module, name)


def _extent(given: Any) -> Any:
    return tuple(int(one) for one in given) if isinstance(given, (tuple, list)) else int(given)


def _raw_argument(value: Any) -> Any:
    if isinstance(value, Array):
        return value if value.c_contiguous else Strided(value)
    if isinstance(value, cuda.MemoryPointer):
        return value.bytes(value.mem.size - value.offset)
    return value


# --- names in a source text -----------------------------------------------------------------------------------------

def without_comments(text: str) -> str:
    """The text without comments, literals' contents and preprocessor lines."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/',
                  lambda found: found[0] if found[0] == '"C"' else '""' if found[0][0] == '"' else " ", text,
                  flags=re.S)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)


def found_kernels(text: str) -> list[str]:
    """The names of the __global__ functions that are not templates."""
    found = []
    for mark in re.finditer(r"\b__global__\b", text):
        before = re.split(r"[;{}]", text[:mark.start()])[-1]
        if re.search(r"\btemplate\b", before):
            continue
        head = re.split(r"[;{]", text[mark.end():], maxsplit=1)[0]
        head = re.sub(r"\b__(?:launch_bounds|cluster_dims|maxnreg)__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)", " ", head)
        name = re.search(r"\b(\w+)\s*\(", head)
        if name and name[1] not in found:
            found.append(name[1])
    return found


def found_variables(text: str) -> list[str]:
    """The names of the __device__, __constant__ and __managed__ variables with external linkage."""
    pattern = r"([^;{}]*)\b__(?:device|constant|managed)__\b([^;{}()=]*?)\b(\w+)\s*(?:\[[^\]]*\]\s*)*(?==|;|\{)"
    found = []
    for before, middle, name in re.findall(pattern, text):
        words = before.split() + middle.split()
        hidden = {"static", "typedef"} & set(words) or "(" in before or "struct" in middle
        if not hidden and name not in found:
            found.append(name)
    return found


# --- elementwise ---------------------------------------------------------------------------------------------------

_BY_THREAD = re.compile(r"\b(?:__shared__|__syncthreads|threadIdx|blockIdx|blockDim|gridDim)\b")


class ElementwiseKernel:
    """An operation on every element, with CuPy's arguments: typed parameters, `raw` parameters, which the text indexes
    itself, by one number or by an array of as many as it has axes, and size=, if all are raw. `i` is the index of the
    element, `n` or _ind.size() the number of elements, and _ind.get() its indices along the axes.
    loop_prep and after_loop run before and after the operation; each thread has one element.

        squared = tenon.cupy.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
    """

    def __init__(self, in_params: str, out_params: str, operation: str, name: str = "kernel", reduce_dims: bool = True,
                 preamble: str = "", no_return: bool = False, return_tuple: bool = False, *, loop_prep: str = "",
                 after_loop: str = "", options: Sequence[str] = (), doc: str = "", **unknown: Any):
        if unknown:
            raise TypeError(f"ElementwiseKernel has no {', '.join(sorted(unknown))}=")
        for what, text in (("loop_prep", loop_prep), ("after_loop", after_loop)):
            if found := _BY_THREAD.search(text):
                raise ValueError(f"{what} speaks of {found[0]}: Tenon decides how threads share the elements; write a tenon.Kernel instead")
        self.in_params, self.out_params, self.operation, self.name = in_params, out_params, operation, name
        self.reduce_dims, self.preamble = reduce_dims, preamble
        self.no_return, self.return_tuple = no_return, return_tuple
        self.__name__, self.__doc__ = name, doc or type(self).__doc__
        self._ins, self._outs = _declared(in_params), _declared(out_params)
        self.nin, self.nout = len(self._ins), len(self._outs)
        self.nargs = self.nin + self.nout
        text = f"{loop_prep};\n{{ {operation}; }}\n{after_loop};" if loop_prep or after_loop else operation
        self._text, self._hidden = _without_methods(text, [*self._ins, *self._outs])
        self._preamble = f"{_PLACE}\n{preamble}" if _PLACED in self._text else preamble
        self._options = tuple(options)
        self._loops = all(one.raw for one in (*self._ins, *self._outs))
        self._made: dict[bool, Elementwise] = {}
        self._kernel(False)

    def _kernel(self, sized: bool) -> Elementwise:
        """The kernel; if sized, with an additional parameter for the size of the loop."""
        if sized not in self._made:
            hidden = [f"{'' if what in ('size', 'ndim') else 'raw '}int64 {_HIDDEN}{what}_{name}"
                      for name, what in self._hidden]
            declared = ", ".join([*filter(str.strip, [self.in_params]), *hidden, *[f"int8 {_HIDDEN}loop"] * sized])
            self._made[sized] = tenon.elementwise(declared, self.out_params, self._text, self.name,
                                                  preamble=self._preamble, options=self._options)
        return self._made[sized]

    def __call__(self, *args: Any, size: int | None = None, block_size: int | None = None, out: Any = None,
                 stream: Any = None) -> Any:
        if out is not None:
            args = (*args, *(out if isinstance(out, (tuple, list)) else (out,)))
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"{self.name} takes {self.nin} inputs, or {self.nargs} arguments with its outputs; "
                            f"{len(args)} were given")
        values = [_array_or_number(one) for one in args]
        arrays = [one for one in values if isinstance(one, Array)]
        whole = not any(isinstance(one, Array) and not declared.raw for one,
                        declared in zip(values, [*self._ins, *self._outs]))
        if size is not None and not whole:
            raise ValueError(f"size= is for calls of {self.name} whose arrays are all raw: an array that is not raw determines the size")
        if size is None and whole:
            raise ValueError(f"{self.name} has only raw arrays and numbers here: pass the number of elements, size=")
        device = arrays[0].device if arrays else cuda.device_of()
        stream = stream.tenon if isinstance(stream, cuda.BaseStream) else stream or cuda.current_stream(device)
        given, outputs = values[:self.nin], values[self.nin:]
        raw: list[Any] = []
        back: list[Any] = []
        for value, declared in zip(values, [*self._ins, *self._outs]):
            contiguous = value
            if declared.raw and isinstance(value, Array) and not value.c_contiguous:
                contiguous = value.copy(stream=stream)
                if len(raw) >= self.nin:
                    back.append((value, contiguous))
            raw.append(contiguous)
        hidden = [self._asked(what, values[[one.name for one in (*self._ins, *self._outs)].index(name)], device)
                  for name, what in self._hidden]
        if whole:
            hidden.append(tenon.zeros((1,), "int8", device=device).broadcast_to((int(size or 0),)))
        made = self._kernel(whole)(*raw[:self.nin], *hidden, *raw[self.nin:], stream=stream)
        for value, contiguous in back:
            value[...] = contiguous
        del given
        if self.no_return or not self.nout:
            return None
        results = list(outputs) if outputs else [*made] if isinstance(made, tuple) else [made]
        return tuple(results) if self.return_tuple or len(results) > 1 else results[0]

    def _asked(self, what: str, value: Any, device: Any) -> Any:
        """A property of a raw array that the text uses."""
        if not isinstance(value, Array):
            raise TypeError(f"{self.name}: a raw parameter takes an array, not {type(value).__name__}")
        if what in ("size", "ndim"):
            return getattr(value, what)
        strides = [value.itemsize * _product(value.shape[axis + 1:])
                   for axis in range(value.ndim)]  # the strides of the copy that is passed
        numbers = list(value.shape) if what == "shape" else strides
        return asarray(numbers or [0], "int64", device=device)

    def __repr__(self) -> str:
        return f"<tenon.cupy.ElementwiseKernel {self.name}>"


_HIDDEN = "cupy_"
_PLACED = f"{_HIDDEN}place("

# The number of the element of a C-ordered array with these indices along its axes.
_PLACE = """template <class I> __device__ inline long long cupy_place(const I* index, const long long* shape, long long rank) {
  long long place = 0;
  for (long long axis = 0; axis < rank; axis++) place = place * shape[axis] + index[axis];
  return place;
}"""


def _product(extents: Iterable[int]) -> int:
    made = 1
    for one in extents:
        made *= one
    return made


def _array_or_number(value: Any) -> Any:
    return value if isinstance(value, Array) or is_number(value) else asarray(value)


def _without_methods(text: str, declared: Sequence[Any]) -> tuple[str, list[tuple[str, str]]]:
    """The text with CuPy's methods replaced, and the added parameters: _ind.size() becomes n; size(), ndim, shape() and
    strides() of raw arrays become parameters, and so does what an index of several numbers needs: an array that the text
    declares, or _ind.get()."""
    names = {one.name for one in declared}
    for word, mine in (("size", "n"), ("get", "coord"), ("shape", "shape")):
        pattern = rf"\b_ind\s*\.\s*{word}\s*\(\s*\)"
        if re.search(pattern, text) and mine in names:
            raise ValueError(f"a parameter is called {mine}, which is what _ind.{word}() is here: give it another name")
        text = re.sub(pattern, mine, text)
    several = "|".join({"coord", *re.findall(rf"\b(?:{_INDEX_TYPES})\s+(\w+)\s*\[", text)})
    hidden: list[tuple[str, str]] = []
    for one in declared:
        if not one.raw:
            continue
        text = re.sub(rf"\b{one.name}\s*\[\s*({several})\s*\]",
                      rf"{one.name}[{_PLACED}\1, {one.name}.shape(), {one.name}.ndim)]", text)
        for what, call in (("size", r"\s*\(\s*\)"), ("shape", r"\s*\(\s*\)"), ("strides", r"\s*\(\s*\)"), ("ndim", r"\b")):
            text, count = re.subn(rf"\b{one.name}\s*\.\s*{what}{call}", f"{_HIDDEN}{what}_{one.name}", text)
            if count:
                hidden.append((one.name, what))
    return text, hidden


_INDEX_TYPES = r"ptrdiff_t|size_t|int|long|long\s+long|u?int\d+_t|unsigned(?:\s+int)?"


# --- reductions ----------------------------------------------------------------------------------------------------

class ReductionKernel:
    """A reduction over axes, with CuPy's arguments: an expression for each element, an expression that combines a and
    b, statements that assign the outputs, and the identity element. In the first expression _j is the number of the
    element if the reduced axes came first. Each output after the first needs another pass over the inputs.

        norm = tenon.cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
        norm(x, axis=1, keepdims=True)
    """

    def __init__(self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str,
                 identity: Any = "",
                 name: str = "reduce_kernel", reduce_type: str | None = None, reduce_dims: bool = True,
                 preamble: str = "",
                 options: Sequence[str] = (), doc: str = ""):
        self.in_params, self.out_params, self.name = in_params, out_params, name
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        self.identity = None if identity in ("", None) else str(identity)
        self.reduce_type, self.reduce_dims = reduce_type, reduce_dims
        self.preamble, self.options = preamble, tuple(options)
        self.__name__, self.__doc__ = name, doc or type(self).__doc__
        self._ins, self._outs = _declared(in_params), _declared(out_params)
        self.nin, self.nout = len(self._ins), len(self._outs)
        self.nargs = self.nin + self.nout
        if not self._outs:
            raise ValueError(f"{name} has no output")
        self._counts = bool(re.search(r"\b_j\b", map_expr))
        self._sizes = any(re.search(rf"\b{one}\s*\.\s*size\b", _ratio(text)) for one in ("_in_ind", "_out_ind", "_ind")
                          for text in (map_expr, post_map_expr))
        self._made: dict[Any, Reduction] = {}
        if not self._sizes:
            for index in range(self.nout):
                self._kernel(index, None)

    def _kernel(self, index: int, sizes: tuple[int, int] | None) -> Reduction:
        """The reduction for one output."""
        if (index, sizes) not in self._made:
            out = self._outs[index]
            several = self.out_params.split(",")
            assigned = "; ".join(_local(one) for one in several)
            used = re.search(rf"\b{out.name}\b", self.post_map_expr)
            if not used:
                raise ValueError(f"the statements after the reduction, {self.post_map_expr!r}, do not assign "
                                 f"{out.name}")
            post = f"[&] {{ {assigned}; {self.post_map_expr}; return {out.name}; }}()"
            accumulator = self.reduce_type or (_type(several[0]) if self.nout > 1 else "")
            first, combined, last = (_sized(_ratio(text), sizes) for text in (self.map_expr, self.reduce_expr, post))
            inputs = self.in_params
            if self._counts:
                first, inputs = re.sub(r"\b_j\b", f"{_HIDDEN}j", first), f"{inputs}, int64 {_HIDDEN}j"
            self._made[index, sizes] = tenon.reduction(
                inputs, several[index].strip(), first, combined, last, self.identity, self.name,
                accumulator=accumulator, preamble=self.preamble, options=self.options)
        return self._made[index, sizes]

    def __call__(self, *args: Any, out: Any = None, axis: Any = None, keepdims: bool = False,
                 stream: Any = None) -> Any:
        if out is not None:
            args = (*args, *(out if isinstance(out, (tuple, list)) else (out,)))
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"{self.name} takes {self.nin} inputs, or {self.nargs} arguments with its outputs; "
                            f"{len(args)} were given")
        inputs, outputs = [_array_or_number(one) for one in args[:self.nin]], args[self.nin:]
        arrays = [one for one, declared in zip(inputs, self._ins) if isinstance(one, Array) and not declared.raw]
        stream = stream.tenon if isinstance(stream, cuda.BaseStream) else stream or cuda.current_stream(
            arrays[0].device if arrays else None)
        sizes = _sizes(arrays, axis) if self._sizes else None
        if self._counts:
            inputs.append(_numbers(arrays, axis, stream))
        made = [self._kernel(index, sizes)(*inputs, axis=axis, keepdims=keepdims,
                                           out=outputs[index] if outputs else None, stream=stream)
                for index in range(self.nout)]
        return made[0] if self.nout == 1 else tuple(made)

    def __repr__(self) -> str:
        return f"<tenon.cupy.ReductionKernel {self.name}>"


def _type(declaration: str) -> str:
    """The type of a declared parameter, as CUDA C writes it."""
    words = [word for word in declaration.split() if word not in ("raw", "inout")][:-1]
    return _WORDS.get(" ".join(words), " ".join(words))


_WORDS = {"bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
          "uint8": "unsigned char",
          "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long", "float16": "__half",
          "bfloat16": "__nv_bfloat16", "float32": "float", "float64": "double", "complex64": "complex<float>",
          "complex128": "complex<double>"}


def _local(declaration: str) -> str:
    return f"{_type(declaration)} {declaration.split()[-1]}"


def _ratio(text: str) -> str:
    """The text with CuPy's expression for the number of elements per result replaced by n."""
    return re.sub(r"\b_in_ind\s*\.\s*size\s*\(\s*\)\s*/\s*_out_ind\s*\.\s*size\s*\(\s*\)", "n", text)


def _sized(text: str, sizes: tuple[int, int] | None) -> str:
    if sizes is None:
        return text
    text = re.sub(r"\b(?:_in_ind|_ind)\s*\.\s*size\s*\(\s*\)", f"{sizes[0]}ll", text)
    return re.sub(r"\b_out_ind\s*\.\s*size\s*\(\s*\)", f"{sizes[1]}ll", text)


def _reduced(arrays: Sequence[Array], axis: Any) -> tuple[tuple[int, ...], set[int]]:
    """The shape of the inputs, and the axes that are reduced."""
    shape = tenon.broadcast_shapes(*[one.shape for one in arrays])
    axes = range(len(shape)) if axis is None else [axis] if isinstance(axis, int) else axis
    return shape, {one % len(shape) for one in axes}


def _sizes(arrays: Sequence[Array], axis: Any) -> tuple[int, int]:
    """The number of elements of the inputs, and of the result."""
    shape, reduced = _reduced(arrays, axis)
    return _product(shape), _product(extent for at, extent in enumerate(shape) if at not in reduced)


def _numbers(arrays: Sequence[Array], axis: Any, stream: Any) -> Array:
    """CuPy's _j of each element: its number if the reduced axes came first."""
    shape, reduced = _reduced(arrays, axis)
    order = sorted(range(len(shape)), key=lambda one: one not in reduced)
    numbers = tenon.arange(_product(shape), dtype="int64", device=arrays[0].device, stream=stream)
    return tenon.moveaxis(numbers.reshape(tuple(shape[one] for one in order)), tuple(range(len(shape))), tuple(order))


