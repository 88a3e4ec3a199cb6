// Functions of halves are rounded from float.
#include <cuda_fp16.h>
__global__ void functions(unsigned short* y, const unsigned short* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half v = __ushort_as_half(x[i]);
  const __half all[] = {hsqrt(v), hrcp(v), hfloor(v), hceil(v), hrint(v), htrunc(v), __habs(v), __hneg(v)};
  for (int k = 0; k < 8; ++k) y[8 * i + k] = __half_as_ushort(all[k]);
}
