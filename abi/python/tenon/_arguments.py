"""Packs the arguments of an operation's calls. The contract is evaluated once, so that a call only writes numbers."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, NamedTuple
from collections.abc import Mapping, Sequence

from . import _raw
from ._array import Array
from ._creation import asarray, target
from ._dtypes import BY_NAME, DType, numbers, pack_scalar, promoted
from ._errors import check
from ._library import lib

if TYPE_CHECKING:  # slow to import, and only needed when a package is loaded
    import inspect

ARG = struct.Struct("=IIQQ")  # a tenon_arg with a handle or an address in it
SIZE = ctypes.sizeof(_raw.tenon_arg)
VALUE = _raw.tenon_arg.value.offset
ROOM = 2 * SIZE  # bytes after the arguments for the numbers of each list: one number per axis of an array
_HANDLE = struct.Struct("=Q")


class _Default:
    """The default that a signature shows for an argument that may be omitted."""

    def __init__(self, text: str = "default"):
        self.text = text

    def __repr__(self) -> str:
        return self.text


_LEFT_OUT = _Default()


class _Input(NamedTuple):
    name: str
    at: int            # index of its tenon_arg
    type: str          # a dtype's name, or a placeholder's
    written: bool      # inout
    optional: bool     # when it is None or omitted, the kernel gets NULL


class _Scalar(NamedTuple):
    name: str
    at: int
    type: str
    dtype: Any                      # a DType; None: the dtype of a placeholder
    choices: Mapping[str, int]
    takes: tuple[Any, ...]          # types
    format: str
    write: Any                      # writes one number
    room: int                       # offset of the space for the numbers of a list; 0: not a list


class Packed:
    """The arguments of one call, and the objects that must stay alive while they are used."""

    __slots__ = ("buffer", "address", "keep")

    def __init__(self, kind: Any):
        self.buffer = kind()
        self.address = ctypes.addressof(self.buffer)
        self.keep: list[Any] = []


class Parameters:
    """The parameters of an operation, from the description of its contract."""

    def __init__(self, title: str, description: Mapping[str, Any]):
        import inspect

        described = description["parameters"]
        self.title, self.count = title, len(described)
        inputs = [one for one in described if one["role"] != "out"]
        self.signature = _signature(inputs)
        kinds = self.signature.parameters
        self._names = list(kinds)
        self._positional = sum(one.kind is not inspect.Parameter.KEYWORD_ONLY for one in kinds.values())
        self._known = frozenset(self._names)
        self._needed = frozenset(one["name"] for one in inputs if "default" not in one and not one.get("optional"))
        self.outputs = [(one["name"], SIZE * index) for index, one in enumerate(described) if one["role"] == "out"]
        self._arrays: list[_Input] = []
        self._scalars: list[_Scalar] = []
        room = SIZE * self.count
        for index, one in enumerate(described):
            if one["role"] in ("in", "inout"):
                self._arrays.append(_Input(one["name"], SIZE * index, one["type"], one["role"] == "inout",
                                           one.get("optional", False)))
            elif one["role"] == "scalar":
                self._scalars.append(_scalar(one, SIZE * index, room if "shape" in one else 0))
                room += ROOM * ("shape" in one)
        self.changed = [one.name for one in self._arrays if one.written]
        self._decide = any(one.dtype is None for one in self._scalars)
        self._follows = description.get("follows", {})
        self._optional = [one.name for one in self._arrays if one.optional]
        # The results belong to the library of this argument.
        self.first = next((one.name for one in self._arrays if not one.optional), None)
        self._buffer = _raw.tenon_arg * max(room // SIZE, 1)
        self._index = {one["name"]: index for index, one in enumerate(described)}
        self._rows = tuple(map(_row, described))

    def described(self) -> tuple[bool, tuple[Any, ...], tuple[int, ...], int]:
        """The description that the compiled call needs; see operation.cpp."""
        return False, self._rows, tuple(self._index[name] for name in self._names[:self._positional]), \
            self._index.get(self.first, -1)

    def bind(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments by name, without those that are omitted."""
        values = dict(zip(self._names, args), **keywords)
        if (len(values) != len(args) + len(keywords) or len(args) > self._positional
                or not self._needed.issubset(values) or not self._known.issuperset(values)):
            try:
                self.signature.bind(*args, **keywords)
            except TypeError as error:
                raise TypeError(f"{self.title}{self.signature}: {error}") from None
        for name in self._optional:
            if values.get(name, self) is None:
                del values[name]
        return values

    def pack(self, values: Mapping[str, Any]) -> Packed:
        """One tenon_arg per parameter; empty for outputs, for defaults and for omitted arguments."""
        packed = Packed(self._buffer)
        buffer, keep = packed.buffer, packed.keep
        decided: dict[str, Any] = {}
        for name, at, kind, changed, optional in self._arrays:
            if optional and values.get(name) is None:
                continue
            value = values[name]
            if type(value) is Array:
                array = value
            else:
                array = target(value, f"{name} of {self.title}") if changed else asarray(value)
            keep.append(array)
            ARG.pack_into(buffer, at, _raw.TENON_ARG_ARRAY, 0, 0, array._handle)
            if self._decide:
                decided.setdefault(kind, array.dtype)
        if self._decide:
            self._decide_scalars(values, decided)
        for one in self._scalars:
            value = values.get(one.name, _LEFT_OUT)
            if isinstance(value, _Default):
                continue
            try:
                if one.room:
                    self._pack_list(packed, one, value)
                elif type(value) in one.takes:
                    one.write(buffer, one.at, _raw.TENON_ARG_SCALAR, one.dtype.code, one.dtype.itemsize, value)
                else:
                    self._pack_other(buffer, one, value, decided)
            except struct.error:
                raise OverflowError(f"{one.name} of {self.title}: {value!r} does not fit {one.dtype}") from None
            except (TypeError, OverflowError) as error:
                raise type(error)(f"{one.name} of {self.title}: {error}") from None
        return packed

    def _decide_scalars(self, values: Mapping[str, Any], decided: dict[str, DType]) -> None:
        """Finds the dtypes of the placeholders: those of arrays, those that follow from other placeholders, and else a
        dtype that holds all numbers given for the placeholder."""
        known = {*decided}
        for last in (False, True):  # first the placeholders that determine others
            for name, rule in self._follows.items():
                if name not in known and rule["from"] in known:
                    origin = decided[rule["from"]].name
                    decided[name] = BY_NAME[rule["dtypes"].get(origin, origin)]
                    known.add(name)
            for one in self._scalars:
                value = values.get(one.name, _LEFT_OUT)
                undecided = one.dtype is None and one.type not in known and (last or one.type not in self._follows)
                if undecided and not isinstance(value, _Default):
                    decided[one.type] = promoted(decided.get(one.type), value)
            known = {*decided}

    def _pack_list(self, packed: Packed, one: _Scalar, value: Any) -> None:
        items = value if isinstance(value, (tuple, list)) else tuple(value) if hasattr(value, "__iter__") else (value,)
        size, address = len(items) * one.dtype.itemsize, packed.address + one.room
        if size <= ROOM and all(type(item) in one.takes for item in items):
            struct.pack_into(f"={len(items)}{one.format}", packed.buffer, one.room, *items)
        else:
            data = b"".join(pack_scalar(one.dtype, item) for item in items)
            kept = ctypes.create_string_buffer(data, max(size, 1))
            packed.keep.append(kept)
            address = ctypes.addressof(kept)
        ARG.pack_into(packed.buffer, one.at, _raw.TENON_ARG_BYTES, 0, size, address)

    def _pack_other(self, buffer: Any, one: _Scalar, value: Any, decided: dict[str, DType]) -> None:
        """Packs a choice given by its name, a number of a placeholder's dtype, or a number other than int and float."""
        if one.choices and isinstance(value, str):
            if value not in one.choices:
                raise ValueError(f"{one.name} of {self.title} is one of {', '.join(one.choices)}, not {value!r}")
            value = one.choices[value]
        dtype = one.dtype or decided[one.type]
        data = pack_scalar(dtype, value)
        ARG.pack_into(buffer, one.at, _raw.TENON_ARG_SCALAR, dtype.code, len(data), 0)
        ctypes.memmove(ctypes.addressof(buffer) + one.at + VALUE, data, len(data))

    def give(self, packed: Packed, outputs: Sequence[Array]) -> None:
        """Enters the given output arrays."""
        for (_, at), array in zip(self.outputs, outputs):
            ARG.pack_into(packed.buffer, at, _raw.TENON_ARG_ARRAY, 0, 0, array._handle)

    def make(self, packed: Packed, operation: int, stream: int | None) -> list[Array]:
        """Makes new output arrays and enters them."""
        made = []
        for index, (_, at) in enumerate(self.outputs):
            check(lib.tenon_operation_output(operation, packed.address, self.count, index, stream,
                                             packed.address + at + VALUE))
            made.append(Array._own(_HANDLE.unpack_from(packed.buffer, at + VALUE)[0]))
        self.give(packed, made)
        return made


