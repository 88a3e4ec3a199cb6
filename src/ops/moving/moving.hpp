// ops/moving/moving.hpp: random.h, moving.h and select.h: random numbers, moving, selecting and sorting.
#pragma once
#include <tenon/moving.h>
#include <tenon/random.h>
#include <tenon/select.h>
#include <optional>
#include <vector>
#include "core/array/scalar.hpp"
#include "ops/compute/compute.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

using Arrays = std::span<const Array* const>;

// random.cpp
Ref<Array> random(Device& device, Dtype dtype, Extents shape, int32_t distribution, const tenon_random_options& options,
                  Stream* stream, const Output& out = {});
uint64_t random_blocks(Dtype dtype, int64_t count, int32_t distribution);
void random_split(uint64_t key, std::span<uint64_t> keys);
Ref<Array> permutation(Device& device, int64_t n, const tenon_random_options& options, Stream* stream,
                       const Output& out);

// moving.cpp
Ref<Array> piece(const Array& x, int32_t axis, int64_t begin, int64_t count);  // a view
int64_t checked_sum(int64_t a, int64_t b);                                     // of extents; throws OVERFLOW
Ref<Array> concat(Arrays arrays, int32_t axis, bool stack, Stream* stream, const Output& out);
Ref<Array> tile(const Array& x, Extents repeats, Stream* stream, const Output& out);
Ref<Array> repeat(const Array& x, int64_t count, int32_t axis, Stream* stream, const Output& out);
Ref<Array> roll(const Array& x, std::span<const int64_t> shifts, std::span<const int32_t> axes, Stream* stream,
                const Output& out);
Ref<Array> range(Device& device, Dtype dtype, int64_t count, const tenon_range_options& options, Stream* stream,
                 const Output& out);
Ref<Array> eye(Device& device, Dtype dtype, int64_t rows, int64_t columns, int64_t diagonal, Stream* stream,
               const Output& out);
Ref<Array> triangle(const Array& x, bool upper, int64_t diagonal, Stream* stream, const Output& out);

// pad.cpp
struct PadOptions {  // as in moving.h
  int32_t mode = TENON_PAD_CONSTANT;
  const Scalar* value = nullptr;  // NULL: 0
  int64_t stat_length = 0;
};
Ref<Array> pad(const Array& x, Extents before, Extents after, const PadOptions& options, Stream* stream,
               const Output& out);

// indexing.cpp
Ref<Array> take(const Array& x, Arrays indices, std::span<const int32_t> axes, bool along, Stream* stream,
                const Output& out);
void scatter(Array& x, const Array& values, Arrays indices, std::span<const int32_t> axes, bool along,
             int32_t operation, Stream* stream);
Ref<Array> nonzero(const Array& x, Stream* stream, const Output& out);
Ref<Array> compress(const Array& x, const Array& mask, int32_t axis, Stream* stream, const Output& out);
Ref<Array> bincount(const Array& x, const Array* weights, int64_t length, Stream* stream, const Output& out);
// The number of true elements of a C-ordered array of bools, and what is needed to find them again; waits.
struct TrueElements {
  Ref<Array> mask, starts;  // starts: by kernels, the number of true elements before each tile
  int64_t count;
};
TrueElements find_true(Ref<Array> mask, Stream& stream, const char* what);
// Their positions in C order. places: int64, C-ordered, of that many elements.
void write_places(const TrueElements& found, Array& places, Stream& stream);
// The elements of x at these positions: a C-ordered array of as many elements as the mask.
Ref<Array> true_elements(const TrueElements& found, const Array& x, Stream& stream, const Output& out);

// sorting.cpp
struct Sorted {
  Ref<Array> values, indices;
};
Sorted sort(const Array& x, int32_t axis, bool descending, Stream* stream, const Output& values, const Output& indices);
// A list of unsigned integers below 2^bits, ascending, with indices: GPUs sort only by these bits.
Sorted sort_bits(const Array& list, int32_t bits, Stream& stream);
Sorted top_k(const Array& x, int64_t k, int32_t axis, bool smallest, Stream* stream, const Output& values,
             const Output& indices);
Ref<Array> search_sorted(const Array& sorted, const Array& wanted, bool right, Stream* stream, const Output& out);

// extremes.cpp: ARGMAX and ARGMIN among the elements that are not NaN; INVALID_ARGUMENT, which may be deferred, if
// there are none.
Ref<Array> place_of_number(const functions::Function& f, ComputeArg& x, const ReduceOptions& options, Stream* stream,
                           const Output& out);

// interpolate.cpp
struct InterpolateOptions {
  std::optional<double> below, above;  // the results outside of the points; none: the value at the nearest point
};
Ref<Array> interpolate(const Array& x, const Array& points, const Array& values, const InterpolateOptions& options,
                       Stream* stream, const Output& out);

// quantile.cpp
struct QuantileOptions {      // as in select.h
  std::vector<int32_t> axes;  // normal, ascending
  int32_t method = 0;
  bool keep = false, ignore_nan = false;
};
Ref<Array> quantile(const Array& x, std::span<const double> probabilities, const QuantileOptions& options,
                    Stream* stream, const Output& out);

// sorting.cpp
struct Unique {
  Ref<Array> values, indices, inverse, counts;
};
struct UniqueOutputs {
  const Output &values, &indices, &inverse, &counts;
};
Unique unique(const Array& x, bool nan_distinct, Stream* stream, const UniqueOutputs& out);

}  // namespace tenon::ops
