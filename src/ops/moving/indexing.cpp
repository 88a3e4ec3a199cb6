// ops/moving/indexing.cpp: access to elements by index and by mask.
#include <algorithm>
#include "device/texts.hpp"
#include "ops/checks.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

uint32_t element_bytes(const Array& x, const char* what) {
  const uint32_t bytes = dtype_bytes(x.dtype());
  TENON_REQUIRE(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16, TENON_ERROR_UNSUPPORTED,
                "%s is %s: indexing needs elements of 1, 2, 4, 8 or 16 bytes", what, dtype_name(x.dtype()).c_str());
  return bytes;
}

// The name of the unsigned type of that size in the device's sources.
const char* word_name(uint32_t bytes) {
  return bytes == 1   ? "tenon_own::u8"
         : bytes == 2 ? "tenon_own::u16"
         : bytes == 4 ? "unsigned int"
         : bytes == 8 ? "tenon_own::u64"
                      : "tenon_own::u128";
}

std::string index_name(size_t k) { return format("indices[%zu]", k); }

// Which elements of x (the array read or written) belong to the elements of the result's space.
struct Selection {
  Dims shape;                       // of the result
  std::vector<Ref<Array>> indices;  // int64, C-ordered
  std::vector<int32_t> axes;        // the axis of x for each of them
  Dims x_steps;                     // in elements, for each axis of the result
  std::vector<Dims> index_steps;    // likewise
};

void require_integer(const Array& index, size_t k) {
  TENON_REQUIRE(dtype_code(index.dtype()) <= 1 && dtype_lanes(index.dtype()) == 1 && index.dtype() != TENON_BOOL &&
                    dtype_bytes(index.dtype()),
                TENON_ERROR_DTYPE, "%s is %s: indices must be integers%s", index_name(k).c_str(),
                dtype_name(index.dtype()).c_str(),
                index.dtype() == TENON_BOOL ? "; tenon_nonzero converts a mask to indices" : "");
}

Dims broadcast_all(Arrays arrays) {
  Dims shape;
  for (size_t k = 0; k < arrays.size(); ++k) {
    const Dims& add = arrays[k]->shape();
    const int32_t rank = std::max(shape.size(), add.size());
    Dims out(rank);
    for (int32_t d = 0; d < rank; ++d) {  // from the last axis to the first
      const int64_t have = d < shape.size() ? shape[shape.size() - 1 - d] : 1,
                    more = d < add.size() ? add[add.size() - 1 - d] : 1;
      TENON_REQUIRE(have == more || have == 1 || more == 1, TENON_ERROR_SHAPE,
                    "%s has shape %s, which does not broadcast with %s, the shape of those before it",
                    index_name(k).c_str(), shape_text(add).c_str(), shape_text(shape).c_str());
      out[rank - 1 - d] = have == 1 ? more : have;
    }
    shape = std::move(out);
  }
  return shape;
}

std::vector<int32_t> distinct_axes(int32_t rank, std::span<const int32_t> axes) {
  std::vector<int32_t> out;
  for (int32_t given : axes) {
    const int32_t axis = normal_axis(given, rank);
    TENON_REQUIRE(std::find(out.begin(), out.end(), axis) == out.end(), TENON_ERROR_INVALID_ARGUMENT,
                  "axis %d is given twice", given);
    out.push_back(axis);
  }
  return out;
}

// NumPy's rule: the axes of the indices stay together, in place of the first indexed axis if the indexed axes are
// adjacent, else in front.
void select_together(Selection& s, const Array& x, Arrays indices) {
  const Dims common = broadcast_all(indices);
  bool neighbours = true;
  for (size_t k = 1; k < s.axes.size(); ++k) neighbours = neighbours && s.axes[k] == s.axes[k - 1] + 1;
  const int32_t front = neighbours ? s.axes[0] : 0;
  std::vector<int64_t> shape, steps;
  std::vector<int32_t> of_indices;  // axis of `common`, or -1
  const auto add_common = [&] {
    for (int32_t d = 0; d < common.size(); ++d) shape.push_back(common[d]), steps.push_back(0), of_indices.push_back(d);
  };
  if (front == 0) add_common();
  for (int32_t axis = 0, kept = 0; axis < x.rank(); ++axis) {
    if (std::find(s.axes.begin(), s.axes.end(), axis) == s.axes.end()) {
      shape.push_back(x.shape()[axis]), steps.push_back(x.strides()[axis]), of_indices.push_back(-1);
      if (++kept == front) add_common();
    }
  }
  TENON_REQUIRE(shape.size() <= TENON_MAX_RANK, TENON_ERROR_SHAPE, "the result has %zu axes: at most %d are possible",
                shape.size(), TENON_MAX_RANK);
  s.shape = Dims(Extents(shape));
  s.x_steps = Dims(Extents(steps));
  for (size_t k = 0; k < indices.size(); ++k) {
    const Dims wide = broadcast_strides(indices[k]->shape(), c_strides(indices[k]->shape()), common);
    Dims own(s.shape.size());
    for (int32_t d = 0; d < own.size(); ++d) own[d] = of_indices[size_t(d)] < 0 ? 0 : wide[of_indices[size_t(d)]];
    s.index_steps.push_back(std::move(own));
  }
}

