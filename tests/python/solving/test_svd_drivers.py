"""All drivers of svd meet the same bounds, or report which driver replaced them: LAPACK's ratios for whole
decompositions, and the tolerance for leading triplets."""

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import SQUARE, THRESHOLD, adjoint, one_norm, orthogonal, ratio, square, unitary_ratio, wide

DTYPES = REAL + COMPLEX
WHOLE = ["auto", "qr", "divide", "jacobi", "polar", "gram"]
LEADING = ["auto", "krylov", "randomized", "gram", "qr"]


def accurate(a, u, s, vh, dtype):
    """Checks a whole decomposition, reduced or full, of one matrix."""
    k = s.shape[-1]
    u, s, vh = wide(u), wide(s), wide(vh)
    assert numpy.all(numpy.diff(s) <= 0) and numpy.all(s >= 0)
    side = max(a.shape)
    assert ratio(wide(a) - (u[:, :k] * s) @ vh[:k], side, one_norm(wide(a)), dtype=dtype) < THRESHOLD
    assert unitary_ratio(u, dtype) < THRESHOLD and unitary_ratio(adjoint(vh), dtype) < THRESHOLD
    exact = numpy.linalg.svd(a.astype("complex128" if dtype in COMPLEX else "float64"), compute_uv=False)
    assert numpy.max(numpy.abs(s - exact), initial=0) <= THRESHOLD * side * eps(dtype) * exact[0]


def leading(a, u, s, vh, dtype, tolerance=None):
    """Checks the header's bounds for the residuals and the values of the leading triplets."""
    tolerance = tolerance or (1e-6 if dtype in ("float32", "complex64") else 1e-12)
    k = s.shape[0]
    assert u.shape == (a.shape[0], k) and vh.shape == (k, a.shape[1])
    u, s, vh, exact = wide(u), wide(s), wide(vh), numpy.linalg.svd(a.astype("complex128" if dtype in COMPLEX else "float64"), compute_uv=False)
    rounding = max(a.shape) * eps(dtype) * exact[0]
    for rest in (adjoint(wide(a)) @ u - adjoint(vh) * s, wide(a) @ adjoint(vh) - u * s):
        size = numpy.sqrt((abs(rest) ** 2).sum(axis=0))
        assert numpy.all(size <= 1.1 * numpy.maximum(tolerance ** .5 / 2 * s, rounding))
    assert numpy.max(numpy.abs(s - exact[:k]) - tolerance * exact[:k]) <= rounding / max(a.shape) ** .5
    assert unitary_ratio(u, dtype) < THRESHOLD and unitary_ratio(adjoint(vh), dtype) < THRESHOLD


