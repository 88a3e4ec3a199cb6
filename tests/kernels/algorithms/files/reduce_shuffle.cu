template <class T> __device__ T warp_sum(T value) {
  for (int step = warpSize / 2; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  return value;
}
template <class T> __device__ T block_sum(T value) {
  __shared__ T of_warp[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? of_warp[lane] : T(0);
  return warp == 0 ? warp_sum(value) : value;
}
template <class T> __global__ void reduce(const T* x, T* out, int n) {
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
