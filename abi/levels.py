"""abi/levels.py: the additions of each ABI level. abi/levels/MAJOR.MINOR.txt lists the level's functions in table
order, and the sizes of the structs with a struct_size; the lists only grow."""
from __future__ import annotations

import re
from pathlib import Path

from model import HeaderError, Level, Model

# Constants that describe the build, not the contract.
CHANGING = ("TENON_VERSION_", "TENON_ABI_LEVEL")
HEAD = """\
# What ABI level {name} added: functions in the order of struct tenon_api, and structs with the struct_size they had.
# state: {state}
"""


def level_name(value: int) -> str:
    return f"{value >> 16}.{value >> 8 & 0xff}"


def level_value(name: str) -> int:
    major, minor = map(int, name.split("."))
    return major << 16 | minor << 8


def load(directory: Path) -> list[Level]:
    levels = []
    for path in sorted(directory.glob("*.txt"), key=lambda p: [int(n) for n in p.stem.split(".")]):
        lines = path.read_text().splitlines()
        if "# state: released" not in lines and "# state: open" not in lines:
            raise HeaderError(f"{path.name} must say '# state: open' or '# state: released'")
        entries = [line for line in lines if line and not line.startswith("#")]
        sizes = dict(line.removeprefix("struct ").split() for line in entries if line.startswith("struct "))
        levels.append(Level(path.stem, "# state: released" in lines,
                            [n for n in entries if not n.startswith("struct ")],
                            {name: int(size) for name, size in sizes.items()}))
    return levels


def assign(model: Model, directory: Path) -> None:
    """Sorts the model's functions in table order; functions without a level are appended to the level of the
    headers."""
    model.levels = load(directory)
    current = level_name(model.constant("TENON_ABI_LEVEL"))
    if not model.levels or model.levels[-1].name != current:
        model.levels.append(Level(current, False, []))
    declared = {f.name: f for f in model.functions}
    for level in model.levels:
        if not level.released:  # its functions may still be removed
            # also removes duplicates from merges
            level.names = [name for name in dict.fromkeys(level.names) if name in declared]
    listed = [name for level in model.levels for name in level.names]
    gone = [name for name in listed if name not in declared]
    if gone:
        raise HeaderError(f"listed in abi/levels but declared in no header: {', '.join(gone)}")
    new = [name for name in declared if name not in listed]
    if new and model.levels[-1].released:
        raise HeaderError(f"level {current} is released; raise TENON_ABI_LEVEL to add {', '.join(new)}")
    model.levels[-1].names += new
    model.functions = [declared[name] for name in listed + new]
    sizes(model, current)


def check_constants(model: Model, layouts: Path) -> None:
    """A released level takes no new constant: all must be in its snapshot (a client cannot know otherwise whether the
    loaded library understands a value)."""
    level = model.levels[-1]
    if not level.released:
        return
    snapshot = (layouts / f"layout_{level.name}.c").read_text()
    new = [c.name for c in model.constants
           if not c.name.startswith(CHANGING) and not re.search(rf"\b{c.name}\b", snapshot)]
    if new:
        raise HeaderError(f"level {level.name} is released; raise TENON_ABI_LEVEL to add {', '.join(new)}")


def sizes(model: Model, current: str) -> None:
    """Each level lists the structs that it adds or extends; the lists of released levels never change."""
    before: dict[str, int] = {}
    for level in model.levels[:-1] if not model.levels[-1].released else model.levels:
        before |= level.sizes
    now = {record.name: record.size for record in model.sized}
    for name, size in before.items():
        if now.get(name, 0) < size:
            raise HeaderError(f"{name} had {size} bytes in a level before {current}, and now has "
                              f"{now.get(name, 'none')}")
    changed = {name: size for name, size in now.items() if before.get(name) != size}
    if changed and model.levels[-1].released:
        raise HeaderError(f"level {current} is released; raise TENON_ABI_LEVEL to add or extend {', '.join(changed)}")
    if not model.levels[-1].released:
        model.levels[-1].sizes = changed


def text(level: Level) -> str:
    return HEAD.format(name=level.name, state="released" if level.released else "open") + "".join(
        [f"{name}\n" for name in level.names] + [f"struct {name} {size}\n" for name, size in level.sizes.items()])
