// ops/solve/solve.cpp: linear systems: LU, Cholesky, triangles, inverse and determinant.
//
// The memory of a C-ordered a, read by columns, is a'. So LU factors a copy of a as a' and solves with the transpose:
// only the right-hand sides of LU and Cholesky are transposed. Triangular systems are solved by trsm (triangles.cpp).
#include <tenon/solve.h>
#include <algorithm>
#include <cmath>
#include "ops/checks.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/solve/scaling.hpp"
#include "ops/solve/small.hpp"

namespace tenon::ops {
namespace {

// For a system op(a) x = b: everything that does not depend on the method of solution.
struct System {
  Stream& stream;
  Dims batch;
  int64_t n, columns;
  Ref<Array> x;     // the result, uninitialised, dense by rows or by columns; b itself if the caller passed it as the
                    // output
  bool one_matrix;  // a is one matrix for the whole batch of b
  Output out;

  Ref<Array> answer() const { return out.deliver(x, stream); }
};

System system_of(const Array& a, const Array& b, Stream* given, const Output& out, const char* name = "a") {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_matrix(b, "b", stream.device());
  require_square(a, "a");
  require_same_dtype(a, b);
  TENON_REQUIRE(rows_of(a) == rows_of(b), TENON_ERROR_SHAPE,
                "a of shape %s does not fit b of shape %s: a of (n, n) needs b of (n, k)",
                shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  System s{stream, broadcast_batches(batch_of(a), batch_of(b)), rows_of(a), cols_of(b), {}, count_of(batch_of(a)) == 1,
           out};
  s.x = out.open_dense(a.dtype(), with_matrix(s.batch, s.n, s.columns), stream, {{a, name}, {b, "b", true}});
  return s;
}

// Copies b, for the whole batch, to x.
void start_from(const System& s, const Array& b) {
  if (overlap(*s.x, b) != Overlap::exact) copy(*s.x, *b.broadcast(s.x->shape()), &s.stream);
}

// The right-hand sides as columns, to be solved in place: C-ordered b' for the whole batch. If x is stored by columns,
// in its memory.
Ref<Array> columns_of(const System& s, const Array& b) {
  if (!dense_by_columns(*s.x)) return copy_of(*swapped(b), with_matrix(s.batch, s.columns, s.n), s.stream);
  start_from(s, b);
  return swapped(*s.x);
}

// Sets columns, b and c of a problem that solves from the left: one matrix takes all columns of the batch at once.
template <class Problem> void take_columns(Problem& p, const System& s, const Array& columns) {
  p.n = s.n;
  p.k = s.one_matrix ? s.columns * count_of(s.batch) : s.columns;
  p.batch = s.one_matrix ? 1 : count_of(s.batch);
  p.b = packed(columns);
}

// Copies the solved columns to x.
Ref<Array> finish(const System& s, const Array& columns, Checks& checks) {
  checks.finite_result(columns, TENON_ERROR_SINGULAR, "is singular to working precision: the solution overflows");
  if (columns.data() != s.x->data()) copy(*s.x, *swapped(columns), &s.stream);
  const Ref<Array> answer = s.answer();
  checks.defer();
  return answer;
}

// Without right-hand sides there is nothing to solve, but a singular a is still an error.
Ref<Array> nothing_solved(const System& s, Checks& checks) {
  checks.defer();
  return s.answer();
}

// Is there no matrix to check?
bool nothing_at_all(const System& s, const Array& a) {
  return s.x->size() == 0 && (s.columns > 0 || a.size() == 0 || count_of(s.batch) == 0);
}

// For routines whose infos report invalid arguments only.
constexpr const char* kNoAnswer = "";

void solve_lu(const System& s, const LuFactors& factors, Op op, const Array& columns, Checks& checks) {
  LuSolveProblem p = problem_of<LuSolveProblem>(*factors.lu);
  take_columns(p, s, columns);
  p.op = op;
  p.pivots = static_cast<int64_t*>(factors.pivots->data());
  checks.run(p, {&columns}, {factors.lu.get(), factors.pivots.get()}, TENON_OK, "getrs", kNoAnswer);
}

constexpr const char* kSingular = "is singular: its factor U has a zero on the diagonal";
constexpr const char* kOverflow =
    "has factors that overflow its dtype";  // a quotient by infinity looks like a solution
constexpr const char* kIndefinite = "is not positive definite: a leading minor is not";

Ref<Array> solve_general(const System& s, const Array& a, const Array& b, Op op, bool later) {
  // a' is factored, unless a is stored by columns or must be factored itself: LAPACK solves with a transpose or a
  // conjugate transpose, but not with the conjugate alone.
  const bool whole = dense_by_columns(a) || (op == Op::conjugate_transpose && dtype_complex(a.dtype()));
  const Ref<Array> wide = one_or_all(a, s.batch);
  Checks checks(s.stream, later);
  const LuFactors factors = factor_transposed(whole ? *swapped(*wide) : *wide, checks, s.stream);
  checks.infos(*factors.infos, TENON_ERROR_SINGULAR, "getrf", kSingular);
  checks.finite_result(*factors.lu, TENON_ERROR_OVERFLOW, kOverflow);
  if (s.columns == 0) return nothing_solved(s, checks);
  const Ref<Array> columns = columns_of(s, b);
  checks.finite(*columns, "b");
  solve_lu(s, factors, whole ? op : op == Op::none ? Op::transpose : Op::none, *columns, checks);
  return finish(s, *columns, checks);
}

// The same for small matrices, by one kernel.
Ref<Array> solve_small(const System& s, const Array& a, const Array& b, Op op, bool later) {
  Checks checks(s.stream, later);
  small_solve(a, &b, op, *s.x, checks, s.stream);
  const Ref<Array> answer = s.answer();
  checks.defer();
  return answer;
}

// The Cholesky factor of a' or a in place, a C-ordered copy; `upper` is meant as the routine sees it.
void factor_cholesky(const Array& work, bool upper, Checks& checks) {
  if (work.size() == 0) return;
  CholeskyProblem p = problem_of<CholeskyProblem>(work);
  p.upper = upper;
  checks.run(p, {&work}, {}, TENON_ERROR_SINGULAR, "potrf", kIndefinite);
}

void solve_cholesky(const System& s, const Array& factor, bool upper, const Array& columns, Checks& checks) {
  CholeskySolveProblem p = problem_of<CholeskySolveProblem>(factor);
  take_columns(p, s, columns);
  p.upper = upper;
  checks.run(p, {&columns}, {&factor}, TENON_OK, "potrs", kNoAnswer);
}

// A copy for Cholesky. If a is complex or stored by columns, the routine sees a itself, and its triangle `upper` is the
// routine's; otherwise it sees a', and the triangles are exchanged.
Ref<Array> hermitian_copy(const Array& a, Extents shape, bool& upper, Stream& stream) {
  if (dtype_complex(a.dtype()) || dense_by_columns(a)) return copy_of(*swapped(a), shape, stream);
  upper = !upper;
  return copy_of(a, shape, stream);
}

Ref<Array> solve_positive(const System& s, const Array& a, const Array& b, bool later) {
  bool upper = false;
  const Ref<Array> work =
      hermitian_copy(a, s.one_matrix ? Dims(a.shape()) : with_matrix(s.batch, s.n, s.n), upper, s.stream);
  Checks checks(s.stream, later);
  keep_triangle(*work, upper, true, s.stream);
  checks.finite(*work, "a");
  factor_cholesky(*work, upper, checks);
  if (s.columns == 0) return nothing_solved(s, checks);
  const Ref<Array> columns = columns_of(s, b);
  checks.finite(*columns, "b");
  solve_cholesky(s, *work, upper, *columns, checks);
  return finish(s, *columns, checks);
}

}  // namespace

LuFactors factor_transposed(const Array& a, Checks& checks, Stream& stream, const Ref<Array>& into,
                            const Ref<Array>& pivots) {
  LuFactors f{into, pivots, {}};
  if (!f.lu) f.lu = copy_of(a, stream);
  else copy(*f.lu, a, &stream);
  if (!f.pivots)
    f.pivots =
        Array::create(stream.device(), TENON_INT64, with_vector(batch_of(a), std::min(rows_of(a), cols_of(a))), stream);
  f.infos = Array::create(stream.device(), TENON_INT32, Dims{f.lu->size() ? count_of(batch_of(a)) : 0}, stream);
  if (f.lu->size() == 0) return f;
  checks.finite(*f.lu, "a");
  fill(*f.infos, 0, 0, &stream);
  LuProblem p = problem_of<LuProblem>(*f.lu);
  p.pivots = static_cast<int64_t*>(f.pivots->data());
  p.info = static_cast<int32_t*>(f.infos->data());
  run(p, {f.lu.get(), f.pivots.get(), f.infos.get()}, {}, stream);
  checks.pivots(*f.pivots, cols_of(*f.lu));  // those of a matrix with NaN may be arbitrary
  return f;
}

// Solving a' with the identity gives the columns of a'^-1, which are the rows of a^-1.
Ref<Array> inverse_of(const LuFactors& factors, Checks& checks, Stream& stream, const Ref<Array>& into) {
  const Ref<Array> out = into ? into : Array::create(stream.device(), factors.lu->dtype(), factors.lu->shape(), stream);
  set_identity(*out, stream);
  if (out->size() == 0) return out;
  LuSolveProblem p = problem_of<LuSolveProblem>(*factors.lu);
  p.k = p.n;
  p.b = packed(*out);
  p.pivots = static_cast<int64_t*>(factors.pivots->data());
  checks.run(p, {out.get()}, {factors.lu.get(), factors.pivots.get()}, TENON_OK, "getrs", kNoAnswer);
  return out;
}

Ref<Array> solve(const Array& a, const Array& b, int32_t kind, int32_t given_op, bool unit, Stream* given, bool later,
                 const Output& out) {
  TENON_REQUIRE(kind >= TENON_SOLVE_GENERAL && kind <= TENON_SOLVE_UPPER, TENON_ERROR_INVALID_ARGUMENT,
                "kind is %d: use TENON_SOLVE_GENERAL (0), POSITIVE (1), LOWER (2) or UPPER (3)", kind);
  const Op op = op_from(given_op);
  const bool triangle = kind == TENON_SOLVE_LOWER || kind == TENON_SOLVE_UPPER;
  TENON_REQUIRE(!unit || triangle, TENON_ERROR_INVALID_ARGUMENT,
                "unit_diagonal is only for the kinds TENON_SOLVE_LOWER and UPPER");
  TENON_REQUIRE(op == Op::none || kind != TENON_SOLVE_POSITIVE, TENON_ERROR_INVALID_ARGUMENT,
                "op is not 0, but a positive definite matrix (TENON_SOLVE_POSITIVE) is its own adjoint: pass 0");
  const System s = system_of(a, b, given, out);
  if (nothing_at_all(s, a)) return s.answer();
  if (kind == TENON_SOLVE_GENERAL && s.columns > 0 && small_pays(s.stream.device(), a.dtype(), s.n, s.columns))
    return solve_small(s, a, b, op, later);
  if (kind == TENON_SOLVE_GENERAL) return solve_general(s, a, b, op, later);
  if (kind == TENON_SOLVE_POSITIVE) return solve_positive(s, a, b, later);
  // The elements outside the triangle, and a unit diagonal, are not read and may be arbitrary: x shows whether the
  // others were finite.
  Checks checks(s.stream, later);
  if (!unit) {
    checks.diagonal(a);
    checks.finite(*copy_of(*diagonal(a), s.stream)->reshape(with_matrix(batch_of(a), 1, s.n)),
                  "the diagonal of a");  // b divided by infinity is 0
  }
  if (s.columns == 0) return nothing_solved(s, checks);
  start_from(s, b);
  const Ref<Array> dense = dense_by_columns(*s.x) ? swapped(*s.x) : s.x;
  checks.finite(*dense, "b");
  int32_t packed = 0;
  trsm(1.0, a, *s.x, {.op = op, .upper = kind == TENON_SOLVE_UPPER, .unit = unit}, packed, &s.stream, {s.x.get(), "x"});
  checks.finite_result(
      *dense, TENON_ERROR_SINGULAR,
      "is singular to working precision, or its triangle has NaN or infinity in it: the solution is not finite");
  const Ref<Array> answer = s.answer();
  checks.defer();
  return answer;
}

namespace {

void require_pivots(const Array& pivots, const Array& factors, const System& s) {
  TENON_REQUIRE(pivots.dtype() == TENON_INT64 && pivots.shape() == with_vector(batch_of(factors), s.n),
                TENON_ERROR_SHAPE, "the pivots are %s of shape %s: factors of shape %s need int64 pivots of shape %s",
                dtype_name(pivots.dtype()).c_str(), shape_text(pivots.shape()).c_str(),
                shape_text(factors.shape()).c_str(), shape_text(with_vector(batch_of(factors), s.n)).c_str());
  require_on(pivots, s.stream.device(), "pivots");
}

}  // namespace

LuResult lu(const Array& a, Stream* given, bool later, const LuOutputs& outs) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  const Dims rows = with_vector(batch_of(a), std::min(rows_of(a), cols_of(a)));
  outs.lu.check(a.dtype(), a.shape(), stream.device(), {{a, "a", true}});
  outs.pivots.check(TENON_INT64, rows, stream.device(), {{a, "a"}});
  // Here a itself is factored: its memory is transposed on the way in and back, unless it is stored by columns.
  Array *const given_lu = outs.lu.given(), *const given_pivots = outs.pivots.given();
  const Ref<Array> factors = given_lu && dense_by_columns(*given_lu) ? swapped(*given_lu) : Ref<Array>(),
                   pivots(given_pivots && given_pivots->c_contiguous() ? given_pivots : nullptr);
  Checks checks(stream, later);
  const LuFactors f = factor_transposed(*swapped(a), checks, stream, factors, pivots);
  checks.infos(*f.infos, TENON_OK, "getrf", kNoAnswer);
  checks.finite_result(*f.lu, TENON_ERROR_OVERFLOW, kOverflow);
  LuResult out{Ref<Array>(given_lu), outs.pivots.deliver(f.pivots, stream)};
  if (!given_lu) out.lu = copy_of(*swapped(*f.lu), stream);
  else if (!factors) copy(*given_lu, *swapped(*f.lu), &stream);
  checks.defer();
  return out;
}

Ref<Array> lu_solve(const Array& lu, const Array& pivots, const Array& b, int32_t given_op, Stream* given, bool later,
                    const Output& out) {
  const Op op = op_from(given_op);
  const System s = system_of(lu, b, given, out, "lu");
  require_pivots(pivots, lu, s);
  out.check(lu.dtype(), s.x->shape(), s.stream.device(), {{pivots, "pivots"}});
  if (nothing_at_all(s, lu)) return s.answer();
  Checks checks(s.stream, later);
  checks.diagonal(lu);
  if (s.columns == 0) return nothing_solved(s, checks);
  LuFactors f;
  const Dims shape = s.one_matrix ? Dims(lu.shape()) : with_matrix(s.batch, s.n, s.n);
  f.lu = copy_of(*swapped(lu), shape, s.stream);
  checks.finite(*f.lu, "lu");
  f.pivots = copy_of(pivots, s.one_matrix ? Dims(pivots.shape()) : with_vector(s.batch, s.n), s.stream);
  checks.pivots(*f.pivots, s.n);
  const Ref<Array> columns = columns_of(s, b);
  checks.finite(*columns, "b");
  solve_lu(s, f, op, *columns, checks);
  return finish(s, *columns, checks);
}

Ref<Array> cholesky(const Array& a, bool upper, Stream* given, bool later, const Output& out) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  // a' = conj(a) has the factors U'^H U' with U' = L': the memory of L. Only the given triangle may be read. A result
  // that is stored by columns is the routine's own output.
  const Ref<Array> factor = out.open_dense(a.dtype(), a.shape(), stream, {{a, "a", true}});
  if (factor->size() == 0) return out.deliver(factor, stream);
  const bool columns = dense_by_columns(*factor), triangle = columns ? upper : !upper;
  Checks checks(stream, later);
  if (small_pays(stream.device(), a.dtype(), rows_of(a), rows_of(a))) {
    small_cholesky(a, upper, *factor, checks, stream);
    const Ref<Array> answer = out.deliver(factor, stream);
    checks.defer();
    return answer;
  }
  copy(*factor, a, &stream);
  const Ref<Array> work = columns ? swapped(*factor) : factor;
  keep_triangle(*work, triangle, true, stream);
  checks.finite(*work, "a");
  factor_cholesky(*work, triangle, checks);
  clear_imaginary(*diagonal(*work), stream);  // conjugating the factor sets it to -0
  const Ref<Array> answer = out.deliver(factor, stream);
  checks.defer();
  return answer;
}

