"""Filters of arrays with any number of axes under the names and arguments of cupyx.scipy.ndimage and scipy.ndimage.

Every function takes and returns arrays on their device, and runs on the current stream. Sums are in float64 (complex128
for complex numbers) whatever the dtype, as in SciPy; intermediate results of filters that run axis by axis have the
output's dtype, as in SciPy. Common arguments:

output: an array of the input's shape, which receives the result and is returned, or a dtype for a new one; None: a new
    one of the input's dtype. It may be the input itself or share memory with it.
mode: how the array continues beyond its ends: "reflect" or "grid-mirror" (c b a | a b c | c b a), "constant" or
    "grid-constant" (cval), "nearest" (a a a | a b c | c c c), "mirror" (c b | a b c | b a), "wrap" or "grid-wrap"
    (a b c | a b c | a b c). Filters that run axis by axis also take one mode for each axis.
origin: moves the window by so many elements: a positive one to the left.
axes: the axes to filter (None: all); the others are a batch.

RuntimeError: an unknown mode, a sequence or an output of the wrong length, shape or dtype. ValueError: an origin
outside of the window, an axis out of range. The rank filters and geometric transforms of cupyx.scipy.ndimage are not
here: the package tenon.ops.image has some of them, for images.
"""

from __future__ import annotations

import functools
import operator
from typing import Any, NoReturn
from collections.abc import Callable, Iterable, Sequence

import numpy as _numpy

import tenon

from .._array import Array
from .._dtypes import DType, as_dtype
from .._generated import Elementwise
from .._library import lib
from .._errors import check
from .._stream import as_stream, stream_handle
from . import cuda

_MODES = {"reflect": 0, "grid-mirror": 0, "constant": 1, "grid-constant": 1, "nearest": 2, "mirror": 3, "wrap": 4,
          "grid-wrap": 4}
_Pass = Callable[[Array, Array], None]  # reads the first array and writes the second


# --- kernels -------------------------------------------------------------------------------------------------------

# The position of 0 ... n - 1 that position i stands for; -1: the constant. The numbers are those of _MODES.
_INSIDE = """
__device__ inline long long inside_of(long long i, long long n, int mode) {
  if (i >= 0 && i < n) return i;
  if (mode == 1) return -1;
  if (mode == 2) return i < 0 ? 0 : n - 1;
  if (n == 1) return 0;
  const long long period = mode == 0 ? 2 * n : mode == 3 ? 2 * n - 2 : n;
  long long m = i % period;
  if (m < 0) m += period;
  if (m < n) return m;
  return mode == 0 ? period - 1 - m : period - m;
}
"""

# Conversions from the sum's type. C does not define the conversion of a float outside of an integer's range: here it
# wraps on every device, as in SciPy, up to the range of 64 bits.
_STORE = {
    "bool": "(long long)(value) != 0",
    "u": "value >= 0 ? Y((unsigned long long)(value)) : Y(-(long long)((unsigned long long)(-value)))",
    "i": "Y((long long)(value))",
    "f": "Y(value)",
    "c": "Y(value)",
}


class _Rule:
    """How the elements of a window become one number: the type, the start and the step of the accumulation."""

    def __init__(self, type_name: str, start: str, step: str, weight: str):
        self.type, self.start, self.step, self.weight = type_name, start, step, weight


_SUM = _Rule("double", "0", "total += Sum(weight) * value", "float64")
_COMPLEX_SUM = _Rule("complex<double>", "0", "total += Sum(weight) * value", "complex128")


@functools.lru_cache(None)
def _extreme(kind: str, wide: bool, smallest: bool) -> _Rule:
    """The smallest or largest element, compared in a type that holds every value of the input."""
    name = "double" if kind == "f" else "unsigned long long" if wide else "long long"
    better = "<" if smallest else ">"
    return _Rule(name, "0", f"if (!found || value {better} total) total = value; found = true", "bool")


def _scalar_type(rule: _Rule) -> str:
    return {"double": "float64", "complex<double>": "complex128", "long long": "int64",
            "unsigned long long": "uint64"}[rule.type]


