"""Element types: a small class that NumPy accepts as a dtype, with one object per type of DLPack."""

from __future__ import annotations

import operator
import re
import struct
from typing import Any

from . import _raw
from ._errors import DTypeError
from ._handle import Fixed
from ._library import core, lib

_KINDS = {0: "i", 1: "u", 2: "f", 4: "V", 5: "c", 6: "b"}  # DLPack's code -> NumPy's kind


class DType(Fixed):
    """An element type. It compares equal to its code, to its name, and to the types of NumPy, ml_dtypes and PyTorch
    with the same name. `numpy.dtype(tenon.float32)` works."""

    __slots__ = ("code", "name", "itemsize")
    _known: dict[int, DType] = {}

    code: int        # the value of dtype.h: DLPack's type code, bits and lanes
    name: str        # as NumPy spells it
    itemsize: int    # bytes per element, 0 for a type of fewer than 8 bits

    def __new__(cls, code: int) -> DType:
        known = cls._known.get(code)
        if known is not None:
            return known
        name = lib.tenon_dtype_name(code).decode() if 0 <= code < 2**32 else "invalid"  # ctypes would drop higher bits
        if name == "invalid":
            raise DTypeError(f"0x{code:08x} is not a dtype", _raw.TENON_ERROR_DTYPE)
        self = super().__new__(cls)
        self._set(code=code, name=name, itemsize=(code >> 8 & 255) * (code >> 16) // 8)
        cls._known[code] = self
        return self

    @property
    def kind(self) -> str:
        """NumPy's letter for the kind: b, i, u, f or c; V for types that NumPy does not define."""
        return _KINDS.get(self.code & 255, "V") if self.code >> 16 == 1 else "V"

    @property
    def typestr(self) -> str:
        """NumPy's type string, such as "<f4"; a void of the same size for types that NumPy does not define."""
        if self.itemsize == 0:
            raise DTypeError(f"{self.name} has no size in whole bytes", _raw.TENON_ERROR_DTYPE)
        return f"{'|' if self.itemsize == 1 else '<'}{'V' if self.name == 'complex32' else self.kind}{self.itemsize}"

    @property
    def dtype(self) -> Any:
        """The NumPy dtype: NumPy's own, or that of ml_dtypes (bfloat16, float8 ...) if it is installed."""
        import numpy

        if self.name == "complex32":
            raise DTypeError("NumPy has no complex32: astype('complex64') converts it", _raw.TENON_ERROR_DTYPE)
        if self.kind != "V":
            return numpy.dtype(self.typestr)
        try:
            import ml_dtypes
        except ImportError:
            ml_dtypes = None
        if ml_dtypes is not None and hasattr(ml_dtypes, self.name):
            return numpy.dtype(getattr(ml_dtypes, self.name))
        raise DTypeError(f"NumPy has no type {self.name}; the package ml_dtypes may provide one",
                         _raw.TENON_ERROR_DTYPE)

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, DType):
            return self is other
        try:
            return self is as_dtype(other)
        except (TypeError, ValueError, AttributeError):  # not the name of a dtype: not equal
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"tenon.{self.name}" if self.name in BY_NAME else f"tenon.DType(0x{self.code:08x})"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        return DType, (self.code,)


# Every named type of dtype.h, by its name.
BY_NAME: dict[str, DType] = {}
for _name, _value in vars(_raw).items():
    if _name.startswith(("TENON_BOOL", "TENON_INT", "TENON_UINT", "TENON_FLOAT", "TENON_BFLOAT", "TENON_COMPLEX")):
        _dtype = DType(_value)
        BY_NAME[_dtype.name] = _dtype

_CODE = re.compile(r"[<>=|]?[?a-zA-Z]\d*")  # NumPy's codes: "f4", "<c8", "?"
_ALIASES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def as_dtype(what: Any) -> DType:
    """The DType for a DType, a name, or any type with a known name: numpy.float32, numpy.dtype, ml_dtypes.bfloat16,
    torch.float32, Python's bool, int, float and complex. Raises TypeError for anything else."""
    if isinstance(what, DType):
        return what
    if isinstance(what, int) and not isinstance(what, bool):
        return DType(what)
    try:
        what = _ALIASES.get(what, what)
    except TypeError:
        pass
    if isinstance(what, str):
        name = what
    else:
        # numpy.dtype has .name, a scalar type __name__; torch.float32 prints as "torch.float32".
        if getattr(what, "byteorder", "=") == ">":
            raise DTypeError(f"{what!r} is big-endian; Tenon's arrays have the machine's byte order",
                             _raw.TENON_ERROR_DTYPE)
        name = getattr(what, "name", None) or getattr(what, "__name__", None) or str(what).rpartition(".")[2]
    name = "bool" if name == "bool_" else name
    found = BY_NAME.get(name)
    if found is None and isinstance(what, str) and _CODE.fullmatch(what):
        try:
            import numpy

            found = BY_NAME.get(numpy.dtype(what).name)
        except (ImportError, TypeError):
            pass
    if found is None:
        raise DTypeError(f"{what!r} is not a dtype that Tenon supports", _raw.TENON_ERROR_DTYPE)
    return found


FORMATS = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H",
           "uint32": "I", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d", "complex32": "2e",
           "complex64": "2f", "complex128": "2d"}
PACKERS = {dtype.code: struct.Struct("=" + FORMATS[name]) for name, dtype in BY_NAME.items() if name in FORMATS}


