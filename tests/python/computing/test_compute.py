"""Operators, broadcasting, result types, reductions and scans, compared with NumPy for random shapes, strides and
dtypes."""

import itertools
import operator
import warnings

import numpy as np
import pytest
from conftest import REAL, eps, importing, on, run_python

import tenon
from tenon import _raw

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]


def numbers(random, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return random.integers(0 if dtype.kind == "u" else -100, 100, shape).astype(dtype)
    values = random.standard_normal(shape) * 4
    return (values + 1j * random.standard_normal(shape) if dtype.kind == "c" else values).astype(dtype)


def strided(random, shape, dtype):
    """An array of that shape that is a view of a larger one: with steps, reversed axes, or another order of axes."""
    order = random.permutation(len(shape))
    steps = [int(random.choice([1, 1, 2, -1, -3])) for _ in shape]
    base = numbers(random, [max(1, shape[a] * abs(steps[a])) for a in order], dtype)
    view = base[tuple(slice(None, None, steps[a]) for a in order)].transpose(np.argsort(order))
    return view[tuple(slice(0, extent) for extent in shape)]


def shapes(random, count):
    """Random shapes that broadcast together."""
    rank = int(random.integers(0, 5))
    whole = [int(random.choice([0, 1, 2, 3, 5, 8, 17], p=[0.04, 0.16, 0.2, 0.2, 0.2, 0.1, 0.1])) for _ in range(rank)]
    out = []
    for _ in range(count):
        shape = [1 if random.random() < 0.25 else extent for extent in whole]
        out.append(tuple(shape[int(random.integers(0, rank + 1)) if random.random() < 0.3 else 0:]))
    return out


def quiet(function, *args, **options):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def expect(got, want, exact, what=""):
    want = np.asarray(want)
    assert got.dtype == want.dtype and got.shape \
        == want.shape, f"{what}: {got.dtype} {got.shape}, {want.dtype} {want.shape}"
    if exact or want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got.numpy(), want, err_msg=str(what))
    else:
        tolerance = np.finfo(want.real.dtype).eps
        np.testing.assert_allclose(got.numpy(), want, rtol=40 * tolerance, atol=40 * tolerance
                                   * (np.max(np.abs(want), initial=0, where=np.isfinite(want)) or 1), err_msg=str(what))


BINARY = {"add": "biufc", "subtract": "iufc", "multiply": "biufc", "maximum": "biufc",
          "minimum": "biufc", "fmax": "biufc", "fmin": "biufc", "less": "biuf", "equal": "biufc", "greater_equal": "biuf",
          "not_equal": "biufc", "bitwise_and": "biu", "bitwise_xor": "biu", "logical_or": "biufc", "remainder": "iuf",
          "floor_divide": "iuf", "divide": "f"}


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_of_two_operands_are_numpys(device, seed):
    random = np.random.default_rng(seed)
    for _ in range(100):
        name = str(random.choice(list(BINARY)))
        a, b = (strided(random, shape, str(random.choice(DTYPES))) for shape in shapes(random, 2))
        together = np.result_type(a.dtype, b.dtype)
        if together.kind not in BINARY[name] or {a.dtype.kind,
                                                 b.dtype.kind} == {"f", "c"} and "float16" in (a.dtype, b.dtype):
            continue
        x, y = a.astype(together), b.astype(together)
        want = quiet(getattr(np, name), x, y)
        p, q = tenon.asarray(a).to_device(device), tenon.asarray(b).to_device(device)
        got = getattr(tenon, name)(p, q)
        exact = together.kind != "c" and together != np.float16
        expect(got, want, exact, (name, a.dtype, b.dtype, a.shape, b.shape, a.strides, b.strides))
        out = tenon.asarray(strided(random, want.shape, want.dtype), copy=True).to_device(device)
        assert getattr(tenon, name)(p, q, out=out) is out
        expect(out, want, exact, name)


@pytest.mark.parametrize("shape", [(100_000,), (300, 257), (7, 40_000), (4000, 3), (70, 80, 90)])
@pytest.mark.parametrize("dtype", ["float32", "int8", "float16"])
def test_large_arrays_of_every_layout_are_numpys(shape, dtype, random):
    a, b = numbers(random, shape, dtype), numbers(random, shape[-1:], dtype)
    for x in (a, a.T, np.asfortranarray(a), a[..., ::-1], a[::2]):
        other = b if x.shape[-1:] == b.shape else x[..., :1]
        expect(tenon.asarray(x) + tenon.asarray(other), quiet(np.add, x, other), True)
        expect(tenon.asarray(x) + tenon.asarray(x).T.copy().T, quiet(np.add, x, x), True)
        expect(-tenon.asarray(x), quiet(np.negative, x), True)


