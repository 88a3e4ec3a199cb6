"""Every function that takes a stream records all its work in a graph, including intermediate copies, conversions and
fills. The input is changed after recording, the graph is launched, and the result is compared with that of a plain
call."""

import inspect

import numpy
import pytest

import tenon
from conftest import KERNELS, on

SIZE = 4


def also(call, **variants):
    return {"": call, **variants}



ELEMENTWISE = tenon.elementwise("T x, T a", "T y", "y = a * x + 1")
REDUCTION = tenon.reduction("T x", "T y", "x * x", "a + b", "", "0")
SCAN = tenon.scan("T x", "T y", combine="a + b")

SEGMENTS, ROWS_OF_SEGMENTS = numpy.array([0, 1, 1, 4]), numpy.array([2, 0, 1, 0])
ROWS, COLUMNS = numpy.array([2, 0, 3]), numpy.array([[1, 0, 3, 2]] * SIZE)


def changed(x, stream, change):
    """A copy of x, changed by an in-place call."""
    y = x.copy(stream=stream)
    change(y)
    return y


# name -> variants of the call, each with a square matrix and a stream.
CALLS = {
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s),
                  longer=lambda x, s, f=getattr(tenon, name): f(x, n=7, stream=s),
                  shorter=lambda x, s, f=getattr(tenon, name): f(x, 3, 0, stream=s),
                  ortho=lambda x, s, f=getattr(tenon, name): f(x, norm="ortho", stream=s))
       for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s),
                  longer=lambda x, s, f=getattr(tenon, name): f(x, (7, 5), stream=s),
                  mixed=lambda x, s, f=getattr(tenon, name): f(x, (3, 6), (1, 0), stream=s))
       for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "irfft2", "rfftn", "irfftn")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s),
                  first=lambda x, s, f=getattr(tenon, name): f(x, axis=0, stream=s))
       for name in ("dct", "idct", "dst", "idst", "sum", "prod", "mean", "max", "min", "cumsum")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s),
                  none=lambda x, s, f=getattr(tenon, name): f(x, axes=(), stream=s))
       for name in ("dctn", "idctn", "dstn", "idstn", "fftshift", "ifftshift")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s))
       for name in ("cholesky", "cond", "det", "eig", "eig_vectors", "eigh", "eigvals", "eigvalsh", "expm", "inv",
                    "ldl_factor", "lu_factor",
                    "matrix_rank", "norm", "pinv", "qr", "slogdet", "svd", "svd_driver", "svdvals", "rank_k")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, x, stream=s))
       for name in ("convolve", "correlate", "gemm", "kron", "lstsq", "matmul", "solve", "triangular_multiply",
                    "vecdot", "cholesky_solve")},
    "einsum": also(lambda x, s: tenon.einsum("ij,jk->ki", x, x, stream=s)),
    "tensordot": also(lambda x, s: tenon.tensordot(x, x, 1, stream=s)),
    "matrix_power": also(lambda x, s: tenon.matrix_power(x, 3, stream=s)),
    "lu_solve": also(lambda x, s: tenon.lu_solve(tenon.lu_factor(on(x.device, numpy.eye(SIZE, dtype=str(x.dtype)))),
                                                 x, stream=s)),
    "ldl_solve": also(lambda x, s: tenon.ldl_solve(tenon.ldl_factor(on(x.device, numpy.eye(SIZE, dtype=str(x.dtype)))),
                                                   x, stream=s)),
    "cross": also(lambda x, s: tenon.cross(x[:, :3], x[:, 1:4], stream=s)),
    "outer": also(lambda x, s: tenon.outer(x[0], x[:, 1], stream=s)),
    "trace": also(lambda x, s: tenon.trace(x, offset=1, stream=s)),
    "diff": also(lambda x, s: tenon.diff(x, n=2, stream=s),
                 ends=lambda x, s: tenon.diff(x, axis=0, prepend=x[:1], append=x[:2], stream=s)),
    "empty_like": also(lambda x, s: tenon.empty_like(x, stream=s).fill(2, stream=s)),
    "zeros_like": also(lambda x, s: tenon.zeros_like(x, stream=s)),
    "ones_like": also(lambda x, s: tenon.ones_like(x, stream=s)),
    "full_like": also(lambda x, s: tenon.full_like(x, 3, stream=s)),
    "fftfreq": also(lambda x, s: tenon.fftfreq(6, stream=s)),
    "rfftfreq": also(lambda x, s: tenon.rfftfreq(6, stream=s)),
    "empty": also(lambda x, s: tenon.empty(3, stream=s).fill(2, stream=s)),
    "zeros": also(lambda x, s: tenon.zeros(3, stream=s)),
    "ones": also(lambda x, s: tenon.ones(3, stream=s)),
    "full": also(lambda x, s: tenon.full(3, 2.5, stream=s),
                 large=lambda x, s: tenon.full(3, 2**60 + 1, "int64", stream=s),
                 numpy=lambda x, s: tenon.full(3, numpy.uint64(2**64 - 1), stream=s)),
    "Array.copy": also(lambda x, s: x.copy(stream=s)),
    "Array.astype": also(lambda x, s: x.astype("float16", stream=s), same=lambda x, s: x.astype(x.dtype, stream=s)),
    "Array.to_device": also(lambda x, s: x.to_device(x.device, stream=s)),
    "Array.fill": also(lambda x, s: x.copy(stream=s).fill(2, stream=s),
                       large=lambda x, s: x.astype("int64", stream=s).fill(2**60 + 1, stream=s)),
    "blas.gemv": also(lambda x, s: tenon.blas.gemv(x, x[0], stream=s)),
    "blas.ger": also(lambda x, s: tenon.blas.ger(x[0], x[:, 1], stream=s)),
    "blas.axpy": also(lambda x, s: tenon.blas.axpy(x, x.copy(stream=s), alpha=2, stream=s)),
    "blas.scal": also(lambda x, s: tenon.blas.scal(3, x.copy(stream=s), stream=s)),
    "blas.nrm2": also(lambda x, s: tenon.blas.nrm2(x, stream=s)),
    "blas.syrk": also(lambda x, s: tenon.blas.syrk(x, stream=s)),
    "blas.herk": also(lambda x, s: tenon.blas.herk(x, stream=s)),
    "blas.symm": also(lambda x, s: tenon.blas.symm(x, x, stream=s)),
    "blas.hemm": also(lambda x, s: tenon.blas.hemm(x, x, stream=s)),
    "blas.trmm": also(lambda x, s: tenon.blas.trmm(x, x.copy(stream=s), stream=s)),
    "blas.trsm": also(lambda x, s: tenon.blas.trsm(x, x.copy(stream=s), stream=s)),
    "blas.gemm_grouped": also(lambda x, s: tenon.blas.gemm_grouped([x, x.T], [x, x], stream=s)),
    "blas.symv": also(lambda x, s: tenon.blas.symv(x, x[0], stream=s)),
    "blas.hemv": also(lambda x, s: tenon.blas.hemv(x, x[0], stream=s)),
    "blas.syr": also(lambda x, s: tenon.blas.syr(x[0], stream=s)),
    "blas.her": also(lambda x, s: tenon.blas.her(x[0], stream=s)),
    "blas.syr2": also(lambda x, s: tenon.blas.syr2(x[0], x[1], stream=s)),
    "blas.her2": also(lambda x, s: tenon.blas.her2(x[0], x[1], stream=s)),
    "blas.syr2k": also(lambda x, s: tenon.blas.syr2k(x, x, stream=s)),
    "blas.her2k": also(lambda x, s: tenon.blas.her2k(x, x, stream=s)),
    "blas.gbmv": also(lambda x, s: tenon.blas.gbmv(x, x[0], below=1, stream=s)),
    "blas.sbmv": also(lambda x, s: tenon.blas.sbmv(x, x[0], stream=s)),
    "blas.hbmv": also(lambda x, s: tenon.blas.hbmv(x, x[0], stream=s)),
    "blas.geam": also(lambda x, s: tenon.blas.geam(x, x, trans_a="T", stream=s)),
    "blas.asum": also(lambda x, s: tenon.blas.asum(x, stream=s)),
    "blas.iamax": also(lambda x, s: tenon.blas.iamax(x, stream=s)),
    "blas.iamin": also(lambda x, s: tenon.blas.iamin(x, stream=s)),
    "blas.swap": also(lambda x, s: tenon.blas.swap(x.copy(stream=s), x.copy(stream=s), stream=s)),
    "blas.rot": also(lambda x, s: tenon.blas.rot(x.copy(stream=s), x.copy(stream=s), 0.6, 0.8, stream=s)),
    "blas.rotg": also(lambda x, s: tenon.blas.rotg(x, x, stream=s)),
    "blas.rotm": also(lambda x, s: tenon.blas.rotm(x.copy(stream=s), x.copy(stream=s),
                                                      on(x.device, numpy.arange(-1, 4).astype(str(x.dtype))), stream=s)),
    "blas.rotmg": also(lambda x, s: tenon.blas.rotmg(x, x, x, x, stream=s)),
    "blas.tbmv": also(lambda x, s: tenon.blas.tbmv(x, x[0], stream=s)),
    "blas.tbsv": also(lambda x, s: tenon.blas.tbsv(x, x[0], stream=s)),
    "blas.trmv": also(lambda x, s: tenon.blas.trmv(x, x[0].copy(stream=s), stream=s)),
    "blas.trsv": also(lambda x, s: tenon.blas.trsv(x, x[0].copy(stream=s), stream=s)),
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s)) for name in ("exp", "angle", "imag",
                                                                                    "real", "tril", "triu")},
    "add": also(lambda x, s: tenon.add(x, x[0], stream=s), number=lambda x, s: tenon.add(x, 2, stream=s)),
    "Array.conj": also(lambda x, s: x.conj(stream=s)),
    "Array.conjugate": also(lambda x, s: x.conjugate(stream=s)),
    "Array.clip": also(lambda x, s: x.clip(2, 5, stream=s)),
    "clip": also(lambda x, s: tenon.clip(x, 2, x[0], stream=s)),
    "where": also(lambda x, s: tenon.where(tenon.greater(x, 3, stream=s), x, 0, stream=s)),
    "astype": also(lambda x, s: tenon.astype(x, "float32", stream=s)),
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s),
                  first=lambda x, s, f=getattr(tenon, name): f(x, 0, stream=s))
       for name in ("all", "any", "argmax", "argmin", "count_nonzero", "std", "var", "logsumexp")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, axis=1, stream=s))
       for name in ("cummax", "cummin", "cumprod", "logcumsumexp", "cumulative_sum", "cumulative_prod",
                    "vector_norm", "sort", "argsort")},
    "arange": also(lambda x, s: tenon.arange(5, stream=s)),
    "linspace": also(lambda x, s: tenon.linspace(0, 1, 5, stream=s)),
    "eye": also(lambda x, s: tenon.eye(3, stream=s)),
    "concat": also(lambda x, s: tenon.concat([x, x.T], axis=1, stream=s)),
    "stack": also(lambda x, s: tenon.stack([x, x.T], stream=s)),
    "tile": also(lambda x, s: tenon.tile(x, (2, 3), stream=s)),
    "repeat": also(lambda x, s: tenon.repeat(x, 2, axis=0, stream=s)),
    "roll": also(lambda x, s: tenon.roll(x, 1, axis=1, stream=s)),
    "pad": also(lambda x, s: tenon.pad(x, 1, stream=s), edge=lambda x, s: tenon.pad(x, 2, "edge", stream=s)),
    "take": also(lambda x, s: tenon.take(x, ROWS, axis=0, stream=s)),
    "gather": also(lambda x, s: tenon.gather(x, COLUMNS, axis=0, stream=s)),
    "take_along_axis": also(lambda x, s: tenon.take_along_axis(x, COLUMNS, axis=1, stream=s)),
    "partition": also(lambda x, s: tenon.partition(x, 2, stream=s)),
    "argpartition": also(lambda x, s: tenon.argpartition(x, 2, stream=s)),
    "lexsort": also(lambda x, s: tenon.lexsort([x[0], x[1]], stream=s)),
    "top_k": also(lambda x, s: tenon.top_k(x, 2, stream=s)),
    "put": also(lambda x, s: changed(x, s, lambda y: tenon.put(y, ROWS, 5, stream=s))),
    "scatter": also(lambda x, s: changed(x, s, lambda y: tenon.scatter(y, ROWS, x[:3], axis=0,
                                                                       operation="max", stream=s))),
    "put_along_axis": also(lambda x, s: changed(x, s, lambda y: tenon.put_along_axis(y, COLUMNS, 5, axis=1, stream=s))),
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, stream=s),
                  first=lambda x, s, f=getattr(tenon, name): f(x, 0, stream=s))
       for name in ("median", "nanmedian", "nansum", "nanprod", "nancumsum", "nancumprod", "nanmax", "nanmin", "nanargmax",
                    "nanargmin", "nanmean", "nanvar", "nanstd")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, [0.2, 0.7], stream=s),
                  last=lambda x, s, f=getattr(tenon, name): f(x, 0.5, -1, method="lower", stream=s))
       for name in ("quantile", "percentile", "nanquantile", "nanpercentile")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, offsets=SEGMENTS, stream=s),
                  last=lambda x, s, f=getattr(tenon, name): f(x, ROWS_OF_SEGMENTS, 3, axis=-1, stream=s))
       for name in ("segment_sum", "segment_prod", "segment_max", "segment_min", "segment_logsumexp")},
    **{name: also(lambda x, s, f=getattr(tenon, name): f(x, offsets=SEGMENTS, stream=s),
                  keys=lambda x, s, f=getattr(tenon, name): f(x, keys=x[0], axis=1, exclusive=True, stream=s),
                  flags=lambda x, s, f=getattr(tenon, name): f(x, flags=ROWS_OF_SEGMENTS, stream=s))
       for name in ("segment_cumsum", "segment_cumprod", "segment_cummax", "segment_cummin", "segment_logcumsumexp")},
    "segment_offsets": also(lambda x, s: tenon.segment_offsets(keys=x[0], stream=s)),
    "reduce_by_key": also(lambda x, s: tenon.reduce_by_key(x[0], x, stream=s)),
    "dot": also(lambda x, s: tenon.dot(x, x, stream=s), vector=lambda x, s: tenon.dot(x, x[0], stream=s)),
    "vdot": also(lambda x, s: tenon.vdot(x, x, stream=s)),
    "inner": also(lambda x, s: tenon.inner(x, x[0], stream=s)),
    "merge": also(lambda x, s: tenon.merge(tenon.sort(x[0], stream=s), tenon.sort(x[1], stream=s), stream=s)),
    "digitize": also(lambda x, s: tenon.digitize(x, tenon.sort(x[0], stream=s), stream=s)),
    "searchsorted": also(lambda x, s: tenon.searchsorted(tenon.sort(x[0], stream=s), x, stream=s)),
    "interp": also(lambda x, s: tenon.interp(x, tenon.sort(x[0], stream=s), x[1], stream=s),
                   period=lambda x, s: tenon.interp(x, x[0], x[1], period=3, stream=s)),
    "isin": also(lambda x, s: tenon.isin(x, x[0], stream=s)),
    "compress": also(lambda x, s: tenon.compress([True, False, True, True], x, axis=0, stream=s)),
    "bincount": also(lambda x, s: tenon.bincount(x[0].astype("int64", stream=s), minlength=20, stream=s)),
    "histogram": also(lambda x, s: list(tenon.histogram(x, 4, stream=s))),
    "unique": also(lambda x, s: tenon.unique(x, stream=s)),
    "nonzero": also(lambda x, s: list(tenon.nonzero(x, stream=s))),
    "argwhere": also(lambda x, s: tenon.argwhere(x, stream=s)),
    "flatnonzero": also(lambda x, s: tenon.flatnonzero(x, stream=s)),
    "Elementwise": also(lambda x, s: ELEMENTWISE(x, 2, stream=s),
                        broadcast=lambda x, s: ELEMENTWISE(x[0], x, stream=s)),
    "Reduction": also(lambda x, s: REDUCTION(x, axis=0, stream=s)),
    "Scan": also(lambda x, s: SCAN(x, axis=0, stream=s)),
    "Operation": also(lambda x, s: tenon.ops.elementwise.softplus(x, stream=s)),
}
# These read results on the host, and therefore refuse to be recorded.
WAITING = {"cholesky", "cholesky_solve", "cond", "det", "eig", "eig_vectors", "eigh", "eigvals", "eigvalsh", "expm", "inv", "ldl_factor",
           "ldl_solve", "lstsq", "lu_factor", "lu_solve", "matrix_rank", "matrix_power", "norm", "pinv", "qr", "slogdet", "solve", "svd",
           "svd_driver", "svdvals", "argwhere", "bincount", "compress", "flatnonzero", "histogram", "nonzero", "unique", "segment_offsets", "reduce_by_key", "digitize"}
