// Additions of every floating-point type lose nothing that is exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Sums {
  float f;
  double d;
  __half h;
  __nv_bfloat16 b;
  __half2 h2;
  __nv_bfloat162 b2;
};
__global__ void add(Sums* y) {
  atomicAdd(&y->f, 0.5f);
  atomicAdd(&y->d, 0.25);
  atomicAdd(&y->h, __float2half(2.0f));
  atomicAdd(&y->b, __float2bfloat16(1.0f));
  atomicAdd(&y->h2, __floats2half2_rn(1.0f, -1.0f));
  atomicAdd(&y->b2, __floats2bfloat162_rn(0.5f, 2.0f));
}
