#!/usr/bin/env python3
"""abi/packaging/html_manual.py: writes the reference manual as web pages that need no server and no network: a page per
header, from the description of the contract, and a page per guide, from the Markdown of the source tree.
Usage: html_manual.py SOURCE_ROOT OUTPUT_DIRECTORY [DEPFILE]. Needs markdown-it-py (Debian: python3-markdown-it).
DEPFILE lists all files that were read, for ninja."""
from __future__ import annotations

import json
import posixpath
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from contract import Block, Contract, Header, blocks, brief, declaration, load, records_of, sentence

HERE = Path(__file__).resolve().parent
# The guides: page and source. Other files that they link to are not part of the manual.
GUIDES = {
    "overview": "README.md", "c": "include/README.md", "python": "abi/python/README.md",
    "frameworks": "abi/python/frameworks.md", "from_cupy": "abi/python/from_cupy.md", "rust": "abi/rust/README.md",
    "julia": "abi/julia/README.md", "kernels": "kernels/README.md", "image": "kernels/image/README.md",
    "kernel_support": "tests/kernels/README.md", "installing": "src/tool/README.md",
    "security": ".github/SECURITY.md", "bindings": "abi/README.md", "architecture": "src/README.md",
    "contributing": ".github/CONTRIBUTING.md",
}
WORD = re.compile(r"`([^`\n]+)`|\bTENON_[A-Z0-9_]+\*|\b(?:TENON_|tenon_)\w+|\b(?:tenon/)?[a-z]+\.h\b|"
                  r"\b[A-Z][A-Z_]+[A-Z]\b")


class Links:
    """The page and anchor of each name in the contract."""

    def __init__(self, contract: Contract):
        self.places: dict[str, str] = {}
        self.entries: list[tuple[str, str, str, str]] = []  # for the search: name, kind, link, first sentence
        self.statuses: set[str] = set()
        self.headers = {header.name for header in contract.headers}
        for header in contract.headers:
            self.add(header.name, "header", f"{header.stem}.html", header.title)
            for kind, name, doc in names(header):
                self.add(name, kind, f"{header.stem}.html#{name}", doc)
            for enumeration in header.enumerations:
                place = f"{header.stem}.html#enum-{enumeration['name']}"
                self.places[label(enumeration)] = place
                self.places["enum " + enumeration["name"]] = place
                if enumeration["name"] == "STATUS":
                    self.statuses = {v["name"].removeprefix("TENON_ERROR_") for v in enumeration["values"]}

    def add(self, name: str, kind: str, place: str, doc: str) -> None:
        if name in self.places:
            raise SystemExit(f"{name} is described twice: {self.places[name]} and {place}")
        self.places[name] = place
        self.entries.append((name, kind, place, brief(doc) if doc.strip() else ""))

    def find(self, word: str, of_function: bool) -> str | None:
        """The link for a word. of_function: in a function's comment, statuses may be named without their prefix."""
        if of_function and word in self.statuses:
            word = "TENON_ERROR_" + word
        return self.places.get(word.removeprefix("tenon/"))

    def text(self, text: str, here: str = "", of_function: bool = False) -> str:
        """Text as HTML, with links for the names of the contract, except for `here`, to whose entry the text
        belongs."""
        out, end = [], 0
        for match in WORD.finditer(text):
            out.append(escape(text[end:match.start()], quote=False))
            out.append(self.word(match[0], match[1], here, of_function))
            end = match.end()
        return "".join(out) + escape(text[end:], quote=False)

    def word(self, word: str, quoted: str | None, here: str, of_function: bool) -> str:
        if quoted is not None:
            return f"<code>{self.text(quoted, here)}</code>"
        place = None if word == here else self.find(word, of_function)
        shown = escape(word, quote=False)
        return f'<a href="{place}"><code>{shown}</code></a>' if place else shown

    def code(self, text: str, here: str = "") -> str:
        """Code as HTML: like text, but links are not wrapped in <code>, and ` is an ordinary character."""
        pieces = [self.text(piece, here) for piece in text.split("`")]
        return re.sub(r"(<a [^>]*>)<code>(.*?)</code></a>", r"\1\2</a>", "`".join(pieces))


