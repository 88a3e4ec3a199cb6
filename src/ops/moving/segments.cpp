// ops/moving/segments.cpp: reductions and scans of segments.
#include <tenon/compute.h>
#include <bit>
#include "device/texts.hpp"
#include "ops/checks.hpp"
#include "ops/compute/compute.hpp"
#include "ops/moving/segments.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"
#include "ops/moving/rows.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;
using functions::Function;

constexpr const char* kSegmentKinds[] = {"kSegmentSum", "kSegmentProduct", "kSegmentLeast", "kSegmentMost",
                                         "kSegmentLogSum"};

int kind_of_function(const Function& f) {
  switch (f.code) {
    case TENON_FN_SUM:
    case TENON_FN_CUMULATIVE_SUM: return kSegmentSum;
    case TENON_FN_PROD:
    case TENON_FN_CUMULATIVE_PROD: return kSegmentProduct;
    case TENON_FN_MIN:
    case TENON_FN_CUMULATIVE_MIN: return kSegmentLeast;
    case TENON_FN_MAX:
    case TENON_FN_CUMULATIVE_MAX: return kSegmentMost;
    case TENON_FN_LOGSUMEXP:
    case TENON_FN_CUMULATIVE_LOGSUMEXP: return kSegmentLogSum;
    default:
      fail(TENON_ERROR_INVALID_ARGUMENT, "%s of segments is not available: sum, prod, min, max and logsumexp are",
           f.name);
  }
}

// Throws unless there is a kernel for the dtype.
void require_kernel(const Function& f, int kind, Dtype dtype) {
  number_name(dtype, "x");
  TENON_REQUIRE(!dtype_complex(dtype) || kind != kSegmentLogSum, TENON_ERROR_DTYPE,
                "%s of segments is not defined for %s: of complex numbers there are sum, prod, min and max", f.name,
                dtype_name(dtype).c_str());
}

// Bytes of an accumulator (device/segment.cuh).
int64_t sum_bytes(int kind, Dtype dtype) {
  if (kind == kSegmentLeast || kind == kSegmentMost) return dtype_bytes(dtype);
  return kind == kSegmentLogSum || dtype_complex(dtype) ? 16 : 8;
}

int64_t tile_of(Dtype dtype) {
  const uint32_t bytes = dtype_bytes(dtype);
  return bytes <= 4 ? kSegmentTile4 : bytes == 8 ? kSegmentTile8 : kSegmentTile16;
}

std::string operation_name(int kind, Dtype dtype) {
  return format("tenon_own::SegmentOp<tenon_own::%s, %s>", kSegmentKinds[kind], number_name(dtype, "x"));
}

OwnKernel segment_kernel(std::vector<std::string> names) {
  for (std::string& name : names) name = "tenon_own::" + name;
  return {"tenon/segment.cu",
          {device::kRandomText, device::kOrderText, device::kIndexText, device::kWideText, device::kSegmentText,
           device::kSegmentKernels},
          std::move(names)};
}

void require_list(const Array& segments, const char* what) {
  TENON_REQUIRE(segments.rank() == 1, TENON_ERROR_SHAPE, "segments has %d axes: %s have one", segments.rank(), what);
}

void require_integers(const Array& segments, const char* what) {
  TENON_REQUIRE(functions::kind_of(segments.dtype()) == 'i' || functions::kind_of(segments.dtype()) == 'u',
                TENON_ERROR_DTYPE, "segments is %s: %s are integers", dtype_name(segments.dtype()).c_str(), what);
}

void require_length(const Array& segments, int64_t n, const char* what) {
  require_list(segments, what);
  TENON_REQUIRE(segments.size() == n, TENON_ERROR_SHAPE, "segments has %lld elements, but x has %lld along the axis",
                static_cast<long long>(segments.size()), static_cast<long long>(n));
}

[[noreturn]] void fail_for_offset(int64_t at, int64_t n) {
  fail(TENON_ERROR_INVALID_ARGUMENT,
       "segments decreases or leaves the array at [%lld]: offsets never decrease and lie in [0, %lld], the extent of x "
       "along the axis",
       static_cast<long long>(at), static_cast<long long>(n));
}

