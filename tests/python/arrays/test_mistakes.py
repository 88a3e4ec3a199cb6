"""Numbers that do not fit, objects that are not arrays, and common mistakes give an error that states what would be
right."""

import numpy
import pytest

import tenon
from conftest import on

SCALE = tenon.Kernel("__global__ void scale(float* y, int n, bool twice) { if (threadIdx.x < n) y[threadIdx.x] *= twice ? 2 : 3; }", "scale")
FILLED = {"fill": lambda a, value: a.fill(value), "whole": lambda a, value: a.__setitem__(slice(None), value),
          "part": lambda a, value: a.__setitem__((0, slice(None)), value), "full": lambda a, value: tenon.full(3, value, a.dtype)}


@pytest.mark.parametrize("way", FILLED)
@pytest.mark.parametrize("dtype, value, error", [
    ("uint8", 300, OverflowError), ("uint8", -1, OverflowError), ("uint8", numpy.int64(300), OverflowError), ("int8", 128.0, OverflowError),
    ("int64", 2**63, OverflowError), ("int32", float("inf"), OverflowError), ("uint8", float("nan"), ValueError), ("float64", 1 + 2j, TypeError),
    ("float32", 1e300, OverflowError), ("float32", numpy.complex64(1j), TypeError), ("float16", 70000, OverflowError), ("int64", "3", TypeError)])
def test_a_number_that_does_not_fit_is_refused(device, way, dtype, value, error):
    array = tenon.full((2, 3), 7, dtype, device=device)
    with pytest.raises(error):
        FILLED[way](array, value)
    assert array.tolist() == [[7] * 3] * 2


@pytest.mark.parametrize("dtype, value, expected", [
    ("int64", 2**53 + 1, 2**53 + 1), ("int64", numpy.int64(2**53 + 1), 2**53 + 1), ("uint64", numpy.uint64(2**64 - 1), 2**64 - 1),
    ("int64", -2**63, -2**63), ("uint8", 2.9, 2), ("float32", 2**60 + 1, 2.0**60), ("float64", float("inf"), float("inf")), ("bool", 5, True),
    ("bool", numpy.False_, False), ("int32", numpy.True_, 1), ("complex64", 1 + 2j, 1 + 2j), ("bfloat16", 2.5, 2.5), ("float64", 10**30, 1e30)])
def test_a_number_that_fits_is_exact(device, dtype, value, expected):
    assert tenon.zeros(2, dtype, device=device).fill(value).tolist() == [expected] * 2
    assert tenon.full(2, value, dtype, device=device).tolist() == [expected] * 2
    assert tenon.full(2, tenon.full((), value, dtype, device=device), device=device).tolist() == [expected] * 2
    array = tenon.zeros((2, 2), dtype, device=device)
    array[1] = value
    assert array.tolist() == [[0, 0], [expected] * 2]


def test_full_takes_the_dtype_of_the_number():
    assert tenon.full(2, numpy.uint64(2**64 - 1)).tolist() == [2**64 - 1] * 2
    assert [str(tenon.full(1, value).dtype) for value in (1, 1.5, True, 1j, numpy.float32(2))] == ["int64", "float64", "bool", "complex128", "float32"]


NOT_ARRAYS = [3, [1.0, 2.0], (1.0, 2.0), numpy.float64(3), "text"]


@pytest.mark.parametrize("value", NOT_ARRAYS, ids=str)
def test_copy_false_never_copies(value):
    with pytest.raises((ValueError, TypeError)):
        tenon.asarray(value, copy=False)


