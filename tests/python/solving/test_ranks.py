"""Ranks, pseudo-inverses and condition numbers against NumPy's, in Tenon's own functions and under NumPy's names."""

import numpy
import pytest

import tenon
import tenon.cupy as cupy
from conftest import on


def batch(random, dtype="float64"):
    """Matrices whose singular values span several powers of ten."""
    made = random.standard_normal((3, 5, 4)) * 10.0 ** numpy.array([0, -3, 2])[:, None, None]
    made[:, :, 3] = made[:, :, 0] * (1 + 1e-5 * random.standard_normal((3, 5)))
    return (made * (1 + 0.5j) if numpy.dtype(dtype).kind == "c" else made).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_ranks(device, random, dtype):
    a = batch(random, dtype)
    there = on(device, a)
    for tol in (1e-2, 1.0, 0.0, [1e-3, 10.0, 1e-6], numpy.array([[0.1, 1e-4, 1e3]])[0]):
        want = numpy.linalg.matrix_rank(a, tol)
        assert tenon.matrix_rank(there, tol=tol).tolist() == want.tolist()
        assert cupy.linalg.matrix_rank(there, tol).tolist() == want.tolist()
        assert numpy.linalg.matrix_rank(there, tol).tolist() == want.tolist()
    for rtol in (1e-3, [1e-1, 1e-7, 1e-3]):
        want = numpy.linalg.matrix_rank(a, rtol=rtol)
        assert tenon.matrix_rank(there, rcond=rtol).tolist() == want.tolist()
        assert cupy.linalg.matrix_rank(there, rtol=rtol).tolist() == want.tolist()
    symmetric = a.conj().swapaxes(-1, -2) @ a
    symmetric[..., 0, 3] = 1e9  # only the lower triangle is read
    for keywords in ({}, {"tol": 0.5}):
        want = numpy.linalg.matrix_rank(symmetric, hermitian=True, **keywords)
        assert tenon.matrix_rank(on(device, symmetric), hermitian=True, **keywords).tolist() == want.tolist()
    out = tenon.empty((3,), "int64", device=device)
    assert tenon.matrix_rank(there, tol=1e-2, out=out) is out
    assert out.tolist() == numpy.linalg.matrix_rank(a, 1e-2).tolist()


def test_ranks_of_vectors_and_of_nothing(device):
    assert cupy.linalg.matrix_rank(on(device, numpy.zeros(3))).item() == 0
    assert cupy.linalg.matrix_rank(on(device, numpy.array([0, 2]))).item() == 1
    assert tenon.matrix_rank(tenon.zeros((2, 0, 3), device=device), tol=1.0).tolist() == [0, 0]
    assert tenon.matrix_rank(on(device, numpy.array([[1, 2], [2, 4]])), tol=0.1).item() == 1  # integers


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_pseudo_inverses(device, random, dtype):
    a = batch(random, dtype)
    there = on(device, a)
    room = {"rtol": 1e-3, "atol": 1e-3} if dtype == "float32" else {"rtol": 1e-9, "atol": 1e-9}
    for rcond in (1e-2, [1e-2, 1e-1, 1e-3], numpy.array([1e-2, 1e-1, 1e-3])):
        want = numpy.linalg.pinv(a, rcond)
        scale = abs(a).max((1, 2))[:, None, None]
        for got in (tenon.pinv(there, rcond=rcond), cupy.linalg.pinv(there, rcond),
                    cupy.linalg.pinv(there, rtol=rcond)):
            numpy.testing.assert_allclose(got.numpy() * scale, want * scale, **room)
    definite = a.conj().swapaxes(-1, -2) @ a - numpy.eye(4, dtype=dtype) * 1e-2
    want = numpy.linalg.pinv(definite, 1e-2, hermitian=True)
    definite[..., 0, 3] = 1e9
    got = tenon.pinv(on(device, definite), rcond=1e-2, hermitian=True).numpy()
    numpy.testing.assert_allclose(got, want, rtol=1e-2 if dtype == "float32" else 1e-8,
                                  atol=abs(want).max() * (1e-4 if dtype == "float32" else 1e-12))
    out = tenon.empty((3, 4, 5), dtype, device=device)
    assert tenon.pinv(there, rcond=[1e-2] * 3, out=out) is out


def test_numpys_default_of_pinv_is_its_own(device):
    a = numpy.diag([1.0, 4e-16])  # beyond max(m, n) epsilon, but not beyond 1e-15
    assert tenon.pinv(on(device, a)).numpy()[1, 1] == cupy.linalg.pinv(on(device, a), rtol=None).numpy()[1, 1] == 0
    b = numpy.diag([1.0, 2e-15] + [1.0] * 20)  # within max(m, n) epsilon, but beyond 1e-15
    assert tenon.pinv(on(device, b)).numpy()[1, 1] == 0
    numpy.testing.assert_allclose(cupy.linalg.pinv(on(device, b)).numpy()[1, 1], 5e14)


