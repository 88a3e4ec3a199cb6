// ops/products.cpp: products beside gemm whose results are new: of vectors, of a triangle, Kronecker's.
#include <tenon/linalg.h>
#include "core/recording.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {

Op op_from(int32_t op) {
  TENON_REQUIRE(op >= TENON_OP_NONE && op <= TENON_OP_ADJOINT, TENON_ERROR_INVALID_ARGUMENT,
                "op is %d: TENON_OP_NONE (0), TRANSPOSE (1) and ADJOINT (2) are possible", op);
  return op == TENON_OP_NONE ? Op::none : op == TENON_OP_TRANSPOSE ? Op::transpose : Op::conjugate_transpose;
}

Ref<Array> dot(const Array& a, const Array& b, bool conjugate, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  for (const auto& [x, what] : {std::pair{&a, "a"}, {&b, "b"}}) {
    TENON_REQUIRE(x->rank() >= 1, TENON_ERROR_SHAPE, "%s has no axes: a vector has at least one", what);
    require_on(*x, stream.device(), what);
  }
  require_same_dtype(a, b);
  const int64_t n = a.shape()[a.rank() - 1];
  TENON_REQUIRE(n == b.shape()[b.rank() - 1], TENON_ERROR_SHAPE, "a %s and b %s must be equally long along their last axis",
                shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  // Both as columns.
  const auto column = [n](const Array& x) {
    const Extents batch{x.shape().data(), size_t(x.rank()) - 1};
    Dims strides = with_vector(x.strides(), 1);
    return x.with(with_matrix(batch, n, 1), strides, 0, x.read_only());
  };
  const Ref<Array> c = product(*column(a), conjugate ? Op::conjugate_transpose : Op::transpose, *column(b), Op::none, stream);
  return c->reshape(batch_of(*c));
}

Ref<Array> triangular_multiply(std::complex<double> alpha, const Array& a, const Array& b, bool upper, bool unit, int32_t op,
                               Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  require_matrix(a, "a", stream.device());
  require_matrix(b, "b", stream.device());
  const BlasOptions options{.op = op_from(op), .upper = upper, .unit = unit};
  return recorded_whole(stream, [&] {
    const Ref<Array> out = copy_of(b, with_matrix(broadcast_batches(batch_of(a), batch_of(b)), rows_of(b), cols_of(b)), stream);
    trmm(alpha, a, *out, options, &stream);
    return out;
  });
}

Ref<Array> kron(const Array& a, const Array& b, Stream* stream) {
  for (const auto& [x, what] : {std::pair{&a, "a"}, {&b, "b"}})
    TENON_REQUIRE(x->rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix has at least two axes", what,
                  shape_text(x->shape()).c_str());
  int32_t packed = 0;
  const Ref<Array> out = einsum("...ij,...kl->...ikjl", a, b, TENON_COMPUTE_STRICT, packed, stream);
  int64_t rows, cols;
  TENON_REQUIRE(!__builtin_mul_overflow(rows_of(a), rows_of(b), &rows) && !__builtin_mul_overflow(cols_of(a), cols_of(b), &cols),
                TENON_ERROR_OVERFLOW, "the Kronecker product of %s and %s has more rows or columns than 2^63",
                shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  return out->reshape(with_matrix(Extents(out->shape().data(), size_t(out->rank()) - 4), rows, cols));
}

}  // namespace tenon::ops