@pytest.mark.parametrize("value", NOT_ARRAYS[:4], ids=str)
@pytest.mark.parametrize("call", [
    lambda y: tenon.reduction("T x", "T y")(numpy.ones(2), y), lambda y: tenon.elementwise("T x", "T y", "y = x")(numpy.ones(2), y),
    lambda y: tenon.scan("T x", "T y")(numpy.ones(2), out=y), lambda y: tenon.sum(numpy.ones(2), out=y),
    lambda y: tenon.gemm(numpy.eye(2), numpy.eye(2), y), lambda y: tenon.rank_k(numpy.eye(2), y), lambda y: tenon.blas.axpy(numpy.ones(2), y),
    lambda y: tenon.blas.scal(2, y), lambda y: tenon.blas.gemm_grouped([numpy.eye(2)], [numpy.eye(2)], [y]), lambda y: tenon.fft(numpy.ones(2), out=y),
    lambda y: tenon.dct(numpy.ones(2), out=y), lambda y: tenon.fft_prepare(numpy.ones(2) + 0j, y)])
def test_what_is_not_an_array_is_not_written(call, value):
    with pytest.raises((ValueError, TypeError), match="cannot be written: .* is not an array|has 1 outputs; 2 were given"):
        call(value)


def test_out_is_an_array_of_any_library():
    out, real, spectrum = numpy.zeros(4), numpy.zeros(4), numpy.zeros(4, "complex128")
    tenon.sum(numpy.ones((3, 4)), 0, out=out)
    tenon.fft(numpy.ones(4), out=spectrum), tenon.dct(numpy.ones(4), out=real)
    assert out.tolist() == [3] * 4 and numpy.allclose(spectrum, [4, 0, 0, 0]) and numpy.allclose(real, [8, 0, 0, 0])
    square = numpy.zeros((2, 2))
    tenon.rank_k(2 * numpy.eye(2), square)
    assert square.tolist() == [[4, 0], [0, 4]]
    tenon.fft_prepare(numpy.ones(4) + 0j, spectrum), tenon.dct_prepare(numpy.ones(4), real)


def test_unaligned_numpy_is_copied_where_a_copy_is_allowed():
    packed = numpy.zeros(3, numpy.dtype([("a", "i1"), ("b", "f8")]))
    packed["b"] = [1, 2, 3]
    shifted = numpy.frombuffer(b"\0" + numpy.arange(4.0).tobytes(), "u1")[1:].view("f8")
    for host, expected in ((packed["b"], [1, 2, 3]), (shifted, [0, 1, 2, 3])):
        assert not host.flags.aligned and tenon.asarray(host).tolist() == expected and tenon.sum(host) == sum(expected)
        with pytest.raises(ValueError, match="without a copy"):
            tenon.asarray(host, copy=False)


def test_a_bool_of_numpy_is_a_bool(device):
    y = on(device, numpy.ones(3, "float32"))
    SCALE(1, 3, [y, 2, (numpy.arange(3) >= 0).all()])
    assert y.tolist() == [2, 2, 1]
    flip = tenon.elementwise("bool x, bool y", "bool z", "z = x != y")
    assert flip(on(device, numpy.array([True, False])), numpy.True_).tolist() == [False, True]


def test_numbers_of_one_placeholder_take_the_wider_dtype():
    add = tenon.elementwise("T x, T y, S like", "T z", "z = x + y")
    like = numpy.zeros(2, "int8")
    for x, y in ((3, 1.5), (1.5, 3)):
        assert add(x, y, like).tolist() == [4.5, 4.5]


DERIVED = '''
name = "derived"
version = "1.0.0"
[op.axpy]
types = { T = "floating", A = { from = "T", float16 = "float32", bfloat16 = "float32" } }
parameters = ["in T x", "scalar A alpha", "out T y"]
elementwise = "y = alpha * x"
'''


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_number_of_a_placeholder_that_follows_another_has_its_dtype(tmp_path, dtype):
    (tmp_path / "plugin.toml").write_text(DERIVED)
    axpy = tenon.plugins.load(tmp_path)["axpy"]
    for alpha in (2, 2.5, numpy.float32(2)):
        y = axpy(numpy.ones(2, dtype), alpha)
        assert y.tolist() == [alpha] * 2 and y.dtype == dtype


PLAIN = "__global__ void k() {}"


