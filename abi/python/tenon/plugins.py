"""Loads packages of kernels, whose operations are then in tenon.ops:

    tenon.plugins.load("kernels/elementwise")
    y = tenon.ops.elementwise.sigmoid(x)
"""

import builtins as _builtins

from ._plugins import BoundOperation, Operation, Package, find, load, load_bytes, load_text, new_signing_key, pack, public_key, sign
from ._plugins import check_package as check
from ._plugins import packages as list

__all__ = ["BoundOperation", "Operation", "Package", "check", "find", "list", "load", "load_bytes", "load_text",
           "new_signing_key", "pack", "public_key", "sign"]


def __dir__() -> _builtins.list[str]:
    return __all__
