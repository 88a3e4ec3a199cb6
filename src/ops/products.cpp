// ops/products.cpp: products beside gemm: of vectors, of a matrix with itself, of a triangle.
#include <tenon/linalg.h>
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

void rank_k(double alpha, const Array& a, double beta, Array& c, bool upper, Stream* given) {
  Stream& stream = stream_for(c, given);
  require_matrix(a, "a", stream.device());
  require_matrix(c, "c", stream.device());
  require_square(c, "c");
  TENON_REQUIRE(a.dtype() == c.dtype(), TENON_ERROR_DTYPE, "a is %s and c is %s: they must be one dtype",
                dtype_name(a.dtype()).c_str(), dtype_name(c.dtype()).c_str());
  TENON_REQUIRE(c.shape() == with_matrix(batch_of(a), rows_of(a), rows_of(a)), TENON_ERROR_SHAPE,
                "a %s does not fit c %s: (..., n, k) gives (..., n, n)", shape_text(a.shape()).c_str(),
                shape_text(c.shape()).c_str());
  require_writable(c, "c");
  check_factor(alpha, c.dtype(), "alpha");
  check_factor(beta, c.dtype(), "beta");
  TENON_REQUIRE(overlap(c, a) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                "c shares memory with a: write the product to an array of its own");
  if (c.size() == 0) return;
  // c' = conj(a) a' = m^H m, where m = a' is the memory of a, read by columns.
  const Ref<Array> target = c.c_contiguous() ? Ref<Array>(&c) : copy_of(c, stream), source = contiguous(a, stream);
  if (cols_of(a) == 0) {  // c = beta c: of one column of zeros
    const Ref<Array> none = Array::create(stream.device(), a.dtype(), with_matrix(batch_of(a), rows_of(a), 1), stream);
    fill(*none, 0, 0, &stream);
    return rank_k(alpha, *none, beta, c, upper, &stream);
  }
  DenseProblem p = problem_of(Dense::rank_k, *source);
  p.n = rows_of(a);
  p.k = cols_of(a);
  p.op = Op::conjugate_transpose;
  p.upper = !upper;
  p.alpha = alpha;
  p.beta = beta;
  p.c = packed(*target);
  run(p, {target.get()}, {source.get()}, stream);
  if (target.get() != &c) copy(c, *target, &stream);
}

Ref<Array> triangular_multiply(std::complex<double> alpha, const Array& a, const Array& b, bool upper, bool unit, int32_t op,
                               Stream* given) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_matrix(b, "b", stream.device());
  require_square(a, "a");
  require_same_dtype(a, b);
  TENON_REQUIRE(rows_of(a) == rows_of(b), TENON_ERROR_SHAPE, "a %s does not fit b %s: (n, n) goes with (n, k)",
                shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  TENON_REQUIRE(dtype_complex(a.dtype()) || alpha.imag() == 0, TENON_ERROR_INVALID_ARGUMENT,
                "alpha has an imaginary part, and the arrays are %s", dtype_name(a.dtype()).c_str());
  check_factor(alpha, a.dtype(), "alpha");
  const Dims batch = broadcast_batches(batch_of(a), batch_of(b));
  const Ref<Array> out = copy_of(b, with_matrix(batch, rows_of(b), cols_of(b)), stream);
  triangle_times(Dense::triangular_multiply, alpha, *one_or_all(a, batch), upper, unit, op_from(op), *out, stream);
  return out;
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
