"""Arrays as readable text: few elements, short numbers, lines of a screen's width."""

from __future__ import annotations

import itertools
import struct
from typing import Any

WIDTH = 100
MOST = 1000  # arrays with up to this many elements are shown completely
EDGE = 3     # elements shown at each end of an axis of a larger array


def shown(array: Any, indent: int) -> str:
    """The elements as nested lists; for a large array only those at the ends of each axis, with "..." between them."""
    cut = array.size > MOST
    rows = _ends(array) if cut else array
    return _lines(rows.tolist(), array.shape, cut, array.dtype, indent)


def _ends(array: Any) -> Any:
    """The elements at the ends of each longer axis, as one small array."""
    from ._creation import empty

    long = [extent > 2 * EDGE for extent in array.shape]
    small = empty([2 * EDGE if one else extent for one, extent in zip(long, array.shape)], array.dtype,
                  device=array.device)
    for part in itertools.product(*((slice(0, EDGE), slice(-EDGE, None)) if one else (slice(None),) for one in long)):
        small[part] = array[part]
    return small


def _lines(value: Any, shape: tuple[int, ...], cut: bool, dtype: Any, indent: int) -> str:
    if not shape:
        return number(dtype, value)
    inner = [_lines(one, shape[1:], cut, dtype, indent + 1) for one in value]
    if cut and shape[0] > 2 * EDGE:
        inner[EDGE:EDGE] = ["..."]
    if len(shape) > 1:
        return "[" + (",\n" + " " * (indent + 1)).join(inner) + "]"
    text, used = "[", indent + 1
    for index, one in enumerate(inner):
        if index and used + len(one) > WIDTH:
            text, used = text.rstrip() + "\n" + " " * (indent + 1), indent + 1
        last = index == len(inner) - 1
        text += one + ("]" if last else ", ")
        used += len(one) + 2
    return text


_DIGITS = {"float32": ("f", 6), "complex64": ("f", 6), "float16": ("e", 3), "complex32": ("e", 3), "bfloat16": ("", 3)}


def number(dtype: Any, value: Any) -> str:
    """The value with the fewest digits that identify it among the numbers of its dtype."""
    letter, digits = _DIGITS.get(dtype.name, (None, 0))
    if letter is None:
        return repr(value)
    if isinstance(value, complex):
        real, imag = _shortest(value.real, letter, digits), _shortest(value.imag, letter, digits)
        return f"({real}{'' if imag.startswith(('-', '+')) else '+'}{imag}j)"
    return _shortest(value, letter, digits)


def _shortest(value: float, letter: str, digits: int) -> str:
    text = f"{value:.{digits}g}"
    while value == value and _rounded(float(text), letter) != value and digits < 16:
        digits += 1
        text = f"{value:.{digits}g}"
    return repr(float(text))


def _rounded(value: float, letter: str) -> float:
    if letter:
        try:
            return float(struct.unpack(letter, struct.pack(letter, value))[0])
        except OverflowError:
            return value
    from ._dtypes import BY_NAME, pack_scalar, unpack_scalar

    return float(unpack_scalar(BY_NAME["bfloat16"], pack_scalar(BY_NAME["bfloat16"], value)))
