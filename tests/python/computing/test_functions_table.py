"""Every row of src/functions/table.py, compared with NumPy or SciPy for ordinary and special values in all its dtypes;
and the text compiled for GPUs, compared with the CPU device's own code."""

import ctypes
import importlib.util
import sys
import warnings

import numpy as np
import pytest
from conftest import ROOT, on

import tenon
from tenon import _compute, _raw
from tenon._library import lib

ROOM = ROOT / "src/functions"
_spec = importlib.util.spec_from_file_location("functions_table", ROOM / "table.py")
table = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = table
_spec.loader.exec_module(table)

ROWS = {row.name: row for row in table.ROWS}
APPLIED = [row for row in table.ROWS if row.public and row.kind in ("unary", "binary")]
DTYPES = {"b": ["bool"], "i": ["int8", "int16", "int32", "int64"], "u": ["uint8", "uint16", "uint32", "uint64"],
          "f": ["float16", "float32", "float64"], "c": ["complex64", "complex128"]}


def dtypes_of(row):
    return [dtype for kind in row.takes for dtype in DTYPES[kind]]


def specials(dtype, count, random):
    """Numbers of a dtype: first its extremes, zeros, infinities and NaN, then random ones."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, count).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        ends = [info.min, info.max, 0, 1, info.max - 1, info.min + 1, 2, 7, 3, 100]
        ends += [-1, -2, -7, -100] if dtype.kind == "i" else []
        wide = random.integers(info.min, info.max, count // 2, dtype=dtype, endpoint=True)
        small = random.integers(-9 if dtype.kind == "i" else 0, 9, count - count // 2).astype(dtype)
        values = np.concatenate([np.array(ends, dtype), random.permutation(np.concatenate([wide, small]))])
        return values[:count]
    if dtype.kind == "c":
        part = np.float32 if dtype == np.complex64 else np.float64
        parts = random.standard_normal((2, count)).astype(part) * 2
        parts[:, :6] = [[0, 1, -1, 0, 0.5, 1e-3], [0, 0, 0, 1, -1, 1e-3]]
        return (parts[0] + 1j * parts[1]).astype(dtype)
    info = np.finfo(dtype)
    ends = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, info.max, info.min, info.tiny, info.smallest_subnormal, 0.5,
            -0.5, 1.5, 2.5, -2.5, 0.1]
    values = np.concatenate([np.array(ends, dtype), (random.standard_normal(count) * 3).astype(dtype)])
    return values[:count].astype(dtype)


def within(row, values):
    """The numbers for which NumPy and SciPy are the reference."""
    if values.dtype.kind not in "f":
        return values
    domain = {"all": lambda x: np.abs(x) < 1e4, "unit": lambda x: np.abs(x) <= 1, "small": lambda x: np.abs(x) < 5,
              "over_one": lambda x: (x >= 1) & (x < 1e4), "positive_small": lambda x: (x > 0.01) & (x < 20),
              "probability": lambda x: (x > 0.01) & (x < 0.99)}[row.domain]
    with np.errstate(all="ignore"):
        return np.where(domain(values), values, np.array(0.75 if row.domain != "over_one" else 1.25, values.dtype))


def reference(row, *args):
    names = {"np": np, "x": args[0], "y": args[-1]}
    if "special" in row.reference:
        names["special"] = pytest.importorskip("scipy.special")
    text = row.reference or f"np.{row.python_name}({'x' if row.kind == 'unary' else 'x, y'})"
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(eval(text, names))


def expected(row, *args):
    """The result in the dtype in which the function is computed; float16 in float32, rounded once, but for the next
    number, which depends on the dtype."""
    dtype = args[0].dtype
    if dtype == np.float16 and row.name != "NEXTAFTER":
        result = reference(row, *(x.astype(np.float32) for x in args))
        with np.errstate(over="ignore"):
            return result.astype(np.float16) if result.dtype == np.float32 else result
    wider = {np.dtype("complex64"): np.complex128, np.dtype("complex128"): np.clongdouble}.get(dtype)
    if wider is not None and row.ulp:  # NumPy's own error can be larger
        result = reference(row, *(x.astype(wider) for x in args))
        return result.astype(dtype if result.dtype.kind == "c" else np.empty(0, dtype).real.dtype)
    return reference(row, *args)


def expect_close(row, got, want, args):
    assert got.dtype == want.dtype and got.shape == want.shape, \
        f"{row.name}: {got.dtype} {got.shape}, {want.dtype} {want.shape}"
    if want.dtype.kind not in "fc" or row.ulp == 0:
        same = (got == want) | ((got != got) & (want != want))
    else:
        with np.errstate(all="ignore"):
            real = want.real.dtype
            slack = row.ulp * np.finfo(real).eps * np.maximum(np.abs(want), row.least) \
                + 2 * np.finfo(real).smallest_subnormal
            same = (got == want) | ((got != got) & (want != want)) | (np.abs(got - want) <= slack)
    if not same.all():
        at = np.flatnonzero(~same)[0]
        raise AssertionError(f"{row.name} of {[x[at].item() for x in args]} in {args[0].dtype}: {got[at]!r}, and the "
                             f"reference has {want[at]!r} "
                             f"({np.count_nonzero(~same)} of {same.size} differ)")


def sample(row, dtype, random, count=203):
    x = specials(dtype, count, random)
    if row.kind == "unary":
        return (within(row, x) if row.ulp else x,)
    y = specials(dtype, count, random)[random.permutation(count)]
    if row.name == "POW" and y.dtype.kind in "iu":
        y = np.abs(y.astype("int64") % 7).astype(dtype)
    if row.name == "POW" and y.dtype.kind == "c":
        y = np.round(y.real).astype(dtype)
    if row.name in ("GCD", "LCM") and y.dtype.kind == "i":
        x, y = np.maximum(x, -np.iinfo(dtype).max), np.maximum(y, -np.iinfo(dtype).max)
    if row.ulp and np.dtype(dtype).kind == "f":
        x, y = within(row, x), within(row, y)
    if row.name == "XLOGY":
        y = np.abs(y)
    if row.name == "POW" and np.dtype(dtype).kind == "f":
        x = np.abs(x)
    if row.name == "DIVIDE" and np.dtype(dtype).kind == "c":
        y = np.where(y == 0, 1, y)
    return x, y


def call(row, *arrays, **options):
    return getattr(tenon, row.python_name)(*arrays, **options)


@pytest.mark.parametrize("row", APPLIED, ids=lambda row: row.lower)
def test_a_function_is_numpys(device, random, row):
    for dtype in dtypes_of(row):
        args = sample(row, dtype, random)
        if row.name == "RECIPROCAL" and np.dtype(dtype).kind == "c":
            args = (np.where(args[0] == 0, 1, args[0]).astype(dtype),)
        if row.name in ("LOG", "LOG2", "LOG10", "ATANH", "ATAN", "SIGN", "LOG1P") and np.dtype(dtype).kind == "c":
            args = tuple(np.where((x == 0) | (x == 1) | (x == -1) | (x == 1j) | (x == -1j), 0.25 + 0.5j,
                                  x).astype(dtype) for x in args)
        got = call(row, *(on(device, x) for x in args)).numpy()
        expect_close(row, got, expected(row, *args), args)


@pytest.mark.parametrize("row", [row for row in APPLIED if row.ulp and "f" in row.takes and row.kind == "unary"
                                 and not row.reference],
                         ids=lambda row: row.lower)
def test_special_values_of_inexact_functions_are_numpys(device, row):
    for dtype in ("float32", "float64"):
        x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0], dtype)
        if row.name in ("COS", "SIN", "TAN", "SINC") or row.name == "SINC":
            x = x[np.isfinite(x) | np.isnan(x)]
        got, want = call(row, on(device, x)).numpy(), reference(row, x)
        np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == "float32" else 1e-12, atol=1e-7, err_msg=row.name)
        zero = want == 0
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]), err_msg=row.name)


@pytest.mark.parametrize("row", [row for row in APPLIED if set("iub") - set(row.takes) == set("iub")],
                         ids=lambda row: row.lower)
def test_integers_of_floating_point_functions_are_float64(row):
    x = np.array([1, 1, 1], "int16")
    args = (x,) if row.kind == "unary" else (x, x)
    got, want = call(row, *map(tenon.asarray, args)), call(row, *(tenon.asarray(a.astype("float64")) for a in args))
    assert got.dtype == want.dtype and np.array_equal(got.numpy(), want.numpy(), equal_nan=True)


@pytest.mark.parametrize("row", APPLIED, ids=lambda row: row.lower)
def test_what_a_function_does_not_take_is_refused(row):
    wrong = [kind for kind in "biufc" if kind not in row.takes and not (kind in "biu" and "f" in row.takes
                                                                        and "i" not in row.takes)]
    for kind in wrong:
        x = tenon.ones(2, DTYPES[kind][0])
        with pytest.raises(tenon.DTypeError, match=f"{row.lower} is not defined for {DTYPES[kind][0]}: it takes"):
            call(row, *([x] if row.kind == "unary" else [x, x]))


@pytest.mark.parametrize("row", APPLIED, ids=lambda row: row.lower)
def test_every_name_and_docstring_is_there(row):
    for name in (row.python_name, *row.aliases):
        assert row.doc.split()[0] in getattr(tenon, name).__doc__
    assert getattr(_raw, f"TENON_FN_{row.name}") == row.code


# --- the text for GPUs ---

TYPES = {"bool": "bool", "int16": "short", "uint64": "unsigned long long", "float32": "float",
         "complex128": "complex<double>"}


def texts(kind):
    names = ["real.cuh"] + (["complex_functions.cuh"] if kind == "c" else [])
    return "".join((ROOM / name).read_text() for name in names)


@pytest.mark.parametrize("dtype", TYPES)
def test_the_compiled_text_gives_the_librarys_bits(dtype, random):
    kind = np.dtype(dtype).kind
    rows = [row for row in APPLIED if kind in row.takes]
    part = {"complex128": "double"}.get(dtype, TYPES[dtype])
    x, y = specials(dtype, 331, random), specials(dtype, 331, random)[random.permutation(331)]
    for first in range(0, len(rows), 25):
        some = rows[first:first + 25]
        results = {row: call(row, *map(tenon.asarray, (x, y)[:1 if row.kind == "unary" else 2])) for row in some}
        body = "typedef " + TYPES[dtype] + " T; typedef " + part + " tenon_g_real;\n" + "\n".join(
            f"r{row.code} = {row.body_of(kind)};" for row in some)
        outputs = ", ".join(f"{results[row].dtype} r{row.code}" for row in some)
        compiled = tenon.elementwise(f"{dtype} x, {dtype} y", outputs, body, preamble=texts(kind),
                                     options=["-fmad=false"])
        got = compiled(tenon.asarray(x), tenon.asarray(y))
        for row, one in zip(some, got if isinstance(got, tuple) else (got,)):
            want = results[row].numpy()
            # others call the C library, or its replacement in kernels
            if row.ulp == 0 or want.dtype.kind not in "fc":
                np.testing.assert_array_equal(one.numpy(), want, err_msg=row.name)
                assert (np.signbit(one.numpy()) == np.signbit(want))[want == 0].all() if want.dtype.kind == "f" \
                    else True, row.name
            else:
                usual = slice(20, None)
                with np.errstate(all="ignore"):
                    np.testing.assert_allclose(one.numpy()[usual], want[usual],
                                               rtol=max(row.ulp, 8) * np.finfo(want.real.dtype).eps * 4,
                                               atol=1e-6 if dtype == "float32" else 1e-14, err_msg=row.name)


def compiled(kind, code, *values, **fields):
    """A call with TENON_APPLY_COMPILED."""
    packed, arrays = _compute.operands(*values)
    out = ctypes.c_void_p()
    options = {"reduce": _raw.tenon_reduce_options,
               "accumulate": _raw.tenon_accumulate_options}.get(kind, _raw.tenon_compute_options)(
        flags=_raw.TENON_APPLY_COMPILED, **fields)
    function = getattr(lib, f"tenon_{kind}")
    if kind == "cast":
        status = function(packed[0], code, ctypes.byref(options), None, ctypes.byref(out))
    elif kind in ("select", "clip"):
        status = function(*packed, ctypes.byref(options), None, ctypes.byref(out))
    else:
        status = function(code, *packed, ctypes.byref(options), None, ctypes.byref(out))
    if status:
        _compute.raise_last(status)
    return tenon.Array._own(out)


def expect_same(got, want, rtol=0.0):
    assert got.dtype == want.dtype and got.shape == want.shape
    if rtol:
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=rtol)
    else:
        np.testing.assert_array_equal(got.numpy(), want.numpy())


def test_calls_by_compiled_kernels_are_the_librarys(random):
    x = tenon.asarray((random.standard_normal((40, 33)) * 100).astype("float32"))
    h, k = tenon.asarray(random.standard_normal((40, 33)).astype("float16")), \
        tenon.asarray(random.integers(-9, 9, 33).astype("int32"))
    expect_same(compiled("binary", _raw.TENON_FN_MULTIPLY, h, k), h * k)
    expect_same(compiled("select", None, x > 0, x, 7.0), tenon.where(x > 0, x, 7.0))
    expect_same(compiled("cast", _raw.TENON_INT8, x), x.astype("int8"))
    axes = (ctypes.c_int32 * 1)(0)
    one = {"axes": axes, "axis_count": 1}
    for code, name, rtol in ((_raw.TENON_FN_SUM, "sum", 1e-4), (_raw.TENON_FN_ARGMAX, "argmax", 0),
                             (_raw.TENON_FN_VAR, "var", 1e-5)):
        value = x + 100 if name == "sum" else x
        expect_same(compiled("reduce", code, value, **one), getattr(tenon, name)(value, 0), rtol)
        if name != "argmax":
            none = {"no_axes": 1}
            expect_same(compiled("reduce", code, value, **none), getattr(tenon, name)(value, axis=()), rtol)
    z = tenon.asarray(np.array([[0, 1j, 2], [0, 0, 1j]], "complex64"))
    for code, name in ((_raw.TENON_FN_ANY, "any"), (_raw.TENON_FN_ALL, "all"),
                       (_raw.TENON_FN_COUNT_NONZERO, "count_nonzero")):
        expect_same(compiled("reduce", code, z, **one), getattr(tenon, name)(z, axis=0))
    got = compiled("accumulate", _raw.TENON_FN_CUMULATIVE_SUM, k, axis=0, exclusive=1)
    assert got.tolist() == [0, *np.cumsum(k.numpy())[:-1].tolist()]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_the_variance_in_one_pass_is_as_exact_as_in_two(dtype, random):
    def variance(x, code=_raw.TENON_FN_VAR, axis=None, **fields):
        if axis is not None:
            fields |= {"axes": (ctypes.c_int32 * len(axis))(*axis), "axis_count": len(axis)}
        return compiled("reduce", code, tenon.asarray(x).astype(dtype), **fields).astype("float64").numpy()

    eps = {"float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}[dtype]
    far = 3000.0 + random.standard_normal(50000) * (0.002 if dtype == "float32" else 30)
    far[0] = -3000  # the element that the differences are taken from
    cases = [far, np.full(999, 12345.678), random.standard_normal((5, 300)), random.standard_normal((300, 5)).T]
    for x in cases:
        exact = tenon.asarray(x).astype(dtype).astype("float64").numpy()
        np.testing.assert_allclose(variance(x), exact.var(), rtol=eps, atol=1e-30)
        std = variance(x, _raw.TENON_FN_STD, correction=1)
        np.testing.assert_allclose(std, exact.std(ddof=1), rtol=eps, atol=1e-15)
    x = random.standard_normal((7, 6, 11)) * np.arange(1, 7)[:, None] + 50
    exact = tenon.asarray(x).astype(dtype).astype("float64").numpy()
    for axis in ((0,), (1,), (2,), (0, 2), (0, 1, 2)):
        np.testing.assert_allclose(variance(x, axis=axis), exact.var(axis), rtol=eps)
    for bad in (np.nan, np.inf):
        for place in (0, 3):
            y = random.standard_normal(9)
            y[place] = bad
            assert np.isnan(variance(y))
    assert np.isnan(variance(np.ones(1), correction=1))
