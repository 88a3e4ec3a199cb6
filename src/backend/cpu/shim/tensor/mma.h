// shim/tensor/mma.h: nvcuda::wmma: products of tiles that are distributed over a warp. Which thread has which element
// is unspecified, as in CUDA; here accumulators have the layout of mma.sync, and factors are stored element by element.
// tenon_matrix.h describes the order of additions.
#pragma once
#include "tenon_matrix.h"

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
namespace precision {
struct tf32 {};
}  // namespace precision

TENON_INLINE float __float_to_tf32(float x) {
  const unsigned bits = __float_as_uint(x);
  return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

// The element types, and the types in which they are stored.
template <class T> struct tenon_stored {
  typedef T type;
};
template <> struct tenon_stored<precision::tf32> {
  typedef float type;
};

// The valid combinations of shapes and types of matrix_a and matrix_b.
template <class T, int M, int N, int K> struct tenon_shape {
  static constexpr bool known = false;
};
#define TENON_SHAPE(T, M, N, K)                \
  template <> struct tenon_shape<T, M, N, K> { \
    static constexpr bool known = true;        \
  };
#define TENON_SHAPES(T)      \
  TENON_SHAPE(T, 16, 16, 16) \
  TENON_SHAPE(T, 32, 8, 16)  \
  TENON_SHAPE(T, 8, 32, 16)
TENON_SHAPES(__half)
TENON_SHAPES(__nv_bfloat16)
TENON_SHAPES(signed char)
TENON_SHAPES(unsigned char)
TENON_SHAPE(precision::tf32, 16, 16, 8)
TENON_SHAPE(double, 8, 8, 4)
#undef TENON_SHAPES
#undef TENON_SHAPE
// The same for accumulators.
template <class T, int M, int N, int K> struct tenon_sum_shape {
  static constexpr bool known = K == 16 && M * N == 256 && M >= 8 && N >= 8;
};
template <> struct tenon_sum_shape<float, 16, 16, 8> {
  static constexpr bool known = true;
};
template <> struct tenon_sum_shape<double, 8, 8, 4> {
  static constexpr bool known = true;
};

template <class T, int Count> struct tenon_fragment {
  typedef T element_type;
  typedef T storage_element_type;
  enum { num_elements = Count, num_storage_elements = Count };
  T x[Count];
};

// Factors: R x C elements; a warp stores those of 16 bits more than once, as on a GPU.
template <class T, int Count> struct tenon_held {
  static constexpr int count = Count / 32;
};
template <int Count> struct tenon_held<__half, Count> {
  static constexpr int count = 16;
};
template <int Count> struct tenon_held<__nv_bfloat16, Count> {
  static constexpr int count = Count >= 256 ? 16 : 8;
};
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment;
#define TENON_FACTOR(use, R, C)                                                                                    \
  template <int M, int N, int K, class T, class Layout> class fragment<use, M, N, K, T, Layout>                    \
      : public tenon_fragment<typename tenon_stored<T>::type, tenon_held<T, R * C>::count> {                       \
    static_assert(tenon_shape<T, M, N, K>::known, "wmma has no factors of this type and shape on the CPU device"); \
                                                                                                                   \
   public:                                                                                                         \
    static constexpr int tenon_rows = R, tenon_columns = C;                                                        \
    static constexpr bool tenon_by_rows = __is_same(Layout, row_major);                                            \
  };
TENON_FACTOR(matrix_a, M, K)
TENON_FACTOR(matrix_b, K, N)
#undef TENON_FACTOR
template <int M, int N, int K, class T> class fragment<accumulator, M, N, K, T, void>
    : public tenon_fragment<T, M * N / 32> {
  static_assert(tenon_sum_shape<T, M, N, K>::known && !__is_same(T, __nv_bfloat16),
                "wmma has no accumulators of this type and shape");

 public:
  static constexpr int tenon_rows = M, tenon_columns = N;
};

// The positions of a lane's elements in an accumulator: tiles of 8 x 8, in which each lane has two neighbours of a row.
// Tiles are numbered down each column of tiles, as in m16n8, then to the right.
template <int Rows, int Columns> TENON_INLINE constexpr int tenon_row_of(int lane, int index) {
  return lane / 4 + 8 * (index / 2 % (Rows / 8));
}
template <int Rows, int Columns> TENON_INLINE constexpr int tenon_column_of(int lane, int index) {
  return lane % 4 * 2 + index % 2 + 8 * (index / (2 * (Rows / 8)));
}

template <class Use, int M, int N, int K, class T, class Layout, class V>
TENON_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& value) {
  for (auto& x : f.x) x = value;
}

