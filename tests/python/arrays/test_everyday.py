"""NumPy's everyday functions that are composed of others: reductions without NaN, merging, sets, products, the order of
sums over several operands. NumPy is the reference."""

import itertools

import numpy as np
import pytest

import tenon
from conftest import equal, near, on

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

NAN = {"nansum": 0, "nanprod": 1, "nanmax": 2, "nanmin": 3, "nanmean": 4, "nanvar": 5, "nanstd": 6}


@pytest.mark.parametrize("name", NAN)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex64", "int32", "bool"])
def test_reductions_without_nan(device, name, dtype):
    rng = np.random.default_rng(NAN[name])
    if dtype == "complex64" and name in ("nanmax", "nanmin"):
        return
    for shape in ((7,), (3, 5), (2, 3, 4)):
        x = rng.integers(0, 2, shape).astype(bool) if dtype == "bool" else (3 * rng.normal(size=shape)).astype(dtype)
        if dtype[0] in "fc":
            x[rng.random(shape) < 0.4] = np.nan
        for axis in (None, *range(-len(shape), len(shape)), *([(0, -1)] if len(shape) > 1 else [])):
            for keepdims in (False, True):
                with np.errstate(all="ignore"):
                    want = getattr(np, name)(x, axis=axis, keepdims=keepdims)
                got = getattr(tenon, name)(on(device, x), axis, keepdims=keepdims)
                assert got.shape == want.shape
                np.testing.assert_allclose(got.numpy(), want, rtol=4e-3 if dtype == "float16" else 2e-5, atol=1e-3 if dtype == "float16" else 1e-6)


def test_places_and_scans_without_nan(device):
    rng = np.random.default_rng(9)
    x = rng.normal(size=(6, 7))
    x[rng.random(x.shape) < 0.3] = np.nan
    for axis in (0, 1):
        equal(tenon.nanargmax(on(device, x), axis), np.nanargmax(x, axis))
        equal(tenon.nanargmin(on(device, x), axis), np.nanargmin(x, axis))
        near(tenon.nancumsum(on(device, x), axis), np.nancumsum(x, axis), rtol=1e-12)
        near(tenon.nancumprod(on(device, x), axis), np.nancumprod(x, axis), rtol=1e-12)
    got = tenon.nanvar(on(device, x), 1, correction=1)
    near(got, np.nanvar(x, 1, ddof=1), rtol=1e-12)
    equal(tenon.isnan(tenon.nanvar(on(device, x[:, :1]), 1, correction=1)), True)


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_places_without_nan(name, dtype, device):
    rng = np.random.default_rng(len(dtype))
    for shape in ((1,), (40,), (5, 30), (3, 4, 50)):
        x = rng.integers(-5, 6, shape).astype(dtype)
        if dtype[0] == "c":
            x.imag = rng.integers(-2, 3, shape)
        x[rng.random(shape) < 0.3] = np.nan
        x[rng.random(shape) < 0.1] = np.inf if name == "nanargmin" else -np.inf  # numbers, which count
        x[..., -1] = 1
        for axis in (None, -1):
            got = getattr(tenon, name)(on(device, x), axis)
            # NumPy takes NaN for infinity: its place may be that of a NaN.
            best = (np.fmax if name == "nanargmax" else np.fmin).reduce(x.reshape(-1) if axis is None else x, axis=-1)
            rows = x.reshape(1, -1) if axis is None else x.reshape(-1, shape[-1])
            want = [int(np.flatnonzero(row == one)[0]) for row, one in zip(rows, np.ravel(best))]
            assert got.numpy().ravel().tolist() == want
            assert getattr(tenon, name)(on(device, x), axis, keepdims=True).ndim == x.ndim


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
def test_rows_of_nan_have_no_place(name, device):
    x = np.zeros((3, 4), "float32")
    x[1] = np.nan
    y, function = on(device, x), getattr(tenon, name)
    with pytest.raises(ValueError, match=r"all elements of x are NaN for the result at \(1,?\)"):
        function(y, 1)
        y.device.synchronize()
    assert function(y, 0).tolist() == [0, 0, 0, 0] and function(y).item() == 0
    with pytest.raises(ValueError, match="all elements of x are NaN"):
        function(y[1])
        y.device.synchronize()
    assert function(on(device, np.array([3, 1, 2]))).item() == (0 if name == "nanargmax" else 1)


def test_complex_numbers_are_ordered(device):
    """By the real, then the imaginary part; NaN in any part is NaN."""
    rng = np.random.default_rng(12)
    ends = [0.0, -0.0, 1.0, -1.0, 2.5, np.inf, -np.inf]
    for dtype in ("complex64", "complex128"):
        for nan in ([], [np.nan]):
            x = np.zeros((6, 31, 9), dtype)
            x.real, x.imag = rng.choice(ends + nan, x.shape), rng.choice(ends + nan, x.shape)
            for view in (x, x.T, x[::2, ::-3]):
                y = tenon.asarray(view).to_device(device)
                for name in ("max", "min", "argmax", "argmin"):
                    for axis in (None, 0, -1, 1):
                        got, want = getattr(tenon, name)(y, axis).numpy(), np.asarray(getattr(np, name)(view, axis=axis))
                        assert got.dtype == want.dtype and got.shape == want.shape
                        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
                        np.testing.assert_array_equal(got[~np.isnan(got)], want[~np.isnan(want)], str((name, axis)))
                finite = np.where(np.isinf(view), 7, view)  # NumPy's mean of two infinities is NaN
                for axis in (None, 0, -1, (0, 1)):
                    got, want = tenon.median(on(device, finite), axis).numpy(), np.asarray(np.median(finite, axis=axis))
                    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
                    np.testing.assert_allclose(got[~np.isnan(got)], want[~np.isnan(want)], rtol=1e-6)
            flat = x.ravel()
            for name in ("fmax", "fmin", "maximum", "minimum"):
                got, want = getattr(tenon, name)(on(device, flat), on(device, flat[::-1])), \
                    getattr(np, name)(flat, flat[::-1])
                np.testing.assert_array_equal(got.numpy(), want)
            for name in ("nanmax", "nanmin"):
                got, want = getattr(tenon, name)(on(device, x), 1), getattr(np, name)(x, 1)
                np.testing.assert_array_equal(got.numpy(), want)
            for got, want in zip(tenon.unique_all(on(device, flat[~np.isnan(flat)])),
                                 np.unique(flat[~np.isnan(flat)], return_index=True, return_inverse=True,
                                           return_counts=True)):
                equal(got, want)


