// lanes.cuh: what kernels share whose threads compute V neighbours along the contiguous axis: 64 on the CPU, whose compiler makes
// vectors of loops over them, 1 on a GPU.
#pragma once
#include "boundary.cuh"

// The V + count - 1 elements that begin at `first` of a row of n: as they are, or put together in `padded` where some are outside.
template <class T, int V, int MOST>
__device__ inline const T* row_window(const T* row, int first, int count, int n, int edge, T constant, T (&padded)[V + MOST]) {
  if (first >= 0 && first + V + count - 1 <= n) return row + first;
  for (int i = 0; i < V + count - 1; ++i) {
    const int at = inside(first + i, n, edge);
    padded[i] = at < 0 ? constant : row[at];
  }
  return padded;
}

template <class T, class A, int V>
__device__ inline void write_lanes(T* to, const A* values, int here) {
  if (here >= V) {
    for (int v = 0; v < V; ++v) to[v] = T(values[v]);
  } else {
    for (int v = 0; v < here; ++v) to[v] = T(values[v]);
  }
}
