"""Packages of kernels: functions created from their contracts, on every device."""

import io
import math
import tarfile
import threading

import numpy
import pytest

import tenon
from conftest import KERNELS, Foreign

CONTRACT = '''
name = "trial"
version = "{version}"

[op.scale]
doc = "a * x"
parameters = ["in T x: what is scaled", "scalar T a = 2", "out T y"]
source = "trial.cu"
kernel = "scale<T>"

[op.transpose]
parameters = ["in T x[h, w]", "out T y[w, h]"]
tunables = {{ tile = [16, 32] }}
source = "trial.cu"
kernel = "transpose<T, {{tile}}>"
arguments = ["x", "y", "h", "w"]
grid = ["ceil_div(w, tile)", "ceil_div(h, tile)"]
block = ["tile", 8]

[op.blur]
doc = "Box sums along every axis."
parameters = ["in packed T x", "scalar int32 width[x.rank] = 1", "scalar {{zero, wrap}} edge = zero", "out T y like x"]
let = ["largest = max(1, x.rank)"]
require = [{{ that = "x.rank >= 1", message = "x has rank {{x.rank}}" }}]
temporaries = ["T t like x"]
[[op.blur.steps]]
elementwise = "t = x"
read = ["x"]
write = ["t"]
[[op.blur.steps]]
for = "axis < x.rank"
kernel = "line<T>"
source = "trial.cu"
threads = "x.size"
arguments = ["axis % 2 == 0 ? t : y", "axis % 2 == 0 ? y : t", "x.shape[axis]", "prod(x.shape, axis + 1, x.rank)", "x.size", "width[axis]", "edge"]
[[op.blur.steps]]
when = "x.rank % 2 == 0"
elementwise = "y = t"
read = ["t"]
write = ["y"]

[op.corner]
doc = "Any strides, by value."
parameters = ["in strided T x[*, ...]", "out T y[x.shape[1:]]"]
source = "trial.cu"
kernel = "corner<T>"
arguments = ["x", "y", "x.shape", "x.strides", "x.rank", "y.size"]
threads = "y.size"

[op.row_sums]
parameters = ["in T x[..., n]", "out T y[...]"]
reduction = {{ axes = -1 }}

[op.running]
parameters = ["in T x", "scalar int64 axis = -1", "out T y"]
scan = {{ axis = "axis" }}
read = ["x"]

[op.count]
types = {{ T = ["float32", "int32"] }}
parameters = ["in T x", "inout int64 total[1]"]
deterministic = false
source = "trial.cu"
kernel = "count<T>"
arguments = ["x", "total", "x.size"]
threads = "x.size"

[op.taps]
parameters = ["in T x[n]", "scalar float64 scale[n] = 1", "out float32 y[8]"]
tunables = {{ first = [0, 2, 7] }}
let = [
  "largest = max(k < n, k)",
  "squares[k < n] = k * k",
  "float32 table[k < 6 - first] = scale[min(k, n - 1)] * (sum(j < k, squares[min(j, n - 1)]) + sum(j < 2, sum(i < n, i * j)) + first)",
  "bounds = 100 * max(k < n, squares[k]) + min(k < n, squares[k] - 3)",
]
source = "trial.cu"
arguments = ["table[1 : 4 - first / 2]", "bounds", "sum(k < table.size, table[k])", "y"]
threads = 1

[op.not_const]
parameters = ["in float32 x", "out float32 y"]
source = "trial.cu"
'''

