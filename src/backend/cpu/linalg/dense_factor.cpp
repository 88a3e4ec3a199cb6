// backend/cpu/linalg/dense_factor.cpp: LU, Cholesky and QR by LAPACK, and the solutions that use them; the smallest
// matrices by loops of our own.
#include "backend/cpu/linalg/dense.hpp"
#include "backend/cpu/linalg/dense_extreme.hpp"
#include "backend/cpu/linalg/dense_small.hpp"

namespace tenon::cpu {
namespace {

double cube(int64_t n) { return double(n) * double(n) * double(n); }

// Small matrices, distributed over the pool.
template <class F> void each_small(const OnMatrices& p, double work, F&& one) {
  base::parallel_for(p.batch, std::max<int64_t>(1, int64_t(20000 / work)), [&](int64_t begin, int64_t end) {
    for (int64_t g = begin; g < end; ++g) one(g);
  });
}

bool is_small(int64_t n, int64_t columns = 0) { return n <= kSmallSide && columns <= kSmallSide; }

// Pivots in the library's integers.
class Pivots {
 public:
  Pivots(const Blas& library, int64_t count) : wide_(library.wide), count_(count), memory_(scratch<Int>(count)) {}
  Int* get() { return memory_.get(); }
  void store(int64_t* to) const {
    if (wide_) std::copy_n(memory_.get(), count_, to);
    else
      std::copy_n(reinterpret_cast<const int32_t*>(memory_.get()), count_, to);  // signed: those of LDL may be negative
  }
  void load(const int64_t* from) {
    if (wide_) std::copy_n(from, count_, memory_.get());
    else
      std::transform(from, from + count_, reinterpret_cast<int32_t*>(memory_.get()),
                     [](int64_t x) { return int32_t(x); });
  }