@pytest.mark.parametrize("driver", WHOLE)
@pytest.mark.parametrize("shape", [(1, 1), (7, 7), (33, 20), (20, 33), (150, 130), (300, 40), (40, 300)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_driver_is_backward_stable(device, random, dtype, shape, driver):
    a = sample(random, shape, dtype)
    there = on(device, a)
    (u, s, vh), ran = tenon.svd_driver(there, driver=driver)
    accurate(a, u, s, vh, dtype)
    assert ran in WHOLE[1:] and (ran == driver or driver not in ("qr",))
    numpy.testing.assert_array_equal(there.numpy(), a)
    values = tenon.svd(there, compute_uv=False, driver=driver).numpy()
    assert numpy.max(numpy.abs(values - s.numpy())) <= THRESHOLD * max(shape) * eps(dtype) * s.numpy()[0]
    accurate(a, *tenon.svd(there, driver=driver), dtype)  # full


@pytest.mark.parametrize("driver", WHOLE)
@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_hard_matrices_are_accurate_with_every_driver(device, random, dtype, name, driver):
    a = square(random, name, 64, dtype)
    (u, s, vh), ran = tenon.svd_driver(on(device, a), driver=driver)
    accurate(a, u, s, vh, dtype)
    assert ran != "auto"


@pytest.mark.parametrize("driver", ["auto", "qr", "jacobi", "polar"])
@pytest.mark.parametrize("shape", [(60, 60), (3, 60, 40), (40, 60)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_tiny_matrices_keep_their_vectors(device, random, dtype, shape, driver):
    small = 2 * float(numpy.finfo(dtype).tiny)
    a = (sample(random, shape, dtype) * small).astype(dtype)
    u, s, vh = (x.numpy() for x in tenon.svd(on(device, a), full_matrices=False, driver=driver))
    for one, left, values, right in zip(*(x.reshape((-1,) + x.shape[-k:]) for x, k in ((a, 2), (u, 2), (s, 1), (vh, 2)))):
        accurate(one.astype(wide(one).dtype) / small, wide(left), wide(values) / small, wide(right), dtype)


def test_graded_bidiagonal_matrices_have_orthogonal_vectors(device, random):
    """With divide and conquer, some are hundreds of n epsilon away from orthogonality."""
    for _ in range(300):
        n = int(random.integers(40, 70))
        a = numpy.diag(10.0 ** -random.uniform(0, 16, n)) + numpy.diag(10.0 ** -random.uniform(0, 16, n - 1), 1)
        (u, s, vh), ran = tenon.svd_driver(on(device, a))
        accurate(a, u, s, vh, "float64")
        assert ran != "auto"


@pytest.mark.parametrize("driver", ["auto", "qr", "jacobi", "gram"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_that_overflow_are_refused(device, dtype, driver):
    a = numpy.full((3, 2), 0.95 * numpy.finfo(dtype).max, dtype)
    for call in (lambda: tenon.svd(on(device, a), compute_uv=False, driver=driver), lambda: tenon.svd(on(device, a), driver=driver)):
        with pytest.raises(tenon.SizeOverflow, match="singular values that overflow"):
            call()


def flat(random, m, n):
    return random.random((m, n))


def fixed(random, values, m, n):
    """A matrix with these singular values."""
    k = len(values)
    return (orthogonal(random, m)[:, :k] * values) @ orthogonal(random, n)[:k]


SPECTRA = {
    "flat": lambda random, m, n: random.random((m, n)),
    "falling": lambda random, m, n: fixed(random, 0.7 ** numpy.arange(min(m, n)), m, n),
    "slowly falling": lambda random, m, n: fixed(random, 1 / numpy.arange(1.0, min(m, n) + 1), m, n),
    "rank 12": lambda random, m, n: random.standard_normal((m, 12)) @ random.standard_normal((12, n)),
    "rank 3": lambda random, m, n: random.standard_normal((m, 3)) @ random.standard_normal((3, n)),
    "equal": lambda random, m, n: fixed(random, numpy.ones(min(m, n)), m, n),
    "pairs": lambda random, m, n: fixed(random, numpy.repeat(1 / numpy.arange(1.0, min(m, n) // 2 + 1), 2), m, n),
    "identity": lambda random, m, n: numpy.eye(m, n),
    "one row": lambda random, m, n: numpy.eye(m)[:, :1] * random.standard_normal(n),
    "zero": lambda random, m, n: numpy.zeros((m, n)),
    "huge": lambda random, m, n: random.random((m, n)) * 1e25,
    "tiny": lambda random, m, n: random.random((m, n)) * 1e-25,
}


@pytest.mark.parametrize("driver", ["krylov", "randomized"])
@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("dtype", DTYPES)
def test_leading_triplets(device, random, dtype, name, driver):
    shape = (70, 90) if driver == "krylov" and dtype in ("float64", "complex64") else (90, 70)
    a = SPECTRA[name](random, *shape)
    if dtype in COMPLEX:
        a = a * numpy.exp(2j * numpy.pi * random.random(shape[0]))[:, None]
    a = a.astype(dtype)
    (u, s, vh), ran = tenon.svd_driver(on(device, a), k=5, driver=driver)
    leading(a, u, s, vh, dtype)
    assert ran != "auto"
    if name in ("falling", "rank 12") and driver in ("krylov", "randomized") and dtype in ("float32", "complex64"):
        assert ran == driver


@pytest.mark.parametrize("driver", LEADING)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_driver_has_leading_triplets(device, random, dtype, driver):
    a = sample(random, (50, 40), dtype)
    (u, s, vh), ran = tenon.svd_driver(on(device, a), k=5, driver=driver)
    leading(a, u, s, vh, dtype)
    assert ran != "auto"


def test_the_krylov_space_finds_the_top_of_a_flat_spectrum_alone(device, random):
    a = flat(random, 700, 600).astype("float32")
    (u, s, vh), ran = tenon.svd_driver(on(device, a), k=20)
    assert ran == "krylov"
    leading(a, u, s, vh, "float32")
    exact = numpy.linalg.svd(a.astype("float64"), compute_uv=False)[:20]
    assert numpy.max(numpy.abs(s.numpy() - exact) / exact) < 1e-6
    numpy.testing.assert_array_equal(s.numpy(), tenon.svd(on(device, a), k=20, compute_uv=False).numpy())  # same bits


def repeated(case, dtype):
    """A matrix whose leading values are repeated more often than the block size of the Krylov space; its values; and
    the number of values to compute."""
    random = numpy.random.default_rng(11)
    n = 540
    if case.startswith("kron"):
        small = random.standard_normal((20, 20))
        factors = (numpy.eye(27), small)
        a = numpy.kron(*(factors if case == "kron" else factors[::-1]))
        return a.astype(dtype), numpy.repeat(numpy.linalg.svd(small, compute_uv=False), 27), 20
    count, k, spread = {"24 of 20": (24, 20, 0), "20 of 20": (20, 20, 0), "17 of 17": (17, 17, 0), "60 of 20": (60, 20, 0),
                        "two groups": (14, 20, 0), "spread 1e-14": (24, 20, 1e-14), "spread 1e-12": (24, 20, 1e-12)}[case]
    s = numpy.concatenate([1 + spread * random.random(count), numpy.linspace(0.9, 0, n - count)])
    if case == "two groups":
        s[count:count + 30] = 0.95
    s = numpy.sort(s)[::-1]
    u, v = orthogonal(random, n), orthogonal(random, n)
    if dtype in COMPLEX:
        u = u * numpy.exp(1j * random.random(n))[:, None]
    return ((u * s) @ v.T).astype(dtype), s, k


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_a_batch_of_a_zero_matrix_and_matrices_of_rank_one_is_accurate(device, random, dtype):
    """The polar driver fails for zero matrices; matrices of rank one are the hardest for it."""
    n = 300 if device.name.startswith("cuda") else 60
    a = numpy.stack([numpy.zeros((n, n))] + [numpy.outer(sample(random, n, dtype), sample(random, n, dtype)) for _ in range(24)]).astype(dtype)
    for matrix, u, s, vh in zip(a, *(x.numpy() for x in tenon.svd(on(device, a)))):
        accurate(matrix, u, s, vh, dtype)


REPEATED = ["24 of 20", "20 of 20", "17 of 17", "60 of 20", "two groups", "spread 1e-14", "spread 1e-12", "kron", "kron turned"]


# Every case in double precision, and in one of the other dtypes.
@pytest.mark.parametrize("case, dtype", [(case, dtype) for at, case in enumerate(REPEATED)
                                         for dtype in ("float64", ("float32", "complex128")[at % 2])])
def test_values_that_repeat_are_all_found(device, dtype, case):
    a, exact, k = repeated(case, dtype)
    there = on(device, a)
    (u, s, vh), ran = tenon.svd_driver(there, k=k)
    assert ran == "krylov"
    leading(a, u, s, vh, dtype)
    room = (1e-6 if dtype == "float32" else 1e-11) * exact[0]
    assert numpy.max(numpy.abs(s.numpy() - exact[:k])) <= room
    assert numpy.max(numpy.abs(tenon.svd(there, k=k, compute_uv=False).numpy() - exact[:k])) <= room


def test_a_driver_that_is_not_accurate_gives_way_and_says_so(device, random):
    a = flat(random, 200, 200)
    (u, s, vh), ran = tenon.svd_driver(on(device, a), k=4, driver="randomized")
    assert ran not in ("randomized", "auto")
    leading(a, u, s, vh, "float64")
    (u, s, vh), ran = tenon.svd_driver(on(device, a), k=4, driver="randomized", tolerance=0.5)
    assert ran == "randomized"  # its result is accurate enough
    graded = square(random, "graded", 60, "float64")
    (u, s, vh), ran = tenon.svd_driver(on(device, graded), driver="gram")
    assert ran != "gram"
    accurate(graded, u, s, vh, "float64")


@pytest.mark.parametrize("driver", ["gram", "polar", "krylov", "randomized"])
def test_batches_go_matrix_by_matrix(device, random, driver):
    a = sample(random, (2, 3, 40, 30), "float32")
    k = 4 if driver in ("krylov", "randomized") else None
    (u, s, vh), _ = tenon.svd_driver(on(device, a), k=k, driver=driver)
    assert u.shape == (2, 3, 40, k or 30) and s.shape == (2, 3, k or 30) and vh.shape == (2, 3, k or 30, 30)
    for index in numpy.ndindex(2, 3):
        (leading if k else accurate)(a[index], u[index], s[index], vh[index], "float32")
    empty = tenon.svd(tenon.zeros((0, 5, 4), device=device), k=2, driver=driver if k else "auto")
    assert [x.shape for x in empty] == [(0, 5, 2), (0, 2), (0, 2, 4)]


def test_k_of_all_is_all(device, random):
    a = sample(random, (9, 6), "float64")
    u, s, vh = tenon.svd(on(device, a), k=6)
    accurate(a, u, s, vh, "float64")
    assert u.shape == (9, 6)


@pytest.mark.parametrize("keywords, text", [({"k": 7}, "6 singular values"), ({"k": -1}, "at least 1"), ({"driver": "best"}, "driver is one of"),
                                            ({"driver": "krylov"}, "set k to their number"), ({"k": 2, "tolerance": 1.5}, "tolerance is 1.5"),
                                            ({"k": 2, "tolerance": -1}, "tolerance is -1"), ({"k": 2, "tolerance": float("nan")}, "tolerance")])
def test_what_cannot_be_asked_for(device, keywords, text):
    with pytest.raises(ValueError, match=text):
        tenon.svd(tenon.ones((9, 6), device=device), **keywords)


@pytest.mark.parametrize("driver", LEADING)
@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf])
def test_what_is_not_finite_is_refused_by_all(device, random, driver, bad):
    a = sample(random, (30, 20), "float32")
    a[7, 8] = bad
    with pytest.raises(tenon.LinAlgError, match="(?i)nan|finite|infinit"):
        tenon.svd(on(device, a), k=3, driver=driver)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("case", ["flat", "graded"])
def test_large_ones_are_as_accurate_as_small_ones(device, random, dtype, case):
    if device.name == "cpu:0":
        pytest.skip("a choice of driver that is made on a GPU")
    a = sample(random, (1500, 1100), dtype)
    if case == "graded":  # values that span twelve decades
        a = (a * numpy.logspace(0, -12, 1100)).astype(dtype)
    (u, s, vh), ran = tenon.svd_driver(on(device, a), full_matrices=False)
    assert ran == "gram" if case == "flat" else ran not in ("auto", "gram")
    accurate(a, u, s, vh, dtype)
