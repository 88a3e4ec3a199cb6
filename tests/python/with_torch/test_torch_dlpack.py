"""The cases of PyTorch's own tests of DLPack (its test/test_dlpack.py, which its wheels do not have), with Tenon's
objects: each tensor comes to PyTorch by way of Tenon, or is Tenon's own array."""

import enum
import warnings

import numpy
import pytest

import tenon
from conftest import sample

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from torch.utils.dlpack import to_dlpack  # noqa: E402

WIDE = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
        "float64", "complex64", "complex128"]
NARROW = ["float8_e5m2", "float8_e5m2fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2"]


class Only:
    """An object that has nothing but DLPack's methods, so that nothing else can have been used."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **keywords):
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


WAYS = {  # into Tenon, and back to PyTorch
    "objects": lambda x: torch.from_dlpack(tenon.from_dlpack(x)),
    "capsules": lambda x: torch.from_dlpack(tenon.from_dlpack(x.__dlpack__(max_version=(1, 0))).__dlpack__(max_version=(1, 0))),
    "older capsules": lambda x: torch.from_dlpack(tenon.from_dlpack(x).__dlpack__()),
    "methods": lambda x: torch.from_dlpack(Only(tenon.from_dlpack(Only(x)))),
}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


@pytest.fixture
def place(device):
    if device.kind == "cuda" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return torch.device(device.kind)


def made(dtype, place, shape=(5,)):
    """A tensor of different numbers (bits, where there are no numbers for them)."""
    if dtype in NARROW:
        return torch.arange(1, 6, dtype=torch.uint8, device=place).view(getattr(torch, dtype))
    count = torch.Size(shape).numel()
    return (torch.arange(count, device=place) % 7 + 1).reshape(shape).to(getattr(torch, dtype))


def bits(tensor):
    return tensor.cpu().contiguous().view(torch.uint8).tolist()


def same(x, y):
    assert y.dtype == x.dtype and y.device == x.device and y.shape == x.shape
    assert y.data_ptr() == x.data_ptr(), "shared"
    assert bits(y) == bits(x)


@pytest.mark.parametrize("dtype", WIDE + NARROW)
def test_elements_and_dtypes_come_back(way, place, dtype):
    x = made(dtype, place)
    same(x, way(x))


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("view", [lambda x: x[0], lambda x: x[:, 0], lambda x: x[1, :], lambda x: x[1:, ::2], lambda x: x.t()],
                         ids=["row", "column", "second row", "part", "transposed"])
def test_views_come_back_with_their_strides(place, dtype, view):
    x = view(made(dtype, place, (5, 5)))
    y = WAYS["objects"](x)
    same(x, y)
    assert y.stride() == x.stride()


def test_memory_is_shared_both_ways(way, place):
    x = made("float64", place)
    y = way(x)
    y[0] += 20
    assert x[0] == 21
    x[1] = -3
    assert y[1] == -3


@pytest.mark.parametrize("dtype", WIDE)
def test_a_capsule_of_the_older_form_can_be_read(place, dtype):
    """That form does not say whether the memory may be written. Where Tenon is given the tensor, it knows."""
    x = made(dtype, place)
    array = tenon.from_dlpack(to_dlpack(x))
    assert array.data_ptr == x.data_ptr() and array.tolist() == x.tolist()
    with pytest.raises(tenon.ReadOnlyError):
        array[0] = 1
    with pytest.raises(BufferError, match="read-only"):
        array.__dlpack__()
    same(x, torch.from_dlpack(array.__dlpack__(max_version=(1, 0))))


def test_an_axis_of_one_element_gets_the_stride_of_c_order(place):
    """PyTorch keeps a stride that nothing depends on; Tenon's arrays have the one that every library takes."""
    x = torch.rand(16, device=place)[::3][:1]
    assert x.stride() == (3,) and WAYS["objects"](x).stride() == (1,)


# --- streams ---

