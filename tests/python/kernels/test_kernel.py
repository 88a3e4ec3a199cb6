"""Kernels: CUDA C text is compiled and run on every device; arguments are converted, or rejected if they are wrong."""

import ctypes

import numpy
import pytest

import tenon
from conftest import eps, on, sample

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SAXPY = f'extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {{ {INDEX} if (i < n) y[i] += a * x[i]; }}'


@pytest.fixture
def saxpy(device):
    return tenon.Kernel(SAXPY, "saxpy", device=device)


def blocks(n, threads=256):
    return -(-n // threads)


# --- running ---

@pytest.mark.parametrize("n", [1, 255, 256, 257, 100_003])
def test_a_kernel_computes_what_its_text_says(device, random, saxpy, n):
    x, y = sample(random, n, "float32"), sample(random, n, "float32")
    there = on(device, y)
    saxpy(blocks(n), 256, [2.5, on(device, x), there, n])
    numpy.testing.assert_allclose(there.numpy(), y + numpy.float32(2.5) * x, rtol=1e-6, atol=1e-6)


def test_sigmoid_is_within_two_epsilons(device, random):
    source = f'__global__ void sigmoid(const float* x, float* y, int n) {{ {INDEX} if (i < n) y[i] = 1.0f / (1.0f + expf(-x[i])); }}'
    x = random.uniform(-80, 80, 1_000_000).astype("float32")
    y = tenon.empty(x.size, "float32", device=device)
    tenon.Kernel(source, "sigmoid")(blocks(x.size), 256, [on(device, x), y, x.size])
    exact = 1 / (1 + numpy.exp(-x.astype("float64")))
    assert numpy.max(numpy.abs(y.numpy() - exact) / exact) <= 2 * eps("float32")  # expf 1, + and / 0.5 each


def test_three_dimensions_of_geometry(device):
    source = """__global__ void where(int* out) {
      int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
      int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
      out[(z * h + y) * w + x] = x + 100 * y + 10000 * z; }"""
    out = tenon.zeros((4, 9, 10), "int32", device=device)
    tenon.Kernel(source, "where")((5, 3, 2), (2, 3, 2), [out])
    z, y, x = numpy.indices((4, 9, 10))
    numpy.testing.assert_array_equal(out.numpy(), x + 100 * y + 10000 * z)


def test_shared_memory_and_barriers(device, random):
    source = """__global__ void block_sums(const float* x, float* sums) {
      extern __shared__ float part[];
      part[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
      __syncthreads();
      for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
      }
      if (threadIdx.x == 0) sums[blockIdx.x] = part[0]; }"""
    x = sample(random, (32, 128), "float32")
    sums = tenon.empty(32, "float32", device=device)
    tenon.Kernel(source, "block_sums")(32, 128, [on(device, x), sums], shared=128 * 4)
    numpy.testing.assert_allclose(sums.numpy(), x.sum(1), rtol=1e-4, atol=1e-4)


def test_warp_shuffles_and_atomics(device):
    source = """__global__ void total(const int* x, int* out, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? x[i] : 0;
      for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
      if (threadIdx.x % 32 == 0) atomicAdd(out, v); }"""
    out = tenon.zeros((), "int32", device=device)
    x = numpy.arange(1000, dtype="int32")
    tenon.Kernel(source, "total")(4, 256, [on(device, x), out, 1000])
    assert out.item() == x.sum()


def test_template_instances_by_name(device):
    source = f"template <class T, int K> __global__ void scale(T* x, int n) {{ {INDEX} if (i < n) x[i] *= K; }}"
    program = tenon.Program(source, ["scale<float, 3>", "scale<double, 5>"], device=device)
    for dtype, name, factor in (("float32", "scale<float, 3>", 3), ("float64", "scale<double, 5>", 5)):
        array = tenon.ones(10, dtype, device=device)
        program[name](1, 32, [array, 10])
        assert array.tolist() == [factor] * 10


def test_headers_options_and_several_kernels_of_one_text(device):
    program = tenon.Program('#include "add.h"\n__global__ void one(int* x) { x[0] += ADD; }\n__global__ void two(int* x) { x[0] += 2 * ADD * TIMES; }',
                            ["one", "two"], device=device, headers={"add.h": "#define ADD 7\n"}, options=["-DTIMES=3"])
    x = tenon.zeros(1, "int32", device=device)
    program["one"](1, 1, [x])
    program["two"](1, 1, [x])
    assert x.item() == 7 + 42


def test_a_kernel_without_a_device_follows_its_arguments(device):
    kernel = tenon.Kernel(SAXPY, "saxpy")
    for where in {tenon.Device("cpu:0"), device}:
        y = tenon.ones(8, "float32", device=where)
        kernel(1, 8, [2, tenon.ones(8, "float32", device=where), y, 8])
        assert y.tolist() == [3] * 8


def test_numpy_arrays_are_used_in_place(saxpy, device):
    if device.kind != "cpu":
        pytest.skip("memory of the host")
    y = numpy.ones(100, "float32")
    saxpy(1, 128, [1, numpy.arange(100, dtype="float32"), y, 100])
    numpy.testing.assert_array_equal(y, 1 + numpy.arange(100))


def test_views_are_passed_with_their_offset(device, saxpy):
    y = tenon.zeros(100, "float32", device=device)
    saxpy(1, 10, [1, tenon.ones(10, "float32", device=device), y[50:60], 10])
    assert y.numpy().sum() == 10 and y[50:60].tolist() == [1] * 10


def test_parameters_are_known(saxpy, device):
    a, x, y, n = saxpy.on(device).parameters
    assert (a.kind, a.dtype, a.size) == ("scalar", tenon.float32, 4)
    assert (x.kind, x.dtype, x.read_only, y.read_only) == ("pointer", tenon.float32, True, False)
    assert (n.kind, n.dtype) == ("scalar", tenon.int32)


@pytest.mark.parametrize("ctype, dtype, value", [("bool", "bool", True), ("signed char", "int8", -5), ("unsigned char", "uint8", 200),
                                                 ("short", "int16", -300), ("unsigned short", "uint16", 60000), ("int", "int32", -2**31),
                                                 ("unsigned", "uint32", 2**32 - 1), ("long long", "int64", -2**63),
                                                 ("unsigned long long", "uint64", 2**64 - 1), ("float", "float32", 0.1), ("double", "float64", 0.1)])
def test_scalars_of_every_type_arrive(device, ctype, dtype, value):
    out = tenon.zeros((), dtype, device=device)
    tenon.Kernel(f"__global__ void put({ctype} value, {ctype}* out) {{ *out = value; }}", "put")(1, 1, [value, out])
    assert out.numpy() == numpy.array(value, dtype)
    if dtype != "bool":
        tenon.Kernel(f"__global__ void put({ctype} value, {ctype}* out) {{ *out = value; }}", "put")(1, 1, [numpy.array(value, dtype)[()], out])
        assert out.numpy() == numpy.array(value, dtype)


def test_structs_by_value(device):
    source = "struct Point { float x; double y; int z; };\n__global__ void put(Point p, double* out) { out[0] = p.x; out[1] = p.y; out[2] = p.z; }"

    class Point(ctypes.Structure):
        _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_double), ("z", ctypes.c_int)]

    out = tenon.zeros(3, "float64", device=device)
    kernel = tenon.Kernel(source, "put")
    kernel(1, 1, [Point(1.5, 2.25, -3), out])
    assert out.tolist() == [1.5, 2.25, -3]
    with pytest.raises(tenon.TenonError):
        kernel(1, 1, [bytes(ctypes.sizeof(Point) - 1), out])


