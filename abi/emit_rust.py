"""abi/emit_rust.py: writes abi/rust/tenon-sys/src/lib.rs, the C interface as Rust declarations."""
from __future__ import annotations

from emit_c import fill, wrap
from model import Callback, Enumeration, Field, Function, Model, Opaque, Parameter, Record, Type

HEAD = """\
//! The C interface of Tenon. Derived from the headers by abi/generate.py.
//!
//! Every call is unsafe: the C headers state the conditions. A handle is a raw pointer to an opaque type; each function
//! documents who releases which reference. `new()` of a struct sets its `struct_size`; every other field is zero, the
//! default.
//!
//! The feature `link` (the default) links the library. With `dlopen` the first call opens it instead: the library that
//! `load` or the environment variable TENON_LIBRARY names, else `libtenon.so.1`. If it cannot be opened, functions
//! return `TENON_ERROR_MISSING_LIBRARY`; if it is too old to have a function, that function returns
//! `TENON_ERROR_VERSION`. Without either feature there are only types, constants and the table, which is all that a
//! plug-in needs.
#![no_std]
#![allow(non_camel_case_types, clippy::too_many_arguments)]

use core::ffi::{c_char, c_void};
use core::marker::{PhantomData, PhantomPinned};
"""

ROW = """
/// A row of the table that `tenon_get_api` returned, or None if the loaded library is older than the row:
/// `row!(api, array_zeros)`. Reading beyond the end of an older table is undefined behaviour. Unsafe:
/// `api` must be such a pointer.
#[macro_export]
macro_rules! row {
    ($api:expr, $row:ident) => {{
        let api: *const $crate::tenon_api = $api;
        let whole = core::mem::MaybeUninit::<$crate::tenon_api>::uninit();
        let place = core::ptr::addr_of!((*whole.as_ptr()).$row);
        $crate::row_at(api, place, place as usize - whole.as_ptr() as usize)
    }};
}

#[doc(hidden)]
/// # Safety
/// `api` points at a table. If the table is large enough, it has a row of type T at `offset` bytes.
pub unsafe fn row_at<T: Copy>(api: *const tenon_api, _: *const T, offset: usize) -> Option<T> {
    let size = api.cast::<u32>().read() as usize;
    (size >= offset + core::mem::size_of::<T>()).then(|| api.cast::<u8>().add(offset).cast::<T>().read())
}
"""

FUNCTIONS = '''
macro_rules! functions {
    ($($(#[$doc:meta])* $row:ident = fn $name:ident($($parameter:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        #[cfg(all(feature = "link", not(feature = "dlopen")))]
        extern "C" {
            $($(#[$doc])* pub fn $name($($parameter: $kind),*) $(-> $result)?;)*
        }

        /// The same functions, looked up in the table of the library that was opened.
        #[cfg(feature = "dlopen")]
        mod opened {
            use super::*;
            $(
                $(#[$doc])*
                ///
                /// # Safety
                /// The conditions in the comment must hold.
                pub unsafe extern "C" fn $name($($parameter: $kind),*) $(-> $result)? {
                    let api = dynamic::table();
                    if api.is_null() {
                        return dynamic::Absent::absent(TENON_ERROR_MISSING_LIBRARY);
                    }
                    match row!(api, $row) {
                        Some(function) => function($($parameter),*),
                        None => dynamic::too_old(api),
                    }
                }
            )*
        }
        #[cfg(feature = "dlopen")]
        pub use opened::*;
    };
}

#[cfg(feature = "dlopen")]
mod dynamic {
    use super::*;
    use core::sync::atomic::{AtomicPtr, Ordering};

    static TABLE: AtomicPtr<tenon_api> = AtomicPtr::new(core::ptr::null_mut());
    const NOW: i32 = 2; // RTLD_NOW

    #[link(name = "dl")]
    extern "C" {
        fn dlopen(path: *const c_char, flags: i32) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        fn getenv(name: *const c_char) -> *const c_char;
    }

    const fn c(text: &'static [u8]) -> *const c_char {
        text.as_ptr().cast()
    }

    /// The table of the open library; opens one if none is open. Null if that fails.
    pub unsafe fn table() -> *const tenon_api {
        let known = TABLE.load(Ordering::Acquire);
        if !known.is_null() {
            return known;
        }
        let named = getenv(c(b"TENON_LIBRARY\\0"));
        load(if named.is_null() { c(b"libtenon.so.1\\0") } else { named });
        TABLE.load(Ordering::Acquire)
    }

    /// Opens the library at `path`; call it before any other function. Returns `TENON_ERROR_MISSING_LIBRARY` if no
    /// library can be opened there, and `TENON_ERROR_VERSION` if its major version is another one. After a failure,
    /// calls go to the library that they went to before.
    ///
    /// # Safety
    /// `path` must point to a string that ends in a NUL byte and names a build of libtenon.
    pub unsafe fn load(path: *const c_char) -> i32 {
        let library = dlopen(path, NOW);
        let found = if library.is_null() { library } else { dlsym(library, c(b"tenon_get_api\\0")) };
        if found.is_null() {
            return TENON_ERROR_MISSING_LIBRARY;
        }
        let get_api: unsafe extern "C" fn(u32) -> *const tenon_api = core::mem::transmute(found);
        let api = get_api(TENON_ABI_LEVEL);
        if api.is_null() {
            return TENON_ERROR_VERSION;
        }
        TABLE.store(api as *mut tenon_api, Ordering::Release);
        TENON_OK
    }

    /// The library has no such row. An earlier failure in the error record is not the reason.
    pub unsafe fn too_old<T: Absent>(api: *const tenon_api) -> T {
        if let Some(clear) = row!(api, error_clear) {
            clear();
        }
        T::absent(TENON_ERROR_VERSION)
    }

    /// What a function that is not there returns.
    pub trait Absent {
        fn absent(status: i32) -> Self;
    }
    impl Absent for () {
        fn absent(_: i32) {}
    }
    impl Absent for i32 {
        fn absent(status: i32) -> i32 {
            status
        }
    }
    impl Absent for u32 {
        fn absent(_: i32) -> u32 {
            0
        }
    }
    impl Absent for *const tenon_api {
        fn absent(_: i32) -> *const tenon_api {
            core::ptr::null()
        }
    }
    impl Absent for *const c_char {
        fn absent(status: i32) -> *const c_char {
            c(if status == TENON_ERROR_VERSION {
                b"the Tenon that was opened is older than this program and lacks a function that it calls\\0"
            } else {
                b"libtenon.so.1 could not be opened: install Tenon, or let TENON_LIBRARY name the library\\0"
            })
        }
    }
}
#[cfg(feature = "dlopen")]
pub use dynamic::load;

functions! {
'''

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
    """A Rustdoc comment. Brackets are escaped, because Rustdoc would read them as links."""
    lines = fill(text.replace("[", "\\[").replace("]", "\\]"), f"{indent}/// ") if text else []
    return "".join(f"{line}\n" for line in lines)


