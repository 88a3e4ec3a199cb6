// tests/bench/native/cpu_kernels.cpp: kernels as authors write them for GPUs, on the CPU device, beside OpenMP loops
// for the same results and, where it is installed, beside PoCL, another compiler of kernels for CPUs. Prints a table:
// how each kernel ran, the times, and what is aimed at. Arguments: the rows to run, by a part of their names.
#include <cmath>
#include <numeric>
#include "kernel_call.hpp"
#include "pocl.hpp"

namespace {

using namespace bench;

const char kReductions[] = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class T> struct Dynamic {
  __device__ inline operator T*() {
    extern __shared__ int words[];
    return (T*)words;
  }
};
template <class T> __device__ __forceinline__ T warp_sum(unsigned mask, T v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
  return v;
}
template <> __device__ __forceinline__ int warp_sum<int>(unsigned mask, int v) {
  v = __reduce_add_sync(mask, v);
  return v;
}
template <class T> __global__ void reduce2(const T* x, T* y, unsigned n) {
  cg::thread_block cta = cg::this_thread_block();
  T* s = Dynamic<T>();
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t] = i < n ? x[i] : 0;
  cg::sync(cta);
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    cg::sync(cta);
  }
  if (t == 0) y[blockIdx.x] = s[0];
}
template <class T> __global__ void reduce3(const T* x, T* y, unsigned n) {
  cg::thread_block cta = cg::this_thread_block();
  T* s = Dynamic<T>();
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  T sum = i < n ? x[i] : 0;
  if (i + blockDim.x < n) sum += x[i + blockDim.x];
  s[t] = sum;
  cg::sync(cta);
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = sum = sum + s[t + d];
    cg::sync(cta);
  }
  if (t == 0) y[blockIdx.x] = sum;
}
template <class T, unsigned Block> __global__ void reduce6(const T* x, T* y, unsigned n) {
  cg::thread_block cta = cg::this_thread_block();
  T* s = Dynamic<T>();
  unsigned t = threadIdx.x, i = blockIdx.x * Block * 2 + threadIdx.x, stride = Block * 2 * gridDim.x;
  T sum = 0;
  while (i < n) {
    sum += x[i];
    if (i + Block < n) sum += x[i + Block];
    i += stride;
  }
  s[t] = sum;
  cg::sync(cta);
  if (Block >= 512 && t < 256) s[t] = sum = sum + s[t + 256];
  cg::sync(cta);
  if (Block >= 256 && t < 128) s[t] = sum = sum + s[t + 128];
  cg::sync(cta);
  if (Block >= 128 && t < 64) s[t] = sum = sum + s[t + 64];
  cg::sync(cta);
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (Block >= 64) sum += s[t + 32];
    for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
  }
  if (cta.thread_rank() == 0) y[blockIdx.x] = sum;
}
template <class T, unsigned Block> __global__ void reduce7(const T* __restrict__ x, T* __restrict__ y, unsigned n) {
  T* s = Dynamic<T>();
  unsigned t = threadIdx.x, grid = Block * gridDim.x, length = Block / warpSize;
  length = length > 0 ? length : 1;
  unsigned i = blockIdx.x * Block + threadIdx.x;
  const unsigned mask = 0xffffffffu;
  T sum = 0;
  while (i < n) {
    sum += x[i];
    i += grid;
  }
  sum = warp_sum<T>(mask, sum);
  if (t % warpSize == 0) s[t / warpSize] = sum;
  __syncthreads();
  const unsigned some = __ballot_sync(mask, t < length);
  if (t < length) {
    sum = s[t];
    sum = warp_sum<T>(some, sum);
  }
  if (t == 0) y[blockIdx.x] = sum;
}
)";

