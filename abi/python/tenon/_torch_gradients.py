"""Derivatives of Tenon's products, transforms and factorisations in PyTorch's graph.

Each rule consists of functions that have derivatives themselves, so that second derivatives need no rules of their own.
Numbers may be real or complex; complex gradients follow PyTorch's convention, in which the gradient of a real loss is
dL/d(Re x) + i dL/d(Im x).

    products, inverse, solve, eigh, svd
        M. B. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation",
        2008; for complex vectors Z.-Q. Wan and S.-X. Zhang, arXiv:1909.02659. Eigenvalues and singular values must be
        distinct, and the loss must not depend on the vectors' phases, which are arbitrary
    cholesky
        I. Murray, "Differentiation of the Cholesky decomposition", arXiv:1602.07527

Forward mode uses the differentials from the same sources. Each rule also handles batches, so that torch.func.vmap and
functions based on it (jacrev, jacfwd, hessian) make a single call.

For functions that read one triangle of a symmetric matrix, the gradient is symmetric.
"""

from __future__ import annotations

from typing import Any
from collections.abc import Callable, Mapping, Sequence

import torch

from ._array import Array
from ._eigen import EigenResult, eigh, eigvalsh
from ._fft import (fft, fft2, fftn, hfft, ifft, ifft2, ifftn, ihfft, irfft, irfft2, irfftn, rfft, rfft2,
                   rfftn)
from ._linalg import SVDResult, matmul, svd, svdvals
from ._solve import cholesky, inv, solve
from ._torch import of_class, refuse_gradients
from ._torch_traced import call, has_tangent, is_recorded, is_traced, run, without_memory
from .sparse import csr_array, multiplied

SWAPPED = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}  # the norm of the adjoint


