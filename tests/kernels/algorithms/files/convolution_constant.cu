__constant__ float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
extern "C" __global__ void convolve(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
      sum += weights[(dy + 1) * 3 + dx + 1] * in[sy * width + sx];
    }
  out[y * width + x] = sum / 16.0f;
}
