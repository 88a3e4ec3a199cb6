// ops/moving/sorting.cpp: sorts, searches and sets.
#include "device/texts.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"
#include "ops/moving/rows.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

// A temporary array of the work, which the stream's next kernels write.
Ref<Array> list_of(Device& device, Dtype dtype, int64_t count, Stream& stream) {
  Ref<Array> made = Array::create(device, dtype, Dims{count}, stream);
  use({}, {made.get()}, stream);
  return made;
}

// The number of blocks for a row whose threads stride over it.
int64_t blocks_for_row(const Device& device, int64_t tiles) {
  return std::min<int64_t>(tiles, 8 * int64_t(std::max(device.info().multiprocessors, 1)));
}

// The kernels of sort.cu. Keys differ in their lowest `bits` bits only.
void sort_by_kernels(Device& device, Dtype dtype, const SortWork& w, int32_t bits, Stream& stream) {
  const char* const element = element_name(dtype, "x");
  const auto kernels = [&](std::vector<std::string> names) {
    return OwnKernel{"tenon/sort.cu", {device::kOrderText, device::kBlockText, device::kSortKernels}, std::move(names)};
  };
  if (w.n <= kShortRow) {
    int lanes = 2;
    while (lanes < std::min<int64_t>(w.n, 32)) lanes *= 2;
    int each = 1;
    while (lanes * each < w.n) each *= 2;
    const int64_t rows = kTileThreads / lanes;  // of a block
    return launch_own(device, kernels({format("tenon_own::sort_short<%s, %d, %d>", element, lanes, each)}),
                      std::min<int64_t>((w.rows + rows - 1) / rows, 1 << 30), kTileThreads, stream, w);
  }
  if (w.n <= kTileElements) {
    int64_t each = 1;
    while (each * kTileThreads < w.n) each *= 2;
    return launch_own(device, kernels({format("tenon_own::sort_rows<%s, %d>", element, int(each))}),
                      std::min<int64_t>(w.rows, 1 << 30), kTileThreads, stream, w);
  }
  TENON_REQUIRE(w.n < int64_t(1) << 32, TENON_ERROR_UNSUPPORTED,
                "a row has %lld elements: on %s at most 2^32 - 1 can be sorted", static_cast<long long>(w.n),
                device.name().c_str());
  const int32_t digits = int32_t(dtype_bytes(dtype)), passes = std::clamp((bits + 7) / 8, 1, digits);
  const int64_t tiles = (w.n + kTileElements - 1) / kTileElements, all_tiles = w.rows * tiles;
  TENON_REQUIRE(all_tiles < int64_t(1) << 31, TENON_ERROR_UNSUPPORTED,
                "%lld rows of %lld elements are too many for one sort on %s: sort parts of them",
                static_cast<long long>(w.rows), static_cast<long long>(w.n), device.name().c_str());
  const bool wide = w.n >= int64_t(1) << 30;
  enum : int32_t { kCount, kStarts, kPass };
  OwnKernel kernel =
      kernels({format("tenon_own::sort_count<%s>", element), "tenon_own::sort_starts",
               format("tenon_own::sort_pass<%s, %s>", element, wide ? "tenon_own::u64" : "tenon_own::u32")});
  const auto step = [&](int32_t index) -> const OwnKernel& {
    kernel.index = index;
    return kernel;
  };
  const auto list = [&](Dtype of, int64_t count) { return list_of(device, of, count, stream); };
  const Ref<Array> starts = list(TENON_UINT32, w.rows * digits * kDigits), next = list(TENON_UINT32, 1),
                   states = list(wide ? TENON_UINT64 : TENON_UINT32, all_tiles * kDigits);
  fill(*starts, 0, 0, &stream);
  const int64_t blocks = blocks_for_row(device, tiles);
  launch_own(device, step(kCount), w.rows * blocks, kTileThreads, stream, w, blocks,
             static_cast<uint32_t*>(starts->data()));
  launch_own(device, step(kStarts), w.rows * digits, kTileThreads, stream, static_cast<uint32_t*>(starts->data()));
  SortPass pass{};
  pass.from = w.from;
  pass.order = w.order;
  pass.starts = static_cast<const uint32_t*>(starts->data());
  pass.states = states->data();
  pass.next = static_cast<uint32_t*>(next->data());
  pass.n = w.n, pass.tiles = tiles, pass.descending = w.descending;
  Ref<Array> elements[2], order[2];
  for (int32_t p = 0; p < passes; ++p) {
    const bool last = p + 1 == passes;
    if (!last && !elements[p % 2]) {
      elements[p % 2] = list(dtype, w.rows * w.n);
      if (w.indices) order[p % 2] = list(TENON_UINT32, w.rows * w.n);
    }
    pass.to = last ? w.values : elements[p % 2]->data();
    pass.to_order = last || !w.indices ? nullptr : static_cast<uint32_t*>(order[p % 2]->data());
    pass.indices = last ? w.indices : nullptr;
    pass.keep = last ? w.keep : w.n;
    pass.shift = 8 * p;
    fill(*states, 0, 0, &stream);
    fill(*next, 0, 0, &stream);
    launch_own(device, step(kPass), all_tiles, kTileThreads, stream, pass);
    pass.from = pass.to;
    pass.order = pass.to_order;
  }
}

