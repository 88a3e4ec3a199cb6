// api/select.cpp: select.h.
#include "api/guard.hpp"
#include "ops/compute/compute.hpp"
#include "ops/moving/moving.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_sort(const tenon_array* x, int32_t axis, const tenon_sort_options* given, tenon_stream* stream,
                   tenon_array** out_values, tenon_array** out_indices) {
  return guard([&] {
    InOut values(out_values, "out_values", true), indices(out_indices, "out_indices", true);
    InOut::apart({&values, &indices});
    const tenon_sort_options options = options_from(given, "options");
    ops::Sorted result = ops::sort(get(x, "x"), axis, yes_or_no(options.descending, "descending"),
                                   get_or_null(stream, "stream"), values, indices);
    InOut::give({{&values, std::move(result.values)}, {&indices, std::move(result.indices)}});
  });
}

int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis, const tenon_top_k_options* given,
                    tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices) {
  return guard([&] {
    InOut values(out_values, "out_values", true), indices(out_indices, "out_indices", true);
    InOut::apart({&values, &indices});
    const tenon_top_k_options options = options_from(given, "options");
    ops::Sorted result = ops::top_k(get(x, "x"), k, axis, yes_or_no(options.smallest, "smallest"),
                                    get_or_null(stream, "stream"), values, indices);
    InOut::give({{&values, std::move(result.values)}, {&indices, std::move(result.indices)}});
  });
}

int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted, const tenon_search_options* given,
                            tenon_stream* stream, tenon_array** out_places) {
  return guard([&] {
    InOut out(out_places, "out_places");
    const tenon_search_options options = options_from(given, "options");
    out.set(ops::search_sorted(get(sorted, "sorted"), get(wanted, "wanted"), yes_or_no(options.right, "right"),
                               get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_interpolate(const tenon_array* x, const tenon_array* points, const tenon_array* values,
                          const tenon_interpolate_options* given, tenon_stream* stream, tenon_array** out_y) {
  return guard([&] {
    InOut out(out_y, "out_y");
    const tenon_interpolate_options options = options_from(given, "options");
    ops::InterpolateOptions chosen;
    if (yes_or_no(options.has_below, "options->has_below")) chosen.below = options.below;
    if (yes_or_no(options.has_above, "options->has_above")) chosen.above = options.above;
    out.set(ops::interpolate(get(x, "x"), get(points, "points"), get(values, "values"), chosen,
                             get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_unique(const tenon_array* x, const tenon_unique_options* given, tenon_stream* stream,
                     tenon_array** out_values, tenon_array** out_indices, tenon_array** out_inverse,
                     tenon_array** out_counts) {
  return guard([&] {
    InOut values(out_values, "out_values"), indices(out_indices, "out_indices", true),
        inverse(out_inverse, "out_inverse", true), counts(out_counts, "out_counts", true);
    InOut::apart({&values, &indices, &inverse, &counts});
    const tenon_unique_options options = options_from(given, "options");
    ops::Unique result = ops::unique(get(x, "x"), yes_or_no(options.nan_distinct, "nan_distinct"),
                                     get_or_null(stream, "stream"), {values, indices, inverse, counts});
    InOut::give({{&values, std::move(result.values)},
                 {&indices, std::move(result.indices)},
                 {&inverse, std::move(result.inverse)},
                 {&counts, std::move(result.counts)}});
  });
}

int32_t tenon_bincount(const tenon_array* x, const tenon_array* weights, int64_t length,
                       const tenon_bincount_options* options, tenon_stream* stream, tenon_array** out_counts) {
  return guard([&] {
    InOut out(out_counts, "out_counts");
    options_from(options, "options");
    out.set(ops::bincount(get(x, "x"), get_or_null(weights, "weights"), length, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_quantile(const tenon_array* x, const double* probabilities, int64_t count,
                       const tenon_quantile_options* given, tenon_stream* stream, tenon_array** out_quantiles) {
  return guard([&] {
    InOut out(out_quantiles, "out_quantiles");
    const Array& array = get(x, "x");
    const auto list = need_list(probabilities, count, "probabilities");
    const tenon_quantile_options options = options_from(given, "options");
    const auto axes = need_list(options.axes, options.axis_count, "options->axes");
    const ops::QuantileOptions chosen{ops::reduced_axes(axes, array.rank()), options.method,
                                      yes_or_no(options.keep_axes, "options->keep_axes"),
                                      yes_or_no(options.ignore_nan, "options->ignore_nan")};
    out.set(ops::quantile(array, list, chosen, get_or_null(stream, "stream"), out));
  });
}
