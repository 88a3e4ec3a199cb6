"""The routines of BLAS: results in place, one triangle of a matrix, lists of products.

A vector is the last axis, a matrix the last two; leading axes are a batch, and those of operands broadcast to those of
the result. The result is the argument that BLAS puts last (y, c, or b of trmm and trsm): a Tenon array, or an array of
another library, whose memory is then written. It is also returned. If it may be omitted and is, a new array is created,
which is a PyTorch tensor if one is among the operands. With beta 0 the result's old elements are not read. trans: "N",
"T" or "C" (adjoint). upper: the upper triangle, else the lower one; the other triangle is neither read nor written.
right: a is to the right of b. alpha, beta, c and s may be arrays without axes on the same device; they are read when
the work runs. No function waits for its result, and all can be recorded in a Graph (stream=graph).
"""

from __future__ import annotations

import array
import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _raw
from ._array import Array
from ._creation import asarray, empty, target, zeros
from ._errors import ShapeError, check
from ._library import core, lib
from ._like import like_inputs
from ._linalg import RESULTS, _broadcast, _options, number
from ._solve import OPS, choice, into, one, several
from ._stream import as_stream, stream_handle
from ._torch import is_tensor, written

__all__ = ["asum", "axpy", "gbmv", "geam", "gemm_grouped", "gemv", "ger", "hbmv", "hemm", "hemv", "her", "her2",
           "her2k", "herk", "iamax", "iamin", "nrm2", "rot", "rotg", "rotm", "rotmg", "sbmv", "scal", "swap",
           "symm", "symv", "syr", "syr2", "syr2k", "syrk", "tbmv", "tbsv", "trmm", "trmv", "trsm", "trsv"]


def __dir__() -> list[str]:
    return __all__


def gemv(a: Any, x: Any, y: Any = None, *, alpha: complex = 1, beta: complex = 0, trans: str = "N",
         stream: Any = None) -> Array:
    """y = alpha op(a) x + beta y. The dtypes are those of gemm.

        >>> tenon.blas.gemv(tenon.asarray([[1.0, 2.0]]), tenon.asarray([3.0, 4.0])).tolist()
        [11.0]
    """
    a, x = asarray(a), asarray(x)
    op = choice(OPS, trans, "trans")
    if y is None:
        _no_beta(beta, "y")
        _axes(a, 2, "a")
        _axes(x, 1, "x")
        dtype = RESULTS.get(a.dtype.name, a.dtype)
        y = empty(_broadcast(a.shape[:-2], x.shape[:-1]) + (a.shape[-1 if op else -2],), dtype, device=a.device,
                  stream=stream)
    given, y = y, target(y, "y")
    stream = as_stream(stream, y.device)
    options = _raw.tenon_blas_options(op=op)
    check(lib.tenon_gemv(number(alpha), a._handle, x._handle, number(beta), ctypes.byref(options),
                         stream_handle(stream), into(y)))
    result: Array = _written(given, y, stream)
    return result


def ger(x: Any, y: Any, a: Any = None, *, alpha: complex = 1, conjugate: bool = False, stream: Any = None) -> Array:
    """a = a + alpha x y^T, or with conjugate a + alpha x y^H. The dtypes are those of gemm. Without a, a new array of
    zeros is used."""
    x, y = asarray(x), asarray(y)
    if a is None:
        _axes(x, 1, "x")
        _axes(y, 1, "y")
        a = zeros(_broadcast(x.shape[:-1], y.shape[:-1]) + (x.shape[-1], y.shape[-1]),
                  RESULTS.get(x.dtype.name, x.dtype), device=x.device, stream=stream)
    given, a = a, target(a, "a")
    stream = as_stream(stream, a.device)
    options = _raw.tenon_blas_options(conjugate=bool(conjugate))
    check(lib.tenon_ger(number(alpha), x._handle, y._handle, ctypes.byref(options), stream_handle(stream), into(a)))
    result: Array = _written(given, a, stream)
    return result


def axpy(x: Any, y: Any, *, alpha: complex = 1, stream: Any = None) -> Array:
    """y = alpha x + y, for any shape and strides; x is broadcast to y. The dtypes are floating-point and complex.

        >>> y = tenon.ones(2)
        >>> tenon.blas.axpy(tenon.asarray([1.0, 2.0]), y, alpha=10).tolist()
        [11.0, 21.0]
    """
    given, x, y = y, asarray(x), target(y, "y")
    stream = as_stream(stream, y.device)
    check(lib.tenon_axpy(number(alpha), x._handle, None, stream_handle(stream), into(y)))
    result: Array = _written(given, y, stream)
    return result