@pytest.mark.parametrize("dtype", ["int32", "float16", "bfloat16", "complex128", "bool", *NARROW])
@pytest.mark.parametrize("way", ["objects", "methods"])
def test_a_tensor_of_one_stream_is_taken_on_another(way, place, dtype):
    """PyTorch's streams are ordered by the program, as for its own operations."""
    if place.type == "cpu":
        pytest.skip("the CPU has one order for all")
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    with torch.cuda.stream(first):
        x = torch.zeros(1 << 20, dtype=torch.uint8, device=place)
        torch.cuda._sleep(1 << 22)  # too long for a stream that does not wait
        x += 1
        x = x.view(getattr(torch, dtype)) if dtype != "bool" else x.to(torch.bool)
    second.wait_stream(first)
    with torch.cuda.stream(second):
        y = WAYS[way](x)
        total = y.view(torch.uint8).sum(dtype=torch.int64)
    second.synchronize()
    assert total.item() == y.numel() * y.element_size()


@pytest.mark.parametrize("given", ["object", "methods", "capsule"])
def test_what_tenon_computes_is_complete_for_a_stream_of_pytorch(device, place, given):
    x = tenon.zeros(1 << 22, "float32", device=device)
    for _ in range(50):
        x += 1
    if place.type == "cpu":
        y = torch.from_dlpack(x.__dlpack__() if given == "capsule" else Only(x) if given == "methods" else x)
        assert y.sum(dtype=torch.float64).item() == 50 << 22
        return
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = torch.from_dlpack(x.__dlpack__(stream=stream.cuda_stream) if given == "capsule" else Only(x)
                              if given == "methods" else x)
        total = y.sum(dtype=torch.float64)
    stream.synchronize()
    assert total.item() == 50 << 22


def test_a_consumers_stream_waits_for_the_producers(place):
    if place.type == "cpu":
        pytest.skip("the CPU has one order for all")
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    with torch.cuda.stream(first):
        x = torch.zeros(1 << 20, device=place)
        torch.cuda._sleep(1 << 22)
        x += 1
        y = torch.from_dlpack(tenon.from_dlpack(x).__dlpack__(stream=second.cuda_stream))
    with torch.cuda.stream(second):
        total = y.sum()
    second.synchronize()
    assert total.item() == 1 << 20


def test_the_default_stream_is_asked_for_by_its_number(place):
    """PyTorch's default stream is CUDA's, which is 1 in DLPack; Tenon asks producers for its own."""
    if place.type == "cpu":
        pytest.skip("the CPU has no streams")
    asked = []

    class Asked(Only):
        def __dlpack__(self, *, stream=None, **keywords):
            asked.append(stream)
            return self._array.__dlpack__(stream=stream, **keywords)

    array = tenon.zeros(5, "float32", device="cuda:0")
    with torch.cuda.stream(torch.cuda.default_stream()):
        torch.from_dlpack(Asked(array))
    assert asked == [1]
    tenon.from_dlpack(Asked(torch.zeros(5, device=place)))
    assert asked[1] == tenon.Stream.default("cuda:0").native


def test_the_default_stream_waits_for_pending_work(place):
    if place.type == "cpu":
        pytest.skip("the CPU has no streams")
    torch.cuda.default_stream().synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        array = tenon.from_dlpack(torch.zeros(1, device=place))
        torch.cuda._sleep(1 << 24)
        assert torch.cuda.default_stream().query()
        array.__dlpack__(stream=1)
    assert not torch.cuda.default_stream().query(), "it has to wait for the other stream"


@pytest.mark.parametrize("stream, error", [("1", TypeError), (1.5, TypeError), (True, TypeError), (0, ValueError), (-2, ValueError)],
                         ids=str)
def test_streams_that_are_none_are_refused(device, stream, error):
    """On the CPU everything but None is."""
    with pytest.raises((error, ValueError), match="stream"):
        tenon.zeros(5, device=device).__dlpack__(stream=stream)


def test_the_per_thread_stream_is_taken(place):
    """PyTorch refuses it."""
    if place.type == "cpu":
        pytest.skip("the CPU has no streams")
    y = torch.from_dlpack(tenon.ones(5, device="cuda:0").__dlpack__(stream=2))
    torch.cuda.synchronize()
    assert y.tolist() == [1] * 5


def test_the_cpu_has_no_streams():
    for stream in (0, 1, -1):
        with pytest.raises(ValueError, match="CPU memory must be exported with stream=None"):
            tenon.zeros(5, device="cpu:0").__dlpack__(stream=stream)


def test_an_array_of_another_device_than_the_current_one(place):
    if place.type == "cpu" or torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    array = tenon.full(5, 3, "float32", device="cuda:1")
    with torch.cuda.device(0):
        y = torch.from_dlpack(array)
    assert y.device.index == 1 and y.tolist() == [3] * 5