// The same for the first few elements of long rows: the kernels of top.cu find them, then they are sorted.
void sort_first_by_kernels(Device& device, Dtype dtype, const SortWork& w, int32_t bits, Stream& stream) {
  const int64_t tiles = (w.n + kTileElements - 1) / kTileElements, blocks = blocks_for_row(device, tiles);
  if (w.n <= kTileElements || w.keep > w.n / 8 || w.n >= int64_t(1) << 32 || w.rows * tiles >= int64_t(1) << 31)
    return sort_by_kernels(device, dtype, w, bits, stream);
  const char* const element = element_name(dtype, "x");
  enum : int32_t { kCount, kChoose, kTiles, kTake };
  OwnKernel kernel{"tenon/top.cu",
                   {device::kOrderText, device::kBlockText, device::kTopKernels},
                   {format("tenon_own::top_count<%s>", element), "tenon_own::top_choose",
                    format("tenon_own::top_tiles<%s>", element), format("tenon_own::top_take<%s>", element)}};
  const auto step = [&](int32_t index) -> const OwnKernel& {
    kernel.index = index;
    return kernel;
  };
  const auto list = [&](Dtype of, int64_t count) { return list_of(device, of, count, stream); };
  const Ref<Array> elements = list(dtype, w.rows * w.keep), order = list(TENON_UINT32, w.rows * w.keep),
                   limit = list(TENON_UINT64, w.rows), left = list(TENON_UINT32, w.rows),
                   counts = list(TENON_UINT32, w.rows * kDigits), starts = list(TENON_INT64, w.rows * 2 * (tiles + 1));
  fill(*limit, 0, 0, &stream);
  fill(*left, double(w.keep), 0, &stream);
  fill(*counts, 0, 0, &stream);
  TopWork top{};
  top.from = w.from;
  top.elements = elements->data();
  top.order = static_cast<uint32_t*>(order->data());
  top.limit = static_cast<uint64_t*>(limit->data());
  top.left = static_cast<uint32_t*>(left->data());
  top.counts = static_cast<uint32_t*>(counts->data());
  top.starts = static_cast<int64_t*>(starts->data());
  top.rows = w.rows, top.n = w.n, top.keep = w.keep, top.tiles = tiles, top.descending = w.descending;
  for (int32_t shift = 8 * int32_t(dtype_bytes(dtype)) - 8; shift >= 0; shift -= 8) {
    launch_own(device, step(kCount), w.rows * blocks, kTileThreads, stream, top, blocks, shift);
    launch_own(device, step(kChoose), w.rows, kTileThreads, stream, top);
  }
  launch_own(device, step(kTiles), w.rows * tiles, kTileThreads, stream, top);
  launch_own(device, select_kernels(kSelectSum), 2 * w.rows, kTileThreads, stream, top.starts, tiles);
  launch_own(device, step(kTake), w.rows * tiles, kTileThreads, stream, top);
  SortWork found = w;
  found.from = top.elements;
  found.order = top.order;
  found.n = w.keep;
  sort_by_kernels(device, dtype, found, bits, stream);
}

struct Request {
  int32_t axis;
  int64_t keep;
  bool descending;
  int32_t bits = 64;  // those in which integers can differ, from the lowest
};

