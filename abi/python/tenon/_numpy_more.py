"""NumPy's functions that are a few calls of others: with NumPy's names, arguments and results, on every device."""

from __future__ import annotations

import math
import warnings
from typing import Any
from collections.abc import Callable, Sequence

import numpy

import tenon

from ._array import Array
from ._creation import asarray


def _floating(x: Any) -> Any:
    """x as an array of floating-point or complex numbers; all other dtypes become float64."""
    made = asarray(x)
    return made if made.dtype.kind in "fc" else made.astype("float64")


# --- statistics ----------------------------------------------------------------------------------------------------

def _weights(weights: Any, count: int, name: str) -> Any:
    weights = asarray(weights)
    if weights.ndim != 1 or weights.shape[0] != count:
        raise ValueError(f"{name} has shape {weights.shape}: one number for each of {count} observations is needed")
    if bool(tenon.any(weights < 0)):
        raise ValueError(f"{name} has negative numbers")
    return weights.astype("float64")


def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
        aweights: Any = None, *, dtype: Any = None) -> Any:
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"ddof must be an integer, not {ddof}")
    m, y = asarray(m), y if y is None else asarray(y)
    if m.ndim > 2 or y is not None and y.ndim > 2:
        raise ValueError("cov takes arrays of at most two axes")
    wanted = dtype or tenon.result_type(*[one.dtype for one in (m, y) if one is not None], tenon.float64)

    def variables(x: Array) -> Array:
        return x.reshape((1, -1)).astype(wanted) if x.ndim < 2 else (x if rowvar else x.T).astype(wanted)

    x = variables(m)
    if y is not None:
        x = tenon.concat([x, variables(y)], axis=0)
    if x.shape[0] == 0:
        return tenon.zeros((0, 0), wanted, device=x.device)
    weights = of_each = None
    if fweights is not None:
        weights = _weights(fweights, x.shape[1], "fweights")
        if bool(tenon.any(weights != tenon.round(weights))):
            raise TypeError("fweights must be integers")
    if aweights is not None:
        of_each = _weights(aweights, x.shape[1], "aweights")
        weights = of_each if weights is None else weights * of_each
    ddof = (0 if bias else 1) if ddof is None else int(ddof)
    if weights is None:
        x = x - x.mean(axis=1, keepdims=True)
        factor, other = float(x.shape[1] - ddof), x
    else:
        total = weights.sum()
        x = x - ((x * weights).sum(axis=1, keepdims=True) / total).astype(wanted)
        other = (x * weights).astype(wanted)
        lost = ddof * float((weights * of_each).sum() / total) if of_each is not None and ddof else float(ddof)
        factor = float(total) - lost
    if factor <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        factor = 0.0
    product = tenon.matmul(x, tenon.conj(other).T if other.dtype.kind == "c" else other.T)
    return (product / tenon.asarray(factor, dtype=product.dtype, device=product.device)).squeeze()


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = tenon.sqrt(tenon.real(tenon.diagonal(c)) if c.dtype.kind == "c" else tenon.diagonal(c))
    c = c / deviations[:, None] / deviations[None, :]
    if c.dtype.kind != "c":
        return tenon.clip(c, -1, 1)
    return tenon.clip(tenon.real(c), -1, 1) + 1j * tenon.clip(tenon.imag(c), -1, 1)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = asarray(y)
    y = tenon.moveaxis(y, axis, -1)
    if x is not None:
        x = asarray(x, device=y.device)
        steps = tenon.diff(x) if x.ndim == 1 else tenon.diff(tenon.moveaxis(x, axis, -1))
        return ((y[..., 1:] + y[..., :-1]) * steps / 2.0).sum(axis=-1)
    return ((y[..., 1:] + y[..., :-1]) * dx / 2.0).sum(axis=-1)


# --- differences ---------------------------------------------------------------------------------------------------

def _spacing(given: Any, extent: int) -> Any:
    """A number, or an array of the distances between neighbours that are not all the same."""
    if numpy.ndim(given) == 0:
        return given
    places = _floating(given)
    if places.ndim != 1 or places.shape[0] != extent:
        raise ValueError(f"the coordinates have shape {places.shape}, and the axis {extent} elements")
    steps = tenon.diff(places)
    return float(steps[0]) if bool(tenon.all(steps == steps[0])) else steps


