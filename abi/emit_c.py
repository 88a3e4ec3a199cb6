"""abi/emit_c.py: derives the C and C++ parts: struct tenon_api and its contents, status names, symbols, version
script."""
from __future__ import annotations

import re
import textwrap

from levels import level_value
from model import Model

NOTE = "Derived from the headers (abi/README.md)."


WIDTH = 120  # maximum columns per line


def wrap(first: str, parts: list[str], last: str = "") -> str:
    """`first`, the parts separated by commas, and `last`; continuation lines are aligned with the end of `first`."""
    lines, line = [], first
    for i, part in enumerate(parts):
        piece = part + ("," if i + 1 < len(parts) else last)
        if len(line) + len(piece) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = " " * len(first)
        line += piece + " "
    return "\n".join(lines + [line.rstrip()]) + ("" if parts else last)


def fill(text: str, indent: str = "", width: int = WIDTH) -> list[str]:
    """The lines of a comment, indented; paragraphs and list items with a line that is too long are rewrapped."""
    lines = []
    for paragraph in re.split(r"\n(?=\n| |-)", text):
        own = paragraph.splitlines()
        if any(len(indent + line) > width for line in own):
            own = textwrap.wrap(" ".join(own), width - len(indent), break_long_words=False, break_on_hyphens=False)
        lines += [(indent + line).rstrip() for line in own] or [indent.rstrip()]
    return lines


def noted(line: str, doc: str) -> str:
    """A line with a comment in Python or Julia: at its end, or above it if the line would be too long."""
    whole = f"{line}  # {doc}" if doc else line
    above = fill(doc, line[:len(line) - len(line.lstrip())] + "# ") if len(whole) > WIDTH else []
    return "\n".join([*above, line] if above else [whole]) + "\n"


def api_header(model: Model) -> str:
    rows = []
    for level in model.levels:
        rows.append(f"  /* Level {level.name}. */")
        if level is not model.levels[0]:
            rows.append(f"#if TENON_TARGET_LEVEL >= 0x{level_value(level.name):08x}u")
        for name in level.names:
            function = model.function(name)
            parameters = [p.type.c(p.name) for p in function.parameters] or ["void"]
            rows.append(wrap(f"  {function.result.c()} (*{function.slot})(", parameters, ");"))
        if level is not model.levels[0]:
            rows.append("#endif")
    includes = "\n".join(f"#include <tenon/{name}>" for name in model.headers)
    return f"""\
/* tenon/api.h: every function in one table, for plugins and for programs that open the library at run time.
 *
 * {NOTE} Rows are only ever appended. The rows of
 * TENON_TARGET_LEVEL (abi.h) are declared here; TENON_HAS tells whether the table of the loaded library has a row. The
 * header that declares a function documents it.
 */
#ifndef TENON_API_H
#define TENON_API_H

{includes}

#ifdef __cplusplus
extern "C" {{
#endif

struct tenon_api {{
  uint32_t struct_size; /* bytes of the table of the library that is loaded */
  uint32_t abi_level;   /* TENON_ABI_LEVEL of that library */
{chr(10).join(rows)}
}};

#ifdef __cplusplus
}}
#endif
#endif
"""


def table_rows(model: Model) -> str:
    return f"// {NOTE}\n" + "".join(f".{f.slot} = {f.name},\n" for f in model.functions)


def status_rows(model: Model) -> str:
    names = [c.name for c in model.constants if c.name == "TENON_OK" or c.name.startswith("TENON_ERROR_")]
    return f"// X(name) for every status. {NOTE}\n" + "".join(f"X({name})\n" for name in names)


def version_script(model: Model) -> str:
    text, before = f"/* {NOTE} One node per ABI level that adds functions; a node is never renamed. */\n", ""
    for level in model.levels:
        if not level.names:
            continue
        names = "".join(f"    {name};\n" for name in sorted(level.names))
        rest = "" if before else "  local:\n    *;\n"
        text += f"TENON_{level.name} {{\n  global:\n{names}{rest}}}{before};\n"
        before = f" TENON_{level.name}"
    return text


def struct_facts(model: Model) -> str:
    """For each struct with a struct_size: its sizes at the ABI levels, and the offsets of its reserved fields."""
    text = f"// {NOTE}\n"
    for record in model.sized:
        sizes = model.sizes(record)
        reserved = [f.offset for f in record.fields if f.reserved]
        text += (f"template <> struct Sized<{record.name}> {{\n"
                 f"  static constexpr const char* name = \"{record.name}\";\n"
                 f"  static constexpr std::array<uint32_t, {len(sizes)}> sizes{{{', '.join(map(str, sizes))}}};\n"
                 f"  static constexpr std::array<uint32_t, {len(reserved)}> "
                 f"reserved{{{', '.join(map(str, reserved))}}};\n}};\n")
    return text


def handle_rows(model: Model) -> str:
    """X(type, constant) for every handle type."""
    return f"// {NOTE}\n" + "".join(f"X({h.name}, {h.constant})\n" for h in model.handles)
