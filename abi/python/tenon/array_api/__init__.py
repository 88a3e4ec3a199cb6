"""The namespace of the array API standard, version 2025.12, with the extensions linalg and fft: the result of
x.__array_namespace__(). NAMES lists all of the standard's names; all are implemented. The functions are Tenon's own;
see tenon.* for what they do beyond the standard. Where tenon.* differs from the standard (matmul of int8, for example),
linalg.py has a conforming version.

The standard's test suite passes except for 19 cases, in which Tenon behaves like NumPy and Python:
- floor_divide, // and //=, six cases each: infinity // x is NaN, and a finite number // an infinity of the other sign
  is -1, where the standard's tables have an infinity and -0. The standard allows both values.
- tanh of a complex number with the real part infinity: the imaginary part is a zero with the sign of sin(2 y), as in
  C99's Annex G; the standard's table has +0 for every positive y. Whether this case fails depends on the random y.
On a GPU four more fail because of what the suite does: in matrix_transpose (twice) and outer it passes arrays of the GPU
to NumPy, and test_dunder_dlpack asks for an array on the CPU without a copy.

Of SciPy's own 26,500 tests with SCIPY_ARRAY_API (1.17), which tests/python/with_others/scipy_backend.py runs on Tenon's
arrays, five fail on the CPU for what SciPy assumes about libraries that it does not know, and one for a zero's sign.
139 more would fail as they expect a list of devices, as until 2024.12: scipy_backend.py makes one.
- _lib, test_array_api_lazy: that a library it does not name is lazy.
- cluster, test_krandinit: the signs of singular vectors, on which its random numbers depend.
- differentiate, test_initial_step: that there is a logspace, which the standard does not have.
- ndimage, test_rank17: that an attribute flags is NumPy's; TestVectorizedFilter.test_input_validation: the words of an
  error.
- special, test_gh22601_infinite_elements: that a sum of complex -0 is +0; it is -0 here, as a sum of real -0.
"""

from __future__ import annotations

import math
from typing import Any

from .. import _functions, _raw
from .._compute import astype, can_cast, clip, result_type, where
from .._creation import asarray, empty, empty_like, full, full_like, ones, ones_like, zeros, zeros_like
from .._device import Device, default_device, devices
from .._dlpack import from_dlpack
from .._dtypes import BY_NAME, DType, as_dtype
from .._finfo import finfo, iinfo, isdtype
from .._moving import (arange, broadcast_arrays, broadcast_shapes, broadcast_to, concat, diag, expand_dims, eye, flip,
                       linspace, meshgrid, moveaxis, nonzero, permute_dims, repeat, reshape, roll, squeeze, stack, take,
                       take_along_axis, tile, tril, triu, unstack)
from .._reductions import (all, any, argmax, argmin, count_nonzero, cumulative_prod, cumulative_sum, diff,
                           max, mean, min, prod, std, sum, var)
from .._selecting import argsort, isin, searchsorted, sort, unique_all, unique_counts, unique_inverse, unique_values
from . import fft, linalg
from .._linalg import matrix_transpose
from .linalg import matmul, tensordot, vecdot

VERSIONS = ("2025.12", "2024.12", "2023.12", "2022.12", "2021.12")
__array_api_version__ = VERSIONS[0]

e, pi, inf, nan, newaxis = math.e, math.pi, math.inf, math.nan, None

ELEMENTWISE = (
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_invert",
    "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "ceil", "conj", "copysign", "cos", "cosh",
    "divide", "equal", "exp", "expm1", "floor", "floor_divide", "greater", "greater_equal", "hypot", "imag", "isfinite",
    "isinf", "isnan", "less", "less_equal", "log", "log10", "log1p", "log2", "logaddexp", "logical_and", "logical_not",
    "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative", "nextafter", "not_equal", "positive",
    "pow", "real", "reciprocal", "remainder", "round", "sign", "signbit", "sin", "sinh",
    "sqrt", "square", "subtract", "tan", "tanh", "trunc")
globals().update({name: getattr(_functions, name) for name in ELEMENTWISE})

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
          "complex64", "complex128")
BEYOND = ("float16", "bfloat16")  # Neither these nor diag are in the standard, but SciPy uses them
globals().update({name: BY_NAME[name] for name in DTYPES + BEYOND})


class Info:
    """The result of __array_namespace_info__."""

    def capabilities(self) -> dict[str, Any]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _raw.TENON_MAX_RANK}

    def default_device(self) -> Device:
        return default_device()

    def devices(self) -> tuple[Device, ...]:  # a list until 2024.12
        return tuple(devices())

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        return {"real floating": BY_NAME["float64"], "complex floating": BY_NAME["complex128"],
                "integral": BY_NAME["int64"], "indexing": BY_NAME["int64"]}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        return {name: BY_NAME[name] for name in DTYPES if kind is None or isdtype(as_dtype(name), kind)}


def __array_namespace_info__() -> Info:
    return Info()


NAMES = tuple(sorted((
    *ELEMENTWISE, *DTYPES, "e", "pi", "inf", "nan", "newaxis", "asarray", "empty", "empty_like", "from_dlpack",
    "full", "full_like", "ones", "ones_like", "zeros", "zeros_like", "astype", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "can_cast", "finfo", "iinfo", "isdtype", "result_type", "clip", "where", "matmul",
    "matrix_transpose", "tensordot", "vecdot", "permute_dims", "reshape", "all", "any", "arange", "argsort", "concat",
    "expand_dims", "eye", "flip", "isin", "linspace", "meshgrid", "moveaxis", "nonzero",
    "repeat", "roll", "searchsorted", "sort", "squeeze", "stack", "take", "take_along_axis", "tile", "tril", "triu",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "unstack",
    "argmax", "argmin", "count_nonzero", "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod",
    "diff", "std", "sum", "var", "fft", "linalg")))
__all__ = list(NAMES)
