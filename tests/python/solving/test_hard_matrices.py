"""Cases beyond test_solve, test_eigen and test_svd_drivers: every routine with every kind of matrix, square, wide,
tall, empty, and with 4096 rows; judged by LAPACK's residual ratios in long double."""

from fractions import Fraction

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import SQUARE, THRESHOLD, adjoint, exact_determinant, one_norm, ratio, square, wide

DTYPES = REAL + COMPLEX
SHAPES = {"one": (1, 1), "two": (2, 2), "square": (33, 33), "tall": (40, 13), "wide": (13, 40), "column": (40, 1), "row": (1, 40)}


def cut(random, kind, shape, dtype):
    return square(random, kind, max(shape), dtype)[:shape[0], :shape[1]]


def or_singular(call, *statuses):
    try:
        return call()
    except tenon.LinAlgError as error:
        assert error.status == 19, error
        return None


def double(a):
    return a.astype("complex128" if a.dtype.kind == "c" else "float64")


def values(a):
    return numpy.linalg.svd(double(a), compute_uv=False)


def qr(there, a):
    q, r = (wide(x) for x in tenon.qr(there, "complete"))
    assert not numpy.any(numpy.tril(r, -1))
    yield q @ r - wide(a), [one_norm(wide(a))]
    yield adjoint(q) @ q - numpy.eye(len(a)), []
    only = wide(tenon.qr(there, "r"))
    yield adjoint(only) @ only - adjoint(wide(a)) @ wide(a), [one_norm(wide(a)), one_norm(adjoint(wide(a)))]


def pinv(there, a):
    p = wide(tenon.pinv(there))
    x, size, back = wide(a), one_norm(wide(a)), one_norm(p)
    yield x @ p @ x - x, [size, max(1, size * back)]
    yield p @ x @ p - p, [back, max(1, size * back)]
    yield x @ p - adjoint(x @ p), [max(1, size * back)]
    yield p @ x - adjoint(p @ x), [max(1, size * back)]


def lstsq(there, a):
    b = numpy.random.default_rng(5).standard_normal((len(a), 2)).astype(a.dtype)
    found = tenon.lstsq(there, on(there.device, b))
    x, s = wide(found.x), values(a)
    gradient = adjoint(wide(a)) @ (wide(b) - wide(a) @ x)
    yield gradient, [one_norm(wide(a)), one_norm(wide(a)) * one_norm(x) + one_norm(wide(b))]
    room = max(a.shape) * eps(a.dtype) * s[0]
    for rank in (int(found.rank.numpy()), int(tenon.matrix_rank(there).numpy())):
        assert (s > 2 * room).sum() <= rank <= (s > 0.5 * room).sum()


def norms(there, a):
    x, s = abs(wide(a)), values(a)
    exact = {None: numpy.sqrt((x * x).sum()), 1: x.sum(axis=0).max(), numpy.inf: x.sum(axis=1).max(), "max": x.max(), 2: s[0], -2: s[-1], "nuc": s.sum()}
    for kind, want in exact.items():
        scale = s.sum() if kind in (2, -2, "nuc") else want
        assert abs(float(tenon.norm(there, kind).numpy()) - want) <= THRESHOLD * max(a.shape) * eps(a.dtype) * scale, kind
    if s[-1] > 0 and s[0] / s[-1] < 1e-2 / eps(a.dtype):
        near = THRESHOLD * max(a.shape) * eps(a.dtype) * s[0] / s[-1]
        assert abs(float(tenon.cond(there).numpy()) * s[-1] / s[0] - 1) <= near
    yield from ()


def ldl(there, a):
    for conjugated in ((False, True) if a.dtype.kind == "c" and there.device.name == "cpu:0" else (False,)):
        for upper in (False, True):
            s = (wide(a) + (adjoint(wide(a)) if conjugated else wide(a).T)).astype(a.dtype)
            b = numpy.random.default_rng(6).standard_normal((len(a), 2)).astype(a.dtype)
            choice = {"upper": upper, "hermitian": conjugated}
            x = or_singular(lambda: tenon.ldl_solve(tenon.ldl_factor(on(there.device, s), **choice), on(there.device, b), **choice))
            if x is not None:
                yield wide(s) @ wide(x) - wide(b), [one_norm(wide(s)), one_norm(wide(x))]


