"""If a compiler is killed while it tries a faster form of a kernel, the compilation fails, and the cache keeps no slow
form."""

import shutil

import pytest

from conftest import run_python

TEXT = """extern "C" __global__ void scale(float* y, const float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];
}"""
RUN = f"""
import tenon
try:
    print(tenon.Program({TEXT!r}, ["scale"], device="cpu:0").kernel("scale").info["execution"])
except tenon.CompileError as error:
    print(error)
"""
CLANG = next((path for version in range(22, 13, -1) if (path := shutil.which(f"clang++-{version}"))), shutil.which("clang++"))


@pytest.mark.skipif(CLANG is None, reason="only clang runs loops in the order of memory")
@pytest.mark.parametrize("killed", [3, 4])  # behind macros and the precompiled header, on which the form does not depend
def test_a_killed_compiler_leaves_nothing_in_the_cache(tmp_path, killed):
    compiler = tmp_path / "compiler"
    compiler.write_text(f"""#!/bin/sh
case "$*" in *--version*) exec {CLANG} "$@";; esac
echo call >> {tmp_path}/calls
[ $(wc -l < {tmp_path}/calls) = {killed} ] && kill -9 $$
exec {CLANG} "$@"
""")
    compiler.chmod(0o755)

    def run(cxx, cache):
        done = run_python(RUN, TENON_CXX=str(cxx), TENON_CACHE_DIR=str(tmp_path / cache))
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert "killed by signal 9" in run(compiler, "cache")
    assert run(compiler, "cache") == run(CLANG, "other")


PRECOMPILED = """
import glob, os, numpy, tenon
files = lambda: glob.glob(os.environ["TMPDIR"] + "/tenon-*/*.pch")
def check(number):
    kernel = tenon.Kernel(f'extern "C" __global__ void k(int* y) {{ y[threadIdx.x] = threadIdx.x + {number}; }}', "k", device="cpu:0")
    y = numpy.zeros(4, "int32")
    kernel(1, 4, [y])
    assert y.tolist() == [number, number + 1, number + 2, number + 3]
check(1)
check(2)
assert len(files()) == 1
os.truncate(files()[0], os.path.getsize(files()[0]) // 2)
check(3)
check(4)
os.remove(files()[0])
try:
    tenon.Kernel('extern "C" __global__ void k(int* y) { y = nothing; }', "k", device="cpu:0")
except tenon.CompileError as error:
    print(error.log)
"""


@pytest.mark.skipif(CLANG is None, reason="only clang's headers are precompiled")
def test_a_precompiled_header_serves_until_it_breaks(tmp_path):
    done = run_python(PRECOMPILED, TMPDIR=str(tmp_path), TENON_CACHE="off", TENON_CXX=CLANG)
    assert done.returncode == 0, done.stderr
    assert "use of undeclared identifier 'nothing'" in done.stdout and "pch" not in done.stdout
    assert not list(tmp_path.iterdir())  # the process leaves nothing behind


LINKER = """
import pathlib, tenon
device = tenon.Device("cpu:0")
device.toolkit
print("asked:", pathlib.Path(CALLS).exists() and "-###" in pathlib.Path(CALLS).read_text())
tenon.Program(TEXT, ["scale"], device=device)
"""


@pytest.mark.skipif(CLANG is None, reason="only clang tells how it links")
def test_later_processes_neither_ask_for_the_linker_nor_precompile_the_header(tmp_path):
    compiler, calls = tmp_path / "compiler", tmp_path / "calls"
    compiler.write_text(f'#!/bin/sh\necho "$*" >> {calls}\nexec {CLANG} "$@"\n')
    compiler.chmod(0o755)

    def run(text):
        calls.unlink(missing_ok=True)
        program = LINKER.replace("CALLS", repr(str(calls))).replace("TEXT", repr(text))
        done = run_python(program, TENON_CXX=str(compiler), TENON_CACHE_DIR=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == "asked: False"  # to say which compiler there is
        return calls.read_text() if calls.exists() else ""

    first = run(TEXT)
    assert first.count("-###") == 1 and "c++-header" in first
    assert run(TEXT) == "--version\n"  # from the cache; the device names its compiler
    later = run(TEXT.replace("2 *", "3 *"))
    assert "-emit-llvm" in later and "-###" not in later and "c++-header" not in later
