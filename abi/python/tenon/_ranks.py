"""Ranks, pseudo-inverses and condition numbers: which singular values count as 0."""

from __future__ import annotations

import math
from typing import Any

from . import _linalg, _raw
from ._array import Array
from ._compute import where
from ._creation import asarray, target
from ._eigen import eigh, eigvalsh
from ._errors import InvalidArgument, ShapeError
from ._functions import abs as absolute
from ._functions import conj, divide, equal, greater, multiply, positive, reciprocal, sign
from ._library import lib
from ._moving import diagonal, eye
from ._norms import floating, kind_options, norm
from ._reductions import any as any_of
from ._reductions import count_nonzero, max
from ._solve import cut, inv, lu_factor, one
from ._torch import written


def pinv(a: Any, *, rcond: Any = None, hermitian: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The Moore-Penrose pseudo-inverse. Singular values up to rcond times the largest one count as 0; rcond is a number
    or an array with one number per matrix (None: max(m, n) epsilon). hermitian: a is symmetric or Hermitian, and only
    its lower triangle is read.

        >>> tenon.pinv(tenon.asarray([[2.0, 0.0], [0.0, 0.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.0]]
    """
    if _is_number(rcond) and not hermitian:
        return one(lib.tenon_pinv, asarray(a), cut(rcond), stream=stream, out=out)
    a = floating(a, stream)
    if hermitian:
        values, vectors = eigh(a, stream=stream)
        sizes = absolute(values, stream=stream)
        left, right, signs = vectors, conj(vectors, stream=stream).mT, sign(values, stream=stream)
    else:
        u, sizes, vh = _linalg.svd(a, full_matrices=False, stream=stream)
        left, right, signs = conj(vh, stream=stream).mT, conj(u, stream=stream).mT, None
    kept = _above(sizes, _relative(a, rcond), True, stream)
    inverse = where(kept, reciprocal(sizes, stream=stream), 0, stream=stream)
    if signs is not None:
        inverse = multiply(inverse, signs, stream=stream)
    return _linalg.matmul(multiply(left, inverse[..., None, :], stream=stream), right, out=out, stream=stream)


def matrix_rank(a: Any, *, rcond: Any = None, tol: Any = None, hermitian: bool = False, out: Any = None,
                stream: Any = None) -> Array:
    """The number of singular values above rcond times the largest one (None: max(m, n) epsilon), or above tol. Both are
    a number, or an array with one number per matrix. hermitian: a is symmetric or Hermitian, and only its lower triangle
    is read.

        >>> tenon.matrix_rank(tenon.asarray([[2.0, 0.0], [0.0, 0.125]]), tol=0.5).item()
        1
    """
    if tol is not None and rcond is not None:
        raise ValueError("a rank has one threshold: pass tol, an absolute one, or rcond, which is relative to the "
                         "largest singular value")
    if tol is None and _is_number(rcond) and not hermitian:
        return one(lib.tenon_matrix_rank, asarray(a), cut(rcond), stream=stream, out=out)
    a = floating(a, stream)
    values = absolute(eigvalsh(a, stream=stream), stream=stream) if hermitian else _linalg.svdvals(a, stream=stream)
    kept = _above(values, _relative(a, rcond) if tol is None else tol, tol is None, stream)
    rank = count_nonzero(kept, axis=-1, stream=stream)
    return rank if out is None else positive(rank, out=out, stream=stream)


def _is_number(rcond: Any) -> bool:
    """Whether rcond is the same for all matrices."""
    if rcond is None or getattr(rcond, "shape", None) == ():
        return True
    return not hasattr(rcond, "__len__") and not isinstance(rcond, Array)


def _relative(a: Array, rcond: Any) -> Any:
    """rcond, or its default."""
    if rcond is not None:
        return rcond
    single = a.dtype.name in ("float32", "complex64")
    epsilon = 2.0 ** -23 if single else 2.0 ** -52
    return epsilon * (a.shape[-1] if a.shape[-1] > a.shape[-2] else a.shape[-2])


def _above(sizes: Array, threshold: Any, relative: bool, stream: Any) -> Array:
    """Which singular values, or absolute eigenvalues, are above the threshold of their matrix."""
    if sizes.shape[-1] == 0:
        return sizes.astype("bool", stream=stream)
    if not _is_number(threshold):
        threshold = threshold if isinstance(threshold, Array) else asarray(threshold, device=sizes.device)
        batch = sizes.shape[:-1]
        pairs = zip(threshold.shape[::-1], batch[::-1])
        if threshold.ndim > len(batch) or any(extent not in (1, matrices) for extent, matrices in pairs):
            raise ShapeError(f"the thresholds have shape {threshold.shape}, and the matrices are a batch of shape {batch}: "
                             "pass one number for all matrices, or one for each", _raw.TENON_ERROR_SHAPE)
        threshold = threshold.astype(sizes.dtype, copy=False, stream=stream)[..., None]
    else:
        threshold = float(threshold)
        if math.isnan(threshold):
            raise InvalidArgument("the threshold is NaN: pass a number", _raw.TENON_ERROR_INVALID_ARGUMENT)
    if relative:
        threshold = multiply(max(sizes, -1, keepdims=True, stream=stream), threshold, stream=stream)
    return greater(sizes, threshold, stream=stream)


def cond(a: Any, p: Any = None, *, out: Any = None, stream: Any = None) -> Array:
    """The condition number in the norm p: None or 2, -2 (the quotients of the largest and the smallest singular value), 1,
    -1, inf, -inf, "fro", "nuc" (the norm of the matrix times that of its inverse). It is infinite for a singular
    matrix, except that "nuc" raises LinAlgError and -2 is 0.

        >>> tenon.cond(tenon.asarray([[2.0, 0.0], [0.0, 0.5]]), -1).item()
        0.25
    """
    if p not in (-1, -math.inf):
        options = kind_options(2 if p is None else p, ", -1, -inf")
        return one(lib.tenon_cond, asarray(a), options, stream=stream, out=out)
    made = _least_cond(floating(a, stream), p, stream)
    if out is None:
        return made
    result = target(out, "out")
    positive(made, out=result, stream=stream)
    written(out, stream=stream)
    found: Array = out
    return found


def _least_cond(a: Array, p: Any, stream: Any) -> Array:
    """The product of the smallest column or row sums of a and its inverse. a is divided by its largest element, so that
    neither leaves the range; a singular matrix is replaced, because its inverse is an error."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ShapeError(f"a has shape {a.shape}: its last two axes must be equal", _raw.TENON_ERROR_SHAPE)
    if a.shape[-1] == 0:
        raise ShapeError(f"a has shape {a.shape}: matrices without elements have no condition number",
                         _raw.TENON_ERROR_SHAPE)
    largest = max(absolute(a, stream=stream), (-2, -1), keepdims=True, stream=stream)
    a = divide(a, where(equal(largest, 0, stream=stream), 1, largest, stream=stream), stream=stream)
    pivots = diagonal(lu_factor(a, stream=stream).LU)
    singular = any_of(equal(pivots, 0, stream=stream), axis=-1, stream=stream)
    identity = eye(a.shape[-1], dtype=a.dtype, device=a.device, stream=stream)
    inverse = inv(where(singular[..., None, None], identity, a, stream=stream), stream=stream)
    product = multiply(norm(a, p, stream=stream), norm(inverse, p, stream=stream), stream=stream)
    return where(singular, math.inf, product, stream=stream)
