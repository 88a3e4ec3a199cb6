"""Registers the operations of packages in PyTorch as torch.ops.PACKAGE.OPERATION, from their contracts.

Each operation has several implementations in PyTorch's dispatcher. A call reaches "Autograd" first. Without a gradient
that runs the operation at once; with one it adds a node to the graph whose backward calls the gradient named by the
contract, which is registered in the same way. Within transformations (torch.func, torch.compile, FakeTensor) it
redispatches to the next implementation: a rule for vmap, the contract's shapes for tensors without memory ("fake"), or
the operation itself ("CPU" and "CUDA").

The most frequent calls, on plain tensors, neither run the Python code here nor reach the dispatcher: torch.ops calls
the compiled _core.TorchCall, which runs them at once, or as a node of the graph. Where there is more to do (a mode, a
transformation, autocast, a profiler), and in C++ and TorchScript, the call goes to the dispatcher, whose implementation
for "Autograd", "CPU" and "CUDA" is the compiled _core.TorchKernel, which handles plain tensors alone. Where
_torch_native has a kernel for the operation, that is the implementation for "CPU": it needs no Python at all. It cannot
be that for "Autograd", because PyTorch's stable interface does not tell whether a tensor requires a gradient.
"""

from __future__ import annotations

import functools
import re
import threading
from typing import Any
from collections.abc import Callable, Mapping, Sequence

import torch
from torch._functorch.utils import enable_single_level_autograd_function

from . import _plugins, _raw, _shapes, _torch_native
from ._dtypes import BY_NAME
from ._errors import Unsupported
from ._handle import after_fork
from ._torch_traced import has_tangent, is_traced

_PLACES = re.compile(r"\b(i|n|coord|shape)\b")  # the names in an expression's text that depend on an element's position

_Keys = torch._C.DispatchKeySet
_Key = torch._C.DispatchKey
_saves_only = torch.autograd.function.FunctionCtx.save_for_backward.__code__.co_names == ("to_save",)
_below_autograd = torch._C._AutoDispatchBelowAutograd
_after_autograd = torch._C._after_autograd_keyset
_any_requires_grad = torch._C._any_requires_grad
_is_grad_enabled = torch.is_grad_enabled
_transformed = torch._C._functorch.maybe_current_level
# The dispatch keys of a call that is neither traced nor transformed: autograd, and the device's implementation.
_PLAIN = tuple((_Keys(device) | _Keys(autograd)).raw_repr()
               for device, autograd in ((_Key.CPU, _Key.AutogradCPU), (_Key.CUDA, _Key.AutogradCUDA)))


def dtype_of(name: str) -> torch.dtype:
    """PyTorch's dtype with this name; both libraries use the same names."""
    found = getattr(torch, name, None)
    if not isinstance(found, torch.dtype):
        raise Unsupported(f"PyTorch has no dtype {name}", _raw.TENON_ERROR_UNSUPPORTED)
    return found


def form_of(tensor: torch.Tensor) -> _shapes.Form:
    return _shapes.Form(tuple(tensor.shape), str(tensor.dtype).rpartition(".")[2])


# --- the schema ------------------------------------------------------------------------------------------------------

def _scalar_type(one: Mapping[str, Any]) -> str:
    if "choices" in one:
        return "str"
    dtype, several = BY_NAME.get(one["type"]), "shape" in one
    if dtype is None:
        return "float[1]" if several else "Scalar"
    kind = {"b": "bool", "c": "complex", "f": "float", "V": "float"}.get(dtype.kind, "int")
    # A list of numbers may be given as one number. An extent may be a symbol; a list of extents may not be one number.
    return f"{kind}[1]" if several else "SymInt" if kind == "int" else kind


def _default(one: Mapping[str, Any], kind: str) -> str | None:
    """The default, if it is a number or a choice; the library computes other defaults."""
    value = _shapes.constant_default(one)
    if value is None or kind.endswith("]") or kind == "complex":
        return None
    if kind == "str":
        return f'"{value}"'
    if kind == "float":
        return repr(float(value))
    return repr(value) if kind in ("Scalar", "bool") or isinstance(value, int) else None


