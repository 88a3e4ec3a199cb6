// tests/fake_cuda/blas/cublas.cpp: a libcublas.so without a GPU: handles, and the product, made on the host.
#include "cublas.hpp"
#include <atomic>
#include <cstdio>
#include <functional>
#include <vector>
#include "../control.hpp"
#include "factor.hpp"
#include "product.hpp"
#include "workspace.hpp"

#define API extern "C" __attribute__((visibility("default")))

extern "C" void fake_cuda_enqueue(void* stream, const std::function<void()>& work);
extern "C" int cuStreamSynchronize(void* stream);

namespace {

using namespace fake_product;

struct Handle {
  void* stream = nullptr;
  void* workspace = nullptr;
  bool reads_on_device = false;  // alpha and beta
  std::atomic<int> callers{0};
  // Without a given workspace, the work area is the handle's own, on every stream.
  void* area() { return workspace ? workspace : this; }
};

void misuse(const char* what) {
  if (!fake_cublas()->misuses++) std::snprintf(fake_cublas()->misuse, sizeof fake_cublas()->misuse, "%s", what);
}

// Only one call at a time may use a handle: cuBLAS has no lock of its own.
struct Caller {
  explicit Caller(Handle* h) : handle(h) {
    if (h->callers.fetch_add(1)) misuse("two calls use one cuBLAS handle at the same time");
  }
  ~Caller() { handle->callers.fetch_sub(1); }
  Handle* handle;
};

// alpha or beta: read when the call is made, or, in the handle's device mode, when its work runs.
class Factor {
 public:
  Factor(const Handle* handle, int type, const void* at)
      : type_(type), later_(handle->reads_on_device ? at : nullptr), value_(later_ ? Number() : scalar(type, at)) {}
  Number operator()() const { return later_ ? scalar(type_, later_) : value_; }

 private:
  int type_;
  const void* later_;
  Number value_;
};

int scale_of(int type_a) {
  return type_a == kDouble || type_a == kComplex || type_a == kDoubleComplex ? type_a : kFloat;
}

void run_with(Problem p, const Factor& alpha, const Factor& beta) {
  p.alpha = alpha(), p.beta = beta();
  run(p);
}

}  // namespace

API int cublasCreate_v2(Handle** out) {
  *out = new Handle;
  ++fake_cublas()->objects;
  return 0;
}
API int cublasDestroy_v2(Handle* handle) { return delete handle, --fake_cublas()->objects, 0; }
API int cublasSetStream_v2(Handle* handle, void* stream) {
  Caller caller(handle);
  return handle->stream = stream, handle->workspace = nullptr, 0;
}
API int cublasSetWorkspace_v2(Handle* handle, void* workspace, size_t) {
  Caller caller(handle);
  return handle->workspace = workspace, 0;
}
API int cublasSetMathMode(Handle*, int) { return 0; }
API int cublasSetPointerMode_v2(Handle* handle, int mode) {
  Caller caller(handle);
  if (mode != 0 && mode != 1) return 7;
  fake_cublas()->device_factors += mode;
  return handle->reads_on_device = mode == 1, 0;
}
API const char* cublasGetStatusString(int) { return "a made-up failure"; }

API int cublasGemmStridedBatchedEx_64(Handle* handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k,
                                      const void* alpha, const void* a, int type_a, int64_t lda, long long stride_a,
                                      const void* b, int type_b, int64_t ldb, long long stride_b, const void* beta,
                                      void* c, int type_c, int64_t ldc, long long stride_c, int64_t batch, int, int) {
  Caller caller(handle);
  const int scale = scale_of(type_a);
  const Factor up(handle, scale, alpha), keep(handle, scale, beta);
  const Problem p{type_a, type_b, type_c, m,   n,     k,        op_a,     op_b,     a, b,
                  c,      lda,    ldb,    ldc, batch, stride_a, stride_b, stride_c, 0, 0};
  ++fake_cublas()->plain_runs;
  fake_cublas()->last_result = c;
  fake_cuda_enqueue(handle->stream,
                    with_workspace(handle->area(), handle->stream, misuse, [p, up, keep] { run_with(p, up, keep); }));
  for (int i = 1; i < fake_cublas()->plain_steps; ++i) fake_cuda_enqueue(handle->stream, {});
  return 0;
}
API int cublasGemmEx_64(Handle* handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void* alpha,
                        const void* a, int type_a, int64_t lda, const void* b, int type_b, int64_t ldb,
                        const void* beta, void* c, int type_c, int64_t ldc, int compute, int algorithm) {
  return cublasGemmStridedBatchedEx_64(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb, 0, beta,
                                       c, type_c, ldc, 0, 1, compute, algorithm);
}

