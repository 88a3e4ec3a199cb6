"""NumPy's functions on Tenon's arrays: Array.__array_ufunc__ and __array_function__, and the functions of tenon.cupy.

A function of NumPy is mapped to Tenon's function of the same name, and its arguments are mapped by NumPy's own
signature. Only the few functions whose arguments differ in meaning are written out here. Functions that Tenon does not
have are computed by NumPy if the memory is the CPU's. If one operand is a Tenon array, the results are Tenon arrays."""

from __future__ import annotations

import functools
import inspect
import math
from typing import Any
from collections.abc import Callable, Mapping, Sequence

import numpy

import tenon

from ._array import Array
from ._compute import together
from ._creation import asarray
from ._errors import DTypeError, TenonError
from ._functions import __all__ as _table
from ._numpy_more import FUNCTIONS

_RENAMED = {"ddof": "correction", "a_min": "min", "a_max": "max"}  # NumPy's keyword -> Tenon's
_REDUCED = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
            "logical_or": "any"}
_ACCUMULATED = {"add": "cumsum", "multiply": "cumprod", "maximum": "cummax", "minimum": "cummin"}
_STANDARD = ("matmul", "tensordot", "vecdot")  # int8 operands give int8, as in the standard and NumPy
_NO_VALUE = getattr(numpy, "_NoValue", None)


# --- functions whose arguments differ in more than names -----------------------------------------------------------

def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None and y is None:
        return tenon.nonzero(condition)
    return tenon.where(condition, x, y)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return tenon.diagonal(tenon.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)


def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    return tenon.trace(tenon.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset, dtype=dtype, out=out)


def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    a = tenon.asarray(a)
    if decimals == 0 or decimals > 0 and a.dtype.kind in "iu":
        return tenon.round(a, out=out)
    if decimals > 0:
        return tenon.divide(tenon.round(tenon.multiply(a, 10.0 ** decimals)), 10.0 ** decimals, out=out)
    made = tenon.multiply(tenon.round(tenon.divide(a, 10.0 ** -decimals)), 10.0 ** -decimals)
    if out is None:
        return tenon.astype(made, a.dtype)
    out[...] = made
    return out


def _ravel(a: Any, order: str = "C") -> Any:
    _c_order(order, "ravel")
    return tenon.reshape(a, (-1,))


def _transpose(a: Any, axes: Any = None) -> Any:
    return asarray(a).transpose(axes)


def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return asarray(a).swapaxes(axis1, axis2)


def _outer(a: Any, b: Any, out: Any = None) -> Any:
    return tenon.outer(_ravel(a), _ravel(b), out=out)


def _joined(axis: int) -> Callable[..., Any]:
    def stack(tup: Sequence[Any], *, dtype: Any = None, casting: str = "same_kind") -> Any:
        arrays = [asarray(one) for one in tup]
        wide = [one.reshape((1,) * (axis == 0) + (-1,)) if one.ndim < 2 and axis == 0 else
                one.reshape(-1) if one.ndim == 0 else one for one in arrays]
        made = tenon.concat(wide, axis=min(axis, wide[0].ndim - 1))
        return made if dtype is None else made.astype(dtype, copy=False)

    return stack


def _isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    a, b = asarray(a), asarray(b)
    close = tenon.abs(a - b) <= atol + rtol * tenon.abs(b)
    same = (a == b) | (tenon.isfinite(b) & close)
    return same | (tenon.isnan(a) & tenon.isnan(b)) if equal_nan else same


def _allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    return bool(tenon.all(_isclose(a, b, rtol, atol, equal_nan)))


def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    a, b = asarray(a1), asarray(a2)
    if a.shape != b.shape:
        return False
    same = (a == b) | (tenon.isnan(a) & tenon.isnan(b)) if equal_nan else a == b
    return bool(tenon.all(same))


def _copyto(dst: Any, src: Any) -> None:
    asarray(dst, copy=False)[...] = src


