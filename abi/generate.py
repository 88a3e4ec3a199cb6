#!/usr/bin/env python3
"""abi/generate.py: writes all files that are derived from include/tenon/*.h, from src/functions/table.py and from the
imports of the Python package. Needs libclang (pip install libclang).

    abi/generate.py          writes the files that changed
    abi/generate.py --check  writes nothing; shows a diff and fails if a file would change (77: libclang is missing)
"""
from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

try:
    import clang.cindex  # noqa: F401
except ImportError:
    print("abi/generate.py needs libclang: pip install libclang", file=sys.stderr)
    sys.exit(77)

import emit_c
import emit_cpp
import emit_functions
import emit_json
import emit_julia
import emit_python
import emit_rust
import emit_stub
import levels
import prose
import read
import rules

ROOT = Path(__file__).resolve().parent.parent

OUTPUTS = {
    "include/tenon/api.h": emit_c.api_header,
    "include/tenon/cxx/enumerations.hpp": emit_cpp.enumerations,
    "include/tenon/cxx/functions.hpp": emit_cpp.functions,
    "abi/generated/tenon.json": emit_json.description,
    "abi/python/tenon/_raw.py": emit_python.constants,
    "abi/python/tenon/_structs.py": emit_python.structs,
    "abi/python/tenon/_enumerations.py": emit_python.enumerations,
    "tests/python/library/test_raw_layout.py": emit_python.layout_test,
    "abi/rust/tenon-sys/src/lib.rs": emit_rust.sys,
    "abi/rust/tenon-sys/tests/layout.rs": emit_rust.layout_test,
    "abi/julia/src/raw.jl": emit_julia.raw,
    "abi/julia/test/layout.jl": emit_julia.layout_test,
}


FUNCTIONS = "include/tenon/functions.h"  # a derived file that is also a source of the others


def derive(check: bool) -> dict[str, str]:
    """Maps the path of every derived file to its text."""
    header = emit_functions.header()
    if not check and ((ROOT / FUNCTIONS).read_text() if (ROOT / FUNCTIONS).exists() else "") != header:
        (ROOT / FUNCTIONS).write_text(header)
        print(f"wrote {FUNCTIONS}")
    model = read.read(ROOT / "include")
    levels.assign(model, ROOT / "abi/levels")
    levels.check_constants(model, ROOT / "tests/abi/levels")
    faults = rules.faults(model) + prose.faults(model, ROOT / "include", ROOT / "src/api")
    if faults:
        raise read.HeaderError("\n".join(faults))
    texts = {path: emit(model) for path, emit in OUTPUTS.items()}
    texts |= {path: emit() for path, emit in (emit_functions.OUTPUTS | emit_stub.OUTPUTS).items()} | {FUNCTIONS: header}
    for level in model.levels:
        texts[f"abi/levels/{level.name}.txt"] = levels.text(level)
    return texts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    try:
        texts = derive(check)
    except read.HeaderError as error:
        print(error, file=sys.stderr)
        return 1
    stale = 0
    for name, text in texts.items():
        path = ROOT / name
        old = path.read_text() if path.exists() else ""
        if old == text:
            continue
        stale += 1
        if check:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), name, f"{name} (derived)"))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {name}")
    if check and stale:
        print(f"{stale} files are not what the headers say: run abi/generate.py", file=sys.stderr)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
