"""CuPy's module random with Tenon's generators: default_rng(seed) is a tenon.random.Generator with NumPy's order of
arguments, and the functions draw from a generator of the module. The numbers differ from CuPy's and are the same on
every device."""

from __future__ import annotations

import hashlib
import os
from typing import Any

import numpy

import tenon

from .._array import Array, extents
from . import cuda


def _number(seed: Any) -> int:
    """A seed's number; several numbers are hashed to one, as in CuPy."""
    if isinstance(seed, (int, numpy.integer)) or getattr(seed, "ndim", None) == 0:
        return int(seed)
    seed = seed.get() if isinstance(seed, Array) else numpy.asarray(seed)
    if seed.dtype.kind not in "iu":
        raise TypeError(f"a seed is made of integers, not {seed.dtype}")
    return int.from_bytes(hashlib.sha256(seed.astype("<i8").tobytes()).digest()[:8], "little")


class Generator:
    """A generator with the methods of numpy.random.Generator."""

    def __init__(self, seed: Any = None):
        self._seed(seed)

    def _seed(self, seed: Any) -> None:
        key = int.from_bytes(os.urandom(8), "little") if seed is None else _number(seed) % 2**64
        self.tenon = tenon.random.Generator(key, device=cuda.device_of())  # Tenon's generator

    def random(self, size: Any = None, dtype: Any = "float64", out: Any = None) -> Array:
        return self.tenon.uniform(_shape(size), dtype, out=out)

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None, dtype: Any = "float64") -> Array:
        return self.tenon.uniform(_shape(size), dtype, low=low, high=high)

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: Any = None, dtype: Any = "float64") -> Array:
        return self.tenon.normal(_shape(size), dtype, mean=loc, std=scale)

    def standard_normal(self, size: Any = None, dtype: Any = "float64", out: Any = None) -> Array:
        return self.tenon.normal(_shape(size), dtype, out=out)

    def exponential(self, scale: float = 1.0, size: Any = None, dtype: Any = "float64") -> Array:
        return self.tenon.exponential(_shape(size), dtype, scale=scale)

    standard_exponential = exponential

    def gamma(self, shape: float, scale: float = 1.0, size: Any = None, dtype: Any = "float64") -> Array:
        return self.tenon.gamma(shape, _shape(size), dtype, scale=scale)

    def beta(self, a: float, b: float, size: Any = None, dtype: Any = "float64") -> Array:
        return self.tenon.beta(a, b, _shape(size), dtype)

    def poisson(self, lam: float = 1.0, size: Any = None, dtype: Any = "int64") -> Array:
        return self.tenon.poisson(lam, _shape(size), dtype)

    def binomial(self, n: int, p: float, size: Any = None, dtype: Any = "int64") -> Array:
        return self.tenon.binomial(n, p, _shape(size), dtype)

    def integers(self, low: int, high: int | None = None, size: Any = None, dtype: Any = "int64",
                 endpoint: bool = False) -> Array:
        return self.tenon.integers(low, high, _shape(size), dtype, endpoint=endpoint)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0) -> Array:
        result: Array = self.tenon.choice(a, _shape(size), replace=replace, p=p, axis=axis)
        return result

    def permutation(self, x: Any, axis: int = 0) -> Array:
        result: Array = self.tenon.permutation(x, axis=axis)
        return result

    def shuffle(self, x: Array, axis: int = 0) -> None:
        x[...] = self.permutation(x, axis)


class RandomState(Generator):
    """The older interface: rand and randn take each extent as a separate argument."""

    def seed(self, seed: Any = None) -> None:
        self._seed(seed)

    def rand(self, *size: int, dtype: Any = "float64") -> Array:
        return self.random(size or None, dtype)

    def randn(self, *size: int, dtype: Any = "float64") -> Array:
        return self.standard_normal(size or None, dtype)

    def randint(self, low: int, high: int | None = None, size: Any = None, dtype: Any = "int64") -> Array:
        return self.integers(low, high, size, dtype)

    def random_sample(self, size: Any = None, dtype: Any = "float64") -> Array:
        return self.random(size, dtype)


def default_rng(seed: Any = None) -> Generator:
    return Generator(seed)


def _shape(size: Any) -> tuple[int, ...]:
    return () if size is None else extents(size)


_states: dict[str, RandomState] = {}  # by device


def _state() -> RandomState:
    return _states.setdefault(cuda.device_of().name, RandomState())


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and hasattr(RandomState, name):
        return lambda *args, **keywords: getattr(_state(), name)(*args, **keywords)
    raise AttributeError(f"tenon.cupy.random has no {name}: tenon.random.Generator has Tenon's distributions")


def __dir__() -> list[str]:
    return ["Generator", "RandomState", "default_rng", *(name for name in dir(RandomState) if not name.startswith("_"))]
