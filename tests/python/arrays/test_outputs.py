"""Results in arrays of the caller: every call with out= writes into the array, with any strides, and rejects arrays
that cannot hold the result."""

import ctypes

import numpy
import pytest

import tenon
from tenon import _raw, blas
from tenon._library import lib

LAYOUTS = ("rows", "columns", "skipped")


def room(shape, dtype, layout, device):
    """An array with this layout, filled with nines, and the larger array that contains it."""
    if layout == "rows":
        whole = numpy.full(shape, 9, dtype)
        view = Ellipsis
    elif layout == "columns":  # each matrix is column-major
        axes = (*range(len(shape) - 2), len(shape) - 1, len(shape) - 2) if len(shape) > 1 else (0,) * len(shape)
        whole = numpy.full([shape[axis] for axis in axes], 9, dtype)
        there = tenon.asarray(whole, device=device, copy=True)
        return there.transpose(axes) if len(shape) > 1 else there
    else:
        whole = numpy.full([2 * n for n in shape], 9, dtype)
        view = tuple(slice(None, None, 2) for _ in shape)
    return tenon.asarray(whole, device=device, copy=True)[view]


def matrices(random, shape, dtype):
    a = random.standard_normal(shape)
    return (a + 1j * random.standard_normal(shape) if dtype in "FD" else a).astype(dtype)


def positive(a):
    return (a @ a.conj().swapaxes(-1, -2) + 4 * numpy.eye(a.shape[-1])).astype(a.dtype)


