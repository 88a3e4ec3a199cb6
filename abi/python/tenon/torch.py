"""Tenon in PyTorch.

    ops = tenon.torch.register("image")               # or a Package
    torch.ops.image.gaussian_filter(x, 2.0, mode="wrap")

registers the operations of a package in PyTorch, from the contract alone: with autograd by the gradients that the
contract names, torch.compile(fullgraph=True), torch.export, torch.func (grad, vmap, jacrev ...), FakeTensor and
make_fx.
"""

from __future__ import annotations

from typing import Any
from collections.abc import Iterator, Mapping

from . import _plugins
from ._torch import needed

__all__ = ["Operations", "register"]


class Operations:
    """The operations of a registered package, as attributes: the same objects as in torch.ops.PACKAGE. A copy, or an
    object unpickled in another process, refers to the package registered there."""

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
    """Registers the operations of a package as torch.ops.PACKAGE.OPERATION and returns them. package: a loaded Package,
    or the name of one that is loaded or on the search path. Registering the same content again has no effect; another
    version replaces the first. Operations without array arguments are left out, because PyTorch could not determine
    their device.

    Scalars are numbers, choices are strings, and lists are lists, or one number for all entries. An inout parameter of
    the contract is written in place. An operation without a gradient refuses tensors that require one."""
    torch = needed()
    from ._torch_operations import registered

    if isinstance(package, str):
        package = _plugins.named(package)
    if not isinstance(package, _plugins.Package):
        raise TypeError(f"register takes a package or its name, not {type(package).__name__}")
    namespace = getattr(torch.ops, package.name)
    return Operations(package, {name: getattr(namespace, name) for name in registered(package)})
