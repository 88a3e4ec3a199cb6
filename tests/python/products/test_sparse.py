"""Sparse matrices: SciPy is the reference, for conversions and products of random matrices in every dtype."""


import numpy as np
import pytest

import tenon
from conftest import equal, importing, near, on, run_python

sp = pytest.importorskip("scipy.sparse")

pytestmark = pytest.mark.filterwarnings("ignore:.*Sparse")

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64", "complex64", "complex128"]
TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-12, "complex64": 1e-5,
             "complex128": 1e-12}


def numbers(rng, shape, dtype):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype[0] in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    x = rng.normal(size=shape)
    if dtype.startswith("complex"):
        x = x + 1j * rng.normal(size=shape)
    return x.astype(dtype) if dtype != "bfloat16" else tenon.asarray(x).astype(dtype).astype("float64").numpy()


def there(device, host, dtype):
    return on(device, host).astype(dtype) if dtype == "bfloat16" else on(device, host)


def host(x):
    return x.astype("float64").numpy() if x.dtype.name == "bfloat16" else x.numpy()


def exact(dtype):
    """The dtype of the reference; integers wrap there as here."""
    return "float64" if dtype in ("float16", "bfloat16", "float32") else "complex128" if dtype == "complex64" else dtype


def close(got, want, dtype):
    assert got.dtype == dtype and got.shape == want.shape
    if dtype in TOLERANCE:
        scale = TOLERANCE[dtype]
        np.testing.assert_allclose(host(got), want, rtol=scale, atol=scale * max(1.0, np.abs(want).max(initial=0)))
    else:
        np.testing.assert_array_equal(host(got), want)


