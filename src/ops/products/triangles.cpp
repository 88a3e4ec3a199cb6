// ops/products/triangles.cpp: routines that use one triangle only: products of a matrix with itself, of a symmetric
// matrix, of a triangle and of its inverse.
//
// BLAS is column-major. If the result c is stored by rows, its memory, read by columns, is c', and the problem for the
// device computes c': sides and triangles are exchanged. The same holds for an operand stored by rows; what BLAS cannot
// do then (it conjugates only what it transposes) is packed in the other order.
#include "core/device/recording.hpp"
#include "ops/checks.hpp"
#include "ops/operand.hpp"
#include "ops/products/products.hpp"

namespace tenon::ops {
namespace {

// A square operand whose size must match that side of c.
void check_side(const Array& a, const Array& c, const char* name, bool right) {
  const int64_t n = right ? cols_of(c) : rows_of(c);
  TENON_REQUIRE(rows_of(a) == n && cols_of(a) == n, TENON_ERROR_SHAPE,
                "a of shape %s on the %s does not fit %s of shape %s: a must be (%lld, %lld)",
                shape_text(a.shape()).c_str(), right ? "right" : "left", name, shape_text(c.shape()).c_str(),
                static_cast<long long>(n), static_cast<long long>(n));
}

void require_real(const Factor& factor, const char* what) {
  factor.require_real(what, "with it a Hermitian product is not Hermitian");
}

// The operand as s, for an update of c = s s'.
Ref<Array> by_op(const Array& a, Op op) { return op == Op::none ? Ref<Array>(const_cast<Array*>(&a)) : swapped(a); }

// The checks for updates of one triangle of c by products of n x k matrices, or, depending on op, k x n ones.
void check_update(const Array& c, const BlasOptions& o, const Factor& beta, const Device& device,
                  std::initializer_list<CheckedOperand> operands) {
  check_result(c, "c", device);
  require_square(c, "c");
  const CheckedOperand& first = *operands.begin();
  for (const CheckedOperand& x : operands) {
    check_operand(x.array, x.what, c, "c", device);
    const Ref<Array> s = by_op(x.array, o.op), t = by_op(first.array, o.op);
    TENON_REQUIRE(rows_of(*s) == rows_of(c), TENON_ERROR_SHAPE,
                  "%s of shape %s does not fit c of shape %s: %s gives (..., n, n)", x.what,
                  shape_text(x.array.shape()).c_str(), shape_text(c.shape()).c_str(),
                  o.op == Op::none ? "(..., n, k)" : "with this op (..., k, n)");
    TENON_REQUIRE(cols_of(*s) == cols_of(*t), TENON_ERROR_SHAPE,
                  "%s of shape %s and %s of shape %s must be equal in their last two axes", first.what,
                  shape_text(first.array.shape()).c_str(), x.what, shape_text(x.array.shape()).c_str());
  }
  const bool complex = dtype_complex(c.dtype());
  TENON_REQUIRE(!complex || o.op == Op::none || (o.op == Op::conjugate_transpose) == o.hermitian,
                TENON_ERROR_INVALID_ARGUMENT,
                "op is %s: for complex numbers a Hermitian product takes TENON_OP_NONE or ADJOINT, a symmetric one "
                "NONE or TRANSPOSE",
                o.op == Op::transpose ? "TENON_OP_TRANSPOSE" : "TENON_OP_ADJOINT");
  beta.check(c.dtype(), device, "beta");
  if (o.hermitian && complex) require_real(beta, "beta");
}

// op(a) c or op(a)^-1 c in place, for arrays that have been checked.
template <class Problem>
int32_t run_triangular(const Factor& alpha, const Array& a, Array& c, const BlasOptions& o, Stream& stream) {
  int32_t packed = 0;
  Destination target(c, true, packed, stream);
  const bool by_rows = stored(*target, true), conjugated = o.op == Op::conjugate_transpose && dtype_complex(a.dtype());
  // If a is stored like c, it is used with op itself, else with op and a transposition.
  const bool other = !stored(a, by_rows) && stored(a, !by_rows) && !conjugated;
  const Ref<Array> used = other ? Ref<Array>(const_cast<Array*>(&a)) : stored_so(a, by_rows, packed, stream);
  Problem p;
  p.dtype = a.dtype();
  p.m = by_rows ? cols_of(c) : rows_of(c);
  p.n = by_rows ? rows_of(c) : cols_of(c);
  p.right = o.right != by_rows;
  p.op = !other ? o.op : o.op == Op::none ? Op::transpose : Op::none;
  p.upper = o.upper != (by_rows != other);
  p.unit = o.unit;
  const Factors factors(alpha, 0, p.dtype, p, stream);
  run_batches<2>(p, {{{used.get(), by_rows != other, &p.a}, {&*target, by_rows, &p.b}}}, stream);
  target.finish(stream);
  return packed;
}

template <class Problem> Ref<Array> triangular(const Factor& alpha, const Array& a, const Array& b,
                                               const BlasOptions& o, int32_t& packed, Stream* given,
                                               const Output& out) {
  Stream& stream = stream_or_default(given, given ? given->device() : out.given() ? out.given()->device() : b.device());
  require_matrix(b, "b", stream.device());
  require_matrix(a, "a", stream.device());
  require_same_dtype(a, b);
  check_side(a, b, "b", o.right);
  alpha.check(b.dtype(), stream.device(), "alpha");
  const Dims shape = with_matrix(broadcast_batches(batch_of(a), batch_of(b)), rows_of(b), cols_of(b));
  return recorded_whole(stream, [&] {
    const Ref<Array> c = out.open(b.dtype(), shape, stream, {{a, "a"}, {b, "b", true}});
    if (c->size() == 0) return c;
    if (alpha.is(0)) {
      fill(*c, 0, 0, &stream);
      return c;
    }
    if (overlap(*c, b) != Overlap::exact) copy(*c, *b.broadcast(shape), &stream);
    packed += run_triangular<Problem>(alpha, a, *c, o, stream);
    return c;
  });
}

// An update of a triangle of c by op(a), given as `used`.
template <class Problem> Problem update_of(const Array& c, const Array& used, bool upper, bool hermitian) {
  Problem p;
  p.dtype = c.dtype();
  p.m = p.n = rows_of(c);
  p.k = cols_of(used);
  p.upper = upper;
  p.conjugated = hermitian;
  return p;
}

}  // namespace

Ref<Array> trmm(const Factor& alpha, const Array& a, const Array& b, const BlasOptions& options, int32_t& packed,
                Stream* stream, const Output& out) {
  return triangular<TrmmProblem>(alpha, a, b, options, packed, stream, out);
}

Ref<Array> trsm(const Factor& alpha, const Array& a, const Array& b, const BlasOptions& options, int32_t& packed,
                Stream* stream, const Output& out) {
  return triangular<TrsmProblem>(alpha, a, b, options, packed, stream, out);
}

Ref<Array> syrk_result(const Array& a, const Array* b, Op op, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  require_matrix(a, "a", stream.device());
  if (b) require_matrix(*b, "b", stream.device());
  const int64_t n = op == Op::none ? rows_of(a) : cols_of(a);
  const Dims batch = b ? broadcast_batches(batch_of(a), batch_of(*b)) : Dims(batch_of(a));
  const Ref<Array> c = Array::create(stream.device(), a.dtype(), with_matrix(batch, n, n), stream);
  if (c->size()) fill(*c, 0, 0, &stream);
  return c;
}

Ref<Array> side_result(const Array& a, const Array& b, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : b.device());
  require_matrix(a, "a", stream.device());
  require_matrix(b, "b", stream.device());
  return Array::create(stream.device(), b.dtype(),
                       with_matrix(broadcast_batches(batch_of(a), batch_of(b)), rows_of(b), cols_of(b)), stream);
}

