"""abi/emit_tests.py: derives tests from the headers: a layout snapshot per level, and a row of properties per
function."""
from __future__ import annotations

from collections.abc import Iterator

from emit_c import NOTE, wrap
from levels import CHANGING, level_value
from model import Field, Function, Level, Model, Parameter, Record


def layout(model: Model, level: Level) -> str:
    """A C11 program that only compiles with headers that are compatible with `level`, and that checks the table."""
    known = model.levels[:model.levels.index(level) + 1]
    functions = [model.function(name) for one in known for name in one.names]
    lines = [f"IS({c.name} == {c.literal});" for c in model.constants if not c.name.startswith(CHANGING)]
    for record in model.records:
        lines += ["", *of_record(model, record)]
    lines.append("")
    for index, function in enumerate(functions):
        lines.append(f"IS(offsetof(tenon_api, {function.slot}) == {8 + 8 * index});")
        lines.append(wrap(f"TYPE(&{function.name}, ", pieces(function), ");"))
        lines.append(wrap(f"TYPE(((tenon_api*)0)->{function.slot}, ", pieces(function), ");"))
    rows = "".join(wrap("  check(", [f'"{f.name}"', f"(function*)api->{f.slot}", f"(function*){f.name}"], ");") + "\n"
                   for f in functions)
    return f"""\
/* The promises of ABI level {level.name}, checked for ever: constants, layouts, prototypes and, when run, the table's rows.
 *
 * {NOTE} Once the level is released this file is never written again: a new level
 * only appends. A program built from it against an old library is also an old client to try with a new library.
 */
#include <tenon/tenon.h>

#include <stddef.h>
#include <stdio.h>

#define IS(fact) _Static_assert(fact, #fact)
#define TYPE(expression, ...) IS(_Generic((expression), __VA_ARGS__: 1, default: 0))
#define FIELD(record, field, at, bytes) \\
  IS(offsetof(record, field) == at);    \\
  IS(sizeof(((record*)0)->field) == bytes)

{chr(10).join(lines)}

typedef void function(void);
static int wrong = 0;

static void check(const char* name, function* row, function* exported) {{
  if (row == exported) return;
  printf("the table's row of %s is another function\\n", name);
  wrong++;
}}

int main(void) {{
  const tenon_api* api = tenon_get_api(0x{level_value(level.name):08x}u);
  if (!api || api->struct_size < {8 + 8 * len(functions)} || api->abi_level < 0x{level_value(level.name):08x}u) {{
    printf("the table of this library is older than level {level.name}\\n");
    return 1;
  }}
  if (tenon_get_api(0x{newest(level):08x}u) != api) {{
    printf("a newer caller does not get the table there is\\n");
    return 1;
  }}
  if (tenon_get_api(0x{newest(level) + 1:08x}u)) {{
    printf("a caller of another major version gets this one's table\\n");
    return 1;
  }}
{rows}  printf("%d of {len(functions)} rows are wrong\\n", wrong);
  return wrong != 0;
}}
"""


def newest(level: Level) -> int:
    """The highest possible level with this major version."""
    return level_value(level.name) | 0xffff


def pieces(function: Function) -> list[str]:
    """The pieces of a function pointer type, to be joined by commas."""
    parts = [p.type.c() for p in function.parameters] or ["void"]
    parts[0] = f"{function.result.c()} (*)({parts[0]}"
    parts[-1] += ")"
    return parts


def of_record(model: Model, record: Record) -> Iterator[str]:
    if record.nested_in:
        return
    # A struct with a struct_size may grow at the end.
    yield f"IS(sizeof({record.name}) {'>=' if record.sized else '=='} {record.size});"
    yield f"IS(_Alignof({record.name}) == {record.align});"
    for field in record.fields:
        yield f"FIELD({record.name}, {field.name}, {field.offset}, {field.size});"
        if field.type.name == f"{record.name}_{field.name}":
            for member in model.record(field.type.name).fields:
                yield f"FIELD({record.name}, {field.name}.{member.name}, {field.offset + member.offset}, {member.size});"
                yield f"TYPE(&(({record.name}*)0)->{field.name}.{member.name}, {member.type.c('(*)')});"
        else:
            yield f"TYPE(&(({record.name}*)0)->{field.name}, {field.type.c('(*)')});"


def snapshot(model: Model, level: Level) -> str:
    """The types and functions of `level` as C without Tenon's headers: one of the two sides that abidiff compares."""
    known = [name for one in model.levels[:model.levels.index(level) + 1] for name in one.names]
    functions = [model.function(name) for name in known]
    lines = []
    for opaque in model.opaques:
        lines.append(f"struct {opaque.name};" if opaque.tagged else f"typedef struct {opaque.name} {opaque.name};")
    records = [r for r in model.records if not r.nested_in]
    lines += [f"typedef {'union' if r.union else 'struct'} {r.name} {r.name};" for r in records] + [""]
    for callback in model.callbacks:
        parts = [p.type.c(p.name) for p in callback.parameters] or ["void"]
        lines.append(wrap(f"typedef {callback.result.c()} (*{callback.name})(", parts, ");"))
    for record in records:
        lines += ["", *definition(model, record)]
    lines.append("")
    for function in functions:
        parts = [p.type.c(p.name) for p in function.parameters] or ["void"]
        lines.append(wrap(f"{function.result.c(function.name)}(", parts, ") { ABSENT }"))
    return f"""\
/* The types and functions of ABI level {level.name}: with debug information, what abidiff compares today's headers with.
 *
 * {NOTE} Once the level is released this file is never written again. */
#include <stdint.h>

#define ABSENT __builtin_trap();

{chr(10).join(lines)}
"""


