// ops/triangles.cpp: routines of which one triangle counts: products of a matrix with itself, of a symmetric matrix, of a
// triangle and of its inverse.
//
// BLAS is column-major. Where the result c is stored by rows its memory, read by columns, is c', and the problem handed down is
// that of c': sides and triangles change places. So do they for an operand stored by rows; what BLAS cannot do then (it
// conjugates only what it transposes) is packed the other way.
#include "core/recording.hpp"
#include "ops/operand.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {
namespace {

// An operand of a problem, how it is stored, and where it goes there. The result is the last one.
struct Place {
  const Array* array;
  bool by_rows;
  DenseMatrix* matrix;
};

// Runs the problem for every matrix of the result's batch.
template <size_t N>
void run_batches(DenseProblem& p, const std::array<Place, N>& places, Stream& stream) {
  const Place& result = places[N - 1];
  std::array<Dims, N> strides;
  for (size_t k = 0; k < N; ++k) {
    strides[k] = batch_strides(*places[k].array, *result.array, "an operand", "the result");
    stored(Matrix(*places[k].array), places[k].by_rows, places[k].matrix->ld);
    places[k].array->buffer().use(stream, k == N - 1);
  }
  Batches<N> batch(strides, batch_of(*result.array));
  const auto inner = batch.take_longest([](const auto&) { return true; });
  p.batch = inner.extent;
  for (size_t k = 0; k < N; ++k) places[k].matrix->stride = inner.step[k];
  const int64_t size = dtype_bytes(p.dtype);
  batch.each([&](const std::array<int64_t, N>& first) {
    for (size_t k = 0; k < N; ++k) places[k].matrix->data = static_cast<char*>(places[k].array->data()) + first[k] * size;
    stream.device().dense(p, stream);
  });
}

// The checks of an operand beside the result.
void check_operand(const Array& x, const char* name, const Array& result, const char* result_name, const Device& device) {
  require_matrix(x, name, device);
  TENON_REQUIRE(x.dtype() == result.dtype(), TENON_ERROR_DTYPE, "%s is %s and %s is %s: they must be one dtype", name,
                dtype_name(x.dtype()).c_str(), result_name, dtype_name(result.dtype()).c_str());
  batch_strides(x, result, name, result_name);
  TENON_REQUIRE(overlap(result, x) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                "%s shares memory with %s: it must be an array of its own", result_name, name);
}

void check_result(const Array& c, const char* name, const Device& device) {
  require_matrix(c, name, device);
  require_writable(c, name);
}

// A square operand of the side that it stands on.
void check_side(const Array& a, const Array& c, const char* name, bool right) {
  const int64_t n = right ? cols_of(c) : rows_of(c);
  TENON_REQUIRE(rows_of(a) == n && cols_of(a) == n, TENON_ERROR_SHAPE, "a %s on the %s does not fit %s %s: it must be (%lld, %lld)",
                shape_text(a.shape()).c_str(), right ? "right" : "left", name, shape_text(c.shape()).c_str(), static_cast<long long>(n),
                static_cast<long long>(n));
}

// op(a) c or op(a)^-1 c in place, of arrays that were checked.
int32_t run_triangular(Dense routine, std::complex<double> alpha, const Array& a, Array& c, const BlasOptions& o,
                       Stream& stream) {
  int32_t packed = 0;
  Target target(c, true, packed, stream);
  const bool by_rows = stored(*target, true), conjugated = o.op == Op::conjugate_transpose && dtype_complex(a.dtype());
  // Stored as c is, a takes part with op itself, else with op and a transposition.
  const bool other = !stored(a, by_rows) && stored(a, !by_rows) && !conjugated;
  const Ref<Array> used = other ? Ref<Array>(const_cast<Array*>(&a)) : stored_so(a, by_rows, packed, stream);
  DenseProblem p{};
  p.routine = routine;
  p.dtype = a.dtype();
  p.m = by_rows ? cols_of(c) : rows_of(c);
  p.n = by_rows ? rows_of(c) : cols_of(c);
  p.right = o.right != by_rows;
  p.op = !other ? o.op : o.op == Op::none ? Op::transpose : Op::none;
  p.upper = o.upper != (by_rows != other);
  p.unit = o.unit;
  p.alpha = alpha;
  run_batches<2>(p, {{{used.get(), by_rows != other, &p.a}, {&*target, by_rows, &p.b}}}, stream);
  target.finish(stream);
  return packed;
}

Ref<Array> triangular(Dense routine, std::complex<double> alpha, const Array& a, const Array& b, const BlasOptions& o,
                      int32_t& packed, Stream* given, const Output& out) {
  Stream& stream = stream_or_default(given, given ? given->device() : out.given() ? out.given()->device() : b.device());
  require_matrix(b, "b", stream.device());
  require_matrix(a, "a", stream.device());
  require_same_dtype(a, b);
  check_side(a, b, "b", o.right);
  require_factor(alpha, b.dtype(), "alpha");
  const Dims shape = with_matrix(broadcast_batches(batch_of(a), batch_of(b)), rows_of(b), cols_of(b));
  return recorded_whole(stream, [&] {
    const Ref<Array> c = out.open(b.dtype(), shape, stream, {{a, "a"}, {b, "b", true}});
    if (c->size() == 0) return c;
    if (alpha == 0.0) {
      fill(*c, 0, 0, &stream);
      return c;
    }
    if (overlap(*c, b) != Overlap::exact) copy(*c, *b.broadcast(shape), &stream);
    packed += run_triangular(routine, alpha, a, *c, o, stream);
    return c;
  });
}

}  // namespace

