#!/usr/bin/env python3
"""abi/packaging/manual.py: man pages of section 3, one for each function and each header, from the description of the
contract. Usage: manual.py TENON_JSON INCLUDE_DIRECTORY OUTPUT_DIRECTORY"""
import json
import re
import sys
from pathlib import Path


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def prose(text: str) -> list[str]:
    """A comment's lines: list items and indented lines, which are examples and formulas, stay what they are."""
    lines, in_item, indented = [], False, False
    for line in text.split("\n"):
        bare = line.strip()
        if line.startswith("- "):
            lines += [".IP \\(bu 2", escaped(bare[2:])]
            in_item = True
        elif in_item and line.startswith("  "):
            lines.append(escaped(bare))
        elif not bare or in_item:
            lines += [".PP", *([escaped(bare)] if bare else [])]
            in_item = False
        elif line.startswith("  "):
            lines += [".br", "\\ " * (len(line) - len(bare)) + escaped(bare)]
        else:
            lines += [".br"] * indented + [escaped(bare)]
        indented = line.startswith("  ") and not in_item
    return lines


def brief(text: str) -> str:
    """The first sentence, or as much of it as fits into a line."""
    sentence = re.split(r"(?<=[.;])\s", " ".join(text.split()) or "part of Tenon", maxsplit=1)[0].rstrip(".:;")
    if sentence.count("(") != sentence.count(")"):
        sentence = sentence.split(" (", 1)[0]
    return sentence if len(sentence) <= 100 else sentence[:97].rsplit(" ", 1)[0] + " ..."


def section(name: str, lines: list[str]) -> list[str]:
    return [f".SH {name}", *lines] if lines else []


def code(lines: list[str]) -> list[str]:
    return [".nf", *(escaped(line) for line in lines), ".fi"]


def page(name: str, version: str, what: str, body: list[str]) -> str:
    head = [f'.TH {escaped(name)} 3 "" "Tenon {version}" "Tenon"', ".SH NAME", f"{escaped(name)} \\- {escaped(what)}"]
    return "\n".join(head + body) + "\n"


def fields(record: dict) -> list[str]:
    lines = []
    for field in record["fields"]:
        lines += [".TP", f"\\fB{escaped(field['c'])}\\fR", *(prose(field["doc"]) if field.get("doc") else ["\\ "])]
    return lines


def records_of(function: dict, records: dict) -> list[dict]:
    """The structs that a function takes or fills, but for the argument that every page would repeat."""
    names = [p["type"].get("target", {}).get("name") for p in function["parameters"]]
    return [records[name] for name in dict.fromkeys(names) if name in records and name != "tenon_arg"]


def returned(function: dict) -> list[str]:
    return prose("TENON_OK, or a status of tenon-status(3); the text of the failure is then in the thread's error "
                 "record.") if function["returns"].get("status") else []


def function_page(function: dict, version: str, records: dict) -> str:
    header = function["header"].removesuffix(".h")
    parameters = ",\n    ".join(f"{p['c']} {p['name']}" for p in function["parameters"])
    declaration = function["c"].split("(")[0] + "(\n    " + (parameters or "void") + ");"
    body = section("SYNOPSIS", code([f"#include <tenon/{function['header']}>", "", *declaration.split("\n")]))
    body += section("DESCRIPTION", prose(function["doc"]))
    for record in records_of(function, records):
        body += section(f'"STRUCT {record["name"]}"', prose(record.get("doc") or "") + fields(record))
    body += section("RETURN VALUE", returned(function))
    body += section("SEE ALSO", [f"\\fBtenon\\-{header}\\fR(3), \\fBtenon\\-abi\\fR(3)"])
    return page(function["name"], version, brief(function["doc"]), body)


def opening(path: Path) -> list[str]:
    """The comment at the top of a header, without its frame."""
    comment = re.match(r"/\*(.*?)\*/", path.read_text(), re.S)[1]
    return [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.strip().split("\n")]


def header_page(path: Path, functions: list[dict], constants: list[str], version: str) -> str:
    title, *rest = opening(path)
    what = title.split(": ", 1)[-1]
    body = section("SYNOPSIS", code([f"#include <tenon/{path.name}>"]))
    body += section("DESCRIPTION", prose("\n".join([what[:1].upper() + what[1:], *rest])))
    body += section("CONSTANTS", code(constants))
    listed = []
    for function in functions:
        listed += [".TP", f"\\fB{escaped(function['name'])}\\fR(3)", escaped(brief(function["doc"]))]
    body += section("FUNCTIONS", listed)
    return page("tenon-" + path.stem, version, brief(what), body)


def main() -> int:
    contract, include, output = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]), Path(sys.argv[3])
    version = contract["version"]
    output.mkdir(parents=True, exist_ok=True)
    records = {record["name"]: record for record in contract["structs"] if "struct_sizes" in record}
    by_header: dict[str, list[dict]] = {}
    for function in contract["functions"]:
        by_header.setdefault(function["header"], []).append(function)
        text = function_page(function, version, records)
        (output / f"{function['name']}.3").write_text(text, encoding="utf-8")
    for name, functions in by_header.items():
        constants = re.findall(r"^#define (TENON_[A-Z0-9_]+ +[^\s(][^/]*?) *(?:/\*.*)?$", (include / name).read_text(),
                               re.M)
        text = header_page(include / name, functions, constants, version)
        (output / f"tenon-{Path(name).stem}.3").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
