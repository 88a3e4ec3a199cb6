"""Kernels generated from expressions, compared with NumPy: elementwise, reduction, scan; random shapes and strides."""

import itertools

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, eps, sample

COMPUTE = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", *REAL, *COMPLEX]


@pytest.fixture(params=["cpu:0", "cpu:0 by blocks", "cuda:0"])
def way(request):
    """A device and options for its kernels. "by blocks": the CPU runs the kernels that are meant for GPUs."""
    name, _, blocks = request.param.partition(" ")
    try:
        return tenon.Device(name), ["-DTENON_GENERATED_BLOCKS"] if blocks else []
    except tenon.NotFound as error:
        pytest.skip(f"no {name}: {error}")


def there(device, host):
    """The array on the device with the strides it has on the host: its memory is copied, and the view recreated."""
    host = numpy.asarray(host)
    base = host
    while base.base is not None and isinstance(base.base, numpy.ndarray):
        base = base.base
    if base is host or not base.flags.c_contiguous or host.size == 0:
        return tenon.asarray(numpy.array(host, order="K"), copy=True).to_device(device) if base is not host else \
            tenon.asarray(host.copy(), copy=True).to_device(device)
    if device.name == "cpu:0":
        copied = base.copy()
        offset = host.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return tenon.asarray(numpy.ndarray(host.shape, host.dtype, copied.data, offset, host.strides))
    return tenon.asarray(host).to_device(device)


def layouts(random, shape, dtype):
    """The same elements with different memory layouts."""
    plain = sample(random, shape, dtype)
    yield plain
    if len(shape) > 1:
        yield numpy.asfortranarray(plain)
        spread = numpy.zeros(tuple(2 * extent + 1 for extent in shape), dtype)[tuple(slice(1, None, 2) for _ in shape)]
        spread[...] = plain
        yield spread
    if shape and shape[0]:
        yield plain[::-1]
    if shape and shape[-1]:
        yield plain[..., ::-1]


# --- elementwise ---

def hypotenuse(options, name="hypotenuse"):
    return tenon.elementwise("T x, T y", "T z", "z = sqrt(x * x + y * y)", name=name, options=options)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (1023,), (4096,), (70_001,), (3, 5), (17, 130), (64, 64), (2, 3, 4, 5), (300, 1), (0,), (3, 0, 2)])
def test_every_element_of_every_shape(way, random, shape):
    device, options = way
    x, y = sample(random, shape, "float32"), sample(random, shape, "float32")
    got = hypotenuse(options)(there(device, x), there(device, y))
    assert got.shape == shape and got.dtype == "float32"
    numpy.testing.assert_allclose(got.numpy(), numpy.sqrt(x * x + y * y), rtol=4 * eps("float32"))


@pytest.mark.parametrize("shapes", [((4, 5), (5,)), ((4, 1), (1, 70)), ((300, 200), (200,)), ((300, 200), (300, 1)), ((7, 1, 33), (6, 1)), ((), (40, 50)),
                                    ((1,), (3, 4)), ((2, 1, 64, 1), (3, 1, 128)), ((0, 4), (4,))])
def test_operands_broadcast(way, random, shapes):
    device, options = way
    x, y = (sample(random, shape, "float64") for shape in shapes)
    add = tenon.elementwise("T x, T y", "T z", "z = x + y", options=options)
    numpy.testing.assert_array_equal(add(there(device, x), there(device, y)).numpy(), x + y)
    numpy.testing.assert_array_equal(add(there(device, y), there(device, x)).numpy(), y + x)


@pytest.mark.parametrize("shape", [(64,), (33, 40), (128, 129), (5, 6, 70)])
def test_operands_of_any_strides(way, random, shape):
    device, options = way
    scale = tenon.elementwise("T x, T y", "T z", "z = 2 * x - y", options=options)
    for x, y in itertools.product(layouts(random, shape, "float32"), repeat=2):
        numpy.testing.assert_array_equal(scale(there(device, x), there(device, y)).numpy(), 2 * x - y)


