"""fuse: a Python function of elementwise operations, gathers, reductions and scans as few kernels. The function is
traced: it runs once per combination of dtypes (and, if it gathers, of ranks) with symbolic arrays, which record the
operations on them. Each reduction and each scan becomes one kernel, together with the elementwise operations and
gathers that lead to it; its result is an input of what follows. The kernels are made by tenon_elementwise_compose,
tenon_reduction_compose and tenon_scan_compose."""

from __future__ import annotations

import ctypes
import functools
import inspect
import math
import operator
import threading
from typing import Any
from collections.abc import Callable, Sequence

from . import _compute, _raw, _reductions
from ._array import Array
from ._creation import asarray, zeros
from ._dtypes import DType, as_dtype, is_number
from ._errors import InvalidArgument, ShapeError
from ._finfo import iinfo
from ._generated import Elementwise, Reduction, Scan
from ._moving import broadcast_shapes, permute_dims

_tracing = threading.RLock()  # one trace at a time: _compute.tracer belongs to the process


class Number:
    """A Python number among the arguments of a traced function, or what the function computes from such numbers. It is
    computed at each call and passed to the kernel, which need not be compiled again for another value."""

    __slots__ = ("evaluate", "sample")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, evaluate: Callable[[Sequence[Any]], Any], sample: Any):
        self.evaluate, self.sample = evaluate, sample

    def _with(self, function: Any, *others: Any) -> Any:
        if any(isinstance(one, Traced) for one in others):
            return NotImplemented
        values = (self, *others)
        if not all(isinstance(one, Number) or is_number(one) for one in values):
            return NotImplemented
        samples = [one.sample if isinstance(one, Number) else one for one in values]
        return Number(
            lambda args: function(*[one.evaluate(args) if isinstance(one, Number) else one for one in values]),
            function(*samples),
        )

    def _refused(self, *_: Any) -> Any:
        raise TypeError(
            "the value of this number is not known while tenon.fuse traces the function, because it may change "
            "from call to call: use tenon.where, or pass a bool or a string, for each value of which the "
            "function is traced"
        )

    def _compared(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Traced) else self._refused()  # the array compares itself with it

    __bool__ = __int__ = __float__ = __complex__ = __index__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compared


