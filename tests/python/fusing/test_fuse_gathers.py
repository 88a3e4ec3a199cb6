"""tenon.fuse with gathers: random functions beside the separate operations, bit for bit; indices out of range; what a
function became."""

import numpy
import pytest

import tenon

INDICES = ["int8", "int16", "int32", "int64", "uint8", "uint32"]
VALUES = ["bool", "int8", "int32", "uint16", "int64", "float16", "float32", "float64", "complex64", "complex128"]


def same(fused, eager):
    assert fused.dtype is eager.dtype and fused.shape == eager.shape
    a, b = fused.numpy(), eager.numpy()
    assert a.tobytes() == b.tobytes() or numpy.array_equal(a, b, equal_nan=a.dtype.kind in "fc"), (a, b)


def on(device, values):
    return tenon.asarray(values).to_device(device)


def awkward(rng, values):
    """The same elements with other strides."""
    if values.ndim and rng.random() < 0.3:
        axis = int(rng.integers(values.ndim))
        values = numpy.flip(numpy.flip(values, axis).copy(), axis)
    if values.ndim > 1 and rng.random() < 0.3:
        values = values.T.copy().T
    return values


@pytest.mark.parametrize("seed", range(40))
def test_take_gives_the_separate_operations_bits(seed, device):
    rng = numpy.random.default_rng(seed)
    shape = tuple(int(one) for one in rng.integers(1, 7, rng.integers(1, 4)))
    if seed % 5 == 0:
        shape = (*shape[:-1], int(rng.integers(60, 200)))
    axis = int(rng.integers(-len(shape), len(shape)))
    extent = shape[axis]
    dtype = VALUES[seed % len(VALUES)]
    x = awkward(rng, rng.integers(0, 9, shape).astype(dtype))
    kind = INDICES[int(rng.integers(len(INDICES)))]
    wanted = tuple(int(one) for one in rng.integers(1, 6, rng.integers(0, 3)))
    index = rng.integers(0 if kind.startswith("u") else -extent, extent, wanted).astype(kind)
    other = rng.integers(0, 9, (*shape[:axis % len(shape)], *wanted, *shape[axis % len(shape) + 1:])).astype("float32")
    x, index, other = on(device, x), on(device, awkward(rng, index)), on(device, awkward(rng, other))

    def function(x, index, other, number):
        clipped = tenon.clip(index, None, extent - 1)  # computed, and used beside the gather
        return tenon.take(x, clipped, axis=axis) + other * number, clipped

    for got, expected in zip(tenon.fuse(function)(x, index, other, 3.0), function(x, index, other, 3.0)):
        same(got, expected)


@pytest.mark.parametrize("seed", range(20))
def test_along_an_axis_gives_the_separate_operations_bits(seed, device):
    rng = numpy.random.default_rng(100 + seed)
    shape = [int(one) for one in rng.integers(1, 9, rng.integers(1, 4))]
    axis = int(rng.integers(-len(shape), len(shape)))
    x = awkward(rng, rng.standard_normal(shape).astype("float32"))
    wanted = list(shape)
    wanted[axis] = int(rng.integers(1, 40))
    index = rng.integers(-shape[axis], shape[axis], wanted)
    x, index = on(device, x), on(device, awkward(rng, index))

    def function(x, index):
        return abs(tenon.take_along_axis(x, index, axis=axis)) * 2

    same(tenon.fuse(function)(x, index), function(x, index))


@pytest.mark.parametrize("seed", range(12))
def test_reductions_and_scans_of_gathers(seed, device):
    rng = numpy.random.default_rng(200 + seed)
    x = on(device, rng.integers(-99, 99, (50, 6)).astype("int32"))
    index = on(device, rng.integers(-50, 50, (7, 33)))
    axis = [None, 0, 1, 2, (0, 1), (1, 2)][seed % 6]

    def function(x, index):
        rows = x[index] * 2 - 1
        return rows.sum(axis=axis), rows.max(axis=axis), tenon.cumulative_sum(rows, axis=seed % 3)

    for got, expected in zip(tenon.fuse(function)(x, index), (
            tenon.sum(tenon.take(x, index, axis=0) * 2 - 1, axis=axis),
            tenon.max(tenon.take(x, index, axis=0) * 2 - 1, axis=axis),
            tenon.cumulative_sum(tenon.take(x, index, axis=0) * 2 - 1, axis=seed % 3))):
        same(got, expected)


