"""The base class of Array with its operators and the methods of NumPy's arrays."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any

from . import _raw
from ._errors import DTypeError, OverlapError, ShapeError
from ._library import core
from ._torch import is_tensor

if TYPE_CHECKING:
    from ._array import Array
    from ._dtypes import DType

_KINDS = "biufc"


def _operand(value: Any) -> bool:
    """Whether operators accept the value: arrays of all libraries, numbers, and lists and tuples of them."""
    return hasattr(value, "_handle") or isinstance(value, (bool, int, float, complex, list, tuple)) \
        or hasattr(value, "__dlpack__") \
        or hasattr(value, "__array_interface__") or hasattr(value, "__array__")


@functools.cache
def _function(code: int) -> Any:
    """The package's function for an operator: given a tensor of PyTorch it returns one, whichever operand that is."""
    name = next(name for name, value in vars(_raw).items() if name.startswith("TENON_FN_") and value == code)
    return _public(name.removeprefix("TENON_FN_").lower())


@functools.cache
def _public(name: str) -> Any:
    return getattr(importlib.import_module(__name__.rpartition(".")[0]), name)


def _binary(code: int, name: str, symbol: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        made = core.binary(code, self, other)  # None: of more than two arrays, or an array and a number
        if made is not None:
            return made
        if not _operand(other):
            return NotImplemented
        return _function(code)(self, other) if is_tensor(other) else binary(code, self, other)

    return _named(method, name, f"self {symbol} other")


def _reflected(code: int, name: str, symbol: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        made = core.binary(code, other, self)
        if made is not None:
            return made
        if not _operand(other):
            return NotImplemented
        return _function(code)(other, self) if is_tensor(other) else binary(code, other, self)

    return _named(method, name, f"other {symbol} self")


def _in_place(code: int, name: str, symbol: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not _operand(other):
            return NotImplemented
        try:
            return binary(code, self, other, self)
        except (DTypeError, OverlapError, ShapeError) as error:
            result = binary(code, self, other)  # invalid operands raise here
            if result.shape != self.shape:
                raise ShapeError(f"self {symbol} other has shape {result.shape}, and self {self.shape} stays as it is",
                                 error.status) from None
            if _rank(result.dtype) > _rank(self.dtype):
                raise DTypeError(f"self {symbol} other is {result.dtype}, which an array of {self.dtype} does not "
                                 f"hold: write a = a {symbol[:-1]} b", _raw.TENON_ERROR_DTYPE) from None
            self[...] = result
            return self

    return _named(method, name, f"self {symbol} other")


def _rank(dtype: Any) -> int:
    kind = "f" if dtype.name == "bfloat16" else dtype.kind
    return {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[kind]


def _unary(code: int, name: str, text: str) -> Any:
    def method(self: Any) -> Any:
        return unary(code, self)

    return _named(method, name, text)


def _named(method: Any, name: str, text: str) -> Any:
    method.__name__, method.__qualname__, method.__doc__ = name, f"Operators.{name}", f"{text}, element by element."
    return method


class Operators:
    """The arithmetic of arrays."""

    __slots__ = ()

    if not TYPE_CHECKING:
        __pos__ = _unary(_raw.TENON_FN_POSITIVE, "__pos__", "+self")
        __neg__ = _unary(_raw.TENON_FN_NEGATIVE, "__neg__", "-self")
        __abs__ = _unary(_raw.TENON_FN_ABS, "__abs__", "abs(self)")
        __invert__ = _unary(_raw.TENON_FN_BITWISE_INVERT, "__invert__", "~self")

        __eq__ = _binary(_raw.TENON_FN_EQUAL, "__eq__", "==")
        __ne__ = _binary(_raw.TENON_FN_NOT_EQUAL, "__ne__", "!=")
        __lt__ = _binary(_raw.TENON_FN_LESS, "__lt__", "<")
        __le__ = _binary(_raw.TENON_FN_LESS_EQUAL, "__le__", "<=")
        __gt__ = _binary(_raw.TENON_FN_GREATER, "__gt__", ">")
        __ge__ = _binary(_raw.TENON_FN_GREATER_EQUAL, "__ge__", ">=")

    __hash__ = None  # type: ignore[assignment]

    for _name, _symbol, _code in (
            ("add", "+", _raw.TENON_FN_ADD), ("sub", "-", _raw.TENON_FN_SUBTRACT), ("mul", "*", _raw.TENON_FN_MULTIPLY),
            ("truediv", "/", _raw.TENON_FN_DIVIDE), ("floordiv", "//", _raw.TENON_FN_FLOOR_DIVIDE),
            ("mod", "%", _raw.TENON_FN_REMAINDER), ("pow", "**", _raw.TENON_FN_POW),
            ("and", "&", _raw.TENON_FN_BITWISE_AND), ("or", "|", _raw.TENON_FN_BITWISE_OR),
            ("xor", "^", _raw.TENON_FN_BITWISE_XOR), ("lshift", "<<", _raw.TENON_FN_BITWISE_LEFT_SHIFT),
            ("rshift", ">>", _raw.TENON_FN_BITWISE_RIGHT_SHIFT)):
        locals()[f"__{_name}__"] = _binary(_code, f"__{_name}__", _symbol)
        locals()[f"__r{_name}__"] = _reflected(_code, f"__r{_name}__", _symbol)
        locals()[f"__i{_name}__"] = _in_place(_code, f"__i{_name}__", f"{_symbol}=")
    del _name, _symbol, _code

    if TYPE_CHECKING:  # methods that are defined in loops, here and in _moving
        def __add__(self, other: Any) -> Array: ...
        def __radd__(self, other: Any) -> Array: ...
        def __iadd__(self, other: Any) -> Array: ...
        def __sub__(self, other: Any) -> Array: ...
        def __rsub__(self, other: Any) -> Array: ...
        def __isub__(self, other: Any) -> Array: ...
        def __mul__(self, other: Any) -> Array: ...
        def __rmul__(self, other: Any) -> Array: ...
        def __imul__(self, other: Any) -> Array: ...
        def __truediv__(self, other: Any) -> Array: ...
        def __rtruediv__(self, other: Any) -> Array: ...
        def __itruediv__(self, other: Any) -> Array: ...
        def __floordiv__(self, other: Any) -> Array: ...
        def __rfloordiv__(self, other: Any) -> Array: ...
        def __ifloordiv__(self, other: Any) -> Array: ...
        def __mod__(self, other: Any) -> Array: ...
        def __rmod__(self, other: Any) -> Array: ...
        def __imod__(self, other: Any) -> Array: ...
        def __pow__(self, other: Any) -> Array: ...
        def __rpow__(self, other: Any) -> Array: ...
        def __ipow__(self, other: Any) -> Array: ...
        def __and__(self, other: Any) -> Array: ...
        def __rand__(self, other: Any) -> Array: ...
        def __iand__(self, other: Any) -> Array: ...
        def __or__(self, other: Any) -> Array: ...
        def __ror__(self, other: Any) -> Array: ...
        def __ior__(self, other: Any) -> Array: ...
        def __xor__(self, other: Any) -> Array: ...
        def __rxor__(self, other: Any) -> Array: ...
        def __ixor__(self, other: Any) -> Array: ...
        def __lshift__(self, other: Any) -> Array: ...
        def __rlshift__(self, other: Any) -> Array: ...
        def __ilshift__(self, other: Any) -> Array: ...
        def __rshift__(self, other: Any) -> Array: ...
        def __rrshift__(self, other: Any) -> Array: ...
        def __irshift__(self, other: Any) -> Array: ...
        # what Array has
        @property
        def shape(self) -> tuple[int, ...]: ...
        @property
        def dtype(self) -> DType: ...
        @property
        def ndim(self) -> int: ...
        @property
        def size(self) -> int: ...
        @property
        def c_contiguous(self) -> bool: ...
        def item(self) -> Any: ...
        def reshape(self, *shape: Any, order: str = "C") -> Array: ...
        def transpose(self, *axes: Any) -> Array: ...
        def copy(self, order: str = "C", *, stream: Any = None) -> Array: ...
        def __setitem__(self, key: Any, value: Any) -> None: ...
        def max(self, axis: Any = None, out: Any = None, keepdims: bool = False, *, stream: Any = None) -> Array: ...
        def min(self, axis: Any = None, out: Any = None, keepdims: bool = False, *, stream: Any = None) -> Array: ...
        def all(self, axis: Any = None, out: Any = None, keepdims: bool = False, *, stream: Any = None) -> Array: ...
        def any(self, axis: Any = None, out: Any = None, keepdims: bool = False, *, stream: Any = None) -> Array: ...
        def argmax(self, axis: Any = None, out: Any = None, *, keepdims: bool = False, stream: Any = None) -> Array: ...
        def argmin(self, axis: Any = None, out: Any = None, *, keepdims: bool = False, stream: Any = None) -> Array: ...
        def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *,
                stream: Any = None) -> Array: ...
        def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *,
                 stream: Any = None) -> Array: ...
        def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *,
                 stream: Any = None) -> Array: ...
        def var(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False, *,
                correction: float = 0, stream: Any = None) -> Array: ...
        def std(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False, *,
                correction: float = 0, stream: Any = None) -> Array: ...
        def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None, *,
                   stream: Any = None) -> Array: ...
        def cumprod(self, axis: int | None = None, dtype: Any = None, out: Any = None, *,
                    stream: Any = None) -> Array: ...
        def quantile(self, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False, out: Any = None,
                     stream: Any = None) -> Array: ...
        def median(self, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array: ...
        def take(self, indices: Any, axis: int | None = None, out: Any = None, *, stream: Any = None) -> Array: ...
        def put(self, indices: Any, values: Any, *, stream: Any = None) -> None: ...
        def repeat(self, repeats: Any, axis: int | None = None, *, out: Any = None, stream: Any = None) -> Array: ...
        def nonzero(self, *, stream: Any = None) -> tuple[Array, ...]: ...
        def sort(self, axis: int | None = -1, *, descending: bool = False) -> None: ...
        def argsort(self, axis: int | None = -1, *, descending: bool = False, stable: bool = True,
                    stream: Any = None) -> Array: ...
        def searchsorted(self, values: Any, side: str = "left", sorter: Any = None, *, stream: Any = None) -> Array: ...
        def squeeze(self, axis: Any = None) -> Array: ...
        def __eq__(self, other: Any) -> Array: ...  # type: ignore[override]
        def __ne__(self, other: Any) -> Array: ...  # type: ignore[override]
        def __lt__(self, other: Any) -> Array: ...
        def __le__(self, other: Any) -> Array: ...
        def __gt__(self, other: Any) -> Array: ...
        def __ge__(self, other: Any) -> Array: ...
        def __pos__(self) -> Array: ...
        def __neg__(self) -> Array: ...
        def __abs__(self) -> Array: ...
        def __invert__(self) -> Array: ...

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __matmul__(self, other: Any) -> Array:
        return _public("matmul")(self, other) if _operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> Array:
        return _public("matmul")(other, self) if _operand(other) else NotImplemented

    def __imatmul__(self, other: Any) -> Array:
        result = self @ other
        if result.shape != self.shape:
            raise ShapeError(f"self @ other has shape {result.shape}, and self {self.shape} stays as it is",
                             _raw.TENON_ERROR_SHAPE)
        self[...] = result
        return self  # type: ignore[return-value]

    def __contains__(self, value: Any) -> bool:
        from ._reductions import any as any_of

        return bool(any_of(self == value))

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and self.size == 1 else format(repr(self), spec)

    def __round__(self, digits: int | None = None) -> Any:
        if digits:
            raise TypeError("round of an array rounds to integers only")
        return unary(_raw.TENON_FN_ROUND, self)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The module with the functions of the array API standard."""
        from . import array_api

        if api_version is not None and api_version not in array_api.VERSIONS:
            raise ValueError(f"version {api_version} of the array API standard is not supported: use "
                             f"{', '.join(array_api.VERSIONS)} are")
        return array_api

    @property
    def real(self) -> Array:
        """The real part, as a view; the array itself if it is real."""
        return _part(self, 0) if self.dtype.kind == "c" else self  # type: ignore[return-value]

    @property
    def imag(self) -> Array:
        """The imaginary part, as a view; new zeros if the array is real."""
        return _part(self, 1) if self.dtype.kind == "c" else unary(_raw.TENON_FN_IMAG, self)

    def conj(self, *, stream: Any = None) -> Array:
        """The complex conjugate."""
        return unary(_raw.TENON_FN_CONJ, self, None, stream)

    conjugate = conj

    def ravel(self, order: str = "C") -> Array:
        """All elements along one axis, in C order or in Fortran's ("F"): a view if the strides allow one."""
        return self.reshape(-1, order=order)

    def flatten(self, order: str = "C") -> Array:
        """All elements along one axis, in C order or in Fortran's ("F"), as a copy."""
        return (self.transpose() if order == "F" else self).copy().reshape(-1)

    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """A view with two axes exchanged."""
        axes = list(range(self.ndim))
        axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
        return self.transpose(axes)

    def dot(self, other: Any, out: Any = None) -> Array:
        """NumPy's dot: the product of matrices, vectors or numbers. For more axes, the sum of products over the last
        axis of self and the second-to-last axis of other."""
        from ._numpy import find

        result: Array = find("dot")(self, other, out=out)  # type: ignore[misc]
        return result

    def diagonal(self, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Array:
        """A view of the diagonal of two axes, the last two unless others are given."""
        from ._moving import diagonal, moveaxis

        return diagonal(moveaxis(self, (axis1, axis2), (-2, -1)), offset=offset)

    def round(self, decimals: int = 0, out: Any = None) -> Array:
        """NumPy's method: rounded to this many decimals, halves to even.

            >>> tenon.asarray([1.25, 2.5]).round(1).tolist()
            [1.2, 2.5]
        """
        from ._numpy import find

        result: Array = find("round")(self, decimals, out)  # type: ignore[misc]
        return result

    def trace(self, offset: int = 0, axis1: int = -2, axis2: int = -1, dtype: Any = None, out: Any = None) -> Array:
        """The sum along the diagonal of two axes, the last two unless others are given.

            >>> tenon.asarray([[1, 2], [3, 4]]).trace().item()
            5
        """
        return self.diagonal(offset, axis1, axis2).sum(-1, dtype, out)

    def get(self, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
        """CuPy's method: a copy as a NumPy array."""
        from .cupy import asnumpy

        return asnumpy(self, stream, order, out)

    def set(self, value: Any, stream: Any = None) -> None:
        """CuPy's method: array[...] = value, for an array of the same shape."""
        if tuple(value.shape) != self.shape:
            raise ShapeError(f"set takes an array of shape {self.shape}, not {tuple(value.shape)}",
                             _raw.TENON_ERROR_SHAPE)
        self[...] = value

    @property
    def data(self) -> Any:
        """CuPy's pointer to the elements: array.data.ptr. The address alone is array.data_ptr."""
        if not self.c_contiguous:
            raise AttributeError("array.data is for contiguous arrays; for a view use array.data_ptr, the address of its first element")
        from .cupy import cuda

        return cuda.MemoryPointer(cuda.Memory._of(self.reshape(-1).view("uint8")), 0)

    def clip(self, min: Any = None, max: Any = None, out: Any = None, *, stream: Any = None) -> Array:
        """The elements limited to the range from min to max; see tenon.clip."""
        from ._compute import clip

        return clip(self, min, max, out=out, stream=stream)


def _part(array: Any, which: int) -> Array:
    """A view of the real or the imaginary part of each complex element."""
    from ._compute import part

    return part(array, which)


REDUCE = 3  # what core.direct calls reductions


def _method(name: str, module: str, words: tuple[str, ...], positional: int) -> Any:
    """The method that calls the function of this name in the module. words: the arguments that NumPy's method takes by
    position; `positional`: how many of them the function takes so."""

    code = getattr(_raw, f"TENON_FN_{name.upper()}", None) if module == "._reductions" else None
    direct = None if code is None else core.direct(REDUCE, code)  # of a function that is one call of the library
    function: Any = None  # until the first call: the module imports Array, which imports this file

    def method(self: Any, *args: Any, **options: Any) -> Any:
        nonlocal function
        if direct is not None and not options and len(args) <= positional and \
                (made := direct((self,) + args)) is not NotImplemented:
            return made
        function = function or getattr(importlib.import_module(module, __package__), name)
        if len(args) > positional or "ddof" in options:
            if len(args) > len(words):
                raise TypeError(f"{name} takes {len(words)} arguments by position, and {len(args)} were given")
            for word, value in zip(words[positional:], args[positional:]):
                if word in options:
                    raise TypeError(f"{name} got {word} twice")
                options[word] = value
            if "ddof" in options:
                options["correction"] = options.pop("ddof")  # the name in the array API standard
        return function(self, *args[:positional], **options)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Operators.{name}", f"tenon.{name} of this array."
    return method


_REDUCTION, _FOLD, _SPREAD = (("axis", "dtype", "out", "keepdims"), ("axis", "out", "keepdims"),
                              ("axis", "dtype", "out", "ddof", "keepdims"))
for _module, _names, _words, _positional in (
        ("._reductions", ("sum", "prod", "mean"), _REDUCTION, 1),
        ("._reductions", ("max", "min", "all", "any", "argmax", "argmin"), _FOLD, 1),
        ("._reductions", ("var", "std"), _SPREAD, 1), ("._reductions", ("cumsum", "cumprod"), _REDUCTION[:3], 1),
        ("._quantiles", ("quantile",), ("q", "axis"), 2), ("._quantiles", ("median",), ("axis",), 1),
        ("._moving", ("take",), ("indices", "axis", "out"), 1), ("._moving", ("put",), ("indices", "values"), 2),
        ("._moving", ("repeat",), ("repeats", "axis"), 1), ("._moving", ("squeeze",), ("axis",), 1),
        ("._moving", ("nonzero",), (), 0), ("._selecting", ("argsort",), ("axis",), 0),
        ("._selecting", ("searchsorted",), ("values", "side", "sorter"), 1)):
    for _name in _names:
        setattr(Operators, _name, _method(_name, _module, _words, _positional))


def _sort(self: Any, axis: int | None = -1, *, descending: bool = False) -> None:
    """Sorts the array in place."""
    from ._selecting import sort

    self[...] = sort(self, axis=axis, descending=descending)


_sort.__name__, _sort.__qualname__ = "sort", "Operators.sort"
Operators.sort = _sort  # type: ignore[method-assign]


# _compute imports Array, which imports this file; so the first call replaces these two functions.
def binary(code: int, x1: Any, x2: Any, out: Any = None) -> Array:
    _bind()
    return binary(code, x1, x2, out)


def unary(code: int, x: Any, out: Any = None, stream: Any = None) -> Array:
    _bind()
    return unary(code, x, out, stream)


def _bind() -> None:
    from . import _compute

    globals().update(binary=_compute.binary, unary=_compute.unary)
