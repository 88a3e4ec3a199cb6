#include <stdint.h>
extern "C" __global__ void blend(const uint8_t* a, const uint8_t* b, uint8_t* out, int64_t n, uint8_t weight) {
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (uint8_t)((a[i] * weight + b[i] * (255 - weight)) / 255);
}
extern "C" __global__ void grey(const uchar4* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (unsigned char)((in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8);
}
