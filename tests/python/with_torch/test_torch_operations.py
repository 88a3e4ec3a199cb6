"""Operations of packages registered in PyTorch as torch.ops.PACKAGE.OPERATION, from the contract alone."""

import copy
import gc
import io
import multiprocessing
import os
import pathlib
import pickle
import sys
import weakref

import pytest

import tenon

from conftest import KERNELS, WITH_GRADIENTS

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")
PACKAGE = '''
name = "torchish"
version = "1.0.0"
[op.split]
parameters = ["in raw T x[..., n]", "scalar int64 at = n / 2", "out T low[..., at]", "out T high[..., n - at]"]
[[op.split.steps]]
elementwise = "low = x[(i / at) * n + i % at]"
read = ["x", "n", "at"]
write = ["low"]
when = "low.size > 0"
[[op.split.steps]]
elementwise = "high = x[(i / (n - at)) * n + at + i % (n - at)]"
read = ["x", "n", "at"]
write = ["high"]
when = "high.size > 0"
[op.index]
parameters = ["in T x", "out int64 y"]
elementwise = "y = i"
[op.power]
types = { T = "floating" }
parameters = ["in T x", "scalar int32 exponent[1] = 2", "scalar bool negate = false", "scalar {up, down} way = up",
  "out T y"]
let = ["e = exponent[0]", "s = negate ? -1 : 1", "w = way == 'up' ? 1 : -1"]
elementwise = "y = (T)(s * w * pow((double)x, (double)e))"
read = ["x", "e", "s", "w"]
''' + WITH_GRADIENTS


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("torchish")
    (directory / "plugin.toml").write_text(PACKAGE)
    loaded = tenon.plugins.load(directory)
    tenon.torch.register(loaded)
    return loaded


@pytest.fixture(scope="module", autouse=True)
def registered():
    for name in ("elementwise", "image"):
        tenon.torch.register(tenon.plugins.load(KERNELS / name))


@pytest.fixture(params=["cpu", "cuda"])
def where(request):
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return request.param


def random(*shape, where="cpu", dtype=torch.float64, grad=False):
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, generator=generator, dtype=dtype).to(where).requires_grad_(grad)


# Arguments of each operation besides the arrays below: positional ones after the arrays, or keywords.
SCALARS = {"clamp": {"low": -0.5, "high": 0.5}, "clamp_gradient": {"low": -0.5, "high": 0.5},
           "affine_transform": {"matrix": [0.9, 0.2, 0.5, -0.1, 1.1, 1.0]}, "gaussian_filter": {"sigma": 1.0}, "gaussian_filter_gradient": {"sigma": [1.0, 1.0]},
           "rank_filter": {"rank": -1}, "resize": {"height": 7, "width": 3}}
SHAPES = {"weights": (3, 3), "weights_y": (3,), "weights_x": (3,)}
COLOURS = {("rgb_to_gray", "x"), ("gray_to_rgb_gradient", "grad_y")}


def arguments(operation, where):
    values = dict(SCALARS.get(operation.__name__, {}))
    for one in operation.description["parameters"]:
        if one["role"] == "in":
            shape = (3, 5, 6) if (operation.__name__, one["name"]) in COLOURS else SHAPES.get(one["name"], (5, 6))
            differentiable = operation.gradient is not None and f"grad_{one['name']}" in {
                other["name"] for other in operation.gradient.description["parameters"] if other["role"] == "out"}
            values[one["name"]] = random(*shape, where=where, dtype=torch.float32, grad=differentiable)
    return values


@pytest.mark.parametrize("package_name", ["elementwise", "image"])
def test_pytorchs_own_check_passes_for_every_operation(package_name, where):
    """Checks a sample, because each check takes some seconds; TENON_OPCHECK=all checks all operations."""
    step = 1 if os.environ.get("TENON_OPCHECK") == "all" else 7
    for name in sorted(tenon.ops.__getattr__(package_name))[::step]:
        operation = getattr(tenon.ops, package_name)[name]
        op = getattr(getattr(torch.ops, package_name), name).default
        found = torch.library.opcheck(op, (), arguments(operation, where), raise_exception=False)
        assert set(found.values()) == {"SUCCESS"}, (name, found)


def test_operations_with_inout_and_several_outputs_pass_pytorchs_check(package):
    ops = torch.ops.torchish
    x = random(4, grad=True)
    for op, args, keywords in [(ops.scale_, (random(4),), {"by": 2.0}), (ops.split, (random(2, 5),), {"at": 2}),
                               (ops.split, (random(5),), {}), (ops.cube, (x,), {}), (ops.moments, (x,), {}),
                               (ops.cube_gradient, (x, random(4)), {}),
                               (ops.power, (random(4),), {"exponent": 3, "way": "down"})]:
        found = torch.library.opcheck(op.default, args, keywords, raise_exception=False)
        assert set(found.values()) == {"SUCCESS"}, (op, found)


