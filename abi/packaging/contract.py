"""abi/packaging/contract.py: arranges the description of the contract (abi/generated/tenon.json) as one page per
header, for the man pages (manual.py) and the HTML manual (html_manual.py)."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

MACRO = re.compile(r"^#define ((TENON_\w+)(?:\([^)\n]*\))?)((?:\\\n|/\*.*?\*/|[^\n])*)", re.M | re.S)
COMMENT = re.compile(r"^/\*((?:(?!\*/).)*)\*/\s*\Z", re.M | re.S)


@dataclass
class Block:
    """Part of a comment. kind: text, item (of a list), or code, whose indented lines stay unchanged."""
    kind: str
    lines: list[str]
    apart: bool = False  # preceded by a blank line


@dataclass
class Macro:
    name: str
    c: str     # with parameters
    body: str  # its replacement
    doc: str


@dataclass
class Header:
    """One header: its opening comment and its declarations, in the order of the description."""
    name: str   # array.h
    title: str  # from the first line
    opening: str
    functions: list[dict] = field(default_factory=list)
    handles: list[dict] = field(default_factory=list)
    structs: list[dict] = field(default_factory=list)
    callbacks: list[dict] = field(default_factory=list)
    enumerations: list[dict] = field(default_factory=list)
    numbers: list[dict] = field(default_factory=list)
    macros: list[Macro] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)  # the lines that define them, without comments

    @property
    def stem(self) -> str:
        return self.name.removesuffix(".h")


@dataclass
class Contract:
    version: str
    headers: list[Header]
    records: dict[str, dict]  # structs by name


def load(description: Path, include: Path) -> Contract:
    """The contract, with the headers in the order of tenon.h."""
    data = json.loads(description.read_text(encoding="utf-8"))
    umbrella = (include / "tenon.h").read_text(encoding="utf-8")
    names = [*re.findall(r"#include <tenon/(\w+\.h)>", umbrella), "tenon.h"]
    texts = {name: (include / name).read_text(encoding="utf-8") for name in names}
    headers = [header(name, text, data) for name, text in texts.items()]
    place(data, texts, {header.name: header for header in headers})
    return Contract(data["version"], headers, {record["name"]: record for record in data["structs"]})


def header(name: str, text: str, data: dict) -> Header:
    first, *rest = opening(text)
    title = first
    while rest and rest[0] and not rest[0].startswith(" "):  # a wrapped sentence
        title += " " + rest.pop(0)
    title = title.split(": ", 1)[-1]
    constants = re.findall(r"^#define (TENON_[A-Z0-9_]+ +[^\s(][^/]*?) *(?:/\*.*)?$", text, re.M)
    known = {value["name"] for e in data["enumerations"] for value in e["values"]} | {n["name"] for n in data["numbers"]}
    functions = [function for function in data["functions"] if function["header"] == name]
    functions.sort(key=lambda function: text.index(f" {function['name']}("))  # the header's order is meant for readers
    return Header(name, title, "\n".join(rest).strip("\n"), functions, constants=constants, macros=macros(text, known))


def opening(text: str) -> list[str]:
    """The comment at the top of a header, without delimiters."""
    comment = re.match(r"/\*(.*?)\*/", text, re.S)[1]
    return bare(comment).split("\n")


def bare(comment: str) -> str:
    """A comment without the stars at the start of its lines."""
    return "\n".join(re.sub(r"^ *\* ?", "", line).rstrip() for line in comment.strip().split("\n"))


def macros(text: str, known: set[str]) -> list[Macro]:
    """The public macros that are not constants, with the comment after or above each."""
    found: dict[str, Macro] = {}
    for match in MACRO.finditer(text):
        declaration, name, rest = match.groups()
        if name in known or name.endswith("_H") or f"#undef {name}\n" in text:
            continue
        behind = re.search(r"/\*(.*)\*/", rest, re.S)
        above = COMMENT.search(re.sub(r"(?:\s*#(?:if|elif|else).*)+\s*\Z", "", text[:match.start()]))
        doc = " ".join(behind[1].split()) if behind else bare(above[1]) if above else ""
        if name not in found or (doc and not found[name].doc):
            body = " ".join(re.sub(r"/\*.*", "", rest, flags=re.S).replace("\\\n", " ").split())
            found[name] = Macro(name, declaration, body, doc)
    return list(found.values())


def place(data: dict, texts: dict[str, str], headers: dict[str, Header]) -> None:
    """Assigns items that have no header in the description to the header that defines them."""
    def of(pattern: str, what: str) -> Header:
        name = next((name for name, text in texts.items() if re.search(pattern, text, re.M)), None)
        if name is None:
            raise SystemExit(f"no header defines {what}, which the description has: run abi/generate.py")
        return headers[name]

    # A handle belongs to the header of its release function: other headers may declare it too.
    for handle in data["handles"]:
        of(rf"\b{handle['release']}\(", handle["name"]).handles.append(handle)
    for record in data["structs"]:
        outer = record.get("nested_in", record["name"])
        of(rf"^\}} {outer};", outer).structs.append(record)
    for callback in data["callbacks"]:
        of(rf"\(\*{callback['name']}\)\(", callback["name"]).callbacks.append(callback)
    for enumeration in data["enumerations"]:
        first = enumeration["values"][0]["name"]
        of(rf"^#define {first}\b", first).enumerations.append(enumeration)
    for number in data["numbers"]:
        of(rf"^#define {number['name']}\b", number["name"]).numbers.append(number)


def blocks(text: str) -> list[Block]:
    """A comment's paragraphs, list items, and indented lines (examples and formulas)."""
    found: list[Block] = []
    apart = False
    for line in text.split("\n"):
        last = None if apart or not found else found[-1]
        indented = line.startswith("  ")
        if not line.strip():
            apart = True
            continue
        if line.startswith("- "):
            found.append(Block("item", [line[2:].strip()], apart))
        elif last and last.kind == "item" and indented:
            last.lines.append(line.strip())
        elif last and last.kind == ("code" if indented else "text"):
            last.lines.append(line)
        else:
            found.append(Block("code" if indented else "text", [line], apart))
        apart = False
    return found


def brief(text: str) -> str:
    """The first sentence, or the part of it that fits on a line."""
    sentence = re.split(r"(?<=[.;])\s", " ".join(text.split()) or "part of Tenon", maxsplit=1)[0].rstrip(".:;")
    if sentence.count("(") != sentence.count(")"):
        sentence = sentence.split(" (", 1)[0]
    return sentence if len(sentence) <= 100 else sentence[:97].rsplit(" ", 1)[0] + " ..."


def sentence(title: str) -> str:
    """A header's title as a sentence; a name of the contract stays in lower case."""
    return (title if title.startswith("tenon_") else title[:1].upper() + title[1:]).rstrip(".") + "."


def declaration(function: dict) -> str:
    """A function's declaration, with one parameter per line."""
    parameters = ",\n    ".join(f"{p['c']} {p['name']}" for p in function["parameters"])
    return function["c"].split("(")[0] + ("(\n    " + parameters if parameters else "(void") + ");"


def records_of(function: dict, records: dict[str, dict]) -> list[dict]:
    """The structs with a struct_size that a function takes or fills, except those that every page would repeat."""
    names = [p["type"].get("target", {}).get("name") for p in function["parameters"]]
    return [records[name] for name in dict.fromkeys(names)
            if "struct_sizes" in records.get(name, {}) and name != "tenon_arg"]
