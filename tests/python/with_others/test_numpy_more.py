"""NumPy's functions that are a few calls of others (tenon._numpy_more), compared with NumPy's own on random arrays, under
NumPy's names and those of tenon.cupy."""

import warnings

import numpy
import pytest
from conftest import on, sample

import tenon
import tenon.cupy as cupy
from tenon._numpy_more import FUNCTIONS

RANDOM = numpy.random.default_rng(20261128)
M, N = (sample(RANDOM, (4, 7), dtype) for dtype in ("float64", "float64"))
COUNTS, WEIGHTS = numpy.arange(7) % 3, RANDOM.random(7)
PLACES = numpy.sort(RANDOM.random(9)) * 5
F = {dtype: sample(RANDOM, (9, 6, 5), dtype) for dtype in ("float32", "float64", "int64", "complex128")}
INTEGERS = RANDOM.integers(0, 60, (3, 4))


def cases():
    """(name, arguments, keywords): arguments that are NumPy's arrays are given to us as ours."""
    for x in (M, M[:1], M[0], M.astype("float32"), M.astype("int32"), M + 1j * N):
        for keywords in ({}, {"bias": True}, {"ddof": 2}, {"rowvar": False}, {"dtype": "float32"} if x.dtype.kind != "c" else {}):
            yield "cov", (x,), keywords
        yield "corrcoef", (x,), {}
    yield "cov", (M, N), {}
    yield "cov", (M[0], N[1]), {}
    yield "cov", (M,), {"fweights": COUNTS}
    yield "cov", (M,), {"aweights": WEIGHTS}
    yield "cov", (M, N), {"aweights": WEIGHTS, "fweights": COUNTS, "ddof": 0}
    yield "cov", (M,), {"aweights": WEIGHTS, "fweights": COUNTS}
    yield "corrcoef", (M, N), {"rowvar": True}
    yield "corrcoef", (M,), {"rowvar": False}
    for f in F.values():
        for order in (1, 2):
            yield "gradient", (f,), {"edge_order": order}
            yield "gradient", (f, 0.5), {"edge_order": order}
            yield "gradient", (f, 2.0, 0.5, 3.0), {"edge_order": order}
            yield "gradient", (f, PLACES), {"edge_order": order, "axis": 0}
            yield "gradient", (f, PLACES, 2.0), {"edge_order": order, "axis": (0, -1)}
            yield "gradient", (f, numpy.arange(9) * 0.25), {"edge_order": order, "axis": 0}
    yield "gradient", (F["float64"][:2],), {}
    yield "gradient", (F["float64"][:3],), {"edge_order": 2, "axis": 0}
    yield "gradient", (F["float64"][:3], PLACES[:3]), {"edge_order": 2, "axis": 0}
    for axis in (0, -1):
        yield "trapezoid", (F["float64"],), {"axis": axis}
        yield "trapezoid", (F["float64"],), {"axis": axis, "dx": 0.3}
    yield "trapezoid", (F["float32"], PLACES), {"axis": 0}
    yield "ediff1d", (M,), {}
    yield "ediff1d", (M,), {"to_begin": -1.5, "to_end": [2.0, 3.0]}
    for order in "CF":
        for shape in ((60,), (5, 4, 3), (6, 10)):
            yield "unravel_index", (INTEGERS, shape), {"order": order}
        for mode in ("wrap", "clip", ("wrap", "clip")):
            yield "ravel_multi_index", ((INTEGERS - 20, INTEGERS), (7, 5)), {"mode": mode, "order": order}
        yield "ravel_multi_index", ((INTEGERS % 7, INTEGERS % 5), (7, 5)), {"order": order}
    yield "ix_", (numpy.array([2, 0]), numpy.array([1, 1, 4]), numpy.array([True, False, True])), {}
    yield "select", ([M > 1, M > 0], [M, 2 * M]), {}
    yield "select", ([M > 1, M > 0], [M, 2 * M], -5.0), {}
    yield "extract", (M > 0, M), {}
    for k in (0, 2, -1):
        yield "diagflat", (M,), {"k": k}
    for name, axis in (("hsplit", 1), ("vsplit", 0), ("dsplit", 2)):
        yield name, (F["int64"], [1, 3]), {}
        yield name, (F["int64"], F["int64"].shape[axis]), {}
    yield "hsplit", (M[0], [2]), {}
    special = numpy.array([1.5, -2.5, numpy.inf, -numpy.inf, numpy.nan, -0.0])
    for name in ("isposinf", "isneginf", "isreal", "iscomplex", "fix"):
        yield name, (special,), {}
    for name in ("isreal", "iscomplex"):
        yield name, (numpy.array([1 + 0j, 1j, 2]),), {}


CASES = list(cases())


def given(device, value):
    if isinstance(value, numpy.ndarray):
        return on(device, value)
    return type(value)(given(device, one) for one in value) if isinstance(value, (list, tuple)) else value


