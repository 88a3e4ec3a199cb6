// core/array/array.cpp: views of buffers.
#include "core/array/array.hpp"
#include "core/device/call.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tenon {

Array::Array(Ref<Buffer> buffer, Dtype dtype, Dims shape, Dims strides, uint64_t byte_offset, int64_t size,
             bool read_only)
    : buffer_(std::move(buffer)),
      dtype_(dtype),
      read_only_(read_only || buffer_->read_only()),
      size_(size),
      byte_offset_(byte_offset),
      shape_(std::move(shape)),
      strides_(std::move(strides)) {
  c_contiguous_ = is_c_contiguous(shape_, strides_);
}

namespace {

void require_dtype(Dtype dtype) {
  TENON_REQUIRE(dtype_valid(dtype), TENON_ERROR_DTYPE,
                "0x%08x is not a dtype: use a TENON_* constant of dtype.h, with lanes if needed", dtype);
}

void require_rank(size_t rank) {
  TENON_REQUIRE(rank <= TENON_MAX_RANK, TENON_ERROR_SHAPE, "rank %zu is too large: at most %d axes", rank,
                TENON_MAX_RANK);
}

// Lowest and highest element offset that the shape and strides of a non-empty array reach; throws OVERFLOW.
void reach(Extents shape, Extents strides, int64_t& lowest, int64_t& highest) {
  lowest = highest = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t far;
    bool overflow = __builtin_mul_overflow(shape[i] - 1, strides[i], &far);
    overflow = overflow || __builtin_add_overflow(far < 0 ? lowest : highest, far, far < 0 ? &lowest : &highest);
    TENON_REQUIRE(!overflow, TENON_ERROR_OVERFLOW, "shape %s with strides %s reaches past 2^63 elements",
                  shape_text(shape).c_str(), shape_text(strides).c_str());
  }
}

// The same in bytes; the last one is exclusive.
void reach_bytes(Dtype dtype, Extents shape, Extents strides, int64_t& first, int64_t& last) {
  int64_t lowest, highest;
  reach(shape, strides, lowest, highest);
  const __int128 bits = dtype_bits(dtype);
  const __int128 low = lowest * bits, high = (__int128(highest) + 1) * bits;
  TENON_REQUIRE(low / 8 > INT64_MIN && high / 8 < INT64_MAX, TENON_ERROR_OVERFLOW,
                "the elements of %s span more than 2^63 bytes", shape_text(shape).c_str());
  first = int64_t(low >= 0 ? low / 8 : -((-low + 7) / 8));
  last = int64_t((high + 7) / 8);
}

}  // namespace

Ref<Array> Array::create(Device& device, Dtype dtype, Extents shape, Stream& stream) {
  require_dtype(dtype);
  require_rank(shape.size());
  const int64_t size = element_count(shape);
  const uint64_t bytes = packed_bytes(dtype, size);
  TENON_REQUIRE(bytes <= uint64_t(INT64_MAX), TENON_ERROR_OVERFLOW,
                "an array of shape %s and dtype %s is larger than 2^63 bytes", shape_text(shape).c_str(),
                dtype_name(dtype).c_str());
  Ref<Buffer> buffer = Buffer::create(device, bytes, TENON_MEMORY_DEVICE, stream);
  return Ref<Array>::adopt(new Array(std::move(buffer), dtype, Dims(shape), c_strides(shape), 0, size, false));
}

