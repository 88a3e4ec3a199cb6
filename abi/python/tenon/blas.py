"""BLAS's own routines: results in place, one triangle of a matrix, lists of products.

A vector is the last axis, a matrix the last two; leading axes are a batch, and those of operands broadcast to those of the result.
The result is the argument that a routine's name has last in BLAS (y, c, or b of trmm and trsm): a Tenon array, or one of another
library, whose memory is then written; it is returned. Where it may be left out a new array is made. With beta 0 it is not read.
trans: "N", "T" or "C" (adjoint). upper: the upper triangle, else the lower one; the other one is neither read nor written. right:
a stands on the right of b. Nothing here waits for its result, and all of it can be recorded in a Graph (stream=graph).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from . import _raw
from ._array import Array
from ._creation import asarray, empty, target, zeros
from ._errors import ShapeError, check
from ._library import lib
from ._linalg import RESULTS, _broadcast, _options, number
from ._solve import OPS, choice, into, one
from ._stream import as_stream, stream_handle
from ._torch import written

__all__ = ["axpy", "gemm_grouped", "gemv", "ger", "hemm", "hemv", "her", "herk", "nrm2", "scal", "symm", "symv", "syr",
           "syrk", "trmm", "trmv", "trsm", "trsv"]


def __dir__() -> list[str]:
    return __all__


def gemv(a: Any, x: Any, y: Any = None, *, alpha: complex = 1, beta: complex = 0, trans: str = "N", stream: Any = None) -> Array:
    """y = alpha op(a) x + beta y. dtypes as gemm."""
    a, x = asarray(a), asarray(x)
    op = choice(OPS, trans, "trans")
    if y is None:
        _no_beta(beta, "y")
        _axes(a, 2, "a"), _axes(x, 1, "x")
        dtype = RESULTS.get(a.dtype.name, a.dtype)
        y = empty(_broadcast(a.shape[:-2], x.shape[:-1]) + (a.shape[-1 if op else -2],), dtype, device=a.device, stream=stream)
    given, y = y, target(y, "y")
    stream = as_stream(stream, y.device)
    options = _raw.tenon_blas_options(op=op)
    check(lib.tenon_gemv(number(alpha), a._handle, x._handle, number(beta), ctypes.byref(options),
                         stream_handle(stream), into(y)))
    written(given, stream=stream)
    return y


def ger(x: Any, y: Any, a: Any = None, *, alpha: complex = 1, conjugate: bool = False, stream: Any = None) -> Array:
    """a = a + alpha x y^T, with conjugate a + alpha x y^H. dtypes as gemm. Without a: of zeros."""
    x, y = asarray(x), asarray(y)
    if a is None:
        _axes(x, 1, "x"), _axes(y, 1, "y")
        a = zeros(_broadcast(x.shape[:-1], y.shape[:-1]) + (x.shape[-1], y.shape[-1]), RESULTS.get(x.dtype.name, x.dtype), device=x.device, stream=stream)
    given, a = a, target(a, "a")
    stream = as_stream(stream, a.device)
    options = _raw.tenon_blas_options(conjugate=bool(conjugate))
    check(lib.tenon_ger(number(alpha), x._handle, y._handle, ctypes.byref(options), stream_handle(stream), into(a)))
    written(given, stream=stream)
    return a


def axpy(x: Any, y: Any, *, alpha: complex = 1, stream: Any = None) -> Array:
    """y = alpha x + y, of any shape and strides, x broadcast to y; floating and complex dtypes."""
    given, x, y = y, asarray(x), target(y, "y")
    stream = as_stream(stream, y.device)
    check(lib.tenon_axpy(number(alpha), x._handle, None, stream_handle(stream), into(y)))
    written(given, stream=stream)
    return y


def scal(alpha: complex, x: Any, *, stream: Any = None) -> Array:
    """x = alpha x, as axpy. With alpha 0 x becomes 0, NaN too."""
    given, x = x, target(x, "x")
    stream = as_stream(stream, x.device)
    check(lib.tenon_scal(number(alpha), x._handle, None, stream_handle(stream), into(x)))
    written(given, stream=stream)
    return x


def nrm2(x: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The Euclidean norm along the last axis, a new real array: nothing overflows or vanishes on the way. NaN gives NaN."""
    return one(lib.tenon_nrm2, asarray(x), None, stream=stream, out=out)


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
    a, x = asarray(a), asarray(x)
    if y is None:
        _no_beta(beta, "y")
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper), hermitian=hermitian))
    return one(lambda a, x, *rest: lib.tenon_symv(number(alpha), a, x, number(beta), *rest), a, x._handle,
               options, stream=stream, out=y)


