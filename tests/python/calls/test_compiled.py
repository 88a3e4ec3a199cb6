"""The compiled module: the raw functions, agreement of its own code with the Python code to which it passes other
calls, and leaks."""

import ctypes
import gc
import itertools
import sys
import textwrap

import numpy
import pytest
from conftest import run_python

import tenon
from tenon import _raw
from tenon._library import core, lib

SOURCE = """extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}"""


@pytest.fixture(scope="module")
def add():
    return tenon.Kernel(SOURCE, "add", device="cpu:0")


def three():
    return [numpy.arange(8, dtype="float32") + k for k in range(3)]


# --- raw functions ---------------------------------------------------------------------------------------------------

def test_a_wrong_count_of_arguments_is_refused():
    with pytest.raises(TypeError, match="takes 2 arguments; 1 were given"):
        lib.tenon_array_get_info(None)


@pytest.mark.parametrize("place", [lambda out: ctypes.byref(out), lambda out: out, lambda out: ctypes.pointer(out),
                                   lambda out: ctypes.addressof(out)],
                         ids=["byref", "object", "pointer", "address"])
def test_a_number_comes_out_by_every_kind_of_pointer(place):
    out = ctypes.c_uint32()
    assert lib.tenon_dtype_bits(tenon.float32.code, place(out)) == 0
    assert out.value == 32


@pytest.mark.parametrize("given", [lambda a: a, lambda a: a._handle, lambda a: ctypes.c_void_p(a._handle)],
                         ids=["object", "address", "c_void_p"])
def test_a_handle_is_taken_in_every_form(given):
    array, record = tenon.zeros((2, 3), device="cpu:0"), _raw.tenon_array_info()
    assert lib.tenon_array_get_info(given(array), record) == 0
    assert (record.rank, record.size) == (2, 6)


def test_a_handle_comes_out():
    array = tenon.zeros((2, 3), device="cpu:0")
    out = ctypes.c_void_p()
    assert lib.tenon_array_transpose(array, 2, None, ctypes.byref(out)) == 0
    assert tenon.Array._own(out).shape == (3, 2)
    assert tenon.Array._own(core.make(lib.tenon_array_transpose, array, 2, None)).shape == (3, 2)


@pytest.mark.parametrize("wrong", [2.5, "text", object()])
def test_what_is_no_pointer_is_refused(wrong):
    with pytest.raises(TypeError, match="is not a pointer"):
        lib.tenon_array_get_info(wrong, _raw.tenon_array_info())


def test_make_calls_any_function_and_passes_its_errors_on():
    x = tenon.asarray(numpy.arange(3))
    copy = core.make(lambda *arguments: lib.tenon_array_convert(x._handle, x.dtype.code, None, *arguments), None)
    assert tenon.Array._own(copy).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="len"):
        core.make(len, [])


# --- subscripts ------------------------------------------------------------------------------------------------------

ENTRIES = (0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(-1, 0, -2), slice(5, 9),
           slice(None, -9, -1), slice(2, 2), Ellipsis, None)


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4), (0, 3)], ids=str)
def test_subscripts_are_numpys(shape):
    host = numpy.arange(numpy.prod(shape), dtype="int32").reshape(shape)
    array, tried = tenon.asarray(host), 0
    for key in itertools.chain.from_iterable(itertools.product(ENTRIES, repeat=count) for count in range(1, 4)):
        for one in (key, *(key if len(key) == 1 else ())):
            try:
                expected = host[one]
            except IndexError:
                with pytest.raises(IndexError):
                    array[one]
                continue
            assert array[one].shape == expected.shape and array[one].tolist() == expected.tolist(), one
            tried += 1
    assert tried > 100


@pytest.mark.parametrize("key, error", [(10, IndexError), (-5, IndexError), (2**70, IndexError),
                                        (slice(None, None, 0), ValueError), (1.5, TypeError),
                                        (slice("a", None), TypeError), ((0, 0), IndexError), ((..., ...), IndexError)])
def test_bad_subscripts_are_refused(key, error):
    with pytest.raises(error):
        tenon.asarray(numpy.arange(4))[key]


# --- the compiled and the Python code agree ---------------------------------------------------------------------------

@pytest.mark.parametrize("form", [list, tuple])
@pytest.mark.parametrize("convert", [lambda x: x, tenon.asarray], ids=["numpy", "tenon"])
def test_a_launch_in_every_form(add, form, convert):
    for launch in (add, add._launch, add.on("cpu:0"), add.on("cpu:0")._launch):
        a, b, c = three()
        launch(1, (8, 1, 1), form([convert(a), convert(b), convert(c), 8]))
        assert c.tolist() == (a + b).tolist()


@pytest.mark.parametrize("number, error", [(2**31, OverflowError), (2.0, TypeError), ("8", TypeError)])
def test_a_number_that_does_not_fit_is_refused_and_nothing_runs(add, number, error):
    a, b, c = three()
    before = c.copy()
    with pytest.raises(error, match=r"argument 3 \(n\) of add"):
        add(1, 8, [a, b, c, number])
    assert c.tolist() == before.tolist()


