// tests/kernels/execution/regions_test.cpp: which kernels with barriers run as loops over the threads between the
// barriers, which do not, and that nobody can tell: each text runs so and, with TENON_PLAIN_BARRIERS, as its threads'
// own stacks run it.
#include <array>
#include <numeric>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr int kRegionsInOrder = kRegions | kInOrder;

struct Case {
  const char* name;
  int execution;
  const char* text;  // the body of `void k(const int* x, int* y, int n)`, and what comes before it
  const char* kernel = "k";
};

#define K "extern \"C\" __global__ void k(const int* x, int* y, int n) {\n"
#define T \
  "  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;\n"
#define S "  __shared__ int s[1024];\n"

const Case taken[] = {
    {"types of the kernel's own", kRegions, "struct G { int v; };\n" K T S R"(
  struct A { int v; };
  struct alignas(16) B final : G { int w; };
  union U { int v; float f; };
  enum { one = 1, two };
  enum class E : int { three = 3 };
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + A{t}.v + B{{t}, 2}.w + U{t}.v + one + two + int(E::three);
})"},
    {"a tree", kRegions, K T S R"(
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 1024; d > 0; d >>= 1) {
    if (t < d && t + d < size) s[t] += s[t + d];
    __syncthreads();
  }
  y[i] = s[0] + t;
})"},
    {"one dimension", kRegions, K R"(
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  y[i] = s[0] + t;
})"},
    {"conditions that hold in most blocks", kRegions, K T S R"(
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = threadIdx.y + column, most = n / 2 - 3;
  s[t] = column < most ? x[column] : -1;
  __syncthreads();
  int got = s[(t + 1) % size];
  __syncthreads();
  if (column >= 1 && row <= most) {
    if (row > 5) got += x[row - 1];
    else got -= 7;
  }
  s[t] = got;
  __syncthreads();
  y[i] = s[(t + 3) % size] + (row < 70 ? x[row] : 1000);
})"},
    {"comparisons of sums that hold in most blocks", kRegions, K T S R"(
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned place = column;
  const long wide = column;
  int got = 0;
  if (column + blockDim.x < n) got += x[column + blockDim.x];
  if (column - 1 >= 0 && column + 1 < n - 1) got += 3 * x[column - 1] + x[column + 1];
  s[t] = got + (column + 2 <= n - blockDim.x ? 5 : 7);
  __syncthreads();
  got = s[(t + 1) % size];
  __syncthreads();
  if (place - 3 < n - 5) got += x[place - 3];
  if (place + 4294967290u < 50u) got += 10000;
  s[t] = got;
  __syncthreads();
  got = s[(t + 1) % size];
  __syncthreads();
  if (wide + gridDim.x - 4 < n + 0x2) got += 20000;
  if (column + 0.5f < n - 100) got += 40000;
  if (n < 0 && column + 2147483647 < n) got = 0;
  s[t] = got;
  __syncthreads();
  y[i] = s[(t + 3) % size] + (wide - 4294967296 < blockIdx.x + gridDim.x - 2 ? 1 : 0);
})"},
    {"one lane of each warp", kRegions, K T S R"(
  const int own = threadIdx.x, lane = own % 32, few = n < 0 ? 0 : 3;
  const unsigned of_mask = threadIdx.x & 31u;
  s[t] = 0;
  __syncthreads();
  if (lane == 31) s[t] = x[i];
  __syncthreads();
  if (threadIdx.x % warpSize == 0) s[t] += 5;
  __syncthreads();
  if (of_mask == few && t > 3) {
    s[t] += 70;
    s[(t + 1) % size] += 9;
  }
  __syncthreads();
  if (lane == -1 || lane == 40) s[t] = 1;
  __syncthreads();
  if (lane == -1) s[t] = 2;
  __syncthreads();
  if (lane == few + 4294967296) s[t] = 3;
  __syncthreads();
  if (lane == 2ll) s[t] += 11;
  __syncthreads();
  y[i] = s[t];
})"},
    {"places in types that are too small for them", kRegions, K T S R"(
  const char small = threadIdx.x;
  const bool other = threadIdx.x;
  const unsigned char byte = threadIdx.x, lane = byte % 32;
  typedef signed char Own;
  const Own own = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (small < 8) s[t] += 1;
  __syncthreads();
  if (other == 1) s[t] += 2;
  __syncthreads();
  if (byte == 3) s[t] += 4;
  __syncthreads();
  if (own < 5) s[t] += 8;
  __syncthreads();
  if (lane == 7) s[t] += 16;
  __syncthreads();
  const bool odd = threadIdx.x % 32;
  if (odd == 1) s[t] += 32;
  __syncthreads();
  y[i] = s[t];
})"},
    {"conditions that look like those of few threads", kRegions, K T S R"(
  const int flag = n > 5;
  int count = 0;
  s[t] = 0;
  __syncthreads();
  if (threadIdx.x < 8 & flag) s[t] += 1;
  __syncthreads();
  if (threadIdx.x < 8 | flag) s[t] += 2;
  __syncthreads();
  if (threadIdx.x % 32 == 3 | flag) s[t] += 4;
  __syncthreads();
  if (threadIdx.x & 31 == 31) s[t] += 8;
  __syncthreads();
  if ((threadIdx.x & 31) == 30) s[t] += 16;
  __syncthreads();
  if ((count += 1) && threadIdx.x < 8) s[t] += 32;
  __syncthreads();
  if ((s[t] += 64) && threadIdx.x % 32 == 3) s[t] += 1000;
  __syncthreads();
  y[i] = s[t] + count * 10000;
})"},
    {"sums that wrap around before they are wide", kRegions, K T S R"(
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long wide = blockIdx.x * blockDim.x + threadIdx.x + (long)(n < 0 ? 0 : -5);
  s[t] = column - blockDim.x + 10L < n ? 1 : 2;
  __syncthreads();
  int sum = s[(t + 1) % size];
  __syncthreads();
  s[t] = column > -n + 0u + 0L ? 10 : 20;
  __syncthreads();
  sum += s[(t + 1) % size];
  __syncthreads();
  if (wide >= 1) sum += 100;
  if (wide > 3) sum += 1000;
  y[i] = sum;
})"},
    {"conditions on numbers that wrap around", kRegions, K T S R"(
  const unsigned from_above = 4294967200u + blockIdx.x * blockDim.x + threadIdx.x;
  const int to_below = 2147483500u + blockIdx.x * blockDim.x + threadIdx.x;
  int signs = threadIdx.x + blockIdx.x * blockDim.x - 70, twice = threadIdx.x + threadIdx.x + blockIdx.x;
  s[t] = from_above < 500u ? 1 : 2;
  __syncthreads();
  int sum = s[(t + 1) % size];
  __syncthreads();
  s[t] = to_below >= 5 ? 10 : 20;
  __syncthreads();
  sum += s[(t + 1) % size];
  __syncthreads();
  s[t] = signs >= 0 ? x[signs] : signs < 4294967295u ? 100 : 200;
  __syncthreads();
  sum += s[(t + 1) % size];
  __syncthreads();
  if (signs < 4294967295u) sum += 3000;
  if (twice <= 60 && twice >= 2) sum += 10000;
  s[t] = sum;
  __syncthreads();
  y[i] = s[(t + 1) % size];
})"},
    {"shuffles by every distance", kRegions, K T S R"(
  int v = x[i];
  for (int far = 0; far < 36; ++far) {
    v = v * 3 + __shfl_up_sync(0xffffffff, v, far);
    v = v * 5 + __shfl_down_sync(0xffffffff, v, far);
    v = v * 3 + __shfl_up_sync(0xffffffff, v, far, 8);
    v = v * 5 + __shfl_down_sync(0xffffffff, v, far, 4);
  }
  for (int far = 1; far < 32; ++far) v = v * 7 + __shfl_xor_sync(0xffffffff, v, far);
  long long wide = v;
  for (int far = 1; far < 32; far *= 2) {
    wide += __shfl_xor_sync(0xffffffff, wide, far);
    long long other = __shfl_up_sync(0xffffffff, wide, far);
    if (threadIdx.x % 32 >= far) wide ^= other;
  }
  s[t] = v;
  __syncthreads();
  y[i] = s[(t + 1) % size] + (int)wide;
})"},
    {"a class that is dynamic shared memory", kRegions, R"(
template <class T> struct Dynamic {
  __device__ inline operator T*() {
    extern __shared__ int words[];
    return (T*)words;
  }
  __device__ inline operator const T*() const { extern __shared__ int words[]; return (T*)words; }
};
template <> struct Dynamic<double> {
  __device__ __forceinline__ operator double*() { extern __shared__ __align__(16) double wide[]; return wide; }
};
)" K T R"(
  int* s = Dynamic<int>();
  s[t] = x[i];
  for (int* p = s; p < s + 3; ++p) {
    __syncthreads();
    const int v = *p;
    __syncthreads();
    s[t] += v * t;
  }
  y[i] = s[t];
})"},
    {"while", kRegions, K T S R"(
  int d = 1;
  s[t] = x[i];
  while (d < size) {
    __syncthreads();
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    d *= 2;
  }
  y[i] = s[t];
})"},
    {"do", kRegions, K T S R"(
  int d = 1;
  s[t] = x[i];
  do {
    __syncthreads();
    const int v = s[(t + d) % size];
    __syncthreads();
    s[t] += v;
    d *= 3;
  } while (d < 30);
  y[i] = s[t];
})"},
    {"a number of all threads that changes", kRegions, K T R"(
  __shared__ int s[2][1024];
  int from = 0, own = x[i];
  s[0][t] = own;
  for (int d = 1; d < size; d *= 2) {
    __syncthreads();
    int v = s[from][t];
    if (t >= d) v += s[from][t - d];
    s[1 - from][t] = v;
    from = 1 - from;
  }
  y[i] = s[from][t] + own;
})"},
    {"own sums", kRegions, K T S R"(
  float sum = 0;
  double product = 1;
  for (int base = 0; base < 3; ++base) {
    s[t] = x[(i + base) % n];
    __syncthreads();
    for (int k = 0; k < 5; ++k) sum += s[(t + k) % size], product = product * 0.5 + k;
    __syncthreads();
  }
  y[i] = (int)(sum + product * 8);
})"},
    {"threads that end, as is known", kRegions, K T S R"(
  s[t] = 5;
  __syncthreads();
  if (i >= n - 7) return;
  if (t % 3 == 1) { return; }
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size];
  __syncthreads();
  y[i] += s[t];
})"},
    {"threads that end, as nobody knows", kRegions, K T S R"(
  s[t] = x[i];
  int own = s[t] % 7;
  __syncthreads();
  if (own == 3) return;
  for (int k = 0; k < 4; ++k) if (s[t] == 10 + k) { y[i] = k; return; }
  __syncthreads();
  s[t] += 100;
  __syncthreads();
  y[i] = s[(t + 1) % size] + own;
})"},
    {"threads that end in a loop with barriers", kRegions, K T S R"(
  s[t] = x[i];
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    const int v = s[(t + round) % size];
    __syncthreads();
    if (v % 5 == round) return;
    s[t] += v;
    __syncthreads();
    y[i] = s[t] + round;
  }
})"},
    {"a loop that only threads that ended would not leave", kRegions, K T S R"(
  const int step = n / 1000000;
  if (step == 0) return;
  for (int k = 0; k < 10; k += step) {
    s[t] = k;
    __syncthreads();
    y[i] = s[0];
  }
})"},
    {"an effect before the question which thread it is", kRegions, K T S R"(
  __shared__ int calls;
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) calls = 0;
  __syncthreads();
  if (atomicAdd(&calls, 1) >= 0 && threadIdx.x == 3) s[0] = t;
  __syncthreads();
  y[i] = calls;
})"},
    {"warps and lanes", kRegions, K T S R"(
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, high = threadIdx.x >> 5, low = threadIdx.x & 31;
  s[t] = x[i] + lane * 3 + high;
  __syncthreads();
  int v = lane < 8 ? s[lane] : -lane;
  if (lane == 31) v += warp;
  __syncthreads();
  if (lane == 0) s[t] = v + low;
  __syncthreads();
  y[i] = v + s[t - t % 32] + (warp > 0 ? s[warp - 1] : 7);
})"},
    {"a division that is not reached", kRegions, K T S R"(
  const int none = n / 1000000;
  if (none == 0) { y[i] = 4; return; }
  const int q = 10 / none;
  s[t] = q;
  __syncthreads();
  y[i] = s[0] + q;
})"},
    {"arrays, constants and several names at once", kRegions, K T S R"(
  int a[3] = {x[i], 7, t}, b = a[0] * 2, *p = &b;
  const int c[2][2] = {{1, 2}, {3, t}};
  const short small = (short)x[i];
  s[t] = b;
  __syncthreads();
  a[1] += s[(t + 1) % size];
  *p += 1;
  __syncthreads();
  y[i] = a[0] + a[1] * 3 + a[2] + b + c[1][1] + c[t % 2][0] + small;
})"},
    {"structs", kRegions, R"(
struct Pair { int a; short b; __device__ int sum() const { return a + b; } __device__ void add(int v) { a += v; } };
)" K T S R"(
  Pair p = {x[i], 3}, q{t, 4};
  float4 f = make_float4(1, 2, x[i], t);
  s[t] = p.sum();
  __syncthreads();
  p.add(s[(t + 1) % size]);
  f.x += p.a;
  q = p;
  __syncthreads();
  y[i] = p.sum() + q.sum() + (int)(f.x + f.y + f.z + f.w);
})"},
    {"deduced types", kRegions, K T S R"(
  auto own = x[i] * 2.5;
  const auto more = own + t;
  auto p = x + i;
  s[t] = (int)own;
  __syncthreads();
  own += s[(t + 1) % size];
  y[i] = (int)(own + more) + *p;
})"},
    {"addresses of own variables", kRegions, K T S R"(
  int a = x[i], b = -a;
  int* p = t % 2 ? &a : &b;
  s[t] = *p;
  __syncthreads();
  *p += s[(t + 1) % size];
  __syncthreads();
  y[i] = a * 3 + b;
})"},
    {"variables that only their addresses know", kRegions, R"(
__device__ int* first(int& a, int) { return &a; }
__device__ const int* place(const int& a) { return &a; }
struct View { const int& v; };
template <class F> struct Later { F f; };
)" K T S R"(
  const int last = i + 1, back = size - t, far = t * 3;
  int a = x[i], b[3] = {t, 4, 5}, c = t + 9, d[2] = {i, 3};
  int *p = &a, *q = b, *r = first(c, 3), *e = &d[1];
  const int *f = place(last), *g = place(d[0]);
  const View view{back};
  View more = {far};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size] + *p + q[0] + *r + *e + *f + *g + view.v + more.v;
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    int own = k * t, *mine = &own;
    s[t] = own;
    __syncthreads();
    y[i] += s[(t + k) % size] * *mine;
    __syncthreads();
  }
})"},
    {"parameters that change", kRegions, K T S R"(
  x += blockIdx.x * size;
  y += i;
  n /= 2;
  s[t] = x[t];
  __syncthreads();
  for (int k = 0; k < n; k += 100) {
    *y = s[(t + k) % size] + n;
    __syncthreads();
  }
})"},
    {"ways that all threads take", kRegions, K T S R"(
  s[t] = x[i];
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    y[i] = s[(t + 1) % size];
  } else if (size > 32) {
    y[i] = 1;
    __syncthreads();
    y[i] += s[(t + 2) % size];
  } else {
    y[i] = -s[t];
  }
  { __syncthreads(); s[t] = y[i]; __syncthreads(); }
  y[i] += s[size - 1 - t];
})"},
    {"loops in loops", kRegions, K R"(
  __shared__ int s[1024];
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), size = blockDim.x * blockDim.y * blockDim.z;
  x += blockIdx.x * size;
  y += blockIdx.x * size;
  s[t] = x[t];
  for (unsigned width = 2; width <= size; width *= 2)
    for (unsigned stride = width / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned other = t ^ stride;
      if (other > t && other < size && ((t & width) == 0) == (s[t] > s[other])) {
        const int a = s[t];
        s[t] = s[other];
        s[other] = a;
      }
    }
  __syncthreads();
  y[t] = s[t];
})"},
    {"a break that all take", kRegions, K T S R"(
  s[t] = x[i];
  for (int k = 0; ; ++k) {
    __syncthreads();
    if (k * 64 >= size) break;
    if (k == 1) continue;
    y[i] = s[(t + k) % size];
  }
  __syncthreads();
  y[i] += 1;
})"},
    {"constants of the text", kRegions, R"(
constexpr int rounds = 3;
enum { first = 1 };
namespace deep { const unsigned last = 4; }
)" K T S R"(
  constexpr int two = 2;
  typedef int number;
  for (number k = first; k < rounds * two; ++k) {
    s[t] = x[i] + k;
    __syncthreads();
    if (k < deep::last) y[i] = s[(t + k) % size];
    __syncthreads();
  }
  for (unsigned k = 0; k < deep::last; ++k) {
    __syncthreads();
    y[i] += k;
  }
})"},
    {"templates", kRegions, R"(
template <class T, int N> __global__ void k(const T* x, T* y, int n) {)" T R"(
  __shared__ T s[1024];
  T own = x[i];
#pragma unroll
  for (int k = 0; k < N; ++k) {
    s[t] = own;
    __syncthreads();
    own += s[(t + 1) % (T)size];
    __syncthreads();
  }
  y[i] = own;
})",
     "k<int, 3>"},
    {"lambdas", kRegions, K T S R"(
  int own = x[i];
  s[t] = own;
  __syncthreads();
  auto other = [&](int d) { return s[(t + d) % size]; };
  const auto twice = [](int v) { return 2 * v; };
  own += other(1) + twice(other(2));
  __syncthreads();
  y[i] = own;
})"},
    {"atomics", kRegions, K T S R"(
  for (int k = t; k < 16; k += size) s[k] = 0;
  __syncthreads();
  atomicAdd(&s[x[i] & 15], i);
  __syncthreads();
  if (t == 0) for (int k = 0; k < 16; ++k) atomicMax(&y[0], s[k]);
  y[i + 1] = s[t % 16];
})"},
    {"control within a thread", kRegions, K T S R"(
  int own = 0;
  s[t] = x[i];
  __syncthreads();
  switch (s[t] % 4) {
    case 0: own = 5; break;
    case 1: own = s[0]; // fallthrough
    default: for (int k = 0; k < 9; ++k) { if (k == t % 5) continue; if (k == 7) break; own += k; }
  }
  do { ++own; } while (own % 3);
  while (true) { if (own > 20) break; own += 4; }
  __syncthreads();
  y[i] = own;
})"},
    {"names that hide others", kRegions, K T S R"(
  int own = x[i], k = 4;
  s[t] = own;
  __syncthreads();
  for (int k = 0; k < 3; ++k) own += s[(t + k) % size];
  { int n = own; n += 3; own = n; }
  __syncthreads();
  for (int round = 0; round < n / 100; ++round) { __syncthreads(); own += round; }
  y[i] = own + k;
})"},
    {"barriers by other names", kRegions, R"(
#define MEET() do { __syncthreads(); } while (0)
#define EXCHANGE(v) s[t] = (v); __barrier_sync(0); (v) = s[size - 1 - t]; MEET()
)" K T S R"(
  int own = x[i];
  EXCHANGE(own);
  __syncthreads();
  ;
  __syncthreads();
  EXCHANGE(own);
  y[i] = own;
})"},
    {"functions", kRegions, R"(
__device__ int load(const int* x, int i, int n) { return i < n ? x[i] : -1; }
__device__ void add(int& to, int v) { to += v; }
__device__ int where() { return threadIdx.x + threadIdx.y * 3; }
)" K T S R"(
  int own = load(x, i, n), more = t;
  s[t] = own;
  __syncthreads();
  add(own, s[(t + 1) % size]);
  add(more, own);
  __syncthreads();
  for (int k = 0; k < n; k += n / 3 + 1) { __syncthreads(); own += load(x, k, n); }
  y[i] = own + more + where();
})"},
    {"a barrier in a function", kRegions, "__device__ void meet() { __syncthreads(); }\n" K T S R"(
  s[t] = x[i];
  meet();
  y[i] = s[(t + 1) % size];
  __syncthreads();
})"},
    {"sums of warps in a function", kRegions, R"(
__device__ __forceinline__ int warp_sum(int val) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xffffffffu, val, offset);
  return val;
}
__inline__ __device__ int warp_most(int val) {
  for (int mask = 16; mask > 0; mask >>= 1) val = max(val, __shfl_xor_sync(0xffffffffu, val, mask, 32));
  return val;
}
)" K T R"(
  int val = x[i];
  const int sum = warp_sum(val + t);
  val = warp_most(val);
  y[i] = sum * 3 + val - warp_sum(1);
})"},
    {"sums of blocks in a function", kRegions, R"(
typedef int (*combine)(int);
__device__ int warp_sum(int v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}
__device__ int warp_min(int v) {
  for (int d = 16; d > 0; d >>= 1) v = min(v, __shfl_down_sync(0xffffffff, v, d));
  return v;
}
template <combine reduce_warp> __device__ inline int block_reduce(int v, bool last = false, int other = 0) {
  __shared__ int parts[32];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int lane = t % 32, warp = t / 32, warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  v = reduce_warp(v);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = lane < warps ? parts[lane] : other;
  int out = reduce_warp(v);
  if (last) __syncthreads();
  return out;
}
)" K T R"(
  if (size % 32) { y[i] = 5; return; }
  const int sum = block_reduce<warp_sum>(x[i], true);
  float mean = block_reduce<warp_sum>(x[i] * 2, true) / (float)size;
  int least = block_reduce<warp_min>(x[i], true, 1000);
  y[i] = sum + (int)(mean * 8) + least;
})"},
    {"shared variables of functions", kRegions, R"(
__device__ int before(int v, int round) {
  __shared__ int kept[1024];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int size = blockDim.x * blockDim.y * blockDim.z;
  int out = 0;
  if (round > 0) out = kept[(t + round) % size];
  __syncthreads();
  kept[t] = v;
  __syncthreads();
  return out;
}
)" K T R"(
  int first = before(x[i], 0);
  int second = before(x[i] + 7, 1);
  int third = before(first + second, 2);
  y[i] = first + 3 * second + 5 * third;
})"},
    {"functions of templates", kRegions, R"(
template <typename T> __device__ T twice(T v) { __syncthreads(); return v + v; }
template <int Width, class T = float> __device__ T across(T v) {
  for (int d = Width / 2; d > 0; d /= 2) v += (T)__shfl_xor_sync(0xffffffffu, v, d, Width);
  return v;
}
template <class T, unsigned Size> __device__ void tree(volatile T* data, unsigned t, unsigned size) {
  for (unsigned d = Size; d > 0; d /= 2) {
    if (t < d && t + d < size) data[t] = data[t] + data[t + d];
    __syncthreads();
  }
}
template <class T> struct Wide { typedef long long type; };
template <class T> __global__ void many(const T* x, T* y, int n) {)" T R"(
  __shared__ T s[1024];
  T own = x[i];
  const float part = 0.25f * x[i];
  s[t] = own;
  own = twice(own);
  const T sum = across<16>(own);
  typename Wide<T>::type wide = across<8, T>(own) + 1;
  const float parts = across<32>(part);
  tree<T, 512>(s, t, size);
  y[i] = own + sum + (T)wide + (T)(parts * 4) + s[0];
}
)",
     "many<int>"},
    {"functions that change what they are given", kRegions, R"(
__device__ void swap_next(int& v, int* s, int t, int size) {
  s[t] = v;
  __syncthreads();
  v = s[(t + 1) % size];
  __syncthreads();
}
__device__ int in_two(int& v, int* s, int t, int size) {
  swap_next(v, s, t, size);
  int own = v;
  swap_next(own, s, t, size);
  return own;
}
)" K T S R"(
  int v = x[i], other = t;
  swap_next(v, s, t, size);
  for (int k = 0; k < 3; ++k) other += in_two(v, s, t, size) * k;
  y[i] = v + other;
})"},
    {"functions in namespaces", kRegions, R"(
namespace ns {
__device__ int offset = 4;
namespace {
__device__ int next(int* s, int v) {
  const int size = blockDim.x * blockDim.y * blockDim.z;
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  s[t] = v;
  __syncthreads();
  v = s[(t + offset) % size];
  __syncthreads();
  return v;
}
}
__global__ void k(const int* x, int* y, int n) {)" T S R"(
  int v = next(s, x[i]);
  y[i] = next(s, v) + v;
}
})",
     "ns::k"},
    {"groups given to functions", kRegions, R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int total(int* s, int v, cg::thread_block block) {
  const unsigned t = block.thread_rank(), size = block.size();
  s[t] = v;
  cg::sync(block);
  for (unsigned d = 512; d > 0; d /= 2) {
    if (t < d && t + d < size) s[t] += s[t + d];
    block.sync();
  }
  return s[0];
}
)" K T S R"(
  cg::thread_block all = cg::this_thread_block();
  int sum = total(s, x[i], all);
  y[i] = sum - t;
})"},
    {"structs given to functions", kRegions, R"(
struct Most { float value; int at; };
__device__ Most most(Most v) {
  for (int d = 16; d > 0; d /= 2) {
    float value = __shfl_xor_sync(~0u, v.value, d);
    int at = __shfl_xor_sync(~0u, v.at, d);
    if (value > v.value || (value == v.value && at < v.at)) v.value = value, v.at = at;
  }
  return v;
}
)" K T R"(
  Most own = {(float)x[i], t};
  const Most all = most(own);
  y[i] = all.at * 1000 + (int)all.value;
})"},
    {"results of functions in larger statements", kRegions, R"(
__device__ int sum(int v) { for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(~0u, v, d); return v; }
__device__ int twice(int v) { return 2 * v; }
)" K T S R"(
  s[t] = sum(x[i]) - sum(t);
  s[t] += twice(sum(s[t])) + twice(sum(sum(t)));
  __syncthreads();
  int a = 3;
  for (int r = 0; r < 3; ++r) a = a * 5 + sum(a + s[t]);
  if (n > 2) y[i] = sum(a);
  else y[i] = 0;
})"},
    {"bounds and attributes", kRegions,
     "extern \"C\" __global__ void __launch_bounds__(1024) k(const int* __restrict__ x, int* __restrict__ y, const int "
     "n) {\n" T R"(
  __shared__ __align__(16) int s[1024];
  volatile int* v = s;
  v[t] = x[i];
  __syncthreads();
  y[i] = v[(t + 1) % size];
})"},
    {"a special case of a function that waits", kRegions, R"(
template <class V> __device__ V moved(int* s, int t, V v) {
  s[t] = (int)v;
  __syncthreads();
  return (V)(s[t / 2] * 3);
}
template <> __device__ int moved<int>(int* s, int t, int v) {
  s[t] = v + 1;
  __syncthreads();
  return s[t] + 7;
}
template <class V> __global__ void k(const V* x, V* y, int n) {)" T S R"(
  const V first = moved<V>(s, t, x[i]);
  __syncthreads();
  const float second = moved<float>(s, t, (float)first);
  y[i] = first + (V)second;
})",
     "k<int>"},
    {"special cases by a number", kRegions, R"(
template <int N> __device__ int moved(int* s, int t) { __syncthreads(); return s[t] * N; }
template <> __device__ int moved<2>(int* s, int t) { __syncthreads(); return s[t] + 1; }
)" K T S R"(
  s[t] = x[i];
  const int a = moved<1 + 1>(s, t);
  const int b = moved<3>(s, t);
  y[i] = a * 100 + b;
})"},
    {"a warp's turns", kRegions, K T S R"(
  int sum = 0, last = t & 31;
  for (int k = t % 32; k < n; k += 32) sum = sum * 3 + x[k];
  s[t] = sum;
  __syncthreads();
  while (last < n) {
    sum += x[last] ^ last;
    last += 32;
  }
  y[i] = sum + s[size - 1 - t] + last;
})"},
    {"turns of warps that have ended", kRegions, K T S R"(
  s[t] = 1;
  __syncthreads();
  if (x[i] % 7 == 3) return;
  __syncthreads();
  int sum = s[t];
  for (int k = t % 32; k < n; k += 32) sum += x[k];
  __syncthreads();
  y[i] = sum;
})"},
    {"turns of a number that was moved before", kRegions, K T S R"(
  int at = t, sum = 0;
  if (x[i] & 1) at += 5;
  while (at < n) {
    sum += x[at];
    at += size;
  }
  s[t] = at;
  __syncthreads();
  for (int again = 0; again < 2; ++again) {
    for (; at < n + 40; at += size) sum += at;
    __syncthreads();
  }
  y[i] = sum + s[size - 1 - t] * 3 + at;
})"},
    {"what few threads do", kRegions, K T S R"(
  int own = x[i], two = own + 1;
  s[t] = own;
  if (threadIdx.x == 0) own += 5;
  if (threadIdx.y == 0 && two > 3) s[t] = own * 2;
  if (threadIdx.x < 3u) two = own;
  if (threadIdx.y == blockDim.y - 1) two += s[t];
  own ^= two;
  __syncthreads();
  y[i] = own + two + s[size - 1 - t];
})"},
    {"numbers that are referred to", kRegions, K T S R"(
  int own = x[i], other = 3, last = 1;
  int* p = &own;
  s[t] = own;
  __syncthreads();
  *p += 7;
  if (t & 1) p = &other;
  __syncthreads();
  *p += s[size - 1 - t];
  last += own;
  y[i] = own * 5 + other + last;
})"},
    {"a loop over the grid", kRegionsInOrder, K R"(
  __shared__ int s[1024];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  s[t] = sum;
  __syncthreads();
  for (int d = 512; d > 0; d >>= 1) {
    if (t < d && t + d < blockDim.x) s[t] += s[t + d];
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + t] = s[0] + sum;
})"},
    // Addresses that neighbouring tokens alone do not reveal.
    {"a row of an own array", kRegions, K T S R"(
  int acc[2][2], *mine = acc[1];
  mine[0] = t; mine[1] = 7; s[t] = x[i];
  __syncthreads();
  y[i] = mine[0] + mine[1] + s[size - 1 - t];
})"},
    {"an array in a struct", kRegions, "struct Pair { int x[2]; };\n" K T S R"(
  Pair a;
  int* p = a.x;
  a.x[0] = t; a.x[1] = 7; s[t] = x[i];
  __syncthreads();
  y[i] = p[0] + p[1] + s[size - 1 - t];
})"},
    {"the address of one of two", kRegions, K T S R"(
  int a = 1000 + t, b = t;
  int* p = &(t % 2 ? a : b);
  s[t] = x[i];
  __syncthreads();
  y[i] = *p + s[size - 1 - t];
})"},
    {"a row by its own operator", kRegions, R"(
struct Row { int* p; __device__ int& operator[](int i) { return p[i]; } };
struct Matrix { int v[4]; __device__ Row operator[](int i) { return Row{v + 2 * i}; } };
)" K T S R"(
  Matrix m;
  m[1][0] = 500; m[1][1] = t;
  Row r = m[1];
  s[t] = x[i];
  __syncthreads();
  y[i] = r[0] + r[1] + s[size - 1 - t];
})"},
    {"an operator that keeps its operand", kRegions, R"(
struct Number { int v; };
struct View { const Number* of; };
__device__ View operator+(const Number& a, int) { return View{&a}; }
)" K T S R"(
  Number v = {t * 3};
  View w = v + 1;
  s[t] = x[i];
  __syncthreads();
  y[i] = w.of->v + s[size - 1 - t];
})"},
    {"an operator that keeps a number", kRegions, R"(
struct Tag {};
struct View { const int* of; };
__device__ View operator+(const int& a, Tag) { return View{&a}; }
)" K T S R"(
  const int v = t * 3;
  View w = v + Tag();
  s[t] = x[i];
  __syncthreads();
  y[i] = *w.of + s[size - 1 - t];
})"},
    {"a reference by another name", kRegions, R"(
typedef const int& Reference;
__device__ const int* keep(Reference x) { return &x; }
)" K T S R"(
  int v = 3 * t;
  const int* p = keep(v);
  s[t] = x[i];
  __syncthreads();
  y[i] = *p + s[size - 1 - t];
})"},
    {"two buffers in registers", kRegions, K T S R"(
  int regs[2][4], *a = regs[0], *b = regs[1];
  for (int k = 0; k < 4; ++k) a[k] = x[i] + k, b[k] = 0;
  for (int round = 0; round < 3; ++round) {
    s[t] = a[0];
    __syncthreads();
    for (int k = 0; k < 4; ++k) b[k] = a[k] + s[size - 1 - t];
    __syncthreads();
    int* c = a;
    a = b;
    b = c;
  }
  y[i] = a[0] + a[3];
})"},
    {"objects that know where they are", kRegions, R"(
struct Node { Node* self; int v; __device__ Node(int v) : self(this), v(v) {} };
)" K T S R"(
  Node a(t), b = 4, c = Node(x[i]), d[2] = {1, Node(t)};
  s[t] = x[i];
  __syncthreads();
  y[i] = (a.self == &a) + (b.self == &b) * 10 + (c.self == &c) * 100 + (d[1].self == d + 1) * 1000 + a.self->v + d[1].self->v + s[size - 1 - t];
})"},
    {"overloads for const and for others", kRegions, R"(
__device__ int which(int&) { return 1; }
__device__ int which(const int&) { return 2; }
)" K R"(
  __shared__ int s[1024];
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;
  s[t] = which(n) + which(t) * 10;
  __syncthreads();
  y[i] = s[size - 1 - t] + which(size) * 100 + which(n) * 1000;
})"},
    {"members that change in what is const", kRegions, R"(
struct Counter { mutable int v; __device__ int next() const { return ++v; } };
)" K T S R"(
  Counter c = {0};
  const Counter& r = c;
  s[t] = r.next();
  __syncthreads();
  y[i] = s[size - 1 - t] + c.next();
})"},
    {"casts that take const away", kRegions, R"(
__device__ void add(const int& n, int v) { const_cast<int&>(n) += v; }
)" K T S R"(
  s[t] = x[i];
  (int&)n += t;
  int own = t;
  add(own, 2);
  __syncthreads();
  y[i] = n + own + s[size - 1 - t];
})"},
    {"a pointer by a cast", kRegions, R"(
template <class T> __global__ void k(const T* x, T* y, int n) {)" T R"(
  extern __shared__ int words[];
  T* s = (T*)words;
  s[t] = x[i];
  __syncthreads();
  for (int d = 1; d < 16; d *= 2) {
    T v = s[(t + d) % size];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  y[i] = s[t];
})",
     "k<int>"},
    {"numbers of a class", kRegions, "#include <cuda_fp16.h>\n" K T S R"(
  __half sum = 0.5f;
  s[t] = x[i];
  __syncthreads();
  sum = sum + __half(1.5f);
  y[i] = (int)(float)sum + s[size - 1 - t];
})"},
    {"groups that are the block", kRegions,
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n" K T S R"(
  cg::thread_block block = cg::this_thread_block();
  s[t] = x[i];
  cg::sync(block);
  const int v = s[size - 1 - t];
  block.sync();
  s[t] = v + 1;
  cg::this_thread_block().sync();
  y[i] = s[(t + 1) % size];
})"},
    {"groups by a using", kRegions, "#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n" K T S R"(
  auto block = this_thread_block();
  s[t] = x[i];
  sync(block);
  const int v = s[size - 1 - t];
  sync(this_thread_block());
  s[t] = v + 1;
  block.sync();
  y[i] = s[(t + 1) % size];
})"},
    {"shared memory by a conversion", kRegions, R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class V> struct Shared { __device__ operator V*() { extern __shared__ int words[]; return (V*)words; } };
__device__ int not_called(int v) { return __shfl_xor_sync(~0u, v, 1); }
template <class V> __global__ void k(const V* x, V* y, int n) {
)" T R"(
  cg::thread_block cta = cg::this_thread_block();
  V* s = Shared<V>();
  s[t] = i < n ? x[i] : 0;
  cg::sync(cta);
  for (int d = size / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    cg::sync(cta);
  }
  y[i] = s[0] + t;
})",
     "k<int>"},
    {"sums of warps", kRegions, K T R"(
  float v = x[i % n] + 1;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  int w = x[i % n];
  for (int d = 1; d < 32; d *= 2) w = max(w, __shfl_xor_sync(~0u, w, d));
  const double first = __shfl_sync(0xFFFFFFFFu, (double)w, 0);
  y[i] = (int)v + w * 3 + (int)first;
})"},
    {"shuffles of every kind", kRegions, K T R"(
  const unsigned mask = 0xffffffffu;
  long long big = x[i % n] * 10000000000ll + t;
  const long long up = __shfl_up_sync(mask, big, 3);
  auto down = __shfl_down_sync(mask, (short)x[i % n], 5, 8);
  const double other = __shfl_sync(mask, x[i % n] + t / 4.0, t * 7 + 3, 16);
  const int turned = __shfl_xor_sync(mask, t, 37 % 32, 32);
  int wide = __popc(__shfl_sync(mask, (unsigned)t, -1));
  unsigned char small = t;
  small += __shfl_xor_sync(mask, small, size % 31, 16);
  y[i] = (int)(up % 1000007) + down * 3 + (int)(other * 20) + turned * 7 + wide + small;
})"},
    {"votes of warps", kRegions, K T R"(
  const bool odd = x[i % n] & 1;
  unsigned votes = __ballot_sync(-1, odd);
  int some = __any_sync(0xffffffff, x[i % n] > 90);
  some += 2 * __all_sync(0xffffffff, x[i % n] < 95);
  const int sum = __reduce_add_sync(0xffffffff, x[i % n]);
  int least = __reduce_min_sync(0xffffffff, -x[i % n]);
  unsigned most = __reduce_max_sync(0xffffffff, (unsigned)-x[i % n]);
  unsigned bits = __reduce_or_sync(0xffffffff, x[i % n]) + __reduce_and_sync(0xffffffff, x[i % n] | 64) * 3 + __reduce_xor_sync(0xffffffff, x[i % n] * 7);
  __syncwarp();
  y[i] = (int)(votes % 1009 + some + sum + least + most % 13 + bits);
})"},
    {"warps and blocks", kRegions, K T R"(
  __shared__ int s[32];
  int v = x[i % n];
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  v = t % 32 < (size + 31) / 32 ? s[t % 32] : 0;
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
  y[i] = v;
})"},
    {"threads that end before their warp meets", kRegions, K T R"(
  if (i % 7 == 3) return;
  int v = t * 5;
  v += __shfl_xor_sync(0xffffffff, v, 1);
  if (x[i % n] % 5 == 1) return;
  v += __shfl_down_sync(0xffffffff, v, 2);
  const int count = __popc(__ballot_sync(0xffffffff, 1));
  y[i] = v + count * 1000 + __reduce_add_sync(0xffffffff, t) + 3 * __any_sync(0xffffffff, t % 32 == 3);
})"},
    {"results of warps in larger statements", kRegions, K T S R"(
  s[t] = 0;
  __syncthreads();
  s[size - 1 - t] += max(__shfl_xor_sync(0xffffffff, x[i % n], 1), __shfl_xor_sync(0xffffffff, x[(i + 1) % n], 2)) - s[t] * 0;
  __syncthreads();
  y[i] = abs((int)__shfl_up_sync(0xffffffff, -s[t], 1u)) + (__any_sync(0xffffffff, t == 5) << 10);
})"},
};

