"""abi/levels.py: the order of the function table. abi/levels/MAJOR.MINOR.txt lists what each level added; lists only grow."""
from __future__ import annotations

from pathlib import Path

from model import Level, Model
from read import HeaderError

HEAD = """\
# The functions that ABI level {name} added, in the order of struct tenon_api.
# state: {state}
"""


def level_name(value: int) -> str:
    return f"{value >> 16}.{value & 0xffff}"


def load(directory: Path) -> list[Level]:
    levels = []
    for path in sorted(directory.glob("*.txt"), key=lambda p: [int(n) for n in p.stem.split(".")]):
        lines = path.read_text().splitlines()
        if "# state: released" not in lines and "# state: open" not in lines:
            raise HeaderError(f"{path.name} must say '# state: open' or '# state: released'")
        levels.append(Level(path.stem, "# state: released" in lines, [n for n in lines if n and not n.startswith("#")]))
    return levels


def assign(model: Model, directory: Path) -> None:
    """Puts the model's functions in table order; functions in no list are appended to the level of the headers."""
    model.levels = load(directory)
    current = level_name(model.constant("TENON_ABI_LEVEL"))
    if not model.levels or model.levels[-1].name != current:
        model.levels.append(Level(current, False, []))
    declared = {f.name: f for f in model.functions}
    listed = [name for level in model.levels for name in level.names]
    gone = [name for name in listed if name not in declared]
    if gone:
        raise HeaderError(f"listed in abi/levels but declared in no header: {', '.join(gone)}")
    new = [name for name in declared if name not in listed]
    if new and model.levels[-1].released:
        raise HeaderError(f"level {current} is released; raise TENON_ABI_LEVEL to add {', '.join(new)}")
    model.levels[-1].names += new
    model.functions = [declared[name] for name in listed + new]


def text(level: Level) -> str:
    return HEAD.format(name=level.name, state="released" if level.released else "open") + "\n".join(level.names) + "\n"
