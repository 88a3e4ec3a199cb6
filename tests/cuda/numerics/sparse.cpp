// tests/cuda/numerics/sparse.cpp: products of CSR matrices on a driver and a cuSPARSE that compute on the host: what
// reaches cuSPARSE does there what the CPU does; failing calls leave nothing behind.
#include <tenon/sparse.h>
#include "fake_cuda/control.hpp"
#include "fake_cuda/numerics/cusparse.hpp"
#include "numbers.hpp"

using namespace test;

namespace {

constexpr int64_t kRows = 5, kColumns = 4, kElements = 8;
const int64_t kOffsets[kRows + 1] = {0, 2, 2, 5, 7, 8}, kIndices[kElements] = {0, 3, 1, 2, 3, 0, 0, 2};

class CudaSparse : public testing::Test {
 protected:
  void SetUp() override {
    cpu = device("cpu:0");
    gpu = device("cuda:0");
    ASSERT_TRUE(gpu) << tenon_error_last_message();
    *fake_cusparse() = FakeCusparse();
  }
  void TearDown() override {
    EXPECT_EQ(fake_cuda()->misuses, 0) << fake_cuda()->misuse;
    EXPECT_EQ(fake_cusparse()->misuses, 0) << fake_cusparse()->misuse;
    EXPECT_EQ(fake_cusparse()->descriptors, 0);
  }

  // The matrix on a device.
  struct Matrix {
    ArrayPtr offsets, indices;
    Numbers values;
    Matrix(tenon_device* on, uint32_t dtype, bool wide)
        : offsets(list(on, kOffsets, kRows + 1, wide)),
          indices(list(on, kIndices, kElements, wide)),
          values(on, dtype, {kElements}, {}, 3) {}
    static ArrayPtr list(tenon_device* on, const int64_t* numbers, int64_t count, bool wide) {
      const std::vector<int32_t> narrow(numbers, numbers + count);
      tenon_array* out = nullptr;
      EXPECT_OK(tenon_array_from_host(on, wide ? TENON_INT64 : TENON_INT32, 1, &count,
                                      wide ? static_cast<const void*>(numbers) : narrow.data(),
                                      uint64_t(count) * (wide ? 8 : 4), nullptr, &out));
      return ArrayPtr(out);
    }
    int32_t multiply(tenon_array* b, const tenon_sparse_product_options& options, tenon_array** out) const {
      return tenon_csr_multiply(kColumns, offsets.get(), indices.get(), values.get(), b, &options, nullptr, out);
    }
  };

  // Without a check by kernels, which the fake driver does not run.
  static tenon_sparse_product_options trusted() {
    tenon_sparse_product_options options{};
    options.struct_size = sizeof options;
    options.trusted = 1;
    return options;
  }

  static void expect_equal(Numbers& host, Numbers& there) {
    host.fetch();
    there.fetch();
    each_index(host.shape(), [&](const std::vector<int64_t>& i) {
      const Complex x = host.at(i), y = there.at(i);
      ASSERT_LE(std::abs(x - y), 300 * epsilon(host.dtype()) * (1 + std::abs(x))) << "at " << i[0];
    });
  }

