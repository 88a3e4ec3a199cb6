"""tenon.cupy: CuPy programs with a changed import, on the CPU and on a GPU."""

import gc
import io
import pickle
import weakref

import numpy
import pytest

import tenon
import tenon.cupy as cupy

SOURCE = r"""
__constant__ float c[4];
__device__ int count;
#define MAKE(name) extern "C" __global__ void name(float* x) { x[threadIdx.x] = c[threadIdx.x]; atomicAdd(&count, 1); }
MAKE(made_by_macro)
// extern "C" __global__ void in_a_comment(float* x) {}
#if 0
extern "C" __global__ void left_out(float* x) {}
#endif
extern "C" __global__ void __launch_bounds__(64, (1)) plain(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] =
c[threadIdx.x]; } template <class T> __global__ void plus(T* x, T y) { x[threadIdx.x] += y; }
"""


def test_kernels_and_variables_of_a_module_are_found():
    module = cupy.RawModule(code=SOURCE.replace("#if 0", "#if 1"))
    plain, macro, plus = map(module.get_function, ("plain", "made_by_macro", "plus<float>"))
    c = cupy.ndarray((4,), cupy.float32, module.get_global("c"))
    c[:] = cupy.arange(1, 5, dtype="float32")
    x, y = cupy.zeros(4, "float32"), cupy.zeros(4, "float32")
    plain((1,), (4,), (x, numpy.int32(3)))
    macro((1,), (4,), (y,))
    plus((1, 1), (4, 1, 1), (y, 0.5))
    assert (x.tolist(), y.tolist()) == ([1, 2, 3, 0], [1.5, 2.5, 3.5, 4.5])
    assert cupy.ndarray((), "int32", module.get_global("count")).item() == 4
    with pytest.raises(LookupError, match="name_expressions"):  # it would have other variables
        module.get_function("plus<double>")


def test_names_that_only_the_text_has_are_ignored():
    module = cupy.RawModule(code=SOURCE)  # left_out is under #if 0
    x = cupy.zeros(4, "float32")
    module.get_function("plain")((1,), (4,), (x, 4))
    with pytest.raises((tenon.NotFound, tenon.CompileError)):
        module.get_function("left_out")


def test_variables_keep_their_contents_when_a_kernel_is_found_later():
    module = cupy.RawModule(code=SOURCE.replace("#if 0", "#if 1"))
    x = cupy.zeros(4, "float32")
    module.get_function("made_by_macro")((1,), (4,), (x,))
    module.get_function("plus<double>")  # recompiles the module
    assert cupy.ndarray((), "int32", module.get_global("count")).item() == 4


def test_attributes_of_a_kernel():
    kernel = cupy.RawKernel(SOURCE, "plain", options=("-std=c++17",))
    assert kernel.attributes["max_threads_per_block"] >= 64
    assert (kernel.name, kernel.options, kernel.backend) == ("plain", ("-std=c++17",), "nvrtc")
    most = cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
    kernel.max_dynamic_shared_size_bytes = most - kernel.shared_size_bytes
    assert kernel.max_dynamic_shared_size_bytes == most - kernel.shared_size_bytes
    with pytest.raises(ValueError, match="at most"):
        kernel.max_dynamic_shared_size_bytes = most + 1
    assert kernel.preferred_shared_memory_carveout == -1
    kernel.preferred_shared_memory_carveout = 50
    with pytest.raises(ValueError, match="percent is 101: it must be from 0 to 100, or -1"):
        kernel.preferred_shared_memory_carveout = 101
    assert kernel.attributes["preferred_shared_memory_carveout"] == 50
    on_cpu = cupy.cuda.Device().tenon.kind == "cpu"
    for name in ("ptx_version", "binary_version"):
        assert (kernel.attributes[name] == 0) if on_cpu else (kernel.attributes[name] >= 50)
    assert kernel.cache_mode_ca in ((0,) if on_cpu else (0, 1))
    with pytest.raises(AttributeError, match="occupancy"):
        kernel.no_such_attribute
    log = io.StringIO()
    kernel.compile(log_stream=log)
    again = pickle.loads(pickle.dumps(kernel))
    assert again.name == "plain" and again.num_regs == kernel.num_regs


