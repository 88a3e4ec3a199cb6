// backend/cpu/copy_loops.cpp: the inner loops of copies, for the instruction set this object is compiled for.
#include "backend/cpu/copy_loops.hpp"

#include "base/half.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#ifndef TENON_LOOPS
#define TENON_LOOPS copy_loops_base
#define TENON_LOOPS_NAME "base"
#endif

namespace tenon::cpu {
namespace {

// Elements by value. They are distinct types, so that overloading selects the conversion.
struct Bool {
  uint8_t byte;
};
struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};
struct C64 {
  float re, im;
};
struct C128 {
  double re, im;
};

template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;

// The real number that an element represents.
template <class T> inline T value(T x) { return x; }
inline uint8_t value(Bool x) { return x.byte != 0; }
inline float value(Half x) { return base::half_to_float(x.bits); }
inline float value(Bfloat x) { return base::bfloat_to_float(x.bits); }
inline float value(C64 x) { return x.re; }
inline double value(C128 x) { return x.re; }

template <class T> inline T imaginary(T) { return T{}; }
inline float imaginary(Half) { return 0; }
inline float imaginary(Bfloat) { return 0; }
inline float imaginary(Bool) { return 0; }
inline float imaginary(C64 x) { return x.im; }
inline double imaginary(C128 x) { return x.im; }

// A float that rounds to float16 or bfloat16 as if the number had been rounded only once.
inline float narrow(float x) { return x; }
inline float narrow(double x) { return base::double_to_float_odd(x); }
inline float narrow(int8_t x) { return x; }
inline float narrow(uint8_t x) { return x; }
inline float narrow(int16_t x) { return x; }
inline float narrow(uint16_t x) { return x; }
inline float narrow(int32_t x) { return base::double_to_float_odd(x); }
inline float narrow(uint32_t x) { return base::double_to_float_odd(x); }
inline float narrow(int64_t x) { return base::double_to_float_odd(base::int64_to_double_odd(x)); }
inline float narrow(uint64_t x) { return base::double_to_float_odd(base::uint64_to_double_odd(x)); }

template <class T> constexpr bool is_float = same<T, float> || same<T, double>;

template <class To, class V> inline To number(V x) {
  if constexpr (is_float<V> && same<To, uint64_t>) {
    const V border = V(9223372036854775808.0);
    return x < border ? uint64_t(int64_t(x)) : uint64_t(int64_t(x - border)) ^ (uint64_t(1) << 63);
  } else if constexpr (is_float<V> && same<To, uint32_t>) {
    return uint32_t(int64_t(x));
  } else if constexpr (is_float<V> && sizeof(To) < 4) {
    return To(int32_t(x));  // as the processor does it: a negative number wraps around
  } else {
    return To(x);
  }
}

template <class To, class From> inline To converted(From x) {
  if constexpr (same<To, Bool>) return Bool{uint8_t(int(value(x) != 0) | int(imaginary(x) != 0))};
  else if constexpr (same<To, Half>) return Half{base::float_to_half(narrow(value(x)))};
  else if constexpr (same<To, Bfloat>) return Bfloat{base::float_to_bfloat(narrow(value(x)))};
  else if constexpr (same<To, C64>) return C64{float(value(x)), float(imaginary(x))};
  else if constexpr (same<To, C128>) return C128{double(value(x)), double(imaginary(x))};
  else return number<To>(value(x));
}

template <class To, class From> void convert(void* to, const void* from, int64_t count) {
  To* __restrict d = static_cast<To*>(to);
  const From* __restrict s = static_cast<const From*>(from);
  int64_t i = 0;
#if defined(__F16C__)
  if constexpr (same<To, float> && same<From, Half>)
    for (; i + 8 <= count; i += 8)
      _mm256_storeu_ps(d + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i))));
  if constexpr (same<To, Half> && same<From, float>)
    for (; i + 8 <= count; i += 8)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(d + i),
                       _mm256_cvtps_ph(_mm256_loadu_ps(s + i), _MM_FROUND_TO_NEAREST_INT));
#endif
  for (; i < count; ++i) d[i] = converted<To>(s[i]);
}

// Elements as plain bytes, at any address. (As members, because a template argument loses its attributes.)
struct Byte1 {
  typedef uint8_t Raw __attribute__((may_alias));
};
struct Byte2 {
  typedef uint16_t Raw __attribute__((may_alias, aligned(1)));
};
struct Byte4 {
  typedef uint32_t Raw __attribute__((may_alias, aligned(1)));
};
struct Byte8 {
  typedef uint64_t Raw __attribute__((may_alias, aligned(1)));
};
struct Byte16 {
  typedef uint64_t Raw __attribute__((vector_size(16), may_alias, aligned(1)));
};

