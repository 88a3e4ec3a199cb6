// backend/cuda/fft/fft.cpp: Fourier transforms of complex numbers on cuFFT.
#include <algorithm>
#include "backend/cuda/kernels/copy/copy.hpp"
#include "backend/cuda/fft/plans.hpp"

namespace tenon::cuda {

namespace {

std::vector<CopyAxis> copy_axes(const FftProblem& p) {
  const int64_t size = complex_bytes(p);
  std::vector<CopyAxis> out;
  for (const auto* list : {&p.batch, &p.axes})
    for (const FftAxis& a : *list) out.push_back({a.extent, a.to * size, a.from * size});
  return out;
}

void copy_problem(CudaDevice& device, const FftProblem& p, Stream& stream) {
  const uint32_t size = uint32_t(complex_bytes(p));
  const Dtype plain = TENON_DTYPE(1, size * 8, 1);
  device.run(CopyProblem{p.to, p.from, plain, plain, size, copy_axes(p)}, stream);
}

// Sets the strides of one side to those of a packed array of the batch axes, then the transformed ones.
FftProblem packed(FftProblem p, bool destination) {
  int64_t stride = 1;
  for (auto* list : {&p.axes, &p.batch})
    for (size_t i = list->size(); i-- > 0;) {
      ((*list)[i].*(destination ? &FftAxis::to : &FftAxis::from)) = stride;
      stride *= (*list)[i].extent;
    }
  return p;
}

// For at most three axes, none of extent 1.
void transform(CudaDevice& device, FftProblem p, Stream& stream) {
  std::stable_sort(p.axes.begin(), p.axes.end(),
                   [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
  merge(p.batch);
  std::optional<Layout> direct = layout_of(p);
  if (good(direct, p)) return execute(device, p, *direct, stream);
  // If a plan can describe the destination's layout: copies there, then transforms in place.
  FftProblem there = in_place(p);
  merge(there.batch);
  std::optional<Layout> at_destination = layout_of(there);
  if (good(at_destination, there)) {
    if (p.from != p.to) copy_problem(device, p, stream);
    return execute(device, there, *at_destination, stream);
  }
  const uint64_t bytes = uint64_t(product(p.axes)) * uint64_t(product(p.batch)) * complex_bytes(p);
  Scratch temporary(device, bytes, stream);
  FftProblem in = packed(p, true);
  in.to = temporary.data();
  copy_problem(device, in, stream);
  FftProblem middle = in_place(in);
  merge(middle.batch);
  execute(device, middle, *layout_of(middle), stream);
  FftProblem out = packed(p, false);
  out.from = temporary.data();
  copy_problem(device, out, stream);
}

}  // namespace

void fft_complex(CudaDevice& device, const FftProblem& problem, Stream& stream) {
  FftProblem rest = problem;
  std::erase_if(rest.axes, [](const FftAxis& a) { return a.extent == 1; });
  if (rest.axes.empty()) {
    if (rest.from != rest.to) copy_problem(device, rest, stream);
  }
  // Innermost axes first, three at a time; all rounds but the first are in place.
  std::stable_sort(rest.axes.begin(), rest.axes.end(),
                   [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
  while (!rest.axes.empty()) {
    const size_t count = std::min<size_t>(rest.axes.size(), kMaxPlanAxes);
    FftProblem now = rest;
    now.axes.assign(rest.axes.end() - int64_t(count), rest.axes.end());
    rest.axes.resize(rest.axes.size() - count);
    now.batch.insert(now.batch.end(), rest.axes.begin(), rest.axes.end());
    transform(device, now, stream);
    rest.batch.insert(rest.batch.end(), now.axes.begin(), now.axes.end());
    rest = in_place(rest);
  }
}

// For cuFFT's half precision: powers of two, packed real numbers. Scaled transforms use single precision, in which an
// inverse transform cannot overflow before it is divided; in unscaled ones, any intermediate overflow is also one of
// the result.
bool CudaDevice::has_half_fft(const FftProblem& p) const {
  const bool real = p.kind != FftKind::complex;
  return capability() >= 53 && p.scale == 1 && (!real || p.inverse == (p.kind == FftKind::complex_to_real)) &&
         (!real || std::abs(p.kind == FftKind::real_to_complex ? p.axes.back().from : p.axes.back().to) == 1) &&
         std::all_of(p.axes.begin(), p.axes.end(), [](const FftAxis& a) { return (a.extent & (a.extent - 1)) == 0; });
}

void run(CudaDevice& device, const FftProblem& problem, Stream& stream) {
  switch (problem.kind) {
    case FftKind::real_to_complex: return fft_real_to_complex(device, problem, stream);
    case FftKind::complex_to_real: return fft_complex_to_real(device, problem, stream);
    case FftKind::cosine:
    case FftKind::sine: return fft_cosine(device, problem, stream);
    case FftKind::complex: break;
  }
  fft_complex(device, problem, stream);
  if (problem.scale != 1) scale_complex(device, problem.to, problem.dtype, copy_axes(problem), problem.scale, stream);
}

}  // namespace tenon::cuda
