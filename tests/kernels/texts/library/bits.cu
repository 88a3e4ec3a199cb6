#include <cuda/std/bit>
__global__ void bits(unsigned* y, const unsigned* x) {
  const unsigned v = x[threadIdx.x];
  y[threadIdx.x] = cuda::std::popcount(v) + 100 * cuda::std::countl_zero(v) +
                   10000 * cuda::std::countr_zero(v | 1u << 31) + (cuda::std::rotl(v, 3) & 1) * 1000000 +
                   cuda::std::has_single_bit(v) * 10000000 +
                   (cuda::std::bit_cast<float>(0x3f800000u) == 1.0f) * 100000000;
}
