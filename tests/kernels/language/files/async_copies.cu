// Copies to shared memory that are waited for: by the thread, by a group, by a barrier and by a pipeline of stages.
// (With TENON_PLAIN_BARRIERS all run on fibers: nothing is tried before.)
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// Each thread copies 16 bytes, of which the last `zeros` become 0, and then uses those of its neighbour.
extern "C" __global__ void by_thread(const float4* x, float* y, int zeros) {
  __shared__ float4 tile[2][64];
  const int t = threadIdx.x;
  for (int stage = 0; stage < 2; ++stage) {
    __pipeline_memcpy_async(&tile[stage][t], x + (blockIdx.x * 2 + stage) * 64 + t, 16, stage ? zeros : 0);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  const float4 a = tile[0][63 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 b = tile[1][(t + 1) % 64];
  y[blockIdx.x * 64 + t] = a.x + 10 * a.w + 100 * b.x + 1000 * b.w;
}

extern "C" __global__ void by_group(const int* x, int* y) {
  __shared__ int tile[96], part[96];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x + blockIdx.x * 96, sizeof(int) * 96);
  cg::wait(block);
  auto warp = cg::tiled_partition<32>(block);
  const unsigned first = warp.meta_group_rank() * 32;
  cg::memcpy_async(warp, part + first, 32, tile + first, 40);
  cg::wait(warp);
  y[blockIdx.x * 96 + threadIdx.x] = tile[95 - threadIdx.x] * 1000 + part[first + 31 - warp.thread_rank()];
}

// Tiles come one after the other; nobody overwrites one that another thread still reads.
extern "C" __global__ void by_barrier(const int* x, int* y, int tiles) {
  __shared__ int tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&full, blockDim.x);
  block.sync();
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    cuda::memcpy_async(block, tile, x + i * 128, cuda::aligned_size_t<16>(sizeof(int) * 128), full);
    full.arrive_and_wait();
    for (int k = 0; k < 128; ++k) sum += tile[k] * ((int(threadIdx.x) + k) % 7);
    auto token = full.arrive();
    sum += i;
    full.wait(std::move(token));
  }
  y[threadIdx.x] = sum;
}

// Two stages of four are in flight.
extern "C" __global__ void by_pipeline(const int* x, int* y, int tiles) {
  __shared__ int tile[4][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int next = 0, done = 0; done < tiles; ++done) {
    for (; next < tiles && next < done + 4; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[next % 4], x + next * 64, sizeof(int) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += (done + 1) * tile[done % 4][63 - threadIdx.x];
    pipe.consumer_release();
  }
  y[threadIdx.x] = sum;
}

// The first warp produces, the others consume.
extern "C" __global__ void by_roles(const int* x, int* y, int tiles) {
  __shared__ int tile[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % 2][threadIdx.x], x + i * 32 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 32; ++k) sum += (i + k + 1) * tile[i % 2][(k + threadIdx.x) % 32];
      pipe.consumer_release();
    }
  }
  pipe.quit();
  y[threadIdx.x] = sum;
}

// Threads that go away, and one that arrives for all that have no part.
extern "C" __global__ void dropping(int* y) {
  __shared__ int rounds[8];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 64);
  if (threadIdx.x < 8) rounds[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = 0; i < 8; ++i) {
    if (threadIdx.x % 8 < i) {
      bar.arrive_and_drop();
      return;
    }
    atomicAdd(&rounds[i], 1);
    bar.arrive_and_wait();
    if (threadIdx.x == 63 && i == 7) break;
  }
  if (threadIdx.x == 63)
    for (int i = 0; i < 8; ++i) y[i] = rounds[i];
}
