"""Graphs: work recorded once and launched many times, at the price of one call."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _raw
from ._device import Device, as_device
from ._errors import InvalidArgument, check
from ._handle import Fixed, Handle, make
from ._integers import integer
from ._kernel import Parameter, _fill
from ._library import lib
from ._stream import Stream, as_stream, stream_handle
from ._torch import count, detached, recording

KINDS = {_raw.TENON_GRAPH_KERNEL: "kernel", _raw.TENON_GRAPH_COPY: "copy", _raw.TENON_GRAPH_FILL: "fill", _raw.TENON_GRAPH_GEMM: "gemm",
         _raw.TENON_GRAPH_FFT: "fft", _raw.TENON_GRAPH_BLAS: "blas"}


class Node(Fixed):
    """One piece of recorded work: its kind ("kernel", "copy", "fill", "gemm", "fft"), its name, and how many arguments can be replaced."""

    __slots__ = ("graph", "index", "kind", "name", "parameter_count")
    graph: "Graph"
    index: int
    kind: str
    name: str
    parameter_count: int

    def __init__(self, graph: "Graph", index: int):
        record = _raw.tenon_graph_node_info()
        check(lib.tenon_graph_node(graph._handle, index, ctypes.byref(record)))
        self._set(graph=graph, index=index, kind=KINDS.get(record.kind, str(record.kind)), name=record.name.decode(),
                  parameter_count=record.parameter_count)

    def __setitem__(self, index: int, value: Any) -> None:
        """Replaces an argument for later launches, as call[i] = value does."""
        self.graph.set(self.index, index, value)

    def __repr__(self) -> str:
        return f"<tenon.Graph node {self.index}: {self.kind} {self.name}>"


class Graph(Handle):
    """Work recorded once and launched many times.

        with tenon.Graph("cuda:0") as graph:
            kernel(grid, block, [x, y, n], stream=graph)
            tenon.gemm(a, b, c, stream=graph)
        graph.launch()

    What is given stream=graph (or stream=graph.stream) inside the block is recorded and not run; everything else runs as
    always. The graph keeps the memory it uses alive and puts itself in order with other users of it."""

    __slots__ = ("device", "stream", "_parameters", "_written", "_launches", "_arguments")
    _release = lib.tenon_graph_release
    device: Device
    stream: Stream | None  # while it is recorded

    def __new__(cls, device: Any = None) -> "Graph":
        self = object.__new__(cls)
        self._set(device=as_device(device), stream=None)
        self._parameters = {}
        self._written = []    # PyTorch's tensors that a launch writes,
        self._launches = []   # those of each kernel that was recorded, by the argument's number,
        self._arguments = {}  # and these by node and argument
        self._handle = make(lib.tenon_graph_create, self.device._handle)
        return self

    def __init__(self, device: Any = None) -> None:
        pass

    def __enter__(self) -> "Graph":
        self._set(stream=Stream._on(self.device, make(lib.tenon_graph_begin, self._handle)))
        recording[self.stream._handle] = self
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        recording.pop(self.stream._handle, None)
        self._set(stream=None)
        if kind is None:
            check(lib.tenon_graph_end(self._handle))
            self._find_launches()
        else:
            self.clear()

    def _find_launches(self) -> None:
        """Which nodes the recorded kernels became."""
        if any(self._launches):
            nodes = [node.index for node in self if node.kind == "kernel" and node.parameter_count]
            self._arguments = {(node, index): tensor for node, tensors in zip(nodes, self._launches) for index, tensor in tensors.items()}

    def _recording_stream(self) -> Stream:
        if self.stream is None:
            raise InvalidArgument("this graph is not being recorded: stream=graph is for inside its with block",
                                  _raw.TENON_ERROR_INVALID_ARGUMENT)
        return self.stream

    def launch(self, stream: Any = None) -> None:
        """Puts all that was recorded on a stream."""
        if stream is not None:
            stream = as_stream(stream, self.device)
        status = lib.tenon_graph_launch(self._handle, stream_handle(stream))
        if status:
            check(status)
        if self._written or self._arguments:
            count([*self._written, *self._arguments.values()])

    __call__ = launch

    def set(self, node: int, index: int, value: Any) -> None:
        """Replaces argument `index` of the kernel launch `node` (a number, counted from 0) for later launches."""
        node, index = integer(node, "a node", ctypes.c_int32), integer(index, "an argument's index", ctypes.c_int32)
        argument, keep, tensors = _raw.tenon_arg(), [], {}
        _fill(argument, self._parameter(node, index), value, keep, index, tensors)
        check(lib.tenon_graph_set(self._handle, node, index, ctypes.byref(argument)))
        del keep
        self._arguments.pop((node, index), None)
        self._arguments.update(((node, at), detached(tensor)) for at, tensor in tensors.items())

    def _parameter(self, node: int, index: int) -> Parameter | None:
        found = self._parameters.get((node, index))
        if found is None:
            record = _raw.tenon_parameter_info()
            check(lib.tenon_graph_parameter(self._handle, node, index, ctypes.byref(record)))
            found = self._parameters[node, index] = Parameter._of(record)
        return found

    def clear(self) -> None:
        """Forgets what was recorded; the graph can be recorded again."""
        self._parameters.clear()
        self._written.clear()
        self._launches.clear()
        self._arguments.clear()
        check(lib.tenon_graph_clear(self._handle))

    def __len__(self) -> int:
        out = ctypes.c_int32()
        check(lib.tenon_graph_node_count(self._handle, ctypes.byref(out)))
        return out.value

    def __getitem__(self, index: int) -> Node:
        return Node(self, range(len(self))[index])

    def __repr__(self) -> str:
        return f"<tenon.Graph of {len(self)} nodes on {self.device}>"
