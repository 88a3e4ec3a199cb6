// Corners of C++ that kernels use: unions, bit fields, switch, goto, recursion, statics, nested classes, defaults, references,
// lambdas that capture, function objects, initialiser lists, range-for over an array, placement in local storage, string constants.
#include <stdint.h>
namespace outer { inline namespace v1 { namespace inner {
struct Base { int tag = 3; __device__ int twice() const { return 2 * tag; } };
struct Derived : public Base {
  static constexpr int bonus = 7;
  using Number = int32_t;
  struct Nested { Number a, b; } nested{1, 2};
  __device__ Derived() = default;
  __device__ explicit Derived(int t) { tag = t; }
  __device__ int sum() const { return twice() + bonus + nested.a + nested.b; }
};
} } }
union Word { float f; uint32_t u; unsigned char byte[4]; };
struct Flags { unsigned low : 5; unsigned mid : 11; signed high : 16; };
__device__ int ackermann_like(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann_like(m - 1, 1) : ackermann_like(m - 1, ackermann_like(m, n - 1) % 5); }
__device__ void swap(int& a, int& b) { int t = a; a = b; b = t; }
template <class F> __device__ int applied(F&& f, int times, int value = 1) { while (times-- > 0) value = f(value); return value; }
struct Adder { int by; __device__ int operator()(int v) const { return v + by; } };
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ int (*const table_of_functions[])(int, int) = {plus, times};
__device__ const char message[] = "tenon";
typedef int Row[4];
extern "C" __global__ void language(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* o = out + i * 14;
  outer::inner::Derived d(i % 9);
  o[0] = d.sum();
  Word w;
  w.f = 1.0f;
  w.u += (uint32_t)i;
  o[1] = w.byte[0] + 256 * w.byte[3];
  Flags f = {};
  f.low = (unsigned)i, f.mid = (unsigned)i * 3u, f.high = -i;
  o[2] = (int)(f.low + f.mid) + f.high;
  switch (i % 4) {
    case 0: o[3] = 10; break;
    case 1: o[3] = 20; [[fallthrough]];
    case 2: o[3] = 30; break;
    default: o[3] = 40;
  }
  o[4] = ackermann_like(2, i % 4);
  int a = i, b = -i;
  swap(a, b);
  o[5] = a - b;
  o[6] = applied([&](int v) { return v * 2 + (i & 1); }, 3);
  o[7] = applied(Adder{i}, 4, 5);
  o[8] = table_of_functions[i & 1](i, 3);
  int sum = 0;
  const Row row = {1, i, 3, i * i};
  for (int v : row) sum += v;
  o[9] = sum;
  int k = 0;
again:
  if (++k < i % 6) goto again;
  o[10] = k;
  o[11] = message[i % 5];
  const auto triple = [=](int v) { return v * 3; };  // (auto v) is a host function to NVRTC, unless --default-device is given
  o[12] = triple(i) + triple(1) - 2;
  int matrix[2][3] = {{1, 2, 3}, {4, 5, i}}, (*view)[3] = matrix;
  o[13] = view[1][2] + (*view)[1] + (int)sizeof(matrix) + (0b101 | 0x10) + 1'000;
}
