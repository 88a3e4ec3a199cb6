"""Discrete Fourier transforms with NumPy's names, order of arguments and norms. out: an array of Tenon or of another
library that receives the result."""

from __future__ import annotations

import ctypes
import functools
import operator
from typing import Any, TypeAlias
from collections.abc import Sequence

from . import _raw
from ._array import Array
from ._compute import array_argument, computable
from ._creation import FLOAT64, asarray, empty, target, zeros
from ._device import as_device
from ._dtypes import BY_NAME, as_dtype
from ._errors import DeviceError, DTypeError, InvalidArgument, ShapeError, check
from ._handle import make
from ._integers import int32s, integer
from ._library import core, lib
from ._solve import into, one
from ._stream import as_stream, stream_handle
from ._torch import written

NORMS = {None: _raw.TENON_FFT_NORM_BACKWARD, "backward": _raw.TENON_FFT_NORM_BACKWARD,
         "ortho": _raw.TENON_FFT_NORM_ORTHO, "forward": _raw.TENON_FFT_NORM_FORWARD}
FORWARD, INVERSE = _raw.TENON_FFT_DIRECTION_FORWARD, _raw.TENON_FFT_DIRECTION_INVERSE
Lengths: TypeAlias = "Sequence[int | None]"
_SINGLE = ("float32", "float16", "bfloat16", "complex32", "complex64")

# --- complex to complex ---


def fftn(x: Any, s: Lengths | None = None, axes: Sequence[int] | None = None, norm: str | None = "backward", *,
         out: Any = None, stream: Any = None) -> Array:
    """The transform over the given axes (None: all; an empty tuple: x itself, as in NumPy). The result is complex64 for
    float32 and smaller floating-point types, complex32 for complex32, else complex128. s: the lengths to which x is
    truncated or zero-padded along these axes; None or -1 among them leaves an axis as it is. out: receives the result;
    it may be x itself."""
    return _complex(x, axes, s, norm, FORWARD, out, stream)


def ifftn(x: Any, s: Lengths | None = None, axes: Sequence[int] | None = None, norm: str | None = "backward", *,
          out: Any = None,
          stream: Any = None) -> Array:
    """The inverse of fftn."""
    return _complex(x, axes, s, norm, INVERSE, out, stream)


