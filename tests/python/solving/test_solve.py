"""Linear systems and factorisations, judged by LAPACK's residual ratios on easy and hard matrices; unsolvable problems
raise errors."""

import itertools
import threading

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import SIZES, SQUARE, THRESHOLD, adjoint, exact_determinant, one_norm, positive, ratio, square, unitary_ratio, wide

DTYPES = REAL + COMPLEX


def solves(a, x, b, dtype):
    """|b - a x| / (|a| |x| epsilon), LAPACK's xGET02."""
    x = wide(x)
    assert ratio(wide(b) - a @ x, one_norm(a), one_norm(x), dtype=dtype) < THRESHOLD


# Not all of them can be solved in single precision: matrices that are singular to working precision may raise an error.
def or_singular(call):
    try:
        return call()
    except tenon.LinAlgError as error:
        assert error.status == 19, error
        return None


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_solve_is_backward_stable(device, random, name, n, dtype):
    a, b = square(random, name, n, dtype), sample(random, (n, 3), dtype)
    there = on(device, a)
    for trans, matrix in (("N", wide(a)), ("T", wide(a).T), ("C", adjoint(wide(a)))):
        x = or_singular(lambda: tenon.solve(there, on(device, b), trans=trans))
        assert x is not None or name in ("hilbert", "vandermonde", "graded")
        if x is not None:
            solves(matrix, x, b, dtype)
    numpy.testing.assert_array_equal(there.numpy(), a)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_factors_give_the_matrix_back(device, random, name, n, dtype):
    a = square(random, name, n, dtype)
    lu, pivots = tenon.lu_factor(on(device, a))
    rows = numpy.arange(n)
    for i, pivot in enumerate(pivots.numpy() - 1):
        rows[[i, pivot]] = rows[[pivot, i]]
    factors = wide(lu)
    lower = numpy.tril(factors, -1) + numpy.eye(n)
    assert numpy.abs(lower).max() <= (1 if dtype in REAL else 1.5)  # partial pivoting
    assert ratio(lower @ numpy.triu(factors) - wide(a)[rows], n, one_norm(wide(a)), dtype=dtype) < THRESHOLD

    p = positive(random, name, n, dtype)
    for upper in (False, True):
        factor = wide(tenon.cholesky(on(device, p), upper=upper))
        assert not numpy.any(numpy.tril(factor, -1) if upper else numpy.triu(factor, 1))
        back = adjoint(factor) @ factor if upper else factor @ adjoint(factor)
        assert ratio(back - wide(p), n, one_norm(wide(p)), dtype=dtype) < THRESHOLD


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 3), (11, 4), (4, 11), (130, 70), (70, 130), (2, 5, 2), (3, 2, 9, 3), (6, 3, 8), (3, 0), (0, 3)],
                         ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_tall_and_wide_matrices_have_factors_too(device, random, dtype, shape):
    a = sample(random, shape, dtype)
    lu, pivots = tenon.lu_factor(on(device, a))
    m, n = shape[-2:]
    k = min(m, n)
    assert pivots.shape == shape[:-2] + (k,)
    factors, chosen = wide(lu), pivots.numpy() - 1
    assert k == 0 or (numpy.all(chosen >= numpy.arange(k)) and numpy.all(chosen < m))
    lower, upper = numpy.tril(factors, -1)[..., :k] + numpy.eye(m, k), numpy.triu(factors)[..., :k, :]
    for index in numpy.ndindex(shape[:-2]):
        rows = numpy.arange(m)
        for i, pivot in enumerate(chosen[index]):
            rows[[i, pivot]] = rows[[pivot, i]]
        assert ratio(lower[index] @ upper[index] - wide(a)[index][rows], max(m, n), one_norm(wide(a)[index]), dtype=dtype) < THRESHOLD


