"""abi/emit_stub.py: derives __init__.pyi, which type checkers read, from the imports of __init__.py. The module itself
creates its list of public names and its wrappers at import time, which type checkers cannot follow."""
from __future__ import annotations

import ast
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "python" / "tenon"


def _aliases(names: list[ast.alias]) -> str:
    public = [(one.name, one.asname or one.name) for one in names if not (one.asname or one.name).startswith("_")]
    return ", ".join(f"{name} as {as_name}" for name, as_name in public)


def _wrapped(head: str, names: str) -> str:
    if len(head + names) <= 120:
        return head + names
    return head + "(\n" + textwrap.fill(names, 120, initial_indent="    ", subsequent_indent="    ") + ")"


def _dtypes(node: ast.Assign) -> list[str]:
    target = node.targets[0]
    names = [one.id for one in getattr(target, "elts", [target]) if isinstance(one, ast.Name)]
    return [name for name in names if not name.startswith("_")]


def module() -> str:
    """The stub of the package itself."""
    lines = ['"""Derived from __init__.py by abi/generate.py."""', ""]
    dtypes: list[str] = []
    for node in ast.parse((PACKAGE / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            star = [one.name for one in node.names] == ["*"]
            names = "*" if star else _aliases(node.names)
            if names:
                lines.append(_wrapped(f"from .{node.module or ''} import ", names))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "_LATER":
            lines += [f"from . import {name} as {name}" for name in ast.literal_eval(node.value)]
        elif isinstance(node, ast.Assign):
            dtypes += _dtypes(node)
    return "\n".join([*lines, "", *(f"{name}: DType" for name in dtypes), "__version__: str", ""])


OUTPUTS = {"abi/python/tenon/__init__.pyi": module}
