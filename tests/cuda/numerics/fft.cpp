// tests/cuda/numerics/fft.cpp: cuFFT's plans on a driver and a cuFFT that transform on the host: made ahead, kept,
// shared, given up, failing.
#include <tenon/fft.h>
#include <tenon/graph.h>
#include <complex>
#include <nlohmann/json.hpp>
#include <thread>
#include "backend/cuda/fft/plans.hpp"
#include "../cuda_support.hpp"
#include "fake_cuda/numerics/cufft.hpp"
#include "kernel/graph.hpp"
#include "ops/signal/signal.hpp"

namespace fake {
namespace {

using Z = std::complex<float>;

class CudaFft : public Cuda {
 protected:
  void SetUp() override {
    Cuda::SetUp();
    *fake_cufft() = FakeCufft();
    Settings settings;
    settings.cache_mode = TENON_CACHE_OFF;
    auto images = make_image_store(settings);
    context = make<Context>(std::move(settings), std::span<const Backend>(&cuda::backend, 1), std::move(images));
    device = static_cast<cuda::CudaDevice*>(&context->device(TENON_DEVICE_CUDA, 0));
  }
  void TearDown() override {
    context = nullptr;
    Cuda::TearDown();
    EXPECT_EQ(alive(), kNothing);
    EXPECT_EQ(driver().graphs, 0);
    EXPECT_EQ(fake_cufft()->plans, 0);
    EXPECT_EQ(fake_cufft()->misuses, 0) << fake_cufft()->misuse;
  }

  Ref<Array> array(Dtype dtype, Dims shape) { return Array::create(*device, dtype, shape, device->default_stream()); }
  // Ones, whose transform is n at index 0.
  Ref<Array> ones(int64_t n, int64_t batch = 1) {
    const Ref<Array> x = array(TENON_COMPLEX64, {batch, n});
    const std::vector<Z> host(size_t(n * batch), 1);
    x->buffer().use(device->default_stream(), true);
    device->upload(x->data(), host.data(), host.size() * sizeof(Z), false, device->default_stream());
    return x;
  }
  void transform(const Array& x, Array& y, Stream* stream = nullptr, int32_t axis = -1) {
    ops::fft(x, y, &axis, 1, TENON_FFT_DIRECTION_FORWARD, TENON_FFT_NORM_BACKWARD, stream);
  }
  void prepare(const Array& x, Array& y, int32_t axis = -1) {
    ops::prepare_fft(x, y, &axis, 1, TENON_FFT_DIRECTION_FORWARD, TENON_FFT_NORM_BACKWARD);
  }
  std::vector<Z> values(const Array& y, Stream& stream) {
    std::vector<Z> host(size_t(y.size()));
    y.buffer().use(stream, false);
    device->download(host.data(), y.data(), host.size() * sizeof(Z), false, stream);
    return host;
  }
  void expect_transform_of_ones(const Array& y, Stream& stream) {
    const std::vector<Z> got = values(y, stream);
    const size_t n = size_t(y.shape()[1]);
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(std::abs(got[i] - Z(i % n ? 0 : float(n))), 0, 1e-4f * float(n)) << i;
  }
  int64_t count(const char* what) { return nlohmann::json::parse(cuda::fft_plans_report(*device))[what]; }

