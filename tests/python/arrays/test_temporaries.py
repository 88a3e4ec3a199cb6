"""Temporary arrays and streams that a call creates from its arguments live as long as the call."""

import numpy
import pytest

import tenon
from conftest import Foreign, on


def test_operands_that_are_no_arrays_of_tenon():
    a, b = numpy.arange(4.0).reshape(2, 2), numpy.ones((1, 2))
    for x, y in ((a, b), (a.tolist(), b.tolist())):
        numpy.testing.assert_array_equal(tenon.kron(x, y).numpy(), numpy.kron(a, b))


@pytest.mark.parametrize("call", [
    lambda a, stream: tenon.inv(a, stream=stream),
    lambda a, stream: tenon.qr(a, stream=stream).Q,
    lambda a, stream: tenon.qr(a, "r", stream=stream),
    lambda a, stream: tenon.svdvals(a, stream=stream),
    lambda a, stream: tenon.eigvalsh(a, stream=stream),
    lambda a, stream: tenon.eigh(a, stream=stream).eigenvalues,
    lambda a, stream: tenon.eigvals(a, stream=stream).astype("float64"),
    lambda a, stream: tenon.einsum("ij,jk->ik", a, a, stream=stream),
    lambda a, stream: tenon.triangular_multiply(a, a, stream=stream),
])
def test_streams_of_other_libraries(device, call):
    a = on(device, numpy.diag([4.0, 2.0, 1.0]))
    numpy.testing.assert_allclose(call(a, Foreign(device)).numpy(), call(a, None).numpy(), rtol=1e-14)
