"""abi/emit_cpp.py: the C interface in C++17: enumerations, options, classes of handles, and their functions.

Several parameters in C become one in C++: an address with a length becomes a list; integers become bools and
enumerations; an options struct has no struct_size. Outputs that C writes through pointers are returned.
"""
from __future__ import annotations

import dataclasses
import textwrap
from dataclasses import dataclass, field

from emit_c import NOTE, WIDTH
from model import Enumeration, Field, Function, Model, Opaque, Parameter, Record, Type

# The class of a handle, if it is not named like the handle: array<T, N> of tenon.hpp has a fixed dtype and rank.
CLASSES = {"tenon_array": "dynamic_array"}
# Classes with handwritten members in cxx/members.hpp.
WITH_MEMBERS = frozenset({"tenon_array", "tenon_kernel", "tenon_operation", "tenon_blob", "tenon_stream"})
# Functions that cxx/core.hpp and tenon.hpp wrap by hand: those for references, and those with any number of outputs.
BY_HAND = frozenset({"tenon_get_api", "tenon_handle_kind", "tenon_retain", "tenon_release", "tenon_same",
                     "tenon_gemm_grouped", "tenon_random_split", "tenon_einsum_path"})
KEYWORDS = frozenset("and auto bool case catch char class const default delete do double else enum export false float "
                     "for friend goto if inline int long new not operator or private public register return short "
                     "signed sizeof static struct switch this throw true try typedef union unsigned using virtual void "
                     "volatile while xor".split())


def wrap(first: str, parts: list[str], last: str) -> str:
    """`first`, the parts separated by commas, and `last`: on one line, or with the parts on separate lines."""
    whole = first + ", ".join(parts) + last
    if len(whole) < WIDTH:
        return whole
    indent = " " * (len(first) - len(first.lstrip()) + 4)
    kept = ", ".join(part.replace(" ", "\0") for part in parts) + last.replace(" ", "\0")
    lines = textwrap.fill(kept, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                          break_on_hyphens=False)
    return f"{first}\n{lines}".replace("\0", " ")


def name_of(name: str) -> str:
    return name + "_" if name in KEYWORDS else name


def enumeration_name(item: Enumeration) -> str:
    """fn, op, dtype, status; svd_mode; device_kind; context_flags."""
    name = item.name.lower()
    if item.flags:
        return name.removesuffix("_flag") + "_flags"
    return name if "_" in name or name in ("fn", "op", "dtype", "status") else f"{name}_kind"


def enumeration(item: Enumeration) -> str:
    unsigned = any(c.unsigned for c in item.constants)
    rows = "".join(f"  {name_of(item.short(c).lower().removeprefix('error_'))} = {c.name},\n" for c in item.members)
    name = enumeration_name(item)
    if item.flags:
        rows = "  none = 0,\n" + rows
    text = f"\nenum class {name} : {'u' if unsigned else ''}int32_t {{\n{rows}}};\n"
    if item.flags:
        for sign in "|&":
            text += (f"constexpr {name} operator{sign}({name} a, {name} b) noexcept {{\n"
                     f"  return static_cast<{name}>(static_cast<uint32_t>(a) {sign} static_cast<uint32_t>(b));\n}}\n")
    return text


def enumerations(model: Model) -> str:
    return f"""\
// tenon/cxx/enumerations.hpp: the constants of the C headers as scoped enumerations.
// {NOTE} They are open: a later version of the library may know more values.
#ifndef TENON_CXX_ENUMERATIONS_HPP
#define TENON_CXX_ENUMERATIONS_HPP

#include <tenon/tenon.h>

namespace tenon {{
{"".join(enumeration(e) for e in model.enumerations)}
}} // namespace tenon
#endif
"""


class Names:
    """The C++ names of C types."""

    def __init__(self, model: Model):
        self.enumerations = {e.name: f"tenon::{enumeration_name(e)}" for e in model.enumerations}
        self.classes = {h.name: CLASSES.get(h.name, h.name.removeprefix("tenon_")) for h in model.handles}
        # the structs with a struct_size that calls only read
        read = {p.type.target.name for f in model.functions for p in f.parameters
                if not p.length and p.type.points_at("record") and p.type.target.const}
        self.options = {r.name: r.name.removeprefix("tenon_") for r in model.sized if r.name in read}

    def value(self, item: Parameter | Field, type: Type) -> str:
        """The C++ type of a value."""
        if item.enum or item.flags:
            return self.enumerations[item.enum or item.flags]
        return "bool" if item.yes_no else type.c()