Ref<Array> Array::view(Ref<Buffer> buffer, Dtype dtype, Dims shape, Dims strides, uint64_t byte_offset,
                       bool read_only) {
  require_dtype(dtype);
  require_rank(size_t(shape.size()));
  const int64_t size = element_count(shape);
  if (size > 0) {
    int64_t first, last;
    reach_bytes(dtype, shape, strides, first, last);
    const bool inside = byte_offset <= uint64_t(INT64_MAX) && int64_t(byte_offset) + first >= 0 &&
                        uint64_t(byte_offset) + uint64_t(std::max<int64_t>(last, 0)) <= buffer->bytes();
    TENON_REQUIRE(inside, TENON_ERROR_OVERFLOW,
                  "shape %s with strides %s of %s at byte offset %llu does not lie inside the buffer of %llu bytes",
                  shape_text(shape).c_str(), shape_text(strides).c_str(), dtype_name(dtype).c_str(),
                  static_cast<unsigned long long>(byte_offset), static_cast<unsigned long long>(buffer->bytes()));
    require_aligned(dtype, reinterpret_cast<uintptr_t>(buffer->data()) + byte_offset);
  }
  return checked_view(std::move(buffer), dtype, std::move(shape), std::move(strides), byte_offset, size, read_only);
}

void require_aligned(Dtype dtype, uint64_t address) {
  // Lanes and the halves of complex numbers must be aligned; kernels that take vectors check for more.
  const uint64_t align = std::max<uint32_t>(dtype_bytes(dtype_real(dtype_lane(dtype))), 1);
  TENON_REQUIRE((address & (align - 1)) == 0, TENON_ERROR_LAYOUT,  // it is a power of two
                "the address 0x%llx is not a multiple of %llu, which elements of %s need",
                static_cast<unsigned long long>(address), static_cast<unsigned long long>(align),
                dtype_name(dtype).c_str());
}

Ref<Array> Array::checked_view(Ref<Buffer> buffer, Dtype dtype, Dims shape, Dims strides, uint64_t byte_offset,
                               int64_t size, bool read_only) {
  packed_bytes(dtype, size);  // throws OVERFLOW: with stride 0 an array of any size needs little memory
  return Ref<Array>::adopt(
      new Array(std::move(buffer), dtype, std::move(shape), std::move(strides), byte_offset, size, read_only));
}

void Array::span(uint64_t& first, uint64_t& last) const {
  first = last = byte_offset_;
  if (size_ == 0) return;
  int64_t low, high;
  reach_bytes(dtype_, shape_, strides_, low, high);
  first = byte_offset_ + uint64_t(low);
  last = byte_offset_ + uint64_t(high);
}

Ref<Array> Array::with(Dims shape, Dims strides, int64_t element_offset, bool read_only) const {
  const __int128 bits = __int128(element_offset) * dtype_bits(dtype_);
  TENON_REQUIRE(bits % 8 == 0, TENON_ERROR_LAYOUT, "a view of %s must start at a whole byte: element %lld does not",
                dtype_name(dtype_).c_str(), static_cast<long long>(element_offset));
  const int64_t size = element_count(shape);
  return checked_view(buffer_, dtype_, std::move(shape), std::move(strides), byte_offset_ + uint64_t(int64_t(bits / 8)),
                      size, read_only_ || read_only);
}

Ref<Array> Array::reshape(Extents requested) const {
  require_rank(requested.size());
  Dims target{requested};
  int32_t unknown = -1;
  int64_t known = 1;
  for (int32_t i = 0; i < target.size(); ++i) {
    if (target[i] == -1) {
      TENON_REQUIRE(unknown < 0, TENON_ERROR_SHAPE, "shape %s has more than one -1", shape_text(requested).c_str());
      unknown = i;
    } else {
      TENON_REQUIRE(target[i] >= 0, TENON_ERROR_SHAPE, "shape %s has a negative extent", shape_text(requested).c_str());
      TENON_REQUIRE(!__builtin_mul_overflow(known, target[i], &known), TENON_ERROR_SHAPE,
                    "shape %s has more elements than %s", shape_text(requested).c_str(), shape_text(shape_).c_str());
    }
  }
  if (unknown >= 0) {
    TENON_REQUIRE(known > 0 && size_ % known == 0, TENON_ERROR_SHAPE,
                  "shape %s with -1 does not fit the %lld elements of %s", shape_text(requested).c_str(),
                  static_cast<long long>(size_), shape_text(shape_).c_str());
    target[unknown] = size_ / known;
  } else {
    TENON_REQUIRE(known == size_, TENON_ERROR_SHAPE, "shape %s has %lld elements, the array %s has %lld",
                  shape_text(requested).c_str(), static_cast<long long>(known), shape_text(shape_).c_str(),
                  static_cast<long long>(size_));
  }
  Dims strides;
  TENON_REQUIRE(reshape_strides(shape_, strides_, target, strides), TENON_ERROR_LAYOUT,
                "an array of shape %s and strides %s cannot be viewed as %s without a copy: make it contiguous first",
                shape_text(shape_).c_str(), shape_text(strides_).c_str(), shape_text(target).c_str());
  return with(std::move(target), std::move(strides), 0, false);
}

