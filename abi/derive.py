#!/usr/bin/env python3
"""abi/derive.py: writes the derived files that only the build and the tests use, into the build directory. It reads
abi/generated/tenon.json, abi/levels and src/functions/table.py, and needs nothing but Python's own library.

    abi/derive.py FILE ...     the base name of each FILE says what it holds: a key of OUTPUTS, or layout_LEVEL.c or
                               snapshot_LEVEL.c for a level that is not released yet
"""
from __future__ import annotations

import sys
from pathlib import Path

import emit_c
import emit_functions
import emit_python
import emit_tests
import read_json
from model import Model

ROOT = Path(__file__).resolve().parent.parent

OUTPUTS = {
    "generated_table.inc": emit_c.table_rows,
    "generated_status.inc": emit_c.status_rows,
    "generated_structs.inc": emit_c.struct_facts,
    "generated_handles.inc": emit_c.handle_rows,
    "tenon.map": emit_c.version_script,
    "generated_functions.inc": emit_python.function_rows,
    "functions.inc": emit_tests.function_rows,
    "table.inc": lambda _: emit_functions.rows(),
    "instances_simd.inc": lambda _: emit_functions.instances(simd=True),
    "instances_plain.inc": lambda _: emit_functions.instances(simd=False),
}
OF_LEVEL = {"layout": emit_tests.layout, "snapshot": emit_tests.snapshot}


def text_of(model: Model, name: str) -> str:
    if name in OUTPUTS:
        return OUTPUTS[name](model)
    kind, _, level = name.removesuffix(".c").partition("_")
    if kind not in OF_LEVEL or level not in [one.name for one in model.levels]:
        raise SystemExit(f"abi/derive.py: {name} is not a derived file; there are {', '.join(OUTPUTS)}, layout_LEVEL.c "
                         "and snapshot_LEVEL.c")
    return OF_LEVEL[kind](model, next(one for one in model.levels if one.name == level))


def main() -> None:
    model = read_json.read(ROOT)
    for path in map(Path, sys.argv[1:]):
        text = text_of(model, path.name)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
