// ops/products/products.cpp: products other than gemm, whose results are new arrays: of vectors, of a triangle,
// Kronecker's.
#include <tenon/linalg.h>
#include "core/device/recording.hpp"
#include "ops/matrix.hpp"
#include "ops/products/products.hpp"

namespace tenon::ops {

Ref<Array> product(const Array& a, Op op_a, const Array& b, Op op_b, Stream& stream) {
  const Dims batch = broadcast_batches(batch_of(a), batch_of(b));
  const Ref<Array> c = Array::create(
      stream.device(), product_dtype(a.dtype()),
      with_matrix(batch, op_a == Op::none ? rows_of(a) : cols_of(a), op_b == Op::none ? cols_of(b) : rows_of(b)),
      stream);
  gemm(1.0, a, op_a, b, op_b, 0.0, *c, TENON_COMPUTE_STRICT, &stream);
  return c;
}

Ref<Array> scaled_rows(const Array& x, const std::vector<double>& factors, Stream& stream) {
  const int64_t rows = rows_of(x), cols = cols_of(x);
  const Ref<Array> d = from_values(factors, x.dtype(), Dims{rows, 1, 1}, stream);
  return product(*d, *x.reshape(Dims{rows, 1, cols}), stream)->reshape(Dims{rows, cols});
}

Ref<Array> gemm_result(const Array& a, Op op_a, const Array& b, Op op_b, Stream* given) {
  for (const auto& [x, what] : {std::pair{&a, "a"}, {&b, "b"}})
    TENON_REQUIRE(x->rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix must have at least two axes", what,
                  shape_text(x->shape()).c_str());
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  const Dims batch = broadcast_batches(batch_of(a), batch_of(b));
  const int64_t rows = op_a == Op::none ? rows_of(a) : cols_of(a), cols = op_b == Op::none ? cols_of(b) : rows_of(b);
  const Dtype dtype = dtype_float8(a.dtype()) ? TENON_FLOAT32 : product_dtype(a.dtype());
  return Array::create(stream.device(), dtype, with_matrix(batch, rows, cols), stream);
}

Ref<Array> dot(const Array& a, const Array& b, bool conjugate, int32_t& packed, Stream* given, const Output& out) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  for (const auto& [x, what] : {std::pair{&a, "x"}, {&b, "y"}}) {
    TENON_REQUIRE(x->rank() >= 1, TENON_ERROR_SHAPE, "%s has no axes: a vector must have at least one", what);
    require_on(*x, stream.device(), what);
  }
  require_same_dtype(a, b, "x", "y");
  const int64_t n = a.shape()[a.rank() - 1];
  TENON_REQUIRE(n == b.shape()[b.rank() - 1], TENON_ERROR_SHAPE,
                "x of shape %s and y of shape %s must have the same extent along their last axis",
                shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  // Both as columns, and the result as 1 x 1 matrices.
  const auto batch = [](const Array& x) { return Extents(x.shape().data(), size_t(x.rank()) - 1); };
  const auto column = [&](const Array& x) {
    return x.with(with_matrix(batch(x), n, 1), with_vector(x.strides(), 1), 0, x.read_only());
  };
  return recorded_whole(stream, [&] {
    const Ref<Array> result =
        out.open(product_dtype(a.dtype()), broadcast_batches(batch(a), batch(b)), stream, {{a, "x"}, {b, "y"}});
    const Ref<Array> c =
        result->with(with_matrix(result->shape(), 1, 1), with_matrix(result->strides(), 1, 1), 0, false);
    packed += gemm(1.0, *column(a), conjugate ? Op::conjugate_transpose : Op::transpose, *column(b), Op::none, 0.0, *c,
                   TENON_COMPUTE_STRICT, &stream, {"x", "y", "the result", "dot"});
    return result;
  });
}

Ref<Array> kron(const Array& a, const Array& b, int32_t compute, int32_t& packed, Stream* given, const Output& out) {
  for (const auto& [x, what] : {std::pair{&a, "a"}, {&b, "b"}})
    TENON_REQUIRE(x->rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix must have at least two axes", what,
                  shape_text(x->shape()).c_str());
  int64_t rows, cols;
  TENON_REQUIRE(
      !__builtin_mul_overflow(rows_of(a), rows_of(b), &rows) && !__builtin_mul_overflow(cols_of(a), cols_of(b), &cols),
      TENON_ERROR_OVERFLOW, "the Kronecker product of %s and %s has more rows or columns than 2^63",
      shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  constexpr const char* kText = "...ij,...kl->...ikjl";
  const Array* const operands[] = {&a, &b};
  const Dims batch = broadcast_batches(batch_of(a), batch_of(b)), shape = with_matrix(batch, rows, cols);
  if (!out.given()) return einsum(kText, operands, compute, packed, given)->reshape(shape);
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  out.check(product_dtype(a.dtype()), shape, stream.device(), {{a, "a"}, {b, "b"}});
  const Dims& strides = out.given()->strides();
  const int64_t row = strides[strides.size() - 2], col = strides[strides.size() - 1];
  const Extents outer(strides.data(), size_t(strides.size()) - 2);
  const Ref<Array> view =
      out.given()->with(with_matrix(with_matrix(batch, rows_of(a), rows_of(b)), cols_of(a), cols_of(b)),
                        with_matrix(with_matrix(outer, rows_of(b) * row, row), cols_of(b) * col, col), 0, false);
  einsum(kText, operands, compute, packed, given, {view.get(), "out_product"});
  return Ref<Array>(out.given());
}

}  // namespace tenon::ops
