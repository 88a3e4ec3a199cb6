"""Concatenation, tiles, rolls, padding, ranges: NumPy is the reference."""
import ctypes

import numpy as np
import pytest
from conftest import on

import tenon
from tenon import _raw
from tenon._library import lib

DTYPES = ["bool", "int8", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]


def same(ours, theirs):
    ours = ours.numpy() if isinstance(ours, tenon.Array) else np.asarray(ours)
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


def awkward(shape, dtype, rng):
    x = np.asfortranarray(rng.integers(0, 2 if dtype == "bool" else 100, (*shape[:-1], 2 * shape[-1])).astype(dtype))
    return x[..., ::-2]


def pad_by_numbers(x, widths, rng):
    """The modes of pad that compute."""
    close = {"float16": 2e-3, "float32": 1e-6, "complex64": 1e-6}.get(x.dtype.name, 1e-12)
    lengths = None if rng.random() < 0.4 else int(rng.integers(1, 6)) if rng.random() < 0.5 else \
        [tuple(map(int, rng.integers(1, 6, 2))) for _ in x.shape]
    for mode in ("maximum", "minimum", "mean", "median"):
        if x.dtype.kind == "b" and mode == "median":  # NumPy's mean of two booleans is their or
            continue
        got, want = tenon.pad(x, widths, mode, stat_length=lengths), np.pad(x, widths, mode, stat_length=lengths)
        if x.dtype.kind in "fc":
            np.testing.assert_allclose(got.numpy(), want, rtol=close, atol=100 * close)
        else:
            same(got, want)
    if x.dtype.kind == "b":
        return
    ends = int(rng.integers(0, 9)) if rng.random() < 0.5 else [tuple(map(int, rng.integers(0, 9, 2))) for _ in x.shape]
    got, want = tenon.pad(x, widths, "linear_ramp", end_values=ends), np.pad(x, widths, "linear_ramp", end_values=ends)
    # NumPy divides before or after it multiplies, for all elements of an axis, whether one of them is the end or not.
    np.testing.assert_allclose(got.numpy(), want, rtol=close, atol=1 if x.dtype.kind in "iu" else 100 * close)
    exact = x.dtype.kind in "iu" and not np.isin(ends, x).any() and x.ndim == 1
    if exact:
        same(got, want)


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_moves(dtype):
    rng = np.random.default_rng(DTYPES.index(dtype))
    for _ in range(40):
        rank = int(rng.integers(1, 4))
        shape = tuple(rng.integers(0 if rng.integers(6) == 0 else 1, 5, rank))
        x = awkward(shape, dtype, rng)
        axis = int(rng.integers(-rank, rank))
        other = awkward(tuple(3 if d == axis % rank else n for d, n in enumerate(shape)), dtype, rng)
        same(tenon.concat([x, other, x], axis=axis), np.concatenate([x, other, x], axis))
        same(tenon.stack([x, x[::-1]], axis=axis), np.stack([x, x[::-1]], axis))
        times = tuple(rng.integers(0, 3, rng.integers(1, 4)))
        same(tenon.tile(x, times), np.tile(x, times))
        same(tenon.repeat(x, 2, axis=axis), np.repeat(x, 2, axis))
        counts = rng.integers(0, 3, shape[axis])
        same(tenon.repeat(x, counts, axis=axis), np.repeat(x, counts, axis))
        same(tenon.roll(x, (2, -7), axis=(0, axis)), np.roll(x, (2, -7), (0, axis)))
        same(tenon.roll(x, 3), np.roll(x, 3))
        same(tenon.flip(x, axis=axis), np.flip(x, axis))
        widths = [tuple(map(int, rng.integers(0, 7, 2))) for _ in shape]
        same(tenon.pad(x, widths, constant_values=1), np.pad(x, widths, constant_values=1))
        if 0 not in shape:
            for mode in ("edge", "reflect", "symmetric", "wrap"):
                same(tenon.pad(x, widths, mode), np.pad(x, widths, mode))
            pad_by_numbers(x, widths, rng)
        assert tenon.pad(x, widths, "empty").shape == tuple(n + a + b for n, (a, b) in zip(shape, widths))
        if rank > 1:
            k = int(rng.integers(-3, 4))
            same(tenon.tril(x, k=k), np.tril(x, k))
            same(tenon.triu(x, k=k), np.triu(x, k))
            same(tenon.diagonal(x, offset=k), np.diagonal(x, k, -2, -1))