def names(header: Header) -> Iterator[tuple[str, str, str]]:
    """The declarations of a header that have an anchor on its page: kind, name, documentation."""
    for function in header.functions:
        yield "function", function["name"], function["doc"]
    for handle in header.handles:
        yield "handle", handle["name"], handle["doc"]
    for record in header.structs:
        if "nested_in" not in record:
            yield "struct", record["name"], record["doc"]
    for callback in header.callbacks:
        yield "callback", callback["name"], callback["doc"]
    for enumeration in header.enumerations:
        for value in enumeration["values"]:
            yield "constant", value["name"], value["doc"]
    for number in header.numbers:
        yield "constant", number["name"], number["doc"]
    for macro in header.macros:
        yield "macro", macro.name, macro.doc


class Pages:
    """Generates the parts of pages as text."""

    def __init__(self, contract: Contract):
        self.contract, self.links = contract, Links(contract)
        self.releases = {handle["name"]: handle["release"] for header in contract.headers for handle in header.handles}

    # --- a page ------------------------------------------------------------------------------------------------------

    def page(self, place: str, title: str, body: str) -> str:
        return PAGE.format(title=escape(title), version=escape(self.contract.version), body=body,
                           contents=self.contents(place))

    def contents(self, place: str) -> str:
        guides = [(f"guide_{page}.html", title) for page, title in TITLES.items()]
        headers = [(f"{header.stem}.html", header.name) for header in self.contract.headers]
        return "".join(f"<h2>{title}</h2>\n<ul>\n{self.listed(items, place)}</ul>\n" for title, items in
                       (("Start", [("index.html", "Contents"), ("names.html", "All names")]), ("Guides", guides),
                        ("Headers", headers)))

    def listed(self, items: Iterable[tuple[str, str]], place: str) -> str:
        return "".join(f'<li><a href="{target}"{CURRENT if target == place else ""}>{escape(title)}</a></li>\n'
                       for target, title in items)

    # --- comments ----------------------------------------------------------------------------------------------------

    def prose(self, text: str, here: str = "", of_function: bool = True) -> str:
        out, in_list = [], False
        for block in blocks(text):
            if in_list != (block.kind == "item"):
                in_list = not in_list
                out.append("<ul>" if in_list else "</ul>")
            out.append(self.block(block, here, of_function))
        return "\n".join([*out, *(["</ul>"] if in_list else [])])

    def block(self, block: Block, here: str, of_function: bool) -> str:
        text = "\n".join(block.lines)
        if block.kind == "item":
            return f"<li>{self.links.text(text, here, of_function)}</li>"
        if block.kind == "code":
            indent = min(len(line) - len(line.lstrip()) for line in block.lines)
            return code_block(self.links.code("\n".join(line[indent:] for line in block.lines), here))
        return "\n".join(f"<p>{self.links.text(part, here, of_function)}</p>" for part in paragraphs(text))

    # --- entries of a header -----------------------------------------------------------------------------------------

    def header(self, header: Header) -> str:
        parts = [f"<h1>{escape(header.name)}</h1>", f'<p class="what">{self.links.text(sentence(header.title))}</p>',
                 code_block(f"#include &lt;tenon/{header.name}&gt;"), self.prose(header.opening), self.summary(header)]
        parts += self.group("Handles", [self.handle(handle) for handle in header.handles])
        parts += self.group("Functions", [self.function(function) for function in header.functions])
        parts += self.group("Structs", [self.record(record) for record in header.structs if "nested_in" not in record])
        parts += self.group("Callbacks", [self.callback(callback) for callback in header.callbacks])
        parts += self.group("Enumerations", [self.enumeration(e) for e in header.enumerations])
        parts += self.group("Constants", [self.constants(header.numbers)] if header.numbers else [])
        parts += self.group("Macros", [self.macros(header)] if header.macros else [])
        return self.page(f"{header.stem}.html", f"{header.name}: {header.title}", "\n".join(filter(None, parts)))

    def summary(self, header: Header) -> str:
        rows = [(f'<a href="#{f["name"]}"><code>{f["name"]}</code></a>', self.links.text(brief(f["doc"]), f["name"]))
                for f in header.functions]
        return "<h2>In short</h2>\n" + table(["Function", "What it does"], rows) if rows else ""

    def group(self, title: str, entries: list[str]) -> list[str]:
        return [f'<h2 id="{title.lower()}">{title}</h2>', *entries] if entries else []

    def entry(self, name: str, parts: list[str]) -> str:
        return "\n".join(["<section>", heading(name), *filter(None, parts), "</section>"])

    def function(self, function: dict) -> str:
        name = function["name"]
        rows = [(f"<code>{p['name']}</code>", f"<code>{self.links.code(p['c'])}</code>", self.notes(p))
                for p in function["parameters"]]
        records = ", ".join(self.links.text(record["name"]) for record in records_of(function, self.contract.records))
        return self.entry(name, [
            code_block(self.links.code(declaration(function), name)), self.prose(function["doc"], name),
            table(["Parameter", "Type", "Notes"], rows) if rows else "", self.returned(function),
            f"<p>Structs that may grow: {records}.</p>" if records else "",
            f'<p class="since">Since level {escape(function["since"])}.</p>'])

    def returned(self, function: dict) -> str:
        """The statuses that a function can return: those in its comment, and those of every function."""
        if not function["returns"].get("status"):
            return ""
        words = re.findall(r"\b(?:TENON_ERROR_)?([A-Z][A-Z_]+)\b", function["doc"])
        own = [word for word in dict.fromkeys(words) if word in self.links.statuses and word != "TENON_OK"]
        named = ", ".join(self.links.text("TENON_ERROR_" + word) for word in own)
        return (f"<p><strong>Returns</strong> {self.links.text('TENON_OK')}"
                + (f"; named above: {named}" if named else "")
                + '; or what <a href="abi.html">any function</a> may return.</p>')

    def notes(self, item: dict) -> str:
        """The annotations of a parameter or a field, in words."""
        said = ["written by the call"] if item.get("out") else []
        if item.get("inout"):
            said.append("an array that is given, or made if <code>*" + item["name"] + "</code> is <code>NULL</code>")
        if item.get("owned"):
            release = self.releases.get(target_of(item["type"]))
            said.append("a new reference" + (f", given back by {self.links.text(release)}" if release else ""))
        for word, note in (("consumed", "taken over on success"), ("nullable", "may be <code>NULL</code>"),
                           ("text", "UTF-8, ends with a NUL"), ("yes_no", "0 or 1"),
                           ("any_handle", "a handle of any kind"), ("reserved", "leave it 0")):
            if item.get(word):
                said.append(note)
        for word, note in (("enum", "one of"), ("flags", "bits of")):
            if item.get(word):
                said.append(f"{note} {self.enumeration_link(item[word])}")
        if item.get("length"):
            unit = "bytes" if target_of(item["type"]) in ("", "char") else "elements"
            said.append(f"<code>{escape(item['length'])}</code> {unit}")
        if item.get("borrowed"):
            said.append(f"borrowed: lives as long as the {escape(item['borrowed'])}")
        return "; ".join(said)

    def enumeration_link(self, name: str) -> str:
        found = next(e for h in self.contract.headers for e in h.enumerations if e["name"] == name)
        return f'<a href="{self.links.places["enum " + name]}"><code>{label(found)}</code></a>'

    def record(self, record: dict) -> str:
        name = record["name"]
        inner = [r for r in self.contract.records.values() if r.get("nested_in") == name]
        about = f"{record['size']} bytes, aligned to {record['alignment']}"
        about += "; may grow: set <code>struct_size</code> to its size" if "struct_sizes" in record else ""
        return self.entry(name, [self.prose(record.get("doc") or "", name), f'<p class="since">{about}.</p>',
                                 self.fields(record, name),
                                 *(f"<p>The union <code>{r['name'].removeprefix(name + '_')}</code>:</p>\n" +
                                   self.fields(r, r["name"]) for r in inner)])

    def fields(self, record: dict, prefix: str) -> str:
        rows = []
        for item in record["fields"]:
            doc = self.links.text(item.get("doc", ""), prefix, True)
            said = [part for part in (doc.rstrip("."), self.notes(item)) if part]
            nested = "nested_in" in self.contract.records.get(item["type"].get("name", ""), {})
            declared = f"union {item['name']}" if nested else item["c"]
            rows.append((f'<code id="{prefix}.{item["name"]}">{self.links.code(declared)}</code>',
                         str(item["offset"]), "; ".join(said)))
        return table(["Field", "Offset", "Meaning"], rows)

    def handle(self, handle: dict) -> str:
        words = [self.links.text(handle[word]) for word in ("retain", "release", "kind")]
        return self.entry(handle["name"], [
            self.prose(handle["doc"], handle["name"]),
            f"<p>Take a reference: {words[0]}; give one back: {words[1]}; its kind: {words[2]}.</p>"])

    def callback(self, callback: dict) -> str:
        name = callback["name"]
        rows = [(f"<code>{p['name']}</code>", f"<code>{self.links.code(p['c'])}</code>", self.notes(p))
                for p in callback["parameters"]]
        returns = callback["returns"].get("name") or callback["returns"]["kind"]
        returns += "*" if callback["returns"]["kind"] == "pointer" else ""
        parameters = ", ".join(f"{p['c']} {p['name']}" for p in callback["parameters"])
        return self.entry(name, [code_block(self.links.code(f"typedef {returns} (*{name})({parameters});", name)),
                                 self.prose(callback["doc"], name), table(["Parameter", "Type", "Notes"], rows)])

    def enumeration(self, enumeration: dict) -> str:
        how = "Bits, to be combined with <code>|</code>; 0 is none." if enumeration["flags"] else ""
        anchor = f'<h3 id="enum-{enumeration["name"]}"><code>{label(enumeration)}</code></h3>'
        return "\n".join(filter(None, ["<section>", anchor, f"<p>{how}</p>" if how else "",
                                       self.constants(enumeration["values"]), "</section>"]))

    def constants(self, values: list[dict]) -> str:
        return table(["Name", "Value", "Meaning"],
                     [(f'<code id="{v["name"]}">{v["name"]}</code>', f"<code>{number(v['value'])}</code>",
                       self.links.text(v["doc"], v["name"], True)) for v in values])

    def macros(self, header: Header) -> str:
        rows = [(f'<code id="{m.name}">{escape(m.c)}</code>', self.links.text(m.doc, m.name) or
                 (f"<code>{self.links.code(m.body, m.name)}</code>")) for m in header.macros]
        return table(["Macro", "Meaning"], rows)

    # --- other pages ------------------------------------------------------------------------------------------

    def index(self) -> str:
        guides = [(f'<a href="guide_{page}.html">{escape(TITLES[page])}</a>', f"<code>{escape(source)}</code>")
                  for page, source in GUIDES.items()]
        headers = [(f'<a href="{h.stem}.html"><code>{h.name}</code></a>', self.links.text(sentence(h.title), h.name),
                    str(len(h.functions))) for h in self.contract.headers]
        return self.page("index.html", "Contents", "\n".join([
            f"<h1>Tenon {escape(self.contract.version)}: reference manual</h1>",
            "<p>Every function, struct and constant of the C interface, from the headers, and the guides. "
            '<a href="names.html">All names</a> are listed on one page. What holds for every function is said once, '
            'in <a href="abi.html"><code>abi.h</code></a>.</p>',
            "<h2>Guides</h2>", table(["Guide", "In the source tree"], guides),
            "<h2>Headers</h2>", table(["Header", "What it has", "Functions"], headers)]))

    def all_names(self) -> str:
        rows = [(f'<a href="{place}"><code>{escape(name)}</code></a>', kind, self.links.text(doc, name))
                for name, kind, place, doc in sorted(self.links.entries)]
        return self.page("names.html", "All names", "<h1>All names</h1>\n" + table(["Name", "Kind", "In short"], rows))

    def search_data(self) -> str:
        rows = [[name, kind, place, doc] for name, kind, place, doc in sorted(self.links.entries)]
        rows += [[title, "guide", f"guide_{page}.html", ""] for page, title in TITLES.items()]
        return "const ENTRIES = " + json.dumps(rows, ensure_ascii=False, separators=(",", ":")) + ";\n"


