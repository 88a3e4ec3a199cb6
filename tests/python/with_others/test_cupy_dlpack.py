"""The cases of CuPy's own tests of DLPack (its tests/cupy_tests/core_tests/test_dlpack.py, which its wheels do not
have), with Tenon's objects: `tenon.cupy` in the place of CuPy on every device, and CuPy itself, where it is installed
and there is a GPU, whose arrays then come by way of Tenon."""

import gc

import numpy
import pytest

import tenon
import tenon.cupy

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]
VERSIONS = [None, (0, 8), (1, 0), (1, 1), (100, 0)]


class Tenon:
    """Tenon on one device, as CuPy."""

    def __init__(self, device):
        self.device, self.from_dlpack = device, tenon.cupy.from_dlpack

    def array(self, host):
        return tenon.asarray(host, copy=True).to_device(self.device)

    def empty(self, count, memory="device"):
        return tenon.empty(count, "float64", device=self.device, memory=memory)

    def address(self, x):
        return x.data_ptr

    def host(self, x):
        return x.numpy()

    def blocks(self):
        self.device.synchronize()
        self.device.trim_memory()
        return self.device.memory["used"]

    def streams(self):
        if self.device.kind == "cpu":
            return [None]
        self.stream = tenon.Stream(self.device)
        return [None, 1, 2, self.stream.native, -1]


class CuPy:
    """CuPy, to which its arrays come back by way of Tenon."""

    def __init__(self, device):
        self.cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
        if device.kind != "cuda":
            pytest.skip("CuPy has no arrays on the CPU")
        self.device, self.pool = device, self.cupy.cuda.MemoryPool()

    def from_dlpack(self, x):
        return self.cupy.from_dlpack(tenon.from_dlpack(x))

    def array(self, host):
        return self.cupy.asarray(host)

    def empty(self, count, memory="device"):
        malloc = self.pool.malloc if memory == "device" else self.cupy.cuda.malloc_managed
        with self.cupy.cuda.using_allocator(malloc):
            return self.cupy.empty(count)

    def address(self, x):
        return x.data.ptr

    def host(self, x):
        return self.cupy.asnumpy(x)

    def blocks(self):
        self.device.synchronize()
        self.device.trim_memory()
        return self.pool.used_bytes()

    def streams(self):
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        return [None, 1, 2, self.stream.ptr, -1]


@pytest.fixture(params=[Tenon, CuPy], ids=["tenon.cupy", "cupy"])
def xp(request, device):
    return request.param(device)


@pytest.mark.parametrize("dtype", DTYPES)
def test_conversion(xp, dtype):
    host = (numpy.arange(6) % 3).reshape(2, 3).astype(dtype)
    x = xp.array(host)
    y = xp.from_dlpack(x)
    assert xp.address(y) == xp.address(x) and y.dtype == x.dtype
    numpy.testing.assert_array_equal(xp.host(y), host)


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_conversion_with_a_version(xp, version):
    x = xp.array(numpy.arange(6.0).reshape(2, 3))
    capsule = tenon.from_dlpack(x).__dlpack__(max_version=version)
    assert ("versioned" in str(capsule)) == (version is not None and version[0] >= 1)
    y = tenon.from_dlpack(capsule)
    assert y.data_ptr == xp.address(x) and y.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("order", "CF")
def test_conversion_keeps_the_order(xp, order):
    host = numpy.arange(24.0).reshape(4, 6)
    x = xp.array(host)
    x = x.T if order == "F" else x
    y = xp.from_dlpack(x)
    numpy.testing.assert_array_equal(xp.host(y), host.T if order == "F" else host)
    assert xp.address(y) == xp.address(x) and y.strides == x.strides


def test_conversion_of_views_without_elements_and_axes(xp):
    x = xp.array(numpy.arange(24.0).reshape(4, 6))
    for key, shape in (((slice(2, 2),), (0, 6)), ((1, slice(None, None, 2)), (3,)), ((1, 2), ())):
        y = xp.from_dlpack(x[key])
        assert y.shape == shape
        numpy.testing.assert_array_equal(xp.host(y), xp.host(x[key]))


def test_managed_memory_keeps_its_kind(xp, device):
    try:
        x = xp.empty(10, "managed")
    except tenon.Unsupported:
        pytest.skip("no managed memory here")
    kind = x.__dlpack_device__()[0]
    assert kind == (1 if device.kind == "cpu" else 13) and tenon.from_dlpack(x).__dlpack_device__()[0] == kind
    assert xp.address(xp.from_dlpack(x)) == xp.address(x)


def test_conversion_on_streams(xp, device):
    for stream in xp.streams():
        x = xp.array(numpy.arange(1000.0))
        capsule = tenon.from_dlpack(x).__dlpack__(stream=stream)
        device.synchronize()  # this capsule is the test's, which says nothing of a stream
        assert tenon.from_dlpack(capsule).tolist() == list(range(1000)), stream


@pytest.mark.parametrize("stream", [0, -2])
def test_numbers_that_are_no_stream_are_refused(xp, stream):
    with pytest.raises(ValueError, match="stream"):
        tenon.from_dlpack(xp.array(numpy.arange(3.0))).__dlpack__(stream=stream)


def test_conversion_to_the_host(xp, device):
    x = tenon.from_dlpack(xp.array(numpy.arange(3.0)))
    if device.kind == "cuda":
        with pytest.raises(BufferError, match="copy=False forbids one"):
            x.__dlpack__(dl_device=(1, 0), copy=False)
    for copy in (None, True):
        y = tenon.from_dlpack(x.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=copy))
        assert y.device.kind == "cpu" and y.tolist() == [0, 1, 2]
        assert (y.data_ptr == x.data_ptr) == (device.kind == "cpu" and not copy)


@pytest.mark.parametrize("copy", [None, False, True])
def test_a_copy_is_made_when_asked_for_only(xp, copy):
    x = tenon.from_dlpack(xp.array(numpy.arange(3.0)))
    y = tenon.from_dlpack(x.__dlpack__(max_version=(1, 0), copy=copy))
    assert (y.data_ptr != x.data_ptr) == (copy is True) and y.tolist() == [0, 1, 2]


# --- the owner of the memory ---

@pytest.fixture
def before(xp):
    gc.collect()
    return xp.blocks()


@pytest.mark.parametrize("version", [None, (1, 0)], ids=str)
def test_an_unconsumed_capsule_gives_the_memory_back(xp, before, version):
    x = xp.empty(1 << 16)
    capsule = tenon.from_dlpack(x).__dlpack__(max_version=version)
    del x
    assert xp.blocks() > before
    del capsule
    assert xp.blocks() == before


@pytest.mark.parametrize("version", [None, (1, 0)], ids=str)
def test_the_consumer_of_a_capsule_gives_the_memory_back(xp, before, version):
    x = xp.empty(1 << 16)
    capsule = tenon.from_dlpack(x).__dlpack__(max_version=version)
    y = tenon.from_dlpack(capsule)
    assert '"used_dltensor' in str(capsule)
    del x
    assert xp.blocks() > before
    del y
    assert xp.blocks() == before
    del capsule
    assert xp.blocks() == before


@pytest.mark.parametrize("version", [None, (1, 0)], ids=str)
def test_a_capsule_is_consumed_once(xp, version):
    capsule = tenon.from_dlpack(xp.empty(10)).__dlpack__(max_version=version)
    first = tenon.from_dlpack(capsule)
    with pytest.raises(ValueError, match="already consumed"):
        tenon.from_dlpack(capsule)
    assert first.shape == (10,)