Ref<Array> Array::transpose(std::span<const int32_t> axes) const {
  TENON_REQUIRE(axes.empty() || int32_t(axes.size()) == rank(), TENON_ERROR_INVALID_ARGUMENT,
                "%zu axes were given for an array of rank %d", axes.size(), rank());
  Dims shape(rank()), strides(rank());
  std::vector<bool> seen(size_t(rank()), false);
  for (int32_t i = 0; i < rank(); ++i) {
    const int32_t axis = axes.empty() ? rank() - 1 - i : normal_axis(axes[size_t(i)], rank());
    TENON_REQUIRE(!seen[size_t(axis)], TENON_ERROR_INVALID_ARGUMENT, "axis %d is given twice", axis);
    seen[size_t(axis)] = true;
    shape[i] = shape_[axis];
    strides[i] = strides_[axis];
  }
  return with(std::move(shape), std::move(strides), 0, false);
}

Ref<Array> Array::slice(const int64_t* starts, const int64_t* stops, const int64_t* steps) const {
  constexpr int64_t kLeftOut = INT64_MIN;
  Dims shape(rank()), strides(rank());
  int64_t offset = 0;
  for (int32_t i = 0; i < rank(); ++i) {
    const int64_t n = shape_[i];
    const int64_t step = steps && steps[i] != kLeftOut ? steps[i] : 1;
    TENON_REQUIRE(step != 0, TENON_ERROR_INVALID_ARGUMENT, "the step of axis %d is 0", i);
    // Python's rules: the direction determines what a bound is clamped to.
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    auto bound = [&](const int64_t* given, int64_t missing) {
      if (!given || given[i] == kLeftOut) return missing;
      const int64_t value = given[i] < 0 ? given[i] + n : given[i];
      return std::clamp(value, low, high);
    };
    const int64_t start = bound(starts, step > 0 ? low : high);
    const int64_t stop = bound(stops, step > 0 ? high : low);
    const uint64_t distance =
        step > 0 ? (stop > start ? uint64_t(stop - start) : 0) : (start > stop ? uint64_t(start - stop) : 0);
    const uint64_t magnitude = step > 0 ? uint64_t(step) : ~uint64_t(step) + 1;
    shape[i] = int64_t((distance + magnitude - 1) / magnitude);
    if (distance == 0) shape[i] = 0;
    if (shape[i] > 0) offset += start * strides_[i];
    // With at most one element the stride is not used, and step * stride may overflow.
    strides[i] = shape[i] > 1 ? step * strides_[i] : strides_[i];
  }
  return with(std::move(shape), std::move(strides), element_count(shape) ? offset : 0, false);
}

Ref<Array> Array::index(int32_t axis, int64_t index) const {
  axis = normal_axis(axis, rank());
  const int64_t n = shape_[axis];
  TENON_REQUIRE(index >= -n && index < n, TENON_ERROR_INVALID_ARGUMENT,
                "index %lld is out of range for axis %d of extent %lld", static_cast<long long>(index), axis,
                static_cast<long long>(n));
  if (index < 0) index += n;
  Dims shape(rank() - 1), strides(rank() - 1);
  for (int32_t i = 0, k = 0; i < rank(); ++i) {
    if (i == axis) continue;
    shape[k] = shape_[i];
    strides[k++] = strides_[i];
  }
  return with(std::move(shape), std::move(strides), element_count(shape) ? index * strides_[axis] : 0, false);
}

