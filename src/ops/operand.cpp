// ops/operand.cpp: how BLAS sees a matrix, and packed copies where it cannot use the original.
#include "ops/operand.hpp"

#include <algorithm>

namespace tenon::ops {

bool leading(int64_t fast, int64_t fast_stride, int64_t slow, int64_t slow_stride, int64_t& ld) {
  if (fast > 1 && fast_stride != 1) return false;
  ld = std::max<int64_t>(fast, 1);
  if (slow <= 1) return true;
  if (slow_stride < ld) return false;
  ld = slow_stride;
  return true;
}

Ref<Array> stored_so(const Array& x, bool by_rows, int32_t& packed, Stream& stream) {
  if (x.size() == 0 || stored(x, by_rows)) return Ref<Array>(const_cast<Array*>(&x));
  ++packed;
  return by_rows ? contiguous(x, stream) : swapped(*contiguous(*swapped(x), stream));
}

Ref<Array> stored_at_all(const Array& x, int32_t& packed, Stream& stream) {
  return stored_so(x, !stored(x, false), packed, stream);
}

Destination::Destination(Array& c, bool read, int32_t& packed, Stream& stream) : c_(c), array_(&c) {
  if (stored(c, true) || stored(c, false)) return;
  ++packed;
  array_ = Array::create(stream.device(), c.dtype(), c.shape(), stream);
  if (read) copy(*array_, c, &stream);
}

Dims batch_strides(const Array& x, const Array& c, const char* what, const char* result) {
  const int32_t own = x.rank() - 2, all = c.rank() - 2;
  bool fits = own <= all;
  Dims out(all, 0);
  for (int32_t i = 0; fits && i < own; ++i) {
    const int64_t extent = x.shape()[i];
    fits = extent == c.shape()[i + all - own] || extent == 1;
    out[i + all - own] = extent == 1 ? 0 : x.strides()[i];
  }
  TENON_REQUIRE(fits, TENON_ERROR_SHAPE,
                "the batch axes of %s, of shape %s, do not broadcast to those of %s, of shape %s", what,
                shape_text(x.shape()).c_str(), result, shape_text(c.shape()).c_str());
  return out;
}

void check_operand(const Array& x, const char* name, const Array& result, const char* result_name,
                   const Device& device) {
  require_matrix(x, name, device);
  TENON_REQUIRE(x.dtype() == result.dtype(), TENON_ERROR_DTYPE, "%s is %s and %s is %s: they must have the same dtype",
                name, dtype_name(x.dtype()).c_str(), result_name, dtype_name(result.dtype()).c_str());
  batch_strides(x, result, name, result_name);
  TENON_REQUIRE(overlap(result, x) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                "%s shares memory with %s: it must be a separate array", result_name, name);
}

void check_result(const Array& c, const char* name, const Device& device) {
  require_matrix(c, name, device);
  require_writable(c, name);
}

}  // namespace tenon::ops
