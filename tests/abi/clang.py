#!/usr/bin/env python3
"""tests/abi/clang.py: clang accepts every C++ source of the library and of the command, as the build compiles it, without a
warning: what g++ lets pass for years (a vector of an incomplete type) stops who builds with clang.
Usage: clang.py BUILD_DIRECTORY"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cpp import CLANG, found

WITH_VALUE = {"-o", "-MF", "-MQ", "-MT"}
DROPPED = {"-c", "-MD", "-MMD", "-fpch-preprocess", "-Winvalid-pch", "-fno-gnu-unique", "-fdiagnostics-color=always",
           "--param=ggc-min-heapsize=500000"}
# Of libstdc++ itself: std::stable_sort of GCC 12 calls what that release deprecates.
# An option that only g++ has was asked for by the build with g++.
MORE = ["-Werror", "-Wno-deprecated-declarations", "-Wno-unknown-warning-option", "-fsyntax-only", "-fno-diagnostics-color"]


def translated(command: str) -> tuple[str, list[str]]:
    """The precompiled header of a compile command, if any, and the words of it that clang needs."""
    words = iter(shlex.split(command))
    out: list[str] = []
    header = ""
    for word in words:
        if word in WITH_VALUE:
            next(words)
        elif word == "-include":
            header = next(words)
        elif word == "-isystem":
            out += [word, next(words)]
        elif word.startswith("-") and word not in DROPPED and not word.endswith(".p"):
            out.append(word)
    return header, out


def sources(build: Path) -> list[tuple[str, str, list[str]]]:
    """Each source once, with its precompiled header and options."""
    out = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if re.fullmatch(r"\.\./src/.*\.cpp|src/.*-unity\d+\.cpp", entry["file"]):  # a source, or a batch of them
            out.setdefault(entry["file"], (entry["file"], *translated(entry["command"])))
    return list(out.values())


class Checker:
    def __init__(self, compiler: str, build: Path, place: Path):
        self.compiler, self.build, self.place = compiler, build, place
        self.headers: dict[tuple[str, ...], str] = {}

    def run(self, *words: str) -> str:
        done = subprocess.run([self.compiler, *words], cwd=self.build, capture_output=True, text=True)
        return done.stderr or ("" if done.returncode == 0 else f"exit status {done.returncode}")

    @staticmethod
    def key(header: str, options: list[str]) -> tuple[str, ...]:
        """What a precompiled header depends on: not the directories, which only add a source's own room."""
        return (header, *(option for option in options if not option.startswith("-I")))

    def precompile(self, header: str, options: list[str]) -> None:
        """Once for all sources with these options."""
        key = self.key(header, options)
        if header and key not in self.headers:
            self.headers[key] = str(self.place / f"{len(self.headers)}.pch")
            said = self.run(*options, "-x", "c++-header", f"../src/pch/{header}", "-o", self.headers[key])
            if said:
                raise SystemExit(f"{header}: {said}")

    def fault(self, source: str, header: str, options: list[str]) -> str:
        first = ["-include-pch", self.headers[self.key(header, options)]] if header else []
        return self.run(*first, *options, *MORE, source)


def main() -> int:
    build = Path(sys.argv[1])
    compiler = found(CLANG)
    if not compiler:
        print("clang++ was not found")
        return 77
    all_sources = sources(build)
    with tempfile.TemporaryDirectory() as place:
        checker = Checker(compiler, build, Path(place))
        for _, header, options in all_sources:
            checker.precompile(header, options)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = [text for text in pool.map(lambda one: checker.fault(*one), all_sources) if text]
    print("\n".join(faults))
    print(f"{compiler}: {len(all_sources) - len(faults)} of {len(all_sources)} sources are right")
    return 1 if faults or not all_sources else 0


if __name__ == "__main__":
    sys.exit(main())
