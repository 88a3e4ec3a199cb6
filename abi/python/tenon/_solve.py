"""Linear systems and factorisations in float32, float64, complex64 and complex128. The last two axes are the matrix,
the leading axes a batch that broadcasts. LinAlgError names the matrix that is singular, did not converge, or contains
NaN or infinity.

out: the array that receives the result, with exactly its shape and dtype and any strides. For several results, a tuple
with one entry each: an array, or None for a new one."""

from __future__ import annotations

import ctypes
from typing import Any, Literal, NamedTuple, overload
from collections.abc import Callable

from . import _raw
from ._array import Array
from ._compute import together
from ._creation import asarray, target
from ._errors import ShapeError, check
from ._handle import make
from ._library import core, lib
from ._stream import as_stream, stream_handle
from ._torch import written

KINDS = {"general": _raw.TENON_SOLVE_GENERAL, "positive": _raw.TENON_SOLVE_POSITIVE, "lower": _raw.TENON_SOLVE_LOWER,
         "upper": _raw.TENON_SOLVE_UPPER}
OPS = {"N": _raw.TENON_OP_NONE, "T": _raw.TENON_OP_TRANSPOSE, "C": _raw.TENON_OP_ADJOINT}
QR_MODES = {"reduced": _raw.TENON_QR_REDUCED, "complete": _raw.TENON_QR_COMPLETE, "r": _raw.TENON_QR_R,
            "raw": _raw.TENON_QR_RAW}
# Making them would take a good part of a small matrix's time. The library only reads them.
_QR_OPTIONS = {mode: ctypes.byref(_raw.tenon_qr_options(mode=mode)) for mode in QR_MODES.values()}


def into(array: Array) -> Any:
    """The argument for an output that the caller supplies."""
    return ctypes.byref(ctypes.c_void_p(array._handle))


def one(function: Any, a: Array, *arguments: Any, stream: Any, out: Any = None) -> Array:
    """Calls a function of (a, arguments ..., stream, out) and returns the array that it creates, or `out`, which it
    writes."""
    stream = as_stream(stream, a.device)  # may be a new object, which must live until the call returns
    if out is None:
        return Array._own(make(function, a._handle, *arguments, stream_handle(stream)))
    result = target(out, "out")
    check(function(a._handle, *arguments, stream_handle(stream), into(result)))
    written(out, stream=stream)
    return result


def several(function: Any, a: Array, *arguments: Any, count: int, stream: Any, out: Any = None) -> list[Array]:
    """As one, for a function with several output arrays; out: None, or for each output an array or None."""
    if out is None:
        stream = as_stream(stream, a.device)
        return core.make_arrays(count, function, a._handle, *arguments, stream_handle(stream))
    given = tuple(out)
    if len(given) != count:
        raise ValueError(f"out has {len(given)} entries, but there are {count} results: give an array or None for each")
    results = [None if x is None else target(x, f"out[{index}]") for index, x in enumerate(given)]
    outs, stream = [ctypes.c_void_p(None if x is None else x._handle) for x in results], as_stream(stream, a.device)
    check(function(a._handle, *arguments, stream_handle(stream), *(ctypes.byref(slot) for slot in outs)))
    written(*(x for x in given if x is not None), stream=stream)
    return [Array._own(slot) if result is None else result for slot, result in zip(outs, results)]


def solution(vector: bool, call: Callable[[Any], Array], out: Any, stream: Any) -> Array:
    """call(out), which expects a matrix as right-hand side; if it was a vector, out and the result are vectors too."""
    if not vector:
        return call(out)
    if out is None:
        return call(None)[..., 0]
    result = target(out, "out")
    call(result[..., None])
    written(out, stream=stream)
    return result


def choice(table: dict[str, int], value: str, what: str) -> int:
    if value not in table:
        raise ValueError(f"{what} is one of {', '.join(table)}, not {value!r}")
    return table[value]


def right_side(a: Array, b: Array) -> tuple[Array, bool]:
    """b as a matrix, and whether it was a vector (an array with one axis)."""
    if b.ndim == 0:
        raise ShapeError("b has no axes: a right-hand side must have at least one", _raw.TENON_ERROR_SHAPE)
    return (b[:, None], True) if b.ndim == 1 else (b, False)