def _kernel(rule: _Rule, out_kind: str, name: str, geometry: str, text: str) -> Elementwise:
    stored = _STORE[out_kind].replace("value", "total")
    declared = f"raw X x, raw {rule.weight} w, {geometry}, int32 mode, bool flip, {_scalar_type(rule)} constant"
    body = f"Sum total = {rule.start}; bool found = false; {text}\n(void)found; y = {stored}"
    return tenon.elementwise(declared, "Y y", body, name, preamble=f"{_INSIDE}\ntypedef {rule.type} Sum;")


@functools.lru_cache(None)
def _window_kernel(rule: _Rule, out_kind: str, rank: int) -> Elementwise:
    """The filter by a window with as many axes as the array. Entries of the window that are zero are left out, so that
    they do not spread an infinity."""
    loops, at, missing = [], "0", []
    for axis in range(rank):
        loops.append(f"for (int k{axis} = 0; k{axis} < size{axis}; ++k{axis}) {{\n"
                     f"const long long at{axis} = "
                     f"inside_of(coord[{axis}] + k{axis} - middle{axis}, shape[{axis}], mode);")
        at = f"({at}) * shape[{axis}] + at{axis}"
        missing.append(f"at{axis} < 0")
    text = (f"int entry = 0; const int last = {' * '.join(f'size{axis}' for axis in range(rank))} - 1;\n"
            + "\n".join(loops)
            + "\nconst auto weight = w[flip ? last - entry : entry]; ++entry;"
            + f"\nif (weight == 0) continue;\nconst Sum value = {' || '.join(missing)} ? constant : Sum(x[{at}]);"
            + f"\n{rule.step};" + "}" * rank)
    geometry = ", ".join(f"int32 size{axis}, int64 middle{axis}" for axis in range(rank))
    return _kernel(rule, out_kind, "filter_window", geometry, text)


@functools.lru_cache(None)
def _line_kernel(rule: _Rule, out_kind: str) -> Elementwise:
    """The filter along the middle axis of three. Away from the ends no position has to be looked for."""
    text = f"""
const long long first = coord[1] - middle, length = shape[1], inner = shape[2];
const X* const line = x + coord[0] * length * inner + coord[2];
const bool within = first >= 0 && first + size <= length;
for (int k = 0; k < size; ++k) {{
  const long long at = within ? first + k : inside_of(first + k, length, mode);
  const auto weight = w[flip ? size - 1 - k : k];
  const Sum value = at < 0 ? constant : Sum(line[at * inner]);
  {rule.step};
}}"""
    return _kernel(rule, out_kind, "filter_line", "int32 size, int64 middle", text)


# --- arguments -----------------------------------------------------------------------------------------------------

def _array(a: Any) -> Array:
    return tenon.cupy.asarray(a)


def _mode(mode: Any) -> int:
    if isinstance(mode, str) and mode in _MODES:
        return _MODES[mode]
    raise RuntimeError(f"mode must be one of {', '.join(_MODES)}, not {mode!r}")