const char kRows[] = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
__global__ void layernorm1(float* out, const float* x, const float* weight, const float* bias, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + row * columns;
  float sum = 0;
  for (int i = 0; i < columns; i++) sum += in[i];
  float mean = sum / columns, squares = 0;
  for (int i = 0; i < columns; i++) {
    float d = in[i] - mean;
    squares += d * d;
  }
  float scale = 1.0f / sqrtf(squares / columns + 1e-5f);
  float* o = out + row * columns;
  for (int i = 0; i < columns; i++) o[i] = scale * (in[i] - mean) * weight[i] + bias[i];
}
__global__ void layernorm3(float* out, const float* x, const float* weight, const float* bias, int rows, int columns) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float* in = x + row * columns;
  float sum = 0;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) sum += in[i];
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float mean = sum / columns;
  sum = 0;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) {
    float d = in[i] - mean;
    sum += d * d;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float scale = rsqrtf(sum / columns + 1e-5f);
  float* o = out + row * columns;
  for (int c = warp.thread_rank(); c < columns; c += warp.size()) {
    float v = scale * (__ldcs(in + c) - mean);
    __stcs(o + c, v * weight[c] + bias[c]);
  }
}
__global__ void layernorm5(float* out, const float* x, const float* weight, const float* bias, int rows, int columns) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ float sums[32], squares[32];
  int warps = blockDim.x / 32, own_warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float* in = x + blockIdx.x * columns;
  float a = 0, b = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float v = in[i];
    a += v;
    b += v * v;
  }
  float warp_a = cg::reduce(warp, a, cg::plus<float>{});
  float warp_b = cg::reduce(warp, b, cg::plus<float>{});
  sums[own_warp] = warp_a;
  squares[own_warp] = warp_b;
  __syncthreads();
  warp_a = lane < warps ? sums[lane] : 0;
  warp_b = lane < warps ? squares[lane] : 0;
  float block_a = cg::reduce(warp, warp_a, cg::plus<float>{});
  float block_b = cg::reduce(warp, warp_b, cg::plus<float>{});
  float mean = block_a / columns, scale = rsqrtf(block_b / columns - mean * mean + 1e-5f);
  float* o = out + blockIdx.x * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float v = scale * (__ldcs(in + i) - mean);
    __stcs(o + i, v * weight[i] + bias[i]);
  }
}
__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_down_sync(0xFFFFFFFF, v, d));
  return v;
}
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, d);
  return v;
}
// A row per warp.
__global__ void softmax_warp(float* out, const float* x, const float*, const float*, int rows, int columns) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float* in = x + row * columns;
  float most = -3.4e38f, sum = 0;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) most = fmaxf(most, in[i]);
  most = cg::reduce(warp, most, cg::greater<float>{});
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) {
    float e = expf(in[i] - most);
    out[row * columns + i] = e;
    sum += e;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) out[row * columns + i] /= sum;
}
// A row per block, reduced in shared memory.
__global__ void softmax_tree(float* out, const float* x, const float*, const float*, int rows, int columns) {
  extern __shared__ float shared[];
  int row = blockIdx.x, t = threadIdx.x, size = blockDim.x;
  const float* in = x + row * columns;
  float most = -3.4e38f;
  for (int i = t; i < columns; i += size) most = fmaxf(most, in[i]);
  shared[t] = most;
  __syncthreads();
  for (int d = size / 2; d >= 1; d /= 2) {
    __syncthreads();
    if (t < d) shared[t] = fmaxf(shared[t], shared[t + d]);
  }
  __syncthreads();
  float offset = shared[0];
  for (int i = t; i < columns; i += size) out[row * columns + i] = expf(in[i] - offset);
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += size) sum += out[row * columns + i];
  shared[t] = sum;
  __syncthreads();
  for (int d = size / 2; d >= 1; d /= 2) {
    __syncthreads();
    if (t < d) shared[t] += shared[t + d];
  }
  __syncthreads();
  sum = shared[0];
  for (int i = t; i < columns; i += size) out[row * columns + i] = out[row * columns + i] / sum;
}
// A row per block, reduced by shuffles and shared memory.
__global__ void softmax_block(float* out, const float* x, const float*, const float*, int rows, int columns) {
  extern __shared__ float shared[];
  int row = blockIdx.x, t = threadIdx.x, own_warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int warps = blockDim.x / 32;
  float *mosts = shared, *sums = &shared[warps];
  const float* in = x + row * columns;
  float most = -3.4e38f;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, in[i]);
  most = warp_max(most);
  if (lane == 0) mosts[own_warp] = most;
  __syncthreads();
  if (t == 0) {
    float v = mosts[t];
    for (int i = 1; i < warps; i++) v = fmaxf(v, mosts[i]);
    mosts[0] = v;
  }
  __syncthreads();
  float offset = mosts[0];
  for (int i = t; i < columns; i += blockDim.x) out[row * columns + i] = expf(in[i] - offset);
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += out[row * columns + i];
  sum = warp_sum(sum);
  if (lane == 0) sums[own_warp] = sum;
  __syncthreads();
  if (t == 0) {
    float v = sums[t];
    for (int i = 1; i < warps; ++i) v += sums[i];
    sums[0] = v;
  }
  __syncthreads();
  float all = sums[0];
  for (int i = t; i < columns; i += blockDim.x) out[row * columns + i] = out[row * columns + i] / all;
}
)";

