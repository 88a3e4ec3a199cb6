"""The usual reductions and scans, made of generated kernels. The names are NumPy's."""

from __future__ import annotations

import functools
from typing import Any

from . import _raw
from ._array import Array
from ._creation import asarray
from ._dtypes import BY_NAME, DType, as_dtype
from ._errors import DTypeError, InvalidArgument
from ._generated import Reduction, Scan, _axes, reduction, scan


def _sum_dtype(dtype: DType) -> DType:
    """As NumPy: integers narrower than 64 bits are summed in 64."""
    if dtype.kind in "bi":
        return BY_NAME["int64"]
    return BY_NAME["uint64"] if dtype.kind == "u" else dtype


@functools.lru_cache(maxsize=None)
def _reducer(name: str, output: str) -> Reduction:
    wide = {"float16": "float", "bfloat16": "float"}.get(output, output)
    if name == "mean":
        return reduction("X x", f"{output} y", f"({_cuda(wide)})x", "a + b", f"a / ({_cuda(wide).replace('complex<', '').replace('>', '')})n",
                         "0", "mean", accumulator=wide)
    if name in ("sum", "prod"):
        return reduction("X x", f"{output} y", f"({_cuda(wide)})x", "a + b" if name == "sum" else "a * b", "", "0" if name == "sum" else "1",
                         name, accumulator=wide)
    # NaN wins, as in NumPy; x != x also compiles for integers.
    sign = ">" if name == "max" else "<"
    end = "lowest<X>()" if name == "max" else "highest<X>()"
    return reduction("X x", "X y", "x", f"(a {sign} b || a != a) ? a : b", "", end, name)


def _cuda(name: str) -> str:
    return {"float32": "float", "float64": "double", "int64": "long long", "uint64": "unsigned long long", "complex64": "complex<float>",
            "complex128": "complex<double>"}.get(name, name)


def sum(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:  # noqa: A001
    """The sum over axis, in blocks and trees: the error grows with the logarithm of the count."""
    array = x if isinstance(x, Array) else asarray(x)
    wanted = _sum_dtype(array.dtype) if dtype is None else as_dtype(dtype)
    return _reducer("sum", wanted.name)(array, axis=axis, keepdims=keepdims, out=out, stream=stream)


def prod(x: Any, axis: Any = None, *, dtype: Any = None, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The product over axis."""
    array = x if isinstance(x, Array) else asarray(x)
    wanted = _sum_dtype(array.dtype) if dtype is None else as_dtype(dtype)
    return _reducer("prod", wanted.name)(array, axis=axis, keepdims=keepdims, out=out, stream=stream)


def mean(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The mean over axis; of integers in float64."""
    array = x if isinstance(x, Array) else asarray(x)
    wanted = BY_NAME["float64"] if array.dtype.kind in "biu" else array.dtype
    return _reducer("mean", wanted.name)(array, axis=axis, keepdims=keepdims, out=out, stream=stream)


def _extreme(name: str, x: Any, axis: Any, keepdims: bool, out: Any, stream: Any) -> Array:
    array = x if isinstance(x, Array) else asarray(x)
    if array.dtype.kind == "c":
        raise DTypeError(f"{name} takes numbers that have an order, and the array is {array.dtype}", _raw.TENON_ERROR_DTYPE)
    axis = axis if axis is None else _axes(axis)
    axes = range(array.ndim) if axis is None else axis
    known = all(-array.ndim <= one < array.ndim for one in axes)  # else the library refuses them, as in every reduction
    if known and any(array.shape[one] == 0 for one in axes):
        raise InvalidArgument(f"{name} over an axis of extent 0: there is no element to return", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return _reducer(name, "")(array, axis=axis, keepdims=keepdims, out=out, stream=stream)


def max(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:  # noqa: A001
    """The largest element over axis; NaN if there is one."""
    return _extreme("max", x, axis, keepdims, out, stream)


def min(x: Any, axis: Any = None, *, keepdims: bool = False, out: Any = None, stream: Any = None) -> Array:  # noqa: A001
    """The smallest element over axis; NaN if there is one."""
    return _extreme("min", x, axis, keepdims, out, stream)


@functools.lru_cache(maxsize=None)
def _scanner(output: str) -> Scan:
    wide = {"float16": "float", "bfloat16": "float"}.get(output, output)
    return scan("X x", f"{output} y", f"({_cuda(wide)})x", "a + b", "0", name="cumsum", accumulator=wide)


def cumsum(x: Any, axis: int | None = None, *, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The running sum along axis; with None, of all elements in C order."""
    array = x if isinstance(x, Array) else asarray(x)
    wanted = _sum_dtype(array.dtype) if dtype is None else as_dtype(dtype)
    if axis is None:
        if not array.c_contiguous:  # the copy is part of the work, which may be recorded
            array = array.copy(stream=stream)
        array, axis = array.reshape(-1), 0
    return _scanner(wanted.name)(array, axis=axis, out=out, stream=stream)
