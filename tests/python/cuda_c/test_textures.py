"""Textures and surfaces against a slow model of the CUDA C programming guide's appendix on texture fetching."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
import tenon

from conftest import ROOT

DTYPES = {"uint8": "uchar", "int8": "char", "uint16": "ushort", "int16": "short", "uint32": "uint", "int32": "int",
          "float16": "float", "float32": "float"}
SCALARS = {"uchar": "unsigned char", "char": "signed char", "ushort": "unsigned short", "short": "short",
           "uint": "unsigned int", "int": "int", "float": "float"}
# By shape of the texture: the arguments of its reads, in terms of the point's coordinates.
READS = {"1d": "tex1D<T>(t, p[0])", "2d": "tex2D<T>(t, p[0], p[1])", "3d": "tex3D<T>(t, p[0], p[1], p[2])",
         "1d layers": "tex1DLayered<T>(t, p[0], (int)p[3])", "2d layers": "tex2DLayered<T>(t, p[0], p[1], (int)p[3])",
         "cube": "texCubemap<T>(t, p[0], p[1], p[2])",
         "cube layers": "texCubemapLayered<T>(t, p[0], p[1], p[2], (int)p[3])",
         "fetch": "tex1Dfetch<T>(t, (int)p[0])"}
EXTENTS = {"1d": (7,), "2d": (5, 6), "3d": (3, 4, 5), "1d layers": (3, 7), "2d layers": (3, 5, 6), "cube": (6, 4, 4),
           "cube layers": (2, 6, 4, 4), "fetch": (9,)}


def vector(name, channels):
    return SCALARS[name] if channels == 1 else f"{name}{channels}"


@pytest.fixture
def device(device):
    return device.name


@pytest.fixture(scope="module")
def kernels():
    """Kernels by device: one program per shape of texture, with an instance for each type that its reads give."""
    made = {}

    def get(device, shape, kind):
        if (device, shape) not in made:
            name = "read_" + shape.replace(" ", "_")
            source = f"""template <class T>
