"""Kernels generated from expressions: elementwise, reduction, scan."""

from __future__ import annotations

import ctypes
import operator
from typing import Any
from collections.abc import Iterable, Sequence

from . import _raw
from ._arguments import ROLES
from ._array import Array
from ._creation import asarray, target
from ._device import Device
from ._dtypes import BY_NAME, DType, is_number, pack_scalar, promoted
from ._errors import InvalidArgument, check
from ._handle import Renewed, make
from ._integers import int32s, integer
from ._kernel import MODES, _fill_scalar, _strings
from ._library import core, lib
from ._like import as_tensors, first_tensor
from ._stream import as_stream, stream_handle
from ._torch import written

# The names of C types that generated.h allows.
_WORDS = {"char": "int8", "signed char": "int8", "unsigned char": "uint8", "short": "int16",
          "unsigned short": "uint16", "int": "int32", "unsigned int": "uint32", "unsigned": "uint32",
          "long long": "int64", "unsigned long long": "uint64", "size_t": "uint64", "float": "float32",
          "double": "float64", "complex<float>": "complex64", "complex<double>": "complex128"}


class _Parameter:
    """A declared parameter: its dtype, or the placeholder for a dtype."""

    __slots__ = ("name", "dtype", "placeholder", "raw")

    def __init__(self, declaration: str):
        words = declaration.split()
        self.raw = False
        while words and words[0] in ("raw", "inout"):
            self.raw |= words.pop(0) == "raw"
        self.name = words[-1] if words else ""
        type_name = " ".join(words[:-1])
        self.dtype: DType | None = BY_NAME.get(_WORDS.get(type_name, type_name))
        self.placeholder = None if self.dtype else type_name


def _declared(text: str) -> list[_Parameter]:
    return [_Parameter(part) for part in text.split(",")] if text.strip() else []


def _options(name: str, preamble: str, options: Sequence[str], mode: str, fast_math: bool, no_cache: bool,
             accumulator: str = "") -> Any:
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    options = list(options)
    flags = _raw.TENON_PROGRAM_FLAG_FAST_MATH * fast_math | _raw.TENON_PROGRAM_FLAG_NO_CACHE * no_cache
    return _raw.tenon_generated_options(flags=flags, name=name.encode(), preamble=preamble.encode(),
                                        options=_strings(options), option_count=len(options), mode=MODES[mode],
                                        accumulator=accumulator.encode())


