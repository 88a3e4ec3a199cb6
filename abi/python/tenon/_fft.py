"""Discrete Fourier transforms, named and normed as NumPy's."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Sequence

from . import _raw
from ._array import Array, int32s
from ._creation import asarray, empty
from ._errors import check
from ._library import lib
from ._stream import as_stream, stream_handle

NORMS = {None: _raw.TENON_FFT_NORM_BACKWARD, "backward": _raw.TENON_FFT_NORM_BACKWARD, "ortho": _raw.TENON_FFT_NORM_ORTHO,
         "forward": _raw.TENON_FFT_NORM_FORWARD}


def fftn(x: Any, axes: Sequence[int] | None = None, norm: str | None = None, *, out: Array | None = None, stream: Any = None) -> Array:
    """The transform over the given axes (None: all), complex64 for float32 and smaller floats, else complex128. out: where
    to, x itself allowed."""
    return _transform(x, axes, norm, _raw.TENON_FFT_FORWARD, out, stream)


def ifftn(x: Any, axes: Sequence[int] | None = None, norm: str | None = None, *, out: Array | None = None, stream: Any = None) -> Array:
    """The inverse of fftn."""
    return _transform(x, axes, norm, _raw.TENON_FFT_INVERSE, out, stream)


def fft(x: Any, axis: int = -1, norm: str | None = None, *, out: Array | None = None, stream: Any = None) -> Array:
    """The transform over one axis; every other axis is a batch."""
    return fftn(x, (axis,), norm, out=out, stream=stream)


def ifft(x: Any, axis: int = -1, norm: str | None = None, *, out: Array | None = None, stream: Any = None) -> Array:
    """The inverse of fft."""
    return ifftn(x, (axis,), norm, out=out, stream=stream)


def fft2(x: Any, axes: Sequence[int] = (-2, -1), norm: str | None = None, *, out: Array | None = None, stream: Any = None) -> Array:
    """The transform over two axes."""
    return fftn(x, axes, norm, out=out, stream=stream)


def ifft2(x: Any, axes: Sequence[int] = (-2, -1), norm: str | None = None, *, out: Array | None = None, stream: Any = None) -> Array:
    """The inverse of fft2."""
    return ifftn(x, axes, norm, out=out, stream=stream)


def _transform(x: Any, axes: Sequence[int] | None, norm: str | None, direction: int, out: Array | None, stream: Any) -> Array:
    x = asarray(x)
    if norm not in NORMS:
        raise ValueError(f"norm is one of backward, ortho, forward, not {norm!r}")
    stream = as_stream(stream, x.device)
    if x.dtype.kind != "c":
        x = x.astype("complex64" if x.dtype.name in ("float32", "float16", "bfloat16") else "complex128", stream=stream)
    axes = tuple(range(x.ndim)) if axes is None else tuple(operator.index(axis) for axis in axes)
    if out is None:
        out = empty(x.shape, x.dtype, device=x.device, stream=stream)
    if not axes:
        out[...] = x
        return out
    options = _raw.tenon_fft_options(direction=direction, norm=NORMS[norm])
    check(lib.tenon_fft(x._handle, out._handle, int32s(axes), len(axes), ctypes.byref(options), stream_handle(stream)))
    return out
