// morphology.cu: the least or the largest of the elements in a window along one axis. x as [outer, n, inner].
#include "lanes.cuh"
#include "part.cuh"

template <bool LARGEST, class T> __device__ inline T better(T a, T b) {
  return LARGEST ? (a < b ? b : a) : (b < a ? b : a);
}

constexpr int kWidest = 64;
constexpr int kRows = 4;  // of a GPU's thread; as the contract says

// kRows elements of a column along the axis, which share what is read.
template <bool LARGEST, class T> __device__ __forceinline__ void extreme_of_rows(const T* x, T* y, long long thread,
                                                                                 int n, long long inner, int size,
                                                                                 int edge, T constant) {
  long long column, chunk;
  const long long outer = divide(divide(thread, inner, column), (n + kRows - 1) / kRows, chunk);
  const int first = int(chunk) * kRows, begin = first - size / 2;
  const T* const from = x + outer * n * inner + column;
  const auto read = [&](int k) {
    const int at = inside(begin + k, n, edge);
    return at < 0 ? constant : from[at * inner];
  };
  T found[kRows];
  if (size >= kRows) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const T value = read(k);
      found[k] = value;
#pragma unroll
      for (int r = 0; r < k; ++r) found[r] = better<LARGEST>(found[r], value);
    }
    for (int k = kRows; k < size; ++k) {
      const T value = read(k);
#pragma unroll
      for (int r = 0; r < kRows; ++r) found[r] = better<LARGEST>(found[r], value);
    }
#pragma unroll
    for (int k = 1; k < kRows; ++k) {
      const T value = read(size - 1 + k);
#pragma unroll
      for (int r = k; r < kRows; ++r) found[r] = better<LARGEST>(found[r], value);
    }
  } else {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      found[r] = read(r);
      for (int k = 1; k < size; ++k) found[r] = better<LARGEST>(found[r], read(r + k));
    }
  }
  T* const to = y + (outer * n + first) * inner + column;
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    if (first + r < n) to[r * inner] = found[r];
}

template <class T, int V, bool LARGEST>
__global__ void extreme(const T* x, T* y, long long outer, int n, long long inner, int size, int edge, T constant) {
  const long long wide = inner == 1 ? n : inner, chunks = (wide + V - 1) / V;
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if constexpr (V == 1) {
    if (thread < outer * ((n + kRows - 1) / kRows) * inner)
      extreme_of_rows<LARGEST>(x, y, thread, n, inner, size, edge, constant);
    return;
  }
  if (thread >= chunks * outer * (inner == 1 ? 1 : n)) return;
  long long chunk, line;
  const long long row = divide(thread, chunks, chunk), image = divide(row, n, line), first = chunk * V;
  const int here = wide - first < V ? int(wide - first) : V;
  T found[V];
  if (inner == 1) {
    for (int begin = 0; begin < size; begin += kWidest) {
      const int count = size - begin < kWidest ? size - begin : kWidest;
      T padded[V + kWidest];
      const T* const from = row_window<T, T, V, kWidest>(x + row * n, int(first) + begin - size / 2, here, count, n,
                                                         edge, constant, padded);
      if (begin == 0)
        for (int v = 0; v < V; ++v) found[v] = from[v];
      for (int k = 0; k < count; ++k)
        for (int v = 0; v < V; ++v) found[v] = better<LARGEST>(found[v], from[k + v]);
    }
  } else {
    const T* const from = x + image * n * inner + first;
    const int begin = int(line) - size / 2;
    for (int k = 0; k < size; ++k) {
      const int at = inside(begin + k, n, edge);
      for (int v = 0; v < here; ++v) {
        const T value = at < 0 ? constant : from[at * inner + v];
        found[v] = k == 0 ? value : better<LARGEST>(found[v], value);
      }
    }
  }
  write_lanes<T, T, V>(y + row * wide + first, found, here);
}
