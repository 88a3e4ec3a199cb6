"""Matrix products and factorisations."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Literal, NamedTuple, overload

from . import _raw
from ._array import Array
from ._compute import computable, result_type, together
from ._creation import asarray, empty, target
from ._errors import InvalidArgument, ShapeError, check
from ._functions import multiply, subtract
from ._integers import int32s, integer
from ._library import core, lib
from ._moving import diagonal, moveaxis, stack
from ._reductions import sum as sum_of
from ._solve import OPS, choice, into, one, several
from ._stream import as_stream, stream_handle
from ._torch import written

COMPUTE = {"strict": _raw.TENON_COMPUTE_STRICT, "tf32": _raw.TENON_COMPUTE_TF32, "fast": _raw.TENON_COMPUTE_FAST,
           "bf16": _raw.TENON_COMPUTE_BF16}

# The dtype of products, for operands whose products have another dtype by default.
RESULTS = {"int8": "int32", "float8_e4m3fn": "float32", "float8_e5m2": "float32"}

EPILOGUES = {"none": _raw.TENON_EPILOGUE_NONE, "relu": _raw.TENON_EPILOGUE_RELU, "gelu": _raw.TENON_EPILOGUE_GELU}


def gemm(a: Any, b: Any, c: Array | None = None, *, alpha: complex = 1, beta: complex = 0, compute: str = "strict",
         dtype: Any = None, bias: Any = None, epilogue: str = "none", tune: bool = False, stream: Any = None) -> Array:
    """Computes c = alpha a b + beta c and returns c. The last two axes are the matrix; the others are a batch and
    broadcast. Integers are summed modulo 2^bits, bools by "or".

    Without c, the result is a new array of `dtype`. By default that is the operands' dtype, with these exceptions:
    products of int8 are int32, or int8 if requested; products of float8_e4m3fn and float8_e5m2 (at most one operand may
    be the latter) are float32, or float16 or bfloat16 if requested. Products of float16 and bfloat16 can be float32.
    For float8 operands, alpha includes their scales. NumPy has no float8: create such arrays with the package
    ml_dtypes, or with array.view("float8_e4m3fn") from bytes.

    compute="tf32" or "bf16" lets CUDA multiply float32 with reduced precision; "fast" lets it use tensor cores with
    float32's accuracy for large matrices. bias: an array of shape (n), added to every row. epilogue: "relu" or "gelu",
    applied to the sum. tune=True lets CUDA measure, once per kind of product, which algorithm is fastest, and keep it;
    that call waits."""
    given = c
    a, b = asarray(a), asarray(b)
    if a.ndim < 2 or b.ndim < 2:
        raise ShapeError(f"gemm takes matrices, not arrays of {a.ndim} and {b.ndim} axes; matmul also takes vectors",
                         _raw.TENON_ERROR_SHAPE)
    if c is None:
        if isinstance(beta, Array) or beta != 0:
            raise ValueError("beta is given without c: it needs an array c to scale")
        if dtype is None:
            dtype = RESULTS.get(a.dtype.name, a.dtype)
        c = empty(_broadcast(a.shape[:-2], b.shape[:-2]) + (a.shape[-2], b.shape[-1]), dtype, device=a.device,
                  stream=stream)
    else:
        c = target(c, "c")
    options = None  # default options need no struct
    if compute != "strict" or epilogue != "none" or tune or bias is not None:
        options = _options(compute)
        options.epilogue = choice(EPILOGUES, epilogue, "epilogue")
        options.tune = bool(tune)
        if bias is not None:
            bias = asarray(bias)
            options.bias = bias._handle
        options = ctypes.byref(options)
    if stream is not None:
        stream = as_stream(stream, c.device)
    check(lib.tenon_gemm(_factor(alpha, 1), a._handle, b._handle, _factor(beta, 0), options,
                         stream_handle(stream), into(c)))
    written(given, stream=stream)
    return c


def matmul(a: Any, b: Any, *, compute: str = "strict", dtype: Any = None, bias: Any = None, epilogue: str = "none",
           tune: bool = False, out: Any = None, stream: Any = None) -> Array:
    """The matrix product by NumPy's rules: a vector on the left is a row, a vector on the right a column, and the
    result does not have the vector's axis. Operands of different dtypes are converted to their common dtype. out: an
    array of the result's shape that receives the result. The other arguments are those of gemm.

        >>> tenon.matmul(tenon.asarray([[1.0, 2.0]]), tenon.asarray([[3.0], [4.0]])).tolist()
        [[11.0]]
    """
    if compute == "strict" and epilogue == "none" and dtype is bias is out is stream is None and not tune and \
            (made := core.matmul(a, b)) is not None:
        return made
    a, b = together(asarray(a), asarray(b), stream)
    if a.ndim == 0 or b.ndim == 0:
        raise ShapeError("matmul does not take numbers, but an operand has no axes", _raw.TENON_ERROR_SHAPE)
    row, column = a.ndim == 1, b.ndim == 1
    given = None
    if out is not None:
        given = target(out, "out")
        given = given[..., None] if column else given
        given = given[..., None, :] if row else given
    c = gemm(a[None, :] if row else a, b[:, None] if column else b, given, compute=compute, dtype=dtype,
             bias=bias, epilogue=epilogue, tune=tune, stream=stream)
    if out is not None:
        written(out, stream=stream)
    if column:
        c = c[..., 0]
    return c[..., 0] if row and column else c[..., 0, :] if row else c


def _options(compute: str) -> Any:
    if compute not in COMPUTE:
        raise ValueError(f"compute must be one of {', '.join(COMPUTE)}, not {compute!r}")
    return _raw.tenon_gemm_options(compute=COMPUTE[compute])


def einsum(subscripts: Any, *operands: Any, compute: str = "strict", optimize: Any = True, out: Any = None,
           stream: Any = None) -> Array:
    """Einstein summation in NumPy's notation: "ij,jk->ik", "...ij,...jk", "ii->i", "ij,jk,kl->il", or with lists of
    numbers from 0 to 51 after each operand and at the end, for the result: einsum(a, [0, 1], b, [1, 2], [0, 2]). More
    than two operands are combined two at a time, in the order with the fewest operations (of more than 7, by the pair
    that grows least), whatever NumPy's parameter optimize says. Operands of several dtypes are converted to their
    common dtype.

        >>> x = tenon.asarray([[1.0, 2.0], [3.0, 4.0]])
        >>> tenon.einsum("ij,ij->i", x, x).tolist()
        [5.0, 25.0]
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _lettered(subscripts, *operands)
    if not operands:
        raise InvalidArgument("einsum needs at least one operand", _raw.TENON_ERROR_INVALID_ARGUMENT)
    arrays = [asarray(x) for x in operands]
    if any(x.dtype is not arrays[0].dtype for x in arrays) and all(computable(x.dtype) for x in arrays):
        dtype = result_type(*(x.dtype for x in arrays))
        arrays = [x.astype(dtype, copy=False, stream=stream) for x in arrays]
    handles = (ctypes.c_void_p * len(arrays))(*(x._handle for x in arrays))
    options = _options(compute)
    return one(lambda first, *rest: lib.tenon_einsum(subscripts.encode(), handles, len(arrays), *rest), arrays[0],
               ctypes.byref(options), stream=stream, out=out)


