"""alpha and beta on the device: every BLAS routine treats them like numbers, and a graph reads their values when it is
launched."""

import numpy
import pytest

import tenon
from conftest import COMPLEX, REAL, on
from tenon import blas
from test_blas import exact, factors, matrix, unit, vector

FULL = REAL + COMPLEX


def on_device(device, value, dtype):
    """An array without axes; real if the number is real."""
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    return on(device, numpy.asarray(value, dtype if isinstance(value, complex) else real))


# name -> the call with a matrix, a vector, a result to write, alpha and beta; and the kind of the result.
CALLS = {
    "gemm": (lambda a, x, out, alpha, beta, s: tenon.gemm(a, a, out, alpha=alpha, beta=beta, stream=s), "matrix"),
    "gemv": (lambda a, x, out, alpha, beta, s: blas.gemv(a, x, out, alpha=alpha, beta=beta, stream=s), "vector"),
    "ger": (lambda a, x, out, alpha, beta, s: blas.ger(x, x, out, alpha=alpha, stream=s), "matrix"),
    "axpy": (lambda a, x, out, alpha, beta, s: blas.axpy(x, out, alpha=alpha, stream=s), "vector"),
    "scal": (lambda a, x, out, alpha, beta, s: blas.scal(alpha, out, stream=s), "matrix"),
    "syrk": (lambda a, x, out, alpha, beta, s: blas.syrk(a, out, alpha=alpha, beta=beta, stream=s), "matrix"),
    "syr": (lambda a, x, out, alpha, beta, s: blas.syr(x, out, alpha=alpha, stream=s), "matrix"),
    "syr2k": (lambda a, x, out, alpha, beta, s: blas.syr2k(a, a.T, out, alpha=alpha, beta=beta, stream=s), "matrix"),
    "her2": (lambda a, x, out, alpha, beta, s: blas.her2(x, a[0], out, alpha=alpha, stream=s), "matrix"),
    "symm": (lambda a, x, out, alpha, beta, s: blas.symm(a, a, out, alpha=alpha, beta=beta, stream=s), "matrix"),
    "symv": (lambda a, x, out, alpha, beta, s: blas.symv(a, x, out, alpha=alpha, beta=beta, stream=s), "vector"),
    "trmm": (lambda a, x, out, alpha, beta, s: blas.trmm(a, out, alpha=alpha, stream=s), "matrix"),
    "trsm": (lambda a, x, out, alpha, beta, s: blas.trsm(a, out, alpha=alpha, stream=s), "matrix"),
    "gbmv": (lambda a, x, out, alpha, beta, s: blas.gbmv(a, x, out, below=3, alpha=alpha, beta=beta, stream=s),
             "vector"),
    "hbmv": (lambda a, x, out, alpha, beta, s: blas.hbmv(a, x, out, alpha=alpha, beta=beta, stream=s), "vector"),
    "geam": (lambda a, x, out, alpha, beta, s: blas.geam(a, a.T, alpha=alpha, beta=beta, out=out, stream=s), "matrix"),
    "rot": (lambda a, x, out, alpha, beta, s: blas.rot(out, x.copy(stream=s), 0.5, alpha, stream=s), "vector"),
    "gemm_grouped": (lambda a, x, out, alpha, beta, s: blas.gemm_grouped([a], [a], [out], alpha=alpha, beta=beta,
                                                                         stream=s), "matrix"),
}


def operands(random, device, dtype, layout="rows"):
    a, x = matrix(random, device, (), 6, 6, dtype, layout), vector(random, device, (), 6, dtype)
    a[...] = (a.numpy() + 6 * numpy.eye(6)).astype(dtype)
    return a, x, {"matrix": matrix(random, device, (), 6, 6, dtype), "vector": vector(random, device, (), 6, dtype)}