__global__ void {name}(cudaTextureObject_t t, const float* points, int n, T* out) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* p = points + 4 * i;
  out[i] = {READS[shape]};
}}"""
            kinds = [vector(one, channels) for one in SCALARS for channels in (1, 2, 4)]
            program = tenon.Program(source, [f"{name}<{one}>" for one in kinds], device=device)
            made[device, shape] = {one: program.kernel(f"{name}<{one}>") for one in kinds}
        return made[device, shape][kind]
    return get


def fetch(kernels, device, shape, texture, points, floats):
    """What the kernel reads at the points, of shape (n, channels)."""
    channels = texture.info().channels
    kind = "float" if floats else DTYPES[str(texture.dtype)]
    dtype = "float32" if floats else str(texture.dtype)
    out = tenon.zeros((len(points), channels), dtype=dtype, device=device)
    given = tenon.asarray(np.ascontiguousarray(points, dtype=np.float32), device=device)
    kernel = kernels(device, shape, vector(kind, channels))
    kernel(-(-len(points) // 32), 32, [texture, given, len(points), out])
    return np.from_dlpack(out.to_device("cpu:0")).copy()


class Model:
    """The texture, read one point at a time."""

    def __init__(self, data, shape, channels, address, filter, normalized, normalized_reads, border):
        self.data = data.reshape(*data.shape, 1) if channels == 0 else data
        self.shape, self.address, self.filter, self.normalized = shape, address, filter, normalized or "cube" in shape
        self.border = np.float32(border)
        if normalized_reads:
            top = np.float32(np.iinfo(data.dtype).max)
            self.data = np.maximum(self.data.astype(np.float32) / top, np.float32(-1))
        elif data.dtype == np.float16:
            self.data = self.data.astype(np.float32)

    def __call__(self, point):
        x, y, z, layer = point
        data = self.data
        if self.shape == "fetch":
            return data[int(x)] if 0 <= int(x) < len(data) else np.zeros_like(data[0])
        if "layers" in self.shape:
            data = data[int(layer) if 0 <= layer < len(data) else -1]  # layers are unsigned numbers
        coordinates = (x, y, z)
        if "cube" in self.shape:
            face, *coordinates = self.cube(x, y, z)
            data = data[face]
        axes = data.ndim - 1
        return self.sample(data, [np.float32(one) for one in coordinates[:axes]])

    @staticmethod
    def cube(x, y, z):
        x, y, z = np.float32(x), np.float32(y), np.float32(z)
        faces = {(0, False): (0, -z, -y), (0, True): (1, z, -y), (1, False): (2, x, z), (1, True): (3, x, -z),
                 (2, False): (4, x, -y), (2, True): (5, -x, -y)}
        axis = int(np.argmax(np.abs([x, y, z])))
        major = (x, y, z)[axis]
        face, s, t = faces[axis, bool(major < 0)]
        return face, (s / abs(major) + 1) / np.float32(2), (t / abs(major) + 1) / np.float32(2)

    def index(self, i, extent, mode):
        if mode == "wrap":
            return i % extent
        if mode == "mirror":
            i %= 2 * extent
            return 2 * extent - 1 - i if i >= extent else i
        if mode == "border":
            return i if 0 <= i < extent else None
        return min(max(i, 0), extent - 1)

    def texel(self, data, indices):
        if None in indices:
            return np.full(data.shape[-1], self.border).astype(data.dtype)
        return data[tuple(indices)]

    def sample(self, data, coordinates):
        """Coordinates come in the order x, y, z, axes in the opposite one."""
        pairs = []
        for axis, x in enumerate(coordinates):
            extent, mode = data.shape[len(coordinates) - 1 - axis], self.address[axis]
            if self.normalized:
                x = x * np.float32(extent)
            if self.filter == "point":
                pairs.append([(self.index(int(np.floor(x)), extent, mode), np.float32(1))])
                continue
            x = x - np.float32(0.5)
            low = int(np.floor(x))
            weight = np.float32(np.floor((x - np.float32(low)) * 256 + 0.5) / 256)
            pairs.append([(self.index(low, extent, mode), 1 - weight), (self.index(low + 1, extent, mode), weight)])
        if self.filter == "point":
            return self.texel(data, [pair[0][0] for pair in reversed(pairs)])
        total = np.zeros(data.shape[-1])
        for corner in itertools.product(*pairs):
            weight = np.prod([float(one) for _, one in corner])
            total += weight * self.texel(data, [index for index, _ in reversed(corner)]).astype(np.float64)
        return total.astype(np.float32)


def texels(dtype, extents, channels, seed=0):
    random = np.random.default_rng(seed)
    shape = extents + ((channels,) if channels else ())
    if np.dtype(dtype).kind == "f":
        return random.uniform(-4, 4, shape).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


def points(shape, normalized, count=96, seed=1):
    """Points inside and outside, at least 1/16 of a texel away from where the nearest texel changes, so that no
    rounding of a coordinate changes a result of point filtering."""
    random = np.random.default_rng(seed)
    layers = EXTENTS[shape][0] if "layers" in shape else 1  # CUDA leaves open what others read
    if "cube" in shape:
        out = random.uniform(-1, 1, (count * 4, 4))
        out[:, 3] = random.integers(0, layers, len(out))
        magnitudes = np.sort(np.abs(out[:, :3]), axis=1)
        inside = magnitudes[:, 2] > 1.05 * magnitudes[:, 1]
        faces = (np.abs(out[:, :3]) / magnitudes[:, 2:]) * 2 % 1
        clear = ((faces > 1 / 16) & (faces < 15 / 16) | (np.abs(out[:, :3]) == magnitudes[:, 2:])).all(axis=1)
        return out[inside & clear][:count].astype(np.float32)
    extents = EXTENTS[shape][1:] if "layers" in shape else EXTENTS[shape]
    out = np.zeros((count, 4), dtype=np.float32)
    for axis, extent in enumerate(reversed(extents)):
        cells = random.integers(-2 * extent, 3 * extent, count) + random.integers(1, 16, count) / 16
        out[:, axis] = cells / extent if normalized else cells
    out[:, 3] = random.integers(0, layers, count)
    return out


def compare(got, model, at, device, filter):
    expected = np.array([model(point) for point in at])
    if filter == "point" and not device.startswith("cuda"):
        np.testing.assert_array_equal(got, expected)
    elif filter == "point":
        np.testing.assert_allclose(got, expected, rtol=1e-6 if got.dtype == np.float32 else 0)
    else:  # the weights' last bit, of each axis; on the CPU of coordinates that round differently
        spread = float(np.max(np.abs(model.data))) * 2
        np.testing.assert_allclose(got, expected, atol=spread * 3 / 256 if device.startswith("cuda") else spread * 1e-6)


def check(kernels, device, shape, dtype, channels, filter="point", address="clamp", normalized=False,
          normalized_reads=False, border=0):
    data = texels(dtype, EXTENTS[shape], channels)
    options = {"channels": channels, "filter": filter, "address": address, "normalized": normalized,
               "normalized_reads": normalized_reads, "border": border, "layered": "layers" in shape,
               "cube": "cube" in shape, "share": shape == "fetch"}
    texture = tenon.Texture(tenon.asarray(data, device=device), **options)
    floats = normalized_reads or np.dtype(dtype).kind == "f"
    at = points(shape, normalized)
    got = fetch(kernels, device, shape, texture, at, floats)
    modes = [address] * 3 if isinstance(address, str) else address
    compare(got, Model(data, shape, channels, modes, filter, normalized, normalized_reads, border), at, device, filter)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", READS)
def test_each_dtype_and_number_of_channels_reads_the_texel_at_the_point(kernels, device, shape, dtype):
    for channels in (0, 1, 2, 4):
        check(kernels, device, shape, dtype, channels)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
def test_normalized_reads_are_floats_of_the_unit_interval(kernels, device, dtype):
    for filter, channels in itertools.product(("point", "linear"), (1, 4)):
        check(kernels, device, "2d", dtype, channels, filter, normalized_reads=True)


@pytest.mark.parametrize("filter", ["point", "linear"])
@pytest.mark.parametrize("shape", ["1d", "2d", "3d", "1d layers", "2d layers"])
def test_address_modes(kernels, device, shape, filter):
    for mode in ("clamp", "border"):
        check(kernels, device, shape, "float32", 2, filter, mode, border=2.5)
    for mode in ("clamp", "wrap", "mirror", "border"):
        check(kernels, device, shape, "float32", 1, filter, mode, normalized=True, border=-1)
        check(kernels, device, shape, "float16", 0, filter, mode, normalized=True)


def test_each_axis_has_its_address_mode(kernels, device):
    check(kernels, device, "3d", "float32", 0, "linear", ("wrap", "border", "mirror"), normalized=True)


@pytest.mark.parametrize("shape", ["cube", "cube layers"])
def test_cube_maps_filter_within_the_face(kernels, device, shape):
    for filter, channels in itertools.product(("point", "linear"), (0, 4)):
        check(kernels, device, shape, "float32", channels, filter)


def run(device, source, grid, block, args, **options):
    tenon.Kernel(source, "k", device=device, **options)(grid, block, args)


def host(array):
    return np.from_dlpack(array.to_device("cpu:0")).copy()


def test_gather_takes_one_channel_of_four_texels(device):
    data = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    texture = tenon.Texture(tenon.asarray(data, device=device), channels=2, gather=True)
    out = tenon.zeros((2, 4), device=device, dtype="float32")
    run(device, """__global__ void k(cudaTextureObject_t t, float4* out) {
      out[0] = tex2Dgather<float4>(t, 2.0f, 1.0f, 0);
      out[1] = tex2Dgather<float4>(t, 2.0f, 1.0f, 1); }""", 1, 1, [texture, out])
    expected = [[data[1, 1, c], data[1, 2, c], data[0, 2, c], data[0, 1, c]] for c in (0, 1)]
    np.testing.assert_array_equal(host(out), expected)


def test_the_other_forms_of_reads_agree_with_the_plain_ones(device):
    texture = tenon.Texture(tenon.asarray(texels("float32", (5, 6), 0), device=device), filter="linear")
    out = tenon.zeros(3, device=device, dtype="float32")
    run(device, """__global__ void k(cudaTextureObject_t t, float* out) {
      out[0] = tex2D<float>(t, 2.25f, 3.5f);
      tex2D(&out[1], t, 2.25f, 3.5f);
      out[2] = tex2DLod<float>(t, 2.25f, 3.5f, 0.0f); }""", 1, 1, [texture, out])
    a, b, c = host(out)
    assert a == b == c != 0


def test_pitched_memory_is_shared_and_shows_later_writes(device):
    whole = tenon.asarray(np.arange(4 * 64, dtype=np.float32).reshape(4, 64), device=device)
    texture = tenon.Texture(whole[:, :20], share=True)
    source = """__global__ void k(cudaTextureObject_t t, float* out) {
      out[threadIdx.x] = tex2D<float>(t, 19.5f, threadIdx.x + 0.5f); }"""
    out = tenon.zeros(5, device=device, dtype="float32")
    run(device, source, 1, 5, [texture, out])
    np.testing.assert_array_equal(host(out), [19, 83, 147, 211, 211])
    whole += 1
    run(device, source, 1, 5, [texture, out])
    np.testing.assert_array_equal(host(out), [20, 84, 148, 212, 212])
    assert texture.info().shared == 1
    np.testing.assert_array_equal(host(texture.read()), host(whole)[:, :20])
    with pytest.raises(tenon.InvalidArgument, match="shares the memory"):
        texture.update(whole[:, :20])


def test_a_copy_does_not_show_later_writes_until_it_is_updated(device):
    data = tenon.asarray(np.arange(6, dtype=np.int32).reshape(2, 3), device=device)
    texture = tenon.Texture(data.T)
    data += 10
    np.testing.assert_array_equal(host(texture.read()), np.arange(6).reshape(2, 3).T)
    texture.update(data.T)
    out = tenon.zeros((3, 2), device=device, dtype="int32")
    assert texture.read(out=out) is out
    np.testing.assert_array_equal(host(out), np.arange(10, 16).reshape(2, 3).T)
    with pytest.raises(tenon.ShapeError, match=r"made from"):
        texture.update(data)
    with pytest.raises(tenon.DTypeError, match="int32"):
        texture.update(data.T.astype("float32"))


SURFACES = {"surf1D": ((7,), "x"), "surf2D": ((5, 7), "x, y"), "surf3D": ((3, 5, 7), "x, y, z"),
            "surf1DLayered": ((3, 7), "x, z"), "surf2DLayered": ((3, 5, 7), "x, y, z"),
            "surfCubemap": ((6, 7, 7), "x, y, z"), "surfCubemapLayered": ((2, 6, 7, 7), "x, y, z")}


@pytest.mark.parametrize("kind", ["unsigned char", "short2", "float", "int4"])
@pytest.mark.parametrize("name", SURFACES)
def test_surfaces_are_written_and_read_by_texel(device, name, kind):
    extents, place = SURFACES[name]
    dtype, channels = {"unsigned char": ("uint8", 0), "short2": ("int16", 2), "float": ("float32", 0),
                       "int4": ("int32", 4)}[kind]
    data = texels(dtype, extents, channels)
    surface = tenon.Surface(tenon.asarray(data, device=device), channels=channels, layered="Layered" in name,
                            cube="Cube" in name)
    n = np.prod(extents)
    height = extents[-2] if name not in ("surf1D", "surf1DLayered") else 1
    out = tenon.zeros(data.shape, dtype=dtype, device=device)
    run(device, f"""__global__ void k(cudaSurfaceObject_t s, {kind}* out, int n, int width, int height) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      int x = i % width * (int)sizeof({kind}), y = i / width % height, z = i / width / height;
      {kind} old = {name}read<{kind}>(s, {place});
      out[i] = old;
      unsigned char bytes[sizeof old];
      memcpy(bytes, &old, sizeof old);
      bytes[0] ^= 1;
      memcpy(&old, bytes, sizeof old);
      {name}write(old, s, {place}); }}""", -(-int(n) // 64), 64, [surface, out, int(n), extents[-1], height])
    np.testing.assert_array_equal(host(out), data)
    changed = data.copy()
    each = data.dtype.itemsize * max(channels, 1)
    changed.view(np.uint8).reshape(-1, each)[:, 0] ^= 1
    np.testing.assert_array_equal(host(surface.read()), changed)


def test_boundary_modes_of_surfaces(device):
    surface = tenon.Surface(tenon.asarray(np.arange(1, 13, dtype=np.int32).reshape(3, 4), device=device))
    out = tenon.zeros(4, dtype="int32", device=device)
    run(device, """__global__ void k(cudaSurfaceObject_t s, int* out) {
      out[0] = surf2Dread<int>(s, 16, 1, cudaBoundaryModeZero);
      out[1] = surf2Dread<int>(s, 16, 1, cudaBoundaryModeClamp);
      surf2Dread(&out[2], s, -4, 9, cudaBoundaryModeClamp);
      surf2Dwrite(77, s, 0, -1, cudaBoundaryModeZero);
      surf2Dwrite(88, s, 400, 400, cudaBoundaryModeClamp);
      out[3] = surf2Dread<int>(s, 12, 2); }""", 1, 1, [surface, out])
    np.testing.assert_array_equal(host(out), [0, 8, 9, 88])
    np.testing.assert_array_equal(host(surface.read()).ravel(), [*range(1, 12), 88])


def test_what_one_kernel_writes_by_the_surface_the_next_reads_by_the_texture(device):
    texture = tenon.Texture(tenon.zeros((4, 4), dtype="float32", device=device), filter="linear", surface=True)
    out = tenon.zeros(1, dtype="float32", device=device)
    first, second = tenon.Stream(device), tenon.Stream(device)
    write = tenon.Kernel("""__global__ void k(cudaSurfaceObject_t s) {
      surf2Dwrite((float)threadIdx.x, s, 4 * threadIdx.x, (int)threadIdx.y); }""", "k", device=device)
    read = tenon.Kernel("__global__ void r(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 2.0f, 2.0f); }",
                        "r", device=device)
    write(1, (4, 4), [texture.surface], stream=first)
    read(1, 1, [texture, out], stream=second)
    assert host(out)[0] == 1.5


def test_bound_calls_and_graphs_keep_the_texture(device):
    out = tenon.zeros(1, dtype="float32", device=device)
    kernel = tenon.Kernel("__global__ void r(cudaTextureObject_t t, float* out) { *out += tex1D<float>(t, 1.5f); }",
                          "r", device=device)
    call = kernel.bind(1, 1, [tenon.Texture(tenon.asarray(np.float32([1, 2, 3]), device=device)), out])
    call()
    call[0] = tenon.Texture(tenon.asarray(np.float32([1, 20, 3]), device=device))
    call()
    assert host(out)[0] == 22
    with tenon.Graph(device) as graph:
        kernel(1, 1, [tenon.Texture(tenon.asarray(np.float32([1, 200, 3]), device=device)), out], stream=graph)
    graph()
    graph()
    assert host(out)[0] == 422


def test_a_texture_of_a_tensor(device):
    torch = pytest.importorskip("torch")
    if device.startswith("cuda") and not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    x = torch.arange(12, dtype=torch.float32, device=device.partition(":")[0]).reshape(3, 4)
    texture = tenon.Texture(x, filter="linear")
    out = torch.zeros(1, device=x.device)
    source = "__global__ void k(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 1.0f, 1.0f); }"
    kernel = tenon.Kernel(source, "k")
    kernel(1, 1, [texture, out])
    assert out.item() == 2.5


@pytest.mark.parametrize("options, words", [
    ({"address": "wrap"}, "needs options->normalized_coordinates"),
    ({"channels": 3}, "1, 2 or 4 channels"),
    ({"channels": 2}, "must have the 2 channels"),
    ({"dimensions": 3}, "does not fit the options"),
    ({"cube": True}, "does not fit|6 faces|2 dimensions"),
    ({"layered": True, "gather": True}, "gather is for textures of 2 dimensions"),
    ({"share": True, "surface": True}, "share is for textures"),
    ({"normalized_reads": True}, "only integers of 8 and 16 bits"),
    ({"dimensions": 4}, "must be 1, 2 or 3"),
])
def test_options_that_do_not_fit(options, words):
    with pytest.raises(tenon.TenonError, match=words):
        tenon.Texture(tenon.zeros((3, 5), dtype="float32", device="cpu:0"), **options)


@pytest.mark.parametrize("array, options, words", [
    (lambda: tenon.zeros(3, dtype="float64", device="cpu:0"), {}, "texels cannot be float64"),
    (lambda: tenon.zeros(0, dtype="float32", device="cpu:0"), {}, "width of 0"),
    (lambda: tenon.zeros((2, 2), dtype="int32", device="cpu:0"), {"filter": "linear"}, "read as integers"),
    (lambda: tenon.zeros((2, 2), dtype="int32", device="cpu:0"), {"address": "border", "border": 1},
     "border must be 0"),
    (lambda: tenon.zeros((4, 4), dtype="int32", device="cpu:0").T[:, ::2], {"share": True}, "next to each other"),
    (lambda: tenon.zeros((6, 4, 5), dtype="uint8", device="cpu:0"), {"cube": True}, "squares"),
    (lambda: tenon.zeros((5, 4, 4), dtype="uint8", device="cpu:0"), {"cube": True}, "6 faces"),
    (lambda: tenon.zeros((1, 200000), dtype="uint8", device="cpu:0"), {}, "width of 200000: it must be 1 to 131072"),
])
def test_sources_that_no_texture_can_have(array, options, words):
    with pytest.raises(tenon.TenonError, match=words):
        tenon.Texture(array(), **options)


def test_words_that_are_no_mode():
    with pytest.raises(ValueError, match="clamp, wrap, mirror, border"):
        tenon.Texture(tenon.zeros(3, dtype="float32", device="cpu:0"), address="repeat")
    with pytest.raises(ValueError, match="point, linear"):
        tenon.Texture(tenon.zeros(3, dtype="float32", device="cpu:0"), filter="cubic")


def test_arguments_that_are_no_textures():
    texture = tenon.Texture(tenon.zeros((3, 3), dtype="float32", device="cpu:0"))
    with pytest.raises(tenon.InvalidArgument, match="options.surface = 1"):
        run("cpu:0", "__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 0, 0); }", 1, 1,
            [texture.surface])
    with pytest.raises((tenon.TenonError, TypeError), match="texture|Texture"):
        run("cpu:0", "__global__ void k(float* x) { *x = 1; }", 1, 1, [texture])
    with pytest.raises(tenon.InvalidArgument, match="cudaTextureObject_t"):
        run("cpu:0", "__global__ void k(int x) { }", 1, 1, [texture])


@pytest.mark.parametrize("body, words", [
    ("tex3D<float>(t, 0, 0, 0)", "tex3D of what is not a texture object of 3 dimensions"),
    ("tex1Dfetch<float>(t, 0)", "tex1Dfetch of what is not"),
    ("surf2Dread<float>(t, 0, 0)", "surf2Dread of what is not a surface object"),
    ("tex2Dgather<float4>(t, 0, 0).x", "options.gather"),
])
def test_reads_of_another_kind_of_texture_are_faults_on_the_cpu(body, words):
    texture = tenon.Texture(tenon.zeros((3, 3), dtype="float32", device="cpu:0"))
    out = tenon.zeros(1, dtype="float32", device="cpu:0")
    with pytest.raises(tenon.TenonError, match=words):
        run("cpu:0", f"__global__ void k(cudaTextureObject_t t, float* out) {{ *out = {body}; }}", 1, 1, [texture, out])
        tenon.Stream.default("cpu:0").synchronize()


def test_an_access_outside_of_a_surface_is_a_fault_on_the_cpu():
    surface = tenon.Surface(tenon.zeros((3, 3), dtype="float32", device="cpu:0"))
    with pytest.raises(tenon.TenonError, match="surf2Dwrite outside of the surface"):
        run("cpu:0", "__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 12, 0); }", 1, 1, [surface])
        tenon.Stream.default("cpu:0").synchronize()


@pytest.mark.parametrize("mode", ["check", "debug"])
def test_other_modes_read_the_same(mode):
    data = texels("float32", (5, 6), 2)
    texture = tenon.Texture(tenon.asarray(data, device="cpu:0"), channels=2, surface=True)
    out = tenon.zeros((1, 2), dtype="float32", device="cpu:0")
    run("cpu:0", """__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float2* out) {
      *out = tex2D<float2>(t, 3.5f, 4.5f);
      surf2Dwrite(make_float2(7, 8), s, 0, 1); }""", 1, 1, [texture, texture.surface, out], mode=mode)
    np.testing.assert_array_equal(host(out)[0], data[4, 3])
    np.testing.assert_array_equal(host(texture.read())[1, 0], [7, 8])


def test_coordinates_that_are_no_numbers_or_far_away_stay_inside():
    for normalized, address in itertools.product((False, True), ("clamp", "border", "wrap", "mirror")):
        if not normalized and address in ("wrap", "mirror"):
            continue
        for filter in ("point", "linear"):
            texture = tenon.Texture(tenon.ones((3, 3), dtype="float32", device="cpu:0"), address=address, filter=filter,
                                    normalized=normalized, border=1)
            at = tenon.asarray(np.float32([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e10, -0.0]), device="cpu:0")
            out = tenon.zeros(49, dtype="float32", device="cpu:0")
            run("cpu:0", """__global__ void k(cudaTextureObject_t t, const float* at, float* out) {
              out[threadIdx.x] = tex2D<float>(t, at[threadIdx.x / 7], at[threadIdx.x % 7]); }""", 1, 49,
                [texture, at, out])
            np.testing.assert_array_equal(host(out), 1)


def test_texture_references_are_refused_by_name():
    with pytest.raises(tenon.TenonError, match="gone since CUDA 12; pass a texture object"):
        tenon.Kernel("texture<float, 2> t;\n__global__ void k(float* x) { *x = 1; }", "k", device="cpu:0")


def test_every_form_compiles_for_every_type_of_texel():
    """The same text as tests/cuda_texts.py compiles with NVRTC."""
    import sys

    sys.path.insert(0, str(ROOT / "tests"))
    import cuda_texts

    names = [f"{kernel}<{texel}>" for kernel in ("reads", "accesses") for texel in cuda_texts.TEXELS]
    names.append("gathers<uint4>")
    program = tenon.Program(cuda_texts.TEXTURES, names, device="cpu:0")
    assert all(program[name] for name in names)


def test_copies_are_not_recorded_and_launches_are():
    source = tenon.asarray(np.float32([1, 2, 3]), device="cpu:0")
    texture = tenon.Texture(source)
    with pytest.raises(tenon.Unsupported, match="cannot be updated in a graph"), tenon.Graph("cpu:0") as graph:
        texture.update(source, stream=graph)


def test_layers_out_of_range_stay_inside_on_the_cpu():
    texture = tenon.Texture(tenon.asarray(np.float32([[1], [2], [3]]), device="cpu:0"), layered=True)
    out = tenon.zeros(2, dtype="float32", device="cpu:0")
    run("cpu:0", """__global__ void k(cudaTextureObject_t t, float* out) {
      out[0] = tex1DLayered<float>(t, 0.5f, -7);
      out[1] = tex1DLayered<float>(t, 0.5f, 2000000000); }""", 1, 1, [texture, out])
    np.testing.assert_array_equal(host(out), [3, 3])
