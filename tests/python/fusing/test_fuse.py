"""tenon.fuse: random functions beside the separate operations, bit for bit; what is traced again; errors."""

import threading

import numpy
import pytest

import tenon

EXACT = [tenon.add, tenon.subtract, tenon.multiply, tenon.maximum, tenon.minimum, tenon.less, tenon.equal]
REAL = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64"]


def host(rng, dtype, shape):
    values = rng.integers(-90, 90, shape) / (1 if "int" in dtype else 4)
    return (
        values > 0
        if dtype == "bool"
        else numpy.abs(values).astype(dtype)
        if dtype.startswith("u")
        else values.astype(dtype)
    )


def same(fused, eager):
    assert fused.dtype is eager.dtype and fused.shape == eager.shape
    a, b = fused.numpy(), eager.numpy()
    assert a.tobytes() == b.tobytes() or numpy.array_equal(a, b, equal_nan=a.dtype.kind in "fc"), (a, b)


def random_function(seed, arrays, numbers):
    """A function of that many arrays and numbers, which gives the same operations whenever it is called."""

    def function(*args):
        rng = numpy.random.default_rng(seed)
        values = list(args[:arrays])
        for _ in range(int(rng.integers(1, 9))):
            x, y = (values[int(rng.integers(len(values)))] for _ in range(2))
            kind = rng.integers(6)
            if kind == 0 and numbers:
                y = args[arrays + int(rng.integers(numbers))]
            if kind == 1:
                y = [2, 1.5, 3][int(rng.integers(3))]
            if kind == 2:
                values.append(tenon.where(x, y, values[0]))
            elif kind == 3:
                values.append(tenon.astype(x, REAL[int(rng.integers(1, len(REAL)))]) if x.dtype.kind != "c" else x)
            else:
                try:
                    values.append(EXACT[int(rng.integers(len(EXACT)))](x, y))
                except tenon.DTypeError:
                    values.append(tenon.add(x, y))
        return values[-1]

    return function


@pytest.mark.parametrize("seed", range(60))
def test_a_fused_function_gives_the_separate_operations_bits(seed, device):
    rng = numpy.random.default_rng(1000 + seed)
    arrays, numbers = int(rng.integers(1, 4)), int(rng.integers(0, 3))
    shapes = [(3, 5), (1, 5), (3, 1), (), (5,)]
    hosts = [
        host(rng, REAL[int(rng.integers(len(REAL)))], shapes[int(rng.integers(len(shapes)))]) for _ in range(arrays)
    ]
    args = [tenon.asarray(one, device=device) for one in hosts]
    if args[0].ndim == 2 and seed % 3 == 0:
        args[0] = tenon.asarray(hosts[0].T.copy(), device=device).T
    scalars = [[3, 2.5, 7][int(rng.integers(3))] for _ in range(numbers)]
    function = random_function(seed, arrays, numbers)
    try:
        eager = function(*args, *scalars)
    except (tenon.TenonError, OverflowError) as error:
        with pytest.raises((type(error), TypeError)):
            tenon.fuse(function)(*args, *scalars)
        return
    same(tenon.fuse(function)(*args, *scalars), eager)


def test_operators_and_numpys_functions_are_recorded(device):
    def function(x, y):
        return (
            -x
            + 2 * y
            - (x / 3) ** 2
            + numpy.maximum(x, 1)
            + abs(y) % 2
            + (x > y) * 1.0
            + tenon.clip(x, 0, 1)
            + x.astype("float64").real
        )

    x, y = (tenon.asarray(numpy.linspace(-2, 2, 7), device=device) for _ in range(2))
    numpy.testing.assert_allclose(tenon.fuse(function)(x, y).numpy(), function(x, y).numpy(), rtol=1e-15)


def test_numbers_do_not_trace_again_and_bools_do(device):
    runs = []

    @tenon.fuse
    def scaled(x, factor, offset=1, *, relu=False):
        runs.append(relu)
        value = x * (factor * 2) + offset
        return tenon.maximum(value, 0) if relu else value

    x = tenon.asarray(numpy.array([-1, 2], "float32"), device=device)
    assert (
        scaled(x, 2.0).tolist() == [-3, 9]
        and scaled(x, 0.5, 3).tolist() == [2, 5]
        and scaled(x, 2.0, offset=0).tolist() == [-4, 8]
    )
    assert runs == [False]
    assert scaled(x, 2.0, relu=True).tolist() == [0, 9] and runs == [False, True]
    assert scaled(x, 2).dtype is tenon.float32 and scaled(x.astype("int32"), 2).dtype is tenon.int32
    assert scaled(x.astype("int32"), 2.5).dtype is tenon.float64


