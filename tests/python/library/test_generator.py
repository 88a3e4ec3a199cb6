"""The generator rejects headers from which no bindings and tests can be derived, and keeps the function table
append-only."""
import re
import shutil

import pytest

import generator
from generator import ROOT

pytest.importorskip("clang.cindex", reason="libclang is not installed")
emit_c, levels, read, rules = (generator.module(name) for name in ("emit_c", "levels", "read", "rules"))

FAULTS = {
    "no comment": ("\n\nTENON_API int32_t tenon_x(void);", "has no comment directly above it"),
    "wrong prefix": ("/* D. */\nTENON_API int32_t other_x(void);", "a public name starts with tenon_"),
    "result": ("/* D. */\nTENON_API int64_t tenon_x(void);", "a function returns a status"),
    "unnamed": ("/* D. */\nTENON_API int32_t tenon_x(int32_t);", "has no name"),
    "long": ("/* D. */\nTENON_API int32_t tenon_x(long n);", "long may not cross the border"),
    "struct by value": ("/* D. */\nTENON_API int32_t tenon_x(tenon_launch launch);", "may not be passed by value"),
    "elements": ("/* D. */\nTENON_API int32_t tenon_x(const int64_t* shape);", "elements have a TENON_LENGTH"),
    "length of nothing": ("/* D. */\nTENON_API int32_t tenon_x(TENON_LENGTH(n) const int64_t* shape);",
                          "n, which is no parameter"),
    "text": ("/* D. */\nTENON_API int32_t tenon_x(const char* name);", "characters are TENON_TEXT"),
    "bytes": ("/* D. */\nTENON_API int32_t tenon_x(void* data);", "bytes have a TENON_LENGTH"),
    "output": ("/* D. */\nTENON_API int32_t tenon_x(int32_t* out_n);", "go together"),
    "output handle": ("/* D. */\nTENON_API int32_t tenon_x(TENON_OUT tenon_array** out_array);", "is TENON_OWNED"),
    "handle type": ("typedef struct tenon_thing tenon_thing;", "a handle type has a function tenon_thing_release"),
    "padding": ("typedef struct tenon_s { uint32_t struct_size; uint64_t n; } tenon_s;", "no padding before n"),
    "constant": ("#define TENON_X (1 << 3)", "a constant is one integer"),
    "constant of nothing": ("#define TENON_THING_A 1", "TENON_THING_A: belongs to no enumeration"),
    "enumeration without constants": ("/* D. */\nTENON_API int32_t tenon_x(TENON_ENUM(THING) int32_t kind);",
                                      "there is no constant TENON_THING_*"),
    "equal constants": ("#define TENON_THING_A 1\n#define TENON_THING_B 1\n/* D. */\nTENON_API int32_t "
                        "tenon_x(TENON_ENUM(THING) int32_t kind);", "two of its constants have the same value"),
    "no single bit": ("#define TENON_THING_A 3u\n/* D. */\nTENON_API int32_t tenon_x(TENON_FLAGS(THING) uint32_t "
                      "flags);", "TENON_THING_A is no single bit"),
    "nested prefix": ("#define TENON_SVD_X 1\n/* D. */\nTENON_API int32_t tenon_x(TENON_ENUM(SVD) int32_t kind);",
                      "its prefix TENON_SVD_ begins that of SVD_MODE"),
    "values and bits": ("#define TENON_THING_A 1u\n/* D. */\nTENON_API int32_t tenon_x(TENON_FLAGS(THING) uint32_t "
                        "flags, TENON_ENUM(THING) uint32_t kind);", "is named by TENON_ENUM and by TENON_FLAGS"),
    "kind of what": ("/* D. */\nTENON_API int32_t tenon_x(int32_t kind);",
                     "parameter kind: has TENON_ENUM or TENON_FLAGS"),
    "constants in a double": ("/* D. */\nTENON_API int32_t tenon_x(TENON_ENUM(MEMORY) double where);",
                              "constants are int32_t or uint32_t"),
    "any pointer": ("/* D. */\nTENON_API int32_t tenon_x(const void* thing);",
                    "a handle of any kind is TENON_ANY_HANDLE"),
    "length of no field": ("typedef struct tenon_s { TENON_LENGTH(n) const int64_t* shape; } tenon_s;",
                           "TENON_LENGTH names n, which is no field"),
    "field of elements": ("typedef struct tenon_s { const int64_t* shape; } tenon_s;",
                          "tenon_s.shape: elements have a TENON_LENGTH"),
    "field of text": ("typedef struct tenon_s { const char* name; } tenon_s;",
                      "tenon_s.name: characters are TENON_TEXT"),
    "whose pointer": ("typedef struct tenon_s { const char* name TENON_TEXT; } tenon_s;\n/* D. */\nTENON_API int32_t "
                      "tenon_x(TENON_OUT tenon_s* out_s);", "a pointer that the library writes is TENON_BORROWED"),
    "handle without a kind": ("typedef struct tenon_thing tenon_thing;\n/* D. */\nTENON_API int32_t "
                              "tenon_thing_retain(tenon_thing* thing);\n"
                              "/* D. */\nTENON_API void tenon_thing_release(TENON_NULLABLE tenon_thing* thing);",
                              "needs a constant TENON_HANDLE_THING"),
}
UNREADABLE = ("long", "constant")  # the reader stops at these