def test_raw_addresses_are_passed_unchecked(device, saxpy):
    x, y = tenon.ones(4, "float32", device=device), tenon.zeros(4, "float32", device=device)
    saxpy(1, 4, [3, ctypes.c_void_p(x.data_ptr), ctypes.c_void_p(y.data_ptr), 4])
    device.synchronize()
    assert y.tolist() == [3] * 4


def test_arrays_without_elements_and_nothing_to_do(device, saxpy):
    saxpy(1, 1, [1, tenon.empty(0, "float32", device=device), tenon.empty(0, "float32", device=device), 0])


def test_a_bound_call_launches_again_with_changed_arguments(device, saxpy):
    x, y = tenon.ones(16, "float32", device=device), tenon.zeros(16, "float32", device=device)
    call = saxpy.bind(1, 16, [2, x, y, 16])
    call()
    call()
    call[0] = 10
    call()
    other = call.clone()
    other[0] = 100
    call()
    other()
    assert y.tolist() == [2 + 2 + 10 + 10 + 100] * 16
    with pytest.raises(TypeError):
        call[0] = "ten"
    with pytest.raises(tenon.TenonError):
        call[1] = tenon.ones(16, "float64", device=device)


def test_a_stream_orders_work_and_events_time_it(device, saxpy):
    stream = tenon.Stream(device)
    x, y = tenon.ones(1000, "float32", device=device), tenon.zeros(1000, "float32", device=device)
    start = stream.record(timing=True)
    for _ in range(10):
        saxpy(4, 256, [1, x, y, 1000], stream=stream)
    end = stream.record(timing=True)
    stream.synchronize()
    assert end.query() and stream.query() and end.milliseconds_since(start) >= 0
    assert y.tolist() == [10] * 1000


def test_streams_that_share_an_array_are_ordered_automatically(device, saxpy):
    streams = [tenon.Stream(device) for _ in range(4)]
    x, y = tenon.ones(1 << 20, "float32", device=device), tenon.zeros(1 << 20, "float32", device=device)
    for turn in range(40):
        saxpy(1 << 12, 256, [1, x, y, 1 << 20], stream=streams[turn % 4])
    assert numpy.all(y.numpy() == 40)


# --- compiling ---

def test_a_fault_in_the_text_is_a_compile_error_with_log_and_line(device):
    with pytest.raises(tenon.CompileError) as caught:
        tenon.Program("__global__ void f(int* x) {\n  int y = 1;\n  x[0] = undeclared_thing;\n}\n", ["f"], device=device, name="mine.cu")
    assert "undeclared_thing" in caught.value.log and "mine.cu" in caught.value.log and "3" in caught.value.log
    assert "undeclared_thing" in str(caught.value)


