"""Operations of packages in PyTorch's graph of derivatives: backward calls the operation that the contract names as gradient."""

from __future__ import annotations

import sys
from typing import Any, Callable, Mapping, Sequence

_function: Any = None


def tracked(operation: Any, values: Mapping[str, Any]) -> "list[str]":
    """Names of the inputs that PyTorch wants derivatives for. Refuses those for which there are none."""
    torch = sys.modules["torch"]
    if not torch.is_grad_enabled():
        return []
    names = [name for name, value in values.items() if isinstance(value, torch.Tensor) and value.requires_grad]
    if not names:
        return []
    title = f"{operation.description['package']}/{operation.__name__}"
    gradient = operation.gradient
    if gradient is None:
        raise RuntimeError(f"{title} has no gradient, and {names[0]} requires one: pass {names[0]}.detach()")
    given = {one["name"] for one in gradient.description["parameters"] if one["role"] == "out"}
    for name in names:
        if "grad_" + name not in given:
            raise RuntimeError(f"{title} has no gradient for {name}, which requires one: pass {name}.detach()")
    return names


def detached(values: Mapping[str, Any]) -> "dict[str, Any]":
    """The same without PyTorch's history, so that memory can be shared."""
    torch = sys.modules["torch"]
    return {name: value.detach() if isinstance(value, torch.Tensor) else value for name, value in values.items()}


def apply(operation: Any, run: "Callable[[Mapping[str, Any]], Sequence[Any]]", values: Mapping[str, Any], names: "Sequence[str]") -> "tuple[Any, ...]":
    """run(values), the operation's outputs, as a node of the graph."""
    results = _make().apply(operation, run, dict(values), tuple(names), *(values[name] for name in names))
    return results if isinstance(results, tuple) else (results,)


def _make() -> Any:
    global _function
    if _function is not None:
        return _function
    torch = sys.modules["torch"]

    class TenonOperation(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, operation: Any, run: Any, values: Any, names: Any, *tensors: Any) -> Any:
            results = tuple(run(detached(values)))
            outputs = [one["name"] for one in operation.description["parameters"] if one["role"] == "out"]
            known = {**values, **dict(zip(outputs, results))}
            ctx.mark_non_differentiable(*(known[one["name"]] for one in operation.description["parameters"] if one.get("saved")))
            wanted = [one["name"] for one in operation.gradient.description["parameters"] if one["role"] != "out" and one["name"] in known]
            ctx.operation, ctx.names, ctx.outputs = operation, names, outputs
            ctx.shapes = [tensor.shape for tensor in tensors]
            ctx.kept = [name for name in wanted if isinstance(known[name], torch.Tensor)]
            ctx.plain = {name: known[name] for name in wanted if name not in ctx.kept}
            ctx.save_for_backward(*(known[name] for name in ctx.kept))
            return results if len(results) != 1 else results[0]

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            gradient = ctx.operation.gradient
            # Where a graph of the derivative itself is asked for, this call is tracked as any other: the gradient's own gradient, or a refusal.
            values = {**ctx.plain, **dict(zip(ctx.kept, ctx.saved_tensors))}
            for name, value in zip(ctx.outputs, gradients):
                values["grad_" + name] = value.contiguous()
            parameters = gradient.description["parameters"]
            made = gradient(**{one["name"]: values[one["name"]] for one in parameters if one["name"] in values})
            outputs = [one["name"] for one in parameters if one["role"] == "out"]
            found = dict(zip(outputs, made if isinstance(made, tuple) else (made,)))
            # Where an input was broadcast, each of its elements had a part in several outputs.
            back = [found["grad_" + name] for name in ctx.names]
            back = [one if one.shape == shape else one.sum_to_size(shape) for one, shape in zip(back, ctx.shapes)]
            return (None, None, None, None, *back)

    _function = TenonOperation
    return _function
