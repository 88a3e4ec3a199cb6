// ops/sorting.cpp: sorts, searches and sets.
#include "device/texts.hpp"
#include "ops/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

OwnKernel select_kernel(std::string name) {
  return {"tenon/select.cu", {device::kOrderText, device::kSelectText, device::kSelectKernels},
      {"tenon_own::" + std::move(name)}};
}

const char* key_name(uint32_t bytes) { return bytes == 1 ? "tenon_own::u8" : bytes == 2 ? "tenon_own::u16" :
    bytes == 4 ? "tenon_own::u32" : "tenon_own::u64"; }

// The counting sort of sort.cu; w: on the device.
void sort_by_kernels(Device& device, Dtype dtype, const SortWork& w, Stream& stream) {
  constexpr int64_t kPerBlock = 4096, kDigits = 256;  // as in sort.cu
  TENON_REQUIRE(w.n < int64_t(1) << 32, TENON_ERROR_UNSUPPORTED,
      "rows of %lld elements: on %s up to 2^32 - 1 can be sorted",
                static_cast<long long>(w.n), device.name().c_str());
  const char* const element = element_name(dtype, "x");
  const uint32_t bytes = dtype_bytes(dtype);
  const char* const key = key_name(bytes);
  const int64_t count = w.rows * w.n, blocks = (w.n + kPerBlock - 1) / kPerBlock, list = kDigits * blocks + 1;
  enum : int32_t { kKeys, kCount, kMove, kFinish };
  OwnKernel kernel{"tenon/sort.cu", {device::kOrderText, device::kSortKernels},
                   {format("tenon_own::sort_keys<%s>", element), format("tenon_own::sort_count<%s>", key),
                       format("tenon_own::sort_move<%s>", key),
                    format("tenon_own::sort_finish<%s>", element)}};
  const auto step = [&](int32_t index) -> const OwnKernel& { kernel.index = index; return kernel; };
  const Dtype keys_dtype = bytes == 1 ? TENON_UINT8 : bytes == 2 ? TENON_UINT16 : bytes == 4 ? TENON_UINT32 :
      TENON_UINT64;
  Ref<Array> keys[2], order[2];
  for (int k = 0; k < 2; ++k) {
    keys[k] = Array::create(device, keys_dtype, Dims{count}, stream);
    order[k] = Array::create(device, TENON_UINT32, Dims{count}, stream);
    use({}, {keys[k].get(), order[k].get()}, stream);
  }
  const Ref<Array> counts = Array::create(device, TENON_INT64, Dims{w.rows * list}, stream);
  use({}, {counts.get()}, stream);
  launch_own(device, step(kKeys), striding_blocks(device, count), 256, stream, w, keys[0]->data(), order[0]->data());
  int now = 0;
  for (int shift = 0; shift < int(8 * bytes); shift += 8, now = 1 - now) {
    launch_own(device, step(kCount), w.rows * blocks, 256, stream, keys[now]->data(), int64_t(w.n), blocks, shift,
        counts->data());
    launch_own(device, select_kernels(kSelectSum), w.rows, 256, stream, counts->data(), list - 1, list);
    launch_own(device, step(kMove), w.rows * blocks, 256, stream, keys[now]->data(), order[now]->data(), int64_t(w.n),
        blocks,
               shift, counts->data(), keys[1 - now]->data(), order[1 - now]->data());
  }
  launch_own(device, step(kFinish), striding_blocks(device, w.rows * w.keep), 256, stream, w, order[now]->data());
}

// The axis last.
Ref<Array> moved_last(const Array& x, int32_t axis) {
  std::vector<int32_t> axes;
  for (int32_t d = 0; d < x.rank(); ++d)
    if (d != axis) axes.push_back(d);
  axes.push_back(axis);
  return x.rank() ? x.transpose(axes) : Ref<Array>(const_cast<Array*>(&x));
}