// --- products with vectors, and of lists ---

namespace {

// As a product whose result is one column, with strides as leading dimensions.
Problem vector_product(int type, int op, int64_t m, int64_t n, const void* a, int64_t lda, long long stride_a,
                       const void* x, int64_t x_step, long long stride_x, void* y, int64_t y_step, long long stride_y,
                       int64_t batch) {
  // y' = x' op(a)': rows of one number, so that strides are leading dimensions.
  Problem p{type, type,   type, 1,      op ? n : m, op ? m : n, 0,        0,        x, a,
            y,    x_step, lda,  y_step, batch,      stride_x,   stride_a, stride_y, 0, 0};
  p.op_b = op ? 0 : 1;
  p.conjugate_b = op == 2;
  return p;
}

void enqueue(Handle* handle, std::function<void()> work) {
  Caller caller(handle);
  fake_cuda_enqueue(handle->stream, with_workspace(handle->area(), handle->stream, misuse, std::move(work)));
}

struct Lists {
  const void* const* a;
  const void* const* b;
  void* const* c;
};

// The lists are read when the product runs.
void run_listed(Problem p, const Lists& lists, int64_t first, int64_t count) {
  p.batch = 1;
  for (int64_t i = first; i < first + count; ++i) {
    p.a = lists.a[i], p.b = lists.b[i], p.c = lists.c[i];
    run(p);
  }
}

}  // namespace

#define GEMV(letter, type)                                                                                             \
  API int cublas##letter##gemvStridedBatched_64(Handle* handle, int op, int64_t m, int64_t n, const void* alpha,       \
                                                const void* a, int64_t lda, long long stride_a, const void* x,         \
                                                int64_t x_step, long long stride_x, const void* beta, void* y,         \
                                                int64_t y_step, long long stride_y, int64_t batch) {                   \
    ++fake_cublas()->vector_runs;                                                                                      \
    const Problem p =                                                                                                  \
        vector_product(type, op, m, n, a, lda, stride_a, x, x_step, stride_x, y, y_step, stride_y, batch);             \
    const Factor up(handle, type, alpha), keep(handle, type, beta);                                                    \
    enqueue(handle, [=] { run_with(p, up, keep); });                                                                   \
    return 0;                                                                                                          \
  }                                                                                                                    \
  API int cublas##letter##gemv_v2_64(Handle* handle, int op, int64_t m, int64_t n, const void* alpha, const void* a,   \
                                     int64_t lda, const void* x, int64_t x_step, const void* beta, void* y,            \
                                     int64_t y_step) {                                                                 \
    return cublas##letter##gemvStridedBatched_64(handle, op, m, n, alpha, a, lda, 0, x, x_step, 0, beta, y, y_step, 0, \
                                                 1);                                                                   \
  }
GEMV(S, kFloat)
GEMV(D, kDouble)
GEMV(C, kComplex)
GEMV(Z, kDoubleComplex)

API int cublasGemmBatchedEx_64(Handle* handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void* alpha,
                               const void* const* a, int type_a, int64_t lda, const void* const* b, int type_b,
                               int64_t ldb, const void* beta, void* const* c, int type_c, int64_t ldc, int64_t batch,
                               int, int) {
  const int scale = scale_of(type_a);
  const Problem p{type_a,
                  type_b,
                  type_c,
                  m,
                  n,
                  k,
                  op_a,
                  op_b,
                  nullptr,
                  nullptr,
                  nullptr,
                  lda,
                  ldb,
                  ldc,
                  1,
                  0,
                  0,
                  0,
                  scalar(scale, alpha),
                  scalar(scale, beta)};
  ++fake_cublas()->list_runs;
  enqueue(handle, [=] { run_listed(p, {a, b, c}, 0, batch); });
  return 0;
}