def headers_with(tmp_path, declaration):
    """A copy of the headers, as of level 1.0, with another declaration in fft.h."""
    include = tmp_path / "include"
    shutil.copytree(ROOT / "include", include)
    set_level(include, "0x00010000u")
    header = include / "tenon/fft.h"
    header.write_text(header.read_text().replace("#define TENON_FFT_H\n", "#define TENON_FFT_H\n#include <tenon/kernel.h>\n")
                      .replace("#ifdef __cplusplus\n}", f"{declaration}\n\n#ifdef __cplusplus\n}}"))
    return include


def faults_of(include):
    try:
        return "\n".join(rules.faults(read.read(include)))
    except read.HeaderError as error:
        return str(error)


def test_the_headers_have_no_fault():
    assert faults_of(ROOT / "include") == ""


def numbered(text, number):
    """The text with unique names, so that one header can contain all faults."""
    return re.sub(r"tenon_x\b|other_x\b|tenon_s\b|tenon_thing|THING", lambda m: f"{m[0]}{number}", text)


@pytest.fixture(scope="module")
def all_faults(tmp_path_factory):
    """The messages for all readable declarations, from a single run because reading is slow."""
    declarations = [numbered(declaration, i) for i, (name, (declaration, _)) in enumerate(FAULTS.items())
                    if name not in UNREADABLE]
    return faults_of(headers_with(tmp_path_factory.mktemp("faults"), "\n".join(declarations)))


@pytest.mark.parametrize("number, said", [(i, said) for i, (name, (_, said)) in enumerate(FAULTS.items())
                                          if name not in UNREADABLE],
                         ids=[name for name in FAULTS if name not in UNREADABLE])
def test_a_fault_is_named(all_faults, number, said):
    lines = [line for line in all_faults.splitlines() if numbered(said, number) in line]
    assert lines and ("SVD" in said or any(re.search(rf"[xsgG]{number}(?![0-9])", line) for line in lines))


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_named(tmp_path, name):
    declaration, said = FAULTS[name]
    assert said in faults_of(headers_with(tmp_path, declaration))


def test_a_header_that_tenon_h_leaves_out_is_named(tmp_path):
    include = headers_with(tmp_path, "")
    (include / "tenon/more.h").write_text("")
    assert "tenon/more.h is not included" in faults_of(include)


def set_level(include, level):
    header = include / "tenon/abi.h"
    header.write_text(re.sub("(TENON_ABI_LEVEL) 0x[0-9a-f]+u", rf"\1 {level}", header.read_text()))


NEW = "/* D. */\nTENON_API int32_t tenon_a_new_one(void);"


def lists_of(tmp_path, state):
    """All of today's functions and structs as those of a level 1.0 in that state."""
    directory, known = tmp_path / "levels", levels.load(ROOT / "abi/levels")
    directory.mkdir()
    names, sizes = [name for level in known for name in level.names], {}
    for level in known:
        sizes |= level.sizes
    (directory / "1.0.txt").write_text(levels.text(levels.Level("1.0", state == "released", names, sizes)))
    return directory


def test_a_new_function_goes_to_the_end_of_the_table(tmp_path):
    model = read.read(headers_with(tmp_path, NEW))
    levels.assign(model, lists_of(tmp_path, "open"))
    assert model.functions[-1].name == "tenon_a_new_one"


def test_the_list_of_an_open_level_survives_a_merge(tmp_path):
    directory = lists_of(tmp_path, "open")
    path, before = directory / "1.0.txt", levels.load(directory)[0].names
    first = path.read_text().splitlines()[2]
    path.write_text(path.read_text() + f"<<<<<<< HEAD\n{first}\n=======\ntenon_gone\n>>>>>>> other\n")
    model = read.read(headers_with(tmp_path, ""))
    levels.assign(model, directory)
    assert model.levels[0].names == before


