"""Calls on PyTorch's tensors that the compiled module does itself: lists, choices and tensors that are written, tensors
that are read without being imported; and what they leave to Python or PyTorch."""

import pathlib
import sys

import pytest

import tenon

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from tenon._library import core  # noqa: E402

PACKAGE = '''
name = "directly"
version = "1.0.0"
[op.weigh]
types = { T = "floating" }
parameters = ["in T x[..., n]", "scalar float64 by[2] = 1", "scalar int32 times[1] = 1", "scalar {up, down} way = up",
  "out T y[..., n]"]
let = ["a = by[0]", "b = by[1]", "k = times[0]", "s = way == 'up' ? 1 : -1"]
elementwise = "y = (T)(s * k * (i % 2 ? b : a) * (double)x)"
read = ["x", "a", "b", "k", "s"]
[op.add_]
parameters = ["inout T x", "in T y"]
elementwise = "x = x + y"
[op.take_]
parameters = ["in T x", "inout T total", "out T before"]
elementwise = "before = total; total = total + x"
'''


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("directly")
    (directory / "plugin.toml").write_text(PACKAGE)
    return tenon.plugins.load(directory)


@pytest.fixture(params=["tenon.ops", "torch.ops", "asks Python"])
def ops(request, package):
    registered = tenon.torch.register(package)
    core.torch_facts(request.param != "asks Python")
    yield package if request.param == "tenon.ops" else registered
    core.torch_facts(True)


def where(device):
    name = "cpu" if device.kind == "cpu" else str(device)
    if name != "cpu" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return name


