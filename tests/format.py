#!/usr/bin/env python3
"""tests/format.py: checks that C++ and CUDA C have the layout of .clang-format, and that Python passes ruff
(pyproject.toml), and that lines of Meson's files are short enough.

Usage: format.py           reports violations
       format.py --fix     fixes those that can be fixed automatically
       format.py --tools   prints the requirements for pip
"""
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = {"clang-format": "19.1.7", "ruff": "0.17.6"}  # other versions give other results
PATTERNS = ["src/**/*.[ch]pp", "src/**/*.h", "src/**/*.cu", "src/**/*.cuh", "kernels/**/*.cu", "kernels/**/*.cuh",
            "tests/**/*.[ch]pp", "abi/python/core/*.[ch]pp", "abi/torch/*.[ch]pp", "include/tenon/**/*.hpp", "examples/**/*.cpp"]
MESON = ["meson.build", "meson_options.txt", *(f"{top}/**/meson.build" for top in ("src", "tests", "abi", "examples", "kernels"))]
COLUMNS = 120
# By abi/generate.py.
DERIVED = {ROOT / "include/tenon/cxx" / name for name in ("elementwise.hpp", "enumerations.hpp", "functions.hpp")}


def program(name: str) -> str:
    """The program in this Python's environment, or on PATH."""
    here = Path(sysconfig.get_path("scripts")) / name
    found = str(here) if here.exists() else shutil.which(name)
    if not found or TOOLS[name] not in subprocess.run([found, "--version"], capture_output=True, text=True).stdout:
        print(f"skipped: {name} {TOOLS[name]} is not installed (pip install {name}=={TOOLS[name]})")
        sys.exit(77)
    return found


def long_lines():
    """Lines of Meson's files with more than 120 columns; no formatter wraps them."""
    for path in sorted(path for pattern in MESON for path in ROOT.glob(pattern)):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if len(line) > COLUMNS:
                yield f"{path.relative_to(ROOT)}:{number}: has {len(line)} columns, more than {COLUMNS}"


def main() -> int:
    if sys.argv[1:] == ["--tools"]:
        print(*(f"{name}=={version}" for name, version in TOOLS.items()))
        return 0
    fix = sys.argv[1:] == ["--fix"]
    formatter, linter = program("clang-format"), program("ruff")
    files = sorted({path for pattern in PATTERNS for path in ROOT.glob(pattern)} - DERIVED)
    commands = [[formatter, "--style=file", *(["-i"] if fix else ["--dry-run", "-Werror"]), *files[first:first + 100]]
                for first in range(0, len(files), 100)]
    commands.append([linter, "check", "--no-cache", "--quiet", *(["--fix"] if fix else []), "."])
    wrong = [subprocess.run(command, cwd=ROOT).returncode for command in commands]
    if any(wrong):
        print("tests/format.py --fix fixes what can be fixed automatically")
    long = list(long_lines())
    print(*long, sep="\n", end="\n" if long else "")
    return int(any(wrong) or bool(long))


if __name__ == "__main__":
    sys.exit(main())
