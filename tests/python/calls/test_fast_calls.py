"""Calls that run compiled do what the same calls do in Python: results, messages, writes that PyTorch counts."""

import contextlib
import types

import numpy
import pytest

import tenon
from tenon import _compute, _fft, _functions, _like, _linalg, _operators, _reductions
from tenon._library import core

from conftest import KERNELS, run_python

SOURCE = '''
extern "C" __global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
extern "C" __global__ void bytes(const void* x, unsigned char* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = ((const unsigned char*)x)[i];
}
extern "C" __global__ void conjugate(const float2* x, float2* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = make_float2(x[i].x, -x[i].y);
}'''


def outcome(call):
    """What the call gives: a value, or the class and the text of its exception."""
    try:
        made = call()
    except Exception as error:
        return type(error), str(error)
    there = hasattr(made, "tolist") and not getattr(made, "is_meta", False)
    return type(made), repr(made.tolist() if there else made)  # a NaN equals itself


# --- arrays ----------------------------------------------------------------------------------------------------------

@pytest.fixture
def both(monkeypatch):
    """The outcomes of a call as it is, and with everything in Python."""
    nothing = types.SimpleNamespace(**{name: getattr(core, name) for name in dir(core)})
    nothing.on_tensors = lambda *_: NotImplemented
    for name in ("unary", "binary", "reduce", "matmul", "fft"):
        setattr(nothing, name, lambda *_: None)

    def run(call):
        compiled = outcome(call)
        with monkeypatch.context() as patch:
            for module in (_compute, _operators, _linalg, _fft, _like):
                patch.setattr(module, "core", nothing)
            core.direct_calls(False)
            try:
                return compiled, outcome(call)
            finally:
                core.direct_calls(True)

    return run


OPERANDS = {"int": 3, "float": 0.5, "bool": True, "complex": 1j, "huge": 2**70, "NumPy's": numpy.float64(0.5),
            "list": [1, 2, 3], "text": "x", "none": None, "vector": [1.0, 2.0, 3.0], "column": [[1.0], [2.0]], "other shape": [1.0, 2.0]}


@pytest.mark.parametrize("kind", OPERANDS)
def test_operators_of_arrays_are_those_in_python(both, device, kind):
    a = tenon.asarray(numpy.arange(6.0).reshape(2, 3), device=device, copy=True)
    other = OPERANDS[kind]
    if isinstance(other, list):
        other = tenon.asarray(numpy.array(other), device=device, copy=True)
    for call in (lambda: a + other, lambda: other - a, lambda: a < other, lambda: a ** other, lambda: a @ other):
        compiled, python = both(call)
        assert compiled == python


def test_an_array_of_integers_and_an_integer_that_no_dtype_holds_are_an_error():
    with pytest.raises(OverflowError, match="does not fit any integer dtype"):
        tenon.zeros(3, dtype="int64") + 2**70
    assert (tenon.zeros(3) + 2**70).tolist() == [2.0**70] * 3


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (), (0, 0), 2, -3, 1.5, "x", [0, 1], True, numpy.int64(1),
                                  2**40])
@pytest.mark.parametrize("keepdims", [False, True, 1])
def test_reductions_are_those_in_python(both, device, axis, keepdims):
    a = tenon.asarray(numpy.arange(6).reshape(2, 3), dtype="int32", device=device, copy=True)
    for function in (tenon.sum, tenon.max, tenon.argmax, tenon.var):
        compiled, python = both(lambda: function(a, axis=axis, keepdims=keepdims))
        assert compiled == python


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int32", "int8", "bool"])
@pytest.mark.parametrize("shapes", [((2, 3), (3, 2)), ((4, 2, 3), (3, 2)), ((3,), (3, 2)), ((2, 3), (2, 3)),
                                    ((0, 3), (3, 2)), ((), (2, 2))])
def test_products_are_those_in_python(both, device, dtype, shapes):
    hosts = ((numpy.arange(numpy.prod(shape, dtype=int)) % 3).reshape(shape).astype(dtype) for shape in shapes)
    a, b = (tenon.asarray(host, device=device, copy=True) for host in hosts)
    compiled, python = both(lambda: tenon.matmul(a, b))
    assert compiled == python
    compiled, python = both(lambda: tenon.matmul(b.T, a.T) if min(a.ndim, b.ndim) == 2 else a)
    assert compiled == python


