// tests/cuda/numerics/matmul.cpp: products by cuBLASLt on a driver and libraries that multiply on the host: what is
// fused, kept and measured, and what stays with cuBLAS.
#include <tenon/linalg.h>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include "backend/cuda/graph.hpp"
#include "backend/cuda/linalg/matmul/matmul.hpp"
#include "base/float8.hpp"
#include "base/half.hpp"
#include "../cuda_support.hpp"
#include "fake_cuda/blas/cublas.hpp"

namespace fake {
namespace {

// Numbers for which every sum here is exact in float16: small integers, also in float8.
struct Numbers {
  Dtype dtype;
  std::vector<double> values;
  std::vector<char> bytes;
};

void put(Dtype dtype, char* to, double x) {
  const float f = float(x);
  const uint16_t half = base::float_to_half(f), bfloat = base::float_to_bfloat(f);
  uint8_t eight = 0;
  const auto& table = dtype == TENON_FLOAT8_E5M2 ? base::kFloat8E5M2 : base::kFloat8E4M3FN;
  while (dtype_float8(dtype) && table[eight] != f) ++eight;
  switch (dtype) {
    case TENON_FLOAT16: memcpy(to, &half, 2); break;
    case TENON_BFLOAT16: memcpy(to, &bfloat, 2); break;
    case TENON_FLOAT32: memcpy(to, &f, 4); break;
    case TENON_FLOAT64: memcpy(to, &x, 8); break;
    default: memcpy(to, &eight, 1);
  }
}

double get(Dtype dtype, const char* from) {
  uint16_t half;
  float f;
  double d;
  switch (dtype) {
    case TENON_FLOAT16: return memcpy(&half, from, 2), base::half_to_float(half);
    case TENON_BFLOAT16: return memcpy(&half, from, 2), base::bfloat_to_float(half);
    case TENON_FLOAT32: return memcpy(&f, from, 4), double(f);
    default: return memcpy(&d, from, 8), d;
  }
}

Numbers numbers(Dtype dtype, int64_t count, unsigned seed, int most = 2) {
  std::mt19937 random(seed);
  Numbers out{dtype, {}, std::vector<char>(size_t(count) * dtype_bytes(dtype))};
  for (int64_t i = 0; i < count; ++i) {
    out.values.push_back(double(int(random() % unsigned(2 * most + 1)) - most));
    put(dtype, out.bytes.data() + size_t(i) * dtype_bytes(dtype), out.values.back());
  }
  return out;
}

struct Case {
  Dtype a = TENON_FLOAT16, b = TENON_FLOAT16, c = TENON_FLOAT16;
  int64_t m = 16, n = 32, k = 16, batch = 1;
  int32_t epilogue = TENON_EPILOGUE_NONE;
  bool biased = false, tune = false;
  double alpha = 1, beta = 0;
};

class CudaMatmul : public Cuda {
 protected:
  void SetUp() override {
    Cuda::SetUp();
    *fake_cublas() = FakeCublas();
  }
  void TearDown() override {
    EXPECT_EQ(fake_cublas()->misuses, 0) << fake_cublas()->misuse;
    Cuda::TearDown();
  }
};

// A case in device memory: a' is k x m, b k x n, c m x n, each column-major.
struct Product {
  World& world;
  Case x;
  Numbers a, b, c, bias;
  cuda::Scratch at_a, at_b, at_c, at_bias;
  GemmProblem p{};

  Product(World& w, const Case& given)
      : world(w),
        x(given),
        a(numbers(x.a, x.k * x.m * x.batch, 1)),
        b(numbers(x.b, x.k * x.n * x.batch, 2)),
        c(numbers(x.c, x.m * x.n * x.batch, 3)),
        bias(numbers(x.c, x.m, 4, 8)),
        at_a(w.device, a.bytes.size(), w.stream()),
        at_b(w.device, b.bytes.size(), w.stream()),
        at_c(w.device, c.bytes.size(), w.stream()),
        at_bias(w.device, bias.bytes.size() + 32, w.stream()) {
    for (auto [memory, host] : {std::pair{&at_a, &a}, {&at_b, &b}, {&at_c, &c}, {&at_bias, &bias}})
      w.device.upload(memory->data(), host->bytes.data(), host->bytes.size(), false, w.stream());
    p.dtype = x.a, p.other = x.b, p.result = x.c;
    p.m = x.m, p.n = x.n, p.k = x.k, p.batch = x.batch;
    p.op_a = Op::transpose, p.op_b = Op::none;
    p.a = at_a.data(), p.b = at_b.data(), p.c = at_c.data();
    p.lda = p.ldb = x.k, p.ldc = x.m;
    p.stride_a = x.k * x.m, p.stride_b = x.k * x.n, p.stride_c = x.m * x.n;
    p.alpha = x.alpha, p.beta = x.beta;
    p.epilogue = x.epilogue, p.bias = x.biased ? at_bias.data() : nullptr;
    p.tune = x.tune;
  }