# --- guides ----------------------------------------------------------------------------------------------------------

def guide(page: str, source: str, root: Path, pages: Pages) -> str:
    """A Markdown file as a page, with links to guides and headers redirected to their pages in the manual."""
    from markdown_it import MarkdownIt
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    rules = markdown.renderer.rules
    rules["code_inline"] = lambda tokens, i, *_: (
        f"<code>{escape(tokens[i].content) if in_link(tokens, i) else pages.links.code(tokens[i].content)}</code>")
    rules["fence"] = rules["code_block"] = lambda tokens, i, *_: code_block(pages.links.code(tokens[i].content.rstrip()))
    rules["table_open"] = lambda *_: '<div class="table" tabindex="0"><table>\n'
    rules["table_close"] = lambda *_: "</table></div>\n"
    tokens = markdown.parse((root / source).read_text(encoding="utf-8"))
    slugs: dict[str, int] = {}
    for heading_open, inline in zip(tokens, tokens[1:], strict=False):
        if heading_open.type == "heading_open":
            heading_open.attrSet("id", slug(inline.content, slugs))
    for token in tokens:
        redirect(token.children or [], posixpath.dirname(source), root)
    return pages.page(f"guide_{page}.html", TITLES[page], markdown.renderer.render(tokens, markdown.options, {}))


