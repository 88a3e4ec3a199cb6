#!/usr/bin/env python3
"""Functions, reductions, scans, moves, sorts and random numbers beside the peers that are installed: NumPy and PyTorch
on the CPU, CuPy and PyTorch on a GPU. Not a test.

bench_arrays.py [--device cuda:0|cpu:0] [--elements N] [--only WORD ...] [--json FILE]

Milliseconds for a call: medians of rounds of calls, each round from an idle device until it is idle again, so that what
the host takes counts where the device waits for it. GB/s are the bytes that the call has to move over Tenon's time.
"""

import argparse
import json
import statistics
import sys
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
rng = numpy.random.default_rng(1)


def wait():
    device.synchronize()
    if gpu and torch is not None:
        torch.cuda.synchronize()
    if cupy is not None:
        cupy.cuda.Device().synchronize()


def milliseconds(call, budget=0.3):
    call()
    wait()
    start = time.perf_counter()
    call()
    wait()
    one = time.perf_counter() - start
    inner = max(1, min(100, int(0.01 / max(one, 1e-7))))
    times, end = [], time.perf_counter() + budget
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 100):
        start = time.perf_counter()
        for _ in range(inner):
            call()
        wait()
        times.append((time.perf_counter() - start) / inner)
    return 1e3 * statistics.median(times)


