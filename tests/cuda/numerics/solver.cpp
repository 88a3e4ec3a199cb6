// tests/cuda/numerics/solver.cpp: factorisations, eigenvalues and singular values for CUDA on a fake cuSOLVER that
// computes on the host, and with Tenon's own kernels run on the CPU: the same results as the CPU device's, infos, calls
// that fail, and streams that share nothing.
#include <thread>
#include <utility>
#include "fake_cuda/blas/cublas.hpp"
#include "fake_cuda/numerics/cusolver.hpp"
#include "fake_cuda/own_kernels.hpp"
#include "numbers.hpp"

using namespace test;

namespace {

template <class T> T options() {
  T out{};
  out.struct_size = sizeof out;
  return out;
}

class CudaSolver : public testing::Test {
 protected:
  static void SetUpTestSuite() { kernels = new OwnKernels; }
  static void TearDownTestSuite() { delete kernels; }
  void SetUp() override {
    cpu = device("cpu:0");
    gpu = device("cuda:0");
    ASSERT_TRUE(gpu) << tenon_error_last_message();
  }
  void TearDown() override {
    EXPECT_OK(tenon_device_synchronize(gpu.get()));
    EXPECT_EQ(fake_cuda()->misuses, 0) << fake_cuda()->misuse;
    EXPECT_EQ(fake_cuda()->races, 0) << fake_cuda()->race;
    EXPECT_EQ(fake_cublas()->misuses, 0) << fake_cublas()->misuse;
    EXPECT_EQ(fake_cusolver()->misuses, 0) << fake_cusolver()->misuse;
    EXPECT_EQ(fake_cusolver()->handles, fake_cusolver()->params);
  }

  // The same numbers on both devices.
  struct Both {
    Numbers host, there;
    Both(CudaSolver& test, uint32_t dtype, std::vector<int64_t> shape, uint64_t seed = 1, bool by_columns = false)
        : host(test.cpu.get(), dtype, shape, strides(shape, by_columns), seed),
          there(test.gpu.get(), dtype, shape, strides(shape, by_columns), seed) {}
    tenon_array* on(bool gpu) const { return (gpu ? there : host).get(); }

    static std::vector<int64_t> strides(const std::vector<int64_t>& shape, bool by_columns) {
      if (!by_columns) return {};
      const size_t n = shape.size();
      std::vector<int64_t> out(n);
      out[n - 1] = shape[n - 2], out[n - 2] = 1;
      for (size_t i = n - 2, step = size_t(shape[n - 1] * shape[n - 2]); i-- > 0; step *= size_t(shape[i]))
        out[i] = int64_t(step);
      return out;
    }
    template <class F> void change(F&& value) {
      for (Numbers* x : {&host, &there}) {
        const std::vector<int64_t> shape = x->shape();
        each_index(shape, [&](const std::vector<int64_t>& i) { x->set(i, value(i, x->at(i))); });
        x->push();
      }
    }
    // Far from singular.
    void make_regular() {
      change([](const std::vector<int64_t>& i, Complex x) { return i[i.size() - 1] == i[i.size() - 2] ? x + 5.0 : x; });
    }
    // Hermitian (symmetric if not conjugated), with `more` added to the diagonal.
    void make_hermitian(double more, bool conjugated = true) {
      std::vector<std::pair<std::vector<int64_t>, Complex>> values;
      each_index(host.shape(), [&](const std::vector<int64_t>& i) {
        std::vector<int64_t> turned = i;
        std::swap(turned[i.size() - 1], turned[i.size() - 2]);
        const Complex x = host.at(i), y = host.at(turned);
        const bool diagonal = turned == i;
        values.push_back({i, (x + (conjugated ? std::conj(y) : y)) / 2.0 + (diagonal ? more : 0.0)});
      });
      for (Numbers* x : {&host, &there}) {
        for (const auto& [i, value] : values) x->set(i, value);
        x->push();
      }
    }
  };