  Ref<Context> context;
  cuda::CudaDevice* device = nullptr;
};

TEST_F(CudaFft, WhatWasPreparedIsFoundAndRunsNothingBefore) {
  const Ref<Array> x = ones(12, 5), y = array(TENON_COMPLEX64, {5, 12});
  device->default_stream().synchronize();
  prepare(*x, *y);
  EXPECT_EQ(fake_cufft()->executed, 0);
  EXPECT_EQ(fake_cuda_count("cuGraphLaunch"), 0);
  EXPECT_EQ(fake_cufft()->made, 1);
  EXPECT_EQ(count("misses"), 1);
  const int64_t hits = count("hits");
  prepare(*x, *y);
  EXPECT_EQ(fake_cufft()->made, 1);
  EXPECT_EQ(count("misses"), 1);
  EXPECT_GT(count("hits"), hits);
  transform(*x, *y);
  EXPECT_EQ(fake_cufft()->made, 1) << "the plan was there";
  EXPECT_EQ(fake_cufft()->executed, 1);
  expect_transform_of_ones(*y, device->default_stream());
  EXPECT_EQ(driver().graphs, 0) << "and nothing of the rehearsal is left";
}

TEST_F(CudaFft, PreparingLooksAtTheLayoutOnly) {
  const Ref<Array> x = ones(8), y = array(TENON_COMPLEX64, {1, 8});
  Ref<Stream> busy = device->create_stream(0);
  transform(*x, *y, busy.get());
  const uint64_t pending = fake_cuda_pending();
  ASSERT_GT(pending, 0u);
  prepare(*y, *x);  // both in use on another stream
  EXPECT_GE(fake_cuda_pending(), pending) << "nobody waited";
  EXPECT_EQ(fake_cufft()->executed, 1);
  expect_transform_of_ones(*y, *busy);
}

TEST_F(CudaFft, OtherTransformsPrepareTheirPlansAndKernelsToo) {
  const auto prepared = [&](Dtype from, Dims from_shape, Dtype to, Dims to_shape, int32_t norm, int32_t axes) {
    const Ref<Array> x = array(from, from_shape), y = array(to, to_shape);
    ops::prepare_fft(*x, *y, nullptr, axes, TENON_FFT_DIRECTION_FORWARD, norm);
    const long made = fake_cufft()->made, loads = fake_cuda_count("cuModuleLoadDataEx");
    ops::fft(*x, *y, nullptr, axes, TENON_FFT_DIRECTION_FORWARD, norm, nullptr);
    EXPECT_EQ(fake_cufft()->made, made);
    EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), loads);
    device->default_stream().synchronize();
  };
  prepared(TENON_COMPLEX64, {4, 6}, TENON_COMPLEX64, {4, 6}, TENON_FFT_NORM_ORTHO, 2);
  prepared(TENON_COMPLEX128, {2, 3, 2, 3, 2}, TENON_COMPLEX128, {2, 3, 2, 3, 2}, TENON_FFT_NORM_BACKWARD, 5);
  prepared(TENON_FLOAT32, {4, 6}, TENON_COMPLEX64, {4, 4}, TENON_FFT_NORM_FORWARD, 1);
  prepared(TENON_COMPLEX128, {4, 4}, TENON_FLOAT64, {4, 7}, TENON_FFT_NORM_BACKWARD, 2);
  const Dims shape = {3, 8, 2, 5, 4, 2, 3, 2};
  const Ref<Array> x = array(TENON_FLOAT64, shape), y = array(TENON_FLOAT64, shape);
  for (int32_t type = 1; type <= 4; ++type)
    for (const bool sine : {false, true}) {
      const ops::DctOptions options{type, sine, TENON_FFT_DIRECTION_FORWARD, TENON_FFT_NORM_BACKWARD};
      ops::prepare_dct(*x, *y, nullptr, 8, options);
      const long made = fake_cufft()->made, loads = fake_cuda_count("cuModuleLoadDataEx");
      ops::dct(*x, *y, nullptr, 8, options, nullptr);
      EXPECT_EQ(fake_cufft()->made, made) << type;
      EXPECT_EQ(fake_cuda_count("cuModuleLoadDataEx"), loads) << type;
    }
}

