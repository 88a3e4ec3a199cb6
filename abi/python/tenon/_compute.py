"""Calls of elementwise functions, reductions and scans: operands, outputs, dtypes. The functions themselves are in
_functions and _reductions."""

from __future__ import annotations

import ctypes
import functools
import operator
import struct
from typing import Any
from collections.abc import Callable

from . import _raw
from ._array import Array
from ._creation import asarray, target
from ._dtypes import DType, as_dtype, is_number, pack_scalar
from ._errors import check, raise_last
from ._finfo import iinfo
from ._handle import make
from ._integers import int64s, integer
from ._library import core, lib
from ._stream import as_stream
from ._torch import written

array_argument = struct.Struct("=IIQQQ").pack  # of tenon_arg
_bytes_arg = struct.Struct("=IIQ16s").pack
_integer_arg = struct.Struct("=IIQqq").pack
_unsigned_arg = struct.Struct("=IIQQQ").pack
_real_arg = struct.Struct("=IIQdd").pack


def number(value: Any) -> bytes:
    """A number as a tenon_arg: Python's numbers have no dtype, NumPy's scalars keep theirs."""
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        dtype = as_dtype(dtype)
        return _bytes_arg(_raw.TENON_ARG_SCALAR, dtype.code, dtype.itemsize, pack_scalar(dtype, value))
    if isinstance(value, bool):
        return _unsigned_arg(_raw.TENON_ARG_WEAK, _raw.TENON_BOOL, 1, value, 0)
    if isinstance(value, int):
        if -(2**63) <= value < 2**63:
            return _integer_arg(_raw.TENON_ARG_WEAK, _raw.TENON_INT64, 8, value, 0)
        if 0 <= value < 2**64:
            return _unsigned_arg(_raw.TENON_ARG_WEAK, _raw.TENON_UINT64, 8, value, 0)
        raise OverflowError(f"{value} does not fit any integer dtype")
    if isinstance(value, float):
        return _real_arg(_raw.TENON_ARG_WEAK, _raw.TENON_FLOAT64, 8, value, 0)
    return _real_arg(_raw.TENON_ARG_WEAK, _raw.TENON_COMPLEX128, 16, value.real, value.imag)


def operands(*values: Any) -> tuple[list[bytes], list[Any]]:
    """Each value as a tenon_arg, and the arrays among them, which must outlive the call. If all values are numbers, the
    first becomes an array."""
    arrays: list[Any] = []
    packed = []
    for value in values:
        if type(value) is not Array and not is_number(value):
            value = asarray(value)
        if isinstance(value, Array):
            arrays.append(value)
            packed.append(array_argument(_raw.TENON_ARG_ARRAY, 0, 0, value._handle, 0))
        else:
            packed.append(number(value))
    return packed, arrays


class Output:
    """The argument out=: a Tenon array, an array of another library whose memory is written, or None for a new
    array."""

    __slots__ = ("given", "array", "pointer")

    def __init__(self, given: Any):
        self.given: Array = given  # or None
        self.array = None if given is None else target(given, "out")
        self.pointer = ctypes.c_void_p(None if self.array is None else self.array._handle)

    def result(self, status: int, stream: Any) -> Array:
        if status:
            raise_last(status)
        if self.array is None:
            return Array._own(self.pointer)
        written(self.given, stream=stream)
        return self.array if isinstance(self.given, Array) else self.given


def _on(stream: Any, arrays: list[Any], out: Output) -> Any:
    return as_stream(stream, arrays[0].device if arrays else out.array.device if out.array is not None else None)


def _call(function: Any, head: tuple[Any, ...], values: tuple[Any, ...], tail: tuple[Any, ...],
          out: Any, stream: Any) -> Array:
    packed, arrays = operands(*values)
    output = Output(out)
    if not arrays and output.array is None:
        packed, arrays = operands(asarray(values[0]), *values[1:])
    stream = _on(stream, arrays, output)
    if stream is None:
        return output.result(function(*head, *packed, *tail, None, ctypes.byref(output.pointer)), None)
    return output.result(function(*head, *packed, *tail, stream._handle, ctypes.byref(output.pointer)), stream)