def test_streams_are_taken(add):
    stream, (a, b, c) = tenon.Stream("cpu:0"), three()
    add(1, 8, [a, b, c, 8], stream=stream)
    call = add.bind(1, 8, [a, b, c, 4])
    call(stream=stream), call(stream), call()
    stream.synchronize()
    assert c.tolist() == (a + b).tolist()
    with pytest.raises(TypeError, match="is not a stream"):
        add(1, 8, [a, b, c, 8], stream=tenon.Device("cpu:0"))


def test_elementwise_calls_in_every_form():
    scaled, (a, b, _) = tenon.elementwise("T x, float64 by", "T y", "y = x * by"), map(tenon.asarray, three())
    expected = [2 * x for x in a.tolist()]
    assert scaled(a, 2).tolist() == scaled(a, 2.0).tolist() == scaled._launch(a, 2).tolist() \
        == scaled(a.numpy(), numpy.float64(2)).tolist() == expected
    assert scaled(a, 2, b) is b and b.tolist() == expected
    assert scaled(a, 3, out=b) is b and b.tolist() == [3 * x for x in a.tolist()]
    with pytest.raises(TypeError, match="takes 2 inputs"):
        scaled(a)


def test_reductions_over_axes():
    x = numpy.arange(24.0).reshape(2, 3, 4)
    for axis in (None, 0, -1, (0, 2)):
        assert tenon.sum(tenon.asarray(x), axis=axis, keepdims=True).tolist() \
            == x.sum(axis=axis, keepdims=True).tolist()
    for axis in (3, -4, 2**40):
        with pytest.raises(ValueError):
            tenon.sum(tenon.asarray(x), axis=axis)


# --- PyTorch ----------------------------------------------------------------------------------------------------------

@pytest.mark.peers
def test_tensors_in_and_out_share_memory():
    torch = pytest.importorskip("torch")
    tensor = torch.arange(6.0).reshape(2, 3).T
    array = tenon.from_dlpack(tensor)
    back = array.torch()
    assert type(back) is torch.Tensor and back.data_ptr() == array.data_ptr == tensor.data_ptr()
    assert back.stride() == tensor.stride() == array.strides
    back[0, 0] = 42
    assert array[0, 0].item() == 42


@pytest.mark.peers
@pytest.mark.parametrize("refused", [lambda torch: torch.ones(3, requires_grad=True),
                                     lambda torch: torch.ones(3, dtype=torch.complex64).conj(),
                                     lambda torch: torch.ones(3, dtype=torch.complex64).conj().imag],
                         ids=["gradient", "conjugate", "negative"])
def test_tensors_that_cannot_be_exported_are_still_refused(refused):
    torch = pytest.importorskip("torch")
    with pytest.raises((BufferError, RuntimeError)):
        tenon.from_dlpack(refused(torch))


# --- memory -----------------------------------------------------------------------------------------------------------

def references(objects):
    return [sys.getrefcount(one) for one in objects]


@pytest.mark.peers
def test_thousands_of_calls_leave_nothing_behind(add):
    torch = pytest.importorskip("torch")
    device, array, tensor, host = tenon.Device("cpu:0"), tenon.zeros(8, "float32", device="cpu:0"), torch.zeros(8), \
        numpy.zeros(8, "float32")
    call, twice = add.bind(1, 8, [array, array, array, 8]), tenon.elementwise("T x", "T y", "y = 2 * x")

    def work():
        array[1:5], array[3], array[...], array.shape, array.dtype
        tenon.from_dlpack(tensor), tenon.from_dlpack(host), array.torch(), torch.from_dlpack(array), \
            numpy.from_dlpack(array)
        add(1, 8, [tensor, host, array, 8]), add(1, 8, [array, array, tensor, 8]), call(), twice(array), \
            twice(tensor), tenon.sum(array)
        for wrong in (lambda: array[9], lambda: add(1, 8, [array, array, array, 2**40]), lambda: twice(1, 2, 3)):
            with pytest.raises((IndexError, TypeError, ValueError, OverflowError, tenon.TenonError)):
                wrong()

    work()
    gc.collect()  # objects of other tests
    objects = (array, tensor, host, add, call, twice, device, tenon.Array, torch.Tensor, tenon.float32)
    before, used = references(objects), device.memory["used"]
    for _ in range(500):
        work()
    assert references(objects) == before
    assert device.memory["used"] == used


def test_a_sub_interpreter_is_refused():
    pytest.importorskip("_xxsubinterpreters")
    script = textwrap.dedent("""
        import tenon, _xxsubinterpreters as interpreters
        one = interpreters.create()
        try:
            interpreters.run_string(one, "import tenon")
        except interpreters.RunFailedError as error:
            assert "ImportError" in str(error), error
        else:
            raise SystemExit("it was imported")
        interpreters.destroy(one)
        assert tenon.zeros(2, device="cpu:0").tolist() == [0, 0]
    """)
    done = run_python(script)
    assert done.returncode == 0, done.stderr
