"""What torch.ops.PACKAGE.OPERATION calls: at once where nothing else asks to see the call, else PyTorch's dispatcher.
And PyTorch's caching allocator as Tenon's."""

import gc

import pytest

import tenon

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")

PACKAGE = '''
name = "called"
version = "1.0.0"
[op.scale]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by = 2", "out T y"]
elementwise = "y = (T)(by * (double)x)"
gradient = "scale_gradient"
[op.scale_gradient]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = (T)(by * (double)grad_y)"
'''


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    directory = tmp_path_factory.mktemp("called")
    (directory / "plugin.toml").write_text(PACKAGE)
    return tenon.torch.register(tenon.plugins.load(directory))


def test_a_plain_call_does_not_reach_the_dispatcher(ops):
    """The function of PyTorch's object is Tenon's, with what PyTorch's has, in the packet and in the overload."""
    x = torch.rand(5)
    for one in (torch.ops.called.scale, torch.ops.called.scale.default):
        assert type(one._op).__name__ == "TorchCall"
        assert torch.equal(one(x, 3.0), 3 * x) and torch.equal(one(x, by=3.0), 3 * x) and torch.equal(one(x), 2 * x)
    assert not ops.scale(x).requires_grad
    with torch.inference_mode():
        assert torch.equal(ops.scale(x), 2 * x)
        assert ops.scale(x).is_inference() == torch.neg(x).is_inference()


