"""Norms of vectors and of matrices, over any axes. The names are NumPy's and the array API's."""

from __future__ import annotations

import ctypes
import math
from typing import Any

from . import _raw
from ._array import Array
from ._compute import reduce
from ._creation import asarray
from ._errors import InvalidArgument, ShapeError
from ._functions import abs as absolute
from ._functions import positive, power
from ._library import lib
from ._moving import moveaxis, normal_axis
from ._reductions import count_nonzero, max, min, sum
from ._solve import one

# The kinds of tenon_norm, by NumPy's names.
KINDS = {None: _raw.TENON_NORM_FROBENIUS, "fro": _raw.TENON_NORM_FROBENIUS, 1: _raw.TENON_NORM_ONE,
         math.inf: _raw.TENON_NORM_INFINITY, "max": _raw.TENON_NORM_LARGEST, 2: _raw.TENON_NORM_TWO,
         -2: _raw.TENON_NORM_MINUS_TWO, "nuc": _raw.TENON_NORM_NUCLEAR}


def kind_options(ord: Any, others: str = "") -> Any:  # noqa: A002: NumPy's name
    if ord not in KINDS:
        raise ValueError(f"ord must be one of None, 'fro', 1, inf, 'max', 2, -2, 'nuc'{others}, not {ord!r}")
    return ctypes.byref(_raw.tenon_norm_options(kind=KINDS[ord]))


def floating(x: Any, stream: Any) -> Array:
    """x, converted to float64 if it has integers or bools, as in NumPy."""
    array = x if isinstance(x, Array) else asarray(x)
    return array.astype("float64", stream=stream) if array.dtype.kind in "biu" else array


def _order(ord: Any) -> float:
    try:
        order = math.nan if isinstance(ord, str) else float(ord)
    except (TypeError, ValueError):
        order = math.nan
    if math.isnan(order):
        raise ValueError(f"ord of a vector's norm must be a number, inf or -inf, not {ord!r}")
    return order


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2,
                out: Any = None, stream: Any = None) -> Array:
    """The norm of vectors along axis (None: all elements; an integer or several). ord: 2 (float32 is summed in
    float64), 1, 0 (the number of nonzero elements), infinity, -infinity, or any other number p: sum(|x|^p)^(1/p)."""
    array, order = floating(x, stream), _order(ord)
    if order == 2:
        return reduce(_raw.TENON_FN_NORM, array, axis, None, keepdims, out, stream)
    size = absolute(array, stream=stream)
    if order == math.inf:
        return max(size, axis, keepdims=keepdims, out=out, stream=stream)
    if order == -math.inf:
        return min(size, axis, keepdims=keepdims, out=out, stream=stream)
    if order == 0:
        count = count_nonzero(size, axis, keepdims=keepdims, stream=stream).astype(size.dtype, stream=stream)
        return count if out is None else positive(count, out=out, stream=stream)
    if order == 1:
        return sum(size, axis, keepdims=keepdims, out=out, stream=stream)
    powers = sum(power(size, order, stream=stream), axis, keepdims=keepdims, stream=stream)
    return power(powers, 1 / order, out=out, stream=stream)


def _matrix_norm(matrix: Array, ord: Any, out: Any, stream: Any) -> Array:
    if ord not in (-1, -math.inf):
        return one(lib.tenon_norm, matrix, kind_options(ord, ", -1, -inf"), stream=stream, out=out)
    sums = sum(absolute(matrix, stream=stream), -2 if ord == -1 else -1, stream=stream)
    return min(sums, -1, out=out, stream=stream)


def _matrix_axes(axis: Any, rank: int) -> tuple[int, ...]:
    if axis is None:
        if rank == 0:
            raise ShapeError("a number has no norm over axes: pass an array with at least one axis",
                             _raw.TENON_ERROR_SHAPE)
        axis = (-2, -1) if rank > 1 else -1
    axes = tuple(normal_axis(i, rank) for i in (axis if hasattr(axis, "__iter__") else (axis,)))
    if len(axes) not in (1, 2) or len(set(axes)) < len(axes):
        raise InvalidArgument(f"axis must be one axis (of vectors) or two different ones (a matrix's rows and columns), not "
                              f"{axis!r}", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return axes


def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, *, out: Any = None,
         stream: Any = None) -> Array:
    """The norms of vectors if axis is one axis, or of matrices if it is two, those of the rows and the columns. axis
    None: the last two axes, or the only one. ord for matrices: None or "fro" (Frobenius), 1, -1 (largest and smallest
    column sum), inf, -inf (largest and smallest row sum), "max" (largest element), 2, -2 (largest and smallest singular
    value), "nuc" (sum of the singular values). ord for vectors: None (2), "max" (inf), and the values that vector_norm
    accepts.

        >>> tenon.norm(tenon.asarray([3.0, 4.0])).item()
        5.0
    """
    array = floating(a, stream)
    axes = _matrix_axes(axis, array.ndim)
    if len(axes) == 1:
        order = 2 if ord is None else math.inf if isinstance(ord, str) and ord == "max" else ord
        return vector_norm(array, axis=axes[0], keepdims=keepdims, ord=order, out=out, stream=stream)
    matrix = moveaxis(array, axes, (-2, -1))
    if not keepdims:
        return _matrix_norm(matrix, ord, out, stream)
    if out is None:
        kept = tuple(None if i in axes else slice(None) for i in range(array.ndim))
        return _matrix_norm(matrix, ord, None, stream)[kept]
    shape = tuple(1 if i in axes else n for i, n in enumerate(array.shape))
    into = asarray(out, copy=False)
    if into.shape != shape:
        raise ShapeError(f"out has shape {into.shape}: norms of an array of shape {array.shape} over the axes {axes} "
                         f"have shape {shape}", _raw.TENON_ERROR_SHAPE)
    _matrix_norm(matrix, ord, into[tuple(0 if i in axes else slice(None) for i in range(array.ndim))], stream)
    result: Array = out
    return result
