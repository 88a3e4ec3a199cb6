#!/usr/bin/env python3
"""Sparse products, quantiles, and reductions and scans of segments beside the peers that are installed: NumPy, SciPy and
PyTorch on the CPU, CuPy and PyTorch on a GPU. Not a test.

bench_sparse.py [--device cuda:0|cpu:0] [--elements N] [--only WORD ...] [--json FILE]

Milliseconds for a call: medians of rounds, each from an idle device until it is idle again. GB/s are the bytes that the
call has to move at least over Tenon's time. Results are compared before they are timed. "own" are products by the
library's kernels where cuSPARSE is installed."""

import argparse
import json
import statistics
import time

import numpy

import tenon
from peers import optional

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--device", default=None)
parser.add_argument("--elements", type=int)
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--json")
arguments = parser.parse_args()

device = tenon.Device(arguments.device)
gpu = device.kind == "cuda"
n = arguments.elements or (1 << 26 if gpu else 1 << 22)
torch, cupy = optional("torch"), optional("cupy") if gpu else None
if gpu and torch is not None and not torch.cuda.is_available():
    torch = None
scipy = None if gpu else optional("scipy.sparse")
if cupy is not None:
    import cupyx.scipy.sparse
rng = numpy.random.default_rng(1)


def wait():
    device.synchronize()
    if gpu and torch is not None:
        torch.cuda.synchronize()
    if cupy is not None:
        cupy.cuda.Device().synchronize()


def milliseconds(call, budget=0.25):
    for _ in range(2):
        call()
    wait()
    times, end = [], time.perf_counter() + budget
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 60):
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def host(x):
    if hasattr(x, "get") and not isinstance(x, tenon.Array):
        return numpy.asarray(x.get())
    return numpy.asarray(x.cpu() if hasattr(x, "cpu") and not isinstance(x, tenon.Array) else x.numpy() if
                         isinstance(x, tenon.Array) else x)


def on(x):
    return tenon.asarray(x, device=device, copy=True)


def peer_arrays(*arrays):
    """The arrays for NumPy or CuPy, and for PyTorch."""
    xp = [cupy.asarray(x) for x in arrays] if cupy is not None else list(arrays)
    tensors = [torch.from_numpy(x).to("cuda" if gpu else "cpu") for x in arrays] if torch is not None else None
    return xp, tensors


def lengths(kind, rows, mean):
    if kind == "even":
        return numpy.full(rows, mean)
    long = numpy.minimum(rng.pareto(1.2, rows) + 1, 50000)  # a few long rows
    return numpy.maximum((long * mean / long.mean()).astype("int64"), 0)


