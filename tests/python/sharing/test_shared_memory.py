"""Memory that Tenon shares with PyTorch, CuPy, JAX and Numba on a GPU, used without regard to streams: nothing
synchronises before the work under test, and slow kernels make missing ordering visible as a wrong number."""

import gc
import os
import resource
import threading
import time

import pytest

import tenon

N = 1 << 20
LATE = r"""
__global__ void add_late(float* x, int n, long long cycles, float v) {
  long long t = clock64(); while (clock64() - t < cycles) { }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += v;
}
__global__ void copy_late(const float* x, float* y, int n, long long cycles) {
  long long t = clock64(); while (clock64() - t < cycles) { }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}
__global__ void increment(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += 1;
}"""
CYCLES = 60_000_000  # about 30 ms


@pytest.fixture(scope="module")
def program():
    try:
        device = tenon.Device("cuda:0")
    except tenon.NotFound as error:
        pytest.skip(f"no cuda:0: {error}")
    made = tenon.Program(LATE, ["add_late", "copy_late", "increment"], device=device)
    warm = tenon.zeros(N, "float32", device=device)
    made["add_late"](64, 256, [warm, N, 1, 0.0])
    made["copy_late"](64, 256, [warm, tenon.zeros(N, "float32", device=device), N, 1])
    made["increment"](64, 256, [warm, N])
    device.synchronize()
    return made


@pytest.fixture
def late(program):
    """x += v, after a delay."""
    return lambda x, v=1.0, **options: program["add_late"](64, 256, [x, N, CYCLES, v], **options)


@pytest.fixture
def late_copy(program):
    return lambda x, y, **options: program["copy_late"](64, 256, [x, y, N, CYCLES], **options)


@pytest.fixture
def increment(program):
    return lambda x, **options: program["increment"](64, 256, [x, N], **options)


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch sees no GPU")
    torch.cuda.synchronize()
    gc.collect()
    return torch


def settle(torch):
    torch.cuda.synchronize()
    tenon.Device("cuda:0").synchronize()


# --- PyTorch: order ---------------------------------------------------------------------------------------------------

def test_torch_reads_after_a_kernel(torch, late):
    t = torch.zeros(N, device="cuda")
    late(t)
    assert t.sum().item() == N


def test_a_kernel_runs_after_torch_wrote(torch, late):
    t = torch.zeros(N, device="cuda")
    torch.cuda._sleep(CYCLES)
    t.fill_(5)
    late(t)
    assert t.sum().item() == 6 * N


@pytest.mark.parametrize("named", [False, True])
def test_a_kernel_runs_on_torchs_current_stream(torch, late, named):
    with torch.cuda.stream(torch.cuda.Stream()):
        t = torch.zeros(N, device="cuda")
        torch.cuda._sleep(CYCLES)
        t.fill_(5)
        late(t, **({"stream": torch.cuda.current_stream()} if named else {}))
        assert t.sum().item() == 6 * N


def test_work_on_a_view_and_on_its_tensor_is_ordered(torch, late):
    t = torch.zeros(N, device="cuda")
    a = tenon.from_dlpack(t)
    late(a)
    assert t.sum().item() == N
    torch.cuda._sleep(CYCLES)
    t.fill_(4)
    assert (a.numpy() == 4).all()


def test_what_is_passed_on_is_ordered_behind_torchs_work(torch):
    cupy = pytest.importorskip("cupy")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        t = torch.zeros(N, device="cuda")
        a = tenon.from_dlpack(t)
        torch.cuda._sleep(CYCLES)
        t.fill_(5)
        with cupy.cuda.Stream(non_blocking=True):  # another library, on a stream of its own
            assert float(cupy.from_dlpack(a).sum()) == 5 * N


def test_an_import_follows_torch_from_stream_to_stream(torch, late):
    t = torch.zeros(N, device="cuda")
    a = tenon.from_dlpack(t)
    streams = [torch.cuda.Stream(), torch.cuda.Stream()]
    torch.cuda.synchronize()
    for expected, stream in enumerate(streams, 1):
        with torch.cuda.stream(stream):
            late(a)
            assert t[:1000].sum().item() == 1000 * expected
    side = tenon.Stream("cuda:0")
    with torch.cuda.stream(streams[0]):
        torch.cuda._sleep(CYCLES)
        t.fill_(7)
        late(a, stream=side)  # on Tenon's stream, after the work of torch
    side.synchronize()
    assert t.sum().item() == 8 * N