def scal(alpha: complex, x: Any, *, stream: Any = None) -> Array:
    """x = alpha x, with the shapes and dtypes of axpy. With alpha 0, x becomes 0, even where it is NaN."""
    given, x = x, target(x, "x")
    stream = as_stream(stream, x.device)
    check(lib.tenon_scal(number(alpha), x._handle, None, stream_handle(stream), into(x)))
    result: Array = _written(given, x, stream)
    return result


def nrm2(x: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The Euclidean norm along the last axis, as a new real array. Intermediate results neither overflow nor underflow.
    NaN gives NaN."""
    return one(lib.tenon_nrm2, asarray(x), None, stream=stream, out=out)


def asum(x: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The sum of |Re x| + |Im x| along the last axis, as a new real array. NaN gives NaN."""
    return one(lib.tenon_asum, asarray(x), None, stream=stream, out=out)


def iamax(x: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The first index, counted from 0, along the last axis at which |Re x| + |Im x| is largest, as int64. A NaN counts
    as larger than every number. -1 if the axis is empty."""
    return one(lib.tenon_iamax, asarray(x), None, stream=stream, out=out)


def iamin(x: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The first index at which |Re x| + |Im x| is smallest; otherwise as iamax."""
    return one(lib.tenon_iamin, asarray(x), None, stream=stream, out=out)


def swap(x: Any, y: Any, *, stream: Any = None) -> tuple[Array, Array]:
    """Exchanges the elements of x and y, which have the same shape and any strides."""
    return _in_place(lib.tenon_swap, (), x, y, stream)


def rot(x: Any, y: Any, c: float, s: complex, *, stream: Any = None) -> tuple[Array, Array]:
    """x, y = c x + s y, c y - conj(s) x, in place. x and y have the same shape and any strides; c is real."""
    return _in_place(lib.tenon_rot, (number(c), number(s)), x, y, stream)


def _in_place(function: Any, factors: tuple[Any, ...], x: Any, y: Any, stream: Any) -> tuple[Array, Array]:
    given, x, y = (x, y), target(x, "x"), target(y, "y")
    stream = as_stream(stream, x.device)
    check(function(*factors, x._handle, y._handle, None, stream_handle(stream), into(x), into(y)))
    return _written(given[0], x, stream), _written(given[1], y, stream)


class Rotation(NamedTuple):
    """c a + s b = r and c b - conj(s) a = 0, with a real c and c^2 + |s|^2 = 1."""

    c: Array
    s: Array
    r: Array


def rotg(a: Any, b: Any, *, out: Any = None, stream: Any = None) -> Rotation:
    """The Givens rotations that make b zero, one per element of a and b, which have the same shape; float32, float64,
    complex64, complex128."""
    a, b = asarray(a), asarray(b)
    return Rotation(*several(lib.tenon_rotg, a, b._handle, None, count=3, stream=stream, out=out))


def rotm(x: Any, y: Any, h: Any, *, stream: Any = None) -> tuple[Array, Array]:
    """x, y = h11 x + h12 y, h21 x + h22 y, in place. x and y have the same shape (..., n) and any strides. h, of shape
    (..., 5), is BLAS's param: a flag, h11, h21, h12, h22, on the same device; float32, float64. Flag -1: h is used as
    given; 0: h11 and h22 are 1; 1: h12 is 1 and h21 is -1; -2: x and y stay unchanged."""
    given, x, y, h = (x, y), target(x, "x"), target(y, "y"), asarray(h)
    stream = as_stream(stream, x.device)
    check(lib.tenon_rotm(x._handle, y._handle, h._handle, None, stream_handle(stream), into(x), into(y)))
    written(*given, stream=stream)
    return x, y


class ModifiedRotation(NamedTuple):
    """The factors d1 and d2 and the x1 after the rotation h, which rotm takes."""

    d1: Array
    d2: Array
    x1: Array
    h: Array


def rotmg(d1: Any, d2: Any, x1: Any, y1: Any, *, out: Any = None, stream: Any = None) -> ModifiedRotation:
    """The modified Givens rotations that turn (x1, y1), which represents (sqrt(d1) x1, sqrt(d2) y1), into (x1', 0): one
    per element of the four arrays, which have the same shape; float32, float64."""
    d1, rest = asarray(d1), [asarray(x) for x in (d2, x1, y1)]
    return ModifiedRotation(*several(lib.tenon_rotmg, d1, *(x._handle for x in rest), None, count=4, stream=stream,
                                     out=out))


def gbmv(a: Any, x: Any, y: Any = None, *, below: int, alpha: complex = 1, beta: complex = 0, trans: str = "N",
         stream: Any = None) -> Array:
    """y = alpha op(a) x + beta y with a banded matrix: the rows of a are its diagonals, with element (i, j) at [above +
    i - j, j], as in scipy.linalg.solve_banded; `below` of them are below the main diagonal. Without y and trans the
    matrix is square."""
    options = ctypes.byref(_raw.tenon_blas_options(op=choice(OPS, trans, "trans"), below=below))
    return _product_with_vector(lib.tenon_gbmv, a, x, y, alpha, beta, options, stream)


def sbmv(a: Any, x: Any, y: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
         stream: Any = None) -> Array:
    """y = alpha a x + beta y with a symmetric banded matrix in float32 or float64: the rows of a are the diagonals of
    one triangle, with element (i, j) at [i - j, j], or with upper at [k + i - j, j]."""
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper)))
    return _product_with_vector(lib.tenon_sbmv, a, x, y, alpha, beta, options, stream)


