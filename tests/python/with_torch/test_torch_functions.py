"""Tenon's functions with PyTorch tensors return tensors, with derivatives if there is a rule."""

import pickle

import pytest
from conftest import KERNELS

import tenon

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")
gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck


@pytest.fixture(params=["cpu", "cuda"])
def where(request):
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return request.param


def random(*shape, where="cpu", dtype=torch.float64, grad=True):
    generator = torch.Generator().manual_seed(7 + sum(shape))
    return torch.randn(shape, generator=generator, dtype=dtype).to(where).requires_grad_(grad)


REAL, COMPLEX = torch.float64, torch.complex128


@pytest.mark.parametrize("dtype", [REAL, COMPLEX])
@pytest.mark.parametrize("shapes", [((3, 4), (4, 2)), ((2, 3, 4), (4, 2)), ((3, 4), (2, 4, 1)), ((4,), (4, 2)),
                                    ((3, 4), (4,)), ((4,), (4,))])
def test_products(where, dtype, shapes):
    a, b = (random(*shape, where=where, dtype=dtype) for shape in shapes)
    assert torch.allclose(tenon.matmul(a, b), a @ b)
    assert gradcheck(tenon.matmul, (a, b), fast_mode=True)
    assert gradgradcheck(tenon.matmul, (a, b), fast_mode=True)


@pytest.mark.parametrize("dtype", [REAL, COMPLEX])
def test_systems(where, dtype):
    eye = 4 * torch.eye(3, dtype=dtype, device=where)
    a, b, v = (random(*shape, where=where, dtype=dtype) for shape in ((2, 3, 3), (3, 2), (3,)))
    cases = [(lambda a: tenon.inv(a + eye), (a,), lambda a: torch.linalg.inv(a + eye)),
             (lambda a, v: tenon.solve(a[0] + eye, v), (a, v), lambda a, v: torch.linalg.solve(a[0] + eye, v))]
    for trans, op in (("N", lambda x: x), ("T", lambda x: x.mT), ("C", lambda x: x.mH)):
        cases.append((lambda a, b, trans=trans: tenon.solve(a + eye, b, trans=trans), (a, b),
                      lambda a, b, op=op: torch.linalg.solve(op(a + eye), b.expand(2, 3, 2))))
    for kind, part in (("lower", torch.tril), ("upper", torch.triu)):
        cases.append((lambda a, b, kind=kind: tenon.solve(a + eye, b, kind=kind, trans="C"), (a, b),
                      lambda a, b, part=part: torch.linalg.solve(part(a + eye).mH, b.expand(2, 3, 2))))
    cases.append((lambda a, b: tenon.solve(a + eye, b, kind="lower", unit_diagonal=True), (a, b),
                  lambda a, b: torch.linalg.solve(a.tril(-1) + eye / 4, b.expand(2, 3, 2))))
    cases.append((lambda a, b: tenon.solve(a @ a.mH + eye, b, kind="positive"), (a, b),
                  lambda a, b: torch.linalg.solve(a @ a.mH + eye, b.expand(2, 3, 2))))
    for ours, inputs, theirs in cases:
        assert torch.allclose(ours(*inputs), theirs(*inputs))
        assert gradcheck(ours, inputs, fast_mode=True) and gradgradcheck(ours, inputs, fast_mode=True)


