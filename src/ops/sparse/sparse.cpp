// ops/sparse/sparse.cpp: sparse matrices: conversions by sorting keys, transposition, products.
#include "ops/sparse/sparse.hpp"
#include <tenon/compute.h>
#include <cstring>
#include "core/device/backend.hpp"
#include "core/problem/problem.hpp"
#include "device/texts.hpp"
#include "ops/checks.hpp"
#include "ops/compute/compute.hpp"
#include "ops/moving/segments.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

const char* index_type_name(Dtype dtype) { return dtype == TENON_INT32 ? "tenon_own::i32" : "tenon_own::i64"; }

OwnKernel sparse_kernel(std::string name) {
  return {"tenon/sparse.cu",
          {device::kOrderText, device::kWideText, device::kSparseText, device::kBlockText, device::kSparseKernels},
          {"tenon_own::" + std::move(name)}};
}

// An operation of sparse.cuh for i below count, enqueued on the stream, which use() has ordered. native: its name for
// Native::sparse; types: its template arguments.
void run_each(const char* name, const char* native, const std::string& types, Dtype values, Dtype indices,
              const SparseWork& w, int64_t count, Stream& stream) {
  if (count == 0) return;
  Device& device = stream.device();
  if (!by_kernels(device)) {
    device.run_native(
        "sparse",
        [table = device.native(), native, values, indices, w, count] {
          table->sparse(native, values, indices, w, count);
        },
        stream);
    return;
  }
  launch_own(device, sparse_kernel(format("each<tenon_own::%s<%s>, tenon_own::SparseWork>", name, types.c_str())),
             striding_blocks(device, count), 256, stream, w, count);
}

// Of keys of 32 or 64 bits.
void run_keys(const char* name, const char* native32, const char* native64, bool wide, Dtype indices,
              const SparseWork& w, int64_t count, Stream& stream) {
  run_each(name, wide ? native64 : native32,
           format("%s, %s", index_type_name(indices), wide ? "tenon_own::u64" : "tenon_own::u32"), 0, indices, w, count,
           stream);
}

void require_indices(const Array& x, const char* what, Dtype same) {
  TENON_REQUIRE(x.dtype() == TENON_INT32 || x.dtype() == TENON_INT64, TENON_ERROR_DTYPE,
                "%s is %s: indices of sparse matrices are int32 or int64", what, dtype_name(x.dtype()).c_str());
  TENON_REQUIRE(x.dtype() == same, TENON_ERROR_DTYPE, "%s is %s, but the other indices are %s: convert one of them",
                what, dtype_name(x.dtype()).c_str(), dtype_name(same).c_str());
  TENON_REQUIRE(x.rank() == 1, TENON_ERROR_SHAPE, "%s has %d axes: it must have one", what, x.rank());
}

void require_values(const Array& values, int64_t count) {
  number_name(values.dtype(), "values");
  TENON_REQUIRE(values.rank() == 1, TENON_ERROR_SHAPE, "values has %d axes: it must have one", values.rank());
  TENON_REQUIRE(values.size() == count, TENON_ERROR_SHAPE, "values has %lld elements, but there are %lld indices",
                static_cast<long long>(values.size()), static_cast<long long>(count));
}

void require_extents(int64_t rows, int64_t columns) {
  TENON_REQUIRE(rows >= 0 && columns >= 0, TENON_ERROR_INVALID_ARGUMENT,
                "the matrix has %lld rows and %lld columns: neither may be negative", static_cast<long long>(rows),
                static_cast<long long>(columns));
  constexpr int64_t kMost = int64_t(1) << 62;  // leaves room for one offset more
  TENON_REQUIRE(rows <= kMost && columns <= kMost, TENON_ERROR_OVERFLOW,
                "%lld rows and %lld columns are more than 2^62", static_cast<long long>(rows),
                static_cast<long long>(columns));
}