def test_outputs_of_any_strides(way, random):
    device, options = way
    copy = tenon.elementwise("T x", "T y", "y = x", options=options)
    x = sample(random, (30, 50), "float32")
    memory = tenon.zeros((64, 128), "float32", device=device)
    views = [memory[:30, :50], memory[1:61:2, 3:103:2], memory[29::-1, 49::-1], memory[:50, :30].T]
    for view in views:
        assert view.shape == (30, 50)
        memory.fill(0)
        copy(there(device, x), out=view)
        numpy.testing.assert_array_equal(view.numpy(), x)
        assert numpy.count_nonzero(memory.numpy()) == numpy.count_nonzero(x)


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
@pytest.mark.parametrize("shape", [(64, 64), (65, 130), (16, 300), (3, 70, 33), (40, 3, 50)])
def test_operands_with_different_orders_of_axes(way, random, shape, dtype):
    device, options = way
    x, z = sample(random, shape, dtype), sample(random, shape, dtype)
    combine = tenon.elementwise("T x, T y, T z", "T out", "out = x + y - z", options=options)
    for axes in itertools.permutations(range(len(shape))):
        y = sample(random, tuple(shape[axis] for axis in axes), dtype).transpose(numpy.argsort(axes))
        got = combine(there(device, x), there(device, y), there(device, z)).numpy()
        numpy.testing.assert_allclose(got, x + y - z, rtol=1e-6, err_msg=str(axes))
    if len(shape) == 2:
        row = sample(random, shape[1:], dtype)
        turned = sample(random, shape[::-1], dtype).T
        got = combine(there(device, turned), there(device, row), there(device, turned))
        numpy.testing.assert_allclose(got.numpy(), turned + row - turned, rtol=1e-6, atol=1e-6)


def test_unaligned_starts_and_odd_lengths(way, random):
    device, options = way
    add = tenon.elementwise("T x, T y", "T z", "z = x + y", options=options)
    x, y = there(device, sample(random, 5000, "float32")), there(device, sample(random, 5000, "float32"))
    for a, b, n in [(0, 0, 4999), (1, 0, 4096), (1, 1, 4095), (2, 2, 3000), (3, 1, 1), (2, 0, 4097)]:
        numpy.testing.assert_array_equal(add(x[a:a + n], y[b:b + n]).numpy(), x.numpy()[a:a + n] + y.numpy()[b:b + n])


@pytest.mark.parametrize("dtype", COMPUTE)
def test_every_dtype_is_computed_with(way, random, dtype):
    device, options = way
    x, y = sample(random, 1000, dtype), sample(random, 1000, dtype)
    if dtype == "bool":
        operation, want = "z = x != y", x != y
    else:
        operation, want = "z = x * y + x", x * y + x
    got = tenon.elementwise("T x, T y", "T z", operation, options=options)(there(device, x), there(device, y)).numpy()
    assert got.dtype == want.dtype
    if want.dtype.kind in "fc":
        numpy.testing.assert_allclose(got, want, rtol=8 * eps(dtype), atol=16 * eps(dtype))
    else:
        numpy.testing.assert_array_equal(got, want)


def test_bfloat16_is_rounded_to_nearest(way, random):
    device, options = way
    x = there(device, sample(random, 1000, "float32"))
    low = x.astype("bfloat16")
    double = tenon.elementwise("bfloat16 x", "bfloat16 y", "y = x * 1.7f", options=options)
    want = tenon.asarray(low.astype("float32").numpy() * numpy.float32(1.7)).astype("bfloat16").astype("float32").numpy()
    numpy.testing.assert_array_equal(double(low).astype("float32").numpy(), want)


def test_complex_functions(way, random):
    device, options = way
    x, y = sample(random, 500, "complex128"), sample(random, 500, "complex128")
    for expression, want in [("x / y", x / y), ("exp(x)", numpy.exp(x)), ("sqrt(x)", numpy.sqrt(x)), ("log(x)", numpy.log(x)),
                             ("conj(x) - 2", numpy.conj(x) - 2), ("pow(x, y)", x ** y), ("sin(x) + cos(y)", numpy.sin(x) + numpy.cos(y)),
                             ("complex128(abs(x), arg(x))", numpy.abs(x) + 1j * numpy.angle(x)), ("x * y.real()", x * y.real)]:
        got = tenon.elementwise("T x, T y", "T z", f"z = {expression}", options=options)(there(device, x), there(device, y)).numpy()
        numpy.testing.assert_allclose(got, want, rtol=1e-12, err_msg=expression)