def test_complex_numbers_in_kernels():
    """As CuPy's manual has it."""
    kernel = cupy.RawKernel(r'''
#include <cupy/complex.cuh>
extern "C" __global__ void axpy(const complex<float>* x1, const complex<float>* x2, complex<float>* y, float a) {
  y[threadIdx.x] = x1[threadIdx.x] + a * conj(x2[threadIdx.x]) * complex<float>(0, 1);
}''', "axpy")
    x, y = cupy.asarray([1 + 2j, 3j], dtype="complex64"), cupy.zeros(2, "complex64")
    kernel((1,), (2,), (x, x, y, cupy.float32(2)))
    assert y.tolist() == [1 + 2j + 2 * (1 - 2j) * 1j, 3j + 2 * -3j * 1j]


def test_exceptions_have_cupys_names():
    with pytest.raises(cupy.cuda.compiler.CompileException, match="no_such_type"):
        cupy.RawKernel('extern "C" __global__ void f(no_such_type* x) {}', "f").compile()
    for known in (cupy.cuda.memory.OutOfMemoryError, cupy.cuda.runtime.CUDARuntimeError,
                  cupy.cuda.driver.CUDADriverError):
        assert issubclass(tenon.OutOfMemory, known)


def test_views_with_gaps_are_passed_as_addresses():
    copy = cupy.RawKernel('extern "C" __global__ void copy(const float* x, float* y, int step) '
                          "{ y[threadIdx.x] = x[threadIdx.x * step]; }", "copy")
    x, y = cupy.arange(12, dtype="float32").reshape(3, 4), cupy.zeros(3, "float32")
    copy((1,), (3,), (x[:, 1], y, x.strides[0]))
    assert y.tolist() == [1, 5, 9]
    with pytest.raises(tenon.LayoutError):
        tenon.Kernel(copy.code, "copy")(1, 3, [x[:, 1], y, 4])
    tenon.Kernel(copy.code, "copy")(1, 3, [tenon.Strided(x[:, 2]), y, 4])
    assert y.tolist() == [2, 6, 10]


def test_arguments_that_are_wrong_are_named():
    with pytest.raises(TypeError, match="takes either"):
        cupy.RawModule()
    with pytest.raises(ValueError, match="backend"):
        cupy.RawKernel(SOURCE, "plain", backend="hip")
    kernel = cupy.RawKernel(SOURCE, "plain")
    with pytest.raises(tenon.DTypeError, match="argument 0"):
        kernel((1,), (4,), (cupy.zeros(4, "int32"), 4))


# --- expressions ---------------------------------------------------------------------------------------------------

def test_elementwise_kernels_take_raw_arrays_alone():
    reverse = cupy.ElementwiseKernel("raw T x", "raw T y", "y[i] = x[_ind.size() - i - 1]", "reverse")
    x, y = cupy.arange(6.0), cupy.zeros(6)
    reverse(x, y, size=5)
    assert y.tolist() == [4, 3, 2, 1, 0, 0]
    reverse(x, y[::2], size=3)  # writes through a view
    assert y.tolist() == [2, 3, 1, 1, 0, 0]
    with pytest.raises(ValueError, match="size="):
        reverse(x, y)
    with pytest.raises(ValueError, match="all raw"):
        cupy.ElementwiseKernel("T x", "T y", "y = x")(x, size=6)


def test_raw_arrays_know_their_shape():
    rows = cupy.ElementwiseKernel("raw T x, int64 row", "T y",
                                  "y = x[row * x.shape()[1] + i % x.shape()[1]] + x.strides()[0] / x.strides()[1]",
                                  "rows")
    x = cupy.arange(12, dtype="float32").reshape(4, 3)
    y = cupy.empty(3, "float32")
    assert rows(x, 2, y) is y and y.tolist() == [9, 10, 11]
    assert rows(x.T, 1, cupy.empty(4, "float32")).tolist() == [5, 8, 11, 14]


def test_loop_prep_and_after_loop():
    kernel = cupy.ElementwiseKernel("T x, raw T table", "T y", "y = x * k", "scaled", loop_prep="const T k = table[1]",
                                    after_loop="(void)k", return_tuple=True)
    (y,) = kernel(cupy.arange(3.0), cupy.asarray([2.0, 5.0]))
    assert y.tolist() == [0, 5, 10]
    with pytest.raises(ValueError, match="__shared__"):
        cupy.ElementwiseKernel("T x", "T y", "y = x", loop_prep="__shared__ T room[4]")
    assert cupy.ElementwiseKernel("T x", "T y", "y = x", no_return=True)(cupy.ones(2)) is None