#define CG \
  "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"

// Operations of warps in branches that some threads take, tiles of warps, and regions of few threads.
const Case warps_apart[] = {
    {"a mask of some", kRegions, K T R"(
  int v = 3;
  if (t % 32 < 16) v = __shfl_xor_sync(0xffff, x[i % n], 1);
  y[i] = v;
})"},
    {"a warp that alone meets", kRegions, K T R"(
  int v = x[i % n];
  if (t < 32) v += __shfl_xor_sync(0xffffffff, v, 1) + t;
  y[i] = v;
})"},
    {"tiles that shuffle", kRegions, CG K T R"(
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(block);
  auto few = cg::tiled_partition<4>(block);
  float v = x[i % n] * 0.75f;
  for (int d = warp.size() / 2; d > 0; d /= 2) v += warp.shfl_down(v, d);
  double w = x[i % n] / 3.0;
  for (int d = 1; d < half.num_threads(); d *= 2) w += half.shfl_xor(w, d);
  const long long first = few.shfl((long long)x[i % n] << 33, 1);
  int up = few.shfl_up(x[i % n], 2);
  const int turned = warp.shfl(t, t * 5 + 1);
  warp.sync();
  y[i] = (int)(v * 8) + (int)(w * 6) + (int)(first >> 30) + up * 3 + turned;
})"},
    {"tiles that reduce", kRegions, CG K T R"(
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto few = cg::tiled_partition<8>(block);
  const float sum = cg::reduce(warp, x[i % n] * 0.3f, cg::plus<float>());
  const int most = cg::reduce(few, x[i % n], cg::greater<int>());
  double least = cg::reduce(warp, x[i % n] - 0.25 * t, cg::less<double>{});
  unsigned bits = cg::reduce(few, (unsigned)x[i % n] * 77u, cg::bit_xor<unsigned>{});
  bits += cg::reduce(warp, 1u << t % 32, cg::bit_or<unsigned>{}) + cg::reduce(warp, ~(1u << t % 32), cg::bit_and<unsigned>{});
  y[i] = (int)(sum * 1000) + most * 3 + (int)(least * 8) + (int)bits;
})"},
    {"tiles that vote", kRegions, CG K T R"(
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto few = cg::tiled_partition<8>(block);
  const int some = warp.any(x[i % n] > 95) + 2 * few.all(x[i % n] < 80) + 4 * few.any(x[i % n] == 3);
  const unsigned votes = few.ballot(x[i % n] & 1);
  y[i] = some + (int)votes * 8 + (int)warp.ballot(t % 3 == 0) % 1009;
})"},
    {"ranks of groups", kRegions, CG K T S R"(
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> few = cg::tiled_partition<8>(block);
  s[block.thread_rank()] = few.thread_rank() * 3 + few.meta_group_rank() * 5 + few.meta_group_size() * 7 + few.size();
  block.sync();
  for (unsigned d = block.size() / 2; d > 0; d /= 2) {
    if (block.thread_rank() < d) s[t] += s[t + d];
    cg::sync(block);
  }
  y[i] = s[t] + block.num_threads() + block.thread_rank();
})"},
    {"threads that end before their tile meets", kRegions, CG K T R"(
  auto few = cg::tiled_partition<8>(cg::this_thread_block());
  if (i % 7 == 3) return;
  float v = cg::reduce(few, x[i % n] * 0.5f, cg::plus<float>{});
  if (x[i % n] % 5 == 1) return;
  v += few.shfl_down(v, 2) + few.shfl_xor(v, 1) * 3 + few.shfl(v, 6) * 5;
  y[i] = (int)(v * 4) + few.any(t % 8 == 3) + 2 * few.all(t % 3) + (int)few.ballot(1) * 4;
})"},
    {"the last warp of a tree", kRegions, CG K T S R"(
  auto cta = cg::this_thread_block();
  int sum = x[i];
  s[t] = sum;
  cta.sync();
  for (int d = 512; d > 32; d >>= 1) {
    if (t < d && t + d < size) s[t] = sum = sum + s[t + d];
    cta.sync();
  }
  auto tile = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (t + 32 < size) sum += s[t + 32];
    for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
  }
  y[i] = sum;
})"},
    {"lanes that meet while the others end", kRegions, K T R"(
  __shared__ float s[64];
  float v = x[i % n] * 0.5f;
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 16 == 0) s[t / 16] = v;
  __syncthreads();
  y[i] = (int)v;
  if (t < 16) {
    v = t * 16 < size ? s[t] : 0;
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) y[i] = (int)v;
  }
})"},
    {"the first warp with the mask of some", kRegions, K T R"(
  __shared__ int s[32];
  int v = x[i % n];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  const int warps = (size + 31) / 32;
  const unsigned some = __ballot_sync(0xffffffff, t < warps);
  if (t < warps) {
    v = s[t];
    v = __reduce_add_sync(some, v);
    v += __shfl_down_sync(some, v, 1);
    s[t] = v;
  }
  __syncthreads();
  y[i] = s[t % 32 < warps ? t % 32 : 0] + v;
})"},
    {"warps that take different branches", kRegions, K T R"(
  int v = x[i % n], count = 0;
  if (t / 32 % 2) {
    v += __shfl_xor_sync(0xffffffff, v, 1);
    count = __popc(__ballot_sync(0xffffffff, v & 1));
  } else {
    v = v * 3 + __shfl_xor_sync(0xffffffff, v, 2);
    __syncwarp();
    if (t / 64 % 2 == 0) {
      count = 5 + __shfl_up_sync(0xffffffff, v, 1);
      v -= __any_sync(0xffffffff, count > 40);
    }
    count += 1;
  }
  __syncthreads();
  y[i] = v * 7 + count;
})"},
    {"branches in loops with barriers", kRegions, K T S R"(
  int v = x[i % n], own = 0;
  for (int round = 0; round < 4; ++round) {
    s[t] = v;
    __syncthreads();
    if (t / 32 == round || (t / 32 > 3 && round == 3)) {
      const int other = s[(t + 7) % size];
      for (int d = 1; d < 32; d *= 2) own += __shfl_xor_sync(0xffffffff, other + own, d);
      own ^= round;
    }
    __syncthreads();
    v += own + round;
  }
  y[i] = v;
})"},
    {"what ended is not waited for in a branch", kRegions, K T R"(
  if (i % 5 == 2) return;
  int v = x[i % n];
  if (t < 96) {
    v += __shfl_xor_sync(0xffffffff, v, 4);
    v += __popc(__ballot_sync(0xffffffff, 1)) * 100;
  }
  v += __shfl_down_sync(0xffffffff, v, 3);
  y[i] = v;
})"},
    {"what a thread may compute only in the branch", kRegions, K T R"(
  const int none = n / 1000000;
  int v = x[i % n];
  if (t < none) {
    const int q = 10 / none;
    v += __shfl_xor_sync(0xffffffff, v, 1) + q;
    for (int k = 0; k < 20 / none; ++k) v += __shfl_xor_sync(0xffffffff, v, 2);
  }
  y[i] = v;
})"},
    {"a tile that a function gets", kRegions, CG R"(
__device__ float sum(const cg::thread_block_tile<16>& tile, float v) {
  for (int d = 8; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  return v;
}
)" K T R"(
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  const float v = sum(tile, x[i % n] * 0.5f);
  y[i] = (int)v;
})"},
    {"loops in which threads take turns", kRegions, K T S R"(
  const int lane = t % 32;
  long long sum = 0;
  unsigned most = 0;
  float total = 0;
  for (int k = t; k < n; k += size) sum += x[k] * 3;
  for (unsigned k = threadIdx.x + 1; k < (unsigned)n; k += blockDim.x) most = max(most, (unsigned)x[k]);
  for (int k = lane; k < n / 2; k += 32) total += x[k];
  for (size_t k = t * 2 + 5; k < n; k += size * 2) { const int v = x[k]; sum -= v; s[(k + v) % 3 + t - t % 3 < size ? t : 0] = v; }
  for (int k = t - 3; k < n; k += size) sum += k < 0 ? 100 : x[k] / 2;
  for (int k = t; k < n - 2000000000; k += size) sum += 1000;
  for (unsigned k = t; k < n / 3; k += size) { for (int m = 0; m < 3; ++m) total += x[k] * m; }
  if (i % 11 == 4) return;
  for (int k = 3 * t; k <= n; k += 3 * size) sum += 7;
  for (int k = t; k < n; k += size) { if (x[k] % 2) { sum += 5; continue; } sum += 9; }
  for (int k = t; k < n; k += size) sum += x[k] - lane;
  __syncthreads();
  y[i] = (int)sum + (int)most * 7 + (int)total;
})"},
    {"turns in a branch", kRegions, K T S R"(
  int sum = 0;
  s[t] = 0;
  __syncthreads();
  if (t < 64) {
    for (int k = t; k < n; k += 64) sum += x[k];
    for (int k = t; k < n; k += blockDim.x) sum += x[k] * 2;
    sum += __shfl_xor_sync(0xffffffff, sum, 3);
    s[t] = sum;
  }
  __syncthreads();
  y[i] = s[(t + 1) % size] + sum;
})"},
    {"a counter that wraps around", kRegions, K T R"(
  int sum = 0;
  for (unsigned k = t; k < 3221225472u - n * 0u; k += 1073741824u + n * 0u) sum += 1 + (int)(k >> 30);
  for (unsigned char k = t % 200; k < n % 200; k += n % 7 + 50) { sum += k; if (sum > 3000) sum = 0; if (k > 150) sum ^= 1; }
  __syncthreads();
  y[i] = sum;
})"},
    {"regions of the threads below a bound", kRegions, K R"(
  __shared__ int s[1024];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;
  const int tx = threadIdx.x;
  unsigned u = threadIdx.x;
  const int negative = -n, wide = n;
  const short few = 3;
  s[t] = x[i % n];
  __syncthreads();
  if (tx < negative) s[t] += 1;
  __syncthreads();
  if (u < negative) s[t] += 10;
  __syncthreads();
  if (tx < few) s[t] += 100;
  __syncthreads();
  if (wide > 3 && tx < 5) s[t] += 1000;
  __syncthreads();
  if (threadIdx.x == 2) s[t] += 10000;
  __syncthreads();
  if (u == negative) s[t] += 100000;
  __syncthreads();
  if (tx < wide) s[t] *= 3;
  __syncthreads();
  if (tx < 4) { s[t] ^= 5; } else { s[t] ^= 9; }
  __syncthreads();
  if (tx < 4 || tx == 7) s[t] += 7;
  __syncthreads();
  if (tx < n - 1 ? t % 2 : t % 3) s[t] += 3;
  __syncthreads();
  y[i] = s[size - 1 - t];
})"},
};

