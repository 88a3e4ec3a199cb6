"""Reductions and scans. The names are NumPy's and the array API's."""

from __future__ import annotations

import operator
from typing import Any

from . import _raw
from ._array import Array
from ._compute import accumulate, is_traced, reduce
from ._creation import asarray
from ._errors import InvalidArgument
from ._moving import concat, normal_axis


def sum(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """The sum over axis (None: all; an integer or several). Integers and bools are summed in 64 bits. Floating-point
    numbers are added in blocks and trees, so that the error grows with the logarithm of the count. dtype: x is
    converted to it first.

        >>> tenon.sum(tenon.asarray([[1, 2], [3, 4]]), axis=0).tolist()
        [4, 6]
    """
    return reduce(_raw.TENON_FN_SUM, x, axis, dtype, keepdims, out, stream)


def prod(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """The product over axis; the arguments are those of sum."""
    return reduce(_raw.TENON_FN_PROD, x, axis, dtype, keepdims, out, stream)


def max(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """The largest element over axis; NaN if there is one."""
    return reduce(_raw.TENON_FN_MAX, x, axis, None, keepdims, out, stream)


def min(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """The smallest element over axis; NaN if there is one."""
    return reduce(_raw.TENON_FN_MIN, x, axis, None, keepdims, out, stream)


def all(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """Whether all elements over axis are nonzero."""
    return reduce(_raw.TENON_FN_ALL, x, axis, None, keepdims, out, stream)


def any(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """Whether any element over axis is nonzero."""
    return reduce(_raw.TENON_FN_ANY, x, axis, None, keepdims, out, stream)


def count_nonzero(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The number of nonzero elements over axis, as int64."""
    return reduce(_raw.TENON_FN_COUNT_NONZERO, x, axis, None, keepdims, out, stream)


def argmax(x: Any, axis: int | None = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The index along axis of the first largest element, or of the first NaN; with None, its index in C order.

        >>> tenon.argmax(tenon.asarray([3, 9, 9])).item()
        1
    """
    return reduce(_raw.TENON_FN_ARGMAX, x, axis, None, keepdims, out, stream)


def argmin(x: Any, axis: int | None = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The index along axis of the first smallest element, or of the first NaN; with None, its index in C order."""
    return reduce(_raw.TENON_FN_ARGMIN, x, axis, None, keepdims, out, stream)


def mean(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """The mean over axis, in float64 for integers; NaN if there are no elements.

        >>> tenon.mean(tenon.asarray([1.0, 2.0, 6.0])).item()
        3.0
    """
    return reduce(_raw.TENON_FN_MEAN, x, axis, dtype, keepdims, out, stream)


def var(x: Any, axis: Any = None, *, dtype: Any = None, correction: float = 0, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """The variance over axis: the sum of |x - mean|^2, divided by the count minus the correction (1 for
    the variance of a sample)."""
    return reduce(_raw.TENON_FN_VAR, x, axis, dtype, keepdims, out, stream, correction)


def std(x: Any, axis: Any = None, *, dtype: Any = None, correction: float = 0, keepdims: bool = False, out: Any = None,
        stream: Any = None) -> Array:
    """The standard deviation over axis: the square root of var.

        >>> tenon.std(tenon.asarray([1.0, 3.0])).item()
        1.0
    """
    return reduce(_raw.TENON_FN_STD, x, axis, dtype, keepdims, out, stream, correction)


def logsumexp(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """log(sum(exp(x))) over axis, without overflow of intermediate results; -infinity if there are no elements."""
    return reduce(_raw.TENON_FN_LOGSUMEXP, x, axis, None, keepdims, out, stream)


def _scan(code: int, x: Any, axis: int | None, dtype: Any, initial: bool, out: Any, stream: Any) -> Array:
    if is_traced(x):
        if initial:
            raise TypeError("include_initial=True changes the shape, which a fused function cannot: call the scan outside")
        return accumulate(code, x, axis, dtype, False, out, stream)
    array = x if isinstance(x, Array) else asarray(x)
    if axis is None:
        if not array.c_contiguous:  # the copy is part of the work, which may be recorded
            from ._stream import as_stream

            array = array.copy(stream=None if stream is None else as_stream(stream, array.device))
        array, axis = array.reshape((-1,)), 0
    if not initial:
        return accumulate(code, array, axis, dtype, False, out, stream)
    if out is not None:
        raise TypeError("out= and include_initial=True cannot be combined")
    from ._creation import empty

    if not -array.ndim <= axis < array.ndim:  # the library reports the error
        return accumulate(code, array, axis, dtype, False, None, stream)
    axis %= array.ndim
    # The initial value, then the running values: both are written in place.
    shape = array.shape[:axis] + (array.shape[axis] + 1,) + array.shape[axis + 1:]
    own = accumulate(code, array[(slice(None),) * axis + (slice(0, 0),)], axis, dtype, False, None, stream).dtype
    result = empty(shape, own, device=array.device, stream=stream)
    result[(slice(None),) * axis + (slice(0, 1),)].fill(1 if code == _raw.TENON_FN_CUMULATIVE_PROD
                                                        else 0, stream=stream)
    accumulate(code, array, axis, dtype, False, result[(slice(None),) * axis + (slice(1, None),)], stream)
    return result


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False,
                   out: Any = None, stream: Any = None) -> Array:
    """The running sum along axis, which may be omitted for arrays with one axis; include_initial: begin with a 0."""
    return _scan(_raw.TENON_FN_CUMULATIVE_SUM, x, _only(x, axis), dtype, include_initial, out, stream)


def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False,
                    out: Any = None, stream: Any = None) -> Array:
    """The running product along axis, which may be omitted for arrays with one axis; include_initial: begin with a
    1."""
    return _scan(_raw.TENON_FN_CUMULATIVE_PROD, x, _only(x, axis), dtype, include_initial, out, stream)


def _only(x: Any, axis: int | None) -> Any:
    if is_traced(x):
        return axis
    if axis is None and getattr(x, "ndim", 1) != 1:
        raise ValueError(f"axis must be given for an array of {x.ndim} axes")
    return 0 if axis is None else axis


def cumsum(x: Any, axis: int | None = None, *, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running sum along axis; with None, over all elements in C order.

        >>> tenon.cumsum(tenon.asarray([1, 2, 3])).tolist()
        [1, 3, 6]
    """
    return _scan(_raw.TENON_FN_CUMULATIVE_SUM, x, axis, dtype, False, out, stream)


def cumprod(x: Any, axis: int | None = None, *, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running product along axis; with None, over all elements in C order."""
    return _scan(_raw.TENON_FN_CUMULATIVE_PROD, x, axis, dtype, False, out, stream)


def cummax(x: Any, axis: int | None = None, *, out: Any = None, stream: Any = None) -> Array:
    """The running maximum along axis; with None, over all elements in C order."""
    return _scan(_raw.TENON_FN_CUMULATIVE_MAX, x, axis, None, False, out, stream)


def cummin(x: Any, axis: int | None = None, *, out: Any = None, stream: Any = None) -> Array:
    """The running minimum along axis; with None, over all elements in C order."""
    return _scan(_raw.TENON_FN_CUMULATIVE_MIN, x, axis, None, False, out, stream)


def logcumsumexp(x: Any, axis: int | None = None, *, out: Any = None, stream: Any = None) -> Array:
    """The running logsumexp along axis; with None, over all elements in C order."""
    return _scan(_raw.TENON_FN_CUMULATIVE_LOGSUMEXP, x, axis, None, False, out, stream)


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None,
         stream: Any = None) -> Array:
    """The differences of neighbouring elements along axis, taken n times; for bools, whether they differ. prepend,
    append: arrays that are joined to the start and the end of x along that axis.

        >>> tenon.diff(tenon.asarray([1, 4, 9])).tolist()
        [3, 5]
    """
    from ._functions import not_equal, subtract

    x = x if isinstance(x, Array) else asarray(x)
    axis, n = normal_axis(axis, x.ndim), operator.index(n)
    if n < 0:
        raise InvalidArgument(f"n is {n}: it must not be negative", _raw.TENON_ERROR_INVALID_ARGUMENT)
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        x = concat(parts, axis=axis, stream=stream)
    before = (slice(None),) * axis
    for _ in range(n):
        function = not_equal if x.dtype.kind == "b" else subtract
        x = function(x[(*before, slice(1, None))], x[(*before, slice(None, -1))], stream=stream)
    result: Array = x
    return result