def _each(given: Any, count: int, what: str) -> list[Any]:
    """One value for each axis."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [given] * count
    values = list(given)
    if len(values) != count:
        raise RuntimeError(f"{what} has {len(values)} values for {count} axes: "
                           "give one for each, or a single one for all")
    return values


def _axis(axis: Any, rank: int) -> int:
    at = operator.index(axis)
    if not -rank <= at < rank:
        raise ValueError(f"axis {at} is out of range for an array with {rank} axes")
    return at % rank


def _axes(axes: Any, rank: int) -> tuple[int, ...]:
    if axes is None:
        return tuple(range(rank))
    found = tuple(_axis(one, rank) for one in (axes if isinstance(axes, Iterable) else (axes,)))
    if len(set(found)) != len(found):
        raise ValueError(f"axes {axes!r} names an axis twice")
    return found


def _middle(size: int, origin: Any) -> int:
    """The entry of a window that lies on the element."""
    middle = size // 2 + operator.index(origin)
    if not 0 <= middle < size:
        raise ValueError(f"origin must be between {-(size // 2)} and {(size - 1) // 2} for a window of {size}, "
                         f"not {origin}")
    return middle


def _output(output: Any, x: Array, is_complex: bool) -> tuple[Array, bool]:
    """The array of the result, and whether the caller gave it."""
    if output is None:
        dtype = as_dtype(x.dtype)
        if is_complex and dtype.kind != "c":
            single = dtype.name in ("float32", "float16", "bfloat16", "bool", "int8", "uint8", "int16", "uint16")
            dtype = as_dtype("complex64" if single else "complex128")
        return tenon.empty(x.shape, dtype, device=x.device), False
    given = hasattr(output, "shape") and not isinstance(output, (type, DType, _numpy.dtype))
    made = tenon.asarray(output, copy=False) if given else tenon.empty(x.shape, output, device=x.device)
    if made.shape != x.shape:
        raise RuntimeError(f"output has shape {made.shape}, and the input {x.shape}: they must be equal")
    if made.device != x.device:
        raise RuntimeError(f"output is on {made.device}, and the input on {x.device}: they must be on one device")
    if is_complex and made.dtype.kind != "c":
        raise RuntimeError(f"the result is complex, and output is {made.dtype}: pass complex64 or complex128")
    return made, given


def _overlap(a: Array, b: Array) -> bool:
    """Whether two C-contiguous arrays have bytes in common."""
    return a.data_ptr < b.data_ptr + b.nbytes and b.data_ptr < a.data_ptr + a.nbytes


def _copy(x: Array, y: Array) -> None:
    check(lib.tenon_array_copy(y._handle, x._handle, stream_handle(_stream(x))))


def _stream(x: Array) -> Any:
    return as_stream(cuda.current_stream(x.device), x.device)


def _run(x: Array, passes: Sequence[_Pass], output: Any, is_complex: bool = False) -> Any:
    """Runs passes one after another, from the input over arrays of the output's dtype to the output."""
    y, given = _output(output, x, is_complex)
    source = x if x.c_contiguous else x.copy(stream=_stream(x))
    direct = y.c_contiguous and not (given and _overlap(source, y))
    for index, one in enumerate(passes):
        last = index == len(passes) - 1
        target = y if last and direct else tenon.empty(y.shape, y.dtype, device=y.device)
        one(source, target)
        source = target
    if source is not y:
        _copy(source if source.dtype == y.dtype else source.astype(y.dtype, stream=_stream(x)), y)
    return output if given else y


def _out_kind(y: Array) -> str:
    return "bool" if y.dtype.name == "bool" else y.dtype.kind


def _constant(cval: Any, rule: _Rule) -> Any:
    if rule.type == "complex<double>":
        return complex(cval)
    if isinstance(cval, complex) or getattr(getattr(cval, "dtype", None), "kind", "") == "c":
        raise ValueError(f"cval is {cval}, which is complex, and the input is real")
    if rule.type == "double":
        return float(cval)
    least, most = (0, 2 ** 64 - 1) if rule.type.startswith("u") else (-2 ** 63, 2 ** 63 - 1)
    return min(max(int(cval), least), most)


def _along(weights: Any, axis: int, middle: int, mode: str, cval: Any, rule: _Rule, flip: bool = False) -> _Pass:
    """The filter along one axis, by weights on the host or on the device."""
    code, constant = _mode(mode), _constant(cval, rule)

    def run(x: Array, y: Array) -> None:
        w = _weights(weights, x, rule)
        outer, inner = _product(x.shape[:axis]), _product(x.shape[axis + 1:])
        three = (outer, x.shape[axis], inner)
        _line_kernel(rule, _out_kind(y))(x.reshape(three), w, w.size, middle, code, flip, constant, y.reshape(three),
                                         stream=_stream(x))

    return run


def _weights(weights: Any, x: Array, rule: _Rule) -> Array:
    w = weights if isinstance(weights, Array) else tenon.asarray(_numpy.ascontiguousarray(weights))
    if w.device != x.device:
        w = w.to_device(x.device)
    w = w.astype(rule.weight, copy=False)
    return w if w.c_contiguous else w.copy()


def _product(extents: Iterable[int]) -> int:
    made = 1
    for one in extents:
        made *= one
    return made


def _given(weights: Any) -> Any:
    """Weights as an array: one of Tenon stays on its device, anything else is NumPy's."""
    if isinstance(weights, Array):
        return weights
    if hasattr(weights, "__dlpack_device__") and not isinstance(weights, _numpy.ndarray):
        return tenon.asarray(weights)
    return _numpy.asarray(weights)


