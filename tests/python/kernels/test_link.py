"""Programs from several sources, and from images."""

import ctypes

import numpy
import pytest

import tenon

USES = "__device__ float part(float x); extern \"C\" __global__ void k(float* y) { y[threadIdx.x] = part(y[threadIdx.x]); }"
HAS = "__device__ float part(float x) { return 2 * x + threadIdx.x; }"


def linked(device, *arguments, **keywords):
    try:
        return tenon.Program.link(*arguments, device=device, **keywords)
    except tenon.MissingLibrary as error:
        pytest.skip(str(error))


def run(program, n=3):
    y = tenon.ones(n, "float32", device=program.device)
    program["k"](1, n, [y])
    return y.numpy().tolist()


def test_sources_are_linked(device):
    assert run(linked(device, [USES, HAS], ["k"])) == [2, 3, 4]
    assert run(tenon.Compilation.link([HAS, USES], ["k"], device=device).result()) == [2, 3, 4]
    with pytest.raises(tenon.CompileError, match="second.cu"):
        linked(device, [USES, tenon.Input("nonsense", name="second.cu")], ["k"])
    with pytest.raises(tenon.CompileError, match="part"):
        linked(device, [USES, "__device__ int x;"], ["k"])
    with pytest.raises(ValueError, match="kind"):
        linked(device, [tenon.Input(b"", "elf")])


def test_an_image_is_loaded_again(device):
    image = tenon.Program("extern \"C\" __global__ void k(float* y) { y[threadIdx.x] += 4; }", ["k"], device=device).image()
    program = tenon.Program.from_image(image, ["k"], trusted=True, device=device)
    assert run(program) == [5, 5, 5]
    assert program["k"].parameters[0].kind == "pointer"
    assert run(tenon.Program.from_image(image, trusted=True, device=device)) == [5, 5, 5]
    with pytest.raises(tenon.InvalidArgument, match="trust"):
        tenon.Program.from_image(image, ["k"], device=device)
    with pytest.raises((tenon.InvalidArgument, tenon.Unsupported), match="cut.image"):
        tenon.Program.from_image(image[:500], ["k"], trusted=True, name="cut.image", device=device)
    with pytest.raises(tenon.NotFound, match="other"):
        tenon.Program.from_image(image, ["other"], trusted=True, device=device)


def test_foreign_ptx_has_only_the_sizes_of_parameters():
    try:
        device = tenon.Device("cuda:0")
    except tenon.NotFound as error:
        pytest.skip(str(error))
    ptx = """.version 7.0
.target sm_52
.address_size 64
.visible .entry put(.param .u64 to, .param .f32 value)
{
  .reg .f32 %f; .reg .b64 %a;
  ld.param.u64 %a, [to];
  ld.param.f32 %f, [value];
  cvta.to.global.u64 %a, %a;
  st.global.f32 [%a], %f;
  ret;
}
"""
    put = tenon.Program.from_image(ptx, ["put"], kind="ptx", device=device)["put"]
    assert [(p.kind, p.size) for p in put.parameters] == [("unknown", 8), ("unknown", 4)]
    y = tenon.zeros(1, "float32", device=device)
    put(1, 1, [y, numpy.float32(2.5)])
    assert y.numpy().tolist() == [2.5]
    put(1, 1, [y, ctypes.c_float(3.5)])
    assert y.numpy().tolist() == [3.5]
    with pytest.raises(TypeError, match="only the size"):
        put(1, 1, [y, 2.5])
    with pytest.raises(tenon.TenonError):
        put(1, 1, [y, numpy.float64(2.5)])
