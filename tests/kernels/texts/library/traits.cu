#include <cuda/std/type_traits>
#include <cuda/std/limits>
#include <cuda/std/cstdint>
template <class T> __device__ cuda::std::enable_if_t<cuda::std::is_integral_v<T>, int> kind(T) { return 1; }
template <class T> __device__ cuda::std::enable_if_t<cuda::std::is_floating_point_v<T>, int> kind(T) { return 2; }
template <class T> using Wide = cuda::std::conditional_t<(sizeof(T) < 8), cuda::std::int64_t, T>;
__global__ void traits(long long* y) {
  using cuda::std::numeric_limits;
  y[0] = kind(1) + 10 * kind(2.0f) + 100 * cuda::std::is_same_v<cuda::std::decay_t<const int&>, int> +
         1000 * cuda::std::is_pointer_v<int*> + 10000 * sizeof(Wide<short>) +
         100000 * cuda::std::is_unsigned_v<unsigned>;
  y[1] = numeric_limits<int>::max();
  y[2] = numeric_limits<long long>::lowest();
  y[3] = numeric_limits<float>::digits + 100 * numeric_limits<double>::max_exponent +
         numeric_limits<unsigned char>::max() * 1000000;
  y[4] = (long long)(1 / numeric_limits<float>::epsilon()) + numeric_limits<double>::has_infinity;
}
