"""Calls that PyTorch traces: under torch.compile, torch.export, make_fx and FakeTensor, tensors have no memory, and what
is called must be an operation of PyTorch's dispatcher.

The functions of Tenon on which the rules of _torch_gradients are built are such operations here, torch.ops.tenon.NAME,
each with the shape and dtype of its result. Only traced calls use them."""

from __future__ import annotations

import functools
import itertools
import re
import weakref
from typing import Any
from collections.abc import Callable, Iterable, Mapping, Sequence

import torch
from torch.autograd import forward_ad
from torch._subclasses import FakeTensor
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from ._eigen import eigh
from ._fft import fftn, ifftn, irfftn, rfftn
from ._linalg import matmul, svd
from ._solve import cholesky, inv, solve

_modes = torch._C._len_torch_dispatch_stack  # how many modes of __torch_dispatch__ are active
_MEMORY = torch.Tensor, torch.nn.Parameter  # classes whose tensors have memory, unless their device is "meta"


def without_memory(value: Any) -> bool:
    """Whether it is a tensor that only describes one."""
    return isinstance(value, torch.Tensor) and (value.is_meta or type(value) not in _MEMORY and (
        isinstance(value, FakeTensor) or is_traceable_wrapper_subclass(value)))


def is_traced(values: Iterable[Any]) -> bool:
    """Whether a call with these arguments must be an operation of the dispatcher."""
    return bool(_modes()) or any(map(without_memory, values))


def has_tangent(value: Any) -> bool:
    """Whether it is a tensor of which forward mode follows the derivative."""
    return (forward_ad._current_level >= 0 and isinstance(value, torch.Tensor)
            and forward_ad.unpack_dual(value).tangent is not None)


