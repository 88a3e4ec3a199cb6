/* abi/torch/check_headers.cpp: compares shim.hpp with the headers of the PyTorch that is installed, as they are
 * for 2.9, and for lists 2.10. It is compiled only where they are, and contributes nothing to the library. */
#include <torch/headeronly/version.h>
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR > 9
#define TORCH_TARGET_VERSION ((2ULL << 56) | (10ULL << 48))
#define TENON_HAS_NEWER
#else
#define TORCH_TARGET_VERSION ((2ULL << 56) | (9ULL << 48))
#endif
#define USE_CUDA
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/c/shim.h>

#include <type_traits>

#include "shim.hpp"

namespace tenon_torch {

// Handles are pointers to incomplete classes there, and void* here.
template <class T> struct Plain {
  using type = T;
};
template <class T>
  requires std::is_class_v<T>
struct Plain<T*> {
  using type = void*;
};
template <class T>
  requires std::is_class_v<T>
struct Plain<T**> {
  using type = void**;
};
template <class> struct Same;
template <class Result, class... Arguments> struct Same<Result(Arguments...)> {
  using type = Result(typename Plain<Arguments>::type...);
};

#define TENON_CHECK(name, result, parameters) \
  static_assert(std::is_same_v<Same<decltype(::aoti_torch_##name)>::type, result parameters>);
TENON_TORCH_FUNCTIONS(TENON_CHECK)
TENON_TORCH_CUDA_FUNCTIONS(TENON_CHECK)
#ifdef TENON_HAS_NEWER
#define TENON_CHECK_NEWER(name, result, parameters) \
  static_assert(std::is_same_v<Same<decltype(::torch_##name)>::type, result parameters>);
TENON_TORCH_NEWER_FUNCTIONS(TENON_CHECK_NEWER)
#endif
#define TENON_CHECK_DTYPE(theirs, ours) static_assert(std::is_same_v<decltype(::aoti_torch_dtype_##theirs), int32_t()>);
TENON_TORCH_DTYPES(TENON_CHECK_DTYPE)

}  // namespace tenon_torch
