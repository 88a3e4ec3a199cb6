#include <initializer_list>
// Structured bindings, range-for, initialisers in conditions, enum class, auto results.
enum class Kind : unsigned char { odd, even };
struct Pair {
  int first, second;
};
__device__ auto halves(int v) { return Pair{v / 2, v - v / 2}; }
__device__ constexpr Kind kind_of(int v) { return v % 2 ? Kind::odd : Kind::even; }
static_assert(kind_of(4) == Kind::even, "four is even");
__global__ void bindings(int* y) {
  const int t = threadIdx.x;
  auto [low, high] = halves(t);
  int sum = 0;
  for (const int v : {1, 2, 3}) sum += v * low;
  int room[4] = {t, t, t};
  for (int& v : room) sum += ++v;
  if (const int d = high - low; d) sum += 1000;
  switch (kind_of(t)) {
    case Kind::odd: sum += 5000; [[fallthrough]];
    case Kind::even: sum += 20000;
  }
  y[t] = sum;
}