def in_link(tokens: list, index: int) -> bool:
    return sum({"link_open": 1, "link_close": -1}.get(token.type, 0) for token in tokens[:index]) > 0


def redirect(tokens: list, folder: str, root: Path) -> None:
    """Redirects links to pages of the manual; links to files outside of the manual become text with the path."""
    pending = None
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrGet("href"))
            place = placed(target, folder, root)
            pending = None if place else posixpath.normpath(posixpath.join(folder, target))
            token.attrs = {"href": place} if place else {"class": "source", "title": f"{pending}, in the source tree"}
            token.tag = "a" if place else "span"
        elif token.type == "link_close":
            token.tag = "span" if pending else "a"
            pending = None


def placed(target: str, folder: str, root: Path) -> str | None:
    """The page of the manual for a link of a guide in `folder`; None: the target is not part of the manual."""
    if re.match(r"[a-z]+:", target):
        return target
    name, mark, anchor = target.partition("#")
    if not name:
        return target
    path = posixpath.normpath(posixpath.join(folder, name))
    if not (root / path).exists():
        raise SystemExit(f"a guide in {folder or '.'} links to {target}, which does not exist")
    page = next((page for page, source in GUIDES.items() if source == path), None)
    if page:
        return f"guide_{page}.html{mark}{anchor}"
    header = re.fullmatch(r"include/tenon/(\w+)\.h", path)
    return f"{header[1]}.html{mark}{anchor}" if header else None


