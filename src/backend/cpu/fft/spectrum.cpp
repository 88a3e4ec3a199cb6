// backend/cpu/fft/spectrum.cpp: products of spectra, and frequencies.
#include <algorithm>
#include "backend/cpu/operations.hpp"
#include "base/parallel.hpp"

namespace tenon::cpu {

namespace {

constexpr int64_t kGrain = 1 << 15;  // numbers that make a piece worth a thread

// By parts: the operator of std::complex checks for infinities that became NaN.
template <class T> void multiply(std::complex<T>* to, const std::complex<T>* from, int64_t count, T sign) {
  for (int64_t i = 0; i < count; ++i) {
    const T x = to[i].real(), y = to[i].imag(), u = from[i].real(), v = sign * from[i].imag();
    to[i] = {x * u - y * v, x * v + y * u};
  }
}

template <class T> void spectra_product(const SpectraProductProblem& p) {
  const int64_t n = p.period;
  // A piece contains several rows if they are short, and a part of a row if they are long.
  const int64_t piece = std::min(n, kGrain), pieces = (n + piece - 1) / piece;
  base::parallel_for(p.count / n * pieces, std::max<int64_t>(1, kGrain / piece), [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t row = k / pieces, first = k % pieces * piece;
      multiply(static_cast<std::complex<T>*>(p.to) + row * n + first,
               static_cast<const std::complex<T>*>(p.from) + first, std::min(piece, n - first),
               T(p.conjugated ? -1 : 1));
    }
  });
}

}  // namespace

void run(const SpectraProductProblem& p) {
  if (p.dtype == TENON_COMPLEX64) spectra_product<float>(p);
  else spectra_product<double>(p);
}

void run(const FrequenciesProblem& p) {
  base::parallel_for(p.count, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) p.to[i] = double(i < p.count - p.negative ? i : i - p.count) * p.scale;
  });
}

}  // namespace tenon::cpu
