"""Joins, repeats, shifts and pads arrays; reads and writes elements by index or mask. The names are those of the array
API and NumPy. Functions return views where possible."""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any
from collections.abc import Callable, Sequence

from . import _compute, _raw
from ._array import Array, extents
from ._creation import FLOAT64, asarray, empty, full, target
from ._device import as_device
from ._dtypes import BY_NAME, as_dtype, exact, is_number
from ._errors import DTypeError, InvalidArgument, ShapeError, check
from ._integers import int32s, int64s, integer
from ._library import lib
from ._produce import array_of, handles, produce
from ._stream import as_stream, stream_handle
from ._torch import written

MODES = {"constant": _raw.TENON_PAD_CONSTANT, "edge": _raw.TENON_PAD_EDGE, "reflect": _raw.TENON_PAD_REFLECT,
         "symmetric": _raw.TENON_PAD_SYMMETRIC, "wrap": _raw.TENON_PAD_WRAP,
         "linear_ramp": _raw.TENON_PAD_LINEAR_RAMP, "mean": _raw.TENON_PAD_MEAN, "maximum": _raw.TENON_PAD_MAXIMUM,
         "minimum": _raw.TENON_PAD_MINIMUM, "median": _raw.TENON_PAD_MEDIAN, "empty": _raw.TENON_PAD_EMPTY}
OPERATIONS = {"assign": _raw.TENON_SCATTER_ASSIGN, "add": _raw.TENON_SCATTER_ADD, "min": _raw.TENON_SCATTER_MIN,
        "max": _raw.TENON_SCATTER_MAX}


def _invalid(message: str) -> InvalidArgument:
    return InvalidArgument(message, _raw.TENON_ERROR_INVALID_ARGUMENT)


def normal_axis(axis: Any, rank: int) -> int:
    number = operator.index(axis)
    if not -rank <= number < rank:
        raise _index_error(_invalid(f"axis {number} is out of range for an array of {rank} axes"))
    return number % rank


def _axes(axis: Any, rank: int) -> tuple[int, ...]:
    """The axes as a tuple; None stands for all axes."""
    if axis is None:
        return tuple(range(rank))
    return tuple(normal_axis(one, rank) for one in (axis if hasattr(axis, "__iter__") else (axis,)))


# --- joining and splitting ---

def _of_one_dtype(arrays: Sequence[Any], what: str, stream: Any) -> list[Array]:
    """The arrays, converted to their common dtype where they have another."""
    list_ = [array_of(x) for x in arrays]
    if not list_:
        raise _invalid(f"{what} needs at least one array")
    if any(x.dtype is not list_[0].dtype for x in list_):
        from ._compute import result_type  # which imports this file

        common = result_type(*(x.dtype for x in list_))
        list_ = [x.astype(common, copy=False, stream=stream) for x in list_]
    return list_


def concat(arrays: Sequence[Any], *, axis: int | None = 0, out: Any = None, stream: Any = None) -> Array:
    """Joins the arrays, converted to their common dtype, along an axis; None: joins all elements of each in C order.

        >>> tenon.concat([tenon.ones(1), tenon.zeros(2)]).tolist()
        [1.0, 0.0, 0.0]
    """
    list_ = _of_one_dtype(arrays, "concat", stream)
    if axis is None:
        list_, axis = [x.reshape(-1) for x in list_], 0
    return produce(lib.tenon_concat, handles(list_), len(list_), integer(axis, "an axis", ctypes.c_int32), None,
            device=list_[0].device, stream=stream, out=out)


concatenate = concat


def stack(arrays: Sequence[Any], *, axis: int = 0, out: Any = None, stream: Any = None) -> Array:
    """Joins arrays of the same shape, converted to their common dtype, along a new axis.

        >>> tenon.stack([tenon.arange(2), tenon.arange(2)], axis=1).tolist()
        [[0, 0], [1, 1]]
    """
    list_ = _of_one_dtype(arrays, "stack", stream)
    return produce(lib.tenon_stack, handles(list_), len(list_), integer(axis, "an axis", ctypes.c_int32), None,
            device=list_[0].device, stream=stream, out=out)


def _part(x: Array, axis: int, begin: int, end: int) -> Array:
    return x[(slice(None),) * axis + (slice(begin, end),)]


def unstack(x: Any, *, axis: int = 0) -> tuple[Array, ...]:
    """Views of the parts along an axis."""
    x = array_of(x)
    axis = normal_axis(axis, x.ndim)
    return tuple(x[(slice(None),) * axis + (i,)] for i in range(x.shape[axis]))