// Real numbers.
Sorted sort_real(const Array& x, const Request& r, Stream& stream, const Output& values, const Output& indices) {
  Device& device = stream.device();
  const Ref<Array> view = moved_last(x, r.axis);
  const int64_t n = x.rank() ? x.shape()[r.axis] : 1, rows = n ? x.size() / n : 0;
  Dims shape = x.shape(), row_shape = view->shape();
  if (x.rank()) shape[r.axis] = r.keep, row_shape[x.rank() - 1] = r.keep;
  return recorded_whole(stream, [&] {
    RowsOut v(values, x.dtype(), shape, row_shape, r.axis, stream, {{x, "x"}}),
        i(indices, TENON_INT64, shape, row_shape, r.axis, stream, {{x, "x"}});
    if (x.size() && r.keep) {
      const Ref<Array> from = contiguous(*view, stream);
      const SortWork w{from->data(),
                       v.rows ? v.rows->data() : nullptr,
                       i.rows ? static_cast<int64_t*>(i.rows->data()) : nullptr,
                       rows,
                       n,
                       r.keep,
                       r.descending,
                       nullptr};
      from->buffer().use(stream, false);
      if (v.rows) v.rows->buffer().use(stream, true);
      if (i.rows) i.rows->buffer().use(stream, true);
      if (!by_kernels(device))
        device.run_native("sort", [native = device.native(), dtype = x.dtype(), w] { native->sort(dtype, w); }, stream);
      else sort_first_by_kernels(device, x.dtype(), w, r.bits, stream);
      v.finish(stream);
      i.finish(stream);
    }
    return Sorted{v.result, i.result};
  });
}

// The real or imaginary parts, as a view.
Ref<Array> part_of(const Array& x, int which) {
  Dims strides = x.strides();
  for (int32_t d = 0; d < strides.size(); ++d) strides[d] *= 2;
  const Dtype real = dtype_real(x.dtype());
  return Array::view(Ref<Buffer>(&x.buffer()), real, x.shape(), strides,
                     x.byte_offset() + uint64_t(which) * dtype_bytes(real), true);
}

// The order when elements that `order` has sorted (NULL: not sorted yet) are sorted by `key`.
Ref<Array> sorted_further(const Array& key, Ref<Array> order, const Request& r, Stream& stream) {
  const Output none(nullptr, "", false), made;
  if (!order) return sort_real(key, r, stream, none, made).indices;
  const Array* index[] = {order.get()};
  const Ref<Array> now = take(key, index, {&r.axis, 1}, true, &stream, {});
  const Ref<Array> step = sort_real(*now, r, stream, none, made).indices;
  const Array* steps[] = {step.get()};
  return take(*order, steps, {&r.axis, 1}, true, &stream, {});
}

// 1 where a part is NaN, as uint8: compares its key with that of NaN, by a search.
Ref<Array> is_nan(const Array& part, Stream& stream) {
  Device& device = stream.device();
  const Ref<Array> nan = Array::create(device, part.dtype(), Dims{1}, stream);
  fill(*nan, __builtin_nan(""), 0, &stream);
  // NaN does not come before NaN: searched from the right, the result is 1 for NaN only
  return search_sorted(*nan, part, true, &stream, {});
}

// Sorted from the least to the most important key: the imaginary part, the real part, whether it is NaN. Only the last
// of these sorts may return fewer elements than it gets.
Sorted sort_complex(const Array& x, const Request& r, Stream& stream, const Output& values, const Output& indices) {
  Device& device = stream.device();
  Dims shape = x.shape();
  shape[r.axis] = r.keep;
  if (values.wanted()) values.check(x.dtype(), shape, device, {{x, "x"}});
  if (indices.wanted()) indices.check(TENON_INT64, shape, device, {{x, "x"}});
  const Ref<Array> re = part_of(x, 0), im = part_of(x, 1);
  const int64_t n = x.shape()[r.axis];
  const Request all{r.axis, n, r.descending};
  Ref<Array> order = sorted_further(*im, {}, all, stream);
  order = sorted_further(*re, order, all, stream);
  order = sorted_further(*is_nan(*im, stream), order, {r.axis, n, false}, stream);
  order = sorted_further(*is_nan(*re, stream), order, {r.axis, r.keep, false}, stream);
  Sorted out;
  const Array* index[] = {order.get()};
  if (values.wanted()) out.values = take(x, index, {&r.axis, 1}, true, &stream, values);
  if (indices.wanted()) out.indices = indices.deliver(order, stream);
  return out;
}

