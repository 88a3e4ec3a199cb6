"""Matrices at the ends of their dtype's range, or spread over all of it: results are as accurate as for others, or the
call raises a specific error; NaN and garbage are never results."""

import ctypes
import math

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on
from matrices import THRESHOLD, adjoint, one_norm, orthogonal, wide
from tenon import _raw
from tenon._library import lib

DTYPES = REAL + COMPLEX
N = 40


def least(dtype):
    return numpy.longdouble(numpy.finfo(dtype).smallest_subnormal)


def spread(random, n, dtype):
    """Rows of decreasing size, down to the smallest numbers of the range."""
    return random.standard_normal((n, n)) * numpy.longdouble(10) ** (numpy.arange(n)[:, None] * 0.9 * numpy.log10(numpy.finfo(dtype).tiny) / n)


def sparse(random, n, dtype):
    """Numbers of all sizes and many zeros, which are difficult for divide and conquer and for balancing."""
    return random.standard_normal((n, n)) * 10.0 ** random.integers(-16, 1, (n, n)) * (random.random((n, n)) < 0.1)


KINDS = {"identity": lambda random, n, dtype: numpy.eye(n), "random": lambda random, n, dtype: random.standard_normal((n, n)),
         "orthogonal": lambda random, n, dtype: orthogonal(random, n), "spread": spread, "spread columns": lambda *x: spread(*x).T,
         "sparse": sparse, "one row": lambda random, n, dtype: numpy.eye(n)[:, :1] * random.standard_normal(n)}
SCALES = {"subnormal": lambda dtype: 1000 * least(dtype), "tiny": lambda dtype: 4 * numpy.longdouble(numpy.finfo(dtype).tiny),
          "small": lambda dtype: numpy.sqrt(numpy.longdouble(numpy.finfo(dtype).tiny)), "one": lambda dtype: numpy.longdouble(1),
          "large": lambda dtype: 8 * numpy.sqrt(numpy.longdouble(numpy.finfo(dtype).max)), "huge": lambda dtype: numpy.longdouble(numpy.finfo(dtype).max) / 4}


def matrix(random, kind, scale, dtype, n=N):
    a = numpy.asarray(KINDS[kind](random, n, dtype), "longdouble")
    if dtype in COMPLEX and kind != "identity":
        a = a * numpy.exp(2j * math.pi * random.random((n, n))).astype("clongdouble")
    return (a / numpy.abs(a).max() * SCALES[scale](dtype)).astype(dtype)


def hermitian_part(a):
    h = (wide(a) + adjoint(wide(a))) / 2
    return numpy.where(numpy.eye(len(a)) > 0, h.real, h).astype(a.dtype)


def lu(there, a):
    factors, pivots = tenon.lu_factor(there)
    rows = numpy.arange(len(a))
    for i, pivot in enumerate(pivots.numpy() - 1):
        rows[[i, pivot]] = rows[[pivot, i]]
    f = wide(factors)
    yield (numpy.tril(f, -1) + numpy.eye(len(a))) @ numpy.triu(f) - wide(a)[rows], one_norm(wide(a)), 1


def qr(there, a):
    for mode in ("reduced", "complete"):
        q, r = (wide(x) for x in tenon.qr(there[:, :25], mode))
        yield q @ r - wide(a)[:, :25], one_norm(wide(a)), 1
        yield adjoint(q) @ q - numpy.eye(q.shape[1]), 1, 1


def solve(there, a, find=tenon.solve, matrix=None):
    b = numpy.random.default_rng(3).standard_normal((len(a), 2)).astype(a.dtype)
    x, m = wide(find(there, on(there.device, b))), wide(a) if matrix is None else matrix
    yield m @ x - wide(b), one_norm(m) * one_norm(x), 1 + one_norm(m) + one_norm(x)


def transposed(there, a):
    yield from solve(there, a, lambda x, b: tenon.solve(x, b, trans="C"), adjoint(wide(a)))


def inverse(there, a):
    x = wide(tenon.inv(there))
    size, room = one_norm(wide(a)) * one_norm(x), 1 + one_norm(wide(a)) + one_norm(x)
    yield min((x @ wide(a) - numpy.eye(len(a)), wide(a) @ x - numpy.eye(len(a))), key=one_norm), size, room


def ldl(there, a):
    for upper in (False, True):
        s = ((wide(a) + wide(a).T) / 2).astype(a.dtype)
        yield from solve(on(there.device, s), s, lambda x, b: tenon.ldl_solve(tenon.ldl_factor(x, upper=upper), b, upper=upper))


