// tests/gpu/gpu.hpp: what the tests that need a GPU share: the device, strided arrays with host twins, random numbers.
#pragma once
#include <complex>
#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "support.hpp"

namespace gpu {

using namespace test;

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = device("cuda:0");
    if (!device_) GTEST_SKIP() << "no GPU: " << tenon_error_last_message();
  }
  int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  DevicePtr device_;
  std::mt19937_64 random_{20260};
};

// A strided view of a buffer, described in bytes, with a host copy of the whole buffer.
struct Layout {
  std::vector<int64_t> shape, strides;  // strides in elements
  uint64_t offset = 0;                  // of element 0, in bytes
  uint64_t bytes = 0;                   // of the buffer
};

inline int64_t product(const std::vector<int64_t>& v) {
  int64_t n = 1;
  for (int64_t x : v) n *= x;
  return n;
}

inline std::vector<int64_t> c_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> out(shape.size());
  int64_t s = 1;
  for (size_t i = shape.size(); i-- > 0; s *= shape[i]) out[i] = s;
  return out;
}

inline Layout contiguous(std::vector<int64_t> shape, uint32_t element) {
  return {shape, c_strides(shape), 0, uint64_t(product(shape)) * element};
}

// Calls body(byte offset in each layout's buffer) for every index.
inline void each(const Layout& a, uint32_t a_bytes, const Layout& b, uint32_t b_bytes,
                 const std::function<void(uint64_t, uint64_t)>& body) {
  std::function<void(size_t, int64_t, int64_t)> walk = [&](size_t axis, int64_t x, int64_t y) {
    if (axis == a.shape.size()) return body(uint64_t(int64_t(a.offset) + x), uint64_t(int64_t(b.offset) + y));
    for (int64_t i = 0; i < a.shape[axis]; ++i)
      walk(axis + 1, x + i * a.strides[axis] * a_bytes, y + i * b.strides[axis] * b_bytes);
  };
  walk(0, 0, 0);
}

inline std::string text(const Layout& l) {
  std::string out = "shape (";
  for (int64_t n : l.shape) out += std::to_string(n) + " ";
  out += ") strides (";
  for (int64_t n : l.strides) out += std::to_string(n) + " ";
  return out + ") offset " + std::to_string(l.offset);
}

// Device memory with the bytes of `host`, and a view of it.
struct Placed {
  BufferPtr buffer;
  ArrayPtr array;
};

inline Placed place(tenon_device* device, uint32_t dtype, const Layout& layout,
                    const std::vector<unsigned char>& host) {
  Placed out;
  tenon_buffer* buffer = nullptr;
  EXPECT_OK(tenon_buffer_create(device, host.size(), TENON_MEMORY_DEVICE, nullptr, &buffer));
  out.buffer.reset(buffer);
  const int64_t n = int64_t(host.size()), one = 1;
  tenon_array* bytes = nullptr;
  EXPECT_OK(tenon_array_from_buffer(buffer, TENON_UINT8, 1, &n, &one, 0, &bytes));
  ArrayPtr whole(bytes);
  EXPECT_OK(tenon_array_set_from_host(bytes, host.data(), host.size(), nullptr));
  tenon_array* view = nullptr;
  EXPECT_OK(tenon_array_from_buffer(buffer, dtype, int32_t(layout.shape.size()), layout.shape.data(),
                                    layout.strides.data(), layout.offset, &view));
  out.array.reset(view);
  return out;
}

inline std::vector<unsigned char> read_back(const Placed& placed, uint64_t size) {
  std::vector<unsigned char> out(size);
  const int64_t n = int64_t(size), one = 1;
  tenon_array* bytes = nullptr;
  EXPECT_OK(tenon_array_from_buffer(placed.buffer.get(), TENON_UINT8, 1, &n, &one, 0, &bytes));
  ArrayPtr whole(bytes);
  EXPECT_OK(tenon_array_to_host(bytes, out.data(), size, nullptr));
  return out;
}

inline ArrayPtr zeros(tenon_device* device, uint32_t dtype, std::vector<int64_t> shape) {
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_zeros(device, dtype, int32_t(shape.size()), shape.data(), nullptr, &out));
  return ArrayPtr(out);
}

inline ArrayPtr upload(tenon_device* device, uint32_t dtype, std::vector<int64_t> shape, const void* data,
                       uint64_t bytes) {
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_from_host(device, dtype, int32_t(shape.size()), shape.data(), data, bytes, nullptr, &out));
  return ArrayPtr(out);
}

inline ArrayPtr transposed(const ArrayPtr& a, std::vector<int32_t> axes) {
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_transpose(a.get(), int32_t(axes.size()), axes.data(), &out));
  return ArrayPtr(out);
}

inline ArrayPtr converted(const ArrayPtr& a, uint32_t dtype) {
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_convert(a.get(), dtype, nullptr, nullptr, &out));
  return ArrayPtr(out);
}

// Complex double values of any array, converted on the device.
inline std::vector<std::complex<double>> complex_values(const ArrayPtr& a) {
  return values<std::complex<double>>(converted(a, TENON_COMPLEX128).get());
}

}  // namespace gpu
