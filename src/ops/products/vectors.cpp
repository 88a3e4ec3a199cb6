// ops/products/vectors.cpp: routines on vectors: products of a matrix with one and of two, sums, multiples, norms.
#include <tenon/linalg.h>
#include "core/device/recording.hpp"
#include "ops/compute/compute.hpp"
#include "ops/operand.hpp"
#include "ops/products/products.hpp"
#include "ops/own.hpp"

namespace tenon::ops {

Ref<Array> without_column(const Array& x) { return x.reshape({x.shape().data(), size_t(x.rank()) - 1}); }

Ref<Array> as_column(const Array& x, const char* what) {
  TENON_REQUIRE(x.rank() >= 1, TENON_ERROR_SHAPE, "%s has no axes: a vector must have at least one", what);
  return x.with(with_vector(x.shape(), 1), with_vector(x.strides(), 1), 0, x.read_only());
}

namespace {

int64_t length_of(const Array& x) { return x.shape()[x.rank() - 1]; }

void require_matrix_axes(const Array& a) {
  TENON_REQUIRE(a.rank() >= 2, TENON_ERROR_SHAPE, "a has shape %s: a matrix must have at least two axes",
                shape_text(a.shape()).c_str());
}

}  // namespace

void require_numbers(const Array& x, const char* what, const Device& device) {
  const Dtype t = x.dtype();
  TENON_REQUIRE(dtype_floating(t) || dtype_complex(t), TENON_ERROR_DTYPE,
                "%s is %s: float16, bfloat16, float32, float64, complex64 and complex128 are supported", what,
                dtype_name(t).c_str());
  require_on(x, device, what);
}

ElementAxes::ElementAxes(const Array& y, const Array* x)
    : to_(static_cast<char*>(y.data())), from_(x ? static_cast<const char*>(x->data()) : nullptr) {
  const Dims from = x ? broadcast_strides(x->shape(), x->strides(), y.shape()) : Dims(y.rank(), 0);
  const int64_t size = dtype_bytes(y.dtype());
  for (int32_t i = 0; i < y.rank(); ++i) axes_.push_back({y.shape()[i], y.strides()[i] * size, from[i] * size});
  normalise(axes_, to_, from_);
  for (CopyAxis* axis : {&rows_, &columns_, &batch_}) {
    *axis = {1, 1, 1};
    if (axes_.empty()) continue;
    *axis = {axes_.back().extent, axes_.back().to / size, axes_.back().from / size};
    axes_.pop_back();
  }
  index_.resize(axes_.size());
}

bool ElementAxes::next() {
  for (size_t i = axes_.size(); i-- > 0;) {
    const bool more = ++index_[i] < axes_[i].extent;
    const int64_t steps = more ? 1 : 1 - axes_[i].extent;
    to_ += steps * axes_[i].to;
    if (from_) from_ += steps * axes_[i].from;
    if (more) return true;
    index_[i] = 0;
  }
  return false;
}

int32_t gemv(const Factor& alpha, const Array& a, Op op, const Array& x, const Factor& beta, Array& y, Stream* stream) {
  require_matrix_axes(a);
  const Ref<Array> columns = as_column(x, "x"), result = as_column(y, "y");
  const int64_t length = op == Op::none ? rows_of(a) : cols_of(a), terms = op == Op::none ? cols_of(a) : rows_of(a);
  TENON_REQUIRE(length_of(x) == terms && length_of(y) == length, TENON_ERROR_SHAPE,
                "a of shape %s%s needs x of shape (..., %lld) and y of shape (..., %lld), but x has %s and y has %s",
                shape_text(a.shape()).c_str(), op == Op::none ? "" : " with this op", static_cast<long long>(terms),
                static_cast<long long>(length), shape_text(x.shape()).c_str(), shape_text(y.shape()).c_str());
  // One matrix for many vectors is a product of matrices whose rows are the vectors: y = x op(a)'.
  const bool conjugated = op == Op::conjugate_transpose && dtype_complex(a.dtype());
  const auto rows = [](const Array& v) { return v.rank() > 1 && (stored(v, true) || stored(v, false)); };
  if (count_of(batch_of(a)) == 1 && !conjugated && x.rank() == y.rank() && rows(x) && rows(y) &&
      rows_of(x) == rows_of(y))
    return gemm(alpha, x, Op::none, *one_or_all(a, {}), op == Op::none ? Op::transpose : Op::none, beta, y,
                TENON_COMPUTE_STRICT, stream, {"x", "a", "y", "gemv"});
  return gemm(alpha, a, op, *columns, Op::none, beta, *result, TENON_COMPUTE_STRICT, stream, {"a", "x", "y", "gemv"});
}

int32_t ger(const Factor& alpha, const Array& x, const Array& y, bool conjugate, Array& a, Stream* stream, bool fresh) {
  require_matrix_axes(a);
  const Ref<Array> left = as_column(x, "x"), right = as_column(y, "y");
  TENON_REQUIRE(
      length_of(x) == rows_of(a) && length_of(y) == cols_of(a), TENON_ERROR_SHAPE,
      "x of shape %s and y of shape %s do not fit a of shape %s: a of (..., m, n) needs x of (..., m) and y of (..., "
      "n)",
      shape_text(x.shape()).c_str(), shape_text(y.shape()).c_str(), shape_text(a.shape()).c_str());
  return gemm(alpha, *left, Op::none, *right, conjugate ? Op::conjugate_transpose : Op::transpose, fresh ? 0.0 : 1.0, a,
              TENON_COMPUTE_STRICT, stream, {"x", "y", "a", "ger"});
}

void axpy(const Factor& alpha, const Array& x, Array& y, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : y.device());
  require_numbers(x, "x", stream.device());
  require_numbers(y, "y", stream.device());
  TENON_REQUIRE(x.dtype() == y.dtype(), TENON_ERROR_DTYPE, "x is %s and y is %s: they must have the same dtype",
                dtype_name(x.dtype()).c_str(), dtype_name(y.dtype()).c_str());
  require_writable(y, "y");
  alpha.check(y.dtype(), stream.device(), "alpha");
  broadcast_strides(x.shape(), x.strides(), y.shape());  // throws if the shapes do not match
  TENON_REQUIRE(overlap(y, x) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                "y shares memory with x: it must be a separate array");
  if (y.size() == 0 || alpha.is(0)) return;
  if (prefers_own(stream.device()) && !alpha.on_device()) return axpy_compiled(alpha.value(), x, y, stream);
  recorded_whole(stream, [&] {
    AxpyProblem p;
    const Factors factors(alpha, 0, y.dtype(), p, stream);
    run_elements(p, y, &x, false, stream);
  });
}

