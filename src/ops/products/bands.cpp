// ops/products/bands.cpp: products of banded matrices with vectors, and sums of matrices.
#include "core/device/recording.hpp"
#include "ops/operand.hpp"
#include "ops/products/products.hpp"

namespace tenon::ops {
namespace {

// A vector as BLAS takes it: x itself, or a packed copy if its stride is not positive.
Ref<Array> with_positive_step(const Array& x, int32_t& packed, Stream& stream) {
  if (x.size() == 0 || cols_of(x) <= 1 || x.strides()[x.rank() - 1] > 0) return Ref<Array>(const_cast<Array*>(&x));
  ++packed;
  return contiguous(x, stream);
}

// The vectors of an array as rows of matrices, so that the functions for matrices apply to them.
Ref<Array> as_row(const Array& x, const char* what) {
  TENON_REQUIRE(x.rank() >= 1, TENON_ERROR_SHAPE, "%s has no axes: a vector must have at least one", what);
  const Extents shape = x.shape(), strides = x.strides();
  const Extents batch = shape.first(shape.size() - 1), steps = strides.first(strides.size() - 1);
  return x.with(with_matrix(batch, 1, shape.back()), with_matrix(steps, 0, strides.back()), 0, x.read_only());
}

int64_t step_of(const Array& row) { return cols_of(row) > 1 ? row.strides()[row.rank() - 1] : 1; }

// The extents of the banded matrix, and the number of its diagonals.
struct Band {
  int64_t rows, columns, below, above;
};

Band check_band(const Array& a, const Array& x, const Array* y, const BandOptions& o) {
  const int64_t bands = rows_of(a), n = cols_of(a), taken = cols_of(x);
  if (o.symmetric) {
    TENON_REQUIRE(bands >= 1, TENON_ERROR_SHAPE,
                  "a has shape %s: its rows must be the main diagonal and those next to it",
                  shape_text(a.shape()).c_str());
    TENON_REQUIRE(o.hermitian || !dtype_complex(a.dtype()), TENON_ERROR_INVALID_ARGUMENT,
                  "a is %s and options->hermitian is 0: for complex dtypes BLAS has only Hermitian banded products",
                  dtype_name(a.dtype()).c_str());
    TENON_REQUIRE(taken == n, TENON_ERROR_SHAPE, "a of shape %s takes x of shape (..., %lld), but x has shape %s",
                  shape_text(a.shape()).c_str(), static_cast<long long>(n), shape_text(x.shape()).c_str());
    return {n, n, bands - 1, bands - 1};
  }
  TENON_REQUIRE(o.below >= 0 && o.below < bands, TENON_ERROR_INVALID_ARGUMENT,
                "options->below is %lld, but a of shape %s has %lld diagonals: below must be 0 to %lld",
                static_cast<long long>(o.below), shape_text(a.shape()).c_str(), static_cast<long long>(bands),
                static_cast<long long>(bands - 1));
  const int64_t rows = o.op != Op::none ? taken : y ? cols_of(*y) : n;
  TENON_REQUIRE(o.op != Op::none || taken == n, TENON_ERROR_SHAPE,
                "a of shape %s takes x of shape (..., %lld), but x has shape %s", shape_text(a.shape()).c_str(),
                static_cast<long long>(n), shape_text(x.shape()).c_str());
  return {rows, n, o.below, bands - 1 - o.below};
}

}  // namespace

Ref<Array> band_multiply(const Factor& alpha, const Array& a, const Array& given_x, const Factor& beta, Array* given_y,
                         const BandOptions& o, int32_t& packed, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : given_y ? given_y->device() : a.device());
  require_matrix(a, "a", stream.device());
  const Ref<Array> x = as_row(given_x, "x"), target = given_y ? as_row(*given_y, "y") : Ref<Array>();
  const Band band = check_band(a, *x, target.get(), o);
  const int64_t length = o.op == Op::none ? band.rows : band.columns;
  if (target) {
    check_result(*target, "y", stream.device());
    check_operand(a, "a", *target, "y", stream.device());
    check_operand(*x, "x", *target, "y", stream.device());
    TENON_REQUIRE(cols_of(*target) == length, TENON_ERROR_SHAPE,
                  "a of shape %s gives y of shape (..., %lld), but y has shape %s", shape_text(a.shape()).c_str(),
                  static_cast<long long>(length), shape_text(given_y->shape()).c_str());
  } else {
    require_matrix(*x, "x", stream.device());
    require_same_dtype(a, *x, "a", "x");
  }
  alpha.check(a.dtype(), stream.device(), "alpha");
  beta.check(a.dtype(), stream.device(), "beta");
  return recorded_whole(stream, [&] {
    const Ref<Array> y = given_y
                             ? Ref<Array>(given_y)
                             : Array::create(stream.device(), a.dtype(),
                                             with_vector(broadcast_batches(batch_of(a), batch_of(*x)), length), stream);
    if (y->size() == 0) return y;
    if (alpha.is(0) || band.rows == 0 || band.columns == 0) {
      if (!beta.is(1)) scal(beta, *y, &stream);
      return y;
    }
    const Ref<Array> row = as_row(*y, "y");
    // y itself, or a dense copy if its stride is not positive.
    const bool direct = cols_of(*row) <= 1 || row->strides()[row->rank() - 1] > 0;
    Ref<Array> result = row;
    if (!direct) {
      ++packed;
      result = Array::create(stream.device(), row->dtype(), row->shape(), stream);
      if (!beta.is(0)) copy(*result, *row, &stream);
    }
    const Ref<Array> columns = stored_so(a, false, packed, stream), from = with_positive_step(*x, packed, stream);
    const auto run = [&](auto p) {
      p.dtype = a.dtype();
      p.m = band.rows;
      p.n = band.columns;
      const Factors factors(alpha, beta, p.dtype, p, stream);
      p.b.step = step_of(*from);
      p.c.step = step_of(*result);
      run_batches<3>(p, {{{columns.get(), false, &p.a}, {from.get(), true, &p.b}, {result.get(), true, &p.c}}}, stream);
    };
    if (o.symmetric) {
      SbmvProblem p;
      p.k = band.below;
      p.upper = o.upper;
      run(p);
    } else {
      GbmvProblem p;
      p.below = band.below;
      p.above = band.above;
      p.op = o.op;
      run(p);
    }
    if (!direct) copy(*row, *result, &stream);
    return y;
  });
}

