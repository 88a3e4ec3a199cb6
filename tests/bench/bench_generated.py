"""Generated kernels beside their floor and the peers that are installed: NumPy on the CPU; CuPy and PyTorch on a GPU.

bench_generated.py [--device cuda:0|cpu:0] [--only WORD ...] [--json FILE] [--scale N]
  --scale   divides every size by N (the CPU's default is 16)

On a GPU times are medians between two events on the library's own stream, after warming up; on the CPU the wall clock around
one call. Floors are bytes over 4.24 TB/s, the copy rate of an H200; the CPU has none. Data are random. Each result is compared
with NumPy's or CuPy's before it is timed.
"""

import argparse
import gc
import json
import statistics
import sys
import time

import tenon
from peers import optional

COPY = 4.24e12


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--device", default=None)
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--json")
parser.add_argument("--scale", type=int)
arguments = parser.parse_args()

device = tenon.Device(arguments.device)
gpu = device.name.startswith("cuda")
scale = arguments.scale or (1 if gpu else 16)
numpy = optional("numpy")
torch = optional("torch")
cupy = optional("cupy") if gpu else None
if gpu and torch is not None and not torch.cuda.is_available():
    torch = None
rng = numpy.random.default_rng(1)
ROWS = []


# ---- Timing ----

def events_ms(call, record, elapsed, synchronize):
    for _ in range(3):
        call()
    synchronize()
    start = time.perf_counter()
    call()
    synchronize()
    inner = max(1, min(50, round(2.0 / max((time.perf_counter() - start) * 1e3, 1e-3))))
    times = []
    for _ in range(15):
        a = record()
        for _ in range(inner):
            call()
        b = record()
        synchronize()
        times.append(elapsed(a, b) / inner)
    return statistics.median(times)


def wall_ms(call):
    call()
    times = []
    for _ in range(9):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def tenon_ms(call):
    if not gpu:
        return wall_ms(call)

    def record():
        event = tenon.Event(device, timing=True)
        event.record()
        return event

    return events_ms(call, record, lambda a, b: b.milliseconds_since(a), device.synchronize)


def torch_ms(call):
    if not gpu:
        return wall_ms(call)

    def record():
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    return events_ms(call, record, lambda a, b: a.elapsed_time(b), torch.cuda.synchronize)


def cupy_ms(call):
    def record():
        event = cupy.cuda.Event()
        event.record()
        return event

    return events_ms(call, record, cupy.cuda.get_elapsed_time, cupy.cuda.Device().synchronize)


TIMERS = {"tenon": tenon_ms, "numpy": wall_ms, "cupy": cupy_ms, "torch": torch_ms}
PRESENT = {"tenon": tenon, "numpy": None if gpu else numpy, "cupy": cupy, "torch": torch}


def host(shape, dtype="float32"):
    return rng.random(shape, dtype="float32").astype(dtype, copy=False)


