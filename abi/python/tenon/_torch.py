"""PyTorch tensors in calls: detects them, counts writes into them, and returns results of the caller's class."""

from __future__ import annotations

import sys
from typing import Any
from collections.abc import Iterable, Mapping

from ._library import core

# Graphs that are being recorded, by the handle of their stream: a recorded write happens at each launch.
recording: dict[int, Any] = {}


def imported() -> Any:
    """PyTorch, if the program has imported it; None otherwise. Where PyTorch is not installed, `import torch` can
    succeed nevertheless: it finds any folder named torch on Python's path or in the working directory."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "Tensor") else None


def needed() -> Any:
    """PyTorch, imported now."""
    import torch

    if not hasattr(torch, "Tensor"):
        raise ImportError(f"{torch!r} is not PyTorch: it has no Tensor", name="torch")
    return torch


def is_tensor(value: Any) -> bool:
    torch = imported()
    return torch is not None and isinstance(value, torch.Tensor)


def is_traced(values: Iterable[Any]) -> bool:
    """Whether there are tensors among the values and PyTorch traces what is called with them: see _torch_traced."""
    tensors = [value for value in values if is_tensor(value)]
    if not tensors:
        return False
    from . import _torch_traced

    return _torch_traced.is_traced(tensors)


def written(*values: Any, stream: Any = None) -> None:
    """Increments the version of each tensor among the values, as PyTorch's in-place operations do: backward() then
    refuses a saved tensor that has changed. `stream` is the stream of the work."""
    torch = imported()
    if torch is None:
        return
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    graph = None if stream is None or not tensors else recording.get(stream._handle)
    if graph is None:
        count(tensors)
    else:
        graph._written.setdefault(len(graph) - 1, []).extend(map(detached, tensors))


def launched(tensors: Mapping[int, Any], stream: Any) -> None:
    """The same for a user's kernel. tensors: those it writes, by argument number, because a graph's arguments can be
    replaced."""
    graph = None if stream is None else recording.get(stream._handle)
    if graph is None:
        count(tensors.values())
    else:
        node = len(graph) - 1
        graph._arguments.update(((node, index), detached(tensor)) for index, tensor in tensors.items())


def detached(tensor: Any) -> Any:
    """The tensor without its autograd history; it shares the version counter."""
    return tensor.detach()


def detached_all(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with tensors detached from PyTorch's graph, so that their memory can be shared."""
    return {name: detached(value) if is_tensor(value) else value for name, value in values.items()}


def resolved(x: Any) -> Any:
    """A tensor that PyTorch conjugates or negates only when it is read (x.mH, x.conj().imag), as one whose memory has
    the numbers; anything else as it is."""
    return x.resolve_conj().resolve_neg() if is_tensor(x) and (x.is_conj() or x.is_neg()) else x


def count(tensors: Iterable[Any]) -> None:
    for tensor in tensors:
        if not tensor.is_inference():
            sys.modules["torch"].autograd.graph.increment_version(tensor)


core.set_hooks(None, None, None, None, None, None, recording, count)


def refuse_gradients(title: str, values: Iterable[Any]) -> None:
    """Refuses a call with out= and tensors that require gradients, as PyTorch does, with the same message."""
    torch = imported()
    if torch is None or not torch.is_grad_enabled():
        return
    if any(isinstance(value, torch.Tensor) and value.requires_grad for value in values):
        raise RuntimeError(f"{title}: functions with out=... arguments don't support automatic differentiation, but one of the arguments "
                           "requires grad: pass its .detach(), or call within torch.no_grad()")


def result(array: Any, like: Any) -> Any:
    """An Array as a tensor of the class of `like`, unless that class defines its own rule for results."""
    return of_class(array.torch(), like)


def of_class(tensor: Any, like: Any) -> Any:
    """The tensor as an instance of the class of `like`, which is PyTorch's rule for classes without their own
    __torch_function__."""
    torch, kind = sys.modules["torch"], type(like)
    function = getattr(kind.__torch_function__, "__func__", None)
    plain = kind is torch.Tensor or function is not torch.Tensor.__torch_function__.__func__
    return tensor if plain else tensor.as_subclass(kind)