Ref<Array> Array::broadcast(Extents shape) const {
  require_rank(shape.size());
  element_count(shape);
  return with(Dims(shape), broadcast_strides(shape_, strides_, shape), 0, true);
}

Ref<Array> Array::reinterpret(Dtype dtype) const {
  require_dtype(dtype);
  const int64_t from = dtype_bytes(dtype_), to = dtype_bytes(dtype);
  TENON_REQUIRE(from && to, TENON_ERROR_DTYPE, "%s cannot be viewed as %s: arrays of packed types have no such views",
                dtype_name(dtype_).c_str(), dtype_name(dtype).c_str());
  Dims shape = shape_, strides = strides_;
  if (from != to) {
    const int32_t last = rank() - 1;
    TENON_REQUIRE(rank() > 0 && (strides[last] == 1 || shape[last] <= 1), TENON_ERROR_LAYOUT,
                  "viewing %s as %s needs unit stride in the last axis", dtype_name(dtype_).c_str(),
                  dtype_name(dtype).c_str());
    int64_t bytes;
    TENON_REQUIRE(!__builtin_mul_overflow(shape[last], from, &bytes), TENON_ERROR_OVERFLOW,
                  "the last axis is too long: its extent would exceed 2^63");
    TENON_REQUIRE(bytes % to == 0, TENON_ERROR_SHAPE,
                  "the last axis has %lld bytes, which is not a multiple of the %lld bytes of %s",
                  static_cast<long long>(bytes), static_cast<long long>(to), dtype_name(dtype).c_str());
    shape[last] = bytes / to;
    strides[last] = 1;
    for (int32_t i = 0; i < last; ++i) {
      const __int128 step = __int128(strides[i]) * from;
      TENON_REQUIRE(shape[i] <= 1 || step % to == 0, TENON_ERROR_LAYOUT,
                    "the stride of axis %d is not a multiple of %lld bytes", i, static_cast<long long>(to));
      strides[i] = int64_t(step / to);
    }
  }
  return view(buffer_, dtype, std::move(shape), std::move(strides), byte_offset_, read_only_);
}

Overlap overlap(const Array& a, const Array& b) {
  if (a.size() == 0 || b.size() == 0) return Overlap::disjoint;
  uint64_t a_first, a_last, b_first, b_last;
  a.span(a_first, a_last);
  b.span(b_first, b_last);
  // By address, not by buffer: the same memory may have been imported twice.
  const uint64_t a_base = reinterpret_cast<uintptr_t>(a.buffer().data()),
                 b_base = reinterpret_cast<uintptr_t>(b.buffer().data());
  if (a_base + a_last <= b_base + b_first || b_base + b_last <= a_base + a_first) return Overlap::disjoint;
  if (&a.device() != &b.device() && !a.buffer().reachable_from(b.device()) && !b.buffer().reachable_from(a.device()))
    return Overlap::disjoint;
  if (a.data() == b.data() && dtype_bits(a.dtype()) == dtype_bits(b.dtype()) && a.shape() == b.shape()) {
    bool same = true;
    for (int32_t i = 0; i < a.rank(); ++i) same = same && (a.shape()[i] == 1 || a.strides()[i] == b.strides()[i]);
    if (same) return Overlap::exact;
  }
  // Interleaved views (x[0::2] and x[1::2]): all strides are multiples of g, and the starts differ modulo g by enough.
  const int64_t a_bytes = dtype_bytes(a.dtype()), b_bytes = dtype_bytes(b.dtype());
  if (!a_bytes || !b_bytes) return Overlap::partial;
  uint64_t g = 0;
  for (const Array* x : {&a, &b})
    for (int32_t i = 0; i < x->rank(); ++i)
      if (x->shape()[i] > 1) g = std::gcd(g, uint64_t(std::abs(x->strides()[i])) * dtype_bytes(x->dtype()));
  if (g) {
    // The distance is signed: an unsigned one would wrap modulo 2^64, of which g is rarely a divisor.
    const int64_t distance =
        int64_t(reinterpret_cast<uintptr_t>(b.data()) - reinterpret_cast<uintptr_t>(a.data())) % int64_t(g);
    const int64_t d = distance < 0 ? distance + int64_t(g) : distance;
    if (d >= a_bytes && int64_t(g) - d >= b_bytes) return Overlap::disjoint;
  }
  return Overlap::partial;
}

