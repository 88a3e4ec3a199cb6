"""Sorting, searching, sets and counting. The order is NumPy's, with NaN last. Sorts are stable, in ascending and
descending order."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple
from collections.abc import Sequence

from . import _raw, _reductions
from ._array import Array
from ._creation import asarray, full
from ._dtypes import as_dtype, is_number
from ._errors import DTypeError, ShapeError, Unsupported
from ._functions import add, equal, minimum, not_equal, remainder
from ._integers import integer
from ._library import lib
from ._moving import _invalid, arange, concat, linspace, normal_axis, scatter, take, take_along_axis
from ._produce import array_of, produce, produce_several
from ._stream import as_stream, stream_handle
from ._torch import recording

INT32 = ctypes.c_int32


def _line(x: Any, axis: int | None) -> tuple[Array, int]:
    x = array_of(x)
    return (x.reshape(-1), 0) if axis is None else (x, axis)


def sort(x: Any, /, *, axis: int | None = -1, descending: bool = False, stable: bool = True, out: Any = None,
        stream: Any = None) -> Array:
    """A sorted copy along an axis (None: all elements). The sort is always stable; NaN comes last in both directions.

        >>> tenon.sort(tenon.asarray([3, 1, 2])).tolist()
        [1, 2, 3]
    """
    x, axis = _line(x, axis)
    options = _raw.tenon_sort_options(descending=bool(descending))
    if out is not None:
        return produce(lambda *given: lib.tenon_sort(*given, None), x._handle, integer(axis, "an axis", INT32),
                ctypes.byref(options), device=x.device,
                       stream=stream, out=out)
    result: Array = produce_several(lib.tenon_sort, x._handle, integer(axis, "an axis", INT32), ctypes.byref(options),
            device=x.device, stream=stream,
                           wanted=[True, False])[0]
    return result


def argsort(x: Any, /, *, axis: int | None = -1, descending: bool = False, stable: bool = True,
        stream: Any = None) -> Array:
    """The indices that sort along an axis, as int64.

        >>> tenon.argsort(tenon.asarray([3, 1, 2]), descending=True).tolist()
        [0, 2, 1]
    """
    x, axis = _line(x, axis)
    options = _raw.tenon_sort_options(descending=bool(descending))
    result: Array = produce_several(lib.tenon_sort, x._handle, integer(axis, "an axis", INT32), ctypes.byref(options),
            device=x.device, stream=stream,
                           wanted=[False, True])[1]
    return result


class TopK(NamedTuple):
    values: Array
    indices: Array


def top_k(x: Any, k: int, /, *, axis: int = -1, largest: bool = True, stream: Any = None) -> TopK:
    """The k largest (or smallest) elements along an axis, in that order, and their indices; the first among equal
    elements."""
    x = array_of(x)
    options = _raw.tenon_top_k_options(smallest=not largest)
    return TopK(*produce_several(lib.tenon_top_k, x._handle, integer(k, "k"), integer(axis, "an axis", INT32),
            ctypes.byref(options), device=x.device,
                                 stream=stream, wanted=[True, True]))


def partition(x: Any, kth: Any, /, *, axis: int | None = -1, stream: Any = None) -> Array:
    """numpy.partition; the result is completely sorted, which is more than NumPy promises."""
    _check_kth(*_line(x, axis), kth)
    return sort(x, axis=axis, stream=stream)


def argpartition(x: Any, kth: Any, /, *, axis: int | None = -1, stream: Any = None) -> Array:
    """The indices of partition's result."""
    _check_kth(*_line(x, axis), kth)
    return argsort(x, axis=axis, stream=stream)


def _check_kth(x: Array, axis: int, kth: Any) -> None:
    n = x.shape[normal_axis(axis, x.ndim)]
    for one in kth if hasattr(kth, "__iter__") else (kth,):
        if not -n <= operator.index(one) < n:
            raise _invalid(f"kth is {one}, but there are {n} elements")


