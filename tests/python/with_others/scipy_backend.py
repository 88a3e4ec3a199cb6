"""A plugin of pytest that adds Tenon to the array libraries on which SciPy runs its own tests:

    SCIPY_ARRAY_API='["tenon.array_api"]' PYTHONPATH=abi/python:tests/python/with_others \
        python -m pytest -p scipy_backend -m array_api_backends --pyargs scipy

$TENON_SCIPY_DEVICE is the device of the arrays, cpu:0 by default. The docstring of tenon.array_api lists what fails.
"""

import importlib.machinery
import importlib.util
import os
import sys

import pytest

import tenon

# SciPy's conftest.py completes its list of libraries before this line, and has no hook to add one.
LAST = "    xp_available_backend_ids = {p.id for p in xp_available_backends}\n"
NAME = tenon.array_api.__name__  # SciPy compares names of modules to tell for which library a test is skipped
ADDED = f"""    import {NAME}
    xp_known_backends.add({NAME!r})
    xp_available_backends.append(pytest.param({NAME}, id={NAME!r}, marks=pytest.mark.array_api_backends))
"""
# The standard's devices() is a tuple since 2025.12; SciPy adds a list to that of earlier versions.
DEVICES = ("__array_namespace_info__().devices() + [None]", "__array_namespace_info__().devices() + (None,)")
ON_GPU = f"    xp_skip_cpu_only_backends.add({NAME!r})\n"


class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):  # not from a cache, and not written to one
        source = self.get_source(fullname)
        if source.count(LAST) != 1:
            raise pytest.UsageError(f"this version of SciPy is not known here: {self.path} has no {LAST.strip()!r}")
        more = ADDED + ("" if device.kind == "cpu" else ON_GPU)
        return compile(source.replace(LAST, more + LAST).replace(*DEVICES), self.path, "exec")


device = tenon.Device(os.environ.get("TENON_SCIPY_DEVICE", "cpu:0"))
tenon.set_default_device(device)
package = importlib.util.find_spec("scipy")
loader = Loader("scipy.conftest", os.path.join(package.submodule_search_locations[0], "conftest.py"))
module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
sys.modules[loader.name] = module
loader.exec_module(module)


def compare_on_the_host():
    """SciPy's checks hand arrays to NumPy's, which take none of a GPU: as PyTorch's, they are copied first."""
    from scipy._lib import _array_api

    strict, copied = _array_api._strict_check, _array_api._xp_copy_to_numpy

    def host(x):
        return x.numpy() if isinstance(x, tenon.Array) else x

    def checked(*arguments, **named):
        actual, desired, xp = strict(*arguments, **named)
        return host(actual), host(desired), xp

    _array_api._strict_check = checked
    _array_api._xp_copy_to_numpy = lambda x: x.numpy() if isinstance(x, tenon.Array) else copied(x)


if device.kind != "cpu":
    compare_on_the_host()