def test_subscripts_and_chains_of_gathers(device):
    rng = numpy.random.default_rng(7)
    x = rng.standard_normal((20, 30)).astype("float32")
    i, j = rng.integers(0, 20, 11), rng.integers(-11, 11, (4, 5))
    fused = tenon.fuse(lambda x, i, j: (x[i[j]], x[:, i], (x * 2)[i] + 1))
    got = fused(on(device, x), on(device, i), on(device, j))
    for one, expected in zip(got, (x[i[j]], x[:, i], (x * 2)[i] + 1)):
        assert numpy.array_equal(one.numpy(), expected) and one.dtype.name == "float32"
    text = fused.explain(on(device, x), on(device, i), on(device, j))
    assert text.startswith("2 kernels") and "#1 elementwise, stored because the array is indexed" in text
    assert "x'[i'[j'" in text or "x'[i'[j]" in text, text
    # one number as an index, and as many ranks as are passed
    at = tenon.fuse(lambda x, k: x[k] + 1)
    assert numpy.array_equal(at(on(device, x), on(device, numpy.array(3))).numpy(), x[3] + 1)
    assert numpy.array_equal(at(on(device, x), on(device, i)).numpy(), x[i] + 1)
    assert numpy.array_equal(at(on(device, x[0]), on(device, i)).numpy(), x[0][i] + 1)


def test_long_gathers(device):
    rng = numpy.random.default_rng(8)
    table, index = rng.standard_normal((1000, 64)).astype("float32"), rng.integers(-1000, 1000, 5000)
    bias = rng.standard_normal(64).astype("float32")
    fused = tenon.fuse(lambda t, i, b, s: t[i] * s + b)
    got = fused(on(device, table), on(device, index), on(device, bias), 0.5)
    assert numpy.array_equal(got.numpy(), table[index] * numpy.float32(0.5) + bias)
    line = rng.standard_normal(100003).astype("float32")
    where = rng.integers(0, 100003, 200001).astype("int32")
    got = tenon.fuse(lambda x, i: x[i] - 1)(on(device, line), on(device, where))
    assert numpy.array_equal(got.numpy(), line[where] - numpy.float32(1))


@pytest.mark.parametrize("bad", [5, -6, 2**40, -2**63, 2**63 - 1])
def test_indices_out_of_range_are_errors_and_never_read(bad, device):
    x = on(device, numpy.arange(5.0))
    fused = tenon.fuse(lambda x, i: (x[i] + 1, i + 0))
    good = on(device, numpy.array([0, 4, -5]))
    for index in (numpy.array([0, bad, 1]), numpy.array([bad])):
        with pytest.raises(tenon.InvalidArgument, match="is indexed with -?[0-9]+, but its first axis has extent 5") as info:
            fused(x, on(device, index))
        assert f"with {min(bad, 2**63 - 2)}," in str(info.value)
    assert fused(x, good)[0].tolist() == [1.0, 5.0, 1.0]
    total = tenon.fuse(lambda x, i: x[i].sum())
    with pytest.raises(tenon.InvalidArgument, match="first axis has extent 5"):
        total(x, on(device, numpy.array([bad])))
    assert total(x, good).tolist() == 4.0
    with pytest.raises(tenon.InvalidArgument, match="first axis has extent 0"):
        fused(on(device, numpy.zeros(0)), good)
    assert fused(on(device, numpy.zeros(0)), on(device, numpy.zeros(0, "int64")))[0].shape == (0,)


def test_recorded_into_a_graph(device):
    rng = numpy.random.default_rng(9)
    x, i = on(device, rng.standard_normal(100).astype("float32")), on(device, rng.integers(0, 100, 300))
    fused = tenon.fuse(lambda x, i, s: x[i] * s)
    fused(x, i, 2.0)  # compiled before the recording
    with tenon.Graph(device) as graph:
        recorded = fused(x, i, 2.0, stream=graph)
    x[...] = x * 3
    graph.launch()
    device.synchronize()
    assert numpy.array_equal(recorded.numpy(), x.numpy()[i.numpy()] * numpy.float32(2))


@pytest.mark.parametrize("function,kind,words", [
    (lambda x, i: x[i, i], TypeError, "one array of integers"),
    (lambda x, i: x[0], TypeError, "not known"),
    (lambda x, i: x[x], IndexError, "array of integers"),
    (lambda x, i: tenon.take(x, [0, 1], axis=0) + i, TypeError, "not among its arguments"),
    (lambda x, i: tenon.take(x, i), TypeError, "needs axis="),
    (lambda x, i: tenon.take(x, i, axis=2), tenon.InvalidArgument, "out of range"),
    (lambda x, i: tenon.take_along_axis(x, i, axis=0), tenon.ShapeError, "same number"),
])
def test_what_cannot_be_gathered(function, kind, words):
    with pytest.raises(kind, match=words):
        tenon.fuse(function)(tenon.zeros((3, 4)), tenon.asarray([0, 1]))


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    x, i = torch.arange(12.0).reshape(3, 4), torch.tensor([2, 0])
    got = tenon.fuse(lambda x, i: x[:, i] * 2)(x, i)
    assert isinstance(got, torch.Tensor) and torch.equal(got, x[:, i] * 2)
