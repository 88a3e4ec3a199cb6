"""PyTorch's part in a call: its tensors are known by isinstance, writes into them are counted, and results are of the caller's class."""

from __future__ import annotations

import sys
from typing import Any
from collections.abc import Iterable, Mapping

from ._library import core

# Graphs that are being recorded, by the handle of their stream: what is written there is written at each launch.
recording: dict[int, Any] = {}


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def written(*values: Any, stream: Any = None) -> None:
    """Counts a write into each tensor among the values as PyTorch's in-place operations do: backward() then refuses to use a tensor
    whose elements are no longer those that it was saved with. `stream` is the one that the work was put on."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    graph = None if stream is None or not tensors else recording.get(stream._handle)
    if graph is None:
        count(tensors)
    else:
        graph._written.setdefault(len(graph) - 1, []).extend(map(detached, tensors))


def launched(tensors: Mapping[int, Any], stream: Any) -> None:
    """The same for a kernel of the user's, with those of its arguments that it writes by their numbers: a graph's can be replaced."""
    graph = None if stream is None else recording.get(stream._handle)
    if graph is None:
        count(tensors.values())
    else:
        node = len(graph) - 1
        graph._arguments.update(((node, index), detached(tensor)) for index, tensor in tensors.items())


def detached(tensor: Any) -> Any:
    """It shares the counter, and keeps nothing of the graph of derivatives."""
    return tensor.detach()


def detached_all(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same without PyTorch's history, so that memory can be shared."""
    return {name: detached(value) if is_tensor(value) else value for name, value in values.items()}


def count(tensors: Iterable[Any]) -> None:
    for tensor in tensors:
        if not tensor.is_inference():
            sys.modules["torch"].autograd.graph.increment_version(tensor)


core.set_hooks(None, None, None, None, None, None, recording, count)


def refuse_gradients(title: str, values: Iterable[Any]) -> None:
    """For a call with out=: PyTorch's own rule, and its words."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.is_grad_enabled():
        return
    if any(isinstance(value, torch.Tensor) and value.requires_grad for value in values):
        raise RuntimeError(f"{title}: functions with out=... arguments don't support automatic differentiation, but one of the arguments "
                           "requires grad: pass its .detach(), or call within torch.no_grad()")


def result(array: Any, like: Any) -> Any:
    """An Array as a tensor of the class of `like`, unless that class has rules of its own for results."""
    return of_class(array.torch(), like)


def of_class(tensor: Any, like: Any) -> Any:
    """PyTorch's results are of their inputs' class where the class does not say otherwise by a __torch_function__ of its own."""
    torch, kind = sys.modules["torch"], type(like)
    plain = kind is torch.Tensor or getattr(kind.__torch_function__, "__func__", None) is not torch.Tensor.__torch_function__.__func__
    return tensor if plain else tensor.as_subclass(kind)
