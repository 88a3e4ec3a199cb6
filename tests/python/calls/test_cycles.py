"""When several threads create and drop a million objects, or take a million arrays of other libraries in and give them
out, memory use does not grow after the first tenth, also if another thread drops them, and while garbage is collected;
and the process may exit while threads work."""

import pytest

from conftest import PRELOAD, run_python

pytestmark = pytest.mark.skipif(PRELOAD is not None, reason="a sanitizer keeps what was freed")

# One turn creates twenty objects: 9 arrays and views, 4 bound calls, 6 exported and imported tensors, and a graph.
WORK = """
import collections, gc, os, sys, threading, time
import tenon

THREADS, PER_TURN = 4, 20
cpu = tenon.Device("cpu:0")
kernel = tenon.Kernel('extern "C" __global__ void k(int* x) { x[threadIdx.x] += 1; }', "k")
base = tenon.zeros((8, 4), dtype="int32", device=cpu)
boxes = [collections.deque(maxlen=256) for _ in range(THREADS)]  # a full one drops what has waited longest
dropped_here = [0] * THREADS


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def turn(thread):
    made = []
    for extent in (4, 5, 6):
        x = tenon.zeros((8, extent), dtype="float32", device=cpu)
        made += [x, x.T, x[1:3]]
    for _ in range(2):
        call = kernel.bind(1, 4, [base])
        call()
        made += [call, call.clone()]
    for x in made[:3]:
        capsule = x.__dlpack__(max_version=(1, 1))
        made += [capsule, tenon.from_dlpack(x)]
    with tenon.Graph(cpu) as graph:
        tenon.add(made[0], 1, out=made[0], stream=graph)
    graph.launch()
    made.append(graph)
    assert len(made) == PER_TURN, len(made)
    boxes[(thread + 1) % THREADS].extend(made[::2])  # the neighbour drops every second one
    dropped_here[thread] += len(boxes[thread])
    boxes[thread].clear()
"""

FLAT = WORK + """
turns, tenths = TURNS, 10
gate, amounts, failures = threading.Barrier(THREADS), [], []


def work(thread):
    try:
        for part in range(tenths):
            for _ in range(turns // tenths):
                turn(thread)
            gate.wait()
            boxes[thread].clear()
            gate.wait()
            if thread == 0 and part in (0, tenths - 1):
                amounts.append((resident(), cpu.memory["used"], cpu.memory["held"], cpu.memory["allocations"]))
            gate.wait()
    except BaseException as error:
        failures.append(repr(error))
        gate.abort()


threads = [threading.Thread(target=work, args=(t,)) for t in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
print(*amounts[0], *amounts[1], sum(dropped_here))
"""

EXIT = WORK + """
done = [0] * THREADS


def work(thread):
    while True:
        turn(thread)
        done[thread] += 1


for t in range(THREADS):
    threading.Thread(target=work, args=(t,), daemon=True).start()
while min(done) < 5 + ROUND:
    time.sleep(0.001)
sys.exit(7)
"""


def test_memory_does_not_grow_after_the_first_tenth():
    turns, threads = 12_500, 4  # a million objects
    done = run_python(FLAT.replace("TURNS", str(turns)))
    assert done.returncode == 0, done.stderr
    early, late = (dict(zip(("resident", "used", "held", "allocations"), part, strict=True))
                   for part in (map(int, done.stdout.split()[:4]), map(int, done.stdout.split()[4:8])))
    print(early, late, done.stdout.split()[8])
    assert late["used"] == early["used"]
    assert late["held"] <= early["held"] + (512 << 10)
    assert late["resident"] <= early["resident"] + (4 << 20)
    assert late["allocations"] - early["allocations"] >= turns * threads * 9 // 10 * 3  # three arrays per turn
    assert int(done.stdout.split()[8]) >= turns * threads  # dropped by a thread that did not create them


# Eight threads import and export arrays of one other library; a cycle keeps each tenth import until garbage is collected.
EXCHANGE = """
import ctypes, gc, sys, threading
import numpy, tenon
from LIBRARY import from_dlpack

THREADS, TENTHS, PER_LAUNCH = 8, 10, 20
cpu = tenon.Device("cpu:0")
kernel = tenon.Kernel('extern "C" __global__ void k(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }', "k")
gate, amounts, failures = threading.Barrier(THREADS + 1), [], []


class Cycle:
    pass


def work():
    x, y = from_dlpack(numpy.arange(16, dtype="float32")), from_dlpack(numpy.zeros(16, dtype="float32"))
    address = tenon.from_dlpack(x).data_ptr
    try:
        for _ in range(TENTHS):
            for index in range(COUNT // THREADS // TENTHS):
                array = tenon.from_dlpack(x)
                back = from_dlpack(array)
                if index % 10 == 0:
                    cycle = Cycle()
                    cycle.itself, cycle.held = cycle, (array, back)
                if index % PER_LAUNCH == 0:
                    assert tenon.from_dlpack(back).data_ptr == address
                    kernel(1, 16, [array, y])
            del array, back, cycle
            gate.wait()
            gate.wait()
    except BaseException as error:
        failures.append(repr(error))
        gate.abort()


class Heap(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


heap = ctypes.CDLL(None).mallinfo2
heap.restype = Heap


def measure():
    gc.collect()
    now = heap()
    amounts.append((now.uordblks + now.hblkhd, sys.getallocatedblocks(), cpu.memory["used"]))


threads = [threading.Thread(target=work) for _ in range(THREADS)]
for thread in threads:
    thread.start()
try:
    for _ in range(TENTHS):
        while gate.n_waiting < THREADS and not gate.broken:
            gc.collect(1)
            threads[0].join(0.001)
        gate.wait()
        measure()
        gate.wait()
except threading.BrokenBarrierError:
    pass
for thread in threads:
    thread.join()
assert not failures, failures
print(*amounts[0], *amounts[-1])
"""


@pytest.mark.peers
@pytest.mark.parametrize("library, count", [("numpy", 300_000), ("torch", 1_000_000)])
def test_imports_exports_and_launches_leave_nothing_behind(library, count):
    pytest.importorskip(library)
    done = run_python(EXCHANGE.replace("LIBRARY", library).replace("COUNT", str(count)))
    assert done.returncode == 0, done.stderr
    # What the heaps hold in use, not how large they are: eight threads' heaps grow by fragments for a long time.
    memory, blocks, used, last_memory, last_blocks, last_used = map(int, done.stdout.split())
    assert (last_used, last_memory <= memory + count, last_blocks <= blocks + 1000) == (used, True, True), done.stdout


@pytest.mark.parametrize("round", range(3))
def test_the_process_may_end_while_threads_work(round):
    done = run_python(EXIT.replace("ROUND", str(round)))
    assert (done.returncode, done.stderr) == (7, "")