def lexsort(keys: Sequence[Any], /, *, axis: int = -1, stream: Any = None) -> Array:
    """The indices that sort by several keys; the last key is the primary one."""
    list_ = [array_of(key) for key in keys]
    if not list_:
        raise _invalid("lexsort needs at least one key")
    order = argsort(list_[0], axis=axis, stream=stream)
    for key in list_[1:]:
        step = argsort(take_along_axis(key, order, axis=axis, stream=stream), axis=axis, stream=stream)
        order = take_along_axis(order, step, axis=axis, stream=stream)
    return order


def searchsorted(sorted_: Any, values: Any, /, *, side: str = "left", sorter: Any = None, stream: Any = None) -> Array:
    """The indices at which values would have to be inserted into a sorted one-dimensional array: before equal elements,
    or after them with side="right".

        >>> tenon.searchsorted(tenon.asarray([1, 3, 5]), tenon.asarray([0, 3, 9])).tolist()
        [0, 1, 3]
    """
    if side not in ("left", "right"):
        raise ValueError(f'side must be "left" or "right", not {side!r}')
    list_ = array_of(sorted_)
    if sorter is not None:
        list_ = take(list_, sorter, stream=stream)
    wanted = (asarray(values, dtype=list_.dtype).to_device(list_.device, stream=stream) if is_number(values)
              else array_of(values, list_.device))
    common = _common(list_, wanted)
    options = _raw.tenon_search_options(right=side == "right")
    list_, wanted = list_.astype(common, copy=False, stream=stream), wanted.astype(common, copy=False, stream=stream)
    return produce(lib.tenon_search_sorted, list_._handle, wanted._handle, ctypes.byref(options), device=list_.device,
                   stream=stream)


def interp(x: Any, xp: Any, fp: Any, left: float | None = None, right: float | None = None,
           period: float | None = None, *, out: Any = None, stream: Any = None) -> Array:
    """numpy.interp: at each x the function that is fp[i] at xp[i] and linear between two points; xp ascends. left and
    right: the results below and above the points (None: the first and the last value). period: that of the function;
    xp need not ascend then. float32 if all three arrays are, else float64.

        >>> tenon.interp(tenon.asarray([-1.0, 0.5, 1.5, 9.0]), [0.0, 1.0, 2.0], [5.0, 7.0, 3.0]).tolist()
        [5.0, 6.0, 5.0, 3.0]
    """
    device = next((one.device for one in (x, xp, fp) if isinstance(one, Array)), None)
    arrays = [array_of(one, device) for one in (x, xp, fp)]
    dtype = "float32" if all(one.dtype.name == "float32" for one in arrays) else "float64"
    at, points, values = (one.astype(dtype, copy=False, stream=stream) for one in arrays)
    if period is not None:
        at, points, values = _periodic(at, points, values, abs(float(period)), stream)
        left = right = None
    options = _raw.tenon_interpolate_options(has_below=left is not None, has_above=right is not None,
                                             below=left or 0.0, above=right or 0.0)
    return produce(lib.tenon_interpolate, at._handle, points._handle, values._handle, ctypes.byref(options),
                   device=at.device, stream=stream, out=out)


def _periodic(at: Array, points: Array, values: Array, period: float, stream: Any) -> tuple[Array, Array, Array]:
    """All points within [0, period) and in order, with the last one repeated below them and the first one above."""
    if period == 0:
        raise _invalid("period is 0: a period must not be 0")
    if points.ndim != 1 or points.shape != values.shape:
        raise ShapeError(f"xp has shape {points.shape} and fp {values.shape}: they must be lists of the same length",
                         _raw.TENON_ERROR_SHAPE)
    at, points = (remainder(one, period, stream=stream) for one in (at, points))
    order = argsort(points, stream=stream)
    points, values = (take(one, order, stream=stream) for one in (points, values))
    below, above = (add(part, by, stream=stream) for part, by in ((points[-1:], -period), (points[:1], period)))
    return (at, concat([below, points, above], stream=stream),
            concat([values[-1:], values, values[:1]], stream=stream))


