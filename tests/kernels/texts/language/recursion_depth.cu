// Ackermann's function, and a walk over a tree in an array: both within the KiB of stack that a GPU gives a thread.
__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ int depth(const int* left, const int* right, int node) {
  if (node < 0) return 0;
  return 1 + max(depth(left, right, left[node]), depth(left, right, right[node]));
}
__global__ void recurse(int* y, const int* left, const int* right) {
  const int t = threadIdx.x;
  y[t] = ackermann(2, t % 8) * 100 + depth(left, right, t);
}