def test_results_are_those_of_the_operation(package):
    x = random(2, 5)
    split = torch.ops.torchish.split
    for low, high, at in (*((*split(x, at), at) for at in (0, 1, 5)), (*split(x), 2)):
        assert torch.equal(torch.cat([low, high], -1), x) and low.shape == (2, at)
    y = x.clone()
    assert torch.ops.torchish.scale_(y, 3) is None and torch.equal(y, 3 * x) and y._version == 1
    assert torch.allclose(torch.ops.torchish.power(x, 3, True, "down"), x**3)
    assert torch.allclose(torch.ops.torchish.power(x, way="down"), -x**2)
    assert torch.ops.torchish.cube.default._schema.arguments[0].name == "x"
    with pytest.raises(ValueError, match="way of torchish/power is one of up, down, not 'left'"):
        torch.ops.torchish.power(x, way="left")


def functions_of_tenon(call):
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


def test_plain_calls_run_no_python_of_tenon(package, where):
    cube, softplus = torch.ops.torchish.cube, torch.ops.elementwise.softplus
    x, tracked = random(5, where=where), random(5, where=where, grad=True)
    cube(tracked), softplus(tracked)  # creates the nodes
    frozen, parameter = (torch.nn.Parameter(x, requires_grad=grad) for grad in (False, True))
    lerp, a, b = torch.ops.elementwise.lerp, tracked, random(1, where=where)
    lerp(a, b, x)
    cases = [lambda: cube(x), lambda: softplus(x, 2.0), lambda: softplus(x=x, beta=2.0), lambda: cube(frozen),
             lambda: cube(tracked), lambda: softplus(tracked, 2.0), lambda: cube(parameter), lambda: lerp(a, b, x)]
    for number, call in enumerate(cases):
        assert functions_of_tenon(call) == [], number
    with torch.no_grad():
        assert functions_of_tenon(lambda: cube(tracked)) == []
    with torch.inference_mode():
        assert functions_of_tenon(lambda: cube(x)) == []


def test_tensors_of_other_classes_and_bits(package):
    class Kind(torch.Tensor):
        pass

    cube, x = torch.ops.torchish.cube, random(4)
    for grad in (False, True):
        y = cube(torch.nn.Parameter(x, requires_grad=grad))
        assert type(y) is torch.Tensor and torch.allclose(y, x**3) and y.requires_grad is grad
        y = cube(x.clone().as_subclass(Kind).requires_grad_(grad))
        assert type(y) is Kind and torch.allclose(y.as_subclass(torch.Tensor), x**3) and y.requires_grad is grad
    number = torch.complex(x, x).conj()
    for bits in (number.imag, torch._efficientzerotensor((4,), dtype=torch.float64)):
        assert bits.is_neg() or bits._is_zerotensor()
        y = torch.ops.torchish.cube_gradient(bits, bits)
        assert torch.allclose(y, 3 * bits**3)


def test_derivatives_are_the_same_however_arguments_are_given(package):
    softplus = torch.ops.elementwise.softplus
    for call in (lambda x: softplus(x, 2.0), lambda x: softplus(x, beta=2.0), lambda x: softplus(x=x, beta=2.0),
                 lambda x: softplus(beta=2.0, x=x)):
        x = random(4, grad=True)
        assert torch.allclose(torch.autograd.grad(call(x).sum(), x)[0], torch.sigmoid(2 * x))
    lerp = torch.ops.elementwise.lerp
    a, b, t = random(4, grad=True), random(3, 1, grad=True), random(1, grad=True)
    wanted = torch.autograd.grad(torch.lerp(a, b, t).square().sum(), (a, b, t))
    for call in (lambda: lerp(a, b, t), lambda: lerp(a, t=t, b=b), lambda: lerp(t=t, b=b, a=a)):
        for mine, theirs in zip(torch.autograd.grad(call().square().sum(), (a, b, t)), wanted):
            assert torch.allclose(mine, theirs)
    constant = random(4, grad=True)  # not wrapped by torch.func
    inner = torch.func.grad(lambda y: (torch.ops.torchish.cube(constant) * y).sum())(random(4))
    assert torch.allclose(torch.autograd.grad(inner.sum(), constant)[0], 3 * constant**2)


