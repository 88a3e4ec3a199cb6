// Kernels chosen at run time: pointers to kernels, a table of them, an argument of a function.
__global__ void add(int* y, int v) { y[threadIdx.x] += v; }
__global__ void scale(int* y, int v) { y[threadIdx.x] *= v; }
template <class T> __global__ void shift(T* y, T v) { y[threadIdx.x] -= v; }
struct Plan {
  void (*kernel)(int*, int);
};
template <void (*Kernel)(int*, int)> __device__ void launch_constant(int* y) { Kernel<<<1, 32>>>(y, 3); }
__device__ void launch(void (*kernel)(int*, int), int* y, int v) { kernel<<<1, 32>>>(y, v); }
__global__ void choose(int* y, int n) {
  void (*const table[])(int*, int) = {add, scale};
  void (*last)(int*, int) = add;
  for (int i = 0; i < n; ++i) table[i % 2]<<<1, 32>>>(y, i + 1);
  launch(n > 2 ? scale : add, y, 2);
  const Plan plan = {add};
  if (n > 1) (*plan.kernel)<<<1, 32>>>(y, 10000);
  plan.kernel<<<1, 32>>>(y, 20000);
  launch_constant<add>(y);
  shift<<<1, 32>>>(y, 5);
  last<<<dim3(1), dim3(32), 0, cudaStreamTailLaunch>>>(y, 1000);
}
