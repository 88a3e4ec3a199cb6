"""The programs in README.md run as they stand there."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import run_python

ROOT = pathlib.Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.examples


def block(language):
    found = re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert len(found) == 1
    return found[0]


def test_the_python_program_runs():
    done = run_python(block("python"))
    assert done.returncode == 0, done.stderr
    assert "0.0066" in done.stdout


def test_the_c_program_runs(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    import tenon

    library = pathlib.Path(tenon.info()["library"]).resolve()
    (tmp_path / "main.c").write_text(block("c"))
    subprocess.run([compiler, "-std=c99", "-Wall", "-Werror", f"-I{ROOT / 'include'}", "main.c", str(library), "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)})
    assert (done.returncode, done.stdout) == (0, "2 4 6 8\n"), done.stderr
