// The standard library's types in kernels, as cuda::std and as std.
#include <array>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

template <class T> __device__ cuda::std::enable_if_t<cuda::std::is_integral<T>::value, int> kind(T) { return 1; }
template <class T> __device__ std::enable_if_t<std::is_floating_point_v<T>, int> kind(T) { return 2; }
template <class T> __device__ std::enable_if_t<std::is_pointer_v<T>, int> kind(T) { return 3; }

enum class Small : unsigned char { one };
struct Base { int x; };
struct Derived : Base { float y; };
struct Made { __device__ Made(int) {} };

static_assert(std::is_same_v<std::decay_t<const int (&)[4]>, const int*>);
static_assert(std::is_same_v<std::common_type_t<char, float, int>, float>);
static_assert(std::is_same_v<std::underlying_type_t<Small>, unsigned char>);
static_assert(std::is_same_v<std::make_unsigned_t<const short>, const unsigned short>);
static_assert(std::is_base_of_v<Base, Derived> && !std::is_base_of_v<Derived, Base>);
static_assert(std::is_convertible_v<int, Made> && !std::is_convertible_v<int*, int>);
static_assert(std::is_constructible_v<Made, int> && !std::is_default_constructible_v<Made>);
static_assert(std::is_trivially_copyable_v<Derived> && std::is_empty_v<std::true_type>);
static_assert(std::is_same_v<cuda::std::conditional_t<(sizeof(long) == 8), int, char>, int>);
static_assert(std::conjunction_v<std::is_signed<int>, std::negation<std::is_signed<unsigned>>>);
static_assert(!std::disjunction_v<std::is_enum<int>, std::is_const<int>>);
static_assert(std::is_same_v<std::invoke_result_t<float (*)(int), int>, float>);
static_assert(cuda::std::numeric_limits<int>::max() == 2147483647 && std::numeric_limits<unsigned char>::max() == 255);
static_assert(std::numeric_limits<long long>::lowest() + std::numeric_limits<long long>::max() == -1);
static_assert(std::numeric_limits<float>::digits == 24 && std::numeric_limits<double>::epsilon() == 0x1p-52);

template <size_t... I> __device__ int weighed(const std::array<int, sizeof...(I)>& a, std::index_sequence<I...>) {
  return (0 + ... + (a[I] * int(I + 1)));
}

struct Weights {
  float w[3];
};

extern "C" __global__ void types(int* y, const int* x) {
  const int i = threadIdx.x;
  cuda::std::array<int, 4> a = {x[i], i, 2, 3};
  std::swap(a[0], a[3]);
  auto t = cuda::std::make_tuple(i, 2.5f, x[i]);
  auto [first, second, third] = t;
  int left;
  std::tie(left, std::ignore) = std::make_pair(third + 1, 7.0);
  cuda::std::tuple<int, long> wide = std::tuple<short, int>((short)i, left);
  const auto moved = std::exchange(left, 5);
  int sum = weighed(a, std::make_index_sequence<4>()) + 10 * kind(i) + 100 * kind(second) + 1000 * kind(x);
  sum += std::apply([](int p, float q, int r) { return p + int(q * 2) + r; }, t);
  sum += std::get<1>(wide) == moved ? 10000 : 0;
  sum += (std::make_tuple(first, 1) < std::make_tuple(i, 2)) + (left == 5) * 2;
  for (int v : a) sum += v;
  if (cuda::std::numeric_limits<float>::infinity() > float(sum)) sum += 100000;
  y[i] = sum;
}

extern "C" __global__ void complex_numbers(const float2* x, float2* product, float2* quotient, float2* root, double2* power, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  using complex = cuda::std::complex<float>;
  const complex z(x[i].x, x[i].y), w(x[n - 1 - i].x, x[n - 1 - i].y);
  const complex p = z * w + conj(z) - 1.0f, q = z / w;
  const complex r = sqrt(z);
  product[i] = make_float2(p.real(), p.imag());
  quotient[i] = make_float2(q.real(), q.imag());
  root[i] = make_float2(r.real(), r.imag());
  const cuda::std::complex<double> e = exp(cuda::std::complex<double>(z) * 0.5) + abs(cuda::std::complex<double>(w));
  power[i] = make_double2(e.real(), e.imag());
}
