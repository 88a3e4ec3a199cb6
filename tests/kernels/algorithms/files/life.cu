// Conway's game on a torus; one byte a cell.
extern "C" __global__ void generation(const bool* now, bool* next, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned left = (x + width - 1) % width, right = (x + 1) % width, up = (y + height - 1) % height * width, down = (y + 1) % height * width;
  const int around = now[up + left] + now[up + x] + now[up + right] + now[y * width + left] + now[y * width + right] +
                     now[down + left] + now[down + x] + now[down + right];
  next[y * width + x] = around == 3 || (around == 2 && now[y * width + x]);
}