// Such branches, which keep their stacks.
const Case apart_on_stacks[] = {
    {"what a branch changes decides later", kScheduled, K T S R"(
  int rounds = 3, v = x[i % n];
  if (t < 32) {
    v += __shfl_xor_sync(0xffffffff, v, 1);
    rounds = 3 + v * 0;
  }
  for (int k = 0; k < rounds; ++k) {
    s[t] = v;
    __syncthreads();
    v += s[size - 1 - t];
    __syncthreads();
  }
  y[i] = v;
})"},
    {"a return in such a branch", kScheduled, K T R"(
  int v = x[i % n];
  if (t < 64) {
    v += __shfl_xor_sync(0xffffffff, v, 1);
    if (v % 3 == 0) return;
  }
  y[i] = v;
})"},
    {"a loop that threads leave on their own", kScheduled, K T R"(
  int v = x[i % n];
  for (int k = 0; k < t / 32; ++k) v += __shfl_xor_sync(0xffffffff, v, 1);
  y[i] = v;
})"},
    {"another reduce", kScheduled,
     CG
     "namespace own { template <class G, class V, class O> __device__ V reduce(const G& g, V v, O) { return g.shfl_xor(v, 1); } }\n" K T
     R"(
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  y[i] = own::reduce(tile, x[i % n], 3);
})"},
    {"another tile", kScheduled,
     CG "struct Tile : cg::thread_block_tile<8> {\n"
        "  __device__ Tile(cg::thread_block_tile<8> t) : cg::thread_block_tile<8>(t) {}\n};\n" K T R"(
  Tile tile(cg::tiled_partition<8>(cg::this_thread_block()));
  y[i] = tile.shfl_xor(x[i % n], 1);
})"},
    {"an operation of the text's", kScheduled,
     CG "struct Own { __device__ int operator()(int a, int b) const { return a * 2 + b; } };\n" K T R"(
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  y[i] = cg::reduce(tile, x[i % n], Own());
})"},
};