// An output along an axis: rows for the sort, then back to where they belong.
struct RowsOut {
  Ref<Array> rows, result;
  RowsOut(const Output& out, Dtype dtype, const Dims& shape, const Dims& row_shape, int32_t axis, Stream& stream,
      const Array& x) {
    if (!out.wanted()) return;
    result = out.open(dtype, shape, stream, {{x, "x"}});
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

struct Request {
  int32_t axis;
  int64_t keep;
  bool descending;
};

// Real numbers.
Sorted sort_real(const Array& x, const Request& r, Stream& stream, const Output& values, const Output& indices) {
  Device& device = stream.device();
  const Ref<Array> view = moved_last(x, r.axis);
  const int64_t n = x.rank() ? x.shape()[r.axis] : 1, rows = n ? x.size() / n : 0;
  Dims shape = x.shape(), row_shape = view->shape();
  if (x.rank()) shape[r.axis] = r.keep, row_shape[x.rank() - 1] = r.keep;
  return recorded_whole(stream, [&] {
    RowsOut v(values, x.dtype(), shape, row_shape, r.axis, stream, x),
        i(indices, TENON_INT64, shape, row_shape, r.axis, stream, x);
    if (x.size() && r.keep) {
      const Ref<Array> from = contiguous(*view, stream);
      const SortWork w{from->data(), v.rows ? v.rows->data() : nullptr, i.rows ? static_cast<int64_t*>(i.rows->data()) :
          nullptr, rows, n, r.keep, r.descending};
      from->buffer().use(stream, false);
      if (v.rows) v.rows->buffer().use(stream, true);
      if (i.rows) i.rows->buffer().use(stream, true);
      if (!by_kernels(device))
        device.run_native("sort", [native = device.native(), dtype = x.dtype(), w] { native->sort(dtype, w); }, stream);
      else sort_by_kernels(device, x.dtype(), w, stream);
      v.finish(stream);
      i.finish(stream);
    }
    return Sorted{v.result, i.result};
  });
}

// Real or imaginary parts, as a view.
Ref<Array> part_of(const Array& x, int which) {
  Dims strides = x.strides();
  for (int32_t d = 0; d < strides.size(); ++d) strides[d] *= 2;
  const Dtype real = dtype_real(x.dtype());
  return Array::view(Ref<Buffer>(&x.buffer()), real, x.shape(), strides,
      x.byte_offset() + uint64_t(which) * dtype_bytes(real), true);
}

// The order of sorting by `key` what `order` (NULL: nothing yet) has put in order.
Ref<Array> sorted_further(const Array& key, Ref<Array> order, const Request& r, Stream& stream) {
  const Output none(nullptr, "", false), made;
  if (!order) return sort_real(key, r, stream, none, made).indices;
  const Array* index[] = {order.get()};
  const Ref<Array> now = take(key, index, {&r.axis, 1}, true, &stream, {});
  const Ref<Array> step = sort_real(*now, r, stream, none, made).indices;
  const Array* steps[] = {step.get()};
  return take(*order, steps, {&r.axis, 1}, true, &stream, {});
}

// 1 where a part is NaN, as uint8: a comparison of its key with that of NaN, by searching.
Ref<Array> is_nan(const Array& part, Stream& stream) {
  Device& device = stream.device();
  const Ref<Array> nan = Array::create(device, part.dtype(), Dims{1}, stream);
  fill(*nan, __builtin_nan(""), 0, &stream);
  // NaN is not before NaN: counted from the right, 1 for NaN alone
  return search_sorted(*nan, part, true, &stream, {});
}

// From the least to the most important: the imaginary part, the real part, which of them is NaN.
Sorted sort_complex(const Array& x, const Request& r, Stream& stream, const Output& values, const Output& indices) {
  Device& device = stream.device();
  Dims shape = x.shape();
  shape[r.axis] = r.keep;
  if (values.wanted()) values.check(x.dtype(), shape, device, {{x, "x"}});
  if (indices.wanted()) indices.check(TENON_INT64, shape, device, {{x, "x"}});
  const Ref<Array> re = part_of(x, 0), im = part_of(x, 1);
  Ref<Array> order = sorted_further(*im, {}, r, stream);
  order = sorted_further(*re, order, r, stream);
  const Request ascending{r.axis, r.keep, false};
  order = sorted_further(*is_nan(*im, stream), order, ascending, stream);
  order = sorted_further(*is_nan(*re, stream), order, ascending, stream);
  Sorted out;
  const Array* index[] = {order.get()};
  if (values.wanted()) out.values = take(x, index, {&r.axis, 1}, true, &stream, values);
  if (indices.wanted()) out.indices = indices.deliver(order, stream);
  return out;
}

}  // namespace

Sorted sort(const Array& x, int32_t axis, bool descending, Stream* given, const Output& values, const Output& indices) {
  TENON_REQUIRE(values.wanted() || indices.wanted(), TENON_ERROR_INVALID_ARGUMENT,
      "out_values and out_indices are both NULL: nothing is wanted");
  const int32_t at = normal_axis(axis, x.rank());
  if (!dtype_complex(x.dtype())) element_name(x.dtype(), "x");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  const Request r{at, x.shape()[at], descending};
  return dtype_complex(x.dtype()) && x.size() ? sort_complex(x, r, stream, values, indices) :
      sort_real(x, r, stream, values, indices);
}

Sorted top_k(const Array& x, int64_t k, int32_t axis, bool smallest, Stream* given, const Output& values,
    const Output& indices) {
  TENON_REQUIRE(values.wanted() || indices.wanted(), TENON_ERROR_INVALID_ARGUMENT,
      "out_values and out_indices are both NULL: nothing is wanted");
  const int32_t at = normal_axis(axis, x.rank());
  TENON_REQUIRE(k >= 0 && k <= x.shape()[at], TENON_ERROR_INVALID_ARGUMENT, "k is %lld: axis %d has %lld elements",
      static_cast<long long>(k), at,
                static_cast<long long>(x.shape()[at]));
  element_name(x.dtype(), "x");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  return sort_real(x, {at, k, !smallest}, stream, values, indices);
}

Ref<Array> search_sorted(const Array& sorted, const Array& wanted, bool right, Stream* given, const Output& out) {
  TENON_REQUIRE(sorted.rank() == 1, TENON_ERROR_SHAPE, "sorted has %d axes: a list of one axis is searched",
      sorted.rank());
  TENON_REQUIRE(sorted.dtype() == wanted.dtype(), TENON_ERROR_DTYPE, "sorted is %s and wanted %s: convert one of them",
      dtype_name(sorted.dtype()).c_str(),
                dtype_name(wanted.dtype()).c_str());
  const char* const element = element_name(wanted.dtype(), "wanted");
  Stream& stream = stream_or_default(given, given ? given->device() : wanted.device());
  Device& device = stream.device();
  require_on(sorted, device, "sorted");
  require_on(wanted, device, "wanted");
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open_plain(out, TENON_INT64, wanted.shape(), stream,
        {{sorted, "sorted"}, {wanted, "wanted"}});
    if (wanted.size() == 0) return out.deliver(result, stream);
    const Ref<Array> list = contiguous(sorted, stream), numbers = contiguous(wanted, stream);
    const SearchWork w{list->data(), numbers->data(), static_cast<int64_t*>(result->data()), sorted.size(),
        wanted.size(), right};
    use({list.get(), numbers.get()}, {result.get()}, stream);
    if (!by_kernels(device)) device.run_native("search", [native = device.native(), dtype = wanted.dtype(),
        w] { native->search(dtype, w); }, stream);
    else launch_own(device, select_kernel(format("each<tenon_own::Search<%s>, tenon_own::SearchWork>", element)),
        striding_blocks(device, w.count), 256,
                    stream, w, int64_t(w.count));
    return out.deliver(result, stream);
  });
}

