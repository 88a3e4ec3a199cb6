"""Writes into arrays of other libraries: they increment the version of PyTorch tensors, and JAX's arrays are never
changed."""


import numpy
import pytest

import tenon

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")

SOURCE = r'extern "C" __global__ void put(float* y, const float* x, float by) { y[threadIdx.x] = by * x[threadIdx.x]; }'
PACKAGE = '''
name = "writing"
version = "1.0.0"
[op.scale_]
parameters = ["inout T x", "scalar T by"]
elementwise = "x = by * x"
[op.square]
parameters = ["in T x", "out T y"]
elementwise = "y = x * x"
gradient = "square_grad"
[op.square_grad]
parameters = ["in T x", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = 2 * x * grad_y"
'''
KERNEL = tenon.Kernel(SOURCE, "put")
TWICE = tenon.elementwise("T x", "T y", "y = 2 * x")
TOTAL = tenon.reduction("T x", "T y", "x", "a + b", "", "0")
RUNNING = tenon.scan("T x", "T y")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("writing")
    (directory / "plugin.toml").write_text(PACKAGE)
    return tenon.plugins.load(directory)


def recorded(work):
    """A call that launches a graph with the work."""
    graph = tenon.Graph("cpu:0")
    with graph:
        work(graph)
    return graph.launch


X = torch.arange(4.0) + 1
SQUARE = torch.eye(4) + 1
# What is written -> (shape, call)
WRITERS = {
    "kernel": ((4,), lambda y, p: KERNEL(1, 4, [y, X, 3])),
    "compiled kernel": ((4,), lambda y, p: KERNEL.on("cpu:0")(1, 4, [y, X, 3])),
    "timed kernel": ((4,), lambda y, p: KERNEL.on("cpu:0").time(1, 4, [y, X, 3])),
    "bound kernel": ((4,), lambda y, p: KERNEL.bind(1, 4, [y, X, 3])()),
    "argument of a bound kernel": ((4,), lambda y, p: replaced(y)()),
    "kernel in a graph": ((4,), lambda y, p: recorded(lambda g: KERNEL(1, 4, [y, X, 3], stream=g))()),
    "elementwise out": ((4,), lambda y, p: TWICE(X, out=y)),
    "elementwise last": ((4,), lambda y, p: TWICE(X, y)),
    "elementwise in a graph": ((4,), lambda y, p: recorded(lambda g: TWICE(X, out=y, stream=g))()),
    "reduction": ((), lambda y, p: TOTAL(X, out=y)),
    "scan": ((4,), lambda y, p: RUNNING(X, out=y)),
    "sum": ((), lambda y, p: tenon.sum(X, out=y)),
    "cumsum": ((4,), lambda y, p: tenon.cumsum(X, out=y)),
    "operation out": ((4,), lambda y, p: p.square(X, out=y)),
    "operation inout": ((4,), lambda y, p: p.scale_(y, 2.0)),
    "bound operation out": ((4,), lambda y, p: p.square.bind(X, out=y)()),
    "bound operation inout": ((4,), lambda y, p: p.scale_.bind(y, 2.0)()),
    "gemm": ((4, 4), lambda y, p: tenon.gemm(SQUARE, SQUARE, y)),
    "rank_k": ((4, 4), lambda y, p: tenon.rank_k(SQUARE, y)),
    "gemv": ((4,), lambda y, p: tenon.blas.gemv(SQUARE, X, y)),
    "ger": ((4, 4), lambda y, p: tenon.blas.ger(X, X, y)),
    "axpy": ((4,), lambda y, p: tenon.blas.axpy(X, y)),
    "scal": ((4,), lambda y, p: tenon.blas.scal(2, y)),
    "syrk": ((4, 4), lambda y, p: tenon.blas.syrk(SQUARE, y)),
    "symm": ((4, 4), lambda y, p: tenon.blas.symm(SQUARE, SQUARE, y)),
    "trmm": ((4, 4), lambda y, p: tenon.blas.trmm(SQUARE, y)),
    "trsm": ((4, 4), lambda y, p: tenon.blas.trsm(SQUARE, y)),
    "gemm_grouped": ((4, 4), lambda y, p: tenon.blas.gemm_grouped([SQUARE], [SQUARE], [y])),
    "dct": ((4,), lambda y, p: tenon.dct(X, out=y)),
    "irfft": ((4,), lambda y, p: tenon.irfft(torch.ones(3, dtype=torch.complex64), out=y)),
}


def replaced(y):
    call = KERNEL.bind(1, 4, [torch.zeros(4), X, 3])
    call[0] = y
    return call


@pytest.mark.parametrize("name", WRITERS)
def test_a_write_counts(name, package):
    shape, write = WRITERS[name]
    x = torch.ones(shape, requires_grad=True)
    y = x.exp()
    version = y._version
    write(y.detach(), package)
    assert y._version > version
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_what_is_only_read_does_not_count(package):
    x = torch.ones(4, requires_grad=True)
    y = x.exp()
    read, version = y.detach(), y._version
    KERNEL(1, 4, [torch.zeros(4), read, 3])
    TWICE(read), package.square(read), tenon.sum(read), tenon.blas.axpy(read, torch.zeros(4))
    with pytest.raises(tenon.TenonError):
        KERNEL(1, 4, [read, torch.ones(4, dtype=torch.float64), 3])  # an error: nothing was written
    assert y._version == version
    y.sum().backward()
    assert torch.allclose(x.grad, torch.ones(4).exp())