@pytest.mark.parametrize("dtype", [REAL, COMPLEX])
def test_factorisations(where, dtype):
    eye = 4 * torch.eye(3, dtype=dtype, device=where)
    a, tall, wide = (random(*shape, where=where, dtype=dtype) for shape in ((2, 3, 3), (4, 3), (3, 4)))
    sizes = torch.arange(3, dtype=REAL, device=where) + 1
    for upper in (False, True):
        def factor(a, upper=upper):
            return tenon.cholesky(a @ a.mH + eye, upper=upper)

        assert torch.allclose(factor(a), torch.linalg.cholesky(a @ a.mH + eye, upper=upper))
        assert gradcheck(factor, (a,), fast_mode=True)
        assert gradgradcheck(factor, (a[0].detach().requires_grad_(),), fast_mode=True)
        assert gradcheck(lambda a, upper=upper: tenon.eigvalsh(a + a.mH, upper=upper), (a,), fast_mode=True)

    def eigen(a):  # independent of the vectors' phases
        values, vectors = tenon.eigh(a + a.mH)
        return values, vectors.abs() ** 2

    def singular(x):
        u, s, vh = tenon.svd(x, full_matrices=False)
        return u.abs() ** 2, s, vh.abs() ** 2, (u * sizes) @ vh

    assert gradcheck(eigen, (a,), fast_mode=True)
    assert gradgradcheck(eigen, (a[0].detach().requires_grad_(),), fast_mode=True)
    for x in (a, tall, wide):
        assert gradcheck(tenon.svdvals, (x,), fast_mode=True)
        assert gradcheck(singular, (x,), fast_mode=True) and gradgradcheck(tenon.svdvals, (x,), fast_mode=True)
    assert isinstance(tenon.svd(tall.detach()), tenon.SVDResult) and tenon.eigh(a + a.mH).eigenvalues.requires_grad
    with pytest.raises(RuntimeError, match="tenon.svd has no gradient with full_matrices=True"):
        tenon.svd(tall)
    with pytest.raises(RuntimeError, match=r"tenon.svd has no gradient with k="):
        tenon.svd(tall, full_matrices=False, k=2)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward", None])
def test_fourier_transforms(where, norm):
    x, z = random(3, 5, where=where), random(3, 4, where=where, dtype=COMPLEX)
    cases = [("fft", x, {}), ("fft", z, {"n": 6, "axis": 0}), ("ifft", z, {"n": 2}), ("fft2", z, {}),
             ("ifftn", z, {"s": (2, 5)}),
             ("rfft", x, {}), ("rfft", x, {"n": 8}), ("rfft2", x, {}), ("rfftn", x, {"s": (3, 4), "axes": (1, 0)}),
             ("irfft", z, {}), ("irfft", z, {"n": 5}), ("irfft", z, {"n": 9}), ("irfft", z, {"n": 1}),
             ("irfft2", z, {}),
             ("irfftn", z, {"s": (4, 3), "axes": (1, 0)}), ("hfft", z, {}), ("hfft", z, {"n": 5, "axis": 0}),
             ("ihfft", x, {}), ("ihfft", x, {"n": 4})]
    for name, value, options in cases:
        theirs = {"dim" if key == "axis" or key == "axes" else key: given for key, given in options.items()}
        function = getattr(tenon, name)
        wanted = getattr(torch.fft, name)(value, norm=norm, **theirs)
        assert torch.allclose(function(value, norm=norm, **options), wanted), (name, options)
        assert gradcheck(lambda x: function(x, norm=norm, **options), (value,), fast_mode=True), (name, options)
    assert gradgradcheck(tenon.fft, (z,), fast_mode=True)


@pytest.mark.parametrize("grad", [False, True])
def test_tensors_that_are_conjugated_or_negated_when_read(where, grad):
    """x.mH and x.conj().imag, whose memory has other numbers; only what is read: nothing could be written to them."""
    a = random(3, 3, where=where, dtype=COMPLEX, grad=grad)
    assert torch.allclose(tenon.matmul(a.mH, a), a.mH @ a)
    assert torch.allclose(tenon.solve(a.mH, a), torch.linalg.solve(a.mH, a))
    assert torch.allclose(tenon.fft(a.conj()), torch.fft.fft(a.conj()))
    with torch.no_grad():
        assert torch.allclose(tenon.sum(a.conj()), a.conj().sum()) and torch.equal(tenon.add(a.conj(), a), a.conj() + a)
        assert torch.equal(tenon.elementwise("T x", "T y", "y = x")(a.conj()), a.conj())
        negative = a.conj().imag
        assert negative.is_neg() and torch.equal(tenon.sort(negative), negative.sort().values)
        softplus = tenon.plugins.load(KERNELS / "elementwise").softplus
        assert torch.allclose(softplus(negative), torch.nn.functional.softplus(negative))
        product, target = torch.empty_like(a), a.conj()
        assert tenon.blas.gemv(a.conj(), a[0], product[0]) is not None and torch.allclose(product[0], a.conj() @ a[0])
        for call in (lambda: tenon.matmul(a, a, out=target), lambda: tenon.blas.gemv(a, a[0], target[0])):
            with pytest.raises(BufferError, match="cannot be written.*conjugate bit"):
                call()
        with pytest.raises(BufferError, match="conjugate bit"):
            tenon.asarray(a.conj(), copy=False)