# name -> (makes the operands from (random, dtype), the call with them and out=)
CALLS = {
    "matmul": (lambda r, t: (matrices(r, (4, 3), t), matrices(r, (3, 5), t)), tenon.matmul),
    "matmul of a batch": (lambda r, t: (matrices(r, (2, 4, 3), t), matrices(r, (3, 5), t)), tenon.matmul),
    "einsum": (lambda r, t: (matrices(r, (4, 3), t), matrices(r, (3, 5), t)),
               lambda a, b, **k: tenon.einsum("ij,jk->ki", a, b, **k)),
    "einsum with a letter alone": (lambda r, t: (matrices(r, (4, 3), t), matrices(r, (3, 5), t)),
                                   lambda a, b, **k: tenon.einsum("ij,jk->i", a, b, **k)),
    "tensordot": (lambda r, t: (matrices(r, (4, 3, 2), t), matrices(r, (2, 5), t)),
                  lambda a, b, **k: tenon.tensordot(a, b, 1, **k)),
    "vecdot": (lambda r, t: (matrices(r, (4, 3), t), matrices(r, (4, 3), t)), tenon.vecdot),
    "kron": (lambda r, t: (matrices(r, (2, 3), t), matrices(r, (3, 2), t)), tenon.kron),
    "triangular_multiply": (lambda r, t: (matrices(r, (4, 4), t), matrices(r, (4, 3), t)), tenon.triangular_multiply),
    "solve": (lambda r, t: (matrices(r, (4, 4), t), matrices(r, (4, 3), t)), tenon.solve),
    "solve of a batch": (lambda r, t: (matrices(r, (2, 4, 4), t), matrices(r, (4, 3), t)), tenon.solve),
    "solve positive": (lambda r, t: (positive(matrices(r, (4, 4), t)), matrices(r, (4, 3), t)),
                       lambda a, b, **k: tenon.solve(a, b, kind="positive", **k)),
    "solve lower": (lambda r, t: (positive(matrices(r, (4, 4), t)), matrices(r, (4, 3), t)),
                    lambda a, b, **k: tenon.solve(a, b, kind="lower", **k)),
    "solve adjoint": (lambda r, t: (matrices(r, (4, 4), t), matrices(r, (4, 3), t)),
                      lambda a, b, **k: tenon.solve(a, b, trans="C", **k)),
    "solve of a vector": (lambda r, t: (matrices(r, (4, 4), t), matrices(r, (4,), t)), tenon.solve),
    "lu_factor": (lambda r, t: (matrices(r, (5, 3), t),), tenon.lu_factor),
    "lu_factor of a batch": (lambda r, t: (matrices(r, (2, 3, 3), t),), tenon.lu_factor),
    "lu_solve": (lambda r, t: (matrices(r, (4, 4), t), matrices(r, (4, 3), t)),
                 lambda a, b, **k: tenon.lu_solve(tenon.lu_factor(a), b, **k)),
    "cholesky": (lambda r, t: (positive(matrices(r, (4, 4), t)),), tenon.cholesky),
    "cholesky upper": (lambda r, t: (positive(matrices(r, (2, 4, 4), t)),),
                       lambda a, **k: tenon.cholesky(a, upper=True, **k)),
    "cholesky_solve": (lambda r, t: (positive(matrices(r, (4, 4), t)), matrices(r, (4, 3), t)),
                       lambda a, b, **k: tenon.cholesky_solve(tenon.cholesky(a), b, **k)),
    "ldl_factor": (lambda r, t: (matrices(r, (4, 4), t),), tenon.ldl_factor),
    "ldl_solve": (lambda r, t: (matrices(r, (4, 4), t), matrices(r, (4, 3), t)),
                  lambda a, b, **k: tenon.ldl_solve(tenon.ldl_factor(a), b, **k)),
    "qr": (lambda r, t: (matrices(r, (5, 3), t),), tenon.qr),
    "qr of wide matrices": (lambda r, t: (matrices(r, (2, 3, 5), t),), tenon.qr),
    "qr complete": (lambda r, t: (matrices(r, (5, 3), t),), lambda a, **k: tenon.qr(a, "complete", **k)),
    "qr r": (lambda r, t: (matrices(r, (5, 3), t),), lambda a, **k: tenon.qr(a, "r", **k)),
    "lstsq": (lambda r, t: (matrices(r, (5, 3), t), matrices(r, (5, 2), t)), tenon.lstsq),
    "inv": (lambda r, t: (matrices(r, (2, 4, 4), t),), tenon.inv),
    "pinv": (lambda r, t: (matrices(r, (5, 3), t),), tenon.pinv),
    "matrix_rank": (lambda r, t: (matrices(r, (2, 5, 3), t),), tenon.matrix_rank),
    "det": (lambda r, t: (matrices(r, (2, 3, 3), t),), tenon.det),
    "slogdet": (lambda r, t: (matrices(r, (2, 3, 3), t),), tenon.slogdet),
    "svd": (lambda r, t: (matrices(r, (5, 3), t),), tenon.svd),
    "svd economy": (lambda r, t: (matrices(r, (2, 3, 5), t),), lambda a, **k: tenon.svd(a, full_matrices=False, **k)),
    "svd values": (lambda r, t: (matrices(r, (5, 3), t),), lambda a, **k: tenon.svd(a, compute_uv=False, **k)),
    "eigh": (lambda r, t: (positive(matrices(r, (2, 4, 4), t)),), tenon.eigh),
    "eigvalsh": (lambda r, t: (positive(matrices(r, (4, 4), t)),), tenon.eigvalsh),
    "eig": (lambda r, t: (matrices(r, (4, 4), t),), tenon.eig),
    "eig_vectors": (lambda r, t: (matrices(r, (4, 4), t),), tenon.eig_vectors),
    "eigvals": (lambda r, t: (matrices(r, (4, 4), t),), tenon.eigvals),
    "norm": (lambda r, t: (matrices(r, (2, 4, 3), t),), lambda a, **k: tenon.norm(a, 1, **k)),
    "norm 2": (lambda r, t: (matrices(r, (2, 4, 3), t),), lambda a, **k: tenon.norm(a, 2, **k)),
    "cond": (lambda r, t: (matrices(r, (2, 3, 3), t),), tenon.cond),
    "matrix_power": (lambda r, t: (matrices(r, (3, 3), t),), lambda a, **k: tenon.matrix_power(a, 3, **k)),
    "expm": (lambda r, t: (matrices(r, (3, 3), t),), tenon.expm),
    "nrm2": (lambda r, t: (matrices(r, (3, 4), t),), blas.nrm2),
    "quantile": (lambda r, t: (r.standard_normal((3, 8)),), lambda a, **k: tenon.quantile(a, [0.2, 0.6], 1, **k)),
    "interp": (lambda r, t: (r.standard_normal((3, 8)),), lambda a, **k: tenon.interp(a, [-1.0, 0, 2], [3, 5.0, 4], **k)),
    "segment_sum": (lambda r, t: (matrices(r, (3, 8), t), numpy.array([0, 2, 2, 8])),
                    lambda a, b, **k: tenon.segment_sum(a, offsets=b, axis=1, **k)),
    "segment_cumsum": (lambda r, t: (matrices(r, (8, 3), t), numpy.array([0, 2, 2, 8])),
                       lambda a, b, **k: tenon.segment_cumsum(a, offsets=b, **k)),
    "csr_multiply": (lambda r, t: (matrices(r, (4, 3), t), matrices(r, (3, 5), t)),
                     lambda a, b, **k: tenon.sparse.csr_array(a).dot(b, **k)),
    "convolve": (lambda r, t: (matrices(r, (3, 8), t), matrices(r, (1, 3), t)),
                 lambda a, b, **k: tenon.convolve(a, b, axes=(1,), **k)),
}