// The numbers up to `most` fit the dtype.
void require_fits(int64_t most, Dtype dtype, const char* what) {
  TENON_REQUIRE(dtype == TENON_INT64 || most <= 0x7fffffff, TENON_ERROR_OVERFLOW,
                "%lld %s are more than int32 can count: use int64 indices", static_cast<long long>(most), what);
}

Stream& stream_for_all(std::initializer_list<Input> arrays, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : arrays.begin()->array.device());
  for (const Input& input : arrays) require_on(input.array, stream.device(), input.name);
  return stream;
}

[[noreturn]] void fail_for_index(const char* what, int64_t at, int64_t limit) {
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s[%lld] is out of range: it must lie in [0, %lld)", what,
       static_cast<long long>(at), static_cast<long long>(limit));
}
[[noreturn]] void fail_for_row_offset(int64_t at, int64_t count) {
  fail(TENON_ERROR_INVALID_ARGUMENT,
       "offsets[%lld] is wrong: offsets begin with 0, never decrease and end with the number of elements, %lld",
       static_cast<long long>(at), static_cast<long long>(count));
}

// The check of an index array by kernels; `offsets` in [0, limit], else columns in [0, limit).
void check_by_kernels(Checks& checks, const Array& index, int64_t limit, const char* what, bool offsets,
                      Stream& stream) {
  if (index.size() == 0 || stream.recording()) return;
  Device& device = stream.device();
  tenon_finding* const bad = checks.place([=](int64_t at) {
    if (offsets) fail_for_row_offset(at, limit);
    fail_for_index(what, at, limit);
  });
  use({&index}, {}, stream);
  const int64_t count = index.size(), blocks = striding_blocks(device, count);
  const char* const type = index_type_name(index.dtype());
  const void* const data = index.data();
  if (!offsets)
    return launch_own(device, sparse_kernel(format("check_columns<%s>", type)), blocks, 256, stream, data, count, limit,
                      bad);
  const OwnKernel kernel{"tenon/segment.cu",
                         {device::kRandomText, device::kOrderText, device::kIndexText, device::kWideText,
                          device::kSegmentText, device::kSegmentKernels},
                         {format("tenon_own::check_offsets<%s>", type)}};
  launch_own(device, kernel, blocks, 256, stream, data, count, limit, int32_t(1), bad);
}

// The same by the CPU's code.
void check_natively(const Native& native, SparseWork w, Dtype indices, const char* what) {
  int64_t found[2];
  w.to = found;
  native.sparse("check", 0, indices, w, 0);
  if (found[0] >= 0) fail_for_row_offset(found[0], w.elements);
  if (found[1] >= 0) fail_for_index(what, found[1], w.columns);
}

// A CSR matrix in the form that the work needs, checked unless it is trusted.
struct OpenCsr {
  Ref<Array> offsets, indices, values;
  SparseWork work{};
  Dtype index;

  OpenCsr(const CsrMatrix& a, Checks& checks, Stream& stream) : index(a.offsets.dtype()) {
    Device& device = stream.device();
    offsets = contiguous(a.offsets, stream), indices = contiguous(a.indices, stream);
    values = contiguous(a.values, stream);
    work.offsets = offsets->data(), work.indices = indices->data(), work.values = values->data();
    work.rows = offsets->size() - 1, work.columns = a.columns, work.elements = indices->size(), work.width = 1;
    if (a.trusted) return;
    if (by_kernels(device)) {
      check_by_kernels(checks, *offsets, work.elements, "offsets", true, stream);
      check_by_kernels(checks, *indices, work.columns, "indices", false, stream);
      checks.settle_unless_deferred();
      return;
    }
    use({offsets.get(), indices.get()}, {}, stream);
    device.run_native(
        "sparse", [native = device.native(), w = work, index = index] { check_natively(*native, w, index, "indices"); },
        stream);
  }
  void read(Stream& stream) const { use({offsets.get(), indices.get(), values.get()}, {}, stream); }
};