 private:
  bool wide_;
  int64_t count_;
  Workspace<Int> memory_;
};

}  // namespace

template <class T> void dense_lu(const LuProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const int64_t count = std::min(p.m, p.n);
  if (p.m == p.n && is_small(p.n))
    return each_small(p, cube(p.n), [&](int64_t g) {
      p.info[g] = int32_t(small_lu(at<T>(p.a, g), p.a.ld, p.n, p.n, p.pivots + g * p.n));
    });
  each_matrix(p.batch, double(p.m) * double(p.n) * double(count), [&] {
    return [&, pivots = Pivots(*library, count)](int64_t g) mutable {
      Int info = 0;
      T* a = at<T>(p.a, g);
      const Range<T> range = range_of(a, p.a.ld, p.m, p.n);
      const Columns<T> kept = range.moderate() && range.summable() ? Columns<T>() : Columns<T>(a, p.a.ld, p.m, p.n);
      r.getrf(&p.m, &p.n, a, &p.a.ld, pivots.get(), &info);
      const auto failed = [&] { return kept && !columns_finite(a, p.a.ld, p.m, p.n); };
      if (!range.summable() && failed()) {  // only now: scaling makes the smallest numbers zero
        kept.restore(a, p.a.ld);
        scale_columns(a, p.a.ld, p.m, p.n, -kSummable<T>);
        r.getrf(&p.m, &p.n, a, &p.a.ld, pivots.get(), &info);
        scale_upper(a, p.a.ld, p.m, p.n, kSummable<T>);
      }
      if (failed()) {  // OpenBLAS multiplies with reciprocals
        kept.restore(a, p.a.ld);
        p.info[g] = int32_t(small_lu(a, p.a.ld, p.m, p.n, p.pivots + g * count));
        return;
      }
      take_info<T>(p, *library, g, info, "getrf");
      pivots.store(p.pivots + g * count);
    };
  });
}

template <class T> void dense_lu_solve(const LuSolveProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const char op = letter(p.op);
  const auto by_loops = [&](int64_t g) {
    const T* a = at<T>(p.a, g);
    const int64_t* pivots = p.pivots + (p.a.stride ? g * p.n : 0);
    for (int64_t j = 0; j < p.k; ++j) {
      T* b = at<T>(p.b, g) + j * p.b.ld;
      if (p.op == Op::none) small_lu_solve(a, p.a.ld, p.n, pivots, b);
      else if (p.op == Op::transpose) small_lu_solve_turned<false>(a, p.a.ld, p.n, pivots, b);
      else small_lu_solve_turned<true>(a, p.a.ld, p.n, pivots, b);
    }
  };
  if (is_small(p.n, p.k)) return each_small(p, double(p.n) * double(p.n) * double(p.k), by_loops);
  each_matrix(p.batch, double(p.n) * double(p.n) * double(p.k), [&] {
    return [&, pivots = Pivots(*library, p.n)](int64_t g) mutable {
      Int info = 0;
      if (!range_of(at<T>(p.a, g), p.a.ld + 1, 1, p.n).moderate()) return by_loops(g);  // of U's diagonal
      pivots.load(p.pivots + (p.a.stride ? g * p.n : 0));
      r.getrs(&op, &p.n, &p.k, at<T>(p.a, g), &p.a.ld, pivots.get(), at<T>(p.b, g), &p.b.ld, &info, 1);
      take_info<T>(p, *library, g, info, "getrs");
    };
  });
}

template <class T> void dense_cholesky(const CholeskyProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const char uplo = p.upper ? 'U' : 'L';
  if (is_small(p.n))
    return each_small(p, cube(p.n) / 2,
                      [&](int64_t g) { p.info[g] = int32_t(small_cholesky(at<T>(p.a, g), p.a.ld, p.n, p.upper)); });
  each_matrix(p.batch, cube(p.n) / 2, [&] {
    return [&](int64_t g) {
      Int info = 0;
      r.potrf(&uplo, &p.n, at<T>(p.a, g), &p.a.ld, &info, 1);
      take_info<T>(p, *library, g, info, "potrf");
    };
  });
}

template <class T> void dense_cholesky_solve(const CholeskySolveProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const char uplo = p.upper ? 'U' : 'L';
  if (is_small(p.n, p.k))
    return each_small(p, double(p.n) * double(p.n) * double(p.k), [&](int64_t g) {
      for (int64_t j = 0; j < p.k; ++j)
        small_cholesky_solve(at<T>(p.a, g), p.a.ld, p.n, p.upper, at<T>(p.b, g) + j * p.b.ld);
    });
  each_matrix(p.batch, double(p.n) * double(p.n) * double(p.k), [&] {
    return [&](int64_t g) {
      Int info = 0;
      r.potrs(&uplo, &p.n, &p.k, at<T>(p.a, g), &p.a.ld, at<T>(p.b, g), &p.b.ld, &info, 1);
      take_info<T>(p, *library, g, info, "potrs");
    };
  });
}

template <class T> void dense_ldl(const LdlProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const auto routine = p.conjugated ? r.hetrf : r.sytrf;
  const char uplo = p.upper ? 'U' : 'L';
  T answer{};
  Int unused = 0, lwork = -1;
  routine(&uplo, &p.n, at<T>(p.a, 0), &p.a.ld, &unused, &answer, &lwork, &unused, 1);
  lwork = workspace_size(*library, answer);
  each_matrix(p.batch, cube(p.n) / 2, [&] {
    return [&, pivots = Pivots(*library, p.n), work = scratch<T>(lwork)](int64_t g) mutable {
      Int info = 0;
      T* a = at<T>(p.a, g);
      const Range<T> range = range_of(a, p.a.ld, p.n, p.n);
      int exponent = range.moderate() && range.summable() ? 0 : range.exponent();
      const Columns<T> kept = exponent > 0 ? Columns<T>(a, p.a.ld, p.n, p.n) : Columns<T>();
      const auto factor = [&](int by) {
        scale_columns(a, p.a.ld, p.n, p.n, -by);
        routine(&uplo, &p.n, a, &p.a.ld, pivots.get(), work.get(), &lwork, &info, 1);
      };
      factor(std::min(exponent, 0));
      if (kept && columns_finite(a, p.a.ld, p.n, p.n)) {
        exponent = 0;
      } else if (kept) {  // only now: scaling makes the smallest numbers zero
        kept.restore(a, p.a.ld);
        factor(exponent);
      }
      take_info<T>(p, *library, g, info, p.conjugated ? "hetrf" : "sytrf");
      pivots.store(p.pivots + g * p.n);
      if (exponent) scale_blocks(a, p.a.ld, p.n, p.upper, p.pivots + g * p.n, exponent);
    };
  });
}

template <class T> void dense_ldl_solve(const LdlSolveProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const auto routine = p.conjugated ? r.hetrs : r.sytrs;
  const char uplo = p.upper ? 'U' : 'L';
  each_matrix(p.batch, double(p.n) * double(p.n) * double(p.k), [&] {
    return [&, pivots = Pivots(*library, p.n)](int64_t g) mutable {
      Int info = 0;
      const T* a = at<T>(p.a, g);
      const int64_t* matrix_pivots = p.pivots + (p.a.stride ? g * p.n : 0);
      Range<T> range = range_of(a, p.a.ld + 1, 1, p.n);  // of D
      for (int64_t i = 0; i + 1 < p.n; ++i)
        if (matrix_pivots[i] < 0) range.add(p.upper ? a + i + (i + 1) * p.a.ld : a + i + 1 + i * p.a.ld, 1), ++i;
      const int exponent = range.moderate() ? 0 : range.exponent();
      const Columns<T> near_one = exponent ? Columns<T>(a, p.a.ld, p.n, p.n) : Columns<T>();
      if (exponent) scale_blocks(near_one.data(), p.n, p.n, p.upper, matrix_pivots, -exponent);
      pivots.load(matrix_pivots);
      routine(&uplo, &p.n, &p.k, exponent ? near_one.data() : a, exponent ? &p.n : &p.a.ld, pivots.get(), at<T>(p.b, g),
              &p.b.ld, &info, 1);
      scale_columns(at<T>(p.b, g), p.b.ld, p.n, p.k, -exponent);
      take_info<T>(p, *library, g, info, p.conjugated ? "hetrs" : "sytrs");
    };
  });
}

template <class T> void dense_qr(const QrProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const int64_t count = std::min(p.m, p.n);
  T* tau = static_cast<T*>(p.tau);
  T answer{};
  Int info = 0, lwork = -1;
  r.geqrf(&p.m, &p.n, at<T>(p.a, 0), &p.a.ld, tau, &answer, &lwork, &info);
  take_info<T>(p, *library, 0, info, "geqrf");
  lwork = workspace_size(*library, answer);
  each_matrix(p.batch, 2 * double(p.m) * double(p.n) * double(count), [&] {
    return [&, work = scratch<T>(lwork)](int64_t g) {
      Int info = 0;
      T* a = at<T>(p.a, g);
      const int exponent = range_of(a, p.a.ld, p.m, p.n).summable() ? 0 : kSummable<T>;
      scale_columns(a, p.a.ld, p.m, p.n, -exponent);
      r.geqrf(&p.m, &p.n, a, &p.a.ld, tau + g * count, work.get(), &lwork, &info);
      scale_upper(a, p.a.ld, p.m, p.n, exponent);
      take_info<T>(p, *library, g, info, "geqrf");
    };
  });
}

template <class T> void dense_qr_vectors(const QrVectorsProblem& p, const Blas* library) {
  const Routines<T> r(*library);
  const T* tau = static_cast<const T*>(p.tau);
  T answer{};
  Int info = 0, lwork = -1;
  r.orgqr(&p.m, &p.n, &p.k, at<T>(p.a, 0), &p.a.ld, tau, &answer, &lwork, &info);
  take_info<T>(p, *library, 0, info, "orgqr");
  lwork = workspace_size(*library, answer);
  each_matrix(p.batch, 2 * double(p.m) * double(p.n) * double(p.k), [&] {
    return [&, work = scratch<T>(lwork)](int64_t g) {
      Int info = 0;
      r.orgqr(&p.m, &p.n, &p.k, at<T>(p.a, g), &p.a.ld, tau + g * p.k, work.get(), &lwork, &info);
      take_info<T>(p, *library, g, info, "orgqr");
    };
  });
}

#define INSTANCES(T)                                                               \
  template void dense_lu<T>(const LuProblem&, const Blas*);                        \
  template void dense_lu_solve<T>(const LuSolveProblem&, const Blas*);             \
  template void dense_cholesky<T>(const CholeskyProblem&, const Blas*);            \
  template void dense_cholesky_solve<T>(const CholeskySolveProblem&, const Blas*); \
  template void dense_ldl<T>(const LdlProblem&, const Blas*);                      \
  template void dense_ldl_solve<T>(const LdlSolveProblem&, const Blas*);           \
  template void dense_qr<T>(const QrProblem&, const Blas*);                        \
  template void dense_qr_vectors<T>(const QrVectorsProblem&, const Blas*);
INSTANCES(float)
INSTANCES(double)
INSTANCES(std::complex<float>)
INSTANCES(std::complex<double>)
#undef INSTANCES

}  // namespace tenon::cpu