  DevicePtr cpu, gpu;
};

TEST_F(CudaSparse, ProductsAreThoseOfTheCpu) {
  for (const uint32_t dtype : {TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128})
    for (const bool wide : {false, true})
      for (const int64_t width : {0, 1, 3})  // 0: a vector
        for (const bool by_columns : {false, true}) {
          std::vector<int64_t> b_shape{kColumns}, c_shape{kRows}, b_strides, c_strides;
          if (width) b_shape.push_back(width), c_shape.push_back(width);
          if (width && by_columns) b_strides = {1, kColumns + 1}, c_strides = {1, kRows};
          const double factors[] = {0.5, -1.25}, more[] = {-2, 0};
          Numbers c[] = {{cpu.get(), dtype, c_shape, c_strides, 5}, {gpu.get(), dtype, c_shape, c_strides, 5}};
          for (const bool on_gpu : {false, true}) {
            tenon_device* const on = on_gpu ? gpu.get() : cpu.get();
            const Matrix a(on, dtype, wide);
            Numbers b(on, dtype, b_shape, b_strides, 4);
            tenon_arg alpha{}, beta{};
            alpha.kind = beta.kind = TENON_ARG_SCALAR;
            alpha.dtype = beta.dtype = is_complex(dtype) ? TENON_COMPLEX128 : TENON_FLOAT64;
            alpha.size = beta.size = is_complex(dtype) ? 16 : 8;
            memcpy(&alpha.value, factors, alpha.size);
            memcpy(&beta.value, more, beta.size);
            tenon_sparse_product_options options = trusted();
            options.alpha = &alpha, options.beta = &beta;
            tenon_array* out = c[on_gpu].get();
            ASSERT_EQ(a.multiply(b.get(), options, &out), TENON_OK) << tenon_error_last_message();
          }
          expect_equal(c[0], c[1]);
        }
  EXPECT_EQ(fake_cusparse()->vectors + fake_cusparse()->matrices, 4 * 2 * 3 * 2);
  EXPECT_GT(fake_cusparse()->vectors, 0);
  EXPECT_GT(fake_cusparse()->matrices, 0);
}

// Of a matrix with one row both strides may be 1: its elements are dense by columns, and not by rows.
TEST_F(CudaSparse, ASingleRowMayHaveAnyStride) {
  const int64_t offsets[] = {0, 1, 1, 2}, indices[] = {0, 0};
  Numbers c[] = {{cpu.get(), TENON_FLOAT32, {3, 3}, {}, 5}, {gpu.get(), TENON_FLOAT32, {3, 3}, {}, 5}};
  for (const bool on_gpu : {false, true}) {
    tenon_device* const on = on_gpu ? gpu.get() : cpu.get();
    const ArrayPtr rows = Matrix::list(on, offsets, 4, true), columns = Matrix::list(on, indices, 2, true);
    Numbers values(on, TENON_FLOAT32, {2}, {}, 3), b(on, TENON_FLOAT32, {1, 3}, {1, 1}, 4);
    const tenon_sparse_product_options options = trusted();
    tenon_array* out = c[on_gpu].get();
    OK(tenon_csr_multiply(1, rows.get(), columns.get(), values.get(), b.get(), &options, nullptr, &out));
  }
  expect_equal(c[0], c[1]);
  EXPECT_EQ(fake_cusparse()->matrices, 1);
}

TEST_F(CudaSparse, AFailingCallIsReportedAndLeavesNothing) {
  const Matrix a(gpu.get(), TENON_FLOAT64, false);
  Numbers b(gpu.get(), TENON_FLOAT64, {kColumns, 2}, {}, 4);
  const tenon_sparse_product_options options = trusted();
  tenon_array* out = nullptr;
  ASSERT_EQ(a.multiply(b.get(), options, &out), TENON_OK) << tenon_error_last_message();
  tenon_array_release(out);
  int failed = 0;
  for (int call = 1; call < 20; ++call) {
    fake_cusparse()->fail_at = call;
    out = nullptr;
    const int32_t status = a.multiply(b.get(), options, &out);
    fake_cusparse()->fail_at = 0;
    EXPECT_EQ(fake_cusparse()->descriptors, 0);
    if (status == TENON_OK) {
      tenon_array_release(out);
      break;
    }
    ++failed;
    EXPECT_EQ(status, TENON_ERROR_VENDOR);
    EXPECT_EQ(out, nullptr);
    EXPECT_NE(std::string(tenon_error_last_message()).find("cusparse"), std::string::npos);
  }
  EXPECT_EQ(failed, 6);  // the stream, the matrix, b, c, the size, the product
}

}  // namespace