def wanted(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a call with these arguments must go through PyTorch: it needs a derivative, torch.func wraps them, or the
    call is traced."""
    values = (*args, *keywords.values()) if keywords else args
    return any(map(_is_followed, values)) or is_traced(values) and (function in RULES or _is_lost(values))


def _is_lost(values: Sequence[Any]) -> bool:
    """Whether a traced call of a function that is no operation of PyTorch would fail, or would be left out."""
    return any(map(without_memory, values)) or is_recorded()


def _is_followed(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_followed, value))
    return isinstance(value, torch.Tensor) and (value.requires_grad and torch.is_grad_enabled() or _is_wrapped(value)
                                                or has_tangent(value))


_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor  # by vmap, grad or jvp of torch.func


def tracked(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any], like: Any) -> Any:
    """Makes the call as a node of PyTorch's autograd graph; RuntimeError if there is no rule."""
    rule = RULES.get(function)
    if rule is None:
        if _is_lost((*args, *keywords.values())):
            raise RuntimeError(f"tenon.{function.__name__} is not among the functions of Tenon that PyTorch can trace, such as "
                               "tenon.matmul: call it outside of what torch.export, make_fx or FakeTensor trace")
        if function is multiplied and not is_traced((*args, *keywords.values())):
            return of_class(_SparseProduct.apply(*args), like)
        if any(map(_is_called_by_func, (*args, *keywords.values()))):
            raise RuntimeError(f"tenon.{function.__name__} has no rule for torch.func's functions and forward mode: "
                               "call it outside of them, or write it with functions that have one")
        raise _refused(function, "has no gradient")
    if keywords.get("out") is not None:
        refuse_gradients(f"tenon.{function.__name__}", [*args, *keywords.values()])
    result = rule(*map(_as_tensor, args), **{name: _as_tensor(value) for name, value in keywords.items()})
    if isinstance(result, tuple):
        return type(result)(*(of_class(one, like) for one in result))
    return of_class(result, like)


def _is_called_by_func(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and not value.requires_grad and _is_followed(value)


def _refused(function: Callable[..., Any], what: str) -> RuntimeError:
    return RuntimeError(f"tenon.{function.__name__} {what}, and an argument requires one: pass its .detach(), or call "
                        "within torch.no_grad()")


def _as_tensor(value: Any) -> Any:
    return value.torch() if isinstance(value, Array) else value


def _run(function: Callable[..., Any], *tensors: torch.Tensor, **options: Any) -> Any:
    """Calls the function itself, on tensors without their autograd history."""
    return (call if is_traced(tensors) else run)(function, *tensors, **options)


def _no_options(function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    given = [name for name, value in options.items() if value is not None and value is not False and value != "none"]
    if given:
        raise _refused(function, f"has no gradient with {given[0]}=")


def _of_batch(matrices: int, results: int = 1) -> Any:
    """The vmap of a rule whose first `matrices` arguments are matrices: their batch becomes the first axis."""

    def vmap(info: Any, dims: Any, *args: Any) -> Any:
        given, rest = args[:matrices], args[matrices:]
        rank = max(one.dim() - (dim is not None) for one, dim in zip(given, dims))
        moved = [_first(one, dim, rank) for one, dim in zip(given, dims)]
        made = vmap.rule.apply(*moved, *rest)  # type: ignore[attr-defined]
        return made, 0 if results == 1 else (0,) * results

    return vmap


def _first(tensor: torch.Tensor, dim: int | None, rank: int) -> torch.Tensor:
    """The tensor with the batch as its first axis, followed by as many axes as the others have."""
    if dim is None:
        return tensor
    tensor = tensor.movedim(dim, 0)
    return tensor.reshape(tensor.shape[:1] + (1,) * (rank + 1 - tensor.dim()) + tensor.shape[1:])


class _Rule(torch.autograd.Function):  # type: ignore[misc]
    """A rule: forward computes the result, setup_context saves what the derivatives need, backward and jvp compute
    them."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.vmap.rule = cls


def _keep(ctx: Any, *tensors: Any) -> None:
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)


def _hermitian(a: torch.Tensor) -> torch.Tensor:
    """The Hermitian part of a change, which is what a function that reads one triangle depends on."""
    return (a + a.mH) / 2


# --- products --------------------------------------------------------------------------------------------------------

class _Matmul(_Rule):
    vmap = staticmethod(_of_batch(2))

    @staticmethod
    def forward(a: Any, b: Any, compute: str) -> Any:
        return _run(matmul, a, b, compute=compute)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _keep(ctx, *inputs[:2])
        ctx.compute = inputs[2]

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, _: Any) -> Any:
        a, b = ctx.saved_tensors
        return _sum(None if da is None else _Matmul.apply(da, b, ctx.compute),
                    None if db is None else _Matmul.apply(a, db, ctx.compute))

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, b = ctx.saved_tensors
        left, right = ctx.needs_input_grad[:2]
        return (_summed(_Matmul.apply(g, b.mH, ctx.compute), a) if left else None,
                _summed(_Matmul.apply(a.mH, g, ctx.compute), b) if right else None, None)


def _sum(a: Any, b: Any) -> Any:
    """The sum of two parts of a differential, each of which may be None."""
    return b if a is None else a if b is None else a + b


def _summed(gradient: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """A gradient summed over the axes along which `like` was broadcast; its real part if `like` is real."""
    gradient = gradient.sum_to_size(like.shape)
    return gradient if like.is_complex() or not gradient.is_complex() else gradient.real


def _matmul(a: Any, b: Any, *, compute: str = "strict", stream: Any = None, **options: Any) -> Any:
    _no_options(matmul, {**options, "stream": stream})
    if a.dim() == 0 or b.dim() == 0:
        return matmul(a.detach(), b.detach())  # reports the error
    row, column = a.dim() == 1, b.dim() == 1
    c = _Matmul.apply(*_together(a[None, :] if row else a, b[:, None] if column else b), compute)
    c = c[..., 0] if column else c
    return c if not row else c[..., 0] if column else c[..., 0, :]


def _together(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    if a.dtype == b.dtype:
        return a, b
    dtype = torch.promote_types(a.dtype, b.dtype)
    return a.to(dtype), b.to(dtype)


class _SparseProduct(torch.autograd.Function):  # type: ignore[misc]
    """a b for a sparse matrix a, which has no derivative."""

    @staticmethod
    def forward(b: Any, a: csr_array) -> Any:
        return run(multiplied, b, a=a)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        b, ctx.a = inputs
        ctx.dtype = b.dtype

    @staticmethod
    def jvp(ctx: Any, db: Any, _: Any) -> Any:
        return _SparseProduct.apply(db, ctx.a)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        made = _SparseProduct.apply(g, ctx.a.H)
        return (made if ctx.dtype.is_complex or not made.is_complex() else made.real).to(ctx.dtype), None


# --- systems ---------------------------------------------------------------------------------------------------------

class _Inverse(_Rule):
    vmap = staticmethod(_of_batch(1))

    @staticmethod
    def forward(a: Any) -> Any:
        return _run(inv, a)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _keep(ctx, output)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:
        (inverse,) = ctx.saved_tensors
        return -_product(_product(inverse, da), inverse)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        adjoint = ctx.saved_tensors[0].mH
        return -_product(_product(adjoint, g), adjoint)


def _product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return _Matmul.apply(a, b, "strict")


def _inverse(a: Any, *, stream: Any = None) -> Any:
    _no_options(inv, {"stream": stream})
    return _Inverse.apply(a)


class _Solve(_Rule):
    """Solves a x = b for x. `unit`: the diagonal of a triangular matrix is not read."""

    vmap = staticmethod(_of_batch(2))

    @staticmethod
    def forward(a: Any, b: Any, kind: str, unit: bool) -> Any:
        return _run(solve, a, b, kind=kind, unit_diagonal=unit)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        a, b, ctx.kind, ctx.unit = inputs
        _keep(ctx, a, output, b)

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, *_: Any) -> Any:
        a, x, _b = ctx.saved_tensors
        if da is not None:
            da = -_product(_read(da, ctx.kind, ctx.unit), x)
        return _Solve.apply(a, _sum(da, db), ctx.kind, ctx.unit)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, x, b = ctx.saved_tensors
        kind = {"lower": "upper", "upper": "lower"}.get(ctx.kind, ctx.kind)
        of_b = _Solve.apply(a.mH, g, kind, ctx.unit)
        of_a = None
        if ctx.needs_input_grad[0]:
            of_a = _summed(_read(-_product(of_b, x.mH), ctx.kind, ctx.unit), a)
        return of_a, _summed(of_b, b) if ctx.needs_input_grad[1] else None, None, None


def _read(a: torch.Tensor, kind: str, unit: bool) -> torch.Tensor:
    """The part of a change of the matrix that solve reads."""
    if kind == "lower":
        return a.tril(-1 if unit else 0)
    if kind == "upper":
        return a.triu(1 if unit else 0)
    return _hermitian(a) if kind == "positive" else a


def _solve(a: Any, b: Any, *, kind: str = "general", trans: str = "N", unit_diagonal: bool = False,
           stream: Any = None) -> Any:
    _no_options(solve, {"stream": stream})
    if b.dim() == 0:
        return solve(a.detach(), b.detach())  # reports the error
    a, b = _together(a, b)
    if trans in ("T", "C"):
        a = a.mT if trans == "T" else a.mH
        kind = {"lower": "upper", "upper": "lower"}.get(kind, kind)
    elif trans != "N":
        return solve(a.detach(), b.detach(), trans=trans)
    x = _Solve.apply(a, b[:, None] if b.dim() == 1 else b, kind, unit_diagonal)
    return x[..., 0] if b.dim() == 1 else x


class _Cholesky(_Rule):
    vmap = staticmethod(_of_batch(1))

    @staticmethod
    def forward(a: Any) -> Any:
        return _run(cholesky, a)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _keep(ctx, output)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:
        (factor,) = ctx.saved_tensors
        left = _Solve.apply(factor, _hermitian(da), "lower", False)  # L^-1 dA
        inner = _Solve.apply(factor, left.mH, "lower", False).mH
        return _product(factor, _half(inner))

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        adjoint = ctx.saved_tensors[0].mH
        inner = _half(_product(adjoint, g))
        inner = _Solve.apply(adjoint, inner + inner.mH, "upper", False)  # L^-H (P + P^H) L^-1 / 2
        return _Solve.apply(adjoint, inner.mH, "upper", False).mH / 2


def _half(matrix: torch.Tensor) -> torch.Tensor:
    """The lower triangle, with the diagonal halved."""
    lower = matrix.tril()
    return lower - torch.diag_embed(lower.diagonal(dim1=-2, dim2=-1)) / 2


def _cholesky(a: Any, *, upper: bool = False, stream: Any = None) -> Any:
    _no_options(cholesky, {"stream": stream})
    return _Cholesky.apply(a.mH).mH if upper else _Cholesky.apply(a)


# --- eigenvalues and singular values ---------------------------------------------------------------------------------

class _Eigh(_Rule):
    vmap = staticmethod(_of_batch(1, results=2))

    @staticmethod
    def forward(a: Any, upper: bool) -> Any:
        return _run(eigh, a, upper=upper)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _keep(ctx, *output)

    @staticmethod
    def jvp(ctx: Any, da: Any, _: Any) -> Any:
        values, vectors = ctx.saved_tensors
        inner = _product(_product(vectors.mH, _hermitian(da)), vectors)
        gaps = values[..., None, :] - values[..., :, None]
        of_values = inner.diagonal(dim1=-2, dim2=-1)
        of_vectors = _product(vectors, _off_diagonal(inner, gaps))
        return of_values.real if inner.is_complex() else of_values.clone(), of_vectors

    @staticmethod
    def backward(ctx: Any, of_values: Any, of_vectors: Any) -> Any:
        values, vectors = ctx.saved_tensors
        gaps = values[..., None, :] - values[..., :, None]
        inner = _off_diagonal(_product(vectors.mH, of_vectors), gaps) + torch.diag_embed(of_values)
        of_a = _product(_product(vectors, inner), vectors.mH)
        return _hermitian(of_a), None


def _off_diagonal(matrix: torch.Tensor, gaps: torch.Tensor) -> torch.Tensor:
    """The off-diagonal elements divided by the gaps; 0 on the diagonal."""
    diagonal = torch.eye(gaps.shape[-1], dtype=torch.bool, device=gaps.device)
    return torch.where(diagonal, 0, matrix / torch.where(diagonal, 1, gaps))


def _eigh_rule(function: Callable[..., Any], vectors: bool) -> Callable[..., Any]:
    def rule(a: Any, *, upper: bool = False, subset: Any = None, between: Any = None, stream: Any = None) -> Any:
        _no_options(function, {"subset": subset, "between": between, "stream": stream})
        found = _Eigh.apply(a, bool(upper))
        return EigenResult(*found) if vectors else found[0]

    return rule


class _SVD(_Rule):
    vmap = staticmethod(_of_batch(1, results=3))

    @staticmethod
    def forward(a: Any, driver: str) -> Any:
        return _run(svd, a, full_matrices=False, driver=driver)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _keep(ctx, *output)

    @staticmethod
    def jvp(ctx: Any, da: Any, _: Any) -> Any:
        u, s, vh = ctx.saved_tensors
        left, right = _product(u.mH, da), _product(da, vh.mH)  # U^H dA and dA V
        inner = _product(left, vh.mH)
        gaps = s[..., None, :] ** 2 - s[..., :, None] ** 2
        columns, rows = s[..., None, :], s[..., :, None]
        of_s = inner.diagonal(dim1=-2, dim2=-1)
        of_u = _off_diagonal(inner * columns + rows * inner.mH, gaps)
        of_v = _off_diagonal(rows * inner + inner.mH * columns, gaps)
        if u.is_complex():  # the vectors' common phase
            of_u = of_u + torch.diag_embed(1j * of_s.imag / s)
            of_s = of_s.real
        of_u, of_v = _product(u, of_u), _product(vh.mH, of_v)
        if u.shape[-2] > u.shape[-1]:
            of_u = of_u + (right - _product(u, inner)) / columns
        if vh.shape[-1] > vh.shape[-2]:
            of_v = of_v + (left - _product(inner, vh)).mH / columns
        return of_u, of_s.clone(), of_v.mH

    @staticmethod
    def backward(ctx: Any, of_u: Any, of_s: Any, of_vh: Any) -> Any:
        u, s, vh = ctx.saved_tensors
        left, right = _product(u.mH, of_u), _product(vh, of_vh.mH)
        gaps = s[..., None, :] ** 2 - s[..., :, None] ** 2
        inner = (_off_diagonal(left - left.mH, gaps) * s[..., None, :] + torch.diag_embed(of_s)
                 + s[..., :, None] * _off_diagonal(right - right.mH, gaps))
        if u.is_complex():  # the vectors' common phase
            inner = inner + torch.diag_embed(1j * left.diagonal(dim1=-2, dim2=-1).imag / s)
        of_a = _product(_product(u, inner), vh)
        if u.shape[-2] > u.shape[-1]:
            outside = of_u / s[..., None, :]
            of_a = of_a + _product(outside - _product(u, _product(u.mH, outside)), vh)
        if vh.shape[-1] > vh.shape[-2]:
            outside = of_vh / s[..., :, None]
            of_a = of_a + _product(u, outside - _product(_product(outside, vh.mH), vh))
        return of_a, None


def _svd(a: Any, *, full_matrices: bool = True, compute_uv: bool = True, k: int | None = None, driver: str = "auto",
         tolerance: float = 0, stream: Any = None) -> Any:
    _no_options(svd, {"k": k, "stream": stream})
    if compute_uv and full_matrices and a.shape[-2] != a.shape[-1]:
        raise _refused(svd, "has no gradient with full_matrices=True (full_matrices=False has one: the vectors beyond "
                            "the singular values are not determined)")
    u, s, vh = _SVD.apply(a, driver)
    return SVDResult(u, s, vh) if compute_uv else s


# --- Fourier transforms ----------------------------------------------------------------------------------------------

def _along(at: int) -> Any:
    """The vmap of a transform, whose axes are argument number `at`: the batch comes first, so they shift by one."""

    def vmap(info: Any, dims: Any, x: Any, *options: Any) -> Any:
        options = tuple([axis + 1 for axis in one] if number == at else one for number, one in enumerate(options, 1))
        return vmap.rule.apply(x.movedim(dims[0], 0), *options), 0  # type: ignore[attr-defined]

    return vmap


class _Transform(_Rule):
    """fftn or ifftn of complex numbers: the adjoint of each is the other, with the other norm."""

    vmap = staticmethod(_along(1))

    @staticmethod
    def forward(x: Any, axes: Any, norm: Any, inverse: bool) -> Any:
        return _run(ifftn if inverse else fftn, x, axes=axes, norm=norm)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.options = inputs[1:]

    @staticmethod
    def jvp(ctx: Any, dx: Any, *_: Any) -> Any:
        return _Transform.apply(dx, *ctx.options)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        axes, norm, inverse = ctx.options
        return _Transform.apply(g, axes, SWAPPED[norm], not inverse), None, None, None


class _FromReal(_Rule):
    vmap = staticmethod(_along(1))

    @staticmethod
    def forward(x: Any, axes: Any, norm: Any) -> Any:
        return _run(rfftn, x, axes=axes, norm=norm)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        x, axes, norm = inputs
        ctx.options = axes, norm, x.shape[axes[-1]]

    @staticmethod
    def jvp(ctx: Any, dx: Any, *_: Any) -> Any:
        return _FromReal.apply(dx, *ctx.options[:2])

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        axes, norm, n = ctx.options
        return _Transform.apply(_resized(g, (n,), axes[-1:]), axes, SWAPPED[norm], True).real, None, None


class _ToReal(_Rule):
    vmap = staticmethod(_along(2))

    @staticmethod
    def forward(x: Any, n: int, axes: Any, norm: Any) -> Any:
        return _run(irfftn, x, s=[n if axis == axes[-1] else x.shape[axis] for axis in axes], axes=axes, norm=norm)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.options = inputs[1:]

    @staticmethod
    def jvp(ctx: Any, dx: Any, *_: Any) -> Any:
        return _ToReal.apply(dx, *ctx.options)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        n, axes, norm = ctx.options
        half = _FromReal.apply(g, axes, SWAPPED[norm])
        twice = torch.ones(half.shape[axes[-1]], dtype=g.dtype, device=g.device)
        twice[1:n - n // 2] = 2  # numbers whose conjugates are not part of the input
        return half * twice.reshape(-1, *(1,) * (half.dim() - 1 - axes[-1])), None, None, None


def _resized(x: torch.Tensor, lengths: Sequence[Any], axes: Sequence[int]) -> torch.Tensor:
    """x truncated or zero-padded along the axes."""
    for n, axis in zip(lengths, axes):
        if n < x.shape[axis]:
            x = x.narrow(axis, 0, n)
        elif n > x.shape[axis]:
            missing = [n - extent if d == axis else extent for d, extent in enumerate(x.shape)]
            x = torch.cat([x, x.new_zeros(missing)], axis)
    return x


def _plan(x: torch.Tensor, s: Any, axes: Any) -> tuple[list[int], list[int | None]]:
    """The axes counted from 0, and the lengths along them; None: unchanged."""
    if axes is None:
        axes = range(0 if s is None else x.dim() - len(s), x.dim())
    axes = list(axes)
    return [axis % x.dim() for axis in axes], [None] * len(axes) if s is None else [None if n == -1 else n for n in s]


def _complex(x: torch.Tensor) -> torch.Tensor:
    return x if x.is_complex() else x.to(torch.complex128 if x.dtype == torch.float64 else torch.complex64)


def _complex_rule(inverse: bool, default: Any) -> Callable[..., Any]:
    def rule(x: Any, s: Any = None, axes: Any = default, norm: Any = "backward", *, stream: Any = None) -> Any:
        _no_options(fftn, {"stream": stream})
        axes, lengths = _plan(x, s, axes)
        x = _resized(_complex(x), [x.shape[axis] if n is None else n for n, axis in zip(lengths, axes)], axes)
        return _Transform.apply(x, axes, norm, inverse)

    return rule


def _from_real(default: Any) -> Callable[..., Any]:
    def rule(x: Any, s: Any = None, axes: Any = default, norm: Any = "backward", *, stream: Any = None) -> Any:
        _no_options(rfftn, {"stream": stream})
        axes, lengths = _plan(x, s, axes)
        x = _resized(x, [x.shape[axis] if n is None else n for n, axis in zip(lengths, axes)], axes)
        return _FromReal.apply(x, axes, norm)

    return rule


def _to_real(default: Any) -> Callable[..., Any]:
    def rule(x: Any, s: Any = None, axes: Any = default, norm: Any = "backward", *, stream: Any = None) -> Any:
        _no_options(irfftn, {"stream": stream})
        axes, lengths = _plan(x, s, axes)
        lengths = [x.shape[axis] if n is None else n for n, axis in zip(lengths[:-1], axes)] + lengths[-1:]
        n = 2 * (x.shape[axes[-1]] - 1) if lengths[-1] is None else lengths[-1]
        return _ToReal.apply(_resized(_complex(x), [*lengths[:-1], n // 2 + 1], axes), n, axes, norm)

    return rule


def _along_one(rule: Callable[..., Any]) -> Callable[..., Any]:
    def of_one(x: Any, n: int | None = None, axis: int = -1, norm: Any = "backward", *, stream: Any = None) -> Any:
        return rule(x, None if n is None else (n,), (axis,), norm, stream=stream)

    return of_one


def _hermitian_to_real(x: Any, n: Any = None, axis: int = -1, norm: Any = "backward", *, stream: Any = None) -> Any:
    return _along_one(_to_real(None))(x.conj(), n, axis, SWAPPED[norm], stream=stream)


def _real_to_hermitian(x: Any, n: Any = None, axis: int = -1, norm: Any = "backward", *, stream: Any = None) -> Any:
    return _along_one(_from_real(None))(x, n, axis, SWAPPED[norm], stream=stream).conj().resolve_conj()


RULES: dict[Any, Callable[..., Any]] = {
    hfft: _hermitian_to_real, ihfft: _real_to_hermitian,
    matmul: _matmul, inv: _inverse, solve: _solve, cholesky: _cholesky, eigh: _eigh_rule(eigh, True),
    eigvalsh: _eigh_rule(eigvalsh, False), svd: _svd,
    svdvals: lambda a, *, stream=None: _svd(a, full_matrices=False, compute_uv=False, stream=stream)}
_make: Callable[..., Callable[..., Any]]
for _make, _functions in ((lambda default: _complex_rule(False, default), (fftn, fft2, fft)),
                          (lambda default: _complex_rule(True, default), (ifftn, ifft2, ifft)),
                          (_from_real, (rfftn, rfft2, rfft)), (_to_real, (irfftn, irfft2, irfft))):
    RULES.update({_functions[0]: _make(None), _functions[1]: _make((-2, -1)), _functions[2]: _along_one(_make(None))})
