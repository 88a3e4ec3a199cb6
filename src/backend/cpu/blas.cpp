// backend/cpu/blas.cpp: matrix products by BLAS: one large product on all threads, many small ones each on its own thread,
// float16 and bfloat16 by way of float32.
#include "backend/cpu/dense.hpp"

#include <algorithm>
#include <vector>
#include "backend/cpu/operations.hpp"

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

// A column-major block of float16 or bfloat16 in memory.
struct Block {
  const char* first;
  int64_t ld;  // elements
  const char* at(int64_t row, int64_t col) const { return first + (row + col * ld) * 2; }
};

void widen(float* to, Dtype from_dtype, const char* from, int64_t ld, int64_t rows, int64_t cols) {
  copy({to, from, TENON_FLOAT32, from_dtype, 4, {{cols, rows * 4, ld * 2}, {rows, 4, 2}}});
}

void narrow(char* to, Dtype to_dtype, int64_t ld, const float* from, int64_t rows, int64_t cols) {
  copy({to, from, to_dtype, TENON_FLOAT32, 2, {{cols, ld * 2, rows * 4}, {rows, 2, 4}}});
}

struct Scratch { std::vector<float> a, b, c; };

// Block by block of c: widen, multiply and add up over k in float32, round once.
void gemm_half(const GemmProblem& p, const Blas& library, int64_t index, Scratch& scratch) {
  const Block a{static_cast<const char*>(p.a) + index * p.stride_a * 2, p.lda};
  const Block b{static_cast<const char*>(p.b) + index * p.stride_b * 2, p.ldb};
  char* c = static_cast<char*>(p.c) + index * p.stride_c * 2;
  const bool plain_a = p.op_a == Op::none, plain_b = p.op_b == Op::none;
  const float alpha = float(p.alpha.real()), beta = float(p.beta.real());
  const int64_t mb = std::min(p.m, kBlock), nb = std::min(p.n, kBlock), kb = std::min(p.k, kBlockDepth);
  scratch.a.resize(size_t(mb * kb));
  scratch.b.resize(size_t(kb * nb));
  scratch.c.resize(size_t(mb * nb));
  for (int64_t j = 0; j < p.n; j += nb)
    for (int64_t i = 0; i < p.m; i += mb) {
      const int64_t rows = std::min(mb, p.m - i), cols = std::min(nb, p.n - j);
      char* tile = c + (i + j * p.ldc) * 2;
      if (beta != 0) widen(scratch.c.data(), p.dtype, tile, p.ldc, rows, cols);
      for (int64_t l = 0; l < p.k; l += kb) {
        const int64_t depth = std::min(kb, p.k - l);
        if (alpha != 0) {
          if (plain_a) widen(scratch.a.data(), p.dtype, a.at(i, l), a.ld, rows, depth);
          else widen(scratch.a.data(), p.dtype, a.at(l, i), a.ld, depth, rows);
          if (plain_b) widen(scratch.b.data(), p.dtype, b.at(l, j), b.ld, depth, cols);
          else widen(scratch.b.data(), p.dtype, b.at(j, l), b.ld, cols, depth);
        }
        const Product<float> product{library.sgemm, plain_a ? 'N' : 'T', plain_b ? 'N' : 'T', rows, cols, depth,
                                     plain_a ? rows : depth, plain_b ? depth : cols, rows, alpha, l == 0 ? beta : 1.0f};
        product.run(scratch.a.data(), scratch.b.data(), scratch.c.data());
      }
      narrow(tile, p.dtype, p.ldc, scratch.c.data(), rows, cols);
    }
}

}  // namespace

void gemm(const GemmProblem& p) {
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
    case TENON_BFLOAT16: {
      std::vector<Scratch> scratch(size_t(std::max(base::thread_count(), base::thread_index() + 1)));
      return each(p, [&](int64_t i) { gemm_half(p, library, i, scratch[size_t(base::thread_index())]); });
    }
    default: fail(TENON_ERROR_DTYPE, "gemm has no product of %s", dtype_name(p.dtype).c_str());
  }
}

}  // namespace tenon::cpu