def definition(model: Model, record: Record, indent: str = "", name: str = "") -> list[str]:
    """The definition of a struct; `name` is the field of an unnamed struct."""
    lines = [f"{indent}{'union' if record.union else 'struct'} {'' if name else record.name + ' '}{{"]
    for field in record.fields:
        if field.type.name == f"{record.name}_{field.name}":
            lines += definition(model, model.record(field.type.name), indent + "  ", field.name)
        else:
            lines.append(f"{indent}  {field.type.c(field.name)};")
    return [*lines, f"{indent}}} {name};".replace("} ;", "};")]


# Rows for tests/abi/bad_input.cpp.

def shape_of(model: Model, parameter: Parameter) -> tuple[str, str, str]:
    """A parameter's description for the test: its class, the relevant type, and the size of the object it points to."""
    type = parameter.type
    if type.kind == "callback":
        return "callback", "", "0"
    if type.kind != "pointer":
        return "scalar", type.name, f"sizeof({type.name})"
    target = type.target
    if parameter.inout:
        return "inout_handle", target.target.name, "sizeof(void*)"
    if parameter.out:
        if target.points_at("opaque"):
            return "out_handle", target.target.name, "sizeof(void*)"
        kind = "out_record" if target.kind == "record" else "out_value"
        return kind, target.name, f"sizeof({target.c()})"
    if parameter.any_handle:
        return "any_handle", "tenon_array", "0"  # an element of a list
    if target.kind == "opaque":
        return ("handle" if model.is_handle(type) else "foreign"), target.name, "0"
    if target.kind == "record":
        sized = model.record(target.name).sized
        return ("options" if sized else "record"), target.name, f"sizeof({target.name})"
    if parameter.text:
        return "text", "", "0"
    return "memory", "", "0"


def takes(item: Parameter | Field) -> str:
    """The values that a number can have, and their enumeration."""
    kind = ("nothing" if getattr(item, "reserved", False) else "constants" if item.enum else "bits" if item.flags else
            "yes_no" if item.yes_no else "anything")
    return f'Takes::{kind}, "{item.enum or item.flags}"'


def function_row(model: Model, function: Function) -> str:
    lines = []
    lengths = {p.length for p in function.parameters}
    for parameter in function.parameters:
        kind, type, size = shape_of(model, parameter)
        need = "nullable" if parameter.nullable or kind == "scalar" else "required"
        rest = f", {takes(parameter)}" if kind == "scalar" and "anything" not in takes(parameter) else ""
        if parameter.name in lengths:  # the length of a list must not exceed it
            rest = ', Takes::count, ""'
        facts = [f'"{parameter.name}"', f"Class::{kind}", f'"{type}"', size, need + rest]
        lines.append(wrap("     {", facts, "},") + "\n")
    arguments = [f"a.at<{p.type.c()}>({i})" for i, p in enumerate(function.parameters)]
    call = wrap(f"    }}, [](const Arguments& a) {{ {'return ' if function.status else ''}{function.name}(", arguments,
                f"); {'' if function.status else 'return int32_t{TENON_OK}; '}}}}},")
    verb = "release" if function.name.endswith("_release") else "retain" if function.name.endswith("_retain") else "call"
    return f'    {{"{function.name}", Verb::{verb}, {{\n{"".join(lines)}{call}\n'


def struct_row(model: Model, record: Record) -> str:
    """The fields with restricted values."""
    lines = []
    lengths = {f.length for f in record.fields}
    for field in record.fields:
        count = next((f for f in record.fields if f.name == field.length), None)
        if field.name == "struct_size":
            continue
        if field.type.kind == "scalar":
            kind = 'Takes::count, ""' if field.name in lengths else takes(field)
            lines.append(f'     {{"{field.name}", {field.offset}, {kind}, 0, "{field.type.name}"}},\n')
        elif count and field.type.kind == "pointer":
            lines.append(f'     {{"{field.name}", {field.offset}, Takes::list, "{count.name}", {count.offset}}},\n')
        elif model.is_handle(field.type):
            lines.append(f'     {{"{field.name}", {field.offset}, Takes::handle, "", 0, "{field.type.target.name}"}},\n')
    return f'    {{"{record.name}", {{{", ".join(map(str, model.sizes(record)))}}}, {{\n{"".join(lines)}    }}}},\n'


def function_rows(model: Model) -> str:
    """Every function that takes a pointer, and every handle type with its release function."""
    # tenon_release accepts handles of every kind, so the rules for release functions of one kind do not apply to it.
    functions = [f for f in model.functions if any(p.type.kind == "pointer" for p in f.parameters)
                 and f.name != "tenon_release"]
    structs = "".join(struct_row(model, r) for r in model.sized)
    values = "".join(wrap(f'    {{"{e.name}", {{', [str(c.value) for c in e.constants], "}},") + "\n"
                     for e in model.enumerations)
    rows = "".join(function_row(model, f) for f in functions)
    kinds = "".join(f'    {{"{h.name}", [](void* h) {{ {h.name}_release(static_cast<{h.name}*>(h)); }},\n'
                    f'     [](void* h) {{ return {h.name}_retain(static_cast<{h.name}*>(h)); }}}},\n' for h in model.handles)
    return (f"// {NOTE}\nconst std::map<std::string, std::vector<int64_t>> enumerations = {{\n{values}}};\n\n"
            f"const std::vector<Struct> structs = {{\n{structs}}};\n\n"
            f"const std::vector<HandleType> handle_types = {{\n{kinds}}};\n\n"
            f"const std::vector<Function> functions = {{\n{rows}}};\n")