TEST_F(CudaFft, WhatATransformRefusesItsPreparationRefuses) {
  const Ref<Array> x = ones(8), y = array(TENON_COMPLEX64, {1, 9}), wide = array(TENON_COMPLEX128, {1, 8});
  std::string message;
  EXPECT_EQ(status_of([&] { prepare(*x, *y); }, &message), TENON_ERROR_SHAPE);
  EXPECT_NE(message.find("(1, 9)"), std::string::npos) << message;
  EXPECT_EQ(status_of([&] { prepare(*x, *wide); }), TENON_ERROR_DTYPE);
  EXPECT_EQ(status_of([&] { prepare(*x, *x, 2); }), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(fake_cufft()->made, 0);
}

TEST_F(CudaFft, PlansAreBoundedAndTheOldestGoFirst) {
  std::vector<Ref<Array>> arrays;
  for (int64_t n = 2; n < 72; ++n) {
    arrays.push_back(ones(n));
    transform(*arrays.back(), *arrays.back());
  }
  EXPECT_EQ(fake_cufft()->made, 70);
  EXPECT_EQ(count("kept"), 64);
  EXPECT_EQ(count("evictions"), 6);
  EXPECT_EQ(fake_cufft()->plans, 64);
  device->default_stream().synchronize();
  transform(*arrays.back(), *arrays.back());  // of length 71: cached
  EXPECT_EQ(fake_cufft()->made, 70);
  transform(*arrays.front(), *arrays.front());  // of length 2: evicted
  EXPECT_EQ(fake_cufft()->made, 71);
}

TEST_F(CudaFft, StridesAndBatchesAreOnePlanWithoutCopies) {
  struct Case {
    Dims shape, strides;
    int32_t axis;
    int64_t offset;
  };
  const Case cases[] = {
      {{6, 10}, {10, 1}, 1, 0},   // rows
      {{6, 10}, {10, 1}, 0, 0},   // columns
      {{6, 5}, {10, 2}, 1, 1},    // every other number
      {{3, 10}, {20, 1}, 0, 10},  // every other row
      {{10, 6}, {1, 10}, 1, 0},   // Fortran order
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(shape_text(c.shape) + " " + shape_text(c.strides));
    const Ref<Array> memory = array(TENON_COMPLEX64, {60});
    std::vector<Z> host(60);
    for (size_t i = 0; i < 60; ++i) host[i] = Z(float(i % 7), float(i % 5));
    memory->buffer().use(device->default_stream(), true);
    device->upload(memory->data(), host.data(), 480, false, device->default_stream());
    const Ref<Array> x = memory->with(c.shape, c.strides, c.offset, false);
    const long executed = fake_cufft()->executed, launches = fake_cuda_count("cuLaunchKernel"),
               copies = fake_cuda_count("cuMemcpyAsync");
    transform(*x, *x, nullptr, c.axis);  // in place
    EXPECT_EQ(fake_cufft()->executed - executed, 1);
    EXPECT_EQ(fake_cuda_count("cuLaunchKernel") - launches, 0);
    EXPECT_EQ(fake_cuda_count("cuMemcpyAsync") - copies, 0);
    const std::vector<Z> got = values(*memory, device->default_stream());
    std::vector<Z> want = host;
    const int other = 1 - c.axis;
    const int64_t n = c.shape[c.axis];
    for (int64_t b = 0; b < c.shape[other]; ++b)
      for (int64_t k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (int64_t j = 0; j < n; ++j)
          sum += std::complex<double>(host[size_t(c.offset + b * c.strides[other] + j * c.strides[c.axis])]) *
                 std::polar(1.0, -2 * M_PI * double(j * k % n) / double(n));
        want[size_t(c.offset + b * c.strides[other] + k * c.strides[c.axis])] = Z(sum);
      }
    for (size_t i = 0; i < 60; ++i) ASSERT_NEAR(std::abs(got[i] - want[i]), 0, 1e-4) << i;
  }
}

TEST_F(CudaFft, TransformsOfRealNumbersAreOnePlanAndLeaveTheirSource) {
  const int64_t rows = 3, n = 10, half = n / 2 + 1;
  const Ref<Array> x = array(TENON_FLOAT32, {rows, 12}), y = array(TENON_COMPLEX64, {rows, half}),
                   back = array(TENON_FLOAT32, {rows, n});
  std::vector<float> host(size_t(rows * 12));
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i * 7 % 11) - 3;
  Stream& stream = device->default_stream();
  x->buffer().use(stream, true);
  device->upload(x->data(), host.data(), host.size() * 4, false, stream);
  const Ref<Array> part = x->with({rows, n}, {12, 1}, 0, false);  // rows with gaps between them
  const long launches = fake_cuda_count("cuLaunchKernel"), copies = fake_cuda_count("cuMemcpyAsync"),
             executed = fake_cufft()->executed;
  transform(*part, *y);
  EXPECT_EQ(fake_cufft()->executed - executed, 1);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), launches);
  EXPECT_EQ(fake_cuda_count("cuMemcpyAsync"), copies);
  const std::vector<Z> spectrum = values(*y, stream);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 0; k < half; ++k) {
      std::complex<double> sum = 0;
      for (int64_t j = 0; j < n; ++j)
        sum += double(host[size_t(12 * r + j)]) * std::polar(1.0, -2 * M_PI * double(j * k % n) / double(n));
      ASSERT_NEAR(std::abs(spectrum[size_t(half * r + k)] - Z(sum)), 0, 1e-4) << r << " " << k;
    }
  const int32_t axis = -1;
  ops::fft(*y, *back, &axis, 1, TENON_FFT_DIRECTION_INVERSE, TENON_FFT_NORM_FORWARD, nullptr);  // unscaled
  std::vector<float> got(size_t(rows * n));
  back->buffer().use(stream, false);
  device->download(got.data(), back->data(), got.size() * 4, false, stream);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t j = 0; j < n; ++j)
      ASSERT_NEAR(got[size_t(n * r + j)], n * host[size_t(12 * r + j)], 1e-3) << r << " " << j;
  EXPECT_EQ(values(*y, stream), spectrum)
      << "cuFFT destroys the source of a transform to real numbers: not the caller's";
}

