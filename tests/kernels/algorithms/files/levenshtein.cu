// The edit distance of pairs of words, a block a pair: the table's diagonals one after the other, three of them kept.
extern "C" __global__ void distance(const char* text, const int* offsets, int* out) {
  extern __shared__ int diagonals[];
  const char* a = text + offsets[2 * blockIdx.x];
  const char* b = text + offsets[2 * blockIdx.x + 1];
  const int m = offsets[2 * blockIdx.x + 1] - offsets[2 * blockIdx.x], n = offsets[2 * blockIdx.x + 2] - offsets[2 * blockIdx.x + 1];
  int *before = diagonals, *last = before + m + 1, *now = last + m + 1;
  for (int d = 0; d <= m + n; ++d) {
    // Row i of diagonal d is column d - i.
    for (int i = max(0, d - n) + (int)threadIdx.x; i <= min(d, m); i += blockDim.x) {
      const int j = d - i;
      if (i == 0 || j == 0) now[i] = i + j;
      else now[i] = min(min(last[i - 1], last[i]) + 1, before[i - 1] + (a[i - 1] != b[j - 1]));
    }
    __syncthreads();
    int* old = before;
    before = last;
    last = now;
    now = old;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = last[m];
}
