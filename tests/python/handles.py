"""One object of each class of the package, and its main use, which must also work for copies, pickles and after
fork()."""


import numpy

import tenon
from tenon._graph import Node
from tenon._handle import Fixed, Handle, Renewed
from tenon._kernel import Parameter

from conftest import KERNELS

SOURCE = '__device__ int calls;\nextern "C" __global__ void add(float* x, float by) { x[threadIdx.x] += by; if (!threadIdx.x) calls++; }'
PACKAGE = KERNELS / "elementwise"


def numbers():
    return numpy.arange(4, dtype="float32")


def recorded():
    graph = tenon.Graph("cpu:0")
    x = tenon.zeros(4, "float32", device="cpu:0")
    with graph:
        x.fill(2, stream=graph)
    graph.launch()
    assert x.tolist() == [2] * 4
    return graph


def program():
    return tenon.Program(SOURCE, ["add"], globals=["calls"], device="cpu:0")


def launched(kernel):
    x = numbers()
    kernel(1, 4, [x, 1.5])
    return x.tolist()


def package():
    return tenon.plugins.load(PACKAGE)


def timed(event):
    event.record()
    event.synchronize()
    return event.query()


def called(call):
    call()
    x = numpy.zeros(4, "float32")
    call[0] = x
    call()
    return x.tolist()


# class -> (creates an object, its main use, which gives the same result each time)
CASES = {
    tenon.Array: (lambda: tenon.asarray(numbers()), lambda array: (array.tolist(), array.shape)),
    tenon.Device: (lambda: tenon.Device("cpu:0"), lambda device: (device.name, device.info["kind"])),
    tenon.DType: (lambda: tenon.float32, lambda dtype: (dtype.name, dtype.itemsize)),
    tenon.Stream: (lambda: tenon.Stream("cpu:0"), lambda stream: (stream.synchronize(), stream.query())),
    tenon.Event: (lambda: tenon.Event("cpu:0"), timed),
    tenon.Graph: (recorded, lambda graph: (graph.launch(), len(graph))),
    Node: (lambda: recorded()[0], lambda node: (node.kind, node.graph.launch())),
    tenon.Program: (program, lambda program: launched(program["add"])),
    tenon.CompiledKernel: (lambda: program()["add"], launched),
    tenon.Kernel: (lambda: tenon.Kernel(SOURCE, "add"), launched),
    tenon.Call: (lambda: program()["add"].bind(1, 4, [numbers(), 1.5]), called),
    tenon.Compilation: (lambda: tenon.Compilation(SOURCE, ["add"], device="cpu:0"), lambda one: launched(one.result()["add"])),
    tenon.Elementwise: (lambda: tenon.elementwise("T x, T y", "T z", "z = x * y"), lambda one: one(numbers(), 2).tolist()),
    tenon.Reduction: (lambda: tenon.reduction("T x", "T y", "x * x", "a + b", "", "0"), lambda one: one(numbers()).item()),
    tenon.Scan: (lambda: tenon.scan("T x", "T y", combine="max(a, b)", identity="lowest<T>()"), lambda one: one(numbers()).tolist()),
    tenon.plugins.Package: (package, lambda package: package["sigmoid"](numbers()).tolist()),
    tenon.plugins.Operation: (lambda: package()["sigmoid"], lambda operation: operation(numbers()).tolist()),
    tenon.plugins.BoundOperation: (lambda: package()["sigmoid"].bind(tenon.asarray(numbers())), lambda bound: (bound(), bound.outputs[0].tolist())),
    tenon.Texture: (lambda: tenon.Texture(numbers()), lambda texture: (texture.read().tolist(), texture.shape)),
    tenon.Surface: (lambda: tenon.Surface(numbers()), lambda surface: surface.read().tolist()),
    Parameter: (lambda: program()["add"].parameters[1], lambda parameter: (parameter.name, parameter.dtype)),
}
BASES = {Fixed, Handle, Renewed, tenon.Elementwise.__mro__[1]}
# Plain data, and objects that can be recreated from plain data.
PICKLED = {tenon.Array, tenon.Device, tenon.DType, tenon.Kernel, tenon.Elementwise, tenon.Reduction, tenon.Scan, tenon.plugins.Package,
           tenon.plugins.Operation, Parameter}
# A child of fork() recreates these, or they have no memory of their own.
FORKED = PICKLED - {tenon.Array}


def every_class(base=Fixed):
    """All object classes of the package, including classes that are added later."""
    return {base}.union(*map(every_class, base.__subclasses__()))