  bool run() { return cuda::matmul_lt(world.device, p, world.stream()); }

  // Compares c with the product computed from its old contents; fails at the first element that differs.
  void check(const std::vector<double>& before) {
    std::vector<char> got(c.bytes.size());
    world.device.download(got.data(), at_c.data(), got.size(), false, world.stream());
    for (int64_t g = 0; g < x.batch; ++g)
      for (int64_t j = 0; j < x.n; ++j)
        for (int64_t i = 0; i < x.m; ++i) {
          const size_t at = size_t((g * x.n + j) * x.m + i);
          double want = 0;
          for (int64_t l = 0; l < x.k; ++l)
            want += a.values[size_t((g * x.m + i) * x.k + l)] * b.values[size_t((g * x.n + j) * x.k + l)];
          want = x.alpha * want + x.beta * before[at] + (x.biased ? bias.values[size_t(i)] : 0);
          if (x.epilogue == TENON_EPILOGUE_RELU) want = std::max(want, 0.0);
          if (x.epilogue == TENON_EPILOGUE_GELU)
            want = 0.5 * want * (1 + std::tanh(std::sqrt(2 / M_PI) * (want + 0.044715 * want * want * want)));
          const double bound = x.epilogue == TENON_EPILOGUE_GELU ? 0.01 * (std::abs(want) + 1e-3) : 0;
          const double value = get(x.c, got.data() + at * dtype_bytes(x.c));
          ASSERT_LE(std::abs(value - want), bound) << g << ", " << i << ", " << j << " is not " << want;
        }
  }
  void check() { check(c.values); }
};

nlohmann::json plans(World& world) { return nlohmann::json::parse(cuda::matmul_plans_report(world.device)); }

TEST_F(CudaMatmul, DoesBiasAndActivationWithinTheProduct) {
  World world;
  for (const auto& [t, c] : {std::pair{TENON_FLOAT16, TENON_FLOAT16},
                             {TENON_BFLOAT16, TENON_BFLOAT16},
                             {TENON_FLOAT32, TENON_FLOAT32},
                             {TENON_FLOAT16, TENON_FLOAT32}})
    for (int32_t epilogue : {TENON_EPILOGUE_NONE, TENON_EPILOGUE_RELU, TENON_EPILOGUE_GELU})
      for (bool biased : {false, true})
        for (int64_t batch : {1, 3}) {
          if ((!epilogue && !biased) || (epilogue == TENON_EPILOGUE_GELU && c == TENON_FLOAT32)) continue;
          SCOPED_TRACE(dtype_name(t) + " " + dtype_name(c) + " " + std::to_string(epilogue) + (biased ? " bias" : "") +
                       " x" + std::to_string(batch));
          Product product(world, {.a = t,
                                  .b = t,
                                  .c = c,
                                  .m = 5,
                                  .n = 7,
                                  .k = 9,
                                  .batch = batch,
                                  .epilogue = epilogue,
                                  .biased = biased,
                                  .alpha = 2,
                                  .beta = -1});
          ASSERT_TRUE(product.run());
          EXPECT_EQ(fake_cublas()->last_epilogue, (biased ? 4u : 0u) | (epilogue == TENON_EPILOGUE_RELU   ? 2u
                                                                        : epilogue == TENON_EPILOGUE_GELU ? 32u
                                                                                                          : 0u));
          product.check();
          if (HasFatalFailure()) return;
        }
  EXPECT_EQ(fake_cublas()->plain_runs, 0);
}

TEST_F(CudaMatmul, WhatItCannotDoIsLeftToCublasAndThePass) {
  World world;
  const Case relu{.epilogue = TENON_EPILOGUE_RELU, .biased = true};
  Product of_columns(world, relu), misaligned(world, relu), plain(world, {});
  of_columns.p.bias_of_columns = true;
  misaligned.p.bias = static_cast<const char*>(misaligned.p.bias) + 2;
  Product wide(world, {.a = TENON_FLOAT64, .b = TENON_FLOAT64, .c = TENON_FLOAT64, .epilogue = TENON_EPILOGUE_RELU});
  Product precise(world, {.a = TENON_FLOAT32, .b = TENON_FLOAT32, .c = TENON_FLOAT32, .epilogue = TENON_EPILOGUE_GELU});
  for (Product* one : {&of_columns, &misaligned, &plain, &wide, &precise}) EXPECT_FALSE(one->run());
  EXPECT_EQ(fake_cublas()->asked, 0);
  fake_cublas()->offers = 0;
  Product none(world, relu);
  EXPECT_FALSE(none.run());
  EXPECT_FALSE(none.run());
  EXPECT_EQ(fake_cublas()->asked, 1) << "that there is nothing is kept too";
  fake_cublas()->offers = 1;
  fake_cublas()->refuses = true;
  Product refused(world, {.m = 48, .biased = true});
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(refused.run());
  EXPECT_EQ(fake_cublas()->asked, 2);
  EXPECT_EQ(fake_cublas()->runs, 1);
}

TEST_F(CudaMatmul, AsksOncePerKindAndCountsIt) {
  World world;
  const Case bias{.biased = true};
  Product first(world, bias), second(world, bias);
  for (Product* one : {&first, &second, &first}) ASSERT_TRUE(one->run());
  first.check();
  second.check();
  EXPECT_EQ(fake_cublas()->asked, 1);
  Product added(world, {.biased = true, .beta = 1}), high(world, {.m = 32, .biased = true});
  ASSERT_TRUE(added.run() && high.run());
  EXPECT_EQ(fake_cublas()->asked, 3);
  EXPECT_EQ(
      plans(world),
      (nlohmann::json{{"kept", 3}, {"limit", 256}, {"hits", 2}, {"misses", 3}, {"evictions", 0}, {"measured", 0}}));
  for (int64_t m = 1; m <= 300; ++m) {
    Product one(world, {.m = m, .n = 1, .k = 1, .biased = true});
    ASSERT_TRUE(one.run());
  }
  EXPECT_EQ(plans(world)["kept"], 256);
  EXPECT_EQ(plans(world)["evictions"], 303 - 256);
  world.stream().synchronize();
}

TEST_F(CudaMatmul, ReluIsFusedWhereItKeepsNanAndTriedOncePerAlgorithm) {
  World world;
  fake_cublas()->keeps_nan[0] = false;
  Product relu(world, {.epilogue = TENON_EPILOGUE_RELU});
  ASSERT_TRUE(relu.run());
  EXPECT_EQ(fake_cublas()->last_algorithm, 1);
  EXPECT_EQ(fake_cublas()->runs, 3) << "two trials and the product";
  relu.check();
  Product other(world, {.n = 48, .epilogue = TENON_EPILOGUE_RELU, .beta = 1});
  ASSERT_TRUE(other.run());
  EXPECT_EQ(fake_cublas()->runs, 4) << "both algorithms are known";
  other.check();
  for (bool& keeps : fake_cublas()->keeps_nan) keeps = false;
  Product narrow(world,
                 {.a = TENON_BFLOAT16, .b = TENON_BFLOAT16, .c = TENON_BFLOAT16, .epilogue = TENON_EPILOGUE_RELU});
  EXPECT_FALSE(narrow.run());
  EXPECT_NE(fake_cublas()->last_result, narrow.p.c) << "trials are not made on the caller's result";
  Product bias(world, {.a = TENON_BFLOAT16, .b = TENON_BFLOAT16, .c = TENON_BFLOAT16, .biased = true});
  EXPECT_TRUE(bias.run());
  world.stream().synchronize();
}

TEST_F(CudaMatmul, TuningKeepsTheFastestAndLeavesTheResultAlone) {
  World world;
  Product tuned(world,
                {.a = TENON_FLOAT32, .b = TENON_FLOAT32, .c = TENON_FLOAT32, .tune = true, .alpha = 3, .beta = 2});
  ASSERT_TRUE(tuned.run());
  EXPECT_EQ(fake_cublas()->last_algorithm, 1);
  EXPECT_EQ(fake_cublas()->last_result, tuned.p.c);
  tuned.check();
  const long runs = fake_cublas()->runs, plain = fake_cublas()->plain_runs;
  EXPECT_GT(plain, 0) << "cuBLAS takes part";
  ASSERT_TRUE(tuned.run());
  EXPECT_EQ(fake_cublas()->runs, runs + 1);
  EXPECT_EQ(fake_cublas()->plain_runs, plain);
  EXPECT_EQ(plans(world)["measured"], 1);
  tuned.p.tune = false;
  EXPECT_FALSE(tuned.run()) << "a plain product that does not ask stays with cuBLAS";

  fake_cublas()->plain_steps = 1;
  fake_cublas()->steps[1] = 3;
  Product by_cublas(world, {.m = 48, .tune = true, .beta = 1});
  ASSERT_TRUE(by_cublas.run());
  by_cublas.check();
  const long before = fake_cublas()->plain_runs;
  ASSERT_TRUE(by_cublas.run());
  EXPECT_EQ(fake_cublas()->plain_runs, before + 1);
  world.stream().synchronize();
}

TEST_F(CudaMatmul, TuningReplacesWhatWasChosenUnmeasuredAndMindsNan) {
  World world;
  fake_cublas()->keeps_nan[1] = false;
  Product relu(world, {.epilogue = TENON_EPILOGUE_RELU, .biased = true});
  ASSERT_TRUE(relu.run());
  EXPECT_EQ(fake_cublas()->last_algorithm, 0);
  relu.p.tune = true;
  ASSERT_TRUE(relu.run());
  EXPECT_EQ(fake_cublas()->last_algorithm, 2) << "1 is faster and drops NaN";
  relu.p.tune = false;
  ASSERT_TRUE(relu.run());
  EXPECT_EQ(fake_cublas()->last_algorithm, 2);
  relu.check();
}

TEST_F(CudaMatmul, WithoutMemoryForTrialsTheProductIsDoneAllTheSame) {
  Settings settings;
  settings.flags = TENON_CONTEXT_NO_POOL;
  World world(settings);
  Product tuned(world, {.m = 256, .n = 256, .biased = true, .tune = true});
  const Dtype narrow = TENON_BFLOAT16;
  Product relu(world, {.a = narrow, .b = narrow, .c = narrow, .m = 256, .n = 256, .epilogue = TENON_EPILOGUE_RELU});
  world.stream().synchronize();
  driver().memory_limit = driver().device_bytes + (uint64_t(32) << 20) + 4096;  // a workspace
  EXPECT_TRUE(tuned.run());
  EXPECT_FALSE(relu.run()) << "nobody knows what becomes of NaN";
  EXPECT_EQ(plans(world)["measured"], 0);
  tuned.check();
}

TEST_F(CudaMatmul, Float8) {
  World world;
  for (const auto& [a, b] : {std::pair{TENON_FLOAT8_E4M3FN, TENON_FLOAT8_E4M3FN},
                             {TENON_FLOAT8_E4M3FN, TENON_FLOAT8_E5M2},
                             {TENON_FLOAT8_E5M2, TENON_FLOAT8_E4M3FN}})
    for (Dtype c : {TENON_FLOAT16, TENON_BFLOAT16, TENON_FLOAT32})
      for (int64_t batch : {1, 2}) {
        Product product(world,
                        {.a = a, .b = b, .c = c, .m = 32, .n = 16, .k = 32, .batch = batch, .alpha = 0.5, .beta = 1});
        ASSERT_TRUE(product.run());
        product.check();
        if (HasFatalFailure()) return;
      }
  const Dtype e4m3 = TENON_FLOAT8_E4M3FN;
  Product half(world, {.a = e4m3, .b = e4m3, .c = TENON_FLOAT16, .epilogue = TENON_EPILOGUE_RELU, .biased = true});
  EXPECT_TRUE(half.run());
  half.check();
  Product single(world, {.a = e4m3, .b = e4m3, .c = TENON_FLOAT32, .biased = true});
  EXPECT_FALSE(single.run()) << "the library takes no bias of float32 there";
  single.x.biased = false;
  cuda::matmul_float8(world.device, single.p, world.stream());
  single.check();
  Product odd(world, {.a = e4m3, .b = e4m3, .c = TENON_FLOAT32, .k = 24});
  EXPECT_FALSE(cuda::packed_form(odd.p));
  EXPECT_FALSE(odd.run());
  std::string message;
  fake_cublas()->offers = 0;
  Product none(world, {.a = e4m3, .b = e4m3, .c = TENON_FLOAT32, .m = 64});
  EXPECT_EQ(status_of([&] { world.device.run(none.p, world.stream()); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("use operands of float16"), std::string::npos) << message;
}

TEST_F(CudaMatmul, Float8NeedsADeviceThatHasIt) {
  setenv("FAKE_CUDA_ARCH", "86", 1);
  World world;
  unsetenv("FAKE_CUDA_ARCH");
  Product product(world, {.a = TENON_FLOAT8_E4M3FN, .b = TENON_FLOAT8_E4M3FN, .c = TENON_FLOAT32});
  std::string message;
  EXPECT_EQ(status_of([&] { world.device.run(product.p, world.stream()); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("needs compute capability 8.9 or later, and cuda:0 has 8.6"), std::string::npos) << message;
  world.stream().synchronize();
}

TEST_F(CudaMatmul, GoesIntoAGraphMeasuredOutsideOfTheCapture) {
  World world;
  Product relu(world, {.epilogue = TENON_EPILOGUE_RELU, .biased = true, .tune = true});
  Product plain(world, {.a = TENON_FLOAT32, .b = TENON_FLOAT32, .c = TENON_FLOAT32, .tune = true});
  std::vector<RecordedWork> pieces(2);
  pieces[0].name = pieces[1].name = "gemm";
  pieces[0].run = [&](Stream& stream) { world.device.run(relu.p, stream); };
  pieces[1].run = [&](Stream& stream) { world.device.run(plain.p, stream); };
  world.stream().synchronize();
  {
    const auto replay = world.device.make_replay(pieces);
    EXPECT_EQ(plans(world)["measured"], 2);
    EXPECT_EQ(fake_cublas()->last_algorithm, 1);
    for (int i = 0; i < 2; ++i) replay->launch(world.stream());
    relu.check();
    plain.check();
  }
  world.stream().synchronize();
}

TEST_F(CudaMatmul, WhileAnotherLibraryCapturesNothingIsMeasured) {
  World world;
  Product bias(world, {.biased = true}), relu(world, {.epilogue = TENON_EPILOGUE_RELU});
  Ref<Stream> stream = world.device.create_stream(0);
  stream->native();  // now another library may know it
  world.stream().synchronize();
  ASSERT_TRUE(cuda::matmul_lt(world.device, bias.p, *stream));  // from now on the workspace is in the stream's bins
  stream->synchronize();
  bias.p.tune = true;
  const cuda::Driver& table = world.device.driver();
  auto scope = world.device.activate();
  ASSERT_EQ(table.cuStreamBeginCapture(cuda::handle_of(*stream), cuda::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), 0);
  EXPECT_TRUE(cuda::matmul_lt(world.device, bias.p, *stream));
  std::string message;
  EXPECT_EQ(status_of([&] { cuda::matmul_lt(world.device, relu.p, *stream); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("before the capture"), std::string::npos) << message;
  cuda::CUgraph graph = nullptr;
  ASSERT_EQ(table.cuStreamEndCapture(cuda::handle_of(*stream), &graph), 0);
  table.cuGraphDestroy(graph);
  EXPECT_EQ(plans(world)["measured"], 0);
  ASSERT_TRUE(bias.run());
  EXPECT_EQ(plans(world)["measured"], 1) << "it is made up for";
  bias.check();
}

TEST_F(CudaMatmul, ThreadsAndStreamsShareWhatIsKept) {
  World world;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        const int32_t epilogue = i % 2 ? TENON_EPILOGUE_RELU : TENON_EPILOGUE_NONE;
        Product one(world, {.m = 16 * (1 + i % 3), .epilogue = epilogue, .biased = true, .tune = t == 0});
        if (!one.run()) ++wrong;
        one.check();
        if (HasFatalFailure()) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The fake libraries detect handles that two calls use, and work areas that two streams use.
TEST_F(CudaMatmul, ConcurrentStreamsAndThreadsShareNoHandleAndNoWorkspace) {
  World world;
  constexpr size_t kStreams = 6;
  std::vector<Ref<Stream>> streams;
  std::vector<std::unique_ptr<Product>> products;
  for (size_t i = 0; i < kStreams; ++i) {
    streams.push_back(world.device.create_stream(0));
    products.push_back(std::make_unique<Product>(world, Case{.epilogue = TENON_EPILOGUE_RELU, .biased = true}));
  }
  world.device.synchronize();
  const auto work = [&](size_t first, size_t count, unsigned seed, int rounds) {
    std::mt19937 random(seed);
    for (int i = 0; i < rounds; ++i) {
      const size_t at = first + random() % count;
      Product& one = *products[at];
      GemmProblem p = one.p;
      if (random() % 2) p.epilogue = TENON_EPILOGUE_NONE, p.bias = nullptr;  // one by cuBLAS, the other by cuBLASLt
      world.device.run(p, *streams[at]);
      if (random() % 8 == 0) streams[first + random() % count]->synchronize();
    }
  };
  work(0, kStreams, 1, 2000);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 3; ++t) threads.emplace_back([&, t] { work(2 * t, 2, unsigned(t), 500); });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kStreams; ++i) {
    world.device.run(products[i]->p, *streams[i]);
    streams[i]->synchronize();
    products[i]->check();
  }
  EXPECT_GT(fake_cublas()->plain_runs, 500);
  EXPECT_GT(fake_cublas()->runs, 500);
}

}  // namespace
}  // namespace fake
