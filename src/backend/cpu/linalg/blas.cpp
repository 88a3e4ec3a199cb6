// backend/cpu/linalg/blas.cpp: matrix products by BLAS: one large product on all threads, many small ones each on its
// own thread, those with few rows and terms by loops, float16, bfloat16, float8 and int8 by way of float32.
#include "backend/cpu/linalg/dense.hpp"

#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>
#include "backend/cpu/linalg/element.hpp"
#include "backend/cpu/operations.hpp"
#include "base/float8.hpp"

namespace tenon::cpu {
namespace {

// Below this many multiplications the matrices of a batch are distributed over the pool's threads.
constexpr double kSmall = 256.0 * 256 * 256;
// Size of the blocks in which half-width types are widened.
constexpr int64_t kBlockSize = 1024, kBlockDepth = 4096;

// One product in the element type T.
template <class T> struct Product {
  void (*gemm)(const char*, const char*, const Int*, const Int*, const Int*, const T*, const T*, const Int*, const T*,
               const Int*, const T*, T*, const Int*, size_t, size_t);
  char op_a, op_b;
  Int m, n, k, lda, ldb, ldc;
  T alpha, beta;

  void run(const T* a, const T* b, T* c) const {
    gemm(&op_a, &op_b, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
  }
};

template <class T> struct Vectors;  // the routines for vectors
#define VECTORS(T, p, plain, conjugated)                     \
  template <> struct Vectors<T> {                            \
    static auto gemv(const Blas& b) { return b.p##gemv; }    \
    static auto ger(const Blas& b) { return b.plain; }       \
    static auto gerc(const Blas& b) { return b.conjugated; } \
  };
VECTORS(float, s, sger, sger)
VECTORS(double, d, dger, dger)
VECTORS(std::complex<float>, c, cgeru, cgerc)
VECTORS(std::complex<double>, z, zgeru, zgerc)
#undef VECTORS

// A product with a vector, for which libraries have a routine that reads the matrix once. False: it would have to
// conjugate an operand for which the routine cannot.
template <class T> bool multiply_vector(const GemmProblem& p, const Blas& library, int64_t i) {
  // c is op(a) times a column; otherwise it is a row times op(b), seen as op(b)' times a column. If both operands are
  // vectors, one of them is taken as a column.
  const bool column = p.n == 1 && (p.m != 1 || p.op_a != Op::none);
  const Op op_vector = column ? p.op_b : p.op_a, op_matrix = column ? p.op_a : p.op_b;
  if (op_vector == Op::conjugate_transpose && !std::is_floating_point_v<T>) return false;
  if (!column && op_matrix == Op::conjugate_transpose && !std::is_floating_point_v<T>) return false;
  // The matrix in memory is rows x columns. The numbers of a row are the leading dimension apart.
  const bool plain = (op_matrix == Op::none) == column;
  const Int rows = column  ? (plain ? p.m : p.k)
                   : plain ? p.n
                           : p.k,
            columns = column  ? (plain ? p.k : p.m)
                      : plain ? p.k
                              : p.n;
  const Int ld = column ? p.lda : p.ldb, y_step = column ? 1 : p.ldc;
  const Int x_step = column ? (p.op_b == Op::none ? 1 : p.ldb) : p.op_a == Op::none ? p.lda : 1;
  const char op = plain ? 'N' : op_matrix == Op::conjugate_transpose ? 'C' : 'T';
  const T* matrix = static_cast<const T*>(column ? p.a_at(i) : p.b_at(i));
  const T* x = static_cast<const T*>(column ? p.b_at(i) : p.a_at(i));
  T* y = static_cast<T*>(p.c_at(i));
  const T alpha = scalar<T>(p.alpha), beta = scalar<T>(p.beta), one = 1;
  // Libraries differ in the treatment of a NaN in y with beta 0, and of a beta that is NaN.
  if (beta != one)
    for (Int e = 0; e < (plain ? rows : columns); ++e) y[e * y_step] = beta == T(0) ? T(0) : beta * y[e * y_step];
  Vectors<T>::gemv(library)(&op, &rows, &columns, &alpha, matrix, &ld, x, &x_step, &one, y, &y_step, 1);
  return true;
}

// Likewise, a sum with the outer product of two vectors.
template <class T> bool add_outer(const GemmProblem& p, const Blas& library, int64_t i) {
  const bool complex = !std::is_floating_point_v<T>;
  if (p.beta != 1.0 || (complex && p.op_a == Op::conjugate_transpose)) return false;
  const Int x_step = p.op_a == Op::none ? 1 : p.lda, y_step = p.op_b == Op::none ? p.ldb : 1;
  const T alpha = scalar<T>(p.alpha);
  const auto routine = p.op_b == Op::conjugate_transpose ? Vectors<T>::gerc(library) : Vectors<T>::ger(library);
  routine(&p.m, &p.n, &alpha, static_cast<const T*>(p.a_at(i)), &x_step, static_cast<const T*>(p.b_at(i)), &y_step,
          static_cast<T*>(p.c_at(i)), &p.ldc);
  return true;
}

// Products with so few rows and terms that a call of the library takes longer than the product; of any number of
// columns, because a batch with one common factor arrives as one product. The threads share columns.
constexpr int64_t kTiny = 8;
template <class T> struct VectorOf;
template <> struct VectorOf<float> {
  typedef float type __attribute__((vector_size(16), may_alias));
};
template <> struct VectorOf<double> {
  typedef double type __attribute__((vector_size(16), may_alias));
};
template <class T, int Rows> void multiply_tiny(const GemmProblem& p, int64_t i) {
  using Vector = typename VectorOf<T>::type;
  constexpr int kLanes = int(sizeof(Vector) / sizeof(T));
  const T* const a = static_cast<const T*>(p.a_at(i));
  const T* const b = static_cast<const T*>(p.b_at(i));
  T* const c = static_cast<T*>(p.c_at(i));
  const T alpha = scalar<T>(p.alpha), beta = scalar<T>(p.beta);
  const int64_t a_row = p.op_a == Op::none ? 1 : p.lda, a_column = p.op_a == Op::none ? p.lda : 1;
  const int64_t b_row = p.op_b == Op::none ? 1 : p.ldb, b_column = p.op_b == Op::none ? p.ldb : 1;
  alignas(64) T columns[kTiny][Rows];  // of a
  for (int64_t k = 0; k < p.k; ++k)
    for (int r = 0; r < Rows; ++r) columns[k][r] = r < p.m ? a[r * a_row + k * a_column] : T(0);
  base::parallel_for(p.n, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      Vector sums[Rows / kLanes] = {};
      for (int64_t k = 0; k < p.k; ++k) {
        const T x = b[k * b_row + j * b_column];
        for (int q = 0; q < Rows / kLanes; ++q)
          sums[q] += *reinterpret_cast<const Vector*>(&columns[k][kLanes * q]) * x;
      }
      T sum[Rows];
      std::memcpy(sum, sums, sizeof sum);
      T* const to = c + j * p.ldc;
      if (beta == T(0))  // what c holds is not read
        for (int64_t r = 0; r < p.m; ++r) to[r] = alpha * sum[r];
      else
        for (int64_t r = 0; r < p.m; ++r) to[r] = alpha * sum[r] + beta * to[r];
    }
  });
}
template <class T> bool multiply_tiny(const GemmProblem& p, int64_t i) {
  if constexpr (!std::is_floating_point_v<T>) return false;
  else if (p.m > kTiny || p.k > kTiny || p.k == 0 || scalar<T>(p.alpha) == T(0)) return false;
  else if (p.m <= 4) return multiply_tiny<T, 4>(p, i), true;
  else return multiply_tiny<T, int(kTiny)>(p, i), true;
}

// Matrix i of the problem.
template <class T>
void product_of(const GemmProblem& p, const Blas& library, int64_t i, decltype(Product<T>::gemm) routine) {
  if (multiply_tiny<T>(p, i)) return;
  if ((p.m == 1 || p.n == 1) && multiply_vector<T>(p, library, i)) return;
  if (p.k == 1 && add_outer<T>(p, library, i)) return;
  Product<T>{routine, letter(p.op_a),     letter(p.op_b),   p.m, p.n, p.k, p.lda, p.ldb,
             p.ldc,   scalar<T>(p.alpha), scalar<T>(p.beta)}
      .run(static_cast<const T*>(p.a_at(i)), static_cast<const T*>(p.b_at(i)), static_cast<T*>(p.c_at(i)));
}

double work_of(const GemmProblem& p) { return double(p.m) * double(p.n) * double(p.k); }

// Runs one(problem, i) for each matrix of the problems, distributed according to their sizes.
template <class F> void each(std::span<const GemmProblem> problems, F&& one) {
  const int threads = base::thread_count();
  double largest = 0;
  int64_t count = 0;
  for (const GemmProblem& p : problems) largest = std::max(largest, work_of(p)), count += p.batch;
  if (count > 1 && threads > 1 && largest <= kSmall) {
    std::vector<int64_t> starts{0};  // the number of each problem's first matrix
    for (const GemmProblem& p : problems) starts.push_back(starts.back() + p.batch);
    BlasThreads single(1);
    const int64_t grain = std::max<int64_t>(1, int64_t(32768 / std::max(largest, 1.0)));
    base::parallel_for(count, grain, [&](int64_t begin, int64_t end) {
      size_t k = size_t(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
      for (int64_t i = begin; i < end; ++i) {
        while (i >= starts[k + 1]) ++k;
        one(problems[k], i - starts[k]);
      }
    });
  } else {
    BlasThreads all(threads);
    for (const GemmProblem& p : problems)
      for (int64_t i = 0; i < p.batch; ++i) one(p, i);
  }
}

// A column-major operand with 1 or 2 bytes per element, which is widened block by block.
class Operand {
 public:
  Operand(const void* first, int64_t ld, Dtype dtype, bool plain)
      : bytes_(dtype_bytes(dtype)), first_(static_cast<const char*>(first)), ld_(ld), dtype_(dtype), plain_(plain) {}
  char op() const { return plain_ ? 'N' : 'T'; }
  // Widens the block of op(x) at (row, col), stored in the order of x; returns its leading dimension.
  int64_t block(float* to, int64_t row, int64_t col, int64_t rows, int64_t cols) const {
    if (!plain_) std::swap(row, col), std::swap(rows, cols);
    if (dtype_float8(dtype_)) return float8_block(to, row, col, rows, cols);
    run(CopyProblem{to,
                    first_ + (row + col * ld_) * bytes_,
                    TENON_FLOAT32,
                    dtype_,
                    4,
                    {{cols, rows * 4, ld_ * bytes_}, {rows, 4, bytes_}}});
    return rows;
  }

 private:
  int64_t float8_block(float* to, int64_t row, int64_t col, int64_t rows, int64_t cols) const {
    const auto& values = dtype_ == TENON_FLOAT8_E5M2 ? base::kFloat8E5M2 : base::kFloat8E4M3FN;
    for (int64_t j = 0; j < cols; ++j) {
      const auto* from = reinterpret_cast<const uint8_t*>(first_) + row + (col + j) * ld_;
      for (int64_t i = 0; i < rows; ++i) *to++ = values[from[i]];
    }
    return rows;
  }

  int64_t bytes_;
  const char* first_;
  int64_t ld_;
  Dtype dtype_;
  bool plain_;
};

struct Scratch {
  std::vector<float> a, b, c;
  std::vector<uint32_t> sums;
};

// Calls tile(i, j, rows, cols) for the blocks of c; the scratch memory has room for those of a and b of `depth`.
template <class F> void each_tile(const GemmProblem& p, int64_t depth, Scratch& scratch, F&& tile) {
  const int64_t mb = std::min(p.m, kBlockSize), nb = std::min(p.n, kBlockSize), kb = std::min(p.k, depth);
  scratch.a.resize(size_t(mb * kb));
  scratch.b.resize(size_t(kb * nb));
  scratch.c.resize(size_t(mb * nb));
  for (int64_t j = 0; j < p.n; j += nb)
    for (int64_t i = 0; i < p.m; i += mb) tile(i, j, std::min(mb, p.m - i), std::min(nb, p.n - j));
}

// A block of c (+)= alpha a b over the columns [l, l + depth) of a.
void multiply(const Blas& library, const Operand& a, const Operand& b, Scratch& scratch, int64_t i, int64_t j,
              int64_t l, int64_t rows, int64_t cols, int64_t depth, float alpha, float beta, float* c, int64_t ldc) {
  if (alpha == 0) depth = 0;  // a and b are not read
  const int64_t lda = depth ? a.block(scratch.a.data(), i, l, rows, depth) : 1,
                ldb = depth ? b.block(scratch.b.data(), l, j, depth, cols) : 1;
  const Product<float> product{library.sgemm,
                               a.op(),
                               b.op(),
                               rows,
                               cols,
                               depth,
                               std::max(lda, a.op() == 'N' ? rows : depth),
                               std::max<int64_t>(ldb, b.op() == 'N' ? std::max<int64_t>(depth, 1) : cols),
                               ldc,
                               alpha,
                               beta};
  product.run(scratch.a.data(), scratch.b.data(), c);
}

// float16, bfloat16 and float8: multiplied and summed over k in float32, and rounded once, to c's dtype.
void gemm_half(const GemmProblem& p, const Blas& library, int64_t index, Scratch& scratch) {
  const Operand a(p.a_at(index), p.lda, p.dtype, p.op_a == Op::none),
      b(p.b_at(index), p.ldb, p.b_dtype(), p.op_b == Op::none);
  const Dtype t = p.result_dtype();
  const int64_t bytes = dtype_bytes(t);
  char* c = static_cast<char*>(p.c_at(index));
  const float alpha = float(p.alpha.real()), beta = float(p.beta.real());
  each_tile(p, kBlockDepth, scratch, [&](int64_t i, int64_t j, int64_t rows, int64_t cols) {
    char* tile = c + (i + j * p.ldc) * bytes;
    const bool direct = t == TENON_FLOAT32;
    float* sums = direct ? reinterpret_cast<float*>(tile) : scratch.c.data();
    const int64_t ld = direct ? p.ldc : rows;
    if (!direct && beta != 0)
      run(CopyProblem{sums, tile, TENON_FLOAT32, t, 4, {{cols, rows * 4, p.ldc * bytes}, {rows, 4, bytes}}});
    for (int64_t l = 0; l < p.k; l += kBlockDepth)
      multiply(library, a, b, scratch, i, j, l, rows, cols, std::min(kBlockDepth, p.k - l), alpha, l == 0 ? beta : 1.0f,
               sums, ld);
    if (!direct)
      run(CopyProblem{
          tile, sums, t, TENON_FLOAT32, uint32_t(bytes), {{cols, p.ldc * bytes, rows * 4}, {rows, bytes, 4}}});
  });
}

// int8 to int32: sums of up to kExact products are exact in float32, and are added modulo 2^32.
constexpr int64_t kExact = 1024;  // each at most 2^14, together 2^24

void gemm_int8(const GemmProblem& p, const Blas& library, int64_t index, Scratch& scratch) {
  const Operand a(p.a_at(index), p.lda, p.dtype, p.op_a == Op::none),
      b(p.b_at(index), p.ldb, p.dtype, p.op_b == Op::none);
  uint32_t* c = static_cast<uint32_t*>(p.c_at(index));
  const uint32_t alpha = uint32_t(int64_t(p.alpha.real())), beta = uint32_t(int64_t(p.beta.real()));
  each_tile(p, kExact, scratch, [&](int64_t i, int64_t j, int64_t rows, int64_t cols) {
    scratch.sums.assign(size_t(rows * cols), 0);
    for (int64_t l = 0; alpha && l < p.k; l += kExact) {
      multiply(library, a, b, scratch, i, j, l, rows, cols, std::min(kExact, p.k - l), 1, 0, scratch.c.data(), rows);
      for (int64_t e = 0; e < rows * cols; ++e) scratch.sums[size_t(e)] += uint32_t(int32_t(scratch.c[size_t(e)]));
    }
    for (int64_t y = 0; y < cols; ++y) {
      uint32_t* to = c + i + (j + y) * p.ldc;
      const uint32_t* sums = scratch.sums.data() + y * rows;
      for (int64_t x = 0; x < rows; ++x) to[x] = alpha * sums[x] + (beta ? beta * to[x] : 0);
    }
  });
}

// c = epilogue(c + bias) for a column; N reads and writes a T. bias: one number per row, or NULL; whole: one for the
// column.
template <class N, int32_t kind, class T, class R> void epilogue_of(T* c, const T* bias, R whole, int64_t count) {
  const auto one = [](R x) {
    if constexpr (kind == TENON_EPILOGUE_RELU) return x < 0 ? R(0) : x;
    if constexpr (kind == TENON_EPILOGUE_GELU)
      return R(0.5) * x * (1 + std::tanh(R(0.7978845608028654) * (x + R(0.044715) * x * x * x)));
    return x;
  };
  if (bias)
    for (int64_t i = 0; i < count; ++i) c[i] = N::write(one(N::read(c[i]) + N::read(bias[i])));
  else
    for (int64_t i = 0; i < count; ++i) c[i] = N::write(one(N::read(c[i]) + whole));
}

template <class T, class N> void apply_epilogue(const GemmProblem& p) {
  using R = decltype(N::read(T()));
  const T* bias = static_cast<const T*>(p.bias);
  const auto column = p.epilogue == TENON_EPILOGUE_RELU   ? epilogue_of<N, TENON_EPILOGUE_RELU, T, R>
                      : p.epilogue == TENON_EPILOGUE_GELU ? epilogue_of<N, TENON_EPILOGUE_GELU, T, R>
                                                          : epilogue_of<N, TENON_EPILOGUE_NONE, T, R>;
  base::parallel_for(p.batch * p.n, std::max<int64_t>(1, 16384 / p.m), [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j)
      column(static_cast<T*>(p.c) + j / p.n * p.stride_c + j % p.n * p.ldc, p.bias_of_columns ? nullptr : bias,
             bias && p.bias_of_columns ? N::read(bias[j % p.n]) : R(0), p.m);
  });
}

void apply_epilogue(const GemmProblem& p) {
  switch (p.result_dtype()) {
    case TENON_FLOAT16: return apply_epilogue<uint16_t, Half>(p);
    case TENON_BFLOAT16: return apply_epilogue<uint16_t, Bfloat>(p);
    case TENON_FLOAT32: return apply_epilogue<float, Number<float>>(p);
    case TENON_FLOAT64: return apply_epilogue<double, Number<double>>(p);
    default: fail(TENON_ERROR_DTYPE, "gemm does not support an epilogue for %s", dtype_name(p.result_dtype()).c_str());
  }
}

// Matrix `index` of the problem. scratch: the thread's own.
void multiply_one(const GemmProblem& p, const Blas& library, int64_t index, Scratch& scratch) {
  switch (p.dtype) {
    case TENON_FLOAT32: return product_of<float>(p, library, index, library.sgemm);
    case TENON_FLOAT64: return product_of<double>(p, library, index, library.dgemm);
    case TENON_COMPLEX64: return product_of<std::complex<float>>(p, library, index, library.cgemm);
    case TENON_COMPLEX128: return product_of<std::complex<double>>(p, library, index, library.zgemm);
    case TENON_INT8: return gemm_int8(p, library, index, scratch);
    default: return gemm_half(p, library, index, scratch);
  }
}

void check(const GemmProblem& p, const Blas& library) {
  for (const auto& [value, what] : {std::pair{p.m, "m"},
                                    {p.n, "n"},
                                    {p.k, "k"},
                                    {p.lda, "the leading dimension of a"},
                                    {p.ldb, "the leading dimension of b"},
                                    {p.ldc, "the leading dimension of c"}})
    require_fits(library, value, what);
  TENON_REQUIRE(dtype_floating(p.dtype) || dtype_complex(p.dtype) || dtype_float8(p.dtype) || p.dtype == TENON_INT8,
                TENON_ERROR_DTYPE, "gemm does not support products of %s", dtype_name(p.dtype).c_str());
}

// Reads the factors that are given in memory.
GemmProblem with_host_factors(GemmProblem p) {
  if (p.alpha_at) p.alpha = factor_at(p.alpha_at, p.result_dtype());
  if (p.beta_at) p.beta = factor_at(p.beta_at, p.result_dtype());
  p.alpha_at = p.beta_at = nullptr;
  return p;
}

void multiply_all(std::span<const GemmProblem> problems) {
  if (std::any_of(problems.begin(), problems.end(), [](const GemmProblem& p) { return p.factors_on_device(); })) {
    std::vector<GemmProblem> known;
    for (const GemmProblem& p : problems) known.push_back(with_host_factors(p));
    return multiply_all(known);
  }
  const Blas& library = blas();
  for (const GemmProblem& p : problems) check(p, library);
  std::vector<Scratch> scratch(size_t(std::max(base::thread_count(), base::thread_index() + 1)));
  each(problems,
       [&](const GemmProblem& p, int64_t i) { multiply_one(p, library, i, scratch[size_t(base::thread_index())]); });
  for (const GemmProblem& p : problems)
    if (p.has_epilogue()) apply_epilogue(p);
}

}  // namespace

void run(const GemmProblem& problem) { multiply_all({&problem, 1}); }
void run(const GroupedGemmProblem& problem) { multiply_all(problem.products); }

}  // namespace tenon::cpu