// take_along_axis: the index array and x have the same rank; their axes broadcast, except the indexed one.
void select_along(Selection& s, const Array& x, Arrays indices) {
  TENON_REQUIRE(indices.size() == 1, TENON_ERROR_INVALID_ARGUMENT,
                "indexing along an axis takes one index array, not %zu", indices.size());
  const Array& index = *indices[0];
  TENON_REQUIRE(index.rank() == x.rank(), TENON_ERROR_SHAPE,
                "indices[0] has %d axes but the array has %d: along an axis both must have the same number",
                index.rank(), x.rank());
  const int32_t axis = s.axes[0], rank = x.rank();
  s.shape = index.shape();
  s.x_steps = Dims(rank);
  Dims own(rank);
  const Dims strides = c_strides(index.shape());
  for (int32_t d = 0; d < rank; ++d) {
    own[d] = index.shape()[d] == 1 ? 0 : strides[d];
    if (d == axis) continue;
    const int64_t a = x.shape()[d], b = index.shape()[d];
    TENON_REQUIRE(a == b || a == 1 || b == 1, TENON_ERROR_SHAPE,
                  "indices[0] has shape %s, but the array has %s: they do not match along axis %d",
                  shape_text(index.shape()).c_str(), shape_text(x.shape()).c_str(), d);
    s.shape[d] = b == 1 ? a : b;
    s.x_steps[d] = a == 1 ? 0 : x.strides()[d];
  }
  s.x_steps[axis] = 0;
  s.index_steps.push_back(std::move(own));
}

Selection select(const Array& x, Arrays indices, std::span<const int32_t> axes, bool along) {
  TENON_REQUIRE(!indices.empty() && indices.size() <= kIndexArrays, TENON_ERROR_INVALID_ARGUMENT,
                "%zu index arrays were given: 1 to %d are allowed", indices.size(), int(kIndexArrays));
  for (size_t k = 0; k < indices.size(); ++k) require_integer(*indices[k], k);
  Selection s;
  s.axes = distinct_axes(x.rank(), axes);
  if (along) select_along(s, x, indices);
  else select_together(s, x, indices);
  return s;
}

void open_indices(Selection& s, Arrays indices, Device& device, Stream& stream) {
  for (size_t k = 0; k < indices.size(); ++k) {
    require_on(*indices[k], device, index_name(k).c_str());
    s.indices.push_back(contiguous(*indices[k], TENON_INT64, stream));
  }
}

// The work for x and v; axes are merged where all strides allow it.
IndexWork work_of(const Selection& s, const Array& x, const Array& v, const Dims& v_steps) {
  IndexWork w{};
  w.x = static_cast<char*>(x.data());
  w.v = static_cast<char*>(v.data());
  w.count = element_count(s.shape);
  w.arrays = int32_t(s.indices.size());
  const int64_t bytes = dtype_bytes(x.dtype());
  for (int32_t k = 0; k < w.arrays; ++k) {
    w.index[k] = static_cast<const int64_t*>(s.indices[size_t(k)]->data());
    w.limit[k] = x.shape()[s.axes[size_t(k)]];
    w.reach[k] = x.strides()[s.axes[size_t(k)]] * bytes;
  }
  for (int32_t d = 0; d < s.shape.size(); ++d) {
    const int64_t n = s.shape[d], x_step = s.x_steps[d] * bytes, v_step = v_steps[d] * bytes;
    if (n == 1) continue;
    bool merges = w.rank > 0 && w.x_step[w.rank - 1] == n * x_step && w.v_step[w.rank - 1] == n * v_step;
    for (int32_t k = 0; k < w.arrays; ++k)
      merges = merges && w.index_step[k][w.rank - 1] == n * s.index_steps[size_t(k)][d];
    TENON_REQUIRE(merges || w.rank < kIndexAxes, TENON_ERROR_UNSUPPORTED,
                  "more than %d axes that cannot be merged: copy the array first", int(kIndexAxes));
    const int32_t at = merges ? w.rank - 1 : w.rank++;
    w.extent[at] = merges ? w.extent[at] * n : n;
    w.x_step[at] = x_step;
    w.v_step[at] = v_step;
    for (int32_t k = 0; k < w.arrays; ++k) w.index_step[k][at] = s.index_steps[size_t(k)][d];
  }
  return w;
}