def matrices():
    for kind, rows, mean, dtype in (("even", n // 64, 16, "float32"), ("even", n // 64, 16, "float64"),
                                    ("even", n // 512, 128, "float32"), ("skewed", n // 64, 16, "float32")):
        each = lengths(kind, rows, mean)
        indptr = numpy.concatenate([[0], numpy.cumsum(each)]).astype("int32")
        row = numpy.repeat(numpy.arange(rows), each)
        near = (row + rng.integers(-2000, 2001, row.size)) % rows  # as of a mesh: neighbours are near
        indices = near.astype("int32")
        data = rng.standard_normal(row.size).astype(dtype)
        yield f"{kind} {rows} rows x {mean} {dtype}", data, indices, indptr, rows


def products():
    """Name, bytes, calls by the name of the library."""
    for name, data, indices, indptr, rows in matrices():
        ours = tenon.sparse.csr_array((on(data), on(indices), on(indptr)), shape=(rows, rows))
        theirs, tensor = None, None
        if gpu and cupy is not None:
            theirs = cupyx.scipy.sparse.csr_matrix(tuple(map(cupy.asarray, (data, indices, indptr))), shape=(rows, rows))
        elif not gpu and scipy is not None:
            theirs = scipy.csr_array((data, indices, indptr), shape=(rows, rows))
        if torch is not None:
            tensor = torch.sparse_csr_tensor(*(torch.from_numpy(x).to("cuda" if gpu else "cpu")
                                               for x in (indptr, indices, data)), size=(rows, rows))
        for width in (None, 32):
            b = rng.standard_normal(rows if width is None else (rows, width)).astype(data.dtype)
            x = on(b)
            (xp,), tensors = peer_arrays(b)
            moved = data.nbytes + indices.nbytes + indptr.nbytes + 2 * b.nbytes
            calls = {"tenon": lambda a=ours, x=x: a @ x,
                     "own": lambda a=ours, x=x: a._multiply(x, None, None, None, None, True)}
            if not gpu:
                del calls["own"]
            if theirs is not None:
                calls["cupy" if gpu else "scipy"] = lambda a=theirs, x=xp: a @ x
            if tensor is not None:
                calls["torch"] = lambda a=tensor, x=tensors: a @ x[0]
            yield ("spmv " if width is None else f"spmm x {width} ") + name, moved, calls


def quantiles():
    flat, wide = rng.standard_normal(n // 4, dtype="float32"), rng.standard_normal((n // 16384, 4096), dtype="float32")
    short = rng.standard_normal((n // 128, 32), dtype="float32")
    for name, x, q, axis in (("median of all", flat, 0.5, None), ("3 quantiles of rows of 4096", wide, [0.1, 0.5, 0.9], 1),
                             ("median of rows of 32", short, 0.5, 1)):
        a = on(x)
        (xp,), tensors = peer_arrays(x)
        module = cupy if gpu else numpy
        calls = {"tenon": lambda a=a, q=q, axis=axis: tenon.quantile(a, q, axis)}
        if module is not None:
            at = module.asarray(q) if gpu else q
            calls["cupy" if gpu else "numpy"] = lambda x=xp, q=at, axis=axis: module.quantile(x, q, axis)
        if tensors and x.size <= 1 << 24:
            at = torch.tensor(q, device=tensors[0].device)
            calls["torch"] = lambda x=tensors[0], q=at, axis=axis: torch.quantile(x, q, dim=axis)
        yield name, x.nbytes, calls


def segments():
    x = rng.standard_normal(n, dtype="float32")
    a = on(x)
    (xp,), tensors = peer_arrays(x)
    for mean in (4, 64, 4096, n // 3):
        offsets = numpy.unique(numpy.concatenate([[0, n], rng.integers(0, n, n // mean)]))
        o = on(offsets)
        calls = {"tenon": lambda o=o: tenon.segment_sum(a, offsets=o)}
        if tensors:
            cuts = torch.from_numpy(offsets).to(tensors[0].device)
            calls["torch"] = lambda cuts=cuts: torch.segment_reduce(tensors[0], "sum", offsets=cuts)
        if not gpu:
            calls["numpy"] = lambda cuts=offsets: numpy.add.reduceat(x, cuts[:-1])
        if cupy is not None:
            ids = cupy.asarray(numpy.repeat(numpy.arange(len(offsets) - 1), numpy.diff(offsets)))
            calls["cupy"] = lambda ids=ids: cupy.bincount(ids, weights=xp)
        yield f"sums of segments of {mean}", x.nbytes + offsets.nbytes, calls
        yield f"scan of segments of {mean}", 2 * x.nbytes + offsets.nbytes, \
            {"tenon": lambda o=o: tenon.segment_cumsum(a, offsets=o)}
    keys = numpy.sort(rng.integers(0, n // 64, n).astype("int32"))
    k = on(keys)
    yield "scan by keys", 2 * x.nbytes + keys.nbytes, {"tenon": lambda: tenon.segment_cumsum(a, keys=k)}
    ids = rng.integers(0, n // 64, n)
    i = on(ids)
    calls = {"tenon": lambda: tenon.segment_sum(a, i, n // 64)}
    if tensors:
        places = torch.from_numpy(ids).to(tensors[0].device)
        calls["torch"] = lambda: torch.zeros(n // 64, device=places.device).index_add_(0, places, tensors[0])
    if cupy is not None:
        numbers = cupy.asarray(ids)
        calls["cupy"] = lambda: cupy.bincount(numbers, weights=xp)
    yield "sums by unsorted numbers", x.nbytes + ids.nbytes, calls
    plain = {"tenon": lambda: tenon.cumsum(a)}
    if cupy is not None:
        plain["cupy"] = lambda: cupy.cumsum(xp)
    if tensors:
        plain["torch"] = lambda: torch.cumsum(tensors[0], 0)
    yield "cumsum, for comparison", 2 * x.nbytes, plain


PEERS = ("tenon", "own", "cupy", "scipy", "numpy", "torch")
print(f"{device.description if hasattr(device, 'description') else device}, {n} elements; ms")
print(f"{'':44}{''.join(f'{one:>10}' for one in PEERS)}{'GB/s':>8}")
table = []
for family in (products, quantiles, segments):
    for name, moved, calls in family():
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        row, want = {"name": name, "bytes": moved}, None
        for peer, call in calls.items():
            try:
                got = host(call()).astype("float64")
                if want is None:
                    want = got
                elif got.shape != want.shape or not numpy.allclose(got, want, rtol=1e-3, atol=2e-3 * max(1, abs(want).max())):
                    row[peer] = "differs"
                    continue
                row[peer] = milliseconds(call)
            except Exception as error:  # noqa: BLE001: a peer that cannot do it
                row[peer] = type(error).__name__[:9]
        table.append(row)
        cells = "".join(f"{row[one]:>10.3f}" if isinstance(row.get(one), float) else f"{row.get(one) or '-':>10}" for one in PEERS)
        speed = moved / row["tenon"] / 1e6 if isinstance(row["tenon"], float) else 0
        print(f"{name:44}{cells}{speed:>8.0f}", flush=True)
if arguments.json:
    with open(arguments.json, "w") as file:
        json.dump(table, file, indent=1)
