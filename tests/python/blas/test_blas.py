"""The BLAS routines, compared with their definitions in long double: all dtypes, options, layouts and batches, and
errors."""

import ctypes

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, sample
from matrices import adjoint, wide
from tenon import _raw, blas
from tenon._library import lib

ALL = ["float16", "bfloat16", *REAL, *COMPLEX]
FULL = REAL + COMPLEX

# Views with the shape of a matrix: the array in memory, and the view of it.
LAYOUTS = {
    "rows": (lambda r, c: (r, c), lambda x: x),
    "columns": (lambda r, c: (c, r), lambda x: x.mT if isinstance(x, tenon.Array) else numpy.swapaxes(x, -1, -2)),
    "inside": (lambda r, c: (r + 2, c + 3), lambda x: x[..., 1:-1, 2:-1]),
    "skipped": (lambda r, c: (r, 2 * c), lambda x: x[..., ::2]),
    "reversed": (lambda r, c: (r, c), lambda x: x[..., ::-1, ::-1]),
}
VECTORS = {
    "dense": (lambda n: n, lambda x: x),
    "skipped": (lambda n: 3 * n, lambda x: x[..., ::3]),
    "reversed": (lambda n: n, lambda x: x[..., ::-1]),
}


def numbers(random, device, shape, dtype):
    host = sample(random, shape, "float32" if dtype == "bfloat16" else dtype)
    return on(device, host).astype(dtype)


def exact(x):
    """The numbers in long double."""
    return wide(x.astype("float64") if x.dtype in ("float16", "bfloat16", "int8", "int32") else x)


def matrix(random, device, batch, rows, cols, dtype, layout="rows"):
    shape, view = LAYOUTS[layout]
    return view(numbers(random, device, batch + shape(rows, cols), dtype))


def vector(random, device, batch, n, dtype, layout="dense"):
    shape, view = VECTORS[layout]
    return view(numbers(random, device, batch + (shape(n),), dtype))


def unit(dtype):
    return 2.0**-8 if dtype == "bfloat16" else float(eps(dtype))


def near(got, want, size, terms, dtype):
    """Within LAPACK's bound: one rounding per term, and another for 16-bit results."""
    sums = "float32" if dtype in ("float16", "bfloat16") else dtype
    bound = 4 * (terms + 4) * unit(sums) * size + unit(dtype) * numpy.abs(want)
    error = numpy.abs(exact(got) - want)
    assert got.shape == want.shape
    assert numpy.all(error <= bound), float(numpy.max(error - bound))


def op(x, trans):
    return x if trans == "N" else numpy.swapaxes(x, -1, -2) if trans == "T" else adjoint(x)


def factors(dtype):
    return (0.5 - 2j, -1.5 + 0.25j) if dtype.startswith("complex") else (0.5, -1.5)


def triangle(x, upper):
    return numpy.triu(x) if upper else numpy.tril(x)


def with_nan_beside(x, upper):
    """Writes NaN into the triangle of x that is not in use, which must not be read; `upper`: the upper triangle is in
    use."""
    rows, cols = numpy.indices(x.shape[-2:])
    x[...] = numpy.where(rows > cols if upper else rows < cols, numpy.asarray(numpy.nan, x.numpy().dtype), x.numpy())
    return x


# --- vectors ---

@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("trans", "NTC")
def test_gemv(device, random, dtype, layout, trans):
    alpha, beta = factors(dtype)
    for m, n, of_x, of_y in [(5, 7, "dense", "dense"), (1, 6, "skipped", "dense"), (6, 1, "reversed", "skipped"), (1, 1, "skipped", "dense"),
                             (65, 33, "skipped", "reversed"), (128, 300, "dense", "skipped"), (0, 3, "dense", "dense"), (3, 0, "dense", "skipped")]:
        a = matrix(random, device, (), m, n, dtype, layout)
        x, y = vector(random, device, (), n if trans == "N" else m, dtype, of_x), vector(random, device, (), m if trans == "N" else n, dtype, of_y)
        before = exact(y)
        assert blas.gemv(a, x, y, alpha=alpha, beta=beta, trans=trans) is y
        left = op(exact(a), trans)
        near(y, alpha * (left @ exact(x)) + beta * before, abs(alpha) * (numpy.abs(left) @ numpy.abs(exact(x))) + numpy.abs(beta * before),
             n + m, dtype)


@pytest.mark.parametrize("dtype", ["float16", *FULL])
@pytest.mark.parametrize("trans", "NTC")
def test_gemv_of_batches_that_broadcast(device, random, dtype, trans):
    for of_a, of_x, of_y in [((3,), (3,), (3,)), ((), (4,), (4,)), ((2, 1), (3,), (2, 3)), ((5,), (), (5,)), ((2, 3), (2, 3), (2, 3)), ((0,), (0,), (0,))]:
        a, x = matrix(random, device, of_a, 6, 9, dtype), vector(random, device, of_x, 9 if trans == "N" else 6, dtype)
        got = blas.gemv(a, x, trans=trans)
        left = op(exact(a), trans)
        want = (left @ exact(x)[..., None])[..., 0]
        assert got.shape == of_y + (6 if trans == "N" else 9,)
        near(got, want, (numpy.abs(left) @ numpy.abs(exact(x))[..., None])[..., 0], 9, dtype)


