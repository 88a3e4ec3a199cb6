// Maxima of windows with a stride, and where they are.
__global__ void pool(float* y, int* at, const float* x, int height, int width, int size, int stride) {
  const int rows = (height - size) / stride + 1, columns = (width - size) / stride + 1;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  float best = -3.4e38f;
  int where = -1;
  for (int r = i / columns * stride; r < i / columns * stride + size; ++r)
    for (int c = i % columns * stride; c < i % columns * stride + size; ++c)
      if (x[r * width + c] > best) best = x[where = r * width + c];
  y[i] = best;
  at[i] = where;
}
