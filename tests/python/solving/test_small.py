"""Batches of small matrices, for which GPUs have kernels of Tenon's own: every routine, size class, dtype and layout, judged
by LAPACK's residual ratios. The last test runs all of them on the CPU by these kernels."""

import os
import subprocess
import sys

import numpy
import pytest

import tenon
from conftest import PRELOAD, COMPLEX, REAL, eps, on, sample
from matrices import SQUARE, THRESHOLD, adjoint, hermitian, one_norm, positive, ratio, square, unitary_ratio, wide

DTYPES = REAL + COMPLEX
OWN = os.environ.get("TENON_OWN_KERNELS") == "1"
SIZES = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64]
SHAPES = [(40, 7), (64, 3), (8, 64), (1, 5), (5, 1), (2, 3), (3, 2), (7, 4), (4, 7), (16, 9), (9, 16), (31, 8), (8, 31), (40, 33), (20, 64)]


def double(a):
    return a.astype("complex128" if a.dtype.kind == "c" else "float64")


def below(value, what):
    assert value < THRESHOLD, (what, value)


def hard(random, n, dtype, make=square):
    """A batch with one matrix of each kind, or of some kinds if they are large."""
    kinds = list(SQUARE) if n <= 16 else ["random", "graded", "hilbert"] if n <= 33 else ["random", "graded"]
    return numpy.stack([make(random, kind, n, dtype) for kind in kinds])


def check_eigh(a, there, upper=False):
    w, v = (wide(x) for x in tenon.eigh(there, upper=upper))
    n = a.shape[-1]
    assert (numpy.diff(w, axis=-1) >= 0).all()
    below(ratio(wide(a) @ v - v * w[..., None, :], max(n, 1), one_norm(wide(a)), dtype=a.dtype), "a v - v w")
    below(unitary_ratio(v, a.dtype), "v")
    if there.device.name == "cpu:0" and not OWN:
        return  # LAPACK's values alone are less accurate for steep matrices
    only = wide(tenon.eigvalsh(there, upper=upper))
    below(ratio((only - w)[..., None], max(n, 1), one_norm(wide(a)), dtype=a.dtype), "values only")


def check_svd(a, there):
    m, n = a.shape[-2:]
    k = min(m, n)
    for full in (False, True):
        u, s, vh = (wide(x) for x in tenon.svd(there, full_matrices=full))
        assert u.shape[-2:] == (m, m if full else k) and vh.shape[-2:] == (n if full else k, n)
        assert (s >= 0).all() and (numpy.diff(s, axis=-1) <= 0).all()
        rest = (u[..., :k] * s[..., None, :]) @ vh[..., :k, :] - wide(a)
        below(ratio(rest, max(m, n), one_norm(wide(a)), dtype=a.dtype), "u s vh - a")
        below(unitary_ratio(u, a.dtype), "u")
        below(unitary_ratio(adjoint(vh), a.dtype), "vh")
    only = wide(tenon.svdvals(there))
    exact = numpy.linalg.svd(double(a), compute_uv=False)
    assert (abs(only - exact) <= THRESHOLD * max(m, n) * eps(a.dtype) * exact[..., :1]).all()


def check_qr(a, there):
    m, n = a.shape[-2:]
    for mode in ("reduced", "complete"):
        q, r = (wide(x) for x in tenon.qr(there, mode))
        assert not numpy.tril(r, -1).any()
        below(ratio(q @ r - wide(a), max(m, 1), one_norm(wide(a)), dtype=a.dtype), "q r - a")
        below(unitary_ratio(q, a.dtype), "q")
    numpy.testing.assert_array_equal(tenon.qr(there, "r").numpy(), tenon.qr(there).R.numpy())