@pytest.mark.parametrize("dtype", ["float32", "complex128", "float16", "int32"])
@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": 7}, {"norm": "ortho"}, {"norm": "none"}, {"n": 5},
                                     {"axis": 1.0}])
def test_transforms_are_those_in_python(both, device, dtype, options):
    x = tenon.asarray(numpy.arange(8).reshape(2, 4).astype(dtype), device=device, copy=True)
    for function in (tenon.fft, tenon.ifft):
        for array in (x, x.T, x[:, :0]):
            compiled, python = both(lambda: function(array, **options))
            assert compiled == python


def functions_that_are_direct():
    names = {name for module in (_functions, _reductions) for name, one in vars(module).items()
             if callable(one) and getattr(one, "__module__", "") == module.__name__ and not name.startswith("_")}
    return sorted(name for name in names if _like._direct(getattr(tenon, name).__wrapped__))


@pytest.mark.parametrize("name", functions_that_are_direct())
def test_functions_of_the_table_are_those_in_python(both, device, name):
    """With arrays and with tensors, numbers among the operands, axes, and dtypes that a function does not take."""
    function, kinds = getattr(tenon, name), ["float32", "int32", "complex64", "bool"]
    for dtype in kinds:
        x, y = (tenon.asarray([[1, 0, 3], [2, 1, 2]]).astype(dtype).to_device(device) for _ in range(2))
        calls = [lambda: function(x), lambda: function(x, y), lambda: function(x, 2), lambda: function(0.5, y),
                 lambda: function(x, (0, 1)), lambda: function(x, -1), lambda: function(x, True), lambda: function(2, 2)]
        for call in calls if dtype == "float32" else calls[:3]:
            compiled, python = both(call)
            assert compiled == python
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = torch.tensor([[1.0, 0, 3], [2, 1, 2]], device=device.name.replace("cpu:0", "cpu"))
    calls = [lambda: function(x), lambda: function(x.T, 1), lambda: function(x, 0.5), lambda: function(x, (0, 1))]
    if not hasattr(_reductions, name):  # whose second argument is an axis
        calls += [lambda: function(x, x), lambda: function(x, tenon.asarray(x)), lambda: function(x.T, x.T)]
    for call in calls:
        compiled, python = both(call)
        assert compiled == python
    x.requires_grad_()
    compiled, python = both(calls[0])
    assert compiled == python


def test_most_functions_of_the_table_are_direct():
    assert {"sum", "mean", "argmax", "sin", "add", "maximum", "logical_not", "equal"} <= {*functions_that_are_direct()}
    assert not {"cumulative_sum", "diff", "cumsum"} & {*functions_that_are_direct()}


def test_an_array_goes_to_its_own_device_as_it_is(device):
    a = tenon.zeros(3, device=device)
    assert a.to_device(device) is a and a.to_device(a.device) is a and a.to_device(str(device)) is a
    with pytest.raises(tenon.NotFound, match='there is no device "nowhere"'):
        a.to_device("nowhere")
    with pytest.raises(TypeError, match=r"Array\.to_device\(\) missing 1 required positional argument"):
        a.to_device()


# --- tensors ---------------------------------------------------------------------------------------------------------

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


class Tensor(torch.Tensor):
    pass


def sparse(x):
    return torch.eye(2).to_sparse()


KINDS = {
    "plain": lambda x: x, "parameter": lambda x: torch.nn.Parameter(x, requires_grad=False),
    "of two axes": lambda x: x.reshape(2, 4), "strided": lambda x: x.repeat(2)[::2],
    "transposed": lambda x: x.reshape(2, 4).T, "expanded": lambda x: x[:1].expand(8), "one element": lambda x: x[:1],
    "a row of one": lambda x: x.reshape(8, 1)[:, :1],
    "empty": lambda x: x[:0], "without axes": lambda x: x[0], "offset": lambda x: x.repeat(2)[8:],
    "float64": lambda x: x.double(), "int32": lambda x: x.int(), "complex": lambda x: torch.complex(x[:4], x[4:]),
    "requires a gradient": lambda x: x.requires_grad_(), "a result": lambda x: x.requires_grad_() * 1,
    "inference": lambda x: torch.inference_mode()(torch.clone)(x), "negated": torch._neg_view,
    "conjugated": lambda x: torch.complex(x[:4], x[4:]).conj(), "of a subclass": lambda x: x.as_subclass(Tensor),
    "sparse": sparse, "meta": lambda x: x.to("meta"),
    "quantized": lambda x: torch.quantize_per_tensor(x, 1.0, 0, torch.qint8),
    "an array": lambda x: tenon.asarray(x).copy(), "NumPy's": lambda x: x.cpu().numpy(), "a list": lambda x: x.tolist(),
    "a number": lambda x: 1.5, "text": lambda x: "x", "nothing": lambda x: None}