def _slope(f: Array, step: Any, edge_order: int) -> Any:
    """The derivative along the last axis by differences of second order, and of edge_order at its ends."""
    if isinstance(step, Array):
        before, after = step[:-1], step[1:]
        both = before + after
        inner = f[..., :-2] * (-after / (before * both)) + f[..., 1:-1] * ((after - before) / (before * after)) \
            + f[..., 2:] * (before / (after * both))
        steps = [float(step[0]), float(step[1 if len(step) > 1 else 0]), float(step[-2 if len(step) > 1 else 0]),
                 float(step[-1])]
    else:
        inner = (f[..., 2:] - f[..., :-2]) / (2.0 * step)
        steps = [step] * 4

    def end(at: Callable[[int], Array], near: Any, far: Any) -> Any:
        if edge_order == 1:
            return (at(1) - at(0)) / near
        both = near + far
        return at(0) * (-(both + near) / (near * both)) + at(1) * (both / (near * far)) + at(2) * (-near / (far * both))

    first = end(lambda i: f[..., i:i + 1], steps[0], steps[1])
    last = end(lambda i: f[..., f.shape[-1] - 1 - i:f.shape[-1] - i], -steps[3], -steps[2])
    return tenon.concat([first, inner, last], axis=-1)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    f = _floating(f)
    axes = range(f.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    axes = [_axis(one, f.ndim) for one in axes]
    if edge_order not in (1, 2):
        raise ValueError(f"edge_order must be 1 or 2, not {edge_order}")
    if len(varargs) not in (0, 1, len(axes)) or len(varargs) == 1 and len(axes) > 1 and numpy.ndim(varargs[0]) != 0:
        raise TypeError(f"gradient takes one distance, or one distance or array of coordinates for each of {len(axes)} axes")
    given = varargs or (1.0,)
    found = []
    for number, one in enumerate(axes):
        if f.shape[one] < edge_order + 1:
            raise ValueError(f"axis {one} has {f.shape[one]} elements: at least {edge_order + 1} are needed with "
                             f"edge_order={edge_order}")
        step = _spacing(given[number if len(given) > 1 else 0], f.shape[one])
        found.append(tenon.moveaxis(_slope(tenon.moveaxis(f, one, -1), step, edge_order), -1, one).astype(f.dtype))
    return found[0] if len(found) == 1 else tuple(found)


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    ary = asarray(ary).reshape((-1,))
    ends = [None if one is None else asarray(one, dtype=ary.dtype, device=ary.device).reshape((-1,))
            for one in (to_begin, to_end)]
    return tenon.concat([one for one in (ends[0], tenon.diff(ary), ends[1]) if one is not None], axis=0)


# --- indices -------------------------------------------------------------------------------------------------------

def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise numpy.exceptions.AxisError(axis, rank)
    return axis % rank


def ix_(*args: Any, device: Any = None) -> Any:
    made = []
    for number, one in enumerate(args):
        one = one if isinstance(one, Array) else asarray(numpy.asarray(one, None if len(one) else numpy.intp),
                                                         device=device)
        if one.ndim != 1:
            raise ValueError("ix_ takes sequences of one axis")
        if one.dtype == "bool":
            one, = tenon.nonzero(one)
        made.append(one.reshape(tuple(-1 if i == number else 1 for i in range(len(args)))))
    return tuple(made)


def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Any:
    if not isinstance(indices, Array):
        return numpy.unravel_index(indices, shape, order)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = math.prod(shape)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"indices must be integers, not {indices.dtype}")
    if bool(tenon.any((indices < 0) | (indices >= size))):
        raise ValueError(f"an index is out of bounds for an array with {size} elements, of shape {shape}")
    rest, found = indices.astype("int64"), []
    for extent in reversed(shape) if _c_order(order) else shape:
        found.append(rest % extent)
        rest = rest // extent
    return tuple(reversed(found)) if _c_order(order) else tuple(found)


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    if not any(isinstance(one, Array) for one in multi_index):
        return numpy.ravel_multi_index(multi_index, dims, mode, order)
    modes = [mode] * len(dims) if isinstance(mode, str) else list(mode)
    if len(multi_index) != len(dims) or len(modes) != len(dims):
        raise ValueError(f"{len(multi_index)} arrays of indices and {len(modes)} modes were given for {len(dims)} axes")
    device = next(one.device for one in multi_index if isinstance(one, Array))
    parts = []
    for axis, (index, extent, one) in enumerate(zip(multi_index, dims, modes)):
        index = asarray(index, device=device)
        if index.dtype.kind not in "iu":
            raise TypeError(f"indices must be integers, not {index.dtype}")
        index = index.astype("int64")
        if one == "wrap":
            index = index % extent
        elif one == "clip":
            index = tenon.clip(index, 0, extent - 1)
        elif one != "raise":
            raise ValueError(f"mode must be \"raise\", \"wrap\" or \"clip\", not {one!r}")
        elif bool(tenon.any((index < 0) | (index >= extent))):
            raise ValueError(f"an index of axis {axis} is out of bounds: the axis has {extent} elements")
        parts.append(index)
    made = tenon.zeros((), "int64", device=device)
    for index, extent in zip(parts, dims) if _c_order(order) else zip(reversed(parts), reversed(dims)):
        made = made * extent + index
    return made


