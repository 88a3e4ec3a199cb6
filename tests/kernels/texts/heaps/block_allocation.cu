// One thread allocates for its block; the others use it.
__global__ void allocate(int* y, int n) {
  __shared__ int* room;
  if (threadIdx.x == 0) room = (int*)malloc(n * sizeof(int));
  __syncthreads();
  if (!room) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) room[i] = i * (blockIdx.x + 1);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&y[blockIdx.x], room[n - 1 - i]);
  __syncthreads();
  if (threadIdx.x == 0) free(room);
}
