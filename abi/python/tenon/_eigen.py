"""Eigenvalues, norms, and functions of matrices."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from . import _raw
from ._array import Array
from ._creation import asarray
from ._integers import integer
from ._library import lib
from ._solve import one, several

# As NumPy names them.
NORMS = {None: _raw.TENON_NORM_FROBENIUS, "fro": _raw.TENON_NORM_FROBENIUS, 1: _raw.TENON_NORM_ONE, float("inf"): _raw.TENON_NORM_INFINITY,
         "max": _raw.TENON_NORM_LARGEST, 2: _raw.TENON_NORM_TWO, -2: _raw.TENON_NORM_MINUS_TWO, "nuc": _raw.TENON_NORM_NUCLEAR}


class EigenResult(NamedTuple):
    """a v = v diag(w)."""

    eigenvalues: Array
    eigenvectors: Array


def _eigh(a: Any, upper: bool, subset: tuple[int, int] | None, between: tuple[float, float] | None, vectors: bool,
          stream: Any, out: Any) -> Any:
    a = asarray(a)
    options = _raw.tenon_eigh_options(upper=bool(upper))
    if subset is not None and between is not None:
        raise ValueError("eigenvalues are chosen by index (subset) or by value (between), not by both")
    if subset is not None:
        first, last = (integer(i, "an index of subset") for i in subset)
        if last < first:
            raise ValueError(f"subset is (first, last), both from 0, not {subset}")
        options.first, options.count = first, integer(last - first + 1, "the number of eigenvalues of subset")
    if between is not None:
        low, high = (float(x) for x in between)
        options.by_value, options.low, options.high = 1, low, high
    if vectors:
        return EigenResult(*several(lib.tenon_eigh, a, ctypes.byref(options), count=2, stream=stream, out=out))
    return one(lambda a, options, stream, w: lib.tenon_eigh(a, options, stream, w, None), a, ctypes.byref(options),
               stream=stream, out=out)


def eigh(a: Any, *, upper: bool = False, subset: tuple[int, int] | None = None, between: tuple[float, float] | None = None,
         out: Any = None, stream: Any = None) -> EigenResult:
    """Eigenvalues, ascending, and orthonormal eigenvectors (columns) of a symmetric or Hermitian matrix, of which one triangle
    is read. subset: (first, last), both included, of the eigenvalues from 0. between: (low, high), those above low and up to high,
    of one matrix."""
    return _eigh(a, upper, subset, between, True, stream, out)


def eigvalsh(a: Any, *, upper: bool = False, subset: tuple[int, int] | None = None, between: tuple[float, float] | None = None,
             out: Any = None, stream: Any = None) -> Array:
    """The eigenvalues of eigh."""
    return _eigh(a, upper, subset, between, False, stream, out)


def eig(a: Any, *, out: Any = None, stream: Any = None) -> EigenResult:
    """Complex eigenvalues and eigenvectors (columns, of norm 1) of any square matrix, in no order."""
    return EigenResult(*several(lambda a, stream, w, v: lib.tenon_eig(a, None, stream, w, None, v), asarray(a), count=2,
                                stream=stream, out=out))


class LeftRightResult(NamedTuple):
    """u^H a = diag(w) u^H and a v = v diag(w)."""

    eigenvalues: Array
    left: Array
    right: Array


def eig_vectors(a: Any, *, out: Any = None, stream: Any = None) -> LeftRightResult:
    """eig with left eigenvectors too (columns, of norm 1)."""
    return LeftRightResult(*several(lib.tenon_eig, asarray(a), None, count=3, stream=stream, out=out))


def eigvals(a: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The eigenvalues of eig."""
    return one(lambda a, stream, w: lib.tenon_eig(a, None, stream, w, None, None), asarray(a), stream=stream, out=out)


def _norm_kind(ord: Any) -> Any:  # noqa: A002: NumPy's name
    if ord not in NORMS:
        raise ValueError(f"ord is one of None, 'fro', 1, inf, 'max', 2, -2, 'nuc', not {ord!r}")
    return ctypes.byref(_raw.tenon_norm_options(kind=NORMS[ord]))


def norm(a: Any, ord: Any = None, *, out: Any = None, stream: Any = None) -> Array:  # noqa: A002
    """The norm of each matrix: None or "fro" (Frobenius), 1 (columns), inf (rows), "max" (elements), 2, -2, "nuc" (singular
    values). An array of one axis counts as a column, so None and 2 are its length."""
    a = asarray(a)
    kind = _norm_kind(ord)
    return one(lib.tenon_norm, a[:, None] if a.ndim == 1 else a, kind, stream=stream, out=out)


def cond(a: Any, p: Any = None, *, out: Any = None, stream: Any = None) -> Array:
    """The condition number in the norm p (None: 2); infinite for a singular matrix."""
    return one(lib.tenon_cond, asarray(a), _norm_kind(2 if p is None else p), stream=stream, out=out)


def matrix_power(a: Any, n: int, *, out: Any = None, stream: Any = None) -> Array:
    """a to the power n; a negative n is one of the inverse."""
    return one(lib.tenon_matrix_power, asarray(a), integer(n, "n"), None, stream=stream, out=out)


def expm(a: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The matrix exponential."""
    return one(lib.tenon_expm, asarray(a), None, stream=stream, out=out)
