// Sums of windows, each thread over a stretch of its own.
__global__ void windows(long long* y, const int* x, int n, int radius, int each) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  long long sum = 0;
  for (int i = first - radius; i < first + radius; ++i)
    if (i >= 0 && i < n) sum += x[i];
  for (int i = first; i < min(first + each, n); ++i) {
    if (i + radius < n) sum += x[i + radius];
    y[i] = sum;
    if (i - radius >= 0) sum -= x[i - radius];
  }
}