# Called with each operation while tenon.fuse traces a function. It returns NotImplemented for operations without a
# traced operand, which then run as usual.
tracer: Callable[..., Array] | None = None


def is_traced(x: Any) -> bool:
    return tracer is not None and hasattr(type(x), "trace")


def unary(code: int, x: Any, out: Any = None, stream: Any = None) -> Array:
    if out is None and stream is None and (made := core.unary(code, x)) is not None:
        return made
    if tracer is not None and (traced := tracer("unary", code, (x,), out, stream)) is not NotImplemented:
        return traced
    return _call(lib.tenon_unary, (code,), (x,), (None,), out, stream)


def binary(code: int, x1: Any, x2: Any, out: Any = None, stream: Any = None) -> Array:
    if out is None and stream is None and (made := core.binary(code, x1, x2)) is not None:
        return made
    if tracer is not None and (traced := tracer("binary", code, (x1, x2), out, stream)) is not NotImplemented:
        return traced
    if isinstance(x2, int) and x2.bit_length() > 63:
        code, x1, x2 = long(code, x1, x2, False)
    elif isinstance(x1, int) and x1.bit_length() > 63:
        code, x2, x1 = long(code, x2, x1, True)
    return _call(lib.tenon_binary, (code,), (x1, x2), (None,), out, stream)


MIRRORED = {_raw.TENON_FN_LESS: _raw.TENON_FN_GREATER, _raw.TENON_FN_LESS_EQUAL: _raw.TENON_FN_GREATER_EQUAL,
             _raw.TENON_FN_GREATER: _raw.TENON_FN_LESS, _raw.TENON_FN_GREATER_EQUAL: _raw.TENON_FN_LESS_EQUAL}
HOLDS = {  # whether the comparison with a number below, and with one above all of the dtype's holds
    _raw.TENON_FN_EQUAL: (False, False), _raw.TENON_FN_NOT_EQUAL: (True, True), _raw.TENON_FN_LESS: (False, True),
    _raw.TENON_FN_LESS_EQUAL: (False, True), _raw.TENON_FN_GREATER: (True, False),
    _raw.TENON_FN_GREATER_EQUAL: (True, False)}


def beyond(code: int, x: Any, value: int, left: bool) -> tuple[int, Any, Any] | None:
    """The function and its operands where a comparison of an array of integers with a number, the left operand or the
    right one, that its dtype cannot hold has one result for all elements; None: this is no such comparison."""
    dtype = getattr(x, "dtype", None)
    compared = MIRRORED.get(code, code) if left else code
    if compared not in HOLDS or dtype is None or dtype.kind not in "iu":
        return None
    ends = iinfo(dtype)
    if ends.min <= value <= ends.max:
        return None
    within = _raw.TENON_FN_GREATER_EQUAL if HOLDS[compared][value > ends.max] else _raw.TENON_FN_LESS
    return MIRRORED[within] if left else within, x, ends.min


def long(code: int, x: Any, value: int, left: bool) -> tuple[int, Any, Any]:
    """The function and its operands for an array x and an integer, the left operand or the right one, that may have
    more than 64 bits: it stands for a floating-point number if the function computes with those."""
    if -(2**63) <= value < 2**64:
        return code, x, value
    dtype = getattr(x, "dtype", None)
    kind = getattr(dtype, "kind", "f" if isinstance(x, (float, complex)) else "i")
    if kind in "fc" or code == _raw.TENON_FN_DIVIDE:
        return code, x, float(value)
    return beyond(code, x, value, left) or (code, x, value)


def where(condition: Any, x1: Any, x2: Any, /, *, out: Any = None, stream: Any = None) -> Array:
    """Elements of x1 where condition is true, elsewhere of x2. The three arguments broadcast.

        >>> x = tenon.asarray([1.0, -2.0])
        >>> tenon.where(x > 0, x, 0).tolist()
        [1.0, 0.0]
    """
    if tracer is not None and (traced := tracer("where", 0, (condition, x1, x2), out, stream)) is not NotImplemented:
        return traced
    return _call(lib.tenon_select, (), (condition, x1, x2), (None,), out, stream)


