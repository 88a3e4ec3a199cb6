"""Programs beyond a launch: variables as arrays, occupancy, geometry by count, timed launches, checks without a device."""

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
    assert 0 < program["weigh"].time(1, 96, [y, 96]) < 1000
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
