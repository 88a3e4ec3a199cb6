"""NumPy's protocols: its functions take Tenon arrays and return Tenon arrays."""

import gc
import hashlib
import weakref

import ml_dtypes
import numpy
import pytest

import tenon
import tenon._numpy
from tenon._interface import from_cuda_array_interface


@pytest.fixture
def pair(random):
    host = random.random((3, 4))
    return host.copy(), tenon.asarray(host.copy())


UNARY = ("sin", "exp", "sqrt", "negative", "floor", "isnan", "conjugate", "logical_not", "spacing", "cbrt", "fabs")
BINARY = ("add", "subtract", "multiply", "divide", "power", "maximum", "arctan2", "less", "equal", "logical_and",
          "floor_divide",
          "remainder", "float_power", "copysign")


@pytest.mark.parametrize("name", UNARY)
def test_ufuncs_of_one_array(pair, name):
    host, array = pair
    result = getattr(numpy, name)(array)
    assert isinstance(result, tenon.Array)
    numpy.testing.assert_allclose(numpy.asarray(result), getattr(numpy, name)(host), rtol=1e-12)


@pytest.mark.parametrize("name", BINARY)
def test_ufuncs_of_two_whichever_side_tenons_is_on(pair, name):
    host, array = pair
    function = getattr(numpy, name)
    for result in (function(array, host), function(host, array), function(array, array), function(array, 2.0)):
        assert isinstance(result, tenon.Array)
    numpy.testing.assert_allclose(numpy.asarray(function(host, array)), function(host, host), rtol=1e-12)


def test_results_in_place(pair):
    host, array = pair
    out = numpy.empty((3, 4))
    assert numpy.sin(array, out=out) is out and numpy.allclose(out, numpy.sin(host))
    mine = tenon.empty((3, 4))
    assert numpy.sin(host, out=mine) is mine and numpy.allclose(mine, numpy.sin(host))
    single = numpy.ones((3, 4), "float32")
    single += array  # allowed by same_kind, as for NumPy's own arrays
    assert type(single) is numpy.ndarray and numpy.allclose(single, 1 + host)
    with pytest.raises(TypeError):
        numpy.add(array, 1, out=numpy.ones((3, 4), "int64"))
    host[...] = 0
    numpy.copyto(array, host)
    assert not numpy.any(array)


def test_methods_of_ufuncs(pair):
    host, array = pair
    for name, call in (("reduce", lambda x: numpy.add.reduce(x)),
                       ("axis", lambda x: numpy.maximum.reduce(x, axis=1, keepdims=True)),
                       ("accumulate", lambda x: numpy.multiply.accumulate(x, axis=1)),
                       ("outer", lambda x: numpy.subtract.outer(x, x)),
                       ("where", lambda x: numpy.add.reduce(x, where=host > 0.5)),
                       ("at", lambda x: numpy.hypot.reduce(x)),
                       ("several", lambda x: numpy.divmod(x, 0.3)[1]),
                       ("dtype", lambda x: numpy.add(x, 1, dtype="float32"))):
        result = call(array)
        assert isinstance(result, tenon.Array), name
        numpy.testing.assert_allclose(numpy.asarray(result), call(host), rtol=1e-6, err_msg=name)