def test_merging_and_sets(device):
    rng = np.random.default_rng(10)
    for dtype in ("int8", "float32", "float64", "uint64"):
        for n, m in ((0, 0), (0, 5), (40, 7), (1000, 3000)):
            a, b = (np.sort(rng.integers(0, 50, k).astype(dtype)) for k in (n, m))
            if dtype[0] == "f" and n > 5:
                a[-2:] = np.nan
            got = tenon.merge(on(device, a), on(device, b))
            assert got.dtype == dtype
            equal(got, np.sort(np.concatenate([a, b])))
            equal(tenon.setxor1d(on(device, a), on(device, b)), np.setxor1d(a, b))  # NaN equals none
            equal(tenon.setxor1d(on(device, a), on(device, a)), np.setxor1d(a, a))
    with pytest.raises(tenon.InvalidArgument, match="one axis"):
        tenon.merge(on(device, np.zeros((2, 2))), on(device, np.zeros(2)))
    bins = np.array([0.0, 1.0, 2.5, 4.0])
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.5, 3.0, 4.0, 9.0])
    for edges, right in itertools.product((bins, bins[::-1].copy()), (False, True)):
        equal(tenon.digitize(on(device, x), on(device, edges), right), np.digitize(x, edges, right))


def test_dot_vdot_inner(device):
    rng = np.random.default_rng(11)
    for left, right in (((), (3,)), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((5, 2, 3), (4, 3, 2)), ((3,), (2, 3, 4))):
        a, b = rng.normal(size=left), rng.normal(size=right)
        near(tenon.dot(on(device, a), on(device, b)), np.dot(a, b), rtol=1e-12)
    a, b = rng.normal(size=(2, 3)) + 1j, rng.normal(size=(3, 2)) - 2j
    np.testing.assert_allclose(tenon.vdot(on(device, a), on(device, b)).item(), np.vdot(a, b), rtol=1e-12)
    near(tenon.inner(on(device, a), on(device, b.T)), np.inner(a, b.T), rtol=1e-12)


def cost(terms, result, extents, path):
    """Operations of a path of places in the list, as opt_einsum counts them."""
    terms, total = [set(term) for term in terms], 0
    for places in path:
        taken = [terms.pop(place) for place in sorted(places, reverse=True)]
        every = set().union(*taken)
        kept = every & set(result).union(*terms)
        total += int(np.prod([extents[c] for c in every])) * (2 if every - kept else 1)
        terms.append(kept)
    return total


def every_path(count):
    if count == 1:
        yield []
        return
    for pair in itertools.combinations(range(count), 2):
        for rest in every_path(count - 1):
            yield [pair, *rest]


def test_the_order_of_einsum_is_optimal():
    rng = np.random.default_rng(12)
    for _ in range(60):
        letters, count = "abcdefg"[:rng.integers(3, 8)], int(rng.integers(2, 6))
        terms = ["".join(rng.permutation(list(letters))[:rng.integers(1, 4)]) for _ in range(count)]
        used = sorted(set("".join(terms)))
        result = "".join(c for c in used if rng.random() < 0.4)
        extents = {c: int(rng.integers(1, 6)) for c in used}
        operands = [rng.normal(size=[extents[c] for c in term]) for term in terms]
        text = ",".join(terms) + "->" + result
        path = tenon.einsum_path(text, *operands)
        best = min(cost(terms, result, extents, one) for one in every_path(count))
        assert cost(terms, result, extents, path) == best, text
        np.testing.assert_allclose(tenon.einsum(text, *operands), np.einsum(text, *operands, optimize=False), rtol=1e-9, atol=1e-9)


def test_long_chains_take_a_good_order():
    """Nine operands: the greedy order costs a fraction of that from left to right, and the result is right."""
    sizes = [2, 30, 3, 40, 2, 50, 3, 20, 4, 2]
    rng = np.random.default_rng(13)
    operands = [rng.normal(size=pair) for pair in zip(sizes, sizes[1:])]
    terms = [a + b for a, b in zip("abcdefghi", "bcdefghij")]
    text = ",".join(terms) + "->aj"
    path = tenon.einsum_path(text, *operands)
    extents = dict(zip("abcdefghij", sizes))
    to_the_right = [(0, len(terms) - 1)] + [(0, k) for k in range(len(terms) - 2, 0, -1)]
    assert cost(terms, "aj", extents, path) < cost(terms, "aj", extents, to_the_right)
    np.testing.assert_allclose(tenon.einsum(text, *operands), np.linalg.multi_dot(operands), rtol=1e-10)
    assert tenon.einsum_path("ii->i", np.eye(3)) == [(0,)]
    with pytest.raises(tenon.InvalidArgument):
        tenon.einsum_path("ij,jk", np.eye(3))
