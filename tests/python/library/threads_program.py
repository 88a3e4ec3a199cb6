"""What test_threads.py runs in a process of its own: eight threads that do everything for the first time at once, with
collections running, and then again and again. Prints "done" and whether the GIL was in use."""

import gc
import resource
import sys
import threading
import time

import tenon

COUNT, ROUNDS = 8, int(sys.argv[1]) if len(sys.argv) > 1 else 60
DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
          "complex128", "bool", "float16"]
SOURCE = 'extern "C" __global__ void plus(float* x, const float* y, float by, int n) {' \
         " int i = threadIdx.x; if (i < n) x[i] += by * y[i]; }"
kernel = tenon.Kernel(SOURCE, "plus")  # compiled by the threads
squared = tenon.elementwise("T x, T y", "T z", "z = (x - y) * (x - y)")
largest = tenon.reduction("T x", "T y", "abs(x)", "max(a, b)", identity="0")
barrier = threading.Barrier(COUNT)
faults, seen, going = [], [], True
fresh = [tenon.full((3, 4), float(one), "float32", device="cpu:0") for one in range(ROUNDS)]
changing = [fresh[0], fresh[1], 1.0, 12]
try:
    import numpy
except ImportError:
    numpy = None


def everything(thread, number):
    shared, own = fresh[number], tenon.zeros(12, "float32", device="cpu:0")
    facts = shared.shape, shared.strides, shared.dtype, shared.device
    assert facts[0] == (3, 4) and facts[1] == (4, 1) and facts[2].name == "float32" and facts[3].name == "cpu:0"
    seen[thread].append(facts)
    name = DTYPES[(number + thread) % len(DTYPES)]
    assert tenon.zeros((2, 3), name, device="cpu:0").dtype.name == name
    flat = tenon.from_dlpack(tenon.from_dlpack(shared).__dlpack__(max_version=(1, 1))).reshape((12,))
    assert memoryview(shared).tolist() == [[float(number)] * 4] * 3
    if numpy is not None:
        assert float(numpy.asarray(shared)[1, 2]) == tenon.from_dlpack(numpy.full(3, float(number)))[0].item() == number
    for _ in range(4):
        kernel(1, 12, [own, flat, 2.0, 12])
    kernel(1, 12, [own, tenon.ones(12, "float32", device="cpu:0"), 1, 12], stream=None)
    assert own.tolist() == [8.0 * number + 1] * 12
    bound = kernel.bind(1, 12, [own, flat, 1.0, 12])
    bound()
    assert float(own.sum()) == 12 * (9 * number + 1)
    assert squared(own, flat).tolist() == [(8.0 * number + 1) ** 2] * 12
    assert largest(-own).item() == 9 * number + 1
    assert (shared @ shared.T)[0, 0].item() == 4 * number * number
    assert tenon.ops.elementwise.clamp(flat, low=1, high=2).tolist() == [min(max(number, 1), 2)] * 12
    try:
        shared[5]
    except IndexError as error:
        assert "5" in str(error)
    changing[0], changing[1] = own, flat  # a list that other threads hand to a launch
    if not tenon.concat(changing[:2], axis=0).size:
        raise AssertionError
    kernel(1, 12, changing)


def work(thread):
    try:
        for number in range(ROUNDS):
            barrier.wait()
            everything(thread, number)
    except BaseException as error:
        barrier.abort()
        faults.append(error)
        raise


def collect():
    while going:
        gc.collect()
        time.sleep(0.001)  # without the GIL a collection stops all threads: one after the other would let none run


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


seen[:] = [[] for _ in range(COUNT)]
sys.setswitchinterval(1e-5)
collector = threading.Thread(target=collect)
collector.start()
for repeat in range(3):
    workers = [threading.Thread(target=work, args=(one,)) for one in range(COUNT)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    if faults:
        break
    if repeat == 0:
        for number in range(ROUNDS):  # what is kept of an array or found out once is one object for all threads
            for part in range(4):
                assert len({id(facts[number][part]) for facts in seen}) == 1, (number, part)
    if repeat < 2:
        fresh[:] = [tenon.full((3, 4), float(one), "float32", device="cpu:0") for one in range(ROUNDS)]
        seen[:] = [[] for _ in range(COUNT)]
        gc.collect()
        before = resident()
going = False
collector.join()
assert not faults, faults
assert resident() - before < 24 << 20, f"{(resident() - before) >> 20} MiB more in the last repeat"
print("done", getattr(sys, "_is_gil_enabled", lambda: True)())