def test_raw_arrays_are_indexed_by_several_numbers():
    host = numpy.arange(24.0).reshape(2, 3, 4)
    turned = cupy.ElementwiseKernel("raw T x", "raw T y", """
        const int rows = x.shape()[0], columns = x.shape()[1];
        ptrdiff_t from[] = {i / columns % rows, i % columns, i / (rows * columns)};
        long long to[3];
        for (int axis = 0; axis < y.ndim; axis++) to[axis] = from[(axis + 1) % 3];
        y[to] = x[ from ] + x[0] * x.size();
    """, "turned")
    for x in (cupy.asarray(host), cupy.asarray(host.T.copy()).T):
        y = cupy.empty((3, 4, 2))
        turned(x, y, size=24)
        assert y.tolist() == host.transpose(1, 2, 0).tolist()
    at = cupy.ElementwiseKernel("T a, raw T x", "T y", "y = a + 2 * x[_ind.get()]", "at")
    assert at(cupy.asarray(host.T), cupy.asarray(host.T.copy())).tolist() == (3 * host.T).tolist()


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (1, 2)])
def test_reductions_know_the_number_of_an_element(axis):
    first = cupy.ReductionKernel("T x", "int64 y", "x > 3 ? _j : 1000", "min(a, b)", "y = a", "1000", "first")
    host = numpy.random.default_rng(1).integers(0, 6, (3, 4, 5))
    axes = {one % 3 for one in (range(3) if axis is None else [axis] if isinstance(axis, int) else axis)}
    turned = host.transpose(sorted(range(3), key=lambda one: one not in axes))  # the reduced axes come first
    expected = numpy.where(turned > 3, numpy.arange(60).reshape(turned.shape), 1000).min(axis=tuple(range(len(axes))))
    assert first(cupy.asarray(host), axis=axis).tolist() == expected.tolist()


def test_a_fused_function_forgets_its_kernels():
    @cupy.fuse()
    def scaled(x):
        return x * 3 + 1

    before = scaled(cupy.arange(3)).tolist()
    scaled.clear_cache()
    assert scaled(cupy.arange(3)).tolist() == before == [1, 4, 7]


def test_reductions_with_statements_and_several_outputs():
    x = cupy.arange(6, dtype="float32").reshape(2, 3)
    both = cupy.ReductionKernel("T x", "float64 total, T mean", "x", "a + b", "total = a; mean = a / n", "0",
                                reduce_type="double")
    total, mean = both(x, axis=0)
    assert (total.dtype, total.tolist(), mean.tolist()) == ("float64", [3, 5, 7], [1.5, 2.5, 3.5])
    sizes = cupy.ReductionKernel("T x", "int64 y", "0", "a + b", "y = _in_ind.size() * 10 + _out_ind.size()", "0")
    assert (sizes(x).item(), sizes(x, axis=1).tolist(), sizes(x[:1]).item()) == (61, [62, 62], 31)
    ratio = cupy.ReductionKernel("T x", "T y", "x", "a + b", "y = a / (_in_ind.size() / _out_ind.size())", "0")
    out = cupy.zeros(2, "float32")
    assert ratio(x, axis=1, out=out) is out and out.tolist() == [1, 4]
    with pytest.raises(ValueError, match="do not assign y"):
        cupy.ReductionKernel("T x", "T y", "x", "a + b", "z = a", "0")


def test_fused_functions_compute_what_the_plain_ones_do(random):
    def floats(x, y, k):
        s = cupy.sqrt(x * x + y) / (1 + cupy.exp(-x))
        t = cupy.where((s > k) & (y < 2), s, cupy.maximum(x, -y) - k)
        return t, cupy.sum(t * y, axis=0), cupy.arctan2(t, y).astype("float64")

    def integers(x, y, k):
        return (x * y - k) // 3 + (x << 1), ~(x == 3), x / y

    for plain, dtype in ((floats, "float32"), (integers, "int16")):
        x, y = (cupy.asarray((1 + 3 * random.random((3, 4))).astype(dtype)) for _ in range(2))
        for mine, right in zip(cupy.fuse(kernel_name="several")(plain)(x, y, 2), plain(x, y, 2)):
            assert (mine.dtype, mine.shape) == (right.dtype, right.shape)
            numpy.testing.assert_allclose(mine.get(), right.get(), rtol=1e-5)


