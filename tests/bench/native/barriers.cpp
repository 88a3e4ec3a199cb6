// tests/bench/native/barriers.cpp: kernels whose threads wait for each other, on the CPU device, compared with the
// obvious OpenMP loop: sums of 10^7 floats by barriers and by shuffles, with short stretches between them, scans of
// blocks, a stencil and a tiled product with long ones. Kernels that run from barrier to barrier come again with a
// stack for each thread. Prints a table.
#include "kernel_call.hpp"

namespace {

using namespace bench;

constexpr int kCount = 10000000, kSide = 512;

const char kSource[] = R"(
extern "C" __global__ void tree(float a, const float* x, float* y, int n) {
  __shared__ float s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = a * s[0];
}
extern "C" __global__ void warps(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) y[i / 32] = a * v;
}
extern "C" __global__ void warps_then_block(float a, const float* x, float* y, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    v = t < blockDim.x / 32 ? s[t] : 0;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) y[blockIdx.x] = a * v;
  }
}
extern "C" __global__ void scan(float a, const float* x, float* y, int n) {
  __shared__ float s[2][1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  int from = 0;
  s[0][t] = i < n ? x[i] : 0;
  for (int d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    float v = s[from][t];
    if (t >= d) v += s[from][t - d];
    s[1 - from][t] = v;
    from = 1 - from;
  }
  if (i < n) y[i] = a * s[from][t];
}
extern "C" __global__ void stencil(float a, const float* x, float* y, int n) {
  __shared__ float s[1024 + 8];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t + 4] = i < n ? x[i] : 0;
  if (t < 4) {
    s[t] = i >= 4 ? x[i - 4] : 0;
    s[t + 4 + blockDim.x] = i + (int)blockDim.x < n ? x[i + blockDim.x] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k <= 8; ++k) sum += s[t + k];
  y[i] = a * sum;
}
extern "C" __global__ void tiles(float a, const float* x, float* y, int n) {
  __shared__ float p[16][16], q[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    p[ty][tx] = x[row * n + k + tx];
    q[ty][tx] = x[(k + ty) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += p[ty][j] * q[j][tx];
    __syncthreads();
  }
  y[row * n + column] = a * sum;
}
)";

}  // namespace

int main(int, char** argv) {
  tenon_device* const device = cpu_beside_openmp(argv);
  std::vector<float> in(kCount), out(kCount + kSide * kSide);
  for (int i = 0; i < kCount; ++i) in[size_t(i)] = float(i % 1000) / 500 - 1;
  float *x = in.data(), *y = out.data();
  const std::function<void()> sum = [=] {
    float s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int i = 0; i < kCount; ++i) s += x[i];
    y[0] = s;
  };
  const std::function<void()> product = [=] {
#pragma omp parallel for
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j) {
        float s = 0;
        for (int k = 0; k < kSide; ++k) s += x[i * kSide + k] * x[k * kSide + j];
        y[i * kSide + j] = s;
      }
  };
  // Each in a separate program, because all kernels of a program that wait run in the mode of the most demanding one.
  const auto kernel = [&](const char* name, int count, uint32_t blocks, uint32_t threads,
                          const char* option = "-DNOTHING") {
    return Call(compile(device, kSource, {name}, option), name, x, y, count, blocks, threads);
  };
  const char* const stacks = "-DTENON_PLAIN_BARRIERS";
  const std::function<void()> scans = [=] {
#pragma omp parallel for
    for (int block = 0; block < kCount; block += 256) {
      float sum = 0;
      for (int i = block; i < std::min(kCount, block + 256); ++i) y[i] = 0.5f * (sum += x[i]);
    }
  };
  const std::function<void()> smooth = [=] {
#pragma omp parallel for simd
    for (int i = 4; i < kCount - 4; ++i) {
      float sum = 0;
      for (int k = -4; k <= 4; ++k) sum += x[i + k];
      y[i] = 0.5f * sum;
    }
  };
  for (const uint32_t threads : {64u, 256u, 1024u}) {
    const uint32_t blocks = (kCount + threads - 1) / threads;
    std::printf("block %u\n", threads);
    compare("sum by barriers", "OpenMP", kernel("tree", kCount, blocks, threads), sum);
    compare("sum by barriers, stacks", "OpenMP", kernel("tree", kCount, blocks, threads, stacks), sum);
    compare("sums of warps by shuffles", "OpenMP", kernel("warps", kCount, blocks, threads), sum);
    compare("sum by shuffles and a barrier", "OpenMP", kernel("warps_then_block", kCount, blocks, threads), sum);
  }
  for (const char* option : {"-DNOTHING", stacks}) {
    const std::string with = option == stacks ? ", stacks" : "";
    const uint32_t blocks = (kCount + 255) / 256;
    compare("scans of 256" + with, "OpenMP", kernel("scan", kCount, blocks, 256, option), scans);
    compare("stencil of 9" + with, "OpenMP", kernel("stencil", kCount, blocks, 256, option), smooth);
    Call tiled = kernel("tiles", kSide, kSide / 16, 16, option);
    tiled.launch.grid[1] = kSide / 16, tiled.launch.block[1] = 16;
    compare("product of 512^2, tiles of 16^2" + with, "OpenMP", tiled, product);
  }
}
