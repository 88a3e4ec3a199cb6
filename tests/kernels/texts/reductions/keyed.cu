// Sums by key: equal neighbours are one segment.
__global__ void by_key(int* y, const int* keys, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || (i > 0 && keys[i - 1] == keys[i])) return;
  int sum = 0;
  for (int k = i; k < n && keys[k] == keys[i]; ++k) sum += x[k];
  y[keys[i]] = sum;
}
