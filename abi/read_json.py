"""abi/read_json.py: reads abi/generated/tenon.json and abi/levels back into a Model, with nothing but Python's own
library. So the build can derive files without libclang."""
from __future__ import annotations

import json
from pathlib import Path

import levels
from model import Callback, Constant, Enumeration, Field, Function, Model, Opaque, Parameter, Record, Type

NOT_OF_PARAMETERS = {"name", "c", "type", "doc", "offset", "size", "reserved"}


def type_of(row: dict) -> Type:
    name = row.get("name", "")
    foreign = row["kind"] in ("record", "opaque") and not name.startswith("tenon_")
    return Type(row["kind"], name, row.get("const", False), type_of(row["target"]) if "target" in row else None,
                row.get("count", 0), tagged=foreign)


def notes(row: dict) -> dict:
    return {key: value for key, value in row.items() if key not in NOT_OF_PARAMETERS}


def parameters(row: dict) -> list[Parameter]:
    return [Parameter(p["name"], type_of(p["type"]), **notes(p)) for p in row["parameters"]]


def fields(row: dict) -> list[Field]:
    return [Field(f["name"], type_of(f["type"]), f["offset"], f["size"], f.get("doc", ""), **notes(f))
            for f in row["fields"]]


def constant(row: dict, unsigned: bool) -> Constant:
    return Constant(row["name"], row["value"], f"{row['value']}{'u' if unsigned else ''}", row["doc"], "")


def opaques(description: dict) -> list[Opaque]:
    own = [Opaque(h["name"], h["doc"], False) for h in description["handles"]] + [Opaque("tenon_api", "", False)]
    return own + [Opaque(name, "", not name.startswith("tenon_")) for name in description["foreign"]]


def read(root: Path) -> Model:
    description = json.loads((root / "abi/generated/tenon.json").read_text())
    model = Model(levels=levels.load(root / "abi/levels"), opaques=opaques(description))
    for row in description["enumerations"]:
        members = [constant(value, row["unsigned"]) for value in row["values"]]
        model.enumerations.append(Enumeration(row["name"], row["flags"], members))
        model.constants += members
    model.constants += [constant(row, False) for row in description["numbers"]]
    model.callbacks = [Callback(c["name"], type_of(c["returns"]), parameters(c), c["doc"])
                       for c in description["callbacks"]]
    model.records = [Record(r["name"], r.get("union", False), fields(r), r["size"], r["alignment"], r["doc"],
                            r.get("nested_in", "")) for r in description["structs"]]
    model.functions = [Function(f["name"], type_of(f["returns"]), parameters(f), f["doc"], f["header"])
                       for f in description["functions"]]
    return model