  std::vector<ArrayPtr> results(bool on, size_t count, const std::function<int32_t(bool, tenon_array**)>& call) {
    tenon_array* out[4] = {};
    EXPECT_OK(call(on, out));
    std::vector<ArrayPtr> owned;
    for (size_t i = 0; i < count; ++i) owned.emplace_back(out[i]);
    return owned;
  }
  // Expects equal results of the call on both devices, apart from rounding; also in given arrays stored by columns.
  void same(size_t count, const std::function<int32_t(bool, tenon_array**)>& call, double room = 100) {
    const auto here = results(false, count, call), there = results(true, count, call);
    ASSERT_FALSE(HasFailure());
    for (size_t k = 0; k < count; ++k) compare(here[k].get(), there[k].get(), room);
    tenon_array* given[4] = {};
    std::vector<ArrayPtr> owned;
    for (size_t k = 0; k < count; ++k) {
      OK(tenon_array_zeros(gpu.get(), info(here[k].get()).dtype, info(here[k].get()).rank, info(here[k].get()).shape,
                           nullptr, &given[k]));
      owned.emplace_back(given[k]);
    }
    OK(call(true, given));
    for (size_t k = 0; k < count; ++k) compare(here[k].get(), owned[k].get(), room);
  }
  static void compare(tenon_array* want, tenon_array* got, double room) {
    ASSERT_EQ(shape(want), shape(got));
    ASSERT_EQ(info(want).dtype, info(got).dtype);
    if (info(want).dtype == TENON_INT64) {
      ASSERT_EQ(values<int64_t>(want), values<int64_t>(got));
      return;
    }
    const std::vector<Complex> x = values(want), y = values(got);
    double most = 1;
    for (const Complex& value : x) most = std::max(most, std::abs(value));
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_LE(std::abs(x[i] - y[i]), room * epsilon(info(want).dtype) * most) << "element " << i;
  }

  static OwnKernels* kernels;
  DevicePtr cpu, gpu;
};
OwnKernels* CudaSolver::kernels = nullptr;

std::vector<int64_t> batched(int64_t batch, int64_t m, int64_t n) {
  return batch ? std::vector<int64_t>{batch, m, n} : std::vector<int64_t>{m, n};
}

TEST_F(CudaSolver, SystemsOfEveryKind) {
  constexpr uint32_t t = TENON_COMPLEX128;
  for (const int64_t batch : {0, 6})  // from 4 on by the routines for many
    for (const bool by_columns : {false, true}) {
      if (by_columns && batch) continue;
      SCOPED_TRACE("batch " + std::to_string(batch) + (by_columns ? " by columns" : ""));
      Both a(*this, t, batched(batch, 7, 7), 1, by_columns), b(*this, t, batched(batch, 7, 3), 2),
          one(*this, t, {7, 7}, 3);
      a.make_regular();
      one.make_regular();
      auto o = options<tenon_solve_options>();
      for (o.op = 0; o.op < 3; ++o.op)
        same(1, [&](bool on, tenon_array** out) { return tenon_solve(a.on(on), b.on(on), &o, nullptr, out); });
      o.op = 0;
      same(1, [&](bool on, tenon_array** out) { return tenon_solve(one.on(on), b.on(on), &o, nullptr, out); });
      same(1, [&](bool on, tenon_array** out) { return tenon_inverse(a.on(on), nullptr, nullptr, out); });
      same(2, [&](bool on, tenon_array** out) { return tenon_slogdet(a.on(on), nullptr, nullptr, out, out + 1); });
      a.make_hermitian(5);
      o.kind = TENON_SOLVE_POSITIVE;
      same(1, [&](bool on, tenon_array** out) { return tenon_solve(a.on(on), b.on(on), &o, nullptr, out); });
      if (HasFatalFailure()) return;
    }
}

// More columns than the routines for many matrices take; up to there one call solves all of them.
TEST_F(CudaSolver, RightHandSidesOfAnyNumber) {
  constexpr int64_t kMost = 524280;
  for (const int64_t columns : {kMost, kMost + 1})
    for (const int32_t kind : {TENON_SOLVE_GENERAL, TENON_SOLVE_POSITIVE}) {
      std::vector<float> a(4, 4), b(size_t(4 * columns));
      for (size_t i = 0; i < b.size(); ++i) b[i] = float(i % 4096);
      const int64_t square[] = {4, 1, 1}, wide[] = {4, 1, columns};
      tenon_array *matrices = nullptr, *sides = nullptr, *out = nullptr;
      OK(tenon_array_from_host(gpu.get(), TENON_FLOAT32, 3, square, a.data(), a.size() * 4, nullptr, &matrices));
      const ArrayPtr owned(matrices);
      OK(tenon_array_from_host(gpu.get(), TENON_FLOAT32, 3, wide, b.data(), b.size() * 4, nullptr, &sides));
      const ArrayPtr also(sides);
      auto o = options<tenon_solve_options>();
      o.kind = kind;
      const long before = fake_cublas()->list_runs;
      OK(tenon_solve(matrices, sides, &o, nullptr, &out));
      const ArrayPtr result(out);
      EXPECT_EQ(fake_cublas()->list_runs - before > (kind == TENON_SOLVE_GENERAL ? 1 : 0), columns == kMost)
          << columns << " columns";
      std::vector<float> x(b.size());
      OK(tenon_array_to_host(out, x.data(), x.size() * 4, nullptr));
      for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], b[i] / 4) << "element " << i;
    }
}