def test_result_types_are_numpys():
    for a, b in itertools.product(DTYPES, DTYPES):
        assert tenon.result_type(a, b) == np.result_type(a, b), (a, b)
        assert tenon.result_type(a, tenon.ones(2, b)) == np.result_type(a, b)
        assert tenon.can_cast(a, b) == (np.result_type(a, b) == np.dtype(b))
    for dtype, number in itertools.product(DTYPES, (True, 3, 2.5, 1j)):
        assert tenon.result_type(dtype, number) == np.result_type(np.empty(0, dtype), number), (dtype, number)
    assert [tenon.result_type("bfloat16", other) for other in ("bfloat16", "int8", "int16",
                                                               "float16", "float32", "complex64", "int64")] == \
        ["bfloat16", "bfloat16", "float32", "float32", "float32", "complex64", "float64"]
    assert tenon.result_type(1, 2.0) == "float64" and tenon.result_type(True) == "bool" \
        and tenon.result_type(2**63) == "uint64"


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
             operator.mod, operator.pow, operator.eq, operator.ne, operator.lt, operator.le,
             operator.gt, operator.ge, operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
BITS = OPERATORS[13:]


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators_are_numpys(device, op):
    for dtype in ("int32", "uint8") if op in BITS else ("int32", "uint8", "float32"):
        a, b = np.array([[1, 2, 3], [4, 5, 6]], dtype), np.array([3, 1, 2], dtype)
        x, y = on(device, a), on(device, b)
        exact = op not in (operator.pow, operator.truediv)
        expect(op(x, y), op(a, b), exact)
        expect(op(x, 2), op(a, 2), exact)
        if op not in (operator.lshift, operator.rshift):
            expect(op(7, y), op(7, b), exact)
            if device.kind == "cpu":
                expect(op(y, np.asarray(a)), op(b, a), exact)
            else:
                with pytest.raises(tenon.DeviceError, match="cpu:0.*cuda:0|cuda:0.*cpu:0"):
                    op(y, np.asarray(a))
        if dtype == "float32":
            expect(op(x, 0.1), op(a, 0.1), exact)
            if device.kind == "cpu":
                expect(op(a, x), op(a, a), exact)  # NumPy's array on the left
    with pytest.raises(TypeError, match="unsupported operand|not supported"):
        op(x, None) if op not in (operator.eq, operator.ne) else operator.lt(x, None)


@pytest.mark.parametrize("op", [operator.iadd, operator.isub, operator.imul, operator.ifloordiv,
                                operator.imod, operator.ipow],
                         ids=lambda op: op.__name__)
def test_operators_in_place_write_the_arrays_own_memory(device, op):
    a = np.array([[1, 2, 3], [4, 5, 6]], "int32")
    x, want = on(device, a), op(a.copy(), np.array([3, 1, 2], "int32"))
    row, address = x[1], x.data_ptr
    y = op(x, on(device, np.array([3, 1, 2], "int32")))
    assert y is x and x.data_ptr == address and row.tolist() == want[1].tolist()
    expect(x, want, True)


def test_operators_in_place_keep_dtype_and_shape():
    x = tenon.asarray(np.arange(6, dtype="float32").reshape(2, 3))
    y = x
    x += np.ones(3)  # NumPy's float64: the sum is rounded to float32
    x -= x[::-1]     # shares memory
    assert x is y and x.dtype == "float32" and x.tolist() == [[-3, -3, -3], [3, 3, 3]]
    x[1:] += x[:1]
    assert x.tolist() == [[-3] * 3, [0] * 3]
    whole = tenon.asarray(np.arange(3))
    with pytest.raises(tenon.DTypeError, match="float64, which an array of int64 does not hold"):
        whole /= 2
    with pytest.raises(tenon.ShapeError, match="stays as it is"):
        whole += tenon.ones((2, 3), "int64")
    with pytest.raises(tenon.ReadOnlyError):
        view = whole.broadcast_to((2, 3))
        view += 1
    assert whole.tolist() == [0, 1, 2]


def test_numbers_of_python_take_the_arrays_dtype():
    x = tenon.asarray(np.array([1, 2], "uint8"))
    assert (x + 255).tolist() == [0, 1] and (x + 255).dtype == "uint8" and (x + 1.5).dtype == "float64" \
        and (x + True).dtype == "uint8"
    assert (tenon.ones(2, "float16") * 0.1).dtype == "float16" and (tenon.ones(2, "bfloat16") + 1).dtype == "bfloat16"
    assert (tenon.ones(2, "float32") * 1j).dtype == "complex64" and (tenon.ones(2, "bool") + 1).dtype == "int64"
    assert (tenon.ones(2, "float32") + np.float64(1)).dtype == "float64"  # NumPy's scalars have a dtype
    for number in (256, -1, 2**64, -2**70):
        with pytest.raises(OverflowError):
            x + number
    with pytest.raises(tenon.SizeOverflow, match="y is 256, which uint8 cannot hold"):
        x + 256
    assert tenon.add(1, 2).item() == 3 and tenon.sqrt(4).item() == 2 and tenon.where(True, 1, 2.5).dtype == "float64"


