// device/small/small_factor.cu: linear systems, inverses, Cholesky and QR factors of small matrices, a team of threads
// each.
namespace tenon_own {

// ---- Gaussian elimination with partial pivoting, of [a b] with the right-hand sides beside a ----

template <int L, class T> __device__ inline int pivot_row(const Team<L>& team, const T* column, int k, int n) {
  using R = RealOf<T>;
  Pivot<R> own{R(-1), n};
  for (int i = k + team.lane; i < n; i += L) {
    const R size = size_of(real_of(column[i])) + size_of(imag_of(column[i]));
    own = BetterPivot::of(own, Pivot<R>{size, i});
  }
  return team.template all<BetterPivot>(own).row;
}

// Eliminates below the diagonal of the first n of `columns` columns. Returns the number of the first pivot that is 0,
// counted from 1, or 0.
template <int L, class T> __device__ inline int eliminate(const Team<L>& team, T* a, int n, int columns, int ld) {
  using R = RealOf<T>;
  int info = 0;
  for (int k = 0; k < n; ++k) {
    const int row = pivot_row(team, a + k * ld, k, n), from = row < n ? row : k;
    for (int j = k + team.lane; j < columns && from != k; j += L) {
      const T other = a[from + j * ld];
      a[from + j * ld] = a[k + j * ld];
      a[k + j * ld] = other;
    }
    team.sync();
    const T pivot = a[k + k * ld];
    const bool zero = real_of(pivot) == R(0) && imag_of(pivot) == R(0);
    if (zero && info == 0) info = k + 1;
    for (int i = k + 1 + team.lane; i < n && !zero; i += L) a[i + k * ld] = quotient(a[i + k * ld], pivot);
    team.sync();
    for (int j = k + 1 + team.lane; j < columns; j += L) {
      const T factor = negative(a[k + j * ld]);
#pragma unroll 4
      for (int i = k + 1; i < n; ++i) a[i + j * ld] = mad(a[i + k * ld], factor, a[i + j * ld]);
    }
    team.sync();
  }
  return info;
}

// Solves with the upper triangle of the first n columns, in place, the columns from n on: each thread has columns of
// its own.
template <int L, class T>
__device__ inline void substitute_back(const Team<L>& team, T* a, int n, int columns, int ld) {
  for (int j = n + team.lane; j < columns; j += L)
    for (int k = n - 1; k >= 0; --k) {
      const T x = quotient(a[k + j * ld], a[k + k * ld]), factor = negative(x);
      a[k + j * ld] = x;
#pragma unroll 4
      for (int i = 0; i < k; ++i) a[i + j * ld] = mad(a[i + k * ld], factor, a[i + j * ld]);
    }
  team.sync();
}

// Is there an element of the upper triangle (with `whole`: of the rectangle) that is not finite?
template <int L, class T>
__device__ inline bool overflowed(const Team<L>& team, const T* a, int m, int n, int ld, bool whole) {
  bool bad = false;
  for_elements<L>(team.lane, m, n, false,
                  [&](int i, int j) { bad = bad || ((whole || i <= j) && !finite(a[i + j * ld])); });
  return bad;
}

// x = op(a)^-1 b; b without data: the identity. op: 0 none, 1 transposed, 2 conjugate-transposed.
template <class T, int L> __global__ void small_solve(SmallSolveWork w) {
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const int n = w.n, columns = n + w.k, ld = n | 1;
  T* const a = p.template take<T>(ld * columns);
  SmallMatrices source = w.a;
  if (w.op == 1) {
    source.row_step = w.a.column_step;
    source.column_step = w.a.row_step;
  }
  load(p, source, n, n, w.op == 2, a, ld, w.a_not_finite);
  if (w.b.data) load(p, w.b, n, w.k, false, a + n * ld, ld, w.b_not_finite);
  else
    for_elements<L>(p.team.lane, n, w.k, false,
                    [&](int i, int j) { a[i + (n + j) * ld] = Make<T>::of(i == j ? RealOf<T>(1) : RealOf<T>(0)); });
  p.team.sync();
  const int info = eliminate(p.team, a, n, columns, ld);
  if (p.live && info != 0 && p.team.lane == 0) report_info(w.singular, p.matrix, info);
  if (p.live && overflowed(p.team, a, n, n, ld, false)) report(w.overflow, p.matrix);
  substitute_back(p.team, a, n, columns, ld);
  if (!p.live) return;
  if (info == 0 && overflowed(p.team, a + n * ld, n, w.k, ld, true)) report(w.result_not_finite, p.matrix);
  for_elements<L>(p.team.lane, n, w.k, by_rows(w.x),
                  [&](int i, int j) { Stored<T>::put(w.x, p.matrix, i, j, a[i + (n + j) * ld]); });
}

// ---- Cholesky ----

// The lower factor of the lower triangle of a, in place. Returns the number of the first leading minor that is not
// positive, or 0.
template <int L, class T> __device__ inline int factor_positive(const Team<L>& team, T* a, int n, int ld) {
  using R = RealOf<T>;
  int info = 0;
  for (int k = 0; k < n; ++k) {
    const R square = real_of(a[k + k * ld]);
    const bool good = square > R(0);  // false for NaN
    if (!good && info == 0) info = k + 1;
    const R pivot = good ? root_of(square) : R(1);
    team.sync();
    for (int i = k + team.lane; i < n; i += L) a[i + k * ld] = i == k ? Make<T>::of(pivot) : over(a[i + k * ld], pivot);
    team.sync();
    for (int j = k + 1 + team.lane; j < n; j += L) {
      const T factor = negative(conj_of(a[j + k * ld]));
#pragma unroll 4
      for (int i = j; i < n; ++i) a[i + j * ld] = mad(a[i + k * ld], factor, a[i + j * ld]);
    }
    team.sync();
  }
  return info;
}

// upper: of the triangle that is read, and of the factor.
template <class T, int L> __global__ void small_cholesky(SmallFactorWork w) {
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const int n = w.n, ld = n | 1;
  T* const a = p.template take<T>(ld * n);
  load_hermitian(p, w.a, n, w.upper != 0, a, ld, w.a_not_finite);
  const int info = factor_positive(p.team, a, n, ld);
  if (!p.live) return;
  if (info != 0 && p.team.lane == 0) report_info(w.failed, p.matrix, info);
  for_elements<L>(p.team.lane, n, n, by_rows(w.first), [&](int i, int j) {
    const bool kept = w.upper ? i <= j : i >= j;
    const T value = w.upper ? conj_of(a[j + i * ld]) : a[i + j * ld];
    Stored<T>::put(w.first, p.matrix, i, j, !kept ? Make<T>::of(0) : i == j ? Make<T>::of(real_of(value)) : value);
  });
}

// ---- QR by Householder's reflections, as LAPACK's geqr2 and larfg define them ----

// A column from row k on, times 2^-exponent: its Euclidean norm, and whether one of the rows after the first is not 0.
template <class R> struct ColumnNorm {
  R norm;
  int exponent;
  bool below;
};

// Scaled to about 1, because squares may overflow or vanish and tiny numbers have few digits.
template <int L, class R, class T>
__device__ inline ColumnNorm<R> scaled_norm(const Team<L>& team, const T* column, int k, int m) {
  R own = largest_part(column[k]);
  for (int i = k + 1 + team.lane; i < m; i += L) own = Largest::of(own, largest_part(column[i]));
  const int exponent = exponent_of(team.largest(own));
  const R factor = PowerOfTwo<R>::of(-exponent);
  R sum = 0;
  for (int i = k + 1 + team.lane; i < m; i += L) sum = square_mad(times(factor, column[i]), sum);
  sum = team.sum(sum);
  return {root_of(square_mad(times(factor, column[k]), sum)), exponent, sum != 0};
}

// The same if the sum of the squares below row k is known; it is found again if the squares are too small or too large.
template <int L, class T>
__device__ inline ColumnNorm<RealOf<T>> norm_from(const Team<L>& team, const T* column, int k, int m, RealOf<T> below) {
  using R = RealOf<T>;
  const R square = square_mad(column[k], below), least = PowerOfTwo<R>::of(-(Limits<R>::bias * 5 / 8));
  const bool good = square > least && square < R(1) / least;
  ColumnNorm<R> out{root_of(square), 0, below != R(0)};
  if (team.anyone(!good)) {
    const ColumnNorm<R> scaled = scaled_norm<L, R>(team, column, k, m);
    if (!good) out = scaled;
  }
  return out;
}

// column -= factor v (v^H column) for v = (1, v[k + 1], ...), in the rows from k on. Returns the sum of the squares
// below row k + 1.
template <class T> __device__ inline RealOf<T> reflect(const T* v, T factor, T* column, int k, int m) {
  T product = column[k];
#pragma unroll 4
  for (int i = k + 1; i < m; ++i) product = conj_mad(v[i], column[i], product);
  product = negative(times(factor, product));
  column[k] = plus(column[k], product);
  RealOf<T> sum = 0;
#pragma unroll 4
  for (int i = k + 1; i < m; ++i) {
    const T value = mad(v[i], product, column[i]);
    column[i] = value;
    if (i > k + 1) sum = square_mad(value, sum);
  }
  return sum;
}

// Replaces a by R and, below it, the reflections' vectors; tau: their factors. next: a number in shared memory.
template <int L, class T>
__device__ inline void factor_qr(const Team<L>& team, T* a, T* tau, RealOf<T>* next, int m, int n, int ld) {
  using R = RealOf<T>;
  const int count = m < n ? m : n;
  if (team.lane == 0) {
    R sum = 0;
    for (int i = 1; i < m; ++i) sum = square_mad(a[i], sum);
    *next = sum;
  }
  team.sync();
  for (int k = 0; k < count; ++k) {
    T* const v = a + k * ld;
    const ColumnNorm<R> column = norm_from(team, v, k, m, *next);
    const R scale = PowerOfTwo<R>::of(-column.exponent);
    const T alpha = times(scale, v[k]);
    const bool none = !column.below && imag_of(alpha) == R(0);
    const R beta = real_of(alpha) < R(0) ? column.norm : -column.norm;
    const T factor = none ? Make<T>::of(0) : Make<T>::of((beta - real_of(alpha)) / beta, -imag_of(alpha) / beta);
    const T inverse = quotient(Make<T>::of(1), minus(alpha, Make<T>::of(beta)));
    team.sync();
    for (int i = k + team.lane; i < m && !none; i += L)
      v[i] = i == k ? Make<T>::of(beta * PowerOfTwo<R>::of(column.exponent)) : times(times(scale, v[i]), inverse);
    if (team.lane == 0) tau[k] = factor;
    team.sync();
    for (int j = k + 1 + team.lane; j < n; j += L) {
      const R below = reflect(v, conj_of(factor), a + j * ld, k, m);
      if (j == k + 1) *next = below;
    }
    team.sync();
  }
}

// first: q, m x k, unless its data is NULL; second: r, k x n. k: min(m, n) or m.
template <class T, int L> __global__ void small_qr(SmallFactorWork w) {
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const int m = w.m, n = w.n, ld = m | 1, count = m < n ? m : n;
  T* const a = p.template take<T>(ld * n);
  T* const tau = p.template take<T>(count);
  RealOf<T>* const next = p.template take<RealOf<T>>(1);
  load(p, w.a, m, n, false, a, ld, w.a_not_finite);
  factor_qr(p.team, a, tau, next, m, n, ld);
  if (p.live) {
    if (overflowed(p.team, a, m, n, ld, false)) report(w.failed, p.matrix);
    for_elements<L>(p.team.lane, w.k, n, by_rows(w.second), [&](int i, int j) {
      Stored<T>::put(w.second, p.matrix, i, j, i <= j ? a[i + j * ld] : Make<T>::of(0));
    });
  }
  if (!w.first.data) return;
  T* const q = p.template take<T>(ld * w.k);
  for (int j = p.team.lane; j < w.k; j += L) {  // each thread has columns of its own
    for (int i = 0; i < m; ++i) q[i + j * ld] = Make<T>::of(i == j ? RealOf<T>(1) : RealOf<T>(0));
    for (int k = j < count ? j : count - 1; k >= 0; --k) reflect(a + k * ld, tau[k], q + j * ld, k, m);
  }
  p.team.sync();
  if (!p.live) return;
  if (overflowed(p.team, q, m, w.k, ld, true)) report(w.second_failed, p.matrix);
  for_elements<L>(p.team.lane, m, w.k, by_rows(w.first),
                  [&](int i, int j) { Stored<T>::put(w.first, p.matrix, i, j, q[i + j * ld]); });
}

}  // namespace tenon_own