def test_each_launch_of_a_graph_counts_and_an_argument_that_was_replaced_does_not():
    before, after = torch.zeros(4), torch.zeros(4)
    graph = tenon.Graph("cpu:0")
    with graph:
        KERNEL(1, 4, [before, X, 3], stream=graph)
    assert before._version == 0
    graph.launch(), graph.launch()
    assert before._version == 2
    graph.set(0, 0, after)
    graph.launch()
    assert (before._version, after._version) == (2, 1)
    assert torch.equal(after, 3 * X)


def test_out_with_a_gradient_is_refused_as_pytorch_refuses_it(package):
    x = torch.ones(4, requires_grad=True)
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentiation"):
        torch.exp(x, out=torch.zeros(4))
    for call in (package.square, package.square.bind):
        with pytest.raises(RuntimeError, match="square.*out=... arguments don't support automatic differentiation"):
            call(x, out=torch.zeros(4))
    with torch.no_grad():
        out = torch.zeros(4)
        assert package.square(x, out=out) is out and torch.equal(out, torch.ones(4))


def test_tensors_that_require_grad_are_plain_ones_within_no_grad(package):
    weight = torch.nn.Parameter(torch.ones(4))
    with pytest.raises(BufferError, match="argument 0 .* requires? grad"):
        KERNEL(1, 4, [weight, X, 3])
    with pytest.raises(RuntimeError, match="tenon.axpy has no gradient"):
        tenon.blas.axpy(X, weight)
    with torch.no_grad():
        KERNEL(1, 4, [weight, X, 3])
        tenon.blas.axpy(X, weight)
        package.scale_(weight, 2.0)
    assert torch.equal(weight.data, 8 * X) and weight._version == 3 and weight.requires_grad


class Tagged(torch.Tensor):
    pass


@pytest.mark.parametrize("requires_grad", [False, True])
def test_subclasses_come_back_as_pytorchs_own_functions_give_them(package, requires_grad):
    for x in (torch.ones(4), torch.ones(4).as_subclass(Tagged), torch.nn.Parameter(torch.ones(4))):
        x = x.requires_grad_(requires_grad)
        y = package.square(x)
        assert type(y) is type(x * x) and y.requires_grad == requires_grad
        if requires_grad:
            y.sum().backward()
            assert torch.equal(x.grad.as_subclass(torch.Tensor), torch.full((4,), 2.0))


def test_an_inout_list_is_refused(package):
    for value in ([1.0, 2.0], 3.0, (1.0,), numpy.float32(2)):
        with pytest.raises(ValueError, match="x of writing/scale_ cannot be written: .* is not an array"):
            package.scale_(value, 2.0)


@pytest.mark.parametrize("make", [lambda: torch.zeros(()), lambda: numpy.zeros((), "float32"), lambda: tenon.zeros((), "float32", device="cpu:0")])
def test_an_array_without_axes_is_a_pointers_argument(make):
    add = tenon.Kernel("__global__ void add(const float* x, float* y) { atomicAdd(y, x[threadIdx.x]); }", "add")
    total = make()
    add(1, 4, [X, total])
    assert float(total) == 10
    only = tenon.Kernel("__global__ void one(float* y) { *y += 1; }", "one")
    only(1, 1, [total])
    assert float(total) == 11


# --- JAX ---

@pytest.fixture
def fixed():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    return jax.numpy.arange(4, dtype="float32", device=jax.devices("cpu")[0])


@pytest.mark.parametrize("write", [
    lambda x, p: KERNEL(1, 4, [x, X, 3]),
    lambda x, p: tenon.from_dlpack(x).fill(3),
    lambda x, p: tenon.from_dlpack(x).__setitem__(0, 42),
    lambda x, p: tenon.asarray(x)[1:].fill(3),
    lambda x, p: TWICE(X, out=x),
    lambda x, p: p.scale_(x, 2.0),
    lambda x, p: p.square(X, out=x),
    lambda x, p: tenon.blas.axpy(X, x),
    lambda x, p: tenon.dct(X, out=x),
])
def test_arrays_of_jax_are_not_written(fixed, package, write):
    with pytest.raises((tenon.ReadOnlyError, BufferError), match="read-only"):
        write(fixed, package)
    assert fixed.tolist() == [0, 1, 2, 3]


def test_arrays_of_jax_are_read_without_a_copy_and_copied_where_asked(fixed):
    array = tenon.from_dlpack(fixed)
    assert array.readonly and array.data_ptr == fixed.unsafe_buffer_pointer()
    assert tenon.sum(fixed) == 6
    mine = tenon.from_dlpack(fixed, copy=True)
    mine[0] = 42
    assert fixed[0] == 0 and mine[0].item() == 42
    KERNEL(1, 4, [mine, fixed, 3])
    assert mine.tolist() == [0, 3, 6, 9]


def test_jax_makes_an_array_of_tenons(fixed):
    jnp = pytest.importorskip("jax.numpy")
    array = tenon.asarray(numpy.arange(3.0, dtype="float32"))
    made = jnp.asarray(array)
    array[0] = 9
    assert made.tolist() == [0, 1, 2] and jnp.sum(made) == 3
