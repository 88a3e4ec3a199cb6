// device/block.cuh: functions for all threads of a block or grid together; for kernels only.
namespace tenon_own {

// Calls Op::at(work, i) for every i below count.
template <class Op, class Work> __global__ void each(Work w, i64 count) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x) Op::at(w, i);
}

// The sum of the numbers of the threads before this one, in a block of full warps along one axis; sums: one element per
// warp, in shared memory. All threads must call it.
template <class T> __device__ inline T block_sum_before(T own, T* sums) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  T sum = own;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const T other = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  T before = sum - own;
  for (int w = 0; w < warp; ++w) before += sums[w];
  __syncthreads();
  return before;
}

}  // namespace tenon_own