def triangles(there, a):
    b = numpy.random.default_rng(7).standard_normal((len(a), 2)).astype(a.dtype)
    for kind, part in (("lower", numpy.tril), ("upper", numpy.triu)):
        for trans, turned in (("N", lambda x: x), ("T", lambda x: x.T), ("C", adjoint)):
            m = turned(part(wide(a)))
            x = or_singular(lambda: tenon.solve(there, on(there.device, b), kind=kind, trans=trans))
            if x is not None:
                yield m @ wide(x) - wide(b), [one_norm(m), one_norm(wide(x))]
            y = wide(tenon.triangular_multiply(there, on(there.device, b), upper=kind == "upper", trans=trans))
            yield m @ wide(b) - y, [one_norm(m), one_norm(wide(b))]


def inverse(there, a):
    x = or_singular(lambda: tenon.inv(there))
    if x is not None:
        yield min((wide(x) @ wide(a) - numpy.eye(len(a)), wide(a) @ wide(x) - numpy.eye(len(a))), key=one_norm), [one_norm(wide(a)), one_norm(wide(x))]


def powers(there, a):
    x, size = wide(a), one_norm(wide(a))
    yield wide(tenon.matrix_power(there, 2)) - x @ x, [size, size]
    if 1e-5 < size < 1e5:  # its third power is in every dtype's range
        yield wide(tenon.matrix_power(there, 3)) - x @ x @ x, [2, size, size, size]
    other = sample(numpy.random.default_rng(8), (2, 3), a.dtype)
    exact = numpy.kron(x, wide(other))
    assert numpy.all(abs(wide(tenon.kron(there, on(there.device, other))) - exact) <= 4 * eps(a.dtype) * abs(exact))