class _Generated(core.Operation, Renewed):
    """The base class of the three kinds, which packs arguments. An object can be pickled, as the text that defines
    it."""

    __slots__ = ("name", "_inputs", "_outputs", "_recipe")
    name: str
    _inputs: list[_Parameter]
    _outputs: list[_Parameter]

    @classmethod
    def _made(cls, name: str, inputs: str, outputs: str, function: str, arguments: tuple[Any, Any]) -> Any:
        """Creates an object. function: the name of the library's function; arguments: its texts, then those of
        _options."""
        self = object.__new__(cls)
        self._recipe = (name, inputs, outputs, function, arguments)
        self._set(name=name)
        self._inputs, self._outputs = _declared(inputs), _declared(outputs)
        self._handle = self._renew()
        self._enlist()
        return self

    def _renew(self) -> Any:
        *_, function, (texts, options) = self._recipe
        packed = [text.encode() if isinstance(text, str) else text for text in texts]
        return make(getattr(lib, function), *packed, ctypes.byref(_options(*options)))

    def __reduce__(self) -> Any:
        return _again, (type(self), *self._recipe)

    def _array(self, value: Any) -> Array | None:
        """An argument as an array; None for a Python or NumPy number."""
        if isinstance(value, Array):
            return value
        return None if is_number(value) else asarray(value)

    def _split(self, args: Sequence[Any], out: Any) -> tuple[list[Any], list[Array] | None, Sequence[Any]]:
        """The inputs (arrays or numbers); the outputs as Arrays if they were given, after the inputs or as out=; and
        the same outputs as the caller passed them."""
        inputs, outputs = len(self._inputs), len(self._outputs)
        given: list[Any] | None
        if len(args) == inputs + outputs and outputs and out is None:
            args, given = args[:inputs], list(args[inputs:])
        else:
            given = None if out is None else list(out) if isinstance(out, (tuple, list)) else [out]
        if len(args) != inputs:
            raise TypeError(f"{self.name} takes {inputs} inputs, and then {outputs} outputs if they exist; {len(args)} arguments were given")
        if given is not None and len(given) != outputs:
            raise TypeError(f"{self.name} has {outputs} outputs; {len(given)} were given")
        return [value if (array := self._array(value)) is None else array for value in args], \
            None if given is None else [target(value, f"output {one.name} of {self.name}")
                                        for value, one in zip(given, self._outputs)], \
            given or ()

    def _pack(self, inputs: Sequence[Any], outputs: Sequence[Array]) -> Any:
        """The tenon_arg of each argument. Python numbers are converted to the declared dtype; the dtype of a
        placeholder is that of the arrays, or else depends on the kinds of the numbers."""
        decided: dict[str | None, DType] = {}
        for parameter, value in zip([*self._inputs, *self._outputs], [*inputs, *outputs]):
            if isinstance(value, Array):
                decided.setdefault(parameter.placeholder, value.dtype)
        for parameter, value in zip(self._inputs, inputs):  # only numbers: a dtype that holds all of them
            free = parameter.dtype is None and not isinstance(value, Array)
            if free and not self._among(parameter.placeholder, inputs, outputs):
                decided[parameter.placeholder] = promoted(decided.get(parameter.placeholder), value)
        packed = (_raw.tenon_arg * max(len(inputs) + len(outputs), 1))()
        for index, value in enumerate([*inputs, *outputs]):
            if isinstance(value, Array):
                packed[index].kind, packed[index].value.array = _raw.TENON_ARG_ARRAY, value._handle
                continue
            parameter = self._inputs[index]
            dtype = parameter.dtype or decided[parameter.placeholder]
            try:
                data = pack_scalar(dtype, value)
            except (TypeError, OverflowError) as error:
                raise type(error)(f"{parameter.name} of {self.name}: {error}") from None
            _fill_scalar(packed[index], dtype, data)
        return packed

    def _among(self, placeholder: str | None, inputs: Sequence[Any], outputs: Sequence[Array]) -> bool:
        """Whether an array is declared with the placeholder."""
        return any(isinstance(value, Array) and one.placeholder == placeholder
                   for one, value in zip([*self._inputs, *self._outputs], [*inputs, *outputs]))

    def _results(self, args: Sequence[Any], outputs: Sequence[Array], given: Sequence[Any], stream: Any) -> Any:
        """One output, or a tuple of several: the given ones, or new ones of the library of the inputs."""
        written(*given, stream=stream)
        like = None if given else first_tensor(args)
        results = tuple(given) or (tuple(outputs) if like is None else as_tensors(tuple(outputs), like))
        return results[0] if len(results) == 1 else results

    def _stream(self, stream: Any, arrays: Iterable[Any]) -> Any:
        if stream is None:
            return None
        device = next((value.device for value in arrays if isinstance(value, Array)), Device())
        return as_stream(stream, device)

    def __repr__(self) -> str:
        return f"<tenon {type(self).__name__.lower()} {self.name}>"


class Elementwise(_Generated):
    """See elementwise."""

    __slots__ = ()
    _release = lib.tenon_elementwise_release

    @classmethod
    def _made(cls, name: str, inputs: str, outputs: str, function: str, arguments: tuple[Any, Any]) -> Any:
        self = super()._made(name, inputs, outputs, function, arguments)
        rows = tuple(("", role, one.placeholder, one.dtype.code if one.dtype else 0, False, True)
                     for role, parameters in ((ROLES["any"], self._inputs), (ROLES["out"], self._outputs))
                     for one in parameters)
        self._describe(True, rows, tuple(range(len(self._inputs))), -1)
        return self

    def _launch(self, *args: Any, out: Any = None, stream: Any = None) -> Any:
        """Handles the calls that the compiled __call__ does not: inputs, then outputs or out=. Without outputs it
        returns a new array, or a tuple of several."""
        inputs, outputs, given = self._split(args, out)
        stream = self._stream(stream, [*inputs, *(outputs or ())])
        on = stream_handle(stream)
        if outputs is None:
            packed = self._pack(inputs, ())
            outputs = [Array._own(make(lib.tenon_elementwise_output, self._handle, packed, len(inputs), index, on))
                       for index in range(len(self._outputs))]
        check(lib.tenon_elementwise_call(self._handle, self._pack(inputs, outputs), len(inputs) + len(outputs), on))
        return self._results(args, outputs, given, stream)


def elementwise(inputs: str, outputs: str, operation: str, name: str = "elementwise", *, preamble: str = "",
                options: Sequence[str] = (), mode: str = "fast", fast_math: bool = False,
                no_cache: bool = False) -> Elementwise:
    """An operation on every element, from an expression in CUDA C:

        norm = tenon.elementwise("T x, T y", "T z", "z = sqrt(x * x + y * y)")
        z = norm(a, b)              # broadcasts arrays of Tenon, NumPy, PyTorch ...; runs on their device

    Parameters are "type name"; the type is a dtype or a placeholder such as T. generated.h documents the language.

        >>> hypotenuse = tenon.elementwise("T x, T y", "T z", "z = sqrt(x * x + y * y)")
        >>> hypotenuse(tenon.asarray([3.0, 5.0]), 4.0)[0].item()
        5.0
    """
    result: Elementwise = _again(Elementwise, name, inputs, outputs, "tenon_elementwise_create",
                  ((inputs, outputs, operation), (name, preamble, tuple(options), mode, fast_math, no_cache)))
    return result


