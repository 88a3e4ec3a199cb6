"""Linear algebra and Fourier transforms beside the peers that are installed, in one run: NumPy, SciPy and PyTorch on the CPU,
CuPy and PyTorch on a GPU.

bench_linalg.py [--device cuda:0|cpu:0] [--only WORD ...] [--json FILE] [--seconds S]

Every call starts from memory that is there and ends with its result complete. Rounds go from library to library, and the best of
each library's times is kept, so that another program's work on the machine hits none alone. Data are random. Results are compared
before they are timed.
"""

import argparse
import json
import sys
import time

import numpy

import tenon
from peers import optional

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--device", default="cpu:0")
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--json")
parser.add_argument("--seconds", type=float, default=3, help="for each library and row")
arguments = parser.parse_args()
device = tenon.Device(arguments.device)
gpu = device.name.startswith("cuda")
torch, cupy = optional("torch"), optional("cupy") if gpu else None
scipy_fft, scipy_linalg = (None, None) if gpu else (optional("scipy.fft"), optional("scipy.linalg"))
where = arguments.device.replace("cpu:0", "cpu")
if torch is not None and gpu and not torch.cuda.is_available():
    torch = None
random = numpy.random.default_rng(1)


def synchronize():
    if gpu:
        device.synchronize()
        for library in (torch and torch.cuda, cupy and cupy.cuda.Device()):
            if library:
                library.synchronize()


def best_times(calls):
    """Seconds, the best of several rounds."""
    times = {name: [] for name in calls}
    end = time.perf_counter() + arguments.seconds * len(calls)
    while time.perf_counter() < end or min(map(len, times.values())) < 3:
        for name, call in calls.items():
            synchronize()
            start = time.perf_counter()
            call()
            synchronize()
            times[name].append(time.perf_counter() - start)
    return {name: min(list_) for name, list_ in times.items()}


def square(*shape, dtype="float64"):
    return random.standard_normal(shape).astype(dtype)


def spd(*shape):
    a = square(*shape)
    return a @ numpy.swapaxes(a, -1, -2) + shape[-1] * numpy.eye(shape[-1])


def symmetric(*shape):
    a = square(*shape)
    return a + numpy.swapaxes(a, -1, -2)


