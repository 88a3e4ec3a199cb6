extern "C" __global__ void votes(const int* x, int* count, int* conjunction, int* disjunction) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  count[i] = __syncthreads_count(x[i] > 5);
  conjunction[i] = __syncthreads_and(x[i] >= 0);
  disjunction[i] = __syncthreads_or(x[i] == 7);
}
