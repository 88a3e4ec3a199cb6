#!/usr/bin/env python3
"""abi/packaging/manual.py: writes man pages of section 3, one per function and one per header, from the description of
the contract. Usage: manual.py TENON_JSON INCLUDE_DIRECTORY OUTPUT_DIRECTORY"""
import re
import sys
from pathlib import Path

from contract import Block, Contract, Header, blocks, brief, declaration, load, records_of, sentence


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def prose(text: str) -> list[str]:
    lines: list[str] = []
    last = None
    for block in blocks(text):
        lines += separated(block, last)
        last = block
    return lines


def separated(block: Block, last: Block | None) -> list[str]:
    """A block, preceded by the separator from the previous block."""
    lines = [line.strip() for line in block.lines]
    if block.kind == "item":
        return [".IP \\(bu 2", *map(escaped, lines)]
    start = [".PP"] if block.apart or (last and last.kind == "item") else []
    if block.kind == "text":
        return start + [".br"] * bool(not start and last) + [escaped(line) for line in lines]
    return start + code(block.lines)


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


def returned(function: dict) -> list[str]:
    return prose("TENON_OK, or a status of tenon-status(3); the text of the failure is then in the thread's error "
                 "record.") if function["returns"].get("status") else []


def function_page(function: dict, contract: Contract) -> str:
    header = function["header"].removesuffix(".h")
    synopsis = [f"#include <tenon/{function['header']}>", "", *declaration(function).split("\n")]
    body = section("SYNOPSIS", code(synopsis)) + section("DESCRIPTION", prose(function["doc"]))
    for record in records_of(function, contract.records):
        body += section(f'"STRUCT {record["name"]}"', prose(record.get("doc") or "") + fields(record))
    body += section("RETURN VALUE", returned(function))
    body += section("SEE ALSO", [f"\\fBtenon\\-{header}\\fR(3), \\fBtenon\\-abi\\fR(3)"])
    return page(function["name"], contract.version, brief(function["doc"]), body)


def header_page(header: Header, version: str) -> str:
    body = section("SYNOPSIS", code([f"#include <tenon/{header.name}>"]))
    body += section("DESCRIPTION", prose(sentence(header.title) + "\n\n" + header.opening))
    body += section("CONSTANTS", code(header.constants))
    listed = []
    for function in header.functions:
        listed += [".TP", f"\\fB{escaped(function['name'])}\\fR(3)", escaped(brief(function["doc"]))]
    body += section("FUNCTIONS", listed)
    return page("tenon-" + header.stem, version, brief(header.title), body)


def main() -> int:
    contract, output = load(Path(sys.argv[1]), Path(sys.argv[2])), Path(sys.argv[3])
    output.mkdir(parents=True, exist_ok=True)
    for header in contract.headers:
        for function in header.functions:
            (output / f"{function['name']}.3").write_text(function_page(function, contract), encoding="utf-8")
        if header.functions:
            (output / f"tenon-{header.stem}.3").write_text(header_page(header, contract.version), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
