"""Graphs: work that is recorded once and launched many times, on every device."""

import threading

import numpy
import pytest

import tenon
from conftest import KERNELS, on, sample

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SCALE = f'__global__ void scale(float* x, float factor, int n) {{ {INDEX} if (i < n) x[i] *= factor; }}'


@pytest.fixture
def scale(device):
    return tenon.Kernel(SCALE, "scale", device=device)


def test_what_is_recorded_runs_at_each_launch_and_not_before(device, scale):
    x = tenon.full(1000, 1, "float32", device=device)
    with tenon.Graph(device) as graph:
        scale(4, 256, [x, 2.0, 1000], stream=graph)
        scale(4, 256, [x, 5.0, 1000], stream=graph.stream)
    assert x.numpy()[999] == 1
    graph.launch()
    graph(tenon.Stream(device))
    assert x.numpy()[999] == 100
    assert len(graph) == 2 and graph[0].kind == "kernel" and graph[-1].name == "scale" and graph[0].parameter_count == 3
    with pytest.raises(IndexError):
        graph[2]


def test_every_operation_with_a_stream_can_be_recorded(device, random):
    a, b = (sample(random, (20, 30), "float32") for _ in range(2))
    x, y = on(device, a), on(device, b)
    out, wave = tenon.empty((20, 20), "float32", device=device), on(device, sample(random, 64, "complex64"))
    spectrum = numpy.fft.fft(wave.numpy())
    norm = tenon.elementwise("T x, T y", "T r", "r = sqrt(x * x + y * y)")
    with tenon.Graph(device) as graph:
        r = norm(x, y, stream=graph)                 # memory of the graph
        tenon.gemm(r, y.T, out, stream=graph)        # packs nothing: y.T is a BLAS operand
        copy = x.copy(stream=graph)
        copy.fill(3, stream=graph)
        spectral = tenon.fft(wave, stream=graph)
    for factor in (1, 2):
        x[...] = a * numpy.float32(factor)
        graph.launch()
        want = numpy.sqrt((a * factor) ** 2 + b ** 2)
        numpy.testing.assert_allclose(r.numpy(), want, rtol=1e-6)
        numpy.testing.assert_allclose(out.numpy(), want @ b.T, rtol=1e-4, atol=1e-4)
        numpy.testing.assert_allclose(spectral.numpy(), spectrum, rtol=1e-4, atol=1e-4)
        assert (copy.numpy() == 3).all()
    assert {node.kind for node in graph} == {"generated", "library"}
    assert {node.name for node in graph} >= {"elementwise", "gemm", "fft", "array_fill"}


def test_a_call_learns_its_node_and_everything_in_it_can_be_replaced(device, scale):
    x, y = tenon.full(1000, 1, "float32", device=device), tenon.empty(1000, "float32", device=device)
    shifted = tenon.elementwise("T x, T by", "T y", "y = x + by", name="shifted")
    with tenon.Graph(device) as graph:
        assert len(graph) == 0
        matrix = tenon.ones((4, 6), "float32", device=device)
        tenon.gemm(matrix.T, matrix, stream=graph)
        scale(1, 256, [x, 2.0, 1000], stream=graph)
        launch = graph.last
        shifted(x, 10, out=y, stream=graph)
        added = graph.last
    assert (launch.name, launch.kind, added.name, added.kind) == ("scale", "kernel", "shifted", "generated")
    graph.launch()
    assert x.numpy()[255] == 2 and x.numpy()[999] == 1 and y.numpy()[999] == 11
    launch.set_launch(4, 256)
    added[1] = 20
    graph.launch()
    assert x.numpy()[999] == 2 and y.numpy()[999] == 22
    small, out = tenon.full((3, 5), 4, "float32", device=device), tenon.zeros((3, 5), "float32", device=device)
    with pytest.raises(tenon.ShapeError):
        added[2] = out
    added.set_args([small, 1, out])
    graph.launch()
    assert (out.numpy() == 5).all() and y.numpy()[999] == 22
    with pytest.raises(tenon.InvalidArgument, match="takes|has"):
        added.set_args([small, out])
    with pytest.raises(tenon.InvalidArgument, match="follows from its arguments"):
        added.set_launch(1, 1)
    with pytest.raises(tenon.InvalidArgument, match="no arguments that can be replaced"):
        graph[0][0] = x


