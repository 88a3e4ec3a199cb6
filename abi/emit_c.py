"""abi/emit_c.py: what the C and C++ side derives: struct tenon_api, its contents, status names, symbols, version script."""
from __future__ import annotations

from model import Model

NOTE = "Derived from the headers by abi/generate.py."


def wrap(first: str, parts: list[str], width: int = 120) -> str:
    """`first`, then the parts separated by commas, continued under the end of `first`."""
    lines, line = [], first
    for i, part in enumerate(parts):
        piece = part + ("," if i + 1 < len(parts) else "")
        if len(line) + len(piece) + 1 > width and line.strip():
            lines.append(line.rstrip())
            line = " " * len(first)
        line += piece + " "
    return "\n".join(lines + [line.rstrip()])


def api_header(model: Model) -> str:
    rows = []
    for level in model.levels:
        rows.append(f"  /* Level {level.name}. */")
        for name in level.names:
            function = model.function(name)
            parameters = [p.type.c(p.name) for p in function.parameters] or ["void"]
            rows.append(wrap(f"  {function.result.c()} (*{function.slot})(", parameters).rstrip() + ");")
    includes = "\n".join(f"#include <tenon/{name}>" for name in model.headers)
    return f"""\
/* tenon/api.h: every function in one table, for plugins and for programs that open the library at run time.
 *
 * {NOTE} Rows are only ever appended: a row may be used when
 * struct_size reaches past it. What the functions do is said in the header that declares them.
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


def symbols(model: Model) -> str:
    return "".join(f"{name}@@TENON_{level.name}\n" for level in model.levels for name in sorted(level.names))


def version_script(model: Model) -> str:
    text, before = f"/* {NOTE} One node per ABI level; a node is never renamed. */\n", ""
    for level in model.levels:
        names = "".join(f"    {name};\n" for name in sorted(level.names))
        rest = "" if before else "  local:\n    *;\n"
        text += f"TENON_{level.name} {{\n  global:\n{names}{rest}}}{before};\n"
        before = f" TENON_{level.name}"
    return text