template <class F, class T> TENON_INLINE void tenon_load_factor(F& f, const T* from, unsigned stride) {
  __syncwarp();
  constexpr int all = F::tenon_rows * F::tenon_columns;
  for (int i = 0; i < F::num_elements; ++i) {
    const int at = ((int)tenon_lane() * F::num_elements + i) % all, row = at / F::tenon_columns,
              column = at % F::tenon_columns;
    f.x[i] = F::tenon_by_rows ? from[(size_t)row * stride + column] : from[(size_t)column * stride + row];
  }
}
template <int M, int N, int K, class T, class Layout, class S>
TENON_INLINE void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout>& f, const S* from, unsigned stride) {
  static_assert(__is_same(Layout, row_major) || __is_same(Layout, col_major),
                "a factor has row_major or col_major as its layout");
  tenon_load_factor(f, from, stride);
}
template <int M, int N, int K, class T, class Layout, class S>
TENON_INLINE void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout>& f, const S* from, unsigned stride) {
  static_assert(__is_same(Layout, row_major) || __is_same(Layout, col_major),
                "a factor has row_major or col_major as its layout");
  tenon_load_factor(f, from, stride);
}
template <int M, int N, int K, class T> TENON_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f,
                                                                           const T* from, unsigned stride,
                                                                           layout_t layout) {
  __syncwarp();
  const int lane = (int)tenon_lane();
  for (int i = 0; i < f.num_elements; ++i) {
    const size_t row = tenon_row_of<M, N>(lane, i), column = tenon_column_of<M, N>(lane, i);
    f.x[i] = from[layout == mem_row_major ? row * stride + column : column * stride + row];
  }
}
template <int M, int N, int K, class T> TENON_INLINE void store_matrix_sync(T* to,
                                                                            const fragment<accumulator, M, N, K, T>& f,
                                                                            unsigned stride, layout_t layout) {
  const int lane = (int)tenon_lane();
  for (int i = 0; i < f.num_elements; ++i) {
    const size_t row = tenon_row_of<M, N>(lane, i), column = tenon_column_of<M, N>(lane, i);
    to[layout == mem_row_major ? row * stride + column : column * stride + row] = f.x[i];
  }
  __syncwarp();
}

// Converts elements to the type in which they are multiplied and added.
TENON_INLINE float tenon_number(__half x, __half*) { return __half2float(x); }
TENON_INLINE float tenon_number(__nv_bfloat16 x, __nv_bfloat16*) { return __bfloat162float(x); }
TENON_INLINE float tenon_number(float x, precision::tf32*) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }
TENON_INLINE int tenon_number(signed char x, signed char*) { return x; }
TENON_INLINE int tenon_number(unsigned char x, unsigned char*) { return x; }
TENON_INLINE double tenon_number(double x, double*) { return x; }
TENON_INLINE float tenon_sum_of(__half x) { return __half2float(x); }
template <class T> TENON_INLINE T tenon_sum_of(T x) { return x; }
template <class T, class D, class C> struct tenon_sums {
  static constexpr bool known = false;
};
#define TENON_SUMS(T, D, C)                \
  template <> struct tenon_sums<T, D, C> { \
    static constexpr bool known = true;    \
  };
TENON_SUMS(__half, float, float)
TENON_SUMS(__half, __half, __half)
TENON_SUMS(__half, float, __half)
TENON_SUMS(__half, __half, float)
TENON_SUMS(__nv_bfloat16, float, float)
TENON_SUMS(precision::tf32, float, float)
TENON_SUMS(double, double, double)
TENON_SUMS(signed char, int, int)
TENON_SUMS(unsigned char, int, int)
#undef TENON_SUMS

TENON_INLINE int tenon_limited(long long sum) {
  return (int)(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}

// The elements that a lane makes visible to the others. Too large to be inlined.
template <class FA, class FB> struct tenon_factors {
  FA a;
  FB b;
};
template <class T, class FA, class FB, class Sum, int Count, int M, int N, int K>
static __attribute__((noinline)) TENON_CONVERGENT void tenon_multiply(Sum (&sums)[Count],
                                                                      const tenon_factors<FA, FB>& mine,
                                                                      bool saturate) {
  typedef tenon_factors<FA, FB> factors;
  const unsigned long long place = (unsigned long long)(const void*)&mine;
  const tenon_lane_state* lanes =
      tenon_show(place, "a matrix operation (wmma) takes all 32 threads of a warp, and some have ended or never were");
  const int lane = (int)tenon_lane();
  for (int i = 0; i < Count; ++i) {
    const int row = tenon_row_of<M, N>(lane, i), column = tenon_column_of<M, N>(lane, i);
    Sum sum = sums[i];
    [[maybe_unused]] long long exact = 0;
    for (int k = 0; k < K; ++k) {
      const int in_a = row * K + k, in_b = k * N + column;
      const Sum left = tenon_number(
          ((const factors*)lanes[in_a / FA::num_elements].value)->a.x[in_a % FA::num_elements], (T*)nullptr);
      const Sum right = tenon_number(
          ((const factors*)lanes[in_b / FB::num_elements].value)->b.x[in_b % FB::num_elements], (T*)nullptr);
      if constexpr (__is_same(Sum, int)) exact += (long long)left * right;
      else sum = tenon_multiply_add(left, right, sum);
    }
    if constexpr (__is_same(Sum, int))
      sum = saturate ? tenon_limited(exact + sum) : (int)(unsigned)(unsigned long long)(exact + sum);
    sums[i] = sum;
  }
  tenon_seen(place);
}

// d = a b + c. `saturate`: integers are clamped to their range.
template <int M, int N, int K, class T, class LA, class LB, class D, class C>
TENON_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LA>& a,
                           const fragment<matrix_b, M, N, K, T, LB>& b, const fragment<accumulator, M, N, K, C>& c,
                           bool saturate = false) {
  static_assert(tenon_sums<T, D, C>::known, "wmma has no product of these types");
  typedef fragment<matrix_a, M, N, K, T, LA> FA;
  typedef fragment<matrix_b, M, N, K, T, LB> FB;
  typedef decltype(tenon_sum_of(c.x[0])) Sum;
  tenon_factors<FA, FB> mine;
  mine.a = a;
  mine.b = b;
  Sum sums[M * N / 32];
  for (int i = 0; i < M * N / 32; ++i) sums[i] = tenon_sum_of(c.x[i]);
  tenon_multiply<T, FA, FB, Sum, M * N / 32, M, N, K>(sums, mine, saturate);
  for (int i = 0; i < M * N / 32; ++i) d.x[i] = D(sums[i]);
}

}  // namespace wmma
}  // namespace nvcuda
