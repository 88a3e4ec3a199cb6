"""The cache of compiled programs from Python, in processes with separate cache directories."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest

import tenon
from conftest import PRELOAD, ROOT

SOURCE = 'extern "C" __global__ void twice(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = 2 * x[i]; }'
COMPILE = f"import tenon; tenon.Program({SOURCE!r}, ['twice'], device='cpu:0')\n"


def run(directory, code):
    """The JSON output of a Python process with this cache directory."""
    environment = {**os.environ, "TENON_CACHE_DIR": str(directory), **({"LD_PRELOAD": PRELOAD} if PRELOAD else {})}
    environment.pop("TENON_CACHE", None)
    done = subprocess.run([sys.executable, "-c", "import json, sys, dataclasses\n" + code], capture_output=True, text=True, env=environment)
    if "MissingLibrary" in done.stderr:
        pytest.skip("no compiler for kernels")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


@pytest.fixture
def cache(tmp_path):
    run(tmp_path / "cache", COMPILE)
    return tmp_path / "cache"


def test_counters_count_what_a_process_did(cache):
    info = run(cache, COMPILE + "print(json.dumps(dataclasses.asdict(tenon.cache.info())))")
    assert info["mode"] == "on" and info["directory"] == str(cache)
    assert (info["disk_hits"], info["compiled"], info["misses"]) == (1, 0, 0)
    files = list(cache.glob("*.tenon"))
    assert info["entries"] == len(files) and info["bytes"] == sum(one.stat().st_size for one in files)


def test_entries_describe_themselves(cache):
    rows = run(cache, "import tenon; print(json.dumps([dataclasses.asdict(one) for one in tenon.cache.entries()]))")
    programs = [row for row in rows if row["kind"] == "program"]
    assert len(programs) == 1
    (one,) = programs
    assert one["kernels"] == ["twice"] and one["device"] == "cpu" and one["mode"] == "fast" and one["name"] == "kernel.cu"
    assert one["source_bytes"] == len(SOURCE) and (cache / (one["key"] + ".tenon")).stat().st_size == one["bytes"]
    assert "clang" in one["compiler"] or "g++" in one["compiler"] or "gcc" in one["compiler"]


def test_keys_contain_the_sources_that_write_kernels(cache, tmp_path):
    """A change to the code that rewrites kernels changes the keys; nobody has to raise a version number."""
    spec = importlib.util.spec_from_file_location("embed", ROOT / "src/backend/cpu/compile/source/embed.py")
    embed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(embed)
    backend = ROOT / "src/backend/cpu"
    digest = embed.digest_of(backend)
    assert any(digest.encode() in entry.read_bytes() for entry in cache.glob("*.tenon"))
    names = {path.relative_to(backend).as_posix() for path in embed.writers_of(backend)}
    assert {"text/regions/regions.cpp", "text/loops.cpp", "ptx/ptx.cpp", "compile/unit.cpp",
            "compile/compiler/refusals.inc"} <= names
    for part in embed.WRITERS:
        shutil.copytree(backend / part, tmp_path / "cpu" / part)
    assert embed.digest_of(tmp_path / "cpu") == digest
    with (tmp_path / "cpu/text/regions/regions.cpp").open("a") as changed:
        changed.write("// changed\n")
    assert embed.digest_of(tmp_path / "cpu") != digest


def test_a_bundle_is_loaded_into_another_directory(cache, tmp_path):
    bundle = tmp_path / "kernels.bundle"
    tally = run(cache, f"import tenon; print(json.dumps(dataclasses.asdict(tenon.cache.export({str(bundle)!r}))))")
    assert tally["entries"] == 1 and tally["damaged"] == 0
    code = f"""
import os, pathlib, tenon
tally = tenon.cache.load(pathlib.Path({str(bundle)!r}))
tenon.Program({SOURCE!r}, ['twice'], device='cpu:0')
print(json.dumps([tally.entries, tally.kept, tenon.cache.info().compiled, tenon.cache.load({str(bundle)!r}).kept]))
"""
    assert run(tmp_path / "other", code) == [1, 0, 0, 1]
    data = bundle.read_bytes()
    bundle.write_bytes(data[:-9])
    code = f"""
import tenon
try:
    tenon.cache.load({str(bundle)!r})
except tenon.InvalidArgument as error:
    print(json.dumps([str(error), tenon.cache.info().entries]))
"""
    text, entries = run(tmp_path / "third", code)
    assert "damaged bundle" in text and entries == 0


def test_damage_is_found_and_removed(cache):
    (entry,) = [one for one in cache.glob("*.tenon") if 4096 < one.stat().st_size < 1 << 20]  # neither an answer nor a header
    entry.write_bytes(entry.read_bytes()[:-1] + b"\\0")
    code = "import tenon; print(json.dumps([tenon.cache.verify().damaged, tenon.cache.verify(remove=True).damaged, tenon.cache.verify().damaged]))"
    assert run(cache, code) == [1, 1, 0]
    assert not entry.exists()


def test_clear_removes_by_age_and_size(cache):
    code = """
import tenon
young, fits = tenon.cache.clear(unused_seconds=3600), tenon.cache.clear(keep_bytes=1 << 30)
every = tenon.cache.clear()
print(json.dumps([young.entries, fits.entries, every.entries == young.kept == fits.kept, tenon.cache.info().entries]))
"""
    assert run(cache, code) == [0, 0, True, 0]


def test_wrong_calls_are_refused():
    with pytest.raises(tenon.InvalidArgument, match="unused_seconds"):
        tenon.cache.clear(unused_seconds=-1)
    with pytest.raises(tenon.NotFound, match="/nowhere/bundle"):
        tenon.cache.load("/nowhere/bundle")
    with pytest.raises(tenon.TenonError, match="was not written"):
        tenon.cache.export("/nowhere/bundle")


def test_parameters_have_names(device):
    try:
        kernel = tenon.Kernel(SOURCE, "twice").on(device)
    except tenon.MissingLibrary as error:
        pytest.skip(str(error))
    assert [parameter.name for parameter in kernel.parameters] == ["x", "y", "n"]
    assert "float32 x" in repr(kernel)
    x = tenon.zeros(4, "float32", device=device)
    with pytest.raises(OverflowError, match=r"argument 2 \(n\) of twice"):
        kernel(1, 4, [x, x, 2**40])
    with pytest.raises(tenon.DTypeError, match=r"argument 1 \(y\) of twice"):
        kernel(1, 4, [x, tenon.zeros(4, "int32", device=device), 4])