def test_results_pass_to_torch_and_back_at_once(torch, late):
    t = torch.ones(512, 512, device="cuda")
    late(torch.zeros(N, device="cuda"))
    assert (torch.from_dlpack(tenon.matmul(t, t)) == 512).all().item()
    torch.cuda._sleep(CYCLES)
    t = torch.ones(512, 512, device="cuda") * 2
    x = tenon.from_dlpack(t)
    assert (tenon.matmul(x, x).numpy() == 2048).all()


def test_work_on_an_exported_array_is_ordered_both_ways(torch, late):
    a = tenon.zeros(N, "float32", device="cuda:0")
    with torch.cuda.stream(torch.cuda.Stream()):
        t = torch.from_dlpack(a)
        torch.cuda._sleep(CYCLES)
        t.fill_(3)
        late(a)  # Tenon's array on that stream
        assert t.sum().item() == 4 * N
        late(a)
        t.mul_(2)
        assert (a.numpy() == 10).all()


def test_several_threads_with_streams_of_their_own(torch):
    wrong = []

    def work(i):
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(30):
                t = torch.full((1 << 14,), float(i), device="cuda", dtype=torch.complex64)
                value = torch.from_dlpack(tenon.fft(t))[0].real.item()
                if abs(value - i * (1 << 14)) > 1:
                    wrong.append((i, value))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# --- PyTorch: lifetimes -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("turn", range(3))
def test_an_exported_array_dies_while_torch_reads(torch, turn):
    a = tenon.full((N,), 3.0, "float32", device="cuda:0")
    t = torch.from_dlpack(a)
    torch.cuda._sleep(CYCLES)
    c = t.clone()
    del t, a
    others = [tenon.full((N,), 7.0, "float32", device="cuda:0") for _ in range(3)]
    settle(torch)
    assert c.sum().item() == 3 * N and len(others) == 3


@pytest.mark.parametrize("turn", range(3))
def test_an_export_to_a_side_stream_dies_while_torch_reads(torch, turn):
    side = torch.cuda.Stream()
    a = tenon.full((N,), 3.0, "float32", device="cuda:0")
    with torch.cuda.stream(side):
        t = torch.from_dlpack(a)
        torch.cuda._sleep(CYCLES)
        c = t.clone()
    del t, a
    others = [tenon.full((N,), 7.0, "float32", device="cuda:0") for _ in range(3)]
    settle(torch)
    assert c.sum().item() == 3 * N and len(others) == 3


def test_a_tensor_dies_while_a_kernel_runs(torch, late):
    for _ in range(3):
        t = torch.zeros(N, device="cuda")
        late(t)
        del t
        u = torch.zeros(N, device="cuda")
        v = u.clone()
        settle(torch)
        assert u.sum().item() == 0 and v.sum().item() == 0


@pytest.mark.parametrize("side", [False, True])
def test_an_import_is_kept_while_it_is_read(torch, late, side):
    for _ in range(3):
        stream = {"stream": tenon.Stream("cuda:0")} if side else {}
        t = torch.full((N,), 5.0, device="cuda")
        torch.cuda._sleep(CYCLES)
        if side:
            late(torch.zeros(N, device="cuda"), **stream)
        u = t * 1
        r = tenon.from_dlpack(u).copy(**stream)
        del u
        others = [torch.full((N,), 9.0, device="cuda") for _ in range(3)]
        settle(torch)
        assert (r.numpy() == 5).all() and len(others) == 3


def test_memory_made_on_a_torch_stream_is_not_handed_out_in_use(torch, late):
    stream = torch.cuda.Stream()
    for _ in range(3):
        x = tenon.zeros(N, "float32", device="cuda:0", stream=stream)
        late(x, stream=stream)
        del x
        z = tenon.full((N,), 7.0, "float32", device="cuda:0")
        settle(torch)
        assert (z.numpy() == 7).all()


def test_temporaries_on_a_torch_stream(torch, late):
    stream = torch.cuda.Stream()
    busy = torch.zeros(N, device="cuda")
    for _ in range(3):
        late(busy, stream=stream)
        x = tenon.zeros(N, "float32", device="cuda:0", stream=stream)
        y = x.copy(stream=stream)
        del x
        z = tenon.full((N,), 1.0, "float32", device="cuda:0")
        settle(torch)
        assert (y.numpy() == 0).all() and (z.numpy() == 1).all()


