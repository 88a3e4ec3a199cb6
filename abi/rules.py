"""abi/rules.py: what every declaration must keep to, so that bindings and tests can be derived from it. Returns the faults."""
from __future__ import annotations

from collections.abc import Iterator

from model import Function, Model, Parameter

RESULTS = {"int32_t", "uint32_t"}


def faults(model: Model) -> list[str]:
    found = [f"{function.name}: {fault}" for function in model.functions for fault in of_function(model, function)]
    for opaque in model.opaques:
        if opaque.name.startswith("tenon_") and opaque.name != "tenon_api":
            for verb in ("retain", "release"):
                if not model.function(f"{opaque.name}_{verb}"):
                    found.append(f"{opaque.name}: a handle type has a function {opaque.name}_{verb}")
    found += [f"{record.name}.{field.name}: a public struct has no padding before {field.name}"
              for record in model.records if not record.union
              for before, field in zip(record.fields, record.fields[1:]) if before.offset + before.size != field.offset]
    return found


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
    elif target.kind == "void" and not parameter.length and parameter.name != "user":
        yield "bytes have a TENON_LENGTH; a pointer handed back to a callback is called user"