def test_results_belong_to_the_library_of_the_inputs():
    x = random(3, 4, grad=False)
    assert type(tenon.sum(x)) is torch.Tensor
    assert torch.equal(tenon.add(x, 1), x + 1) and torch.equal(tenon.add(1, x), x + 1)
    assert type(tenon.matmul(x, tenon.asarray(x.T))) is torch.Tensor and type(tenon.concat([x, x])) is torch.Tensor
    assert [type(part) for part in tenon.split(x, 2, axis=1)] == [torch.Tensor] * 2
    assert isinstance(tenon.qr(x), tenon.QRResult) and type(tenon.qr(x).Q) is torch.Tensor
    out = torch.empty(3, dtype=torch.float64)
    assert tenon.sum(x, axis=1, out=out) is out and torch.equal(out, x.sum(1))
    assert type(tenon.sum(tenon.asarray(x))) is tenon.Array and type(tenon.sum(x.numpy())) is tenon.Array
    assert type(tenon.asarray(x)) is tenon.Array and type(tenon.from_dlpack(x)) is tenon.Array
    twice = tenon.elementwise("T x", "T y", "y = 2 * x")
    total, running = tenon.reduction("T x", "T y"), tenon.scan("T x", "T y")
    assert [type(f(x)) for f in (twice, total, running)] == [torch.Tensor] * 3
    assert torch.equal(twice(x), 2 * x) and type(twice(tenon.asarray(x))) is tenon.Array
    scaled = tenon.elementwise("T a, T x", "T y", "y = a * x")
    assert torch.equal(scaled(3.0, x), 3 * x)
    parameter = torch.nn.Parameter(x)
    with torch.no_grad():
        assert type(tenon.sum(parameter)) is torch.Tensor
    assert pickle.loads(pickle.dumps(tenon.matmul)) is tenon.matmul


def test_functions_of_lists_segments_and_gaps_give_tensors():
    x, gaps = random(3, 4, grad=False), torch.tensor([1.0, torch.nan, 4.0])
    keys = torch.tensor([0, 0, 2])
    for made, wanted in ((tenon.nansum(gaps), gaps.nansum()), (tenon.nanmean(gaps), gaps.nanmean()),
                         (tenon.median(x, axis=1), x.quantile(0.5, dim=1)),
                         (tenon.quantile(x, torch.tensor([0.25, 0.75], dtype=x.dtype), axis=0),
                          x.quantile(torch.tensor([0.25, 0.75], dtype=x.dtype), dim=0)),
                         (tenon.segment_sum(x, keys, 3), torch.zeros_like(x).index_add(0, keys, x)),
                         (tenon.segment_cumsum(gaps, keys=keys.int()), torch.tensor([1.0, torch.nan, 4.0])),
                         (tenon.reduce_by_key(keys, x[:, 0]).values, torch.stack([x[:2, 0].sum(), x[2, 0]])),
                         (tenon.merge(torch.tensor([1, 5]), torch.tensor([2])), torch.tensor([1, 2, 5])),
                         (tenon.setxor1d(keys, torch.tensor([2])), torch.tensor([0])),
                         (tenon.fuse(lambda x, at: (2 * x[at]).sum(axis=0))(x, keys), 2 * x[keys].sum(0))):
        assert type(made) is torch.Tensor
        torch.testing.assert_close(made, wanted, equal_nan=True)
    out = torch.empty(3, dtype=torch.int64)
    assert tenon.merge(torch.tensor([1, 5]), torch.tensor([2]), out=out) is out and out.tolist() == [1, 2, 5]


