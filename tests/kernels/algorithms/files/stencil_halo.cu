#define RADIUS 3
extern "C" __global__ void stencil(const float* in, float* out, int n) {
  __shared__ float tile[128 + 2 * RADIUS];
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + RADIUS;
  tile[at] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < RADIUS) {
    tile[at - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
    tile[at + blockDim.x] = i + (int)blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k) sum += tile[at + k];
  if (i < n) out[i] = sum;
}