# --- what cannot be shared ---

@pytest.mark.parametrize("tensor, words", [
    (lambda: torch.zeros(3, requires_grad=True), "require gradient"),
    (lambda: torch.tensor([-1 + 1j, 3 - 3j]).conj(), "conjugate bit"),
    (lambda: torch._neg_view(torch.ones(3)), "negative bit"),
    (lambda: torch.sparse_coo_tensor([[0]], [1], size=(1,), check_invariants=True), "strided"),
    (lambda: torch.quantize_per_tensor(torch.ones(()), 0.1, 10, torch.qint8), "types are not supported by dlpack"),
], ids=["gradient", "conjugate", "negative", "sparse", "quantized"])
def test_tensors_that_are_more_than_memory_are_refused(tensor, words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # quantized tensors are going
        x = tensor()
    with pytest.raises(BufferError, match=words):
        tenon.from_dlpack(x)


def test_an_unknown_type_of_device_is_a_buffer_error(device):
    class Type(enum.IntEnum):
        hexagon = 16

    with pytest.raises(BufferError, match="device type 16 is not supported"):
        tenon.zeros(5, device=device).__dlpack__(max_version=(1, 0), dl_device=(Type.hexagon, 0))


# --- versions, copies, NumPy ---

@pytest.mark.parametrize("keywords, name", [({}, "dltensor"), ({"max_version": (0, 8)}, "dltensor"), ({"max_version": (1, 0)}, "dltensor_versioned"),
                                            ({"max_version": (2, 0)}, "dltensor_versioned")], ids=str)
def test_the_form_follows_what_the_consumer_knows(place, keywords, name):
    array = tenon.from_dlpack(made("float32", place))
    capsule = array.__dlpack__(**keywords)
    assert f'capsule object "{name}" at' in str(capsule)
    y = torch.from_dlpack(capsule)
    assert f'capsule object "used_{name}" at' in str(capsule)
    assert y.data_ptr() == array.data_ptr and y.tolist() == [1, 2, 3, 4, 5]
    with pytest.raises((RuntimeError, ValueError)):
        torch.from_dlpack(capsule)


def test_a_tensor_is_made_of_any_object_with_the_methods(device):
    array = tenon.asarray(sample(numpy.random.default_rng(1), (10,), "float32")).to_device(device)
    assert torch.tensor(Only(array)).tolist() == array.tolist()
    assert torch.asarray(Only(array)).data_ptr() == array.data_ptr


@pytest.mark.parametrize("dtype", [one for one in WIDE if one not in ("bool", "bfloat16")])
def test_numpy_takes_what_came_from_pytorch(dtype):
    x = made(dtype, "cpu")
    host = numpy.from_dlpack(tenon.from_dlpack(x))
    assert host.ctypes.data == x.data_ptr() and host.tolist() == x.tolist()
    back = torch.from_dlpack(tenon.from_dlpack(x.numpy()))
    same(x, back)


def test_copies_are_made_when_asked_for(place):
    array = tenon.from_dlpack(made("float32", place))
    for keywords in ({"copy": True}, {"device": place, "copy": True}, {"device": "cpu", "copy": True}):
        y = torch.from_dlpack(array, **keywords)
        assert y.data_ptr() != array.data_ptr and y.tolist() == [1, 2, 3, 4, 5], keywords
        assert y.device.type == torch.device(keywords.get("device", place)).type
    if place.type == "cuda":  # another device needs a copy
        assert torch.from_dlpack(array, device="cpu").tolist() == [1, 2, 3, 4, 5]


def test_nothing_is_copied_otherwise(place):
    array = tenon.from_dlpack(made("float32", place))
    here = torch.zeros(0, device=place).device
    for keywords in ({}, {"copy": False}, {"device": here}, {"device": here, "copy": False}):
        assert torch.from_dlpack(array, **keywords).data_ptr() == array.data_ptr, keywords
    if place.type == "cuda":
        with pytest.raises((ValueError, BufferError), match="copy"):
            torch.from_dlpack(array, device="cpu", copy=False)
    with pytest.raises(BufferError, match="negative strides"):
        torch.from_dlpack(array[::-1], copy=False)
