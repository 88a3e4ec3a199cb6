// An 8 x 8 transpose in registers: lane i of eight holds row i.
__global__ void transpose(int* y, const int* x) {
  const int lane = threadIdx.x % 8, base = threadIdx.x / 8 * 64;
  int row[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) row[k] = x[base + lane * 8 + k];
#pragma unroll
  for (int step = 1; step < 8; step *= 2)
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k & step) continue;
      const bool upper = lane & step;
      const int got = __shfl_xor_sync(0xffffffffu, upper ? row[k] : row[k | step], step);
      (upper ? row[k] : row[k | step]) = got;
    }
#pragma unroll
  for (int k = 0; k < 8; ++k) y[base + lane * 8 + k] = row[k];
}