def numbers(dtype: DType | None) -> tuple[tuple[type, ...], str]:
    """The Python types that the dtype accepts directly, and struct's format letter for it; empty for dtypes that are
    neither integer nor real, or that have no letter."""
    if dtype is None or dtype.kind not in "iuf" or dtype.name not in FORMATS:
        return (), ""
    return (int,) if dtype.kind in "iu" else (int, float), FORMATS[dtype.name]


def unpack_scalar(dtype: DType, data: bytes) -> Any:
    """The Python number in the bytes of one element."""
    if dtype.name == "bfloat16":
        return struct.unpack("=f", b"\0\0" + data)[0]
    packer = PACKERS.get(dtype.code)
    if packer is None:
        raise DTypeError(f"an element of {dtype.name} cannot be made a Python number: array.numpy() (with ml_dtypes) "
                         "or torch.from_dlpack(array) converts it",
                         _raw.TENON_ERROR_DTYPE)
    parts = packer.unpack(data)
    return complex(*parts) if len(parts) == 2 else parts[0]


def is_number(value: Any) -> bool:
    """Whether value is a Python number or a NumPy scalar (which has a dtype and no axes, but is not an array)."""
    return isinstance(value, (bool, int, float, complex)) or (
        hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0 and not hasattr(value, "__dlpack__"))


_ORDER = "buifc"


def promoted(dtype: DType | None, value: Any) -> DType:
    """The dtype of a placeholder that only numbers determine: that of this number, or `dtype`, that of the numbers
    before it, if that is of a wider kind."""
    own = as_dtype(getattr(value, "dtype", type(value)))
    if dtype is None or own is dtype:
        return own
    if own.kind == dtype.kind:
        return max(own, dtype, key=lambda one: one.itemsize)
    return max(own, dtype, key=lambda one: _ORDER.find(one.kind))


def _is_bool(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # Python's and NumPy's, which is not an integer


def fitting(dtype: DType, value: Any) -> Any:
    """The Python number that an array of this dtype is filled with. Raises TypeError or OverflowError if the dtype
    cannot hold the value."""
    if not any(hasattr(value, conversion) for conversion in ("__index__", "__float__", "__complex__")):
        raise TypeError(f"{value!r} is not a number")
    if dtype.kind == "b":
        return int(bool(value))
    if isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
        if dtype.kind != "c":
            raise TypeError(f"{value!r} is complex, and an array of {dtype} holds only real numbers: pass its real part")
        return complex(value)
    try:
        number: Any = int(value) if _is_bool(value) else operator.index(value)
    except TypeError:
        number = int(float(value)) if dtype.kind in "iu" else complex(value) if dtype.kind == "c" else float(value)
    if dtype.kind in "iu" or (dtype.kind == "f" and abs(number) < float("inf")):
        try:
            PACKERS[dtype.code].pack(number)
        except (struct.error, OverflowError):
            raise OverflowError(f"{value!r} does not fit {dtype}") from None
    if isinstance(number, int) and not -(2**63) <= number < 2**64:
        return float(number)
    return number


def exact(dtype: DType, value: Any) -> _raw.tenon_arg:
    """The result of fitting() as a scalar argument."""
    number = fitting(dtype, value)
    scalar = _raw.tenon_arg(kind=_raw.TENON_ARG_SCALAR)
    if isinstance(number, int):
        scalar.dtype, scalar.value.u64 = _raw.TENON_UINT64 if number >= 0 else _raw.TENON_INT64, number & (2**64 - 1)
    elif isinstance(number, complex):
        scalar.dtype, scalar.value.c128[:] = _raw.TENON_COMPLEX128, (number.real, number.imag)
    else:
        scalar.dtype, scalar.value.f64 = _raw.TENON_FLOAT64, number
    return scalar


def pack_scalar(dtype: DType, value: Any) -> bytes:
    """The bytes of one element with the value of a Python number. Raises TypeError for a number of another kind (a
    float for an integer type) and OverflowError for one that does not fit."""
    packer = PACKERS.get(dtype.code)
    kind = dtype.kind
    if not any(hasattr(value, conversion) for conversion in ("__index__", "__float__", "__complex__")):
        raise TypeError(f"{value!r} is not a number, which {dtype.name} needs")  # not even text
    if dtype.name == "bfloat16":
        bits = struct.unpack("=I", struct.pack("=f", float(value)))[0]
        if bits & 0x7fffffff > 0x7f800000:
            return struct.pack("=H", bits >> 16 | 0x40)  # NaN stays NaN
        return struct.pack("=H", (bits + 0x7fff + (bits >> 16 & 1)) >> 16)  # to nearest, ties to even
    if packer is None:
        raise TypeError(f"a Python number cannot be converted to {dtype.name}")
    if kind == "c":
        number = complex(value)
        return packer.pack(number.real, number.imag)
    if kind == "f":
        return packer.pack(float(value))
    if kind == "b":
        if _is_bool(value) or (hasattr(value, "__index__") and value.__index__() in (0, 1)):
            return packer.pack(bool(value))
        raise TypeError(f"{value!r} is not a bool")
    index = value.__bool__ if _is_bool(value) else getattr(value, "__index__", None)
    if index is None:
        raise TypeError(f"{value!r} is not an integer, which {dtype.name} needs")
    try:
        return packer.pack(index())
    except struct.error:
        raise OverflowError(f"{value!r} does not fit {dtype.name}") from None


core.set_hooks(None, DType, None, None, None, None, None, None, as_dtype)
