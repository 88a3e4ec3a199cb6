//! Operations of packages as typed functions, generated from the contract.
use crate::array::{Array, ArrayView, ArrayViewMut, DynArray, Element};
use crate::error::{check, text, Error, Result, Status};
use crate::kernel::{Arg, Operation};
use std::fmt::Write;
use tenon_sys::*;

mod sealed {
    pub trait Sealed {}
}

/// An array of `T` that an operation reads: a shared borrow.
pub trait Reads<'a, T>: Into<Arg<'a>> + sealed::Sealed {}
/// An array of `T` that an operation writes: an exclusive borrow.
pub trait Writes<'a, T>: Into<Arg<'a>> + sealed::Sealed {}

macro_rules! accesses {
    ($($access:ident for $kind:ty;)*) => {$(
        impl<'a, 'b: 'a, T: Element> sealed::Sealed for $kind {}
        impl<'a, 'b: 'a, T: Element> $access<'a, T> for $kind {}
    )*};
}
accesses! {
    Writes for &'a mut Array<T>;
    Writes for &'a mut ArrayViewMut<'b, T>;
    Reads for &'a Array<T>;
    Reads for &'a ArrayView<'b, T>;
}
impl<'a, T: Element> Reads<'a, T> for &'a DynArray {} // the call checks its dtype
impl sealed::Sealed for &DynArray {}

/// The source of a Rust module with a type for each of the given operations of a package, for a build script or to be
/// committed. The arguments follow the contract: arrays that are read as `&`, arrays that are written as `&mut`,
/// numbers.
///
/// ```
/// # fn main() -> tenon::Result<()> {
/// let source = tenon::typed_operations("elementwise", &["sigmoid"])?;
/// assert!(source.contains("x: impl Reads<'a, T0>,") && source.contains("y: impl Writes<'a, T0>,"));
/// # Ok(()) }
/// ```
pub fn typed_operations(package: &str, operations: &[&str]) -> Result<String> {
    let mut source = format!("// Operations of the package {package}, by tenon::typed_operations.\n");
    source += "use tenon::{args, Arg, Element, Operation, Reads, Result, Stream, Writes};\n";
    for name in operations {
        let path = format!("{package}/{name}");
        write_operation(&mut source, &path, &camel(name), &parameters(&Operation::find(&path)?)?);
    }
    Ok(source)
}

struct Parameter {
    name: String,
    doc: String,
    kind: String,
    /// The expression that makes the argument.
    value: String,
    placeholder: i32,
}

fn parameters(operation: &Operation) -> Result<Vec<Parameter>> {
    let mut about = tenon_operation_info::new();
    check(unsafe { tenon_operation_get_info(operation.raw(), &mut about) })?;
    (0..about.parameter_count)
        .map(|index| {
            let mut info = tenon_operation_parameter_info::new();
            check(unsafe { tenon_operation_get_parameter_info(operation.raw(), index, &mut info) })?;
            parameter(&info)
        })
        .collect()
}

fn parameter(info: &tenon_operation_parameter_info) -> Result<Parameter> {
    let name = unsafe { text(info.name) };
    let element = if info.placeholder >= 0 { format!("T{}", info.placeholder) } else { rust_type(info.dtype)?.into() };
    let mut value = format!("Arg::from({name})");
    let kind = match info.role {
        TENON_ROLE_IN => format!("impl Reads<'a, {element}>"),
        TENON_ROLE_OUT | TENON_ROLE_INOUT => format!("impl Writes<'a, {element}>"),
        _ if info.flags & TENON_OPERAND_LIST != 0 => format!("&'a [{element}]"),
        _ => element,
    };
    value = if info.role != TENON_ROLE_SCALAR { format!("{name}.into()") } else { value };
    value = if info.flags & TENON_OPERAND_LIST != 0 { format!("Arg::list({name})") } else { value };
    if info.flags & TENON_OPERAND_HAS_DEFAULT != 0 {
        let inner = value.replacen(&name, "value", 1);
        let value = format!("{name}.map_or_else(Arg::left_out, |value| {inner})");
        return Ok(Parameter { doc: unsafe { text(info.doc) }, kind: format!("Option<{kind}>"), value, name,
            placeholder: info.placeholder });
    }
    Ok(Parameter { doc: unsafe { text(info.doc) }, kind, value, name, placeholder: info.placeholder })
}

fn write_operation(source: &mut String, path: &str, name: &str, parameters: &[Parameter]) {
    let docs: String = parameters
        .iter()
        .filter(|parameter| !parameter.doc.is_empty())
        .map(|parameter| format!("    /// - `{}`: {}\n", parameter.name, parameter.doc))
        .collect();
    let mut types: Vec<i32> = parameters.iter().map(|parameter| parameter.placeholder).filter(|&n| n >= 0).collect();
    types.sort_unstable();
    types.dedup();
    let types: String = types.iter().map(|number| format!(", T{number}: Element")).collect();
    let list = |of: fn(&Parameter) -> String| parameters.iter().map(of).collect::<String>();
    let taken = list(|parameter| format!("        {}: {},\n", parameter.name, parameter.kind));
    let given = list(|parameter| format!("            {},\n", parameter.value));
    let _ = write!(
        source,
        "
/// The operation {path}.
#[derive(Clone)]
pub struct {name}(Operation);

impl {name} {{
    pub fn find() -> Result<{name}> {{
        Operation::find({path:?}).map({name})
    }}

{docs}    #[allow(clippy::too_many_arguments)]
    pub fn call<'a{types}>(
        &self,
{taken}        stream: Option<&Stream>,
    ) -> Result<()> {{
        let list: &[Arg<'a>] = args![
{given}        ];
        self.0.call(list, stream)
    }}
}}
"
    );
}

/// soft_plus: SoftPlus.
fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1.min(word.len())].to_uppercase() + &word[1.min(word.len())..]).collect()
}

fn rust_type(dtype: u32) -> Result<&'static str> {
    Ok(match dtype {
        TENON_BOOL => "bool",
        TENON_INT8 => "i8",
        TENON_INT16 => "i16",
        TENON_INT32 => "i32",
        TENON_INT64 => "i64",
        TENON_UINT8 => "u8",
        TENON_UINT16 => "u16",
        TENON_UINT32 => "u32",
        TENON_UINT64 => "u64",
        TENON_FLOAT32 => "f32",
        TENON_FLOAT64 => "f64",
        TENON_FLOAT16 => "tenon::Half",
        TENON_BFLOAT16 => "tenon::Bfloat16",
        TENON_COMPLEX64 => "tenon::Complex<f32>",
        TENON_COMPLEX128 => "tenon::Complex<f64>",
        other => {
            let name = unsafe { text(tenon_dtype_name(other)) };
            return Err(Error::new(Status::Dtype, format!("a parameter is {name}, which has no type in Rust")));
        }
    })
}