def pairs(there, a, **choice):
    h = hermitian_part(a)
    for upper in (False, True):
        w, v = (wide(x) for x in tenon.eigh(on(there.device, h), upper=upper, **choice))
        yield wide(h) @ v - v * w, one_norm(wide(h)), 1
        yield adjoint(v) @ v - numpy.eye(v.shape[1]), 1, 1
        assert numpy.all(numpy.diff(w) >= 0)
        values = wide(tenon.eigvalsh(on(there.device, h), upper=upper))
        first = choice.get("subset", (0, 0))[0]
        yield (values[first:first + len(w)] - w)[None, :], one_norm(wide(h)), 1


def few_pairs(there, a):
    for first in (0, 17, N - 3):
        yield from pairs(there, a, subset=(first, first + 2))


def eig(there, a):
    w, u, v = (wide(x) for x in tenon.eig_vectors(there))
    yield wide(a) @ v - v * w, one_norm(wide(a)), 1
    yield adjoint(wide(a)) @ u - u * w.conj(), one_norm(adjoint(wide(a))), 1
    for x in (u, v):
        yield numpy.sqrt((abs(x) ** 2).sum(axis=0))[None, :] - 1, 1, 1


def svd(there, a, **choice):
    u, s, vh = (wide(x) for x in tenon.svd(there[:, :25], full_matrices=False, **choice))
    yield (u * s) @ vh - wide(a)[:, :25], one_norm(wide(a)), 1
    yield adjoint(u) @ u - numpy.eye(25), 1, 1
    yield vh @ adjoint(vh) - numpy.eye(25), 1, 1


ROUTINES = {"lu": lu, "qr": qr, "solve": solve, "solve C": transposed, "inv": inverse, "ldl": ldl, "eigh": pairs, "eigh by index": few_pairs, "eig": eig,
            "svd": svd, **{"svd " + driver: lambda there, a, driver=driver: svd(there, a, driver=driver) for driver in ("qr", "jacobi", "polar", "gram")}}