# name: data, then how each library does it. NumPy's and CuPy's, PyTorch's and Tenon's spellings agree but where said.
def rows():
    for n in (512, 2048):
        yield f"solve {n}, 16 right sides", (square(n, n), square(n, 16)), ("linalg.solve", "linalg.solve", tenon.solve)
        yield f"qr {n}", (square(n, n),), ("linalg.qr", "linalg.qr", tenon.qr)
        yield f"eigh {n}", (symmetric(n, n),), ("linalg.eigh", "linalg.eigh", tenon.eigh)
        yield f"cholesky {n}", (spd(n, n),), ("linalg.cholesky", "linalg.cholesky", tenon.cholesky)
    for batch, n in ((1000, 16), (1000, 32), (10000, 3), (100, 64)):
        yield from small_batch(batch, n)
    yield "solve 16 x 16", (square(16, 16), square(16, 1)), ("linalg.solve", "linalg.solve", tenon.solve)
    for dtype in ("float32", "float64"):
        yield f"rfft2 2048 x 2048 {dtype}", (square(2048, 2048, dtype=dtype),), ("fft.rfft2", "fft.rfft2", tenon.rfft2)
    yield "rfft 4096 x 1000 float32", (square(4096, 1000, dtype="float32"),), ("fft.rfft", "fft.rfft", tenon.rfft)


    for dtype in ("float32", "float64"):
        a, x = square(4096, 4096, dtype=dtype), square(4096, dtype=dtype)
        yield f"gemv 4096 {dtype}", (a, x), ("matmul", "mv", tenon.blas.gemv)
        yield f"gemv 4096 {dtype}, transposed", (a.T, x), ("matmul", "mv", tenon.blas.gemv)
    yield "gemv 1000 x 64 x 64 float32", (square(1000, 64, 64, dtype="float32"), square(1000, 64, dtype="float32")), (
        lambda library: lambda a, x: library.matmul(a, x[..., None])[..., 0], lambda library: lambda a, x: library.bmm(a, x[..., None])[..., 0], tenon.blas.gemv)
    for n in (1 << 12, 1 << 24):
        x, y = square(n, dtype="float32"), square(n, dtype="float32")
        yield f"axpy {n} float32", (x, y), (None, lambda library: lambda x, y: y.add_(x, alpha=1e-9), lambda x, y: tenon.blas.axpy(x, y, alpha=1e-9))
        yield f"nrm2 {n} float32", (x,), ("linalg.norm", "linalg.norm", tenon.blas.nrm2)
    yield "outer product 2048 float64, added", (square(2048, 2048), square(2048), square(2048)), (
        None, lambda library: lambda a, x, y: a.addr_(x, y, alpha=1e-9), lambda a, x, y: tenon.blas.ger(x, y, a, alpha=1e-9))
    whole, other = symmetric(1024, 1024), square(1024, 1024)
    yield "symm 1024 float64", (whole, other), ("matmul", "matmul", tenon.blas.symm)
    yield "syrk 1024 float64", (other,), (lambda library: lambda a: library.tril(a @ a.T), lambda library: lambda a: (a @ a.T).tril_(), tenon.blas.syrk)
    lists = [square(1000, 32, 32, dtype="float32") for _ in range(3)]
    yield "lists, 1000 of 32 x 32 float32", lists, (lambda library: lambda a, b, c: library.matmul(a, b, out=c)[0],
                                                    lambda library: lambda a, b, c: library.bmm(a, b, out=c)[0], in_lists(tenon.blas.gemm_grouped))

    # What has no spelling of its own: a function of the library's module makes the call; None: it has none.
    n, k = (4096, 100) if gpu else (1024, 30)
    flat = random.random((n, n)).astype("float32")
    values = lambda library: lambda a: library.linalg.svd(a, full_matrices=False)[1]
    yield f"svd {n} float32, vectors", (flat,), (values, values, lambda a: tenon.svd(a, full_matrices=False)[1])
    leading = lambda library: lambda a: library.linalg.svd(a, full_matrices=False)[1][:k]
    yield f"svd {n} float32, leading {k}", (flat,), (leading, leading, lambda a: tenon.svd(a, k=k)[1])
    yield "svd 100000 x 100 float32, vectors", (square(100000, 100, dtype="float32"),), (values, values, lambda a: tenon.svd(a, full_matrices=False)[1])
    bytes_ = [random.integers(-128, 128, (n, n)).astype("int8") for _ in range(2)]
    yield f"int8 product {n}", bytes_, (None if gpu else lambda library: lambda a, b: (a.astype("float32") @ b.astype("float32")),
                                        lambda library: library._int_mm, tenon.matmul)
    layer = (square(n, n, dtype="float32"), square(n, n, dtype="float32"), square(n, dtype="float32"))
    yield f"product {n} float32, bias and ReLU", layer, (lambda library: lambda a, b, c: library.maximum(a @ b + c, 0),
                                                         lambda library: lambda a, b, c: library.relu(library.addmm(c, a, b)),
                                                         lambda a, b, c: tenon.matmul(a, b, bias=c, epilogue="relu"))
    yield f"ldl {n}", (symmetric(n, n),), (None, lambda library: library.linalg.ldl_factor, tenon.ldl_factor)
    for dtype in ("float32", "float64"):
        yield f"dct 4096 x 1000 {dtype}", (square(4096, 1000, dtype=dtype),), (cosine, None, tenon.dct)


