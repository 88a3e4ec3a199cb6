// Sorts 512 keys a block in shared memory.
extern "C" __global__ void bitonic(unsigned* keys) {
  __shared__ unsigned s[512];
  unsigned t = threadIdx.x;
  keys += blockIdx.x * 512;
  s[t] = keys[t];
  s[t + 256] = keys[t + 256];
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
      bool up = (low & size) == 0;
      unsigned a = s[low], b = s[high];
      if ((a > b) == up) {
        s[low] = b;
        s[high] = a;
      }
    }
  __syncthreads();
  keys[t] = s[t];
  keys[t + 256] = s[t + 256];
}