def test_functions_without_a_rule_refuse_by_name():
    x = random(3, 3)
    refusal = r"tenon\.expm has no gradient, and an argument requires one: pass its \.detach\(\)"
    with pytest.raises(RuntimeError, match=refusal):
        tenon.expm(x)
    with pytest.raises(RuntimeError, match=r"tenon\.matmul has no gradient with epilogue="):
        tenon.matmul(x, x, epilogue="relu")
    refusal = r"tenon\.matmul: functions with out=\.\.\. arguments don't support automatic differentiation"
    with pytest.raises(RuntimeError, match=refusal):
        tenon.matmul(x, x, out=torch.empty(3, 3, dtype=torch.float64))
    with pytest.raises(tenon.LinAlgError):
        tenon.inv(torch.zeros(2, 2, requires_grad=True))


@pytest.mark.parametrize("dtype", [REAL, COMPLEX])
def test_forward_mode(where, dtype):
    eye = 4 * torch.eye(3, dtype=dtype, device=where)
    a, b, tall = (random(*shape, where=where, dtype=dtype) for shape in ((2, 3, 3), (3, 2), (4, 3)))

    def eigen(a):
        values, vectors = tenon.eigh(a + a.mH)
        return values, vectors.abs() ** 2

    def singular(x):
        u, s, vh = tenon.svd(x, full_matrices=False)
        return u.abs() ** 2, s, vh.abs() ** 2, u @ vh

    cases = [(tenon.matmul, (a, b)), (lambda a: tenon.inv(a + eye), (a,)),
             (lambda a, b: tenon.solve(a + eye, b), (a, b)),
             (lambda a, b: tenon.solve(a + eye, b, kind="upper", unit_diagonal=True), (a, b)),
             (lambda a, b: tenon.solve(a @ a.mH + eye, b, kind="positive"), (a, b)),
             (lambda a: tenon.cholesky(a @ a.mH + eye, upper=True), (a,)), (eigen, (a,)), (singular, (tall,)),
             (lambda x: singular(x.mH), (tall,)), (tenon.ifft2, (tall,)), (lambda x: tenon.irfft(x, 5), (tall,))]
    cases += [(tenon.rfft, (tall,))] if dtype == REAL else []
    for function, inputs in cases:
        assert gradcheck(function, inputs, fast_mode=True, check_backward_ad=False, check_forward_ad=True)


def test_functions_of_torch_func(where):
    a, b, batch = random(3, 3, where=where, grad=False), random(3, where=where, grad=False), random(3, 5, 3,
            where=where, grad=False)
    eye = 4 * torch.eye(3, dtype=REAL, device=where)
    for ours, theirs in ((lambda a: tenon.solve(a + eye, b), lambda a: torch.linalg.solve(a + eye, b)),
                         (lambda a: tenon.rfft(a).real, lambda a: torch.fft.rfft(a).real)):
        right = torch.func.jacrev(theirs)(a)
        assert torch.allclose(torch.func.jacrev(ours)(a), right) and torch.allclose(torch.func.jacfwd(ours)(a), right)
        assert torch.allclose(torch.func.hessian(lambda a: (ours(a) ** 3).sum())(a),
                              torch.func.hessian(lambda a: (theirs(a) ** 3).sum())(a))
    for ours, theirs, values, dims in (
            (tenon.matmul, torch.matmul, (batch, a), (1, None)), (tenon.matmul, torch.matmul, (b, batch), (None, 1)),
            (lambda a, b: tenon.solve(a + eye, b), lambda a, b: torch.linalg.solve(a + eye, b), (a, batch[0]),
             (None, 0)),
            (lambda a: tenon.eigh(a + a.mT)[0], lambda a: torch.linalg.eigh(a + a.mT)[0], (batch,), 1),
            (lambda x: tenon.fft(x, axis=0), lambda x: torch.fft.fft(x, dim=0), (batch,), 2),
            (lambda x: tenon.irfft(x, 4), lambda x: torch.fft.irfft(x, 4), (batch,), 0)):
        assert torch.allclose(torch.func.vmap(ours, dims)(*values), torch.func.vmap(theirs, dims)(*values))
    with pytest.raises(RuntimeError, match="tenon.sum has no rule for torch.func"):
        torch.func.vmap(tenon.sum)(a)
    with torch.autograd.forward_ad.dual_level(), pytest.raises(RuntimeError, match="tenon.sum has no rule"):
        tenon.sum(torch.autograd.forward_ad.make_dual(a, a))


