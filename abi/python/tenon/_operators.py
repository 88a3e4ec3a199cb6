"""What makes an Array compute: operators, and the methods that NumPy's arrays have. Array inherits it."""

from __future__ import annotations

from typing import Any

from . import _raw
from ._errors import DTypeError, OverlapError, ShapeError

_KINDS = "biufc"


def _operand(value: Any) -> bool:
    """Whether an operator takes it: arrays of all libraries, numbers, lists and tuples of them."""
    return hasattr(value, "_handle") or isinstance(value, (bool, int, float, complex, list, tuple)) \
        or hasattr(value, "__dlpack__") \
        or hasattr(value, "__array_interface__") or hasattr(value, "__array__")


def _binary(code: int, name: str, symbol: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not _operand(other):
            return NotImplemented
        return binary(code, self, other)

    return _named(method, name, f"self {symbol} other")


def _reflected(code: int, name: str, symbol: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not _operand(other):
            return NotImplemented
        return binary(code, other, self)

    return _named(method, name, f"other {symbol} self")


def _in_place(code: int, name: str, symbol: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        if not _operand(other):
            return NotImplemented
        try:
            return binary(code, self, other, self)
        except (DTypeError, OverlapError, ShapeError) as error:
            result = binary(code, self, other)  # what is wrong with the operands themselves shows here
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

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __matmul__(self, other: Any) -> Any:
        from ._linalg import matmul

        return matmul(self, other) if _operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        from ._linalg import matmul

        return matmul(other, self) if _operand(other) else NotImplemented

    def __imatmul__(self, other: Any) -> Any:
        result = self @ other
        if result.shape != self.shape:
            raise ShapeError(f"self @ other has shape {result.shape}, and self {self.shape} stays as it is",
                             _raw.TENON_ERROR_SHAPE)
        self[...] = result
        return self

    def __contains__(self, value: Any) -> bool:
        from ._reductions import any as any_of

        return bool(any_of(self == value))

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and self.size == 1 else format(repr(self), spec)

    def __round__(self, digits: int | None = None) -> Any:
        if digits:
            raise TypeError("round of an array is to whole numbers")
        return unary(_raw.TENON_FN_ROUND, self)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The module of the array API standard's functions."""
        from . import array_api

        if api_version is not None and api_version not in array_api.VERSIONS:
            raise ValueError(f"version {api_version} of the array API standard is not there: "
                             f"{', '.join(array_api.VERSIONS)} are")
        return array_api

    @property
    def real(self) -> Any:
        """The real part: a view, of real numbers the array itself."""
        return _part(self, 0) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> Any:
        """The imaginary part: a view; of real numbers new zeros."""
        return _part(self, 1) if self.dtype.kind == "c" else unary(_raw.TENON_FN_IMAG, self)

    def conj(self, *, stream: Any = None) -> Any:
        """The complex conjugate."""
        return unary(_raw.TENON_FN_CONJ, self, None, stream)

    conjugate = conj

    def clip(self, min: Any = None, max: Any = None, *, out: Any = None, stream: Any = None) -> Any:  # noqa: A002
        """Between min and max; see tenon.clip."""
        from ._compute import clip

        return clip(self, min, max, out=out, stream=stream)


def _part(array: Any, which: int) -> Any:
    """One of the two numbers of each complex element, as a view."""
    from ._compute import part

    return part(array, which)


def _method(name: str) -> Any:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        from . import _reductions

        return getattr(_reductions, name)(self, *args, **options)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Operators.{name}", f"tenon.{name} of this array."
    return method


for _name in ("sum", "prod", "max", "min", "all", "any", "argmax", "argmin", "mean", "var", "std", "cumsum", "cumprod"):
    setattr(Operators, _name, _method(_name))


# _compute needs Array, which needs this file: the first call replaces these two.
def binary(code: int, x1: Any, x2: Any, out: Any = None) -> Any:
    _bind()
    return binary(code, x1, x2, out)


def unary(code: int, x: Any, out: Any = None, stream: Any = None) -> Any:
    _bind()
    return unary(code, x, out, stream)


def _bind() -> None:
    from . import _compute

    globals().update(binary=_compute.binary, unary=_compute.unary)
