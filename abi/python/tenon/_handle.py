"""Python objects that own a handle of the library, and how they behave when copied, pickled and forked."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any, ClassVar
from collections.abc import Callable, Mapping

from ._library import core


class Fixed:
    """An object whose public attributes are read-only; only _set sets them."""

    __slots__ = ()
    _instead: ClassVar[Mapping[str, str]] = {}  # by attribute, what to do instead of setting it, for the error message

    def _set(self, **facts: Any) -> None:
        for name, value in facts.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(self._refusal(name, "set"))
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if not name.startswith("_"):
            raise AttributeError(self._refusal(name, "deleted"))
        object.__delattr__(self, name)

    def _refusal(self, name: str, what: str) -> str:
        instead = self._instead.get(name)
        return f"{type(self).__name__}.{name} cannot be {what}" + (f": {instead}" if instead else "")

    def __copy__(self) -> Any:
        return self  # it is immutable, or all its users mean the same object

    def __deepcopy__(self, _memo: Any) -> Any:
        return self


class Handle(core.Handle, Fixed):
    """A Python object that owns one reference to an object of the library and releases it when it is destroyed. Each
    reference has exactly one such Python object: a copy is the object itself."""

    __slots__ = ()
    _release: ClassVar[Any]  # the library's release function for the class
    _get: ClassVar[Any] = core.Handle._handle.__get__  # reads the attribute without __getattr__
    _put: ClassVar[Any] = core.Handle._handle.__set__

    def __init__(self, *_args: Any, **_keywords: Any) -> None:
        raise TypeError(f"{type(self).__name__} objects are made by functions of tenon, not directly")

    @classmethod
    def _own(cls, handle: Any) -> Any:
        """Wraps a reference that the caller owns: the result of make, or an address."""
        self = cls.__new__(cls)
        cls._put(self, handle)
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"{type(self).__name__} objects belong to the process that made them and cannot be pickled")


class Renewed(Handle):
    """A handle that _renew recreates from the Python object's attributes in a child process after fork(), where the
    parent's handles cannot be used."""

    __slots__ = ()

    def _renew(self) -> Any:
        raise NotImplementedError

    def _enlist(self) -> None:
        """Registers the object for renewal; called when the object is complete."""
        _enlisted[id(self)] = self

    def __getattr__(self, name: str) -> Any:
        if name != "_handle":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        with _renewing:
            try:
                return self._get(self)  # another thread has already renewed it
            except AttributeError:
                pass
            handle = self._renew()
            self._put(self, handle)
        return self._get(self)


# By identity: objects that compare equal have handles of their own.
_enlisted: weakref.WeakValueDictionary[int, Renewed] = weakref.WeakValueDictionary()
_renewing = threading.RLock()
_in_child: list[Callable[[], None]] = []


def after_fork(function: Callable[[], None]) -> Callable[[], None]:
    """Registers the function to be called in a child process after fork()."""
    _in_child.append(function)
    return function


def _forked() -> None:
    global _renewing
    _renewing = threading.RLock()  # the old lock may have been held by a thread of the parent
    for one in list(_enlisted.values()):
        try:
            core.Handle._handle.__delete__(one)  # not released, because it belongs to the parent
        except AttributeError:
            pass
    for function in _in_child:
        function()


os.register_at_fork(after_in_child=_forked)

make = core.make