def hbmv(a: Any, x: Any, y: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
         stream: Any = None) -> Array:
    """The same with a Hermitian matrix."""
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper), hermitian=1))
    return _product_with_vector(lib.tenon_sbmv, a, x, y, alpha, beta, options, stream)


def _product_with_vector(function: Any, a: Any, x: Any, y: Any, alpha: complex, beta: complex, options: Any,
                         stream: Any) -> Array:
    a, x = asarray(a), asarray(x)
    if y is None:
        _no_beta(beta, "y")
    return one(lambda a, x, *rest: function(number(alpha), a, x, number(beta), *rest), a, x._handle, options,
               stream=stream, out=y)


def geam(a: Any, b: Any = None, *, alpha: complex = 1, beta: complex | None = None, trans_a: str = "N",
         trans_b: str = "N", out: Any = None, stream: Any = None) -> Array:
    """alpha op(a) + beta op(b); beta is 1 unless given. Without b: alpha op(a). out may be a or b itself if that
    operand is not transposed. float32, float64, complex64, complex128."""
    a, b = asarray(a), None if b is None else asarray(b)
    of_b = number((0 if b is None else 1) if beta is None else beta)
    options = ctypes.byref(_raw.tenon_blas_options(op=choice(OPS, trans_a, "trans_a"),
                                                   op_b=choice(OPS, trans_b, "trans_b")))
    return one(lambda a, *rest: lib.tenon_geam(number(alpha), a, of_b, *rest), a, None if b is None else b._handle,
               options, stream=stream, out=out)


def symv(a: Any, x: Any, y: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
         stream: Any = None) -> Array:
    """y = alpha a x + beta y with a symmetric a; float32, float64, complex64, complex128."""
    return _symmetric_vector(a, x, y, alpha, beta, upper, False, stream)


def hemv(a: Any, x: Any, y: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
         stream: Any = None) -> Array:
    """The same with a Hermitian a."""
    return _symmetric_vector(a, x, y, alpha, beta, upper, True, stream)


def _symmetric_vector(a: Any, x: Any, y: Any, alpha: complex, beta: complex, upper: bool, hermitian: bool,
                      stream: Any) -> Array:
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper), hermitian=hermitian))
    return _product_with_vector(lib.tenon_symv, a, x, y, alpha, beta, options, stream)


def syr(x: Any, a: Any = None, *, alpha: complex = 1, upper: bool = False, stream: Any = None) -> Array:
    """One triangle of a = a + alpha x x^T. Without a, a new array of zeros is used, so its other triangle is 0."""
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper)))
    return one(lambda *rest: lib.tenon_syr(number(alpha), *rest), asarray(x), options, stream=stream, out=a)