def _common(a: Array, b: Array) -> Any:
    """The common dtype of both, by NumPy's promotion."""
    if a.dtype is b.dtype:
        return a.dtype
    import numpy

    try:
        return as_dtype(numpy.promote_types(numpy.dtype(a.dtype.name), numpy.dtype(b.dtype.name)).name)
    except TypeError:
        raise DTypeError(f"{a.dtype} and {b.dtype} have no common dtype: convert one of them",
                _raw.TENON_ERROR_DTYPE) from None


# --- sets ---

class UniqueAll(NamedTuple):
    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    values: Array
    inverse_indices: Array


def _unique(x: Any, indices: bool, inverse: bool, counts: bool, distinct: bool, stream: Any) -> list[Any]:
    x = array_of(x)
    options = _raw.tenon_unique_options(nan_distinct=distinct)
    return produce_several(lib.tenon_unique, x._handle, ctypes.byref(options), device=x.device, stream=stream,
            wanted=[True, indices, inverse, counts])


def unique(x: Any, /, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, *,
        equal_nan: bool = True,
           stream: Any = None) -> Any:
    """The distinct values in ascending order; on request, the index of the first of each, for each element the index of
    its value, and how often each value occurs.

        >>> tenon.unique(tenon.asarray([2, 1, 2])).tolist()
        [1, 2]
    """
    results = [one for one in _unique(x, return_index, return_inverse, return_counts, not equal_nan,
            stream) if one is not None]
    return results[0] if len(results) == 1 else tuple(results)


def unique_all(x: Any, /) -> UniqueAll:
    """The distinct values, the index of the first of each, the index of each element's value, and how often each value
    occurs."""
    return UniqueAll(*_unique(x, True, True, True, True, None))


def unique_counts(x: Any, /) -> UniqueCounts:
    """The distinct values, and how often each occurs."""
    found = _unique(x, False, False, True, True, None)
    return UniqueCounts(found[0], found[3])


def unique_inverse(x: Any, /) -> UniqueInverse:
    """The distinct values, and the index of each element's value."""
    found = _unique(x, False, True, False, True, None)
    return UniqueInverse(found[0], found[2])


def unique_values(x: Any, /) -> Array:
    """The distinct values."""
    result: Array = _unique(x, False, False, False, True, None)[0]
    return result


def isin(x: Any, test: Any, /, *, invert: bool = False, stream: Any = None) -> Array:
    """For each element, whether it equals an element of `test`. NaN equals none."""
    x = array_of(x)
    list_ = array_of(test, x.device).reshape(-1)
    if not list_.size:
        return full(x.shape, bool(invert), "bool", device=x.device, stream=stream)
    common = _common(x, list_)
    x, list_ = x.astype(common, copy=False, stream=stream), list_.astype(common, copy=False, stream=stream)
    ordered = sort(list_, stream=stream)
    places = minimum(searchsorted(ordered, x, stream=stream), list_.size - 1, stream=stream)
    nearest = take(ordered, places, stream=stream)
    return not_equal(nearest, x, stream=stream) if invert else equal(nearest, x, stream=stream)


def union1d(a: Any, b: Any, /) -> Array:
    """The distinct values in a or b, in ascending order."""
    a, b = array_of(a).reshape(-1), array_of(b).reshape(-1)
    common = _common(a, b)
    result: Array = unique(concat([a.astype(common, copy=False), b.astype(common, copy=False)]))
    return result


def intersect1d(a: Any, b: Any, /) -> Array:
    """The distinct values in both a and b, in ascending order."""
    values = unique(a)
    result: Array = values[isin(values, b)]
    return result


def setdiff1d(a: Any, b: Any, /) -> Array:
    """The distinct values in a but not in b, in ascending order."""
    values = unique(a)
    result: Array = values[isin(values, b, invert=True)]
    return result


