"""The namespace of the array API standard, 2025.12: its names and signatures, and its differences from tenon.*. The
docstring of tenon.array_api lists the failing cases of the standard's own test suite."""

import inspect
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import tenon
from conftest import COMPLEX, PRELOAD, REAL, ROOT, on

xp = tenon.array_api

# The signatures of the standard, without types. The elementwise functions follow below.
SIGNATURES = {
    "": """
        arange(start, /, stop=None, step=1, *, dtype=None, device=None)
        asarray(obj, /, *, dtype=None, device=None, copy=None)
        empty(shape, *, dtype=None, device=None)
        empty_like(x, /, *, dtype=None, device=None)
        eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)
        from_dlpack(x, /, *, device=None, copy=None)
        full(shape, fill_value, *, dtype=None, device=None)
        full_like(x, /, fill_value, *, dtype=None, device=None)
        linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True)
        meshgrid(*arrays, indexing='xy')
        ones(shape, *, dtype=None, device=None)
        ones_like(x, /, *, dtype=None, device=None)
        tril(x, /, *, k=0)
        triu(x, /, *, k=0)
        zeros(shape, *, dtype=None, device=None)
        zeros_like(x, /, *, dtype=None, device=None)
        astype(x, dtype, /, *, copy=True, device=None)
        can_cast(from_, to, /)
        finfo(type, /)
        iinfo(type, /)
        isdtype(dtype, kind)
        result_type(*arrays_and_dtypes)
        clip(x, /, min=None, max=None)
        take(x, indices, /, *, axis=None)
        take_along_axis(x, indices, /, *, axis=-1)
        matmul(x1, x2, /)
        matrix_transpose(x, /)
        tensordot(x1, x2, /, *, axes=2)
        vecdot(x1, x2, /, *, axis=-1)
        broadcast_arrays(*arrays)
        broadcast_shapes(*shapes)
        broadcast_to(x, /, shape)
        concat(arrays, /, *, axis=0)
        expand_dims(x, /, axis)
        flip(x, /, *, axis=None)
        moveaxis(x, source, destination, /)
        permute_dims(x, /, axes)
        repeat(x, repeats, /, *, axis=None)
        reshape(x, /, shape, *, copy=None)
        roll(x, /, shift, *, axis=None)
        squeeze(x, /, axis)
        stack(arrays, /, *, axis=0)
        tile(x, repetitions, /)
        unstack(x, /, *, axis=0)
        argmax(x, /, *, axis=None, keepdims=False)
        argmin(x, /, *, axis=None, keepdims=False)
        count_nonzero(x, /, *, axis=None, keepdims=False)
        nonzero(x, /)
        searchsorted(x1, x2, /, *, side='left', sorter=None)
        where(condition, x1, x2, /)
        isin(x1, x2, /, *, invert=False)
        unique_all(x, /)
        unique_counts(x, /)
        unique_inverse(x, /)
        unique_values(x, /)
        argsort(x, /, *, axis=-1, descending=False, stable=True)
        sort(x, /, *, axis=-1, descending=False, stable=True)
        cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False)
        cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False)
        max(x, /, *, axis=None, keepdims=False)
        mean(x, /, *, axis=None, keepdims=False)
        min(x, /, *, axis=None, keepdims=False)
        prod(x, /, *, axis=None, dtype=None, keepdims=False)
        std(x, /, *, axis=None, correction=0.0, keepdims=False)
        sum(x, /, *, axis=None, dtype=None, keepdims=False)
        var(x, /, *, axis=None, correction=0.0, keepdims=False)
        all(x, /, *, axis=None, keepdims=False)
        any(x, /, *, axis=None, keepdims=False)
        diff(x, /, *, axis=-1, n=1, prepend=None, append=None)""",
    "linalg": """
        cholesky(x, /, *, upper=False)
        cross(x1, x2, /, *, axis=-1)
        det(x, /)
        diagonal(x, /, *, offset=0)
        eig(x, /)
        eigh(x, /)
        eigvals(x, /)
        eigvalsh(x, /)
        inv(x, /)
        matmul(x1, x2, /)
        matrix_norm(x, /, *, keepdims=False, ord='fro')
        matrix_power(x, n, /)
        matrix_rank(x, /, *, rtol=None)
        matrix_transpose(x, /)
        outer(x1, x2, /)
        pinv(x, /, *, rtol=None)
        qr(x, /, *, mode='reduced')
        slogdet(x, /)
        solve(x1, x2, /)
        svd(x, /, *, full_matrices=True)
        svdvals(x, /)
        tensordot(x1, x2, /, *, axes=2)
        trace(x, /, *, offset=0, dtype=None)
        vecdot(x1, x2, /, *, axis=-1)
        vector_norm(x, /, *, axis=None, keepdims=False, ord=2)""",
    "fft": """
        fft(x, /, *, n=None, axis=-1, norm='backward')
        ifft(x, /, *, n=None, axis=-1, norm='backward')
        fftn(x, /, *, s=None, axes=None, norm='backward')
        ifftn(x, /, *, s=None, axes=None, norm='backward')
        rfft(x, /, *, n=None, axis=-1, norm='backward')
        irfft(x, /, *, n=None, axis=-1, norm='backward')
        rfftn(x, /, *, s=None, axes=None, norm='backward')
        irfftn(x, /, *, s=None, axes=None, norm='backward')
        hfft(x, /, *, n=None, axis=-1, norm='backward')
        ihfft(x, /, *, n=None, axis=-1, norm='backward')
        fftfreq(n, /, *, d=1.0, dtype=None, device=None)
        rfftfreq(n, /, *, d=1.0, dtype=None, device=None)
        fftshift(x, /, *, axes=None)
        ifftshift(x, /, *, axes=None)""",
}
UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf
    isnan log log10 log1p log2 logical_not negative positive real reciprocal round sign signbit sin sinh sqrt square tan tanh
    trunc""".split()
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal
    floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum
    minimum multiply nextafter not_equal pow remainder subtract""".split()