TEST_F(CudaSolver, FactorsAndTheirSolutions) {
  constexpr uint32_t t = TENON_COMPLEX128;
  for (const int64_t batch : {0, 5}) {
    SCOPED_TRACE("batch " + std::to_string(batch));
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{6, 6}, {9, 4}, {4, 9}}) {
      Both a(*this, t, batched(batch, m, n));
      same(2, [&](bool on, tenon_array** out) { return tenon_lu(a.on(on), nullptr, nullptr, out, out + 1); });
      auto o = options<tenon_qr_options>();
      for (o.mode = 0; o.mode < 2; ++o.mode)
        same(2, [&](bool on, tenon_array** out) { return tenon_qr(a.on(on), &o, nullptr, out, out + 1); });
    }
    Both a(*this, t, batched(batch, 6, 6)), b(*this, t, batched(batch, 6, 2), 2);
    a.make_regular();
    auto with_op = options<tenon_lu_options>();
    for (with_op.op = 0; with_op.op < 3; ++with_op.op)
      same(1, [&](bool on, tenon_array** out) {
        const auto lu = results(
            on, 2, [&](bool, tenon_array** made) { return tenon_lu(a.on(on), nullptr, nullptr, made, made + 1); });
        return tenon_lu_solve(lu[0].get(), lu[1].get(), b.on(on), &with_op, nullptr, out);
      });
    a.make_hermitian(5);
    auto o = options<tenon_cholesky_options>();
    for (const int32_t upper : {0, 1}) {
      o.upper = upper;
      same(1, [&](bool on, tenon_array** out) { return tenon_cholesky(a.on(on), &o, nullptr, out); });
      same(1, [&](bool on, tenon_array** out) {
        const auto factor =
            results(on, 1, [&](bool, tenon_array** made) { return tenon_cholesky(a.on(on), &o, nullptr, made); });
        return tenon_cholesky_solve(factor[0].get(), b.on(on), &o, nullptr, out);
      });
    }
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaSolver, SymmetricSystemsThatAreNotDefinite) {
  constexpr uint32_t t = TENON_COMPLEX128;
  for (const int32_t upper : {0, 1}) {
    Both a(*this, t, {2, 8, 8}), b(*this, t, {2, 8, 3}, 2);
    a.make_hermitian(0, false);
    a.change(
        [](const std::vector<int64_t>& i, Complex x) { return i[1] == i[2] && i[1] < 6 ? 0.0 : x; });  // blocks of two
    auto o = options<tenon_ldl_options>();
    o.upper = upper;
    same(
        1,
        [&](bool on, tenon_array** out) {
          const auto f = results(
              on, 2, [&](bool, tenon_array** made) { return tenon_ldl(a.on(on), &o, nullptr, made, made + 1); });
          return tenon_ldl_solve(f[0].get(), f[1].get(), b.on(on), &o, nullptr, out);
        },
        2000);
  }
}

// The largest element of |a v - v diag(w)|; w complex or real, v of a's dtype or complex.
double residual(const std::vector<Complex>& a, const std::vector<Complex>& v, const std::vector<Complex>& w, size_t n,
                size_t count) {
  double most = 0;
  for (size_t g = 0; g * n * n < a.size(); ++g)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < count; ++j) {
        Complex sum = -v[(g * n + i) * count + j] * w[g * count + j];
        for (size_t k = 0; k < n; ++k) sum += a[(g * n + i) * n + k] * v[(g * n + k) * count + j];
        most = std::max(most, std::abs(sum));
      }
  return most;
}

TEST_F(CudaSolver, EigenvaluesAndVectors) {
  constexpr uint32_t t = TENON_COMPLEX128;
  for (const int64_t batch : {0, 3})
    for (const int32_t upper : {0, 1})
      for (const int64_t count : {0, 3}) {  // of 9, from the third on
        if (batch && count) continue;
        SCOPED_TRACE("batch " + std::to_string(batch) + " count " + std::to_string(count));
        Both a(*this, t, batched(batch, 9, 9));
        a.make_hermitian(0);
        auto o = options<tenon_eigh_options>();
        o.upper = upper, o.first = count ? 2 : 0, o.count = count;
        same(1, [&](bool on, tenon_array** out) { return tenon_eigh(a.on(on), &o, nullptr, out, nullptr); });
        const auto both = results(
            true, 2, [&](bool, tenon_array** out) { return tenon_eigh(a.on(true), &o, nullptr, out, out + 1); });
        ASSERT_LE(
            residual(values(a.host.get()), values(both[1].get()), values(both[0].get()), 9, count ? size_t(count) : 9),
            200 * epsilon(t));
      }
}

