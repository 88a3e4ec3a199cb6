"""The same arguments give the same bits, for repeated calls and for calls from several threads at once."""

import threading

import numpy
import pytest

import tenon
from conftest import on

N = 96
REPEATS = 1000
SLOW = ("eigh", "svd")  # tens of milliseconds a call on the CPU


def square(device, random, dtype="float32"):
    return on(device, random.standard_normal((N, N)).astype(dtype))


def positive(device, random):
    a = random.standard_normal((N, N))
    return on(device, a @ a.T + N * numpy.eye(N))


WORK = {
    "matmul": lambda a, p: tenon.matmul(a, a),
    "matmul of float16": lambda a, p: tenon.matmul(a.astype("float16"), a.astype("float16"), epilogue="gelu"),
    "einsum": lambda a, p: tenon.einsum("ij,kj->ki", a, a),
    "solve": lambda a, p: tenon.solve(a, p.astype("float32")),
    "cholesky": lambda a, p: tenon.cholesky(p),
    "qr": lambda a, p: tenon.qr(a)[0],
    "eigh": lambda a, p: tenon.eigh(p)[1],
    "svd": lambda a, p: tenon.svd(a)[0],
    "inv": lambda a, p: tenon.inv(p),
    "fft2": lambda a, p: tenon.fft2(a),
    "dct": lambda a, p: tenon.dct(a),
    "convolve": lambda a, p: tenon.convolve(a, a[:9, :9], mode="same"),
    "sum": lambda a, p: tenon.sum(a),
    "cumsum": lambda a, p: tenon.cumsum(a.reshape(-1)),
}


@pytest.mark.parametrize("name", WORK)
def test_bits_are_the_same_each_time(device, random, name):
    a, p = square(device, random), positive(device, random)
    work = WORK[name]
    expected = work(a, p).tobytes()
    assert any(expected)
    different = []

    def repeat(count):
        different.extend(k for k in range(count) if work(a, p).tobytes() != expected)

    times = REPEATS // 4 if name in SLOW and device.name.startswith("cpu") else REPEATS
    repeat(times // 2)
    threads = [threading.Thread(target=repeat, args=(times // 4,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not different
