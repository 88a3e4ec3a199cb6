// Template parameters that are numbers, flags, types and functions; tables the compiler works out; if constexpr; folds.
enum class Kind { sum, largest };
template <int N> struct Squares {
  int value[N];
  __host__ __device__ constexpr Squares() : value{} { for (int i = 0; i < N; ++i) value[i] = i * i; }
};
__host__ __device__ constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
template <typename T, int Width, Kind kind, bool Squared> __global__ void fold(const T* in, T* out, int n) {
  static_assert(Width > 0 && Width <= 32, "a row has 1 to 32 elements");
  constexpr Squares<Width> table;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T result = T(0);
#pragma unroll
  for (int k = 0; k < Width; ++k) {
    T v = in[i * Width + k];
    if constexpr (Squared) v *= v;
    if constexpr (kind == Kind::sum) result += v * T(table.value[k]);
    else result = k == 0 || v > result ? v : result;
  }
  out[i] = result;
}
template <class... T> __device__ constexpr auto total(T... v) { return (v + ... + 0); }
template <int... I> struct Indices {};
template <int... I> __device__ int polynomial(const int* c, Indices<I...>) { return total((c[I] << I)...); }
template <int N, int M> __global__ void numbers(int* out) {
  constexpr int common = gcd(N, M);
  const int c[4] = {1, 2, 3, 4};
  auto [first, second] = make_int2(N, M);
  if (threadIdx.x == 0) out[0] = common;
  if (threadIdx.x == 1) out[1] = polynomial(c, Indices<0, 1, 2, 3>());
  if (threadIdx.x == 2) out[2] = first * 1000 + second;
}
