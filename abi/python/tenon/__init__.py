"""Tenon: arrays shared between libraries without a copy, CUDA C kernels, BLAS, FFT and SVD, on GPUs and on the CPU.

    import tenon
    x = tenon.asarray(numpy_or_torch_array)         # the same memory
    kernel = tenon.Kernel(cuda_c_source, "name")
    kernel(grid, block, [x, y, n])                  # runs where x and y are
    u, s, vh = tenon.svd(x @ x.T)
    torch.from_dlpack(u)                            # the same memory again

A name is imported from its module when a program first uses it, so that importing the package takes little time.

Reading order of the package: _library (finding libtenon), _errors, _handle (ownership), _integers, _dtypes, _device, _stream,
_operators, _array, _indexing, _dlpack (exchange), _creation, _produce, _compute, _functions, _reductions, _moving,
_selecting, _nan, _segments, _quantiles, random, _texture, _kernel, _graph, _solve, _linalg, blas, _eigen, _fft,
_convolve, _plugins, _like, sparse, cache; for
PyTorch _torch, _torch_gradients, _shapes, _torch_operations, torch; for JAX jax; for NumPy's functions _numpy; for
CuPy's programs cupy. _raw is derived from the C headers.
"""

import sys as _sys

from ._library import lib as _lib
from ._names import MODULES as _MODULES

TYPE_CHECKING = False
if TYPE_CHECKING:  # the names of the package: abi/generate.py derives _names.py and __init__.pyi from these lines
    from . import array_api, blas, ops, plugins, random, sparse
    from ._array import Array
    from ._compute import astype, can_cast, clip, result_type, where
    from ._convolve import convolve, correlate, next_fast_length
    from ._creation import asarray, empty, empty_like, full, full_like, ones, ones_like, zeros, zeros_like
    from ._device import Device, default_device, device, devices, info, set_default_device
    from ._dlpack import from_dlpack
    from ._dtypes import DType
    from ._errors import (Cancelled, CompileError, DeviceError, DeviceLost, DTypeError, InvalidArgument, KernelFault,
                          LayoutError, LinAlgError, MissingLibrary, NotFound, NotReady, OutOfMemory, OverlapError,
                          ReadOnlyError, ShapeError, SizeOverflow, TenonError, Unsupported, VersionError)
    from ._eigen import EigenResult, LeftRightResult, eig, eig_vectors, eigh, eigvals, eigvalsh, expm, matrix_power
    from ._fft import (dct, dct_prepare, dctn, dst, dstn, fft, fft2, fft_prepare, fftfreq, fftn, fftshift, hfft, idct,
                       idctn, idst, idstn, ifft, ifft2, ifftn, ifftshift, ihfft, irfft, irfft2, irfftn, rfft, rfft2,
                       rfftfreq, rfftn)
    from ._finfo import finfo, iinfo, isdtype
    from ._functions import *  # noqa: F403
    from ._fuse import fuse
    from ._generated import Elementwise, Reduction, Scan, elementwise, reduction, scan
    from ._graph import Graph
    from ._kernel import Call, Compilation, CompiledKernel, Input, Kernel, Program, Strided
    from ._moving import (arange, argwhere, broadcast_arrays, broadcast_shapes, broadcast_to, compress, concat,
                          concatenate, diag, diagonal, expand_dims, eye, flatnonzero, flip, gather, identity, linspace,
                          meshgrid, moveaxis, nonzero, pad, permute_dims, put, put_along_axis, repeat, reshape, roll,
                          scatter, split, squeeze, stack, take, take_along_axis, tile, tri, tril, triu, unstack)
    from ._nan import (nanargmax, nanargmin, nancumprod, nancumsum, nanmax, nanmean, nanmin, nanprod, nanstd, nansum,
                       nanvar)
    from ._norms import norm, vector_norm
    from ._selecting import (argpartition, argsort, bincount, digitize, histogram, interp, intersect1d, isin, lexsort,
                             merge, partition, searchsorted, setdiff1d, setxor1d, sort, top_k,
                             union1d, unique, unique_all, unique_counts, unique_inverse, unique_values)
    from ._linalg import (SVDResult, cross, dot, einsum, einsum_path, gemm, inner, kron, matmul, matrix_transpose,
                          outer, rank_k, svd, svd_driver, svdvals, tensordot, trace, triangular_multiply, vdot, vecdot)
    from ._reductions import (all, any, argmax, argmin, count_nonzero, cummax, cummin, cumprod, cumsum,
                              cumulative_prod, cumulative_sum, diff, logcumsumexp, logsumexp, max, mean, min, prod, std,
                              sum, var)
    from ._quantiles import median, nanmedian, nanpercentile, nanquantile, percentile, quantile
    from ._segments import (reduce_by_key, segment_cummax, segment_cummin, segment_cumprod, segment_cumsum,
                            segment_logcumsumexp, segment_logsumexp, segment_max, segment_min, segment_offsets,
                            segment_prod, segment_sum)
    from ._solve import (LDLResult, LeastSquares, LUResult, QRResult, SlogdetResult, cholesky, cholesky_solve, det,
                         inv, ldl_factor, ldl_solve, lstsq, lu_factor, lu_solve, qr, slogdet, solve)
    from ._ranks import cond, matrix_rank, pinv
    from ._stream import Event, Stream
    from ._texture import Surface, Texture

# Modules of their own, and the dtypes, among them bool, as numpy.bool and torch.bool.
_LATER = ("cache", "cupy", "jax", "torch")  # few programs need them
_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
           "float64", "bfloat16", "complex32", "complex64", "complex128")

# These functions return tensors when they are given PyTorch tensors. Left out are the functions that create Arrays and
# those whose result is not an array.
_PLAIN = {"asarray", "can_cast", "devices", "elementwise", "finfo", "from_dlpack", "fuse", "iinfo", "info", "isdtype",
          "next_fast_length", "reduction", "result_type", "scan"}

_version = _lib.tenon_version()
__version__ = f"{_version >> 16}.{_version >> 8 & 255}.{_version & 255}"

_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
_PUBLIC = {*_MODULE_OF, *_DTYPES, *_LATER}
# Without the names that would shadow Python's built-ins (abs, all, any, bool, max, min, pow, round, sum) or an imported
# library; tenon.jax, too, can only be imported where JAX is installed.
__all__ = sorted(_PUBLIC - vars(_sys.modules["builtins"]).keys() - {"cupy", "jax", "torch"})


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'tenon' has no attribute {name!r}")
    value = globals()[name] = _found(name)
    return value


def _found(name: str) -> object:
    from importlib import import_module

    from . import _array, _interrupt  # whatever is used, they are needed

    if name in _DTYPES:
        return import_module("._dtypes", __name__).BY_NAME[name]
    module = _MODULE_OF.get(name, ".")
    if module == ".":
        return import_module(f".{name}", __name__)
    value = getattr(import_module(f".{module}", __name__), name)
    if not hasattr(value, "__code__") or name in _PLAIN:  # an exception, a class
        return value
    from ._like import like_inputs

    return like_inputs(value, __name__)


def load_ipython_extension(shell: object) -> None:
    """%load_ext tenon: the cell magic %%tenon."""
    from ._jupyter import register

    register(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
