// A warp a row: y = A x for a matrix in compressed rows.
extern "C" __global__ void spmv(const int* start, const int* column, const double* value, const double* x, double* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  double sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * __ldg(&x[column[k]]);
  for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
