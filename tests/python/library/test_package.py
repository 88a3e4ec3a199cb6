"""The package itself: the cost of import and of calls, errors, devices, the report."""

import importlib.util
import threading

import pytest

import tenon
from conftest import run_python


def run(code):
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    return done.stdout


def modules_after(code):
    """What the code imports in a new process, apart from what Python itself has when it starts."""
    return set(run(f"import sys; had = set(sys.modules)\n{code}\nprint(*(set(sys.modules) - had))").split())


def test_importing_takes_the_library_and_little_else():
    """The rest of the package, ctypes and typing come with the first use of a name, and CUDA with that of a device."""
    found = modules_after("import tenon")
    assert {one for one in found if one.startswith("tenon")} == {f"tenon{part}" for part in ("", "._core", "._library", "._names", "._raw")}
    rest = {one.partition(".")[0] for one in found} - {"tenon"}
    assert rest <= {"__future__", "importlib", "warnings"}, rest
    assert run("import tenon; print(any('libcuda' in line for line in open('/proc/self/maps')))") == "False\n"


def test_a_first_array_needs_neither_numpy_nor_any_framework():
    found = modules_after("import tenon; tenon.zeros(3, device='cpu:0') + 1")
    assert not {one.partition(".")[0] for one in found} & {"numpy", "torch", "jax", "scipy", "ml_dtypes", "inspect", "dataclasses"}
    assert not found & {f"tenon.{part}" for part in ("_fft", "_plugins", "_fuse", "random", "blas", "array_api")}


def test_arrays_have_all_methods_from_the_first():
    methods = [name for name in dir(tenon.Array) if not name.startswith("_")]
    assert {"take", "sort", "argsort", "quantile", "squeeze", "nonzero"} <= {*methods}
    done = run_python(f"import tenon; print([name for name in {methods} if not hasattr(tenon.Array, name)]); "
                      "print(tenon.asarray([3, 1]).take([1]).tolist())")
    assert done.stdout == "[]\n[1]\n", done.stdout + done.stderr


def test_names_come_from_their_modules_at_first_use():
    assert set(tenon.__all__) <= set(dir(tenon)) and {"float32", "sum", "random", "cupy"} <= set(dir(tenon))
    assert run("from tenon import *; print(svd.__module__, random.__name__, float32)") == "tenon tenon.random float32\n"
    assert run("torch, jax, cupy = 1, 2, 3\nfrom tenon import *\nprint(torch, jax, cupy)") == "1 2 3\n"
    assert run("import tenon; print(tenon.fft is tenon.fft, tenon.random.__name__)") == "True tenon.random\n"
    with pytest.raises(AttributeError, match="module 'tenon' has no attribute 'matmull'"):
        tenon.matmull


def test_arrays_work_without_numpy():
    code = ("import sys; sys.modules['numpy'] = None\nimport tenon\n"
            "a = tenon.zeros((2, 3), 'int32', device='cpu:0'); a[1, 1:] = 5\nprint(a.tolist(), a.T[2].astype('float64').tolist())")
    assert run(code) == "[[0, 0, 0], [0, 5, 5]] [0.0, 5.0]\n"


@pytest.mark.parametrize("name", ["torch", "jax", "cupy", "numba"])
def test_no_folder_of_the_tests_is_taken_for_a_library(name):
    """A folder of that name on Python's path is a module without a file, and tests of the library run without it."""
    found = importlib.util.find_spec(name)
    assert found is None or found.origin, f"{name} is {list(found.submodule_search_locations)}"


def test_a_folder_with_the_name_of_a_library_is_not_that_library(device):
    run(f"""
import sys, types
for name in ("torch", "jax", "cupy", "numba"):
    sys.modules[name] = types.ModuleType(name)  # as of a folder in the working directory, once it was imported
import numpy, tenon

class Producer:
    def __init__(self, array):
        self.array, self.requires_grad = array, False
        self.__dlpack_device__ = array.__dlpack_device__

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

a = tenon.asarray(numpy.ones((2, 2)), device={device.name!r})
out = tenon.zeros_like(a)
tenon.add(a, 1, out=out)
product = tenon.matmul(a, out)
assert tenon.concat([product, tenon.from_dlpack(Producer(a))]).tolist() == [[4, 4]] * 2 + [[1, 1]] * 2
tenon.blas.axpy(a, out)
assert tenon.sparse.csr_array(a).toarray().tolist() == [[1, 1], [1, 1]]
if {device.kind!r} == "cuda":
    side = tenon.Stream({device.name!r})
    a.__dlpack__(stream=side.native)
for call in (a.torch, lambda: tenon.torch.register("image"), tenon.sparse.csr_array(a).to_torch):
    try:
        call()
    except ImportError as error:
        assert "is not PyTorch: it has no Tensor" in str(error), error
    else:
        raise AssertionError("an empty module was taken for PyTorch")
""")


def test_every_public_name_has_a_docstring():
    missing = [name for name in tenon.__all__ if callable(getattr(tenon, name)) and not getattr(tenon, name).__doc__]
    assert not missing


def test_the_best_device_is_one_of_the_devices():
    names = [device.name for device in tenon.devices()]
    assert names[0] == "cpu:0" and tenon.Device().name in names
    assert tenon.Device("cpu") == tenon.Device("cpu:0")


def test_a_device_that_is_not_there_says_which_there_are():
    for name in ("cuda:99", "tpu:0", "", "cpu:1", "cpu:x"):
        with pytest.raises((tenon.NotFound, tenon.InvalidArgument)) as caught:
            tenon.Device(name)
        assert len(str(caught.value)) > 10
    with pytest.raises(tenon.NotFound, match="cpu:0"):
        tenon.Device("cuda:99")


def test_a_device_tells_its_limits_and_memory(device):
    info = device.info
    assert info["max_threads_per_block"] >= 1024 and info["warp_size"] == 32 and info["total_memory"] > 1 << 28
    assert len(info["max_grid"]) == 3 and device.description and device.toolkit
    before = device.memory["used"]
    array = tenon.empty(1 << 20, "uint8", device=device)
    assert device.memory["used"] - before >= 1 << 20
    del array
    device.trim_memory()
    device.synchronize()


def test_the_report_says_what_was_found():
    report = tenon.info()
    assert report["library"].endswith("libtenon.so.1") and "build" in report and "devices" in report


def test_errors_carry_status_and_name():
    with pytest.raises(tenon.TenonError) as caught:
        tenon.zeros((2, 3), device="cpu:0").reshape(7)
    assert isinstance(caught.value, tenon.ShapeError) and caught.value.name == "TENON_ERROR_SHAPE" and caught.value.status == 8


def test_handles_are_given_back_from_any_thread():
    arrays = [tenon.zeros(1000, device="cpu:0") for _ in range(100)]
    threads = [threading.Thread(target=lambda part=arrays[i::4]: part.clear()) for i in range(4)]
    del arrays
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_do_not_mix_their_errors():
    seen = []

    def fail(extent):
        for _ in range(200):
            try:
                tenon.zeros((2, 3), device="cpu:0").reshape(extent)
            except tenon.ShapeError as error:
                seen.append(str(extent) in str(error))

    threads = [threading.Thread(target=fail, args=(extent,)) for extent in (701, 809)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 400 and all(seen)