def test_numbers_go_with_the_arguments_of_the_moment(device):
    line = tenon.elementwise("T x, T by", "T y", "y = x + by", name="line")
    x, y = tenon.full(5, 1, "float32", device=device), tenon.zeros(5, "float32", device=device)
    with tenon.Graph(device) as graph:
        line(x, 2, out=y, stream=graph)
    node = graph.last
    node[1] = 3
    node[0] = 10  # a number instead of an array
    graph.launch()
    assert y.tolist() == [13.0] * 5
    whole, out = tenon.full(5, 7, "int64", device=device), tenon.zeros(5, "int64", device=device)
    with pytest.raises(tenon.DTypeError):
        node.set_args([whole, 2, out])  # the number becomes a float32
    node.set_args([whole, numpy.int64(2**40), out])
    graph.launch()
    assert out.tolist() == [7 + 2**40] * 5
    node[1] = 2**41  # the parameter is now an int64
    graph.launch()
    assert out.tolist() == [7 + 2**41] * 5
    with pytest.raises(tenon.InvalidArgument, match="node 1 is out of range"):
        graph.set_args(1, [whole, 1, out])


def test_arguments_of_operations_are_replaced(device):
    tenon.plugins.load(KERNELS / "elementwise")
    x, other = tenon.full(10, 0, "float32", device=device), tenon.full(10, 5, "float32", device=device)
    with tenon.Graph(device) as graph:
        out = tenon.ops.elementwise.sigmoid(x, stream=graph)
        bound = tenon.ops.elementwise.sigmoid.bind(x)
        bound(stream=graph)
    nodes = [(node.kind, node.name, node.parameter_count) for node in graph]
    assert nodes == [("operation", "elementwise/sigmoid", 2)] * 2
    graph.launch()
    assert out.numpy()[0] == bound.outputs[0].numpy()[0] == 0.5
    graph[0][0] = other
    graph.launch()
    assert out.numpy()[0] == pytest.approx(1 / (1 + numpy.exp(-5.0))) and bound.outputs[0].numpy()[0] == 0.5


def test_arguments_are_replaced_by_the_parameters_types(device, scale):
    x, y = tenon.full(100, 1, "float32", device=device), tenon.full(100, 1, "float32", device=device)
    with tenon.Graph(device) as graph:
        scale(1, 128, [x, 2, 100], stream=graph)
    graph.set(0, 1, 7)          # an integer for a float parameter
    graph[0][0] = y
    graph.launch()
    assert x.numpy()[0] == 1 and y.numpy()[0] == 7
    with pytest.raises(tenon.InvalidArgument, match="node 1 is out of range"):
        graph.set(1, 0, x)
    with pytest.raises(tenon.InvalidArgument, match="parameter 3 of scale"):
        graph.set(0, 3, x)
    with pytest.raises(TypeError):
        graph.set(0, 0, 1.0)


def test_an_exception_in_the_block_leaves_an_empty_graph(device, scale):
    x = tenon.full(100, 1, "float32", device=device)
    graph = tenon.Graph(device)
    with pytest.raises(KeyError):
        with graph:
            scale(1, 128, [x, 2, 100], stream=graph)
            raise KeyError
    assert len(graph) == 0
    with graph:
        scale(1, 128, [x, 3, 100], stream=graph)
    graph.launch()
    assert x.numpy()[0] == 3


