"""Comparisons are exact: with literals and numbers that the array's dtype does not have, and of int64 with uint64."""

import operator

import numpy as np
import pytest
from conftest import on

import tenon

COMPARE = {"equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
           "greater": operator.gt, "greater_equal": operator.ge}
LITERALS = [-1, 300, -300, 2**31, -(2**31) - 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**80, -(2**80)]


@pytest.mark.parametrize("name", COMPARE)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_with_numbers_of_any_size(device, name, dtype):
    info, compare = np.iinfo(dtype), COMPARE[name]
    x = np.array([info.min, 0, 1, info.max], dtype)
    array = on(device, x)
    for number in (*LITERALS, info.min, info.max):
        np.testing.assert_array_equal(compare(array, number).numpy(), compare(x, number), str(number))
        np.testing.assert_array_equal(compare(number, array).numpy(), compare(number, x), str(number))
    for number in (np.int64(-1), np.int64(2**63 - 1), np.uint64(2**63), np.uint64(2**64 - 1)):
        got = getattr(tenon, name)(array, number).numpy(), getattr(tenon, name)(number, array).numpy()
        np.testing.assert_array_equal(got[0], compare(x, number), str(number))
        np.testing.assert_array_equal(got[1], compare(number, x), str(number))


@pytest.mark.parametrize("name", COMPARE)
def test_of_int64_with_uint64(device, name):
    x = np.array([-(2**63), -1, 0, 1, 2**63 - 2, 2**63 - 1], "int64")[:, None]
    y = np.array([0, 1, 2**63 - 2, 2**63 - 1, 2**63, 2**64 - 1], "uint64")
    for a, b in ((x, y), (y, x)):
        want, result = COMPARE[name](a, b), tenon.zeros((6, 12), "bool", device=device)
        np.testing.assert_array_equal(getattr(tenon, name)(on(device, a), on(device, b)).numpy(), want)
        getattr(tenon, name)(on(device, a), on(device, b), out=result[:, ::2])
        np.testing.assert_array_equal(result[:, ::2].numpy(), want)
        with tenon.Graph(device) as graph:
            recorded = getattr(tenon, name)(on(device, a), on(device, b), stream=graph)
        graph.launch()
        np.testing.assert_array_equal(recorded.numpy(), want)


def test_bounds_beyond_the_dtype_bound_nothing(device):
    for dtype in ("int8", "uint8"):
        x = np.array([0, 3, 100], dtype)
        for low, high in ((-300, 300), (-300, 5), (None, 2**63), (-(2**63), None)):
            np.testing.assert_array_equal(tenon.clip(on(device, x), low, high).numpy(), np.clip(x, low, high))
        for low, high in ((300, None), (None, -300)):
            with pytest.raises(OverflowError, match="cannot hold"):
                tenon.clip(on(device, x), low, high)


def test_long_integers_are_numbers_of_floating_point_functions(device):
    x = np.array([0.0, 1.5, -3.0])
    array = on(device, x)
    for f in (lambda a: a / 2**64, lambda a: 2**70 - a, lambda a: a < 2**64, lambda a: -(2**70) > a):
        np.testing.assert_array_equal(f(array).numpy(), f(x))
    np.testing.assert_array_equal((on(device, np.arange(3)) / 2**70).numpy(), np.arange(3) / 2**70)
    with pytest.raises(OverflowError, match="does not fit any integer dtype"):
        on(device, np.arange(3)) + 2**70
    with pytest.raises(OverflowError):
        array + 10**400


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_functions_at_zeros_and_infinities(device, dtype):
    z = np.array([complex(re, im) for re in (0.0, -0.0, 1.0, -2.0, np.inf, -np.inf) for im in (0.0, -0.0, 1.0, np.inf)],
                 dtype)
    with np.errstate(all="ignore"):
        for name in ("sign", "log2", "log10", "exp2"):
            got, want = getattr(tenon, name)(on(device, z)).numpy(), getattr(np, name)(z)
            known = np.isfinite(z) if name == "exp2" else ~np.isinf(z.real) | ~np.isinf(z.imag)
            for part in (np.real, np.imag):
                np.testing.assert_allclose(part(got)[known], part(want)[known], rtol=1e-6, err_msg=name)
            if name != "sign":
                np.testing.assert_array_equal(np.signbit(got.imag[known]), np.signbit(want.imag[known]), name)
    powers = np.array([1 + 1j, 0.5 - 2j, 2 + 0j, 3.5j + 1e-3], dtype)
    np.testing.assert_array_equal(tenon.pow(on(device, np.zeros(4, dtype)), on(device, powers)).numpy(), np.zeros(4))
