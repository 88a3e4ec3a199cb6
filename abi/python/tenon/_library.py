"""Finding and loading libtenon."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib

from . import _raw

NAME = "libtenon.so.1"
HELPER = "libtenon_python.so"


def candidates() -> list[str]:
    """Where the library may be, best first: $TENON_LIBRARY, beside this package, a built source tree, the system's."""
    here = pathlib.Path(__file__).resolve().parent
    named = os.environ.get("TENON_LIBRARY")
    if named:
        return [named]
    places = [here / NAME]
    root = here.parents[2]
    if (root / "include" / "tenon" / "tenon.h").exists():
        places.append(root / "build" / "src" / "api" / NAME)
    return [str(place) for place in places if place.exists()] + [NAME]


def load() -> tuple[ctypes.CDLL, str]:
    """The loaded library, its functions typed, and the path it came from."""
    reasons = []
    for path in candidates():
        try:
            return _raw.load(path), path
        except OSError as error:
            reasons.append(f"{path}: {error}")
    raise ImportError("libtenon was not found. Build it (meson setup build && ninja -C build), install it, or set TENON_LIBRARY "
                      "to the file. Tried: " + "; ".join(reasons))


def load_helper(library_path: str) -> ctypes.PyDLL:
    """The capsule helper (abi/python/capsule.c), which is built and installed together with the library."""
    here = pathlib.Path(__file__).resolve().parent
    library = pathlib.Path(library_path).resolve()
    places = [here / HELPER, library.parent / HELPER, library.parent.parent.parent / "abi" / "python" / HELPER]
    path = next((str(place) for place in places if place.exists()), HELPER)
    try:
        return ctypes.PyDLL(path)
    except OSError as error:
        raise ImportError(f"{HELPER}, which is built together with libtenon, was not found beside {library}: {error}") from None


lib, path = load()

_level = lib.tenon_version() >> 16
if _level != _raw.TENON_ABI_LEVEL >> 16:
    raise ImportError(f"{path} is Tenon {_level}.x; this package needs {_raw.TENON_ABI_LEVEL >> 16}.x")