void scal(const Factor& alpha, Array& x, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_numbers(x, "x", stream.device());
  require_writable(x, "x");
  alpha.check(x.dtype(), stream.device(), "alpha");
  if (x.size() == 0) return;
  if (alpha.is(0)) return fill(x, 0, 0, &stream);
  if (prefers_own(stream.device()) && !alpha.on_device()) return scal_compiled(alpha.value(), x, stream);
  recorded_whole(stream, [&] {
    ScalProblem p;
    const Factors factors(alpha, 0, x.dtype(), p, stream);
    run_elements(p, x, nullptr, false, stream);
  });
}

Ref<Array> scaled_copy(const Factor& alpha, const Array& x, Stream* given, const Output& out) {
  Stream& stream = stream_or_default(given, given ? given->device() : out.given() ? out.given()->device() : x.device());
  require_numbers(x, "x", stream.device());
  alpha.check(x.dtype(), stream.device(), "alpha");
  return recorded_whole(stream, [&] {
    const Ref<Array> y = out.open(x.dtype(), x.shape(), stream, {{x, "x", true}});
    if (!alpha.is(0)) copy(*y, x, &stream);
    scal(alpha, *y, &stream);
    return y;
  });
}

Ref<Array> gemv_result(const Array& a, Op op, const Array& x, Stream* stream) {
  require_matrix_axes(a);
  const Ref<Array> column = as_column(x, "x"), c = gemm_result(a, op, *column, Op::none, stream);
  return without_column(*c);
}

Ref<Array> ger_result(const Array& x, const Array& y, Stream* stream) {
  return gemm_result(*as_column(x, "x"), Op::none, *as_column(y, "y"), Op::transpose, stream);
}