const char kJacobi[] = R"(
#define N 2048
#define IDX(i, j) ((i) + (j) * N)
__global__ void jacobi(float* __restrict__ f, const float* __restrict__ old, float* __restrict__ error) {
  __shared__ float tile[18][18];
  int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
  tile[threadIdx.y + 1][threadIdx.x + 1] = old[IDX(i, j)];
  if (threadIdx.x == 0 && i >= 1) tile[threadIdx.y + 1][threadIdx.x + 0] = old[IDX(i - 1, j)];
  if (threadIdx.x == 15 && i <= N - 2) tile[threadIdx.y + 1][threadIdx.x + 2] = old[IDX(i + 1, j)];
  if (threadIdx.y == 0 && j >= 1) tile[threadIdx.y + 0][threadIdx.x + 1] = old[IDX(i, j - 1)];
  if (threadIdx.y == 15 && j <= N - 2) tile[threadIdx.y + 2][threadIdx.x + 1] = old[IDX(i, j + 1)];
  __syncthreads();
  float err = 0.0f;
  if (j >= 1 && j <= N - 2) {
    if (i >= 1 && i <= N - 2) {
      f[IDX(i, j)] = 0.25f * (tile[threadIdx.y + 1][threadIdx.x + 2] + tile[threadIdx.y + 1][threadIdx.x + 0] +
                              tile[threadIdx.y + 2][threadIdx.x + 1] + tile[threadIdx.y + 0][threadIdx.x + 1]);
      float df = f[IDX(i, j)] - tile[threadIdx.y + 1][threadIdx.x + 1];
      err = df * df;
    }
  }
  for (int offset = 8; offset > 0; offset /= 2) err += __shfl_down_sync(0xffffffff, err, offset);
  __shared__ float rows[16];
  if (threadIdx.x == 0) rows[threadIdx.y] = err;
  __syncthreads();
  if (threadIdx.y == 0) {
    err = rows[threadIdx.x];
    for (int offset = 8; offset > 0; offset /= 2) err += __shfl_down_sync(0xffffffff, err, offset);
    if (threadIdx.x == 0) atomicAdd(error, err);
  }
}
)";

const char kHistogram[] = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define BINS 256
#define WARPS 6
inline __device__ void add_byte(unsigned* bins, unsigned data) { atomicAdd(bins + data, 1); }
inline __device__ void add_word(unsigned* bins, unsigned data) {
  add_byte(bins, (data >> 0) & 0xFFU);
  add_byte(bins, (data >> 8) & 0xFFU);
  add_byte(bins, (data >> 16) & 0xFFU);
  add_byte(bins, (data >> 24) & 0xFFU);
}
__global__ void histogram(unsigned* partial, const unsigned* data, unsigned count) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ unsigned all[WARPS * BINS];
  unsigned* own = all + (threadIdx.x >> 5) * BINS;
#pragma unroll
  for (unsigned i = 0; i < BINS / 32; i++) all[threadIdx.x + i * WARPS * 32] = 0;
  cg::sync(cta);
  for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += blockDim.x * gridDim.x) {
    unsigned word = data[at];
    add_word(own, word);
  }
  cg::sync(cta);
  for (unsigned bin = threadIdx.x; bin < BINS; bin += WARPS * 32) {
    unsigned sum = 0;
    for (unsigned i = 0; i < WARPS; i++) sum += all[bin + i * BINS];
    partial[blockIdx.x * BINS + bin] = sum;
  }
}
)";

const char kProduct[] = R"(
#include <cooperative_groups.h>
template <int BLOCK> __global__ void product(float* c, const float* a, const float* b, int wa, int wb) {
  cooperative_groups::thread_block cta = cooperative_groups::this_thread_block();
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int first = wa * BLOCK * by, last = first + wa - 1, step_a = BLOCK, start_b = BLOCK * bx, step_b = BLOCK * wb;
  float sum = 0;
  for (int at_a = first, at_b = start_b; at_a <= last; at_a += step_a, at_b += step_b) {
    __shared__ float as[BLOCK][BLOCK];
    __shared__ float bs[BLOCK][BLOCK];
    as[ty][tx] = a[at_a + wa * ty + tx];
    bs[ty][tx] = b[at_b + wb * ty + tx];
    cooperative_groups::sync(cta);
#pragma unroll
    for (int k = 0; k < BLOCK; ++k) sum += as[ty][k] * bs[k][tx];
    cooperative_groups::sync(cta);
  }
  c[wb * BLOCK * by + BLOCK * bx + wb * ty + tx] = sum;
}
)";

