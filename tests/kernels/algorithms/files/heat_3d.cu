// One step of diffusion in a box: a three-dimensional grid of blocks, planes marched through registers.
extern "C" __global__ void step(const float* __restrict__ in, float* __restrict__ out, int3 size, float rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z0 = blockIdx.z * 4;
  if (x >= size.x || y >= size.y) return;
  const int row = size.x, plane = size.x * size.y;
  for (int z = z0; z < min(z0 + 4, size.z); ++z) {
    const int i = z * plane + y * row + x;
    const float centre = in[i];
    const float west = x > 0 ? in[i - 1] : centre, east = x < size.x - 1 ? in[i + 1] : centre;
    const float north = y > 0 ? in[i - row] : centre, south = y < size.y - 1 ? in[i + row] : centre;
    const float below = z > 0 ? in[i - plane] : centre, above = z < size.z - 1 ? in[i + plane] : centre;
    out[i] = centre + rate * (west + east + north + south + below + above - 6.0f * centre);
  }
}
