"""Kernels of PyTorch's dispatcher without Python (libtenon_torch.so): the same results as through Python, and errors."""

import concurrent.futures
import gc
import itertools
import multiprocessing
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import weakref

import pytest

import tenon

from conftest import KERNELS, ROOT

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from tenon import _torch_native, _torch_operations  # noqa: E402

PACKAGE = '''
name = "natively"
version = "1.0.0"
[op.scale]
types = { T = "floating" }
parameters = ["in T x", "scalar float32 by", "scalar bool negate = false", "scalar int32 times = 1", "out T y"]
let = ["s = negate ? -by : by", "t = times"]
elementwise = "y = (T)(s * t * (double)x)"
read = ["x", "s", "t"]
[op.halves]
parameters = ["in raw T x[..., n]", "scalar int64 at = n / 2", "out T low[..., at]", "out T high[..., n - at]"]
[[op.halves.steps]]
elementwise = "low = x[(i / at) * n + i % at]"
read = ["x", "n", "at"]
write = ["low"]
when = "low.size > 0"
[[op.halves.steps]]
elementwise = "high = x[(i / (n - at)) * n + at + i % (n - at)]"
read = ["x", "n", "at"]
write = ["high"]
when = "high.size > 0"
[op.add]
parameters = ["in T x", "in T y", "out T z"]
elementwise = "z = x + y"
[op.change_]
parameters = ["inout T x"]
elementwise = "x = 2 * x"
[op.shift]
parameters = ["in T x", "inout T total", "scalar float32 by[2] = 1", "scalar int32 times[1] = 2", "scalar {up, down} way = up",
  "out T y"]
let = ["a = by[0]", "b = by[1]", "k = way == 'up' ? times[0] : -times[0]"]
elementwise = "y = x + (T)(k * (i % 2 ? b : a)); total = total + y"
read = ["x", "a", "b", "k"]
[op.weigh]
parameters = ["in T x", "scalar T by", "out T y"]
elementwise = "y = by * x"
'''
LISTS = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 10)


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory):
    directory = tmp_path_factory.mktemp("natively")
    (directory / "plugin.toml").write_text(PACKAGE)
    loaded = tenon.plugins.load(directory)
    tenon.torch.register(loaded)
    for name in ("elementwise", "image"):
        tenon.torch.register(tenon.plugins.load(KERNELS / name))
    return loaded


def registered(package):
    return _torch_operations._registered[package][1]


def native(package):
    return sorted(name for name, one in registered(package).items() if not one.native.refusal)


@pytest.fixture(params=["cpu", "cuda"])
def place(request):
    """A device of PyTorch's."""
    if request.param == "cuda" and not (torch.cuda.is_available() and any(one.kind == "cuda" for one in tenon.devices())):
        pytest.skip("there is no CUDA device")
    return request.param


def below(op, *args, **keywords):
    """The kernel for the device, not the one for autograd, which is Python's."""
    with torch._C._AutoDispatchBelowAutograd():
        return op(*args, **keywords)


def several(made):
    return () if made is None else made if isinstance(made, tuple) else (made,)


def test_the_library_is_built_and_carries_every_operation_whose_schema_it_can():
    assert native("natively") == ["add", "change_", "halves", "scale", "shift"]
    simple = {"Tensor", "float", "int", "bool"} | ({"List[float]", "List[int]", "List[bool]", "str"} if LISTS else set())
    for package in ("elementwise", "image"):
        for name, one in registered(package).items():
            types = {re.sub(r"^Optional\[(.*)\]$", r"\1", str(argument.type)) for argument in one.op._schema.arguments}
            assert bool(one.native.refusal) == bool(types - simple), (package, name, one.native.refusal)
    assert len(native("elementwise")) > 10 and ("sobel" in native("image") or not LISTS)


def test_a_refusal_says_what_python_is_needed_for():
    assert registered("natively")["weigh"].native.refusal == (
        "natively/weigh: by is of type Scalar, which the stable interface of PyTorch 2.9 cannot carry")


