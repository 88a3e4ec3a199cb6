"""mypy --strict accepts the package and a correct program that uses it, and reports each fault of an incorrect one."""

import re
import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("mypy", reason="mypy is not installed")

PACKAGE = ROOT / "abi" / "python"
# Checking the types of these would take longer than the rest.
LIBRARIES = ("numpy", "torch", "jax", "ml_dtypes", "cupy", "PyInstaller")

GOOD = '''
import tenon

SOURCE = "__global__ void f(const float* x, float* y, int n) {}"


def arrays(data: list[float]) -> tenon.Array:
    x = tenon.zeros((3, 4), "float32", device="cpu:0")
    y = tenon.asarray(data, dtype=tenon.float32)
    z = 2 - x + y * 2 ** tenon.sqrt(y) @ x
    z[0, 1:] = 5
    z += 1
    total: float = float(tenon.sum(z, axis=0).item()) + float(x.sum(axis=1).mean())
    print(total, z.shape[0], z.T.dtype.name, z.device.kind, (-z).clip(0, 1), x.take([0, 1]), abs(z), x.ravel())
    return tenon.where((z > 0) & (z != 1), z, 0.0)


def kernels(x: tenon.Array, stream: tenon.Stream) -> None:
    kernel = tenon.Kernel(SOURCE, "f", mode="check", options=["-DN=4"])
    kernel(1, (32, 1, 1), [x, x, 3], shared=16, stream=stream)
    kernel[1, 32](x, x, 3)
    square = tenon.elementwise("T x", "T y", "y = x * x")
    largest = tenon.reduction("T x", "T y", "abs(x)", "max(a, b)")
    print(square(x, out=tenon.empty_like(x)), largest(x, axis=(0, 1)).item())
    program = tenon.Program(SOURCE, ["f"], fast_math=True)
    print(program.kernel("f").info["registers"], program.log, kernel.name)


def linear(x: tenon.Array) -> None:
    u, s, vh = tenon.svd(x @ x.T, full_matrices=False)
    values: tenon.Array = tenon.svd(x, compute_uv=False)
    print((u * s @ vh).shape, values.ndim, tenon.eigh(x @ x.T).eigenvalues, tenon.fft(x, axis=0).dtype)
    print(tenon.qr(x).Q.shape, tenon.linspace(0, 1, 5).tolist(), tenon.blas.gemv(x, s), tenon.solve(x, u).nbytes)


def streams(device: tenon.Device) -> None:
    stream = tenon.Stream(device)
    event = stream.record(timing=True)
    with tenon.Graph(device) as graph:
        tenon.zeros(3, device=device).fill(1, stream=graph)
    graph.launch()
    print(event.query(), device.memory["used"], tenon.random.Generator(3).normal((2, 2)).shape, tenon.__version__)
    try:
        tenon.Device("cuda:99")
    except tenon.NotFound as error:
        print(error.status)


def packages(x: tenon.Array) -> tenon.Array:
    loaded: tenon.plugins.Package = tenon.plugins.load("image")
    blurred: tenon.Array = loaded.gaussian_filter(x, 2.0, mode="wrap") + tenon.ops.elementwise.softplus(x, beta=2.0)
    return blurred if x.flags.c_contiguous else tenon.ops.image.median_filter(blurred, size=3).round(2)
'''

BAD = '''
import tenon

x = tenon.zeros((3,), "float32")
x.nope  # "Array" has no attribute "nope"
tenon.asarrray(x)  # maybe "asarray"
tenon.zeros()  # Missing positional argument "shape"
tenon.Kernel("text", 3)  # Argument 2 to "Kernel"
tenon.Kernel("text", "f", fast_maths=True)  # Unexpected keyword argument "fast_maths"
tenon.svd(x).W  # "SVDResult" has no attribute "W"
y: str = x.ndim  # expression has type "int"
tenon.Stream(x.device).wait(3)  # expected "Event"
x.sum(axes=1)  # Unexpected keyword argument "axes"
'''


def checked(place, *what):
    """mypy's messages."""
    (place / "mypy.ini").write_text("[mypy]\nstrict = True\n" + "".join(
        f"[mypy-{one}.*]\nfollow_imports = skip\nignore_missing_imports = True\n" for one in LIBRARIES))
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(place / "cache"), *what], cwd=place, capture_output=True,
                          text=True, env={"MYPYPATH": str(PACKAGE), "PATH": "/usr/bin:/bin", "HOME": str(place)})
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """mypy's messages for both programs, by program and line."""
    place = tmp_path_factory.mktemp("programs")
    (place / "good.py").write_text(GOOD)
    (place / "bad.py").write_text(BAD)
    said = checked(place, "--follow-imports=silent", "good.py", "bad.py")
    return [found.groups() for found in re.finditer(r"^(\w+)\.py:(\d+): error: (.*)$", said, re.M)]


def test_the_package_is_clean(tmp_path):
    said = checked(tmp_path, "-p", "tenon")
    assert "error" not in said and "no issues found" in said, said


def test_a_good_program_is_clean(lines):
    assert [one for one in lines if one[0] == "good"] == []


@pytest.mark.parametrize("number, fault", [(number, line.partition("  # ")[2]) for number, line in enumerate(BAD.splitlines(), 1)
                                           if "  # " in line])
def test_faults_are_found(lines, number, fault):
    said = [text for name, line, text in lines if (name, int(line)) == ("bad", number)]
    assert any(fault in text for text in said), said
