"""torch.compile and its relatives trace Tenon's functions, operations and launches, or say why not."""


import pytest
from conftest import run_python

import tenon
from tenon._like import TRACED

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")
SOURCE = """__global__ void axpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}"""


@pytest.fixture(params=["cpu", "cuda"])
def where(request):
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return request.param


@pytest.fixture(autouse=True)
def _fresh():
    torch._dynamo.reset()


def compiled(function, **options):
    return torch.compile(function, fullgraph=True, **{"backend": "aot_eager", **options})


def random(*shape, where="cpu", dtype=torch.float64, grad=False):
    generator = torch.Generator().manual_seed(3 + sum(shape))
    return torch.randn(shape, generator=generator, dtype=dtype).to(where).requires_grad_(grad)


def definite(x):
    return x @ x.mT + 3 * torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)


# Calls of the functions that can be traced, on a batch of square matrices; of vectors only what does not depend on signs.
CALLS = {"matmul": lambda x: tenon.matmul(x, x[0]), "inv": lambda x: tenon.inv(definite(x)),
         "solve": lambda x: tenon.solve(definite(x), x, kind="positive"), "cholesky": lambda x: tenon.cholesky(definite(x)),
         "eigh": lambda x: tenon.eigh(x + x.mT).eigenvectors ** 2, "eigvalsh": lambda x: tenon.eigvalsh(x + x.mT),
         "svd": lambda x: tenon.svd(x, full_matrices=False).U ** 2, "svdvals": lambda x: tenon.svdvals(x),
         "fft": lambda x: tenon.fft(x, n=6, axis=1), "fft2": lambda x: tenon.fft2(x), "fftn": lambda x: tenon.fftn(x, norm="ortho"),
         "ifft": lambda x: tenon.ifft(x), "ifft2": lambda x: tenon.ifft2(x), "ifftn": lambda x: tenon.ifftn(x, s=(2, 3)),
         "rfft": lambda x: tenon.rfft(x), "rfft2": lambda x: tenon.rfft2(x), "rfftn": lambda x: tenon.rfftn(x),
         "irfft": lambda x: tenon.irfft(torch.complex(x, x), n=7), "irfft2": lambda x: tenon.irfft2(torch.complex(x, x)),
         "irfftn": lambda x: tenon.irfftn(torch.complex(x, x), s=(4, 3)),
         "hfft": lambda x: tenon.hfft(torch.complex(x, x)), "ihfft": lambda x: tenon.ihfft(x, n=6, axis=1)}


def test_the_list_of_traced_functions_is_that_of_the_rules():
    from tenon import _torch_gradients

    assert {function.__name__ for function in _torch_gradients.RULES} == TRACED == set(CALLS)


@pytest.mark.parametrize("name", sorted(TRACED))
def test_functions_are_traced_with_their_derivatives(where, name):
    function, given = CALLS[name], random(2, 4, 4, where=where)
    results = []
    for call in (function, compiled(function), compiled(function, dynamic=True)):
        x = given.clone().requires_grad_()
        y = call(x)
        weights = torch.linspace(-1, 1, y.numel(), dtype=torch.float64, device=where).reshape(y.shape)
        gradient, = torch.autograd.grad((weights * y).abs().sum() if y.is_complex() else (weights * y).sum(), x)
        results.append((y, gradient, call(given)))
    for y, gradient, untracked in results:
        assert y.dtype == results[0][0].dtype and y.shape == results[0][0].shape
        assert torch.allclose(y, results[0][0]) and torch.allclose(gradient, results[0][1]) and torch.allclose(untracked, y)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128])