def fft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = "backward", *, out: Any = None,
        stream: Any = None) -> Array:
    """The transform over one axis; the other axes are a batch. n: the length to which x is truncated or zero-padded.

        >>> tenon.fft(tenon.asarray([1.0, 0.0, 0.0, 0.0])).tolist()
        [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    if n is out is stream is None and norm in NORMS and \
            (made := core.fft(x, axis, FORWARD, NORMS[norm])) is not None:
        return made
    return fftn(x, _one(n), (axis,), norm, out=out, stream=stream)


def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = "backward", *,
         out: Any = None, stream: Any = None) -> Array:
    """The inverse of fft."""
    if n is out is stream is None and norm in NORMS and \
            (made := core.fft(x, axis, INVERSE, NORMS[norm])) is not None:
        return made
    return ifftn(x, _one(n), (axis,), norm, out=out, stream=stream)


def fft2(x: Any, s: Lengths | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = "backward", *,
         out: Any = None, stream: Any = None) -> Array:
    """The transform over two axes."""
    return fftn(x, s, axes, norm, out=out, stream=stream)


def ifft2(x: Any, s: Lengths | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = "backward", *,
          out: Any = None,
          stream: Any = None) -> Array:
    """The inverse of fft2."""
    return ifftn(x, s, axes, norm, out=out, stream=stream)


# --- real to complex, complex to real ---


def rfftn(x: Any, s: Lengths | None = None, axes: Sequence[int] | None = None, norm: str | None = "backward", *,
          out: Any = None,
          stream: Any = None) -> Array:
    """The transform of real numbers over the given axes (None: all). Along the last of these axes it gives the first
    n/2 + 1 numbers; the others are conjugates of them. float16 is transformed in half precision if out is complex32,
    else in single."""
    return _from_real(x, axes, s, norm, FORWARD, out, stream)


def irfftn(x: Any, s: Lengths | None = None, axes: Sequence[int] | None = None, norm: str | None = "backward",
           *, out: Any = None,
           stream: Any = None) -> Array:
    """The inverse of rfftn, which gives real numbers. The length along the last of the axes is the last entry of s, or
    2 (m - 1) for m numbers if s is not given or ends with None."""
    return _to_real(x, axes, s, norm, INVERSE, out, stream)


def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = "backward", *,
         out: Any = None, stream: Any = None) -> Array:
    """The transform of real numbers over one axis: the first n/2 + 1 numbers; the others are conjugates of them.

        >>> tenon.rfft(tenon.ones(4)).real.tolist()
        [4.0, 0.0, 0.0]
    """
    return rfftn(x, _one(n), (axis,), norm, out=out, stream=stream)


def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = "backward", *, out: Any = None,
          stream: Any = None) -> Array:
    """The inverse of rfft, which gives n real numbers (None: 2 (m - 1) for m numbers)."""
    return irfftn(x, _one(n), (axis,), norm, out=out, stream=stream)


def rfft2(x: Any, s: Lengths | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = "backward", *,
          out: Any = None,
          stream: Any = None) -> Array:
    """rfftn over two axes."""
    return rfftn(x, s, axes, norm, out=out, stream=stream)


def irfft2(x: Any, s: Lengths | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = "backward", *,
           out: Any = None,
           stream: Any = None) -> Array:
    """The inverse of rfft2."""
    return irfftn(x, s, axes, norm, out=out, stream=stream)


def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = "backward", *,
         out: Any = None, stream: Any = None) -> Array:
    """The forward transform of a Hermitian signal, given its first n/2 + 1 numbers in x; the result is n real
    numbers."""
    return _to_real(x, (axis,), _one(n), norm, FORWARD, out, stream)


def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = "backward", *, out: Any = None,
          stream: Any = None) -> Array:
    """The inverse of hfft: the first n/2 + 1 numbers of a Hermitian signal."""
    return _from_real(x, (axis,), _one(n), norm, INVERSE, out, stream)


# --- cosine and sine transforms of real numbers, with SciPy's names and norms ---


def dctn(x: Any, type: int = 2, *, axes: Sequence[int] | None = None, norm: str | None = None, out: Any = None,
         stream: Any = None) -> Array:
    """The cosine transform of type 1 to 4 over the given axes (None: all) in float32 or float64, to one of which other
    dtypes are converted. out: receives the result; it may be x itself."""
    return _cosine(x, type, axes, norm, False, FORWARD, out, stream)


def idctn(x: Any, type: int = 2, *, axes: Sequence[int] | None = None, norm: str | None = None, out: Any = None,
          stream: Any = None) -> Array:
    """The inverse of dctn."""
    return _cosine(x, type, axes, norm, False, INVERSE, out, stream)


def dstn(x: Any, type: int = 2, *, axes: Sequence[int] | None = None, norm: str | None = None, out: Any = None,
         stream: Any = None) -> Array:
    """The sine transform; the arguments are those of dctn."""
    return _cosine(x, type, axes, norm, True, FORWARD, out, stream)


def idstn(x: Any, type: int = 2, *, axes: Sequence[int] | None = None, norm: str | None = None, out: Any = None,
          stream: Any = None) -> Array:
    """The inverse of dstn."""
    return _cosine(x, type, axes, norm, True, INVERSE, out, stream)


def dct(x: Any, type: int = 2, *, axis: int = -1, norm: str | None = None, out: Any = None,
        stream: Any = None) -> Array:
    """dctn over one axis; the other axes are a batch."""
    return dctn(x, type, axes=(axis,), norm=norm, out=out, stream=stream)


def idct(x: Any, type: int = 2, *, axis: int = -1, norm: str | None = None, out: Any = None,
         stream: Any = None) -> Array:
    """The inverse of dct."""
    return idctn(x, type, axes=(axis,), norm=norm, out=out, stream=stream)


def dst(x: Any, type: int = 2, *, axis: int = -1, norm: str | None = None, out: Any = None,
        stream: Any = None) -> Array:
    """dstn over one axis."""
    return dstn(x, type, axes=(axis,), norm=norm, out=out, stream=stream)


def idst(x: Any, type: int = 2, *, axis: int = -1, norm: str | None = None, out: Any = None,
         stream: Any = None) -> Array:
    """The inverse of dst."""
    return idstn(x, type, axes=(axis,), norm=norm, out=out, stream=stream)


# --- plans ahead ---


def fft_prepare(x: Any, out: Any, axes: Sequence[int] | None = None, norm: str | None = None, *,
                inverse: bool = False) -> None:
    """Prepares the transform of x to out over the axes (None: all) without running it: on CUDA it creates cuFFT plans,
    which takes long, and compiles kernels. The dtypes of x and out determine the transform: complex to complex, real to
    complex, or complex to real. Later transforms of arrays with the same dtypes, shapes and strides on that device
    reuse what was prepared."""
    x, out = asarray(x), target(out, "out")
    axes = _axes(x, axes, None)
    options = _raw.tenon_fft_options(direction=INVERSE if inverse else FORWARD, norm=NORMS[_norm(norm)])
    check(lib.tenon_fft_prepare(x._handle, out._handle, int32s(axes), len(axes), ctypes.byref(options)))


def dct_prepare(x: Any, out: Any, type: int = 2, axes: Sequence[int] | None = None, norm: str | None = None, *,
                sine: bool = False, inverse: bool = False) -> None:
    """As fft_prepare, for dctn, or for dstn with sine=True; with inverse=True for idctn or idstn."""
    x, out = asarray(x), target(out, "out")
    axes = _axes(x, axes, None)
    options = _cosine_options(type, norm, sine, INVERSE if inverse else FORWARD)
    check(lib.tenon_dct_prepare(x._handle, out._handle, int32s(axes), len(axes), ctypes.byref(options)))


# --- order and frequencies ---


def fftshift(x: Any, axes: int | Sequence[int] | None = None, *, stream: Any = None) -> Array:
    """A copy with the zero frequency in the middle of each of the axes (None: all).

        >>> tenon.fftshift(tenon.arange(4)).tolist()
        [2, 3, 0, 1]
    """
    return _shifted(x, axes, False, stream)


def ifftshift(x: Any, axes: int | Sequence[int] | None = None, *, stream: Any = None) -> Array:
    """The inverse of fftshift."""
    return _shifted(x, axes, True, stream)


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None, stream: Any = None) -> Array:
    """The frequencies of fft's n numbers, in cycles per unit of the sample spacing d; dtype None: float64."""
    return _frequencies(n, d, False, dtype, device, stream)