def clip(x: Any, /, min: Any = None, max: Any = None, *, out: Any = None, stream: Any = None) -> Array:
    """min(max(x, min), max), in x's dtype; None means no bound. NaN in any of the three gives NaN.

        >>> tenon.clip(tenon.arange(5), 1, 3).tolist()
        [1, 1, 2, 3, 3]
    """
    if min is None and max is None:
        return unary(_raw.TENON_FN_POSITIVE, x, out, stream)
    if tracer is not None and (traced := tracer("clip", 0, (x, min, max), out, stream)) is not NotImplemented:
        return traced
    values = [x] + [bound for bound in (min, max) if bound is not None]
    packed, arrays = operands(*values)
    output = Output(out)
    if not arrays and output.array is None:
        packed, arrays = operands(asarray(x), *values[1:])
    low = None if min is None else packed[1]
    high = None if max is None else packed[-1]
    stream = _on(stream, arrays, output)
    return output.result(lib.tenon_clip(packed[0], low, high, None, stream and stream._handle,
                                        ctypes.byref(output.pointer)), stream)


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None, stream: Any = None) -> Array:
    """x converted to dtype. Conversion from floating-point numbers to integers truncates the fraction, clamps to the
    dtype's range and turns NaN into 0; conversion from complex to real keeps the real part. copy=False returns x itself
    if it already has the dtype and the device.

        >>> tenon.astype(tenon.asarray([1.7, -1.7, 300.0]), "int8").tolist()
        [1, -1, 127]
    """
    if tracer is not None and (traced := tracer("astype", 0, (x,), None, stream, dtype)) is not NotImplemented:
        return traced
    array, wanted = x if isinstance(x, Array) else asarray(x), as_dtype(dtype)
    if device is not None:
        array = array.to_device(device)
    if wanted is array.dtype and not copy:
        return array
    if not computable(array.dtype) or not computable(wanted):
        return array._convert(wanted, None, stream)
    return _call(lib.tenon_cast, (), (array,), (wanted.code, None), None, stream)


def part(array: Array, which: int) -> Array:
    """A view of the real (0) or imaginary (1) numbers of a complex array."""
    if array.size == 0 or array.readonly:  # the view may be read-only and the buffer not
        return unary(_raw.TENON_FN_IMAG if which else _raw.TENON_FN_REAL, array)
    half = array.dtype.itemsize // 2
    buffer = make(lib.tenon_array_buffer, array._handle)
    try:
        data, size = ctypes.c_void_p(), ctypes.c_uint64()
        check(lib.tenon_buffer_data(buffer, ctypes.byref(data), ctypes.byref(size)))
        offset = array.data_ptr - (data.value or 0) + which * half
        return Array._own(make(lib.tenon_array_from_buffer, buffer, as_dtype(f"float{8 * half}").code,
                               array.ndim, int64s(array.shape),
                               int64s([2 * stride for stride in array.strides]), offset))
    finally:
        lib.tenon_buffer_release(buffer)


@functools.cache
def computable(dtype: DType) -> bool:
    return dtype.code >> 16 == 1 and (dtype.kind in "biufc" or dtype.name == "bfloat16") and dtype.name != "complex32" \
        and not dtype.name.startswith("float8")


def result_type(*values: Any) -> DType:
    """The common dtype of arrays, dtypes and numbers by the rules of promotion; Python's numbers take the dtype of the
    others.

        >>> tenon.result_type("int8", "uint8").name, tenon.result_type(tenon.float32, 2.0).name
        ('int16', 'float32')
    """
    if not values:
        raise ValueError("result_type takes at least one array, dtype or number")
    packed = b""
    kept = []
    for value in values:
        if isinstance(value, Array):
            kept.append(value)
            packed += _bytes_arg(_raw.TENON_ARG_SCALAR, value.dtype.code, value.itemsize, b"")
        elif is_number(value):
            packed += number(value)
        elif hasattr(value, "__dlpack__") or isinstance(value, (list, tuple)):
            packed += _bytes_arg(_raw.TENON_ARG_SCALAR, asarray(value).dtype.code, 0, b"")
        else:
            dtype = as_dtype(value)
            packed += _bytes_arg(_raw.TENON_ARG_SCALAR, dtype.code, dtype.itemsize, b"")
    out = ctypes.c_uint32()
    args = (_raw.tenon_arg * len(values)).from_buffer_copy(packed)
    check(lib.tenon_result_type(args, len(values), ctypes.byref(out)))
    return DType(out.value)


