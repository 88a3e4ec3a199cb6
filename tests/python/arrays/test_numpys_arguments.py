"""NumPy's less common arguments of everyday functions."""

import collections
import itertools

import numpy as np
import pytest
from conftest import on

import tenon


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_take_of_indices_out_of_range(device, random, mode, axis):
    x, index = random.normal(size=(4, 5)), np.array([[0, 3, -1], [2, 1, 0]] if mode == "raise" else
                                                    [[0, 30, -1], [-40, 4, 19]])
    got = tenon.take(on(device, x), on(device, index), axis=axis, mode=mode).numpy()
    np.testing.assert_array_equal(got, np.take(x, index, axis, mode=mode))
    with pytest.raises((IndexError, ValueError)):
        tenon.take(on(device, x[:0]), on(device, index), axis=0, mode=mode)
    with pytest.raises(ValueError, match="mode must be"):
        tenon.take(on(device, x), on(device, index), mode="mirror")


def test_diagonals_by_position(device):
    x = np.arange(12.0).reshape(3, 4)
    for k in (-5, -1, 0, 2):
        np.testing.assert_array_equal(tenon.diagonal(on(device, x), k).numpy(), np.diagonal(x, k))
        np.testing.assert_array_equal(tenon.diag(on(device, x), k).numpy(), np.diag(x, k))


def test_densities(device, random):
    x = random.normal(size=1000)
    for bins, weights in ((7, None), ([-2.0, -1.0, 0.5, 3.0], None), (5, random.uniform(size=1000))):
        got = tenon.histogram(on(device, x), bins, density=True, weights=None if weights is None else on(device, weights))
        want = np.histogram(x, bins, density=True, weights=weights)
        np.testing.assert_allclose(got[0].numpy(), want[0], rtol=1e-12)
        np.testing.assert_allclose(got[1].numpy(), want[1], rtol=1e-12)


def test_bins_of_digitize_have_an_order(device):
    for bins in ([1.0, 0.0, 2.0], [0.0, 2.0, 1.0], [0.0, np.nan, 1.0]):
        with pytest.raises(ValueError, match="ascend or descend"):
            tenon.digitize(on(device, np.ones(3)), on(device, np.array(bins)))


@pytest.mark.parametrize("dtypes", [("int32", "float32"), ("bool", "float64"), ("complex64", "float32"),
                                    ("float32", "float64"), ("uint8", "int16")])
def test_products_of_two_dtypes(device, random, dtypes):
    a, b = (random.integers(0, 2, (3, 4)).astype(dtype) for dtype in dtypes)
    for text, operands in (("ij,kj->ik", (a, b)), ("ij,ij,kj->k", (a, b, a)), ("ij,ij->", (b, a))):
        got, want = tenon.einsum(text, *(on(device, x) for x in operands), optimize="greedy").numpy(), \
            np.einsum(text, *operands)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want)
    got, want = tenon.kron(on(device, a), on(device, b)).numpy(), np.kron(a, b)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want)
    np.testing.assert_allclose(tenon.outer(on(device, a), on(device, b)).numpy(), np.outer(a, b))


def test_weighted_choices_of_different_elements(device):
    """Each pair comes as often as drawing twice from what is left makes it."""
    p, g = np.array([0.1, 0.2, 0.0, 0.3, 0.4]), tenon.random.Generator(5, device=device)
    pairs = np.array([g.choice(5, 2, replace=False, p=p).numpy() for _ in range(3000)])
    counts = collections.Counter(map(tuple, pairs))
    for i, j in itertools.permutations(range(5), 2):
        probability = p[i] * p[j] / (1 - p[i])
        assert abs(counts[i, j] - 3000 * probability) <= 4.5 * np.sqrt(3000 * probability), (i, j)
    assert g.choice(5, (2, 2), replace=False, p=p).numpy().shape == (2, 2)
    assert g.copy().choice(5, 2, replace=False, p=p).tolist() == g.choice(5, 2, replace=False, p=p).tolist()
    with pytest.raises(ValueError, match="only 4 have a probability above 0"):
        g.choice(5, 5, replace=False, p=p)


def test_orders_and_shapes_that_do_not_exist(device):
    with pytest.raises(ValueError, match="no axes"):
        tenon.random.Generator(1, device=device).permutation(on(device, np.float64(3)))
    with pytest.raises(ValueError, match="not negative"):
        tenon.sparse.csr_array((on(device, np.ones(1)), on(device, np.zeros(1, "i4")), on(device, np.array([0, 1], "i4"))),
                               shape=(1, -2))
