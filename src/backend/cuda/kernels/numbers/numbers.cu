// backend/cuda/kernels/numbers/numbers.cu: linear algebra in addition to cuBLAS and cuSOLVER: products and singular
// values of many small matrices, refinement of eigenvectors, a check for NaN.
namespace tenon {

using namespace work;

extern __shared__ __align__(16) char matrix_memory[];

// to = from * factor + noise: random numbers in [-noise, noise), the same for the same position.
__global__ void __launch_bounds__(kThreads)
    scale_and_perturb(double* to, const double* from, u64 count, double factor, double noise) {
  for (u64 i = u64(blockIdx.x) * kThreads + threadIdx.x; i < count; i += u64(gridDim.x) * kThreads) {
    u64 x = (i + 1) * 0x9e3779b97f4a7c15ull;  // splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    to[i] = from[i] * factor + double(i64(x)) * (noise / 9223372036854775808.0);
  }
}

// Arithmetic of double and complex<double>.
__device__ inline double real_of(double x) { return x; }
__device__ inline double real_of(complex<double> x) { return x.re; }
__device__ inline double times(double x, double f) { return x * f; }
__device__ inline complex<double> times(complex<double> x, double f) { return {x.re * f, x.im * f}; }
__device__ inline double plus(double x, double y) { return x + y; }
__device__ inline complex<double> plus(complex<double> x, complex<double> y) { return {x.re + y.re, x.im + y.im}; }
__device__ inline double minus(double x, double y) { return x - y; }
__device__ inline complex<double> minus(complex<double> x, complex<double> y) { return {x.re - y.re, x.im - y.im}; }
__device__ inline double product(double x, double y) { return x * y; }
__device__ inline complex<double> product(complex<double> x, complex<double> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
__device__ inline double conjugate(double x) { return x; }
__device__ inline complex<double> conjugate(complex<double> x) { return {x.re, -x.im}; }
__device__ inline double square(double x) { return x * x; }
__device__ inline double square(complex<double> x) { return x.re * x.re + x.im * x.im; }

// For improving nearly correct eigenvectors v of a symmetric (Hermitian) h (Ogita and Aishima 2018), n x n,
// column-major, in double precision: given s = v^H h v and g = v^H v. w receives the eigenvalues, and s becomes the
// defect s - g diag(w), which should vanish.
template <class T> __global__ void __launch_bounds__(kThreads) eigen_defect(T* s, const T* g, double* w, u32 n) {
  u64 j = blockIdx.x;
  u64 diagonal = j * n + j;
  double lambda = real_of(s[diagonal]) / real_of(g[diagonal]);
  __syncthreads();  // all threads have read the diagonal before it is written
  for (u64 i = threadIdx.x; i < n; i += kThreads)
    s[j * n + i] = i == j ? T{} : minus(s[j * n + i], times(g[j * n + i], lambda));
  if (threadIdx.x == 0) w[j] = lambda;
}

// The distance above which eigenvalues count as different for vector j: the smallest of top, top / 2, top / 4 ... for
// which the rotations against all vectors farther away are small together: a row of norm at most `bound`. So vectors of
// a cluster are not changed, and all others are corrected, however close their eigenvalues are compared with the norm
// of the whole defect.
constexpr u32 kGapLevels = 24;
template <class T> __global__ void __launch_bounds__(kThreads)
    eigen_gaps(const T* s, const double* w, double* gaps, u32 n, double top, double bound) {
  __shared__ double partial[kThreads];
  u64 j = blockIdx.x;
  double sums[kGapLevels] = {};  // for the vectors whose distance lies between two levels
  for (u64 i = threadIdx.x; i < n; i += kThreads) {
    double distance = w[j] > w[i] ? w[j] - w[i] : w[i] - w[j], gap = top;
    u32 level = 0;
    while (level < kGapLevels && !(distance > gap)) ++level, gap *= 0.5;
    if (level < kGapLevels) sums[level] += square(s[j * n + i]) / (distance * distance);
  }
  double gap = top, sum = 0;
  for (u32 level = 0; level < kGapLevels; ++level) {
    partial[threadIdx.x] = sums[level];
    __syncthreads();
    for (u32 step = kThreads / 2; step; step /= 2) {
      if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
      __syncthreads();
    }
    sum += partial[0];
    __syncthreads();
    if (level && !(sum <= bound * bound)) break;  // the same for all threads
    if (level) gap *= 0.5;
  }
  if (threadIdx.x == 0) gaps[j] = gap;
}

// The correction e, computed from the defect in s, with which v (1 + e) are better vectors. Eigenvalues closer than the
// larger of both gaps count as equal: their vectors are only orthogonalised.
template <class T> __global__ void __launch_bounds__(kThreads)
    eigen_correction(T* s, const T* g, const double* w, const double* gaps, u32 n) {
  u64 j = blockIdx.x;
  for (u64 i = threadIdx.x; i < n; i += kThreads) {
    double distance = w[j] - w[i], gap = gaps[i] > gaps[j] ? gaps[i] : gaps[j];
    T orthogonal = times(g[j * n + i], -0.5);
    if (i == j) orthogonal = times(minus(g[j * n + i], T{1}), -0.5);
    bool apart = distance > gap || distance < -gap;
    s[j * n + i] = apart ? times(s[j * n + i], 1 / distance) : orthogonal;
  }
}

// Column j of `to` is column from_column[j] of `from`; columns consist of `rows` 8-byte words.
__global__ void __launch_bounds__(kThreads) gather_columns(u64* to, const u64* from, const u32* from_column, u64 rows) {
  const u64* source = from + from_column[blockIdx.x] * rows;
  for (u64 i = threadIdx.x; i < rows; i += kThreads) to[blockIdx.x * rows + i] = source[i];
}

// ---- Epilogues of products ----

__device__ inline float tangent(float x) { return tanhf(x); }  // the hyperbolic tangent
__device__ inline double tangent(double x) { return tanh(x); }

// c = epilogue(c + bias) for column-major m x n matrices. kind: TENON_EPILOGUE_*; bias: NULL, or one number per row, or
// with of_columns per column.
template <class T> __global__ void __launch_bounds__(kThreads)
    gemm_epilogue(T* c, const T* bias, i64 ld, i64 stride, i64 m, i64 n, i64 batch, u32 kind, u32 of_columns) {
  using R = decltype(value_of(T()));
  for (u64 e = u64(blockIdx.x) * kThreads + threadIdx.x; e < u64(m) * n * batch; e += u64(gridDim.x) * kThreads) {
    u64 i = e % m, j = e / m % n, g = e / m / n;
    T& place = c[g * stride + j * ld + i];
    R x = value_of(place);
    if (bias) x += value_of(bias[of_columns ? j : i]);
    if (kind == 1) x = x < R(0) ? R(0) : x;
    if (kind == 2) x = R(0.5) * x * (R(1) + tangent(R(0.7978845608028654) * (x + R(0.044715) * x * x * x)));
    place = Make<T>::of(x);
  }
}

// ---- Products of float32 in parts ----

// Each number is split into high + low: `high` is rounded to the 11 bits of a TF32 number, and `low` is the remainder,
// as bfloat16; `rough` is `high`, rounded to the 8 bits of bfloat16. A number that is not finite has its value in
// `high` only, so that the other two products add nothing to it. Columns have `rows` numbers, a multiple of V; those of
// the parts are `to_ld` apart.
template <int V> __global__ void __launch_bounds__(kThreads)
    float_parts(const float* from, i64 ld, i64 rows, i64 columns, float* high, bfloat16* rough, bfloat16* low,
                i64 to_ld) {
  struct alignas(4 * V) Floats {
    float v[V];
  };
  struct alignas(2 * V) Shorts {
    bfloat16 v[V];
  };
  for (i64 j = blockIdx.x; j < columns; j += gridDim.x)
    for (i64 i = threadIdx.x * V; i < rows; i += kThreads * V) {
      const Floats x = *reinterpret_cast<const Floats*>(from + j * ld + i);
      Floats h;
      Shorts r, l;
#pragma unroll
      for (int k = 0; k < V; ++k) {
        const u32 bits = __float_as_uint(x.v[k]);
        const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
        u32 near = (bits + 0xfffu + ((bits >> 13) & 1)) & ~0x1fffu;
        if ((near & 0x7f800000u) == 0x7f800000u) near = bits & ~0x1fffu;  // must not become infinite
        h.v[k] = finite ? __uint_as_float(near) : x.v[k];
        u32 short_bits = (near + 0x7fffu + ((near >> 16) & 1)) >> 16;
        if ((short_bits & 0x7f80u) == 0x7f80u) short_bits = near >> 16;
        r.v[k].bits = finite ? u16(short_bits) : u16(0);
        l.v[k] = Make<bfloat16>::of(finite ? x.v[k] - h.v[k] : 0.0f);
      }
      *reinterpret_cast<Floats*>(high + j * to_ld + i) = h;
      *reinterpret_cast<Shorts*>(rough + j * to_ld + i) = r;
      *reinterpret_cast<Shorts*>(low + j * to_ld + i) = l;
    }
}

// ---- Products of many small matrices ----

// One warp per product. It copies both matrices to shared memory, a as k x m (i next to i + 1), b as n x k with one
// number of padding per column; lane (i, j) of 8 x 4 computes every eighth row of every fourth column.
template <class T, int Rows, int Columns> __global__ void __launch_bounds__(128)
    small_products(const __grid_constant__ Products<T> p) {
  u32 warp = threadIdx.x / 32, lane = threadIdx.x & 31, matrix = blockIdx.x * 4 + warp;
  u32 pitch = p.k + 1;
  T* sa = reinterpret_cast<T*>(matrix_memory) + warp * (p.m * p.k + p.n * pitch);
  T* sb = sa + p.m * p.k;
  if (matrix >= p.batch) return;
  const T* a = p.a + matrix * p.stride_a;
  const T* b = p.b + matrix * p.stride_b;
  if (!p.turn_a && p.lda == p.m) {
    for (u32 at = lane; at < p.m * p.k; at += 32) sa[at] = a[at];
  } else {
    for (u32 at = lane; at < p.m * p.k; at += 32) {
      u32 fast = p.turn_a ? p.k : p.m, slow = at / fast, rest = at - slow * fast;
      sa[p.turn_a ? rest * p.m + slow : at] = a[slow * p.lda + rest];
    }
  }
  for (u32 at = lane; at < p.n * p.k; at += 32) {
    u32 fast = p.turn_b ? p.n : p.k, slow = at / fast, rest = at - slow * fast;
    sb[p.turn_b ? rest * pitch + slow : slow * pitch + rest] = b[slow * p.ldb + rest];
  }
  __syncwarp();
  T sum[Rows][Columns] = {};
  u32 i = lane & 7, j = lane / 8;
  for (u32 l = 0; l < p.k; l++) {
    T x[Rows], y[Columns];
#pragma unroll
    for (int r = 0; r < Rows; r++) x[r] = i + 8 * r < p.m ? sa[l * p.m + i + 8 * r] : T(0);
#pragma unroll
    for (int c = 0; c < Columns; c++) y[c] = j + 4 * c < p.n ? sb[(j + 4 * c) * pitch + l] : T(0);
#pragma unroll
    for (int r = 0; r < Rows; r++)
#pragma unroll
      for (int c = 0; c < Columns; c++) sum[r][c] += x[r] * y[c];
  }
  T* out = p.c + matrix * p.stride_c;
#pragma unroll
  for (int c = 0; c < Columns; c++)
#pragma unroll
    for (int r = 0; r < Rows; r++)
      if (i + 8 * r < p.m && j + 4 * c < p.n) {
        T* place = out + (j + 4 * c) * p.ldc + i + 8 * r;
        *place = p.beta == T(0) ? p.alpha * sum[r][c] : p.alpha * sum[r][c] + p.beta * *place;
      }
}

// ---- Singular values of many small matrices: one-sided Jacobi ----

template <class T> struct Widest {
  using type = double;
};
template <class R> struct Widest<complex<R>> {
  using type = complex<double>;
};

__device__ inline double sum_of_warp(double x) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(0xffffffffu, x, k);
  return x;
}
__device__ inline complex<double> sum_of_warp(complex<double> x) { return {sum_of_warp(x.re), sum_of_warp(x.im)}; }

__device__ inline double largest_part(double x) { return fabs(x); }
__device__ inline double largest_part(complex<double> x) { return fmax(fabs(x.re), fabs(x.im)); }
__device__ inline double scaled(double x, int exponent) { return scalbn(x, exponent); }
__device__ inline complex<double> scaled(complex<double> x, int exponent) {
  return {scalbn(x.re, exponent), scalbn(x.im, exponent)};
}

// |x|, and x / |x| for x != 0.
__device__ inline double modulus(double x, double& phase) {
  phase = x < 0 ? -1 : 1;
  return fabs(x);
}
__device__ inline double modulus(complex<double> x, complex<double>& phase) {
  double r = sqrt(square(x));
  phase = {x.re / r, x.im / r};
  return r;
}

// Rotates columns p and q by the angle of c and s, so that they become orthogonal; q is taken as b = q / phase.
template <class W> __device__ inline void rotate_columns(W* p, W* q, u32 rows, W phase, double c, double s) {
  for (u32 l = threadIdx.x & 31; l < rows; l += 32) {
    W x = p[l], y = product(conjugate(phase), q[l]);
    p[l] = minus(times(x, c), times(y, s));
    q[l] = plus(times(x, s), times(y, c));
  }
}

// Sets column `fresh` of u (m rows) to a unit vector orthogonal to the columns of `done`; for one warp.
template <class W> __device__ inline void complete(W* u, u32 m, u32 fresh, u64 done) {
  u32 lane = threadIdx.x & 31;
  W* x = u + fresh * m;
  for (u32 axis = 0; axis < m; axis++) {
    for (u32 l = lane; l < m; l += 32) x[l] = l == axis ? W{1} : W{};
    double size = 0;
    for (int twice = 0; twice < 2; twice++) {
      for (u64 left = done; left; left &= left - 1) {
        const W* d = u + (__ffsll(i64(left)) - 1) * m;
        W dot{};
        for (u32 l = lane; l < m; l += 32) dot = plus(dot, product(conjugate(d[l]), x[l]));
        dot = sum_of_warp(dot);
        for (u32 l = lane; l < m; l += 32) x[l] = minus(x[l], product(dot, d[l]));
      }
      size = 0;
      for (u32 l = lane; l < m; l += 32) size += square(x[l]);
      size = sum_of_warp(size);
      if (size < 0.25 / m) break;  // this axis lies almost in their span; try another one
    }
    if (size < 0.25 / m) continue;
    for (u32 l = lane; l < m; l += 32) x[l] = times(x[l], rsqrt(size));
    return;
  }
}

// One block per matrix, m x n with m >= n, n and uc at most 64, and one warp per pair of columns; computes in double
// precision for all types. u: m x uc; vh: n x n; NULL: values only. Matrices are column-major and packed. *failed
// becomes the number (from 1) of a matrix that did not converge. Shared memory: m * max(n, uc) + n * n numbers. The
// tolerance is for the angle between columns.
template <class T, class R> __global__ void __launch_bounds__(1024)
    jacobi(const T* a, R* s, T* u, T* vh, u32* failed, u32 m, u32 n, u32 uc, double tolerance) {
  using W = typename Widest<T>::type;
  __shared__ double norm[64];
  __shared__ u32 rank[64];
  W* x = reinterpret_cast<W*>(matrix_memory);
  W* v = x + m * (n > uc ? n : uc);
  u32 warp = threadIdx.x / 32, lane = threadIdx.x & 31, warps = blockDim.x / 32;
  u64 matrix = blockIdx.x;
  a += matrix * m * n;
  // Scaled by a power of two, so that squares neither overflow nor vanish.
  double biggest = 0;
  for (u32 i = threadIdx.x; i < m * n; i += blockDim.x) {
    x[i] = Convert<W, T>::of(a[i]);
    biggest = fmax(biggest, largest_part(x[i]));
  }
#pragma unroll
  for (int k = 16; k > 0; k /= 2) biggest = fmax(biggest, __shfl_xor_sync(0xffffffffu, biggest, k));
  if (lane == 0) norm[warp] = biggest;
  __syncthreads();
  for (u32 i = 0; i < warps; i++) biggest = fmax(biggest, norm[i]);
  int exponent = biggest > 0 ? ilogb(biggest) : 0;
  for (u32 i = threadIdx.x; i < m * n; i += blockDim.x) x[i] = scaled(x[i], -exponent);
  if (u)
    for (u32 i = threadIdx.x; i < n * n; i += blockDim.x) v[i] = i % (n + 1) == 0 ? W{1} : W{};
  __syncthreads();
  for (u32 j = warp; j < n; j += warps) {
    double size = 0;
    for (u32 l = lane; l < m; l += 32) size += square(x[j * m + l]);
    size = sum_of_warp(size);
    if (lane == 0) norm[j] = size;
  }
  __syncthreads();

  // Sweeps over all pairs, as in a tournament: in each round every column is paired with another one.
  u32 even = n + (n & 1), sweep = 0;
  double largest = 0;
  for (; sweep < 40; sweep++) {
    for (u32 j = 0; j < n; j++) largest = norm[j] > largest ? norm[j] : largest;
    __syncthreads();
    bool rotated = false;
    for (u32 round = 0; round + 1 < even; round++) {
      u32 p = warp == 0 ? even - 1 : (round + warp) % (even - 1), q = (round + even - 1 - warp) % (even - 1);
      if (p > q) {
        u32 t = p;
        p = q;
        q = t;
      }
      if (q < n && warp < even / 2) {
        W *xp = x + p * m, *xq = x + q * m, dot{};
        double pp = 0, qq = 0;
        for (u32 l = lane; l < m; l += 32) {
          pp += square(xp[l]);
          qq += square(xq[l]);
          dot = plus(dot, product(conjugate(xp[l]), xq[l]));
        }
        pp = sum_of_warp(pp);
        qq = sum_of_warp(qq);
        dot = sum_of_warp(dot);
        // Columns below the rounding error of the largest have no meaningful direction.
        if (square(dot) > tolerance * tolerance * pp * qq && pp > 1e-31 * largest && qq > 1e-31 * largest) {
          rotated = true;
          W phase;
          double size = modulus(dot, phase), zeta = (qq - pp) / (2 * size);
          double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
          double c = rsqrt(1 + t * t), sine = c * t;
          rotate_columns(xp, xq, m, phase, c, sine);
          if (u) rotate_columns(v + p * n, v + q * n, n, phase, c, sine);
          pp -= t * size;
          qq += t * size;
        }
        if (lane == 0) {
          norm[p] = pp;
          norm[q] = qq;
        }
      }
      __syncthreads();
    }
    if (!__syncthreads_or(rotated)) break;
  }
  if (sweep == 40 && threadIdx.x == 0) atomicMax(failed, u32(matrix) + 1);

  for (u32 j = warp; j < n; j += warps) {
    double size = 0;
    for (u32 l = lane; l < m; l += 32) size += square(x[j * m + l]);
    size = sqrt(sum_of_warp(size));
    if (lane == 0) norm[j] = size;
  }
  __syncthreads();
  for (u32 j = threadIdx.x; j < n; j += blockDim.x) {
    u32 before = 0;
    for (u32 i = 0; i < n; i++) before += norm[i] > norm[j] || (norm[i] == norm[j] && i < j);
    rank[j] = before;
    s[matrix * n + before] = R(scalbn(norm[j], exponent));
  }
  if (!u) return;
  __syncthreads();
  double smallest = 1e-15 * sqrt(largest);
  for (u32 j = warp; j < n; j += warps)
    if (norm[j] > smallest)
      for (u32 l = lane; l < m; l += 32) x[j * m + l] = times(x[j * m + l], 1 / norm[j]);
  __syncthreads();
  if (warp == 0) {
    u64 done = 0;
    for (u32 j = 0; j < n; j++)
      if (norm[j] > smallest) done |= u64(1) << j;
    for (u32 j = 0; j < uc; j++) {
      if (j < n && norm[j] > smallest) continue;
      complete(x, m, j, done);
      done |= u64(1) << j;
      __syncwarp();
    }
  }
  __syncthreads();
  u += matrix * m * uc;
  vh += matrix * n * n;
  for (u32 j = warp; j < uc; j += warps) {
    u32 place = j < n ? rank[j] : j;
    for (u32 l = lane; l < m; l += 32) u[place * m + l] = Convert<T, W>::of(x[j * m + l]);
  }
  for (u32 j = warp; j < n; j += warps)
    for (u32 l = lane; l < n; l += 32) vh[l * n + rank[j]] = Convert<T, W>::of(conjugate(v[j * n + l]));
}

// Reports the smallest number that number(i) returns for an i below count; all bits set: none.
template <class F> __device__ inline void find_first(u64 count, tenon_finding* finding, F&& number) {
  for (u64 i = u64(blockIdx.x) * kThreads + threadIdx.x; i < count; i += u64(gridDim.x) * kThreads) {
    u64 found = number(i);
    if (found == ~u64(0)) continue;
    tenon_report(finding, found);
    return;  // later elements have larger numbers
  }
}

template <class R> __global__ void __launch_bounds__(kThreads)
    find_not_finite(const R* x, u64 count, tenon_finding* finding) {
  find_first(count, finding, [=](u64 i) {
    R d = x[i] - x[i];  // 0 unless NaN or infinite
    return d != 0 ? i : ~u64(0);
  });
}

__device__ inline bool is_zero(float x) { return x == 0; }
__device__ inline bool is_zero(double x) { return x == 0; }
template <class R> __device__ inline bool is_zero(complex<R> x) { return x.re == 0 && x.im == 0; }

template <class T> __global__ void __launch_bounds__(kThreads)
    find_zero(const T* x, u64 count, tenon_finding* finding) {
  find_first(count, finding, [=](u64 i) { return is_zero(x[i]) ? i : ~u64(0); });
}

__global__ void __launch_bounds__(kThreads) find_info(const int* infos, u64 count, tenon_finding* finding) {
  find_first(count, finding, [=](u64 i) { return infos[i] ? i << 32 | u32(infos[i]) : ~u64(0); });
}

__global__ void __launch_bounds__(kThreads) bound_pivots(i64* pivots, u64 count, i64 n, tenon_finding* finding) {
  for (u64 i = u64(blockIdx.x) * kThreads + threadIdx.x; i < count; i += u64(gridDim.x) * kThreads)
    if (pivots[i] < 1 || pivots[i] > n) {
      pivots[i] = 1;
      tenon_report(finding, i);
    }
}

template <class T> struct Unit {
  static __device__ inline T of(bool one) { return T(one); }
};
template <class R> struct Unit<complex<R>> {
  static __device__ inline complex<R> of(bool one) { return {R(one), R(0)}; }
};

// Column-major m x n matrices keep their upper (or lower) triangle; the rest becomes 0, and with unit the diagonal
// becomes 1.
template <class T> __global__ void __launch_bounds__(kThreads)
    keep_triangle(T* a, i64 ld, i64 stride, u64 m, u64 n, u64 batch, u32 upper, u32 unit) {
  const u64 count = m * n * batch;
  for (u64 at = u64(blockIdx.x) * kThreads + threadIdx.x; at < count; at += u64(gridDim.x) * kThreads) {
    u64 i = at % m, rest = at / m, j = rest % n;
    T* x = a + i64(rest / n) * stride + i64(j) * ld + i64(i);
    if (i == j ? unit != 0 : (i > j) == (upper != 0)) *x = Unit<T>::of(i == j);
  }
}

// ---- Lists of addresses ----

// to = the first `count` addresses: they are passed with the launch, so that a graph needs no host memory.
__global__ void __launch_bounds__(kThreads)
    write_addresses(u64* to, const __grid_constant__ Addresses from, u32 count) {
  if (threadIdx.x < count) to[threadIdx.x] = from.at[threadIdx.x];
}

// ---- Sums and multiples ----

// The type of the computation: float for 16-bit elements.
template <class T> struct Computed {
  using type = decltype(value_of(T()));
};
template <class W> struct Factor {
  static __device__ inline W of(const double* x) { return W(x[0]); }
};
template <class R> struct Factor<complex<R>> {
  static __device__ inline complex<R> of(const double* x) { return {R(x[0]), R(x[1])}; }
};
template <class W> __device__ inline W multiplied(W x, W y) { return x * y; }
template <class R> __device__ inline complex<R> multiplied(complex<R> x, complex<R> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
template <class W> __device__ inline W added(W x, W y) { return x + y; }
template <class R> __device__ inline complex<R> added(complex<R> x, complex<R> y) { return {x.re + y.re, x.im + y.im}; }

// A factor that was passed with the launch, or that is in device memory.
template <class W> __device__ inline W factor_of(const double* given, const void* at) {
  return at ? *static_cast<const W*>(at) : Factor<W>::of(given);
}
template <class W> __device__ inline W zero_of(W) { return W(0); }
template <class R> __device__ inline complex<R> zero_of(complex<R>) { return {R(0), R(0)}; }

// y = alpha x + y, or without x y = alpha y, for m x n numbers of several matrices with any strides. With alpha 0 the
// operand is not read.
template <class T> __global__ void __launch_bounds__(kThreads) combine(const __grid_constant__ Combination c) {
  using W = typename Computed<T>::type;
  const W alpha = factor_of<W>(c.alpha, c.alpha_at);
  const bool none = is_zero(alpha);
  if (none && c.x) return;
  for (u64 at = u64(blockIdx.x) * kThreads + threadIdx.x; at < c.count; at += u64(gridDim.x) * kThreads) {
    const u64 rest = at / c.m;
    const i64 i = i64(at % c.m), j = i64(rest % c.n), g = i64(rest / c.n);
    T& y = static_cast<T*>(c.y)[i * c.y_step + j * c.y_ld + g * c.y_stride];
    if (c.x) {
      const T x = static_cast<const T*>(c.x)[i * c.x_step + j * c.x_ld + g * c.x_stride];
      y = Make<T>::of(added(value_of(y), multiplied(alpha, value_of(x))));
    } else {
      y = Make<T>::of(none ? zero_of(alpha) : multiplied(alpha, value_of(y)));
    }
  }
}

// ---- Rotations ----

template <class W> __device__ inline W conjugate(W x) { return x; }
template <class R> __device__ inline complex<R> conjugate(complex<R> x) { return {x.re, -x.im}; }
template <class W> __device__ inline W negated(W x) { return -x; }
template <class R> __device__ inline complex<R> negated(complex<R> x) { return {-x.re, -x.im}; }

// Calls f(x, y) for each pair of the m x n numbers of several matrices with any strides, distributed over the grid's
// threads.
template <class T, class F> __device__ inline void for_each_pair(const Rotation& r, F f) {
  for (u64 at = u64(blockIdx.x) * kThreads + threadIdx.x; at < r.count; at += u64(gridDim.x) * kThreads) {
    const u64 rest = at / r.m;
    const i64 i = i64(at % r.m), j = i64(rest % r.n), g = i64(rest / r.n);
    f(static_cast<T*>(r.x)[i * r.x_step + j * r.x_ld + g * r.x_stride],
      static_cast<T*>(r.y)[i * r.y_step + j * r.y_ld + g * r.y_stride]);
  }
}

// x, y = c x + s y, c y - conj(s) x, or, with `exchange`, y, x.
template <class T, bool exchange> __global__ void __launch_bounds__(kThreads)
    rotate(const __grid_constant__ Rotation r) {
  using W = typename Computed<T>::type;
  const W c = factor_of<W>(r.c, r.c_at), s = factor_of<W>(r.s, r.s_at), back = negated(conjugate(s));
  for_each_pair<T>(r, [&](T& x, T& y) {
    const T a = x, b = y;
    if constexpr (exchange) {
      x = b, y = a;
    } else {
      x = Make<T>::of(added(multiplied(c, value_of(a)), multiplied(s, value_of(b))));
      y = Make<T>::of(added(multiplied(c, value_of(b)), multiplied(back, value_of(a))));
    }
  });
}

// x, y = h11 x + h12 y, h21 x + h22 y for the same numbers. h: BLAS's param: a flag, h11, h21, h12, h22.
template <class T> __global__ void __launch_bounds__(kThreads)
    rotate_modified(const __grid_constant__ Rotation r, const T* h) {
  const T flag = h[0];
  if (flag == T(-2)) return;
  const bool ones = flag == T(0), other = flag == T(1);
  const T h11 = ones ? T(1) : h[1], h22 = ones ? T(1) : h[4], h12 = other ? T(1) : h[3], h21 = other ? T(-1) : h[2];
  for_each_pair<T>(r, [&](T& x, T& y) {
    const T a = x, b = y;
    x = h11 * a + h12 * b;
    y = h21 * a + h22 * b;
  });
}

// Scales d to d / factor^2, with a magnitude between 2^-24 and 2^24; multiplies its row of h by the factor, which is
// returned.
template <class T> __device__ inline T rescale(T& d, T& first, T& second) {
  const T gamma = T(4096), most = gamma * gamma,
          largest = sizeof(T) == 4 ? T(3.4028234e38f) : T(1.7976931348623157e308);
  T whole = T(1);
  for (;;) {
    const T size = d < T(0) ? -d : d;
    if (!(size > T(0) && size <= largest && (size <= T(1) / most || size >= most))) return whole;
    const T factor = size >= most ? gamma : T(1) / gamma;
    d = d / factor / factor;
    first *= factor, second *= factor, whole *= factor;
  }
}

// The modified rotations that make y1, the first of five numbers of h each, zero; the five numbers become BLAS's param.
template <class T> __global__ void __launch_bounds__(kThreads)
    givens_modified(T* all_d1, T* all_d2, T* all_x1, T* all_h, u64 count) {
  for (u64 i = u64(blockIdx.x) * kThreads + threadIdx.x; i < count; i += u64(gridDim.x) * kThreads) {
    T d1 = all_d1[i], d2 = all_d2[i], x1 = all_x1[i];
    T* h = all_h + 5 * i;
    const T y1 = h[0], p1 = d1 * x1, p2 = d2 * y1, q1 = p1 * x1, q2 = p2 * y1;
    T flag = T(-2), h11 = T(1), h21 = T(0), h12 = T(0), h22 = T(1);
    bool none = d1 < T(0);
    if (!none && p2 != T(0)) {  // or p2 is NaN
      if ((q1 < T(0) ? -q1 : q1) > (q2 < T(0) ? -q2 : q2)) {
        flag = T(0), h21 = -y1 / x1, h12 = p2 / p1;
        const T u = T(1) - h12 * h21;
        none = !(u > T(0));
        d1 /= u, d2 /= u, x1 *= u;
      } else {
        none = q2 < T(0);
        flag = T(1), h11 = p1 / p2, h22 = x1 / y1, h12 = T(1), h21 = T(-1);
        const T u = T(1) + h11 * h22, old = d1;
        d1 = d2 / u, d2 = old / u, x1 = y1 * u;
      }
    }
    if (none) {
      flag = T(-1), h11 = h21 = h12 = h22 = d1 = d2 = x1 = T(0);
    } else if (flag != T(-2)) {
      const T of_first = rescale(d1, h11, h12), of_second = rescale(d2, h21, h22);
      x1 *= of_first;
      if (of_first != T(1) || of_second != T(1)) flag = T(-1);
    }
    all_d1[i] = d1, all_d2[i] = d2, all_x1[i] = x1;
    h[0] = flag, h[1] = h11, h[2] = h21, h[3] = h12, h[4] = h22;
  }
}

// The power of two by which a number is scaled: that of its larger part; 0 if scaling would not help.
__device__ inline int exponent_of(double x) { return x != 0 && fabs(x) <= 1.7976931348623157e308 ? ilogb(x) : 0; }
__device__ inline double larger(double x, double y) { return fabs(x) < fabs(y) ? y : x; }

// The rotation that makes b zero; a becomes r, b becomes s. Computes in double, scaled by powers of two, so that
// neither intermediate lengths nor quotients overflow or vanish.
template <class R> __device__ inline void rotation_of(R& given_a, R& given_b, R& out_c) {
  const double a = double(given_a), b = double(given_b);
  if (b == 0 || a == 0) {
    out_c = R(b == 0);
    if (b != 0) given_a = given_b, given_b = R(1);
    return;
  }
  const int exponent = exponent_of(larger(a, b));
  const double f = scalbn(a, -exponent), g = scalbn(b, -exponent), length = sqrt(f * f + g * g);
  const double r = (fabs(f) > fabs(g) ? f : g) < 0 ? -length : length;
  out_c = R(f / r), given_b = R(g / r), given_a = R(scalbn(r, exponent));
}

template <class R> __device__ inline void rotation_of(complex<R>& given_a, complex<R>& given_b, R& out_c) {
  if (given_b.re == 0 && given_b.im == 0) {
    out_c = R(1);
    return;
  }
  const int of_b = exponent_of(larger(double(given_b.re), double(given_b.im)));
  const double g_re = scalbn(double(given_b.re), -of_b), g_im = scalbn(double(given_b.im), -of_b);
  const double of_g = sqrt(g_re * g_re + g_im * g_im);
  if (given_a.re == 0 && given_a.im == 0) {
    out_c = R(0);
    given_b = {R(g_re / of_g), R(-g_im / of_g)};
    given_a = {R(scalbn(of_g, of_b)), R(0)};
    return;
  }
  const int of_a = exponent_of(larger(double(given_a.re), double(given_a.im))), most = of_a > of_b ? of_a : of_b;
  const double f_re = scalbn(double(given_a.re), -of_a), f_im = scalbn(double(given_a.im), -of_a);
  const double of_f = sqrt(f_re * f_re + f_im * f_im), d_re = f_re / of_f, d_im = f_im / of_f;
  const double size_a = scalbn(of_f, of_a - most), size_b = scalbn(of_g, of_b - most);
  const double length = sqrt(size_a * size_a + size_b * size_b), factor = scalbn(1.0 / length, of_b - most);
  out_c = R(size_a / length);
  given_b = {R((d_re * g_re + d_im * g_im) * factor), R((d_im * g_re - d_re * g_im) * factor)};
  given_a = {R(scalbn(d_re * length, most)), R(scalbn(d_im * length, most))};
}

template <class T, class R> __global__ void __launch_bounds__(kThreads) givens(T* a, T* b, R* c, u64 count) {
  for (u64 i = u64(blockIdx.x) * kThreads + threadIdx.x; i < count; i += u64(gridDim.x) * kThreads)
    rotation_of(a[i], b[i], c[i]);
}

// ---- Norms ----

__device__ inline double size_of(float16 x) { return fabs(double(value_of(x))); }
__device__ inline double size_of(bfloat16 x) { return fabs(double(value_of(x))); }
__device__ inline double size_of(float x) { return fabs(double(x)); }
__device__ inline double size_of(double x) { return fabs(x); }
__device__ inline double size_of(complex<float> x) { return hypot(double(x.re), double(x.im)); }
__device__ inline double size_of(complex<double> x) { return hypot(x.re, x.im); }

// The larger of a number's parts in magnitude, and the sum of their squares after scaling.
template <class T> __device__ inline double greater_part(T x) { return size_of(x); }
template <class R> __device__ inline double greater_part(complex<R> x) {
  double re = fabs(double(x.re)), im = fabs(double(x.im));
  return re > im || re != re ? re : im;
}
template <class T> __device__ inline double scaled_square(T x, double factor) {
  double y = size_of(x) * factor;
  return y * y;
}
template <class R> __device__ inline double scaled_square(complex<R> x, double factor) {
  double re = double(x.re) * factor, im = double(x.im) * factor;
  return re * re + im * im;
}

// max that keeps NaN.
__device__ inline double greater(double x, double y) { return y > x || y != y ? y : x; }

// The sum or maximum over a block, returned to all its threads. partial: kThreads numbers.
__device__ inline double over_block(double x, bool sum, double* partial) {
  __syncthreads();
  partial[threadIdx.x] = x;
  for (u32 half = kThreads / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      double y = partial[threadIdx.x + half];
      partial[threadIdx.x] = sum ? partial[threadIdx.x] + y : greater(partial[threadIdx.x], y);
    }
  }
  __syncthreads();
  return partial[0];
}

// A norm of each line (a column, a row, or the norms of these) of each matrix, one block per line. kind: 0 the sum of
// absolute values, 1 the largest, 2 the root of the sum of squares, which does not overflow. The last line of a matrix
// has `last` numbers.
template <class R, class T> __global__ void __launch_bounds__(kThreads)
    line_norms(R* out, const T* a, u64 lines, u64 length, u64 last, i64 line_step, i64 step, i64 stride, u32 kind) {
  __shared__ double partial[kThreads];
  const u64 line = blockIdx.x % lines;
  const T* x = a + i64(blockIdx.x / lines) * stride + i64(line) * line_step;
  if (line + 1 == lines) length = last;
  double result = 0;
  if (kind != 0) {
    for (u64 i = threadIdx.x; i < length; i += kThreads)
      result = greater(result, kind == 1 ? size_of(x[i64(i) * step]) : greater_part(x[i64(i) * step]));
    result = over_block(result, false, partial);
  }
  if (kind == 0) {
    for (u64 i = threadIdx.x; i < length; i += kThreads) result += size_of(x[i64(i) * step]);
    result = over_block(result, true, partial);
  } else if (kind == 2 && result > 0 && result <= 1.7976931348623157e308) {
    // Scales by a power of two, which does not round; for subnormal numbers by one that does not overflow.
    int exponent = ilogb(result);
    exponent = exponent < -1000 ? -1000 : exponent;
    const double factor = scalbn(1.0, -exponent);
    double sum = 0;
    for (u64 i = threadIdx.x; i < length; i += kThreads) sum += scaled_square(x[i64(i) * step], factor);
    result = scalbn(sqrt(over_block(sum, true, partial)), exponent);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = Make<R>::of(result);
}

// ---- Positions of extreme numbers ----

// |re| + |im| in the precision of the number.
__device__ inline float sum_of_parts(float16 x) { return fabsf(value_of(x)); }
__device__ inline float sum_of_parts(bfloat16 x) { return fabsf(value_of(x)); }
__device__ inline float sum_of_parts(float x) { return fabsf(x); }
__device__ inline double sum_of_parts(double x) { return fabs(x); }
__device__ inline float sum_of_parts(complex<float> x) { return fabsf(x.re) + fabsf(x.im); }
__device__ inline double sum_of_parts(complex<double> x) { return fabs(x.re) + fabs(x.im); }

// Does the number y at position j precede x at position i? NaN precedes every number, and equal numbers keep their
// order. Position -1 means no number.
template <class R> __device__ inline bool comes_before(R y, i64 j, R x, i64 i, bool smallest) {
  if (i < 0 || j < 0) return i < 0 && j >= 0;
  const bool not_y = y != y, not_x = x != x;
  if (not_y != not_x) return not_y;
  if (!not_y && y != x) return smallest ? y < x : y > x;
  return j < i;
}

// The position of the extreme number of each line of each vector, one block per line; the last line has `last` numbers.
// With candidates, only these positions are compared; they are packed, and a vector is one line of them.
template <class T> __global__ void __launch_bounds__(kThreads)
    line_places(i64* out, const T* a, const i64* candidates, u64 lines, u64 length, u64 last, i64 step, i64 stride,
                u32 smallest) {
  using R = decltype(sum_of_parts(T()));
  __shared__ R sizes[kThreads];
  __shared__ i64 places[kThreads];
  const u64 line = blockIdx.x % lines, g = blockIdx.x / lines;
  const T* x = a + i64(g) * stride;
  const u64 count = line + 1 == lines ? last : length;
  R best = 0;
  i64 place = -1;
  for (u64 i = threadIdx.x; i < count; i += kThreads) {
    const i64 at = candidates ? candidates[g * length + i] : i64(line * length + i);
    const R size = sum_of_parts(x[at * step]);
    if (comes_before(size, at, best, place, smallest != 0)) best = size, place = at;
  }
  sizes[threadIdx.x] = best;
  places[threadIdx.x] = place;
  for (u32 half = kThreads / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      const R other = sizes[threadIdx.x + half];
      const i64 at = places[threadIdx.x + half];
      if (comes_before(other, at, sizes[threadIdx.x], places[threadIdx.x], smallest != 0))
        sizes[threadIdx.x] = other, places[threadIdx.x] = at;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = places[0];
}

}  // namespace tenon
