"""The package kernels/image beside the peers that are installed: SciPy on the CPU, CuPy's cupyx.scipy.ndimage on a GPU.

bench_image.py [--device cuda:0|cpu:0] [--sweep] [--only WORD ...] [--json FILE]
  --sweep  also times the values of the tunables of the filter, one tunable after another, from the defaults
  --only   rows whose names hold one of the words

The device is the GPU where there is one. Times are medians between two events (on the CPU of the clock) after warming up, on random
data, by bound operations; "call" is one whole call with its output given, from Python. Results are compared with SciPy's before they are
timed. Floors of the GPU are bytes over 4.24 TB/s, the copy rate of an H200, one read and one write for each pass over memory.
"""

import argparse
import itertools
import json
import pathlib
import statistics
import sys
import time

import numpy

import tenon
from peers import optional

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--device")
parser.add_argument("--sweep", action="store_true")
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--json")
arguments = parser.parse_args()


def first_device():
    try:
        return tenon.Device("cuda:0")
    except tenon.TenonError:
        return tenon.Device("cpu:0")


device = tenon.Device(arguments.device) if arguments.device else first_device()
gpu = device.name.startswith("cuda")
host = tenon.Device("cpu:0")
scipy = optional("scipy.ndimage")
cupy = optional("cupy") if gpu else None
peer = optional("cupyx.scipy.ndimage") if cupy else scipy
image = tenon.plugins.load(pathlib.Path(__file__).resolve().parents[2] / "kernels" / "image")
COPY = 4.24e12
ROWS = []


def synchronize():
    device.synchronize()
    if cupy:
        cupy.cuda.Device().synchronize()


def milliseconds(call, rounds=9, budget=4.0):
    """Of one call: the median, of the device where it is a GPU."""
    call()
    synchronize()
    times, end = [], time.perf_counter() + budget
    while len(times) < rounds and (len(times) < 3 or time.perf_counter() < end):
        synchronize()
        if gpu:
            events = [tenon.Event(device, timing=True) for _ in range(2)]
            events[0].record()
            call()
            events[1].record()
            synchronize()
            times.append(events[1].milliseconds_since(events[0]))
        else:
            start = time.perf_counter()
            call()
            times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def cupy_milliseconds(call, rounds=3):
    call()
    synchronize()
    times = []
    for _ in range(rounds):
        events = [cupy.cuda.Event() for _ in range(2)]
        events[0].record()
        call()
        events[1].record()
        synchronize()
        times.append(cupy.cuda.get_elapsed_time(*events))
    return statistics.median(times)


def random_array(shape, dtype="float32"):
    """Random numbers on the device; of a large one the first image is random and the others are it, shifted."""
    random = numpy.random.default_rng(1)
    if cupy:
        made = cupy.random.default_rng(1).random(shape, dtype="float64" if dtype == "float64" else "float32").astype(dtype)
        synchronize()
        return tenon.asarray(made)
    return tenon.asarray(random.random(shape, dtype="float32").astype(dtype), copy=True).to_device(device)


def error_beside_scipy(x, y, sigma, tolerance=1e-6):
    """Of a corner, so that SciPy is done soon: the largest difference over the filtered magnitude of the input."""
    reach = [int(4 * s + 0.5) for s in sigma]
    outer = tuple(slice(0, min(n, 220 if i >= len(sigma) - 2 else 40)) for i, n in enumerate(x.shape))
    inner = tuple(slice(0, s.stop if s.stop == n else s.stop - r) for s, n, r in zip(outer, x.shape, reach))
    corner = numpy.asarray(x[outer].to_device(host)).astype("float64")
    wanted = scipy.gaussian_filter(corner, sigma)[inner]
    is_ = numpy.asarray(y[inner].to_device(host)).astype("float64")
    error = float(numpy.max(numpy.abs(is_ - wanted) / numpy.abs(wanted)))
    if not error <= tolerance:
        print(f"WRONG: the result of sigma {sigma} on {x.shape} is off by {error:.2e}", file=sys.stderr)
    return error


def wanted_row(name):
    return not arguments.only or any(word in name for word in arguments.only)


def report(name, tenon_ms, peer_ms=None, floor=None, error=None, note=""):
    ROWS.append({"name": name, "tenon_ms": tenon_ms, "peer_ms": peer_ms, "floor_ms": floor, "error": error, "note": note})
    ratio = f"{peer_ms / tenon_ms:9.1f}x" if peer_ms else " " * 10
    shown = [f"{value:10.3f}" if value is not None else " " * 10 for value in (floor, tenon_ms, peer_ms)]
    print(f"{name:46}" + "".join(shown) + ratio + (f"  {error:.1e}" if error is not None else " " * 9) + f"  {note}", flush=True)


