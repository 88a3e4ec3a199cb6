// Each element of two sorted halves finds its place in the merged whole.
__device__ int before(const int* x, int n, int value, bool equal) {
  int low = 0;
  while (n > 0) {
    const int half = n / 2;
    if (x[low + half] < value || (equal && x[low + half] == value)) low += half + 1, n -= half + 1;
    else n = half;
  }
  return low;
}
__global__ void merge(int* y, const int* x, int half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * half) return;
  const bool second = i >= half;
  const int place = i % half + before(second ? x : x + half, half, x[i], second);
  y[place] = x[i];
}
