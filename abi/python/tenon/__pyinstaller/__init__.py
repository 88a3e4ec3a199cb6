"""For PyInstaller, which asks by the entry point "pyinstaller40" what a frozen program needs of this package."""

import os


def directories() -> list[str]:
    """Where the hooks are."""
    return [os.path.dirname(__file__)]
