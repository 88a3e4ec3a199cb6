"""mish of the package of elementwise operations, and its gradient, compared with NumPy in a wider type."""


import numpy as np
import pytest
from conftest import KERNELS, on

import tenon


@pytest.fixture(scope="module")
def package():
    return tenon.plugins.load(KERNELS / "elementwise")


def parts(x):
    """tanh(softplus(x)), and what it lacks to 1, in long double."""
    e = np.exp(-abs(x))
    negative, positive = e * (e + 2), 1 + 2 * e
    bottom = np.where(x < 0, negative + 2, positive + 2 * e * e)
    return np.where(x < 0, negative, positive) / bottom, np.where(x < 0, 2, 2 * e * e) / bottom


@pytest.mark.parametrize("dtype, bound", [("float16", 2e-3), ("float32", 1e-6), ("float64", 2e-15)])
def test_mish(package, device, random, dtype, bound):
    x = np.concatenate([random.uniform(-40, 40, 4000), random.uniform(-1e-3, 1e-3, 500), [0, -0.0, 1e4, -1e4]])
    x = x.astype(dtype)
    wide = x.astype(np.longdouble)
    tiny = float(np.finfo(dtype).tiny)
    got = package.mish(on(device, x)).numpy()
    np.testing.assert_allclose(got, (wide * np.tanh(np.log1p(np.exp(wide)))).astype("f8"), rtol=bound, atol=tiny)
    slope = random.standard_normal(x.size).astype(dtype)
    t, rest = parts(wide)
    want = slope * (t + wide / (1 + np.exp(-wide)) * rest * (1 + t))
    got = package.mish_gradient(on(device, x), on(device, slope)).numpy()
    np.testing.assert_allclose(got, want.astype("f8"), rtol=bound, atol=bound * abs(slope).max())
    assert np.isnan(package.mish(on(device, np.array([np.nan], dtype))).numpy()[0])