Ref<Array> cholesky_solve(const Array& factor, bool upper, const Array& b, Stream* given, bool later,
                          const Output& out) {
  const System s = system_of(factor, b, given, out, "factor");
  if (nothing_at_all(s, factor)) return s.answer();
  Checks checks(s.stream, later);
  checks.diagonal(factor);
  if (s.columns == 0) return nothing_solved(s, checks);
  const Ref<Array> work =
      copy_of(*swapped(factor), s.one_matrix ? Dims(factor.shape()) : with_matrix(s.batch, s.n, s.n), s.stream);
  keep_triangle(*work, upper, true, s.stream);
  checks.finite(*work, "factor");
  const Ref<Array> columns = columns_of(s, b);
  checks.finite(*columns, "b");
  solve_cholesky(s, *work, upper, *columns, checks);
  return finish(s, *columns, checks);
}

LuResult ldl(const Array& a, const LdlOptions& options, Stream* given, const LuOutputs& outs) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  outs.lu.check(a.dtype(), a.shape(), stream.device(), {{a, "a", true}});
  outs.pivots.check(TENON_INT64, with_vector(batch_of(a), rows_of(a)), stream.device(), {{a, "a"}});
  const Ref<Array> work = copy_of(*swapped(a), stream);  // a's columns
  const Ref<Array> pivots = Array::create(stream.device(), TENON_INT64, with_vector(batch_of(a), rows_of(a)), stream);
  if (work->size() == 0) return {outs.lu.deliver(copy_of(a, stream), stream), outs.pivots.deliver(pivots, stream)};
  keep_triangle(*work, options.upper, options.hermitian, stream);
  require_finite(*work, "a", stream);
  Checks checks(stream);
  LdlProblem p = problem_of<LdlProblem>(*work);
  p.upper = options.upper;
  p.conjugated = options.hermitian && dtype_complex(a.dtype());
  p.pivots = static_cast<int64_t*>(pivots->data());
  checks.run(p, {work.get(), pivots.get()}, {}, TENON_OK, "sytrf", kNoAnswer);
  checks.finite_result(*work, TENON_ERROR_OVERFLOW, kOverflow);
  checks.settle();
  if (!outs.lu.given()) return {copy_of(*swapped(*work), stream), outs.pivots.deliver(pivots, stream)};
  return {outs.lu.deliver(swapped(*work), stream), outs.pivots.deliver(pivots, stream)};
}