def test_a_pinned_source_may_be_reused_at_once(torch, late):
    busy = torch.zeros(N, device="cuda")
    for count in (16, 4096, N):
        host = torch.ones(count).pin_memory().numpy()
        d = tenon.empty(count, "float32", device="cuda:0")
        late(busy)
        d[...] = host
        host[:] = 2
        assert (d.numpy() == 1).all()


def test_reads_on_a_torch_stream_leak_nothing(torch):
    stream = torch.cuda.Stream()
    x = tenon.zeros(16, "float32", device="cuda:0")
    for _ in range(2000):
        x.copy(stream=stream)
    torch.cuda.synchronize()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20000):
        x.copy(stream=stream)
    torch.cuda.synchronize()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10000, "KiB"


# --- PyTorch: graphs --------------------------------------------------------------------------------------------------

def test_kernels_in_a_torch_graph(torch, increment):
    t = torch.zeros(N, device="cuda")
    increment(t)
    settle(torch)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        t.mul_(2)
        increment(t)
        t.add_(3)
    t.zero_()
    for _ in range(3):
        graph.replay()
    assert t[0].item() == 28


def test_operations_that_allocate_in_a_torch_graph(torch):
    a = torch.ones(64, 64, device="cuda")
    z = torch.ones(8, 32, dtype=torch.complex64, device="cuda")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        product = torch.from_dlpack(tenon.matmul(a, tenon.matmul(a, a)))
        total = torch.from_dlpack(tenon.sum(a, axis=0))
        spectrum = torch.from_dlpack(tenon.fft(z))
    a.fill_(2)
    z.fill_(3)
    graph.replay()
    torch.cuda.synchronize()
    assert product[0, 0].item() == 2 ** 3 * 64 * 64 and total[5].item() == 128 and spectrum[1, 0].real.item() == 96
    del graph
    gc.collect()
    settle(torch)
    assert (tenon.matmul(a, a) == 256).all().item()


def test_imports_and_housekeeping_do_not_disturb_a_capture(torch, late_copy):
    t = torch.ones(64, 64, device="cuda")
    source = tenon.from_dlpack(torch.ones(N, device="cuda"))
    r = tenon.empty(N, "float32", device="cuda:0")
    side = tenon.Stream("cuda:0")
    torch.cuda.synchronize()
    late_copy(source, r, stream=side)
    del source  # waits for its last use when the capture begins
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        a = tenon.from_dlpack(t)
        t.add_(1)
        b = tenon.empty(100, "float32", device="cuda:0", stream=side)
        del a, b
    graph.replay()
    torch.cuda.synchronize()
    assert t[0, 0].item() in (2.0, 3.0)