// A scan in one pass: a block publishes its sum, and the first warp looks back over the blocks before it.
const char kScan[] = R"(
__global__ void scan(float* y, const float* x, unsigned long long* state, int n) {
  __shared__ float warps[8], before;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 256 + t;
  float v = i < n ? x[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    float left = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += left;
  }
  if (lane == 31) warps[warp] = v;
  __syncthreads();
  if (t < 8) {
    float w = warps[t];
    for (int d = 1; d < 8; d *= 2) {
      float left = __shfl_up_sync(0xff, w, d);
      if (t >= d) w += left;
    }
    warps[t] = w;
  }
  __syncthreads();
  if (t == 0) {
    float total = warps[7], sum = 0;
    volatile unsigned long long* states = state;
    states[blockIdx.x] = (unsigned long long)__float_as_uint(total) << 32 | (blockIdx.x == 0 ? 2 : 1);
    __threadfence();
    for (int at = (int)blockIdx.x - 1; at >= 0;) {
      unsigned long long word = states[at];
      if ((word & 3) == 0) continue;
      sum += __uint_as_float((unsigned)(word >> 32));
      if ((word & 3) == 2) break;
      --at;
    }
    states[blockIdx.x] = (unsigned long long)__float_as_uint(sum + total) << 32 | 2;
    before = sum;
  }
  __syncthreads();
  if (i < n) y[i] = v + before + (warp > 0 ? warps[warp - 1] : 0);
}
)";

// A kernel with its launch and arguments.
struct Kernel {
  tenon_kernel* kernel = nullptr;
  tenon_launch launch{};
  std::vector<tenon_arg> args;
  const char* execution = "";

  Kernel(tenon_device* device, const char* text, const char* name, std::array<uint32_t, 2> grid,
         std::array<uint32_t, 2> block, uint32_t shared) {
    tenon_program* const program = compile(device, text, {name});
    check(tenon_program_kernel(program, name, &kernel));
    launch.struct_size = sizeof launch;
    launch.grid[0] = grid[0], launch.grid[1] = grid[1], launch.block[0] = block[0], launch.block[1] = block[1];
    launch.shared_bytes = shared;
    tenon_kernel_info info{};
    info.struct_size = sizeof info;
    check(tenon_kernel_get_info(kernel, &info));
    const uint32_t how = info.execution & ~uint32_t(TENON_EXECUTION_IN_ORDER | TENON_EXECUTION_SIDE_BY_SIDE);
    execution = how == TENON_EXECUTION_LOOP      ? "loop"
                : how == TENON_EXECUTION_REGIONS ? "regions"
                : how == TENON_EXECUTION_FIBERS  ? "ring"
                                                 : "scheduled";
  }
  template <class T> Kernel& with(T* pointer) {
    tenon_arg arg{};
    arg.kind = TENON_ARG_POINTER, arg.value.pointer = const_cast<std::remove_const_t<T>*>(pointer);
    args.push_back(arg);
    return *this;
  }
  Kernel& with(int value) {
    tenon_arg arg{};
    arg.kind = TENON_ARG_SCALAR, arg.dtype = TENON_INT32, arg.size = 4, arg.value.i32 = value;
    args.push_back(arg);
    return *this;
  }
  Kernel& with(unsigned value) {
    tenon_arg arg{};
    arg.kind = TENON_ARG_SCALAR, arg.dtype = TENON_UINT32, arg.size = 4, arg.value.u32 = value;
    args.push_back(arg);
    return *this;
  }
  void operator()() const { check(tenon_kernel_launch(kernel, &launch, args.data(), int32_t(args.size()), nullptr)); }
};

