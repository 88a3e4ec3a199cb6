"""abi/emit_functions.py: derives from src/functions/table.py the C enumeration, the library's table, the CPU device's
instances and Python's functions."""
from __future__ import annotations

import importlib.util
import sys
import textwrap
from pathlib import Path

from emit_c import WIDTH, wrap

ROOT = Path(__file__).resolve().parent.parent
NOTE = "Derived from src/functions/table.py (abi/README.md)."

# Kinds of table.py -> the types of instances: the C++ type, and the enumerator in backend/cpu/copy_loops.hpp.
TYPES = {
    "b": (("bool", "kBool"),),
    "i": (("signed char", "kI8"), ("short", "kI16"), ("int", "kI32"), ("long long", "kI64")),
    "u": (("unsigned char", "kU8"), ("unsigned short", "kU16"), ("unsigned int", "kU32"),
          ("unsigned long long", "kU64")),
    "f": (("float", "kF32"), ("double", "kF64")),
    "c": (("complex<float>", "kC64"), ("complex<double>", "kC128")),
}
CXX = dict(zip((f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)),
               (type for kind in "iu" for type, _ in TYPES[kind])))
WIDE = {"i": TYPES["i"][-1:], "u": TYPES["u"][-1:]}  # integers are summed in 64 bits


def table():
    spec = importlib.util.spec_from_file_location("functions_table", ROOT / "src/functions/table.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.ROWS


ROWS = table()


def header() -> str:
    groups = {"unary": "One operand: tenon_unary.", "binary": "Two operands: tenon_binary.",
              "reduction": "tenon_reduce.", "scan": "tenon_accumulate."}
    lines = []
    for kind, title in groups.items():
        lines += ["", f"/* {title} */"]
        lines += [defined(row) for row in ROWS if row.kind == kind and row.public]
    return f"""\
/* tenon/functions.h: the codes of the functions that compute.h applies to arrays.
 * {NOTE}
 *
 * The letters in brackets list the kinds of dtypes that a function is computed in: b bool, i signed and u unsigned
 * integers, f floating point, c complex. If only f or c is listed, integers and bool are converted to float64. Unless
 * a comment says otherwise, the result has the operands' dtype; comparisons and tests give bool, and the parts of
 * complex numbers have the corresponding real dtype.
 *
 * "On the CPU within 1 ulp" bounds the error of the CPU device in units in the last place of the exact result; float16
 * and bfloat16 are computed in float32 and rounded once. There the result for an element depends only on the operands:
 * not on the processor, the number of threads, or the element's position.
 */
#ifndef TENON_FUNCTIONS_H
#define TENON_FUNCTIONS_H

#include <tenon/abi.h>
{chr(10).join(lines)}

#endif
"""


def defined(row) -> str:
    first = f"#define TENON_FN_{row.name} {row.code} /* "
    return filled(f"[{row.takes}] {row.doc}", first, " " * len(first), WIDTH - len(" */")) + " */"


def filled(text: str, first: str, rest: str, width: int = WIDTH) -> str:
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                         break_on_hyphens=False)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def rows() -> str:
    out = [f"// {NOTE}"]
    for row in sorted(ROWS, key=lambda row: row.code):
        bodies = [quoted(row.body_of(kind)) if kind in row.takes else "nullptr" for kind in "biufc"]
        out.append(wrap("{", [str(row.code), quoted(row.lower), f"FunctionKind::{row.kind}", quoted(row.takes),
                              result_dtype(row), "{" + bodies[0], *bodies[1:-1], bodies[-1] + "}",
                              quoted(row.identity)], "},"))
    return "\n".join(out) + "\n"


def result_dtype(row) -> str:
    return {"same": "kSame", "real": "kReal"}.get(row.result, f"TENON_{row.result.upper()}")


def result_type(row, kind: str, type: str) -> str:
    if row.result == "real" and kind == "c":
        return type.removeprefix("complex<").removesuffix(">")
    if row.result in ("same", "real"):
        return type
    return "bool" if row.result == "bool" else CXX[row.result]


def instances(simd: bool) -> str:
    """BODY(name, text) once for each text, then INSTANCE rows."""
    bodies, lines = [], []
    for row in sorted(ROWS, key=lambda row: row.code):
        if row.simd != simd or not any(row.body.values()):
            continue
        names = {}
        for kinds, text in row.body.items():
            names[kinds] = f"Fn{row.code}{kinds}"
            operands = {"unary": "ONE", "binary": "TWO", "ternary": "CLIP" if row.name == "CLIP" else "SELECT",
                        "reduction": "PAIR", "scan": "PAIR"}[row.kind]
            bodies.append(wrap(f"BODY_{operands}(", [f"Fn{row.code}{kinds}", text], ")"))
        for kind in row.takes:
            name = next(name for kinds, name in names.items() if kind in kinds)
            types = WIDE.get(kind, TYPES[kind]) if row.identity in ("(T)0", "(T)1") else TYPES[kind]
            for type, enumerator in types:
                result = result_type(row, kind, type)
                lines.append(f"{row.name if row.kind == 'ternary' else row.kind.upper()}({row.code}, {enumerator}, "
                             f"{name}, WRAP({result}), WRAP({type}))")
    return f"// {NOTE}\n#if defined(BODIES)\n" + "\n".join(bodies) + "\n#else\n" + "\n".join(lines) + "\n#endif\n"


def python() -> str:
    out = [f'"""The functions of the table. {NOTE}"""', "", "from __future__ import annotations", "",
           "from typing import Any", "",
           "from . import _raw", "from ._array import Array", "from ._compute import binary, unary", "",
           "__all__ = ["]
    public = [row for row in ROWS if row.public and row.kind in ("unary", "binary")]
    names = [name for row in public for name in (row.python_name, *row.aliases)]
    line = "   "
    for name in names:
        if len(line) + len(name) + 4 > 120:
            out.append(line)
            line = "   "
        line += f' "{name}",'
    out += [line, "]"]
    for row in public:
        operands = "x: Any" if row.kind == "unary" else "x1: Any, x2: Any"
        given = "x" if row.kind == "unary" else "x1, x2"
        signature = f"{row.python_name}({operands}, /, *, out: Any = None, stream: Any = None) -> Array"
        out += ["", "", f"def {signature}:",
                *docstring(row), f"    return {row.kind}(_raw.TENON_FN_{row.name}, {given}, out, stream)"]
    out += ["", ""]
    out += [f"{alias} = {row.python_name}" for row in public for alias in row.aliases]
    return "\n".join(out) + "\n"


def docstring(row) -> list[str]:
    kinds = {"b": "bool", "i": "signed integers", "u": "unsigned integers", "f": "floating-point", "c": "complex"}
    takes = ", ".join(kinds[kind] for kind in row.takes)
    result = " The result is bool." if row.result == "bool" else ""
    return [filled(row.doc, '    """', "    "), "", f"    Computed in: {takes}.{result}", '    """']


OUTPUTS = {
    "abi/python/tenon/_functions.py": python,
}
