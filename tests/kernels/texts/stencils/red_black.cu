// One colour of a Gauss-Seidel sweep per launch, in place.
__global__ void sweep(double* x, const double* b, int n, int colour) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= n - 1 || j >= n - 1 || (i + j) % 2 != colour) return;
  double* at = x + i * n + j;
  *at = 0.25 * (at[-1] + at[1] + at[-n] + at[n] + b[i * n + j]);
}