// On a device that runs kernels; elsewhere the work checks them itself.
void check_by_kernels(Checks& checks, const Array& offsets, int64_t n, Stream& stream) {
  if (stream.recording()) return;
  tenon_finding* const bad = checks.place([n](int64_t at) { fail_for_offset(at, n); });
  use({&offsets}, {}, stream);
  launch_own(stream.device(), segment_kernel({"check_offsets<tenon_own::i64>"}),
             striding_blocks(stream.device(), offsets.size()), 256, stream, static_cast<const int64_t*>(offsets.data()),
             int64_t(offsets.size()), n, int32_t(0), bad);
}

void check_natively(const Native& native, const int64_t* offsets, int64_t count, int64_t n) {
  const int64_t bad = native.bad_offset(offsets, count, n);
  if (bad >= 0) fail_for_offset(bad, n);
}

// x as C-ordered rows of that dtype.
Ref<Array> axis_rows(const Array& x, int32_t axis, Dtype dtype, Stream& stream) {
  return contiguous(*moved_last(x, axis), dtype, stream);
}

SegmentWork work_of(const Array& rows, int64_t n, Dtype dtype) {
  SegmentWork w{};
  w.x = rows.data();
  w.n = n;
  w.rows = n ? rows.size() / n : 0;
  w.tiles = (n + tile_of(dtype) - 1) / tile_of(dtype);
  return w;
}

// The kernels `names` for the operation. Each works on all tiles of all rows.
OwnKernel tile_kernels(int kind, Dtype dtype, const SegmentWork& w, const Device& device,
                       std::vector<std::string> names) {
  TENON_REQUIRE(w.rows * w.tiles < int64_t(1) << 31, TENON_ERROR_UNSUPPORTED,
                "%lld rows of %lld elements are too many for one call on %s: pass parts of them",
                static_cast<long long>(w.rows), static_cast<long long>(w.n), device.name().c_str());
  for (std::string& name : names) name += "<" + operation_name(kind, dtype) + ">";
  return segment_kernel(std::move(names));
}

// Memory for `bytes` of each tile, which lives until the work on the stream is over.
Ref<Array> per_tile(const SegmentWork& w, int64_t bytes, Stream& stream) {
  const Ref<Array> memory = Array::create(stream.device(), TENON_UINT8, Dims{w.rows * w.tiles * bytes}, stream);
  use({}, {memory.get()}, stream);
  return memory;
}

void reduce_by_kernels(int kind, Dtype dtype, SegmentWork w, Stream& stream) {
  Device& device = stream.device();
  OwnKernel kernel = tile_kernels(kind, dtype, w, device, {"segment_fill", "segment_tiles", "segment_joins"});
  launch_own(device, kernel, striding_blocks(device, w.rows * w.count), 256, stream, w);
  if (w.rows * w.tiles == 0) return;
  const int64_t bytes = sum_bytes(kind, dtype);
  const Ref<Array> first = per_tile(w, bytes, stream), last = per_tile(w, bytes, stream);
  w.first = first->data(), w.last = last->data();
  for (kernel.index = 1; kernel.index < 3; ++kernel.index)
    if (kernel.index < 2 || w.tiles > 1) launch_own(device, kernel, w.rows * w.tiles, kTileThreads, stream, w);
}

void scan_by_kernels(int kind, Dtype dtype, SegmentWork w, Stream& stream) {
  Device& device = stream.device();
  OwnKernel kernel = tile_kernels(kind, dtype, w, device, {"segment_ends", "segment_carries", "segment_scan"});
  const Ref<Array> first = per_tile(w, sum_bytes(kind, dtype), stream), flags = per_tile(w, 1, stream);
  w.first = first->data(), w.flags = static_cast<uint8_t*>(flags->data());
  for (kernel.index = 0; kernel.index < 3; ++kernel.index)
    launch_own(device, kernel, kernel.index == 1 ? w.rows : w.rows * w.tiles, kTileThreads, stream, w);
}

// Marks of the elements with which a segment begins, C-ordered bytes.
Ref<Array> heads_of(const Array& segments, int32_t how, int64_t n, Stream& stream) {
  Device& device = stream.device();
  if (how == TENON_SEGMENTS_FLAGS) return contiguous(segments, TENON_BOOL, stream);
  const Ref<Array> heads = Array::create(device, TENON_BOOL, Dims{n}, stream);
  if (n == 0) return heads;
  const Ref<Array> keys = contiguous(segments, stream);
  const RunsWork w{keys->data(), static_cast<uint8_t*>(heads->data()), n, 1};
  use({keys.get()}, {heads.get()}, stream);
  const Dtype dtype = segments.dtype();
  if (!by_kernels(device))
    device.run_native("runs", [native = device.native(), dtype, w] { native->runs(dtype, w); }, stream);
  else launch_each(device, format("Runs<%s>", element_name(dtype, "segments")), "RunsWork", w, n, stream);
  return heads;
}