def test_the_padding_value_is_exact(device):
    for dtype, value in (("int64", 2**53 + 1), ("uint64", 2**64 - 1), ("int8", -128), ("complex64", 1 - 2j), ("bool", True),
                         ("float32", float("nan"))):
        x = tenon.zeros((2,), dtype, device=device)
        np.testing.assert_array_equal(tenon.pad(x, 1, constant_values=value).numpy(),
                                         np.asarray([value, 0, 0, value], dtype))
    with pytest.raises(OverflowError):
        tenon.pad(tenon.zeros((2,), "int8", device=device), 1, constant_values=300)
    with pytest.raises(TypeError):
        tenon.pad(tenon.zeros((2,), "float32", device=device), 1, constant_values=1j)


def test_options_of_padding_and_of_diagonals_are_checked(device):
    x = tenon.zeros((2, 2), "int8", device=device)
    widths = (ctypes.c_int64 * 2)(1, 1)
    out = ctypes.c_void_p()
    for mode, number in ((1, 1.0), (0, 300.0), (0, 0.5)):
        value = _raw.tenon_arg(kind=_raw.TENON_ARG_SCALAR, dtype=_raw.TENON_FLOAT64)
        value.value.f64 = number
        options = _raw.tenon_pad_options(mode=mode, value=ctypes.pointer(value))
        assert lib.tenon_pad(x._handle, 2, widths, widths, ctypes.byref(options), None, ctypes.byref(out)) \
            == _raw.TENON_ERROR_INVALID_ARGUMENT
    options = _raw.tenon_diagonal_options(upper=1)
    assert lib.tenon_eye(x.device._handle, _raw.TENON_INT8, 2, 2, ctypes.byref(options), None, ctypes.byref(out)) \
        == _raw.TENON_ERROR_INVALID_ARGUMENT
    assert not out.value


def test_many_axes_are_rolled():
    x = np.arange(2**7).reshape((2,) * 7)
    same(tenon.roll(x, (1,) * 7, axis=tuple(range(7))), np.roll(x, (1,) * 7, tuple(range(7))))
    same(tenon.roll(x, (5, 5, 2**62), axis=(0, 0, 1)), np.roll(x, (5, 5, 2**62), (0, 0, 1)))


def test_parts_are_views():
    x = np.arange(24).reshape(4, 6)
    ours = tenon.asarray(x)
    for got, expected in zip(tenon.split(ours, 3, axis=1), np.split(x, 3, 1)):
        same(got, expected)
        assert np.shares_memory(got.numpy(), x)
    for got, expected in zip(tenon.split(ours, [1, 3, 9], axis=1), np.split(x, [1, 3, 9], 1)):
        same(got, expected)
    for got, expected in zip(tenon.unstack(ours, axis=1), np.unstack(x, axis=1) if hasattr(np, "unstack") else x.T):
        same(got, expected)
    for view in (tenon.flip(ours), tenon.diagonal(ours), tenon.diag(ours), tenon.expand_dims(ours, axis=1),
                 tenon.moveaxis(ours, 0, 1)):
        assert np.shares_memory(view.numpy(), x)
    for axis in (0, -1, 2, (0, 2), (-1, 1), (3, 0, -1), ()):
        same(tenon.expand_dims(ours, axis), np.expand_dims(x, axis))
    same(tenon.squeeze(tenon.asarray(x[None, :, None]), axis=0), x[:, None])
    same(tenon.moveaxis(np.zeros((2, 3, 4)), (0, 1), (-1, 0)), np.moveaxis(np.zeros((2, 3, 4)), (0, 1), (-1, 0)))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32",
                                   "float64", "complex64"])
def test_ranges(dtype):
    same(tenon.arange(3, 40, 4, dtype=dtype), np.arange(3, 40, 4).astype(dtype))
    same(tenon.arange(40, 3, -4).astype(dtype), np.arange(40, 3, -4).astype(dtype))
    same(tenon.eye(3, 5, k=1, dtype=dtype), np.eye(3, 5, 1).astype(dtype))
    same(tenon.eye(5, 3, k=-2, dtype=dtype), np.eye(5, 3, -2).astype(dtype))
    same(tenon.linspace(0, 60, 7, dtype=dtype), np.linspace(0, 60, 7).astype(dtype))
    for far in (2**70, -(2**70)):
        same(tenon.eye(2, 3, k=far, dtype=dtype), np.zeros((2, 3), dtype))
        same(tenon.tril(tenon.ones((2, 3), dtype), k=far), np.full((2, 3), far > 0, dtype))