@pytest.mark.parametrize("dtype", "dF")
@pytest.mark.parametrize("name", CALLS)
def test_a_given_result_receives_what_a_new_one_would_hold(device, random, name, dtype):
    operands, call = CALLS[name]
    host = operands(random, dtype)
    for order in "CF":
        arrays = [tenon.asarray(numpy.array(x, order=order), device=device) for x in host]
        made = call(*arrays)
        several = isinstance(made, tuple)
        for layout in LAYOUTS:
            outs = [room(x.shape, x.dtype.name, layout, device) for x in (made if several else (made,))]
            got = call(*arrays, out=tuple(outs) if several else outs[0])
            for given, back, want in zip(outs, got if several else (got,), made if several else (made,)):
                bound = 1e-10 if dtype == "d" else 1e-3  # LAPACK may round differently in another storage order
                numpy.testing.assert_allclose(given.numpy(), want.numpy(), bound, bound, err_msg=f"{order} {layout}")
                assert back._handle == given._handle
        for x, before in zip(arrays, host):
            numpy.testing.assert_array_equal(x.numpy(), before)


@pytest.mark.parametrize("name", CALLS)
def test_what_cannot_hold_the_result_is_refused_and_left_alone(device, random, name):
    operands, call = CALLS[name]
    arrays = [tenon.asarray(x, device=device) for x in operands(random, "d")]
    made = call(*arrays)
    several = isinstance(made, tuple)
    outs = list(made) if several else [made]
    for index, result in enumerate(outs):
        longer = (*result.shape[:-1], result.shape[-1] + 1) if result.ndim else (1,)
        wrong = [(tenon.zeros(longer, result.dtype, device=device), tenon.ShapeError),
                 (tenon.zeros(result.shape, "int16", device=device), tenon.DTypeError),
                 (tenon.zeros((1,) * result.ndim, result.dtype, device=device).broadcast_to(result.shape),
                  (tenon.ReadOnlyError, tenon.OverlapError))]
        for bad, error in wrong:
            given = [None] * len(outs)
            given[index] = bad
            with pytest.raises(error):
                call(*arrays, out=tuple(given) if several else bad)
            assert not numpy.any(bad.numpy())