def solve(a: Any, b: Any, *, kind: str = "general", trans: str = "N", unit_diagonal: bool = False, out: Any = None,
          stream: Any = None) -> Array:
    """Solves op(a) x = b for x, where b has one axis (a vector) or is (..., n, k). kind: "general" (LU), "positive"
    (Cholesky, which reads the lower triangle), "lower" or "upper" (triangular). trans: "N", "T" or "C" for a, its
    transpose, its adjoint. Operands of different dtypes are converted to their common dtype.

        >>> tenon.solve(tenon.asarray([[2.0, 0.0], [0.0, 4.0]]), tenon.asarray([2.0, 2.0])).tolist()
        [1.0, 0.5]
    """
    a, b = together(asarray(a), asarray(b), stream)
    b, vector = right_side(a, b)
    options = _raw.tenon_solve_options(kind=choice(KINDS, kind, "kind"), op=choice(OPS, trans, "trans"),
                                       unit_diagonal=bool(unit_diagonal))
    return solution(vector, lambda given: one(lib.tenon_solve, a, b._handle, ctypes.byref(options), stream=stream,
                                              out=given), out, stream)


class LUResult(NamedTuple):
    """P a = L U. LU contains U on and above the diagonal, and L below it; row i was exchanged with row pivots[i], where
    rows are counted from 1."""

    LU: Array
    pivots: Array


def lu_factor(a: Any, *, out: Any = None, stream: Any = None) -> LUResult:
    """The factors of LU with partial pivoting, for lu_solve. Singular matrices have them too."""
    return LUResult(*several(lib.tenon_lu, asarray(a), None, count=2, stream=stream, out=out))


def lu_solve(factors: LUResult | tuple[Any, Any], b: Any, *, trans: str = "N", out: Any = None,
             stream: Any = None) -> Array:
    """Solves op(a) x = b for x with the factors of lu_factor."""
    lu, pivots = (asarray(x) for x in factors)
    b, vector = right_side(lu, asarray(b))
    options = ctypes.byref(_raw.tenon_lu_options(op=choice(OPS, trans, "trans")))
    return solution(vector, lambda given: one(lib.tenon_lu_solve, lu, pivots._handle, b._handle, options, stream=stream,
                                              out=given), out, stream)


