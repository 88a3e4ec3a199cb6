"""Runs CuPy programs on Tenon: import tenon.cupy as cupy.

Provides kernels (RawKernel, RawModule, ElementwiseKernel, ReductionKernel, fuse), streams, events, devices and the
memory pool (cuda), random numbers, filters (ndimage), and NumPy's functions as far as Tenon has them. Arrays are tenon.Array;
tenon.cupy.ndarray is a name for that class, which also creates arrays. Without a GPU, device 0 is the CPU, and the same
programs run there. abi/python/from_cupy.md lists the differences from CuPy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as _numpy

import tenon as _tenon

from .._array import Array as _Array
from .._creation import _host_bytes
from .._dtypes import as_dtype as _as_dtype
from . import cuda, fft, linalg, ndimage, random
from ._fuse import fuse, plain as _plain
from ._kernels import ElementwiseKernel, RawKernel, RawModule, ReductionKernel
from ._names import getter as _getter
from .cuda import get_default_memory_pool, get_default_pinned_memory_pool, is_available

e, pi, inf, nan, newaxis = math.e, math.pi, math.inf, math.nan, None

# The scalar types are NumPy's, as in CuPy: float32(2.0) is a number for a kernel, and float32 names a dtype.
for _name in ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
              "float64",
              "complex64", "complex128", "dtype", "intp", "single", "double", "number", "integer", "floating",
              "complexfloating", "issubdtype", "isscalar", "promote_types", "min_scalar_type"):
    globals()[_name] = getattr(_numpy, _name)

_NAMES, _LISTED = _getter("")


class _ArrayType(type):
    """Makes isinstance(x, tenon.cupy.ndarray) test for tenon.Array."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Array)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _Array)


class ndarray(metaclass=_ArrayType):  # noqa: N801: CuPy's name
    """tenon.Array under CuPy's name. ndarray(shape, dtype, memptr) is an array in that memory; without memptr it is in
    new, uninitialised memory."""

    def __new__(cls, shape: Any, dtype: Any = float, memptr: cuda.MemoryPointer | None = None,  # type: ignore[misc]
                strides: Any = None, order: str = "C") -> _Array:
        if strides is not None or order != "C":
            raise TypeError("new arrays of Tenon are C-ordered: views have other strides, such as array.T")
        if memptr is None:
            return _tenon.empty(shape, dtype, device=cuda.device_of())
        shape, dtype = (shape,) if isinstance(shape, int) else tuple(shape), _as_dtype(dtype)
        return memptr.bytes(math.prod(shape) * dtype.itemsize).view(dtype).reshape(shape)


def array(obj: Any, dtype: Any = None, copy: bool = True, order: str = "K", subok: bool = False,
          ndmin: int = 0) -> _Array:
    """A new array on the current device from anything that asarray accepts."""
    obj = _plain(obj)
    made = asarray(obj, dtype)
    if copy and (made is obj or _is_theirs(obj) or (isinstance(obj, _numpy.ndarray) and made.device.kind == "cpu")):
        made = made.copy()
    return made.reshape((1,) * max(ndmin - made.ndim, 0) + made.shape) if ndmin > made.ndim else made


def asarray(a: Any, dtype: Any = None, order: str | None = None, *, blocking: bool = False) -> _Array:
    """An array of Tenon or of another library stays where it is; a NumPy array or a list is copied to the current
    device."""
    a = _plain(a)
    if isinstance(a, _Array):
        return a if dtype is None else a.astype(dtype, copy=False)
    if isinstance(a, (list, tuple)) and any(isinstance(one, _Array) for one in a):
        return _tenon.stack([asarray(one) for one in a]) if dtype is None else _tenon.stack([asarray(one)
                for one in a]).astype(dtype)
    made = _tenon.asarray(a, dtype)
    return made if _is_theirs(a) else made.to_device(cuda.device_of())


def _is_theirs(a: Any) -> bool:
    """Whether it is an array of another library with devices, which stays where it is."""
    known = hasattr(a, "__dlpack_device__") or hasattr(a, "__cuda_array_interface__")
    return known and not isinstance(a, (_Array, _numpy.ndarray, _numpy.generic))


def ascontiguousarray(a: Any, dtype: Any = None) -> _Array:
    made = asarray(a, dtype)
    return made if made.c_contiguous else made.copy()


asanyarray = asarray


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    """A copy as a NumPy array."""
    a = _plain(a)
    made = (a.copy() if a.device.kind == "cpu" else a).numpy() if isinstance(a, _Array) else _numpy.array(a)
    if out is None:
        return made
    out[...] = made
    return out


def get_array_module(*args: Any) -> Any:
    """This module if a Tenon array is among the arguments, else numpy."""
    import sys

    return sys.modules[__name__] if any(isinstance(_plain(one), _Array) for one in args) else _numpy


def copy(a: Any, order: str = "K") -> _Array:
    return asarray(a).copy()


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> _Array:
    host = _numpy.frombuffer(buffer, dtype, count, offset)
    return _host_bytes(host.tobytes(), host.shape, _as_dtype(host.dtype), cuda.device_of())


def save(file: Any, arr: Any) -> None:
    """Saves an array in NumPy's format."""
    _numpy.save(file, asnumpy(arr))


def load(file: Any) -> _Array:
    """Loads an array that save wrote, on the current device."""
    return asarray(_numpy.load(file))


def shares_memory(a: Any, b: Any) -> bool:
    """Whether two arrays share memory; on a GPU, whether they have the same address."""
    return _numpy.shares_memory(a, b) if a.device.kind == "cpu" else a.data_ptr == b.data_ptr


def show_config() -> None:
    """Prints what Tenon found, with reasons."""
    import json

    print(json.dumps(_tenon.info(), indent=2, default=str))


_ELSEWHERE = {"cupyx": "tenon.cupy.ndimage stands for cupyx.scipy.ndimage; tenon.convolve, tenon.ops.image and tenon.graph for other parts",
              "testing": "numpy.testing takes arrays of Tenon on the CPU",
              "jit": "write the kernel in CUDA C: tenon.cupy.RawKernel"}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        raise AttributeError(f"tenon.cupy has no {name}: {_ELSEWHERE[name]}")
    if name == "bool":
        return _numpy.bool_
    return _NAMES(name)


__all__ = ["ElementwiseKernel", "RawKernel", "RawModule", "ReductionKernel", "array", "asarray", "ascontiguousarray",
           "asnumpy", "copy",
           "cuda", "fft", "frombuffer", "fuse", "get_array_module", "get_default_memory_pool",
           "get_default_pinned_memory_pool",
           "is_available", "linalg", "load", "ndarray", "ndimage", "random", "save"]


def __dir__() -> list[str]:
    return sorted({*globals(), *_LISTED()})


