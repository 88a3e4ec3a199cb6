"""zeta, entr, rel_entr, erfinv and i0, compared with SciPy over wide ranges, and their special values."""

import numpy as np
import pytest
from conftest import on

import tenon

special = pytest.importorskip("scipy.special")
INF, NAN = np.inf, np.nan


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-6), ("float64", 1e-13)])
def test_zeta_is_scipys(device, random, dtype, bound):
    x = (1 + 10 ** random.uniform(-5, 1.5, 5000)).astype(dtype)
    q = (10 ** random.uniform(-2, 7.5, 5000)).astype(dtype)
    got = tenon.zeta(on(device, x), on(device, q)).numpy()
    with np.errstate(all="ignore"):
        want = special.zeta(x.astype("f8"), q.astype("f8")).astype(dtype)
    np.testing.assert_allclose(got, want, rtol=bound, atol=np.finfo(dtype).tiny)


def test_zeta_of_negative_numbers(device, random):
    x, q = random.integers(2, 25, 3000).astype("f8"), -random.uniform(0.01, 60, 3000)
    got, want = tenon.zeta(on(device, x), on(device, q)).numpy(), special.zeta(x, q)
    # Near its zeros, for odd x in the middle between two integers, the function is a difference of large terms.
    room = 1e-14 * special.zeta(x, np.minimum(-q % 1, q % 1))
    assert (abs(got - want) <= 1e-12 * abs(want) + room).all()


def test_zeta_gives_the_polygammas(device, random):
    x = random.uniform(0.1, 40, 1000)
    np.testing.assert_allclose(tenon.zeta(2, on(device, x)).numpy(), special.polygamma(1, x), rtol=1e-13)
    np.testing.assert_allclose(tenon.zeta(4, on(device, x)).numpy() * 6, special.polygamma(3, x), rtol=1e-13)


@pytest.mark.parametrize("x, q, want", [
    (2, 1, np.pi**2 / 6), (4, 1, np.pi**4 / 90), (1, 2, INF), (0.5, 2, NAN), (-3, 1, NAN), (2, 0, INF), (2, -3, INF),
    (2.5, -0.5, NAN), (2, -0.5, 8.934802200544679), (INF, 2, 0), (INF, 1, 1), (INF, 0.5, INF), (2, INF, 0),
    (NAN, 1, NAN), (2, NAN, NAN), (2, -INF, INF), (2, 1e300, 1e-300), (1e300, 2, 0), (2, 5e-324, INF),
    (300, 0.01, INF)])
def test_special_values_of_zeta(device, x, q, want):
    got = tenon.zeta(on(device, np.array([x], "f8")), on(device, np.array([q], "f8"))).numpy()
    np.testing.assert_allclose(got, [want], rtol=1e-14)


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-6), ("float64", 1e-15)])
def test_entropies_are_scipys(device, random, dtype, bound):
    x, y = ((10 ** random.uniform(-30, 30, 4000)).astype(dtype) for _ in range(2))
    y[:1000] = x[:1000] * (1 + random.uniform(-1e-3, 1e-3, 1000)).astype(dtype)  # close to each other
    np.testing.assert_allclose(tenon.entr(on(device, x)).numpy(), special.entr(x.astype("f8")), rtol=bound)
    got, want = tenon.rel_entr(on(device, x), on(device, y)).numpy(), special.rel_entr(x.astype("f8"), y.astype("f8"))
    np.testing.assert_allclose(got, want, rtol=4 * bound)


def test_special_values_of_entropies(device):
    x = np.array([0, -0.0, 1, -1, INF, -INF, NAN], "f8")
    np.testing.assert_array_equal(tenon.entr(on(device, x)).numpy(), special.entr(x))
    a, b = (part.ravel() for part in np.meshgrid(x[[0, 2, 3, 6]], x[[0, 2, 3, 6]]))
    np.testing.assert_array_equal(tenon.rel_entr(on(device, a), on(device, b)).numpy(), special.rel_entr(a, b))
    extremes = np.array([5e-324, 1e-308, 1e-300, 1e300, 1.7e308], "f8")
    a, b = (part.ravel() for part in np.meshgrid(extremes, extremes))
    np.testing.assert_allclose(tenon.rel_entr(on(device, a), on(device, b)).numpy(), special.rel_entr(a, b), rtol=1e-15)


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-7), ("float64", 3e-15)])
def test_erfinv_is_scipys(device, random, dtype, bound):
    parts = [10 ** random.uniform(-30, 0, 2000), 1 - 10 ** random.uniform(-16, 0, 2000), random.uniform(0, 1, 2000)]
    x = (np.concatenate(parts) * random.choice([-1, 1], 6000)).astype(dtype)
    got, want = tenon.erfinv(on(device, x)).numpy(), special.erfinv(x.astype("f8")).astype(dtype)
    np.testing.assert_allclose(got, want, rtol=bound)


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-7), ("float64", 3e-15)])
def test_i0_is_scipys(device, random, dtype, bound):
    top = 90 if dtype == "float32" else 709  # where SciPy begins to overflow
    x = np.concatenate([random.uniform(-top, top, 3000), random.uniform(-25, 25, 3000)]).astype(dtype)
    np.testing.assert_allclose(tenon.i0(on(device, x)).numpy(), special.i0(x.astype("f8")).astype(dtype), rtol=bound)


def test_special_values_of_erfinv_and_i0(device):
    x = np.array([0, 1, -1, 1.5, -2, INF, NAN, 5e-324], "f8")
    np.testing.assert_array_equal(tenon.erfinv(on(device, x)).numpy(), [0, INF, -INF, NAN, NAN, NAN, NAN, 5e-324])
    assert np.signbit(tenon.erfinv(on(device, np.array([-0.0]))).numpy())
    x = np.array([0, INF, -INF, NAN, 714, -800, 1e300], "f8")
    np.testing.assert_array_equal(tenon.i0(on(device, x)).numpy(), [1, INF, INF, NAN, INF, INF, INF])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_the_next_number_of_the_16_bit_types(device, dtype):
    """Their order is that of their bits."""
    ends = 0x7C00 if dtype == "float16" else 0x7F80
    bits = np.arange(1, ends, dtype="uint16")

    def numbers(bits):
        return on(device, np.asarray(bits, "uint16")).view(dtype)

    def near(x, y):
        return tenon.nextafter(numbers(x), numbers(y)).view("uint16").numpy()

    with np.errstate(all="ignore"):
        for sign in (0, 0x8000):
            np.testing.assert_array_equal(near(bits | sign, np.full_like(bits, ends | sign)), bits + 1 | sign)
            np.testing.assert_array_equal(near(bits | sign, np.zeros_like(bits)), bits - 1 | sign)
            assert near([ends | sign, 0, 0x8000], [0, 1 | sign, 1 | sign]).tolist() == [ends - 1 | sign, 1 | sign, 1 | sign]
        assert (near(bits, bits) == bits).all() and near([ends], [ends]).tolist() == [ends]
        assert np.isnan(tenon.nextafter(numbers([ends + 1, 0]), numbers([0, ends + 1])).astype("float32").numpy()).all()
        fused = tenon.fuse(lambda x, y: tenon.nextafter(x, y))(numbers(bits[-3:]), numbers([ends] * 3))
    assert fused.view("uint16").tolist() == [ends - 2, ends - 1, ends]
