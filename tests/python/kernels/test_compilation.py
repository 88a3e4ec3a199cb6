"""Compiling in the background."""


import numpy
import pytest

import tenon

SCALE = 'extern "C" __global__ void scale(float* y, float a) {{ y[threadIdx.x] *= a; }}  // {}'
ENDLESS = """
template <int D, unsigned long long P> struct Tree { static constexpr unsigned long long value = Tree<D - 1, 2 * P>::value ^
                                                                                               Tree<D - 1, 2 * P + 1>::value; };
template <unsigned long long P> struct Tree<0, P> { static constexpr unsigned long long value = P; };
extern "C" __global__ void k(unsigned long long* y) { *y = Tree<60, 1>::value; }
"""


def test_several_compilations_run_at_once(device):
    started = [tenon.Compilation(SCALE.format(i), ["scale"], device=device, no_cache=True) for i in range(4)]
    for compilation in started:
        program = compilation.result()
        assert compilation.done() and compilation.result() is program
        y = tenon.ones(3, "float32", device=device)
        program["scale"](1, 3, [y, 2.5])
        numpy.testing.assert_array_equal(y.numpy(), [2.5] * 3)


def test_an_endless_compilation_is_not_ready_and_can_be_cancelled(device):
    compilation = tenon.Compilation(ENDLESS, ["k"], device=device, no_cache=True)
    with pytest.raises(TimeoutError):
        compilation.result(timeout=0.3)
    assert not compilation.done()
    compilation.cancel()
    with pytest.raises(tenon.Cancelled):
        compilation.result()
    with pytest.raises(tenon.CompileError, match="time limit of 0.5 seconds"):
        tenon.Program(ENDLESS, ["k"], device=device, no_cache=True, time_limit=0.5)


def test_a_fault_in_the_text_comes_with_its_log(device):
    compilation = tenon.Compilation("__global__ void k() { nowhere = 1; }", ["k"], device=device)
    for _ in range(2):
        with pytest.raises(tenon.CompileError, match="nowhere") as caught:
            compilation.result()
        assert "kernel.cu" in caught.value.log
    with pytest.raises(ValueError):
        tenon.Compilation("", device=device, mode="slow")