const Case refused[] = {
    {"a type and a variable of it", kRing, K T S R"(
  struct G { int v; } g = {t * 3};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + g.v;
})"},
    {"a variable of a type that has no name", kRing, K T S R"(
  struct { int v; } const g{t * 3};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + g.v;
})"},
    {"a type named as C names it", kRing, "struct G { int v; };\nnamespace ns { struct H { int v; }; }\n" K T S R"(
  struct G g = {t * 3};
  struct ns::H h[2] = {{t}, {i}};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + g.v + h[0].v * 5 + h[1].v;
})"},
    {"a union and its variable", kRing, K T S R"(
  union U { int v; float f; } u{t * 3};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + u.v;
})"},
    {"a union without a name", kRing, K T S R"(
  union { int v; float f; };
  v = t * 3;
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + v;
})"},
    {"an enumeration and its variable", kRing, K T S R"(
  enum E { none, some } e{t % 2 ? some : none};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + int(e);
})"},
    {"a type with bases and its variable", kRing, "struct G { int v; };\n" K T S R"(
  struct H : G { } h{{t * 3}};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[size - 1 - t] + h.v;
})"},
    {"a class that is more than dynamic shared memory", kRing, R"(
__device__ int asked;
template <class T> struct Dynamic {
  __device__ inline operator T*() {
    extern __shared__ int words[];
    atomicAdd(&asked, 1);
    return (T*)words;
  }
};
)" K T R"(
  int* s = Dynamic<int>();
  s[t] = x[i];
  for (int* p = s; p < s + 3; ++p) {
    __syncthreads();
    const int v = *p;
    __syncthreads();
    s[t] += v * t;
  }
  y[i] = s[t];
})"},
    {"a class of that name that is another's", kRing, R"(
struct Dynamic { __device__ operator int*() { extern __shared__ int words[]; return (int*)words; } };
)" K T R"(
  struct Dynamic { int lane; __device__ operator int*() { extern __shared__ int own[]; return own + lane; } };
  int* s = Dynamic{t % 2};
  s[t - t % 2] = x[i];
  for (int* p = s; p < s + 1; ++p) __syncthreads();
  __syncthreads();
  y[i] = t;
})"},
    {"a mask that is not known", kScheduled, K T R"(
  const unsigned mask = n > 1000000 ? 0xffffu : 0xffffffffu;
  y[i] = __shfl_xor_sync(mask, x[i % n], 1);
})"},
    {"an effect beside the warp's result", kScheduled, "__device__ int next(int& v) { return ++v; }\n" K T R"(
  int v = x[i % n];
  const int w = next(v) + __shfl_xor_sync(0xffffffff, t, 1);
  y[i] = v + w;
})"},
    {"a result of a warp that decides", kScheduled, K T R"(
  int v = x[i % n];
  if (__any_sync(0xffffffff, v == 17)) v = 5;
  y[i] = n > 0 && __all_sync(0xffffffff, v >= 0) ? v : -1;
})"},
    {"a width that is not known", kScheduled, K T R"(
  int v = x[i % n];
  v += __shfl_xor_sync(0xffffffff, v, 1, n > 1000000 ? 8 : 16);
  y[i] = v;
})"},
    {"an object whose end has an effect", kRing, R"(
__device__ int guards[1 << 16];
struct Guard { int* p; __device__ Guard(int* p) : p(p) { *p = 1; } __device__ ~Guard() { *p = 5; } };
)" K T S R"(
  Guard guard(&guards[i]);
  s[t] = x[i];
  __syncthreads();
  y[i] = guards[i] + s[size - 1 - t];
})"},
    {"the type of a variable", kRing, K T S R"(
  int v = t;
  s[t] = x[i];
  __syncthreads();
  { decltype(v) w = v; w += 5; s[t] += w; }
  __syncthreads();
  y[i] = v + s[size - 1 - t];
})"},
    {"a name that is also another one's", kRing, "__device__ constexpr long long v = 5;\n" K T R"(
  char v = t % 100;
  __shared__ int s[sizeof(v) * 1024];
  s[t] = sizeof(s) / 1024;
  __syncthreads();
  y[i] = s[size - 1 - t] + v;
})"},
    {"a temporary that is kept", kRing, K T S R"(
  const int& r = t + 5;
  const int* p = &r;
  s[t] = x[i];
  __syncthreads();
  y[i] = *p + s[size - 1 - t];
})"},
    {"a function of the name sync", kRing, R"(
#include <cooperative_groups.h>
namespace mine { template <class G> __device__ void sync(const G& group) { group.sync(); group.sync(); } }
)" K T S R"(
  auto block = cooperative_groups::this_thread_block();
  s[t] = x[i];
  mine::sync(block);
  y[i] = s[size - 1 - t];
})"},
    {"a class that syncs otherwise", kRing, R"(
struct Group { __device__ void sync() { if (threadIdx.x < 4096) __syncthreads(); } };
)" K T S R"(
  Group group;
  s[t] = x[i];
  group.sync();
  y[i] = s[size - 1 - t];
})"},
    {"a way that depends on the thread", kRing, K T S R"(
  s[t] = x[i];
  if (t < 1024) __syncthreads();
  y[i] = s[(t + 1) % size];
})"},
    {"a bound from memory", kRing, K T S R"(
  for (int k = 0; k < x[0] - x[0] + 3; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a bound from shared memory", kRing, K T S R"(
  __shared__ int last;
  if (t == 0) last = 3;
  __syncthreads();
  for (int k = 0; k < last; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a bound that is a global variable", kRing, "__device__ int rounds = 3;\n" K T S R"(
  for (int k = 0; k < rounds; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a bound that a thread computed", kRing, K T S R"(
  int rounds = 0;
  for (int k = 0; k < 3; ++k) ++rounds;
  for (int k = 0; k < rounds; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a bound that a function may change", kRing, "__device__ int next(int& n) { return --n; }\n" K T S R"(
  int rounds = 4;
  s[t] = next(rounds);
  for (int k = 0; k < rounds; ++k) { s[t] += k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a bound that an operator may change", kRing, R"(
struct Taker { int* to; __device__ void operator<<(int& n) { *to = --n; } };
)" K T S R"(
  int rounds = 4;
  Taker taker = {&s[t]};
  taker << rounds;
  for (int k = 0; k < rounds; ++k) { s[t] += k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a bound of a class", kRing,
     "struct Count { int n; __device__ operator int() const { return n + (int)(threadIdx.x & 0); } };\n" K T S R"(
  const Count rounds = {3};
  for (int k = 0; k < rounds; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); }
})"},
    {"a counter that the body changes", kRing, K T S R"(
  for (int k = 0; k < 8; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); if (n > 0) ++k; }
})"},
    {"a break that depends on the thread", kRing, K T S R"(
  for (int k = 0; k < 8; ++k) { s[t] = k + t; __syncthreads(); y[i] = s[(t + 1) % size]; __syncthreads(); if (t - t + k == 3) break; }
})"},
    {"a function that returns early", kRing, R"(
__device__ int meet(int v, int n) { if (n < 0) return v; __syncthreads(); return v + 1; }
)" K T S R"(
  s[t] = x[i];
  y[i] = meet(x[i], n);
  __syncthreads();
  y[i] += s[(t + 1) % size];
})"},
    {"a function that means another one in the kernel", kRing, R"(
__device__ int pick(long long v) { return v + 1; }
__device__ int meet(int v) { __syncthreads(); return pick(v); }
__device__ int pick(int v) { return v + 100; }
)" K T S R"(
  s[t] = x[i];
  const int own = meet(t);
  y[i] = own + s[(t + 1) % size];
})"},
    {"a function in a kernel that uses a namespace", kRing, R"(
namespace other { __device__ int pick(int v) { return v + 100; } }
__device__ int pick(long long v) { return v + 1; }
__device__ int meet(int v) { __syncthreads(); return pick(v); }
)" K T S R"(
  using namespace other;
  s[t] = x[i];
  const int own = meet(t);
  y[i] = own + s[(t + 1) % size];
})"},
    {"a function that means a global variable", kRing, R"(
__device__ int total = 5;
__device__ int meet(int v) { __syncthreads(); return v + total; }
)" K T S R"(
  int total = 70;
  s[t] = x[i];
  const int own = meet(t);
  y[i] = own + total + s[(t + 1) % size];
})"},
    {"a parameter that refers to a temporary", kRing, R"(
__device__ int meet(const long long& v) { __syncthreads(); return (int)v; }
)" K T S R"(
  int own = x[i];
  s[t] = own;
  y[i] = meet(own);
  y[i] += s[(t + 1) % size];
})"},
    {"a function that decides", kRing, R"(
__device__ bool meet(int v) { __syncthreads(); return v > 0; }
)" K T S R"(
  s[t] = x[i];
  if (meet(n)) y[i] = s[(t + 1) % size];
})"},
    {"a function that calls itself", kRing, R"(
__device__ int meet(int v) { __syncthreads(); if (v > 0) v = meet(v - 1); return v; }
)" K T S R"(
  s[t] = x[i];
  int own = meet(3);
  y[i] = own + s[(t + 1) % size];
})"},
    {"two functions of one name", kRing, R"(
__device__ int meet(int v) { __syncthreads(); return v; }
__device__ int meet(long long v) { __syncthreads(); return (int)v + 1000; }
)" K T S R"(
  s[t] = x[i];
  int own = meet(t);
  y[i] = own + s[(t + 1) % size];
})"},
    {"a variable that a function keeps", kRing, R"(
__device__ int meet() { static __device__ int calls = 3; __syncthreads(); return calls; }
)" K T S R"(
  s[t] = x[i];
  int own = meet();
  y[i] = own + s[(t + 1) % size];
})"},
    {"a barrier in a lambda", kRing, K T S R"(
  auto meet = [] { __syncthreads(); };
  s[t] = x[i];
  meet();
  y[i] = s[(t + 1) % size];
})"},
    {"a barrier in an expression", kRing, K T S R"(
  s[t] = x[i];
  int v = (__syncthreads(), s[(t + 1) % size]);
  y[i] = v;
})"},
    {"a barrier in a switch", kRing, K T S R"(
  s[t] = x[i];
  switch (n % 2) { case 0: __syncthreads(); break; default: __syncthreads(); }
  y[i] = s[(t + 1) % size];
})"},
    {"a jump", kRing, K T S R"(
  int round = 0;
  s[t] = x[i];
again:
  __syncthreads();
  y[i] = s[(t + 1) % size];
  if (++round < 3) goto again;
})"},
    {"a barrier that counts", kScheduled, K T S R"(
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size] + __syncthreads_count(1);
})"},
    {"a shuffle", kScheduled, K T S R"(
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size] + __reduce_add_sync(__activemask(), 0);
})"},
    {"a class that is copied in its own way", kRing, R"(
struct Own { int v; __device__ Own(int v) : v(v) {} __device__ Own(const Own& o) : v(o.v) {} };
)" K T S R"(
  Own own(x[i]);
  s[t] = own.v;
  __syncthreads();
  y[i] = s[(t + 1) % size] + own.v;
})"},
    {"a reference that lives on", kRing, K T S R"(
  int& mine = s[t];
  mine = x[i];
  __syncthreads();
  const int v = s[(t + 1) % size];
  __syncthreads();
  y[i] = mine + v;
})"},
    {"a large array that lives on", kRing, K T S R"(
  int own[65];
  for (int k = 0; k < 65; ++k) own[k] = x[i] + k;
  s[t] = own[3];
  __syncthreads();
  y[i] = s[(t + 1) % size] + own[t % 65];
})"},
    {"a lambda that lives on", kRing, K T S R"(
  const auto own = [=] { return x[i]; };
  s[t] = own();
  __syncthreads();
  y[i] = s[(t + 1) % size] + own();
})"},
    {"a name for two", kRing, K T S R"(
  int own = x[i];
  for (int k = 0; k < 3; ++k) {
    int own = k + t;
    s[t] = own;
    __syncthreads();
    y[i] = s[(t + 1) % size] + own;
    __syncthreads();
  }
  y[i] += own;
})"},
    {"a lambda's variables", kRing, "template <class F> struct Later { F f; };\n" K T S R"(
  const int mine = t * 3;
  auto f = [&] { return mine; };
  Later<decltype(f)> later{f};
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size] + later.f();
})"},
    {"a return that may be a lambda's", kRing, K T S R"(
  auto put = [&](int v) { if (v < 0) return; s[t] = v; };
  s[t] = 0;
  put(x[i]);
  __syncthreads();
  y[i] = s[(t + 1) % size];
})"},
    {"a special case that follows", kRing, R"(
template <class V> __device__ V moved(int* s, int t, V v) { s[t] = v; __syncthreads(); return s[t ^ 1]; }
template <> __device__ int moved<int>(int* s, int t, int v);
)" K T S R"(
  const int got = moved<int>(s, t, x[i]);
  __syncthreads();
  y[i] = got;
}
template <> __device__ int moved<int>(int* s, int t, int v) { s[t] = v + 1; __syncthreads(); return s[t] + 7; }
)"},
    {"a special case next to another function", kRing, R"(
template <class V> __device__ V moved(int* s, int t, V v) { s[t] = v; __syncthreads(); return s[t ^ 1]; }
template <> __device__ int moved<int>(int* s, int t, int v) { s[t] = v + 1; __syncthreads(); return s[t] + 7; }
__device__ int moved(int* s, int t, int v) { s[t] = v + 2; __syncthreads(); return s[t] + 9; }
)" K T S R"(
  const int got = moved(s, t, x[i]);
  __syncthreads();
  y[i] = got;
})"},
    {"a special case of a template", kRing, R"(
template <class T> __global__ void k(const T* x, T* y, int n) {}
template <> __global__ void k<int>(const int* x, int* y, int n) {)" T S R"(
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size];
})",
     "k<int>"},
    {"threadIdx by another meaning", kRing, R"(
struct Place { int x, y, z; };
__device__ int sum(Place threadIdx) { return threadIdx.x; }
)" K S R"(
  const uint3 thread = threadIdx;
  const int t = thread.x + blockDim.x * (thread.y + blockDim.y * thread.z), size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;
  { const Place threadIdx = {5, 6, 7}; s[t] = sum(threadIdx) + x[i]; }
  for (int k = 0; k < (int)sizeof(threadIdx) / 4 + (t & 0); ++k) __syncthreads();
  y[i] = s[(t + 1) % size];
})"},
    {"as the text asks", kRing, "#define TENON_PLAIN_BARRIERS\n" K T S R"(
  s[t] = x[i];
  __syncthreads();
  y[i] = s[(t + 1) % size];
})"},
};

