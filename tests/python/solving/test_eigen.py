"""Eigenvalues, norms and functions of matrices, judged by LAPACK's residual ratios and exact cases."""

import itertools
import math

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import SIZES, SQUARE, THRESHOLD, adjoint, hermitian, one_norm, orthogonal, ratio, square, unitary_ratio, wide

DTYPES = REAL + COMPLEX


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_hermitian_eigenvectors(device, random, name, n, dtype):
    a = hermitian(random, name, n, dtype)
    there = on(device, a)
    w, v = tenon.eigh(there)
    values, vectors = wide(w), wide(v)
    assert w.dtype == a.real.dtype and numpy.all(numpy.diff(values) >= 0)
    assert ratio(wide(a) @ vectors - vectors * values, n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    assert unitary_ratio(vectors, dtype) < THRESHOLD
    exact = numpy.linalg.eigvalsh(a.astype("complex128" if dtype in COMPLEX else "float64"))
    room = THRESHOLD * n * eps(dtype) * float(one_norm(wide(a)))
    assert numpy.max(numpy.abs(tenon.eigvalsh(there).numpy() - exact)) <= room
    first, last = n // 3, (2 * n) // 3
    some, part = tenon.eigh(there, subset=(first, last))
    assert numpy.max(numpy.abs(some.numpy() - exact[first:last + 1])) <= room
    assert ratio(wide(a) @ wide(part) - wide(part) * wide(some), n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    assert unitary_ratio(wide(part), dtype) < THRESHOLD
    assert numpy.max(numpy.abs(tenon.eigvalsh(there, subset=(first, last)).numpy() - exact[first:last + 1])) <= room
    numpy.testing.assert_array_equal(there.numpy(), a)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("count, n", [(16385, 3), (40000, 3), (37, 40), (512, 40)])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_batches_of_any_size(device, random, dtype, count, n, upper):
    """cuSOLVER's batched routine accepts at most about 32,000 matrices."""
    a = sample(random, (count, n, n), dtype)
    a = a + adjoint(a)
    exact = numpy.linalg.eigvalsh(a.astype("complex128" if dtype in COMPLEX else "float64"))
    room = THRESHOLD * n * eps(dtype) * numpy.abs(exact).max(axis=-1)
    there = on(device, a)
    w = tenon.eigvalsh(there, upper=upper).numpy()
    assert numpy.all(numpy.abs(w - exact).max(axis=-1) <= room)
    w, v = (x.numpy() for x in tenon.eigh(there, upper=upper))
    assert numpy.all(numpy.abs(w - exact).max(axis=-1) <= room)
    assert numpy.all(numpy.abs(a @ v - v * w[:, None, :]).max(axis=(-1, -2)) <= n * room)


@pytest.mark.parametrize("which", ["largest", "smallest", "middle"])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_some_of_many_values_that_lie_close_together(device, random, dtype, which):
    """LAPACK's routine for a subset of eigenvalues finds none of these in single precision."""
    for n, seed in itertools.product((120, 300), range(3)):
        q = orthogonal(numpy.random.default_rng(seed), n)
        values = 1 + numpy.where(numpy.arange(n) < n // 2, 0, 1e-7 * numpy.random.default_rng(seed).random(n))
        a = ((q * values) @ q.T).astype(dtype)
        first = {"largest": n - 5, "smallest": 0, "middle": n // 2}[which]
        w, v = tenon.eigh(on(device, a), subset=(first, first + 4))
        w, v = wide(w), wide(v)
        assert w.shape == (5,) and v.shape == (n, 5)
        assert ratio(wide(a) @ v - v * w, n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
        assert unitary_ratio(v, dtype) < THRESHOLD
        exact = numpy.linalg.eigvalsh(a.astype("complex128" if dtype in COMPLEX else "float64"))[first:first + 5]
        assert numpy.max(numpy.abs(w - exact)) <= THRESHOLD * n * eps(dtype)
        found = tenon.eigh(on(device, a), between=(float(exact[0]) - 1e-3, float(exact[-1]) + 1e-3))[0].numpy()
        assert found.shape == (n,)



@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_one_triangle_is_read(device, random, dtype, upper):
    a = hermitian(random, "random", 20, dtype)
    junk = a + (numpy.tril if upper else numpy.triu)(numpy.full(a.shape, numpy.nan, a.real.dtype), -1 if upper else 1)
    w, v = tenon.eigh(on(device, junk), upper=upper)
    assert ratio(wide(a) @ wide(v) - wide(v) * wide(w), 20, one_norm(wide(a)), dtype=dtype) < THRESHOLD


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_general_eigenvectors(device, random, name, n, dtype):
    a = square(random, name, n, dtype)
    w, v = tenon.eig(on(device, a))
    assert w.dtype == v.dtype == ("complex64" if dtype in ("float32", "complex64") else "complex128")
    values, vectors = wide(w), wide(v)
    assert ratio(wide(a) @ vectors - vectors * values, n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    assert numpy.max(numpy.abs(numpy.linalg.norm(vectors, axis=0) - 1)) <= THRESHOLD * eps(dtype)
    if dtype in REAL:  # in exact conjugate pairs
        assert sorted(values.imag) == sorted(-values.imag)
    alone = tenon.eigvals(on(device, a)).numpy()
    assert abs(alone.astype("clongdouble").sum() - numpy.trace(wide(a))) <= THRESHOLD * n * eps(dtype) * one_norm(wide(a))


@pytest.mark.parametrize("shape", [(0, 0), (3, 0, 0), (0, 4, 4), (2, 3, 5, 5), (300, 4, 4)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_batches(device, random, shape, dtype):
    a = sample(random, shape, dtype)
    h = (a + adjoint(a)).astype(dtype)
    w, v = tenon.eigh(on(device, h))
    assert w.shape == shape[:-1] and v.shape == shape
    size = numpy.maximum(one_norm(wide(h)), 1e-30)
    assert ratio(wide(h) @ wide(v) - wide(v) * wide(w)[..., None, :], max(shape[-1], 1), size, dtype=dtype) < THRESHOLD
    w, v = tenon.eig(on(device, a))
    assert w.shape == shape[:-1] and v.shape == shape
    size = numpy.maximum(one_norm(wide(a)), 1e-30)
    assert ratio(wide(a) @ wide(v) - wide(v) * wide(w)[..., None, :], max(shape[-1], 1), size, dtype=dtype) < THRESHOLD
    assert tenon.norm(on(device, a), 1).shape == shape[:-2] and tenon.expm(on(device, a / 9)).shape == shape


@pytest.mark.parametrize("key", [(slice(None, None, -1), slice(None, None, -1)), (slice(None, None, 2), slice(None, None, 2))], ids=["reversed", "skipped"])
def test_views(device, random, key):
    host = sample(random, (18, 18), "complex64")
    there, a = on(device, host).T[key], host.T[key]
    w, v = tenon.eig(there)
    assert ratio(wide(a) @ wide(v) - wide(v) * wide(w), len(a), one_norm(wide(a)), dtype="complex64") < THRESHOLD
    numpy.testing.assert_allclose(tenon.norm(there, 1).numpy(), numpy.linalg.norm(a, 1), rtol=1e-5)


# --- norms ---


@pytest.mark.parametrize("ord", [None, "fro", 1, numpy.inf, "max", 2, -2, "nuc"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 4), (4, 7), (3, 50, 60), (2, 2, 3, 3), (300, 200)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_norms_are_numpys(device, random, shape, dtype, ord):
    a = sample(random, shape, dtype)
    exact = numpy.abs(a).max(axis=(-2, -1)) if ord == "max" else numpy.linalg.norm(a.astype("complex128"), ord, axis=(-2, -1))
    got = tenon.norm(on(device, a), ord).numpy()
    assert got.dtype == a.real.dtype
    numpy.testing.assert_allclose(got, exact, rtol=12 * max(shape[-2:]) ** .5 * eps(dtype), atol=12 * max(shape[-2:]) * eps(dtype) if ord == -2 else 0)


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1e-310])
def test_norms_whose_squares_leave_the_range(device, scale):
    a = numpy.array([[3.0, 0, 4], [0, 0, 12]]) * scale
    numpy.testing.assert_allclose(tenon.norm(on(device, a)).numpy(), 13 * scale, rtol=1e-13)


def test_norms_of_nothing_and_of_nan(device):
    for ord in (None, 1, numpy.inf, "max", 2, -2, "nuc"):
        assert numpy.all(tenon.norm(tenon.zeros((2, 0, 3), device=device), ord).numpy() == 0)
    a = numpy.eye(3)
    a[1, 2] = numpy.nan
    for ord in (None, 1, numpy.inf, "max"):
        assert numpy.isnan(tenon.norm(on(device, a), ord).numpy())
    numpy.testing.assert_allclose(tenon.norm(on(device, numpy.array([3.0, 4.0]))).numpy(), 5)


@pytest.mark.parametrize("p", [None, 1, numpy.inf, "fro", 2, -2, "nuc"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_condition_numbers(device, random, dtype, p):
    a = sample(random, (4, 9, 9), dtype)
    exact = numpy.linalg.cond(a.astype("complex128"), p)
    numpy.testing.assert_allclose(tenon.cond(on(device, a), p).numpy(), exact, rtol=200 * eps(dtype) * numpy.max(numpy.linalg.cond(a)))
    if p in (None, 2):
        high = sample(random, (9, 4), dtype)
        numpy.testing.assert_allclose(tenon.cond(on(device, high)).numpy(), numpy.linalg.cond(high), rtol=1e-4)


def test_singular_matrices_are_infinitely_ill_conditioned(device):
    a = numpy.stack([numpy.eye(3), numpy.zeros((3, 3)), numpy.diag([1.0, 0, 2])])
    for p in (1, numpy.inf, 2):
        assert list(tenon.cond(on(device, a), p).numpy()) == [1, numpy.inf, numpy.inf]
    for p in (1, numpy.inf, "fro", 2, -2, "nuc"):
        for shape in ((2, 0, 0), (0, 0)):
            with pytest.raises(tenon.ShapeError, match="matrices without elements have no condition number"):
                tenon.cond(on(device, numpy.zeros(shape)), p)
        assert tenon.cond(on(device, numpy.zeros((0, 3, 3))), p).shape == (0,)
    assert list(tenon.cond(on(device, a), -2).numpy()) == [1, numpy.inf, 0]


# --- powers and the exponential ---


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 16, -1, -3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_powers(device, random, dtype, n):
    a = (sample(random, (3, 6, 6), dtype) / 3 + numpy.eye(6)).astype(dtype)
    exact = numpy.linalg.matrix_power(a.astype("complex128"), n)
    room = 100 * (abs(n) + 1) * eps(dtype) * numpy.max(numpy.linalg.cond(a)) ** max(1, -n)
    assert numpy.max(numpy.abs(tenon.matrix_power(on(device, a), n).numpy() - exact)) <= room * numpy.max(numpy.abs(exact))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint32", "int64", "uint64"])
def test_powers_of_integers_are_numpys(device, random, dtype):
    a = random.integers(0, 2 if dtype == "bool" else 100, (3, 4, 4)).astype(dtype)
    there = on(device, a)
    for n in (0, 1, 2, 3, 7, 64):
        got = tenon.matrix_power(there, n)
        assert got.dtype == dtype
        numpy.testing.assert_array_equal(got.numpy(), numpy.linalg.matrix_power(a, n))
    tenon.matrix_power(there, 1)[:] = 0  # the result is never the argument's memory
    numpy.testing.assert_array_equal(there.numpy(), a)
    out = tenon.empty((3, 4, 4), dtype, device=device)
    assert tenon.matrix_power(there, 5, out=out) is out
    numpy.testing.assert_array_equal(out.numpy(), numpy.linalg.matrix_power(a, 5))
    with pytest.raises(tenon.ShapeError):
        tenon.matrix_power(there, 2, out=tenon.empty((2, 3, 4, 4), dtype, device=device))
    with tenon.Graph(device) as graph:
        tenon.matrix_power(there, 6, out=out, stream=graph)
    there[:] = a[::-1].copy()
    graph.launch()
    numpy.testing.assert_array_equal(out.numpy(), numpy.linalg.matrix_power(a[::-1], 6))


def test_negative_powers_of_integers_are_float64(device):
    a = numpy.array([[2, 1], [1, 1]])
    numpy.testing.assert_allclose(tenon.matrix_power(on(device, a), -2).numpy(), numpy.linalg.matrix_power(a, -2), rtol=1e-14)
    with pytest.raises(tenon.LinAlgError, match="singular"):
        tenon.matrix_power(on(device, numpy.zeros((2, 2), "int32")), -1)
    with pytest.raises(ValueError, match="must be equal"):
        tenon.matrix_power(on(device, numpy.ones((2, 3), "int32")), 2)


def test_powers_that_overflow_are_refused(device):
    for a, n in ((numpy.eye(2) * 10, 400), (numpy.eye(2, dtype="complex64") * 1e30, 5), (numpy.diag([1e-200, 1.0]), -2),
                 (numpy.stack([numpy.eye(2), numpy.eye(2) * 10]), 400)):
        with pytest.raises(tenon.SizeOverflow, match="matrix 1 of the batch of 2" if a.ndim == 3 else "power that overflows"):
            tenon.matrix_power(on(device, a), n)
    assert tenon.matrix_power(on(device, numpy.eye(2) * 10), 300).numpy()[0, 0] == pytest.approx(1e300)
    assert tenon.matrix_power(on(device, numpy.zeros((0, 0))), 3).shape == (0, 0)


@pytest.mark.parametrize("n", [-2, 0, 1, 3])
def test_powers_of_what_is_not_finite_are_refused(device, n):
    with pytest.raises(tenon.LinAlgError, match="NaN or infinity"):
        tenon.matrix_power(on(device, numpy.diag([1, numpy.nan])), n)


@pytest.mark.parametrize("size", [0, 1e-3, 0.5, 3, 20])
@pytest.mark.parametrize("dtype", DTYPES)
def test_exponentials_of_rotations_and_jordan_blocks(device, dtype, size):
    turn = numpy.array([[0, -size], [size, 0]]).astype(dtype)
    x = float(numpy.dtype(dtype).type(size).real)
    expected = numpy.array([[math.cos(x), -math.sin(x)], [math.sin(x), math.cos(x)]])
    assert numpy.max(numpy.abs(tenon.expm(on(device, turn)).numpy() - expected)) <= 20 * (1 + x) * eps(dtype)
    block = (numpy.eye(5) * -x + numpy.eye(5, k=1)).astype(dtype)
    powers = sum(numpy.eye(5, k=k) / math.factorial(k) for k in range(5)) * math.exp(-x)
    assert numpy.max(numpy.abs(tenon.expm(on(device, block)).numpy() - powers)) <= 40 * (1 + x) * eps(dtype) * math.exp(-x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_exponentials_are_scipys(device, random, dtype):
    linalg = pytest.importorskip("scipy.linalg", reason="scipy is not installed")
    a = sample(random, (4, 12, 12), dtype) * numpy.array([1e-3, 0.1, 1, 3])[:, None, None].astype(dtype)
    exact = linalg.expm(a.astype("complex128"))
    got = tenon.expm(on(device, a)).numpy()
    for i in range(4):
        assert numpy.linalg.norm(got[i] - exact[i]) <= 40 * 12 * eps(dtype) * numpy.linalg.norm(exact[i]) * max(1, numpy.linalg.norm(a[i]))


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.eigh(z((3, 4))), ValueError),
    (lambda z: tenon.eigh(z((4, 4)), subset=(2, 4)), ValueError),
    (lambda z: tenon.eigh(z((4, 4)), subset=(3, 2)), ValueError),
    (lambda z: tenon.eigh(z((4, 4)), subset=(-1, 2)), ValueError),
    (lambda z: tenon.eig(z((3,))), ValueError),
    (lambda z: tenon.eig(z((3, 3), "int64")), TypeError),
    (lambda z: tenon.norm(z((3, 3)), 3), ValueError),
    (lambda z: tenon.norm(z(()), 1), ValueError),
    (lambda z: tenon.cond(z((3, 4)), 1), ValueError),
    (lambda z: tenon.cond(z((3, 3)), "max"), ValueError),
    (lambda z: tenon.matrix_power(z((3, 4)), 2), ValueError),
    (lambda z: tenon.matrix_power(z((3, 3)), -1), tenon.LinAlgError),
    (lambda z: tenon.matrix_power(z((3, 3)), 1.5), TypeError),
    (lambda z: tenon.expm(z((3, 4))), ValueError),
])
def test_what_does_not_fit_is_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_left_and_right_eigenvectors(device, random, name, dtype):
    n = 24
    a = square(random, name, n, dtype)
    w, left, right = tenon.eig_vectors(on(device, a))
    assert left.dtype == right.dtype == w.dtype == ("complex64" if dtype in ("float32", "complex64") else "complex128")
    values, u, v = wide(w), wide(left), wide(right)
    assert ratio(wide(a) @ v - v * values, n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    rest = adjoint(u) @ wide(a) - values[:, None] * adjoint(u)
    assert ratio(adjoint(rest), n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    for vectors in (u, v):
        assert numpy.max(numpy.abs(numpy.sqrt((abs(vectors) ** 2).sum(axis=0)) - 1)) <= THRESHOLD * eps(dtype)


def test_left_eigenvectors_of_batches_and_of_nothing(device, random):
    a = sample(random, (3, 5, 5), "float64")
    w, left, right = tenon.eig_vectors(on(device, a))
    for g in range(3):
        u = left.numpy()[g]
        numpy.testing.assert_allclose(u.conj().T @ a[g], w.numpy()[g][:, None] * u.conj().T, atol=1e-12)
    assert [x.shape for x in tenon.eig_vectors(tenon.zeros((2, 0, 0), device=device))] == [(2, 0), (2, 0, 0), (2, 0, 0)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvalues_between_two_values(device, random, dtype):
    n = 40
    a = hermitian(random, "random", n, dtype)
    there = on(device, a)
    exact = numpy.linalg.eigvalsh(a.astype("complex128" if dtype in COMPLEX else "float64"))
    low, high = (exact[9] + exact[10]) / 2, (exact[25] + exact[26]) / 2
    w, v = tenon.eigh(there, between=(low, high))
    assert w.shape == (16,) and v.shape == (n, 16)
    assert numpy.max(numpy.abs(w.numpy() - exact[10:26])) <= THRESHOLD * n * eps(dtype) * one_norm(wide(a))
    assert ratio(wide(a) @ wide(v) - wide(v) * wide(w), n, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    numpy.testing.assert_allclose(tenon.eigvalsh(there, between=(low, high)).numpy(), w.numpy(), atol=1e3 * eps(dtype))
    none, vectors = tenon.eigh(there, between=(1e6, 2e6))
    assert none.shape == (0,) and vectors.shape == (n, 0)
    assert tenon.eigvalsh(there, between=(-math.inf, math.inf)).shape == (n,)
    # The interval includes the upper bound and excludes the lower one.
    assert tenon.eigvalsh(on(device, numpy.diag([1.0, 2, 2, 3])), between=(1, 2)).numpy().tolist() == [2, 2]


@pytest.mark.parametrize("keywords, text", [({"between": (2, 1)}, "low must be below high"), ({"between": (math.nan, 1)}, "low must be"),
                                            ({"between": (0, 1), "subset": (0, 1)}, "not by both")])
def test_eigenvalues_that_cannot_be_chosen(device, keywords, text):
    with pytest.raises(ValueError, match=text):
        tenon.eigh(tenon.ones((4, 4), device=device), **keywords)
    with pytest.raises(ValueError, match="one matrix at a time"):
        tenon.eigh(tenon.ones((2, 4, 4), device=device), between=(0, 1))
