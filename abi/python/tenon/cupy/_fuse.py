"""fuse: within a fused function, operators and elementwise functions are recorded, and computed by one generated kernel
when their values are needed: for the function's result, or for a call that is not elementwise, such as a sum."""

from __future__ import annotations

import functools
import threading
import weakref
from typing import Any
from collections.abc import Callable, Sequence

import tenon

from .._array import Array
from .._dtypes import DType
from .._generated import Elementwise, elementwise
from . import cuda

# The CUDA C text of each function. `of` gives the dtype of the operands: "result", that of the result; "operands",
# their common dtype; "own", that of each operand. kinds: the kinds of dtypes for which the text is used; for others
# Tenon's function is called.
_SAME = {"add": "{0} + {1}", "subtract": "{0} - {1}", "multiply": "{0} * {1}"}
_QUOTIENTS = {"divide": "{0} / {1}", "true_divide": "{0} / {1}", "reciprocal": "1 / {0}"}
_ORDERED = {"less": "{0} < {1}", "less_equal": "{0} <= {1}", "greater": "{0} > {1}", "greater_equal": "{0} >= {1}"}
_EQUAL = {"equal": "{0} == {1}", "not_equal": "{0} != {1}"}
_LARGER = {"maximum": "({0} != {0} || {0} > {1}) ? {0} : {1}", "minimum": "({0} != {0} || {0} < {1}) ? {0} : {1}"}
_LOGICAL = {"logical_and": "{0} != 0 && {1} != 0", "logical_or": "{0} != 0 || {1} != 0", "logical_not": "!({0} != 0)"}
_BITS = {"bitwise_and": "{0} & {1}", "bitwise_or": "{0} | {1}", "bitwise_xor": "{0} ^ {1}"}
_FUNCTIONS = {name: f"{name}({{0}})" for name in ("sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
                                                  "sin", "cos", "tan",
                                                  "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "asin", "acos",
                                                  "atan",
                                                  "floor", "ceil", "trunc", "cbrt")}
