// shim/tensor/tenon_matrix.h: products of small matrices that are distributed over a warp's registers (mma.sync), and
// loading them (ldmatrix).
//
// Each sum begins with C and adds the products in the order of k, from 0 on: products of half, bfloat16 and TF32 are
// exact in float, and each addition is rounded to float; those of double are fused; those of integers wrap. A half sum
// is rounded once, at its end. (A GPU adds in another order, and truncates the terms.)
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// The contents of one register of a factor: `count` elements of type Number, whose products are added as Sum.
struct tenon_of_half {
  typedef unsigned word;
  typedef float sum;
  static constexpr int count = 2;
  TENON_MEMBER static float at(unsigned w, int e) {
    return __half2float(__ushort_as_half((unsigned short)(w >> 16 * e)));
  }
};
struct tenon_of_bfloat16 {
  typedef unsigned word;
  typedef float sum;
  static constexpr int count = 2;
  TENON_MEMBER static float at(unsigned w, int e) { return __uint_as_float(e ? w & 0xffff0000u : w << 16); }
};
// TF32 is a float whose lower 13 bits are ignored.
struct tenon_of_tf32 {
  typedef unsigned word;
  typedef float sum;
  static constexpr int count = 1;
  TENON_MEMBER static float at(unsigned w, int) { return __uint_as_float(w & 0xffffe000u); }
};
struct tenon_of_s8 {
  typedef unsigned word;
  typedef int sum;
  static constexpr int count = 4;
  TENON_MEMBER static int at(unsigned w, int e) { return (signed char)(w >> 8 * e); }
};
struct tenon_of_u8 {
  typedef unsigned word;
  typedef int sum;
  static constexpr int count = 4;
  TENON_MEMBER static int at(unsigned w, int e) { return (unsigned char)(w >> 8 * e); }
};
struct tenon_of_double {
  typedef double word;
  typedef double sum;
  static constexpr int count = 1;
  TENON_MEMBER static double at(double w, int) { return w; }
};

TENON_INLINE float tenon_multiply_add(float a, float b, float sum) { return __fadd_rn(sum, __fmul_rn(a, b)); }
TENON_INLINE double tenon_multiply_add(double a, double b, double sum) { return __builtin_fma(a, b, sum); }
TENON_INLINE int tenon_multiply_add(int a, int b, int sum) { return (int)((unsigned)sum + (unsigned)a * (unsigned)b); }

// c += A B of M x K and K x 8 elements. As the PTX ISA lays them out: with g = lane / 4 and t = lane % 4, register r of
// A has the elements (g + 8 (r % 2), E t + e + 4 E (r / 2)), of B (E t + e + 4 E r, g), with E elements per register;
// and c[i] is (g + 8 (i / 2), 2 t + i % 2). With M = 8 there are no odd r of A, and two c.
template <int M, int K, class A, class B>
static __attribute__((noinline)) TENON_CONVERGENT void tenon_mma(typename A::sum* c, const typename A::word* a,
                                                                 const typename B::word* b) {
  constexpr int E = A::count, rows = M / 8, a_words = rows * K / (4 * E), b_words = K / (4 * E);
  struct words {
    typename A::word a[a_words];
    typename B::word b[b_words];
  } mine;
  for (int i = 0; i < a_words; ++i) mine.a[i] = a[i];
  for (int i = 0; i < b_words; ++i) mine.b[i] = b[i];
  const unsigned long long place = (unsigned long long)(const void*)&mine;
  const tenon_lane_state* lanes =
      tenon_show(place, "a matrix operation (mma) takes all 32 threads of a warp, and some have ended or never were");
  const unsigned g = tenon_lane() / 4, t = tenon_lane() % 4;
  for (int i = 0; i < 2 * rows; ++i) {
    const unsigned column = 2 * t + i % 2;
    typename A::sum sum = c[i];
    for (int k = 0; k < K; ++k) {
      const int holder = k / E % 4, block = k / (4 * E), e = k % E;
      const words* left = (const words*)lanes[g * 4 + holder].value;
      const words* right = (const words*)lanes[column * 4 + holder].value;
      sum = tenon_multiply_add(A::at(left->a[i / 2 + rows * block], e), B::at(right->b[block], e), sum);
    }
    c[i] = sum;
  }
  tenon_seen(place);
}

// `Count` matrices of 8 x 8 elements of 16 bits: lane 8 i + r says where row r of matrix i is. Register i gets the two
// elements (g, 2 t) and (g, 2 t + 1) of matrix i, or of its transpose.
template <int Count, bool Transposed> TENON_INLINE void tenon_load_matrices(unsigned* out, const void* row) {
  const unsigned long long place = (unsigned long long)row;
  const tenon_lane_state* lanes =
      tenon_show(place, "ldmatrix takes all 32 threads of a warp, and some have ended or never were");
  const unsigned g = tenon_lane() / 4, t = tenon_lane() % 4;
  for (int i = 0; i < Count; ++i) {
    if (Transposed) {
      const unsigned low = ((const unsigned short*)lanes[8 * i + 2 * t].value)[g],
                     high = ((const unsigned short*)lanes[8 * i + 2 * t + 1].value)[g];
      out[i] = low | high << 16;
    } else {
      const unsigned short* at = (const unsigned short*)lanes[8 * i + g].value + 2 * t;
      out[i] = at[0] | (unsigned)at[1] << 16;
    }
  }
  tenon_seen(place);
}
// Of a matrix of which a lane has the elements (g, 2 t) and (g, 2 t + 1): those of its transpose (movmatrix).
static __attribute__((noinline)) TENON_CONVERGENT unsigned tenon_transpose_matrix(unsigned mine) {
  const tenon_lane_state* lanes =
      tenon_show(mine, "movmatrix takes all 32 threads of a warp, and some have ended or never were");
  const unsigned g = tenon_lane() / 4, t = tenon_lane() % 4, shift = 16 * (g % 2);
  const unsigned low = (unsigned)lanes[2 * t * 4 + g / 2].value >> shift & 0xffff,
                 high = (unsigned)lanes[(2 * t + 1) * 4 + g / 2].value >> shift;
  tenon_seen(mine);
  return low | high << 16;
}

template <int Count, bool Transposed> TENON_INLINE void tenon_store_matrices(void* row, const unsigned* from) {
  const unsigned long long place = (unsigned long long)row;
  const tenon_lane_state* lanes =
      tenon_show(place, "stmatrix takes all 32 threads of a warp, and some have ended or never were");
  const unsigned g = tenon_lane() / 4, t = tenon_lane() % 4;
  for (int i = 0; i < Count; ++i)
    for (unsigned e = 0; e < 2; ++e) {
      const unsigned r = Transposed ? 2 * t + e : g, c = Transposed ? g : 2 * t + e;
      ((unsigned short*)lanes[8 * i + r].value)[c] = (unsigned short)(from[i] >> 16 * e);
    }
  tenon_seen(place);
}