def values(device):
    return torch.arange(8, dtype=torch.float32, device=str(device).replace("cpu:0", "cpu"))


@pytest.fixture
def by_python():
    """PyTorch's tensors are asked through Python."""
    assert not core.torch_facts(False)
    yield
    core.torch_facts(True)


@pytest.mark.peers
@pytest.mark.parametrize("kind", KINDS)
def test_a_tensor_is_asked_the_same_by_python(by_python, device, kind):
    kernel, softplus = tenon.Kernel(SOURCE, "twice"), tenon.plugins.load(KERNELS / "elementwise").softplus
    kernel(1, 8, [values(device), values(device), 8])
    results = []
    for wanted in (True, False):
        if torch.__version__.startswith("2.13"):  # with others they may be missing
            assert core.torch_facts(wanted) == wanted
        x, y = KINDS[kind](values(device)), values(device).zero_()
        n = x.numel() if isinstance(x, torch.Tensor) else 0
        made = [outcome(lambda: call(x)) for call in (tenon.from_dlpack, softplus, tenon.sum)]
        with torch.no_grad():
            made += [outcome(lambda: tenon.from_dlpack(x)), outcome(lambda: kernel(1, 8, [x, y, min(n, 8)]))]
        results.append((made, y.tolist(), y._version))
    assert results[0] == results[1]


FIRST = {"no mode": "contextlib.nullcontext()", "inference mode": "torch.inference_mode()",
         "no_grad": "torch.no_grad()", "autocast": "torch.autocast('cpu', dtype=torch.bfloat16)",
         "a function mode": "FunctionMode()", "a default device": "torch.device('meta')",
         "a dispatch mode": "DispatchMode()",
         "forward mode": "torch.autograd.forward_ad.dual_level()"}


