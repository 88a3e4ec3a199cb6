"""What the benchmarks share: libraries that are measured where they are installed."""

import importlib
import sys


def optional(name):
    """The module, or None with a note: a broken installation is no reason to measure nothing."""
    try:
        return importlib.import_module(name)
    except Exception as error:
        print(f"note: {name} is not used: {type(error).__name__}: {error}", file=sys.stderr)
        return None