def test_results_without_memory_are_described_as_they_are(where, dtype):
    """Of every primitive, with and without a batch, tall, wide, empty and broadcast."""
    from tenon._torch_traced import _FUNCTIONS, _operations

    square = [(4, 4), (2, 4, 4), (0, 3, 3), (1, 1)]
    axes = {"axes": [-2, -1], "norm": None}
    cases = {"matmul": [((3, 4), (4, 2)), ((2, 1, 3, 4), (5, 4, 4)), ((0, 4), (4, 3))], "inv": [(one,) for one in square],
             "cholesky": [(one,) for one in square], "solve": [((4, 4), (4, 2)), ((3, 4, 4), (4, 1)), ((4, 4), (2, 4, 3))],
             "eigh": [(one,) for one in square], "svd": [((4, 4),), ((5, 3),), ((2, 3, 5),)], "fftn": [((3, 4),), ((2, 3, 5),)],
             "ifftn": [((3, 4),), ((2, 3, 5),)], "rfftn": [((3, 4),), ((2, 3, 5),)], "irfftn": [((3, 4),), ((2, 3, 5),)]}
    options = {"matmul": {"compute": "strict"}, "solve": {"kind": "general", "unit_diagonal": False}, "eigh": {"upper": False},
               "svd": {"full_matrices": False, "driver": "auto"}, "fftn": axes, "ifftn": axes, "rfftn": axes}
    assert set(cases) == {function.__name__ for function, *_ in _FUNCTIONS}
    for function, *_ in _FUNCTIONS:
        name = function.__name__
        if name == "rfftn" and dtype.is_complex or name == "irfftn" and not dtype.is_complex:
            continue
        for shapes in cases[name]:
            tensors = [random(*shape, where=where).to(dtype) for shape in shapes]
            if name in ("inv", "cholesky", "solve", "eigh"):
                tensors[0] = definite(tensors[0].real.contiguous()).to(dtype)
            extra = {"s": [3, 5], **axes} if name == "irfftn" else options.get(name, {})
            found = torch.library.opcheck(_operations()[function], tuple(tensors), extra, test_utils=("test_schema", "test_faketensor"),
                                          raise_exception=False)
            assert [*map(str, found.values())] == ["SUCCESS"] * 2, (name, shapes, found)


def test_wrong_shapes_are_refused_while_tracing():
    for function, args, match in [(tenon.matmul, (random(2, 3), random(2, 3)), "the columns of a must be as many"),
                                  (tenon.solve, (random(2, 2), random(3, 1)), "b must have as many rows as a"),
                                  (tenon.inv, (random(2, 3),), "must be square")]:
        with pytest.raises(Exception, match=match):
            compiled(lambda *given, function=function: function(*given))(*args)


def test_other_functions_end_the_graph_and_say_so(where):
    x = random(5, where=where)
    with pytest.raises(torch._dynamo.exc.Unsupported, match="tenon.sort is not among the functions of Tenon that PyTorch can trace"):
        compiled(lambda x: tenon.sort(x) * 2)(x)
    with pytest.raises(torch._dynamo.exc.Unsupported, match="tenon.blas.nrm2 is not among"):
        compiled(lambda x: tenon.blas.nrm2(x) * 2)(x)
    broken = torch.compile(lambda x: tenon.sort(x + 1) * 2, backend="aot_eager")
    assert torch.equal(broken(x), torch.sort(x + 1).values * 2)
    with pytest.raises(RuntimeError, match="tenon.sort is not among the functions"):
        torch.fx.experimental.proxy_tensor.make_fx(lambda x: tenon.sort(x))(x)
    with torch._subclasses.FakeTensorMode() as mode, pytest.raises(RuntimeError, match="tenon.sort is not among the functions"):
        tenon.sort(mode.from_tensor(torch.ones(3)))


def test_functions_are_recorded_and_exported():
    x = random(3, 3)
    graph = torch.fx.experimental.proxy_tensor.make_fx(lambda x: tenon.matmul(x, x))(x)
    y = random(3, 3) + 1
    assert torch.allclose(graph(y), y @ y)

    class Module(torch.nn.Module):
        def forward(self, x):
            return tenon.fft(tenon.solve(x, x + 1))

    for strict in (False, True):
        program = torch.export.export(Module(), (x + 4 * torch.eye(3),), strict=strict)
        assert torch.allclose(program.module()(y + 4 * torch.eye(3)), Module()(y + 4 * torch.eye(3)))


def test_operations_are_traced_wherever_they_are_found(where):
    package = tenon.plugins.load_text('name = "compiled_here"\n'
                                      'op.square = { parameters = ["in T x", "out T y"], elementwise = "y = x * x", gradient = "slope" }\n'
                                      'op.slope = { parameters = ["in T x", "in T grad_y", "out T grad_x"], elementwise = "grad_x = 2 * x * grad_y" }\n')
    held, x = package.slope, random(4, where=where)
    functions = [lambda x: tenon.ops.compiled_here.square(x) * 2, lambda x: package.square(x) * 2,
                 lambda x: held(x, x)]
    for function in functions:
        assert torch.allclose(compiled(function)(x), 2 * x * x)
    tracked = random(4, where=where, grad=True)
    compiled(functions[0])(tracked).sum().backward()
    assert torch.allclose(tracked.grad, 4 * tracked)
    with pytest.raises(Exception, match="no operation 'cube'"):
        compiled(lambda x: tenon.ops.compiled_here.cube(x))(x)


