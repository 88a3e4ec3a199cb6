// A blur by rows and columns, with its weights in constant memory and a generic radius.
// kernels: blur<1, true>, blur<3, false>
__constant__ int weights[2][7] = {{1, 2, 1}, {1, 6, 15, 20, 15, 6, 1}};
template <int Radius, bool Rows> __global__ void blur(int* y, const int* x, int height, int width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= width || r >= height) return;
  int sum = 0;
#pragma unroll
  for (int k = -Radius; k <= Radius; ++k) {
    const int row = Rows ? r : r + k, column = Rows ? c + k : c;
    if (row >= 0 && row < height && column >= 0 && column < width)
      sum += weights[Radius == 3][k + Radius] * x[row * width + column];
  }
  y[r * width + c] = sum;
}
