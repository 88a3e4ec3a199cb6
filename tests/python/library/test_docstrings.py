"""The examples in the docstrings produce the results that they show."""

import doctest
import importlib
import pkgutil

import pytest

import tenon

MODULES = sorted(one.name for one in pkgutil.iter_modules(tenon.__path__) if not one.name.startswith("__"))
LIBRARIES = {"_torch_gradients": "torch", "_torch_traced": "torch", "_torch_operations": "torch", "_shapes": "torch", "torch": "torch", "jax": "jax"}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    if name in LIBRARIES:
        pytest.importorskip(LIBRARIES[name])
    module = importlib.import_module(f"tenon.{name}")
    failed, _ = doctest.testmod(module, extraglobs={"tenon": tenon})
    assert failed == 0


def test_common_functions_have_an_example():
    for name in ("zeros", "where", "sum", "concat", "sort", "matmul", "solve", "fft", "elementwise", "reduction", "scan", "Kernel",
                 "Graph", "Stream", "Event"):
        assert ">>> " in getattr(tenon, name).__doc__, name