// Impossible eigenvalues, whatever the routine reports: they are computed again from the other triangle.
TEST_F(CudaSolver, EigenvaluesThatCannotBeAreNotBelieved) {
  for (const int64_t batch : {0, 3}) {
    Both a(*this, TENON_COMPLEX128, batched(batch, 9, 9));
    a.make_hermitian(0);
    fake_cusolver()->wrong_by = 0.25;
    same(1, [&](bool on, tenon_array** out) { return tenon_eigh(a.on(on), nullptr, nullptr, out, nullptr); });
    fake_cusolver()->wrong_by = 0;
    EXPECT_GT(std::exchange(fake_cusolver()->wrong, 0), 0);
  }
}

TEST_F(CudaSolver, EigenvaluesOfGeneralMatrices) {
  for (const uint32_t t : {TENON_FLOAT64, TENON_COMPLEX128}) {
    Both a(*this, t, {3, 6, 6});
    auto found = results(true, 2, [&](bool, tenon_array** out) {
      return tenon_eig(a.on(true), nullptr, nullptr, out, nullptr, out + 1);
    });
    const std::vector<Complex> w = values(found[0].get());
    EXPECT_LE(residual(values(a.host.get()), values(found[1].get()), w, 6, 6), 500 * epsilon(t));
    const auto here = results(false, 1, [&](bool, tenon_array** out) {
      return tenon_eig(a.on(false), nullptr, nullptr, out, nullptr, nullptr);
    });
    for (size_t i = 0; i < w.size(); ++i) {  // in any order within a matrix
      const std::vector<Complex> all = values(here[0].get());
      double nearest = 1;
      for (size_t j = i / 6 * 6; j < i / 6 * 6 + 6; ++j) nearest = std::min(nearest, std::abs(w[i] - all[j]));
      EXPECT_LE(nearest, 500 * epsilon(t)) << i;
    }
  }
}

// More matrices than cuSOLVER's routine takes at once.
TEST_F(CudaSolver, ManyEigenvaluesInPieces) {
  constexpr int64_t kCount = 16500;
  const int64_t shape[] = {kCount, 2, 2};
  std::vector<double> numbers;
  for (int64_t i = 0; i < kCount; ++i) numbers.insert(numbers.end(), {double(i), 2, 2, double(i)});  // i - 2 and i + 2
  tenon_array *a = nullptr, *w = nullptr;
  OK(tenon_array_from_host(gpu.get(), TENON_FLOAT64, 3, shape, numbers.data(), numbers.size() * 8, nullptr, &a));
  const ArrayPtr owner(a);
  fake_cusolver()->batch_limit = 16384;
  EXPECT_OK(tenon_eigh(a, nullptr, nullptr, &w, nullptr));
  fake_cusolver()->batch_limit = 32000;
  const ArrayPtr values_owner(w);
  const std::vector<double> found = values<double>(w);
  for (int64_t i = 0; i < kCount; ++i) {
    ASSERT_NEAR(found[size_t(2 * i)], double(i - 2), 1e-11 * double(i + 1));
    ASSERT_NEAR(found[size_t(2 * i + 1)], double(i + 2), 1e-11 * double(i + 1));
  }
}