API int cublasGemmGroupedBatchedEx_64(Handle* handle, const int* op_a, const int* op_b, const int64_t* m,
                                      const int64_t* n, const int64_t* k, const void* alpha, const void* const* a,
                                      int type_a, const int64_t* lda, const void* const* b, int type_b,
                                      const int64_t* ldb, const void* beta, void* const* c, int type_c,
                                      const int64_t* ldc, int64_t groups, const int64_t* sizes, int) {
  if (fake_cublas()->refuses) return 15;  // CUBLAS_STATUS_NOT_SUPPORTED
  ++fake_cublas()->grouped_runs;
  int64_t first = 0;
  for (int64_t g = 0; g < groups; ++g) {
    const Problem p{type_a,
                    type_b,
                    type_c,
                    m[g],
                    n[g],
                    k[g],
                    op_a[g],
                    op_b[g],
                    nullptr,
                    nullptr,
                    nullptr,
                    lda[g],
                    ldb[g],
                    ldc[g],
                    1,
                    0,
                    0,
                    0,
                    get(type_a, alpha, g),
                    get(type_a, beta, g)};
    enqueue(handle, [=, count = sizes[g]] { run_listed(p, {a, b, c}, first, count); });
    first += sizes[g];
  }
  return 0;
}

// --- vectors ---

API int cublasAxpyEx_64(Handle* handle, int64_t n, const void* alpha, int alpha_type, const void* x, int x_type,
                        int64_t x_step, void* y, int y_type, int64_t y_step, int) {
  const Number factor = scalar(alpha_type, alpha);
  enqueue(handle, [=] {
    for (int64_t i = 0; i < n; ++i)
      put(y_type, y, i * y_step, get(y_type, y, i * y_step) + factor * get(x_type, x, i * x_step));
  });
  return 0;
}

API int cublasScalEx_64(Handle* handle, int64_t n, const void* alpha, int alpha_type, void* x, int x_type,
                        int64_t x_step, int) {
  const Number factor = scalar(alpha_type, alpha);
  enqueue(handle, [=] {
    for (int64_t i = 0; i < n; ++i) put(x_type, x, i * x_step, factor * get(x_type, x, i * x_step));
  });
  return 0;
}

// --- triangles ---

namespace {

constexpr int kUpper = 1, kRight = 1, kUnit = 1;  // cublasFillMode_t, cublasSideMode_t, cublasDiagType_t

struct Square {  // a triangle of a matrix, expanded to the full matrix
  int type;
  const void* data;
  int64_t ld;
  int fill;
  bool symmetric, hermitian, unit;

  Number at(int64_t i, int64_t j) const {
    if (i == j && unit) return 1;
    const bool there = fill == kUpper ? i <= j : i >= j;
    if (there) return i == j && hermitian ? get(type, data, j * ld + i).real() : get(type, data, j * ld + i);
    if (!symmetric) return 0;
    const Number x = get(type, data, i * ld + j);
    return hermitian ? std::conj(x) : x;
  }
  Number at(int64_t i, int64_t j, int op) const { return !op ? at(i, j) : op == 1 ? at(j, i) : std::conj(at(j, i)); }
};

void rank_k(int type, bool hermitian, Handle* handle, int fill, int op, int64_t n, int64_t k, const void* alpha,
            const void* a, int64_t lda, const void* beta, void* c, int64_t ldc) {
  const Factor given_up(handle, type, alpha), given_keep(handle, type, beta);
  enqueue(handle, [=] {
    Number up = given_up(), keep = given_keep();
    if (hermitian) up = up.real(), keep = keep.real();
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) {
        if (fill == kUpper ? i > j : i < j) continue;
        Number sum = 0;
        for (int64_t l = 0; l < k; ++l) {
          const Number x = element(type, a, 0, op, lda, i, l), y = element(type, a, 0, op, lda, j, l);
          sum += x * (hermitian ? std::conj(y) : y);
        }
        Number value = up * sum + (keep == 0.0 ? Number(0) : keep * get(type, c, j * ldc + i));
        if (hermitian && i == j) value = value.real();
        put(type, c, j * ldc + i, value);
      }
  });
}

