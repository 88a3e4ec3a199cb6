"""The Python layer for measuring and tuning operations, packing packages, and compiling for an architecture."""

import pytest

import tenon

CONTRACT = """name = "{name}"
[op.work]
parameters = ["in T x", "out T y"]
elementwise = "y = x"
bench = [{{ given = {{ x = "uniform(1000)" }} }}]
[op.tiled]
parameters = ["in T x", "scalar int32 k = 1", "out T y"]
kernel = "tiled<T>"
source = "tiled.cu"
arguments = ["x", "k", "y", "x.size"]
threads = "x.size"
block = "width"
tunables = {{ width = [64, 128] }}
test = [{{ given = {{ x = "uniform(1000)" }}, expect = {{ y = "x" }} }}]
"""
SOURCE = "template <class T> __global__ void tiled(const T* x, int k, T* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * T(k); }\n"


@pytest.fixture
def package(tmp_path):
    (tmp_path / "plugin.toml").write_text(CONTRACT.format(name=f"tuned{abs(hash(str(tmp_path))) % 10**9}"))
    (tmp_path / "tiled.cu").write_text(SOURCE)
    return tenon.plugins.load(tmp_path)


def test_operations_are_measured(package, device):
    rows = package.work.measure(device, seconds=0.02)["cases"]
    assert [row["types"]["T"] for row in rows] == ["float32", "float64"] and all(row["milliseconds"] > 0 for row in rows)
    row, = package.tiled.measure(device, x="zeros(3, 4)", k=2, types="T=float64", seconds=0.01)["cases"]
    assert row["shapes"] == {"x": [3, 4]} and row["tunables"] == {"width": 64} and row["bytes"] == 192
    with pytest.raises(ValueError, match="no input `z`"):
        package.work.measure(device, z=1)


def test_tuning_says_where_its_record_is_kept(package, device, monkeypatch):
    with pytest.raises(tenon.NotFound, match="has no tunables"):
        package.work.tune(device)
    try:
        report = package.tiled.tune(device, x="zeros(100)", types="T=float32", seconds=0.2)
    except tenon.TenonError as error:
        pytest.skip(str(error))  # a read-only home directory
    import os
    assert report["cases"][0]["possible"] == 2 and os.path.exists(report["file"])
    os.remove(report["file"])


def test_packing(package, tmp_path):
    data = tenon.plugins.pack(tmp_path)
    assert data[257:262] == b"ustar" and data == tenon.plugins.pack(str(tmp_path))
    package.unload()
    assert tenon.plugins.load_bytes(data, "packed.tar").description["hashed_files"] == 1


def test_compiling_for_an_architecture():
    try:
        image, log = tenon.Program.compile("__global__ void f(float* x) { x[0] = 1; }", "sm_80", options=["--ptxas-options=-v"])
    except tenon.TenonError as error:
        assert isinstance(error, (tenon.MissingLibrary, tenon.Unsupported)), error
        pytest.skip(str(error))
    assert image[:4] == b"\x7fELF" and "registers" in log
    text, _ = tenon.Program.compile("__global__ void f(float* x) { x[0] = 1; }", "sm_80", kind="ptx")
    assert b".target" in text
    with pytest.raises(tenon.CompileError):
        tenon.Program.compile("__global__ void f(float* x) { x[0] = y; }", "sm_80")