Ref<Array> band_triangular(bool solve, const Array& a, const Array& given_x, const char* name, const BlasOptions& o,
                           int32_t& packed, Stream* given, const Output& out) {
  Stream& stream = stream_or_default(given, given         ? given->device()
                                            : out.given() ? out.given()->device()
                                                          : given_x.device());
  require_matrix(a, "a", stream.device());
  const Ref<Array> x = as_row(given_x, name);
  require_matrix(*x, name, stream.device());
  require_same_dtype(a, *x, "a", name);
  TENON_REQUIRE(rows_of(a) >= 1, TENON_ERROR_SHAPE,
                "a has shape %s: its rows must be the main diagonal and those next to it",
                shape_text(a.shape()).c_str());
  TENON_REQUIRE(cols_of(*x) == cols_of(a), TENON_ERROR_SHAPE,
                "a of shape %s takes %s of shape (..., %lld), but %s has shape %s", shape_text(a.shape()).c_str(), name,
                static_cast<long long>(cols_of(a)), name, shape_text(given_x.shape()).c_str());
  const Dims shape = with_vector(broadcast_batches(batch_of(a), batch_of(*x)), cols_of(a));
  return recorded_whole(stream, [&] {
    const Ref<Array> y = out.open(a.dtype(), shape, stream, {{a, "a"}, {given_x, name, true}});
    if (y->size() == 0) return y;
    if (overlap(*y, given_x) != Overlap::exact) copy(*y, *given_x.broadcast(shape), &stream);
    const Ref<Array> row = as_row(*y, name), result = with_positive_step(*row, packed, stream);
    const Ref<Array> columns = stored_so(a, false, packed, stream);
    const auto run = [&](auto p) {
      p.dtype = a.dtype();
      p.m = p.n = cols_of(a);
      p.k = rows_of(a) - 1;
      p.op = o.op;
      p.upper = o.upper;
      p.unit = o.unit;
      p.b.step = step_of(*result);
      run_batches<2>(p, {{{columns.get(), false, &p.a}, {result.get(), true, &p.b}}}, stream);
    };
    if (solve) run(TbsvProblem());
    else run(TbmvProblem());
    if (result.get() != row.get()) copy(*row, *result, &stream);
    return y;
  });
}

