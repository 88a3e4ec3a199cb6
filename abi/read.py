"""abi/read.py: reads the headers into a Model with clang's parser (PyPI: libclang)."""
from __future__ import annotations

import re
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind, StorageClass, TokenKind, TypeKind

from model import Callback, Constant, Enumeration, Field, Function, HeaderError, Model, Opaque, Parameter, Record, Type

# Replacements for the two standard headers, so that the result does not depend on the machine.
STANDARD = {
    "stddef.h": "typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ptrdiff_t;\n",
    "stdint.h": "".join(f"typedef __{s}INT{n}_TYPE__ {s.lower()}int{n}_t;\n" for s in ("", "U") for n in (8, 16, 32, 64)),
}
SCALARS = {f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)} | {"float", "double", "char"}


# Parameters and fields with these names need no annotation.
KNOWN_NAMES = {"dtype": "DTYPE", "status": "STATUS"}


def clean(comment: str) -> str:
    """The text of a /* comment */ without delimiters and indentation."""
    lines = comment.removeprefix("/*").removesuffix("*/").strip().splitlines()
    return "\n".join(re.sub(r"^\s*\*? ?", "", line) if i else line for i, line in enumerate(lines)).strip()


def notes_of(cursor) -> dict:
    """The annotations of a parameter or field: TENON_LENGTH(count) is length="count", TENON_OUT is out=True."""
    notes = {}
    for child in cursor.get_children():
        if child.kind == CursorKind.ANNOTATE_ATTR:
            name, equals, value = child.spelling.removeprefix("tenon:").partition("=")
            notes[name] = value if equals else True
    known = KNOWN_NAMES.get(cursor.spelling.removeprefix("out_"))
    return {"enum": known, **notes} if known else notes


def belongs(constant: Constant, enumeration: str) -> bool:
    if enumeration == "DTYPE":
        return constant.header == "dtype.h"
    if enumeration == "STATUS":
        return constant.name == "TENON_OK" or constant.name.startswith("TENON_ERROR_")
    return constant.name.startswith(f"TENON_{enumeration}_")


