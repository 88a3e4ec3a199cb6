// api/compute.cpp: arrays that compute.
#include "api/arguments.hpp"
#include "ops/compute/compute.hpp"
#include "ops/moving/moving.hpp"
#include "ops/moving/segments.hpp"

using namespace tenon;
using namespace tenon::api;
using functions::FunctionKind;

namespace {

ops::ComputeArg opened(const tenon_arg& arg, const char* name) {
  ops::ComputeArg out;
  out.name = name;
  if (arg.kind == TENON_ARG_ARRAY || arg.kind == TENON_ARG_STRIDED) {
    out.array = &get(arg.value.array, name);
    out.dtype = out.array->dtype();
    return out;
  }
  TENON_REQUIRE(arg.kind == TENON_ARG_SCALAR || arg.kind == TENON_ARG_WEAK, TENON_ERROR_INVALID_ARGUMENT,
                "%s is an argument of kind %u: an operand is an array (TENON_ARG_ARRAY, TENON_ARG_STRIDED), a scalar "
                "(TENON_ARG_SCALAR) or a number without a dtype (TENON_ARG_WEAK)",
                name, arg.kind);
  out.weak = arg.kind == TENON_ARG_WEAK;
  out.dtype = arg.dtype;
  TENON_REQUIRE(functions::kind_of(arg.dtype), TENON_ERROR_DTYPE,
                "%s is a scalar of %s, a storage type without arithmetic", name, dtype_name(arg.dtype).c_str());
  const Dtype weak[] = {TENON_BOOL, TENON_INT64, TENON_UINT64, TENON_FLOAT64, TENON_COMPLEX128};
  TENON_REQUIRE(!out.weak || std::find(std::begin(weak), std::end(weak), arg.dtype) != std::end(weak),
                TENON_ERROR_DTYPE,
                "%s is a TENON_ARG_WEAK of %s: it must be bool, int64, uint64, float64 or complex128", name,
                dtype_name(arg.dtype).c_str());
  tenon_arg plain = arg;
  plain.kind = TENON_ARG_SCALAR;
  scalar_from(plain, name);  // checks its size, and that a bool is 0 or 1
  std::memcpy(out.number, &arg.value, sizeof arg.value);
  return out;
}

ops::ComputeArg operand(const tenon_arg* arg, const char* name) { return opened(need(arg, name), name); }
ops::ComputeArg operand_or_none(const tenon_arg* arg, const char* name) {
  return arg ? opened(*arg, name) : ops::ComputeArg{};
}

bool compiled(uint32_t flags) {
  TENON_REQUIRE((flags & ~TENON_APPLY_COMPILED) == 0, TENON_ERROR_INVALID_ARGUMENT,
                "options->flags 0x%x: unknown bits 0x%x", flags, flags & ~TENON_APPLY_COMPILED);
  return flags & TENON_APPLY_COMPILED;
}

// A function of operands. Handles are opened in the order of the parameters: operands, options, stream, output.
// `function`: its name.
template <class F> int32_t computes(const tenon_compute_options* given, tenon_stream* stream, tenon_array** out_result,
                                    F&& body, const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        InOut out(out_result, "out_result");
        const ops::ComputeOptions options{compiled(options_from(given, "options").flags)};
        out.set(body(options, get_or_null(stream, "stream"), out));
      },
      function);
}

// The axes of a reduction of x, normal and ascending.
std::vector<int32_t> axes_of(const tenon_reduce_options& options, int32_t rank) {
  const auto given = need_list(options.axes, options.axis_count, "options->axes");
  if (!yes_or_no(options.no_axes, "options->no_axes")) return ops::reduced_axes(given, rank);
  TENON_REQUIRE(given.empty(), TENON_ERROR_INVALID_ARGUMENT,
                "options->no_axes is 1, but axis_count is %d: it must be 0", options.axis_count);
  return {};
}

ops::SegmentOptions segments_from(const tenon_segment_options* given) {
  const tenon_segment_options options = options_from(given, "options");
  TENON_REQUIRE(!options.dtype || dtype_valid(options.dtype), TENON_ERROR_DTYPE,
                "options->dtype: 0x%08x is not a dtype", options.dtype);
  return {options.segments, options.axis, yes_or_no(options.exclusive, "options->exclusive"), options.dtype,
          options.count};
}

}  // namespace

int32_t tenon_unary(int32_t function, const tenon_arg* x, const tenon_compute_options* options, tenon_stream* stream,
                    tenon_array** out_result) {
  return computes(options, stream, out_result, [&](const ops::ComputeOptions& o, Stream* on, const ops::Output& out) {
    ops::ComputeArg args[] = {operand(x, "x")};
    return ops::elementwise(functions::need(function, FunctionKind::unary, "tenon_unary"), args, o, on, out);
  });
}

int32_t tenon_binary(int32_t function, const tenon_arg* x, const tenon_arg* y, const tenon_compute_options* options,
                     tenon_stream* stream, tenon_array** out_result) {
  return computes(options, stream, out_result, [&](const ops::ComputeOptions& o, Stream* on, const ops::Output& out) {
    ops::ComputeArg args[] = {operand(x, "x"), operand(y, "y")};
    return ops::elementwise(functions::need(function, FunctionKind::binary, "tenon_binary"), args, o, on, out);
  });
}