def alias(enumeration: str, flags: bool) -> str:
    """The type name for an enumeration's constants, which must differ from the names of structs: tenon_memory_constant,
    tenon_context_flags."""
    if enumeration == "DTYPE":
        return "tenon_dtype"
    return f"tenon_{enumeration.lower().removesuffix('_flag')}_{'flags' if flags else 'constant'}"


def typed(item: Parameter | Field) -> str:
    """The type of a parameter or field; for constants, the name of their enumeration."""
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
    # A struct with a union cannot implement Debug, because the active member is unknown.
    shown = ", Debug" if not item.union and all(f.type.kind != "record" for f in item.fields) else ""
    text = (f"\n{comment(item.doc)}#[repr(C)]\n#[derive(Clone, Copy{shown})]\n"
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
    return comment(item.doc, "    ") + wrap(f"    {item.slot} = fn {item.name}(", parameters_of(item.parameters),
                                            f"){result_of(item.result)};") + "\n"


def table(model: Model) -> str:
    rows = "".join(wrap(f"    pub {f.slot}: unsafe extern \"C\" fn(", parameters_of(f.parameters),
                        f"){result_of(f.result)},") + "\n" for f in model.functions)
    return ("\n/// Every function in one table, for plugins. [`row!`] reads its rows; it knows how long the table is.\n"
            f"#[repr(C)]\npub struct tenon_api {{\n    pub struct_size: u32,\n    pub abi_level: u32,\n{rows}}}\n{ROW}")


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
fn a_row_behind_the_end_of_an_older_table_is_none() {{
    let api = unsafe {{ tenon_get_api(TENON_ABI_LEVEL) }};
    assert!(!api.is_null());
    let version = unsafe {{ row!(api, version) }}.expect("the first level has it");
    assert_eq!(unsafe {{ version() }}, unsafe {{ tenon_version() }});
    // struct_size, abi_level, and the first row
    let older = [8 + core::mem::size_of::<usize>() as u64, unsafe {{ api.cast::<u64>().add(1).read() }}];
    let older: *const tenon_api = older.as_ptr().cast();
    unsafe {{
        assert!(row!(older, {model.functions[0].slot}).is_some());
        assert!(row!(older, {model.functions[1].slot}).is_none());
        assert!(row!(older, {model.functions[-1].slot}).is_none());
    }}
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
    return text + FUNCTIONS + "".join(function(f) for f in model.functions) + "}\n"
