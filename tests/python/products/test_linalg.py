"""gemm and svd, compared with NumPy in double precision, with bounds from rounding error analysis."""

import itertools

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, on, run_python, sample

# --- gemm ---


def wide(array):
    return array.astype("complex128" if numpy.iscomplexobj(array) else "float64")


def check_product(got, a, b, alpha=1, beta=0, c=None):
    """Checks |got - alpha a b - beta c| <= (k + 3) eps (|alpha| |a| |b| + |beta| |c|) for each element."""
    k = a.shape[-1]
    expected = alpha * numpy.matmul(wide(a), wide(b))
    size = abs(alpha) * numpy.matmul(numpy.abs(wide(a)), numpy.abs(wide(b)))
    if beta != 0:
        expected = expected + beta * wide(c)
        size = size + abs(beta) * numpy.abs(wide(c))
    unit = eps("float32") * (k + 3) + eps("float16") if got.dtype == "float16" else eps(got.dtype) * (k + 3) * (2 if numpy.iscomplexobj(a) else 1)
    assert got.shape == expected.shape
    assert numpy.all(numpy.abs(wide(got) - expected) <= unit * size + numpy.finfo(got.dtype).tiny)


@pytest.mark.parametrize("dtype", REAL + COMPLEX + ["float16"])
@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (5, 7, 3), (64, 64, 64), (65, 33, 129), (1, 200, 30), (200, 1, 30), (17, 19, 1)])
def test_a_product_is_right_to_rounding(device, random, dtype, m, n, k):
    a, b = sample(random, (m, k), dtype), sample(random, (k, n), dtype)
    check_product((on(device, a) @ on(device, b)).numpy(), a, b)


def test_bfloat16_products_accumulate_in_float32(device, random):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    a, b = (sample(random, (48, 48), "float32").astype(ml_dtypes.bfloat16) for _ in range(2))
    got = (tenon.asarray(a).to_device(device) @ tenon.asarray(b).to_device(device)).astype("float32").numpy()
    exact = a.astype("float64") @ b.astype("float64")
    bound = 2**-8 * numpy.abs(exact) + 60 * 2**-23 * (numpy.abs(a.astype("float64")) @ numpy.abs(b.astype("float64")))
    assert numpy.all(numpy.abs(got - exact) <= bound)


LAYOUTS = {
    "as it is": lambda x: x,
    "transposed": lambda x: x.mT if isinstance(x, tenon.Array) else numpy.swapaxes(x, -1, -2),
    "rows skipped": lambda x: x[..., ::2, :],
    "columns skipped": lambda x: x[..., :, ::3],
    "rows reversed": lambda x: x[..., ::-1, :],
    "both reversed and transposed": lambda x: (x.mT if isinstance(x, tenon.Array) else numpy.swapaxes(x, -1, -2))[..., ::-1, ::-1],
}


@pytest.mark.parametrize("left, right", itertools.product(LAYOUTS, LAYOUTS))
def test_operands_of_any_layout(device, random, left, right):
    x, y = sample(random, (12, 12), "float64"), sample(random, (12, 12), "float64")
    a, b = LAYOUTS[left](x), LAYOUTS[right](y)
    k = min(a.shape[1], b.shape[0])
    a, b = a[:, :k], b[:k]
    ours = LAYOUTS[left](on(device, x))[:, :k] @ LAYOUTS[right](on(device, y))[:k]
    check_product(ours.numpy(), a, b)


@pytest.mark.parametrize("first, second", [((3, 4, 5), (3, 5, 6)), ((2, 3, 4, 5), (3, 5, 6)), ((3, 1, 4, 5), (2, 5, 6)), ((4, 5), (7, 5, 6)),
                                           ((0, 4, 5), (0, 5, 6)), ((1, 4, 5), (9, 5, 2)), ((2, 3, 2, 4, 5), (5, 6))])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_batches_broadcast(device, random, first, second, dtype):
    a, b = sample(random, first, dtype), sample(random, second, dtype)
    check_product((on(device, a) @ on(device, b)).numpy(), a, b)


