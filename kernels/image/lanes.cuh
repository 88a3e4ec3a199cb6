// lanes.cuh: what kernels share whose threads compute V neighbours along the contiguous axis: 64 on the CPU, whose
// compiler makes vectors of loops over them, 1 on a GPU.
#pragma once
#include "boundary.cuh"

// The V + count - 1 elements that begin at `first` of a row of n: as they are, or put together in `padded` where some
// are outside or have to be converted. Only those are looked for that the first `here` lanes need.
template <class T, class A, int V, int MOST>
__device__ __forceinline__ const A* row_window(const T* row, int first, int here, int count, int n, int edge,
                                               A constant, A (&padded)[V + MOST]) {
  const int all = V + count - 1, needed = here < V ? here + count - 1 : all;
  if constexpr (sizeof(T) == sizeof(A)) {  // they are the same
    if (first >= 0 && first + all <= n) return (const A*)(row + first);
  }
  const int begin = first >= 0        ? 0
                    : -first < needed ? -first
                                      : needed,
            behind = n - first < needed ? n - first : needed;
  const int end = behind < begin ? begin : behind;
  for (int i = begin; i < end; ++i) padded[i] = A(row[first + i]);
  for (int i = begin > 0 ? 0 : end; i < needed; i = i + 1 == begin ? end : i + 1) {
    const int at = inside(first + i, n, edge);
    padded[i] = at < 0 ? constant : A(row[at]);
  }
  for (int i = needed; i < all; ++i) padded[i] = A(0);
  return padded;
}

// sums[v] += taps[k] * x[k * step + v], for each k and v. The loops over v have V rounds each, so that the CPU's
// compiler has what they add to in registers.
template <class T, class A, int V>
__device__ __forceinline__ void sum_along(const T* x, long long step, const A* taps, int count, A* sums) {
  A lanes[V];
  for (int v = 0; v < V; ++v) lanes[v] = sums[v];
  for (int k = 0; k < count; ++k) {
    const A weight = taps[k];
    const T* const from = x + k * step;
    for (int v = 0; v < V; ++v) lanes[v] += weight * A(from[v]);
  }
  for (int v = 0; v < V; ++v) sums[v] = lanes[v];
}

template <class T, class A, int V> __device__ __forceinline__ void write_lanes(T* to, const A* values, int here) {
  if (here >= V) {
    for (int v = 0; v < V; ++v) to[v] = T(values[v]);
  } else {
    for (int v = 0; v < here; ++v) to[v] = T(values[v]);
  }
}