Ref<Array> geam(const Factor& alpha, const Array& a, Op op_a, const Factor& beta, const Array* b, Op op_b,
                int32_t& packed, Stream* given, const Output& out) {
  Stream& stream = stream_or_default(given, given ? given->device() : out.given() ? out.given()->device() : a.device());
  require_matrix(a, "a", stream.device());
  if (b) {
    require_matrix(*b, "b", stream.device());
    require_same_dtype(a, *b);
  }
  alpha.check(a.dtype(), stream.device(), "alpha");
  beta.check(a.dtype(), stream.device(), "beta");
  TENON_REQUIRE(b || beta.is(0), TENON_ERROR_INVALID_ARGUMENT,
                "beta is not 0, but b is NULL: beta needs an array b to scale");
  const auto applied = [](const Array& x, Op op) {
    return op == Op::none ? Ref<Array>(const_cast<Array*>(&x)) : swapped(x);
  };
  const Ref<Array> left = applied(a, op_a), right = b ? applied(*b, op_b) : Ref<Array>();
  TENON_REQUIRE(!b || (rows_of(*left) == rows_of(*right) && cols_of(*left) == cols_of(*right)), TENON_ERROR_SHAPE,
                "op(a) of a %s and op(b) of b %s must be equal in their last two axes", shape_text(a.shape()).c_str(),
                b ? shape_text(b->shape()).c_str() : "");
  const Dims batch = b ? broadcast_batches(batch_of(a), batch_of(*b)) : Dims(batch_of(a));
  const Dims shape = with_matrix(batch, rows_of(*left), cols_of(*left));
  return recorded_whole(stream, [&] {
    if (b) out.check(a.dtype(), shape, stream.device(), {{a, "a", op_a == Op::none}, {*b, "b", op_b == Op::none}});
    else out.check(a.dtype(), shape, stream.device(), {{a, "a", op_a == Op::none}});
    const Ref<Array> c = out.open(a.dtype(), shape, stream, {});
    if (c->size() == 0) return c;
    const bool complex = dtype_complex(a.dtype());
    Destination target(*c, false, packed, stream);
    const bool by_rows = stored(*target, true);
    GeamProblem p;
    p.dtype = a.dtype();
    p.m = by_rows ? cols_of(*c) : rows_of(*c);
    p.n = by_rows ? rows_of(*c) : cols_of(*c);
    const Factors factors(alpha, beta, p.dtype, p, stream);
    // An operand that is stored like c is used with its own op, else with the opposite one. A conjugated operand is
    // packed in that case, because it cannot be conjugated without a transposition.
    struct Used {
      Ref<Array> array;
      bool by_rows;
      Op op;
    };
    const auto use = [&](const Array& x, Op op) -> Used {
      const bool conjugated = op == Op::conjugate_transpose && complex;
      if (stored(x, by_rows) || conjugated || !stored(x, !by_rows))
        return {stored_so(x, by_rows, packed, stream), by_rows, op};
      return {Ref<Array>(const_cast<Array*>(&x)), !by_rows, op == Op::none ? Op::transpose : Op::none};
    };
    const Used first = use(a, op_a), second = b ? use(*b, op_b) : Used{};
    p.op = first.op;
    p.op_b = second.op;
    if (b)
      run_batches<3>(p,
                     {{{first.array.get(), first.by_rows, &p.a},
                       {second.array.get(), second.by_rows, &p.b},
                       {&*target, by_rows, &p.c}}},
                     stream);
    else run_batches<2>(p, {{{first.array.get(), first.by_rows, &p.a}, {&*target, by_rows, &p.c}}}, stream);
    target.finish(stream);
    return c;
  });
}

}  // namespace tenon::ops
