// core/layout.cpp: shapes and strides.
#include "core/layout.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace tenon {

Dims::Dims(int32_t count, int64_t value) : size_(count) {
  if (count > kInline) data_ = new int64_t[size_t(count)];
  std::fill(begin(), end(), value);
}

Dims::Dims(Extents values) : size_(int32_t(values.size())) {
  if (size_ > kInline) data_ = new int64_t[values.size()];
  std::copy(values.begin(), values.end(), data_);
}

Dims::Dims(Dims&& other) noexcept : size_(other.size_) {
  if (other.data_ == other.inline_) {
    std::memcpy(inline_, other.inline_, sizeof inline_);  // of a fixed size, which is no call
  } else {
    data_ = std::exchange(other.data_, other.inline_);
    other.size_ = 0;
  }
}

Dims& Dims::operator=(Dims other) noexcept {
  this->~Dims();
  return *new (this) Dims(std::move(other));
}

bool Dims::operator==(const Dims& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

int64_t element_count(Extents shape) {
  int64_t count = 1;
  bool empty = false, overflow = false;
  for (int64_t extent : shape) {
    TENON_REQUIRE(extent >= 0, TENON_ERROR_SHAPE, "shape %s has a negative extent", shape_text(shape).c_str());
    if (extent == 0) empty = true;
    else overflow |= __builtin_mul_overflow(count, extent, &count);
  }
  if (empty) return 0;
  TENON_REQUIRE(!overflow, TENON_ERROR_OVERFLOW, "shape %s has more than 2^63 elements", shape_text(shape).c_str());
  return count;
}

Dims c_strides(Extents shape) {
  Dims strides(int32_t(shape.size()));
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[int32_t(i)] = step;
    // An empty array has no elements to reach: any stride is correct, and none overflows.
    if (__builtin_mul_overflow(step, std::max<int64_t>(shape[i], 1), &step)) step = 1;
  }
  return strides;
}

namespace {

bool is_contiguous(Extents shape, Extents strides, bool last_first) {
  int64_t step = 1;
  const size_t rank = shape.size();
  for (size_t i = 0; i < rank; ++i)
    if (shape[i] == 0) return true;
  for (size_t k = 0; k < rank; ++k) {
    const size_t i = last_first ? rank - 1 - k : k;
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

}  // namespace

bool is_c_contiguous(Extents shape, Extents strides) { return is_contiguous(shape, strides, true); }
bool is_f_contiguous(Extents shape, Extents strides) { return is_contiguous(shape, strides, false); }

std::string shape_text(Extents shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

Dims broadcast_strides(Extents shape, Extents strides, Extents target) {
  const size_t extra = target.size() - shape.size();
  bool fits = target.size() >= shape.size();
  Dims out(int32_t(target.size()), 0);
  for (size_t i = 0; fits && i < shape.size(); ++i) {
    if (shape[i] == target[i + extra]) out[int32_t(i + extra)] = strides[i];
    else fits = shape[i] == 1;
  }
  TENON_REQUIRE(fits, TENON_ERROR_SHAPE,
                "shape %s cannot be broadcast to %s: from the right, extents must be equal or 1",
                shape_text(shape).c_str(), shape_text(target).c_str());
  return out;
}

bool reshape_strides(Extents shape, Extents strides, Extents target, Dims& out) {
  out = c_strides(target);
  if (element_count(shape) == 0) return true;
  // Runs of source axes that are C-contiguous with each other may be split and merged; both shapes are walked run by
  // run.
  Dims old_shape, old_strides;
  {
    std::vector<int64_t> kept_shape, kept_strides;
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != 1) kept_shape.push_back(shape[i]), kept_strides.push_back(strides[i]);
    old_shape = Dims(Extents(kept_shape));
    old_strides = Dims(Extents(kept_strides));
  }
  int32_t i = 0, j = 0;
  const int32_t old_rank = old_shape.size(), new_rank = int32_t(target.size());
  while (i < old_rank && j < new_rank) {
    int64_t old_count = old_shape[i], new_count = target[size_t(j)];
    int32_t i_end = i + 1, j_end = j + 1;
    while (old_count != new_count) {
      if (new_count < old_count) new_count *= target[size_t(j_end++)];
      else old_count *= old_shape[i_end++];
    }
    for (int32_t k = i; k + 1 < i_end; ++k)
      if (old_strides[k] != old_shape[k + 1] * old_strides[k + 1]) return false;
    int64_t step = old_strides[i_end - 1];
    for (int32_t k = j_end; k-- > j;) {
      out[k] = step;
      step *= target[size_t(k)];
    }
    i = i_end;
    j = j_end;
  }
  return true;  // the rest of target are ones, which may have any stride
}

int32_t normal_axis(int32_t axis, int32_t rank) {
  TENON_REQUIRE(rank > 0, TENON_ERROR_INVALID_ARGUMENT, "axis %d is out of range: an array of rank 0 has no axes",
                axis);
  TENON_REQUIRE(axis >= -rank && axis < rank, TENON_ERROR_INVALID_ARGUMENT,
                "axis %d is out of range for an array of rank %d: it must be %d to %d", axis, rank, -rank, rank - 1);
  return axis < 0 ? axis + rank : axis;
}

std::vector<int32_t> chosen_axes(int32_t rank, const int32_t* axes, int32_t count, const char* done) {
  TENON_REQUIRE(count >= 1 && count <= rank, TENON_ERROR_INVALID_ARGUMENT,
                "%d axes are to be %s: at least one is needed, and the array has %d", count, done, rank);
  std::vector<int32_t> chosen;
  for (int32_t i = 0; i < count; ++i) {
    const int32_t axis = axes ? normal_axis(axes[i], rank) : rank - count + i;
    TENON_REQUIRE(std::find(chosen.begin(), chosen.end(), axis) == chosen.end(), TENON_ERROR_INVALID_ARGUMENT,
                  "axis %d is given twice", axis);
    chosen.push_back(axis);
  }
  return chosen;
}

}  // namespace tenon