# Functions that declare work of other libraries, which cannot be recorded.
NO_WORK = {"Array.use"}
VIEWS = {"plain": lambda a: a[:SIZE, :SIZE], "strided": lambda a: a[::2, ::2], "transposed": lambda a: a[:SIZE, 1:SIZE + 1].T,
         "reversed": lambda a: a[SIZE - 1::-1, ::2]}


@pytest.fixture(autouse=True)
def package():
    tenon.plugins.load(KERNELS / "elementwise")


def takes_a_stream(function):
    return inspect.isfunction(function) and "stream" in inspect.signature(function).parameters


def test_no_function_is_forgotten():
    # Functions of the table make one C call that depends on the number of operands; exp and add represent them. Other
    # names are aliases. The public ones are wrapped, so that tensors give tensors.
    def original(function):
        return id(inspect.unwrap(function) if callable(function) else function)

    alike = {original(one) for one in (*vars(tenon._functions).values(), *(getattr(tenon, name, None) for name in CALLS))}
    names = set(dir(tenon)) - {"jax"}  # that module needs JAX
    functions = {name for name in names if takes_a_stream(getattr(tenon, name))
                 and original(getattr(tenon, name)) not in alike}
    functions |= {f"blas.{name}" for name in dir(tenon.blas) if takes_a_stream(getattr(tenon.blas, name))}
    functions |= {f"Array.{name}" for name in dir(tenon.Array) if takes_a_stream(getattr(tenon.Array, name)) and not name.startswith("_")}
    copies_to_the_host = {"Array.get", "Array.set"}  # CuPy's methods, which wait for any stream
    assert functions - CALLS.keys() == NO_WORK | copies_to_the_host