def test_a_singular_matrix_is_one_without_right_sides_too(device):
    for shape, right in (((3, 3), (3, 0)), ((2, 3, 3), (2, 3, 0)), ((3, 3), (4, 3, 0))):
        singular, regular = on(device, numpy.zeros(shape)), on(device, numpy.broadcast_to(numpy.eye(3), shape))
        b, pivots = on(device, numpy.zeros(right)), on(device, numpy.broadcast_to(numpy.arange(1, 4), shape[:-1]))
        for call in (lambda a: tenon.solve(a, b), lambda a: tenon.solve(a, b, kind="positive"), lambda a: tenon.solve(a, b, kind="lower"),
                     lambda a: tenon.solve(a, b, kind="upper", trans="T"), lambda a: tenon.lu_solve((a, pivots), b),
                     lambda a: tenon.cholesky_solve(a, b)):
            assert call(regular).shape == right
            with pytest.raises(tenon.LinAlgError):
                call(singular)
    assert tenon.solve(on(device, numpy.zeros((0, 0))), on(device, numpy.zeros((0, 0)))).shape == (0, 0)
    assert tenon.solve(on(device, numpy.zeros((3, 3))), on(device, numpy.zeros((0, 3, 2)))).shape == (0, 3, 2)


def test_a_pivot_that_is_not_a_row_is_named_with_its_matrix(device, random):
    a = sample(random, (4, 3, 3), "float64")
    lu, pivots = tenon.lu_factor(on(device, a))
    pivots[2, 1] = 9
    with pytest.raises(tenon.InvalidArgument, match="pivot 1 of matrix 2 of the batch of 4 is not a row number from 1 to 3") as caught:
        tenon.lu_solve((lu, pivots), on(device, a)).numpy()
    assert caught.value.batch_index == 2


HERMITIAN_PART = {"small": (2e-200, 1e200), "rounding": (2.0, 1e300), "NaN": (2.0, numpy.nan), "infinity": (2.0, numpy.inf)}


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("case", HERMITIAN_PART)
def test_the_imaginary_part_of_a_hermitian_diagonal_counts_as_zero(device, case, upper):
    """For any value: it affects neither norms nor checks."""
    size, imaginary = HERMITIAN_PART[case]
    clean = size * numpy.array([[3, 0.5 + 0.25j, 0.125], [0.5 - 0.25j, 2, -0.5j], [0.125, 0.5j, 4]])
    dirty = clean.copy()
    dirty.imag[range(3), range(3)] = imaginary
    there, right = on(device, dirty), on(device, numpy.ones((3, 2), "complex128"))
    calls = [lambda a: tenon.cholesky(a, upper=upper), lambda a: tenon.eigvalsh(a, upper=upper), lambda a: tenon.eigh(a, upper=upper)[1]]
    if not upper:
        calls.append(lambda a: tenon.solve(a, right, kind="positive"))
    if device.name.startswith("cpu"):
        calls.append(lambda a: tenon.ldl_factor(a, upper=upper, hermitian=True)[0])
    for call in calls:
        numpy.testing.assert_array_equal(call(there).numpy(), call(on(device, clean)).numpy())
    assert not numpy.signbit(tenon.cholesky(there, upper=upper).numpy().imag[range(3), range(3)]).any()
    assert tenon.eigvalsh(on(device, numpy.array([[5e-300 + 1e300j]]))).numpy()[0] == 5e-300


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_positive_definite_systems(device, random, name, dtype):
    p, b = positive(random, name, 40, dtype), sample(random, (40, 2), dtype)
    junk = p + numpy.triu(numpy.full((40, 40), numpy.nan, p.real.dtype), 1)  # only the lower triangle is read
    solves(wide(p), tenon.solve(on(device, junk), on(device, b), kind="positive"), b, dtype)
    for upper in (False, True):
        factor = tenon.cholesky(on(device, p), upper=upper)
        solves(wide(p), tenon.cholesky_solve(factor, on(device, b), upper=upper), b, dtype)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(9, 1), (4, 2), (7, 16), (2, 3, 33), (5, 100), (3, 130)])
def test_batches_have_the_factors_of_their_matrices(device, random, shape, dtype, upper):
    n = shape[-1]
    a = sample(random, (*shape, n), dtype)
    p = (wide(a) @ adjoint(wide(a)) + n * numpy.eye(n)).astype(dtype)
    factor = wide(tenon.cholesky(on(device, p), upper=upper))
    assert not numpy.any(numpy.tril(factor, -1) if upper else numpy.triu(factor, 1))
    back = adjoint(factor) @ factor if upper else factor @ adjoint(factor)
    for index in numpy.ndindex(shape[:-1]):
        assert ratio((back - wide(p))[index], n, one_norm(wide(p)[index]), dtype=dtype) < THRESHOLD