void require_csr(const CsrMatrix& a) {
  require_indices(a.offsets, "offsets", a.offsets.dtype());
  require_indices(a.indices, "indices", a.offsets.dtype());
  TENON_REQUIRE(a.offsets.size() > 0, TENON_ERROR_SHAPE,
                "offsets is empty: it has one element more than the matrix rows");
  require_values(a.values, a.indices.size());
  require_extents(a.offsets.size() - 1, a.columns);
}

// An output of the matrix, which is written where it is C-ordered.
struct PlainOut {
  const Output& out;
  Ref<Array> array;
  PlainOut(const Output& out, Dtype dtype, Extents shape, Stream& stream, std::initializer_list<Input> inputs)
      : out(out), array(open_plain(out, dtype, shape, stream, inputs)) {}
  Ref<Array> done(Stream& stream) const { return out.deliver(array, stream); }
};

Ref<Array> taken(const Array& x, const Array& places, Stream& stream, const Output& out = {}) {
  const Array* index[] = {&places};
  const int32_t axis = 0;
  return take(x, index, {&axis, 1}, false, &stream, out);
}

// Sorted keys, and the values in their order, with those of equal keys added up.
struct Merged {
  Ref<Array> keys, values;
};
Merged merged(const Array& keys, const Array& values, Stream& stream) {
  const Sorted sorted = sort(keys, 0, false, &stream, {}, {});
  const Ref<Array> ordered = taken(values, *sorted.indices, stream);
  SegmentOptions options;
  options.segments = TENON_SEGMENTS_KEYS;
  const Ref<Array> offsets = segment_offsets(*sorted.values, options, &stream);
  const int64_t count = offsets->size() - 1;
  if (count == keys.size()) return {sorted.values, ordered};
  const Ref<Array> starts = offsets->with(Dims{count}, Dims{1}, 0, true);
  options.segments = TENON_SEGMENTS_OFFSETS;
  const Dtype dtype = values.dtype();
  options.dtype = dtype;
  const bool truth = dtype == TENON_BOOL;
  if (truth) options.dtype = 0;
  const functions::Function& f = *functions::find(truth ? TENON_FN_MAX : TENON_FN_SUM);
  return {taken(*sorted.values, *starts, stream), segment_reduce(f, *ordered, *offsets, options, &stream)};
}

void copy_out(const Array& from, const Ref<Array>& to, Stream& stream) {
  if (to->size()) copy(*to, from, &stream);
}

}  // namespace