void rank_2k(int type, bool hermitian, Handle* handle, int fill, int op, int64_t n, int64_t k, const void* alpha,
             const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c, int64_t ldc) {
  const Factor given_up(handle, type, alpha), given_keep(handle, type, beta);
  const auto other = [hermitian](Number x) { return hermitian ? std::conj(x) : x; };
  enqueue(handle, [=] {
    const Number up = given_up(), back = hermitian ? std::conj(up) : up;
    const Number keep = hermitian ? Number(given_keep().real()) : given_keep();
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) {
        if (fill == kUpper ? i > j : i < j) continue;
        Number sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += up * element(type, a, 0, op, lda, i, l) * other(element(type, b, 0, op, ldb, j, l)) +
                 back * element(type, b, 0, op, ldb, i, l) * other(element(type, a, 0, op, lda, j, l));
        Number value = sum + (keep == 0.0 ? Number(0) : keep * get(type, c, j * ldc + i));
        if (hermitian && i == j) value = value.real();
        put(type, c, j * ldc + i, value);
      }
  });
}

// For each row of op(a), m x n, the sum of its terms; a_of(row, column) returns an element, 0 outside of the bands.
template <class F> void multiply_band(int type, int op, int64_t m, int64_t n, Number up, const F& a_of, const void* x,
                                      int64_t x_step, Number keep, void* y, int64_t y_step) {
  for (int64_t i = 0; i < (op ? n : m); ++i) {
    Number sum = 0;
    for (int64_t l = 0; l < (op ? m : n); ++l) {
      const Number e = op ? a_of(l, i) : a_of(i, l);
      sum += (op == 2 ? std::conj(e) : e) * get(type, x, l * x_step);
    }
    put(type, y, i * y_step, up * sum + (keep == 0.0 ? Number(0) : keep * get(type, y, i * y_step)));
  }
}

void symmetric(int type, bool hermitian, Handle* handle, int side, int fill, int64_t m, int64_t n, const void* alpha,
               const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c, int64_t ldc) {
  const Factor given_up(handle, type, alpha), given_keep(handle, type, beta);
  const Square whole{type, a, lda, fill, true, hermitian, false};
  enqueue(handle, [=] {
    const Number up = given_up(), keep = given_keep();
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i) {
        Number sum = 0;
        if (side == kRight)
          for (int64_t l = 0; l < n; ++l) sum += get(type, b, l * ldb + i) * whole.at(l, j);
        else
          for (int64_t l = 0; l < m; ++l) sum += whole.at(i, l) * get(type, b, j * ldb + l);
        put(type, c, j * ldc + i, up * sum + (keep == 0.0 ? Number(0) : keep * get(type, c, j * ldc + i)));
      }
  });
}

// One line of b as separate numbers: a column if op(a) is on its left, or a row if it is on the right.
void triangular(int type, bool solve, int side, int fill, int op, int diagonal, int64_t m, int64_t n, Number alpha,
                const void* a, int64_t lda, void* b, int64_t ldb) {
  const Square one{type, a, lda, fill, false, false, diagonal == kUnit};
  const int64_t size = side == kRight ? n : m, lines = side == kRight ? m : n;
  const auto factor = [&](int64_t i, int64_t l) { return side == kRight ? one.at(l, i, op) : one.at(i, l, op); };
  for (int64_t line = 0; line < lines; ++line) {
    std::vector<Number> x(static_cast<size_t>(size)), y(x);
    const auto place = [&](int64_t i) { return side == kRight ? i * ldb + line : line * ldb + i; };
    for (int64_t i = 0; i < size; ++i) x[size_t(i)] = alpha * get(type, b, place(i));
    if (!solve) {
      for (int64_t i = 0; i < size; ++i)
        for (int64_t l = 0; l < size; ++l) y[size_t(i)] += factor(i, l) * x[size_t(l)];
    } else {
      const bool down = (fill != kUpper) == (op == 0) ? side != kRight : side == kRight;
      for (int64_t at = 0; at < size; ++at) {
        const int64_t i = down ? at : size - 1 - at;
        Number rest = x[size_t(i)];
        for (int64_t l = 0; l < size; ++l)
          if (l != i) rest -= factor(i, l) * y[size_t(l)];
        y[size_t(i)] = rest / factor(i, i);
      }
    }
    for (int64_t i = 0; i < size; ++i) put(type, b, place(i), y[size_t(i)]);
  }
}

}  // namespace

#define RANK_K(name, type, hermitian)                                                                     \
  API int cublas##name##_v2_64(Handle* handle, int fill, int op, int64_t n, int64_t k, const void* alpha, \
                               const void* a, int64_t lda, const void* beta, void* c, int64_t ldc) {      \
    return rank_k(type, hermitian, handle, fill, op, n, k, alpha, a, lda, beta, c, ldc), 0;               \
  }
