// backend/cuda/vendor/check_headers.cpp: compares every prototype, value and struct that Tenon declares with the
// vendors' headers.
//
// Compiled only where those headers are installed; it produces no code. Handles are opaque pointers and enumerations
// are int here, so parameters are compared by kind, size and sign.
#include <cstddef>
#include <type_traits>
#include "backend/cuda/vendor/symbols.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>
#define TENON_HAS_CUDA 1
#endif
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define TENON_HAS_NVRTC 1
#endif
#if __has_include(<nvJitLink.h>)
#include <nvJitLink.h>
#define TENON_HAS_NVJITLINK 1
#endif
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define TENON_HAS_CUBLAS 1
#endif
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define TENON_HAS_CUBLASLT 1
#endif
#if __has_include(<cufftXt.h>)
#include <cufftXt.h>
#define TENON_HAS_CUFFT 1
#endif
#if __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
#define TENON_HAS_CUSOLVER 1
#endif
#if __has_include(<cusparse.h>)
#include <cusparse.h>
#define TENON_HAS_CUSPARSE 1
#endif

namespace tenon::cuda::check {

template <class T> constexpr int kind_of() {
  if constexpr (std::is_void_v<T>) return 0;
  else if constexpr (std::is_pointer_v<T>) return 1;
  else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) return 2;
  else if constexpr (std::is_floating_point_v<T>) return 3;
  else return 4;
}

template <class A, class B> constexpr bool same_type() {
  if constexpr (std::is_void_v<A> || std::is_void_v<B>) return std::is_void_v<A> && std::is_void_v<B>;
  else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>)
    return sizeof(A) == sizeof(B) && std::is_signed_v<A> == std::is_signed_v<B>;
  else return kind_of<A>() == kind_of<B>() && sizeof(A) == sizeof(B);
}

// A pointer to one scalar type must not become a pointer to another.
template <class A, class B> constexpr bool same_parameter() {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    using X = std::remove_cv_t<std::remove_pointer_t<A>>;
    using Y = std::remove_cv_t<std::remove_pointer_t<B>>;
    if constexpr ((std::is_arithmetic_v<X> || std::is_enum_v<X>) && (std::is_arithmetic_v<Y> || std::is_enum_v<Y>))
      return same_type<X, Y>();
    else return true;
  } else {
    return same_type<A, B>();
  }
}

template <class A, class B> struct Match : std::false_type {};
template <class R, class... A, class S, class... B>
  requires(sizeof...(A) == sizeof...(B))
struct Match<R (*)(A...), S(B...)> : std::bool_constant<same_type<R, S>() && (same_parameter<A, B>() && ...)> {};

}  // namespace tenon::cuda::check

