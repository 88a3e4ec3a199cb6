"""Arrays with more than 2^31 elements, on GPUs with enough memory: checks results at both ends."""

import numpy
import pytest

import tenon

ROWS, COLUMNS = 65544, 32776  # about 2^31 + 793,000


@pytest.fixture(scope="module", params=["cuda:0"])
def cuda(request):
    try:
        device = tenon.Device(request.param)
    except tenon.NotFound as error:
        pytest.skip(f"no cuda:0: {error}")
    if device.info["free_memory"] < 60 << 30:
        pytest.skip("needs 60 GiB of free device memory")
    return device


def test_a_matrix_of_many_elements_is_multiplied(cuda):
    assert ROWS * COLUMNS > 2**31
    a = tenon.full((ROWS, COLUMNS), 0.25, "float16", device=cuda)
    a[-1] = 0.5
    v = tenon.ones((COLUMNS, 8), "float16", device=cuda)
    got = tenon.matmul(a, v, dtype="float32").numpy()
    assert (got[:-1] == COLUMNS / 4).all() and (got[-1] == COLUMNS / 2).all()
    turned = tenon.matmul(v.mT, a.mT, dtype="float32").numpy()
    numpy.testing.assert_array_equal(turned, got.T)


def test_a_product_of_many_elements(cuda):
    left, right = tenon.full((ROWS, 16), 2, "float16", device=cuda), tenon.full((16, COLUMNS), 3, "float16", device=cuda)
    left[-1] = 1
    right[:, -1] = 1
    c = tenon.matmul(left, right, bias=tenon.full((COLUMNS,), 4, "float16", device=cuda), epilogue="relu")
    assert [float(c[i, j]) for i, j in [(0, 0), (0, -1), (-1, 0), (-1, -1), (-2, -2)]] == [100, 36, 52, 20, 100]


def test_a_batch_of_many_elements_is_transformed(cuda):
    x = tenon.zeros((2**21 + 8, 1024), "complex64", device=cuda)
    for row in (0, 2**21, -1):
        x[row, 3] = 1
    tenon.fft(x, out=x)
    want = numpy.exp(-2j * numpy.pi * 3 * numpy.arange(1024) / 1024)
    for row in (0, 2**21, -1):
        numpy.testing.assert_allclose(x[row].numpy(), want, atol=1e-5)
    assert not x[-2].numpy().any() and not x[1].numpy().any()


def test_order_and_frequencies_of_many_elements(cuda):
    n = 2**31 + 4321
    x = tenon.zeros((n,), "uint8", device=cuda)
    x[0], x[-1] = 1, 2
    shifted = tenon.fftshift(x)
    assert [int(shifted[k]) for k in (0, n // 2 - 1, n // 2, n // 2 + 1, n - 1)] == [0, 2, 1, 0, 0]
    del x, shifted
    got = tenon.fftfreq(n, 0.5, dtype="float32", device=cuda)
    for k, place in [(0, 0), (n // 2, n // 2), (-(n // 2), n // 2 + 1), (-1, n - 1), (12345, 12345)]:
        assert float(got[place]) == numpy.float32(k * (1 / (n * 0.5)))


def test_many_elements_are_summed_and_scanned(cuda):
    n = 2**31 + 4321
    x = tenon.ones((n,), "int8", device=cuda)
    x[-1] = 3
    assert int(tenon.sum(x)) == n + 2
    add = tenon.elementwise("T x", "T y", "y = x + 1")
    y = add(x)
    assert [int(y[0]), int(y[-2]), int(y[-1])] == [2, 2, 4]
    running = tenon.scan("int8 x", "int64 y")(x)
    assert [int(running[k]) for k in (0, 2**31 - 1, 2**31, -2, -1)] == [1, 2**31, 2**31 + 1, n - 1, n + 2]