template <class E> inline typename E::Raw at(const char* p) { return *reinterpret_cast<const typename E::Raw*>(p); }
template <class E> inline void put(char* p, typename E::Raw x) { *reinterpret_cast<typename E::Raw*>(p) = x; }

template <class E> void strided(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count) {
  constexpr int64_t size = sizeof(typename E::Raw);
  if (from_stride == 0) {
    const typename E::Raw x = at<E>(from);
    if (to_stride == size)
      for (int64_t i = 0; i < count; ++i) put<E>(to + i * size, x);
    else
      for (int64_t i = 0; i < count; ++i) put<E>(to + i * to_stride, x);
  } else if (to_stride == size) {
    // These constant strides vectorise: contiguous, reversed, every other element.
    if (from_stride == size)
      for (int64_t i = 0; i < count; ++i) put<E>(to + i * size, at<E>(from + i * size));
    else if (from_stride == -size)
      for (int64_t i = 0; i < count; ++i) put<E>(to + i * size, at<E>(from - i * size));
    else if (from_stride == 2 * size)
      for (int64_t i = 0; i < count; ++i) put<E>(to + i * size, at<E>(from + i * 2 * size));
    else
      for (int64_t i = 0; i < count; ++i) put<E>(to + i * size, at<E>(from + i * from_stride));
  } else if (from_stride == size) {
    for (int64_t i = 0; i < count; ++i) put<E>(to + i * to_stride, at<E>(from + i * size));
  } else {
    for (int64_t i = 0; i < count; ++i) put<E>(to + i * to_stride, at<E>(from + i * from_stride));
  }
}

// A square of N x N elements in N vectors, transposed by log2(N) rounds of interleaving row i with row i + N/2.
template <class T, int N> struct Square {
  typedef T Vector __attribute__((vector_size(sizeof(T) * N)));
  typedef T Loose __attribute__((vector_size(sizeof(T) * N), aligned(1), may_alias));

  // Both compilers support __builtin_shufflevector (GCC from 12 on).
  template <int... I> struct Numbers {};
  template <int Count, int... I> struct Make : Make<Count - 1, Count - 1, I...> {};
  template <int... I> struct Make<0, I...> {
    typedef Numbers<I...> type;
  };
  template <int... I> static inline Vector first(Vector a, Vector b, Numbers<I...>) {
    return __builtin_shufflevector(a, b, (I / 2 + (I % 2) * N)...);
  }
  template <int... I> static inline Vector second(Vector a, Vector b, Numbers<I...>) {
    return __builtin_shufflevector(a, b, (N / 2 + I / 2 + (I % 2) * N)...);
  }

  static inline __attribute__((always_inline)) void run(char* to, int64_t to_row, const char* from, int64_t from_col,
                                                        bool streaming) {
    Vector a[N], b[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) a[i] = *reinterpret_cast<const Loose*>(from + i * from_col);
#pragma GCC unroll 5
    for (int done = 1; done < N; done *= 2) {
#pragma GCC unroll 16
      for (int i = 0; i < N / 2; ++i) {
        b[2 * i] = first(a[i], a[i + N / 2], typename Make<N>::type{});
        b[2 * i + 1] = second(a[i], a[i + N / 2], typename Make<N>::type{});
      }
#pragma GCC unroll 16
      for (int i = 0; i < N; ++i) a[i] = b[i];
    }
#if defined(__AVX512F__)
    if constexpr (sizeof(Vector) == 64)
      if (streaming) {
#pragma GCC unroll 16
        for (int i = 0; i < N; ++i) _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i * to_row), __m512i(a[i]));
        return;
      }
#endif
    (void)streaming;
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) *reinterpret_cast<Loose*>(to + i * to_row) = a[i];
  }
};

#if defined(__AVX512BW__)
constexpr int kVector = 64;
#elif defined(__AVX2__)
constexpr int kVector = 32;
#else
constexpr int kVector = 16;
#endif

// A line of 64 bytes, from four pieces of 16.
inline __attribute__((always_inline)) void put_line(char* to, const char* a, const char* b, const char* c,
                                                    const char* d, bool streaming) {
#if defined(__x86_64__)
  __m128i* line = reinterpret_cast<__m128i*>(to);
  const __m128i x[4] = {
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(a)), _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(c)), _mm_loadu_si128(reinterpret_cast<const __m128i*>(d))};
  if (streaming)
    for (int i = 0; i < 4; ++i) _mm_stream_si128(line + i, x[i]);
  else
    for (int i = 0; i < 4; ++i) _mm_storeu_si128(line + i, x[i]);