TEST_F(CudaSolver, SingularValuesByEveryDriver) {
  for (const uint32_t t : {TENON_FLOAT32, TENON_COMPLEX128})
    for (const int32_t driver :
         {TENON_SVD_DRIVER_AUTO, TENON_SVD_DRIVER_QR, TENON_SVD_DRIVER_POLAR, TENON_SVD_DRIVER_JACOBI})
      for (const int32_t mode : {TENON_SVD_MODE_ECONOMY, TENON_SVD_MODE_FULL})
        for (const auto& [m, n] : {std::pair<int64_t, int64_t>{8, 5}, {5, 8}}) {
          SCOPED_TRACE(std::to_string(t) + " driver " + std::to_string(driver) + " mode " + std::to_string(mode) +
                       " m " + std::to_string(m));
          Both a(*this, t, {2, m, n});
          auto o = options<tenon_svd_options>();
          int32_t ran = -1;
          o.out_driver = &ran;
          o.mode = TENON_SVD_MODE_VALUES;
          const auto here = results(false, 1, [&](bool, tenon_array** out) {
            return tenon_svd(a.on(false), &o, nullptr, nullptr, out, nullptr);
          });
          o.driver = driver, o.mode = mode;
          const auto found = results(true, 3, [&](bool, tenon_array** out) {
            return tenon_svd(a.on(true), &o, nullptr, out, out + 1, out + 2);
          });
          ASSERT_FALSE(HasFailure());
          EXPECT_TRUE(driver == TENON_SVD_DRIVER_AUTO || ran == driver) << ran;
          const size_t k = size_t(std::min(m, n)), uc = size_t(shape(found[0].get())[2]),
                       vr = size_t(shape(found[2].get())[1]);
          compare(here[0].get(), found[1].get(), 100);
          const std::vector<Complex> u = values(found[0].get()), s = values(found[1].get()),
                                     vh = values(found[2].get()), x = values(a.host.get());
          double most = 0;
          for (size_t g = 0; g < 2; ++g)
            for (size_t i = 0; i < size_t(m); ++i)
              for (size_t j = 0; j < size_t(n); ++j) {
                Complex sum = -x[(g * size_t(m) + i) * size_t(n) + j];
                for (size_t l = 0; l < k; ++l)
                  sum += u[(g * size_t(m) + i) * uc + l] * s[g * k + l] * vh[(g * vr + l) * size_t(n) + j];
                most = std::max(most, std::abs(sum));
              }
          EXPECT_LE(most, 100 * epsilon(t));
          if (HasFailure()) return;
        }
}

TEST_F(CudaSolver, ARoutineThatFailsOnAMatrixGivesWayToAnother) {
  Both a(*this, TENON_FLOAT64, {6, 4});
  auto o = options<tenon_svd_options>();
  int32_t ran = -1;
  o.out_driver = &ran;
  o.driver = TENON_SVD_DRIVER_POLAR, o.mode = TENON_SVD_MODE_VALUES;
  const auto value = [&] {
    return results(true, 1,
                   [&](bool, tenon_array** out) { return tenon_svd(a.on(true), &o, nullptr, nullptr, out, nullptr); });
  };
  const auto right = value();
  EXPECT_EQ(ran, TENON_SVD_DRIVER_POLAR);
  fake_cusolver()->error_sigma = 0.1;  // it had to change the matrix
  compare(right[0].get(), value()[0].get(), 100);
  EXPECT_EQ(ran, TENON_SVD_DRIVER_QR);
  fake_cusolver()->error_sigma = 0;
  fake_cusolver()->gives_up_in = "Xgesvdp";
  fake_cusolver()->info = 3;
  compare(right[0].get(), value()[0].get(), 100);
  EXPECT_EQ(ran, TENON_SVD_DRIVER_QR);
  fake_cusolver()->gives_up_in = nullptr;
}

TEST_F(CudaSolver, WhatARoutineSaysOfAMatrixIsAnErrorThatNamesIt) {
  const auto index = [] {
    tenon_error* error = nullptr;
    tenon_error_last(&error);
    const ErrorPtr owner(error);
    int64_t at = -2;
    if (error) tenon_error_batch_index(error, &at);
    return at;
  };
  for (const int64_t batch : {3, 6}) {
    Both a(*this, TENON_FLOAT64, {batch, 4, 4}), b(*this, TENON_FLOAT64, {batch, 4, 1}, 2);
    tenon_array* out = nullptr;
    const auto of_second = [](Complex value) {
      return [value](const std::vector<int64_t>& i, Complex x) { return i[0] == 1 && i[1] == i[2] ? x + value : x; };
    };
    a.make_hermitian(5);
    a.change(of_second(-9));
    FAILS(TENON_ERROR_SINGULAR, "not positive definite", tenon_cholesky(a.on(true), nullptr, nullptr, &out));
    EXPECT_EQ(index(), 1);
    a.change([](const std::vector<int64_t>& i, Complex x) { return i[0] == 1 && i[1] == 2 ? 0.0 : x; });
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_solve(a.on(true), b.on(true), nullptr, nullptr, &out));
    EXPECT_EQ(index(), 1);
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_inverse(a.on(true), nullptr, nullptr, &out));
    EXPECT_EQ(index(), 1);
    a.change([](const std::vector<int64_t>& i, Complex x) { return i[0] == 1 && i[1] == 2 ? std::nan("") : x; });
    FAILS(TENON_ERROR_NOT_FINITE, "NaN", tenon_solve(a.on(true), b.on(true), nullptr, nullptr, &out));
    EXPECT_EQ(index(), 1);
    EXPECT_EQ(out, nullptr);
  }
  Both a(*this, TENON_FLOAT64, {5, 5});
  a.make_hermitian(1);
  fake_cusolver()->info = 2;
  tenon_array *w = nullptr, *v = nullptr;
  fake_cusolver()->gives_up_in = "Xsyevd";
  FAILS(TENON_ERROR_NOT_CONVERGED, "converge", tenon_eigh(a.on(true), nullptr, nullptr, &w, &v));
  fake_cusolver()->gives_up_in = "Xgeev";
  FAILS(TENON_ERROR_NOT_CONVERGED, "converge", tenon_eig(a.on(true), nullptr, nullptr, &w, nullptr, &v));
  fake_cusolver()->gives_up_in = "Xgesvd";  // gesvdp too
  auto o = options<tenon_svd_options>();
  o.driver = TENON_SVD_DRIVER_QR, o.mode = TENON_SVD_MODE_VALUES;
  FAILS(TENON_ERROR_NOT_CONVERGED, "converge", tenon_svd(a.on(true), &o, nullptr, nullptr, &w, nullptr));
  EXPECT_TRUE(!w && !v);
  fake_cusolver()->gives_up_in = nullptr;
}

