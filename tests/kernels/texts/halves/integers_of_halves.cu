#include <cuda_fp16.h>
__global__ void integers(int* y, const float* x) {
  const __half v = __float2half(x[threadIdx.x]);
  int* to = y + 6 * threadIdx.x;
  to[0] = __half2int_rn(v);
  to[1] = __half2int_rz(v);
  to[2] = __half2int_rd(v);
  to[3] = (int)__half2uint_ru(__habs(v));
  to[4] = (int)(__half2float(__int2half_rn(to[1] * 3)) + __half2float(__short2half_rn((short)to[0])));
  to[5] = (int)v + (int)(float)v;
}