LAYOUTS = {"rows": lambda x: x, "columns": lambda x: x.mT if isinstance(x, tenon.Array) else numpy.swapaxes(x, -1, -2),
           "reversed": lambda x: x[..., ::-1, ::-1], "skipped": lambda x: x[..., ::2, ::2]}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("trans", ["N", "T", "C"])
@pytest.mark.parametrize("kind", ["general", "lower", "upper"])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_views_are_solved_as_they_are(device, random, dtype, kind, trans, layout):
    host, right = sample(random, (2, 14, 14), dtype), sample(random, (2, 14, 14), dtype)
    host = host + 8 * numpy.eye(14, dtype=dtype)[::-1 if layout == "reversed" else 1, :]
    host = host + (8 * numpy.eye(14, dtype=dtype) if layout == "reversed" else 0)
    for index in (0, slice(None)):
        a, b = LAYOUTS[layout](host[index]), LAYOUTS[layout](right[index])
        x = tenon.solve(LAYOUTS[layout](on(device, host))[index], LAYOUTS[layout](on(device, right))[index], kind=kind, trans=trans)
        used = {"general": lambda y: y, "lower": numpy.tril, "upper": numpy.triu}[kind](wide(a))
        solves({"N": used, "T": numpy.swapaxes(used, -1, -2), "C": adjoint(used)}[trans], x, b, dtype)


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("kind", ["lower", "upper"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_triangle_is_all_that_is_read(device, random, dtype, kind, unit):
    n = 30
    keep, skip = (numpy.tril, numpy.triu) if kind == "lower" else (numpy.triu, numpy.tril)
    a = keep(sample(random, (n, n), dtype) / n, -1 if kind == "lower" else 1) + (0 if unit else numpy.eye(n, dtype=dtype) * 2)
    full = (a + numpy.where(skip(numpy.ones((n, n))) * (1 if unit else 1 - numpy.eye(n)) > 0, numpy.nan, 0)).astype(dtype)
    b = sample(random, (n, 4), dtype)
    matrix = wide(a) + (numpy.eye(n) if unit else 0)
    solves(matrix, tenon.solve(on(device, full), on(device, b), kind=kind, unit_diagonal=unit), b, dtype)
    product = tenon.triangular_multiply(on(device, full), on(device, b), upper=kind == "upper", unit_diagonal=unit, alpha=2)
    assert ratio(wide(product) - 2 * matrix @ wide(b), n, one_norm(matrix), one_norm(wide(b)), dtype=dtype) < THRESHOLD


@pytest.mark.parametrize("a_shape, b_shape", [((4, 4), (3, 4, 2)), ((3, 4, 4), (4, 2)), ((1, 4, 4), (5, 1, 4, 2)), ((2, 1, 4, 4), (3, 4, 1)), ((0, 4, 4), (4, 2)),
                                              ((4, 4), (0, 4, 2)), ((3, 0, 0), (3, 0, 2)), ((3, 4, 4), (3, 4, 0)), ((200, 4, 4), (200, 4, 2)), ((4, 4), (4,))])
@pytest.mark.parametrize("kind", ["general", "positive", "lower"])
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_batches_broadcast(device, random, dtype, kind, a_shape, b_shape):
    a = (sample(random, a_shape, dtype) + 8 * numpy.eye(a_shape[-1])).astype(dtype)
    if kind == "positive":
        a = (a @ adjoint(a)).astype(dtype)
    b = sample(random, b_shape, dtype)
    x = tenon.solve(on(device, a), on(device, b), kind=kind).numpy()
    expected = numpy.linalg.solve(numpy.tril(a) if kind == "lower" else a, b) if a.size and b.size else None
    assert x.dtype == dtype and x.shape == numpy.matmul(a, b).shape
    if expected is not None:
        numpy.testing.assert_allclose(x, expected, rtol=300 * eps(dtype), atol=300 * eps(dtype))


SHAPES = [(1, 1), (8, 8), (30, 7), (7, 30), (1, 9), (9, 1), (100, 60), (0, 3), (3, 0), (0, 0), (2, 12, 5), (0, 3, 2), (3, 0, 2)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_qr_of_any_shape(device, random, shape, dtype):
    a = sample(random, shape, dtype)
    m, n, k = shape[-2], shape[-1], min(shape[-2:])
    for mode, width in (("reduced", k), ("complete", m)):
        q, r = (wide(x) for x in tenon.qr(on(device, a), mode))
        assert q.shape == shape[:-2] + (m, width) and r.shape == shape[:-2] + (width, n)
        assert not numpy.any(numpy.tril(r, -1))
        assert ratio(q @ r - wide(a), max(m, 1), one_norm(wide(a)), dtype=dtype) < THRESHOLD
        assert unitary_ratio(q, dtype) < THRESHOLD
    only = tenon.qr(on(device, a), "r")
    numpy.testing.assert_allclose(only.numpy(), tenon.qr(on(device, a))[1].numpy(), atol=1e3 * eps(dtype))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_raw_qr_is_numpys(device, random, shape, dtype):
    a = sample(random, shape, dtype)
    m, n, k = shape[-2], shape[-1], min(shape[-2:])
    h, tau = tenon.qr(on(device, a), "raw")
    assert h.shape == shape[:-2] + (n, m) and tau.shape == shape[:-2] + (k,) and h.dtype == tau.dtype == a.dtype
    if a.size == 0:
        return
    r = tenon.qr(on(device, a), "r").numpy()  # for small matrices on GPUs by another routine
    numpy.testing.assert_allclose(numpy.triu(h.numpy().mT)[..., :k, :], r, atol=100 * m * eps(dtype))
    for theirs, ours in zip(numpy.linalg.qr(a, "raw"), (h, tau)):
        numpy.testing.assert_allclose(ours.numpy(), theirs, atol=1e4 * m * eps(dtype))
    q = numpy.zeros(shape[:-2] + (m, m), wide(a).dtype) + numpy.eye(m)
    for j in range(k):  # the product of the reflectors
        v = wide(h)[..., j, :].copy()
        v[..., :j], v[..., j] = 0, 1
        q -= (q @ v[..., None]) * wide(tau)[..., j, None, None] * v.conj()[..., None, :]
    assert unitary_ratio(q, dtype) < THRESHOLD
    assert ratio(q[..., :k] @ numpy.triu(wide(h).mT)[..., :k, :] - wide(a), m, one_norm(wide(a)), dtype=dtype) < THRESHOLD


def test_raw_qr_takes_outputs(device, random):
    a = on(device, sample(random, (2, 6, 4), "float64"))
    out = tenon.zeros((2, 4, 6), device=device), tenon.zeros((2, 8), device=device)[:, ::2]
    assert tenon.qr(a, "raw", out=out)[0] is out[0]
    for got, want in zip(out, tenon.qr(a, "raw")):
        numpy.testing.assert_array_equal(got.numpy(), want.numpy())
    with pytest.raises(tenon.ShapeError, match=r"\(2, 4, 6\)"):
        tenon.qr(a, "raw", out=(tenon.zeros((2, 6, 4), device=device), None))
    with pytest.raises(tenon.LinAlgError, match="matrix 1 of the batch of 2"):
        tenon.qr(on(device, numpy.stack([numpy.eye(3), numpy.full((3, 3), numpy.nan)])), "raw")


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_qr_of_hard_matrices(device, random, name, dtype):
    a = square(random, name, 50, dtype)[:, :30]
    q, r = (wide(x) for x in tenon.qr(on(device, a)))
    assert ratio(q @ r - wide(a), 50, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    assert unitary_ratio(q, dtype) < THRESHOLD


@pytest.mark.parametrize("shape", [(20, 6), (6, 20), (9, 9), (3, 20, 6), (1, 1)], ids=str)
@pytest.mark.parametrize("rank", [None, 3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_least_squares_are_least_and_shortest(device, random, shape, rank, dtype):
    m, n = shape[-2:]
    r = min(m, n) if rank is None else min(rank, m, n)
    a = (wide(sample(random, shape[:-1] + (r,), dtype)) @ wide(sample(random, shape[:-2] + (r, n), dtype))).astype(dtype)
    b = sample(random, shape[:-1] + (2,), dtype)
    rcond = 1e-4 if dtype in ("float32", "complex64") else 1e-12
    x, found, s = tenon.lstsq(on(device, a), on(device, b), rcond=rcond)
    assert numpy.all(found.numpy() == r) and s.shape == shape[:-2] + (min(m, n),)
    # Least: the residual is orthogonal to a's columns (xQRT17). Shortest: within the bounds of perturbation theory, the
    # result of the pseudo-inverse in the wider type.
    residual = wide(b) - wide(a) @ wide(x)
    assert ratio(adjoint(wide(a)) @ residual, max(m, n), one_norm(wide(a)), one_norm(wide(b)), dtype=dtype) < THRESHOLD
    exact = numpy.linalg.pinv(a.astype("complex128" if dtype in COMPLEX else "float64"), rcond=rcond)
    values = numpy.linalg.svd(a.astype(exact.dtype), compute_uv=False)
    room = 30 * max(m, n) * eps(dtype) * numpy.max(values[..., 0] / values[..., r - 1]) ** 2
    assert numpy.linalg.norm(x.numpy() - exact @ b) <= room * numpy.linalg.norm(exact) * numpy.linalg.norm(b)
    assert numpy.linalg.norm(tenon.pinv(on(device, a), rcond=rcond).numpy() - exact) <= room * numpy.linalg.norm(exact)
    assert numpy.all(tenon.matrix_rank(on(device, a), rcond=rcond).numpy() == r)


@pytest.mark.parametrize("dtype", DTYPES)
def test_least_squares_of_numbers_below_the_normal_ones(device, dtype):
    """The reciprocal of a singular value may overflow although the solution does not."""
    small = numpy.dtype(dtype).type(numpy.finfo(dtype).tiny / 4)
    for a, b in ((numpy.ones((1, 1)), numpy.ones((1, 1))), (numpy.eye(4, 3), numpy.arange(8).reshape(4, 2))):
        x = tenon.lstsq(on(device, small * a.astype(dtype)), on(device, small * b.astype(dtype)))[0].numpy()
        numpy.testing.assert_allclose(x, b[:a.shape[1]], rtol=1e-5)


@pytest.mark.parametrize("name", ["random", "graded", "toeplitz", "orthogonal", "defective", "banded", "large", "small"])
@pytest.mark.parametrize("n", [1, 5, 40])
@pytest.mark.parametrize("dtype", DTYPES)
def test_inverses(device, random, name, n, dtype):
    a = square(random, name, n, dtype)
    x = wide(tenon.inv(on(device, a)))
    assert ratio(x @ wide(a) - numpy.eye(n), n, one_norm(wide(a)), one_norm(x), dtype=dtype) < THRESHOLD


@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 20])
@pytest.mark.parametrize("dtype", DTYPES)
def test_determinants_against_exact_arithmetic(device, random, n, dtype):
    a = random.integers(-4, 5, (3, n, n))
    got, (sign, log) = tenon.det(on(device, a.astype(dtype))), tenon.slogdet(on(device, a.astype(dtype)))
    assert log.dtype == numpy.dtype(dtype).type(0).real.dtype and sign.dtype == dtype and got.dtype == dtype
    for i in range(3):
        exact = float(exact_determinant(a[i]))
        # Backward stable: a change of a by n epsilon changes the determinant by that times the condition number.
        room = 20 * max(n, 1) * eps(dtype) * (numpy.linalg.cond(a[i].astype("float64")) if n and exact else 1)
        assert abs(got.numpy()[i] - exact) <= room * max(abs(exact), 1)
        if exact:
            assert sign.numpy()[i] == numpy.sign(exact)
            assert abs(log.numpy()[i] - numpy.log(abs(exact))) <= room + 4 * eps(dtype) * abs(numpy.log(abs(exact)))


def test_determinants_of_what_no_dtype_holds(device):
    a = numpy.stack([numpy.eye(400) * 10, numpy.eye(400) * 0.1, numpy.zeros((400, 400))]).astype("float32")
    sign, log = tenon.slogdet(on(device, a))
    numpy.testing.assert_allclose(log.numpy()[:2], [400 * numpy.log(10), 400 * numpy.log(numpy.float32(0.1))], rtol=1e-6)
    assert log.numpy()[2] == -numpy.inf and list(sign.numpy()) == [1, 1, 0]
    assert list(tenon.det(on(device, a)).numpy()) == [numpy.inf, 0, 0]
    # Partial products of the pivots overflow, the determinant does not.
    mixed = numpy.diag([1e300, 1e300, 1e-300, 1e-300])
    numpy.testing.assert_allclose(tenon.det(on(device, mixed)).numpy(), 1, rtol=1e-12)


# --- errors ---

CALLS = {
    "solve": lambda a: tenon.solve(a, tenon.ones(a.shape[:-1] + (2,), a.dtype, device=a.device)),
    "positive": lambda a: tenon.solve(a, tenon.ones(a.shape[:-1] + (2,), a.dtype, device=a.device), kind="positive"),
    "lower": lambda a: tenon.solve(a, tenon.ones(a.shape[:-1] + (2,), a.dtype, device=a.device), kind="lower"),
    "inv": tenon.inv,
    "cholesky": tenon.cholesky,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("batch", [(), (20,)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_singular_matrices_are_named_with_their_info(device, random, call, batch, dtype):
    a = numpy.broadcast_to(4 * numpy.eye(5), batch + (5, 5)).astype(dtype)
    bad = (13,) if batch else ()
    a[bad + (2, 2)] = 0
    with pytest.raises(tenon.LinAlgError, match="matrix 13 of the batch of 20" if batch else "the matrix") as caught:
        CALLS[call](on(device, a))
    assert caught.value.status == 19 and caught.value.native_code == 3 and caught.value.native_call
    assert caught.value.batch_index == (13 if batch else 0)


@pytest.mark.parametrize("call", [*CALLS, "lu", "qr", "det", "lstsq", "eigh", "eig", "expm", "pinv"])
@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf, -numpy.inf])
def test_what_is_not_finite_is_refused(device, call, bad):
    calls = {**CALLS, "lu": tenon.lu_factor, "qr": tenon.qr, "det": tenon.det, "eigh": tenon.eigh, "eig": tenon.eig, "expm": tenon.expm, "pinv": tenon.pinv,
             "lstsq": lambda a: tenon.lstsq(a, tenon.ones((6, 1), device=a.device))}
    a = numpy.eye(6) * 3
    a[4, 2] = bad
    with pytest.raises(tenon.LinAlgError, match="(?i)nan|finite|infinit"):
        calls[call](on(device, a))


def test_right_sides_that_are_not_finite_are_refused(device):
    a, b = numpy.eye(4), numpy.ones((3, 4, 1))
    b[1, 2] = numpy.nan
    for kind in ("general", "positive", "lower"):
        with pytest.raises(tenon.LinAlgError, match="b has NaN or infinity in matrix 1 of the batch of 3"):
            tenon.solve(on(device, a), on(device, b), kind=kind)


def test_a_solution_that_overflows_is_no_success(device):
    a = numpy.diag([1e-300, 1.0])
    with pytest.raises(tenon.LinAlgError, match="overflow"):
        tenon.solve(on(device, a), on(device, numpy.array([[1e300], [1.0]])))
    with pytest.raises(tenon.LinAlgError):
        tenon.solve(on(device, a), on(device, numpy.array([[1e300], [1.0]])), kind="lower")


def test_solve_promotes_its_operands(device):
    a, b = numpy.array([[2.0, 1.0], [1.0, 3.0]]), numpy.array([1.0, 2.0], "float32")
    for x, y in ((a, b), (a.astype("float32"), b.astype("float64")), (a, b.astype("complex64"))):
        for got in (tenon.solve(on(device, x), on(device, y)), tenon.lstsq(on(device, x), on(device, y)).x):
            assert got.dtype == numpy.result_type(x, y)
            numpy.testing.assert_allclose(got.numpy(), numpy.linalg.solve(a, b), rtol=1e-14)


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.solve(z((3, 4)), z((3, 1))), ValueError),
    (lambda z: tenon.solve(z((3, 3)), z((4, 1))), ValueError),
    (lambda z: tenon.solve(z((3,)), z((3,))), ValueError),
    (lambda z: tenon.solve(z((2, 3, 3)), z((5, 3, 1))), ValueError),
    (lambda z: tenon.solve(z((3, 3)), z((3, 1), "complex32")), TypeError),
    (lambda z: tenon.solve(z((3, 3), "int32"), z((3, 1), "int32")), TypeError),
    (lambda z: tenon.solve(z((3, 3), "float16"), z((3, 1), "float16")), TypeError),
    (lambda z: tenon.solve(z((3, 3)), z((3, 1)), kind="upper", trans="H"), ValueError),
    (lambda z: tenon.solve(z((3, 3)), z((3, 1)), kind="any"), ValueError),
    (lambda z: tenon.solve(z((3, 3)), z((3, 1)), unit_diagonal=True), ValueError),
    (lambda z: tenon.solve(z((3, 3)), z((3, 1)), kind="positive", trans="T"), ValueError),
    (lambda z: tenon.lu_solve((z((3, 3)), z((3,))), z((3, 1))), ValueError),
    (lambda z: tenon.lu_solve((tenon.full((3, 3), 1.0, device=z(()).device), tenon.full((3,), 7, "int64", device=z(()).device)), z((3, 1))), ValueError),
    (lambda z: tenon.cholesky(z((3, 4))), ValueError),
    (lambda z: tenon.qr(z((3, 4)), "full"), ValueError),
    (lambda z: tenon.qr(z((3,))), ValueError),
    (lambda z: tenon.lstsq(z((3, 4)), z((4, 1))), ValueError),
    (lambda z: tenon.inv(z((3, 4))), ValueError),
    (lambda z: tenon.det(z((3, 4))), ValueError),
])
def test_operands_that_do_not_fit_are_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))


