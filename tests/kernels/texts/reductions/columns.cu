// Column sums: threads of a column stride over the rows.
__global__ void columns(int* y, const int* x, int rows, int width) {
  __shared__ int part[8][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  int sum = 0;
  if (column < width)
    for (int r = threadIdx.y; r < rows; r += 8) sum += x[r * width + column];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < width) {
    for (int k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
    y[column] = sum;
  }
}
