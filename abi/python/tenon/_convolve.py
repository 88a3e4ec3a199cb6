"""Convolution and correlation by Fourier transforms."""

from __future__ import annotations

import functools
import operator
from typing import Any, Sequence

from . import _raw
from ._array import Array
from ._creation import asarray
from ._errors import DTypeError, ShapeError
from ._fft import fftn, ifftn, irfftn, rfftn
from ._generated import Elementwise, elementwise

MODES = ("full", "same", "valid")


@functools.cache
def _products(conjugate: bool) -> Elementwise:
    return elementwise("T x, T y", "T r", "r = x * conj(y)" if conjugate else "r = x * y")


def next_fast_length(n: int) -> int:
    """The smallest length from n on with no prime factor above 5: transforms of such lengths are fast on every device."""
    n = operator.index(n)
    best = 1 << max(n - 1, 0).bit_length()
    five = 1
    while five < best:
        three = five
        while three < best:
            length = three << max(-(-n // three) - 1, 0).bit_length()  # with the fewest factors 2
            best = min(best, length)
            three *= 3
        five *= 5
    return best


def convolve(a: Any, b: Any, mode: str = "full", *, axes: Sequence[int] | None = None, stream: Any = None) -> Array:
    """The convolution along the axes (None: all), as scipy.signal.fftconvolve: sums of a[k] b[i - k]. mode: "full"; "same": the
    middle of it, as large as a; "valid": where b lies in a entirely. The other axes broadcast. float32, float64, complex64 or
    complex128, both of one dtype; an error near epsilon times |a| |b|."""
    return _by_transforms(asarray(a), asarray(b), mode, axes, False, stream)


def correlate(a: Any, b: Any, mode: str = "full", *, axes: Sequence[int] | None = None, stream: Any = None) -> Array:
    """The correlation, as scipy.signal.correlate: the convolution of a with b conjugated and reversed."""
    return _by_transforms(asarray(a), asarray(b), mode, axes, True, stream)


def _by_transforms(a: Array, b: Array, mode: str, axes: Sequence[int] | None, correlation: bool, stream: Any) -> Array:
    if mode not in MODES:
        raise ValueError(f"mode is one of {', '.join(MODES)}, not {mode!r}")
    if a.dtype is not b.dtype or a.dtype.name not in ("float32", "float64", "complex64", "complex128"):
        raise DTypeError(f"a is {a.dtype} and b is {b.dtype}: they must be one of float32, float64, complex64, complex128", _raw.TENON_ERROR_DTYPE)
    if a.ndim != b.ndim or a.ndim == 0:
        raise ShapeError(f"a {a.shape} and b {b.shape} must have as many axes, at least one", _raw.TENON_ERROR_SHAPE)
    rank = a.ndim
    chosen = list(range(rank)) if axes is None else [operator.index(axis) + rank * (axis < 0) for axis in axes]
    if len(set(chosen)) != len(chosen) or not chosen or not all(0 <= axis < rank for axis in chosen):
        raise ShapeError(f"axes {axes} are not different ones of the {rank} of the arrays", _raw.TENON_ERROR_SHAPE)
    if any(a.shape[axis] == 0 or b.shape[axis] == 0 for axis in chosen):
        raise ShapeError(f"a {a.shape} or b {b.shape} is empty along an axis that is convolved", _raw.TENON_ERROR_SHAPE)
    if mode == "valid" and any(a.shape[axis] < b.shape[axis] for axis in chosen):
        raise ShapeError(f"b {b.shape} does not lie in a {a.shape} anywhere", _raw.TENON_ERROR_SHAPE)

    lengths = [next_fast_length(a.shape[axis] + b.shape[axis] - 1) for axis in chosen]
    complex_ = a.dtype.kind == "c"
    forward, backward = (fftn, ifftn) if complex_ else (rfftn, irfftn)
    product = _products(correlation)(forward(a, chosen, s=lengths, stream=stream), forward(b, chosen, s=lengths, stream=stream), stream=stream)
    whole = backward(product, chosen, s=lengths, stream=stream)
    # A correlation starts b.shape - 1 places before the origin: there the circle of the transform closes.
    for axis, length in zip(chosen, lengths):
        lead = b.shape[axis] - 1 if correlation else 0
        full = a.shape[axis] + b.shape[axis] - 1
        first = {"full": 0, "same": (b.shape[axis] - 1) // 2, "valid": b.shape[axis] - 1}[mode]
        count = {"full": full, "same": a.shape[axis], "valid": a.shape[axis] - b.shape[axis] + 1}[mode]
        whole = _window(whole, axis, first - lead, count, length, stream)
    return whole


def _window(x: Array, axis: int, first: int, count: int, length: int, stream: Any) -> Array:
    """`count` places along an axis that is a circle, from `first` on, which may lie before its origin."""
    def part(start: int, stop: int) -> tuple[slice, ...]:
        return (slice(None),) * axis + (slice(start, stop),)

    if first >= 0:
        return x[part(first, first + count)]
    before = min(-first, count)
    out = x[part(0, count)].copy(stream=stream)
    out[part(0, before)] = x[part(length + first, length + first + before)]
    if count > before:
        out[part(before, count)] = x[part(0, count - before)]
    return out