RANK_K(Ssyrk, kFloat, false)
RANK_K(Dsyrk, kDouble, false)
RANK_K(Csyrk, kComplex, false)
RANK_K(Zsyrk, kDoubleComplex, false)
RANK_K(Cherk, kComplex, true)
RANK_K(Zherk, kDoubleComplex, true)

#define RANK_2K(name, type, hermitian)                                                                            \
  API int cublas##name##_v2_64(Handle* handle, int fill, int op, int64_t n, int64_t k, const void* alpha,         \
                               const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c, \
                               int64_t ldc) {                                                                     \
    return rank_2k(type, hermitian, handle, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc), 0;              \
  }
RANK_2K(Ssyr2k, kFloat, false)
RANK_2K(Dsyr2k, kDouble, false)
RANK_2K(Csyr2k, kComplex, false)
RANK_2K(Zsyr2k, kDoubleComplex, false)
RANK_2K(Cher2k, kComplex, true)
RANK_2K(Zher2k, kDoubleComplex, true)

#define GBMV(letter, type)                                                                                         \
  API int cublas##letter##gbmv_v2_64(Handle* handle, int op, int64_t m, int64_t n, int64_t below, int64_t above,   \
                                     const void* alpha, const void* a, int64_t lda, const void* x, int64_t x_step, \
                                     const void* beta, void* y, int64_t y_step) {                                  \
    const Factor up(handle, type, alpha), keep(handle, type, beta);                                                \
    if (lda < below + above + 1 || x_step < 1 || y_step < 1) return 7;                                             \
    enqueue(handle, [=] {                                                                                          \
      const auto a_of = [=](int64_t i, int64_t j) {                                                                \
        return i - j > below || j - i > above ? Number(0) : get(type, a, j * lda + above + i - j);                 \
      };                                                                                                           \
      multiply_band(type, op, m, n, up(), a_of, x, x_step, keep(), y, y_step);                                     \
    });                                                                                                            \
    return 0;                                                                                                      \
  }
GBMV(S, kFloat)
GBMV(D, kDouble)
GBMV(C, kComplex)
GBMV(Z, kDoubleComplex)

#define SBMV(name, type, hermitian)                                                                              \
  API int cublas##name##_v2_64(Handle* handle, int fill, int64_t n, int64_t k, const void* alpha, const void* a, \
                               int64_t lda, const void* x, int64_t x_step, const void* beta, void* y,            \
                               int64_t y_step) {                                                                 \
    const Factor up(handle, type, alpha), keep(handle, type, beta);                                              \
    if (lda < k + 1 || x_step < 1 || y_step < 1) return 7;                                                       \
    enqueue(handle, [=] {                                                                                        \
      const auto a_of = [=](int64_t i, int64_t j) {                                                              \
        if (i - j > k || j - i > k) return Number(0);                                                            \
        const bool there = fill == kUpper ? i <= j : i >= j;                                                     \
        const int64_t row = there ? i : j, column = there ? j : i;                                               \
        const Number e = get(type, a, column * lda + (fill == kUpper ? k : 0) + row - column);                   \
        return !hermitian ? e : i == j ? Number(e.real()) : there ? e : std::conj(e);                            \
      };                                                                                                         \
      multiply_band(type, 0, n, n, up(), a_of, x, x_step, keep(), y, y_step);                                    \
    });                                                                                                          \
    return 0;                                                                                                    \
  }
SBMV(Ssbmv, kFloat, false)
SBMV(Dsbmv, kDouble, false)
SBMV(Chbmv, kComplex, true)
SBMV(Zhbmv, kDoubleComplex, true)