def test_complex_numbers_between_multiples_of_their_size(way, random):
    device, options = way
    memory = there(device, sample(random, 2001, "float64"))
    x = memory[1:].view("complex128")
    host = memory.numpy()[1:].view("complex128")
    numpy.testing.assert_array_equal(tenon.elementwise("T x", "T y", "y = x + x", options=options)(x).numpy(), 2 * host)
    numpy.testing.assert_allclose(total(options)(x).numpy(), host.sum(), rtol=1e-12)
    numpy.testing.assert_allclose(tenon.scan("T x", "T y", options=options)(x).numpy(), host.cumsum(), rtol=1e-9)


def test_several_outputs_and_mixed_dtypes(way, random):
    device, options = way
    x, k = sample(random, (40, 60), "float32"), sample(random, (60,), "int16")
    split = tenon.elementwise("float32 x, int16 k", "float64 s, int32 r, bool p", "s = x + (double)k; r = k * 1000; p = x > 0", options=options)
    s, r, p = split(there(device, x), there(device, k))
    numpy.testing.assert_array_equal(s.numpy(), x.astype("float64") + k)
    numpy.testing.assert_array_equal(r.numpy(), numpy.broadcast_to(k.astype("int32") * 1000, x.shape))
    numpy.testing.assert_array_equal(p.numpy(), x > 0)


def test_scalars_take_the_declared_or_the_arrays_type(way, random):
    device, options = way
    x = sample(random, 100, "float32")
    axpy = tenon.elementwise("T a, T x, int32 k", "T y", "y = a * x + k", options=options)
    numpy.testing.assert_allclose(axpy(2, there(device, x), 3).numpy(), 2 * x + 3, rtol=2e-7)
    with pytest.raises(TypeError, match="k of elementwise"):
        axpy(2, there(device, x), 0.5)


def test_an_output_may_be_an_input(way, random):
    device, options = way
    for view in (slice(None), slice(None, None, 2), slice(None, None, -1)):
        x = there(device, sample(random, 3000, "float32"))
        part = x[view]
        want = part.numpy() * 2 + 1
        tenon.elementwise("T x", "T y", "y = x * 2 + 1", options=options)(part, out=part)
        numpy.testing.assert_allclose(part.numpy(), want, rtol=2e-7)


def test_inout_keeps_what_is_not_assigned(way, random):
    device, options = way
    x, y = sample(random, 1000, "float32"), sample(random, 1000, "float32")
    clamp = tenon.elementwise("T x", "inout T y", "if (x > 0) y += x", options=options)
    got = there(device, y)
    clamp(there(device, x), out=got)
    numpy.testing.assert_array_equal(got.numpy(), numpy.where(x > 0, y + x, y))


def test_numbers_of_elements_and_coordinates(way):
    device, options = way
    number = tenon.elementwise("", "int64 y", "y = i * 2 + n * 0", options=options)
    out = tenon.zeros((7, 9), "int64", device=device)
    number(out)
    numpy.testing.assert_array_equal(out.numpy(), 2 * numpy.arange(63).reshape(7, 9))
    number(out.T)
    numpy.testing.assert_array_equal(out.T.numpy(), 2 * numpy.arange(63).reshape(9, 7))
    place = tenon.elementwise("", "int64 y", "y = coord[0] * 100 + coord[1] * 10 + coord[2] + 1000 * (coord[1] == shape[1] - 1)", options=options)
    out = tenon.zeros((3, 4, 5), "int64", device=device)
    place(out)
    a, b, c = numpy.indices((3, 4, 5))
    numpy.testing.assert_array_equal(out.numpy(), a * 100 + b * 10 + c + 1000 * (b == 3))


def test_raw_arrays_are_indexed(way, random):
    device, options = way
    table, index = sample(random, 50, "float64"), random.integers(0, 50, (20, 30))
    take = tenon.elementwise("raw T table, int64 k", "T y", "y = table[k]", options=options)
    numpy.testing.assert_array_equal(take(there(device, table), there(device, index)).numpy(), table[index])
    scatter = tenon.elementwise("int64 k", "raw int32 seen", "seen[k] = 1", options=options)
    seen = tenon.zeros((50,), "int32", device=device)
    scatter(there(device, index[:2]), out=seen)
    assert set(numpy.flatnonzero(seen.numpy())) == set(index[:2].ravel())