def slug(heading: str, used: dict[str, int]) -> str:
    """The anchor that GitHub generates for a heading."""
    text = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    count = used[text] = used.get(text, -1) + 1
    return f"{text}-{count}" if count else text


def title_of(text: str) -> str:
    return re.match(r"# (.*)", text)[1].replace("`", "")


# --- small parts -----------------------------------------------------------------------------------------------------

def paragraphs(text: str) -> list[str]:
    """Splits a comment into paragraphs: each status or parameter that it explains begins a new line."""
    parts = [""]
    for line in text.split("\n"):
        starts = re.match(r"\w+(?:(?:,| and| or) \w+)*: ", line) and parts[-1].rstrip().endswith((".", ";"))
        if starts:
            parts.append(line)
        else:
            parts[-1] += ("\n" if parts[-1] else "") + line
    return parts


def label(enumeration: dict) -> str:
    """A pattern for the names of an enumeration's constants; two enumerations have no prefix but TENON_."""
    return {"STATUS": "TENON_ERROR_*", "DTYPE": "TENON_FLOAT32, ..."}.get(enumeration["name"],
                                                                         enumeration["prefix"] + "*")


def heading(name: str) -> str:
    return f'<h3 id="{name}"><a class="anchor" href="#{name}"><code>{name}</code></a></h3>'