FUNCTIONS = {
    "sum": lambda x: numpy.sum(x, 0), "std": lambda x: numpy.std(x, axis=1, ddof=1),
    "concatenate": lambda x: numpy.concatenate([x, x], 1),
    "where": lambda x: numpy.where(x > 0.5, x, 0), "nonzero": lambda x: numpy.where(x > 0.5)[1],
    "sort": lambda x: numpy.sort(x, 0),
    "median": lambda x: numpy.median(x, axis=0), "percentile": lambda x: numpy.percentile(x, 30),
    "dot": lambda x: numpy.dot(x, x.T),
    "einsum": lambda x: numpy.einsum("ij,kj->ik", x, x), "svd": lambda x: numpy.linalg.svd(x)[1],
    "norm": lambda x: numpy.linalg.norm(x),
    "eigh": lambda x: numpy.linalg.eigh(x @ x.T, UPLO="U")[0], "rfft": lambda x: numpy.fft.rfft(x, 5),
    "correlate": lambda x: numpy.correlate(x[0], x[1]), "trace": lambda x: numpy.trace(x, 1),
    "round": lambda x: numpy.round(x, 2),
    "diff": lambda x: numpy.diff(x, 2), "hstack": lambda x: numpy.hstack([x, x]),
    "interp": lambda x: numpy.interp(x[0], [0, 1], [1, 3]),
    "diagonal": lambda x: numpy.diagonal(x[None], 0, 1, 2), "masked sum": lambda x: numpy.sum(x,
            where=numpy.ones((3, 4), bool)),
}
FUNCTIONS |= {f"{name} of NaN": lambda x, name=name: getattr(numpy, name)(numpy.where(x > 0.5, numpy.nan, x), axis=1)
              for name in ("nansum", "nanprod", "nancumsum", "nancumprod", "nanmin", "nanmax", "nanmean", "nanmedian")}
