"""abi/model.py: the public headers as plain data: functions, records, constants, callbacks, opaque types."""
from __future__ import annotations

from dataclasses import dataclass, field


class HeaderError(Exception):
    """An error in the headers, with its location."""


@dataclass(frozen=True)
class Type:
    """A C type. kind: void, scalar, opaque, record, callback, pointer, array."""
    kind: str
    name: str = ""               # for a scalar, opaque type, record or callback: its name in C without `struct`
    const: bool = False
    target: Type | None = None   # for a pointer or array
    count: int = 0               # for an array
    tagged: bool = False         # C requires `struct` before the name

    def c(self, name: str = "") -> str:
        """The C declaration of `name` with this type, or the type alone if name is empty."""
        if self.kind == "array":
            return f"{self.target.c(name)}[{self.count}]"
        if self.kind == "pointer":
            text = self.target.c() + "*" + (" const" if self.const else "")
        else:
            text = ("const " if self.const else "") + ("struct " if self.tagged else "") + (self.name or self.kind)
        return f"{text} {name}" if name else text

    def points_at(self, *kinds: str) -> bool:
        return self.kind == "pointer" and self.target.kind in kinds


@dataclass(frozen=True)
class Parameter:
    name: str
    type: Type
    nullable: bool = False
    out: bool = False
    inout: bool = False          # an array that the caller supplies, or that is created
    owned: bool = False
    consumed: bool = False
    text: bool = False
    length: str = ""             # a parameter of the same function, or a number
    enum: str = ""               # takes one value of this enumeration
    flags: str = ""              # takes bits of this enumeration
    yes_no: bool = False         # takes 0 or 1
    any_handle: bool = False     # a void*: a handle of any kind


@dataclass
class Function:
    name: str
    result: Type
    parameters: list[Parameter]
    doc: str
    header: str

    @property
    def slot(self) -> str:
        """The function's field in struct tenon_api."""
        return self.name.removeprefix("tenon_")

    @property
    def status(self) -> bool:
        """Whether the function can fail: every int32_t result is a status."""
        return self.result.name == "int32_t"

    def c(self, name: str) -> str:
        parameters = ", ".join(p.type.c(p.name) for p in self.parameters) or "void"
        return f"{self.result.c(name)}({parameters})"

    def pointer(self, name: str = "") -> str:
        """The declaration of a pointer to the function; without a name, the type."""
        parameters = ", ".join(p.type.c(p.name if name else "") for p in self.parameters) or "void"
        return f"{self.result.c()} (*{name})({parameters})"


@dataclass
class Field:
    name: str
    type: Type
    offset: int
    size: int
    doc: str
    nullable: bool = False
    text: bool = False
    length: str = ""             # a field of the same struct, or a number
    enum: str = ""
    flags: str = ""
    yes_no: bool = False
    borrowed: str = ""           # for a pointer that the library writes: the object that owns its target

    @property
    def reserved(self) -> bool:
        """Whether the field is reserved: callers must leave it 0, and other values are errors."""
        return self.name.startswith("reserved")


@dataclass
class Record:
    name: str                    # parent_field for a nested record, which has no name in C
    union: bool
    fields: list[Field]
    size: int
    align: int
    doc: str
    nested_in: str = ""

    @property
    def sized(self) -> bool:
        """Whether the record starts with struct_size and may therefore grow."""
        return bool(self.fields) and self.fields[0].name == "struct_size"


@dataclass
class Constant:
    name: str
    value: int
    literal: str
    doc: str
    header: str

    @property
    def unsigned(self) -> bool:
        return self.literal.endswith("u")


@dataclass
class Enumeration:
    """The constants with a common prefix, which the annotations TENON_ENUM and TENON_FLAGS name."""
    name: str                    # "SVD_MODE"
    flags: bool                  # the constants are bits that can be combined
    constants: list[Constant]

    @property
    def prefix(self) -> str:
        return {"DTYPE": "TENON_", "STATUS": "TENON_"}.get(self.name, f"TENON_{self.name}_")

    def short(self, constant: Constant) -> str:
        """The constant's name in a language with scoped enumerations."""
        return constant.name.removeprefix(self.prefix)

    @property
    def members(self) -> list[Constant]:
        """The constants whose short names are identifiers."""
        return [c for c in self.constants if self.short(c).isidentifier()]


@dataclass
class Callback:
    name: str
    result: Type
    parameters: list[Parameter]
    doc: str


@dataclass
class Opaque:
    name: str
    doc: str
    tagged: bool                 # declared as a bare struct tag: a type of another library

    @property
    def constant(self) -> str:
        """The constant that tenon_handle_kind returns for such handles."""
        return "TENON_HANDLE_" + self.name.removeprefix("tenon_").upper()


@dataclass
class Level:
    """One ABI level: the functions it added, in table order."""
    name: str                    # "1.0"
    released: bool
    names: list[str]
    sizes: dict[str, int] = field(default_factory=dict)  # sizes of the structs with a struct_size


@dataclass
class Model:
    functions: list[Function] = field(default_factory=list)    # in table order once levels.assign has run
    records: list[Record] = field(default_factory=list)        # a nested record precedes its parent
    constants: list[Constant] = field(default_factory=list)
    callbacks: list[Callback] = field(default_factory=list)
    opaques: list[Opaque] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)           # file names in reading order
    levels: list[Level] = field(default_factory=list)
    enumerations: list[Enumeration] = field(default_factory=list)

    def enumeration(self, name: str) -> Enumeration:
        return next(e for e in self.enumerations if e.name == name)

    @property
    def sized(self) -> list[Record]:
        """The structs that start with struct_size."""
        return [r for r in self.records if r.sized]

    def sizes(self, record: Record) -> list[int]:
        """The sizes of a struct with struct_size in all levels, in ascending order: the struct_size of older
        callers."""
        return sorted({level.sizes[record.name] for level in self.levels if record.name in level.sizes} | {record.size})

    def function(self, name: str) -> Function | None:
        return next((f for f in self.functions if f.name == name), None)

    def record(self, name: str) -> Record:
        return next(r for r in self.records if r.name == name)

    def constant(self, name: str) -> int:
        return next(c.value for c in self.constants if c.name == name)

    @property
    def handles(self) -> list[Opaque]:
        """The reference-counted opaque types: those with a release function."""
        return [o for o in self.opaques if self.function(o.name + "_release")]

    def is_handle(self, type: Type) -> bool:
        return type.points_at("opaque") and any(h.name == type.target.name for h in self.handles)