namespace {

// x = op(a) x, or op(a)^-1 x by substitution, for a triangle stored by diagonals.
void band_triangle(int type, bool solve, int fill, int op, int diagonal, int64_t n, int64_t k, const void* a,
                   int64_t lda, void* x, int64_t step) {
  const auto stored = [=](int64_t i, int64_t j) -> Number {
    const int64_t below = fill == kUpper ? j - i : i - j;
    if (below < 0 || below > k) return 0;
    return i == j && diagonal == kUnit ? 1 : get(type, a, j * lda + (fill == kUpper ? k - below : below));
  };
  const auto factor = [=](int64_t i, int64_t j) {
    return !op ? stored(i, j) : op == 1 ? stored(j, i) : std::conj(stored(j, i));
  };
  const bool down = (fill != kUpper) == (op == 0);  // op(a) is a lower triangle
  std::vector<Number> from(static_cast<size_t>(n)), to(from);
  for (int64_t i = 0; i < n; ++i) from[size_t(i)] = get(type, x, i * step);
  for (int64_t at = 0; at < n; ++at) {
    const int64_t i = down ? at : n - 1 - at;
    Number sum = solve ? from[size_t(i)] : 0;
    for (int64_t j = 0; j < n; ++j) {
      if (solve && j == i) continue;
      if (solve) sum -= factor(i, j) * to[size_t(j)];
      else sum += factor(i, j) * from[size_t(j)];
    }
    to[size_t(i)] = solve ? sum / factor(i, i) : sum;
  }
  for (int64_t i = 0; i < n; ++i) put(type, x, i * step, to[size_t(i)]);
}

}  // namespace

#define TB(name, type, solve)                                                                                       \
  API int cublas##name##_v2_64(Handle* handle, int fill, int op, int diagonal, int64_t n, int64_t k, const void* a, \
                               int64_t lda, void* x, int64_t step) {                                                \
    if (n < 0 || k < 0 || lda < k + 1 || step < 1) return 7;                                                        \
    enqueue(handle, [=] { band_triangle(type, solve, fill, op, diagonal, n, k, a, lda, x, step); });                \
    return 0;                                                                                                       \
  }
TB(Stbmv, kFloat, false)
TB(Dtbmv, kDouble, false)
TB(Ctbmv, kComplex, false)
TB(Ztbmv, kDoubleComplex, false)
TB(Stbsv, kFloat, true)
TB(Dtbsv, kDouble, true)
TB(Ctbsv, kComplex, true)
TB(Ztbsv, kDoubleComplex, true)

#define GEAM(letter, type)                                                                                           \
  API int cublas##letter##geam_64(Handle* handle, int op_a, int op_b, int64_t m, int64_t n, const void* alpha,       \
                                  const void* a, int64_t lda, const void* beta, const void* b, int64_t ldb, void* c, \
                                  int64_t ldc) {                                                                     \
    const Factor given_up(handle, type, alpha), given_of_b(handle, type, beta);                                      \
    if ((a == c && (op_a || lda != ldc)) || (b == c && (op_b || ldb != ldc))) return 7;                              \
    enqueue(handle, [=] {                                                                                            \
      const Number up = given_up(), of_b = given_of_b();                                                             \
      for (int64_t j = 0; j < n; ++j)                                                                                \
        for (int64_t i = 0; i < m; ++i) {                                                                            \
          const Number x = up == 0.0 ? Number(0) : up * element(type, a, 0, op_a, lda, i, j);                        \
          const Number y = of_b == 0.0 ? Number(0) : of_b * element(type, b, 0, op_b, ldb, i, j);                    \
          put(type, c, j* ldc + i, x + y);                                                                           \
        }                                                                                                            \
    });                                                                                                              \
    return 0;                                                                                                        \
  }
GEAM(S, kFloat)
GEAM(D, kDouble)
GEAM(C, kComplex)
GEAM(Z, kDoubleComplex)

#define SYMMETRIC(name, type, hermitian)                                                                          \
  API int cublas##name##_v2_64(Handle* handle, int side, int fill, int64_t m, int64_t n, const void* alpha,       \
                               const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c, \
                               int64_t ldc) {                                                                     \
    return symmetric(type, hermitian, handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc), 0;          \
  }
SYMMETRIC(Ssymm, kFloat, false)
SYMMETRIC(Dsymm, kDouble, false)
SYMMETRIC(Csymm, kComplex, false)
SYMMETRIC(Zsymm, kDoubleComplex, false)
SYMMETRIC(Chemm, kComplex, true)
SYMMETRIC(Zhemm, kDoubleComplex, true)

// Above this cuBLAS fails with CUBLAS_STATUS_EXECUTION_FAILED.
constexpr int64_t kMostColumns = 524280;