def test_writes_within_a_fused_function_are_in_order():
    @cupy.fuse
    def changed(x, y):
        before = x * 10
        x += 1
        cupy.multiply(x, 2, out=y)
        return before, x + 0, y + 0

    x, y = cupy.arange(3.0), cupy.zeros(3)
    before, after, doubled = changed(x, y)
    assert (before.tolist(), after.tolist(), doubled.tolist()) == ([0, 10, 20], [1, 2, 3], [2, 4, 6])
    assert (x.tolist(), y.tolist()) == ([1, 2, 3], [2, 4, 6])


def test_a_fused_function_is_one_kernel():
    from tenon.cupy import _fuse

    _fuse._kernel.cache_clear()
    fused = cupy.fuse(lambda x: cupy.sin(x) * 2 + cupy.cos(x) * 3)
    fused(cupy.ones(3)), fused(cupy.zeros((2, 2)))
    assert _fuse._kernel.cache_info().misses == 1


# --- streams, events, devices, memory ------------------------------------------------------------------------------

def test_the_current_stream():
    first, second = cupy.cuda.Stream(), cupy.cuda.Stream(non_blocking=True)
    assert cupy.cuda.get_current_stream() == cupy.cuda.Stream.null
    with first:
        with second as inner:
            assert cupy.cuda.get_current_stream() is inner is second
        assert cupy.cuda.get_current_stream() is first
        x = cupy.sin(cupy.ones(4))
        on = [tenon._compute._on(None, [x], tenon._compute.Output(None)), cupy.cuda.current_stream(x.device)]
        assert on == [first.tenon] * 2 and (x + x).sum().item() > 0  # operators run on the current stream
    assert cupy.cuda.get_current_stream() == cupy.cuda.Stream.null
    first.synchronize()
    assert first.done and x.shape == (4,)
    event = first.record()
    second.wait_event(event)
    event.synchronize()
    assert event.done
    heard = []
    first.launch_host_func(heard.append, 3)
    first.synchronize()
    assert heard == [3]
    with pytest.raises(tenon.InvalidArgument):
        cupy.cuda.get_elapsed_time(cupy.cuda.Event(disable_timing=True), cupy.cuda.Event())


def test_a_stream_captures_a_graph():
    scale = cupy.RawKernel("extern \"C\" __global__ void scale(float* x, float s) { x[threadIdx.x] *= s; }", "scale")
    a = cupy.arange(4, dtype="float32")
    stream, calls = cupy.cuda.Stream(non_blocking=True), []
    assert stream.is_non_blocking and not stream.is_capturing()
    with stream:
        stream.begin_capture()
        assert stream.is_capturing()
        b = a * 3 + 1
        scale((1,), (4,), (b, cupy.float32(2)))
        tenon.add(b, 1, out=b, stream=stream)
        c = cupy.zeros(4, dtype="float32")
        c[1:] = b[:3]  # by subscripts, of all kinds
        c[0] = 5
        c[[2]] = -1
        d = c[c.argsort()].copy()
        with pytest.raises(cupy.cuda.CUDARuntimeError, match="recording a graph"):
            cupy.nonzero(d)
        for read in (d.tolist, lambda: bool(d[0] > 0)):
            with pytest.raises(cupy.cuda.CUDARuntimeError, match="launch the graph before reading"):
                read()
        stream.launch_host_func(calls.append, 7)
        for what in (stream.synchronize, lambda: stream.done, stream.begin_capture):
            with pytest.raises(cupy.cuda.CUDARuntimeError, match="captur"):
                what()
        graph = stream.end_capture()
    assert not stream.is_capturing() and not calls
    graph.upload()
    for factor in (1, 2):
        a *= factor
        graph.launch()
        cupy.cuda.get_current_stream().synchronize()
        expected = [(float(x) * 3 + 1) * 2 + 1 for x in a.tolist()]
        assert b.tolist() == expected
        assert c.tolist() == [5, expected[0], -1, expected[2]] and d.tolist() == sorted(c.tolist())
    assert calls == [7, 7]
    with pytest.raises(cupy.cuda.CUDARuntimeError, match="no capture began"):
        stream.end_capture()
    with pytest.raises(cupy.cuda.CUDARuntimeError, match="null stream"):
        cupy.cuda.Stream.null.begin_capture()


