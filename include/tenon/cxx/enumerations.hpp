// tenon/cxx/enumerations.hpp: the constants of the C headers as scoped enumerations.
// Derived from the headers (abi/README.md). They are open: a later version of the library may know more values.
#ifndef TENON_CXX_ENUMERATIONS_HPP
#define TENON_CXX_ENUMERATIONS_HPP

#include <tenon/tenon.h>

namespace tenon {

enum class status : int32_t {
  ok = TENON_OK,
  invalid_argument = TENON_ERROR_INVALID_ARGUMENT,
  invalid_handle = TENON_ERROR_INVALID_HANDLE,
  out_of_memory = TENON_ERROR_OUT_OF_MEMORY,
  unsupported = TENON_ERROR_UNSUPPORTED,
  not_found = TENON_ERROR_NOT_FOUND,
  overflow = TENON_ERROR_OVERFLOW,
  dtype = TENON_ERROR_DTYPE,
  shape = TENON_ERROR_SHAPE,
  device = TENON_ERROR_DEVICE,
  context = TENON_ERROR_CONTEXT,
  layout = TENON_ERROR_LAYOUT,
  read_only = TENON_ERROR_READ_ONLY,
  overlap = TENON_ERROR_OVERLAP,
  compile = TENON_ERROR_COMPILE,
  missing_library = TENON_ERROR_MISSING_LIBRARY,
  kernel_fault = TENON_ERROR_KERNEL_FAULT,
  device_lost = TENON_ERROR_DEVICE_LOST,
  not_converged = TENON_ERROR_NOT_CONVERGED,
  singular = TENON_ERROR_SINGULAR,
  not_finite = TENON_ERROR_NOT_FINITE,
  not_ready = TENON_ERROR_NOT_READY,
  version = TENON_ERROR_VERSION,
  io = TENON_ERROR_IO,
  cancelled = TENON_ERROR_CANCELLED,
  forked = TENON_ERROR_FORKED,
  vendor = TENON_ERROR_VENDOR,
  internal = TENON_ERROR_INTERNAL,
};

enum class handle_kind : int32_t {
  blob = TENON_HANDLE_BLOB,
  error = TENON_HANDLE_ERROR,
  context = TENON_HANDLE_CONTEXT,
  device = TENON_HANDLE_DEVICE,
  stream = TENON_HANDLE_STREAM,
  event = TENON_HANDLE_EVENT,
  buffer = TENON_HANDLE_BUFFER,
  array = TENON_HANDLE_ARRAY,
  program = TENON_HANDLE_PROGRAM,
  kernel = TENON_HANDLE_KERNEL,
  call = TENON_HANDLE_CALL,
  compilation = TENON_HANDLE_COMPILATION,
  elementwise = TENON_HANDLE_ELEMENTWISE,
  reduction = TENON_HANDLE_REDUCTION,
  scan = TENON_HANDLE_SCAN,
  graph = TENON_HANDLE_GRAPH,
  package = TENON_HANDLE_PACKAGE,
  operation = TENON_HANDLE_OPERATION,
  texture = TENON_HANDLE_TEXTURE,
};

enum class dtype : uint32_t {
  bool_ = TENON_BOOL,
  int8 = TENON_INT8,
  int16 = TENON_INT16,
  int32 = TENON_INT32,
  int64 = TENON_INT64,
  uint8 = TENON_UINT8,
  uint16 = TENON_UINT16,
  uint32 = TENON_UINT32,
  uint64 = TENON_UINT64,
  float16 = TENON_FLOAT16,
  float32 = TENON_FLOAT32,
  float64 = TENON_FLOAT64,
  bfloat16 = TENON_BFLOAT16,
  complex32 = TENON_COMPLEX32,
  complex64 = TENON_COMPLEX64,
  complex128 = TENON_COMPLEX128,
  float8_e3m4 = TENON_FLOAT8_E3M4,
  float8_e4m3 = TENON_FLOAT8_E4M3,
  float8_e4m3b11fnuz = TENON_FLOAT8_E4M3B11FNUZ,
  float8_e4m3fn = TENON_FLOAT8_E4M3FN,
  float8_e4m3fnuz = TENON_FLOAT8_E4M3FNUZ,
  float8_e5m2 = TENON_FLOAT8_E5M2,
  float8_e5m2fnuz = TENON_FLOAT8_E5M2FNUZ,
  float8_e8m0fnu = TENON_FLOAT8_E8M0FNU,
  float6_e2m3fn = TENON_FLOAT6_E2M3FN,
  float6_e3m2fn = TENON_FLOAT6_E3M2FN,
  float4_e2m1fn = TENON_FLOAT4_E2M1FN,
};

enum class log_kind : int32_t {
  error = TENON_LOG_ERROR,
  warning = TENON_LOG_WARNING,
  info = TENON_LOG_INFO,
  debug = TENON_LOG_DEBUG,
};

enum class cache_kind : int32_t {
  default_ = TENON_CACHE_DEFAULT,
  off = TENON_CACHE_OFF,
  read_only = TENON_CACHE_READ_ONLY,
  no_compile = TENON_CACHE_NO_COMPILE,
};

enum class context_flags : uint32_t {
  none = 0,
  no_stream_tracking = TENON_CONTEXT_NO_STREAM_TRACKING,
  no_pool = TENON_CONTEXT_NO_POOL,
  debug_sync = TENON_CONTEXT_DEBUG_SYNC,
  nvtx = TENON_CONTEXT_NVTX,
  deterministic = TENON_CONTEXT_DETERMINISTIC,
  signed_packages = TENON_CONTEXT_SIGNED_PACKAGES,
  deferred_errors = TENON_CONTEXT_DEFERRED_ERRORS,
  check_finite = TENON_CONTEXT_CHECK_FINITE,
  no_signals = TENON_CONTEXT_NO_SIGNALS,
  private_stream = TENON_CONTEXT_PRIVATE_STREAM,
};
constexpr context_flags operator|(context_flags a, context_flags b) noexcept {
  return static_cast<context_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr context_flags operator&(context_flags a, context_flags b) noexcept {
  return static_cast<context_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class device_kind : int32_t {
  cpu = TENON_DEVICE_CPU,
  cuda = TENON_DEVICE_CUDA,
};

enum class event_flags : uint32_t {
  none = 0,
  timing = TENON_EVENT_TIMING,
};
constexpr event_flags operator|(event_flags a, event_flags b) noexcept {
  return static_cast<event_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr event_flags operator&(event_flags a, event_flags b) noexcept {
  return static_cast<event_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class arg_kind : uint32_t {
  array = TENON_ARG_ARRAY,
  scalar = TENON_ARG_SCALAR,
  pointer = TENON_ARG_POINTER,
  bytes = TENON_ARG_BYTES,
  strided = TENON_ARG_STRIDED,
  weak = TENON_ARG_WEAK,
  texture = TENON_ARG_TEXTURE,
  surface = TENON_ARG_SURFACE,
};

enum class memory_kind : int32_t {
  device = TENON_MEMORY_DEVICE,
  pinned = TENON_MEMORY_PINNED,
  managed = TENON_MEMORY_MANAGED,
};

enum class array_flags : uint32_t {
  none = 0,
  c_contiguous = TENON_ARRAY_C_CONTIGUOUS,
  f_contiguous = TENON_ARRAY_F_CONTIGUOUS,
  read_only = TENON_ARRAY_READ_ONLY,
};
constexpr array_flags operator|(array_flags a, array_flags b) noexcept {
  return static_cast<array_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr array_flags operator&(array_flags a, array_flags b) noexcept {
  return static_cast<array_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class access_kind : int32_t {
  read = TENON_ACCESS_READ,
  write = TENON_ACCESS_WRITE,
};

enum class dlpack_flags : uint32_t {
  none = 0,
  copy = TENON_DLPACK_COPY,
  stream_may_end = TENON_DLPACK_STREAM_MAY_END,
  never_copy = TENON_DLPACK_NEVER_COPY,
};
constexpr dlpack_flags operator|(dlpack_flags a, dlpack_flags b) noexcept {
  return static_cast<dlpack_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr dlpack_flags operator&(dlpack_flags a, dlpack_flags b) noexcept {
  return static_cast<dlpack_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class program_mode : int32_t {
  fast = TENON_PROGRAM_MODE_FAST,
  debug = TENON_PROGRAM_MODE_DEBUG,
  check = TENON_PROGRAM_MODE_CHECK,
};

enum class program_flags : uint32_t {
  none = 0,
  fast_math = TENON_PROGRAM_FLAG_FAST_MATH,
  reverse_order = TENON_PROGRAM_FLAG_REVERSE_ORDER,
  no_cache = TENON_PROGRAM_FLAG_NO_CACHE,
  trusted = TENON_PROGRAM_FLAG_TRUSTED,
};
constexpr program_flags operator|(program_flags a, program_flags b) noexcept {
  return static_cast<program_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr program_flags operator&(program_flags a, program_flags b) noexcept {
  return static_cast<program_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class image_kind : int32_t {
  binary = TENON_IMAGE_BINARY,
  ptx = TENON_IMAGE_PTX,
};

enum class parameter_kind : int32_t {
  scalar = TENON_PARAMETER_SCALAR,
  pointer = TENON_PARAMETER_POINTER,
  struct_ = TENON_PARAMETER_STRUCT,
  unknown = TENON_PARAMETER_UNKNOWN,
};

enum class execution_flags : uint32_t {
  none = 0,
  loop = TENON_EXECUTION_LOOP,
  regions = TENON_EXECUTION_REGIONS,
  fibers = TENON_EXECUTION_FIBERS,
  warps = TENON_EXECUTION_WARPS,
  in_order = TENON_EXECUTION_IN_ORDER,
  side_by_side = TENON_EXECUTION_SIDE_BY_SIDE,
};
constexpr execution_flags operator|(execution_flags a, execution_flags b) noexcept {
  return static_cast<execution_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr execution_flags operator&(execution_flags a, execution_flags b) noexcept {
  return static_cast<execution_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class launch_flags : uint32_t {
  none = 0,
  cooperative = TENON_LAUNCH_COOPERATIVE,
  programmatic = TENON_LAUNCH_PROGRAMMATIC,
};
constexpr launch_flags operator|(launch_flags a, launch_flags b) noexcept {
  return static_cast<launch_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr launch_flags operator&(launch_flags a, launch_flags b) noexcept {
  return static_cast<launch_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class input_kind : int32_t {
  source = TENON_INPUT_SOURCE,
  binary = TENON_INPUT_BINARY,
  ptx = TENON_INPUT_PTX,
  fatbin = TENON_INPUT_FATBIN,
  lto_ir = TENON_INPUT_LTO_IR,
};

enum class address_kind : int32_t {
  clamp = TENON_ADDRESS_CLAMP,
  wrap = TENON_ADDRESS_WRAP,
  mirror = TENON_ADDRESS_MIRROR,
  border = TENON_ADDRESS_BORDER,
};

enum class filter_kind : int32_t {
  point = TENON_FILTER_POINT,
  linear = TENON_FILTER_LINEAR,
};

enum class random_kind : int32_t {
  uniform = TENON_RANDOM_UNIFORM,
  normal = TENON_RANDOM_NORMAL,
  exponential = TENON_RANDOM_EXPONENTIAL,
  bits = TENON_RANDOM_BITS,
  integers = TENON_RANDOM_INTEGERS,
  bernoulli = TENON_RANDOM_BERNOULLI,
  gamma = TENON_RANDOM_GAMMA,
  beta = TENON_RANDOM_BETA,
  poisson = TENON_RANDOM_POISSON,
  binomial = TENON_RANDOM_BINOMIAL,
};

enum class pad_kind : int32_t {
  constant = TENON_PAD_CONSTANT,
  edge = TENON_PAD_EDGE,
  reflect = TENON_PAD_REFLECT,
  symmetric = TENON_PAD_SYMMETRIC,
  wrap = TENON_PAD_WRAP,
  linear_ramp = TENON_PAD_LINEAR_RAMP,
  mean = TENON_PAD_MEAN,
  maximum = TENON_PAD_MAXIMUM,
  minimum = TENON_PAD_MINIMUM,
  median = TENON_PAD_MEDIAN,
  empty = TENON_PAD_EMPTY,
};

enum class scatter_kind : int32_t {
  assign = TENON_SCATTER_ASSIGN,
  add = TENON_SCATTER_ADD,
  min = TENON_SCATTER_MIN,
  max = TENON_SCATTER_MAX,
};

enum class quantile_kind : int32_t {
  linear = TENON_QUANTILE_LINEAR,
  lower = TENON_QUANTILE_LOWER,
  higher = TENON_QUANTILE_HIGHER,
  midpoint = TENON_QUANTILE_MIDPOINT,
  nearest = TENON_QUANTILE_NEAREST,
  inverted_cdf = TENON_QUANTILE_INVERTED_CDF,
  averaged_inverted_cdf = TENON_QUANTILE_AVERAGED_INVERTED_CDF,
  closest_observation = TENON_QUANTILE_CLOSEST_OBSERVATION,
  interpolated_inverted_cdf = TENON_QUANTILE_INTERPOLATED_INVERTED_CDF,
  hazen = TENON_QUANTILE_HAZEN,
  weibull = TENON_QUANTILE_WEIBULL,
  median_unbiased = TENON_QUANTILE_MEDIAN_UNBIASED,
  normal_unbiased = TENON_QUANTILE_NORMAL_UNBIASED,
};

enum class step_kind : int32_t {
  unary = TENON_STEP_UNARY,
  binary = TENON_STEP_BINARY,
  select = TENON_STEP_SELECT,
  clip = TENON_STEP_CLIP,
  cast = TENON_STEP_CAST,
  gather = TENON_STEP_GATHER,
};

enum class graph_kind : int32_t {
  kernel = TENON_GRAPH_KERNEL,
  generated = TENON_GRAPH_GENERATED,
  operation = TENON_GRAPH_OPERATION,
  library = TENON_GRAPH_LIBRARY,
};

enum class fn : int32_t {
  positive = TENON_FN_POSITIVE,
  negative = TENON_FN_NEGATIVE,
  abs = TENON_FN_ABS,
  sign = TENON_FN_SIGN,
  square = TENON_FN_SQUARE,
  reciprocal = TENON_FN_RECIPROCAL,
  sqrt = TENON_FN_SQRT,
  cbrt = TENON_FN_CBRT,
  rsqrt = TENON_FN_RSQRT,
  exp = TENON_FN_EXP,
  exp2 = TENON_FN_EXP2,
  expm1 = TENON_FN_EXPM1,
  log = TENON_FN_LOG,
  log2 = TENON_FN_LOG2,
  log10 = TENON_FN_LOG10,
  log1p = TENON_FN_LOG1P,
  sin = TENON_FN_SIN,
  cos = TENON_FN_COS,
  tan = TENON_FN_TAN,
  asin = TENON_FN_ASIN,
  acos = TENON_FN_ACOS,
  atan = TENON_FN_ATAN,
  sinh = TENON_FN_SINH,
  cosh = TENON_FN_COSH,
  tanh = TENON_FN_TANH,
  asinh = TENON_FN_ASINH,
  acosh = TENON_FN_ACOSH,
  atanh = TENON_FN_ATANH,
  floor = TENON_FN_FLOOR,
  ceil = TENON_FN_CEIL,
  trunc = TENON_FN_TRUNC,
  round = TENON_FN_ROUND,
  isnan = TENON_FN_ISNAN,
  isinf = TENON_FN_ISINF,
  isfinite = TENON_FN_ISFINITE,
  signbit = TENON_FN_SIGNBIT,
  logical_not = TENON_FN_LOGICAL_NOT,
  bitwise_invert = TENON_FN_BITWISE_INVERT,
  conj = TENON_FN_CONJ,
  real = TENON_FN_REAL,
  imag = TENON_FN_IMAG,
  angle = TENON_FN_ANGLE,
  deg2rad = TENON_FN_DEG2RAD,
  rad2deg = TENON_FN_RAD2DEG,
  sinc = TENON_FN_SINC,
  erf = TENON_FN_ERF,
  erfc = TENON_FN_ERFC,
  gamma = TENON_FN_GAMMA,
  lgamma = TENON_FN_LGAMMA,
  digamma = TENON_FN_DIGAMMA,
  expit = TENON_FN_EXPIT,
  logit = TENON_FN_LOGIT,
  j0 = TENON_FN_J0,
  j1 = TENON_FN_J1,
  y0 = TENON_FN_Y0,
  y1 = TENON_FN_Y1,
  bitwise_count = TENON_FN_BITWISE_COUNT,
  entr = TENON_FN_ENTR,
  erfinv = TENON_FN_ERFINV,
  i0 = TENON_FN_I0,
  add = TENON_FN_ADD,
  subtract = TENON_FN_SUBTRACT,
  multiply = TENON_FN_MULTIPLY,
  divide = TENON_FN_DIVIDE,
  floor_divide = TENON_FN_FLOOR_DIVIDE,
  remainder = TENON_FN_REMAINDER,
  fmod = TENON_FN_FMOD,
  pow = TENON_FN_POW,
  maximum = TENON_FN_MAXIMUM,
  minimum = TENON_FN_MINIMUM,
  fmax = TENON_FN_FMAX,
  fmin = TENON_FN_FMIN,
  equal = TENON_FN_EQUAL,
  not_equal = TENON_FN_NOT_EQUAL,
  less = TENON_FN_LESS,
  less_equal = TENON_FN_LESS_EQUAL,
  greater = TENON_FN_GREATER,
  greater_equal = TENON_FN_GREATER_EQUAL,
  logical_and = TENON_FN_LOGICAL_AND,
  logical_or = TENON_FN_LOGICAL_OR,
  logical_xor = TENON_FN_LOGICAL_XOR,
  bitwise_and = TENON_FN_BITWISE_AND,
  bitwise_or = TENON_FN_BITWISE_OR,
  bitwise_xor = TENON_FN_BITWISE_XOR,
  bitwise_left_shift = TENON_FN_BITWISE_LEFT_SHIFT,
  bitwise_right_shift = TENON_FN_BITWISE_RIGHT_SHIFT,
  atan2 = TENON_FN_ATAN2,
  hypot = TENON_FN_HYPOT,
  copysign = TENON_FN_COPYSIGN,
  nextafter = TENON_FN_NEXTAFTER,
  logaddexp = TENON_FN_LOGADDEXP,
  logaddexp2 = TENON_FN_LOGADDEXP2,
  heaviside = TENON_FN_HEAVISIDE,
  gcd = TENON_FN_GCD,
  lcm = TENON_FN_LCM,
  xlogy = TENON_FN_XLOGY,
  rel_entr = TENON_FN_REL_ENTR,
  zeta = TENON_FN_ZETA,
  sum = TENON_FN_SUM,
  prod = TENON_FN_PROD,
  max = TENON_FN_MAX,
  min = TENON_FN_MIN,
  all = TENON_FN_ALL,
  any = TENON_FN_ANY,
  count_nonzero = TENON_FN_COUNT_NONZERO,
  argmax = TENON_FN_ARGMAX,
  argmin = TENON_FN_ARGMIN,
  mean = TENON_FN_MEAN,
  var = TENON_FN_VAR,
  std = TENON_FN_STD,
  norm = TENON_FN_NORM,
  logsumexp = TENON_FN_LOGSUMEXP,
  cumulative_sum = TENON_FN_CUMULATIVE_SUM,
  cumulative_prod = TENON_FN_CUMULATIVE_PROD,
  cumulative_max = TENON_FN_CUMULATIVE_MAX,
  cumulative_min = TENON_FN_CUMULATIVE_MIN,
  cumulative_logsumexp = TENON_FN_CUMULATIVE_LOGSUMEXP,
};

enum class apply_flags : uint32_t {
  none = 0,
  compiled = TENON_APPLY_COMPILED,
};
constexpr apply_flags operator|(apply_flags a, apply_flags b) noexcept {
  return static_cast<apply_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr apply_flags operator&(apply_flags a, apply_flags b) noexcept {
  return static_cast<apply_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class segments_kind : int32_t {
  offsets = TENON_SEGMENTS_OFFSETS,
  flags = TENON_SEGMENTS_FLAGS,
  keys = TENON_SEGMENTS_KEYS,
  numbers = TENON_SEGMENTS_NUMBERS,
};

enum class compute_kind : int32_t {
  strict = TENON_COMPUTE_STRICT,
  tf32 = TENON_COMPUTE_TF32,
  fast = TENON_COMPUTE_FAST,
  bf16 = TENON_COMPUTE_BF16,
};

enum class epilogue_kind : int32_t {
  none = TENON_EPILOGUE_NONE,
  relu = TENON_EPILOGUE_RELU,
  gelu = TENON_EPILOGUE_GELU,
};

enum class op : int32_t {
  none = TENON_OP_NONE,
  transpose = TENON_OP_TRANSPOSE,
  adjoint = TENON_OP_ADJOINT,
};

enum class svd_mode : int32_t {
  full = TENON_SVD_MODE_FULL,
  economy = TENON_SVD_MODE_ECONOMY,
  values = TENON_SVD_MODE_VALUES,
};

enum class svd_driver : int32_t {
  auto_ = TENON_SVD_DRIVER_AUTO,
  qr = TENON_SVD_DRIVER_QR,
  divide = TENON_SVD_DRIVER_DIVIDE,
  jacobi = TENON_SVD_DRIVER_JACOBI,
  polar = TENON_SVD_DRIVER_POLAR,
  gram = TENON_SVD_DRIVER_GRAM,
  krylov = TENON_SVD_DRIVER_KRYLOV,
  randomized = TENON_SVD_DRIVER_RANDOMIZED,
};

enum class solve_kind : int32_t {
  general = TENON_SOLVE_GENERAL,
  positive = TENON_SOLVE_POSITIVE,
  lower = TENON_SOLVE_LOWER,
  upper = TENON_SOLVE_UPPER,
};

enum class qr_kind : int32_t {
  reduced = TENON_QR_REDUCED,
  complete = TENON_QR_COMPLETE,
  r = TENON_QR_R,
  raw = TENON_QR_RAW,
};

enum class norm_kind : int32_t {
  frobenius = TENON_NORM_FROBENIUS,
  one = TENON_NORM_ONE,
  infinity = TENON_NORM_INFINITY,
  largest = TENON_NORM_LARGEST,
  two = TENON_NORM_TWO,
  minus_two = TENON_NORM_MINUS_TWO,
  nuclear = TENON_NORM_NUCLEAR,
};

enum class fft_direction : int32_t {
  forward = TENON_FFT_DIRECTION_FORWARD,
  inverse = TENON_FFT_DIRECTION_INVERSE,
};

enum class fft_norm : int32_t {
  backward = TENON_FFT_NORM_BACKWARD,
  ortho = TENON_FFT_NORM_ORTHO,
  forward = TENON_FFT_NORM_FORWARD,
};

enum class convolve_kind : int32_t {
  full = TENON_CONVOLVE_FULL,
  same = TENON_CONVOLVE_SAME,
  valid = TENON_CONVOLVE_VALID,
};

enum class package_flags : uint32_t {
  none = 0,
  any_owner = TENON_PACKAGE_ANY_OWNER,
  signed_ = TENON_PACKAGE_SIGNED,
};
constexpr package_flags operator|(package_flags a, package_flags b) noexcept {
  return static_cast<package_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr package_flags operator&(package_flags a, package_flags b) noexcept {
  return static_cast<package_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class operation_flags : uint32_t {
  none = 0,
  deterministic = TENON_OPERATION_DETERMINISTIC,
  in_place = TENON_OPERATION_IN_PLACE,
  cpu = TENON_OPERATION_CPU,
  cuda = TENON_OPERATION_CUDA,
  gradient = TENON_OPERATION_GRADIENT,
};
constexpr operation_flags operator|(operation_flags a, operation_flags b) noexcept {
  return static_cast<operation_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr operation_flags operator&(operation_flags a, operation_flags b) noexcept {
  return static_cast<operation_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

enum class role_kind : int32_t {
  in = TENON_ROLE_IN,
  out = TENON_ROLE_OUT,
  inout = TENON_ROLE_INOUT,
  scalar = TENON_ROLE_SCALAR,
};

enum class operand_flags : uint32_t {
  none = 0,
  has_default = TENON_OPERAND_HAS_DEFAULT,
  list = TENON_OPERAND_LIST,
  choice = TENON_OPERAND_CHOICE,
  optional = TENON_OPERAND_OPTIONAL,
};
constexpr operand_flags operator|(operand_flags a, operand_flags b) noexcept {
  return static_cast<operand_flags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr operand_flags operator&(operand_flags a, operand_flags b) noexcept {
  return static_cast<operand_flags>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}

} // namespace tenon
#endif