def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None, stream: Any = None) -> Array:
    """The frequencies of rfft's n/2 + 1 numbers."""
    return _frequencies(n, d, True, dtype, device, stream)


# --- how ---


def _norm(norm: str | None) -> str | None:
    if norm not in NORMS:
        raise ValueError(f"norm must be one of backward, ortho, forward, not {norm!r}")
    return norm


def _cosine_options(kind: int, norm: str | None, sine: bool, direction: int) -> Any:
    if operator.index(kind) not in (1, 2, 3, 4):
        raise ValueError(f"cosine and sine transforms have types 1 to 4, not {kind}")
    return _raw.tenon_dct_options(type=kind, sine=sine, direction=direction, norm=NORMS[_norm(norm)])


def _one(n: int | None) -> tuple[int] | None:
    return None if n is None else (_length(n),)


def _length(n: int) -> int:
    n = integer(n, "a length")
    if n < 1:
        raise InvalidArgument(f"a transform needs at least one number, not {n}", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return n


def _lengths(x: Array, axes: tuple[int, ...], s: Lengths) -> list[int]:
    """The lengths s along the axes, where None and -1 stand for the axis's own length. A length of an axis that does not
    exist is any: the library rejects the axis."""
    whole = [x.shape[axis] if 0 <= axis < x.ndim else 1 for axis in axes]
    return [own if n is None or (hasattr(n, "__index__") and operator.index(n) == -1) else _length(n)
            for n, own in zip(s, whole)]


def _axes(x: Array, axes: Sequence[int] | None, s: Lengths | None) -> tuple[int, ...]:
    """The axes counted from the front; out-of-range axes stay as they are and are rejected by the library."""
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    axes = tuple([operator.index(axis) for axis in axes])
    if s is not None and len(s) != len(axes):
        raise ShapeError(f"s has {len(s)} lengths for {len(axes)} axes", _raw.TENON_ERROR_SHAPE)
    rank = x.ndim
    return tuple([axis + rank if -rank <= axis < 0 else axis for axis in axes])


class _NoAxes(InvalidArgument, IndexError):
    """NumPy's transforms of real numbers raise an IndexError."""


def _some(axes: tuple[int, ...]) -> tuple[int, ...]:
    if not axes:
        raise _NoAxes("a transform between real and complex numbers needs at least one axis: the last of them is "
                      "halved", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return axes


def _fitted(x: Array, axes: tuple[int, ...], lengths: Sequence[int], stream: Any) -> Array:
    """x truncated or zero-padded to these lengths along the axes."""
    cut = [slice(None)] * x.ndim
    shape = list(x.shape)
    for axis, length in zip(axes, lengths):
        if 0 <= axis < x.ndim:
            cut[axis] = slice(0, length)
            shape[axis] = length
    x = x[tuple(cut)]
    if x.shape == tuple(shape):
        return x
    filled = zeros(shape, x.dtype, device=x.device, stream=stream)
    part = filled[tuple(slice(0, extent) for extent in x.shape)]
    check(lib.tenon_array_copy(part._handle, x._handle, stream_handle(stream)))
    return filled


def _result(x: Array, shape: Sequence[int], dtype: Any, stream: Any) -> Array:
    """A new array whose axes have the same order in memory as x's, like NumPy's results. x is not C-ordered."""
    order = sorted(range(x.ndim), key=lambda axis: -abs(x.strides[axis]))
    return empty([shape[axis] for axis in order], dtype, device=x.device,
                 stream=stream).transpose(sorted(range(x.ndim), key=order.__getitem__))


# Cached, because programs transform arrays of the same few shapes, and shared, because the library only reads them.
@functools.lru_cache(1024)
def _options(direction: int, norm: str | None, real_length: int = 0) -> Any:
    return ctypes.byref(_raw.tenon_fft_options(direction=direction, norm=NORMS[norm], real_length=real_length))


_kept_axes = functools.lru_cache(1024)(int32s)


def _new(x: Array, axes: tuple[int, ...], options: Any, stream: Any) -> Array:
    """Runs a transform of a C-ordered array; the library makes the result, in C order as well."""
    return Array._own(make(lib.tenon_fft, x._handle, _kept_axes(axes), len(axes), options, stream_handle(stream)))


def _run(x: Array, given: Any, axes: tuple[int, ...], direction: int, norm: str | None, stream: Any,
         alike: bool = False) -> Array:
    """Runs a transform. alike: the result has x's dtype."""
    out = target(given, "out")
    options = _options(direction, _norm(norm))
    if alike and not axes:
        copy_exactly(x, out, stream)
    else:
        check(lib.tenon_fft(x._handle, _kept_axes(axes), len(axes), options, stream_handle(stream), into(out)))
    written(given, stream=stream)
    return out


def copy_exactly(x: Array, out: Array, stream: Any) -> None:
    """A copy that, unlike a plain one, neither converts nor broadcasts: such as a transform over no axes, which the
    library does not provide."""
    if out.shape != x.shape:
        raise ShapeError(f"the source has shape {x.shape} and the destination {out.shape}: they must be equal",
                         _raw.TENON_ERROR_SHAPE)
    if out.dtype is not x.dtype:
        raise DTypeError(f"the source is {x.dtype} and the destination {out.dtype}: they must be the same",
                         _raw.TENON_ERROR_DTYPE)
    if out.device != x.device:
        raise DeviceError(f"the source is on {x.device} and the destination on {out.device}", _raw.TENON_ERROR_DEVICE)
    check(lib.tenon_array_copy(out._handle, x._handle, stream_handle(stream)))


def _typed(x: Array, kind: str, stream: Any, out: Any = None) -> Array:
    if x.dtype.name == "complex32" or (x.dtype.name == "float16" and out is not None
                                       and as_dtype(out.dtype).name == "complex32" and kind == "f"):
        return x  # half precision, if requested
    names = ("complex64", "complex128") if kind == "c" else ("float32", "float64")
    wanted = names[x.dtype.name not in _SINGLE]
    if x.dtype.name == wanted:
        return x
    if not computable(x.dtype):
        return x.astype(BY_NAME[wanted], stream=stream)
    operand = array_argument(_raw.TENON_ARG_ARRAY, 0, 0, x._handle, 0)  # with less of Python than astype
    return Array._own(make(lib.tenon_cast, operand, BY_NAME[wanted].code, None, stream_handle(stream)))


def _complex(x: Any, axes: Sequence[int] | None, s: Lengths | None, norm: str | None, direction: int, out: Array | None,
             stream: Any) -> Array:
    x = asarray(x)
    stream = as_stream(stream, x.device)
    axes = _axes(x, axes, s)
    if not axes and out is None:
        _norm(norm)
        result: Array = x
        return result
    if s is not None:
        x = _fitted(x, axes, _lengths(x, axes, s), stream)
    x = _typed(x, "c", stream)
    if out is None:
        if x.c_contiguous:
            return _new(x, axes, _options(direction, _norm(norm)), stream)
        out = _result(x, x.shape, x.dtype, stream)
    return _run(x, out, axes, direction, norm, stream, alike=True)


def _from_real(x: Any, axes: Sequence[int] | None, s: Lengths | None, norm: str | None, direction: int,
               out: Array | None, stream: Any) -> Array:
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError(f"a transform of real numbers got {x.dtype}; use fftn for complex numbers")
    stream = as_stream(stream, x.device)
    axes = _some(_axes(x, axes, s))
    if s is not None:
        x = _fitted(x, axes, _lengths(x, axes, s), stream)
    x = _typed(x, "f", stream, out)
    if out is None:
        if x.c_contiguous:
            return _new(x, axes, _options(direction, _norm(norm)), stream)
        shape = list(x.shape)
        if 0 <= axes[-1] < x.ndim:
            shape[axes[-1]] = shape[axes[-1]] // 2 + 1
        out = _result(x, shape, "complex64" if x.dtype.name == "float32" else "complex128", stream)
    return _run(x, out, axes, direction, norm, stream)


def _to_real(x: Any, axes: Sequence[int] | None, s: Lengths | None, norm: str | None, direction: int, out: Array | None,
             stream: Any) -> Array:
    x = asarray(x)
    stream = as_stream(stream, x.device)
    axes = _some(_axes(x, axes, s))
    n = None
    if 0 <= axes[-1] < x.ndim:
        given = [None] * len(axes) if s is None else s
        *lengths, n = _lengths(x, axes, given)
        if given[-1] is None:
            n = _length(2 * (x.shape[axes[-1]] - 1))
        x = _fitted(x, axes, [*lengths, n // 2 + 1], stream)
    x = _typed(x, "c", stream)
    if out is None:
        if x.c_contiguous:
            return _new(x, axes, _options(direction, _norm(norm), n or 0), stream)
        shape = list(x.shape)
        if n is not None:
            shape[axes[-1]] = n
        out = _result(x, shape, {"complex32": "float16", "complex64": "float32"}.get(x.dtype.name, "float64"), stream)
    return _run(x, out, axes, direction, norm, stream)


def _cosine(x: Any, kind: int, axes: Sequence[int] | None, norm: str | None, sine: bool, direction: int,
            out: Array | None, stream: Any) -> Array:
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError(f"a transform of real numbers got {x.dtype}")
    options = _cosine_options(kind, norm, sine, direction)
    stream = as_stream(stream, x.device)
    axes = _axes(x, axes, None)
    x = _typed(x, "f", stream)
    given = empty(x.shape, x.dtype, device=x.device, stream=stream) if out is None else out
    out = target(given, "out")
    if not axes:
        copy_exactly(x, out, stream)
    else:
        check(lib.tenon_dct(x._handle, int32s(axes), len(axes), ctypes.byref(options),
                            stream_handle(stream), into(out)))
    written(given, stream=stream)
    return out


def _shifted(x: Any, axes: int | Sequence[int] | None, inverse: bool, stream: Any) -> Array:
    x = asarray(x)
    several: Any = axes
    chosen: Any = () if axes is None else (axes,) if hasattr(axes, "__index__") else tuple(several) or None
    if chosen is None:  # no axes, which would mean all axes to the library
        result: Array = x.copy(stream=stream)
        return result
    return one(lib.tenon_fft_shift, x, int32s(chosen), len(chosen),
               ctypes.byref(_raw.tenon_shift_options(inverse=inverse)), stream=stream)


def _frequencies(n: int, d: float, half: bool, dtype: Any, device: Any, stream: Any) -> Array:
    device = as_device(device)
    stream = as_stream(stream, device)
    dtype = as_dtype(FLOAT64 if dtype is None else dtype)
    return Array._own(make(lib.tenon_fft_frequencies, device._handle, dtype.code,
                           integer(n, "a length"), float(d), ctypes.byref(_raw.tenon_frequencies_options(half=half)),
                           stream_handle(stream)))
