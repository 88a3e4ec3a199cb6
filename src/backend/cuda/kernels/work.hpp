// backend/cuda/kernels/work.hpp: parameters of the kernels in this folder: plain structs with one layout for host and
// device, and the list of the kernels with their parameters, against which the host's compiler checks each launch and
// NVRTC each kernel (Matches).
#pragma once
#ifndef TENON_DEVICE_TEXT  // instances.cpp defines this in front of the embedded sources
#include <cstdint>
#include <type_traits>
#endif

namespace tenon::work {

#ifndef TENON_DEVICE_TEXT
using i32 = int32_t;
using i64 = int64_t;
using u32 = uint32_t;
using u64 = uint64_t;
#endif

// ---- array.cu ----

// n / extent = (n * magic) >> shift for every n below 2^31. Strides are in bytes.
struct Axis {
  u32 extent, magic, shift, unused;
  i64 to, from;
};

enum : int { kMaxAxes = 32, kMaxLevels = 6 };  // of a loop; of an axis of tiles

// axes[0] is the innermost; its extent counts vectors, `inner` counts its elements. Rank 0 allows any rank; the others
// have the same layout up to their last axis.
template <int Rank> struct Loop {
  char* to;
  const char* from;
  u32 count;  // total number of vectors, below 2^31
  u32 inner;
  u32 rank;
  u32 vector_load;  // the elements of a vector are contiguous and aligned in the source
  i64 step;         // between elements of a vector in the source, in bytes
  Axis axes[Rank ? Rank : kMaxAxes];
};

// Rows of bytes, contiguous on both sides.
struct Rows {
  char* to;
  const char* from;
  const char* low;  // the readable bytes are those from `low` up to `high`
  const char* high;
  u64 bytes;  // per row
  u32 count;  // total number of chunks, below 2^31
  u32 rank;
  Axis chunks;  // of a row
  Axis axes[kMaxAxes];
};

// x and y are one axis each, or (Nested) several that are contiguous with each other: x in the destination, y in the
// source. The lists have their strides on the other side, innermost first.
struct Tiles {
  char* to;
  const char* from;
  i64 to_x, to_y, from_x, from_y;
  u32 nx, ny;
  u32 tiles_x, tiles_y;
  u32 rank, rank_x, rank_y;
  u32 unused;
  Axis plane;           // tiles of one matrix
  Axis x[kMaxLevels];   // `from` has strides
  Axis y[kMaxLevels];   // `to` has strides
  Axis axes[kMaxAxes];  // the batch
};

// Pixels of several small elements, and planes of them.
struct Planes {
  char* to;
  const char* from;
  i64 step;   // between planes, in bytes
  u32 count;  // pixels per run
  u32 wide;   // pixels may be moved 16 bytes at a time; runs start aligned
  u32 words;  // planes may be moved 4 bytes at a time
  u32 rank;
  Axis chunks;  // blocks per run
  Axis axes[kMaxAxes];
};

// An element of up to 16 bytes, which the kernel reads as its own type.
struct alignas(16) Value {
  unsigned char bytes[16];
};

// ---- numbers.cu ----

// c = alpha op(a) op(b) + beta c, column-major, for each matrix of the batch; strides in elements.
template <class T> struct Products {
  const T* a;
  const T* b;
  T* c;
  i64 lda, ldb, ldc, stride_a, stride_b, stride_c;
  u32 m, n, k, batch;
  u32 turn_a, turn_b;  // op is the transpose
  T alpha, beta;
};

enum : int { kSmallProduct = 32 };  // the largest number of rows, columns and inner extent

enum : int { kJacobiColumns = 64 };  // the largest number of columns of a matrix for jacobi()

struct Addresses {
  u64 at[256];
};

// y = alpha x + y, or without x y = alpha y, for m x n numbers of several matrices with any strides.
struct Combination {
  void* y;
  const void* x;
  i64 y_step, y_ld, y_stride, x_step, x_ld, x_stride;
  u64 m, n, count;
  double alpha[2];
  const void* alpha_at;  // replaces alpha if not NULL: of the type of the computation
};

struct Rotation {
  void* x;
  void* y;
  i64 x_step, x_ld, x_stride, y_step, y_ld, y_stride;
  u64 m, n, count;
  double c[2], s[2];
  const void *c_at, *s_at;
};

// ---- fft.cu ----

// Packed rows of n numbers before or after a cosine or sine transform.
struct CosineRows {
  const void* from;
  void* to;
  u64 rows, n;
  u32 type, sine, orthogonal;
  double scale;
};

// ---- The kernels ----

// X(file, kernel, parameters...), in the order of the kernel's parameters; a pointer to elements of any type is void*.
#define TENON_CUDA_KERNELS(X)                                                            \
  X(array, elements, Loop<0>)                                                            \
  X(array, fill, Loop<0>, Value)                                                         \
  X(array, scale, Loop<0>, double)                                                       \
  X(array, rows, Rows)                                                                   \
  X(array, tiles, Tiles)                                                                 \
  X(array, shifted_tiles, Tiles)                                                         \
  X(array, split, Planes)                                                                \
  X(array, join, Planes)                                                                 \
  X(numbers, scale_and_perturb, void*, const void*, u64, double, double)                 \
  X(numbers, eigen_defect, void*, const void*, void*, u32)                               \
  X(numbers, eigen_gaps, const void*, const void*, void*, u32, double, double)           \
  X(numbers, eigen_correction, void*, const void*, const void*, const void*, u32)        \
  X(numbers, gather_columns, void*, const void*, const void*, u64)                       \
  X(numbers, small_products, Products<float>)                                            \
  X(numbers, jacobi, const void*, void*, void*, void*, void*, u32, u32, u32, double)     \
  X(numbers, find_not_finite, const void*, u64, void*)                                   \
  X(numbers, find_zero, const void*, u64, void*)                                         \
  X(numbers, find_info, const void*, u64, void*)                                         \
  X(numbers, bound_pivots, void*, u64, i64, void*)                                       \
  X(numbers, keep_triangle, void*, i64, i64, u64, u64, u64, u32, u32)                    \
  X(numbers, line_norms, void*, const void*, u64, u64, u64, i64, i64, i64, u32)          \
  X(numbers, gemm_epilogue, void*, const void*, i64, i64, i64, i64, i64, u32, u32)       \
  X(numbers, float_parts, const void*, i64, i64, i64, void*, void*, void*, i64)          \
  X(numbers, combine, Combination)                                                       \
  X(numbers, write_addresses, void*, Addresses, u32)                                     \
  X(numbers, rotate, Rotation)                                                           \
  X(numbers, givens, void*, void*, void*, u64)                                           \
  X(numbers, rotate_modified, Rotation, const void*)                                     \
  X(numbers, givens_modified, void*, void*, void*, void*, u64)                           \
  X(numbers, line_places, void*, const void*, const void*, u64, u64, u64, i64, i64, u32) \
  X(fft, cosine_before, CosineRows)                                                      \
  X(fft, cosine_after, CosineRows)                                                       \
  X(fft, spectra_product, void*, const void*, u64, u64, u32)                             \
  X(fft, frequencies, void*, u64, u64, double)

template <class A, class B> struct Same {
  static constexpr bool value = false;
};
template <class A> struct Same<A, A> {
  static constexpr bool value = true;
};

// May an argument of this type be passed for a listed parameter? It may be of the same type, a pointer to any element
// for void*, a loop of any rank, products of any type, and any element for a Value.
template <class Listed, class Given> struct Fits : Same<Listed, Given> {};
template <class T> struct Fits<void*, T*> : Same<T*, T*> {};
template <class T> struct Fits<void*, const T*> : Same<void*, const T*> {};
template <class T> struct Fits<const void*, T*> : Same<T*, T*> {};
template <int Rank> struct Fits<Loop<0>, Loop<Rank>> : Same<int, int> {};
template <class T> struct Fits<Products<float>, Products<T>> : Same<T, T> {};
template <class T> struct Fits<Value, T> {
  static constexpr bool value = sizeof(T) <= sizeof(Value);
};

// Does a kernel, or a list of arguments, match the listed parameters?
template <class Listed, class Given> struct Matches;
template <class... Listed, class... Given> struct Matches<void(Listed...), void(Given...)> {
  static constexpr bool value = (Fits<Listed, Given>::value && ...);
};

}  // namespace tenon::work
