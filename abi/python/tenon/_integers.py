"""Converts Python's integers to C's with a range check: ctypes silently drops the bits that do not fit."""

from __future__ import annotations

import ctypes
import operator
from typing import Any
from collections.abc import Iterable

from . import _raw
from ._errors import InvalidArgument


def integer(value: Any, what: str, kind: Any = ctypes.c_int64) -> int:
    """The value as an integer that fits the C type; `what` names it in error messages."""
    number = operator.index(value)
    if kind(number).value != number:
        low, high = limits(kind)
        # A number with thousands of digits is not printed, because Python refuses to convert it.
        shown = str(number) if number.bit_length() < 1024 else f"a number of {number.bit_length()} bits"
        raise InvalidArgument(f"{what} is {shown}, which is not in {low} to {high}", _raw.TENON_ERROR_INVALID_ARGUMENT)
    return number


def limits(kind: Any) -> tuple[int, int]:
    """The smallest and the largest number of a C type."""
    top = kind(-1).value  # unsigned: all bits
    return (0, top) if top > 0 else (-1 << 8 * ctypes.sizeof(kind) - 1, (1 << 8 * ctypes.sizeof(kind) - 1) - 1)


def int64s(values: Iterable[Any], what: str = "an extent") -> Any:
    return _several(values, what, ctypes.c_int64)


def int32s(values: Iterable[Any], what: str = "an axis") -> Any:
    return _several(values, what, ctypes.c_int32)


# Cached, because ctypes looks up an array type each time, which matters in calls that take a microsecond.
_ARRAYS = {kind: [kind * count for count in range(9)] for kind in (ctypes.c_int32, ctypes.c_int64)}


def _several(values: Iterable[Any], what: str, kind: Any) -> Any:
    numbers = [*map(operator.index, values)]
    count = len(numbers)
    if not count:
        return None
    result = (_ARRAYS[kind][count] if count < 9 else kind * count)(*numbers)
    if result[:] != numbers:
        for number in numbers:
            integer(number, what, kind)
    return result
