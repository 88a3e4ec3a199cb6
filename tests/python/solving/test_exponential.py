"""The exponential of matrices, judged by exact cases and by Taylor's series in long integers."""

import math
from fractions import Fraction

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample

DTYPES = REAL + COMPLEX
BITS = 600  # after the binary point


def exact(a):
    """e^a of a real matrix, to far more digits than any dtype has."""
    one, n = 1 << BITS, len(a)
    halvings = max(0, math.ceil(math.log2(max(1.0, float(abs(a).sum(axis=0).max()))))) + 2
    x = numpy.array([[int(Fraction(float(v)) * one) >> halvings for v in row] for row in a], dtype=object).reshape(n, n)
    term = numpy.array([[one * (i == j) for j in range(n)] for i in range(n)], dtype=object).reshape(n, n)
    total = term
    for k in range(1, 150):  # the last term is below 2^-BITS
        term = (term.dot(x) >> BITS) // k
        total = total + term
    for _ in range(halvings):
        total = total.dot(total) >> BITS
    return numpy.array([[float(Fraction(int(v), one)) for v in row] for row in total]).reshape(n, n)


def graded(random, n):
    d = 10.0 ** numpy.linspace(-4, 4, n)
    return random.standard_normal((n, n)) * d[:, None] / d


MATRICES = {
    "random": lambda random, n: random.standard_normal((n, n)),
    "graded": graded,
    "nilpotent": lambda random, n: numpy.triu(random.standard_normal((n, n)), 1) * 100,
    "upper": lambda random, n: numpy.triu(random.standard_normal((n, n))) * 3,
    "lower": lambda random, n: numpy.tril(random.standard_normal((n, n))) * 3,
    "stiff": lambda random, n: numpy.tril(random.standard_normal((n, n)), -1) * 1e3 - numpy.diag(random.random(n) * 50),
    "far from normal": lambda random, n: numpy.diag((-1.0) ** numpy.arange(n)) + numpy.diag(1e5 ** (numpy.arange(n - 1) % 2), 1),
}


@pytest.mark.parametrize("n", [1, 2, 5, 16])
@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("dtype", REAL)
def test_exponentials_are_right(device, random, dtype, name, n):
    a = (MATRICES[name](random, n) * (0.1 if dtype == "float32" and n > 5 else 1)).astype(dtype)
    right = exact(a)
    got = tenon.expm(on(device, a)).numpy().astype("float64")
    # Both are computed in double precision; single precision is then rounded once.
    room = 400 * n * eps("float64") + (2 * eps(dtype) if dtype == "float32" else 0)
    assert numpy.linalg.norm(got - right) <= room * numpy.linalg.norm(right)
    if name in ("nilpotent", "upper", "far from normal", "lower", "stiff"):
        outside = numpy.tril(got, -1) if name not in ("lower", "stiff") else numpy.triu(got, 1)
        assert not outside.any()
        numpy.testing.assert_allclose(numpy.diag(got), numpy.exp(numpy.diag(a).astype("float64")), rtol=4 * eps(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_matrices_far_from_normal_are_not_squared_too_often(device, dtype):
    for size in (1e5, 9e5, 1e9):
        a = numpy.array([[1, size], [0, -1]]).astype(dtype)
        x = float(a[0, 1].real)
        expected = numpy.array([[math.e, x * math.sinh(1)], [0, 1 / math.e]])
        for turned, right in ((a, expected), (a.T.copy(), expected.T)):
            got = tenon.expm(on(device, turned)).numpy()
            numpy.testing.assert_allclose(got, right.astype(dtype), rtol=4 * eps(dtype), atol=0)
            assert numpy.array_equal(got == 0, turned == 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_norms_are_no_reason_to_refuse(device, dtype):
    for size in (2e6, 1e30):
        jump = numpy.array([[0, size], [0, 0]]).astype(dtype)
        numpy.testing.assert_array_equal(tenon.expm(on(device, jump)).numpy(), jump + numpy.eye(2, dtype=dtype))
    numpy.testing.assert_array_equal(tenon.expm(on(device, (numpy.eye(3) * -2e6).astype(dtype))).numpy(), 0)
    numpy.testing.assert_array_equal(tenon.expm(on(device, numpy.array([[0, 1e300], [0, 0]]))).numpy(), [[1, 1e300], [0, 1]])
    # With a rate of k = 1e7, the exponential of [[-k, k], [0, 0]] tends to [[0, 1], [0, 1]].
    rates = numpy.array([[-1e7, 1e7], [0, 0]]).astype(dtype)
    numpy.testing.assert_allclose(tenon.expm(on(device, rates)).numpy(), [[0, 1], [0, 1]], rtol=4 * eps(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_matrices_of_a_batch_are_as_if_alone(device, random, dtype):
    a = sample(random, (8, 6, 6), dtype) * numpy.array([1e-3, 1, 4, 0, 1, 1, 4, 0.1])[:, None, None].astype(dtype)
    a[1], a[2], a[4], a[5] = numpy.triu(a[1]), numpy.triu(a[2]), numpy.tril(a[4]), numpy.tril(a[5])
    a[7, 0, 1] = 1e6
    a[7, 1:, 0] = 0
    got = tenon.expm(on(device, a)).numpy()
    for one, here in zip(a, got):
        alone = tenon.expm(on(device, one)).numpy()
        assert numpy.linalg.norm(here - alone) <= 4 * max(eps(dtype), 100 * eps("float64")) * numpy.linalg.norm(alone)
        assert not numpy.any(here[(alone == 0)])
    assert not numpy.tril(got[2], -1).any() and not numpy.triu(got[5], 1).any()
    numpy.testing.assert_array_equal(got[3], numpy.eye(6))
    assert numpy.array_equal(tenon.expm(on(device, a.reshape(2, 4, 6, 6))).numpy().reshape(a.shape), got)


@pytest.mark.parametrize("dtype", DTYPES)
def test_empty_and_single_matrices(device, dtype):
    assert tenon.expm(on(device, numpy.zeros((0, 0), dtype))).shape == (0, 0)
    assert tenon.expm(on(device, numpy.zeros((0, 3, 3), dtype))).shape == (0, 3, 3)
    x = numpy.array([-700, -3, -1e-9, 0, 0.5, 80]).astype(dtype)
    if dtype in COMPLEX:
        x += numpy.array(1j * numpy.arange(6)).astype(dtype)
    right = numpy.exp(x.astype("complex128" if dtype in COMPLEX else "float64")).astype(dtype)
    numpy.testing.assert_allclose(tenon.expm(on(device, x.reshape(6, 1, 1))).numpy().ravel(), right, rtol=4 * eps(dtype), atol=0)


def test_what_overflows_is_refused(device):
    for a in (numpy.eye(3) * 1e9, numpy.eye(3, dtype="float32") * 100, numpy.ones((2, 3, 3)) * [[[1.0]], [[400.0]]]):
        with pytest.raises(tenon.SizeOverflow, match="matrix 1 of the batch of 2 .*overflows" if a.ndim == 3 else "overflows"):
            tenon.expm(on(device, a))
    with pytest.raises(tenon.SizeOverflow, match="squarings: after more than 50"):
        tenon.expm(on(device, numpy.array([[0, -1e18], [1e18, 0]])))
    with pytest.raises(tenon.SizeOverflow, match="1-norm that overflows"):
        tenon.expm(on(device, numpy.full((3, 3), 1.7e308)))
