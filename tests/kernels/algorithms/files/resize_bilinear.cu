// Bilinear resize of an RGBA picture, pixel centres at halves, clamped at the border; weights are whole 256ths, so the result is exact.
__device__ __forceinline__ int mixed(int a, int b, int weight) { return a * (256 - weight) + b * weight; }
extern "C" __global__ void resize(const uchar4* in, int in_width, int in_height, uchar4* out, int out_width, int out_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  // Positions in 256ths of a source pixel.
  const int px = ((2 * x + 1) * in_width * 128) / out_width - 128, py = ((2 * y + 1) * in_height * 128) / out_height - 128;
  const int x0 = px >> 8, y0 = py >> 8, wx = px & 255, wy = py & 255;
  auto at = [&](int column, int row) {
    return in[min(max(row, 0), in_height - 1) * in_width + min(max(column, 0), in_width - 1)];
  };
  const uchar4 a = at(x0, y0), b = at(x0 + 1, y0), c = at(x0, y0 + 1), d = at(x0 + 1, y0 + 1);
  uchar4 r;
  r.x = (unsigned char)((mixed(mixed(a.x, b.x, wx), mixed(c.x, d.x, wx), wy) + 32768) >> 16);
  r.y = (unsigned char)((mixed(mixed(a.y, b.y, wx), mixed(c.y, d.y, wx), wy) + 32768) >> 16);
  r.z = (unsigned char)((mixed(mixed(a.z, b.z, wx), mixed(c.z, d.z, wx), wy) + 32768) >> 16);
  r.w = (unsigned char)((mixed(mixed(a.w, b.w, wx), mixed(c.w, d.w, wx), wy) + 32768) >> 16);
  out[y * out_width + x] = r;
}