Sorted sort_by_dtype(const Array& x, const Request& r, Stream& stream, const Output& values, const Output& indices) {
  return dtype_complex(x.dtype()) && x.size() ? sort_complex(x, r, stream, values, indices)
                                              : sort_real(x, r, stream, values, indices);
}

}  // namespace

Sorted sort(const Array& x, int32_t axis, bool descending, Stream* given, const Output& values, const Output& indices) {
  TENON_REQUIRE(values.wanted() || indices.wanted(), TENON_ERROR_INVALID_ARGUMENT,
                "out_values and out_indices are both NULL: at least one result must be requested");
  const int32_t at = normal_axis(axis, x.rank());
  ordered_name(x.dtype(), "x");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  return sort_by_dtype(x, {at, x.shape()[at], descending}, stream, values, indices);
}

Sorted sort_bits(const Array& list, int32_t bits, Stream& stream) {
  return sort_real(list, {0, list.size(), false, bits}, stream, {}, {});
}

Sorted top_k(const Array& x, int64_t k, int32_t axis, bool smallest, Stream* given, const Output& values,
             const Output& indices) {
  TENON_REQUIRE(values.wanted() || indices.wanted(), TENON_ERROR_INVALID_ARGUMENT,
                "out_values and out_indices are both NULL: at least one result must be requested");
  const int32_t at = normal_axis(axis, x.rank());
  TENON_REQUIRE(k >= 0 && k <= x.shape()[at], TENON_ERROR_INVALID_ARGUMENT, "k is %lld, but axis %d has %lld elements",
                static_cast<long long>(k), at, static_cast<long long>(x.shape()[at]));
  ordered_name(x.dtype(), "x");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  return sort_by_dtype(x, {at, k, !smallest}, stream, values, indices);
}

Ref<Array> search_sorted(const Array& sorted, const Array& wanted, bool right, Stream* given, const Output& out) {
  TENON_REQUIRE(sorted.rank() == 1, TENON_ERROR_SHAPE, "sorted has %d axes: it must have one", sorted.rank());
  TENON_REQUIRE(sorted.dtype() == wanted.dtype(), TENON_ERROR_DTYPE,
                "sorted is %s but wanted is %s: convert one of them", dtype_name(sorted.dtype()).c_str(),
                dtype_name(wanted.dtype()).c_str());
  const char* const element = ordered_name(wanted.dtype(), "wanted");
  Stream& stream = stream_or_default(given, given ? given->device() : wanted.device());
  Device& device = stream.device();
  require_on(sorted, device, "sorted");
  require_on(wanted, device, "wanted");
  return recorded_whole(stream, [&] {
    const Ref<Array> result =
        open_plain(out, TENON_INT64, wanted.shape(), stream, {{sorted, "sorted"}, {wanted, "wanted"}});
    if (wanted.size() == 0) return out.deliver(result, stream);
    const Ref<Array> list = contiguous(sorted, stream), numbers = contiguous(wanted, stream);
    const SearchWork w{list->data(),  numbers->data(), static_cast<int64_t*>(result->data()),
                       sorted.size(), wanted.size(),   right};
    use({list.get(), numbers.get()}, {result.get()}, stream);
    if (!by_kernels(device))
      device.run_native(
          "search", [native = device.native(), dtype = wanted.dtype(), w] { native->search(dtype, w); }, stream);
    else if (w.n <= kSearchFew)
      launch_own(device,
                 {"tenon/search.cu",
                  {device::kOrderText, device::kSearchKernels},
                  {format("tenon_own::search_few<%s>", element)}},
                 striding_blocks(device, w.count), 256, stream, w);
    else launch_each(device, format("Search<%s>", element), "SearchWork", w, w.count, stream);
    return out.deliver(result, stream);
  });
}

