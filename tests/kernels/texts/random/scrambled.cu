// Scrambled Sobol sequences: each element is the plain one changed by a constant.
#include <curand_kernel.h>
__global__ void scrambled(unsigned long long* y, unsigned* narrow, unsigned long long* wide, int n) {
  curandStateScrambledSobol32_t a;
  curandStateScrambledSobol64_t b;
  const int t = threadIdx.x;
  curand_init(narrow, 0xe20866feu, (unsigned)(t * n), &a);
  curand_init(wide, 0xe20866fe27bec92aull, (unsigned long long)(t * n), &b);
  for (int i = 0; i < n; ++i) {
    y[2 * (t * n + i)] = curand(&a);
    y[2 * (t * n + i) + 1] = curand(&b);
  }
}