const Machine machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"clang_reverse", "cpu:0", "", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};

// The kernels of the first machine with stacks are what all others' results are compared with; they are compiled once.
class Regions : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    regions_ = std::make_unique<Runner>(GetParam());
    if (const std::string missing = regions_->missing(); !missing.empty()) GTEST_SKIP() << missing;
    rings_ = std::make_unique<Runner>(regions_->on_cpu() ? machines[0] : GetParam());
  }
  bool fast() const { return regions_->on_cpu() && !regions_->checked(); }
  // The others would refuse the same, which depends on the text alone.
  bool refuses() const { return !regions_->on_cpu() || std::strcmp(GetParam().name, machines[0].name) == 0; }

  void compare(const Case& c) {
    const std::string source(c.text);
    ASSERT_EQ(TENON_OK, regions_->compile(source, {c.kernel})) << c.name << ": " << tenon_error_last_message() << "\n"
                                                               << Runner::last_log();
    ASSERT_EQ(TENON_OK, rings_->compile(source, {c.kernel}, {"-DTENON_PLAIN_BARRIERS"}))
        << c.name << ": " << tenon_error_last_message();
    if (fast()) {
      // then loops over the grid run as written
      const bool reverse = GetParam().flags & TENON_PROGRAM_FLAG_REVERSE_ORDER;
      const std::set<std::string> later = {"the address of one of two", "a reference by another name"};
      EXPECT_EQ(regions_->execution(c.kernel), later.count(c.name) && regions_->older_clang() ? kRing
                                               : reverse && c.execution == kRegionsInOrder    ? kRegions
                                                                                              : c.execution)
          << c.name;
      if (!(c.execution == kRegionsInOrder)) {
        const bool warps = source.find("__shfl_") != source.npos || source.find("__any_sync") != source.npos ||
                           source.find("__ballot_sync") != source.npos || source.find(".shfl") != source.npos ||
                           source.find("reduce(") != source.npos || source.find(".any(") != source.npos;
        EXPECT_EQ(rings_->execution(c.kernel), c.execution == kScheduled || warps ? kScheduled : kRing) << c.name;
      }
    }
    for (const std::array<uint32_t, 3>& block : {std::array<uint32_t, 3>{64, 1, 1},
                                                 {1, 1, 1},
                                                 {256, 1, 1},
                                                 {16, 16, 1},
                                                 {16, 8, 1},
                                                 {4, 8, 4},
                                                 {37, 1, 1},
                                                 {1024, 1, 1}}) {
      const bool line_only = std::string(c.name) == "one dimension" || c.execution == kRegionsInOrder;
      if (line_only && (block[1] > 1 || block[0] == 37)) continue;
      if (std::string(c.name) == "loops in loops" && block[0] == 37) continue;  // it only sorts powers of two
      const uint32_t threads = block[0] * block[1] * block[2], blocks = 5;
      const int n = int(blocks * threads);
      std::vector<int> x(size_t(n) + 8);
      for (size_t k = 0; k < x.size(); ++k) x[k] = int((k * 2654435761u) >> 20) % 100;
      const ArrayPtr dx = regions_->put(x);
      const Grid grid{{blocks, 1, 1}, {block[0], block[1], block[2]}, std::max(threads, 64u) * 4};
      std::vector<int> out[2];
      for (int k = 0; k < 2; ++k) {
        Runner& runner = k ? *rings_ : *regions_;
        const ArrayPtr from = runner.put(x), to = runner.put(std::vector<int>(size_t(n) + 8, -9));
        runner.run(c.kernel, grid, from, to, n);
        out[k] = runner.get<int>(to);
      }
      ASSERT_EQ(out[0], out[1]) << c.name << ", block " << block[0] << "x" << block[1] << "x" << block[2];
    }
  }

  std::unique_ptr<Runner> regions_, rings_;
};