class Traced:
    """A symbolic array: the number of a value in the trace and its dtype. Shapes are not known."""

    __slots__ = ("trace", "value", "dtype")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000

    def __init__(self, trace: Trace, value: int, dtype: DType):
        self.trace, self.value, self.dtype = trace, value, dtype

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from . import _functions

        function = getattr(_functions, ufunc.__name__, None)
        if method != "__call__" or options or function is None or ufunc.__name__ not in _functions.__all__:
            raise TypeError(
                f"tenon.fuse cannot record numpy.{ufunc.__name__}{'' if method == '__call__' else '.' + method}: the "
                "elementwise functions of tenon are possible"
            )
        return function(*inputs)

    def astype(self, dtype: Any, *, copy: bool = True) -> Any:
        return _compute.astype(self, dtype, copy=copy)

    def clip(self, min: Any = None, max: Any = None) -> Any:  # noqa: A002: NumPy's names
        return _compute.clip(self, min, max)

    def conj(self) -> Any:
        return _compute.unary(_raw.TENON_FN_CONJ, self)

    conjugate = conj
    real = property(lambda self: _compute.unary(_raw.TENON_FN_REAL, self))
    imag = property(lambda self: _compute.unary(_raw.TENON_FN_IMAG, self))

    def sum(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Any:
        return _reductions.sum(self, axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Any:
        return _reductions.prod(self, axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Any:
        return _reductions.mean(self, axis, dtype=dtype, keepdims=keepdims)

    def var(self, axis: Any = None, *, dtype: Any = None, correction: float = 0, keepdims: bool = False) -> Any:
        return _reductions.var(self, axis, dtype=dtype, correction=correction, keepdims=keepdims)

    def std(self, axis: Any = None, *, dtype: Any = None, correction: float = 0, keepdims: bool = False) -> Any:
        return _reductions.std(self, axis, dtype=dtype, correction=correction, keepdims=keepdims)

    def max(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        return _reductions.max(self, axis, keepdims=keepdims)

    def min(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        return _reductions.min(self, axis, keepdims=keepdims)

    def any(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        return _reductions.any(self, axis, keepdims=keepdims)

    def all(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        return _reductions.all(self, axis, keepdims=keepdims)

    def argmax(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        return _reductions.argmax(self, axis, keepdims=keepdims)

    def argmin(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        return _reductions.argmin(self, axis, keepdims=keepdims)

    def cumsum(self, axis: Any = None, *, dtype: Any = None) -> Any:
        return _reductions.cumulative_sum(self, axis=axis, dtype=dtype)

    def cumprod(self, axis: Any = None, *, dtype: Any = None) -> Any:
        return _reductions.cumulative_prod(self, axis=axis, dtype=dtype)

    def take(self, indices: Any, *, axis: int | None = None) -> Any:
        return self.trace.gather(self, indices, axis, False)

    def __getitem__(self, key: Any) -> Any:
        entries = list(key) if isinstance(key, tuple) else [key]
        places = [at for at, one in enumerate(entries) if isinstance(one, Traced)]
        if len(places) != 1 or any(one != slice(None) for one in entries if not isinstance(one, Traced)):
            self._no_value()
        return self.trace.gather(self, entries[places[0]], places[0], False)

    def _no_value(self, *_: Any) -> Any:
        raise TypeError(
            "the elements of this array are not known while tenon.fuse traces the function: use tenon.where in the "
            "place of if, and leave float(), len(), loops and slices outside of the function; an index is one array of "
            "integers, as in x[i] or x[:, i]"
        )

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__ = __iter__ = __setitem__ = __contains__ = (
        _no_value
    )

    def __dlpack__(self, **_: Any) -> Any:
        raise TypeError(
            "tenon.fuse records elementwise functions, operators, where, clip, astype, take, reductions and scans; "
            "call other functions outside of the fused one"
        )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"an array that tenon.fuse traces has no attribute {name!r}: it has a dtype, but neither shape nor "
            "elements, and takes operators, elementwise functions, where, clip, astype, take, reductions and scans"
        )


def _operator(code: int, python: Any, reflected: bool) -> tuple[Any, Any]:
    def of_array(self: Any, other: Any) -> Any:
        if not isinstance(other, (Traced, Number)) and not is_number(other):
            return NotImplemented if not hasattr(other, "__dlpack__") else self.trace.constant(other)
        return _compute.binary(code, other, self) if reflected else _compute.binary(code, self, other)

    def of_number(self: Any, other: Any) -> Any:
        if isinstance(other, Traced):
            return _compute.binary(code, other, self) if reflected else _compute.binary(code, self, other)
        return Number._with(self, (lambda a, b: python(b, a)) if reflected else python, other)

    return of_array, of_number


def _unary(code: int, python: Any) -> tuple[Any, Any]:
    return (lambda self: _compute.unary(code, self)), (lambda self: Number._with(self, python))


_BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
_CODES = {
    "sub": "SUBTRACT",
    "mul": "MULTIPLY",
    "truediv": "DIVIDE",
    "floordiv": "FLOOR_DIVIDE",
    "mod": "REMAINDER",
    "and": "BITWISE_AND",
    "or": "BITWISE_OR",
    "xor": "BITWISE_XOR",
    "lshift": "BITWISE_LEFT_SHIFT",
    "rshift": "BITWISE_RIGHT_SHIFT",
}
_function: Callable[..., Any]
for _name, _function in _BINARY.items():
    _code = getattr(_raw, f"TENON_FN_{_CODES.get(_name, _name.upper())}")
    for _prefix in ("", "r"):
        _of_array, _of_number = _operator(_code, _function, bool(_prefix))
        setattr(Traced, f"__{_prefix}{_name}__", _of_array)
        setattr(Number, f"__{_prefix}{_name}__", _of_number)
for _name, _word in (
    ("eq", "EQUAL"),
    ("ne", "NOT_EQUAL"),
    ("lt", "LESS"),
    ("le", "LESS_EQUAL"),
    ("gt", "GREATER"),
    ("ge", "GREATER_EQUAL"),
):
    setattr(Traced, f"__{_name}__", _operator(getattr(_raw, f"TENON_FN_{_word}"), None, False)[0])
for _name, _word, _function in (
    ("neg", "NEGATIVE", operator.neg),
    ("pos", "POSITIVE", operator.pos),
    ("abs", "ABS", abs),
    ("invert", "BITWISE_INVERT", operator.invert),
):
    _of_array, _of_number = _unary(getattr(_raw, f"TENON_FN_{_word}"), _function)
    setattr(Traced, f"__{_name}__", _of_array)
    setattr(Number, f"__{_name}__", _of_number)


# What comparisons with a number below, and with one above all of an integer dtype's, give.
_HOLDS = _compute.HOLDS
_COMPARES = {getattr(_raw, f"TENON_FN_{word}"): function for word, function in (
    ("EQUAL", operator.eq), ("NOT_EQUAL", operator.ne), ("LESS", operator.lt), ("LESS_EQUAL", operator.le),
    ("GREATER", operator.gt), ("GREATER_EQUAL", operator.ge))}


def _beyond(number: Number, least: int, most: int, end: int) -> Number:
    """Whether the number lies beyond that end of a dtype's range."""
    if end == least:
        return Number(lambda args: number.evaluate(args) < least, False)
    return Number(lambda args: number.evaluate(args) > most, False)


def _unlike(flag: Number) -> Number:
    return Number(lambda args: not flag.evaluate(args), not flag.sample)


def _is_whole(value: Any) -> bool:
    """Is it an integer without a dtype: Python's, or what is computed from some at each call?"""
    sample = value.sample if isinstance(value, Number) else value
    return type(sample) is int


def _bound(x: Any, bound: Any, side: int) -> Any:
    """A bound of clip: one beyond the numbers of x's dtype bounds nothing."""
    if not isinstance(x, Traced) or x.dtype.kind not in "iu" or not _is_whole(bound):
        return bound
    end = iinfo(x.dtype).max if side else iinfo(x.dtype).min
    nearer = min if side else max
    if isinstance(bound, Number):
        return Number(lambda args: nearer(bound.evaluate(args), end), end)
    return nearer(bound, end)


def _squares(x: Any, power: Any) -> bool:
    """Is it x ** 2, how programs write a square, which takes a fraction of the time of a power?"""
    kinds = {int: "iuf", float: "f"}.get(type(power), "")
    return isinstance(x, Traced) and x.dtype.kind in kinds and power == 2


@functools.cache
def _combined(work: str, code: int, dtype: DType) -> DType:
    """The dtype of a reduction's or a scan's result."""
    x = zeros(1, dtype, device="cpu:0")
    return (_compute.reduce(code, x, None, None, False, None, None) if work == "reduce" else
            _compute.accumulate(code, x, 0, None, False, None, None)).dtype


@functools.cache
def _result(work: str, code: int, operands: tuple[DType | None, ...]) -> DType:
    """The dtype of an operation's result: that of the separate operation on arrays without elements."""
    arrays = [None if one is None else zeros(0, one, device="cpu:0") for one in operands]
    function = getattr(_compute, work)
    result: DType = (function(code, *arrays) if work in ("unary", "binary") else function(*arrays)).dtype
    return result


class _RanksNeeded(BaseException):
    """Ends a trace of a function that gathers, which is traced again for the ranks of its arguments."""


class Trace:
    """The operations that one run of the function recorded. ranks: of the arguments, if they are known."""

    def __init__(self, ranks: Sequence[int] | None = None) -> None:
        self.thread = threading.get_ident()
        self.ranks = ranks
        self.known: dict[int, int] = {-1: 0}  # ranks of values
        # Each input: an argument's index, a Number, a constant, the _Combined whose result it is, or a _Viewed.
        self.slots: list[tuple[DType, Any]] = []
        self.steps: list[tuple[int, ...]] = []  # with operands: an input's number, or -2 - a step's
        self.seen: dict[Any, int] = {}

    def input(self, dtype: DType, source: Any) -> int:
        key = (
            dtype.code,
            source
            if isinstance(source, int)
            else id(source)
            if isinstance(source, Number)
            else source.key
            if isinstance(source, (_Combined, _Viewed))
            else (type(source[0]), repr(source[0])),
        )
        if key not in self.seen:
            self.seen[key] = len(self.slots)
            self.slots.append((dtype, source))
        return self.seen[key]

    def constant(self, other: Any) -> Any:
        raise TypeError(
            f"the function uses an array that is not among its arguments ({type(other).__name__}): pass it as one"
        )

    def operand(self, value: Any, dtype: DType) -> int:
        """The input for a number that an operation takes in that dtype."""
        return self.input(dtype, value if isinstance(value, Number) else (value,))

    def step(self, work: str, code: int, values: Sequence[Any], wanted: DType | None = None) -> Traced:
        if work == "binary":
            for left in (False, True):
                x, number = values[::-1] if left else values
                if isinstance(x, Traced) and _is_whole(number):
                    return self.with_integer(code, x, number, left)
        elif work == "clip":
            values = [values[0], _bound(values[0], values[1], 0), _bound(values[0], values[2], 1)]
        return self.recorded(work, code, values, wanted)

    def with_integer(self, code: int, x: Traced, number: Any, left: bool) -> Traced:
        """A function of a traced array and one of Python's integers, the left operand or the right one."""
        if isinstance(number, int):
            code, x, number = _compute.beyond(code, x, number, left) or _compute.long(code, x, number, left)
        elif code in _HOLDS and x.dtype.kind in "iu":
            return self.compared(code, x, number, left)
        return self.recorded("binary", code, (number, x) if left else (x, number))

    def compared(self, code: int, x: Traced, number: Number, left: bool) -> Traced:
        """A comparison with an integer that is not known yet, and which x's dtype may be unable to hold: with the
        dtype's own smallest or largest number in its place, corrected where that would not give the same result."""
        ends = iinfo(x.dtype)
        least, most = ends.min, ends.max
        near = Number(lambda args: min(max(number.evaluate(args), least), most), least)
        made = self.recorded("binary", code, (near, x) if left else (x, near))
        below, above = _HOLDS[_compute.MIRRORED.get(code, code) if left else code]
        # At the dtype's end, the comparison with the number in place of one beyond it.
        compares: Callable[[int, int], bool] = _COMPARES[_compute.MIRRORED.get(code, code) if left else code]
        beyond = [(end, holds) for end, holds in ((least, below), (most, above))
                  if not all(compares(one, end) == holds for one in (least, most))]
        for end, holds in beyond:
            is_beyond = _beyond(number, least, most, end)
            word, flag = ("LOGICAL_OR", is_beyond) if holds else ("LOGICAL_AND", _unlike(is_beyond))
            made = self.recorded("binary", getattr(_raw, f"TENON_FN_{word}"), (made, flag))
        return made

    def recorded(self, work: str, code: int, values: Sequence[Any], wanted: DType | None = None) -> Traced:
        kind = {
            "unary": _raw.TENON_STEP_UNARY,
            "binary": _raw.TENON_STEP_BINARY,
            "where": _raw.TENON_STEP_SELECT,
            "clip": _raw.TENON_STEP_CLIP,
            "astype": _raw.TENON_STEP_CAST,
        }[work]
        if code == _raw.TENON_FN_POW and work == "binary" and _squares(*values):
            return self.recorded("unary", _raw.TENON_FN_SQUARE, values[:1])
        numbers: list[Any] = []
        dtypes: list[Any] = []
        common = [one for one in (values[1:] if work == "where" else values) if one is not None]
        samples = [
            one.dtype if isinstance(one, Traced) else one.sample if isinstance(one, Number) else one for one in common
        ]
        for at, value in enumerate(values):
            if value is None:
                numbers.append(-1)
                dtypes.append(None)
            elif isinstance(value, Traced):
                if value.trace is not self:
                    raise TypeError(
                        "the function uses an array of another call that tenon.fuse traced: pass it as an argument"
                    )
                numbers.append(value.value)
                dtypes.append(value.dtype)
            else:
                if not isinstance(value, Number) and not is_number(value):
                    self.constant(value)
                own = getattr(value, "dtype", None)
                if own is not None:
                    dtype = as_dtype(own)
                elif work == "where" and at == 0:
                    dtype = as_dtype("bool")
                elif work == "clip":
                    dtype = values[0].dtype if isinstance(values[0], Traced) else _compute.result_type(*samples)
                else:
                    sample = value.sample if isinstance(value, Number) else value
                    others = [one for one in samples if isinstance(one, DType)]
                    dtype = _compute.result_type(*others, sample) if others else _compute.result_type(*samples)
                numbers.append(self.operand(value, dtype))
                dtypes.append(dtype)
        result = wanted or _result(work, code, tuple(dtypes))
        self.steps.append((kind, code, *numbers, *[-1] * (3 - len(numbers)), wanted.code if wanted else 0))
        return Traced(self, -1 - len(self.steps), result)

    def work(self, name: str, code: int, values: Sequence[Any], out: Any, stream: Any, wanted: Any = None) -> Any:
        """Records an operation; NotImplemented if none of its operands is traced by this thread."""
        if threading.get_ident() != self.thread or not any(isinstance(one, (Traced, Number)) for one in values):
            return NotImplemented
        if not any(isinstance(one, Traced) for one in values):
            raise TypeError(
                "an operation of the fused function has only numbers as operands: apply it to an array, or "
                "compute the number before the call"
            )
        if out is not None or stream is not None:
            raise TypeError("out= and stream= belong to the call of the fused function, not to the operations in it")
        if name == "take":
            return self.gather(values[0], values[1], *wanted)
        if name in ("reduce", "accumulate"):
            if values[0].trace is not self:
                raise TypeError(
                    "the function uses an array of another call that tenon.fuse traced: pass it as an argument"
                )
            return self.reduce(code, values[0], *wanted) if name == "reduce" else self.scan(code, values[0], *wanted)
        return self.step(name, code, values, None if wanted is None else as_dtype(wanted))

    def rank(self, value: int) -> int:
        """The number of axes of a value."""
        if self.ranks is None:
            raise _RanksNeeded
        for one in [value] if value >= 0 else range(-2, value - 1, -1):
            if one in self.known:
                continue
            if one >= 0:
                self.known[one] = self._rank_of(self.slots[one][1])
                continue
            kind, _, *operands, _ = self.steps[-2 - one]
            table = 1 if kind == _raw.TENON_STEP_GATHER else 0
            ranks = [self.rank(operand) for operand in operands]
            self.known[one] = max(ranks[0] - table, *ranks[1:])
        return self.known[value]

    def _rank_of(self, source: Any) -> int:
        if isinstance(source, _Viewed):
            return self._rank_of(source.base) + source.ones + source.trailing
        if isinstance(source, _Combined):
            return source.rank()
        assert self.ranks is not None
        return self.ranks[source] if isinstance(source, int) else 0

    def gather(self, x: Any, index: Any, axis: int | None, along: bool) -> Traced:
        """take (along: take_along_axis): the array with the axis in front as a table, indexed by elements that
        broadcast with its other axes."""
        for one in (x, index):
            if not isinstance(one, Traced):
                self.constant(one)
            if one.trace is not self:
                raise TypeError(
                    "the function uses an array of another call that tenon.fuse traced: pass it as an argument"
                )
        if index.dtype.kind not in "iu":
            raise IndexError(f"the index is {index.dtype.name}: it must be an array of integers")
        rank, more = self.rank(x.value), self.rank(index.value)
        if axis is None and rank != 1:
            raise TypeError(f"take in a fused function needs axis= for an array of {rank} axes")
        axis = operator.index(axis or 0)
        if not -rank <= axis < rank:
            raise InvalidArgument(f"axis {axis} is out of range for an array of {rank} axes")
        axis %= rank
        if along and more != rank:
            raise ShapeError(f"the indices have {more} axes but the array has {rank}: along an axis both must have the "
                             "same number")
        table = self.input(x.dtype, _Viewed(self._stored(x), 0, axis, 1 if along else more))
        at = index.value if along else self._shifted(index.value, rank - 1 - axis)
        self.steps.append((_raw.TENON_STEP_GATHER, 0, table, at, -1, 0))
        return Traced(self, -1 - len(self.steps), x.dtype)

    def _stored(self, x: Traced) -> Any:
        """Where the array that is indexed comes from: an argument, or the result of a kernel."""
        source = self.slots[x.value][1] if x.value >= 0 else None
        return source if isinstance(source, (int, _Combined)) else _Combined("compute", 0, x, None, False)

    def _shifted(self, value: int, trailing: int) -> int:
        """The same value with more axes of extent 1 at its end."""
        if trailing == 0:
            return value
        moved = {-1: -1}
        inputs, steps = _needed(self, [value])
        for one in inputs:
            dtype, source = self.slots[one]
            if isinstance(source, _Viewed):
                source = _Viewed(source.base, source.trailing + trailing, source.axis, source.ones)
            elif isinstance(source, (int, _Combined)):
                source = _Viewed(source, trailing)
            moved[one] = self.input(dtype, source)
        for one in steps:
            kind, code, *operands, dtype_code = self.steps[-2 - one]
            self.steps.append((kind, code, *[moved[operand] for operand in operands], dtype_code))
            moved[one] = -1 - len(self.steps)
        return moved[value]

    def combine(self, made: _Combined, dtype: DType) -> Traced:
        return Traced(self, self.input(dtype, made), dtype)

    def reduce(self, code: int, x: Any, axis: Any, dtype: Any, keepdims: bool, correction: float) -> Traced:
        if dtype is not None:
            x = _compute.astype(x, dtype)
        axes = _compute.axes_of(axis)
        if axes == ():
            raise TypeError("axis=() reduces over no axis: leave the reduction out, or pass axis=None for all axes")
        again: Any = functools.partial(self.reduce, axis=axis, dtype=None, correction=0)
        if code in (_raw.TENON_FN_VAR, _raw.TENON_FN_STD):
            # In two passes: the mean, then the sum of the squared differences from it.
            if x.dtype.kind in "bui":
                x = _compute.astype(x, "float64")
            wide: Any = _compute.astype(x, "float32") if x.dtype.itemsize == 2 else x
            mean = again(_raw.TENON_FN_MEAN, wide, keepdims=True)
            difference = wide - mean
            real = difference.real * difference.real + difference.imag * difference.imag if x.dtype.kind == "c" \
                else difference * difference
            total = again(_raw.TENON_FN_SUM, real, keepdims=keepdims)
            source = self.slots[total.value][1]
            result: Any = total / Number(lambda values: max(source.count(values) - correction, 0.0), 1.0)
            if code == _raw.TENON_FN_STD:
                result = _compute.unary(_raw.TENON_FN_SQRT, result)
            if wide is not x:
                result = _compute.astype(result, x.dtype)
            deviation: Traced = result
            return deviation
        if code == _raw.TENON_FN_LOGSUMEXP:
            x = _compute.astype(x, "float64") if x.dtype.kind in "bui" else x
            wide = _compute.astype(x, "float32") if x.dtype.itemsize == 2 else x
            top = again(_raw.TENON_FN_MAX, wide, keepdims=True)
            # The differences of infinities would not be numbers.
            finite: Any = _compute.where(_compute.unary(_raw.TENON_FN_ISFINITE, top), top, 0)
            total = again(_raw.TENON_FN_SUM, _compute.unary(_raw.TENON_FN_EXP, wide - finite), keepdims=keepdims)
            shift = finite if keepdims else again(_raw.TENON_FN_MAX, wide, keepdims=False)
            if not keepdims:
                shift = _compute.where(_compute.unary(_raw.TENON_FN_ISFINITE, shift), shift, 0)
            logarithm: Any = _compute.unary(_raw.TENON_FN_LOG, total) + shift
            if wide is not x:
                logarithm = _compute.astype(logarithm, x.dtype)
            returned: Traced = logarithm
            return returned
        return self.combine(_Combined("reduce", code, x, axes, keepdims), _combined("reduce", code, x.dtype))

    def scan(self, code: int, x: Any, axis: Any, dtype: Any, exclusive: bool) -> Traced:
        if axis is None:
            raise TypeError("a scan in a fused function needs axis=, because the number of axes is not known")
        if dtype is not None:
            x = _compute.astype(x, dtype)
        return self.combine(_Combined("accumulate", code, x, operator.index(axis), exclusive),
                            _combined("accumulate", code, x.dtype))


def _needed(trace: Trace, values: Sequence[int]) -> tuple[list[int], list[int]]:
    """The inputs and the steps that lead to the values, each in the order of the trace."""
    needed, pending = set(), list(values)
    while pending:
        value = pending.pop()
        if value not in needed and value != -1:
            needed.add(value)
            if value < -1:
                pending.extend(trace.steps[-2 - value][2:5])
    inputs, steps = [one for one in needed if one >= 0], [one for one in needed if one < -1]
    return sorted(inputs), sorted(steps, reverse=True)


@functools.cache
def _function_name(code: int) -> str:
    """Of a function, by its code."""
    names = (name for name, value in vars(_raw).items() if name.startswith("TENON_FN_") and value == code)
    return next(names).removeprefix("TENON_FN_").lower()


def _source_text(source: Any, names: Sequence[str], made: dict[Any, str]) -> str:
    if isinstance(source, _Viewed):
        return _source_text(source.base, names, made) + "'"
    if isinstance(source, int):
        return names[source]
    if isinstance(source, _Combined):
        return made[source.key]
    return "number" if isinstance(source, Number) else repr(source[0])


class _Viewed:
    """A view of an argument or of a kernel's result: with more axes of extent 1 at its end and, if `axis` is given, as
    a table: with that axis in front, and `ones` axes of extent 1 in its place."""

    __slots__ = ("base", "trailing", "axis", "ones", "key")

    def __init__(self, base: Any, trailing: int, axis: int | None = None, ones: int = 0):
        self.base, self.trailing, self.axis, self.ones = base, trailing, axis, ones
        self.key = ("view", base if isinstance(base, int) else base.key, trailing, axis, ones)

    def of(self, array: Any) -> Any:
        if self.axis is not None:
            order = (self.axis, *[one for one in range(len(array.shape)) if one != self.axis])
            if self.axis:
                array = array.permute(order) if hasattr(array, "permute") else \
                    permute_dims(array, order) if isinstance(array, Array) else array.transpose(order)
            array = array[(*[slice(None)] * (self.axis + 1), *[None] * self.ones)]
        return array[(Ellipsis, *[None] * self.trailing)] if self.trailing else array

    def shape_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The axes of the view that take part in broadcasting, by the shape of the view."""
        return shape if self.axis is None else shape[1:]


class _Combined:
    """A kernel whose result is stored: a reduction or a scan of a traced value with the operations that lead to the
    value or, for "compute", the value itself, because it is indexed. Made when the trace is complete. detail: keepdims
    of a reduction, `exclusive` of a scan."""

    def __init__(self, work: str, code: int, x: Traced, axis: Any, detail: bool):
        self.work, self.code, self.x, self.axis, self.detail = work, code, x, axis, bool(detail)
        self.key = (work, code, x.value, axis, bool(detail))
        self.kernel: _Kernel | None = None

    def make(self, name: str, options: Any) -> None:
        if self.kernel is None:
            self.kernel = _Kernel(name, self.x.trace, [self.x], options, None if self.work == "compute" else self)

    def reason(self, is_result: bool) -> str:
        if self.work == "compute":
            return "elementwise, stored because the array is indexed"
        along = f"axis {self.axis}" if self.work == "accumulate" or self.axis and len(self.axis) == 1 else \
            f"axes {self.axis}"
        if self.work == "reduce" and self.axis and len(self.axis) == 1:
            along = f"axis {self.axis[0]}"
        why = "the result" if is_result else "stored because others need it whole"
        return f"reduction {_function_name(self.code)} over {'all axes' if self.axis is None else along}, {why}" \
            if self.work == "reduce" else f"scan {_function_name(self.code)} along {along}, {why}"

    def rank(self) -> int:
        rank = self.x.trace.rank(self.x.value)
        if self.work != "reduce" or self.detail:
            return rank
        return 0 if self.axis is None else rank - len(self.axis)

    def run(self, values: _Values, out: Any, stream: Any) -> Any:
        assert self.kernel is not None
        kept = values.made.get((*self.key[:-1], True)) if self.work == "reduce" and out is None else None
        if kept is not None:  # the same with keepdims=True
            axes = range(len(kept.shape)) if self.axis is None else [axis % len(kept.shape) for axis in self.axis]
            return kept.reshape(tuple(extent for axis, extent in enumerate(kept.shape) if axis not in axes))
        given = self.kernel.inputs(values)
        if self.work == "compute":
            return self.kernel.call(*given, out=out, stream=stream)
        if self.work == "accumulate":
            return self.kernel.call(*given, axis=self.axis, out=out, stream=stream)
        return self.kernel.call(*given, axis=self.axis, keepdims=self.detail, out=out, stream=stream)

    def count(self, values: _Values) -> int:
        """The number of elements that each result of the reduction combines."""
        assert self.kernel is not None
        shape = broadcast_shapes(*self.kernel.shapes(values))
        axes = range(len(shape)) if self.axis is None else self.axis
        return math.prod(shape[axis] for axis in axes)


class _Values(list[Any]):
    """The arguments of a call, and the results of reductions and scans so far."""

    def __init__(self, args: Sequence[Any]):
        super().__init__(args)
        self.made: dict[Any, Any] = {}

    def array(self, source: Any) -> Any:
        if isinstance(source, _Viewed):
            return source.of(self.array(source.base))
        return self[source] if isinstance(source, int) else self.made[source.key]


class _Kernel:
    """A composition: the kernel, and where each of its inputs comes from. `combined`: the reduction or scan that it
    ends with."""

    __slots__ = ("call", "sources", "arrays", "trace", "inputs_of", "outputs", "combined")

    def __init__(self, name: str, trace: Trace, outputs: Sequence[Traced], options: Any,
                 combined: _Combined | None = None):
        inputs, steps = _needed(trace, [one.value for one in outputs])
        self.trace, self.inputs_of, self.outputs, self.combined = trace, inputs, outputs, combined
        place = {value: at for at, value in enumerate([*inputs, *steps])} | {-1: -1}
        packed = [
            _raw.tenon_step(kind, code, *[place[one] for one in operands], dtype)
            for kind, code, *operands, dtype in (trace.steps[-2 - value] for value in steps)
        ]
        steps_of = (
            (ctypes.c_uint32 * len(inputs))(*[trace.slots[one][0].code for one in inputs]),
            len(inputs),
            (_raw.tenon_step * max(len(packed), 1))(*packed),
            len(packed),
        )
        declared = ", ".join(f"{trace.slots[one][0].name} x{at}" for at, one in enumerate(inputs))
        if combined is None:
            places = (ctypes.c_int32 * len(outputs))(*[place[one.value] for one in outputs])
            texts: tuple[Any, ...] = (*steps_of, places, len(outputs))
            results = ", ".join(f"{one.dtype.name} y{at}" for at, one in enumerate(outputs))
            self.call: Any = Elementwise._made(name, declared, results, "tenon_elementwise_compose", (texts, options))
        else:
            result = f"{_combined(combined.work, combined.code, combined.x.dtype).name} y"
            texts = (*steps_of, place[combined.x.value], combined.code)
            if combined.work == "reduce":
                self.call = Reduction._made(name, declared, result, "tenon_reduction_compose", (texts, options))
            else:
                texts = (*texts, int(combined.detail))
                self.call = Scan._made(name, declared, result, "tenon_scan_compose", (texts, options))
        self.sources = [trace.slots[one][1] for one in inputs]
        self.arrays = [source for source in self.sources if isinstance(source, (int, _Combined, _Viewed))]

    def combinations(self) -> list[_Combined]:
        bases = [one.base if isinstance(one, _Viewed) else one for one in self.sources]
        return [one for one in bases if isinstance(one, _Combined)]

    def text(self, names: Sequence[str], made: dict[Any, str]) -> str:
        """The inputs, and the outputs as expressions of them."""
        texts = {value: _source_text(source, names, made) for value, source in zip(self.inputs_of, self.sources)}
        for value in _needed(self.trace, [one.value for one in self.outputs])[1]:
            kind, code, x, y, z, dtype = self.trace.steps[-2 - value]
            operands = ", ".join(texts[one] for one in (x, y, z) if one != -1)
            called = "where" if kind == _raw.TENON_STEP_SELECT else "clip" if not code else _function_name(code)
            texts[value] = f"{texts[x]}[{texts[y]}]" if kind == _raw.TENON_STEP_GATHER else \
                f"{DType(dtype).name}({operands})" if kind == _raw.TENON_STEP_CAST else \
                f"{called}({operands})"
        outputs = [texts[one.value] for one in self.outputs]
        if self.combined is not None:
            outputs = [f"{_function_name(self.combined.code)}({outputs[0]})"]
        inputs = dict.fromkeys(texts[one] for one in self.inputs_of)
        return f"{', '.join(inputs)} -> {', '.join(outputs)}"

    def shapes(self, values: _Values) -> list[tuple[int, ...]]:
        """Of the arrays, what takes part in broadcasting."""
        shapes = [tuple(values.array(one).shape) for one in self.arrays]
        return [one.shape_of(shape) if isinstance(one, _Viewed) else shape for one, shape in zip(self.arrays, shapes)]

    def inputs(self, values: _Values) -> list[Any]:
        return [
            values.array(one) if isinstance(one, (int, _Combined, _Viewed))
            else one.evaluate(values) if isinstance(one, Number) else one[0]
            for one in self.sources
        ]


class _Recorded:
    """What a combination of dtypes became: kernels, and how their outputs make the function's result."""

    def __init__(self, name: str, trace: Trace, result: Any, options: Any):
        several = isinstance(result, (tuple, list))
        self.several: Any = type(result) if several else None
        listed = list(result) if several else [result]
        for one in listed:
            if not isinstance(one, Traced) or one.trace is not trace:
                raise TypeError(
                    f"{name} must return one array that depends on its arguments, or a tuple or list of "
                    f"them; it returned {type(one).__name__}"
                )
        self.values: list[Traced] = []
        for one in listed:
            if all(one.value != other.value for other in self.values):
                self.values.append(one)
        self.order = [next(at for at, other in enumerate(self.values) if other.value == one.value) for one in listed]
        self.name, self.trace, self.options = name, trace, options
        self.single: list[_Kernel] | None = None
        # Results of reductions and scans are complete when their kernels have run; one more computes the others.
        self.ends = [trace.slots[one.value][1] if one.value >= 0 else None for one in self.values]
        self.ends = [one if isinstance(one, _Combined) else None for one in self.ends]
        rest = [one for one, end in zip(self.values, self.ends) if end is None]
        self.together = _Kernel(name, trace, rest, options) if rest else None
        self.stages: list[_Combined] = []  # in an order in which they can run
        for end in self.ends:
            if end is not None:
                self._add(end)
        for end in self.together.combinations() if self.together else ():
            self._add(end)
        # One result of one kernel: the kernel, and each input as an argument's index or a function of the arguments.
        self.direct: Any = None
        self.sources: list[Any] = []
        if self.several is None and not self.stages:
            assert self.together is not None
            self.direct = self.together.call
            self.sources = [
                one if isinstance(one, int) else one.evaluate if isinstance(one, Number)
                else (lambda args, one=one: one.of(args[one.base])) if isinstance(one, _Viewed)
                else lambda _, one=one: one[0]
                for one in self.together.sources
            ]

    def _add(self, stage: _Combined) -> None:
        if stage in self.stages:
            return
        stage.make(self.name, self.options)
        assert stage.kernel is not None
        for earlier in stage.kernel.combinations():
            self._add(earlier)
        self.stages.append(stage)

    def explanation(self, names: Sequence[str]) -> str:
        kernels: list[tuple[str, _Kernel]] = []
        for stage in self.stages:
            assert stage.kernel is not None
            kernels.append((stage.reason(stage in self.ends), stage.kernel))
        if self.together is not None:
            several = len(self.together.outputs) > 1
            kernels.append(("elementwise" + ", or one kernel for each output if they have several shapes" * several,
                            self.together))
        made = {stage.key: f"#{at + 1}" for at, stage in enumerate(self.stages)}
        lines = [f"{len(kernels)} kernel" + "s" * (len(kernels) != 1)]
        for at, (reason, kernel) in enumerate(kernels):
            lines += [f"#{at + 1} {reason}", f"   {kernel.text(names, made)}"]
        return "\n".join(lines)

    def run(self, args: Sequence[Any], out: Any, stream: Any) -> Any:
        given = None if out is None else list(out) if isinstance(out, (tuple, list)) else [out]
        if given is not None and len(given) != len(self.order):
            raise TypeError(f"{self.name} has {len(self.order)} results; {len(given)} outputs were given")
        wanted = [None if given is None else given[self.order.index(at)] for at in range(len(self.values))]
        values = _Values(args)
        for stage in self.stages:
            into = wanted[self.ends.index(stage)] if stage in self.ends else None
            values.made[stage.key] = stage.run(values, into, stream)
        results = [None if end is None else values.made[end.key] for end in self.ends]
        rest = [at for at, end in enumerate(self.ends) if end is None]
        if rest:
            for at, made in zip(rest, self._elementwise(values, [wanted[at] for at in rest], stream)):
                results[at] = made
        if self.several is None:
            return results[0]
        return self.several(results[at] for at in self.order)

    def _elementwise(self, values: _Values, wanted: list[Any], stream: Any) -> list[Any]:
        assert self.together is not None
        given = None if all(one is None for one in wanted) else wanted
        if len(wanted) == 1 or len(set(self.together.shapes(values))) == 1:
            made = self.together.call(*self.together.inputs(values), out=given, stream=stream)
            return [made] if len(wanted) == 1 else list(made)
        if self.single is None:  # outputs of several shapes
            rest = [one for one, end in zip(self.values, self.ends) if end is None]
            self.single = [_Kernel(self.name, self.trace, [one], self.options) for one in rest]
        return [kernel.call(*kernel.inputs(values), stream=stream, out=None if given is None else given[at])
                for at, kernel in enumerate(self.single)]


class _ByRank(dict[Any, _Recorded]):
    """The records of a function that gathers, by the ranks of its arguments."""

    direct = None
    sources: tuple[Any, ...] = ()


class Fused:
    """See fuse."""

    __name__: str

    def __init__(self, function: Callable[..., Any], fast_math: bool):
        functools.update_wrapper(self, function)
        self._function, self._signature = function, inspect.signature(function)
        for parameter in self._signature.parameters.values():
            if parameter.name in ("out", "stream") or parameter.kind is parameter.VAR_KEYWORD:
                raise TypeError(
                    f"{function.__name__} must not have a parameter {parameter}: out= and stream= belong to the "
                    "fused function"
                )
        self._options = (function.__name__, "", (), "fast", fast_math, False)
        self._recorded: dict[Any, _Recorded | _ByRank] = {}

    def explain(self, *args: Any, **keywords: Any) -> str:
        """What a call with these arguments runs: each kernel with its inputs, operations and outputs, and why it is a
        kernel of its own. The function is traced if it was not yet; nothing is computed. In the text `name'` is an
        argument seen with other axes, `#1` the result of kernel 1, and `number` what is passed at each call.

            >>> print(tenon.fuse(lambda x: x - x.max()).explain(tenon.asarray([1.0, 2.0])))
            2 kernels
            #1 reduction max over all axes, stored because others need it whole
               x -> max(x)
            #2 elementwise
               x, #1 -> subtract(x, #1)
        """
        bound = self._signature.bind(*args, **keywords)
        bound.apply_defaults()
        values = [*bound.args, *bound.kwargs.values()]
        return self._find(*self._prepared(values)).explanation(list(self._signature.parameters))

    def __call__(self, *args: Any, out: Any = None, stream: Any = None, **keywords: Any) -> Any:
        if out is None and stream is None and not keywords:  # arrays and numbers that were traced before
            found = self._recorded.get(
                tuple([value.dtype.code if type(value) is Array else type(value) for value in args])
            )
            if found is not None and found.direct is not None:
                return found.direct(*[args[one] if type(one) is int else one(args) for one in found.sources])
        if keywords or len(args) != len(self._signature.parameters):
            bound = self._signature.bind(*args, **keywords)
            bound.apply_defaults()
            if bound.kwargs:
                args = (*bound.args, *bound.kwargs.values())
            else:
                args = bound.args
        if any(isinstance(value, Traced) for value in args):  # within another fused function
            return self._function(*args)
        values, key = self._prepared(args)
        return self._find(values, key).run(values, out, stream)

    def _prepared(self, args: Sequence[Any]) -> tuple[list[Any], tuple[Any, ...]]:
        """The arguments, lists as arrays, and the key of their record."""
        values: list[Any] = list(args)
        key: list[Any] = []
        for at, value in enumerate(args):
            if isinstance(value, Array):
                key.append(value.dtype.code)
            elif isinstance(value, (bool, str, bytes, type(None), DType, type)):
                key.append(("static", value))
            elif is_number(value):
                own = getattr(value, "dtype", None)
                key.append(type(value) if own is None else ("number", as_dtype(own).code))
            elif hasattr(value, "__dlpack__") or hasattr(value, "__array__") or isinstance(value, list):
                if not hasattr(value, "shape"):
                    values[at] = asarray(value)
                key.append(asarray(values[at]).dtype.code)
            else:
                raise TypeError(
                    f"argument {at} of {self.__name__} is {type(value).__name__}: it must be an array, a number, "
                    "or a bool, a string, a dtype or None, for each value of which the function is traced"
                )
        return values, tuple(key)

    def _find(self, values: Sequence[Any], key: tuple[Any, ...]) -> _Recorded:
        """The record for these arguments; the function is traced if there is none yet."""
        found = self._recorded.get(key)
        if isinstance(found, _Recorded):
            return found
        with _tracing:
            found = self._recorded.get(key)
            if found is None:
                try:
                    found = self._recorded[key] = self._trace(values, key)
                except _RanksNeeded:
                    found = self._recorded[key] = _ByRank()
            if isinstance(found, _ByRank):
                ranks = tuple([len(one.shape) if hasattr(one, "shape") else 0 for one in values])
                if ranks not in found:
                    found[ranks] = self._trace(values, key, ranks)
                found = found[ranks]
        return found

    def _trace(self, values: Sequence[Any], key: Sequence[Any], ranks: Sequence[int] | None = None) -> _Recorded:
        trace = Trace(ranks)
        symbols: list[Any] = []
        for at, (value, known) in enumerate(zip(values, key)):
            if isinstance(known, int):
                symbols.append(Traced(trace, trace.input(DType(known), at), DType(known)))
            elif isinstance(known, tuple) and known[0] == "static":
                symbols.append(value)
            elif isinstance(known, tuple):
                symbols.append(Traced(trace, trace.input(DType(known[1]), at), DType(known[1])))
            else:
                symbols.append(Number(operator.itemgetter(at), value))
        if not any(isinstance(known, int) for known in key):
            raise TypeError(f"{self.__name__} needs at least one array among its arguments")
        named = [one.name for one in self._signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
        count = len(symbols) - len(named)
        earlier, _compute.tracer = _compute.tracer, trace.work  # a fused function may call another one
        try:
            result = self._function(*symbols[:count], **dict(zip(named, symbols[count:])))
        finally:
            _compute.tracer = earlier
        return _Recorded(self.__name__, trace, result, self._options)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<tenon fused {self.__name__}>"


def fuse(function: Callable[..., Any] | None = None, /, *, fast_math: bool = False) -> Any:
    """A function of elementwise operations, reductions and scans as few kernels: a decorator.

        >>> @tenon.fuse
        ... def smooth(x, y, weight):
        ...     return tenon.where(x > 0, tenon.sqrt(x), y) * weight
        >>> x = tenon.asarray([4.0, -1.0])
        >>> smooth(x, x * 3, 0.5).tolist()
        [1.0, -1.5]

    The function runs once for each combination of its arguments' dtypes, with symbolic arrays that record operators,
    the elementwise functions of tenon (and of NumPy, called on them), where, clip, astype and take (take_along_axis,
    x[i], x[:, i]). The record becomes one kernel, which reads each argument once and is compiled once per layout and
    cached. A function that takes is traced for each combination of ranks; an index out of range is an error of the
    call, as for the separate take. explain() prints what a function became. A reduction (sum, max, mean, var,
    argmax, logsumexp ...) or a scan (cumulative_sum ...) becomes a kernel together with what leads to it, which is
    computed again, rather than stored, for what follows: a softmax of three kernels reads its argument three times.

        >>> @tenon.fuse
        ... def distance(x, y):
        ...     return tenon.sqrt(((x - y) ** 2).sum(axis=-1))
        >>> distance(tenon.asarray([[3.0, 4.0], [0.0, 1.0]]), 0.0).tolist()
        [5.0, 1.0]

    Arrays of all libraries are
    accepted, and broadcast; with PyTorch tensors among them the results are tensors. Python's numbers do not belong to
    the record: another value needs neither a new trace nor a new kernel. For each value of a bool, a string, a dtype or
    None the function is traced anew, so it may branch on them. It may return a tuple or a list.

    Results have the dtypes and shapes of the separate operations. +, -, *, / and sqrt of real numbers, comparisons,
    integers, where, clip, casts and the reductions that do not round give the same bits; other functions, and sums and
    products of floating-point numbers, may differ in the last places. fast_math=True allows approximations.

    The fused function takes out= and stream=. TypeError: a branch on an element, an array that is not an argument, or a
    function that is none of these."""
    if function is None:
        return lambda given: Fused(given, fast_math)
    return Fused(function, fast_math)
