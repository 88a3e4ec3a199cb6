"""tests/kernels/README.md is up to date: it equals the output of table.py for the kernels, their tests and the
library."""

import importlib.util
import os
import pathlib

import pytest

import tenon
from conftest import ROOT, run_python

FOLDER = ROOT / "tests/kernels"
# The C++ test programs of the corpus keep their kernels here: where they have run, nothing is compiled again.
PLACE = pathlib.Path(os.environ.get("TENON_LIBRARY", "/")).resolve().parent / "../../tests/kernels/cache"
COMPILED = {"TENON_CACHE_DIR": str(PLACE.resolve())} if PLACE.is_dir() else {}


@pytest.fixture(scope="module")
def table():
    spec = importlib.util.spec_from_file_location("table", FOLDER / "table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_up_to_date():
    if "TENON_CXX names" in tenon.Device("cpu:0").toolkit:
        pytest.skip("no compiler for kernels on the CPU")
    done = run_python(f"import runpy, sys; sys.argv[1:] = ['--check']; runpy.run_path({str(FOLDER / 'table.py')!r}, "
                      "run_name='__main__')", **COMPILED)
    assert done.returncode == 0, done.stderr


def test_every_kernel_has_a_test_and_the_corpus_is_large(table):
    texts = {path.stem for path in FOLDER.glob(table.FILES)}
    assert texts == set(table.cases())
    assert len(texts) >= 60


def test_every_refusal_is_in_the_table(table):
    rows = list(table.refusals())
    assert len(rows) == (table.CPU / "compile/compiler/refusals.inc").read_text().count("\nTENON_REFUSED(")


def test_every_function_of_the_rows_is_in_the_table(table):
    rows = list(table.accuracy())
    text = (FOLDER / "accuracy/accuracy.inc").read_text()
    assert len(rows) == sum(line.startswith(("FLOAT", "DOUBLE")) for line in text.splitlines())