Csr csr_from_coo(int64_t rows, int64_t columns, const Array& row, const Array& column, const Array& values,
                 bool trusted, Stream* given, const CsrOutputs& out) {
  require_extents(rows, columns);
  const Dtype index = row.dtype();
  require_indices(row, "row", index);
  require_indices(column, "column", index);
  TENON_REQUIRE(row.size() == column.size(), TENON_ERROR_SHAPE, "row has %lld elements, but column has %lld",
                static_cast<long long>(row.size()), static_cast<long long>(column.size()));
  require_values(values, row.size());
  require_fits(std::max(rows, columns), index, "rows or columns");
  require_fits(row.size(), index, "elements");
  int64_t places;
  TENON_REQUIRE(!__builtin_mul_overflow(rows, columns, &places), TENON_ERROR_OVERFLOW,
                "%lld rows times %lld columns is more than 2^63", static_cast<long long>(rows),
                static_cast<long long>(columns));
  Stream& stream = stream_for_all({{row, "row"}, {column, "column"}, {values, "values"}}, given);
  Device& device = stream.device();
  require_running(stream, "the number of elements in different places depends on the indices");
  const Ref<Array> r = contiguous(row, stream), c = contiguous(column, stream);
  SparseWork w{};
  w.other = r->data(), w.indices = c->data();
  w.rows = rows, w.columns = columns, w.elements = row.size();
  if (!trusted && by_kernels(device)) {
    Checks checks(stream);
    check_by_kernels(checks, *r, rows, "row", false, stream);
    check_by_kernels(checks, *c, columns, "column", false, stream);
    checks.settle();
  } else if (!trusted) {
    use({r.get(), c.get()}, {}, stream);
    SparseWork of_row = w;
    of_row.indices = w.other, of_row.columns = rows;
    check_natively(*device.native(), of_row, index, "row");
    check_natively(*device.native(), w, index, "column");
  }
  const bool wide = places > int64_t(1) << 32;
  const Ref<Array> keys = Array::create(device, wide ? TENON_UINT64 : TENON_UINT32, Dims{row.size()}, stream);
  w.to = keys->data();
  use({r.get(), c.get()}, {keys.get()}, stream);
  run_keys("CooKeys", "CooKeys32", "CooKeys64", wide, index, w, row.size(), stream);
  const Merged found = merged(*keys, values, stream);
  const int64_t count = found.keys->size();
  const std::initializer_list<Input> inputs = {{row, "row"}, {column, "column"}, {values, "values"}};
  out.offsets.check(index, Dims{rows + 1}, device, inputs);
  out.columns.check(index, Dims{count}, device, inputs);
  out.values.check(values.dtype(), Dims{count}, device, inputs);
  const PlainOut o(out.offsets, index, Dims{rows + 1}, stream, {}), i(out.columns, index, Dims{count}, stream, {}),
      v(out.values, values.dtype(), Dims{count}, stream, {});
  w.other = found.keys->data(), w.elements = count;
  use({found.keys.get()}, {o.array.get(), i.array.get()}, stream);
  w.to = i.array->data();
  run_keys("KeyColumns", "KeyColumns32", "KeyColumns64", wide, index, w, count, stream);
  w.to = o.array->data();
  run_keys("KeyOffsets", "KeyOffsets32", "KeyOffsets64", wide, index, w, rows + 1, stream);
  copy_out(*found.values, v.array, stream);
  return {o.done(stream), i.done(stream), v.done(stream)};
}

Csr csr_from_dense(const Array& x, Dtype index_dtype, Stream* given, const CsrOutputs& out) {
  TENON_REQUIRE(x.rank() == 2, TENON_ERROR_SHAPE, "x has %d axes: a matrix has two", x.rank());
  TENON_REQUIRE(index_dtype == 0 || index_dtype == TENON_INT32 || index_dtype == TENON_INT64, TENON_ERROR_DTYPE,
                "options->index_dtype is 0x%x: it must be int32, int64 or 0", index_dtype);
  number_name(x.dtype(), "values");
  const int64_t rows = x.shape()[0], columns = x.shape()[1];
  Stream& stream = stream_for_all({{x, "x"}}, given);
  Device& device = stream.device();
  require_running(stream, "the number of elements depends on their values");
  const Ref<Array> dense = contiguous(x, stream);
  const Ref<Array> mask = convert(*dense, TENON_BOOL, device, &stream);
  const TrueElements found = find_true(mask, stream, "the number of elements depends on their values");
  const int64_t count = found.count, most = std::max({rows, columns, count});
  const Dtype index = index_dtype ? index_dtype : Dtype(most <= 0x7fffffff ? TENON_INT32 : TENON_INT64);
  require_fits(most, index, "rows, columns or elements");
  const std::initializer_list<Input> inputs = {{x, "x"}};
  out.offsets.check(index, Dims{rows + 1}, device, inputs);
  out.columns.check(index, Dims{count}, device, inputs);
  out.values.check(x.dtype(), Dims{count}, device, inputs);
  const Ref<Array> places = Array::create(device, TENON_INT64, Dims{count}, stream);
  write_places(found, *places, stream);
  const PlainOut o(out.offsets, index, Dims{rows + 1}, stream, {}), i(out.columns, index, Dims{count}, stream, {});
  SparseWork w{};
  w.other = places->data();
  w.rows = rows, w.columns = columns, w.elements = count;
  use({places.get()}, {o.array.get(), i.array.get()}, stream);
  w.to = i.array->data();
  run_keys("KeyColumns", "KeyColumns32", "KeyColumns64", true, index, w, count, stream);
  w.to = o.array->data();
  run_keys("KeyOffsets", "KeyOffsets32", "KeyOffsets64", true, index, w, rows + 1, stream);
  Ref<Array> values = true_elements(found, *dense->reshape(Dims{dense->size()}), stream, out.values);
  return {o.done(stream), i.done(stream), std::move(values)};
}

