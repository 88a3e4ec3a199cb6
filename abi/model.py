"""abi/model.py: what the public headers say, as plain data: functions, records, constants, callbacks, opaque types."""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Type:
    """A C type. kind: void, scalar, opaque, record, callback, pointer, array."""
    kind: str
    name: str = ""               # of a scalar, opaque type, record or callback, as C spells it without `struct`
    const: bool = False
    target: Type | None = None   # of a pointer or array
    count: int = 0               # of an array
    tagged: bool = False         # C needs `struct` before the name

    def c(self, name: str = "") -> str:
        """The C declaration of `name` with this type; the bare type when name is empty."""
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
    inout: bool = False          # an array that the caller gives, or that is made
    owned: bool = False
    consumed: bool = False
    text: bool = False
    length: str = ""             # a parameter of the same function, or a number


@dataclass
class Function:
    name: str
    result: Type
    parameters: list[Parameter]
    doc: str
    header: str

    @property
    def slot(self) -> str:
        """Its field in struct tenon_api."""
        return self.name.removeprefix("tenon_")

    @property
    def status(self) -> bool:
        """Whether it can fail: every int32_t result is a status."""
        return self.result.name == "int32_t"

    def c(self, name: str) -> str:
        parameters = ", ".join(p.type.c(p.name) for p in self.parameters) or "void"
        return f"{self.result.c(name)}({parameters})"

    def pointer(self, name: str = "") -> str:
        """The declaration of a pointer to it; with no name, the type."""
        parameters = ", ".join(p.type.c(p.name if name else "") for p in self.parameters) or "void"
        return f"{self.result.c()} (*{name})({parameters})"


@dataclass
class Field:
    name: str
    type: Type
    offset: int
    size: int
    doc: str


@dataclass
class Record:
    name: str                    # of a nested record: parent_field, which C has no name for
    union: bool
    fields: list[Field]
    size: int
    align: int
    doc: str
    nested_in: str = ""

    @property
    def sized(self) -> bool:
        """Starts with struct_size and may therefore grow."""
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
class Callback:
    name: str
    result: Type
    parameters: list[Parameter]
    doc: str


@dataclass
class Opaque:
    name: str
    doc: str
    tagged: bool                 # declared as a bare struct tag: somebody else's type


@dataclass
class Level:
    """One ABI level: the functions it added, in table order."""
    name: str                    # "1.0"
    released: bool
    names: list[str]


@dataclass
class Model:
    functions: list[Function] = field(default_factory=list)    # in table order once levels.assign has run
    records: list[Record] = field(default_factory=list)        # a nested record before the one that holds it
    constants: list[Constant] = field(default_factory=list)
    callbacks: list[Callback] = field(default_factory=list)
    opaques: list[Opaque] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)           # file names in reading order
    levels: list[Level] = field(default_factory=list)

    def function(self, name: str) -> Function | None:
        return next((f for f in self.functions if f.name == name), None)

    def record(self, name: str) -> Record:
        return next(r for r in self.records if r.name == name)

    def constant(self, name: str) -> int:
        return next(c.value for c in self.constants if c.name == name)

    @property
    def handles(self) -> list[Opaque]:
        """The opaque types that are counted: those with a release function."""
        return [o for o in self.opaques if self.function(o.name + "_release")]

    def is_handle(self, type: Type) -> bool:
        return type.points_at("opaque") and any(h.name == type.target.name for h in self.handles)
