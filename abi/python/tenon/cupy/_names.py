"""The array functions of tenon.cupy: Tenon's functions under NumPy's names, with NumPy's arguments, on the current
stream and device. They are looked up at first use by _numpy.find."""

from __future__ import annotations

import functools
import inspect
from typing import Any
from collections.abc import Callable

from .. import _numpy
from .._array import Array
from . import _fuse, cuda


def getter(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A module's __getattr__ and __dir__ for functions of numpy.linalg ("linalg"), numpy.fft ("fft"), or numpy itself
    ("")."""
    prefix, place = (module + ".", f"tenon.cupy.{module}") if module else ("", "tenon.cupy")

    def get(name: str) -> Any:
        found = function(prefix + name)
        if found is None:
            raise AttributeError(f"{place} has no {name}: {instead(name)}")
        return found

    def names() -> list[str]:
        import numpy

        theirs = getattr(numpy, module) if module else numpy
        return sorted(name for name in dir(theirs) if not name.startswith("_") and function(prefix + name))

    return get, names


def instead(name: str) -> str:
    """The replacement for a function that does not exist, for the error message."""
    import numpy

    too = f"; on the CPU numpy.{name}(array) does, too" if callable(getattr(numpy, name, None)) else ""
    return f"tenon.elementwise, tenon.reduction or tenon.Kernel compute what is not there{too}"


@functools.lru_cache(None)
def function(name: str) -> Callable[..., Any] | None:
    found = None if name.startswith("_") else _numpy.find(name)
    if found is None:
        return None
    known = inspect.signature(inspect.unwrap(found)).parameters
    streams, makes = "stream" in known, "device" in known and name not in ("astype", "asarray", "from_dlpack")

    @functools.wraps(found)
    def call(*args: Any, **keywords: Any) -> Any:
        if _fuse.active():
            lazy = _fuse.called(name, args, keywords)
            if lazy is not None:
                return lazy
            if keywords.get("out") is not None or name in ("copyto", "put", "put_along_axis"):
                _fuse.settle()
            args, keywords = _fuse.plain(args), _fuse.plain(keywords)
        if makes and keywords.get("device") is None and not any(isinstance(one, Array) for one in args):
            keywords["device"] = cuda.device_of()
        if streams and cuda._current.streams and keywords.get("stream") is None:
            device = next((one.device for one in args if isinstance(one, Array)), None)
            keywords["stream"] = cuda.current_stream(device)
        elif keywords.get("stream") is not None and isinstance(keywords["stream"], cuda.BaseStream):
            keywords["stream"] = keywords["stream"].tenon
        return found(*args, **keywords)

    call.__module__ = "tenon.cupy"
    return call
