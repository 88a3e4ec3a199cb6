// resize.cu: images to another size. Element i of n stands for [i, i + 1) of a line that both sizes share.
#include "ahead.cuh"
#include "part.cuh"
#include "stored.cuh"

enum Kind { kNearest = 0, kLinear = 1, kCubic = 2, kArea = 3 };

// The elements that output i takes from: `count` of them from `first` on. Positions are whole numbers of 1 / (2 * to)
// of an element, so that they are exact.
struct Sources {
  int first, count;
  long long at, begin, end;  // the middle of the output, from the middle of `first`; its ends, in parts of 1 / to
};

__device__ inline long long floor_div(long long a, long long b) { return a / b - (a % b < 0); }

__device__ inline Sources sources_of(int i, int from, int to, int kind) {
  Sources out;
  const long long middle = (2ll * i + 1) * from;  // in parts of 1 / (2 * to)
  out.begin = (long long)i * from, out.end = out.begin + from, out.at = 0;
  if (kind == kNearest) {
    out.first = int(middle / (2ll * to)), out.count = 1;
  } else if (kind == kArea) {
    out.first = int(out.begin / to), out.count = int((out.end + to - 1) / to) - out.first;
  } else {
    const long long low = floor_div(middle - to, 2ll * to);
    out.first = int(low) - (kind == kCubic ? 1 : 0), out.count = kind == kCubic ? 4 : 2;
    out.at = middle - to - 2ll * to * out.first;
  }
  return out;
}

// Of element first + k; they add up to 1.
template <class A> __device__ inline A weight_of(const Sources& s, int k, int from, int to, int kind) {
  if (kind == kNearest) return A(1);
  if (kind == kArea) {
    const long long low = (long long)(s.first + k) * to, high = low + to;
    return A((high < s.end ? high : s.end) - (low > s.begin ? low : s.begin)) / A(from);
  }
  const long long away = s.at - 2ll * to * k;
  const A d = A(away < 0 ? -away : away) / A(2ll * to);
  if (kind == kLinear) return A(1) - d;
  const A a = A(-0.75);  // as PyTorch and OpenCV have it
  return d <= A(1) ? ((a + A(2)) * d - (a + A(3))) * d * d + A(1) : ((a * d - A(5) * a) * d + A(8) * a) * d - A(4) * a;
}

__device__ inline int clamped(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

// For each of the `to` outputs along an axis, and each of `taps` elements it may take from: where that is and its
// weight, as [taps, to].
template <class A> __global__ void resize_table(int* at, A* weights, int from, int to, int taps, int kind) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= to) return;
  const Sources sources = sources_of(i, from, to, kind);
  for (int k = 0; k < taps; ++k) {
    // Where there are fewer, they are the first once more and share its weight: an infinity beside does no harm and
    // that one stays one.
    const int of = k < sources.count ? k : 0;
    at[(long long)k * to + i] = clamped(sources.first + of, from);
    weights[(long long)k * to + i] =
        weight_of<A>(sources, of, from, to, kind) / A(of == 0 ? 1 + taps - sources.count : 1);
  }
}

// V outputs of a row a thread.
template <class T, class A, int V> __global__ void resize(const T* x, T* y, const int* at_y, const A* weights_y,
                                                          const int* at_x, const A* weights_x, long long outer, int h,
                                                          int w, int height, int width, int taps_y, int taps_x) {
  const long long chunks = (width + V - 1) / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= outer * height * chunks) return;
  const Part part = part_of<V>(thread, height, width);
  const int first = part.column, i = part.row, here = width - first < V ? width - first : V;
  const T* const image = x + part.image * h * w;
  T* const to = y + (part.image * height + i) * width + first;
  if (here == V) {
    const int span = at_x[first + V - 1] - at_x[first] + 1;
    A sums[V];  // of loops of V rounds only, so that they are in registers
    for (int v = 0; v < V; ++v) sums[v] = A(0);
    for (int k = 0; k < taps_y; ++k) {
      const A weight = weights_y[(long long)k * height + i];
      const T* const row = image + (long long)at_y[(long long)k * height + i] * w;
      ask_for<false>(row + at_x[first] + 2 * span, span);
      for (int l = 0; l < taps_x; ++l) {
        const int* const at = at_x + (long long)l * width + first;
        const A* const across = weights_x + (long long)l * width + first;
        for (int v = 0; v < V; ++v) sums[v] += weight * across[v] * A(row[at[v]]);
      }
    }
    for (int v = 0; v < V; ++v) to[v] = stored<T, A>(sums[v]);
    return;
  }
  for (int v = 0; v < here; ++v) {
    A sum = A(0);
    for (int k = 0; k < taps_y; ++k) {
      const A weight = weights_y[(long long)k * height + i];
      const T* const row = image + (long long)at_y[(long long)k * height + i] * w;
      for (int l = 0; l < taps_x; ++l)
        sum += weight * weights_x[(long long)l * width + first + v] * A(row[at_x[(long long)l * width + first + v]]);
    }
    to[v] = stored<T, A>(sum);
  }
}

