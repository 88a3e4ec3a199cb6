"""`tenon run` and `tenon compile`: kernels with arrays in files, images, resources of kernels."""

import os

import numpy
import pytest

from command import FAILED, MISSING, ROOT, USAGE, fails, run, tenon, tenon_json

SOURCE = """
__global__ void saxpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
template <class T> __global__ void flip(const T* x, T* y, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < w && j < h) y[j * w + i] = x[(h - 1 - j) * w + i];
}
__global__ void scalars(double* out, unsigned char small, long long large, bool flag) { out[0] = small; out[1] = large; out[2] = flag; }
struct Pair { float a, b; };
__global__ void takes_struct(float* x, Pair p) { x[0] = p.a; }
"""


@pytest.fixture(params=["cpu:0", "cuda:0"])
def device(request):
    done = run("run", "/nowhere.cu", "--device", request.param)
    if request.param != "cpu:0" and request.param not in [one["name"] for one in tenon_json("info")["devices"]]:
        pytest.skip(f"no {request.param}")
    assert done.returncode == MISSING
    return request.param


@pytest.fixture
def place(tmp_path):
    (tmp_path / "saxpy.cu").write_text(SOURCE)
    numpy.save(tmp_path / "x.npy", numpy.arange(1000, dtype="float32"))
    numpy.save(tmp_path / "y.npy", numpy.ones(1000, "float32"))
    numpy.savez_compressed(tmp_path / "pack.npz", a=numpy.arange(12.0).reshape(3, 4), f=numpy.asfortranarray(numpy.arange(12.0).reshape(3, 4)))
    return tmp_path


def needs_zip(place):
    if "without libzip" in run("run", "saxpy.cu:flip<double>", "pack.npz:a", "like:x", 3, 4, cwd=place).stderr:
        pytest.skip("the command was built without libzip")


def test_a_kernel_runs_on_arrays_in_files(place, device):
    answer = tenon_json("run", "saxpy.cu", "x.npy", "y.npy", 2, "size:x", "-o", "out.npy", "--device", device, cwd=place)
    assert answer["written"] == [{"name": "y", "shape": [1000], "dtype": "float32", "file": "out.npy"}] and answer["device"] == device
    assert (numpy.load(place / "out.npy") == 1 + 2 * numpy.arange(1000)).all()
    assert (numpy.load(place / "y.npy") == 1).all()  # the input is unchanged
    text = tenon("run", "saxpy.cu", "n=size:x", "y=y.npy", "x=x.npy", "a=-0.5", "--block", "32", "--threads", "x", cwd=place)
    assert "y: float32, 1000: -498.5 to 1, mean -248.75" in text and "32 x 1 x 1 blocks of 32 x 1 x 1" in text


def test_shapes_strides_and_templates(place, device):
    needs_zip(place)
    for member in ["a", "f"]:
        tenon("run", "saxpy.cu:flip<double>", f"pack.npz:{member}", "like:x", "extent:x:0", "w=extent:x:-1", "-t", "y", "-o", "flipped.npz", "-o", "x=flipped.npz",
              "-d", device, cwd=place)
        with numpy.load(place / "flipped.npz") as saved:
            assert sorted(saved) == ["x", "y"]
            assert (saved["y"] == numpy.arange(12.0).reshape(3, 4)[::-1]).all() and (saved["x"] == numpy.arange(12.0).reshape(3, 4)).all()


def test_scalars_have_exactly_the_kernels_types(place):
    tenon("run", "saxpy.cu:scalars", "new:3", "255", "-9000000000", "true", "--threads", "1", "-o", "s.npy", cwd=place)
    assert numpy.load(place / "s.npy").tolist() == [255, -9e9, 1]
    for words, part in [(["256", "1", "1"], "256 does not fit"), (["-1", "1", "1"], "-1 does not fit"), (["1.5", "1", "1"], "1.5"), (["1", "9" * 20, "1"], "9999"), (["1", "1", "2"], "2 does not fit"),
                        (["1", "x", "1"], '"x" is not an integer')]:
        fails(USAGE, part, "run", "saxpy.cu:scalars", "new:3", *words, cwd=place)


