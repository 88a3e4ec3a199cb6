"""Reductions and scans of segments of an axis: given by offsets, by the number of each element's segment, by flags or
by keys. The names are those of jax.ops and of Thrust."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple

from . import _raw, _reductions
from ._array import Array

from ._dtypes import as_dtype
from ._errors import DTypeError, InvalidArgument
from ._integers import integer
from ._library import lib
from ._moving import arange, take
from ._produce import array_of, produce
from ._selecting import _looks, searchsorted

_INT32 = ctypes.c_int32
_REDUCTIONS = {"sum": _raw.TENON_FN_SUM, "prod": _raw.TENON_FN_PROD, "max": _raw.TENON_FN_MAX,
               "min": _raw.TENON_FN_MIN, "logsumexp": _raw.TENON_FN_LOGSUMEXP}


def _invalid(text: str) -> InvalidArgument:
    return InvalidArgument(text, _raw.TENON_ERROR_INVALID_ARGUMENT)


def _options(kind: int, axis: int, dtype: Any = None, exclusive: bool = False, count: int = 0) -> Any:
    return _raw.tenon_segment_options(segments=kind, axis=integer(axis, "an axis", _INT32), exclusive=bool(exclusive),
                                      dtype=0 if dtype is None else as_dtype(dtype).code, count=count)


def _reduced(code: int, x: Any, segment_ids: Any, num_segments: Any, offsets: Any, axis: int, is_sorted: bool,
             dtype: Any, out: Any, stream: Any) -> Array:
    x = array_of(x)
    if (segment_ids is None) == (offsets is None):
        raise TypeError("segments are given by segment_ids or by offsets=, one of the two")
    if offsets is not None:
        if num_segments is not None:
            raise TypeError("num_segments is for segment_ids: offsets are one more than the segments")
        return _by(_raw.TENON_SEGMENTS_OFFSETS, 0, code, x, array_of(offsets, x.device), axis, dtype, out, stream)
    ids = array_of(segment_ids, x.device)
    if ids.dtype.kind not in "iu":
        raise DTypeError(f"segment_ids are integers, not {ids.dtype}", _raw.TENON_ERROR_DTYPE)
    if num_segments is None:
        _looks("a reduction without num_segments", ids, stream)
        num_segments = int(_reductions.max(ids, stream=stream).item()) + 1 if ids.size else 0
    count = operator.index(num_segments)
    if count < 0:
        raise _invalid(f"num_segments is {count}: it must not be negative")
    if not is_sorted:
        return _by(_raw.TENON_SEGMENTS_NUMBERS, count, code, x, ids, axis, dtype, out, stream)
    places = arange(count + 1, dtype="int64", device=x.device, stream=stream)
    begins = searchsorted(ids.astype("int64", copy=False, stream=stream), places, stream=stream)
    return _by(_raw.TENON_SEGMENTS_OFFSETS, 0, code, x, begins, axis, dtype, out, stream)


def _by(kind: int, count: int, code: int, x: Array, segments: Array, axis: int, dtype: Any, out: Any,
        stream: Any) -> Array:
    options = _options(kind, axis, dtype, count=count)
    return produce(lib.tenon_segment_reduce, code, x._handle, segments._handle, ctypes.byref(options),
                   device=x.device, stream=stream, out=out)


def segment_sum(x: Any, segment_ids: Any = None, num_segments: int | None = None, *, offsets: Any = None,
                axis: int = 0, indices_are_sorted: bool = False, dtype: Any = None, out: Any = None,
                stream: Any = None) -> Array:
    """The sum of each segment along axis. segment_ids: for each element the number of its segment, in any order;
    numbers outside of [0, num_segments) are left out, and num_segments=None reads the largest one, which waits.
    offsets: instead, the place at which each segment begins, and the end of the last one. Integers are summed in 64
    bits, floating-point numbers in float64, with the same bits on every run. An empty segment gives 0.

        >>> tenon.segment_sum(tenon.asarray([1, 2, 3, 4]), tenon.asarray([0, 1, 0, 3]), 4).tolist()
        [4, 2, 0, 4]
        >>> tenon.segment_sum(tenon.asarray([1, 2, 3, 4]), offsets=tenon.asarray([0, 1, 4])).tolist()
        [1, 9]
    """
    return _reduced(_raw.TENON_FN_SUM, x, segment_ids, num_segments, offsets, axis, indices_are_sorted, dtype, out,
                    stream)


def segment_prod(x: Any, segment_ids: Any = None, num_segments: int | None = None, *, offsets: Any = None,
                 axis: int = 0, indices_are_sorted: bool = False, dtype: Any = None, out: Any = None,
                 stream: Any = None) -> Array:
    """The product of each segment; the arguments are those of segment_sum. An empty segment gives 1."""
    return _reduced(_raw.TENON_FN_PROD, x, segment_ids, num_segments, offsets, axis, indices_are_sorted, dtype, out,
                    stream)


def segment_max(x: Any, segment_ids: Any = None, num_segments: int | None = None, *, offsets: Any = None,
                axis: int = 0, indices_are_sorted: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The largest element of each segment, NaN if there is one; the arguments are those of segment_sum. An empty
    segment gives the smallest value of the dtype."""
    return _reduced(_raw.TENON_FN_MAX, x, segment_ids, num_segments, offsets, axis, indices_are_sorted, None, out,
                    stream)