#else
  (void)streaming;
  const char* pieces[4] = {a, b, c, d};
  for (int i = 0; i < 4; ++i) put<Byte16>(to + 16 * i, at<Byte16>(pieces[i]));
#endif
}

// Transposes within pieces of 16 bytes: kCols columns are read as whole vectors, and each piece of them becomes a
// separate square. Afterwards the 16 bytes of row p * kCols + i are piece p of out[i].
template <class Lane> struct Strip {
  static constexpr int kCols = 16 / sizeof(Lane), kAll = kVector / sizeof(Lane);
  typedef Lane Vector __attribute__((vector_size(kVector)));
  typedef Lane Loose __attribute__((vector_size(kVector), aligned(1), may_alias));

  template <int... I> struct Numbers {};
  template <int Count, int... I> struct Make : Make<Count - 1, Count - 1, I...> {};
  template <int... I> struct Make<0, I...> {
    typedef Numbers<I...> type;
  };
  template <int Half, int... I>
  static inline __attribute__((always_inline)) Vector interleave(Vector a, Vector b, Numbers<I...>) {
    return __builtin_shufflevector(a, b, (I / kCols * kCols + Half * (kCols / 2) + I % kCols / 2 + (I % 2) * kAll)...);
  }

  static inline __attribute__((always_inline)) void run(char* out, const char* from, int64_t from_col) {
    Vector a[kCols], b[kCols];
#pragma GCC unroll 16
    for (int i = 0; i < kCols; ++i) a[i] = *reinterpret_cast<const Loose*>(from + i * from_col);
#pragma GCC unroll 4
    for (int done = 1; done < kCols; done *= 2) {
#pragma GCC unroll 8
      for (int i = 0; i < kCols / 2; ++i) {
        b[2 * i] = interleave<0>(a[i], a[i + kCols / 2], typename Make<kAll>::type{});
        b[2 * i + 1] = interleave<1>(a[i], a[i + kCols / 2], typename Make<kAll>::type{});
      }
#pragma GCC unroll 16
      for (int i = 0; i < kCols; ++i) a[i] = b[i];
    }
#pragma GCC unroll 16
    for (int i = 0; i < kCols; ++i) *reinterpret_cast<Loose*>(out + i * kVector) = a[i];
  }
};

// A square whose sides are one cache line on both sides: every line is read once and written once.
template <class Lane> inline __attribute__((always_inline)) void line_square(char* to, int64_t to_row, const char* from,
                                                                             int64_t from_col, bool streaming) {
  if constexpr (kVector == 64 && sizeof(Lane) >= 4) {
    Square<Lane, 64 / sizeof(Lane)>::run(to, to_row, from, from_col, streaming);
  } else {
    constexpr int cols = Strip<Lane>::kCols;
    for (int strip = 0; strip < 64; strip += kVector) {
      alignas(64) char transposed[4][cols * kVector];
      for (int group = 0; group < 4; ++group)
        Strip<Lane>::run(transposed[group], from + strip + group * cols * from_col, from_col);
      for (int piece = 0; piece < kVector / 16; ++piece)
        for (int i = 0; i < cols; ++i) {
          const int at = i * kVector + piece * 16, row = (strip / 16 + piece) * cols + i;
          put_line(to + row * to_row, transposed[0] + at, transposed[1] + at, transposed[2] + at, transposed[3] + at,
                   streaming);
        }
    }
  }
}

// Elements of 16 bytes need no shuffling.
inline void line_square16(char* to, int64_t to_row, const char* from, int64_t from_col, bool streaming) {
  for (int r = 0; r < 4; ++r) {
    const char* s = from + 16 * r;
    put_line(to + r * to_row, s, s + from_col, s + 2 * from_col, s + 3 * from_col, streaming);
  }
}

template <class E>
void transpose_edges(char* to, int64_t to_row, const char* from, int64_t from_col, int64_t rows, int64_t cols) {
  constexpr int64_t size = sizeof(typename E::Raw);
  if (cols < rows)
    for (int64_t c = 0; c < cols; ++c)
      for (int64_t r = 0; r < rows; ++r) put<E>(to + r * to_row + c * size, at<E>(from + r * size + c * from_col));
  else
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) put<E>(to + r * to_row + c * size, at<E>(from + r * size + c * from_col));
}

