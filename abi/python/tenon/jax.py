"""Tenon in JAX: operations of packages and kernels under jit, grad and vmap, with XLA's buffers and stream.

    ops = tenon.jax.register("image")                 # or a Package
    jax.jit(lambda x: ops.gaussian_filter(x, 2.0))(x)
    y = tenon.jax.launch(kernel, grid, block, [x, jax.ShapeDtypeStruct(x.shape, x.dtype), x.size])
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any
from collections.abc import Callable, Iterator, Mapping, Sequence

import jax
import jax.numpy as jnp
import numpy

from . import _plugins, _raw, _shapes
from ._arguments import SIZE, VALUE
from ._creation import empty
from ._kernel import CompiledKernel, Kernel, _fill, _launch
from ._library import core

__all__ = ["Operations", "launch", "register"]

_TARGET = "tenon_call"  # a single target runs all calls; see core/ffi.cpp
for _platform in ("cpu", "CUDA"):
    jax.ffi.register_ffi_target(_TARGET, core.ffi_target(_platform), platform=_platform)
_used: list[Any] = []  # kept alive, because compiled XLA programs hold their addresses


class _Template:
    """The tenon_args of a call, with indices in place of the arrays, followed by the other data that they refer to."""

    def __init__(self, arguments: Any, count: int):
        self._bytes = bytearray(ctypes.string_at(ctypes.addressof(arguments), SIZE * count))
        for index in range(count):
            if arguments[index].kind == _raw.TENON_ARG_BYTES:
                data = ctypes.string_at(arguments[index].value.bytes, arguments[index].size)
                self._put(index, len(self._bytes))
                self._bytes += data + bytes(-len(data) % SIZE)

    def _put(self, index: int, number: int) -> None:
        at = SIZE * index + VALUE
        self._bytes[at:at + 8] = number.to_bytes(8, "little")

    def array(self, index: int, number: int) -> None:
        at = SIZE * index
        self._bytes[at:at + SIZE] = bytes(SIZE)
        self._bytes[at:at + 4] = _raw.TENON_ARG_ARRAY.to_bytes(4, "little")
        self._put(index, number)

    def attribute(self) -> Any:
        """The descriptor as an attribute of XLA's call: an array of bytes."""
        return numpy.frombuffer(bytes(self._bytes), "uint8")


def _result(form: _shapes.Form, title: str) -> jax.ShapeDtypeStruct:
    dtype = jnp.dtype(form.dtype)
    if jax.dtypes.canonicalize_dtype(dtype) != dtype:
        raise TypeError(f"{title} gives {form.dtype}, which JAX has only with "
                        "jax.config.update(\"jax_enable_x64\", True)")
    return jax.ShapeDtypeStruct(form.shape, dtype)


# --- operations ------------------------------------------------------------------------------------------------------

