// A sorting network in registers, for any type.
// kernels: sort<int>, sort<double>
template <class T> __device__ void exchange(T& a, T& b) {
  if (b < a) {
    const T t = a;
    a = b;
    b = t;
  }
}
template <class T> __global__ void sort(T* x, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  T v[6];
#pragma unroll
  for (int k = 0; k < 6; ++k) v[k] = x[6 * i + k];
  exchange(v[1], v[2]), exchange(v[4], v[5]), exchange(v[0], v[2]), exchange(v[3], v[5]), exchange(v[0], v[1]);
  exchange(v[3], v[4]), exchange(v[2], v[5]), exchange(v[0], v[3]), exchange(v[1], v[4]), exchange(v[2], v[4]);
  exchange(v[1], v[3]), exchange(v[2], v[3]);
#pragma unroll
  for (int k = 0; k < 6; ++k) x[6 * i + k] = v[k];
}
