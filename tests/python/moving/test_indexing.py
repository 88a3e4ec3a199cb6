"""Subscripts, take and scatter, masks: NumPy is the reference, on random programs."""
import random

import numpy as np
import pytest

import tenon

DTYPES = ["bool", "int8", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]


def numbers(shape, dtype, rng):
    x = rng.integers(-50, 50, shape)
    return (x % 2 == 0) if dtype == "bool" else (x + 1j * x[::-1] if np.dtype(dtype).kind == "c"
                                                 and x.ndim else x).astype(dtype)


def awkward(x, rng):
    """The same numbers with other strides: transposed, reversed, or every second element."""
    kind = rng.integers(4)
    if kind == 0 or x.ndim == 0:
        return x
    if kind == 1:
        return np.asfortranarray(x)
    if kind == 2:
        return np.ascontiguousarray(x[::-1])[::-1]
    wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
    wide[..., ::2] = x
    return wide[..., ::2]


def random_key(shape, rng):
    """A random subscript that NumPy accepts."""
    entries, axis, used = [], 0, False
    common = tuple(rng.integers(1, 4, rng.integers(0, 3)))
    while axis < len(shape):
        n, kind = shape[axis], rng.integers(9)
        if kind == 0:
            entries.append(None)
            continue
        if kind == 1 and not used:
            entries.append(Ellipsis)
            used = True
            axis += int(rng.integers(0, len(shape) - axis + 1))
            continue
        if kind == 2 and n:
            entries.append(int(rng.integers(-n, n)))
        elif kind in (3, 4):
            step = int(rng.choice([-2, -1, 1, 2]))
            entries.append(slice(*(None if rng.integers(2) else int(rng.integers(-n - 1, n + 2)) for _ in range(2)),
                                 step))
        elif kind in (5, 6) and n:
            cut = tuple(1 if rng.integers(4) == 0 else extent for extent in common[rng.integers(0, len(common) + 1):])
            entries.append(rng.integers(-n, n, cut).astype(rng.choice(["i4", "i8", "u1"]) if False else "i8"))
        elif kind == 7:
            entries.append(rng.integers(0, 2, n).astype(bool))
        elif kind == 8 and axis + 1 < len(shape):
            entries.append(rng.integers(0, 2, shape[axis:axis + 2]).astype(bool))
            axis += 1
        else:
            entries.append(slice(None))
        axis += 1
    if rng.integers(8) == 0:
        entries.append(bool(rng.integers(2)))
    return tuple(entries)


def for_tenon(key):
    return tuple(tenon.asarray(entry) if isinstance(entry, np.ndarray) and random.random() < 0.7
                 else entry for entry in key)


def test_random_subscripts_read_as_numpys():
    rng, advanced = np.random.default_rng(1), 0
    random.seed(1)
    for _ in range(1500):
        shape = tuple(rng.integers(0, 5, rng.integers(1, 5)))
        x = awkward(numbers(shape, rng.choice(DTYPES), rng), rng)
        key = random_key(shape, rng)
        try:
            expected = x[key]
        except IndexError:
            with pytest.raises(IndexError):
                tenon.asarray(x)[for_tenon(key)]
            continue
        got = tenon.asarray(x)[for_tenon(key)].numpy()
        advanced += any(isinstance(entry, np.ndarray) for entry in key)
        assert got.shape == expected.shape and got.dtype == expected.dtype, (shape, key)
        assert np.array_equal(got, expected), (shape, key)
    assert advanced > 500


def test_random_subscripts_write_as_numpys():
    rng, done = np.random.default_rng(2), 0
    random.seed(2)
    for _ in range(1000):
        shape = tuple(rng.integers(1, 5, rng.integers(1, 5)))
        x = np.arange(np.prod(shape)).reshape(shape).astype(rng.choice(["i2", "f4", "f8", "c16"]))
        key = random_key(shape, rng)
        try:
            part = x[key]
        except IndexError:
            continue
        memory = np.zeros((*shape[:-1], 2 * shape[-1]), x.dtype)
        ours = tenon.asarray(memory)[..., ::2]
        ours[...] = x
        # All writes to the same element write the same value, so that their order does not matter.
        kind = rng.integers(3)
        seen = np.zeros(shape, int)
        np.add.at(seen, key, 1)
        value = 77 if kind == 0 or seen.max() > 1 \
            else rng.integers(100, 200, part.shape if kind == 1 else part.shape[-1:]).astype(x.dtype)
        x[key] = value
        ours[for_tenon(key)] = value if isinstance(value, int) else tenon.asarray(value)
        assert np.array_equal(ours.numpy(), x), (shape, key)
        assert not memory[..., 1::2].any()
        done += 1
    assert done > 700


