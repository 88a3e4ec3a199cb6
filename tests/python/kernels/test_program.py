"""Programs: variables as arrays, occupancy, geometry by count, timed launches, checks without a device."""

import numpy
import pytest

import tenon

SOURCE = """
__constant__ float weights[2][3];
__device__ const int limit = 4;
__device__ int total;
extern "C" __global__ void weigh(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = weights[i / 3 % 2][i % 3]; atomicAdd(&total, limit); }
}
"""


@pytest.fixture
def program(device):
    return tenon.Program(SOURCE, ["weigh"], globals=["weights", "limit", "total"], device=device)


def test_a_variable_is_an_array_that_kernels_read(device, program):
    weights = program.variable("weights")
    assert (weights.shape, str(weights.dtype)) == ((2, 3), "float32")
    values = numpy.arange(6, dtype="float32").reshape(2, 3) + 0.5
    weights[...] = values
    y = tenon.zeros(12, "float32", device=device)
    program["weigh"](1, 12, [y, 12])
    numpy.testing.assert_array_equal(y.numpy(), numpy.tile(values.ravel(), 2))
    assert program.variable("total").numpy() == 48
    del program
    numpy.testing.assert_array_equal(weights.numpy(), values)


def test_a_const_variable_is_read_only_and_a_missing_one_is_named(program):
    limit = program.variable("limit")
    assert limit.numpy() == 4
    with pytest.raises(tenon.ReadOnlyError):
        limit[...] = 5
    with pytest.raises(tenon.NotFound, match="nothing"):
        program.variable("nothing")


@pytest.mark.parametrize("n", [1, 255, 1000, 100_003])
def test_geometry_for_a_count_covers_it(device, program, n):
    kernel = program["weigh"]
    grid, block = kernel.geometry(n)
    assert (grid - 1) * block < n <= grid * block
    assert kernel.geometry(n, block=64) == (-(-n // 64), 64)
    y = tenon.zeros(n, "float32", device=device)
    program.variable("weights")[...] = 1
    kernel(*kernel.geometry(n), [y, n])
    numpy.testing.assert_array_equal(y.numpy(), numpy.ones(n, "float32"))


def test_occupancy_and_the_suggested_block_agree(device, program):
    kernel = program["weigh"]
    block, grid = kernel.suggest()
    assert grid == kernel.occupancy(block) * device.info["multiprocessors"]
    assert kernel.occupancy(4096) == 0
    with pytest.raises(tenon.InvalidArgument):
        kernel.occupancy(0)


def test_a_timed_launch_runs_once_and_takes_time(device, program):
    y = tenon.zeros(96, "float32", device=device)
    before = int(program.variable("total").numpy())
    assert program["weigh"].time(1, 96, [y, 96]) > 0
    assert int(program.variable("total").numpy()) == before + 4 * 96
    with pytest.raises(tenon.InvalidArgument, match="takes 2"):
        program["weigh"].time(1, 96, [y])


def test_a_source_is_checked_for_an_architecture_without_a_device():
    try:
        assert tenon.Program.check("__global__ void k() {}", "sm_90", ["k"]) == ""
    except (tenon.MissingLibrary, tenon.Unsupported) as error:
        pytest.skip(str(error))
    with pytest.raises(tenon.CompileError, match="identifier"):
        tenon.Program.check("__global__ void k() { nowhere = 1; }", "sm_90")


SHARING = """
__constant__ float weights[4];
__device__ int count;
extern "C" __global__ void f(float* x) { x[threadIdx.x] = weights[threadIdx.x]; }
extern "C" __global__ void g(float* x) { x[threadIdx.x] = weights[threadIdx.x]; atomicAdd(&count, 1); }
"""


def test_kernels_of_one_program_share_its_variables(device):
    program = tenon.Program(SHARING, ["f", "g"], globals=["weights", "count"], device=device)
    program.variable("weights")[:] = numpy.arange(4, dtype="float32")
    for name in ("f", "g"):
        x = tenon.zeros(4, "float32", device=device)
        program.kernel(name)(1, 4, [x])
        assert x.tolist() == [0, 1, 2, 3]
    assert program.variable("count") == 4


@pytest.mark.parametrize("listed", [["f"], []])
def test_a_kernel_that_was_not_listed_is_not_found(device, listed):
    program = tenon.Program(SHARING, listed, globals=["weights"], device=device)
    with pytest.raises(tenon.NotFound, match=f'no kernel "g".*compiled for: {"f" if listed else "none"}.*List it among the kernels'):
        program.kernel("g")


def test_variables_are_ordered_after_earlier_launches(device):
    source = """
    __constant__ float weight;
    extern "C" __global__ void slow(float* x, int n) { float sum = 0; for (int i = 0; i < n; i++) sum += weight; *x = sum; }"""
    program = tenon.Program(source, ["slow"], globals=["weight"], device=device)
    x, stream = tenon.zeros(1, "float32", device=device), tenon.Stream(device)
    program["slow"](1, 1, [x, 1 << 20], stream=stream)
    program.variable("weight")[...] = 1
    assert x.tolist() == [0]


@pytest.mark.parametrize("way", ["kernel", "compiled", "bound", "stream"])
def test_the_checked_mode_raises_at_the_guilty_call(way):
    kernel = tenon.Kernel("__global__ void k(float* x, int n) { x[threadIdx.x + n] = 1; }", "k", mode="check")
    x, stream = tenon.zeros(8, "float32", device="cpu:0"), tenon.Stream("cpu:0")
    calls = {"kernel": lambda n: kernel(1, 8, [x, n]), "compiled": lambda n: kernel.on("cpu:0")(1, 8, [x, n]),
             "bound": lambda n: kernel.bind(1, 8, [x, n])(), "stream": lambda n: kernel(1, 8, [x, n], stream=stream)}
    calls[way](0)
    with pytest.raises(tenon.KernelFault, match="behind the end of argument 0"):
        calls[way](1)
    calls[way](0)  # the fault was already reported
    assert tenon.sum(x) == 8