@pytest.mark.parametrize("words, code, part", [
    (["saxpy.cu", "x.npy", "y.npy", "2"], USAGE, "n is missing"), (["saxpy.cu", "x.npy", "y.npy", "2", "3", "4"], USAGE, '"4" is one argument too many'),
    (["saxpy.cu", "x.npy", "x=y.npy"], USAGE, "x is given twice"), (["saxpy.cu", "z=x.npy"], USAGE, 'no parameter "z"'), (["saxpy.cu", "2", "y.npy", "2", "3"], USAGE, "does not name one"),
    (["saxpy.cu", "no.npy", "y.npy", "2", "3"], MISSING, "no.npy cannot be read"), (["saxpy.cu", "saxpy.cu", "y.npy", "2", "3"], USAGE, "does not name one"),
    (["saxpy.cu", "x.npy", "y.npy", "2", "size:x", "-o", "y.txt"], USAGE, ".npy, .npz and .png"), (["saxpy.cu", "x.npy", "y.npy", "2", "size:x", "-o", "q=y.npy"], USAGE, 'no parameter "q"'),
    (["saxpy.cu", "x.npy", "y.npy", "2", "size:x", "-o", "/no/where.npy"], FAILED, "/no/where.npy cannot be written"), (["saxpy.cu", "x.npy", "new:4:float64", "2", "4"], FAILED, "float64"),
    (["saxpy.cu:none", "x.npy"], FAILED, "none"), (["other.cu", "x.npy"], MISSING, "other.cu cannot be read"), (["saxpy.cu:takes_struct", "new:1", "1"], USAGE, "struct by value"),
    (["saxpy.cu", "x.npy", "y.npy", "2", "4", "-g", "1", "-t", "4"], USAGE, "exclude each other"), (["saxpy.cu", "x.npy", "y.npy", "2", "4", "-b", "2000"], FAILED, "1024"),
    (["saxpy.cu", "x.npy", "like:a", "2", "4"], USAGE, "not an array, or comes later"), (["saxpy.cu", "x.npy", "y.npy", "2", "extent:x:1"], USAGE, "is not an axis"), (["nothing/here", "1"], MISSING, "nothing"),
])
def test_what_is_wrong_is_said(place, words, code, part):
    before = sorted(os.listdir(place))
    fails(code, part, "run", *words, cwd=place)
    assert sorted(os.listdir(place)) == before


def test_files_that_are_damaged_are_refused(place):
    good = (place / "x.npy").read_bytes()
    big = numpy.arange(4, dtype=">f4")
    numpy.save(place / "big.npy", big)
    numpy.save(place / "objects.npy", numpy.array([("a", 1)], dtype=[("name", "U1"), ("n", "i4")]))
    for name, data in [("short", good[:-1]), ("long", good + b"x"), ("header", good[:9]), ("magic", b"\x93NUMPX" + good[6:]), ("version", good[:6] + b"\x09" + good[7:]),
                       ("shape", good.replace(b"(1000,)", b"(9999,)")), ("huge", good.replace(b"(1000,), }", b"(9999999999999999999999,), }"[: len(b"(1000,), }")]))]:
        (place / f"{name}.npy").write_bytes(data)
        fails(FAILED, f"{name}.npy", "run", "saxpy.cu", f"{name}.npy", "y.npy", "2", "4", cwd=place)
    fails(FAILED, "big-endian", "run", "saxpy.cu", "big.npy", "y.npy", "2", "4", cwd=place)
    fails(FAILED, "records", "run", "saxpy.cu", "objects.npy", "y.npy", "2", "4", cwd=place)
    needs_zip(place)
    fails(USAGE, "holds a, f", "run", "saxpy.cu:flip<double>", "pack.npz", "like:x", "3", "4", cwd=place)
    fails(MISSING, "no array b", "run", "saxpy.cu:flip<double>", "pack.npz:b", "like:x", "3", "4", cwd=place)
    data = (place / "pack.npz").read_bytes()
    (place / "cut.npz").write_bytes(data[: len(data) // 2])
    fails(FAILED, "cut.npz", "run", "saxpy.cu:flip<double>", "cut.npz:a", "like:x", "3", "4", cwd=place)


def test_images_go_in_and_out(place, device):
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    pixels = numpy.random.default_rng(3).integers(0, 256, (40, 30, 3)).astype("uint8")
    image.fromarray(pixels).save(place / "colour.png")
    image.fromarray(pixels[:, :, 0].copy()).save(place / "gray.png")
    if "without libpng" in run("run", "saxpy.cu:flip<float>", "gray.png", "like:x", 40, 30, cwd=place).stderr:
        pytest.skip("the command was built without libpng")
    for dtype in ["float", "unsigned char"]:
        tenon("run", f"saxpy.cu:flip<{dtype}>", "gray.png", "like:x", 40, 30, "-t", "30x40", "-o", "out.png", "-d", device, cwd=place)
        assert (numpy.asarray(image.open(place / "out.png")) == pixels[::-1, :, 0]).all(), dtype
    answer = tenon_json("run", ROOT / "kernels/elementwise/clamp", "colour.png", "low=0.25", "high=0.5", "-o", "clamped.png", "-d", device, cwd=place)
    assert answer["written"][0]["shape"] == [3, 40, 30]
    assert (numpy.asarray(image.open(place / "clamped.png")) == numpy.clip(pixels, 64, 128)).all()
    (place / "broken.png").write_bytes((place / "gray.png").read_bytes()[:100])
    fails(FAILED, "broken.png", "run", "saxpy.cu:flip<float>", "broken.png", "like:x", 40, 30, cwd=place)
    fails(FAILED, "1 to 4 channels", "run", "saxpy.cu", "x.npy", "y.npy", "2", "size:x", "-o", "line.png", cwd=place)


def png_text(width, height, bits, colours, rows, *chunks):
    """A handmade PNG: rows of bytes, preceded by chunks of (name, data)."""
    import struct
    import zlib

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, bits, colours, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunk(*one) for one in chunks) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b"")


