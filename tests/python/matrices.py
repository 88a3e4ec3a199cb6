"""Easy and hard matrices for linear algebra, and LAPACK's test ratios: residuals divided by (constant, size, norm,
epsilon), which must stay below 30. Residuals are computed in the host's long double."""

import fractions
import math

import numpy

from conftest import eps

THRESHOLD = 30  # the threshold of LAPACK's test programs


def banded(random, n):
    return numpy.triu(numpy.tril(random.standard_normal((n, n)), 2), -1)


def toeplitz(random, n):
    values = random.standard_normal(2 * n + 1)
    return values[numpy.subtract.outer(numpy.arange(n), numpy.arange(n)) + n]


def orthogonal(random, n):
    return numpy.linalg.qr(random.standard_normal((n, n)))[0]


# Square real matrices by their size; complex ones get a random unitary factor that changes no singular value.
SQUARE = {
    "random": lambda random, n: random.standard_normal((n, n)),
    "hilbert": lambda random, n: 1 / (1.0 + numpy.add.outer(numpy.arange(n), numpy.arange(n))),
    "vandermonde": lambda random, n: numpy.vander(numpy.linspace(0.1, 1, n)),
    "graded": lambda random, n: random.standard_normal((n, n)) * 10.0 ** -(numpy.arange(n) * 8 / max(n, 1)),
    "toeplitz": toeplitz,
    "orthogonal": orthogonal,
    "defective": lambda random, n: numpy.eye(n) * 0.5 + numpy.eye(n, k=1),
    "banded": lambda random, n: banded(random, n) + 4 * numpy.eye(n),
    "large": lambda random, n: random.standard_normal((n, n)) * 1e15,
    "small": lambda random, n: random.standard_normal((n, n)) * 1e-15,
}
SIZES = [1, 2, 3, 7, 16, 33, 64]


def square(random, name, n, dtype):
    a = SQUARE[name](random, n)
    if numpy.dtype(dtype).kind == "c":
        a = a * numpy.exp(2j * math.pi * random.random(n))[:, None]
    return a.astype(dtype)


def hermitian(random, name, n, dtype):
    a = square(random, name, n, dtype).astype(wide_type(dtype))
    return (a + adjoint(a)).astype(dtype)


def positive(random, name, n, dtype):
    """a a^H plus a small multiple of its norm on the diagonal, so that it stays positive definite after rounding."""
    a = square(random, name, n, dtype).astype(wide_type(dtype))
    p = a @ adjoint(a)
    return (p + 8 * n * eps(dtype) * float(one_norm(p)) * numpy.eye(n)).astype(dtype)


def wide_type(dtype):
    return "clongdouble" if numpy.dtype(dtype).kind == "c" else "longdouble"


def wide(x):
    """A NumPy or Tenon array in long double."""
    x = x if isinstance(x, numpy.ndarray) else x.numpy()
    return x.astype(wide_type(x.dtype))


def adjoint(x):
    return numpy.swapaxes(x, -1, -2).conj()


def one_norm(x):
    return numpy.abs(x).sum(axis=-2).max(axis=-1, initial=0)


def ratio(residual, *sizes, dtype):
    """The maximum of |residual| / (sizes epsilon) over the batch, in the 1-norm."""
    bound = numpy.longdouble(eps(dtype))
    for size in sizes:
        bound = bound * size
    size = one_norm(residual)
    assert not numpy.isnan(size).any()
    return float(numpy.max(numpy.where(size == 0, 0, size / numpy.maximum(bound, numpy.finfo("longdouble").tiny)), initial=0))


def unitary_ratio(q, dtype):
    """The test ratio for the orthonormality of the columns of q."""
    return ratio(adjoint(q) @ q - numpy.eye(q.shape[-1]), max(q.shape[-2], 1), dtype=dtype)


def exact_determinant(a):
    """The determinant, computed exactly with fractions."""
    rows, value = [[fractions.Fraction(float(x)) for x in row] for row in a], fractions.Fraction(1)
    for i in range(len(rows)):
        pivot = next((j for j in range(i, len(rows)) if rows[j][i]), None)
        if pivot is None:
            return fractions.Fraction(0)
        if pivot != i:
            rows[i], rows[pivot], value = rows[pivot], rows[i], -value
        value *= rows[i][i]
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [x - factor * y for x, y in zip(rows[j], rows[i])]
    return value
