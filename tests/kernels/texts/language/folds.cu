// Parameter packs: folds, recursion over types, sizes.
template <class... T> __device__ int sum(T... values) { return (0 + ... + (int)values); }
template <class... T> __device__ bool all_even(T... values) { return ((values % 2 == 0) && ...); }
template <int... N> struct List {};
template <int... N> __device__ int weighted(List<N...>, const int* x) {
  int i = 0, out = 0;
  ((out += N * x[i++]), ...);
  return out;
}
template <class First, class... Rest> __device__ unsigned bytes() {
  if constexpr (sizeof...(Rest) == 0) return sizeof(First);
  else return sizeof(First) + bytes<Rest...>();
}
__global__ void packs(int* y, const int* x) {
  const int t = threadIdx.x;
  y[t] = sum(x[t], 2.5f, 'a', 7u) + 1000 * all_even(x[t], 4) + 10000 * weighted(List<3, 1, 2>(), x + t) +
         1000000 * bytes<char, double, short>();
}