def test_where_and_clip_are_numpys(device, random):
    for dtype in DTYPES:
        c, a, b = (strided(random, (5, 1, 7), "bool"), strided(random, (4, 7), dtype),
                   strided(random, (5, 4, 1), dtype))
        got = tenon.where(on(device, c), on(device, a), on(device, b))
        expect(got, np.where(c, a, b), True)
        if np.dtype(dtype).kind in "iuf":
            low, high = np.array(2, dtype), np.full((4, 1), 5, dtype)
            expect(tenon.clip(on(device, a), on(device, low), on(device, high)), np.clip(a, low, high), True)
            expect(on(device, a).clip(2, 5), np.clip(a, 2, 5), True)
            expect(tenon.clip(on(device, a), max=3), np.minimum(a, np.array(3, dtype)), True)
    expect(tenon.where(on(device, np.array([0.0, 2.0, np.nan])), 1, 2), np.array([2, 1, 1]), True)
    mixed = tenon.where(on(device, [True, False]), tenon.ones(2, "float16", device=device),
                        tenon.ones(2, "int8", device=device))
    assert mixed.dtype == "float16" and mixed.tolist() == [1, 1]
    nan = tenon.clip(tenon.asarray([np.nan, 1.0, 9.0]), 2.0, 5.0)
    assert np.isnan(nan[0].item()) and nan[1:].tolist() == [2, 5]
    with pytest.raises(tenon.DTypeError, match="low is float64, which the dtype of x, int64, cannot hold"):
        tenon.clip(tenon.asarray([1]), tenon.asarray(0.5))


def test_casts_saturate_and_round(device):
    x = np.array([0.5, -0.5, 1.9, -1.9, 127.9, 128.5, -129, 300, 1e30, -1e30, np.inf, -np.inf, np.nan], "float64")
    for dtype in [one for one in DTYPES if np.dtype(one).kind in "iu"]:
        info = np.iinfo(dtype)
        want = [0 if np.isnan(v) else info.max if v >= info.max else info.min if v <= info.min else int(v) for v in x]
        for source in ("float64", "float32", "float16", "complex128"):
            with np.errstate(over="ignore"):
                a = x.astype(source)
            narrow = [0 if np.isnan(v) else info.max if v >= info.max else info.min if v <= info.min else int(v)
                      for v in a.real.astype(float)]
            assert on(device, a).astype(dtype).tolist() == (want if source == "float64" else narrow), (source, dtype)
    wide = np.array([0, 1, 255, 256, -1, 70000], "int64")
    for dtype in DTYPES:
        expect(on(device, wide).astype(dtype), quiet(wide.astype, dtype), True)
    assert on(device, np.array([1 + 2j])).astype("float32").tolist() == [1] \
        and on(device, x).astype("bool").tolist() == x.astype(bool).tolist()


def around_limits(source):
    """Floats around every power of two, fractions and what is not finite: enough of each for whole vectors."""
    powers = np.ldexp(1.0, np.arange(-2, 66))
    x = np.concatenate([powers, -powers]).astype(source)
    with np.errstate(over="ignore"):
        x = np.concatenate([x, np.nextafter(x, source(0)), np.nextafter(x, source(np.inf)), np.nextafter(x, source(-np.inf))])
    special = np.array([0.0, -0.0, 0.5, -0.5, np.nan, np.inf, -np.inf, np.finfo(source).max, np.finfo(source).tiny], source)
    return np.concatenate([x, special, np.random.default_rng(5).permutation(np.concatenate([x, special]))])


def saturated(x, dtype):
    info = np.iinfo(dtype)
    return [0 if v != v else info.max if v >= info.max else info.min if v <= info.min else int(v) for v in x.tolist()]


def casts_of_limits(device):
    for source in (np.float32, np.float64):
        x = around_limits(source)
        for dtype in [one for one in DTYPES if np.dtype(one).kind in "iu"]:
            assert on(device, x).astype(dtype).tolist() == saturated(x, dtype), (source, dtype)
            strided = on(device, np.repeat(x, 2))[::2]
            assert strided.astype(dtype).tolist() == saturated(x, dtype), (source, dtype, "strided")


