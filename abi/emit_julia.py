"""abi/emit_julia.py: writes abi/julia/src/raw.jl, the C interface as Julia types and ccalls."""
from __future__ import annotations

from emit_c import fill, noted, wrap
from model import Enumeration, Function, Model, Record, Type

HEAD = '''\
"""
The C interface of Tenon. Derived from the headers by abi/generate.py.

`load(path)` opens the library; until then every call is an error. Handles are `Ptr{tenon_array}` and the like; pass
`Ref{Ptr{tenon_array}}(C_NULL)` for an output handle and `C_NULL` for NULL. `make(tenon_launch; grid = (4, 1, 1))` makes a
struct, `pack(tenon_arg_value, 2f0)` a union.
"""
module Raw

import Libdl

const ADDRESSES = Ptr{Cvoid}[]

"Opens the library at `path` (the system's loader searches for a plain name) and looks up its functions."
function load(path::AbstractString)
    library = Libdl.dlopen(path)
    found = [Libdl.dlsym_e(library, name) for name in NAMES]  # an older library lacks the last ones
    resize!(ADDRESSES, length(found))
    ADDRESSES .= found
    return library
end

function address(index::Int)
    isempty(ADDRESSES) && error("no library is loaded: call load(path of libtenon.so.1) first")
    found = ADDRESSES[index]
    found == C_NULL && error("the loaded library has no function ", NAMES[index], ": it is older than this package")
    return found
end

zero_of(::Type{T}) where {T<:Number} = zero(T)
zero_of(::Type{P}) where {P<:Ptr} = P(C_NULL)
zero_of(::Type{NTuple{N,T}}) where {N,T} = ntuple(_ -> zero_of(T), N)
zero_of(::Type{T}) where {T} = make(T)

"A struct with `struct_size` and the given fields set; every other field is zero, its default."
function make(::Type{T}; fields...) where {T}
    for name in keys(fields)
        hasfield(T, name) || error(T, " has no field ", name)
    end
    value(name, type) = name === :struct_size ? sizeof(T) : get(fields, name, zero_of(type))
    return T((value(fieldname(T, i), fieldtype(T, i)) for i in 1:fieldcount(T))...)
end

"A union of type `U` that holds `x`."
function pack(::Type{U}, x::T) where {U,T}
    isbitstype(T) && sizeof(T) <= sizeof(U) || error(U, " cannot hold a ", T)
    box = Ref(make(U))
    GC.@preserve box unsafe_store!(Ptr{T}(Base.unsafe_convert(Ptr{U}, box)), x)
    return box[]
end

"The contents of a union, read as a `T`."
function unpack(x::U, ::Type{T}) where {U,T}
    isbitstype(T) && sizeof(T) <= sizeof(U) || error(U, " cannot hold a ", T)
    box = Ref(x)
    return GC.@preserve box unsafe_load(Ptr{T}(Base.unsafe_convert(Ptr{U}, box)))
end
'''

SCALARS = {"float": "Float32", "double": "Float64", "char": "UInt8"}
KEYWORDS = {"end", "function", "module", "struct", "begin", "let", "local", "global", "const", "do", "for", "if", "in", "type"}


def of(type: Type) -> str:
    if type.kind == "void":
        return "Cvoid"
    if type.kind == "scalar":
        return SCALARS.get(type.name) or type.name.removesuffix("_t").replace("i", "I").replace("u", "U")
    if type.kind == "array":
        return f"NTuple{{{type.count},{of(type.target)}}}"
    if type.kind == "pointer":
        return f"Ptr{{{of(type.target)}}}"
    return "Ptr{Cvoid}" if type.kind == "callback" else type.name


def argument(parameter) -> str:
    return "Cstring" if parameter.text else of(parameter.type)


def name_of(name: str) -> str:
    return name + "_" if name in KEYWORDS else name


def quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")


def doc(text: str) -> str:
    return "\n".join(['"""', *fill(quoted(text)), '"""\n']) if text else ""


def enumeration(item: Enumeration) -> str:
    members = "".join(f"    {item.short(c)} = {c.name},\n" for c in item.members)
    return f"const {item.name} = (\n{members})\n"


def record(item: Record) -> str:
    if item.union:
        members = "".join(f"# {f.name}::{of(f.type)}\n" for f in item.fields)
        words = item.size // item.align
        return (f"\n# A union; use pack and unpack with one of:\n{members}struct {item.name}\n"
                f"    words::NTuple{{{words},UInt{8 * item.align}}}\nend\n")
    fields = "".join(noted(f"    {name_of(f.name)}::{of(f.type)}", f.doc) for f in item.fields)
    return f"\n{doc(item.doc)}struct {item.name}\n{fields}end\n"


def function(item: Function, index: int) -> str:
    names = [name_of(p.name) for p in item.parameters]
    types = [argument(p) for p in item.parameters] or [""]
    types[0] = "(" + types[0]
    types[-1] += ",)" if len(names) == 1 else ")"
    result = "Cstring" if item.result.points_at("scalar") else of(item.result)
    call = wrap("    ccall(", [f"address({index})", result, *types, *names], ")")
    return f"\n{doc(declared(item))}{wrap(item.name + '(', names, ') =')}\n{call}\n"


def declared(item: Function) -> str:
    """The C declaration, as code, and the comment of the header."""
    parameters = [p.type.c(p.name) for p in item.parameters] or ["void"]
    return wrap(f"    {item.result.c(item.name)}(", parameters, ")") + "\n\n" + item.doc


def raw(model: Model) -> str:
    text = HEAD + "\n"
    for item in model.constants:
        kind = "UInt32" if item.unsigned else "Int32"
        text += noted(f"const {item.name} = {kind}({item.literal.removesuffix('u')})", item.doc)
    text += "\n# The same constants by enumeration: SVD_MODE.FULL.\n" + "".join(enumeration(e)
                                                                                for e in model.enumerations)
    text += "\n# Opaque types, seen only behind a Ptr.\n" + "".join(f"mutable struct {o.name} end\n" for o in model.opaques)
    for item in model.callbacks:
        parameters = ", ".join(of(p.type) for p in item.parameters)
        lines = "".join(f"{line}\n" for line in fill(item.doc, "# "))
        text += f"\n{lines}# {item.name}: @cfunction(f, {of(item.result)}, ({parameters},))\n"
    text += "".join(record(r) for r in model.records)
    text += "\nconst NAMES = (\n" + "".join(f"    :{f.name},\n" for f in model.functions) + ")\n"
    text += "".join(function(f, i) for i, f in enumerate(model.functions, 1))
    return text + "\nend\n"


def layout_test(model: Model) -> str:
    checks = ""
    for item in model.records:
        checks += f"@test sizeof(Raw.{item.name}) == {item.size}\n"
        if not item.union:
            offsets = ", ".join(str(f.offset) for f in item.fields)
            checks += f"@test offsets(Raw.{item.name}) == [{offsets}]\n"
    return f"""# The layout of every struct is the one the C headers have. Derived from the headers by abi/generate.py.
using Test
import Tenon: Raw

offsets(T) = [Int(fieldoffset(T, i)) for i in 1:fieldcount(T)]

{checks}"""