CONSTANTS = {"e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None, "pi": math.pi}
DTYPES = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128""".split()

SIGNATURES[""] += "".join(f"\n{name}(x, /)" for name in UNARY) + "".join(f"\n{name}(x1, x2, /)" for name in BINARY)
WANTED = [(module, line.strip()) for module, lines in SIGNATURES.items() for line in lines.strip().splitlines()]
BOTH = inspect.Parameter.POSITIONAL_OR_KEYWORD


@pytest.mark.parametrize("module, text", WANTED, ids=[f"{module}.{text.partition('(')[0]}" for module, text in WANTED])
def test_a_function_takes_what_the_standard_writes(module, text):
    """Additional arguments are allowed, and so are names for arguments that the standard makes positional-only."""
    name = text.partition("(")[0]
    space = {}
    exec(f"def {text}: pass", space)
    wanted = list(inspect.signature(space[name]).parameters.values())
    function = getattr(getattr(xp, module) if module else xp, name)
    if name in ("asarray", "from_dlpack"):  # compiled functions have no signature
        function({"asarray": 1.0, "from_dlpack": np.zeros(2)}[name], device=None, copy=None)
        return
    ours = list(inspect.signature(function).parameters.values())
    assert function.__doc__
    for place, one in enumerate(wanted):
        if one.kind == one.POSITIONAL_ONLY:
            assert ours[place].kind in (one.kind, BOTH)
        elif one.kind == one.KEYWORD_ONLY:
            got = inspect.signature(function).parameters[one.name]
            assert got.kind in (one.kind, BOTH) and got.default == one.default
        else:
            assert ours[place].kind == one.kind
            assert one.kind == one.VAR_POSITIONAL or ours[place].name == one.name
            assert one.default is one.empty or ours[place].default == one.default


def test_the_names_are_the_standards_and_no_others():
    for module, lines in SIGNATURES.items():
        there = getattr(xp, module) if module else xp
        wanted = {line.strip().partition("(")[0] for line in lines.strip().splitlines()}
        more = {*CONSTANTS, *DTYPES, "fft", "linalg"} if not module else set()
        assert set(there.NAMES) == wanted | more and set(there.__all__) == set(there.NAMES)
    assert all(getattr(xp, name) == value or value != value for name, value in CONSTANTS.items())
    assert all(getattr(xp, name) is getattr(tenon, name) for name in DTYPES)
    assert xp.__array_api_version__ == "2025.12"


def test_the_namespace_describes_itself():
    info = xp.__array_namespace_info__()
    assert isinstance(info.devices(), tuple) and info.default_device() in info.devices()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert tenon.zeros((1,) * 64).ndim == 64
    assert set(info.dtypes()) == set(DTYPES) and set(info.dtypes(kind="integral")) == set(DTYPES[1:9])
    assert {name: dtype.name for name, dtype in info.default_dtypes(device=None).items()} == {
        "real floating": "float64", "complex floating": "complex128", "integral": "int64", "indexing": "int64"}


def test_names_beyond_the_standard_that_scipy_uses():
    assert xp.float16 is tenon.float16 and xp.bfloat16 is tenon.bfloat16
    assert xp.diag(xp.asarray([1, 2])).tolist() == [[1, 0], [0, 2]]


def test_scipy_runs_its_own_tests_on_our_arrays():
    """A few of them: see scipy_backend.py for all."""
    pytest.importorskip("scipy")
    if PRELOAD:
        pytest.skip("the process that it starts does not preload the sanitizer's run-time")
    paths = [os.path.dirname(os.path.dirname(tenon.__file__)), os.path.dirname(__file__)]
    variables = {"PYTHONPATH": os.pathsep.join(paths), "SCIPY_ARRAY_API": f'["{xp.__name__}"]'}
    ran = subprocess.run([sys.executable, "-m", "pytest", "-p", "scipy_backend", "-p", "no:cacheprovider", "-q", "-m",
                          "array_api_backends", "--pyargs", "scipy.linalg.tests.test_procrustes"], cwd=ROOT,
                         env={**os.environ, **variables}, capture_output=True, text=True)
    if "this version of SciPy is not known" in ran.stderr:
        pytest.skip(ran.stderr.strip().splitlines()[-1])
    assert ran.returncode == 0 and " passed" in ran.stdout, ran.stdout + ran.stderr


def test_new_arrays_are_float64_unless_another_dtype_is_given():
    x = tenon.zeros((2, 3), "int16")
    for function in (xp.zeros, xp.ones, xp.empty, tenon.zeros, tenon.ones, tenon.empty):
        assert function(3).dtype == function(3, dtype=None).dtype == "float64"
        assert function((2, 3), dtype="int8").dtype == "int8"
    assert xp.eye(2).dtype == xp.eye(2, dtype=None).dtype == xp.fft.fftfreq(4, dtype=None).dtype == "float64"
    assert [xp.full(2, value).dtype.name for value in (True, 1, 1.0, 1j)] == ["bool", "int64", "float64", "complex128"]
    for function in (xp.zeros_like, xp.ones_like, xp.empty_like):
        assert function(x).dtype == "int16" and function(x).shape == (2, 3)
        assert function(x, dtype="float32", device="cpu:0").dtype == "float32"
    assert xp.full_like(x, 7).tolist() == [[7] * 3] * 2
    assert xp.full_like(x, fill_value=1.5, dtype="float32")[0, 0] == 1.5


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_products_keep_the_dtype(device, dtype):
    """Also for int8, for which tenon.matmul gives int32."""
    a, b = np.arange(60, 72).reshape(3, 4).astype(dtype), np.arange(90, 98).reshape(4, 2).astype(dtype)
    with np.errstate(over="ignore"):
        for got, want in ((xp.matmul(on(device, a), on(device, b)), a @ b),
                          (xp.linalg.tensordot(on(device, a), on(device, b), axes=1), np.tensordot(a, b, 1)),
                          (xp.vecdot(on(device, a), on(device, b[:3, :1].T.copy().T), axis=-2),
                           (a.conj() * b[:3, :1]).sum(0, dtype=dtype))):
            assert got.dtype == dtype
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-6)
    assert xp.matmul(on(device, a), tenon.ones((4, 2), device=device)).dtype == np.result_type(dtype, "float64")


@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_norms_of_matrices(device, random, dtype):
    a = random.standard_normal((2, 3, 4)).astype(dtype) + (1j if dtype in COMPLEX else 0)
    for kind in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        want = np.linalg.norm(a.astype("complex128"), kind, axis=(1, 2), keepdims=True)
        got = xp.linalg.matrix_norm(on(device, a), ord=kind, keepdims=True)
        assert got.shape == (2, 1, 1) and got.dtype == a.real.dtype.name
        np.testing.assert_allclose(got.numpy(), want, rtol=2e-5)
        np.testing.assert_allclose(xp.linalg.matrix_norm(on(device, a), ord=kind).numpy(), want[:, 0, 0], rtol=2e-5)
    with pytest.raises(ValueError, match="ord must be one of"):
        xp.linalg.matrix_norm(on(device, a), ord=3)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_singular_values_are_cut_off_for_each_matrix(device, random, dtype):
    u, v = (np.linalg.qr(random.standard_normal((2, 5, 5)) + (1j if dtype in COMPLEX else 0))[0] for _ in range(2))
    a = (u * np.array([1, 1e-2, 1e-4, 1e-6, 1e-8])) @ v
    there = on(device, a.astype(dtype))
    each = np.array([1e-3, 1e-7])
    assert xp.linalg.matrix_rank(there).tolist() == [5, 5]
    assert xp.linalg.matrix_rank(there, rtol=1e-5).tolist() == [3, 3]
    assert xp.linalg.matrix_rank(there, rtol=on(device, each)).tolist() == [2, 4]
    got = xp.linalg.pinv(there, rtol=on(device, each)).numpy()
    for i in range(2):
        want = np.linalg.pinv(a[i], rcond=each[i])
        assert np.linalg.norm(got[i] - want) <= 1e-6 * np.linalg.norm(want)
        one = xp.linalg.pinv(there[i], rtol=float(each[i])).numpy()
        assert np.linalg.norm(one - want) <= 1e-6 * np.linalg.norm(want)
    none = on(device, np.zeros((2, 0, 3), dtype))
    assert xp.linalg.matrix_rank(none, rtol=on(device, each)).tolist() == [0, 0]
    assert xp.linalg.pinv(none, rtol=on(device, each)).shape == (2, 3, 0)


@pytest.mark.parametrize("dtype", REAL + COMPLEX)
def test_powers_of_matrices(device, random, dtype):
    a = random.standard_normal((2, 3, 3)).astype(dtype)
    for n in (0, 1, 2, 5, -1, -2):
        got = xp.linalg.matrix_power(on(device, a), n)
        want = np.linalg.matrix_power(a.astype("complex128"), n)
        assert got.dtype == dtype and np.linalg.norm(got.numpy() - want) <= 1e-3 * np.linalg.norm(want)
    large = on(device, np.full((1, 1), 1e30, dtype))
    assert not np.isfinite(xp.linalg.matrix_power(large, 12).numpy()).any()
    with pytest.raises(tenon.SizeOverflow):
        tenon.matrix_power(large, 12)
    same = xp.linalg.matrix_power(large, 1)
    same[...] = 0
    assert large.numpy()[0, 0] != 0
    for bad in (tenon.zeros((2, 3), device=device), tenon.zeros(3, device=device)):
        with pytest.raises(ValueError, match="square"):
            xp.linalg.matrix_power(bad, 1)


INF, NAN, PI = math.inf, math.nan, math.pi
# Arguments and results as (real, imaginary). The inverse functions follow C99's Annex G, expm1 follows the standard.
SPECIAL = {
    "acos": [((0.0, NAN), (PI / 2, NAN)), ((-INF, INF), (3 * PI / 4, -INF)), ((INF, INF), (PI / 4, -INF)),
             ((-INF, 1.0), (PI, -INF)), ((INF, -1.0), (0.0, INF)), ((2.0, -INF), (PI / 2, INF)),
             ((NAN, INF), (NAN, -INF)), ((INF, NAN), (NAN, -INF)), ((NAN, 1.0), (NAN, NAN)), ((1.0, NAN), (NAN, NAN))],
    "acosh": [((0.0, NAN), (NAN, PI / 2)), ((-INF, INF), (INF, 3 * PI / 4)), ((INF, INF), (INF, PI / 4)),
              ((-INF, 1.0), (INF, PI)), ((-INF, -1.0), (INF, -PI)), ((INF, 1.0), (INF, 0.0)),
              ((2.0, -INF), (INF, -PI / 2)), ((NAN, INF), (INF, NAN)), ((-INF, NAN), (INF, NAN)),
              ((NAN, 1.0), (NAN, NAN))],
    "asinh": [((1.0, INF), (INF, PI / 2)), ((-1.0, INF), (-INF, PI / 2)), ((INF, 1.0), (INF, 0.0)),
              ((INF, INF), (INF, PI / 4)), ((-INF, -INF), (-INF, -PI / 4)), ((NAN, 0.0), (NAN, 0.0)),
              ((NAN, INF), (INF, NAN)), ((INF, NAN), (INF, NAN)), ((1.0, NAN), (NAN, NAN))],
    "asin": [((INF, 1.0), (PI / 2, INF)), ((-INF, -INF), (-PI / 4, -INF)), ((0.0, NAN), (0.0, NAN)),
             ((1.0, INF), (0.0, INF)), ((NAN, -INF), (NAN, -INF)), ((NAN, 1.0), (NAN, NAN))],
    "atanh": [((0.0, NAN), (0.0, NAN)), ((1.0, NAN), (NAN, NAN)), ((1e200, NAN), (NAN, NAN)),
              ((NAN, 1e200), (NAN, NAN)),
              ((NAN, INF), (0.0, PI / 2)), ((INF, NAN), (0.0, NAN)), ((-INF, 1.0), (-0.0, PI / 2))],
    "expm1": [((INF, 0.0), (INF, 0.0)), ((-INF, 0.0), (-1.0, 0.0)), ((NAN, 0.0), (NAN, 0.0)),
              ((-INF, INF), (-1.0, 0.0)),
              ((INF, INF), (INF, NAN)), ((-INF, NAN), (-1.0, 0.0)), ((INF, NAN), (INF, NAN)), ((1.0, INF), (NAN, NAN)),
              ((NAN, 1.0), (NAN, NAN)), ((-0.0, 0.0), (0.0, 0.0))],
}


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values_of_complex_functions(device, name, dtype):
    part = np.dtype(dtype).type().real.dtype
    given, want = (np.array([pair[side] for pair in SPECIAL[name]]) for side in (0, 1))
    if dtype == "complex64":
        given = np.where(given == 1e200, 1e30, given)
    got = getattr(xp, name)(on(device, given.astype(part).view(dtype)[:, 0])).numpy().view(part).reshape(-1, 2)
    np.testing.assert_allclose(got, want.astype(part), rtol=4 * np.finfo(part).eps)
    signed = ~np.isnan(want)
    assert np.array_equal(np.signbit(got[signed]), np.signbit(want[signed]))