def _schema(operation: Any) -> str:
    described = {one["name"]: one for one in operation.description["parameters"]}
    parts, keyword_only = [], False
    for letter, parameter in enumerate(operation._parameters.signature.parameters.values()):
        one = described[parameter.name]
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            parts.append("*")
        if one["role"] != "scalar":
            parts.append(f"Tensor({'abcdefghijklmnopqrstuvwxyz'[letter % 26]}!) {parameter.name}"
                         if one["role"] == "inout" else f"Tensor {parameter.name}" if not one.get("optional")
                         else f"Tensor? {parameter.name}" + ("=None" if parameter.default is None else ""))
            continue
        kind = _scalar_type(one)
        default = _default(one, kind) if "default" in one else ""
        parts.append(f"{kind} {parameter.name}" if "default" not in one else
                     f"{kind} {parameter.name}={default}" if default is not None else f"{kind}? {parameter.name}=None")
    outputs = [one["name"] for one in described.values() if one["role"] == "out"]
    returns = "Tensor" if len(outputs) == 1 else f"({', '.join(f'Tensor {name}' for name in outputs)})"
    return f"{operation.__name__}({', '.join(parts)}) -> {returns}"


# --- derivatives -----------------------------------------------------------------------------------------------------

class Differentiable:
    """An operation in PyTorch's autograd graph, as tenon.ops calls it."""

    resolved = False  # whether the dispatcher has resolved lazily conjugated or negated tensors

    def __init__(self, operation: Any, is_gradient: bool):
        self.operation, self.is_gradient = operation, is_gradient
        self.described = operation.description["parameters"]
        self.title = operation._parameters.title
        self.names = list(operation._parameters.signature.parameters)
        self.positional = len(operation._parameters.described()[2])
        self.arrays = [one["name"] for one in self.described if one["role"] in ("in", "inout")]
        self.changed = operation._parameters.changed
        self.outputs = [one["name"] for one in self.described if one["role"] == "out"]
        self.saved = {one["name"] for one in self.described if one.get("saved")}
        self.run: Callable[..., Any] = operation
        self._node: Any = None  # created at the first call that needs a derivative
        self._total = False

    def gradient(self) -> Differentiable | None:
        gradient = self.operation.gradient
        return None if gradient is None else Differentiable(gradient, True)

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """A call with arguments by name."""
        return self.operation(**values)

    def redispatch(self, keyset: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def tracked(self, keyset: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """A call that needs derivatives. keyset: the remaining dispatch keys; None: there are none."""
        if self._node is None:
            self._gradient = self.gradient()
            # A gradient may be part of a graph that is never differentiated again, so it refuses only in backward.
            self._total = self.is_gradient or not self.changed and all(map(self.has_gradient, self.arrays))
            self._node = _node(self, self._gradient)
        if not self._total:
            self._check_differentiable(self.named(args, keywords))
        how = (keyset, (*keywords,)) if keyset is not None or keywords else None
        if not _transformed():
            return self._node(how, *args, *keywords.values())
        with enable_single_level_autograd_function():
            return self._node(how, *args, *keywords.values())

    def refusal(self, name: str) -> str:
        if self._gradient is None or self.changed:
            return f"{self.title} has no gradient, and {name} requires one: pass {name}.detach()"
        return f"{self.title} has no gradient for {name}, which requires one: pass {name}.detach()"

    def _check_differentiable(self, values: Mapping[str, Any]) -> None:
        """Refuses tensors that require a gradient for inputs without a derivative."""
        for name in self.arrays:
            value = values.get(name)
            requires = value is not None and isinstance(value, torch.Tensor) and value.requires_grad
            if requires and (self.changed or not self.has_gradient(name)):
                raise RuntimeError(self.refusal(name))

    def has_gradient(self, name: str) -> bool:
        return self._gradient is not None and f"grad_{name}" in self._gradient.outputs

    def undifferentiable_outputs(self) -> list[str]:
        """The outputs that have no derivative, at least for some dtypes."""
        types = self.operation.description["types"]

        def differentiable(one: Mapping[str, Any]) -> bool:
            kinds = {BY_NAME[name].kind for name in types.get(one["type"], (one["type"],))}
            return not one.get("saved") and kinds <= {"f", "c", "V"}

        return [one["name"] for one in self.described if one["role"] == "out" and not differentiable(one)]

    def mixes(self) -> bool:
        """Whether several arrays must have the same dtype, which may be a floating-point one."""
        types = self.operation.description["types"]
        kinds = [one["type"] for one in self.described if one["role"] == "in"
                 and any(BY_NAME[name].kind in "fV" for name in types.get(one["type"], ()))]
        return len(kinds) > len(set(kinds))

    def named(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by name, without those whose defaults the library computes."""
        return _named(self.names, args, keywords)

    @staticmethod
    def results(made: Any) -> tuple[Any, ...]:
        return () if made is None else made if isinstance(made, tuple) else (made,)


def _named(names: Sequence[str], args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(zip(names, args), **keywords)
    return {name: value for name, value in values.items() if value is not None}


def _without_none(operation: Any, names: Sequence[str], *args: Any, **keywords: Any) -> Any:
    """A call from PyTorch's dispatcher, which passes None for arguments whose defaults the library computes."""
    return operation(**_named(names, args, keywords))


def _node(registered: Differentiable, gradient: Differentiable | None) -> Callable[..., Any]:
    """The operation as a node of the autograd graph: a function of `how` and the arguments. how: (dispatch keys, names
    of the arguments that were given by name), or None if both are empty."""
    names, outputs = registered.names, registered.outputs
    wanted = () if gradient is None else [name for name in gradient.names if name in names or name in outputs]
    kept = [name for name in wanted if name in registered.arrays or name in outputs]
    plain = [name for name in wanted if name not in kept]
    # A gradient need not repeat the defaults of the operation's numbers.
    defaults = {one["name"]: _shapes.constant_default(one) for one in registered.described if one["role"] == "scalar"}
    absent = tuple(map(defaults.get, plain))
    passed = (*plain, *kept)
    back_at = [(f"grad_{name}", at) for at, name in enumerate(outputs)
               if gradient is not None and f"grad_{name}" in gradient.names]
    found_at = {name: gradient.outputs.index(f"grad_{name}") for name in registered.arrays
                if registered.has_gradient(name)} if gradient is not None else {}
    undifferentiable = registered.undifferentiable_outputs()
    broadcasts = len(registered.arrays) > 1 and any(one["shape"] == "broadcast" for one in registered.described
                                                    if one["role"] == "out")
    # The positions of these among the arguments, followed by the outputs.
    place = {name: index for index, name in enumerate([*names, *outputs])}
    kept_at, plain_at = (tuple(place[name] for name in some) for some in (kept, plain))
    shaped_at = tuple((name, place[name]) for name in registered.arrays) if broadcasts else ()
    undifferentiable_at = [(place[name], name in registered.saved) for name in undifferentiable]
    run, results = registered.run, registered.results
    first_names = tuple(tuple(names[:n]) for n in range(len(names) + 1))  # at [n] those of the first n arguments

    def below(keyset: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if not _transformed():
            return registered.redispatch(keyset, args, keywords)
        # For the transformations outside of this one, which is the innermost.
        with torch.enable_grad(), torch.autograd.forward_ad._set_fwd_grad_enabled(True):
            return registered.redispatch(keyset, args, keywords)

    class TenonOperation(torch.autograd.Function):  # type: ignore[misc]
        # It saves what backward needs while it runs: a separate setup_context would be a second call of Python code.
        @staticmethod
        def forward(ctx: Any, how: Any, *args: Any) -> Any:
            keyset, words = how or (None, ())
            positional = len(args) - len(words)
            keywords: dict[str, Any] = dict(zip(words, args[positional:]))
            args = args[:positional]
            given = [*names[:positional], *words]
            made = run(*args, **keywords) if keyset is None else below(keyset, args, keywords)
            known: tuple[Any, ...] = (*args, *map(keywords.get, names[positional:]), *results(made))
            if undifferentiable_at:
                ctx.mark_non_differentiable(*(known[at] for at, saved in undifferentiable_at if saved
                                              or not (known[at].is_floating_point() or known[at].is_complex())))
            ctx.save_for_backward(*[known[at] for at in kept_at])
            ctx.state = given, [instead if known[at] is None else known[at] for at, instead in zip(plain_at, absent)], \
                [(name, known[at].shape) for name, at in shaped_at if known[at] is not None]
            return made

        if not undifferentiable_at:  # the compiled version does the same
            forward = staticmethod(registered.operation._forward(
                forward, registered.resolved, len(names), first_names, kept_at, plain_at, absent, shaped_at,
                _saves_only))

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            given, plain_values, shapes = ctx.state
            wanted = dict(zip(given, ctx.needs_input_grad[1:]))
            for name, needed in wanted.items():
                if needed and name not in found_at:
                    raise RuntimeError(registered.refusal(name))
            saved = ctx.__dict__.pop("unpacked", None)  # by the compiled version, which could not do the rest
            known = zip(passed, (*plain_values, *(ctx.saved_tensors if saved is None else saved)))
            values = {name: value for name, value in known if value is not None}
            for name, at in back_at:
                values[name] = gradients[at].contiguous().resolve_conj().resolve_neg()
            found = results(gradient(values))  # type: ignore[misc]
            made = [found[found_at[name]] if needed else None for name, needed in wanted.items()]
            for name, shape in shapes:  # each element of a broadcast input contributed to several outputs
                at = given.index(name)
                if wanted[name] and made[at].shape != shape:
                    made[at] = made[at].sum_to_size(shape)
            return None, *made

    if gradient is not None and not registered.changed:  # the compiled version does the same
        given_at = {name: at for at, name in enumerate(passed)} | {name: len(passed) + at for name, at in back_at}
        TenonOperation._backward_cls.apply = gradient.operation._backward(
            TenonOperation.backward, first_names, tuple(given_at.get(one["name"], -1) for one in gradient.described),
            tuple(found_at.get(name, -1) for name in names), len(plain), len(kept), gradient.mixes())
    # Function.apply binds a signature at each call, and handles torch.func, which the dispatcher has already handled.
    result: Callable[..., Any] = super(torch.autograd.Function, TenonOperation).apply
    return result


# --- the dispatcher --------------------------------------------------------------------------------------------------

class Registered(Differentiable):
    """An operation in PyTorch's dispatcher."""

    resolved = True

    def __init__(self, library: torch.library.Library, operation: Any, is_gradient: bool,
                 siblings: Mapping[str, Registered]):
        super().__init__(operation, is_gradient)
        self._siblings = siblings
        package, own = operation.description["package"], operation.__name__
        library.define(_schema(operation), tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_exact_strides))
        self.op = getattr(getattr(torch.ops, package), own).default
        self._absent = {one["name"]: None for one in self.described if one.get("optional")}
        # Both handle the less common cases: see torch_operation.cpp.
        self.run = operation._in_torch(functools.partial(_without_none, operation, self.names), None, ())
        self.native = _torch_native.Kernel(operation, str(self.op._schema))
        for key in ("CPU", "CUDA") if self.native.refusal else ():
            library.impl(own, self.run, key)
        self._kernel = operation._in_torch(self._autograd, _Keys.raw_repr, _PLAIN)
        library.impl(own, self._kernel, "Autograd", with_keyset=True)
        self._replaced: list[tuple[Any, Any]] = []  # objects of torch.ops, with PyTorch's functions
        self._call_directly(getattr(getattr(torch.ops, package), own))
        torch.library.register_fake(f"{package}::{own}", self._fake, lib=library)
        torch.library.register_vmap(f"{package}::{own}", self._vmap, lib=library)
        if self.mixes():
            for device in ("cpu", "cuda"):
                library.impl(own, _autocast(self, device), f"Autocast{device.upper()}")

    def _call_directly(self, packet: Any) -> None:
        """Replaces the function that PyTorch's objects for the operation call by a compiled one. That runs the operation,
        and calls the replaced function where there is more to do: see torch_call.cpp."""
        for one in (packet, self.op):
            theirs = getattr(one, "_op", None)
            if theirs is not None:
                one._op = self.operation._called_from_torch(theirs, self._kernel)
                one.__reduce_ex__ = functools.partial(_recipe, self.operation, one is packet)  # PyTorch's cannot be pickled
                self._replaced.append((one, theirs))
                builtin = torch.jit._builtins._find_builtin(theirs)
                if builtin is not None:  # torch.jit.script knows the operation by this function
                    torch.jit._builtins._register_builtin(one._op, builtin)

    def release(self) -> None:
        """Removes it from PyTorch, except for what its library registered."""
        self.native.release()
        for one, theirs in self._replaced:
            torch.jit._builtins._get_builtin_table().pop(id(one._op), None)
            one._op = theirs
            del one.__reduce_ex__
        self._replaced.clear()

    def gradient(self) -> Registered | None:
        name = self.operation.description["gradient"]
        if name is None or "/" not in name:
            return self._siblings.get(name or "")
        found = of(self.operation.gradient)
        if found is not None:
            found.is_gradient = True
        return found

    def __call__(self, values: Mapping[str, Any]) -> Any:
        return self.op(**({**self._absent, **values} if self._absent else values))

    def _autograd(self, keyset: Any, *args: Any, **keywords: Any) -> Any:
        """keyset: the remaining dispatch keys; None: there are none."""
        if any(map(has_tangent, (*args, *keywords.values()))):
            raise RuntimeError(f"{self.title} has no forward-mode derivative: use backward(), torch.func.vjp or "
                               "jacrev, or pass a tensor without a tangent")
        if _is_grad_enabled() and (_any_requires_grad(*args) or keywords and _any_requires_grad(*keywords.values())):
            made = self.tracked(keyset, args, keywords)
            if self._total and self._kernel.tracked is None:
                self._kernel.tracked = self._node  # later calls go there directly
            return made
        return self.run(*args, **keywords) if keyset is None else self.redispatch(keyset, args, keywords)

    def redispatch(self, keyset: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        with _below_autograd():
            return self.op.redispatch(keyset & _after_autograd, *args, **keywords)

    def _fake(self, *args: Any, **keywords: Any) -> Any:
        values = self.named(args, keywords)
        like = values[next(name for name in self.arrays if name in values)]
        known = {name: form_of(value) if name in self.arrays else value for name, value in values.items()}
        made = tuple(like.new_empty(form.shape, dtype=dtype_of(form.dtype))
                     for form in _shapes.outputs(self.operation.description, known))
        return made[0] if len(made) == 1 else made or None

    def promoted(self, values: Mapping[str, Any], device: str) -> dict[str, Any]:
        """Converts the floating-point tensors of each placeholder to the widest dtype among them."""
        out, kinds = dict(values), {one["name"]: one["type"] for one in self.described}
        for kind in set(kinds.values()):
            mine = {name: value for name, value in values.items() if name in self.arrays and kinds[name] == kind
                    and kind in self.operation.description["types"] and value.is_floating_point()
                    and value.device.type == device and value.dtype is not torch.float64}
            if len({value.dtype for value in mine.values()}) > 1:
                out.update({name: value.to(torch.float32) for name, value in mine.items()})
        return out

    def _vmap(self, info: Any, in_dims: Any, *args: Any, **keywords: Any) -> Any:
        values = self.named(args, keywords)
        dims = {name: dim for name, dim in zip(self.names, in_dims)
                if name in self.arrays and dim is not None}
        for name in self.changed:
            if name not in dims:
                raise RuntimeError(f"vmap: {self.title} writes {name}, which is not batched, while another input is")
        batched = self._batched(values, dims, info.batch_size)
        if batched is not None:
            made = self.results(self(batched))
        else:
            each = [self.results(self({name: value.select(dims[name], index) if name in dims else value
                                        for name, value in values.items()})) for index in range(info.batch_size)]
            made = tuple(torch.stack(several) for several in zip(*each))
        return (made[0], 0) if len(made) == 1 else (made or None, (0,) * len(made) or None)

    def _batched(self, values: Mapping[str, Any], dims: Mapping[str, int], size: int) -> dict[str, Any] | None:
        """The arguments of a single call for the whole batch, with its axis first; None if each element needs its own
        call."""
        shapes = {one["name"]: one["shape"] for one in self.described if one["role"] != "scalar"}
        if self.changed or _shapes.scalars_know_rank(self.operation.description):
            return None
        out = dict(values)
        if all(_shapes.begins_with_batch(shapes[name]) for name in (*dims, *self.outputs)):
            for name in filter(values.__contains__, self.arrays):
                if name in dims:
                    out[name] = values[name].movedim(dims[name], 0).contiguous()
                elif _shapes.begins_with_batch(shapes[name]):
                    out[name] = values[name].expand(size, *values[name].shape).contiguous()
            return out
        if not all(shapes[name] == "broadcast" for name in self.outputs) or not self._of_elements():
            return None
        rank = max(values[name].dim() - (name in dims) for name in self.arrays if name in values)
        for name in dims:
            value = values[name].movedim(dims[name], 0)
            out[name] = value.reshape(size, *(1,) * (rank + 1 - value.dim()), *value.shape[1:])
        return out

    def _of_elements(self) -> bool:
        """Whether each output element depends only on the input elements and not on their position."""
        return not any(one.get("raw") for one in self.described) and all(
            step["kind"] == "elementwise" and not _PLACES.search(step["expression"])
            for step in self.operation.description["steps"])


def _autocast(registered: Registered, device: str) -> Callable[..., Any]:
    """The implementation within torch.autocast, where tensors that must have the same dtype may arrive with two: they
    are then converted to float32, the wider one, as by PyTorch's own operations of several tensors."""
    key = _Keys(getattr(_Key, f"Autocast{device.upper()}"))

    def implementation(*args: Any, **keywords: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(key):
            return registered(registered.promoted(registered.named(args, keywords), device))

    return implementation


# --- packages --------------------------------------------------------------------------------------------------------

_registered: dict[str, tuple[str, dict[str, Registered], torch.library.Library]] = {}
_registering = threading.RLock()


def registered(package: Any) -> dict[str, Registered]:
    """The package's operations in PyTorch's dispatcher, by name. Another version or content replaces the previous
    one."""
    with _registering:
        known = _registered.get(package.name)
        if known is not None and known[0] == package.description["hash"]:
            return known[1]
        if known is not None:
            for one in known[1].values():
                one.release()
            known[2]._destroy()
        library = torch.library.Library(package.name, "FRAGMENT")
        named = {name: package[name] for name in package}
        gradients = {one.description["gradient"] for one in named.values()}
        made: dict[str, Registered] = {}
        made.update((name, Registered(library, one, name in gradients, made)) for name, one in named.items()
                    if one._parameters.first is not None)
        _registered[package.name] = package.description["hash"], made, library
        return made


def of(operation: Any) -> Registered | None:
    """The operation in PyTorch's dispatcher; registers its package if necessary."""
    with _registering:
        name = operation.description["package"]
        known = _registered.get(name)
        if known is None or known[0] != operation._identity.hash:
            package = _plugins.Package._of(operation._identity.find(), operation._identity.recipe)
            return registered(package).get(operation.__name__)
        return known[1].get(operation.__name__)


def _recipe(operation: Any, is_packet: bool, protocol: int) -> Any:
    """How pickle makes the object in torch.ops again, also in another process."""
    return _in_torch_ops, (operation, is_packet)


def _in_torch_ops(operation: Any, is_packet: bool) -> Any:
    op = of(operation).op  # type: ignore[union-attr]
    return op.overloadpacket if is_packet else op


@after_fork
def _in_python() -> None:
    """The native kernels hold handles of the parent process; in a child, Python's, which renew theirs, replace them."""
    for _, operations, library in _registered.values():
        for name, one in operations.items():
            if not one.native.refusal:
                one.native.release()
                library.impl(name, one.run, "CPU")


# --- tenon.ops -------------------------------------------------------------------------------------------------------

def special(values: Mapping[str, Any]) -> bool:
    """Whether tensors have no memory or a tangent, or are being traced or transformed: such calls go through the
    dispatcher."""
    return bool(_transformed() or is_traced(values.values()) or any(map(has_tangent, values.values())))


def wants_gradient(values: Mapping[str, Any]) -> bool:
    return _is_grad_enabled() and any(isinstance(value, torch.Tensor) and value.requires_grad
                                      for value in values.values())


def dispatched(operation: Any, values: Mapping[str, Any]) -> Any:
    """Makes the call through torch.ops."""
    return of(operation)(values)  # type: ignore[misc]


def tracked(operation: Any, values: Mapping[str, Any], stream: Any) -> Any:
    """Makes the call as a node of PyTorch's autograd graph."""
    if operation._differentiable is None:
        operation._differentiable = Differentiable(operation, False)
    one = operation._differentiable
    if one._total:
        operation._tracked = one._node
    if stream is None and len(values) <= one.positional and [*values] == one.names[:len(values)]:
        return one.tracked(None, (*values.values(),), {})
    return one.tracked(None, (), values if stream is None else {**values, "stream": stream})
