"""Turns the texts of this folder into constants of C++: embed.py OUTPUT FILE ...; work.hpp and x.cuh become kWorkText
and kXText."""
import sys
from pathlib import Path

target, *sources = sys.argv[1:]
with open(target, "w", encoding="utf-8") as out:
    out.write('// Made from src/device; do not edit.\n#include "device/texts.hpp"\nnamespace tenon::device {\n')
    for source in map(Path, sources):
        name = "k" + "".join(part.capitalize() for part in source.stem.split("_")) \
            + ("Kernels" if source.suffix == ".cu" else "Text")
        text = source.read_text(encoding="utf-8").replace("#pragma once\n", "")
        out.write("const char %s[] =\n" % name)
        for i in range(0, len(text), 8000):  # a literal may hold 64 KiB at most
            out.write('R"tenon(%s)tenon"\n' % text[i:i + 8000])
        out.write(";\n")
    out.write("}\n")
