"""abi/emit_rust.py: abi/rust/tenon-sys/src/lib.rs, the C interface as Rust declarations."""
from __future__ import annotations

from emit_c import fill, wrap
from model import Callback, Enumeration, Field, Function, Model, Opaque, Parameter, Record, Type

HEAD = """\
//! The C interface of Tenon. Derived from the headers by abi/generate.py.
//!
//! Every call is unsafe: the C headers say what must hold. A handle is a raw pointer to an opaque type; who gives back
//! which reference is said at each function. `new()` of a struct sets its `struct_size` and leaves every other field zero,
//! the default.
#![no_std]
#![allow(non_camel_case_types, clippy::too_many_arguments)]

use core::ffi::{c_char, c_void};
use core::marker::{PhantomData, PhantomPinned};
"""

SCALARS = {"float": "f32", "double": "f64", "char": "c_char"}
WORDS = {"type", "ref", "match", "move", "mod", "fn", "in", "self", "use", "where", "loop", "impl", "trait", "box", "dyn"}


def of(type: Type) -> str:
    if type.kind == "void":
        return "c_void"
    if type.kind == "scalar":
        return SCALARS.get(type.name) or ("u" if type.name[0] == "u" else "i") + type.name.strip("uint_")
    if type.kind == "array":
        return f"[{of(type.target)}; {type.count}]"
    if type.kind == "pointer":
        return f"*{'const' if type.target.const else 'mut'} {of(type.target)}"
    return type.name


def name_of(name: str) -> str:
    return f"r#{name}" if name in WORDS else name


def comment(text: str, indent: str = "") -> str:
    """Rustdoc. Brackets would be read as links."""
    lines = fill(text.replace("[", "\\[").replace("]", "\\]"), f"{indent}/// ") if text else []
    return "".join(f"{line}\n" for line in lines)


def alias(enumeration: str, flags: bool) -> str:
    """The name of the type of an enumeration's constants, which is no struct's: tenon_memory_constant,
    tenon_context_flags."""
    if enumeration == "DTYPE":
        return "tenon_dtype"
    return f"tenon_{enumeration.lower().removesuffix('_flag')}_{'flags' if flags else 'constant'}"


def typed(item: Parameter | Field) -> str:
    """Its type; where it takes constants, by the name of their enumeration."""
    name = item.enum or item.flags
    base = of(item.type)
    if not name or name == "STATUS":
        return base
    scalar = item.type.target if item.type.kind in ("pointer", "array") else item.type
    return base.replace(of(scalar), alias(name, bool(item.flags)))


def enumeration(item: Enumeration) -> str:
    kind = "u32" if any(c.unsigned for c in item.constants) else "i32"
    doc = f"Bits `{item.prefix}*`, combined." if item.flags \
        else f"One of `{item.prefix}*`; later versions may add values."
    return "" if item.name == "STATUS" else f"\n/// {doc}\npub type {alias(item.name, item.flags)} = {kind};\n"


def parameters_of(parameters: list[Parameter]) -> list[str]:
    return [f"{name_of(p.name)}: {typed(p)}" for p in parameters]


def result_of(type: Type) -> str:
    return "" if type.kind == "void" else f" -> {of(type)}"


def opaque(item: Opaque) -> str:
    return f"""
{comment(item.doc)}#[repr(C)]
pub struct {item.name} {{
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}}
"""


def callback(item: Callback) -> str:
    return f"\n{comment(item.doc)}pub type {item.name} =\n" + wrap(
        "    Option<unsafe extern \"C\" fn(", parameters_of(item.parameters), f"){result_of(item.result)}>;") + "\n"


def record(item: Record) -> str:
    fields = "".join(comment(f.doc, "    ") + f"    pub {name_of(f.name)}: {typed(f)},\n" for f in item.fields)
    text = (f"\n{comment(item.doc)}#[repr(C)]\n#[derive(Clone, Copy)]\n"
            f"pub {'union' if item.union else 'struct'} {item.name} {{\n{fields}}}\n")
    if not item.union:
        size = "        zero.struct_size = core::mem::size_of::<Self>() as u32;\n" if item.sized else ""
        text += f"""
impl {item.name} {{
    pub fn new() -> Self {{
        let {"mut " if size else ""}zero: Self = unsafe {{ core::mem::zeroed() }};
{size}        zero
    }}
}}

impl Default for {item.name} {{
    fn default() -> Self {{
        Self::new()
    }}
}}
"""
    return text


def function(item: Function) -> str:
    return comment(item.doc, "    ") + wrap(f"    pub fn {item.name}(", parameters_of(item.parameters),
                                            f"){result_of(item.result)};") + "\n"


def table(model: Model) -> str:
    rows = "".join(wrap(f"    pub {f.slot}: unsafe extern \"C\" fn(", parameters_of(f.parameters),
                        f"){result_of(f.result)},") + "\n" for f in model.functions)
    return ("\n/// Every function in one table, for plugins. A row may be read when `struct_size` reaches past it.\n"
            f"#[repr(C)]\npub struct tenon_api {{\n    pub struct_size: u32,\n    pub abi_level: u32,\n{rows}}}\n")


def layout(item: Record) -> str:
    kind = item.name
    facts = [[f"(size_of::<{kind}>(), align_of::<{kind}>())", f"({item.size}, {item.align})", f"\"{kind}\""]]
    for field in item.fields if not item.union else []:
        facts.append([f"offset!({kind}, {name_of(field.name)})", f"{field.offset}", f"\"{kind}.{field.name}\""])
    checks = "".join(wrap("    assert_eq!(", fact, ");") + "\n" for fact in facts)
    return checks


def layout_test(model: Model) -> str:
    return f"""//! The layout of every struct is the one the C headers have. Derived from the headers by abi/generate.py.
use core::mem::{{align_of, size_of, MaybeUninit}};
use tenon_sys::*;

macro_rules! offset {{
    ($kind:ty, $field:ident) => {{{{
        let whole = MaybeUninit::<$kind>::uninit();
        let start = whole.as_ptr();
        unsafe {{ core::ptr::addr_of!((*start).$field) as usize - start as usize }}
    }}}};
}}

#[test]
fn every_struct_is_laid_out_as_in_c() {{
{"".join(layout(r) for r in model.records)}}}
"""


def sys(model: Model) -> str:
    text = HEAD + "\n"
    for item in model.constants:
        text += f"{comment(item.doc)}pub const {item.name}: {'u32' if item.unsigned else 'i32'} = {item.literal.removesuffix('u')};\n"
    text += "".join(enumeration(e) for e in model.enumerations)
    text += "".join(opaque(o) for o in model.opaques if o.name != "tenon_api")
    text += "".join(callback(c) for c in model.callbacks) + "".join(record(r) for r in model.records) + table(model)
    return text + "\nextern \"C\" {\n" + "".join(function(f) for f in model.functions) + "}\n"