def test_a_capture_forks_and_joins():
    a, one, two, other = cupy.arange(4), *(cupy.cuda.Stream() for _ in range(3))
    fork, join = cupy.cuda.Event(), cupy.cuda.Event()
    with one:
        one.begin_capture()
        out1 = a * 100
        fork.record(one)
        two.wait_event(fork)
        assert two.is_capturing() and not other.is_capturing()
        with two:
            out2 = out1 * 3 + 1
            join.record(two)
        one.wait_event(join)
        with pytest.raises(cupy.cuda.CUDARuntimeError, match="no capture began"):
            two.end_capture()
        other.begin_capture()
        with pytest.raises(cupy.cuda.CUDARuntimeError, match="another capture"):
            other.wait_event(fork)
        other.end_capture()
        graph = one.end_capture()
    assert not two.is_capturing()
    a += 1
    graph.launch()
    one.synchronize()
    assert out2.tolist() == [(x * 100) * 3 + 1 for x in [1, 2, 3, 4]]
    other.wait_event(fork)  # an event of a capture that has ended holds nothing up
    other.synchronize()


def test_streams_of_other_libraries():
    class Foreign:
        def __init__(self, said):
            self.said = said

        def __cuda_stream__(self):
            return self.said

    real = cupy.cuda.Stream()
    foreign = Foreign((0, real.ptr))
    if real.ptr:
        wrapped = cupy.cuda.Stream.from_external(foreign)
        assert wrapped.ptr == real.ptr and wrapped.__cuda_stream__() == (0, real.ptr)
        with wrapped:
            assert (cupy.ones(3) + 1).sum() == 6
        alive = weakref.ref(foreign)
        del foreign
        gc.collect()
        assert alive() is not None
        del wrapped
        gc.collect()
        assert alive() is None
    for said, match in ((1, "2-tuple"), ((0,), "2-tuple"), (("x", 0), r"\(int, int\)"), ((1, 5), "unsupported version")):
        with pytest.raises(TypeError, match=match):
            cupy.cuda.Stream.from_external(Foreign(said))
    with pytest.raises(TypeError, match="does not implement"):
        cupy.cuda.Stream.from_external(object())


def test_devices_and_the_runtime():
    with cupy.cuda.Device(0) as device:
        assert cupy.zeros(1).device == device and int(device) == cupy.cuda.runtime.getDevice() == 0
    assert cupy.cuda.runtime.getDeviceCount() >= 1
    assert cupy.cuda.runtime.getDeviceProperties(0)["warpSize"] == 32
    free, total = cupy.cuda.runtime.memGetInfo()
    assert 0 < free <= total
    cupy.cuda.runtime.deviceSynchronize()
    with pytest.raises(ValueError, match="there is no device 99"):
        cupy.cuda.Device(99)
    with pytest.raises(AttributeError, match="tenon.Stream"):
        cupy.cuda.runtime.graphLaunch


def test_a_seed_may_be_an_array():
    drawn = [cupy.random.RandomState(seed=seed).rand(3).tolist()
             for seed in (numpy.array([1, 2, 3]), cupy.asarray([1, 2, 3]), [1, 2, 3], numpy.array([1, 2, 4]), 1)]
    assert drawn[0] == drawn[1] == drawn[2] and drawn[3] != drawn[0] != drawn[4]
    with pytest.raises(TypeError, match="integers"):
        cupy.random.RandomState(seed=[0.5])


def test_the_memory_pool_counts_its_free_memory():
    gc.collect()
    pool, pinned = cupy.get_default_memory_pool(), cupy.get_default_pinned_memory_pool()
    kept = cupy.zeros(2**16)
    del kept
    assert pool.n_free_blocks() == pinned.n_free_blocks() == (pool.free_bytes() > 0) == 1
    pool.free_all_blocks()
    assert pool.n_free_blocks() == (pool.free_bytes() > 0)


def test_the_memory_pool_has_a_limit():
    pool = cupy.get_default_memory_pool()
    before = pool.used_bytes()
    x = cupy.zeros(1000)
    assert pool.used_bytes() >= before + 8000 and pool.total_bytes() >= pool.used_bytes()
    pool.set_limit(size=pool.used_bytes() + 1000)
    try:
        assert pool.get_limit() > 1000
        with pytest.raises(MemoryError, match="limit"):
            cupy.zeros(10**5)
    finally:
        pool.set_limit(size=0)
    del x
    pool.free_all_blocks()
    with pytest.raises(ValueError, match="takes either"):
        pool.set_limit()
    cupy.cuda.set_allocator(cupy.cuda.MemoryPool().malloc)
    with pytest.raises(AttributeError, match="from_dlpack"):
        cupy.cuda.set_allocator(lambda size: None)