Stream& stream_or_default(Stream* stream, Device& device) {
  if (!stream) return CallScope::meant(device);
  TENON_REQUIRE(&stream->device().context() == &device.context(), TENON_ERROR_CONTEXT,
                "the stream belongs to another context");
  TENON_REQUIRE(&stream->device() == &device, TENON_ERROR_DEVICE, "the stream belongs to %s, but the work runs on %s",
                stream->device().name().c_str(), device.name().c_str());
  CallScope::given(*stream);
  return *stream;
}

void require_on(const Array& array, const Device& device, const char* what) {
  TENON_REQUIRE(&array.context() == &device.context(), TENON_ERROR_CONTEXT, "%s belongs to another context", what);
  TENON_REQUIRE(array.buffer().reachable_from(device), TENON_ERROR_DEVICE,
                "%s is on %s, but the work runs on %s: copy it there first", what, array.device().name().c_str(),
                device.name().c_str());
}

namespace {

// Do two of its elements share memory? An axis whose stride is longer than the reach of all smaller ones cannot cause
// that. For two remaining axes the answer is exact; for more, up to a million elements are checked one by one. Larger
// arrays count as overlapping, because a write through them could not be proven correct.
bool overlaps_itself(const Array& array) {
  if (array.c_contiguous() || array.size() <= 1) return false;
  std::vector<std::pair<int64_t, int64_t>> axes;  // stride, extent
  int64_t reach = 0, count = 1;
  for (int32_t i = 0; i < array.rank(); ++i)
    if (array.shape()[i] > 1) {
      axes.emplace_back(std::abs(array.strides()[i]), array.shape()[i]);
      reach += (axes.back().second - 1) * axes.back().first;
      count *= axes.back().second;
    }
  std::sort(axes.begin(), axes.end());
  while (!axes.empty()) {
    const auto [stride, extent] = axes.back();
    if (stride <= reach - (extent - 1) * stride) break;
    reach -= (extent - 1) * stride;
    count /= extent;
    axes.pop_back();
  }
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = i + 1; j < axes.size(); ++j) {
      const auto [s, m] = axes[i];
      const auto [t, n] = axes[j];
      const int64_t g = std::gcd(s, t);
      if (t / g < m && s / g < n) return true;
    }
  if (axes.size() < 3) return false;
  if (count > 1 << 20) return true;
  std::vector<int64_t> places{0};
  for (const auto& [stride, extent] : axes) {
    const size_t count = places.size();
    for (int64_t k = 1; k < extent; ++k)
      for (size_t i = 0; i < count; ++i) places.push_back(places[i] + k * stride);
  }
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

}  // namespace

void require_writable(const Array& array, const char* what) {
  TENON_REQUIRE(!array.read_only(), TENON_ERROR_READ_ONLY,
                "%s is read-only (imported as read-only, or a broadcast view): write to a copy", what);
  for (int32_t i = 0; i < array.rank(); ++i)
    TENON_REQUIRE(array.shape()[i] <= 1 || array.strides()[i] != 0 || array.size() == 0, TENON_ERROR_OVERLAP,
                  "%s has stride 0 in axis %d: all elements along it share one address, so it cannot be written", what,
                  i);
  TENON_REQUIRE(
      !overlaps_itself(array), TENON_ERROR_OVERLAP,
      "%s of shape %s and strides %s may have elements that share memory (its axes do not nest, and it is too large to "
      "check all of them), so it cannot be written: write to a copy",
      what, shape_text(array.shape()).c_str(), shape_text(array.strides()).c_str());
}

}  // namespace tenon