def test_gemv_of_int8_and_wider_results(device, random):
    a, x = numbers(random, device, (5, 40), "int8"), numbers(random, device, (40,), "int8")
    assert blas.gemv(a, x).dtype == "int32"
    numpy.testing.assert_array_equal(blas.gemv(a, x).numpy(), a.numpy().astype("int32") @ x.numpy().astype("int32"))
    h, v, y = numbers(random, device, (5, 40), "float16"), numbers(random, device, (40,), "float16"), tenon.zeros(5, "float32", device=device)
    blas.gemv(h, v, y)
    near(y, exact(h) @ exact(v), numpy.abs(exact(h)) @ numpy.abs(exact(v)), 40, "float32")


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("conjugate", [False, True])
def test_ger(device, random, dtype, layout, conjugate):
    alpha, _ = factors(dtype)
    for m, n, of_x, of_y in [(5, 7, "dense", "dense"), (1, 6, "skipped", "dense"), (6, 1, "reversed", "skipped"), (40, 33, "skipped", "reversed"), (0, 2, "dense", "dense")]:
        x, y = vector(random, device, (), m, dtype, of_x), vector(random, device, (), n, dtype, of_y)
        a = matrix(random, device, (), m, n, dtype, layout)
        before, right = exact(a), exact(y).conj() if conjugate else exact(y)
        assert blas.ger(x, y, a, alpha=alpha, conjugate=conjugate) is a
        near(a, before + alpha * numpy.outer(exact(x), right), numpy.abs(before) + abs(alpha) * numpy.abs(numpy.outer(exact(x), right)), 1, dtype)
    x, y = vector(random, device, (3, 1), 4, dtype), vector(random, device, (2,), 5, dtype)
    got = blas.ger(x, y, conjugate=conjugate)
    right = exact(y).conj() if conjugate else exact(y)
    want = exact(x)[..., :, None] * right[..., None, :]
    near(got, want, numpy.abs(want), 1, dtype)


SHAPES = {
    "vector": ((1000,), lambda x: x), "long": ((200001,), lambda x: x), "skipped": ((600,), lambda x: x[::3]), "reversed": ((50, 40), lambda x: x[::-1, ::-1]),
    "transposed": ((30, 50), lambda x: x.transpose(1, 0)), "inside": ((20, 30, 40), lambda x: x[2:-1, 3:-4, 5:-6]),
    "permuted": ((3, 4, 5, 6, 7), lambda x: x.transpose(3, 1, 4, 0, 2)[:, ::-1, ::2]), "number": ((), lambda x: x), "empty": ((3, 0), lambda x: x),
    "six": ((2, 3, 2, 3, 2, 6), lambda x: x[:, ::2, :, ::2, :, ::2]),
}


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("of_y", SHAPES)
@pytest.mark.parametrize("of_x", ["same", "dense", "number", "row"])
def test_axpy_and_scal_of_any_shape(device, random, dtype, of_y, of_x):
    shape, view = SHAPES[of_y]
    alpha, _ = factors(dtype)
    whole = numbers(random, device, shape, dtype)
    y = view(whole)
    before, around = exact(y), exact(whole)
    if of_x == "row" and y.ndim == 0:
        return
    x = {"same": lambda: view(numbers(random, device, shape, dtype)), "dense": lambda: numbers(random, device, y.shape, dtype),
         "number": lambda: numbers(random, device, (), dtype), "row": lambda: numbers(random, device, y.shape[-1:], dtype)}[of_x]()
    assert blas.axpy(x, y, alpha=alpha) is y
    want = before + alpha * exact(x)
    near(y, numpy.broadcast_to(want, y.shape), numpy.abs(before) + numpy.abs(alpha * exact(x)), 1, dtype)
    changed = exact(whole) != around
    assert changed.sum() <= y.size  # nothing outside the view
    before = exact(y)
    assert blas.scal(alpha, y) is y
    near(y, alpha * before, numpy.abs(alpha * before), 1, dtype)


@pytest.mark.parametrize("dtype", ALL)
def test_alpha_0_reads_nothing(device, dtype):
    nan = tenon.full((4, 4), float("nan"), dtype, device=device)
    y = tenon.ones((4, 4), dtype, device=device)
    blas.axpy(nan, y, alpha=0)
    assert numpy.all(exact(y) == 1)
    blas.gemv(nan, nan[0], y[0], alpha=0, beta=2)
    assert numpy.all(exact(y[0]) == 2)
    blas.ger(nan[0], nan[1], y, alpha=0)
    assert numpy.all(exact(y[1:]) == 1)
    blas.scal(0, nan)
    assert numpy.all(exact(nan) == 0)


@pytest.mark.parametrize("dtype", ALL)
def test_nan_goes_through(device, random, dtype):
    x, y = numbers(random, device, (1000,), dtype), numbers(random, device, (1000,), dtype)
    x[7] = float("nan")
    blas.axpy(x, y, alpha=2)
    assert list(numpy.flatnonzero(numpy.isnan(exact(y)))) == [7]
    blas.scal(3, x)
    assert list(numpy.flatnonzero(numpy.isnan(exact(x)))) == [7]
    assert numpy.isnan(exact(blas.nrm2(x)))
    a = numbers(random, device, (4, 1000), dtype)
    assert numpy.all(numpy.isnan(exact(blas.gemv(a, x))))


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", VECTORS)
def test_nrm2(device, random, dtype, layout):
    for batch in [(), (3,), (2, 3), (0, 4), (40,)]:
        for n in [0, 1, 2, 9, 33, 1000, 20000]:
            x = vector(random, device, batch, n, dtype, layout)
            got = blas.nrm2(x)
            want = numpy.sqrt((numpy.abs(exact(x)) ** 2).sum(axis=-1))
            assert got.dtype == {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype) and got.shape == batch
            error = numpy.abs(exact(got) - want)
            assert numpy.all(error <= (unit(dtype) + 40 * unit("float64")) * want)


