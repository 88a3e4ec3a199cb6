// Shuffles of eight-byte values, and of halves of a warp.
template <class T> __device__ T turned(T value, int width) {
  return __shfl_sync(0xffffffffu, value, width - 1 - (int)threadIdx.x % width, width);
}
__global__ void turn(double* y, const double* x) {
  const int t = threadIdx.x;
  y[t] = turned(x[t], 32) + turned((long long)x[t], 16) * 1000.0 + turned((unsigned long)x[t], 8) * 1e6 +
         turned((float)x[t], 4) * 1e9;
}
