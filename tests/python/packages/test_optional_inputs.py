"""Operations with optional inputs: a bias, a mask."""

import numpy
import pytest

import tenon
from conftest import on

PACKAGE = '''
name = "leftout"
[op.affine]
parameters = ["in T x[..., k]", "in T weight[n, k]", "in optional T bias[n]: none: 0", "out T y[..., n]"]
let = ["rows = prod(x.shape, 0, -1)"]
source = "affine.cu"
kernel = "affine<T>"
defines = { BIAS = "{bias.given}" }
threads = "rows * n"
arguments = ["x", "weight", "bias", "y", "rows", "n", "k"]
gradient = "affine_gradient"
test = [
  { given = { x = "normal(3, 5, 4)", weight = "normal(2, 4)", bias = "normal(2)" }, types = { T = "float64" } },
  { given = { x = "normal(3, 4)", weight = "normal(2, 4)" }, types = { T = "float64" } },
]
[op.affine_gradient]
parameters = ["in T x[..., k]", "in T weight[n, k]", "in optional T bias[n]", "in T grad_y[..., n]",
  "out T grad_x like x", "out T grad_weight like weight", "out T grad_bias[n]"]
let = ["rows = prod(x.shape, 0, -1)"]
steps = [
  { source = "affine.cu", kernel = "of_x<T>", threads = "rows * k", arguments = ["weight", "grad_y", "grad_x", "rows", "n", "k"] },
  { source = "affine.cu", kernel = "of_weight<T>", threads = "n * k", arguments = ["x", "grad_y", "grad_weight", "rows", "n", "k"] },
  { source = "affine.cu", kernel = "of_bias<T>", threads = "n", arguments = ["grad_y", "grad_bias", "rows", "n"], when = "bias.given" },
]
[op.masked]
parameters = ["in T x", "in optional bool mask", "in optional T shift", "out T y"]
steps = [
  { elementwise = "y = mask ? x : T(0)", read = ["x", "mask"], when = "mask.given && !shift.given" },
  { elementwise = "y = mask ? x + shift : T(0)", read = ["x", "mask", "shift"], when = "mask.given && shift.given" },
  { elementwise = "y = x + shift", read = ["x", "shift"], when = "!mask.given && shift.given" },
  { elementwise = "y = x", read = ["x"], when = "!mask.given && !shift.given" },
]
[op.unsure]
parameters = ["in T x", "in optional T shift", "out T y"]
elementwise = "y = x + shift"
[op.sized]
parameters = ["in T x", "in optional T extra[*]", "out T y[x.size + (extra.given ? extra.size : 0)]"]
source = "affine.cu"
kernel = "join<T>"
arguments = ["x", "extra", "y", "x.size", "y.size"]
[op.careless]
parameters = ["in T x", "in optional T extra[*]", "out T y[x.size + extra.size]"]
source = "affine.cu"
kernel = "join<T>"
arguments = ["x", "extra", "y", "x.size", "y.size"]
'''
SOURCE = r'''
template <class T>
__global__ void affine(const T* x, const T* weight, const T* bias, T* y, int rows, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * n) return;
  T sum = 0;
#if BIAS
  sum = bias[i % n];
#else
  if (bias) sum = 1e9;  // it is NULL
#endif
  for (int j = 0; j < k; ++j) sum += x[i / n * k + j] * weight[i % n * k + j];
  y[i] = sum;
}
template <class T>
__global__ void of_x(const T* weight, const T* grad_y, T* grad_x, int rows, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * k) return;
  T sum = 0;
  for (int j = 0; j < n; ++j) sum += grad_y[i / k * n + j] * weight[j * k + i % k];
  grad_x[i] = sum;
}
template <class T>
__global__ void of_weight(const T* x, const T* grad_y, T* grad_weight, int rows, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * k) return;
  T sum = 0;
  for (int j = 0; j < rows; ++j) sum += grad_y[j * n + i / k] * x[j * k + i % k];
  grad_weight[i] = sum;
}
template <class T>
__global__ void of_bias(const T* grad_y, T* grad_bias, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int j = 0; j < rows; ++j) sum += grad_y[j * n + i];
  grad_bias[i] = sum;
}
template <class T>
__global__ void join(const T* x, const T* extra, T* y, int n, int all) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) y[i] = i < n ? x[i] : extra[i - n];
}
'''


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("leftout")
    (directory / "plugin.toml").write_text(PACKAGE)
    (directory / "affine.cu").write_text(SOURCE)
    loaded = tenon.plugins.load(directory)
    yield loaded
    loaded.unload()


@pytest.fixture
def data(random):
    return [random.normal(size=shape).astype("float32") for shape in ((3, 5, 4), (2, 4), (2,))]


def test_an_input_is_there_or_not(package, device, data):
    x, weight, bias = (on(device, one) for one in data)
    with_bias, without = data[0] @ data[1].T + data[2], data[0] @ data[1].T
    for call in (lambda: package.affine(x, weight, bias), lambda: package.affine(x, weight, bias=bias)):
        numpy.testing.assert_allclose(call().numpy(), with_bias, rtol=1e-5, atol=1e-6)
    for call in (lambda: package.affine(x, weight), lambda: package.affine(x, weight, None),
                 lambda: package.affine(x, weight=weight, bias=None),
                 lambda: package.affine(x, weight, out=tenon.zeros((3, 5, 2), "float32", device=device)),
                 lambda: package.affine(x, weight, stream=tenon.Stream(device))):
        numpy.testing.assert_allclose(call().numpy(), without, rtol=1e-5, atol=1e-6)