def _is_complex(*arrays: Any) -> bool:
    return any(one.dtype.kind == "c" for one in arrays)


# --- windows of weights --------------------------------------------------------------------------------------------

def correlate(input: Any, weights: Any, output: Any = None, mode: str = "reflect", cval: Any = 0.0, origin: Any = 0, *,
              axes: Any = None) -> Any:
    """The sums of the elements in a window, weighted. weights has as many axes as are filtered; complex weights are
    conjugated.

        >>> tenon.cupy.ndimage.correlate(tenon.asarray([1.0, 2.0, 4.0]), [1.0, 0.0, -1.0]).tolist()
        [-1.0, -3.0, -2.0]
    """
    return _weighted(input, weights, output, mode, cval, origin, axes, False)


def convolve(input: Any, weights: Any, output: Any = None, mode: str = "reflect", cval: Any = 0.0, origin: Any = 0, *,
             axes: Any = None) -> Any:
    """As correlate, with the window reversed along every axis, and complex weights as they are."""
    return _weighted(input, weights, output, mode, cval, origin, axes, True)


def _weighted(input: Any, weights: Any, output: Any, mode: Any, cval: Any, origin: Any, axes: Any, flip: bool) -> Any:
    x, w = _array(input), _given(weights)
    filtered = _axes(axes, x.ndim)
    if w.ndim != len(filtered) or 0 in w.shape:
        raise RuntimeError(f"weights has shape {tuple(w.shape)}: it needs at least one entry along each of the "
                           f"{len(filtered)} axes that are filtered")
    if w.dtype.kind == "c" and not flip:
        w = w.conj() if isinstance(w, _numpy.ndarray) else tenon.conj(w)
    rule = _COMPLEX_SUM if _is_complex(x, w) else _SUM
    return _run(x, [_windowed(x, w, filtered, _each(origin, len(filtered), "origin"), mode, cval, rule, flip)], output,
                rule is _COMPLEX_SUM)


def _windowed(x: Array, w: Any, axes: tuple[int, ...], origins: Sequence[Any], mode: Any, cval: Any, rule: _Rule,
              flip: bool = False) -> _Pass:
    """The filter by a window over these axes. Reversing a window with an even number of entries moves its middle."""
    code, constant, rank = _mode(mode), _constant(cval, rule), max(x.ndim, 1)
    sizes, middles = [1] * rank, [0] * rank
    order = [*range(len(axes))]
    if not isinstance(w, Array) or w.ndim > 1:
        order = sorted(order, key=axes.__getitem__)
    if order != [*range(len(axes))]:  # the window's axes in the order of the array's
        w = w.transpose(tuple(order))
    for at, size, origin in zip([axes[one] for one in order], w.shape, [origins[one] for one in order]):
        sizes[at] = int(size)
        middles[at] = size - 1 - _middle(size, origin) if flip else _middle(size, origin)
    geometry = [value for pair in zip(sizes, middles) for value in pair]

    def run(source: Array, y: Array) -> None:
        shape = source.shape or (1,)
        kernel, factors = _window_kernel(rule, _out_kind(y), rank), _weights(w, source, rule).reshape((-1,))
        kernel(source.reshape(shape), factors, *geometry, code, flip, constant, y.reshape(shape),
               stream=_stream(source))

    return run


def correlate1d(input: Any, weights: Any, axis: int = -1, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
                origin: int = 0) -> Any:
    """correlate along one axis, with weights of one axis."""
    return _weighted_line(input, weights, axis, output, mode, cval, origin, False)


def convolve1d(input: Any, weights: Any, axis: int = -1, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
               origin: int = 0) -> Any:
    """convolve along one axis, with weights of one axis."""
    return _weighted_line(input, weights, axis, output, mode, cval, origin, True)