@pytest.mark.parametrize("a, b", [((5,), (5,)), ((5,), (5, 3)), ((4, 5), (5,)), ((5,), (2, 5, 3)), ((2, 4, 5), (5,))])
def test_vectors_follow_numpys_rules(device, random, a, b):
    a, b = sample(random, a, "float64"), sample(random, b, "float64")
    numpy.testing.assert_allclose(tenon.matmul(on(device, a), on(device, b)).numpy(), numpy.matmul(a, b), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("dtype", REAL + COMPLEX)
@pytest.mark.parametrize("alpha, beta", [(1, 0), (2.5, 0), (0, 1), (1, 1), (-1, 0.5), (0, 0)])
def test_alpha_and_beta_scale(device, random, dtype, alpha, beta):
    a, b, c = (sample(random, shape, dtype) for shape in ((6, 4), (4, 5), (6, 5)))
    there = on(device, c)
    assert tenon.gemm(on(device, a), on(device, b), there, alpha=alpha, beta=beta).data_ptr == there.data_ptr
    check_product(there.numpy(), a, b, alpha, beta, c)


def test_complex_alpha_and_beta(device, random):
    a, b, c = (sample(random, shape, "complex128") for shape in ((6, 4), (4, 5), (6, 5)))
    there = on(device, c)
    tenon.gemm(on(device, a), on(device, b), there, alpha=1 + 2j, beta=-1j)
    check_product(there.numpy(), a, b, 1 + 2j, -1j, c)


def test_with_beta_zero_the_result_is_not_read(device, random):
    a, b = sample(random, (4, 4), "float32"), sample(random, (4, 4), "float32")
    c = on(device, numpy.full((4, 4), numpy.nan, "float32"))
    tenon.gemm(on(device, a), on(device, b), c)
    check_product(c.numpy(), a, b)


def test_with_no_terms_the_result_is_scaled(device):
    c = tenon.ones((3, 4), "float32", device=device)
    tenon.gemm(tenon.zeros((3, 0), "float32", device=device), tenon.zeros((0, 4), "float32", device=device), c, beta=2)
    assert numpy.all(c.numpy() == 2)
    assert numpy.all((tenon.zeros((3, 0), device=device) @ tenon.zeros((0, 4), device=device)).numpy() == 0)


def test_nan_and_infinity_go_through(device):
    a = numpy.eye(3)
    a[1, 1] = numpy.nan
    got = (on(device, a) @ tenon.ones((3, 2), device=device)).numpy()
    assert numpy.isnan(got[1]).all() and (got[[0, 2]] == 1).all()


@pytest.mark.parametrize("layout", ["transposed", "rows skipped", "columns skipped", "rows reversed"])
def test_results_go_into_views(device, random, layout):
    a, b = sample(random, (6, 4), "float64"), sample(random, (4, 6), "float64")
    whole = tenon.zeros({"rows skipped": (12, 6), "columns skipped": (6, 18)}.get(layout, (6, 6)), "float64", device=device)
    tenon.gemm(on(device, a), on(device, b), LAYOUTS[layout](whole))
    check_product(LAYOUTS[layout](whole.numpy()), a, b)


@pytest.mark.parametrize("make, error", [
    (lambda z: z((3, 4)) @ z((3, 4)), ValueError),
    (lambda z: z((2, 3, 4)) @ z((3, 4, 5)), ValueError),
    (lambda z: z(()) @ z((3, 3)), ValueError),
    (lambda z: tenon.gemm(z((3, 3), "float32"), z((3, 3), "float64")), TypeError),
    (lambda z: tenon.gemm(z((3, 3), "int32"), z((3, 3), "int64")), TypeError),
    (lambda z: z((3, 3), "complex32") @ z((3, 3), "complex32"), TypeError),
    (lambda z: tenon.gemm(z((3, 3)), z((3, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.gemm(z((3, 3)), z((3, 3)), z((3,)).broadcast_to((3, 3))), ValueError),
    (lambda z: (lambda c: tenon.gemm(c, z((3, 3)), c))(z((3, 3))), ValueError),
])
def test_operands_that_do_not_fit_are_refused(device, make, error):
    with pytest.raises(error):
        make(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))


# --- svd ---

def check_svd(a, u, s, vh, full):
    """Checks backward stability: |a - u s vh| <= c eps |a|, u and vh are orthogonal to c eps, and s is sorted and as
    accurate as perturbation theory allows: |s - s_exact| <= c eps s_max."""
    m, n = a.shape[-2:]
    k = min(m, n)
    unit = 12 * max(m, n) * eps(a.dtype)
    u, s, vh = u.numpy(), s.numpy(), vh.numpy()
    batch = a.shape[:-2]
    assert u.shape == batch + (m, m if full else k) and s.shape == batch + (k,) and vh.shape == batch + (n if full else k, n)
    assert s.dtype == a.real.dtype and u.dtype == vh.dtype == a.dtype
    for index in numpy.ndindex(batch):
        x, p, d, q = wide(a[index]), wide(u[index]), wide(s[index]), wide(vh[index])
        norm = numpy.linalg.norm(x, 2) if k else 0
        assert numpy.all(numpy.diff(d) <= 0) and numpy.all(d >= 0)
        assert numpy.linalg.norm(x - (p[:, :k] * d) @ q[:k]) <= unit * max(norm, numpy.finfo(a.dtype).tiny)
        assert numpy.linalg.norm(p.conj().T @ p - numpy.eye(p.shape[1])) <= unit * max(1, k) ** .5
        assert numpy.linalg.norm(q @ q.conj().T - numpy.eye(q.shape[0])) <= unit * max(1, k) ** .5
        if k:
            assert numpy.max(numpy.abs(d - numpy.linalg.svd(x, compute_uv=False))) <= unit * max(norm, numpy.finfo(a.dtype).tiny)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
@pytest.mark.parametrize("shape", [(1, 1), (8, 8), (20, 7), (7, 20), (1, 9), (9, 1), (100, 60), (33, 64)])
def test_svd_is_backward_stable(device, random, shape, dtype, full):
    a = sample(random, shape, dtype)
    check_svd(a, *tenon.svd(on(device, a), full_matrices=full), full)


@pytest.mark.parametrize("shape", [(3, 6, 4), (2, 2, 4, 6), (0, 3, 3)])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_svd_of_batches(device, random, shape, dtype):
    a = sample(random, shape, dtype)
    check_svd(a, *tenon.svd(on(device, a), full_matrices=False), False)


SPECIAL = {
    "zeros": lambda random: numpy.zeros((6, 4)),
    "identity": lambda random: numpy.eye(7),
    "ones": lambda random: numpy.ones((9, 5)),
    "rank 3": lambda random: random.standard_normal((30, 3)) @ random.standard_normal((3, 20)),
    "graded": lambda random: random.standard_normal((20, 20)) * 10.0 ** -numpy.arange(20),
    "hilbert": lambda random: 1 / (1 + numpy.add.outer(numpy.arange(12.0), numpy.arange(12.0))),
    "huge": lambda random: random.standard_normal((10, 10)) * 1e150,
    "tiny": lambda random: random.standard_normal((10, 10)) * 1e-150,
    "equal values": lambda random: numpy.linalg.qr(random.standard_normal((15, 15)))[0],
}


@pytest.mark.parametrize("name", SPECIAL)
def test_svd_of_special_matrices(device, random, name):
    a = SPECIAL[name](random)
    check_svd(a, *tenon.svd(on(device, a)), True)


@pytest.mark.parametrize("key", [(slice(None, None, 2),), (slice(None), slice(None, None, -1)), ()], ids=str)
def test_svd_of_views_leaves_them_alone(device, random, key):
    host = sample(random, (12, 10), "float64")
    array = on(device, host)
    check_svd(host.T[key], *tenon.svd(array.T[key]), True)
    numpy.testing.assert_array_equal(array.numpy(), host)


@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_values_alone_are_the_same(device, random, dtype):
    a = sample(random, (40, 25), dtype)
    s = tenon.svdvals(on(device, a)).numpy()
    exact = numpy.linalg.svd(wide(a), compute_uv=False)
    assert numpy.max(numpy.abs(s - exact)) <= 12 * 40 * eps(dtype) * exact[0]


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0)])
def test_svd_of_nothing_is_nothing(device, shape):
    u, s, vh = tenon.svd(tenon.zeros(shape, device=device))
    assert s.size == 0
    numpy.testing.assert_array_equal(u.numpy(), numpy.eye(shape[0]))
    numpy.testing.assert_array_equal(vh.numpy(), numpy.eye(shape[1]))


@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf, -numpy.inf])
def test_the_matrix_that_is_not_finite_is_named(device, random, bad):
    for shape in ((5, 3, 3), (5, 40, 30), (5, 700, 600) if device.name.startswith("cuda") else (5, 60, 90)):
        a = sample(random, shape, "float64")
        a[3, 1, 1] = bad
        for call in (tenon.svd, tenon.svdvals, tenon.pinv, tenon.matrix_rank, lambda x: tenon.svd(x, k=2, driver="krylov")):
            with pytest.raises(tenon.LinAlgError, match="matrix 3 of the batch of 5") as caught:
                call(on(device, a))
            assert caught.value.batch_index == 3