// The same of offsets, which are checked first.
Ref<Array> heads_of_offsets(Checks& checks, const Array& segments, int64_t n, Stream& stream) {
  Device& device = stream.device();
  const Ref<Array> offsets = contiguous(segments, TENON_INT64, stream),
                   heads = Array::create(device, TENON_BOOL, Dims{n}, stream);
  fill(*heads, 0, 0, &stream);
  const HeadsWork w{static_cast<const int64_t*>(offsets->data()), static_cast<uint8_t*>(heads->data()), n};
  const int64_t count = offsets->size();
  if (!by_kernels(device)) {
    use({offsets.get()}, {heads.get()}, stream);
    device.run_native(
        "segments",
        [native = device.native(), w, count] {
          check_natively(*native, w.offsets, count, w.n);
          for (int64_t s = 0; s < count; ++s)
            if (w.offsets[s] < w.n) w.heads[w.offsets[s]] = 1;
        },
        stream);
    return heads;
  }
  check_by_kernels(checks, *offsets, n, stream);
  use({offsets.get()}, {heads.get()}, stream);
  OwnKernel kernel = segment_kernel({"each<tenon_own::Heads, tenon_own::HeadsWork>"});
  kernel.texts[5] = device::kBlockText;
  launch_own(device, kernel, striding_blocks(device, count), 256, stream, w, count);
  return heads;
}

void require_marks(const Array& segments, int32_t how, int64_t n) {
  require_length(segments, n, how == TENON_SEGMENTS_FLAGS ? "flags" : "keys");
  if (how == TENON_SEGMENTS_KEYS) element_name(segments.dtype(), "segments");
  else
    TENON_REQUIRE(functions::kind_of(segments.dtype()), TENON_ERROR_DTYPE, "segments is %s, which has no truth value",
                  dtype_name(segments.dtype()).c_str());
}

Stream& stream_of(Stream* given, const Array& x, const Array& segments) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  require_on(segments, stream.device(), "segments");
  return stream;
}

// x ordered by the numbers of segments, and the offsets of these.
struct Grouped {
  Ref<Array> x, offsets;
};

// For kernels: the numbers as uint32, and `count` for those that name no segment, so that only the bits of `count` are
// sorted.
Ref<Array> small_keys(const Array& numbers, int64_t count, Stream& stream) {
  Device& device = stream.device();
  const Ref<Array> given = contiguous(numbers, stream),
                   keys = Array::create(device, TENON_UINT32, numbers.shape(), stream);
  if (numbers.size() == 0) return keys;
  use({given.get()}, {keys.get()}, stream);
  launch_own(device, segment_kernel({format("segment_keys<%s>", element_name(numbers.dtype(), "segments"))}),
             striding_blocks(device, numbers.size()), 256, stream, static_cast<const void*>(given->data()),
             static_cast<uint32_t*>(keys->data()), int64_t(numbers.size()), count);
  return keys;
}

Sorted sorted_numbers(const Array& numbers, int64_t count, Stream& stream) {
  if (count <= INT32_MAX)
    return sort_bits(*small_keys(numbers, count, stream), int32_t(std::bit_width(uint64_t(count))), stream);
  return sort(*contiguous(numbers, TENON_INT64, stream), 0, false, &stream, {}, {});
}

Grouped grouped(const Array& x, int32_t axis, const Array& numbers, int64_t count, Stream& stream) {
  const Sorted sorted = sorted_numbers(numbers, count, stream);
  tenon_range_options from_zero{};
  from_zero.integer_step = 1;
  const Ref<Array> places = range(stream.device(), sorted.values->dtype(), count + 1, from_zero, &stream, {});
  const Array* order[] = {sorted.indices.get()};
  return {take(x, order, {&axis, 1}, false, &stream, {}), search_sorted(*sorted.values, *places, false, &stream, {})};
}