FUNCTIONS |= {
    "nanvar": lambda x: numpy.nanvar(numpy.where(x > 0.5, numpy.nan, x), ddof=1),
    "nanargmin": lambda x: numpy.nanargmin(numpy.where(x > 0.5, numpy.nan, x)),
    "quantile": lambda x: numpy.quantile(x, [0.25, 0.5], axis=0, method="hazen", keepdims=True),
    "nanquantile": lambda x: numpy.nanquantile(numpy.where(x > 0.5, numpy.nan, x), 0.4, overwrite_input=True),
    "nanpercentile": lambda x: numpy.nanpercentile(numpy.where(x > 0.5, numpy.nan, x), 40, (0, 1), method="lower"),
    "lexsort": lambda x: numpy.lexsort(x), "setdiff1d": lambda x: numpy.setdiff1d(x, x[0]),
    "union1d": lambda x: numpy.union1d(x, x + 1), "isin": lambda x: numpy.isin(x, x[:1]),
    "histogram": lambda x: numpy.histogram(x, 4, (0, 1))[0], "pinv": lambda x: numpy.linalg.pinv(x),
    "convolve": lambda x: numpy.convolve(x[0], x[1]), "cond": lambda x: numpy.linalg.cond(x[:, :3], 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(pair, name):
    host, array = pair
    result = FUNCTIONS[name](array)
    assert isinstance(result, tenon.Array)
    numpy.testing.assert_allclose(numpy.asarray(result), FUNCTIONS[name](host), rtol=1e-9, atol=1e-12)


# Computed by Tenon, so that they work on a GPU too; x has NaN and infinities where the name says so.
OURS = {
    "ptp": lambda x: numpy.ptp(x, axis=1, keepdims=True), "append": lambda x: numpy.append(x, x[:1], axis=0),
    "append flat": lambda x: numpy.append(x, [1, 2]), "copy": lambda x: numpy.copy(x),
    "atleast_1d": lambda x: numpy.atleast_1d(x[0, 0]), "atleast_2d": lambda x: numpy.atleast_2d(x[0]),
    "atleast_3d": lambda x: numpy.atleast_3d(x[0]), "atleast_3d of a matrix": lambda x: numpy.atleast_3d(x, x[0])[0],
    "fliplr": lambda x: numpy.fliplr(x), "flipud": lambda x: numpy.flipud(x),
    **{f"rot90 {k}": lambda x, k=k: numpy.rot90(x, k) for k in range(-2, 4)},
    "rot90 of other axes": lambda x: numpy.rot90(x[None], 1, axes=(2, -2)),
    "nan_to_num": lambda x: numpy.nan_to_num(x), "nan_to_num of nan": lambda x: numpy.nan_to_num(x, posinf=7, nan=2),
    "median of nan": lambda x: numpy.median(x, axis=0), "nanmedian of nan": lambda x: numpy.nanmedian(x, axis=(0, 1)),
    "quantile": lambda x: numpy.quantile(x, [0.1, 0.7], axis=1, method="hazen"),
    "nanquantile of nan": lambda x: numpy.nanquantile(x, 0.3, axis=1),
    "percentile": lambda x: numpy.percentile(x, [20, 90], keepdims=True),
    "nanpercentile of nan": lambda x: numpy.nanpercentile(x, 50, axis=1),
    **{f"{name} of nan": lambda x, name=name: getattr(numpy, name)(x, axis=1)
       for name in ("nansum", "nanprod", "nanmax", "nanmin", "nanargmax", "nanargmin", "nancumsum", "nancumprod")},
    "nanmean": lambda x: numpy.nanmean(x, axis=0, keepdims=True), "nanstd": lambda x: numpy.nanstd(x, axis=1, ddof=1),
    "nanvar": lambda x: numpy.nanvar(x), "isin": lambda x: numpy.isin(x, x[1]),
    "setxor1d of nan": lambda x: numpy.setxor1d(x, x[1:]), "union1d": lambda x: numpy.union1d(x, x[1:]),
    "digitize": lambda x: numpy.digitize(x, [0.2, 0.6]), "histogram": lambda x: numpy.histogram(x, 5, (0, 1))[0],
    "compress": lambda x: numpy.compress([True, False, True], x, axis=0), "lexsort": lambda x: numpy.lexsort(x),
    "average": lambda x: numpy.average(x, axis=0), "average of all": lambda x: numpy.average(x, returned=True)[1],
    "weighted average": lambda x: numpy.average(x, 1, [1, 2, 3, 4], keepdims=True),
    "weighted average of all": lambda x: numpy.average(x, weights=x), "dstack": lambda x: numpy.dstack([x, x]),
    "column_stack": lambda x: numpy.column_stack([x, x[:, 0]]), "dstack of vectors": lambda x: numpy.dstack([x[0], x[1]]),
    "array_split": lambda x: numpy.array_split(x, 3, axis=1)[1],
    "array_split at places": lambda x: numpy.array_split(x, [1, 3], 1)[2],
    "partition": lambda x: numpy.sort(numpy.partition(x, 2, axis=1)[:, :2], axis=1),
}


@pytest.mark.parametrize("name", OURS)
def test_functions_that_numpy_does_not_compute(random, monkeypatch, name):
    host = random.random((3, 4))
    if "of nan" in name:
        host[0, 1], host[1, 2], host[2, 3] = numpy.nan, numpy.inf, -numpy.inf
    wanted = OURS[name](host)
    array = tenon.asarray(host.copy())
    monkeypatch.setattr(tenon._numpy, "by_numpy", lambda *args: pytest.fail(f"NumPy computes {args[1]}"))
    result = OURS[name](array)
    assert isinstance(result, tenon.Array) and result.shape == wanted.shape
    numpy.testing.assert_allclose(numpy.asarray(result), wanted, rtol=1e-12, atol=1e-14)


def test_questions_that_numpy_does_not_answer(pair, monkeypatch):
    host, array = pair
    monkeypatch.setattr(tenon._numpy, "by_numpy", lambda *args: pytest.fail(f"NumPy answers {args[1]}"))
    for ask in (numpy.shape, numpy.ndim, numpy.size, lambda x: numpy.size(x, 1), numpy.iscomplexobj, numpy.isrealobj):
        assert ask(array) == ask(host)
    array[0, 0] = float("nan")
    assert numpy.nan_to_num(array, copy=False) is array and array[0, 0].item() == 0
    with pytest.raises(ValueError, match="two different axes"):
        numpy.rot90(array, axes=(0, 0))
    with pytest.raises(ValueError, match="takes weights of that shape"):
        numpy.average(array, weights=[1, 2])
    with pytest.raises(ZeroDivisionError, match="sum of the weights is 0"):
        numpy.average(array, axis=1, weights=[1, -1, 0, 0])


def test_what_is_no_array_stays_so(pair):
    host, array = pair
    assert numpy.allclose(array, host) is True and numpy.array_equal(array, host + 1) is False
    assert numpy.shape(array) == (3, 4) and numpy.ndim(array) == 2
    assert numpy.array2string(array) == numpy.array2string(host)


def test_the_buffer_protocol(pair):
    host, array = pair
    view = memoryview(array)
    assert (view.shape, view.strides, view.format, view.readonly, view.nbytes) == ((3, 4), (32, 8), "d", False, 96)
    view[1, 2] = 7
    assert array[1, 2].item() == 7
    assert memoryview(array[:, ::-2]).tolist() == numpy.asarray(array)[:, ::-2].tolist()
    assert memoryview(tenon.ones((2,)).broadcast_to((3, 2))).readonly
    for name in ("int64", "uint64"):  # and not NumPy's longlong, which SciPy's compiled modules do not take
        assert numpy.asarray(tenon.ones(2, name)).dtype.num == numpy.dtype(name).num
    assert bytes(array) == array.tobytes() and len(memoryview(tenon.empty((0, 2)))) == 0
    with pytest.raises(BufferError, match="contiguous"):
        hashlib.sha256(array[:, ::2])
    with pytest.raises(BufferError, match="ml_dtypes"):
        memoryview(tenon.ones(2, "bfloat16"))
    del array
    assert view[1, 2] == 7  # the view keeps the array alive


def test_the_array_interface():
    array = tenon.arange(6).reshape(2, 3)
    interface = array.T.__array_interface__
    assert (interface["shape"], interface["strides"], interface["typestr"]) == ((3, 2), (8, 24), "<i8")
    assert interface["data"] == (array.data_ptr, False)
    assert not hasattr(tenon.ones(2, "bfloat16"), "__array_interface__")
    assert numpy.shares_memory(numpy.asarray(array), array.numpy())


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "complex64", "bfloat16", "float8_e4m3fn",
                                   "float8_e5m2"])
