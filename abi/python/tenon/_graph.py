"""Graphs: work that is recorded once and launched many times, each time with a single call."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any
from collections.abc import Sequence

from . import _raw
from ._device import Device, as_device
from ._dtypes import as_dtype, is_number, pack_scalar
from ._errors import InvalidArgument, check
from ._handle import Fixed, Handle, make
from ._integers import integer
from ._kernel import Parameter, _fill, _fill_scalar, _launch
from ._library import lib
from ._stream import Stream, as_stream, stream_handle
from ._torch import count, detached, recording

KINDS = {_raw.TENON_GRAPH_KERNEL: "kernel", _raw.TENON_GRAPH_GENERATED: "generated",
         _raw.TENON_GRAPH_OPERATION: "operation", _raw.TENON_GRAPH_LIBRARY: "library"}


class Node(Fixed):
    """The node of one recorded call: its kind ("kernel", "generated", "operation", "library"), its name (of the kernel,
    the operation, or the C function without its prefix), and the number of arguments that can be replaced. One Python
    function may record several calls."""

    __slots__ = ("graph", "index", "kind", "name", "parameter_count")
    graph: Graph
    index: int
    kind: str
    name: str
    parameter_count: int

    def __init__(self, graph: Graph, index: int):
        record = _raw.tenon_graph_node_info()
        check(lib.tenon_graph_get_node_info(graph._handle, index, ctypes.byref(record)))
        self._set(graph=graph, index=index, kind=KINDS.get(record.kind, str(record.kind)), name=record.name.decode(),
                  parameter_count=record.parameter_count)

    def __setitem__(self, index: int, value: Any) -> None:
        """Replaces an argument for later launches, like call[i] = value."""
        self.graph.set(self.index, index, value)

    def set_args(self, args: Sequence[Any]) -> None:
        """Replaces all arguments at once, for example by arrays of another shape."""
        self.graph.set_args(self.index, args)

    def set_launch(self, grid: Any, block: Any, **launch_options: Any) -> None:
        """Replaces the grid, block and launch options of a kernel's launch."""
        self.graph.set_launch(self.index, grid, block, **launch_options)

    def __repr__(self) -> str:
        return f"<tenon.Graph node {self.index}: {self.kind} {self.name}>"


