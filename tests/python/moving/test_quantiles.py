"""Quantiles: numpy.quantile of the same numbers in float64 is the reference, for all methods, axes and strides."""


import numpy as np
import pytest

import tenon
from conftest import equal, importing, on, run_python

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
           "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
           "normal_unbiased"]
EXACT = {"lower", "higher", "nearest", "inverted_cdf", "closest_observation"}
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64"]
ROUNDING = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 1.2e-7}


def numbers(rng, shape, dtype):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype[0] in "iu":
        return rng.integers(0 if dtype[0] == "u" else -100, 101, shape).astype(dtype)
    x = np.round(rng.normal(size=shape), int(rng.integers(1, 4)))
    return x.astype(dtype) if dtype != "bfloat16" else tenon.asarray(x).astype(dtype).astype("float64").numpy()


def reference(x, q, axis, method, keepdims, ignore_nan, dtype):
    wide = x.astype("float64") if dtype != "bool" or method not in EXACT else x.astype("uint8")
    with np.errstate(all="ignore"):
        return (np.nanquantile if ignore_nan else np.quantile)(wide, q, axis=axis, method=method, keepdims=keepdims)


def random_case(device, rng, dtype):
    rank = int(rng.integers(1, 4))
    shape = tuple(int(one) for one in rng.integers(1, (60, 9, 6)[rank - 1], rank))
    x = numbers(rng, shape, dtype)
    floating = dtype.endswith(("float16", "float32", "float64"))
    ignore_nan = floating and bool(rng.integers(0, 2))
    if floating and rng.integers(0, 2):
        x[rng.random(shape) < 0.2] = np.nan
    axes = [None, *range(-rank, rank)] + ([(0, -1)] if rank > 1 else [])
    axis = axes[rng.integers(0, len(axes))]
    q = [0.5, 0.0, 1.0, 0.3, [0.25, 0.5, 0.9], [[0.1, 1 / 3], [2 / 3, 0.77]],
         list(rng.random(37))][rng.integers(0, 7)]
    keepdims, method = bool(rng.integers(0, 2)), METHODS[rng.integers(0, len(METHODS))]
    if dtype == "bfloat16" or rng.integers(0, 2):
        given = on(device, np.asfortranarray(x)).astype(dtype)
    else:
        wide = np.zeros((*shape[:-1], 2 * shape[-1]), x.dtype)
        wide[..., ::2] = x
        given = on(device, wide)[..., ::2]
    want = reference(x, q, axis, method, keepdims, ignore_nan, dtype)
    got = (tenon.nanquantile if ignore_nan else tenon.quantile)(given, q, axis, method=method, keepdims=keepdims)
    assert got.dtype == (dtype if floating or method in EXACT else "float64"), method
    assert got.shape == want.shape
    host = got.astype("float64").numpy()
    tolerance = ROUNDING.get(dtype, 1e-14)
    if method in EXACT:
        np.testing.assert_array_equal(host, want.astype("float64"))
    else:
        np.testing.assert_allclose(host, want, rtol=tolerance, atol=tolerance * 1e-2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_quantiles(device, dtype):
    rng = np.random.default_rng(DTYPES.index(dtype))
    for _ in range(60):
        random_case(device, rng, dtype)


@pytest.mark.parametrize("dtype", ["bool", "uint16", "float16", "float32", "float64"])
def test_the_kernels_for_gpus(dtype):
    code = f"""
{importing(__file__)}import numpy as np, tenon, test_quantiles as t
rng = np.random.default_rng(7)
for _ in range(25): t.random_case(tenon.Device("cpu:0"), rng, {dtype!r})
print("same")
"""
    done = run_python(code, TENON_OWN_KERNELS="1")
    assert done.stdout == "same\n", done.stderr


def test_the_family(device):
    x = np.array([[3.0, np.nan, 1.0, 8.0], [4.0, 2.0, 9.0, 7.0]])
    y = on(device, x)
    equal(tenon.median(y, axis=1), np.median(x, axis=1))
    equal(tenon.nanmedian(y, axis=0, keepdims=True), np.nanmedian(x, axis=0, keepdims=True))
    equal(tenon.nanmedian(y), np.nanmedian(x))
    equal(tenon.percentile(y, [30, 60], axis=1), np.percentile(x, [30, 60], axis=1))
    equal(tenon.nanpercentile(y, 40), np.nanpercentile(x, 40))
    equal(tenon.quantile(y, on(device, np.array([0.1, 0.9])), 1), np.quantile(x, [0.1, 0.9], 1))
    out = tenon.empty((2, 2), device=device).T
    assert tenon.quantile(y, [0.2, 0.4], axis=1, out=out) is out
    equal(out, np.quantile(x, [0.2, 0.4], axis=1))
    assert tenon.median(y, axis=()).numpy().tobytes() == x.tobytes()


def test_infinities_and_large_numbers(device):
    most = np.finfo("float64").max
    for x, q, want in (([-np.inf, np.inf], 0.5, np.nan), ([np.inf, np.inf, 1.0], 0.9, np.inf), ([-most, most], 0.5, 0.0),
                       ([-np.inf, 5.0], 0.5, -np.inf), ([-np.inf, 5.0], 1.0, 5.0), ([-0.0, 0.0], 0.5, 0.0)):
        equal(tenon.quantile(on(device, np.array(x)), q), want)


def test_no_elements_and_refusals(device):
    assert np.isnan(tenon.median(tenon.zeros((3, 0), device=device), axis=1).numpy()).all()
    assert tenon.median(tenon.zeros((0, 3), device=device), axis=1).shape == (0,)
    assert tenon.quantile(tenon.zeros((4, 3), device=device), [], axis=1).shape == (0, 4)
    assert np.isnan(tenon.median(tenon.zeros(0, "int32", device=device)).item())
    assert np.isnan(tenon.nanmedian(on(device, np.array([np.nan]))).item())
    x = tenon.zeros((2, 3), "int32", device=device)
    with pytest.raises(tenon.InvalidArgument, match="no NaN"):
        tenon.quantile(x[:, :0], 0.5, 1, method="lower")
    for q in (-0.1, 1.1, float("nan")):
        with pytest.raises(tenon.InvalidArgument, match=r"in \[0, 1\]"):
            tenon.quantile(x, q)
    with pytest.raises(tenon.InvalidArgument, match="'linear'"):
        tenon.quantile(x, 0.5, method="cubic")
    with pytest.raises(tenon.InvalidArgument, match="twice"):
        tenon.quantile(x, 0.5, axis=(1, -1))
    with pytest.raises(tenon.DTypeError, match="complex32"):
        tenon.median(tenon.zeros(3, "complex32", device=device))