SOURCE = '''
#include "common.cuh"
template <class T> __global__ void scale(const T* x, T a, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = times(a, x[i]);
}
template <class T, int N> __global__ void transpose(const T* x, T* y, int h, int w) {
  __shared__ T tile[N][N + 1];
  for (int j = threadIdx.y; j < N; j += blockDim.y)
    if (blockIdx.y * N + j < h && blockIdx.x * N + threadIdx.x < w) tile[j][threadIdx.x] = x[(blockIdx.y * N + j) * w + blockIdx.x * N + threadIdx.x];
  __syncthreads();
  for (int j = threadIdx.y; j < N; j += blockDim.y)
    if (blockIdx.x * N + j < w && blockIdx.y * N + threadIdx.x < h) y[(blockIdx.x * N + j) * h + blockIdx.y * N + threadIdx.x] = tile[threadIdx.x][j];
}
template <class T> __global__ void line(const T* x, T* y, int extent, long long stride, long long n, int width, int edge) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i / stride % extent;
  T sum = 0;
  for (int k = -width; k <= width; ++k) {
    int j = at + k;
    if (edge == 1) j = ((j % extent) + extent) % extent;
    if (j >= 0 && j < extent) sum += x[i + (j - at) * stride];
  }
  y[i] = sum;
}
struct Extents { long long of[8]; };
template <class T> __global__ void corner(const T* x, T* y, Extents shape, Extents strides, int rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long at = 0, left = i;
  for (int d = rank - 1; d > 0; --d) at += left % shape.of[d] * strides.of[d], left /= shape.of[d];
  y[i] = x[at];
}
template <class T> __global__ void count(const T* x, long long* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > T(0)) atomicAdd((unsigned long long*)total, 1ull);
}
struct Six { float of[6]; };
__global__ void taps(Six six, int bounds, float total, float* y) {
  for (int i = 0; i < 6; ++i) y[i] = six.of[i];
  y[6] = bounds, y[7] = total;
}
__global__ void not_const(float* x, float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }
'''

COMMON = "template <class T> __device__ T times(T a, T b) { return a * b; }\n"


def files(version="1.0.0", common=COMMON):
    return {"plugin.toml": CONTRACT.format(version=version), "trial.cu": SOURCE, "common.cuh": common}


def archive(contents):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, text in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


@pytest.fixture(scope="module")
def trial():
    package = tenon.plugins.load_bytes(archive(files()), "trial.tar")
    yield package
    package.unload()


def on(device, array):
    return tenon.asarray(numpy.ascontiguousarray(array)).to_device(device)