def test_misuse_says_what_is_wrong(device, scale):
    x = tenon.full(100, 1, "float32", device=device)
    graph = tenon.Graph(device)
    with pytest.raises(tenon.InvalidArgument, match="nothing was recorded"):
        graph.launch()
    with pytest.raises(tenon.InvalidArgument, match="not being recorded"):
        scale(1, 128, [x, 2, 100], stream=graph)
    with graph:
        stream = graph.stream
        with pytest.raises(tenon.Unsupported, match="svd must wait"):
            tenon.svd(tenon.ones((3, 3), device=device), stream=graph)
        with pytest.raises(tenon.Unsupported, match="nothing runs"):
            stream.synchronize()
        with pytest.raises(tenon.Unsupported, match="cannot be launched into another"):
            other = tenon.Graph(device)
            with other:
                pass
            other.launch(stream)
        seen = []

        def elsewhere():
            try:
                scale(1, 128, [x, 2, 100], stream=stream)
            except tenon.TenonError as error:
                seen.append(str(error))

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert "for the thread that called" in seen[0]
    with pytest.raises(tenon.TenonError, match="has ended"):
        scale(1, 128, [x, 2, 100], stream=stream)
    with pytest.raises(tenon.InvalidArgument, match="clear it first"):
        with graph:
            pass
    with pytest.raises(tenon.InvalidArgument):
        tenon.Graph(device).set(0, 0, x)


def test_the_graph_keeps_its_arrays(device, scale):
    with tenon.Graph(device) as graph:
        y = tenon.empty(1000, "float32", device=device, stream=graph)
        y.fill(4, stream=graph)
        scale(4, 256, [y, 2.0, 1000], stream=graph)
        total = tenon.sum(y, stream=graph)
    del y
    others = [tenon.full(1000, 9, "float32", device=device) for _ in range(20)]
    graph.launch()
    assert all((other.numpy() == 9).all() for other in others)
    assert total.numpy() == 8000


def test_torch_records_launches_into_its_own_graphs():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU for torch")
    kernel = tenon.Kernel(SCALE, "scale")
    x = torch.ones(1000, device="cuda")
    kernel(4, 256, [x, 1.0, 1000], stream=torch.cuda.current_stream())  # compiled and loaded
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernel(4, 256, [x, 3.0, 1000], stream=torch.cuda.current_stream())
        x += 1
    for _ in range(2):
        graph.replay()
    torch.cuda.synchronize()
    assert x[0].item() == (1 * 3 + 1) * 3 + 1


def test_linear_algebra_that_waits_cannot_be_recorded(device, random):
    a, b = (on(device, sample(random, (6, 6), "float64")) for _ in range(2))
    with tenon.Graph(device) as graph:
        for call in (lambda: tenon.solve(a, b, stream=graph), lambda: tenon.eigh(a, stream=graph), lambda: tenon.norm(a, stream=graph)):
            with pytest.raises(tenon.Unsupported, match="must wait for its result"):
                call()
        product = tenon.einsum("ij,jk->ki", a, b, stream=graph)
        half = tenon.rfft(a, stream=graph)
    assert {graph[i].kind for i in range(len(graph))} == {"library"}
    graph.launch()
    numpy.testing.assert_allclose(product.numpy(), (a.numpy() @ b.numpy()).T, rtol=1e-12, atol=1e-12)
    numpy.testing.assert_allclose(half.numpy(), numpy.fft.rfft(a.numpy()), rtol=1e-12, atol=1e-12)


def test_an_array_of_a_recording_has_no_contents_before_the_first_launch(device):
    x = tenon.ones(4, device=device)
    with tenon.Graph(device) as graph:
        y = tenon.add(x, 1, stream=graph)
        z = tenon.multiply(y, 2, stream=graph)
        for read in (y.tolist, lambda: tenon.add(y, 1), lambda: tenon.nonzero(z), y.copy, lambda: bool(y[0] > 0)):
            with pytest.raises(tenon.InvalidArgument, match="launch the graph before reading"):
                read()
    with pytest.raises(tenon.InvalidArgument, match="launch the graph before reading"):
        z.tolist()
    graph.launch()
    assert y.tolist() == [2.0] * 4 and tenon.add(z, 1).tolist() == [5.0] * 4
    with tenon.Graph(device) as other:
        filled = tenon.empty(4, device=device, stream=other)
        tenon.add(x, filled, out=x, stream=other)
    filled[...] = 3  # contents from outside the graph
    other.launch()
    assert x.tolist() == [4.0] * 4 and filled.tolist() == [3.0] * 4
