"""A program frozen by PyInstaller, which finds by the package's hook what is loaded by name and by path."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import tenon
from conftest import KERNELS, PRELOAD
from tenon import _library

pytest.importorskip("PyInstaller", reason="PyInstaller is not installed")
PROGRAM = """
import tenon
x = tenon.full((3,), 1.5, "float32", device="cpu:0")
tenon.Kernel('extern "C" __global__ void f(float* x) { x[threadIdx.x] *= 2; }', "f")(1, 3, [x])
print((x + 1).tolist(), tenon.fft(x).dtype, tenon.ops.elementwise.clamp(-x, low=-1, high=0).tolist())
"""


@pytest.mark.skipif(bool(PRELOAD), reason="the frozen program would need the sanitizer's library")
def test_a_frozen_program_runs(tmp_path):
    """From a directory laid out as a wheel, and run without it."""
    site = tmp_path / "site" / "tenon"
    shutil.copytree(pathlib.Path(tenon.__file__).parent, site,
                    ignore=shutil.ignore_patterns("__pycache__", "*.so*", "lib", "share"))
    (site / "lib").mkdir()
    shutil.copy(os.path.realpath(_library.path), site / "lib" / "libtenon.so.1")
    shutil.copy(_library.core.__file__, site / "_core.abi3.so")
    shutil.copytree(KERNELS / "elementwise", site / "share" / "tenon" / "kernels" / "elementwise")
    (tmp_path / "program.py").write_text(PROGRAM)
    clean = {name: value for name, value in os.environ.items() if name not in ("TENON_LIBRARY", "PYTHONPATH")}
    freeze = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--additional-hooks-dir",
              str(site / "__pyinstaller")]
    for module in ("numpy", "scipy", "torch", "jax", "ml_dtypes", "IPython", "PIL"):
        freeze += ["--exclude-module", module]  # which would take longer than the rest
    paths = os.pathsep.join([str(site.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([*freeze, "program.py"], cwd=tmp_path, env={**clean, "PYTHONPATH": paths}, check=True)
    shutil.rmtree(site.parent)
    done = subprocess.run([tmp_path / "dist" / "program" / "program"], env=clean, capture_output=True, text=True)
    assert done.stdout == "[4.0, 4.0, 4.0] complex64 [-1.0, -1.0, -1.0]\n", done.stdout + done.stderr
