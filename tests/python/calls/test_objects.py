"""Every class of the package: copying, pickling, setting attributes, comparison, hashing, iteration, threads,
fork()."""

import copy
import gc
import inspect
import multiprocessing
import os
import pickle
import sys
import threading

import numpy
import pytest

import handles
import tenon
from conftest import run_python
from handles import BASES, CASES, FORKED, PICKLED, every_class

ALL = pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.__name__)
CONTAINERS = {tenon.Array: 4, tenon.Graph: 1, tenon.plugins.Package: None}


def made(kind):
    make, use = CASES[kind]
    return make(), use


def test_no_class_is_forgotten():
    assert every_class() - BASES <= CASES.keys()


@ALL
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: copy.deepcopy({"module": [one]})["module"][0]],
                         ids=["copy", "deepcopy", "nested"])
def test_a_copy_works_and_the_original_outlives_it(kind, copied):
    one, use = made(kind)
    expected = use(one)
    another = copied(one)
    assert use(another) == expected
    del another
    gc.collect()
    others = [CASES[kind][0]() for _ in range(3)]  # would reuse memory that was released too early
    assert use(one) == expected
    del others


def test_a_copy_of_an_array_has_memory_of_its_own():
    one = tenon.asarray(handles.numbers())
    for another in copy.copy(one), copy.deepcopy(one):
        another[:] = 9
        assert one.tolist() == [0, 1, 2, 3]


def test_a_copy_of_a_call_keeps_its_arguments():
    x, y = numpy.zeros(4, "float32"), numpy.zeros(4, "float32")
    call = handles.program()["add"].bind(1, 4, [x, 1.0])
    another = copy.copy(call)
    another[0] = y
    call()
    assert (x.tolist(), y.tolist()) == ([1] * 4, [0] * 4)


@ALL
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_pickles_by_recipe_or_says_why_not(kind, protocol):
    one, use = made(kind)
    if kind in PICKLED:
        again = pickle.loads(pickle.dumps(one, protocol))
        assert type(again) is kind and use(again) == use(one)
    else:
        with pytest.raises(TypeError, match="belong to the process that made them and cannot be pickled"):
            pickle.dumps(one, protocol)


