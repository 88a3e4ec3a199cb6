"""abi/rules.py: the rules for declarations from which bindings and tests can be derived. Returns the violations."""
from __future__ import annotations

from collections.abc import Iterator

from model import Enumeration, Field, Function, Model, Parameter, Record

RESULTS = {"int32_t", "uint32_t"}
# Constants that are plain numbers; all others belong to an enumeration.
NUMBERS = {"TENON_VERSION_MAJOR", "TENON_VERSION_MINOR", "TENON_VERSION_PATCH", "TENON_ABI_LEVEL", "TENON_MAX_RANK"}
# Parameters and fields with these names take constants, and must name their enumeration.
ENUMERATED = {"kind", "mode", "flags", "driver", "role"}


def faults(model: Model) -> list[str]:
    found = [f"{function.name}: {fault}" for function in model.functions for fault in of_function(model, function)]
    for opaque in model.opaques:
        if opaque.name.startswith("tenon_") and opaque.name != "tenon_api":
            for verb in ("retain", "release"):
                if not model.function(f"{opaque.name}_{verb}"):
                    found.append(f"{opaque.name}: a handle type has a function {opaque.name}_{verb}")
            retain = model.function(f"{opaque.name}_retain")
            if retain and not retain.parameters[0].type.c().startswith("const "):
                found.append(f"{retain.name}: its parameter is const, so that holders of const handles need no cast")
    found += [f"{e.name}: {fault}" for e in model.enumerations for fault in of_enumeration(model, e)]
    found += constants_without_one(model)
    found += [f"{o.name}: tenon_handle_kind needs a constant {o.constant} in handle.h" for o in model.handles
              if all(c.name != o.constant for c in model.constants)]
    found += [f"{r.name}.{f.name}: {fault}" for r in model.records for f in r.fields for fault in of_field(model, r, f)]
    found += [f"{record.name}.{field.name}: a public struct has no padding before {field.name}"
              for record in model.records if not record.union
              for before, field in zip(record.fields, record.fields[1:]) if before.offset + before.size != field.offset]
    return found


def of_enumeration(model: Model, enumeration: Enumeration) -> Iterator[str]:
    values = [c.value for c in enumeration.constants]
    if not values:
        yield f"TENON_ENUM or TENON_FLAGS names it, and there is no constant {enumeration.prefix}*"
    if len(set(values)) != len(values):
        yield "two of its constants have the same value"
    if sum(other.name == enumeration.name for other in model.enumerations) > 1:
        yield "is named by TENON_ENUM and by TENON_FLAGS: its constants are values or bits, not both"
    if enumeration.flags:
        yield from (f"{c.name} is no single bit, written as 4u" for c in enumeration.constants
                    if c.value & (c.value - 1) or c.value == 0 or not c.unsigned)
    for other in model.enumerations:
        if other.prefix != "TENON_" != enumeration.prefix and other.prefix.startswith(enumeration.prefix) \
                and other is not enumeration:
            yield (f"its prefix {enumeration.prefix} begins that of {other.name}: "
                   f"a constant must tell by its name which it is of")
    if len({c.header for c in enumeration.constants}) > 1:
        yield "its constants are spread over several headers"


def constants_without_one(model: Model) -> Iterator[str]:
    grouped = {c.name for e in model.enumerations for c in e.constants}
    for constant in model.constants:
        if constant.name not in grouped and constant.name not in NUMBERS:
            yield (f"{constant.name}: belongs to no enumeration: annotate the parameter or field that takes it with "
                   f"TENON_ENUM(NAME) or "
                   "TENON_FLAGS(NAME), for constants TENON_NAME_*")


def of_annotations(item: Parameter | Field) -> Iterator[str]:
    """The rules that parameters and fields share."""
    base = item.type.target if item.type.kind in ("pointer", "array") else item.type
    if sum(map(bool, (item.enum, item.flags, item.yes_no))) > 1:
        yield "has more than one of TENON_ENUM, TENON_FLAGS and TENON_YES_NO"
    if (item.enum or item.flags or item.yes_no) and base.name not in ("int32_t", "uint32_t"):
        yield f"is {item.type.c()}; constants are int32_t or uint32_t"
    if item.name.removeprefix("out_") in ENUMERATED and base.kind == "scalar" and not (item.enum or item.flags):
        yield "has TENON_ENUM or TENON_FLAGS: what is called so takes constants"