[[noreturn]] void fail_for_index(const std::string& name, const Dims& shape, int64_t at, int32_t axis, int64_t limit,
                                 const int64_t* value) {
  Dims place(shape.size());
  for (int32_t d = shape.size(); d-- > 0; at /= shape[d]) place[d] = at % shape[d];
  const std::string found =
      value ? format("holds %lld", static_cast<long long>(*value)) : "holds an index that is out of range";
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s %s%s%s: axis %d has extent %lld", name.c_str(), found.c_str(),
       shape.size() ? " at " : "", shape.size() ? shape_text(place).c_str() : "", axis, static_cast<long long>(limit));
}

// What a recorded step needs to know about the index arrays.
struct IndexList {
  std::vector<Dims> shapes;
  std::vector<int32_t> axes;
};

IndexList list_of(const Selection& s) {
  IndexList list{{}, s.axes};
  for (const Ref<Array>& index : s.indices) list.shapes.push_back(index->shape());
  return list;
}

void check_natively(const Native& native, const IndexWork& w, const IndexList& list) {
  for (int32_t k = 0; k < w.arrays; ++k) {
    const int64_t bad = native.bad_index(w.index[k], element_count(list.shapes[size_t(k)]), -w.limit[k], w.limit[k]);
    if (bad >= 0)
      fail_for_index(index_name(size_t(k)), list.shapes[size_t(k)], bad, list.axes[size_t(k)], w.limit[k],
                     w.index[k] + bad);
  }
}

OwnKernel index_kernel(std::string name) {
  return {"tenon/index.cu", {device::kIndexText, device::kIndexKernels}, {"tenon_own::" + std::move(name)}};
}

// Places for the smallest position of an index out of range, one per index array, next to each other.
tenon_finding* report_places(Checks& checks, const Selection& s, const IndexWork& w) {
  tenon_finding* first = nullptr;
  for (int32_t k = 0; k < w.arrays; ++k) {
    tenon_finding* const place =
        checks.place([shape = Dims(s.indices[size_t(k)]->shape()), axis = s.axes[size_t(k)], limit = w.limit[k],
                      k](int64_t bad) { fail_for_index(index_name(size_t(k)), shape, bad, axis, limit, nullptr); });
    if (!first) first = place;
  }
  return first;
}

void check_by_kernels(Checks& checks, const Selection& s, const IndexWork& w, Device& device, Stream& stream) {
  tenon_finding* const places = report_places(checks, s, w);
  for (int32_t k = 0; k < w.arrays; ++k) {
    const Array& index = *s.indices[size_t(k)];
    if (index.size() == 0) continue;
    index.buffer().use(stream, false);
    launch_own(device, index_kernel("check_indices"), striding_blocks(device, index.size()), 256, stream, w.index[k],
               int64_t(index.size()), -w.limit[k], w.limit[k], places + k);
  }
}

void use_all(const Selection& s, const Array& read, const Array& written, Stream& stream) {
  for (const Ref<Array>& index : s.indices) index->buffer().use(stream, false);
  use({&read}, {&written}, stream);
}

// A graph does not wait: there, an index out of range is not reported, but it is not followed either.
bool can_check(const Stream& stream) { return !stream.recording(); }

}  // namespace