def saved_png(place, *words):
    tenon("run", *words, "-d", "cpu:0", "-o", "out.npy", cwd=place)
    return numpy.load(place / "out.npy")


def test_the_numbers_of_a_png_are_those_of_the_file(place):
    """For any bit depth and gamma."""
    import struct
    clamp = ROOT / "kernels/elementwise/clamp"
    values = [0, 8192, 32768, 65535]
    gamma = (b"gAMA", struct.pack(">I", 100000))
    for chunks in ([], [gamma]):
        (place / "wide.png").write_bytes(png_text(4, 1, 16, 0, [struct.pack(">4H", *values)], *chunks))
        (place / "narrow.png").write_bytes(png_text(4, 1, 8, 0, [bytes([0, 32, 128, 255])], *chunks))
        if "without libpng" in run("run", clamp, "wide.png", "low=0", "high=1", cwd=place).stderr:
            pytest.skip("the command was built without libpng")
        assert numpy.allclose(saved_png(place, clamp, "wide.png", "low=0", "high=1"), [[value / 65535 for value in values]], atol=1e-7)
        assert numpy.allclose(saved_png(place, clamp, "narrow.png", "low=0", "high=1"), [[0, 32 / 255, 128 / 255, 1]], atol=1e-7)
        assert saved_png(place, "saxpy.cu:flip<unsigned short>", "wide.png", "like:x", 1, 4).tolist() == [values]
        assert saved_png(place, "saxpy.cu:flip<unsigned char>", "wide.png", "like:x", 1, 4).tolist() == [[0, 32, 128, 255]]
    tenon("run", "saxpy.cu:flip<unsigned short>", "wide.png", "like:x", 1, 4, "-o", "again.png", "-d", "cpu:0", cwd=place)
    assert saved_png(place, "saxpy.cu:flip<unsigned short>", "again.png", "like:x", 1, 4).tolist() == [values]


def test_a_red_photograph_stays_red(place):
    """The command in src/tool/README.md and --help; colours are planes, which are filtered separately."""
    for text in ((ROOT / "src/tool/README.md").read_text(), tenon("run", "--help")):
        assert "tenon run image/gaussian_filter photo.png sigma=3 axes=2 -o blurred.png" in text
    (place / "photo.png").write_bytes(png_text(40, 30, 8, 2, [bytes([255, 0, 0] * 40)] * 30))
    variables = {"TENON_PLUGIN_PATH": str(ROOT / "kernels")}
    if "without libpng" in run("run", "image/gaussian_filter", "photo.png", "sigma=3", cwd=place, **variables).stderr:
        pytest.skip("the command was built without libpng")
    tenon("run", "image/gaussian_filter", "photo.png", "sigma=3", "axes=2", "-o", "blurred.png", cwd=place, **variables)
    blurred = saved_png(place, ROOT / "kernels/elementwise/clamp", "blurred.png", "low=0", "high=1")
    assert blurred.shape == (3, 30, 40) and (blurred == numpy.array([1.0, 0, 0])[:, None, None]).all()
    image = ROOT / "kernels/image"
    red = numpy.array([1.0, 0, 0])[:, None, None]
    for words, wanted in [(["median_filter", "photo.png", "size=5"], red), (["erosion", "photo.png"], red), (["sobel", "photo.png"], 0 * red), (["resize", "photo.png", "15", "20"], red)]:
        assert numpy.abs(saved_png(place, f"{image}/{words[0]}", *words[1:]) - wanted).max() < 1e-6, words
    tenon("run", f"{image}/resize", "photo.png", "15", "20", "-o", "small.png", cwd=place)
    tenon("run", f"{image}/rgb_to_gray", "photo.png", "-o", "gray.png", cwd=place)
    assert numpy.allclose(saved_png(place, ROOT / "kernels/elementwise/clamp", "gray.png", "low=0", "high=1"), 76 / 255, atol=1e-6)