def test_results_may_be_exactly_the_operand_where_the_headers_say_so(device, random):
    a, b = positive(matrices(random, (4, 4), "d")), matrices(random, (4, 3), "d")
    for order in "CF":
        def there(x):
            return tenon.asarray(numpy.array(x, order=order), device=device, copy=True)

        for call, operand, others, want in [
                (lambda x, y, out: tenon.solve(y, x, out=out), b, (a,), numpy.linalg.solve(a, b)),
                (lambda x, out: tenon.cholesky(x, out=out), a, (), numpy.linalg.cholesky(a)),
                (lambda x, out: tenon.inv(x, out=out), a, (), numpy.linalg.inv(a)),
                (lambda x, out: tenon.lu_factor(x, out=(out, None)), a, (), tenon.lu_factor(there(a)).LU.numpy()),
                (lambda x, y, out: tenon.triangular_multiply(y, x, out=out), b, (a,), numpy.tril(a) @ b)]:
            x = there(operand)
            call(x, *map(there, others), out=x)
            numpy.testing.assert_allclose(x.numpy(), want, 1e-10, 1e-12)
        x = there(a)
        with pytest.raises(tenon.OverlapError, match="part of b"):
            tenon.solve(there(a[:3, :3]), x[:3, :3], out=x[1:, 1:])
        with pytest.raises(tenon.OverlapError, match="shares memory with a"):
            tenon.qr(x, out=(x, None))
        with pytest.raises(tenon.OverlapError, match="out_vh shares memory with out_u"):
            u = tenon.zeros((4, 4), device=device)
            tenon.svd(x, out=(u, None, u))


def test_a_new_transform_is_complex_or_real_as_requested(device, random):
    x = random.standard_normal((3, 7)).astype("f")

    def run(source, real_length=0, out=None):
        slot, options = ctypes.c_void_p(None if out is None else out._handle), \
            _raw.tenon_fft_options(direction=int(real_length > 0), real_length=real_length)
        status = lib.tenon_fft(source._handle, None, 1, ctypes.byref(options), None, ctypes.byref(slot))
        return status, tenon.Array._own(slot) if status == 0 and out is None else None

    status, half = run(tenon.asarray(x, device=device))
    if status == _raw.TENON_ERROR_UNSUPPORTED:
        pytest.skip("no FFT in this build")
    numpy.testing.assert_allclose(half.numpy(), numpy.fft.rfft(x), 1e-5, 1e-5)
    numpy.testing.assert_allclose(run(half)[1].numpy(), numpy.fft.fft(half.numpy()), 1e-5, 1e-4)
    numpy.testing.assert_allclose(run(half, 7)[1].numpy(), x, 1e-5, 1e-5)
    assert run(half, 6)[1].shape == (3, 6)
    assert run(half, 9)[0] == _raw.TENON_ERROR_SHAPE
    for source, length, out in [(half, -1, None), (tenon.asarray(x, device=device), 7, None), (half, 7, half)]:
        assert run(source, length, out)[0] == _raw.TENON_ERROR_INVALID_ARGUMENT


def test_options_that_products_of_letters_lack_are_refused(device):
    a = tenon.ones((2, 2), "float32", device=device)
    for fields in ({"op_a": 1}, {"op_b": 2}, {"epilogue": 1}, {"tune": 1}, {"bias": a._handle}):
        out, options = ctypes.c_void_p(), _raw.tenon_gemm_options(**fields)
        operands = (ctypes.c_void_p * 2)(a._handle, a._handle)
        assert lib.tenon_einsum(b"ij,jk", operands, 2, ctypes.byref(options), None, ctypes.byref(out)) \
            == _raw.TENON_ERROR_INVALID_ARGUMENT
        assert lib.tenon_kron(a._handle, a._handle, ctypes.byref(options), None, ctypes.byref(out)) \
            == _raw.TENON_ERROR_INVALID_ARGUMENT
        assert not out.value
    outs = [ctypes.c_void_p() for _ in range(3)]
    options = _raw.tenon_svd_options(tolerance=0.1)
    assert lib.tenon_svd(a._handle, ctypes.byref(options), None, *map(ctypes.byref, outs)) \
        == _raw.TENON_ERROR_INVALID_ARGUMENT
    assert not any(out.value for out in outs)