@pytest.mark.parametrize("call, error, match", [
    (lambda: tenon.zeros(3, 4), TypeError, r"4 is not a dtype; write a shape of several axes as a tuple: \(3, 4\)"),
    (lambda: tenon.zeros("ab"), TypeError, "a shape must be an integer or a tuple of integers, not 'ab'"),
    (lambda: tenon.zeros(2.5), TypeError, "a shape must be an integer or a tuple of integers, not 2.5"),
    (lambda: SCALE(1.0, 3, [numpy.ones(3, "f4"), 3, True]), TypeError,
     "grid must be an integer or a sequence of one to three integers, not 1.0"),
    (lambda: SCALE((1.0,), 3, [numpy.ones(3, "f4"), 3, True]), TypeError, "grid must be"),
    (lambda: SCALE(1, 3 / 1, [numpy.ones(3, "f4"), 3, True]), TypeError, "block must be"),
    (lambda: tenon.Kernel(b"...", "k"), TypeError, "CUDA C as a str, not bytes"),
    (lambda: tenon.Kernel(lambda x: x, "k"), TypeError, "CUDA C as a str, not function"),
    (lambda: tenon.Kernel("any nonsense", "k"), ValueError, "has no __global__ function"),
    (lambda: tenon.Kernel("filters.cu", "k"), ValueError, "it looks like a path"),
    (lambda: tenon.Kernel(PLAIN, 3), TypeError, "name must be a str"),
    (lambda: tenon.Kernel(PLAIN, "k", mode="slow"), ValueError, "mode must be one of"),
    (lambda: tenon.Program(PLAIN, ["k\0"], device="cpu:0"), (ValueError, tenon.TenonError), "NUL"),
    (lambda: tenon.Device(5), TypeError, "a device must be .* not 5"),
    (lambda: tenon.empty(3, device=b"cpu:0"), TypeError, "a device must be"),
    (lambda: tenon.zeros(2).fill("x"), TypeError, "'x' is not a number"),
    (lambda: tenon.floor(numpy.ones(2) + 1j), tenon.DTypeError,
     "floor is not defined for complex128: it takes bool, signed integers"),
    (lambda: tenon.dct(numpy.ones(4), 2, 0), TypeError, "positional"),
], ids=lambda one: None if callable(one) else str(one))
def test_errors_state_what_would_be_right(call, error, match):
    SCALE(1, 3, [numpy.ones(3, "f4"), 3, True])  # from now on its geometry is cached
    with pytest.raises(error, match=match):
        call()


def test_unambiguous_arguments_are_accepted():
    assert tenon.zeros(numpy.array([2, 3])).shape == (2, 3)
    assert tenon.Device(None) == tenon.Device()
    assert tenon.max(numpy.ones((3, 2)), axis=(i for i in (0,))).shape == (2,)
    tenon.Program(PLAIN, ["k"], options="-DA=1", device="cpu:0")
    assert tenon.fft(numpy.ones((4, 4)), 1).shape == numpy.fft.fft(numpy.ones((4, 4)), 1).shape == (4, 1)


@pytest.mark.parametrize("array, text", [
    (numpy.array([0.1, 44.357952, 1e30, -0.0, float("nan")], "float32"), "[0.1, 44.357952, 1e+30, -0.0, nan]"),
    (numpy.array([[1, 2], [3, 4]]), "[[1, 2],\n             [3, 4]]"),
    (numpy.array(2.5), "2.5"), (numpy.array([1 + 2j, 3 - 0.1j], "complex64"), "[(1.0+2.0j), (3.0-0.1j)]"),
    (numpy.arange(2000.), "[0.0, 1.0, 2.0, ..., 1997.0, 1998.0, 1999.0]"),
    (numpy.arange(2000.).reshape(2, 1000), "[[0.0, 1.0, 2.0, ..., 997.0, 998.0, 999.0],\n             [1000.0, 1001.0, 1002.0, ..., 1997.0, 1998.0, 1999.0]]"),
])
def test_arrays_as_text(device, array, text):
    assert repr(on(device, array)).startswith(f"tenon.Array({text}, shape={array.shape}")


def test_long_lines_are_broken():
    lines = repr(tenon.asarray(numpy.arange(1000.))).split("\n")
    assert len(lines) > 50 and max(map(len, lines)) < 160
