// tests/cuda/numerics/blas.cpp: the functions of blas.h on a driver and libraries that compute on the host: every call
// that reaches cuBLAS does there what the CPU does, batched and listed, recorded, on two streams, and when driver calls
// fail.
#include <functional>
#include "fake_cuda/control.hpp"
#include "fake_cuda/blas/cublas.hpp"
#include "numbers.hpp"

using namespace test;

namespace {

const uint32_t kFull[] = {TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128};
const double kAlpha[] = {0.5, -1.25}, kBeta[] = {-2, 0.75}, kRealAlpha[] = {0.5, 0}, kRealBeta[] = {-2, 0};
const double* alpha_of(uint32_t dtype) { return is_complex(dtype) ? kAlpha : kRealAlpha; }
const double* beta_of(uint32_t dtype) { return is_complex(dtype) ? kBeta : kRealBeta; }

// A matrix stored by rows, by columns, or inside a larger one; with one more leading index per batch.
std::vector<int64_t> strides_of(int layout, std::vector<int64_t> shape) {
  const size_t n = shape.size();
  std::vector<int64_t> out(n);
  const int64_t rows = shape[n - 2], cols = shape[n - 1];
  out[n - 2] = layout == 0 ? cols : layout == 1 ? 1 : cols + 3;
  out[n - 1] = layout == 1 ? rows : 1;
  int64_t step = layout == 2 ? rows * (cols + 3) + 1 : rows * cols;
  for (size_t i = n - 2; i-- > 0; step *= shape[i]) out[i] = step;
  return out;
}

class CudaBlas : public testing::Test {
 protected:
  void SetUp() override {
    cpu = device("cpu:0");
    gpu = device("cuda:0");
    ASSERT_TRUE(gpu) << tenon_error_last_message();
    *fake_cublas() = FakeCublas();
  }
  void TearDown() override {
    EXPECT_EQ(fake_cuda()->misuses, 0) << fake_cuda()->misuse;
    EXPECT_EQ(fake_cublas()->misuses, 0) << fake_cublas()->misuse;
  }

  // The same numbers on both devices.
  struct Both {
    Numbers host, there;
    Both(CudaBlas& test, uint32_t dtype, std::vector<int64_t> shape, std::vector<int64_t> strides = {},
         uint64_t seed = 1)
        : host(test.cpu.get(), dtype, shape, strides, seed), there(test.gpu.get(), dtype, shape, strides, seed) {}
    tenon_array* on(bool gpu) const { return (gpu ? there : host).get(); }
    // A diagonal with which no solution comes near to a division by 0.
    void make_regular() {
      for (Numbers* x : {&host, &there}) {
        each_index(x->shape(), [&](const std::vector<int64_t>& i) {
          if (i[i.size() - 1] == i[i.size() - 2]) x->set(i, 3);
        });
        x->push();
      }
    }
    void check() {
      host.fetch();
      there.fetch();
      each_index(host.shape(), [&](const std::vector<int64_t>& i) {
        const Complex x = host.at(i), y = there.at(i);
        ASSERT_LE(std::abs(x - y), 300 * epsilon(host.dtype()) * (1 + std::abs(x))) << "at " << i[0];
      });
    }
  };

  // Runs call(gpu?) on both devices.
  void both(const std::function<int32_t(bool)>& call) {
    for (bool on_gpu : {false, true}) ASSERT_EQ(call(on_gpu), TENON_OK) << tenon_error_last_message();
  }