// The effect of imaginary parts without meaning, and of halves of several axes that are not Hermitian, is cuFFT's own
// affair: it gets neither.
TEST_F(CudaFft, OnlyTheLastAxisGoesToRealNumbersAndItsImaginaryPartsAreCleared) {
  const Ref<Array> half = array(TENON_COMPLEX64, {4, 6}), out = array(TENON_FLOAT32, {4, 10});
  Stream& stream = device->default_stream();
  const std::vector<Z> host(24, 1);
  half->buffer().use(stream, true);
  device->upload(half->data(), host.data(), host.size() * sizeof(Z), false, stream);
  const int32_t axes[] = {0, 1};
  for (const int32_t count : {1, 2}) {
    const long launches = fake_cuda_count("cuLaunchKernel"), executed = fake_cufft()->executed;
    ops::fft(*half, *out, axes + 2 - count, count, TENON_FFT_DIRECTION_INVERSE, TENON_FFT_NORM_FORWARD, nullptr);
    EXPECT_EQ(fake_cufft()->executed - executed, count);
    EXPECT_EQ(fake_cufft()->axes_to_real, 1);
    EXPECT_EQ(fake_cuda_count("cuLaunchKernel") - launches, 1) << "the kernel that clears them";
  }
}

TEST_F(CudaFft, StreamsAndThreadsShareAPlanAndNothingElse) {
  const Ref<Array> first = ones(16);
  prepare(*first, *first);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const Ref<Stream> stream = device->create_stream(0);
      for (int i = 0; i < 20; ++i) {
        const Ref<Array> x = ones(16), y = array(TENON_COMPLEX64, {1, 16});
        transform(*x, *y, stream.get());
        expect_transform_of_ones(*y, *stream);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fake_cufft()->made, 1);
  EXPECT_EQ(fake_cufft()->executed, 80);
}

TEST_F(CudaFft, TwoStreamsHaveTheirOwnWorkAreasWhichGoBackToThePool) {
  const Ref<Array> x = ones(16), y = array(TENON_COMPLEX64, {1, 16}), z = array(TENON_COMPLEX64, {1, 16});
  const Ref<Stream> a = device->create_stream(0), b = device->create_stream(0);
  tenon_memory_info before{}, after{};
  before.struct_size = after.struct_size = sizeof before;
  prepare(*x, *y);
  device->memory_info(before);
  transform(*x, *y, a.get());
  const void* first = fake_cufft()->last_work;
  transform(*x, *z, b.get());
  EXPECT_NE(fake_cufft()->last_work, first) << "both are under way";
  expect_transform_of_ones(*y, *a);
  expect_transform_of_ones(*z, *b);
  device->synchronize();
  device->memory_info(after);
  EXPECT_EQ(after.used, before.used) << "a plan keeps no work area";
}