def _triangle(upper: bool) -> Callable[..., Any]:
    def eigh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803: NumPy's name
        return (tenon.eigh if upper else tenon.eigvalsh)(a, upper=_is_upper(UPLO))

    return eigh


def _is_upper(uplo: str) -> bool:
    if uplo.upper() not in ("L", "U"):
        raise ValueError(f"UPLO must be 'L' or 'U', not {uplo!r}")
    return uplo.upper() == "U"


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, *, out: Any = None,
          stream: Any = None) -> Any:
    """NumPy's norm: without ord and axis that of all elements, however many axes there are."""
    x = asarray(x)
    if axis is not None:
        return tenon.norm(x, ord, axis, keepdims, out=out, stream=stream)
    if ord is None:
        return tenon.vector_norm(x, keepdims=keepdims, out=out, stream=stream)
    if x.ndim not in (1, 2):
        raise ValueError(f"x has {x.ndim} axes: a norm with ord={ord!r} needs axis=, one axis for vectors or two for "
                         "matrices")
    return tenon.norm(x, ord, tuple(range(x.ndim)), keepdims, out=out, stream=stream)


def _cond(x: Any, p: Any = None, *, stream: Any = None) -> Any:
    x = asarray(x)
    if x.ndim >= 2 and 0 in x.shape[-2:]:
        raise numpy.linalg.LinAlgError(f"x has shape {x.shape}: matrices without elements have no condition number")
    return tenon.cond(x, p, stream=stream)


def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None,  # noqa: N803: NumPy's name
                 stream: Any = None) -> Any:
    a = asarray(A)
    if a.ndim < 2:
        return tenon.any(a, stream=stream).astype("int64")
    return tenon.matrix_rank(a, rcond=rtol, tol=tol, hermitian=hermitian, stream=stream)


def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = _NO_VALUE, stream: Any = None) -> Any:
    """NumPy's default is 1e-15; rtol=None is the array API's."""
    if rcond is not None and rtol is not _NO_VALUE:
        raise ValueError("rcond and rtol are the same threshold: pass one of them")
    relative = 1e-15 if rcond is None and rtol is _NO_VALUE else rcond if rtol is _NO_VALUE else rtol
    return tenon.pinv(a, rcond=relative, hermitian=hermitian, stream=stream)


def _lstsq(a: Any, b: Any, rcond: Any = None, *, stream: Any = None) -> Any:
    """(x, residuals, rank, s). residuals: the squared lengths of b - a x, one for each column of b; none if a has no
    full rank or no more rows than columns."""
    a, b = asarray(a), asarray(b)
    if rcond is not None and rcond < 0:  # the rounding error of the dtype, without the extents
        rcond = 2.0 ** -23 if tenon.result_type(a, b).name in ("float32", "complex64") else 2.0 ** -52
    found = tenon.lstsq(a, b, rcond=rcond, stream=stream)
    rank = int(found.rank)
    residuals = tenon.zeros((0,), found.s.dtype, device=a.device, stream=stream)
    if rank == a.shape[-1] < a.shape[-2]:
        error = tenon.abs(tenon.subtract(b, tenon.matmul(a, found.x, stream=stream), stream=stream), stream=stream)
        residuals = tenon.sum(tenon.square(error, stream=stream).reshape((a.shape[-2], -1)), 0, stream=stream)
    return found.x, residuals, rank, found.s


def _c_order(order: str | None, name: str) -> None:
    if order not in (None, "C", "K", "A"):
        raise TypeError(f"{name}(order={order!r}): new arrays of Tenon are C-ordered; take the transposed view, "
                        "array.T, of one")


def _size(a: Any, axis: Any = None) -> int:
    a = asarray(a)
    axes = () if axis is None else (axis,) if hasattr(axis, "__index__") else tuple(axis)
    return a.size if axis is None else math.prod(a.shape[one] for one in axes)


def _copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    _c_order(order, "copy")
    return asarray(a, copy=True)


