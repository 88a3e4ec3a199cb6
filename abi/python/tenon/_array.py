"""Arrays: a view of memory on a device, with a dtype, a shape and strides."""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, ClassVar
from collections.abc import Iterator

from . import _indexing, _raw
from ._device import Device, as_device
from ._dtypes import PACKERS, DType, as_dtype, exact, is_number, unpack_scalar
from ._errors import ReadOnlyError, check
from ._handle import Handle, make
from ._integers import int32s, int64s
from ._library import core, lib
from ._operators import Operators, _operand
from ._show import shown
from ._stream import as_stream, stream_handle


def extents(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple: an integer is one axis."""
    try:
        if hasattr(shape, "__iter__") and getattr(shape, "ndim", True):
            return tuple(operator.index(extent) for extent in shape)
        return (operator.index(shape),)
    except TypeError:
        raise TypeError(f"a shape must be an integer or a tuple of integers, not {shape!r}") from None


def _c_order(order: str, name: str) -> None:
    if order not in ("C", "K", "A"):
        raise TypeError(f"{name}(order={order!r}): new arrays of Tenon are C-ordered; take the transposed view, "
                        "array.T, of one")


class Flags(int):
    """The bits of an array's flags, TENON_ARRAY_*, with NumPy's names: flags.c_contiguous, flags["C_CONTIGUOUS"]."""

    __slots__ = ()
    c_contiguous = property(lambda self: bool(self & _raw.TENON_ARRAY_C_CONTIGUOUS))
    f_contiguous = property(lambda self: bool(self & _raw.TENON_ARRAY_F_CONTIGUOUS))
    writeable = property(lambda self: not self & _raw.TENON_ARRAY_READ_ONLY)
    forc = property(lambda self: self.c_contiguous or self.f_contiguous)
    fnc = property(lambda self: self.f_contiguous and not self.c_contiguous)

    def __getitem__(self, name: str) -> bool:
        short = {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable"}
        known: bool = getattr(self, short.get(name, name.lower()))
        return known


class Array(core.Array, Operators, Handle):
    """An n-dimensional array on a device. Created by empty, zeros, full, asarray and from_dlpack; slicing, reshaping
    and transposing return views of the same memory. Other libraries import it through DLPack:
    torch.from_dlpack(array)."""

    __slots__ = ()
    _release = lib.tenon_array_release
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]
    __dlpack_c_exchange_api__: ClassVar[Any] = core.exchange_table

    _instead = {"shape": "reshape(...) gives a view of another shape",
                "dtype": "astype(...) converts, view(...) takes the bytes as another dtype",
                "strides": "subscripts, transpose and broadcast_to give views with other strides",
                "T": "use array.T[...] = value"}

    @property
    def flags(self) -> Flags:
        """TENON_ARRAY_*, and by NumPy's names: flags.c_contiguous, flags.writeable.

            >>> tenon.zeros((2, 3)).T.flags.f_contiguous
            True
        """
        return Flags(super().flags)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    # --- views ---

    def reshape(self, *shape: Any, order: str = "C") -> Array:
        """The same elements in another shape; one extent may be -1, which is then computed. Copies only when the
        strides do not allow a view. order="F": the first index varies fastest, in both shapes."""
        wanted = extents(shape[0] if len(shape) == 1 else shape)
        if order == "F":
            return self.transpose().reshape(wanted[::-1]).transpose()
        _c_order(order, "reshape")
        try:
            return self._new(lib.tenon_array_reshape, self._handle, len(wanted), int64s(wanted))
        except Exception as error:
            if getattr(error, "status", None) != _raw.TENON_ERROR_LAYOUT:
                raise
        return self.copy().reshape(wanted)

    def transpose(self, *axes: Any) -> Array:
        """A view with the axes in the given order; without arguments, in reverse order."""
        order = axes[0] if len(axes) == 1 and not hasattr(axes[0], "__index__") else axes
        order = None if order is None or len(order) == 0 else tuple(order)
        if order is not None and len(order) != self.ndim:
            raise ValueError(f"transpose of {self.ndim} axes got {len(order)}")
        return self._new(lib.tenon_array_transpose, self._handle, self.ndim, None if order is None else int32s(order))

    @property
    def T(self) -> Array:  # noqa: N802: the field's name
        return self.transpose()

    @property
    def mT(self) -> Array:
        """A view with the last two axes exchanged."""
        if self.ndim < 2:
            raise ValueError("mT needs at least two axes")
        return self.transpose(*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)

    def broadcast_to(self, shape: Any) -> Array:
        """A read-only view of a larger shape, by NumPy's broadcasting rules."""
        wanted = extents(shape)
        return self._new(lib.tenon_array_broadcast, self._handle, len(wanted), int64s(wanted))

    def view(self, dtype: Any = None) -> Array:
        """A view of the same bytes with another dtype; None: the same dtype."""
        dtype = self.dtype if dtype is None else dtype
        return self._new(lib.tenon_array_view, self._handle, as_dtype(dtype).code)

    def _subscript(self, key: Any) -> Array:
        """array[key] for the keys that the compiled __getitem__ does not handle: all but integers, slices, ... and
        tuples of these."""
        from ._moving import is_advanced, pick  # it imports this module, from whichever module the import began
        if is_advanced(key):
            return pick(self, key)
        return Array._own(_indexing.view(self._handle, self.shape, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        from ._moving import is_advanced, place
        if is_advanced(key):
            return place(self, key, value)
        whole = isinstance(key, slice) and key == slice(None) or key is Ellipsis
        assign(self if whole else self[key], value)

    def __iter__(self) -> Iterator[Array]:
        return (self[index] for index in range(len(self)))

    # --- copies ---

    def astype(self, dtype: Any, order: str = "C", *, copy: bool = True, stream: Any = None) -> Array:
        """A new array of another dtype; the array itself if copy is False and the dtype stays the same. See
        tenon.astype for the rules of conversion. New arrays are C-ordered: order may be "C", or "K" or "A", which NumPy
        knows as well, for the same."""
        _c_order(order, "astype")
        from ._compute import astype

        return astype(self, dtype, copy=copy, stream=stream)

    def copy(self, order: str = "C", *, stream: Any = None) -> Array:
        """A C-ordered copy in new memory on the same device. order: as for astype."""
        _c_order(order, "copy")
        return self._convert(self.dtype, None, stream)

    def _to_device(self, device: Any, *, stream: Any = None) -> Array:
        wanted = as_device(device)
        return self if wanted == self.device else self._convert(self.dtype, wanted, stream)

    def _convert(self, dtype: DType, device: Device | None, stream: Any) -> Array:
        if stream is not None or device is None:  # copies between devices cannot be recorded: not on the current stream
            stream = as_stream(stream, device or self.device)
        return self._new(lib.tenon_array_convert, self._handle, dtype.code, device and device._handle,
                         stream_handle(stream))

    def use(self, stream: Any = None, *, write: bool = False) -> Array:
        """Declares that work outside Tenon, enqueued on the stream right after this call, reads (write=True: writes)
        the array through its address. Tenon orders that work with its own uses of the array as if it were one of
        them."""
        access = _raw.TENON_ACCESS_WRITE if write else _raw.TENON_ACCESS_READ
        check(lib.tenon_array_use(self._handle, access, stream_handle(as_stream(stream, self.device))))
        return self

    def fill(self, value: Any, *, stream: Any = None) -> Array:
        """Sets every element to the value; returns the array. A number that the dtype cannot hold raises OverflowError;
        a complex number for an array of real numbers raises TypeError. Integer dtypes truncate fractions."""
        stream = as_stream(stream, self.device)
        scalar = exact(self.dtype, value.item() if isinstance(value, Array) else value)
        check(lib.tenon_array_fill(self._handle, ctypes.byref(scalar), stream_handle(stream)))
        return self

    # --- to Python and NumPy ---

    def _item(self) -> Any:
        """item() for the dtypes that the compiled item() does not handle, and its errors."""
        if self.size != 1:
            raise ValueError(f"only an array with one element can be made a Python number; this one has {self.size}")
        return unpack_scalar(self.dtype, self.tobytes())

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        width, data = self.dtype.itemsize, self.tobytes()
        flat = [unpack_scalar(self.dtype, data[at:at + width]) for at in range(0, len(data), width)]
        return _nested(flat, self.shape)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu" or self.shape:
            raise TypeError("only an integer array without axes can be used as an index; this one is "
                            f"{self.dtype}{list(self.shape)}")
        result: int = self.item()
        return result

    def numpy(self) -> Any:
        """The elements as a NumPy array: a view of the same memory on the CPU, else a copy."""
        import numpy

        dtype = self.dtype.dtype
        if self._place[0] == _raw.TENON_DEVICE_CPU:
            self.device.synchronize()
            return _HostView(self).as_numpy(numpy, dtype)
        result = numpy.empty(self.shape, dtype)
        check(lib.tenon_array_to_host(self._handle, result.ctypes.data, self.nbytes, None))
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy

        if self._place[0] != _raw.TENON_DEVICE_CPU:
            raise TypeError(f"the array is on {self.device}; NumPy gets a copy only on request: use array.numpy()")
        result = self.numpy()
        if dtype is not None and numpy.dtype(dtype) != result.dtype:
            if copy is False:
                raise ValueError(f"{self.dtype} cannot be {dtype} without a copy")
            return result.astype(dtype)
        return result.copy() if copy else result

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """NumPy's protocol of that name, version 3, for arrays on the CPU with a dtype that NumPy itself defines."""
        if self._place[0] != _raw.TENON_DEVICE_CPU:
            raise AttributeError(f"an array on {self.device} has no __array_interface__: array.numpy() copies it")
        if self.dtype.kind == "V" or self.dtype.typestr[1] == "V":
            raise AttributeError(f"__array_interface__ cannot express {self.dtype}; numpy.asarray(array) uses "
                                 "ml_dtypes")
        self.device.synchronize()
        return _HostView(self).__array_interface__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """A NumPy ufunc called with Tenon's arrays runs Tenon's function of the same name and returns a Tenon array."""
        if not all(isinstance(one, Array) or _operand(one) for one in (*inputs,
                *(keywords.get("out") or ())) if one is not None):
            return NotImplemented
        from ._numpy import array_ufunc

        return array_ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function: Any, _types: Any, args: Any, keywords: Any) -> Any:
        """The same for NumPy's other functions."""
        from ._numpy import array_function

        return array_function(function, args, keywords)

    # --- to other libraries ---

    def __jax_array__(self) -> Any:
        """For jax.numpy.asarray: a copy, because JAX's arrays are immutable. jax.numpy.from_dlpack shares the
        memory."""
        import jax

        return jax.numpy.from_dlpack(self.copy())

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._place[0] != _raw.TENON_DEVICE_CUDA:
            raise AttributeError(f"an array on {self.device} has no __cuda_array_interface__")
        if self.dtype.kind == "V":
            raise AttributeError(f"__cuda_array_interface__ cannot express {self.dtype}; DLPack has")
        from ._dlpack import order_before_default
        from ._stream import Stream

        order_before_default(self)
        strides = None if self.c_contiguous else tuple(stride * self.itemsize for stride in self.strides)
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.typestr, "strides": strides,
                "data": (self._data if self.size else 0, self.readonly), "stream": Stream.default(self.device).native}

    # --- the rest ---

    def __reduce__(self) -> Any:
        from ._creation import _from_bytes

        return _from_bytes, (self.tobytes(), self.shape, self.dtype, self.device.name)

    def __copy__(self) -> Array:
        return self.copy()

    def __deepcopy__(self, _memo: Any) -> Array:
        return self.copy()

    def __repr__(self) -> str:
        what = f"shape={self.shape}, dtype={self.dtype}, device={self.device}"
        if self.size == 0 or (self.dtype.code not in PACKERS and self.dtype.name != "bfloat16"):
            return f"<tenon.Array {what}>"
        return f"tenon.Array({shown(self, len('tenon.Array('))}, {what})"

    def _repr_png_(self) -> bytes | None:
        """In notebooks, the picture of an array of uint8 with shape (height, width, 3 or 4): red, green, blue and opacity."""
        if self.dtype.name != "uint8" or self.ndim != 3 or self.shape[2] not in (3, 4) or min(self.shape[:2]) < 8:
            return None
        from ._jupyter import picture

        return picture(self)

    @staticmethod
    def _new(function: Any, *arguments: Any) -> Array:
        return Array._own(make(function, *arguments))


Array._to_device.__qualname__ = "Array.to_device"  # for messages
core.set_array(Array)


def _nested(flat: list[Any], shape: tuple[int, ...]) -> Any:
    """The elements as nested lists of this shape."""
    if len(shape) < 2:
        return flat if shape else flat[0]
    step = math.prod(shape[1:])
    return [_nested(flat[row * step:(row + 1) * step], shape[1:]) for row in range(shape[0])]


class _HostView:
    """Exposes an array's host memory to NumPy through __array_interface__, which supports any strides, read-only or
    not."""

    def __init__(self, array: Array):
        self.array = array
        width = array.itemsize
        known = array.dtype.kind != "V"
        self.__array_interface__ = {
            "version": 3, "shape": array.shape, "typestr": array.dtype.typestr if known else f"|u{width}",
            "strides": tuple(stride * width for stride in array.strides),
            "data": (array._data, array.readonly)}

    def as_numpy(self, numpy: Any, dtype: Any) -> Any:
        if self.array.size == 0:
            return numpy.empty(self.array.shape, dtype)
        result = numpy.asarray(self)
        return result if result.dtype == dtype else result.view(dtype)


def assign(target: Array, value: Any) -> None:
    """target[...] = value, where value is a number, an array, or anything asarray accepts; it is broadcast and
    converted to the target's dtype."""
    from ._creation import asarray

    if is_number(value):
        target.fill(value)
        return
    source = value if isinstance(value, Array) else asarray(value)
    stream = stream_handle(as_stream(None, target.device))
    status = lib.tenon_array_copy(target._handle, source._handle, stream)
    if status == _raw.TENON_ERROR_OVERLAP and not _overlaps_itself(target):  # x[1:] = x[:-1]: all is read first
        source = source.copy()
        status = lib.tenon_array_copy(target._handle, source._handle, stream)
    check(status)


def _overlaps_itself(array: Array) -> bool:
    """Whether elements of the array may share memory: then the order of writes would decide what they become."""
    least = 1
    for stride, extent in sorted((abs(stride), extent) for stride, extent in zip(array.strides, array.shape)
                                 if extent > 1):
        if stride < least:
            return True
        least = stride * (extent - 1) + least
    return False


def require_writable(array: Array) -> None:
    if array.readonly:
        raise ReadOnlyError("the array is read-only: it was imported as read-only, or is a broadcast view",
                            _raw.TENON_ERROR_READ_ONLY)