def test_pickles_are_loaded_in_another_process(tmp_path):
    objects = {kind.__name__: CASES[kind][0]() for kind in PICKLED}
    path = tmp_path / "objects"
    path.write_bytes(pickle.dumps(objects))
    code = f"""
import pickle, sys
sys.path.insert(0, {str(os.path.dirname(handles.__file__))!r})
objects = pickle.load(open({str(path)!r}, "rb"))  # no package is loaded here yet, nor is tenon imported
import handles
print({{kind.__name__: handles.CASES[kind][1](objects[kind.__name__]) for kind in handles.PICKLED}})
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert eval(done.stdout, {"tenon": tenon}) == {kind.__name__: CASES[kind][1](objects[kind.__name__]) for kind in PICKLED}


def test_a_pickled_operation_is_of_the_same_content(tmp_path):
    directory = tmp_path / "other"
    directory.mkdir()
    contract = 'name = "other"\nversion = "1.0.0"\n[op.twice]\nparameters = ["in T x", "out T y"]\nelementwise = "y = 2 * x"\n'
    (directory / "plugin.toml").write_text(contract)
    package = tenon.plugins.load(directory)
    data = pickle.dumps(package["twice"])
    package.unload()
    (directory / "plugin.toml").write_text(contract.replace("2 * x", "3 * x"))
    with pytest.raises(tenon.TenonError, match="content hash"):
        pickle.loads(data)


@ALL
def test_attributes_are_read_only(kind):
    one, use = made(kind)
    expected = use(one)
    facts = [name for name in dir(kind) if not name.startswith("_") and inspect.isdatadescriptor(inspect.getattr_static(kind, name))]
    facts += [name for name in getattr(one, "__dict__", ()) if not name.startswith("_")]
    for name in [*facts, "something_new"]:
        with pytest.raises(AttributeError):
            setattr(one, name, 3)
        with pytest.raises(AttributeError):
            delattr(one, name)
    assert use(one) == expected


@pytest.mark.parametrize("name, instead", [("shape", "reshape"), ("dtype", "astype"), ("strides", "transpose")])
def test_errors_name_the_alternative_to_setting_an_attribute(name, instead):
    array = tenon.asarray(handles.numbers())
    for _ in range(2):  # before and after it was read
        with pytest.raises(AttributeError, match=f"Array.{name} cannot be set.*{instead}"):
            setattr(array, name, (2, 2))
        getattr(array, name)


@ALL
def test_is_equal_to_itself_and_hashed(kind):
    one, _ = made(kind)
    if kind is tenon.Array:
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
        return
    assert one == one and not one != one and hash(one) == hash(one) and one in [one] and one in {one}
    assert one != 3 and one != "something" and one is not None
    assert len({one, CASES[kind][0]()}) == (1 if kind in (tenon.Device, tenon.DType, handles.Parameter, tenon.plugins.Operation) else 2) \
        or kind is tenon.plugins.Operation


@ALL
def test_truth_length_and_iteration(kind):
    one, _ = made(kind)
    if kind is tenon.Array:
        with pytest.raises(ValueError, match="only an array with one element"):
            bool(one)
    else:
        assert bool(one)
    if kind in CONTAINERS:
        assert len(one) == len(list(one)) and len(one) == (CONTAINERS[kind] or len(one))
    else:
        with pytest.raises(TypeError, match="len"):
            len(one)
        with pytest.raises(TypeError, match="not iterable"):
            iter(one)
    assert "object at 0x" not in repr(one)


@pytest.mark.parametrize("other", [2.0, [1, 2, 3], numpy.ones(3), numpy.float32(1)], ids=str)
def test_arrays_compare_element_by_element(other):
    array, host = tenon.asarray([1.0, 2.0, 3.0]), numpy.array([1.0, 2.0, 3.0])
    assert (array == other).tolist() == (host == other).tolist() == (other == array).tolist()
    assert (array != other).tolist() == (host != other).tolist() == (other != array).tolist()
    assert tenon.sum(array == 2.0) == 1 and 2.0 in array and 5.0 not in array
    with pytest.raises(ValueError, match="only an array with one element"):
        bool(array == other)


@pytest.mark.parametrize("other", [None, "x"], ids=str)
def test_arrays_are_not_equal_to_other_objects(other):
    assert (tenon.ones(2) == other) is False and (tenon.ones(2) != other) is True


def test_tensors_compare_too():
    torch = pytest.importorskip("torch")
    assert (tenon.ones(3) == torch.ones(3)).tolist() == [True] * 3


def test_arrays_of_one_element_compare_as_numbers():
    total = tenon.sum(tenon.asarray([1.0, 2.0, 3.0]))
    assert total == 6 and 6 == total and total == tenon.asarray(6) and total == numpy.float64(6) and total == numpy.array(6.0)
    assert not total != 6 and total != 5 and total != tenon.asarray([5.0]) and total != None and total != "6"  # noqa: E711
    assert total / 3 == 2 and total > 5 and total + 1 == 7 and f"{total:.2f}" == "6.00"


@ALL
def test_four_threads_share_an_object(kind):
    if kind in (tenon.Call, tenon.plugins.BoundOperation, tenon.Graph, handles.Node):
        pytest.skip("one thread at a time, as documented")
    one, use = made(kind)
    expected, wrong = use(one), []

    def work():
        for _ in range(5):
            try:
                if use(copy.copy(one)) != expected:
                    wrong.append("another result")
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def in_child(function):
    """The result of the function in a child of fork(), or its error as text."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                answer = function()
            except BaseException as error:
                answer = f"{type(error).__name__}: {error}"
            os.write(writing, pickle.dumps(answer))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    return pickle.loads(data)


@ALL
def test_a_child_of_fork_uses_an_object_or_gets_an_error(kind):
    one, use = made(kind)
    expected = use(one)
    found = in_child(lambda: use(one))
    if kind in FORKED:
        assert found == expected
    else:
        assert isinstance(found, str) and "fork" in found, found
    assert use(one) == expected  # the parent still works


EQUAL = """
import os, tenon
first = tenon.Device("cpu:0")
tenon._device._devices.clear()  # as if it had been asked for by another name: "best"
second = tenon.Device("cpu:0")
assert first == second and first is not second
child = os.fork()
if not child:
    os._exit(0 if first.info["kind"] == second.info["kind"] == 1 else 9)
assert os.waitpid(child, 0)[1] == 0
"""


def test_a_child_of_fork_uses_each_of_two_equal_objects():
    done = run_python(EQUAL)
    assert done.returncode == 0, done.stderr


