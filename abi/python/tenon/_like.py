"""Results belong to the library of the inputs: PyTorch tensors give tensors, everything else gives Arrays.

The public functions of the package are wrapped here, once: given a PyTorch tensor they run on PyTorch's current stream
and return tensors of its class. If a derivative is required, they become nodes of PyTorch's autograd graph, provided
that _torch_gradients has a rule for them."""

from __future__ import annotations

import functools
import sys
from typing import Any
from collections.abc import Callable, Sequence

from . import _dynamo, _raw
from ._array import Array
from ._library import core
from ._operators import REDUCE
from ._torch import imported, of_class


def first_tensor(values: Sequence[Any]) -> Any:
    """The first PyTorch tensor among the arguments of a call or in a list among them; None if there is none."""
    torch = imported()
    if torch is None:
        return None
    for value in values:
        if type(value) is Array:
            continue
        if isinstance(value, torch.Tensor):
            return value
        if isinstance(value, (list, tuple)) and not core.all_arrays(value):
            found = next((one for one in value if isinstance(one, torch.Tensor)), None)
            if found is not None:
                return found
    return None


def as_tensors(result: Any, like: Any) -> Any:
    """The result with its Arrays, including those in tuples and lists, as tensors of the class of `like`."""
    if isinstance(result, Array):
        return of_class(result.torch(), like)
    if isinstance(result, tuple):
        several = [as_tensors(one, like) for one in result]
        return type(result)(*several) if hasattr(result, "_fields") else tuple(several)
    return [as_tensors(one, like) for one in result] if isinstance(result, list) else result


# The functions that PyTorch can trace: those with a rule in _torch_gradients.
TRACED = {"matmul", "inv", "solve", "cholesky", "eigh", "eigvalsh", "svd", "svdvals", "fft", "fft2", "fftn", "ifft",
          "ifft2", "ifftn", "rfft", "rfft2", "rfftn", "irfft", "irfft2", "irfftn", "hfft", "ihfft"}

# Functions, and modules of functions, that write only to what is given as out=.
_PURE = {"tenon._functions", "tenon._reductions", "matmul", "fft", "ifft"}

# What core.direct calls these functions of _compute, to which most functions hand on their arguments.
_DIRECT = {"unary": 1, "binary": 2, "reduce": REDUCE}
_MATMUL = 4


def _direct(function: Callable[..., Any]) -> Any:
    """The compiled version for calls with operands alone (and axes, of a reduction), of a function that hands them on
    to the library; None of other functions."""
    names = function.__code__.co_names  # of `return unary(_raw.TENON_FN_SIN, x, out, stream)`
    if function.__module__ in _PURE and len(names) == 3 and names[0] in _DIRECT and names[2].startswith("TENON_FN_"):
        return core.direct(_DIRECT[names[0]], getattr(_raw, names[2]))
    return core.direct(_MATMUL, 0) if (function.__module__, function.__name__) == ("tenon._linalg", "matmul") else None


_gradients: Any = None  # the module with the gradient rules, which imports PyTorch


def _with_gradients() -> Any:
    global _gradients
    from . import _torch_gradients

    _gradients = _torch_gradients
    return _gradients


def like_inputs(function: Callable[..., Any], module: str) -> Callable[..., Any]:
    """Wraps the function so that its results belong to the library of its arguments."""

    # whether it writes to none of its positional arguments
    pure = function.__module__ in _PURE or function.__module__.startswith("tenon.") and function.__name__ in _PURE
    direct = _direct(function)

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if not keywords:
            if direct is not None and (made := direct(args)) is not NotImplemented:
                return made
            for value in args:
                if type(value) is not Array:
                    break
            else:
                return function(*args)
            if pure and "torch" in sys.modules and (made := core.on_tensors(function, args)) is not NotImplemented:
                return as_tensors(made, first_tensor(args)) if isinstance(made, (Array, tuple, list)) else made
        like = first_tensor(args) if not keywords else first_tensor((*args, *keywords.values()))
        if like is None:
            return function(*args, **keywords)
        rules = _gradients or _with_gradients()
        if rules.wanted(function, args, keywords):
            return rules.tracked(function, args, keywords, like)
        out = keywords.get("out")
        result = function(*args, **keywords)
        return out if out is not None and not isinstance(out, (tuple, list)) else as_tensors(result, like)

    call.__module__ = module  # where pickle and users find it
    if module == "tenon" and function.__name__ in TRACED:
        _dynamo.allow(call)
    else:
        _dynamo.refuse(call, f"{module}.{function.__name__} is not among the functions of Tenon that PyTorch can trace, "
                             "such as tenon.matmul: call it outside of the compiled function, or leave out "
                             "fullgraph=True")
    return call
