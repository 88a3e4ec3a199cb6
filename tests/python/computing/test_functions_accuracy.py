"""The CPU device's own elementwise functions: errors in units in the last place, compared with NumPy in a wider type;
the special values of C99's Annex F; and the same bits for every instruction set, length, alignment and number of
threads."""

import math

import numpy as np
import pytest
from conftest import importing, run_python
from test_functions_table import ROWS

import tenon

CPU = tenon.Device("cpu:0")
BOUND = [row for row in ROWS.values() if row.errors]
WIDER = {"float32": np.float64, "float64": np.longdouble}
needs_wide = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no type wider than double")
DTYPES = ["float32", pytest.param("float64", marks=needs_wide)]

# Ranges in which results are neither trivial nor out of range.
RANGES = {"EXP": (-745, 709), "EXP2": (-1074, 1024), "EXPM1": (-40, 709), "LOG": (0, 100), "LOG2": (0, 100),
          "LOG10": (0, 100), "LOG1P": (-1, 100), "SINH": (-709, 709), "COSH": (-709, 709), "TANH": (-20, 20),
          "ASIN": (-1, 1), "ACOS": (-1, 1), "ATANH": (-1, 1), "ACOSH": (1, 100), "ERF": (-6, 6), "ERFC": (-6, 27),
          "EXPIT": (-100, 100)}


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield


def arguments(row, dtype, random, count=60000):
    low, high = RANGES.get(row.name, (-1e4, 1e4))
    if dtype == "float32" and high > 100:
        low, high = low / 8, high / 8
    bits = random.integers(0, 2**(32 if dtype == "float32" else 64), count, dtype="u4" if dtype == "float32" else "u8")
    parts = [random.uniform(low, high, count), random.uniform(-1.5, 1.5, count), np.linspace(-1, 1, 1001) * 2**-9,
             1 + np.linspace(-1, 1, 1001) * 2**-9, np.linspace(0, 40, 4001) * (np.pi / 2)]
    return np.concatenate([np.concatenate(parts).astype(dtype), bits.view(dtype)])


def pairs(row, dtype, random):
    x = arguments(row, dtype, random)
    y = random.permutation(x)
    near = random.uniform(-3, 3, x.size).astype(dtype)
    x, y = np.concatenate([x, np.abs(near)]), np.concatenate([y, random.permutation(near) * 20])
    return x, np.where(random.random(x.size) < 0.2, np.rint(y), y)


def exact(row, *args):
    """The result in a wider type, with errors far below one unit of the narrow type."""
    wide = [x.astype(WIDER[x.dtype.name]) for x in args]
    with np.errstate(all="ignore"):
        if row.name == "EXPIT":
            return 1 / (1 + np.exp(-wide[0]))
        if row.name in ("ERF", "ERFC"):
            return np.array([getattr(math, row.lower)(float(x)) for x in wide[0]], wide[0].dtype)
        return getattr(np, {"POW": "power"}.get(row.name, row.python_name))(*wide)


def units(got, want):
    """Errors in units in the last place of the exact result; for subnormal results, of the smallest normal number."""
    info = np.finfo(got.dtype)
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        exponent = np.maximum(np.frexp(np.where(np.isfinite(want), want, 1))[1], info.minexp + 1)
        error = np.abs(got.astype(want.dtype) - want) / np.ldexp(np.ones_like(want), exponent - info.nmant - 1)
        special = ~np.isfinite(got) | ~np.isfinite(rounded)
        alike = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
        top = special & (np.abs(want) >= info.max) & (np.abs(got) >= info.max)  # both next to overflow
        return np.where(special, np.where(alike | top, 0, np.inf), error).astype(np.float64)


def bits(values):
    """With one NaN for all: its sign is what the compiler makes of it."""
    return np.where(values != values, np.array(np.nan, values.dtype), values).tobytes()


def applied(row, *args):
    return getattr(tenon, row.python_name)(*(tenon.asarray(x, device=CPU) for x in args)).numpy()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("row", BOUND, ids=lambda row: row.lower)
def test_errors_stay_below_the_documented_bounds(row, dtype, random):
    args = (arguments(row, dtype, random),) if row.kind == "unary" else pairs(row, dtype, random)
    got, want = applied(row, *args), exact(row, *args)
    error = units(got, want)
    bound = row.errors[dtype == "float64"] + (1 if row.name in ("ERF", "ERFC") and dtype == "float64" else 0)
    at = int(np.argmax(error))
    assert error[at] <= bound, \
        f"{row.lower}{tuple(x[at].item() for x in args)} = {got[at].item()!r}, exactly {want[at]!r}: {error[at]} units"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("row", BOUND, ids=lambda row: row.lower)
def test_special_values_are_those_of_c(row, dtype):
    info = np.finfo(dtype)
    ends = [0.0, 1, 2, 3, 0.5, np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal, 1e6, 48000, 700, 2.0**31]
    x = np.array([sign * end for end in ends for sign in (1, -1)], dtype)
    args = (x,) if row.kind == "unary" else tuple(np.meshgrid(x, x))
    args = tuple(np.ascontiguousarray(one).ravel() for one in args)
    got, want = applied(row, *args), exact(row, *args)
    error = units(got, want)
    with np.errstate(all="ignore"):
        signs = (np.signbit(got) == np.signbit(want)) | np.isnan(got)
    wrong = (error > row.errors[dtype == "float64"] + 1) | ~signs
    assert not wrong.any(), [(*(one[i].item() for one in args), got[i].item(), want[i]) for i in np.flatnonzero(wrong)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("row", BOUND, ids=lambda row: row.lower)
def test_results_do_not_depend_on_length_and_alignment(row, dtype, random):
    args = [x[random.permutation(x.size)[:3001]] for x in (
        (arguments(row, dtype, random),) if row.kind == "unary" else pairs(row, dtype, random))]
    whole = applied(row, *args)
    for begin, end, step in ((0, 1, 1), (3, 10, 1), (1, 3001, 1), (5, 2000, 3), (700, 1400, 2)):
        part = tuple(tenon.asarray(x, device=CPU)[begin:end:step] for x in args)
        got = getattr(tenon, row.python_name)(*part).numpy()
        assert bits(got) == bits(whole[begin:end:step]), (begin, end, step)


DIGESTS = importing(__file__) + """
import hashlib
import numpy as np
import test_functions_accuracy as here
for row in here.BOUND:
    for dtype in ("float32", "float64"):
        random = np.random.default_rng(11)
        args = (here.arguments(row, dtype, random),) if row.kind == "unary" else here.pairs(row, dtype, random)
        got = here.applied(row, *args)
        print(row.lower, dtype, hashlib.sha256(here.bits(got)).hexdigest())
"""


def test_every_instruction_set_and_number_of_threads_gives_the_same_bits():
    def run(**environment):
        done = run_python(DIGESTS, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n")

    usual = run()
    assert len(usual) == 2 * len(BOUND) + 1
    assert run(TENON_CPU_ISA="x86-64-v2", TENON_CPU_THREADS="1") == usual
    assert run(TENON_CPU_ISA="x86-64-v3", TENON_CPU_THREADS="3") == usual