@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf])
def test_what_is_not_finite_is_refused(device, random, bad):
    a = sample(random, (6, 5), "float64")
    a[3, 2] = bad
    with pytest.raises(tenon.LinAlgError, match="(?i)nan|finite|infinit"):
        tenon.svd(on(device, a))


@pytest.mark.parametrize("shape, dtype, error", [((4,), "float64", ValueError), ((), "float64", ValueError), ((3, 3), "int32", TypeError),
                                                 ((3, 3), "float16", TypeError)])
def test_svd_of_invalid_arrays_is_refused(device, shape, dtype, error):
    with pytest.raises(error):
        tenon.svd(tenon.zeros(shape, dtype, device=device))


# --- products other than gemm ---

SUMS = ["ij,jk->ik", "ij,jk", "ij,jk->ki", "ji,jk->ik", "ij,kj->ik", "ij,ij->", "ij,ij->i", "ij,ij->ij", "i,j->ij", "i,i", "ii,i->i", "ii,ij->j",
        "ijk,kl->ijl", "ijk,kl->lji", "ijk,ikl->ijl", "ijk,jki->", "ijk,lkj->il", "ij,k->k", "ij,jk->k", "bij,bjk->bik", "bij,bkj->kbi",
        "abij,bcjk->abcik", "...ij,...jk->...ik", "...ij,jk", "i...,i->...", "...,...->...", "a...b,b...->...a", " ij , jk -> ik "]
EXTENTS = dict(a=2, b=3, c=4, i=5, j=6, k=7, l=3)


def operand(random, term, dtype):
    """A random array for a term; an ellipsis has shape (3, 2)."""
    shape = []
    for letter in term.replace("...", "."):
        shape += [3, 2] if letter == "." else [EXTENTS[letter]]
    return sample(random, tuple(shape), dtype)


@pytest.mark.parametrize("text", SUMS)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_einstein_sums_are_numpys(device, random, text, dtype):
    terms = text.replace(" ", "").partition("->")[0].split(",")
    a, b = (operand(random, term, dtype) for term in terms)
    exact = numpy.einsum(text, wide(a), wide(b))
    size = numpy.einsum(text, numpy.abs(wide(a)), numpy.abs(wide(b)))
    for turn in (lambda x: x, lambda x: numpy.ascontiguousarray(x.T).T, lambda x: numpy.repeat(x, 2, -1)[..., ::2] if x.ndim else x):
        got = tenon.einsum(text, keep_layout(device, turn(a)), keep_layout(device, turn(b))).numpy()
        assert got.dtype == dtype and got.shape == exact.shape
        assert numpy.all(numpy.abs(got - exact) <= 2 * 60 * eps(dtype) * size + 1e-30)


def keep_layout(device, host):
    """The array on the device, column-major if it is so on the host, and with gaps if it is not contiguous there."""
    if host.ndim > 1 and host.T.flags.c_contiguous:
        return on(device, host.T).T
    return on(device, numpy.repeat(host, 2, -1))[..., ::2] if host.ndim and not host.flags.c_contiguous else on(device, host)


def test_einstein_sums_pack_an_operand_at_most_once(device, random):
    import ctypes

    from tenon import _raw
    from tenon._library import lib

    def packed(text, a, b):
        count, out = ctypes.c_int32(-1), ctypes.c_void_p()
        options = _raw.tenon_gemm_options(out_packed=ctypes.pointer(count))
        operands = (ctypes.c_void_p * 2)(a._handle, b._handle)
        assert lib.tenon_einsum(text.encode(), operands, 2, ctypes.byref(options), None, ctypes.byref(out)) == 0
        lib.tenon_array_release(out)
        return count.value

    a, b = on(device, sample(random, (5, 6, 7), "float64")), on(device, sample(random, (7, 5, 6), "float64"))
    assert packed("ijk,kil->ijl", a, b) == 0 and packed("ijk,kij->", a, b) <= 2 and packed("ijk,klm->ijlm", a, b) == 0
    assert packed("ijk,jl->ikl", a, on(device, sample(random, (6, 2), "float64"))) <= 1
    assert packed("ik,kj->ij", a[:, 0, ::2], b[:4, ::2, 0]) == 2


@pytest.mark.parametrize("text, first, second", [
    ("i,i->i", (1,), (5,)), ("i,i->", (5,), (1,)), ("ij,jk->ik", (2, 1), (3, 4)), ("ij,jk", (2, 3), (1, 4)), ("ij,jk->ijk", (2, 1), (3, 4)),
    ("bij,bjk->bik", (1, 2, 3), (6, 3, 4)), ("bij,bjk->bik", (6, 2, 1), (1, 3, 4)), ("ab,ab->ba", (1, 4), (3, 1)), ("ij,ij->", (1, 1), (2, 3)),
    ("ii,i->i", (3, 3), (1,)), ("...i,i...->...i", (2, 1), (3, 1)), ("ij,jk", (2, 1), (0, 4)), ("i,i->i", (1,), (0,)), ("iij,j", (1, 1, 4), (1,))])
def test_extent_one_broadcasts_within_a_letter(device, random, text, first, second):
    a, b = sample(random, first, "float64"), sample(random, second, "float64")
    want = numpy.einsum(text, a, b)
    got = tenon.einsum(text, on(device, a), on(device, b))
    assert got.shape == want.shape
    numpy.testing.assert_allclose(got.numpy(), want, rtol=1e-13, atol=1e-13)


SEVERAL = ["ij,jk,kl->il", "ii->i", "ii", "ij->ji", "ij->", "ij->j", "ijk->k", "i,i,i->i", "i,i,i", "i,j,k->kji", "ij,ij,jk->ik",
           "bij,bjk,bkl->bil", "b,bij,j->i", "ij,k,l->il", "ij,jk,kl,li", "...ij,...j,...->...i", "ij,jk,l->", "a->a", "ij,jj,j->i"]


