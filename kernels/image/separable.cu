// separable.cu: an array filtered along its axes, one after another: y[i] = sum over k of taps[k] * x[i + k - radius],
// where what is outside follows boundary.cuh. Every kernel gives the same on any device; the contract chooses by speed.
//
//   line    one axis, any radius, and line_adjoint, its adjoint, which is the gradient. A thread has V neighbours: the
//   CPU's
//           compiler makes vectors of them.
//   strip   the last two axes in one pass, without barriers: a thread walks down V columns.
//   tile    the last two axes in one pass: a block walks down a strip of columns; rows arrive in shared memory ahead of
//   time. march   any axis but the last: a thread walks along it.
//
// Where a kernel walks along an axis, each new value is added to the sums of all outputs that it belongs to. These sums
// move on by one position with every step, and that costs nothing: the sum of position j is the old one of j + 1 plus a
// product.
#if HALF
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#endif
#include "ahead.cuh"
#include "lanes.cuh"

template <class A, int N> struct Taps {
  A of[N];
};

// Taps that were handed over by value, into the table that kernels with any radius read.
template <class A> __global__ void store_taps(Taps<A, 64> taps, A* table, int first, int count) {
  const int k = first + int(threadIdx.x);
  if (threadIdx.x < 64 && k < count) table[k] = taps.of[threadIdx.x];
}

// ---- line ----

constexpr int kWidest = 64;  // of filters that the elements of V lanes are put together for

// x as [outer, n, inner], filtered along n.
template <class T, class A, int V> __global__ void line(const T* x, T* y, const A* table, int entry, int radius,
                                                        long long outer, int n, long long inner, int edge, A constant) {
  const long long wide = inner == 1 ? n : inner, chunks = (wide + V - 1) / V;
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= chunks * outer * (inner == 1 ? 1 : n)) return;
  const long long first = thread % chunks * V, row = thread / chunks;
  const int here = wide - first < V ? int(wide - first) : V, count = 2 * radius + 1;
  const A* const taps = table + entry;
  A sums[V];
  for (int v = 0; v < V; ++v) sums[v] = A(0);
  if (inner == 1) {
    const T* const from = x + row * n;
    const int begin = int(first) - radius;
    if ((V == 1 || sizeof(T) == sizeof(A)) && begin >= 0 && begin + count + V - 1 <= n) {
      sum_along<T, A, V>(from + begin, 1, taps, count, sums);
    } else if constexpr (V > 1) {
      for (int k = 0; k < count; k += kWidest) {
        const int some = count - k < kWidest ? count - k : kWidest;
        A padded[V + kWidest];
        sum_along<A, A, V>(row_window<T, A, V, kWidest>(from, begin + k, here, some, n, edge, constant, padded), 1,
                           taps + k, some, sums);
      }
    } else {
      for (int k = 0; k < count; ++k)
        for (int v = 0; v < here; ++v) {
          const int at = inside(begin + k + v, n, edge);
          sums[v] += taps[k] * (at < 0 ? constant : A(from[at]));
        }
    }
  } else {
    const T* const from = x + row / n * n * inner + first;
    const int begin = int(row % n) - radius;
    if (here < V) {
      for (int k = 0; k < count; ++k) {
        const int at = inside(begin + k, n, edge);
        for (int v = 0; v < here; ++v) sums[v] += taps[k] * (at < 0 ? constant : A(from[at * inner + v]));
      }
    } else if (begin >= 0 && begin + count <= n) {
      sum_along<T, A, V>(from + begin * inner, inner, taps, count, sums);
    } else {
      for (int k = 0; k < count; ++k) {
        const int at = inside(begin + k, n, edge);
        if (at >= 0) sum_along<T, A, V>(from + at * inner, 0, taps + k, 1, sums);
        else
          for (int v = 0; v < V; ++v) sums[v] += taps[k] * constant;
      }
    }
  }
  T* const to = y + row * wide + first;
  if (here == V) {
    for (int v = 0; v < V; ++v) to[v] = T(sums[v]);
  } else {
    for (int v = 0; v < here; ++v) to[v] = T(sums[v]);
  }
}

// taps[k] * x[at + radius - k], where nothing is outside: what position `at` of a filtered line, which may be outside,
// gives back.
template <class T, class A>
__device__ inline A given_back(const T* x, int at, int n, long long step, const A* taps, int radius) {
  const int first = at + radius - (n - 1), last = at + radius;  // of the taps that meet the line
  A sum = A(0);
  for (int k = first > 0 ? first : 0; k <= (last < 2 * radius ? last : 2 * radius); ++k)
    sum += taps[k] * A(x[(at + radius - k) * step]);
  return sum;
}