Ref<Array> take(const Array& x, Arrays indices, std::span<const int32_t> axes, bool along, Stream* given,
                const Output& out) {
  Selection s = select(x, indices, axes, along);
  const uint32_t bytes = element_bytes(x, "the array");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  require_on(x, device, "the array");
  for (const Array* index : indices) out.check(x.dtype(), s.shape, device, {{*index, "an index array"}});
  return recorded_whole(stream, [&] {
    open_indices(s, indices, device, stream);
    const Ref<Array> result = out.open(x.dtype(), s.shape, stream, {{x, "the array"}});
    IndexWork w = work_of(s, x, *result, result->strides());
    if (w.count == 0) return result;
    if (!by_kernels(device)) {
      use_all(s, x, *result, stream);
      device.run_native(
          "take",
          [native = device.native(), w, bytes, list = list_of(s)] {
            check_natively(*native, w, list);
            native->take(bytes, w);
          },
          stream);
      return result;
    }
    Checks checks(stream, true);
    if (can_check(stream)) w.bad = report_places(checks, s, w);  // every index is read, so take checks them all
    use_all(s, x, *result, stream);
    launch_own(device, index_kernel(format("take<%s>", word_name(bytes))), striding_blocks(device, w.count), 256,
               stream, w);
    checks.defer();
    return result;
  });
}

namespace {

const char* const kScatterNames[] = {"kAssign", "kAdd", "kLeast", "kMost"};

OwnKernel scatter_kernel(int32_t operation, Dtype dtype, uint32_t bytes) {
  if (operation == TENON_SCATTER_ASSIGN) return index_kernel(format("assign<%s>", word_name(bytes)));
  const Dtype part = dtype_real(dtype);
  return index_kernel(format("scatter<tenon_own::%s, %s, %d>", kScatterNames[operation],
                             element_name(part, "the array"), part == dtype ? 1 : 2));
}

}  // namespace

void scatter(Array& x, const Array& values, Arrays indices, std::span<const int32_t> axes, bool along,
             int32_t operation, Stream* given) {
  TENON_REQUIRE(operation >= 0 && operation < kScatterKinds, TENON_ERROR_INVALID_ARGUMENT,
                "operation %d is not one of TENON_SCATTER_*", operation);
  const Output out(&x, "x");
  Selection s = select(x, indices, axes, along);
  const uint32_t bytes = element_bytes(x, "the array");
  if (operation != TENON_SCATTER_ASSIGN && !(operation == TENON_SCATTER_ADD && dtype_complex(x.dtype())))
    element_name(x.dtype(), "the array");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  out.check(x.dtype(), x.shape(), device, {{values, "the values"}});
  for (const Array* index : indices) out.check(x.dtype(), x.shape(), device, {{*index, "an index array"}});
  require_on(values, device, "the values");
  broadcast_strides(values.shape(), values.strides(), s.shape);  // throws SHAPE before anything is done
  recorded_whole(stream, [&] {
    open_indices(s, indices, device, stream);
    const Ref<Array> v = values.dtype() == x.dtype() ? Ref<Array>(const_cast<Array*>(&values))
                                                     : convert(values, x.dtype(), device, &stream);
    const IndexWork w = work_of(s, x, *v, broadcast_strides(v->shape(), v->strides(), s.shape));
    if (w.count == 0) return;
    if (!by_kernels(device)) {
      use_all(s, *v, x, stream);
      device.run_native(
          "scatter",
          [native = device.native(), w, operation, dtype = x.dtype(), list = list_of(s)] {
            check_natively(*native, w, list);
            native->scatter(operation, dtype, w);
          },
          stream);
      return;
    }
    Checks checks(stream, true);
    if (can_check(stream)) check_by_kernels(checks, s, w, device, stream);
    checks.settle_unless_deferred();  // before the array changes
    use_all(s, *v, x, stream);
    launch_own(device, scatter_kernel(operation, x.dtype(), bytes), striding_blocks(device, w.count), 256, stream, w);
    checks.defer();
  });
}

// ---- Masks ----

TrueElements find_true(Ref<Array> mask, Stream& stream, const char* what) {
  require_running(stream, what);
  Device& device = stream.device();
  const auto* bytes = static_cast<const uint8_t*>(mask->data());
  const int64_t size = mask->size();
  TrueElements found{std::move(mask), {}, 0};
  if (size == 0) return found;
  if (!by_kernels(device)) {
    use({found.mask.get()}, {}, stream);
    device.run_native("count", [&] { found.count = device.native()->count_true(bytes, size); }, stream);
    return found;
  }
  const int64_t blocks = (size + kTileElements - 1) / kTileElements;
  found.starts = Array::create(device, TENON_INT64, Dims{blocks + 1}, stream);
  auto* const sums = static_cast<int64_t*>(found.starts->data());
  use({found.mask.get()}, {found.starts.get()}, stream);
  launch_own(device, select_kernels(kSelectCount), blocks, kTileThreads, stream, bytes, size, sums);
  launch_own(device, select_kernels(kSelectSum), 1, kTileThreads, stream, sums, blocks);
  to_host(*found.starts->with(Dims{1}, Dims{1}, blocks, false), &found.count, sizeof found.count, &stream);
  return found;
}

