"""What a call costs in Python, in microseconds: Tenon beside PyTorch, NumPy, CuPy and apache-tvm-ffi where they are
installed.

bench_python.py [--device cuda:0] [--rounds N] [--only WORD ...] [--json FILE]

Every row of the table is one small thing that programs do all the time, on arrays so small that the work itself takes no
time. All of them run in turns, in blocks of about 0.2 ms: what else the machine does meets them alike. Before each block
are a few calls that do not count: the first backward pass after all the other rows finds its code in no cache and takes
half a millisecond, whose ever it is, and the library that comes first in a row would pay for all. On a GPU the time is
the host's, and the device catches up between the blocks.
Printed are the median and (in brackets) the minimum over the blocks. Each import of the package is a process of its own.
The column "C" is what the library itself takes for the row's launch or operation, an operation's output made and released,
where there is a C compiler (cc, or $CC) to measure it with; tests/bench/native/overhead.cpp measures more of it.
"driver" is CUDA's own cuLaunchKernel in such a loop.

"torch.ops" rows are calls through PyTorch's dispatcher; "do nothing" ones of them have a Python function that returns its
argument in the operation's place, so they are the floor for what is registered from Python.
"""

import argparse
import ctypes
import functools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tenon
from peers import optional

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--device", default="cpu:0")
parser.add_argument("--rounds", type=int, default=200)
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--json")
arguments = parser.parse_args()

numpy = optional("numpy")
torch = optional("torch")
tvm_ffi = optional("tvm_ffi")
ON_GPU = arguments.device.startswith("cuda")
cupy = optional("cupy") if ON_GPU else None
if torch is not None:
    torch.set_num_threads(1)
PACKAGE = Path(__file__).resolve().parents[2] / "kernels" / "elementwise"
SOURCE = """extern "C" __global__ void add3(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}"""

LISTED = '''
name = "listed"
[op.weigh]
parameters = ["in T x", "scalar float64 by[1] = 1", "scalar int32 times[1] = 1", "scalar {up, down} way = up",
  "out T y"]
let = ["a = by[0]", "k = times[0]", "s = way == 'up' ? 1 : -1"]
elementwise = "y = (T)(s * k * a * (double)x)"
read = ["x", "a", "k", "s"]
[op.add_]
parameters = ["inout T x", "in T y"]
elementwise = "x = x + y"
'''

# The loop of a row of the column "C": nanoseconds of a call.
C_SOURCE = """
#include <tenon/tenon.h>
#include <time.h>
double per_call(tenon_operation* operation, tenon_arg* args, int count, int out, int rounds) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < rounds; i++) {
    tenon_array* made;
    if (tenon_operation_output(operation, args, count, 0, 0, &made)) return -1;
    args[out].kind = TENON_ARG_ARRAY;
    args[out].value.array = made;
    int status = tenon_operation_call(operation, args, count, 0);
    tenon_array_release(made);
    if (status) return -1;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / rounds;
}
double per_launch(tenon_kernel* kernel, tenon_launch* launch, tenon_arg* args, int count, int rounds) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < rounds; i++)
    if (tenon_kernel_launch(kernel, launch, args, count, 0)) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / rounds;
}
double per_bound(tenon_call* call, int rounds) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < rounds; i++)
    if (tenon_call_launch(call, 0)) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / rounds;
}
typedef int launch_function(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
double per_driver_launch(launch_function* launch, void* function, void** parameters, int rounds) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < rounds; i++)
    if (launch(function, 1, 1, 1, 16, 1, 1, 0, 0, parameters, 0)) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / rounds;
}
"""


class InC:
    """A call that is timed by a loop in C, a function of the loop's arguments and the number of rounds: block() asks for
    `nanoseconds`. `keep` is what the arguments point to."""

    def __init__(self, loop, *values, keep=None):
        self.loop, self.values, self.keep = loop, values, keep

    def nanoseconds(self, rounds):
        took = self.loop(*self.values, rounds)
        if took < 0:
            raise RuntimeError(f"the call from C failed: {self.keep}")
        return took

    def __call__(self):
        self.nanoseconds(1)


