"""Runs the examples as a user would."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

pytestmark = pytest.mark.examples


@pytest.mark.parametrize("program, picture", [("main.py", "example.png"), ("gallery.py", "gallery.png")])
def test_a_python_example_holds_its_checks_and_saves_pictures(tmp_path, device, program, picture):
    pytest.importorskip("skimage", reason="scikit-image, which brings the photograph, is not installed")
    done = subprocess.run([sys.executable, str(ROOT / "examples/python" / program), str(device), str(tmp_path)], capture_output=True,
                          text=True, env={**os.environ, "TENON_LOG": "warning"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All checks held." in done.stdout and "WRONG" not in done.stdout
    assert (tmp_path / picture).stat().st_size > 100_000