def _weighted_line(input: Any, weights: Any, axis: Any, output: Any, mode: Any, cval: Any, origin: Any,
                   flip: bool) -> Any:
    x, w = _array(input), _given(weights)
    if w.ndim != 1 or w.size == 0:
        raise RuntimeError(f"weights has shape {tuple(w.shape)}: it needs one axis and at least one entry")
    if w.dtype.kind == "c" and not flip:
        w = w.conj() if isinstance(w, _numpy.ndarray) else tenon.conj(w)
    rule = _COMPLEX_SUM if _is_complex(x, w) else _SUM
    middle = _middle(w.size, origin)
    return _run(x, [_along(w, _axis(axis, x.ndim), w.size - 1 - middle if flip else middle, mode, cval, rule, flip)],
                output, rule is _COMPLEX_SUM)


# --- filters that run axis by axis ---------------------------------------------------------------------------------

def _rule_of(x: Array) -> _Rule:
    return _COMPLEX_SUM if _is_complex(x) else _SUM


def _edge(input: Any, axis: Any, output: Any, mode: Any, cval: Any, smooth: list[float]) -> Any:
    """The difference along one axis, smoothed along the others."""
    x = _array(input)
    along, rule, modes = _axis(axis, x.ndim), _rule_of(x), _each(mode, x.ndim, "mode")
    passes = [_along([-1.0, 0.0, 1.0], along, 1, modes[along], cval, rule)]
    passes += [_along(smooth, one, 1, modes[one], cval, rule) for one in range(x.ndim) if one != along]
    return _run(x, passes, output, _is_complex(x))