def test_errors_keep_their_type_and_text(package):
    x = random(5)
    with pytest.raises(tenon.TenonError, match=r"beta is -1.*: it must be positive"):
        torch.ops.elementwise.softplus(x, -1.0)
    with pytest.raises(tenon.ShapeError, match="elementwise/lerp"):
        torch.ops.elementwise.lerp(x, random(4), x)
    with pytest.raises(tenon.DTypeError, match="elementwise/lerp"):
        torch.ops.elementwise.lerp(x, x.float(), x)
    with pytest.raises(tenon.DTypeError, match="elementwise/softplus"):
        torch.ops.elementwise.softplus(torch.arange(3))


def test_functional_transformations(package):
    from torch.func import grad, jacrev, vmap

    cube, x = torch.ops.torchish.cube, random(3, 4)
    assert torch.allclose(grad(lambda x: cube(x).sum())(x), 3 * x**2)
    assert torch.allclose(grad(lambda x: grad(lambda x: cube(x).sum())(x).sum())(x), 6 * x)
    assert torch.allclose(jacrev(cube)(x[0]), torch.diag(3 * x[0]**2))
    assert torch.allclose(jacrev(jacrev(lambda x: cube(x).sum()))(x[0]), torch.diag(6 * x[0]))
    assert torch.allclose(vmap(grad(lambda x: cube(x).sum()))(x), 3 * x**2)
    assert torch.allclose(grad(lambda x: tenon.ops.torchish.cube(x).sum())(x), 3 * x**2)  # through tenon.ops
    with pytest.raises(RuntimeError, match="image/median_filter has no gradient, and x requires one"):
        grad(lambda x: torch.ops.image.median_filter(x).sum())(x)


def test_vmap_is_a_call_for_each_element_of_the_batch(package):
    from torch.func import vmap

    image, x = torch.ops.image, random(3, 5, 6)
    cases = [(image.sobel, (x,), 0), (image.sobel, (x,), 2), (lambda x: image.gaussian_filter(x, 1.0), (x,), 0),
             (lambda x: image.histogram(x, bins=5), (x,), 1), (torch.ops.torchish.index, (x,), 0),
             (lambda x: torch.ops.torchish.split(x)[1], (x,), 0), (image.correlate, (x, random(3, 3)), (0, None)),
             (image.correlate, (x, random(3, 3, 3)), (0, 0)), (image.correlate, (x[0], random(3, 3, 3)), (None, 0)),
             (torch.ops.elementwise.lerp, (x, random(6), random(5, 1, 3)), (0, None, 2))]
    for function, args, dims in cases:
        each = dims if isinstance(dims, tuple) else (dims,)
        wanted = torch.stack([function(*(one if dim is None else one.select(dim, i) for one, dim in zip(args, each)))
                              for i in range(args[0].shape[each[0]] if each[0] is not None else 3)])
        assert torch.allclose(vmap(function, in_dims=dims)(*args), wanted), function
    y = x.clone()
    vmap(lambda x: (torch.ops.torchish.scale_(x, 2.0), x)[1])(y)
    assert torch.equal(y, 2 * x)


def test_double_backward_where_the_gradient_has_a_gradient(package):
    x = random(4, grad=True)
    assert torch.autograd.gradcheck(torch.ops.torchish.cube, (x,))
    assert torch.autograd.gradgradcheck(torch.ops.torchish.cube, (x,))
    assert torch.autograd.gradgradcheck(tenon.ops.torchish.cube, (x,))
    # works until it is differentiated
    first, = torch.autograd.grad(torch.ops.elementwise.silu(x).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="elementwise/silu_gradient has no gradient, and x requires one"):
        first.sum().backward()


def test_operations_without_a_gradient_are_refused(package):
    x = random(5, 6, grad=True)
    refusal = r"image/median_filter has no gradient, and x requires one: pass x\.detach\(\)"
    with pytest.raises(RuntimeError, match=refusal):
        torch.ops.image.median_filter(x)
    with pytest.raises(RuntimeError, match="image/correlate has no gradient for weights"):
        torch.ops.image.correlate(x, random(3, 3, grad=True))
    with pytest.raises(RuntimeError, match="torchish/scale_ has no gradient, and x requires one"):
        torch.ops.torchish.scale_(x, 2.0)
    y, kept = torch.ops.torchish.moments(x)
    assert y.requires_grad and not kept.requires_grad
    with torch.no_grad():
        assert not torch.ops.image.median_filter(x).requires_grad


def test_compiled_and_exported(package):
    ops, x = torch.ops, random(4, 5, grad=True)

    def model(x):
        y = ops.image.resize(ops.elementwise.silu(x) * 2, x.shape[0] * 2, 3)
        z = y.detach().clone()
        ops.torchish.scale_(z, 3.0)
        return (y + z).sum()

    wanted = torch.autograd.grad(model(x), x)[0]
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=True)
    for rows in (4, 6):
        x = random(rows, 5, grad=True)
        assert torch.allclose(torch.autograd.grad(compiled(x), x)[0], torch.autograd.grad(model(x), x)[0])
    assert wanted.shape == (4, 5)
    module = torch.nn.Module()
    module.forward = lambda x: ops.image.resize(x, x.shape[0] * 2, 3)
    program = torch.export.export(module, (random(4, 5),), dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}})
    assert "torch.ops.image.resize.default" in str(program.graph)
    assert program.module()(random(7, 5)).shape == (14, 3)


