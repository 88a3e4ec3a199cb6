#include <cuda/std/complex>
__global__ void mandelbrot(int* y, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  const cuda::std::complex<double> c(-2 + 0.125 * (i % width), -1 + 0.25 * (i / width));
  cuda::std::complex<double> z = 0;
  int n = 0;
  while (n < 50 && z.real() * z.real() + z.imag() * z.imag() <= 4.0) z = z * z + c, ++n;
  y[i] = n;
}
