// ops/eigen/eigen.hpp: eigenvalues and singular values, QR, and what is computed from them: least squares, norms,
// condition numbers, powers.
#pragma once
#include "ops/output.hpp"

namespace tenon::ops {

// eigen.cpp; constants as in eigen.h. count -1: all
struct EigenResult {
  Ref<Array> w, v;
};
struct EigenOutputs {
  Output w, v;
};
EigenResult eigh(const Array& a, bool vectors, bool upper, int64_t first, int64_t count, Stream* stream,
                 const EigenOutputs& outs = {});
// low < w <= high
EigenResult eigh_between(const Array& a, bool vectors, bool upper, double low, double high, Stream* stream,
                         const EigenOutputs& outs = {});
struct EigenVectors {
  Ref<Array> w, left, right;
};
struct EigenVectorsOutputs {
  Output w, left, right;
};
EigenVectors eig(const Array& a, bool left, bool right, Stream* stream, const EigenVectorsOutputs& outs = {});

struct SvdOptions {  // as in linalg.h
  int32_t mode, driver;
  int64_t k;
  double tolerance;
};
struct SvdResult {
  Ref<Array> u, s, vh;
  int32_t driver = 0;  // receives the driver that found the result
};
struct SvdOutputs {
  Output u, s, vh;
};
SvdResult svd(const Array& a, const SvdOptions& options, Stream* stream, const SvdOutputs& outs = {});
SvdResult svd(const Array& a, int32_t mode, Stream* stream);

// orthogonal.cpp
struct QrResult {
  Ref<Array> q, r;
};
struct QrOutputs {
  Output q, r;
};
QrResult qr(const Array& a, int32_t mode, Stream* stream, bool later = false, const QrOutputs& outs = {});
struct LeastSquares {
  Ref<Array> x, rank, s;
};
struct LeastSquaresOutputs {
  Output x, rank, s;
};
// rcond 0: the default; negative: 0
LeastSquares lstsq(const Array& a, const Array& b, double rcond, Stream* stream, const LeastSquaresOutputs& outs = {});
Ref<Array> pinv(const Array& a, double rcond, Stream* stream, const Output& out = {});
Ref<Array> matrix_rank(const Array& a, double rcond, Stream* stream, const Output& out = {});

// functions.cpp
Ref<Array> norm(const Array& a, int32_t kind, Stream* stream, const Output& out = {});
Ref<Array> cond(const Array& a, int32_t kind, Stream* stream, const Output& out = {});
Ref<Array> matrix_power(const Array& a, int64_t n, Stream* stream, const Output& out = {});

}  // namespace tenon::ops