@pytest.mark.parametrize("routine", ROUTINES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_at_the_ends_of_the_range_are_as_good_as_any(device, random, dtype, kind, routine):
    n = 64 if routine == "eigh by index" else N
    refused = []
    for scale in SCALES:
        a = matrix(random, kind, scale, dtype, n)
        try:
            for residual, size, room in ROUTINES[routine](on(device, a), a):
                assert numpy.isfinite(residual).all(), scale
                assert one_norm(residual) <= THRESHOLD * n * (eps(dtype) * size + least(dtype) * room), scale
        except (tenon.LinAlgError, tenon.SizeOverflow):  # the result does not fit or does not exist
            refused.append(scale)
    if routine in ("qr", "eig", "eigh", "eigh by index") or routine.startswith("svd") or (routine == "lu" and device.name == "cpu:0"):
        assert set(refused) <= {"huge"}, refused  # the others have a result that fits
    if kind == "identity" and device.name == "cpu:0":
        assert set(refused) <= {"subnormal"}, refused  # whose inverses do not fit


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", (1.3, 1.7))
def test_what_is_small_beside_the_largest_numbers_counts(device, random, dtype, size):
    """A saddle point's matrix, whose factors have numbers as small as its largest are large: scaled to be near 1, they
    would vanish. SciPy's interpolation by radial functions of large coordinates solves such systems."""
    n, edge = 70, 5
    scale = numpy.where(numpy.arange(n) < n - edge, 1, -1) * numpy.log10(numpy.finfo(dtype).max) / 4 * size
    inner = random.standard_normal((n, n)).astype(dtype)
    inner += inner.T
    inner[-edge:, -edge:] = 0
    with numpy.errstate(under="ignore"):
        a = (inner * 10.0 ** (scale[:, None] + scale)).astype(dtype)
    b = (random.standard_normal((n, 2)) * 10.0 ** scale[:, None]).astype(dtype)
    want = numpy.linalg.solve(inner, (b * 10.0 ** -scale[:, None]).astype(dtype))
    a, b = on(device, a), on(device, b)
    for name, x in (("solve", tenon.solve(a, b)), ("ldl", tenon.ldl_solve(tenon.ldl_factor(a), b))):
        error = numpy.abs(x.numpy() * 10.0 ** scale[:, None] - want).max() / numpy.abs(want).max()
        assert error < 1e4 * eps(dtype), (name, error)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_condition_numbers_and_determinants_do_not_depend_on_the_scale(device, dtype, scale):
    a = numpy.array([[4, 1, 0], [1, 3, 1], [0, 1, 2]]).astype(dtype) / 4
    there = on(device, (a.astype(wide(a).dtype) * SCALES[scale](dtype)).astype(dtype))
    exact = wide(there) / SCALES[scale](dtype)  # the matrix after rounding
    for p in (1, numpy.inf, "fro", 2, "nuc"):
        want = numpy.linalg.cond(exact.astype("complex128"), p)
        numpy.testing.assert_allclose(tenon.cond(there, p).numpy(), want, rtol=100 * max(eps(dtype), 1e-3 if scale == "subnormal" and p in (2, "nuc") else 0))
    sign, log = tenon.slogdet(there)
    det = numpy.linalg.det(exact.astype("complex128"))
    assert abs(sign.numpy() - det / abs(det)) <= 100 * eps(dtype)
    assert abs(float(log.numpy()) - (math.log(abs(det)) + 3 * float(numpy.log(SCALES[scale](dtype))))) <= 3000 * eps(dtype)


def test_a_nuclear_norm_that_overflows_is_refused(device):
    with pytest.raises(tenon.SizeOverflow, match="nuclear norm that overflows"):
        tenon.norm(on(device, numpy.eye(9, dtype="float32") * numpy.float32(1e38)), "nuc")


@pytest.mark.parametrize("bad", [numpy.inf, -numpy.inf, numpy.nan])
def test_factors_that_are_not_finite_solve_nothing(device, bad):
    """b divided by infinity is 0, which looks like a solution."""
    b, eye = on(device, numpy.ones((5, 1))), numpy.eye(5)
    calls = {"lu": lambda x: tenon.lu_solve((x, on(device, numpy.arange(1, 6))), b), "cholesky": lambda x: tenon.cholesky_solve(x, b),
             "ldl": lambda x: tenon.ldl_solve((x, on(device, numpy.arange(1, 6))), b), "lower": lambda x: tenon.solve(x, b, kind="lower"),
             "upper": lambda x: tenon.solve(x, b, kind="upper"), "general": lambda x: tenon.solve(x, b)}
    for place in ((2, 2), (4, 4)):
        factor = eye.copy()
        factor[place] = bad
        for call in calls.values():
            with pytest.raises(tenon.LinAlgError, match="NaN or infinity"):
                call(on(device, factor))
    beside = eye.copy()
    beside[1, 3] = bad  # not read
    for call in ("cholesky", "ldl", "lower"):
        numpy.testing.assert_array_equal(calls[call](on(device, beside)).numpy(), 1)


def test_nan_among_options_is_refused_by_the_library_itself(device):
    """Calls the raw functions, so that Python's own checks do not run."""
    a, nan, outs = on(device, numpy.eye(3)), math.nan, [ctypes.c_void_p() for _ in range(3)]
    refs = [ctypes.byref(out) for out in outs]
    cut = ctypes.byref(_raw.tenon_rank_options(rcond=nan))
    calls = {
        "rcond is NaN": [lambda: lib.tenon_pinv(a._handle, cut, None, refs[0]),
                         lambda: lib.tenon_matrix_rank(a._handle, cut, None, refs[0]),
                         lambda: lib.tenon_lstsq(a._handle, a._handle, cut, None, *refs)],
        "low must be below high": [lambda low=low, high=high: lib.tenon_eigh(
            a._handle, ctypes.byref(_raw.tenon_eigh_options(by_value=1, low=low, high=high)), None, refs[0], refs[1])
                                   for low, high in ((nan, 1), (0, nan), (nan, nan), (1, 1), (math.inf, -math.inf))],
        "use one of the two": [lambda: lib.tenon_eigh(a._handle, ctypes.byref(_raw.tenon_eigh_options(low=nan)),
                                               None, refs[0], refs[1])],
        "it is relative": [lambda value=value: lib.tenon_svd(
            a._handle, ctypes.byref(_raw.tenon_svd_options(k=1, tolerance=value)), None, *refs)
                           for value in (nan, math.inf, -1, 1)],
    }
    for text, all_of_them in calls.items():
        for call in all_of_them:
            with pytest.raises(tenon.InvalidArgument, match=text):
                tenon._errors.check(call())
            assert not any(out.value for out in outs)