Ref<Array> trmm(std::complex<double> alpha, const Array& a, const Array& b, const BlasOptions& options, int32_t& packed,
                Stream* stream, const Output& out) {
  return triangular(Dense::triangular_multiply, alpha, a, b, options, packed, stream, out);
}

Ref<Array> trsm(std::complex<double> alpha, const Array& a, const Array& b, const BlasOptions& options, int32_t& packed,
                Stream* stream, const Output& out) {
  return triangular(Dense::triangular_solve, alpha, a, b, options, packed, stream, out);
}

Ref<Array> syrk_result(const Array& a, Op op, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  require_matrix(a, "a", stream.device());
  const int64_t n = op == Op::none ? rows_of(a) : cols_of(a);
  const Ref<Array> c = Array::create(stream.device(), a.dtype(), with_matrix(batch_of(a), n, n), stream);
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

int32_t syrk(std::complex<double> alpha, const Array& a, std::complex<double> beta, Array& c, const BlasOptions& o, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : c.device());
  check_result(c, "c", stream.device());
  require_square(c, "c");
  check_operand(a, "a", c, "c", stream.device());
  const bool complex = dtype_complex(a.dtype()), hermitian = o.hermitian && complex;
  TENON_REQUIRE(!complex || o.op == Op::none || (o.op == Op::conjugate_transpose) == o.hermitian, TENON_ERROR_INVALID_ARGUMENT,
                "op is %s: of complex numbers a Hermitian product goes with TENON_OP_NONE and ADJOINT, a symmetric one with NONE and TRANSPOSE",
                o.op == Op::transpose ? "TENON_OP_TRANSPOSE" : "TENON_OP_ADJOINT");
  for (const auto& [factor, what] : {std::pair{alpha, "alpha"}, {beta, "beta"}}) {
    require_factor(factor, c.dtype(), what);
    TENON_REQUIRE(!hermitian || factor.imag() == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "%s has an imaginary part, with which a Hermitian product is not Hermitian", what);
  }
  const Ref<Array> s = o.op == Op::none ? Ref<Array>(const_cast<Array*>(&a)) : swapped(a);  // c = s s', but for conjugation
  TENON_REQUIRE(rows_of(*s) == rows_of(c), TENON_ERROR_SHAPE, "a %s does not fit c %s: %s gives (..., n, n)", shape_text(a.shape()).c_str(),
                shape_text(c.shape()).c_str(), o.op == Op::none ? "(..., n, k)" : "with this op (..., k, n)");
  if (c.size() == 0) return 0;
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    Target target(c, true, packed, stream);  // the other triangle stays what it was
    const bool by_rows = stored(*target, true);
    DenseProblem p{};
    p.routine = Dense::rank_k;
    p.dtype = c.dtype();
    p.n = rows_of(c);
    p.k = cols_of(*s);
    p.upper = o.upper != by_rows;
    p.alpha = alpha;
    p.beta = beta;
    p.conjugated = hermitian;
    Ref<Array> used = s;
    if (p.k == 0 || alpha == 0.0) {  // c = beta c: a is one column of zeros
      used = Array::create(stream.device(), a.dtype(), with_matrix(batch_of(*s), p.n, 1), stream);
      if (used->size()) fill(*used, 0, 0, &stream);
      p.k = 1;
      p.alpha = 0;
    }
    // Hermitian: of c' or c the one that is m^H m or m m^H of memory m, which decides how s is stored.
    used = hermitian ? stored_so(*used, by_rows != (o.op != Op::none), packed, stream) : stored_at_all(*used, packed, stream);
    const bool turned = hermitian ? by_rows != (o.op != Op::none) : !stored(*used, false);
    p.op = !turned ? Op::none : hermitian ? Op::conjugate_transpose : Op::transpose;
    run_batches<2>(p, {{{used.get(), turned, &p.a}, {&*target, by_rows, &p.c}}}, stream);
    target.finish(stream);
    return packed;
  });
}