// The adjoint of `line`: what every output took from a position comes back to it.
template <class T, class A, int V> __global__ void line_adjoint(const T* x, T* y, const A* table, int entry, int radius,
                                                                long long outer, int n, long long inner, int edge) {
  const long long wide = inner == 1 ? n : inner, chunks = (wide + V - 1) / V;
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= chunks * outer * (inner == 1 ? 1 : n)) return;
  const long long first = thread % chunks * V, row = thread / chunks;
  const int here = wide - first < V ? int(wide - first) : V, count = 2 * radius + 1;
  const A* const taps = table + entry;
  const int position = inner == 1 ? int(first) : int(row % n), beyond = inner == 1 ? position + V - 1 : position;
  const T* const from = inner == 1 ? x + row * n : x + row / n * n * inner + first;
  A sums[V];
  for (int v = 0; v < V; ++v) sums[v] = A(0);
  if (here == V && position > radius && beyond + radius < n - 1) {
    sum_along<T, A, V>(from + (position + radius) * inner, -inner, taps, count, sums);
  } else {
    for (int v = 0; v < here; ++v) {
      const int at = inner == 1 ? position + v : position;
      const T* const line = inner == 1 ? from : from + v;
      sums[v] = given_back(line, at, n, inner, taps, radius);
      if (edge == kConstant || (at > radius && at + radius < n - 1 && edge != kWrap)) continue;
      for (int i = 1; i <= radius; ++i) {
        if (inside(-i, n, edge) == at) sums[v] += given_back(line, -i, n, inner, taps, radius);
        if (inside(n - 1 + i, n, edge) == at) sums[v] += given_back(line, n - 1 + i, n, inner, taps, radius);
      }
    }
  }
  T* const to = y + row * wide + first;
  for (int v = 0; v < here; ++v) to[v] = T(sums[v]);
}

// ---- strip ----

// [outer, h, w]; ROWS is a power of two and at least the taps of y. The contract keeps both radii within kWidest.
template <class T, class A, int V, int ROWS>
__global__ void strip(const T* x, T* y, int h, int w, int height, long long strips, long long segments, long long outer,
                      const A* table, int entry_y, int entry_x, int radius_y, int radius_x, int edge, A constant) {
  const A *const taps_y = table + entry_y, *const taps_x = table + entry_x;
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= strips * segments * outer) return;
  const int first = int(thread % strips) * V, top = int(thread / strips % segments) * height;
  const int bottom = top + height < h ? top + height : h, here = w - first < V ? w - first : V;
  const long long image = thread / strips / segments * h * w;
  constexpr int kAhead = 8;  // rows: each is at another place, which no processor foresees
  A outside = A(0);
  for (int k = 0; k <= 2 * radius_x; ++k) outside += taps_x[k] * constant;
  A rows[ROWS][V];
  for (int t = top - radius_y; t < bottom + radius_y; ++t) {
    const int row = t - radius_y, soon = t + kAhead;
    if (soon >= 0 && soon < h) ask_for<false>(x + image + (long long)soon * w + first, V + radius_x);
    if (row + kAhead >= top && row + kAhead < bottom)
      ask_for<true>(y + image + (long long)(row + kAhead) * w + first, V);
    A* const across = rows[t & (ROWS - 1)];
    const int source = inside(t, h, edge);
    for (int v = 0; v < V; ++v) across[v] = source < 0 ? outside : A(0);
    if (source >= 0) {
      A padded[V + 2 * kWidest];
      const A* const window = row_window<T, A, V, 2 * kWidest>(x + image + (long long)source * w, first - radius_x,
                                                               here, 2 * radius_x + 1, w, edge, constant, padded);
      sum_along<A, A, V>(window, 1, taps_x, 2 * radius_x + 1, across);
    }
    if (row < top) continue;
    A down[V];
    for (int v = 0; v < V; ++v) down[v] = A(0);
    // In two parts, where the rows go on at the beginning of their ring.
    const int begin = (row - radius_y) & (ROWS - 1), count = 2 * radius_y + 1,
              straight = ROWS - begin < count ? ROWS - begin : count;
    sum_along<A, A, V>(rows[begin], V, taps_y, straight, down);
    sum_along<A, A, V>(rows[0], V, taps_y + straight, count - straight, down);
    write_lanes<T, A, V>(y + image + (long long)row * w + first, down, here);
  }
}

