"""The texts for kernels as constants of C++: embed.py OUTPUT DIRECTORY."""
import sys
from pathlib import Path

target, directory = sys.argv[1:]
with open(target, "w", encoding="utf-8") as out:
    out.write("// Made from the .cuh files of this room; do not edit.\n#include \"functions/table.hpp\"\nnamespace "
              "tenon::functions {\n")
    for name, file in (("kComplexText", "complex"), ("kRealText", "real"),
                       ("kComplexFunctionsText", "complex_functions")):
        text = (Path(directory) / f"{file}.cuh").read_text(encoding="utf-8")
        out.write(f"const char* const {name} =\n")
        for at in range(0, len(text), 8000):  # a literal may hold 64 KiB at most
            out.write(f'R"tenon({text[at:at + 8000]})tenon"\n')
        out.write(";\n")
    out.write("}\n")
