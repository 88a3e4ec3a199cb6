"""The generator refuses headers from which bindings and tests could not be derived, and keeps the function table append-only."""
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("clang.cindex", reason="libclang is not installed")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "abi"))
import levels  # noqa: E402
import read  # noqa: E402
import rules  # noqa: E402

FAULTS = {
    "no comment": ("\n\nTENON_API int32_t tenon_x(void);", "has no comment directly above it"),
    "wrong prefix": ("/* D. */\nTENON_API int32_t other_x(void);", "a public name starts with tenon_"),
    "result": ("/* D. */\nTENON_API int64_t tenon_x(void);", "a function returns a status"),
    "unnamed": ("/* D. */\nTENON_API int32_t tenon_x(int32_t);", "has no name"),
    "long": ("/* D. */\nTENON_API int32_t tenon_x(long n);", "long may not cross the border"),
    "struct by value": ("/* D. */\nTENON_API int32_t tenon_x(tenon_launch launch);", "may not be passed by value"),
    "elements": ("/* D. */\nTENON_API int32_t tenon_x(const int64_t* shape);", "elements have a TENON_LENGTH"),
    "length of nothing": ("/* D. */\nTENON_API int32_t tenon_x(TENON_LENGTH(n) const int64_t* shape);", "n, which is no parameter"),
    "text": ("/* D. */\nTENON_API int32_t tenon_x(const char* name);", "characters are TENON_TEXT"),
    "bytes": ("/* D. */\nTENON_API int32_t tenon_x(void* data);", "bytes have a TENON_LENGTH"),
    "output": ("/* D. */\nTENON_API int32_t tenon_x(int32_t* out_n);", "go together"),
    "output handle": ("/* D. */\nTENON_API int32_t tenon_x(TENON_OUT tenon_array** out_array);", "is TENON_OWNED"),
    "handle type": ("typedef struct tenon_thing tenon_thing;", "a handle type has a function tenon_thing_release"),
    "padding": ("typedef struct tenon_s { uint32_t struct_size; uint64_t n; } tenon_s;", "no padding before n"),
    "constant": ("#define TENON_X (1 << 3)", "a constant is one integer"),
}


def headers_with(tmp_path, declaration):
    """A copy of the headers in which fft.h declares something more."""
    include = tmp_path / "include"
    shutil.copytree(ROOT / "include", include)
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


@pytest.mark.parametrize("declaration, said", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_named(tmp_path, declaration, said):
    assert said in faults_of(headers_with(tmp_path, declaration))


def test_a_header_that_tenon_h_leaves_out_is_named(tmp_path):
    include = headers_with(tmp_path, "")
    (include / "tenon/more.h").write_text("")
    assert "tenon/more.h is not included" in faults_of(include)


NEW = "/* D. */\nTENON_API int32_t tenon_a_new_one(void);"


def lists_of(tmp_path, state):
    directory = tmp_path / "levels"
    shutil.copytree(ROOT / "abi/levels", directory)
    path = directory / "1.0.txt"
    path.write_text(path.read_text().replace("# state: open", f"# state: {state}"))
    return directory


def test_a_new_function_goes_to_the_end_of_the_table(tmp_path):
    model = read.read(headers_with(tmp_path, NEW))
    levels.assign(model, lists_of(tmp_path, "open"))
    assert model.functions[-1].name == "tenon_a_new_one"


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
    header = include / "tenon/abi.h"
    header.write_text(header.read_text().replace("TENON_ABI_LEVEL 0x00010000u", "TENON_ABI_LEVEL 0x00010001u"))
    model = read.read(include)
    levels.assign(model, lists_of(tmp_path, "released"))
    assert [(level.name, level.released) for level in model.levels] == [("1.0", True), ("1.1", False)]
    assert model.levels[1].names == ["tenon_a_new_one"]