def sobel(input: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """Sobel's filter: the difference of the neighbours along axis, smoothed by 1 2 1 along all others."""
    return _edge(input, axis, output, mode, cval, [1.0, 2.0, 1.0])


def prewitt(input: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """Prewitt's filter: the difference of the neighbours along axis, smoothed by 1 1 1 along all others."""
    return _edge(input, axis, output, mode, cval, [1.0, 1.0, 1.0])


def _gaussian_weights(sigma: float, order: int, radius: int) -> Any:
    """A Gaussian whose entries sum to 1, or its derivative: the Gaussian times a polynomial p, which the next
    derivative turns into p' - x p / sigma^2. They are in the order of a correlation, the reverse of a
    convolution's."""
    if order < 0:
        raise ValueError(f"order must be 0 or more, not {order}")
    x = _numpy.arange(-radius, radius + 1)
    bell = _numpy.exp(-0.5 * (x / sigma) ** 2)
    bell /= bell.sum()
    factor = _numpy.polynomial.Polynomial([1.0])
    for _ in range(order):
        factor = factor.deriv() - _numpy.polynomial.Polynomial([0.0, sigma ** -2]) * factor
    return (bell * factor(x))[::-1]


def _gaussian(axis: int, sigma: Any, order: Any, mode: Any, cval: Any, truncate: float, radius: Any,
              rule: _Rule) -> _Pass:
    sigma = float(sigma)
    reach = int(truncate * sigma + 0.5) if radius is None else radius
    if not hasattr(reach, "__index__") or reach < 0:
        raise ValueError(f"radius must be an integer, 0 or more, not {reach!r}")
    return _along(_gaussian_weights(sigma, operator.index(order), operator.index(reach)), axis, reach, mode, cval, rule)


def gaussian_filter1d(input: Any, sigma: float, axis: int = -1, order: int = 0, output: Any = None,
                      mode: str = "reflect", cval: Any = 0.0, truncate: float = 4.0, *,
                      radius: int | None = None) -> Any:
    """gaussian_filter along one axis."""
    x = _array(input)
    one = _gaussian(_axis(axis, x.ndim), sigma, order, mode, cval, truncate, radius, _rule_of(x))
    return _run(x, [one], output, _is_complex(x))


def gaussian_filter(input: Any, sigma: Any, order: Any = 0, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
                    truncate: float = 4.0, *, radius: Any = None, axes: Any = None) -> Any:
    """The Gaussian with this standard deviation, or its derivative of any order; sigma, order, mode and radius are
    single values or one for each axis. The window reaches radius elements to both sides, or truncate standard
    deviations."""
    x = _array(input)
    filtered = _axes(axes, x.ndim)
    each = [_each(given, len(filtered), what) for given, what in
            ((sigma, "sigma"), (order, "order"), (mode, "mode"), (radius, "radius"))]
    passes = [_gaussian(axis, deviation, derivative, kind, cval, truncate, reach, _rule_of(x))
              for axis, deviation, derivative, kind, reach in zip(filtered, *each) if deviation > 1e-15]
    return _run(x, passes, output, _is_complex(x))


def uniform_filter1d(input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
                     origin: int = 0) -> Any:
    """The mean of size elements along one axis."""
    x = _array(input)
    return _run(x, [_uniform(_axis(axis, x.ndim), size, mode, cval, origin, _rule_of(x))], output, _is_complex(x))


def uniform_filter(input: Any, size: Any = 3, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
                   origin: Any = 0, *, axes: Any = None) -> Any:
    """The mean of a box; size, mode and origin are single values or one for each axis."""
    x = _array(input)
    rule = _rule_of(x)
    boxes = _boxes(x, size, mode, origin, axes,
                   lambda axis, count, mode, origin: _uniform(axis, count, mode, cval, origin, rule))
    return _run(x, boxes, output, _is_complex(x))


def _uniform(axis: int, size: Any, mode: Any, cval: Any, origin: Any, rule: _Rule) -> _Pass:
    count = _size(size)
    return _along(_numpy.full(count, 1.0 / count), axis, _middle(count, origin), mode, cval, rule)


def _size(size: Any) -> int:
    count = operator.index(size)
    if count < 1:
        raise RuntimeError(f"size must be 1 or more, not {count}")
    return count


def _boxes(x: Array, size: Any, mode: Any, origin: Any, axes: Any, make: Callable[..., _Pass]) -> list[_Pass]:
    """The passes of a box, one for each axis that it is wider than one element along."""
    filtered = _axes(axes, x.ndim)
    each = [_each(given, len(filtered), what) for given, what in ((size, "size"), (mode, "mode"), (origin, "origin"))]
    return [make(axis, count, kind, moved) for axis, count, kind, moved in zip(filtered, *each) if count > 1]


# --- sums over the axes of what a function of each axis gives ------------------------------------------------------

def generic_laplace(input: Any, derivative2: Callable[..., Any], output: Any = None, mode: Any = "reflect",
                    cval: Any = 0.0, extra_arguments: Sequence[Any] = (),
                    extra_keywords: dict[str, Any] | None = None, *, axes: Any = None) -> Any:
    """The sum over the axes of derivative2(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)."""
    return _over_axes(input, derivative2, output, mode, cval, extra_arguments, extra_keywords, axes, False)


def generic_gradient_magnitude(input: Any, derivative: Callable[..., Any], output: Any = None, mode: Any = "reflect",
                               cval: Any = 0.0, extra_arguments: Sequence[Any] = (),
                               extra_keywords: dict[str, Any] | None = None, *, axes: Any = None) -> Any:
    """The root of the sum over the axes of the squares of derivative(input, axis, output, mode, cval, *extra_arguments,
    **extra_keywords)."""
    return _over_axes(input, derivative, output, mode, cval, extra_arguments, extra_keywords, axes, True)


def _over_axes(input: Any, function: Callable[..., Any], output: Any, mode: Any, cval: Any, arguments: Sequence[Any],
               keywords: dict[str, Any] | None, axes: Any, magnitude: bool) -> Any:
    x = _array(input)
    filtered = _axes(axes, x.ndim)
    stream = _stream(x)

    def run(source: Array, y: Array) -> None:
        total = None
        for axis, kind in zip(filtered, _each(mode, len(filtered), "mode")):
            one = function(source, axis, y.dtype, kind, cval, *arguments, **(keywords or {}))
            one = tenon.multiply(one, one, stream=stream) if magnitude else one
            total = one if total is None else tenon.add(total, one, stream=stream)
        total = source if total is None else tenon.sqrt(total, stream=stream) if magnitude else total
        _copy(total if total.dtype == y.dtype else total.astype(y.dtype, stream=stream), y)

    return _run(x, [run], output, _is_complex(x))


def laplace(input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None) -> Any:
    """The Laplace operator by second differences: 1 -2 1 along every axis, added."""
    def second(x: Any, axis: int, dtype: Any, kind: str, constant: Any) -> Any:
        return correlate1d(x, [1.0, -2.0, 1.0], axis, dtype, kind, constant)

    return generic_laplace(input, second, output, mode, cval, axes=axes)


def gaussian_laplace(input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *,
                     axes: Any = None, **keywords: Any) -> Any:
    """The Laplace operator by second derivatives of a Gaussian; keywords are those of gaussian_filter. Other axes than
    axes are not smoothed."""
    x = _array(input)
    filtered = _axes(axes, x.ndim)
    second = _derivative(_each(sigma, len(filtered), "sigma"), filtered, 2, keywords)
    return generic_laplace(x, second, output, mode, cval, axes=filtered)


def gaussian_gradient_magnitude(input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *,
                                axes: Any = None, **keywords: Any) -> Any:
    """The length of the gradient by first derivatives of a Gaussian; keywords are those of gaussian_filter. axes are
    those of the gradient; the Gaussian smooths all axes, as in SciPy."""
    x = _array(input)
    everywhere = tuple(range(x.ndim))
    first = _derivative(_each(sigma, x.ndim, "sigma"), everywhere, 1, keywords)
    return generic_gradient_magnitude(x, first, output, mode, cval, axes=axes)


def _derivative(sigmas: list[Any], axes: tuple[int, ...], order: int, keywords: dict[str, Any]) -> Callable[..., Any]:
    """The derivative of this order along one axis, by a Gaussian over these axes."""
    def derivative(source: Any, axis: int, dtype: Any, mode: str, cval: Any) -> Any:
        orders = [order if one == axis else 0 for one in axes]
        return gaussian_filter(source, sigmas, orders, dtype, mode, cval, axes=axes, **keywords)

    return derivative


# --- smallest and largest ------------------------------------------------------------------------------------------

def minimum_filter(input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
                   cval: Any = 0.0, origin: Any = 0, *, axes: Any = None) -> Any:
    """The smallest element of a box of this size, or of the true entries of a footprint."""
    return _extremes(input, size, footprint, output, mode, cval, origin, axes, True)


def maximum_filter(input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
                   cval: Any = 0.0, origin: Any = 0, *, axes: Any = None) -> Any:
    """The largest element of a box of this size, or of the true entries of a footprint."""
    return _extremes(input, size, footprint, output, mode, cval, origin, axes, False)


def minimum_filter1d(input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
                     origin: int = 0) -> Any:
    """The smallest of size elements along one axis."""
    return _extremes(input, _size(size), None, output, mode, cval, origin, (axis,), True)


def maximum_filter1d(input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
                     origin: int = 0) -> Any:
    """The largest of size elements along one axis."""
    return _extremes(input, _size(size), None, output, mode, cval, origin, (axis,), False)


def _extremes(input: Any, size: Any, footprint: Any, output: Any, mode: Any, cval: Any, origin: Any, axes: Any,
              smallest: bool) -> Any:
    x = _array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"{x.dtype} has no order: a smallest or largest element needs real numbers")
    rule = _extreme("f" if x.dtype.kind == "f" else "i", x.dtype.name == "uint64", smallest)
    if footprint is None:
        if size is None:
            raise RuntimeError("pass size, the extent of a box, or footprint, an array of bools")

        def line(axis: int, count: Any, kind: Any, moved: Any) -> _Pass:
            return _along(_numpy.ones(_size(count), bool), axis, _middle(_size(count), moved), kind, cval, rule)

        return _run(x, _boxes(x, size, mode, origin, axes, line), output)
    window = _given(footprint).astype(bool)
    filtered = _axes(axes, x.ndim)
    if window.ndim != len(filtered):
        raise RuntimeError(f"footprint has {window.ndim} axes, and {len(filtered)} are filtered: they must be as many")
    if not window.any():
        raise ValueError("footprint has no true entry: a smallest or largest element needs at least one")
    return _run(x, [_windowed(x, window, filtered, _each(origin, len(filtered), "origin"), mode, cval, rule)], output)


__all__ = ["convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d",
           "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude", "generic_laplace",
           "laplace", "maximum_filter", "maximum_filter1d", "minimum_filter", "minimum_filter1d", "prewitt", "sobel",
           "uniform_filter", "uniform_filter1d"]


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"tenon.cupy.ndimage has no {name}: it has {', '.join(__all__)}; "
                         "the package tenon.ops.image has rank filters, morphology and resizing of images")
