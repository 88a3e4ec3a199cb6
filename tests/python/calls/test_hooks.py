"""Objects besides arrays that Python programs pass to Tenon: functions on streams, events, declared uses,
keep-alives."""

import gc
import weakref

import numpy
import pytest

import tenon

from conftest import KERNELS


class Owner:
    """An object whose destruction can be observed."""


def test_functions_run_in_the_order_of_a_stream(device):
    stream, seen = tenon.Stream(device), []
    owner = Owner()
    gone = weakref.ref(owner)

    def note(owner=owner):
        seen.append(1)

    stream.call_host(note)
    stream.call_host(lambda: seen.append(2))
    stream.synchronize()
    assert seen == [1, 2]
    del note, owner
    tenon.ones(3, device=device).numpy()  # a later call releases functions that have run
    gc.collect()
    assert gone() is None
    with pytest.raises(TypeError, match="cannot be called"):
        stream.call_host(3)


def test_functions_are_recorded(device):
    seen = []
    with tenon.Graph(device) as graph:
        graph.stream.call_host(lambda: seen.append(len(seen)))
        assert graph.last.name == "stream_call_host"
    assert seen == []
    graph.launch()
    graph.launch()
    device.synchronize()
    assert seen == [0, 1]


def test_events_have_native_handles():
    event = tenon.Event.wrap("cpu:0", 0, owner=(owner := Owner()))
    gone = weakref.ref(owner)
    del owner
    assert event.native == 0 and event.query() and gone() is not None
    tenon.Stream("cpu:0").wait(event)
    del event
    assert gone() is None
    with pytest.raises(tenon.InvalidArgument, match="no native events"):
        tenon.Event.wrap("cpu:0", 99)


def test_an_owner_is_not_taken_over_by_a_call_that_fails():
    owner = Owner()
    gone = weakref.ref(owner)
    with pytest.raises(tenon.InvalidArgument):
        tenon.Stream.wrap("cpu:0", 99, owner)
    assert gone() is owner
    del owner
    gc.collect()  # frees the exception's frames
    assert gone() is None


def test_uses_are_declared(device):
    x = tenon.ones(4, device=device)
    assert x.use() is x and x.use(tenon.Stream(device), write=True) is x
    with pytest.raises(tenon.ReadOnlyError):
        tenon.from_dlpack(numpy.broadcast_to(numpy.ones(3), (2, 3)), copy=None).use(write=True)


def test_no_copy_is_made_where_none_is_wanted():
    x = tenon.ones(6, device="cpu:0")
    there = x.numpy()
    assert tenon.from_dlpack(there, copy=False).numpy().ctypes.data == there.ctypes.data
    with pytest.raises(BufferError, match="negative strides"):
        x[::-1].__dlpack__(copy=False)
    assert x[::-1][:1].__dlpack__(max_version=(1, 1), copy=False)  # the stride of one element is irrelevant


def test_bound_operations_are_calls(device):
    tenon.plugins.load(KERNELS / "elementwise")
    x = tenon.full(10, 0, "float32", device=device)
    source = "__global__ void twice(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 2; }"
    kernel = tenon.Kernel(source, "twice", device=device)
    call = kernel.bind(1, 5, [x])
    call()
    call.set_launch(2, 5)
    call()
    assert x.tolist() == [4.0] * 5 + [2.0] * 5
    with pytest.raises(tenon.InvalidArgument):
        call.set_launch(1, 10**6)