def host(array):
    return numpy.asarray(array.to_device("cpu"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_template_is_instantiated_for_each_dtype_and_scalars_have_defaults(trial, device, dtype):
    x = numpy.arange(1000, dtype=dtype)
    y = trial.scale(on(device, x))
    assert y.dtype == getattr(tenon, dtype) and numpy.array_equal(host(y), 2 * x)
    assert numpy.array_equal(host(trial.scale(on(device, x), 3.5)), 3.5 * x)
    assert numpy.array_equal(host(tenon.ops.trial.scale(on(device, x), a=-1)), -x)


def test_outputs_can_be_given_and_are_checked(trial, device):
    x = on(device, numpy.arange(6, dtype="float32").reshape(2, 3))
    y = tenon.empty((2, 3), "float32", device=device)
    assert trial.scale(x, out=y) is y
    assert numpy.array_equal(host(y), 2 * host(x))
    with pytest.raises(tenon.ShapeError, match=r"y of trial/scale has the shape \(3, 2\) but must have \(2, 3\)"):
        trial.scale(x, out=tenon.empty((3, 2), "float32", device=device))
    with pytest.raises(tenon.DTypeError, match="y of trial/scale is float64 but must be float32, because the other arguments make T float32"):
        trial.scale(x, out=tenon.empty((2, 3), "float64", device=device))
    with pytest.raises(tenon.OverlapError, match="y of trial/scale shares memory with x"):
        trial.scale(x, out=x)
    with pytest.raises(tenon.LayoutError, match="x of trial/scale has the shape .* not C-contiguous"):
        trial.scale(x.T)
    with pytest.raises(tenon.DTypeError, match="x of trial/scale is int32, but its type, T, must be one of float32, float64"):
        trial.scale(on(device, numpy.arange(3, dtype="int32")))


def test_extents_geometry_and_tunables(trial, device):
    x = numpy.arange(100 * 37, dtype="float32").reshape(100, 37)
    operation = trial.transpose
    for tile in (16, 32):
        operation.set_tunable("tile", tile)
        assert operation.tunables == {"tile": tile}
        assert numpy.array_equal(host(operation(on(device, x))), x.T)
    with pytest.raises(tenon.InvalidArgument, match="24 is not a value of"):
        operation.set_tunable("tile", 24)
    with pytest.raises(tenon.InvalidArgument, match="tile is 18446744073709551632, which is not in"):
        operation.set_tunable("tile", 2**64 + 16)
    with pytest.raises(tenon.NotFound, match="no tunable \"tiles\"; it has: tile"):
        operation.set_tunable("tiles", 16)
    with pytest.raises(tenon.ShapeError, match=r"x of trial/transpose has the shape \(37,\): its rank must be 2"):
        operation(on(device, x[0]))
    assert trial.transpose(on(device, x[:0])).shape == (37, 0)


def box(x, width, edge):
    for axis, w in enumerate(width):
        if w == 0:
            continue
        padded = numpy.pad(x, [(w, w) if d == axis else (0, 0) for d in range(x.ndim)], mode="wrap" if edge == "wrap" else "constant")
        x = sum(numpy.take(padded, range(k, k + x.shape[axis]), axis) for k in range(2 * w + 1))
    return x


@pytest.mark.parametrize("width, edge", [([1, 2, 1], "zero"), ([0, 1, 3], "wrap"), ([2, 0, 0], "zero"), ([1, 1], "wrap")])
def test_steps_repeat_over_axes_with_temporaries_lists_and_choices(trial, device, random, width, edge):
    x = random.integers(-9, 9, (7, 8, 9)[:len(width)]).astype("float32")
    assert numpy.array_equal(host(trial.blur(on(device, x), width, edge=edge)), box(x, width, edge))
    view = on(device, numpy.ascontiguousarray(x.T)).T  # packed: copied first
    assert numpy.array_equal(host(trial.blur(view, width, edge)), box(x, width, edge))
    assert numpy.array_equal(host(trial.blur(on(device, x))), box(x, [1] * x.ndim, "zero"))


def test_preconditions_and_wrong_lengths_of_lists_are_reported(trial, device):
    with pytest.raises(tenon.InvalidArgument, match="trial/blur: x has rank 0"):
        trial.blur(tenon.zeros((), "float32", device=device))
    with pytest.raises(tenon.ShapeError, match=r"width of trial/blur .*must be 2"):
        trial.blur(on(device, numpy.ones((2, 2), "float32")), [1, 2, 3])
    with pytest.raises(ValueError, match="one of zero, wrap, not 'mirror'"):
        trial.blur(on(device, numpy.ones(2, "float32")), edge="mirror")


def test_strides_and_shapes_are_passed_by_value(trial, device, random):
    x = random.standard_normal((3, 4, 5)).astype("float32")
    for view in (on(device, x), on(device, x).T, on(device, x)[:, ::2]):
        assert numpy.array_equal(host(trial.corner(view)), numpy.asarray(view.to_device("cpu"))[0])


def test_reductions_and_scans_are_operations(trial, device):
    x = numpy.arange(24, dtype="float32").reshape(2, 3, 4)
    assert numpy.array_equal(host(trial.row_sums(on(device, x))), x.sum(-1))
    assert numpy.array_equal(host(trial.running(on(device, x))), x.cumsum(-1))
    assert numpy.array_equal(host(trial.running(on(device, x), axis=0)), x.cumsum(0))


def test_operations_in_place_return_nothing(trial, device):
    total = on(device, numpy.array([5], dtype="int64"))
    assert trial.count(on(device, numpy.array([1, -1, 2], dtype="int32")), total) is None
    assert host(total)[0] == 7


def test_an_input_that_the_kernel_could_write_is_a_fault_of_the_contract(trial, device):
    with pytest.raises(tenon.InvalidArgument, match=r"trial.tar/plugin.toml:\d+:\d+: `x` is an input, but not_const takes it by a pointer"):
        trial.not_const(on(device, numpy.ones(4, "float32")))


def test_bound_operations_launch_again(trial, device):
    x, y = on(device, numpy.ones(100, "float32")), tenon.empty((100,), "float32", device=device)
    bound = trial.scale.bind(x, 3, out=y)
    blur = trial.blur.bind(x, [1])
    del x
    for stream in (None, tenon.Stream(device), Foreign(device)):
        bound(stream)
        blur(stream)
    assert numpy.array_equal(host(y), numpy.full(100, 3, "float32"))
    assert host(blur.outputs[0])[50] == 3
    sigmoid = tenon.plugins.load(KERNELS / "elementwise").sigmoid.bind(y)
    sigmoid()
    assert host(sigmoid.outputs[0])[0] == pytest.approx(1 / (1 + numpy.exp(-3)))


def test_signatures_and_documentation_come_from_the_contract(trial):
    assert str(trial.scale.__signature__) == "(x, a=2)"
    assert "x (in, T): what is scaled" in trial.scale.__doc__ and "T: float32, float64" in trial.scale.__doc__
    assert dir(trial) == sorted(["scale", "transpose", "blur", "corner", "row_sums", "running", "count", "not_const", "taps"])
    assert trial.file("common.cuh") == COMMON
    with pytest.raises(TypeError, match=r"trial/scale\(x, a=2\)"):
        trial.scale()
    with pytest.raises(AttributeError, match="no operation 'none'; it has: blur"):
        trial.none
    with pytest.raises(AttributeError, match="no package \"nothing\""):
        tenon.ops.nothing


def test_prepare_compiles_ahead(trial, device):
    trial.scale.prepare(on(device, numpy.ones(3, "float32")), 1)
    with pytest.raises(tenon.CompileError, match="faulty/f on"):
        tenon.plugins.load_bytes(archive({"plugin.toml": 'name = "faulty"\n[op.f]\nparameters = ["in float32 x", "out float32 y"]\n', "f.cu": "no CUDA"})).prepare(device)
    trial.prepare(device)


def test_reload_takes_the_new_text_and_held_operations_keep_the_old(tmp_path, device):
    def write(**changes):
        for name, text in files(**changes).items():
            (tmp_path / name).write_text(text.replace('"trial"', '"reloaded"'))

    write()
    package = tenon.plugins.load(tmp_path)
    old, x = package.scale, on(device, numpy.ones(3, "float32"))
    assert host(old(x))[0] == 2
    write(version="1.1.0", common=COMMON.replace("a * b", "a + b"))
    fresh = package.reload()
    assert fresh.version == "1.1.0"
    assert host(fresh.scale(x))[0] == 3 and host(old(x))[0] == 2
    assert host(tenon.ops.reloaded.scale(x))[0] == 3
    fresh.unload()
    assert host(fresh.scale(x))[0] == 3


def test_torch_tensors_go_in_and_come_out(trial):
    torch = pytest.importorskip("torch")
    x = torch.arange(5, dtype=torch.float32)
    y = trial.scale(x, 3)
    assert isinstance(y, torch.Tensor) and torch.equal(y, 3 * x)


ELEMENTWISE = tenon.plugins.check(KERNELS / "elementwise")["operations"]


@pytest.mark.parametrize("name", [one["name"] for one in ELEMENTWISE])
def test_the_self_tests_of_elementwise_pass(device, name):
    report = tenon.plugins.load(KERNELS / "elementwise")[name].test(device)
    assert report["failed"] == 0 and report["passed"] > 0, [case for case in report["cases"] if not case["passed"]]


def test_a_self_test_fails_where_it_has_to(device):
    contract = ('name = "wrong"\n[op.f]\nparameters = ["in T x", "out T y"]\nelementwise = "y = x + 1"\ngradient = "g"\n'
                'test = [{ given = { x = [1.0, 2.0] }, expect = { y = [2.0, 4.0] } }, { given = { x = "normal(10)" }, expect = { y = "x" } }]\n'
                '[op.g]\nparameters = ["in T grad_y", "out T grad_x"]\nelementwise = "grad_x = 2 * grad_y"\n')
    report = tenon.plugins.load_bytes(archive({"plugin.toml": contract})).f.test(device)
    assert report["passed"] == 0 and report["failed"] == 6
    assert {case["what"] for case in report["cases"]} == {"y against its values", "y against its expression", "gradient for x"}


def test_operations_are_recorded_into_graphs(trial, device):
    x = on(device, numpy.arange(20, dtype="float32").reshape(4, 5))
    y, z = tenon.empty((4, 5), "float32", device=device), tenon.empty((5, 4), "float32", device=device)
    with tenon.Graph(device) as graph:
        trial.blur(x, [1, 1], out=y, stream=graph)
        trial.transpose(y, out=z, stream=graph)
    graph.launch()
    assert numpy.array_equal(host(z), box(host(x), [1, 1], "zero").T)
    graph.launch()
    assert numpy.array_equal(host(z), box(host(x), [1, 1], "zero").T)


def test_computed_lists_and_sums(device, trial):
    x = on(device, numpy.zeros(3, "float32"))

    def expected(scale, first):
        squares = [k * k for k in range(3)]
        table = [scale[min(k, 2)] * (sum(squares[min(j, 2)] for j in range(k)) + 3 + first) for k in range(6 - first)]
        six = table[1:4 - first // 2]
        return six + [0] * (6 - len(six)) + [100 * 4 - 3, sum(table)]

    try:
        for first in (0, 2):
            trial.taps.set_tunable("first", first)
            for scale, each in (([1.0, 0.5, -2.0], [1.0, 0.5, -2.0]), (3.0, [3.0] * 3), ([0.25], [0.25] * 3)):
                assert numpy.asarray(trial.taps(x, scale).to_device(tenon.Device("cpu:0"))).tolist() == expected(each, first)
        with pytest.raises(tenon.ShapeError, match="scale of trial/taps"):
            trial.taps(x, [1.0, 2.0])
        trial.taps.set_tunable("first", 7)
        with pytest.raises(tenon.InvalidArgument, match="the list table would have -1 entries"):
            trial.taps(x)
    finally:
        trial.taps.set_tunable("first", 0)
    with pytest.raises(tenon.InvalidArgument, match="min or max over no values"):
        trial.taps(on(device, numpy.zeros(0, "float32")))
    described = trial.taps.description["let"]
    assert described["table"]["type"] == "float32" and described["table"]["count"] == "6 - first" and described["squares"]["value"] == "k * k"


PLANNED = '''
name = "planned"
[op.mix]
parameters = ["in packed T x[n]", "scalar float64 weights[2]", "scalar int32 shift = 0", "scalar {plus, minus} sign = plus", "out T y like x"]
in_place = true
tunables = { k = [1, 2] }
let = ["added = weights[0] + 10 * weights[1] + 100 * shift", "factor = (sign == 'plus' ? 1 : -1) * k"]
temporaries = ["T t like x"]
steps = [
  { elementwise = "t = x * factor", read = ["x", "factor"], write = ["t"] },
  { elementwise = "y = t + added", read = ["t", "added"], write = ["y"] },
]
[op.stride]
parameters = ["in strided T x[*]", "out strided T y like x"]
types = { T = ["float32"] }
kernel = "stride"
source = "stride.cu"
arguments = ["y", "x.stride[0]", "y.stride[0]", "x.size"]
'''
STRIDE = """extern "C" __global__ void stride(float* y, int from, int to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * to] = 10 * from + to;
}"""


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    place = tmp_path_factory.mktemp("planned")
    (place / "plugin.toml").write_text(PLANNED)
    (place / "stride.cu").write_text(STRIDE)
    package = tenon.plugins.load(place)
    yield package
    package.unload()


def test_calls_alike_share_what_was_evaluated_and_calls_unlike_do_not(planned, device):
    """Evaluations are cached by shapes, scalars, strides and tunables: each of them changes between calls, and back
    again."""
    mix, values = planned.mix, numpy.arange(1, 7, dtype="float32")
    weights, host_of = [1.0, 2.0], lambda array: numpy.asarray(array.to_device("cpu:0"))
    for _ in range(3):
        for n in (6, 3, 0):
            x = on(device, values[:n])
            assert host_of(mix(x, [1, 2])).tolist() == (values[:n] + 21).tolist()
            assert host_of(mix(x, [2, 1], 1, sign="minus")).tolist() == (112 - values[:n]).tolist()
            assert host_of(mix(on(device, values[:n].astype("float64")), [0.5, 0])).tolist() == (values[:n] + 0.5).tolist()
        weights[0] += 1  # the same list with other numbers
        assert host_of(mix(x := on(device, values.copy()), weights)).tolist() == (values + weights[0] + 20).tolist()
        mix(x, [0, 0], 1, out=x)  # in place, with the evaluation for another output
        assert host_of(x).tolist() == (values + 100).tolist()
        assert host_of(mix(on(device, values), [0, 0], 1)).tolist() == (values + 100).tolist()
        assert host_of(mix(on(device, values)[::2], [1, 2])).tolist() == (values[::2] + 21).tolist()
        y = on(device, numpy.zeros(3, "float32"))
        mix(on(device, values)[:3], [1, 2], out=y)
        assert host_of(y).tolist() == (values[:3] + 21).tolist()
        with pytest.raises(tenon.ShapeError, match=r"y of planned/mix has the shape \(4,\) but must have \(3,\)"):
            mix(on(device, values)[:3], [1, 2], out=on(device, numpy.zeros(4, "float32")))
        with pytest.raises(tenon.DTypeError, match="y of planned/mix is float64"):
            mix(on(device, values)[:3], [1, 2], out=on(device, numpy.zeros(3)))
        with pytest.raises(tenon.OverlapError, match="but is not exactly that array"):
            mix(x[:3], [1, 2], out=x[1:4])
        with pytest.raises(tenon.ReadOnlyError):
            mix(x[:3], [1, 2], out=x[:1].broadcast_to((3,)))
        with pytest.raises(tenon.ShapeError, match="weights of planned/mix"):
            mix(x, [1, 2, 3])
        try:
            mix.set_tunable("k", 2)
            assert host_of(mix(on(device, values), [1, 2])).tolist() == (2 * values + 21).tolist()
        finally:
            mix.set_tunable("k", 1)
        bound = mix.bind(on(device, values), [1, 2])
        bound(), bound()
        assert host_of(bound.outputs[0]).tolist() == (values + 21).tolist()


def test_strides_that_a_contract_reads_tell_calls_apart(planned, device):
    x, y = (on(device, numpy.zeros(8, "float32")) for _ in range(2))
    for _ in range(2):
        for from_, to in ((1, 1), (2, 1), (1, 2), (2, 2), (4, 2)):
            n = 2
            planned.stride(x[:n * from_:from_], out=y[:n * to:to])
            assert numpy.asarray(y.to_device("cpu:0"))[:n * to:to].tolist() == [10 * from_ + to] * n


def test_calls_from_many_threads_have_their_own_arguments(planned, device):
    x = on(device, numpy.arange(5, dtype="float32"))
    wrong = []

    def call(number):
        for turn in range(200):
            weight = float(number * 3 + turn % 3)
            found = numpy.asarray(planned.mix(x, [weight, 0.0]).to_device("cpu:0"))
            if found.tolist() != [value + weight for value in range(5)]:
                wrong.append((number, turn, found))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# In the contract's grammar and, if that differs, in Python's.
EXPRESSIONS = [
    ("n - 3", "n - 3"), ("3 - n", "3 - n"), ("n * n - n", "n * n - n"), ("-n / 2", "-n // 2"), ("n % -3", "n % -3"), ("7 / n * n + 7 % n", "7 // n * n + 7 % n"),
    ("r * n - 1", "r * n - 1"), ("1 / r", "1 / r"), ("n / r", "n / r"), ("r / n", "r / n"), ("2 * (n - 1) + 0.5", "2 * (n - 1) + 0.5"),
    ("n > 2 ? n : 10", "n if n > 2 else 10"), ("n > 2 ? 1 : r", "1.0 if n > 2 else r"), ("(n > 2 ? 4 : 5) - n", "(4 if n > 2 else 5) - n"),
    ("n - (n > 2 ? n : 1)", "n - (n if n > 2 else 1)"), ("n > 2 ? n > 4 ? 1 : 2 : 3", "(1 if n > 4 else 2) if n > 2 else 3"),
    ("(n > 2 || n) + 1", "int(n > 2 or n != 0) + 1"), ("(n == 5 && r > 1) * 3", "int(n == 5 and r > 1) * 3"), ("!(n == 5) + 2", "(not n == 5) + 2"),
    ("v[n % 3] - v[0]", "v[n % 3] - v[0]"), ("v[v.size - 1] * v[-2]", "v[2] * v[-2]"), ("v[v[1] % 3]", "v[v[1] % 3]"),
    ("sum(k < n, k)", "sum(range(n))"), ("sum(k < n, v[k % 3] * k) - n", "sum(v[k % 3] * k for k in range(n)) - n"), ("n - sum(k < 2, n)", "n - 2 * n"),
    ("sum(k < n, k > 1 ? k : 10)", "sum(k if k > 1 else 10 for k in range(n))"), ("sum(i < n, sum(j < i, i * 10 + j))", "sum(i * 10 + j for i in range(n) for j in range(i))"),
    ("max(k < n + 1, k * (n - k)) + min(k < 3, v[k])", "max(k * (n - k) for k in range(n + 1)) + min(v)"), ("sum(k < n, r * k) + n", "sum(r * k for k in range(n)) + n"),
    ("min(n, 3) + max(r, n) + clamp(n, 2, 4)", "min(n, 3) + max(r, n) + min(max(n, 2), 4)"), ("ceil_div(n, 2) + round_up(n, 4) + power_of_two(n)", "-(-n // 2) + -(-n // 4) * 4 + 2 ** (n - 1).bit_length()"),
    ("abs(3 - n) + int(r * 2.5) + floor(-r) + ceil(r)", "abs(3 - n) + int(r * 2.5) + math.floor(-r) + math.ceil(r)"), ("n - v.size", "n - 3"),
]


def test_expressions_have_the_values_that_they_say(tmp_path):
    """Numbers, list entries and counters on both sides of operators, and branches that end before one."""
    operation = """[op.e{}]
parameters = ["in float32 x", "scalar int64 n", "scalar float64 r", "scalar int64 v[3]", "out float32 y like x"]
require = [{{ that = "n < 0", message = "= {{{}}} ." }}]
elementwise = "y = x"
"""
    (tmp_path / "plugin.toml").write_text('name = "expressions"\n' + "".join(operation.format(i, text) for i, (text, _) in enumerate(EXPRESSIONS)))
    package, x = tenon.plugins.load(tmp_path), tenon.asarray(numpy.zeros(1, "float32"))
    for n, r, v in ((5, 1.25, [3, 1, 4]), (1, -2.5, [7, -9, 2]), (2, 3.0, [0, 0, 5])):
        for i, (text, python) in enumerate(EXPRESSIONS):
            with pytest.raises(tenon.InvalidArgument) as caught:
                getattr(package, f"e{i}")(x, n, r, v)
            value = float(str(caught.value).split("= ")[1].split(" .")[0])
            assert value == pytest.approx(eval(python, {"n": n, "r": r, "v": v, "math": math}), rel=1e-5), text


def test_scalars_have_the_dtype_that_their_placeholder_follows(device, tmp_path):
    (tmp_path / "plugin.toml").write_text("""name = "following"
[op.axpy]
types = { T = "floating", A = { from = "T", float16 = "float32", bfloat16 = "float32" }, B = { from = "A", float64 = "int64" } }
parameters = ["in T x", "scalar A alpha", "scalar B beta = 0", "out T y"]
elementwise = "y = alpha * float(x) + beta"
""")
    axpy = tenon.plugins.load(tmp_path).axpy
    for dtype in ("float16", "float32", "float64"):
        x = on(device, numpy.arange(4, dtype=dtype))
        for alpha in (2, 2.0, numpy.float32(2), numpy.float64(2), numpy.int16(2)):
            assert axpy(x, alpha).tolist() == [0, 2, 4, 6] and axpy(x, alpha, 3).tolist() == [3, 5, 7, 9]
    with pytest.raises(TypeError, match="beta of following/axpy"):
        axpy(on(device, numpy.zeros(3)), 1.0, 1.5)


def test_a_name_instead_of_a_path_is_answered_with_the_way_to_the_package(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tenon.NotFound, match=r"image cannot be opened.*tenon\.ops\.image, or tenon\.plugins\.find\('image'\)"):
        tenon.plugins.load("image")
    with pytest.raises(tenon.NotFound, match="^(?!.*tenon.ops)"):
        tenon.plugins.load("imagination")