def test_routines_in_place_return_what_they_were_given(where):
    a, x, y = (random(*shape, where=where, grad=False) for shape in ((3, 3), (3,), (3,)))
    right, version = a @ x + y, y._version
    assert torch.allclose(tenon.blas.gemv(a, x), a @ x) and type(tenon.blas.gemv(a, x)) is torch.Tensor
    assert tenon.blas.gemv(a, x, y, beta=1) is y and torch.allclose(y, right) and y._version > version
    assert tenon.blas.scal(2, y) is y and torch.allclose(y, 2 * right)
    first, second = tenon.blas.swap(x, y)
    assert first is x and second is y and torch.allclose(x, 2 * right)
    assert [type(one) for one in tenon.blas.gemm_grouped([a], [a])] == [torch.Tensor]
    assert type(tenon.blas.rotg(x, y).c) is torch.Tensor and type(tenon.blas.nrm2(a)) is torch.Tensor
    with pytest.raises(RuntimeError, match="tenon.gemv has no gradient"):
        tenon.blas.gemv(a.requires_grad_(), x)


def test_random_numbers_on_tensors(where):
    g = tenon.random.Generator(5, device=where)
    x = random(6, 2, where=where, grad=False)
    assert type(g.permutation(x)) is torch.Tensor and sorted(g.permutation(x)[:, 0].tolist()) == sorted(x[:,
                                                                                                          0].tolist())
    assert g.choice(x, 3).shape == (3, 2)
    out = torch.zeros(4, dtype=torch.float32, device=where)
    assert g.normal(out=out) is out and out.abs().min() > 0


def test_selections_segments_and_quantiles_of_tensors_are_tensors(where):
    x = random(5, 4, where=where, grad=False)
    x[1, 2] = float("nan")
    cases = [(name, lambda name=name: getattr(tenon, name)(x, 1), None)
             for name in ("nanprod", "nanmax", "nanmin", "nanvar", "nanstd", "nanargmax", "nanargmin", "nancumprod")]
    ids, offsets = torch.tensor([0, 2, 2, 0, 1], device=where), torch.tensor([0, 2, 5], device=where)
    flags = torch.tensor([True, False, True, False, False], device=where)
    clean = x.nan_to_num()
    cases += [("nansum", lambda: tenon.nansum(x, 1), x.nansum(1)), ("nanmean", lambda: tenon.nanmean(x, 1), x.nanmean(1)),
              ("nancumsum", lambda: tenon.nancumsum(x, 1), clean.cumsum(1)),
              ("median", lambda: tenon.median(x[:, :3], 1), torch.quantile(x[:, :3], 0.5, dim=1)),
              ("nanmedian", lambda: tenon.nanmedian(x, 0), torch.nanquantile(x, 0.5, dim=0)),
              ("quantile", lambda: tenon.quantile(clean, torch.tensor([0.2, 0.7], device=where), 0),
               torch.quantile(clean, torch.tensor([0.2, 0.7], dtype=REAL, device=where), dim=0)),
              ("segment_sum", lambda: tenon.segment_sum(clean, ids, 3),
               torch.zeros(3, 4, dtype=REAL, device=where).index_add(0, ids, clean)),
              ("segment_max", lambda: tenon.segment_max(clean, offsets=offsets),
               torch.stack([clean[:2].amax(0), clean[2:].amax(0)])),
              ("segment_cumsum", lambda: tenon.segment_cumsum(clean, flags=flags, axis=0),
               torch.cat([clean[:2].cumsum(0), clean[2:].cumsum(0)])),
              ("isin", lambda: tenon.isin(ids, offsets), torch.isin(ids, offsets)),
              ("merge", lambda: tenon.merge(offsets, offsets), torch.tensor([0, 0, 2, 2, 5, 5], device=where)),
              ("bincount", lambda: tenon.bincount(ids), torch.bincount(ids))]
    for name, ours, right in cases:
        got = ours()
        assert type(got) is torch.Tensor and got.device == x.device, name
        assert right is None or torch.allclose(got, right.to(got.dtype), equal_nan=True), name
    assert {type(one) for one in tenon.reduce_by_key(ids, clean[:, 0].contiguous())[:2]} == {torch.Tensor}
    out = torch.empty(5, dtype=REAL, device=where)
    assert tenon.nanmedian(x, 1, out=out) is out and torch.allclose(out, torch.nanquantile(x, 0.5, dim=1))
    with pytest.raises(RuntimeError, match="tenon.nanmedian has no gradient"):
        tenon.nanmedian(x.requires_grad_())