@pytest.mark.parametrize("n", [1, 5, 100, 70000, 300001])
@pytest.mark.parametrize("dtype", FULL)
def test_nrm2_neither_overflows_nor_vanishes(device, dtype, n):
    info = numpy.finfo(dtype)
    for size in [float(info.max) / 600 / 2, float(info.tiny), float(info.smallest_subnormal) * 3, float(info.max) ** 0.5 * 3, float(info.tiny) ** 0.5 / 3]:
        host = numpy.full(n, size, dtype)
        if dtype.startswith("complex"):
            host = host * numpy.asarray(1 - 1j, dtype)
        want = numpy.sqrt(numpy.longdouble(n) * (2 if dtype.startswith("complex") else 1)) * numpy.longdouble(numpy.real(host[0]))
        got = exact(blas.nrm2(on(device, host)))
        assert abs(got - want) <= 100 * unit(dtype) * want + 8 * info.smallest_subnormal, (size, got, want)  # parts are rounded too
    host = numpy.zeros(n, dtype)
    assert exact(blas.nrm2(on(device, host))) == 0
    host[n // 2] = -numpy.inf
    assert numpy.isposinf(exact(blas.nrm2(on(device, host))))
    host[:] = info.max
    assert numpy.isposinf(exact(blas.nrm2(on(device, host)))) == (n > 1)
    host[-1] = numpy.nan
    assert numpy.isnan(exact(blas.nrm2(on(device, host))))


# --- triangles ---

SIZES = [(1, 1), (2, 5), (7, 3), (33, 20), (64, 65), (4, 0), (0, 3)]


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("of_a", LAYOUTS)
@pytest.mark.parametrize("of_c", LAYOUTS)
def test_syrk_and_herk(device, random, dtype, upper, of_a, of_c):
    for n, k in SIZES:
        for trans in "NT" if dtype in REAL else "N":
            run_rank_k(device, random, dtype, upper, of_a, of_c, n, k, blas.syrk, trans)
        if dtype in COMPLEX:
            run_rank_k(device, random, dtype, upper, of_a, of_c, n, k, blas.syrk, "T")
            for trans in "NC":
                run_rank_k(device, random, dtype, upper, of_a, of_c, n, k, blas.herk, trans)


def run_rank_k(device, random, dtype, upper, of_a, of_c, n, k, call, trans, batch_a=(), batch=()):
    alpha, beta = (0.5, -1.5) if call is blas.herk else factors(dtype)
    a = matrix(random, device, batch_a, *((n, k) if trans == "N" else (k, n)), dtype, of_a)
    c = matrix(random, device, batch, n, n, dtype, of_c)
    s = op(exact(a), "N" if trans == "N" else "T")
    other = op(s, "C" if call is blas.herk else "T")
    product = s @ other if trans != "C" else s.conj() @ s.swapaxes(-1, -2)
    size = numpy.abs(s) @ numpy.abs(other)
    for keep in (beta, 0):
        if call is blas.herk:  # the diagonal is treated as real
            diagonal = numpy.arange(n)
            host = c.numpy()
            host[..., diagonal, diagonal] = host[..., diagonal, diagonal].real
            c[...] = host
        before = exact(c)
        if keep == 0:
            nan = numpy.where(triangle(numpy.ones((n, n)), upper) != 0, numpy.asarray(numpy.nan, c.numpy().dtype), c.numpy())
            c[...] = nan
        assert call(a, c, alpha=alpha, beta=keep, upper=upper, trans=trans) is c
        got = exact(c)
        inside = triangle(numpy.ones((n, n)), upper) != 0
        numpy.testing.assert_array_equal(got[..., ~inside], before[..., ~inside])
        want = alpha * product + (keep * before if keep else 0)
        error = numpy.abs(got - want)[..., inside]
        bound = (4 * (k + 4) * unit(dtype) * (abs(alpha) * size + numpy.abs(keep * before)))[..., inside]
        assert numpy.all(error <= bound)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("call, trans", [("syrk", "N"), ("syrk", "T"), ("herk", "N"), ("herk", "C")])
def test_rank_k_of_batches(device, random, dtype, call, trans):
    for of_a, of_c in [((3,), (3,)), ((), (2, 2)), ((2, 1), (2, 3)), ((0,), (0,)), ((200,), (200,))]:
        run_rank_k(device, random, dtype, True, "rows", "rows", 6, 5, getattr(blas, call), trans, of_a, of_c)
        run_rank_k(device, random, dtype, False, "columns", "skipped", 5, 4, getattr(blas, call), trans, of_a, of_c)


def test_rank_k_without_c_has_zeros_in_the_other_triangle(device, random):
    a = numbers(random, device, (2, 4, 3), "complex64")
    for call, other in [(blas.syrk, "T"), (blas.herk, "C")]:
        got = call(a, upper=True)
        near(got, numpy.triu(exact(a) @ op(exact(a), other)), numpy.abs(exact(a)) @ numpy.abs(op(exact(a), "T")), 3, "complex64")
    numpy.testing.assert_array_equal(tenon.rank_k(a).numpy(), blas.herk(a).numpy())


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("of_a", LAYOUTS)
@pytest.mark.parametrize("of_c", LAYOUTS)
def test_symm_and_hemm(device, random, dtype, upper, right, of_a, of_c):
    alpha, beta = factors(dtype)
    for m, n in SIZES:
        for call, turned in [(blas.symm, "T"), (blas.hemm, "C")]:
            of_b = list(LAYOUTS)[(m + n) % len(LAYOUTS)]
            side = n if right else m
            a = with_nan_beside(matrix(random, device, (), side, side, dtype, of_a), upper)
            one = triangle(exact(a), upper)
            diagonal = numpy.diag(numpy.diag(one))
            full = one + op(one, turned) - (diagonal if call is blas.symm else diagonal.conj()) if side else one
            b, c = matrix(random, device, (), m, n, dtype, of_b), matrix(random, device, (), m, n, dtype, of_c)
            if call is blas.hemm:
                full = full - 1j * numpy.diag(numpy.diag(full).imag)
            before = exact(c)
            assert call(a, b, c, alpha=alpha, beta=beta, upper=upper, right=right) is c
            left, second = (exact(b), full) if right else (full, exact(b))
            size = abs(alpha) * (numpy.abs(left) @ numpy.abs(second)) + numpy.abs(beta * before)
            near(c, alpha * (left @ second) + beta * before, size, side, dtype)
            c[...] = float("nan")
            call(a, b, c, upper=upper, right=right)
            near(c, left @ second, numpy.abs(left) @ numpy.abs(second), side, dtype)


@pytest.mark.parametrize("dtype", FULL)
def test_symm_of_batches(device, random, dtype):
    for of_a, of_b in [((3,), (3,)), ((), (4,)), ((2, 1), (3,)), ((100,), (1,))]:
        a, b = matrix(random, device, of_a, 5, 5, dtype), matrix(random, device, of_b, 5, 3, dtype)
        one = numpy.tril(exact(a))
        full = one + numpy.swapaxes(numpy.tril(exact(a), -1), -1, -2)
        got = blas.symm(a, b)
        near(got, full @ exact(b), numpy.abs(full) @ numpy.abs(exact(b)), 5, dtype)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("of_a", LAYOUTS)
@pytest.mark.parametrize("of_b", LAYOUTS)
def test_trmm_and_trsm(device, random, dtype, upper, right, of_a, of_b):
    for m, n in SIZES:
        for trans in "NTC":
            for diagonal in (False, True):
                run_triangular(device, random, dtype, upper, right, of_a, of_b, m, n, trans, diagonal)


def run_triangular(device, random, dtype, upper, right, of_a, of_b, m, n, trans, diagonal, batch_a=(), batch=()):
    alpha, _ = factors(dtype)
    side = n if right else m
    a = matrix(random, device, batch_a, side, side, dtype, of_a)
    a[...] = (a.numpy() / max(side, 1) + 2 * numpy.eye(side)).astype(dtype)
    with_nan_beside(a, upper)
    host = triangle(exact(a), upper)
    if diagonal:
        places = numpy.arange(side)
        changed = a.numpy()
        changed[..., places, places] = numpy.nan
        a[...] = changed
        host[..., places, places] = 1
    factor = op(host, trans)
    b = matrix(random, device, batch, m, n, dtype, of_b)
    start = exact(b)
    options = dict(alpha=alpha, upper=upper, trans=trans, unit_diagonal=diagonal, right=right)
    assert blas.trsm(a, b, **options) is b
    x = exact(b)
    back, size = (x @ factor, numpy.abs(x) @ numpy.abs(factor)) if right else (factor @ x, numpy.abs(factor) @ numpy.abs(x))
    assert numpy.all(numpy.abs(back - alpha * start) <= 8 * (side + 4) * unit(dtype) * (size + numpy.abs(alpha * start)))
    b[...] = start.astype(dtype)
    assert blas.trmm(a, b, **options) is b
    want, size = (start @ factor, numpy.abs(start) @ numpy.abs(factor)) if right else (factor @ start, numpy.abs(factor) @ numpy.abs(start))
    near(b, alpha * want, abs(alpha) * size, side, dtype)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("trans", "NTC")
def test_triangles_of_batches(device, random, dtype, right, trans):
    for of_a, of_b in [((3,), (3,)), ((), (4,)), ((2, 1), (2, 3)), ((0,), (0,)), ((50,), (50,))]:
        run_triangular(device, random, dtype, False, right, "rows", "rows", 6, 5, trans, False, of_a, of_b)
        run_triangular(device, random, dtype, True, right, "columns", "inside", 5, 6, trans, True, of_a, of_b)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("batch", [(), (20,)])
def test_a_singular_triangle_gives_what_is_not_finite(device, dtype, batch):
    a = tenon.ones(batch + (3, 3), dtype, device=device)
    a[..., 1, 1] = 0
    b = tenon.ones(batch + (3, 2), dtype, device=device)
    blas.trsm(a, b)
    assert numpy.all(numpy.isfinite(exact(b))[..., 0, :]) and not numpy.any(numpy.isfinite(exact(b))[..., 1, :])
    with pytest.raises(tenon.LinAlgError):
        tenon.solve(a, tenon.ones(batch + (3, 2), dtype, device=device), kind="lower")


@pytest.mark.parametrize("dtype", FULL)
def test_alpha_0_of_triangles_reads_no_operand(device, dtype):
    nan = tenon.full((4, 4), float("nan"), dtype, device=device)
    for call in (blas.trmm, blas.trsm):
        b = tenon.ones((4, 3), dtype, device=device)
        assert numpy.all(exact(call(nan, b, alpha=0)) == 0)
    c = tenon.ones((4, 4), dtype, device=device)
    assert numpy.all(exact(blas.symm(nan, nan, c, alpha=0, beta=3)) == 3)
    assert numpy.all(numpy.tril(exact(blas.syrk(nan, c, alpha=0, beta=2))) == 6 * numpy.tri(4))


# --- lists of products ---

def entries(random, device, shapes, dtype, layouts=("rows",)):
    out = [], []
    for i, (m, n, k) in enumerate(shapes):
        out[0].append(matrix(random, device, (), m, k, dtype, layouts[i % len(layouts)]))
        out[1].append(matrix(random, device, (), k, n, dtype, layouts[(i // 2) % len(layouts)]))
    return out


def check_products(got, a, b, dtype, alpha=1, beta=0, before=None):
    for i, c in enumerate(got):
        x, y = exact(a[i]), exact(b[i])
        kept = beta * before[i] if beta else 0
        near(c, alpha * (x @ y) + kept, abs(alpha) * (numpy.abs(x) @ numpy.abs(y)) + numpy.abs(kept), x.shape[-1], dtype)


MIXED = [(3, 4, 5), (16, 16, 16), (3, 4, 5), (1, 7, 2), (40, 1, 9), (16, 16, 16), (0, 4, 2), (5, 0, 3), (4, 4, 0), (33, 65, 20), (3, 4, 5), (1, 1, 50)]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layouts", [["rows"], ["columns"], list(LAYOUTS)])
def test_products_of_lists(device, random, dtype, layouts):
    alpha, beta = factors(dtype)
    for shapes in ([(8, 6, 7)] * 70, MIXED, [(100, 90, 80)] * 3, [(5, 5, 5)], [(200, 300, 400), (2, 3, 4)]):
        a, b = entries(random, device, shapes, dtype, layouts)
        check_products(blas.gemm_grouped(a, b), a, b, dtype)
        c = [matrix(random, device, (), m, n, dtype, layouts[i % len(layouts)]) for i, (m, n, k) in enumerate(shapes)]
        before = [exact(x) for x in c]
        got = blas.gemm_grouped(a, b, c, alpha=alpha, beta=beta)
        assert all(x is y for x, y in zip(got, c))
        check_products(got, a, b, dtype, alpha, beta, before)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("first", "NTC")
@pytest.mark.parametrize("second", "NTC")
def test_products_of_lists_with_ops_and_batches(device, random, dtype, first, second):
    a = [numbers(random, device, shape, dtype) for shape in ((5, 5), (2, 5, 5), (1, 5, 5), (5, 5))]
    b = [numbers(random, device, shape, dtype) for shape in ((5, 5), (5, 5), (3, 5, 5), (5, 5))]
    got = blas.gemm_grouped(a, b, trans_a=first, trans_b=second)
    for c, x, y in zip(got, a, b):
        left, right = op(exact(x), first), op(exact(y), second)
        near(c, left @ right, numpy.abs(left) @ numpy.abs(right), 5, dtype)


def test_lists_of_several_dtypes_of_int8_and_into_wider_results(device, random):
    a = [numbers(random, device, (9, 8), dtype) for dtype in ("float32", "float64", "int8", "float16", "int8", "complex64")]
    b = [numbers(random, device, (8, 7), dtype) for dtype in ("float32", "float64", "int8", "float16", "int8", "complex64")]
    for x, y, c in zip(a, b, blas.gemm_grouped(a, b)):
        near(c, exact(x) @ exact(y), numpy.abs(exact(x)) @ numpy.abs(exact(y)), 8, "float32" if x.dtype == "int8" else x.dtype.name)
    halves = a[3:4] * 4, b[3:4] * 4
    check_products(blas.gemm_grouped(*halves, dtype="float32"), *halves, "float32")


def test_an_empty_list_is_nothing_to_do(device):
    assert blas.gemm_grouped([], []) == []
    assert lib.tenon_gemm_grouped(0, None, None, None, None, None, None, None) == _raw.TENON_OK


def test_lists_are_checked_before_anything_is_written(device, random):
    a, b = entries(random, device, [(4, 4, 4)] * 3, "float32")
    c = [tenon.zeros((4, 4), "float32", device=device) for _ in range(3)]
    wrong = tenon.zeros((4, 5), "float32", device=device)
    other = tenon.zeros((4, 4), "float64", device=device)
    for lists, error, text in [((a, b, c[:2] + [wrong]), ValueError, "entry 2: a .* times b .* does not fit c"),
                               (([*a[:2], other], b, c), TypeError, "entry 2: a is float64"),
                               ((a, b, c[:2] + c[:1]), ValueError, r"c\[[02]\] shares memory with c\[[02]\]"),
                               ((a, b, [c[0], a[2], c[1]]), ValueError, r"shares memory with"),
                               ((a, b, [c[0], c[1], a[2]]), ValueError, r"entry 2: c shares memory with a or b")]:
        with pytest.raises(error, match=text):
            blas.gemm_grouped(*lists)
        assert all(numpy.all(x.numpy() == 0) for x in c)
    with pytest.raises(ValueError, match="the same length"):
        blas.gemm_grouped(a, b[:2])
    bias = tenon.zeros(3, "float32", device=device)
    assert grouped(a, b, c, bias=bias._handle) == _raw.TENON_ERROR_SHAPE and all(numpy.all(x.numpy() == 0) for x in c)


def grouped(a, b, c, **fields):
    options = _raw.tenon_gemm_options(**fields)
    lists = [(ctypes.c_void_p * len(c))(*(x._handle for x in xs)) for xs in (a, b, c)]
    return lib.tenon_gemm_grouped(len(c), None, *lists[:2], None, ctypes.byref(options), None, lists[2])


def test_interleaved_results_are_apart(device, random):
    whole = tenon.zeros((6, 12), "float32", device=device)
    a, b = entries(random, device, [(6, 4, 5)] * 3, "float32")
    c = [whole[:, i::3] for i in range(3)]
    check_products(blas.gemm_grouped(a, b, c), a, b, "float32")


def test_entries_that_are_alike_may_lie_anywhere(device, random):
    """Such entries are checked and decided once; their addresses differ by anything, and results may be given for some."""
    a, b, c = (matrix(random, device, (40,), n, m, "float32") for n, m in ((6, 4), (4, 5), (6, 5)))
    order = random.permutation(40)
    lefts, rights, results = [a[i] for i in order], [b[0]] * 40, [c[i] for i in random.permutation(40)]
    others = [numbers(random, device, (3, 3), "float32") for _ in range(40)]
    lists = [[*pair] for pair in zip(*([x for both in zip(one, others) for x in both] for one in (lefts, rights)))]
    got = blas.gemm_grouped([x for x, _ in lists], [y for _, y in lists])
    check_products(got, [x for x, _ in lists], [y for _, y in lists], "float32")
    check_products(blas.gemm_grouped(lefts, rights, results), lefts, rights, "float32")
    handles = [x._handle if i % 3 else None for i, x in enumerate(results)]
    at = [(ctypes.c_void_p * 40)(*(x._handle for x in xs)) for xs in (lefts, rights)] + [(ctypes.c_void_p * 40)(*handles)]
    assert lib.tenon_gemm_grouped(40, None, *at[:2], None, None, None, at[2]) == _raw.TENON_OK
    made = [tenon.Array._own(at[2][i]) if one is None else results[i] for i, one in enumerate(handles)]
    check_products(made, lefts, rights, "float32")
    assert all(x.data_ptr % 64 == 0 for x in made[::3])


def test_overlap_is_found_at_any_place_of_the_lists(device, random):
    memory = tenon.zeros((200, 4, 4), "float32", device=device)
    a, b, c = ([memory[i] for i in range(first, first + 40)] for first in (0, 40, 80))
    for order in (list(range(40)), list(random.permutation(40))):
        results = [c[i] for i in order]
        blas.gemm_grouped(a, b, results)
        for operand in (memory[95], memory[80], memory[119], memory[79:81].reshape((8, 4))[2:6]):
            for place in (0, 17, 39):
                wrong = [*a]
                wrong[place] = operand
                with pytest.raises(ValueError, match="shares memory"):
                    blas.gemm_grouped(wrong, b, results)
                with pytest.raises(ValueError, match="shares memory"):
                    blas.gemm_grouped(a, b, results[:place] + [memory[100] if place % 2 else b[3]] + results[place + 1:])
    blas.gemm_grouped([memory[79]] * 40, [memory[120]] * 40, c)  # beside them, and read by many


def test_lists_with_a_bias_and_an_epilogue(device, random):
    a, b = entries(random, device, [(4, 3, 5), (6, 3, 2)], "float32")
    c = [tenon.zeros((x.shape[0], 3), "float32", device=device) for x in a]
    bias = numbers(random, device, (3,), "float32")
    assert grouped(a, b, c, bias=bias._handle, epilogue=_raw.TENON_EPILOGUE_RELU) == _raw.TENON_OK
    for x, y, z in zip(a, b, c):
        sums = exact(x) @ exact(y) + exact(bias)
        assert numpy.all(numpy.abs(exact(z) - numpy.maximum(sums, 0)) <= 1e-5)


# --- all of them ---

def test_everything_can_be_recorded(device, random):
    n = 12
    for dtype in ("float32", "complex128"):
        a, x, y = matrix(random, device, (), n, n, dtype), vector(random, device, (), n, dtype), vector(random, device, (), n, dtype)
        a[...] = (a.numpy() + 6 * numpy.eye(n)).astype(dtype)
        many = matrix(random, device, (20,), n, n, dtype)
        many[...] = (many.numpy() + 6 * numpy.eye(n)).astype(dtype)
        start = {"v": y.copy(), "g": a.copy(), "s": matrix(random, device, (), n, n, dtype, "skipped"), "t": matrix(random, device, (), n, 4, dtype, "columns"),
                 "m": matrix(random, device, (), n, 4, dtype), "b": matrix(random, device, (20,), n, 3, dtype), "q": y.copy(), "e": matrix(random, device, (), n, 2 * n, dtype)[:, ::2]}

        def work(out, stream):
            blas.gemv(a, x, out["v"], alpha=2, beta=1, stream=stream)
            blas.ger(x, y, out["g"], stream=stream)
            blas.syrk(a, out["s"], beta=1, stream=stream)
            blas.herk(a, out["g"], upper=True, stream=stream)
            blas.trsm(a, out["t"], upper=True, stream=stream)
            blas.trmm(a, out["t"], trans="C", stream=stream)
            blas.symm(a, out["t"], out["m"], stream=stream)
            blas.trsm(many, out["b"], stream=stream)
            blas.axpy(x, out["q"], alpha=3, stream=stream)
            blas.axpy(x, out["e"], stream=stream)
            blas.scal(0.5, out["q"], stream=stream)
            lists = blas.gemm_grouped([a] * 3 + [many], [out["t"]] * 3 + [out["b"]], stream=stream)
            lists += blas.gemm_grouped([a] * 3, [a] * 3, stream=stream)
            return [blas.nrm2(out["g"], stream=stream), tenon.triangular_multiply(a, out["t"], stream=stream), *lists]

        plain, recorded = ({name: array.copy() for name, array in start.items()} for _ in range(2))
        for name in ("s", "t", "e"):  # with strides other than C order
            recorded[name] = start[name]
            plain[name] = start[name].copy()
        expected = work(plain, None)
        with tenon.Graph(device) as graph:
            made = work(recorded, graph)
        graph.launch()
        for name in start:
            left, right = exact(recorded[name]), exact(plain[name])
            numpy.testing.assert_allclose(left.astype(dtype), right.astype(dtype), rtol=1e-3 if dtype == "float32" else 1e-9)
        for left, right in zip(made, expected):
            numpy.testing.assert_allclose(left.numpy(), right.numpy(), rtol=1e-3 if dtype == "float32" else 1e-9)
        again = [numpy.array(one.numpy()) for one in made[2:]]
        graph.launch()  # the same nodes with other numbers
        assert any(numpy.any(one.numpy() != before) for one, before in zip(made[2:], again))


def test_streams_wait_for_each_other(device, random):
    streams = [tenon.Stream(device) for _ in range(2)]
    a = on(device, numpy.triu(sample(random, (200, 200), "float64")) + 20 * numpy.eye(200))
    b = on(device, sample(random, (200, 30), "float64"))
    start = exact(b)
    for i in range(6):
        blas.trmm(a, b, upper=True, stream=streams[i % 2])
        blas.trsm(a, b, upper=True, stream=streams[(i + 1) % 2])
    y = on(device, sample(random, (200,), "float64"))
    for i in range(6):
        y = blas.gemv(a, y, alpha=0.01, stream=streams[i % 2])
    lists = blas.gemm_grouped([a] * 5, [b] * 5, stream=streams[0])
    lists = blas.gemm_grouped([a] * 5, lists, stream=streams[1])
    assert numpy.max(numpy.abs(exact(b) - start)) <= 1e-9
    want = exact(a) @ (exact(a) @ exact(b))
    for c in lists:
        assert numpy.max(numpy.abs(exact(c) - want)) <= 1e-6


def into(array):
    return ctypes.byref(ctypes.c_void_p(array._handle))


def packed(call, *arguments, out, **fields):
    count = ctypes.c_int32(-1)
    options = _raw.tenon_blas_options(out_packed=ctypes.pointer(count), **fields)
    assert call(*arguments, ctypes.byref(options), None, into(out)) == _raw.TENON_OK
    return count.value


def test_only_layouts_that_blas_does_not_support_are_packed(device, random):
    dense, turned, skipped, back = (matrix(random, device, (), 8, 8, "complex64", layout) for layout in ("rows", "columns", "skipped", "reversed"))
    result = {layout: matrix(random, device, (), 8, 8, "complex64", layout) for layout in ("rows", "columns", "skipped")}
    v = {layout: vector(random, device, (), 8, "complex64", layout) for layout in VECTORS}
    w = {layout: vector(random, device, (), 8, "complex64", layout) for layout in VECTORS}

    def gemv(a, x, y, **fields):
        return packed(lib.tenon_gemv, None, a._handle, v[x]._handle, None, out=w[y], **fields)

    assert [gemv(a, "skipped", "skipped") for a in (dense, turned, skipped, back)] == [0, 0, 1, 1]
    assert gemv(dense, "reversed", "dense") == 1
    assert [gemv(a, "skipped", "dense", op=2) for a in (dense, turned)] == [0, 0]

    def syrk(a, c, **fields):
        return packed(lib.tenon_syrk, None, a._handle, None, out=result[c], **fields)

    assert [syrk(a, c) for a in (dense, turned) for c in ("rows", "columns")] == [0, 0, 0, 0]
    assert [syrk(a, c, hermitian=1) for a in (dense, turned) for c in ("rows", "columns")] == [0, 1, 1, 0]
    assert syrk(skipped, "skipped") == 2
    triangles = [packed(lib.tenon_trsm, None, a._handle, b._handle, out=b, op=o) for o in (0, 2)
                 for a in (dense, turned)
                 for b in (result["rows"], result["columns"])]
    assert triangles == [0, 0, 0, 0, 0, 1, 1, 0]
    assert packed(lib.tenon_symm, None, dense._handle, dense._handle, None, out=result["rows"]) == 0
    assert packed(lib.tenon_symm, None, turned._handle, dense._handle, None, out=result["rows"]) == 0
    assert packed(lib.tenon_symm, None, turned._handle, dense._handle, None, out=result["rows"], hermitian=1) == 1


def test_what_does_not_fit_is_refused(device):
    def f(*shape, dtype="float32"):
        return tenon.zeros(shape, dtype, device=device)

    whole = f(8, 8)
    frozen = numpy.zeros((4, 4), "float32")
    frozen.flags.writeable = False
    cases = [
        (lambda: blas.gemv(f(3, 4), f(5), f(3)), ValueError, r"a of shape \(3, 4\) needs x of shape \(..., 4\) and y of shape \(..., 3\)"),
        (lambda: blas.gemv(f(4), f(4)), ValueError, "two axes"),
        (lambda: blas.gemv(f(3, 4), f(4, dtype="float64"), f(3)), TypeError, "x is float64 and y is float32"),
        (lambda: blas.gemv(f(3, 4, dtype="complex32"), f(4, dtype="complex32"), f(3, dtype="complex32")), TypeError,
         "gemv has no product of complex32"),
        (lambda: blas.gemv(whole, whole[0], whole[1]), ValueError, "y shares memory with a or x"),
        (lambda: blas.gemv(f(3, 4), f(4), f(3), trans="X"), ValueError, "trans is one of"),
        (lambda: blas.gemv(f(2, 3, 4), f(3, 4), f(2, 3)), ValueError, "batch axes of x"),
        (lambda: blas.gemv(f(3, 4), f(4), beta=1), ValueError, "beta without y"),
        (lambda: blas.gemv(f(3, 4), f(4), f(3), alpha=1j), ValueError, "imaginary"),
        (lambda: blas.gemv(f(3, 4), f(4), f(3), alpha=1e300), ValueError, "alpha is 1e.300"),
        (lambda: blas.ger(f(3), f(4), f(4, 3)), ValueError, "do not fit a"),
        (lambda: blas.ger(whole[0], f(8), whole), ValueError, "a shares memory with x or y"),
        (lambda: blas.axpy(f(3), f(4)), ValueError, "broadcast"),
        (lambda: blas.axpy(f(4), f(4, dtype="float64")), TypeError, "x is float32 and y is float64"),
        (lambda: blas.axpy(f(4, dtype="int32"), f(4, dtype="int32")), TypeError, "x is int32: float16"),
        (lambda: blas.axpy(whole[:, :4], whole[:, 2:6]), ValueError, "y shares memory with x"),
        (lambda: blas.axpy(f(4), f(4), alpha=1j), ValueError, "imaginary"),
        (lambda: blas.scal(1e39, f(4)), ValueError, "alpha is 1e.39"),
        (lambda: blas.scal(2, f(4, dtype="bool")), TypeError, "x is bool"),
        (lambda: blas.nrm2(f()), ValueError, "no axes"),
        (lambda: blas.nrm2(f(4, dtype="int32")), TypeError, "x is int32"),
        (lambda: blas.syrk(f(3, 4), f(4, 4)), ValueError, "does not fit c"),
        (lambda: blas.syrk(f(3, 4), f(3, 4)), ValueError, "last two axes must be equal"),
        (lambda: blas.syrk(f(3, 4, dtype="float16"), f(3, 3, dtype="float16")), TypeError, "c is float16"),
        (lambda: blas.syrk(f(3, 4, dtype="complex64"), trans="C"), ValueError, "TENON_OP_ADJOINT: for complex"),
        (lambda: blas.herk(f(3, 4, dtype="complex64"), trans="T"), ValueError, "TENON_OP_TRANSPOSE: for complex"),
        (lambda: blas.herk(f(3, 4, dtype="complex64"), alpha=1j), ValueError,
         "alpha has an imaginary part: with it"),
        (lambda: blas.syrk(whole[:4], whole[:4, :4]), ValueError, "c shares memory with a"),
        (lambda: blas.symm(f(3, 3), f(4, 3), f(4, 3)), ValueError,
         r"a of shape \(3, 3\) on the left does not fit c of shape \(4, 3\): a must be \(4, 4\)"),
        (lambda: blas.symm(f(4, 4), f(4, 2), f(4, 3)), ValueError, "b .* does not fit c"),
        (lambda: blas.symm(f(4, 4), whole[:4, :3], whole[:4, 1:4]), ValueError, "c shares memory with b"),
        (lambda: blas.trmm(f(3, 3), f(4, 3)), ValueError, "on the left does not fit b"),
        (lambda: blas.trsm(f(3, 3), f(3, 4), right=True), ValueError, "on the right does not fit b"),
        (lambda: blas.trsm(f(2, 3, 3), f(3, 4)), ValueError,
         r"out_x has shape \(3, 4\), but this result has shape \(2, 3, 4\)"),
        (lambda: blas.trsm(whole[:4, :4], whole[:4, 2:]), ValueError, "out_x shares memory with a"),
        (lambda: blas.trsm(f(3, 3), f(3, 4, dtype="float64")), TypeError, "a is float32 and b is float64"),
    ]
    for call, error, text in cases:
        with pytest.raises(error, match=text):
            call()
    if device.kind == "cpu":
        for call in (lambda: blas.scal(2, frozen), lambda: blas.axpy(f(4), frozen), lambda: blas.trmm(f(4, 4), frozen), lambda: blas.gemv(f(4, 4), f(4), frozen[0])):
            with pytest.raises(tenon.ReadOnlyError):
                call()
    assert numpy.all(whole.numpy() == 0)


def test_options_that_a_function_does_not_have_are_refused(device):
    a, b = tenon.ones((3, 3), "float32", device=device), tenon.ones((3, 3), "float32", device=device)
    one, row = numpy.ones((3, 3), "float32"), a[0]
    for call, arguments, out, wrong in [(lib.tenon_gemv, (None, a._handle, row._handle, None), b[0],
                                         ["upper", "right", "hermitian", "unit_diagonal"]),
                                   (lib.tenon_syrk, (None, a._handle, None), b, ["right", "unit_diagonal"]),
                                   (lib.tenon_symm, (None, a._handle, a._handle, None), b, ["op", "unit_diagonal"]),
                                   (lib.tenon_trsm, (None, a._handle, b._handle), b, ["hermitian", "conjugate"])]:
        for field in ["op", "upper", "right", "hermitian", "unit_diagonal", "conjugate"]:
            for value in [1, 7] if field in wrong else [7]:
                options = _raw.tenon_blas_options(**{field: value})
                assert call(*arguments, ctypes.byref(options), None, into(out)) == _raw.TENON_ERROR_INVALID_ARGUMENT, \
                    (field, value)
    numpy.testing.assert_array_equal(b.numpy(), one)


def test_arrays_of_numpy_are_written_in_place(random):
    a, x, y = sample(random, (4, 3), "float64"), sample(random, (3,), "float64"), numpy.ones(4)
    blas.gemv(a, x, y, beta=1)
    numpy.testing.assert_allclose(y, 1 + a @ x)
    b = numpy.asfortranarray(sample(random, (4, 2), "float64"))
    t, before = numpy.tril(sample(random, (4, 4), "float64")) + 4 * numpy.eye(4), b.copy()
    blas.trsm(t, b)
    numpy.testing.assert_allclose(t @ b, before)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf])
@pytest.mark.parametrize("n", [1, 3, 64])
def test_factors_that_are_not_finite_reach_every_element(device, dtype, bad, n):
    """Zero times NaN or infinity is NaN, but libraries skip multiplications with zero."""
    def full(value, *shape):
        return on(device, numpy.full(shape, value, dtype))

    eye = on(device, numpy.eye(n, dtype=dtype))
    results = [blas.scal(bad, full(0, n)), blas.axpy(full(0, n), full(0, n), alpha=bad), blas.gemv(full(1, n, 4), full(1, 4), full(0, n), beta=bad),
               blas.gemv(full(0, n, 4), full(1, 4), full(1, n), alpha=bad), blas.symm(eye, full(1, n, 3), full(0, n, 3), beta=bad)]
    lower = blas.syrk(full(1, n, 2), full(0, n, n), beta=bad).numpy()
    for got in [x.numpy() for x in results] + [lower[numpy.tril_indices(n)]]:
        assert numpy.isnan(got).all(), got
    assert not lower[numpy.triu_indices(n, 1)].any()