// ---- Copies to shared memory that go on while the block computes ----

#if __CUDA_ARCH__ >= 800 && !defined(TENON_CPU_KERNEL)
template <int BYTES> __device__ inline void copy_ahead(void* to, const void* from) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (BYTES == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else if (BYTES == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at), "l"(from) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}
__device__ inline void close_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING> __device__ inline void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}
#else
template <int BYTES> __device__ inline void copy_ahead(void* to, const void* from) {
  struct alignas(BYTES) Piece {
    char of[BYTES];
  };
  *(Piece*)to = *(const Piece*)from;
}
__device__ inline void close_copies() {}
template <int PENDING> __device__ inline void await_copies() {}
#endif

template <class T, int V> struct alignas(sizeof(T) * V) Pack {
  T of[V];
};

template <class T> __device__ inline void copy_one(T* to, const T* from) {
  if constexpr (sizeof(T) >= 4) copy_ahead<int(sizeof(T))>(to, from);
  else *to = *from;
}

// The sums of the outputs that one more value belongs to: gives the finished one.
template <class A, int R> __device__ inline A advance(A* sums, A value, const Taps<A, 2 * R + 1>& taps) {
  if constexpr (R == 0) {
    return taps.of[0] * value;
  } else {
    const A out = taps.of[2 * R] * value + sums[0];
#pragma unroll
    for (int j = 0; j < 2 * R - 1; ++j) sums[j] = taps.of[2 * R - 1 - j] * value + sums[j + 1];
    sums[2 * R - 1] = taps.of[0] * value;
    return out;
  }
}

template <class T, class A, int V> __device__ inline void write_pack(T* to, const A* values, bool whole, int here) {
  if (whole) {
    Pack<T, V> pack;
#pragma unroll
    for (int v = 0; v < V; ++v) pack.of[v] = T(values[v]);
    *(Pack<T, V>*)to = pack;
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (v < here) to[v] = T(values[v]);
  }
}

// ---- tile ----

// [outer, h, w]. A block of at most THREADS threads walks down `height` rows of a strip, V columns a thread, PAIR rows
// at a step; the rows of AHEAD steps, a power of two, are in shared memory or on their way.
template <class T, class A, int RY, int RX, int V, int THREADS, int BLOCKS, int AHEAD, int PAIR>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    tile(const T* x, T* y, int h, int w, int height, int strips, int segments, Taps<A, 2 * RY + 1> taps_y,
         Taps<A, 2 * RX + 1> taps_x, int edge, A constant) {
  constexpr int kHalo = (RX + V - 1) / V * V, kWidth = THREADS + 2 * kHalo / V, kPacks = 2 * kHalo / V + 1;
  __shared__ Pack<T, V> rows[AHEAD * PAIR][kWidth];
  const int strip = blockIdx.x % strips, segment = blockIdx.x / strips % segments;
  const long long image = (long long)(blockIdx.x / strips / segments) * h * w;
  const int left = strip * int(blockDim.x) * V, top = segment * height, bottom = top + height < h ? top + height : h;
  const int column = left + int(threadIdx.x) * V, here = w - column;
  const bool aligned = (w % V == 0) && (((size_t)x | (size_t)y) % sizeof(Pack<T, V>) == 0);
  const int begin = top - RY, end = bottom + RY;

  // A thread brings one pack of each row, the first ones one of the halo too: as a whole, by element, or not at all.
  int from_column[2][V];
  bool whole[2], needed[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int pack = int(threadIdx.x) + i * int(blockDim.x), at = left - kHalo + pack * V;
    needed[i] = pack < int(blockDim.x) + 2 * kHalo / V && at < w + RX;
    whole[i] = aligned && at >= 0 && at + V <= w;
#pragma unroll
    for (int v = 0; v < V; ++v) from_column[i][v] = whole[i] ? at + v : inside(at + v, w, edge);
  }
  const auto fetch = [&](int t) {
    if (t >= end) return;
    Pack<T, V>* const row = rows[(t - begin) & (AHEAD * PAIR - 1)] + threadIdx.x;
    const int source = inside(t, h, edge);
    const T* const from = x + image + (long long)source * w;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (!needed[i]) continue;
      Pack<T, V>* const to = row + i * int(blockDim.x);
      if (whole[i] && source >= 0) {
        copy_ahead<int(sizeof(Pack<T, V>))>(to, from + from_column[i][0]);
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (source < 0 || from_column[i][v] < 0) to->of[v] = T(constant);
          else copy_one(&to->of[v], from + from_column[i][v]);
        }
      }
    }
  };

  A sums[V][RY == 0 ? 1 : 2 * RY];
