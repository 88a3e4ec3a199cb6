"""Translates Python's subscripts (integers, slices, ... and None) to views of the library; no element is copied."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _raw
from ._errors import ShapeError, check
from ._library import lib

LEFT_OUT = -(2**63)


def _bad(message: str) -> IndexError:
    return IndexError(message)


def expand(key: Any, rank: int) -> list[Any]:
    """The subscript as a list with one entry per axis (an integer or a slice) and the Nones at their positions."""
    entries = list(key) if isinstance(key, tuple) else [key]
    given = sum(entry is not None and entry is not Ellipsis for entry in entries)
    if sum(entry is Ellipsis for entry in entries) > 1:
        raise _bad("an index can only have a single ellipsis ('...')")
    if given > rank:
        raise _bad(f"too many indices: the array has {rank} axes, but {given} were indexed")
    if not any(entry is Ellipsis for entry in entries):
        entries.append(Ellipsis)
    at = next(i for i, entry in enumerate(entries) if entry is Ellipsis)
    entries[at:at + 1] = [slice(None)] * (rank - given)
    return entries


def _bound(value: Any, clamp: int) -> int:
    if value is None:
        return LEFT_OUT
    index = getattr(value, "__index__", None)
    if index is None:
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    result: int = max(-clamp, min(clamp, index()))
    return result


def view(handle: int, shape: tuple[int, ...], key: Any) -> ctypes.c_void_p:
    """A new array handle: the view of the array that `key` selects."""
    entries = expand(key, len(shape))
    axes = [entry for entry in entries if entry is not None]
    rank = len(shape)
    starts, stops, steps = ((ctypes.c_int64 * max(rank, 1))() for _ in range(3))
    picked = []  # axes to remove afterwards, in the order of the array
    for axis, entry in enumerate(axes):
        if isinstance(entry, slice):
            limit = 2**62
            starts[axis], stops[axis] = _bound(entry.start, limit), _bound(entry.stop, limit)
            steps[axis] = 1 if entry.step is None else _bound(entry.step, limit)
            if steps[axis] == 0:
                raise ValueError("slice step cannot be zero")
            continue
        index = getattr(entry, "__index__", None)
        if index is None or isinstance(entry, bool):
            raise TypeError(f"an array can be indexed by integers, slices, ... and None, not by {type(entry).__name__}")
        number = index()
        if not -shape[axis] <= number < shape[axis]:
            raise _bad(f"index {number} is out of bounds for axis {axis} with size {shape[axis]}")
        number %= shape[axis]
        starts[axis], stops[axis], steps[axis] = number, number + 1, 1
        picked.append(axis)

    result = ctypes.c_void_p()
    check(lib.tenon_array_slice(handle, rank, starts, stops, steps, ctypes.byref(result)))
    for axis in reversed(picked):
        result = _replace(result, lib.tenon_array_index, axis, 0)
    if any(entry is None for entry in entries):
        result = _insert_axes(result, entries)
    return result


def _replace(old: ctypes.c_void_p, function: Any, *arguments: Any) -> ctypes.c_void_p:
    new = ctypes.c_void_p()
    status = function(old, *arguments, ctypes.byref(new))
    try:
        check(status)
    finally:
        lib.tenon_array_release(old)
    return new


def _insert_axes(array: ctypes.c_void_p, entries: list[Any]) -> ctypes.c_void_p:
    """Inserts an axis of extent 1 for each None in the subscript. Every layout allows a reshape that adds such axes."""
    info = _raw.tenon_array_info()
    check(lib.tenon_array_get_info(array, ctypes.byref(info)))
    extents = iter(info.shape[:info.rank])
    shape = [1 if entry is None else next(extents) for entry in entries if entry is None or isinstance(entry, slice)]
    if len(shape) > _raw.TENON_MAX_RANK:
        lib.tenon_array_release(array)
        raise ShapeError(f"an array has at most {_raw.TENON_MAX_RANK} axes", _raw.TENON_ERROR_SHAPE)
    return _replace(array, lib.tenon_array_reshape, len(shape), (ctypes.c_int64 * len(shape))(*shape))