ROLES = {"in": 0, "inout": 1, "scalar": 2, "out": 3, "any": 4}  # as operation.cpp numbers them


def _row(one: Mapping[str, Any]) -> tuple[str, int, str | None, int, bool, bool, bool, tuple[str, ...]]:
    dtype = BY_NAME.get(one["type"])
    return one["name"], ROLES[one["role"]], None if dtype else one["type"], dtype.code if dtype else 0, \
        "default" in one or one.get("optional", False), one["role"] == "scalar", "shape" in one, \
        tuple(one.get("choices", ()))


def _scalar(one: Mapping[str, Any], at: int, room: int) -> _Scalar:
    dtype = BY_NAME.get(one["type"])
    takes, text = numbers(dtype)
    choices = {word: index for index, word in enumerate(one.get("choices", ()))}
    return _Scalar(one["name"], at, one["type"], dtype, choices, takes, text, struct.Struct("=IIQ" + text).pack_into,
                   room)


def _signature(inputs: Sequence[Mapping[str, Any]]) -> inspect.Signature:
    import inspect

    last_array = max((index for index, one in enumerate(inputs)
                      if one["role"] != "scalar" and not one.get("optional")), default=-1)
    parameters, optional = [], False
    for index, one in enumerate(inputs):
        # Arrays are positional: an optional array before a required one cannot be omitted, but can be None.
        left_out = "default" in one or one.get("optional", False) and index > last_array
        optional = optional or left_out  # parameters after a default are keywords
        kind = inspect.Parameter.KEYWORD_ONLY if optional and not left_out else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default: Any = None if left_out else inspect.Parameter.empty
        if "default" in one:
            default = _Default(repr(one["default"]) if "choices" in one else one["default"])
        parameters.append(inspect.Parameter(one["name"], kind, default=default))
    parameters.sort(key=lambda parameter: parameter.kind)
    return inspect.Signature(parameters)
