"""The introduction in kernels/README.md: runs exactly its commands, in an empty directory."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from command import BUILD, PROGRAM, ROOT, environment

pytestmark = pytest.mark.examples


def test_from_a_new_package_to_calls_from_c_and_python(tmp_path):
    if not (shutil.which("cc") and shutil.which("pkg-config")):
        pytest.skip("no C compiler or no pkg-config")
    commands = re.findall(r"```sh\n(.*?)```", (ROOT / "kernels/README.md").read_text(), re.S)
    assert len(commands) == 1 and "plugin new saxpy" in commands[0]
    places = f"{PROGRAM.parent}:{pathlib.Path(sys.executable).parent}"
    variables = environment(
        PATH=f"{places}:{environment()['PATH']}", PYTHONPATH=str(ROOT / "abi/python"), TENON_LIBRARY=str(BUILD / "src/api/libtenon.so.1"),
        PKG_CONFIG_PATH=str(BUILD / "meson-uninstalled"), LD_LIBRARY_PATH=str(BUILD / "src/api"), TENON_CACHE_DIR=str(tmp_path / "cache"))
    done = subprocess.run(["sh", "-e", "-c", commands[0]], cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failed" in done.stdout
    assert done.stdout.count("[0.0, 11.0, 22.0, 33.0]") == 2