def cholesky(a: Any, *, upper: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The factor L of a = L L^H, or with upper the factor U of a = U^H U; only that triangle of a is read.

        >>> tenon.cholesky(tenon.asarray([[9.0]])).tolist()
        [[3.0]]
    """
    return one(lib.tenon_cholesky, asarray(a), _cholesky_options(upper), stream=stream, out=out)


def _cholesky_options(upper: bool) -> Any:
    return ctypes.byref(_raw.tenon_cholesky_options(upper=bool(upper)))


def cholesky_solve(factor: Any, b: Any, *, upper: bool = False, out: Any = None, stream: Any = None) -> Array:
    """Solves a x = b for x with the factor of cholesky."""
    factor = asarray(factor)
    b, vector = right_side(factor, asarray(b))
    options = _cholesky_options(upper)
    return solution(vector, lambda given: one(lib.tenon_cholesky_solve, factor, b._handle, options, stream=stream,
                                              out=given), out, stream)


class LDLResult(NamedTuple):
    """The factors of ldl_factor, in LAPACK's format: D and the multipliers in one triangle, and the row exchanges."""

    LD: Array
    pivots: Array


def ldl_factor(a: Any, *, upper: bool = False, hermitian: bool = False, out: Any = None,
               stream: Any = None) -> LDLResult:
    """The Bunch-Kaufman factors of a symmetric matrix, or with hermitian=True of a Hermitian matrix, for ldl_solve. The
    matrix need not be definite; only one triangle is read."""
    return LDLResult(*several(lib.tenon_ldl, asarray(a), _ldl_options(upper, hermitian), count=2,
                              stream=stream, out=out))


def ldl_solve(factors: LDLResult | tuple[Any, Any], b: Any, *, upper: bool = False, hermitian: bool = False,
              out: Any = None, stream: Any = None) -> Array:
    """Solves a x = b for x with the factors of ldl_factor and the same options."""
    ld, pivots = (asarray(x) for x in factors)
    b, vector = right_side(ld, asarray(b))
    options = _ldl_options(upper, hermitian)
    return solution(vector, lambda given: one(lib.tenon_ldl_solve, ld, pivots._handle, b._handle, options,
                                              stream=stream, out=given), out, stream)


def _ldl_options(upper: bool, hermitian: bool) -> Any:
    return ctypes.byref(_raw.tenon_ldl_options(upper=bool(upper), hermitian=bool(hermitian)))


class QRResult(NamedTuple):
    """a = Q R."""

    Q: Array
    R: Array


@overload
def qr(a: Any, mode: Literal["reduced", "complete"] = "reduced", *, out: Any = None,
       stream: Any = None) -> QRResult: ...
@overload
def qr(a: Any, mode: Literal["r"], *, out: Any = None, stream: Any = None) -> Array: ...
@overload
def qr(a: Any, mode: Literal["raw"], *, out: Any = None, stream: Any = None) -> tuple[Array, Array]: ...
def qr(a: Any, mode: str = "reduced", *, out: Any = None, stream: Any = None) -> Any:
    """(Q, R), where Q has min(m, n) orthonormal columns, or m with mode "complete". With mode "r" only R. With mode
    "raw" (h, tau) as NumPy gives them: h (..., n, m) is the transpose of LAPACK's matrix, with R and below it the
    Householder vectors, tau (..., min(m, n)) their factors."""
    a = asarray(a)
    which = choice(QR_MODES, mode, "mode")
    options = _QR_OPTIONS[which]
    if which == _raw.TENON_QR_R:
        return _only_r(a, options, stream, out)
    first, second = several(lib.tenon_qr, a, options, count=2, stream=stream, out=out)
    return (first, second) if which == _raw.TENON_QR_RAW else QRResult(first, second)


def _only_r(a: Array, options: Any, stream: Any, out: Any) -> Array:
    def call(a: Any, options: Any, stream: Any, r: Any) -> int:
        result: int = lib.tenon_qr(a, options, stream, None, r)
        return result

    return one(call, a, options, stream=stream, out=out)


class LeastSquares(NamedTuple):
    """The shortest x among those that minimise |a x - b|; the rank of a; its singular values."""

    x: Array
    rank: Array
    s: Array


def lstsq(a: Any, b: Any, *, rcond: float | None = None, out: Any = None, stream: Any = None) -> LeastSquares:
    """Least squares by the singular values of a; values up to rcond times the largest count as 0. Dtypes as for
    solve."""
    a, b = together(asarray(a), asarray(b), stream)
    b, vector = right_side(a, b)
    if out is not None and vector:
        given = target(out[0], "out[0]") if out[0] is not None else None
        out = (given if given is None else given[..., None], *out[1:])
    x, rank, s = several(lib.tenon_lstsq, a, b._handle, cut(rcond), count=3, stream=stream, out=out)
    return LeastSquares(x[..., 0] if vector else x, rank, s)


def cut(rcond: Any) -> Any:
    """rcond in the library's encoding: 0 is the default, and a negative number means that only zeros count as 0."""
    value = 0.0 if rcond is None or rcond < 0 else float(rcond) or -1.0
    return ctypes.byref(_raw.tenon_rank_options(rcond=value))


def inv(a: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The inverse.

        >>> tenon.inv(tenon.asarray([[2.0]])).tolist()
        [[0.5]]
    """
    return one(lib.tenon_inverse, asarray(a), None, stream=stream, out=out)


def det(a: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The determinant.

        >>> tenon.det(tenon.asarray([[2.0, 0.0], [0.0, 4.0]])).item()
        8.0
    """
    return one(lib.tenon_det, asarray(a), None, stream=stream, out=out)


class SlogdetResult(NamedTuple):
    """det = sign exp(logabsdet)."""

    sign: Array
    logabsdet: Array


def slogdet(a: Any, *, out: Any = None, stream: Any = None) -> SlogdetResult:
    """The determinant's sign and the logarithm of its absolute value, which does not overflow or underflow."""
    return SlogdetResult(*several(lib.tenon_slogdet, asarray(a), None, count=2, stream=stream, out=out))
