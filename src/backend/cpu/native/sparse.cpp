// backend/cpu/native/sparse.cpp: sparse matrices (device/sparse.cuh) on the thread pool, in pieces of rows.
#include <algorithm>
#include <cstring>
#include "backend/cpu/native/native.hpp"
#include "backend/cpu/operations.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"
#include "core/problem/problem.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/order/order.cuh"
#include "device/wide.cuh"
#include "device/sparse.cuh"

namespace tenon::cpu {
namespace {

using namespace tenon_own;

template <class Op> void each(const SparseWork& w, int64_t count, int64_t grain = 4096) {
  base::parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) Op::at(w, i);
  });
}

// Rows that make a piece worth a thread.
int64_t rows_grain(const SparseWork& w) {
  return std::max<int64_t>(1, 8192 / std::max<int64_t>(1, w.elements * w.width / std::max<int64_t>(w.rows, 1)));
}

// Four sums, whose additions do not wait for each other.
template <class S, class I> typename Wide<S>::type vector_sum(const SparseWork& w, const SparseRow<I>& part) {
  if (part.end - part.begin < 8) return row_sum<S, I>(w, part, 0, 1, 0);
  const I* const columns = static_cast<const I*>(w.indices);
  const S* const values = static_cast<const S*>(w.values);
  const S* const b = static_cast<const S*>(w.b);
  const auto with = [&](typename Wide<S>::type sum, int64_t j) {
    const int64_t column = columns[j];
    if (uint64_t(column) >= uint64_t(w.columns)) return sum;
    return added(
        sum, multiplied(conjugated_if(Wide<S>::of(values[j]), w.conjugated != 0), Wide<S>::of(b[column * w.b_row])));
  };
  auto s0 = Wide<S>::zero(), s1 = s0, s2 = s0, s3 = s0;
  int64_t j = part.begin;
  for (; j + 4 <= part.end; j += 4) s0 = with(s0, j), s1 = with(s1, j + 1), s2 = with(s2, j + 2), s3 = with(s3, j + 3);
  for (; j < part.end; ++j) s0 = with(s0, j);
  return added(added(s0, s1), added(s2, s3));
}

constexpr int64_t kColumns = 32;  // of b at once: their sums stay in registers and the first cache

// Row `row` of the product with columns [first, first + count) of b.
template <class S, class I> void row_product(const SparseWork& w, int64_t row, int64_t first, int64_t count) {
  const I* const columns = static_cast<const I*>(w.indices);
  const S* const values = static_cast<const S*>(w.values);
  const SparseRow<I> part(w, row);
  typename Wide<S>::type sums[kColumns];
  for (int64_t k = 0; k < count; ++k) sums[k] = Wide<S>::zero();
  for (int64_t j = part.begin; j < part.end; ++j) {
    const int64_t column = columns[j];
    if (uint64_t(column) >= uint64_t(w.columns)) continue;
    const auto value = conjugated_if(Wide<S>::of(values[j]), w.conjugated != 0);
    const S* const b = static_cast<const S*>(w.b) + column * w.b_row + first * w.b_column;
    if (w.b_column == 1)
      for (int64_t k = 0; k < count; ++k) sums[k] = added(sums[k], multiplied(value, Wide<S>::of(b[k])));
    else
      for (int64_t k = 0; k < count; ++k) sums[k] = added(sums[k], multiplied(value, Wide<S>::of(b[k * w.b_column])));
  }
  S* const to = static_cast<S*>(w.to) + row * w.to_row + first * w.to_column;
  for (int64_t k = 0; k < count; ++k) finish_sparse<S>(w, to[k * w.to_column], sums[k]);
}

template <class S, class I> void multiply(const SparseWork& w) {
  base::parallel_for(w.rows, rows_grain(w), [&](int64_t begin, int64_t end) {
    if (w.width == 1) {
      for (int64_t row = begin; row < end; ++row)
        finish_sparse<S>(w, static_cast<S*>(w.to)[row * w.to_row], vector_sum<S, I>(w, SparseRow<I>(w, row)));
      return;
    }
    for (int64_t first = 0; first < w.width; first += kColumns)
      for (int64_t row = begin; row < end; ++row) row_product<S, I>(w, row, first, std::min(kColumns, w.width - first));
  });
}