namespace {

// Of select_places and select_elements, which have one block per tile.
template <class... Values>
void launch_select(const OwnKernel& kernel, const TrueElements& found, Stream& stream, Values... values) {
  launch_own(stream.device(), kernel, found.starts->size() - 1, kTileThreads, stream,
             static_cast<const uint8_t*>(found.mask->data()), int64_t(found.mask->size()),
             static_cast<const int64_t*>(found.starts->data()), values...);
}

}  // namespace

void write_places(const TrueElements& found, Array& places, Stream& stream) {
  if (found.count == 0) return;
  Device& device = stream.device();
  use({found.mask.get(), found.starts.get()}, {&places}, stream);
  auto* const to = static_cast<int64_t*>(places.data());
  if (by_kernels(device)) return launch_select(select_kernels(kSelectPlaces), found, stream, to);
  const auto* bytes = static_cast<const uint8_t*>(found.mask->data());
  device.run_native("places", [&] { device.native()->true_places(bytes, found.mask->size(), to); }, stream);
}

Ref<Array> true_elements(const TrueElements& found, const Array& x, Stream& stream, const Output& out) {
  Device& device = stream.device();
  if (!by_kernels(device)) {
    const Ref<Array> places = Array::create(device, TENON_INT64, Dims{found.count}, stream);
    write_places(found, *places, stream);
    const Array* index[] = {places.get()};
    const int32_t axis = 0;
    return take(*x.reshape(Dims{x.size()}), index, {&axis, 1}, false, &stream, out);
  }
  const uint32_t bytes = element_bytes(x, "the array");
  const Ref<Array> result = open_plain(out, x.dtype(), Dims{found.count}, stream, {{x, "x"}});
  if (found.count) {
    use({found.mask.get(), found.starts.get(), &x}, {result.get()}, stream);
    launch_select({"tenon/select.cu",
                   {device::kBlockText, device::kSelectKernels},
                   {format("tenon_own::select_elements<%s>", word_name(bytes))}},
                  found, stream, static_cast<const void*>(x.data()), result->data());
  }
  return out.deliver(result, stream);
}

namespace {

// x as C-ordered bools on the device.
Ref<Array> as_mask(const Array& x, Device& device, Stream& stream, const char* what) {
  require_on(x, device, what);
  return contiguous(x, TENON_BOOL, stream);
}

}  // namespace

Ref<Array> nonzero(const Array& x, Stream* given, const Output& out) {
  TENON_REQUIRE(x.rank() > 0, TENON_ERROR_SHAPE, "an array without axes cannot be indexed: reshape it to (1,)");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  const TrueElements found =
      find_true(as_mask(x, device, stream, "x"), stream, "the result's shape depends on the elements");
  const Dims shape{x.rank(), found.count};
  const Ref<Array> result = open_plain(out, TENON_INT64, shape, stream, {{x, "x"}});
  if (x.rank() == 1) {
    write_places(found, *result, stream);
    return out.deliver(result, stream);
  }
  const Ref<Array> places = Array::create(device, TENON_INT64, Dims{found.count}, stream);
  write_places(found, *places, stream);
  UnravelWork w{};
  w.places = static_cast<const int64_t*>(places->data());
  w.to = static_cast<int64_t*>(result->data());
  w.count = places->size();
  w.rank = x.rank();
  for (int32_t d = 0; d < x.rank(); ++d) w.extent[d] = x.shape()[d];
  if (w.count) {
    use({places.get()}, {result.get()}, stream);
    if (!by_kernels(device)) device.run_native("unravel", [&] { device.native()->unravel(w); }, stream);
    else launch_each(device, "Unravel", "UnravelWork", w, w.count, stream);
  }
  return out.deliver(result, stream);
}

