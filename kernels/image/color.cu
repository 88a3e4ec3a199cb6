// color.cu: pictures of three channels, red, green and blue, each a plane of `plane` elements, one behind the other.
#include "stored.cuh"

// Where the red of gray element i is; green and blue are one and two planes behind it.
__device__ inline long long red_of(long long i, long long plane) { return i / plane * 3 * plane + i % plane; }

template <class T, class A>
__global__ void rgb_to_gray(const T* x, T* y, A red, A green, A blue, long long plane, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T* const from = x + red_of(i, plane);
  y[i] = stored<T, A>(red * A(from[0]) + green * A(from[plane]) + blue * A(from[2 * plane]));
}

template <class T, class A>
__global__ void gray_gradient(const T* grad_y, T* grad_x, A red, A green, A blue, long long plane, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const A g = A(grad_y[i]);
  T* const to = grad_x + red_of(i, plane);
  to[0] = T(red * g), to[plane] = T(green * g), to[2 * plane] = T(blue * g);
}

template <class T> __global__ void gray_to_rgb(const T* x, T* y, long long plane, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  T* const to = y + red_of(i, plane);
  to[0] = to[plane] = to[2 * plane] = x[i];
}

template <class T, class A> __global__ void rgb_gradient(const T* grad_y, T* grad_x, long long plane, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T* const from = grad_y + red_of(i, plane);
  grad_x[i] = T(A(from[0]) + A(from[plane]) + A(from[2 * plane]));
}
