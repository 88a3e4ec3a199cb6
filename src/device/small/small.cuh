// device/small/small.cuh: what the kernels for batches of small matrices share: numbers, the threads that work on one
// matrix, loading, storing and reports of failures.
//
// A team of L threads works on one matrix, in shared memory. Teams of at most 32 threads share warps, so every thread
// must reach each of the team's functions: loops whose length depends on the matrix run until the longest is done, and
// what a matrix no longer needs leaves its numbers alone. So a result depends on its matrix only. Every operation is a
// single IEEE operation or an explicit fused multiply-add: the same bits on every device.
namespace tenon_own {

template <class R> struct alignas(2 * sizeof(R)) Complex {
  R re, im;
};

template <class T> struct Number {
  using Real = T;
  enum : int { complex = 0 };
};
template <class R> struct Number<Complex<R>> {
  using Real = R;
  enum : int { complex = 1 };
};
template <class T> using RealOf = typename Number<T>::Real;

template <class R> struct Limits;
template <> struct Limits<float> {
  TENON_MEMBER float epsilon() { return 1.1920929e-7f; }
  TENON_MEMBER float negligible() { return 9.0949470e-13f; }  // 2^-40: (epsilon of it)^2 is a normal number
  enum : int { bias = 127 };
};
template <> struct Limits<double> {
  TENON_MEMBER double epsilon() { return 2.2204460492503131e-16; }
  TENON_MEMBER double negligible() { return double_of(u64(1023 - 400) << 52); }
  enum : int { bias = 1023 };
};

// ---- Arithmetic: a b + c and its kin, for real and complex numbers ----

__device__ inline float mad(float a, float b, float c) { return fmaf(a, b, c); }
__device__ inline double mad(double a, double b, double c) { return fma(a, b, c); }
__device__ inline float size_of(float a) { return fabsf(a); }
__device__ inline double size_of(double a) { return fabs(a); }
__device__ inline float root_of(float a) { return sqrtf(a); }
__device__ inline double root_of(double a) { return sqrt(a); }

#define TENON_REAL_NUMBERS(R)                                                                                       \
  __device__ inline R conj_of(R a) { return a; }                                                                    \
  __device__ inline R negative(R a) { return -a; }                                                                  \
  __device__ inline R real_of(R a) { return a; }                                                                    \
  __device__ inline R imag_of(R) { return 0; }                                                                      \
  __device__ inline R minus(R a, R b) { return a - b; }                                                             \
  __device__ inline R plus(R a, R b) { return a + b; }                                                              \
  __device__ inline R times(R a, R b) { return a * b; }                                                             \
  __device__ inline R conj_mad(R a, R b, R c) { return mad(a, b, c); }                                              \
  __device__ inline R square_mad(R a, R c) { return mad(a, a, c); }                                                 \
  __device__ inline R quotient(R a, R b) { return a / b; }                                                          \
  __device__ inline R over(R a, R b) { return a / b; }                                                              \
  __device__ inline R largest_part(R a) { return size_of(a); }                                                      \
  __device__ inline bool finite(R a) { return a - a == 0; }                                                         \
  __device__ inline Complex<R> conj_of(Complex<R> a) { return {a.re, -a.im}; }                                      \
  __device__ inline Complex<R> negative(Complex<R> a) { return {-a.re, -a.im}; }                                    \
  __device__ inline R real_of(Complex<R> a) { return a.re; }                                                        \
  __device__ inline R imag_of(Complex<R> a) { return a.im; }                                                        \
  __device__ inline Complex<R> minus(Complex<R> a, Complex<R> b) { return {a.re - b.re, a.im - b.im}; }             \
  __device__ inline Complex<R> plus(Complex<R> a, Complex<R> b) { return {a.re + b.re, a.im + b.im}; }              \
  __device__ inline Complex<R> mad(Complex<R> a, Complex<R> b, Complex<R> c) {                                      \
    return {mad(-a.im, b.im, mad(a.re, b.re, c.re)), mad(a.im, b.re, mad(a.re, b.im, c.im))};                       \
  }                                                                                                                 \
  __device__ inline Complex<R> mad(R a, Complex<R> b, Complex<R> c) {                                               \
    return {mad(a, b.re, c.re), mad(a, b.im, c.im)};                                                                \
  }                                                                                                                 \
  __device__ inline Complex<R> times(Complex<R> a, Complex<R> b) {                                                  \
    return {mad(-a.im, b.im, a.re * b.re), mad(a.im, b.re, a.re * b.im)};                                           \
  }                                                                                                                 \
  __device__ inline Complex<R> times(R a, Complex<R> b) { return {a * b.re, a * b.im}; }                            \
  __device__ inline Complex<R> over(Complex<R> a, R b) { return {a.re / b, a.im / b}; }                             \
  /* conj(a) b + c */                                                                                               \
  __device__ inline Complex<R> conj_mad(Complex<R> a, Complex<R> b, Complex<R> c) { return mad(conj_of(a), b, c); } \
  /* |a|^2 + c */                                                                                                   \
  __device__ inline R square_mad(Complex<R> a, R c) { return mad(a.im, a.im, mad(a.re, a.re, c)); }                 \
  __device__ inline R largest_part(Complex<R> a) {                                                                  \
    return size_of(a.re) > size_of(a.im) ? size_of(a.re) : size_of(a.im);                                           \
  }                                                                                                                 \
  __device__ inline bool finite(Complex<R> a) { return finite(a.re) && finite(a.im); }
TENON_REAL_NUMBERS(float)
TENON_REAL_NUMBERS(double)
#undef TENON_REAL_NUMBERS

template <class T> struct Make {
  TENON_MEMBER T of(T a) { return a; }
  TENON_MEMBER T of(T a, T) { return a; }
};
template <class R> struct Make<Complex<R>> {
  TENON_MEMBER Complex<R> of(R a) { return {a, R(0)}; }
  TENON_MEMBER Complex<R> of(R a, R b) { return {a, b}; }
};

// Powers of two. The exponent of a number, 0 for 0, within the range in which power_of_two and its reciprocal exist.
__device__ inline int exponent_of(float a) {
  const int e = int(bits_of(a) >> 23 & 255u) - 127;
  return a == 0 ? 0 : e < -126 ? -126 : e > 126 ? 126 : e;
}
__device__ inline int exponent_of(double a) {
  const int e = int(bits_of(a) >> 52 & 2047u) - 1023;
  return a == 0 ? 0 : e < -1022 ? -1022 : e > 1022 ? 1022 : e;
}
template <class R> struct PowerOfTwo;
template <> struct PowerOfTwo<float> {
  TENON_MEMBER float of(int e) { return float_of(u32(e + 127) << 23); }
};
template <> struct PowerOfTwo<double> {
  TENON_MEMBER double of(int e) { return double_of(u64(e + 1023) << 52); }
};

// a / b by Smith's method, which does not overflow before the quotient does.
template <class R> __device__ inline Complex<R> quotient(Complex<R> a, Complex<R> b) {
  if (size_of(b.re) >= size_of(b.im)) {
    const R r = b.im / b.re, d = mad(b.im, r, b.re);
    return {mad(a.im, r, a.re) / d, mad(-a.re, r, a.im) / d};
  }
  const R r = b.re / b.im, d = mad(b.re, r, b.im);
  return {mad(a.re, r, a.im) / d, mad(a.im, r, -a.re) / d};
}

// |a| for numbers whose square is a normal number, or that may count as 0.
template <class R> __device__ inline R modulus(Complex<R> a) { return root_of(square_mad(a, R(0))); }
__device__ inline float modulus(float a) { return fabsf(a); }
__device__ inline double modulus(double a) { return fabs(a); }

// ---- Teams ----

template <class V> __device__ inline V from_lane(V x, int lane_bits) {
  return __shfl_xor_sync(0xffffffffu, x, lane_bits);
}
template <class R> __device__ inline Complex<R> from_lane(Complex<R> x, int lane_bits) {
  return {from_lane(x.re, lane_bits), from_lane(x.im, lane_bits)};
}

struct Sum {
  template <class V> TENON_MEMBER V of(V a, V b) { return plus(a, b); }
};
struct Largest {
  template <class V> TENON_MEMBER V of(V a, V b) { return b > a ? b : a; }
};

// A number and the row where it is; of equal ones the first is better.
template <class R> struct Pivot {
  R size;
  int row;
};
template <class R> __device__ inline Pivot<R> from_lane(Pivot<R> x, int lane_bits) {
  return {from_lane(x.size, lane_bits), from_lane(x.row, lane_bits)};
}
struct BetterPivot {
  template <class R> TENON_MEMBER Pivot<R> of(Pivot<R> a, Pivot<R> b) {
    return b.size > a.size || (b.size == a.size && b.row < a.row) ? b : a;
  }
};

// L threads: a part of a warp, a warp, or a block of several warps. slots: L / 32 numbers in shared memory.
template <int L> struct Team {
  int lane;
  double* slots;

  TENON_METHOD void sync() const {
    if constexpr (L <= 32) __syncwarp();
    else __syncthreads();
  }
  // Is it true for any thread of this team, or of one that shares its warp?
  TENON_METHOD bool anyone(bool x) const {
    if constexpr (L <= 32) return __any_sync(0xffffffffu, x);
    else return __syncthreads_or(x);
  }
  // The sum or the largest of the threads' numbers, for all threads.
  template <class Op, class V> TENON_METHOD V all(V x) const {
#pragma unroll
    for (int step = 1; step < (L < 32 ? L : 32); step *= 2) x = Op::of(x, from_lane(x, step));
    if constexpr (L > 32) {
      V* const each = reinterpret_cast<V*>(slots);
      __syncthreads();
      if (lane % 32 == 0) each[lane / 32] = x;
      __syncthreads();
      x = each[0];
      for (int k = 1; k < L / 32; ++k) x = Op::of(x, each[k]);
    }
    return x;
  }
  template <class V> TENON_METHOD V sum(V x) const { return all<Sum>(x); }
  template <class V> TENON_METHOD V largest(V x) const { return all<Largest>(x); }
};

// The team of this thread, the number of its matrix, and its shared memory.
template <int L> struct Place {
  Team<L> team;
  i64 matrix;
  char* memory;
  bool live;  // is there such a matrix?
  TENON_METHOD Place(char* shared, i64 batch, i32 team_bytes) {
    const int index = threadIdx.x / L;
    memory = shared + index * team_bytes;
    team.lane = threadIdx.x % L;
    team.slots = reinterpret_cast<double*>(memory);
    matrix = i64(blockIdx.x) * (blockDim.x / L) + index;
    live = matrix < batch;
    memory += L > 32 ? L / 32 * 16 : 0;
  }
  // The next `count` numbers of the team's memory.
  template <class T> TENON_METHOD T* take(int count) {
    T* const out = reinterpret_cast<T*>(memory);
    memory += (count * int(sizeof(T)) + 15) / 16 * 16;
    return out;
  }
};

// Calls f(i, j) for the elements of an m x n matrix, which the team's threads share: neighbours in a row next to each
// other if by_rows, else neighbours in a column.
template <int L, class F> __device__ inline void for_elements(int lane, int m, int n, bool by_rows, F&& f) {
  const int length = by_rows ? n : m, count = by_rows ? m : n;
  int line = lane / length, at = lane - line * length;
  const int lines = L / length, rest = L - lines * length;
  while (line < count) {
    if (by_rows) f(line, at);
    else f(at, line);
    at += rest;
    line += lines;
    if (at >= length) at -= length, ++line;
  }
}

__device__ inline bool by_rows(const SmallMatrices& x) {
  const i64 r = x.row_step < 0 ? -x.row_step : x.row_step, c = x.column_step < 0 ? -x.column_step : x.column_step;
  return c <= r;
}

// Element (i, j) of matrix g; complex numbers may have the alignment of real ones.
template <class T> struct Stored {
  TENON_MEMBER T get(const SmallMatrices& x, i64 g, int i, int j) {
    return static_cast<const T*>(x.data)[g * x.step + i * x.row_step + j * x.column_step];
  }
  TENON_MEMBER void put(const SmallMatrices& x, i64 g, int i, int j, T value) {
    static_cast<T*>(x.data)[g * x.step + i * x.row_step + j * x.column_step] = value;
  }
};
template <class R> struct Stored<Complex<R>> {
  TENON_MEMBER Complex<R> get(const SmallMatrices& x, i64 g, int i, int j) {
    const R* const at = static_cast<const R*>(x.data) + 2 * (g * x.step + i * x.row_step + j * x.column_step);
    return {at[0], at[1]};
  }
  TENON_MEMBER void put(const SmallMatrices& x, i64 g, int i, int j, Complex<R> value) {
    R* const at = static_cast<R*>(x.data) + 2 * (g * x.step + i * x.row_step + j * x.column_step);
    at[0] = value.re;
    at[1] = value.im;
  }
};

// Reports that matrix g fails: the caller learns the smallest number.
__device__ inline void report(tenon_finding* finding, i64 g) { tenon_report(finding, u64(g)); }
__device__ inline void report_info(tenon_finding* finding, i64 g, int info) { report(finding, g << 32 | info); }

// Copies matrix g, m x n, to `to`, by columns `ld` apart; conjugate-transposed if `adjoint` (m x n is the result's
// shape). Elements that are not finite are reported and become 0, like those of a matrix that does not exist.
template <int L, class T> __device__ inline void load(const Place<L>& p, const SmallMatrices& x, int m, int n,
                                                      bool adjoint, T* to, int ld, tenon_finding* not_finite) {
  bool bad = false;
  for_elements<L>(p.team.lane, m, n, by_rows(x) != adjoint, [&](int i, int j) {
    T value = Make<T>::of(0);
    if (p.live) value = adjoint ? conj_of(Stored<T>::get(x, p.matrix, j, i)) : Stored<T>::get(x, p.matrix, i, j);
    if (!finite(value)) bad = true, value = Make<T>::of(0);
    to[i + j * ld] = value;
  });
  if (bad) report(not_finite, p.matrix);
  p.team.sync();
}

// The Hermitian n x n matrix g of which one triangle is read; the imaginary parts of its diagonal count as 0.
template <int L, class T> __device__ inline void load_hermitian(const Place<L>& p, const SmallMatrices& x, int n,
                                                                bool upper, T* to, int ld, tenon_finding* not_finite) {
  bool bad = false;
  for_elements<L>(p.team.lane, n, n, by_rows(x), [&](int i, int j) {
    if (upper ? i > j : i < j) return;
    T value = p.live ? Stored<T>::get(x, p.matrix, i, j) : Make<T>::of(0);
    if (i == j) value = Make<T>::of(real_of(value));
    if (!finite(value)) bad = true, value = Make<T>::of(0);
    to[i + j * ld] = value;
    to[j + i * ld] = conj_of(value);
  });
  if (bad) report(not_finite, p.matrix);
  p.team.sync();
}

// Multiplies an m x n matrix by the power of two that brings its largest element to [1, 2), and returns the exponent of
// the reciprocal.
template <int L, class T> __device__ inline int tame(const Team<L>& team, T* a, int m, int n, int ld) {
  using R = RealOf<T>;
  R own = 0;
  for_elements<L>(team.lane, m, n, false, [&](int i, int j) { own = Largest::of(own, largest_part(a[i + j * ld])); });
  const int exponent = exponent_of(team.largest(own));
  const R factor = PowerOfTwo<R>::of(-exponent);
  for_elements<L>(team.lane, m, n, false, [&](int i, int j) { a[i + j * ld] = times(factor, a[i + j * ld]); });
  team.sync();
  return exponent;
}

}  // namespace tenon_own