def test_results_that_are_made_need_no_beta(device):
    a = tenon.ones((2, 2), "float32", device=device)
    one, out = _raw.tenon_arg(_raw.TENON_ARG_SCALAR, _raw.TENON_INT32, 4), ctypes.c_void_p()
    one.value.i32 = 1
    for call, operands in ((lib.tenon_gemm, (a, a)), (lib.tenon_symm, (a, a)), (lib.tenon_gemv, (a, a)),
                           (lib.tenon_syrk, (a,))):
        handles = [x._handle for x in operands]
        assert call(None, *handles, ctypes.byref(one), None, None, ctypes.byref(out)) \
            == _raw.TENON_ERROR_INVALID_ARGUMENT
        assert not out.value
        assert call(None, *handles, None, None, None, ctypes.byref(out)) == 0
        tenon.Array._own(out)
        out = ctypes.c_void_p()
    x = tenon.asarray(numpy.array([1.0, 2.0]), device=device)
    for call, arguments, want in ((lib.tenon_axpy, (None, x), [1, 2]), (lib.tenon_scal, (None, x), [1, 2]),
                                  (lib.tenon_ger, (None, x, x), [[1, 2], [2, 4]])):
        out = ctypes.c_void_p()
        assert call(*(y if y is None else y._handle for y in arguments), None, None, ctypes.byref(out)) == 0
        numpy.testing.assert_array_equal(tenon.Array._own(out).numpy(), want)


@pytest.mark.parametrize("dtype", "fdFD")
def test_routines_of_a_triangle_and_a_vector(device, random, dtype):
    a, x, y = matrices(random, (2, 5, 5), dtype), matrices(random, (2, 5), dtype), matrices(random, (2, 5), dtype)
    bound = 1e-4 if dtype in "fF" else 1e-12

    def there(value):
        return tenon.asarray(value, device=device, copy=True)

    def near(got, want):
        numpy.testing.assert_allclose(got.numpy(), want, bound, bound)

    for upper in (False, True):
        half = numpy.triu(a) if upper else numpy.tril(a)
        rest = half - half * numpy.eye(5)
        diagonal = half * numpy.eye(5)
        symmetric = half + rest.swapaxes(1, 2)
        hermitian = rest + rest.conj().swapaxes(1, 2) + diagonal.real
        for call, whole in ((blas.symv, symmetric), (blas.hemv, hermitian)):
            near(call(there(a), there(x), upper=upper), numpy.einsum("bij,bj->bi", whole, x))
            near(call(there(a), there(x), there(y), alpha=2, beta=-1, upper=upper),
                 2 * numpy.einsum("bij,bj->bi", whole, x) - y)
        for call, other in ((blas.syr, x), (blas.her, x.conj())):
            outer = 3 * numpy.einsum("bi,bj->bij", x, other)
            keep = numpy.triu if upper else numpy.tril
            near(call(there(x), alpha=3, upper=upper), keep(outer))
            given = there(a)
            call(there(x), given, alpha=3, upper=upper)
            want = a + keep(outer)
            if call is blas.her and dtype in "FD":
                want[:, range(5), range(5)] = want[:, range(5), range(5)].real
            near(given, want)
        for trans, op in (("N", half), ("T", half.swapaxes(1, 2)), ("C", half.conj().swapaxes(1, 2))):
            want = numpy.einsum("bij,bj->bi", op, x)
            near(blas.trmv(there(a), there(x), upper=upper, trans=trans), want)
            both = there(x)
            blas.trmv(there(a), both, upper=upper, trans=trans, out=both)
            near(both, want)
            strong = a + 9 * numpy.eye(5, dtype=dtype)
            back = blas.trmv(there(strong), there(x), upper=upper, trans=trans)
            near(blas.trsv(there(strong), back, upper=upper, trans=trans), x)
            near(blas.trsv(there(strong), back, upper=upper, trans=trans, out=back), x)
    with pytest.raises(ValueError, match="beta"):
        blas.symv(there(a), there(x), beta=1)
    with pytest.raises(tenon.OverlapError):
        v = there(x)
        blas.symv(there(a), v, v)
