"""The generator's modules, abi/*.py, for tests. abi/ does not stay on Python's path: its folder torch/ would be a module
of that name, so that every test would run as if PyTorch were installed."""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def module(name):
    sys.path.insert(0, str(ROOT / "abi"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "abi"))