def test_ranges_of_reals():
    same(tenon.arange(0.5, 3.1, 0.25), np.arange(0.5, 3.1, 0.25))
    for arguments in ((0.1, 0.7, 13), (5.0, -2.0, 1), (1.0, 2.0, 0), (0.0, 1.0, 50)):
        for endpoint in (True, False):
            assert np.allclose(tenon.linspace(*arguments, endpoint=endpoint).numpy(),
                               np.linspace(*arguments, endpoint=endpoint), rtol=1e-15, atol=1e-16)
    assert tenon.linspace(0.1, 0.7, 13)[-1].item() == 0.7
    assert tenon.arange(0).shape == (0,) and tenon.arange(5, 1).shape == (0,)
    assert tenon.arange(2**63 - 3, 2**63 - 1).tolist() == [2**63 - 3, 2**63 - 2]
    assert tenon.arange(2**64 - 3, 2**64 - 1, dtype="uint64").tolist() == [2**64 - 3, 2**64 - 2]


def test_grids_and_matrices():
    x, y, z = np.arange(3), np.arange(4.0), np.arange(2)
    for indexing in ("xy", "ij"):
        for got, expected in zip(tenon.meshgrid(x, y, z, indexing=indexing), np.meshgrid(x, y, z, indexing=indexing)):
            same(got, expected)
    assert isinstance(tenon.meshgrid(x, y), tuple) and isinstance(tenon.broadcast_arrays(x, x), tuple)
    same(tenon.tri(3, 4, 1), np.tri(3, 4, 1))
    same(tenon.diag(x, k=-1), np.diag(x, -1))
    same(tenon.tril(tenon.ones((2, 3, 3))), np.tril(np.ones((2, 3, 3))))
    for got, expected in zip(tenon.broadcast_arrays(x, y[:, None]), np.broadcast_arrays(x, y[:, None])):
        same(got, expected)


@pytest.mark.parametrize("dtypes", [("bool", "int8"), ("int8", "uint16", "int8"), ("float32", "float64"),
                                    ("int64", "float32"), ("float64", "complex64")])
def test_arrays_of_several_dtypes_are_promoted(dtypes):
    arrays = [np.arange(3).astype(dtype) for dtype in dtypes]
    same(tenon.concat(arrays), np.concatenate(arrays))
    same(tenon.stack(arrays, axis=1), np.stack(arrays, axis=1))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32", "complex128"])
def test_differences(dtype):
    x = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]]).astype(dtype)
    for axis in (0, 1, -1):
        for n in (0, 1, 2, 5):
            same(tenon.diff(tenon.asarray(x), axis=axis, n=n), np.diff(x, n, axis=axis))
    same(tenon.diff(tenon.asarray(x), prepend=x[:, :1], append=x[:, 1:]), np.diff(x, prepend=x[:, :1], append=x[:, 1:]))


def test_outputs_are_given():
    x = np.arange(6.0).reshape(2, 3)
    memory = tenon.zeros((4, 6))
    view = memory[:, ::2]
    assert tenon.concat([x, x], axis=0, out=view) is view
    same(view, np.concatenate([x, x]))
    assert not memory.numpy()[:, 1::2].any()
    with pytest.raises(tenon.TenonError, match="shares memory"):
        tenon.concat([view[:2], x], axis=0, out=view)
    with pytest.raises(tenon.ShapeError):
        tenon.concat([x], axis=0, out=view)
    same(tenon.pad(x, 1, "edge", out=tenon.zeros((4, 10))[:, ::2]), np.pad(x, 1, "edge"))
    same(tenon.triu(x, out=tenon.zeros((3, 2)).T), np.triu(x))