def run_axpy(kernel, x, y, a, count=None):
    kernel((count or x.numel()) // 32 + 1, 32, [x, y, a, count or x.numel()])


@pytest.mark.parametrize("form", ["kernel", "compiled"])
@pytest.mark.parametrize("options", [{"backend": "eager"}, {"backend": "aot_eager"},
                                     {"backend": "inductor", "mode": "reduce-overhead"}], ids=lambda one: one["backend"])
def test_launches_are_traced_with_what_they_write(where, form, options):
    kernel = tenon.Kernel(SOURCE, "axpy")
    launched = kernel if form == "kernel" else kernel.on(f"{where}:0")

    def function(x, y):
        twice = 2 * y
        run_axpy(launched, x.sin(), twice, 0.5)
        run_axpy(launched, x, y, 3.0, 2)
        return twice + y

    x, y = (random(50, where=where, dtype=torch.float32) for _ in range(2))
    wanted_y = y.clone()
    wanted = function(x, wanted_y)
    assert torch.allclose(wanted[2:], (2 * y + 0.5 * x.sin() + y)[2:]) and torch.allclose(wanted_y[:2], (y + 3 * x)[:2])
    call = compiled(function, **options)
    for _ in range(3):  # "reduce-overhead" captures CUDA graphs at the second call, and launches them at the third
        given = y.clone()
        assert torch.allclose(call(x, given), wanted) and torch.equal(given, wanted_y)


def test_launches_of_any_extent_share_a_graph():
    kernel, graphs = tenon.Kernel(SOURCE, "axpy"), []

    def backend(graph, _):
        graphs.append(graph)
        return graph.forward

    def function(x):
        y = torch.zeros_like(x)
        run_axpy(kernel, x, y, 2.0)
        return y

    call = compiled(function, backend=backend, dynamic=True)
    for count in (7, 100, 1000):
        x = random(count, dtype=torch.float32)
        assert torch.equal(call(x), 2 * x)
    assert len(graphs) == 1


def test_a_launch_that_cannot_be_traced_is_refused():
    kernel, x, y = tenon.Kernel(SOURCE, "axpy"), random(4, dtype=torch.float32, grad=True), torch.zeros(4)
    for function, match in [(lambda: run_axpy(kernel, x, y, 1.0), r"argument 0 \(x\) of axpy requires a gradient, and a kernel has none"),
                            (lambda: kernel(1, 32, [x.detach(), y, 1j, 4]), r"argument 2 \(a\) of axpy.*not complex"),
                            (lambda: kernel(1, 32, [x.detach(), y, 1.0, 4], stream=0), "leave out stream=")]:
        with pytest.raises(Exception, match=match):
            compiled(function)()
    assert torch.equal(y, torch.zeros(4))
    run_axpy(kernel, x.detach(), y, 1.0)
    assert torch.equal(y, x)


def test_recorded_launches_are_part_of_the_graph():
    kernel = tenon.Kernel(SOURCE, "axpy")

    def function(x):
        y = torch.zeros_like(x)
        run_axpy(kernel, x, y, 2.0)
        return y

    function(torch.ones(3))  # compiled: the next launch needs no Python
    graph = torch.fx.experimental.proxy_tensor.make_fx(function)(torch.ones(3))
    assert graph(torch.full((3,), 5.0)).tolist() == [10, 10, 10]


@pytest.mark.parametrize("first", ["import tenon, torch", "import torch, tenon", "import torch, torch._dynamo, tenon"])
def test_the_order_of_imports_does_not_matter(first):
    done = run_python(f"""{first}
calls = [tenon.matmul]
import torch._dynamo, sys
print(torch.compile(lambda x: calls[0](x, x), fullgraph=True, backend="aot_eager")(torch.eye(2)).tolist())
print([one for one in sys.meta_path if "tenon" in str(one)])""")
    assert done.stdout == "[[1.0, 0.0], [0.0, 1.0]]\n[]\n", done.stderr