def test_a_released_level_takes_no_new_function(tmp_path):
    model = read.read(headers_with(tmp_path, NEW))
    with pytest.raises(read.HeaderError, match="level 1.0 is released; raise TENON_ABI_LEVEL to add tenon_a_new_one"):
        levels.assign(model, lists_of(tmp_path, "released"))


def test_a_function_of_a_level_cannot_go(tmp_path):
    include = headers_with(tmp_path, "")
    header = include / "tenon/abi.h"
    header.write_text(header.read_text().replace("TENON_API uint32_t tenon_version(void);", ""))
    with pytest.raises(read.HeaderError, match="declared in no header: tenon_version"):
        levels.assign(read.read(include), lists_of(tmp_path, "released"))


def test_a_new_level_appends_to_the_table_of_the_old(tmp_path):
    include = headers_with(tmp_path, NEW)
    set_level(include, "0x00010100u")
    model = read.read(include)
    levels.assign(model, lists_of(tmp_path, "released"))
    assert [(level.name, level.released) for level in model.levels] == [("1.0", True), ("1.1", False)]
    assert model.levels[1].names == ["tenon_a_new_one"]
    assert model.levels[1].sizes == {}
    table = emit_c.api_header(model)
    assert "#if TENON_TARGET_LEVEL >= 0x00010100u\n  int32_t (*a_new_one)(void);\n#endif" in table
    assert table.count("#if TENON_TARGET_LEVEL") == 1


def with_level(include, more_in_launch):
    """Headers of level 1.1 whose tenon_launch has an additional field at its end, or one field less."""
    set_level(include, "0x00010100u")
    header = include / "tenon/kernel.h"
    old = re.search(r"  uint32_t shared_bytes;.*?\n} tenon_launch;", header.read_text(), re.S)[0]
    new = old.replace("\n} tenon_launch", "\n  uint64_t more;\n} tenon_launch") if more_in_launch else "} tenon_launch;"
    header.write_text(header.read_text().replace(old, new))
    return read.read(include)


def test_a_struct_that_grows_keeps_the_sizes_of_older_callers(tmp_path):
    model = with_level(headers_with(tmp_path, ""), True)
    levels.assign(model, lists_of(tmp_path, "released"))
    assert model.levels[1].sizes == {"tenon_launch": 56}
    assert ("Sized<tenon_launch> {\n  static constexpr const char* name = \"tenon_launch\";\n"
            "  static constexpr std::array<uint32_t, 2> sizes{48, 56}") \
        in emit_c.struct_facts(model)
    assert "struct tenon_launch 56" in levels.text(model.levels[1])


def test_a_struct_of_a_level_cannot_shrink(tmp_path):
    with pytest.raises(read.HeaderError, match="tenon_launch had 48 bytes in a level before 1.1, and now has 44"):
        levels.assign(with_level(headers_with(tmp_path, ""), False), lists_of(tmp_path, "released"))


def test_a_released_level_takes_no_larger_struct(tmp_path):
    include = headers_with(tmp_path, "")
    header = include / "tenon/graph.h"
    header.write_text(header.read_text().replace("\n} tenon_graph_node_info",
                                                 "\n  uint64_t more;\n} tenon_graph_node_info"))
    with pytest.raises(read.HeaderError, match="raise TENON_ABI_LEVEL to add or extend tenon_graph_node_info"):
        levels.assign(read.read(include), lists_of(tmp_path, "released"))


def test_a_released_level_takes_no_new_constant(tmp_path):
    include = headers_with(tmp_path, "")
    model = read.read(include)
    levels.assign(model, lists_of(tmp_path, "released"))
    layouts = tmp_path / "layouts"
    layouts.mkdir()
    names = [constant.name for constant in model.constants if not constant.name.startswith(levels.CHANGING)]
    (layouts / "layout_1.0.c").write_text("".join(f"IS({name} == 0);\n" for name in names[1:]))
    with pytest.raises(read.HeaderError, match=f"level 1.0 is released; raise TENON_ABI_LEVEL to add {names[0]}"):
        levels.check_constants(model, layouts)
    (layouts / "layout_1.0.c").write_text("".join(f"IS({name} == 0);\n" for name in names))
    levels.check_constants(model, layouts)
