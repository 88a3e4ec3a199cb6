"""Derived from __init__.py by abi/generate.py."""

from . import array_api as array_api, blas as blas, ops as ops, plugins as plugins, random as random, sparse as sparse
from ._array import Array as Array
from ._compute import astype as astype, can_cast as can_cast, clip as clip, result_type as result_type, where as where
from ._convolve import convolve as convolve, correlate as correlate, next_fast_length as next_fast_length
from ._creation import (
    asarray as asarray, empty as empty, empty_like as empty_like, full as full, full_like as full_like, ones as ones,
    ones_like as ones_like, zeros as zeros, zeros_like as zeros_like)
from ._device import (
    Device as Device, default_device as default_device, device as device, devices as devices, info as info,
    set_default_device as set_default_device)
from ._dlpack import from_dlpack as from_dlpack
from ._dtypes import DType as DType
from ._errors import (
    Cancelled as Cancelled, CompileError as CompileError, DeviceError as DeviceError, DeviceLost as DeviceLost,
    DTypeError as DTypeError, InvalidArgument as InvalidArgument, KernelFault as KernelFault, LayoutError as
    LayoutError, LinAlgError as LinAlgError, MissingLibrary as MissingLibrary, NotFound as NotFound, NotReady as
    NotReady, OutOfMemory as OutOfMemory, OverlapError as OverlapError, ReadOnlyError as ReadOnlyError, ShapeError as
    ShapeError, SizeOverflow as SizeOverflow, TenonError as TenonError, Unsupported as Unsupported, VersionError as
    VersionError)
from ._eigen import (
    EigenResult as EigenResult, LeftRightResult as LeftRightResult, eig as eig, eig_vectors as eig_vectors, eigh as
    eigh, eigvals as eigvals, eigvalsh as eigvalsh, expm as expm, matrix_power as matrix_power)
from ._fft import (
    dct as dct, dct_prepare as dct_prepare, dctn as dctn, dst as dst, dstn as dstn, fft as fft, fft2 as fft2,
    fft_prepare as fft_prepare, fftfreq as fftfreq, fftn as fftn, fftshift as fftshift, hfft as hfft, idct as idct,
    idctn as idctn, idst as idst, idstn as idstn, ifft as ifft, ifft2 as ifft2, ifftn as ifftn, ifftshift as ifftshift,
    ihfft as ihfft, irfft as irfft, irfft2 as irfft2, irfftn as irfftn, rfft as rfft, rfft2 as rfft2, rfftfreq as
    rfftfreq, rfftn as rfftn)
from ._finfo import finfo as finfo, iinfo as iinfo, isdtype as isdtype
from ._functions import *
from ._fuse import fuse as fuse
from ._generated import (
    Elementwise as Elementwise, Reduction as Reduction, Scan as Scan, elementwise as elementwise, reduction as
    reduction, scan as scan)
from ._graph import Graph as Graph
from ._kernel import (
    Call as Call, Compilation as Compilation, CompiledKernel as CompiledKernel, Input as Input, Kernel as Kernel,
    Program as Program, Strided as Strided)
from ._moving import (
    arange as arange, argwhere as argwhere, broadcast_arrays as broadcast_arrays, broadcast_shapes as broadcast_shapes,
    broadcast_to as broadcast_to, compress as compress, concat as concat, concatenate as concatenate, diag as diag,
    diagonal as diagonal, expand_dims as expand_dims, eye as eye, flatnonzero as flatnonzero, flip as flip, gather as
    gather, identity as identity, linspace as linspace, meshgrid as meshgrid, moveaxis as moveaxis, nonzero as nonzero,
    pad as pad, permute_dims as permute_dims, put as put, put_along_axis as put_along_axis, repeat as repeat, reshape as
    reshape, roll as roll, scatter as scatter, split as split, squeeze as squeeze, stack as stack, take as take,
    take_along_axis as take_along_axis, tile as tile, tri as tri, tril as tril, triu as triu, unstack as unstack)
from ._nan import (
    nanargmax as nanargmax, nanargmin as nanargmin, nancumprod as nancumprod, nancumsum as nancumsum, nanmax as nanmax,
    nanmean as nanmean, nanmin as nanmin, nanprod as nanprod, nanstd as nanstd, nansum as nansum, nanvar as nanvar)
from ._norms import norm as norm, vector_norm as vector_norm
from ._selecting import (
    argpartition as argpartition, argsort as argsort, bincount as bincount, digitize as digitize, histogram as
    histogram, interp as interp, intersect1d as intersect1d, isin as isin, lexsort as lexsort, merge as merge, partition
    as partition, searchsorted as searchsorted, setdiff1d as setdiff1d, setxor1d as setxor1d, sort as sort, top_k as
    top_k, union1d as union1d, unique as unique, unique_all as unique_all, unique_counts as unique_counts,
    unique_inverse as unique_inverse, unique_values as unique_values)
from ._linalg import (
    SVDResult as SVDResult, cross as cross, dot as dot, einsum as einsum, einsum_path as einsum_path, gemm as gemm,
    inner as inner, kron as kron, matmul as matmul, matrix_transpose as matrix_transpose, outer as outer, rank_k as
    rank_k, svd as svd, svd_driver as svd_driver, svdvals as svdvals, tensordot as tensordot, trace as trace,
    triangular_multiply as triangular_multiply, vdot as vdot, vecdot as vecdot)
from ._reductions import (
    all as all, any as any, argmax as argmax, argmin as argmin, count_nonzero as count_nonzero, cummax as cummax, cummin
    as cummin, cumprod as cumprod, cumsum as cumsum, cumulative_prod as cumulative_prod, cumulative_sum as
    cumulative_sum, diff as diff, logcumsumexp as logcumsumexp, logsumexp as logsumexp, max as max, mean as mean, min as
    min, prod as prod, std as std, sum as sum, var as var)
from ._quantiles import (
    median as median, nanmedian as nanmedian, nanpercentile as nanpercentile, nanquantile as nanquantile, percentile as
    percentile, quantile as quantile)
from ._segments import (
    reduce_by_key as reduce_by_key, segment_cummax as segment_cummax, segment_cummin as segment_cummin, segment_cumprod
    as segment_cumprod, segment_cumsum as segment_cumsum, segment_logcumsumexp as segment_logcumsumexp,
    segment_logsumexp as segment_logsumexp, segment_max as segment_max, segment_min as segment_min, segment_offsets as
    segment_offsets, segment_prod as segment_prod, segment_sum as segment_sum)
from ._solve import (
    LDLResult as LDLResult, LeastSquares as LeastSquares, LUResult as LUResult, QRResult as QRResult, SlogdetResult as
    SlogdetResult, cholesky as cholesky, cholesky_solve as cholesky_solve, det as det, inv as inv, ldl_factor as
    ldl_factor, ldl_solve as ldl_solve, lstsq as lstsq, lu_factor as lu_factor, lu_solve as lu_solve, qr as qr, slogdet
    as slogdet, solve as solve)
from ._ranks import cond as cond, matrix_rank as matrix_rank, pinv as pinv
from ._stream import Event as Event, Stream as Stream
from ._texture import Surface as Surface, Texture as Texture
from . import cache as cache
from . import cupy as cupy
from . import jax as jax
from . import torch as torch

bool: DType
int8: DType
int16: DType
int32: DType
int64: DType
uint8: DType
uint16: DType
uint32: DType
uint64: DType
float16: DType
float32: DType
float64: DType
bfloat16: DType
complex32: DType
complex64: DType
complex128: DType
__version__: str


def load_ipython_extension(shell: object) -> None: ...