class Reader:
    def __init__(self, include: Path):
        self.include = include
        self.model = Model()
        self.comments: dict[str, dict] = {}      # header -> comments by first line and by last line
        self.unit = self.parse()

    def parse(self):
        root = "/tenon-standard"
        files = [(f"{root}/{name}", text) for name, text in STANDARD.items()]
        files.append((str(self.include / "tenon/api.h"), ""))   # derived from the others, so not a source
        unit = cindex.Index.create().parse(
            str(self.include / "tenon/tenon.h"), unsaved_files=files,
            args=["-xc", "-std=c11", "-nostdinc", "--target=x86_64-linux-gnu", "-DTENON_GENERATOR", "-Wall", "-Werror",
                  f"-I{root}", f"-I{self.include}"],
            options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        faults = [str(d) for d in unit.diagnostics]
        if faults:
            raise HeaderError("\n".join(faults))
        return unit

    def read(self) -> Model:
        self.model.headers = self.header_order()
        for header in self.model.headers:
            self.comments[header] = self.comments_of(header)
        cursors = [c for c in self.unit.cursor.get_children() if self.header_of(c) in self.model.headers]
        for cursor in cursors:
            if cursor.kind == CursorKind.MACRO_DEFINITION:
                self.macro(cursor)
            elif cursor.kind == CursorKind.STRUCT_DECL:
                self.struct(cursor)
            elif cursor.kind == CursorKind.TYPEDEF_DECL:
                self.typedef(cursor)
            elif cursor.kind == CursorKind.FUNCTION_DECL and cursor.storage_class != StorageClass.STATIC:
                self.function(cursor)  # static functions are helpers for C that other languages cannot call
        order = self.model.headers.index
        self.model.constants.sort(key=lambda c: order(c.header))   # clang lists macros first, in the order of inclusion
        self.model.functions.sort(key=lambda f: order(f.header))
        self.enumerations()
        return self.model

    def enumerations(self) -> None:
        """An enumeration for each name in a TENON_ENUM or TENON_FLAGS, in the order of the constants."""
        users = [p for f in self.model.functions + self.model.callbacks for p in f.parameters]
        users += [f for r in self.model.records for f in r.fields]
        named = {(user.enum or user.flags, bool(user.flags)) for user in users if user.enum or user.flags}
        for name, flags in named | {("DTYPE", False), ("STATUS", False)}:
            self.model.enumerations.append(Enumeration(name, flags,
                                                       [c for c in self.model.constants if belongs(c, name)]))
        place = {c.name: i for i, c in enumerate(self.model.constants)}
        self.model.enumerations.sort(key=lambda e: (place[e.constants[0].name] if e.constants else -1, e.name, e.flags))

    def header_order(self) -> list[str]:
        """The headers in the order of tenon.h, which must include every header."""
        listed = re.findall(r"#include <tenon/(\w+\.h)>", (self.include / "tenon/tenon.h").read_text())
        for path in sorted((self.include / "tenon").glob("*.h")):
            if path.name not in listed and path.name != "tenon.h":
                raise HeaderError(f"tenon/{path.name} is not included by tenon/tenon.h")
        return [name for name in listed if name != "api.h"]

    def header_of(self, cursor) -> str:
        return Path(cursor.location.file.name).name if cursor.location.file else ""

    def comments_of(self, header: str) -> dict:
        file = self.unit.get_file(str(self.include / "tenon" / header))
        size = len((self.include / "tenon" / header).read_bytes())
        extent = cindex.SourceRange.from_locations(cindex.SourceLocation.from_offset(self.unit, file, 0),
                                                   cindex.SourceLocation.from_offset(self.unit, file, size))
        tokens = [t for t in self.unit.get_tokens(extent=extent) if t.kind == TokenKind.COMMENT]
        return {"first": {t.extent.start.line: clean(t.spelling) for t in tokens},
                "last": {t.extent.end.line: clean(t.spelling) for t in tokens}}

    def above(self, cursor) -> str:
        """The comment that ends on the line before a declaration."""
        return self.comments[self.header_of(cursor)]["last"].get(cursor.extent.start.line - 1, "")

    def beside(self, cursor) -> str:
        """The comment that starts on the line a declaration ends on, as one line."""
        return " ".join(self.comments[self.header_of(cursor)]["first"].get(cursor.extent.end.line, "").split())

    # Declarations.

    def macro(self, cursor) -> None:
        tokens = [t.spelling for t in cursor.get_tokens()][1:]
        spelled = "".join(tokens)
        if not spelled or self.is_function_like(cursor) or spelled.startswith(("TENON_A", "__attribute__")):
            return  # an include guard, an annotation, or another name for a constant
        match = re.fullmatch(r"\(?(-?(?:0x[0-9a-fA-F]+|\d+))(u?)\)?", spelled)
        if not match:
            raise HeaderError(f"{self.where(cursor)}: {cursor.spelling} is {spelled}; a constant is one integer, as 3, 3u or 0x3u")
        self.model.constants.append(Constant(cursor.spelling, int(match[1], 0), match[1] + match[2], self.beside(cursor),
                                             self.header_of(cursor)))

    def is_function_like(self, cursor) -> bool:
        end = cursor.extent.start.offset + len(cursor.spelling)
        return (self.include / "tenon" / self.header_of(cursor)).read_bytes()[end:end + 1] == b"("

    def struct(self, cursor) -> None:
        if cursor.is_definition():
            self.record(cursor, cursor.spelling, self.above(cursor))
        elif not cursor.spelling.startswith("tenon_"):
            self.opaque(cursor.spelling, "", tagged=True)

    def opaque(self, name: str, doc: str, tagged: bool) -> None:
        if all(o.name != name for o in self.model.opaques):
            self.model.opaques.append(Opaque(name, doc, tagged))

    def record(self, cursor, name: str, doc: str, nested_in: str = "") -> None:
        record = Record(name, cursor.kind == CursorKind.UNION_DECL, [], cursor.type.get_size(), cursor.type.get_align(), doc,
                        nested_in)
        for child in cursor.get_children():
            if child.kind == CursorKind.FIELD_DECL:
                inner = child.type.get_declaration()
                if inner.kind in (CursorKind.UNION_DECL, CursorKind.STRUCT_DECL) and inner.is_anonymous():
                    self.record(inner, f"{name}_{child.spelling}", "", name)
                    type = Type("record", f"{name}_{child.spelling}")
                else:
                    type = self.type(child.type, child)
                record.fields.append(Field(child.spelling, type, child.get_field_offsetof() // 8, child.type.get_size(),
                                           self.beside(child), **notes_of(child)))
        self.model.records.append(record)

    def typedef(self, cursor) -> None:
        target = cursor.underlying_typedef_type
        if target.kind == TypeKind.POINTER and target.get_pointee().get_canonical().kind == TypeKind.FUNCTIONPROTO:
            result = self.type(target.get_pointee().get_result(), cursor)  # keeps the name int32_t
            parameters = [self.parameter(c) for c in cursor.get_children() if c.kind == CursorKind.PARM_DECL]
            self.model.callbacks.append(Callback(cursor.spelling, result, parameters, self.above(cursor)))
        elif not target.get_declaration().get_definition():
            self.opaque(cursor.spelling, self.above(cursor), tagged=False)

    def function(self, cursor) -> None:
        parameters = [self.parameter(c) for c in cursor.get_arguments()]
        self.model.functions.append(Function(cursor.spelling, self.type(cursor.result_type, cursor), parameters,
                                             self.above(cursor), self.header_of(cursor)))

    def parameter(self, cursor) -> Parameter:
        return Parameter(cursor.spelling, self.type(cursor.type, cursor), **notes_of(cursor))

    def type(self, type, cursor) -> Type:
        const = type.is_const_qualified()
        name = type.spelling.removeprefix("const ").removeprefix("struct ")
        if name in SCALARS:
            return Type("scalar", name, const)
        declaration = type.get_declaration()
        if type.kind == TypeKind.VOID:
            return Type("void", "", const)
        if declaration.kind == CursorKind.TYPEDEF_DECL:
            if type.get_canonical().kind == TypeKind.POINTER:
                return Type("callback", name, const)
            return Type("record" if type.get_canonical().get_declaration().is_definition() else "opaque", name, const)
        if declaration.kind == CursorKind.STRUCT_DECL:
            return Type("record" if declaration.is_definition() else "opaque", name, const,
                        tagged=not name.startswith("tenon_"))
        if type.kind == TypeKind.POINTER:
            return Type("pointer", const=const, target=self.type(type.get_pointee(), cursor))
        if type.kind == TypeKind.CONSTANTARRAY:
            return Type("array", target=self.type(type.element_type, cursor), count=type.element_count)
        raise HeaderError(f"{self.where(cursor)}: {type.spelling} may not cross the border (see the rules of abi.h)")

    def where(self, cursor) -> str:
        return f"tenon/{self.header_of(cursor)}:{cursor.location.line}"


def read(include: Path) -> Model:
    return Reader(include).read()
