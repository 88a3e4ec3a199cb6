"""All operations of Tenon's packages, recorded in a graph: a launch uses the inputs' contents at that time, also for
strided inputs, whose contiguous copies must thus be part of the graph."""


import numpy
import pytest

import tenon
from conftest import KERNELS, on

PACKAGES = sorted(path.parent.name for path in KERNELS.glob("*/plugin.toml"))
OPERATIONS = [(package, one["name"]) for package in PACKAGES for one in tenon.plugins.check(KERNELS / package)["operations"]]
EXTENTS = {"h": 6, "w": 7, "kh": 3, "kw": 3, "height": 9, "width": 5}
SCALARS = {"height": 9, "width": 5, "rank": 4, "low": 0.2, "high": 0.8, "bins": 7,
           "matrix": [0.9, 0.2, 0.5, -0.1, 1.1, 1.0]}


@pytest.fixture(scope="module")
def packages():
    return {name: tenon.plugins.load(KERNELS / name) for name in PACKAGES}


def shape_of(parameter, shapes):
    rule = parameter["shape"]
    if isinstance(rule, dict):
        return shapes[rule["like"]]
    if not isinstance(rule, list):
        return (2, 6, 7)
    return tuple(extent for word in rule for extent in ((2,) if word == "..." else (EXTENTS.get(word) or int(word),)))


def arguments(operation, random):
    """Inputs with gaps between their elements, as views and as the arrays that contain them; and the scalars without a
    default."""
    views, bases, shapes = {}, {}, {}
    for one in operation.description["parameters"]:
        name = one["name"]
        if one["role"] in ("in", "inout"):
            shapes[name] = shape_of(one, shapes)
            dtype = operation.description["types"].get(one["type"], [one["type"]])[0]
            bases[name] = random.uniform(0.1, 0.9, tuple(2 * extent for extent in shapes[name])).astype(dtype)
            views[name] = tuple(slice(None, None, 2) for _ in shapes[name])
        elif one["role"] == "scalar" and ("default" not in one or name in SCALARS):
            bases[name] = SCALARS[name]
    return views, bases


@pytest.mark.parametrize("package, name", OPERATIONS)
def test_every_operation_is_recorded_completely(device, packages, random, package, name):
    operation = packages[package][name]
    strided = all(one.get("packed") or one.get("strided") or one["role"] != "in" for one in operation.description["parameters"])
    strided = strided or all(step["kind"] != "kernel" for step in operation.description["steps"])
    views, bases = arguments(operation, random)

    def inputs():
        made = {key: on(device, value) if key in views else value for key, value in bases.items()}
        if strided:
            return made, {key: value[views[key]] if key in views else value for key, value in made.items()}
        made.update({key: on(device, numpy.ascontiguousarray(bases[key][view])) for key, view in views.items()})
        return made, made

    held, given = inputs()
    outputs = operation(**given)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    with tenon.Graph(device) as graph:
        operation(**given, out=outputs if len(outputs) > 1 else outputs[0], stream=graph)
    for key in views:  # other numbers in the same memory
        bases[key] = random.uniform(0.1, 0.9, bases[key].shape).astype(bases[key].dtype)
        held[key][...] = on(device, bases[key] if strided else numpy.ascontiguousarray(bases[key][views[key]]))
    for one in outputs:
        one.fill(77)
    graph.launch()
    expected = operation(**inputs()[1])
    expected = expected if isinstance(expected, tuple) else (expected,)
    for is_, wanted in zip(outputs, expected):
        assert numpy.array_equal(is_.numpy(), wanted.numpy(), equal_nan=True)