def test_pointers():
    pointer = cupy.cuda.alloc(32)
    x = cupy.ndarray((4,), "float32", pointer + 16)
    x[:] = cupy.arange(4, dtype="float32")
    host = numpy.arange(4, dtype="float32") + 10
    pointer.copy_from_host(host.ctypes.data, 16)
    assert cupy.ndarray((2, 4), "float32", pointer).tolist() == [[10, 11, 12, 13], [0, 1, 2, 3]]
    (pointer + 16).memset(0, 8)
    assert x.tolist() == [0, 0, 2, 3] and x.data.ptr == pointer.ptr + 16
    with pytest.raises(ValueError, match="32"):
        cupy.ndarray((9,), "float32", pointer)
    if not cupy.is_available():
        owner = numpy.arange(3.0)
        foreign = cupy.cuda.UnownedMemory(owner.ctypes.data, owner.nbytes, owner)
        array = cupy.ndarray((3,), "float64", cupy.cuda.MemoryPointer(foreign, 0))
        array[0] = 7
        assert owner.tolist() == [7, 1, 2]


# --- functions -----------------------------------------------------------------------------------------------------

def test_functions_have_numpys_arguments():
    x = cupy.asarray([[3.0, 1, 2], [6, 5, 4]])
    n = x.get()
    for name, *args in (("sum", 0), ("std", None, None, None, 1), ("concatenate", None), ("argsort", 1),
                        ("diff", 1, 0), ("swapaxes", 0, 1),
                        ("clip", 2, 4), ("trace",), ("vstack", None), ("round", 1), ("cumsum", 1), ("take", [0, 2], 1)):
        def of(module, x):
            if args == [None]:
                return getattr(module, name)((x, x))
            return getattr(module, name)(x, *args)
        numpy.testing.assert_allclose(cupy.asnumpy(of(cupy, x)), of(numpy, n), err_msg=name)
    assert cupy.linalg.svd(x, full_matrices=False)[1].shape == (2,)
    numpy.testing.assert_allclose(cupy.fft.rfft(x, 4).get(), numpy.fft.rfft(n, 4))
    assert cupy.array(x) is not x and cupy.array([1, 2], ndmin=2).shape == (1, 2)
    host = numpy.ones(2)
    cupy.array(host)[0] = 5
    assert host.tolist() == [1, 1] and cupy.cuda.stream.Stream is cupy.cuda.Stream
    assert cupy.array([x, x]).shape == (2, 2, 3)
    with pytest.raises(TypeError, match="where"):
        cupy.sum(x, where=x > 1)
    with pytest.raises(AttributeError, match="tenon.elementwise"):
        cupy.unwrap
    assert {"sin", "einsum", "array", "RawKernel"} <= set(dir(cupy))