def test_several_results_have_their_own_shapes(device):
    x, y = tenon.zeros((3, 1), device=device) + 2.0, tenon.zeros((1, 4), device=device) + 3.0
    first, both, again = tenon.fuse(lambda x, y: (x + 1, x * y, x + 1))(x, y)
    assert (
        first.shape == (3, 1) and both.shape == (3, 4) and again.tolist() == first.tolist() and both[0, 0].item() == 6
    )
    (alone,) = tenon.fuse(lambda x, y: [x + 1])(x, y)
    assert alone.shape == (3, 1)
    out = tenon.zeros((3, 4), device=device)
    assert tenon.fuse(lambda x, y: x * y)(x, y, out=out) is out and out[2, 3].item() == 6
    assert tenon.fuse(lambda x: x + 1)(tenon.zeros((0, 3), device=device)).shape == (0, 3)


def test_arrays_of_other_libraries_and_threads():
    @tenon.fuse
    def work(x, y):
        return x * y + 1

    assert work(numpy.ones(3, "float32"), [1.0, 2.0, 3.0]).tolist() == [2, 3, 4]
    assert work(tenon.asarray([1.0]), numpy.float32(2)).tolist() == [3]
    fresh = tenon.fuse(lambda x: x + 1)
    outer = tenon.fuse(lambda x: work(x, x) * fresh(x))
    assert outer(tenon.asarray([2.0])).tolist() == [15]
    results = []
    threads = [
        threading.Thread(
            target=lambda i=i: results.append(tenon.fuse(lambda x: x * i + x)(tenon.asarray([1.0])).item())
        )
        for i in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [1, 2, 3, 4, 5, 6]


def test_tensors_give_tensors():
    torch = pytest.importorskip("torch")
    result = tenon.fuse(lambda x, y: tenon.sqrt(x) * y)(torch.full((3,), 4.0), torch.ones(3))
    assert isinstance(result, torch.Tensor) and result.tolist() == [2, 2, 2]


def test_a_trace_may_call_another_fused_function_on_arrays_of_its_own():
    inner = tenon.fuse(lambda x: x + 1)

    @tenon.fuse
    def outer(x):
        inner(tenon.asarray([1.0]))  # traced within this trace, and not part of it
        return x * 2

    assert outer(tenon.asarray([3.0])).tolist() == [6]


WRONG = [
    (lambda x: x if x > 0 else -x, "use tenon.where in the place of if"),
    (lambda x: float(x), "leave float"),
    (lambda x: list(x), "loops and slices outside"),
    (lambda x: x[0], "an index is one array of integers"),
    (lambda x: tenon.sort(x), "call other functions outside"),
    (lambda x: numpy.add.reduce(x), "numpy.add.reduce"),
    (lambda x: x + tenon.asarray([1.0]), "not among its arguments"),
    (lambda x: x.shape, "no attribute 'shape'"),
    (lambda x: None, "must return one array"),
    (lambda x: 3, "must return one array"),
    (lambda x: tenon.add(x, 1, out=x), "belong to the call"),
]


@pytest.mark.parametrize("function,text", WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_fused_is_refused(function, text):
    with pytest.raises((TypeError, AttributeError), match=text):
        tenon.fuse(function)(tenon.asarray([1.0, 2.0]))
    assert tenon.fuse(lambda x: x + 1)(tenon.asarray([1.0])).tolist() == [2]  # the next trace is not disturbed


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match="the value of this number is not known"):
        tenon.fuse(lambda x, n: x if n > 2 else -x)(tenon.asarray([1.0]), 3)
    with pytest.raises(TypeError, match="only numbers as operands"):
        tenon.fuse(lambda x, n: x * tenon.sqrt(n))(tenon.asarray([1.0]), 3)
    with pytest.raises(TypeError, match="needs at least one array"):
        tenon.fuse(lambda x: x + 1)(3)
    with pytest.raises(TypeError, match="must not have a parameter"):
        tenon.fuse(lambda x, out: x)
    with pytest.raises(TypeError, match="it must be an array, a number"):
        tenon.fuse(lambda x, how: x)(tenon.asarray([1.0]), {})
    kept = []
    tenon.fuse(lambda x: kept.append(x) or x + 1)(tenon.asarray([1.0]))
    with pytest.raises(TypeError, match="another call that tenon.fuse traced"):
        tenon.fuse(lambda x: x + kept[0])(tenon.asarray([1.0]))
    with pytest.raises(tenon.ShapeError):
        tenon.fuse(lambda x, y: x + y)(tenon.zeros(3), tenon.zeros(4))


# --- reductions and scans -------------------------------------------------------------------------------------------

EXACTLY = ["max", "min", "any", "all", "argmax", "argmin", "count_nonzero"]
ROUNDED = ["sum", "prod", "mean", "var", "std", "logsumexp"]


def close(fused, eager, length):
    """Equal dtypes and shapes, and as close as sums of that many terms in another order."""
    assert fused.dtype is eager.dtype and fused.shape == eager.shape
    a, b = fused.numpy().astype("complex128"), eager.numpy().astype("complex128")
    eps = {"float16": 1e-3, "float32": 1.2e-7, "complex64": 1.2e-7}.get(eager.dtype.name, 2.3e-16)
    numpy.testing.assert_allclose(a, b, rtol=eps * 16 * (2 + numpy.log2(length + 1)), atol=eps * length * 16)


# Three dtypes for each reduction, because every case compiles several kernels.
OF_EACH = [(name, dtype) for at, name in enumerate(EXACTLY + ROUNDED)
           for dtype in (["bool", "int8", "uint32", "int64"][at % 4], ["float16", "float32"][at % 2],
                         ["float64", "complex64"][at // 2 % 2])]


@pytest.mark.parametrize("name,dtype", OF_EACH)
def test_a_fused_reduction_is_the_separate_one(name, dtype, device):
    rng = numpy.random.default_rng(len(name) * 100 + len(dtype))
    if dtype.startswith("complex") and name == "logsumexp":
        return
    shape = (7, 130, 5)
    values = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if dtype.startswith("complex") else 0)
    values = values > 0 if dtype == "bool" else numpy.abs(values * 3).astype(dtype) if "int" in dtype \
        else values.astype(dtype) if name != "prod" else (1 + values / 50).astype(dtype)
    x = tenon.asarray(values).to_device(device)
    function = getattr(tenon, name)
    views = ((x, None, False), (x, -1, True), (x.T, 0, False), (x[1:6:2, ::-1], 1 if name.startswith("arg") else (0, 2), True))
    at = OF_EACH.index((name, dtype))
    for view, axis, keepdims in (views[at % 4], views[(at + 1 + at // 4) % 4]):  # each view of two, for the same reason
        def one(x, axis=axis, keepdims=keepdims):
            return function(tenon.where(x != x, 0, x), axis=axis, keepdims=keepdims)

        fused, eager = tenon.fuse(lambda x: one(x))(view), one(view)
        if name in EXACTLY or eager.dtype.kind in "biu":
            same(fused, eager)
        else:
            close(fused, eager, view.size // max(eager.size, 1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_of_several_stages(dtype, device):
    rng = numpy.random.default_rng(5)
    x, w = (tenon.asarray(rng.standard_normal(shape).astype(dtype)).to_device(device) for shape in ((64, 300), (300,)))

    def softmax(x):
        e = tenon.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def layer_norm(x, w, epsilon):
        return (x - x.mean(axis=-1, keepdims=True)) / tenon.sqrt(x.var(axis=-1, keepdims=True) + epsilon) * w

    def cosine(x, w):
        return (x * w).sum(axis=-1) / tenon.sqrt((x * x).sum(axis=-1) * (w * w).sum())

    def several(x, w):
        total = (x * w).sum(axis=1)
        return total, x + 1, total * 2, tenon.argmax(x * w, axis=1), x.cumsum(axis=1), total

    for function, args in ((softmax, (x,)), (layer_norm, (x, w, 1e-5)), (cosine, (x, w)), (several, (x, w))):
        fused, eager = tenon.fuse(function)(*args), function(*args)
        for a, b in zip(fused, eager, strict=True) if isinstance(fused, tuple) else ((fused, eager),):
            (same if b.dtype.kind == "i" else lambda a, b: close(a, b, 300))(a, b)
    deviation = tenon.fuse(lambda x: tenon.std(x, axis=0, correction=1))
    close(deviation(x), tenon.std(x, axis=0, correction=1), 64)
    close(deviation(x[:9]), tenon.std(x[:9], axis=0, correction=1), 9)  # the count is that of the call


def test_logsumexp_keeps_infinities(device):
    inf, nan = float("inf"), float("nan")
    x = tenon.asarray([[1.0, 2.0, inf], [-inf, -inf, -inf], [nan, 1, 2], [-inf, 1000.0, 1000.0]]).to_device(device)
    for keepdims in (False, True):
        fused = tenon.fuse(lambda x, keepdims=keepdims: tenon.logsumexp(x * 1, axis=1, keepdims=keepdims))(x)
        same(fused, tenon.logsumexp(x, axis=1, keepdims=keepdims))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("dtype", ["int32", "float32", "complex128"])
def test_a_fused_scan_is_the_separate_one(name, dtype, device):
    rng = numpy.random.default_rng(7)
    x = tenon.asarray((1 + rng.standard_normal((6, 500)) / 30).astype(dtype)).to_device(device)
    for axis in (0, 1, -1):
        def scan(x, axis=axis):
            return getattr(tenon, name)(x * 2 - x, axis=axis)

        close(tenon.fuse(lambda x: scan(x))(x), scan(x), 500)


def test_a_fused_reduction_takes_out_a_graph_and_tensors(device):
    total = tenon.fuse(lambda x, y: ((x - y) ** 2).sum(axis=0))
    x, y = tenon.arange(12, dtype="float64", device=device).reshape((4, 3)), tenon.ones(3, device=device)
    expected = ((x - y) ** 2).sum(axis=0).tolist()
    out = tenon.zeros(3, device=device)
    assert total(x, y, out=out) is out and out.tolist() == expected
    assert total(x, 1.0).tolist() == expected  # a number in the place of an array: another trace
    with tenon.Graph(device) as graph:
        recorded = total(x, y, stream=graph)
    x += 1
    graph.launch()
    assert recorded.tolist() == ((x - y) ** 2).sum(axis=0).tolist()
    with pytest.raises(tenon.ShapeError, match="shape"):
        total(x, y, out=tenon.zeros(4, device=device))
    torch = pytest.importorskip("torch")
    if device.kind == "cpu":
        t = torch.arange(12.0).reshape(4, 3)
        assert isinstance(total(t, t[0]), torch.Tensor)
        assert total(t, t[0]).tolist() == ((t - t[0]) ** 2).sum(0).tolist()


def test_what_fused_reductions_refuse():
    x = tenon.ones((2, 3))
    for function, error, match in (
        (lambda x: x.sum(axis=()), TypeError, "over no axis"),
        (lambda x: tenon.cumulative_sum(x), TypeError, "needs axis="),
        (lambda x: tenon.cumulative_sum(x, axis=0, include_initial=True), TypeError, "include_initial"),
        (lambda x: tenon.sum(x, out=tenon.zeros(())), TypeError, "out= and stream="),
        (lambda x: x.max(axis=2), (tenon.InvalidArgument, IndexError), "axis 2"),
        (lambda x: tenon.median(x), TypeError, "call other functions outside of the fused one"),
    ):
        with pytest.raises(error, match=match):
            tenon.fuse(function)(x)
    with pytest.raises(tenon.InvalidArgument, match="over no elements"):
        tenon.fuse(lambda x: (x + 1).max())(tenon.ones((0, 3)))
    assert tenon.fuse(lambda x: (x + 1).sum())(tenon.ones((0, 3))).item() == 0


def test_complex_numbers_have_numpys_order():
    z = numpy.array([[1 + 2j, 3 - 1j, 3 + 1j], [0j, 3 + 0.5j, -1j]])
    for axis in (None, 0, 1):
        for name in ("max", "min"):
            got = tenon.fuse(lambda x: getattr(x * 1j, name)(axis=axis))(tenon.asarray(z))
            assert got.tolist() == getattr(z * 1j, name)(axis=axis).tolist(), (name, axis)