TEST_F(CudaFft, AGraphKeepsThePlanItWasMadeWith) {
  const Ref<Array> x = ones(10), y = array(TENON_COMPLEX64, {1, 10});
  Ref<Graph> graph = Graph::create(*device);
  {
    const Ref<Stream> recording = graph->begin();
    transform(*x, *y, recording.get());
    graph->end();
  }
  EXPECT_EQ(fake_cufft()->executed, 0);
  for (int64_t n = 11; n < 111; ++n) {  // more than are cached
    const Ref<Array> other = ones(n);
    transform(*other, *other);
  }
  for (int i = 0; i < 2; ++i) graph->launch(device->default_stream());
  expect_transform_of_ones(*y, device->default_stream());
}

TEST_F(CudaFft, BecomesPartOfAnotherLibrarysGraph) {
  const Ref<Array> x = ones(10), y = array(TENON_COMPLEX64, {1, 10});
  device->synchronize();
  const Ref<Stream> stream = device->create_stream(0);
  const auto native = reinterpret_cast<cuda::CUstream>(stream->native());
  const cuda::Driver& table = device->driver();
  auto scope = device->activate();
  ASSERT_EQ(table.cuStreamBeginCapture(native, cuda::CU_STREAM_CAPTURE_MODE_GLOBAL), 0);
  transform(*x, *y, stream.get());  // its plan is made outside of the capture
  cuda::CUgraph graph = nullptr;
  ASSERT_EQ(table.cuStreamEndCapture(native, &graph), 0) << "the capture was broken";
  cuda::CUgraphExec exec = nullptr;
  ASSERT_EQ(table.cuGraphInstantiate(&exec, graph, 0), 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(table.cuGraphLaunch(exec, native), 0);
  table.cuStreamSynchronize(native);
  expect_transform_of_ones(*y, *stream);
  table.cuGraphExecDestroy(exec);
  table.cuGraphDestroy(graph);
  fake_cuda_settle();
  context->collect();  // releases what the graph kept
}

// Single calls of a preparation or a transform fail: cuFFT's, or the driver's (some of which may fail).
TEST_F(CudaFft, AnyCallThatFailsLeavesNothingBehindAndTheNextTryWorks) {
  int64_t n = 100;
  for (const bool library : {true, false})
    for (const bool ahead : {true, false}) {
      int failures = 0, at = 0;
      for (bool reached = true; reached;) {
        const Ref<Array> x = array(TENON_COMPLEX64, {1, ++n});  // its plan is not cached
        const auto run = [&] { ahead ? prepare(*x, *x) : transform(*x, *x); };
        const long plans = fake_cufft()->plans;
        ++at;
        if (library) fake_cufft()->fail_at = at;
        else driver().fail_at = at;
        const int32_t status = status_of(run);
        reached = !(library ? fake_cufft()->fail_at : driver().fail_at);
        fake_cufft()->fail_at = 0;
        driver().fail_at = 0;
        failures += status != TENON_OK;
        if (library && reached) {
          EXPECT_EQ(status, TENON_ERROR_VENDOR) << at;
        }
        EXPECT_LE(fake_cufft()->plans, plans + 1);
        EXPECT_EQ(status_of(run), TENON_OK) << "after call " << at << " had failed";
        device->synchronize();
      }
      EXPECT_GE(failures, 3);
    }
}

TEST_F(CudaFft, NoMemoryForAPlanSaysSo) {
  fake_cufft()->fail_code = 2;
  fake_cufft()->fail_at = 3;  // the creation of the plan
  const Ref<Array> x = ones(10);
  std::string message;
  EXPECT_EQ(status_of([&] { prepare(*x, *x); }, &message), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(message.find("memory"), std::string::npos) << message;
  EXPECT_EQ(count("kept"), 0);
}

}  // namespace
}  // namespace fake
