// backend/cpu/native/compute/compute_loops.cpp: loops around the bodies of functions/table.py, for the instruction set
// this object is compiled for.
#include "backend/cpu/native/compute/compute_loops.hpp"

#include <math.h>
#include <string_view>
#include <type_traits>

#ifndef TENON_ROWS
#define TENON_ROWS compute_rows_base
#define TENON_INSTANCES "functions/instances_simd.inc"
#endif

namespace tenon::cpu {
namespace {

// The functions that kernels find in the global namespace.
using ::ceil, ::copysign, ::fabs, ::floor, ::fmod, ::nextafter, ::rint, ::sqrt, ::tgamma, ::trunc, ::abs, ::j0, ::j1,
    ::y0, ::y1;
#include "backend/cpu/native/compute/compute_math.hpp"
[[maybe_unused]] inline double lgamma(double x) {  // std::lgamma may write a global variable
  int sign;
  return ::lgamma_r(x, &sign);
}
[[maybe_unused]] inline float lgamma(float x) { return float(lgamma(double(x))); }

#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define TENON_G_DEVICE [[maybe_unused]] static inline __attribute__((always_inline))
#include "functions/complex.cuh"
#define TENON_G_OWN_QUOTIENT
// By floats, of which there are vectors. Exact: a quotient that is no integer is at least 1 / |y| away from the next
// one, and rounding changes it by less than |x / y| / 2^24 in float, |x / y| / 2^53 in double.
template <class T> TENON_G_DEVICE T tenon_g_quotient(T x, T y) {
  if constexpr (sizeof(T) <= 2) return (T)(int)((float)x / (float)y);
  else if constexpr (sizeof(T) == 4 && T(-1) < T(0)) return (T)((double)x / (double)y);
  else return (T)(x / y);
}
#include "functions/real.cuh"
#include "functions/complex_functions.cuh"
#undef __device__
#undef __forceinline__

template <class T> struct RealOf {
  typedef T type;
};
template <class R> struct RealOf<complex<R>> {
  typedef R type;
};

// Whether a body calls a function of many instructions: one loop is enough for it, whatever the steps of its operands.
constexpr bool is_long(std::string_view body) {
  constexpr std::string_view kShort[] = {
      "T", "tenon_g_multiply", "tenon_g_shift_left", "tenon_g_shift_right", "tenon_g_isinf", "copysign", ""};
  const auto of_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == 'T'; };
  for (size_t at = body.find('('); at != body.npos; at = body.find('(', at + 1)) {
    size_t from = at;
    while (from > 0 && of_name(body[from - 1])) --from;
    bool known = false;
    for (std::string_view name : kShort) known |= body.substr(from, at - from) == name;
    if (!known) return true;
  }
  return false;
}

// A body becomes a struct with its function, which is a template if the text serves several types.
#define BODY_ONE(name, ...)                                                                                \
  struct name {                                                                                            \
    static constexpr bool kLong = is_long(#__VA_ARGS__);                                                   \
    template <class R, class T> static inline __attribute__((always_inline)) R run([[maybe_unused]] T x) { \
      typedef typename RealOf<T>::type tenon_g_real [[maybe_unused]];                                      \
      return (R)(__VA_ARGS__);                                                                             \
    }                                                                                                      \
  };
#define BODY_TWO(name, ...)                                                                          \
  struct name {                                                                                      \
    static constexpr bool kLong = is_long(#__VA_ARGS__);                                             \
    template <class R, class T>                                                                      \
    static inline __attribute__((always_inline)) R run([[maybe_unused]] T x, [[maybe_unused]] T y) { \
      typedef typename RealOf<T>::type tenon_g_real [[maybe_unused]];                                \
      return (R)(__VA_ARGS__);                                                                       \
    }                                                                                                \
  };
#define BODY_PAIR(name, ...)                                                                   \
  struct name {                                                                                \
    static constexpr bool kLong = is_long(#__VA_ARGS__);                                       \
    template <class R, class T> static inline __attribute__((always_inline)) R run(T a, T b) { \
      typedef typename RealOf<T>::type tenon_g_real [[maybe_unused]];                          \
      return (R)(__VA_ARGS__);                                                                 \
    }                                                                                          \
  };
#define BODY_CLIP(name, ...)                                                                                 \
  struct name {                                                                                              \
    template <class R, class C, class T> static inline __attribute__((always_inline)) R run(C x, T y, T z) { \
      return (R)(__VA_ARGS__);                                                                               \
    }                                                                                                        \
  };
#define BODY_SELECT BODY_CLIP
#define BODIES
#include TENON_INSTANCES
#undef BODIES

// For sine, cosine and tangent, whose loops vectorise if all numbers are near zero: near is used then.
template <class F> struct Circular {
  static constexpr bool known = false;
};
#ifndef TENON_PLAIN
#define CIRCULAR(F, name)                                                                                        \
  template <> struct Circular<F> {                                                                               \
    static constexpr bool known = true;                                                                          \
    template <class T> static inline __attribute__((always_inline)) T near(T x) { return tenon_near_##name(x); } \
  };
CIRCULAR(Fn17f, sin)
CIRCULAR(Fn18f, cos)
CIRCULAR(Fn19f, tan)
#undef CIRCULAR
#endif

// bool is a byte, and any value but 0 is true.
template <class T> inline __attribute__((always_inline)) T get(const char* p) {
  if constexpr (sizeof(T) == 1 && T(2) == T(1)) return *reinterpret_cast<const unsigned char*>(p) != 0;
  else return *reinterpret_cast<const T*>(p);
}
template <> inline __attribute__((always_inline)) complex<float> get(const char* p) {
  const float* q = reinterpret_cast<const float*>(p);
  return complex<float>(q[0], q[1]);
}
template <> inline __attribute__((always_inline)) complex<double> get(const char* p) {
  const double* q = reinterpret_cast<const double*>(p);
  return complex<double>(q[0], q[1]);
}
template <class T> inline __attribute__((always_inline)) void put(char* p, T x) { *reinterpret_cast<T*>(p) = x; }

// Each element is read before it is written, and no element that is written is read later.
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
#define EACH INDEPENDENT for (int64_t i = 0; i < n; ++i)

template <class U> void move_as(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
  EACH put<U>(to + i * to_step, *reinterpret_cast<const U*>(from + i * from_step));
}
struct Wide {
  uint64_t low, high;
};
void move(int64_t size, char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
  if (size == 1) move_as<uint8_t>(to, to_step, from, from_step, n);
  else if (size == 2) move_as<uint16_t>(to, to_step, from, from_step, n);
  else if (size == 4) move_as<uint32_t>(to, to_step, from, from_step, n);
  else if (size == 8) move_as<uint64_t>(to, to_step, from, from_step, n);
  else move_as<Wide>(to, to_step, from, from_step, n);
}

// Runs a loop over packed elements for others: what has other steps goes through packed pieces. A loop of each function
// for any steps would be a third of the code here. Rows of three elements take a third more time, long ones often less.
[[gnu::noinline]] void in_pieces(ApplyLoop loop, int32_t count, const int64_t* size, char* const* p,
                                 const int64_t* step, int64_t n) {
  constexpr int64_t kPiece = 256;
  alignas(64) char room[4][kPiece * 16];
  char* at[4];
  for (int64_t done = 0; done < n; done += kPiece) {
    const int64_t many = n - done < kPiece ? n - done : kPiece;
    for (int32_t k = 0; k < count; ++k) {
      const bool packed = step[k] == size[k];
      at[k] = packed ? p[k] + done * step[k] : room[k];
      if (k > 0 && !packed && (done == 0 || step[k] != 0))
        move(size[k], room[k], size[k], p[k] + done * step[k], step[k], many);
    }
    loop(at, size, many);
    if (at[0] == room[0]) move(size[0], p[0] + done * step[0], step[0], room[0], size[0], many);
  }
}

template <class F, class T> void circular(char* to, const char* x, int64_t n) {
  constexpr int64_t t = sizeof(T), kStretch = 256;
  for (; n > kStretch; n -= kStretch, to += kStretch * t, x += kStretch * t) circular<F, T>(to, x, kStretch);
  int far = 0;
  EACH far |= !(fabs(get<T>(x + i * t)) <= kNear<T>);
  if (!far) EACH put<T>(to + i * t, Circular<F>::template near<T>(get<T>(x + i * t)));
  else EACH put<T>(to + i * t, F::template run<T, T>(get<T>(x + i * t)));
}

template <class F, class R, class T> void unary(char* const* p, const int64_t* step, int64_t n) {
  constexpr int64_t r = sizeof(R), t = sizeof(T);
  char* const to = p[0];
  const char* const x = p[1];
  if (step[0] == r && step[1] == t) {
    if constexpr (Circular<F>::known) return circular<F, T>(to, x, n);
    EACH put<R>(to + i * r, F::template run<R, T>(get<T>(x + i * t)));
  } else {
    const int64_t size[] = {r, t};
    in_pieces(unary<F, R, T>, 2, size, p, step, n);
  }
}

template <class F, class R, class T> void binary(char* const* p, const int64_t* step, int64_t n) {
  constexpr int64_t r = sizeof(R), t = sizeof(T);
  char* const to = p[0];
  const char *const x = p[1], *const y = p[2];
  if (step[0] == r && step[1] == t && step[2] == t) {
    EACH put<R>(to + i * r, F::template run<R, T>(get<T>(x + i * t), get<T>(y + i * t)));
    return;
  }
  if constexpr (!F::kLong) {
    if (step[0] == r && step[1] == t && step[2] == 0) {
      const T one = get<T>(y);
      EACH put<R>(to + i * r, F::template run<R, T>(get<T>(x + i * t), one));
      return;
    }
    if (step[0] == r && step[1] == 0 && step[2] == t) {
      const T one = get<T>(x);
      EACH put<R>(to + i * r, F::template run<R, T>(one, get<T>(y + i * t)));
      return;
    }
    EACH put<R>(to + i * step[0], F::template run<R, T>(get<T>(x + i * step[1]), get<T>(y + i * step[2])));
  } else {
    const int64_t size[] = {r, t, t};
    in_pieces(binary<F, R, T>, 3, size, p, step, n);
  }
}

template <class F, class C, class T> void ternary(char* const* p, const int64_t* step, int64_t n) {
  constexpr int64_t c = sizeof(C), t = sizeof(T);
  char* const to = p[0];
  const char *const x = p[1], *const y = p[2], *const z = p[3];
  if (step[0] == t && step[1] == c && step[2] == t && step[3] == t) {
    EACH put<T>(to + i * t, F::template run<T, C, T>(get<C>(x + i * c), get<T>(y + i * t), get<T>(z + i * t)));
  } else if (step[0] == t && step[1] == c && step[2] == 0 && step[3] == 0) {
    const T low = get<T>(y), high = get<T>(z);
    EACH put<T>(to + i * t, F::template run<T, C, T>(get<C>(x + i * c), low, high));
  } else {
    const int64_t size[] = {t, c, t, t};
    in_pieces(ternary<F, C, T>, 4, size, p, step, n);
  }
}

// For the largest and the smallest floating-point number: `better` is one instruction where no operand is NaN.
template <class F> struct Extreme {
  static constexpr bool known = false;
};
#define EXTREME(F, operation)                                                                  \
  template <> struct Extreme<F> {                                                              \
    static constexpr bool known = true;                                                        \
    template <class R, class T> static inline __attribute__((always_inline)) R run(T a, T b) { \
      return a operation b ? a : b;                                                            \
    }                                                                                          \
  };
#ifndef TENON_PLAIN
EXTREME(Fn303f, >)
EXTREME(Fn304f, <)
#endif
#undef EXTREME

// Asks for what comes 4 KB later, as processors fetch too little ahead of loops that do several operations per number,
// and begin anew with each page: the maximum of 64 MB takes 1.4 ms instead of 2.2 on one core of an AMD EPYC.
template <int64_t kBytes> inline __attribute__((always_inline)) void fetch_ahead(const char* x) {
  for (int64_t line = 0; line < kBytes; line += 64) __builtin_prefetch(x + line + 4096);
}

// Lanes, then a tree of them: the order is the same for every instruction set. Four vectors of AVX-512 are enough for
// additions not to wait for each other.
template <int kLanes, class F, class T> inline __attribute__((always_inline)) T fold_lanes(const char* x, int64_t n) {
  constexpr int64_t t = sizeof(T);
  T lane[kLanes];
  for (int l = 0; l < kLanes; ++l) lane[l] = get<T>(x + l * t);
  int64_t i = kLanes;
  for (; i + kLanes <= n; i += kLanes) {
    if constexpr (kLanes >= 16) fetch_ahead<kLanes * t>(x + i * t);
    INDEPENDENT for (int l = 0; l < kLanes; ++l) lane[l] = F::template run<T, T>(lane[l], get<T>(x + (i + l) * t));
  }
  for (int l = 0; i < n; ++i, ++l) lane[l] = F::template run<T, T>(lane[l], get<T>(x + i * t));
  for (int w = kLanes / 2; w > 0; w /= 2)
    for (int l = 0; l < w; ++l) lane[l] = F::template run<T, T>(lane[l], lane[l + w]);
  return lane[0];
}

// The same for Extreme functions; NaN is noted beside, and then gives false.
template <int kLanes, class F, class T>
inline __attribute__((always_inline)) bool fold_extreme(const char* x, int64_t n, T& out) {
  constexpr int64_t t = sizeof(T);
  T lane[kLanes];
  std::conditional_t<t == 8, int64_t, int> other[kLanes];  // as wide as T, so that they share its vectors
  for (int l = 0; l < kLanes; ++l) lane[l] = get<T>(x + l * t), other[l] = lane[l] != lane[l];
  const char* const last = x + (n - kLanes) * t;  // elements that are read twice change nothing
  for (x += kLanes * t;; x += kLanes * t) {
    if (x > last) x = last;
    fetch_ahead<kLanes * t>(x);
    INDEPENDENT for (int l = 0; l < kLanes; ++l) {
      const T one = get<T>(x + l * t);
      lane[l] = Extreme<F>::template run<T, T>(one, lane[l]);
      other[l] |= one != one;
    }
    if (x == last) break;
  }
  auto any = other[0];
  for (int l = 0; l < kLanes; ++l) any |= other[l];
  for (int w = kLanes / 2; w > 0; w /= 2)
    for (int l = 0; l < w; ++l) lane[l] = Extreme<F>::template run<T, T>(lane[l], lane[l + w]);
  out = lane[0];
  return !any;
}

template <class T> constexpr int kFoldLanes = sizeof(T) <= 4 ? 64 : sizeof(T) == 8 ? 32 : 16;

template <class F, class T> void fold(void* out, const void* from, int64_t n) {
  constexpr int kMany = kFoldLanes<T>, kFew = 8;
  const char* const x = static_cast<const char*>(from);
  T a = get<T>(x);
  if constexpr (Extreme<F>::known) {
    if (n >= 4 * kMany && fold_extreme<kMany, F, T>(x, n, a)) return put<T>(static_cast<char*>(out), a);
  }
  if (n >= 4 * kMany) a = fold_lanes<kMany, F, T>(x, n);
  else if (n >= kFew) a = fold_lanes<kFew, F, T>(x, n);
  else
    for (int64_t i = 1; i < n; ++i) a = F::template run<T, T>(a, get<T>(x + i * int64_t(sizeof(T))));
  put<T>(static_cast<char*>(out), a);
}

// Rows are too short for the lanes of fold, but the order of operations is the same.
template <class F, class T> void fold_rows(char* out, const char* x, int64_t row_step, int64_t n, int64_t rows) {
  constexpr int64_t t = sizeof(T), kFew = 8;
  if (n >= 4 * kFoldLanes<T>) {
    for (int64_t r = 0; r < rows; ++r) fold<F, T>(out + r * t, x + r * row_step, n);
  } else if (n >= kFew) {
    for (int64_t r = 0; r < rows; ++r) put<T>(out + r * t, fold_lanes<kFew, F, T>(x + r * row_step, n));
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      T a = get<T>(x + r * row_step);
      for (int64_t i = 1; i < n; ++i) a = F::template run<T, T>(a, get<T>(x + r * row_step + i * t));
      put<T>(out + r * t, a);
    }
  }
}

template <class F, class T> void join_rows(char* sum, const char* x, int64_t row_step, int64_t n, bool first) {
  static_assert(kJoinedRows == 4);
  constexpr int64_t t = sizeof(T), kLines = 64;  // columns between requests for what comes next
  const auto pair = [](T a, T b) __attribute__((always_inline)) { return F::template run<T, T>(a, b); };
  for (int64_t done = 0; done < n; done += kLines) {
    const int64_t many = n - done < kLines ? n - done : kLines;
    for (int64_t r = 0; r < kJoinedRows; ++r) fetch_ahead<kLines * t>(x + r * row_step + done * t);
    const auto joined = [&](int64_t i) __attribute__((always_inline)) {
      const char* const at = x + (done + i) * t;
      return pair(pair(get<T>(at), get<T>(at + row_step)), pair(get<T>(at + 2 * row_step), get<T>(at + 3 * row_step)));
    };
    char* const to = sum + done * t;
    if (first) {
      INDEPENDENT for (int64_t i = 0; i < many; ++i) put<T>(to + i * t, joined(i));
    } else {
      INDEPENDENT for (int64_t i = 0; i < many; ++i) put<T>(to + i * t, pair(get<T>(to + i * t), joined(i)));
    }
  }
}

template <int code, class F, class T> constexpr JoinRowsLoop join_rows_of() {
  if constexpr (code == 301 || code == 302) return join_rows<F, T>;
  else return nullptr;
}

template <class T> int64_t find(const void* from, int64_t n, const void* wanted) {
  constexpr int64_t t = sizeof(T), kStretch = 64;
  typedef std::conditional_t<t == 8, int64_t, int> Mask;  // as wide as the comparisons of vectors
  const char* const x = static_cast<const char*>(from);
  const T value = get<T>(static_cast<const char*>(wanted));
  const auto first = [&](auto&& is_it) __attribute__((always_inline)) {
    int64_t i = 0;
    for (; i + kStretch <= n; i += kStretch) {
      Mask here = 0;
      for (int64_t k = 0; k < kStretch; ++k) here |= Mask(is_it(get<T>(x + (i + k) * t)));
      if (here) break;
    }
    while (i < n && !is_it(get<T>(x + i * t))) ++i;
    return i;
  };
  if (value == value) return first([&](T one) __attribute__((always_inline)) { return one == value; });
  return first([](T one) __attribute__((always_inline)) { return one != one; });
}

template <int code, class T> constexpr FindLoop find_of() {
  if constexpr (code == 303 || code == 304) return find<T>;
  else return nullptr;
}

template <class F, class T> void scan(void* carry, void* to, const void* from, int64_t n) {
  T a = get<T>(static_cast<const char*>(carry));
  const char* const x = static_cast<const char*>(from);
  char* const out = static_cast<char*>(to);
  for (int64_t i = 0; i < n; ++i) {
    a = F::template run<T, T>(a, get<T>(x + i * int64_t(sizeof(T))));
    put<T>(out + i * int64_t(sizeof(T)), a);
  }
  put<T>(static_cast<char*>(carry), a);
}

#define WRAP(...) __VA_ARGS__
#define UNARY(code, type, F, R, T) {code, type, F::kLong, unary<F, R, T>, nullptr, nullptr, nullptr, nullptr, nullptr},
#define BINARY(code, type, F, R, T) \
  {code, type, F::kLong, binary<F, R, T>, nullptr, nullptr, nullptr, nullptr, nullptr},
#define CLIP(code, type, F, R, T) {code, type, false, ternary<F, T, T>, nullptr, nullptr, nullptr, nullptr, nullptr},
#define SELECT(code, type, F, R, T) \
  {code, type, false, ternary<F, bool, T>, nullptr, nullptr, nullptr, nullptr, nullptr},
#define REDUCTION(code, type, F, R, T)                                                                                \
  {code,   type, false, binary<F, T, T>, fold<F, T>, fold_rows<F, T>, join_rows_of<code, F, T>(), find_of<code, T>(), \
   nullptr},
#define SCAN(code, type, F, R, T) {code, type, false, binary<F, T, T>, nullptr, nullptr, nullptr, nullptr, scan<F, T>},

const ComputeRow kRows[] = {
#include TENON_INSTANCES
};

}  // namespace

extern const ComputeRows TENON_ROWS;
const ComputeRows TENON_ROWS = {kRows, int32_t(sizeof kRows / sizeof *kRows)};

}  // namespace tenon::cpu