def operation_in_c(operation, **values):
    """A call of an operation of one output, {"C": ...}."""
    loops = compiled_loops()
    if loops is None:
        return {}
    packed = operation._parameters.pack(values)
    names = [one["name"] for one in operation.description["parameters"]]
    out = names.index(operation._parameters.outputs[0][0])
    return {"C": InC(loops.per_call, operation._handle, packed.address, len(names), out, keep=(operation, packed, values))}


def launch_in_c(kernel, args):
    """A launch of 16 threads, {"C": ...}."""
    loops = compiled_loops()
    if loops is None:
        return {}
    packed, keep, _ = kernel._pack(args)
    launch = tenon._raw.tenon_launch(grid=(1, 1, 1), block=(16, 1, 1))
    return {"C": InC(loops.per_launch, kernel._handle, ctypes.addressof(launch), ctypes.addressof(packed), len(args),
                     keep=(kernel, launch, packed, keep, args))}


def bound_in_c(call):
    loops = compiled_loops()
    return {} if loops is None else {"C": InC(loops.per_bound, call._handle, keep=call)}


def launch_by_driver(arrays, number):
    """cuLaunchKernel of the same text, {"driver": ...}."""
    loops = compiled_loops()
    if loops is None or not ON_GPU:
        return {}
    info = tenon.Device(arguments.device).info
    image, _ = tenon.Program.compile(SOURCE, f"sm_{info['compute_major']}{info['compute_minor']}", ["add3"])
    driver, context, module, function = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    for status in (driver.cuInit(0), driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), int(arguments.device.partition(":")[2])),
                   driver.cuCtxSetCurrent(context), driver.cuModuleLoadData(ctypes.byref(module), image),
                   driver.cuModuleGetFunction(ctypes.byref(function), module, b"add3")):
        if status:
            raise RuntimeError(f"the driver does not load the kernel: error {status}")
    values = [*(ctypes.c_void_p(one.data_ptr) for one in arrays), ctypes.c_int(number)]
    parameters = (ctypes.c_void_p * 4)(*map(ctypes.addressof, values))
    entry = ctypes.cast(driver.cuLaunchKernel, ctypes.c_void_p).value
    return {"driver": InC(loops.per_driver_launch, entry, function.value, ctypes.addressof(parameters),
                          keep=(module, values, parameters, arrays))}