def einsum_path(subscripts: Any, *operands: Any) -> list[tuple[int, ...]]:
    """The pairs of operands that einsum combines, first to last, in numpy.einsum_path's form: the two operands are
    taken from the list, and their result is appended. Needs the shapes only.

        >>> a, b, c = tenon.zeros((2, 300)), tenon.zeros((300, 400)), tenon.zeros((400, 3))
        >>> tenon.einsum_path("ij,jk,kl->il", a, b, c)
        [(0, 1), (0, 1)]
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _lettered(subscripts, *operands)
    if not operands:
        raise InvalidArgument("einsum_path needs at least one operand", _raw.TENON_ERROR_INVALID_ARGUMENT)
    arrays = [asarray(x) for x in operands]
    handles = (ctypes.c_void_p * len(arrays))(*(x._handle for x in arrays))
    first, second = (ctypes.c_int32 * len(arrays))(), (ctypes.c_int32 * len(arrays))()
    check(lib.tenon_einsum_path(subscripts.encode(), handles, len(arrays), first, second))
    numbers, path = list(range(len(arrays))), []
    for step in range(len(arrays) - 1):
        places = sorted((numbers.index(first[step]), numbers.index(second[step])))
        path.append(tuple(places))
        for place in reversed(places):
            del numbers[place]
        numbers.append(len(arrays) + step)
    return path or [(0,)]


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # sorted as the numbers are


def _lettered(*interleaved: Any) -> tuple[str, tuple[Any, ...]]:
    """The subscripts and operands of a call with lists of numbers."""
    if len(interleaved) < 2:
        raise InvalidArgument("einsum takes subscripts as a str, or a list of numbers after each operand",
                              _raw.TENON_ERROR_INVALID_ARGUMENT)
    pairs = len(interleaved) // 2
    texts = [_letters(one) for one in interleaved[1:2 * pairs:2]]
    result = "->" + _letters(interleaved[-1]) if len(interleaved) % 2 else ""
    return ",".join(texts) + result, interleaved[:2 * pairs:2]


def _letters(numbers: Any) -> str:
    text = ""
    for number in numbers:
        if number is Ellipsis:
            text += "..."
        elif hasattr(number, "__index__") and 0 <= operator.index(number) < len(_LETTERS):
            text += _LETTERS[operator.index(number)]
        else:
            raise InvalidArgument(f"einsum's lists hold numbers from 0 to {len(_LETTERS) - 1} and Ellipsis, not "
                                  f"{number!r}", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return text


def dot(a: Any, b: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """numpy.dot: the product of two vectors or matrices; of arrays with more axes, the sum of products over the last
    axis of a and the last but one of b; with a number, the multiple.

        >>> tenon.dot(tenon.asarray([1, 2]), tenon.asarray([3, 4])).item()
        11
    """
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return multiply(a, b, out=out, stream=stream)
    if a.ndim <= 2 and b.ndim <= 2:
        return matmul(a, b, out=out, stream=stream)
    return tensordot(a, b, ((-1,), (-2 if b.ndim > 1 else -1,)), out=out, stream=stream)


def vdot(a: Any, b: Any, /, *, stream: Any = None) -> Array:
    """The sum of products of all elements of a, conjugated, with those of b."""
    return vecdot(_flat(asarray(a), stream), _flat(asarray(b), stream), stream=stream)


def _flat(x: Array, stream: Any) -> Array:
    """All elements in C order; a copy is part of the work, which may be recorded."""
    if not x.c_contiguous:
        x = x.copy(stream=None if stream is None else as_stream(stream, x.device))
    return x.reshape((-1,))


def inner(a: Any, b: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """The sum of products over the last axes of a and b.

        >>> tenon.inner(tenon.asarray([[1, 2], [3, 4]]), tenon.asarray([5, 6])).tolist()
        [17, 39]
    """
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return multiply(a, b, out=out, stream=stream)
    return tensordot(a, b, ((-1,), (-1,)), out=out, stream=stream)


def tensordot(a: Any, b: Any, axes: Any = 2, *, compute: str = "strict", out: Any = None, stream: Any = None) -> Array:
    """The sum of products over pairs of axes: the last `axes` axes of a with the first of b, or axes=(axes of a, axes
    of b). Dtypes as for matmul."""
    a, b = together(asarray(a), asarray(b), stream)
    if hasattr(axes, "__index__"):
        left, right, count = None, None, integer(axes, "axes", ctypes.c_int32)
    else:
        left, right = ((side,) if hasattr(side, "__index__") else tuple(side) for side in axes)
        if len(left) != len(right):
            raise ShapeError(f"axes {axes} do not pair axes of {a.shape} and {b.shape}: the lists differ in length",
                             _raw.TENON_ERROR_SHAPE)
        left, right, count = int32s(left), int32s(right), len(left)
    return one(lib.tenon_tensordot, a, b._handle, left, right, count, ctypes.byref(_options(compute)),
               stream=stream, out=out)


def vecdot(a: Any, b: Any, *, axis: int = -1, conjugate: bool = True, out: Any = None, stream: Any = None) -> Array:
    """The sum of the products of conj(a) (with conjugate=False: a) and b along an axis; the other axes broadcast. The
    axis is counted from the end of each array, or from the front if both have the same number of axes. Dtypes as for
    matmul."""
    a, b = _vectors(a, b, axis, stream)
    return one(lib.tenon_dot, a, b._handle, ctypes.byref(_raw.tenon_blas_options(conjugate=bool(conjugate))),
               stream=stream, out=out)


def cross(a: Any, b: Any, *, axis: int = -1, stream: Any = None) -> Array:
    """The cross product of three-element vectors along an axis, counted as by vecdot; the other axes broadcast."""
    a, b = _vectors(a, b, axis, stream)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ShapeError(f"cross takes vectors of 3 elements, not of {a.shape[-1]} and {b.shape[-1]}",
                         _raw.TENON_ERROR_SHAPE)
    (a0, a1, a2), (b0, b1, b2) = (tuple(x[..., i] for i in range(3)) for x in (a, b))

    def difference(p: Array, q: Array, r: Array, s: Array) -> Array:
        return subtract(multiply(p, q, stream=stream), multiply(r, s, stream=stream), stream=stream)

    parts = [difference(a1, b2, a2, b1), difference(a2, b0, a0, b2), difference(a0, b1, a1, b0)]
    return moveaxis(stack(parts, axis=-1, stream=stream), -1, axis if axis < 0 else axis - max(a.ndim, b.ndim))


def outer(a: Any, b: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The products of each element of a with each element of b, in C order; the result has shape (a.size, b.size)."""
    a, b = _flat(asarray(a), stream), _flat(asarray(b), stream)
    return multiply(a[:, None], b[None, :], out=out, stream=stream)