def setxor1d(a: Any, b: Any, /) -> Array:
    """The distinct values in exactly one of a and b, in ascending order.

        >>> tenon.setxor1d(tenon.asarray([1, 2, 3]), tenon.asarray([3, 4])).tolist()
        [1, 2, 4]
    """
    a, b = unique(array_of(a)), unique(array_of(b))
    common = _common(a, b)
    a, b = a.astype(common, copy=False), b.astype(common, copy=False)
    return sort(concat([a[isin(a, b, invert=True)], b[isin(b, a, invert=True)]]))


def merge(a: Any, b: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Two one-dimensional arrays in ascending order as one; elements of a come before equal ones of b. Each element is
    placed by a search, without sorting again. If one of them is not in order, neither is the result.

        >>> tenon.merge(tenon.asarray([1, 4]), tenon.asarray([2, 4, 9])).tolist()
        [1, 2, 4, 4, 9]
    """
    from ._creation import empty
    from ._functions import add

    a, b = array_of(a), array_of(b)
    for one in (a, b):
        if one.ndim != 1:
            raise _invalid(f"merge takes arrays with one axis, not {one.ndim}")
    common = _common(a, b)
    a, b = a.astype(common, copy=False, stream=stream), b.astype(common, copy=False, stream=stream)
    result: Array = empty(a.size + b.size, common, device=a.device, stream=stream) if out is None else out
    if out is not None and array_of(out).shape != (a.size + b.size,):
        raise ShapeError(f"out has shape {out.shape}: the result has {a.size + b.size} elements",
                         _raw.TENON_ERROR_SHAPE)
    for one, other, side in ((a, b, "left"), (b, a, "right")):
        before = searchsorted(other, one, side=side, stream=stream)
        places = add(before, arange(one.size, dtype="int64", device=a.device, stream=stream), stream=stream)
        scatter(result, places, one, axis=0, stream=stream)
    return result


def digitize(x: Any, bins: Any, right: bool = False, *, stream: Any = None) -> Array:
    """For each element of x the number of its bin, as numpy.digitize: bins[i - 1] <= x < bins[i] gives i; with right,
    bins[i - 1] < x <= bins[i]. bins ascend or descend; reading their ends waits."""
    edges = array_of(bins)
    if edges.ndim != 1:
        raise _invalid(f"bins has {edges.ndim} axes: it must have one")
    _looks("digitize", edges, stream)
    side = "left" if right else "right"
    host = edges.tolist()
    if any(not low <= high for low, high in zip(host, host[1:])) and \
            any(not low >= high for low, high in zip(host, host[1:])):
        raise _invalid("bins must ascend or descend")
    if edges.size > 1 and edges[0].item() > edges[-1].item():
        from ._functions import subtract

        return subtract(edges.size, searchsorted(edges[::-1], x, side=side, stream=stream), stream=stream)
    return searchsorted(edges, x, side=side, stream=stream)


# --- counting ---

def _looks(what: str, x: Array, stream: Any) -> None:
    """Refuses a stream that records a graph: the function reads elements, which do not exist while recording."""
    if stream is not None and stream_handle(as_stream(stream, x.device)) in recording:
        raise Unsupported(f"{what} must wait for elements of the array, but the stream is recording a graph: do "
                          f"it before or after", _raw.TENON_ERROR_UNSUPPORTED)


def bincount(x: Any, /, weights: Any = None, minlength: int = 0, *, stream: Any = None) -> Array:
    """How often each of the numbers 0, 1, ... occurs in x, or the sum of the weights at its occurrences.

        >>> tenon.bincount(tenon.asarray([0, 2, 2])).tolist()
        [1, 0, 2]
    """
    x = array_of(x)
    if x.dtype.kind not in "iu":
        raise DTypeError(f"bincount counts integers, not {x.dtype}", _raw.TENON_ERROR_DTYPE)
    if operator.index(minlength) < 0:
        raise _invalid(f"minlength is {minlength}: it must not be negative")
    _looks("bincount", x, stream)
    largest = _reductions.max(x, stream=stream).item() if x.size else -1
    if weights is not None:
        weights = array_of(weights, x.device).astype("float64", copy=False, stream=stream)
    return produce(lib.tenon_bincount, x._handle, None if weights is None else weights._handle,
                   max(int(largest) + 1, operator.index(minlength)), None, device=x.device, stream=stream)


def histogram(x: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None, *,
              stream: Any = None) -> tuple[Array, Array]:
    """The number of elements between neighbouring edges, or the sum of their weights; and the edges. The last bin
    includes its upper edge. bins: the number of bins within `range` (None: from the smallest to the largest element),
    or the edges. density: divides the counts by their sum and by the widths of the bins.

        >>> tenon.histogram(tenon.asarray([0.0, 1.0, 4.0]), 2, density=True)[0].tolist()
        [0.3333333333333333, 0.16666666666666666]
    """
    x = array_of(x).reshape(-1)
    _looks("histogram", x, stream)
    if getattr(bins, "ndim", 0) or isinstance(bins, (list, tuple)):
        edges = array_of(bins, x.device)
        host = edges.tolist()
        if edges.ndim != 1 or any(not low <= high for low, high in zip(host, host[1:])):
            raise _invalid("the edges must be a list in ascending order")
    else:
        count = operator.index(bins)
        if count < 1:
            raise _invalid(f"bins is {count}: it must be at least 1")
        if range is None:
            low, high = _ends(x, stream) if x.size else (0.0, 1.0)
        else:
            low, high = map(float, range)
        if not (float("-inf") < low <= high < float("inf")):
            raise _invalid(f"bins need two finite ends in ascending order, not {low} and {high}")
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = linspace(low, high, count + 1, dtype=x.dtype if x.dtype.kind == "f" else "float64", device=x.device,
                         stream=stream)
    count = edges.size - 1
    if count < 1:
        raise _invalid("one bin needs two edges")
    common = _common(x, edges)
    if common.name == "bfloat16":
        common = as_dtype("float32")
    upper, open_end = _raised(edges.astype(common, stream=stream), common, stream)
    x = x.astype(common, copy=False, stream=stream)
    if weights is not None:
        weights = array_of(weights, x.device).reshape(-1).astype("float64", copy=False, stream=stream)
    # The number of edges up to an element: 0 is before the first edge, count + 1 after the last.
    sums = _sums(searchsorted(upper, x, side="right", stream=stream), weights, count + 2, stream)
    counts = sums[1:count + 1]
    if open_end:  # the last edge is the dtype's largest number: only NaN is after it
        behind = _sums(searchsorted(upper, x, side="left", stream=stream), weights, count + 2, stream)
        scatter(counts, [count - 1], sums[count + 1].item() - behind[count + 1].item(), operation="add", stream=stream)
    if density:
        from ._functions import divide, multiply, subtract
        from ._reductions import sum as sum_of

        wide = edges.astype("float64", stream=stream)
        widths = subtract(wide[1:], wide[:-1], stream=stream)
        counts = divide(counts, multiply(widths, sum_of(counts, stream=stream), stream=stream), stream=stream)
    return counts, edges


def _ends(x: Array, stream: Any) -> tuple[Any, Any]:
    """The smallest and the largest element."""
    return (top_k(x, 1, largest=False, stream=stream).values.item(), top_k(x, 1, stream=stream).values.item())


def _raised(edges: Array, dtype: Any, stream: Any) -> tuple[Array, bool]:
    """The edges, the last of them raised to the next number so that the last bin includes its end; and whether there is
    no such number."""
    import numpy

    last, kind = edges[-1].item(), numpy.dtype(dtype.name)
    if kind.kind in "iu":
        if last == numpy.iinfo(kind).max:
            return edges, True
        edges[-1].fill(last + 1, stream=stream)
    elif kind.kind == "b" or last == float("inf"):
        return edges, True
    else:
        edges[-1].fill(float(numpy.nextafter(kind.type(last), kind.type(numpy.inf))), stream=stream)
    return edges, False


def _sums(places: Array, weights: Array | None, length: int, stream: Any) -> Array:
    return produce(lib.tenon_bincount, places._handle, None if weights is None else weights._handle, length, None,
                   device=places.device, stream=stream)