def rows():
    """Name, bytes that have to move, host arrays, ours, NumPy's and CuPy's (given the module), PyTorch's."""
    side = int(n**0.5)
    a, b = (rng.standard_normal(n, dtype="float32") for _ in range(2))
    m, h = a[:side * side].reshape(side, side), a.astype("float16")
    k = rng.integers(0, 1 << 30, n, "int32")
    index, mask = rng.integers(0, n, n), rng.random(n, "float32") < 0.5
    narrow = a[:n // 512 * 512].reshape(-1, 512)
    bins, small = numpy.sort(a[:512]), numpy.ones(16, "float32")
    T, t = tenon, torch

    yield "a + b", 12 * n, (a, b), T.add, lambda x, a, b: x.add(a, b), lambda a, b: a + b
    yield "a + b float16", 6 * n, (h, h), T.add, lambda x, a, b: x.add(a, b), lambda a, b: a + b
    yield "a + b int32, float32", 12 * n, (k, a), T.add, lambda x, a, b: x.add(a, b), lambda a, b: a + b
    yield "m + row", 8 * n, (m, m[0].copy()), T.add, lambda x, a, b: x.add(a, b), lambda a, b: a + b
    yield "m + m.T", 8 * n, (m,), lambda a: a + a.T, lambda x, a: a + a.T, lambda a: a + a.T
    yield "a < b", 9 * n, (a, b), T.less, lambda x, a, b: x.less(a, b), lambda a, b: a < b
    yield "where", 13 * n, (mask, a, b), T.where, lambda x, c, a, b: x.where(c, a, b), lambda c, a, b: t.where(c, a, b)
    wide = a.astype("float64")
    for x, kind in ((a, ""), (wide, " float64")):
        for name in ("sqrt", "exp", "expm1", "log", "sin", "tan", "tanh", "arctan", "cosh"):
            yield name + kind, 2 * x.itemsize * n, (numpy.abs(x),), getattr(T, name), \
                lambda x, a, f=name: getattr(x, f)(a), lambda a, f=name: getattr(t, f)(a)
        yield "a ** b" + kind, 3 * x.itemsize * n, (numpy.abs(x), x[::-1].copy()), T.pow, lambda x, a, b: x.power(a, b), \
            lambda a, b: t.pow(a, b)
    integers = [(x, to) for x in (a, wide) for to in ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64")]
    for x, to in (*integers, (wide, "float32"), (a, "float64"), (k, "float32"), (a, "float16"), (h, "float32")):
        yield f"{x.dtype} to {to}", (x.itemsize + numpy.dtype(to).itemsize) * n, (x,), \
            lambda a, to=to: a.astype(to), lambda x, a, to=to: a.astype(to), lambda a, to=to: a.to(getattr(t, to))
    # The peers have compilers for such chains too (torch.compile, cupy.fuse); these rows are what their users write first.
    chain = tenon.fuse(lambda a, b: tenon.sqrt(abs((a * b + a) * 2 - b)))
    for x, y, kind in ((a, b, ""), (wide, wide[::-1].copy(), " float64")):
        yield "fused chain" + kind, 3 * x.itemsize * n, (x, y), chain, lambda x, a, b: x.sqrt(abs((a * b + a) * 2 - b)), \
            lambda a, b: t.sqrt(abs((a * b + a) * 2 - b))
    distance = tenon.fuse(lambda a, b: ((a - b) ** 2).sum())
    yield "fused sum of squared differences", 8 * n, (a, b), distance, lambda x, a, b: ((a - b) ** 2).sum(), \
        lambda a, b: ((a - b) ** 2).sum()

    @tenon.fuse
    def softmax(m):
        e = tenon.exp(m - m.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def softmax_of(x, m):
        e = x.exp(m - m.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    yield "fused softmax of rows", 16 * n, (m,), softmax, softmax_of, lambda m: t.softmax(m, 1)
    yield "fused chain of 16 elements", 0, (small, small), chain, lambda x, a, b: x.sqrt(abs((a * b + a) * 2 - b)), \
        lambda a, b: t.sqrt(abs((a * b + a) * 2 - b))
    yield "a + b of 16 elements", 0, (small, small), T.add, lambda x, a, b: x.add(a, b), lambda a, b: a + b
    yield "sum", 4 * n, (a,), T.sum, lambda x, a: x.sum(a), lambda a: a.sum()
    yield "sum of rows", 4 * n, (m,), lambda a: T.sum(a, 1), lambda x, a: x.sum(a, 1), lambda a: a.sum(1)
    yield "sum of columns", 4 * n, (m,), lambda a: T.sum(a, 0), lambda x, a: x.sum(a, 0), lambda a: a.sum(0)
    yield "max", 4 * n, (a,), T.max, lambda x, a: x.max(a), lambda a: a.max()
    yield "argmax", 4 * n, (a,), T.argmax, lambda x, a: x.argmax(a), lambda a: a.argmax()
    yield "std", 4 * n, (a,), T.std, lambda x, a: x.std(a), lambda a: a.std(correction=0)
    yield "cumsum", 8 * n, (a,), T.cumsum, lambda x, a: x.cumsum(a), lambda a: a.cumsum(0)
    yield "cumsum of columns", 8 * n, (m,), lambda a: T.cumsum(a, 0), lambda x, a: x.cumsum(a, 0), lambda a: a.cumsum(0)
    yield "sort float32", 8 * n, (a,), T.sort, lambda x, a: x.sort(a), lambda a: t.sort(a)[0]
    yield "sort int32", 8 * n, (k,), T.sort, lambda x, a: x.sort(a), lambda a: t.sort(a)[0]
    yield "argsort float32", 12 * n, (a,), T.argsort, \
        lambda x, a: x.argsort(a) if x is cupy else x.argsort(a, kind="stable"), lambda a: t.argsort(a, stable=True)
    yield "sort rows of 512", 8 * n, (narrow,), T.sort, lambda x, a: x.sort(a), lambda a: t.sort(a)[0]
    for width in (8, 32, 100):
        short = a[:n // width * width].reshape(-1, width)
        for x, kind in ((short, ""), (short.astype("float64"), " float64")):
            yield f"sort rows of {width}{kind}", 2 * x.nbytes, (x,), T.sort, lambda x, a: x.sort(a), \
                lambda a: t.sort(a)[0]
            yield f"argsort rows of {width}{kind}", x.nbytes + 8 * n, (x,), T.argsort, \
                lambda x, a: x.argsort(a) if x is cupy else x.argsort(a, kind="stable"), \
                lambda a: t.argsort(a, stable=True)
            yield f"argmax of rows of {width}{kind}", x.nbytes, (x,), lambda a: T.argmax(a, 1), \
                lambda x, a: x.argmax(a, 1), lambda a: a.argmax(1)
    yield "top 100", 4 * n, (a,), lambda a: T.top_k(a, 100), lambda x, a: x.partition(a, n - 100), \
        lambda a: t.topk(a, 100)
    yield "unique", 4 * n, (k,), T.unique, lambda x, a: x.unique(a), lambda a: t.unique(a)
    yield "take", 16 * n, (a, index), T.take, lambda x, a, i: x.take(a, i), lambda a, i: t.take(a, i)
    eights = a[:n // 8 * 8].reshape(-1, 8)
    yield "take rows of 8", 8 * n, (eights, index[:n // 8] // 8), lambda a, i: T.take(a, i, axis=0), \
        lambda x, a, i: x.take(a, i, axis=0), lambda a, i: t.index_select(a, 0, i)
    yield "lower triangle", 6 * n, (m,), T.tril, lambda x, a: x.tril(a), lambda a: t.tril(a)
    yield "mask", 7 * n, (a, mask), lambda a, c: a[c], lambda x, a, c: a[c], lambda a, c: a[c]
    yield "nonzero", 5 * n, (mask,), T.nonzero, lambda x, c: x.nonzero(c), lambda c: t.nonzero(c)
    yield "concat", 16 * n, (a, b), lambda a, b: T.concat([a, b]), lambda x, a, b: x.concatenate([a, b]), \
        lambda a, b: t.cat([a, b])
    yield "roll", 8 * n, (a,), lambda a: T.roll(a, 7), lambda x, a: x.roll(a, 7), lambda a: t.roll(a, 7)
    yield "bincount", 16 * n, (index,), T.bincount, lambda x, i: x.bincount(i), lambda i: t.bincount(i)
    yield "searchsorted", 12 * n, (bins, a), T.searchsorted, lambda x, s, v: x.searchsorted(s, v), \
        lambda s, v: t.searchsorted(s, v)
    yield "histogram of 100 bins", 4 * n, (a,), lambda a: T.histogram(a, 100), lambda x, a: x.histogram(a, 100), \
        lambda a: t.histc(a, 100)
    yield "isin, 100 elements", 5 * n, (k, k[:100].copy()), T.isin, lambda x, a, b: x.isin(a, b), \
        lambda a, b: t.isin(a, b)
    yield "k // 7", 8 * n, (k,), lambda a: a // 7, lambda x, a: a // 7, lambda a: a // 7
    yield "k % 7", 8 * n, (k,), lambda a: a % 7, lambda x, a: a % 7, lambda a: a % 7
    for width in (4, 8, 16):
        squares = a[:n // width**2 * width**2].reshape(-1, width, width)
        yield f"products {width} x {width}", 12 * n, (squares, squares), T.matmul, lambda x, a, b: x.matmul(a, b), \
            lambda a, b: t.matmul(a, b)
    g = tenon.random.Generator(1, device=device)
    made = {one: one.random.default_rng(1) for one in (numpy, cupy) if one is not None}
    where = "cuda" if gpu else "cpu"
    yield "uniform", 4 * n, (), lambda: g.uniform(n, "float32"), lambda x: made[x].random(n, "float32"), \
        lambda: t.rand(n, device=where)
    yield "normal", 4 * n, (), lambda: g.normal(n, "float32"), \
        lambda x: made[x].standard_normal(n, dtype="float32"), lambda: t.randn(n, device=where)
    yield "integers below 1000", 8 * n, (), lambda: g.integers(1000, shape=n), lambda x: made[x].integers(0, 1000, n), \
        lambda: t.randint(1000, (n,), device=where)


def main():
    table = []
    names = ["numpy"] * (not gpu) + ["cupy"] * (cupy is not None) + ["torch"] * (torch is not None)
    print(f"{device}, {n} elements, milliseconds")
    print(f"{'':30}{'Tenon':>10}" + "".join(f"{one:>10}" for one in names) + f"{'of best':>9}{'GB/s':>8}")
    for name, moved, inputs, ours, theirs, torchs in rows():
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        values = {}
        for library in ["tenon", *names]:
            try:
                if library == "tenon":
                    own = [tenon.asarray(one).to_device(device) for one in inputs]
                    values[library] = milliseconds(lambda: ours(*own))
                elif library == "torch":
                    own = [torch.from_numpy(one).to("cuda" if gpu else "cpu") for one in inputs]
                    values[library] = milliseconds(lambda: torchs(*own))
                else:
                    module = cupy if library == "cupy" else numpy
                    own = [module.asarray(one) for one in inputs]
                    values[library] = milliseconds(lambda: theirs(module, *own))
            except Exception as error:  # a peer that lacks it, or a fault that the table shows as a gap
                print(f"note: {name}, {library}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            own = None
        best = min((values[one] for one in names if one in values), default=None)
        mine = values.get("tenon")
        table.append({"name": name, "bytes": moved, **values})
        print(f"{name:30}" + "".join(f"{values[one]:10.4f}" if one in values else f"{'-':>10}" for one in
                                     ["tenon", *names]) +
              (f"{best / mine:8.2f}x" if best and mine else f"{'-':>9}") +
              (f"{moved / mine / 1e6:8.0f}" if mine and moved else ""), flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"device": str(device), "elements": n, "rows": table}, file, indent=1)


if __name__ == "__main__":
    main()
