// backend/cpu/native/product.cpp: matrix products of integers and bools (device/product.cuh), in blocks.
#include <algorithm>
#include <vector>
#include "backend/cpu/native/native.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/product.cuh"

namespace tenon::cpu {
namespace {

using namespace tenon_own;

constexpr int64_t kRows = 128, kColumns = 64, kDepth = 128;  // of a block; what it packs and sums stays in the cache
constexpr int64_t kNarrow = 8;                               // with fewer rows blocks gain nothing
constexpr int64_t kGrain = 32768;                            // products of elements that make a piece worth a thread

// One block of one matrix of c: rows [row, row + rows) and columns [column, column + columns).
template <class S> class Block {
 public:
  using T = Terms<S>;
  using Sum = typename T::Sum;

  Block() : panel_(kRows * kDepth), sums_(kRows * kColumns) {}

  void run(const ProductWork& w, int64_t matrix, int64_t row, int64_t column) {
    const int64_t rows = std::min(kRows, w.m - row), columns = std::min(kColumns, w.n - column);
    const S* const a = static_cast<const S*>(w.a) + matrix * w.a_matrix + row * w.a_row;
    const S* const b = static_cast<const S*>(w.b) + matrix * w.b_matrix + column * w.b_column;
    S* const c = static_cast<S*>(w.c) + matrix * w.c_matrix + row * w.c_row + column * w.c_column;
    std::fill(sums_.begin(), sums_.end(), Sum(0));
    for (int64_t first = 0; first < w.k; first += kDepth) {
      const int64_t depth = std::min(kDepth, w.k - first);
      pack(w, a + first * w.a_column, rows, depth);
      for (int64_t j = 0; j < columns; ++j)
        add(w, b + first * w.b_row + j * w.b_column, rows, depth, &sums_[j * kRows]);
    }
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) finish_product(w, c[i * w.c_row + j * w.c_column], sums_[j * kRows + i]);
  }

 private:
  // Columns of a, one after another; the depth is padded with zeros to a multiple of 4.
  void pack(const ProductWork& w, const S* a, int64_t rows, int64_t depth) {
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t i = 0; i < rows; ++i) panel_[k * kRows + i] = T::of(a[i * w.a_row + k * w.a_column]);
    for (int64_t k = depth; k % 4; ++k) std::fill_n(&panel_[k * kRows], rows, Sum(0));
  }

  void add(const ProductWork& w, const S* b, int64_t rows, int64_t depth, Sum* sums) const {
    for (int64_t k = 0; k < depth; k += 4) {
      Sum y[4];
      for (int64_t q = 0; q < 4; ++q) y[q] = k + q < depth ? T::of(b[(k + q) * w.b_row]) : Sum(0);
      const Sum* const x = &panel_[k * kRows];
      for (int64_t i = 0; i < rows; ++i) {
        const Sum first = T::add(T::add(sums[i], x[i], y[0]), x[kRows + i], y[1]);
        sums[i] = T::add(T::add(first, x[2 * kRows + i], y[2]), x[3 * kRows + i], y[3]);
      }
    }
  }

  std::vector<Sum> panel_, sums_;
};

template <class S> void multiply(const ProductWork& w) {
  const int64_t depth = std::max<int64_t>(w.k, 1);
  if (w.m < kNarrow) {
    base::parallel_for(w.m * w.n * w.batch, std::max<int64_t>(kGrain / depth, 1), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Product<S>::at(w, i);
    });
    return;
  }
  const int64_t down = (w.m + kRows - 1) / kRows, across = (w.n + kColumns - 1) / kColumns;
  const int64_t work = std::min(w.m, kRows) * std::min(w.n, kColumns) * depth;
  base::parallel_for(down * across * w.batch, std::max<int64_t>(kGrain / work, 1), [&](int64_t begin, int64_t end) {
    Block<S> block;
    for (int64_t i = begin; i < end; ++i)
      block.run(w, i / down / across, i % down * kRows, i / down % across * kColumns);
  });
}

}  // namespace

void product(Dtype dtype, const ProductWork& w) {
  if (dtype == TENON_BOOL) return multiply<boolean>(w);
  switch (dtype_bytes(dtype)) {  // modulo 2^bits signed and unsigned are the same
    case 1: return multiply<u8>(w);
    case 2: return multiply<u16>(w);
    case 4: return multiply<u32>(w);
    default: return multiply<u64>(w);
  }
}

}  // namespace tenon::cpu