def trace(a: Any, *, offset: int = 0, dtype: Any = None, out: Any = None, stream: Any = None) -> Array:
    """The sum of a diagonal of each matrix: offset 0 is the main diagonal, positive offsets are above it. dtype as for
    sum."""
    return sum_of(diagonal(a, offset=offset), -1, dtype=dtype, out=out, stream=stream)


def matrix_transpose(a: Any, /) -> Array:
    """A view with the last two axes exchanged."""
    return asarray(a).mT


def _vectors(a: Any, b: Any, axis: int, stream: Any) -> tuple[Array, Array]:
    """Both arrays in their common dtype, with the axis last."""
    a, b = together(asarray(a), asarray(b), stream)
    if operator.index(axis) >= 0 and a.ndim != b.ndim:
        raise InvalidArgument(f"axis {axis} is not the same axis of arrays of {a.ndim} and {b.ndim} axes: count "
                              f"it from the end", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return (a, b) if axis == -1 else (moveaxis(a, axis, -1), moveaxis(b, axis, -1))


def rank_k(a: Any, c: Array | None = None, *, alpha: float = 1, beta: float = 0, upper: bool = False,
           stream: Any = None) -> Array:
    """Computes one triangle of c = alpha a a^H + beta c, with half the work of gemm. Without c, the result is a new
    array whose other triangle is 0."""
    from .blas import herk

    return herk(a, c, alpha=float(alpha), beta=float(beta), upper=upper, stream=stream)


def triangular_multiply(a: Any, b: Any, *, alpha: complex = 1, upper: bool = False, trans: str = "N",
                        unit_diagonal: bool = False, out: Any = None, stream: Any = None) -> Array:
    """alpha op(a) b, reading only one triangle of a; trans: "N", "T" or "C". out may be b itself. For the inverse of a
    triangle see solve."""
    a, b = asarray(a), asarray(b)
    options = _raw.tenon_blas_options(upper=bool(upper), op=choice(OPS, trans, "trans"),
                                      unit_diagonal=bool(unit_diagonal))
    return one(lambda a, *rest: lib.tenon_trmm(number(alpha), a, *rest), a, b._handle, ctypes.byref(options),
               stream=stream, out=out)


def kron(a: Any, b: Any, *, out: Any = None, stream: Any = None) -> Array:
    """The Kronecker product of the matrices in the last two axes; the other axes broadcast.

        >>> tenon.kron(tenon.ones((1, 2)), tenon.asarray([[2.0]])).tolist()
        [[2.0, 2.0]]
    """
    a, b = together(asarray(a), asarray(b), stream)
    return one(lib.tenon_kron, a, b._handle, None, stream=stream, out=out)


def _factor(value: complex | Array, default: complex) -> Any:
    return None if not isinstance(value, Array) and value == default else number(value)


def number(value: complex | Array) -> Any:
    """A scalar argument: a number, or an array without axes, which is read on its device when the work runs."""
    if isinstance(value, Array):
        argument = _raw.tenon_arg(_raw.TENON_ARG_ARRAY)
        argument.value.array = value._handle
        return ctypes.byref(argument)
    value = complex(value)
    scalar = _raw.tenon_arg(_raw.TENON_ARG_SCALAR, _raw.TENON_COMPLEX128 if value.imag else _raw.TENON_FLOAT64,
                            16 if value.imag else 8)
    scalar.value.c128[:] = value.real, value.imag
    return ctypes.byref(scalar)


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(len(a), len(b))
    result = []
    for m, n in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b):
        if m != n and 1 not in (m, n):
            raise ShapeError(f"batches of {a} and {b} do not broadcast", _raw.TENON_ERROR_SHAPE)
        result.append(n if m == 1 else m)
    return tuple(result)


