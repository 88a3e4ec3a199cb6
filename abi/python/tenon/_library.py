"""Finding and loading libtenon, and the compiled module that calls it."""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec

from . import _raw

TYPE_CHECKING = False  # importing typing takes longer than the rest
if TYPE_CHECKING:
    from typing import Any

    from . import _core

NAME = "libtenon.so.1"
# A free-threaded Python has a module of its own (abi/python/meson.build).
CORE = "_core" + (EXTENSION_SUFFIXES[0] if "t" in getattr(sys, "abiflags", "") else ".abi3.so")
_HERE = os.path.dirname(os.path.realpath(__file__))


def candidates() -> list[str]:
    """The paths where the library may be, in order of preference: $TENON_LIBRARY, this package, a build tree, the
    system."""
    named = os.environ.get("TENON_LIBRARY")
    if named:
        return [named]
    places = [os.path.join(_HERE, "lib", NAME), os.path.join(_HERE, NAME)]
    root = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))
    if os.path.exists(os.path.join(root, "include", "tenon", "tenon.h")):
        places.append(os.path.join(root, "build", "src", "api", NAME))
    return [place for place in places if os.path.exists(place)] + [NAME]


def load_core() -> Any:
    """The compiled module: in this package if it is installed, else in the build tree of the library."""
    built = [os.path.dirname(os.path.realpath(path)) for path in candidates() if os.sep in path]
    places = [os.path.join(_HERE, CORE)] + [os.path.join(os.path.dirname(os.path.dirname(one)), "abi", "python", CORE)
                                            for one in built]
    for place in places:
        if os.path.exists(place):
            spec = ModuleSpec("tenon._core", ExtensionFileLoader("tenon._core", place), origin=place)
            loader: Any = spec.loader
            module = loader.create_module(spec)
            loader.exec_module(module)
            sys.modules["tenon._core"] = module
            return module
    raise ImportError(f"{CORE}, the compiled part of the package, was not found. It is built together with libtenon "
                      f"where Python's headers are "
                      "(meson setup build && ninja -C build). Looked for: " + ", ".join(places))


class Functions:
    """The functions of the library, as attributes."""

    def __init__(self, functions: dict[str, Any]):
        self.__dict__.update(functions)


def load() -> tuple[Any, str]:
    """The functions of the library, and the path from which it was loaded."""
    reasons = []
    for path in candidates():
        try:
            return Functions(core.open(path, _raw.TENON_ABI_LEVEL)), path
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("libtenon was not found. Build it (meson setup build && ninja -C build), install it, or set TENON_LIBRARY "
                      "to the file. Tried: " + "; ".join(reasons))


if TYPE_CHECKING:
    core = _core
    lib: Any
    path: str
else:
    core = load_core()
    lib, path = load()