def _again(kind: Any, *recipe: Any) -> Any:
    """Recreates an object from its definition, when it is created or unpickled."""
    return kind._made(*recipe)


def _axes(axis: Any) -> tuple[int, ...]:
    if axis is None:
        return ()
    return (operator.index(axis),) if hasattr(axis, "__index__") else tuple(operator.index(one) for one in axis)


class Reduction(_Generated):
    """See reduction."""

    __slots__ = ()
    _release = lib.tenon_reduction_release

    def __call__(self, *args: Any, axis: Any = None, keepdims: bool = False, out: Any = None,  # type: ignore[override]
                 stream: Any = None) -> Array:
        """Reduces over axis (None: all; an integer or several)."""
        axes = _axes(axis)
        if stream is None and out is None and len(args) == len(self._inputs) == 1 and type(args[0]) is Array \
                and (axes or axis is None) \
                and all(-64 <= one < 64 for one in axes):
            return self._reduce(args[0], axes, keepdims)
        inputs, outputs, given = self._split(args, out)
        stream = self._stream(stream, [*inputs, *(outputs or ())])
        on = stream_handle(stream)
        if axis is not None and not axes:
            raise InvalidArgument(f"axis={axis!r}: no axis to reduce over", _raw.TENON_ERROR_INVALID_ARGUMENT)
        if outputs is None:
            packed = self._pack(inputs, ())
            outputs = [Array._own(make(lib.tenon_reduction_output, self._handle, packed, len(inputs), int32s(axes),
                                       len(axes), int(keepdims), on))]
        check(lib.tenon_reduction_call(self._handle, self._pack(inputs, outputs), len(inputs) + 1, int32s(axes),
                                       len(axes), on))
        result: Array = self._results(args, outputs, given, stream)
        return result


def reduction(inputs: str, output: str, map: str = "", reduce: str = "a + b", post: str = "",
              identity: str | None = None, name: str = "reduction", *, accumulator: str = "", preamble: str = "",
              options: Sequence[str] = (), mode: str = "fast", fast_math: bool = False,
              no_cache: bool = False) -> Reduction:
    """A reduction over axes, from expressions in CUDA C:

        norm = tenon.reduction("T x", "T y", "x * x", "a + b", "sqrt(a)", "0")
        norm(array, axis=1, keepdims=True)

    map: an expression of the inputs; reduce: of a and b; post: of a. accumulator: the type of a and b, by default the
    output's.

        >>> largest = tenon.reduction("T x", "T y", "abs(x)", "max(a, b)", identity="0")
        >>> largest(tenon.asarray([[1.0, -3.0], [2.0, 0.0]]), axis=1).tolist()
        [3.0, 2.0]
    """
    result: Reduction = _again(Reduction, name, inputs, output, "tenon_reduction_create",
                  ((inputs, output, map, reduce, post, identity),
                   (name, preamble, tuple(options), mode, fast_math, no_cache, accumulator)))
    return result


class Scan(_Generated):
    """See scan."""

    __slots__ = ()
    _release = lib.tenon_scan_release

    def __call__(self, *args: Any, axis: int = -1, out: Any = None,  # type: ignore[override]
                 stream: Any = None) -> Array:
        """Scans along an axis."""
        axis = integer(axis, "axis", ctypes.c_int32)
        inputs, outputs, given = self._split(args, out)
        stream = self._stream(stream, [*inputs, *(outputs or ())])
        on = stream_handle(stream)
        if outputs is None:
            outputs = [Array._own(make(lib.tenon_scan_output, self._handle, self._pack(inputs, ()), len(inputs), on))]
        check(lib.tenon_scan_call(self._handle, self._pack(inputs, outputs), len(inputs) + 1, axis, on))
        result: Array = self._results(args, outputs, given, stream)
        return result


def scan(inputs: str, output: str, map: str = "", combine: str = "a + b", identity: str = "0", *,
         exclusive: bool = False, name: str = "scan", accumulator: str = "", preamble: str = "",
         options: Sequence[str] = (), mode: str = "fast", fast_math: bool = False, no_cache: bool = False) -> Scan:
    """A scan along an axis, from expressions in CUDA C:

        running_maximum = tenon.scan("T x", "T y", combine="max(a, b)", identity="lowest<T>()")

        >>> running = tenon.scan("T x", "T y", combine="max(a, b)", identity="lowest<T>()")
        >>> running(tenon.asarray([1.0, 3.0, 2.0])).tolist()
        [1.0, 3.0, 3.0]
    """
    result: Scan = _again(Scan, name, inputs, output, "tenon_scan_create",
                  ((inputs, output, map, combine, identity, int(exclusive)),
                   (name, preamble, tuple(options), mode, fast_math, no_cache, accumulator)))
    return result
