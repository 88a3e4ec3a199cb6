#!/usr/bin/env python3
"""tests/abi/cpp.py: tenon.hpp compiles without a warning with g++ and clang++, from C++17 to C++23, with and without
exceptions. Usage: cpp.py SOURCE_ROOT CXX_COMPILER..."""
import shutil
import subprocess
import sys
from pathlib import Path

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
CLANG = [f"clang++-{version}" for version in range(23, 15, -1)] + ["clang++"]
THROWING, RETURNING = "examples/cpp/main.cpp", "tests/contract/cpp/cpp_results.cpp"
OPTIONS = {THROWING: [], RETURNING: ["-fno-exceptions"]}
# Together, the build's compiler and the other one cover every standard and both modes, with as few compilations of each
# source as possible.
TRIES = [[("c++17", THROWING), ("c++17", RETURNING), ("c++20", THROWING), ("c++23", RETURNING)],
         [("c++17", RETURNING), ("c++23", THROWING)]]


def found(names: list[str]) -> str | None:
    return next((name for name in names if shutil.which(name)), None)


def compilers(build: list[str]) -> list[list[str]]:
    """The build's own compiler, and the other one of g++ and clang++ if it is available."""
    said = subprocess.run([*build, "--version"], capture_output=True, text=True).stdout
    other = found(["g++"] if "clang" in said else CLANG)
    return [build] + ([[other]] if other else [])


def knows(compiler: list[str], standard: str) -> bool:
    command = [*compiler, "-x", "c++", f"-std={standard}", "-fsyntax-only", "-"]
    return subprocess.run(command, input="", text=True, capture_output=True).returncode == 0


def fault(compiler: list[str], standard: str, options: list[str], root: Path, source: str) -> str:
    command = [*compiler, f"-std={standard}", *options, *WARNINGS, "-fsyntax-only", f"-I{root / 'include'}",
               str(root / source)]
    done = subprocess.run(command, text=True, capture_output=True)
    return done.stderr or f"exit status {done.returncode}" if done.returncode else ""


def main() -> int:
    root, build = Path(sys.argv[1]), sys.argv[2:]
    tried = failed = 0
    for i, compiler in enumerate(compilers(build)):
        for standard, source in TRIES[i]:
            if not knows(compiler, standard):
                continue
            tried += 1
            problem = fault(compiler, standard, OPTIONS[source], root, source)
            if problem:
                failed += 1
                print(f"{' '.join(compiler)} -std={standard} {source}:\n{problem}")
    print(f"{tried - failed} of {tried} compiled")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