@pytest.mark.parametrize("text", SEVERAL)
@pytest.mark.parametrize("dtype", REAL + COMPLEX + ["float16", "int8"])
def test_einstein_sums_over_one_and_over_several_operands(device, random, text, dtype):
    extents = {"b": (3,), "i": (4,), "j": (5,), "k": (6,), "l": (7,), "a": (2,), ".": (2, 3)}
    if "ii" in text or "li" in text or "jj" in text:
        extents.update(i=(5,), j=(5,), l=(7,))
    terms = text.replace("...", ".").split("->")[0].split(",")
    operands = [sample(random, sum((extents[c] for c in term), ()), dtype) for term in terms]
    wide = {"float16": "float64", "int8": "int64"}.get(dtype, dtype)
    exact = numpy.einsum(text, *(x.astype(wide) for x in operands))
    got = tenon.einsum(text, *(on(device, x) for x in operands))
    assert got.shape == exact.shape and got.dtype == ("int32" if dtype == "int8" else dtype)
    if dtype == "int8":
        return numpy.testing.assert_array_equal(got.numpy(), exact.astype("int64").astype("int32"))
    room = 40 * eps(dtype) * numpy.einsum(text, *(abs(x.astype(wide)) for x in operands))
    assert numpy.all(numpy.abs(got.numpy() - exact) <= room)
    given = tenon.empty(exact.T.shape, dtype, device=device).T
    assert tenon.einsum(text, *(on(device, x) for x in operands), out=given) is given
    assert numpy.all(numpy.abs(given.numpy() - exact) <= room)


@pytest.mark.parametrize("count, lists", [
    (2, ([0, 1], [1, 2], [0, 2])), (2, ([0, 1], [1, 2])), (2, ([5, 2], [2, 51])), (1, ([3, 3], [])), (1, ([1, 0],)),
    (2, ([Ellipsis, 0, 1], [Ellipsis, 1, 2], [Ellipsis, 2, 0])), (3, ([0, 1], [2, 3], [3, 0], [1, 2]))], ids=str)
def test_einstein_sums_of_lists_of_numbers_are_numpys(device, random, count, lists):
    shape = (2, 4, 4) if Ellipsis in lists[0] else (4, 4)
    operands = [sample(random, shape, "float64") for _ in range(count)]

    def call(einsum, there):
        given = [each for pair in zip(there, lists) for each in pair]
        return einsum(*given, *lists[count:])

    got = call(tenon.einsum, [on(device, x) for x in operands])
    numpy.testing.assert_allclose(got.numpy(), call(numpy.einsum, operands), rtol=1e-13, atol=1e-13)
    with pytest.raises(ValueError, match="0 to 51"):
        tenon.einsum(on(device, operands[0]), [0, 52])
    with pytest.raises(ValueError, match="as a str, or a list"):
        tenon.einsum(on(device, operands[0]))


def test_einstein_sums_of_several_operands_are_recorded_and_checked(device, random):
    x = on(device, sample(random, (4, 4), "float64"))
    with tenon.Graph(device) as graph:
        chained = tenon.einsum("ij,jk,kl->il", x, x, x, stream=graph)
        turned = tenon.einsum("ij->ji", x, stream=graph)
    x[...] = numpy.eye(4) * 2
    graph.launch()
    numpy.testing.assert_array_equal(chained.numpy(), numpy.eye(4) * 8)
    numpy.testing.assert_array_equal(turned.numpy(), numpy.eye(4) * 2)
    for call, error, text in [(lambda: tenon.einsum("ij,jk->ik", x), ValueError, "for 2 operands, but 1 were given"),
                              (lambda: tenon.einsum(""), ValueError, "at least one operand"),
                              (lambda: tenon.einsum("ij,jk,kl->iz", x, x, x), ValueError, "'z' is in the result"),
                              (lambda: tenon.einsum("ij,jk,kl", x, x, x[:3]), ValueError, "'k' has extent 4 in one operand and 3 in another"),
                              (lambda: tenon.einsum("ij,jk,kl->il", x, x, x, out=x), ValueError, "shares memory")]:
        with pytest.raises(error, match=text):
            call()


def test_a_message_shortens_long_quotations(device):
    x = tenon.zeros((2, 2), device=device)
    with pytest.raises(ValueError) as caught:
        tenon.einsum("\u00e4" * 300000, x)
    assert len(str(caught.value).encode()) < 5000 and "bytes in all" in str(caught.value)


LONE = ["ij,jk->i", "ij,jk->k", "ij,kl->ik", "ij,kj->j", "ij,kl->", "iij,jk->i", "ij,ik->", "bij,bk->b", "bij,jk->bi", "ij,jk->ik", "bij,k->jb"]


@pytest.mark.parametrize("text", LONE)
@pytest.mark.parametrize("dtype", REAL + COMPLEX + ["float16", "int8"])
def test_letters_of_a_single_operand_are_summed_first(device, random, text, dtype):
    extents = dict(b=3, i=4, j=5, k=6, l=7)
    a, b = (sample(random, [extents[c] for c in term], dtype) for term in text.split("->")[0].split(","))
    wide = {"float16": "float64", "int8": "int64"}.get(dtype, dtype)
    exact = numpy.einsum(text, a.astype(wide), b.astype(wide))
    got = tenon.einsum(text, on(device, a), on(device, b)).numpy()
    assert got.shape == exact.shape and got.dtype == ("int32" if dtype == "int8" else dtype)
    if dtype == "int8":
        return numpy.testing.assert_array_equal(got, exact)
    room = 8 * eps(dtype) * numpy.einsum(text, abs(a.astype(wide)), abs(b.astype(wide)))
    assert numpy.all(numpy.abs(got - exact) <= room)


def test_sums_over_letters_of_a_single_operand_take_little_memory(device):
    """Broadcasting the other operand to it would take hundreds of gigabytes."""
    x, y = numpy.arange(300000, dtype="float32") % 7, numpy.arange(300000, dtype="float32") % 5
    numpy.testing.assert_allclose(tenon.einsum("i,j->i", on(device, x), on(device, y)).numpy(), x * y.sum(), rtol=1e-5)
    numpy.testing.assert_allclose(tenon.einsum("i,j->", on(device, x), on(device, y)).numpy(), x.sum(dtype="f8") * y.sum(dtype="f8"), rtol=1e-5)
    column, row = x[:60000, None], y[None, :60000]
    numpy.testing.assert_allclose(tenon.einsum("ij,ij->i", on(device, column), on(device, row)).numpy(), x[:60000] * row.sum(), rtol=1e-5)


