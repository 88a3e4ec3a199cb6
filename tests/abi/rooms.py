#!/usr/bin/env python3
"""tests/abi/rooms.py: a folder of src/ or tests/ is small enough to be read, and says what is in it.
Usage: rooms.py SOURCE_ROOT

A folder has at most LIMIT lines of code of its own. One of tests/ says what it holds: in a README.md, in the comment at
the top of its meson.build, or in those of the folder above.
"""
import re
import sys
from pathlib import Path

LIMIT = 2500
CODE = {".c", ".h", ".cpp", ".hpp", ".inc", ".cu", ".cuh", ".py"}
LARGER = {
    "src/api": "one file for each public header, so that a function is found where its header says",
}
DERIVED = re.compile(r"tests/abi/levels/(layout|snapshot)_[\d.]+\.c")  # of released levels, which nobody reads


def code_of(root: Path, folder: Path):
    return [path for path in folder.iterdir() if path.suffix in CODE and path.is_file()
            and not DERIVED.fullmatch(path.relative_to(root).as_posix())]


def heading_of(folder: Path) -> str:
    """What the folder's face says of it and of the folders in it."""
    readme, build = folder / "README.md", folder / "meson.build"
    comment = re.match(r"\s*((?:#.*\n)+)", build.read_text()) if build.exists() else None
    return (readme.read_text() if readme.exists() else "") + (comment[1] if comment else "")


def faults_of(root: Path, folder: Path):
    name = folder.relative_to(root).as_posix()
    files = code_of(root, folder)
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    if lines > LIMIT and name not in LARGER:
        yield f"{name}: has {lines} lines of its own, more than {LIMIT}: divide it by subject"
    if lines <= LIMIT and name in LARGER:
        yield f"{name}: has {lines} lines, and needs no entry in LARGER"
    program = any(path.suffix not in (".cu", ".cuh") for path in files)
    named = re.compile(rf"(?<![\w/]){re.escape(folder.name)}(?=[/`,;]|  | has)")
    if program and name.startswith("tests/") and not heading_of(folder) and not named.search(heading_of(folder.parent)):
        yield f"{name}: nothing says what is in it: see the comment at the top of {folder.parent.name}/meson.build"


def main() -> int:
    root = Path(sys.argv[1])
    folders = [folder for top in ("src", "tests") for folder in [root / top, *sorted((root / top).rglob("*"))]
               if folder.is_dir() and folder.name != "__pycache__"]
    faults = [fault for folder in folders for fault in faults_of(root, folder)]
    print(*faults, sep="\n", end="\n" if faults else "")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
