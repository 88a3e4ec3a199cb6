// tests/bench/native/grid_stride.cpp: grid-stride loops, and kernels with one element per thread and a bounds check, on
// the CPU device, compared with the plain OpenMP loop. Each runs as Tenon compiles it by default, with the portable
// macro where it has one, and with TENON_PLAIN_LOOPS ("as written"). Prints a table.
#include <cmath>
#include "kernel_call.hpp"

namespace {

using namespace bench;

constexpr int kCount = 10000000;

const char kSource[] = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void saxpy_macro(float a, const float* x, float* y, int n) {
  TENON_GRID_STRIDE(i, n) { y[i] = a * x[i] + y[i]; }
}
extern "C" __global__ void sigmoid(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a / (1 + expf(-x[i]));
}
extern "C" __global__ void sigmoid_macro(float a, const float* x, float* y, int n) {
  TENON_GRID_STRIDE(i, n) { y[i] = a / (1 + expf(-x[i])); }
}
extern "C" __global__ void scale(float a, const float4* x, float4* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 v = x[i];
    y[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
  }
}
extern "C" __global__ void scale_macro(float a, const float4* x, float4* y, int n) {
  TENON_GRID_STRIDE(i, n / 4) {
    const float4 v = x[i];
    y[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
  }
}
extern "C" __global__ void saxpy_of_one(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void sigmoid_of_one(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a / (1 + expf(-x[i]));
}
extern "C" __global__ void sum(float a, const float* x, float* y, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  y[blockIdx.x * blockDim.x + threadIdx.x] = a * s;
}
)";
const std::vector<const char*> kernels = {"saxpy",         "saxpy_macro",    "sigmoid",
                                          "sigmoid_macro", "scale",          "scale_macro",
                                          "saxpy_of_one",  "sigmoid_of_one", "sum"};

}  // namespace

int main(int, char** argv) {
  tenon_device* const device = cpu_beside_openmp(argv);
  std::vector<float> in(kCount), out(kCount, 1);
  for (int i = 0; i < kCount; ++i) in[size_t(i)] = float(i % 1000) / 500 - 1;
  float *x = in.data(), *y = out.data();
  const float a = 0.5f;
  const std::function<void()> saxpy = [=] {
#pragma omp parallel for
    for (int i = 0; i < kCount; ++i) y[i] = a * x[i] + y[i];
  };
  const std::function<void()> sigmoid = [=] {
#pragma omp parallel for
    for (int i = 0; i < kCount; ++i) y[i] = a / (1 + std::exp(-x[i]));
  };
  const std::function<void()> scale = [=] {
#pragma omp parallel for
    for (int i = 0; i < kCount; ++i) y[i] = a * x[i];
  };
  const std::function<void()> sum = [=] {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < kCount; ++i) s += x[i];
    y[0] = s;
  };
  tenon_program *program = compile(device, kSource, kernels),
                *plain = compile(device, kSource, kernels, "-DTENON_PLAIN_LOOPS");
  for (const auto& [blocks, threads] : {std::pair<uint32_t, uint32_t>{256, 256}, {40, 1024}, {39063, 256}, {8, 128}}) {
    std::printf("grid %u, block %u\n", blocks, threads);
    compare("saxpy", "OpenMP", Call(program, "saxpy", x, y, kCount, blocks, threads), saxpy);
    compare("saxpy, by macro", "OpenMP", Call(program, "saxpy_macro", x, y, kCount, blocks, threads), saxpy);
    compare("saxpy, as written", "OpenMP", Call(plain, "saxpy", x, y, kCount, blocks, threads), saxpy);
    compare("sigmoid", "OpenMP", Call(program, "sigmoid", x, y, kCount, blocks, threads), sigmoid);
    compare("sigmoid, by macro", "OpenMP", Call(program, "sigmoid_macro", x, y, kCount, blocks, threads), sigmoid);
    compare("sigmoid, as written", "OpenMP", Call(plain, "sigmoid", x, y, kCount, blocks, threads), sigmoid);
    compare("float4 scale", "OpenMP", Call(program, "scale", x, y, kCount, blocks, threads), scale);
    compare("float4 scale, by macro", "OpenMP", Call(program, "scale_macro", x, y, kCount, blocks, threads), scale);
    compare("float4 scale, as written", "OpenMP", Call(plain, "scale", x, y, kCount, blocks, threads), scale);
    if (uint64_t(blocks) * threads >= kCount) {
      compare("saxpy of one element", "OpenMP", Call(program, "saxpy_of_one", x, y, kCount, blocks, threads), saxpy);
      compare("the same, as written", "OpenMP", Call(plain, "saxpy_of_one", x, y, kCount, blocks, threads), saxpy);
      compare("sigmoid of one element", "OpenMP", Call(program, "sigmoid_of_one", x, y, kCount, blocks, threads),
              sigmoid);
      compare("the same, as written", "OpenMP", Call(plain, "sigmoid_of_one", x, y, kCount, blocks, threads), sigmoid);
    }
    compare("sum of each thread", "OpenMP", Call(program, "sum", x, y, kCount, blocks, threads), sum);
  }
}
