// Arrays of more than 2^31 elements on the GPU, looked at in places.
#include "gpu.hpp"

using namespace gpu;

namespace {

constexpr int64_t kHuge = (int64_t(1) << 31) + 7;

class Large : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    tenon_device_info d{};
    d.struct_size = sizeof(d);
    OK(tenon_device_get_info(device_.get(), &d));
    if (d.free_memory < uint64_t(20) << 30)
      GTEST_SKIP() << "needs 20 GiB of free device memory, there are " << (d.free_memory >> 30);
  }
  ArrayPtr create(uint32_t dtype, std::vector<int64_t> shape) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_create(device_.get(), dtype, int32_t(shape.size()), shape.data(), nullptr, &out));
    return ArrayPtr(out);
  }
  static uint8_t pattern(int64_t i) { return uint8_t((uint64_t(i) * 0x9e3779b97f4a7c15u) >> 56); }
  std::vector<uint8_t> pattern_bytes() {
    std::vector<uint8_t> out(static_cast<size_t>(kHuge));
    for (int64_t i = 0; i < kHuge; ++i) out[size_t(i)] = pattern(i);
    return out;
  }
  // 1000 elements of a flat array from `first` on.
  template <class T> std::vector<T> piece(const ArrayPtr& a, int64_t first) {
    const int64_t last = first + 1000;
    tenon_array* view = nullptr;
    EXPECT_OK(tenon_array_slice(a.get(), 1, &first, &last, nullptr, &view));
    return values<T>(ArrayPtr(view).get());
  }
  std::vector<int64_t> places() {
    std::vector<int64_t> out{0, (int64_t(1) << 31) - 1000, kHuge - 1000, (int64_t(1) << 30) - 500};
    for (int i = 0; i < 20; ++i) out.push_back(pick(0, kHuge - 1000));
    return out;
  }
};

TEST_F(Large, BytesAreCopiedConvertedAndReversed) {
  const auto host = pattern_bytes();
  ArrayPtr a = upload(device_.get(), TENON_UINT8, {kHuge}, host.data(), host.size());
  ArrayPtr b = create(TENON_UINT8, {kHuge});
  OK(tenon_array_copy(b.get(), a.get(), nullptr));
  for (int64_t at : places()) {
    const auto got = piece<uint8_t>(b, at);
    for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(pattern(at + i), got[size_t(i)]) << at + i;
  }
  ArrayPtr wide = create(TENON_FLOAT32, {kHuge});
  OK(tenon_array_copy(wide.get(), a.get(), nullptr));
  for (int64_t at : places()) {
    const auto got = piece<float>(wide, at);
    for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(float(pattern(at + i)), got[size_t(i)]) << at + i;
  }
  const int64_t step = -1;
  tenon_array* backwards = nullptr;
  const int64_t left_out = INT64_MIN;
  OK(tenon_array_slice(a.get(), 1, &left_out, &left_out, &step, &backwards));
  ArrayPtr reversed(backwards);
  OK(tenon_array_copy(b.get(), reversed.get(), nullptr));
  for (int64_t at : places()) {
    const auto got = piece<uint8_t>(b, at);
    for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(pattern(kHuge - 1 - at - i), got[size_t(i)]) << at + i;
  }
}

TEST_F(Large, MatricesAreTransposed) {
  const auto host = pattern_bytes();
  for (const int64_t rows : {int64_t(46341), int64_t(3), int64_t(1) << 29}) {
    const int64_t columns = rows == 46341 ? 46340 : (kHuge - 8) / rows;
    const int64_t count = rows * columns;
    ArrayPtr a = upload(device_.get(), TENON_UINT8, {rows, columns}, host.data(), uint64_t(count));
    ArrayPtr b = create(TENON_UINT8, {columns, rows});
    OK(tenon_array_copy(b.get(), transposed(a, {1, 0}).get(), nullptr));
    tenon_array* flat = nullptr;
    OK(tenon_array_reshape(b.get(), 1, &count, &flat));
    ArrayPtr line(flat);
    for (int64_t at : places()) {
      if (at + 1000 > count) at = count - 1000;
      const auto got = piece<uint8_t>(line, at);
      for (int64_t i = 0; i < 1000; ++i) {
        const int64_t x = (at + i) % rows, y = (at + i) / rows;
        ASSERT_EQ(pattern(x * columns + y), got[size_t(i)]) << rows << " x " << columns << " at " << at + i;
      }
    }
  }
}

TEST_F(Large, FillsReachTheEnd) {
  ArrayPtr a = create(TENON_COMPLEX64, {kHuge});
  OK(tenon_array_fill(a.get(), number(1.5, -2), nullptr));
  for (int64_t at : places())
    for (const auto& x : piece<std::complex<float>>(a, at)) ASSERT_EQ(x, std::complex<float>(1.5f, -2.f)) << at;
}

}  // namespace
