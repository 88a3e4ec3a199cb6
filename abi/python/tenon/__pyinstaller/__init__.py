"""For PyInstaller, which finds this module by the entry point "pyinstaller40": what a frozen program needs of Tenon."""

import os


def directories() -> list[str]:
    """Where the hooks are."""
    return [os.path.dirname(__file__)]