Ref<Array> ldl_solve(const Array& ld, const Array& pivots, const Array& b, const LdlOptions& options, Stream* given,
                     const Output& out) {
  const System s = system_of(ld, b, given, out, "ld");
  require_pivots(pivots, ld, s);
  out.check(ld.dtype(), s.x->shape(), s.stream.device(), {{pivots, "pivots"}});
  if (s.x->size() == 0) return s.answer();
  const std::vector<double> rows = host_reals(pivots, s.stream);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool pair = rows[i] < 0, paired = i % size_t(s.n) + 1 < size_t(s.n) && rows[i + 1] < 0;
    TENON_REQUIRE(std::abs(rows[i]) >= 1 && std::abs(rows[i]) <= double(s.n) &&
                      (!pair || (paired && rows[i + 1] >= -double(s.n))),
                  TENON_ERROR_INVALID_ARGUMENT,
                  "pivot %zu is %g: they are row numbers from 1 to %lld, negative in pairs, as tenon_ldl writes them",
                  i % size_t(s.n), rows[i], static_cast<long long>(s.n));
    i += pair;
  }
  const Ref<Array> work =
      copy_of(*swapped(ld), s.one_matrix ? Dims(ld.shape()) : with_matrix(s.batch, s.n, s.n), s.stream);
  keep_triangle(*work, options.upper, options.hermitian, s.stream);
  const Ref<Array> columns_pivots =
      copy_of(pivots, s.one_matrix ? Dims(pivots.shape()) : with_vector(s.batch, s.n), s.stream);
  const Ref<Array> columns = columns_of(s, b);
  Checks checks(s.stream);
  checks.finite(*work, "ld");
  checks.finite(*columns, "b");
  checks.settle();  // cusolverDnXsytrs reads the pivots without waiting for the work that writes them
  LdlSolveProblem p = problem_of<LdlSolveProblem>(*work);
  take_columns(p, s, *columns);
  p.upper = options.upper;
  p.conjugated = options.hermitian && dtype_complex(ld.dtype());
  p.pivots = static_cast<int64_t*>(columns_pivots->data());
  checks.run(p, {columns.get()}, {work.get(), columns_pivots.get()}, TENON_OK, "sytrs", kNoAnswer);
  return finish(s, *columns, checks);
}

