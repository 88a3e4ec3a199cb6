"""NumPy's own tests of DLPack, with Tenon's objects: once each array that NumPy imports comes by way of Tenon, and once
the arrays of the tests are Tenon's themselves."""

import importlib.util

import numpy
import pytest

import tenon

try:
    found = importlib.util.find_spec("numpy._core.tests.test_dlpack")
except ModuleNotFoundError:
    found = None
if found is None:
    pytest.skip("this NumPy comes without its tests, or is older than 2.0", allow_module_level=True)


class Numpy:
    """NumPy with other functions in the place of some."""

    def __init__(self, **functions):
        self.__dict__.update(functions)

    def __getattr__(self, name):
        return getattr(numpy, name)


def suite(differences, **functions):
    """NumPy's tests, which see this NumPy. differences: {test: why Tenon is expected to differ}."""
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    for name, test in vars(module.TestDLPack).items():
        # Their arguments are of the original NumPy, and lists: pytest will not take generators for ever.
        marks = [pytest.mark.parametrize(one.args[0], list(one.args[1])).mark if one.name == "parametrize" else one
                 for one in getattr(test, "pytestmark", ())]
        if name in differences:
            marks.append(pytest.mark.xfail(reason=differences[name], strict=True).mark)
        if marks:
            test.pytestmark = marks
    module.np = Numpy(**functions)
    return module.TestDLPack


def by_way_of_tenon(x, /, **options):
    return numpy.from_dlpack(tenon.from_dlpack(x), **options)


def arange(stop, dtype="int64"):
    return tenon.arange(stop, dtype=dtype, device="cpu:0")


class TestByWayOfTenon(suite(
        {"test_writeable": "the test's class is of a module of NumPy, whose older struct Tenon knows to be writable"},
        from_dlpack=by_way_of_tenon)):
    pass


class TestTenonsArrays(suite(
        {"test_dunder_dlpack_refcount": "a capsule keeps the memory of an Array and not its Python object",
         "test_dunder_dlpack_stream": "a stream for memory of the CPU is a ValueError; NumPy raises RuntimeError",
         "test_strides_not_multiple_of_itemsize": "there are no structured dtypes",
         "test_invalid_byte_swapping": "there is no other byte order",
         "test_readonly": "flags are another attribute",
         "test_writeable": "an Array has no views of other classes"},
        arange=arange, array=lambda x: tenon.asarray(x, device="cpu:0"),
        zeros=lambda shape, dtype: tenon.zeros(shape, numpy.dtype(dtype).name, device="cpu:0"))):
    pass