@pytest.mark.parametrize("trans, layout", list(itertools.product(["N", "T", "C"], LAYOUTS)))
def test_factors_solve_again_and_again(device, random, trans, layout):
    a, b = sample(random, (3, 10, 10), "complex128"), sample(random, (3, 10, 2), "complex128")
    factors = tenon.lu_factor(LAYOUTS[layout](on(device, a)))
    matrix = wide(LAYOUTS[layout](a))
    b = b[:, :matrix.shape[-1]]
    for _ in range(2):
        x = tenon.lu_solve(factors, on(device, b), trans=trans)
        solves({"N": matrix, "T": numpy.swapaxes(matrix, -1, -2), "C": adjoint(matrix)}[trans], x, b, "complex128")


def test_results_are_the_same_bits_every_time(device, random):
    a, b = on(device, sample(random, (200, 200), "float64")), on(device, sample(random, (200, 5), "float64"))
    first = tenon.solve(a, b).tobytes(), tenon.qr(a)[1].tobytes(), tenon.eigh(a)[0].tobytes()
    for _ in range(3):
        assert (tenon.solve(a, b).tobytes(), tenon.qr(a)[1].tobytes(), tenon.eigh(a)[0].tobytes()) == first


def test_threads_and_streams_do_not_disturb_each_other(device, random):
    """Only one call at a time uses a handle, workspace or plan: concurrent calls give the same bits as single calls."""
    a, b = on(device, sample(random, (30, 24, 24), "float64")), on(device, sample(random, (30, 24, 3), "float64"))
    large = on(device, sample(random, (150, 150), "complex64"))
    calls = [lambda s: tenon.solve(a, b, stream=s), lambda s: tenon.eigh(a, stream=s)[0], lambda s: tenon.qr(a, stream=s)[1], lambda s: tenon.inv(large, stream=s),
             lambda s: tenon.rfftn(a, stream=s), lambda s: tenon.fft(large, stream=s), lambda s: tenon.lstsq(a, b, stream=s)[0], lambda s: tenon.einsum("bij,bjk->bki", a, b, stream=s)]
    alone = [call(None).tobytes() for call in calls]
    wrong = []

    def work(first):
        stream = tenon.Stream(device)
        for i in range(3 * len(calls)):
            k = (first + i) % len(calls)
            try:
                if calls[k](stream).tobytes() != alone[k]:
                    wrong.append(f"call {k} gave other bits")
            except Exception as error:
                wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def inertia(ld, pivots, upper, hermitian):
    """The numbers of negative, zero and positive eigenvalues of D."""
    counts, i, n = [0, 0, 0], 0, len(pivots)
    while i < n:
        width = 1 if pivots[i] > 0 else 2
        block = numpy.diag(numpy.diag(ld)[i:i + width])
        if width == 2:
            assert pivots[i] == pivots[i + 1] or upper  # one pair
            block[0, 1] = ld[i, i + 1] if upper else ld[i + 1, i].conj()
            block[1, 0] = block[0, 1].conj()
        for value in numpy.linalg.eigvalsh(block):
            counts[1 + int(numpy.sign(value))] += 1
        i += width
    return counts