@pytest.mark.peers
@pytest.mark.parametrize("mode", FIRST)
def test_what_pytorch_is_asked_first_may_be_within_any_mode(mode):
    """Later calls do not ask by PyTorch's Python functions, which are counted here."""
    if not torch.__version__.startswith("2.13"):
        pytest.skip("with other versions they may have to be asked")
    done = run_python(f"""
import contextlib, torch, tenon
core, asked = torch._C._functorch, []
level = core.maybe_current_level
core.maybe_current_level = lambda: asked.append(1) or level()
class FunctionMode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), keywords=None): return function(*args, **(keywords or {{}}))
class DispatchMode(torch.utils._python_dispatch.TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), keywords=None): return function(*args, **(keywords or {{}}))
with {FIRST[mode]}:
    x = torch.ones(4, device="cpu")
    made = tenon.sum(x)
asked.clear()
for manager in (contextlib.nullcontext(), torch.inference_mode(), torch.no_grad()):
    with manager:
        assert type(tenon.sum(torch.ones(4))) is torch.Tensor and not asked, manager
with torch.autocast("cpu", dtype=torch.bfloat16):
    tenon.sum(torch.ones(4))
assert asked  # so that this test can fail
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.peers
@pytest.mark.parametrize("gradients", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_a_launch_takes_what_it_takes_in_python(device, kind, gradients):
    kernels = {name: tenon.Kernel(SOURCE, name) for name in ("twice", "bytes", "conjugate")}
    for name, kernel in kernels.items():
        for launch in (kernel, kernel.on(device)):
            results = []
            for call in (launch, launch._launch):
                x, y = KINDS[kind](values(device)), values(device).zero_()
                z = KINDS[kind](values(device))  # where it writes
                n = 0 if x is None else min(4, x.numel()) if isinstance(x, torch.Tensor) else 4
                if name == "conjugate":
                    y = torch.complex(y[:4], y[4:])
                elif name == "bytes":
                    y = y.view(torch.uint8)
                before = [getattr(one, "_version", None) if kind != "inference" else None for one in (x, y, z)]
                with contextlib.nullcontext() if gradients else torch.no_grad():
                    made = [outcome(lambda: call(1, 8, args)) for args in ([x, y, n], [x, z, n], (x, y))]
                after = [getattr(one, "_version", None) if kind != "inference" else None for one in (x, y, z)]
                results.append((made, y.tolist(), [None if a is None else b - a for a, b in zip(before, after)]))
            assert results[0] == results[1]


@pytest.mark.peers
def test_a_launch_with_tensors_writes_their_memory(device):
    kernel = tenon.Kernel(SOURCE, "twice")
    x, y = values(device), values(device)
    kernel(1, 8, [x, y, 8])
    kernel(1, 8, [y, y, 8])
    assert y.tolist() == [4.0 * i for i in range(8)] and y._version == 2 and x._version == 0
    mixed = tenon.zeros(8, "float32", device=device)
    kernel(1, 8, [y, mixed, 8])
    kernel(1, 8, [mixed, x, 8])
    assert mixed.tolist() == [8.0 * i for i in range(8)] and x.tolist() == [16.0 * i for i in range(8)]
    kernel.on(device)(1, 8, [x, y, 8], stream=tenon.Stream(device))
    device.synchronize()
    assert y.tolist() == [32.0 * i for i in range(8)]


@pytest.mark.peers
def test_an_address_that_the_dtype_does_not_allow_is_refused():
    memory = numpy.zeros(36, "uint8")
    x = torch.from_dlpack(memory)
    kernel = tenon.Kernel(SOURCE, "conjugate").on("cpu:0")
    x = x[4:].view(torch.float32)  # two of them, 8 bytes, are what the kernel reads at once
    odd = x if x.data_ptr() % 8 else x[1:]
    with pytest.raises(tenon.TenonError):
        kernel(1, 1, [odd, odd, 1])
    assert outcome(lambda: kernel(1, 1, [odd, odd, 1])) == outcome(lambda: kernel._launch(1, 1, [odd, odd, 1]))


@pytest.mark.peers
@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_tensors_are_those_in_python(both, device, kind):
    ones = tenon.ones(8, "float32", device=device)
    for function in (tenon.sum, tenon.exp, lambda x: tenon.add(x, 1), lambda x: tenon.maximum(x, ones), tenon.fft,
                     lambda x: tenon.matmul(x, x), lambda x: tenon.max(x, -1)):
        compiled, python = both(lambda: function(KINDS[kind](values(device))))
        assert compiled == python


@pytest.mark.peers
@pytest.mark.parametrize("kind", KINDS)
def test_operations_of_tensors_are_those_in_python(device, kind):
    softplus = tenon.plugins.load(KERNELS / "elementwise").softplus
    for _ in range(2):  # later calls with gradients are shorter
        compiled, python = (outcome(lambda: call(KINDS[kind](values(device)))) for call in (softplus, softplus._launch))
        assert compiled == python


@pytest.mark.peers
def test_what_pytorch_follows_is_not_taken_from_it(device):
    x = values(device)
    assert torch.func.vmap(tenon.matmul)(x.reshape(2, 2, 2), x.reshape(2, 2, 2)).shape == (2, 2, 2)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x.reshape(2, 4), torch.ones(2, 4, device=x.device))
        made = tenon.matmul(dual, x.reshape(4, 2))
        assert torch.autograd.forward_ad.unpack_dual(made).tangent is not None
    y = tenon.matmul(x.reshape(2, 4).requires_grad_(), x.reshape(4, 2))
    assert y.requires_grad and type(tenon.matmul(x.reshape(2, 4), x.reshape(4, 2))) is torch.Tensor
    from torch.fx.experimental.proxy_tensor import make_fx

    graph = make_fx(lambda a: tenon.matmul(a, a))(x.reshape(2, 2, 2))
    assert "tenon.matmul" in graph.code


# --- backward --------------------------------------------------------------------------------------------------------

GRADIENTS = '''
name = "fastgrad"
version = "1.0.0"
[op.scaled]
parameters = ["in T x", "in T w", "scalar T by = 2", "out T y"]
elementwise = "y = by * x * w"
gradient = "scaled_gradient"
[op.scaled_gradient]
parameters = ["in T x", "in T w", "in T grad_y", "scalar T by = 2", "out T grad_x", "out T grad_w"]
elementwise = "grad_x = by * w * grad_y; grad_w = by * x * grad_y"
gradient = "scaled_second"
[op.scaled_second]
parameters = ["in T x", "in T w", "in T grad_y", "in T grad_grad_x", "in T grad_grad_w", "scalar T by = 2",
  "out T grad_x", "out T grad_w", "out T grad_grad_y"]
elementwise = """grad_x = by * grad_y * grad_grad_w; grad_w = by * grad_y * grad_grad_x;
  grad_grad_y = by * (w * grad_grad_x + x * grad_grad_w)"""
'''


@pytest.fixture(scope="module", params=["torch.ops", "tenon.ops"])
def scaled(request):
    package = tenon.plugins.load_text(GRADIENTS)
    return tenon.torch.register(package).scaled if request.param == "torch.ops" else package.scaled


def leaves(device, *shapes):
    return [values(device)[:int(numpy.prod(shape))].reshape(shape).clone().requires_grad_() + 0 for shape in shapes]


def expected(x, w, by, grad):
    return torch.autograd.grad(by * x * w, (x, w), grad)


@pytest.mark.peers
@pytest.mark.parametrize("gradient", ["contiguous", "expanded", "transposed", "conjugate's part"])
@pytest.mark.parametrize("shapes", [((2, 4), (2, 4)), ((2, 4), (4,)), ((2, 1), (4,)), ((4,), (2, 4)), ((2, 4), (2, 1))])
def test_backward_is_that_of_the_formula(scaled, device, shapes, gradient):
    for by in (2.0, 3.0):
        x, w = leaves(device, *shapes)
        y = scaled(x, w, by)
        grad = {"contiguous": lambda: torch.ones_like(y), "expanded": lambda: y.new_ones(()).expand(y.shape),
                "transposed": lambda: (y.T.contiguous() + 1).detach().T,
                "conjugate's part": lambda: torch.complex(y, y).detach().conj().imag}[gradient]()
        for _ in range(2):
            made = torch.autograd.grad(y, (x, w), grad, retain_graph=True)
            for one, other in zip(made, expected(x, w, by, grad)):
                assert one.shape == other.shape and torch.equal(one, other)


@pytest.mark.peers
def test_backward_gives_what_is_needed(scaled, device):
    x, w = leaves(device, (4,), (4,))
    (of_x,) = torch.autograd.grad(scaled(x, w.detach(), 2.0).sum(), x)
    (of_w,) = torch.autograd.grad(scaled(x.detach(), w).sum(), w)
    assert torch.equal(of_x, 2 * w) and torch.equal(of_w, 2 * x)
    x, w = (one.detach().requires_grad_() for one in (x, w))
    scaled(x, w).sum().backward()
    scaled(x, w).sum().backward()
    assert torch.equal(x.grad, 4 * w)


@pytest.mark.peers
def test_backward_runs_hooks_and_is_recorded_when_asked(scaled, device):
    x, w = leaves(device, (4,), (4,))
    packed = []
    with torch.autograd.graph.saved_tensors_hooks(lambda one: packed.append(one) or len(packed) - 1,
                                                  lambda at: packed[at] * 2):
        y = scaled(x, w)
    assert torch.equal(torch.autograd.grad(y.sum(), x)[0], 4 * w) and packed
    (first,) = torch.autograd.grad(scaled(x, w).sum(), x, create_graph=True)
    assert first.requires_grad and torch.equal(torch.autograd.grad(first.sum(), w)[0], torch.full_like(w, 2))
    y = scaled(x, w)
    with torch.no_grad():
        w.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@pytest.mark.peers
def test_backward_in_other_threads_and_without_leaks(scaled, device):
    import gc
    import threading
    import weakref

    kept, failures = [], []

    def work():
        try:
            for _ in range(50):
                x, w = leaves(device, (4,), (4,))
                y = scaled(x, w)
                made = torch.autograd.grad(y, (x, w), torch.ones_like(y))
                assert torch.equal(made[0], 2 * w)
            kept.append(weakref.ref(y))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert not failures and len(kept) == 4 and all(one() is None for one in kept)


@pytest.mark.peers
def test_backward_within_autocast_and_modes(device):
    scaled = tenon.torch.register(tenon.plugins.load_text(GRADIENTS)).scaled
    x, w = leaves(device, (4,), (4,))
    with torch.autocast(str(device).partition(":")[0], torch.bfloat16):
        y = scaled(x.bfloat16(), w)
        (of_w,) = torch.autograd.grad(y.sum(), w)
    assert y.dtype == torch.float32 and torch.equal(of_w, 2 * x)
    from torch.utils._python_dispatch import TorchDispatchMode

    seen = []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    y = scaled(x, w)
    with Watch():
        torch.autograd.grad(y, w, torch.ones_like(y))
    assert any("scaled_gradient" in one for one in seen)