class _Function:
    """An operation as a JAX function: arrays and numbers as in tenon.ops; the numbers are constants of the program."""

    def __init__(self, operation: Any):
        self._operation = operation
        self.__name__, self.__doc__, self.__signature__ = operation.__name__, operation.__doc__, operation.__signature__
        described = operation.description["parameters"]
        self.title = operation._parameters.title
        self.arrays = [one["name"] for one in described if one["role"] in ("in", "inout")]
        self.changed = operation._parameters.changed
        self.outputs = [one["name"] for one in described if one["role"] == "out"]
        self.results = [one["name"] for one in described if one["role"] in ("out", "inout")]
        self._described = described
        self._defaults = {one["name"]: default for one in described
                          if (default := _shapes.constant_default(one)) is not None}
        self._saved = {one["name"] for one in described if one.get("saved")}
        self._made = functools.lru_cache(maxsize=256)(self._differentiable)
        _used.append(operation)

    @functools.cached_property
    def gradient(self) -> _Function | None:
        gradient = self._operation.gradient
        return None if gradient is None else _Function(gradient)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        values = self._operation._parameters.bind(args, keywords)
        static = {name: _constant(value, name, self.title) for name, value in values.items() if name not in self.arrays}
        names = tuple(name for name in self.arrays if name in values)  # without omitted optional arrays
        made = self._made(names, tuple(static.items()))(*(jnp.asarray(values[name]) for name in names))
        return made[0] if len(made) == 1 else made

    def call_by_name(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        made = self(**values)
        return made if isinstance(made, tuple) else (made,)

    def _differentiable(self, names: tuple[str, ...], static: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
        """The function of only these arrays, with the gradient that the contract names."""
        values = dict(static)

        def run(*arrays: Any) -> Any:
            return self._run(dict(zip(names, arrays)), values)

        function: Any = jax.custom_vjp(run)

        def forward(*primals: Any) -> Any:
            gradient = self.gradient
            for name, primal in zip(names, primals):
                if primal.perturbed and (self.changed or gradient is None or f"grad_{name}" not in gradient.outputs):
                    raise TypeError(f"{self.title} has no gradient for {name}: pass jax.lax.stop_gradient({name})")
            arrays = [primal.value for primal in primals]
            results = function(*arrays)
            if gradient is None:
                return results, {}
            known = {**dict(zip(names, arrays)), **dict(zip(self.results, results))}
            wanted = {one["name"] for one in gradient._described if one["role"] == "in"}
            return results, ({name: value for name, value in known.items() if name in wanted},
                             dict(zip(names, arrays)))

        def backward(kept: Any, cotangents: Any) -> Any:
            gradient = self.gradient
            if gradient is None:
                return (None,) * len(names)
            known, inputs = kept
            given = {one["name"] for one in gradient._described if one["role"] != "out"}
            of_results = {f"grad_{name}": value for name, value in zip(self.results, cotangents)}
            numbers = {**self._defaults, **values}  # a gradient need not repeat the defaults
            arguments = {**{name: value for name, value in numbers.items() if name in given}, **known,
                         **{name: _instance(value) for name, value in of_results.items() if name in given}}
            found = dict(zip(gradient.outputs, gradient.call_by_name(arguments)))
            back = {name: found.get(f"grad_{name}") for name in names}
            return tuple(None if value is None else _summed(value, inputs[name]) for name, value in back.items())

        function.defvjp(forward, backward, symbolic_zeros=True)
        result: Callable[..., Any] = function
        return result

    def _run(self, arrays: Mapping[str, Any], static: Mapping[str, Any]) -> tuple[Any, ...]:
        forms = {name: _shapes.Form(tuple(array.shape), str(array.dtype)) for name, array in arrays.items()}
        shaped = dict(zip(self.outputs, _shapes.outputs(self._operation.description, {**forms, **static})))
        shaped.update({name: forms[name] for name in self.changed})
        numbers = {name: len(arrays) + index for index, name in enumerate(self.results)}
        aliases = {[*arrays].index(name): self.results.index(name) for name in self.changed}
        call = jax.ffi.ffi_call(_TARGET, tuple(_result(shaped[name], self.title) for name in self.results),
                                vmap_method="broadcast_all" if self._batches() else "sequential",
                                input_output_aliases=aliases)
        template = self._template(forms, static, {**{name: index for index, name in enumerate(arrays)}, **numbers})
        return tuple(call(*arrays.values(), target=numpy.int64(self._operation._handle),
                          count=numpy.int64(len(self._described)), args=template.attribute()))

    def _template(self, forms: Mapping[str, _shapes.Form], static: Mapping[str, Any],
                  numbers: Mapping[str, int]) -> _Template:
        stand_ins = {name: empty((0,), form.dtype, device="cpu:0") for name, form in forms.items()}
        packed = self._operation._parameters.pack({**stand_ins, **static})
        template = _Template(packed.buffer, len(self._described))
        for index, one in enumerate(self._described):
            if one["name"] in numbers:
                template.array(index, numbers[one["name"]])
        return template

    def _batches(self) -> bool:
        """Whether one call can compute a whole batch, with the batch as the first axis of all arrays."""
        return not self.changed and not _shapes.scalars_know_rank(self._operation.description) and all(
            _shapes.begins_with_batch(one["shape"]) for one in self._described if one["role"] != "scalar")

    def __reduce__(self) -> Any:
        return _Function, (self._operation,)

    def __repr__(self) -> str:
        return f"<{self.title} for JAX>"


def _constant(value: Any, name: str, title: str) -> Any:
    if isinstance(value, jax.core.Tracer):
        raise TypeError(f"{name} of {title} is traced: the numbers of an operation are constants of the program "
                        f"(static_argnames=\"{name}\" of jax.jit makes it one)")
    if isinstance(value, (list, tuple)):
        return tuple(_constant(one, name, title) for one in value)
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def _instance(cotangent: Any) -> Any:
    if isinstance(cotangent, jax.custom_derivatives.SymbolicZero):
        return jnp.zeros(cotangent.aval.shape, cotangent.aval.dtype)
    return cotangent


def _summed(gradient: Any, like: Any) -> Any:
    """The gradient summed over the broadcast axes of an input, whose elements contributed to several outputs."""
    if gradient.shape == like.shape:
        return gradient
    gradient = gradient.sum(tuple(range(gradient.ndim - like.ndim)))
    ones = tuple(axis for axis, extent in enumerate(like.shape) if extent == 1)
    return gradient.sum(ones, keepdims=True).reshape(like.shape)


class Operations:
    """The operations of a package as attributes that are JAX functions."""

    def __init__(self, package: Any):
        self._package = package
        self._functions = {name: _Function(package[name]) for name in package}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._functions:
            names = ", ".join(self.__dict__.get("_functions", ()))
            raise AttributeError(f"the package has no operation {name!r}; it has: {names}")
        return self._functions[name]

    def __dir__(self) -> list[str]:
        return list(self._functions)

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __reduce__(self) -> Any:
        return register, (self._package,)

    def __repr__(self) -> str:
        return f"<{len(self._functions)} operations of {self._package!r} for JAX>"


def register(package: Any) -> Operations:
    """The operations of a package as JAX functions. package: a loaded Package, or the name of one that is loaded or on
    the search path. The functions take JAX arrays and return new ones, under jit, vmap and grad, with the gradients
    that the contract names. An inout parameter of the contract is also a result, because JAX's arrays are immutable.
    Numbers are constants of the compiled program."""
    if isinstance(package, str):
        package = _plugins.named(package)
    if not isinstance(package, _plugins.Package):
        raise TypeError(f"register takes a package or its name, not {type(package).__name__}")
    return Operations(package)


# --- kernels ---------------------------------------------------------------------------------------------------------

def launch(kernel: Any, grid: Any, block: Any, args: Sequence[Any], *, shared: int = 0, device: Any = None) -> Any:
    """Launches a Kernel (or a CompiledKernel) as part of a JAX program, under jit and vmap; returns the array that it
    writes, or a tuple of several. args: JAX arrays for pointers to const; jax.ShapeDtypeStruct(shape, dtype) for each
    array that the kernel writes, whose memory is uninitialised; numbers, which are constants of the program. device:
    the device for which to compile a Kernel; None: that of JAX's default backend."""
    if isinstance(kernel, Kernel):
        kernel = kernel.on(device or ("cpu:0" if jax.default_backend() == "cpu" else "cuda:0"))
    if not isinstance(kernel, CompiledKernel):
        raise TypeError(f"launch takes a Kernel or a CompiledKernel, not {type(kernel).__name__}")
    arguments = (_raw.tenon_arg * max(len(args), 1))()
    keep: list[Any] = []
    numbers: dict[int, Any] = {}
    inputs: list[Any] = []
    outputs: list[Any] = []
    for index, value in enumerate(args):
        parameter = kernel.parameters[index] if index < len(kernel.parameters) else None
        if isinstance(value, jax.ShapeDtypeStruct):
            numbers[index] = -1 - len(outputs)
            outputs.append(_result(_shapes.Form(value.shape, str(value.dtype)), kernel.name))
        elif isinstance(value, (jax.Array, numpy.ndarray)) and numpy.ndim(value):
            if parameter is not None and parameter.kind == "pointer" and not parameter.read_only:
                raise TypeError(f"{kernel._place(index)} is written, but JAX's arrays are immutable: declare it const, "
                                "or pass jax.ShapeDtypeStruct(shape, dtype) for a new array")
            numbers[index] = len(inputs)
            inputs.append(jnp.asarray(value))
        else:
            _fill(arguments[index], parameter, _constant(value, f"argument {index}", kernel.name), keep, index, {})
    template = _Template(arguments, len(args))
    for index, number in numbers.items():
        template.array(index, number if number >= 0 else len(inputs) - 1 - number)
    geometry = bytes(_launch(grid, block, shared, False, (0, 0, 0)))
    _used.append(kernel)
    made = jax.ffi.ffi_call(_TARGET, tuple(outputs), vmap_method="sequential", has_side_effect=not outputs)(
        *inputs, target=numpy.int64(kernel._handle), count=numpy.int64(len(args)), args=template.attribute(),
        launch=numpy.frombuffer(geometry, "uint8"))
    return made[0] if len(made) == 1 else tuple(made)
