// Many small matrices, one a thread, inverted by Gauss and Jordan with pivoting; the matrix lives in registers.
template <typename T, int N> __global__ void invert(const T* in, T* out, int* singular, int count) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  T a[N][2 * N];
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c) {
      a[r][c] = in[(m * N + r) * N + c];
      a[r][N + c] = r == c ? T(1) : T(0);
    }
  for (int k = 0; k < N; ++k) {
    int best = k;
    for (int r = k + 1; r < N; ++r)
      if (fabs(a[r][k]) > fabs(a[best][k])) best = r;
    if (a[best][k] == T(0)) {
      atomicAdd(singular, 1);
      return;
    }
    for (int c = 0; c < 2 * N; ++c) {
      T swap = a[k][c];
      a[k][c] = a[best][c];
      a[best][c] = swap;
    }
    const T scale = T(1) / a[k][k];
    for (int c = 0; c < 2 * N; ++c) a[k][c] *= scale;
    for (int r = 0; r < N; ++r) {
      if (r == k) continue;
      const T factor = a[r][k];
      for (int c = 0; c < 2 * N; ++c) a[r][c] -= factor * a[k][c];
    }
  }
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c) out[(m * N + r) * N + c] = a[r][N + c];
}