double processor_seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec at{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return double(at.tv_sec) + double(at.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}

class Table {
 public:
  Table(tenon_device* device, int count, char** words) : device_(device), only_(words, words + count) {
    std::printf("%-28s %-10s %10s %10s %8s %7s %10s\n", "kernel", "execution", "Tenon ms", "OpenMP ms", "ratio",
                "target", "PoCL ms");
  }
  bool wanted(const std::string& name) const {
    return only_.empty() || std::any_of(only_.begin(), only_.end(), [&name](const std::string& word) {
             return name.find(word) != std::string::npos;
           });
  }
  // `wrong`: the largest difference from what the loop computed, after both ran.
  void row(const std::string& name, const Kernel& kernel, const std::function<void()>& loop, double target,
           const std::function<double()>& wrong, const std::function<void()>& pocl = nullptr,
           const std::function<void()>& prepare = nullptr) {
    loop();
    kernel();
    const double difference = wrong();
    if (!(difference < 1e-3)) std::printf("%s: differs by %g from the loop\n", name.c_str(), difference), failed = true;
    double best[3] = {1e9, 1e9, 1e9};
    const std::function<void()> works[3] = {[&] { kernel(); }, loop, pocl};
    const auto measure = [&](int k) {
      for (int warm = 0; warm < 2; ++warm) {  // none finds in the caches what the one before it left there
        if (prepare) prepare();
        works[k]();
      }
      if (prepare) prepare();
      const double took = processor_seconds(works[k]);
      best[k] = std::min(best[k], took);
      return 3 * took;
    };
    double spent = 0;
    for (int round = 0; round < 6 || (spent < 1.5 && round < 400); ++round) spent += measure(0) + measure(1);
    spent = 0;
    for (int round = 0; pocl && (round < 3 || (spent < 1 && round < 400)); ++round) spent += measure(2);
    std::printf("%-28s %-10s %10.3f %10.3f %8.2f %6.1fx", name.c_str(), kernel.execution, best[0] * 1e3, best[1] * 1e3,
                best[0] / best[1], target);
    if (pocl) std::printf(" %10.3f", best[2] * 1e3);
    std::printf("\n");
    std::fflush(stdout);
  }
  bool failed = false;

  tenon_device* device() const { return device_; }

 private:
  tenon_device* const device_;
  const std::vector<std::string> only_;
};

double difference(const std::vector<float>& a, const std::vector<float>& b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; ++i) most = std::max(most, std::abs(double(a[i]) - double(b[i])));
  return most;
}