def her(x: Any, a: Any = None, *, alpha: float = 1, upper: bool = False, stream: Any = None) -> Array:
    """The same for a + alpha x x^H, with a real alpha."""
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper), hermitian=1))
    return one(lambda *rest: lib.tenon_syr(number(alpha), *rest), asarray(x), options, stream=stream, out=a)


def syr2(x: Any, y: Any, a: Any = None, *, alpha: complex = 1, upper: bool = False, stream: Any = None) -> Array:
    """One triangle of a = a + alpha x y^T + alpha y x^T. Without a, a new array of zeros is used, so its other triangle
    is 0."""
    return _rank_two(x, y, a, alpha, upper, False, stream)


def her2(x: Any, y: Any, a: Any = None, *, alpha: complex = 1, upper: bool = False, stream: Any = None) -> Array:
    """The same for a + alpha x y^H + conj(alpha) y x^H."""
    return _rank_two(x, y, a, alpha, upper, True, stream)


def _rank_two(x: Any, y: Any, a: Any, alpha: complex, upper: bool, hermitian: bool, stream: Any) -> Array:
    x, y = asarray(x), asarray(y)
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper), hermitian=hermitian))
    return one(lambda *rest: lib.tenon_syr2(number(alpha), *rest), x, y._handle, options, stream=stream, out=a)


def syr2k(a: Any, b: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
          trans: str = "N", stream: Any = None) -> Array:
    """One triangle of c = alpha a b^T + alpha b a^T + beta c, or with trans="T" of alpha a^T b + alpha b^T a + beta c;
    otherwise as syrk."""
    return _rank_2k(a, b, c, alpha, beta, upper, trans, False, stream)


def her2k(a: Any, b: Any, c: Any = None, *, alpha: complex = 1, beta: float = 0, upper: bool = False, trans: str = "N",
          stream: Any = None) -> Array:
    """One triangle of c = alpha a b^H + conj(alpha) b a^H + beta c, or with trans="C" of alpha a^H b + conj(alpha) b^H
    a + beta c; beta is real."""
    return _rank_2k(a, b, c, alpha, beta, upper, trans, True, stream)


def _rank_2k(a: Any, b: Any, c: Any, alpha: complex, beta: complex, upper: bool, trans: str, hermitian: bool,
             stream: Any) -> Array:
    a, b = asarray(a), asarray(b)
    if c is None:
        _no_beta(beta, "c")
    options = ctypes.byref(_raw.tenon_blas_options(op=choice(OPS, trans, "trans"), upper=bool(upper),
                                                   hermitian=hermitian))
    return one(lambda a, b, *rest: lib.tenon_syr2k(number(alpha), a, b, number(beta), *rest), a, b._handle, options,
               stream=stream, out=c)