def test_a_preamble_precedes_the_kernel(way):
    device, options = way
    cube = tenon.elementwise("T x", "T y", "y = cubed(x)", preamble="__device__ T cubed(T v) { return v * v * v; }", options=options)
    numpy.testing.assert_array_equal(cube(there(device, numpy.arange(10.0))).numpy(), numpy.arange(10.0) ** 3)


def test_random_cases(way, random):
    device, options = way
    operation = tenon.elementwise("A x, B y", "A z", "z = x - (A)y", options=options)
    for _ in range(60):
        rank = int(random.integers(1, 5))
        shape = tuple(int(extent) for extent in random.integers(1, 7, rank))
        operands = []
        for dtype in ("float64", "float32"):
            cut = int(random.integers(0, rank + 1))
            own = tuple(1 if random.random() < 0.3 else extent for extent in shape[cut:])
            host = sample(random, tuple(2 * extent for extent in own), dtype)
            host = host[tuple(slice(None, extent) if random.random() < 0.5 else slice(None, None, int(random.choice([2, -2]))) for extent in own)]
            operands.append(host.transpose() if random.random() < 0.3 and len(set(own)) == 1 else host)
        x, y = operands
        got = operation(there(device, x), there(device, y)).numpy()
        numpy.testing.assert_array_equal(got, x - y, err_msg=f"{x.shape} {x.strides}, {y.shape} {y.strides}")


# --- errors ---

@pytest.mark.parametrize("declaration, message", [("float32", "a type and a name"), ("real x", "neither a dtype"), ("T x, T x", "two parameters"),
                                                  ("T x,", "between two commas"), ("T 3x", "not an identifier"), ("inout T x", "only outputs"),
                                                  ("T tenon_x", "reserved for the library")])
def test_faults_of_declarations_are_named(declaration, message):
    with pytest.raises(tenon.InvalidArgument, match=message):
        tenon.elementwise(declaration, "T y", "y = 1")


def test_faults_of_arguments_name_the_parameter(way):
    device, options = way
    add = tenon.elementwise("T x, T y", "T z", "z = x + y", name="add", options=options)
    x, y = tenon.zeros((3, 4), "float32", device=device), tenon.zeros((3, 4), "float64", device=device)
    with pytest.raises(tenon.DTypeError, match="y of add is float64, but its type T is float32"):
        add(x, y)
    with pytest.raises(tenon.ShapeError, match="y of add has the shape"):
        add(x, x[:2])
    with pytest.raises(tenon.ShapeError, match="z of add has the shape"):
        add(x, x, out=tenon.zeros((4, 3), "float32", device=device))
    with pytest.raises(tenon.OverlapError, match="z of add shares memory with x of add"):
        add(x[:2], x[1:], out=x[1:])
    with pytest.raises(tenon.ReadOnlyError, match="z of add"):
        add(x, x, out=x[0].broadcast_to((3, 4)))
    with pytest.raises(TypeError, match="takes 2 inputs"):
        add(x)


def test_errors_of_the_text_have_its_lines(way):
    device, options = way
    with pytest.raises(tenon.CompileError, match=r"bad[:(]2"):
        tenon.elementwise("T x", "T y", "y = x;\ny += undeclared;", name="bad", options=options)(tenon.zeros((3,), device=device))


# --- reductions ---

def total(options, **more):
    return tenon.reduction("T x", "T y", "x", "a + b", "", "0", name="total", options=options, **more)


SHAPES = [(1,), (3,), (33,), (1000,), (4097,), (100_001,), (7, 5), (33, 1000), (1000, 33), (300, 257), (64, 3), (2, 20_000), (20_000, 2), (4, 5, 6),
          (30, 40, 50), (2, 3, 4, 5)]


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_over_any_axes(way, random, shape):
    device, options = way
    sums = total(options)
    for axes in itertools.chain.from_iterable(itertools.combinations(range(len(shape)), k) for k in range(1, len(shape) + 1)):
        x = sample(random, shape, "float64")
        got = sums(there(device, x), axis=axes)
        assert got.shape == x.sum(axis=axes).shape
        numpy.testing.assert_allclose(got.numpy(), x.sum(axis=axes), rtol=1e-12, atol=1e-11, err_msg=str(axes))


