"""pyright accepts the package and a correct program that uses it, and reports each fault of an incorrect one: those of
test_typing.py. It is run as basedpyright, whose wheel brings all that it needs, with pyright's default rules."""

import json
import os
import pathlib
import subprocess
import sys
import venv

import pytest

pytest.importorskip("basedpyright", reason="basedpyright is not installed")
pytest.importorskip("mypy", reason="test_typing.py needs mypy")

from test_typing import BAD, GOOD, PACKAGE


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """[(file, line, message)] for the package and both programs."""
    place = tmp_path_factory.mktemp("pyright")
    (place / "good.py").write_text(GOOD)
    (place / "bad.py").write_text(BAD)
    venv.create(place / "empty")  # without the other libraries, whose types would take longer than the rest
    (place / "pyrightconfig.json").write_text(json.dumps({
        "include": ["good.py", "bad.py", str(PACKAGE / "tenon")], "extraPaths": [str(PACKAGE)], "pythonVersion": "3.11",
        "typeCheckingMode": "standard", "reportMissingImports": False, "reportMissingModuleSource": False}))
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # of sanitizers
    done = subprocess.run([sys.executable, "-m", "basedpyright", "--project", str(place), "--outputjson",
                           "--pythonpath", str(place / "empty" / "bin" / "python")],
                          capture_output=True, text=True, env=plain)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["summary"]["filesAnalyzed"] > 50
    return [(pathlib.Path(one["file"]).name if one["file"].startswith(str(place)) else one["file"],
             one["range"]["start"]["line"] + 1, one["message"])
            for one in said["generalDiagnostics"] if one["severity"] == "error"]


def test_the_package_and_a_good_program_are_clean(errors):
    assert [one for one in errors if one[0] != "bad.py"] == []


def test_each_fault_is_found_and_nothing_else(errors):
    faults = {number for number, line in enumerate(BAD.splitlines(), 1) if "  # " in line}
    assert {line for name, line, _ in errors if name == "bad.py"} == faults, errors
