"""Two copies of the package in one process, each with a compiled module and a library of its own, as when a wheel meets
a vendored copy or the system's library: they share memory, and each handles the faults of its own kernels."""

import os
import pathlib
import shutil

import pytest

import tenon
from conftest import PRELOAD, run_python

PROGRAM = """
import gc, os, sys
import numpy
import tenon as first
from tenon import _library

ours = _library.path
os.environ.pop("TENON_LIBRARY", None)
sys.path.insert(0, {second!r})
import vendored as second
from vendored import _library

assert second.Array is not first.Array and os.path.realpath(_library.path) != os.path.realpath(ours)
assert len({{line.split()[-1] for line in open("/proc/self/maps") if "libtenon.so" in line}}) == 2

x = first.asarray(numpy.arange(6, dtype="float32"), copy=True)
y = second.from_dlpack(x)
assert isinstance(y, second.Array) and not isinstance(y, first.Array)
text = "extern \\"C\\" __global__ void f(float* x, float by) {{ x[threadIdx.x] *= by; }}"
for library, array in ((first, x), (second, y), (first, x)):
    library.Kernel(text, "f")(1, 6, [array, 2.0])
assert x.tolist() == y.tolist() == [0, 8, 16, 24, 32, 40]
assert (second.from_dlpack(x + x) + y).tolist() == [0, 24, 48, 72, 96, 120]

# In different orders: what one loads as its n-th object is not what the other does.
steps = ["+= 1", "*= 2", "-= 3"]
for library, order in ((first, (0, 1, 2)), (second, (2, 0, 1)), (first, (2, 1, 0)), (second, (1, 2, 0))):
    for step in order:
        changed = library.full((1,), 10, "float32", device="cpu:0")
        library.Kernel("extern \\"C\\" __global__ void s(float* x) {{ *x " + steps[step] + "; }}", "s")(1, 1, [changed])
        assert changed.item() == (11, 20, 7)[step], (library.__name__, steps[step], changed.item())

wrong = "extern \\"C\\" __global__ void g(float* x) {{ *(volatile float*)8 = 1; }}"
for library, array in ((first, x), (second, y), (first, x), (second, y)):
    stream = library.Stream("cpu:0")
    try:
        library.Kernel(wrong, "g")(1, 1, [array], stream=stream)
        stream.synchronize()
    except library.KernelFault:
        continue
    raise AssertionError("no fault of " + library.__file__)

z = first.from_dlpack(second.ones(1000) + 1)  # outlives its library's objects
del x, y, second, library, array, stream
gc.collect()
assert float(z.sum()) == 2000
print("both")
"""


@pytest.mark.skipif(bool(PRELOAD), reason="the address sanitizer takes equal libraries for a fault of the program")
def test_they_share_memory_and_handle_their_own_faults(tmp_path):
    package = pathlib.Path(tenon.__file__).parent
    shutil.copytree(package, tmp_path / "vendored", ignore=shutil.ignore_patterns("__pycache__", "*.so*", "lib"))
    from tenon import _library
    shutil.copy(os.path.realpath(_library.path), tmp_path / "vendored" / "libtenon.so.1")
    shutil.copy(_library.core.__file__, tmp_path / "vendored" / "_core.abi3.so")
    done = run_python(PROGRAM.format(second=str(tmp_path)))
    assert (done.returncode, done.stdout) == (0, "both\n"), done.stdout + done.stderr
