"""A pytest plugin that puts Tenon between producer and consumer in another library's own DLPack tests.

Usage: pytest -p between --pyargs FILE ...    with this folder on PYTHONPATH; the files come from the other project

Every from_dlpack of NumPy, PyTorch and CuPy then receives a Tenon array over the same memory instead of the original
object, and PyTorch's Tensor.__dlpack__ exports through Tenon. Tests that check an error message of the other library,
or a private type of its capsules, are expected to fail; all others check that Tenon passes memory on unchanged: with
its address, strides and dtype, and in the right order on streams.
"""

import threading

import tenon

_state = threading.local()  # set while Tenon itself imports or exports, which must reach the original functions
passed = 0  # exchanges that went through Tenon


def _through(x):
    """The Tenon array over the memory of x."""
    global passed
    _state.inside = True
    try:
        result = tenon.from_dlpack(x)
    finally:
        _state.inside = False
    passed += 1
    return result


def _inside():
    return getattr(_state, "inside", False)


def _consume(function):
    def from_dlpack(x, /, *arguments, **options):
        if _inside() or isinstance(x, tenon.Array):
            return function(x, *arguments, **options)
        return function(_through(x), *arguments, **options)
    return from_dlpack


def _between_numpy():
    import numpy

    numpy.from_dlpack = _consume(numpy.from_dlpack)


def _between_torch():
    import torch
    import torch.utils.dlpack

    torch.from_dlpack = torch.utils.dlpack.from_dlpack = _consume(torch.utils.dlpack.from_dlpack)
    export = torch.Tensor.__dlpack__

    def __dlpack__(self, *stream, **options):  # PyTorch, unlike the protocol, takes the stream by position, too
        options |= dict(zip(["stream"], stream))
        return export(self, **options) if _inside() else _through(self).__dlpack__(**options)

    torch.Tensor.__dlpack__ = __dlpack__


def _between_cupy():
    import cupy

    cupy.from_dlpack = _consume(cupy.from_dlpack)
    if hasattr(cupy, "fromDlpack"):  # the older name, for capsules
        cupy.fromDlpack = _consume(cupy.from_dlpack)


for install in (_between_numpy, _between_torch, _between_cupy):
    try:
        install()
    except ImportError:
        pass


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{passed} exchanges went through Tenon")