@pytest.mark.parametrize("shape", [(300,), (40, 65), (9, 10, 64)])
def test_sums_of_any_strides(way, random, shape):
    device, options = way
    sums = total(options)
    for x in layouts(random, shape, "int64"):
        for axis in [None, *range(len(shape))]:
            numpy.testing.assert_array_equal(sums(there(device, x), axis=axis).numpy(), x.sum(axis=axis))
            kept = sums(there(device, x), axis=axis, keepdims=True)
            numpy.testing.assert_array_equal(kept.numpy(), x.sum(axis=axis, keepdims=True))


def test_maps_posts_and_several_inputs(way, random):
    device, options = way
    x, y = sample(random, (50, 70), "float64"), sample(random, (70,), "float64")
    dot = tenon.reduction("T x, T y, float64 s", "T z", "x * y * s", "a + b", "sqrt(a * a) + n", "0", options=options)
    numpy.testing.assert_allclose(dot(there(device, x), there(device, y), 2.0, axis=1).numpy(), numpy.abs(2 * (x @ y)) + 70, rtol=1e-12)


def test_a_reduction_without_identity(way, random):
    device, options = way
    largest = tenon.reduction("T x", "T y", "x", "max(a, b)", options=options)
    for shape in [(5,), (1000,), (40, 50), (70_000,), (3, 30_000), (30_000, 3)]:
        x = -numpy.abs(sample(random, shape, "float32")) - 1
        for axis in [None, *range(len(shape))]:
            numpy.testing.assert_array_equal(largest(there(device, x), axis=axis).numpy(), x.max(axis=axis))
    with pytest.raises(tenon.InvalidArgument, match="no identity"):
        largest(tenon.zeros((0, 3), device=device), axis=0)
    assert largest(tenon.zeros((0, 3), device=device), axis=1).shape == (0,)


def test_reducing_nothing_gives_the_identity(way):
    device, options = way
    got = tenon.reduction("T x", "T y", "x", "a * b", "", "1", options=options)(tenon.zeros((3, 0), device=device), axis=1)
    numpy.testing.assert_array_equal(got.numpy(), numpy.ones(3))


def test_accumulators_can_be_structs_and_depend_on_the_index(way, random):
    device, options = way
    argmax = tenon.reduction("T x", "int64 y", "make(x, i)", "a.v > b.v || (a.v == b.v && a.i < b.i) ? a : b", "a.i", None, name="argmax",
                             accumulator="Best", options=options,
                             preamble="struct Best { T v; long long i; };\n__device__ Best make(T v, long long i) { Best b; b.v = v; b.i = i; return b; }")
    for shape in [(9,), (37, 129), (129, 37), (5, 6, 7), (100_000,), (2, 50_000), (50_000, 2)]:
        x = random.integers(0, 1000, shape).astype("float32")
        assert argmax(there(device, x)).item() == x.argmax()
        for axis in range(len(shape)):
            numpy.testing.assert_array_equal(argmax(there(device, x), axis=axis).numpy(), x.argmax(axis))


def test_the_same_sum_has_the_same_bits(way, random):
    device, options = way
    sums = total(options)
    for shape, axis in [((200_000,), None), ((300, 500), 0), ((300, 500), 1), ((3, 60_000), 1)]:
        x = there(device, sample(random, shape, "float32"))
        first = sums(x, axis=axis).tobytes()
        assert all(sums(x, axis=axis).tobytes() == first for _ in range(5))


def test_large_sums_are_at_least_as_accurate_as_numpys(way, random):
    device, options = way
    x = random.random(1 << 20, dtype="float32")
    exact = x.astype("float64").sum()
    error = abs(total(options)(there(device, x)).item() - exact)
    assert error <= max(abs(float(x.sum()) - exact), 4 * eps("float32") * exact)
    square = x.reshape(1024, 1024)
    for axis in (0, 1):
        exact = square.sum(axis=axis, dtype="float64")
        error = numpy.abs(total(options)(there(device, square), axis=axis).numpy() - exact).max()
        assert error <= max(numpy.abs(square.sum(axis=axis) - exact).max(), 4 * eps("float32") * exact.max())