def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    return tenon.subtract(tenon.max(a, axis, keepdims=bool(keepdims)), tenon.min(a, axis, keepdims=bool(keepdims)),
                          out=out)


def _convolved(name: str, usual: str) -> Callable[..., Any]:
    """convolve or correlate. Tenon's has no integers, which NumPy sums exactly, and does not exchange its operands."""
    def call(a: Any, v: Any, mode: str = usual) -> Any:
        x, y = together(asarray(a), asarray(v))
        longer = y.size > x.size
        if x.dtype.kind in "biu" or (longer and name == "correlate"):
            return by_numpy(getattr(numpy, name), name, (x, y), {"mode": mode})
        return getattr(tenon, name)(*((y, x) if longer else (x, y)), mode)

    call.__name__ = name
    return call


def _append(arr: Any, values: Any, axis: int | None = None) -> Any:
    arr = asarray(arr)
    values = values if isinstance(values, Array) else asarray(values, device=arr.device)
    if axis is None:
        arr, values, axis = arr.reshape((-1,)), values.reshape((-1,)), 0
    return tenon.concat((arr, values), axis=axis)


def _at_least(ndim: int) -> Callable[..., Any]:
    def wide(array: Any) -> Any:
        array = asarray(array)
        if ndim == 3 and array.ndim in (1, 2):  # NumPy's places for the new axes
            return array.reshape((1, *array.shape, 1)[array.ndim - 1:])
        return array.reshape((1,) * max(0, ndim - array.ndim) + array.shape)

    def at_least(*arys: Any) -> Any:
        return wide(arys[0]) if len(arys) == 1 else tuple(map(wide, arys))

    return at_least


def _rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    m = asarray(m)
    first, second = (one + m.ndim if one < 0 else one for one in axes)
    if first == second or not (0 <= first < m.ndim and 0 <= second < m.ndim):
        raise ValueError(f"axes is {axes}: two different axes of an array with {m.ndim} are rotated")
    if k % 4 in (0, 2):
        return tenon.flip(m, axis=(first, second)) if k % 4 else m
    return tenon.flip(m.swapaxes(first, second), axis=(first if k % 4 == 1 else second))


def _nan_to_num(x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("Tenon's nan_to_num has no complex numbers: apply it to real(x) and imag(x)")
    made = x
    if x.dtype.kind == "f" or x.dtype.name == "bfloat16":
        limits = tenon.finfo(x.dtype)
        made = tenon.where(tenon.isnan(x), nan, x)
        made = tenon.where(x == float("inf"), limits.max if posinf is None else posinf, made)
        made = tenon.where(x == float("-inf"), limits.min if neginf is None else neginf, made)
    elif copy:
        made = asarray(x, copy=True)
    if copy:
        return made
    x[...] = made
    return x


def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    a = asarray(a)
    if weights is None:
        made = tenon.mean(a, axis=axis, keepdims=keepdims)
        return (made, tenon.full_like(made, a.size / max(made.size, 1))) if returned else made
    weights = asarray(weights)
    if weights.shape != a.shape:
        if weights.ndim != 1 or not isinstance(axis, int) or weights.size != a.shape[axis]:
            raise ValueError(f"average of shape {a.shape} takes weights of that shape, or one for each index along an "
                             f"axis, not of shape {weights.shape}")
        weights = weights.reshape([-1 if at == axis % a.ndim else 1 for at in range(a.ndim)]).broadcast_to(a.shape)
    total = tenon.sum(weights, axis=axis, keepdims=keepdims)
    if tenon.any(total == 0):
        raise ZeroDivisionError("average: the sum of the weights is 0")
    made = tenon.divide(tenon.sum(tenon.multiply(a, weights), axis=axis, keepdims=keepdims), total)
    return (made, total) if returned else made


def _column_stack(tup: Sequence[Any]) -> Any:
    arrays = [asarray(one) for one in tup]
    return tenon.concat([one.reshape(-1, 1) if one.ndim < 2 else one for one in arrays], axis=1)


def _dstack(tup: Sequence[Any]) -> Any:
    return tenon.concat([_at_least(3)(one) for one in tup], axis=2)


def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    ary = asarray(ary)
    if hasattr(indices_or_sections, "__iter__"):
        return tenon.split(ary, indices_or_sections, axis=axis)
    parts = int(indices_or_sections)
    if parts < 1:
        raise ValueError(f"array_split makes one part or more, not {parts}")
    least, more = divmod(ary.shape[axis], parts)  # the first `more` parts are one longer
    return tenon.split(ary, [least * at + min(at, more) for at in range(1, parts)], axis=axis)


def _logspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None, *,
              device: Any = None) -> Any:
    made = tenon.pow(base, tenon.linspace(start, stop, num, endpoint=endpoint, device=device))
    return made if dtype is None else made.astype(dtype)