#pragma unroll
  for (int v = 0; v < V; ++v)
#pragma unroll
    for (int j = 0; j < (RY == 0 ? 1 : 2 * RY); ++j) sums[v][j] = A(0);
#pragma unroll
  for (int i = 0; i < AHEAD - 1; ++i) {
#pragma unroll
    for (int q = 0; q < PAIR; ++q) fetch(begin + i * PAIR + q);
    close_copies();
  }
#pragma unroll 1
  for (int t = begin; t < end; t += PAIR) {
    await_copies<AHEAD - 2>();
    __syncthreads();  // the rows are there for all, and all are done with those before
#pragma unroll
    for (int q = 0; q < PAIR; ++q) fetch(t + (AHEAD - 1) * PAIR + q);
    close_copies();
#pragma unroll
    for (int q = 0; q < PAIR; ++q) {
      const Pack<T, V>* const row = rows[(t - begin + q) & (AHEAD * PAIR - 1)] + threadIdx.x;
      A across[V];
#pragma unroll
      for (int v = 0; v < V; ++v) across[v] = A(0);
#pragma unroll
      for (int p = 0; p < kPacks; ++p) {
        const Pack<T, V> pack = row[p];
#pragma unroll
        for (int j = 0; j < V; ++j) {
          const A value = A(pack.of[j]);
#pragma unroll
          for (int v = 0; v < V; ++v) {
            const int k = p * V + j - (kHalo - RX) - v;
            if (k >= 0 && k <= 2 * RX) across[v] += taps_x.of[k] * value;
          }
        }
      }
      A out[V];
#pragma unroll
      for (int v = 0; v < V; ++v) out[v] = advance<A, RY>(sums[v], across[v], taps_y);
      const int at = t + q - RY;
      if (at >= top && at < bottom && here > 0)
        write_pack<T, A, V>(y + image + (long long)at * w + column, out, aligned, here);
    }
  }
}

// ---- march ----

// [outer, n, inner], inner a multiple of V; a thread walks along `height` positions of n, and has the next U values on
// their way.
template <class T, class A, int R, int V, int U> __global__ void march(const T* x, T* y, int n, long long inner,
                                                                       int height, int segments, long long outer,
                                                                       Taps<A, 2 * R + 1> taps, int edge, A constant) {
  const long long packs = inner / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= packs * segments * outer) return;
  const long long rest = thread / packs, image = rest / segments * n * inner + thread % packs * V;
  const int top = int(rest % segments) * height, bottom = top + height < n ? top + height : n;
  const bool aligned = ((size_t)x | (size_t)y) % sizeof(Pack<T, V>) == 0;  // inner is a multiple of V
  const int begin = top - R, end = bottom + R;

  const auto fetch = [&](int t) {
    Pack<T, V> out;
    const int source = t < end ? inside(t, n, edge) : -1;
    const T* const from = x + image + source * inner;
    if (source >= 0 && aligned) return *(const Pack<T, V>*)from;
#pragma unroll
    for (int v = 0; v < V; ++v) out.of[v] = source < 0 ? T(constant) : from[v];
    return out;
  };

  A sums[V][R == 0 ? 1 : 2 * R];
#pragma unroll
  for (int v = 0; v < V; ++v)
#pragma unroll
    for (int j = 0; j < (R == 0 ? 1 : 2 * R); ++j) sums[v][j] = A(0);
  Pack<T, V> next[U];
#pragma unroll
  for (int u = 0; u < U; ++u) next[u] = fetch(begin + u);
#pragma unroll 1
  for (int t = begin; t < end; t += U) {
    Pack<T, V> now[U];
#pragma unroll
    for (int u = 0; u < U; ++u) now[u] = next[u];
#pragma unroll
    for (int u = 0; u < U; ++u) next[u] = fetch(t + U + u);
#pragma unroll
    for (int u = 0; u < U; ++u) {
      A out[V];
#pragma unroll
      for (int v = 0; v < V; ++v) out[v] = advance<A, R>(sums[v], A(now[u].of[v]), taps);
      const int at = t + u - R;
      if (at >= top && at < bottom) write_pack<T, A, V>(y + image + at * inner, out, aligned, V);
    }
  }
}
