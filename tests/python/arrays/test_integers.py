"""Integers that do not fit the C type are rejected; without a check ctypes would pass their low bits."""

import ctypes

import numpy
import pytest

import tenon
from tenon._integers import integer, limits

ADD = "__global__ void add(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }"


@pytest.mark.parametrize("kind, low, high", [(ctypes.c_int32, -2**31, 2**31 - 1), (ctypes.c_int64, -2**63, 2**63 - 1),
                                             (ctypes.c_uint32, 0, 2**32 - 1), (ctypes.c_uint64, 0, 2**64 - 1)])
def test_the_whole_range_and_no_more(kind, low, high):
    assert limits(kind) == (low, high)
    for value in (low, high, 0, numpy.int8(3), True):
        assert integer(value, "n", kind) == value
    for value in (low - 1, high + 1, 2**64 + 1, -2**64):
        with pytest.raises(tenon.InvalidArgument, match=f"n is {value}, which is not in {low} to {high}"):
            integer(value, "n", kind)
    with pytest.raises(tenon.InvalidArgument, match="n is a number of 30001 bits"):
        integer(2**30000, "n", kind)
    with pytest.raises(TypeError):
        integer(1.0, "n", kind)


@pytest.mark.parametrize("call", [
    lambda x: tenon.matrix_power(x, 2**64 + 1),
    lambda x: tenon.svd(x, k=2**64 + 1),
    lambda x: tenon.eigvalsh(x, subset=(2**64, 2**64 + 1)),
    lambda x: tenon.eigh(x, subset=(-2**63, 2**63 - 1)),
    lambda x: tenon.fft(x, axis=2**32),
    lambda x: tenon.fft(x, n=2**64 + 4),
    lambda x: tenon.irfft(x, n=2**64 + 4),
    lambda x: tenon.fftn(x, s=(2**64 + 2, 2)),
    lambda x: tenon.dct(x, axis=2**32),
    lambda x: tenon.sum(x, axis=2**32),
    lambda x: tenon.cumsum(x, axis=2**32),
    lambda x: tenon.empty((2**64 + 1, 2), device=x.device),
    lambda x: tenon.zeros(2**64, device=x.device),
    lambda x: tenon.ones(-2**64, device=x.device),
    lambda x: x.reshape(2**64 + 3, 3),
    lambda x: x.reshape(2**64 - 1),
    lambda x: x.transpose(2**32, 1),
    lambda x: x.broadcast_to((2**64 + 3, 3)),
    lambda x: x.device.trim_memory(2**64),
    lambda x: x.device.trim_memory(-1),
    lambda x: tenon.Stream(x.device, priority=2**32),
    lambda x: tenon.Stream.wrap(x.device, 2**64),
    lambda x: tenon.cache.clear(unused_seconds=1e9, keep_bytes=2**64),
])
def test_numbers_that_are_too_large(device, call):
    with pytest.raises(tenon.InvalidArgument, match="is -?[0-9]+, which is not in"):
        call(tenon.full((3, 3), 1.0, device=device))


def test_a_dtype_differs_from_a_number_with_the_same_low_bits():
    with pytest.raises(tenon.DTypeError, match="is not a dtype"):
        tenon.DType(2**32 + tenon.float32.code)


def test_subscripts(device):
    x = tenon.asarray(numpy.arange(6.0).reshape(2, 3), copy=True).to_device(device)
    for key in (numpy.s_[2**64:], numpy.s_[:2**64 + 1], numpy.s_[-2**64:2**64], numpy.s_[::2**64], numpy.s_[::-2**64],
                numpy.s_[:, 2**63:]):
        numpy.testing.assert_array_equal(x[key].numpy(), x.numpy()[key])
    for index in (2**64, -2**64, 2**63):
        with pytest.raises(IndexError):
            x[index]


def test_axes_of_numpy(device):
    x = tenon.zeros((2, 3), device=device)
    assert x.transpose(numpy.int64(1), numpy.int64(0)).shape == (3, 2)


def test_launches_and_graphs(device):
    count = tenon.Kernel(ADD, "add", device=device)
    x = tenon.zeros(4, "int32", device=device)
    kernel = tenon.Program(ADD, ["add"], device=device)["add"]
    with tenon.Graph(device) as graph:
        count(1, 4, [x, 4], stream=graph)
    call = kernel.bind(1, 4, [x, 4])
    for refused in (lambda: count(1, 4, [x, 4], shared=2**32), lambda: kernel.geometry(2**64 + 1),
                    lambda: kernel.geometry(1, 2**32 + 32),
                    lambda: kernel.occupancy(2**32 + 32), lambda: kernel.occupancy(32, 2**64), lambda: kernel.suggest(2**64),
                    lambda: call.__setitem__(2**32 + 1, 2), lambda: graph.set(2**32, 1, 2),
                    lambda: graph.set(0, 2**32 + 1, 2)):
        with pytest.raises(tenon.InvalidArgument, match="which is not in"):
            refused()
    graph.launch()
    call()
    assert x.tolist() == [2, 2, 2, 2]
