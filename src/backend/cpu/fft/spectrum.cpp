// backend/cpu/fft/spectrum.cpp: products of spectra, and frequencies.
#include <algorithm>
#include "backend/cpu/operations.hpp"
#include "base/parallel.hpp"

namespace tenon::cpu {

namespace {

constexpr int64_t kGrain = 1 << 15;  // numbers that make a thread's piece worth its start

// By parts: the operator of std::complex looks for infinities that came of NaN.
template <class T> void multiply(std::complex<T>* to, const std::complex<T>* from, int64_t count, T sign) {
  for (int64_t i = 0; i < count; ++i) {
    const T x = to[i].real(), y = to[i].imag(), u = from[i].real(), v = sign * from[i].imag();
    to[i] = {x * u - y * v, x * v + y * u};
  }
}

template <class T> void product(const FftProblem& p) {
  const int64_t n = p.axes[0].extent, rows = p.batch.empty() ? 1 : p.batch[0].extent;
  const int64_t to_step = p.batch.empty() ? 0 : p.batch[0].to, from_step = p.batch.empty() ? 0 : p.batch[0].from;
  // In pieces of rows, so that a piece is long where rows are short and short where they are long.
  const int64_t piece = std::min(n, kGrain), pieces = (n + piece - 1) / piece;
  base::parallel_for(rows * pieces, std::max<int64_t>(1, kGrain / piece), [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t row = k / pieces, first = k % pieces * piece;
      multiply(static_cast<std::complex<T>*>(p.to) + row * to_step + first,
               static_cast<const std::complex<T>*>(p.from) + row * from_step + first, std::min(piece, n - first),
               T(p.inverse ? -1 : 1));
    }
  });
}

}  // namespace

void spectra_product(const FftProblem& p) {
  if (p.dtype == TENON_COMPLEX64) product<float>(p);
  else product<double>(p);
}

void frequencies(const FftProblem& p) {
  const int64_t n = p.axes[0].extent;
  base::parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      static_cast<double*>(p.to)[i] = double(i < n - p.negative ? i : i - n) * p.scale;
  });
}

}  // namespace tenon::cpu
