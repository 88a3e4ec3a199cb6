#!/usr/bin/env python3
"""tests/abi/exports.py: the library exports exactly what the headers declare, and depends only on the C library.

Usage: exports.py LIBRARY TENON_JSON
"""
import json
import re
import subprocess
import sys
from pathlib import Path

# The libraries that every Linux has. No vendor library and no libstdc++, because hosts may have older ones. A
# sanitizer's run-time is allowed.
SYSTEM = re.compile(r"(ld-linux|libc|libm|libdl|libpthread|librt|lib[atu]b?san)\b.*\.so")


def output(*command: str) -> str:
    return subprocess.run(command, text=True, capture_output=True, check=True).stdout


def faults(library: str, description: Path):
    functions = json.loads(description.read_text())["functions"]
    declared = {f"{function['name']}@@TENON_{function['since']}" for function in functions}
    lines = (line.split() for line in output("nm", "-D", "--defined-only", library).splitlines())
    exported = {line[-1] for line in lines if line[-2] != "A"}  # A: the version nodes themselves
    yield from (f"{name} is declared but not exported" for name in sorted(declared - exported))
    yield from (f"{name} is exported but not declared" for name in sorted(exported - declared))
    dynamic = output("readelf", "-dW", library)
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not SYSTEM.match(needed):
            yield f"the library needs {needed}"
    if "[libtenon.so.1]" not in "".join(re.findall(r"\(SONAME\).*", dynamic)):
        yield "the SONAME is not libtenon.so.1"
    if "NODELETE" not in dynamic:
        yield "the library may be unloaded: link it with -z nodelete"
    if re.search(r"\(TEXTREL\)", dynamic):
        yield "the library has text relocations"


def main() -> int:
    found = list(faults(sys.argv[1], Path(sys.argv[2])))
    print("\n".join(found) or "the library exports what the headers declare")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