# --- options ---------------------------------------------------------------------------------------------------------

@dataclass
class Member:
    """A field of a C++ struct, and the values that it gives to fields of the C struct."""
    declaration: str
    fills: list[str]


def is_list(item: Field) -> bool:
    """Whether it points to elements that the call reads."""
    return bool(item.length) and not item.length.isdigit() and (item.type.target.const or item.text)


def member(names: Names, record: Record, item: Field) -> Member:
    lengths = [f.length for f in record.fields]
    name = name_of(item.name)
    if item.type.kind == "array":
        scalar = item.type.target.c()
        copies = [f"made.{item.name}[{i}] = {name}[{i}];" for i in range(item.type.count)]
        return Member(f"std::array<{scalar}, {item.type.count}> {name}{{}};", copies)
    if is_list(item):
        sizes = [f"{name_of(f.name)}.size()" for f in record.fields if f.length == item.length]
        size = next(f for f in record.fields if f.name == item.length)
        value = f"static_cast<{size.type.c()}>({sizes[0]})"
        if len(sizes) > 1:
            value = f"detail::count_of<{size.type.c()}>({{{', '.join(sizes)}}})"
        fills = [f"made.{item.name} = {name}.data();"]
        if lengths.index(item.length) == record.fields.index(item):
            fills.append(f"made.{item.length} = {value};")
        return Member(f"std::vector<{dataclasses.replace(item.type.target, const=False).c()}> {name}{{}};", fills)
    if item.type.points_at("opaque") and item.type.target.name in names.classes:
        return Member(f"ref<{item.type.target.name}> {name}{{}};", [f"made.{item.name} = {name}.get();"])
    if item.type.kind != "pointer" and (item.enum or item.flags or item.yes_no):
        value = f"{name} ? 1 : 0" if item.yes_no else f"static_cast<{item.type.c()}>({name})"
        return Member(f"{names.value(item, item.type)} {name}{{}};", [f"made.{item.name} = {value};"])
    return Member(f"{item.type.c()} {name}{{}};", [f"made.{item.name} = {name};"])


def options(names: Names, record: Record) -> str:
    absorbed = {f.length for f in record.fields if is_list(f)}
    members = [member(names, record, f) for f in record.fields
               if f.name != "struct_size" and f.name not in absorbed and not f.reserved]
    declarations = "".join(f"  {m.declaration}\n" for m in members)
    fills = "".join(f"    {line}\n" for m in members for line in m.fills)
    return f"""
// {record.name}
struct {names.options[record.name]} {{
{declarations}
  {record.name} c() const {{
    {record.name} made{{}};
    made.struct_size = sizeof(made);
{fills}    return made;
  }}
}};
"""


# --- functions -------------------------------------------------------------------------------------------------------

@dataclass
class Shape:
    """One function during its translation from C to C++."""
    parameters: list[tuple[str, str]] = field(default_factory=list)  # type and name; the name includes the default
    optional: list[bool] = field(default_factory=list)
    before: list[str] = field(default_factory=list)                  # statements before the call
    arguments: list[str] = field(default_factory=list)               # arguments of the call
    results: list[tuple[str, str]] = field(default_factory=list)     # type and expression
    checks: list[tuple[str, str]] = field(default_factory=list)      # conditions on sizes, and the error message


def class_of(model: Model, names: Names, item: Function) -> str:
    """The handle to whose class the function belongs, or an empty string."""
    owners = [h for h in names.classes if h != "tenon_error" and item.name.startswith(h + "_")]
    return max(owners, key=len, default="")


def lengths_of(item: Function) -> dict[str, list[Parameter]]:
    """Maps a length parameter to the parameters with that length."""
    found: dict[str, list[Parameter]] = {}
    for p in item.parameters:
        if p.length and not p.length.isdigit():
            found.setdefault(p.length, []).append(p)
    return found


def list_type(p: Parameter) -> str:
    if p.type.target.kind == "void":
        return "bytes" if p.type.target.const else "writable_bytes"
    if p.type.target.name == "char":
        return "std::string_view"
    if p.type.target.kind == "pointer":
        return "const arrays&"
    return f"list<{p.type.target.c()}>"