class Graph(Handle):
    """Work that is recorded once and launched many times.

        with tenon.Graph("cuda:0") as graph:
            kernel(grid, block, [x, y, n], stream=graph)
            tenon.gemm(a, b, c, stream=graph)
        graph.launch()

    Inside the block, calls with stream=graph (or stream=graph.stream) are recorded instead of run; all others run as
    usual. The graph keeps the memory it uses alive, and its launches are ordered with other uses of that memory. One
    thread at a time launches a graph or changes it.

        >>> x = tenon.zeros(2)
        >>> with tenon.Graph(x.device) as graph:
        ...     tenon.add(x, 1, out=x, stream=graph) is x
        True
        >>> graph.launch(), graph.launch()
        (None, None)
        >>> x.tolist()
        [2.0, 2.0]
    """

    __slots__ = ("device", "stream", "_parameters", "_written", "_arguments")
    _parameters: dict[tuple[int, int], Parameter]
    _written: dict[int, list[Any]]
    _arguments: dict[tuple[int, int], Any]
    _release = lib.tenon_graph_release
    device: Device
    stream: Stream | None  # while the graph is recorded

    def __new__(cls, device: Any = None) -> Graph:
        self = object.__new__(cls)
        self._set(device=as_device(device), stream=None)
        self._parameters = {}
        self._written = {}    # lists of the PyTorch tensors that a launch writes, by node
        self._arguments = {}  # the same for kernels, by node and argument, because arguments can be replaced one by one
        self._handle = make(lib.tenon_graph_create, self.device._handle)
        return self

    def __init__(self, device: Any = None) -> None:
        pass

    def __enter__(self) -> Graph:
        stream = Stream._on(self.device, make(lib.tenon_graph_begin, self._handle))
        self._set(stream=stream)
        recording[stream._handle] = self
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if self.stream is not None:
            recording.pop(self.stream._handle, None)
        self._set(stream=None)
        if kind is None:
            check(lib.tenon_graph_end(self._handle))
        else:
            self.clear()

    def _recording_stream(self) -> Stream:
        if self.stream is None:
            raise InvalidArgument("this graph is not being recorded: use stream=graph only inside its with block",
                                  _raw.TENON_ERROR_INVALID_ARGUMENT)
        return self.stream

    def launch(self, stream: Any = None) -> None:
        """Enqueues the recorded work on a stream."""
        if stream is not None:
            stream = as_stream(stream, self.device)
        status = lib.tenon_graph_launch(self._handle, stream_handle(stream))
        if status:
            check(status)
        if self._written or self._arguments:
            count([*itertools.chain(*self._written.values()), *self._arguments.values()])

    __call__ = launch

    @property
    def last(self) -> Node:
        """The node of the most recent call. It is available while recording: use `node = graph.last` after a call."""
        return self[-1]

    def set(self, node: int, index: int, value: Any) -> None:
        """Replaces argument `index` of node number `node` (counted from 0) for later launches. The node is a kernel, a
        generated kernel or an operation. For a kernel, a Python number is converted to the parameter's type; otherwise
        it is converted to the dtype of the number or array that it replaces, and NumPy's numbers keep their dtype."""
        node, index = integer(node, "a node", ctypes.c_int32), integer(index, "an argument's index", ctypes.c_int32)
        argument = _raw.tenon_arg()
        keep: list[Any] = []
        tensors: dict[int, Any] = {}
        self._pack(argument, node, index, value, keep, tensors)
        check(lib.tenon_graph_set(self._handle, node, index, ctypes.byref(argument)))
        del keep
        self._arguments.pop((node, index), None)
        self._arguments.update(((node, at), detached(tensor)) for at, tensor in tensors.items())

    def set_args(self, node: int, args: Sequence[Any]) -> None:
        """Replaces all arguments of a node at once, for example by arrays of another shape or dtype. Numbers are
        converted as by set."""
        node = integer(node, "a node", ctypes.c_int32)
        packed = (_raw.tenon_arg * max(len(args), 1))()
        keep: list[Any] = []
        tensors: dict[int, Any] = {}
        for index, value in enumerate(args[:Node(self, node).parameter_count]):
            self._pack(packed[index], node, index, value, keep, tensors)
        check(lib.tenon_graph_set_args(self._handle, node, packed, len(args)))
        del keep
        self._written.pop(node, None)
        self._arguments = {place: tensor for place, tensor in self._arguments.items() if place[0] != node}
        self._arguments.update(((node, at), detached(tensor)) for at, tensor in tensors.items())

    def set_launch(self, node: int, grid: Any, block: Any, *, shared: int = 0, cooperative: bool = False,
                   cluster: Any = (0, 0, 0), programmatic: bool = False) -> None:
        """Replaces the grid, block and launch options of node `node`, a kernel, for later launches."""
        launch = _launch(grid, block, shared, cooperative, cluster, programmatic)
        check(lib.tenon_graph_set_launch(self._handle, integer(node, "a node", ctypes.c_int32), ctypes.byref(launch)))

    def _pack(self, argument: Any, node: int, index: int, value: Any, keep: list[Any], tensors: dict[int, Any]) -> None:
        """Writes the tenon_arg of argument `index` of a node."""
        parameter = self._parameters.get((node, index))
        if parameter is None:
            record = _raw.tenon_parameter_info()
            check(lib.tenon_graph_get_parameter_info(self._handle, node, index, ctypes.byref(record)))
            parameter = Parameter._of(record)
            if Node(self, node).kind == "kernel":  # never changes; other nodes' describe the current arguments
                self._parameters[node, index] = parameter
            elif is_number(value) and parameter.dtype is not None:
                dtype = as_dtype(value.dtype) if hasattr(value, "dtype") else parameter.dtype
                return _fill_scalar(argument, dtype, pack_scalar(dtype, value))
        _fill(argument, parameter, value, keep, index, tensors)

    def clear(self) -> None:
        """Discards the recorded work; the graph can be recorded again."""
        self._parameters.clear()
        self._written.clear()
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
