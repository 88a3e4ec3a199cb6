"""What torch.compile does with calls of Tenon's functions and operations: those that PyTorch can trace (_torch_traced)
become nodes of its graphs.

torch._dynamo, which has to be told, takes seconds to import and is imported when a program compiles something for the
first time. Until then the functions are remembered here."""

from __future__ import annotations

import sys
import weakref
from typing import Any
from collections.abc import Callable

NAME = "torch._dynamo"

_waiting: weakref.WeakSet[Any] | None = weakref.WeakSet()  # None: torch._dynamo is there
_packages: weakref.WeakSet[Any] = weakref.WeakSet()


def allow(function: Callable[..., Any]) -> None:
    """Calls of the function are nodes of PyTorch's graphs; torch.compile does not look into it."""
    if _waiting is None:
        sys.modules[NAME].allow_in_graph(function)
    else:
        _waiting.add(function)


def fill(package: Any) -> None:
    """Makes the package's operations its attributes, as which torch.compile finds them."""
    if _waiting is None:
        package._fill()
    else:
        _packages.add(package)


def constant(function: Any) -> Any:
    """torch.compile calls the function while it traces, with arguments that are constants, and the result is one."""
    function._dynamo_marked_constant = True
    return function


def refuse(function: Any, reason: str) -> None:
    """Calls of the function are left to Python: PyTorch's graph ends there, or, with fullgraph=True, the reason is its
    error."""
    function._torchdynamo_disable = True
    function._torchdynamo_disable_msg = reason


def _tell() -> None:
    global _waiting
    waiting, _waiting = _waiting or (), None
    sys.modules[f"{NAME}.trace_rules"].add("tenon")  # nothing else of the package is looked into
    for function in tuple(waiting):
        allow(function)
    for package in tuple(_packages):
        package._fill()


class _Finder:
    """Tells torch._dynamo right after its import, which the finders behind this one do."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> Any:
        if name != NAME:
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(cls)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                run(module)
                _tell()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


if hasattr(sys.modules.get(NAME), "allow_in_graph"):
    _tell()
else:
    sys.meta_path.insert(0, _Finder)
