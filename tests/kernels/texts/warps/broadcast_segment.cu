__global__ void first_of_segment(int* y, const int* x) {
  y[threadIdx.x] = __shfl_sync(0xffffffffu, x[threadIdx.x], 0, 8) + __shfl_sync(0xffffffffu, x[threadIdx.x], 13);
}
