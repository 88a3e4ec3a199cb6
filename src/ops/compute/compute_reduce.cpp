// ops/compute/compute_reduce.cpp: reductions and scans: dtypes, axes, and the passes that each is made of.
#include <tenon/functions.h>
#include <cmath>
#include <limits>
#include "core/device/backend.hpp"
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"
#include "kernel/generate/generate.hpp"
#include "ops/compute/compute.hpp"

namespace tenon::ops {
namespace {

using functions::Function;
using functions::kind_of;

int64_t length_of(const Dims& shape, const std::vector<int32_t>& axes) {
  int64_t out = 1;
  for (int32_t axis : axes) out *= shape[axis];
  return out;
}

// The dtype in which sums are accumulated.
Dtype sum_dtype(Dtype dtype) {
  const char kind = kind_of(dtype);
  return kind == 'b' || kind == 'i' ? Dtype(TENON_INT64)
         : kind == 'u'              ? Dtype(TENON_UINT64)
                                    : functions::wide_of(dtype);
}

// A view of the output that has the reduced axes, too, with extent 1.
Ref<Array> with_all_axes(Array& out, const Dims& shape, const std::vector<int32_t>& axes) {
  if (out.rank() == shape.size()) return Ref<Array>(&out);
  Dims extents(shape.size(), 1), strides(shape.size(), 0);
  for (int32_t d = 0, at = 0; d < shape.size(); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end())
      extents[d] = out.shape()[at], strides[d] = out.strides()[at++];
  return out.with(extents, strides, 0, out.read_only());
}

void add_axes(const generate::Loop& from, int32_t operands, const ComputeOperand* operand, ComputeLoop& to) {
  for (int32_t d = 0; d < from.rank; ++d, ++to.rank) {
    to.extent[to.rank] = from.extent[d];
    for (int32_t k = 0; k < kComputeOperands; ++k)
      to.stride[k][to.rank] = k < operands ? from.stride[k][d] * int64_t(dtype_bytes(operand[k].dtype)) : 0;
  }
}

void move_start(const generate::Loop& loop, int32_t operands, ComputeOperand* operand) {
  for (int32_t k = 0; k < operands; ++k)
    operand[k].data = static_cast<char*>(operand[k].data) + loop.start[k] * int64_t(dtype_bytes(operand[k].dtype));
}

// The axes for which `taken` holds, as a separate loop.
template <class F> void pick(const generate::Loop& from, F&& taken, generate::Loop& to) {
  to.rank = 0;
  to.operands = from.operands;
  for (int32_t k = 0; k < from.operands; ++k) to.start[k] = 0;
  for (int32_t d = 0; d < from.rank; ++d)
    if (taken(d)) generate::copy_axis(from, d, to);
}

// out: with all axes of x. y: NULL, or an array that broadcasts to x along the reduced axes.
void run_pass(const ReducePass& pass, const Array& x, const Array* y, const std::vector<int32_t>& axes, Array& out,
              Stream& stream, bool compiled) {
  if (out.size() == 0) return;
  if (compiled || !stream.device().has_functions())
    return reduce_compiled(*functions::find(pass.function), pass, x, y, axes, out, stream);
  ReduceProblem p;
  p.function = pass.function;
  p.map = pass.map;
  p.mapped = pass.mapped;
  p.accumulator = pass.accumulator;
  p.divide = pass.finish.divide;
  p.root = pass.finish.root;
  p.divisor = std::max(0.0, double(length_of(x.shape(), axes)) - pass.finish.correction);
  p.operands = y ? 3 : 2;
  const Array* arrays[] = {&out, &x, y};
  generate::Loop all, part;
  generate::start_loop(x.shape(), all);
  for (int32_t k = 0; k < p.operands; ++k) {
    p.operand[k] = {arrays[k]->data(), arrays[k]->dtype(), {}};
    all.add_operand(*arrays[k], x.shape());
  }
  const auto reduced = [&](int32_t d) { return std::find(axes.begin(), axes.end(), d) != axes.end(); };
  const bool places = pass.function == TENON_FN_ARGMAX || pass.function == TENON_FN_ARGMIN;
  pick(all, [&](int32_t d) { return !reduced(d); }, part);
  generate::simplify(part, false, 1);
  add_axes(part, p.operands, p.operand, p.loop);
  p.kept = part.rank;
  move_start(part, p.operands, p.operand);
  pick(all, reduced, part);
  generate::simplify(part, places, 1);
  add_axes(part, p.operands, p.operand, p.loop);
  move_start(part, p.operands, p.operand);
  if (p.loop.rank == p.kept) {  // one element each
    p.loop.extent[p.loop.rank] = 1;
    for (auto& stride : p.loop.stride) stride[p.loop.rank] = 0;
    ++p.loop.rank;
  }
  x.buffer().use(stream, false);
  if (y) y->buffer().use(stream, false);
  out.buffer().use(stream, true);
  stream.device().run(p, stream);
}

// The result for no elements; throws if the reduction has none.
double of_nothing(const Function& f) {
  switch (f.code) {
    case TENON_FN_PROD:
    case TENON_FN_ALL: return 1;
    case TENON_FN_SUM:
    case TENON_FN_ANY:
    case TENON_FN_COUNT_NONZERO:
    case TENON_FN_NORM: return 0;
    case TENON_FN_LOGSUMEXP: return -HUGE_VAL;
    case TENON_FN_MEAN:
    case TENON_FN_VAR:
    case TENON_FN_STD: return std::numeric_limits<double>::quiet_NaN();
    default:
      fail(TENON_ERROR_INVALID_ARGUMENT,
           "%s over no elements: the reduced axes have extent 0, so there is no element to return", f.name);
  }
}

// The elements with index 0 along the axes; axes keep an extent of 1.
Ref<Array> first_along(const Array& x, const std::vector<int32_t>& axes) {
  return x.with(reduced_shape(x.shape(), axes, true), x.strides(), 0, true);
}

// Where kernels are compiled, float64 holds what one pass over short floats loses (make_variance). Elsewhere in two
// passes: the mean, then the mean of the squared differences from it.
void variance(const Function& f, const Array& x, Dtype in, const ReduceOptions& options, Array& out, Stream& stream) {
  constexpr int64_t kOnePass = int64_t(1) << 28;  // leaves 25 bits, more than the result has
  if ((options.compiled || !stream.device().has_functions()) && kind_of(in) == 'f' && dtype_bytes(in) <= 4 &&
      length_of(x.shape(), options.axes) <= kOnePass) {
    const ReducePass pass = {f.code, 0, in, TENON_FLOAT64, {true, f.code == TENON_FN_STD, options.correction}};
    return reduce_compiled(f, pass, x, first_along(x, options.axes).get(), options.axes, out, stream);
  }
  const Dtype wide = functions::wide_of(in);
  const Ref<Array> mean = Array::create(stream.device(), wide, reduced_shape(x.shape(), options.axes, true), stream);
  run_pass({TENON_FN_SUM, 0, wide, wide, {true, false, 0}}, x, nullptr, options.axes, *mean, stream, options.compiled);
  run_pass({TENON_FN_SUM,
            functions::kSquaredDifference,
            wide,
            dtype_real(wide),
            {true, f.code == TENON_FN_STD, options.correction}},
           x, mean.get(), options.axes, out, stream, options.compiled);
}

// The maximum, the sum of exponentials relative to it, and the logarithm.
void log_sum(const Array& x, Dtype in, const ReduceOptions& options, Array& out, Stream& stream) {
  const Dtype wide = functions::wide_of(in);
  const Dims shape = reduced_shape(x.shape(), options.axes, true);
  const Ref<Array> top = Array::create(stream.device(), wide, shape, stream),
                   sum = Array::create(stream.device(), wide, shape, stream);
  run_pass({TENON_FN_MAX, 0, wide, wide, {}}, x, nullptr, options.axes, *top, stream, options.compiled);
  run_pass({TENON_FN_SUM, functions::kExpDifference, wide, wide, {}}, x, top.get(), options.axes, *sum, stream,
           options.compiled);
  ComputeArg args[2];
  args[0] = {sum.get(), "x", wide, false, {}};
  args[1] = {top.get(), "y", wide, false, {}};
  const Function& f = *functions::find(functions::kLogSum);
  if (out.dtype() == wide) {
    elementwise(f, args, {options.compiled}, &stream, Output(&out, "out_result"));
    return;
  }
  copy(out, *elementwise(f, args, {options.compiled}, &stream), &stream);
}

Dtype widest(Dtype dtype) { return dtype_complex(dtype) ? TENON_COMPLEX128 : TENON_FLOAT64; }

}  // namespace

Dims reduced_shape(const Dims& shape, const std::vector<int32_t>& axes, bool keep) {
  Dims out(keep ? shape.size() : shape.size() - int32_t(axes.size()));
  int32_t at = 0;
  for (int32_t d = 0; d < shape.size(); ++d) {
    const bool gone = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (gone && keep) out[at++] = 1;
    else if (!gone) out[at++] = shape[d];
  }
  return out;
}

std::vector<int32_t> reduced_axes(std::span<const int32_t> given, int32_t rank) {
  std::vector<int32_t> axes;
  if (given.empty())
    for (int32_t d = 0; d < rank; ++d) axes.push_back(d);
  for (int32_t axis : given) axes.push_back(normal_axis(axis, rank));
  std::sort(axes.begin(), axes.end());
  const auto twice = std::adjacent_find(axes.begin(), axes.end());
  TENON_REQUIRE(twice == axes.end(), TENON_ERROR_INVALID_ARGUMENT, "axis %d is given twice",
                twice == axes.end() ? 0 : *twice);
  return axes;
}

ReduceDtypes reduce_dtypes(const Function& f, Dtype x, Dtype requested) {
  const bool exact = f.code == TENON_FN_SUM || f.code == TENON_FN_PROD, has_dtype = exact || f.code >= TENON_FN_MEAN;
  TENON_REQUIRE(!requested || has_dtype, TENON_ERROR_INVALID_ARGUMENT,
                "options->dtype is %s: %s has a fixed dtype, so this option must be 0", dtype_name(requested).c_str(),
                f.name);
  if (requested) {
    TENON_REQUIRE(kind_of(requested) != 'c' ? kind_of(x) != 'c' : true, TENON_ERROR_DTYPE,
                  "x is %s, but options->dtype, %s, holds only real numbers", dtype_name(x).c_str(),
                  dtype_name(requested).c_str());
    TENON_REQUIRE(f.computes_in(kind_of(requested)), TENON_ERROR_DTYPE,
                  "options->dtype is 0x%x (%s), in which %s cannot be computed", requested,
                  dtype_name(requested).c_str(), f.name);
    return {requested, functions::result_of(f, requested)};
  }
  if (exact) return {x, kind_of(x) == 'f' || kind_of(x) == 'c' ? x : sum_dtype(x)};
  if (f.code == TENON_FN_ALL || f.code == TENON_FN_ANY || f.code == TENON_FN_COUNT_NONZERO)
    return {TENON_BOOL, f.result};
  const Dtype in = functions::computed_in(f, x);
  return {in, functions::result_of(f, in)};
}

std::optional<ReducePass> only_pass(const Function& f, Dtype in) {
  const Dtype wide = functions::wide_of(in), sum = sum_dtype(in);
  switch (f.code) {
    case TENON_FN_SUM:
    case TENON_FN_PROD: return ReducePass{f.code, 0, sum, sum, {}};
    case TENON_FN_COUNT_NONZERO: return ReducePass{TENON_FN_SUM, 0, TENON_BOOL, TENON_INT64, {}};
    case TENON_FN_MEAN: return ReducePass{TENON_FN_SUM, 0, wide, wide, {true, false, 0}};
    case TENON_FN_NORM:
      return ReducePass{TENON_FN_SUM, functions::kAbsSquared, widest(wide), TENON_FLOAT64, {false, true, 0}};
    case TENON_FN_ARGMAX:
    case TENON_FN_ARGMIN: {
      const Dtype compared = in == TENON_BOOL ? Dtype(TENON_UINT8) : wide;
      return ReducePass{f.code, 0, compared, compared, {}};
    }
    case TENON_FN_VAR:
    case TENON_FN_STD:
    case TENON_FN_LOGSUMEXP: return std::nullopt;
    default: return ReducePass{f.code, 0, wide, wide, {}};
  }
}

Ref<Array> reduce(const Function& f, ComputeArg& x, const ReduceOptions& options, Stream* given, const Output& out) {
  const Dtype dtype = result_type({&x, 1});
  give_dtype(x, dtype);
  const ReduceDtypes types = reduce_dtypes(f, dtype, options.dtype);
  Stream& stream = stream_or_default(given, device_of({&x, 1}, out.given()));
  return recorded_whole(stream, [&] {
    const Ref<Array> array = array_of(x, stream.device(), stream);
    const Dims shape = reduced_shape(array->shape(), options.axes, options.keep);
    const bool nothing = length_of(array->shape(), options.axes) == 0;
    const double value = nothing ? of_nothing(f) : 0;
    Ref<Array> result = out.open(types.result, shape, stream, {{*array, x.name}});
    if (result->size() == 0) return result;
    if (nothing) {
      fill(*result, value, value != value ? value : 0, &stream);
      return result;
    }
    const Ref<Array> all = with_all_axes(*result, array->shape(), options.axes);
    if (const std::optional<ReducePass> pass = only_pass(f, types.in))
      run_pass(*pass, *array, nullptr, options.axes, *all, stream, options.compiled);
    else if (f.code == TENON_FN_LOGSUMEXP) log_sum(*array, types.in, options, *all, stream);
    else variance(f, *array, types.in, options, *all, stream);
    return result;
  });
}

ScanDtypes scan_dtypes(const Function& f, Dtype x, Dtype requested) {
  const bool sums = f.code == TENON_FN_CUMULATIVE_SUM || f.code == TENON_FN_CUMULATIVE_PROD;
  TENON_REQUIRE(!requested || sums || f.code == TENON_FN_CUMULATIVE_LOGSUMEXP, TENON_ERROR_INVALID_ARGUMENT,
                "options->dtype is %s: %s has a fixed dtype, so this option must be 0", dtype_name(requested).c_str(),
                f.name);
  if (requested) {
    TENON_REQUIRE(f.computes_in(kind_of(requested)), TENON_ERROR_DTYPE,
                  "options->dtype is 0x%x (%s), in which %s cannot be computed", requested,
                  dtype_name(requested).c_str(), f.name);
    TENON_REQUIRE(kind_of(requested) == 'c' || kind_of(x) != 'c', TENON_ERROR_DTYPE,
                  "x is %s, but options->dtype, %s, holds only real numbers", dtype_name(x).c_str(),
                  dtype_name(requested).c_str());
  }
  const Dtype in = requested ? requested : sums ? x : functions::computed_in(f, x);
  const Dtype result = requested ? requested : sums && (kind_of(in) != 'f' && kind_of(in) != 'c') ? sum_dtype(in) : in;
  return {sums ? sum_dtype(in) : functions::wide_of(in), result};
}

Ref<Array> accumulate(const Function& f, ComputeArg& x, const AccumulateOptions& options, Stream* given,
                      const Output& out) {
  const Dtype dtype = result_type({&x, 1});
  give_dtype(x, dtype);
  const auto [accumulator, result_dtype] = scan_dtypes(f, dtype, options.dtype);
  Stream& stream = stream_or_default(given, device_of({&x, 1}, out.given()));
  TENON_REQUIRE(x.array && x.array->rank() > 0, TENON_ERROR_SHAPE, "x has no axes: %s needs one to run along", f.name);
  const int32_t axis = normal_axis(options.axis, x.array->rank());
  return recorded_whole(stream, [&] {
    const Array& array = *x.array;
    const Ref<Array> result = out.open(result_dtype, array.shape(), stream, {{array, x.name, result_dtype == dtype}});
    if (result->size() == 0) return result;
    if (options.compiled || !stream.device().has_functions()) {
      accumulate_compiled(f, accumulator, array, axis, options.exclusive, *result, stream);
      return result;
    }
    ScanProblem p;
    p.function = f.code;
    p.accumulator = accumulator;
    p.exclusive = options.exclusive;
    p.operand[0] = {result->data(), result->dtype(), {}};
    p.operand[1] = {array.data(), array.dtype(), {}};
    generate::Loop all, part;
    generate::start_loop(array.shape(), all);
    all.add_operand(*result, array.shape());
    all.add_operand(array, array.shape());
    pick(all, [&](int32_t d) { return d != axis; }, part);
    generate::simplify(part, false, 1);
    add_axes(part, 2, p.operand, p.loop);
    move_start(part, 2, p.operand);
    pick(all, [&](int32_t d) { return d == axis; }, part);
    add_axes(part, 2, p.operand, p.loop);
    array.buffer().use(stream, false);
    result->buffer().use(stream, true);
    stream.device().run(p, stream);
    return result;
  });
}

}  // namespace tenon::ops
