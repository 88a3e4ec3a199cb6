"""Operations on PyTorch's tensors within its tools for graphs of derivatives: hooks of saved tensors, checkpoints,
anomaly detection, forward mode. Either they see the call, or it is refused."""

import warnings

import pytest

import tenon

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from torch.autograd import forward_ad, graph  # noqa: E402
from torch.utils.checkpoint import (CheckpointPolicy, checkpoint,  # noqa: E402
                                    create_selective_checkpoint_contexts)

PACKAGE = '''
name = "followed"
[op.square]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by = 2", "out T y"]
elementwise = "y = (T)(by * (double)x * (double)x)"
gradient = "square_gradient"
[op.square_gradient]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = (T)(2 * by * (double)x * (double)grad_y)"
'''
TWICE = "__global__ void twice(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }"


@pytest.fixture(params=["torch.ops", "tenon.ops"])
def square(request):
    """The operation in both spellings, after the call that finds its node for derivatives: later ones run no Python."""
    package = tenon.plugins.load_text(PACKAGE)
    op = tenon.torch.register(package).square if request.param == "torch.ops" else package.square
    op(torch.ones(2, requires_grad=True))
    return op


@pytest.fixture
def x(device):
    return torch.arange(3.0, device=device.name.partition(":")[0], requires_grad=True)


@pytest.fixture
def twice():
    kernel, x = tenon.Kernel(TWICE, "twice"), torch.ones(3)
    kernel(1, 1, [x, torch.empty(3), 3])  # the first call compiles; later ones run no Python
    return kernel


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_checkpoint_computes_again(square, x, reentrant):
    runs = []

    def twice_squared(x):
        runs.append(x)
        return square(square(x, 3.0), 2.0)

    checkpoint(twice_squared, x, use_reentrant=reentrant).sum().backward()
    assert len(runs) == 2 and x.grad.tolist() == [0, 72, 576]


def test_a_gradient_with_its_sign_to_come_within_a_checkpoint(square, x):
    """The compiled backward function leaves this gradient to Python's; a checkpoint gives a saved tensor only once."""
    y = checkpoint(lambda x: square(x, 3.0), x, use_reentrant=False)
    y.backward(torch._neg_view(torch.ones_like(y)))
    assert x.grad.tolist() == [0, -6, -12]


def test_a_checkpoint_with_a_policy_sees_the_operation(square, x):
    seen = []

    def policy(_context, op, *_args, **_keywords):
        seen.append(str(op))
        return CheckpointPolicy.MUST_SAVE if "square" in str(op) else CheckpointPolicy.PREFER_RECOMPUTE

    y = checkpoint(lambda x: square(x * 2, 3.0) * 2, x, use_reentrant=False,
                   context_fn=lambda: create_selective_checkpoint_contexts(policy))
    y.sum().backward()
    assert "followed.square.default" in seen and x.grad.tolist() == [0, 48, 96]


def test_hooks_of_saved_tensors_run_once_each(square, x):
    seen = []

    def pack(tensor):
        seen.append("pack")
        return 10 * tensor

    def unpack(packed):
        seen.append("unpack")
        return packed

    with graph.saved_tensors_hooks(pack, unpack):
        y = square(x, 3.0)
    y.sum().backward()
    assert seen == ["pack", "unpack"] and x.grad.tolist() == [0, 60, 120]


def test_an_error_of_a_hook_is_raised(square, x):
    def fails(_tensor):
        raise KeyError("no room")

    with graph.saved_tensors_hooks(fails, lambda packed: packed), pytest.raises(KeyError, match="no room"):
        square(x, 3.0)
    with graph.saved_tensors_hooks(lambda tensor: tensor.detach(), fails):
        y = square(x, 3.0)
    with pytest.raises(KeyError, match="no room"):
        y.sum().backward()


def test_saved_tensors_on_the_host_and_copies_of_what_changes(square, x):
    with graph.save_on_cpu():
        y = square(x, 3.0)
    y.sum().backward()
    assert x.grad.tolist() == [0, 6, 12]
    x.grad = None
    with graph.allow_mutation_on_saved_tensors():
        z = x * 1
        y = square(z, 3.0)
        z.mul_(5)
        y.sum().backward()
    assert x.grad.tolist() == [0, 6, 12]


def test_hooks_of_the_node_see_and_change_gradients(square, x):
    y, seen = square(x, 3.0), []
    y.grad_fn.register_prehook(lambda gradients: (2 * gradients[0],))
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs[0].tolist(), outputs[0].tolist())))
    y.sum().backward()
    assert seen == [([0, 12, 24], [2, 2, 2])] and x.grad.tolist() == [0, 12, 24]


def test_anomaly_detection_names_the_forward_call(square, x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.autograd.detect_anomaly():
            y = square(x, 3.0)  # the line that is named
            with pytest.raises(RuntimeError, match="returned nan values"):
                y.backward(torch.full_like(y, float("nan")))
    assert "the line that is named" in "".join(str(one.message) for one in caught)


def test_launches_refuse_tangents(device, twice):
    """An answer without the tangent would be wrong. Each way to give a kernel a tensor asks for it."""
    place = device.name.partition(":")[0]
    x, y = torch.rand(3, device=place), torch.zeros(3, device=place)
    compiled, bound = twice.on(device), twice.bind(1, 1, [y.clone(), y.clone(), 3])
    squares = tenon.elementwise("T x", "T r", "r = x * x")
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, torch.ones_like(x))
        for call in (lambda: twice(1, 1, [dual, y, 3]), lambda: twice(1, 1, [x, dual, 3]),
                     lambda: compiled(1, 1, [dual, y, 3]), lambda: twice[1, 1](dual, y, 3),
                     lambda: twice.bind(1, 1, [dual, y, 3]), lambda: compiled.time(1, 1, [dual, y, 3]),
                     lambda: bound.__setitem__(0, dual), lambda: squares(dual), lambda: tenon.from_dlpack(dual),
                     lambda: tenon.asarray(dual), lambda: tenon.fuse(lambda x: 2 * x)(dual)):
            with pytest.raises(BufferError, match=r"the tensor has a tangent.* pass its \.detach\(\)"):
                call()
        assert not y.any() and torch.equal(forward_ad.unpack_dual(dual).primal, x), "nothing was launched"
        twice(1, 1, [dual.detach(), y, 3])
        assert torch.equal(y, 2 * x)
        y.zero_()
        twice(1, 1, [x, y, 3])  # a tensor without a tangent is like any other
        assert torch.equal(y, 2 * x) and y._version
    with pytest.raises(BufferError, match=r"argument 0 \(x\) of twice: a tensor within torch.func's functions"):
        torch.func.jvp(lambda v: compiled(1, 1, [v, y, 3]), (x,), (x,))


@pytest.mark.parametrize("transformed", [torch.vmap, torch.func.grad, torch.func.functionalize])
def test_launches_refuse_the_tensors_of_torch_func(twice, transformed):
    def launches(v):
        twice(1, 1, [v, v, 3])
        return v.sum()

    with pytest.raises(BufferError, match="argument 0 of twice: a tensor within torch.func's functions"):
        transformed(launches)(torch.rand(2, 3) if transformed is torch.vmap else torch.rand(3))