  DevicePtr cpu, gpu;
};

tenon_blas_options options(int32_t op = 0, int32_t upper = 0, int32_t right = 0, int32_t hermitian = 0,
                           int32_t unit = 0) {
  return {sizeof(tenon_blas_options), op, upper, right, hermitian, unit, 0, 0, 0, nullptr};
}

TEST_F(CudaBlas, ProductsWithAVectorGoToItsRoutine) {
  long runs = 0;
  for (uint32_t t : kFull)
    for (int layout : {0, 1, 2})
      for (int32_t op : {0, 1, 2})
        for (int64_t step : {1, 3})
          for (int64_t batch : {0, 3}) {
            SCOPED_TRACE(std::to_string(t) + " layout " + std::to_string(layout) + " op " + std::to_string(op) +
                         " step " + std::to_string(step));
            const auto shaped = [&](std::vector<int64_t> shape) {
              if (batch) shape.insert(shape.begin(), batch);
              return shape;
            };
            const int64_t m = 6, n = 9, terms = op ? m : n, rows = op ? n : m;
            const auto vector = [&](int64_t length) {
              return batch ? std::vector<int64_t>{length * step + 2, step} : std::vector<int64_t>{step};
            };
            Both a(*this, t, shaped({m, n}), strides_of(layout, shaped({m, n})), 1),
                x(*this, t, shaped({terms}), vector(terms), 2), y(*this, t, shaped({rows}), vector(rows), 3);
            const auto o = options(op);
            const long before = fake_cublas()->vector_runs;
            const bool conjugate = op == 2 && is_complex(t);
            if (conjugate && layout == 1 && step != 1) continue;  // packed, which needs a kernel
            both([&](bool on) {
              return tenon_gemv(scalar(alpha_of(t)), a.on(on), x.on(on), scalar(beta_of(t)), &o, nullptr,
                                into(y.on(on)));
            });
            EXPECT_EQ(fake_cublas()->vector_runs - before, conjugate && layout != 1 ? 0 : 1);
            runs += fake_cublas()->vector_runs - before;
            y.check();
            if (HasFatalFailure()) return;
          }
  EXPECT_GT(runs, 100);
  EXPECT_GT(fake_cublas()->plain_runs, 0) << "what its routine cannot conjugate";
}

TEST_F(CudaBlas, OuterProductsSumsAndMultiples) {
  for (uint32_t t : {TENON_FLOAT16, TENON_BFLOAT16, TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128})
    for (int64_t step : {1, 3}) {
      SCOPED_TRACE(t);
      Both x(*this, t, {50}, {step}, 1), y(*this, t, {50}, {step}, 2), a(*this, t, {50, 50}, {}, 3);
      both([&](bool on) { return tenon_axpy(scalar(alpha_of(t)), x.on(on), nullptr, nullptr, into(y.on(on))); });
      y.check();
      both([&](bool on) { return tenon_scal(scalar(alpha_of(t)), y.on(on), nullptr, nullptr, into(y.on(on))); });
      y.check();
      for (int32_t conjugate : {0, 1}) {
        tenon_blas_options o{};
        o.struct_size = sizeof o;
        o.conjugate = conjugate;
        both([&](bool on) { return tenon_ger(scalar(alpha_of(t)), x.on(on), y.on(on), &o, nullptr, into(a.on(on))); });
      }
      a.check();
      if (HasFatalFailure()) return;
    }
}

TEST_F(CudaBlas, Triangles) {
  for (uint32_t t : kFull)
    for (int of_a : {0, 1, 2})
      for (int of_b : {0, 1, 2})
        for (int32_t flags = 0; flags < 8; ++flags)
          for (int64_t batch : {0, 2, 5}) {
            const int32_t upper = flags & 1, right = flags >> 1 & 1, unit = flags >> 2;
            SCOPED_TRACE(std::to_string(t) + " of " + std::to_string(of_a) + std::to_string(of_b) + " flags " +
                         std::to_string(flags) + " batch " + std::to_string(batch));
            const auto shaped = [&](int64_t m, int64_t n) {
              return batch ? std::vector<int64_t>{batch, m, n} : std::vector<int64_t>{m, n};
            };
            const int64_t m = 5, n = 4, side = right ? n : m;
            Both a(*this, t, shaped(side, side), strides_of(of_a, shaped(side, side)), 1),
                b(*this, t, shaped(m, n), strides_of(of_b, shaped(m, n)), 2),
                c(*this, t, shaped(m, n), strides_of(of_b, shaped(m, n)), 3);
            a.make_regular();
            const bool complex = is_complex(t), same = (of_a == 1) == (of_b == 1);
            for (int32_t op : {0, 1, 2}) {
              if (op == 2 && complex && !same) continue;  // packed, which needs a kernel
              const auto o = options(op, upper, right, 0, unit);
              both([&](bool on) {
                return tenon_trsm(scalar(alpha_of(t)), a.on(on), b.on(on), &o, nullptr, into(b.on(on)));
              });
              b.check();
              both([&](bool on) {
                return tenon_trmm(scalar(alpha_of(t)), a.on(on), b.on(on), &o, nullptr, into(b.on(on)));
              });
              b.check();
              if (HasFatalFailure()) return;
            }
            for (int32_t hermitian : {0, 1}) {
              if (unit || (hermitian && complex && !same)) continue;
              const auto o = options(0, upper, right, hermitian);
              both([&](bool on) {
                return tenon_symm(scalar(alpha_of(t)), a.on(on), b.on(on), scalar(beta_of(t)), &o, nullptr,
                                  into(c.on(on)));
              });
              c.check();
              if (HasFatalFailure()) return;
            }
          }
  EXPECT_GT(fake_cublas()->list_runs, 0) << "batches of small triangles go down as lists";
}

TEST_F(CudaBlas, ProductsOfAMatrixWithItself) {
  for (uint32_t t : kFull)
    for (int of_a : {0, 1, 2})
      for (int of_c : {0, 1, 2})
        for (int32_t upper : {0, 1})
          for (int32_t hermitian : {0, 1})
            for (int32_t op : {0, 1, 2}) {
              SCOPED_TRACE(std::to_string(t) + " of " + std::to_string(of_a) + std::to_string(of_c) + " op " +
                           std::to_string(op));
              const bool complex = is_complex(t);
              if (complex && op && (op == 2) != (hermitian == 1)) continue;
              if (complex && hermitian && (of_a == 1) != (of_c == 1)) continue;  // packed
              const int64_t n = 5, k = 7;
              const std::vector<int64_t> shape = op ? std::vector<int64_t>{2, k, n} : std::vector<int64_t>{2, n, k},
                                         square = {2, n, n};
              Both a(*this, t, shape, strides_of(of_a, shape), 1), c(*this, t, square, strides_of(of_c, square), 2);
              const auto o = options(op, upper, 0, hermitian);
              const double* alpha = hermitian ? kRealAlpha : alpha_of(t);
              const double* beta = hermitian ? kRealBeta : beta_of(t);
              for (int i = 0; i < 2; ++i)
                both([&](bool on) {
                  return tenon_syrk(scalar(alpha), a.on(on), scalar(beta), &o, nullptr, into(c.on(on)));
                });
              c.check();
              if (HasFatalFailure()) return;
            }
}

TEST_F(CudaBlas, UpdatesOfRankTwo) {
  for (uint32_t t : kFull)
    for (int of_a : {0, 1, 2})
      for (int of_c : {0, 1, 2})
        for (int32_t flags = 0; flags < 4; ++flags)
          for (int32_t op : {0, 1, 2}) {
            const int32_t upper = flags & 1, hermitian = flags >> 1;
            SCOPED_TRACE(std::to_string(t) + " of " + std::to_string(of_a) + std::to_string(of_c) + " op " +
                         std::to_string(op));
            const bool complex = is_complex(t);
            if (complex && op && (op == 2) != (hermitian == 1)) continue;
            if (complex && hermitian && (of_a == 1) != (of_c == 1)) continue;  // packed, which needs a kernel
            const int64_t n = 5, k = 7;
            const std::vector<int64_t> shape = op ? std::vector<int64_t>{2, k, n} : std::vector<int64_t>{2, n, k};
            const std::vector<int64_t> square = {2, n, n};
            Both a(*this, t, shape, strides_of(of_a, shape), 1), b(*this, t, shape, strides_of(of_a, shape), 2),
                c(*this, t, square, strides_of(of_c, square), 3);
            const auto o = options(op, upper, 0, hermitian);
            const double* beta = hermitian ? kRealBeta : beta_of(t);
            both([&](bool on) {
              return tenon_syr2k(scalar(alpha_of(t)), a.on(on), b.on(on), scalar(beta), &o, nullptr, into(c.on(on)));
            });
            c.check();
            if (HasFatalFailure()) return;
          }
}

TEST_F(CudaBlas, BandedMatrices) {
  for (uint32_t t : kFull)
    for (int32_t op : {0, 1, 2})
      for (int64_t step : {1, 3}) {
        SCOPED_TRACE(std::to_string(t) + " op " + std::to_string(op) + " step " + std::to_string(step));
        const int64_t m = 7, n = 5, bands = 4;
        const auto vectors = [&](int64_t length) { return std::vector<int64_t>{length * step + 1, step}; };
        Both a(*this, t, {2, bands, n}, strides_of(1, {2, bands, n}), 1),
            x(*this, t, {2, op ? m : n}, vectors(op ? m : n), 2), y(*this, t, {2, op ? n : m}, vectors(op ? n : m), 3),
            z(*this, t, {2, n}, vectors(n), 4), w(*this, t, {2, n}, vectors(n), 5);
        auto o = options(op);
        o.below = 2;
        both([&](bool on) {
          return tenon_gbmv(scalar(alpha_of(t)), a.on(on), x.on(on), scalar(beta_of(t)), &o, nullptr, into(y.on(on)));
        });
        y.check();
        for (int32_t upper : {0, 1}) {
          const auto of_symmetric = options(0, upper, 0, is_complex(t));
          both([&](bool on) {
            return tenon_sbmv(scalar(alpha_of(t)), a.on(on), z.on(on), scalar(beta_of(t)), &of_symmetric, nullptr,
                              into(w.on(on)));
          });
          w.check();
        }
        if (HasFatalFailure()) return;
      }
}

TEST_F(CudaBlas, BandedTriangles) {
  for (uint32_t t : kFull)
    for (int32_t op : {0, 1, 2})
      for (int32_t flags = 0; flags < 4; ++flags)
        for (int64_t step : {1, 3}) {
          const int32_t upper = flags & 1, unit = flags >> 1;
          SCOPED_TRACE(std::to_string(t) + " op " + std::to_string(op) + " flags " + std::to_string(flags));
          const int64_t n = 6, bands = 3;
          Both a(*this, t, {2, bands, n}, strides_of(1, {2, bands, n}), 1),
              y(*this, t, {2, n}, {n * step + 1, step}, 2);  // in place: copies with steps need a kernel
          for (Numbers* one : {&a.host, &a.there}) {         // a main diagonal by which division is possible
            for (int64_t g = 0; g < 2; ++g)
              for (int64_t j = 0; j < n; ++j) one->set({g, upper ? bands - 1 : 0, j}, 3);
            one->push();
          }
          const auto o = options(op, upper, 0, 0, unit);
          both([&](bool on) { return tenon_tbmv(a.on(on), y.on(on), &o, nullptr, into(y.on(on))); });
          y.check();
          both([&](bool on) { return tenon_tbsv(a.on(on), y.on(on), &o, nullptr, into(y.on(on))); });
          y.check();
          if (HasFatalFailure()) return;
        }
}

TEST_F(CudaBlas, SumsOfMatrices) {
  for (uint32_t t : kFull)
    for (int layouts = 0; layouts < 27; ++layouts)
      for (int32_t ops = 0; ops < 9; ++ops) {
        const int of_a = layouts % 3, of_b = layouts / 3 % 3, of_c = layouts / 9;
        auto o = options(ops % 3);
        o.op_b = ops / 3;
        SCOPED_TRACE(std::to_string(t) + " layouts " + std::to_string(layouts) + " ops " + std::to_string(ops));
        const bool by_columns = of_c == 1, complex = is_complex(t);
        if (complex && ((o.op == 2 && (of_a == 1) != by_columns) || (o.op_b == 2 && (of_b == 1) != by_columns)))
          continue;
        const auto shaped = [](int32_t op) {
          return op ? std::vector<int64_t>{2, 4, 6} : std::vector<int64_t>{2, 6, 4};
        };
        Both a(*this, t, shaped(o.op), strides_of(of_a, shaped(o.op)), 1),
            b(*this, t, shaped(o.op_b), strides_of(of_b, shaped(o.op_b)), 2),
            c(*this, t, {2, 6, 4}, strides_of(of_c, {2, 6, 4}), 3);
        for (bool with_b : {true, false}) {
          const auto used = with_b ? o : options(o.op);
          both([&](bool on) {
            if (!with_b)
              return tenon_geam(scalar(alpha_of(t)), a.on(on), nullptr, nullptr, &used, nullptr, into(c.on(on)));
            return tenon_geam(scalar(alpha_of(t)), a.on(on), scalar(beta_of(t)), b.on(on), &used, nullptr,
                              into(c.on(on)));
          });
          c.check();
        }
        if (HasFatalFailure()) return;
      }
}

// Factors in device memory, read when the work runs: one of them, or both.
TEST_F(CudaBlas, FactorsOnTheDevice) {
  for (uint32_t t : kFull)
    for (int which : {1, 2, 3}) {
      SCOPED_TRACE(std::to_string(t) + " which " + std::to_string(which));
      Both a(*this, t, {5, 5}, {}, 1), b(*this, t, {5, 5}, {}, 2), c(*this, t, {5, 5}, {}, 3), x(*this, t, {5}, {}, 4),
          y(*this, t, {5}, {}, 5), alpha(*this, t, {}, {}, 6), beta(*this, t, {}, {}, 7),
          bands(*this, t, {3, 5}, {1, 3}, 8);
      a.make_regular();
      for (auto [both_of, value] : {std::pair{&alpha, alpha_of(t)}, {&beta, beta_of(t)}})
        for (Numbers* one : {&both_of->host, &both_of->there}) {
          one->set({}, Complex(value[0], value[1]));
          one->push();
        }
      // The CPU gets numbers, so that the test does not compare a code path with itself.
      const auto factor = [&](bool on, int bit, const Both& array, const double* value) -> tenon_arg {
        if (!on || !(which & bit)) return *static_cast<const tenon_arg*>(scalar(value));
        return TENON_ARRAY_ARG(array.on(true));
      };
      long before = fake_cublas()->device_factors;
      const auto check = [&](Both& result, bool has_beta,
                             const std::function<int32_t(bool, const tenon_arg*, const tenon_arg*)>& call) {
        both([&](bool on) {
          const tenon_arg up = factor(on, 1, alpha, alpha_of(t)), keep = factor(on, 2, beta, beta_of(t));
          return call(on, &up, &keep);
        });
        result.check();
        const bool any = (which & 1) || (has_beta && which);
        EXPECT_EQ(fake_cublas()->device_factors - before, any ? 1 : 0);
        before = fake_cublas()->device_factors;
      };
      const auto h = options(0, 0, 0, is_complex(t));
      auto band = options();
      band.below = 1;
      check(c, true, [&](bool on, auto* up, auto* keep) {
        return tenon_gemm(up, a.on(on), b.on(on), keep, nullptr, nullptr, into(c.on(on)));
      });
      check(y, true, [&](bool on, auto* up, auto* keep) {
        return tenon_gemv(up, a.on(on), x.on(on), keep, nullptr, nullptr, into(y.on(on)));
      });
      check(c, true, [&](bool on, auto* up, auto* keep) {
        return tenon_syrk(up, a.on(on), keep, nullptr, nullptr, into(c.on(on)));
      });
      check(c, true, [&](bool on, auto* up, auto* keep) {
        return tenon_syr2k(up, a.on(on), b.on(on), keep, nullptr, nullptr, into(c.on(on)));
      });
      check(c, true, [&](bool on, auto* up, auto* keep) {
        return tenon_symm(up, a.on(on), b.on(on), keep, nullptr, nullptr, into(c.on(on)));
      });
      check(c, true, [&](bool on, auto* up, auto* keep) {
        return tenon_geam(up, a.on(on), keep, b.on(on), nullptr, nullptr, into(c.on(on)));
      });
      check(y, true, [&](bool on, auto* up, auto* keep) {
        return tenon_gbmv(up, bands.on(on), x.on(on), keep, &band, nullptr, into(y.on(on)));
      });
      check(y, true, [&](bool on, auto* up, auto* keep) {
        return tenon_sbmv(up, bands.on(on), x.on(on), keep, &h, nullptr, into(y.on(on)));
      });
      check(c, false, [&](bool on, auto* up, auto*) {
        return tenon_trmm(up, a.on(on), c.on(on), nullptr, nullptr, into(c.on(on)));
      });
      check(c, false, [&](bool on, auto* up, auto*) {
        return tenon_trsm(up, a.on(on), c.on(on), nullptr, nullptr, into(c.on(on)));
      });
      if (HasFatalFailure()) return;
    }
}

// Lists of products on both devices.
class CudaLists : public CudaBlas {
 protected:
  std::vector<std::unique_ptr<Both>> a, b, c;
  void add(uint32_t t, int64_t m, int64_t n, int64_t k, int layout = 0, uint32_t result = 0) {
    const uint64_t seed = a.size() * 3 + 1;
    a.push_back(std::make_unique<Both>(*this, t, std::vector<int64_t>{m, k}, strides_of(layout, {m, k}), seed));
    b.push_back(std::make_unique<Both>(*this, t, std::vector<int64_t>{k, n}, strides_of(layout, {k, n}), seed + 1));
    c.push_back(std::make_unique<Both>(*this, result ? result : t, std::vector<int64_t>{m, n},
                                       strides_of(layout, {m, n}), seed + 2));
  }
  int32_t run(bool on, tenon_stream* stream = nullptr) {
    std::vector<const tenon_array*> left, right;
    std::vector<tenon_array*> results;
    for (size_t i = 0; i < a.size(); ++i)
      left.push_back(a[i]->on(on)), right.push_back(b[i]->on(on)), results.push_back(c[i]->on(on));
    const uint32_t t = info(left[0]).dtype;
    return tenon_gemm_grouped(int64_t(a.size()), scalar(alpha_of(t)), left.data(), right.data(), scalar(beta_of(t)),
                              nullptr, stream, results.data());
  }
  void check() {
    for (auto& one : c) one->check();
  }
};

TEST_F(CudaLists, AlikeProductsAreOneCall) {
  for (uint32_t t : {TENON_FLOAT16, TENON_BFLOAT16, TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128}) {
    SCOPED_TRACE(t);
    a.clear(), b.clear(), c.clear();
    for (int i = 0; i < 9; ++i) add(t, 5, 6, 7, i % 3 == 2 ? 1 : 0);
    const long lists = fake_cublas()->list_runs, plain = fake_cublas()->plain_runs,
               grouped = fake_cublas()->grouped_runs;
    both([&](bool on) { return run(on); });
    const bool real = t == TENON_FLOAT32 || t == TENON_FLOAT64;
    EXPECT_EQ(fake_cublas()->grouped_runs - grouped, real ? 1 : 0) << "those by rows and those by columns";
    EXPECT_EQ(fake_cublas()->list_runs - lists, real ? 0 : 2);
    EXPECT_EQ(fake_cublas()->plain_runs, plain);
    check();
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaLists, DifferentProductsAreGroupsWhereTheLibraryHasThem) {
  for (uint32_t t : {TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64}) {
    a.clear(), b.clear(), c.clear();
    for (int64_t i = 0; i < 12; ++i) add(t, 3 + i % 4, 5, 7 + i % 2, int(i % 3));
    add(t, 0, 5, 3);
    add(t, 4, 1, 9);
    const long grouped = fake_cublas()->grouped_runs;
    both([&](bool on) { return run(on); });
    EXPECT_EQ(fake_cublas()->grouped_runs - grouped, t == TENON_COMPLEX64 ? 0 : 1);
    check();
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaLists, GroupsThatTheLibraryRefusesAreDoneOneAfterAnother) {
  for (int64_t i = 0; i < 4; ++i) add(TENON_FLOAT32, 3 + i, 5, 7);
  fake_cublas()->refuses = true;
  both([&](bool on) { return run(on); });
  EXPECT_EQ(fake_cublas()->grouped_runs, 0);
  EXPECT_EQ(fake_cublas()->plain_runs, 4);
  check();
}

// Results that are made share an allocation; each lies as memory of its own would, which the GPU's kernels count on.
TEST_F(CudaLists, ResultsThatAreMadeAreAligned) {
  for (int i = 0; i < 5; ++i) add(TENON_FLOAT32, 5, 6, 7);
  std::vector<tenon_array*> left, right, made(a.size(), nullptr);
  for (size_t i = 0; i < a.size(); ++i) left.push_back(a[i]->on(true)), right.push_back(b[i]->on(true));
  OK(tenon_gemm_grouped(int64_t(a.size()), nullptr, left.data(), right.data(), nullptr, nullptr, nullptr, made.data()));
  for (tenon_array* one : made) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(info(one).data) % 256, 0u);
    tenon_array_release(one);
  }
}

TEST_F(CudaLists, HalvesIntoSingles) {
  for (int i = 0; i < 4; ++i) add(TENON_FLOAT16, 5, 6, 7, 0, TENON_FLOAT32);
  const long lists = fake_cublas()->list_runs;
  both([&](bool on) { return run(on); });
  EXPECT_EQ(fake_cublas()->list_runs - lists, 1);
  check();
}

TEST_F(CudaLists, AGraphKeepsTheListsOfAddresses) {
  for (int i = 0; i < 5; ++i) add(TENON_FLOAT32, 5, 6, 7);
  for (int i = 0; i < 3; ++i) add(TENON_FLOAT32, 2 + i, 3, 4);
  Both triangles(*this, TENON_FLOAT64, {8, 4, 4}, {}, 90), sides(*this, TENON_FLOAT64, {8, 4, 2}, {}, 91),
      x(*this, TENON_FLOAT64, {4}, {}, 92), y(*this, TENON_FLOAT64, {4}, {}, 93),
      square(*this, TENON_FLOAT64, {4, 4}, {}, 94);
  triangles.make_regular();
  square.make_regular();
  const double half[] = {0.5, 0};
  const auto work = [&](bool on, tenon_stream* stream) {
    EXPECT_OK(run(on, stream));
    EXPECT_OK(tenon_trsm(nullptr, triangles.on(on), sides.on(on), nullptr, stream, into(sides.on(on))));
    EXPECT_OK(tenon_gemv(scalar(half), square.on(on), x.on(on), scalar(half), nullptr, stream, into(y.on(on))));
    EXPECT_OK(tenon_axpy(scalar(half), y.on(on), nullptr, stream, into(x.on(on))));
    EXPECT_OK(tenon_scal(scalar(half), y.on(on), nullptr, stream, into(y.on(on))));
  };
  for (int round = 0; round < 3; ++round) work(false, nullptr);
  tenon_graph* graph = nullptr;
  tenon_stream* recording = nullptr;
  OK(tenon_graph_create(gpu.get(), &graph));
  OK(tenon_graph_begin(graph, &recording));
  work(true, recording);
  OK(tenon_graph_end(graph));
  tenon_stream_release(recording);
  for (int round = 0; round < 3; ++round) OK(tenon_graph_launch(graph, nullptr));
  check();
  sides.check();
  x.check();
  y.check();
  tenon_graph_release(graph);
}

TEST_F(CudaLists, StreamsWaitForEachOther) {
  for (int i = 0; i < 3; ++i) add(TENON_FLOAT64, 5, 5, 5);
  Both triangle(*this, TENON_FLOAT64, {5, 5}, {}, 50);
  triangle.make_regular();
  tenon_stream* streams[2] = {};
  for (tenon_stream*& stream : streams) OK(tenon_stream_create(gpu.get(), nullptr, &stream));
  for (int i = 0; i < 4; ++i)
    for (bool on : {false, true}) {
      EXPECT_OK(run(on, on ? streams[i % 2] : nullptr));
      for (auto& one : c)
        EXPECT_OK(tenon_trsm(nullptr, triangle.on(on), one->on(on), nullptr, on ? streams[(i + 1) % 2] : nullptr,
                             into(one->on(on))));
    }
  check();
  for (tenon_stream* stream : streams) tenon_stream_release(stream);
}

TEST_F(CudaLists, AnyDriverCallMayFailAndTheNextCallIsRight) {
  for (int i = 0; i < 3; ++i) add(TENON_FLOAT64, 5, 5, 5);
  for (int i = 0; i < 2; ++i) add(TENON_FLOAT64, 2 + i, 3, 4);
  Both triangles(*this, TENON_FLOAT64, {6, 4, 4}, {}, 90), sides(*this, TENON_FLOAT64, {6, 4, 2}, {}, 91);
  triangles.make_regular();
  const auto work = [&](bool on) {
    const int32_t status = run(on);
    return status ? status : tenon_trsm(nullptr, triangles.on(on), sides.on(on), nullptr, nullptr, into(sides.on(on)));
  };
  for (int i = 0; i < 2; ++i) both(work);  // afterwards everything is loaded
  EXPECT_OK(tenon_device_synchronize(gpu.get()));
  const long before = fake_cuda()->calls;
  both(work);
  EXPECT_OK(tenon_device_synchronize(gpu.get()));
  const long calls = fake_cuda()->calls - before, blocks = fake_cuda()->blocks;
  ASSERT_GT(calls, 1);
  int failed = 0;
  for (long n = 1; n <= calls; ++n) {
    fake_cuda()->fail_at = n;
    fake_cuda()->fail_code = 2;
    int32_t status = run(true);
    const bool products = status == TENON_OK;
    if (products)
      status = tenon_trsm(nullptr, triangles.on(true), sides.on(true), nullptr, nullptr, into(sides.on(true)));
    fake_cuda()->fail_at = 0;
    failed += status != TENON_OK;
    EXPECT_TRUE(!status || *tenon_error_last_message());
    if (products) {  // completed work is complete, and failed work was not done at all
      OK(run(false));
    }
    if (status == TENON_OK) {
      OK(tenon_trsm(nullptr, triangles.on(false), sides.on(false), nullptr, nullptr, into(sides.on(false))));
    }
    EXPECT_OK(tenon_device_synchronize(gpu.get()));
    EXPECT_LE(fake_cuda()->blocks, blocks) << fake_cuda()->failed_call;
    check();
    sides.check();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(failed, 0);
}

}  // namespace
