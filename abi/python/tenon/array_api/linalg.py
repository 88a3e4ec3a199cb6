"""The standard's extension for linear algebra: Tenon's own functions, and versions of those whose arguments or dtypes
differ in the standard."""

from __future__ import annotations

import operator
from typing import Any

from .. import _linalg, _ranks, _raw
from .._array import Array
from .._compute import result_type
from .._creation import asarray
from .._eigen import eig, eigh, eigvals, eigvalsh
from .._errors import ShapeError
from .._linalg import cross, matrix_transpose, outer, svdvals, trace
from .._moving import diagonal, eye
from .._norms import norm, vector_norm
from .._solve import cholesky, det, inv, qr, slogdet, solve

NAMES = ("cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul", "matrix_norm",
         "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
         "tensordot", "trace", "vecdot", "vector_norm")
__all__ = list(NAMES)


def matmul(x1: Array, x2: Array, /) -> Array:
    """tenon.matmul in the operands' common dtype; products of int8 are int8, too, modulo 2^8."""
    return _linalg.matmul(x1, x2).astype(result_type(x1, x2), copy=False)


def tensordot(x1: Array, x2: Array, /, *, axes: Any = 2) -> Array:
    """tenon.tensordot, with the dtype of matmul."""
    return _linalg.tensordot(x1, x2, axes).astype(result_type(x1, x2), copy=False)


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """tenon.vecdot, with the dtype of matmul."""
    return _linalg.vecdot(x1, x2, axis=axis).astype(result_type(x1, x2), copy=False)


def svd(x: Array, /, *, full_matrices: bool = True) -> _linalg.SVDResult:
    """The singular value decomposition of the last two axes: (U, S, Vh)."""
    return _linalg.svd(x, full_matrices=full_matrices)


def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """The norm of each matrix. ord: "fro", "nuc", 1, -1 (largest and smallest column sum), inf, -inf (largest and
    smallest row sum), 2, -2 (largest and smallest singular value)."""
    return norm(x, ord, (-2, -1), keepdims=keepdims)


def matrix_power(x: Array, n: int, /) -> Array:
    """x to the power n; a negative n gives a power of the inverse. Overflow gives infinity or NaN, whereas
    tenon.matrix_power raises SizeOverflow."""
    x, n = asarray(x), operator.index(n)
    if x.ndim < 2 or x.shape[-2] != x.shape[-1]:
        raise ShapeError(f"matrix_power takes square matrices, not an array of shape {x.shape}", _raw.TENON_ERROR_SHAPE)
    if n < 0:
        x, n = inv(x), -n
    if n == 0:
        identity = eye(x.shape[-1], dtype=x.dtype, device=x.device)
        return identity.broadcast_to(x.shape).copy()
    if n == 1:
        return x.copy()
    power: Array | None = None
    while n:
        if n & 1:
            power = x if power is None else _linalg.matmul(power, x)
        n >>= 1
        x = _linalg.matmul(x, x) if n else x
    assert power is not None
    return power


def matrix_rank(x: Array, /, *, rtol: Any = None) -> Array:
    """The number of singular values above rtol times the largest. rtol: a number, or an array with one number per
    matrix (None: max(m, n) epsilon)."""
    return _ranks.matrix_rank(x, rcond=rtol)


def pinv(x: Array, /, *, rtol: Any = None) -> Array:
    """The Moore-Penrose pseudo-inverse; singular values up to rtol times the largest count as 0. rtol: a number, or an
    array with one number per matrix (None: max(m, n) epsilon)."""
    return _ranks.pinv(x, rcond=rtol)