def test_a_child_of_fork_has_all_of_tenon_on_the_cpu():
    handles.package()
    a = tenon.asarray(numpy.eye(3) * 2)
    tenon.sum(a), tenon.inv(a), tenon.ops.elementwise.sigmoid(a)

    def work():
        b = tenon.asarray(numpy.eye(3) * 2, device="cpu:0")
        return [tenon.sum(b).item(), tenon.inv(b)[0, 0].item(), (b @ b)[1, 1].item(), tenon.ops.elementwise.sigmoid(b)[0, 1].item(),
                tenon.plugins.find("elementwise")["silu"](b)[0, 1].item(), tenon.Stream("cpu:0").query(), in_child(lambda: tenon.sum(b).tolist()),
                in_child(lambda: tenon.ones(3, device="cpu:0").tolist())]

    *found, stale, grandchild = in_child(work)
    assert found == [6, 0.5, 4, 0.5, 0, True] and "fork" in stale and grandchild == [1, 1, 1]


def test_a_package_from_memory_goes_with_a_child_and_an_unloaded_one_does_not(tmp_path):
    contract = 'name = "{}"\nversion = "1.0.0"\n[op.twice]\nparameters = ["in T x", "out T y"]\nelementwise = "y = 2 * x"\n'
    for name in "kept", "left":
        (tmp_path / name).mkdir()
        (tmp_path / name / "plugin.toml").write_text(contract.format(name))
    kept = tenon.plugins.load_bytes(tenon.plugins.pack(tmp_path / "kept"))
    left = tenon.plugins.load(tmp_path / "left")
    left.unload()
    try:
        assert in_child(lambda: tenon.ops.kept.twice(numpy.ones(2)).tolist()) == [2, 2]
        assert in_child(lambda: kept["twice"](numpy.ones(2)).tolist()) == [2, 2]
        assert "no package" in in_child(lambda: tenon.plugins.find("left"))
    finally:
        kept.unload()


def sums(values):
    return tenon.sum(tenon.asarray(values)).item()


def test_a_pool_of_forked_workers():
    tenon.sum(tenon.ones(3))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(sums, [numpy.ones(5), numpy.ones(7)]) == [5, 7]


def test_a_module_that_holds_an_operation_is_copied_and_saved(tmp_path):
    torch = pytest.importorskip("torch")
    operation = handles.package()["softplus"]

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.operation, self.kernel = operation, tenon.Kernel(handles.SOURCE, "add")
            self.scale = tenon.elementwise("T x", "T y", "y = 2 * x")

        def forward(self, x):
            return self.operation(x)

    module, x = Module(), torch.ones(3)
    expected = module(x)
    average = copy.deepcopy(module)
    assert torch.equal(average(x), expected)
    del average
    gc.collect()
    assert torch.equal(module(x), expected)
    sys.modules[__name__].Module, Module.__qualname__ = Module, "Module"
    torch.save(module, tmp_path / "module.pt")
    assert torch.equal(torch.load(tmp_path / "module.pt", weights_only=False)(x), expected)


def test_the_default_device():
    best = tenon.Device("best")
    assert tenon.default_device() == best == tenon.zeros(1).device
    with tenon.device("cpu:0") as cpu:
        assert cpu == tenon.Device("cpu:0") == tenon.default_device()
        for made in (tenon.zeros(1), tenon.asarray([1.0]), tenon.arange(3), tenon.eye(2), tenon.linspace(0, 1, 3),
                     tenon.full(2, 1.0), tenon.random.Generator(1).uniform(3), tenon.Stream(), tenon.Graph()):
            assert made.device == cpu
        assert tenon.zeros(1, device=best).device == best  # an explicit device wins
        seen = []
        thread = threading.Thread(target=lambda: seen.append(tenon.default_device()))
        thread.start()
        thread.join()
        assert seen == [best]
        with pytest.raises(ZeroDivisionError), tenon.device(best):
            assert tenon.default_device() == best
            raise ZeroDivisionError
        assert tenon.default_device() == cpu
    assert tenon.default_device() == best
    tenon.set_default_device("cpu:0")
    try:
        thread = threading.Thread(target=lambda: seen.append(tenon.zeros(1).device))
        thread.start()
        thread.join()
        assert seen[1] == tenon.zeros(1).device == tenon.Device("cpu:0")
        with tenon.device(best):
            assert tenon.zeros(1).device == best
    finally:
        tenon.set_default_device(None)
    assert tenon.default_device() == best
    for wrong in (3, "gpu:7", int):
        with pytest.raises((TypeError, LookupError, tenon.TenonError)), tenon.device(wrong):
            pass
