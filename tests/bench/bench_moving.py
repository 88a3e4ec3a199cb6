#!/usr/bin/env python3
"""Random numbers, sorting and moving beside NumPy on the CPU: medians in milliseconds. Not run by CI.

    TENON_LIBRARY=build/src/api/libtenon.so.1 PYTHONPATH=abi/python python3 tests/bench/bench_moving.py [elements]
"""
import statistics
import sys
import time

import numpy as np

import tenon


def median(call, times=7):
    call()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return 1e3 * statistics.median(taken)


def rows(n):
    rng = np.random.Generator(np.random.Philox(1))
    g = tenon.random.Generator(1, device="cpu:0")
    x, out = rng.random(n, "f4"), tenon.empty(n, "float32", device="cpu:0")
    wide = np.empty(n, "f8")
    wide_out = tenon.empty(n, "float64", device="cpu:0")
    index, mask = rng.integers(0, n, n), rng.random(n) < 0.5
    ours, our_index, our_mask = tenon.asarray(x), tenon.asarray(index), tenon.asarray(mask)
    whole, square = rng.integers(0, 1 << 30, n, "i4"), x[:n // 512 * 512].reshape(-1, 512)
    our_square = tenon.asarray(square)
    yield "uniform float32", lambda: g.uniform(n, out=out), lambda: rng.random(n, "f4", out=x)
    yield "normal float32", lambda: g.normal(n, out=out), lambda: rng.standard_normal(n, "f4", out=x)
    yield "normal float64", lambda: g.normal(n, out=wide_out), lambda: rng.standard_normal(n, "f8", out=wide)
    yield "integers int64 below 1000", lambda: g.integers(1000, shape=n), lambda: rng.integers(0, 1000, n)
    yield "gamma 2.5", lambda: g.gamma(2.5, n // 8), lambda: rng.gamma(2.5, size=n // 8)
    yield "sort float32", lambda: tenon.sort(ours), lambda: np.sort(x)
    yield "sort int32", lambda: tenon.sort(whole), lambda: np.sort(whole)
    yield "argsort float32", lambda: tenon.argsort(ours), lambda: np.argsort(x, kind="stable")
    yield "sort rows of 512", lambda: tenon.sort(our_square), lambda: np.sort(square)
    yield "top 100", lambda: tenon.top_k(ours, 100), lambda: np.partition(x, n - 100)
    yield "unique", lambda: tenon.unique(whole), lambda: np.unique(whole)
    yield "take", lambda: tenon.take(ours, our_index), lambda: x.take(index)
    yield "mask", lambda: ours[our_mask], lambda: x[mask]
    yield "nonzero", lambda: tenon.nonzero(our_mask), lambda: np.nonzero(mask)
    yield "concat", lambda: tenon.concat([ours, ours]), lambda: np.concatenate([x, x])
    yield "roll", lambda: tenon.roll(ours, 7), lambda: np.roll(x, 7)
    yield "bincount", lambda: tenon.bincount(our_index), lambda: np.bincount(index)
    yield "searchsorted", lambda: tenon.searchsorted(our_square[0], ours), \
        lambda: np.searchsorted(np.sort(square[0]), x)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 22
    print(f"{n} elements; milliseconds\n{'':28}{'Tenon':>10}{'NumPy':>10}{'faster':>9}")
    for name, ours, theirs in rows(n):
        a, b = median(ours), median(theirs)
        print(f"{name:28}{a:10.2f}{b:10.2f}{b / a:8.2f}x")


if __name__ == "__main__":
    main()
