"""abi/prose.py, which rejects incomplete comments in the headers."""

import pytest

import generator

prose, model = generator.module("prose"), generator.module("model")
Function, Parameter, Type = model.Function, model.Parameter, model.Type
STATUS = Type("scalar", "int32_t")


def function(doc, *names):
    return Function("tenon_f", STATUS, [Parameter(name, Type("scalar", "int32_t")) for name in names], doc, "tenon/f.h")


@pytest.mark.parametrize("doc, names, thrown, fault", [
    ("Adds.", [], {"SHAPE"}, "returns SHAPE"),
    ("Adds. TENON_ERROR_SHAPE: they differ.", [], {"SHAPE"}, None),
    ("Adds. SHAPES are checked.", [], {"SHAPE"}, "returns SHAPE"),
    ("Adds.", [], {"INVALID_ARGUMENT", "OUT_OF_MEMORY"}, None),
    ("Adds.", ["stream"], set(), "takes a stream"),
    ("Adds; nothing waits.", ["stream"], set(), None),
    ("Keeps it.", ["destroy"], set(), "takes a destroy function"),
    ("Keeps it until destroy(user) runs.", ["destroy"], set(), None),
])
def test_functions(doc, names, thrown, fault):
    found = list(prose.of_function(function(doc, *names), doc, thrown))
    assert len(found) == (fault is not None) and (fault is None or fault in found[0])


def test_headers():
    good = "/* tenon/f.h: it.\n *\n *   tenon_f(x);     adds\n */\n#ifndef TENON_F_H\n"
    assert not list(prose.of_header("f.h", good))
    assert "shows a use" in next(prose.of_header("f.h", "/* tenon/f.h: it. */\n#ifndef TENON_F_H\n   tenon_f(x);\n"))
    assert "121 columns" in next(prose.of_header("f.h", good + "/" * 121))


def test_statuses_of_a_definition(tmp_path):
    (tmp_path / "a.cpp").write_text("int32_t tenon_f(int x) {\n  { fail(TENON_ERROR_SHAPE); }\n}\n"
                                    "int32_t tenon_g() { return TENON_OK; }\n void h() { fail(TENON_ERROR_IO); }\n")
    assert prose.statuses_of_the_edge(tmp_path) == {"tenon_f": {"SHAPE"}, "tenon_g": set()}
