#!/usr/bin/env python3
"""tests/abi/levels/abidiff.py: libabigail's abidiff finds nothing but additions between a level's snapshot and today's
headers.

Usage: abidiff.py SOURCE_ROOT LEVEL SNAPSHOT C_COMPILER...; exit status 77: there is no abidiff.

The snapshot (snapshot_LEVEL.c) is C text: the types and functions of the level, without a body. An XML of the
library would be ten times as long, and comparing the library itself would need its debug information, which the default
build does not have. Both sides are compiled with -g here, the second one from <tenon/tenon.h> and the prototypes in
abi/generated/tenon.json, which the compiler compares with the headers. exports.py checks that the library exports those
functions, and the compiler checks that their definitions match the headers.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Later levels may add functions, and fields at the end of structs with a struct_size. For such structs abidiff ignores
# all other changes, too, so the rule is only applied to structs that grew; layout_LEVEL.c checks their older fields and
# the table.
TABLE = "[suppress_type]\n  name = tenon_api\n"
GREW = """
[suppress_type]
  type_kind = struct
  name = {name}
  has_data_member_inserted_at = end
"""
INCOMPATIBLE = 4 | 8 | 1 | 2  # of abidiff's exit status: a change, an incompatible one, an error, wrong usage


def compile_side(source: str, library: Path, compiler: list[str], *options: str) -> None:
    path = library.with_suffix(".c")
    path.write_text(source)
    subprocess.run([*compiler, "-std=c99", "-g", "-O0", "-shared", "-fPIC", "-w", *options, "-o", str(library), str(path)],
                   check=True)


def sides(root: Path, snapshot: str, compiler: list[str], directory: Path) -> tuple[Path, Path]:
    description = json.loads((root / "abi/generated/tenon.json").read_text())
    prototypes = "".join(f"{function['c']} {{ __builtin_trap(); }}\n" for function in description["functions"])
    before, now = directory / "before.so", directory / "now.so"
    compile_side(snapshot, before, compiler)
    compile_side(f"#include <tenon/tenon.h>\n{prototypes}", now, compiler, f"-I{root / 'include'}")
    return before, now


def grown(root: Path, level: str) -> list[str]:
    """The structs that are larger than in the level."""
    description = json.loads((root / "abi/generated/tenon.json").read_text())
    now = {struct["name"]: struct["size"] for struct in description["structs"]}
    lines = (root / f"abi/levels/{level}.txt").read_text().splitlines()
    before = dict(line.removeprefix("struct ").split() for line in lines if line.startswith("struct "))
    return [name for name, size in before.items() if now[name] > int(size)]


def compare(before: Path, now: Path, grew: list[str]) -> tuple[int, str]:
    rules = before.with_name("allowed.abignore")
    rules.write_text(TABLE + "".join(GREW.format(name=name) for name in grew))
    done = subprocess.run(["abidiff", "--no-added-syms", "--suppressions", str(rules), str(before), str(now)],
                          capture_output=True, text=True)
    return done.returncode & INCOMPATIBLE, done.stdout + done.stderr


def sees(before: Path, text: str, compiler: list[str], old: str, new: str, grew: list[str]) -> bool:
    """Whether abidiff detects a change of the snapshot, which shows that the test can fail."""
    assert text.count(old) == 1, old
    changed = before.with_name("changed.so")
    compile_side(text.replace(old, new), changed, compiler)
    return bool(compare(before, changed, grew)[0])


def main() -> int:
    root, level, text, compiler = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]).read_text(), sys.argv[4:]
    if not shutil.which("abidiff"):
        print("abidiff is not installed: the Debian package abigail-tools has it")
        return 77
    with tempfile.TemporaryDirectory() as directory:
        before, now = sides(root, text, compiler, Path(directory))
        found, said = compare(before, now, grown(root, level))
        if found:
            print(said)
            return 1
        for old, new, grew, wanted in CHANGES:
            if sees(before, text, compiler, old, new, grew) != wanted:
                print(f"with {new!r} for {old!r} abidiff says {'nothing' if wanted else 'that something is wrong'}")
                return 1
    print(f"what level {level} promised is there")
    return 0


OPTIONS = "  uint32_t struct_size;\n  int32_t priority;\n"  # tenon_stream_options
# The old text, the new text, the structs that grew, and whether the change must be detected.
CHANGES = [
    ("tenon_error_last(tenon_error** out_error)", "tenon_error_last(tenon_error* out_error)", [], True),
    ("int32_t tenon_error_last(tenon_error** out_error) { ABSENT }", "", [], True),
    ("(*tenon_destroy_fn)(void* user);", "(*tenon_destroy_fn)(void* user, int32_t why);", [], True),
    (OPTIONS, OPTIONS.replace("int32_t priority", "uint32_t priority"), [], True),
    (OPTIONS, OPTIONS.replace("  int32_t", "  int32_t more;\n  int32_t"), ["tenon_stream_options"], True),
    (OPTIONS, OPTIONS + "  int64_t more;\n", ["tenon_stream_options"], False),
]


if __name__ == "__main__":
    sys.exit(main())
