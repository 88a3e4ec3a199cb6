// core/layout.hpp: shapes and strides. Strides are in elements here; problems handed to backends use bytes.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace tenon {

using Extents = std::span<const int64_t>;

// A short list of int64, with room for 6 entries inside its owner (one cache line with its size), so most arrays
// allocate nothing for their shape.
class Dims {
 public:
  Dims() = default;
  explicit Dims(int32_t count, int64_t value = 0);
  Dims(Extents values);
  Dims(std::initializer_list<int64_t> values) : Dims(Extents(values.begin(), values.size())) {}
  Dims(const Dims& other) : Dims(Extents(other)) {}
  Dims(Dims&& other) noexcept;
  Dims& operator=(Dims other) noexcept;
  ~Dims() {
    if (data_ != inline_) delete[] data_;
  }

  int32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return data_; }
  const int64_t* data() const { return data_; }
  int64_t& operator[](int32_t i) { return data_[i]; }
  int64_t operator[](int32_t i) const { return data_[i]; }
  int64_t* begin() { return data_; }
  int64_t* end() { return data_ + size_; }
  const int64_t* begin() const { return data_; }
  const int64_t* end() const { return data_ + size_; }
  operator Extents() const { return {data_, size_t(size_)}; }
  bool operator==(const Dims& other) const;

 private:
  static constexpr int32_t kInline = 6;
  int32_t size_ = 0;
  int64_t* data_ = inline_;
  int64_t inline_[kInline];
};

int64_t element_count(Extents shape);  // throws SHAPE for a negative extent, OVERFLOW past 2^63
Dims c_strides(Extents shape);         // canonical, also for extents 0 and 1
bool is_c_contiguous(Extents shape, Extents strides);
bool is_f_contiguous(Extents shape, Extents strides);
std::string shape_text(Extents shape);  // "(3, 4)"
// The strides that let `shape` be read as `target` by NumPy's broadcasting; throws SHAPE.
Dims broadcast_strides(Extents shape, Extents strides, Extents target);
// The strides of a view with another shape, if one is possible; false: a copy is needed.
bool reshape_strides(Extents shape, Extents strides, Extents target, Dims& out);
int32_t normal_axis(int32_t axis, int32_t rank);  // negative counts from the end; throws INVALID_ARGUMENT
// The axes to be `done` (the word for messages: "transformed"), in the order given; NULL: the last ones. Throws if one
// is out of range or named twice.
std::vector<int32_t> chosen_axes(int32_t rank, const int32_t* axes, int32_t count, const char* done);

}  // namespace tenon
