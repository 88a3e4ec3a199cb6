"""Streams with concurrent work do not share plans, handles or workspaces."""

import threading

import numpy
import pytest

import tenon
from conftest import on

N = 48


def chain(steps, x, q, work, stream):
    """x after `steps` steps, each a product with an orthogonal matrix, a transform and its inverse: any error
    persists."""
    y, spectrum = work
    for _ in range(steps):
        tenon.gemm(q, x, y, stream=stream)
        tenon.fft2(y, out=spectrum, stream=stream)
        tenon.ifft2(spectrum, out=x, stream=stream)


@pytest.mark.parametrize("threads", [False, True])
def test_concurrent_streams_give_the_bits_of_one_alone(device, threads):
    steps = 100_000 if device.name.startswith("cuda") else 2_000
    random = numpy.random.default_rng(5)
    starts, turns = [], []
    for _ in range(2):
        starts.append((random.standard_normal((N, N)) + 1j * random.standard_normal((N, N))).astype("complex64"))
        turns.append(on(device, numpy.linalg.qr(random.standard_normal((N, N)) + 1j * random.standard_normal((N, N)))[0].astype("complex64")))

    def state(i):
        x = on(device, starts[i])
        return x, turns[i], (tenon.zeros(x.shape, "complex64", device=device), tenon.zeros(x.shape, "complex64", device=device))

    alone = []
    for i in range(2):
        x, q, work = state(i)
        chain(steps, x, q, work, None)
        alone.append(x.numpy())
        assert 0.5 < numpy.linalg.norm(alone[i]) / numpy.linalg.norm(starts[i]) < 2  # it has neither grown nor vanished

    states = [state(i) for i in range(2)]
    streams = [tenon.Stream(device) for _ in range(2)]
    device.synchronize()
    if threads:
        workers = [threading.Thread(target=chain, args=(steps, *states[i], streams[i])) for i in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    else:
        for _ in range(steps):
            for i in range(2):
                chain(1, *states[i], streams[i])
    for i in range(2):
        assert states[i][0].tobytes() == alone[i].tobytes()
