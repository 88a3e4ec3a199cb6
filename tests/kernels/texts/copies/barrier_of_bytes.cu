// cuda::barrier waits for arrivals and for bytes.
#include <cuda/barrier>
__global__ void sums(int* y, const int* x) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, x, cuda::aligned_size_t<16>(sizeof(tile)), ready);
    token = cuda::device::barrier_arrive_tx(ready, 1, sizeof(tile));
  } else {
    token = ready.arrive();
  }
  ready.wait(std::move(token));
  y[threadIdx.x] = tile[threadIdx.x] + tile[63 - threadIdx.x] * 100;
}
