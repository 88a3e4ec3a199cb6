"""Tenon in PyTorch.

    ops = tenon.torch.register("image")               # or a Package
    torch.ops.image.gaussian_filter(x, 2.0, mode="wrap")

registers the operations of a package in PyTorch, from the contract alone: with autograd by the gradients that the
contract names, torch.compile(fullgraph=True), torch.export, torch.func (grad, vmap, jacrev ...), FakeTensor and
make_fx.

    tenon.torch.use_allocator()

takes the memory of Tenon's arrays on GPUs from PyTorch's caching allocator.
"""

from __future__ import annotations

from typing import Any
from collections.abc import Iterator, Mapping

from . import _plugins
from ._device import as_device, devices
from ._torch import needed

__all__ = ["Operations", "register", "use_allocator"]


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


_using: set[str] = set()  # devices with PyTorch's allocator


def use_allocator(device: Any = None) -> None:
    """Takes the memory of Tenon's arrays from PyTorch's caching allocator, so that the two libraries do not keep free
    memory from each other, and torch.cuda.memory_allocated() counts both. device: a CUDA device or its name; None: all
    CUDA devices.

    Call it before the first array is made on the device. Later it raises tenon.Unsupported, because existing memory
    has another source by then. Calling it again has no effect. Memory is ordered by streams as always, and freed blocks
    of at most 1 MiB stay with Tenon until device.trim_memory(). PyTorch's CPU allocator keeps no free memory, so there
    is nothing to share on the CPU. An allocator that replaces PyTorch's own (torch.cuda.memory.change_current_allocator)
    and torch.cuda.use_mem_pool apply to Tenon's arrays, too.

        tenon.torch.use_allocator()
        x = tenon.zeros((1000, 1000), "float32", device="cuda:0")    # of PyTorch's memory
    """
    torch = needed()
    from . import _torch_native

    chosen = [one for one in devices() if one.kind == "cuda"] if device is None else [as_device(device)]
    if any(one.kind != "cuda" for one in chosen):
        raise ValueError(f"use_allocator takes a CUDA device, not {chosen[0].name}: PyTorch's allocator of CPU memory "
                         "keeps no free memory, so there is nothing to share")
    if not chosen:
        as_device("cuda:0")  # raises, and says why there is none
    torch.cuda.init()
    for one in chosen:
        if one.name not in _using:
            _torch_native.use_allocator(one)
            _using.add(one.name)