// On the CPU, by the numbers as they are: sorting them would take most of the time.
Ref<Array> reduce_numbered(int kind, Dtype dtype, const Array& x, int32_t axis, const Array& segments,
                           const Dims& shape, Stream& stream, const Output& out) {
  const Ref<Array> elements = contiguous(x, dtype, stream), numbers = contiguous(segments, TENON_INT64, stream),
                   result = open_plain(out, dtype, shape, stream, {{x, "x"}, {segments, "segments"}});
  if (result->size()) {
    NumberedWork w{elements->data(), static_cast<const int64_t*>(numbers->data()), result->data(), 1, 0, 1, 0};
    for (int32_t d = 0; d < axis; ++d) w.outer *= x.shape()[d];
    for (int32_t d = axis + 1; d < x.rank(); ++d) w.inner *= x.shape()[d];
    w.n = x.shape()[axis], w.count = shape[axis];
    use({elements.get(), numbers.get()}, {result.get()}, stream);
    stream.device().run_native(
        "segments",
        [native = stream.device().native(), w, kind, dtype] { native->segment_reduce_numbered(kind, dtype, w); },
        stream);
  }
  return out.deliver(result, stream);
}

}  // namespace

Ref<Array> segment_reduce(const Function& f, const Array& x, const Array& segments, const SegmentOptions& options,
                          Stream* given, const Output& out) {
  const int kind = kind_of_function(f);
  TENON_REQUIRE(x.rank() > 0, TENON_ERROR_SHAPE, "x has no axes: segments need one");
  const int32_t axis = normal_axis(options.axis, x.rank());
  const int64_t n = x.shape()[axis];
  const bool numbers = options.segments == TENON_SEGMENTS_NUMBERS;
  TENON_REQUIRE(numbers || options.segments == TENON_SEGMENTS_OFFSETS, TENON_ERROR_INVALID_ARGUMENT,
                "options->segments is %d: reductions take TENON_SEGMENTS_OFFSETS or NUMBERS; tenon_segment_offsets "
                "makes offsets of flags and keys",
                options.segments);
  const char* const what = numbers ? "numbers" : "offsets";
  require_list(segments, what);
  require_integers(segments, what);
  if (numbers) require_length(segments, n, what);
  TENON_REQUIRE(numbers || segments.size() > 0, TENON_ERROR_SHAPE,
                "segments is empty: it needs one offset more than there are segments");
  TENON_REQUIRE(numbers ? options.count >= 0 : options.count == 0, TENON_ERROR_INVALID_ARGUMENT,
                "options->count is %lld: it is the number of segments for TENON_SEGMENTS_NUMBERS, else 0",
                static_cast<long long>(options.count));
  TENON_REQUIRE(options.count <= int64_t(1) << 62, TENON_ERROR_OVERFLOW, "options->count, %lld, is more than 2^62",
                static_cast<long long>(options.count));
  const Dtype dtype = reduce_dtypes(f, x.dtype(), options.dtype).result;
  require_kernel(f, kind, dtype);
  Stream& stream = stream_of(given, x, segments);
  Device& device = stream.device();
  const int64_t count = numbers ? options.count : segments.size() - 1;
  Dims shape = x.shape(), row_shape = moved_last(x, axis)->shape();
  shape[axis] = row_shape[x.rank() - 1] = count;
  out.check(dtype, shape, device, {{x, "x"}, {segments, "segments"}});
  return recorded_whole(stream, [&] {
    if (numbers && !by_kernels(device)) return reduce_numbered(kind, dtype, x, axis, segments, shape, stream, out);
    Grouped parts;
    if (numbers) parts = grouped(x, axis, segments, count, stream);
    else parts.offsets = contiguous(segments, TENON_INT64, stream);
    const Ref<Array> rows = axis_rows(numbers ? *parts.x : x, axis, dtype, stream);
    RowsOut result(out, dtype, shape, row_shape, axis, stream, {{x, "x"}, {segments, "segments"}});
    SegmentWork w = work_of(*rows, n, dtype);
    if (n == 0) w.rows = count ? result.result->size() / count : 0;
    w.offsets = static_cast<const int64_t*>(parts.offsets->data());
    w.count = count;
    w.to = result.rows->data();
    Checks checks(stream, true);
    if (by_kernels(device) && !numbers) {
      check_by_kernels(checks, *parts.offsets, n, stream);
      checks.settle_unless_deferred();
    }
    if (result.result->size()) {
      use({rows.get(), parts.offsets.get()}, {result.rows.get()}, stream);
      if (by_kernels(device)) reduce_by_kernels(kind, dtype, w, stream);
      else
        device.run_native(
            "segments",
            [native = device.native(), w, kind, dtype] {
              check_natively(*native, w.offsets, w.count + 1, w.n);
              native->segment_reduce(kind, dtype, w);
            },
            stream);
      result.finish(stream);
    }
    checks.defer();
    return result.result;
  });
}