Ref<Array> inverse(const Array& a, Stream* given, bool later, const Output& out) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  const Ref<Array> result = out.open_dense(a.dtype(), a.shape(), stream, {{a, "a", true}});
  const bool columns = dense_by_columns(*result);
  Checks checks(stream, later);
  if (result->size() && small_pays(stream.device(), a.dtype(), rows_of(a), rows_of(a))) {
    small_solve(a, nullptr, Op::none, *result, checks, stream);
    const Ref<Array> answer = out.deliver(result, stream);
    checks.defer();
    return answer;
  }
  const LuFactors factors = factor_transposed(columns ? *swapped(a) : a, checks, stream);
  checks.infos(*factors.infos, TENON_ERROR_SINGULAR, "getrf", kSingular);
  checks.finite_result(*factors.lu, TENON_ERROR_OVERFLOW, kOverflow);
  const Ref<Array> inverse = inverse_of(factors, checks, stream, columns ? swapped(*result) : result);
  checks.finite_result(*inverse, TENON_ERROR_SINGULAR, "is singular to working precision: its inverse overflows");
  const Ref<Array> answer = out.deliver(result, stream);
  checks.defer();
  return answer;
}

namespace {

// A product whose intermediate values neither overflow nor vanish: mantissa 2^exponent, |mantissa| in [1/2, 1) or 0.
struct Scaled {
  std::complex<double> mantissa = 1;
  int64_t exponent = 0;
  void multiply(std::complex<double> x) {
    bring(x);
    mantissa *= x;
    bring(mantissa);
  }