def between(there, a):
    h = (wide(a) + adjoint(wide(a))).astype(a.dtype)
    all_of_them = numpy.linalg.eigvalsh(double(h))
    room = THRESHOLD * len(a) * eps(a.dtype) * float(one_norm(wide(h)))
    low, high = float(all_of_them[len(a) // 4]) - room, float(all_of_them[-1 - len(a) // 4]) + room
    w, v = tenon.eigh(on(there.device, h), between=(low, high))
    assert ((all_of_them > low + room) & (all_of_them <= high - room)).sum() <= w.shape[0] <= ((all_of_them > low - room) & (all_of_them <= high + room)).sum()
    assert numpy.all((w.numpy() > low - room) & (w.numpy() <= high + room))
    yield wide(h) @ wide(v) - wide(v) * wide(w), [one_norm(wide(h))]
    yield adjoint(wide(v)) @ wide(v) - numpy.eye(w.shape[0]), []


ANY = {"qr": qr, "pinv": pinv, "lstsq": lstsq, "norms": norms}
ONLY_SQUARE = {"ldl": ldl, "triangles": triangles, "inv": inverse, "powers": powers, "between": between}


@pytest.mark.parametrize("routine, shape", [(r, s) for r in ANY for s in SHAPES] + [(r, s) for r in ONLY_SQUARE for s in ("one", "two", "square")])
@pytest.mark.parametrize("kind", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_routine_on_every_kind(device, random, dtype, kind, routine, shape):
    a = cut(random, kind, SHAPES[shape], dtype)
    for residual, sizes in {**ANY, **ONLY_SQUARE}[routine](on(device, a), a):
        assert ratio(residual, max(a.shape), *sizes, dtype=dtype) < THRESHOLD


@pytest.mark.parametrize("n", [1, 2, 5, 9])
@pytest.mark.parametrize("kind", SQUARE)
@pytest.mark.parametrize("dtype", REAL)
def test_determinants_of_every_kind(device, random, dtype, kind, n):
    """The error is that of a matrix changed by n epsilon (backward stability), amplified by the condition number."""
    a = square(random, kind, n, dtype)
    exact, s = exact_determinant(a), values(a)
    room = THRESHOLD * n * eps(dtype) * float(s[0] / max(s[-1], 1e-300)) * n
    sign, log = tenon.slogdet(on(device, a))
    if exact == 0 or room > 0.1:  # the sign is not determined
        return
    assert int(sign.numpy()) == (1 if exact > 0 else -1)
    magnitude = float(numpy.log(numpy.longdouble(abs(exact.numerator))) - numpy.log(numpy.longdouble(exact.denominator)))
    assert abs(float(log.numpy()) - magnitude) <= room + 4 * eps(dtype) * abs(magnitude)
    if abs(magnitude) < 80:
        assert abs(Fraction(float(tenon.det(on(device, a)).numpy())) / exact - 1) <= room + 4 * eps(dtype)


@pytest.mark.parametrize("shape", [(0, 4, 4), (3, 0, 0), (2, 0, 3, 3), (0, 0)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_empty_matrices_give_empty_results(device, dtype, shape):
    a, batch, n = tenon.zeros(shape, dtype, device=device), shape[:-2], shape[-1]
    real = numpy.zeros(0, dtype).real.dtype
    calls = {"lu": (lambda: tenon.lu_factor(a).LU, shape), "cholesky": (lambda: tenon.cholesky(a), shape), "ldl": (lambda: tenon.ldl_factor(a).LD, shape),
             "inv": (lambda: tenon.inv(a), shape), "pinv": (lambda: tenon.pinv(a), shape), "qr": (lambda: tenon.qr(a)[0], shape),
             "eigh": (lambda: tenon.eigh(a)[1], shape), "eig": (lambda: tenon.eig(a)[1], shape), "left": (lambda: tenon.eig_vectors(a).left, shape),
             "expm": (lambda: tenon.expm(a), shape), "power": (lambda: tenon.matrix_power(a, 5), shape), "svd": (lambda: tenon.svd(a)[0], shape),
             "solve": (lambda: tenon.solve(a, a), shape), "triangle": (lambda: tenon.solve(a, a, kind="upper"), shape),
             "lstsq": (lambda: tenon.lstsq(a, a).x, shape), "det": (lambda: tenon.det(a), batch), "slogdet": (lambda: tenon.slogdet(a).logabsdet, batch),
             "rank": (lambda: tenon.matrix_rank(a), batch), "norm": (lambda: tenon.norm(a, 2), batch),
             "kron": (lambda: tenon.kron(a, a), batch + (n * n, n * n)), "values": (lambda: tenon.svdvals(a), batch + (n,))}
    for name, (call, expected) in calls.items():
        assert call().shape == expected, name
    if n:
        assert tenon.cond(a, 1).shape == batch
    else:
        with pytest.raises(tenon.ShapeError, match="no condition number"):
            tenon.cond(a, 1)
        assert numpy.all(tenon.det(a).numpy() == 1) and numpy.all(tenon.slogdet(a).logabsdet.numpy() == 0) and tenon.slogdet(a).logabsdet.dtype == real


def test_operands_that_are_broadcast_reversed_or_read_only(device, random):
    host = random.standard_normal((5, 5)) + 5 * numpy.eye(5)
    one = on(device, host)
    many = one.broadcast_to((3, 5, 5))
    for call in (tenon.inv, tenon.expm, lambda a: tenon.qr(a)[1], lambda a: tenon.lu_factor(a).LU, tenon.pinv, lambda a: tenon.norm(a, 2), tenon.det,
                 lambda a: tenon.eigh(a, subset=(1, 2))[0], lambda a: tenon.svd(a)[1], lambda a: tenon.eigvals(a), lambda a: tenon.matrix_power(a, -2)):
        alone = call(one).numpy()
        for result in call(many).numpy():
            numpy.testing.assert_allclose(result, alone, rtol=1e-11, atol=1e-11)
        numpy.testing.assert_allclose(call(on(device, host[::-1, ::-1])[::-1, ::-1]).numpy(), alone, rtol=1e-11, atol=1e-11)
    numpy.testing.assert_array_equal(one.numpy(), host)
    frozen = host.copy()
    frozen.setflags(write=False)
    if device.name == "cpu:0":
        numpy.testing.assert_allclose(tenon.inv(frozen).numpy() @ host, numpy.eye(5), atol=1e-12)


def probed(a, x, y):
    """|a x - y| for random vectors x, divided by |a| sqrt(n) epsilon of float32: an estimate of the error matrix's
    Frobenius norm."""
    rest = y - a.astype("float64") @ x
    return numpy.sqrt((rest ** 2).sum() / x.shape[1]) / (numpy.linalg.norm(a) * numpy.sqrt(len(a)) * eps("float32"))


def test_factors_of_4096_rows(device, random):
    n = 4096
    a, x = random.standard_normal((n, n)).astype("float32"), random.standard_normal((n, 4))
    there = on(device, a)
    lu, pivots = (y.numpy() for y in tenon.lu_factor(there))
    y = numpy.triu(lu).astype("float64") @ x
    y = y + numpy.tril(lu, -1).astype("float64") @ y
    for i in reversed(range(n)):
        y[[i, pivots[i] - 1]] = y[[pivots[i] - 1, i]]
    assert probed(a, x, y) < THRESHOLD
    q, r = (y.numpy() for y in tenon.qr(there))
    assert probed(a, x, q.astype("float64") @ (r.astype("float64") @ x)) < THRESHOLD
    assert probed(numpy.eye(n, dtype="float32"), x, q.T.astype("float64") @ (q.astype("float64") @ x)) < THRESHOLD
    p = a[:, :64] @ a[:, :64].T + n * numpy.eye(n, dtype="float32")
    lower = tenon.cholesky(on(device, p)).numpy().astype("float64")
    assert probed(p, x, lower @ (lower.T @ x)) < THRESHOLD
