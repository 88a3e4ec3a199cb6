"""tenon_elementwise_compose: random compositions beside the separate operations and NumPy, bit for bit; its errors."""

import ctypes

import numpy
import pytest

import tenon
from tenon import _raw
from tenon._array import Array
from tenon._dtypes import pack_scalar
from tenon._handle import make
from tenon._kernel import _fill_scalar
from tenon._library import lib

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]
UNARY = ["negative", "abs", "square", "sqrt", "floor", "logical_not", "isnan", "bitwise_invert"]
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "equal", "bitwise_xor", "floor_divide"]


def step(kind, function=0, x=-1, y=-1, z=-1, dtype=0):
    return (getattr(_raw, f"TENON_STEP_{kind}"), getattr(_raw, f"TENON_FN_{function.upper()}") if function else 0,
            x, y, z, dtype)


class Composition:
    def __init__(self, inputs, steps, outputs):
        self.outputs = len(outputs)
        self.handle = make(lib.tenon_elementwise_compose,
                           (ctypes.c_uint32 * len(inputs))(*[tenon.result_type(one).code for one in inputs]), len(inputs),
                           (_raw.tenon_step * max(len(steps), 1))(*[_raw.tenon_step(*one) for one in steps]), len(steps),
                           (ctypes.c_int32 * len(outputs))(*outputs), len(outputs), None)

    def __call__(self, *inputs, stream=None):
        args = (_raw.tenon_arg * (len(inputs) + self.outputs))()
        for arg, value in zip(args, inputs):
            if isinstance(value, Array):
                arg.kind, arg.value.array = _raw.TENON_ARG_ARRAY, value._handle
            else:
                _fill_scalar(arg, value[0], pack_scalar(*value))
        results = [Array._own(make(lib.tenon_elementwise_output, self.handle, args, len(inputs), k, None))
                   for k in range(self.outputs)]
        for arg, value in zip(args[len(inputs):], results):
            arg.kind, arg.value.array = _raw.TENON_ARG_ARRAY, value._handle
        tenon._errors.check(lib.tenon_elementwise_call(self.handle, args, len(args), stream))
        return results

    def __del__(self):
        if hasattr(self, "handle"):
            lib.tenon_elementwise_release(self.handle)


def sample(rng, dtype, shape):
    host = rng.integers(-100, 100, shape) + rng.integers(0, 8, shape) / 8
    if dtype.startswith("complex"):
        host = host + 1j * rng.integers(-9, 9, shape)
    if dtype.startswith("uint"):
        host = abs(host)
    return (host > 0) if dtype == "bool" else host.astype(dtype)


def arranged(rng, dtype):
    """An array that broadcasts to (5, 7), of random strides."""
    shape = [(5, 7), (1, 7), (7,), (5, 1), ()][rng.integers(5)]
    host = sample(rng, dtype, shape)
    way = rng.integers(4)
    if host.ndim == 2 and way == 1:
        return numpy.asfortranarray(host)
    if host.ndim and way == 2:
        return numpy.repeat(host, 2, axis=-1)[..., ::2]
    return host[..., ::-1] if host.ndim and way == 3 else host


def grown(rng, values, steps):
    """One more random step and its value by the separate operation; False where the operation refuses the dtypes."""
    x, y, z = (int(one) for one in rng.integers(len(values), size=3))
    kind = rng.choice(["UNARY", "BINARY", "BINARY", "BINARY", "SELECT", "CLIP", "CAST"])
    try:
        if kind == "UNARY":
            name = str(rng.choice(UNARY))
            made, value = step(kind, name, x), getattr(tenon, name)(values[x])
        elif kind == "BINARY":
            name = str(rng.choice(BINARY))
            made, value = step(kind, name, x, y), getattr(tenon, name)(values[x], values[y])
        elif kind == "SELECT":
            made, value = step(kind, "", x, y, z), tenon.where(values[x], values[y], values[z])
        elif kind == "CLIP":
            made, value = step(kind, "", x, y, z), tenon.clip(values[x], values[y], values[z])
        else:
            dtype = tenon.result_type(str(rng.choice(DTYPES)))
            made, value = step(kind, "", x, dtype=dtype.code), tenon.astype(values[x], dtype)
            source = values[x].dtype
            if dtype.name == "float16" and (source.kind == "c" or source.kind in "iu" and source.itemsize > 2):
                return False
    except tenon.DTypeError:
        return False
    if value.dtype.kind == "c" and kind in ("BINARY", "UNARY") and name in ("multiply", "divide", "sqrt", "abs", "square"):
        return False  # of complex numbers, the CPU device has its own loops, rounded otherwise
    if kind == "UNARY" and name == "abs" and values[x].dtype.kind == "c":
        return False
    steps.append(made)
    values.append(value)
    return True


def same(got, expected):
    got, expected = numpy.asarray(got), numpy.asarray(expected)
    assert got.dtype == expected.dtype
    if got.dtype.kind in "fc":  # zeros with their signs; which of two NaN comes out is not promised
        parts = [(got.real, expected.real), (got.imag, expected.imag)] if got.dtype.kind == "c" else [(got, expected)]
        for one, other in parts:
            nan = numpy.isnan(other)
            numpy.testing.assert_array_equal(numpy.isnan(one), nan)
            numpy.testing.assert_array_equal(one[~nan], other[~nan])
            numpy.testing.assert_array_equal(numpy.signbit(one[~nan]), numpy.signbit(other[~nan]))
    else:
        numpy.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("seed", range(40))