 private:
  void bring(std::complex<double>& x) {
    const double size = std::max(std::abs(x.real()), std::abs(x.imag()));
    if (size == 0) return;
    int shift;
    std::frexp(size, &shift);
    x = {std::ldexp(x.real(), -shift), std::ldexp(x.imag(), -shift)};
    exponent += shift;
  }
};

// The determinants of all matrices.
std::vector<Scaled> determinants(const Array& a, Stream& stream) {
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  std::vector<Scaled> out(matrices_on_host(batch_of(a)));
  const int64_t n = rows_of(a);
  if (n == 0 || out.empty()) return out;
  const Ref<Array> source = contiguous(a, stream);
  require_finite(*source, "a", stream);
  Exponents exponents = exponents_of(*source, stream);
  for (int& e : exponents) e = std::min(e, 0);  // only scale down: elements that are small next to large ones matter
  Checks checks(stream);
  const LuFactors f = factor_transposed(*scaled_each(*source, exponents, -1, stream), checks, stream);
  checks.settle();
  const std::vector<std::complex<double>> values = host_values(*diagonal(*f.lu), stream);
  const std::vector<double> pivots = host_reals(*f.pivots, stream);
  for (size_t g = 0; g < out.size(); ++g)
    for (size_t i = 0; i < size_t(n); ++i) {
      out[g].multiply(values[g * size_t(n) + i]);
      if (pivots[g * size_t(n) + i] != double(i + 1)) out[g].mantissa = -out[g].mantissa;
      out[g].exponent += exponents[g];
    }
  return out;
}

}  // namespace

