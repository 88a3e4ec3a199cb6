// api/moving.cpp: moving.h.
#include "api/arguments.hpp"
#include "ops/moving/moving.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

std::vector<const Array*> arrays_of(const tenon_array* const* list, int32_t count, const char* what) {
  std::vector<const Array*> out;
  for (const tenon_array* handle : need_list(list, count, what))
    out.push_back(&get(handle, format("%s[%zu]", what, out.size()).c_str()));
  return out;
}

}  // namespace

int32_t tenon_concat(const tenon_array* const* arrays, int32_t count, int32_t axis, const tenon_moving_options* options,
                     tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    options_from(options, "options");
    out.set(ops::concat(arrays_of(arrays, count, "arrays"), axis, false, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_stack(const tenon_array* const* arrays, int32_t count, int32_t axis, const tenon_moving_options* options,
                    tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    options_from(options, "options");
    out.set(ops::concat(arrays_of(arrays, count, "arrays"), axis, true, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_tile(const tenon_array* x, int32_t rank, const int64_t* repeats, const tenon_moving_options* options,
                   tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    options_from(options, "options");
    out.set(ops::tile(get(x, "x"), need_shape(repeats, rank, "repeats"), get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_repeat(const tenon_array* x, int64_t count, int32_t axis, const tenon_moving_options* options,
                     tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    options_from(options, "options");
    out.set(ops::repeat(get(x, "x"), count, axis, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_roll(const tenon_array* x, const int64_t* shifts, const int32_t* axes, int32_t count,
                   const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    options_from(options, "options");
    out.set(ops::roll(get(x, "x"), need_list(shifts, count, "shifts"), need_list(axes, count, "axes"),
                      get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_pad(const tenon_array* x, int32_t rank, const int64_t* before, const int64_t* after,
                  const tenon_pad_options* options, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    const Array& array = get(x, "x");
    TENON_REQUIRE(rank == array.rank(), TENON_ERROR_INVALID_ARGUMENT, "rank is %d, but the array has rank %d", rank,
                  array.rank());
    const tenon_pad_options chosen = options_from(options, "options");
    const Scalar value = chosen.value ? scalar_from(*chosen.value, "options->value") : Scalar{};
    out.set(ops::pad(array, need_list(before, rank, "before"), need_list(after, rank, "after"),
                     {chosen.mode, chosen.value ? &value : nullptr, chosen.stat_length}, get_or_null(stream, "stream"),
                     out));
  });
}

int32_t tenon_take(const tenon_array* x, const tenon_array* const* indices, const int32_t* axes, int32_t count,
                   const tenon_take_options* given, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    const tenon_take_options options = options_from(given, "options");
    require_unused(options.operation, "operation");
    out.set(ops::take(get(x, "x"), arrays_of(indices, count, "indices"), need_list(axes, count, "axes"),
                      yes_or_no(options.along, "along"), get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_scatter(tenon_array* x, const tenon_array* values, const tenon_array* const* indices, const int32_t* axes,
                      int32_t count, const tenon_take_options* given, tenon_stream* stream) {
  return guard([&] {
    const tenon_take_options options = options_from(given, "options");
    ops::scatter(get(x, "x"), get(values, "values"), arrays_of(indices, count, "indices"),
                 need_list(axes, count, "axes"), yes_or_no(options.along, "along"), options.operation,
                 get_or_null(stream, "stream"));
  });
}

int32_t tenon_nonzero(const tenon_array* x, const tenon_moving_options* options, tenon_stream* stream,
                      tenon_array** out_indices) {
  return guard([&] {
    InOut out(out_indices, "out_indices");
    options_from(options, "options");
    out.set(ops::nonzero(get(x, "x"), get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_compress(const tenon_array* x, const tenon_array* mask, int32_t axis, const tenon_moving_options* options,
                       tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    options_from(options, "options");
    out.set(ops::compress(get(x, "x"), get(mask, "mask"), axis, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_range(tenon_device* device, uint32_t dtype, int64_t count, const tenon_range_options* given,
                    tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    const tenon_range_options options = options_from(given, "options");
    yes_or_no(options.has_last, "has_last");
    const bool whole = options.first || options.integer_step,
               real = options.start != 0 || options.step != 0 || options.last != 0 || options.has_last;
    const bool takes_whole = dtype_code(dtype) <= 1;
    TENON_REQUIRE(takes_whole ? whole || !real : real || !whole, TENON_ERROR_INVALID_ARGUMENT,
                  "a range of %s takes options->%s, but only %s are set", dtype_name(dtype).c_str(),
                  takes_whole ? "first and integer_step" : "start, step and last",
                  takes_whole ? "start, step or last" : "first or integer_step");
    out.set(ops::range(get(device, "device").device, dtype, count, options, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_eye(tenon_device* device, uint32_t dtype, int64_t rows, int64_t columns,
                  const tenon_diagonal_options* given, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    const tenon_diagonal_options options = options_from(given, "options");
    require_unused(options.upper, "upper");
    out.set(ops::eye(get(device, "device").device, dtype, rows, columns, options.diagonal,
                     get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_triangle(const tenon_array* x, const tenon_diagonal_options* given, tenon_stream* stream,
                       tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    const tenon_diagonal_options options = options_from(given, "options");
    out.set(ops::triangle(get(x, "x"), yes_or_no(options.upper, "upper"), options.diagonal,
                          get_or_null(stream, "stream"), out));
  });
}
