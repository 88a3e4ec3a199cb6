// cuda::std's array, tuple, pair, optional and span in kernels.
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/utility>
template <size_t N> __device__ int total(const cuda::std::array<int, N>& a) {
  int sum = 0;
  for (int v : a) sum += v;
  return sum;
}
__global__ void containers(int* y) {
  const int t = threadIdx.x;
  cuda::std::array<int, 4> a = {t, 1, 2, 3};
  a.back() = t * 2;
  const auto tuple = cuda::std::make_tuple(t, 2.5f, 'x');
  auto [first, second, third] = tuple;
  cuda::std::pair<int, int> p{a[0], (int)a.size()};
  cuda::std::swap(p.first, p.second);
  int i = 0;
  cuda::std::tie(i, cuda::std::ignore) = cuda::std::make_pair(p.second + 7, 1);
  y[t] = total(a) + (int)second * 1000 + (third - 'a') * 10000 + p.first * 1000000 + i * 10000000 + first * 0 +
         cuda::std::get<0>(tuple) * 0;
}
