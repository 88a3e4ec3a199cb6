// backend/cpu/blas.cpp: matrix products by BLAS: one large product on all threads, many small ones each on its own thread,
// float16, bfloat16, float8 and int8 by way of float32.
#include "backend/cpu/dense.hpp"

#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include <vector>
#include "backend/cpu/operations.hpp"
#include "base/float8.hpp"
#include "base/half.hpp"

namespace tenon::cpu {
namespace {

// Below this many multiplications a batch goes matrix by matrix to the pool's threads.
constexpr double kSmall = 256.0 * 256 * 256;
// Sides of the blocks in which half-width types are widened.
constexpr int64_t kBlock = 1024, kBlockDepth = 4096;

// One product in the element type T.
template <class T>
struct Product {
  void (*gemm)(const char*, const char*, const Int*, const Int*, const Int*, const T*, const T*, const Int*, const T*,
               const Int*, const T*, T*, const Int*, size_t, size_t);
  char op_a, op_b;
  Int m, n, k, lda, ldb, ldc;
  T alpha, beta;

  void run(const T* a, const T* b, T* c) const {
    gemm(&op_a, &op_b, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
  }
};

// Runs one(i) for each matrix of the batch, shared out as its size suggests.
template <class F>
void each(const GemmProblem& p, F&& one) {
  const double work = double(p.m) * double(p.n) * double(p.k);
  const int threads = base::thread_count();
  if (p.batch > 1 && threads > 1 && work <= kSmall) {
    BlasThreads single(1);
    const int64_t grain = std::max<int64_t>(1, int64_t(32768 / std::max(work, 1.0)));
    base::parallel_for(p.batch, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) one(i);
    });
  } else {
    BlasThreads all(threads);
    for (int64_t i = 0; i < p.batch; ++i) one(i);
  }
}

template <class T>
void gemm_as(const GemmProblem& p, decltype(Product<T>::gemm) routine) {
  const Product<T> product{routine, letter(p.op_a), letter(p.op_b), p.m, p.n, p.k, p.lda, p.ldb, p.ldc,
                           scalar<T>(p.alpha), scalar<T>(p.beta)};
  each(p, [&](int64_t i) {
    product.run(static_cast<const T*>(p.a) + i * p.stride_a, static_cast<const T*>(p.b) + i * p.stride_b,
                static_cast<T*>(p.c) + i * p.stride_c);
  });
}

// A column-major operand of 1 or 2 bytes an element, widened block by block.
class Operand {
 public:
  Operand(const void* first, int64_t offset, int64_t ld, Dtype dtype, bool plain)
      : bytes_(dtype_bytes(dtype)), first_(static_cast<const char*>(first) + offset * bytes_), ld_(ld), dtype_(dtype), plain_(plain) {}
  char op() const { return plain_ ? 'N' : 'T'; }
  // The block of op(x) at (row, col), stored as x is; returns its leading dimension.
  int64_t block(float* to, int64_t row, int64_t col, int64_t rows, int64_t cols) const {
    if (!plain_) std::swap(row, col), std::swap(rows, cols);
    if (dtype_float8(dtype_)) return float8_block(to, row, col, rows, cols);
    copy({to, first_ + (row + col * ld_) * bytes_, TENON_FLOAT32, dtype_, 4, {{cols, rows * 4, ld_ * bytes_}, {rows, 4, bytes_}}});
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

struct Scratch { std::vector<float> a, b, c; std::vector<uint32_t> sums; };

// Calls tile(i, j, rows, cols) for the blocks of c, with room in the scratch for those of a and b of `depth`.
template <class F>
void each_tile(const GemmProblem& p, int64_t depth, Scratch& scratch, F&& tile) {
  const int64_t mb = std::min(p.m, kBlock), nb = std::min(p.n, kBlock), kb = std::min(p.k, depth);
  scratch.a.resize(size_t(mb * kb));
  scratch.b.resize(size_t(kb * nb));
  scratch.c.resize(size_t(mb * nb));
  for (int64_t j = 0; j < p.n; j += nb)
    for (int64_t i = 0; i < p.m; i += mb) tile(i, j, std::min(mb, p.m - i), std::min(nb, p.n - j));
}

// A block of c (+)= alpha a b over the columns [l, l + depth) of a.
void multiply(const Blas& library, const Operand& a, const Operand& b, Scratch& scratch, int64_t i, int64_t j, int64_t l, int64_t rows,
              int64_t cols, int64_t depth, float alpha, float beta, float* c, int64_t ldc) {
  if (alpha == 0) depth = 0;  // a and b are not read
  const int64_t lda = depth ? a.block(scratch.a.data(), i, l, rows, depth) : 1, ldb = depth ? b.block(scratch.b.data(), l, j, depth, cols) : 1;
  const Product<float> product{library.sgemm, a.op(), b.op(), rows, cols, depth, std::max(lda, a.op() == 'N' ? rows : depth),
                               std::max<int64_t>(ldb, b.op() == 'N' ? std::max<int64_t>(depth, 1) : cols), ldc, alpha, beta};
  product.run(scratch.a.data(), scratch.b.data(), c);
}

// float16, bfloat16 and float8: multiplied and added up over k in float32, rounded once, to c's dtype.
void gemm_half(const GemmProblem& p, const Blas& library, int64_t index, Scratch& scratch) {
  const Operand a(p.a, index * p.stride_a, p.lda, p.dtype, p.op_a == Op::none);
  const Operand b(p.b, index * p.stride_b, p.ldb, p.b_dtype(), p.op_b == Op::none);
  const Dtype t = p.result_dtype();
  const int64_t bytes = dtype_bytes(t);
  char* c = static_cast<char*>(p.c) + index * p.stride_c * bytes;
  const float alpha = float(p.alpha.real()), beta = float(p.beta.real());
  each_tile(p, kBlockDepth, scratch, [&](int64_t i, int64_t j, int64_t rows, int64_t cols) {
    char* tile = c + (i + j * p.ldc) * bytes;
    const bool direct = t == TENON_FLOAT32;
    float* sums = direct ? reinterpret_cast<float*>(tile) : scratch.c.data();
    const int64_t ld = direct ? p.ldc : rows;
    if (!direct && beta != 0) copy({sums, tile, TENON_FLOAT32, t, 4, {{cols, rows * 4, p.ldc * bytes}, {rows, 4, bytes}}});
    for (int64_t l = 0; l < p.k; l += kBlockDepth)
      multiply(library, a, b, scratch, i, j, l, rows, cols, std::min(kBlockDepth, p.k - l), alpha, l == 0 ? beta : 1.0f, sums, ld);
    if (!direct) copy({tile, sums, t, TENON_FLOAT32, uint32_t(bytes), {{cols, p.ldc * bytes, rows * 4}, {rows, bytes, 4}}});
  });
}

// int8 to int32: sums of up to kExact products are exact in float32, and added up modulo 2^32.
constexpr int64_t kExact = 1024;  // 2^14 each, 2^24 in all

void gemm_int8(const GemmProblem& p, const Blas& library, int64_t index, Scratch& scratch) {
  const Operand a(p.a, index * p.stride_a, p.lda, p.dtype, p.op_a == Op::none), b(p.b, index * p.stride_b, p.ldb, p.dtype, p.op_b == Op::none);
  uint32_t* c = static_cast<uint32_t*>(p.c) + index * p.stride_c;
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

template <class T> struct Number {
  static T read(T x) { return x; }
  static T write(T x) { return x; }
};
struct Half {
  static float read(uint16_t x) { return base::half_to_float(x); }
  static uint16_t write(float x) { return base::float_to_half(x); }
};
struct Bfloat {
  static float read(uint16_t x) { return base::bfloat_to_float(x); }
  static uint16_t write(float x) { return base::float_to_bfloat(x); }
};

// c = epilogue(c + bias) of a column; N reads and writes a T. bias: for each row, or NULL; whole: for the column.
template <class N, int32_t kind, class T, class R>
void epilogue_of(T* c, const T* bias, R whole, int64_t count) {
  const auto one = [](R x) {
    if constexpr (kind == TENON_EPILOGUE_RELU) return x < 0 ? R(0) : x;
    if constexpr (kind == TENON_EPILOGUE_GELU) return R(0.5) * x * (1 + std::tanh(R(0.7978845608028654) * (x + R(0.044715) * x * x * x)));
    return x;
  };
  if (bias)
    for (int64_t i = 0; i < count; ++i) c[i] = N::write(one(N::read(c[i]) + N::read(bias[i])));
  else
    for (int64_t i = 0; i < count; ++i) c[i] = N::write(one(N::read(c[i]) + whole));
}

template <class T, class N>
void apply_epilogue(const GemmProblem& p) {
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
    default: fail(TENON_ERROR_DTYPE, "gemm has no epilogue of %s", dtype_name(p.result_dtype()).c_str());
  }
}

void multiply(const GemmProblem& p) {
  const Blas& library = blas();
  for (const auto& [value, what] : {std::pair{p.m, "m"}, {p.n, "n"}, {p.k, "k"}, {p.lda, "the leading dimension of a"},
                                    {p.ldb, "the leading dimension of b"}, {p.ldc, "the leading dimension of c"}})
    require_fits(library, value, what);
  switch (p.dtype) {
    case TENON_FLOAT32: return gemm_as<float>(p, library.sgemm);
    case TENON_FLOAT64: return gemm_as<double>(p, library.dgemm);
    case TENON_COMPLEX64: return gemm_as<std::complex<float>>(p, library.cgemm);
    case TENON_COMPLEX128: return gemm_as<std::complex<double>>(p, library.zgemm);
    case TENON_FLOAT16:
    case TENON_BFLOAT16:
    case TENON_FLOAT8_E4M3FN:
    case TENON_FLOAT8_E5M2:
    case TENON_INT8: {
      std::vector<Scratch> scratch(size_t(std::max(base::thread_count(), base::thread_index() + 1)));
      const auto one = p.dtype == TENON_INT8 ? gemm_int8 : gemm_half;
      return each(p, [&](int64_t i) { one(p, library, i, scratch[size_t(base::thread_index())]); });
    }
    default: fail(TENON_ERROR_DTYPE, "gemm has no product of %s", dtype_name(p.dtype).c_str());
  }
}

}  // namespace

void gemm(const GemmProblem& p) {
  multiply(p);
  if (p.has_epilogue()) apply_epilogue(p);
}

}  // namespace tenon::cpu