void reductions(Table& table) {
  constexpr unsigned kCount = 1 << 22, kBlock = 256;
  std::vector<int> x(kCount), y(kCount / kBlock);
  for (unsigned i = 0; i < kCount; ++i) x[i] = int(i * 2654435761u >> 22);
  int sum = 0;
  const auto loop = [&] {
    int s = 0;
    const int* p = x.data();
#pragma omp parallel for simd reduction(+ : s)
    for (unsigned i = 0; i < kCount; ++i) s += p[i];
    sum = s;
  };
  const struct {
    const char *name, *kernel;
    unsigned blocks;
  } kinds[] = {{"tree reduction (reduce2)", "reduce2<int>", kCount / kBlock},
               {"tree reduction (reduce3)", "reduce3<int>", kCount / kBlock / 2},
               {"tree reduction (reduce6)", "reduce6<int, 256>", 64},
               {"shuffle reduction (reduce7)", "reduce7<int, 256>", 64}};
  for (const auto& kind : kinds) {
    if (!table.wanted(kind.name)) continue;
    Kernel kernel(table.device(), kReductions, kind.kernel, {kind.blocks, 1}, {kBlock, 1}, kBlock * 4);
    kernel.with(x.data()).with(y.data()).with(kCount);
    Pocl pocl;
    if (kind.blocks == kCount / kBlock)
      pocl = Pocl(
                 "__kernel void reduce2(__global const int* x, __global int* y, uint n) {\n"
                 "  __local int s[256]; uint t = get_local_id(0), i = get_global_id(0);\n"
                 "  s[t] = i < n ? x[i] : 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "  for (uint d = get_local_size(0) / 2; d > 0; d >>= 1) {\n"
                 "    if (t < d) s[t] += s[t + d]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
                 "  if (t == 0) y[get_group_id(0)] = s[0]; }",
                 "reduce2", {kCount, 1}, {kBlock, 1})
                 .with(x.data(), kCount * 4)
                 .with(y.data(), y.size() * 4)
                 .with(kCount);
    table.row(
        kind.name, kernel, loop, 1.2,
        [&] {
          return std::abs(double(std::accumulate(y.begin(), y.begin() + kind.blocks, 0u)) - double(unsigned(sum)));
        },
        pocl.work());
  }
}

void rows_of(Table& table, int rows, int columns) {
  std::vector<float> x(size_t(rows) * columns), out(x.size()), expected(x.size()), weight(columns), bias(columns);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i * 2654435761u >> 12 & 1023) / 512 - 1;
  for (int i = 0; i < columns; ++i) weight[i] = 1 + float(i % 7) / 8, bias[i] = float(i % 5) / 4;
  const float *in = x.data(), *w = weight.data(), *b = bias.data();
  float* y = expected.data();
  const auto layernorm = [=] {
#pragma omp parallel for
    for (int row = 0; row < rows; ++row) {
      const float* p = in + size_t(row) * columns;
      float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < columns; ++i) sum += p[i];
      const float mean = sum / float(columns);
#pragma omp simd reduction(+ : squares)
      for (int i = 0; i < columns; ++i) squares += (p[i] - mean) * (p[i] - mean);
      const float scale = 1 / std::sqrt(squares / float(columns) + 1e-5f);
#pragma omp simd
      for (int i = 0; i < columns; ++i) y[size_t(row) * columns + i] = scale * (p[i] - mean) * w[i] + b[i];
    }
  };
  const auto softmax = [=] {
#pragma omp parallel for
    for (int row = 0; row < rows; ++row) {
      const float* p = in + size_t(row) * columns;
      float most = p[0], sum = 0;
      float* o = y + size_t(row) * columns;
      for (int i = 0; i < columns; ++i) most = p[i] > most ? p[i] : most;
      for (int i = 0; i < columns; ++i) sum += o[i] = std::exp(p[i] - most);
#pragma omp simd
      for (int i = 0; i < columns; ++i) o[i] /= sum;
    }
  };
  const struct {
    const char *name, *kernel;
    int blocks, threads;
    bool is_softmax;
  } kinds[] = {{"layernorm 1, a row per thread", "layernorm1", rows / 64, 64, false},
               {"layernorm 3, a row per warp", "layernorm3", rows / 8, 256, false},
               {"layernorm 5, a row per block", "layernorm5", rows, 256, false},
               {"softmax, a row per warp", "softmax_warp", rows / 8, 256, true},
               {"softmax, tree", "softmax_tree", rows, 256, true},
               {"softmax, shuffles", "softmax_block", rows, 256, true}};
  for (const auto& kind : kinds) {
    if (!table.wanted(kind.name)) continue;
    Kernel kernel(table.device(), kRows, kind.kernel, {unsigned(kind.blocks), 1}, {unsigned(kind.threads), 1}, 1024);
    kernel.with(out.data()).with(in).with(w).with(b).with(rows).with(columns);
    table.row(kind.name, kernel, kind.is_softmax ? std::function<void()>(softmax) : layernorm, 1.2,
              [&] { return difference(out, expected, out.size()); });
  }
}

void jacobi(Table& table) {
  if (!table.wanted("jacobi 2048^2")) return;
  constexpr int n = 2048;
  std::vector<float> old(n * n), f(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) old[i] = float(unsigned(i) * 2654435761u >> 20 & 1023) / 1024;
  float error = 0, expected_error = 0;
  const auto loop = [&] {
    float e = 0;
    const float* p = old.data();
    float* o = expected.data();
#pragma omp parallel for reduction(+ : e)
    for (int j = 1; j < n - 1; ++j) {
#pragma omp simd reduction(+ : e)
      for (int i = 1; i < n - 1; ++i) {
        const int at = i + j * n;
        const float v = 0.25f * (p[at + 1] + p[at - 1] + p[at + n] + p[at - n]), d = v - p[at];
        o[at] = v;
        e += d * d;
      }
    }
    expected_error = e;
  };
  Kernel kernel(table.device(), kJacobi, "jacobi", {n / 16, n / 16}, {16, 16}, 0);
  kernel.with(f.data()).with(old.data()).with(&error);
  table.row("jacobi 2048^2", kernel, loop, 1.5, [&] {
    return difference(f, expected, f.size()) + 1e-2 * std::abs(double(error) / double(expected_error) - 1);
  });
}

