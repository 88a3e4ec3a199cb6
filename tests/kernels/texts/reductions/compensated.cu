// Kahan's sum loses nothing of what a plain sum loses.
__global__ void sums(float* y, const float* x, int n) {
  float sum = 0, lost = 0;
  for (int i = 0; i < n; ++i) {
    const float term = __fsub_rn(x[i * 32 + threadIdx.x], lost), next = __fadd_rn(sum, term);
    lost = __fsub_rn(__fsub_rn(next, sum), term);
    sum = next;
  }
  y[threadIdx.x] = sum;
}
