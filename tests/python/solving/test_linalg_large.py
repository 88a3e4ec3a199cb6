"""Factorisations of up to 4096 rows in single precision, judged in double precision: they use blocked and threaded code
that small matrices do not reach. Also sizes too large for any memory."""

import subprocess
import sys

import numpy
import pytest

import tenon
from conftest import eps, on
from matrices import SQUARE, THRESHOLD, adjoint

F32 = "float32"


def double(x):
    x = x if isinstance(x, numpy.ndarray) else x.numpy()
    return x.astype("complex128" if x.dtype.kind == "c" else "float64")


def one(x):
    return numpy.abs(x).sum(axis=0).max()


def small(residual, *sizes, dtype=F32):
    assert one(residual) <= THRESHOLD * eps(dtype) * numpy.prod([float(size) for size in sizes])


def orthonormal(columns, dtype=F32):
    small(adjoint(columns) @ columns - numpy.eye(columns.shape[1]), columns.shape[0], dtype=dtype)


def large(random, name, n):
    return SQUARE[name](random, n).astype(F32) if name != "orthogonal" else numpy.linalg.qr(random.standard_normal((n, n)).astype(F32))[0]


@pytest.mark.parametrize("name, n", [("toeplitz", 1024), ("banded", 2048), ("random", 4096)])
def test_solve(device, random, name, n):
    a, b = large(random, name, n), random.standard_normal((n, 4)).astype(F32)
    x = double(tenon.solve(on(device, a), on(device, b)))
    small(double(b) - double(a) @ x, one(double(a)), one(x))


@pytest.mark.parametrize("name, n", [("random", 1024), ("toeplitz", 2048)])
def test_cholesky_and_its_solution(device, random, name, n):
    a = double(large(random, name, n))
    p = (a @ a.T / n + numpy.eye(n)).astype(F32)
    factor = tenon.cholesky(on(device, p))
    lower = double(factor)
    small(lower @ lower.T - double(p), n, one(double(p)))
    b = random.standard_normal((n, 3)).astype(F32)
    x = double(tenon.cholesky_solve(factor, on(device, b)))
    small(double(b) - double(p) @ x, n, one(double(p)), one(x))


@pytest.mark.parametrize("shape", [(2048, 1024), (1024, 2048), (4096, 300), (300, 4096)], ids=str)
@pytest.mark.parametrize("name", ["random", "graded"])
def test_qr(device, random, shape, name):
    a = random.standard_normal(shape)
    if name == "graded":
        a = a * 10.0 ** -(numpy.arange(shape[1]) * 8 / shape[1])
    a = a.astype(F32)
    q, r = (double(x) for x in tenon.qr(on(device, a)))
    small(q @ r - double(a), max(shape), one(double(a)))
    orthonormal(q)
    assert numpy.all(numpy.tril(r, -1) == 0)


@pytest.mark.parametrize("name, n", [("random", 1024), ("banded", 700), ("orthogonal", 512)])
def test_hermitian_eigenvalues(device, random, name, n):
    a = large(random, name, n)
    a = a + a.T
    w, v = (double(x) for x in tenon.eigh(on(device, a)))
    small(double(a) @ v - v * w, n, one(double(a)))
    orthonormal(v)


@pytest.mark.parametrize("name, n", [("defective", 200), ("vandermonde", 128), ("random", 300)])
def test_general_eigenvalues(device, random, name, n):
    a = large(random, name, n)
    w, v = (double(x) for x in tenon.eig(on(device, a)))
    small(double(a) @ v - v * w, n, one(double(a)))


@pytest.mark.parametrize("name, shape", [("random", (1024, 1024)), ("hilbert", (600, 600)), ("graded", (512, 512)), ("random", (3000, 200)),
                                         ("random", (200, 3000))], ids=str)
def test_singular_values(device, random, name, shape):
    a = large(random, name, shape[0]) if shape[0] == shape[1] else random.standard_normal(shape).astype(F32)
    u, s, vh = (double(x) for x in tenon.svd(on(device, a), full_matrices=False))
    small(double(a) - (u * s) @ vh, max(shape), one(double(a)))
    orthonormal(u)
    orthonormal(vh.T)


def test_leading_triplets_of_a_flat_spectrum(device, random):
    a = random.random((4096, 4096)).astype(F32)
    (u, s, vh), ran = tenon.svd_driver(on(device, a), k=32)
    assert ran == "krylov"
    u, s, vh = double(u), double(s), double(vh)
    for rest in (double(a).T @ u - vh.T * s, double(a) @ vh.T - u * s):
        assert numpy.all(numpy.linalg.norm(rest, axis=0) <= numpy.maximum(1.1e-3 / 2 * s, 4096 * eps(F32) * s[0]))
    orthonormal(u)
    orthonormal(vh.T)


def test_symmetric_indefinite_systems(device, random):
    n = 1024
    a = large(random, "toeplitz", n)
    a = a + a.T
    b = random.standard_normal((n, 2)).astype(F32)
    x = double(tenon.ldl_solve(tenon.ldl_factor(on(device, a)), on(device, b)))
    small(double(b) - double(a) @ x, n, one(double(a)), one(x))


REPEATED = """
import hashlib, numpy, tenon
random = numpy.random.default_rng(3)
a = random.standard_normal((300, 12, 12))
p = a @ a.transpose(0, 2, 1) + numpy.eye(12)
b = random.standard_normal((300, 12, 2))
digest = hashlib.sha256()
for x in (tenon.solve(a, b), tenon.cholesky(p), *tenon.svd(a), *tenon.eigh(p), *tenon.qr(a), tenon.inv(p), tenon.det(a), *tenon.ldl_factor(p),
          tenon.matmul(a, b), tenon.dctn(a), tenon.rfft(a)):
    digest.update(numpy.ascontiguousarray(x.numpy()).tobytes())
print(digest.hexdigest())
"""


def test_batches_do_not_depend_on_the_number_of_threads():
    import os

    def run(threads):
        from conftest import PRELOAD
        environment = dict(os.environ, TENON_CPU_THREADS=str(threads), **({"LD_PRELOAD": PRELOAD} if PRELOAD else {}))
        done = subprocess.run([sys.executable, "-c", REPEATED], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(1) == run(2) == run(2)


@pytest.mark.parametrize("call", [
    lambda x: tenon.matmul(x((1 << 33, 1)), x((1, 1 << 33))),
    lambda x: tenon.svd(x((1 << 32, 1 << 32)), k=1),
    lambda x: tenon.kron(x((1 << 31, 4)), x((1 << 31, 4))),
    lambda x: tenon.solve(x((1 << 31, 1 << 31)), x((1 << 31, 1))),
    lambda x: tenon.ldl_factor(x((1 << 32, 1 << 32))),
    lambda x: tenon.dct(x((1 << 40, 1 << 24))),
])
def test_results_that_nothing_can_hold_are_refused(device, call):
    with pytest.raises((tenon.SizeOverflow, tenon.OutOfMemory, tenon.Unsupported)) as caught:
        call(lambda shape: tenon.ones((1, 1), "float64", device=device).broadcast_to(shape))
    assert len(str(caught.value)) > 20