def test_casts_saturate_at_every_limit(device):
    casts_of_limits(device)


@pytest.mark.parametrize("isa", ["x86-64-v2", "x86-64-v3"])
def test_casts_are_the_same_with_every_instruction_set(isa):
    script = f"{importing(__file__)}import test_compute; test_compute.casts_of_limits('cpu:0')"
    done = run_python(script, TENON_CPU_ISA=isa)
    assert done.returncode == 0, done.stderr


def test_parts_of_complex_numbers_are_views(device):
    z = on(device, np.array([[1 + 2j, 3 + 4j], [5 + 6j, 7 + 8j]]))
    z.T.real[1] = 9
    assert z.tolist() == [[1 + 2j, 9 + 4j], [5 + 6j, 9 + 8j]] and z[:, 1].imag.tolist() == [4, 8] \
        and z.imag.dtype == "float64"
    x = tenon.ones(3)
    assert x.real is x and x.imag.tolist() == [0, 0, 0] and z.conj().imag.tolist() == [[-2, -4], [-6, -8]]


# --- reductions ---

REDUCE = {"sum": "biufc", "prod": "biufc", "max": "biufc", "min": "biufc", "all": "biufc", "any": "biufc",
          "count_nonzero": "biufc", "mean": "biufc", "var": "biufc", "std": "biufc", "argmax": "biufc",
          "argmin": "biufc"}


def numpys(name, a, axis, keep):
    if name == "count_nonzero":
        return np.count_nonzero(a, axis=axis, keepdims=keep)
    function = getattr(np, name)
    if a.dtype == np.float16 and name in ("sum", "prod", "mean", "var", "std"):  # NumPy rounds intermediate results
        return quiet(function, a.astype("float64"), axis=axis, keepdims=keep).astype("float16")
    return quiet(function, a, axis=axis, keepdims=keep)


@pytest.mark.parametrize("seed", range(6))
def test_random_reductions_are_numpys(device, seed):
    random = np.random.default_rng(100 + seed)
    for _ in range(90):
        name = str(random.choice(list(REDUCE)))
        dtype = str(random.choice([one for one in DTYPES if np.dtype(one).kind in REDUCE[name]]))
        rank = int(random.integers(1, 5))
        a = strided(random, tuple(int(random.choice([1, 2, 3, 9, 40])) for _ in range(rank)), dtype)
        if name == "prod" and np.dtype(dtype).kind in "fc":
            a = (a / (np.abs(a) + 1)).astype(dtype)
        single = name.startswith("arg")
        axis = None if random.random() < 0.3 else \
            int(random.integers(-rank, rank)) if single or random.random() < 0.4 else \
            tuple(int(one) for one in random.permutation(rank)[:random.integers(1, rank + 1)])
        keep = bool(random.integers(0, 2))
        want = np.asarray(numpys(name, a, axis, keep))
        if name in ("mean", "var", "std") and np.dtype(dtype).kind in "biu":
            want = want.astype("float64")
        got = getattr(tenon, name)(tenon.asarray(a).to_device(device), axis, keepdims=keep)
        expect(got, want, name in ("max", "min"), (name, dtype, a.shape, a.strides, axis, keep))


@pytest.mark.parametrize("shape, axis", [((1_000_003,), None), ((3, 300_000), 1), ((300_000, 3), 0),
                                         ((2000, 700), 0), ((700, 2000), 1), ((40, 50, 60), (0, 2)), ((100_000, 9), 0)])
def test_large_reductions_are_numpys_and_repeat(random, shape, axis):
    for dtype in ("float32", "int16"):
        a = numbers(random, shape, dtype)
        x = tenon.asarray(a)
        expect(tenon.sum(x, axis), np.sum(a.astype("float64"), axis).astype(np.sum(a[:1]).dtype), False)
        expect(tenon.max(x, axis), np.max(a, axis), True)
        expect(tenon.mean(x, axis), np.mean(a.astype("float64"), axis).astype(np.mean(a[:1]).dtype), False)
        if dtype == "float32":  # of long columns NumPy's is less accurate in float64 than what it would be compared with
            expect(tenon.std(x, axis), np.std(a.astype("float64"), axis).astype(dtype), False)
        first = tenon.sum(x, axis).tobytes()
        assert all(tenon.sum(x, axis).tobytes() == first for _ in range(3))
        if not isinstance(axis, tuple):
            expect(tenon.argmin(x, axis), np.argmin(a, axis), True)