@pytest.mark.parametrize("p", [-1, -numpy.inf])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_least_condition_numbers(device, random, dtype, p):
    a = random.standard_normal((4, 6, 6))
    a = (a + 1j * random.standard_normal((4, 6, 6)) if dtype.startswith("complex") else a).astype(dtype)
    exact = numpy.linalg.cond(a.astype("complex128"), p)
    got = tenon.cond(on(device, a), p).numpy()
    assert got.dtype == a.real.dtype
    numpy.testing.assert_allclose(got, exact, rtol=2e-3 if got.dtype == "float32" else 1e-11)
    for scale in (1e30, 1e-30) if got.dtype == "float32" else (1e300, 1e-300):
        numpy.testing.assert_allclose(tenon.cond(on(device, a * a.dtype.type(scale)), p).numpy(), exact,
                                      rtol=2e-3 if got.dtype == "float32" else 1e-11)
    mixed = numpy.stack([numpy.eye(3), numpy.zeros((3, 3)), numpy.diag([1.0, 0, 2]), numpy.ones((3, 3)),
                         numpy.diag([1.0, 2, 4])]).astype(dtype)
    assert tenon.cond(on(device, mixed), p).tolist() == [1, numpy.inf, numpy.inf, numpy.inf, 0.25]
    out = tenon.empty((5,), got.dtype, device=device)
    assert tenon.cond(on(device, mixed), p, out=out) is out
    assert out.tolist() == [1, numpy.inf, numpy.inf, numpy.inf, 0.25]


def test_condition_numbers_that_do_not_exist(device):
    for p in (None, 1, -1, 2, -2, numpy.inf, -numpy.inf, "fro"):
        for shape in ((0, 0), (2, 0, 0)):
            there = tenon.zeros(shape, device=device)
            with pytest.raises(tenon.ShapeError, match="matrices without elements have no condition number"):
                tenon.cond(there, p)
            with pytest.raises(numpy.linalg.LinAlgError, match="matrices without elements have no condition number"):
                cupy.linalg.cond(there, p)
        assert tenon.cond(tenon.zeros((0, 3, 3), device=device), p).shape == (0,)
    for p in (-1, -numpy.inf):
        with pytest.raises(tenon.ShapeError, match="must be equal"):
            tenon.cond(tenon.zeros((2, 3), device=device), p)
    with pytest.raises(ValueError, match="-1, -inf, not 3"):
        tenon.cond(tenon.zeros((2, 2), device=device), 3)


def test_norms_under_numpys_name_mean_what_numpys_mean(device, random):
    a = random.standard_normal((2, 3, 4))
    for x, orders in ((a, (None,)), (a[0], (None, "fro", "nuc", 1, -1, 2, -2, numpy.inf, -numpy.inf)),
                      (a[0, 0], (None, 0, 1, 3, -1, 0.5, numpy.inf, -numpy.inf))):
        for ord in orders:
            for keepdims in (False, True):
                want = numpy.linalg.norm(x, ord, keepdims=keepdims)
                for got in (cupy.linalg.norm(on(device, x), ord, keepdims=keepdims),
                            numpy.linalg.norm(on(device, x), ord, keepdims=keepdims)):
                    assert got.shape == numpy.shape(want)
                    numpy.testing.assert_allclose(got.numpy(), want, rtol=1e-12)
    with pytest.raises(ValueError, match="3 axes: a norm with ord=1 needs axis="):
        cupy.linalg.norm(on(device, a), 1)


@pytest.mark.parametrize("shape, columns", [((6, 3), None), ((6, 3), 2), ((3, 3), 2), ((3, 6), None)])
def test_least_squares_under_numpys_name(device, random, shape, columns):
    a, b = random.standard_normal(shape), random.standard_normal(shape[:1] + (() if columns is None else (columns,)))
    for matrix in (a, a[:, [0] * shape[1]]):  # of full rank, and of rank 1
        want, got = numpy.linalg.lstsq(matrix, b), cupy.linalg.lstsq(on(device, matrix), on(device, b))
        assert got[2] == want[2]
        for theirs, ours in zip((want[0], want[1], want[3]), (got[0], got[1], got[3])):
            assert ours.shape == theirs.shape
            numpy.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-9, atol=1e-9)


def test_thresholds_that_are_refused(device):
    there = tenon.ones((3, 2, 2), device=device)
    with pytest.raises(ValueError, match="one threshold"):
        tenon.matrix_rank(there, tol=1.0, rcond=1.0)
    for call in (lambda: tenon.matrix_rank(there, tol=[1.0, 2.0]), lambda: tenon.pinv(there, rcond=[1.0, 2.0])):
        with pytest.raises(tenon.ShapeError,
                           match=r"thresholds have shape \(2,\), and the matrices are a batch of shape \(3,\)"):
            call()
    with pytest.raises(tenon.InvalidArgument, match="NaN"):
        tenon.matrix_rank(there, tol=float("nan"))
    with pytest.raises(ValueError, match="pass one of them"):
        cupy.linalg.pinv(there, 1e-3, rtol=1e-3)
