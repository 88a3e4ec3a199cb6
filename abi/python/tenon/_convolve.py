"""Convolution and correlation by Fourier transforms."""

from __future__ import annotations

import ctypes
from typing import Any
from collections.abc import Sequence

from . import _raw
from ._array import Array
from ._creation import asarray
from ._errors import InvalidArgument, check
from ._integers import int32s, integer
from ._library import lib
from ._solve import choice, one

MODES = {"full": _raw.TENON_CONVOLVE_FULL, "same": _raw.TENON_CONVOLVE_SAME, "valid": _raw.TENON_CONVOLVE_VALID}


def next_fast_length(n: int) -> int:
    """The smallest length >= n without a prime factor above 5: transforms of such lengths are fast on every device."""
    out = ctypes.c_int64()
    check(lib.tenon_fft_fast_length(integer(n, "a length"), ctypes.byref(out)))
    return out.value


def convolve(a: Any, b: Any, mode: str = "full", *, axes: Sequence[int] | None = None, out: Any = None,
             stream: Any = None) -> Array:
    """The convolution along the axes (None: all), as scipy.signal.fftconvolve: the sums of a[k] b[i - k]. The other
    axes broadcast. mode: "full"; "same": the middle part, of a's size; "valid": the part where b lies entirely within
    a. Both must have the same dtype: float16 or bfloat16 (computed in float32), float32, float64, complex64 or
    complex128. The error is about epsilon times |a| |b|. A single NaN or infinity turns every result of the same
    transform into NaN.

        >>> tenon.convolve(tenon.asarray([1.0, 2.0]), tenon.asarray([1.0, 1.0])).tolist()
        [1.0, 3.0, 2.0]
    """
    return _by_transforms(a, b, mode, axes, False, stream, out)


def correlate(a: Any, b: Any, mode: str = "full", *, axes: Sequence[int] | None = None, out: Any = None,
              stream: Any = None) -> Array:
    """The correlation, as scipy.signal.correlate: the convolution of a with b conjugated and reversed."""
    return _by_transforms(a, b, mode, axes, True, stream, out)


def _by_transforms(a: Any, b: Any, mode: str, axes: Sequence[int] | None, correlation: bool,
                   stream: Any, out: Any) -> Array:
    a, b = asarray(a), asarray(b)
    axes = None if axes is None else tuple(axes)
    if axes == ():
        raise InvalidArgument("axes is empty: a convolution needs at least one axis", _raw.TENON_ERROR_INVALID_ARGUMENT)
    options = _raw.tenon_convolve_options(mode=choice(MODES, mode, "mode"), correlate=correlation)
    return one(lib.tenon_convolve, a, b._handle, int32s(axes or ()), len(axes or ()), ctypes.byref(options),
               stream=stream, out=out)
