#!/usr/bin/env python3
"""tests/abi/installed/hosts.py: builds an example of a host that needs no binding outside the source tree, and runs it.
Usage: hosts.py fortran|lua|go PROGRAM SOURCE_ROOT LIBRARY, where PROGRAM is the compiler or interpreter."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def commands(host: str, program: str, examples: Path, library: Path) -> tuple[list[list[str]], dict[str, str]]:
    """The commands, to be run in an empty directory, and their environment variables."""
    link = f"-Wl,-rpath,{library.parent}"
    if host == "lua":
        return [[program, str(examples / "lua/main.lua"), str(library)]], {}
    if host == "fortran":
        return [[program, str(examples / "fortran/main.f90"), str(library), link, "-o", "main"], ["./main"]], {}
    settings = {"CGO_ENABLED": "1", "CGO_CFLAGS": f"-I{examples.parent / 'include'}", "GOPROXY": "off", "GOWORK": "off",
                "CGO_LDFLAGS": f"-L{library.parent} -ltenon {link}", "GOCACHE": f"{library.parents[2]}/go-cache",
                "GOPATH": f"{library.parents[2]}/go", "GOFLAGS": "-mod=mod"}
    return [[program, "build", "-o", "main", "."], ["./main"]], settings


def main() -> int:
    host, program, root, library = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        steps, settings = commands(host, program, root / "examples", library)
        if host == "go":
            for name in ("go.mod", "main.go"):
                Path(folder, name).write_text((root / "examples/go" / name).read_text())
        for step in steps:
            done = subprocess.run(step, cwd=folder, env={**os.environ, **settings}, text=True)
            if done.returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
