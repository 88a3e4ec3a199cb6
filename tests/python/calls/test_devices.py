"""Memory that is copied between two GPUs, and one or two GPUs used by 16 threads at once. Nothing synchronises before
the work under test; slow kernels make missing ordering visible as a wrong number."""

import gc
import os
import random
import threading
import time

import numpy
import pytest

import tenon

N = 1 << 20
LATE = r"""
__global__ void add_late(float* x, int n, long long cycles, float v) {
  long long t = clock64(); while (clock64() - t < cycles) { }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += v;
}"""
CYCLES = 60_000_000  # about 30 ms


def gpus(count):
    try:
        return [tenon.Device(f"cuda:{i}") for i in range(count)]
    except tenon.NotFound as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def late():
    """x += v on the device of x, after a delay."""
    kernels = {}
    for device in gpus(2):
        kernels[device.name] = tenon.Kernel(LATE, "add_late", device=device)
        kernels[device.name](64, 256, [tenon.zeros(N, "float32", device=device), N, 1, 0.0])
        device.synchronize()
    return lambda x, v=1.0, cycles=CYCLES, **o: kernels[x.device.name](64, 256, [x, N, cycles, v], **o)


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available() or torch.cuda.device_count() < 2:
        pytest.skip("PyTorch sees no two GPUs")
    return torch


@pytest.mark.parametrize("there", ["cuda:0", "cuda:1"])
def test_a_copy_to_the_other_cuda_device_follows_the_work_at_both_ends(late, there):
    here = "cuda:1" if there == "cuda:0" else "cuda:0"
    a = tenon.zeros(N, "float32", device=here)
    for turn in range(3):
        late(a)
        b = a.to_device(there)
        late(a)            # after the copy, which reads the previous contents
        late(b, 10.0)      # after the copy, which writes b
        assert (b.numpy() == 2 * turn + 11).all()
    assert (a.numpy() == 6).all()


def test_memory_is_not_reused_while_the_other_cuda_device_reads_it(late):
    for _ in range(5):
        a = tenon.full((N,), 3.0, "float32", device="cuda:0")
        busy = tenon.zeros(N, "float32", device="cuda:1")
        late(busy)
        b = a.to_device("cuda:1")
        del a
        other = tenon.full((N,), 7.0, "float32", device="cuda:0")
        assert (b.numpy() == 3).all() and (other.numpy() == 7).all()


def test_a_stream_of_the_other_cuda_device_is_refused(late):
    a = tenon.zeros(N, "float32", device="cuda:0")
    with pytest.raises(tenon.TenonError, match="cuda:1"):
        late(a, stream=tenon.Stream("cuda:1"))
    assert (a.numpy() == 0).all()


def test_torchs_tensors_of_the_second_cuda_device(torch, late):
    for stream in (torch.cuda.default_stream(1), torch.cuda.Stream(1)):
        with torch.cuda.device(1), torch.cuda.stream(stream):
            t = torch.zeros(N, device="cuda:1")
            torch.cuda._sleep(CYCLES)
            t.fill_(5)
            a = tenon.from_dlpack(t)
            assert a.device.name == "cuda:1"
            late(a)
            back = torch.from_dlpack(a.to_device("cuda:0"))
            assert t.sum().item() == 6 * N and back.device.index == 0
        torch.cuda._sleep(CYCLES)
        back.add_(1)
        assert (tenon.from_dlpack(back).numpy() == 7).all()
        gc.collect()


@pytest.mark.parametrize("count", [1, 2])
def test_sixteen_threads_on_cuda_devices(count):
    """Each thread creates, changes, moves, exports and drops its own arrays, partly on its own streams, and checks
    their contents."""
    devices = gpus(count)
    kernels = [tenon.Kernel(LATE, "add_late", device=device) for device in devices]
    end = time.monotonic() + float(os.environ.get("TENON_THREADS_SECONDS", "2"))
    failures = []

    def work(seed):
        choose = random.Random(seed)
        streams = [[None, tenon.Stream(device)] for device in devices]
        held = []
        try:
            while time.monotonic() < end:
                at = choose.randrange(count)
                action = choose.randrange(6)
                stream = choose.choice(streams[at])
                if action == 0 or not held:
                    value = float(choose.randrange(100))
                    length = N >> choose.randrange(8)
                    held.append([tenon.full((length,), value, "float32", device=devices[at], stream=stream), value])
                elif action == 1:
                    entry = choose.choice(held)
                    on = devices.index(entry[0].device)
                    kernels[on](16, 256, [entry[0], entry[0].size, choose.choice((0, 100000)), 1.0],
                                stream=choose.choice(streams[on]))
                    entry[1] += 1
                elif action == 2:
                    entry = choose.choice(held)
                    same = entry[0].device == devices[at]  # to_device would return the array itself
                    held.append([entry[0].copy() if same else entry[0].to_device(devices[at]), entry[1]])
                elif action == 3:
                    entry = choose.choice(held)
                    held.append([tenon.from_dlpack(entry[0]).copy(), entry[1]])
                elif action == 4:
                    entry = held.pop(choose.randrange(len(held)))
                    got = entry[0].numpy()
                    if not (got == entry[1]).all():
                        failures.append(f"thread {seed}: {numpy.unique(got)[:4]} instead of {entry[1]}")
                        return
                else:
                    del held[choose.randrange(len(held))]
                while len(held) > 12:
                    del held[choose.randrange(len(held))]
        except Exception as error:  # noqa: BLE001: reported by the main thread
            failures.append(f"thread {seed}: {type(error).__name__}: {error}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[:4]