def matrix(rng, dtype, rows=None, columns=None):
    """Random elements in random places, some of them twice."""
    rows = int(rng.choice([0, 1, 3, 50, 400])) if rows is None else rows
    columns = int(rng.choice([1, 4, 60, 500])) if columns is None else columns
    count = int(rng.choice([0, 1, 20, 3000])) if rows else 0
    row, column = rng.integers(0, max(rows, 1), count), rng.integers(0, columns, count)
    if count > 20 and rng.integers(0, 2):
        row[: count // 2] = rows // 2  # a long row
    return numbers(rng, count, dtype), row, column, (rows, columns)


def dense(data, row, column, shape, dtype):
    out = np.zeros(shape, exact(dtype))
    if dtype == "bool":
        np.logical_or.at(out, (row, column), data)
    else:
        np.add.at(out, (row, column), data.astype(exact(dtype)))
    return out


def multiply(a, b):
    return (a.astype(int) @ b.astype(int)) > 0 if a.dtype == bool else a @ b.astype(a.dtype)


def random_case(device, rng, dtype):
    data, row, column, shape = matrix(rng, dtype)
    index = str(rng.choice(["int32", "int64"]))
    A = tenon.sparse.coo_array((there(device, data, dtype), (on(device, row.astype(index)),
                                                             on(device, column.astype(index)))), shape=shape)
    want = dense(data, row, column, shape, dtype)
    close(A.toarray(), want, dtype)
    C = A.tocsr()
    assert C.indices.dtype == C.indptr.dtype == index and C.shape == shape and C.nnz <= A.nnz
    place = np.repeat(np.arange(shape[0]), np.diff(C.indptr.numpy())) * shape[1] + C.indices.numpy()
    assert (np.diff(place) > 0).all()
    close(C.toarray(), want, dtype)
    close(C.tocoo().tocsr().toarray(), host(C.toarray()), dtype)
    close(C.T.toarray(), want.T, dtype)
    close(C.T.T.tocsr().toarray(), want, dtype)
    back = tenon.sparse.csr_array(C.toarray())
    assert back.nnz == np.count_nonzero(host(C.toarray()))
    close(back.toarray(), host(C.toarray()), dtype)
    small = want if dtype not in ("float16", "bfloat16") else host(C.toarray())
    for width in (None, int(rng.choice([0, 1, 3, 40]))):
        b = numbers(rng, (shape[1],) if width is None else (shape[1], width), dtype)
        given = there(device, np.asfortranarray(b) if rng.integers(0, 2) else b, dtype)
        close(C @ given, multiply(small, b), dtype)
        left = numbers(rng, (shape[0],) if width is None else (width, shape[0]), dtype)
        if dtype != "bool":
            close(there(device, left, dtype) @ C, left.astype(exact(dtype)) @ small, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_matrices(device, dtype):
    rng = np.random.default_rng(DTYPES.index(dtype))
    for _ in range(12):
        random_case(device, rng, dtype)


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
def test_the_kernels_for_gpus(dtype):
    code = f"""
{importing(__file__)}import numpy as np, tenon, test_sparse as t
rng = np.random.default_rng(7)
for _ in range({4 if dtype == "float32" else 1}): t.random_case(tenon.Device("cpu:0"), rng, {dtype!r})
t.check_invalid(tenon.Device("cpu:0"))
print("same")
"""
    done = run_python(code, TENON_OWN_KERNELS="1")
    assert done.stdout == "same\n", done.stderr


def test_results_do_not_depend_on_threads():
    code = """
import hashlib, numpy as np, tenon
rng = np.random.default_rng(2)
row, column = rng.integers(0, 3000, 200000), rng.integers(0, 2000, 200000)
A = tenon.sparse.coo_array((rng.normal(size=200000), (row, column)), shape=(3000, 2000)).tocsr()
for b in (rng.normal(size=2000), rng.normal(size=(2000, 5))):
    print(hashlib.sha1((A @ b).numpy().tobytes()).hexdigest())
print(hashlib.sha1(A.data.numpy().tobytes()).hexdigest())
"""
    outputs = {run_python(code, TENON_CPU_THREADS=threads).stdout for threads in ("1", "2", "5")}
    assert len(outputs) == 1 and outputs.pop().count("\n") == 3


def test_alpha_beta_and_outputs(device):
    rng = np.random.default_rng(4)
    for dtype in ("float64", "complex64", "int32"):
        data, row, column, shape = matrix(rng, dtype, 30, 20)
        A = tenon.sparse.csr_array((there(device, data, dtype), (on(device, row), on(device, column))), shape=shape)
        a = dense(data, row, column, shape, dtype)
        for tail in ((), (3,)):
            b, y = numbers(rng, (20, *tail), dtype), numbers(rng, (30, *tail), dtype)
            out = on(device, np.asfortranarray(y))
            factor = 2 - 1j if dtype == "complex64" else 3
            assert A.dot(on(device, b), alpha=factor, beta=-2, out=out) is out
            close(out, factor * (a @ b.astype(a.dtype)) - 2 * y, dtype)
            close(A.dot(on(device, b), alpha=factor), factor * (a @ b.astype(a.dtype)), dtype)
    with pytest.raises(tenon.InvalidArgument, match="provide the array"):
        A.dot(on(device, np.zeros(20, "int32")), beta=1)
    x = on(device, np.zeros(20))
    square = tenon.sparse.eye_array(20, device=device)
    with pytest.raises(tenon.OverlapError):
        square.dot(x, out=x)


def call_multiply(A, b, out=None, **options):
    """The C function, with its options."""
    import ctypes

    from tenon import _raw
    from tenon._library import lib
    from tenon._produce import produce

    given = _raw.tenon_sparse_product_options(**options)
    return produce(lib.tenon_csr_multiply, A.shape[1], A.indptr._handle, A.indices._handle, A.data._handle, b._handle,
                   ctypes.byref(given), device=A.device, out=out)


def test_transposed_and_conjugated_products(device):
    rng = np.random.default_rng(5)
    for dtype in ("float32", "complex128"):
        data, row, column, shape = matrix(rng, dtype, 40, 25)
        A = tenon.sparse.csr_array((on(device, data), (on(device, row), on(device, column))), shape=shape)
        a = dense(data, row, column, shape, dtype)
        b, c = numbers(rng, (40, 3), dtype), numbers(rng, (25,), dtype)
        close(call_multiply(A, on(device, b), transposed=1), a.T @ b, dtype)
        close(call_multiply(A, on(device, b), transposed=1, conjugated=1), a.conj().T @ b, dtype)
        close(call_multiply(A, on(device, c), conjugated=1, own=1), a.conj() @ c, dtype)
        close(A.H @ on(device, b), a.conj().T @ b, dtype)


def check_invalid(device):
    data, indices, indptr = np.ones(3), np.array([0, 1, 2]), np.array([0, 2, 3])

    def make(i, p):
        return tenon.sparse.csr_array((on(device, data), on(device, np.array(i)), on(device, np.array(p))), shape=(2, 3))

    x = on(device, np.ones(3))
    for i, p, text in (([0, 3, 2], indptr, r"indices\[1\].*\[0, 3\)"), ([0, 1, -1], indptr, r"indices\[2\]"),
                       (indices, [0, 4, 3], r"offsets\[1\]"), (indices, [0, 2, 2], r"offsets\[2\].*, 3"),
                       (indices, [1, 2, 3], r"offsets\[0\]"), (indices, [0, -1, 3], r"offsets\[1\]")):
        for use in (lambda A: A @ x, lambda A: A.toarray(), lambda A: A.T):
            with pytest.raises(tenon.InvalidArgument, match=text):
                use(make(i, p))
    for row, column, text in (([0, 2], [0, 0], r"row\[1\].*\[0, 2\)"), ([0, 1], [-1, 0], r"column\[0\].*\[0, 3\)")):
        with pytest.raises(tenon.InvalidArgument, match=text):
            tenon.sparse.coo_array((on(device, data[:2]), (on(device, np.array(row)), on(device, np.array(column)))),
                                   shape=(2, 3)).tocsr()


def test_invalid_indices_are_reported(device):
    check_invalid(device)


def test_refusals(device):
    A = tenon.sparse.eye_array(3, 4, device=device)
    with pytest.raises(tenon.ShapeError, match="b has 3 rows"):
        A @ on(device, np.ones(3))
    with pytest.raises(tenon.ShapeError, match="vector or a matrix"):
        A @ on(device, np.ones((4, 1, 1)))
    with pytest.raises(tenon.ShapeError, match="4 offsets"):
        tenon.sparse.csr_array((np.ones(1), [0], [0, 1]), shape=(3, 3))
    with pytest.raises(tenon.ShapeError, match="2 elements, but there are 1"):
        tenon.sparse.csr_array((np.ones(2), [0], [0, 1]), shape=(1, 3)).toarray()
    with pytest.raises(tenon.DTypeError, match="float64"):
        tenon.sparse.csr_array((np.ones(1), np.zeros(1), [0, 1]), shape=(1, 3))
    with pytest.raises(tenon.SizeOverflow, match="2\\^63"):
        tenon.sparse.coo_array((np.ones(1), (np.zeros(1, int), np.zeros(1, int))), shape=(2**40, 2**40)).tocsr()
    with pytest.raises(tenon.SizeOverflow, match="int64 indices"):
        tenon.sparse.coo_array((np.ones(1), (np.zeros(1, "int32"), np.zeros(1, "int32"))), shape=(2**32, 1)).tocsr()
    with pytest.raises(tenon.SizeOverflow, match="2\\^62"):
        tenon.sparse.coo_array((np.ones(0), (np.zeros(0, int), np.zeros(0, int))), shape=(2**63 - 1, 0)).tocsr()
    with pytest.raises(tenon.Unsupported, match="toarray"):
        A @ A
    with pytest.raises(TypeError, match="shape"):
        tenon.sparse.csr_array((np.ones(1), [0], [0, 1]))


def test_scipy_and_torch():
    rng = np.random.default_rng(6)
    host_ = sp.random_array((30, 20), density=0.2, rng=rng, format="csr")
    for other in (host_, host_.tocoo(), host_.tocsc(), sp.csr_matrix(host_)):
        A = tenon.sparse.csr_array(other)
        np.testing.assert_array_equal(A.toarray(), host_.toarray())
        np.testing.assert_array_equal(A.to_scipy().toarray(), host_.toarray())
        np.testing.assert_array_equal(A.tocoo().to_scipy().toarray(), host_.toarray())
    shared = tenon.sparse.csr_array(host_)
    host_.data[0] = 99.0
    assert shared.data[0].item() == 99.0
    x = rng.normal(size=(20, 4))
    np.testing.assert_allclose(shared @ x, host_ @ x, rtol=1e-13)
    np.testing.assert_allclose(x.T @ shared.T, x.T @ host_.T, rtol=1e-13)
    torch = pytest.importorskip("torch")
    t = torch.sparse_csr_tensor(torch.tensor([0, 1, 3]), torch.tensor([1, 0, 2]), torch.tensor([1.0, 2.0, 3.0]),
                                size=(2, 3))
    A = tenon.sparse.csr_array(t)
    t.values()[0] = 7.0
    assert A.toarray().tolist() == [[0.0, 7.0, 0.0], [2.0, 0.0, 3.0]]
    y = A @ torch.ones(3)
    assert isinstance(y, torch.Tensor) and y.tolist() == [7.0, 5.0]
    assert A.to_torch().to_dense().tolist() == A.toarray().tolist()


@pytest.mark.parametrize("values, operand", [("float64", "float64"), ("complex128", "float64"),
                                             ("float64", "complex128"), ("complex128", "complex128")])
def test_products_with_tensors_are_differentiable(values, operand):
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(17)
    dense = np.where(rng.random((5, 4)) < 0.5, rng.normal(size=(5, 4)) + 1j * rng.normal(size=(5, 4)), 0)
    A = tenon.sparse.csr_array(tenon.asarray(dense if values == "complex128" else dense.real.copy()))
    for shape in ((4,), (4, 3)):
        b = torch.randn(shape, dtype=getattr(torch, operand), requires_grad=True)
        assert torch.autograd.gradcheck(lambda b: A @ b, (b,), check_forward_ad=True)
        assert torch.autograd.gradgradcheck(lambda b: A @ b, (b,))
        assert torch.autograd.gradcheck(lambda b: b.movedim(0, -1) @ A.T, (b,))
        assert torch.allclose(A @ b, torch.as_tensor(A.toarray().numpy()).to(torch.complex128) @ b.to(torch.complex128)
                              if "complex128" in (values, operand) else torch.as_tensor(A.toarray().numpy()) @ b)
    narrow = torch.ones(4, dtype=torch.float32, requires_grad=True)
    (A @ narrow).abs().sum().backward()
    assert narrow.grad.dtype == torch.float32 and narrow.grad.shape == (4,)
    assert not (A @ narrow.detach()).requires_grad
    assert torch.equal(torch.func.grad(lambda b: (A @ b).abs().sum())(narrow.detach()), narrow.grad)


def test_arithmetic_and_constructors(device):
    rng = np.random.default_rng(8)
    a, b = (np.where(rng.random((6, 5)) < 0.3, rng.normal(size=(6, 5)), 0) for _ in range(2))
    A, B = tenon.sparse.csr_array(on(device, a)), tenon.sparse.coo_array(on(device, b))
    near((A + B).toarray(), a + b, rtol=1e-15)
    near((A - B).toarray(), a - b, rtol=1e-15)
    equal((2 * A).toarray(), 2 * a)
    equal((-B / 4).toarray(), -b / 4)
    assert A.astype("float32").dtype == "float32" and A.copy().data.data_ptr != A.data.data_ptr
    assert tenon.sparse.issparse(A) and not tenon.sparse.issparse(a)
    assert tenon.sparse.csr_array((3, 4), device=device).toarray().tolist() == np.zeros((3, 4)).tolist()
    for m, n, k in ((3, 4, 0), (4, 3, 1), (3, 4, -2), (2, 2, 5)):
        equal(tenon.sparse.eye_array(m, n, k=k, device=device).toarray(), np.eye(m, n, k))
    R = tenon.sparse.random_array((50, 40), 0.1, generator=tenon.random.Generator(3, device=device))
    assert 150 < R.nnz <= 200 and R.device == device
    assert "csr_array of float64, shape (6, 5)" in repr(A)
    with pytest.raises(tenon.ShapeError, match="differ"):
        A + tenon.sparse.eye_array(6, device=device)
    empty = tenon.sparse.csr_array(tenon.zeros((0, 4), device=device))
    assert (empty @ tenon.ones(4, device=device)).shape == (0,) and empty.T.shape == (4, 0)