def parts(result):
    """The arrays of a result."""
    if isinstance(result, tenon.Array):
        return [result]
    return [one for part in result if not isinstance(part, str) for one in parts(part)]


# float32, and integers, which most functions convert first; each with one layout.
@pytest.mark.parametrize("view, dtype", [*((view, "float64") for view in VIEWS), ("strided", "float32"), ("transposed", "int32")])
@pytest.mark.parametrize("name", CALLS)
def test_all_work_is_recorded(device, random, name, view, dtype):
    first, second = (random.integers(1, 9, (2 * SIZE, 2 * SIZE)).astype(dtype) for _ in range(2))
    for variant, call in CALLS[name].items():
        base = on(device, first)
        x = VIEWS[view](base)
        try:
            call(x, None)
        except (tenon.TenonError, TypeError) as error:
            if name in WAITING and isinstance(error, tenon.LinAlgError):
                pass  # not for this matrix
            elif dtype == "int32" and isinstance(error, TypeError):
                continue  # does not accept integers
            else:
                raise
        graph = tenon.Graph(device)
        with graph:
            try:
                results = parts(call(x, graph))
            except tenon.Unsupported as error:
                assert name in WAITING and ("wait" in str(error) or "depends on" in str(error))
                continue
        assert name not in WAITING or (name == "matrix_power" and dtype == "int32")  # products of integers never wait
        base[:] = second
        graph.launch()
        expected = parts(call(x, None))
        for got, wanted in zip(results, expected, strict=True):
            numpy.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-4 if dtype == "float32" else 1e-10, atol=1e-4, err_msg=variant)


def test_results_that_are_given_are_recorded(device):
    x, y = on(device, numpy.arange(5.) + 1), on(device, numpy.zeros(8, "complex128"))
    sums = on(device, numpy.zeros(5))
    with tenon.Graph(device) as graph:
        assert tenon.fft(x, 8, out=y, stream=graph) is y
        assert tenon.cumsum(x, out=sums, stream=graph) is sums
    x[:] = 2
    for _ in range(2):
        graph.launch()
    numpy.testing.assert_allclose(y.numpy(), numpy.fft.fft(numpy.full(5, 2.), 8), atol=1e-12)
    assert sums.tolist() == [2, 4, 6, 8, 10]
