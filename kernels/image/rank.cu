// rank.cu: the element of a given rank among those of a window, such as the median; found bit by bit, by counting, so
// that the window's size matters little and nothing is sorted.
#include "lanes.cuh"

// Integers in the order of the values.
__device__ inline int key_of(float x) {
  const int bits = __float_as_int(x);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}
__device__ inline long long key_of(double x) {
  const long long bits = __double_as_longlong(x);
  return bits < 0 ? bits ^ 0x7fffffffffffffffll : bits;
}
__device__ inline int key_of(int x) { return x; }
__device__ inline short key_of(short x) { return x; }
__device__ inline short key_of(signed char x) { return x; }
__device__ inline short key_of(unsigned char x) { return short(x); }
__device__ inline int key_of(unsigned short x) { return int(x); }
template <class T> __device__ inline T value_of(long long key) { return T(key); }
template <> __device__ inline float value_of<float>(long long key) {
  const int bits = int(key);
  return __int_as_float(bits < 0 ? bits ^ 0x7fffffff : bits);
}
template <> __device__ inline double value_of<double>(long long key) {
  return __longlong_as_double(key < 0 ? key ^ 0x7fffffffffffffffll : key);
}

template <class T, int V, int KH, int KW>
__global__ void rank_of_window(const T* x, T* y, long long outer, int h, int w, int rank, int edge, T constant) {
  using Key = decltype(key_of(T()));
  constexpr int kBits = 8 * int(sizeof(Key));
  constexpr int kRows = V == 1 && KH * KW <= 49 ? KH : 1,
                kColumns = V == 1 && KH * KW <= 49 ? KW : 1;  // unrolled: a small window is in registers
  const long long chunks = (w + V - 1) / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= chunks * h * outer) return;
  const int first = int(thread % chunks) * V, i = int(thread / chunks % h);
  const long long image = thread / chunks / h * h * w;
  Key window[KH][V + KW - 1];
#pragma unroll kRows
  for (int k = 0; k < KH; ++k) {
    const int source = inside(i + k - KH / 2, h, edge);
#pragma unroll kColumns
    for (int v = 0; v < V + KW - 1; ++v) {
      const int at = inside(first + v - KW / 2, w, edge);
      window[k][v] = key_of(source < 0 || at < 0 ? constant : x[image + (long long)source * w + at]);
    }
  }
  // The largest key with no more than `rank` keys below it.
  Key found[V];
  for (int v = 0; v < V; ++v) found[v] = Key(1ull << (kBits - 1));
  for (int bit = kBits - 1; bit >= 0; --bit) {
    Key trial[V], below[V];
    const unsigned long long step = 1ull << bit;
    for (int v = 0; v < V; ++v) {
      trial[v] = Key((unsigned long long)found[v] + step);
      below[v] = 0;
    }
#pragma unroll kRows
    for (int k = 0; k < KH; ++k)
#pragma unroll kColumns
      for (int l = 0; l < KW; ++l)
        for (int v = 0; v < V; ++v) below[v] += window[k][l + v] < trial[v] ? Key(1) : Key(0);
    for (int v = 0; v < V; ++v) found[v] = below[v] <= Key(rank) ? trial[v] : found[v];
  }
  T* const to = y + image + (long long)i * w + first;
  for (int v = 0; v < V && first + v < w; ++v) to[v] = value_of<T>(found[v]);
}