class SVDResult(NamedTuple):
    """a = U diag(S) Vh."""

    U: Array
    S: Array
    Vh: Array


SVD_DRIVERS = {"auto": _raw.TENON_SVD_DRIVER_AUTO, "qr": _raw.TENON_SVD_DRIVER_QR,
               "divide": _raw.TENON_SVD_DRIVER_DIVIDE, "jacobi": _raw.TENON_SVD_DRIVER_JACOBI,
               "polar": _raw.TENON_SVD_DRIVER_POLAR, "gram": _raw.TENON_SVD_DRIVER_GRAM,
               "krylov": _raw.TENON_SVD_DRIVER_KRYLOV, "randomized": _raw.TENON_SVD_DRIVER_RANDOMIZED}


# The options of most calls: making them would take a good part of a small matrix's time. The library only reads them.
_SVD_OPTIONS = {mode: ctypes.byref(_raw.tenon_svd_options(mode=mode)) for mode in
                (_raw.TENON_SVD_MODE_VALUES, _raw.TENON_SVD_MODE_FULL, _raw.TENON_SVD_MODE_ECONOMY)}


def _svd(a: Any, mode: int, k: int | None, driver: str, tolerance: float, stream: Any, out: Any = None,
         ran: ctypes.c_int32 | None = None) -> list[Array]:
    """u, s and vh, or only s with the mode VALUES. ran: receives the driver that computed them."""
    a = asarray(a)
    if k is None and driver == "auto" and tolerance == 0 and ran is None:
        options = _SVD_OPTIONS[mode]
    else:
        if k is not None and integer(k, "k") < 1:
            raise InvalidArgument(f"k is {k}: it must be at least 1, or None for all",
                                  _raw.TENON_ERROR_INVALID_ARGUMENT)
        options = ctypes.byref(_raw.tenon_svd_options(
            mode=mode, driver=choice(SVD_DRIVERS, driver, "driver"), k=k or 0, tolerance=float(tolerance),
            out_driver=None if ran is None else ctypes.pointer(ran)))
    if mode == _raw.TENON_SVD_MODE_VALUES:
        return [one(lambda a, options, stream, s: lib.tenon_svd(a, options, stream, None, s, None), a, options,
                    stream=stream, out=out)]
    return several(lib.tenon_svd, a, options, count=3, stream=stream, out=out)


