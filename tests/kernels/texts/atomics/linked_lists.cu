// Lists of the elements of each bin, whose heads are exchanged; another launch walks them.
__global__ void link(int* heads, int* next, const int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) next[i] = atomicExch(&heads[bins[i]], i + 1);
}
__global__ void walk(int* y, const int* heads, const int* next) {
  int sum = 0;
  for (int i = heads[threadIdx.x]; i; i = next[i - 1]) sum += i * i;
  y[threadIdx.x] = sum;
}
