// ops/products/products.hpp: products of matrices, vectors and tensors, and the rest of BLAS.
#pragma once
#include <string>
#include "ops/factor.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

// The final step of a product: TENON_EPILOGUE_* of it, and a bias per column.
struct Epilogue {
  int32_t kind = 0;
  const Array* bias = nullptr;
  explicit operator bool() const { return kind || bias; }
};
struct GemmOptions {
  int32_t compute;  // TENON_COMPUTE_*
  Epilogue epilogue;
  bool tune;
  GemmOptions(int32_t compute, const Epilogue& epilogue = {}, bool tune = false)
      : compute(compute), epilogue(epilogue), tune(tune) {}
};
struct GemmNames {
  const char *a = "a", *b = "b", *c = "c", *operation = "gemm";
};  // for messages
// c = epilogue(alpha op(a) op(b) + beta c) over batches; returns the number of operands that were packed.
int32_t gemm(const Factor& alpha, const Array& a, Op op_a, const Array& b, Op op_b, const Factor& beta, Array& c,
             const GemmOptions& options, Stream* stream, const GemmNames& names = {});
// The same for each entry of lists of the same length.
int32_t gemm_grouped(const Factor& alpha, std::span<const Array* const> a, Op op_a, std::span<const Array* const> b,
                     Op op_b, const Factor& beta, std::span<Array* const> c, const GemmOptions& options,
                     Stream* stream);

// vectors.cpp, triangles.cpp: blas.h. They return the number of arrays that were packed.
int32_t gemv(const Factor& alpha, const Array& a, Op op, const Array& x, const Factor& beta, Array& y, Stream* stream);
// fresh: a is new, and is taken as zeros
int32_t ger(const Factor& alpha, const Array& x, const Array& y, bool conjugate, Array& a, Stream* stream,
            bool fresh = false);
void axpy(const Factor& alpha, const Array& x, Array& y, Stream* stream);
void scal(const Factor& alpha, Array& x, Stream* stream);
// alpha x; out may be x
Ref<Array> scaled_copy(const Factor& alpha, const Array& x, Stream* stream, const Output& out);
Ref<Array> nrm2(const Array& x, int32_t& packed, Stream* stream, const Output& out = {});
Ref<Array> asum(const Array& x, int32_t& packed, Stream* stream, const Output& out = {});
Ref<Array> extreme_place(const Array& x, bool smallest, int32_t& packed, Stream* stream, const Output& out = {});
// rotations.cpp. The first output may be exactly x (for rotg: r exactly a), the second exactly y (s exactly b).
struct Pair {
  Ref<Array> x, y;
};
Pair swap(const Array& x, const Array& y, Stream* stream, const Output& out_x, const Output& out_y);
Pair rot(const Factor& c, const Factor& s, const Array& x, const Array& y, Stream* stream, const Output& out_x,
         const Output& out_y);
struct Rotations {
  Ref<Array> c, s, r;
};
Rotations rotg(const Array& a, const Array& b, Stream* stream, const Output& out_c, const Output& out_s,
               const Output& out_r);
Pair rotm(const Array& x, const Array& y, const Array& h, int32_t& packed, Stream* stream, const Output& out_x,
          const Output& out_y);
struct ModifiedRotations {
  Ref<Array> d1, d2, x1, h;
};
struct ModifiedOutputs {
  Output d1, d2, x1, h;
};
ModifiedRotations rotmg(const Array& d1, const Array& d2, const Array& x1, const Array& y1, Stream* stream,
                        const ModifiedOutputs& outs);
struct BlasOptions {
  Op op = Op::none;
  bool upper = false, right = false, hermitian = false, unit = false, conjugate = false;
  Op op_b = Op::none;
  int64_t below = 0;
};
int32_t syrk(const Factor& alpha, const Array& a, const Factor& beta, Array& c, const BlasOptions& options,
             Stream* stream);
