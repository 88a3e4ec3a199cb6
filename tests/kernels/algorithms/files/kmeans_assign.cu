// Each point to its nearest centre; the sums of the new centres are gathered in shared memory first.
template <int DIMENSIONS> __global__ void __launch_bounds__(256) assign(const float* points, const float* centres, int* nearest, float* sums, unsigned* counts, int n, int k) {
  extern __shared__ float room[];
  float* local = room;
  unsigned* members = (unsigned*)(room + k * DIMENSIONS);
  for (int i = threadIdx.x; i < k * DIMENSIONS; i += blockDim.x) local[i] = 0;
  for (int i = threadIdx.x; i < k; i += blockDim.x) members[i] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float p[DIMENSIONS], best = 3.402823466e38f;
    int which = 0;
#pragma unroll
    for (int d = 0; d < DIMENSIONS; ++d) p[d] = points[d * n + i];
    for (int c = 0; c < k; ++c) {
      float distance = 0;
#pragma unroll
      for (int d = 0; d < DIMENSIONS; ++d) {
        const float delta = p[d] - __ldg(&centres[c * DIMENSIONS + d]);
        distance += delta * delta;
      }
      if (distance < best) best = distance, which = c;
    }
    nearest[i] = which;
    for (int d = 0; d < DIMENSIONS; ++d) atomicAdd(&local[which * DIMENSIONS + d], p[d]);
    atomicAdd(&members[which], 1u);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < k * DIMENSIONS; j += blockDim.x) atomicAdd(&sums[j], local[j]);
  for (int j = threadIdx.x; j < k; j += blockDim.x) atomicAdd(&counts[j], members[j]);
}
