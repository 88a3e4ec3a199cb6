"""Element types: names, sizes, conversion to and from NumPy."""

import pickle

import numpy
import pytest

import tenon
from tenon import _dtypes

NUMPY_NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
               "complex64", "complex128"]


@pytest.mark.parametrize("name", NUMPY_NAMES)
def test_a_dtype_is_numpys_of_the_same_name(name):
    ours, theirs = getattr(tenon, name), numpy.dtype(name)
    assert numpy.dtype(ours) == theirs
    assert ours == theirs and ours == theirs.type and ours == name
    assert ours.itemsize == theirs.itemsize and ours.kind == theirs.kind
    assert _dtypes.as_dtype(theirs.str) is ours


def test_bfloat16_and_float8_are_ml_dtypes_types_of_that_name():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        ours = _dtypes.as_dtype(name)
        assert ours == getattr(ml_dtypes, name)
        assert numpy.dtype(ours) == numpy.dtype(getattr(ml_dtypes, name))


@pytest.mark.parametrize("python, name", [(bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")])
def test_pythons_types_have_a_dtype(python, name):
    assert _dtypes.as_dtype(python) is getattr(tenon, name)


@pytest.mark.parametrize("bad", ["float31", "", object(), numpy.dtype("datetime64[s]"), numpy.dtype(">f4"), numpy.dtype("U3"), None, 0])
def test_other_objects_are_a_type_error(bad):
    with pytest.raises(TypeError):
        _dtypes.as_dtype(bad)


class Odd:
    """Has a `name` that cannot be looked up in a table."""

    name = []


@pytest.mark.parametrize("other", ["format number 1 of", "test.py::test_x[1]", "f4,f4", "(2,3)f4", "V0", "i99", "",
                                   b"f4", None, 0, 2**70, -1, 1.5, [], {}, Odd(), numpy.dtype(">f4"), numpy.dtype("U3"), tenon])
def test_a_dtype_is_compared_with_anything(other):
    assert not tenon.float32 == other and tenon.float32 != other
    assert not tenon.float32 == tenon.zeros(2) and tenon.float32 == "f4" == tenon.float32 and tenon.bool == "?"


def test_a_dtype_survives_pickling_as_the_same_object():
    assert pickle.loads(pickle.dumps(tenon.bfloat16)) is tenon.bfloat16


def test_storage_types_say_who_converts_them():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    small = tenon.asarray(numpy.array([0.5, 2], ml_dtypes.float8_e4m3fn))
    with pytest.raises(tenon.DTypeError, match=r"array.numpy\(\) \(with ml_dtypes\)"):
        small.tolist()
    assert small.numpy().astype("float32").tolist() == [0.5, 2]
    with pytest.raises(tenon.DTypeError, match="convert it in the library that it comes from"):
        small + 1
    with pytest.raises(tenon.DTypeError, match="NumPy keeps each float4_e2m1fn in a byte of its own, and Tenon packs them"):
        tenon.asarray(numpy.ones(4, ml_dtypes.float4_e2m1fn))


def test_vector_lanes_are_part_of_a_dtype():
    float4 = tenon.DType(tenon.float32.code & 0xFFFF | 4 << 16)
    assert float4.name == "float32x4" and float4.itemsize == 16


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, 1 + 2**-8, 1 + 2**-7 + 2**-8, -3.1415927, 3e38, float("inf"), float("nan")])
def test_a_bfloat16_scalar_is_rounded_to_nearest_even(value):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    ours = _dtypes.pack_scalar(tenon.bfloat16, value)
    theirs = numpy.array(numpy.float32(value)).astype(ml_dtypes.bfloat16)
    if value == value:
        assert ours == theirs.tobytes()
    else:
        assert numpy.isnan(_dtypes.unpack_scalar(tenon.bfloat16, ours))