_OWN: dict[str, Callable[..., Any]] = {
    **FUNCTIONS,
    "average": _average, "column_stack": _column_stack, "dstack": _dstack, "array_split": _array_split,
    "logspace": _logspace,
    "shape": lambda a: asarray(a).shape, "ndim": lambda a: asarray(a).ndim, "size": _size, "copy": _copy,
    "iscomplexobj": lambda x: asarray(x).dtype.kind == "c", "isrealobj": lambda x: asarray(x).dtype.kind != "c",
    "ptp": _ptp, "append": _append, "convolve": _convolved("convolve", "full"),
    "correlate": _convolved("correlate", "valid"), "atleast_1d": _at_least(1), "atleast_2d": _at_least(2),
    "atleast_3d": _at_least(3), "fliplr": lambda m: tenon.flip(asarray(m), axis=1),
    "flipud": lambda m: tenon.flip(asarray(m), axis=0), "rot90": _rot90, "nan_to_num": _nan_to_num,
    "where": _where, "diagonal": _diagonal, "trace": _trace, "round": _round, "around": _round, "ravel": _ravel,
    "transpose": _transpose, "swapaxes": _swapaxes, "outer": _outer,
    "hstack": _joined(1), "vstack": _joined(0), "isclose": _isclose, "allclose": _allclose,
    "array_equal": _array_equal, "copyto": _copyto, "amax": tenon.max, "amin": tenon.min,
    "linalg.eigh": _triangle(True), "linalg.eigvalsh": _triangle(False),
    "linalg.outer": tenon.outer, "linalg.diagonal": tenon.diagonal, "linalg.trace": tenon.trace,
    "linalg.matrix_norm": tenon.array_api.linalg.matrix_norm, "linalg.norm": _norm, "linalg.cond": _cond,
    "linalg.matrix_rank": _matrix_rank, "linalg.pinv": _pinv, "linalg.lstsq": _lstsq,
}


# --- NumPy's arguments ---------------------------------------------------------------------------------------------

def find(name: str) -> Callable[..., Any] | None:
    """Tenon's function for a name of NumPy's ("sum", "linalg.svd", "fft.rfft"), with NumPy's arguments; None if Tenon
    does not have it."""
    return _find(name)


@functools.lru_cache(None)
def _find(name: str) -> Callable[..., Any] | None:
    own = _OWN.get(name)
    if own is not None:
        return own
    module, _, short = name.rpartition(".")
    if module not in ("", "linalg", "fft") or short.startswith("_"):
        return None
    if not module and short in ("fft", "random", "linalg", "info"):
        return None
    theirs = getattr(getattr(numpy, module) if module else numpy, short, None)
    ours = getattr(tenon.array_api, short) if short in _STANDARD and not module else getattr(tenon, short, None)
    if not callable(theirs) or not callable(ours) or isinstance(ours, type):
        return None
    return _with_arguments(name, ours, theirs)


