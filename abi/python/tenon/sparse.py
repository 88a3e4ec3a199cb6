"""Sparse matrices in the forms CSR and COO, with the names of scipy.sparse.

    A = tenon.sparse.csr_array((data, indices, indptr), shape=(100, 80))     # the same memory, if Tenon can share it
    B = tenon.sparse.coo_array((data, (row, column)), shape=(100, 80))
    y = A @ x                                  # x: a vector or a matrix
    At = A.T                                   # computed now: keep it for several products
    tenon.sparse.csr_array(scipy_matrix), A.to_scipy(), A.to_torch()

The arrays data, indices and indptr (or row and col) are Arrays on one device, where the products run. Indices are int32
or int64. They are checked before the matrix is first used, and an index out of range is an InvalidArgument; once
checked they are not checked again, so do not write invalid indices into them later."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _raw
from ._array import Array
from ._compute import result_type
from ._creation import asarray, full, zeros
from ._dtypes import DType, as_dtype, is_number
from ._errors import DTypeError, InvalidArgument, ShapeError, Unsupported
from ._functions import conj, multiply, negative
from ._integers import integer
from ._library import lib
from ._like import like_inputs
from ._moving import concat
from ._produce import array_of, produce, produce_several
from ._torch import imported, needed

__all__ = ["coo_array", "csr_array", "eye_array", "issparse", "random_array"]


def issparse(x: Any) -> bool:
    """Whether x is a sparse matrix of this module."""
    return isinstance(x, _Sparse)


def _shape(shape: Any) -> tuple[int, int]:
    try:
        rows, columns = shape
    except (TypeError, ValueError):
        raise ShapeError(f"shape is {shape!r}: a sparse matrix has two extents", _raw.TENON_ERROR_SHAPE) from None
    extents = integer(rows, "an extent"), integer(columns, "an extent")
    if min(extents) < 0:
        raise ShapeError(f"shape is {shape!r}: extents are not negative", _raw.TENON_ERROR_SHAPE)
    return extents


def _index_arrays(arrays: list[Any], device: Any) -> list[Array]:
    """Index arrays of one dtype, int32 or int64."""
    found = [array_of(one, device) for one in arrays]
    for one in found:
        if one.dtype.kind not in "iu":
            raise DTypeError(f"indices are integers, not {one.dtype}", _raw.TENON_ERROR_DTYPE)
    names = {one.dtype.name for one in found}
    dtype = "int32" if names <= {"int8", "int16", "uint8", "uint16", "int32"} else "int64"
    return [one.astype(dtype, copy=False) for one in found]


def _options(trusted: bool) -> Any:
    return ctypes.byref(_raw.tenon_sparse_options(trusted=bool(trusted)))


class _Sparse:
    """What both forms have."""

    __slots__ = ("data", "shape", "_valid")
    __array_priority__ = 100.0
    __array_ufunc__ = None  # NumPy leaves operators to this class

    data: Array
    shape: tuple[int, int]
    _valid: bool  # the indices are known to lie in range
    ndim = 2

    @property
    def dtype(self) -> DType:
        """The values' dtype."""
        return self.data.dtype

    @property
    def device(self) -> Any:
        """The device of the arrays."""
        return self.data.device

    @property
    def nnz(self) -> int:
        """The number of stored elements, zeros included."""
        return self.data.size

    @property
    def T(self) -> Any:
        """The transposed matrix."""
        return self.transpose()

    @property
    def H(self) -> Any:
        """The conjugated and transposed matrix."""
        return self.transpose().conj()

    def __repr__(self) -> str:
        return (f"<tenon.sparse.{type(self).__name__} of {self.dtype.name}, shape {self.shape}, {self.nnz} stored "
                f"elements, on {self.device.name}>")

    def _with(self, data: Array) -> Any:
        raise NotImplementedError

    def transpose(self) -> Any:
        """The transposed matrix."""
        raise NotImplementedError

    def tocsr(self) -> csr_array:
        """The matrix in CSR form."""
        raise NotImplementedError

    def tocoo(self) -> coo_array:
        """The matrix in COO form."""
        raise NotImplementedError

    def to_device(self, device: Any, *, stream: Any = None) -> Any:
        """The matrix on another device."""
        raise NotImplementedError

    def toarray(self, *, stream: Any = None) -> Array:
        """The dense matrix; elements in one place are added.

            >>> tenon.sparse.coo_array(([1, 2, 3], ([0, 1, 1], [1, 0, 0])), shape=(2, 2)).toarray().tolist()
            [[0, 1], [5, 0]]
        """
        return self.tocsr().toarray(stream=stream)

    todense = toarray

    def astype(self, dtype: Any) -> Any:
        """The matrix with its values converted."""
        return self._with(self.data.astype(dtype))

    def conj(self) -> Any:
        """The matrix with its values conjugated."""
        return self._with(conj(self.data)) if self.dtype.kind == "c" else self

    def copy(self) -> Any:
        """The matrix with copies of its values; the indices are shared."""
        return self._with(self.data.copy())

    def __neg__(self) -> Any:
        return self._with(negative(self.data))

    def __mul__(self, other: Any) -> Any:
        if not is_number(other):
            return NotImplemented
        return self._with(multiply(self.data, other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        from ._functions import divide

        return self._with(divide(self.data, other)) if is_number(other) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return _added(self, other) if issparse(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return _added(self, -other) if issparse(other) else NotImplemented

    def __matmul__(self, other: Any) -> Any:
        if issparse(other):
            raise Unsupported("products of two sparse matrices are not available: convert one of them with toarray()",
                              _raw.TENON_ERROR_UNSUPPORTED)
        return _product(other, self.tocsr())

    def __rmatmul__(self, other: Any) -> Any:
        transposed = self.transpose().tocsr()
        return _product(other, transposed) if getattr(other, "ndim", 1) == 1 else _product(other.T, transposed).T

    def dot(self, other: Any, *, alpha: Any = None, beta: Any = None, out: Any = None, stream: Any = None) -> Array:
        """alpha times the product with a vector or matrix, plus beta times the old values of `out`."""
        return self.tocsr()._multiply(array_of(other, self.device), alpha, beta, out, stream)

    def to_scipy(self) -> Any:
        """The matrix as scipy.sparse's array of the same form, on the CPU."""
        raise NotImplementedError


def _added(a: _Sparse, b: _Sparse) -> csr_array:
    if a.shape != b.shape:
        raise ShapeError(f"the shapes {a.shape} and {b.shape} differ", _raw.TENON_ERROR_SHAPE)
    x, y = a.tocoo(), b.tocoo()
    dtype = result_type(x.dtype, y.dtype)
    rows = _index_arrays([x.row, x.col, y.row, y.col], None)
    data = concat([x.data.astype(dtype, copy=False), y.data.astype(dtype, copy=False)])
    return coo_array((data, (concat([rows[0], rows[2]]), concat([rows[1], rows[3]]))), shape=a.shape).tocsr()


class csr_array(_Sparse):
    """A matrix in CSR form: row i has its values in data[indptr[i]:indptr[i + 1]] and their columns beside them in
    indices. Made of (data, indices, indptr), of (data, (row, col)), of a shape (without elements), of a dense matrix,
    or of another sparse matrix: of this module, of scipy.sparse, or a tensor of torch.sparse_csr (without a copy).

        >>> A = tenon.sparse.csr_array(([1.0, 2.0], [1, 0], [0, 1, 2]), shape=(2, 2))
        >>> (A @ tenon.asarray([10.0, 20.0])).tolist()
        [20.0, 20.0]
    """

    __slots__ = ("indices", "indptr")
    indices: Array
    indptr: Array

    def __init__(self, arg: Any, shape: Any = None, *, dtype: Any = None, device: Any = None):
        data, indices, indptr, shape, valid = _csr_parts(arg, shape, device)
        if dtype is not None:
            data = data.astype(dtype, copy=False)
        self.data, self.indices, self.indptr, self.shape, self._valid = data, indices, indptr, shape, valid
        if indptr.ndim != 1 or indptr.size != shape[0] + 1:
            raise ShapeError(f"indptr has shape {indptr.shape}: a matrix of {shape[0]} rows has {shape[0] + 1} offsets",
                             _raw.TENON_ERROR_SHAPE)

    def _with(self, data: Array) -> csr_array:
        return _made_csr(data, self.indices, self.indptr, self.shape, self._valid)

    def _handles(self) -> tuple[Any, ...]:
        return self.shape[1], self.indptr._handle, self.indices._handle, self.data._handle

    def _multiply(self, b: Array, alpha: Any, beta: Any, out: Any, stream: Any, own: bool = False) -> Array:
        dtype = result_type(self.data.dtype, b.dtype)
        data, b = self.data.astype(dtype, copy=False, stream=stream), b.astype(dtype, copy=False, stream=stream)
        factors = [None if one is None else _argument(one, dtype) for one in (alpha, beta)]
        options = _raw.tenon_sparse_product_options(trusted=self._valid, own=own)
        for name, factor in zip(("alpha", "beta"), factors):
            if factor is not None:
                setattr(options, name, ctypes.pointer(factor))
        result = produce(lib.tenon_csr_multiply, self.shape[1], self.indptr._handle, self.indices._handle, data._handle,
                         b._handle, ctypes.byref(options), device=self.device, stream=stream, out=out)
        self._valid = True
        return result

    def tocsr(self) -> csr_array:
        return self

    def tocoo(self) -> coo_array:
        row = produce(lib.tenon_csr_rows, self.indptr._handle, self.nnz, _options(self._valid), device=self.device)
        return _made_coo(self.data, row, self.indices, self.shape, self._valid)

    def toarray(self, *, stream: Any = None) -> Array:
        result = produce(lib.tenon_csr_to_dense, *self._handles(), _options(self._valid), device=self.device,
                         stream=stream)
        self._valid = True
        return result

    def transpose(self) -> csr_array:
        made = produce_several(lib.tenon_csr_transpose, *self._handles(), _options(self._valid), device=self.device,
                               stream=None, wanted=[True, True, True])
        self._valid = True
        return _made_csr(made[2], made[1], made[0], self.shape[::-1], True)

    def sum_duplicates(self) -> csr_array:
        """The matrix with ascending columns in each row and one element per place."""
        return self.tocoo().tocsr()

    def to_device(self, device: Any, *, stream: Any = None) -> csr_array:
        data, indices, indptr = (one.to_device(device, stream=stream) for one in (self.data, self.indices, self.indptr))
        return _made_csr(data, indices, indptr, self.shape, self._valid)

    def to_scipy(self) -> Any:
        import scipy.sparse  # type: ignore[import-untyped]

        return scipy.sparse.csr_array((self.data.numpy(), self.indices.numpy(), self.indptr.numpy()), shape=self.shape)

    def to_torch(self) -> Any:
        """The matrix as a tensor of torch.sparse_csr, which shares the memory."""
        return needed().sparse_csr_tensor(self.indptr.torch(), self.indices.torch(), self.data.torch(), size=self.shape)


class coo_array(_Sparse):
    """A matrix in COO form: for each element its value, in data, and its place, in row and col. Elements in one place
    are added when the matrix is converted or multiplied. Made of (data, (row, col)), or of what csr_array takes."""

    __slots__ = ("row", "col")
    row: Array
    col: Array

    def __init__(self, arg: Any, shape: Any = None, *, dtype: Any = None, device: Any = None):
        if isinstance(arg, tuple) and len(arg) == 2 and isinstance(arg[1], (tuple, list)):
            data, row, col, shape = _coo_parts(arg, shape, device)
            valid = False
        else:
            other = arg if isinstance(arg, coo_array) else csr_array(arg, shape, device=device).tocoo()
            data, row, col, shape, valid = other.data, other.row, other.col, other.shape, other._valid
        if dtype is not None:
            data = data.astype(dtype, copy=False)
        self.data, self.row, self.col, self.shape, self._valid = data, row, col, shape, valid

    @property
    def coords(self) -> tuple[Array, Array]:
        """(row, col)"""
        return self.row, self.col

    def _with(self, data: Array) -> coo_array:
        return _made_coo(data, self.row, self.col, self.shape, self._valid)

    def tocsr(self) -> csr_array:
        made = produce_several(lib.tenon_csr_from_coo, *self.shape, self.row._handle, self.col._handle,
                               self.data._handle, _options(self._valid), device=self.device, stream=None,
                               wanted=[True, True, True])
        self._valid = True
        return _made_csr(made[2], made[1], made[0], self.shape, True)

    def tocoo(self) -> coo_array:
        return self

    def transpose(self) -> coo_array:
        return _made_coo(self.data, self.col, self.row, self.shape[::-1], self._valid)

    def to_device(self, device: Any, *, stream: Any = None) -> coo_array:
        data, row, col = (one.to_device(device, stream=stream) for one in (self.data, self.row, self.col))
        return _made_coo(data, row, col, self.shape, self._valid)

    def to_scipy(self) -> Any:
        import scipy.sparse

        return scipy.sparse.coo_array((self.data.numpy(), (self.row.numpy(), self.col.numpy())), shape=self.shape)


def _made_csr(data: Any, indices: Any, indptr: Any, shape: Any, valid: bool) -> csr_array:
    made = csr_array.__new__(csr_array)
    made.data, made.indices, made.indptr, made.shape, made._valid = data, indices, indptr, shape, valid
    return made


def _made_coo(data: Any, row: Any, col: Any, shape: Any, valid: bool) -> coo_array:
    made = coo_array.__new__(coo_array)
    made.data, made.row, made.col, made.shape, made._valid = data, row, col, shape, valid
    return made


def _coo_parts(arg: Any, shape: Any, device: Any) -> tuple[Array, Array, Array, tuple[int, int]]:
    data = array_of(arg[0], device)
    row, col = _index_arrays(list(arg[1]), device or data.device)
    if shape is None:
        from ._reductions import max as largest

        shape = tuple(int(largest(one).item()) + 1 if one.size else 0 for one in (row, col))
    return data, row, col, _shape(shape)


def _csr_parts(arg: Any, shape: Any, device: Any) -> tuple[Array, Array, Array, tuple[int, int], bool]:
    if isinstance(arg, tuple) and len(arg) == 3:
        data = array_of(arg[0], device)
        indices, indptr = _index_arrays(list(arg[1:]), device or data.device)
        if shape is None:
            raise TypeError("a matrix of (data, indices, indptr) needs a shape")
        return data, indices, indptr, _shape(shape), False
    if isinstance(arg, tuple) and len(arg) == 2 and isinstance(arg[1], (tuple, list)):
        return _parts(coo_array(arg, shape, device=device).tocsr())
    if isinstance(arg, tuple) and len(arg) == 2:
        rows, columns = _shape(arg)
        if rows < 0 or columns < 0:
            raise InvalidArgument(f"shape is {arg!r}: extents are not negative", _raw.TENON_ERROR_INVALID_ARGUMENT)
        return (zeros(0, "float64", device=device), zeros(0, "int32", device=device),
                zeros(rows + 1, "int32", device=device), (rows, columns), True)
    other: Any = arg  # a type checker takes it for a tuple from here on
    if issparse(other):
        return _parts(other.tocsr())
    torch = imported()
    if torch is not None and isinstance(other, torch.Tensor) and other.layout == torch.sparse_csr:
        return (asarray(other.values()), asarray(other.col_indices()), asarray(other.crow_indices()),
                _shape(other.shape), False)
    if type(arg).__module__.startswith("scipy.sparse"):
        return _of_scipy(arg, device)
    dense = array_of(arg, device)
    made = produce_several(lib.tenon_csr_from_dense, dense._handle, None, device=dense.device, stream=None,
                           wanted=[True, True, True])
    return made[2], made[1], made[0], dense.shape, True  # type: ignore[return-value]


def _parts(a: csr_array) -> tuple[Array, Array, Array, tuple[int, int], bool]:
    return a.data, a.indices, a.indptr, a.shape, a._valid


def _of_scipy(arg: Any, device: Any) -> tuple[Array, Array, Array, tuple[int, int], bool]:
    if arg.format == "coo":
        return _parts(coo_array((arg.data, (arg.row, arg.col)), arg.shape, device=device).tocsr())
    host = arg.tocsr()
    data = array_of(host.data, device)
    return (data, *_index_arrays([host.indices, host.indptr], device or data.device), _shape(arg.shape),
            False)  # type: ignore[return-value]


def _argument(factor: Any, dtype: DType) -> Any:
    """A scalar of the dtype, for alpha and beta."""
    host = full((), factor, dtype)
    argument = _raw.tenon_arg(kind=_raw.TENON_ARG_SCALAR, dtype=dtype.code, size=dtype.itemsize)
    ctypes.memmove(ctypes.byref(argument, type(argument).value.offset), host.numpy().tobytes(), dtype.itemsize)
    return argument


def multiplied(b: Any, a: csr_array) -> Array:
    """a @ b."""
    return a._multiply(array_of(b, a.device), None, None, None, None)


multiplied.__name__ = "sparse.csr_array.__matmul__"  # for error messages
_product = like_inputs(multiplied, "tenon")  # tensors give tensors


def eye_array(m: int, n: int | None = None, *, k: int = 0, dtype: Any = "float64", device: Any = None) -> csr_array:
    """The m x n matrix with ones on diagonal k, in CSR form."""
    from ._moving import arange

    n = m if n is None else n
    first, count = max(-k, 0), max(min(m, n - k) - max(-k, 0), 0)
    row = arange(first, first + count, dtype="int64", device=device)
    return coo_array((full(count, 1, dtype, device=device), (row, row + k)), shape=(m, n)).tocsr()


def random_array(shape: Any, density: float = 0.01, *, generator: Any, dtype: Any = "float64",
                 device: Any = None) -> csr_array:
    """A matrix with random values from [0, 1) in random places, about density times its size of them (elements in one
    place are added), in CSR form. generator: a tenon.random.Generator."""
    rows, columns = _shape(shape)
    if not 0 <= density <= 1:
        raise InvalidArgument(f"density is {density}: it must lie in [0, 1]", _raw.TENON_ERROR_INVALID_ARGUMENT)
    count = round(density * rows * columns)
    row = generator.integers(0, max(rows, 1), count, "int64")
    col = generator.integers(0, max(columns, 1), count, "int64")
    return coo_array((generator.uniform(count, as_dtype(dtype)), (row, col)), shape=(rows, columns)).tocsr()
