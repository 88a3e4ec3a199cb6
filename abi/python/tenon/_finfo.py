"""Ranges and kinds of dtypes: finfo, iinfo, isdtype."""

from __future__ import annotations

import dataclasses
from typing import Any

from . import _raw
from ._dtypes import BY_NAME, DType, as_dtype
from ._errors import DTypeError

# Bits of the significand, and the exponents of the largest number (below 2^e) and of the smallest normal one.
_FORMATS = {"float16": (11, 16, -14), "bfloat16": (8, 128, -126), "float32": (24, 128, -126),
            "float64": (53, 1024, -1022)}
_PARTS = {"complex64": "float32", "complex128": "float64", "complex32": "float16"}


@dataclasses.dataclass(frozen=True)
class finfo_object:  # noqa: N801: the standard's name
    """The result of finfo."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclasses.dataclass(frozen=True)
class iinfo_object:
    """The result of iinfo."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> finfo_object:
    """bits, eps, max, min and smallest_normal of a floating-point dtype, or of the parts of a complex one. The argument
    is a dtype or an array."""
    name = as_dtype(getattr(type, "dtype", type)).name
    name = _PARTS.get(name, name)
    if name not in _FORMATS:
        raise DTypeError(f"finfo is for floating-point and complex dtypes, not for {name}: use iinfo for integers",
                         _raw.TENON_ERROR_DTYPE)
    digits, top, bottom = _FORMATS[name]
    largest = (2.0 - 2.0 ** (1 - digits)) * 2.0 ** (top - 1)
    return finfo_object(BY_NAME[name].itemsize * 8, 2.0 ** (1 - digits), largest, -largest, 2.0**bottom, BY_NAME[name])


def iinfo(type: Any, /) -> iinfo_object:
    """bits, max and min of an integer dtype. The argument is a dtype or an array."""
    dtype = as_dtype(getattr(type, "dtype", type))
    if dtype.kind not in "iu":
        raise DTypeError(f"iinfo is for integer dtypes, not for {dtype}: use finfo for floating-point ones",
                         _raw.TENON_ERROR_DTYPE)
    bits, signed = dtype.itemsize * 8, dtype.kind == "i"
    return iinfo_object(bits, 2 ** (bits - signed) - 1, -(2 ** (bits - 1)) if signed else 0, dtype)


_GROUPS = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
           "complex floating": "c", "numeric": "iufc"}


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether the dtype is of a kind: kind is a dtype, one of "bool", "signed integer", "unsigned integer", "integral",
    "real floating", "complex floating", "numeric", or a tuple of these, one of which must match."""
    dtype = as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in _GROUPS:
            raise ValueError(f"{kind!r} is not a kind of dtypes: use {', '.join(_GROUPS)} are")
        return ("f" if dtype.name == "bfloat16" else dtype.kind) in _GROUPS[kind]
    return dtype is as_dtype(kind)