@pytest.mark.parametrize("dtype", FULL)
@pytest.mark.parametrize("name", CALLS)
def test_factors_on_the_device_act_like_numbers(device, random, name, dtype):
    call, kind = CALLS[name]
    a, x, outs = operands(random, device, dtype)
    for alpha, beta in [factors(dtype), (2.0, 0.0), (-0.5, 1.0)]:
        with_numbers = outs[kind].copy()
        call(a, x, with_numbers, alpha, beta, None)
        for on_alpha, on_beta in ((True, True), (True, False), (False, True)):
            out = outs[kind].copy()
            call(a, x, out, on_device(device, alpha, dtype) if on_alpha else alpha,
                 on_device(device, beta, dtype) if on_beta else beta, None)
            error = numpy.abs(exact(out) - exact(with_numbers))
            assert numpy.all(error <= 40 * unit(dtype) * (1 + numpy.max(numpy.abs(exact(with_numbers)))))


def test_a_graph_reads_factors_at_each_launch(device, random):
    a, x, outs = operands(random, device, "float64")
    alpha, beta = on_device(device, 2.0, "float64"), on_device(device, -1.0, "float32")  # converted in the graph
    graph, results = tenon.Graph(device), {name: outs[kind].copy() for name, (_, kind) in CALLS.items()}
    with graph:
        for name, (call, _) in CALLS.items():
            call(a, x, results[name], alpha, beta, graph)
    for values in ((3.0, 0.5), (-1.5, 0.0), (0.0, 2.0)):
        alpha[()], beta[()] = values
        for name, (_, kind) in CALLS.items():
            results[name][...] = outs[kind]
        graph.launch()
        for name, (call, kind) in CALLS.items():
            want = outs[kind].copy()
            call(a, x, want, *values, None)
            numpy.testing.assert_allclose(results[name].numpy(), want.numpy(), rtol=1e-12, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_narrow_results_take_factors_of_any_precision(device, random, dtype):
    a = matrix(random, device, (), 6, 6, dtype)
    x, y = (vector(random, device, (), 6, dtype) for _ in range(2))
    for of_alpha in (dtype, "float32", "float64"):
        got, want = y.copy(), y.copy()
        blas.gemv(a, x, got, alpha=tenon.full((), 0.5, of_alpha, device=device), beta=2)
        blas.gemv(a, x, want, alpha=0.5, beta=2)
        numpy.testing.assert_array_equal(exact(got), exact(want))
        blas.axpy(x, got, alpha=tenon.full((), 0.25, of_alpha, device=device))
        blas.axpy(x, want, alpha=0.25)
        numpy.testing.assert_array_equal(exact(got), exact(want))


def test_a_zero_reads_nothing(device):
    nan, y = tenon.full((4, 4), float("nan"), "float32", device=device), tenon.ones((4, 4), "float32", device=device)
    zero = tenon.zeros((), "float32", device=device)
    blas.axpy(nan, y, alpha=zero)
    assert numpy.all(y.numpy() == 1)
    blas.gemv(y, y[0], nan[0], beta=zero)
    assert numpy.all(nan[0].numpy() == 4)
    blas.scal(zero, nan)
    assert numpy.all(nan.numpy() == 0)


def test_what_cannot_be_a_factor_is_refused(device):
    def f(*shape, dtype="float32"):
        return tenon.zeros(shape, dtype, device=device)

    whole = f(8, 8)
    cases = [
        (lambda: blas.scal(f(1), f(4)), ValueError, r"alpha has shape \(1,\): a factor must be an array without axes"),
        (lambda: blas.scal(f(dtype="int32"), f(4)), TypeError, "alpha is an array of int32"),
        (lambda: blas.scal(f(dtype="complex64"), f(4)), TypeError, "pass a real factor"),
        (lambda: blas.scal(whole[1, 1], whole), ValueError, "the result shares memory with alpha"),
        (lambda: blas.herk(f(3, 4, dtype="complex64"), f(3, 3, dtype="complex64"), alpha=f(dtype="complex64")),
         TypeError, "alpha is an array of complex64"),
        (lambda: blas.rot(f(3, dtype="complex64"), f(3, dtype="complex64"), f(dtype="complex64"), 0), TypeError,
         "the cosine"),
        (lambda: tenon.gemm(f(3, 3, dtype="int8"), f(3, 3, dtype="int8"), alpha=f()), TypeError, "alpha is an array"),
        (lambda: blas.gemv(f(3, 3), f(3), beta=f()), ValueError, "beta without y"),
    ]
    for call, error, text in cases:
        with pytest.raises(error, match=text):
            call()
