"""PyTorch differentiates through operations of packages, with the gradients that their contracts name."""


import pytest

import tenon

from conftest import KERNELS

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module", autouse=True)
def packages():
    for name in ("elementwise", "image"):
        tenon.plugins.load(KERNELS / name)


@pytest.fixture
def where(device):
    if device.kind == "cuda" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return device.kind


def random(where, *shape, grad=True, dtype=torch.float64):
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, generator=generator, dtype=dtype).to(where).requires_grad_(grad)


def test_sigmoid_has_pytorchs_gradient(where):
    x = random(where, 3, 50, dtype=torch.float32)
    y = tenon.ops.elementwise.sigmoid(x)
    assert y.requires_grad and "TenonOperation" in type(y.grad_fn).__name__
    (y * y).sum().backward()
    ours, x.grad = x.grad.clone(), None
    (torch.sigmoid(x) ** 2).sum().backward()
    assert torch.allclose(ours, x.grad, atol=1e-6)


@pytest.mark.parametrize("kind", ["bilinear", "bicubic", "nearest-exact"])
def test_resize_has_pytorchs_gradient(where, kind):
    x = random(where, 2, 9, 14, dtype=torch.float32)
    (tenon.ops.image.resize(x, 20, 5, kind.split("-")[0]) ** 2).sum().backward()
    ours, x.grad = x.grad.clone(), None
    (torch.nn.functional.interpolate(x[None], (20, 5), mode=kind) ** 2).sum().backward()
    assert torch.allclose(ours, x.grad, atol=1e-4)


@pytest.mark.parametrize("name", ["sigmoid", "silu", "gelu", "softplus", "mish"])
def test_functions_of_one_argument(where, name):
    assert torch.autograd.gradcheck(getattr(tenon.ops.elementwise, name), (random(where, 4, 5),))


def test_broadcast_inputs_get_gradients_of_their_shape(where):
    a, b, t = random(where, 4, 5), random(where, 5), random(where, 4, 1)
    assert torch.autograd.gradcheck(tenon.ops.elementwise.lerp, (a, b, t))


def test_filters_of_images(where):
    image = tenon.ops.image
    x = random(where, 6, 7)
    for mode in ("reflect", "mirror", "wrap", "nearest", "constant"):
        assert torch.autograd.gradcheck(lambda x: image.gaussian_filter(x, (1.0, 1.5), (0, 1), mode), (x,))
        assert torch.autograd.gradcheck(lambda x: image.sobel(x, "y", mode), (x,))
    weights = random(where, 3, 4, grad=False)
    assert torch.autograd.gradcheck(lambda x: image.correlate(x, weights, "mirror"), (x,))
    assert torch.autograd.gradcheck(lambda x: image.rgb_to_gray(x), (random(where, 2, 3, 4, 5),))
    for kind in ("nearest", "bilinear", "bicubic", "area"):
        assert torch.autograd.gradcheck(lambda x: image.resize(x, 7, 3, kind), (random(where, 2, 4, 5),))


def test_a_chain_through_pytorch_and_back(where):
    x = random(where, 8, 9)
    loss = (tenon.ops.image.laplace(torch.tanh(tenon.ops.image.gaussian_filter(x, 1.0))) ** 2).mean()
    loss.backward()
    h, i = 1e-6, (3, 4)
    with torch.no_grad():
        def value(step):
            moved = x.clone()
            moved[i] += step
            return (tenon.ops.image.laplace(torch.tanh(tenon.ops.image.gaussian_filter(moved, 1.0))) ** 2).mean()
        assert abs((value(h) - value(-h)) / (2 * h) - x.grad[i]) < 1e-7


def test_what_has_no_gradient_is_refused_by_name(where):
    x = random(where, 6, 7)
    with pytest.raises(RuntimeError, match=r"image/median_filter has no gradient, and x requires one: pass x\.detach\(\)"):
        tenon.ops.image.median_filter(x)
    with pytest.raises(RuntimeError, match="image/correlate has no gradient for weights"):
        tenon.ops.image.correlate(x, random(where, 3, 3))
    tenon.ops.image.median_filter(x.detach())
    with torch.no_grad():
        assert not tenon.ops.image.gaussian_filter(x, 1.0).requires_grad
        tenon.ops.image.median_filter(x)
    y = tenon.ops.elementwise.sigmoid(x)
    with pytest.raises(RuntimeError, match="elementwise/sigmoid_gradient has no gradient"):  # a second derivative
        torch.autograd.grad(y.sum(), x, create_graph=True)


def test_hypot_has_a_gradient(where):
    assert torch.autograd.gradcheck(tenon.ops.elementwise.hypot, (random(where, 4, 5), random(where, 5)))
    zero = torch.zeros(2, dtype=torch.float64, device=where, requires_grad=True)
    tenon.ops.elementwise.hypot(zero, zero.detach()).sum().backward()
    assert zero.grad.tolist() == [0, 0]


def test_outputs_that_are_saved_have_no_gradient(where, tmp_path):
    (tmp_path / "plugin.toml").write_text("""name = "saving"
[op.half]
parameters = ["in T x", "out T y", "out saved T kept like x"]
elementwise = "y = x * x / 2; kept = x"
gradient = "half_gradient"
[op.half_gradient]
parameters = ["in T kept", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = kept * grad_y"
""")
    half = tenon.plugins.load(tmp_path).half
    x = random(where, 4, 5)
    y, kept = half(x)
    assert y.requires_grad and not kept.requires_grad
    y.sum().backward()
    assert torch.equal(x.grad, x.detach())
    assert torch.autograd.gradcheck(lambda x: half(x)[0], (random(where, 3),))


SCALED = '''
name = "scaled"
[op.square]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by = 2", "scalar int32 times = 1", "out T y"]
elementwise = "y = (T)(by * times * (double)x * (double)x)"
gradient = "square_gradient"
[op.square_gradient]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by", "scalar int32 times", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = (T)(2 * by * times * (double)x * (double)grad_y)"
'''


def test_a_gradient_gets_the_operations_defaults():
    """Its contract need not repeat them. PyTorch, too, leaves out arguments that equal their defaults."""
    package = tenon.plugins.load_text(SCALED)
    registered = tenon.torch.register(package).square
    boxed = torch._C._jit_get_operation("scaled::square")[0]
    for op in (registered, boxed, package.square):
        for factor, run in ((2, lambda x: op(x)), (2, lambda x: op(x, 2.0)), (3, lambda x: op(x, 3.0)),
                            (5, lambda x: op(x, by=5.0)), (6, lambda x: op(x, times=3))):
            x = torch.arange(3.0, requires_grad=True)
            run(x).sum().backward()
            assert x.grad.tolist() == [0, 2 * factor, 4 * factor]
