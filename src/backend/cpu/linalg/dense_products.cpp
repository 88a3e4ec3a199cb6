// backend/cpu/linalg/dense_products.cpp: BLAS's products with triangles, symmetric and banded matrices, and sums of
// matrices.
#include "backend/cpu/linalg/dense.hpp"
#include "backend/cpu/linalg/dense_small.hpp"

namespace tenon::cpu {
namespace {

// c = beta c for a beta that is NaN, which is then replaced by 1: some libraries would keep zeros in c.
template <class T, class B> void scale_by_nan(const SyrkProblem& p, B& beta) {
  if (beta == beta) return;
  each_column<T>(p, p.c, [&](T* x, int64_t, int64_t j) {
    for (int64_t i = p.upper ? 0 : j; i < (p.upper ? j + 1 : p.n); ++i) x[i] *= beta;
  });
  beta = 1;
}

}  // namespace

namespace {

template <class T, class Problem, class F> void triangular(const Problem& p, const F& routine) {
  const char side = p.right ? 'R' : 'L', uplo = p.upper ? 'U' : 'L', op = letter(p.op), diagonal = p.unit ? 'U' : 'N';
  const T alpha = scalar<T>(p.alpha);
  each_matrix(p.batch, double(p.m) * double(p.n) * double(p.right ? p.n : p.m), [&] {
    return [&](int64_t g) {
      routine(&side, &uplo, &op, &diagonal, &p.m, &p.n, &alpha, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.ld, 1, 1, 1,
              1);
    };
  });
}

}  // namespace

template <class T> void dense_trmm(const TrmmProblem& p, const Blas* library) {
  triangular<T>(p, Routines<T>(*library).trmm);
}

template <class T> void dense_trsm(const TrsmProblem& p, const Blas* library) {
  triangular<T>(p, Routines<T>(*library).trsm);
}

template <class T> void dense_syrk(const SyrkProblem& p, const Blas* library) {
  using R = typename Real<T>::type;
  const Routines<T> r(*library);
  const auto run = [&](const auto routine, char transposed, auto alpha, auto beta) {
    scale_by_nan<T>(p, beta);
    const char uplo = p.upper ? 'U' : 'L', op = p.op == Op::none ? 'N' : transposed;
    each_matrix(p.batch, double(p.n) * double(p.n) * double(p.k), [&] {
      return [&](int64_t g) {
        routine(&uplo, &op, &p.n, &p.k, &alpha, at<T>(p.a, g), &p.a.ld, &beta, at<T>(p.c, g), &p.c.ld, 1, 1);
      };
    });
  };
  if (p.conjugated) run(r.herk, 'C', R(p.alpha.real()), R(p.beta.real()));
  else run(r.syrk, 'T', scalar<T>(p.alpha), scalar<T>(p.beta));
}

template <class T> void dense_symm(const SymmProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const auto routine = p.conjugated ? r.hemm : r.symm;
  const char side = p.right ? 'R' : 'L', uplo = p.upper ? 'U' : 'L';
  const T alpha = scalar<T>(p.alpha), beta = scalar<T>(p.beta);
  each_matrix(p.batch, double(p.m) * double(p.n) * double(p.right ? p.n : p.m), [&] {
    return [&](int64_t g) {
      routine(&side, &uplo, &p.m, &p.n, &alpha, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.ld, &beta, at<T>(p.c, g),
              &p.c.ld, 1, 1);
    };
  });
}

template <class T> void dense_syr2k(const Syr2kProblem& p, const Blas* library) {
  using R = typename Real<T>::type;
  const Routines<T> r(*library);
  const T alpha = scalar<T>(p.alpha);
  const auto run = [&](const auto routine, char transposed, auto beta) {
    scale_by_nan<T>(p, beta);
    const char uplo = p.upper ? 'U' : 'L', op = p.op == Op::none ? 'N' : transposed;
    each_matrix(p.batch, 2 * double(p.n) * double(p.n) * double(p.k), [&] {
      return [&](int64_t g) {
        routine(&uplo, &op, &p.n, &p.k, &alpha, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.ld, &beta, at<T>(p.c, g),
                &p.c.ld, 1, 1);
      };
    });
  };
  if (p.conjugated) run(r.her2k, 'C', R(p.beta.real()));
  else run(r.syr2k, 'T', scalar<T>(p.beta));
}

// y = beta y: libraries differ in the treatment of a NaN in y with beta 0, and of a beta that is NaN.
template <class T> void scale_vector(const DenseMatrix& y, int64_t g, int64_t count, T beta) {
  if (beta == T(1)) return;
  T* x = at<T>(y, g);
  for (int64_t i = 0; i < count; ++i) x[i * y.step] = beta == T(0) ? T(0) : beta * x[i * y.step];
}

template <class T> void dense_gbmv(const GbmvProblem& p, const Blas* library) {
  const auto routine = Routines<T>(*library).gbmv;
  const char op = letter(p.op);
  const T alpha = scalar<T>(p.alpha), beta = scalar<T>(p.beta), one = 1;
  each_matrix(p.batch, double(p.n) * double(p.below + p.above + 1), [&] {
    return [&](int64_t g) {
      scale_vector(p.c, g, p.op == Op::none ? p.m : p.n, beta);
      routine(&op, &p.m, &p.n, &p.below, &p.above, &alpha, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.step, &one,
              at<T>(p.c, g), &p.c.step, 1);
    };
  });
}

template <class T> void dense_sbmv(const SbmvProblem& p, const Blas* library) {
  const auto routine = Routines<T>(*library).sbmv;
  const char uplo = p.upper ? 'U' : 'L';
  const T alpha = scalar<T>(p.alpha), beta = scalar<T>(p.beta), one = 1;
  each_matrix(p.batch, double(p.n) * double(2 * p.k + 1), [&] {
    return [&](int64_t g) {
      scale_vector(p.c, g, p.n, beta);
      routine(&uplo, &p.n, &p.k, &alpha, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.step, &one, at<T>(p.c, g),
              &p.c.step, 1);
    };
  });
}

namespace {

template <class T, class F> void band_triangular(const TbmvProblem& p, const F& routine) {
  const char uplo = p.upper ? 'U' : 'L', op = letter(p.op), diagonal = p.unit ? 'U' : 'N';
  each_matrix(p.batch, double(p.n) * double(p.k + 1), [&] {
    return [&](int64_t g) {
      routine(&uplo, &op, &diagonal, &p.n, &p.k, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.step, 1, 1, 1);
    };
  });
}

}  // namespace

template <class T> void dense_tbmv(const TbmvProblem& p, const Blas* library) {
  band_triangular<T>(p, Routines<T>(*library).tbmv);
}

template <class T> void dense_tbsv(const TbsvProblem& p, const Blas* library) {
  band_triangular<T>(p, Routines<T>(*library).tbsv);
}

// A term of the sum, op(x) times a factor; factor 0 means no term, which is not read.
template <class T> struct Term {
  const T* data;
  int64_t row, column;  // the strides of op(x) from one row, and from one column, to the next
  bool conjugated;
  T factor;

  Term(const DenseMatrix& x, int64_t g, Op op, std::complex<double> given)
      : data(at<T>(x, g)),
        row(op == Op::none ? 1 : x.ld),
        column(op == Op::none ? x.ld : 1),
        conjugated(op == Op::conjugate_transpose),
        factor(scalar<T>(given)) {}
  T of(int64_t i, int64_t j) const {
    const T x = data[i * row + j * column];
    return times(factor, conjugated ? conjugate(x) : x);
  }
};

// In tiles, so that for a transposed operand the numbers that are adjacent in memory are used together.
template <class T> void dense_geam(const GeamProblem& p, const Blas*) {
  constexpr int64_t kTile = 32;
  const int64_t columns = (p.n + kTile - 1) / kTile, grain = std::max<int64_t>(1, (1 << 15) / (p.m * kTile));
  base::parallel_for(p.batch * columns, grain, [&](int64_t begin, int64_t end) {
    for (int64_t at_tile = begin; at_tile < end; ++at_tile) {
      const int64_t g = at_tile / columns, first = at_tile % columns * kTile, last = std::min(first + kTile, p.n);
      const Term<T> a(p.a, g, p.op, p.alpha), b(p.b, g, p.op_b, p.beta);
      const auto fill = [&](auto&& value) {
        for (int64_t top = 0; top < p.m; top += kTile)
          for (int64_t j = first; j < last; ++j)
            for (int64_t i = top; i < std::min(top + kTile, p.m); ++i) at<T>(p.c, g)[i + j * p.c.ld] = value(i, j);
      };
      if (a.factor == T(0) && b.factor == T(0)) fill([](int64_t, int64_t) { return T(0); });
      else if (b.factor == T(0)) fill([&](int64_t i, int64_t j) { return a.of(i, j); });
      else if (a.factor == T(0)) fill([&](int64_t i, int64_t j) { return b.of(i, j); });
      else fill([&](int64_t i, int64_t j) { return a.of(i, j) + b.of(i, j); });
    }
  });
}

#define INSTANCES(T)                                                        \
  template void dense_trmm<T>(const TrmmProblem& p, const Blas* library);   \
  template void dense_trsm<T>(const TrsmProblem& p, const Blas* library);   \
  template void dense_syrk<T>(const SyrkProblem& p, const Blas* library);   \
  template void dense_syr2k<T>(const Syr2kProblem& p, const Blas* library); \
  template void dense_symm<T>(const SymmProblem& p, const Blas* library);   \
  template void dense_gbmv<T>(const GbmvProblem& p, const Blas* library);   \
  template void dense_sbmv<T>(const SbmvProblem& p, const Blas* library);   \
  template void dense_tbmv<T>(const TbmvProblem& p, const Blas* library);   \
  template void dense_tbsv<T>(const TbsvProblem& p, const Blas* library);   \
  template void dense_geam<T>(const GeamProblem& p, const Blas* library);
INSTANCES(float)
INSTANCES(double)
INSTANCES(std::complex<float>)
INSTANCES(std::complex<double>)
#undef INSTANCES

}  // namespace tenon::cpu