namespace {

void run_unique(Device& device, const char* op, const UniqueWork& w, int64_t count, bool lengths, Stream& stream) {
  if (!by_kernels(device))
    device.run_native(op, [&] { (lengths ? device.native()->run_lengths : device.native()->run_numbers)(w); }, stream);
  else launch_each(device, op, "UniqueWork", w, count, stream);
}

// The first elements of the runs in a sorted array, by kernels; waits for their number.
Ref<Array> first_of_runs(const Array& x, const Array& sorted, bool nan_distinct, const char* element, Stream& stream,
                         const Output& out) {
  Device& device = stream.device();
  const int64_t tiles = (sorted.size() + kTileElements - 1) / kTileElements;
  const Ref<Array> counts = Array::create(device, TENON_INT64, Dims{tiles + 1}, stream);
  auto* const numbers = static_cast<int64_t*>(counts->data());
  const RunsWork w{sorted.data(), nullptr, sorted.size(), !nan_distinct};
  const auto kernel = [&](int32_t index) {
    return OwnKernel{"tenon/unique.cu",
                     {device::kOrderText, device::kBlockText, device::kUniqueKernels},
                     {format("tenon_own::runs_count<%s>", element), format("tenon_own::runs_write<%s>", element)},
                     index};
  };
  use({&sorted}, {counts.get()}, stream);
  launch_own(device, kernel(0), tiles, kTileThreads, stream, w, numbers);
  launch_own(device, select_kernels(kSelectSum), 1, kTileThreads, stream, numbers, tiles);
  int64_t runs = 0;
  to_host(*counts->with(Dims{1}, Dims{1}, tiles, false), &runs, sizeof runs, &stream);
  const Ref<Array> result = open_plain(out, x.dtype(), Dims{runs}, stream, {{x, "x"}});
  use({&sorted, counts.get()}, {result.get()}, stream);
  launch_own(device, kernel(1), tiles, kTileThreads, stream, w, static_cast<const int64_t*>(numbers), result->data());
  return out.deliver(result, stream);
}

}  // namespace

Unique unique(const Array& x, bool nan_distinct, Stream* given, const UniqueOutputs& out) {
  const bool is_complex = dtype_complex(x.dtype());
  const char* const element = ordered_name(x.dtype(), "x");
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  require_on(x, device, "x");
  require_running(stream, "the result's shape depends on the elements");
  const Ref<Array> flat = contiguous(x, stream)->reshape(Dims{x.size()});
  const bool placed = out.indices.wanted() || out.inverse.wanted();
  const Sorted sorted = sort(*flat, 0, false, &stream, {}, Output(nullptr, "", placed));
  if (by_kernels(device) && x.size() && !is_complex && !placed && !out.counts.wanted())
    return {first_of_runs(x, *sorted.values, nan_distinct, element, stream, out.values), {}, {}, {}};
  const Ref<Array> first = Array::create(device, TENON_BOOL, Dims{x.size()}, stream);
  if (x.size()) {
    const RunsWork w{sorted.values->data(), static_cast<uint8_t*>(first->data()), x.size(), !nan_distinct};
    use({sorted.values.get()}, {first.get()}, stream);
    if (!by_kernels(device)) device.run_native("runs", [&] { device.native()->runs(x.dtype(), w); }, stream);
    else launch_each(device, format("Runs<%s>", element), "RunsWork", w, w.count, stream);
  }
  const TrueElements found = find_true(first, stream, "the result's shape depends on the elements");
  const int64_t runs = found.count;
  // Everything is checked before the first result is written.
  out.values.check(x.dtype(), Dims{runs}, device, {{x, "x"}});
  out.indices.check(TENON_INT64, Dims{runs}, device, {{x, "x"}});
  out.inverse.check(TENON_INT64, x.shape(), device, {{x, "x"}});
  out.counts.check(TENON_INT64, Dims{runs}, device, {{x, "x"}});
  Unique result;
  result.values = true_elements(found, *sorted.values, stream, out.values);
  if (!placed && !out.counts.wanted()) return result;
  const Ref<Array> starts = Array::create(device, TENON_INT64, Dims{runs}, stream);
  write_places(found, *starts, stream);
  const Array* index[] = {starts.get()};
  const int32_t axis = 0;
  if (out.indices.wanted()) result.indices = take(*sorted.indices, index, {&axis, 1}, false, &stream, out.indices);
  const auto made = [&](const Output& wanted, Extents shape, const char* op, bool lengths) {
    const Ref<Array> plain = open_plain(wanted, TENON_INT64, shape, stream, {});
    if (plain->size()) {
      const UniqueWork w{static_cast<const int64_t*>(starts->data()),
                         lengths ? nullptr : static_cast<const int64_t*>(sorted.indices->data()),
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
  TENON_REQUIRE(n >= 0, TENON_ERROR_INVALID_ARGUMENT, "n is %lld: it must not be negative", static_cast<long long>(n));
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
