/* abi/torch/shim.hpp: what is used of the C functions of LibTorch's stable interface, in our own words.
 * check_headers.cpp compares the prototypes with PyTorch's headers where those are installed. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tenon_torch {

using Value = uint64_t;  // a StableIValue: a number, or the address of a tensor's handle or of an optional's value
using Handle = void*;    // an AtenTensorHandle: one reference to a tensor
using LibraryHandle = void*;
using Kernel = void (*)(Value* stack, uint64_t arguments, uint64_t results);

/* Keeps the text for tenon_torch_message, and returns the status. */
int32_t fail(int32_t status, std::string text);

constexpr uint64_t newer_version = (2ull << 56) | (10ull << 48);

// clang-format off: it takes the rows for an expression

// Rows of (name without "aoti_torch_", result, parameters). Those that return int32_t return 0 on success, except for
// the getters of dtypes and device types.
#define TENON_TORCH_FUNCTIONS(row)                                                                                   \
  row(library_init_impl, int32_t, (const char*, const char*, const char*, uint32_t, LibraryHandle*))                 \
  row(library_init_fragment, int32_t, (const char*, const char*, uint32_t, LibraryHandle*))                          \
  row(library_impl, int32_t, (LibraryHandle, const char*, Kernel))                                                   \
  row(library_def, int32_t, (LibraryHandle, const char*))                                                            \
  row(delete_library_object, int32_t, (LibraryHandle))                                                               \
  row(delete_tensor_object, int32_t, (Handle))                                                                       \
  row(get_data_ptr, int32_t, (Handle, void**))                                                                       \
  row(get_dim, int32_t, (Handle, int64_t*))                                                                          \
  row(get_sizes, int32_t, (Handle, int64_t**))                                                                       \
  row(get_strides, int32_t, (Handle, int64_t**))                                                                     \
  row(get_dtype, int32_t, (Handle, int32_t*))                                                                        \
  row(get_device_type, int32_t, (Handle, int32_t*))                                                                  \
  row(get_device_index, int32_t, (Handle, int32_t*))                                                                 \
  row(empty_strided, int32_t,                                                                                        \
      (int64_t, const int64_t*, const int64_t*, int32_t, int32_t, int32_t, Handle*))                                 \
  row(check, void, (bool, const char*, const char*, uint32_t, const char*))                                          \
  row(device_type_cpu, int32_t, ())                                                                                  \
  row(device_type_cuda, int32_t, ())

// The same without "aoti_", since PyTorch 2.10: lists and texts. The version is that of the interface, as below.
#define TENON_TORCH_NEWER_FUNCTIONS(row)                                                                              \
  row(library_impl, int32_t, (LibraryHandle, const char*, Kernel, uint64_t version))                                 \
  row(list_size, int32_t, (Handle, size_t*))                                                                         \
  row(list_get_item, int32_t, (Handle, size_t, Value*))                                                              \
  row(delete_list, int32_t, (Handle))                                                                                \
  row(string_length, int32_t, (Handle, size_t*))                                                                     \
  row(string_c_str, int32_t, (Handle, const char**))                                                                 \
  row(delete_string, int32_t, (Handle))

// The same in LibTorch's part for CUDA. Those of memory act on the current device, and on its current stream.
#define TENON_TORCH_CUDA_FUNCTIONS(row)                                                                              \
  row(get_current_cuda_stream, int32_t, (int32_t, void**))                                                           \
  row(create_cuda_stream_guard, int32_t, (void*, int32_t, void**))                                                   \
  row(delete_cuda_stream_guard, int32_t, (void*))                                                                    \
  row(cuda_caching_allocator_raw_alloc, int32_t, (uint64_t, void**))                                                 \
  row(cuda_caching_allocator_raw_delete, int32_t, (void*))

// Rows of (PyTorch's name, Tenon's).
#define TENON_TORCH_DTYPES(row)                                                                                      \
  row(bool, BOOL) row(uint8, UINT8) row(uint16, UINT16) row(uint32, UINT32) row(uint64, UINT64) row(int8, INT8)      \
  row(int16, INT16) row(int32, INT32) row(int64, INT64) row(float16, FLOAT16) row(bfloat16, BFLOAT16)                \
  row(float32, FLOAT32) row(float64, FLOAT64) row(complex32, COMPLEX32) row(complex64, COMPLEX64)                    \
  row(complex128, COMPLEX128) row(float8_e4m3fn, FLOAT8_E4M3FN) row(float8_e4m3fnuz, FLOAT8_E4M3FNUZ)                \
  row(float8_e5m2, FLOAT8_E5M2) row(float8_e5m2fnuz, FLOAT8_E5M2FNUZ)

// clang-format on

/* The functions of LibTorch's part for CUDA. */
struct CudaTorch {
#define TENON_MEMBER(name, result, parameters) result(*name) parameters = nullptr;
  TENON_TORCH_CUDA_FUNCTIONS(TENON_MEMBER)
#undef TENON_MEMBER
};
/* That of this process. NULL: there is none, and *missing says so; once it has been found, missing may be NULL. */
const CudaTorch* cuda_torch(std::string* missing);

}  // namespace tenon_torch