def together(a: Array, b: Array, stream: Any = None) -> tuple[Array, Array]:
    """Both arrays converted to their common dtype; unchanged if either dtype has no arithmetic (float8, for example,
    of which there are nevertheless products of two different dtypes)."""
    if a.dtype is b.dtype or not (computable(a.dtype) and computable(b.dtype)):
        return a, b
    dtype = result_type(a.dtype, b.dtype)
    return a.astype(dtype, copy=False, stream=stream), b.astype(dtype, copy=False, stream=stream)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether promotion converts the dtype, or the array's dtype, to `to`.

        >>> tenon.can_cast("int8", "float32"), tenon.can_cast("float32", "int8")
        (True, False)
    """
    source, wanted = getattr(from_, "dtype", from_), as_dtype(to)
    return result_type(as_dtype(source), wanted) is wanted


def axes_of(axis: Any) -> tuple[int, ...] | None:
    """The argument axis= as a tuple; None stands for all axes."""
    if axis is None:
        return None
    return (operator.index(axis),) if hasattr(axis, "__index__") else tuple(operator.index(one) for one in axis)


def reduce(code: int, x: Any, axis: Any, dtype: Any, keepdims: bool, out: Any, stream: Any,
           correction: float = 0, ignore_nan: bool = False) -> Array:
    if out is None and stream is None and dtype is None and correction == 0 and not ignore_nan and \
            (made := core.reduce(code, x, axis, keepdims)) is not None:
        return made
    more = (axis, dtype, keepdims, correction)
    if tracer is not None and (traced := tracer("reduce", code, (x,), out, stream, more)) is not NotImplemented:
        return traced
    packed, arrays = operands(x)
    output = Output(out)
    if not arrays:
        packed, arrays = operands(asarray(x))
    axes = axes_of(axis)
    options: Any = None
    if axes is not None or dtype is not None or keepdims or correction or ignore_nan:
        options = _raw.tenon_reduce_options(keep_axes=bool(keepdims), dtype=0 if dtype is None
                                            else as_dtype(dtype).code, correction=correction, ignore_nan=ignore_nan)
        if axes is not None:
            try:
                options.axes = (ctypes.c_int32 * len(axes))(*_small(axes))
            except TypeError:
                raise TypeError(f"axis must be an integer or a tuple of integers, not {axis!r}") from None
            options.axis_count, options.no_axes = len(axes), not axes
        options = ctypes.byref(options)
    stream = _on(stream, arrays, output)
    return output.result(lib.tenon_reduce(code, packed[0], options, stream and stream._handle,
                                          ctypes.byref(output.pointer)), stream)


def _small(axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(integer(axis, "axis", ctypes.c_int32) for axis in axes)


def accumulate(code: int, x: Any, axis: Any, dtype: Any, exclusive: bool, out: Any, stream: Any) -> Array:
    more = (axis, dtype, exclusive)
    if tracer is not None and (traced := tracer("accumulate", code, (x,), out, stream, more)) is not NotImplemented:
        return traced
    packed, arrays = operands(x if isinstance(x, Array) else asarray(x))
    output = Output(out)
    (axis,) = _small((operator.index(axis),))
    options = _raw.tenon_accumulate_options(axis=axis, dtype=0 if dtype is None else as_dtype(dtype).code,
                                            exclusive=bool(exclusive))
    stream = _on(stream, arrays, output)
    return output.result(lib.tenon_accumulate(code, packed[0], ctypes.byref(options), stream and stream._handle,
                                              ctypes.byref(output.pointer)), stream)
