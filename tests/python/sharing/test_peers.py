"""Sharing arrays with NumPy, PyTorch and JAX in both directions: the address is the same, and writes are visible on
both sides."""

import numpy
import pytest

import tenon
from conftest import sample

pytestmark = pytest.mark.peers

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64", "complex64", "complex128"]


def torch_for(device):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if device.kind == "cuda" and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return torch


# --- NumPy ---

@pytest.mark.parametrize("dtype", TYPES + ["uint16", "uint32", "uint64"])
def test_numpy_to_tenon_shares(random, dtype):
    host = sample(random, (5, 6), dtype)
    array = tenon.from_dlpack(host)
    assert array.data_ptr == host.ctypes.data and array.shape == host.shape
    numpy.testing.assert_array_equal(array.numpy(), host)
    host[2, 3] = 1
    assert array[2, 3].item() == 1


@pytest.mark.parametrize("dtype", TYPES + ["uint16", "uint32", "uint64"])
def test_tenon_to_numpy_shares(dtype):
    array = tenon.zeros((5, 6), dtype, device="cpu:0")
    host = numpy.from_dlpack(array)
    assert host.ctypes.data == array.data_ptr and host.dtype == dtype
    array[4, 5] = 1
    assert host[4, 5] == 1


@pytest.mark.parametrize("key", [(slice(None), 2), slice(None, None, -1), (slice(1, 4, 2), slice(None, None, 3)), (None, 0), (1, 1)], ids=str)
def test_views_of_numpy_are_shared_as_they_are(random, key):
    host = sample(random, (5, 6), "float32")
    view = host[key] if not numpy.isscalar(host[key]) else host[1:2, 1:2].reshape(())
    array = tenon.from_dlpack(view)
    assert array.data_ptr == view.ctypes.data
    numpy.testing.assert_array_equal(array.numpy(), view)


def test_read_only_numpy_stays_read_only():
    host = numpy.arange(6.0)
    host.flags.writeable = False
    array = tenon.asarray(host)
    if array.data_ptr != host.ctypes.data:
        pytest.skip("this NumPy cannot export read-only memory")
    with pytest.raises(tenon.ReadOnlyError):
        array[0] = 1


def test_big_endian_numpy_is_converted():
    array = tenon.asarray(numpy.arange(4, dtype=">i4"))
    assert array.dtype == "int32" and array.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError):
        tenon.asarray(numpy.arange(4, dtype=">i4"), copy=False)


def test_ml_dtypes_go_through_asarray_and_numpy():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    host = numpy.array([1, 2.5, -3], ml_dtypes.bfloat16)
    array = tenon.asarray(host)
    assert array.dtype == "bfloat16" and array.tolist() == [1, 2.5, -3] and array.data_ptr == host.ctypes.data
    assert array.numpy().dtype == host.dtype


# --- PyTorch ---

@pytest.mark.parametrize("dtype", TYPES + ["bfloat16"])
def test_torch_to_tenon_shares(device, dtype):
    torch = torch_for(device)
    tensor = torch.zeros((5, 6), dtype=getattr(torch, dtype), device=device.kind)
    array = tenon.from_dlpack(tensor)
    assert array.data_ptr == tensor.data_ptr() and array.dtype == tensor.dtype and array.device == device
    tensor[2, 3] = 1
    if device.kind == "cuda":
        torch.cuda.synchronize()
    assert array[2, 3].item() == 1


@pytest.mark.parametrize("dtype", TYPES + ["bfloat16"])
def test_tenon_to_torch_shares(device, dtype):
    torch = torch_for(device)
    array = tenon.zeros((5, 6), dtype, device=device)
    tensor = torch.from_dlpack(array)
    assert tensor.data_ptr() == array.data_ptr and tensor.dtype == getattr(torch, dtype) and tensor.device.type == device.kind
    array[4, 5] = 1
    device.synchronize()
    assert tensor[4, 5].item() == 1