Ref<Array> csr_rows(const Array& offsets, int64_t count, bool trusted, Stream* given, const Output& out) {
  require_indices(offsets, "offsets", offsets.dtype());
  TENON_REQUIRE(offsets.size() > 0, TENON_ERROR_SHAPE,
                "offsets is empty: it has one element more than the matrix rows");
  TENON_REQUIRE(count >= 0, TENON_ERROR_INVALID_ARGUMENT, "count is %lld: it must not be negative",
                static_cast<long long>(count));
  Stream& stream = stream_for_all({{offsets, "offsets"}}, given);
  return recorded_whole(stream, [&] {
    Checks checks(stream, true);
    SparseWork w{};
    const Ref<Array> list = contiguous(offsets, stream);
    w.offsets = list->data(), w.rows = list->size() - 1, w.elements = count;
    Device& device = stream.device();
    if (!trusted && by_kernels(device)) {
      check_by_kernels(checks, *list, count, "offsets", true, stream);
      checks.settle_unless_deferred();
    } else if (!trusted) {
      use({list.get()}, {}, stream);
      device.run_native(
          "sparse",
          [native = device.native(), w, dtype = offsets.dtype()] { check_natively(*native, w, dtype, "indices"); },
          stream);
    }
    const PlainOut result(out, offsets.dtype(), Dims{count}, stream, {{offsets, "offsets"}});
    w.to = result.array->data();
    use({list.get()}, {result.array.get()}, stream);
    run_each("CsrRows", "CsrRows", index_type_name(offsets.dtype()), 0, offsets.dtype(), w, count, stream);
    checks.defer();
    return result.done(stream);
  });
}

Ref<Array> csr_to_dense(const CsrMatrix& a, Stream* given, const Output& out) {
  require_csr(a);
  Stream& stream = stream_for_all({{a.offsets, "offsets"}, {a.indices, "indices"}, {a.values, "values"}}, given);
  return recorded_whole(stream, [&] {
    Checks checks(stream, true);
    const Dims shape{a.offsets.size() - 1, a.columns};
    out.check(a.values.dtype(), shape, stream.device(),
              {{a.offsets, "offsets"}, {a.indices, "indices"}, {a.values, "values"}});
    OpenCsr open(a, checks, stream);
    const Ref<Array> result = out.open(a.values.dtype(), shape, stream, {});
    if (result->size()) fill(*result, 0, 0, &stream);
    open.work.to = result->data();
    open.work.to_row = result->strides()[0], open.work.to_column = result->strides()[1];
    open.read(stream);
    use({}, {result.get()}, stream);
    if (result->size())
      run_each("CsrDense", "CsrDense",
               format("%s, %s", number_name(a.values.dtype(), "values"), index_type_name(open.index)), a.values.dtype(),
               open.index, open.work, open.work.rows, stream);
    checks.defer();
    return result;
  });
}

