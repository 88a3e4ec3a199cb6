"""Turns files into constants of C++: embed.py OUTPUT NAMESPACE FILE ...

work.hpp and sort.cuh become the strings kWorkText and kSortText, sort.cu becomes kSortKernels, stdint.h kStdintHeader; a program, nvrtc-process,
or an object, fork-server.so, becomes the bytes kNvrtcProcess or kForkServer, and kNvrtcProcessSize says how many."""
import re
import sys
from pathlib import Path


def constant(path: Path, name: str) -> str:
    content = path.read_bytes()
    if content.startswith(b"\x7fELF"):
        numbers = "\n".join(",".join(map(str, content[i:i + 40])) + "," for i in range(0, len(content), 40))
        return (f"extern const unsigned char {name}[]; extern const std::size_t {name}Size;\n"
                f"const std::size_t {name}Size = {len(content)};\nconst unsigned char {name}[] = {{\n{numbers}\n}};\n")
    text = content.decode().replace("#pragma once\n", "")
    # A literal may hold 64 KiB at most; adjacent ones are joined.
    parts = "\n".join(f'R"tenon({text[i:i + 8000]})tenon"' for i in range(0, len(text), 8000))
    return f"extern const char {name}[]; const char {name}[] =\n{parts};\n"


target, namespace, *sources = sys.argv[1:]
ENDINGS = {".cu": "Kernels", ".cuh": "Text", ".hpp": "Text", ".h": "Header", "": "", ".so": ""}
constants = [constant(path, "k" + "".join(map(str.capitalize, re.split("[_-]", path.stem))) + ENDINGS[path.suffix])
             for path in map(Path, sources)]
Path(target).write_text(f"// Made by src/embed.py; do not edit.\n#include <cstddef>\nnamespace {namespace} {{\n"
                        + "".join(constants) + "}\n")
