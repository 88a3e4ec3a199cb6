// stencil.cu: images filtered by a window of weights: y[i, j] = sum of weights[k, l] * x[i + k - middle_y, j + l -
// middle_x]; and the adjoint, which is the gradient. `flip`: the weights are taken from the end, as convolution does.
#if HALF
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#endif
#include "lanes.cuh"
#include "part.cuh"

constexpr int kWidest = 64;  // of windows that the rows of V lanes are put together for

constexpr int kRows = 4;  // of a thread that has a small window; as the contract says

// A window of KH x KW weights, which the thread has in registers; each element of the image that it reads serves kRows
// sums.
template <class T, class W, class A, int KH, int KW>
__device__ __forceinline__ void correlate_rows(const T* x, const W* weights, T* y, const Part& part, int h, int w,
                                               int middle_y, int middle_x, int flip, int edge, A constant) {
  A weight[KH][KW], sums[kRows];
  int at[KW];
#pragma unroll
  for (int k = 0; k < KH; ++k)
#pragma unroll
    for (int l = 0; l < KW; ++l) weight[k][l] = A(weights[flip ? KH * KW - 1 - (k * KW + l) : k * KW + l]);
#pragma unroll
  for (int l = 0; l < KW; ++l) at[l] = inside(part.column - middle_x + l, w, edge);
#pragma unroll
  for (int r = 0; r < kRows; ++r) sums[r] = A(0);
#pragma unroll
  for (int s = 0; s < KH + kRows - 1; ++s) {
    const int source = inside(part.row + s - middle_y, h, edge);
    const T* const row = x + (part.image * h + source) * w;
    A values[KW];
#pragma unroll
    for (int l = 0; l < KW; ++l) values[l] = source < 0 || at[l] < 0 ? constant : A(row[at[l]]);
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      if (s - r >= 0 && s - r < KH)
#pragma unroll
        for (int l = 0; l < KW; ++l) sums[r] += weight[s - r][l] * values[l];
  }
  T* const to = y + (part.image * h + part.row) * w + part.column;
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    if (part.row + r < h) to[(long long)r * w] = T(sums[r]);
}

// KH, KW: the extents of a window that is small, on a GPU; otherwise 0.
template <class T, class W, class A, int V, int KH, int KW>
__global__ void correlate(const T* x, const W* weights, T* y, long long outer, int h, int w, int kh, int kw,
                          int middle_y, int middle_x, int flip, int edge, A constant) {
  const long long chunks = (w + V - 1) / V, thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  constexpr int kEach = KH > 0 ? kRows : 1;
  if (thread >= chunks * ((h + kEach - 1) / kEach) * outer) return;
  const Part part = part_of<V, kEach>(thread, h, w);
  if constexpr (KH > 0)
    return correlate_rows<T, W, A, KH, KW>(x, weights, y, part, h, w, middle_y, middle_x, flip, edge, constant);
  const int first = part.column, i = part.row;
  const long long image = part.image * h * w;
  A sums[V];
  for (int v = 0; v < V; ++v) sums[v] = A(0);
  for (int k = 0; k < kh; ++k) {
    const int source = inside(i + k - middle_y, h, edge);
    const T* const row = x + image + (long long)source * w;
    if constexpr (V == 1) {
      const bool clear = first >= middle_x && first - middle_x + kw <= w;
      for (int l = 0; l < kw; ++l) {
        const int entry = k * kw + l, at = source < 0 ? -1
                                           : clear    ? first - middle_x + l
                                                      : inside(first - middle_x + l, w, edge);
        sums[0] += A(weights[flip ? kh * kw - 1 - entry : entry]) * (at < 0 ? constant : A(row[at]));
      }
      continue;
    }
    for (int begin = 0; begin < kw; begin += kWidest) {
      const int count = kw - begin < kWidest ? kw - begin : kWidest;
      A padded[V + kWidest];
      const A* from = padded;
      if (source < 0)
        for (int v = 0; v < V + count - 1; ++v) padded[v] = A(T(constant));
      else
        from = row_window<T, A, V, kWidest>(row, first + begin - middle_x, w - first, count, w, edge, A(T(constant)),
                                            padded);
      A lanes[V];  // of loops of V rounds only, so that they are in registers
      for (int v = 0; v < V; ++v) lanes[v] = sums[v];
      for (int l = 0; l < count; ++l) {
        const int entry = k * kw + begin + l;
        const A weight = A(weights[flip ? kh * kw - 1 - entry : entry]);
        for (int v = 0; v < V; ++v) lanes[v] += weight * from[l + v];
      }
      for (int v = 0; v < V; ++v) sums[v] = lanes[v];
    }
  }
  write_lanes<T, A, V>(y + image + (long long)i * w + first, sums, w - first);
}

// What position (i, j), which may be outside, gives back.
template <class T, class W, class A> __device__ inline A given_back(const T* x, const W* weights, int i, int j, int h,
                                                                    int w, int kh, int kw, int middle_y, int middle_x,
                                                                    int flip) {
  A sum = A(0);
  for (int k = 0; k < kh; ++k) {
    const int row = i + middle_y - k;
    if (row < 0 || row >= h) continue;
    for (int l = 0; l < kw; ++l) {
      const int column = j + middle_x - l, entry = k * kw + l;
      if (column >= 0 && column < w)
        sum += A(weights[flip ? kh * kw - 1 - entry : entry]) * A(x[(long long)row * w + column]);
    }
  }
  return sum;
}

constexpr int kNoAlias = -0x7fffffff;

// The positions on one axis that stand for `at`: itself, number 0, and up to `before` in front of the axis and
// after it those that follow.
__device__ inline int alias_of(int number, int at, int n, int before, int edge) {
  if (number == 0) return at;
  const int outside = number <= before ? -number : n - 1 + number - before;
  return inside(outside, n, edge) == at ? outside : kNoAlias;
}

template <class T, class W, class A> __global__ void correlate_adjoint(const T* x, const W* weights, T* y,
                                                                       long long outer, int h, int w, int kh, int kw,
                                                                       int middle_y, int middle_x, int flip, int edge) {
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread >= (long long)h * w * outer) return;
  const Part part = part_of<1>(thread, h, w);
  const int j = part.column, i = part.row;
  const T* const image = x + part.image * h * w;
  // A window reaches so far before and behind its middle; only near the borders, or everywhere where arrays repeat, are
  // there others.
  const int up = middle_y, down = kh - 1 - middle_y, back = middle_x, forth = kw - 1 - middle_x,
            wide_y = up > down ? up : down, wide_x = back > forth ? back : forth;
  const bool near_y = edge != kConstant && (edge == kWrap || i <= wide_y || i + wide_y >= h - 1);
  const bool near_x = edge != kConstant && (edge == kWrap || j <= wide_x || j + wide_x >= w - 1);
  A sum = A(0);
  for (int a = 0; a <= (near_y ? up + down : 0); ++a) {
    const int row = alias_of(a, i, h, up, edge);
    if (row == kNoAlias) continue;
    for (int b = 0; b <= (near_x ? back + forth : 0); ++b) {
      const int column = alias_of(b, j, w, back, edge);
      if (column != kNoAlias)
        sum += given_back<T, W, A>(image, weights, row, column, h, w, kh, kw, middle_y, middle_x, flip);
    }
  }
  y[thread] = T(sum);
}