def measure(name, moved, inputs, tenon=None, tolerance=1e-4, **peers):
    """moved: bytes. inputs: host arrays. tenon and peers: functions of the library's own arrays that return the call to be
    timed; a call returns its result."""
    if arguments.only and not any(word in name for word in arguments.only):
        return
    values, first = {}, None
    for library, prepare in {"tenon": tenon, **peers}.items():
        if PRESENT[library] is None:
            continue
        try:
            own = [globals()["tenon"].asarray(x).to_device(device) if library == "tenon" else x if library == "numpy" else
                   cupy.asarray(x) if library == "cupy" else torch.from_numpy(x).to("cuda" if gpu else "cpu") for x in inputs]
            call = prepare(*own)
            result = call()
            result = result.numpy() if library == "tenon" else result.get() if library == "cupy" else \
                result.cpu().numpy() if library == "torch" else result
            if first is None:
                first = result
            else:
                error = float(numpy.abs(result.astype("float64") - first).max() / max(float(numpy.abs(first).max()), 1e-30))
                if not error <= tolerance:
                    print(f"note: {name}: {library} differs by {error:.1e}", file=sys.stderr)
            values[library] = TIMERS[library](call)
        except Exception as error:
            values[library] = None
            print(f"note: {name}, {library}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        own = call = result = None
        gc.collect()
        if cupy is not None:
            cupy.get_default_memory_pool().free_all_blocks()
        if torch is not None and gpu:
            torch.cuda.empty_cache()
    ROWS.append({"name": name, "floor": moved / COPY * 1e3 if gpu else None, **values})


# ---- The rows ----

def elementwise(inputs, operation, *, preamble=""):
    kernel = tenon.elementwise(", ".join(f"T {name}" for name in inputs), "T out", operation, preamble=preamble)

    def prepare(*arrays):
        out = tenon.empty(arrays[0].shape, arrays[0].dtype, device=device)

        def call():
            kernel(*arrays, out=out)
            return out

        return call

    return prepare


n = (1 << 28) // scale
side = {1: 1 << 14}.get(scale, int((n) ** 0.5) // 64 * 64)
small = 10_000_000 // scale
plane = int(5000 / scale**0.5)

x = host(n)
measure(f"copy, {n:,} fp32", 8 * n, [x], elementwise(["x"], "out = x"), numpy=lambda a: lambda out=numpy.empty_like(a): numpy.copyto(out, a) or out,
        cupy=lambda a: lambda out=cupy.empty_like(a): cupy.copyto(out, a) or out, torch=lambda a: lambda out=torch.empty_like(a): out.copy_(a))
y = host(n)
measure(f"x + y, {n:,} fp32", 12 * n, [x, y], elementwise(["x", "y"], "out = x + y"),
        numpy=lambda a, b: lambda out=numpy.empty_like(a): numpy.add(a, b, out=out), cupy=lambda a, b: lambda out=cupy.empty_like(a): cupy.add(a, b, out=out),
        torch=lambda a, b: lambda out=torch.empty_like(a): torch.add(a, b, out=out))
measure(f"x + y, {n // 2:,} fp16", 6 * (n // 2), [x[:n // 2].astype("float16"), y[:n // 2].astype("float16")], elementwise(["x", "y"], "out = x + y"),
        tolerance=2e-3, cupy=lambda a, b: lambda out=cupy.empty_like(a): cupy.add(a, b, out=out), torch=lambda a, b: lambda out=torch.empty_like(a): torch.add(a, b, out=out))
measure(f"fused (x + y) * x - y / 3, {n:,} fp32", 12 * n, [x, y], elementwise(["x", "y"], "out = (x + y) * x - y / 3"),
        numpy=lambda a, b: lambda: (a + b) * a - b / 3, cupy=lambda a, b: lambda: (a + b) * a - b / 3, torch=lambda a, b: lambda: (a + b) * a - b / 3)
measure(f"sin, {n:,} fp32", 8 * n, [x], elementwise(["x"], "out = sin(x)"), numpy=lambda a: lambda out=numpy.empty_like(a): numpy.sin(a, out=out),
        cupy=lambda a: lambda out=cupy.empty_like(a): cupy.sin(a, out=out), torch=lambda a: lambda out=torch.empty_like(a): torch.sin(a, out=out))
measure(f"sigmoid, {small:,} fp32", 8 * small, [x[:small]], elementwise(["x"], "out = 1 / (1 + exp(-x))"), numpy=lambda a: lambda: 1 / (1 + numpy.exp(-a)),
        cupy=lambda a: lambda: 1 / (1 + cupy.exp(-a)), torch=lambda a: lambda out=torch.empty_like(a): torch.sigmoid(a, out=out))
a, b = x[:plane * plane].reshape(plane, plane), y[:plane * plane].reshape(plane, plane)
measure(f"sqrt(x^2 + y^2), {plane}^2 fp32", 12 * plane * plane, [a, b], elementwise(["x", "y"], "out = sqrt(x * x + y * y)"),
        numpy=lambda a, b: lambda: numpy.sqrt(a * a + b * b),
        cupy=lambda a, b: (lambda f: lambda: f(a, b))(cupy.fuse(lambda p, q: cupy.sqrt(p * p + q * q))), torch=lambda a, b: lambda: torch.sqrt(a * a + b * b))

square, other = x[:side * side].reshape(side, side), y[:side * side].reshape(side, side)
cells = side * side
measure(f"x + row, {side}^2 fp32", 8 * cells, [square, y[:side]], elementwise(["x", "y"], "out = x + y"), numpy=lambda a, b: lambda: a + b,
        cupy=lambda a, b: lambda: a + b, torch=lambda a, b: lambda: a + b)
measure(f"x + column, {side}^2 fp32", 8 * cells, [square, y[:side].reshape(side, 1)], elementwise(["x", "y"], "out = x + y"), numpy=lambda a, b: lambda: a + b,
        cupy=lambda a, b: lambda: a + b, torch=lambda a, b: lambda: a + b)
add = elementwise(["x", "y"], "out = x + y")
measure(f"x + y.T, {side}^2 fp32", 12 * cells, [square, other], lambda a, b: add(a, b.T), numpy=lambda a, b: lambda: a + b.T,
        cupy=lambda a, b: lambda: a + b.T, torch=lambda a, b: lambda: a + b.T)
measure(f"strided 2 * x[:, ::2], {side}^2 fp32", 6 * cells, [square], lambda a: elementwise(["x"], "out = 2 * x")(a[:, ::2]), numpy=lambda a: lambda: 2 * a[:, ::2],
        cupy=lambda a: lambda: 2 * a[:, ::2], torch=lambda a: lambda: 2 * a[:, ::2])


def named(name, axis=None):
    return lambda a: lambda: getattr(tenon, name)(a, axis)


for name in ("sum", "max"):
    everywhere = {library: (lambda a, name=name: lambda: getattr(a, name)()) for library in ("numpy", "cupy", "torch")}
    measure(f"{name}, {n:,} fp32", 4 * n, [x], named(name), **everywhere)
    for axis in (0, 1):
        along = {library: (lambda a, name=name, axis=axis: lambda: getattr(a, name)(axis)) for library in ("numpy", "cupy")}
        along["torch"] = lambda a, name=name, axis=axis: lambda: a.sum(axis) if name == "sum" else a.amax(axis)
        measure(f"{name} over axis {axis}, {side}^2 fp32", 4 * cells, [square], named(name, axis), **along)
measure(f"sum, {n // 2:,} fp64", 4 * n, [x[:n // 2].astype("float64")], named("sum"), **{library: (lambda a: lambda: a.sum()) for library in ("numpy", "cupy", "torch")})
narrow = x[:n // 3 * 3].reshape(-1, 3)
for axis in (0, 1):
    measure(f"sum over axis {axis}, {n // 3:,} x 3 fp32", 4 * n, [narrow], named("sum", axis),
            **{library: (lambda a, axis=axis: lambda: a.sum(axis)) for library in ("numpy", "cupy", "torch")})
cube = x[:cells].reshape(64, -1, 64)
measure(f"sum over the middle of 64 x {cells // 4096:,} x 64 fp32", 4 * cells, [cube], named("sum", 1),
        **{library: (lambda a: lambda: a.sum(1)) for library in ("numpy", "cupy", "torch")})


def running(axis=-1):
    return lambda a: (lambda out: lambda: tenon.cumsum(a, axis, out=out))(tenon.empty(a.shape, a.dtype, device=device))


def running_peers(axis):
    return {"numpy": lambda a: lambda out=numpy.empty_like(a): numpy.cumsum(a, axis, out=out), "cupy": lambda a: lambda out=cupy.empty_like(a): cupy.cumsum(a, axis, out=out),
            "torch": lambda a: lambda out=torch.empty_like(a): torch.cumsum(a, axis, out=out)}


measure(f"cumulative sum, {n:,} fp32", 8 * n, [x], running(), tolerance=5e-2, **running_peers(0))
for axis in (0, 1):
    measure(f"cumulative sum over axis {axis}, {side}^2 fp32", 8 * cells, [square], running(axis), **running_peers(axis))
measure(f"cumulative sum of rows, {n // 100:,} x 100 fp32", 8 * (n // 100 * 100), [x[:n // 100 * 100].reshape(-1, 100)], running(1), **running_peers(1))


def host_us(call, count=5000):
    for _ in range(200):
        call()
    device.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
    elapsed = (time.perf_counter() - start) / count * 1e6
    device.synchronize()
    return elapsed


tiny = [tenon.asarray(host(16)).to_device(device) for _ in range(3)]
kernel = tenon.elementwise("T x, T y", "T out", "out = x + y")
print(f"host time of x + y on 16 elements, output given: {host_us(lambda: kernel(tiny[0], tiny[1], out=tiny[2])):.2f} us a call")

libraries = [library for library in TIMERS if PRESENT[library] is not None]
print(f"{'ms on ' + device.name:52s} {'floor' if gpu else '':>8s} " + " ".join(f"{library:>8s}" for library in libraries) + "   floor/tenon best peer/tenon")
for row in ROWS:
    mine = row.get("tenon")
    others = [row[library] for library in libraries if library != "tenon" and row.get(library)]
    best = f"{min(others) / mine:10.2f}" if mine and others else ""
    of_floor = f"{row['floor'] / mine:9.2f}" if mine and row["floor"] else " " * 9
    print(f"{row['name']:52s} {row['floor'] and format(row['floor'], '8.3f') or '':>8s} " +
          " ".join(f"{row[library]:8.3f}" if row.get(library) else f"{'-':>8s}" for library in libraries) + f"   {of_floor}  {best}")
if arguments.json:
    with open(arguments.json, "w") as file:
        json.dump({"device": device.name, "scale": scale, "rows": ROWS}, file, indent=1)
