// LU without pivoting of tiles, a block a tile, in shared memory with a padded row.
#define N 24
extern "C" __global__ void lu(double* tiles) {
  __shared__ double a[N][N + 1];
  const int r = threadIdx.y, c = threadIdx.x;
  double* tile = tiles + (size_t)blockIdx.x * N * N;
  a[r][c] = tile[r * N + c];
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (c == k && r > k) a[r][k] /= a[k][k];
    __syncthreads();
    if (r > k && c > k) a[r][c] -= a[r][k] * a[k][c];
    __syncthreads();
  }
  tile[r * N + c] = a[r][c];
}