TEST_P(Regions, KernelsOfTheFormRunFromBarrierToBarrier) {
  for (const Case& c : taken) compare(c);
}

TEST_P(Regions, OthersKeepTheirStacks) {
  if (!refuses()) GTEST_SKIP() << "as with " << machines[0].name;
  for (const Case& c : refused) compare(c);
}

TEST_P(Regions, WarpsMayMeetInBranches) {
  for (const Case& c : warps_apart) compare(c);
}

TEST_P(Regions, OtherBranchesKeepTheirStacks) {
  if (!refuses()) GTEST_SKIP() << "as with " << machines[0].name;
  for (const Case& c : apart_on_stacks) compare(c);
}

// Lanes that take no such branch, and would meet the others somewhere else: no wrong result, but a sentence.
TEST_P(Regions, LanesThatMeetElsewhereAreReported) {
  if (!fast()) GTEST_SKIP();
  ASSERT_EQ(TENON_OK, regions_->compile(K T R"(
  int v = x[i];
  if (t % 2) v += __shfl_xor_sync(0xffffffff, v, 2);
  v += __shfl_xor_sync(0xffffffff, v, 2);
  y[i] = v;
})",
                                        {"k"}));
  const ArrayPtr dx = regions_->put(std::vector<int>(64)), dy = regions_->put(std::vector<int>(64));
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, regions_->try_run("k", line(64, 64), dx, dy, 64));
  EXPECT_NE(std::string(tenon_error_last_message()).find("TENON_PLAIN_BARRIERS"), std::string::npos)
      << tenon_error_last_message();
}