def check_solve(a, there, b, with_b):
    n = a.shape[-1]
    x = wide(tenon.solve(there, with_b))
    below(ratio(wide(a) @ x - wide(b), max(n, 1), one_norm(wide(a)), one_norm(x), dtype=a.dtype), "a x - b")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_factors_of_every_size(device, random, n, dtype):
    a = hard(random, n, dtype)
    check_qr(a, on(device, a))
    check_svd(a, on(device, a))
    for upper in (False, True):
        h = hard(random, n, dtype, hermitian)
        check_eigh(h, on(device, numpy.triu(h) if upper else numpy.tril(h)), upper)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_systems_of_every_size(device, random, n, dtype):
    a = sample(random, (5, n, n), dtype) + 3 * numpy.eye(n, dtype=dtype)
    for columns in (1, 3, n):
        b = sample(random, (5, n, columns), dtype)
        check_solve(a, on(device, a), b, on(device, b))
    inverse = wide(tenon.inv(on(device, a)))
    below(ratio(inverse @ wide(a) - numpy.eye(n), n, one_norm(wide(a)), one_norm(inverse), dtype=dtype), "inverse")
    p = hard(random, n, dtype, positive)
    for upper in (False, True):
        half = numpy.triu(p) if upper else numpy.tril(p)
        factor = wide(tenon.cholesky(on(device, half), upper=upper))
        assert not (numpy.tril(factor, -1) if upper else numpy.triu(factor, 1)).any()
        whole = adjoint(factor) @ factor if upper else factor @ adjoint(factor)
        below(ratio(whole - wide(p), n, one_norm(wide(p)), dtype=dtype), "cholesky")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rectangular_factors(device, random, shape, dtype):
    a = sample(random, (3, *shape), dtype)
    check_qr(a, on(device, a))
    check_svd(a, on(device, a))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_signs_are_lapacks(device, random, dtype):
    a = sample(random, (4, 9, 6), dtype)
    q, r = (x.numpy() for x in tenon.qr(on(device, a)))
    exact = numpy.linalg.qr(double(a))
    numpy.testing.assert_allclose(r, exact.R, atol=100 * eps(dtype))
    numpy.testing.assert_allclose(q, exact.Q, atol=100 * eps(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [3, 8, 13, 32])
def test_matrices_of_low_rank(device, random, n, dtype):
    few = sample(random, (n, 2), dtype) @ sample(random, (2, n), dtype)
    ones, zero, identity = numpy.ones((n, n), dtype), numpy.zeros((n, n), dtype), numpy.eye(n, dtype=dtype)
    holes = square(random, "random", n, dtype)
    holes[:, ::2] = 0
    a = numpy.stack([few, ones, zero, identity, holes, -identity])
    check_svd(a, on(device, a))
    check_qr(a, on(device, a))
    check_svd(a[:, :, : n // 2 + 1], on(device, a[:, :, : n // 2 + 1]))
    check_svd(a[:, : n // 2 + 1], on(device, a[:, : n // 2 + 1]))
    h = numpy.stack([ones, zero, identity, -identity, few + adjoint(few), numpy.flip(identity, 0)])
    check_eigh(h, on(device, h))
    assert not tenon.svdvals(on(device, zero)).numpy().any() and not tenon.eigvalsh(on(device, zero)).numpy().any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exponent", [-1, 1])
def test_numbers_near_the_limits_of_the_dtype(device, random, exponent, dtype):
    scale = numpy.ldexp(1.0, exponent * (120 if dtype in ("float32", "complex64") else 1000))
    a = (sample(random, (4, 7, 7), dtype) * scale).astype(dtype)
    check_svd(a, on(device, a))
    check_qr(a, on(device, a))
    check_eigh(a + adjoint(a), on(device, a + adjoint(a)))
    b = sample(random, (4, 7, 1), dtype)
    x = wide(tenon.solve(on(device, a), on(device, b * dtype_of(scale, dtype))))
    below(ratio(wide(a) @ x - wide(b * dtype_of(scale, dtype)), 7, one_norm(wide(a)), one_norm(x), dtype=dtype), "a x - b")


def dtype_of(scale, dtype):
    return numpy.dtype(dtype).type(scale)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_steep_columns_and_rows(device, random, dtype):
    for n in (6, 17):
        steps = 10.0 ** -numpy.linspace(0, 30, n)
        a = sample(random, (3, n, n), dtype)
        for one in (a * steps, a * steps[:, None], a * steps[::-1], a * numpy.roll(steps, 2)[:, None] * steps):
            one = one.astype(dtype)
            check_svd(one, on(device, one))
            check_qr(one, on(device, one))
            h = one + adjoint(one)
            check_eigh(h, on(device, h))


@pytest.mark.parametrize("dtype", ["float32", "complex64", "float64"])
def test_strides_and_broadcasting(device, random, dtype):
    whole = sample(random, (6, 4, 10, 12), dtype)
    there = on(device, whole)
    views = [(whole[::2, 1::2, :9, :9], there[::2, 1::2, :9, :9]), (whole[..., :10].swapaxes(-1, -2), there[..., :10].mT),
             (whole[::-1, ..., 1:10:2, 10:1:-2], there[::-1, ..., 1:10:2, 10:1:-2]), (whole[:, 0, :, :10], there[:, 0, :, :10]),
             (whole.transpose(1, 0, 3, 2)[..., :10, :], there.transpose(1, 0, 3, 2)[..., :10, :])]
    for host, view in views:
        check_qr(host, view)
        check_svd(host, view)
        n = host.shape[-1]
        regular, regular_view = host + 9 * numpy.eye(n, dtype=dtype), view + on(device, 9 * numpy.eye(n, dtype=dtype))
        b = sample(random, (n, 2), dtype)
        check_solve(regular, regular_view, numpy.broadcast_to(b, (*host.shape[:-1], 2)), on(device, b))
        h = host + adjoint(host)
        check_eigh(h, view + view.mT.conj())
    b = sample(random, (5, 3, 1), dtype)
    one = sample(random, (3, 3), dtype)
    check_solve(numpy.broadcast_to(one, (5, 3, 3)), on(device, one), b, on(device, b))


@pytest.mark.parametrize("dtype", DTYPES)
def test_transposed_systems(device, random, dtype):
    a = sample(random, (3, 8, 8), dtype) + 3 * numpy.eye(8, dtype=dtype)
    b = sample(random, (3, 8, 2), dtype)
    for transpose, matrix in (("N", a), ("T", a.swapaxes(-1, -2)), ("C", adjoint(a))):
        x = tenon.solve(on(device, a), on(device, b), trans=transpose).numpy()
        below(ratio(wide(matrix) @ wide(x) - wide(b), 8, one_norm(wide(a)), one_norm(wide(x)), dtype=dtype), transpose)


def test_outputs_of_the_caller(device, random):
    a = sample(random, (4, 6, 6), "float32")
    h, p = a + adjoint(a), a @ adjoint(a) + numpy.eye(6, dtype="float32")
    for order in (lambda x: x, lambda x: x.mT):
        def room(*shape):
            return order(tenon.zeros((4, *shape), "float32", device=device))
        q, r, u, vh, v, x = (room(6, 6) for _ in range(6))
        s, w = (tenon.zeros((4, 6), "float32", device=device) for _ in range(2))
        tenon.qr(on(device, a), out=(q, r))
        tenon.svd(on(device, a), out=(u, s, vh))
        tenon.eigh(on(device, h), out=(w, v))
        tenon.inv(on(device, a), out=x)
        numpy.testing.assert_allclose(q.numpy() @ r.numpy(), a, atol=1e-5)
        numpy.testing.assert_allclose((u.numpy() * s.numpy()[:, None]) @ vh.numpy(), a, atol=1e-5)
        numpy.testing.assert_allclose((v.numpy() * w.numpy()[:, None]) @ adjoint(v.numpy()), h, atol=1e-5)
        numpy.testing.assert_allclose(x.numpy() @ a, numpy.broadcast_to(numpy.eye(6), a.shape), atol=1e-3)
        factor = order(on(device, p if order(on(device, p)).c_contiguous else p.swapaxes(-1, -2)))
        tenon.cholesky(factor, out=factor)
        numpy.testing.assert_allclose(factor.numpy() @ adjoint(factor.numpy()), p, atol=1e-4)


def failing(call, status, index):
    with pytest.raises(tenon.TenonError) as caught:
        call()
    assert (caught.value.status, caught.value.batch_index) == (status, index), caught.value
    return str(caught.value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_error_names_the_matrix(device, random, dtype):
    n = 5
    a = sample(random, (7, n, n), dtype) + 3 * numpy.eye(n, dtype=dtype)
    p = numpy.stack([positive(random, "random", n, dtype) for _ in range(7)])
    b = sample(random, (7, n, 1), dtype)
    for bad in (numpy.nan, numpy.inf):
        spoiled, spoiled_p, spoiled_b = a.copy(), p.copy(), b.copy()
        spoiled[3, 2, 1] = spoiled[5, 0, 0] = spoiled_p[3, 2, 1] = spoiled_b[3, 2, 0] = bad
        not_finite = [lambda: tenon.solve(on(device, spoiled), on(device, b)), lambda: tenon.solve(on(device, a), on(device, spoiled_b)),
                      lambda: tenon.inv(on(device, spoiled)), lambda: tenon.qr(on(device, spoiled)), lambda: tenon.eigh(on(device, spoiled_p)),
                      lambda: tenon.svd(on(device, spoiled)), lambda: tenon.cholesky(on(device, spoiled_p))]
        for call in not_finite:
            text = failing(call, 20, 3)
            assert "matrix 3 of the batch of 7" in text and "NaN or infinity" in text
        tenon.eigh(on(device, spoiled_p.swapaxes(-1, -2)))  # the other triangle is not read
    singular, indefinite = a.copy(), p.copy()
    singular[4, 1] = singular[6] = 0
    indefinite[4, 1, 1] = -1
    for call in (lambda: tenon.solve(on(device, singular), on(device, b)), lambda: tenon.inv(on(device, singular))):
        assert "matrix 4 of the batch of 7 is singular" in failing(call, 19, 4)
    text = failing(lambda: tenon.cholesky(on(device, indefinite)), 19, 4)
    assert "not positive definite" in text and "info 2" in text


@pytest.mark.parametrize("n", [3, 7, 16, 24])
def test_a_result_depends_on_its_matrix_only(device, random, n):
    a = hard(random, n, "float32")
    h, x = a + adjoint(a), on(device, a)
    several = [tenon.qr(x), tenon.svd(x), tenon.eigh(on(device, h))]
    for g in range(len(a)):
        alone = [tenon.qr(on(device, a[g])), tenon.svd(on(device, a[g])), tenon.eigh(on(device, h[g]))]
        for all_, one in zip(several, alone, strict=True):
            for batch, single in zip(all_, one, strict=True):
                if OWN or device.name != "cpu:0":
                    numpy.testing.assert_array_equal(batch.numpy()[g], single.numpy())


def test_nothing_to_do(device):
    for shape in ((0, 4, 4), (3, 0, 0), (2, 0, 3, 3)):
        a = tenon.zeros(shape, "float32", device=device)
        assert tenon.inv(a).shape == tenon.cholesky(a).shape == tenon.eigh(a)[1].shape == shape
        assert tenon.svd(a)[0].shape == tenon.qr(a).Q.shape == shape
        assert tenon.solve(a, tenon.zeros((*shape[:-1], 2), "float32", device=device)).shape == (*shape[:-1], 2)
    a = tenon.ones((3, 4, 4), "float32", device=device)
    assert tenon.solve(a + tenon.eye(4, dtype="float32", device=device), tenon.zeros((3, 4, 0), "float32", device=device)).shape == (3, 4, 0)


@pytest.mark.skipif(OWN or PRELOAD is not None, reason="these are the kernels, or a sanitized library, which the child would not load")
def test_with_the_kernels_for_gpus():
    """TENON_OWN_KERNELS makes the CPU run the kernels for GPUs."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", __file__, "-k",
                           "not cuda and not float64 and not complex64"],
                          capture_output=True, text=True, timeout=3000, env={**os.environ, "TENON_OWN_KERNELS": "1"})
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
