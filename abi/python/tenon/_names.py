"""The names of the package, by the module that has them; "." has modules. Derived from __init__.py by abi/generate.py."""

MODULES = {
    ".": (
        "array_api", "blas", "ops", "plugins", "random", "sparse",
    ),
    "_array": (
        "Array",
    ),
    "_compute": (
        "astype", "can_cast", "clip", "result_type", "where",
    ),
    "_convolve": (
        "convolve", "correlate", "next_fast_length",
    ),
    "_creation": (
        "asarray", "empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like",
    ),
    "_device": (
        "Device", "default_device", "device", "devices", "info", "set_default_device",
    ),
    "_dlpack": (
        "from_dlpack",
    ),
    "_dtypes": (
        "DType",
    ),
    "_errors": (
        "Cancelled", "CompileError", "DeviceError", "DeviceLost", "DTypeError", "InvalidArgument", "KernelFault",
        "LayoutError", "LinAlgError", "MissingLibrary", "NotFound", "NotReady", "OutOfMemory", "OverlapError",
        "ReadOnlyError", "ShapeError", "SizeOverflow", "TenonError", "Unsupported", "VersionError",
    ),
    "_eigen": (
        "EigenResult", "LeftRightResult", "eig", "eig_vectors", "eigh", "eigvals", "eigvalsh", "expm", "matrix_power",
    ),
    "_fft": (
        "dct", "dct_prepare", "dctn", "dst", "dstn", "fft", "fft2", "fft_prepare", "fftfreq", "fftn", "fftshift",
        "hfft", "idct", "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
        "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
    ),
    "_finfo": (
        "finfo", "iinfo", "isdtype",
    ),
    "_functions": (
        "positive", "negative", "abs", "absolute", "sign", "square", "reciprocal", "sqrt", "cbrt", "rsqrt", "exp",
        "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "arcsin", "acos", "arccos",
        "atan", "arctan", "sinh", "cosh", "tanh", "asinh", "arcsinh", "acosh", "arccosh", "atanh", "arctanh", "floor",
        "ceil", "trunc", "round", "rint", "isnan", "isinf", "isfinite", "signbit", "logical_not", "bitwise_invert",
        "invert", "bitwise_not", "conj", "conjugate", "real", "imag", "angle", "deg2rad", "radians", "rad2deg",
        "degrees", "sinc", "erf", "erfc", "gamma", "lgamma", "gammaln", "digamma", "psi", "expit", "sigmoid", "logit",
        "j0", "j1", "y0", "y1", "bitwise_count", "entr", "erfinv", "i0", "add", "subtract", "multiply", "divide",
        "true_divide", "floor_divide", "remainder", "mod", "fmod", "pow", "power", "maximum", "minimum", "fmax", "fmin",
        "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or",
        "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "left_shift",
        "bitwise_right_shift", "right_shift", "atan2", "arctan2", "hypot", "copysign", "nextafter", "logaddexp",
        "logaddexp2", "heaviside", "gcd", "lcm", "xlogy", "rel_entr", "zeta",
    ),
    "_fuse": (
        "fuse",
    ),
    "_generated": (
        "Elementwise", "Reduction", "Scan", "elementwise", "reduction", "scan",
    ),
    "_graph": (
        "Graph",
    ),
    "_kernel": (
        "Call", "Compilation", "CompiledKernel", "Input", "Kernel", "Program", "Strided",
    ),
    "_moving": (
        "arange", "argwhere", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "compress", "concat",
        "concatenate", "diag", "diagonal", "expand_dims", "eye", "flatnonzero", "flip", "gather", "identity",
        "linspace", "meshgrid", "moveaxis", "nonzero", "pad", "permute_dims", "put", "put_along_axis", "repeat",
        "reshape", "roll", "scatter", "split", "squeeze", "stack", "take", "take_along_axis", "tile", "tri", "tril",
        "triu", "unstack",
    ),
    "_nan": (
        "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd",
        "nansum", "nanvar",
    ),
    "_norms": (
        "norm", "vector_norm",
    ),
    "_selecting": (
        "argpartition", "argsort", "bincount", "digitize", "histogram", "interp", "intersect1d", "isin", "lexsort",
        "merge", "partition", "searchsorted", "setdiff1d", "setxor1d", "sort", "top_k", "union1d", "unique",
        "unique_all", "unique_counts", "unique_inverse", "unique_values",
    ),
    "_linalg": (
        "SVDResult", "cross", "dot", "einsum", "einsum_path", "gemm", "inner", "kron", "matmul", "matrix_transpose",
        "outer", "rank_k", "svd", "svd_driver", "svdvals", "tensordot", "trace", "triangular_multiply", "vdot",
        "vecdot",
    ),
    "_reductions": (
        "all", "any", "argmax", "argmin", "count_nonzero", "cummax", "cummin", "cumprod", "cumsum", "cumulative_prod",
        "cumulative_sum", "diff", "logcumsumexp", "logsumexp", "max", "mean", "min", "prod", "std", "sum", "var",
    ),
    "_quantiles": (
        "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile",
    ),
    "_segments": (
        "reduce_by_key", "segment_cummax", "segment_cummin", "segment_cumprod", "segment_cumsum",
        "segment_logcumsumexp", "segment_logsumexp", "segment_max", "segment_min", "segment_offsets", "segment_prod",
        "segment_sum",
    ),
    "_solve": (
        "LDLResult", "LeastSquares", "LUResult", "QRResult", "SlogdetResult", "cholesky", "cholesky_solve", "det",
        "inv", "ldl_factor", "ldl_solve", "lstsq", "lu_factor", "lu_solve", "qr", "slogdet", "solve",
    ),
    "_ranks": (
        "cond", "matrix_rank", "pinv",
    ),
    "_stream": (
        "Event", "Stream",
    ),
    "_texture": (
        "Surface", "Texture",
    ),
}
