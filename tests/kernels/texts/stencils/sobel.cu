// The size of the gradient, in bytes.
__device__ int pixel(const unsigned char* x, int r, int c, int height, int width) {
  return x[min(max(r, 0), height - 1) * width + min(max(c, 0), width - 1)];
}
__global__ void sobel(unsigned char* y, const unsigned char* x, int height, int width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= width || r >= height) return;
  int dx = 0, dy = 0;
#pragma unroll
  for (int i = -1; i <= 1; ++i)
#pragma unroll
    for (int j = -1; j <= 1; ++j) {
      const int v = pixel(x, r + i, c + j, height, width);
      dx += v * j * (2 - abs(i));
      dy += v * i * (2 - abs(j));
    }
  y[r * width + c] = (unsigned char)min(255, abs(dx) + abs(dy));
}
