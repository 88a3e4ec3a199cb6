// tests/numbers.hpp: arrays of any floating dtype and layout for the tests of operations, with their values as
// std::complex<double>, so that a reference is written once and plainly.
#pragma once
#include <complex>
#include <random>
#include "base/half.hpp"
#include "support.hpp"

namespace test {

using Complex = std::complex<double>;

inline bool is_complex(uint32_t dtype) { return (dtype & 0xff) == 5; }
inline int64_t bytes_of(uint32_t dtype) { return (dtype >> 8 & 0xff) / 8; }

// The distance from 1 to the next number.
inline double epsilon(uint32_t dtype) {
  switch (dtype) {
    case TENON_FLOAT16: return 0x1p-10;
    case TENON_BFLOAT16: return 0x1p-7;
    case TENON_FLOAT32:
    case TENON_COMPLEX64: return 0x1p-23;
    default: return 0x1p-52;
  }
}

inline void encode(uint32_t dtype, Complex x, unsigned char* out) {
  const auto put = [&](auto... parts) {
    const decltype(std::common_type_t<decltype(parts)...>()) values[] = {parts...};
    std::memcpy(out, values, sizeof values);
  };
  switch (dtype) {
    case TENON_FLOAT16: return put(tenon::base::double_to_half(x.real()));
    case TENON_BFLOAT16: return put(tenon::base::double_to_bfloat(x.real()));
    case TENON_FLOAT32: return put(float(x.real()));
    case TENON_FLOAT64: return put(x.real());
    case TENON_COMPLEX64: return put(float(x.real()), float(x.imag()));
    default: return put(x.real(), x.imag());
  }
}

inline Complex decode(uint32_t dtype, const unsigned char* p) {
  const auto get = [&]<class T>(T x, int i) {
    std::memcpy(&x, p + i * sizeof x, sizeof x);
    return x;
  };
  switch (dtype) {
    case TENON_FLOAT16: return tenon::base::half_to_float(get(uint16_t(), 0));
    case TENON_BFLOAT16: return tenon::base::bfloat_to_float(get(uint16_t(), 0));
    case TENON_FLOAT32: return double(get(float(), 0));
    case TENON_FLOAT64: return get(double(), 0);
    case TENON_COMPLEX64: return {get(float(), 0), get(float(), 1)};
    default: return {get(double(), 0), get(double(), 1)};
  }
}

// A view with the given strides of its own memory, and a host copy of that memory.
class Numbers {
 public:
  // strides empty: C order. Values are random in [-1, 1] and exactly representable.
  Numbers(tenon_device* device, uint32_t dtype, std::vector<int64_t> shape, std::vector<int64_t> strides, uint64_t seed)
      : dtype_(dtype), shape_(std::move(shape)), strides_(std::move(strides)) {
    if (strides_.empty()) {
      strides_.resize(shape_.size());
      for (size_t i = shape_.size(), step = 1; i-- > 0; step *= size_t(std::max<int64_t>(shape_[i], 1)))
        strides_[i] = int64_t(step);
    }
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < shape_.size(); ++i)
      if (shape_[i] > 0) (strides_[i] < 0 ? low : high) += strides_[i] * (shape_[i] - 1);
    first_ = 3 - low;
    memory_.resize(size_t((first_ + high + 4) * bytes_of(dtype)));
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> in(-1, 1);
    for (size_t i = 0; i < memory_.size(); i += size_t(bytes_of(dtype)))
      encode(dtype, {in(random), in(random)}, &memory_[i]);
    const int64_t count = int64_t(memory_.size()) / bytes_of(dtype);
    tenon_array *all = nullptr, *view = nullptr;
    tenon_buffer* buffer = nullptr;
    EXPECT_OK(tenon_array_from_host(device, dtype, 1, &count, memory_.data(), memory_.size(), nullptr, &all));
    all_.reset(all);
    EXPECT_OK(tenon_array_buffer(all, &buffer));
    EXPECT_OK(tenon_array_from_buffer(buffer, dtype, int32_t(shape_.size()), shape_.data(), strides_.data(),
                                      uint64_t(first_ * bytes_of(dtype)), &view));
    tenon_buffer_release(buffer);
    view_.reset(view);
  }

  tenon_array* get() const { return view_.get(); }
  const std::vector<int64_t>& shape() const { return shape_; }
  uint32_t dtype() const { return dtype_; }

  // The value at an index, as generated or last fetched.
  Complex at(const std::vector<int64_t>& index) const {
    int64_t offset = first_;
    for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides_[i];
    return decode(dtype_, &memory_[size_t(offset * bytes_of(dtype_))]);
  }
  void set(const std::vector<int64_t>& index, Complex x) {
    int64_t offset = first_;
    for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides_[i];
    encode(dtype_, x, &memory_[size_t(offset * bytes_of(dtype_))]);
  }
  void push() { EXPECT_OK(tenon_array_set_from_host(all_.get(), memory_.data(), memory_.size(), nullptr)); }
  void fetch() { EXPECT_OK(tenon_array_to_host(all_.get(), memory_.data(), memory_.size(), nullptr)); }

 private:
  uint32_t dtype_;
  std::vector<int64_t> shape_, strides_;
  int64_t first_ = 0;
  std::vector<unsigned char> memory_;
  ArrayPtr all_, view_;
};

// Every index of a shape, last axis fastest.
template <class F> void each_index(const std::vector<int64_t>& shape, F&& f) {
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t extent : shape)
    if (extent == 0) return;
  for (;;) {
    f(index);
    size_t i = shape.size();
    while (i-- > 0) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
    if (i == size_t(-1)) return;
  }
}

// The elements of an array in C order.
inline std::vector<Complex> values(tenon_array* array) {
  const tenon_array_info i = info(array);
  std::vector<unsigned char> bytes(i.bytes);
  EXPECT_OK(tenon_array_to_host(array, bytes.data(), bytes.size(), nullptr));
  std::vector<Complex> out;
  for (uint64_t at = 0; at < i.bytes; at += uint64_t(bytes_of(i.dtype))) out.push_back(decode(i.dtype, &bytes[at]));
  return out;
}

// The names of the devices that operations are tested on.
inline std::vector<const char*> device_names() {
  std::vector<const char*> names = {"cpu:0"};
  if (device("cuda:0")) names.push_back("cuda:0");
  return names;
}

class OnDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device(GetParam());
    ASSERT_TRUE(device_) << tenon_error_last_message();
  }
  DevicePtr device_;
};

inline std::string device_label(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  name.erase(name.find(':'), 1);
  return name;
}

#define ON_EVERY_DEVICE(suite) \
  INSTANTIATE_TEST_SUITE_P(, suite, testing::ValuesIn(test::device_names()), test::device_label)

}  // namespace test