// ---- streams

struct Streams {
  std::vector<tenon_stream*> all;
  Streams(tenon_device* device, size_t count) : all(count) {
    for (tenon_stream*& stream : all) EXPECT_OK(tenon_stream_create(device, nullptr, &stream));
  }
  ~Streams() {
    for (tenon_stream* stream : all) tenon_stream_release(stream);
  }
};

// More streams than handles are kept, and nothing orders them, not even the host, because errors are deferred: each
// result is correct, and no stream used another one's memory.
TEST_F(CudaSolver, StreamsShareNoHandleAndNoWorkArea) {
  auto deferring = options<tenon_context_options>();
  deferring.flags = TENON_CONTEXT_DEFERRED_ERRORS;
  tenon_context* made_context = nullptr;
  OK(tenon_context_create(&deferring, &made_context));
  const ContextPtr context(made_context);
  gpu = device("cuda:0", context.get());
  Streams streams(gpu.get(), 11);
  std::vector<std::unique_ptr<Both>> a;
  for (uint64_t i = 0; i < streams.all.size(); ++i)
    a.push_back(std::make_unique<Both>(*this, TENON_FLOAT64, std::vector<int64_t>{6, 6}, i + 1));
  std::vector<ArrayPtr> found;
  for (int round = 0; round < 3; ++round) {
    const long made = fake_cusolver()->made;
    found.clear();
    const uint64_t before = fake_cuda_pending();
    for (size_t i = 0; i < a.size(); ++i) {
      tenon_array *lu = nullptr, *pivots = nullptr;
      OK(tenon_lu(a[i]->on(true), nullptr, streams.all[i], &lu, &pivots));
      found.emplace_back(lu);
      found.emplace_back(pivots);
    }
    EXPECT_GT(fake_cuda_pending(), before + a.size()) << "no call waited";
    EXPECT_LE(fake_cusolver()->made - made, 8) << "a handle goes from stream to stream";
  }
  for (size_t i = 0; i < a.size(); ++i) {
    tenon_array *lu = nullptr, *pivots = nullptr;
    OK(tenon_lu(a[i]->on(false), nullptr, nullptr, &lu, &pivots));
    const ArrayPtr owned[] = {ArrayPtr(lu), ArrayPtr(pivots)};
    for (size_t k = 0; k < 2; ++k) compare(owned[k].get(), found[2 * i + k].get(), 100);
  }
  found.clear();
  a.clear();
  EXPECT_OK(tenon_device_synchronize(gpu.get()));
}