def _with_arguments(name: str, ours: Callable[..., Any], theirs: Any) -> Callable[..., Any]:
    """Tenon's function with NumPy's arguments."""
    try:
        signature = inspect.signature(theirs)
    except ValueError:
        return ours
    kinds = {one.kind for one in signature.parameters.values()}
    if inspect.Parameter.VAR_POSITIONAL in kinds or isinstance(theirs, numpy.ufunc):
        return ours
    mapped = _mapped(inspect.signature(ours), signature)
    order = [one.name for one in signature.parameters.values() if one.kind is not inspect.Parameter.KEYWORD_ONLY]
    first = [one.name for one in inspect.signature(ours).parameters.values()
             if one.kind is inspect.Parameter.POSITIONAL_ONLY]
    defaults: dict[Any, Any] = {mapped[one.name]: one.default for one in signature.parameters.values()
                if mapped.get(one.name) and one.default not in (inspect.Parameter.empty, None, _NO_VALUE)
                and inspect.signature(ours).parameters[mapped[one.name] or ""].default != one.default
                and isinstance(one.default, str)}

    @functools.wraps(ours)
    def call(*args: Any, **keywords: Any) -> Any:
        if len(args) > len(order):
            raise TypeError(f"{name} takes {len(order)} arguments by position, and {len(args)} were given")
        values: dict[str, Any] = dict(defaults)
        for given, value in (*zip(order, args), *keywords.items()):
            target = mapped.get(given, given)
            if target is None:
                _left_out(name, given, value, signature)
            else:
                values[target] = value
        return ours(*[values.pop(one) for one in first if one in values], **values)

    return call


def _mapped(ours: inspect.Signature, theirs: inspect.Signature) -> dict[str, str | None]:
    """Tenon's name for each of NumPy's parameters; None: Tenon does not have the parameter."""
    here = list(ours.parameters)
    mapped: dict[str, str | None] = {}
    for index, name in enumerate(theirs.parameters):
        other = _RENAMED.get(name, name)
        if other in here:
            mapped[name] = other
        elif index < len(here) and here[index] not in theirs.parameters \
                and ours.parameters[here[index]].kind is not inspect.Parameter.KEYWORD_ONLY:
            mapped[name] = here[index]
        else:
            mapped[name] = None
    return mapped


def _left_out(name: str, keyword: str, value: Any, signature: inspect.Signature) -> None:
    """Checks a keyword that Tenon does not have: only values that have no effect are accepted."""
    if keyword == "order":
        return _c_order(value, name)
    default = signature.parameters[keyword].default
    if value is None or value is _NO_VALUE or value is default \
            or (isinstance(value, (bool, int, str)) and value == default) \
            or keyword in ("subok", "like", "optimize", "kind", "stable", "assume_unique"):
        return None
    raise TypeError(f"Tenon's {name} has no {keyword}=: on the CPU numpy.{name}(numpy.asarray(x), {keyword}=...) "
                    "computes it")


# --- the protocols -------------------------------------------------------------------------------------------------