template <class E, void (*SquareOf)(char*, int64_t, const char*, int64_t, bool)>
void transpose(char* to, int64_t to_row, const char* from, int64_t from_col, int64_t rows, int64_t cols,
               bool streaming) {
  constexpr int64_t size = sizeof(typename E::Raw), side = 64 / size;
  const int64_t misaligned = int64_t(reinterpret_cast<uintptr_t>(to) % 64);
  streaming =
      streaming && to_row % 64 == 0 && misaligned % size == 0;  // lines must begin at a multiple of 64 in every row
  if (streaming && misaligned) {
    const int64_t head = cols < (64 - misaligned) / size ? cols : (64 - misaligned) / size;
    transpose_edges<E>(to, to_row, from, from_col, rows, head);
    to += head * size, from += head * from_col, cols -= head;
  }
  const int64_t whole_rows = rows - rows % side, whole_cols = cols - cols % side;
  for (int64_t c = 0; c < whole_cols; c += side)
    for (int64_t r = 0; r < whole_rows; r += side) {
      if (c + side < whole_cols)  // the next columns: too far apart for the processor's prefetcher
        for (int64_t i = 0; i < side; ++i) __builtin_prefetch(from + r * size + (c + side + i) * from_col);
      SquareOf(to + r * to_row + c * size, to_row, from + r * size + c * from_col, from_col, streaming);
    }
  if (whole_cols < cols)
    transpose_edges<E>(to + whole_cols * size, to_row, from + whole_cols * from_col, from_col, whole_rows,
                       cols - whole_cols);
  if (whole_rows < rows)
    transpose_edges<E>(to + whole_rows * to_row, to_row, from + whole_rows * size, from_col, rows - whole_rows, cols);
#if defined(__x86_64__)
  if (streaming) _mm_sfence();
#endif
}

inline void bytes(char* to, const char* from, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) to[i] = from[i];
}

void stream(char* to, const char* from, uint64_t count) {
#if defined(__x86_64__)
  const uint64_t head = (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64;
  if (count < head + 64) return bytes(to, from, count);
  bytes(to, from, head);
  uint64_t i = head;
  for (; i + 64 <= count; i += 64) {
    const __m128i* s = reinterpret_cast<const __m128i*>(from + i);
    __m128i* d = reinterpret_cast<__m128i*>(to + i);
    const __m128i a = _mm_loadu_si128(s), b = _mm_loadu_si128(s + 1), c = _mm_loadu_si128(s + 2),
                  e = _mm_loadu_si128(s + 3);
    _mm_stream_si128(d, a);
    _mm_stream_si128(d + 1, b);
    _mm_stream_si128(d + 2, c);
    _mm_stream_si128(d + 3, e);
  }
  bytes(to + i, from + i, count - i);
  _mm_sfence();
#else
  __builtin_memcpy(to, from, count);
#endif
}

// Plain stores: processors that detect that whole lines are overwritten do not read them first, which is faster than
// writing past the cache.
void fill(char* to, const unsigned char* pattern, uint64_t count) {
  uint64_t i = 0;
  for (; i + 64 <= count; i += 64) __builtin_memcpy(to + i, pattern, 64);
  for (uint64_t j = 0; i < count; ++i, ++j) to[i] = char(pattern[j]);
}

}  // namespace

#define ROW(To)                                                                                                     \
  {convert<To, Bool>,    convert<To, int8_t>,   convert<To, int16_t>,  convert<To, int32_t>,  convert<To, int64_t>, \
   convert<To, uint8_t>, convert<To, uint16_t>, convert<To, uint32_t>, convert<To, uint64_t>, convert<To, Half>,    \
   convert<To, Bfloat>,  convert<To, float>,    convert<To, double>,   convert<To, C64>,      convert<To, C128>}

extern const CopyLoops TENON_LOOPS;
const CopyLoops TENON_LOOPS = {
    TENON_LOOPS_NAME,
    {ROW(Bool), ROW(int8_t), ROW(int16_t), ROW(int32_t), ROW(int64_t), ROW(uint8_t), ROW(uint16_t), ROW(uint32_t),
     ROW(uint64_t), ROW(Half), ROW(Bfloat), ROW(float), ROW(double), ROW(C64), ROW(C128)},
    {strided<Byte1>, strided<Byte2>, strided<Byte4>, strided<Byte8>, strided<Byte16>},
    {transpose<Byte1, line_square<uint8_t>>, transpose<Byte2, line_square<uint16_t>>,
     transpose<Byte4, line_square<uint32_t>>, transpose<Byte8, line_square<uint64_t>>,
     transpose<Byte16, line_square16>},
    stream,
    fill,
};
#undef ROW

}  // namespace tenon::cpu