def _c_order(order: str) -> bool:
    if order not in ("C", "F"):
        raise ValueError(f"order must be \"C\" or \"F\", not {order!r}")
    return order == "C"


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False, *, device: Any = None) -> Any:
    dimensions = tuple(dimensions)
    found = []
    for axis, extent in enumerate(dimensions):
        one = tenon.arange(extent, dtype=dtype, device=device)
        one = one.reshape(tuple(-1 if i == axis else 1 for i in range(len(dimensions))))
        found.append(one if sparse else tenon.broadcast_to(one, dimensions))
    if sparse:
        return tuple(found)
    return tenon.stack(found) if found else tenon.zeros((0,), dtype, device=device)


def _of_numpy(name: str) -> Callable[..., Any]:
    """Makes arrays of numbers: computed by NumPy and copied to the device."""
    theirs = getattr(numpy, name)

    def make(*args: Any, device: Any = None, **keywords: Any) -> Any:
        made = theirs(*args, **keywords)
        if isinstance(made, tuple):
            return tuple(asarray(one, device=device) for one in made)
        return asarray(made, device=device)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"numpy.{name}, as arrays of the device."
    return make


def fill_diagonal(a: Array, val: Any, wrap: bool = False) -> None:
    if a.ndim < 2 or a.ndim > 2 and len(set(a.shape)) != 1:
        raise ValueError(f"fill_diagonal takes a matrix, or an array whose axes are equally long, not shape {a.shape}")
    if a.ndim == 2:
        step, end = a.shape[1] + 1, None if wrap else a.shape[1] * a.shape[1]
        places = range(0, a.size, step) if end is None else range(0, min(a.size, end), step)
        rows = asarray([place // a.shape[1] for place in places], dtype="int64", device=a.device)
        columns = asarray([place % a.shape[1] for place in places], dtype="int64", device=a.device)
        where: tuple[Any, ...] = (rows, columns)
    else:
        where = (tenon.arange(a.shape[0], device=a.device),) * a.ndim
    count = where[0].shape[0]
    values = asarray(val, dtype=a.dtype, device=a.device).reshape((-1,))
    if values.size > 1:
        values = values[tenon.arange(count, device=a.device) % values.size]
    a[where] = values


# --- choosing, splitting, telling ----------------------------------------------------------------------------------

def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError(f"select takes as many conditions as choices, and at least one, not {len(condlist)} and "
                         f"{len(choicelist)}")
    made = default
    kind = tenon.result_type(*[one.dtype if hasattr(one, "dtype") else one for one in (*choicelist, default)])
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        if asarray(condition).dtype != "bool":
            raise TypeError(f"conditions must be of bool, not {asarray(condition).dtype}")
        made = tenon.where(condition, choice, made)
    return made.astype(kind)


def extract(condition: Any, arr: Any) -> Any:
    arr = asarray(arr)
    chosen, = tenon.nonzero(asarray(condition, device=arr.device).reshape((-1,)))
    return tenon.take(arr.reshape((-1,)), chosen)


def diagflat(v: Any, k: int = 0) -> Any:
    return tenon.diag(asarray(v).reshape((-1,)), k)


def _split_along(name: str, axis: int, least: int) -> Callable[..., Any]:
    def split(ary: Any, indices_or_sections: Any) -> Any:
        ary = asarray(ary)
        if ary.ndim < least:
            raise ValueError(f"{name} takes an array of at least {least} axes, not {ary.ndim}")
        along = 0 if name == "hsplit" and ary.ndim == 1 else axis
        return tenon.split(ary, indices_or_sections, axis=along)

    split.__name__ = split.__qualname__ = name
    return split


def _infinite(sign: int) -> Callable[..., Any]:
    def test(x: Any, out: Any = None) -> Any:
        x = asarray(x)
        if x.dtype.kind == "c":
            raise TypeError("infinities of complex numbers have no sign")
        found = tenon.isinf(x) & (x > 0 if sign > 0 else x < 0)
        if out is None:
            return found
        out[...] = found
        return out

    return test


def _has_imaginary_part(x: Any) -> Any:
    x = asarray(x)
    return tenon.imag(x) != 0 if x.dtype.kind == "c" else tenon.zeros(x.shape, "bool", device=x.device)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{one.__name__: one for one in (cov, corrcoef, trapezoid, gradient, ediff1d, ix_, unravel_index, ravel_multi_index,
                                     indices, fill_diagonal, select, extract, diagflat)},
    **{name: _of_numpy(name) for name in ("diag_indices", "tril_indices", "triu_indices", "bartlett", "blackman",
                                          "hamming", "hanning", "kaiser", "geomspace")},
    "hsplit": _split_along("hsplit", 1, 1), "vsplit": _split_along("vsplit", 0, 2),
    "dsplit": _split_along("dsplit", 2, 3),
    "isposinf": _infinite(1), "isneginf": _infinite(-1), "iscomplex": _has_imaginary_part,
    "isreal": lambda x: ~_has_imaginary_part(x), "fix": lambda x, out=None: tenon.trunc(asarray(x), out=out),
}