// The result for one kernel of a program does not affect another; a function that all call is the same.
TEST_P(Regions, EachKernelOfAProgramRunsAsItCan) {
  const std::string body =
      T S "  s[t] = x[i] + atomicAdd(&calls, 0) * 0;\n  __syncthreads();\n  y[i] = s[size - 1 - t];\n}\n";
  const std::string head = "(const int* x, int* y, int n) {\n";
  const std::string source =
      "__device__ int calls;\n__device__ void meet() { __syncthreads(); }\nstruct Own { int v; __device__ Own(const Own& o) : v(o.v) {} __device__ Own(int v) : v(v) {} };\n"
      "extern \"C\" __global__ void simple" +
      head +
      T
      "  y[i] = x[i];\n}\n"
      "extern \"C\" __global__ void good" +
      head + body + "extern \"C\" __global__ void hidden" + head +
      T S
      "  s[t] = x[i];\n  meet();\n  y[i] = s[size - 1 - t];\n  __syncthreads();\n}\n"
      "extern \"C\" __global__ void copies" +
      head +
      T S
      "  Own own(x[i]);\n  s[t] = own.v;\n  __syncthreads();\n  y[i] = s[size - 1 - t] + own.v * 0;\n}\n"
      "namespace deep { template <int K> __global__ void many" +
      head + body + "}\n";
  const std::vector<const char*> names = {"simple", "good", "hidden", "copies", "deep::many<1>", "deep::many<2>"};
  ASSERT_EQ(TENON_OK, regions_->compile(source, names)) << tenon_error_last_message() << "\n" << Runner::last_log();
  if (fast()) {
    const int expected[] = {kLoop, kRegions, kRegions, kRing, kRegions, kRegions};
    for (size_t k = 0; k < names.size(); ++k) EXPECT_EQ(regions_->execution(names[k]), expected[k]) << names[k];
  }
  const int n = 128;
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 5);
  for (const char* name : names) {
    const ArrayPtr dx = regions_->put(x), dy = regions_->put(x);
    regions_->run(name, line(n, 64), dx, dy, n);
    const std::vector<int> y = regions_->get<int>(dy);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(y[size_t(i)], std::string(name) == "simple" ? x[size_t(i)] : x[size_t(i / 64 * 64 + 63 - i % 64)])
          << name << " " << i;
  }
}