@pytest.mark.parametrize("call,kind,words", [
    (lambda: tenon.concat([]), tenon.InvalidArgument, "at least one array"),
    (lambda: tenon.concat([np.zeros(2), tenon.zeros(2, "complex32")]), tenon.DTypeError, "complex32"),
    (lambda: tenon.expand_dims(np.zeros(2), (0, -3)), tenon.InvalidArgument, "twice"),
    (lambda: tenon.expand_dims(np.zeros(2), 2), IndexError, "axis 2"),
    (lambda: tenon.diff(np.zeros(2), n=-1), tenon.InvalidArgument, "n is -1"),
    (lambda: tenon.diff(np.zeros(()), n=1), IndexError, "axis -1"),
    (lambda: tenon.concat([np.zeros((2, 3)), np.zeros((3, 2))]), tenon.ShapeError, "along that axis only"),
    (lambda: tenon.concat([np.zeros(())]), tenon.ShapeError, "stack them"),
    (lambda: tenon.stack([np.zeros(2), np.zeros(3)]), tenon.ShapeError, "all shapes must be equal"),
    (lambda: tenon.tile(np.zeros(2), -1), tenon.InvalidArgument, "negative"),
    (lambda: tenon.repeat(np.zeros(2), -1), tenon.InvalidArgument, "negative"),
    (lambda: tenon.repeat(np.zeros(2), [1, 2, 3]), tenon.InvalidArgument, "one per element"),
    (lambda: tenon.roll(np.zeros(2), (1, 2), axis=(0, 0, 0)), tenon.InvalidArgument, "2 shifts for 3 axes"),
    (lambda: tenon.pad(np.zeros(2), -1), tenon.InvalidArgument, "negative"),
    (lambda: tenon.pad(np.zeros(0), 1, "edge"), tenon.InvalidArgument, "only be padded with a constant"),
    (lambda: tenon.pad(np.zeros(2), 1, "sideways"), ValueError, "mode must be one of"),
    (lambda: tenon.pad(np.zeros(2), 1, "mean", stat_length=0), tenon.InvalidArgument, "stat_length is 0"),
    (lambda: tenon.pad(np.zeros(2), 1, "linear_ramp", end_values="x"), tenon.InvalidArgument, "must be numbers"),
    (lambda: tenon.pad(np.zeros(2, "?"), 1, "linear_ramp"), tenon.DTypeError, "bool"),
    (lambda: tenon.pad(tenon.zeros(2, "complex32"), 1, "mean"), tenon.DTypeError, "complex32"),
    (lambda: tenon.split(np.zeros(5), 2), tenon.InvalidArgument, "equal parts"),
    (lambda: tenon.squeeze(np.zeros((2, 1)), axis=0), tenon.ShapeError, "extent 1"),
    (lambda: tenon.arange(1, 2, 0), tenon.InvalidArgument, "endless"),
    (lambda: tenon.arange(3, dtype="bool"), tenon.DTypeError, "bool"),
    (lambda: tenon.linspace(0, 1, -1), tenon.InvalidArgument, "negative"),
    (lambda: tenon.tril(np.zeros(3)), tenon.ShapeError, "matrices"),
    (lambda: tenon.eye(-1), tenon.ShapeError, "negative"),
])
def test_bad_input(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
def test_rows_of_every_length_are_taken(device, random, dtype):
    for n in (*range(1, 35), 64, 1023, 1024, 1025):
        x = (random.standard_normal((19, n)) * 100).astype(dtype)
        index = random.integers(-19, 19, (3, 5))
        np.testing.assert_array_equal(tenon.take(on(device, x), on(device, index % 19), axis=0).numpy(), x[index])
        np.testing.assert_array_equal(on(device, x)[on(device, index)].numpy(), x[index])
        view = on(device, np.repeat(x, 2, axis=0))[::-2]
        np.testing.assert_array_equal(view[on(device, index)].numpy(), x[::-1][index])
        deep = np.stack([x, x + x])
        np.testing.assert_array_equal(tenon.take(on(device, deep), on(device, index[0] % 19), axis=1).numpy(),
                                      deep[:, index[0] % 19])


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex128"])
def test_triangles_with_every_diagonal(device, random, dtype):
    for shape in ((1, 1), (3, 5), (5, 3), (2, 4, 4), (6, 0), (0, 6), (130, 70)):
        x = random.integers(1, 100, shape).astype(dtype)
        for k in (*range(-7, 8), 2**62, -2**62, 2**63 - 1, -2**63):
            near = max(-1000, min(1000, k))
            np.testing.assert_array_equal(tenon.tril(on(device, x), k=k).numpy(), np.tril(x, near))
            np.testing.assert_array_equal(tenon.triu(on(device, x), k=k).numpy(), np.triu(x, near))
