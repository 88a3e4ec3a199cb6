"""Random numbers, with the same bits on every device and in every language for the same key and offset
(include/tenon/random.h).

    g = tenon.random.Generator(7)
    x = g.normal((1000, 1000), "float32")     # counters from offset 0 on
    y = g.uniform(10)                          # the counters after them
    a, b = g.split(2)                          # generators for independent parts of a program

The module has no global generator: a program always names the generator of its numbers.
"""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any

from . import _raw
from ._array import Array, extents
from ._device import as_device
from ._dtypes import as_dtype
from ._errors import InvalidArgument, ShapeError, check
from ._integers import int64s, integer
from ._library import lib
from ._like import like_inputs
from ._moving import take
from ._produce import array_of, produce

__all__ = ["Generator"]

UINT64 = ctypes.c_uint64


def _as_given(method: Any) -> Any:
    """Wraps the method: for a PyTorch tensor, the result is a tensor."""
    return like_inputs(method, __name__)


class Generator:
    """A key and an offset. The numbers are a function of both, and drawing increases the offset by the number of
    counters used; so a copy draws the same numbers. device: the device of new arrays (None: the default device).

        >>> g = tenon.random.Generator(7)
        >>> x = g.normal((2, 3), "float32")
        >>> (g.copy().uniform(2) == g.uniform(2)).tolist()
        [True, True]
    """

    __slots__ = ("key", "offset", "device")

    def __init__(self, key: int = 0, offset: int = 0, *, device: Any = None):
        self.key = integer(key, "a key", UINT64)
        self.offset = integer(offset, "an offset", UINT64)
        self.device = as_device(device)

    def __repr__(self) -> str:
        return f"tenon.random.Generator(key={self.key:#x}, offset={self.offset}, device={self.device.name!r})"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Generator) and (self.key, self.offset, self.device) == (other.key, other.offset,
                other.device)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Generator:
        return Generator(self.key, self.offset, device=self.device)

    def __deepcopy__(self, _memo: Any) -> Generator:
        return self.__copy__()

    copy = __copy__

    def __reduce__(self) -> Any:
        return _restored, (self.key, self.offset, self.device.name)

    def split(self, count: int = 2) -> list[Generator]:
        """Generators with keys derived from this one's key: the same keys each time."""
        count = operator.index(count)
        keys = (UINT64 * max(count, 1))()
        check(lib.tenon_random_split(self.key, count, keys))
        return [Generator(key, device=self.device) for key in keys[:count]]

    def jump(self, counters: int) -> Generator:
        """A generator with the offset advanced by `counters`; each counter yields four 32-bit words."""
        return Generator(self.key, (self.offset + operator.index(counters)) % 2**64, device=self.device)

    # --- distributions ---

    def uniform(self, shape: Any = (), dtype: Any = "float64", *, low: float = 0.0, high: float = 1.0, out: Any = None,
            stream: Any = None) -> Array:
        """Uniformly distributed in [low, high)."""
        if low == high == 0:
            raise InvalidArgument("uniform numbers need two different ends: low and high are both 0",
                    _raw.TENON_ERROR_INVALID_ARGUMENT)
        return self._draw(_raw.TENON_RANDOM_UNIFORM, shape, dtype, out, stream, a=low, b=high)

    def normal(self, shape: Any = (), dtype: Any = "float64", *, mean: float = 0.0, std: float = 1.0, out: Any = None,
            stream: Any = None) -> Array:
        _positive(std, "std")
        return self._draw(_raw.TENON_RANDOM_NORMAL, shape, dtype, out, stream, a=mean, b=std)

    def exponential(self, shape: Any = (), dtype: Any = "float64", *, scale: float = 1.0, out: Any = None,
            stream: Any = None) -> Array:
        """Exponentially distributed with mean `scale`."""
        _positive(scale, "scale")
        return self._draw(_raw.TENON_RANDOM_EXPONENTIAL, shape, dtype, out, stream, b=scale)

    def bits(self, shape: Any = (), dtype: Any = "uint32", *, stream_number: int = 0, out: Any = None,
            stream: Any = None) -> Array:
        """Random bits for all bits of an integer dtype. stream_number: the upper half of the counters."""
        return self._draw(_raw.TENON_RANDOM_BITS, shape, dtype, out, stream,
                stream=integer(stream_number, "a stream number", UINT64))

    def integers(self, low: int, high: int | None = None, shape: Any = (), dtype: Any = "int64", *,
            endpoint: bool = False, out: Any = None,
                 stream: Any = None) -> Array:
        """Integers in [low, high), or with endpoint in [low, high], without bias; a single number is high."""
        if high is None:
            low, high = 0, low
        low, high = operator.index(low), operator.index(high) + bool(endpoint)
        if low >= high:
            raise InvalidArgument(f"there is no integer from {low} up to {high}", _raw.TENON_ERROR_INVALID_ARGUMENT)
        dtype = as_dtype(dtype)
        least, most = (0, 2**(8 * dtype.itemsize)) if dtype.kind == "u" else (-2**(8 * dtype.itemsize - 1),
                2**(8 * dtype.itemsize - 1))
        if dtype.kind in "iu" and not least <= low < high <= most:
            raise InvalidArgument(f"the integers from {low} to {high - 1} do not fit {dtype}",
                    _raw.TENON_ERROR_INVALID_ARGUMENT)
        count = high - low
        return self._draw(_raw.TENON_RANDOM_INTEGERS, shape, dtype, out, stream,
                low=low if low < 2**63 else low - 2**64,
                          count=0 if count == 2**64 else count)

    def bernoulli(self, p: float, shape: Any = (), dtype: Any = "bool", *, out: Any = None,
            stream: Any = None) -> Array:
        """True (or 1) with probability p."""
        return self._draw(_raw.TENON_RANDOM_BERNOULLI, shape, dtype, out, stream, a=p)

    def dropout_mask(self, shape: Any, p: float, dtype: Any = "float32", *, out: Any = None,
            stream: Any = None) -> Array:
        """0 with probability p, else 1 / (1 - p): the factors for activations."""
        if not 0 <= p < 1:
            raise InvalidArgument(f"p is {p}: the part that is dropped must be at least 0 and below 1",
                    _raw.TENON_ERROR_INVALID_ARGUMENT)
        return self._draw(_raw.TENON_RANDOM_BERNOULLI, shape, dtype, out, stream, a=1 - p, b=1 / (1 - p))

    def gamma(self, a: float, shape: Any = (), dtype: Any = "float64", *, scale: float = 1.0, out: Any = None,
            stream: Any = None) -> Array:
        """Gamma distributed with shape parameter a."""
        _positive(scale, "scale")
        return self._draw(_raw.TENON_RANDOM_GAMMA, shape, dtype, out, stream, a=a, b=scale)

    def beta(self, a: float, b: float, shape: Any = (), dtype: Any = "float64", *, out: Any = None,
            stream: Any = None) -> Array:
        return self._draw(_raw.TENON_RANDOM_BETA, shape, dtype, out, stream, a=a, b=b)

    def poisson(self, lam: float = 1.0, shape: Any = (), dtype: Any = "int64", *, out: Any = None,
            stream: Any = None) -> Array:
        return self._draw(_raw.TENON_RANDOM_POISSON, shape, dtype, out, stream, a=lam)

    def binomial(self, n: int, p: float, shape: Any = (), dtype: Any = "int64", *, out: Any = None,
            stream: Any = None) -> Array:
        return self._draw(_raw.TENON_RANDOM_BINOMIAL, shape, dtype, out, stream, a=n, b=p)

    # --- orders ---

    @_as_given
    def permutation(self, x: Any, *, axis: int = 0, stream: Any = None) -> Array:
        """The integers 0 to x - 1 in random order, or an array with its parts along an axis in random order."""
        if isinstance(x, Array) or hasattr(x, "__len__"):
            array = array_of(x, self.device)
            if array.ndim == 0:
                raise ShapeError("the array has no axes: there is nothing to put in order", _raw.TENON_ERROR_SHAPE)
            return take(array, self._order(array.shape[axis], array.device, stream), axis=axis, stream=stream)
        return self._order(operator.index(x), self.device, stream)

    @_as_given
    def choice(self, x: Any, shape: Any = (), *, replace: bool = True, p: Any = None, axis: int = 0,
            stream: Any = None) -> Array:
        """Random choices from the integers 0 to x - 1, or from an array's parts along an axis. p: the probability of
        each; without replacement, of each of those that are left.

            >>> tenon.random.Generator(7).choice(3, 2, replace=False, p=[0.0, 0.5, 0.5]).tolist() in ([1, 2], [2, 1])
            True
        """
        array = None if not (isinstance(x, Array) or hasattr(x, "__len__")) else array_of(x, self.device)
        count = operator.index(x) if array is None else array.shape[axis]
        device = self.device if array is None else array.device
        shape = extents(shape)
        size = math.prod(shape)
        if count == 0 and size:
            raise InvalidArgument("the array to choose from is empty", _raw.TENON_ERROR_INVALID_ARGUMENT)
        if p is not None:
            index = self._weighted(p, count, shape, replace, device, stream)
        elif replace:
            index = self.copy().at(device).integers(0, max(count, 1), shape, stream=stream)
            self._advance("int64", size, _raw.TENON_RANDOM_INTEGERS)
        elif size > count:
            raise InvalidArgument(f"{size} different elements were requested, but there are {count}",
                    _raw.TENON_ERROR_INVALID_ARGUMENT)
        else:
            index = self._order(count, device, stream)[:size].reshape(shape)
        return index if array is None else take(array, index, axis=axis, stream=stream)

    def _weighted(self, p: Any, count: int, shape: tuple[int, ...], replace: bool, device: Any, stream: Any) -> Array:
        weights = array_of(p, device).astype("float64")
        values = weights.tolist()
        if weights.shape != (count,) or not all(value >= 0 for value in values) \
                or not abs(math.fsum(values) - 1) < 1e-8:
            raise InvalidArgument(f"p holds {count} probabilities that are not negative and whose sum is 1",
                    _raw.TENON_ERROR_INVALID_ARGUMENT)
        from ._creation import asarray
        from ._selecting import argsort, searchsorted

        if not replace:
            size, some = math.prod(shape), sum(value > 0 for value in values)
            if size > some:
                raise InvalidArgument(f"{size} different elements were requested, but only {some} have a probability "
                                      f"above 0", _raw.TENON_ERROR_INVALID_ARGUMENT)
            # The order of arrivals with rates p: the next is one of those left, each with its part of their sum.
            arrivals = self.copy().at(device).exponential(count, stream=stream)
            self._advance("float64", count, _raw.TENON_RANDOM_EXPONENTIAL)
            from ._functions import divide

            waits = divide(arrivals, weights.to_device(device), stream=stream)
            return argsort(waits, stream=stream)[:size].reshape(shape)
        sums, total = [], 0.0
        for value in values:
            total += value
            sums.append(total)
        edges = asarray([one / total for one in sums], dtype="float64").to_device(device)
        numbers = self.copy().at(device).uniform(shape, stream=stream)
        self._advance("float64", numbers.size, _raw.TENON_RANDOM_UNIFORM)
        return searchsorted(edges, numbers, side="right", stream=stream)

    def at(self, device: Any) -> Generator:
        """A generator with the same key and offset for arrays on another device."""
        return Generator(self.key, self.offset, device=device)

    # --- how ---

    def _order(self, count: int, device: Any, stream: Any) -> Array:
        options = _raw.tenon_random_options(key=self.key, offset=self.offset)
        result = produce(lib.tenon_random_permutation, device._handle, integer(count, "a number of elements"),
                ctypes.byref(options), device=device,
                         stream=stream)
        self._advance("uint64", count, _raw.TENON_RANDOM_BITS)
        return result

    def _advance(self, dtype: Any, count: int, distribution: int) -> None:
        blocks = UINT64()
        check(lib.tenon_random_blocks(as_dtype(dtype).code, count, distribution, ctypes.byref(blocks)))
        self.offset = (self.offset + blocks.value) % 2**64

    def _draw(self, distribution: int, shape: Any, dtype: Any, out: Any, on: Any, **parameters: Any) -> Array:
        device, shape = self.device, extents(shape)
        if out is not None:
            given = array_of(out)
            device, shape, dtype = given.device, given.shape if shape == () else shape, given.dtype
        dtype = as_dtype(dtype)
        options = _raw.tenon_random_options(key=self.key, offset=self.offset, **parameters)
        result = produce(lib.tenon_random, device._handle, dtype.code, len(shape), int64s(shape), distribution,
                ctypes.byref(options), device=device,
                         stream=on, out=out)
        self._advance(dtype, math.prod(shape), distribution)
        return result


def _positive(value: float, what: str) -> None:
    if not value > 0:  # the library takes 0 for 1
        raise InvalidArgument(f"{what} is {value}: it must be positive", _raw.TENON_ERROR_INVALID_ARGUMENT)


def _restored(key: int, offset: int, device: str) -> Generator:
    try:
        return Generator(key, offset, device=device)
    except LookupError:
        return Generator(key, offset, device="cpu:0")