def segment_min(x: Any, segment_ids: Any = None, num_segments: int | None = None, *, offsets: Any = None,
                axis: int = 0, indices_are_sorted: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The smallest element of each segment, NaN if there is one; the arguments are those of segment_sum. An empty
    segment gives the largest value of the dtype."""
    return _reduced(_raw.TENON_FN_MIN, x, segment_ids, num_segments, offsets, axis, indices_are_sorted, None, out,
                    stream)


def segment_logsumexp(x: Any, segment_ids: Any = None, num_segments: int | None = None, *, offsets: Any = None,
                      axis: int = 0, indices_are_sorted: bool = False, out: Any = None, stream: Any = None) -> Array:
    """log(sum(exp(x))) of each segment; the arguments are those of segment_sum. An empty segment gives -infinity."""
    return _reduced(_raw.TENON_FN_LOGSUMEXP, x, segment_ids, num_segments, offsets, axis, indices_are_sorted, None,
                    out, stream)


def _marks(offsets: Any, flags: Any, keys: Any, device: Any) -> tuple[int, Array]:
    given = [(kind, value) for kind, value in ((_raw.TENON_SEGMENTS_OFFSETS, offsets),
                                               (_raw.TENON_SEGMENTS_FLAGS, flags),
                                               (_raw.TENON_SEGMENTS_KEYS, keys)) if value is not None]
    if len(given) != 1:
        raise TypeError("segments are given by one of offsets=, flags= and keys=")
    return given[0][0], array_of(given[0][1], device)


def _scanned(code: int, x: Any, offsets: Any, flags: Any, keys: Any, axis: int, exclusive: bool, dtype: Any, out: Any,
             stream: Any) -> Array:
    x = array_of(x)
    kind, segments = _marks(offsets, flags, keys, x.device)
    options = _options(kind, axis, dtype, exclusive)
    return produce(lib.tenon_segment_scan, code, x._handle, segments._handle, ctypes.byref(options), device=x.device,
                   stream=stream, out=out)


def segment_cumsum(x: Any, *, offsets: Any = None, flags: Any = None, keys: Any = None, axis: int = 0,
                   exclusive: bool = False, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running sum along axis, which begins anew with each segment. Segments: offsets as of segment_sum; flags,
    true where a segment begins; or keys, of which each run of equal ones is a segment. exclusive: each result leaves
    its own element out.

        >>> tenon.segment_cumsum(tenon.asarray([1, 2, 3, 4]), keys=tenon.asarray([7, 7, 5, 5])).tolist()
        [1, 3, 3, 7]
    """
    return _scanned(_raw.TENON_FN_CUMULATIVE_SUM, x, offsets, flags, keys, axis, exclusive, dtype, out, stream)


def segment_cumprod(x: Any, *, offsets: Any = None, flags: Any = None, keys: Any = None, axis: int = 0,
                    exclusive: bool = False, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running product of each segment; the arguments are those of segment_cumsum."""
    return _scanned(_raw.TENON_FN_CUMULATIVE_PROD, x, offsets, flags, keys, axis, exclusive, dtype, out, stream)


def segment_cummax(x: Any, *, offsets: Any = None, flags: Any = None, keys: Any = None, axis: int = 0,
                   exclusive: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The running maximum of each segment; the arguments are those of segment_cumsum."""
    return _scanned(_raw.TENON_FN_CUMULATIVE_MAX, x, offsets, flags, keys, axis, exclusive, None, out, stream)


def segment_cummin(x: Any, *, offsets: Any = None, flags: Any = None, keys: Any = None, axis: int = 0,
                   exclusive: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The running minimum of each segment; the arguments are those of segment_cumsum."""
    return _scanned(_raw.TENON_FN_CUMULATIVE_MIN, x, offsets, flags, keys, axis, exclusive, None, out, stream)


def segment_logcumsumexp(x: Any, *, offsets: Any = None, flags: Any = None, keys: Any = None, axis: int = 0,
                         exclusive: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The running logsumexp of each segment; the arguments are those of segment_cumsum."""
    return _scanned(_raw.TENON_FN_CUMULATIVE_LOGSUMEXP, x, offsets, flags, keys, axis, exclusive, None, out, stream)


def segment_offsets(*, flags: Any = None, keys: Any = None, stream: Any = None) -> Array:
    """Where each segment of flags or keys begins, and the number of elements, as int64. Waits for their number.

        >>> tenon.segment_offsets(keys=tenon.asarray([7, 7, 5, 5, 5])).tolist()
        [0, 2, 5]
    """
    kind, segments = _marks(None, flags, keys, None)
    options = _options(kind, 0)
    return produce(lib.tenon_segment_offsets, segments._handle, ctypes.byref(options), device=segments.device,
                   stream=stream)


class ReducedByKey(NamedTuple):
    keys: Array
    values: Array


def reduce_by_key(keys: Any, x: Any, operation: str = "sum", *, axis: int = 0, stream: Any = None) -> ReducedByKey:
    """Each run of equal keys, and the reduction ("sum", "prod", "max", "min", "logsumexp") of the elements of x beside
    it, as Thrust's reduce_by_key. Sort both by key first to bring all equal keys together.

        >>> keys, sums = tenon.reduce_by_key(tenon.asarray([7, 7, 5]), tenon.asarray([1, 2, 3]))
        >>> keys.tolist(), sums.tolist()
        ([7, 5], [3, 3])
    """
    if operation not in _REDUCTIONS:
        raise _invalid(f"operation is {operation!r}: it must be one of {', '.join(map(repr, _REDUCTIONS))}")
    x, keys = array_of(x), array_of(keys)
    offsets = segment_offsets(keys=keys, stream=stream)
    values = _by(_raw.TENON_SEGMENTS_OFFSETS, 0, _REDUCTIONS[operation], x, offsets, axis, None, None, stream)
    return ReducedByKey(take(keys, offsets[:-1], stream=stream), values)
