#!/usr/bin/env python3
"""tests/abi/installed/reproducible.py: builds and installs the source tree twice, in directories of other names and
lengths, and compares what was installed byte by byte. It takes as long as two builds do, so no suite runs it.
Usage: reproducible.py [MESON_OPTION]..., such as -Dducc=DIRECTORY (whose copy is then used, elsewhere each time)."""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build(place: Path, options: list[str]) -> Path:
    """The tree that a copy of the source tree in `place` installs."""
    source = place / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("build*", ".git", "target", "__pycache__"))
    given = []
    for option in options:
        name, _, value = option.partition("=")
        if name == "-Dducc" and Path(value).is_dir():
            shutil.copytree(value, place / "ducc")
            option = f"-Dducc={place / 'ducc'}"
        given.append(option)
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    for command in (["meson", "setup", "out", "--prefix=/usr", "-Dtests=false", "-Dexamples=false", *given],
                    ["ninja", "-C", "out"],
                    ["meson", "install", "-C", "out", "--no-rebuild", "--quiet", "--destdir", str(place / "installed")]):
        subprocess.run(command, cwd=source, env=environment, check=True, stdout=subprocess.DEVNULL)
    return place / "installed"


def differences(one: Path, other: Path) -> list[str]:
    files = {path.relative_to(tree) for tree in (one, other) for path in tree.rglob("*") if not path.is_dir()}
    return sorted(str(file) for file in files if not ((one / file).exists() and (other / file).exists() and
                                                      filecmp.cmp(one / file, other / file, shallow=False)))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        trees = [build(Path(folder) / name, sys.argv[1:]) for name in ("a", "a-longer-name/of-more-parts")]
        different = differences(*trees)
        count = sum(1 for path in trees[0].rglob("*") if path.is_file())
    for file in different:
        print(f"{file} differs")
    print(f"{count} files, {len(different)} of them different")
    return 1 if different or not count else 0


if __name__ == "__main__":
    sys.exit(main())