def split(x: Any, parts: Any, *, axis: int = 0) -> list[Array]:
    """Views of consecutive parts along an axis: `parts` equal ones, or parts that begin at the indices in a list."""
    x = array_of(x)
    axis = normal_axis(axis, x.ndim)
    n = x.shape[axis]
    if hasattr(parts, "__iter__"):
        cuts = [operator.index(cut) for cut in parts]
        bounds = [0, *(min(max(cut + n if cut < 0 else cut, 0), n) for cut in cuts), n]
        return [_part(x, axis, begin, max(begin, end)) for begin, end in zip(bounds, bounds[1:])]
    count = operator.index(parts)
    if count < 1 or n % count:
        raise _invalid(f"{n} elements cannot be split into {count} equal parts")
    return [_part(x, axis, i * (n // count), (i + 1) * (n // count)) for i in range(count)]


# --- repeated, shifted, padded ---

def tile(x: Any, repetitions: Any, *, out: Any = None, stream: Any = None) -> Array:
    """Copies of x next to each other, `repetitions` times along each axis."""
    x, times = array_of(x), extents(repetitions)
    return produce(lib.tenon_tile, x._handle, len(times), int64s(times, "a repetition"), None, device=x.device,
                   stream=stream,
            out=out)


def repeat(x: Any, repeats: Any, *, axis: int | None = None, out: Any = None, stream: Any = None) -> Array:
    """Each element `repeats` times in succession; an array gives the number of repetitions for each index along the
    axis."""
    x = array_of(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    if hasattr(repeats, "__len__") or getattr(repeats, "ndim", False):
        counts = array_of(repeats).tolist()
        n = x.shape[normal_axis(axis, x.ndim)]
        if len(counts) == 1:
            counts = counts * n
        if len(counts) != n or not all(isinstance(count, int) and count >= 0 for count in counts):
            raise _invalid(f"repeats holds {n} numbers: it must hold non-negative integers, one per element along axis {axis}")
        index = _int64([i for i, count in enumerate(counts) for _ in range(count)], x.device)
        return take(x, index, axis=axis, out=out, stream=stream)
    count = repeats.item() if isinstance(repeats, Array) else repeats
    return produce(lib.tenon_repeat, x._handle, integer(count, "a number of repetitions"),
            integer(axis, "an axis", ctypes.c_int32), None, device=x.device,
                   stream=stream, out=out)


def roll(x: Any, shift: Any, *, axis: Any = None, out: Any = None, stream: Any = None) -> Array:
    """Shifts elements cyclically along the axes; None: along all elements in C order.

        >>> tenon.roll(tenon.arange(4), 1).tolist()
        [3, 0, 1, 2]
    """
    x = array_of(x)
    if axis is None:
        if hasattr(shift, "__iter__"):
            raise _invalid("several shifts need the same number of axes")
        if out is not None:
            raise _invalid("out needs an axis")
        return roll(x.reshape(-1), shift, axis=0, stream=stream).reshape(x.shape)
    axes = tuple(axis) if hasattr(axis, "__iter__") else (axis,)
    shifts = tuple(shift) if hasattr(shift, "__iter__") else (shift,) * len(axes)
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    if len(axes) == 1:
        axes = axes * len(shifts)
    if len(shifts) != len(axes):
        raise _invalid(f"{len(shifts)} shifts for {len(axes)} axes")
    limited = [operator.index(one) for one in shifts]
    extent = [max(x.shape[normal_axis(one, x.ndim)], 1) for one in axes]
    return produce(lib.tenon_roll, x._handle, int64s([s % n for s, n in zip(limited, extent)]), int32s(axes),
                   len(axes), None, device=x.device, stream=stream,
                   out=out)


def flip(x: Any, *, axis: Any = None) -> Array:
    """A view in reverse order along the axes; None: all axes."""
    x = array_of(x)
    axes = _axes(axis, x.ndim)
    result: Array = x[tuple(slice(None, None, -1) if d in axes else slice(None) for d in range(x.ndim))]
    return result


def pad(x: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0, end_values: Any = 0,
        stat_length: Any = None, out: Any = None, stream: Any = None) -> Array:
    """x with more elements around it, as numpy.pad: pad_width is a number, a pair for all axes, or a pair for each, and
    so are constant_values of mode "constant", end_values of "linear_ramp", and stat_length of "maximum", "mean",
    "median" and "minimum" (None: all elements). Other modes: "edge", "reflect", "symmetric", "wrap", and "empty", which
    leaves the memory as it is.

        >>> tenon.pad(tenon.ones(1), 1).tolist()
        [0.0, 1.0, 0.0]
        >>> tenon.pad(tenon.asarray([4, 8]), 2, "linear_ramp", end_values=(0, 2)).tolist()
        [0, 2, 4, 8, 5, 2]
    """
    x = array_of(x)
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    widths = _pairs(pad_width, x.ndim, "pad_width", operator.index)
    name = _PAD_NUMBERS.get(mode, "")
    numbers = {"constant_values": constant_values, "end_values": end_values, "stat_length": stat_length}
    given = numbers.get(name)
    if name == "stat_length":
        pairs = _pairs(given, x.ndim, name, _stat_length)
    else:
        pairs = _pairs(given, x.ndim, name, _pad_number) if name else [(0, 0)] * x.ndim
    if all(pair == (pairs[0][0],) * 2 for pair in pairs):
        return _padded(x, widths, mode, pairs[0][0] if pairs else 0, out, stream)
    # One axis after the other, as NumPy does; both sides continue the same elements.
    padded: Array = x
    for axis, ((before, after), (first, second)) in enumerate(zip(widths, pairs)):
        sides = [_padded(padded, [(one, two) if at == axis else (0, 0) for at in range(x.ndim)], mode, value, None,
                         stream) for one, two, value in ((before, 0, first), (0, after, second))]
        inner = tuple(slice(x.shape[axis], None) if at == axis else slice(None) for at in range(x.ndim))
        padded = concat([sides[0], sides[1][inner]], axis=axis, out=out if axis == x.ndim - 1 else None, stream=stream)
    return padded


_PAD_NUMBERS = {"constant": "constant_values", "linear_ramp": "end_values", "mean": "stat_length",
                "maximum": "stat_length", "minimum": "stat_length", "median": "stat_length"}


def _padded(x: Array, widths: Sequence[tuple[int, int]], mode: str, number: Any, out: Any, stream: Any) -> Array:
    options = _raw.tenon_pad_options(mode=MODES[mode])
    if _PAD_NUMBERS.get(mode) == "stat_length":
        options.stat_length = integer(number, "stat_length")
    elif number != 0:
        options.value = ctypes.pointer(exact(x.dtype, number))
    return produce(lib.tenon_pad, x._handle, x.ndim, int64s([pair[0] for pair in widths], "a width"),
                   int64s([pair[1] for pair in widths], "a width"), ctypes.byref(options), device=x.device,
                   stream=stream, out=out)


def _pad_number(value: Any) -> Any:
    if not is_number(value):
        raise _invalid(f"constant_values and end_values must be numbers, not {type(value).__name__}")
    return value


def _stat_length(value: Any) -> int:
    if value is None:
        return 0
    if operator.index(value) <= 0:
        raise _invalid(f"stat_length is {value}: it must be positive, or None for all elements")
    return operator.index(value)


def _pairs(given: Any, rank: int, name: str, one: Callable[[Any], Any]) -> list[tuple[Any, Any]]:
    """A number, a pair for all axes, or a pair or a number for each axis, as pairs."""
    if not hasattr(given, "__iter__"):
        return [(one(given), one(given))] * rank
    entries = list(given)
    if entries and not hasattr(entries[0], "__iter__"):
        entries = [entries] if len(entries) == 2 else [(entry, entry) for entry in entries]
    pairs = [tuple(entry) * (3 - len(tuple(entry))) for entry in entries]
    if len(pairs) == 1:
        pairs = pairs * rank
    if len(pairs) != rank or any(len(pair) != 2 for pair in pairs):
        raise _invalid(f"{name} must be a number, a pair, or one pair for each of the {rank} axes")
    return [(one(pair[0]), one(pair[1])) for pair in pairs]


# --- axes ---

def expand_dims(x: Any, /, axis: int | Sequence[int] = 0) -> Array:
    """A view with additional axes of extent 1, at the given position or positions in the result."""
    x = array_of(x)
    several: Any = axis
    rank = x.ndim + (len(several) if hasattr(axis, "__len__") else 1)
    axes = _axes(axis, rank)
    if len(set(axes)) != len(axes):
        raise _invalid(f"axis {axis} names a place twice")
    result: Array = x[tuple(None if d in axes else slice(None) for d in range(rank))]
    return result


def squeeze(x: Any, /, axis: Any = None) -> Array:
    """A view without axes of extent 1: the given ones, or all."""
    x = array_of(x)
    axes = tuple(d for d in range(x.ndim) if x.shape[d] == 1) if axis is None else _axes(axis, x.ndim)
    for d in axes:
        if x.shape[d] != 1:
            raise ShapeError(f"axis {d} has extent {x.shape[d]}: only axes of extent 1 can be removed",
                    _raw.TENON_ERROR_SHAPE)
    result: Array = x[tuple(0 if d in axes else slice(None) for d in range(x.ndim))]
    return result


def permute_dims(x: Any, /, axes: Sequence[int]) -> Array:
    """A view with the axes in another order."""
    return array_of(x).transpose(*axes)


def moveaxis(x: Any, source: Any, destination: Any, /) -> Array:
    """A view with the given axes moved to other positions; the other axes keep their order."""
    x = array_of(x)
    from_, to = _axes(source, x.ndim), _axes(destination, x.ndim)
    if len(from_) != len(to) or len(set(from_)) != len(from_) or len(set(to)) != len(to):
        raise _invalid("source and destination must name the same number of axes, each once")
    order = [d for d in range(x.ndim) if d not in from_]
    for place, axis in sorted(zip(to, from_)):
        order.insert(place, axis)
    result: Array = x.transpose(*order) if order else x
    return result


def broadcast_arrays(*arrays: Any) -> tuple[Array, ...]:
    """Views of the arrays with the shape to which they broadcast together."""
    list_ = [array_of(x) for x in arrays]
    shape = broadcast_shapes(*(x.shape for x in list_))
    return tuple(x if x.shape == shape else x.broadcast_to(shape) for x in list_)


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which arrays of these shapes broadcast."""
    rank = max(map(len, shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for d, extent in enumerate(shape, rank - len(shape)):
            if extent != 1 and result[d] not in (1, extent):
                raise ShapeError(f"shapes {', '.join(map(str, shapes))} cannot be broadcast together",
                        _raw.TENON_ERROR_SHAPE)
            if extent != 1:
                result[d] = extent
    return tuple(result)


def broadcast_to(x: Any, /, shape: Any) -> Array:
    """A read-only view of a larger shape."""
    return array_of(x).broadcast_to(shape)


def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """The same elements in another shape: a view if the strides allow one and copy is not True, else a copy. With
    copy=False, ValueError if the strides do not allow a view."""
    x = array_of(x)
    result = x.reshape(shape)
    shared = result.data_ptr == x.data_ptr
    if copy is False and result.size and not shared:
        raise ValueError("this shape needs a copy, and copy=False forbids one")
    made: Array = result.copy() if copy and shared else result
    return made


# --- by index ---

def _int64(values: list[int], device: Any) -> Array:
    if not values:
        return empty((0,), "int64", device=device)
    result = asarray(values, dtype="int64")
    return result if result.device == device else result.to_device(device)


def _index_array(x: Any, device: Any) -> Array:
    if isinstance(x, (list, tuple)) and not x:
        return empty((0,), "int64", device=device)
    return array_of(x, device)


def _take(x: Array, indices: list[Array], axes: list[int], along: bool, out: Any, stream: Any) -> Array:
    options = _raw.tenon_take_options(along=along)
    return produce(lib.tenon_take, x._handle, handles(indices), int32s(axes), len(indices), ctypes.byref(options),
            device=x.device, stream=stream, out=out)


def _scatter(x: Array, values: Any, indices: list[Array], axes: list[int], along: bool, operation: str,
        stream: Any) -> None:
    if operation not in OPERATIONS:
        raise ValueError(f"operation must be one of {', '.join(OPERATIONS)}, not {operation!r}")
    source = full((), values, x.dtype, device=x.device) if is_number(values) else array_of(values, x.device)
    options = _raw.tenon_take_options(along=along, operation=OPERATIONS[operation])
    stream = as_stream(stream, x.device)
    check(lib.tenon_scatter(x._handle, source._handle, handles(indices), int32s(axes), len(indices),
            ctypes.byref(options), stream_handle(stream)))


def take(x: Any, indices: Any, /, axis: int | None = None, *, mode: str = "raise", out: Any = None,
         stream: Any = None) -> Array:
    """The parts along an axis selected by the indices, which may have any shape; None: selects from all elements in C
    order. mode: what an index out of range does, as in NumPy: "raise", "wrap" around or "clip" to the ends, where
    negative ones select the first part.

        >>> tenon.take(tenon.asarray([5, 6, 7]), [2, 0]).tolist()
        [7, 5]
    """
    if _compute.tracer is not None:
        traced = _compute.tracer("take", 0, (x, indices), out, stream, (axis, False))
        if traced is not NotImplemented:
            return traced
    x = array_of(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    index = _index_array(indices, x.device)
    if mode != "raise":
        index = _within(index, x.shape[normal_axis(axis, x.ndim)], mode, stream)
    return _take(x, [index], [axis], False, out, stream)


def _within(index: Array, extent: int, mode: str, stream: Any) -> Array:
    if mode not in ("wrap", "clip"):
        raise ValueError(f'mode must be "raise", "wrap" or "clip", not {mode!r}')
    if extent == 0:
        return index  # out of range, whatever it is
    index = index.astype("int64", copy=False, stream=stream)
    if mode == "clip":
        return _compute.clip(index, 0, extent - 1, stream=stream)
    from ._functions import remainder

    return remainder(index, extent, stream=stream)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1, out: Any = None, stream: Any = None) -> Array:
    """Takes from each line along the axis the elements that the corresponding indices select; with the result of
    argsort, the sorted array."""
    if _compute.tracer is not None:
        traced = _compute.tracer("take", 0, (x, indices), out, stream, (axis, True))
        if traced is not NotImplemented:
            return traced
    x = array_of(x)
    return _take(x, [_index_array(indices, x.device)], [axis], True, out, stream)


gather = take_along_axis


def put_along_axis(x: Any, indices: Any, values: Any, /, *, axis: int = -1, operation: str = "assign",
        stream: Any = None) -> None:
    """Writes the elements that take_along_axis reads."""
    given, x = x, target(x, "x")
    _scatter(x, values, [_index_array(indices, x.device)], [axis], True, operation, stream)
    written(given, stream=as_stream(stream, x.device))


def scatter(x: Any, indices: Any, values: Any, /, *, axis: int = 0, operation: str = "assign",
        stream: Any = None) -> None:
    """Writes values to the parts of x along an axis selected by the indices. operation: "assign", or "add", "min" or
    "max" of the old element and all values written to it."""
    given, x = x, target(x, "x")
    _scatter(x, values, [_index_array(indices, x.device)], [axis], False, operation, stream)
    written(given, stream=as_stream(stream, x.device))


def put(x: Any, indices: Any, values: Any, /, *, stream: Any = None) -> None:
    """Writes to the elements with these indices in C order; x must be C-ordered."""
    given, x = x, target(x, "x")
    if not x.c_contiguous:
        raise _invalid("put counts the elements in C order: the array must be C-contiguous")
    _scatter(x.reshape(-1), values, [_index_array(indices, x.device)], [0], False, "assign", stream)
    written(given, stream=as_stream(stream, x.device))


def nonzero(x: Any, /, *, stream: Any = None) -> tuple[Array, ...]:
    """The indices of the nonzero elements: one array per axis."""
    x = array_of(x)
    return unstack(produce(lib.tenon_nonzero, x._handle, None, device=x.device, stream=stream))


def argwhere(x: Any, /, *, stream: Any = None) -> Array:
    """The indices of the nonzero elements: one row per element."""
    x = array_of(x)
    return produce(lib.tenon_nonzero, x._handle, None, device=x.device, stream=stream).T


def flatnonzero(x: Any, /, *, stream: Any = None) -> Array:
    """The indices in C order of the nonzero elements."""
    return nonzero(array_of(x).reshape(-1), stream=stream)[0]


def compress(condition: Any, x: Any, /, *, axis: int | None = None, out: Any = None, stream: Any = None) -> Array:
    """The parts along an axis where the one-dimensional condition is true; a shorter condition drops the rest."""
    x = array_of(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    mask = array_of(condition, x.device)
    axis = normal_axis(axis, x.ndim)
    if mask.ndim == 1 and mask.shape[0] < x.shape[axis]:
        x = _part(x, axis, 0, mask.shape[0])
    return _compress(x, mask, axis, out, stream)


def _compress(x: Array, mask: Array, axis: int, out: Any, stream: Any) -> Array:
    return produce(lib.tenon_compress, x._handle, mask._handle, axis, None, device=x.device, stream=stream, out=out)


# --- NumPy's subscripts ---

_PLAIN = (int, slice, type(None), type(Ellipsis))


def is_advanced(key: Any) -> bool:
    """Whether the subscript contains an array, a list or a bool."""
    kind = type(key)
    if kind in _PLAIN:
        return False
    return any(map(_selects, key)) if kind is tuple else _selects(key)


def _selects(entry: Any) -> bool:
    if type(entry) in _PLAIN:
        return False
    return (isinstance(entry, (bool, list, tuple, Array)) or bool(getattr(entry, "ndim", False))
            or getattr(getattr(entry, "dtype", None), "kind", None) == "b")


def _is_integer(entry: Any) -> bool:
    """Whether it is an integer, or an array of one that Python accepts as an integer; NumPy's bools are not."""
    if type(entry) in _PLAIN:
        return True
    kind = getattr(getattr(entry, "dtype", None), "kind", None)
    if isinstance(entry, Array) or getattr(entry, "ndim", False) or kind == "b" or isinstance(entry, (list, tuple)):
        return False
    return hasattr(entry, "__index__")


def _resolved(x: Array, key: Any) -> tuple[Array, list[Array], list[int], int | None]:
    """A view of x, the index arrays, the axes of the view that they index, and an axis to drop from the result."""
    entries = list(key) if type(key) is tuple else [key]
    device, used = x.device, 0
    parsed: list[Any] = []
    numbers: dict[int, int] = {}  # integers, by their place in `parsed`
    for entry in entries:
        if entry is Ellipsis or entry is None or isinstance(entry, slice):
            parsed.append(entry)
            used += isinstance(entry, slice)
        elif isinstance(entry, bool) or (getattr(entry, "ndim", None) == 0 and as_dtype(entry.dtype).kind == "b"):
            parsed.append(bool(entry))
        else:
            if _is_integer(entry):
                numbers[len(parsed)] = operator.index(entry)
                array = _int64_scalar(numbers[len(parsed)], device)
            else:
                array = _index_array(entry, device)
            parsed.append(array)
            used += array.ndim if array.dtype.kind == "b" else 1
    if sum(entry is Ellipsis for entry in parsed) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > x.ndim:
        raise IndexError(f"too many indices: the array has {x.ndim} axes, but {used} were indexed")
    if not any(entry is Ellipsis for entry in parsed):
        parsed.append(Ellipsis)

    basic: list[Any] = []
    indices: list[Array] = []
    axes: list[int] = []
    consumed, dummy = 0, None
    for at, entry in enumerate(parsed):
        if entry is Ellipsis:
            missing = x.ndim - used
            if missing == 0 and indices and any(isinstance(later, (Array, bool)) for later in parsed[at + 1:]):
                dummy = len(basic)  # it separates the index arrays nevertheless
                basic.append(None)
            basic.extend([slice(None)] * missing)
            consumed += missing
        elif entry is None:
            basic.append(None)
        elif isinstance(entry, slice):
            basic.append(entry)
            consumed += 1
        elif isinstance(entry, bool):
            axes.append(len(basic))
            basic.append(None)
            indices.append(_int64([0] if entry else [], device))
        elif entry.dtype.kind == "b":
            # As in NumPy and the standard, an extent of 0 matches any extent.
            if any(own not in (extent, 0) for own, extent in zip(entry.shape, x.shape[consumed:])):
                raise IndexError(f"the mask has shape {entry.shape}, but the axes that it selects have "
                                 f"{x.shape[consumed:consumed + entry.ndim]}")
            for one in nonzero(entry):
                axes.append(len(basic))
                basic.append(slice(None))
                indices.append(one)
            consumed += entry.ndim
        else:
            if at in numbers and not -x.shape[consumed] <= numbers[at] < x.shape[consumed]:  # of empty results, too
                raise IndexError(f"index {numbers[at]} is out of range: axis {consumed} has extent {x.shape[consumed]}")
            axes.append(len(basic))
            basic.append(slice(None))
            indices.append(entry)
            consumed += 1
    view = x[tuple(basic)]
    drop = None
    if dummy is not None:  # then their axes come first
        common = len(broadcast_shapes(*(index.shape for index in indices)))
        drop = common + sum(d not in axes for d in range(dummy))
    return view, indices, axes, drop


def _int64_scalar(value: int, device: Any) -> Array:
    return full((), value, "int64", device=device)


def _mask_alone(x: Array, key: Any) -> Array | None:
    if isinstance(key, (tuple, bool)) or not getattr(key, "ndim", 0):
        return None
    mask = array_of(key, x.device)
    return mask if mask.dtype.kind == "b" and mask.shape == x.shape[:mask.ndim] else None


def pick(x: Array, key: Any) -> Array:
    """x[key] with arrays, lists or bools in the key: a new array."""
    mask = _mask_alone(x, key)
    if mask is not None:
        return _compress(x, mask, 0, None, None)
    try:
        view, indices, axes, drop = _resolved(x, key)
        result = _take(view, indices, axes, False, None, None)
    except (InvalidArgument, ShapeError, DTypeError) as error:
        raise _index_error(error) from None
    return result if drop is None else result[(slice(None),) * drop + (0,)]


class _IndexError(InvalidArgument, IndexError):
    """An index or axis out of range, or indices with incompatible shapes."""


def _index_error(error: Any) -> IndexError:
    return _IndexError(str(error), error.status)


def place(x: Array, key: Any, value: Any) -> None:
    """x[key] = value with arrays, lists or bools in the key."""
    try:
        _place(x, key, value)
    except (InvalidArgument, DTypeError) as error:
        raise _index_error(error) from None


def _place(x: Array, key: Any, value: Any) -> None:
    view, indices, axes, drop = _resolved(x, key)
    if not is_number(value):
        value = array_of(value, x.device)
        shape = broadcast_shapes(*(index.shape for index in indices))
        kept = len(shape) + sum(d not in axes for d in range(view.ndim)) - (drop is not None)
        while value.ndim > kept and value.shape[0] == 1:
            value = value[0]
        if drop is not None and value.ndim > kept - drop:
            value = expand_dims(value, axis=drop - kept - 1 if value.ndim < kept else drop)
    _scatter(view, value, indices, axes, False, "assign", None)


# --- new arrays ---

def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None,
        stream: Any = None) -> Array:
    """start, start + step ... up to but excluding stop; a single number is stop.

        >>> tenon.arange(1, 7, 2).tolist()
        [1, 3, 5]
    """
    if stop is None:
        start, stop = 0, start
    numbers = [value.item() if isinstance(value, Array) else value for value in (start, stop, step)]
    whole = all(hasattr(value, "__index__") for value in numbers)
    wanted = as_dtype(("int64" if whole else "float64") if dtype is None else dtype)
    start, stop, step = (map(operator.index, numbers) if whole else map(float, numbers))
    if step == 0:
        raise _invalid("step is 0: the range would be endless")
    count = max(0, -((start - stop) // step)) if whole else max(0, math.ceil((stop - start) / step))
    return _range(count, wanted, start, step, None, device, stream)


def linspace(start: Any, stop: Any, /, num: int = 50, *, dtype: Any = None, device: Any = None, endpoint: bool = True,
        stream: Any = None) -> Array:
    """num evenly spaced numbers from start to stop; with endpoint, stop is the last.

        >>> tenon.linspace(0, 1, 3).tolist()
        [0.0, 0.5, 1.0]
    """
    count = operator.index(num)
    if count < 0:
        raise _invalid(f"num is {count}: it must not be negative")
    first, last = (value.item() if isinstance(value, Array) else value for value in (start, stop))
    if isinstance(first, complex) or isinstance(last, complex):
        raise TypeError("linspace does not support complex numbers: make the real and imaginary parts separately")
    wanted = as_dtype("float64" if dtype is None else dtype)
    first, last = float(first), float(last)
    parts = count - 1 if endpoint else count
    step = (last - first) / parts if parts > 0 else 0.0
    real = wanted if wanted.kind in "fc" else BY_NAME["float64"]
    result = _range(count, real, first, step, last if endpoint and count > 1 else None, device, stream)
    return result if real is wanted else result.astype(wanted, stream=stream)


def _range(count: int, dtype: Any, start: Any, step: Any, last: Any, device: Any, stream: Any) -> Array:
    device = as_device(device)
    options = _raw.tenon_range_options(start=float(start), step=float(step), has_last=last is not None,
            last=0.0 if last is None else last)
    if dtype.kind in "iu":
        options.first, options.integer_step = ((int(value) + 2**63) % 2**64 - 2**63 for value in (start, step))
    return produce(lib.tenon_range, device._handle, dtype.code, integer(count, "a number of elements"),
            ctypes.byref(options), device=device, stream=stream)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None,
        stream: Any = None) -> Array:
    """A matrix with ones where column - row is k, else zeros; dtype None: float64.

        >>> tenon.eye(2).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    device = as_device(device)
    rows = integer(n_rows, "an extent")
    columns = rows if n_cols is None else integer(n_cols, "an extent")
    return produce(lib.tenon_eye, device._handle, as_dtype(FLOAT64 if dtype is None else dtype).code, rows, columns,
                   _options_of_diagonal(_diagonal(k, rows, columns)), device=device, stream=stream)


def _options_of_diagonal(diagonal: int, upper: bool = False) -> Any:
    return ctypes.byref(_raw.tenon_diagonal_options(upper=upper, diagonal=diagonal))


def _diagonal(k: int, rows: int, columns: int) -> int:
    """The number of a diagonal, clamped: all diagonals outside the matrix are equivalent."""
    return max(-rows, min(operator.index(k), columns))


def identity(n: int, dtype: Any = None, *, device: Any = None) -> Array:
    """A square matrix with ones on the diagonal."""
    return eye(n, dtype=dtype, device=device)


def tril(x: Any, /, *, k: int = 0, out: Any = None, stream: Any = None) -> Array:
    """The matrices in the last two axes, with zeros where column - row > k."""
    x = array_of(x)
    return _triangle(x, False, k, out, stream)


def triu(x: Any, /, *, k: int = 0, out: Any = None, stream: Any = None) -> Array:
    """The matrices in the last two axes, with zeros where column - row < k."""
    x = array_of(x)
    return _triangle(x, True, k, out, stream)


def _triangle(x: Array, upper: bool, k: int, out: Any, stream: Any) -> Array:
    k = _diagonal(k, *x.shape[-2:]) if x.ndim > 1 else 0
    return produce(lib.tenon_triangle, x._handle, _options_of_diagonal(k, upper), device=x.device, stream=stream,
                   out=out)


def tri(rows: int, columns: int | None = None, k: int = 0, dtype: Any = None, *, device: Any = None) -> Array:
    """A matrix with ones at and below diagonal k."""
    ones = full((), 1, FLOAT64 if dtype is None else dtype, device=device).broadcast_to((operator.index(rows),
            operator.index(rows if columns is None else columns)))
    return tril(ones, k=k)


def diagonal(x: Any, /, offset: int = 0) -> Array:
    """A view of the diagonal of the last two axes."""
    x = array_of(x)
    if x.ndim < 2:
        raise ShapeError(f"an array of {x.ndim} axes has no diagonal", _raw.TENON_ERROR_SHAPE)
    rows, columns = x.shape[-2:]
    offset = operator.index(offset)
    length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    part = x[..., max(-offset, 0):, max(offset, 0):][..., :length, :length]
    strides = (*part.strides[:-2], part.strides[-2] + part.strides[-1])
    return _with_strides(part, part.shape[:-1], strides)


def _with_strides(x: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    from ._handle import make

    buffer = make(lib.tenon_array_buffer, x._handle)
    try:
        data, size = ctypes.c_void_p(), ctypes.c_uint64()
        check(lib.tenon_buffer_data(buffer, ctypes.byref(data), ctypes.byref(size)))
        offset = x._data - (data.value or 0) if x.size else 0
        return Array._own(make(lib.tenon_array_from_buffer, buffer, x.dtype.code, len(shape), int64s(shape),
                int64s(strides), offset))
    finally:
        lib.tenon_buffer_release(buffer)


def diag(x: Any, /, k: int = 0) -> Array:
    """For a vector, a matrix with the vector on diagonal k; for a matrix, a view of its diagonal k."""
    x = array_of(x)
    if x.ndim == 2:
        return diagonal(x, offset=k)
    if x.ndim != 1:
        raise ShapeError(f"diag takes arrays of one or two axes, not of {x.ndim}", _raw.TENON_ERROR_SHAPE)
    from ._creation import zeros

    n = x.shape[0] + abs(operator.index(k))
    result = zeros((n, n), x.dtype, device=x.device)
    diagonal(result, offset=k)[...] = x
    return result


def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Array, ...]:
    """The coordinates of a grid: one array per axis, as read-only views."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f'indexing must be "xy" or "ij", not {indexing!r}')
    list_ = [array_of(x) for x in arrays]
    for x in list_:
        if x.ndim > 1:
            raise ShapeError(f"meshgrid takes arrays of one axis, not of {x.ndim}", _raw.TENON_ERROR_SHAPE)
    swap = indexing == "xy" and len(list_) > 1
    place_of = [1, 0, *range(2, len(list_))] if swap else range(len(list_))
    shape = [0] * len(list_)
    for x, d in zip(list_, place_of):
        shape[d] = x.size
    result = []
    for x, d in zip(list_, place_of):
        own = [1] * len(list_)
        own[d] = x.size
        result.append(x.reshape(own).broadcast_to(shape))
    return tuple(result)