namespace {

void run_unique(Device& device, const char* op, const UniqueWork& w, int64_t count, bool lengths, Stream& stream) {
  if (!by_kernels(device)) device.run_native(op, [&] { (lengths ? device.native()->run_lengths :
      device.native()->run_numbers)(w); }, stream);
  else launch_own(device, select_kernel(format("each<tenon_own::%s, tenon_own::UniqueWork>", op)),
      striding_blocks(device, count), 256, stream, w, count);
}

}  // namespace

Unique unique(const Array& x, bool nan_distinct, Stream* given, const UniqueOutputs& out) {
  const char* const element = element_name(x.dtype(), "x");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  require_on(x, device, "x");
  require_running(stream, "the result's shape depends on the elements");
  const Ref<Array> flat = contiguous(x, stream)->reshape(Dims{x.size()});
  const bool placed = out.indices.wanted() || out.inverse.wanted();
  const Sorted sorted = sort(*flat, 0, false, &stream, {}, Output(nullptr, "", placed));
  const Ref<Array> first = Array::create(device, TENON_BOOL, Dims{x.size()}, stream);
  if (x.size()) {
    const RunsWork w{sorted.values->data(), static_cast<uint8_t*>(first->data()), x.size(), !nan_distinct};
    use({sorted.values.get()}, {first.get()}, stream);
    if (!by_kernels(device)) device.run_native("runs", [&] { device.native()->runs(x.dtype(), w); }, stream);
    else launch_own(device, select_kernel(format("each<tenon_own::Runs<%s>, tenon_own::RunsWork>", element)),
        striding_blocks(device, w.count), 256, stream,
                    w, int64_t(w.count));
  }
  const Ref<Array> starts = true_places(*first, stream, "the result's shape depends on the elements");
  const int64_t runs = starts->size();
  // Everything is checked before the first result is written.
  out.values.check(x.dtype(), Dims{runs}, device, {{x, "x"}});
  out.indices.check(TENON_INT64, Dims{runs}, device, {{x, "x"}});
  out.inverse.check(TENON_INT64, x.shape(), device, {{x, "x"}});
  out.counts.check(TENON_INT64, Dims{runs}, device, {{x, "x"}});
  const Array* index[] = {starts.get()};
  const int32_t axis = 0;
  Unique result;
  result.values = take(*sorted.values, index, {&axis, 1}, false, &stream, out.values);
  if (out.indices.wanted()) result.indices = take(*sorted.indices, index, {&axis, 1}, false, &stream, out.indices);
  const auto made = [&](const Output& wanted, Extents shape, const char* op, bool lengths) {
    const Ref<Array> plain = open_plain(wanted, TENON_INT64, shape, stream, {});
    if (plain->size()) {
      const UniqueWork w{static_cast<const int64_t*>(starts->data()), lengths ? nullptr :
          static_cast<const int64_t*>(sorted.indices->data()),
                         static_cast<int64_t*>(plain->data()), runs, x.size()};
      use({starts.get()}, {plain.get()}, stream);
      if (!lengths) use({sorted.indices.get()}, {}, stream);
      run_unique(device, op, w, plain->size(), lengths, stream);
    }
    return wanted.deliver(plain, stream);
  };
  if (out.counts.wanted()) result.counts = made(out.counts, Dims{runs}, "Lengths", true);
  if (out.inverse.wanted()) result.inverse = made(out.inverse, x.shape(), "Inverse", false);
  return result;
}

Ref<Array> permutation(Device& device, int64_t n, const tenon_random_options& options, Stream* given,
    const Output& out) {
  TENON_REQUIRE(n >= 0, TENON_ERROR_INVALID_ARGUMENT, "n is %lld: it cannot be negative", static_cast<long long>(n));
  Stream& stream = stream_or_default(given, device);
  out.check(TENON_INT64, Dims{n}, device, {});
  tenon_random_options bits{};
  bits.key = options.key, bits.offset = options.offset, bits.stream = options.stream;
  return recorded_whole(stream, [&] {
    const Ref<Array> keys = random(device, TENON_UINT64, Dims{n}, TENON_RANDOM_BITS, bits, &stream);
    return sort(*keys, 0, false, &stream, Output(nullptr, "", false), out).indices;
  });
}

}  // namespace tenon::ops