def test_methods_and_flags_of_arrays():
    host = numpy.array([[1.25, -2.5, 17.0], [0.5, 14.9, 1e3]])
    x = cupy.asarray(host)
    for decimals in (-1, 0, 1):
        assert x.round(decimals).tolist() == host.round(decimals).tolist()
    counts = numpy.array([15, 25, -35])
    assert all(cupy.asarray(counts).round(d).tolist() == counts.round(d).tolist() for d in (-1, 0, 2))
    out = cupy.zeros(3, "int64")
    assert cupy.asarray(counts).round(-1, out=out) is out and out.tolist() == counts.round(-1).tolist()
    assert x.trace() == host.trace() and x.trace(1) == host.trace(1)
    for call in (lambda x: x.sum(0, "float32"), lambda x: x.mean(1, None, None, True), lambda x: x.max(0, None, True),
                 lambda x: x.std(ddof=1), lambda x: x.var(0, None, None, 1), lambda x: x.cumsum(1, "float32"),
                 lambda x: x.take([1, 0], 1), lambda x: x.repeat(2, 0), lambda x: x.squeeze(None), lambda x: x.argsort(0),
                 lambda x: x.clip(0, 1, None), lambda x: x.dot(x.T), lambda x: x.diagonal(1), lambda x: x.view(),
                 lambda x: x.astype("float32", "C"), lambda x: x.copy("K"), lambda x: x.argmax(0),
                 lambda x: x[0].searchsorted([0.0], "right"),
                 *(lambda x, order=order: x.reshape(3, 2, order=order) for order in "CF"),
                 *(lambda x, order=order: x.T.reshape((-1,), order=order) for order in "CF"),
                 *(lambda x, order=order: x.T.ravel(order) for order in "CF"),
                 *(lambda x, order=order: x.flatten(order=order) for order in "CF")):
        assert (call(x).tolist(), call(x).dtype) == (call(host).tolist(), call(host).dtype)
    out = cupy.zeros(3)
    assert x.sum(0, None, out) is out and out.tolist() == host.sum(0).tolist()
    y = x.copy()
    y.put([0, 5], [7.0, 8.0])
    y.sort(0)
    assert y.tolist() == [[0.5, -2.5, 8], [7, 14.9, 17]]
    with pytest.raises(TypeError, match="sum takes 4 arguments by position, and 5 were given"):
        x.sum(0, None, None, False, None)
    with pytest.raises(TypeError, match="take got axis twice"):
        x.take([0], 1, axis=0)
    for call in (lambda: x.astype("float32", "F"), lambda: x.copy(order="F"), lambda: x.reshape(3, 2, order="X")):
        with pytest.raises(TypeError, match="C-ordered"):
            call()
    for ours, theirs in ((x, host), (x.T, host.T), (x[:, ::2], host[:, ::2]), (x[0], host[0])):
        for name in ("c_contiguous", "f_contiguous", "writeable", "forc", "fnc"):
            assert getattr(ours.flags, name) == getattr(theirs.flags, name)
        assert ours.flags["C_CONTIGUOUS"] == ours.flags["C"] == theirs.flags["C"]
    assert not x.broadcast_to((2, 2, 3)).flags.writeable and isinstance(x.flags, int)


def test_names_that_need_no_array_of_tenon():
    assert cupy.isscalar(2) and cupy.promote_types("f4", "i4") == "f8"
    numpy.testing.assert_allclose(cupy.logspace(0, 2, 5, base=2).get(), numpy.logspace(0, 2, 5, base=2), rtol=1e-15)
    assert cupy.logspace(0, 1, 2, dtype="float32").dtype == "float32"


def test_a_missing_name_is_replaced_by_what_there_is():
    with pytest.raises(AttributeError, match=r"no polyfit: .*numpy.polyfit\(array\)"):
        cupy.polyfit
    with pytest.raises(AttributeError, match="no scatter_add: (?!.*numpy.scatter_add)"):
        cupy.scatter_add


def test_random_numbers():
    cupy.random.seed(3)
    x = cupy.random.rand(2, 3)
    cupy.random.seed(3)
    assert cupy.array_equal(x, cupy.random.rand(2, 3))
    rng = cupy.random.default_rng(5)
    assert rng.integers(0, 5, 10, endpoint=True).shape == (10,) and rng.normal(size=(2, 2)).shape == (2, 2)
    order = cupy.arange(8)
    rng.shuffle(order)
    assert sorted(order.tolist()) == list(range(8))
    with pytest.raises(AttributeError, match="tenon.random.Generator"):
        cupy.random.zipf


def test_files_and_buffers():
    file = io.BytesIO()
    cupy.save(file, cupy.arange(3))
    file.seek(0)
    assert cupy.load(file).tolist() == [0, 1, 2]
    pinned = cupy.cuda.alloc_pinned_memory(24)
    host = numpy.frombuffer(pinned, "float64", 3)
    host[:] = 1.5
    assert cupy.asarray(host).tolist() == [1.5] * 3
    assert cupy.frombuffer(b"\x01\x02", "uint8").tolist() == [1, 2]


def test_launches_as_numba_writes_them():
    kernel = tenon.Kernel(SOURCE, "plus<float>")
    x = cupy.zeros(4, "float32")
    kernel[1, 4](x, 1.0)
    kernel[(1, 1), (4,), 0](x, 1.0)
    kernel[1, 4, cupy.cuda.Stream(), 16](x, 1.0)
    kernel.on(x.device)[1, 4, tenon.Stream(x.device)](x, 1.0)
    assert x.tolist() == [4] * 4
    with pytest.raises(TypeError, match=r"kernel\[grid, block\]"):
        kernel[1]
