"""abi/prose.py: checks whether the comments of the headers are complete, as far as a program can. Returns the
faults."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from model import Function, Model

# Statuses that abi.h documents for every function, and for functions with an output that the caller may supply;
# comments do not repeat them.
GENERAL = {"INVALID_ARGUMENT", "INVALID_HANDLE", "FORKED", "VERSION", "OUT_OF_MEMORY", "CONTEXT", "DEVICE",
           "DEVICE_LOST", "VENDOR", "INTERNAL", "NOT_READY"}
OF_GIVEN_OUTPUTS = {"READ_ONLY", "OVERLAP"}
# Headers that are not used on their own: the vocabulary of the others, derived lists, and the header that includes all.
NO_EXAMPLE = {"abi.h", "api.h", "functions.h", "tenon.h"}
EXAMPLE = re.compile(r"^ \*   \S.*;", re.M)
STREAM = re.compile(r"stream|record|wait|enqueue|on a graph", re.I)
LINE = 120


def faults(model: Model, include: Path, source: Path) -> list[str]:
    texts = {path.name: path.read_text() for path in sorted((include / "tenon").glob("*.h"))}
    found = [f"tenon/{name}: {fault}" for name, text in texts.items() for fault in of_header(name, text)]
    thrown = statuses_of_the_edge(source)
    for function in model.functions:
        words = function.doc + opening(texts[Path(function.header).name])
        found += [f"{function.name}: {fault}"
                  for fault in of_function(function, words, thrown.get(function.name, set()))]
    return found


def opening(text: str) -> str:
    """The comment at the start of a header, which applies to all its functions."""
    return text.partition("#ifndef")[0]


def of_header(name: str, text: str) -> Iterator[str]:
    if name not in NO_EXAMPLE and not EXAMPLE.search(opening(text)):
        yield "its opening comment shows a use, in lines of C indented by three spaces"
    for number, line in enumerate(text.splitlines(), 1):
        if name != "functions.h" and len(line) > LINE:
            yield f"line {number} has {len(line)} columns, and at most {LINE} are possible"


def of_function(function: Function, words: str, thrown: set[str]) -> Iterator[str]:
    given = any(p.inout for p in function.parameters)
    for status in unnamed(words, thrown, given):
        yield f"returns {status}, which neither its comment nor the header's opening names"
    names = {p.name for p in function.parameters}
    if "stream" in names and not STREAM.search(words):
        yield "takes a stream, and neither its comment nor the header's opening says what happens on it"
    if "destroy" in names and "destroy" not in words:
        yield "takes a destroy function, and its comment does not say when that runs"


def unnamed(words: str, statuses: set[str], given: bool) -> list[str]:
    """The statuses (SHAPE, DTYPE ...) that neither abi.h documents for such functions nor the words name. given: the
    function has an output that the caller may supply."""
    return [status for status in sorted(statuses - GENERAL - (OF_GIVEN_OUTPUTS if given else set()))
            if not re.search(rf"\b(TENON_ERROR_)?{status}\b", words)]


def statuses_of_the_edge(source: Path) -> dict[str, set[str]]:
    """The statuses that appear in the definition of each public function. The functions that it calls may return
    others, which tests/abi/test_statuses.py checks."""
    found = {}
    for path in sorted(source.glob("*.cpp")):
        text = path.read_text()
        for match in re.finditer(r"^int32_t (tenon_\w+)\(", text, re.M):
            found[match[1]] = set(re.findall(r"TENON_ERROR_(\w+)", body(text, match.end())))
    return found


def body(text: str, start: int) -> str:
    """The text between the braces that open after `start`. The entry points have no braces in strings."""
    first = place = text.index("{", start)
    depth = 0
    while True:
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[first:place]
        place += 1
