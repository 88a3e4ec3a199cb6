"""Reductions and scans that leave NaN out: NumPy's nansum, nanmean and so on."""

from __future__ import annotations

from typing import Any
from collections.abc import Callable

from . import _compute, _raw, _reductions
from ._array import Array
from ._compute import where
from ._functions import isnan, logical_not
from ._produce import array_of


def _filled(x: Any, value: Any, stream: Any) -> tuple[Array, Any]:
    """x with `value` in place of NaN, and where NaN was; None: x has a dtype without NaN."""
    x = array_of(x)
    if x.dtype.kind not in "fc" and x.dtype.name != "bfloat16":
        return x, None
    missing = isnan(x, stream=stream)
    return where(missing, value, x, stream=stream), missing


def nansum(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None,
           stream: Any = None) -> Array:
    """The sum of the elements over axis that are not NaN; 0 if there are none.

        >>> tenon.nansum(tenon.asarray([1.0, float("nan"), 2.0])).item()
        3.0
    """
    return _reductions.sum(_filled(x, 0, stream)[0], axis, dtype=dtype, keepdims=keepdims, out=out, stream=stream)


def nanprod(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None,
            stream: Any = None) -> Array:
    """The product of the elements over axis that are not NaN; 1 if there are none."""
    return _reductions.prod(_filled(x, 1, stream)[0], axis, dtype=dtype, keepdims=keepdims, out=out, stream=stream)


def nancumsum(x: Any, axis: int | None = None, *, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running sum along axis in which NaN counts as 0."""
    return _reductions.cumsum(_filled(x, 0, stream)[0], axis, dtype=dtype, out=out, stream=stream)


def nancumprod(x: Any, axis: int | None = None, *, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running product along axis in which NaN counts as 1."""
    return _reductions.cumprod(_filled(x, 1, stream)[0], axis, dtype=dtype, out=out, stream=stream)


def _extreme(function: Callable[..., Array], worst: float, x: Any, axis: Any, keepdims: bool, out: Any,
             stream: Any) -> Array:
    x = array_of(x)
    filled, missing = _filled(x, complex(worst, worst) if x.dtype.kind == "c" else worst, stream)
    if missing is None:
        return function(filled, axis, keepdims=keepdims, out=out, stream=stream)
    found = function(filled, axis, keepdims=keepdims, stream=stream)
    none = _reductions.all(missing, axis, keepdims=keepdims, stream=stream)
    return where(none, float("nan"), found, out=out, stream=stream)


def nanmax(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The largest element over axis that is not NaN; NaN if there are none."""
    return _extreme(_reductions.max, float("-inf"), x, axis, keepdims, out, stream)


def nanmin(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The smallest element over axis that is not NaN; NaN if there are none."""
    return _extreme(_reductions.min, float("inf"), x, axis, keepdims, out, stream)


def nanargmax(x: Any, axis: int | None = None, *, keepdims: bool = False, out: Any = None,
              stream: Any = None) -> Array:
    """The index over axis of the first largest element that is not NaN. Raises ValueError if all elements are NaN; on a
    GPU possibly not before the stream is synchronised, like the error for an index out of range.

        >>> tenon.nanargmax(tenon.asarray([1.0, float("nan"), 2.0])).item()
        2
    """
    return _compute.reduce(_raw.TENON_FN_ARGMAX, array_of(x), axis, None, keepdims, out, stream, ignore_nan=True)


def nanargmin(x: Any, axis: int | None = None, *, keepdims: bool = False, out: Any = None,
              stream: Any = None) -> Array:
    """The index over axis of the first smallest element that is not NaN. Raises ValueError as nanargmax does."""
    return _compute.reduce(_raw.TENON_FN_ARGMIN, array_of(x), axis, None, keepdims, out, stream, ignore_nan=True)


def nanmean(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None,
            stream: Any = None) -> Array:
    """The mean of the elements over axis that are not NaN; NaN if there are none.

        >>> tenon.nanmean(tenon.asarray([1.0, float("nan"), 2.0])).item()
        1.5
    """
    filled, missing = _filled(x, 0, stream)
    if missing is None:
        return _reductions.mean(filled, axis, dtype=dtype, keepdims=keepdims, out=out, stream=stream)
    total = _reductions.sum(filled, axis, dtype=dtype, keepdims=keepdims, stream=stream)
    return _quotient(total, _count(missing, axis, keepdims, stream), out, stream)


def _count(missing: Array, axis: Any, keepdims: bool, stream: Any) -> Array:
    return _reductions.count_nonzero(logical_not(missing, stream=stream), axis, keepdims=keepdims, stream=stream)


def _quotient(total: Array, count: Array, out: Any, stream: Any) -> Array:
    """total / count in total's dtype; counts that are not positive give NaN."""
    from ._functions import divide, greater

    real = f"float{8 * total.dtype.itemsize // 2}" if total.dtype.kind == "c" else total.dtype
    several = where(greater(count, 0, stream=stream), count.astype("float64", stream=stream), float("nan"),
                    stream=stream)
    return divide(total, several.astype(real, stream=stream), out=out, stream=stream)


def nanvar(x: Any, axis: Any = None, *, dtype: Any = None, correction: float = 0, keepdims: bool = False,
           out: Any = None, stream: Any = None) -> Array:
    """The variance of the elements over axis that are not NaN: the sum of |x - mean|^2, divided by their number minus
    the correction; NaN if that is not positive."""
    from ._functions import abs, square, subtract

    x = array_of(x)
    if dtype is not None:
        x = x.astype(dtype, copy=False, stream=stream)
    filled, missing = _filled(x, 0, stream)
    if missing is None:
        return _reductions.var(filled, axis, correction=correction, keepdims=keepdims, out=out, stream=stream)
    mean = nanmean(x, axis, keepdims=True, stream=stream)
    away = where(missing, 0, subtract(x, mean, stream=stream), stream=stream)
    total = _reductions.sum(square(abs(away, stream=stream), stream=stream), axis, keepdims=keepdims, stream=stream)
    count = subtract(_count(missing, axis, keepdims, stream), float(correction), stream=stream)
    return _quotient(total, count, out, stream)


def nanstd(x: Any, axis: Any = None, *, dtype: Any = None, correction: float = 0, keepdims: bool = False,
           out: Any = None, stream: Any = None) -> Array:
    """The square root of nanvar."""
    from ._functions import sqrt

    return sqrt(nanvar(x, axis, dtype=dtype, correction=correction, keepdims=keepdims, stream=stream), out=out,
                stream=stream)