def test_traced_without_memory(package):
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch._subclasses import FakeTensorMode

    x = random(4, 5)
    traced = make_fx(lambda x: tenon.ops.elementwise.sigmoid(x) + torch.ops.elementwise.silu(x))(x)
    assert torch.allclose(traced(2 * x), torch.sigmoid(2 * x) + torch.nn.functional.silu(2 * x))
    assert torch.ops.image.resize(x.to("meta"), 8, 9).shape == (8, 9)
    with FakeTensorMode() as mode:
        made = tenon.ops.image.resize(mode.from_tensor(x), 8, 9)
        assert made.shape == (8, 9) and made.dtype is torch.float64
    with pytest.raises(tenon.ShapeError, match=r"x of image/sobel has the shape \(3,\): its rank must be at least 2"):
        torch.ops.image.sobel(torch.empty(3, device="meta"))


def test_autocast_takes_the_wider_of_two_dtypes(package):
    a, b = random(4, dtype=torch.float32), random(4, dtype=torch.bfloat16)
    with pytest.raises(tenon.DTypeError):
        torch.ops.elementwise.lerp(a, b, b)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.allclose(torch.ops.elementwise.lerp(a, b, a), torch.lerp(a, b.float(), a))
        assert torch.ops.elementwise.lerp(b, b, b).dtype is torch.bfloat16


class Holding(torch.nn.Module):
    def __init__(self, ops):
        super().__init__()
        self.ops, self.own, self.one = ops, tenon.ops.elementwise.silu, ops.sigmoid

    def forward(self, x):
        return self.ops.sigmoid(x) + self.own(x) + self.one(x)


class Data(torch.utils.data.Dataset):
    def __init__(self, ops):
        self.ops, self.halves = ops, ops.sigmoid

    def __len__(self):
        return 4

    def __getitem__(self, index):
        assert self.halves is torch.ops.elementwise.sigmoid
        return self.ops.sigmoid(torch.full((3,), float(index)))


def test_modules_that_hold_operations_are_copied_and_saved():
    model, x = Holding(tenon.torch.register("elementwise")), random(3)
    twin = copy.deepcopy(model)
    assert torch.equal(twin(x), model(x))
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    assert torch.equal(torch.load(file, weights_only=False)(x), model(x))
    assert pickle.loads(pickle.dumps(model.ops)).sigmoid is torch.ops.elementwise.sigmoid
    for one in (torch.ops.elementwise.sigmoid, torch.ops.elementwise.sigmoid.default):
        assert pickle.loads(pickle.dumps(one)) is one and copy.deepcopy(one) is one


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_of_a_data_loader(start):
    if start == "fork" and torch.cuda.is_available():
        pytest.skip("a process that used CUDA cannot go on in its fork")
    data = Data(tenon.torch.register("elementwise"))
    loader = torch.utils.data.DataLoader(data, batch_size=2, num_workers=1,
                                         multiprocessing_context=multiprocessing.get_context(start))
    assert torch.allclose(torch.cat(list(loader)), torch.sigmoid(torch.arange(4.0))[:, None].expand(4, 3))


def test_another_version_replaces_the_first(tmp_path):
    from tenon._torch_operations import of

    first = None
    for version, factor in (("1.0.0", 2), ("1.1.0", 3)):
        (tmp_path / version).mkdir()
        (tmp_path / version / "plugin.toml").write_text(
            f'name = "twice"\nversion = "{version}"\n[op.times]\nparameters = ["in T x", "out T y"]\n'
            f'elementwise = "y = {factor} * x"\n')
        package = tenon.plugins.load(tmp_path / version)
        assert tenon.torch.register(package).times(torch.ones(2)).tolist() == [factor] * 2
        assert list(tenon.torch.register(package)) == ["times"]
        x = torch.ones(2, requires_grad=True)
        with pytest.raises(RuntimeError, match="twice/times has no gradient"):
            torch.ops.twice.times(x)
        first = first or weakref.ref(of(package.times))
    del package
    gc.collect()
    assert first() is None
    package = tenon.plugins.load(tmp_path / "1.1.0")
    with pytest.raises(TypeError, match="register takes a package or its name, not int"):
        tenon.torch.register(3)
    with pytest.raises(AttributeError, match="has no operation 'tims'; it has: times"):
        tenon.torch.register(package).tims