_FUNCTIONS.update({f"arc{name}": f"a{name}({{0}})" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")})
_FUNCTIONS.update({"arctan2": "atan2({0}, {1})", "atan2": "atan2({0}, {1})", "hypot": "hypot({0}, {1})",
                   "power": "pow({0}, {1})", "pow": "pow({0}, {1})"})
_SIGNS = {"negative": "-{0}", "abs": "{0} < 0 ? -{0} : {0}", "absolute": "{0} < 0 ? -{0} : {0}", "square": "{0} * {0}",
          "positive": "{0}"}
_TEXTS = {**{name: (text, "result", kinds) for texts, kinds in (
    (_SAME, "iufc"), (_QUOTIENTS, "fc"), (_LARGER, "iuf"), (_BITS, "iu"), (_SIGNS, "iuf"), (_FUNCTIONS, "f"))
    for name, text in texts.items()},
    **{name: (text, "operands", "biuf") for name, text in _ORDERED.items()},
    **{name: (text, "operands", "biufc") for name, text in _EQUAL.items()},
    **{name: (text, "own", "biuf") for name, text in _LOGICAL.items()}}
_TYPES = {"bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
          "uint8": "unsigned char",
          "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long", "float32": "float",
          "float64": "double", "complex64": "complex<float>", "complex128": "complex<double>"}
_LARGEST = 200  # maximum number of operations in one kernel


class _Trace(threading.local):
    def __init__(self) -> None:
        self.pending: list[weakref.ref[Lazy]] | None = None


_trace = _Trace()


def active() -> bool:
    """Whether the thread is within a fused function."""
    return _trace.pending is not None


class Lazy:
    """An array that is not computed yet: a function's name and its operands. Methods that it does not define are those
    of the Array that it represents, which is then computed."""

    __slots__ = ("name", "operands", "dtype", "_array", "weight", "__weakref__")
    weight: int
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, name: str, operands: tuple[Any, ...], dtype: DType):
        self.name, self.operands, self.dtype = name, operands, dtype
        self._array: Array | None = None
        self.weight = 1 + sum(one.weight for one in operands if isinstance(one, Lazy))
        if _trace.pending is not None:
            _trace.pending.append(weakref.ref(self))

    @classmethod
    def of(cls, array: Array) -> Lazy:
        """A Lazy for an existing array."""
        self = cls("", (), array.dtype)
        self._array, self.weight = array, 0
        return self

    @property
    def array(self) -> Array:
        """Computes the array now and returns it."""
        return self.compute()

    def compute(self) -> Array:
        if self._array is None:
            self._array = _computed(self)
            self.operands, self.weight = (), 0
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        if self._array is not None:
            return self._array.shape
        return tenon.broadcast_shapes(*[getattr(one, "shape", ()) for one in self.operands])

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def astype(self, dtype: Any, **keywords: Any) -> Lazy:
        wanted = tenon.result_type(dtype)
        if wanted.name in _TYPES and self.dtype.name in _TYPES and not (self.dtype.kind == "c" and wanted.kind != "c") \
                and not (wanted.kind in "iu" and self.dtype.kind == "f"):
            return Lazy("astype", (self,), wanted)
        return Lazy.of(self.array.astype(wanted, **keywords))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.array, name)

    def __getitem__(self, key: Any) -> Array:
        return self.array[plain(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        settle()
        self.array[plain(key)] = plain(value)

    def __len__(self) -> int:
        return len(self.array)

    def __bool__(self) -> bool:
        return bool(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __int__(self) -> int:
        return int(self.array)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        if method == "__call__" and not keywords:
            made = called(ufunc.__name__, inputs, keywords)
            if made is not None:
                return made
        return getattr(ufunc, method)(*plain(inputs), **plain(keywords))

    def __repr__(self) -> str:
        return repr(self.array)


def _operator(name: str, reflected: bool, in_place: bool) -> Any:
    def method(self: Lazy, *others: Any) -> Any:
        operands = (*others, self) if reflected else (self, *others)
        made = called(name, operands, {})
        if made is None:
            made = Lazy.of(getattr(tenon, name)(*plain(operands)))
        if not in_place:
            return made
        target, value = self.array, made.array
        settle()  # recorded calls read the contents before
        target[...] = value
        return self

    return method


for _sign, _name in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"),
                     ("floordiv", "floor_divide"),
                     ("mod", "remainder"), ("pow", "power"), ("and", "bitwise_and"), ("or", "bitwise_or"),
                     ("xor", "bitwise_xor"), ("lshift", "left_shift"), ("rshift", "right_shift"), ("matmul", "matmul")):
    setattr(Lazy, f"__{_sign}__", _operator(_name, False, False))
    setattr(Lazy, f"__r{_sign}__", _operator(_name, True, False))
    setattr(Lazy, f"__i{_sign}__", _operator(_name, False, True))
for _sign, _name in (("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal"), ("eq", "equal"),
                     ("ne", "not_equal"), ("neg", "negative"), ("pos", "positive"), ("abs", "abs"),
                     ("invert", "invert")):
    setattr(Lazy, f"__{_sign}__", _operator(_name, False, False))


def settle() -> None:
    """Called before an array is written: computes all recorded calls, which may read it."""
    pending, _trace.pending = _trace.pending, [] if active() else None
    for one in [reference() for reference in pending or ()]:
        if one is not None:
            one.compute()


def called(name: str, args: Sequence[Any], keywords: dict[str, Any]) -> Lazy | None:
    """Records the call; None if it is not an elementwise function of arrays that are not computed yet."""
    if keywords or not any(isinstance(one, Lazy) for one in args):
        return None
    if name == "where" and len(args) == 3:
        return _where(*args)
    if name not in _TEXTS or not all(isinstance(one, (Lazy, Array, bool, int, float, complex)) for one in args):
        return None
    dtype = _result(name, args)
    _, of, kinds = _TEXTS[name]
    computed = [one.dtype for one in args if hasattr(one, "dtype")] if of == "own" else \
        [_promoted(args)] if of == "operands" else [dtype]
    if any(one.kind not in kinds or one.name not in _TYPES for one in (*computed, dtype)):
        return None
    if any(one.name not in _TYPES for one in (value.dtype for value in args if hasattr(value, "dtype"))):
        return None
    return _light(Lazy(name, tuple(Lazy.of(one) if isinstance(one, Array) else one for one in args), dtype))


def _where(condition: Any, x: Any, y: Any) -> Lazy | None:
    if not isinstance(condition, (Lazy, Array)):
        return None
    dtype = _promoted((x, y))
    operands = [Lazy.of(one) if isinstance(one, Array) else one for one in (condition, x, y)]
    known = all(one.dtype.name in _TYPES for one in operands if isinstance(one, Lazy))
    if not known or dtype.name not in _TYPES or condition.dtype.kind == "c":
        return None
    return _light(Lazy("where", tuple(operands), dtype))


def _light(made: Lazy) -> Lazy:
    if made.weight > _LARGEST:
        made.compute()
    return made


def _promoted(values: Sequence[Any]) -> DType:
    return tenon.result_type(*[one.dtype if hasattr(one, "dtype") else one for one in values])


def _result(name: str, args: Sequence[Any]) -> DType:
    """The dtype of the result of Tenon's function, determined once per set of dtypes by calling it with empty
    arrays."""
    key = (name, *[one.dtype.name if hasattr(one, "dtype") else type(one) for one in args])
    numbers = tuple(one for one in args if isinstance(one, int) and not isinstance(one, bool))
    if key not in _results or any(not -128 <= one < 128 for one in numbers):  # a number that does not fit is an error
        samples = [tenon.empty((0,), one.dtype, device="cpu:0") if hasattr(one, "dtype") else one for one in args]
        _results[key] = getattr(tenon, name)(*samples).dtype
    return _results[key]


_results: dict[tuple[Any, ...], DType] = {}


def plain(value: Any) -> Any:
    """The value, with lazy arrays replaced by computed arrays."""
    if isinstance(value, Lazy):
        return value.array
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        several = [plain(one) for one in value]
        if isinstance(value, list):
            return several
        return type(value)(*several) if hasattr(value, "_fields") else tuple(several)
    return value


# --- the kernel ----------------------------------------------------------------------------------------------------

class _Text:
    """The text of a kernel, and its arguments."""

    def __init__(self) -> None:
        self.declared: list[str] = []
        self.arguments: list[Any] = []
        self.lines: list[str] = []
        self.known: dict[int, str] = {}

    def name_of(self, value: Any) -> str:
        """An operand's name in the text: a parameter, or the variable of an earlier line."""
        if not isinstance(value, Lazy):
            return self._parameter(value, tenon.result_type(type(value)))
        found = self.known.get(id(value))
        if found is None:
            found = self._parameter(value._array, value.dtype) if value._array is not None else self._line(value)
            self.known[id(value)] = found
        return found

    def _parameter(self, value: Any, dtype: DType) -> str:
        for at, one in enumerate(self.arguments):
            if one is value:
                return f"a{at}"
        self.declared.append(f"{dtype.name} a{len(self.arguments)}")
        self.arguments.append(value)
        return f"a{len(self.arguments) - 1}"

    def _line(self, value: Lazy) -> str:
        names = [self.name_of(one) for one in value.operands]
        kind = _TYPES[value.dtype.name]
        if value.name == "where":
            text = f"({names[0]} != 0) ? ({kind}){names[1]} : ({kind}){names[2]}"
        elif value.name == "astype":
            text = f"{names[0]} != 0" if kind == "bool" else names[0]
        else:
            template, of, _ = _TEXTS[value.name]
            cast = kind if of == "result" else _TYPES[_promoted(value.operands).name] if of == "operands" else ""
            text = template.format(*[f"(({cast}){name})" if cast else name for name in names])
        made = f"t{len(self.lines)}"
        self.lines.append(f"const {kind} {made} = ({kind})({text});")
        return made


@functools.lru_cache(1024)
def _kernel(declared: str, dtype: str, text: str) -> Elementwise:
    return elementwise(declared, f"{dtype} fused", text, "fused", options=["-fmad=false"])  # rounds as if unfused


def _computed(value: Lazy) -> Array:
    text = _Text()
    name = text.name_of(value)
    kernel = _kernel(", ".join(text.declared), value.dtype.name, "\n".join([*text.lines, f"fused = {name};"]))
    device = next((one.device for one in text.arguments if isinstance(one, Array)), None)
    result: Array = kernel(*text.arguments, stream=cuda.current_stream(device))
    return result


def fuse(*args: Any, **keywords: Any) -> Any:
    """A decorator, with or without kernel_name=: the elementwise functions and operators of tenon.cupy within the
    function run as few kernels instead of one kernel each.

        @tenon.cupy.fuse()
        def squared_difference(x, y):
            return (x - y) * (x - y)
    """
    unknown = keywords.keys() - {"kernel_name"}
    if unknown:
        raise TypeError(f"fuse takes kernel_name=, not {', '.join(sorted(unknown))}")
    if len(args) == 1 and callable(args[0]):
        return _fused(args[0])
    if args:
        raise TypeError(f"fuse decorates a function; {args[0]!r} is none")
    return _fused


def _fused(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if any(isinstance(one, Lazy) for one in args):  # called from another fused function
            return function(*args, **keywords)
        before, _trace.pending = _trace.pending, []
        try:
            return plain(function(*[Lazy.of(one) if isinstance(one, Array) else one for one in args],
                                  **{name: Lazy.of(one) if isinstance(one, Array) else one for name,
                                     one in keywords.items()}))
        finally:
            _trace.pending = before

    call.clear_cache = _kernel.cache_clear  # type: ignore[attr-defined]  # the kernels are those of all fused functions
    return call