int32_t tenon_select(const tenon_arg* condition, const tenon_arg* x, const tenon_arg* y,
                     const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result) {
  return computes(options, stream, out_result, [&](const ops::ComputeOptions& o, Stream* on, const ops::Output& out) {
    ops::ComputeArg args[] = {operand(condition, "condition"), operand(x, "x"), operand(y, "y")};
    return ops::select(std::span<ops::ComputeArg, 3>(args), o, on, out);
  });
}

int32_t tenon_clip(const tenon_arg* x, const tenon_arg* low, const tenon_arg* high,
                   const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result) {
  return computes(options, stream, out_result, [&](const ops::ComputeOptions& o, Stream* on, const ops::Output& out) {
    ops::ComputeArg args[] = {operand(x, "x"), operand_or_none(low, "low"), operand_or_none(high, "high")};
    return ops::clip(std::span<ops::ComputeArg, 3>(args), o, on, out);
  });
}

int32_t tenon_cast(const tenon_arg* x, uint32_t dtype, const tenon_compute_options* options, tenon_stream* stream,
                   tenon_array** out_result) {
  return computes(options, stream, out_result, [&](const ops::ComputeOptions& o, Stream* on, const ops::Output& out) {
    ops::ComputeArg arg = operand(x, "x");
    return ops::cast(arg, dtype, o, on, out);
  });
}

int32_t tenon_reduce(int32_t function, const tenon_arg* x, const tenon_reduce_options* given, tenon_stream* stream,
                     tenon_array** out_result) {
  return guard([&] {
    InOut out(out_result, "out_result");
    ops::ComputeArg arg = operand(x, "x");
    const tenon_reduce_options options = options_from(given, "options");
    const functions::Function& f = functions::need(function, FunctionKind::reduction, "tenon_reduce");
    TENON_REQUIRE(options.correction == 0 || f.code == TENON_FN_VAR || f.code == TENON_FN_STD,
                  TENON_ERROR_INVALID_ARGUMENT,
                  "options->correction is %g: only var and std have one, and it must be 0", options.correction);
    ops::ReduceOptions o{axes_of(options, arg.array ? arg.array->rank() : 0),
                         yes_or_no(options.keep_axes, "options->keep_axes"), compiled(options.flags), options.dtype,
                         options.correction};
    const bool ignore_nan = yes_or_no(options.ignore_nan, "options->ignore_nan");
    TENON_REQUIRE(!ignore_nan || f.code == TENON_FN_ARGMAX || f.code == TENON_FN_ARGMIN, TENON_ERROR_INVALID_ARGUMENT,
                  "options->ignore_nan is 1: only argmax and argmin have this option, not %s", f.name);
    Stream* const on = get_or_null(stream, "stream");
    out.set(ignore_nan ? ops::place_of_number(f, arg, o, on, out) : ops::reduce(f, arg, o, on, out));
  });
}

int32_t tenon_accumulate(int32_t function, const tenon_arg* x, const tenon_accumulate_options* given,
                         tenon_stream* stream, tenon_array** out_result) {
  return guard([&] {
    InOut out(out_result, "out_result");
    ops::ComputeArg arg = operand(x, "x");
    const tenon_accumulate_options options = options_from(given, "options");
    const functions::Function& f = functions::need(function, FunctionKind::scan, "tenon_accumulate");
    ops::AccumulateOptions o{options.axis, yes_or_no(options.exclusive, "options->exclusive"), compiled(options.flags),
                             options.dtype};
    out.set(ops::accumulate(f, arg, o, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_segment_reduce(int32_t function, const tenon_array* x, const tenon_array* segments,
                             const tenon_segment_options* given, tenon_stream* stream, tenon_array** out_result) {
  return guard([&] {
    InOut out(out_result, "out_result");
    const Array &array = get(x, "x"), &parts = get(segments, "segments");
    const ops::SegmentOptions options = segments_from(given);
    require_unused(options.exclusive, "exclusive");
    const functions::Function& f = functions::need(function, FunctionKind::reduction, "tenon_segment_reduce");
    out.set(ops::segment_reduce(f, array, parts, options, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_segment_scan(int32_t function, const tenon_array* x, const tenon_array* segments,
                           const tenon_segment_options* given, tenon_stream* stream, tenon_array** out_result) {
  return guard([&] {
    InOut out(out_result, "out_result");
    const Array &array = get(x, "x"), &parts = get(segments, "segments");
    const ops::SegmentOptions options = segments_from(given);
    const functions::Function& f = functions::need(function, FunctionKind::scan, "tenon_segment_scan");
    out.set(ops::segment_scan(f, array, parts, options, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_segment_offsets(const tenon_array* segments, const tenon_segment_options* given, tenon_stream* stream,
                              tenon_array** out_offsets) {
  return guard([&] {
    InOut out(out_offsets, "out_offsets");
    const Array& parts = get(segments, "segments");
    const ops::SegmentOptions options = segments_from(&need(given, "options"));
    require_unused(options.exclusive, "exclusive");
    require_unused(options.axis, "axis");
    require_unused(options.dtype, "dtype");
    require_unused(options.count, "count");
    out.set(ops::segment_offsets(parts, options, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_result_type(const tenon_arg* args, int32_t count, uint32_t* out_dtype) {
  return guard([&] {
    uint32_t& out = need(out_dtype, "out_dtype");
    std::vector<ops::ComputeArg> operands;
    for (const tenon_arg& arg : need_list(args, count, "args")) operands.push_back(opened(arg, "an operand"));
    TENON_REQUIRE(!operands.empty(), TENON_ERROR_INVALID_ARGUMENT,
                  "count is 0: at least one operand is needed to determine a dtype");
    out = ops::result_type(operands);
  });
}
