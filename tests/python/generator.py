"""The generator's modules, abi/*.py, for tests. abi/ does not stay on Python's path: without PyTorch, `import torch` would
find its folder torch/, and every test would run as if PyTorch were installed."""

import importlib
import sys

from conftest import ROOT


def module(name):
    sys.path.insert(0, str(ROOT / "abi"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "abi"))
