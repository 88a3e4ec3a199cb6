"""Quantiles over any axes, with the names and methods of NumPy."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _raw
from ._array import Array
from ._enumerations import Quantile
from ._errors import InvalidArgument
from ._integers import int32s, integer
from ._library import lib
from ._produce import array_of, produce

_METHODS = {member.name.lower(): int(member) for member in Quantile}


def _axes(axis: Any) -> tuple[Any, int]:
    if axis is None:
        return None, 0
    axes = (axis,) if hasattr(axis, "__index__") else tuple(axis)
    return int32s(axes), len(axes)


def _shape_and_values(q: Any) -> tuple[tuple[int, ...], list[float]]:
    """The shape of q and its numbers; reads an array, which waits for its elements."""
    if hasattr(q, "__float__") and not getattr(q, "ndim", 0):
        return (), [float(q)]
    import numpy

    host = q.numpy() if isinstance(q, Array) else q.detach().cpu().numpy() if hasattr(q, "detach") else numpy.asarray(q)
    return host.shape, [float(one) for one in host.reshape(-1)]


def _quantile(x: Any, q: Any, axis: Any, method: str, keepdims: bool, ignore_nan: bool, percent: bool, out: Any,
              stream: Any) -> Array:
    x = array_of(x)
    if method not in _METHODS:
        raise InvalidArgument(f"method is {method!r}: it must be one of {', '.join(map(repr, _METHODS))}",
                              _raw.TENON_ERROR_INVALID_ARGUMENT)
    shape, values = _shape_and_values(q)
    if percent:
        values = [value / 100 for value in values]
    axes, count = _axes(axis)
    whole = axis is not None and count == 0  # over no axes: every element is its own quantile
    if whole:
        x, axes, count = x[..., None], int32s((-1,)), 1
    options = _raw.tenon_quantile_options(method=_METHODS[method], axes=axes, axis_count=count,
                                          keep_axes=bool(keepdims) and not whole, ignore_nan=bool(ignore_nan))
    several = (ctypes.c_double * len(values))(*values)
    given = None if out is None else out.reshape((len(values), *out.shape[len(shape):]))
    result = produce(lib.tenon_quantile, x._handle, several, integer(len(values), "a count"), ctypes.byref(options),
                     device=x.device, stream=stream, out=given)
    return out if out is not None else result.reshape((*shape, *result.shape[1:]))


def quantile(x: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False, out: Any = None,
             stream: Any = None) -> Array:
    """The q-th quantiles over axis (None: all; an integer or several), NaN where there is one. q: numbers in [0, 1], of
    any shape, which comes first in the result's. method: one of numpy.quantile's: "linear", "lower", "higher",
    "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
    "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased". The place in the sorted
    elements is computed in float64.

        >>> tenon.quantile(tenon.asarray([3.0, 1.0, 2.0]), [0.5, 0.75]).tolist()
        [2.0, 2.5]
    """
    return _quantile(x, q, axis, method, keepdims, False, False, out, stream)


def percentile(x: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False, out: Any = None,
               stream: Any = None) -> Array:
    """quantile of q / 100.

        >>> tenon.percentile(tenon.asarray([3, 1, 2]), 50).item()
        2.0
    """
    return _quantile(x, q, axis, method, keepdims, False, True, out, stream)


def median(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The median over axis: the mean of the two middle elements if their number is even.

        >>> tenon.median(tenon.asarray([[1, 2], [3, 9]]), axis=0).tolist()
        [2.0, 5.5]
    """
    return _quantile(x, 0.5, axis, "linear", keepdims, False, False, out, stream)


def nanquantile(x: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False, out: Any = None,
                stream: Any = None) -> Array:
    """quantile of the elements that are not NaN; NaN if there are none."""
    return _quantile(x, q, axis, method, keepdims, True, False, out, stream)


def nanpercentile(x: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False, out: Any = None,
                  stream: Any = None) -> Array:
    """percentile of the elements that are not NaN; NaN if there are none."""
    return _quantile(x, q, axis, method, keepdims, True, True, out, stream)


def nanmedian(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """median of the elements that are not NaN; NaN if there are none."""
    return _quantile(x, 0.5, axis, "linear", keepdims, True, False, out, stream)