def of_field(model: Model, record: Record, field: Field) -> Iterator[str]:
    yield from of_annotations(field)
    if field.reserved and field.type.name not in ("int32_t", "uint32_t"):
        yield "a reserved field is an int32_t or uint32_t"
    if field.length and not field.length.isdigit() and all(f.name != field.length for f in record.fields):
        yield f"TENON_LENGTH names {field.length}, which is no field of the struct"
    if field.type.kind != "pointer" or record.union:
        return
    target = field.type.target
    written = {p.type.target.name for f in model.functions for p in f.parameters if p.out and p.type.kind == "pointer"}
    if record.name in written and not field.borrowed:
        yield "a pointer that the library writes is TENON_BORROWED(owner)"
    texts = target.name == "char" or target.points_at("scalar") and target.target.name == "char"
    if texts and not field.text:
        yield "characters are TENON_TEXT"
    if target.kind == "pointer" and not field.length:
        yield "a list has a TENON_LENGTH"
    if target.kind == "scalar" and not texts and not field.length:
        yield "elements have a TENON_LENGTH"


def of_function(model: Model, function: Function) -> Iterator[str]:
    if not function.name.startswith("tenon_"):
        yield "a public name starts with tenon_"
    if not function.doc:
        yield "has no comment directly above it"
    if function.result.kind == "scalar" and function.result.name not in RESULTS:
        yield f"returns {function.result.c()}; a function returns a status, void, uint32_t or a borrowed pointer"
    if function.name.endswith("_release") and (function.result.kind != "void" or not function.parameters[0].nullable):
        yield "a release returns nothing and takes TENON_NULLABLE"
    names = [p.name for p in function.parameters]
    outputs = [p.out or p.inout for p in function.parameters]
    if any(p.inout for p in function.parameters) and outputs != sorted(outputs):
        yield "outputs come last: inputs, options, stream, outputs"
    for parameter in function.parameters:
        for fault in of_parameter(model, parameter, names):
            yield f"parameter {parameter.name or '?'}: {fault}"


def of_parameter(model: Model, parameter: Parameter, names: list[str]) -> Iterator[str]:
    type = parameter.type
    if not parameter.name:
        yield "has no name"
    yield from of_annotations(parameter)
    if type.kind not in ("scalar", "pointer", "callback"):
        yield f"{type.c()} may not be passed by value"
    if (parameter.out or parameter.inout) != parameter.name.startswith("out_"):
        yield "TENON_OUT or TENON_INOUT and the name out_... go together"
    if parameter.inout and (parameter.out or parameter.owned or type.c() != "tenon_array**"):
        yield "TENON_INOUT is for tenon_array**, and says alone what TENON_OUT TENON_OWNED say of others"
    if parameter.length and not parameter.length.isdigit() and parameter.length not in names:
        yield f"TENON_LENGTH names {parameter.length}, which is no parameter"
    if type.kind != "pointer":
        return
    target = type.target
    if parameter.inout:
        return
    if parameter.out:
        if target.const:
            yield "an output is not const"
        if target.points_at("opaque") and not parameter.owned:
            yield "an output handle is TENON_OWNED"
    elif target.kind == "pointer":
        if not (target.target.kind == "opaque" and parameter.length and not parameter.length.isdigit()):
            yield "a pointer to a pointer is TENON_OUT, or a list of handles with a TENON_LENGTH"
    elif target.name == "char" and not (parameter.text or parameter.length):
        yield "characters are TENON_TEXT or have a TENON_LENGTH"
    elif target.kind == "scalar" and target.name != "char" and not parameter.length:
        yield "elements have a TENON_LENGTH"
    elif target.kind == "void" and not (parameter.length or parameter.any_handle) and parameter.name != "user":
        yield ("bytes have a TENON_LENGTH, a handle of any kind is TENON_ANY_HANDLE; "
               "a pointer handed back to a callback is called user")
