// rank.cu: the element of a given rank among those of a window, such as the median. In a small window it is what
// remains when all that cannot be it has left; in a large one it is found bit by bit, by counting, which takes a time
// that grows with the window's size and not with its square.
#include "lanes.cuh"
#include "part.cuh"

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

// Swaps low[v] and high[v] wherever low[v] is the larger.
template <class Key, int V>
__device__ __forceinline__ void order(Key (&__restrict__ low)[V], Key (&__restrict__ high)[V]) {
  for (int v = 0; v < V; ++v) {
    const Key a = low[v], b = high[v];
    low[v] = b < a ? b : a;
    high[v] = b < a ? a : b;
  }
}

// The element of rank RANK of each lane's window, by forgetful selection (M. McGuire, "A Fast, Small-Radius GPU Median
// Filter", ShaderX6, 2008): of more than n - RANK elements the least one has too many above it, and of more than RANK +
// 1 the largest one too many below. Both leave the set, and the next element comes in.
template <class Key, int V, int KH, int KW, int RANK>
__device__ __forceinline__ void select(const Key (&window)[KH][V + KW - 1], Key (&found)[V]) {
  constexpr int kCount = KH * KW, kBelow = RANK, kAbove = kCount - 1 - RANK;
  constexpr int kSteps = kBelow < kAbove ? kBelow : kAbove, kSize = (kBelow < kAbove ? kAbove : kBelow) + 2;
  constexpr int kUnrolled = V == 1 ? kCount : 1;  // then the set is in registers
  const auto take = [&](int element, Key(&to)[V]) {
    for (int v = 0; v < V; ++v) to[v] = window[element / KW][element % KW + v];
  };
  Key set[kSize][V];
#pragma unroll kUnrolled
  for (int i = 0; i < kSize && i < kCount; ++i) take(i, set[i]);
#pragma unroll kUnrolled
  for (int step = 0; step < kSteps; ++step) {
    const int last = kSize - 1 - step;
#pragma unroll kUnrolled
    for (int i = 0; i < last - i; ++i) order<Key, V>(set[i], set[last - i]);
#pragma unroll kUnrolled
    for (int i = 1; i <= last - i; ++i) order<Key, V>(set[0], set[i]);
#pragma unroll kUnrolled
    for (int i = 1; i <= last - i; ++i) order<Key, V>(set[last - i], set[last]);
    if (kSize + step < kCount) take(kSize + step, set[0]);
  }
  // What is left: all of them, or all but the ends of the last set. The least of these, or the largest.
  constexpr int kFirst = kSteps ? 1 : 0, kEnd = kSteps ? kSize - kSteps : kCount;
#pragma unroll kUnrolled
  for (int i = kFirst + 1; i < kEnd; ++i) {
    if (kBelow < kAbove) order<Key, V>(set[kFirst], set[i]);
    else order<Key, V>(set[i], set[kFirst]);
  }
  for (int v = 0; v < V; ++v) found[v] = set[kFirst][v];
}

// The largest key with no more than `rank` keys of the lane's window below it.
template <class Key, int V, int KH, int KW>
__device__ __forceinline__ void count(const Key (&window)[KH][V + KW - 1], int rank, Key (&found)[V]) {
  constexpr int kBits = 8 * int(sizeof(Key));
  for (int v = 0; v < V; ++v) found[v] = Key(1ull << (kBits - 1));
  for (int bit = kBits - 1; bit >= 0; --bit) {
    Key trial[V], below[V];
    const unsigned long long step = 1ull << bit;
    for (int v = 0; v < V; ++v) {
      trial[v] = Key((unsigned long long)found[v] + step);
      below[v] = 0;
    }
    for (int k = 0; k < KH; ++k)
      for (int l = 0; l < KW; ++l)
        for (int v = 0; v < V; ++v) below[v] += window[k][l + v] < trial[v] ? Key(1) : Key(0);
    for (int v = 0; v < V; ++v) found[v] = below[v] <= Key(rank) ? trial[v] : found[v];
  }
}

// RANK: the rank where the window is small, or -1.
template <class T, int V, int KH, int KW, int RANK>
__global__ void rank_of_window(const T* x, T* y, long long outer, int h, int w, int rank, int edge, T constant) {
  using Key = decltype(key_of(T()));
  const long long chunks = (w + V - 1) / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= chunks * h * outer) return;
  const Part part = part_of<V>(thread, h, w);
  x += part.image * h * w;
  Key window[KH][V + KW - 1];
  if constexpr (V == 1) {
    constexpr int kRows = RANK < 0 ? 1 : KH, kColumns = RANK < 0 ? 1 : KW;  // unrolled: a small window is in registers
    int at[KW];
#pragma unroll kColumns
    for (int l = 0; l < KW; ++l) at[l] = inside(part.column + l - KW / 2, w, edge);
#pragma unroll kRows
    for (int k = 0; k < KH; ++k) {
      const int source = inside(part.row + k - KH / 2, h, edge);
#pragma unroll kColumns
      for (int l = 0; l < KW; ++l)
        window[k][l] = key_of(source < 0 || at[l] < 0 ? constant : x[(long long)source * w + at[l]]);
    }
  } else {
    for (int k = 0; k < KH; ++k) {
      const int source = inside(part.row + k - KH / 2, h, edge);
      T padded[V + KW];
      for (int v = 0; v < V + KW - 1; ++v) padded[v] = constant;
      const T* const from = source < 0 ? padded
                                       : row_window<T, T, V, KW>(x + (long long)source * w, part.column - KW / 2,
                                                                 w - part.column, KW, w, edge, constant, padded);
      for (int v = 0; v < V + KW - 1; ++v) window[k][v] = key_of(from[v]);
    }
  }
  Key found[V];
  if constexpr (RANK >= 0) select<Key, V, KH, KW, RANK>(window, found);
  else count<Key, V, KH, KW>(window, rank, found);
  T* const to = y + (part.image * h + part.row) * w + part.column;
  for (int v = 0; v < V && part.column + v < w; ++v) to[v] = value_of<T>(found[v]);
}
