// Casts between numbers with a rounding direction, bits of one type as another, saturation, dot products of bytes, halves.
#include <cuda_fp16.h>
extern "C" __global__ void convert(const float* x, int* whole, float* real, unsigned* bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  int* w = whole + i * 10;
  w[0] = __float2int_rn(v), w[1] = __float2int_rd(v), w[2] = __float2int_ru(v), w[3] = __float2int_rz(v);
  w[4] = (int)__float2uint_rn(v), w[5] = __double2int_rn((double)v * 0.5), w[6] = (int)__float2ll_rn(v), w[7] = (int)lrintf(v);
  w[8] = (int)roundf(v), w[9] = __double2hiint((double)v);
  float* r = real + i * 8;
  r[0] = __saturatef(v), r[1] = __fmaf_rn(v, v, 1.0f), r[2] = __int2float_rn((int)v), r[3] = __uint2float_rz(0xffffffffu);
  r[4] = __int_as_float(__float_as_int(v) ^ (int)0x80000000), r[5] = __half2float(__float2half(v)), r[6] = __fmul_rn(v, 3.0f), r[7] = (float)__hiloint2double(__double2hiint((double)v), __double2loint((double)v));
  unsigned* b = bits + i * 8;
  const unsigned u = __float_as_uint(v);
  b[0] = __dp4a(u, 0x01020304u, 7u), b[1] = (unsigned)__dp4a((int)u, 0x01fe03fc, -7), b[2] = __vadd4(u, 0x01ff80f0u), b[3] = __vmaxu4(u, 0x3f3f3f3fu);
  b[4] = __half_as_ushort(__float2half_rn(v)), b[5] = __funnelshift_l(u, ~u, 9), b[6] = __byte_perm(u, 0u, 0x0123), b[7] = __brev(u) ^ (unsigned)__popc(u) ^ ((unsigned)__clz((int)u) << 8) ^ ((unsigned)__ffs((int)u) << 16);
}