def test_scalars_have_the_dtype_of_their_own_placeholder(place):
    (place / "mine").mkdir()
    (place / "mine/plugin.toml").write_text("""name = "mine"
[op.take]
parameters = ["in int32 at[n]", "in raw T x[m]", "scalar T alpha", "out T y[n]"]
elementwise = "y = alpha * x[at]"
[op.axpy]
types = { T = "floating", A = { from = "T", float16 = "float32", bfloat16 = "float32" } }
parameters = ["in T x", "scalar A alpha", "out T y"]
elementwise = "y = alpha * float(x)"
""")
    numpy.save(place / "at.npy", numpy.array([2, 0], "int32"))
    numpy.save(place / "h.npy", numpy.arange(3, dtype="float16"))
    assert saved_png(place, "mine/take", "at.npy", "x.npy", "alpha=2.5").tolist() == [5.0, 0.0]
    assert saved_png(place, "mine/take", "at.npy", "x.npy", "alpha=2").tolist() == [4.0, 0.0]
    assert saved_png(place, "mine/axpy", "h.npy", "2.5").tolist() == [0, 2.5, 5]
    assert saved_png(place, "mine/axpy", "x.npy", "2").tolist()[-1] == 1998


def test_numbers_are_decimal_and_bools_are_bools(place):
    tenon("run", "saxpy.cu:scalars", "new:3", "010", "0x10", "1", "--threads", "1", "-o", "s.npy", cwd=place)
    assert numpy.load(place / "s.npy").tolist() == [10, 16, 1]
    tenon("run", "saxpy.cu:scalars", "new:3", "255", "-0010", "0", "--threads", "1", "-o", "s.npy", cwd=place)
    assert numpy.load(place / "s.npy").tolist() == [255, -10, 0]
    numpy.save(place / "b.npy", numpy.array([True, False]))
    (place / "b.npy").write_bytes((place / "b.npy").read_bytes()[:-1] + b"\2")
    fails(FAILED, "neither 0 nor 1", "run", "saxpy.cu", "b.npy", "y.npy", "2", "4", cwd=place)


def test_operations_take_names_choices_and_defaults(place, device):
    arguments = ["run", ROOT / "kernels/elementwise/softplus", "x.npy", "-d", device]
    tenon(*arguments, "-o", "one.npy", cwd=place)
    tenon(*arguments, "beta=2", "-o", "two.npy", cwd=place)
    assert not numpy.array_equal(numpy.load(place / "one.npy"), numpy.load(place / "two.npy"))
    fails(USAGE, "geometry comes from its contract", *arguments, "--block", "32", cwd=place)
    fails(USAGE, "several operations", "run", ROOT / "kernels/elementwise", "x.npy", cwd=place)
    fails(USAGE, 'did you mean "beta"', *arguments, "bata=2", cwd=place)


def test_compile_for_a_device_and_its_errors(place, device):
    answer = tenon_json("compile", "saxpy.cu", "-k", "saxpy", "-k", "flip<float>", "-d", device, "-o", "image", cwd=place)["compiled"][0]
    assert [one["kernel"] for one in answer["kernels"]] == ["saxpy", "flip<float>"] and answer["kernels"][0]["max_threads_per_block"] >= 256
    assert (place / "image").stat().st_size == answer["bytes"] > 100
    (place / "bad.cu").write_text("__global__ void bad(float* x) {\n  x[0] = y;\n}\n")
    answer = tenon_json("compile", "bad.cu", "-d", device, cwd=place, code=FAILED)["error"]
    assert answer["status"] == "TENON_ERROR_COMPILE" and "bad.cu" in answer["log"] and "2" in answer["log"]
    assert tenon_json("compile", "bad.cu", "-d", device, "--", "-Dy=1.0f", cwd=place)["compiled"]
    fails(USAGE, "fast, debug or check", "compile", "saxpy.cu", "--mode", "quick", cwd=place)


def test_compile_for_architectures_where_no_gpu_need_be(place):
    done = run("compile", "saxpy.cu", "-k", "flip<double>", "-a", "sm_80", "-a", "sm_90", "-o", "s.cubin", "--json", cwd=place)
    if "TENON_ERROR_MISSING_LIBRARY" in done.stdout or "TENON_ERROR_UNSUPPORTED" in done.stdout:
        assert done.returncode == MISSING
        pytest.skip("NVRTC is not installed")
    import json
    rows = json.loads(done.stdout)["compiled"]
    assert [row["architecture"] for row in rows] == ["sm_80", "sm_90"]
    for row in rows:
        named = {one["kernel"].split("(")[0]: one for one in row["kernels"]}
        assert named["saxpy"]["registers"] > 0 and "void flip<double>" in named and named["saxpy"]["spill_stores"] == 0
        assert (place / row["file"]).read_bytes()[:4] == b"\x7fELF"
    tenon("compile", "saxpy.cu", "-a", "compute_80", "--ptx", "-o", "s.ptx", cwd=place)
    assert ".target sm_80" in (place / "s.ptx").read_text()
    fails(FAILED, "", "compile", "saxpy.cu", "-a", "sm_banana", cwd=place)