// The adjoint. Elements of an axis are taken from by outputs that follow one another, as both ends of what an output
// takes from never go back: so each element gathers from its outputs, in one order, and nothing is added atomically.

// The first of `to` outputs that reaches as far as element p (`beyond`: that begins behind it).
__device__ inline int first_output(int p, int from, int to, int kind, bool beyond) {
  int low = 0, high = to;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const Sources sources = sources_of(middle, from, to, kind);
    const bool found =
        beyond ? clamped(sources.first, from) > p : clamped(sources.first + sources.count - 1, from) >= p;
    if (found) high = middle;
    else low = middle + 1;
  }
  return low;
}

// For each of the `from` elements of an axis: the first output that takes from it, how many do, and their weights, as
// [reach, from].
template <class A>
__global__ void resize_back_table(int* begin, int* count, A* weights, int from, int to, int reach, int kind) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= from) return;
  const int first = first_output(p, from, to, kind, false), all = first_output(p, from, to, kind, true) - first;
  begin[p] = clamped(first, to);
  count[p] = all < reach ? all : reach;  // never more: `reach` is how many can be as near
  for (int k = 0; k < reach; ++k) {
    if (k >= count[p]) {
      weights[(long long)k * from + p] = A(0);
      continue;
    }
    const Sources sources = sources_of(first + k, from, to, kind);
    // What lies outside is taken from the element at the border.
    int low = p == 0 ? 0 : p - sources.first, high = p == from - 1 ? sources.count - 1 : p - sources.first;
    if (low < 0) low = 0;
    if (high > sources.count - 1) high = sources.count - 1;
    A sum = A(0);
    for (int j = low; j <= high; ++j) sum += weight_of<A>(sources, j, from, to, kind);
    weights[(long long)k * from + p] = sum;
  }
}

// x[outer, to, inner], what came back to the outputs along an axis, into y[outer, from, inner]. V elements of a line a
// thread.
template <class X, class Y, class A, int V>
__global__ void resize_back(const X* x, Y* y, const int* begin, const int* count, const A* weights, long long outer,
                            int from, int to, long long inner) {
  const long long chunks = (inner + V - 1) / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= outer * from * chunks) return;
  const long long first = thread % chunks * V;
  const int p = int(thread / chunks % from), here = inner - first < V ? int(inner - first) : V, all = count[p];
  const X* const lines = x + (thread / chunks / from * to + begin[p]) * inner + first;
  Y* const to_line = y + (thread / chunks) * inner + first;
  if (here == V) {
    A sums[V];
    for (int v = 0; v < V; ++v) sums[v] = A(0);
    for (int k = 0; k < all; ++k) {
      const A weight = weights[(long long)k * from + p];
      const X* const line = lines + k * inner;
      for (int v = 0; v < V; ++v) sums[v] += weight * A(line[v]);
    }
    for (int v = 0; v < V; ++v) to_line[v] = Y(sums[v]);
    return;
  }
  for (int v = 0; v < here; ++v) {
    A sum = A(0);
    for (int k = 0; k < all; ++k) sum += weights[(long long)k * from + p] * A(lines[k * inner + v]);
    to_line[v] = Y(sum);
  }
}

// The same along the last axis: V neighbours a thread, each of which gathers from outputs of its own.
template <class X, class Y, class A, int V> __global__ void resize_back_row(const X* x, Y* y, const int* begin,
                                                                            const int* count, const A* weights,
                                                                            long long outer, int from, int to) {
  const long long chunks = (from + V - 1) / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= outer * chunks) return;
  const int first = int(thread % chunks) * V, here = from - first < V ? from - first : V;
  const X* const line = x + thread / chunks * to;
  const int *const at = begin + first, *const all = count + first;
  Y* const to_line = y + thread / chunks * from + first;
  if (here == V) {
    int most = 0;
    for (int v = 0; v < V; ++v) most = all[v] > most ? all[v] : most;
    A sums[V];
    for (int v = 0; v < V; ++v) sums[v] = A(0);
    for (int k = 0; k < most; ++k) {
      const A* const across = weights + (long long)k * from + first;
      for (int v = 0; v < V; ++v) {
        const bool takes = k < all[v];
        const A given = across[v] * A(line[at[v] + (takes ? k : 0)]);
        sums[v] += takes ? given : A(0);
      }
    }
    for (int v = 0; v < V; ++v) to_line[v] = Y(sums[v]);
    return;
  }
  for (int v = 0; v < here; ++v) {
    A sum = A(0);
    for (int k = 0; k < all[v]; ++k) sum += weights[(long long)k * from + first + v] * A(line[at[v] + k]);
    to_line[v] = Y(sum);
  }
}