@functools.cache
def compiled_loops():
    """The functions of C_SOURCE, or None with a note."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        print("note: no C compiler was found, so the column C is left out", file=sys.stderr)
        return None
    from tenon._library import path

    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "loop.so")
        include = Path(__file__).resolve().parents[2] / "include"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", f"-I{include}", "-x", "c", "-", "-x", "none", path,
                        "-o", made], input=C_SOURCE, text=True, check=True)
        loaded = ctypes.CDLL(made)
    pointer, number = ctypes.c_void_p, ctypes.c_int
    for name, types in (("per_call", [pointer] * 2 + [number] * 3), ("per_launch", [pointer] * 3 + [number] * 2),
                        ("per_bound", [pointer, number]), ("per_driver_launch", [pointer] * 3 + [number])):
        getattr(loaded, name).restype, getattr(loaded, name).argtypes = ctypes.c_double, types
    return loaded


def rows():
    """(what it is, the goal in microseconds or None, {library: callable})."""
    device = tenon.Device(arguments.device)
    host, host_square = numpy.arange(16, dtype="float32"), numpy.eye(4, dtype="float32")
    a, square = (tenon.asarray(one, device=device, copy=True) for one in (host, host_square))
    b, c = a.copy(), a.copy()
    kernel = tenon.Kernel(SOURCE, "add3").on(device)
    call = kernel.bind(1, 16, [a, b, c, 16])
    softplus = tenon.plugins.load(PACKAGE).softplus
    bound = softplus.bind(a)
    add = tenon.elementwise("T x, T y", "T z", "z = x + y", name="add")
    yield "attribute: a.shape", 0.1, {"tenon": lambda: a.shape, "numpy": lambda: host.shape}
    yield "attribute: a.ndim", 0.1, {"tenon": lambda: a.ndim, "numpy": lambda: host.ndim}
    yield "attribute: a.device", 0.1, {"tenon": lambda: a.device}
    yield "call that does nothing: a.to_device(its own)", 0.1, {"tenon": lambda: a.to_device(device)}
    yield "a[1:5]", 0.3, {"tenon": lambda: a[1:5], "numpy": lambda: host[1:5]}
    yield "a[3].item()", None, {"tenon": lambda: a[3].item(), "numpy": lambda: host[3].item()}
    yield "empty(16)", None, {"tenon": lambda: tenon.empty(16, "float32", device=device),
                              "numpy": lambda: numpy.empty(16, "float32")}
    if not ON_GPU:
        yield "NumPy array in", None, {"tenon": lambda: tenon.from_dlpack(host)}
        yield "to NumPy: numpy.from_dlpack(a)", None, {"tenon": lambda: numpy.from_dlpack(a),
                                                       "numpy": lambda: numpy.from_dlpack(host)}
        yield "launch, 3 NumPy arrays", None, {"tenon": lambda: kernel(1, 16, [host, host, host, 16])}
    yield "launch, 3 Tenon arrays", None, {"tenon": lambda: kernel(1, 16, [a, b, c, 16]), **launch_in_c(kernel, [a, b, c, 16]),
                                           **launch_by_driver([a, b, c], 16)}
    yield "bound launch", 0.15, {"tenon": call, **bound_in_c(call)}
    yield "operation softplus, Tenon", None, {"tenon": lambda: softplus(a)}
    yield "operation softplus, out=", None, {"tenon": lambda: softplus(a, out=c)}
    yield "bound operation", None, {"tenon": bound}
    yield "elementwise add", None, {"tenon": lambda: add(a, b), "numpy": lambda: host + host}
    yield "elementwise add, out=", None, {"tenon": lambda: add(a, b, out=c),
                                          "numpy": lambda: numpy.add(host, host, out=host)}
    yield "a + a", None, {"tenon": lambda: a + a, "numpy": lambda: host + host}
    yield "sum of 16", None, {"tenon": lambda: tenon.sum(a), "numpy": lambda: host.sum()}
    yield "sum of 16, as a method", None, {"tenon": a.sum, "numpy": host.sum}
    yield "matmul 4x4", None, {"tenon": lambda: tenon.matmul(square, square),
                               "numpy": lambda: host_square @ host_square}
    yield "fft of 16", None, {"tenon": lambda: tenon.fft(a), "numpy": lambda: numpy.fft.fft(host)}
    if torch is not None:
        yield from torch_rows(a, kernel, softplus, host)
    if cupy is not None:
        yield from cupy_rows(host, host_square)
    if tvm_ffi is not None and not ON_GPU:
        yield from tvm_rows(a)


def torch_rows(a, kernel, softplus, host):
    x, y, z = (torch.arange(16, dtype=torch.float32, device=arguments.device.replace("cpu:0", "cpu")) for _ in range(3))
    tracked = torch.ones(16, requires_grad=True, device=x.device)
    square = torch.eye(4, device=x.device)
    import torch.nn.functional as functional

    yield "attribute: a.shape", 0.1, {"torch": lambda: x.shape}
    yield "attribute: a.ndim", 0.1, {"torch": lambda: x.ndim}
    yield "attribute: a.device", 0.1, {"torch": lambda: x.device}
    yield "a[1:5]", 0.3, {"torch": lambda: x[1:5]}
    yield "a[3].item()", None, {"torch": lambda: x[3].item()}
    yield "empty(16)", None, {"torch": lambda: torch.empty(16, device=x.device)}
    yield "torch tensor in", 0.2, {"tenon": lambda: tenon.from_dlpack(x), "torch": lambda: torch.from_dlpack(y),
                                   **({} if ON_GPU else {"numpy": lambda: x.numpy()})}
    yield "torch tensor out: torch.from_dlpack(a)", None, {"tenon": lambda: torch.from_dlpack(a), "torch": lambda: torch.from_dlpack(x),
                                                           **({} if ON_GPU else {"numpy": lambda: torch.from_numpy(host)})}
    if hasattr(a, "torch"):
        yield "torch tensor out: a.torch()", 0.5, {"tenon": a.torch}
    yield "launch, 3 torch tensors", None, {"tenon": lambda: kernel(1, 16, [x, y, z, 16])}
    yield "operation softplus, torch", None, {"tenon": lambda: softplus(x), "torch": lambda: functional.softplus(x)}
    yield "operation softplus, torch with gradient", None, {"tenon": lambda: softplus(tracked),
                                                            "torch": lambda: functional.softplus(tracked)}
    listed = tenon.plugins.load_text(LISTED)
    yield "operation with lists and a choice, torch", None, {"tenon": lambda: listed.weigh(x, [2.0], [3], way="down")}
    yield "operation that writes its argument, torch", None, {"tenon": lambda: listed.add_(y, x), "torch": lambda: y.add_(x)}
    yield from dispatched_rows(softplus, x, tracked)
    yield "elementwise add, torch", None, {"tenon": lambda: tenon.add(x, y), "torch": lambda: torch.add(x, y)}
    yield "sum of 16, torch", None, {"tenon": lambda: tenon.sum(x), "torch": lambda: x.sum()}
    yield "matmul 4x4, torch", None, {"tenon": lambda: tenon.matmul(square, square), "torch": lambda: square @ square}
    yield "fft of 16, torch", None, {"tenon": lambda: tenon.fft(x), "torch": lambda: torch.fft.fft(x)}
    yield "elementwise add", None, {"torch": lambda: x + y}
    yield "a + a", None, {"torch": lambda: x + x}
    yield "sum of 16", None, {"torch": lambda: x.sum()}
    yield "matmul 4x4", None, {"torch": lambda: square @ square}
    yield "fft of 16", None, {"torch": lambda: torch.fft.fft(x)}


def cupy_rows(host, host_square):
    a, square = cupy.asarray(host), cupy.asarray(host_square)
    b, c, n, add3 = a.copy(), a.copy(), numpy.int32(16), cupy.RawKernel(SOURCE, "add3")
    yield "attribute: a.shape", 0.1, {"cupy": lambda: a.shape}
    yield "a[1:5]", 0.3, {"cupy": lambda: a[1:5]}
    yield "a[3].item()", None, {"cupy": lambda: a[3].item()}
    yield "empty(16)", None, {"cupy": lambda: cupy.empty(16, "float32")}
    yield "launch, 3 Tenon arrays", None, {"cupy": lambda: add3((1,), (16,), (a, b, c, n))}
    yield "elementwise add", None, {"cupy": lambda: a + b}
    yield "a + a", None, {"cupy": lambda: a + a}
    yield "elementwise add, out=", None, {"cupy": lambda: cupy.add(a, b, out=c)}
    yield "sum of 16", None, {"cupy": lambda: a.sum()}
    yield "matmul 4x4", None, {"cupy": lambda: square @ square}
    yield "fft of 16", None, {"cupy": lambda: cupy.fft.fft(a)}


def dispatched_rows(softplus, x, tracked):
    """Calls through PyTorch's dispatcher. PyTorch's softplus has one more parameter."""
    ours, theirs = tenon.torch.register(tenon.plugins.load(PACKAGE)).softplus, torch.ops.aten.softplus
    in_c = operation_in_c(softplus, x=tenon.asarray(x))
    yield "torch.ops softplus", None, {"tenon": lambda: ours(x), "torch": lambda: theirs(x), **in_c}
    with torch.inference_mode():  # such tensors have no key for autograd: the call goes to the native kernel at once
        untracked = x.clone()
    yield "torch.ops softplus, inference mode", None, {"tenon": lambda: ours(untracked), "torch": lambda: theirs(untracked),
                                                       **in_c}
    yield "torch.ops softplus with gradient", None, {"tenon": lambda: ours(tracked), "torch": lambda: theirs(tracked)}
    results, ones = {"tenon": ours(tracked), "torch": theirs(tracked)}, torch.ones_like(tracked)
    yield "torch.ops softplus, its backward", None, {
        name: lambda y=y: torch.autograd.grad(y, tracked, ones, retain_graph=True) for name, y in results.items()}
    library = torch.library.Library("tenon_bench", "DEF")
    for name in ("plain", "autograd"):
        library.define(f"{name}(Tensor x) -> Tensor")
    library.impl("plain", lambda x: x, "CUDA" if ON_GPU else "CPU")
    library.impl("autograd", lambda keys, x: x, "Autograd", with_keyset=True)
    dispatched_rows.library = library  # it takes its operations with it
    plain, autograd = torch.ops.tenon_bench.plain, torch.ops.tenon_bench.autograd
    yield "torch.ops, Python that does nothing", None, {"torch": lambda: plain(x)}
    yield "torch.ops, the same for autograd", None, {"torch": lambda: autograd(x)}


def tvm_rows(a):
    tensor = tvm_ffi.from_dlpack(a)
    nothing = tvm_ffi.get_global_func("testing.nop", allow_missing=True)
    yield "attribute: a.shape", 0.1, {"tvm_ffi": lambda: tensor.shape}
    yield "to NumPy: numpy.from_dlpack(a)", None, {"tvm_ffi": lambda: numpy.from_dlpack(tensor)}
    if torch is not None:
        x = torch.arange(16, dtype=torch.float32)
        yield "torch tensor in", 0.2, {"tvm_ffi": lambda: tvm_ffi.from_dlpack(x)}
        yield "torch tensor out: torch.from_dlpack(a)", None, {"tvm_ffi": lambda: torch.from_dlpack(tensor)}
        if nothing is not None:
            yield "launch, 3 torch tensors", None, {"tvm_ffi": lambda: nothing(x, x, x, 16)}


def block(function, count):
    if isinstance(function, InC):
        took = function.nanoseconds(count) / 1000
    else:
        start = time.perf_counter_ns()
        for _ in range(count):
            function()
        took = (time.perf_counter_ns() - start) / count / 1000
    if ON_GPU:
        tenon.Device(arguments.device).synchronize()
        if torch is not None:
            torch.cuda.synchronize()
    return took


def measure(table):
    """{(what, library): times}, all in turns."""
    counts, times = {}, {}
    for key, function in table.items():
        block(function, 50)  # compiles, fills caches
        once = block(function, 10)
        counts[key] = max(1, min(2000, int(200 / max(once, 0.01))))
        times[key] = []
    for _ in range(arguments.rounds):
        for key, function in table.items():
            block(function, 3)
            times[key].append(block(function, counts[key]))
    return times


def import_times(rounds=9):
    """Milliseconds of `import NAME` in new processes, in turns."""
    names = ["tenon"] + (["numpy"] if numpy is not None else [])
    times = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            text = (f"import time; start = time.perf_counter(); import {name}; "
                    f"print((time.perf_counter() - start) * 1e3)")
            times[name].append(float(subprocess.run([sys.executable, "-c", text], check=True,
                                                    capture_output=True, text=True).stdout))
    return times


def main():
    goals, table = {}, {}
    for what, goal, functions in rows():
        if arguments.only and not any(word in what for word in arguments.only):
            continue
        goals[what] = goals.get(what) or goal
        table.update({(what, library): function for library, function in functions.items()})
    times = measure(table)
    found = {what: {library: [statistics.median(values), min(values)]
                    for (name, library), values in times.items() if name == what}
             for what in goals}
    libraries = ["tenon", "C", "driver", "torch", "cupy"] if ON_GPU else ["tenon", "C", "torch", "numpy", "tvm_ffi"]
    print(f"{'microseconds a call':44}{'goal':>6}" + "".join(f"{library:>16}" for library in libraries))
    for what, results in found.items():
        cells = (f"{results[one][0]:8.2f} ({results[one][1]:.2f})" if one in results else "-" for one in libraries)
        print(f"{what:44}{goals[what] or '':>6}" + "".join(f"{cell:>16}" for cell in cells))
    if not arguments.only or "import" in arguments.only:
        imports = import_times()
        found["import"] = {name: [statistics.median(values), min(values)] for name, values in imports.items()}
        for name, (median, least) in found["import"].items():
            print(f"import {name}: {median:.0f} ms ({least:.0f})" + (", goal 30" if name == "tenon" else ""))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(found, indent=1))


main()