def test_sums_do_not_depend_on_threads(random):
    program = ("import numpy, tenon; x = numpy.random.default_rng(5).standard_normal((3, 700_001)).astype('float32');"
               "y = x.reshape(-1)[:2_000_000].reshape(2000, 1000);"
               "print([tenon.sum(x).item(), *tenon.sum(x, 1).tolist(), tenon.std(x).item(), tenon.sum(y, 0)[7].item(), "
               "tenon.std(y, 0)[7].item(), tenon.argmax(x).item(), *tenon.argmin(x, 1).tolist(), "
               "tenon.cumsum(x, 1)[1, -1].item()])")
    outputs = {(done.returncode, done.stdout) for done in (run_python(program, TENON_CPU_THREADS=str(count))
                                                           for count in (1, 3))}
    assert len(outputs) == 1 and outputs.pop()[0] == 0


@pytest.mark.parametrize("dtype", [one for one in DTYPES if "int" in one])
def test_integers_divide_exactly(device, random, dtype):
    """Every pair of small numbers, and numbers around multiples of the divisor up to the ends of the range."""
    ends = np.iinfo(dtype)
    if ends.bits == 8:
        x, y = (part.reshape(-1).astype(dtype) for part in np.mgrid[ends.min:ends.max + 1, ends.min:ends.max + 1])
    else:
        y = random.integers(ends.min, ends.max, 100_000, dtype, endpoint=True) >> random.integers(
            0, ends.bits - 1, 100_000, dtype)
        bound = ends.max // np.where(y == 0, 1, np.abs(np.where(y == ends.min, 1, y)))
        multiple = (random.random(len(y)) * bound.astype("f8") * 0.999).astype(dtype) * y
        x = np.where(random.integers(0, 2, len(y)) == 0, multiple, ends.max - y)
        x = x + random.integers(0, 3, len(y), dtype) - np.array(1, dtype)
        x[:50], x[50:100], y[:100:3], y[1:100:3] = ends.min, ends.max, ends.max, ends.max // 2 + 1
        if ends.min:
            y[2:100:3] = -1
    with np.errstate(all="ignore"):
        quotient, rest, cut = x // y, x % y, np.fmod(x, y)
    a, b = on(device, x), on(device, y)
    for got, expected in ((a // b, quotient), (a % b, rest), (tenon.fmod(a, b), cut)):
        np.testing.assert_array_equal(got.numpy(), expected)
    for divisor in (1, 2, 3, 7, 10, 100, *((-1, -7) if ends.min else ())):
        with np.errstate(all="ignore"):
            expected = x // np.array(divisor, dtype)
        np.testing.assert_array_equal((a // divisor).numpy(), expected)


@pytest.mark.parametrize("dtype", [*DTYPES, "bfloat16"])
def test_positions_of_extremes_in_rows_of_every_length(device, random, dtype):
    """With ties, zeros of both signs, infinities, NaN and the ends of the range."""
    for n in (*range(1, 41), 63, 64, 65, 255, 256, 257):
        a = numbers(random, (int(random.integers(1, 70)), n), "float32" if dtype == "bfloat16" else dtype)
        if a.dtype.kind in "iu":
            ends = np.iinfo(dtype)
            a = np.where(random.integers(0, 2 * n, a.shape) == 0, random.choice(np.array([ends.min, ends.max], dtype), a.shape), a)
        elif a.dtype.kind in "fc":
            special = random.choice(np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan], "f4"), a.shape)
            a = np.where(random.integers(0, 2 * n, a.shape) == 0, special, np.rint(a))
        a = a.astype("float32" if dtype == "bfloat16" else dtype)
        every_second = np.repeat(a, 2, axis=0)  # rows that do not follow each other
        x, y = on(device, a), on(device, every_second)[::2]
        if dtype == "bfloat16":
            x, y = x.astype(dtype), y.astype(dtype)
        for name in ("argmax", "argmin"):
            expected = getattr(np, name)(a, axis=1)
            assert getattr(tenon, name)(x, 1).tolist() == expected.tolist(), (n, name)
            assert getattr(tenon, name)(y, 1, keepdims=True).tolist() == expected[:, None].tolist(), (n, name)


def test_not_a_number_and_ties_in_extremes(device):
    a = np.array([[3, np.nan, 5, np.nan], [1, 7, 7, 1]])
    x = on(device, a)
    assert tenon.argmax(x, 1).tolist() == [1, 1] and tenon.argmin(x, 1).tolist() == [1, 0] \
        and tenon.argmax(x).item() == 1
    assert np.isnan(tenon.max(x, 1)[0].item()) and tenon.max(x, 1)[1].item() == 7 and np.isnan(x.min().item())
    assert tenon.all(x).item() and tenon.any(on(device, np.array([0, np.nan]))).item()


def test_dtype_and_correction_of_reductions(random):
    a = numbers(random, (50, 40), "int32")
    x = tenon.asarray(a)
    assert x.sum(dtype="int16").dtype == "int16" and x.sum(dtype="int16").item() == a.sum(dtype="int16")
    expect(x.sum(0, dtype="float32"), a.sum(0, dtype="float32"), False)
    expect(x.std(1, correction=1), a.std(1, ddof=1), False)
    assert x.mean(dtype="float32").dtype == "float32" and tenon.sum(x, ()).tolist() == a.tolist()
    with pytest.raises(tenon.DTypeError, match="in which mean cannot be computed"):
        x.mean(dtype="int32")
    with pytest.raises(tenon.DTypeError, match="holds only real numbers"):
        tenon.sum(tenon.ones(2, "complex64"), dtype="float32")


@pytest.mark.parametrize("dtype", ["uint8", "bool", "int64", "float32", "complex64"])
def test_reductions_over_no_axes_are_numpys(device, random, dtype):
    a = numbers(random, (3, 4), dtype)
    for x, y in ((on(device, a), a), (on(device, a).T, a.T)):
        for name in ("sum", "prod", "mean", "var", "std", "any", "all", *(() if dtype == "complex64" else ("max", "min"))):
            got, want = getattr(tenon, name)(x, axis=()), getattr(np, name)(y, axis=())
            assert got.shape == want.shape and got.dtype == want.dtype, name
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-6, atol=1e-6, err_msg=name)


def test_reductions_of_nothing():
    x = tenon.zeros((0, 3), "float32")
    assert tenon.sum(x).item() == 0 and tenon.prod(x, 0).tolist() == [1, 1, 1] and tenon.all(x).item() \
        and not tenon.any(x).item()
    assert np.isnan(tenon.mean(x).item()) and np.isnan(tenon.var(x, 0).numpy()).all() \
        and tenon.logsumexp(x).item() == -np.inf
    assert tenon.sum(x, 1).shape == (0,) and tenon.max(x, 1).shape == (0,) and tenon.argmax(x, 1).shape == (0,)
    for reduce in (tenon.max, tenon.min, tenon.argmax, tenon.argmin):
        with pytest.raises(tenon.InvalidArgument, match="over no elements"):
            reduce(x, 0)


def test_logsumexp_and_norms(device, random):
    a = numbers(random, (30, 40), "float64") * 100
    a[3] = -np.inf
    a[4, 4] = np.inf
    special = pytest.importorskip("scipy.special")
    np.testing.assert_allclose(tenon.logsumexp(on(device, a), 1).numpy(), special.logsumexp(a, axis=1), rtol=1e-14)
    b = numbers(random, (30, 40), "complex64")
    for order in (2, 1, np.inf, -np.inf, 0, 3):
        want = np.array([np.linalg.norm(row, order) for row in b], "float32")
        np.testing.assert_allclose(tenon.vector_norm(on(device, b), axis=1, ord=order).numpy(), want, rtol=2e-6)
    assert tenon.vector_norm(tenon.full(4, 1e30, "float32")).item() == pytest.approx(2e30)


# --- scans ---

def test_scans_are_numpys(device, random):
    names = {"cumsum": (np.cumsum, "biufc"), "cumprod": (np.cumprod, "biufc"),
             "cummax": (np.maximum.accumulate, "biufc"), "cummin": (np.minimum.accumulate, "biufc")}
    for name, (function, kinds) in names.items():
        for dtype in [one for one in DTYPES if np.dtype(one).kind in kinds]:
            a = strided(random, (7, 9, 11), dtype)
            if name == "cumprod" and a.dtype.kind in "fc":
                a = (a / (np.abs(a) + 0.5)).astype(dtype)
            for axis in (0, 1, -1):
                want = quiet(function, a.astype("float32") if dtype == "float16" else a, axis=axis)
                got = getattr(tenon, name)(on(device, a), axis)
                expect(got, want.astype("float16") if dtype == "float16" else want, name in ("cummax", "cummin"),
                       (name, dtype, axis))
    a = numbers(random, 5000, "float64")
    expect(tenon.logcumsumexp(on(device, a)), np.logaddexp.accumulate(a), False)
    assert tenon.cumulative_sum(on(device, np.array([1, 2, 3])), include_initial=True).tolist() == [0, 1, 3, 6]
    assert tenon.cumulative_prod(on(device, np.ones((2, 3)) * 2), axis=1, include_initial=True).tolist() \
        == [[1, 2, 4, 8]] * 2
    x = on(device, np.array([1.0, 2.0, 3.0]))
    assert tenon.cumsum(x, out=x) is x and x.tolist() == [1, 3, 6]
    nan = tenon.cummax(on(device, np.array([1, np.nan, 3])))
    assert nan[0].item() == 1 and np.isnan(nan[1:].numpy()).all()


# --- outputs and errors ---

def test_outputs_are_given_or_made(device):
    x, y = on(device, np.arange(6.0).reshape(2, 3)), on(device, np.zeros((3, 2)))
    assert tenon.add(x, 1, out=y.T) is not None and y.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert tenon.multiply(x, 2, out=x) is x and x.tolist() == [[0, 2, 4], [6, 8, 10]]
    host = np.zeros(3, "float32")
    if device.name == "cpu:0":
        assert tenon.sum(np.ones((2, 3), "float32"), 0, out=host) is host and host.tolist() == [2, 2, 2]
    total = on(device, np.array(0.0))
    assert tenon.sum(x, out=total) is total and total.item() == 30


@pytest.mark.parametrize("out, error, match", [
    (lambda x: tenon.zeros((2, 3), "float32"), tenon.DTypeError, "out_result is float32, but this result is float64"),
    (lambda x: tenon.zeros((3, 2)), tenon.ShapeError,
     r"out_result has shape \(3, 2\), but this result has shape \(2, 3\)"),
    (lambda x: tenon.zeros(3).broadcast_to((2, 3)), tenon.ReadOnlyError, "read-only"),
    (lambda x: x[::-1], tenon.OverlapError, "shares memory with a part of x"),
], ids=["dtype", "shape", "read-only", "overlap"])
def test_outputs_that_do_not_fit_are_refused(out, error, match):
    x = tenon.asarray(np.arange(6.0).reshape(2, 3))
    with pytest.raises(error, match=match):
        tenon.add(x, 1, out=out(x))
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("call, error, match", [
    (lambda: tenon.ones(3) + tenon.ones(2), tenon.ShapeError,
     r"y has shape \(2,\), which does not broadcast with \(3,\)"),
    (lambda: tenon.ones(3) & 1, tenon.DTypeError,
     "bitwise_and is not defined for float64: it takes bool, signed integers, unsigned integers"),
    (lambda: tenon.ones(3, "complex64") < 1, tenon.DTypeError, "less is not defined for complex64"),
    (lambda: tenon.add(tenon.ones(3).view("float8_e4m3fn"), 1), tenon.DTypeError, "without arithmetic"),
    (lambda: tenon.sum(tenon.ones((2, 3)), (0, 0)), tenon.InvalidArgument, "axis 0 is given twice"),
    (lambda: tenon.sum(tenon.ones((2, 3)), 5), tenon.InvalidArgument, "-2 to 1"),
    (lambda: tenon.cumsum(tenon.asarray(1.0), 0), (tenon.ShapeError, tenon.InvalidArgument), "axes|axis"),
    (lambda: tenon.sum(tenon.ones(2), "x"), TypeError, "integer"),
    (lambda: tenon.finfo("int32"), tenon.DTypeError, "use iinfo for integers"),
    (lambda: tenon.iinfo("float32"), tenon.DTypeError, "use finfo for floating-point"),
    (lambda: tenon.isdtype("int32", "whole"), ValueError, "not a kind of dtypes"),
])
def test_invalid_calls_are_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_wrong_codes_are_refused():
    import ctypes

    x = tenon.ones(3)
    packed, _ = tenon._compute.operands(x)
    for function, code, match in ((tenon._library.lib.tenon_unary, _raw.TENON_FN_ADD,
                                   "tenon_unary takes a function of one operand .*add is"),
                                  (tenon._library.lib.tenon_unary, 999, "is not a TENON_FN_"),
                                  (tenon._library.lib.tenon_unary, 201, "is not a TENON_FN_")):
        out = ctypes.c_void_p()
        status = function(code, packed[0], None, None, ctypes.byref(out))
        assert status == _raw.TENON_ERROR_INVALID_ARGUMENT and not out.value
        with pytest.raises(tenon.InvalidArgument, match=match):
            tenon._compute.raise_last(status)


def test_work_on_a_recorded_stream_is_done_at_its_launch(device):
    x, y = on(device, np.arange(4.0)), on(device, np.zeros(4))
    total = on(device, np.array(0.0))
    with tenon.Graph(device) as graph:
        tenon.multiply(x, 2, out=y, stream=graph)
        tenon.sum(y, out=total, stream=graph)
    assert y.tolist() == [0] * 4
    graph.launch()
    assert y.tolist() == [0, 2, 4, 6] and total.item() == 12
    x.fill(1)
    graph.launch()
    assert total.item() == 8


# --- the array API's names ---

def test_the_namespace_of_the_standard_is_there():
    x = tenon.ones((2, 3), "float32")
    xp = x.__array_namespace__()
    assert xp is tenon.array_api and x.__array_namespace__(api_version="2025.12") is xp
    with pytest.raises(ValueError, match="2025.12"):
        x.__array_namespace__(api_version="1999.01")
    missing = [name for name in xp.NAMES if not hasattr(xp, name)]
    assert not missing
    assert xp.sum(xp.full_like(x, 2)).item() == 12 and [one.shape for one in xp.broadcast_arrays(x, xp.ones(3))] \
        == [(2, 3)] * 2
    assert xp.isdtype(x.dtype, ("integral", "real floating")) and not xp.isdtype(x.dtype, "complex floating")
    info = xp.__array_namespace_info__()
    assert info.default_dtypes()["integral"] == "int64" and set(info.dtypes(kind="bool")) == {"bool"}
    for dtype in ("float16", "float32", "float64"):
        ours, theirs = tenon.finfo(dtype), np.finfo(dtype)
        assert (ours.eps, ours.max, ours.min, ours.smallest_normal, ours.bits) == \
            (theirs.eps, theirs.max, theirs.min, theirs.smallest_normal, theirs.bits)
    assert tenon.iinfo("int8") == tenon.iinfo(tenon.ones(1, "int8")) and tenon.iinfo("uint64").max == 2**64 - 1


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
def test_extremes_of_long_rows(device, random, dtype):
    """Long rows are reduced in blocks, whose NaN and ties may be anywhere."""
    for n in (9, 64, 257, 2048, 9000, 70001):
        x = random.integers(0, 100, (3, n)).astype(dtype)
        x[1, random.integers(n)] = 101
        x[2, random.integers(n)] = 0
        many = [x, x[:, ::-1].copy()[:, ::-1], x.T.copy().T]
        if dtype.startswith("float"):
            for place in (0, n // 2, n - 1):
                y = x.copy()
                y[0, place] = y[2, n - 1] = np.nan
                many.append(y)
        for y in many:
            there = on(device, y)
            for name in ("max", "min", "argmax", "argmin"):
                ours, theirs = getattr(tenon, name), getattr(np, name)
                np.testing.assert_array_equal(ours(there).numpy(), theirs(y))
                np.testing.assert_array_equal(ours(there, axis=1).numpy(), theirs(y, axis=1))


@pytest.mark.parametrize("dtype", REAL)
def test_sums_of_many_adjacent_columns(device, random, dtype):
    x = random.standard_normal((70, 9001)).astype(dtype)
    exact = x.astype("float64").sum(0)
    for y in (on(device, x), on(device, x.T.copy()).T):
        np.testing.assert_allclose(tenon.sum(y, axis=0).numpy(), exact, rtol=0, atol=70 * eps(dtype) * 20)
        np.testing.assert_array_equal(tenon.max(y, axis=0).numpy(), x.max(0))


def test_a_power_of_two_is_a_square(device):
    """So that ** 2 takes the time of a product, in the dtypes that a power has."""
    for dtype in ("int8", "uint16", "int64", "float16", "float32", "float64", "complex64"):
        x = np.array([-3, -1, 0, 1, 7]).astype(dtype)
        for power in (2, 2.0):
            want = x ** power
            for got in (on(device, x) ** power, tenon.fuse(lambda x, p=power: x ** p)(on(device, x))):
                assert got.dtype == want.dtype
                np.testing.assert_allclose(got.numpy(), want, rtol=1e-6)
    x = np.array([-np.inf, np.inf, np.nan, -0.0, 1e150, 0.1])
    np.testing.assert_array_equal((on(device, x) ** 2).numpy(), x * x)
    assert (on(device, np.array([3, 5], "int32")) ** 2).tolist() == [9, 25]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(2, 8), (5, 63), (3, 700), (700, 9), (20000, 16), (1100, 65), (1 << 18, 1), (4, 30, 17)])
def test_the_first_of_the_best_by_rows_and_columns(device, random, dtype, shape):
    """Ties, NaN and zeros of both signs: along short and long rows, and columns in one part and in several."""
    for few in (True, False):
        x = random.integers(0, 3 if few else 100, shape).astype(dtype)
        if x.dtype.kind == "f":
            x[random.random(shape) < 0.1] = -0.0
            x[random.random(shape) < (0 if few else 2 / shape[0])] = np.nan
        array = on(device, x)
        for axis in (None, *range(x.ndim)):
            for name in ("argmax", "argmin"):
                got = getattr(tenon, name)(array, axis).numpy()
                np.testing.assert_array_equal(got, getattr(np, name)(x, axis), f"{name} {axis} {few}")
