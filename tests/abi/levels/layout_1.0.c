/* The promises of ABI level 1.0, checked for ever: constants, layouts, prototypes and, when run, the table's rows.
 *
 * Derived from the headers by abi/generate.py. Once the level is released this file is never written again: a new level
 * only appends. A program built from it against an old library is also an old client to try with a new library.
 */
#include <tenon/tenon.h>

#include <stddef.h>
#include <stdio.h>

#define IS(fact) _Static_assert(fact, #fact)
#define TYPE(expression, ...) IS(_Generic((expression), __VA_ARGS__: 1, default: 0))
#define FIELD(record, field, at, bytes) \
  IS(offsetof(record, field) == at);    \
  IS(sizeof(((record*)0)->field) == bytes)

IS(TENON_OK == 0);
IS(TENON_ERROR_INVALID_ARGUMENT == 1);
IS(TENON_ERROR_INVALID_HANDLE == 2);
IS(TENON_ERROR_OUT_OF_MEMORY == 3);
IS(TENON_ERROR_UNSUPPORTED == 4);
IS(TENON_ERROR_NOT_FOUND == 5);
IS(TENON_ERROR_OVERFLOW == 6);
IS(TENON_ERROR_DTYPE == 7);
IS(TENON_ERROR_SHAPE == 8);
IS(TENON_ERROR_DEVICE == 9);
IS(TENON_ERROR_CONTEXT == 10);
IS(TENON_ERROR_LAYOUT == 11);
IS(TENON_ERROR_READ_ONLY == 12);
IS(TENON_ERROR_OVERLAP == 13);
IS(TENON_ERROR_COMPILE == 14);
IS(TENON_ERROR_MISSING_LIBRARY == 15);
IS(TENON_ERROR_KERNEL_FAULT == 16);
IS(TENON_ERROR_DEVICE_LOST == 17);
IS(TENON_ERROR_NOT_CONVERGED == 18);
IS(TENON_ERROR_SINGULAR == 19);
IS(TENON_ERROR_NOT_FINITE == 20);
IS(TENON_ERROR_NOT_READY == 21);
IS(TENON_ERROR_VERSION == 22);
IS(TENON_ERROR_IO == 23);
IS(TENON_ERROR_CANCELLED == 24);
IS(TENON_ERROR_FORKED == 25);
IS(TENON_ERROR_VENDOR == 26);
IS(TENON_ERROR_INTERNAL == 27);
IS(TENON_HANDLE_BLOB == 1);
IS(TENON_HANDLE_ERROR == 2);
IS(TENON_HANDLE_CONTEXT == 3);
IS(TENON_HANDLE_DEVICE == 4);
IS(TENON_HANDLE_STREAM == 5);
IS(TENON_HANDLE_EVENT == 6);
IS(TENON_HANDLE_BUFFER == 7);
IS(TENON_HANDLE_ARRAY == 8);
IS(TENON_HANDLE_PROGRAM == 9);
IS(TENON_HANDLE_KERNEL == 10);
IS(TENON_HANDLE_CALL == 11);
IS(TENON_HANDLE_COMPILATION == 12);
IS(TENON_HANDLE_ELEMENTWISE == 13);
IS(TENON_HANDLE_REDUCTION == 14);
IS(TENON_HANDLE_SCAN == 15);
IS(TENON_HANDLE_GRAPH == 16);
IS(TENON_HANDLE_PACKAGE == 17);
IS(TENON_HANDLE_OPERATION == 18);
IS(TENON_HANDLE_TEXTURE == 19);
IS(TENON_BOOL == 0x00010806u);
IS(TENON_INT8 == 0x00010800u);
IS(TENON_INT16 == 0x00011000u);
IS(TENON_INT32 == 0x00012000u);
IS(TENON_INT64 == 0x00014000u);
IS(TENON_UINT8 == 0x00010801u);
IS(TENON_UINT16 == 0x00011001u);
IS(TENON_UINT32 == 0x00012001u);
IS(TENON_UINT64 == 0x00014001u);
IS(TENON_FLOAT16 == 0x00011002u);
IS(TENON_FLOAT32 == 0x00012002u);
IS(TENON_FLOAT64 == 0x00014002u);
IS(TENON_BFLOAT16 == 0x00011004u);
IS(TENON_COMPLEX32 == 0x00012005u);
IS(TENON_COMPLEX64 == 0x00014005u);
IS(TENON_COMPLEX128 == 0x00018005u);
IS(TENON_FLOAT8_E3M4 == 0x00010807u);
IS(TENON_FLOAT8_E4M3 == 0x00010808u);
IS(TENON_FLOAT8_E4M3B11FNUZ == 0x00010809u);
IS(TENON_FLOAT8_E4M3FN == 0x0001080au);
IS(TENON_FLOAT8_E4M3FNUZ == 0x0001080bu);
IS(TENON_FLOAT8_E5M2 == 0x0001080cu);
IS(TENON_FLOAT8_E5M2FNUZ == 0x0001080du);
IS(TENON_FLOAT8_E8M0FNU == 0x0001080eu);
IS(TENON_FLOAT6_E2M3FN == 0x0001060fu);
IS(TENON_FLOAT6_E3M2FN == 0x00010610u);
IS(TENON_FLOAT4_E2M1FN == 0x00010411u);
IS(TENON_LOG_ERROR == 1);
IS(TENON_LOG_WARNING == 2);
IS(TENON_LOG_INFO == 3);
IS(TENON_LOG_DEBUG == 4);
IS(TENON_CACHE_DEFAULT == 0);
IS(TENON_CACHE_OFF == 1);
IS(TENON_CACHE_READ_ONLY == 2);
IS(TENON_CACHE_NO_COMPILE == 3);
IS(TENON_CONTEXT_NO_STREAM_TRACKING == 1u);
IS(TENON_CONTEXT_NO_POOL == 2u);
IS(TENON_CONTEXT_DEBUG_SYNC == 4u);
IS(TENON_CONTEXT_NVTX == 8u);
IS(TENON_CONTEXT_DETERMINISTIC == 16u);
IS(TENON_CONTEXT_SIGNED_PACKAGES == 32u);
IS(TENON_CONTEXT_DEFERRED_ERRORS == 64u);
IS(TENON_CONTEXT_CHECK_FINITE == 128u);
IS(TENON_CONTEXT_NO_SIGNALS == 512u);
IS(TENON_CONTEXT_PRIVATE_STREAM == 256u);
IS(TENON_DEVICE_CPU == 1);
IS(TENON_DEVICE_CUDA == 2);
IS(TENON_EVENT_TIMING == 1u);
IS(TENON_ARG_ARRAY == 1u);
IS(TENON_ARG_SCALAR == 2u);
IS(TENON_ARG_POINTER == 3u);
IS(TENON_ARG_BYTES == 4u);
IS(TENON_ARG_STRIDED == 5u);
IS(TENON_ARG_WEAK == 6u);
IS(TENON_ARG_TEXTURE == 7u);
IS(TENON_ARG_SURFACE == 8u);
IS(TENON_MAX_RANK == 64);
IS(TENON_MEMORY_DEVICE == 0);
IS(TENON_MEMORY_PINNED == 1);
IS(TENON_MEMORY_MANAGED == 2);
IS(TENON_ARRAY_C_CONTIGUOUS == 1u);
IS(TENON_ARRAY_F_CONTIGUOUS == 2u);
IS(TENON_ARRAY_READ_ONLY == 4u);
IS(TENON_ACCESS_READ == 1);
IS(TENON_ACCESS_WRITE == 2);
IS(TENON_DLPACK_COPY == 1u);
IS(TENON_DLPACK_STREAM_MAY_END == 2u);
IS(TENON_DLPACK_NEVER_COPY == 4u);
IS(TENON_PROGRAM_MODE_FAST == 0);
IS(TENON_PROGRAM_MODE_DEBUG == 1);
IS(TENON_PROGRAM_MODE_CHECK == 2);
IS(TENON_PROGRAM_FLAG_FAST_MATH == 1u);
IS(TENON_PROGRAM_FLAG_REVERSE_ORDER == 2u);
IS(TENON_PROGRAM_FLAG_NO_CACHE == 4u);
IS(TENON_PROGRAM_FLAG_TRUSTED == 8u);
IS(TENON_IMAGE_BINARY == 1);
IS(TENON_IMAGE_PTX == 2);
IS(TENON_PARAMETER_SCALAR == 1);
IS(TENON_PARAMETER_POINTER == 2);
IS(TENON_PARAMETER_STRUCT == 3);
IS(TENON_PARAMETER_UNKNOWN == 4);
IS(TENON_EXECUTION_LOOP == 1u);
IS(TENON_EXECUTION_REGIONS == 2u);
IS(TENON_EXECUTION_FIBERS == 4u);
IS(TENON_EXECUTION_WARPS == 8u);
IS(TENON_EXECUTION_IN_ORDER == 16u);
IS(TENON_LAUNCH_COOPERATIVE == 1u);
IS(TENON_LAUNCH_PROGRAMMATIC == 2u);
IS(TENON_INPUT_SOURCE == 0);
IS(TENON_INPUT_BINARY == 1);
IS(TENON_INPUT_PTX == 2);
IS(TENON_INPUT_FATBIN == 3);
IS(TENON_INPUT_LTO_IR == 4);
IS(TENON_ADDRESS_CLAMP == 0);
IS(TENON_ADDRESS_WRAP == 1);
IS(TENON_ADDRESS_MIRROR == 2);
IS(TENON_ADDRESS_BORDER == 3);
IS(TENON_FILTER_POINT == 0);
IS(TENON_FILTER_LINEAR == 1);
IS(TENON_RANDOM_UNIFORM == 0);
IS(TENON_RANDOM_NORMAL == 1);
IS(TENON_RANDOM_EXPONENTIAL == 2);
IS(TENON_RANDOM_BITS == 3);
IS(TENON_RANDOM_INTEGERS == 4);
IS(TENON_RANDOM_BERNOULLI == 5);
IS(TENON_RANDOM_GAMMA == 6);
IS(TENON_RANDOM_BETA == 7);
IS(TENON_RANDOM_POISSON == 8);
IS(TENON_RANDOM_BINOMIAL == 9);
IS(TENON_PAD_CONSTANT == 0);
IS(TENON_PAD_EDGE == 1);
IS(TENON_PAD_REFLECT == 2);
IS(TENON_PAD_SYMMETRIC == 3);
IS(TENON_PAD_WRAP == 4);
IS(TENON_SCATTER_ASSIGN == 0);
IS(TENON_SCATTER_ADD == 1);
IS(TENON_SCATTER_MIN == 2);
IS(TENON_SCATTER_MAX == 3);
IS(TENON_STEP_UNARY == 1);
IS(TENON_STEP_BINARY == 2);
IS(TENON_STEP_SELECT == 3);
IS(TENON_STEP_CLIP == 4);
IS(TENON_STEP_CAST == 5);
IS(TENON_GRAPH_KERNEL == 1);
IS(TENON_GRAPH_GENERATED == 2);
IS(TENON_GRAPH_OPERATION == 3);
IS(TENON_GRAPH_LIBRARY == 4);
IS(TENON_FN_POSITIVE == 1);
IS(TENON_FN_NEGATIVE == 2);
IS(TENON_FN_ABS == 3);
IS(TENON_FN_SIGN == 4);
IS(TENON_FN_SQUARE == 5);
IS(TENON_FN_RECIPROCAL == 6);
IS(TENON_FN_SQRT == 7);
IS(TENON_FN_CBRT == 8);
IS(TENON_FN_RSQRT == 9);
IS(TENON_FN_EXP == 10);
IS(TENON_FN_EXP2 == 11);
IS(TENON_FN_EXPM1 == 12);
IS(TENON_FN_LOG == 13);
IS(TENON_FN_LOG2 == 14);
IS(TENON_FN_LOG10 == 15);
IS(TENON_FN_LOG1P == 16);
IS(TENON_FN_SIN == 17);
IS(TENON_FN_COS == 18);
IS(TENON_FN_TAN == 19);
IS(TENON_FN_ASIN == 20);
IS(TENON_FN_ACOS == 21);
IS(TENON_FN_ATAN == 22);
IS(TENON_FN_SINH == 23);
IS(TENON_FN_COSH == 24);
IS(TENON_FN_TANH == 25);
IS(TENON_FN_ASINH == 26);
IS(TENON_FN_ACOSH == 27);
IS(TENON_FN_ATANH == 28);
IS(TENON_FN_FLOOR == 29);
IS(TENON_FN_CEIL == 30);
IS(TENON_FN_TRUNC == 31);
IS(TENON_FN_ROUND == 32);
IS(TENON_FN_ISNAN == 33);
IS(TENON_FN_ISINF == 34);
IS(TENON_FN_ISFINITE == 35);
IS(TENON_FN_SIGNBIT == 36);
IS(TENON_FN_LOGICAL_NOT == 37);
IS(TENON_FN_BITWISE_INVERT == 38);
IS(TENON_FN_CONJ == 39);
IS(TENON_FN_REAL == 40);
IS(TENON_FN_IMAG == 41);
IS(TENON_FN_ANGLE == 42);
IS(TENON_FN_DEG2RAD == 43);
IS(TENON_FN_RAD2DEG == 44);
IS(TENON_FN_SINC == 45);
IS(TENON_FN_ERF == 46);
IS(TENON_FN_ERFC == 47);
IS(TENON_FN_GAMMA == 48);
IS(TENON_FN_LGAMMA == 49);
IS(TENON_FN_DIGAMMA == 50);
IS(TENON_FN_EXPIT == 51);
IS(TENON_FN_LOGIT == 52);
IS(TENON_FN_J0 == 53);
IS(TENON_FN_J1 == 54);
IS(TENON_FN_Y0 == 55);
IS(TENON_FN_Y1 == 56);
IS(TENON_FN_BITWISE_COUNT == 57);
IS(TENON_FN_ADD == 101);
IS(TENON_FN_SUBTRACT == 102);
IS(TENON_FN_MULTIPLY == 103);
IS(TENON_FN_DIVIDE == 104);
IS(TENON_FN_FLOOR_DIVIDE == 105);
IS(TENON_FN_REMAINDER == 106);
IS(TENON_FN_FMOD == 107);
IS(TENON_FN_POW == 108);
IS(TENON_FN_MAXIMUM == 109);
IS(TENON_FN_MINIMUM == 110);
IS(TENON_FN_FMAX == 111);
IS(TENON_FN_FMIN == 112);
IS(TENON_FN_EQUAL == 113);
IS(TENON_FN_NOT_EQUAL == 114);
IS(TENON_FN_LESS == 115);
IS(TENON_FN_LESS_EQUAL == 116);
IS(TENON_FN_GREATER == 117);
IS(TENON_FN_GREATER_EQUAL == 118);
IS(TENON_FN_LOGICAL_AND == 119);
IS(TENON_FN_LOGICAL_OR == 120);
IS(TENON_FN_LOGICAL_XOR == 121);
IS(TENON_FN_BITWISE_AND == 122);
IS(TENON_FN_BITWISE_OR == 123);
IS(TENON_FN_BITWISE_XOR == 124);
IS(TENON_FN_BITWISE_LEFT_SHIFT == 125);
IS(TENON_FN_BITWISE_RIGHT_SHIFT == 126);
IS(TENON_FN_ATAN2 == 127);
IS(TENON_FN_HYPOT == 128);
IS(TENON_FN_COPYSIGN == 129);
IS(TENON_FN_NEXTAFTER == 130);
IS(TENON_FN_LOGADDEXP == 131);
IS(TENON_FN_LOGADDEXP2 == 132);
IS(TENON_FN_HEAVISIDE == 133);
IS(TENON_FN_GCD == 134);
IS(TENON_FN_LCM == 135);
IS(TENON_FN_XLOGY == 136);
IS(TENON_FN_SUM == 301);
IS(TENON_FN_PROD == 302);
IS(TENON_FN_MAX == 303);
IS(TENON_FN_MIN == 304);
IS(TENON_FN_ALL == 305);
IS(TENON_FN_ANY == 306);
IS(TENON_FN_COUNT_NONZERO == 307);
IS(TENON_FN_ARGMAX == 308);
IS(TENON_FN_ARGMIN == 309);
IS(TENON_FN_MEAN == 310);
IS(TENON_FN_VAR == 311);
IS(TENON_FN_STD == 312);
IS(TENON_FN_NORM == 313);
IS(TENON_FN_LOGSUMEXP == 314);
IS(TENON_FN_CUMULATIVE_SUM == 401);
IS(TENON_FN_CUMULATIVE_PROD == 402);
IS(TENON_FN_CUMULATIVE_MAX == 403);
IS(TENON_FN_CUMULATIVE_MIN == 404);
IS(TENON_FN_CUMULATIVE_LOGSUMEXP == 405);
IS(TENON_APPLY_COMPILED == 1u);
IS(TENON_COMPUTE_STRICT == 0);
IS(TENON_COMPUTE_TF32 == 1);
IS(TENON_COMPUTE_FAST == 2);
IS(TENON_COMPUTE_BF16 == 3);
IS(TENON_EPILOGUE_NONE == 0);
IS(TENON_EPILOGUE_RELU == 1);
IS(TENON_EPILOGUE_GELU == 2);
IS(TENON_OP_NONE == 0);
IS(TENON_OP_TRANSPOSE == 1);
IS(TENON_OP_ADJOINT == 2);
IS(TENON_SVD_MODE_FULL == 0);
IS(TENON_SVD_MODE_ECONOMY == 1);
IS(TENON_SVD_MODE_VALUES == 2);
IS(TENON_SVD_DRIVER_AUTO == 0);
IS(TENON_SVD_DRIVER_QR == 1);
IS(TENON_SVD_DRIVER_DIVIDE == 2);
IS(TENON_SVD_DRIVER_JACOBI == 3);
IS(TENON_SVD_DRIVER_POLAR == 4);
IS(TENON_SVD_DRIVER_GRAM == 5);
IS(TENON_SVD_DRIVER_KRYLOV == 6);
IS(TENON_SVD_DRIVER_RANDOMIZED == 7);
IS(TENON_SOLVE_GENERAL == 0);
IS(TENON_SOLVE_POSITIVE == 1);
IS(TENON_SOLVE_LOWER == 2);
IS(TENON_SOLVE_UPPER == 3);
IS(TENON_QR_REDUCED == 0);
IS(TENON_QR_COMPLETE == 1);
IS(TENON_QR_R == 2);
IS(TENON_NORM_FROBENIUS == 0);
IS(TENON_NORM_ONE == 1);
IS(TENON_NORM_INFINITY == 2);
IS(TENON_NORM_LARGEST == 3);
IS(TENON_NORM_TWO == 4);
IS(TENON_NORM_MINUS_TWO == 5);
IS(TENON_NORM_NUCLEAR == 6);
IS(TENON_FFT_DIRECTION_FORWARD == 0);
IS(TENON_FFT_DIRECTION_INVERSE == 1);
IS(TENON_FFT_NORM_BACKWARD == 0);
IS(TENON_FFT_NORM_ORTHO == 1);
IS(TENON_FFT_NORM_FORWARD == 2);
IS(TENON_CONVOLVE_FULL == 0);
IS(TENON_CONVOLVE_SAME == 1);
IS(TENON_CONVOLVE_VALID == 2);
IS(TENON_PACKAGE_ANY_OWNER == 1u);
IS(TENON_PACKAGE_SIGNED == 2u);
IS(TENON_OPERATION_DETERMINISTIC == 1u);
IS(TENON_OPERATION_IN_PLACE == 2u);
IS(TENON_OPERATION_CPU == 4u);
IS(TENON_OPERATION_CUDA == 8u);
IS(TENON_OPERATION_GRADIENT == 16u);
IS(TENON_ROLE_IN == 1);
IS(TENON_ROLE_OUT == 2);
IS(TENON_ROLE_INOUT == 3);
IS(TENON_ROLE_SCALAR == 4);
IS(TENON_OPERAND_HAS_DEFAULT == 1u);
IS(TENON_OPERAND_LIST == 2u);
IS(TENON_OPERAND_CHOICE == 4u);
IS(TENON_OPERAND_OPTIONAL == 8u);

IS(sizeof(tenon_allocator) >= 40);
IS(_Alignof(tenon_allocator) == 8);
FIELD(tenon_allocator, struct_size, 0, 4);
TYPE(&((tenon_allocator*)0)->struct_size, uint32_t (*));
FIELD(tenon_allocator, reserved, 4, 4);
TYPE(&((tenon_allocator*)0)->reserved, uint32_t (*));
FIELD(tenon_allocator, allocate, 8, 8);
TYPE(&((tenon_allocator*)0)->allocate, tenon_allocate_fn (*));
FIELD(tenon_allocator, deallocate, 16, 8);
TYPE(&((tenon_allocator*)0)->deallocate, tenon_deallocate_fn (*));
FIELD(tenon_allocator, user, 24, 8);
TYPE(&((tenon_allocator*)0)->user, void* (*));
FIELD(tenon_allocator, destroy, 32, 8);
TYPE(&((tenon_allocator*)0)->destroy, tenon_destroy_fn (*));