def trmv(a: Any, x: Any, *, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """op(a) x with one triangle of a, as a new array or in out, which may be x itself; float32, float64, complex64,
    complex128."""
    x = asarray(x)
    return one(lib.tenon_trmv, asarray(a), x._handle, _triangle(upper, trans, unit_diagonal), stream=stream, out=out)


def trsv(a: Any, b: Any, *, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """op(a)^-1 b; otherwise as trmv. Whether a is singular is not checked."""
    b = asarray(b)
    return one(lib.tenon_trsv, asarray(a), b._handle, _triangle(upper, trans, unit_diagonal), stream=stream, out=out)


def tbmv(a: Any, x: Any, *, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """op(a) x with a banded triangular matrix: the rows of a are its diagonals, with element (i, j) at [i - j, j], or
    with upper at [k + i - j, j]. The result is a new array or in out, which may be x itself; float32, float64,
    complex64, complex128."""
    x = asarray(x)
    return one(lib.tenon_tbmv, asarray(a), x._handle, _triangle(upper, trans, unit_diagonal), stream=stream, out=out)


def tbsv(a: Any, b: Any, *, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """op(a)^-1 b; otherwise as tbmv. Whether a is singular is not checked."""
    b = asarray(b)
    return one(lib.tenon_tbsv, asarray(a), b._handle, _triangle(upper, trans, unit_diagonal), stream=stream, out=out)


def _triangle(upper: bool, trans: str, unit_diagonal: bool) -> Any:
    return ctypes.byref(_raw.tenon_blas_options(op=choice(OPS, trans, "trans"), upper=bool(upper),
                                                unit_diagonal=bool(unit_diagonal)))


def syrk(a: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False, trans: str = "N",
         stream: Any = None) -> Array:
    """One triangle of c = alpha a a^T + beta c, or with trans="T" of alpha a^T a + beta c; float32, float64, complex64,
    complex128. Without c, the result is a new array whose other triangle is 0."""
    return _rank_k(a, c, alpha, beta, upper, trans, False, stream)


def herk(a: Any, c: Any = None, *, alpha: float = 1, beta: float = 0, upper: bool = False, trans: str = "N",
         stream: Any = None) -> Array:
    """One triangle of c = alpha a a^H + beta c, or with trans="C" of alpha a^H a + beta c; otherwise as syrk. alpha and
    beta are real."""
    return _rank_k(a, c, alpha, beta, upper, trans, True, stream)


def _rank_k(a: Any, c: Any, alpha: complex, beta: complex, upper: bool, trans: str, hermitian: bool,
            stream: Any) -> Array:
    a = asarray(a)
    op = choice(OPS, trans, "trans")
    if c is None:
        _no_beta(beta, "c")
        _axes(a, 2, "a")
        n = a.shape[-1 if op else -2]
        c = zeros(a.shape[:-2] + (n, n), a.dtype, device=a.device, stream=stream)
    given, c = c, target(c, "c")
    stream = as_stream(stream, c.device)
    options = _raw.tenon_blas_options(op=op, upper=bool(upper), hermitian=hermitian)
    check(lib.tenon_syrk(number(alpha), a._handle, number(beta), ctypes.byref(options), stream_handle(stream), into(c)))
    result: Array = _written(given, c, stream)
    return result


def symm(a: Any, b: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
         right: bool = False, stream: Any = None) -> Array:
    """c = alpha a b + beta c, or with right alpha b a + beta c, with a symmetric a; float32, float64, complex64,
    complex128."""
    return _symmetric(a, b, c, alpha, beta, upper, right, False, stream)


def hemm(a: Any, b: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False,
         right: bool = False, stream: Any = None) -> Array:
    """The same with a Hermitian a."""
    return _symmetric(a, b, c, alpha, beta, upper, right, True, stream)


def _symmetric(a: Any, b: Any, c: Any, alpha: complex, beta: complex, upper: bool, right: bool, hermitian: bool,
               stream: Any) -> Array:
    a, b = asarray(a), asarray(b)
    if c is None:
        _no_beta(beta, "c")
        _axes(a, 2, "a")
        _axes(b, 2, "b")
        c = empty(_broadcast(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], a.dtype, device=a.device, stream=stream)
    given, c = c, target(c, "c")
    stream = as_stream(stream, c.device)
    options = _raw.tenon_blas_options(upper=bool(upper), right=bool(right), hermitian=hermitian)
    check(lib.tenon_symm(number(alpha), a._handle, b._handle, number(beta), ctypes.byref(options),
                         stream_handle(stream), into(c)))
    result: Array = _written(given, c, stream)
    return result


def trmm(a: Any, b: Any, *, alpha: complex = 1, upper: bool = False, trans: str = "N", unit_diagonal: bool = False,
         right: bool = False, stream: Any = None) -> Array:
    """b = alpha op(a) b, or with right alpha b op(a), with one triangle of a; float32, float64, complex64, complex128.
    tenon.triangular_multiply does not overwrite b."""
    return _triangular(lib.tenon_trmm, a, b, alpha, upper, trans, unit_diagonal, right, stream)


def trsm(a: Any, b: Any, *, alpha: complex = 1, upper: bool = False, trans: str = "N", unit_diagonal: bool = False,
         right: bool = False, stream: Any = None) -> Array:
    """b = alpha op(a)^-1 b, or with right alpha b op(a)^-1; otherwise as trmm. Whether a is singular is not checked,
    and b is then infinite or NaN; tenon.solve checks it."""
    return _triangular(lib.tenon_trsm, a, b, alpha, upper, trans, unit_diagonal, right, stream)


def _triangular(call: Any, a: Any, b: Any, alpha: complex, upper: bool, trans: str, unit_diagonal: bool, right: bool,
                stream: Any) -> Array:
    given, a, b = b, asarray(a), target(b, "b")
    stream = as_stream(stream, b.device)
    options = _raw.tenon_blas_options(op=choice(OPS, trans, "trans"), upper=bool(upper), right=bool(right),
                                      unit_diagonal=bool(unit_diagonal))
    check(call(number(alpha), a._handle, b._handle, ctypes.byref(options), stream_handle(stream), into(b)))
    result: Array = _written(given, b, stream)
    return result


def gemm_grouped(a: Sequence[Any], b: Sequence[Any], c: Sequence[Any] | None = None, *, alpha: complex = 1,
                 beta: complex = 0, trans_a: str = "N", trans_b: str = "N", compute: str = "strict", dtype: Any = None,
                 stream: Any = None) -> list[Array]:
    """c[i] = alpha op(a[i]) op(b[i]) + beta c[i] for lists of arrays in separate memory, which may differ in every
    respect; arrays with equal extents and strides are computed together. All arguments are checked before anything is
    written. The other arguments are those of gemm."""
    lefts, at_lefts, _ = _arrays(a)
    rights, at_rights, _ = _arrays(b)
    plain = True
    op_a, op_b = choice(OPS, trans_a, "trans_a"), choice(OPS, trans_b, "trans_b")
    if c is None:
        _no_beta(beta, "c")
        _same_length(lefts, rights)
        # The library makes the results of the usual dtype, in less time.
        results = [] if dtype is None else [_product_like(x, op_a, y, op_b, dtype, stream)
                                            for x, y in zip(lefts, rights)]
        at_results = core.addresses(results) or bytearray(len(at_lefts))
    else:
        results, at_results, plain = _arrays(c, "c")
        _same_length(lefts, rights, results)
    if not lefts:
        return []
    options = _options(compute)
    options.op_a, options.op_b = op_a, op_b
    stream = as_stream(stream, (results or lefts)[0].device)
    check(lib.tenon_gemm_grouped(len(lefts), number(alpha), at_lefts, at_rights, number(beta), ctypes.byref(options),
                                 stream_handle(stream), at_results))
    if not results:
        return core.own_arrays(at_results)
    if c is None or plain:
        return results
    written(*c, stream=stream)
    return [given if is_tensor(given) else result for given, result in zip(c, results)]


def _arrays(xs: Sequence[Any], written: str | None = None) -> tuple[list[Array], bytearray, bool]:
    """The values as Arrays, their handles, and whether all were Arrays already. Lists are long, and usually they are: a
    step of Python for each would take longer than a small product. written: the name of the list, if its arrays are
    written."""
    arrays = list(xs)
    handles = core.addresses(arrays)
    plain = handles is not None
    if handles is None:
        arrays = [asarray(x) if written is None else target(x, f"{written}[{index}]") for index, x in enumerate(arrays)]
        handles = core.addresses(arrays)
        if handles is None:  # subclasses of Array
            handles = bytearray(array.array("Q", [x._handle for x in arrays]))
    return arrays, handles, plain


def _product_like(a: Array, op_a: int, b: Array, op_b: int, dtype: Any, stream: Any) -> Array:
    _axes(a, 2, "an entry of a")
    _axes(b, 2, "an entry of b")
    if dtype is None:
        dtype = RESULTS.get(a.dtype.name, a.dtype)
    return empty(_broadcast(a.shape[:-2], b.shape[:-2]) + (a.shape[-1 if op_a else -2], b.shape[-2 if op_b else -1]),
                 dtype, device=a.device, stream=stream)


def _written(given: Any, result: Array, stream: Any) -> Any:
    """The value to return for a written argument: the PyTorch tensor itself, else the Array."""
    written(given, stream=stream)
    return given if is_tensor(given) else result


def _no_beta(beta: complex, result: str) -> None:
    if isinstance(beta, Array) or beta != 0:
        raise ValueError(f"beta without {result} is given without an array to scale")


def _axes(x: Array, count: int, name: str) -> None:
    if x.ndim < count:
        raise ShapeError(f"{name} has shape {x.shape}: it needs {'two axes' if count == 2 else 'an axis'} at least",
                         _raw.TENON_ERROR_SHAPE)


def _same_length(*lists: list[Array]) -> None:
    if len({len(one) for one in lists}) != 1:
        raise ShapeError(f"the lists have {', '.join(str(len(one)) for one in lists)} entries: they must have the same length", _raw.TENON_ERROR_SHAPE)


# Results belong to the library of the inputs.
globals().update({_name: like_inputs(globals()[_name], __name__) for _name in __all__})