def small_batch(batch, n):
    """Batches of small matrices, by Tenon's own kernels."""
    def named(operation):
        return f"small {operation} {batch} x {n} x {n}"

    def narrow(*arrays):
        return [x.astype("float32") for x in arrays]

    general = square(batch, n, n) + 4 * numpy.eye(n)
    values = lambda library: lambda a: library.linalg.svd(a)[1]
    yield named("qr"), narrow(square(batch, n, n)), ("linalg.qr", "linalg.qr", tenon.qr)
    yield named("eigh"), narrow(symmetric(batch, n, n)), ("linalg.eigh", "linalg.eigh", tenon.eigh)
    yield named("svd"), narrow(square(batch, n, n)), (values, values, lambda a: tenon.svd(a)[1])
    yield named("solve"), narrow(general, square(batch, n, 1)), ("linalg.solve", "linalg.solve", tenon.solve)
    yield named("inverse"), narrow(general), ("linalg.inv", "linalg.inv", tenon.inv)
    yield named("cholesky"), narrow(spd(batch, n, n)), ("linalg.cholesky", "linalg.cholesky", tenon.cholesky)


def in_lists(call):
    """The call on lists of matrices, which are made once; the first result."""
    made = []

    def run(*arrays):
        if not made:
            made.extend([array[i] for i in range(len(array))] for array in arrays)
        return call(*made)[0]
    return run


def cosine(library):
    """The DCT of SciPy or of CuPy's likeness of it."""
    module = optional("cupyx.scipy.fft" if library is cupy else "scipy.fft")
    return module and module.dct


def find(module, path):
    if not isinstance(path, str):
        return path and path(module)
    for part in path.split("."):
        module = getattr(module, part)
    return module


def first(result):
    return result[0] if isinstance(result, tuple) else result


results = []
libraries = ["tenon", *(["cupy"] if cupy else []), *([] if gpu else ["numpy"]), *(["scipy"] if scipy_fft else []), *(["torch"] if torch else [])]
print(f"{device.name}: {device.description}; milliseconds, and the best peer's time over Tenon's")
print(f"{'':34}" + "".join(f"{name:>12}" for name in libraries) + f"{'ratio':>10}")
for name, data, (numpys, torchs, ours) in rows():
    if arguments.only and not any(word in name for word in arguments.only):
        continue
    there = [tenon.asarray(x).to_device(device) for x in data]
    calls = {"tenon": lambda: ours(*there)}

    def add(name, module, path, operands):
        call = find(module, path)
        if call:
            calls[name] = lambda: call(*operands)

    reference = find(numpy, numpys)
    exact = first(reference(*data)) if reference else None
    if not gpu:
        if reference:
            calls["numpy"] = lambda: reference(*data)
        if scipy_fft and isinstance(numpys, str) and numpys.startswith("fft"):
            calls["scipy"] = lambda: find(scipy_fft, numpys[4:])(*data, workers=-1)
    if cupy:
        add("cupy", cupy, numpys, [cupy.asarray(x) for x in data])
    if torch:
        add("torch", torch, torchs, [torch.from_numpy(x).to(where) for x in data])
    got = first(ours(*there)).numpy()
    if "qr" in name:  # signs are free
        got, exact = numpy.abs(got), numpy.abs(exact)
    if exact is None:
        pass
    elif not numpy.allclose(got, exact, rtol=1e-3, atol=1e-3 * numpy.abs(exact).max()):
        sys.exit(f"{name}: the result is not NumPy's")
    times = best_times(calls)
    ratio = min((value for key, value in times.items() if key != "tenon"), default=float("nan")) / times["tenon"]
    print(f"{name:34}" + "".join(f"{times[key] * 1e3:12.3f}" if key in times else f"{'-':>12}" for key in libraries) + f"{ratio:10.2f}", flush=True)
    results.append({"row": name, "seconds": times, "ratio": ratio})
if arguments.json:
    with open(arguments.json, "w") as file:
        json.dump({"device": device.description, "rows": results}, file, indent=1)
