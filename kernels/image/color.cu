// color.cu: pixels of three channels, red, green and blue, beside each other.
#if HALF
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#endif

template <class T, class A> __device__ inline T stored(A value) { return T(value); }
template <> __device__ inline unsigned char stored<unsigned char, float>(float value) { return (unsigned char)(value <= 0 ? 0 : value >= 255 ? 255 : rintf(value)); }

template <class T, class A>
__global__ void rgb_to_gray(const T* x, T* y, A red, A green, A blue, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = stored<T, A>(red * A(x[3 * i]) + green * A(x[3 * i + 1]) + blue * A(x[3 * i + 2]));
}

template <class T, class A>
__global__ void gray_gradient(const T* grad_y, T* grad_x, A red, A green, A blue, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const A g = A(grad_y[i]);
  grad_x[3 * i] = T(red * g), grad_x[3 * i + 1] = T(green * g), grad_x[3 * i + 2] = T(blue * g);
}

template <class T>
__global__ void gray_to_rgb(const T* x, T* y, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[3 * i] = y[3 * i + 1] = y[3 * i + 2] = x[i];
}

template <class T, class A>
__global__ void rgb_gradient(const T* grad_y, T* grad_x, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) grad_x[i] = T(A(grad_y[3 * i]) + A(grad_y[3 * i + 1]) + A(grad_y[3 * i + 2]));
}
