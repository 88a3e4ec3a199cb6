// device/work.hpp: parameters of the sources in this folder: plain structs with one layout for host and device.
#pragma once
#ifndef TENON_DEVICE_TEXT  // ops/own.cpp defines this in front of the embedded sources
#include <cstdint>
#include "device/finding.hpp"
#endif

namespace tenon_own {

using i8 = signed char;
using i16 = short;
using i32 = int;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
#ifdef TENON_DEVICE_TEXT
using i64 = long long;
using u64 = unsigned long long;
#else
using i64 = int64_t;
using u64 = uint64_t;
#endif

// ---- random.cuh ----

enum RandomKind : int {
  kBits,
  kUniform,
  kNormal,
  kExponential,
  kIntegers,
  kBernoulli,
  kGamma,
  kBeta,
  kPoisson,
  kBinomial,
  kRandomKinds
};

struct RandomWork {
  u64 key, offset, stream;
  i64 count;    // elements
  double a, b;  // parameters of the distribution
  u64 range;    // integers: the number of values, 0: 2^64; Bernoulli: the probability times 2^32
  i64 low;      // integers: the first one
  void* to;     // C-ordered
};

// ---- index.cuh ----

enum : int { kIndexAxes = 24, kIndexArrays = 8 };

// Element (i0, i1, ...) of v belongs to element sum(i * x_step) + sum(index[k] * reach[k]) of x. Strides of x and v are
// in bytes.
struct IndexWork {
  char* x;
  char* v;
  i64 count;  // the number of elements of v
  i32 rank, arrays;
  i64 extent[kIndexAxes], x_step[kIndexAxes], v_step[kIndexAxes];
  const i64* index[kIndexArrays];
  i64 index_step[kIndexArrays][kIndexAxes];  // in elements
  i64 limit[kIndexArrays];                   // indices lie in [-limit, limit)
  i64 reach[kIndexArrays];
  tenon_finding* bad;  // of take, or NULL: for each index array, the smallest position of an index out of range
};

enum ScatterKind : int { kAssign, kAdd, kLeast, kMost, kScatterKinds };

// ---- order.cuh, select.cuh ----

// For kernels that work in tiles: threads per block, elements per thread and per tile; values of an 8-bit digit of a
// key.
enum : int { kTileThreads = 256, kTileEach = 16, kTileElements = kTileThreads * kTileEach, kDigits = 256 };
enum : int { kShortRow = 256 };  // the longest row that a warp sorts

struct SortWork {
  const void* from;  // rows of n elements
  void* values;      // rows of `keep`, or NULL
  i64* indices;      // likewise
  i64 rows, n, keep;
  i32 descending;
  const u32* order;  // kernels only: the original index of each element; NULL: its position in the row
};

// One pass of a sort of long rows; see sort.cu.
struct SortPass {
  const void* from;    // rows of n elements
  const u32* order;    // original position of each element in its row; NULL: none has moved yet
  void* to;            // rows of `keep`, or NULL
  u32* to_order;       // rows of n, or NULL
  i64* indices;        // rows of `keep`, or NULL
  const u32* starts;   // per row, pass and digit: the number of elements with smaller digits
  void* states;        // per tile and digit: the count as far as it is known; 0 before the pass
  u32* next;           // the number of the next tile; 0 before the pass
  i64 n, keep, tiles;  // tiles: per row
  i32 shift, descending;
};

// Finds the first elements of rows in the order of a sort; see top.cu.
struct TopWork {
  const void* from;  // rows of n elements
  void* elements;    // rows of `keep`
  u32* order;        // likewise: their original positions
  u64* limit;        // per row: the key of the last element that is kept, or its highest digits; 0 before
  u32* left;         // per row: the number of elements with that key; `keep` before
  u32* counts;       // per row and digit; 0 before
  i64* starts;       // two lists of tiles + 1 numbers per row
  i64 rows, n, keep, tiles;
  i32 descending;
};

enum : int { kSearchFew = 2048 };  // the number of elements that fit into shared memory

struct SearchWork {
  const void* sorted;  // n elements
  const void* wanted;  // count elements
  i64* to;
  i64 n, count;
  i32 right;
};

// Runs of equal elements in a sorted list.
struct RunsWork {
  const void* sorted;  // count elements
  u8* first;           // per element: does it begin a run?
  i64 count;
  i32 nan_equal;  // are all NaNs one run, or each its own?
};

struct RangeWork {
  void* to;
  i64 count;
  i64 first, step;         // integers: first + i step, modulo 2^64
  double start, distance;  // others: start + i distance
  double last;             // the last element, if given
  i32 has_last;
};

// For `runs` runs in a sorted list of `count` elements: starts[k] is where run k begins.
struct UniqueWork {
  const i64* starts;
  const i64* order;  // the original position of each sorted element
  i64* to;
  i64 runs, count;
};

// Converts positions of elements in C order to indices, one row per axis.
struct UnravelWork {
  const i64* places;
  i64* to;
  i64 count;
  i32 rank;
  i64 extent[64];
};

struct TriangleWork {
  const void* from;
  void* to;
  i64 rows, columns, diagonal;
  i32 upper;
};

// ---- product.cuh ----

// c = alpha a b + beta c for each of a batch of matrices: a (m, k), b (k, n), c (m, n). Strides are in elements.
struct ProductWork {
  const void* a;
  const void* b;
  void* c;
  i64 m, n, k, batch;
  i64 a_row, a_column, a_matrix;
  i64 b_row, b_column, b_matrix;
  i64 c_row, c_column, c_matrix;
  u64 alpha, beta;  // modulo 2^64; for bools 0 or 1
};

// ---- small.cuh: batches of small matrices ----

// Steps are in elements: from matrix to matrix, row to row, column to column.
struct SmallMatrices {
  void* data;
  i64 step, row_step, column_step;
};

// The findings of the structs below get the smallest number of a matrix of which that is true; for `singular`, `failed`
// and `not_converged` as number << 32 | info.
struct SmallSolveWork {
  SmallMatrices a, b, x;  // a: n x n; b, x: n x k
  i64 batch;
  tenon_finding *a_not_finite, *b_not_finite, *singular, *overflow, *result_not_finite;
  i32 n, k, op, team_bytes;
};

struct SmallFactorWork {
  SmallMatrices a, first, second;  // Cholesky: a and first: n x n; QR: m x n; m x k, k x n
  i64 batch;
  tenon_finding *a_not_finite, *failed, *second_failed;
  i32 m, n, k, upper, team_bytes;
};

struct SmallSpectrumWork {
  SmallMatrices a, values, left, right;  // values: a row per matrix; left, right: data NULL: values only
  i64 batch;
  tenon_finding *a_not_finite, *not_converged, *overflow;
  i32 m, n, upper, team_bytes;
  i32 left_columns, right_rows;  // SVD: of u and vh
  i32 group;                     // SVD: threads per pair of columns
};

// ---- segment.cuh ----

enum SegmentKind : int { kSegmentSum, kSegmentProduct, kSegmentLeast, kSegmentMost, kSegmentLogSum, kSegmentKinds };

// Elements per tile of a reduction or scan of segments, by the bytes of an element: tiles fit into shared memory.
enum : int { kSegmentTile4 = 4096, kSegmentTile8 = 2048, kSegmentTile16 = 1024 };

struct SegmentWork {
  const void* x;       // rows of n elements
  const i64* offsets;  // reductions: count + 1
  const u8* heads;     // scans: per element of a row, does it begin a segment?
  void* to;            // reductions: rows of `count`; scans: rows of n
  void* first;         // accumulators, one per row and tile; see segment.cu
  void* last;          // likewise
  u8* flags;           // scans: one per row and tile
  i64 rows, n, count, tiles;
  i32 exclusive;
};

// A reduction by the numbers of the segments on the CPU, which are in any order; those outside of [0, count) count
// nowhere. The axis of the segments lies between the others.
struct NumberedWork {
  const void* x;  // outer * n * inner elements
  const i64* numbers;
  void* to;  // outer * count * inner
  i64 outer, n, inner, count;
};

// Marks where segments begin.
struct HeadsWork {
  const i64* offsets;  // count
  u8* heads;           // n; 0 before
  i64 n;
};

// ---- quantile.cuh ----

enum : int { kQuantiles = 16 };

struct QuantileWork {
  const void* sorted;  // rows of n elements, NaN last
  void* to;            // row i and probability k: element k * rows + i
  i64 rows, n;
  i32 method, ignore_nan, count, reserved;
  double probability[kQuantiles];
};

// ---- interpolate.cuh ----

struct InterpolateWork {
  const void* points;  // n, ascending
  const void* values;  // n
  const void* x;       // count
  void* to;            // count
  i64 n, count;
  double below, above;  // the results outside of the points, if has_below and has_above
  i32 has_below, has_above;
};

// ---- sparse.cuh ----

// A CSR matrix, or the keys from which one is made; each operation uses some of the fields.
struct SparseWork {
  const void* offsets;  // rows + 1
  const void* indices;  // the columns
  const void* other;    // of COO matrices the rows; else what the operation says
  const void* values;
  const void* b;  // a matrix, by strides in elements
  void* to;       // the result
  i64 rows, columns, elements, width;
  i64 b_row, b_column, to_row, to_column;
  i32 conjugated, has_beta;
  u64 alpha[2], beta[2];  // bytes of an element
};

}  // namespace tenon_own