def code_block(html: str) -> str:
    return f'<pre tabindex="0"><code>{html}</code></pre>\n'


def table(titles: list[str], rows: list[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="table" tabindex="0"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def number(value: int) -> str:
    return f"{value:#x}" if value > 65535 else str(value)


def target_of(type: dict) -> str:
    """The name of the type that a pointer, or a pointer to a pointer, finally refers to; empty for void."""
    while "target" in type:
        type = type["target"]
    return type.get("name", "")


CURRENT = ' aria-current="page"'
TITLES: dict[str, str] = {}
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - Tenon {version}</title>
<link rel="stylesheet" href="manual.css">
<script src="entries.js" defer></script>
<script src="manual.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="index.html">Tenon {version}</a>
<form role="search" id="search" hidden>
<label for="query">Search by name</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" aria-controls="found" aria-describedby="count">
<p id="count" role="status"></p>
<ul id="found" aria-label="Found names"></ul>
</form>
</header>
<div class="columns">
<main id="content">
{body}
</main>
<nav aria-label="Pages of the manual">
{contents}</nav>
</div>
</body>
</html>
"""


def write(root: Path, output: Path) -> None:
    contract = load(root / "abi/generated/tenon.json", root / "include/tenon")
    TITLES.update({page: title_of((root / source).read_text(encoding="utf-8")) for page, source in GUIDES.items()})
    pages = Pages(contract)
    files = {f"{header.stem}.html": pages.header(header) for header in contract.headers}
    files |= {f"guide_{page}.html": guide(page, source, root, pages) for page, source in GUIDES.items()}
    files |= {"index.html": pages.index(), "names.html": pages.all_names(), "entries.js": pages.search_data()}
    files |= {name: (HERE / name).read_text(encoding="utf-8") for name in ("manual.css", "manual.js")}
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    for name, text in files.items():
        (output / name).write_text(text, encoding="utf-8")


def read_files(root: Path) -> list[Path]:
    return [root / "abi/generated/tenon.json", *sorted((root / "include/tenon").glob("*.h")),
            *(root / source for source in GUIDES.values()), HERE / "contract.py", HERE / "manual.css", HERE / "manual.js"]


def main() -> int:
    try:
        import markdown_it  # noqa: F401
    except ImportError:
        raise SystemExit(f"{sys.executable} has no markdown_it: install python3-markdown-it (Debian) or "
                         "markdown-it-py (pip)") from None
    root, output = Path(sys.argv[1]), Path(sys.argv[2])
    write(root, output)
    if len(sys.argv) > 3:
        inputs = " ".join(str(path).replace(" ", "\\ ") for path in read_files(root))
        Path(sys.argv[3]).write_text(f"{output}: {inputs}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