int32_t syrk(const Factor& alpha, const Array& a, const Factor& beta, Array& c, const BlasOptions& o, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : c.device());
  check_update(c, o, beta, stream.device(), {{a, "a"}});
  const bool hermitian = o.hermitian && dtype_complex(c.dtype());
  alpha.check(c.dtype(), stream.device(), "alpha");
  if (hermitian) require_real(alpha, "alpha");
  const Ref<Array> s = by_op(a, o.op);  // c = s s', apart from conjugation
  if (c.size() == 0) return 0;
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    Destination target(c, true, packed, stream);  // the other triangle is not changed
    const bool by_rows = stored(*target, true);
    SyrkProblem p = update_of<SyrkProblem>(c, *s, o.upper != by_rows, hermitian);
    Ref<Array> used = s;
    Factor of_a = alpha;
    if (p.k == 0 || alpha.is(0)) {  // c = beta c: a is one column of zeros
      used = Array::create(stream.device(), a.dtype(), with_matrix(batch_of(*s), p.n, 1), stream);
      if (used->size()) fill(*used, 0, 0, &stream);
      p.k = 1;
      of_a = 0;
    }
    const Factors factors(of_a, beta, p.dtype, p, stream);
    // For Hermitian c: whichever of c' and c is m^H m or m m^H for memory m decides how s is stored.
    used = hermitian ? stored_so(*used, by_rows != (o.op != Op::none), packed, stream)
                     : stored_at_all(*used, packed, stream);
    const bool transposed = hermitian ? by_rows != (o.op != Op::none) : !stored(*used, false);
    p.op = !transposed ? Op::none : hermitian ? Op::conjugate_transpose : Op::transpose;
    run_batches<2>(p, {{{used.get(), transposed, &p.a}, {&*target, by_rows, &p.c}}}, stream);
    target.finish(stream);
    return packed;
  });
}