def test_a_graph_keeps_the_kernels_it_launches(torch):
    t = torch.zeros(N, device="cuda")

    def record():
        kernel = tenon.Kernel("__global__ void inc2(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }", "inc2")
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            kernel(N // 256, 256, [t, N])
        return graph

    graph = record()
    gc.collect()
    t.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert t[5].item() == 1


def test_a_refused_operation_leaves_the_capture_whole(torch):
    a = torch.eye(16, device="cuda")
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        a.add_(1)
        with pytest.raises(tenon.TenonError, match="capture"):
            tenon.svd(a)
    a.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert a[0, 0].item() == 1


# --- PyTorch: all of it together --------------------------------------------------------------------------------------

def train(torch, program, steps, synchronised):
    """A small training loop that alternates between PyTorch, Tenon's kernels and products, side streams, a graph of
    each library, and arrays shared in both directions; every computed value contributes to the checksum."""
    torch.manual_seed(1)
    wait = (lambda: settle(torch)) if synchronised else (lambda: None)
    n, side, other = 1 << 16, torch.cuda.Stream(), tenon.Stream("cuda:0")
    weights = torch.randn(256, 256, device="cuda") / 16
    state = tenon.zeros(n, "float32", device="cuda:0")
    scratch = torch.zeros(n, device="cuda")
    increment, copy = program["increment"], program["copy_late"]
    wait()
    captured = torch.cuda.CUDAGraph()
    increment(64, 256, [scratch, n])
    settle(torch)
    with torch.cuda.graph(captured):
        increment(64, 256, [scratch, n])
        scratch.mul_(0.5)
    recorded = tenon.Graph("cuda:0")
    with recorded:
        increment(64, 256, [state, n], stream=recorded)
    checksum = torch.zeros((), dtype=torch.float64, device="cuda")
    for step in range(steps):
        x = torch.randn(256, 256, device="cuda")
        wait()
        y = torch.from_dlpack(tenon.matmul(x, weights))
        wait()
        with torch.cuda.stream(side):
            side.wait_stream(torch.cuda.default_stream())
            z = torch.from_dlpack(tenon.matmul(y, weights)).relu()
            wait()
            z.record_stream(torch.cuda.default_stream())
        torch.cuda.default_stream().wait_stream(side)
        weights = weights - 1e-3 * (x.T @ z) / 256
        wait()
        captured.replay()
        wait()
        recorded.launch()
        wait()
        lent = torch.from_dlpack(state)
        lent.mul_(0.75)
        wait()
        moved = tenon.empty(n, "float32", device="cuda:0", stream=other)
        copy(64, 256, [scratch, moved, n, 20000 * (step % 3)], stream=other)
        wait()
        total = torch.from_dlpack(tenon.sum(moved, stream=other))
        checksum = checksum * 0.5 + total.double().sum() + lent.double().sum() + weights.double().sum()
        wait()
        if step % 3 == 0:
            del lent, moved, y, z
        host = torch.full((1000,), float(step)).pin_memory().numpy()
        state[:1000] = host
        host[:] = -1e9
    settle(torch)
    return checksum.item()


def test_a_training_loop_has_the_bits_of_a_synchronised_one(torch, program):
    steps = int(os.environ.get("TENON_TRAINING_STEPS", "300"))
    end = time.monotonic() + float(os.environ.get("TENON_TRAINING_SECONDS", "0"))  # repeats, at least once
    expected = train(torch, program, steps, True)
    while True:
        assert train(torch, program, steps, False) == expected
        if time.monotonic() >= end:
            break


# --- CuPy, JAX, Numba -------------------------------------------------------------------------------------------------

@pytest.fixture
def cupy():
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available():
        pytest.skip("CuPy finds no GPU")
    cupy.cuda.Device().synchronize()
    return cupy


@pytest.mark.parametrize("non_blocking", [False, True])
def test_cupys_current_stream(cupy, late, non_blocking):
    with cupy.cuda.Stream(non_blocking=non_blocking):
        c = cupy.zeros(N, dtype=cupy.float32)
        late(c)
        assert float(c.sum()) == N
        a = tenon.from_dlpack(c)
        late(a)
        assert float(c.sum()) == 2 * N


def test_cupys_default_stream_and_streams_that_end(cupy, late):
    c = cupy.zeros(N, dtype=cupy.float32)
    late(c)
    assert float(c.sum()) == N
    for _ in range(20):
        stream = cupy.cuda.Stream(non_blocking=True)
        x = tenon.zeros(N, "float32", device="cuda:0", stream=stream)
        late(x, stream=stream)
        del stream
        late(x)
        assert (x.numpy() == 2).all()


def test_a_lent_array_outlives_cupys_stream(cupy):
    a = tenon.full((N,), 3.0, "float32", device="cuda:0")
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        c = cupy.from_dlpack(a) * 2
        e = cupy.from_dlpack(a)
    stream.synchronize()
    del stream, e
    gc.collect()
    del a
    b = tenon.full((N,), 7.0, "float32", device="cuda:0")
    assert float(c.sum()) == 6 * N and (b.numpy() == 7).all()


def test_an_array_goes_to_jax_and_back(late):
    jax = pytest.importorskip("jax")
    try:
        jax.devices("cuda")
        j = jax.numpy.ones((1024, 1024)) * 1.0
        j.block_until_ready()
    except RuntimeError as error:  # also where JAX finds a GPU and no ptxas to compile for it
        pytest.skip(str(error))
    product = tenon.matmul(tenon.from_dlpack(j), tenon.from_dlpack(j))
    x = tenon.zeros(N, "float32", device="cuda:0")
    late(x)
    assert float(jax.numpy.from_dlpack(product)[0, 0]) == 1024
    assert float(jax.numpy.from_dlpack(x).sum()) == N


def test_numba_reads_an_array(late):
    cuda = pytest.importorskip("numba.cuda")
    if not cuda.is_available():
        pytest.skip("Numba sees no GPU")
    x = tenon.zeros(N, "float32", device="cuda:0")
    late(x)
    assert (cuda.as_cuda_array(x).copy_to_host() == 1).all()
    late(x, stream=tenon.Stream("cuda:0"))
    assert (cuda.as_cuda_array(x).copy_to_host() == 2).all()