def check(ours, theirs):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            check(one, other)
        return
    assert isinstance(ours, tenon.Array) and numpy.dtype(ours.dtype) == theirs.dtype and ours.shape == theirs.shape
    exact = theirs.dtype.kind in "biu"
    scale = 1 if exact or not theirs.size else max(1.0, float(numpy.nanmax(numpy.abs(theirs[numpy.isfinite(theirs)]), initial=0)))
    error = 0 if exact else 64 * float(numpy.finfo(theirs.dtype).eps) * scale
    numpy.testing.assert_allclose(ours.numpy(), theirs, rtol=0, atol=error)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{name}-{at}" for at, (name, *_) in enumerate(CASES)])
def test_results_are_numpys(device, number):
    name, args, keywords = CASES[number]
    mine = {key: given(device, value) for key, value in keywords.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        theirs = getattr(numpy, name)(*args, **keywords)
        check(getattr(cupy, name)(*given(device, args), **mine), theirs)
        if name != "ix_":  # which NumPy does not let others compute with lists
            check(getattr(numpy, name)(*given(device, args), **mine), theirs)


@pytest.mark.parametrize("name, args", [
    ("indices", ((2, 3),)), ("indices", ((2, 3), "float32", True)), ("diag_indices", (3,)), ("tril_indices", (3, 1)),
    ("triu_indices", (3, -1, 4)), ("hanning", (7,)), ("hamming", (7,)), ("blackman", (8,)), ("bartlett", (8,)),
    ("kaiser", (6, 8.5)), ("geomspace", (1, 1000, 4)), ("unravel_index", (7, (3, 4))),
    ("ravel_multi_index", ((1, 2), (3, 4)))])
def test_what_is_made_from_numbers_is_on_the_current_device(name, args):
    ours, theirs = getattr(cupy, name)(*args), getattr(numpy, name)(*args)
    if name in ("unravel_index", "ravel_multi_index"):  # of numbers
        assert ours == theirs
        return
    check(ours, theirs)
    first = ours[0] if isinstance(ours, tuple) else ours
    assert first.device == cupy.cuda.Device().tenon


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (3, 3, 3), (9, 2)])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("value", [7, [1, 2]])
def test_a_diagonal_is_filled(device, shape, wrap, value):
    theirs = numpy.zeros(shape)
    ours = on(device, theirs)
    numpy.fill_diagonal(theirs, value, wrap)
    cupy.fill_diagonal(ours, value, wrap)
    assert ours.numpy().tolist() == theirs.tolist()


@pytest.mark.parametrize("call, error, text", [
    (lambda x: cupy.gradient(x, edge_order=3), ValueError, "edge_order must be 1 or 2"),
    (lambda x: cupy.gradient(x[:1]), ValueError, "axis 0 has 1 elements: at least 2"),
    (lambda x: cupy.gradient(x, [1.0, 2.0]), TypeError, "one distance"),
    (lambda x: cupy.gradient(x, [1.0, 2.0], axis=0), ValueError, "the axis 4 elements"),
    (lambda x: cupy.gradient(x, axis=5), IndexError, "axis 5"),
    (lambda x: cupy.unravel_index(cupy.asarray([1, 9]), (3, 3)), ValueError, "out of bounds for an array with 9"),
    (lambda x: cupy.unravel_index(x, (3, 3)), TypeError, "must be integers"),
    (lambda x: cupy.ravel_multi_index((cupy.asarray([3]),), (3,)), ValueError, "axis 0 is out of bounds"),
    (lambda x: cupy.ravel_multi_index((cupy.asarray([3]),), (3,), mode="near"), ValueError, "mode must be"),
    (lambda x: cupy.cov(x, fweights=[1, -1, 1, 1]), ValueError, "one number for each of 3"),
    (lambda x: cupy.cov(x, fweights=[1, -1, 1]), ValueError, "negative"),
    (lambda x: cupy.cov(x, fweights=[1, 0.5, 1]), TypeError, "integers"),
    (lambda x: cupy.select([x], [x]), TypeError, "must be of bool"),
    (lambda x: cupy.ix_(x), ValueError, "one axis"),
    (lambda x: cupy.fill_diagonal(x[0], 1), ValueError, "a matrix"),
    (lambda x: cupy.dsplit(x, 2), ValueError, "at least 3 axes")])
def test_mistakes_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call(cupy.ones((4, 3)))


def test_every_function_is_numpys_and_tested():
    tried = {name for name, *_ in CASES} | {"indices", "diag_indices", "tril_indices", "triu_indices", "hanning", "hamming",
                                           "blackman", "bartlett", "kaiser", "geomspace", "fill_diagonal"}
    assert FUNCTIONS.keys() == tried and all(hasattr(numpy, name) for name in tried)