def test_products_of_int8_are_int32_everywhere(device, random):
    a, b = sample(random, (5, 4), "int8"), sample(random, (4, 6), "int8")
    there, other = on(device, a), on(device, b)
    wide = a.astype("int32"), b.astype("int32")
    for got, exact in ((tenon.matmul(there, other), wide[0] @ wide[1]), (tenon.einsum("ij,jk->ki", there, other), (wide[0] @ wide[1]).T),
                       (tenon.einsum("ij,jk->jik", there, other), numpy.einsum("ij,jk->jik", *wide)),
                       (tenon.tensordot(there, other, 1), wide[0] @ wide[1]), (tenon.tensordot(there, other, 0), numpy.tensordot(*wide, 0)),
                       (tenon.vecdot(there, other.T[:5]), numpy.einsum("ij,ij->i", wide[0], wide[1].T[:5])),
                       (tenon.vecdot(there, other.T[:5], conjugate=False), numpy.einsum("ij,ij->i", wide[0], wide[1].T[:5])),
                       (tenon.kron(there, other), numpy.kron(*wide))):
        assert got.dtype.name == "int32"
        numpy.testing.assert_array_equal(got.numpy(), exact)
    large = numpy.full(140000, -128, "int8")
    total = (140000 ** 2 * 2 ** 14 + 2 ** 31) % 2 ** 32 - 2 ** 31
    assert tenon.einsum("i,j->", on(device, large), on(device, large)).item() == total  # modulo 2^32


WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def integers(random, shape, dtype):
    """Random integers over the whole range; for bool more zeros than ones, so that sums are not all 1."""
    if dtype == "bool":
        return random.random(shape) < 0.15
    return random.integers(0, 256, (*shape, numpy.dtype(dtype).itemsize), "uint8").view(dtype)[..., 0]


@pytest.mark.parametrize("dtype", WHOLE[1:] + ["bool"])
def test_sums_of_integers_are_numpys(device, random, dtype):
    a, b = integers(random, (5, 4, 4), dtype), integers(random, (4, 6), dtype)
    there, other = on(device, a), on(device, b)
    for text in ("bij,jk->bik", "bij,jk->kb", "bij,jk->", "bii,ik->kb", "bij,jk->ibk"):
        got = tenon.einsum(text, there, other)
        assert got.dtype == dtype
        numpy.testing.assert_array_equal(got.numpy(), numpy.einsum(text, a, b))
    with numpy.errstate(over="ignore"):
        numpy.testing.assert_array_equal(tenon.tensordot(there, other, 1).numpy(), numpy.tensordot(a, b, 1))
        numpy.testing.assert_array_equal(tenon.kron(there[0], other).numpy(), numpy.kron(a[0], b))
        numpy.testing.assert_array_equal(tenon.vecdot(there, other.T[:4]).numpy(), numpy.einsum("bij,ij->bi", a, b.T[:4]))
        numpy.testing.assert_array_equal(tenon.vecdot(there, other.T[:5, None], axis=0).numpy()[0],
                                         numpy.einsum("bij,bj->ij", a, b.T[:5])[0])


def test_a_diagonal_has_equal_extents(device):
    z = tenon.zeros((1, 3), device=device)
    with pytest.raises(tenon.ShapeError, match="'i' has extent 1 in one operand and 3 in another"):
        tenon.einsum("ii,i->i", z, z[0])
    with pytest.raises(tenon.ShapeError, match="'i' has extent 3 in one operand and 1 in another"):
        tenon.einsum("i,ii->i", z[0], z.T)


