"""Eight threads that use everything at once, in this Python and, if there is one, in a free-threaded Python, for which the
compiled module is built here. Such an interpreter is found as $TENON_TEST_FREE_THREADED, or on PATH by its name."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import HERE, PRELOAD, ROOT

from tenon import _library

PROGRAM = HERE / "library" / "threads_program.py"


def test_threads_share_everything():
    done = subprocess.run([sys.executable, PROGRAM, "30"], capture_output=True, text=True, timeout=1200,
                          env={**os.environ, **({"LD_PRELOAD": PRELOAD} if PRELOAD else {})})
    assert (done.returncode, done.stdout[:4]) == (0, "done"), done.stdout + done.stderr


def free_threaded():
    """The interpreter, or None."""
    names = [os.environ.get("TENON_TEST_FREE_THREADED"), "python3.14t", "python3.13t", "python3.15t"]
    for name in filter(None, names):
        found = shutil.which(name)
        if found and ask(found, "import sysconfig; print(sysconfig.get_config_var('Py_GIL_DISABLED'))") == "1":
            return found
    return None


def ask(interpreter, code, **environment):
    done = subprocess.run([interpreter, "-c", code], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def meson_version():
    """Of Meson on PATH; before 1.3 it does not know Pythons without distutils."""
    if not shutil.which("meson"):
        return (0,)
    said = subprocess.run(["meson", "--version"], capture_output=True, text=True).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """(the interpreter, a directory with the package and the module for it)."""
    interpreter = free_threaded()
    if interpreter is None:
        pytest.skip("there is no free-threaded Python: python3.14t or $TENON_TEST_FREE_THREADED")
    if PRELOAD or not shutil.which("ninja") or meson_version() < (1, 3):
        pytest.skip("the module for it is built with ninja and Meson 1.3 or later, and without sanitizers")
    place = tmp_path_factory.mktemp("free-threaded")
    (place / "native.ini").write_text(f"[binaries]\npython3 = {interpreter!r}\n")
    options = ["-Dpython=enabled", "-Dtests=false", "-Dexamples=false", "-Dcuda=disabled", "-Dmanual=disabled"]
    for command in (["meson", "setup", str(place / "build"), "--native-file", str(place / "native.ini"), *options],
                    ["ninja", "-C", str(place / "build"), "-t", "targets", "all"]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    module, = re.findall(r"^(abi/python/_core\.\S*\.so):", done.stdout, re.M)
    done = subprocess.run(["ninja", "-C", str(place / "build"), module], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copytree(ROOT / "abi" / "python" / "tenon", place / "site" / "tenon",
                    ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
    shutil.copy(place / "build" / module, place / "site" / "tenon" / pathlib.Path(module).name)
    return interpreter, {"PYTHONPATH": str(place / "site"), "TENON_LIBRARY": os.path.realpath(_library.path),
                         "TENON_PLUGIN_PATH": str(ROOT / "kernels")}


def test_a_module_for_it_leaves_the_gil_off(site):
    interpreter, environment = site
    code = "import sys, tenon; from tenon._library import core; print(sys._is_gil_enabled(), tenon.zeros(2).tolist())"
    assert ask(interpreter, code, **environment) == "False [0.0, 0.0]"


def test_threads_without_the_gil_share_everything(site):
    interpreter, environment = site
    done = subprocess.run([interpreter, PROGRAM, "60"], capture_output=True, text=True, timeout=1800,
                          env={**os.environ, **environment})
    assert (done.returncode, done.stdout) == (0, "done False\n"), done.stdout + done.stderr


def test_it_does_not_take_the_module_for_others():
    """That of the stable interface, which it cannot load, is not looked for."""
    assert _library.CORE == "_core.abi3.so" or "t" in sys.abiflags