def array_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Array.__array_ufunc__."""
    out = keywords.pop("out", ())
    name = ufunc.__name__
    function = None
    if keywords.get("where", True) is True and len(out) < 2:
        keywords.pop("where", None)
        if method == "__call__" and not keywords.keys() - {"dtype", "casting", "order", "subok"}:
            function = find(name) if name in ("matmul", "vecdot") else getattr(tenon, name) if name in _table else None
        elif method == "reduce" and name in _REDUCED and keywords.get("initial", _NO_VALUE) is _NO_VALUE:
            return _reduced(_REDUCED[name], inputs, out, keywords)
        elif method == "accumulate" and name in _ACCUMULATED:
            return _accumulated(_ACCUMULATED[name], inputs, out, keywords)
        elif method == "outer" and name in _table and not keywords:
            a, b = map(asarray, inputs)
            return _into(getattr(tenon, name), (a.reshape(a.shape + (1,) * b.ndim), b), out)
    if function is None:
        call = ufunc if method == "__call__" else getattr(ufunc, method)
        if out:
            keywords["out"] = out
        return by_numpy(call, f"{name}{'' if method == '__call__' else '.' + method}", inputs, keywords)
    if keywords.get("dtype") is not None:
        inputs = tuple(asarray(one).astype(keywords["dtype"], copy=False) for one in inputs)
    return _into(function, inputs, out)


def _reduced(name: str, inputs: tuple[Any, ...], out: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    options = {"axis": keywords.get("axis", 0), "keepdims": bool(keywords.get("keepdims", False))}
    if keywords.get("dtype") is not None and name in ("sum", "prod"):
        options["dtype"] = keywords["dtype"]
    return _into(functools.partial(getattr(tenon, name), **options), inputs[:1], out)


def _accumulated(name: str, inputs: tuple[Any, ...], out: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    axis = inputs[1] if len(inputs) > 1 else keywords.get("axis", 0)
    return _into(functools.partial(getattr(tenon, name), axis=axis), inputs[:1], out)


def _into(function: Callable[..., Any], inputs: Sequence[Any], out: tuple[Any, ...]) -> Any:
    """Calls the function with out=, converting the result to out's dtype if NumPy's rule "same_kind" allows it."""
    if not out or out[0] is None:
        return function(*inputs)
    try:
        return function(*inputs, out=out[0])
    except DTypeError:
        made = function(*inputs)
        target = asarray(out[0], copy=False)
        if not numpy.can_cast(made.dtype.dtype, target.dtype.dtype, "same_kind"):
            raise
    target[...] = made
    return out[0]


def array_function(function: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    """Array.__array_function__."""
    module = function.__module__.removeprefix("numpy").removeprefix(".")
    name = f"{module}.{function.__name__}" if module in ("linalg", "fft") else function.__name__
    ours = find(name)
    if ours is not None:
        try:
            return ours(*args, **keywords)
        except TypeError as error:  # arguments that Tenon's function does not accept
            if isinstance(error, TenonError) or not _on_cpu((args, keywords)):
                raise
    return by_numpy(function, name, args, dict(keywords))


def by_numpy(function: Callable[..., Any], name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A function that Tenon does not have: NumPy's own function on the same memory, which must be the CPU's."""
    if not _on_cpu((args, keywords)):
        raise TypeError(f"Tenon has no {name}, and NumPy can compute it only on the CPU: pass array.numpy()")
    lent: _Lent = {}
    return _taken(function(*_lend(args, lent), **_lend(keywords, lent)), lent)


def _on_cpu(values: Any) -> bool:
    if isinstance(values, Array):
        return values.device.kind == "cpu"
    if isinstance(values, (tuple, list)):
        return all(map(_on_cpu, values))
    return not isinstance(values, dict) or all(map(_on_cpu, values.values()))


_Lent = dict[int, tuple[Any, Array]]  # by id, NumPy's arrays and the Tenon arrays whose memory they share


def _lend(values: Any, lent: _Lent) -> Any:
    """The values, with Tenon's arrays replaced by NumPy arrays."""
    if isinstance(values, Array):
        view = values.numpy()
        lent[id(view)] = view, values
        return view
    if isinstance(values, dict):
        return {name: _lend(value, lent) for name, value in values.items()}
    return _each(lambda one: _lend(one, lent), values) if isinstance(values, (tuple, list)) else values


def _each(function: Callable[[Any], Any], values: Any) -> Any:
    several = [function(one) for one in values]
    if isinstance(values, list):
        return several
    return type(values)(*several) if hasattr(values, "_fields") else tuple(several)


def _taken(result: Any, lent: _Lent) -> Any:
    """The result, with NumPy's arrays and numbers replaced by Tenon arrays; a lent array becomes its original."""
    if isinstance(result, numpy.ndarray):
        if id(result) in lent:
            return lent[id(result)][1]
        return asarray(result) if result.dtype.kind in "biufcV" else result
    if isinstance(result, numpy.generic):
        return asarray(result) if result.dtype.kind in "biufc" else result
    return _each(lambda one: _taken(one, lent), result) if isinstance(result, (tuple, list)) else result