Ref<Array> det(const Array& a, Stream* given, const Output& out) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  out.check(a.dtype(), batch_of(a), stream.device(), {{a, "a"}});
  std::vector<std::complex<double>> values;
  for (const Scaled& d : determinants(a, stream)) {
    const int exponent = int(std::clamp<int64_t>(d.exponent, -100000, 100000));
    values.emplace_back(std::ldexp(d.mantissa.real(), exponent), std::ldexp(d.mantissa.imag(), exponent));
  }
  return out.deliver(from_values(values, a.dtype(), batch_of(a), stream), stream);
}

SlogdetResult slogdet(const Array& a, Stream* given, const SlogdetOutputs& outs) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  outs.sign.check(a.dtype(), batch_of(a), stream.device(), {{a, "a"}});
  outs.log.check(dtype_real(a.dtype()), batch_of(a), stream.device(), {{a, "a"}});
  std::vector<std::complex<double>> signs;
  std::vector<double> logs;
  for (const Scaled& d : determinants(a, stream)) {
    const double size = std::abs(d.mantissa);
    signs.push_back(size == 0 ? 0.0 : d.mantissa / size);
    logs.push_back(size == 0 ? -std::numeric_limits<double>::infinity()
                             : std::log(size) + double(d.exponent) * 0.693147180559945309417232);
  }
  return {outs.sign.deliver(from_values(signs, a.dtype(), batch_of(a), stream), stream),
          outs.log.deliver(from_values(logs, dtype_real(a.dtype()), batch_of(a), stream), stream)};
}

}  // namespace tenon::ops
