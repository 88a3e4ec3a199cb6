"""Tenon: arrays shared between libraries without a copy, CUDA C kernels, BLAS, FFT and SVD, on GPUs and on the CPU.

    import tenon
    x = tenon.asarray(numpy_or_torch_array)         # the same memory
    kernel = tenon.Kernel(cuda_c_source, "name")
    kernel(grid, block, [x, y, n])                  # runs where x and y are
    u, s, vh = tenon.svd(x @ x.T)
    torch.from_dlpack(u)                            # the same memory again

Reading order of the package: _library (finding libtenon), _errors, _handle (ownership), _integers, _dtypes, _device, _stream,
_operators, _array, _indexing, _dlpack (exchange), _creation, _produce, _compute, _functions, _reductions, _moving,
_selecting, _nan, _segments, _quantiles, random, _texture, _kernel, _graph, _solve, _linalg, blas, _eigen, _fft, _convolve, _plugins, _like, sparse, cache; for
PyTorch _torch, _torch_gradients, _shapes, _torch_operations, torch; for JAX jax; for NumPy's functions _numpy; for
CuPy's programs cupy. _raw is derived from the C headers.
"""

import builtins as _builtins
from types import FunctionType as _FunctionType
from typing import Any as _Any

from . import _interrupt, array_api, blas, ops, plugins, random, sparse
from ._array import Array
from ._compute import astype, can_cast, clip, result_type, where
from ._convolve import convolve, correlate, next_fast_length
from ._creation import asarray, empty, empty_like, full, full_like, ones, ones_like, zeros, zeros_like
from ._device import Device, default_device, device, devices, info, set_default_device
from ._dlpack import from_dlpack
from ._dtypes import BY_NAME as _BY_NAME
from ._dtypes import DType
from ._errors import (Cancelled, CompileError, DeviceError, DeviceLost, DTypeError, InvalidArgument, KernelFault, LayoutError, LinAlgError,
                      MissingLibrary, NotFound, NotReady, OutOfMemory, OverlapError, ReadOnlyError, ShapeError, SizeOverflow, TenonError,
                      Unsupported, VersionError)
from ._eigen import EigenResult, LeftRightResult, eig, eig_vectors, eigh, eigvals, eigvalsh, expm, matrix_power
from ._fft import (dct, dct_prepare, dctn, dst, dstn, fft, fft2, fft_prepare, fftfreq, fftn, fftshift, hfft, idct, idctn, idst, idstn, ifft,
                   ifft2, ifftn, ifftshift, ihfft, irfft, irfft2, irfftn, rfft, rfft2, rfftfreq, rfftn)
from ._finfo import finfo, iinfo, isdtype
from ._functions import *  # noqa: F403
from ._fuse import fuse
from ._generated import Elementwise, Reduction, Scan, elementwise, reduction, scan
from ._graph import Graph
from ._kernel import Call, Compilation, CompiledKernel, Input, Kernel, Program, Strided
from ._library import lib as _lib
from ._like import like_inputs as _like_inputs
from ._moving import (arange, argwhere, broadcast_arrays, broadcast_shapes, broadcast_to, compress, concat, concatenate,
                      diag, diagonal, expand_dims, eye, flatnonzero, flip, gather, identity, linspace, meshgrid,
                      moveaxis, nonzero, pad, permute_dims, put, put_along_axis, repeat, reshape, roll, scatter, split,
                      squeeze, stack, take, take_along_axis, tile, tri, tril, triu, unstack)
from ._nan import (nanargmax, nanargmin, nancumprod, nancumsum, nanmax, nanmean, nanmin, nanprod, nanstd, nansum,
                   nanvar)
from ._norms import norm, vector_norm
from ._selecting import (argpartition, argsort, bincount, digitize, histogram, intersect1d, isin, lexsort, merge,
                         partition, searchsorted, setdiff1d, setxor1d, sort, top_k,
                         union1d, unique, unique_all, unique_counts, unique_inverse, unique_values)
from ._linalg import (SVDResult, cross, dot, einsum, einsum_path, gemm, inner, kron, matmul, matrix_transpose, outer, rank_k, svd, svd_driver,
                      svdvals, tensordot, trace, triangular_multiply, vdot, vecdot)
from ._reductions import (all, any, argmax, argmin, count_nonzero, cummax, cummin, cumprod, cumsum,
                          cumulative_prod, cumulative_sum, diff, logcumsumexp, logsumexp, max, mean, min, prod, std,
                          sum, var)
from ._quantiles import median, nanmedian, nanpercentile, nanquantile, percentile, quantile
from ._segments import (reduce_by_key, segment_cummax, segment_cummin, segment_cumprod, segment_cumsum,
                        segment_logcumsumexp, segment_logsumexp, segment_max, segment_min, segment_offsets,
                        segment_prod, segment_sum)
from ._solve import (LDLResult, LeastSquares, LUResult, QRResult, SlogdetResult, cholesky, cholesky_solve, det, inv, ldl_factor, ldl_solve, lstsq, lu_factor, lu_solve,
                     qr, slogdet, solve)
from ._ranks import cond, matrix_rank, pinv
from ._stream import Event, Stream
from ._texture import Surface, Texture

bool = _BY_NAME["bool"]  # noqa: A001: the dtype, as numpy.bool and torch.bool
int8, int16, int32, int64 = (_BY_NAME[f"int{bits}"] for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_BY_NAME[f"uint{bits}"] for bits in (8, 16, 32, 64))
float16, float32, float64, bfloat16 = (_BY_NAME[name] for name in ("float16", "float32", "float64", "bfloat16"))
complex32, complex64, complex128 = (_BY_NAME[f"complex{bits}"] for bits in (32, 64, 128))

# These functions return tensors when they are given PyTorch tensors. Left out are the functions that create Arrays and
# those whose result is not an array.
_plain = {"asarray", "can_cast", "devices", "elementwise", "finfo", "from_dlpack", "fuse", "iinfo", "info", "isdtype", "next_fast_length",
          "reduction", "result_type", "scan"}
globals().update({_name: _like_inputs(_value, __name__) for _name, _value in list(globals().items())
                  if isinstance(_value, _FunctionType) and not _name.startswith("_") and _name not in _plain})

_version = _lib.tenon_version()
__version__ = f"{_version >> 16}.{_version >> 8 & 255}.{_version & 255}"

_LATER = ("cache", "cupy", "jax",
          "torch")  # modules that are imported at first use, because few programs need them

# Without the names that would shadow Python's built-ins: abs, all, any, bool, max, min, pow, round, sum.
__all__ = [name for name in dir() if not name.startswith("_") and name not in dir(_builtins)] + list(_LATER)


def __getattr__(name: str) -> _Any:
    if name not in _LATER:
        raise AttributeError(f"module 'tenon' has no attribute {name!r}")
    import importlib

    return importlib.import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