Ref<Array> segment_scan(const Function& f, const Array& x, const Array& segments, const SegmentOptions& options,
                        Stream* given, const Output& out) {
  const int kind = kind_of_function(f);
  TENON_REQUIRE(x.rank() > 0, TENON_ERROR_SHAPE, "x has no axes: segments need one");
  const int32_t axis = normal_axis(options.axis, x.rank());
  const int64_t n = x.shape()[axis];
  TENON_REQUIRE(options.segments >= TENON_SEGMENTS_OFFSETS && options.segments <= TENON_SEGMENTS_KEYS,
                TENON_ERROR_INVALID_ARGUMENT,
                "options->segments is %d: scans take TENON_SEGMENTS_OFFSETS, FLAGS or KEYS", options.segments);
  TENON_REQUIRE(options.count == 0, TENON_ERROR_INVALID_ARGUMENT, "options->count is %lld: scans do not use it",
                static_cast<long long>(options.count));
  const bool offsets = options.segments == TENON_SEGMENTS_OFFSETS;
  if (offsets) require_list(segments, "offsets"), require_integers(segments, "offsets");
  else require_marks(segments, options.segments, n);
  const Dtype dtype = scan_dtypes(f, x.dtype(), options.dtype).result;
  require_kernel(f, kind, dtype);
  Stream& stream = stream_of(given, x, segments);
  Device& device = stream.device();
  const bool same = dtype == x.dtype();
  out.check(dtype, x.shape(), device, {{x, "x", same}, {segments, "segments"}});
  return recorded_whole(stream, [&] {
    Checks checks(stream, true);
    const Ref<Array> heads =
        offsets ? heads_of_offsets(checks, segments, n, stream) : heads_of(segments, options.segments, n, stream);
    if (offsets) checks.settle_unless_deferred();
    const Ref<Array> rows = axis_rows(x, axis, dtype, stream);
    RowsOut result(out, dtype, x.shape(), moved_last(x, axis)->shape(), axis, stream,
                   {{x, "x", same}, {segments, "segments"}});
    SegmentWork w = work_of(*rows, n, dtype);
    w.heads = static_cast<const uint8_t*>(heads->data());
    w.to = result.rows->data();
    w.exclusive = options.exclusive;
    if (x.size()) {
      use({rows.get(), heads.get()}, {result.rows.get()}, stream);
      if (by_kernels(device)) scan_by_kernels(kind, dtype, w, stream);
      else
        device.run_native(
            "segments", [native = device.native(), w, kind, dtype] { native->segment_scan(kind, dtype, w); }, stream);
      result.finish(stream);
    }
    checks.defer();
    return result.result;
  });
}

Ref<Array> segment_offsets(const Array& segments, const SegmentOptions& options, Stream* given, const Output& out) {
  const bool flags = options.segments == TENON_SEGMENTS_FLAGS;
  TENON_REQUIRE(flags || options.segments == TENON_SEGMENTS_KEYS, TENON_ERROR_INVALID_ARGUMENT,
                "options->segments is %d: offsets are made of TENON_SEGMENTS_FLAGS or KEYS", options.segments);
  require_list(segments, flags ? "flags" : "keys");
  const int64_t n = segments.size();
  require_marks(segments, options.segments, n);
  Stream& stream = stream_of(given, segments, segments);
  Device& device = stream.device();
  require_running(stream, "the number of segments depends on the elements");
  Ref<Array> heads = heads_of(segments, options.segments, n, stream);
  if (flags && n) {
    Ref<Array> own = Array::create(device, TENON_BOOL, Dims{n}, stream);
    copy(*own, *heads, &stream);
    fill(*own->with(Dims{1}, Dims{1}, 0, false), 1, 0, &stream);
    heads = own;
  }
  const TrueElements found = find_true(heads, stream, "the number of segments depends on the elements");
  const Ref<Array> result = open_plain(out, TENON_INT64, Dims{found.count + 1}, stream, {{segments, "segments"}});
  write_places(found, *result->with(Dims{found.count}, Dims{1}, 0, false), stream);
  fill(*result->with(Dims{1}, Dims{1}, found.count, false), double(n), 0, &stream);
  return out.deliver(result, stream);
}

}  // namespace tenon::ops