// A stream that is wrapped for each call is the same stream each time: the error of a call on it comes out of the next
// wrapper too, once, however many wrappers were closed in between.
TEST_F(CudaSolver, ADeferredErrorOutlivesTheWrapperOfItsStream) {
  auto deferring = options<tenon_context_options>();
  deferring.flags = TENON_CONTEXT_DEFERRED_ERRORS;
  tenon_context *made_context = nullptr, *others = nullptr;
  OK(tenon_context_create(&deferring, &made_context));
  OK(tenon_context_create(nullptr, &others));
  const ContextPtr context(made_context), other(others);
  const DevicePtr owner = device("cuda:0", other.get());
  Streams native(owner.get(), 2);  // of another library
  gpu = device("cuda:0", context.get());
  Both a(*this, TENON_FLOAT64, {5, 4, 4}), b(*this, TENON_FLOAT64, {5, 4, 1}, 2);
  a.make_regular();
  a.change([](const std::vector<int64_t>& i, Complex x) { return i[0] == 3 ? 0.0 : x; });
  const auto wrapped = [&](size_t which, const std::function<void(tenon_stream*)>& use) {
    uint64_t handle = 0;
    OK(tenon_stream_native(native.all[which], &handle));
    tenon_stream* stream = nullptr;
    OK(tenon_stream_wrap(gpu.get(), handle, nullptr, nullptr, &stream));
    use(stream);
    tenon_stream_release(stream);
  };
  tenon_array* out = nullptr;
  wrapped(0, [&](tenon_stream* stream) { OK(tenon_solve(a.on(true), b.on(true), nullptr, stream, &out)); });
  const ArrayPtr x(out);
  wrapped(1, [](tenon_stream* stream) { OK(tenon_stream_synchronize(stream)); });
  wrapped(0, [](tenon_stream* stream) { FAILS(TENON_ERROR_SINGULAR, "matrix 3", tenon_stream_synchronize(stream)); });
  wrapped(0, [](tenon_stream* stream) { OK(tenon_stream_synchronize(stream)); });
  OK(tenon_device_synchronize(gpu.get()));
  OK(tenon_device_synchronize(owner.get()));
}