def test_invalid_reductions_are_refused(way):
    device, options = way
    sums, x = total(options), tenon.zeros((3, 4), device=device)
    with pytest.raises(tenon.InvalidArgument, match="given twice"):
        sums(x, axis=(0, -2))
    with pytest.raises(tenon.InvalidArgument):
        sums(x, axis=2)
    with pytest.raises(tenon.ShapeError, match="y of total"):
        sums(x, axis=0, out=tenon.zeros((3,), device=device))
    with pytest.raises(tenon.OverlapError):
        sums(x, axis=0, out=x[0])


# --- scans ---

@pytest.mark.parametrize("shape", [(1,), (31,), (4096,), (4097,), (50_000,), (300_001,), (7, 5), (5, 9000), (9000, 5), (200, 300), (3000, 64), (40, 50, 6),
                                   (100, 17), (50, 100), (30, 200), (20, 700), (1500, 600),
                                   (0,), (3, 0), (0, 3)])
def test_running_sums_along_any_axis(way, random, shape):
    device, options = way
    running = tenon.scan("T x", "T y", options=options)
    before = tenon.scan("T x", "T y", exclusive=True, options=options)
    x = sample(random, shape, "int64")
    for axis in range(len(shape)):
        want = numpy.cumsum(x, axis=axis)
        numpy.testing.assert_array_equal(running(there(device, x), axis=axis).numpy(), want, err_msg=f"axis {axis}")
        numpy.testing.assert_array_equal(before(there(device, x), axis=axis).numpy(), want - x, err_msg=f"exclusive, axis {axis}")


@pytest.mark.parametrize("shape", [(5000,), (30, 500), (500, 30)])
def test_scans_of_any_strides(way, random, shape):
    device, options = way
    running = tenon.scan("T x", "T y", options=options)
    for x in layouts(random, shape, "int32"):
        for axis in range(len(shape)):
            numpy.testing.assert_array_equal(running(there(device, x), axis=axis).numpy(), numpy.cumsum(x, axis=axis, dtype="int32"))


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "complex64", "complex128"])
def test_scans_of_every_size_of_element(way, random, dtype):
    device, options = way
    x = sample(random, 20_000, dtype) if dtype != "float16" else numpy.ones(2000, "float16")
    got = tenon.scan("T x", "T y", options=options)(there(device, x)).numpy()
    want = numpy.cumsum(x, dtype=dtype if dtype == "int8" else "complex128" if dtype[0] == "c" else "float64")
    if dtype == "int8":
        numpy.testing.assert_array_equal(got, want)
    else:
        numpy.testing.assert_allclose(got, want, rtol=1e-3, atol=200 * eps(dtype) * numpy.abs(want).max())


@pytest.mark.parametrize("dtype, exclusive", [("int32", False), ("int32", True), ("float32", False), ("int64", False), ("float64", True), ("complex64", False)])
def test_scans_of_large_tiles(way, random, dtype, exclusive):
    """Long lines are divided into tiles of up to 32768 elements, at least two per multiprocessor; the last is
    incomplete."""
    device, options = way
    running = tenon.scan("T x", "T y", exclusive=exclusive, options=options)
    several = 300 if device.name.startswith("cuda") else 5
    for shape in [(several * 32768,), (several * 32768 + 4 * 4321,), (several, 3 * 32768 + 40)]:
        x = sample(random, shape, dtype)
        got = running(there(device, x)).numpy()
        want = numpy.cumsum(x, axis=-1, dtype=None if dtype[0] == "i" else "complex128" if dtype[0] == "c" else "float64")
        if dtype[0] == "i":
            numpy.testing.assert_array_equal(got, (want - x if exclusive else want).astype(dtype))
        else:
            numpy.testing.assert_allclose(got, want - x if exclusive else want, rtol=1e-3, atol=300 * eps(dtype) * numpy.abs(want).max())
    if dtype == "float32":
        same = there(device, x)
        first = running(same).tobytes()
        assert all(running(same).tobytes() == first for _ in range(5))
        running(same, out=same)
        assert same.tobytes() == first