void histogram(Table& table) {
  if (!table.wanted("histogram, shared atomics")) return;
  constexpr unsigned kWords = 4 << 20, kBlocks = 240;
  std::vector<unsigned> data(kWords), partial(kBlocks * 256), expected(256);
  unsigned state = 1;
  for (unsigned& word : data) word = state = state * 1664525u + 1013904223u, word ^= word >> 15;
  const auto loop = [&] {
    const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
    std::fill(expected.begin(), expected.end(), 0u);
#pragma omp parallel
    {
      unsigned own[4][256] = {};
#pragma omp for nowait
      for (size_t i = 0; i < size_t(kWords); ++i)
        for (size_t k = 0; k < 4; ++k) ++own[k][bytes[4 * i + k]];
#pragma omp critical
      for (int bin = 0; bin < 256; ++bin)
        expected[size_t(bin)] += own[0][bin] + own[1][bin] + own[2][bin] + own[3][bin];
    }
  };
  Kernel kernel(table.device(), kHistogram, "histogram", {kBlocks, 1}, {192, 1}, 0);
  kernel.with(partial.data()).with(data.data()).with(kWords);
  table.row("histogram, shared atomics", kernel, loop, 2, [&] {
    double wrong = 0;
    for (unsigned bin = 0; bin < 256; ++bin) {
      unsigned sum = 0;
      for (unsigned block = 0; block < kBlocks; ++block) sum += partial[block * 256 + bin];
      wrong += std::abs(double(sum) - double(expected[bin]));
    }
    return wrong;
  });
}

void product(Table& table) {
  if (!table.wanted("tiled product 512")) return;
  constexpr int n = 512;
  std::vector<float> a(n * n), b(n * n), c(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = float(i % 13) / 13, b[i] = float(i % 7) / 7;
  const auto loop = [&] {
    const float *p = a.data(), *q = b.data();
    float* o = expected.data();
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) o[i * n + j] = 0;
      for (int k = 0; k < n; ++k)
#pragma omp simd
        for (int j = 0; j < n; ++j) o[i * n + j] += p[i * n + k] * q[k * n + j];
    }
  };
  Kernel kernel(table.device(), kProduct, "product<16>", {n / 16, n / 16}, {16, 16}, 0);
  kernel.with(c.data()).with(a.data()).with(b.data()).with(n).with(n);
  const auto pocl =
      Pocl(
          "__kernel void product(__global float* c, __global const float* a, __global const float* b, int n) {\n"
          "  __local float p[16][16], q[16][16]; int tx = get_local_id(0), ty = get_local_id(1);\n"
          "  int x = get_global_id(0), y = get_global_id(1); float sum = 0;\n"
          "  for (int k = 0; k < n; k += 16) {\n"
          "    p[ty][tx] = a[y * n + k + tx]; q[ty][tx] = b[(k + ty) * n + x]; barrier(CLK_LOCAL_MEM_FENCE);\n"
          "    for (int j = 0; j < 16; ++j) sum += p[ty][j] * q[j][tx];\n"
          "    barrier(CLK_LOCAL_MEM_FENCE); }\n"
          "  c[y * n + x] = sum; }",
          "product", {n, n}, {16, 16})
          .with(c.data(), c.size() * 4)
          .with(a.data(), a.size() * 4)
          .with(b.data(), b.size() * 4)
          .with(unsigned(n));
  table.row(
      "tiled product 512", kernel, loop, 1.5, [&] { return 1e-2 * difference(c, expected, c.size()); }, pocl.work());
}

void scan(Table& table) {
  if (!table.wanted("scan with look-back, 4 M")) return;
  constexpr int n = 4 << 20;
  std::vector<float> x(n), y(n), expected(n);
  std::vector<unsigned long long> state(n / 256);
  for (int i = 0; i < n; ++i) x[i] = float(i % 3 - 1);
  const auto loop = [&] { std::inclusive_scan(x.begin(), x.end(), expected.begin()); };
  Kernel kernel(table.device(), kScan, "scan", {n / 256, 1}, {256, 1}, 0);
  kernel.with(y.data()).with(x.data()).with(state.data()).with(n);
  table.row(
      "scan with look-back, 4 M", kernel, loop, 2, [&] { return difference(y, expected, y.size()); }, nullptr,
      [&] { std::fill(state.begin(), state.end(), 0ull); });
}

}  // namespace

int main(int count, char** words) {
  tenon_device* const device = cpu_beside_openmp(words);
  Table table(device, count - 1, words + 1);
  reductions(table);
  rows_of(table, 4096, 768);
  jacobi(table);
  histogram(table);
  product(table);
  scan(table);
  return table.failed;
}