int32_t syr2k(const Factor& alpha, const Array& a, const Array& b, const Factor& beta, Array& c,
              const BlasOptions& options, Stream* stream);
// bands.cpp. y == NULL: a new array
struct BandOptions {
  Op op;
  int64_t below;  // the number of diagonals
  bool symmetric, upper, hermitian;
};
Ref<Array> band_multiply(const Factor& alpha, const Array& a, const Array& x, const Factor& beta, Array* y,
                         const BandOptions& options, int32_t& packed, Stream* stream);
// op(a) x or, with solve, op(a)^-1 x for a banded triangular a; out may be x. name: of x, for messages
Ref<Array> band_triangular(bool solve, const Array& a, const Array& x, const char* name, const BlasOptions& options,
                           int32_t& packed, Stream* stream, const Output& out);
// c = alpha op(a) + beta op(b); b may be NULL
Ref<Array> geam(const Factor& alpha, const Array& a, Op op_a, const Factor& beta, const Array* b, Op op_b,
                int32_t& packed, Stream* stream, const Output& out);
int32_t symm(const Factor& alpha, const Array& a, const Array& b, const Factor& beta, Array& c,
             const BlasOptions& options, Stream* stream);
// out may be b
Ref<Array> trmm(const Factor& alpha, const Array& a, const Array& b, const BlasOptions& options, int32_t& packed,
                Stream* stream, const Output& out);
Ref<Array> trsm(const Factor& alpha, const Array& a, const Array& b, const BlasOptions& options, int32_t& packed,
                Stream* stream, const Output& out);
// New results, which the routines check with the operands later: uninitialised, except that syrk's are zeros.
Ref<Array> gemm_result(const Array& a, Op op_a, const Array& b, Op op_b, Stream* stream);
Ref<Array> gemv_result(const Array& a, Op op, const Array& x, Stream* stream);
Ref<Array> ger_result(const Array& x, const Array& y, Stream* stream);
Ref<Array> syrk_result(const Array& a, const Array* b, Op op, Stream* stream);  // b: for an update of rank 2k
// with the broadcast batch of both and the matrices' size of b
Ref<Array> side_result(const Array& a, const Array& b, Stream* stream);
Ref<Array> like(const Array& x, Stream* stream);
// A vector (..., n) as matrices of one column, as a view; what: its name, for messages.
Ref<Array> as_column(const Array& x, const char* what);
Ref<Array> without_column(const Array& x);  // the reverse, for a C-ordered array

// products.cpp, einsum.cpp; constants as in linalg.h
Ref<Array> dot(const Array& x, const Array& y, bool conjugate, int32_t& packed, Stream* stream, const Output& out = {});
// The terms of each step, as tenon_einsum_path gives them.
std::vector<std::pair<size_t, size_t>> einsum_order(const std::string& subscripts,
                                                    std::span<const Array* const> operands);
Ref<Array> einsum(const std::string& subscripts, std::span<const Array* const> operands, int32_t compute,
                  int32_t& packed, Stream* stream, const Output& out = {});
// both axes NULL: the last `count` of a and the first of b
Ref<Array> tensordot(const Array& a, const Array& b, const int32_t* axes_a, const int32_t* axes_b, int32_t count,
                     int32_t compute, int32_t& packed, Stream* stream, const Output& out = {});
Ref<Array> kron(const Array& a, const Array& b, int32_t compute, int32_t& packed, Stream* stream,
                const Output& out = {});

// op(a) op(b), new, C-ordered; batches broadcast.
Ref<Array> product(const Array& a, Op op_a, const Array& b, Op op_b, Stream& stream);
inline Ref<Array> product(const Array& a, const Array& b, Stream& stream) {
  return product(a, Op::none, b, Op::none, stream);
}
// For one C-ordered matrix: diag(factors) x, new.
Ref<Array> scaled_rows(const Array& x, const std::vector<double>& factors, Stream& stream);

}  // namespace tenon::ops
