// The median of nine by exchanges; the tile and its border come through shared memory.
#define TILE 16
#define EXCHANGE(a, b) { const unsigned char low = min((int)(a), (int)(b)), high = max((int)(a), (int)(b)); a = low; b = high; }
extern "C" __global__ void median(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char tile[TILE + 2][TILE + 2];
  for (int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2) * (TILE + 2); k += TILE * TILE) {
    const int x = min(max((int)(blockIdx.x * TILE) + k % (TILE + 2) - 1, 0), width - 1);
    const int y = min(max((int)(blockIdx.y * TILE) + k / (TILE + 2) - 1, 0), height - 1);
    tile[k / (TILE + 2)][k % (TILE + 2)] = in[y * width + x];
  }
  __syncthreads();
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) v[k] = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
  // The first five places are put in order by selection: the fifth is the median.
#pragma unroll
  for (int i = 0; i < 5; ++i)
#pragma unroll
    for (int k = i + 1; k < 9; ++k) EXCHANGE(v[i], v[k])
  out[y * width + x] = v[4];
}