def gaussian(name, shape, sigma, dtype="float32", passes=1, sweep=None):
    if not wanted_row(name):
        return
    operation = image.gaussian_filter
    x = random_array(shape, dtype)
    y = operation(x, sigma)
    error = error_beside_scipy(x, y, sigma, 2e-3 if dtype == "float16" else 1e-6) if scipy else None
    bound = operation.bind(x, sigma, out=y)
    floor = 2e3 * passes * x.nbytes / COPY if gpu else None
    mine = milliseconds(bound)
    theirs = None
    if cupy and dtype != "float16":
        there = cupy.from_dlpack(x)
        out = cupy.empty_like(there)
        theirs = cupy_milliseconds(lambda: peer.gaussian_filter(there, sigma, output=out))
        del there, out
    elif not gpu and peer and dtype != "float16":
        there = numpy.asarray(x)
        out = numpy.empty_like(there)
        theirs = milliseconds(lambda: peer.gaussian_filter(there, sigma, output=out), 3)
    report(name, mine, theirs, floor, error)
    del bound
    if arguments.sweep and sweep and gpu:
        for tunable in sweep:
            tunable_sweep(operation, name, tunable, x, y, sigma)
    if cupy:
        cupy.get_default_memory_pool().free_all_blocks()


def other(name, operation, x, args, function, tolerance=1e-5):
    """An operation on one image; function: the same of `peer` or of its array library, on the array and those."""
    if not wanted_row(name):
        return
    y = operation(x, *args)
    mine = milliseconds(operation.bind(x, *args, out=y))
    theirs = error = None
    if peer:
        there = cupy.from_dlpack(x) if cupy else numpy.asarray(x)
        try:
            expected = function(peer, cupy or numpy, there)
            expected = numpy.asarray(tenon.asarray(expected).to_device(host)) if cupy else expected
            is_ = numpy.asarray(y.to_device(host))
            error = float(numpy.max(numpy.abs(is_.astype("float64") - expected)) / max(1e-30, float(numpy.max(numpy.abs(expected)))))
            if not error <= tolerance:
                print(f"WRONG: {name} is off by {error:.2e}", file=sys.stderr)
            theirs = (cupy_milliseconds if cupy else milliseconds)(lambda: function(peer, cupy or numpy, there), 3)
        except Exception as failed:
            print(f"note: {name}: the peer failed: {type(failed).__name__}: {failed}", file=sys.stderr)
    report(name, mine, theirs, 2e3 * x.nbytes / COPY if gpu else None, error)


def tunable_sweep(operation, name, tunable, x, y, sigma):
    """tunable: (name, values), or several of them in step: (("a", "b"), ((1, 2), (3, 4)))."""
    names, choices = tunable if isinstance(tunable[0], tuple) else ((tunable[0],), tuple((value,) for value in tunable[1]))
    before = operation.tunables
    for values in choices:
        try:
            for one, value in zip(names, values):
                operation.set_tunable(one, value)
            report("  " + ", ".join(f"{one} {value}" for one, value in zip(names, values)), milliseconds(operation.bind(x, sigma, out=y), 5), note=name)
        except tenon.TenonError as error:
            print(f"note: {names} = {values}: {error}", file=sys.stderr)
        finally:
            for one in names:
                operation.set_tunable(one, before[one])


def call_overhead():
    """Whole calls from Python and a bound launch, of an image so small that the host's work is what is seen: the best of some rounds."""
    if not wanted_row("overhead"):
        return
    operation, x = image.gaussian_filter, random_array((4, 4))
    y = operation(x, 1.0)
    calls = {"call that makes its output": lambda: operation(x, 1.0), "call": lambda: operation(x, 1.0, out=y),
             "call, scalars changing": lambda: operation(x, next(sigmas), out=y), "bound launch": operation.bind(x, 1.0, out=y)}
    for what, call in calls.items():
        times = []
        for _ in range(9):
            sigmas = itertools.count(1.0, 1e-4)
            synchronize()
            start = time.perf_counter()
            for _ in range(300):
                call()
            times.append((time.perf_counter() - start) / 300 * 1e6)
            synchronize()
        report(f"overhead of a {what}, 4 x 4, microseconds", min(times), note="not ms")