def test_a_kernel_that_is_not_there_is_not_found(device):
    with pytest.raises((tenon.NotFound, tenon.CompileError), match="saxpyy"):
        tenon.Program(SAXPY, ["saxpyy"], device=device)["saxpyy"]


def test_the_text_is_compiled_when_no_kernel_is_named(device):
    tenon.Program(SAXPY, device=device)
    with pytest.raises(tenon.CompileError):
        tenon.Program("this is no CUDA C", device=device)


def test_the_image_is_available(device):
    program = tenon.Program(SAXPY, ["saxpy"], device=device)
    assert program.image()[:4] == b"\x7fELF"
    if device.kind == "cuda":
        assert b".target" in program.image("ptx")
    else:
        with pytest.raises(tenon.TenonError):
            program.image("ptx")


def test_an_unknown_mode_is_refused(device):
    with pytest.raises(ValueError, match="fast"):
        tenon.Program(SAXPY, ["saxpy"], device=device, mode="quick")


@pytest.mark.parametrize("options", [dict(mode="debug"), dict(fast_math=True), dict(no_cache=True), dict(reverse_order=True)], ids=str)
def test_modes_compute_the_same(device, options):
    y = tenon.ones(64, "float32", device=device)
    tenon.Kernel(SAXPY, "saxpy", **options)(1, 64, [2, tenon.ones(64, "float32", device=device), y, 64])
    assert y.tolist() == [3] * 64


# --- wrong arguments ---

def good(device):
    return [2.0, tenon.ones(8, "float32", device=device), tenon.zeros(8, "float32", device=device), 8]


WRONG = {
    "too few": lambda args, device: args[:3],
    "too many": lambda args, device: args + [1],
    "an array of another dtype": lambda args, device: [args[0], tenon.ones(8, "float64", device=device), *args[2:]],
    "an integer array for floats": lambda args, device: [args[0], tenon.ones(8, "int32", device=device), *args[2:]],
    "a number for a pointer": lambda args, device: [args[0], 3, *args[2:]],
    "an array for a number": lambda args, device: [tenon.ones(1, "float32", device=device), *args[1:]],
    "a float for an integer": lambda args, device: [*args[:3], 8.0],
    "a string": lambda args, device: ["2", *args[1:]],
    "an integer that does not fit": lambda args, device: [*args[:3], 2**31],
    "a float that does not fit": lambda args, device: [1e300, *args[1:]],
    "a strided view": lambda args, device: [args[0], tenon.ones((8, 2), "float32", device=device)[:, 0], *args[2:]],
    "read-only memory to write": lambda args, device: [*args[:2], tenon.ones(1, "float32", device=device).broadcast_to((1,)), args[3]],
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument_is_refused_before_anything_runs(device, saxpy, what):
    args = good(device)
    wrong = WRONG[what](args, device)
    with pytest.raises((tenon.TenonError, TypeError, ValueError, OverflowError)) as caught:
        saxpy(1, 8, wrong)
    assert any(word in str(caught.value) for word in ("rgument", "parameter")), str(caught.value)
    device.synchronize()
    assert args[2].tolist() == [0] * 8


def test_an_array_of_another_device_is_refused(device, saxpy):
    others = [other for other in tenon.devices() if other != device]
    if not others:
        pytest.skip("needs a second device")
    args = good(device)
    args[1] = tenon.ones(8, "float32", device=others[0])
    with pytest.raises(tenon.DeviceError):
        saxpy(1, 8, args)


@pytest.mark.parametrize("grid, block, shared", [(1, 1025, 0), (1, (1, 1, 65), 0), (1, (32, 32, 2), 0), (0, 1, 0), (1, 0, 0), ((1, 2**16, 1), 1, 0),
                                                 (2**31, 1, 0), (1, 1, 2**30), ((1, 1, 1, 1), 1, 0), (-1, 1, 0), (2**40, 1, 0)], ids=str)
def test_geometry_over_a_limit_is_refused(device, saxpy, grid, block, shared):
    with pytest.raises((ValueError, tenon.Unsupported)):
        saxpy(grid, block, good(device), shared=shared)


def test_pointers_take_vectors_and_void_takes_all(device):
    four = tenon.Kernel(f"__global__ void f(float4* x, int n) {{ {INDEX} if (i < n) x[i].w = 9; }}", "f")
    array = tenon.zeros((2, 4), "float32", device=device)
    four(1, 2, [array, 2])
    assert array.tolist() == [[0, 0, 0, 9]] * 2
    anything = tenon.Kernel("__global__ void g(void* x) { *(char*)x = 1; }", "g")
    for dtype in ("int8", "float64", "complex64"):
        anything(1, 1, [tenon.zeros(4, dtype, device=device)])
    pairs = tenon.Kernel("__global__ void h(float2* x) { x[0].y = 2; }", "h")
    number = tenon.zeros(1, "complex64", device=device)
    pairs(1, 1, [number])
    assert number.item() == 2j