int32_t symm(std::complex<double> alpha, const Array& a, const Array& b, std::complex<double> beta, Array& c, const BlasOptions& o,
             Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : c.device());
  check_result(c, "c", stream.device());
  check_operand(a, "a", c, "c", stream.device());
  check_operand(b, "b", c, "c", stream.device());
  check_side(a, c, "c", o.right);
  TENON_REQUIRE(rows_of(b) == rows_of(c) && cols_of(b) == cols_of(c), TENON_ERROR_SHAPE,
                "b %s does not fit c %s: their last two axes must be equal", shape_text(b.shape()).c_str(), shape_text(c.shape()).c_str());
  require_factor(alpha, c.dtype(), "alpha");
  require_factor(beta, c.dtype(), "beta");
  if (c.size() == 0) return 0;
  if (alpha == 0.0) {
    if (beta != 1.0) scal(beta, c, &stream);
    return 0;
  }
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    Target target(c, beta != 0.0, packed, stream);
    const bool by_rows = stored(*target, true), hermitian = o.hermitian && dtype_complex(c.dtype());
    // A symmetric matrix is its own transpose however it is stored; a Hermitian one is its conjugate then.
    const Ref<Array> used = hermitian || stored(a, by_rows) ? stored_so(a, by_rows, packed, stream) : stored_at_all(a, packed, stream);
    const bool a_by_rows = stored(*used, by_rows) ? by_rows : !by_rows;
    const Ref<Array> other = stored_so(b, by_rows, packed, stream);
    DenseProblem p{};
    p.routine = Dense::symmetric_multiply;
    p.dtype = c.dtype();
    p.m = by_rows ? cols_of(c) : rows_of(c);
    p.n = by_rows ? rows_of(c) : cols_of(c);
    p.right = o.right != by_rows;
    p.upper = o.upper != a_by_rows;
    p.alpha = alpha;
    p.beta = beta;
    p.conjugated = hermitian;
    run_batches<3>(p, {{{used.get(), a_by_rows, &p.a}, {other.get(), by_rows, &p.b}, {&*target, by_rows, &p.c}}}, stream);
    target.finish(stream);
    return packed;
  });
}

}  // namespace tenon::ops