def test_bound_and_recorded_calls(package, device, data):
    x, weight, bias = (on(device, one) for one in data)
    without = data[0] @ data[1].T
    bound = package.affine.bind(x, weight)
    bound()
    numpy.testing.assert_allclose(bound.outputs[0].numpy(), without, rtol=1e-5, atol=1e-6)
    out = tenon.zeros((3, 5, 2), "float32", device=device)
    with tenon.Graph(device) as graph:
        package.affine(x, weight, out=out, stream=graph)
    graph.launch()
    numpy.testing.assert_allclose(out.numpy(), without, rtol=1e-5, atol=1e-6)


def test_every_combination_in_expressions(package, device, random):
    x, shift = random.normal(size=(3, 4)).astype("float32"), random.normal(size=4).astype("float32")
    mask = random.random((3, 4)) < 0.5
    for m in (None, mask):
        for s in (None, shift):
            got = package.masked(on(device, x), None if m is None else on(device, m), None if s is None else on(device, s))
            want = x if s is None else x + s
            assert got.dtype == tenon.float32
            numpy.testing.assert_array_equal(got.numpy(), want if m is None else numpy.where(m, want, 0))


def test_shapes_may_ask(package, device):
    x, extra = on(device, numpy.arange(3, dtype="float64")), on(device, numpy.full(2, 7.0))
    assert package.sized(x).tolist() == [0, 1, 2]
    assert package.sized(x, extra).tolist() == [0, 1, 2, 7, 7]
    assert package.careless(x, extra).tolist() == [0, 1, 2, 7, 7]
    with pytest.raises(ValueError, match="was not given: test for that first"):
        package.careless(x)


def test_what_is_wrong_is_said(package, device, data):
    x, weight, bias = (on(device, one) for one in data)
    with pytest.raises(ValueError, match="bias of leftout/affine has the shape"):
        package.affine(x, weight, on(device, numpy.zeros(3, "float32")))
    with pytest.raises(TypeError, match="bias of leftout/affine is float64"):
        package.affine(x, weight, on(device, numpy.zeros(2)))
    with pytest.raises(TypeError):
        package.affine(x, None)
    with pytest.raises(ValueError, match="reads shift, which was not given: its `when`"):
        package.unsure(x)
    assert package.unsure(x, x).numpy().tolist() == (2 * data[0]).tolist()


def test_it_is_described(package):
    bias = package.affine.description["parameters"][2]
    assert bias["optional"] and "optional" not in package.affine.description["parameters"][1]
    assert str(package.affine.__signature__) == "(x, weight, bias=None)"
    assert str(package.affine_gradient.__signature__) == "(x, weight, bias, grad_y)"
    assert "bias (optional in, T): none: 0" in package.affine.__doc__


def test_the_packages_own_tests_leave_it_out(package, device):
    report = package.affine.test(device)
    assert report["failed"] == 0, report
    assert sum("gradient for bias" in case["what"] for case in report["cases"]) == 1
    assert sum("gradient for weight" in case["what"] for case in report["cases"]) == 2


@pytest.mark.peers
def test_in_pytorch(package, device):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    place = str(device).split(":")[0]
    if place == "cuda" and not torch.cuda.is_available():
        pytest.skip("PyTorch sees no GPU")
    x, weight, bias = (torch.randn(shape, dtype=torch.float64, device=place, requires_grad=True)
                       for shape in ((3, 4), (2, 4), (2,)))
    ops = tenon.torch.register(package)
    assert "Tensor? bias=None" in str(torch.ops.leftout.affine.default._schema)
    for call in (package.affine, torch.ops.leftout.affine):
        torch.testing.assert_close(call(x, weight, bias), torch.nn.functional.linear(x, weight, bias))
        torch.testing.assert_close(call(x, weight), torch.nn.functional.linear(x, weight))
        assert torch.autograd.gradcheck(call, (x, weight, bias))
        assert torch.autograd.gradcheck(call, (x, weight))
        assert torch.autograd.gradcheck(lambda x: call(x, weight.detach(), None), (x,))
    for args in ((x, weight, bias), (x, weight)):
        torch.library.opcheck(torch.ops.leftout.affine.default, args)
        torch.testing.assert_close(torch.vmap(lambda one: ops.affine(one, *args[1:]))(x[None]),
                                   torch.nn.functional.linear(x[None], *args[1:]))


@pytest.mark.peers
def test_in_jax(package):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    x, weight, bias = (jax.random.normal(jax.random.key(i), shape) for i, shape in enumerate(((3, 4), (2, 4), (2,))))
    ops = tenon.jax.register(package)
    numpy.testing.assert_allclose(jax.jit(ops.affine)(x, weight, bias), x @ weight.T + bias, rtol=1e-5, atol=1e-6)
    numpy.testing.assert_allclose(jax.jit(ops.affine)(x, weight), x @ weight.T, rtol=1e-5, atol=1e-6)
    numpy.testing.assert_allclose(ops.sized(x[0]), x[0])
    for args in ((x, weight, bias), (x, weight)):
        every = tuple(range(len(args)))
        got = jax.grad(lambda *args: (ops.affine(*args) ** 2).sum(), every)(*args)
        want = jax.grad(lambda x, w, b=0.0: ((x @ w.T + b) ** 2).sum(), every)(*args)
        for a, b in zip(got, want):
            numpy.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