#define TENON_CHECK_SYMBOL(result, name, symbol, parameters, since)          \
  namespace tenon::cuda {                                                    \
  static_assert(check::Match<decltype(&::symbol), result parameters>::value, \
                "prototype of " #symbol " is not the vendor's");             \
  }
#define TENON_CHECK_CONSTANT(name, value)                                      \
  static_assert(static_cast<long long>(name) == static_cast<long long>(value), \
                "value of " #name " is not the vendor's");

#if TENON_HAS_CUDA
#if CUDA_VERSION >= 13000
// Still exported; the header only declares the version with edge data.
extern "C" CUresult cuStreamGetCaptureInfo_v2(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                              const CUgraphNode**, size_t*);
#endif
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/driver.inc"

#define SAME_SIZE(type) static_assert(sizeof(::type) == sizeof(tenon::cuda::type), "size of " #type)
#define SAME_FIELD(type, field) \
  static_assert(offsetof(::type, field) == offsetof(tenon::cuda::type, field), "offset of " #type "." #field)
static_assert(sizeof(::CUdeviceptr) == sizeof(tenon::cuda::CUdeviceptr));
SAME_SIZE(CUmemLocation);
SAME_FIELD(CUmemLocation, type);
SAME_FIELD(CUmemLocation, id);
SAME_SIZE(CUmemPoolProps);
SAME_FIELD(CUmemPoolProps, allocType);
SAME_FIELD(CUmemPoolProps, handleTypes);
SAME_FIELD(CUmemPoolProps, location);
SAME_FIELD(CUmemPoolProps, win32SecurityAttributes);
SAME_FIELD(CUmemPoolProps, maxSize);
SAME_SIZE(CUmemAccessDesc);
SAME_FIELD(CUmemAccessDesc, location);
SAME_FIELD(CUmemAccessDesc, flags);
SAME_SIZE(CUlaunchAttribute);
SAME_FIELD(CUlaunchAttribute, id);
SAME_FIELD(CUlaunchAttribute, value);
static_assert(sizeof(::CUlaunchAttribute::value) == sizeof(tenon::cuda::CUlaunchAttribute::value));
SAME_SIZE(CUlaunchConfig);
SAME_FIELD(CUlaunchConfig, gridDimX);
SAME_FIELD(CUlaunchConfig, blockDimZ);
SAME_FIELD(CUlaunchConfig, sharedMemBytes);
SAME_FIELD(CUlaunchConfig, hStream);
SAME_FIELD(CUlaunchConfig, attrs);
SAME_FIELD(CUlaunchConfig, numAttrs);
SAME_SIZE(CUDA_KERNEL_NODE_PARAMS);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, func);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimX);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimZ);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, kernelParams);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, extra);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, kern);
SAME_FIELD(CUDA_KERNEL_NODE_PARAMS, ctx);
SAME_SIZE(CUDA_MEMCPY2D);
SAME_FIELD(CUDA_MEMCPY2D, srcHost);
SAME_FIELD(CUDA_MEMCPY2D, srcDevice);
SAME_FIELD(CUDA_MEMCPY2D, srcPitch);
SAME_FIELD(CUDA_MEMCPY2D, dstHost);
SAME_FIELD(CUDA_MEMCPY2D, dstDevice);
SAME_FIELD(CUDA_MEMCPY2D, dstPitch);
SAME_FIELD(CUDA_MEMCPY2D, WidthInBytes);
SAME_FIELD(CUDA_MEMCPY2D, Height);
SAME_SIZE(CUDA_MEMCPY3D);
SAME_FIELD(CUDA_MEMCPY3D, srcMemoryType);
SAME_FIELD(CUDA_MEMCPY3D, srcDevice);
SAME_FIELD(CUDA_MEMCPY3D, srcArray);
SAME_FIELD(CUDA_MEMCPY3D, srcPitch);
SAME_FIELD(CUDA_MEMCPY3D, srcHeight);
SAME_FIELD(CUDA_MEMCPY3D, dstMemoryType);
SAME_FIELD(CUDA_MEMCPY3D, dstDevice);
SAME_FIELD(CUDA_MEMCPY3D, dstArray);
SAME_FIELD(CUDA_MEMCPY3D, dstPitch);
SAME_FIELD(CUDA_MEMCPY3D, dstHeight);
SAME_FIELD(CUDA_MEMCPY3D, WidthInBytes);
SAME_FIELD(CUDA_MEMCPY3D, Depth);
SAME_SIZE(CUDA_ARRAY3D_DESCRIPTOR);
SAME_FIELD(CUDA_ARRAY3D_DESCRIPTOR, Format);
SAME_FIELD(CUDA_ARRAY3D_DESCRIPTOR, NumChannels);
SAME_FIELD(CUDA_ARRAY3D_DESCRIPTOR, Flags);
SAME_SIZE(CUDA_RESOURCE_DESC);
SAME_FIELD(CUDA_RESOURCE_DESC, res);
SAME_FIELD(CUDA_RESOURCE_DESC, res.linear.devPtr);
SAME_FIELD(CUDA_RESOURCE_DESC, res.linear.numChannels);
SAME_FIELD(CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
SAME_FIELD(CUDA_RESOURCE_DESC, res.pitch2D.width);
SAME_FIELD(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
SAME_FIELD(CUDA_RESOURCE_DESC, flags);
SAME_SIZE(CUDA_TEXTURE_DESC);
SAME_FIELD(CUDA_TEXTURE_DESC, filterMode);
SAME_FIELD(CUDA_TEXTURE_DESC, flags);
SAME_FIELD(CUDA_TEXTURE_DESC, borderColor);
#undef SAME_SIZE
#undef SAME_FIELD
#endif

#if TENON_HAS_NVRTC
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/nvrtc.inc"
#endif

#if TENON_HAS_NVJITLINK
// The header renames its functions to versioned ones; the plain names are exported, too.
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/nvjitlink.inc"
#endif

#if TENON_HAS_CUBLAS
// The C++ header overloads these three; the address of the C function is selected by its exact type.
using ExactGemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                     const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                     cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
using ExactBatched = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                        const void*, const void*, cudaDataType, int, long long int, const void*,
                                        cudaDataType, int, long long int, const void*, void*, cudaDataType, int,
                                        long long int, int, cublasComputeType_t, cublasGemmAlgo_t);
using ExactListed = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                       const void* const*, cudaDataType, int, const void* const*, cudaDataType, int,
                                       const void*, void* const*, cudaDataType, int, int, cublasComputeType_t,
                                       cublasGemmAlgo_t);
[[maybe_unused]] const ExactGemm exact_gemm = &cublasGemmEx;
[[maybe_unused]] const ExactBatched exact_batched = &cublasGemmStridedBatchedEx;
[[maybe_unused]] const ExactListed exact_listed = &cublasGemmBatchedEx;
extern std::remove_pointer_t<ExactGemm> cublasGemmEx_exact;
extern std::remove_pointer_t<ExactBatched> cublasGemmStridedBatchedEx_exact;
extern std::remove_pointer_t<ExactListed> cublasGemmBatchedEx_exact;
#define cublasGemmEx cublasGemmEx_exact
#define cublasGemmBatchedEx cublasGemmBatchedEx_exact
#define cublasGemmStridedBatchedEx cublasGemmStridedBatchedEx_exact
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/cublas.inc"
#endif

#if TENON_HAS_CUBLASLT
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/cublaslt.inc"
static_assert(sizeof(::cublasLtMatmulAlgo_t) == sizeof(tenon::cuda::cublasLtMatmulAlgo_t));
static_assert(sizeof(::cublasLtMatmulHeuristicResult_t) == sizeof(tenon::cuda::cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(::cublasLtMatmulHeuristicResult_t, workspaceSize) ==
              offsetof(tenon::cuda::cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(::cublasLtMatmulHeuristicResult_t, state) ==
              offsetof(tenon::cuda::cublasLtMatmulHeuristicResult_t, state));
#endif

#if TENON_HAS_CUFFT
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/cufft.inc"
#endif

#if TENON_HAS_CUSOLVER
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/cusolver.inc"
#endif

#if TENON_HAS_CUSPARSE
#define TENON_SYMBOL(...) TENON_CHECK_SYMBOL(__VA_ARGS__)
#define TENON_CONSTANT(...) TENON_CHECK_CONSTANT(__VA_ARGS__)
#include "backend/cuda/vendor/cusparse.inc"
#endif
