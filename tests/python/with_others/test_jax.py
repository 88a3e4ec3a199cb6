"""Operations of packages and kernels in JAX programs."""


import numpy
import pytest

import tenon

from conftest import KERNELS, WITH_GRADIENTS

pytestmark = pytest.mark.peers
jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp = jax.numpy
PACKAGE = '''
name = "jaxish"
[op.scaled]
parameters = ["in T x", "scalar float32 by = 2", "out T y"]
elementwise = "y = (T)(by * x)"
gradient = "scaled_gradient"
[op.scaled_gradient]
parameters = ["in T grad_y", "scalar float32 by", "out T grad_x"]
elementwise = "grad_x = (T)(by * grad_y)"
''' + WITH_GRADIENTS
SOURCE = r"""
__global__ void twice(const float* x, float* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = 2 * x[i];
}
struct Pair { float a, b; };
__global__ void both(const float* x, Pair p, float* sums, float* differences) {
  int i = threadIdx.x;
  sums[i] = x[i] * p.a + p.b; differences[i] = x[i] - p.a;
}
"""


@pytest.fixture(scope="module")
def elementwise():
    return tenon.jax.register(tenon.plugins.load(KERNELS / "elementwise"))


@pytest.fixture(scope="module")
def image():
    return tenon.jax.register(tenon.plugins.load(KERNELS / "image"))


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    directory = tmp_path_factory.mktemp("jaxish")
    (directory / "plugin.toml").write_text(PACKAGE)
    return tenon.jax.register(tenon.plugins.load(directory))


def random(*shape):
    return jnp.asarray(numpy.random.default_rng(sum(shape)).standard_normal(shape, "float32"))


def test_operations_under_jit(elementwise, image):
    x = random(5, 6)
    assert jnp.allclose(jax.jit(elementwise.sigmoid)(x), jax.nn.sigmoid(x), atol=1e-6)
    assert jnp.allclose(elementwise.lerp(x, x[0], jnp.float32(0.25).reshape(1)), x + 0.25 * (x[0] - x), atol=1e-6)
    small = jax.jit(lambda x: image.resize(x * 2, 3, 4, "area"))(x)
    wanted = tenon.ops.image.resize(numpy.asarray(2 * x), 3, 4, "area")
    assert small.shape == (3, 4) and jnp.allclose(small, numpy.asarray(wanted), atol=1e-5)
    blurred = image.gaussian_filter(x, [1.0, 0.5], mode="wrap")
    wanted = tenon.ops.image.gaussian_filter(numpy.asarray(x), [1.0, 0.5], mode="wrap")
    assert jnp.allclose(blurred, numpy.asarray(wanted), atol=1e-6)


def test_derivatives_are_those_of_the_contract(ops, elementwise, image):
    x = random(5, 6)
    assert jnp.allclose(jax.grad(lambda x: ops.cube(x).sum())(x), 3 * x**2, atol=1e-5)
    assert jnp.allclose(jax.grad(lambda x: jax.grad(lambda x: ops.cube(x).sum())(x).sum())(x), 6 * x, atol=1e-5)
    assert jnp.allclose(jax.jit(jax.grad(lambda x: (ops.moments(x)[0] * 3).sum()))(x), 3 * x, atol=1e-5)
    for factor, function in ((2, ops.scaled), (3, lambda x: ops.scaled(x, 3.0))):  # the gradient has no default of its own
        assert (jax.grad(lambda x: function(x).sum())(x) == factor).all()
    of_a, of_b = jax.grad(lambda a, b: elementwise.hypot(a, b).sum(), (0, 1))(x, x[0])
    wanted = jax.grad(lambda a, b: jnp.hypot(a, b).sum(), (0, 1))(x, x[0])
    assert jnp.allclose(of_a, wanted[0], atol=1e-5) and jnp.allclose(of_b, wanted[1], atol=1e-4)
    with pytest.raises(TypeError, match="image/median_filter has no gradient for x: pass jax.lax.stop_gradient"):
        jax.grad(lambda x: image.median_filter(x).sum())(x)
    with pytest.raises(TypeError, match="image/correlate has no gradient for weights"):
        jax.grad(lambda w: image.correlate(x, w).sum())(random(3, 3))


def test_vmap_is_a_call_for_each_element_of_the_batch(ops, elementwise, image):
    x = random(3, 5, 6)
    for function in (image.sobel, lambda x: image.gaussian_filter(x, 1.0), ops.cube, lambda x: image.resize(x, 4, 4)):
        assert jnp.allclose(jax.vmap(function)(x), jnp.stack([function(one) for one in x]), atol=1e-5)
    assert jnp.allclose(jax.vmap(image.correlate, in_axes=(0, None))(x, random(3, 3)),
                        jnp.stack([image.correlate(one, random(3, 3)) for one in x]), atol=1e-5)
    assert jnp.allclose(jax.vmap(elementwise.lerp, in_axes=(0, None, 0))(x, x[0, 0], x[:, :, :1]),
                        jnp.stack([elementwise.lerp(one, x[0, 0], one[:, :1]) for one in x]), atol=1e-5)


def test_inout_parameters_are_results(ops):
    x = random(4)
    before = x.tolist()
    assert jnp.allclose(jax.jit(lambda x: ops.scale_(x, 3))(x), 3 * x) and x.tolist() == before


def test_kernels(ops):
    x = random(40)
    twice, both = tenon.Kernel(SOURCE, "twice"), tenon.Kernel(SOURCE, "both")
    like = jax.ShapeDtypeStruct(x.shape, x.dtype)
    assert jnp.allclose(tenon.jax.launch(twice, 1, 32, [x, like, 40]), 2 * x)
    assert jnp.allclose(jax.jit(lambda x: tenon.jax.launch(twice, 1, 32, [x + 1, like, 40]) - 1)(x), 2 * x + 1)
    sums, differences = tenon.jax.launch(both, 1, 40, [x, numpy.array([2, 3], "float32").tobytes(), like, like])
    assert jnp.allclose(sums, 2 * x + 3) and jnp.allclose(differences, x - 2)
    rows = x.reshape(4, 10)
    row = jax.ShapeDtypeStruct((10,), x.dtype)
    assert jnp.allclose(jax.vmap(lambda x: tenon.jax.launch(twice, 1, 8, [x, row, 10]))(rows), 2 * rows)
    with pytest.raises(TypeError, match=r"argument 1 \(y\) of twice is written, but JAX's arrays are immutable"):
        tenon.jax.launch(twice, 1, 32, [x, x, 40])


def test_bad_calls_are_refused(ops, elementwise, image):
    x = random(5, 6)
    with pytest.raises(TypeError, match="height of image/resize is traced"):
        jax.jit(lambda x, n: image.resize(x, n, 3))(x, 4)
    with pytest.raises(tenon.ShapeError, match="its rank must be at least 2"):
        image.sobel(x[0])
    with pytest.raises(TypeError, match="image/histogram gives int64, which JAX has only with jax.config.update"):
        image.histogram(x)
    with pytest.raises(Exception, match="beta is -1: it must be positive"):  # XLA's own error class
        elementwise.softplus(x, -1.0).block_until_ready()
    with pytest.raises(TypeError, match="register takes a package or its name, not int"):
        tenon.jax.register(3)
    with pytest.raises(AttributeError, match="has no operation 'sigmoit'; it has: sigmoid"):
        elementwise.sigmoit
