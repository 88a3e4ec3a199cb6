// affine.cu: images at other coordinates, which are an affine function of those of the result.
#include "boundary.cuh"
#include "part.cuh"
#include "stored.cuh"

// Coordinates are limited to a range of int; NaN becomes the lower end.
__device__ inline double limited(double at) { return fmin(fmax(at, -1e9), 1e9); }

template <class T, class A> __device__ inline A element(const T* image, int h, int w, int i, int j, int edge, A cval) {
  i = inside(i, h, edge), j = inside(j, w, edge);
  return i < 0 || j < 0 ? cval : A(image[(long long)i * w + j]);
}

// Element (i, j) of the result is the image at row a i + b j + c and column d i + e j + f.
template <class T, class A> __global__ void affine(const T* x, T* y, double a, double b, double c, double d, double e,
                                                   double f, long long outer, int h, int w, int height, int width,
                                                   bool linear, int edge, A cval) {
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= outer * height * width) return;
  const Part part = part_of<1>(thread, height, width);
  const int j = part.column, i = part.row;
  const T* const image = x + part.image * h * w;
  const double row = limited(a * i + b * j + c), column = limited(d * i + e * j + f);
  if (!linear) {
    y[thread] = stored<T, A>(element(image, h, w, int(floor(row + 0.5)), int(floor(column + 0.5)), edge, cval));
    return;
  }
  const int top = int(floor(row)), left = int(floor(column));
  const A down = A(row - top), across = A(column - left);
  A sum = A(0);
  for (int k = 0; k < 4; ++k) {
    const A weight = (k & 2 ? down : 1 - down) * (k & 1 ? across : 1 - across);
    if (weight != 0) sum += weight * element(image, h, w, top + (k >> 1), left + (k & 1), edge, cval);
  }
  y[thread] = stored<T, A>(sum);
}