TILE = [(("tile_threads", "tile_blocks"), ((192, 2), (192, 1), (96, 4), (96, 5), (128, 3), (256, 1), (256, 2), (288, 1))), ("tile_height", (0, 960, 480, 240, 120)),
        ("tile_ahead", (2, 4, 8)), ("tile_pair", (1, 2, 4))]
MARCH = [(("march_columns", "march_ahead"), ((2, 4), (2, 2), (2, 8), (4, 2), (4, 4), (1, 8), (1, 4)))]

print(f"{device.name}: {device.description if hasattr(device, 'description') else ''}\n{'milliseconds':46}{'floor':>10}{'tenon':>10}{'cupy' if gpu else 'scipy':>10}{'':10}  error")
if gpu:
    gaussian("gaussian 100 x 3840 x 2160, sigma 0 3 3", (100, 3840, 2160), (0, 3.0, 3.0), sweep=TILE)
    gaussian("gaussian 100 x 3840 x 2160, sigma 3 3 3", (100, 3840, 2160), (3.0, 3.0, 3.0), passes=2)
    gaussian("gaussian 100 x 3840 x 2160, sigma 3 0 0", (100, 3840, 2160), (3.0, 0, 0), sweep=MARCH)
    gaussian("gaussian 100 x 3840 x 2160, sigma 0 3 0", (100, 3840, 2160), (0, 3.0, 0))
    gaussian("gaussian 100 x 3840 x 2160, sigma 0 0 3", (100, 3840, 2160), (0, 0, 3.0))
    gaussian("gaussian 100 x 3840 x 2160, sigma 0 1 1", (100, 3840, 2160), (0, 1.0, 1.0))
    gaussian("gaussian 100 x 3840 x 2160, sigma 0 3 3, float16", (100, 3840, 2160), (0, 3.0, 3.0), "float16")
    gaussian("gaussian 20 x 3840 x 2160, sigma 0 3 3, float64", (20, 3840, 2160), (0, 3.0, 3.0), "float64")
    gaussian("gaussian 20 x 3840 x 2160, sigma 0 10 10", (20, 3840, 2160), (0, 10.0, 10.0), passes=2)
gaussian("gaussian 3840 x 2160, sigma 3", (3840, 2160), (3.0, 3.0))
gaussian("gaussian 3840 x 2160, sigma 1", (3840, 2160), (1.0, 1.0))
gaussian("gaussian 3840 x 2160, sigma 10", (3840, 2160), (10.0, 10.0))
gaussian("gaussian 3840 x 2160, sigma 3, float64", (3840, 2160), (3.0, 3.0), "float64")
gaussian("gaussian 40 x 1000 x 1000, sigma 3 3 3", (40, 1000, 1000), (3.0, 3.0, 3.0), passes=2)
x = random_array((3840, 2160))
window = numpy.random.default_rng(2).random((5, 5), dtype="float32")
weights = tenon.asarray(window, copy=True).to_device(device)
other("correlate 3840 x 2160, 5 x 5", image.correlate, x, (weights,), lambda nd, np, a: nd.correlate(a, np.asarray(window)))
other("sobel 3840 x 2160", image.sobel, x, ("x",), lambda nd, np, a: nd.sobel(a, 1))
other("laplace 3840 x 2160", image.laplace, x, (), lambda nd, np, a: nd.laplace(a))
other("median 3840 x 2160, 3 x 3", image.median_filter, x, (3,), lambda nd, np, a: nd.median_filter(a, 3))
other("median 3840 x 2160, 7 x 7", image.median_filter, x, (7,), lambda nd, np, a: nd.median_filter(a, 7))
other("erosion 3840 x 2160, 9 x 9", image.erosion, x, (9,), lambda nd, np, a: nd.grey_erosion(a, 9))
other("histogram 3840 x 2160, 256 bins", image.histogram, x, (256, 0.0, 1.0), lambda nd, np, a: np.histogram(a, 256, (0.0, 1.0))[0], 1e-3)
other("resize 3840 x 2160 to a half, bilinear", image.resize, x, (1920, 1080), lambda nd, np, a: nd.zoom(a, 0.5, order=1, mode="nearest", grid_mode=True), 1e-4)
call_overhead()
if arguments.json:
    pathlib.Path(arguments.json).write_text(json.dumps({"device": device.name, "rows": ROWS}, indent=1))
