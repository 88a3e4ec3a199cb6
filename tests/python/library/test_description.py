"""abi/generated/tenon.json is sufficient to call the library: a binding generated from it alone works, and everything
that it names exists."""
import ctypes
import json
import os
from pathlib import Path

import pytest

from conftest import ROOT

TENON = json.loads((ROOT / "abi/generated/tenon.json").read_text())
FUNCTIONS = {f["name"]: f for f in TENON["functions"]}
STRUCTS = {s["name"]: s for s in TENON["structs"]}
ENUMERATIONS = {e["name"]: {v["name"]: v["value"] for v in e["values"]} for e in TENON["enumerations"]}
SCALARS = {f"{u}int{n}_t": getattr(ctypes, f"c_{u}int{n}") for u in ("", "u") for n in (8, 16, 32, 64)} | {
    "float": ctypes.c_float, "double": ctypes.c_double, "char": ctypes.c_char}


def users():
    """Every parameter and field, with the names to which its TENON_LENGTH may refer."""
    for item in TENON["functions"] + TENON["callbacks"]:
        for parameter in item["parameters"]:
            yield f"{item['name']}({parameter['name']})", parameter, [p["name"] for p in item["parameters"]]
    for item in TENON["structs"]:
        for field in item["fields"]:
            yield f"{item['name']}.{field['name']}", field, [f["name"] for f in item["fields"]]


def test_what_is_named_exists():
    for name, item, siblings in users():
        for key in ("enum", "flags"):
            assert key not in item or item[key] in ENUMERATIONS, name
        assert "length" not in item or item["length"].isdigit() or item["length"] in siblings, name
    for handle in TENON["handles"]:
        assert handle["retain"] in FUNCTIONS and handle["release"] in FUNCTIONS
        assert handle["kind"] in ENUMERATIONS["HANDLE"]


def test_annotations_are_in_the_description():
    options = {f["name"]: f for f in STRUCTS["tenon_program_options"]["fields"]}
    assert options["mode"]["enum"] == "PROGRAM_MODE" and options["flags"]["flags"] == "PROGRAM_FLAG"
    assert options["kernels"] | {"nullable": True, "text": True, "length": "kernel_count"} == options["kernels"]
    assert options["reserved"]["reserved"]
    info = {f["name"]: f for f in STRUCTS["tenon_array_info"]["fields"]}
    assert info["shape"] | {"borrowed": "array", "length": "rank"} == info["shape"]
    create = FUNCTIONS["tenon_array_create"]
    assert create["parameters"][-1] | {"out": True, "owned": True} == create["parameters"][-1]
    assert create["since"] == "1.0" and create["returns"]["status"] and create["doc"]
    assert STRUCTS["tenon_launch"]["struct_sizes"] == [STRUCTS["tenon_launch"]["size"]]


@pytest.fixture(scope="module")
def library():
    path = os.environ.get("TENON_LIBRARY", str(ROOT / "build/src/api/libtenon.so.1"))
    if not Path(path).exists():
        pytest.skip("the library is not built")
    return ctypes.CDLL(path)


def of(type):
    """The ctypes type for a type in the description."""
    if type["kind"] == "scalar":
        return SCALARS[type["name"]]
    if type["kind"] == "record":
        return record(type["name"])
    if type["kind"] == "array":
        return of(type["target"]) * type["count"]
    return None if type["kind"] == "void" else ctypes.c_void_p


def record(name):
    described = STRUCTS[name]
    base = ctypes.Union if described.get("union") else ctypes.Structure
    made = type(name, (base,), {"_fields_": [(f["name"], of(f["type"])) for f in described["fields"]]})
    assert ctypes.sizeof(made) == described["size"], name
    for field in described["fields"]:
        assert (getattr(made, field["name"]).offset, getattr(made, field["name"]).size) \
            == (field["offset"], field["size"])
    return made


def test_every_function_is_exported(library):
    assert all(hasattr(library, name) for name in FUNCTIONS)


def test_every_struct_is_laid_out_as_described():
    for name in STRUCTS:
        record(name)


def test_a_binding_generated_from_it_alone_works(library):
    def call(name, *arguments):
        described = FUNCTIONS[name]
        function = getattr(library, name)
        function.argtypes = [of(p["type"]) for p in described["parameters"]]
        function.restype = of(described["returns"])
        status = function(*arguments)
        assert not described["returns"].get("status") or status == ENUMERATIONS["STATUS"]["TENON_OK"]
        return status

    assert call("tenon_version") >> 16 == int(TENON["version"].split(".")[0])
    device, array = ctypes.c_void_p(), ctypes.c_void_p()
    call("tenon_context_device", None, b"cpu:0", ctypes.byref(device))
    shape = (ctypes.c_int64 * 2)(3, 4)
    call("tenon_array_zeros", device, ENUMERATIONS["DTYPE"]["TENON_FLOAT32"], 2, shape, None, ctypes.byref(array))
    info = record("tenon_array_info")(struct_size=STRUCTS["tenon_array_info"]["size"])
    call("tenon_array_get_info", array, ctypes.byref(info))
    assert (info.rank, info.size, info.bytes) == (2, 12, 48)
    assert info.device_kind == ENUMERATIONS["DEVICE"]["TENON_DEVICE_CPU"]
    kind = ctypes.c_int32()
    call("tenon_handle_kind", array, ctypes.byref(kind))
    assert kind.value == ENUMERATIONS["HANDLE"]["TENON_HANDLE_ARRAY"]
    for handle, name in ((array, "tenon_array"), (device, "tenon_device")):
        call(next(h["release"] for h in TENON["handles"] if h["name"] == name), handle)


def test_the_enumerations_of_python_have_the_values_of_the_headers():
    from tenon import _enumerations
    by_lower = {name.lower(): name for name in dir(_enumerations)}
    for enumeration in TENON["enumerations"]:
        name = enumeration["name"].lower().replace("_", "")
        made = getattr(_enumerations, by_lower.get(name) or by_lower[name + "flags"])
        assert {enumeration["prefix"] + member.name: int(member) for member in made} \
            == ENUMERATIONS[enumeration["name"]]