def python_of_tenon(call):
    """The names of the package's Python functions that a call runs."""
    root, seen = str(pathlib.Path(tenon.__file__).parent), []

    def watch(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(root):
            seen.append(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen


def test_lists_choices_and_written_tensors_run_no_python(ops, device):
    x = torch.ones(4, device=where(device))
    calls = [lambda: ops.weigh(x), lambda: ops.weigh(x, [2.0, 3.0]), lambda: ops.weigh(x, (2, 3), 4, way="down"),
             lambda: ops.weigh(x, by=[2.0, 3.0], times=[4]), lambda: ops.add_(x, x), lambda: ops.take_(x, x.clone())]
    for call in calls:
        call()
    if not core.torch_facts(True):
        pytest.skip("this PyTorch does not answer without Python")
    for number, call in enumerate(calls):
        assert python_of_tenon(call) == [], number


def test_lists_and_choices_reach_the_operation(ops, device):
    x = torch.arange(4.0, device=where(device))
    weights = torch.tensor([2.0, 3.0, 2.0, 3.0], device=x.device)
    assert torch.equal(ops.weigh(x, [2.0, 3.0]), weights * x)
    assert torch.equal(ops.weigh(x, (2, 3), [5], way="down"), -5 * weights * x)
    assert torch.equal(ops.weigh(x, 2.0, 5), 10 * x)
    assert torch.equal(ops.weigh(x, way="".join(["do", "wn"])), -x)  # a text that is not the contract's object
    assert ops.weigh(x.double()).dtype == torch.float64 and ops.weigh(x[:0]).shape == (0,)
    with pytest.raises(ValueError, match="way of directly/weigh is one of up, down, not 'left'"):
        ops.weigh(x, way="left")
    with pytest.raises((tenon.TenonError, TypeError)):
        ops.weigh(x, [1.0, 2.0, 3.0])
    with pytest.raises((tenon.TenonError, TypeError, OverflowError, RuntimeError)):
        ops.weigh(x, times=[2**31])
    with pytest.raises((TypeError, RuntimeError)):
        ops.weigh(x, [1.0, "two"])
    with pytest.raises((tenon.TenonError, TypeError)):
        ops.weigh(x, [1.0] * 40)


def test_a_write_counts_once(ops, device):
    x = torch.ones(4, device=where(device))
    for turn in range(3):
        assert ops.add_(x, torch.ones_like(x)) is None and x._version == turn + 1
    before = ops.take_(torch.ones_like(x), x)
    assert x._version == 4 and before.eq(4).all() and x.eq(5).all()
    part = x[1:3]
    ops.add_(part, torch.ones(2, device=x.device))
    assert x.tolist() == [5, 6, 6, 5] and x._version == 5
    wide = torch.zeros(3, 4, device=x.device).t()
    ops.add_(wide, torch.ones_like(wide))
    assert wide.eq(1).all()
    empty = torch.ones(0, device=x.device)
    ops.add_(empty, empty)
    parameter = torch.nn.Parameter(torch.ones(4, device=x.device), requires_grad=False)
    ops.add_(parameter, x)
    assert parameter._version == 1


def test_backward_sees_a_write(ops, device):
    x = torch.ones(4, device=where(device), requires_grad=True)
    factor = torch.ones(4, device=x.device)
    y = (x * factor).sum()
    ops.add_(factor, factor.clone())
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_tensor_that_requires_a_gradient_is_written_within_no_grad_only(ops):
    x = torch.ones(4, requires_grad=True)
    with pytest.raises(RuntimeError, match="requires"):
        ops.add_(x, torch.ones(4))
    assert x.eq(1).all()
    with torch.no_grad():
        ops.add_(x, torch.ones(4))
    assert x.eq(2).all() and x._version == 1
    with pytest.raises(RuntimeError, match="requires"):
        ops.add_(torch.ones(4), x)  # the written one would need a derivative


def test_inference_tensors_have_no_count(ops):
    with torch.inference_mode():
        x = torch.ones(4)
        ops.add_(x, torch.ones(4))
        assert x.eq(2).all() and x.is_inference()


def test_lazy_bits_are_resolved_or_refused_and_never_ignored(ops):
    z = torch.complex(torch.ones(3), 2 * torch.ones(3))
    for lazy, ordinary in ((z.conj(), z.conj().resolve_conj()), (z.conj().imag, z.conj().imag.resolve_neg())):
        read = torch.zeros_like(ordinary)
        try:
            ops.add_(read, lazy)
        except (RuntimeError, BufferError, TypeError):
            assert read.eq(0).all()
        else:
            assert torch.equal(read, ordinary)
        one = torch.ones_like(ordinary)
        try:
            ops.add_(lazy, one)
        except (RuntimeError, BufferError, TypeError):
            assert z.eq(torch.complex(torch.ones(3), 2 * torch.ones(3))).all()
        else:
            assert torch.equal(lazy.resolve_conj().resolve_neg(), ordinary + one)
            z.copy_(torch.complex(torch.ones(3), 2 * torch.ones(3)))


def test_modes_and_transformations_see_a_write(package):
    from torch.utils._python_dispatch import TorchDispatchMode

    tenon.torch.register(package)
    seen = []

    class Dispatches(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    add = torch.ops.directly.add_
    for call in (add, tenon.ops.directly.add_):
        seen.clear()
        x = torch.ones(3)
        with Dispatches():
            call(x, torch.ones(3))
        assert "directly.add_.default" in seen and x.eq(2).all()

    def twice(x):
        y = x.clone()
        add(y, x)
        return y

    x = torch.rand(2, 3)
    assert torch.equal(torch.vmap(twice)(x), 2 * x)
    assert torch.equal(torch.compile(twice, backend="aot_eager", fullgraph=True)(x), 2 * x)
    assert torch.ops.directly.weigh(x.to("meta"), [1.0, 2.0]).shape == (2, 3)


# --- tensors that are read without an import ---

LAYOUTS = {"plain": lambda x: x, "transposed": lambda x: x.t(), "strided": lambda x: x[::2, 1:],
           "expanded": lambda x: x[:1].expand(4, 4), "empty": lambda x: x[:0]}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_functions_read_every_layout(layout, device):
    x = LAYOUTS[layout](torch.rand(4, 4, device=where(device)))
    assert torch.allclose(tenon.add(x, x), x + x) and torch.allclose(tenon.exp(x), x.exp())
    assert torch.allclose(tenon.sum(x, 0), x.sum(0)) and torch.allclose(tenon.sum(x), x.sum())
    assert torch.allclose(tenon.matmul(x, x.t()), x @ x.t())
    assert tenon.add(x, 1).device == x.device


def test_results_share_no_memory_with_what_was_read():
    """A result outlives the tensors of its call: no function returns its argument, or a view of it."""
    for name in ("positive", "real", "conj", "floor", "round", "abs", "trunc", "sum", "max", "mean"):
        for dtype in (torch.float32, torch.int64):
            x = torch.arange(4, dtype=dtype).reshape(4, 1)[:, 0]
            made = getattr(tenon, name)(x)
            if isinstance(made, torch.Tensor):
                assert made.untyped_storage().data_ptr() != x.untyped_storage().data_ptr(), name
    one = torch.ones(1, 1)
    for made in (tenon.sum(one, ()), tenon.max(one, (0, 1)), tenon.matmul(one, one), tenon.add(one, 0)):
        one.fill_(5)
        assert made.eq(1).all()
        one.fill_(1)


def test_lazy_bits_and_tangents_are_no_plain_memory():
    import torch.autograd.forward_ad as forward_ad

    z = torch.complex(torch.ones(3), 2 * torch.ones(3))
    for lazy in (z.conj(), z.conj().imag):
        for call in (lambda: tenon.add(lazy, lazy), lambda: tenon.sum(lazy)):
            try:
                made = call()
            except (BufferError, RuntimeError, TypeError):
                continue
            assert torch.equal(made, lazy + lazy) or torch.equal(made, lazy.sum())
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(3), torch.ones(3))
        for refused in (lambda: tenon.add(dual, dual), lambda: tenon.sum(dual), lambda: tenon.from_dlpack(dual),
                        lambda: tenon.from_dlpack(dual[1:])):
            with pytest.raises((RuntimeError, TypeError, BufferError), match="forward|tangent"):
                refused()
        assert tenon.add(torch.ones(3), 1).eq(2).all() and tenon.from_dlpack(torch.ones(3)).shape == (3,)


def test_a_tensor_lives_as_long_as_what_was_imported_of_it():
    array = tenon.from_dlpack(torch.arange(1000.0))
    torch.zeros(1000)  # would take the freed memory
    assert array[999].item() == 999


def test_methods_are_the_functions():
    a = tenon.asarray([[1.0, 2.0], [3.0, 4.0]])
    for name in ("sum", "prod", "max", "min", "all", "any", "argmax", "argmin", "mean", "var", "std", "cumsum"):
        method, function = getattr(a, name), getattr(tenon, name)
        for args, keywords in [((0,), {}), ((-1,), {})] + ([] if name == "cumsum" else [((), {"keepdims": True})]):
            assert method(*args, **keywords).tolist() == function(a, *args, **keywords).tolist(), name
        assert method().tolist() == function(a).tolist()
        with pytest.raises(Exception) as ours:
            method(7)
        with pytest.raises(type(ours.value)):
            function(a, 7)
    assert a.sum((0, 1)).item() == 10 and a.sum(0, dtype="float64").dtype == tenon.float64