def test_torch_views_keep_their_strides(device):
    torch = torch_for(device)
    tensor = torch.arange(60, device=device.kind).reshape(3, 4, 5).permute(2, 0, 1)[1:, :, ::2]
    array = tenon.from_dlpack(tensor)
    assert array.strides == tensor.stride() and array.tolist() == tensor.tolist()
    view = tenon.zeros((4, 6), "float32", device=device)[1:, ::2].T
    assert torch.from_dlpack(view).stride() == view.strides


def test_negative_strides_reach_torch_as_a_copy(device):
    torch = torch_for(device)
    array = tenon.asarray(numpy.arange(10.0)).to_device(device)[::-2]
    assert torch.from_dlpack(array).tolist() == [9, 7, 5, 3, 1]


def test_a_torch_parameter_is_refused_with_torchs_words(device):
    torch = torch_for(device)
    with pytest.raises((RuntimeError, BufferError), match="grad"):
        tenon.from_dlpack(torch.nn.Parameter(torch.zeros(3, device=device.kind)))


def test_torch_tensors_that_are_not_what_their_memory_says_are_refused(device):
    torch = torch_for(device)
    number = torch.tensor([1 + 2j, 3 - 1j], device=device.kind)
    for tensor in (number.conj(), number.conj().imag):
        with pytest.raises(BufferError):
            tenon.from_dlpack(tensor)
    assert tenon.from_dlpack(number.imag).tolist() == [2, -1]
    assert tenon.from_dlpack(number.conj().resolve_conj()).tolist() == [1 - 2j, 3 + 1j]


def test_a_kernel_runs_on_torch_tensors_in_place(device):
    torch = torch_for(device)
    kernel = tenon.Kernel("__global__ void scale(float* x, float by, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= by; }", "scale")
    tensor = torch.arange(1000, dtype=torch.float32, device=device.kind)
    kernel(4, 256, [tensor, 2, 1000])
    device.synchronize()
    assert torch.equal(tensor.cpu(), 2 * torch.arange(1000, dtype=torch.float32))


def test_streams_of_torch_are_taken_as_they_are(device):
    torch = torch_for(device)
    if device.kind == "cpu":
        pytest.skip("CUDA's streams")
    stream = torch.cuda.Stream()
    kernel = tenon.Kernel("__global__ void set(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 3; }", "set")
    with torch.cuda.stream(stream):
        tensor = torch.zeros(1 << 20, device="cuda")
        kernel((1 << 20) // 256, 256, [tensor, 1 << 20], stream=stream)
        total = tensor.sum()
    stream.synchronize()  # item() only waits for the current stream
    assert total.item() == 3 << 20


def test_memory_returns_to_torch_after_the_last_use(device):
    torch = torch_for(device)
    for _ in range(100):
        tensor = torch.zeros(1 << 20, device=device.kind)
        array = tenon.from_dlpack(tensor)
        del tensor
        array[0] = 1
        del array
    device.synchronize()
    if device.kind == "cuda":
        tenon.zeros(1, device=device)
        assert torch.cuda.memory_allocated() < 100 << 20


# --- JAX ---

def jax_for(device):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    try:
        jax.devices(device.kind if device.kind == "cpu" else "cuda")
    except RuntimeError as error:
        pytest.skip(f"this JAX has no {device.kind}: {error}")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "float16", "float32", "float64", "complex64", "bfloat16"])
def test_jax_to_tenon_shares(device, dtype):
    jax = jax_for(device)
    theirs = jax.device_put(jax.numpy.arange(24).astype(dtype).reshape(4, 6), jax.devices(device.kind)[0])
    theirs.block_until_ready()
    array = tenon.from_dlpack(theirs)
    assert array.dtype == dtype and array.device == device
    assert array.data_ptr == theirs.unsafe_buffer_pointer()
    assert array.astype("complex128").tolist() == theirs.astype("complex128").tolist()


def test_tenon_to_jax_shares(device):
    jax = jax_for(device)
    array = tenon.zeros((64, 64), "float32", device=device)
    array[...] = numpy.arange(4096, dtype="float32").reshape(64, 64)
    theirs = jax.dlpack.from_dlpack(array)
    assert theirs.unsafe_buffer_pointer() == array.data_ptr
    assert float(theirs.sum()) == 4096 * 4095 / 2