TEST_F(CudaSolver, ThreadsShareNoHandle) {
  constexpr size_t kThreads = 4;
  Streams streams(gpu.get(), kThreads);
  std::vector<std::unique_ptr<Both>> a, b;
  std::vector<ArrayPtr> x;
  for (uint64_t i = 0; i < kThreads; ++i) {
    a.push_back(std::make_unique<Both>(*this, TENON_FLOAT64, std::vector<int64_t>{6, 6}, 2 * i + 1));
    b.push_back(std::make_unique<Both>(*this, TENON_FLOAT64, std::vector<int64_t>{6, 2}, 2 * i + 2));
    a.back()->make_regular();
    tenon_array* out = nullptr;
    OK(tenon_solve(a.back()->on(false), b.back()->on(false), nullptr, nullptr, &out));
    x.emplace_back(out);
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 8; ++round) {
        tenon_array* out = nullptr;
        EXPECT_OK(
            tenon_solve(a[i]->on(true), b[i]->on(true), nullptr, streams.all[(i + size_t(round)) % kThreads], &out));
        const ArrayPtr owner(out);
        if (out) compare(x[i].get(), out, 100);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// ---- failing calls

struct Case {
  const char* name;
  std::function<int32_t(CudaSolver&, tenon_array* a, tenon_array* b, tenon_array** out)> run;
  size_t results;
};

const Case kCases[] = {
    {"solve",
     [](CudaSolver&, tenon_array* a, tenon_array* b, tenon_array** out) {
       return tenon_solve(a, b, nullptr, nullptr, out);
     },
     1},
    {"cholesky",
     [](CudaSolver&, tenon_array* a, tenon_array*, tenon_array** out) {
       return tenon_cholesky(a, nullptr, nullptr, out);
     },
     1},
    {"qr",
     [](CudaSolver&, tenon_array* a, tenon_array*, tenon_array** out) {
       return tenon_qr(a, nullptr, nullptr, out, out + 1);
     },
     2},
    {"eigh",
     [](CudaSolver&, tenon_array* a, tenon_array*, tenon_array** out) {
       return tenon_eigh(a, nullptr, nullptr, out, nullptr);
     },
     1},
    {"eig",
     [](CudaSolver&, tenon_array* a, tenon_array*, tenon_array** out) {
       return tenon_eig(a, nullptr, nullptr, out, nullptr, out + 1);
     },
     2},
    {"svd",
     [](CudaSolver&, tenon_array* a, tenon_array*, tenon_array** out) {
       auto o = options<tenon_svd_options>();
       o.driver = TENON_SVD_DRIVER_QR, o.mode = TENON_SVD_MODE_VALUES;
       return tenon_svd(a, &o, nullptr, nullptr, out, nullptr);
     },
     1},
};

// Tenon's own kernels: the rotations of rotmg, at magnitudes that are rescaled and that are not, and their application
// by rotm.
TEST_F(CudaSolver, ModifiedRotations) {
  for (uint32_t t : {TENON_FLOAT32, TENON_FLOAT64}) {
    SCOPED_TRACE(t);
    const auto scaled = [](double first, double last) {
      return [=](const std::vector<int64_t>& i, Complex x) { return std::abs(x) * (i[0] % 2 ? first : last); };
    };
    Both d1(*this, t, {30}, 1), d2(*this, t, {30}, 2), x1(*this, t, {30}, 3), y1(*this, t, {30}, 4);
    d1.change(scaled(1, 1e9));
    d2.change(scaled(1e-9, -1));
    y1.change([](const std::vector<int64_t>& i, Complex x) { return i[0] % 5 ? x : 0; });
    same(4, [&](bool on, tenon_array** out) {
      return tenon_rotmg(d1.on(on), d2.on(on), x1.on(on), y1.on(on), nullptr, nullptr, out, out + 1, out + 2, out + 3);
    });
    Both x(*this, t, {4, 9}, 5), y(*this, t, {4, 9}, 6), h(*this, t, {4, 5}, 7), one(*this, t, {5}, 8);
    h.change([](const std::vector<int64_t>& i, Complex x) { return i[1] ? x : Complex(double(i[0] - 2)); });
    one.change([](const std::vector<int64_t>& i, Complex x) { return i[0] ? x : -1; });
    for (const Both* used : {&h, &one})
      same(2, [&](bool on, tenon_array** out) {
        return tenon_rotm(x.on(on), y.on(on), used->on(on), nullptr, nullptr, out, out + 1);
      });
    if (HasFailure()) return;
  }
}

// Every call of cuSOLVER and of the driver fails once, and every driver call permanently: a clear error, nothing left
// behind, and a correct next call.
TEST_F(CudaSolver, AnyCallMayFailAndTheNextIsRight) {
  Both a(*this, TENON_FLOAT64, {5, 5}), b(*this, TENON_FLOAT64, {5, 2}, 2);
  a.make_hermitian(5);
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const auto call = [&](bool on, tenon_array** out) { return one.run(*this, a.on(on), b.on(on), out); };
    const auto right = results(true, one.results, call);  // afterwards everything is loaded
    EXPECT_OK(tenon_device_synchronize(gpu.get()));
    const auto again = [&] {
      const auto found = results(true, one.results, call);
      for (size_t k = 0; k < one.results; ++k) compare(right[k].get(), found[k].get(), 1);
    };
    long before = fake_cuda()->calls, before_solver = fake_cusolver()->calls;
    again();
    EXPECT_OK(tenon_device_synchronize(gpu.get()));
    const long driver = fake_cuda()->calls - before, solver = fake_cusolver()->calls - before_solver,
               blocks = fake_cuda()->blocks;
    ASSERT_GT(solver, 1);
    for (const bool for_ever : {false, true})
      for (long n = 1; n <= solver; ++n) {
        FakeCusolver& fake = *fake_cusolver();
        fake.fail_code = n % 2 ? 2 : 7;  // out of memory, an internal error
        fake.for_ever = for_ever;
        fake.fail_at = n;
        tenon_array* out[4] = {};
        const int32_t status = call(true, out);
        fake.fail_at = 0, fake.for_ever = false;
        EXPECT_EQ(status, n % 2 ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR_VENDOR) << fake.failed_call;
        EXPECT_NE(std::string(tenon_error_last_message()).find("cusolver"), std::string::npos)
            << tenon_error_last_message();
        EXPECT_TRUE(!out[0] && !out[1]);
        again();
        EXPECT_OK(tenon_device_synchronize(gpu.get()));
        EXPECT_LE(fake_cuda()->blocks, blocks) << fake.failed_call;
        if (HasFailure()) return;
      }
    int failed = 0;
    for (long n = 1; n <= driver; ++n) {
      fake_cuda()->fail_code = 2;
      fake_cuda()->fail_at = n;
      tenon_array* out[4] = {};
      const int32_t status = call(true, out);
      fake_cuda()->fail_at = 0;
      failed += status != TENON_OK;
      EXPECT_TRUE(!status || *tenon_error_last_message());
      for (tenon_array* made : out) tenon_array_release(made);
      again();
      EXPECT_OK(tenon_device_synchronize(gpu.get()));
      EXPECT_LE(fake_cuda()->blocks, blocks) << fake_cuda()->failed_call;
      if (HasFailure()) return;
    }
    EXPECT_GT(failed, 0);
  }
}

}  // namespace