int32_t syr2k(const Factor& alpha, const Array& a, const Array& b, const Factor& beta, Array& c, const BlasOptions& o,
              Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : c.device());
  check_update(c, o, beta, stream.device(), {{a, "a"}, {b, "b"}});
  alpha.check(c.dtype(), stream.device(), "alpha");
  const bool hermitian = o.hermitian && dtype_complex(c.dtype());
  if (c.size() == 0) return 0;
  const Ref<Array> s = by_op(a, o.op), t = by_op(b, o.op);
  if (cols_of(*s) == 0 || alpha.is(0)) return syrk(0.0, a, beta, c, o, &stream);
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    Destination target(c, true, packed, stream);  // the other triangle is not changed
    const bool by_rows = stored(*target, true);
    // Whichever of c' and c is m^H w + w^H m or m w^H + w m^H for memory m and w decides how they are stored, as in
    // syrk.
    const bool transposed = hermitian ? by_rows != (o.op != Op::none) : !stored(*s, false);
    const Ref<Array> first = stored_so(*s, transposed, packed, stream),
                     second = stored_so(*t, transposed, packed, stream);
    Syr2kProblem p = update_of<Syr2kProblem>(c, *s, o.upper != by_rows, hermitian);
    const Factors factors(hermitian && by_rows ? alpha.conjugated(stream) : alpha, beta, p.dtype, p, stream);
    p.op = !transposed ? Op::none : hermitian ? Op::conjugate_transpose : Op::transpose;
    run_batches<3>(p, {{{first.get(), transposed, &p.a}, {second.get(), transposed, &p.b}, {&*target, by_rows, &p.c}}},
                   stream);
    target.finish(stream);
    return packed;
  });
}

int32_t symm(const Factor& alpha, const Array& a, const Array& b, const Factor& beta, Array& c, const BlasOptions& o,
             Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : c.device());
  check_result(c, "c", stream.device());
  check_operand(a, "a", c, "c", stream.device());
  check_operand(b, "b", c, "c", stream.device());
  check_side(a, c, "c", o.right);
  TENON_REQUIRE(rows_of(b) == rows_of(c) && cols_of(b) == cols_of(c), TENON_ERROR_SHAPE,
                "b of shape %s does not fit c of shape %s: their last two axes must be equal",
                shape_text(b.shape()).c_str(), shape_text(c.shape()).c_str());
  alpha.check(c.dtype(), stream.device(), "alpha");
  beta.check(c.dtype(), stream.device(), "beta");
  if (c.size() == 0) return 0;
  if (alpha.is(0)) {
    if (!beta.is(1)) scal(beta, c, &stream);
    return 0;
  }
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    Destination target(c, !beta.is(0), packed, stream);
    const bool by_rows = stored(*target, true), hermitian = o.hermitian && dtype_complex(c.dtype());
    // Stored in the other order, a symmetric matrix is the same; a Hermitian one is its conjugate.
    const Ref<Array> used =
        hermitian || stored(a, by_rows) ? stored_so(a, by_rows, packed, stream) : stored_at_all(a, packed, stream);
    const bool a_by_rows = stored(*used, by_rows) ? by_rows : !by_rows;
    const Ref<Array> other = stored_so(b, by_rows, packed, stream);
    SymmProblem p;
    p.dtype = c.dtype();
    p.m = by_rows ? cols_of(c) : rows_of(c);
    p.n = by_rows ? rows_of(c) : cols_of(c);
    p.right = o.right != by_rows;
    p.upper = o.upper != a_by_rows;
    p.conjugated = hermitian;
    const Factors factors(alpha, beta, p.dtype, p, stream);
    run_batches<3>(p, {{{used.get(), a_by_rows, &p.a}, {other.get(), by_rows, &p.b}, {&*target, by_rows, &p.c}}},
                   stream);
    target.finish(stream);
    return packed;
  });
}

}  // namespace tenon::ops
