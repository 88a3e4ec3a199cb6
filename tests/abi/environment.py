#!/usr/bin/env python3
"""tests/abi/environment.py: the library asks the environment only for what context.h documents. Usage: environment.py
SOURCE_ROOT"""
import re
import sys
from pathlib import Path

ASKS = re.compile(r'\b(?:environment|getenv|number_from_environment|text)\(\s*"(TENON_[A-Z_]+)"')


def main() -> int:
    root = Path(sys.argv[1])
    asked: dict[str, str] = {}
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        for name in ASKS.findall(path.read_text()):
            asked.setdefault(name, str(path.relative_to(root)))
    header = (root / "include/tenon/context.h").read_text()
    section = header[header.index("Environment variables."):header.index("*/")]
    documented = {name for name in re.findall(r"\bTENON_[A-Z_]+\b", section)
                  if not re.search(rf"#define {name}\b", header) and not name.endswith("_")}
    documented.discard("TENON_PROGRAM_MODE_CHECK")
    for name in sorted(set(asked) - documented):
        print(f"{asked[name]} asks for ${name}, which the section \"Environment variables\" of context.h does not name")
    for name in sorted(documented - set(asked)):
        print(f"context.h documents ${name}, and nothing in src/ asks for it")
    return 1 if set(asked) ^ documented else 0


if __name__ == "__main__":
    sys.exit(main())
