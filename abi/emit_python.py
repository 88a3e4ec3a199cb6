"""abi/emit_python.py: writes the constants and structs of the C interface for ctypes, and the function rows of the
compiled module."""
from __future__ import annotations

import re

from emit_c import WIDTH, fill, noted, wrap
from model import Enumeration, Model, Record, Type

CONSTANTS = '''\
"""The constants of the C interface. Derived from the headers by abi/generate.py.

The structs and callbacks of _structs are attributes of this module, too, which imports them, with ctypes, when one is
first used. The functions are in tenon._core.
"""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._structs import *  # noqa: F403


def __getattr__(name: str) -> object:
    if not name.startswith("tenon_"):
        raise AttributeError(f"the C interface has no constant {name}")
    from . import _structs

    value = globals()[name] = getattr(_structs, name)
    return value

'''

STRUCTS = '''\
"""The structs and callbacks of the C interface in ctypes. Derived from the headers by abi/generate.py.

The functions of tenon._core take these structs directly or by ctypes.byref. Creating a struct sets its struct_size:
tenon_launch(grid=(4, 1, 1)). To pass NULL for a callback, call its type without arguments.
"""
import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_char_p, c_double, c_float, c_int8, c_int16, c_int32, c_int64,
                    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)
'''

# Functions that return too quickly to be worth releasing the GIL, and that make no callbacks.
QUICK = frozenset('''
    array_broadcast array_get_info array_index array_reshape array_retain array_slice array_transpose array_view
    blob_data dtype_bits dtype_name error_batch_index error_clear error_last error_last_message error_log error_message
    error_native error_release error_retain error_status status_name stream_default stream_native version
'''.split())

SIZED = '''

class _Sized(Structure):
    """A struct that starts with its own size."""

    def __init__(self, **fields: object) -> None:
        super().__init__(struct_size=ctypes.sizeof(self), **fields)
'''


def of(type: Type) -> str:
    """The ctypes type for a C type."""
    if type.kind == "void":
        return "None"
    if type.kind == "scalar":
        return "c_" + type.name.removesuffix("_t")
    if type.kind == "array":
        return f"{of(type.target)} * {type.count}"
    if type.kind != "pointer":
        return type.name
    if type.target.name == "char":
        return "c_char_p"
    return "c_void_p" if type.target.kind in ("void", "opaque") else f"POINTER({of(type.target)})"


def of_callback(type: Type) -> str:
    """The same in a callback. Callbacks are declared before the structs that may contain them, so structs are passed as
    addresses."""
    return "c_void_p" if type.kind == "pointer" and type.target.kind == "record" else of(type)


def tuple_of(items: list[str]) -> str:
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"


def docstring(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = "\n".join(fill(escaped, "    ", WIDTH - 2 * len('"""')))
    return f'    """{lines.lstrip()}"""\n' if text else ""


def record(item: Record) -> str:
    base = "Union" if item.union else "_Sized" if item.sized else "Structure"
    fields = "".join(noted(f'        ("{f.name}", {of(f.type)}),', f.doc) for f in item.fields)
    return f"\n\nclass {item.name}({base}):\n{docstring(item.doc)}    _fields_ = (\n{fields}    )\n"


def function_rows(model: Model) -> str:
    """abi/python/core/generated_functions.inc: the name, whether the function is quick, and the text for help()."""
    text = "// FUNCTION(name, quick, doc) for every function. Derived from the headers (abi/README.md).\n"
    for item in model.functions:
        escaped = f"{item.c(item.name)}\n\n{item.doc}".replace("\\", "\\\\").replace('"', '\\"')
        pieces = re.findall(r".{1,110}(?:\s+|$)", escaped)
        lines = "".join('\n  "' + piece.replace("\n", "\\n") + '"' for piece in pieces)
        text += f"FUNCTION({item.slot}, {'true' if item.slot in QUICK else 'false'},{lines})\n"
    return text


def constants(model: Model) -> str:
    return CONSTANTS + "\n" + "".join(noted(f"{one.name} = {one.literal.removesuffix('u')}", one.doc) for one in model.constants)


def structs(model: Model) -> str:
    text = STRUCTS
    for item in model.callbacks:
        types = [of(item.result)] + [of_callback(p.type) for p in item.parameters]
        text += "\n" + "".join(f"{line}\n" for line in fill(item.doc, "# "))
        text += wrap(f"{item.name} = CFUNCTYPE(", types, ")") + "\n"
    text += SIZED + "".join(record(r) for r in model.records)
    return text


def enumerations(model: Model) -> str:
    """Enumerations of the constants, for annotations and readable values, in a separate module, which costs nothing
    unless it is imported."""
    text = '''"""The constants of the C interface as enumerations: SvdMode.FULL, ContextFlags.

Derived from the headers by abi/generate.py. The values are those of _raw, and can be passed wherever it takes an int. A
newer library may return values that are not listed here.
"""
import enum

from . import _raw
'''
    for item in model.enumerations:
        base = "IntFlag" if item.flags else "IntEnum"
        members = "".join(f"    {item.short(c)} = _raw.{c.name}\n" for c in item.members)
        text += f"\n\nclass {class_name(item)}(enum.{base}):\n{members}"
    return text


def class_name(item: Enumeration) -> str:
    return item.name.title().replace("_", "") + ("Flags" if item.flags and not item.name.endswith("_FLAG") else "")


def layout_test(model: Model) -> str:
    rows = "".join(f'    ("{r.name}", {r.size}, {tuple_of([f"{f.offset}" for f in r.fields])}),\n' for r in model.records)
    return f'''"""Structs in ctypes are laid out as in C. Derived from the headers by abi/generate.py."""
import ctypes
import importlib.util

import pytest

from conftest import ROOT

STRUCTS = ROOT / "abi/python/tenon/_structs.py"

# Name, size, offsets of the fields.
RECORDS = (
{rows})


@pytest.fixture(scope="module")
def raw():
    """The raw layer by itself: no library is opened."""
    spec = importlib.util.spec_from_file_location("tenon_structs", STRUCTS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name, size, offsets", RECORDS, ids=[row[0] for row in RECORDS])
def test_struct_is_laid_out_as_in_c(raw, name, size, offsets):
    record = getattr(raw, name)
    assert ctypes.sizeof(record) == size
    assert tuple(getattr(record, field[0]).offset for field in record._fields_) == offsets


def test_struct_knows_its_size(raw):
    assert raw.tenon_launch(grid=(4, 1, 1)).struct_size == ctypes.sizeof(raw.tenon_launch)
'''
