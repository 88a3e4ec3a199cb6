"""Shared parts of the Python tests: the devices they run on, sample arrays, and error bounds."""

import os
import pathlib
import subprocess
import sys
import zlib

import numpy
import pytest

import tenon

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KERNELS = ROOT / "kernels"  # Tenon's packages

# Operations of a package for PyTorch and JAX: one in place, one with two orders of gradients, one that saves an output.
WITH_GRADIENTS = '''
[op.scale_]
parameters = ["inout T x", "scalar T by"]
elementwise = "x = by * x"
[op.cube]
parameters = ["in T x", "out T y"]
elementwise = "y = x * x * x"
gradient = "cube_gradient"
[op.cube_gradient]
parameters = ["in T x", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = 3 * x * x * grad_y"
gradient = "cube_second"
[op.cube_second]
parameters = ["in T x", "in T grad_y", "in T grad_grad_x", "out T grad_x", "out T grad_grad_y"]
elementwise = "grad_x = 6 * x * grad_y * grad_grad_x; grad_grad_y = 3 * x * x * grad_grad_x"
[op.moments]
parameters = ["in T x", "out T y", "out saved T kept like x"]
elementwise = "y = x * x / 2; kept = x"
gradient = "moments_gradient"
[op.moments_gradient]
parameters = ["in T kept", "in T grad_y", "out T grad_x"]
elementwise = "grad_x = kept * grad_y"
'''

# A sanitized library needs its run-time preloaded, but only for Python, not for the compilers that the library starts.
PRELOAD = os.environ.pop("LD_PRELOAD", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes():
    """The worker processes need the run-time, too; this process starts nothing else."""
    if PRELOAD:
        os.environ["LD_PRELOAD"] = PRELOAD


SAMPLE = 2  # cases per test that run with a sanitized library


def pytest_collection_modifyitems(config, items):
    """With a sanitizer, runs a sample of each test's cases, because they mostly run the same code."""
    if not PRELOAD:
        return
    cases = {}
    for item in items:
        if "cuda:" not in item.name:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    # Spread over the tests, so that not every one runs with its first dtype only.
    kept = {id(of_one[(zlib.crc32(test.encode()) + i * len(of_one) // SAMPLE) % len(of_one)])
            for test, of_one in cases.items() for i in range(SAMPLE)}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = [item for item in items if id(item) in kept]


def run_python(code, **environment):
    """Runs a program in another Python process with these environment variables; returns the completed process."""
    if PRELOAD:  # as above, only for that Python process
        code, environment = f"import os; os.environ.pop('LD_PRELOAD', None)\n{code}", \
            {"LD_PRELOAD": PRELOAD, **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environment})


def importing(file):
    """The first line of a program for run_python that imports the test module in this file, or one beside it."""
    return f"import sys; sys.path[:0] = {[str(pathlib.Path(file).parent), str(HERE)]!r}\n"


@pytest.fixture(autouse=True)
def _jax_keeps_its_dtypes():
    """A test may switch JAX's dtypes of 64 bits on; the next one in this process gets the default, without them."""
    yield
    if hasattr(sys.modules.get("jax"), "config"):
        sys.modules["jax"].config.update("jax_enable_x64", False)


@pytest.fixture(params=["cpu:0", "cuda:0"])
def device(request):
    """Each possible device; a test with this argument runs on all of them."""
    try:
        return tenon.Device(request.param)
    except tenon.NotFound as error:
        pytest.skip(f"no {request.param}: {error}")


@pytest.fixture
def random():
    return numpy.random.default_rng(20260101)


REAL = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def sample(random, shape, dtype):
    """Standard normal random numbers of a dtype (small integers for integer types)."""
    dtype = numpy.dtype(dtype)
    if dtype.kind in "iu":
        return random.integers(0 if dtype.kind == "u" else -50, 50, shape).astype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    values = random.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def on(device, host):
    """A Tenon array on the device with the elements of a NumPy array; always a copy."""
    return tenon.asarray(numpy.array(host, order="C"), copy=True).to_device(device)


def equal(got, want):
    """The elements of a Tenon array on any device are these."""
    numpy.testing.assert_array_equal(got.numpy(), want)


def near(got, want, **tolerance):
    numpy.testing.assert_allclose(got.numpy(), want, **tolerance)


def eps(dtype):
    return numpy.finfo(numpy.dtype(dtype)).eps


class Foreign:
    """A stream of another library: Tenon wraps it for each call."""

    def __init__(self, device):
        self.native = tenon.Stream.default(device).native

    def __cuda_stream__(self):
        return 0, self.native
