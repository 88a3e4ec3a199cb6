namespace math {
template <class T, int Degree> struct Polynomial {
  static __device__ T at(T x) {
    T sum = 0;
    for (int k = 0; k < Degree; ++k) sum = sum * x + T(1);
    return sum;
  }
};
template <class T, int Degree> __global__ void polynomial(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = Polynomial<T, Degree>::at(x[i]);
}
}  // namespace math
