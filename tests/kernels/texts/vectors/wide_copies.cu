// Sixteen bytes at once, with a rest of single floats.
__global__ void copy(float* y, const float* __restrict__ x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  for (int k = i; k < n / 4; k += stride) reinterpret_cast<float4*>(y)[k] = reinterpret_cast<const float4*>(x)[k];
  for (int k = n / 4 * 4 + i; k < n; k += stride) y[k] = x[k] + 1;
}