def take_input(names: Names, lengths: dict[str, list[Parameter]], item: Function, p: Parameter, shape: Shape) -> None:
    name = name_of(p.name)
    optional = p.nullable

    def add(type: str, argument: str) -> None:
        shape.parameters.append((type, name))
        shape.optional.append(optional)
        shape.arguments.append(argument)

    if p.name in lengths:  # the length of lists
        lists = [name_of(q.name) + ".size()" for q in lengths[p.name]]
        size = lists[0] if len(lists) == 1 else f"detail::common({{{', '.join(lists)}}})"
        shape.arguments.append(f"detail::number<{p.type.c()}>({size})")
        if len(lists) > 1:
            words = " and ".join(q.name for q in lengths[p.name])
            shape.checks.append((", ".join(lists), f'"{item.slot}: {words} must be of one length"'))
    elif p.length and not p.length.isdigit():
        add(list_type(p), f"{name}.data()")
    elif p.type.points_at("opaque") and p.type.target.name in names.classes:
        add(f"ref<{p.type.target.name}>", f"{name}.get()")
    elif p.text:
        add("text", f"{name}.get()")
    elif p.type.points_at("record") and p.type.target.name == "tenon_arg":
        add("const operand&", f"{name}.get()")
    elif p.type.points_at("record") and p.type.target.name in names.options and p.type.target.const:
        shape.before.append(f"const {p.type.target.name} {p.name}_c = {name}.c();")
        add(f"const tenon::{names.options[p.type.target.name]}&", f"&{p.name}_c")
    elif p.enum or p.flags:
        add(names.value(p, p.type), f"static_cast<{p.type.c()}>({name})")
    elif p.yes_no:
        add("bool", f"{name} ? 1 : 0")
    else:
        add(p.type.c(), name)


def take_output(model: Model, names: Names, p: Parameter, shape: Shape) -> None:
    target, name = p.type.target, p.name.removeprefix("out_")
    if any(taken == name_of(name) for _, taken in shape.parameters):  # an input already has the name
        name = p.name
    local = f"{name}_out"
    if p.inout:
        shape.parameters.append(("const into&", name_of(name)))
        shape.optional.append(True)
        shape.before.append(f"tenon_array* {local} = {name_of(name)}.get();")
        shape.arguments.append(f"{name_of(name)}.wanted() ? &{local} : nullptr" if p.nullable else f"&{local}")
        made = "tenon::dynamic_array"
        shape.results.append((made, f"detail::written<{made}>({local}, {name_of(name)})"))
        return
    shape.arguments.append(f"&{local}")
    if model.is_handle(target):
        made = f"tenon::{names.classes[target.target.name]}"
        shape.before.append(f"{target.c(local)} = nullptr;")
        shape.results.append((made, f"adopt<{made}>({local})"))
    elif target.kind == "record":
        shape.before.append(f"{target.name} {local}{{}};")
        if model.record(target.name).sized:
            shape.before.append(f"{local}.struct_size = sizeof({local});")
        shape.results.append((target.name, local))
    else:
        shape.before.append(f"{target.c(local)}{{}};")
        value = names.value(p, target)
        shape.results.append((value, local if value == target.c() else f"{local} != 0" if value == "bool"
                              else f"static_cast<{value}>({local})"))


def shape_of(model: Model, names: Names, item: Function, own: str) -> Shape:
    shape, lengths = Shape(), lengths_of(item)
    for i, p in enumerate(item.parameters):
        if own and i == 0 and p.type.points_at("opaque") and p.type.target.name == own:
            shape.arguments.append("this->get()")
        elif p.out or p.inout:
            take_output(model, names, p, shape)
        else:
            take_input(names, lengths, item, p, shape)
    return shape


@dataclass
class Written:
    declaration: str  # in its class, or as a free function
    definition: str


def is_method(item: Function, own: str) -> bool:
    first = item.parameters[0].type if item.parameters else None
    return bool(own and first and first.points_at("opaque") and first.target.name == own)


def parameters_text(shape: Shape, defaults: bool) -> list[str]:
    """The parameters; optional ones at the end have a default."""
    count, texts = len(shape.parameters), []
    for i, (type, name) in enumerate(shape.parameters):
        trailing = defaults and all(shape.optional[i:count])
        texts.append(f"{type} {name}" + (" = {}" if trailing else ""))
    return texts


def result_text(item: Function, shape: Shape) -> str:
    """The return value of a function that succeeded."""
    if item.name.endswith("_query"):
        return "bool"
    if not shape.results:
        return "void"
    types = [type for type, _ in shape.results]
    return types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"