def test_masks_of_every_kind_of_number():
    for dtype in DTYPES:
        x = np.arange(24).reshape(2, 3, 4).astype(dtype)
        mask = x.real > 0 if dtype != "bool" else x
        assert np.array_equal(tenon.asarray(x)[tenon.asarray(mask)].numpy(), x[mask])
        ours = tenon.asarray(x.copy())
        ours[tenon.asarray(mask)] = 1
        x[mask] = 1
        assert np.array_equal(ours.numpy(), x)
        assert [one.tolist() for one in tenon.nonzero(ours)] == [one.tolist() for one in np.nonzero(x)]
        assert tenon.argwhere(ours).numpy().tolist() == np.argwhere(x).tolist()
    nan = tenon.asarray([0.0, float("nan"), -0.0])
    assert tenon.flatnonzero(nan).tolist() == [1]
    assert tenon.asarray(np.zeros((0, 3)))[tenon.asarray(np.zeros((0, 3), bool))].shape == (0,)


@pytest.mark.parametrize("shape, cut", [((1,), (0,)), ((2, 3), (0,)), ((2, 3), (2, 0)), ((2, 3), (0, 3)), ((2, 3), (0, 0))])
def test_a_mask_of_extent_0_takes_nothing(shape, cut):
    x, mask = np.ones(shape), np.zeros(cut, bool)
    ours = tenon.asarray(x.copy())
    assert ours[tenon.asarray(mask)].shape == x[mask].shape and ours[:, None][tenon.asarray(mask)[:, None]].size == 0
    ours[tenon.asarray(mask)] = 5
    assert np.array_equal(ours.numpy(), x)


def test_long_masks_and_indices_use_all_threads():
    rng = np.random.default_rng(3)
    x = rng.random(300001).astype("f4")
    mask = x > 0.4
    assert np.array_equal(tenon.asarray(x)[tenon.asarray(mask)].numpy(), x[mask])
    index = rng.integers(-len(x), len(x), 200000)
    assert np.array_equal(tenon.asarray(x)[tenon.asarray(index)].numpy(), x[index])
    sums, ours = np.zeros(1000, "f4"), tenon.zeros(1000, "float32")
    np.add.at(sums, index % 1000, x[:200000])
    tenon.scatter(ours, index % 1000, x[:200000], operation="add")
    assert np.array_equal(ours.numpy(), sums)  # in order: the same bits
    rows = rng.random((500, 300))
    order = rng.integers(0, 500, 2000)
    assert np.array_equal(tenon.take(rows, order, axis=0).numpy(), rows[order])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "uint64", "float16", "float32", "float64",
                                   "complex64", "complex128"])
@pytest.mark.parametrize("operation", ["add", "min", "max"])
def test_scatter_combines_repeated_places(dtype, operation):
    rng = np.random.default_rng(4)
    index = rng.integers(0, 6, 40)
    values = numbers((40,), dtype, rng)
    start = numbers((6,), dtype, rng)
    ours = tenon.asarray(start.copy())
    if np.dtype(dtype).kind == "c" and operation != "add":
        with pytest.raises(tenon.DTypeError, match="complex"):
            tenon.scatter(ours, index, values, operation=operation)
        return
    tenon.scatter(ours, index, values, operation=operation)
    {"add": np.logical_or if dtype == "bool" else np.add, "min": np.minimum,
     "max": np.maximum}[operation].at(start, index, values)
    assert np.array_equal(ours.numpy(), start)


def test_nan_wins_in_scatter():
    ours = tenon.asarray(np.array([1.0, 2.0]))
    tenon.scatter(ours, [0, 0], [float("nan"), 0.0], operation="min")
    assert np.isnan(ours.numpy()[0])