def test_tensordot_takes_many_axes_up_to_the_limit(device, random):
    a, b = sample(random, (2,) + (1,) * 39 + (3,), "float64"), sample(random, (3,) + (1,) * 20 + (2,), "float64")
    numpy.testing.assert_allclose(tenon.tensordot(on(device, a), on(device, b), 1).numpy(), numpy.tensordot(a, b, 1), rtol=1e-14)
    with pytest.raises(tenon.ShapeError, match="64"):
        tenon.tensordot(on(device, a), on(device, a), 0)
    numpy.testing.assert_allclose(tenon.tensordot(on(device, a)[..., ::-1], on(device, b), ((0, -1), (-1, 0))).numpy(),
                                  numpy.tensordot(a[..., ::-1], b, ((0, -1), (-1, 0))), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("first, second, axes", [((3, 4, 5), (4, 5, 6), 2), ((3, 4), (5, 6), 0), ((3, 4, 5), (5, 2, 3), ((0, 2), (2, 0))), ((3, 4), (4,), 1),
                                                 ((3, 4, 5), (6, 4), (1, -1)), ((0, 4), (4, 3), 1), ((3, 0), (0, 2), 1)])
def test_tensordot_is_numpys(device, random, first, second, axes):
    a, b = sample(random, first, "float64"), sample(random, second, "float64")
    numpy.testing.assert_allclose(tenon.tensordot(on(device, a), on(device, b), axes).numpy(), numpy.tensordot(a, b, axes), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", REAL + COMPLEX + ["float16"])
def test_dot_products_conjugate_the_first(device, random, dtype):
    a, b = sample(random, (3, 1, 50), dtype), sample(random, (4, 50), dtype)
    for conjugate in (False, True):
        exact = ((wide(a).conj() if conjugate else wide(a)) * wide(b)).sum(-1)
        got = tenon.vecdot(on(device, a), on(device, b), conjugate=conjugate).numpy()
        assert got.shape == (3, 4)
        assert numpy.all(numpy.abs(got - exact) <= 100 * eps(dtype) * (numpy.abs(wide(a)) * numpy.abs(wide(b))).sum(-1))
    assert tenon.vecdot(on(device, a[0, 0, ::-7]), on(device, b[0, ::-7])).shape == ()


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("shape", [(5, 3), (2, 4, 9), (3, 0), (0, 3), (40, 4, 2)], ids=str)
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_rank_k_writes_one_triangle(device, random, dtype, shape, upper):
    a = sample(random, shape, dtype)
    c = sample(random, shape[:-1] + (shape[-2],), dtype)
    c = c + numpy.swapaxes(c, -1, -2).conj()
    there = on(device, c)
    tenon.rank_k(on(device, a), there, alpha=2, beta=-0.5, upper=upper)
    exact = 2 * numpy.matmul(wide(a), numpy.swapaxes(wide(a), -1, -2).conj()) - 0.5 * wide(c)
    kept = (numpy.triu if upper else numpy.tril)(numpy.ones(c.shape)) > 0
    assert numpy.all(there.numpy()[~kept] == c[~kept])
    room = 8 * (shape[-1] + 3) * eps(dtype) * (numpy.max(numpy.abs(exact), initial=0) + 1) * 3
    assert numpy.all(numpy.abs(there.numpy() - exact)[kept] <= room)


@pytest.mark.parametrize("call, error", [
    (lambda z: tenon.einsum("ij,jk->il", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.einsum("ij,jk->ii", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.einsum("ij,jk", z((2, 3)), z((4, 4))), ValueError),
    (lambda z: tenon.einsum("ij->i", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.einsum("ij,jk,kl->il", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.einsum("i1,jk->i", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.einsum("i,jk->i", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.einsum("...i,ij->j", z((2, 3)), z((3, 4))), ValueError),
    (lambda z: tenon.tensordot(z((2, 3)), z((3, 4)), ((1,), (0, 1))), ValueError),
    (lambda z: tenon.tensordot(z((2, 3)), z((3, 4)), 3), ValueError),
    (lambda z: tenon.tensordot(z((3, 3)), z((3, 3)), -1), ValueError),
    (lambda z: tenon.tensordot(z((3, 3)), z((3, 3)), ((2,), (0,))), ValueError),
    (lambda z: tenon.tensordot(z((3, 1)), z((3, 3)), 1), ValueError),
    (lambda z: tenon.tensordot(z((3, 3)), z((3, 3), "complex32"), 1), TypeError),
    (lambda z: tenon.tensordot(z((3, 3)), z((3, 3)), 2**64), ValueError),
    (lambda z: tenon.tensordot(z((3, 3)), z((3, 3)), ((0, 0), (0, 1))), ValueError),
    (lambda z: tenon.tensordot(z((3, 3)), z((3, 3)), ((0, 1), (1, -1))), ValueError),
    (lambda z: tenon.vecdot(z((2, 3)), z((2, 4))), ValueError),
    (lambda z: tenon.vecdot(z((3,)), z((3, 3)), axis=0), ValueError),
    (lambda z: tenon.vecdot(z((3,)), z((3, 3)), axis=-2), IndexError),
    (lambda z: tenon.cross(z((2, 4)), z((2, 4))), ValueError),
    (lambda z: tenon.trace(z((2,))), ValueError),
    (lambda z: tenon.vecdot(z(()), z((2,))), ValueError),
    (lambda z: tenon.rank_k(z((3, 2)), z((2, 2))), ValueError),
    (lambda z: tenon.rank_k(z((3, 2)), z((3, 1)).broadcast_to((3, 3))), ValueError),
    (lambda z: (lambda c: tenon.rank_k(c, c))(z((3, 3)))  , ValueError),
    (lambda z: tenon.triangular_multiply(z((3, 2)), z((3, 3))), ValueError),
    (lambda z: tenon.triangular_multiply(z((3, 3)), z((3, 3)), alpha=1j), ValueError),
])
def test_products_that_do_not_fit_are_refused(device, call, error):
    with pytest.raises(error):
        call(lambda shape, dtype="float64": tenon.zeros(shape, dtype, device=device))


@pytest.mark.parametrize("first, second", [((2, 3), (4, 5)), ((1, 1), (3, 2)), ((3, 3, 2), (3, 2, 2)), ((4, 1, 2, 2), (3, 2, 1)), ((0, 2), (2, 2)),
                                           ((2, 0, 3, 3), (2, 2))])
@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_kronecker_products(device, random, dtype, first, second):
    a, b = sample(random, first, dtype), sample(random, second, dtype)
    product = numpy.einsum("...ij,...kl->...ikjl", a, b)
    exact = product.reshape(product.shape[:-4] + (a.shape[-2] * b.shape[-2], a.shape[-1] * b.shape[-1]))
    got = tenon.kron(on(device, a), on(device, b)).numpy()
    assert got.shape == exact.shape and got.dtype == dtype
    numpy.testing.assert_allclose(got, exact, rtol=4 * eps(dtype))
    if len(first) == len(second) == 2:
        numpy.testing.assert_allclose(got, numpy.kron(a, b), rtol=4 * eps(dtype))


def test_kronecker_products_of_vectors_are_refused(device):
    with pytest.raises(ValueError, match="two axes"):
        tenon.kron(tenon.ones((3,), device=device), tenon.ones((3, 3), device=device))


# --- narrow products, bias and epilogue ---

@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (5, 7, 3), (64, 64, 64), (65, 33, 129), (3, 5, 3000), (16, 16, 1040), (1100, 20, 9), (20, 1100, 9)])
@pytest.mark.parametrize("layout", ["as it is", "transposed", "columns skipped"])
def test_products_of_int8_are_exact(device, random, m, n, k, layout):
    turn = LAYOUTS[layout]

    def operand(rows, cols):
        shape = {"transposed": (cols, rows), "columns skipped": (rows, 3 * cols - 2)}.get(layout, (rows, cols))
        return random.integers(-128, 128, shape).astype("int8")

    a, b = operand(m, k), operand(k, n)
    exact = turn(a).astype("int64") @ turn(b).astype("int64")
    got = turn(on(device, a)) @ turn(on(device, b))
    assert got.dtype == "int32"
    numpy.testing.assert_array_equal(got.numpy(), exact)


@pytest.mark.parametrize("dtype", WHOLE + ["bool"])
@pytest.mark.parametrize("m, n, k", [(1, 1, 5), (1, 9, 33), (9, 1, 33), (65, 130, 131), (257, 3, 7), (3, 257, 300)])
@pytest.mark.parametrize("left, right", [("as it is", "as it is"), ("transposed", "as it is"), ("as it is", "transposed"),
                                         ("both reversed and transposed", "columns skipped")])
def test_products_of_integers_are_numpys(device, random, dtype, m, n, k, left, right):
    """Modulo 2^bits; for bools, whether any pair is true in both."""
    def operand(layout, rows, cols):
        shape = {"columns skipped": (rows, 3 * cols - 2)}.get(layout, (cols, rows) if "transposed" in layout else (rows, cols))
        return integers(random, shape, dtype)

    a, b = operand(left, m, k), operand(right, k, n)
    x, y = LAYOUTS[left](on(device, a)), LAYOUTS[right](on(device, b))
    with numpy.errstate(over="ignore"):
        exact = numpy.matmul(LAYOUTS[left](a), LAYOUTS[right](b))
    numpy.testing.assert_array_equal(tenon.matmul(x, y, dtype=dtype).numpy(), exact)
    turned = tenon.empty((n, m), dtype, device=device)  # a column-major result
    tenon.matmul(x, y, dtype=dtype, out=turned.T)
    numpy.testing.assert_array_equal(turned.numpy().T, exact)


@pytest.mark.parametrize("dtype", WHOLE + ["bool"])
def test_products_of_integers_scale_and_broadcast(device, random, dtype):
    a, b, c = (integers(random, shape, dtype) for shape in ((3, 1, 17, 20), (2, 20, 9), (3, 2, 17, 9)))
    one, two = (1, 1) if dtype == "bool" else (-3, 70001)
    with numpy.errstate(over="ignore"):
        product = numpy.matmul(a, b)
        exact = product | c if dtype == "bool" else numpy.array(-3).astype(dtype) * product + numpy.array(70001).astype(dtype) * c
    there = on(device, c)
    tenon.gemm(on(device, a), on(device, b), there[:, ::-1], alpha=one, beta=two)
    with numpy.errstate(over="ignore"):
        turned = product | c[:, ::-1] if dtype == "bool" else \
            numpy.array(-3).astype(dtype) * product + numpy.array(70001).astype(dtype) * c[:, ::-1]
    numpy.testing.assert_array_equal(there.numpy()[:, ::-1], turned)
    there = on(device, c)
    tenon.gemm(on(device, a), on(device, b), there, alpha=one, beta=two)
    numpy.testing.assert_array_equal(there.numpy(), exact)
    empty = tenon.gemm(tenon.zeros((3, 0), dtype, device=device), tenon.zeros((0, 4), dtype, device=device), dtype=dtype)
    assert not empty.numpy().any()
    kept = on(device, c)
    tenon.gemm(tenon.zeros((17, 0), dtype, device=device), tenon.zeros((0, 9), dtype, device=device), kept, beta=two)
    with numpy.errstate(over="ignore"):
        numpy.testing.assert_array_equal(kept.numpy(), c if dtype == "bool" else numpy.array(70001).astype(dtype) * c)


@pytest.mark.parametrize("dtype", ["uint8", "int64", "bool"])
def test_lists_of_products_of_integers(device, random, dtype):
    lefts, rights = ([integers(random, shape, dtype) for shape in shapes]
                     for shapes in (((3, 4), (3, 4), (9, 2)), ((4, 5), (4, 5), (2, 1))))
    got = tenon.blas.gemm_grouped([on(device, x) for x in lefts], [on(device, x) for x in rights])
    with numpy.errstate(over="ignore"):
        for ours, a, b in zip(got, lefts, rights):
            assert ours.dtype == dtype
            numpy.testing.assert_array_equal(ours.numpy(), a @ b)


def test_products_promote_their_operands(device, random):
    a, b = integers(random, (3, 4), "int8"), integers(random, (4, 5), "uint16")
    got = on(device, a) @ on(device, b)
    assert got.dtype == "int32"
    numpy.testing.assert_array_equal(got.numpy(), a.astype("int32") @ b.astype("int32"))
    x = sample(random, (5, 3), "float32")
    mixed = tenon.tensordot(on(device, x), on(device, a.astype("float64")), 1)
    assert mixed.dtype == "float64" and numpy.allclose(mixed.numpy(), x.astype("float64") @ a)
    assert tenon.vecdot(on(device, x), on(device, x.astype("complex128"))).dtype == "complex128"


def test_products_of_vectors_and_diagonals(device, random):
    a, b = sample(random, (4, 3), "float64"), sample(random, (2, 1, 3), "complex128")
    numpy.testing.assert_allclose(tenon.cross(on(device, a), on(device, b)).numpy(), numpy.cross(a, b), rtol=1e-14)
    swapped = tenon.cross(on(device, a.T.copy()), on(device, a.T.copy()[:, ::-1]), axis=0)
    numpy.testing.assert_allclose(swapped.numpy(), numpy.cross(a.T, a.T[:, ::-1], axis=0), rtol=1e-14)
    numpy.testing.assert_array_equal(tenon.outer(on(device, a[0]), on(device, a[1])).numpy(), numpy.outer(a[0], a[1]))
    whole = integers(random, (2, 4, 5), "int8")
    for offset in (-9, -4, -1, 0, 2, 9):
        got = tenon.trace(on(device, whole), offset=offset)
        assert got.dtype == "int64"
        numpy.testing.assert_array_equal(got.numpy(), numpy.trace(whole, offset, 1, 2, dtype="int64"))
    numpy.testing.assert_array_equal(tenon.matrix_transpose(on(device, whole)).numpy(), whole.swapaxes(1, 2))


def test_the_text_for_gpus_gives_the_same_products_of_integers():
    """TENON_OWN_KERNELS makes the CPU run the kernel for GPUs."""
    code = ("import numpy as np, tenon\n"
            "random = np.random.default_rng(3)\n"
            "for dtype in ('int8', 'uint8', 'int16', 'uint32', 'int64', 'uint64', 'bool'):\n"
            "    bits = random.integers(0, 2**63, (3, 12, 31), 'int64')\n"
            "    x = tenon.asarray((bits % 7 == 0) if dtype == 'bool' else bits.astype(dtype)).to_device('cpu:0')\n"
            "    c = tenon.ones((3, 12, 12), dtype, device='cpu:0')\n"
            "    tenon.gemm(x, x.mT, c, beta=1)\n"
            "    print(dtype, c.tolist(), tenon.matmul(x[0], x[1, 0], dtype=dtype).tolist())\n")

    def run(**more):
        done = run_python(code, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    usual = run()
    assert usual.count("\n") == 7 and run(TENON_OWN_KERNELS="1") == usual


def test_products_of_int8_scale_and_wrap(device, random):
    a, b = random.integers(-128, 128, (2, 3, 20)).astype("int8"), random.integers(-128, 128, (20, 5)).astype("int8")
    c = random.integers(-2**31, 2**31, (2, 3, 5)).astype("int32")
    there = on(device, c)
    tenon.gemm(on(device, a), on(device, b), there, alpha=-3, beta=70001)
    exact = -3 * (a.astype("int64") @ b.astype("int64")) + 70001 * c.astype("int64")
    numpy.testing.assert_array_equal(there.numpy(), exact.astype("int32"))  # modulo 2^32
    deep = numpy.full((2, 200000), -128, "int8")
    numpy.testing.assert_array_equal((on(device, deep) @ on(device, deep).mT).numpy(), numpy.full((2, 2), (1 << 14) * 200000 - (1 << 32), "int64").astype("int32"))
    assert numpy.all((tenon.zeros((3, 0), "int8", device=device) @ tenon.zeros((0, 4), "int8", device=device)).numpy() == 0)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_narrow_operands_with_wide_results(device, random, dtype):
    a, b = (on(device, sample(random, shape, "float32")).astype(dtype) for shape in ((40, 300), (300, 30)))
    exact = a.astype("float64").numpy() @ b.astype("float64").numpy()
    size = numpy.abs(a.astype("float64").numpy()) @ numpy.abs(b.astype("float64").numpy())
    got = tenon.gemm(a, b, dtype="float32")
    assert got.dtype == "float32"
    assert numpy.all(numpy.abs(got.numpy() - exact) <= eps("float32") * 303 * size)
    c = on(device, sample(random, (30, 40), "float32"))
    before = c.numpy().astype("float64")
    tenon.gemm(a, b, c.mT, alpha=0.5, beta=-2)  # into a column-major view
    assert numpy.all(numpy.abs(c.numpy().T - (0.5 * exact - 2 * before.T)) <= eps("float32") * 303 * (size + 2 * numpy.abs(before.T)))


def gelu(x):
    return 0.5 * x * (1 + numpy.tanh((2 / numpy.pi) ** .5 * (x + 0.044715 * x ** 3)))


@pytest.mark.parametrize("epilogue", ["none", "relu", "gelu"])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("layout", ["as it is", "transposed", "columns skipped"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_bias_and_epilogue(device, random, dtype, layout, biased, epilogue):
    if epilogue == "none" and not biased:
        return
    a, b, bias = sample(random, (3, 6, 8), dtype), sample(random, (8, 5), dtype), sample(random, (5,), dtype)
    c = sample(random, (3, 5, 6) if layout == "transposed" else (3, 6, 13 if layout == "columns skipped" else 5), dtype)
    there = on(device, c)
    view = LAYOUTS[layout](there)
    tenon.gemm(on(device, a), on(device, b), view, alpha=2, beta=0.5, bias=on(device, bias) if biased else None, epilogue=epilogue)
    exact = 2 * (wide(a) @ wide(b)) + 0.5 * wide(LAYOUTS[layout](c)) + (wide(bias) if biased else 0)
    exact = {"none": lambda x: x, "relu": lambda x: numpy.maximum(x, 0), "gelu": gelu}[epilogue](exact)
    assert numpy.all(numpy.abs(wide(view.numpy()) - exact) <= 60 * eps(dtype) * (1 + numpy.abs(exact)))


def test_epilogues_of_batches_without_terms_and_of_nan(device, random):
    bias = on(device, numpy.array([-1.0, 2.0]))
    got = tenon.matmul(tenon.zeros((2, 3, 0), device=device), tenon.zeros((0, 2), device=device), bias=bias, epilogue="relu").numpy()
    assert numpy.all(got == [0, 2])
    a = numpy.ones((2, 2))
    a[0, 0] = numpy.nan
    got = tenon.matmul(on(device, a), on(device, numpy.eye(2)), epilogue="relu").numpy()
    assert numpy.isnan(got[0]).any() and numpy.all(got[1] == 1)


@pytest.mark.parametrize("call, error, text", [
    (lambda z: tenon.gemm(z((3, 3), "int8"), z((3, 3), "int8"), z((3, 3), "int16")), TypeError, "int32 with int8"),
    (lambda z: tenon.gemm(z((3, 3), "int64"), z((3, 3), "int64"), alpha=2.0**54), ValueError, "up to 2.53"),
    (lambda z: tenon.gemm(z((3, 3), "uint16"), z((3, 3), "uint16"), alpha=0.5), ValueError, "integers"),
    (lambda z: tenon.gemm(z((3, 3), "bool"), z((3, 3), "bool"), alpha=2), ValueError, "takes 0 and 1"),
    (lambda z: tenon.gemm(z((3, 3), "int64"), z((3, 3), "int64"), epilogue="relu"), TypeError, "a bias or an epilogue"),
    (lambda z: tenon.gemm(z((3, 3), "int8"), z((3, 3), "int8"), alpha=0.5), ValueError, "integers"),
    (lambda z: tenon.gemm(z((3, 3)), z((3, 3)), dtype="float64"), TypeError, "the same dtype"),
    (lambda z: tenon.gemm(z((3, 3), "float16"), z((3, 3), "float16"), dtype="float64"), TypeError, "float32 with float16"),
    (lambda z: tenon.gemm(z((3, 3)), z((3, 3)), bias=z((4,))), ValueError, "it must have shape"),
    (lambda z: tenon.gemm(z((3, 3)), z((3, 3)), bias=z((3,), "float64")), TypeError, "it must have shape"),
    (lambda z: tenon.gemm(z((3, 3), "complex64"), z((3, 3), "complex64"), epilogue="relu"), TypeError, "a bias or an epilogue"),
    (lambda z: tenon.gemm(z((3, 3), "int8"), z((3, 3), "int8"), epilogue="relu"), TypeError, "a bias or an epilogue"),
    (lambda z: tenon.gemm(z((3, 3)), z((3, 3)), epilogue="tanh"), ValueError, "epilogue is one of"),
    (lambda z: (lambda c: tenon.gemm(z((3, 3)), z((3, 3)), c, bias=c[0]))(z((3, 3))), ValueError, "share"),
])
def test_narrow_products_and_epilogues_that_do_not_fit(device, call, error, text):
    with pytest.raises(error, match=text):
        call(lambda shape, dtype="float32": tenon.zeros(shape, dtype, device=device))


@pytest.mark.parametrize("shape, strides", [((4, 4), (1, 1)), ((4, 4), (2, 3)), ((3, 2), (2, 3)), ((2, 3), (3, 2)), ((4, 4), (1, 4)), ((2, 3, 4), (1, 2, 6)),
                                            ((3, 3, 3), (7, 5, 2)), ((2, 2, 2), (1, 2, 3)), ((2, 2, 2), (5, 3, 2)), ((2, 2, 2), (7, 3, 2))])
def test_what_overlaps_itself_is_not_written(shape, strides):
    places = [sum(i * s for i, s in zip(index, strides)) for index in numpy.ndindex(*shape)]
    view = tenon.asarray(numpy.lib.stride_tricks.as_strided(numpy.zeros(64, "f"), shape, [4 * s for s in strides]), copy=False)
    if len(set(places)) < len(places):
        with pytest.raises(tenon.TenonError, match="share memory"):
            view.fill(1)
    else:
        view.fill(1)
        assert float(tenon.sum(view)) == len(places)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
def test_factors_that_the_dtype_cannot_hold_are_refused(device, dtype):
    eye = tenon.asarray(numpy.eye(3, dtype=dtype)).to_device(device)
    for factor in (1e39, -1e300):
        with pytest.raises(ValueError, match="alpha is"):
            tenon.gemm(eye, eye, alpha=factor)
        with pytest.raises(ValueError, match="beta is"):
            tenon.gemm(eye, eye, eye.copy(), beta=factor)
        if dtype != "float16":
            with pytest.raises(ValueError, match="alpha is"):
                tenon.rank_k(eye, alpha=factor)
    ones = tenon.asarray(numpy.ones((16, 16), dtype)).to_device(device)  # without zeros, infinity gives no NaN
    assert numpy.isinf(tenon.gemm(ones, ones, alpha=float("inf")).astype("complex64").numpy()[0, 0])