def to_share(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor as one whose memory may be shared; BufferError if PyTorch computes with more than its memory."""
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        raise BufferError("a tensor within torch.func's functions (vmap, grad, jvp ...) stands for others and has no "
                          "memory to share: an operation of a package has rules for them (tenon.plugins.load_text and "
                          "tenon.ops)")
    if has_tangent(tensor):
        raise BufferError("the tensor has a tangent, and forward mode does not follow what is done with its memory: "
                          "pass its .detach()")
    # PyTorch's rule: within no_grad() it is like any other tensor
    return tensor.detach() if tensor.requires_grad and not torch.is_grad_enabled() else tensor


def is_recorded() -> bool:
    """Whether make_fx or torch.export records the operations of the dispatcher, and only those."""
    from torch.fx.experimental.proxy_tensor import get_proxy_mode

    return bool(_modes()) and get_proxy_mode() is not None


# --- shapes and dtypes of results ------------------------------------------------------------------------------------

def _square(name: str, a: torch.Tensor) -> None:
    torch._check(a.dim() >= 2 and a.shape[-1] == a.shape[-2],
                 lambda: f"tenon.{name}: the matrices must be square, but the shape is {tuple(a.shape)}")


def _real(dtype: torch.dtype) -> torch.dtype:
    return dtype.to_real() if dtype.is_complex else dtype


def _complex(dtype: torch.dtype) -> torch.dtype:
    return dtype if dtype.is_complex else torch.complex128 if dtype == torch.float64 else torch.complex64


def _of_matmul(a: torch.Tensor, b: torch.Tensor, *, compute: str) -> Any:
    torch._check(a.shape[-1] == b.shape[-2],
                 lambda: f"tenon.matmul: a is {tuple(a.shape)} and b is {tuple(b.shape)}: the columns of a must be as "
                         "many as the rows of b")
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty((*batch, a.shape[-2], b.shape[-1]))


def _of_solve(a: torch.Tensor, b: torch.Tensor, *, kind: str, unit_diagonal: bool) -> Any:
    _square("solve", a)
    torch._check(a.shape[-1] == b.shape[-2],
                 lambda: f"tenon.solve: a is {tuple(a.shape)} and b is {tuple(b.shape)}: b must have as many rows as a")
    return b.new_empty((*torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:]))


def _of_square(name: str) -> Callable[..., Any]:
    def same(a: torch.Tensor) -> Any:
        _square(name, a)
        return a.new_empty(a.shape)

    return same


def _of_eigh(a: torch.Tensor, *, upper: bool) -> Any:
    _square("eigh", a)
    return a.new_empty(a.shape[:-1], dtype=_real(a.dtype)), a.new_empty(a.shape)


def _of_svd(a: torch.Tensor, *, full_matrices: bool, driver: str) -> Any:
    torch._check(a.dim() >= 2, lambda: f"tenon.svd takes matrices, but the shape is {tuple(a.shape)}")
    *batch, m, n = a.shape
    k = torch.sym_min(m, n)
    return (a.new_empty((*batch, m, k)), a.new_empty((*batch, k), dtype=_real(a.dtype)), a.new_empty((*batch, k, n)))


def _of_transform(x: torch.Tensor, *, axes: Sequence[int], norm: str | None) -> Any:
    return x.new_empty(x.shape, dtype=_complex(x.dtype))


def _with_extents(x: torch.Tensor, axes: Sequence[int], extents: Sequence[Any], dtype: torch.dtype) -> Any:
    shape = list(x.shape)
    for axis, extent in zip(axes, extents):
        shape[axis] = extent
    return x.new_empty(shape, dtype=dtype)


def _of_rfftn(x: torch.Tensor, *, axes: Sequence[int], norm: str | None) -> Any:
    return _with_extents(x, axes[-1:], [x.shape[axes[-1]] // 2 + 1], _complex(x.dtype))


def _of_irfftn(x: torch.Tensor, *, s: Sequence[Any], axes: Sequence[int], norm: str | None) -> Any:
    return _with_extents(x, axes, s, _real(x.dtype))


# Each function with its arguments as PyTorch declares them, the number of its results, and their shapes.
_AXES = "*, int[] axes, str? norm"
_FUNCTIONS: tuple[tuple[Callable[..., Any], str, int, Callable[..., Any]], ...] = (
    (matmul, "Tensor a, Tensor b, *, str compute", 1, _of_matmul),
    (inv, "Tensor a", 1, _of_square("inv")),
    (cholesky, "Tensor a", 1, _of_square("cholesky")),
    (solve, "Tensor a, Tensor b, *, str kind, bool unit_diagonal", 1, _of_solve),
    (eigh, "Tensor a, *, bool upper", 2, _of_eigh),
    (svd, "Tensor a, *, bool full_matrices, str driver", 3, _of_svd),
    (fftn, f"Tensor x, {_AXES}", 1, _of_transform),
    (ifftn, f"Tensor x, {_AXES}", 1, _of_transform),
    (rfftn, f"Tensor x, {_AXES}", 1, _of_rfftn),
    (irfftn, "Tensor x, *, SymInt[] s, int[] axes, str? norm", 1, _of_irfftn),
)


def run(function: Callable[..., Any], *tensors: torch.Tensor, **options: Any) -> Any:
    """Calls the function on tensors that have memory, without their autograd history."""
    made = function(*(tensor.detach().resolve_conj() for tensor in tensors), **options)
    return tuple(one.torch() for one in made) if isinstance(made, tuple) else made.torch()


@functools.cache
def _operations() -> Mapping[Any, Callable[..., Any]]:
    """The functions in PyTorch's dispatcher, which are defined at the first traced call."""
    library = torch.library.Library("tenon", "FRAGMENT")
    operations: dict[Any, Any] = {None: library}  # which takes its operations with it
    for function, parameters, results, shapes in _FUNCTIONS:
        name = function.__name__
        returns = "Tensor" if results == 1 else f"({', '.join(['Tensor'] * results)})"
        library.define(f"{name}({parameters}) -> {returns}", tags=(torch.Tag.pt2_compliant_tag,))
        for device in ("CPU", "CUDA"):
            library.impl(name, functools.partial(run, function), device)
        torch.library.register_fake(f"tenon::{name}", shapes, lib=library)
        operations[function] = getattr(torch.ops.tenon, name).default
    return operations


def call(function: Callable[..., Any], *tensors: torch.Tensor, **options: Any) -> Any:
    """A call as an operation of the dispatcher."""
    return _operations()[function](*tensors, **options)


# --- launches --------------------------------------------------------------------------------------------------------

def device_of(args: Sequence[Any]) -> str:
    """The device of the first tensor among the arguments."""
    found = next(value.device for value in args if isinstance(value, torch.Tensor))
    if found.type == "meta":
        raise RuntimeError("tensors on the device meta have no memory for a kernel: torch.compile and FakeTensor trace launches")
    return f"{found.type}:{found.index or 0}"


_LAUNCH = "SymInt[] grid, SymInt[] block, int shared, bool cooperative, int[] cluster, bool programmatic"
_launches: weakref.WeakKeyDictionary[Any, dict[tuple[str, ...], Any]] = weakref.WeakKeyDictionary()
_numbers = itertools.count()


def _declared(compiled: Any, index: int, value: Any) -> str:
    """The argument in the schema of a launch."""
    if isinstance(value, torch.Tensor):
        parameter = compiled.parameters[index] if index < len(compiled.parameters) else None
        constant = parameter is not None and (parameter.read_only or parameter.kind != "pointer")
        return f"Tensor a{index}" if constant else f"Tensor(t{index}!) a{index}"
    for kind, name in ((bool, "bool"), ((int, torch.SymInt), "SymInt"), ((float, torch.SymFloat), "float"),
                       (type(None), "Tensor?")):
        if isinstance(value, kind):
            return f"{name} a{index}"
    raise TypeError(f"{compiled._place(index)}: a launch that PyTorch traces takes tensors and numbers, not "
                    f"{type(value).__name__}")


def _operation_of(kernel: Any, declared: tuple[str, ...]) -> Any:
    """The launch as an operation of the dispatcher, with arguments of these kinds."""
    known = _launches.setdefault(kernel, {})
    if declared not in known:
        name, library = f"{re.sub(r'[^0-9a-zA-Z_]', '_', kernel.name)}_{next(_numbers)}", torch.library.Library("tenon_kernels", "FRAGMENT")
        library.define(f"{name}({', '.join([_LAUNCH, *declared])}) -> ()", tags=(torch.Tag.pt2_compliant_tag,))
        again = weakref.ref(kernel)

        def run_launch(grid: Any, block: Any, shared: int, cooperative: bool, cluster: Any, programmatic: bool,
                       *args: Any) -> None:
            again()(tuple(grid), tuple(block), args, shared=shared, cooperative=cooperative,  # type: ignore[misc]
                    cluster=tuple(cluster), programmatic=programmatic)

        for device in ("CPU", "CUDA"):
            library.impl(name, run_launch, device)
        torch.library.register_fake(f"tenon_kernels::{name}", lambda *args: None, lib=library)
        known[declared] = library, getattr(torch.ops.tenon_kernels, name).default
    return known[declared][1]


def launch(kernel: Any, compiled: Any, grid: Any, block: Any, args: Sequence[Any], *, shared: int = 0,
           stream: Any = None, cooperative: bool = False, cluster: Any = (0, 0, 0), programmatic: bool = False) -> None:
    """A launch as an operation of the dispatcher, which knows what the kernel writes. `compiled` is the kernel on the
    tensors' device."""
    for index, value in enumerate(args):
        if isinstance(value, torch.Tensor) and value.requires_grad and torch.is_grad_enabled():
            raise RuntimeError(f"{compiled._place(index)} requires a gradient, and a kernel has none: pass its .detach(), or make the "
                               "kernel an operation with a gradient (tenon.plugins.load_text and tenon.torch.register)")
    if stream is not None:
        raise TypeError("a launch that PyTorch traces runs on PyTorch's current stream: leave out stream=")
    declared = tuple(_declared(compiled, index, value) for index, value in enumerate(args))
    extents = [list(one) if isinstance(one, (tuple, list)) else [one] for one in (grid, block, cluster)]
    _operation_of(kernel, declared)(extents[0], extents[1], shared, cooperative, extents[2], programmatic, *args)
