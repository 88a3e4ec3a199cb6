// tests/support.hpp: what the C++ tests share: checked calls, owning pointers, host copies.
#pragma once
#include <gtest/gtest.h>
#include <tenon/tenon.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "arguments.hpp"

#define OK(call) ASSERT_EQ(TENON_OK, (call)) << tenon_error_last_message()
#define EXPECT_OK(call) EXPECT_EQ(TENON_OK, (call)) << tenon_error_last_message()
// The call must fail with this status, and its text must contain this part.
#define FAILS(status, part, call)                                                                                   \
  do {                                                                                                              \
    EXPECT_EQ(status, (call)) << tenon_error_last_message();                                                        \
    EXPECT_NE(std::string(tenon_error_last_message()).find(part), std::string::npos) << tenon_error_last_message(); \
  } while (0)

namespace test {

template <class T, void (*Release)(T*)> struct Releaser {
  void operator()(T* handle) const { Release(handle); }
};
using ContextPtr = std::unique_ptr<tenon_context, Releaser<tenon_context, tenon_context_release>>;
using DevicePtr = std::unique_ptr<tenon_device, Releaser<tenon_device, tenon_device_release>>;
using StreamPtr = std::unique_ptr<tenon_stream, Releaser<tenon_stream, tenon_stream_release>>;
using EventPtr = std::unique_ptr<tenon_event, Releaser<tenon_event, tenon_event_release>>;
using BufferPtr = std::unique_ptr<tenon_buffer, Releaser<tenon_buffer, tenon_buffer_release>>;
using ArrayPtr = std::unique_ptr<tenon_array, Releaser<tenon_array, tenon_array_release>>;
using ProgramPtr = std::unique_ptr<tenon_program, Releaser<tenon_program, tenon_program_release>>;
using KernelPtr = std::unique_ptr<tenon_kernel, Releaser<tenon_kernel, tenon_kernel_release>>;
using CallPtr = std::unique_ptr<tenon_call, Releaser<tenon_call, tenon_call_release>>;
using ErrorPtr = std::unique_ptr<tenon_error, Releaser<tenon_error, tenon_error_release>>;
using BlobPtr = std::unique_ptr<tenon_blob, Releaser<tenon_blob, tenon_blob_release>>;

inline DevicePtr device(const char* name, tenon_context* context = nullptr) {
  tenon_device* out = nullptr;
  tenon_context_device(context, name, &out);
  return DevicePtr(out);
}

// Whether a text did not compile because this machine's CUDA lacks a header that the text includes: PyTorch's wheels,
// for example, bring a part of the headers. On the CPU all are there.
inline bool lacks_headers(int32_t status) {
  return status == TENON_ERROR_COMPILE &&
         std::strstr(tenon_error_last_message(), " was not found: install the pip package ") != nullptr;
}

inline tenon_array_info info(const tenon_array* array) {
  tenon_array_info out{};
  out.struct_size = sizeof(out);
  EXPECT_OK(tenon_array_get_info(array, &out));
  return out;
}

inline std::vector<int64_t> shape(const tenon_array* array) {
  const tenon_array_info i = info(array);
  return {i.shape, i.shape + i.rank};
}
inline std::vector<int64_t> strides(const tenon_array* array) {
  const tenon_array_info i = info(array);
  return {i.strides, i.strides + i.rank};
}

// A new array of int32 counting from 0.
inline ArrayPtr counting(tenon_device* device, std::vector<int64_t> shape) {
  int64_t size = 1;
  for (int64_t n : shape) size *= n;
  std::vector<int32_t> values(static_cast<size_t>(size));
  std::iota(values.begin(), values.end(), 0);
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_from_host(device, TENON_INT32, int32_t(shape.size()), shape.data(), values.data(),
                                  values.size() * 4, nullptr, &out));
  return ArrayPtr(out);
}

template <class T> std::vector<T> values(const tenon_array* array) {
  const tenon_array_info i = info(array);
  std::vector<T> out(static_cast<size_t>(i.size));
  EXPECT_EQ(i.bytes, out.size() * sizeof(T));
  EXPECT_OK(tenon_array_to_host(array, out.data(), i.bytes, nullptr));
  return out;
}

}  // namespace test