Ref<Array> compress(const Array& x, const Array& mask, int32_t axis, Stream* given, const Output& out) {
  const int32_t first = mask.rank() ? normal_axis(axis, x.rank()) : 0;
  TENON_REQUIRE(mask.rank() > 0, TENON_ERROR_SHAPE, "a mask must have at least one axis");
  TENON_REQUIRE(first + mask.rank() <= x.rank(), TENON_ERROR_SHAPE,
                "the mask has %d axes, but from axis %d on the array has only %d", mask.rank(), first,
                x.rank() - first);
  for (int32_t d = 0; d < mask.rank(); ++d)
    TENON_REQUIRE(mask.shape()[d] == x.shape()[first + d], TENON_ERROR_SHAPE,
                  "the mask has shape %s, but axis %d of the array has extent %lld", shape_text(mask.shape()).c_str(),
                  first + d, static_cast<long long>(x.shape()[first + d]));
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  const TrueElements found =
      find_true(as_mask(mask, device, stream, "the mask"), stream, "the result's shape depends on the mask");
  // With the masked axes as one.
  Dims merged(x.rank() - mask.rank() + 1);
  for (int32_t d = 0; d < first; ++d) merged[d] = x.shape()[d];
  merged[first] = mask.size();
  for (int32_t d = first + mask.rank(); d < x.rank(); ++d) merged[d - mask.rank() + 1] = x.shape()[d];
  Dims strides;
  require_on(x, device, "x");
  const bool seen = reshape_strides(x.shape(), x.strides(), merged, strides);
  out.check(x.dtype(),
            [&] {
              Dims s = merged;
              s[first] = found.count;
              return s;
            }(),
            device, {{x, "x"}, {mask, "the mask"}});
  const Ref<Array> flat = seen ? x.with(merged, strides, 0, true) : contiguous(x, stream)->reshape(merged);
  if (merged.size() == 1 && flat->c_contiguous()) return true_elements(found, *flat, stream, out);
  const Ref<Array> places = Array::create(device, TENON_INT64, Dims{found.count}, stream);
  write_places(found, *places, stream);
  const Array* index[] = {places.get()};
  return take(*flat, index, {&first, 1}, false, &stream, out);
}

Ref<Array> bincount(const Array& x, const Array* weights, int64_t length, Stream* given, const Output& out) {
  require_integer(x, 0);
  TENON_REQUIRE(length >= 0, TENON_ERROR_INVALID_ARGUMENT, "length is %lld: it must not be negative",
                static_cast<long long>(length));
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  const Dtype dtype = weights ? weights->dtype() : TENON_INT64;
  if (weights) {
    if (!dtype_complex(dtype)) element_name(dtype, "weights");
    TENON_REQUIRE(weights->shape() == x.shape(), TENON_ERROR_SHAPE, "weights has shape %s, but x has %s",
                  shape_text(weights->shape()).c_str(), shape_text(x.shape()).c_str());
  }
  require_on(x, device, "x");
  return recorded_whole(stream, [&] {
    const Ref<Array> numbers = contiguous(x, TENON_INT64, stream);
    const auto* list = static_cast<const int64_t*>(numbers->data());
    if (!by_kernels(device)) {  // negative numbers are not indices here
      use({numbers.get()}, {}, stream);
      device.run_native(
          "check",
          [native = device.native(), list, count = x.size(), length] {
            const int64_t bad = native->bad_index(list, count, 0, length);
            if (bad >= 0)
              fail(TENON_ERROR_INVALID_ARGUMENT, "x contains %lld: its elements must be from 0 to %lld",
                   static_cast<long long>(list[bad]), static_cast<long long>(length - 1));
          },
          stream);
    } else if (x.size()) {
      require_running(stream, "the numbers must be checked");
      Checks checks(stream);
      tenon_finding* const bad = checks.place([shape = Dims(x.shape()), length](int64_t at) {
        Dims place(shape.size());
        for (int32_t d = shape.size(); d-- > 0; at /= shape[d]) place[d] = at % shape[d];
        fail(TENON_ERROR_INVALID_ARGUMENT, "x contains a number at %s that is not from 0 to %lld",
             shape_text(place).c_str(), static_cast<long long>(length - 1));
      });
      use({numbers.get()}, {}, stream);
      launch_own(device, index_kernel("check_indices"), striding_blocks(device, x.size()), 256, stream, list, x.size(),
                 int64_t(0), length, bad);
      checks.settle();
    }
    if (weights) out.check(dtype, Dims{length}, device, {{*weights, "weights"}});
    const Ref<Array> result = out.open(dtype, Dims{length}, stream, {{x, "x"}});
    fill(*result, 0, 0, &stream);
    const Ref<Array> one = Array::create(device, dtype, Dims{}, stream);
    if (!weights) fill(*one, 1, 0, &stream);
    const Array* index[] = {numbers.get()};
    const int32_t axis = 0;
    scatter(*result, weights ? *weights : *one, index, {&axis, 1}, false, TENON_SCATTER_ADD, &stream);
    return result;
  });
}

}  // namespace tenon::ops