#define TRIANGULAR(letter, type)                                                                                     \
  API int cublas##letter##trsm_v2_64(Handle* handle, int side, int fill, int op, int diagonal, int64_t m, int64_t n, \
                                     const void* alpha, const void* a, int64_t lda, void* b, int64_t ldb) {          \
    const Factor up(handle, type, alpha);                                                                            \
    enqueue(handle, [=] { triangular(type, true, side, fill, op, diagonal, m, n, up(), a, lda, b, ldb); });          \
    return 0;                                                                                                        \
  }                                                                                                                  \
  API int cublas##letter##trsmBatched_64(Handle* handle, int side, int fill, int op, int diagonal, int64_t m,        \
                                         int64_t n, const void* alpha, const void* const* a, int64_t lda,            \
                                         void* const* b, int64_t ldb, int64_t batch) {                               \
    const Factor up(handle, type, alpha);                                                                            \
    if (n > kMostColumns) return 13;                                                                                 \
    ++fake_cublas()->list_runs;                                                                                      \
    enqueue(handle, [=] {                                                                                            \
      for (int64_t i = 0; i < batch; ++i)                                                                            \
        triangular(type, true, side, fill, op, diagonal, m, n, up(), a[i], lda, b[i], ldb);                          \
    });                                                                                                              \
    return 0;                                                                                                        \
  }                                                                                                                  \
  API int cublas##letter##trmm_v2_64(Handle* handle, int side, int fill, int op, int diagonal, int64_t m, int64_t n, \
                                     const void* alpha, const void* a, int64_t lda, const void* b, int64_t, void* c, \
                                     int64_t ldc) {                                                                  \
    const Factor up(handle, type, alpha);                                                                            \
    if (b != c) return 7;                                                                                            \
    enqueue(handle, [=] { triangular(type, false, side, fill, op, diagonal, m, n, up(), a, lda, c, ldc); });         \
    return 0;                                                                                                        \
  }
TRIANGULAR(S, kFloat)
TRIANGULAR(D, kDouble)
TRIANGULAR(C, kComplex)
TRIANGULAR(Z, kDoubleComplex)

// --- factors of lists, and lengths ---

#define LU_OF_LISTS(letter, type)                                                                                 \
  API int cublas##letter##getrfBatched(Handle* handle, int n, void* const* a, int ld, int* pivots, int* info,     \
                                       int batch) {                                                               \
    ++fake_cublas()->list_runs;                                                                                   \
    enqueue(handle, [=] {                                                                                         \
      for (int g = 0; g < batch; ++g) {                                                                           \
        fake_factor::Matrix x = fake_factor::load(type, a[g], ld, n, n);                                          \
        std::vector<int64_t> p;                                                                                   \
        info[g] = fake_factor::lu(x, p);                                                                          \
        fake_factor::store(x, type, a[g], ld);                                                                    \
        std::copy(p.begin(), p.end(), pivots + g * n);                                                            \
      }                                                                                                           \
    });                                                                                                           \
    return 0;                                                                                                     \
  }                                                                                                               \
  API int cublas##letter##getrsBatched(Handle* handle, int op, int n, int columns, const void* const* a, int lda, \
                                       const int* pivots, void* const* b, int ldb, int* info, int batch) {        \
    ++fake_cublas()->list_runs;                                                                                   \
    *info = 0;                                                                                                    \
    if (columns > kMostColumns) return 13;                                                                        \
    enqueue(handle, [=] {                                                                                         \
      for (int g = 0; g < batch; ++g) {                                                                           \
        fake_factor::Matrix x = fake_factor::load(type, b[g], ldb, n, columns);                                   \
        const std::vector<int64_t> p(pivots + g * n, pivots + (g + 1) * n);                                       \
        fake_factor::lu_solve(fake_factor::load(type, a[g], lda, n, n), p.data(), op, x);                         \
        fake_factor::store(x, type, b[g], ldb);                                                                   \
      }                                                                                                           \
    });                                                                                                           \
    return 0;                                                                                                     \
  }
LU_OF_LISTS(S, kFloat)
LU_OF_LISTS(D, kDouble)
LU_OF_LISTS(C, kComplex)
LU_OF_LISTS(Z, kDoubleComplex)

// The result is in host memory: the call waits for it.
API int cublasDnrm2_v2_64(Handle* handle, int64_t n, const double* x, int64_t step, double* result) {
  enqueue(handle, [=] {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum = std::hypot(sum, x[i * step]);
    *result = sum;
  });
  const FakeTest not_the_librarys;
  return cuStreamSynchronize(handle->stream) ? 13 : 0;
}