def arguments(operation, dtype, layout, place):
    made = {}
    for seed, one in enumerate(operation.description["parameters"]):
        if one["role"] in ("in", "inout"):
            shape = {"empty": (0, 6), "rank 0": ()}.get(layout, (4, 6))
            made[one["name"]] = torch.rand(shape, generator=torch.Generator().manual_seed(seed)).to(place, dtype) + 0.25
            if layout == "transposed":
                made[one["name"]] = made[one["name"]].t()
            if layout == "strided":
                made[one["name"]] = made[one["name"]][::2, 1::3]
        elif one["role"] == "scalar" and "default" not in one:
            number = 0.75 if one["type"] in ("float32", "float64") else 2
            made[one["name"]] = [number] * 6 if "shape" in one else number
    return made


LAYOUTS = ["contiguous", "transposed", "strided", "empty", "rank 0"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("prefix", ["elementwise", "image", "natively"])
def test_native_and_python_give_the_same_bits_for_all_operations(prefix, layout, place):
    compared = 0
    for name, dtype in itertools.product(native(prefix), (torch.float32, torch.float64)):
        one = registered(prefix)[name]
        if prefix == "image" and (dtype == torch.float64 or layout not in ("contiguous", "strided")):
            continue  # its operations have many parameters, and are slow to compile
        given, again = (arguments(one.operation, dtype, layout, place) for _ in range(2))
        try:
            expected = several(one.run(**given))
        except tenon.TenonError as error:  # of this shape or dtype; the native kernel refuses it with the same text
            with pytest.raises(RuntimeError) as caught:
                below(one.op, **again)
            assert str(error) in str(caught.value)
            continue
        results = several(below(one.op, **again))
        versions = [[tensor._version for tensor in values.values() if isinstance(tensor, torch.Tensor)]
                    for values in (given, again)]
        assert versions[0] == versions[1], name
        for made, wanted in zip((*results, *map(again.get, one.changed)), (*expected, *map(given.get, one.changed)), strict=True):
            assert made.dtype == wanted.dtype and made.shape == wanted.shape and made.stride() == wanted.stride(), name
            assert torch.equal(made.reshape(-1).view(torch.uint8), wanted.reshape(-1).view(torch.uint8)), (name, dtype)
            compared += 1
    assert compared or prefix == "image", "nothing was compared"


def test_numbers_reach_the_kernel_as_their_dtype():
    scale = torch.ops.natively.scale
    x = torch.tensor([1.0, 2.0])
    assert below(scale, x, 1.5).tolist() == [1.5, 3.0]
    assert below(scale, x, 1.5, True, 3).tolist() == [-4.5, -9.0]
    assert below(scale, x, 2, False, -1).tolist() == [-2.0, -4.0]


@pytest.mark.skipif(not LISTS, reason="this PyTorch's stable interface carries no lists")
def test_lists_choices_and_writes_reach_the_kernel(place):
    shift = torch.ops.natively.shift
    x, total = torch.zeros(4, device=place), torch.zeros(4, device=place)
    assert below(shift, x, total).eq(2).all() and total.eq(2).all() and total._version == 1
    assert below(shift, x, total, [1.0, 2.0], [3], "down").tolist() == [-3, -6, -3, -6] and total._version == 2
    assert total.tolist() == [-1, -4, -1, -4]
    assert below(shift, x, total, 4.0, 1).eq(4).all()  # one number stands for all
    for given, text in (({"way": "left"}, "way of natively/shift is one of up, down, not 'left'"),
                        ({"by": [1.0, 2.0, 3.0]}, "natively/shift"), ({"times": [2**31]}, "times is 2147483648, and must be")):
        with pytest.raises(RuntimeError, match=text):
            below(shift, x, total, **given)
    assert total._version == 3
    with torch.inference_mode():  # such tensors have no counter
        one, sum_of = torch.zeros(4, device=place), torch.zeros(4, device=place)
        assert below(shift, one, sum_of).eq(2).all() and sum_of.eq(2).all()
    view = torch.zeros(2, 4, device=place)[:, 1]
    below(shift, torch.zeros(2, device=place), view)
    assert view._base._version == 1 and view._base.tolist() == [[0, 2, 0, 0]] * 2
    filtered = torch.ops.image.gaussian_filter
    image = torch.rand(5, 6, device=place)
    assert torch.equal(below(filtered, image, [1.0, 0.5], mode="wrap"), filtered(image, [1.0, 0.5], mode="wrap"))


def test_results_follow_shapes_dtypes_and_numbers_from_call_to_call(place):
    halves = torch.ops.natively.halves
    for shape, at in [((2, 6), None), ((2, 6), 1), ((2, 6), 6), ((3, 5), None), ((2, 6), 1), ((0, 4), None)]:
        for dtype in (torch.float32, torch.float64):
            x = torch.arange(shape[0] * shape[1], device=place).reshape(shape).to(dtype)
            low, high = below(halves, x, at)
            middle = shape[1] // 2 if at is None else at
            assert low.dtype == high.dtype == dtype and low.device == high.device == x.device
            assert torch.equal(low, x[:, :middle]) and torch.equal(high, x[:, middle:])


def test_results_own_their_memory_and_inputs_are_let_go():
    numpy = pytest.importorskip("numpy")
    memory = numpy.ones(1000, dtype="float32")
    kept = weakref.ref(memory)
    y = below(torch.ops.natively.scale, torch.from_numpy(memory), 3.0)
    del memory
    gc.collect()
    assert kept() is None
    y.resize_(2000)  # PyTorch's own memory can grow
    assert y[:1000].eq(3).all()


def test_work_is_in_the_order_of_pytorchs_current_stream_and_memory(place):
    if place == "cpu":
        pytest.skip("the CPU has no streams")
    add, stream, n = torch.ops.natively.add, torch.cuda.Stream(), 1 << 20
    with torch.cuda.stream(stream):
        for turn in range(20):
            torch.cuda._sleep(1_000_000)
            x = torch.full((n,), float(turn), device=place)
            y = below(add, x, x)
            del x  # PyTorch gives its memory to the next tensor of this stream
            other = torch.full((n,), -1.0, device=place)
            assert below(add, y, other).eq(2 * turn - 1).all()
    x, graph = torch.ones(n, device=place), torch.cuda.CUDAGraph()
    below(add, x, x)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        z = below(add, below(add, x, x), x)
    for number in (1.0, 5.0):
        x.fill_(number)
        graph.replay()
        assert z.eq(3 * number).all()


def test_tensors_of_two_devices_are_refused(place):
    if place == "cpu":
        pytest.skip("there is one device")
    add = torch.ops.natively.add
    for one, other, text in ((torch.ones(2), torch.ones(2, device=place), "y is on cuda:0, but x on the CPU: move one"),
                             (torch.ones(2, device=place), torch.ones(2), "y is on the CPU, but x on cuda:0: move one")):
        with pytest.raises(RuntimeError, match=text):
            below(add, one, other)


def refusals():
    x = torch.ones(4)
    return [("add", (x, torch.ones(4, dtype=torch.float64)), {}), ("add", (x, torch.ones(3)), {}),
            ("halves", (torch.ones(4), 9), {}), ("scale", (torch.ones(4, dtype=torch.int32), 1.0), {}),
            ("halves", (torch.ones(()),), {})]


@pytest.mark.parametrize("number", range(5))
def test_an_error_has_the_whole_message_of_tenon(number):
    name, args, keywords = refusals()[number]
    one = registered("natively")[name]
    with pytest.raises(tenon.TenonError) as expected:
        one.run(*args, **keywords)
    for _ in range(2):  # also after what an earlier call learned
        with pytest.raises(RuntimeError) as caught:
            below(one.op, *args, **keywords)
        assert str(expected.value) in str(caught.value)
    assert "natively/" in str(caught.value)


def test_a_number_that_does_not_fit_is_refused():
    with pytest.raises(RuntimeError, match=r"natively/scale: times is 2147483648, and must be at least -2147483648 and at "
                                           r"most 2147483647"):
        below(torch.ops.natively.scale, torch.ones(2), 1.0, False, 2**31)


def test_inference_and_autograd_give_the_same(place):
    x = torch.linspace(-2, 2, 7, device=place)
    with torch.inference_mode():
        made = torch.ops.elementwise.softplus(x.clone())
    tracked = x.clone().requires_grad_()
    assert torch.equal(made, torch.ops.elementwise.softplus(tracked).detach())
    assert torch.equal(made, torch.compile(torch.ops.elementwise.softplus, backend="aot_eager")(x))


def test_threads_share_kernels():
    failures = []

    def work(seed):
        try:
            for turn in range(200):
                x = torch.full((seed + 1, turn % 5), float(seed))
                assert below(torch.ops.natively.add, x, x).eq(2 * seed).all()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures


def _in_child(queue):
    queue.put(below(torch.ops.natively.scale, torch.ones(2), 2.0).tolist())


def test_a_forked_child_calls_them_too():
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get() == [2.0, 2.0]
    child.join()
    assert child.exitcode == 0


def test_another_version_replaces_the_kernels(package, tmp_path):
    text = PACKAGE.replace("natively", "replaced")
    for version, sign in (("1.0.0", "+"), ("2.0.0", "-")):
        directory = tmp_path / version
        directory.mkdir()
        (directory / "plugin.toml").write_text(text.replace("1.0.0", version).replace("z = x + y", f"z = x {sign} y"))
        tenon.torch.register(tenon.plugins.load(directory))
        assert not registered("replaced")["add"].native.refusal
        assert below(torch.ops.replaced.add, torch.ones(1), torch.ones(1)).item() == (2 if sign == "+" else 0)


def test_a_schema_that_does_not_fit_is_refused(package):
    operation = package["add"]
    for schema, text in [("add(Tensor x)", 'the schema is "add(Tensor x)", and must be "PACKAGE::OPERATION'),
                         ("natively::add(Tensor x) -> Tensor", "the schema has 1 arguments, and the operation's contract 2"),
                         ("natively::add(Tensor x, Tensor w) -> Tensor", 'the schema has "Tensor w", which is no input'),
                         ("natively::add(Tensor x, float y) -> Tensor", 'the schema has "float y", which is no input')]:
        assert text in _torch_native.Kernel(operation, schema).refusal


def test_without_the_library_python_has_the_kernels(tmp_path, monkeypatch):
    monkeypatch.setattr(_torch_native, "_opened", lambda: None)
    (tmp_path / "plugin.toml").write_text(PACKAGE.replace("natively", "pythonic"))
    tenon.torch.register(tenon.plugins.load(tmp_path))
    assert native("pythonic") == []
    assert below(torch.ops.pythonic.scale, torch.ones(2), 2.0).tolist() == [2.0, 2.0]
    with pytest.raises(tenon.TenonError):
        below(torch.ops.pythonic.add, torch.ones(2), torch.ones(3))


def built_without_python(source, program, *libraries_of_torch):
    """Compiles a program of this folder: needs a C++ compiler and PyTorch's headers."""
    compiler, headers = shutil.which("c++"), pathlib.Path(torch.__file__).parent / "include"
    root, libraries = ROOT, headers.parent / "lib"
    needed = (headers / "torch/csrc/stable/version.h", root / "abi/torch/tenon_torch.h", root / "include/tenon/tenon.h")
    missing = [str(one) for one in needed if not one.exists()]
    if compiler is None or missing:
        pytest.skip(f"missing: {', '.join(missing) or 'a C++ compiler, c++'}")
    ours, native_library = pathlib.Path(tenon._library.path).resolve(), pathlib.Path(_torch_native._opened()[0]._name)
    # where the linker looks for what libtorch_cpu needs is none of the program's business
    built = subprocess.run([compiler, "-std=c++20", f"-I{root / 'include'}", f"-I{root / 'abi/torch'}",
                            f"-isystem{headers}", f"-isystem{headers / 'torch/csrc/api/include'}",
                            pathlib.Path(__file__).with_name(source), "-o", program, ours,
                            native_library, "-Wl,--no-as-needed", f"-L{libraries}",
                            *(f"-l{one}" for one in libraries_of_torch),
                            "-Wl,--allow-shlib-undefined", f"-Wl,-rpath,{libraries}", f"-Wl,-rpath,{ours.parent}",
                            f"-Wl,-rpath,{native_library.parent}"], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


def test_a_program_without_python_calls_an_operation(tmp_path):
    program = tmp_path / "program"
    built_without_python("torch_without_python.cpp", program, "torch_cpu", "c10")
    made = subprocess.run([program, KERNELS / "elementwise"], capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stdout + made.stderr
    assert made.stdout.split() == ["0.693147", "1.313262", "0.313262"]


def test_a_compiled_model_without_python_calls_an_operation(tmp_path, monkeypatch, place):
    """AOTInductor's package of a model, in a program of C++."""
    if not hasattr(getattr(torch, "_inductor", None), "aoti_compile_and_package"):
        pytest.skip("this PyTorch has no torch._inductor.aoti_compile_and_package")
    header = "torch/csrc/inductor/aoti_package/model_package_loader.h"
    if not (pathlib.Path(torch.__file__).parent / "include" / header).exists():
        pytest.skip(f"this PyTorch has no {header}")
    if shutil.which("g++") is None:
        pytest.skip("AOTInductor compiles with g++, which is not installed")
    program, package = tmp_path / "program", tmp_path / "model.pt2"
    compiling = concurrent.futures.ThreadPoolExecutor(1).submit(
        built_without_python, "torch_aot_without_python.cpp", program, "torch_cpu", "torch", "c10",
        *(("torch_cuda", "c10_cuda") if place == "cuda" else ()))
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))

    class Model(torch.nn.Module):
        def forward(self, x):
            return 2 * torch.ops.elementwise.softplus(x + 1, 2.0)

    x = torch.tensor([[-1.0, 0], [1, 2]], device=place)
    quickly = {"aot_inductor.compile_wrapper_opt_level": "O0", "aot_inductor.precompile_headers": False,
               "cpp.simdlen": 1, "cpp.vec_isa_ok": False}  # six programs would find out what the processor can do
    known = torch._inductor.config.get_config_copy()
    torch._inductor.aoti_compile_and_package(torch.export.export(Model(), (x,)), package_path=str(package),
                                             inductor_configs={key: value for key, value in quickly.items() if key in known})
    compiling.result()
    made = subprocess.run([program, KERNELS / "elementwise", package, place], capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stdout + made.stderr
    expected = [f"{one:.4f}" for one in Model()(x).flatten().tolist()]
    assert made.stdout.split() == [*expected, "8.0003", *expected[1:]]


def test_a_process_without_pytorch_is_told_so():
    program = f"""if True:
        import tenon
        from tenon import _torch_native
        operation = tenon.plugins.load({str(KERNELS / "elementwise")!r})["softplus"]
        print(_torch_native.Kernel(operation, "elementwise::softplus(Tensor x, float beta=1.) -> Tensor").refusal)"""
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert made.stdout == "this process has not loaded LibTorch (libtorch_cpu.so)\n"


FAKE = r"""
#include <stdint.h>
#include <stdlib.h>
int32_t aoti_torch_get_current_cuda_stream(int32_t index, void** out) { return *out = NULL, index > 1; }
static void* current; /* the guarded stream; NULL: there is no guard */
int32_t guards, device = -1, live;
void* used; /* the stream of the last allocation */
uint64_t room = 1 << 20;
int32_t aoti_torch_create_cuda_stream_guard(void* stream, int32_t index, void** out) {
  if (index > 1) return 1;
  guards++, device = index, current = stream, *out = &guards;
  return 0;
}
int32_t aoti_torch_delete_cuda_stream_guard(void* guard) { return guards--, guard != &guards; }
int32_t aoti_torch_cuda_caching_allocator_raw_alloc(uint64_t bytes, void** out) {
  if (bytes > room) return 1;
  return used = current, live++, (*out = malloc(bytes)) == NULL;
}
#ifndef OLDER
int32_t aoti_torch_cuda_caching_allocator_raw_delete(void* data) { return free(data), live--, 0; }
#endif
"""

WITH_FAKE = """
import ctypes, sys
import tenon
from tenon import _raw, _torch_native
library, allocator = _torch_native._opened()[0], _raw.tenon_allocator()
assert library.tenon_torch_allocator(ctypes.byref(allocator)), "it is not loaded yet"
assert "has not loaded LibTorch's part for CUDA" in library.tenon_torch_message().decode()
fake = ctypes.CDLL(sys.argv[1])
"""


@pytest.fixture
def fake_cuda_of_torch(tmp_path):
    """Runs a program after WITH_FAKE, with a stand-in for libtorch_cuda.so that has the allocator's functions."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("missing: a C compiler, cc")

    def build(name, *options):
        folder = tmp_path / name
        folder.mkdir()
        subprocess.run([compiler, "-shared", "-fPIC", "-Wl,-soname,libtorch_cuda.so", *options, "-x", "c", "-", "-o",
                        folder / "libtorch_cuda.so"], input=FAKE, text=True, check=True)
        return folder / "libtorch_cuda.so"

    older, newer = build("older", "-DOLDER"), build("newer")

    def run(text, library):
        made = subprocess.run([sys.executable, "-c", WITH_FAKE + text, library], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        return made.stdout

    return run, older, newer


def test_the_allocator_is_pytorchs_on_the_stream_of_the_request(fake_cuda_of_torch):
    """Here with a stand-in for LibTorch's part for CUDA; test_torch_calls.py has the real one, on a GPU."""
    run, _, newer = fake_cuda_of_torch
    run("""if True:
        assert library.tenon_torch_allocator(ctypes.byref(allocator)) == 0
        number = lambda name: ctypes.c_int32.in_dll(fake, name).value
        used = lambda: ctypes.c_void_p.in_dll(fake, "used").value
        data = ctypes.c_void_p()
        allocate = lambda bytes, stream, kind=2, index=1: allocator.allocate(
            None, kind, index, bytes, stream, ctypes.byref(data))
        assert allocate(4096, 0x1234) == 0 and data.value
        assert (number("guards"), number("device"), number("live"), used()) == (0, 1, 1, 0x1234)
        allocator.deallocate(None, 2, 1, data, 4096, 0x1234)
        assert number("live") == 0
        assert allocate(16, 1) == 0 and used() is None, "CUDA's legacy stream is PyTorch's 0"
        allocator.deallocate(None, 2, 1, data, 16, 1)
        assert allocate(1 << 30, 5) and number("guards") == 0, "no memory: the stream is PyTorch's again"
        assert allocate(16, 5, index=7) and allocate(16, 5, kind=1) and number("live") == 0
        """, newer)


def test_an_allocator_without_its_functions_is_refused(fake_cuda_of_torch):
    run, older, _ = fake_cuda_of_torch
    assert run("""if True:
        try: _torch_native.use_allocator(tenon.Device("cpu:0"))
        except tenon.MissingLibrary as error: print(error)
        """, older) == ("the LibTorch of this process has no aoti_torch_cuda_caching_allocator_raw_delete: PyTorch 2.9 or "
                        "later is needed\n")
