"""abi/emit_stub.py: derives __init__.pyi, which type checkers read, and _names.py, by which the package imports a name
when it is first used, from the imports of __init__.py, which only type checkers make."""
from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import emit_functions

PACKAGE = Path(__file__).resolve().parent / "python" / "tenon"


def _aliases(names: list[ast.alias]) -> str:
    public = [(one.name, one.asname or one.name) for one in names if not (one.asname or one.name).startswith("_")]
    return ", ".join(f"{name} as {as_name}" for name, as_name in public)


def _wrapped(head: str, names: str) -> str:
    if len(head + names) <= 120:
        return head + names
    return head + "(\n" + textwrap.fill(names, 120, initial_indent="    ", subsequent_indent="    ") + ")"


def _body() -> list[ast.stmt]:
    return ast.parse((PACKAGE / "__init__.py").read_text()).body


def _imports() -> list[ast.ImportFrom]:
    """The imports that a type checker sees."""
    block = next(node for node in _body() if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING")
    return [node for node in block.body if isinstance(node, ast.ImportFrom)]


def _listed(body: list[ast.stmt], name: str) -> tuple[str, ...]:
    """The texts that a module assigns to a name."""
    assigned = next(node.value for node in body if isinstance(node, ast.Assign)
                    and getattr(node.targets[0], "id", "") == name)
    return tuple(ast.literal_eval(assigned))


def _names(node: ast.ImportFrom) -> tuple[str, ...]:
    names = tuple(one.name for one in node.names)
    if names != ("*",):
        return names
    return _listed(ast.parse(emit_functions.OUTPUTS[f"abi/python/tenon/{node.module}.py"]()).body, "__all__")


def stub() -> str:
    """The package as type checkers see it."""
    lines = ['"""Derived from __init__.py by abi/generate.py."""', ""]
    for node in _imports():
        star = [one.name for one in node.names] == ["*"]
        lines.append(_wrapped(f"from .{node.module or ''} import ", "*" if star else _aliases(node.names)))
    later, dtypes = (_listed(_body(), name) for name in ("_LATER", "_DTYPES"))
    lines += [f"from . import {name} as {name}" for name in later]
    return "\n".join([*lines, "", *(f"{name}: DType" for name in dtypes), "__version__: str", "", "", "def load_ipython_extension(shell: object) -> None: ...", ""])


def names() -> str:
    """The names of the package by module, for its imports at first use."""
    lines = ['"""The names of the package, by the module that has them; "." has modules. Derived from __init__.py by '
             'abi/generate.py."""', "", "MODULES = {"]
    for node in _imports():
        text = ", ".join(f'"{name}"' for name in _names(node)) + ","
        lines += [f'    "{node.module or "."}": (', textwrap.fill(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 8), "    ),"]
    return "\n".join([*lines, "}", ""])


OUTPUTS = {"abi/python/tenon/__init__.pyi": stub, "abi/python/tenon/_names.py": names}