namespace {

// The transposed matrix; `open` has been checked.
Csr transposed(const OpenCsr& open, Stream& stream, const CsrOutputs& out) {
  Device& device = stream.device();
  const int64_t count = open.work.elements, columns = open.work.columns;
  const Sorted sorted = sort(*open.indices, 0, false, &stream, {}, {});
  const Ref<Array> rows = Array::create(device, open.index, Dims{count}, stream);
  SparseWork w = open.work;
  w.to = rows->data();
  use({open.offsets.get()}, {rows.get()}, stream);
  run_each("CsrRows", "CsrRows", index_type_name(open.index), 0, open.index, w, count, stream);
  const PlainOut o(out.offsets, open.index, Dims{columns + 1}, stream, {});
  w.other = sorted.values->data(), w.rows = columns, w.columns = 1, w.to = o.array->data();
  use({sorted.values.get()}, {o.array.get()}, stream);
  // Sorted indices are keys of a matrix with one column.
  run_keys("KeyOffsets", "KeyOffsets32", "KeyOffsets64", open.index == TENON_INT64, open.index, w, columns + 1, stream);
  Ref<Array> made_columns = taken(*rows, *sorted.indices, stream, out.columns);
  Ref<Array> made_values = taken(*open.values, *sorted.indices, stream, out.values);
  return {o.done(stream), std::move(made_columns), std::move(made_values)};
}

}  // namespace

Csr csr_transpose(const CsrMatrix& a, Stream* given, const CsrOutputs& out) {
  require_csr(a);
  require_fits(a.offsets.size() - 1, a.offsets.dtype(), "rows");
  Stream& stream = stream_for_all({{a.offsets, "offsets"}, {a.indices, "indices"}, {a.values, "values"}}, given);
  const std::initializer_list<Input> inputs = {{a.offsets, "offsets"}, {a.indices, "indices"}, {a.values, "values"}};
  out.offsets.check(a.offsets.dtype(), Dims{a.columns + 1}, stream.device(), inputs);
  out.columns.check(a.offsets.dtype(), Dims{a.indices.size()}, stream.device(), inputs);
  out.values.check(a.values.dtype(), Dims{a.indices.size()}, stream.device(), inputs);
  return recorded_whole(stream, [&] {
    Checks checks(stream, true);
    const OpenCsr open(a, checks, stream);
    Csr result = transposed(open, stream, out);
    checks.defer();
    return result;
  });
}

namespace {

// The number of threads for a row of the product with a vector.
int lanes_for(const SparseWork& w) {
  const int64_t each = w.elements / std::max<int64_t>(w.rows, 1);
  return each >= 64 ? 32 : each >= 24 ? 16 : each >= 12 ? 8 : each >= 6 ? 4 : 2;
}

// Can a vendor's routine take the problem? It knows dense matrices by rows or by columns, without gaps in vectors.
bool plain(const SparseWork& w, Dtype dtype) {
  const auto dense = [&](int64_t row, int64_t column, int64_t rows) {
    return (column == 1 && row >= w.width) || (row == 1 && column >= rows);
  };
  if (!w.elements || (w.conjugated && dtype_complex(dtype))) return false;
  if (w.width == 1 && w.b_row == 1 && w.to_row == 1) return true;
  return dense(w.b_row, w.b_column, w.columns) && dense(w.to_row, w.to_column, w.rows);
}

void multiply_by_own(const SparseWork& w, Dtype values, Dtype index, Stream& stream) {
  Device& device = stream.device();
  const std::string types = format("%s, %s", number_name(values, "values"), index_type_name(index));
  const int64_t wave = int64_t(16) * std::max(device.info().multiprocessors, 1) * 8;
  if (w.width == 1) {
    const int lanes = lanes_for(w);
    const int64_t blocks = std::clamp<int64_t>((w.rows * lanes + 255) / 256, 1, wave);
    return launch_own(device, sparse_kernel(format("csr_vector<%s, %d>", types.c_str(), lanes)), blocks, 256, stream,
                      w);
  }
  const int64_t blocks = std::clamp<int64_t>((w.rows * ((w.width + 31) / 32) + 7) / 8, 1, wave);
  launch_own(device, sparse_kernel(format("csr_matrix<%s>", types.c_str())), blocks, 256, stream, w);
}

void set_factor(u64 (&to)[2], const std::optional<Scalar>& factor, Dtype dtype, Device& cpu, const char* what) {
  unsigned char bytes[16] = {};
  if (factor) encode(*factor, dtype, cpu, what, bytes);
  else encode(dtype, 1, 0, cpu, bytes);
  std::memcpy(to, bytes, sizeof bytes);
}

}  // namespace