@overload
def svd(a: Any, *, full_matrices: bool = True, compute_uv: Literal[True] = True, k: int | None = None,
        driver: str = "auto", tolerance: float = 0, out: Any = None, stream: Any = None) -> SVDResult: ...
@overload
def svd(a: Any, *, full_matrices: bool = True, compute_uv: Literal[False], k: int | None = None, driver: str = "auto",
        tolerance: float = 0, out: Any = None, stream: Any = None) -> Array: ...
def svd(a: Any, *, full_matrices: bool = True, compute_uv: bool = True, k: int | None = None, driver: str = "auto",
        tolerance: float = 0, out: Any = None, stream: Any = None) -> Any:
    """The singular value decomposition of the matrices in the last two axes: (U, S, Vh), with S in descending order;
    only S with compute_uv=False. k: compute only the k largest values and their vectors, to a relative error of about
    `tolerance` (0: 1e-6 in single precision, 1e-12 in double). driver: auto, qr, divide, jacobi, polar, gram, and with
    k also krylov or randomized. If the result of a driver is not accurate, another is used; svd_driver reports which.
    out: arrays that receive the result, (U, S, Vh) or S. Raises LinAlgError if a contains NaN or infinity or the
    iteration does not converge."""
    mode = _raw.TENON_SVD_MODE_VALUES if not compute_uv else _raw.TENON_SVD_MODE_FULL if full_matrices \
        else _raw.TENON_SVD_MODE_ECONOMY
    found = _svd(a, mode, k, driver, tolerance, stream, out)
    return SVDResult(*found) if compute_uv else found[0]


def svd_driver(a: Any, *, full_matrices: bool = False, k: int | None = None, driver: str = "auto", tolerance: float = 0,
               stream: Any = None) -> tuple[SVDResult, str]:
    """svd, and the name of the driver that computed the result."""
    ran = ctypes.c_int32()
    found = _svd(a, _raw.TENON_SVD_MODE_FULL if full_matrices else _raw.TENON_SVD_MODE_ECONOMY, k, driver, tolerance,
                 stream, ran=ran)
    return SVDResult(*found), next(name for name, value in SVD_DRIVERS.items() if value == ran.value)


def svdvals(a: Any, *, stream: Any = None) -> Array:
    """The singular values in descending order.

        >>> tenon.round(tenon.svdvals(tenon.asarray([[3.0, 0.0], [0.0, 4.0]]))).tolist()
        [4.0, 3.0]
    """
    return svd(a, compute_uv=False, stream=stream)
