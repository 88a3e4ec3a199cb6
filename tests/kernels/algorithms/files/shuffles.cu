// Every kind of shuffle with every width; results of thread t start at out[t * 24].
template <class T> __global__ void shuffles(const T* x, T* out) {
  int t = threadIdx.x, at = t * 24;
  T value = x[t];
  for (int width = 1; width <= 32; width *= 2) {
    out[at++] = __shfl_sync(0xffffffffu, value, 5, width);
    out[at++] = __shfl_up_sync(0xffffffffu, value, 3, width);
    out[at++] = __shfl_down_sync(0xffffffffu, value, 2, width);
    out[at++] = __shfl_xor_sync(0xffffffffu, value, width / 2, width);
  }
}
// Lanes of a part of the warp shuffle among themselves while the others do something else.
extern "C" __global__ void divergent(const int* x, int* out) {
  int t = threadIdx.x, lane = t % 32;
  if (lane < 12) {
    int sum = x[t];
    for (int k = 0; k < lane % 3; ++k) sum += k;
    __syncwarp(0x00000fffu);
    out[t] = __shfl_sync(0x00000fffu, sum, (lane + 1) % 12);
  } else if (lane % 2) {
    out[t] = (int)__ballot_sync(0xaaaaa000u, x[t] & 1);
  } else {
    out[t] = __shfl_xor_sync(0x55555000u, x[t], 2, 4);
  }
}
