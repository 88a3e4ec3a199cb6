"""Owning a handle of the library from Python."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, ClassVar

from ._errors import check


class Handle:
    """A Python object that owns one reference to an object of the library and gives it back when it goes."""

    __slots__ = ("_handle", "__weakref__")
    _release: ClassVar[Callable[[Any], None]]  # set by each class; held by the class so that it outlives module teardown

    def __init__(self, *_args: Any, **_keywords: Any) -> None:
        raise TypeError(f"{type(self).__name__} objects are made by functions of tenon, not directly")

    @classmethod
    def _own(cls, handle: Any):
        """Wraps a reference that is already ours: an address or a filled c_void_p."""
        self = cls.__new__(cls)
        self._handle = getattr(handle, "value", handle)
        return self

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            self._handle = None
            type(self)._release(handle)


def make(function: Callable[..., int], *arguments: Any) -> ctypes.c_void_p:
    """Calls a function whose last parameter is an owned output handle; returns the handle."""
    out = ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(out)))
    return out