@pytest.mark.parametrize("n", [1, 2, 7, 33, 64])
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("name", ["random", "toeplitz", "banded", "orthogonal", "large", "graded"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_symmetric_systems_are_solved_by_their_factors(device, random, dtype, name, upper, n):
    a = square(random, name, n, dtype)
    for conjugated in ((False, True) if dtype in COMPLEX else (False,)):
        full = (a + (a.conj().T if conjugated else a.T)).astype(dtype)
        junk = full + (numpy.tril if upper else numpy.triu)(numpy.full(a.shape, numpy.nan, a.real.dtype), -1 if upper else 1)
        b = sample(random, (n, 3), dtype)
        try:
            factors = tenon.ldl_factor(on(device, junk), upper=upper, hermitian=conjugated)
        except tenon.Unsupported as error:
            assert conjugated and device.name.startswith("cuda"), error
            continue
        ld, pivots = factors.LD.numpy(), factors.pivots.numpy()
        assert numpy.all((numpy.tril if upper else numpy.triu)(ld, -1 if upper else 1) == 0)
        if conjugated or dtype in REAL:
            values = numpy.linalg.eigvalsh(full.astype("complex128" if conjugated else "float64"))
            if numpy.abs(values).min() > 1e3 * n * eps(dtype) * numpy.abs(values).max():  # Sylvester
                assert inertia(ld, pivots, upper, conjugated) == [(values < 0).sum(), 0, (values > 0).sum()]
        x = or_singular(lambda: tenon.ldl_solve(factors, on(device, b), upper=upper, hermitian=conjugated))
        if x is not None:
            solves(wide(full), x, b, dtype)
        else:
            assert name == "graded"


def test_symmetric_batches_vectors_and_bad_factors(device, random):
    a = sample(random, (4, 6, 6), "float64")
    a = a + numpy.swapaxes(a, -1, -2)
    factors = tenon.ldl_factor(on(device, a))
    b = sample(random, (4, 6, 2), "float64")
    numpy.testing.assert_allclose(tenon.ldl_solve(factors, on(device, b)).numpy(), numpy.linalg.solve(a, b), rtol=1e-9, atol=1e-9)
    one = tenon.ldl_factor(on(device, a[0]))
    numpy.testing.assert_allclose(tenon.ldl_solve(one, on(device, b)).numpy(), numpy.linalg.solve(a[0], b), rtol=1e-9, atol=1e-9)
    numpy.testing.assert_allclose(tenon.ldl_solve(one, on(device, b[0, :, 0])).numpy(), numpy.linalg.solve(a[0], b[0, :, 0]), rtol=1e-9, atol=1e-9)
    for pivots in ([1, 2, 3, 4, 5, 7], [0, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, -6], [-2, 2, 3, 4, 5, 6], [-1, -1, -1, 4, 5, 6], [-1, -7, 3, 4, 5, 6]):
        with pytest.raises(ValueError, match="negative in pairs"):
            tenon.ldl_solve((one.LD, on(device, numpy.array(pivots))), on(device, b[0]))
    with pytest.raises(ValueError, match="need int64 pivots"):
        tenon.ldl_solve((one.LD, on(device, numpy.arange(5))), on(device, b[0]))
    with pytest.raises(tenon.LinAlgError):
        tenon.ldl_solve(tenon.ldl_factor(tenon.zeros((3, 3), device=device)), tenon.ones((3, 1), device=device))
    with pytest.raises(tenon.LinAlgError, match="(?i)nan"):
        tenon.ldl_factor(on(device, numpy.full((3, 3), numpy.nan)))
    assert [x.shape for x in tenon.ldl_factor(tenon.zeros((2, 0, 0), device=device))] == [(2, 0, 0), (2, 0)]


@pytest.mark.parametrize("call", [tenon.matrix_rank, tenon.pinv, lambda a, rcond: tenon.lstsq(a, a, rcond=rcond)])
def test_a_cut_that_is_no_number_is_refused(device, call):
    with pytest.raises(tenon.InvalidArgument, match="rcond is NaN"):
        call(on(device, numpy.eye(3)), rcond=float("nan"))