Ref<Array> like(const Array& x, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  return Array::create(stream.device(), x.dtype(), x.shape(), stream);
}

namespace {

// One number per vector of x, of that dtype. empty: fills the result for vectors without elements. set: completes the
// problem, given the result's address; the problem has the vectors in p.a, and the stride of their elements in
// p.a.step.
template <class Problem, class Empty, class Set> Ref<Array> of_lines(const Array& x, Dtype dtype, int32_t& packed,
                                                                     Stream* given, const Output& output, Empty&& empty,
                                                                     Set&& set) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_numbers(x, "x", stream.device());
  TENON_REQUIRE(x.rank() >= 1, TENON_ERROR_SHAPE, "x has no axes: a vector must have at least one");
  const Extents batch{x.shape().data(), size_t(x.rank()) - 1};
  return recorded_whole(stream, [&] {
    output.check(dtype, batch, stream.device(), {{x, "x"}});
    Array* const direct = output.given() && output.given()->c_contiguous() ? output.given() : nullptr;
    const Ref<Array> out = direct ? Ref<Array>(direct) : Array::create(stream.device(), dtype, batch, stream);
    if (out->size() == 0) return output.deliver(out, stream);
    if (x.size() == 0) {
      empty(*out, stream);
      return output.deliver(out, stream);
    }
    const Dims lines{out->size(), length_of(x)};
    Dims strides;
    Ref<Array> used(const_cast<Array*>(&x));
    if (!reshape_strides(x.shape(), x.strides(), lines, strides)) {
      ++packed;
      used = contiguous(x, stream);
      strides = c_strides(lines);
    }
    Problem p;
    p.dtype = x.dtype();
    p.m = lines[1];
    p.n = 1;
    p.batch = lines[0];
    p.a = {used->data(), 1, strides[0], strides[1]};
    set(p, out->data());
    run(p, {out.get()}, {used.get()}, stream);
    return output.deliver(out, stream);
  });
}

void fill_zero(Array& out, Stream& stream) { fill(out, 0, 0, &stream); }

}  // namespace

Ref<Array> nrm2(const Array& x, int32_t& packed, Stream* given, const Output& output) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  if (prefers_own(stream.device()) && x.rank() >= 1 && x.size()) {
    require_numbers(x, "x", stream.device());
    const Extents batch{x.shape().data(), size_t(x.rank()) - 1};
    return recorded_whole(stream, [&] {
      output.check(dtype_real(x.dtype()), batch, stream.device(), {{x, "x"}});
      Array* const direct = output.given() && output.given()->c_contiguous() ? output.given() : nullptr;
      const Ref<Array> out =
          direct ? Ref<Array>(direct) : Array::create(stream.device(), dtype_real(x.dtype()), batch, stream);
      nrm2_compiled(x, *out, stream);
      return output.deliver(out, stream);
    });
  }
  return of_lines<NormProblem>(x, dtype_real(x.dtype()), packed, &stream, output, fill_zero,
                               [](NormProblem& p, void* out) {
                                 p.kind = NormKind::frobenius;
                                 p.norms = out;
                               });
}

Ref<Array> asum(const Array& x, int32_t& packed, Stream* stream, const Output& output) {
  const auto set = [](NormProblem& p, void* out) {
    p.kind = NormKind::sum;
    p.norms = out;
    if (!dtype_complex(p.dtype)) return;
    // Complex numbers are treated as their parts: one longer row, or a matrix of two columns.
    p.dtype = dtype_real(p.dtype);
    p.a.stride *= 2, p.a.step *= 2;
    if (p.a.step == 2) p.a.step = 1, p.m *= 2;
    else p.n = 2, p.a.ld = 1;
  };
  return of_lines<NormProblem>(x, dtype_real(x.dtype()), packed, stream, output, fill_zero, set);
}

Ref<Array> extreme_place(const Array& x, bool smallest, int32_t& packed, Stream* stream, const Output& output) {
  const auto none = [](Array& out, Stream& stream) { fill(out, -1, 0, &stream); };
  return of_lines<ExtremeProblem>(x, TENON_INT64, packed, stream, output, none, [&](ExtremeProblem& p, void* out) {
    p.smallest = smallest;
    p.found = static_cast<int64_t*>(out);
  });
}

}  // namespace tenon::ops
