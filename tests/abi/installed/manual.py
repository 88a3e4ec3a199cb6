#!/usr/bin/env python3
"""tests/abi/installed/manual.py: the HTML manual has an entry for all that is public, no link in it is dead, its pages
are sound, and building it twice gives the same bytes. Usage: manual.py SOURCE_ROOT. Status 77: markdown-it-py is not
installed."""
import json
import os
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

EMPTY = {"meta", "link", "input", "br", "hr", "img"}  # elements without an end


class Page(HTMLParser):
    """The anchors, the links and the errors of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.faults += [f"<{tag}> is not closed" for tag in self.open]
        self.faults += [f"two elements are #{one}" for one in sorted({x for x in self.ids if self.ids.count(x) > 1})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "a" and "a" in self.open:
            self.faults.append(f"a link inside a link, at {self.getpos()}")
        if tag not in EMPTY:
            self.open.append(tag)
        if "id" in values:
            self.ids.append(values["id"])
        for name in ("href", "src"):
            if name in values:
                self.links.append(values[name])

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing, at {self.getpos()}")


def build(root: Path, output: Path, seed: str) -> dict[str, bytes]:
    """Builds the manual; the seed changes the order of sets of strings."""
    done = subprocess.run([sys.executable, root / "abi/packaging/html_manual.py", root, output], text=True,
                          capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return {path.name: path.read_bytes() for path in sorted(output.iterdir())}


def public_names(contract: dict) -> set[str]:
    """All names in the description; fields as struct.field."""
    found = {item["name"] for kind in ("functions", "handles", "callbacks", "numbers") for item in contract[kind]}
    found |= {value["name"] for enumeration in contract["enumerations"] for value in enumeration["values"]}
    for record in contract["structs"]:
        found |= set() if "nested_in" in record else {record["name"]}
        found |= {f"{record['name']}.{field['name']}" for field in record["fields"]}
    return found


def faults_of_links(pages: dict[str, Page], files: dict[str, bytes]) -> list[str]:
    found = []
    for name, page in pages.items():
        for link in page.links:
            target, _, anchor = unquote(link).partition("#")
            target = target or name
            if link.startswith(("http:", "https:")):
                continue
            if target not in files:
                found.append(f"{name}: {link} leads to no file of the manual")
            elif anchor and anchor not in pages[target].ids:
                found.append(f"{name}: {link} leads to no anchor of {target}")
    return found


def faults_of_search(pages: dict[str, Page], files: dict[str, bytes], names: set[str]) -> list[str]:
    entries = json.loads(files["entries.js"].decode().removeprefix("const ENTRIES = ").rstrip().removesuffix(";"))
    found = [f"the search does not know {name}" for name in sorted(names - {entry[0] for entry in entries})]
    for name, _, place, _ in entries:
        target, _, anchor = place.partition("#")
        if target not in pages or (anchor and anchor not in pages[target].ids):
            found.append(f"the search leads from {name} to {place}, which does not exist")
    return found


def main() -> int:
    try:
        import markdown_it  # noqa: F401
    except ImportError:
        print(f"{sys.executable} has no markdown_it: the manual was not tried")
        return 77
    root = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        files = build(root, Path(folder) / "one", "1")
        again = build(root, Path(folder) / "another-name", "2")
    pages = {name: Page(text.decode()) for name, text in files.items() if name.endswith(".html")}
    names = public_names(json.loads((root / "abi/generated/tenon.json").read_text()))
    anchors = {anchor for page in pages.values() for anchor in page.ids}
    faults = [f"{name} has no entry" for name in sorted(names - anchors)]
    faults += [f"{name}: {fault}" for name, page in pages.items() for fault in page.faults]
    faults += faults_of_links(pages, files)
    faults += faults_of_search(pages, files, {name for name in names if "." not in name})
    faults += [f"{name} differs between two builds" for name in sorted(files.keys() | again.keys())
               if files.get(name) != again.get(name)]
    for fault in faults:
        print(fault)
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {len(names)} public names, {links} links: {len(faults)} faults")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