def test_dtypes_convert_both_ways(dtype):
    host = numpy.asarray([0, 1, 2]).astype(numpy.dtype(getattr(ml_dtypes, dtype, dtype)))
    array = tenon.asarray(host)
    assert array.dtype.name == dtype and numpy.dtype(array.dtype) == host.dtype and array.dtype == host.dtype
    assert numpy.asarray(array).dtype == host.dtype
    assert numpy.asarray(array).tobytes() == host.tobytes()


def test_other_libraries_say_so_themselves():
    class Mine:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "mine"

    assert tenon.ones(2) + Mine() == "mine"
    with pytest.raises(TypeError):
        numpy.add(tenon.ones(2), "text")


class OnGpu:
    """An array with the interface of Numba's arrays."""

    def __init__(self, host, **more):
        self.host = host
        self.__cuda_array_interface__ = {"version": 3, "shape": host.shape, "typestr": host.dtype.str,
                                         "strides": host.strides,
                                         "data": (host.ctypes.data, False), "stream": None, **more}


def test_the_cuda_array_interface_of_others():
    host = numpy.arange(12, dtype="float32").reshape(3, 4)
    cpu = [tenon.Device("cpu:0")]  # acts as a GPU, which the interface cannot distinguish
    for view in (host, host[::-1, 1::2], host.T, host[:0], host[1:2, None]):
        array = from_cuda_array_interface(OnGpu(view), cpu)
        assert array.shape == view.shape and array.tolist() == view.tolist()
    array = from_cuda_array_interface(OnGpu(host, strides=None), cpu)
    array[0, 0] = 7
    assert host[0, 0] == 7
    assert from_cuda_array_interface(OnGpu(host, data=(host.ctypes.data, True)), cpu).readonly
    with pytest.raises(BufferError, match="mask"):
        from_cuda_array_interface(OnGpu(host, mask=host), cpu)
    with pytest.raises(BufferError, match="multiple"):
        from_cuda_array_interface(OnGpu(host, strides=(6, 4)), cpu)
    if all(device.kind == "cpu" for device in tenon.devices()):
        for take in (tenon.asarray, tenon.from_dlpack):
            with pytest.raises(tenon.DeviceError, match="no GPU"):
                take(OnGpu(host))


def test_the_owner_of_lent_memory_lives_as_long_as_the_array():
    owner = OnGpu(numpy.ones(3))
    gone = weakref.ref(owner)
    array = from_cuda_array_interface(owner, [tenon.Device("cpu:0")])
    view = array[1:]
    del owner, array
    assert gone() is not None and view.tolist() == [1, 1]
    del view
    gc.collect()
    assert gone() is None
