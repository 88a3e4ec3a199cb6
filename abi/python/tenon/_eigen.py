"""Eigenvalues, condition numbers, and functions of matrices."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from . import _raw
from ._array import Array
from ._creation import asarray, target
from ._fft import copy_exactly
from ._integers import integer
from ._library import lib
from ._linalg import matmul
from ._moving import eye
from ._solve import one, several
from ._stream import as_stream
from ._torch import written


class EigenResult(NamedTuple):
    """a v = v diag(w)."""

    eigenvalues: Array
    eigenvectors: Array


# The options of most calls: making them would take a good part of a small matrix's time. The library only reads them.
_EIGH_OPTIONS = {upper: ctypes.byref(_raw.tenon_eigh_options(upper=upper)) for upper in (False, True)}


def _eigh(a: Any, upper: bool, subset: tuple[int, int] | None, between: tuple[float, float] | None, vectors: bool,
          stream: Any, out: Any) -> Any:
    a = asarray(a)
    if subset is None and between is None:
        return _eigh_by(a, _EIGH_OPTIONS[bool(upper)], vectors, stream, out)
    options = _raw.tenon_eigh_options(upper=bool(upper))
    if subset is not None and between is not None:
        raise ValueError("eigenvalues can be selected by index (subset) or by value (between), not by both")
    if subset is not None:
        first, last = (integer(i, "an index of subset") for i in subset)
        if last < first:
            raise ValueError(f"subset must be (first, last), both counted from 0, not {subset}")
        options.first, options.count = first, integer(last - first + 1, "the number of eigenvalues of subset")
    if between is not None:
        low, high = (float(x) for x in between)
        options.by_value, options.low, options.high = 1, low, high
    return _eigh_by(a, ctypes.byref(options), vectors, stream, out)


def _eigh_by(a: Array, options: Any, vectors: bool, stream: Any, out: Any) -> Any:
    if vectors:
        return EigenResult(*several(lib.tenon_eigh, a, options, count=2, stream=stream, out=out))
    return one(lambda a, options, stream, w: lib.tenon_eigh(a, options, stream, w, None), a, options, stream=stream,
               out=out)


def eigh(a: Any, *, upper: bool = False, subset: tuple[int, int] | None = None,
         between: tuple[float, float] | None = None, out: Any = None, stream: Any = None) -> EigenResult:
    """The eigenvalues in ascending order and the orthonormal eigenvectors (columns) of a symmetric or Hermitian matrix;
    only one triangle is read. subset: (first, last) computes only the eigenvalues with these indices, counted from 0,
    both included. between: (low, high) computes only those in (low, high], for a single matrix."""
    result: EigenResult = _eigh(a, upper, subset, between, True, stream, out)
    return result


def eigvalsh(a: Any, *, upper: bool = False, subset: tuple[int, int] | None = None,
             between: tuple[float, float] | None = None, out: Any = None, stream: Any = None) -> Array:
    """The eigenvalues of eigh.

        >>> tenon.round(tenon.eigvalsh(tenon.asarray([[2.0, 0.0], [0.0, 1.0]]))).tolist()
        [1.0, 2.0]
    """
    result: Array = _eigh(a, upper, subset, between, False, stream, out)
    return result


def eig(a: Any, *, out: Any = None, stream: Any = None) -> EigenResult:
    """The complex eigenvalues and eigenvectors (columns of norm 1) of any square matrix, in no particular order."""
    return EigenResult(*several(lambda a, stream, w, v: lib.tenon_eig(a, None, stream, w, None, v), asarray(a), count=2,
                                stream=stream, out=out))


class LeftRightResult(NamedTuple):
    """u^H a = diag(w) u^H and a v = v diag(w)."""

    eigenvalues: Array
    left: Array
    right: Array


def eig_vectors(a: Any, *, out: Any = None, stream: Any = None) -> LeftRightResult:
    """eig with the left eigenvectors as well (columns of norm 1)."""
    return LeftRightResult(*several(lib.tenon_eig, asarray(a), None, count=3, stream=stream, out=out))


def eigvals(a: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The eigenvalues of eig."""
    return one(lambda a, stream, w: lib.tenon_eig(a, None, stream, w, None, None), asarray(a), stream=stream, out=out)


def matrix_power(a: Any, n: int, *, out: Any = None, stream: Any = None) -> Array:
    """a to the power n; a negative n gives a power of the inverse. Integers keep their dtype and wrap around; their
    inverse is float64.

        >>> tenon.matrix_power(tenon.asarray([[1.0, 1.0], [0.0, 1.0]]), 5).tolist()
        [[1.0, 5.0], [0.0, 1.0]]
    """
    a, n = asarray(a), integer(n, "n")
    if a.dtype.kind in "biu":  # the library's powers are of floating-point numbers
        stream = as_stream(stream, a.device)
        if n >= 0 and a.ndim > 1 and a.shape[-1] == a.shape[-2]:
            return _integer_power(a, n, out, stream)
        a = a.astype("float64", stream=stream)  # for the inverse, or for the error
    return one(lib.tenon_matrix_power, a, n, None, stream=stream, out=out)


def _integer_power(a: Array, n: int, out: Any, stream: Any) -> Array:
    """By squaring; products of int8 are int32 and are cut to their low bits again."""
    power, base = None, a
    while n:
        if n & 1:
            power = base.copy(stream=stream) if power is None else _product(power, base, stream)
        n >>= 1
        base = _product(base, base, stream) if n else base
    if power is None:
        one_matrix = eye(a.shape[-1], dtype=a.dtype, device=a.device, stream=stream)
        power = one_matrix.broadcast_to(a.shape).copy(stream=stream)
    if out is None:
        return power
    given = target(out, "out")
    copy_exactly(power, given, stream)
    written(out, stream=stream)
    return given


def _product(a: Array, b: Array, stream: Any) -> Array:
    return matmul(a, b, stream=stream).astype(a.dtype, copy=False, stream=stream)


def expm(a: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The matrix exponential."""
    return one(lib.tenon_expm, asarray(a), None, stream=stream, out=out)