@pytest.mark.parametrize("dtypes", [("float8_e4m3fn", "float8_e4m3fn"), ("float8_e4m3fn", "float8_e5m2")])
def test_products_of_float8_tensors(device, dtypes):
    where = str(device).replace("cpu:0", "cpu")
    # matrices of 16 columns: the smallest that every GPU multiplies
    a, b = (((torch.arange(256) * step) % 7 - 3.0).reshape(16, 16).to(where).to(getattr(torch, dtype))
            for step, dtype in zip((1, 3), dtypes))
    try:
        made = tenon.matmul(a, b)
    except tenon.Unsupported:
        pytest.skip(f"{device} has no products of float8")
    assert made.dtype == torch.float32 and torch.equal(made, a.float() @ b.float())


@pytest.mark.parametrize("operator", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "eq", "matmul"])
@pytest.mark.parametrize("dtypes", [("float64", torch.float64), ("float32", torch.float64), ("int32", torch.float32)])
def test_operators_give_tensors_whichever_operand_is_one(where, operator, dtypes):
    apply = getattr(__import__("operator"), operator)
    tensor = random(3, 3, where=where, grad=False).abs().to(dtypes[1]) + 1
    array = tenon.asarray([[1, 2, 3], [4, 5, 6], [1, 1, 2]], dtype=dtypes[0],
                          device="cuda:0" if where == "cuda" else "cpu:0")
    same = tenon.from_dlpack(tensor)
    for mixed, arrays in ((apply(array, tensor), apply(array, same)), (apply(tensor, array), apply(same, array))):
        assert type(mixed) is torch.Tensor and mixed.device == tensor.device
        assert isinstance(arrays, tenon.Array) and torch.equal(mixed, arrays.torch())


def test_operators_with_tensors_have_the_derivatives_of_the_functions(where):
    tensor = random(3, 3, where=where)
    array = tenon.from_dlpack(random(3, 3, where=where, grad=False))
    assert gradcheck(lambda x: array @ x @ array, (tensor,), fast_mode=True)
    for sum_of in (lambda: array + tensor, lambda: tensor + array):
        with pytest.raises(RuntimeError, match=r"tenon\.add has no gradient.*detach"):
            sum_of()
        with torch.no_grad():
            assert type(sum_of()) is torch.Tensor


def test_operators_in_place_leave_the_left_operand_what_it_is(where):
    array = tenon.from_dlpack(random(3, 3, where=where, grad=False).clone())
    tensor, kept = random(3, 3, where=where, grad=False), array
    expected = array.torch().clone() @ tensor + tensor
    array @= tensor
    array += tensor
    assert array is kept and torch.allclose(array.torch(), expected)
    other = tensor
    other += array  # PyTorch writes no arrays of others: a new tensor
    assert type(other) is torch.Tensor and other is not tensor
