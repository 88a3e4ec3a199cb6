"""abi/emit_json.py: writes abi/generated/tenon.json, the contract as data for binding generators of other languages."""
from __future__ import annotations

import json
from typing import Any

from emit_c import WIDTH
from levels import level_value
from model import Callback, Enumeration, Field, Function, Model, Opaque, Parameter, Record, Type

ABOUT = ("The C interface of Tenon. Derived from the headers in include/tenon by abi/generate.py; "
         "abi/README.md describes "
         "the keys.")
# true, or left out
NOTES = ("nullable", "out", "inout", "owned", "consumed", "text", "yes_no", "any_handle", "reserved")
# text, or left out
NAMES = ("length", "enum", "flags", "borrowed")


def of(type: Type) -> dict:
    out: dict = {"kind": type.kind}
    if type.name:
        out["name"] = type.name
    if type.const:
        out["const"] = True
    if type.target:
        out["target"] = of(type.target)
    if type.kind == "array":
        out["count"] = type.count
    return out


def notes(item: Parameter | Field) -> dict:
    return {name: True for name in NOTES if getattr(item, name, False)} | {
        name: getattr(item, name) for name in NAMES if getattr(item, name, "")}


def parameter(item: Parameter) -> dict:
    return {"name": item.name, "c": item.type.c(), "type": of(item.type)} | notes(item)


def function(model: Model, item: Function) -> dict:
    since = next(level.name for level in model.levels if item.name in level.names)
    return {"name": item.name, "header": item.header, "since": since, "c": item.c(item.name),
            "returns": of(item.result) | ({"status": True} if item.status else {}),
            "parameters": [parameter(p) for p in item.parameters], "doc": item.doc}


def field(item: Field) -> dict:
    doc = {"doc": item.doc} if item.doc else {}
    return {"name": item.name, "c": item.type.c(item.name), "type": of(item.type), "offset": item.offset,
            "size": item.size} | notes(item) | doc


def record(model: Model, item: Record) -> dict:
    out: dict = {"name": item.name, "size": item.size, "alignment": item.align}
    if item.union:
        out["union"] = True
    if item.sized:
        out["struct_sizes"] = model.sizes(item)
    if item.nested_in:
        out["nested_in"] = item.nested_in
    return out | {"fields": [field(f) for f in item.fields], "doc": item.doc}


def enumeration(item: Enumeration) -> dict:
    return {"name": item.name, "flags": item.flags, "prefix": item.prefix,
            "unsigned": any(c.unsigned for c in item.constants),
            "values": [{"name": c.name, "value": c.value, "doc": c.doc} for c in item.constants]}


def callback(item: Callback) -> dict:
    return {"name": item.name, "returns": of(item.result), "parameters": [parameter(p) for p in item.parameters],
            "doc": item.doc}


def handle(item: Opaque) -> dict:
    return {"name": item.name, "kind": item.constant, "retain": f"{item.name}_retain",
            "release": f"{item.name}_release", "doc": item.doc}


def compact(value: Any, indent: str = "", key: str = "") -> str:
    """JSON that fills its lines: what fits into one line stays in one, and the members of an object share lines."""
    line = indent + key + json.dumps(value, ensure_ascii=False)
    if len(line) < WIDTH or not isinstance(value, (dict, list)):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        parts = [compact(item, inner, json.dumps(name) + ": ") for name, item in value.items()]
    else:
        parts = [compact(item, inner) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{indent}{key}{opening}\n" + ",\n".join(joined(parts, isinstance(value, dict))) + f"\n{indent}{closing}"


def joined(parts: list[str], several: bool) -> list[str]:
    """The parts, with as many in a line as fit if several may share one."""
    lines: list[str] = []
    for part in parts:
        together = f"{lines[-1]}, {part.lstrip()}" if lines else ""
        if several and lines and "\n" not in together and len(together) < WIDTH:
            lines[-1] = together
        else:
            lines.append(part)
    return lines


def description(model: Model) -> str:
    grouped = {c.name for e in model.enumerations for c in e.constants}
    version = ".".join(str(model.constant(f"TENON_VERSION_{part}")) for part in ("MAJOR", "MINOR", "PATCH"))
    handles = {h.name for h in model.handles}
    return compact({
        "about": ABOUT,
        "version": version,
        "levels": [{"name": level.name, "value": level_value(level.name), "released": level.released}
                   for level in model.levels],
        "enumerations": [enumeration(e) for e in model.enumerations],
        "numbers": [{"name": c.name, "value": c.value, "doc": c.doc} for c in model.constants if c.name not in grouped],
        "handles": [handle(h) for h in model.handles],
        "foreign": [o.name for o in model.opaques if o.name not in handles and o.name != "tenon_api"],
        "callbacks": [callback(c) for c in model.callbacks],
        "structs": [record(model, r) for r in model.records],
        "functions": [function(model, f) for f in model.functions],
    }) + "\n"
