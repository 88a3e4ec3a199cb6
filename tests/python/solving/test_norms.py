"""Norms of vectors and matrices over given axes, compared with numpy.linalg.norm."""

import itertools
import math

import numpy as np
import pytest
from conftest import eps, on

import tenon

VECTORS = (None, 0, 1, 2, 3, 0.5, -1, -2, math.inf, -math.inf)
MATRICES = (None, "fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)
SHAPE = (3, 4, 2, 5)


def numbers(random, dtype):
    a = random.standard_normal(SHAPE) + (1j * random.standard_normal(SHAPE) if np.dtype(dtype).kind == "c" else 0)
    return (a + np.sign(a.real)).astype(dtype)  # away from 0, whose negative powers are infinite


def close(got, want, dtype):
    assert got.shape == want.shape and got.dtype == np.zeros(0, dtype).real.dtype.name
    np.testing.assert_allclose(got.numpy(), want, rtol=100 * eps(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_vector_norms_along_each_axis(device, random, dtype):
    a = numbers(random, dtype)
    for order, axis, keep in itertools.product(VECTORS, (0, 2, -1), (False, True)):
        want = np.linalg.norm(a.astype("complex128"), order, axis, keep)
        close(tenon.norm(on(device, a), order, axis, keep), want, dtype)
        close(tenon.vector_norm(on(device, a), ord=2 if order is None else order, axis=axis, keepdims=keep), want, dtype)
    close(tenon.vector_norm(on(device, a), ord=3, axis=(0, -1)),
          np.linalg.vector_norm(a.astype("complex128"), ord=3, axis=(0, -1)), dtype)
    close(tenon.norm(on(device, a[0, 0, 0]), -2), np.linalg.norm(a[0, 0, 0].astype("complex128"), -2), dtype)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_matrix_norms_over_each_pair_of_axes(device, random, dtype):
    a = numbers(random, dtype)
    for order, axes in itertools.product(MATRICES, itertools.permutations(range(-4, 0), 2)):
        for keep in (False, True):
            want = np.linalg.norm(a.astype("complex128"), order, axes, keep)
            close(tenon.norm(on(device, a), order, axes, keep), want, dtype)
    close(tenon.norm(on(device, a), "max", (1, 3)), np.abs(a).max(axis=(1, 3)).astype("float64"), dtype)


@pytest.mark.parametrize("order, axis", [(2, 1), (0, 1), (3, 1), (math.inf, 1), (None, (3, 1)), (-1, (3, 1)), (2, (3, 1))])
def test_norms_are_written_into_given_arrays(device, random, order, axis):
    a = numbers(random, "float64")
    for keep in (False, True):
        want = np.linalg.norm(a, order, axis, keep)
        out = tenon.zeros((2,) + want.shape, "float64", device=device)[1]
        assert tenon.norm(on(device, a), order, axis, keep, out=out) is out
        np.testing.assert_allclose(out.numpy(), want, rtol=1e-12)
        with pytest.raises(ValueError, match="shape"):
            tenon.norm(on(device, a), order, axis, keep, out=tenon.zeros((3, 3), "float64", device=device))


def test_norms_of_integers_are_floating_point(device):
    a = np.arange(-6, 6).reshape(3, 4)
    for order, axis in ((None, None), (1, 0), (0, 1), (math.inf, (1, 0)), (2, (0, 1))):
        close(tenon.norm(on(device, a), order, axis), np.linalg.norm(a, order, axis), "float64")


def test_norms_of_empty_arrays(device):
    for order in (None, 0, 1, 2, 3):
        assert tenon.norm(tenon.zeros((2, 0, 3), device=device), order, 1).numpy().tolist() == [[0] * 3] * 2
    for order in (None, "nuc", 1, 2, math.inf):
        assert tenon.norm(tenon.zeros((2, 0, 3), device=device), order, (2, 1)).numpy().tolist() == [0] * 2
    with pytest.raises(tenon.InvalidArgument, match="no elements"):
        tenon.norm(tenon.zeros((2, 0), device=device), math.inf, 1)


def test_recorded_norms_use_the_argument_at_the_launch(device):
    a, out = tenon.ones((2, 3, 4), device=device), tenon.zeros((2, 3), device=device)
    with tenon.Graph(device) as g:
        tenon.norm(a, 3, 2, out=out, stream=g)
    a[...] = 2
    g.launch()
    np.testing.assert_allclose(out.numpy(), (4 * 2.0 ** 3) ** (1 / 3), rtol=1e-6)


@pytest.mark.parametrize("call, error, text", [
    (lambda a: tenon.norm(a, None, (0, 1, 2)), tenon.InvalidArgument, "one axis \\(of vectors\\) or two"),
    (lambda a: tenon.norm(a, None, (0, -3)), tenon.InvalidArgument, "two different ones"),
    (lambda a: tenon.norm(a, None, ()), tenon.InvalidArgument, "one axis \\(of vectors\\)"),
    (lambda a: tenon.norm(a, None, 3), IndexError, "out of range"),
    (lambda a: tenon.norm(a, 3, (0, 1)), ValueError, "ord must be one of .*-inf, not 3"),
    (lambda a: tenon.norm(a, "fro", 1), ValueError, "a vector's norm must be a number"),
    (lambda a: tenon.norm(a, math.nan, 1), ValueError, "a vector's norm must be a number"),
    (lambda a: tenon.norm(a[0, 0, 0]), tenon.ShapeError, "at least one axis"),
])
def test_what_does_not_fit_is_refused(device, call, error, text):
    with pytest.raises(error, match=text):
        call(tenon.ones((2, 3, 4), device=device))
