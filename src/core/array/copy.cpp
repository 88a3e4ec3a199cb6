// core/array/copy.cpp: brings every copy to one normal form and hands it to the device that can access both sides.
#include "core/array/copy.hpp"

#include <algorithm>
#include <cstring>
#include "core/device/recording.hpp"

namespace tenon {

void normalise(std::vector<CopyAxis>& axes, char*& to, const char*& from) {
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.extent == 1; });
  for (CopyAxis& axis : axes) {
    if (axis.to >= 0) continue;
    to += axis.to * (axis.extent - 1);
    from += axis.from * (axis.extent - 1);
    axis.to = -axis.to;
    axis.from = -axis.from;
  }
  std::stable_sort(axes.begin(), axes.end(), [](const CopyAxis& a, const CopyAxis& b) { return a.to > b.to; });
  size_t kept = 0;
  for (size_t i = 1; i < axes.size(); ++i) {
    CopyAxis& outer = axes[kept];
    const CopyAxis& inner = axes[i];
    if (outer.to == inner.extent * inner.to && outer.from == inner.extent * inner.from)
      outer = {outer.extent * inner.extent, inner.to, inner.from};
    else axes[++kept] = inner;
  }
  if (!axes.empty()) axes.resize(kept + 1);
}

namespace {

// The unsigned integer dtype of that size, used where no conversion is needed.
Dtype plain_dtype(uint32_t bytes) { return TENON_DTYPE(1, bytes * 8, 1); }

bool plain_size(uint32_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

// An element is copied in units: lanes, or single bytes if lanes are parts of a byte (float4 in pairs, float6 in
// fours).
uint32_t unit_bytes(Dtype t) { return std::max(dtype_bytes(dtype_lane(t)), 1u); }

// The axes of `to` next to those of broadcast `from`, in bytes; the units of vector types become an innermost axis.
std::vector<CopyAxis> byte_axes(const Array& to, Extents from_strides, uint32_t to_bytes, uint32_t from_bytes) {
  std::vector<CopyAxis> axes;
  axes.reserve(size_t(to.rank()) + 1);
  for (int32_t i = 0; i < to.rank(); ++i)
    axes.push_back({to.shape()[i], to.strides()[i] * int64_t(to_bytes),
                    from_strides.empty() ? 0 : from_strides[size_t(i)] * int64_t(from_bytes)});
  return axes;
}

// The backends do not convert complex32: to and from another complex type it is treated as pairs of float16.
bool by_pairs(Dtype to, Dtype from) {
  return (to == TENON_COMPLEX32 && dtype_complex(from)) || (from == TENON_COMPLEX32 && dtype_complex(to));
}

// Conversions to and from all other dtypes go through complex128, which represents the values of nearly all of them.
bool by_complex128(Dtype to, Dtype from) {
  return to != from && (to == TENON_COMPLEX32 || from == TENON_COMPLEX32) && !by_pairs(to, from);
}

CopyProblem copy_problem(const Array& to, const Array& from) {
  CopyProblem problem{to.data(), from.data(), to.dtype(), from.dtype(), dtype_bytes(to.dtype()), {}};
  const bool same = to.dtype() == from.dtype();
  const Dims from_strides = broadcast_strides(from.shape(), from.strides(), to.shape());
  if (!dtype_bytes(to.dtype()) || !dtype_bytes(from.dtype())) {
    TENON_REQUIRE(same, TENON_ERROR_DTYPE, "no conversion from %s to %s", dtype_name(from.dtype()).c_str(),
                  dtype_name(to.dtype()).c_str());
    TENON_REQUIRE(to.c_contiguous() && from.c_contiguous() && to.shape() == from.shape(), TENON_ERROR_UNSUPPORTED,
                  "elements of %s are smaller than a byte: only contiguous arrays of equal shapes can be copied",
                  dtype_name(to.dtype()).c_str());
    problem.to_dtype = problem.from_dtype = TENON_UINT8;
    problem.element_bytes = 1;
    problem.axes = {{int64_t(to.bytes()), 1, 1}};
    return problem;
  }
  problem.axes = byte_axes(to, from_strides, dtype_bytes(to.dtype()), dtype_bytes(from.dtype()));
  if (same) {
    if (!plain_size(problem.element_bytes)) {
      const uint32_t unit = unit_bytes(to.dtype());
      problem.axes.push_back({problem.element_bytes / unit, unit, unit});
      problem.element_bytes = unit;
    }
    problem.to_dtype = problem.from_dtype = plain_dtype(problem.element_bytes);
  } else {
    const uint32_t lanes = dtype_lanes(to.dtype());
    TENON_REQUIRE(lanes == dtype_lanes(from.dtype()) && dtype_converts(dtype_lane(to.dtype())) &&
                      dtype_converts(dtype_lane(from.dtype())),
                  TENON_ERROR_DTYPE, "no conversion from %s to %s", dtype_name(from.dtype()).c_str(),
                  dtype_name(to.dtype()).c_str());
    problem.to_dtype = dtype_lane(to.dtype());
    problem.from_dtype = dtype_lane(from.dtype());
    const bool pairs = by_pairs(problem.to_dtype, problem.from_dtype);
    if (pairs) problem.to_dtype = dtype_real(problem.to_dtype), problem.from_dtype = dtype_real(problem.from_dtype);
    problem.element_bytes = dtype_bytes(problem.to_dtype);
    const int64_t inner = int64_t(lanes) * (pairs ? 2 : 1);
    if (inner > 1)
      problem.axes.push_back({inner, int64_t(problem.element_bytes), int64_t(dtype_bytes(problem.from_dtype))});
  }
  char* to_data = static_cast<char*>(problem.to);
  const char* from_data = static_cast<const char*>(problem.from);
  normalise(problem.axes, to_data, from_data);
  problem.to = to_data;
  problem.from = from_data;
  return problem;
}

void copy_on(Device& device, Array& to, const Array& from, Stream& stream) {
  if (by_complex128(to.dtype(), from.dtype())) {
    return recorded_whole(stream, [&] {
      const Ref<Array> between = Array::create(device, TENON_COMPLEX128, from.shape(), stream);
      copy_on(device, *between, from, stream);
      copy_on(device, to, *between, stream);
    });
  }
  const CopyProblem problem = copy_problem(to, from);
  from.buffer().use(stream, false);
  to.buffer().use(stream, true);
  device.run(problem, stream);
}

// Both are C-contiguous, of one dtype and size, on devices that cannot access each other's memory.
void transfer(Array& to, const Array& from, Stream* stream) {
  Device& target = to.device();
  Device& source = from.device();
  auto on = [&](Device& device) -> Stream& {
    return stream_or_default(stream && &stream->device() == &device ? stream : nullptr, device);
  };
  const uint64_t bytes = to.bytes();
  if (source.on_host()) {
    Stream& s = on(target);
    from.buffer().use_on_host(false);
    to.buffer().use(s, true);
    target.upload(to.data(), from.data(), bytes, false, s);
  } else if (target.on_host()) {
    Stream& s = on(source);
    from.buffer().use(s, false);
    to.buffer().use_on_host(true);
    source.download(to.data(), from.data(), bytes, false, s);
  } else {
    // The copy runs on the target's stream; if a stream of the source was given, it is ordered before and after the
    // copy.
    Stream& s = on(target);
    if (stream && stream != &s) s.wait_for(*stream);
    from.buffer().use(s, false);
    to.buffer().use(s, true);
    try {
      target.copy_from_peer(to.data(), source, from.data(), bytes, s);
    } catch (const Error& error) {
      if (error.status != TENON_ERROR_UNSUPPORTED) throw;
      Device& cpu = to.context().cpu();
      Ref<Array> host = Array::create(cpu, to.dtype(), to.shape(), cpu.default_stream());
      transfer(*host, from, nullptr);
      transfer(to, *host, &s);
    }
    if (stream && stream != &s) stream->wait_for(s);
  }
}

// The device that runs the copy, if one device can access both sides.
Device* common_device(const Array& to, const Array& from, Stream* stream) {
  auto reaches = [&](Device& device) {
    return to.buffer().reachable_from(device) && from.buffer().reachable_from(device);
  };
  if (stream && reaches(stream->device())) return &stream->device();
  if (reaches(to.device())) return &to.device();
  if (reaches(from.device())) return &from.device();
  return nullptr;
}

}  // namespace

void copy(Array& to, const Array& from, Stream* stream) {
  require_writable(to, "the destination");
  TENON_REQUIRE(&to.context() == &from.context() && (!stream || &stream->device().context() == &to.context()),
                TENON_ERROR_CONTEXT, "source, destination and stream must belong to one context");
  broadcast_strides(from.shape(), from.strides(),
                    to.shape());  // the shapes must match even if there is nothing to copy
  TENON_REQUIRE(!stream || &stream->device() == &to.device() || &stream->device() == &from.device() ||
                    to.buffer().reachable_from(stream->device()) || from.buffer().reachable_from(stream->device()),
                TENON_ERROR_DEVICE, "the stream belongs to %s, but the arrays are on %s and %s",
                stream->device().name().c_str(), to.device().name().c_str(), from.device().name().c_str());
  if (to.size() == 0) return;
  const Overlap shared = overlap(to, from);
  TENON_REQUIRE(shared != Overlap::partial, TENON_ERROR_OVERLAP,
                "source and destination share memory but are not the same view: copy through a third array");
  if (shared == Overlap::exact && to.dtype() == from.dtype()) return;

  Device* const common = common_device(to, from, stream);
  TENON_REQUIRE(!stream || !stream->recording() || common == &stream->device(), TENON_ERROR_UNSUPPORTED,
                "a copy from %s to %s cannot be recorded into a graph of %s: copy before or after the recording",
                from.device().name().c_str(), to.device().name().c_str(), stream->device().name().c_str());
  if (Device* device = common) {
    Stream& s = stream_or_default(stream && &stream->device() == device ? stream : nullptr, *device);
    copy_on(*device, to, from, s);
    return;
  }
  // Across devices: packed on the source's side, moved, and converted or scattered on the destination's.
  auto stream_on = [&](Device& device) -> Stream& {
    return stream_or_default(stream && &stream->device() == &device ? stream : nullptr, device);
  };
  Ref<Array> packed = contiguous(from, stream_on(from.device()));
  if (to.c_contiguous() && to.dtype() == from.dtype() && to.shape() == from.shape()) {
    transfer(to, *packed, stream);
  } else {
    Stream& s = stream_on(to.device());
    Ref<Array> arrived = Array::create(to.device(), from.dtype(), from.shape(), s);
    transfer(*arrived, *packed, stream);
    copy_on(to.device(), to, *arrived, s);
  }
}

namespace {

bool is_zero(const unsigned char value[16]) {
  return std::all_of(value, value + 16, [](unsigned char byte) { return byte == 0; });
}

// value: the bytes of one lane.
void fill_with(Array& array, const unsigned char value[16], Stream* stream) {
  Device& device = array.device();
  Stream& s = stream && array.buffer().reachable_from(stream->device()) ? *stream : stream_or_default(stream, device);
  if (array.size() == 0) return;
  FillProblem problem{array.data(), unit_bytes(array.dtype()), {}, {}};
  if (!dtype_bytes(array.dtype())) {
    TENON_REQUIRE(array.c_contiguous(), TENON_ERROR_UNSUPPORTED,
                  "elements of %s are smaller than a byte: only contiguous arrays can be filled",
                  dtype_name(array.dtype()).c_str());
    problem.axes = {{int64_t(array.bytes()), 1, 0}};
  } else {
    std::copy(value, value + sizeof problem.value, problem.value);
    problem.axes = byte_axes(array, {}, dtype_bytes(array.dtype()), 0);
    const uint32_t units = dtype_bytes(array.dtype()) / problem.element_bytes;
    if (units > 1) problem.axes.push_back({units, problem.element_bytes, 0});
    for (CopyAxis& axis : problem.axes) axis.from = axis.to;  // so that merging depends on the destination only
    char* to = static_cast<char*>(problem.to);
    const char* from = to;
    normalise(problem.axes, to, from);
    problem.to = to;
  }
  array.buffer().use(s, true);
  s.device().run(problem, s);
}

// The lane of an array that is filled with a value other than zero; throws DTYPE if it has no conversion.
Dtype filled_lane(const Array& array) {
  const Dtype lane = dtype_lane(array.dtype());
  TENON_REQUIRE(dtype_converts(lane), TENON_ERROR_DTYPE,
                "%s is a storage type: it can be filled with 0 only, or with a scalar of its own dtype",
                dtype_name(array.dtype()).c_str());
  return lane;
}

}  // namespace

void fill(Array& array, double real, double imaginary, Stream* stream) {
  require_writable(array, "the array");
  unsigned char value[16] = {};
  const bool zero = real == 0 && imaginary == 0;  // in all formats zero is all bits zero
  if (!zero) encode(filled_lane(array), real, imaginary, array.context().cpu(), value);
  fill_with(array, value, stream);
}

void fill(Array& array, const Scalar& scalar, const char* what, Stream* stream) {
  require_writable(array, "the array");
  unsigned char value[16];
  std::copy(scalar.bytes, scalar.bytes + 16, value);
  const bool zero = is_zero(value);
  const Dtype lane = dtype_lane(array.dtype());
  if (!zero && scalar.dtype != lane) encode(scalar, filled_lane(array), array.context().cpu(), what, value);
  fill_with(array, value, stream);
}

Ref<Array> convert(const Array& source, Dtype dtype, Device& device, Stream* stream) {
  Stream& s = stream_or_default(stream && &stream->device() == &device ? stream : nullptr, device);
  Ref<Array> out = Array::create(device, dtype, source.shape(), s);
  copy(*out, source, stream ? stream : &device == &source.device() ? &s : nullptr);
  return out;
}

Ref<Array> contiguous(const Array& array, Stream& stream) {
  if (array.c_contiguous()) return Ref<Array>(const_cast<Array*>(&array));
  Ref<Array> out = Array::create(stream.device(), array.dtype(), array.shape(), stream);
  copy(*out, array, &stream);
  return out;
}

Ref<Array> contiguous(const Array& array, Dtype dtype, Stream& stream) {
  return array.dtype() == dtype ? contiguous(array, stream) : convert(array, dtype, stream.device(), &stream);
}

namespace {

Ref<Array> host_array(const Array& like, void* data, uint64_t bytes, const char* what) {
  TENON_REQUIRE(bytes == like.bytes(), TENON_ERROR_SHAPE, "%s has %llu bytes, but the array %s of %s needs %llu", what,
                static_cast<unsigned long long>(bytes), shape_text(like.shape()).c_str(),
                dtype_name(like.dtype()).c_str(), static_cast<unsigned long long>(like.bytes()));
  TENON_REQUIRE(data || bytes == 0, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL", what);
  Ref<Buffer> buffer = Buffer::wrap(like.context().cpu(), data, bytes, TENON_MEMORY_DEVICE, false);
  return Array::view(std::move(buffer), like.dtype(), like.shape(), c_strides(like.shape()), 0);
}

// Host memory may start anywhere, but a backend needs aligned elements. Unaligned memory is copied first.
bool aligned_for(const Array& like, const void* data) {
  const uint32_t align = std::max<uint32_t>(dtype_bytes(dtype_real(dtype_lane(like.dtype()))), 1);
  return reinterpret_cast<uintptr_t>(data) % align == 0;
}

}  // namespace

void to_host(const Array& array, void* data, uint64_t bytes, Stream* stream) {
  if (stream) require_running(*stream, "a transfer to host memory must wait for its result");
  if (data && !aligned_for(array, data) && bytes == array.bytes()) {
    Ref<Array> aligned = convert(array, array.dtype(), array.context().cpu(), stream);
    std::memcpy(data, aligned->data(), bytes);
    return;
  }
  Ref<Array> host = host_array(array, data, bytes, "the destination");
  copy(*host, array, stream);
}

void from_host(Array& array, const void* data, uint64_t bytes, Stream* stream) {
  if (stream) require_running(*stream, "a transfer from host memory reads it immediately");
  if (data && !aligned_for(array, data) && bytes == array.bytes()) {
    Device& cpu = array.context().cpu();
    Ref<Array> aligned = Array::create(cpu, array.dtype(), array.shape(), cpu.default_stream());
    std::memcpy(aligned->data(), data, bytes);
    copy(array, *aligned, stream);
    return;
  }
  Ref<Array> host = host_array(array, const_cast<void*>(data), bytes, "the source");
  copy(array, *host, stream);
}

}  // namespace tenon