// __syncthreads_count() needs the scheduler. Another kernel of the same program still runs in regions.
TEST_P(Regions, NextToABarrierThatCounts) {
  const std::string source =
      "extern \"C\" __global__ void reversed(const int* x, int* y, int n) {\n" T S
      "  s[t] = x[i];\n  __syncthreads();\n  y[i] = s[size - 1 - t];\n}\n"
      "extern \"C\" __global__ void counted(const int* x, int* y, int n) {\n" T
      "  y[i] = __syncthreads_count(x[i] % 3 == 0) + __syncthreads_and(x[i] < 0) + __syncthreads_or(x[i] == n);\n}\n";
  ASSERT_EQ(TENON_OK, regions_->compile(source, {"reversed", "counted"})) << tenon_error_last_message();
  if (fast()) {
    EXPECT_EQ(regions_->execution("reversed"), kRegions);
    EXPECT_EQ(regions_->execution("counted"), kScheduled);
  }
  const int n = 128;
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 1);
  const ArrayPtr dx = regions_->put(x), dy = regions_->put(x);
  regions_->run("reversed", line(n, 64), dx, dy, n);
  const std::vector<int> reversed = regions_->get<int>(dy);
  regions_->run("counted", line(n, 64), dx, dy, n);
  const std::vector<int> counted = regions_->get<int>(dy);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(reversed[size_t(i)], x[size_t(i / 64 * 64 + 63 - i % 64)]) << i;
    ASSERT_EQ(counted[size_t(i)], i < 64 ? 21 : 22) << i;  // of 1 to 64, and of 65 to 128, which has 128
  }
}

// Nothing in the kernel refers to the function that waits.
TEST_P(Regions, AFunctionThatWaitsMayComeFromTheHost) {
  if (!fast()) GTEST_SKIP();
  ASSERT_EQ(
      TENON_OK,
      regions_->compile("__device__ int turned(int v) { return __shfl_xor_sync(~0u, v, 1); }\n__device__ int "
                        "(*chosen)(int) = turned;\n"
                        "extern \"C\" __global__ void get(unsigned long long* p) { *p = (unsigned long long)chosen; }\n"
                        "extern \"C\" __global__ void call(unsigned long long p, int* y) { y[threadIdx.x] = ((int "
                        "(*)(int))p)(threadIdx.x); }\n",
                        {"get", "call"}));
  const ArrayPtr address = regions_->put(std::vector<uint64_t>(1)), y = regions_->put(std::vector<int>(64));
  regions_->run("get", line(1, 1), address);
  regions_->run("call", line(64, 64), regions_->get<uint64_t>(address)[0], y);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(regions_->get<int>(y)[size_t(i)], i ^ 1);
}

TEST_P(Regions, AFaultNamesItsThread) {
  if (!regions_->on_cpu()) GTEST_SKIP();
  ASSERT_EQ(
      TENON_OK,
      regions_->compile(
          K T S
          "  s[t] = x[i];\n  __syncthreads();\n  const int v = s[t];\n  __syncthreads();\n  assert(v != -77);\n  y[i] = v;\n}\n",
          {"k"}, {}, "regions.cu"));
  std::vector<int> x(640, 1);
  x[321] = -77;
  const ArrayPtr dx = regions_->put(x), dy = regions_->put(x);
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, regions_->try_run("k", Grid{{10, 1, 1}, {8, 8, 1}}, dx, dy, 640));
  const std::string said = tenon_error_last_message();
  EXPECT_NE(said.find("regions.cu:8: "), said.npos) << said;
  EXPECT_NE(said.find("v != -77"), said.npos) << said;
  EXPECT_NE(said.find("block (5, 0, 0), thread (1, 0, 0)"), said.npos) << said;
  x[321] = 1;
  const ArrayPtr good = regions_->put(x);
  Runner again(GetParam());  // a fault stays with its stream
  ASSERT_EQ(TENON_OK, again.compile(taken[0].text, {"k"}));
  again.run("k", line(640, 64), again.put(x), again.put(x), 640);
}

// Threads run in the requested order between any two barriers.
TEST_P(Regions, TheOrderOfThreadsIsTheOneAskedFor) {
  if (!fast()) GTEST_SKIP();
  ASSERT_EQ(TENON_OK, regions_->compile(K R"(
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const int mine = atomicAdd(&turn, 1);
  __syncthreads();
  y[threadIdx.x] = mine * 1000 + atomicAdd(&turn, 1);
})",
                                        {"k"}));
  EXPECT_EQ(regions_->execution("k"), kRegions);
  const ArrayPtr dx = regions_->put(std::vector<int>(64)), dy = regions_->put(std::vector<int>(64));
  regions_->run("k", line(64, 64), dx, dy, 64);
  const std::vector<int> y = regions_->get<int>(dy);
  for (int t = 0; t < 64; ++t) {
    const int place = GetParam().flags & TENON_PROGRAM_FLAG_REVERSE_ORDER ? 63 - t : t;
    EXPECT_EQ(y[size_t(t)], place * 1000 + 64 + place) << t;
  }
}

// Barriers that not all threads reach are undefined in CUDA; here the launch ends.
TEST_P(Regions, DivergentBarriersEnd) {
  if (!fast()) GTEST_SKIP();
  ASSERT_EQ(
      TENON_OK,
      regions_->compile(
          K T S
          "  s[t] = 1;\n  __syncthreads();\n  if (t % 2) return;\n  __syncthreads();\n  if (t % 4) { y[i] = 1; return; }\n  __syncthreads();\n  y[i] = 2;\n}\n",
          {"k"}));
  const ArrayPtr dx = regions_->put(std::vector<int>(64)), dy = regions_->put(std::vector<int>(64));
  regions_->run("k", line(64, 64), dx, dy, 64);
  const std::vector<int> y = regions_->get<int>(dy);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(y[size_t(t)], t % 2 ? 0 : t % 4 ? 1 : 2) << t;
}

TEST_P(Regions, WarningsAreOfTheTextAsGiven) {
  if (!regions_->on_cpu()) GTEST_SKIP();
  const std::string source =
      "#warning look here\nextern \"C\" __global__ void k(int* y) {\n  y[threadIdx.x] = 3;\n  __syncthreads();\n  y[threadIdx.x] = 3000000000000;\n}\n";
  std::string logs[2];
  for (bool plain : {false, true}) {
    const char *kernel = "k", *option = "-DTENON_PLAIN_BARRIERS";
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.mode = GetParam().mode;
    o.flags = GetParam().flags;
    o.kernels = &kernel;
    o.kernel_count = 1;
    o.options = &option;
    o.option_count = plain ? 1 : 0;
    tenon_program* program = nullptr;
    ASSERT_EQ(TENON_OK, tenon_program_create(regions_->device(), source.data(), source.size(), &o, &program));
    const ProgramPtr owner(program);
    const char* log = "";
    ASSERT_EQ(TENON_OK, tenon_program_log(program, &log));
    logs[plain] = log;
  }
  EXPECT_NE(logs[0].find("kernel.cu:5:"), std::string::npos) << logs[0];
  EXPECT_EQ(logs[0], logs[1]);
}

INSTANTIATE_TEST_SUITE_P(On, Regions, testing::ValuesIn(machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
