"""CuPy's module fft: Tenon's functions with NumPy's names and arguments."""

from typing import Any

from ._names import getter

_get, _names = getter("fft")


def __getattr__(name: str) -> Any:
    return _get(name)


def __dir__() -> list[str]:
    return _names()