def test_along_an_axis():
    rng = np.random.default_rng(5)
    for shape, axis in (((4, 5), 0), ((4, 5), 1), ((2, 3, 4), -2), ((6,), 0)):
        x = rng.random(shape)
        index = np.argsort(x, axis=axis)
        assert np.array_equal(tenon.take_along_axis(x, index, axis=axis).numpy(), np.take_along_axis(x, index, axis))
        ours, theirs = tenon.asarray(x.copy()), x.copy()
        tenon.put_along_axis(ours, index, 7.0, axis=axis)
        np.put_along_axis(theirs, index, 7.0, axis)
        assert np.array_equal(ours.numpy(), theirs)
    x, index = rng.random((3, 4)), np.array([[1, 0]])
    assert np.array_equal(tenon.take_along_axis(x, index, axis=1).numpy(), np.take_along_axis(x, index, 1))


def test_indices_of_every_integer_dtype():
    x = tenon.asarray(np.arange(10.0))
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        assert x[np.array([3, 1, 9], dtype)].tolist() == [3.0, 1.0, 9.0]
    assert x[[]].shape == (0,) and x[[2, -1]].tolist() == [2.0, 9.0]


def test_indices_out_of_range_are_errors_and_never_read():
    x = tenon.asarray(np.arange(12.0).reshape(3, 4))
    for index in (3, -4, 2**40, -2**63):
        with pytest.raises(IndexError, match=f"indices\\[0\\] holds {index} at \\(1,?\\): axis 0 has extent 3"):
            x[np.array([0, index])]
        with pytest.raises(IndexError, match="axis 0 has extent 3"):
            x[np.array([0, index])] = 5.0
    assert x.numpy().tolist() == np.arange(12.0).reshape(3, 4).tolist()  # nothing was written
    with pytest.raises(tenon.InvalidArgument, match="axis 1 has extent 4"):
        tenon.take_along_axis(x, [[4]], axis=1)
    with pytest.raises(tenon.InvalidArgument):
        tenon.take(tenon.zeros((0, 3)), [0], axis=0)
    assert tenon.take(tenon.zeros((0, 3)), [], axis=0).shape == (0, 3)


@pytest.mark.parametrize("call,kind,words", [
    (lambda x: x[np.array([0.5])], IndexError, "indices must be integers"),
    (lambda x: x[np.array([0, 1]), np.array([0, 1, 2])], IndexError, "broadcast"),
    (lambda x: x[np.array([True, False])], IndexError, "mask has shape"),
    (lambda x: x[0, 1, np.array([0])], IndexError, "too many indices"),
    (lambda x: x[..., np.array([0]), ...], IndexError, "single ellipsis"),
    (lambda x: tenon.take(x, [0], axis=2), tenon.InvalidArgument, "axis"),
    (lambda x: tenon.take(x, [0], axis=2, mode="clip"), IndexError, "axis 2 is out of range"),
    (lambda x: tenon.take_along_axis(x, [0], axis=0), tenon.ShapeError, "same number"),
    (lambda x: tenon.scatter(x, [0], np.zeros((2, 5)), axis=0), tenon.ShapeError, "broadcast"),
    (lambda x: tenon.scatter(x.broadcast_to((2, 3, 4)), [0], 1.0), tenon.ReadOnlyError, "read-only"),
    (lambda x: tenon.compress(np.array([[True]]), x, axis=1), tenon.ShapeError, "mask"),
    (lambda x: tenon.take(x, [0], axis=0, out=tenon.zeros((1, 4), "float32")), tenon.DTypeError, "float32"),
    (lambda x: tenon.take(x, [0, 1, 2], axis=0, out=x), tenon.TenonError, "shares memory"),
    (lambda x: tenon.scatter(x, [0], x[1:2]), tenon.TenonError, "shares memory"),
])
def test_bad_subscripts(call, kind, words):
    x = tenon.asarray(np.arange(12.0).reshape(3, 4))
    with pytest.raises(kind, match=words):
        call(x)


def test_outputs_are_given():
    x = np.arange(20.0).reshape(4, 5)
    memory = tenon.zeros((3, 10))
    view = memory[:, ::-2]
    assert tenon.take(x, [3, 0, 0], axis=0, out=view) is view
    assert np.array_equal(view.numpy(), x[[3, 0, 0]]) and not memory.numpy()[:, ::2].any()
