"""One table of Tenon on a GPU beside its floor and the peers that are installed: CuPy, PyTorch, JAX.

bench_gpu.py [--json FILE] [--host PROGRAM] [--only WORD ...] [--long]
  --host   the program built from gpu_host.cpp; without it the host times of C are left out
  --only   sections: host python copy gemm blas fft svd
  --long   also what takes minutes with the peers (SVD of 10,000 x 10,000)

Device times are medians between two events on the library's own stream, after warming up, on random data; JAX, which has
no events, is timed on the host around work that is long enough. Floors are bytes over 4.24 TB/s, the copy rate of an H200,
or operations over its measured rates. Every peer runs at the precision that is asked for (no TF32 in an fp32 row).
"""

import argparse
import gc
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import tenon
from peers import optional

COPY = 4.24e12  # bytes read and written a second
FP32 = 51e12


torch = optional("torch")
cupy = optional("cupy")
jax = optional("jax")
if torch is not None and not torch.cuda.is_available():
    torch = None
if jax is not None:
    jax.config.update("jax_default_matmul_precision", "highest")
    if not any(device.platform == "gpu" for device in jax.devices()):
        jax = None

device = tenon.Device("cuda:0")
ROWS = []


# ---- Timing ----

def calls_between_events(once):
    """So many that the pair of events is far enough apart, and the host can run ahead."""
    return max(1, min(200, math.ceil(1.0 / max(once, 1e-3))))


def device_ms(call, record, elapsed, synchronize, budget=1.0):
    for _ in range(3):
        call()
    synchronize()
    start = time.perf_counter()
    call()
    synchronize()
    once = (time.perf_counter() - start) * 1e3
    inner = calls_between_events(once)
    rounds = max(3, min(25, int(budget * 1e3 / max(once * inner, 1e-3))))
    times = []
    for _ in range(rounds):
        a = record()
        for _ in range(inner):
            call()
        b = record()
        synchronize()
        times.append(elapsed(a, b) / inner)
    return statistics.median(times)


def tenon_ms(call, budget=1.0):
    def record():
        event = tenon.Event(device, timing=True)
        event.record()
        return event

    return device_ms(call, record, lambda a, b: b.milliseconds_since(a), device.synchronize, budget)


def torch_ms(call, budget=1.0):
    def record():
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    return device_ms(call, record, lambda a, b: a.elapsed_time(b), torch.cuda.synchronize, budget)


def cupy_ms(call, budget=1.0):
    def record():
        event = cupy.cuda.Event()
        event.record()
        return event

    return device_ms(call, record, cupy.cuda.get_elapsed_time, cupy.cuda.Device().synchronize, budget)


def jax_ms(call, budget=1.0):
    for _ in range(2):
        jax.block_until_ready(call())
    start = time.perf_counter()
    jax.block_until_ready(call())
    once = (time.perf_counter() - start) * 1e3
    inner = calls_between_events(once / 5)
    times = []
    for _ in range(max(3, min(15, int(budget * 1e3 / max(once * inner, 1e-3))))):
        start = time.perf_counter()
        for _ in range(inner):
            out = call()
        jax.block_until_ready(out)
        times.append((time.perf_counter() - start) * 1e3 / inner)
    return statistics.median(times)


def host_us(call, synchronize, count=2000, rounds=9):
    for _ in range(200):
        call()
    synchronize()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            call()
        times.append((time.perf_counter() - start) / count * 1e6)
        synchronize()
    return statistics.median(times)


TIMERS = {"tenon": tenon_ms, "cupy": cupy_ms, "torch": torch_ms, "jax": jax_ms}
PRESENT = {"tenon": tenon, "cupy": cupy, "torch": torch, "jax": jax}


def row(name, unit, floor=None, note="", **values):
    ROWS.append({"name": name, "unit": unit, "floor": floor, "note": note, **values})


