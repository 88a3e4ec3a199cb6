// Atomic objects with orders and scopes: what one thread published, another one reads.
#include <cuda/atomic>
#include <cuda/std/atomic>

struct Pair {
  short a, b;
};

extern "C" __global__ void operations(int* counts, float* real, unsigned char* flags) {
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(counts[0]), least(counts[1]), greatest(counts[2]),
      bits(counts[3]), last(counts[4]);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum.fetch_add(i, cuda::memory_order_relaxed);
  least.fetch_min(-i);
  greatest.fetch_max(i);
  bits.fetch_or(1 << i % 31);
  int seen = last.load();
  while (seen < i && !last.compare_exchange_weak(seen, i, cuda::std::memory_order_acq_rel)) {}
  cuda::atomic_ref<float> total(real[0]);
  total.fetch_add(0.5f);
  cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(flags[i % 4])
      .store((unsigned char)(i % 4 + 1), cuda::memory_order_release);
  cuda::atomic_ref<Pair> pair(*reinterpret_cast<Pair*>(counts + 5));
  Pair old = pair.load(), fresh;
  do {
    fresh.a = (short)(old.a + 1);
    fresh.b = (short)(old.b - 1);
  } while (!pair.compare_exchange_strong(old, fresh));
}

__device__ cuda::atomic<int, cuda::thread_scope_device> turns;

// Threads of a block hand a message on, from the last to the first: each waits for its turn.
extern "C" __global__ void relay(int* y) {
  __shared__ int message;
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> turn;
  if (threadIdx.x == 0) {
    message = 1;
    turn.store(blockDim.x - 1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  while (turn.load(cuda::memory_order_acquire) != threadIdx.x) {}
  message = message * 3 + (int)threadIdx.x;
  y[threadIdx.x] = message;
  turn.store(threadIdx.x - 1, cuda::memory_order_release);
  ++turns;
  turns += 2;
}

extern "C" __global__ void waiting(int* y) {
  __shared__ cuda::std::atomic<int> ready;
  __shared__ int value;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    value = 42;
    ready.store(1);
    ready.notify_all();
  } else {
    ready.wait(0);
    y[threadIdx.x] = value + turns.load();
  }
}
