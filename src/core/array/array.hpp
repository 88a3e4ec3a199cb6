// core/array/array.hpp: a view of a buffer.
#pragma once
#include "core/device/buffer.hpp"
#include "core/dtype.hpp"
#include "core/layout.hpp"

namespace tenon {

class Array final : public Object {
 public:
  static Ref<Array> create(Device& device, Dtype dtype, Extents shape, Stream& stream);  // C order, elements not set
  // A view. Checks that all its elements lie inside the buffer.
  static Ref<Array> view(Ref<Buffer> buffer, Dtype dtype, Dims shape, Dims strides, uint64_t byte_offset,
                         bool read_only = false);

  // A view; the caller has checked its place in the buffer and its number of elements.
  static Ref<Array> checked_view(Ref<Buffer> buffer, Dtype dtype, Dims shape, Dims strides, uint64_t byte_offset,
                                 int64_t size, bool read_only);

  void release() const noexcept { release_or_delete(); }

  Buffer& buffer() const { return *buffer_; }
  Device& device() const { return buffer_->device(); }
  Context& context() const { return device().context(); }
  Dtype dtype() const { return dtype_; }
  int32_t rank() const { return shape_.size(); }
  const Dims& shape() const { return shape_; }
  const Dims& strides() const { return strides_; }  // elements
  int64_t size() const { return size_; }
  uint64_t bytes() const { return packed_bytes(dtype_, size_); }
  bool read_only() const { return read_only_; }
  bool c_contiguous() const { return c_contiguous_; }
  void* data() const { return static_cast<char*>(buffer_->data()) + byte_offset_; }  // the address of element 0
  uint64_t byte_offset() const { return byte_offset_; }
  // The bytes [first, last) of the buffer that the elements span; an empty array spans nothing.
  void span(uint64_t& first, uint64_t& last) const;

  Ref<Array> reshape(Extents shape) const;
  Ref<Array> transpose(std::span<const int32_t> axes) const;  // empty: reversed axes
  Ref<Array> slice(const int64_t* starts, const int64_t* stops, const int64_t* steps) const;
  Ref<Array> index(int32_t axis, int64_t index) const;
  Ref<Array> broadcast(Extents shape) const;
  Ref<Array> reinterpret(Dtype dtype) const;
  Ref<Array> with(Dims shape, Dims strides, int64_t element_offset, bool read_only) const;  // same buffer, no checks

 private:
  Array(Ref<Buffer> buffer, Dtype dtype, Dims shape, Dims strides, uint64_t byte_offset, int64_t size, bool read_only);

  Ref<Buffer> buffer_;
  Dtype dtype_;
  bool read_only_;
  bool c_contiguous_;
  int64_t size_;
  uint64_t byte_offset_;
  Dims shape_, strides_;
};

// Throws LAYOUT unless elements of the dtype may start at the address.
void require_aligned(Dtype dtype, uint64_t address);

enum class Overlap { disjoint, exact, partial };
Overlap overlap(const Array& a, const Array& b);  // conservative: partial unless proven otherwise

// The stream that `stream` means on `device`, which may be NULL (core/device/call.hpp). Throws DEVICE if it belongs to
// another device.
Stream& stream_or_default(Stream* stream, Device& device);
// Throws DEVICE unless work on `device` can use `array`; `what` names the argument.
void require_on(const Array& array, const Device& device, const char* what);
void require_writable(const Array& array, const char* what);

}  // namespace tenon
