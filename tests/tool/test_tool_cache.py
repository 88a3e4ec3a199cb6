"""`tenon cache`: a separate cache is filled, copied, damaged and cleared."""

import pytest

from command import FAILED, MISSING, ROOT, USAGE, fails, tenon, tenon_json


@pytest.fixture
def cache(tmp_path):
    variables = {"TENON_CACHE_DIR": str(tmp_path / "cache")}
    tenon_json("plugin", "test", ROOT / "kernels/elementwise", "--op", "sigmoid", "--device", "cpu:0", **variables)
    return variables


def programs(cache):
    return [entry for entry in tenon_json("cache", "list", **cache)["entries"] if entry["kind"] == "program"]


def test_what_was_compiled_is_listed(cache):
    found = programs(cache)
    assert found and all(entry["device"] == "cpu" and entry["bytes"] > 0 for entry in found)
    assert "elementwise/sigmoid" in tenon("cache", "list", **cache)


def test_it_is_exported_imported_and_cleared(cache, tmp_path):
    count = len(programs(cache))
    written = tenon_json("cache", "export", tmp_path / "bundle", **cache)
    assert written["entries"] == count
    assert tenon_json("cache", "clear", "--keep", "2G", **cache)["entries"] == 0
    assert tenon_json("cache", "clear", "--unused", "1d", **cache)["entries"] == 0
    assert tenon_json("cache", "clear", **cache)["entries"] >= count and programs(cache) == []
    assert tenon_json("cache", "import", tmp_path / "bundle", **cache)["entries"] == count
    assert tenon_json("cache", "import", tmp_path / "bundle", **cache)["kept"] == count
    fails(MISSING, "nowhere", "cache", "import", tmp_path / "nowhere", **cache)
    (tmp_path / "bundle").write_bytes((tmp_path / "bundle").read_bytes()[:-7])
    fails(FAILED, "bundle", "cache", "import", tmp_path / "bundle", **cache)


def test_damage_is_found_and_removed(cache, tmp_path):
    assert tenon_json("cache", "verify", **cache)["damaged"] == 0
    key = programs(cache)[0]["key"]
    victim = next(path for path in (tmp_path / "cache").rglob("*") if path.is_file() and key in path.name)
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    assert tenon_json("cache", "verify", code=FAILED, **cache)["damaged"] == 1
    assert tenon_json("cache", "verify", "--remove", **cache)["damaged"] == 1
    assert tenon_json("cache", "verify", **cache)["damaged"] == 0


@pytest.mark.parametrize("words", [["--unused", "soon"], ["--unused", "3y"], ["--unused", "3"], ["--unused", "nand"], ["--keep", "-1"], ["--keep", "1MM"], ["--keep", "500"]])
def test_units_are_needed_and_checked(cache, words):
    fails(USAGE, "it must be a number and a unit", "cache", "clear", *words, **cache)
    assert programs(cache)
