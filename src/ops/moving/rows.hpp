// ops/moving/rows.hpp: work along one axis, on rows that lie one after another in memory.
#pragma once
#include <vector>
#include "core/array/copy.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

// x with the axis moved to the end.
inline Ref<Array> moved_last(const Array& x, int32_t axis) {
  std::vector<int32_t> axes;
  for (int32_t d = 0; d < x.rank(); ++d)
    if (d != axis) axes.push_back(d);
  axes.push_back(axis);
  return x.rank() ? x.transpose(axes) : Ref<Array>(const_cast<Array*>(&x));
}

// An output along an axis: rows for the work, which are then copied back to their places.
struct RowsOut {
  Ref<Array> rows, result;
  RowsOut(const Output& out, Dtype dtype, const Dims& shape, const Dims& row_shape, int32_t axis, Stream& stream,
          std::initializer_list<Input> inputs) {
    if (!out.wanted()) return;
    result = out.open(dtype, shape, stream, inputs);
    const Ref<Array> view = moved_last(*result, axis);
    rows = view->c_contiguous() ? view : Array::create(stream.device(), dtype, row_shape, stream);
    last_ = axis;
  }
  void finish(Stream& stream) {
    if (!result || rows->data() == result->data()) return;
    copy(*moved_last(*result, last_), *rows, &stream);
  }

 private:
  int32_t last_ = 0;
};

}  // namespace tenon::ops
