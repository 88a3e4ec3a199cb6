// morphology.cu: the least or the largest of the elements in a window along one axis. x as [outer, n, inner].
#include "lanes.cuh"
#include "part.cuh"

template <bool LARGEST, class T> __device__ inline T better(T a, T b) {
  return LARGEST ? (a < b ? b : a) : (b < a ? b : a);
}

constexpr int kWidest = 64;

template <class T, int V, bool LARGEST>
__global__ void extreme(const T* x, T* y, long long outer, int n, long long inner, int size, int edge, T constant) {
  const long long wide = inner == 1 ? n : inner, chunks = (wide + V - 1) / V;
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= chunks * outer * (inner == 1 ? 1 : n)) return;
  long long chunk, line;
  const long long row = divide(thread, chunks, chunk), image = divide(row, n, line), first = chunk * V;
  const int here = wide - first < V ? int(wide - first) : V;
  T found[V];
  if (inner == 1 && V > 1) {
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
    const T* const from = inner == 1 ? x + row * n : x + image * n * inner + first;
    const int begin = int(inner == 1 ? first : line) - size / 2;
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