def test_random_compositions_are_the_separate_operations_bit_for_bit(seed):
    rng = numpy.random.default_rng(seed)
    dtypes = [str(one) for one in rng.choice(DTYPES, size=rng.integers(1, 5))]
    hosts = [arranged(rng, dtype) for dtype in dtypes]
    inputs = [tenon.asarray(numpy.broadcast_to(hosts[0], (5, 7))), *map(tenon.asarray, hosts[1:])]
    values, steps = list(inputs), []
    while len(steps) < 12:
        grown(rng, values, steps)
    outputs = sorted({len(values) - 1, int(rng.integers(len(inputs), len(values)))})
    results = Composition(dtypes, steps, outputs)(*inputs)
    for result, number in zip(results, outputs):
        assert result.shape == (5, 7)
        same(result, numpy.broadcast_to(numpy.asarray(values[number]), (5, 7)))


def test_a_chain_equals_numpy_and_its_scalars_change_without_another_kernel():
    rng = numpy.random.default_rng(7)
    x, y = rng.standard_normal((2, 100_003)).astype("float32")
    chain = Composition(["float32"] * 3, [step("BINARY", "multiply", 0, 1), step("BINARY", "add", 3, 2),
                                          step("UNARY", "square", 4), step("UNARY", "sqrt", 5)], [6])
    for scalar in (0.5, -3.25):
        got, = chain(tenon.asarray(x), tenon.asarray(y), (tenon.float32, scalar))
        numpy.testing.assert_array_equal(numpy.asarray(got), numpy.sqrt(numpy.square(x * y + numpy.float32(scalar))))


def test_products_and_sums_are_rounded_one_after_the_other():
    x = numpy.float32([1 + 2**-12])
    got, = Composition(["float32", "float32"], [step("BINARY", "multiply", 0, 0), step("BINARY", "subtract", 2, 1)],
                       [3])(tenon.asarray(x), tenon.asarray(x * x))
    assert float(got[0]) == 0  # a multiply-add would leave 2**-24


def test_a_composition_is_recorded_and_reads_its_inputs_at_each_launch():
    device = tenon.Device("cpu:0")
    double = Composition(["float64"], [step("BINARY", "add", 0, 0)], [1])
    x = tenon.asarray(numpy.float64([1, 2, 3]), device=device)
    double(x)  # compiled before the recording
    with tenon.Graph(device) as graph:
        result, = double(x, stream=graph.stream._handle)
    x[...] = tenon.asarray(numpy.float64([10, 20, 30]))
    graph.launch()
    device.synchronize()
    assert result.tolist() == [20, 40, 60]


def test_no_elements_and_no_steps():
    got, = Composition(["int32", "int32"], [step("BINARY", "add", 0, 1)], [2])(
        tenon.empty((0, 3), "int32"), tenon.asarray(numpy.int32([1, 2, 3])))
    assert got.shape == (0, 3)
    copy, = Composition(["int32"], [], [0])(tenon.asarray(numpy.int32([4, 5])))
    assert copy.tolist() == [4, 5]


ADD = step("BINARY", "add", 0, 1)


@pytest.mark.parametrize("inputs, steps, outputs, text", [
    (["int32"] * 2, [step("BINARY", "add", 0, 2)], [2], r"steps\[0\]: y is 2, not an earlier value: .* 0 to 1"),
    (["int32"] * 2, [step("BINARY", "add", -1, 1)], [2], r"steps\[0\]: x is -1, not an earlier value"),
    (["int32"] * 2, [step("BINARY", "add", 0, 1, 1)], [2], r"steps\[0\]: z is 1, but there is no such operand"),
    (["int32"] * 2, [(99, 0, 0, -1, -1, 0)], [2], r"steps\[0\]: kind 99 is not one of TENON_STEP_"),
    (["int32"] * 2, [ADD, step("UNARY", "add", 2)], [3], r"steps\[1\]: .*tenon_unary.*add is .*two operands"),
    (["int32"] * 2, [step("SELECT", "add", 0, 1, 1)], [2], r"steps\[0\]: function is \d+, but only"),
    (["int32"] * 2, [(*ADD[:5], 7)], [2], r"steps\[0\]: dtype is 0x7, but only casts"),
    (["int32"] * 2, [step("CLIP", "", 0)], [2], r"steps\[0\]: y and z are both -1"),
    (["int32"] * 2, [ADD], [3], r"outputs\[0\] is 3, not a value: there are 3, 2 inputs and 1 steps"),
    (["int32"] * 2, [ADD], [2, 2], r"outputs\[1\]: value 2 is an output already"),
    (["int32"] * 32, [ADD], [32], "32 inputs and 1 outputs: a kernel takes at most 32"),
    ([], [], [0], "input_count is 0"),
    (["int32"], [], [], "output_count is 0"),
])
def test_misuse_names_the_place(inputs, steps, outputs, text):
    with pytest.raises(tenon.InvalidArgument, match=text):
        Composition(inputs, steps, outputs)


@pytest.mark.parametrize("inputs, steps, text", [
    (["float32"], [step("UNARY", "bitwise_invert", 0)], r"steps\[0\]: bitwise_invert is not defined for float32"),
    (["int32", "float32"], [step("CLIP", "", 0, 1)], r"steps\[0\]: a bound is float32, .* int32, cannot hold"),
    (["int64"], [step("CAST", "", 0, dtype=tenon.float16.code)], r"steps\[0\]: a cast of int64 to float16 is not composed"),
])
def test_dtypes_are_refused_at_their_step(inputs, steps, text):
    with pytest.raises(tenon.DTypeError, match=text):
        Composition(inputs, steps, [len(inputs)])


def test_shapes_that_do_not_broadcast_are_both_named():
    add = Composition(["int32", "int32"], [ADD], [2])
    with pytest.raises(tenon.ShapeError, match=r"\(2,?\).*\(3,?\)|\(3,?\).*\(2,?\)|\[2\].*\[3\]|\[3\].*\[2\]"):
        add(tenon.zeros(2, "int32"), tenon.zeros(3, "int32"))