Ref<Array> csr_multiply(const CsrMatrix& a, const Array& b, const SparseProductOptions& options, Stream* given,
                        const Output& out) {
  require_csr(a);
  const Dtype dtype = a.values.dtype();
  const int64_t rows = options.transposed ? a.columns : a.offsets.size() - 1;
  const int64_t inner = options.transposed ? a.offsets.size() - 1 : a.columns;
  TENON_REQUIRE(b.dtype() == dtype, TENON_ERROR_DTYPE, "b is %s but values is %s: convert one of them",
                dtype_name(b.dtype()).c_str(), dtype_name(dtype).c_str());
  TENON_REQUIRE(b.rank() == 1 || b.rank() == 2, TENON_ERROR_SHAPE, "b has %d axes: it must be a vector or a matrix",
                b.rank());
  TENON_REQUIRE(b.shape()[0] == inner, TENON_ERROR_SHAPE, "b has %lld rows, but the matrix has %lld columns",
                static_cast<long long>(b.shape()[0]), static_cast<long long>(inner));
  TENON_REQUIRE(!options.beta || out.given(), TENON_ERROR_INVALID_ARGUMENT,
                "options->beta needs the old values of the result: provide the array");
  Stream& stream =
      stream_for_all({{a.offsets, "offsets"}, {a.indices, "indices"}, {a.values, "values"}, {b, "b"}}, given);
  Device& device = stream.device();
  const Dims shape = b.rank() == 1 ? Dims{rows} : Dims{rows, b.shape()[1]};
  out.check(dtype, shape, device, {{a.offsets, "offsets"}, {a.indices, "indices"}, {a.values, "values"}, {b, "b"}});
  SparseWork factors{};
  set_factor(factors.alpha, options.alpha, dtype, device.context().cpu(), "options->alpha");
  set_factor(factors.beta, options.beta, dtype, device.context().cpu(), "options->beta");
  return recorded_whole(stream, [&] {
    Checks checks(stream, true);
    OpenCsr open(a, checks, stream);
    Csr turned;
    SparseWork& w = open.work;
    if (options.transposed) {
      const Output made;
      turned = transposed(open, stream, {made, made, made});
      open.offsets = turned.offsets, open.indices = turned.columns, open.values = turned.values;
      w.offsets = turned.offsets->data(), w.indices = turned.columns->data(), w.values = turned.values->data();
      w.rows = rows, w.columns = inner;
    }
    const Ref<Array> result = out.open(dtype, shape, stream, {});
    w.b = b.data(), w.b_row = b.strides()[0], w.b_column = b.rank() == 2 ? b.strides()[1] : 0;
    w.to = result->data(), w.to_row = result->strides()[0], w.to_column = b.rank() == 2 ? result->strides()[1] : 0;
    w.width = b.rank() == 2 ? b.shape()[1] : 1;
    w.conjugated = options.conjugated, w.has_beta = options.beta.has_value();
    std::memcpy(w.alpha, factors.alpha, sizeof w.alpha);
    std::memcpy(w.beta, factors.beta, sizeof w.beta);
    if (result->size()) {
      open.read(stream);
      use({&b}, {result.get()}, stream);
      if (!by_kernels(device) || (!options.own && plain(w, dtype) && device.has_sparse(dtype)))
        device.run(SparseProductProblem{dtype, open.index, w}, stream);
      else multiply_by_own(w, dtype, open.index, stream);
    }
    checks.defer();
    return result;
  });
}

}  // namespace tenon::ops
