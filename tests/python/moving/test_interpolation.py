"""interp: numpy.interp of the same numbers is the reference."""

import numpy as np
import pytest

import tenon
from conftest import on, run_python

INF, NAN = np.inf, np.nan


def points_and_values(random, n, dtype):
    points = np.sort(random.normal(size=n)).astype(dtype)
    points[n // 2:n // 2 + 2] = points[n // 2]  # a jump
    return points, random.normal(size=n).astype(dtype)


@pytest.mark.parametrize("dtype, bound", [("float32", 3e-6), ("float64", 1e-13)])
@pytest.mark.parametrize("n", [1, 2, 3, 100, 5000])
def test_interp_is_numpys(device, random, dtype, bound, n):
    points, values = points_and_values(random, n, dtype)
    x = np.concatenate([random.normal(size=3000).astype(dtype) * 2, points, [NAN, INF, -INF]]).astype(dtype)
    for outside in ({}, {"left": -7.5}, {"right": 0.0}, {"left": NAN, "right": INF}):
        want = np.interp(x, points, values, **outside)
        want[np.isnan(x)] = NAN  # NumPy gives the value of a single point even for NaN
        got = tenon.interp(on(device, x), on(device, points), on(device, values), **outside)
        assert got.dtype == dtype and got.shape == x.shape
        np.testing.assert_allclose(got.numpy(), want, rtol=bound, atol=bound)


def test_values_at_points_are_exact(device, random):
    points, values = np.sort(random.normal(size=200)), random.normal(size=200)
    got = tenon.interp(on(device, points), on(device, points), on(device, values))
    np.testing.assert_array_equal(got.numpy(), values)


def test_large_values_and_infinite_points(device):
    points, values = np.array([-INF, 0, 1, 2, INF]), np.array([1, 1, 1.7e308, -1.7e308, -1.7e308])
    got = tenon.interp(on(device, np.array([-5, 0.5, 1.5, 9])), on(device, points), on(device, values))
    np.testing.assert_allclose(got.numpy(), [1, 0.85e308, 0, -1.7e308], atol=1e293)


def test_views_and_shapes(device, random):
    points, values = points_and_values(random, 20, "float64")
    x = random.normal(size=(6, 10))
    wide = on(device, np.stack([points, values], 1))
    got = tenon.interp(on(device, x).T[::2], wide[:, 0], wide[:, 1])
    np.testing.assert_allclose(got.numpy(), np.interp(x.T[::2], points, values), rtol=1e-13, atol=1e-13)
    assert tenon.interp(on(device, x[:0]), wide[:, 0], wide[:, 1]).shape == (0, 10)
    assert tenon.interp(0.0, [-1.0, 1.0], [2, 4]).item() == 3


@pytest.mark.parametrize("period", [360, -2.5])
def test_periods(device, random, period):
    points, values, x = random.uniform(-500, 500, 30), random.normal(size=30), random.uniform(-900, 900, 500)
    got = tenon.interp(on(device, x), on(device, points), on(device, values), period=period)
    np.testing.assert_allclose(got.numpy(), np.interp(x, points, values, period=period), rtol=1e-9, atol=1e-9)


def test_numpys_function_runs_in_tenon(device):
    x = on(device, np.array([0.5, 2]))
    got = np.interp(x, on(device, np.array([0.0, 1])), on(device, np.array([4.0, 8])), right=-1)
    assert isinstance(got, tenon.Array) and got.tolist() == [6, -1]


def test_unordered_points_read_no_memory_outside(device, random):
    points, x = random.normal(size=1000), random.normal(size=1000)
    points[::7] = NAN
    assert tenon.interp(on(device, x), on(device, points), on(device, x)).shape == (1000,)


@pytest.mark.parametrize("call, error, text", [
    (lambda: tenon.interp(1.0, [], []), ValueError, "points has no elements: at least one is needed"),
    (lambda: tenon.interp(1.0, [1.0, 2], [1.0]), tenon.ShapeError, "must be lists of the same length"),
    (lambda: tenon.interp(1.0, [[1.0]], [[1.0]]), tenon.ShapeError, "must be lists of the same length"),
    (lambda: tenon.interp(1.0, [1.0], [1.0], period=0), ValueError, "a period must not be 0"),
    (lambda: tenon.interp(1.0, [1.0], [1.0, 2], period=1), tenon.ShapeError, "must be lists of the same length"),
])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_kernels_on_the_cpu():
    program = """
import numpy, tenon
r = numpy.random.default_rng(3)
for dtype in ("float32", "float64"):
    points, values, x = (r.normal(size=n).astype(dtype) for n in (300, 300, 5000))
    print(tenon.interp(x, numpy.sort(points), values, left=2.5).numpy().tobytes().hex())
"""
    native, kernels = run_python(program), run_python(program, TENON_OWN_KERNELS="1")
    assert native.returncode == kernels.returncode == 0, native.stderr + kernels.stderr
    assert native.stdout == kernels.stdout
