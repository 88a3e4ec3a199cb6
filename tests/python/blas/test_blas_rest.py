"""The other BLAS routines (sums and extremes of vectors, rotations, rank-2 updates, banded matrices, sums of matrices),
compared with their definitions in long double and with SciPy's BLAS."""

import ctypes

import numpy
import pytest
from scipy.linalg import blas as scipy_blas

import tenon
from conftest import COMPLEX, REAL, on, sample
from matrices import adjoint
from tenon import _raw, blas
from tenon._library import lib
from test_blas import (ALL, FULL, LAYOUTS, SHAPES, VECTORS, exact, factors, into, matrix, near, numbers, op, triangle,
                       unit, vector, with_nan_beside)

# and the lengths of the vectors: a single vector can be long and is then processed in pieces
BATCHES = {(): [0, 1, 2, 9, 33, 1000, 40000], (3,): [0, 1, 9, 33, 1000], (2, 3): [2, 33], (0, 4): [0, 9],
           (40,): [1, 33]}


def transposed(x):
    return numpy.swapaxes(x, -1, -2)


def size(x):
    return numpy.abs(x.real) + numpy.abs(x.imag)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", VECTORS)
def test_asum(device, random, dtype, layout):
    for batch, lengths in BATCHES.items():
        for n in lengths:
            x = vector(random, device, batch, n, dtype, layout)
            got, want = blas.asum(x), size(exact(x)).sum(axis=-1)
            assert got.shape == batch
            assert got.dtype == {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
            assert numpy.all(numpy.abs(exact(got) - want) <= (unit(dtype) + 40 * unit("float64")) * want)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("layout", VECTORS)
def test_iamax_and_iamin(device, random, dtype, layout):
    for batch, lengths in BATCHES.items():
        for n in lengths:
            x = vector(random, device, batch, n, dtype, layout)
            for call, place in ((blas.iamax, numpy.argmax), (blas.iamin, numpy.argmin)):
                got = call(x)
                assert got.dtype == "int64" and got.shape == batch
                if n == 0:
                    assert numpy.all(got.numpy() == -1)
                    continue
                host = x.astype("float32").numpy() if dtype in ("float16", "bfloat16") else x.numpy()
                numpy.testing.assert_array_equal(got.numpy(), place(size(host), axis=-1))


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("n", [5, 3000, 100001])
def test_the_first_of_equal_numbers_and_the_first_nan(device, dtype, n):
    x = tenon.full((n,), 1, dtype, device=device)
    assert blas.iamax(x).item() == blas.iamin(x).item() == 0
    x[n // 2] = -3
    x[n - 1] = 3
    assert (blas.iamax(x).item(), blas.iamin(x).item()) == (n // 2, 0)
    x[n - 2] = 0
    assert blas.iamin(x).item() == n - 2
    for place in (n - 1, n // 3):
        x[place] = float("nan")
        assert blas.iamax(x).item() == blas.iamin(x).item() == place
        assert numpy.isnan(exact(blas.asum(x)))


@pytest.mark.parametrize("dtype", FULL)
def test_vectors_as_scipy_has_them(random, dtype):
    x, y = (sample(random, (500,), dtype) for _ in range(2))
    letter = dict(zip(FULL, "sdcz"))[dtype]
    asum = getattr(scipy_blas, {"c": "scasum", "z": "dzasum"}.get(letter, letter + "asum"))
    assert abs(blas.asum(x).item() / asum(x) - 1) <= 100 * unit(dtype)
    assert blas.iamax(x).item() == getattr(scipy_blas, f"i{letter}amax")(x)
    c, s = 0.6, 0.8 if dtype in REAL else 0.48 - 0.64j
    if dtype in REAL:
        want = getattr(scipy_blas, letter + "rot")(x, y, c, s)
    else:
        want = c * x + s * y, c * y - numpy.conj(s) * x
    for got, wanted in zip(blas.rot(x.copy(), y.copy(), c, s), want):
        numpy.testing.assert_allclose(got.numpy(), wanted, rtol=0, atol=20 * unit(dtype))
    if dtype in REAL:
        for a, b in [(3, 4), (4, -3), (-1, 0), (0, 2), (0, 0)]:
            c, s, r = blas.rotg(numpy.asarray(a, dtype), numpy.asarray(b, dtype))
            wanted_c, wanted_s = getattr(scipy_blas, letter + "rotg")(a, b)
            assert abs(c.item() - wanted_c) <= 4 * unit(dtype) and abs(s.item() - wanted_s) <= 4 * unit(dtype)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", SHAPES)
def test_rot_and_swap_of_any_shape(device, random, dtype, shape):
    whole_shape, view = SHAPES[shape]
    c, s = 0.6, (0.48 - 0.64j if dtype in COMPLEX else -0.8)
    wholes = [numbers(random, device, whole_shape, dtype) for _ in range(2)]
    x, y = view(wholes[0]), view(numbers(random, device, whole_shape, dtype))
    other = view(wholes[1])
    for second in (other, tenon.asarray(y, copy=True)):
        a, b, around = exact(x), exact(second), exact(wholes[0])
        assert blas.rot(x, second, c, s) == (x, second) if a.size == 0 else blas.rot(x, second, c, s)[0] is x
        near(x, c * a + s * b, numpy.abs(c * a) + numpy.abs(s * b), 1, dtype)
        near(second, c * b - numpy.conj(s) * a, numpy.abs(c * b) + numpy.abs(s * a), 1, dtype)
        assert (exact(wholes[0]) != around).sum() <= x.size  # nothing outside the view
        a, b = exact(x), exact(second)
        blas.swap(x, second)
        numpy.testing.assert_array_equal(exact(x), b)
        numpy.testing.assert_array_equal(exact(second), a)


def call_pair(function, *arguments, outs):
    slots = [ctypes.c_void_p(None if out is None else out._handle) for out in outs]
    status = function(*arguments, None, None, *(ctypes.byref(slot) for slot in slots))
    return status, [tenon.Array._own(slot) if out is None and slot.value else out for slot, out in zip(slots, outs)]


@pytest.mark.parametrize("dtype", ["float16", *FULL])
def test_pairs_into_new_and_given_arrays(device, random, dtype):
    for into_x in ("new", "given", "self"):
        for into_y in ("new", "given", "self"):
            x, y = (vector(random, device, (2,), 9, dtype) for _ in range(2))
            a, b = exact(x), exact(y)
            outs = [{"new": None, "given": vector(random, device, (2,), 9, dtype, "skipped"), "self": own}[choice]
                    for choice, own in ((into_x, x), (into_y, y))]
            status, (left, right) = call_pair(lib.tenon_swap, x._handle, y._handle, outs=outs)
            assert status == _raw.TENON_OK
            numpy.testing.assert_array_equal(exact(left), b)
            numpy.testing.assert_array_equal(exact(right), a)
            if into_x != "self":
                numpy.testing.assert_array_equal(exact(x), a)


def rotated(a, b):
    """c, s and r for each pair, in long double."""
    length = numpy.hypot(numpy.abs(a), numpy.abs(b))
    if numpy.iscomplexobj(a):
        direction = numpy.where(a == 0, 1, a / numpy.where(a == 0, 1, numpy.abs(a)))
    else:
        larger = numpy.where(numpy.abs(a) > numpy.abs(b), a, b)
        direction = numpy.where(larger < 0, -1, 1) * numpy.where(a < 0, -1, 1)  # so that c = |a| / length has r's sign
    return numpy.abs(a) / length * (direction if not numpy.iscomplexobj(a) else 1), length


@pytest.mark.parametrize("dtype", FULL)
def test_rotg(device, random, dtype):
    info = numpy.finfo(dtype)
    sizes = [1, float(info.max) / 4, float(info.tiny), float(info.smallest_subnormal) * 5, 1e-9, 1e9]
    for of_a in sizes:
        for of_b in sizes:
            a, b = (numpy.asarray(random.uniform(0.5, 1, 50) * random.choice([-1, 1], 50)
                                  + (1j * random.uniform(-1, 1, 50) if dtype in COMPLEX else 0)) for _ in range(2))
            a, b = (a * of_a).astype(dtype), (b * of_b).astype(dtype)
            c, s, r = (exact(x) for x in blas.rotg(on(device, a), on(device, b)))
            a, b = a.astype(r.dtype), b.astype(r.dtype)
            want_c, length = rotated(a, b)
            tiny = 4 * numpy.longdouble(info.smallest_subnormal)
            assert numpy.all(numpy.abs(c - want_c) <= 8 * unit(dtype) * numpy.abs(want_c) + tiny)
            assert numpy.all(numpy.abs(c * c + numpy.abs(s) ** 2 - 1) <= 16 * unit(dtype))
            assert numpy.all(numpy.abs(numpy.abs(r) - length) <= 8 * unit(dtype) * length + tiny)
            assert numpy.all(numpy.abs(c * a + s * b - r) <= 32 * unit(dtype) * length + tiny)
            assert numpy.all(numpy.abs(c * b - numpy.conj(s) * a) <= 32 * unit(dtype) * length + 4 * tiny)


@pytest.mark.parametrize("dtype", FULL)
def test_rotg_of_zeros_and_in_place(device, dtype):
    value = 3 - 4j if dtype in COMPLEX else -5
    a, b = on(device, numpy.asarray([value, 0, 0], dtype)), on(device, numpy.asarray([0, value, 0], dtype))
    c, s, r = blas.rotg(a, b, out=(None, b, a))
    assert s is b and r is a
    assert list(c.numpy()) == [1, 0, 1]
    assert abs(s.numpy()[1]) == pytest.approx(1, abs=1e-6) and s.numpy()[0] == s.numpy()[2] == 0
    assert r.numpy()[0] == value and abs(r.numpy()[1]) == pytest.approx(5, rel=1e-6) and r.numpy()[2] == 0
    nan = on(device, numpy.asarray(numpy.nan, dtype))
    assert all(numpy.isnan(x.numpy()) for x in blas.rotg(nan, on(device, numpy.asarray(1, dtype))))
    slots = [ctypes.c_void_p() for _ in range(1)]
    assert lib.tenon_rotg(nan._handle, nan._handle, None, None, None, None, ctypes.byref(slots[0])) == _raw.TENON_OK
    assert tenon.Array._own(slots[0]).shape == ()


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("upper", [False, True])
def test_updates_of_rank_2(device, random, dtype, layout, upper):
    alpha, beta = factors(dtype)
    for hermitian in (False, True):
        for trans in "NTC":
            if dtype in COMPLEX and trans != "N" and (trans == "C") != hermitian:
                continue
            for of_a in LAYOUTS:
                n, k = 7, 4
                rows, cols = (n, k) if trans == "N" else (k, n)
                a = matrix(random, device, (2,), rows, cols, dtype, of_a)
                b = matrix(random, device, (), rows, cols, dtype)
                c = with_nan_beside(matrix(random, device, (2,), n, n, dtype, layout), upper)
                real = beta.real
                before = exact(c)
                left, right = (op(exact(x), trans) for x in (a, b))
                other = adjoint if hermitian else transposed
                back = numpy.conj(alpha) if hermitian else alpha
                keep = real if hermitian else beta
                call = blas.her2k if hermitian else blas.syr2k
                assert call(a, b, c, alpha=alpha, beta=keep, upper=upper, trans=trans) is c
                want = alpha * (left @ other(right)) + back * (right @ other(left)) + keep * before
                if hermitian and dtype in COMPLEX:
                    want[..., range(n), range(n)] = want[..., range(n), range(n)].real
                inside = triangle(numpy.ones((n, n)), upper) != 0
                bound = 2 * abs(alpha) * (numpy.abs(left) @ numpy.abs(other(right)))
                bound = bound + numpy.swapaxes(bound, -1, -2) + numpy.abs(beta * before)
                error = numpy.abs(exact(c) - want)
                assert numpy.all(error[..., inside] <= 40 * unit(dtype) * bound[..., inside] + 1e-300)
                assert numpy.all(numpy.isnan(exact(c))[..., ~inside])  # nothing was written there


@pytest.mark.parametrize("dtype", FULL)
def test_syr2_and_her2(device, random, dtype):
    alpha, _ = factors(dtype)
    x, y = vector(random, device, (3, 1), 6, dtype, "skipped"), vector(random, device, (2,), 6, dtype)
    a, b = exact(x)[..., :, None], exact(y)[..., :, None]
    for call, other in ((blas.syr2, transposed), (blas.her2, adjoint)):
        for upper in (False, True):
            got = call(x, y, alpha=alpha, upper=upper)
            back = numpy.conj(alpha) if call is blas.her2 else alpha
            want = triangle(alpha * a * other(b) + back * b * other(a), upper)
            assert got.shape == (3, 2, 6, 6)
            assert numpy.max(numpy.abs(exact(got) - want)) <= 40 * unit(dtype) * 20
            given = tenon.ones((3, 2, 6, 6), dtype, device=device)
            assert call(x, y, given, alpha=alpha, upper=upper) is given
            assert numpy.max(numpy.abs(exact(given) - 1 - want)) <= 40 * unit(dtype) * 20


def matrix_of(h):
    """The matrices (..., 2, 2) for BLAS's params (..., 5)."""
    flag, h11, h21, h12, h22 = numpy.moveaxis(h, -1, 0)
    identity = flag == -2
    h11, h22 = (numpy.where(identity | (flag == 0), 1, x) for x in (h11, h22))
    h21, h12 = (numpy.where(identity, 0, numpy.where(flag == 1, one, x)) for x, one in ((h21, -1), (h12, 1)))
    return numpy.stack([numpy.stack([h11, h12], -1), numpy.stack([h21, h22], -1)], -2)


@pytest.mark.parametrize("dtype", REAL)
def test_rotm_of_any_shape(device, random, dtype):
    for flag in (-1, 0, 1, -2):
        for shape in SHAPES:
            whole_shape, view = SHAPES[shape]
            wholes = [numbers(random, device, whole_shape, dtype) for _ in range(2)]
            x, y = view(wholes[0]), view(wholes[1])
            if x.ndim == 0:
                continue
            h = sample(random, (5,), dtype)
            h[0] = flag
            a, b, around, m = exact(x), exact(y), exact(wholes[0]), matrix_of(h.astype("longdouble"))
            assert blas.rotm(x, y, on(device, h))[1] is y
            near(x, m[0, 0] * a + m[0, 1] * b, numpy.abs(m[0, 0] * a) + numpy.abs(m[0, 1] * b), 1, dtype)
            near(y, m[1, 0] * a + m[1, 1] * b, numpy.abs(m[1, 0] * a) + numpy.abs(m[1, 1] * b), 1, dtype)
            assert (exact(wholes[0]) != around).sum() <= x.size  # nothing outside the view


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("layout", VECTORS)
def test_rotm_with_a_rotation_for_each_vector(device, random, dtype, layout):
    for of_h in ((4, 3), (4, 1), (1, 3), (3,), (1,), ()):
        x, y = (vector(random, device, (4, 3), 9, dtype, layout) for _ in range(2))
        h = sample(random, of_h + (5,), dtype)
        h[..., 0] = random.choice([-2, -1, 0, 1], of_h)
        for given in (on(device, h), on(device, numpy.repeat(h, 2, axis=-1))[..., ::2]):  # the strided one is packed
            a, b = exact(x), exact(y)
            m = numpy.broadcast_to(matrix_of(h.astype("longdouble")), (4, 3, 2, 2))[..., None]
            blas.rotm(x, y, given)
            for got, row in ((x, 0), (y, 1)):
                first, second = m[..., row, 0, :] * a, m[..., row, 1, :] * b
                near(got, first + second, numpy.abs(first) + numpy.abs(second), 1, dtype)


@pytest.mark.parametrize("dtype", REAL)
def test_rotm_into_new_and_given_arrays(device, random, dtype):
    h = on(device, numpy.asarray([-1, 2, 3, 4, 5], dtype))
    for into_x in ("new", "given", "self"):
        for into_y in ("new", "given", "self"):
            x, y = (vector(random, device, (2,), 9, dtype) for _ in range(2))
            a, b = exact(x), exact(y)
            outs = [{"new": None, "given": vector(random, device, (2,), 9, dtype, "skipped"), "self": own}[choice]
                    for choice, own in ((into_x, x), (into_y, y))]
            status, (left, right) = call_pair(lib.tenon_rotm, x._handle, y._handle, h._handle, outs=outs)
            assert status == _raw.TENON_OK
            near(left, 2 * a + 4 * b, 10 * (numpy.abs(a) + numpy.abs(b)), 1, dtype)
            near(right, 3 * a + 5 * b, 10 * (numpy.abs(a) + numpy.abs(b)), 1, dtype)


@pytest.mark.parametrize("dtype", REAL)
def test_rotmg(device, random, dtype):
    sizes = [0, 1, 2.0**-24, 2.0**24, 1e-9, 1e9]
    for of_d1 in sizes:
        for of_d2 in sizes:
            for of_x, of_y in ((1, 1), (1e-3, 1), (1, 1e-3), (1, 0), (0, 1)):
                scales = (of_d1, of_d2, of_x, of_y)
                d1, d2, x1, y1 = ((random.uniform(0.5, 1, (3, 7)) * scale).astype(dtype) for scale in scales)
                x1 *= random.choice([-1, 1], (3, 7)).astype(dtype)
                y1 *= random.choice([-1, 1], (3, 7)).astype(dtype)
                got = [x.numpy() for x in blas.rotmg(*(on(device, x) for x in (d1, d2, x1, y1)))]
                assert [x.shape for x in got] == [(3, 7)] * 3 + [(3, 7, 5)] and all(x.dtype == dtype for x in got)
                new_d1, new_d2, new_x1, h = (x.astype("longdouble") for x in got)
                d1, d2, x1, y1 = (x.astype("longdouble") for x in (d1, d2, x1, y1))
                m, same = matrix_of(h), h[..., 0] == -2
                numpy.testing.assert_array_equal(m, numpy.stack([h[..., 1::2], h[..., 2::2]], -2))  # all are set
                assert numpy.array_equal(same, d2 * y1 == 0)
                size = numpy.abs(m[..., 1, 0] * x1) + numpy.abs(m[..., 1, 1] * y1)
                second = m[..., 1, 0] * x1 + m[..., 1, 1] * y1
                assert numpy.all(same | (numpy.abs(second) <= 16 * unit(dtype) * size))  # y1 becomes 0
                first = m[..., 0, 0] * x1 + m[..., 0, 1] * y1
                numpy.testing.assert_allclose(first, new_x1, rtol=0, atol=float(
                    numpy.max(16 * unit(dtype) * (numpy.abs(m[..., 0, 0] * x1) + numpy.abs(m[..., 0, 1] * y1)))))
                # and lengths are preserved: h^T D' h = D with the factors D and D'
                for i in range(2):
                    for j in range(2):
                        terms = [new_d * m[..., k, i] * m[..., k, j] for k, new_d in ((0, new_d1), (1, new_d2))]
                        bound = 32 * unit(dtype) * (sum(numpy.abs(t) for t in terms) + numpy.sqrt(d1 * d2) + d1 + d2)
                        want = d1 * (i == j == 0) + d2 * (i == j == 1)
                        assert numpy.all(numpy.abs(sum(terms) - want) <= bound)
                for d in (new_d1, new_d2):
                    inside = (numpy.abs(d) > 2.0**-24) & (numpy.abs(d) < 2.0**24)
                    assert numpy.all(inside | (d == 0) | same)


@pytest.mark.parametrize("dtype", REAL)
def test_rotmg_as_scipy_has_it(dtype):
    scipy_rotmg = getattr(scipy_blas, {"float32": "srotmg", "float64": "drotmg"}[dtype])
    scipy_rotm = getattr(scipy_blas, {"float32": "srotm", "float64": "drotm"}[dtype])
    for arguments in [(1, 2, 3, 4), (4, 0.5, 3, -1), (2, 1, 1, 0), (-1, 2, 3, 4), (1, -2, 1, 4), (1, -0.25, 3, 1),
                      (1e-10, 2, 3, 1e-6), (1e10, 1e-9, 2, 1)]:
        want = scipy_rotmg(*arguments)
        d1, d2, x1, h = blas.rotmg(*(numpy.asarray(x, dtype) for x in arguments))
        numpy.testing.assert_allclose(matrix_of(h.numpy()), matrix_of(numpy.asarray(want)), rtol=20 * unit(dtype))
        x, y = numpy.arange(1, 6, dtype=dtype), numpy.arange(5, 0, -1, dtype=dtype)
        wanted = scipy_rotm(x, y, want)
        for got, one in zip(blas.rotm(x.copy(), y.copy(), h), wanted):
            numpy.testing.assert_allclose(got.numpy(), one, rtol=0, atol=40 * unit(dtype) * numpy.max(numpy.abs(wanted)))


@pytest.mark.parametrize("dtype", REAL)
def test_rotmg_in_place_and_of_what_is_no_number(device, dtype):
    d1, d2, x1, y1 = (on(device, numpy.asarray([value, value], dtype)) for value in (2, 1, 3, 4))
    got = blas.rotmg(d1, d2, x1, y1, out=(d1, d2, x1, None))
    assert got.d1 is d1 and got.d2 is d2 and got.x1 is x1 and list(y1.numpy()) == [4, 4]
    plain = blas.rotmg(*(numpy.asarray([value, value], dtype) for value in (2, 1, 3, 4)))
    for left, right in zip(got, plain):
        numpy.testing.assert_array_equal(left.numpy(), right.numpy())
    for bad in (numpy.nan, numpy.inf):
        for place in range(4):
            values = [numpy.asarray(bad if k == place else 1 + k, dtype) for k in range(4)]
            assert not all(numpy.all(numpy.isfinite(x.numpy())) for x in blas.rotmg(*(on(device, v) for v in values)))
    empty = blas.rotmg(*(tenon.zeros((0, 3), dtype, device=device) for _ in range(4)))
    assert empty.h.shape == (0, 3, 5)


def band_of(dense, below, above):
    """The diagonals of a matrix as rows; entries outside of the matrix are NaN."""
    m, n = dense.shape[-2:]
    out = numpy.full(dense.shape[:-2] + (below + above + 1, n), numpy.nan, dense.dtype)
    for j in range(n):
        for i in range(max(0, j - above), min(m, j + below + 1)):
            out[..., above + i - j, j] = dense[..., i, j]
    return out


def banded(random, batch, m, n, below, above, dtype):
    dense = sample(random, batch + (m, n), dtype)
    rows, cols = numpy.indices((m, n))
    return numpy.where((rows - cols <= below) & (cols - rows <= above), dense, 0).astype(dtype)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("trans", "NTC")
def test_gbmv(device, random, dtype, trans):
    alpha, beta = factors(dtype)
    for m, n, below, above, of_x, of_y in [(6, 6, 1, 2, "dense", "dense"), (9, 5, 3, 0, "skipped", "reversed"),
                                           (5, 9, 0, 4, "reversed", "skipped"), (1, 4, 0, 1, "dense", "skipped"),
                                           (40, 40, 5, 7, "dense", "dense"), (3, 3, 4, 5, "dense", "dense")]:
        for batch in ((), (3,)):
            dense = banded(random, batch, m, n, below, above, dtype)
            for by_columns in (False, True):
                a = on(device, band_of(dense, below, above))
                if by_columns:
                    a = on(device, numpy.swapaxes(band_of(dense, below, above), -1, -2)).mT
                x = vector(random, device, batch, n if trans == "N" else m, dtype, of_x)
                y = vector(random, device, batch, m if trans == "N" else n, dtype, of_y)
                before, left = exact(y), op(dense.astype(exact(y).dtype), trans)
                assert blas.gbmv(a, x, y, below=below, alpha=alpha, beta=beta, trans=trans) is y
                want = alpha * (left @ exact(x)[..., None])[..., 0] + beta * before
                near(y, want, abs(alpha) * (numpy.abs(left) @ numpy.abs(exact(x))[..., None])[..., 0]
                     + numpy.abs(beta * before), m + n, dtype)
    dense = banded(random, (), 8, 8, 2, 1, dtype)
    x = vector(random, device, (4,), 8, dtype)
    near(blas.gbmv(on(device, band_of(dense, 2, 1)), x, below=2, trans=trans),
         (op(dense.astype(exact(x).dtype), trans) @ exact(x)[..., None])[..., 0], 100, 8, dtype)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("upper", [False, True])
def test_sbmv_and_hbmv(device, random, dtype, upper):
    alpha, beta = factors(dtype)
    calls = [blas.hbmv] if dtype in COMPLEX else [blas.sbmv, blas.hbmv]
    for n, k in [(7, 2), (5, 0), (30, 4), (2, 3)]:
        half = banded(random, (2,), n, n, 0 if upper else k, k if upper else 0, dtype)
        rest = half - half * numpy.eye(n)
        dense = (rest + numpy.swapaxes(rest.conj(), -1, -2) + (half * numpy.eye(n)).real).astype(dtype)
        a = on(device, band_of(half, 0 if upper else k, k if upper else 0))
        for call in calls:
            for of_x, of_y in (("dense", "dense"), ("skipped", "reversed")):
                x, y = vector(random, device, (2,), n, dtype, of_x), vector(random, device, (2,), n, dtype, of_y)
                before = exact(y)
                assert call(a, x, y, alpha=alpha, beta=beta, upper=upper) is y
                want = alpha * (dense.astype(before.dtype) @ exact(x)[..., None])[..., 0] + beta * before
                near(y, want, 40 * abs(alpha) + numpy.abs(before), n, dtype)
            near(call(a, x, upper=upper), (dense.astype(before.dtype) @ exact(x)[..., None])[..., 0], 40, n, dtype)


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("trans", "NTC")
def test_tbmv_and_tbsv(device, random, dtype, upper, trans):
    for n, k, layout in [(7, 2, "dense"), (5, 0, "skipped"), (30, 4, "reversed"), (2, 3, "dense"), (1, 0, "reversed")]:
        for of_a, of_x in (((2,), (2,)), ((), (3,)), ((2, 1), (3,))):
            dense = banded(random, of_a, n, n, 0 if upper else k, k if upper else 0, dtype)
            dense = (dense + 4 * numpy.eye(n)).astype(dtype)
            for unit_diagonal in (False, True):
                used = dense - dense * numpy.eye(n) + numpy.eye(n) if unit_diagonal else dense
                host = band_of(dense, 0 if upper else k, k if upper else 0)
                if unit_diagonal:
                    host[..., k if upper else 0, :] = numpy.nan  # must not be read
                choices = {"upper": upper, "trans": trans, "unit_diagonal": unit_diagonal}
                for a in (on(device, host), on(device, numpy.swapaxes(host, -1, -2).copy()).mT):
                    x = vector(random, device, of_x, n, dtype, layout)
                    whole = op(used.astype(exact(x).dtype), trans)
                    want = (whole @ exact(x)[..., None])[..., 0]
                    size = (numpy.abs(whole) @ numpy.abs(exact(x))[..., None])[..., 0]
                    before, got = exact(x), blas.tbmv(a, x, **choices)
                    near(got, want, size, n, dtype)
                    numpy.testing.assert_array_equal(exact(x), before)
                    if of_a != (2, 1):
                        assert blas.tbmv(a, x, out=x, **choices) is x
                        near(x, want, size, n, dtype)
                    back = blas.tbsv(a, got, **choices)
                    rest = (whole @ exact(back)[..., None])[..., 0] - exact(got)
                    size = (numpy.abs(whole) @ numpy.abs(exact(back))[..., None])[..., 0]
                    assert numpy.all(numpy.abs(rest) <= 8 * (n + 4) * unit(dtype) * size)
                    given = vector(random, device, got.shape[:-1], n, dtype, "reversed")
                    assert blas.tbsv(a, got, out=given, **choices) is given
                    numpy.testing.assert_array_equal(exact(given), exact(back))


@pytest.mark.parametrize("dtype", FULL)
def test_banded_triangles_as_scipy_has_them(random, dtype):
    letter = dict(zip(FULL, "sdcz"))[dtype]
    a, x = sample(random, (3, 8), dtype), sample(random, (8,), dtype)
    a[0] = 3
    for name in ("tbmv", "tbsv"):
        want = getattr(scipy_blas, letter + name)(2, a, x, lower=1)
        numpy.testing.assert_allclose(getattr(blas, name)(a, x).numpy(), want, rtol=0, atol=200 * unit(dtype))
    singular = blas.tbsv(numpy.zeros((1, 3), dtype), numpy.ones(3, dtype))
    assert not numpy.any(numpy.isfinite(singular.numpy()))


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("of_a", LAYOUTS)
@pytest.mark.parametrize("of_c", ["rows", "columns", "skipped"])
def test_geam(device, random, dtype, of_a, of_c):
    alpha, beta = factors(dtype)
    for m, n in [(5, 7), (1, 6), (40, 33), (1, 1), (0, 3)]:
        for of_op_a in "NTC":
            for of_op_b in "NTC":
                def shaped(trans):
                    return (m, n) if trans == "N" else (n, m)
                a = matrix(random, device, (), *shaped(of_op_a), dtype, of_a)
                b = matrix(random, device, (2,), *shaped(of_op_b), dtype)
                c = matrix(random, device, (2,), m, n, dtype, of_c)
                assert blas.geam(a, b, alpha=alpha, beta=beta, trans_a=of_op_a, trans_b=of_op_b, out=c) is c
                left, right = alpha * op(exact(a), of_op_a), beta * op(exact(b), of_op_b)
                near(c, left + right, numpy.abs(left) + numpy.abs(right), 1, dtype)
            near(blas.geam(a, alpha=alpha, trans_a=of_op_a), left, numpy.abs(left), 1, dtype)
    x, y = matrix(random, device, (3,), 4, 4, dtype), matrix(random, device, (3,), 4, 4, dtype)
    a, b = exact(x), exact(y)
    assert blas.geam(x, y, alpha=alpha, trans_b="T", out=x) is x
    near(x, alpha * a + transposed(b), numpy.abs(alpha * a) + numpy.abs(transposed(b)), 1, dtype)
    nan = tenon.full((4, 4), float("nan"), dtype, device=device)
    near(blas.geam(nan, y[0], alpha=0), b[0], numpy.abs(b[0]), 1, dtype)
    near(blas.geam(y[0], nan, beta=0), b[0], numpy.abs(b[0]), 1, dtype)


def test_every_routine_can_be_recorded(device, random):
    n = 12
    for dtype in ("float32", "complex128"):
        a, band = matrix(random, device, (), n, n, dtype), numbers(random, device, (3, n), dtype)
        x, y = vector(random, device, (), n, dtype), vector(random, device, (), n, dtype, "skipped")
        start = {"x": x.copy(), "y": y.copy(), "v": x.copy(), "m": a.copy()}

        def work(out, stream):
            blas.rot(out["x"], out["y"], 0.6, 0.8, stream=stream)
            blas.swap(out["x"], out["v"], stream=stream)
            blas.gbmv(band, x, out["v"], below=1, beta=1, stream=stream)
            blas.tbmv(band, out["v"], out=out["v"], stream=stream)
            blas.her2(x, out["v"], out["m"], stream=stream)
            blas.geam(a, out["m"], trans_a="T", out=out["m"], stream=stream)
            return [*blas.rotg(out["x"], out["v"], stream=stream), blas.asum(out["m"], stream=stream),
                    blas.iamax(out["m"], stream=stream), blas.iamin(out["v"], stream=stream),
                    blas.syr2k(a, out["m"], stream=stream), blas.hbmv(band, x, stream=stream)]

        plain, recorded = ({name: array.copy() for name, array in start.items()} for _ in range(2))
        expected = work(plain, None)
        with tenon.Graph(device) as graph:
            made = work(recorded, graph)
        graph.launch()
        for left, right in [*((recorded[name], plain[name]) for name in start), *zip(made, expected)]:
            numpy.testing.assert_allclose(left.numpy(), right.numpy(), rtol=1e-4 if dtype == "float32" else 1e-9,
                                          atol=1e-5)


def test_what_does_not_fit_is_refused(device):
    def f(*shape, dtype="float32"):
        return tenon.zeros(shape, dtype, device=device)

    whole = f(8, 8)
    cases = [
        (lambda: blas.asum(f()), ValueError, "no axes"),
        (lambda: blas.iamax(f(4, dtype="int32")), TypeError, "x is int32"),
        (lambda: blas.iamax(f(3, 4), out=f(3)), TypeError, "out_index is float32, but this result is int64"),
        (lambda: blas.rot(f(3), f(4), 1, 0), ValueError, "they must be equal"),
        (lambda: blas.rot(f(3), f(3), 1j, 0), ValueError, "the cosine must be a real number"),
        (lambda: blas.rot(f(3), f(3), 1, 1j), ValueError, "s has an imaginary part"),
        (lambda: blas.rot(f(3), f(3, dtype="float64"), 1, 0), TypeError, "must have the same dtype"),
        (lambda: blas.rot(whole[:2], whole[1:3], 1, 0), ValueError, "shares memory with"),
        (lambda: blas.swap(whole[0], whole[0]), ValueError, "shares memory with"),
        (lambda: blas.rotg(f(3, dtype="float16"), f(3, dtype="float16")), TypeError, "a is float16"),
        (lambda: blas.syr2k(f(3, 4), f(3, 5)), ValueError, "must be equal in their last two axes"),
        (lambda: blas.syr2k(f(3, 4), f(4, 4), f(3, 3)), ValueError, r"b of shape \(4, 4\) does not fit c"),
        (lambda: blas.her2k(f(3, 4, dtype="complex64"), f(3, 4, dtype="complex64"), f(3, 3, dtype="complex64"),
                            beta=1j),
         ValueError, "beta has an imaginary part"),
        (lambda: blas.gbmv(f(3, 5), f(5), below=3), ValueError, "below must be 0 to 2"),
        (lambda: blas.gbmv(f(3, 5), f(4), below=1), ValueError, r"takes x of shape \(..., 5\)"),
        (lambda: blas.gbmv(f(3, 5), f(6), f(4), below=1, trans="T"), ValueError, r"gives y of shape \(..., 5\)"),
        (lambda: blas.gbmv(f(3, 5), f(5), below=1, beta=1), ValueError, "beta without y"),
        (lambda: blas.sbmv(f(3, 5, dtype="complex64"), f(5, dtype="complex64")), ValueError, "only Hermitian banded products"),
        (lambda: blas.sbmv(f(0, 5), f(5)), ValueError, "main diagonal"),
        (lambda: blas.rotm(f(3), f(3), f(4)), ValueError, r"it must hold five numbers per rotation"),
        (lambda: blas.rotm(f(3), f(3), f(2, 5)), ValueError, "broadcast"),
        (lambda: blas.rotm(f(3), f(3), f(5, dtype="float64")), TypeError, "must have the same dtype"),
        (lambda: blas.rotm(f(), f(), f(5)), ValueError, "no axes"),
        (lambda: blas.rotm(f(3, dtype="complex64"), f(3, dtype="complex64"), f(5, dtype="complex64")), TypeError,
         "x is complex64"),
        (lambda: blas.rotm(whole[0, :5], whole[1, :5], whole[0, :5]), ValueError, "shares memory with h"),
        (lambda: blas.rotmg(f(3), f(3), f(4), f(3)), ValueError, "they must be equal"),
        (lambda: blas.rotmg(*(f(3, dtype="float16") for _ in range(4))), TypeError, "d1 is float16"),
        (lambda: blas.rotmg(f(3), f(3), f(3), f(3), out=(None, None, None, f(3))), ValueError, "out_h"),
        (lambda: blas.tbmv(f(3, 5), f(4)), ValueError, r"takes x of shape \(..., 5\)"),
        (lambda: blas.tbsv(f(3, 5), f(4)), ValueError, r"takes b of shape \(..., 5\)"),
        (lambda: blas.tbmv(f(0, 5), f(5)), ValueError, "main diagonal"),
        (lambda: blas.tbmv(f(3, 5), f(5), out=f(6)), ValueError, "out_y"),
        (lambda: blas.tbmv(f(3, 5, dtype="int32"), f(5, dtype="int32")), TypeError, "int32"),
        (lambda: blas.tbsv(whole[:3], whole[4], out=whole[1]), ValueError, "shares memory with a"),
        (lambda: blas.geam(f(3, 4), f(3, 4), trans_a="T"), ValueError, "must be equal in their last two axes"),
        (lambda: blas.geam(f(3, 4), beta=2), ValueError, "b is NULL"),
        (lambda: blas.geam(whole, out=whole.T), ValueError, "shares memory with a part of a"),
        (lambda: blas.geam(whole, trans_a="T", out=whole), ValueError, "out_c shares memory with a"),
    ]
    for call, error, text in cases:
        with pytest.raises(error, match=text):
            call()
    for value in ({"below": 1}, {"op_b": 1}):
        options = _raw.tenon_blas_options(**value)
        row = whole[0]
        assert lib.tenon_symv(None, whole._handle, row._handle, None, ctypes.byref(options), None, into(whole[1])) \
            == _raw.TENON_ERROR_INVALID_ARGUMENT
    assert numpy.all(whole.numpy() == 0)
