// backend/cpu/linalg/library/lapack.hpp: shared by the callers of LAPACK: element types, finiteness, workspaces,
// batches.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include "backend/cpu/linalg/library/blas.hpp"
#include "backend/cpu/memory.hpp"
#include "base/parallel.hpp"

namespace tenon::cpu {

// Matrices that need fewer operations than this are distributed one by one over the pool's threads.
constexpr double kSmallMatrix = 128.0 * 128 * 128;

template <class T> struct Real {
  using type = T;
};
template <class R> struct Real<std::complex<R>> {
  using type = R;
};

template <class R> bool finite(const R* x, int64_t count) {
  using Bits = std::conditional_t<sizeof(R) == 4, uint32_t, uint64_t>;
  constexpr Bits exponent = sizeof(R) == 4 ? Bits(0x7f800000) : Bits(0x7ff0000000000000);
  std::atomic<bool> good{true};
  base::parallel_for(count, 1 << 16, [&](int64_t begin, int64_t end) {
    Bits bad = 0;
    for (int64_t i = begin; i < end; ++i) bad |= Bits((__builtin_bit_cast(Bits, x[i]) & exponent) == exponent);
    if (bad) good.store(false, std::memory_order_relaxed);
  });
  return good;
}

template <class T> bool all_finite(const T* x, int64_t count) {
  using R = typename Real<T>::type;
  return finite(reinterpret_cast<const R*>(x), count * int64_t(sizeof(T) / sizeof(R)));
}

// The size that a routine returned as a number of work's type, where it may have been rounded down.
template <class T> Int workspace_size(const Blas& library, T answer) {
  using R = typename Real<T>::type;
  const Int size = Int(std::ceil(double(std::real(answer)) * (1 + 4 * double(std::numeric_limits<R>::epsilon())))) + 1;
  require_fits(library, size, "the workspace of the routine");
  return size;
}

// Runs make()(i) for each matrix of a batch: many small ones on the pool's threads, each thread with its own result of
// make(), large ones one after another with all threads. work: approximate number of operations per matrix.
template <class Make> void each_matrix(int64_t batch, double work, Make&& make) {
  const int threads = base::thread_count();
  if (batch > 1 && threads > 1 && work <= kSmallMatrix) {
    BlasThreads single(1);
    base::parallel_for(batch, std::max<int64_t>(1, int64_t(20000 / std::max(work, 1.0))),
                       [&](int64_t begin, int64_t end) {
                         auto run = make();
                         for (int64_t i = begin; i < end; ++i) run(i);
                       });
  } else {
    BlasThreads all(work <= kSmallMatrix / 4 ? 1 : threads);
    auto run = make();
    for (int64_t i = 0; i < batch; ++i) run(i);
  }
}

}  // namespace tenon::cpu
