// core/problem/problem.hpp: the normal form of each operation, as backends get it. ops/ and core/array/copy.cpp have
// checked everything: dtypes, extents, devices, overlap; sizes are positive, pointers aligned to the element.
#pragma once
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>
#include "core/dtype.hpp"
#include "device/work.hpp"

namespace tenon {

// One axis of a strided loop. Strides are in bytes.
struct CopyAxis {
  int64_t extent;
  int64_t to;    // byte stride of the destination
  int64_t from;  // byte stride of the source; 0 for broadcast
};

// destination[i...] = convert(source[i...]). Axes are merged where strides allow it, have extents above 1, and are
// sorted by destination stride, largest first; no axes means one element. A copy without conversion is given as plain
// bytes: dtype is an unsigned integer of the element's size, or, for 16 bytes, element_bytes is 16 and to_dtype ==
// from_dtype.
struct CopyProblem {
  void* to;
  const void* from;
  Dtype to_dtype;
  Dtype from_dtype;
  uint32_t element_bytes;  // of the destination
  std::vector<CopyAxis> axes;
};

// destination[i...] = the element_bytes bytes of value, already converted. `from` strides are unused.
struct FillProblem {
  void* to;
  uint32_t element_bytes;  // 1, 2, 4, 8 or 16
  unsigned char value[16];
  std::vector<CopyAxis> axes;
};

// The dtype in which routines scale arrays of a dtype: that of the factors to which alpha_at and beta_at point.
inline Dtype factor_dtype(Dtype t) { return dtype_bytes(t) == 2 ? Dtype(TENON_FLOAT32) : t; }

enum class Op : int32_t { none, transpose, conjugate_transpose, conjugate };

// The matrices of a batch, at arbitrary addresses.
struct GemmList {
  std::vector<const void*> a, b;
  std::vector<void*> c;
};

// c = alpha op(a) op(b) + beta c in BLAS's column-major form: op(a) is m x k, op(b) k x n, c m x n, with leading
// dimensions in elements, for each of batch matrices at the given element strides (0: the same matrix each time).
struct GemmProblem {
  Dtype dtype;
  int32_t compute;  // TENON_COMPUTE_*
  int64_t m, n, k;
  Op op_a, op_b;  // none, transpose or conjugate_transpose
  const void* a;
  int64_t lda;
  const void* b;
  int64_t ldb;
  void* c;
  int64_t ldc;
  std::complex<double> alpha, beta;
  // Device memory, used instead of alpha or beta: of factor_dtype(result). For floating and complex dtypes only.
  const void *alpha_at = nullptr, *beta_at = nullptr;
  int64_t batch = 1;
  int64_t stride_a = 0, stride_b = 0, stride_c = 0;
  Dtype result = 0;  // c's, if it differs: float32 for float16 and bfloat16, int32 for int8 (modulo 2^32), float16 to
                     // 32 for float8
  int32_t epilogue = 0;        // TENON_EPILOGUE_*, applied to the product and the bias
  const void* bias = nullptr;  // packed, of c's dtype: one number per row of c, or, with bias_of_columns, per column
  bool bias_of_columns = false;
  Dtype other = 0;    // b's, if it differs: float8 of two kinds
  bool tune = false;  // may measure algorithms
  std::shared_ptr<const GemmList>
      list;  // of `batch` matrices, instead of a, b, c and strides; then there is no epilogue

  // The matrices of the batch.
  const void* a_at(int64_t i) const { return list ? list->a[size_t(i)] : moved(a, i * stride_a, dtype); }
  const void* b_at(int64_t i) const { return list ? list->b[size_t(i)] : moved(b, i * stride_b, b_dtype()); }
  void* c_at(int64_t i) const {
    return list ? list->c[size_t(i)] : const_cast<void*>(moved(c, i * stride_c, result_dtype()));
  }
  // One matrix of the batch as a problem of its own.
  GemmProblem one(int64_t i) const {
    GemmProblem p = *this;
    p.a = a_at(i), p.b = b_at(i), p.c = c_at(i);
    p.list = nullptr;
    p.batch = 1;
    p.stride_a = p.stride_b = p.stride_c = 0;
    return p;
  }

  bool factors_on_device() const { return alpha_at || beta_at; }
  Dtype result_dtype() const { return result ? result : dtype; }
  Dtype b_dtype() const { return other ? other : dtype; }
  bool has_epilogue() const { return epilogue || bias; }

 private:
  static const void* moved(const void* x, int64_t elements, Dtype t) {
    return static_cast<const char*>(x) + elements * dtype_bytes(t);
  }
};

// Independent products.
struct GroupedGemmProblem {
  std::vector<GemmProblem> products;
};

// One axis of a transform or of its batch. Strides are in elements of that side (real or complex numbers).
struct FftAxis {
  int64_t extent;
  int64_t to;
  int64_t from;
};

// Transform over `axes` (one or more, outermost first), repeated over `batch` (merged, outermost first). to == from
// means in place with equal strides (complex only); otherwise the memory is disjoint. If one side is real, its
// transform is Hermitian, and the complex side has the first extent / 2 + 1 numbers along the last of `axes`; extents
// are those of the real side. Cosine and sine transforms have real numbers on both sides and transform one axis after
// another.
enum class FftKind : int32_t { complex, real_to_complex, complex_to_real, cosine, sine };

struct FftProblem {
  FftKind kind;
  Dtype dtype;  // of the complex side: TENON_COMPLEX64 or 128, where none is, in the precision of the real ones
  const void* from;
  void* to;
  bool inverse;
  double scale;  // multiplies the result
  std::vector<FftAxis> axes;
  std::vector<FftAxis> batch;
  int32_t type = 0;         // of a cosine or sine transform: 1 to 4
  bool orthogonal = false;  // its end points are weighted to make it orthogonal
};

// to[i] = to[i] * from[i % period] for `count` complex numbers, packed; conjugated: * conj(from[i % period]).
struct SpectraProductProblem {
  Dtype dtype = 0;
  void* to = nullptr;
  const void* from = nullptr;
  int64_t count = 0, period = 0;
  bool conjugated = false;
};

// to[i] = k scale for `count` float64, where k is i, or i - count for the last `negative` of them.
struct FrequenciesProblem {
  double* to = nullptr;
  int64_t count = 0, negative = 0;
  double scale = 1;
};

// a = u diag(s) vh for `batch` matrices, in LAPACK's column-major form: a is m x n with m >= n, packed (lda = m), and
// may be destroyed. u: m x uc, ldu = m; vh: n x n, ldvh = n, where uc = m (full) or n (economy); NULL if only values
// are requested. s: n real numbers, descending. Batches are packed one after another. Throws NOT_FINITE and
// NOT_CONVERGED with the batch index; the result is complete when the call returns. driver: with AUTO the device
// chooses by what the matrices need; QR, DIVIDE, JACOBI and POLAR are only passed to devices that have one of that
// name. *ran receives the driver that found the result (if another one had to stand in for a matrix of the batch, that
// one); 0: the device has no such driver for this shape, and nothing was done.
struct SvdProblem {
  Dtype dtype;
  int32_t mode, driver;  // TENON_SVD_MODE_*, TENON_SVD_DRIVER_*
  int32_t* ran;
  int64_t m, n, batch;
  void* a;
  void* u;
  void* s;
  void* vh;
};

// The product of a CSR matrix and a dense vector or matrix, as SparseWork describes it.
struct SparseProductProblem {
  Dtype dtype, index;  // of the values, and of the offsets and indices
  tenon_own::SparseWork work;
};

}  // namespace tenon
