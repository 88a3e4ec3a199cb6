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
    """The smallest length from n on with no prime factor above 5: transforms of such lengths are fast on every device."""
    out = ctypes.c_int64()
    check(lib.tenon_fft_fast_length(integer(n, "a length"), ctypes.byref(out)))
    return out.value


def convolve(a: Any, b: Any, mode: str = "full", *, axes: Sequence[int] | None = None, out: Any = None,
             stream: Any = None) -> Array:
    """The convolution along the axes (None: all), as scipy.signal.fftconvolve: sums of a[k] b[i - k]. mode: "full"; "same": the
    middle of it, as large as a; "valid": where b lies in a entirely. The other axes broadcast. Both of one dtype: float16 and
    bfloat16 (worked on in float32), float32, float64, complex64, complex128; an error near epsilon times |a| |b|. One NaN or
    infinity makes all numbers NaN that come of the same transforms.

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