IS(sizeof(tenon_context_options) >= 96);
IS(_Alignof(tenon_context_options) == 8);
FIELD(tenon_context_options, struct_size, 0, 4);
TYPE(&((tenon_context_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_context_options, flags, 4, 4);
TYPE(&((tenon_context_options*)0)->flags, uint32_t (*));
FIELD(tenon_context_options, cache_directory, 8, 8);
TYPE(&((tenon_context_options*)0)->cache_directory, const char* (*));
FIELD(tenon_context_options, cache_limit_bytes, 16, 8);
TYPE(&((tenon_context_options*)0)->cache_limit_bytes, uint64_t (*));
FIELD(tenon_context_options, cache_mode, 24, 4);
TYPE(&((tenon_context_options*)0)->cache_mode, int32_t (*));
FIELD(tenon_context_options, log_level, 28, 4);
TYPE(&((tenon_context_options*)0)->log_level, int32_t (*));
FIELD(tenon_context_options, log, 32, 8);
TYPE(&((tenon_context_options*)0)->log, tenon_log_fn (*));
FIELD(tenon_context_options, log_user, 40, 8);
TYPE(&((tenon_context_options*)0)->log_user, void* (*));
FIELD(tenon_context_options, log_destroy, 48, 8);
TYPE(&((tenon_context_options*)0)->log_destroy, tenon_destroy_fn (*));
FIELD(tenon_context_options, kernel_timeout_seconds, 56, 8);
TYPE(&((tenon_context_options*)0)->kernel_timeout_seconds, double (*));
FIELD(tenon_context_options, memory_limit_bytes, 64, 8);
TYPE(&((tenon_context_options*)0)->memory_limit_bytes, uint64_t (*));
FIELD(tenon_context_options, plugin_path, 72, 8);
TYPE(&((tenon_context_options*)0)->plugin_path, const char* (*));
FIELD(tenon_context_options, tuning_directory, 80, 8);
TYPE(&((tenon_context_options*)0)->tuning_directory, const char* (*));
FIELD(tenon_context_options, allocator, 88, 8);
TYPE(&((tenon_context_options*)0)->allocator, const tenon_allocator* (*));

IS(sizeof(tenon_device_info) >= 104);
IS(_Alignof(tenon_device_info) == 8);
FIELD(tenon_device_info, struct_size, 0, 4);
TYPE(&((tenon_device_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_device_info, kind, 4, 4);
TYPE(&((tenon_device_info*)0)->kind, int32_t (*));
FIELD(tenon_device_info, index, 8, 4);
TYPE(&((tenon_device_info*)0)->index, int32_t (*));
FIELD(tenon_device_info, compute_major, 12, 4);
TYPE(&((tenon_device_info*)0)->compute_major, int32_t (*));
FIELD(tenon_device_info, compute_minor, 16, 4);
TYPE(&((tenon_device_info*)0)->compute_minor, int32_t (*));
FIELD(tenon_device_info, multiprocessors, 20, 4);
TYPE(&((tenon_device_info*)0)->multiprocessors, int32_t (*));
FIELD(tenon_device_info, warp_size, 24, 4);
TYPE(&((tenon_device_info*)0)->warp_size, int32_t (*));
FIELD(tenon_device_info, max_threads_per_block, 28, 4);
TYPE(&((tenon_device_info*)0)->max_threads_per_block, int32_t (*));
FIELD(tenon_device_info, max_block, 32, 12);
TYPE(&((tenon_device_info*)0)->max_block, int32_t (*)[3]);
FIELD(tenon_device_info, max_grid, 44, 12);
TYPE(&((tenon_device_info*)0)->max_grid, int32_t (*)[3]);
FIELD(tenon_device_info, shared_per_block, 56, 8);
TYPE(&((tenon_device_info*)0)->shared_per_block, uint64_t (*));
FIELD(tenon_device_info, shared_per_block_max, 64, 8);
TYPE(&((tenon_device_info*)0)->shared_per_block_max, uint64_t (*));
FIELD(tenon_device_info, total_memory, 72, 8);
TYPE(&((tenon_device_info*)0)->total_memory, uint64_t (*));
FIELD(tenon_device_info, free_memory, 80, 8);
TYPE(&((tenon_device_info*)0)->free_memory, uint64_t (*));
FIELD(tenon_device_info, l2_bytes, 88, 8);
TYPE(&((tenon_device_info*)0)->l2_bytes, uint64_t (*));
FIELD(tenon_device_info, max_threads_per_multiprocessor, 96, 4);
TYPE(&((tenon_device_info*)0)->max_threads_per_multiprocessor, int32_t (*));
FIELD(tenon_device_info, driver_version, 100, 4);
TYPE(&((tenon_device_info*)0)->driver_version, int32_t (*));

IS(sizeof(tenon_memory_info) >= 48);
IS(_Alignof(tenon_memory_info) == 8);
FIELD(tenon_memory_info, struct_size, 0, 4);
TYPE(&((tenon_memory_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_memory_info, reserved, 4, 4);
TYPE(&((tenon_memory_info*)0)->reserved, uint32_t (*));
FIELD(tenon_memory_info, used, 8, 8);
TYPE(&((tenon_memory_info*)0)->used, uint64_t (*));
FIELD(tenon_memory_info, used_peak, 16, 8);
TYPE(&((tenon_memory_info*)0)->used_peak, uint64_t (*));
FIELD(tenon_memory_info, held, 24, 8);
TYPE(&((tenon_memory_info*)0)->held, uint64_t (*));
FIELD(tenon_memory_info, limit, 32, 8);
TYPE(&((tenon_memory_info*)0)->limit, uint64_t (*));
FIELD(tenon_memory_info, allocations, 40, 8);
TYPE(&((tenon_memory_info*)0)->allocations, uint64_t (*));

IS(sizeof(tenon_stream_options) >= 8);
IS(_Alignof(tenon_stream_options) == 4);
FIELD(tenon_stream_options, struct_size, 0, 4);
TYPE(&((tenon_stream_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_stream_options, priority, 4, 4);
TYPE(&((tenon_stream_options*)0)->priority, int32_t (*));


IS(sizeof(tenon_arg) == 32);
IS(_Alignof(tenon_arg) == 8);
FIELD(tenon_arg, kind, 0, 4);
TYPE(&((tenon_arg*)0)->kind, uint32_t (*));
FIELD(tenon_arg, dtype, 4, 4);
TYPE(&((tenon_arg*)0)->dtype, uint32_t (*));
FIELD(tenon_arg, size, 8, 8);
TYPE(&((tenon_arg*)0)->size, uint64_t (*));
FIELD(tenon_arg, value, 16, 16);
FIELD(tenon_arg, value.array, 16, 8);
TYPE(&((tenon_arg*)0)->value.array, tenon_array* (*));
FIELD(tenon_arg, value.texture, 16, 8);
TYPE(&((tenon_arg*)0)->value.texture, tenon_texture* (*));
FIELD(tenon_arg, value.pointer, 16, 8);
TYPE(&((tenon_arg*)0)->value.pointer, const void* (*));
FIELD(tenon_arg, value.bytes, 16, 8);
TYPE(&((tenon_arg*)0)->value.bytes, const void* (*));
FIELD(tenon_arg, value.i8, 16, 1);
TYPE(&((tenon_arg*)0)->value.i8, int8_t (*));
FIELD(tenon_arg, value.i16, 16, 2);
TYPE(&((tenon_arg*)0)->value.i16, int16_t (*));
FIELD(tenon_arg, value.i32, 16, 4);
TYPE(&((tenon_arg*)0)->value.i32, int32_t (*));
FIELD(tenon_arg, value.i64, 16, 8);
TYPE(&((tenon_arg*)0)->value.i64, int64_t (*));
FIELD(tenon_arg, value.u8, 16, 1);
TYPE(&((tenon_arg*)0)->value.u8, uint8_t (*));
FIELD(tenon_arg, value.u16, 16, 2);
TYPE(&((tenon_arg*)0)->value.u16, uint16_t (*));
FIELD(tenon_arg, value.u32, 16, 4);
TYPE(&((tenon_arg*)0)->value.u32, uint32_t (*));
FIELD(tenon_arg, value.u64, 16, 8);
TYPE(&((tenon_arg*)0)->value.u64, uint64_t (*));
FIELD(tenon_arg, value.f32, 16, 4);
TYPE(&((tenon_arg*)0)->value.f32, float (*));
FIELD(tenon_arg, value.f64, 16, 8);
TYPE(&((tenon_arg*)0)->value.f64, double (*));
FIELD(tenon_arg, value.c64, 16, 8);
TYPE(&((tenon_arg*)0)->value.c64, float (*)[2]);
FIELD(tenon_arg, value.c128, 16, 16);
TYPE(&((tenon_arg*)0)->value.c128, double (*)[2]);

IS(sizeof(tenon_array_info) >= 72);
IS(_Alignof(tenon_array_info) == 8);
FIELD(tenon_array_info, struct_size, 0, 4);
TYPE(&((tenon_array_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_array_info, dtype, 4, 4);
TYPE(&((tenon_array_info*)0)->dtype, uint32_t (*));
FIELD(tenon_array_info, rank, 8, 4);
TYPE(&((tenon_array_info*)0)->rank, int32_t (*));
FIELD(tenon_array_info, flags, 12, 4);
TYPE(&((tenon_array_info*)0)->flags, uint32_t (*));
FIELD(tenon_array_info, data, 16, 8);
TYPE(&((tenon_array_info*)0)->data, void* (*));
FIELD(tenon_array_info, shape, 24, 8);
TYPE(&((tenon_array_info*)0)->shape, const int64_t* (*));
FIELD(tenon_array_info, strides, 32, 8);
TYPE(&((tenon_array_info*)0)->strides, const int64_t* (*));
FIELD(tenon_array_info, size, 40, 8);
TYPE(&((tenon_array_info*)0)->size, int64_t (*));
FIELD(tenon_array_info, bytes, 48, 8);
TYPE(&((tenon_array_info*)0)->bytes, uint64_t (*));
FIELD(tenon_array_info, device_kind, 56, 4);
TYPE(&((tenon_array_info*)0)->device_kind, int32_t (*));
FIELD(tenon_array_info, device_index, 60, 4);
TYPE(&((tenon_array_info*)0)->device_index, int32_t (*));
FIELD(tenon_array_info, memory_kind, 64, 4);
TYPE(&((tenon_array_info*)0)->memory_kind, int32_t (*));
FIELD(tenon_array_info, reserved, 68, 4);
TYPE(&((tenon_array_info*)0)->reserved, int32_t (*));

IS(sizeof(tenon_program_options) >= 96);
IS(_Alignof(tenon_program_options) == 8);
FIELD(tenon_program_options, struct_size, 0, 4);
TYPE(&((tenon_program_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_program_options, flags, 4, 4);
TYPE(&((tenon_program_options*)0)->flags, uint32_t (*));
FIELD(tenon_program_options, name, 8, 8);
TYPE(&((tenon_program_options*)0)->name, const char* (*));
FIELD(tenon_program_options, kernels, 16, 8);
TYPE(&((tenon_program_options*)0)->kernels, const char* const* (*));
FIELD(tenon_program_options, kernel_count, 24, 4);
TYPE(&((tenon_program_options*)0)->kernel_count, int32_t (*));
FIELD(tenon_program_options, header_count, 28, 4);
TYPE(&((tenon_program_options*)0)->header_count, int32_t (*));
FIELD(tenon_program_options, header_names, 32, 8);
TYPE(&((tenon_program_options*)0)->header_names, const char* const* (*));
FIELD(tenon_program_options, header_sources, 40, 8);
TYPE(&((tenon_program_options*)0)->header_sources, const char* const* (*));
FIELD(tenon_program_options, options, 48, 8);
TYPE(&((tenon_program_options*)0)->options, const char* const* (*));
FIELD(tenon_program_options, option_count, 56, 4);
TYPE(&((tenon_program_options*)0)->option_count, int32_t (*));
FIELD(tenon_program_options, mode, 60, 4);
TYPE(&((tenon_program_options*)0)->mode, int32_t (*));
FIELD(tenon_program_options, architecture, 64, 8);
TYPE(&((tenon_program_options*)0)->architecture, const char* (*));
FIELD(tenon_program_options, globals, 72, 8);
TYPE(&((tenon_program_options*)0)->globals, const char* const* (*));
FIELD(tenon_program_options, global_count, 80, 4);
TYPE(&((tenon_program_options*)0)->global_count, int32_t (*));
FIELD(tenon_program_options, reserved, 84, 4);
TYPE(&((tenon_program_options*)0)->reserved, uint32_t (*));
FIELD(tenon_program_options, time_limit, 88, 8);
TYPE(&((tenon_program_options*)0)->time_limit, double (*));

IS(sizeof(tenon_parameter_info) >= 32);
IS(_Alignof(tenon_parameter_info) == 4);
FIELD(tenon_parameter_info, struct_size, 0, 4);
TYPE(&((tenon_parameter_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_parameter_info, kind, 4, 4);
TYPE(&((tenon_parameter_info*)0)->kind, int32_t (*));
FIELD(tenon_parameter_info, dtype, 8, 4);
TYPE(&((tenon_parameter_info*)0)->dtype, uint32_t (*));
FIELD(tenon_parameter_info, read_only, 12, 4);
TYPE(&((tenon_parameter_info*)0)->read_only, uint32_t (*));
FIELD(tenon_parameter_info, size, 16, 4);
TYPE(&((tenon_parameter_info*)0)->size, uint32_t (*));
FIELD(tenon_parameter_info, alignment, 20, 4);
TYPE(&((tenon_parameter_info*)0)->alignment, uint32_t (*));
FIELD(tenon_parameter_info, element_size, 24, 4);
TYPE(&((tenon_parameter_info*)0)->element_size, uint32_t (*));
FIELD(tenon_parameter_info, reserved, 28, 4);
TYPE(&((tenon_parameter_info*)0)->reserved, uint32_t (*));

IS(sizeof(tenon_kernel_info) >= 64);
IS(_Alignof(tenon_kernel_info) == 8);
FIELD(tenon_kernel_info, struct_size, 0, 4);
TYPE(&((tenon_kernel_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_kernel_info, max_threads_per_block, 4, 4);
TYPE(&((tenon_kernel_info*)0)->max_threads_per_block, int32_t (*));
FIELD(tenon_kernel_info, registers, 8, 4);
TYPE(&((tenon_kernel_info*)0)->registers, int32_t (*));
FIELD(tenon_kernel_info, execution, 12, 4);
TYPE(&((tenon_kernel_info*)0)->execution, uint32_t (*));
FIELD(tenon_kernel_info, shared_bytes, 16, 8);
TYPE(&((tenon_kernel_info*)0)->shared_bytes, uint64_t (*));
FIELD(tenon_kernel_info, constant_bytes, 24, 8);
TYPE(&((tenon_kernel_info*)0)->constant_bytes, uint64_t (*));
FIELD(tenon_kernel_info, local_bytes, 32, 8);
TYPE(&((tenon_kernel_info*)0)->local_bytes, uint64_t (*));
FIELD(tenon_kernel_info, dynamic_shared_bytes, 40, 8);
TYPE(&((tenon_kernel_info*)0)->dynamic_shared_bytes, uint64_t (*));
FIELD(tenon_kernel_info, ptx_version, 48, 4);
TYPE(&((tenon_kernel_info*)0)->ptx_version, int32_t (*));
FIELD(tenon_kernel_info, binary_version, 52, 4);
TYPE(&((tenon_kernel_info*)0)->binary_version, int32_t (*));
FIELD(tenon_kernel_info, cache_mode_ca, 56, 4);
TYPE(&((tenon_kernel_info*)0)->cache_mode_ca, int32_t (*));
FIELD(tenon_kernel_info, shared_carveout, 60, 4);
TYPE(&((tenon_kernel_info*)0)->shared_carveout, int32_t (*));

IS(sizeof(tenon_launch) >= 48);
IS(_Alignof(tenon_launch) == 4);
FIELD(tenon_launch, struct_size, 0, 4);
TYPE(&((tenon_launch*)0)->struct_size, uint32_t (*));
FIELD(tenon_launch, flags, 4, 4);
TYPE(&((tenon_launch*)0)->flags, uint32_t (*));
FIELD(tenon_launch, grid, 8, 12);
TYPE(&((tenon_launch*)0)->grid, uint32_t (*)[3]);
FIELD(tenon_launch, block, 20, 12);
TYPE(&((tenon_launch*)0)->block, uint32_t (*)[3]);
FIELD(tenon_launch, cluster, 32, 12);
TYPE(&((tenon_launch*)0)->cluster, uint32_t (*)[3]);
FIELD(tenon_launch, shared_bytes, 44, 4);
TYPE(&((tenon_launch*)0)->shared_bytes, uint32_t (*));

IS(sizeof(tenon_program_input) >= 32);
IS(_Alignof(tenon_program_input) == 8);
FIELD(tenon_program_input, struct_size, 0, 4);
TYPE(&((tenon_program_input*)0)->struct_size, uint32_t (*));
FIELD(tenon_program_input, kind, 4, 4);
TYPE(&((tenon_program_input*)0)->kind, int32_t (*));
FIELD(tenon_program_input, data, 8, 8);
TYPE(&((tenon_program_input*)0)->data, const void* (*));
FIELD(tenon_program_input, size, 16, 8);
TYPE(&((tenon_program_input*)0)->size, uint64_t (*));
FIELD(tenon_program_input, name, 24, 8);
TYPE(&((tenon_program_input*)0)->name, const char* (*));

IS(sizeof(tenon_texture_options) >= 72);
IS(_Alignof(tenon_texture_options) == 4);
FIELD(tenon_texture_options, struct_size, 0, 4);
TYPE(&((tenon_texture_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_texture_options, dimensions, 4, 4);
TYPE(&((tenon_texture_options*)0)->dimensions, int32_t (*));
FIELD(tenon_texture_options, channels, 8, 4);
TYPE(&((tenon_texture_options*)0)->channels, int32_t (*));
FIELD(tenon_texture_options, layered, 12, 4);
TYPE(&((tenon_texture_options*)0)->layered, int32_t (*));
FIELD(tenon_texture_options, cube, 16, 4);
TYPE(&((tenon_texture_options*)0)->cube, int32_t (*));
FIELD(tenon_texture_options, normalized_coordinates, 20, 4);
TYPE(&((tenon_texture_options*)0)->normalized_coordinates, int32_t (*));
FIELD(tenon_texture_options, normalized_reads, 24, 4);
TYPE(&((tenon_texture_options*)0)->normalized_reads, int32_t (*));
FIELD(tenon_texture_options, surface, 28, 4);
TYPE(&((tenon_texture_options*)0)->surface, int32_t (*));
FIELD(tenon_texture_options, gather, 32, 4);
TYPE(&((tenon_texture_options*)0)->gather, int32_t (*));
FIELD(tenon_texture_options, share, 36, 4);
TYPE(&((tenon_texture_options*)0)->share, int32_t (*));
FIELD(tenon_texture_options, filter, 40, 4);
TYPE(&((tenon_texture_options*)0)->filter, int32_t (*));
FIELD(tenon_texture_options, address_x, 44, 4);
TYPE(&((tenon_texture_options*)0)->address_x, int32_t (*));
FIELD(tenon_texture_options, address_y, 48, 4);
TYPE(&((tenon_texture_options*)0)->address_y, int32_t (*));
FIELD(tenon_texture_options, address_z, 52, 4);
TYPE(&((tenon_texture_options*)0)->address_z, int32_t (*));
FIELD(tenon_texture_options, border, 56, 16);
TYPE(&((tenon_texture_options*)0)->border, float (*)[4]);

IS(sizeof(tenon_texture_info) >= 80);
IS(_Alignof(tenon_texture_info) == 8);
FIELD(tenon_texture_info, struct_size, 0, 4);
TYPE(&((tenon_texture_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_texture_info, dtype, 4, 4);
TYPE(&((tenon_texture_info*)0)->dtype, uint32_t (*));
FIELD(tenon_texture_info, dimensions, 8, 4);
TYPE(&((tenon_texture_info*)0)->dimensions, int32_t (*));
FIELD(tenon_texture_info, channels, 12, 4);
TYPE(&((tenon_texture_info*)0)->channels, int32_t (*));
FIELD(tenon_texture_info, layered, 16, 4);
TYPE(&((tenon_texture_info*)0)->layered, int32_t (*));
FIELD(tenon_texture_info, cube, 20, 4);
TYPE(&((tenon_texture_info*)0)->cube, int32_t (*));
FIELD(tenon_texture_info, surface, 24, 4);
TYPE(&((tenon_texture_info*)0)->surface, int32_t (*));
FIELD(tenon_texture_info, shared, 28, 4);
TYPE(&((tenon_texture_info*)0)->shared, int32_t (*));
FIELD(tenon_texture_info, width, 32, 8);
TYPE(&((tenon_texture_info*)0)->width, int64_t (*));
FIELD(tenon_texture_info, height, 40, 8);
TYPE(&((tenon_texture_info*)0)->height, int64_t (*));
FIELD(tenon_texture_info, depth, 48, 8);
TYPE(&((tenon_texture_info*)0)->depth, int64_t (*));
FIELD(tenon_texture_info, layers, 56, 8);
TYPE(&((tenon_texture_info*)0)->layers, int64_t (*));
FIELD(tenon_texture_info, texture_object, 64, 8);
TYPE(&((tenon_texture_info*)0)->texture_object, uint64_t (*));
FIELD(tenon_texture_info, surface_object, 72, 8);
TYPE(&((tenon_texture_info*)0)->surface_object, uint64_t (*));

IS(sizeof(tenon_random_options) >= 64);
IS(_Alignof(tenon_random_options) == 8);
FIELD(tenon_random_options, struct_size, 0, 4);
TYPE(&((tenon_random_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_random_options, reserved, 4, 4);
TYPE(&((tenon_random_options*)0)->reserved, uint32_t (*));
FIELD(tenon_random_options, key, 8, 8);
TYPE(&((tenon_random_options*)0)->key, uint64_t (*));
FIELD(tenon_random_options, offset, 16, 8);
TYPE(&((tenon_random_options*)0)->offset, uint64_t (*));
FIELD(tenon_random_options, stream, 24, 8);
TYPE(&((tenon_random_options*)0)->stream, uint64_t (*));
FIELD(tenon_random_options, a, 32, 8);
TYPE(&((tenon_random_options*)0)->a, double (*));
FIELD(tenon_random_options, b, 40, 8);
TYPE(&((tenon_random_options*)0)->b, double (*));
FIELD(tenon_random_options, low, 48, 8);
TYPE(&((tenon_random_options*)0)->low, int64_t (*));
FIELD(tenon_random_options, count, 56, 8);
TYPE(&((tenon_random_options*)0)->count, uint64_t (*));

IS(sizeof(tenon_moving_options) >= 8);
IS(_Alignof(tenon_moving_options) == 4);
FIELD(tenon_moving_options, struct_size, 0, 4);
TYPE(&((tenon_moving_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_moving_options, reserved, 4, 4);
TYPE(&((tenon_moving_options*)0)->reserved, uint32_t (*));

IS(sizeof(tenon_pad_options) >= 16);
IS(_Alignof(tenon_pad_options) == 8);
FIELD(tenon_pad_options, struct_size, 0, 4);
TYPE(&((tenon_pad_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_pad_options, mode, 4, 4);
TYPE(&((tenon_pad_options*)0)->mode, int32_t (*));
FIELD(tenon_pad_options, value, 8, 8);
TYPE(&((tenon_pad_options*)0)->value, const tenon_arg* (*));

IS(sizeof(tenon_take_options) >= 16);
IS(_Alignof(tenon_take_options) == 4);
FIELD(tenon_take_options, struct_size, 0, 4);
TYPE(&((tenon_take_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_take_options, along, 4, 4);
TYPE(&((tenon_take_options*)0)->along, int32_t (*));
FIELD(tenon_take_options, operation, 8, 4);
TYPE(&((tenon_take_options*)0)->operation, int32_t (*));
FIELD(tenon_take_options, reserved, 12, 4);
TYPE(&((tenon_take_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_range_options) >= 48);
IS(_Alignof(tenon_range_options) == 8);
FIELD(tenon_range_options, struct_size, 0, 4);
TYPE(&((tenon_range_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_range_options, has_last, 4, 4);
TYPE(&((tenon_range_options*)0)->has_last, int32_t (*));
FIELD(tenon_range_options, first, 8, 8);
TYPE(&((tenon_range_options*)0)->first, int64_t (*));
FIELD(tenon_range_options, integer_step, 16, 8);
TYPE(&((tenon_range_options*)0)->integer_step, int64_t (*));
FIELD(tenon_range_options, start, 24, 8);
TYPE(&((tenon_range_options*)0)->start, double (*));
FIELD(tenon_range_options, step, 32, 8);
TYPE(&((tenon_range_options*)0)->step, double (*));
FIELD(tenon_range_options, last, 40, 8);
TYPE(&((tenon_range_options*)0)->last, double (*));

IS(sizeof(tenon_diagonal_options) >= 16);
IS(_Alignof(tenon_diagonal_options) == 8);
FIELD(tenon_diagonal_options, struct_size, 0, 4);
TYPE(&((tenon_diagonal_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_diagonal_options, upper, 4, 4);
TYPE(&((tenon_diagonal_options*)0)->upper, int32_t (*));
FIELD(tenon_diagonal_options, diagonal, 8, 8);
TYPE(&((tenon_diagonal_options*)0)->diagonal, int64_t (*));

IS(sizeof(tenon_sort_options) >= 8);
IS(_Alignof(tenon_sort_options) == 4);
FIELD(tenon_sort_options, struct_size, 0, 4);
TYPE(&((tenon_sort_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_sort_options, descending, 4, 4);
TYPE(&((tenon_sort_options*)0)->descending, int32_t (*));

IS(sizeof(tenon_top_k_options) >= 8);
IS(_Alignof(tenon_top_k_options) == 4);
FIELD(tenon_top_k_options, struct_size, 0, 4);
TYPE(&((tenon_top_k_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_top_k_options, smallest, 4, 4);
TYPE(&((tenon_top_k_options*)0)->smallest, int32_t (*));

IS(sizeof(tenon_search_options) >= 8);
IS(_Alignof(tenon_search_options) == 4);
FIELD(tenon_search_options, struct_size, 0, 4);
TYPE(&((tenon_search_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_search_options, right, 4, 4);
TYPE(&((tenon_search_options*)0)->right, int32_t (*));

IS(sizeof(tenon_unique_options) >= 8);
IS(_Alignof(tenon_unique_options) == 4);
FIELD(tenon_unique_options, struct_size, 0, 4);
TYPE(&((tenon_unique_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_unique_options, nan_distinct, 4, 4);
TYPE(&((tenon_unique_options*)0)->nan_distinct, int32_t (*));

IS(sizeof(tenon_bincount_options) >= 8);
IS(_Alignof(tenon_bincount_options) == 4);
FIELD(tenon_bincount_options, struct_size, 0, 4);
TYPE(&((tenon_bincount_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_bincount_options, reserved, 4, 4);
TYPE(&((tenon_bincount_options*)0)->reserved, uint32_t (*));

IS(sizeof(tenon_cache_info) >= 120);
IS(_Alignof(tenon_cache_info) == 8);
FIELD(tenon_cache_info, struct_size, 0, 4);
TYPE(&((tenon_cache_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_cache_info, mode, 4, 4);
TYPE(&((tenon_cache_info*)0)->mode, int32_t (*));
FIELD(tenon_cache_info, directory, 8, 8);
TYPE(&((tenon_cache_info*)0)->directory, const char* (*));
FIELD(tenon_cache_info, limit_bytes, 16, 8);
TYPE(&((tenon_cache_info*)0)->limit_bytes, uint64_t (*));
FIELD(tenon_cache_info, entries, 24, 8);
TYPE(&((tenon_cache_info*)0)->entries, uint64_t (*));
FIELD(tenon_cache_info, bytes, 32, 8);
TYPE(&((tenon_cache_info*)0)->bytes, uint64_t (*));
FIELD(tenon_cache_info, process_hits, 40, 8);
TYPE(&((tenon_cache_info*)0)->process_hits, uint64_t (*));
FIELD(tenon_cache_info, disk_hits, 48, 8);
TYPE(&((tenon_cache_info*)0)->disk_hits, uint64_t (*));
FIELD(tenon_cache_info, misses, 56, 8);
TYPE(&((tenon_cache_info*)0)->misses, uint64_t (*));
FIELD(tenon_cache_info, compiled, 64, 8);
TYPE(&((tenon_cache_info*)0)->compiled, uint64_t (*));
FIELD(tenon_cache_info, failed, 72, 8);
TYPE(&((tenon_cache_info*)0)->failed, uint64_t (*));
FIELD(tenon_cache_info, waits, 80, 8);
TYPE(&((tenon_cache_info*)0)->waits, uint64_t (*));
FIELD(tenon_cache_info, damaged, 88, 8);
TYPE(&((tenon_cache_info*)0)->damaged, uint64_t (*));
FIELD(tenon_cache_info, written, 96, 8);
TYPE(&((tenon_cache_info*)0)->written, uint64_t (*));
FIELD(tenon_cache_info, not_written, 104, 8);
TYPE(&((tenon_cache_info*)0)->not_written, uint64_t (*));
FIELD(tenon_cache_info, evicted, 112, 8);
TYPE(&((tenon_cache_info*)0)->evicted, uint64_t (*));

IS(sizeof(tenon_cache_tally) >= 40);
IS(_Alignof(tenon_cache_tally) == 8);
FIELD(tenon_cache_tally, struct_size, 0, 4);
TYPE(&((tenon_cache_tally*)0)->struct_size, uint32_t (*));
FIELD(tenon_cache_tally, reserved, 4, 4);
TYPE(&((tenon_cache_tally*)0)->reserved, uint32_t (*));
FIELD(tenon_cache_tally, entries, 8, 8);
TYPE(&((tenon_cache_tally*)0)->entries, uint64_t (*));
FIELD(tenon_cache_tally, bytes, 16, 8);
TYPE(&((tenon_cache_tally*)0)->bytes, uint64_t (*));
FIELD(tenon_cache_tally, damaged, 24, 8);
TYPE(&((tenon_cache_tally*)0)->damaged, uint64_t (*));
FIELD(tenon_cache_tally, kept, 32, 8);
TYPE(&((tenon_cache_tally*)0)->kept, uint64_t (*));

IS(sizeof(tenon_generated_options) >= 48);
IS(_Alignof(tenon_generated_options) == 8);
FIELD(tenon_generated_options, struct_size, 0, 4);
TYPE(&((tenon_generated_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_generated_options, flags, 4, 4);
TYPE(&((tenon_generated_options*)0)->flags, uint32_t (*));
FIELD(tenon_generated_options, name, 8, 8);
TYPE(&((tenon_generated_options*)0)->name, const char* (*));
FIELD(tenon_generated_options, preamble, 16, 8);
TYPE(&((tenon_generated_options*)0)->preamble, const char* (*));
FIELD(tenon_generated_options, options, 24, 8);
TYPE(&((tenon_generated_options*)0)->options, const char* const* (*));
FIELD(tenon_generated_options, option_count, 32, 4);
TYPE(&((tenon_generated_options*)0)->option_count, int32_t (*));
FIELD(tenon_generated_options, mode, 36, 4);
TYPE(&((tenon_generated_options*)0)->mode, int32_t (*));
FIELD(tenon_generated_options, accumulator, 40, 8);
TYPE(&((tenon_generated_options*)0)->accumulator, const char* (*));

IS(sizeof(tenon_step) == 24);
IS(_Alignof(tenon_step) == 4);
FIELD(tenon_step, kind, 0, 4);
TYPE(&((tenon_step*)0)->kind, int32_t (*));
FIELD(tenon_step, function, 4, 4);
TYPE(&((tenon_step*)0)->function, int32_t (*));
FIELD(tenon_step, x, 8, 4);
TYPE(&((tenon_step*)0)->x, int32_t (*));
FIELD(tenon_step, y, 12, 4);
TYPE(&((tenon_step*)0)->y, int32_t (*));
FIELD(tenon_step, z, 16, 4);
TYPE(&((tenon_step*)0)->z, int32_t (*));
FIELD(tenon_step, dtype, 20, 4);
TYPE(&((tenon_step*)0)->dtype, uint32_t (*));

IS(sizeof(tenon_graph_node_info) >= 24);
IS(_Alignof(tenon_graph_node_info) == 8);
FIELD(tenon_graph_node_info, struct_size, 0, 4);
TYPE(&((tenon_graph_node_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_graph_node_info, kind, 4, 4);
TYPE(&((tenon_graph_node_info*)0)->kind, int32_t (*));
FIELD(tenon_graph_node_info, name, 8, 8);
TYPE(&((tenon_graph_node_info*)0)->name, const char* (*));
FIELD(tenon_graph_node_info, parameter_count, 16, 4);
TYPE(&((tenon_graph_node_info*)0)->parameter_count, int32_t (*));
FIELD(tenon_graph_node_info, reserved, 20, 4);
TYPE(&((tenon_graph_node_info*)0)->reserved, int32_t (*));

IS(sizeof(tenon_compute_options) >= 8);
IS(_Alignof(tenon_compute_options) == 4);
FIELD(tenon_compute_options, struct_size, 0, 4);
TYPE(&((tenon_compute_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_compute_options, flags, 4, 4);
TYPE(&((tenon_compute_options*)0)->flags, uint32_t (*));

IS(sizeof(tenon_reduce_options) >= 40);
IS(_Alignof(tenon_reduce_options) == 8);
FIELD(tenon_reduce_options, struct_size, 0, 4);
TYPE(&((tenon_reduce_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_reduce_options, flags, 4, 4);
TYPE(&((tenon_reduce_options*)0)->flags, uint32_t (*));
FIELD(tenon_reduce_options, axes, 8, 8);
TYPE(&((tenon_reduce_options*)0)->axes, const int32_t* (*));
FIELD(tenon_reduce_options, axis_count, 16, 4);
TYPE(&((tenon_reduce_options*)0)->axis_count, int32_t (*));
FIELD(tenon_reduce_options, keep_axes, 20, 4);
TYPE(&((tenon_reduce_options*)0)->keep_axes, int32_t (*));
FIELD(tenon_reduce_options, dtype, 24, 4);
TYPE(&((tenon_reduce_options*)0)->dtype, uint32_t (*));
FIELD(tenon_reduce_options, no_axes, 28, 4);
TYPE(&((tenon_reduce_options*)0)->no_axes, int32_t (*));
FIELD(tenon_reduce_options, correction, 32, 8);
TYPE(&((tenon_reduce_options*)0)->correction, double (*));

IS(sizeof(tenon_accumulate_options) >= 24);
IS(_Alignof(tenon_accumulate_options) == 4);
FIELD(tenon_accumulate_options, struct_size, 0, 4);
TYPE(&((tenon_accumulate_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_accumulate_options, flags, 4, 4);
TYPE(&((tenon_accumulate_options*)0)->flags, uint32_t (*));
FIELD(tenon_accumulate_options, axis, 8, 4);
TYPE(&((tenon_accumulate_options*)0)->axis, int32_t (*));
FIELD(tenon_accumulate_options, reserved, 12, 4);
TYPE(&((tenon_accumulate_options*)0)->reserved, int32_t (*));
FIELD(tenon_accumulate_options, dtype, 16, 4);
TYPE(&((tenon_accumulate_options*)0)->dtype, uint32_t (*));
FIELD(tenon_accumulate_options, exclusive, 20, 4);
TYPE(&((tenon_accumulate_options*)0)->exclusive, int32_t (*));

IS(sizeof(tenon_gemm_options) >= 40);
IS(_Alignof(tenon_gemm_options) == 8);
FIELD(tenon_gemm_options, struct_size, 0, 4);
TYPE(&((tenon_gemm_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_gemm_options, compute, 4, 4);
TYPE(&((tenon_gemm_options*)0)->compute, int32_t (*));
FIELD(tenon_gemm_options, out_packed, 8, 8);
TYPE(&((tenon_gemm_options*)0)->out_packed, int32_t* (*));
FIELD(tenon_gemm_options, op_a, 16, 4);
TYPE(&((tenon_gemm_options*)0)->op_a, int32_t (*));
FIELD(tenon_gemm_options, op_b, 20, 4);
TYPE(&((tenon_gemm_options*)0)->op_b, int32_t (*));
FIELD(tenon_gemm_options, bias, 24, 8);
TYPE(&((tenon_gemm_options*)0)->bias, const tenon_array* (*));
FIELD(tenon_gemm_options, epilogue, 32, 4);
TYPE(&((tenon_gemm_options*)0)->epilogue, int32_t (*));
FIELD(tenon_gemm_options, tune, 36, 4);
TYPE(&((tenon_gemm_options*)0)->tune, int32_t (*));

IS(sizeof(tenon_svd_options) >= 40);
IS(_Alignof(tenon_svd_options) == 8);
FIELD(tenon_svd_options, struct_size, 0, 4);
TYPE(&((tenon_svd_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_svd_options, mode, 4, 4);
TYPE(&((tenon_svd_options*)0)->mode, int32_t (*));
FIELD(tenon_svd_options, driver, 8, 4);
TYPE(&((tenon_svd_options*)0)->driver, int32_t (*));
FIELD(tenon_svd_options, reserved, 12, 4);
TYPE(&((tenon_svd_options*)0)->reserved, int32_t (*));
FIELD(tenon_svd_options, k, 16, 8);
TYPE(&((tenon_svd_options*)0)->k, int64_t (*));
FIELD(tenon_svd_options, tolerance, 24, 8);
TYPE(&((tenon_svd_options*)0)->tolerance, double (*));
FIELD(tenon_svd_options, out_driver, 32, 8);
TYPE(&((tenon_svd_options*)0)->out_driver, int32_t* (*));

IS(sizeof(tenon_blas_options) >= 48);
IS(_Alignof(tenon_blas_options) == 8);
FIELD(tenon_blas_options, struct_size, 0, 4);
TYPE(&((tenon_blas_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_blas_options, op, 4, 4);
TYPE(&((tenon_blas_options*)0)->op, int32_t (*));
FIELD(tenon_blas_options, upper, 8, 4);
TYPE(&((tenon_blas_options*)0)->upper, int32_t (*));
FIELD(tenon_blas_options, right, 12, 4);
TYPE(&((tenon_blas_options*)0)->right, int32_t (*));
FIELD(tenon_blas_options, hermitian, 16, 4);
TYPE(&((tenon_blas_options*)0)->hermitian, int32_t (*));
FIELD(tenon_blas_options, unit_diagonal, 20, 4);
TYPE(&((tenon_blas_options*)0)->unit_diagonal, int32_t (*));
FIELD(tenon_blas_options, conjugate, 24, 4);
TYPE(&((tenon_blas_options*)0)->conjugate, int32_t (*));
FIELD(tenon_blas_options, op_b, 28, 4);
TYPE(&((tenon_blas_options*)0)->op_b, int32_t (*));
FIELD(tenon_blas_options, below, 32, 8);
TYPE(&((tenon_blas_options*)0)->below, int64_t (*));
FIELD(tenon_blas_options, out_packed, 40, 8);
TYPE(&((tenon_blas_options*)0)->out_packed, int32_t* (*));

IS(sizeof(tenon_solve_options) >= 16);
IS(_Alignof(tenon_solve_options) == 4);
FIELD(tenon_solve_options, struct_size, 0, 4);
TYPE(&((tenon_solve_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_solve_options, kind, 4, 4);
TYPE(&((tenon_solve_options*)0)->kind, int32_t (*));
FIELD(tenon_solve_options, op, 8, 4);
TYPE(&((tenon_solve_options*)0)->op, int32_t (*));
FIELD(tenon_solve_options, unit_diagonal, 12, 4);
TYPE(&((tenon_solve_options*)0)->unit_diagonal, int32_t (*));

IS(sizeof(tenon_lu_options) >= 12);
IS(_Alignof(tenon_lu_options) == 4);
FIELD(tenon_lu_options, struct_size, 0, 4);
TYPE(&((tenon_lu_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_lu_options, op, 4, 4);
TYPE(&((tenon_lu_options*)0)->op, int32_t (*));
FIELD(tenon_lu_options, reserved, 8, 4);
TYPE(&((tenon_lu_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_cholesky_options) >= 12);
IS(_Alignof(tenon_cholesky_options) == 4);
FIELD(tenon_cholesky_options, struct_size, 0, 4);
TYPE(&((tenon_cholesky_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_cholesky_options, upper, 4, 4);
TYPE(&((tenon_cholesky_options*)0)->upper, int32_t (*));
FIELD(tenon_cholesky_options, reserved, 8, 4);
TYPE(&((tenon_cholesky_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_qr_options) >= 12);
IS(_Alignof(tenon_qr_options) == 4);
FIELD(tenon_qr_options, struct_size, 0, 4);
TYPE(&((tenon_qr_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_qr_options, mode, 4, 4);
TYPE(&((tenon_qr_options*)0)->mode, int32_t (*));
FIELD(tenon_qr_options, reserved, 8, 4);
TYPE(&((tenon_qr_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_rank_options) >= 16);
IS(_Alignof(tenon_rank_options) == 8);
FIELD(tenon_rank_options, struct_size, 0, 4);
TYPE(&((tenon_rank_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_rank_options, reserved, 4, 4);
TYPE(&((tenon_rank_options*)0)->reserved, int32_t (*));
FIELD(tenon_rank_options, rcond, 8, 8);
TYPE(&((tenon_rank_options*)0)->rcond, double (*));

IS(sizeof(tenon_ldl_options) >= 16);
IS(_Alignof(tenon_ldl_options) == 4);
FIELD(tenon_ldl_options, struct_size, 0, 4);
TYPE(&((tenon_ldl_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_ldl_options, upper, 4, 4);
TYPE(&((tenon_ldl_options*)0)->upper, int32_t (*));
FIELD(tenon_ldl_options, hermitian, 8, 4);
TYPE(&((tenon_ldl_options*)0)->hermitian, int32_t (*));
FIELD(tenon_ldl_options, reserved, 12, 4);
TYPE(&((tenon_ldl_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_eigh_options) >= 48);
IS(_Alignof(tenon_eigh_options) == 8);
FIELD(tenon_eigh_options, struct_size, 0, 4);
TYPE(&((tenon_eigh_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_eigh_options, upper, 4, 4);
TYPE(&((tenon_eigh_options*)0)->upper, int32_t (*));
FIELD(tenon_eigh_options, first, 8, 8);
TYPE(&((tenon_eigh_options*)0)->first, int64_t (*));
FIELD(tenon_eigh_options, count, 16, 8);
TYPE(&((tenon_eigh_options*)0)->count, int64_t (*));
FIELD(tenon_eigh_options, low, 24, 8);
TYPE(&((tenon_eigh_options*)0)->low, double (*));
FIELD(tenon_eigh_options, high, 32, 8);
TYPE(&((tenon_eigh_options*)0)->high, double (*));
FIELD(tenon_eigh_options, by_value, 40, 4);
TYPE(&((tenon_eigh_options*)0)->by_value, int32_t (*));
FIELD(tenon_eigh_options, reserved, 44, 4);
TYPE(&((tenon_eigh_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_eig_options) >= 8);
IS(_Alignof(tenon_eig_options) == 4);
FIELD(tenon_eig_options, struct_size, 0, 4);
TYPE(&((tenon_eig_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_eig_options, reserved, 4, 4);
TYPE(&((tenon_eig_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_norm_options) >= 12);
IS(_Alignof(tenon_norm_options) == 4);
FIELD(tenon_norm_options, struct_size, 0, 4);
TYPE(&((tenon_norm_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_norm_options, kind, 4, 4);
TYPE(&((tenon_norm_options*)0)->kind, int32_t (*));
FIELD(tenon_norm_options, reserved, 8, 4);
TYPE(&((tenon_norm_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_power_options) >= 8);
IS(_Alignof(tenon_power_options) == 4);
FIELD(tenon_power_options, struct_size, 0, 4);
TYPE(&((tenon_power_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_power_options, reserved, 4, 4);
TYPE(&((tenon_power_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_fft_options) >= 24);
IS(_Alignof(tenon_fft_options) == 8);
FIELD(tenon_fft_options, struct_size, 0, 4);
TYPE(&((tenon_fft_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_fft_options, direction, 4, 4);
TYPE(&((tenon_fft_options*)0)->direction, int32_t (*));
FIELD(tenon_fft_options, norm, 8, 4);
TYPE(&((tenon_fft_options*)0)->norm, int32_t (*));
FIELD(tenon_fft_options, reserved, 12, 4);
TYPE(&((tenon_fft_options*)0)->reserved, int32_t (*));
FIELD(tenon_fft_options, real_length, 16, 8);
TYPE(&((tenon_fft_options*)0)->real_length, int64_t (*));

IS(sizeof(tenon_dct_options) >= 24);
IS(_Alignof(tenon_dct_options) == 4);
FIELD(tenon_dct_options, struct_size, 0, 4);
TYPE(&((tenon_dct_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_dct_options, type, 4, 4);
TYPE(&((tenon_dct_options*)0)->type, int32_t (*));
FIELD(tenon_dct_options, sine, 8, 4);
TYPE(&((tenon_dct_options*)0)->sine, int32_t (*));
FIELD(tenon_dct_options, direction, 12, 4);
TYPE(&((tenon_dct_options*)0)->direction, int32_t (*));
FIELD(tenon_dct_options, norm, 16, 4);
TYPE(&((tenon_dct_options*)0)->norm, int32_t (*));
FIELD(tenon_dct_options, reserved, 20, 4);
TYPE(&((tenon_dct_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_convolve_options) >= 16);
IS(_Alignof(tenon_convolve_options) == 4);
FIELD(tenon_convolve_options, struct_size, 0, 4);
TYPE(&((tenon_convolve_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_convolve_options, mode, 4, 4);
TYPE(&((tenon_convolve_options*)0)->mode, int32_t (*));
FIELD(tenon_convolve_options, correlate, 8, 4);
TYPE(&((tenon_convolve_options*)0)->correlate, int32_t (*));
FIELD(tenon_convolve_options, reserved, 12, 4);
TYPE(&((tenon_convolve_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_shift_options) >= 12);
IS(_Alignof(tenon_shift_options) == 4);
FIELD(tenon_shift_options, struct_size, 0, 4);
TYPE(&((tenon_shift_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_shift_options, inverse, 4, 4);
TYPE(&((tenon_shift_options*)0)->inverse, int32_t (*));
FIELD(tenon_shift_options, reserved, 8, 4);
TYPE(&((tenon_shift_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_frequencies_options) >= 12);
IS(_Alignof(tenon_frequencies_options) == 4);
FIELD(tenon_frequencies_options, struct_size, 0, 4);
TYPE(&((tenon_frequencies_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_frequencies_options, half, 4, 4);
TYPE(&((tenon_frequencies_options*)0)->half, int32_t (*));
FIELD(tenon_frequencies_options, reserved, 8, 4);
TYPE(&((tenon_frequencies_options*)0)->reserved, int32_t (*));

IS(sizeof(tenon_package_options) >= 32);
IS(_Alignof(tenon_package_options) == 8);
FIELD(tenon_package_options, struct_size, 0, 4);
TYPE(&((tenon_package_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_package_options, flags, 4, 4);
TYPE(&((tenon_package_options*)0)->flags, uint32_t (*));
FIELD(tenon_package_options, sha256, 8, 8);
TYPE(&((tenon_package_options*)0)->sha256, const char* (*));
FIELD(tenon_package_options, trusted_keys, 16, 8);
TYPE(&((tenon_package_options*)0)->trusted_keys, const char* const* (*));
FIELD(tenon_package_options, trusted_key_count, 24, 4);
TYPE(&((tenon_package_options*)0)->trusted_key_count, int32_t (*));
FIELD(tenon_package_options, reserved, 28, 4);
TYPE(&((tenon_package_options*)0)->reserved, uint32_t (*));

IS(sizeof(tenon_operation_info) >= 24);
IS(_Alignof(tenon_operation_info) == 4);
FIELD(tenon_operation_info, struct_size, 0, 4);
TYPE(&((tenon_operation_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_operation_info, flags, 4, 4);
TYPE(&((tenon_operation_info*)0)->flags, uint32_t (*));
FIELD(tenon_operation_info, parameter_count, 8, 4);
TYPE(&((tenon_operation_info*)0)->parameter_count, int32_t (*));
FIELD(tenon_operation_info, output_count, 12, 4);
TYPE(&((tenon_operation_info*)0)->output_count, int32_t (*));
FIELD(tenon_operation_info, tunable_count, 16, 4);
TYPE(&((tenon_operation_info*)0)->tunable_count, int32_t (*));
FIELD(tenon_operation_info, test_count, 20, 4);
TYPE(&((tenon_operation_info*)0)->test_count, int32_t (*));

IS(sizeof(tenon_operation_parameter_info) >= 40);
IS(_Alignof(tenon_operation_parameter_info) == 8);
FIELD(tenon_operation_parameter_info, struct_size, 0, 4);
TYPE(&((tenon_operation_parameter_info*)0)->struct_size, uint32_t (*));
FIELD(tenon_operation_parameter_info, role, 4, 4);
TYPE(&((tenon_operation_parameter_info*)0)->role, int32_t (*));
FIELD(tenon_operation_parameter_info, flags, 8, 4);
TYPE(&((tenon_operation_parameter_info*)0)->flags, uint32_t (*));
FIELD(tenon_operation_parameter_info, dtype, 12, 4);
TYPE(&((tenon_operation_parameter_info*)0)->dtype, uint32_t (*));
FIELD(tenon_operation_parameter_info, placeholder, 16, 4);
TYPE(&((tenon_operation_parameter_info*)0)->placeholder, int32_t (*));
FIELD(tenon_operation_parameter_info, reserved, 20, 4);
TYPE(&((tenon_operation_parameter_info*)0)->reserved, int32_t (*));
FIELD(tenon_operation_parameter_info, name, 24, 8);
TYPE(&((tenon_operation_parameter_info*)0)->name, const char* (*));
FIELD(tenon_operation_parameter_info, doc, 32, 8);
TYPE(&((tenon_operation_parameter_info*)0)->doc, const char* (*));

IS(sizeof(tenon_measure_options) >= 40);
IS(_Alignof(tenon_measure_options) == 8);
FIELD(tenon_measure_options, struct_size, 0, 4);
TYPE(&((tenon_measure_options*)0)->struct_size, uint32_t (*));
FIELD(tenon_measure_options, given_count, 4, 4);
TYPE(&((tenon_measure_options*)0)->given_count, int32_t (*));
FIELD(tenon_measure_options, given_names, 8, 8);
TYPE(&((tenon_measure_options*)0)->given_names, const char* const* (*));
FIELD(tenon_measure_options, given_values, 16, 8);
TYPE(&((tenon_measure_options*)0)->given_values, const char* const* (*));
FIELD(tenon_measure_options, types, 24, 8);
TYPE(&((tenon_measure_options*)0)->types, const char* (*));
FIELD(tenon_measure_options, seconds, 32, 8);
TYPE(&((tenon_measure_options*)0)->seconds, double (*));

IS(sizeof(tenon_host_call) >= 24);
IS(_Alignof(tenon_host_call) == 8);
FIELD(tenon_host_call, struct_size, 0, 4);
TYPE(&((tenon_host_call*)0)->struct_size, uint32_t (*));
FIELD(tenon_host_call, count, 4, 4);
TYPE(&((tenon_host_call*)0)->count, int32_t (*));
FIELD(tenon_host_call, args, 8, 8);
TYPE(&((tenon_host_call*)0)->args, const tenon_arg* (*));
FIELD(tenon_host_call, stream, 16, 8);
TYPE(&((tenon_host_call*)0)->stream, tenon_stream* (*));

IS(sizeof(tenon_host_function) >= 40);
IS(_Alignof(tenon_host_function) == 8);
FIELD(tenon_host_function, struct_size, 0, 4);
TYPE(&((tenon_host_function*)0)->struct_size, uint32_t (*));
FIELD(tenon_host_function, reserved, 4, 4);
TYPE(&((tenon_host_function*)0)->reserved, uint32_t (*));
FIELD(tenon_host_function, name, 8, 8);
TYPE(&((tenon_host_function*)0)->name, const char* (*));
FIELD(tenon_host_function, function, 16, 8);
TYPE(&((tenon_host_function*)0)->function, tenon_host_fn (*));
FIELD(tenon_host_function, user, 24, 8);
TYPE(&((tenon_host_function*)0)->user, void* (*));
FIELD(tenon_host_function, destroy, 32, 8);
TYPE(&((tenon_host_function*)0)->destroy, tenon_destroy_fn (*));

IS(sizeof(tenon_registry) >= 24);
IS(_Alignof(tenon_registry) == 8);
FIELD(tenon_registry, struct_size, 0, 4);
TYPE(&((tenon_registry*)0)->struct_size, uint32_t (*));
FIELD(tenon_registry, reserved, 4, 4);
TYPE(&((tenon_registry*)0)->reserved, uint32_t (*));
FIELD(tenon_registry, user, 8, 8);
TYPE(&((tenon_registry*)0)->user, void* (*));
FIELD(tenon_registry, add, 16, 8);
TYPE(&((tenon_registry*)0)->add, tenon_registry_add_fn (*));

IS(offsetof(tenon_api, blob_data) == 8);
TYPE(&tenon_blob_data, int32_t (*)(const tenon_blob*, const void**, uint64_t*));
TYPE(((tenon_api*)0)->blob_data, int32_t (*)(const tenon_blob*, const void**, uint64_t*));
IS(offsetof(tenon_api, blob_retain) == 16);
TYPE(&tenon_blob_retain, int32_t (*)(const tenon_blob*));
TYPE(((tenon_api*)0)->blob_retain, int32_t (*)(const tenon_blob*));
IS(offsetof(tenon_api, blob_release) == 24);
TYPE(&tenon_blob_release, void (*)(tenon_blob*));
TYPE(((tenon_api*)0)->blob_release, void (*)(tenon_blob*));
IS(offsetof(tenon_api, version) == 32);
TYPE(&tenon_version, uint32_t (*)(void));
TYPE(((tenon_api*)0)->version, uint32_t (*)(void));
IS(offsetof(tenon_api, get_api) == 40);
TYPE(&tenon_get_api, const tenon_api* (*)(uint32_t));
TYPE(((tenon_api*)0)->get_api, const tenon_api* (*)(uint32_t));
IS(offsetof(tenon_api, build_info) == 48);
TYPE(&tenon_build_info, const char* (*)(void));
TYPE(((tenon_api*)0)->build_info, const char* (*)(void));
IS(offsetof(tenon_api, status_name) == 56);
TYPE(&tenon_status_name, const char* (*)(int32_t));
TYPE(((tenon_api*)0)->status_name, const char* (*)(int32_t));
IS(offsetof(tenon_api, error_last) == 64);
TYPE(&tenon_error_last, int32_t (*)(tenon_error**));
TYPE(((tenon_api*)0)->error_last, int32_t (*)(tenon_error**));
IS(offsetof(tenon_api, error_clear) == 72);
TYPE(&tenon_error_clear, void (*)(void));
TYPE(((tenon_api*)0)->error_clear, void (*)(void));
IS(offsetof(tenon_api, error_last_message) == 80);
TYPE(&tenon_error_last_message, const char* (*)(void));
TYPE(((tenon_api*)0)->error_last_message, const char* (*)(void));
IS(offsetof(tenon_api, error_status) == 88);
TYPE(&tenon_error_status, int32_t (*)(const tenon_error*, int32_t*));
TYPE(((tenon_api*)0)->error_status, int32_t (*)(const tenon_error*, int32_t*));
IS(offsetof(tenon_api, error_message) == 96);
TYPE(&tenon_error_message, int32_t (*)(const tenon_error*, const char**));
TYPE(((tenon_api*)0)->error_message, int32_t (*)(const tenon_error*, const char**));
IS(offsetof(tenon_api, error_native) == 104);
TYPE(&tenon_error_native, int32_t (*)(const tenon_error*, const char**, int64_t*));
TYPE(((tenon_api*)0)->error_native, int32_t (*)(const tenon_error*, const char**, int64_t*));
IS(offsetof(tenon_api, error_log) == 112);
TYPE(&tenon_error_log, int32_t (*)(const tenon_error*, const char**));
TYPE(((tenon_api*)0)->error_log, int32_t (*)(const tenon_error*, const char**));
IS(offsetof(tenon_api, error_retain) == 120);
TYPE(&tenon_error_retain, int32_t (*)(const tenon_error*));
TYPE(((tenon_api*)0)->error_retain, int32_t (*)(const tenon_error*));
IS(offsetof(tenon_api, error_release) == 128);
TYPE(&tenon_error_release, void (*)(tenon_error*));
TYPE(((tenon_api*)0)->error_release, void (*)(tenon_error*));
IS(offsetof(tenon_api, dtype_name) == 136);
TYPE(&tenon_dtype_name, const char* (*)(uint32_t));
TYPE(((tenon_api*)0)->dtype_name, const char* (*)(uint32_t));
IS(offsetof(tenon_api, dtype_bits) == 144);
TYPE(&tenon_dtype_bits, int32_t (*)(uint32_t, uint32_t*));
TYPE(((tenon_api*)0)->dtype_bits, int32_t (*)(uint32_t, uint32_t*));
IS(offsetof(tenon_api, context_default) == 152);
TYPE(&tenon_context_default, int32_t (*)(tenon_context**));
TYPE(((tenon_api*)0)->context_default, int32_t (*)(tenon_context**));
IS(offsetof(tenon_api, context_create) == 160);
TYPE(&tenon_context_create, int32_t (*)(const tenon_context_options*, tenon_context**));
TYPE(((tenon_api*)0)->context_create, int32_t (*)(const tenon_context_options*, tenon_context**));
IS(offsetof(tenon_api, context_retain) == 168);
TYPE(&tenon_context_retain, int32_t (*)(const tenon_context*));
TYPE(((tenon_api*)0)->context_retain, int32_t (*)(const tenon_context*));
IS(offsetof(tenon_api, context_release) == 176);
TYPE(&tenon_context_release, void (*)(tenon_context*));
TYPE(((tenon_api*)0)->context_release, void (*)(tenon_context*));
IS(offsetof(tenon_api, context_device_count) == 184);
TYPE(&tenon_context_device_count, int32_t (*)(tenon_context*, int32_t*));
TYPE(((tenon_api*)0)->context_device_count, int32_t (*)(tenon_context*, int32_t*));
IS(offsetof(tenon_api, context_device_at) == 192);
TYPE(&tenon_context_device_at, int32_t (*)(tenon_context*, int32_t, tenon_device**));
TYPE(((tenon_api*)0)->context_device_at, int32_t (*)(tenon_context*, int32_t, tenon_device**));
IS(offsetof(tenon_api, context_device) == 200);
TYPE(&tenon_context_device, int32_t (*)(tenon_context*, const char*, tenon_device**));
TYPE(((tenon_api*)0)->context_device, int32_t (*)(tenon_context*, const char*, tenon_device**));
IS(offsetof(tenon_api, context_report) == 208);
TYPE(&tenon_context_report, int32_t (*)(tenon_context*, tenon_blob**));
TYPE(((tenon_api*)0)->context_report, int32_t (*)(tenon_context*, tenon_blob**));
IS(offsetof(tenon_api, device_get_info) == 216);
TYPE(&tenon_device_get_info, int32_t (*)(const tenon_device*, tenon_device_info*));
TYPE(((tenon_api*)0)->device_get_info, int32_t (*)(const tenon_device*, tenon_device_info*));
IS(offsetof(tenon_api, device_name) == 224);
TYPE(&tenon_device_name, int32_t (*)(const tenon_device*, const char**));
TYPE(((tenon_api*)0)->device_name, int32_t (*)(const tenon_device*, const char**));
IS(offsetof(tenon_api, device_description) == 232);
TYPE(&tenon_device_description, int32_t (*)(const tenon_device*, const char**));
TYPE(((tenon_api*)0)->device_description, int32_t (*)(const tenon_device*, const char**));
IS(offsetof(tenon_api, device_toolkit) == 240);
TYPE(&tenon_device_toolkit, int32_t (*)(const tenon_device*, const char**));
TYPE(((tenon_api*)0)->device_toolkit, int32_t (*)(const tenon_device*, const char**));
IS(offsetof(tenon_api, device_synchronize) == 248);
TYPE(&tenon_device_synchronize, int32_t (*)(tenon_device*));
TYPE(((tenon_api*)0)->device_synchronize, int32_t (*)(tenon_device*));
IS(offsetof(tenon_api, device_retain) == 256);
TYPE(&tenon_device_retain, int32_t (*)(const tenon_device*));
TYPE(((tenon_api*)0)->device_retain, int32_t (*)(const tenon_device*));
IS(offsetof(tenon_api, device_release) == 264);
TYPE(&tenon_device_release, void (*)(tenon_device*));
TYPE(((tenon_api*)0)->device_release, void (*)(tenon_device*));
IS(offsetof(tenon_api, device_get_memory_info) == 272);
TYPE(&tenon_device_get_memory_info, int32_t (*)(const tenon_device*, tenon_memory_info*));
TYPE(((tenon_api*)0)->device_get_memory_info, int32_t (*)(const tenon_device*, tenon_memory_info*));
IS(offsetof(tenon_api, device_trim_memory) == 280);
TYPE(&tenon_device_trim_memory, int32_t (*)(tenon_device*, uint64_t));
TYPE(((tenon_api*)0)->device_trim_memory, int32_t (*)(tenon_device*, uint64_t));
IS(offsetof(tenon_api, stream_create) == 288);
TYPE(&tenon_stream_create, int32_t (*)(tenon_device*, const tenon_stream_options*, tenon_stream**));
TYPE(((tenon_api*)0)->stream_create, int32_t (*)(tenon_device*, const tenon_stream_options*, tenon_stream**));
IS(offsetof(tenon_api, stream_wrap) == 296);
TYPE(&tenon_stream_wrap, int32_t (*)(tenon_device*, uint64_t, tenon_destroy_fn, void*, tenon_stream**));
TYPE(((tenon_api*)0)->stream_wrap, int32_t (*)(tenon_device*, uint64_t, tenon_destroy_fn, void*, tenon_stream**));
IS(offsetof(tenon_api, stream_default) == 304);
TYPE(&tenon_stream_default, int32_t (*)(tenon_device*, tenon_stream**));
TYPE(((tenon_api*)0)->stream_default, int32_t (*)(tenon_device*, tenon_stream**));
IS(offsetof(tenon_api, stream_native) == 312);
TYPE(&tenon_stream_native, int32_t (*)(const tenon_stream*, uint64_t*));
TYPE(((tenon_api*)0)->stream_native, int32_t (*)(const tenon_stream*, uint64_t*));
IS(offsetof(tenon_api, stream_device) == 320);
TYPE(&tenon_stream_device, int32_t (*)(const tenon_stream*, tenon_device**));
TYPE(((tenon_api*)0)->stream_device, int32_t (*)(const tenon_stream*, tenon_device**));
IS(offsetof(tenon_api, stream_synchronize) == 328);
TYPE(&tenon_stream_synchronize, int32_t (*)(tenon_stream*));
TYPE(((tenon_api*)0)->stream_synchronize, int32_t (*)(tenon_stream*));
IS(offsetof(tenon_api, stream_query) == 336);
TYPE(&tenon_stream_query, int32_t (*)(tenon_stream*));
TYPE(((tenon_api*)0)->stream_query, int32_t (*)(tenon_stream*));
IS(offsetof(tenon_api, stream_wait_event) == 344);
TYPE(&tenon_stream_wait_event, int32_t (*)(tenon_stream*, tenon_event*));
TYPE(((tenon_api*)0)->stream_wait_event, int32_t (*)(tenon_stream*, tenon_event*));
IS(offsetof(tenon_api, stream_retain) == 352);
TYPE(&tenon_stream_retain, int32_t (*)(const tenon_stream*));
TYPE(((tenon_api*)0)->stream_retain, int32_t (*)(const tenon_stream*));
IS(offsetof(tenon_api, stream_release) == 360);
TYPE(&tenon_stream_release, void (*)(tenon_stream*));
TYPE(((tenon_api*)0)->stream_release, void (*)(tenon_stream*));
IS(offsetof(tenon_api, event_create) == 368);
TYPE(&tenon_event_create, int32_t (*)(tenon_device*, uint32_t, tenon_event**));
TYPE(((tenon_api*)0)->event_create, int32_t (*)(tenon_device*, uint32_t, tenon_event**));
IS(offsetof(tenon_api, event_record) == 376);
TYPE(&tenon_event_record, int32_t (*)(tenon_event*, tenon_stream*));
TYPE(((tenon_api*)0)->event_record, int32_t (*)(tenon_event*, tenon_stream*));
IS(offsetof(tenon_api, event_synchronize) == 384);
TYPE(&tenon_event_synchronize, int32_t (*)(tenon_event*));
TYPE(((tenon_api*)0)->event_synchronize, int32_t (*)(tenon_event*));
IS(offsetof(tenon_api, event_query) == 392);
TYPE(&tenon_event_query, int32_t (*)(tenon_event*));
TYPE(((tenon_api*)0)->event_query, int32_t (*)(tenon_event*));
IS(offsetof(tenon_api, event_elapsed) == 400);
TYPE(&tenon_event_elapsed, int32_t (*)(tenon_event*, tenon_event*, double*));
TYPE(((tenon_api*)0)->event_elapsed, int32_t (*)(tenon_event*, tenon_event*, double*));
IS(offsetof(tenon_api, event_retain) == 408);
TYPE(&tenon_event_retain, int32_t (*)(const tenon_event*));
TYPE(((tenon_api*)0)->event_retain, int32_t (*)(const tenon_event*));
IS(offsetof(tenon_api, event_release) == 416);
TYPE(&tenon_event_release, void (*)(tenon_event*));
TYPE(((tenon_api*)0)->event_release, void (*)(tenon_event*));
IS(offsetof(tenon_api, buffer_create) == 424);
TYPE(&tenon_buffer_create, int32_t (*)(tenon_device*, uint64_t, int32_t, tenon_stream*, tenon_buffer**));
TYPE(((tenon_api*)0)->buffer_create, int32_t (*)(tenon_device*, uint64_t, int32_t, tenon_stream*, tenon_buffer**));
IS(offsetof(tenon_api, buffer_wrap) == 432);
TYPE(&tenon_buffer_wrap, int32_t (*)(tenon_device*, void*, uint64_t, int32_t, int32_t, tenon_stream*, tenon_destroy_fn,
                         void*, tenon_buffer**));
TYPE(((tenon_api*)0)->buffer_wrap, int32_t (*)(tenon_device*, void*, uint64_t, int32_t, int32_t, tenon_stream*,
                                   tenon_destroy_fn, void*, tenon_buffer**));
IS(offsetof(tenon_api, buffer_data) == 440);
TYPE(&tenon_buffer_data, int32_t (*)(const tenon_buffer*, void**, uint64_t*));
TYPE(((tenon_api*)0)->buffer_data, int32_t (*)(const tenon_buffer*, void**, uint64_t*));
IS(offsetof(tenon_api, buffer_retain) == 448);
TYPE(&tenon_buffer_retain, int32_t (*)(const tenon_buffer*));
TYPE(((tenon_api*)0)->buffer_retain, int32_t (*)(const tenon_buffer*));
IS(offsetof(tenon_api, buffer_release) == 456);
TYPE(&tenon_buffer_release, void (*)(tenon_buffer*));
TYPE(((tenon_api*)0)->buffer_release, void (*)(tenon_buffer*));
IS(offsetof(tenon_api, array_create) == 464);
TYPE(&tenon_array_create, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->array_create, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, tenon_stream*,
                                    tenon_array**));
IS(offsetof(tenon_api, array_zeros) == 472);
TYPE(&tenon_array_zeros, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->array_zeros, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, tenon_stream*,
                                   tenon_array**));
IS(offsetof(tenon_api, array_from_host) == 480);
TYPE(&tenon_array_from_host, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, const void*, uint64_t,
                             tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->array_from_host, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, const void*,
                                       uint64_t, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, array_from_buffer) == 488);
TYPE(&tenon_array_from_buffer, int32_t (*)(tenon_buffer*, uint32_t, int32_t, const int64_t*, const int64_t*, uint64_t,
                               tenon_array**));
TYPE(((tenon_api*)0)->array_from_buffer, int32_t (*)(tenon_buffer*, uint32_t, int32_t, const int64_t*, const int64_t*,
                                         uint64_t, tenon_array**));
IS(offsetof(tenon_api, array_retain) == 496);
TYPE(&tenon_array_retain, int32_t (*)(const tenon_array*));
TYPE(((tenon_api*)0)->array_retain, int32_t (*)(const tenon_array*));
IS(offsetof(tenon_api, array_release) == 504);
TYPE(&tenon_array_release, void (*)(tenon_array*));
TYPE(((tenon_api*)0)->array_release, void (*)(tenon_array*));
IS(offsetof(tenon_api, array_get_info) == 512);
TYPE(&tenon_array_get_info, int32_t (*)(const tenon_array*, tenon_array_info*));
TYPE(((tenon_api*)0)->array_get_info, int32_t (*)(const tenon_array*, tenon_array_info*));
IS(offsetof(tenon_api, array_device) == 520);
TYPE(&tenon_array_device, int32_t (*)(const tenon_array*, tenon_device**));
TYPE(((tenon_api*)0)->array_device, int32_t (*)(const tenon_array*, tenon_device**));
IS(offsetof(tenon_api, array_buffer) == 528);
TYPE(&tenon_array_buffer, int32_t (*)(const tenon_array*, tenon_buffer**));
TYPE(((tenon_api*)0)->array_buffer, int32_t (*)(const tenon_array*, tenon_buffer**));
IS(offsetof(tenon_api, array_reshape) == 536);
TYPE(&tenon_array_reshape, int32_t (*)(const tenon_array*, int32_t, const int64_t*, tenon_array**));
TYPE(((tenon_api*)0)->array_reshape, int32_t (*)(const tenon_array*, int32_t, const int64_t*, tenon_array**));
IS(offsetof(tenon_api, array_transpose) == 544);
TYPE(&tenon_array_transpose, int32_t (*)(const tenon_array*, int32_t, const int32_t*, tenon_array**));
TYPE(((tenon_api*)0)->array_transpose, int32_t (*)(const tenon_array*, int32_t, const int32_t*, tenon_array**));
IS(offsetof(tenon_api, array_slice) == 552);
TYPE(&tenon_array_slice, int32_t (*)(const tenon_array*, int32_t, const int64_t*, const int64_t*, const int64_t*,
                         tenon_array**));
TYPE(((tenon_api*)0)->array_slice, int32_t (*)(const tenon_array*, int32_t, const int64_t*, const int64_t*,
                                   const int64_t*, tenon_array**));
IS(offsetof(tenon_api, array_index) == 560);
TYPE(&tenon_array_index, int32_t (*)(const tenon_array*, int32_t, int64_t, tenon_array**));
TYPE(((tenon_api*)0)->array_index, int32_t (*)(const tenon_array*, int32_t, int64_t, tenon_array**));
IS(offsetof(tenon_api, array_broadcast) == 568);
TYPE(&tenon_array_broadcast, int32_t (*)(const tenon_array*, int32_t, const int64_t*, tenon_array**));
TYPE(((tenon_api*)0)->array_broadcast, int32_t (*)(const tenon_array*, int32_t, const int64_t*, tenon_array**));
IS(offsetof(tenon_api, array_view) == 576);
TYPE(&tenon_array_view, int32_t (*)(const tenon_array*, uint32_t, tenon_array**));
TYPE(((tenon_api*)0)->array_view, int32_t (*)(const tenon_array*, uint32_t, tenon_array**));
IS(offsetof(tenon_api, array_copy) == 584);
TYPE(&tenon_array_copy, int32_t (*)(tenon_array*, const tenon_array*, tenon_stream*));
TYPE(((tenon_api*)0)->array_copy, int32_t (*)(tenon_array*, const tenon_array*, tenon_stream*));
IS(offsetof(tenon_api, array_fill) == 592);
TYPE(&tenon_array_fill, int32_t (*)(tenon_array*, const tenon_arg*, tenon_stream*));
TYPE(((tenon_api*)0)->array_fill, int32_t (*)(tenon_array*, const tenon_arg*, tenon_stream*));
IS(offsetof(tenon_api, array_convert) == 600);
TYPE(&tenon_array_convert, int32_t (*)(const tenon_array*, uint32_t, tenon_device*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->array_convert, int32_t (*)(const tenon_array*, uint32_t, tenon_device*, tenon_stream*,
                                     tenon_array**));
IS(offsetof(tenon_api, array_to_host) == 608);
TYPE(&tenon_array_to_host, int32_t (*)(const tenon_array*, void*, uint64_t, tenon_stream*));
TYPE(((tenon_api*)0)->array_to_host, int32_t (*)(const tenon_array*, void*, uint64_t, tenon_stream*));
IS(offsetof(tenon_api, array_set_from_host) == 616);
TYPE(&tenon_array_set_from_host, int32_t (*)(tenon_array*, const void*, uint64_t, tenon_stream*));
TYPE(((tenon_api*)0)->array_set_from_host, int32_t (*)(tenon_array*, const void*, uint64_t, tenon_stream*));
IS(offsetof(tenon_api, array_from_dlpack) == 624);
TYPE(&tenon_array_from_dlpack, int32_t (*)(tenon_context*, struct DLManagedTensor*, int32_t, tenon_stream*,
                               tenon_array**));
TYPE(((tenon_api*)0)->array_from_dlpack, int32_t (*)(tenon_context*, struct DLManagedTensor*, int32_t, tenon_stream*,
                                         tenon_array**));
IS(offsetof(tenon_api, array_from_dlpack_versioned) == 632);
TYPE(&tenon_array_from_dlpack_versioned, int32_t (*)(tenon_context*, struct DLManagedTensorVersioned*, tenon_stream*,
                                         tenon_array**));
TYPE(((tenon_api*)0)->array_from_dlpack_versioned, int32_t (*)(tenon_context*, struct DLManagedTensorVersioned*,
                                                   tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, array_to_dlpack) == 640);
TYPE(&tenon_array_to_dlpack, int32_t (*)(const tenon_array*, uint32_t, tenon_stream*, struct DLManagedTensor**));
TYPE(((tenon_api*)0)->array_to_dlpack, int32_t (*)(const tenon_array*, uint32_t, tenon_stream*,
                                       struct DLManagedTensor**));
IS(offsetof(tenon_api, array_to_dlpack_versioned) == 648);
TYPE(&tenon_array_to_dlpack_versioned, int32_t (*)(const tenon_array*, uint32_t, tenon_stream*,
                                       struct DLManagedTensorVersioned**));
TYPE(((tenon_api*)0)->array_to_dlpack_versioned, int32_t (*)(const tenon_array*, uint32_t, tenon_stream*,
                                                 struct DLManagedTensorVersioned**));
IS(offsetof(tenon_api, program_create) == 656);
TYPE(&tenon_program_create, int32_t (*)(tenon_device*, const char*, uint64_t, const tenon_program_options*,
                            tenon_program**));
TYPE(((tenon_api*)0)->program_create, int32_t (*)(tenon_device*, const char*, uint64_t, const tenon_program_options*,
                                      tenon_program**));
IS(offsetof(tenon_api, program_log) == 664);
TYPE(&tenon_program_log, int32_t (*)(const tenon_program*, const char**));
TYPE(((tenon_api*)0)->program_log, int32_t (*)(const tenon_program*, const char**));
IS(offsetof(tenon_api, program_image) == 672);
TYPE(&tenon_program_image, int32_t (*)(const tenon_program*, int32_t, tenon_blob**));
TYPE(((tenon_api*)0)->program_image, int32_t (*)(const tenon_program*, int32_t, tenon_blob**));
IS(offsetof(tenon_api, program_kernel) == 680);
TYPE(&tenon_program_kernel, int32_t (*)(tenon_program*, const char*, tenon_kernel**));
TYPE(((tenon_api*)0)->program_kernel, int32_t (*)(tenon_program*, const char*, tenon_kernel**));
IS(offsetof(tenon_api, program_retain) == 688);
TYPE(&tenon_program_retain, int32_t (*)(const tenon_program*));
TYPE(((tenon_api*)0)->program_retain, int32_t (*)(const tenon_program*));
IS(offsetof(tenon_api, program_release) == 696);
TYPE(&tenon_program_release, void (*)(tenon_program*));
TYPE(((tenon_api*)0)->program_release, void (*)(tenon_program*));
IS(offsetof(tenon_api, kernel_parameter_count) == 704);
TYPE(&tenon_kernel_parameter_count, int32_t (*)(const tenon_kernel*, int32_t*));
TYPE(((tenon_api*)0)->kernel_parameter_count, int32_t (*)(const tenon_kernel*, int32_t*));
IS(offsetof(tenon_api, kernel_get_parameter_info) == 712);
TYPE(&tenon_kernel_get_parameter_info, int32_t (*)(const tenon_kernel*, int32_t, tenon_parameter_info*));
TYPE(((tenon_api*)0)->kernel_get_parameter_info, int32_t (*)(const tenon_kernel*, int32_t, tenon_parameter_info*));
IS(offsetof(tenon_api, kernel_name) == 720);
TYPE(&tenon_kernel_name, int32_t (*)(const tenon_kernel*, const char**));
TYPE(((tenon_api*)0)->kernel_name, int32_t (*)(const tenon_kernel*, const char**));
IS(offsetof(tenon_api, kernel_get_info) == 728);
TYPE(&tenon_kernel_get_info, int32_t (*)(tenon_kernel*, tenon_kernel_info*));
TYPE(((tenon_api*)0)->kernel_get_info, int32_t (*)(tenon_kernel*, tenon_kernel_info*));
IS(offsetof(tenon_api, kernel_retain) == 736);
TYPE(&tenon_kernel_retain, int32_t (*)(const tenon_kernel*));
TYPE(((tenon_api*)0)->kernel_retain, int32_t (*)(const tenon_kernel*));
IS(offsetof(tenon_api, kernel_release) == 744);
TYPE(&tenon_kernel_release, void (*)(tenon_kernel*));
TYPE(((tenon_api*)0)->kernel_release, void (*)(tenon_kernel*));
IS(offsetof(tenon_api, kernel_launch) == 752);
TYPE(&tenon_kernel_launch, int32_t (*)(tenon_kernel*, const tenon_launch*, const tenon_arg*, int32_t, tenon_stream*));
TYPE(((tenon_api*)0)->kernel_launch, int32_t (*)(tenon_kernel*, const tenon_launch*, const tenon_arg*, int32_t,
                                     tenon_stream*));
IS(offsetof(tenon_api, call_create) == 760);
TYPE(&tenon_call_create, int32_t (*)(tenon_kernel*, const tenon_launch*, const tenon_arg*, int32_t, tenon_call**));
TYPE(((tenon_api*)0)->call_create, int32_t (*)(tenon_kernel*, const tenon_launch*, const tenon_arg*, int32_t,
                                   tenon_call**));
IS(offsetof(tenon_api, call_set) == 768);
TYPE(&tenon_call_set, int32_t (*)(tenon_call*, int32_t, const tenon_arg*));
TYPE(((tenon_api*)0)->call_set, int32_t (*)(tenon_call*, int32_t, const tenon_arg*));
IS(offsetof(tenon_api, call_launch) == 776);
TYPE(&tenon_call_launch, int32_t (*)(tenon_call*, tenon_stream*));
TYPE(((tenon_api*)0)->call_launch, int32_t (*)(tenon_call*, tenon_stream*));
IS(offsetof(tenon_api, call_clone) == 784);
TYPE(&tenon_call_clone, int32_t (*)(const tenon_call*, tenon_call**));
TYPE(((tenon_api*)0)->call_clone, int32_t (*)(const tenon_call*, tenon_call**));
IS(offsetof(tenon_api, call_retain) == 792);
TYPE(&tenon_call_retain, int32_t (*)(const tenon_call*));
TYPE(((tenon_api*)0)->call_retain, int32_t (*)(const tenon_call*));
IS(offsetof(tenon_api, call_release) == 800);
TYPE(&tenon_call_release, void (*)(tenon_call*));
TYPE(((tenon_api*)0)->call_release, void (*)(tenon_call*));
IS(offsetof(tenon_api, gemm) == 808);
TYPE(&tenon_gemm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                  const tenon_gemm_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->gemm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                            const tenon_gemm_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, svd) == 816);
TYPE(&tenon_svd, int32_t (*)(const tenon_array*, const tenon_svd_options*, tenon_stream*, tenon_array**, tenon_array**,
                 tenon_array**));
TYPE(((tenon_api*)0)->svd, int32_t (*)(const tenon_array*, const tenon_svd_options*, tenon_stream*, tenon_array**,
                           tenon_array**, tenon_array**));
IS(offsetof(tenon_api, fft) == 824);
TYPE(&tenon_fft, int32_t (*)(const tenon_array*, const int32_t*, int32_t, const tenon_fft_options*, tenon_stream*,
                 tenon_array**));
TYPE(((tenon_api*)0)->fft, int32_t (*)(const tenon_array*, const int32_t*, int32_t, const tenon_fft_options*,
                           tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, elementwise_create) == 832);
TYPE(&tenon_elementwise_create, int32_t (*)(const char*, const char*, const char*, const tenon_generated_options*,
                                tenon_elementwise**));
TYPE(((tenon_api*)0)->elementwise_create, int32_t (*)(const char*, const char*, const char*,
                                          const tenon_generated_options*, tenon_elementwise**));
IS(offsetof(tenon_api, elementwise_call) == 840);
TYPE(&tenon_elementwise_call, int32_t (*)(tenon_elementwise*, const tenon_arg*, int32_t, tenon_stream*));
TYPE(((tenon_api*)0)->elementwise_call, int32_t (*)(tenon_elementwise*, const tenon_arg*, int32_t, tenon_stream*));
IS(offsetof(tenon_api, elementwise_output) == 848);
TYPE(&tenon_elementwise_output, int32_t (*)(tenon_elementwise*, const tenon_arg*, int32_t, int32_t, tenon_stream*,
                                tenon_array**));
TYPE(((tenon_api*)0)->elementwise_output, int32_t (*)(tenon_elementwise*, const tenon_arg*, int32_t, int32_t,
                                          tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, elementwise_retain) == 856);
TYPE(&tenon_elementwise_retain, int32_t (*)(const tenon_elementwise*));
TYPE(((tenon_api*)0)->elementwise_retain, int32_t (*)(const tenon_elementwise*));
IS(offsetof(tenon_api, elementwise_release) == 864);
TYPE(&tenon_elementwise_release, void (*)(tenon_elementwise*));
TYPE(((tenon_api*)0)->elementwise_release, void (*)(tenon_elementwise*));
IS(offsetof(tenon_api, reduction_create) == 872);
TYPE(&tenon_reduction_create, int32_t (*)(const char*, const char*, const char*, const char*, const char*, const char*,
                              const tenon_generated_options*, tenon_reduction**));
TYPE(((tenon_api*)0)->reduction_create, int32_t (*)(const char*, const char*, const char*, const char*, const char*,
                                        const char*, const tenon_generated_options*, tenon_reduction**));
IS(offsetof(tenon_api, reduction_call) == 880);
TYPE(&tenon_reduction_call, int32_t (*)(tenon_reduction*, const tenon_arg*, int32_t, const int32_t*, int32_t,
                            tenon_stream*));
TYPE(((tenon_api*)0)->reduction_call, int32_t (*)(tenon_reduction*, const tenon_arg*, int32_t, const int32_t*, int32_t,
                                      tenon_stream*));
IS(offsetof(tenon_api, reduction_output) == 888);
TYPE(&tenon_reduction_output, int32_t (*)(tenon_reduction*, const tenon_arg*, int32_t, const int32_t*, int32_t, int32_t,
                              tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->reduction_output, int32_t (*)(tenon_reduction*, const tenon_arg*, int32_t, const int32_t*,
                                        int32_t, int32_t, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, reduction_retain) == 896);
TYPE(&tenon_reduction_retain, int32_t (*)(const tenon_reduction*));
TYPE(((tenon_api*)0)->reduction_retain, int32_t (*)(const tenon_reduction*));
IS(offsetof(tenon_api, reduction_release) == 904);
TYPE(&tenon_reduction_release, void (*)(tenon_reduction*));
TYPE(((tenon_api*)0)->reduction_release, void (*)(tenon_reduction*));
IS(offsetof(tenon_api, scan_create) == 912);
TYPE(&tenon_scan_create, int32_t (*)(const char*, const char*, const char*, const char*, const char*, int32_t,
                         const tenon_generated_options*, tenon_scan**));
TYPE(((tenon_api*)0)->scan_create, int32_t (*)(const char*, const char*, const char*, const char*, const char*, int32_t,
                                   const tenon_generated_options*, tenon_scan**));
IS(offsetof(tenon_api, scan_call) == 920);
TYPE(&tenon_scan_call, int32_t (*)(tenon_scan*, const tenon_arg*, int32_t, int32_t, tenon_stream*));
TYPE(((tenon_api*)0)->scan_call, int32_t (*)(tenon_scan*, const tenon_arg*, int32_t, int32_t, tenon_stream*));
IS(offsetof(tenon_api, scan_output) == 928);
TYPE(&tenon_scan_output, int32_t (*)(tenon_scan*, const tenon_arg*, int32_t, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->scan_output, int32_t (*)(tenon_scan*, const tenon_arg*, int32_t, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, scan_retain) == 936);
TYPE(&tenon_scan_retain, int32_t (*)(const tenon_scan*));
TYPE(((tenon_api*)0)->scan_retain, int32_t (*)(const tenon_scan*));
IS(offsetof(tenon_api, scan_release) == 944);
TYPE(&tenon_scan_release, void (*)(tenon_scan*));
TYPE(((tenon_api*)0)->scan_release, void (*)(tenon_scan*));
IS(offsetof(tenon_api, program_global) == 952);
TYPE(&tenon_program_global, int32_t (*)(tenon_program*, const char*, tenon_array**));
TYPE(((tenon_api*)0)->program_global, int32_t (*)(tenon_program*, const char*, tenon_array**));
IS(offsetof(tenon_api, kernel_occupancy) == 960);
TYPE(&tenon_kernel_occupancy, int32_t (*)(tenon_kernel*, uint32_t, uint64_t, int32_t*));
TYPE(((tenon_api*)0)->kernel_occupancy, int32_t (*)(tenon_kernel*, uint32_t, uint64_t, int32_t*));
IS(offsetof(tenon_api, kernel_suggest) == 968);
TYPE(&tenon_kernel_suggest, int32_t (*)(tenon_kernel*, uint64_t, uint32_t*, uint32_t*));
TYPE(((tenon_api*)0)->kernel_suggest, int32_t (*)(tenon_kernel*, uint64_t, uint32_t*, uint32_t*));
IS(offsetof(tenon_api, launch_for) == 976);
TYPE(&tenon_launch_for, int32_t (*)(tenon_kernel*, uint64_t, tenon_launch*));
TYPE(((tenon_api*)0)->launch_for, int32_t (*)(tenon_kernel*, uint64_t, tenon_launch*));
IS(offsetof(tenon_api, kernel_time) == 984);
TYPE(&tenon_kernel_time, int32_t (*)(tenon_kernel*, const tenon_launch*, const tenon_arg*, int32_t, tenon_stream*,
                         double*));
TYPE(((tenon_api*)0)->kernel_time, int32_t (*)(tenon_kernel*, const tenon_launch*, const tenon_arg*, int32_t,
                                   tenon_stream*, double*));
IS(offsetof(tenon_api, compilation_start) == 992);
TYPE(&tenon_compilation_start, int32_t (*)(tenon_device*, const char*, uint64_t, const tenon_program_options*,
                               tenon_compilation**));
TYPE(((tenon_api*)0)->compilation_start, int32_t (*)(tenon_device*, const char*, uint64_t, const tenon_program_options*,
                                         tenon_compilation**));
IS(offsetof(tenon_api, compilation_query) == 1000);
TYPE(&tenon_compilation_query, int32_t (*)(tenon_compilation*));
TYPE(((tenon_api*)0)->compilation_query, int32_t (*)(tenon_compilation*));
IS(offsetof(tenon_api, compilation_wait) == 1008);
TYPE(&tenon_compilation_wait, int32_t (*)(tenon_compilation*, double, tenon_program**));
TYPE(((tenon_api*)0)->compilation_wait, int32_t (*)(tenon_compilation*, double, tenon_program**));
IS(offsetof(tenon_api, compilation_cancel) == 1016);
TYPE(&tenon_compilation_cancel, int32_t (*)(tenon_compilation*));
TYPE(((tenon_api*)0)->compilation_cancel, int32_t (*)(tenon_compilation*));
IS(offsetof(tenon_api, compilation_retain) == 1024);
TYPE(&tenon_compilation_retain, int32_t (*)(const tenon_compilation*));
TYPE(((tenon_api*)0)->compilation_retain, int32_t (*)(const tenon_compilation*));
IS(offsetof(tenon_api, compilation_release) == 1032);
TYPE(&tenon_compilation_release, void (*)(tenon_compilation*));
TYPE(((tenon_api*)0)->compilation_release, void (*)(tenon_compilation*));
IS(offsetof(tenon_api, graph_create) == 1040);
TYPE(&tenon_graph_create, int32_t (*)(tenon_device*, tenon_graph**));
TYPE(((tenon_api*)0)->graph_create, int32_t (*)(tenon_device*, tenon_graph**));
IS(offsetof(tenon_api, graph_begin) == 1048);
TYPE(&tenon_graph_begin, int32_t (*)(tenon_graph*, tenon_stream**));
TYPE(((tenon_api*)0)->graph_begin, int32_t (*)(tenon_graph*, tenon_stream**));
IS(offsetof(tenon_api, graph_end) == 1056);
TYPE(&tenon_graph_end, int32_t (*)(tenon_graph*));
TYPE(((tenon_api*)0)->graph_end, int32_t (*)(tenon_graph*));
IS(offsetof(tenon_api, graph_clear) == 1064);
TYPE(&tenon_graph_clear, int32_t (*)(tenon_graph*));
TYPE(((tenon_api*)0)->graph_clear, int32_t (*)(tenon_graph*));
IS(offsetof(tenon_api, graph_launch) == 1072);
TYPE(&tenon_graph_launch, int32_t (*)(tenon_graph*, tenon_stream*));
TYPE(((tenon_api*)0)->graph_launch, int32_t (*)(tenon_graph*, tenon_stream*));
IS(offsetof(tenon_api, graph_set) == 1080);
TYPE(&tenon_graph_set, int32_t (*)(tenon_graph*, int32_t, int32_t, const tenon_arg*));
TYPE(((tenon_api*)0)->graph_set, int32_t (*)(tenon_graph*, int32_t, int32_t, const tenon_arg*));
IS(offsetof(tenon_api, graph_node_count) == 1088);
TYPE(&tenon_graph_node_count, int32_t (*)(const tenon_graph*, int32_t*));
TYPE(((tenon_api*)0)->graph_node_count, int32_t (*)(const tenon_graph*, int32_t*));
IS(offsetof(tenon_api, graph_get_node_info) == 1096);
TYPE(&tenon_graph_get_node_info, int32_t (*)(const tenon_graph*, int32_t, tenon_graph_node_info*));
TYPE(((tenon_api*)0)->graph_get_node_info, int32_t (*)(const tenon_graph*, int32_t, tenon_graph_node_info*));
IS(offsetof(tenon_api, graph_get_parameter_info) == 1104);
TYPE(&tenon_graph_get_parameter_info, int32_t (*)(const tenon_graph*, int32_t, int32_t, tenon_parameter_info*));
TYPE(((tenon_api*)0)->graph_get_parameter_info, int32_t (*)(const tenon_graph*, int32_t, int32_t,
                                                tenon_parameter_info*));
IS(offsetof(tenon_api, graph_retain) == 1112);
TYPE(&tenon_graph_retain, int32_t (*)(const tenon_graph*));
TYPE(((tenon_api*)0)->graph_retain, int32_t (*)(const tenon_graph*));
IS(offsetof(tenon_api, graph_release) == 1120);
TYPE(&tenon_graph_release, void (*)(tenon_graph*));
TYPE(((tenon_api*)0)->graph_release, void (*)(tenon_graph*));
IS(offsetof(tenon_api, package_load) == 1128);
TYPE(&tenon_package_load, int32_t (*)(tenon_context*, const char*, const tenon_package_options*, tenon_package**));
TYPE(((tenon_api*)0)->package_load, int32_t (*)(tenon_context*, const char*, const tenon_package_options*,
                                    tenon_package**));
IS(offsetof(tenon_api, package_load_memory) == 1136);
TYPE(&tenon_package_load_memory, int32_t (*)(tenon_context*, const void*, uint64_t, const char*,
                                 const tenon_package_options*, tenon_package**));
TYPE(((tenon_api*)0)->package_load_memory, int32_t (*)(tenon_context*, const void*, uint64_t, const char*,
                                           const tenon_package_options*, tenon_package**));
IS(offsetof(tenon_api, package_check) == 1144);
TYPE(&tenon_package_check, int32_t (*)(tenon_context*, const char*, const tenon_package_options*, tenon_blob**));
TYPE(((tenon_api*)0)->package_check, int32_t (*)(tenon_context*, const char*, const tenon_package_options*,
                                     tenon_blob**));
IS(offsetof(tenon_api, package_find) == 1152);
TYPE(&tenon_package_find, int32_t (*)(tenon_context*, const char*, const char*, tenon_package**));
TYPE(((tenon_api*)0)->package_find, int32_t (*)(tenon_context*, const char*, const char*, tenon_package**));
IS(offsetof(tenon_api, package_list) == 1160);
TYPE(&tenon_package_list, int32_t (*)(tenon_context*, tenon_blob**));
TYPE(((tenon_api*)0)->package_list, int32_t (*)(tenon_context*, tenon_blob**));
IS(offsetof(tenon_api, package_unload) == 1168);
TYPE(&tenon_package_unload, int32_t (*)(tenon_package*));
TYPE(((tenon_api*)0)->package_unload, int32_t (*)(tenon_package*));
IS(offsetof(tenon_api, package_reload) == 1176);
TYPE(&tenon_package_reload, int32_t (*)(tenon_package*, tenon_package**));
TYPE(((tenon_api*)0)->package_reload, int32_t (*)(tenon_package*, tenon_package**));
IS(offsetof(tenon_api, package_describe) == 1184);
TYPE(&tenon_package_describe, int32_t (*)(const tenon_package*, tenon_blob**));
TYPE(((tenon_api*)0)->package_describe, int32_t (*)(const tenon_package*, tenon_blob**));
IS(offsetof(tenon_api, package_operation) == 1192);
TYPE(&tenon_package_operation, int32_t (*)(tenon_package*, const char*, tenon_operation**));
TYPE(((tenon_api*)0)->package_operation, int32_t (*)(tenon_package*, const char*, tenon_operation**));
IS(offsetof(tenon_api, package_file) == 1200);
TYPE(&tenon_package_file, int32_t (*)(const tenon_package*, const char*, tenon_blob**));
TYPE(((tenon_api*)0)->package_file, int32_t (*)(const tenon_package*, const char*, tenon_blob**));
IS(offsetof(tenon_api, package_retain) == 1208);
TYPE(&tenon_package_retain, int32_t (*)(const tenon_package*));
TYPE(((tenon_api*)0)->package_retain, int32_t (*)(const tenon_package*));
IS(offsetof(tenon_api, package_release) == 1216);
TYPE(&tenon_package_release, void (*)(tenon_package*));
TYPE(((tenon_api*)0)->package_release, void (*)(tenon_package*));
IS(offsetof(tenon_api, operation_find) == 1224);
TYPE(&tenon_operation_find, int32_t (*)(tenon_context*, const char*, const char*, tenon_operation**));
TYPE(((tenon_api*)0)->operation_find, int32_t (*)(tenon_context*, const char*, const char*, tenon_operation**));
IS(offsetof(tenon_api, operation_describe) == 1232);
TYPE(&tenon_operation_describe, int32_t (*)(const tenon_operation*, tenon_blob**));
TYPE(((tenon_api*)0)->operation_describe, int32_t (*)(const tenon_operation*, tenon_blob**));
IS(offsetof(tenon_api, operation_get_info) == 1240);
TYPE(&tenon_operation_get_info, int32_t (*)(const tenon_operation*, tenon_operation_info*));
TYPE(((tenon_api*)0)->operation_get_info, int32_t (*)(const tenon_operation*, tenon_operation_info*));
IS(offsetof(tenon_api, operation_get_parameter_info) == 1248);
TYPE(&tenon_operation_get_parameter_info, int32_t (*)(const tenon_operation*, int32_t,
                                          tenon_operation_parameter_info*));
TYPE(((tenon_api*)0)->operation_get_parameter_info, int32_t (*)(const tenon_operation*, int32_t,
                                                    tenon_operation_parameter_info*));
IS(offsetof(tenon_api, operation_gradient) == 1256);
TYPE(&tenon_operation_gradient, int32_t (*)(const tenon_operation*, tenon_operation**));
TYPE(((tenon_api*)0)->operation_gradient, int32_t (*)(const tenon_operation*, tenon_operation**));
IS(offsetof(tenon_api, operation_package) == 1264);
TYPE(&tenon_operation_package, int32_t (*)(const tenon_operation*, tenon_package**));
TYPE(((tenon_api*)0)->operation_package, int32_t (*)(const tenon_operation*, tenon_package**));
IS(offsetof(tenon_api, operation_retain) == 1272);
TYPE(&tenon_operation_retain, int32_t (*)(const tenon_operation*));
TYPE(((tenon_api*)0)->operation_retain, int32_t (*)(const tenon_operation*));
IS(offsetof(tenon_api, operation_release) == 1280);
TYPE(&tenon_operation_release, void (*)(tenon_operation*));
TYPE(((tenon_api*)0)->operation_release, void (*)(tenon_operation*));
IS(offsetof(tenon_api, dot) == 1288);
TYPE(&tenon_dot, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                 tenon_array**));
TYPE(((tenon_api*)0)->dot, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                           tenon_array**));
IS(offsetof(tenon_api, einsum) == 1296);
TYPE(&tenon_einsum, int32_t (*)(const char*, const tenon_array* const*, int32_t, const tenon_gemm_options*,
                    tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->einsum, int32_t (*)(const char*, const tenon_array* const*, int32_t, const tenon_gemm_options*,
                              tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, solve) == 1304);
TYPE(&tenon_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_solve_options*, tenon_stream*,
                   tenon_array**));
TYPE(((tenon_api*)0)->solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_solve_options*,
                             tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, lu) == 1312);
TYPE(&tenon_lu, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->lu, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**,
                          tenon_array**));
IS(offsetof(tenon_api, lu_solve) == 1320);
TYPE(&tenon_lu_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*, const tenon_lu_options*,
                      tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->lu_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*,
                                const tenon_lu_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, cholesky) == 1328);
TYPE(&tenon_cholesky, int32_t (*)(const tenon_array*, const tenon_cholesky_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->cholesky, int32_t (*)(const tenon_array*, const tenon_cholesky_options*, tenon_stream*,
                                tenon_array**));
IS(offsetof(tenon_api, cholesky_solve) == 1336);
TYPE(&tenon_cholesky_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_cholesky_options*,
                            tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->cholesky_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_cholesky_options*,
                                      tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, qr) == 1344);
TYPE(&tenon_qr, int32_t (*)(const tenon_array*, const tenon_qr_options*, tenon_stream*, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->qr, int32_t (*)(const tenon_array*, const tenon_qr_options*, tenon_stream*, tenon_array**,
                          tenon_array**));
IS(offsetof(tenon_api, lstsq) == 1352);
TYPE(&tenon_lstsq, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_rank_options*, tenon_stream*,
                   tenon_array**, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->lstsq, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_rank_options*,
                             tenon_stream*, tenon_array**, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, inverse) == 1360);
TYPE(&tenon_inverse, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->inverse, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, pinv) == 1368);
TYPE(&tenon_pinv, int32_t (*)(const tenon_array*, const tenon_rank_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->pinv, int32_t (*)(const tenon_array*, const tenon_rank_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, matrix_rank) == 1376);
TYPE(&tenon_matrix_rank, int32_t (*)(const tenon_array*, const tenon_rank_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->matrix_rank, int32_t (*)(const tenon_array*, const tenon_rank_options*, tenon_stream*,
                                   tenon_array**));
IS(offsetof(tenon_api, det) == 1384);
TYPE(&tenon_det, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->det, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, slogdet) == 1392);
TYPE(&tenon_slogdet, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**,
                     tenon_array**));
TYPE(((tenon_api*)0)->slogdet, int32_t (*)(const tenon_array*, const tenon_lu_options*, tenon_stream*, tenon_array**,
                               tenon_array**));
IS(offsetof(tenon_api, eigh) == 1400);
TYPE(&tenon_eigh, int32_t (*)(const tenon_array*, const tenon_eigh_options*, tenon_stream*, tenon_array**,
                  tenon_array**));
TYPE(((tenon_api*)0)->eigh, int32_t (*)(const tenon_array*, const tenon_eigh_options*, tenon_stream*, tenon_array**,
                            tenon_array**));
IS(offsetof(tenon_api, eig) == 1408);
TYPE(&tenon_eig, int32_t (*)(const tenon_array*, const tenon_eig_options*, tenon_stream*, tenon_array**, tenon_array**,
                 tenon_array**));
TYPE(((tenon_api*)0)->eig, int32_t (*)(const tenon_array*, const tenon_eig_options*, tenon_stream*, tenon_array**,
                           tenon_array**, tenon_array**));
IS(offsetof(tenon_api, norm) == 1416);
TYPE(&tenon_norm, int32_t (*)(const tenon_array*, const tenon_norm_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->norm, int32_t (*)(const tenon_array*, const tenon_norm_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, cond) == 1424);
TYPE(&tenon_cond, int32_t (*)(const tenon_array*, const tenon_norm_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->cond, int32_t (*)(const tenon_array*, const tenon_norm_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, matrix_power) == 1432);
TYPE(&tenon_matrix_power, int32_t (*)(const tenon_array*, int64_t, const tenon_power_options*, tenon_stream*,
                          tenon_array**));
TYPE(((tenon_api*)0)->matrix_power, int32_t (*)(const tenon_array*, int64_t, const tenon_power_options*, tenon_stream*,
                                    tenon_array**));
IS(offsetof(tenon_api, expm) == 1440);
TYPE(&tenon_expm, int32_t (*)(const tenon_array*, const tenon_power_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->expm, int32_t (*)(const tenon_array*, const tenon_power_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, operation_call) == 1448);
TYPE(&tenon_operation_call, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t, tenon_stream*));
TYPE(((tenon_api*)0)->operation_call, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t, tenon_stream*));
IS(offsetof(tenon_api, operation_output) == 1456);
TYPE(&tenon_operation_output, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t, int32_t, tenon_stream*,
                              tenon_array**));
TYPE(((tenon_api*)0)->operation_output, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t, int32_t, tenon_stream*,
                                        tenon_array**));
IS(offsetof(tenon_api, operation_prepare) == 1464);
TYPE(&tenon_operation_prepare, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t));
TYPE(((tenon_api*)0)->operation_prepare, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t));
IS(offsetof(tenon_api, package_prepare) == 1472);
TYPE(&tenon_package_prepare, int32_t (*)(tenon_package*, tenon_device*));
TYPE(((tenon_api*)0)->package_prepare, int32_t (*)(tenon_package*, tenon_device*));
IS(offsetof(tenon_api, operation_set_tunable) == 1480);
TYPE(&tenon_operation_set_tunable, int32_t (*)(tenon_operation*, const char*, int64_t));
TYPE(((tenon_api*)0)->operation_set_tunable, int32_t (*)(tenon_operation*, const char*, int64_t));
IS(offsetof(tenon_api, operation_get_tunable) == 1488);
TYPE(&tenon_operation_get_tunable, int32_t (*)(const tenon_operation*, const char*, int64_t*));
TYPE(((tenon_api*)0)->operation_get_tunable, int32_t (*)(const tenon_operation*, const char*, int64_t*));
IS(offsetof(tenon_api, operation_test) == 1496);
TYPE(&tenon_operation_test, int32_t (*)(tenon_operation*, tenon_device*, tenon_blob**));
TYPE(((tenon_api*)0)->operation_test, int32_t (*)(tenon_operation*, tenon_device*, tenon_blob**));
IS(offsetof(tenon_api, operation_bind) == 1504);
TYPE(&tenon_operation_bind, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t, tenon_stream*, tenon_call**));
TYPE(((tenon_api*)0)->operation_bind, int32_t (*)(tenon_operation*, const tenon_arg*, int32_t, tenon_stream*,
                                      tenon_call**));
IS(offsetof(tenon_api, program_link) == 1512);
TYPE(&tenon_program_link, int32_t (*)(tenon_device*, const tenon_program_input*, int32_t, const tenon_program_options*,
                          tenon_program**));
TYPE(((tenon_api*)0)->program_link, int32_t (*)(tenon_device*, const tenon_program_input*, int32_t,
                                    const tenon_program_options*, tenon_program**));
IS(offsetof(tenon_api, compilation_link) == 1520);
TYPE(&tenon_compilation_link, int32_t (*)(tenon_device*, const tenon_program_input*, int32_t,
                              const tenon_program_options*, tenon_compilation**));
TYPE(((tenon_api*)0)->compilation_link, int32_t (*)(tenon_device*, const tenon_program_input*, int32_t,
                                        const tenon_program_options*, tenon_compilation**));
IS(offsetof(tenon_api, kernel_parameter_name) == 1528);
TYPE(&tenon_kernel_parameter_name, int32_t (*)(const tenon_kernel*, int32_t, const char**));
TYPE(((tenon_api*)0)->kernel_parameter_name, int32_t (*)(const tenon_kernel*, int32_t, const char**));
IS(offsetof(tenon_api, cache_get_info) == 1536);
TYPE(&tenon_cache_get_info, int32_t (*)(tenon_context*, tenon_cache_info*));
TYPE(((tenon_api*)0)->cache_get_info, int32_t (*)(tenon_context*, tenon_cache_info*));
IS(offsetof(tenon_api, cache_list) == 1544);
TYPE(&tenon_cache_list, int32_t (*)(tenon_context*, tenon_blob**));
TYPE(((tenon_api*)0)->cache_list, int32_t (*)(tenon_context*, tenon_blob**));
IS(offsetof(tenon_api, cache_verify) == 1552);
TYPE(&tenon_cache_verify, int32_t (*)(tenon_context*, int32_t, tenon_cache_tally*));
TYPE(((tenon_api*)0)->cache_verify, int32_t (*)(tenon_context*, int32_t, tenon_cache_tally*));
IS(offsetof(tenon_api, cache_export) == 1560);
TYPE(&tenon_cache_export, int32_t (*)(tenon_context*, const char*, tenon_cache_tally*));
TYPE(((tenon_api*)0)->cache_export, int32_t (*)(tenon_context*, const char*, tenon_cache_tally*));
IS(offsetof(tenon_api, cache_import) == 1568);
TYPE(&tenon_cache_import, int32_t (*)(tenon_context*, const char*, tenon_cache_tally*));
TYPE(((tenon_api*)0)->cache_import, int32_t (*)(tenon_context*, const char*, tenon_cache_tally*));
IS(offsetof(tenon_api, cache_clear) == 1576);
TYPE(&tenon_cache_clear, int32_t (*)(tenon_context*, double, uint64_t, tenon_cache_tally*));
TYPE(((tenon_api*)0)->cache_clear, int32_t (*)(tenon_context*, double, uint64_t, tenon_cache_tally*));
IS(offsetof(tenon_api, kron) == 1584);
TYPE(&tenon_kron, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_gemm_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->kron, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_gemm_options*,
                            tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, ldl) == 1592);
TYPE(&tenon_ldl, int32_t (*)(const tenon_array*, const tenon_ldl_options*, tenon_stream*, tenon_array**,
                 tenon_array**));
TYPE(((tenon_api*)0)->ldl, int32_t (*)(const tenon_array*, const tenon_ldl_options*, tenon_stream*, tenon_array**,
                           tenon_array**));
IS(offsetof(tenon_api, ldl_solve) == 1600);
TYPE(&tenon_ldl_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*, const tenon_ldl_options*,
                       tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->ldl_solve, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*,
                                 const tenon_ldl_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, program_compile) == 1608);
TYPE(&tenon_program_compile, int32_t (*)(const char*, const char*, uint64_t, const tenon_program_options*, int32_t,
                             tenon_blob**, tenon_blob**));
TYPE(((tenon_api*)0)->program_compile, int32_t (*)(const char*, const char*, uint64_t, const tenon_program_options*,
                                       int32_t, tenon_blob**, tenon_blob**));
IS(offsetof(tenon_api, package_pack) == 1616);
TYPE(&tenon_package_pack, int32_t (*)(const char*, const tenon_package_options*, tenon_blob**));
TYPE(((tenon_api*)0)->package_pack, int32_t (*)(const char*, const tenon_package_options*, tenon_blob**));
IS(offsetof(tenon_api, operation_measure) == 1624);
TYPE(&tenon_operation_measure, int32_t (*)(tenon_operation*, tenon_device*, const tenon_measure_options*,
                               tenon_blob**));
TYPE(((tenon_api*)0)->operation_measure, int32_t (*)(tenon_operation*, tenon_device*, const tenon_measure_options*,
                                         tenon_blob**));
IS(offsetof(tenon_api, operation_tune) == 1632);
TYPE(&tenon_operation_tune, int32_t (*)(tenon_operation*, tenon_device*, const tenon_measure_options*, tenon_blob**));
TYPE(((tenon_api*)0)->operation_tune, int32_t (*)(tenon_operation*, tenon_device*, const tenon_measure_options*,
                                      tenon_blob**));
IS(offsetof(tenon_api, dct) == 1640);
TYPE(&tenon_dct, int32_t (*)(const tenon_array*, const int32_t*, int32_t, const tenon_dct_options*, tenon_stream*,
                 tenon_array**));
TYPE(((tenon_api*)0)->dct, int32_t (*)(const tenon_array*, const int32_t*, int32_t, const tenon_dct_options*,
                           tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, signing_key_create) == 1648);
TYPE(&tenon_signing_key_create, int32_t (*)(tenon_blob**));
TYPE(((tenon_api*)0)->signing_key_create, int32_t (*)(tenon_blob**));
IS(offsetof(tenon_api, signing_key_public) == 1656);
TYPE(&tenon_signing_key_public, int32_t (*)(const char*, tenon_blob**));
TYPE(((tenon_api*)0)->signing_key_public, int32_t (*)(const char*, tenon_blob**));
IS(offsetof(tenon_api, package_sign) == 1664);
TYPE(&tenon_package_sign, int32_t (*)(const char*, const char*, const tenon_package_options*, tenon_blob**));
TYPE(((tenon_api*)0)->package_sign, int32_t (*)(const char*, const char*, const tenon_package_options*, tenon_blob**));
IS(offsetof(tenon_api, plugin_load) == 1672);
TYPE(&tenon_plugin_load, int32_t (*)(tenon_context*, const char*, const tenon_package_options*, tenon_package**));
TYPE(((tenon_api*)0)->plugin_load, int32_t (*)(tenon_context*, const char*, const tenon_package_options*,
                                   tenon_package**));
IS(offsetof(tenon_api, tensordot) == 1680);
TYPE(&tenon_tensordot, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, const int32_t*, int32_t,
                       const tenon_gemm_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->tensordot, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, const int32_t*,
                                 int32_t, const tenon_gemm_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, fft_prepare) == 1688);
TYPE(&tenon_fft_prepare, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, int32_t,
                         const tenon_fft_options*));
TYPE(((tenon_api*)0)->fft_prepare, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, int32_t,
                                   const tenon_fft_options*));
IS(offsetof(tenon_api, dct_prepare) == 1696);
TYPE(&tenon_dct_prepare, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, int32_t,
                         const tenon_dct_options*));
TYPE(((tenon_api*)0)->dct_prepare, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, int32_t,
                                   const tenon_dct_options*));
IS(offsetof(tenon_api, convolve) == 1704);
TYPE(&tenon_convolve, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, int32_t,
                      const tenon_convolve_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->convolve, int32_t (*)(const tenon_array*, const tenon_array*, const int32_t*, int32_t,
                                const tenon_convolve_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, fft_shift) == 1712);
TYPE(&tenon_fft_shift, int32_t (*)(const tenon_array*, const int32_t*, int32_t, const tenon_shift_options*,
                       tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->fft_shift, int32_t (*)(const tenon_array*, const int32_t*, int32_t, const tenon_shift_options*,
                                 tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, fft_frequencies) == 1720);
TYPE(&tenon_fft_frequencies, int32_t (*)(tenon_device*, uint32_t, int64_t, double, const tenon_frequencies_options*,
                             tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->fft_frequencies, int32_t (*)(tenon_device*, uint32_t, int64_t, double,
                                       const tenon_frequencies_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, fft_fast_length) == 1728);
TYPE(&tenon_fft_fast_length, int32_t (*)(int64_t, int64_t*));
TYPE(((tenon_api*)0)->fft_fast_length, int32_t (*)(int64_t, int64_t*));
IS(offsetof(tenon_api, gemv) == 1736);
TYPE(&tenon_gemv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                  const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->gemv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, ger) == 1744);
TYPE(&tenon_ger, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_blas_options*,
                 tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->ger, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*,
                           const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, axpy) == 1752);
TYPE(&tenon_axpy, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->axpy, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                            tenon_array**));
IS(offsetof(tenon_api, scal) == 1760);
TYPE(&tenon_scal, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->scal, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                            tenon_array**));
IS(offsetof(tenon_api, nrm2) == 1768);
TYPE(&tenon_nrm2, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->nrm2, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, syrk) == 1776);
TYPE(&tenon_syrk, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_arg*, const tenon_blas_options*,
                  tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->syrk, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_arg*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, symm) == 1784);
TYPE(&tenon_symm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                  const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->symm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, trmm) == 1792);
TYPE(&tenon_trmm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_blas_options*,
                  tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->trmm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, trsm) == 1800);
TYPE(&tenon_trsm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_blas_options*,
                  tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->trsm, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, gemm_grouped) == 1808);
TYPE(&tenon_gemm_grouped, int32_t (*)(int64_t, const tenon_arg*, const tenon_array* const*, const tenon_array* const*,
                          const tenon_arg*, const tenon_gemm_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->gemm_grouped, int32_t (*)(int64_t, const tenon_arg*, const tenon_array* const*,
                                    const tenon_array* const*, const tenon_arg*, const tenon_gemm_options*,
                                    tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, error_batch_index) == 1816);
TYPE(&tenon_error_batch_index, int32_t (*)(const tenon_error*, int64_t*));
TYPE(((tenon_api*)0)->error_batch_index, int32_t (*)(const tenon_error*, int64_t*));
IS(offsetof(tenon_api, array_follow) == 1824);
TYPE(&tenon_array_follow, int32_t (*)(tenon_array*, tenon_current_stream_fn));
TYPE(((tenon_api*)0)->array_follow, int32_t (*)(tenon_array*, tenon_current_stream_fn));
IS(offsetof(tenon_api, interrupt_set) == 1832);
TYPE(&tenon_interrupt_set, int32_t (*)(tenon_interrupt_fn, void*));
TYPE(((tenon_api*)0)->interrupt_set, int32_t (*)(tenon_interrupt_fn, void*));
IS(offsetof(tenon_api, handle_kind) == 1840);
TYPE(&tenon_handle_kind, int32_t (*)(const void*, int32_t*));
TYPE(((tenon_api*)0)->handle_kind, int32_t (*)(const void*, int32_t*));
IS(offsetof(tenon_api, retain) == 1848);
TYPE(&tenon_retain, int32_t (*)(const void*));
TYPE(((tenon_api*)0)->retain, int32_t (*)(const void*));
IS(offsetof(tenon_api, release) == 1856);
TYPE(&tenon_release, void (*)(void*));
TYPE(((tenon_api*)0)->release, void (*)(void*));
IS(offsetof(tenon_api, same) == 1864);
TYPE(&tenon_same, int32_t (*)(const void*, const void*, int32_t*));
TYPE(((tenon_api*)0)->same, int32_t (*)(const void*, const void*, int32_t*));
IS(offsetof(tenon_api, cpu_threads_set) == 1872);
TYPE(&tenon_cpu_threads_set, int32_t (*)(int32_t));
TYPE(((tenon_api*)0)->cpu_threads_set, int32_t (*)(int32_t));
IS(offsetof(tenon_api, cpu_threads_get) == 1880);
TYPE(&tenon_cpu_threads_get, int32_t (*)(int32_t*));
TYPE(((tenon_api*)0)->cpu_threads_get, int32_t (*)(int32_t*));
IS(offsetof(tenon_api, event_device) == 1888);
TYPE(&tenon_event_device, int32_t (*)(const tenon_event*, tenon_device**));
TYPE(((tenon_api*)0)->event_device, int32_t (*)(const tenon_event*, tenon_device**));
IS(offsetof(tenon_api, buffer_device) == 1896);
TYPE(&tenon_buffer_device, int32_t (*)(const tenon_buffer*, tenon_device**));
TYPE(((tenon_api*)0)->buffer_device, int32_t (*)(const tenon_buffer*, tenon_device**));
IS(offsetof(tenon_api, program_device) == 1904);
TYPE(&tenon_program_device, int32_t (*)(const tenon_program*, tenon_device**));
TYPE(((tenon_api*)0)->program_device, int32_t (*)(const tenon_program*, tenon_device**));
IS(offsetof(tenon_api, kernel_program) == 1912);
TYPE(&tenon_kernel_program, int32_t (*)(const tenon_kernel*, tenon_program**));
TYPE(((tenon_api*)0)->kernel_program, int32_t (*)(const tenon_kernel*, tenon_program**));
IS(offsetof(tenon_api, kernel_device) == 1920);
TYPE(&tenon_kernel_device, int32_t (*)(const tenon_kernel*, tenon_device**));
TYPE(((tenon_api*)0)->kernel_device, int32_t (*)(const tenon_kernel*, tenon_device**));
IS(offsetof(tenon_api, call_kernel) == 1928);
TYPE(&tenon_call_kernel, int32_t (*)(const tenon_call*, tenon_kernel**));
TYPE(((tenon_api*)0)->call_kernel, int32_t (*)(const tenon_call*, tenon_kernel**));
IS(offsetof(tenon_api, graph_device) == 1936);
TYPE(&tenon_graph_device, int32_t (*)(const tenon_graph*, tenon_device**));
TYPE(((tenon_api*)0)->graph_device, int32_t (*)(const tenon_graph*, tenon_device**));
IS(offsetof(tenon_api, symv) == 1944);
TYPE(&tenon_symv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                  const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->symv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, syr) == 1952);
TYPE(&tenon_syr, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                 tenon_array**));
TYPE(((tenon_api*)0)->syr, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                           tenon_array**));
IS(offsetof(tenon_api, trmv) == 1960);
TYPE(&tenon_trmv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->trmv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*,
                            tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, trsv) == 1968);
TYPE(&tenon_trsv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->trsv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*,
                            tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, unary) == 1976);
TYPE(&tenon_unary, int32_t (*)(int32_t, const tenon_arg*, const tenon_compute_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->unary, int32_t (*)(int32_t, const tenon_arg*, const tenon_compute_options*, tenon_stream*,
                             tenon_array**));
IS(offsetof(tenon_api, binary) == 1984);
TYPE(&tenon_binary, int32_t (*)(int32_t, const tenon_arg*, const tenon_arg*, const tenon_compute_options*,
                    tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->binary, int32_t (*)(int32_t, const tenon_arg*, const tenon_arg*, const tenon_compute_options*,
                              tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, select) == 1992);
TYPE(&tenon_select, int32_t (*)(const tenon_arg*, const tenon_arg*, const tenon_arg*, const tenon_compute_options*,
                    tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->select, int32_t (*)(const tenon_arg*, const tenon_arg*, const tenon_arg*,
                              const tenon_compute_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, clip) == 2000);
TYPE(&tenon_clip, int32_t (*)(const tenon_arg*, const tenon_arg*, const tenon_arg*, const tenon_compute_options*,
                  tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->clip, int32_t (*)(const tenon_arg*, const tenon_arg*, const tenon_arg*,
                            const tenon_compute_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, cast) == 2008);
TYPE(&tenon_cast, int32_t (*)(const tenon_arg*, uint32_t, const tenon_compute_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->cast, int32_t (*)(const tenon_arg*, uint32_t, const tenon_compute_options*, tenon_stream*,
                            tenon_array**));
IS(offsetof(tenon_api, reduce) == 2016);
TYPE(&tenon_reduce, int32_t (*)(int32_t, const tenon_arg*, const tenon_reduce_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->reduce, int32_t (*)(int32_t, const tenon_arg*, const tenon_reduce_options*, tenon_stream*,
                              tenon_array**));
IS(offsetof(tenon_api, accumulate) == 2024);
TYPE(&tenon_accumulate, int32_t (*)(int32_t, const tenon_arg*, const tenon_accumulate_options*, tenon_stream*,
                        tenon_array**));
TYPE(((tenon_api*)0)->accumulate, int32_t (*)(int32_t, const tenon_arg*, const tenon_accumulate_options*, tenon_stream*,
                                  tenon_array**));
IS(offsetof(tenon_api, result_type) == 2032);
TYPE(&tenon_result_type, int32_t (*)(const tenon_arg*, int32_t, uint32_t*));
TYPE(((tenon_api*)0)->result_type, int32_t (*)(const tenon_arg*, int32_t, uint32_t*));
IS(offsetof(tenon_api, random) == 2040);
TYPE(&tenon_random, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, int32_t, const tenon_random_options*,
                    tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->random, int32_t (*)(tenon_device*, uint32_t, int32_t, const int64_t*, int32_t,
                              const tenon_random_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, random_blocks) == 2048);
TYPE(&tenon_random_blocks, int32_t (*)(uint32_t, int64_t, int32_t, uint64_t*));
TYPE(((tenon_api*)0)->random_blocks, int32_t (*)(uint32_t, int64_t, int32_t, uint64_t*));
IS(offsetof(tenon_api, random_split) == 2056);
TYPE(&tenon_random_split, int32_t (*)(uint64_t, int64_t, uint64_t*));
TYPE(((tenon_api*)0)->random_split, int32_t (*)(uint64_t, int64_t, uint64_t*));
IS(offsetof(tenon_api, random_permutation) == 2064);
TYPE(&tenon_random_permutation, int32_t (*)(tenon_device*, int64_t, const tenon_random_options*, tenon_stream*,
                                tenon_array**));
TYPE(((tenon_api*)0)->random_permutation, int32_t (*)(tenon_device*, int64_t, const tenon_random_options*,
                                          tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, concat) == 2072);
TYPE(&tenon_concat, int32_t (*)(const tenon_array* const*, int32_t, int32_t, const tenon_moving_options*, tenon_stream*,
                    tenon_array**));
TYPE(((tenon_api*)0)->concat, int32_t (*)(const tenon_array* const*, int32_t, int32_t, const tenon_moving_options*,
                              tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, stack) == 2080);
TYPE(&tenon_stack, int32_t (*)(const tenon_array* const*, int32_t, int32_t, const tenon_moving_options*, tenon_stream*,
                   tenon_array**));
TYPE(((tenon_api*)0)->stack, int32_t (*)(const tenon_array* const*, int32_t, int32_t, const tenon_moving_options*,
                             tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, tile) == 2088);
TYPE(&tenon_tile, int32_t (*)(const tenon_array*, int32_t, const int64_t*, const tenon_moving_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->tile, int32_t (*)(const tenon_array*, int32_t, const int64_t*, const tenon_moving_options*,
                            tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, repeat) == 2096);
TYPE(&tenon_repeat, int32_t (*)(const tenon_array*, int64_t, int32_t, const tenon_moving_options*, tenon_stream*,
                    tenon_array**));
TYPE(((tenon_api*)0)->repeat, int32_t (*)(const tenon_array*, int64_t, int32_t, const tenon_moving_options*,
                              tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, roll) == 2104);
TYPE(&tenon_roll, int32_t (*)(const tenon_array*, const int64_t*, const int32_t*, int32_t, const tenon_moving_options*,
                  tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->roll, int32_t (*)(const tenon_array*, const int64_t*, const int32_t*, int32_t,
                            const tenon_moving_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, pad) == 2112);
TYPE(&tenon_pad, int32_t (*)(const tenon_array*, int32_t, const int64_t*, const int64_t*, const tenon_pad_options*,
                 tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->pad, int32_t (*)(const tenon_array*, int32_t, const int64_t*, const int64_t*,
                           const tenon_pad_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, take) == 2120);
TYPE(&tenon_take, int32_t (*)(const tenon_array*, const tenon_array* const*, const int32_t*, int32_t,
                  const tenon_take_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->take, int32_t (*)(const tenon_array*, const tenon_array* const*, const int32_t*, int32_t,
                            const tenon_take_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, scatter) == 2128);
TYPE(&tenon_scatter, int32_t (*)(tenon_array*, const tenon_array*, const tenon_array* const*, const int32_t*, int32_t,
                     const tenon_take_options*, tenon_stream*));
TYPE(((tenon_api*)0)->scatter, int32_t (*)(tenon_array*, const tenon_array*, const tenon_array* const*, const int32_t*,
                               int32_t, const tenon_take_options*, tenon_stream*));
IS(offsetof(tenon_api, nonzero) == 2136);
TYPE(&tenon_nonzero, int32_t (*)(const tenon_array*, const tenon_moving_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->nonzero, int32_t (*)(const tenon_array*, const tenon_moving_options*, tenon_stream*,
                               tenon_array**));
IS(offsetof(tenon_api, compress) == 2144);
TYPE(&tenon_compress, int32_t (*)(const tenon_array*, const tenon_array*, int32_t, const tenon_moving_options*,
                      tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->compress, int32_t (*)(const tenon_array*, const tenon_array*, int32_t,
                                const tenon_moving_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, range) == 2152);
TYPE(&tenon_range, int32_t (*)(tenon_device*, uint32_t, int64_t, const tenon_range_options*, tenon_stream*,
                   tenon_array**));
TYPE(((tenon_api*)0)->range, int32_t (*)(tenon_device*, uint32_t, int64_t, const tenon_range_options*, tenon_stream*,
                             tenon_array**));
IS(offsetof(tenon_api, eye) == 2160);
TYPE(&tenon_eye, int32_t (*)(tenon_device*, uint32_t, int64_t, int64_t, const tenon_diagonal_options*, tenon_stream*,
                 tenon_array**));
TYPE(((tenon_api*)0)->eye, int32_t (*)(tenon_device*, uint32_t, int64_t, int64_t, const tenon_diagonal_options*,
                           tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, triangle) == 2168);
TYPE(&tenon_triangle, int32_t (*)(const tenon_array*, const tenon_diagonal_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->triangle, int32_t (*)(const tenon_array*, const tenon_diagonal_options*, tenon_stream*,
                                tenon_array**));
IS(offsetof(tenon_api, sort) == 2176);
TYPE(&tenon_sort, int32_t (*)(const tenon_array*, int32_t, const tenon_sort_options*, tenon_stream*, tenon_array**,
                  tenon_array**));
TYPE(((tenon_api*)0)->sort, int32_t (*)(const tenon_array*, int32_t, const tenon_sort_options*, tenon_stream*,
                            tenon_array**, tenon_array**));
IS(offsetof(tenon_api, top_k) == 2184);
TYPE(&tenon_top_k, int32_t (*)(const tenon_array*, int64_t, int32_t, const tenon_top_k_options*, tenon_stream*,
                   tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->top_k, int32_t (*)(const tenon_array*, int64_t, int32_t, const tenon_top_k_options*,
                             tenon_stream*, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, search_sorted) == 2192);
TYPE(&tenon_search_sorted, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_search_options*,
                           tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->search_sorted, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_search_options*,
                                     tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, unique) == 2200);
TYPE(&tenon_unique, int32_t (*)(const tenon_array*, const tenon_unique_options*, tenon_stream*, tenon_array**,
                    tenon_array**, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->unique, int32_t (*)(const tenon_array*, const tenon_unique_options*, tenon_stream*, tenon_array**,
                              tenon_array**, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, bincount) == 2208);
TYPE(&tenon_bincount, int32_t (*)(const tenon_array*, const tenon_array*, int64_t, const tenon_bincount_options*,
                      tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->bincount, int32_t (*)(const tenon_array*, const tenon_array*, int64_t,
                                const tenon_bincount_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, device_allocator) == 2216);
TYPE(&tenon_device_allocator, int32_t (*)(tenon_device*, tenon_allocator*));
TYPE(((tenon_api*)0)->device_allocator, int32_t (*)(tenon_device*, tenon_allocator*));
IS(offsetof(tenon_api, stream_call_host) == 2224);
TYPE(&tenon_stream_call_host, int32_t (*)(tenon_stream*, tenon_stream_fn, tenon_destroy_fn, void*));
TYPE(((tenon_api*)0)->stream_call_host, int32_t (*)(tenon_stream*, tenon_stream_fn, tenon_destroy_fn, void*));
IS(offsetof(tenon_api, event_wrap) == 2232);
TYPE(&tenon_event_wrap, int32_t (*)(tenon_device*, uint64_t, tenon_destroy_fn, void*, tenon_event**));
TYPE(((tenon_api*)0)->event_wrap, int32_t (*)(tenon_device*, uint64_t, tenon_destroy_fn, void*, tenon_event**));
IS(offsetof(tenon_api, event_native) == 2240);
TYPE(&tenon_event_native, int32_t (*)(const tenon_event*, uint64_t*));
TYPE(((tenon_api*)0)->event_native, int32_t (*)(const tenon_event*, uint64_t*));
IS(offsetof(tenon_api, buffer_create_shared) == 2248);
TYPE(&tenon_buffer_create_shared, int32_t (*)(tenon_device*, uint64_t, tenon_buffer**));
TYPE(((tenon_api*)0)->buffer_create_shared, int32_t (*)(tenon_device*, uint64_t, tenon_buffer**));
IS(offsetof(tenon_api, buffer_share) == 2256);
TYPE(&tenon_buffer_share, int32_t (*)(const tenon_buffer*, tenon_blob**));
TYPE(((tenon_api*)0)->buffer_share, int32_t (*)(const tenon_buffer*, tenon_blob**));
IS(offsetof(tenon_api, buffer_open) == 2264);
TYPE(&tenon_buffer_open, int32_t (*)(tenon_device*, const void*, uint64_t, tenon_buffer**));
TYPE(((tenon_api*)0)->buffer_open, int32_t (*)(tenon_device*, const void*, uint64_t, tenon_buffer**));
IS(offsetof(tenon_api, array_use) == 2272);
TYPE(&tenon_array_use, int32_t (*)(tenon_array*, int32_t, tenon_stream*));
TYPE(((tenon_api*)0)->array_use, int32_t (*)(tenon_array*, int32_t, tenon_stream*));
IS(offsetof(tenon_api, call_set_args) == 2280);
TYPE(&tenon_call_set_args, int32_t (*)(tenon_call*, const tenon_arg*, int32_t));
TYPE(((tenon_api*)0)->call_set_args, int32_t (*)(tenon_call*, const tenon_arg*, int32_t));
IS(offsetof(tenon_api, call_set_launch) == 2288);
TYPE(&tenon_call_set_launch, int32_t (*)(tenon_call*, const tenon_launch*));
TYPE(((tenon_api*)0)->call_set_launch, int32_t (*)(tenon_call*, const tenon_launch*));
IS(offsetof(tenon_api, graph_set_args) == 2296);
TYPE(&tenon_graph_set_args, int32_t (*)(tenon_graph*, int32_t, const tenon_arg*, int32_t));
TYPE(((tenon_api*)0)->graph_set_args, int32_t (*)(tenon_graph*, int32_t, const tenon_arg*, int32_t));
IS(offsetof(tenon_api, graph_set_launch) == 2304);
TYPE(&tenon_graph_set_launch, int32_t (*)(tenon_graph*, int32_t, const tenon_launch*));
TYPE(((tenon_api*)0)->graph_set_launch, int32_t (*)(tenon_graph*, int32_t, const tenon_launch*));
IS(offsetof(tenon_api, graph_last_node) == 2312);
TYPE(&tenon_graph_last_node, int32_t (*)(const tenon_stream*, int32_t*));
TYPE(((tenon_api*)0)->graph_last_node, int32_t (*)(const tenon_stream*, int32_t*));
IS(offsetof(tenon_api, asum) == 2320);
TYPE(&tenon_asum, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->asum, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, iamax) == 2328);
TYPE(&tenon_iamax, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->iamax, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, iamin) == 2336);
TYPE(&tenon_iamin, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->iamin, int32_t (*)(const tenon_array*, const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, swap) == 2344);
TYPE(&tenon_swap, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->swap, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*,
                            tenon_stream*, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, rot) == 2352);
TYPE(&tenon_rot, int32_t (*)(const tenon_arg*, const tenon_arg*, const tenon_array*, const tenon_array*,
                 const tenon_blas_options*, tenon_stream*, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->rot, int32_t (*)(const tenon_arg*, const tenon_arg*, const tenon_array*, const tenon_array*,
                           const tenon_blas_options*, tenon_stream*, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, rotg) == 2360);
TYPE(&tenon_rotg, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->rotg, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*,
                            tenon_stream*, tenon_array**, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, syr2) == 2368);
TYPE(&tenon_syr2, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_blas_options*,
                  tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->syr2, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, gbmv) == 2376);
TYPE(&tenon_gbmv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                  const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->gbmv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, sbmv) == 2384);
TYPE(&tenon_sbmv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                  const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->sbmv, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, syr2k) == 2392);
TYPE(&tenon_syr2k, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                   const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->syr2k, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_array*, const tenon_arg*,
                             const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, geam) == 2400);
TYPE(&tenon_geam, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_arg*, const tenon_array*,
                  const tenon_blas_options*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->geam, int32_t (*)(const tenon_arg*, const tenon_array*, const tenon_arg*, const tenon_array*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, device_limit_memory) == 2408);
TYPE(&tenon_device_limit_memory, int32_t (*)(tenon_device*, uint64_t));
TYPE(((tenon_api*)0)->device_limit_memory, int32_t (*)(tenon_device*, uint64_t));
IS(offsetof(tenon_api, rotm) == 2416);
TYPE(&tenon_rotm, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*, const tenon_blas_options*,
                  tenon_stream*, tenon_array**, tenon_array**));
TYPE(((tenon_api*)0)->rotm, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*,
                            const tenon_blas_options*, tenon_stream*, tenon_array**, tenon_array**));
IS(offsetof(tenon_api, rotmg) == 2424);
TYPE(&tenon_rotmg, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*, const tenon_array*,
                   const tenon_blas_options*, tenon_stream*, tenon_array**, tenon_array**, tenon_array**,
                   tenon_array**));
TYPE(((tenon_api*)0)->rotmg, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_array*, const tenon_array*,
                             const tenon_blas_options*, tenon_stream*, tenon_array**, tenon_array**, tenon_array**,
                             tenon_array**));
IS(offsetof(tenon_api, tbmv) == 2432);
TYPE(&tenon_tbmv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->tbmv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*,
                            tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, tbsv) == 2440);
TYPE(&tenon_tbsv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*, tenon_stream*,
                  tenon_array**));
TYPE(((tenon_api*)0)->tbsv, int32_t (*)(const tenon_array*, const tenon_array*, const tenon_blas_options*,
                            tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, elementwise_compose) == 2448);
TYPE(&tenon_elementwise_compose, int32_t (*)(const uint32_t*, int32_t, const tenon_step*, int32_t, const int32_t*,
                                 int32_t, const tenon_generated_options*, tenon_elementwise**));
TYPE(((tenon_api*)0)->elementwise_compose, int32_t (*)(const uint32_t*, int32_t, const tenon_step*, int32_t,
                                           const int32_t*, int32_t, const tenon_generated_options*,
                                           tenon_elementwise**));
IS(offsetof(tenon_api, texture_create) == 2456);
TYPE(&tenon_texture_create, int32_t (*)(const tenon_array*, const tenon_texture_options*, tenon_stream*,
                            tenon_texture**));
TYPE(((tenon_api*)0)->texture_create, int32_t (*)(const tenon_array*, const tenon_texture_options*, tenon_stream*,
                                      tenon_texture**));
IS(offsetof(tenon_api, texture_update) == 2464);
TYPE(&tenon_texture_update, int32_t (*)(tenon_texture*, const tenon_array*, tenon_stream*));
TYPE(((tenon_api*)0)->texture_update, int32_t (*)(tenon_texture*, const tenon_array*, tenon_stream*));
IS(offsetof(tenon_api, texture_read) == 2472);
TYPE(&tenon_texture_read, int32_t (*)(const tenon_texture*, tenon_stream*, tenon_array**));
TYPE(((tenon_api*)0)->texture_read, int32_t (*)(const tenon_texture*, tenon_stream*, tenon_array**));
IS(offsetof(tenon_api, texture_get_info) == 2480);
TYPE(&tenon_texture_get_info, int32_t (*)(const tenon_texture*, tenon_texture_info*));
TYPE(((tenon_api*)0)->texture_get_info, int32_t (*)(const tenon_texture*, tenon_texture_info*));
IS(offsetof(tenon_api, texture_device) == 2488);
TYPE(&tenon_texture_device, int32_t (*)(const tenon_texture*, tenon_device**));
TYPE(((tenon_api*)0)->texture_device, int32_t (*)(const tenon_texture*, tenon_device**));
IS(offsetof(tenon_api, texture_retain) == 2496);
TYPE(&tenon_texture_retain, int32_t (*)(const tenon_texture*));
TYPE(((tenon_api*)0)->texture_retain, int32_t (*)(const tenon_texture*));
IS(offsetof(tenon_api, texture_release) == 2504);
TYPE(&tenon_texture_release, void (*)(tenon_texture*));
TYPE(((tenon_api*)0)->texture_release, void (*)(tenon_texture*));
IS(offsetof(tenon_api, kernel_prefer_shared) == 2512);
TYPE(&tenon_kernel_prefer_shared, int32_t (*)(tenon_kernel*, int32_t));
TYPE(((tenon_api*)0)->kernel_prefer_shared, int32_t (*)(tenon_kernel*, int32_t));

typedef void function(void);
static int wrong = 0;

static void check(const char* name, function* row, function* exported) {
  if (row == exported) return;
  printf("the table's row of %s is another function\n", name);
  wrong++;
}

int main(void) {
  const tenon_api* api = tenon_get_api(0x00010000u);
  if (!api || api->struct_size < 2520 || api->abi_level < 0x00010000u) {
    printf("the table of this library is older than level 1.0\n");
    return 1;
  }
  if (tenon_get_api(0x0001ffffu) != api) {
    printf("a newer caller does not get the table there is\n");
    return 1;
  }
  if (tenon_get_api(0x00020000u)) {
    printf("a caller of another major version gets this one's table\n");
    return 1;
  }
  check("tenon_blob_data", (function*)api->blob_data, (function*)tenon_blob_data);
  check("tenon_blob_retain", (function*)api->blob_retain, (function*)tenon_blob_retain);
  check("tenon_blob_release", (function*)api->blob_release, (function*)tenon_blob_release);
  check("tenon_version", (function*)api->version, (function*)tenon_version);
  check("tenon_get_api", (function*)api->get_api, (function*)tenon_get_api);
  check("tenon_build_info", (function*)api->build_info, (function*)tenon_build_info);
  check("tenon_status_name", (function*)api->status_name, (function*)tenon_status_name);
  check("tenon_error_last", (function*)api->error_last, (function*)tenon_error_last);
  check("tenon_error_clear", (function*)api->error_clear, (function*)tenon_error_clear);
  check("tenon_error_last_message", (function*)api->error_last_message, (function*)tenon_error_last_message);
  check("tenon_error_status", (function*)api->error_status, (function*)tenon_error_status);
  check("tenon_error_message", (function*)api->error_message, (function*)tenon_error_message);
  check("tenon_error_native", (function*)api->error_native, (function*)tenon_error_native);
  check("tenon_error_log", (function*)api->error_log, (function*)tenon_error_log);
  check("tenon_error_retain", (function*)api->error_retain, (function*)tenon_error_retain);
  check("tenon_error_release", (function*)api->error_release, (function*)tenon_error_release);
  check("tenon_dtype_name", (function*)api->dtype_name, (function*)tenon_dtype_name);
  check("tenon_dtype_bits", (function*)api->dtype_bits, (function*)tenon_dtype_bits);
  check("tenon_context_default", (function*)api->context_default, (function*)tenon_context_default);
  check("tenon_context_create", (function*)api->context_create, (function*)tenon_context_create);
  check("tenon_context_retain", (function*)api->context_retain, (function*)tenon_context_retain);
  check("tenon_context_release", (function*)api->context_release, (function*)tenon_context_release);
  check("tenon_context_device_count", (function*)api->context_device_count, (function*)tenon_context_device_count);
  check("tenon_context_device_at", (function*)api->context_device_at, (function*)tenon_context_device_at);
  check("tenon_context_device", (function*)api->context_device, (function*)tenon_context_device);
  check("tenon_context_report", (function*)api->context_report, (function*)tenon_context_report);
  check("tenon_device_get_info", (function*)api->device_get_info, (function*)tenon_device_get_info);
  check("tenon_device_name", (function*)api->device_name, (function*)tenon_device_name);
  check("tenon_device_description", (function*)api->device_description, (function*)tenon_device_description);
  check("tenon_device_toolkit", (function*)api->device_toolkit, (function*)tenon_device_toolkit);
  check("tenon_device_synchronize", (function*)api->device_synchronize, (function*)tenon_device_synchronize);
  check("tenon_device_retain", (function*)api->device_retain, (function*)tenon_device_retain);
  check("tenon_device_release", (function*)api->device_release, (function*)tenon_device_release);
  check("tenon_device_get_memory_info", (function*)api->device_get_memory_info,
        (function*)tenon_device_get_memory_info);
  check("tenon_device_trim_memory", (function*)api->device_trim_memory, (function*)tenon_device_trim_memory);
  check("tenon_stream_create", (function*)api->stream_create, (function*)tenon_stream_create);
  check("tenon_stream_wrap", (function*)api->stream_wrap, (function*)tenon_stream_wrap);
  check("tenon_stream_default", (function*)api->stream_default, (function*)tenon_stream_default);
  check("tenon_stream_native", (function*)api->stream_native, (function*)tenon_stream_native);
  check("tenon_stream_device", (function*)api->stream_device, (function*)tenon_stream_device);
  check("tenon_stream_synchronize", (function*)api->stream_synchronize, (function*)tenon_stream_synchronize);
  check("tenon_stream_query", (function*)api->stream_query, (function*)tenon_stream_query);
  check("tenon_stream_wait_event", (function*)api->stream_wait_event, (function*)tenon_stream_wait_event);
  check("tenon_stream_retain", (function*)api->stream_retain, (function*)tenon_stream_retain);
  check("tenon_stream_release", (function*)api->stream_release, (function*)tenon_stream_release);
  check("tenon_event_create", (function*)api->event_create, (function*)tenon_event_create);
  check("tenon_event_record", (function*)api->event_record, (function*)tenon_event_record);
  check("tenon_event_synchronize", (function*)api->event_synchronize, (function*)tenon_event_synchronize);
  check("tenon_event_query", (function*)api->event_query, (function*)tenon_event_query);
  check("tenon_event_elapsed", (function*)api->event_elapsed, (function*)tenon_event_elapsed);
  check("tenon_event_retain", (function*)api->event_retain, (function*)tenon_event_retain);
  check("tenon_event_release", (function*)api->event_release, (function*)tenon_event_release);
  check("tenon_buffer_create", (function*)api->buffer_create, (function*)tenon_buffer_create);
  check("tenon_buffer_wrap", (function*)api->buffer_wrap, (function*)tenon_buffer_wrap);
  check("tenon_buffer_data", (function*)api->buffer_data, (function*)tenon_buffer_data);
  check("tenon_buffer_retain", (function*)api->buffer_retain, (function*)tenon_buffer_retain);
  check("tenon_buffer_release", (function*)api->buffer_release, (function*)tenon_buffer_release);
  check("tenon_array_create", (function*)api->array_create, (function*)tenon_array_create);
  check("tenon_array_zeros", (function*)api->array_zeros, (function*)tenon_array_zeros);
  check("tenon_array_from_host", (function*)api->array_from_host, (function*)tenon_array_from_host);
  check("tenon_array_from_buffer", (function*)api->array_from_buffer, (function*)tenon_array_from_buffer);
  check("tenon_array_retain", (function*)api->array_retain, (function*)tenon_array_retain);
  check("tenon_array_release", (function*)api->array_release, (function*)tenon_array_release);
  check("tenon_array_get_info", (function*)api->array_get_info, (function*)tenon_array_get_info);
  check("tenon_array_device", (function*)api->array_device, (function*)tenon_array_device);
  check("tenon_array_buffer", (function*)api->array_buffer, (function*)tenon_array_buffer);
  check("tenon_array_reshape", (function*)api->array_reshape, (function*)tenon_array_reshape);
  check("tenon_array_transpose", (function*)api->array_transpose, (function*)tenon_array_transpose);
  check("tenon_array_slice", (function*)api->array_slice, (function*)tenon_array_slice);
  check("tenon_array_index", (function*)api->array_index, (function*)tenon_array_index);
  check("tenon_array_broadcast", (function*)api->array_broadcast, (function*)tenon_array_broadcast);
  check("tenon_array_view", (function*)api->array_view, (function*)tenon_array_view);
  check("tenon_array_copy", (function*)api->array_copy, (function*)tenon_array_copy);
  check("tenon_array_fill", (function*)api->array_fill, (function*)tenon_array_fill);
  check("tenon_array_convert", (function*)api->array_convert, (function*)tenon_array_convert);
  check("tenon_array_to_host", (function*)api->array_to_host, (function*)tenon_array_to_host);
  check("tenon_array_set_from_host", (function*)api->array_set_from_host, (function*)tenon_array_set_from_host);
  check("tenon_array_from_dlpack", (function*)api->array_from_dlpack, (function*)tenon_array_from_dlpack);
  check("tenon_array_from_dlpack_versioned", (function*)api->array_from_dlpack_versioned,
        (function*)tenon_array_from_dlpack_versioned);
  check("tenon_array_to_dlpack", (function*)api->array_to_dlpack, (function*)tenon_array_to_dlpack);
  check("tenon_array_to_dlpack_versioned", (function*)api->array_to_dlpack_versioned,
        (function*)tenon_array_to_dlpack_versioned);
  check("tenon_program_create", (function*)api->program_create, (function*)tenon_program_create);
  check("tenon_program_log", (function*)api->program_log, (function*)tenon_program_log);
  check("tenon_program_image", (function*)api->program_image, (function*)tenon_program_image);
  check("tenon_program_kernel", (function*)api->program_kernel, (function*)tenon_program_kernel);
  check("tenon_program_retain", (function*)api->program_retain, (function*)tenon_program_retain);
  check("tenon_program_release", (function*)api->program_release, (function*)tenon_program_release);
  check("tenon_kernel_parameter_count", (function*)api->kernel_parameter_count,
        (function*)tenon_kernel_parameter_count);
  check("tenon_kernel_get_parameter_info", (function*)api->kernel_get_parameter_info,
        (function*)tenon_kernel_get_parameter_info);
  check("tenon_kernel_name", (function*)api->kernel_name, (function*)tenon_kernel_name);
  check("tenon_kernel_get_info", (function*)api->kernel_get_info, (function*)tenon_kernel_get_info);
  check("tenon_kernel_retain", (function*)api->kernel_retain, (function*)tenon_kernel_retain);
  check("tenon_kernel_release", (function*)api->kernel_release, (function*)tenon_kernel_release);
  check("tenon_kernel_launch", (function*)api->kernel_launch, (function*)tenon_kernel_launch);
  check("tenon_call_create", (function*)api->call_create, (function*)tenon_call_create);
  check("tenon_call_set", (function*)api->call_set, (function*)tenon_call_set);
  check("tenon_call_launch", (function*)api->call_launch, (function*)tenon_call_launch);
  check("tenon_call_clone", (function*)api->call_clone, (function*)tenon_call_clone);
  check("tenon_call_retain", (function*)api->call_retain, (function*)tenon_call_retain);
  check("tenon_call_release", (function*)api->call_release, (function*)tenon_call_release);
  check("tenon_gemm", (function*)api->gemm, (function*)tenon_gemm);
  check("tenon_svd", (function*)api->svd, (function*)tenon_svd);
  check("tenon_fft", (function*)api->fft, (function*)tenon_fft);
  check("tenon_elementwise_create", (function*)api->elementwise_create, (function*)tenon_elementwise_create);
  check("tenon_elementwise_call", (function*)api->elementwise_call, (function*)tenon_elementwise_call);
  check("tenon_elementwise_output", (function*)api->elementwise_output, (function*)tenon_elementwise_output);
  check("tenon_elementwise_retain", (function*)api->elementwise_retain, (function*)tenon_elementwise_retain);
  check("tenon_elementwise_release", (function*)api->elementwise_release, (function*)tenon_elementwise_release);
  check("tenon_reduction_create", (function*)api->reduction_create, (function*)tenon_reduction_create);
  check("tenon_reduction_call", (function*)api->reduction_call, (function*)tenon_reduction_call);
  check("tenon_reduction_output", (function*)api->reduction_output, (function*)tenon_reduction_output);
  check("tenon_reduction_retain", (function*)api->reduction_retain, (function*)tenon_reduction_retain);
  check("tenon_reduction_release", (function*)api->reduction_release, (function*)tenon_reduction_release);
  check("tenon_scan_create", (function*)api->scan_create, (function*)tenon_scan_create);
  check("tenon_scan_call", (function*)api->scan_call, (function*)tenon_scan_call);
  check("tenon_scan_output", (function*)api->scan_output, (function*)tenon_scan_output);
  check("tenon_scan_retain", (function*)api->scan_retain, (function*)tenon_scan_retain);
  check("tenon_scan_release", (function*)api->scan_release, (function*)tenon_scan_release);
  check("tenon_program_global", (function*)api->program_global, (function*)tenon_program_global);
  check("tenon_kernel_occupancy", (function*)api->kernel_occupancy, (function*)tenon_kernel_occupancy);
  check("tenon_kernel_suggest", (function*)api->kernel_suggest, (function*)tenon_kernel_suggest);
  check("tenon_launch_for", (function*)api->launch_for, (function*)tenon_launch_for);
  check("tenon_kernel_time", (function*)api->kernel_time, (function*)tenon_kernel_time);
  check("tenon_compilation_start", (function*)api->compilation_start, (function*)tenon_compilation_start);
  check("tenon_compilation_query", (function*)api->compilation_query, (function*)tenon_compilation_query);
  check("tenon_compilation_wait", (function*)api->compilation_wait, (function*)tenon_compilation_wait);
  check("tenon_compilation_cancel", (function*)api->compilation_cancel, (function*)tenon_compilation_cancel);
  check("tenon_compilation_retain", (function*)api->compilation_retain, (function*)tenon_compilation_retain);
  check("tenon_compilation_release", (function*)api->compilation_release, (function*)tenon_compilation_release);
  check("tenon_graph_create", (function*)api->graph_create, (function*)tenon_graph_create);
  check("tenon_graph_begin", (function*)api->graph_begin, (function*)tenon_graph_begin);
  check("tenon_graph_end", (function*)api->graph_end, (function*)tenon_graph_end);
  check("tenon_graph_clear", (function*)api->graph_clear, (function*)tenon_graph_clear);
  check("tenon_graph_launch", (function*)api->graph_launch, (function*)tenon_graph_launch);
  check("tenon_graph_set", (function*)api->graph_set, (function*)tenon_graph_set);
  check("tenon_graph_node_count", (function*)api->graph_node_count, (function*)tenon_graph_node_count);
  check("tenon_graph_get_node_info", (function*)api->graph_get_node_info, (function*)tenon_graph_get_node_info);
  check("tenon_graph_get_parameter_info", (function*)api->graph_get_parameter_info,
        (function*)tenon_graph_get_parameter_info);
  check("tenon_graph_retain", (function*)api->graph_retain, (function*)tenon_graph_retain);
  check("tenon_graph_release", (function*)api->graph_release, (function*)tenon_graph_release);
  check("tenon_package_load", (function*)api->package_load, (function*)tenon_package_load);
  check("tenon_package_load_memory", (function*)api->package_load_memory, (function*)tenon_package_load_memory);
  check("tenon_package_check", (function*)api->package_check, (function*)tenon_package_check);
  check("tenon_package_find", (function*)api->package_find, (function*)tenon_package_find);
  check("tenon_package_list", (function*)api->package_list, (function*)tenon_package_list);
  check("tenon_package_unload", (function*)api->package_unload, (function*)tenon_package_unload);
  check("tenon_package_reload", (function*)api->package_reload, (function*)tenon_package_reload);
  check("tenon_package_describe", (function*)api->package_describe, (function*)tenon_package_describe);
  check("tenon_package_operation", (function*)api->package_operation, (function*)tenon_package_operation);
  check("tenon_package_file", (function*)api->package_file, (function*)tenon_package_file);
  check("tenon_package_retain", (function*)api->package_retain, (function*)tenon_package_retain);
  check("tenon_package_release", (function*)api->package_release, (function*)tenon_package_release);
  check("tenon_operation_find", (function*)api->operation_find, (function*)tenon_operation_find);
  check("tenon_operation_describe", (function*)api->operation_describe, (function*)tenon_operation_describe);
  check("tenon_operation_get_info", (function*)api->operation_get_info, (function*)tenon_operation_get_info);
  check("tenon_operation_get_parameter_info", (function*)api->operation_get_parameter_info,
        (function*)tenon_operation_get_parameter_info);
  check("tenon_operation_gradient", (function*)api->operation_gradient, (function*)tenon_operation_gradient);
  check("tenon_operation_package", (function*)api->operation_package, (function*)tenon_operation_package);
  check("tenon_operation_retain", (function*)api->operation_retain, (function*)tenon_operation_retain);
  check("tenon_operation_release", (function*)api->operation_release, (function*)tenon_operation_release);
  check("tenon_dot", (function*)api->dot, (function*)tenon_dot);
  check("tenon_einsum", (function*)api->einsum, (function*)tenon_einsum);
  check("tenon_solve", (function*)api->solve, (function*)tenon_solve);
  check("tenon_lu", (function*)api->lu, (function*)tenon_lu);
  check("tenon_lu_solve", (function*)api->lu_solve, (function*)tenon_lu_solve);
  check("tenon_cholesky", (function*)api->cholesky, (function*)tenon_cholesky);
  check("tenon_cholesky_solve", (function*)api->cholesky_solve, (function*)tenon_cholesky_solve);
  check("tenon_qr", (function*)api->qr, (function*)tenon_qr);
  check("tenon_lstsq", (function*)api->lstsq, (function*)tenon_lstsq);
  check("tenon_inverse", (function*)api->inverse, (function*)tenon_inverse);
  check("tenon_pinv", (function*)api->pinv, (function*)tenon_pinv);
  check("tenon_matrix_rank", (function*)api->matrix_rank, (function*)tenon_matrix_rank);
  check("tenon_det", (function*)api->det, (function*)tenon_det);
  check("tenon_slogdet", (function*)api->slogdet, (function*)tenon_slogdet);
  check("tenon_eigh", (function*)api->eigh, (function*)tenon_eigh);
  check("tenon_eig", (function*)api->eig, (function*)tenon_eig);
  check("tenon_norm", (function*)api->norm, (function*)tenon_norm);
  check("tenon_cond", (function*)api->cond, (function*)tenon_cond);
  check("tenon_matrix_power", (function*)api->matrix_power, (function*)tenon_matrix_power);
  check("tenon_expm", (function*)api->expm, (function*)tenon_expm);
  check("tenon_operation_call", (function*)api->operation_call, (function*)tenon_operation_call);
  check("tenon_operation_output", (function*)api->operation_output, (function*)tenon_operation_output);
  check("tenon_operation_prepare", (function*)api->operation_prepare, (function*)tenon_operation_prepare);
  check("tenon_package_prepare", (function*)api->package_prepare, (function*)tenon_package_prepare);
  check("tenon_operation_set_tunable", (function*)api->operation_set_tunable, (function*)tenon_operation_set_tunable);
  check("tenon_operation_get_tunable", (function*)api->operation_get_tunable, (function*)tenon_operation_get_tunable);
  check("tenon_operation_test", (function*)api->operation_test, (function*)tenon_operation_test);
  check("tenon_operation_bind", (function*)api->operation_bind, (function*)tenon_operation_bind);
  check("tenon_program_link", (function*)api->program_link, (function*)tenon_program_link);
  check("tenon_compilation_link", (function*)api->compilation_link, (function*)tenon_compilation_link);
  check("tenon_kernel_parameter_name", (function*)api->kernel_parameter_name, (function*)tenon_kernel_parameter_name);
  check("tenon_cache_get_info", (function*)api->cache_get_info, (function*)tenon_cache_get_info);
  check("tenon_cache_list", (function*)api->cache_list, (function*)tenon_cache_list);
  check("tenon_cache_verify", (function*)api->cache_verify, (function*)tenon_cache_verify);
  check("tenon_cache_export", (function*)api->cache_export, (function*)tenon_cache_export);
  check("tenon_cache_import", (function*)api->cache_import, (function*)tenon_cache_import);
  check("tenon_cache_clear", (function*)api->cache_clear, (function*)tenon_cache_clear);
  check("tenon_kron", (function*)api->kron, (function*)tenon_kron);
  check("tenon_ldl", (function*)api->ldl, (function*)tenon_ldl);
  check("tenon_ldl_solve", (function*)api->ldl_solve, (function*)tenon_ldl_solve);
  check("tenon_program_compile", (function*)api->program_compile, (function*)tenon_program_compile);
  check("tenon_package_pack", (function*)api->package_pack, (function*)tenon_package_pack);
  check("tenon_operation_measure", (function*)api->operation_measure, (function*)tenon_operation_measure);
  check("tenon_operation_tune", (function*)api->operation_tune, (function*)tenon_operation_tune);
  check("tenon_dct", (function*)api->dct, (function*)tenon_dct);
  check("tenon_signing_key_create", (function*)api->signing_key_create, (function*)tenon_signing_key_create);
  check("tenon_signing_key_public", (function*)api->signing_key_public, (function*)tenon_signing_key_public);
  check("tenon_package_sign", (function*)api->package_sign, (function*)tenon_package_sign);
  check("tenon_plugin_load", (function*)api->plugin_load, (function*)tenon_plugin_load);
  check("tenon_tensordot", (function*)api->tensordot, (function*)tenon_tensordot);
  check("tenon_fft_prepare", (function*)api->fft_prepare, (function*)tenon_fft_prepare);
  check("tenon_dct_prepare", (function*)api->dct_prepare, (function*)tenon_dct_prepare);
  check("tenon_convolve", (function*)api->convolve, (function*)tenon_convolve);
  check("tenon_fft_shift", (function*)api->fft_shift, (function*)tenon_fft_shift);
  check("tenon_fft_frequencies", (function*)api->fft_frequencies, (function*)tenon_fft_frequencies);
  check("tenon_fft_fast_length", (function*)api->fft_fast_length, (function*)tenon_fft_fast_length);
  check("tenon_gemv", (function*)api->gemv, (function*)tenon_gemv);
  check("tenon_ger", (function*)api->ger, (function*)tenon_ger);
  check("tenon_axpy", (function*)api->axpy, (function*)tenon_axpy);
  check("tenon_scal", (function*)api->scal, (function*)tenon_scal);
  check("tenon_nrm2", (function*)api->nrm2, (function*)tenon_nrm2);
  check("tenon_syrk", (function*)api->syrk, (function*)tenon_syrk);
  check("tenon_symm", (function*)api->symm, (function*)tenon_symm);
  check("tenon_trmm", (function*)api->trmm, (function*)tenon_trmm);
  check("tenon_trsm", (function*)api->trsm, (function*)tenon_trsm);
  check("tenon_gemm_grouped", (function*)api->gemm_grouped, (function*)tenon_gemm_grouped);
  check("tenon_error_batch_index", (function*)api->error_batch_index, (function*)tenon_error_batch_index);
  check("tenon_array_follow", (function*)api->array_follow, (function*)tenon_array_follow);
  check("tenon_interrupt_set", (function*)api->interrupt_set, (function*)tenon_interrupt_set);
  check("tenon_handle_kind", (function*)api->handle_kind, (function*)tenon_handle_kind);
  check("tenon_retain", (function*)api->retain, (function*)tenon_retain);
  check("tenon_release", (function*)api->release, (function*)tenon_release);
  check("tenon_same", (function*)api->same, (function*)tenon_same);
  check("tenon_cpu_threads_set", (function*)api->cpu_threads_set, (function*)tenon_cpu_threads_set);
  check("tenon_cpu_threads_get", (function*)api->cpu_threads_get, (function*)tenon_cpu_threads_get);
  check("tenon_event_device", (function*)api->event_device, (function*)tenon_event_device);
  check("tenon_buffer_device", (function*)api->buffer_device, (function*)tenon_buffer_device);
  check("tenon_program_device", (function*)api->program_device, (function*)tenon_program_device);
  check("tenon_kernel_program", (function*)api->kernel_program, (function*)tenon_kernel_program);
  check("tenon_kernel_device", (function*)api->kernel_device, (function*)tenon_kernel_device);
  check("tenon_call_kernel", (function*)api->call_kernel, (function*)tenon_call_kernel);
  check("tenon_graph_device", (function*)api->graph_device, (function*)tenon_graph_device);
  check("tenon_symv", (function*)api->symv, (function*)tenon_symv);
  check("tenon_syr", (function*)api->syr, (function*)tenon_syr);
  check("tenon_trmv", (function*)api->trmv, (function*)tenon_trmv);
  check("tenon_trsv", (function*)api->trsv, (function*)tenon_trsv);
  check("tenon_unary", (function*)api->unary, (function*)tenon_unary);
  check("tenon_binary", (function*)api->binary, (function*)tenon_binary);
  check("tenon_select", (function*)api->select, (function*)tenon_select);
  check("tenon_clip", (function*)api->clip, (function*)tenon_clip);
  check("tenon_cast", (function*)api->cast, (function*)tenon_cast);
  check("tenon_reduce", (function*)api->reduce, (function*)tenon_reduce);
  check("tenon_accumulate", (function*)api->accumulate, (function*)tenon_accumulate);
  check("tenon_result_type", (function*)api->result_type, (function*)tenon_result_type);
  check("tenon_random", (function*)api->random, (function*)tenon_random);
  check("tenon_random_blocks", (function*)api->random_blocks, (function*)tenon_random_blocks);
  check("tenon_random_split", (function*)api->random_split, (function*)tenon_random_split);
  check("tenon_random_permutation", (function*)api->random_permutation, (function*)tenon_random_permutation);
  check("tenon_concat", (function*)api->concat, (function*)tenon_concat);
  check("tenon_stack", (function*)api->stack, (function*)tenon_stack);
  check("tenon_tile", (function*)api->tile, (function*)tenon_tile);
  check("tenon_repeat", (function*)api->repeat, (function*)tenon_repeat);
  check("tenon_roll", (function*)api->roll, (function*)tenon_roll);
  check("tenon_pad", (function*)api->pad, (function*)tenon_pad);
  check("tenon_take", (function*)api->take, (function*)tenon_take);
  check("tenon_scatter", (function*)api->scatter, (function*)tenon_scatter);
  check("tenon_nonzero", (function*)api->nonzero, (function*)tenon_nonzero);
  check("tenon_compress", (function*)api->compress, (function*)tenon_compress);
  check("tenon_range", (function*)api->range, (function*)tenon_range);
  check("tenon_eye", (function*)api->eye, (function*)tenon_eye);
  check("tenon_triangle", (function*)api->triangle, (function*)tenon_triangle);
  check("tenon_sort", (function*)api->sort, (function*)tenon_sort);
  check("tenon_top_k", (function*)api->top_k, (function*)tenon_top_k);
  check("tenon_search_sorted", (function*)api->search_sorted, (function*)tenon_search_sorted);
  check("tenon_unique", (function*)api->unique, (function*)tenon_unique);
  check("tenon_bincount", (function*)api->bincount, (function*)tenon_bincount);
  check("tenon_device_allocator", (function*)api->device_allocator, (function*)tenon_device_allocator);
  check("tenon_stream_call_host", (function*)api->stream_call_host, (function*)tenon_stream_call_host);
  check("tenon_event_wrap", (function*)api->event_wrap, (function*)tenon_event_wrap);
  check("tenon_event_native", (function*)api->event_native, (function*)tenon_event_native);
  check("tenon_buffer_create_shared", (function*)api->buffer_create_shared, (function*)tenon_buffer_create_shared);
  check("tenon_buffer_share", (function*)api->buffer_share, (function*)tenon_buffer_share);
  check("tenon_buffer_open", (function*)api->buffer_open, (function*)tenon_buffer_open);
  check("tenon_array_use", (function*)api->array_use, (function*)tenon_array_use);
  check("tenon_call_set_args", (function*)api->call_set_args, (function*)tenon_call_set_args);
  check("tenon_call_set_launch", (function*)api->call_set_launch, (function*)tenon_call_set_launch);
  check("tenon_graph_set_args", (function*)api->graph_set_args, (function*)tenon_graph_set_args);
  check("tenon_graph_set_launch", (function*)api->graph_set_launch, (function*)tenon_graph_set_launch);
  check("tenon_graph_last_node", (function*)api->graph_last_node, (function*)tenon_graph_last_node);
  check("tenon_asum", (function*)api->asum, (function*)tenon_asum);
  check("tenon_iamax", (function*)api->iamax, (function*)tenon_iamax);
  check("tenon_iamin", (function*)api->iamin, (function*)tenon_iamin);
  check("tenon_swap", (function*)api->swap, (function*)tenon_swap);
  check("tenon_rot", (function*)api->rot, (function*)tenon_rot);
  check("tenon_rotg", (function*)api->rotg, (function*)tenon_rotg);
  check("tenon_syr2", (function*)api->syr2, (function*)tenon_syr2);
  check("tenon_gbmv", (function*)api->gbmv, (function*)tenon_gbmv);
  check("tenon_sbmv", (function*)api->sbmv, (function*)tenon_sbmv);
  check("tenon_syr2k", (function*)api->syr2k, (function*)tenon_syr2k);
  check("tenon_geam", (function*)api->geam, (function*)tenon_geam);
  check("tenon_device_limit_memory", (function*)api->device_limit_memory, (function*)tenon_device_limit_memory);
  check("tenon_rotm", (function*)api->rotm, (function*)tenon_rotm);
  check("tenon_rotmg", (function*)api->rotmg, (function*)tenon_rotmg);
  check("tenon_tbmv", (function*)api->tbmv, (function*)tenon_tbmv);
  check("tenon_tbsv", (function*)api->tbsv, (function*)tenon_tbsv);
  check("tenon_elementwise_compose", (function*)api->elementwise_compose, (function*)tenon_elementwise_compose);
  check("tenon_texture_create", (function*)api->texture_create, (function*)tenon_texture_create);
  check("tenon_texture_update", (function*)api->texture_update, (function*)tenon_texture_update);
  check("tenon_texture_read", (function*)api->texture_read, (function*)tenon_texture_read);
  check("tenon_texture_get_info", (function*)api->texture_get_info, (function*)tenon_texture_get_info);
  check("tenon_texture_device", (function*)api->texture_device, (function*)tenon_texture_device);
  check("tenon_texture_retain", (function*)api->texture_retain, (function*)tenon_texture_retain);
  check("tenon_texture_release", (function*)api->texture_release, (function*)tenon_texture_release);
  check("tenon_kernel_prefer_shared", (function*)api->kernel_prefer_shared, (function*)tenon_kernel_prefer_shared);
  printf("%d of 314 rows are wrong\n", wrong);
  return wrong != 0;
}
