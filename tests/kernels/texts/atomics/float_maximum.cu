// A maximum of floats by comparing and exchanging.
__device__ float atomicMaxFloat(float* at, float value) {
  int old = __float_as_int(*at), assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS((int*)at, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void greatest(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMaxFloat(&y[i % 3], x[i]);
}