def test_modes_see_the_call(ops):
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    x, seen = torch.rand(5), []

    class Functions(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    class Dispatches(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    for mode in (Functions, Dispatches):
        seen.clear()
        with mode():
            y = ops.scale(x)
        assert any("called" in str(func) for func in seen), mode
        assert torch.equal(y, 2 * x)
    seen.clear()
    ops.scale(x)
    assert not seen
    with torch.profiler.profile() as profile:
        ops.scale(x)
    assert any("called::scale" in event.name for event in profile.events())


def test_subclasses_see_the_call(ops):
    seen = []

    class Own(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append(func)
            return super().__torch_function__(func, types, args, kwargs or {})

    x = torch.rand(5).as_subclass(Own)
    assert isinstance(ops.scale(x), Own) and seen


def test_transformations_see_the_call(ops):
    x = torch.rand(4, 5)
    assert torch.equal(torch.vmap(ops.scale)(x), 2 * x)
    assert torch.equal(torch.func.grad(lambda v: ops.scale(v, 3.0).sum())(x), torch.full_like(x, 3))
    from torch.fx.experimental.proxy_tensor import make_fx
    assert "called.scale" in make_fx(lambda v: ops.scale(v))(x).code
    assert torch.equal(torch.func.functionalize(ops.scale)(x), 2 * x)


def test_derivatives_are_recorded(ops):
    x = torch.rand(5, requires_grad=True)
    y = ops.scale(x, 3.0)
    y.sum().backward()
    assert y.requires_grad and torch.equal(x.grad, torch.full((5,), 3.0))
    with torch.no_grad():
        assert not ops.scale(x).requires_grad
    z = ops.scale(x, by=4.0)  # with a keyword, by way of PyTorch
    assert torch.equal(torch.autograd.grad(z.sum(), x)[0], torch.full((5,), 4.0))


@pytest.mark.parametrize("call, words", [
    (lambda f, x: f(), "scale"),
    (lambda f, x: f(x, "three"), "scale"),
    (lambda f, x: f(x, stream=None), "stream"),
    (lambda f, x: f(x, out=x), "out"),
    (lambda f, x: f([1.0, 2.0]), "scale"),
    (lambda f, x: f(x, 2.0, 3.0), "scale"),
], ids=["nothing", "text", "stream", "out", "list", "many"])
def test_what_the_schema_refuses_is_refused_as_by_pytorch(ops, call, words):
    """The same error as from the function of PyTorch that Tenon's stands for."""
    from tenon import _torch_operations

    x = torch.rand(5)
    theirs = dict(_torch_operations.registered(tenon.ops.called)["scale"]._replaced)[torch.ops.called.scale]
    with pytest.raises((RuntimeError, TypeError), match=words) as ours:
        call(torch.ops.called.scale, x)
    with pytest.raises(type(ours.value)) as expected:
        call(theirs, x)
    assert str(ours.value) == str(expected.value)


def test_another_version_takes_the_place_and_puts_it_back(tmp_path, ops):
    (tmp_path / "plugin.toml").write_text(PACKAGE.replace("1.0.0", "1.0.1").replace("by * (double)x", "by + (double)x")
                                          .replace('"called"', '"called_again"'))
    first = tenon.torch.register(tenon.plugins.load(tmp_path))
    x = torch.rand(3)
    assert torch.allclose(first.scale(x, 3.0), x + 3)
    (tmp_path / "plugin.toml").write_text(PACKAGE.replace("1.0.0", "1.0.2").replace('"called"', '"called_again"'))
    second = tenon.torch.register(tenon.plugins.load(tmp_path))
    gc.collect()
    assert torch.equal(second.scale(x, 3.0), 3 * x) and torch.equal(torch.ops.called_again.scale(x, 3.0), 3 * x)


def test_the_allocator_is_for_cuda():
    with pytest.raises(ValueError, match="use_allocator takes a CUDA device, not cpu:0"):
        tenon.torch.use_allocator("cpu:0")
    if not any(device.kind == "cuda" for device in tenon.devices()):
        with pytest.raises(tenon.TenonError, match="cuda"):
            tenon.torch.use_allocator()


def test_arrays_live_in_pytorchs_memory(device):
    """In a process of its own, because an allocator comes before the first array."""
    if not device.name.startswith("cuda"):
        pytest.skip("PyTorch's allocator on the CPU keeps nothing")
    from conftest import run_python
    done = run_python("""
import torch, tenon
tenon.torch.use_allocator()
tenon.torch.use_allocator("cuda:0")
before = torch.cuda.memory_allocated()
x = tenon.full((1 << 22,), 3, "float32", device="cuda:0")
assert torch.cuda.memory_allocated() - before >= 16 << 20, "not of PyTorch's memory"
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    y = torch.from_dlpack(x) * 2
    z = tenon.from_dlpack(y) + x
side.synchronize()
assert float(z.sum().item()) == 9.0 * (1 << 22)
del x, y, z
import gc; gc.collect()
tenon.Device("cuda:0").synchronize(); tenon.Device("cuda:0").trim_memory()
assert torch.cuda.memory_allocated() - before < 4 << 20, torch.cuda.memory_allocated() - before
""")
    assert done.returncode == 0, done.stderr
    done = run_python("""
import tenon
x = tenon.zeros(3, "float32", device="cuda:0")
try: tenon.torch.use_allocator()
except tenon.Unsupported as error: print(error)
""")
    assert "has already allocated memory" in done.stdout, done.stderr


@pytest.mark.parametrize("grad_mode", [True, False])
def test_tangents_are_refused(ops, grad_mode):
    """No operation has a forward-mode derivative: an answer without a tangent would be a wrong one."""
    import torch.autograd.forward_ad as forward_ad

    x, calls = torch.rand(5), (torch.ops.called.scale, torch.ops.called.scale.default, tenon.ops.called.scale)
    with forward_ad.dual_level(), torch.set_grad_enabled(grad_mode):
        dual = forward_ad.make_dual(x, torch.ones(5))
        for one in calls:
            with pytest.raises(RuntimeError, match="called/scale has no forward-mode derivative"):
                one(dual, 3.0)
            assert torch.equal(one(x, 3.0), 3 * x)
    for one in calls:
        with pytest.raises(RuntimeError, match="forward"):
            torch.func.jvp(lambda v: one(v, 3.0), (x,), (torch.ones(5),))
        assert torch.equal(one(x, 3.0), 3 * x)
