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
@pytest.mark.parametrize("killed", [2, 3])
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