template <class I> void check(const SparseWork& w) {  // to: int64[2]: the first bad offset and the first bad index
  int64_t* const found = static_cast<int64_t*>(w.to);
  const I* const offsets = static_cast<const I*>(w.offsets);
  const I* const columns = static_cast<const I*>(w.indices);
  found[0] = found[1] = -1;
  for (int64_t i = 0; offsets && i <= w.rows && found[0] < 0; ++i)
    if (offsets[i] < (i ? offsets[i - 1] : 0) || offsets[i] > w.elements || (i == 0 && offsets[0] != 0) ||
        (i == w.rows && offsets[i] != w.elements))
      found[0] = i;
  for (int64_t i = 0; columns && i < w.elements && found[1] < 0; ++i)
    if (columns[i] < 0 || columns[i] >= w.columns) found[1] = i;
}

template <class I> bool of_indices(const std::string_view name, const SparseWork& w, int64_t count) {
  if (name == "check") return check<I>(w), true;
  if (name == "CooKeys32") return each<CooKeys<I, u32>>(w, count), true;
  if (name == "CooKeys64") return each<CooKeys<I, u64>>(w, count), true;
  if (name == "KeyColumns32") return each<KeyColumns<I, u32>>(w, count), true;
  if (name == "KeyColumns64") return each<KeyColumns<I, u64>>(w, count), true;
  if (name == "KeyOffsets32") return each<KeyOffsets<I, u32>>(w, count, 256), true;
  if (name == "KeyOffsets64") return each<KeyOffsets<I, u64>>(w, count, 256), true;
  if (name == "CsrRows") return each<CsrRows<I>>(w, count), true;
  return false;
}

template <class S, class I> void of_values(const std::string_view name, const SparseWork& w, int64_t count) {
  if (name == "CsrDense") return each<CsrDense<S, I>>(w, count, rows_grain(w));
  multiply<S, I>(w);
}

template <class I> void run(const char* name, Dtype values, const SparseWork& w, int64_t count) {
  if (of_indices<I>(name, w, count)) return;
  switch (values) {
    case TENON_BOOL: return of_values<boolean, I>(name, w, count);
    case TENON_INT8: return of_values<i8, I>(name, w, count);
    case TENON_INT16: return of_values<i16, I>(name, w, count);
    case TENON_INT32: return of_values<i32, I>(name, w, count);
    case TENON_INT64: return of_values<i64, I>(name, w, count);
    case TENON_UINT8: return of_values<u8, I>(name, w, count);
    case TENON_UINT16: return of_values<u16, I>(name, w, count);
    case TENON_UINT32: return of_values<u32, I>(name, w, count);
    case TENON_UINT64: return of_values<u64, I>(name, w, count);
    case TENON_FLOAT16: return of_values<half, I>(name, w, count);
    case TENON_BFLOAT16: return of_values<bfloat, I>(name, w, count);
    case TENON_FLOAT32: return of_values<float, I>(name, w, count);
    case TENON_FLOAT64: return of_values<double, I>(name, w, count);
    case TENON_COMPLEX64: return of_values<Complex<float>, I>(name, w, count);
    case TENON_COMPLEX128: return of_values<Complex<double>, I>(name, w, count);
    default: fail(TENON_ERROR_INTERNAL, "a sparse matrix of dtype 0x%x should have been refused earlier", values);
  }
}

}  // namespace

void sparse(const char* name, Dtype values, Dtype indices, const SparseWork& w, int64_t count) {
  if (indices == TENON_INT32) run<i32>(name, values, w, count);
  else run<i64>(name, values, w, count);
}

void run(const SparseProductProblem& p) { sparse("multiply", p.dtype, p.index, p.work, 0); }

}  // namespace tenon::cpu