def measure(name, floor, note="", budget=1.0, **makers):
    """makers: library -> function that prepares and returns the call to be timed."""
    values = {}
    for library, make in makers.items():
        if PRESENT[library] is None:
            continue
        try:
            call = make()
            values[library] = TIMERS[library](call, budget)
            del call
        except TimeoutError:
            raise
        except Exception as error:
            values[library] = None
            print(f"note: {name}, {library}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        tidy()
    row(name, "ms", floor, note, **values)


def tidy():
    gc.collect()
    device.synchronize()
    if torch is not None:
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
    if cupy is not None:
        cupy.cuda.Device().synchronize()
        cupy.get_default_memory_pool().free_all_blocks()
    device.trim_memory()


# ---- Data: made once by whoever can, shared through DLPack ----

def random_array(shape, dtype="float32"):
    if torch is not None:
        t = torch.rand(shape, device="cuda", dtype=torch.float64 if dtype in ("float64", "complex128") else torch.float32)
        if dtype.startswith("complex"):
            t = torch.complex(t, torch.rand_like(t))
        elif dtype in ("uint8", "int8"):
            t = (t * 100).to(getattr(torch, dtype))
        elif dtype not in ("float32", "float64"):
            t = t.to(getattr(torch, dtype))
        torch.cuda.synchronize()
        return t
    if cupy is not None:
        c = cupy.random.rand(*shape)
        c = (c * 100 if dtype in ("uint8", "int8") else c + 1j * cupy.random.rand(*shape) if dtype.startswith("complex") else c).astype(dtype)
        cupy.cuda.Device().synchronize()
        return c
    import numpy
    values = numpy.random.default_rng(1).random(shape)
    values = values * 100 if dtype in ("uint8", "int8") else values + 1j * values[::-1] if dtype.startswith("complex") else values
    return tenon.asarray(values.astype(dtype)).to_device(device)


def as_tenon(x):
    return x if isinstance(x, tenon.Array) else tenon.from_dlpack(x)


def as_cupy(x):
    return cupy.from_dlpack(x)


def as_torch(x):
    return x if isinstance(x, torch.Tensor) else torch.from_dlpack(x)


def as_jax(x):
    return jax.dlpack.from_dlpack(x)


# ---- Sections ----

def section_host(program):
    if not program:
        print("note: no --host program, the host times of C are left out", file=sys.stderr)
        return
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    if done.returncode:
        print(f"note: {program} failed: {done.stderr.strip()[:500]}", file=sys.stderr)
        return
    t = json.loads(done.stdout)
    peers = {}
    if cupy is not None:
        kernel = cupy.RawKernel('extern "C" __global__ void three(const float* x, float* y, int n) {}', "three")
        x, y, n = cupy.zeros(1024, "float32"), cupy.zeros(1024, "float32"), cupy.int32(1024)
        sync = cupy.cuda.Device().synchronize
        peers["launch"] = {"cupy": host_us(lambda: kernel((1,), (32,), (x, y, n)), sync, 1000)}
        for size, label in ((1 << 10, "1 KiB"), (1 << 20, "1 MiB")):
            peers[label] = {"cupy": host_us(lambda: cupy.empty(size, "uint8"), sync, 1000)}
    if torch is not None:
        for size, label in ((1 << 10, "1 KiB"), (1 << 20, "1 MiB")):
            peers.setdefault(label, {})["torch"] = host_us(lambda: torch.empty(size, dtype=torch.uint8, device="cuda"), torch.cuda.synchronize, 1000)
    floor = t["launch floor"]
    row("launch, 3 arguments, bound call (C)", "us", floor, "goal 1.05x the floor", tenon=t["launch bound"], **peers.get("launch", {}))
    row("launch, 3 arguments, checked (C)", "us", floor, "goal 1.2x the floor", tenon=t["launch checked"], **peers.get("launch", {}))
    if "operation call" in t:
        row("operation of a package, 3 arguments (C)", "us", t["launch checked"], "goal: a checked launch, the floor here, + 0.3 us", tenon=t["operation call"])
    for label in ("1 KiB", "1 MiB"):
        row(f"allocate + free {label} (C)", "us", t[f"allocate floor {label}"], "floor: own driver pool; goal 0.20",
            tenon=t[f"allocate buffer {label}"], **peers.get(label, {}))
    row("DLPack import + release (C)", "us", None, "goal 0.05", tenon=t["dlpack import and release"])
    for name in ("gemm 16 x 16", "fft 1024, plan kept", "transposed copy 16 x 16", "copy 4 KiB"):
        row(f"host time of {name} (C)", "us", None, "", tenon=t[name])


def section_python():
    if torch is not None:
        x = torch.zeros(1024, device="cuda")
        values = {"tenon": host_us(lambda: tenon.from_dlpack(x), device.synchronize)}
        if cupy is not None:
            values["cupy"] = host_us(lambda: cupy.from_dlpack(x), torch.cuda.synchronize)
        row("torch tensor in (Python)", "us", None, "goal 0.5", **values)
        y = as_tenon(x)
        values = {"tenon": host_us(lambda: torch.from_dlpack(y), device.synchronize)}
        if cupy is not None:
            c = cupy.zeros(1024, "float32")
            values["cupy"] = host_us(lambda: torch.from_dlpack(c), torch.cuda.synchronize)
        row("torch tensor out (Python)", "us", None, "goal 0.5", **values)
    source = 'extern "C" __global__ void three(const float* x, float* y, int n) {}'
    x, y = tenon.zeros((1024,), "float32", device=device), tenon.zeros((1024,), "float32", device=device)
    kernel = tenon.Kernel(source, "three")
    values = {"tenon": host_us(lambda: kernel((1,), (32,), (x, y, 1024)), device.synchronize, 1000)}
    if cupy is not None:
        raw = cupy.RawKernel(source, "three")
        a, b, n = cupy.zeros(1024, "float32"), cupy.zeros(1024, "float32"), cupy.int32(1024)
        values["cupy"] = host_us(lambda: raw((1,), (32,), (a, b, n)), cupy.cuda.Device().synchronize, 1000)
    row("kernel call, 3 arguments (Python)", "us", None, "", **values)


def copies(name, data, view, bytes_moved, torch_view=None, cupy_view=None, jax_view=None, note=""):
    """A contiguous copy of a view, each library by its own means."""
    makers = {"tenon": lambda: (lambda v, out: lambda: out.__setitem__(..., v))(*(lambda v: (v, tenon.empty(v.shape, v.dtype, device=device)))(view(as_tenon(data))))}
    if torch is not None:
        make = torch_view or view
        makers["torch"] = lambda: (lambda v, out: lambda: out.copy_(v))(*(lambda v: (v, torch.empty(v.shape, dtype=v.dtype, device="cuda")))(make(as_torch(data))))
    if cupy is not None and cupy_view is not False:
        make_cupy = cupy_view or view
        makers["cupy"] = lambda: (lambda v, out: lambda: cupy.copyto(out, v))(*(lambda v: (v, cupy.empty(v.shape, v.dtype)))(make_cupy(as_cupy(data))))
    if jax is not None and jax_view is not None:
        makers["jax"] = lambda: (lambda f, v: lambda: f(v))(jax.jit(jax_view), as_jax(data))
    measure(name, bytes_moved / COPY * 1e3, note, **makers)


def section_copy():
    n = 1 << 14
    a = random_array((n, n))
    copies("copy 2^14 x 2^14 fp32", a, lambda v: v, 2 * 4 * n * n, jax_view=lambda v: v.copy())
    copies("transposed copy 2^14 x 2^14 fp32", a, lambda v: v.T, 2 * 4 * n * n, jax_view=lambda v: v.T, note="goal 0.58")
    del a
    for dtype, size in (("uint8", 1), ("float16", 2), ("float64", 8), ("complex128", 16)):
        m = 1 << (14 if size < 16 else 13)
        b = random_array((m, m), dtype)
        copies(f"transposed copy 2^{m.bit_length() - 1} squared {dtype}", b, lambda v: v.T, 2 * size * m * m)
        del b
    c = random_array((10007, 9973))
    copies("transposed copy 10007 x 9973 fp32", c, lambda v: v.T, 2 * 4 * 10007 * 9973)
    del c
    d = random_array((64, 224, 224, 64))
    order = (0, 3, 1, 2)
    copies("NHWC to NCHW, 64 x 224 x 224 x 64 fp32", d, lambda v: v.transpose(*order), 2 * 4 * 64 * 224 * 224 * 64,
           torch_view=lambda v: v.permute(order))
    del d
    e = random_array((100, 2160, 3840, 3), "uint8")
    copies("HWC to CHW, 100 x 2160 x 3840 x 3 uint8", e, lambda v: v.transpose(0, 3, 1, 2), 2 * 100 * 2160 * 3840 * 3,
           torch_view=lambda v: v.permute(0, 3, 1, 2))
    del e
    f = random_array((256, 256, 256, 4))
    copies("axes (3, 2, 1, 0) of 256 x 256 x 256 x 4 fp32", f, lambda v: v.transpose(3, 2, 1, 0), 2 * 4 * 4 * 256**3,
           torch_view=lambda v: v.permute(3, 2, 1, 0))
    del f
    g = random_array((n, n))
    copies("every second column, 2^14 x 2^13 fp32", g, lambda v: v[:, ::2], 3 * 4 * n * n // 2)
    copies("rows cut at odd places, 2^14 x (2^14 - 3) fp32", g, lambda v: v[:, 1:-2], 2 * 4 * n * (n - 3))
    copies("a column spread over 2^14 x 2^14 fp32", g, lambda v: tenon_broadcast(v, n), 4 * n * n,
           torch_view=lambda v: v[:, :1].expand(n, n), cupy_view=lambda v: cupy.broadcast_to(v[:, :1], (n, n)))
    measure("float32 to float16, 2^28", 6 * n * n / COPY * 1e3,
            tenon=lambda: (lambda x: lambda: x.astype("float16"))(as_tenon(g)),
            torch=lambda: (lambda x: lambda: x.to(torch.float16))(as_torch(g)) if torch else None,
            cupy=lambda: (lambda x: lambda: x.astype("float16"))(as_cupy(g)))
    del g


def tenon_broadcast(v, n):
    return v[:, :1].broadcast_to((n, n))


def section_gemm():
    for n in (2048, 4096, 8192):
        a, b = random_array((n, n)), random_array((n, n))
        products(f"gemm fp32 {n}", a, b, 2 * n**3 / FP32 * 1e3, note="goal 1.01x cuBLAS")
    a, b = random_array((8192, 8192)), random_array((8192, 8192))
    products("gemm TF32 8192", a, b, 2 * 8192**3 / 420e12 * 1e3, compute="tf32")
    for n in (4096, 8192):
        a, b = random_array((n, n)), random_array((n, n))
        products(f"gemm fast fp32 {n}", a, b, 2 * n**3 * (1 / 420e12 + 2 / 800e12) * 1e3, compute="fast", note="the peers in fp32; goal half of their time")
    a, b = random_array((4096, 4096), "float64"), random_array((4096, 4096), "float64")
    products("gemm fp64 4096", a, b, 2 * 4096**3 / 60e12 * 1e3)
    a, b = random_array((8192, 8192), "bfloat16"), random_array((8192, 8192), "bfloat16")
    products("gemm bf16 8192", a, b, 2 * 8192**3 / 850e12 * 1e3, no_cupy=True)
    a, b = random_array((10000, 16, 16)), random_array((10000, 16, 16))
    products("batched gemm 10,000 x 16 x 16 fp32", a, b, 3 * 10000 * 256 * 4 / COPY * 1e3)
    for n, dtype in ((4096, "bfloat16"), (1024, "float16"), (4096, "float32")):
        a, b, bias = random_array((n, n), dtype), random_array((n, n), dtype), random_array((n,), dtype)
        for activation in ("none", "relu", "gelu"):
            layers(f"gemm {dtype} {n}, bias and {activation}", a, b, bias, activation)
    a, b = random_array((4096, 4096), "bfloat16"), random_array((4096, 4096), "bfloat16")
    products("gemm bf16 4096", a, b, 2 * 4096**3 / 850e12 * 1e3, no_cupy=True)
    products("gemm bf16 4096, tuned", a, b, 2 * 4096**3 / 850e12 * 1e3, no_cupy=True, tune=True)
    a, b = random_array((8192, 8192), "uint8"), random_array((8192, 8192), "uint8")
    products_of_float8("gemm fp8 8192 to bf16", a, b, lambda x: x.mT, lambda x: x.t(), 2 * 8192**3 / 1700e12 * 1e3)
    products_of_float8("gemm fp8 8192 to bf16, b by rows", a, b, lambda x: x, None, 2 * 8192**3 / 1700e12 * 1e3)


def layers(name, a, b, bias, activation):
    """A product with what follows it; PyTorch's is one call into cuBLASLt too."""
    def torch_layer():
        x, y, z = as_torch(a), as_torch(b), as_torch(bias)
        if activation == "none":
            return lambda: torch.addmm(z, x, y)
        return lambda: torch._addmm_activation(z, x, y, use_gelu=activation == "gelu")

    floor = 2 * a.shape[0]**3 / ({4: FP32}.get(a.dtype.itemsize, 850e12)) * 1e3
    measure(name, floor, tenon=lambda: (lambda x, y, z: lambda: tenon.matmul(x, y, bias=z, epilogue=activation))(*map(as_tenon, (a, b, bias))),
            torch=torch_layer)


def products_of_float8(name, a, b, turned, torch_turned, floor):
    def torch_product():
        x, y = as_torch(a).view(torch.float8_e4m3fn), as_torch(b).view(torch.float8_e4m3fn)
        one = torch.ones((), device="cuda")
        return lambda: torch._scaled_mm(x, torch_turned(y), one, one, out_dtype=torch.bfloat16)

    makers = {"tenon": lambda: (lambda x, y: lambda: tenon.gemm(x, turned(y), dtype="bfloat16"))(*(as_tenon(x).view("float8_e4m3fn") for x in (a, b)))}
    if torch_turned:
        makers["torch"] = torch_product
    measure(name, floor, **makers)


def products(name, a, b, floor, note="", compute="strict", no_cupy=False, tune=False):
    def torch_product():
        x, y = as_torch(a), as_torch(b)

        def call():
            return x @ y
        torch.backends.cuda.matmul.allow_tf32 = compute == "tf32"
        return call

    makers = {"tenon": lambda: (lambda x, y: lambda: tenon.matmul(x, y, compute=compute, tune=tune))(as_tenon(a), as_tenon(b)), "torch": torch_product}
    if compute == "strict" and not no_cupy:
        makers["cupy"] = lambda: (lambda x, y: lambda: x @ y)(as_cupy(a), as_cupy(b))
    if compute == "strict":
        makers["jax"] = lambda: (lambda f, x, y: lambda: f(x, y))(jax.jit(lambda x, y: x @ y), as_jax(a), as_jax(b))
    measure(name, floor, note, **makers)
    if torch is not None:
        torch.backends.cuda.matmul.allow_tf32 = False


def routines(name, floor, data, ours, theirs_of_torch=None, theirs_of_cupy=None, note=""):
    """A call of each library on arrays of its own; what it writes is among them."""
    makers = {"tenon": lambda: (lambda xs: lambda: ours(*xs))([as_tenon(x) for x in data])}
    if theirs_of_torch is not None:
        makers["torch"] = lambda: (lambda xs: lambda: theirs_of_torch(*xs))([as_torch(x) for x in data])
    if theirs_of_cupy is not None:
        makers["cupy"] = lambda: (lambda xs: lambda: theirs_of_cupy(*xs))([as_cupy(x) for x in data])
    measure(name, floor, note, **makers)


def section_blas():
    blas = tenon.blas
    with_cublas = cupy is not None and optional("cupy.cublas") is not None
    for n, dtype, size in ((8192, "float32", 4), (8192, "float64", 8), (1024, "float32", 4)):
        a, x, y = random_array((n, n), dtype), random_array((n,), dtype), random_array((n,), dtype)
        floor = size * n * n / COPY * 1e3
        label = "fp32" if size == 4 else "fp64"
        routines(f"gemv {label} {n}", floor, (a, x, y), lambda a, x, y: blas.gemv(a, x, y), lambda a, x, y: torch.mv(a, x, out=y),
                 lambda a, x, y: cupy.matmul(a, x, out=y))
        routines(f"gemv {label} {n}, transposed", floor, (a, x, y), lambda a, x, y: blas.gemv(a, x, y, trans="T"), lambda a, x, y: torch.mv(a.t(), x, out=y),
                 lambda a, x, y: cupy.matmul(a.T, x, out=y))
        routines(f"ger {label} {n}", 2 * floor, (a, x, y), lambda a, x, y: blas.ger(x, y, a, alpha=1e-9), lambda a, x, y: a.addr_(x, y, alpha=1e-9),
                 (lambda a, x, y: cupy.cublas.ger(1e-9, y, x, a.T)) if with_cublas else None)
    a, x, y = random_array((1000, 128, 128)), random_array((1000, 128)), random_array((1000, 128))
    routines("gemv fp32, 1000 of 128 x 128", 4 * 1000 * 128 * 128 / COPY * 1e3, (a, x, y), lambda a, x, y: blas.gemv(a, x, y),
             lambda a, x, y: torch.bmm(a, x[:, :, None], out=y[:, :, None]))
    n = 1 << 27
    for dtype, size in (("float32", 4), ("float64", 8), ("float16", 2)):
        x, y = random_array((n,), dtype), random_array((n,), dtype)
        routines(f"axpy {dtype} 2^27", 3 * size * n / COPY * 1e3, (x, y), lambda x, y: blas.axpy(x, y, alpha=1e-3), lambda x, y: y.add_(x, alpha=1e-3),
                 (lambda x, y: cupy.cublas.axpy(1e-3, x, y)) if with_cublas and size > 2 else None)
        routines(f"scal {dtype} 2^27", 2 * size * n / COPY * 1e3, (x,), lambda x: blas.scal(1.0000001, x), lambda x: x.mul_(1.0000001),
                 (lambda x: cupy.cublas.scal(1.0000001, x)) if with_cublas and size > 2 else None)
        routines(f"nrm2 {dtype} 2^27", size * n / COPY * 1e3, (x,), lambda x: blas.nrm2(x), lambda x: torch.linalg.vector_norm(x),
                 (lambda x: cupy.cublas.nrm2(x)) if with_cublas and size > 2 else None, note="ours neither overflows nor vanishes")
    x, y = random_array((1 << 13, 1 << 13)), random_array((1 << 13, 1 << 13))
    routines("axpy fp32 2^13 squared, x transposed", 3 * 4 * (1 << 26) / COPY * 1e3, (x, y), lambda x, y: blas.axpy(x.mT, y, alpha=1e-3),
             lambda x, y: y.add_(x.t(), alpha=1e-3))
    rows = random_array((100000, 256))
    routines("nrm2 fp32 of 100,000 rows of 256", 4 * 100000 * 256 / COPY * 1e3, (rows,), lambda x: blas.nrm2(x), lambda x: torch.linalg.vector_norm(x, dim=1))
    for n, dtype, flops in ((4096, "float32", FP32), (4096, "float64", 60e12)):
        label = "fp32" if dtype == "float32" else "fp64"
        a, b, c = random_array((n, n), dtype), random_array((n, n), dtype), random_array((n, n), dtype)
        routines(f"syrk {label} {n}", n**3 / flops * 1e3, (a, c), lambda a, c: blas.syrk(a, c), lambda a, c: torch.matmul(a, a.t(), out=c),
                 (lambda a, c: cupy.cublas.syrk("N", a, out=c)) if with_cublas else None, note="torch: the whole product")
        routines(f"symm {label} {n}", 2 * n**3 / flops * 1e3, (a, b, c), lambda a, b, c: blas.symm(a, b, c), lambda a, b, c: torch.matmul(a, b, out=c),
                 note="torch: a product with a whole a")
        routines(f"trmm {label} {n}", n**3 / flops * 1e3, (a, b), lambda a, b: blas.trmm(a, b, alpha=1e-3), lambda a, b: torch.matmul(a.tril(), b),
                 note="torch: the whole product, not in place")
        # In place again and again numbers overflow, which takes no other time.
        routines(f"trsm {label} {n}", n**3 / flops * 1e3, (a, b), lambda a, b: blas.trsm(a, b), lambda a, b: torch.linalg.solve_triangular(a, b, upper=False, out=b))
    a, b = random_array((1000, 32, 32)), random_array((1000, 32, 32))
    routines("trsm fp32, 1000 of 32 x 32", 3 * 4 * 1000 * 1024 / COPY * 1e3, (a, b), lambda a, b: blas.trsm(a, b),
             lambda a, b: torch.linalg.solve_triangular(a, b, upper=False, out=b))
    for count, n in ((1000, 32), (100, 256), (16, 1024)):
        a, b, c = (random_array((count, n, n)) for _ in range(3))
        measure(f"products of lists, fp32, {count} of {n} x {n}", max(2 * count * n**3 / FP32, 12 * count * n * n / COPY) * 1e3,
                "torch and cupy: one batch in memory",
                tenon=lambda: (lambda *lists: lambda: blas.gemm_grouped(*lists))(*([as_tenon(x)[i] for i in range(count)] for x in (a, b, c))),
                torch=lambda: (lambda x, y, z: lambda: torch.bmm(x, y, out=z))(*map(as_torch, (a, b, c))),
                cupy=lambda: (lambda x, y, z: lambda: cupy.matmul(x, y, out=z))(*map(as_cupy, (a, b, c))))
    sizes = [64 * (1 + i % 8) for i in range(64)]
    pairs = [(random_array((n, 128)), random_array((128, n))) for n in sizes]
    floor = max(sum(2 * n * n * 128 for n in sizes) / FP32, sum(4 * (2 * n * 128 + n * n) for n in sizes) / COPY) * 1e3
    routines("products of lists, fp32, 64 of eight shapes", floor, [x for pair in pairs for x in pair],
             lambda *xs: blas.gemm_grouped(xs[::2], xs[1::2]), lambda *xs: [x @ y for x, y in zip(xs[::2], xs[1::2])],
             lambda *xs: [x @ y for x, y in zip(xs[::2], xs[1::2])])


def section_fft():
    n = 4096
    a = random_array((n, n), "complex64")
    transforms("fft2 4096^2 c64", a, 4 * 8 * n * n / COPY * 1e3, lambda f, x: f.fft2(x), note="floor: two passes of bytes")
    transforms("ifft2 4096^2 c64", a, 4 * 8 * n * n / COPY * 1e3, lambda f, x: f.ifft2(x))
    b = a.reshape(16384, 1024)
    transforms("fft 16384 x 1024 c64", b, 2 * 8 * n * n / COPY * 1e3, lambda f, x: f.fft(x))
    transforms("fft 4096^2 along axis 0, c64", a, 2 * 8 * n * n / COPY * 1e3, lambda f, x: f.fft(x, dim=0) if torch is not None and f is torch.fft else f.fft(x, axis=0))
    c = a.reshape(-1)
    transforms("fft 2^24 c64", c, 4 * 8 * n * n / COPY * 1e3, lambda f, x: f.fft(x))
    d = random_array((256, 256, 256), "complex64")
    transforms("fftn 256^3 c64", d, 6 * 8 * n * n / COPY * 1e3, lambda f, x: f.fftn(x))


def transforms(name, a, floor, call, note=""):
    measure(name, floor, note,
            tenon=lambda: (lambda x: lambda: call(tenon, x))(as_tenon(a)),
            torch=lambda: (lambda x: lambda: call(torch.fft, x))(as_torch(a)),
            cupy=lambda: (lambda x: lambda: call(cupy.fft, x))(as_cupy(a)),
            jax=lambda: (lambda f, x: lambda: f(x))(jax.jit(lambda x: call(jax.numpy.fft, x)), as_jax(a)))


def section_svd(long):
    decompositions("svd 4096^2 fp32", random_array((4096, 4096)), note="goal 200", budget=2.5)
    decompositions("svd 512^2 fp32", random_array((512, 512)))
    decompositions("svd 512^2 c128", random_array((512, 512), "complex128"))
    decompositions("svd 100,000 x 100 fp32", random_array((100000, 100)))
    decompositions("svd 1000 x 32 x 32 fp32", random_array((1000, 32, 32)))
    if long:
        decompositions("svd 10,000^2 fp32", random_array((10000, 10000)), note="goal 2000", budget=10)


def decompositions(name, a, note="", budget=1.0):
    measure(name, None, note, budget,
            tenon=lambda: (lambda x: lambda: tenon.svd(x, full_matrices=False))(as_tenon(a)),
            torch=lambda: (lambda x: lambda: torch.linalg.svd(x, full_matrices=False))(as_torch(a)),
            cupy=lambda: (lambda x: lambda: cupy.linalg.svd(x, full_matrices=False))(as_cupy(a)),
            jax=lambda: (lambda f, x: lambda: f(x))(jax.jit(lambda x: jax.numpy.linalg.svd(x, full_matrices=False)), as_jax(a)))
    if torch is None:
        return
    # How good: |a - u s vh| / |a|, and how far u and vh are from orthogonal.
    exact = as_torch(a).to(torch.complex128 if as_torch(a).is_complex() else torch.float64)

    def quality(u, s, vh):
        u, s, vh = (torch.from_dlpack(x).to(exact.dtype) for x in (u, s, vh))
        k = s.shape[-1]
        one = torch.eye(k, device="cuda", dtype=exact.dtype)
        residual = float((exact - (u * s.unsqueeze(-2)) @ vh).norm() / exact.norm())
        left = float((u.mH @ u - one).norm() / (k * max(1, u.numel() // u.shape[-1] // u.shape[-2])) ** 0.5)
        right = float((vh @ vh.mH - one).norm() / (k * max(1, vh.numel() // vh.shape[-1] // vh.shape[-2])) ** 0.5)
        return residual, max(left, right)

    results = {}
    makers = {"tenon": lambda: tenon.svd(as_tenon(a), full_matrices=False),
              "torch": lambda: torch.linalg.svd(as_torch(a), full_matrices=False)}
    if cupy is not None:
        makers["cupy"] = lambda: cupy.linalg.svd(as_cupy(a), full_matrices=False)
    for library, call in makers.items():
        try:
            results[library] = quality(*call())
        except TimeoutError:
            raise
        except Exception as error:
            print(f"note: {name}, quality of {library}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        tidy()
    row(f"  residual of {name}", "", None, "", **{k: v[0] for k, v in results.items()})
    row(f"  orthogonality of {name}", "", None, "", **{k: v[1] for k, v in results.items()})


# ---- The table ----

def number(x):
    if x is None:
        return "-"
    return f"{x:.3g}" if x < 1e-2 else f"{x:.4f}" if x < 1 else f"{x:.3f}" if x < 100 else f"{x:.1f}"


def table():
    peers = ("cupy", "torch", "jax")
    head = ("what", "unit", "floor", "CuPy", "PyTorch", "JAX", "Tenon", "/floor", "/best peer", "")
    lines = [head]
    for r in ROWS:
        ours, best = r.get("tenon"), min((r[p] for p in peers if r.get(p)), default=None)
        lines.append((r["name"], r["unit"], number(r["floor"]), *(number(r.get(p)) for p in peers), number(ours),
                      f"{ours / r['floor']:.2f}" if ours and r["floor"] else "-", f"{ours / best:.2f}" if ours and best else "-", r["note"]))
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        print("  ".join(cell.ljust(w) if i in (0, 1, 9) else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))).rstrip())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    parser.add_argument("--host")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    sections = {"host": lambda: section_host(options.host), "python": section_python, "copy": section_copy, "gemm": section_gemm,
                "blas": section_blas, "fft": section_fft, "svd": lambda: section_svd(options.long)}
    late = False

    def stop(*_):
        raise TimeoutError

    signal.signal(signal.SIGTERM, stop)  # the table so far is better than none
    for name, run in sections.items():
        if late or (options.only and name not in options.only):
            continue
        start = time.perf_counter()
        try:
            run()
        except TimeoutError:
            late = True
            print(f"note: out of time in section {name}", file=sys.stderr)
        except Exception as error:
            print(f"note: section {name} ended early: {type(error).__name__}: {str(error)[:500]}", file=sys.stderr)
        tidy()
        print(f"note: section {name} took {time.perf_counter() - start:.1f} s", file=sys.stderr)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump({"device": device.description, "toolkit": device.toolkit, "rows": ROWS,
                           "versions": {k: getattr(m, "__version__", "") for k, m in PRESENT.items() if m is not None}}, file, indent=1)
    print(f"{device.description}; {device.toolkit}; " + ", ".join(f"{k} {m.__version__}" for k, m in PRESENT.items() if m is not None))
    table()


if __name__ == "__main__":
    main()