def syr(x: Any, a: Any = None, *, alpha: complex = 1, upper: bool = False, stream: Any = None) -> Array:
    """One triangle of a = a + alpha x x^T. Without a: of zeros, as its other triangle then is."""
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper)))
    return one(lambda *rest: lib.tenon_syr(number(alpha), *rest), asarray(x), options, stream=stream, out=a)


def her(x: Any, a: Any = None, *, alpha: float = 1, upper: bool = False, stream: Any = None) -> Array:
    """The same of a + alpha x x^H, with a real alpha."""
    options = ctypes.byref(_raw.tenon_blas_options(upper=bool(upper), hermitian=1))
    return one(lambda *rest: lib.tenon_syr(number(alpha), *rest), asarray(x), options, stream=stream, out=a)


def trmv(a: Any, x: Any, *, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """op(a) x with a triangle of a, a new array or out, which may be x itself; float32, float64, complex64,
    complex128."""
    x = asarray(x)
    return one(lib.tenon_trmv, asarray(a), x._handle, _triangle(upper, trans, unit_diagonal), stream=stream, out=out)


def trsv(a: Any, b: Any, *, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, out: Any = None,
         stream: Any = None) -> Array:
    """op(a)^-1 b, as trmv. Nobody looks whether a is singular."""
    b = asarray(b)
    return one(lib.tenon_trsv, asarray(a), b._handle, _triangle(upper, trans, unit_diagonal), stream=stream, out=out)


def _triangle(upper: bool, trans: str, unit_diagonal: bool) -> Any:
    return ctypes.byref(_raw.tenon_blas_options(op=choice(OPS, trans, "trans"), upper=bool(upper),
                                                unit_diagonal=bool(unit_diagonal)))


def syrk(a: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False, trans: str = "N", stream: Any = None) -> Array:
    """A triangle of c = alpha a a^T + beta c, with trans="T" of alpha a^T a + beta c; float32, float64, complex64, complex128. Without c a
    new array, whose other triangle is 0."""
    return _rank_k(a, c, alpha, beta, upper, trans, False, stream)


def herk(a: Any, c: Any = None, *, alpha: float = 1, beta: float = 0, upper: bool = False, trans: str = "N", stream: Any = None) -> Array:
    """A triangle of c = alpha a a^H + beta c, with trans="C" of alpha a^H a + beta c, as syrk; alpha and beta are real."""
    return _rank_k(a, c, alpha, beta, upper, trans, True, stream)


def _rank_k(a: Any, c: Any, alpha: complex, beta: complex, upper: bool, trans: str, hermitian: bool, stream: Any) -> Array:
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
    written(given, stream=stream)
    return c


def symm(a: Any, b: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False, right: bool = False,
         stream: Any = None) -> Array:
    """c = alpha a b + beta c, or right: alpha b a + beta c, with a symmetric a; float32, float64, complex64, complex128."""
    return _symmetric(a, b, c, alpha, beta, upper, right, False, stream)


def hemm(a: Any, b: Any, c: Any = None, *, alpha: complex = 1, beta: complex = 0, upper: bool = False, right: bool = False,
         stream: Any = None) -> Array:
    """The same with a Hermitian a."""
    return _symmetric(a, b, c, alpha, beta, upper, right, True, stream)


def _symmetric(a: Any, b: Any, c: Any, alpha: complex, beta: complex, upper: bool, right: bool, hermitian: bool, stream: Any) -> Array:
    a, b = asarray(a), asarray(b)
    if c is None:
        _no_beta(beta, "c")
        _axes(a, 2, "a"), _axes(b, 2, "b")
        c = empty(_broadcast(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], a.dtype, device=a.device, stream=stream)
    given, c = c, target(c, "c")
    stream = as_stream(stream, c.device)
    options = _raw.tenon_blas_options(upper=bool(upper), right=bool(right), hermitian=hermitian)
    check(lib.tenon_symm(number(alpha), a._handle, b._handle, number(beta), ctypes.byref(options),
                         stream_handle(stream), into(c)))
    written(given, stream=stream)
    return c


def trmm(a: Any, b: Any, *, alpha: complex = 1, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, right: bool = False,
         stream: Any = None) -> Array:
    """b = alpha op(a) b, or right: alpha b op(a), with a triangle of a; float32, float64, complex64, complex128. tenon.triangular_multiply
    leaves b as it is."""
    return _triangular(lib.tenon_trmm, a, b, alpha, upper, trans, unit_diagonal, right, stream)


def trsm(a: Any, b: Any, *, alpha: complex = 1, upper: bool = False, trans: str = "N", unit_diagonal: bool = False, right: bool = False,
         stream: Any = None) -> Array:
    """b = alpha op(a)^-1 b, or right: alpha b op(a)^-1, as trmm. Nobody looks whether a is singular: b is then infinite or NaN.
    tenon.solve looks."""
    return _triangular(lib.tenon_trsm, a, b, alpha, upper, trans, unit_diagonal, right, stream)


def _triangular(call: Any, a: Any, b: Any, alpha: complex, upper: bool, trans: str, unit_diagonal: bool, right: bool, stream: Any) -> Array:
    given, a, b = b, asarray(a), target(b, "b")
    stream = as_stream(stream, b.device)
    options = _raw.tenon_blas_options(op=choice(OPS, trans, "trans"), upper=bool(upper), right=bool(right), unit_diagonal=bool(unit_diagonal))
    check(call(number(alpha), a._handle, b._handle, ctypes.byref(options), stream_handle(stream), into(b)))
    written(given, stream=stream)
    return b


def gemm_grouped(a: Sequence[Any], b: Sequence[Any], c: Sequence[Any] | None = None, *, alpha: complex = 1, beta: complex = 0,
                 trans_a: str = "N", trans_b: str = "N", compute: str = "strict", dtype: Any = None, stream: Any = None) -> list[Array]:
    """c[i] = alpha op(a[i]) op(b[i]) + beta c[i] for lists of arrays, each with memory of its own, which may differ in everything; those of
    equal extents and strides go down together. Everything is checked before anything is written. The rest as gemm."""
    lefts, rights = _arrays(a), _arrays(b)
    op_a, op_b = choice(OPS, trans_a, "trans_a"), choice(OPS, trans_b, "trans_b")
    if c is None:
        _no_beta(beta, "c")
        _same_length(lefts, rights)
        results = [_product_like(x, op_a, y, op_b, dtype, stream) for x, y in zip(lefts, rights)]
    else:
        results = [target(x, f"c[{index}]") for index, x in enumerate(c)]
        _same_length(lefts, rights, results)
    if not results:
        return results
    options = _options(compute)
    options.op_a, options.op_b = op_a, op_b
    lists = [(ctypes.c_void_p * len(results))(*(x._handle for x in xs)) for xs in (lefts, rights, results)]
    stream = as_stream(stream, results[0].device)
    check(lib.tenon_gemm_grouped(len(results), number(alpha), lists[0], lists[1], number(beta), ctypes.byref(options),
                                 stream_handle(stream), lists[2]))
    written(*(c or ()), stream=stream)
    return results


def _arrays(xs: Sequence[Any]) -> list[Array]:
    """Those that are arrays of ours, as most of a long list are, cost nothing."""
    return [x if type(x) is Array else asarray(x) for x in xs]


def _product_like(a: Array, op_a: int, b: Array, op_b: int, dtype: Any, stream: Any) -> Array:
    _axes(a, 2, "an entry of a"), _axes(b, 2, "an entry of b")
    if dtype is None:
        dtype = RESULTS.get(a.dtype.name, a.dtype)
    return empty(_broadcast(a.shape[:-2], b.shape[:-2]) + (a.shape[-1 if op_a else -2], b.shape[-2 if op_b else -1]), dtype, device=a.device,
                 stream=stream)


def _no_beta(beta: complex, result: str) -> None:
    if beta != 0:
        raise ValueError(f"beta without {result}: there is nothing to scale")


def _axes(x: Array, count: int, name: str) -> None:
    if x.ndim < count:
        raise ShapeError(f"{name} has shape {x.shape}: it needs {'two axes' if count == 2 else 'an axis'} at least", _raw.TENON_ERROR_SHAPE)


def _same_length(*lists: list[Array]) -> None:
    if len({len(one) for one in lists}) != 1:
        raise ShapeError(f"the lists have {', '.join(str(len(one)) for one in lists)} entries: they must be equally long", _raw.TENON_ERROR_SHAPE)
