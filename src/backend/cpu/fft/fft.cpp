// backend/cpu/fft/fft.cpp: Fourier transforms by ducc0, where this build has it.
#include <new>
#include "backend/cpu/fft/ducc.hpp"
#include "backend/cpu/operations.hpp"
#include "backend/cpu/target.hpp"
#include "base/json.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"

namespace tenon::cpu {

#if TENON_WITH_DUCC
namespace {

struct Chosen {
  DuccFftFunction function;
  const char* isa;
};

const Chosen& chosen() {
  static const Chosen one = []() -> Chosen {
#if TENON_VECTORS
    if (vector_level() >= 4) return {tenon_ducc_fft_v4, "v4"};
    if (vector_level() == 3) return {tenon_ducc_fft_v3, "v3"};
#endif
    return {tenon_ducc_fft_base, "base"};
  }();
  return one;
}

void parallel(size_t count, void (*body)(void*, size_t), void* context) {
  base::parallel_for(int64_t(count), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(context, size_t(i));
  });
}

// The number of elements from which a transform uses more than one thread.
constexpr int64_t kParallel = 1 << 14;

}  // namespace

void run(const FftProblem& p) {
  std::vector<size_t> shape, axes;
  std::vector<ptrdiff_t> to, from;
  int64_t size = 1;
  const auto add = [&](const FftAxis& axis) {
    shape.push_back(size_t(axis.extent));
    to.push_back(axis.to);
    from.push_back(axis.from);
    size *= axis.extent;
  };
  for (const FftAxis& axis : p.batch) add(axis);
  for (const FftAxis& axis : p.axes) {
    axes.push_back(shape.size());
    add(axis);
  }
  const DuccFft problem{p.from,
                        p.to,
                        p.dtype == TENON_COMPLEX128,
                        p.kind == FftKind::real_to_complex,
                        p.kind == FftKind::complex_to_real,
                        p.type,
                        p.kind == FftKind::sine,
                        p.orthogonal,
                        !p.inverse,
                        p.scale,
                        int(shape.size()),
                        shape.data(),
                        from.data(),
                        to.data(),
                        int(axes.size()),
                        axes.data(),
                        size < kParallel ? 1 : size_t(base::thread_count()),
                        parallel};
  char why[512];
  if (chosen().function(problem, why, sizeof why)) return;
  if (std::string_view(why) == "memory") throw std::bad_alloc();
  fail(TENON_ERROR_INTERNAL, "ducc0 rejected a transform: %s", why);
}

std::string fft_report() {
  return base::Json{{"library", "ducc0"}, {"version", TENON_DUCC_VERSION}, {"instructions", chosen().isa}}.dump();
}

#else

void run(const FftProblem&) {
  fail(TENON_ERROR_UNSUPPORTED,
       "this build of Tenon has no FFT on the CPU: get the sources of ducc0 (the package index's ducc0 as an sdist; "
       "BSD-licensed FFT) and build Tenon with -Dducc=DIRECTORY, the directory that holds src/ducc0");
}

std::string fft_report() { return R"({"library": null})"; }

#endif

}  // namespace tenon::cpu