def body(item: Function, shape: Shape, result: str) -> str:
    lines = []
    for sizes, said in shape.checks:
        lines.append(f"  if (!detail::agree({{{sizes}}}))")
        lines.append(wrap(f"    return detail::refuse<{result}>(", ["tenon::status::invalid_argument", said], ");"))
    lines += [f"  {line}" for line in shape.before]
    if not item.status:
        lines.append(wrap(f"  {'' if item.result.kind == 'void' else 'return '}{item.name}(", shape.arguments, ");"))
    elif item.name.endswith("_query"):
        lines.append(wrap(f"  return detail::finish_query({item.name}(", shape.arguments, "));"))
    elif not shape.results:
        lines.append(wrap(f"  return detail::finish({item.name}(", shape.arguments, "));"))
    else:
        lines.append(wrap(f"  const int32_t code = {item.name}(", shape.arguments, ");"))
        values = [value for _, value in shape.results]
        if len(values) == 1:
            lines.append(wrap("  return detail::finish(code, [&] { return ", values, "; });"))
        else:
            lines.append("  return detail::finish(code, [&] {\n" + wrap("    return std::make_tuple(", values, ");")
                         + "\n  });")
    return "".join(f"{line}\n" for line in lines)


def written(model: Model, names: Names, item: Function) -> Written:
    own = class_of(model, names, item)
    method = is_method(item, own)
    shape = shape_of(model, names, item, own)
    name = name_of(item.name.removeprefix(own + "_") if own else item.slot)
    result = result_text(item, shape)
    returned = f"outcome<{result}>" if item.status else item.result.c()
    const = " const" if method else ""
    head = f"{'static ' if own and not method else ''}{returned} {name}("
    note = f"// {item.name} ({item.header})\n"
    declaration = "  " + note + wrap("  " + head, parameters_text(shape, True), f"){const};") + "\n"
    scope = f"{names.classes[own]}::" if own else ""
    head = f"inline {returned} {scope}{name}("
    definition = wrap(head, parameters_text(shape, not own), f"){const} {{") + "\n" + body(item, shape, result) + "}\n"
    return Written(declaration, (definition if own else note + definition))


def traits(item: Opaque) -> str:
    return (f"template <>\nstruct handle_traits<{item.name}> {{\n"
            f"  static int32_t retain({item.name}* object) noexcept {{ return {item.name}_retain(object); }}\n"
            f"  static void release({item.name}* object) noexcept {{ {item.name}_release(object); }}\n}};\n")


def handle_class(names: Names, item: Opaque, methods: list[Written]) -> str:
    name = names.classes[item.name]
    bases = f"public handle<{item.name}>"
    if item.name in WITH_MEMBERS:
        bases += f", public detail::{item.name.removeprefix('tenon_')}_members<{name}>"
    body = "".join(m.declaration for m in methods)
    return f"""
// {item.name}
class {name} : {bases} {{
 public:
  using adopting = handle<{item.name}>::owned;
  using handle<{item.name}>::handle;
  {name}(adopting, {item.name}* object) noexcept : handle<{item.name}>(adopting{{}}, object) {{}}
{body}}};
"""


def functions(model: Model) -> str:
    names = Names(model)
    counted = {f"{h.name}_{verb}" for h in model.handles for verb in ("retain", "release")}
    items = [f for f in model.functions if f.name not in counted | BY_HAND and not f.name.startswith("tenon_error_")]
    methods: dict[str, list[Written]] = {}
    for item in items:
        methods.setdefault(class_of(model, names, item), []).append(written(model, names, item))
    handles = [h for h in model.handles if h.name != "tenon_error"]
    forwards = "".join(f"class {names.classes[h.name]};\n" for h in handles)
    return f"""\
// tenon/cxx/functions.hpp: options, classes of handles, and all functions of the C headers in C++.
// {NOTE}
//
// The C headers document every function; the comment above a declaration names the C function. Parameters are its
// inputs, options and stream; its outputs are returned, several as a std::tuple. A parameter of type `into` takes the
// array that receives a result. Write options with designated initialisers (C++20), or set their fields one by one:
// tenon::svd(a, {{.mode = tenon::svd_mode::economy}}).
#ifndef TENON_CXX_FUNCTIONS_HPP
#define TENON_CXX_FUNCTIONS_HPP

#include <tenon/cxx/argument.hpp>
#include <tenon/cxx/core.hpp>
#include <tenon/cxx/members.hpp>

#include <array>

namespace tenon {{
inline namespace TENON_CXX_MODE {{

{"".join(traits(h) for h in handles)}
{forwards}{"".join(options(names, r) for r in model.sized if r.name in names.options)}
{"".join(handle_class(names, h, methods.get(h.name, [])) for h in handles)}
{"".join(m.definition for h in handles for m in methods.get(h.name, []))}
{"".join(m.definition for m in methods[""])}
}} // namespace TENON_CXX_MODE
}} // namespace tenon
#endif
"""