def test_scans_need_not_commute(way, random):
    device, options = way
    # The composition of functions x -> p x + q: associative, but not commutative.
    compose = tenon.scan("float64 p, float64 q", "float64 y", "make(p, q)", "make(a.p * b.p, a.q * b.p + b.q)", "make(1, 0)", accumulator="Affine",
                         options=options, preamble="struct Affine { double p, q; __device__ operator double() const { return q; } };\n"
                                                   "__device__ Affine make(double p, double q) { Affine a; a.p = p; a.q = q; return a; }")
    for n in (100, 10_000, 70_000):
        p, q = random.uniform(-0.9, 0.9, n), sample(random, n, "float64")
        want, y = numpy.empty(n), 0.0
        for k in range(n):
            y = want[k] = p[k] * y + q[k]
        numpy.testing.assert_allclose(compose(there(device, p), there(device, q)).numpy(), want, rtol=1e-9, atol=1e-12)


def test_a_scan_can_be_in_place(way, random):
    device, options = way
    running = tenon.scan("T x", "T y", combine="max(a, b)", identity="lowest<T>()", options=options)
    for shape, axis in [((70_000,), 0), ((30, 400), 0), ((30, 400), 1)]:
        host = sample(random, shape, "float32")
        x = there(device, host)
        running(x, axis=axis, out=x)
        numpy.testing.assert_array_equal(x.numpy(), numpy.maximum.accumulate(host, axis=axis))


def test_the_same_scan_has_the_same_bits(way, random):
    device, options = way
    running = tenon.scan("T x", "T y", options=options)
    x = there(device, sample(random, 300_000, "float32"))
    first = running(x).tobytes()
    assert all(running(x).tobytes() == first for _ in range(5))


# --- named reductions and scans ---

@pytest.mark.parametrize("dtype", COMPUTE)
def test_named_reductions_are_numpys(device, random, dtype):
    x = sample(random, (60, 70), dtype)
    for name in ("sum", "mean", "cumsum", "max", "min"):
        for axis in (None, 0, 1):
            got, want = getattr(tenon, name)(there(device, x), axis), getattr(numpy, name)(x, axis)
            assert got.dtype == want.dtype and got.shape == want.shape, name
            if want.dtype.kind in "fc":
                scale = max(1.0, float(numpy.abs(want).max()))
                numpy.testing.assert_allclose(got.numpy(), want, rtol=30 * eps(want.dtype), atol=60 * eps(want.dtype) * scale, err_msg=name)
            else:
                numpy.testing.assert_array_equal(got.numpy(), want, err_msg=name)


@pytest.mark.parametrize("reduce", [tenon.max, tenon.min, tenon.sum, tenon.prod, tenon.mean])
@pytest.mark.parametrize("axis", [2, -3, (0, 5)])
def test_an_axis_out_of_range_is_refused_with_the_range(device, reduce, axis):
    for shape in ((2, 3), (0, 3)):
        with pytest.raises(tenon.InvalidArgument, match=r"-2 to 1"):
            reduce(tenon.zeros(shape, device=device), axis)


def test_nan_wins_in_extremes(device):
    x = numpy.array([1.0, numpy.nan, 3.0])
    assert numpy.isnan(tenon.max(there(device, x)).item()) and numpy.isnan(tenon.min(there(device, x)).item())


def test_arrays_of_numpy_are_used_in_place(random):
    x = sample(random, (10, 20), "float32")
    out = numpy.empty_like(x)
    hypotenuse([])(x, x, out=out)
    numpy.testing.assert_allclose(out, numpy.sqrt(2 * x * x), rtol=4 * eps("float32"))


def test_texts_that_end_what_they_are_put_into_are_refused():
    for make in (
        lambda: tenon.elementwise("float32 x", "float32 y", "y = x; } __global__ void other() {"),
        lambda: tenon.reduction("float32 x", "float32 y", "x); } int other(int a", "a + b"),
        lambda: tenon.reduction("float32 x", "float32 y", "x", "a + b)", identity="0"),
        lambda: tenon.scan("float32 x", "float32 y", "x", "a + b", identity="0]"),
    ):
        with pytest.raises(tenon.InvalidArgument, match="closes a bracket that it does not open"):
            make()
    fine = "const char c = '}'; /* ) */ y = x + (c != 0); // ]"
    assert tenon.elementwise("float32 x", "float32 y", fine)(numpy.ones(2, "float32")).tolist() == [2.0, 2.0]
