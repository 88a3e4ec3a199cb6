"""PyTorch's side of Tenon.

    ops = tenon.torch.register("image")               # or a Package
    torch.ops.image.gaussian_filter(x, 2.0, mode="wrap")

makes the operations of a package PyTorch's own, from the contract alone: autograd with the gradients that the contract
names, torch.compile(fullgraph=True), torch.export, torch.func (grad, vmap, jacrev ...), FakeTensor, make_fx.
"""

from __future__ import annotations

from typing import Any
from collections.abc import Iterator, Mapping

from . import _plugins

__all__ = ["Operations", "register"]


class Operations:
    """The operations of a registered package, as attributes: the same objects as torch.ops.PACKAGE has. A copy, and
    what is pickled and loaded again in another process, is the package registered there."""

    def __init__(self, package: Any, operations: Mapping[str, Any]):
        self._package, self._names = package, tuple(operations)
        self.__dict__.update(operations)  # plain attributes, which torch.compile follows

    def __getattr__(self, name: str) -> Any:
        names = ", ".join(self.__dict__.get("_names", ()))
        raise AttributeError(f"the package has no operation {name!r}; it has: {names}")

    def __dir__(self) -> list[str]:
        return list(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __copy__(self) -> Operations:
        return self

    def __deepcopy__(self, _memo: Any) -> Operations:
        return self

    def __reduce__(self) -> Any:
        return register, (self._package,)

    def __repr__(self) -> str:
        return f"<torch.ops.{self._package.name}: {len(self._names)} operations of {self._package!r}>"


def register(package: Any) -> Operations:
    """Makes the operations of a package torch.ops.PACKAGE.OPERATION and returns them. package: a loaded Package, or the
    name of one that is loaded or on the search path. Registering the same content again changes nothing; another
    version takes the place of the first. Operations that take no array are left out: PyTorch could not tell their
    device.

    Scalars are numbers, choices text, lists a list or one number for all entries. A parameter that the contract calls
    inout is written in place. An operation without a gradient refuses tensors that require one."""
    import torch

    from ._torch_operations import registered

    if isinstance(package, str):
        package = _plugins.named(package)
    if not isinstance(package, _plugins.Package):
        raise TypeError(f"register takes a package or its name, not {type(package).__name__}")
    namespace = getattr(torch.ops, package.name)
    return Operations(package, {name: getattr(namespace, name) for name in registered(package)})
