extern "C" __global__ void mandelbrot(int* iterations, int width, int height, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  double cx = -2.0 + 3.0 * px / width, cy = -1.5 + 3.0 * py / height, x = 0, y = 0;
  int i = 0;
  for (; i < limit && x * x + y * y <= 4.0; ++i) {
    double next = __dadd_rn(__dsub_rn(__dmul_rn(x, x), __dmul_rn(y, y)), cx);
    y = __dadd_rn(__dmul_rn(__dmul_rn(2.0, x), y), cy);
    x = next;
  }
  iterations[py * width + px] = i;
}
