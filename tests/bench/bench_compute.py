"""Elementwise functions, reductions and scans beside NumPy, on the CPU: medians in milliseconds. Not a test.

    python tests/bench/bench_compute.py [megabytes]
"""

import statistics
import sys
import time

import numpy as np

import tenon


def median(call, budget=0.4):
    call()
    times, end = [], time.perf_counter() + budget
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 200):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def rows(megabytes):
    random = np.random.default_rng(1)
    n = int(megabytes * (1 << 20) / 4)
    side = int(n**0.5)
    a, b = (random.standard_normal(n).astype("float32") for _ in range(2))
    m = a[:side * side].reshape(side, side)
    h = a.astype("float16")
    k = random.integers(-100, 100, n).astype("int32")
    out = np.empty_like(a)
    yield "a + b, float32, out given", (a, b), lambda x, y: tenon.add(x, y, out=O), lambda x, y: np.add(x, y, out=out)
    yield "a + b, float32", (a, b), lambda x, y: x + y, lambda x, y: x + y
    yield "a * 2 + 1 (two calls), float32", (a,), lambda x: x * 2 + 1, lambda x: x * np.float32(2) + np.float32(1)
    yield "a + b, float16", (h, h), lambda x, y: x + y, lambda x, y: x + y
    yield "a + b, int32 and float32", (k, a), lambda x, y: x + y, lambda x, y: x + y
    yield "m + row, float32", (m, m[0]), lambda x, y: x + y, lambda x, y: x + y
    yield "m + m.T, float32", (m, m.T), lambda x, y: x + y, lambda x, y: x + y
    yield "a < b", (a, b), lambda x, y: x < y, lambda x, y: x < y
    yield "where(a < b, a, b)", (a < b, a, b), tenon.where, np.where
    yield "sqrt(abs(a))", (np.abs(a),), tenon.sqrt, np.sqrt
    yield "exp(a)", (a,), tenon.exp, np.exp
    yield "sin(a)", (a,), tenon.sin, np.sin
    yield "astype int32", (a,), lambda x: x.astype("int32"), lambda x: x.astype("int32")
    yield "sum", (a,), tenon.sum, np.sum
    yield "sum, rows", (m,), lambda x: tenon.sum(x, 1), lambda x: np.sum(x, 1)
    yield "sum, columns", (m,), lambda x: tenon.sum(x, 0), lambda x: np.sum(x, 0)
    yield "sum, int32", (k,), tenon.sum, np.sum
    yield "max", (a,), tenon.max, np.max
    yield "argmax", (a,), tenon.argmax, np.argmax
    yield "std", (a,), tenon.std, np.std
    yield "cumsum", (a,), tenon.cumsum, np.cumsum
    yield "cumsum, columns", (m,), lambda x: tenon.cumsum(x, 0), lambda x: np.cumsum(x, 0)
    small = np.ones(16, "float32")
    yield "a + b of 16 elements", (small, small), lambda x, y: x + y, lambda x, y: x + y


if __name__ == "__main__":
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 64
    O = tenon.empty(int(size * (1 << 20) / 4), "float32")
    print(f"{'work':36}{'Tenon':>10}{'NumPy':>10}{'ratio':>8}")
    for name, args, ours, theirs in rows(size):
        arrays = [tenon.asarray(x) for x in args]
        t, p = median(lambda: ours(*arrays)), median(lambda: theirs(*args))
        print(f"{name:36}{t:10.4f}{p:10.4f}{p / t:8.2f}")
