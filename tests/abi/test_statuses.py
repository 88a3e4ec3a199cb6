"""Each status that a function returned while the tests ran appears in its comment: the library wrote the statuses to
$TENON_STATUS_FILE. tests/run.sh runs this after all other tests; abi/prose.py checks the statuses in the API's code."""

import json
import os
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "abi"))

import prose  # noqa: E402

DESCRIPTION = json.loads((ROOT / "abi/generated/tenon.json").read_text())
FUNCTIONS = {function["name"]: function for function in DESCRIPTION["functions"]}
# "Statuses as for tenon_operation_call", "the status that tenon_program_create would return"
LIKE = re.compile(r"(?:[Ss]tatuses:?\s+(?:as|those)\s+(?:for|of)|[Aa]s(?:\s+(?:for|by))?|what|status\s+that)\s+"
                  r"(tenon_\w+)")


def words_of(function):
    """The function's comment, the comments that it refers to, and the opening comments of their headers."""
    names = [function["name"]]
    for name in names:
        names += {one for one in LIKE.findall(FUNCTIONS[name]["doc"]) if one in FUNCTIONS} - {*names}
    return "".join(FUNCTIONS[name]["doc"] + prose.opening((ROOT / "include/tenon" / FUNCTIONS[name]["header"]).read_text())
                   for name in names)


def unnamed(lines):
    """The lines (function and status) whose status does not appear in the function's comment."""
    seen = {}
    for line in set(lines):
        function, status = line.split()
        assert function.startswith("tenon_"), "a helper that calls guard() passes its caller's name on"
        seen.setdefault(function, set()).add(status.removeprefix("TENON_ERROR_"))
    for function in DESCRIPTION["functions"]:
        given = any(p.get("inout") for p in function["parameters"])
        for status in prose.unnamed(words_of(function), seen.get(function["name"], set()), given):
            yield f"{function['name']} {status}"


def test_what_functions_returned_is_documented():
    path = os.environ.get("TENON_STATUS_FILE", "")
    if not path or not pathlib.Path(path).exists():
        pytest.skip("no tests ran before that wrote $TENON_STATUS_FILE")
    lines = pathlib.Path(path).read_text().splitlines()
    assert len(set(lines)) > 100, "the tests that ran before met next to no failures"
    assert not list(unnamed(lines)), "name these statuses in the comments of the functions"


def test_it_sees_what_is_not_documented():
    assert list(unnamed(["tenon_dot TENON_ERROR_SHAPE", "tenon_dot TENON_ERROR_INTERNAL"])) == []
    assert list(unnamed(["tenon_dot TENON_ERROR_CANCELLED"])) == ["tenon_dot CANCELLED"]
