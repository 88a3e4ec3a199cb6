// Comparisons of pairs, as masks and as halves.
#include <cuda_fp16.h>
__global__ void compare(unsigned* y, const __half2* a, const __half2* b) {
  const int t = threadIdx.x;
  const __half2 u = a[t], v = b[t];
  unsigned bits = 0;
  bits |= (unsigned)__hbeq2(u, v) << 0 | (unsigned)__hblt2(u, v) << 1 | (unsigned)__hbge2(u, v) << 2;
  bits |= (unsigned)(__low2float(__hgt2(u, v)) == 1.0f) << 3 | (unsigned)(__high2float(__hne2(u, v)) == 1.0f) << 4;
  bits |= (unsigned)(__hmax2(u, v).x == (u.x > v.x ? u.x : v.x)) << 5;
  bits |= (unsigned)__hisnan(u.x) << 6;
  const __half2 swapped = __lowhigh2highlow(u);
  bits |= (unsigned)(swapped.x == u.y || __hisnan(u.y)) << 7;
  y[t] = bits;
}
