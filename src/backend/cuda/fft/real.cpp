// backend/cuda/fft/real.cpp: Fourier transforms between real and complex numbers on cuFFT.
//
// cuFFT requires real numbers to be aligned like complex ones, and destroys the source of a transform to real numbers.
// So that transform always works on a packed copy, and strides that no plan can describe use packed memory too. In that
// copy the other axes are transformed first, and the imaginary parts that have no meaning are cleared: cuFFT's
// treatment of these, and of halves of several axes that are not Hermitian, depends on the algorithm.
#include <algorithm>
#include "backend/cuda/kernels/copy/copy.hpp"
#include "backend/cuda/fft/plans.hpp"

namespace tenon::cuda {

namespace {

// One side of a problem in memory: the axes' extents there, and their strides in elements.
struct RealSide {
  void* data;
  Dtype dtype;
  std::vector<int64_t> strides;  // of batch, then axes
};

class RealFft {
 public:
  RealFft(CudaDevice& device, const FftProblem& p, Stream& stream)
      : device_(device),
        p_(p),
        stream_(stream),
        real_(dtype_real(p.dtype)),
        n_(p.axes.back().extent),
        half_(n_ / 2 + 1),
        to_real_(p.kind == FftKind::complex_to_real) {
    for (const auto* list : {&p.batch, &p.axes})
      for (const FftAxis& a : *list) extents_.push_back(a.extent);
  }

  void forward() {
    const RealSide source = given(false), result = given(true);
    if (n_ == 1) {
      copy(result, source, half_);
      others(result);
    } else if (!plan(whole(result, source))) {
      // The last axis alone, packed; then the others in the result's memory.
      Scratch input(device_, bytes(n_, real_), stream_), output(device_, bytes(half_, p_.dtype), stream_);
      const RealSide in = packed(input.data(), real_, n_), out = packed(output.data(), p_.dtype, half_);
      copy(in, source, n_);
      execute(last_axis(out, in));
      copy(result, out, half_);
      others(result);
    }
    if (p_.inverse) copy(result, result, half_, true);
    if (p_.scale != 1) scale(result);
  }

  void backward() {
    const RealSide result = given(true);
    Scratch memory(device_, bytes(half_, p_.dtype), stream_);
    const RealSide work = packed(memory.data(), p_.dtype, half_);
    copy(work, given(false), half_, !p_.inverse);  // cuFFT's transform to real numbers is the inverse one
    if (p_.scale != 1) scale(work);
    others(work);
    clear_meaningless(work);
    if (n_ == 1) {
      copy(result, work, 1);
    } else if (!plan(last_axis(result, work))) {
      Scratch real_memory(device_, bytes(n_, real_), stream_);
      const RealSide out = packed(real_memory.data(), real_, n_);
      execute(last_axis(out, work));
      copy(result, out, n_);
    }
  }

 private:
  RealSide given(bool destination) const {
    RealSide out{destination ? p_.to : const_cast<void*>(p_.from), destination == to_real_ ? real_ : p_.dtype, {}};
    for (const auto* list : {&p_.batch, &p_.axes})
      for (const FftAxis& a : *list) out.strides.push_back(destination ? a.to : a.from);
    return out;
  }
  // In C order, with `last` numbers along the last axis.
  RealSide packed(void* data, Dtype dtype, int64_t last) const {
    RealSide out{data, dtype, std::vector<int64_t>(extents_.size())};
    int64_t stride = 1;
    for (size_t i = extents_.size(); i-- > 0;) {
      out.strides[i] = stride;
      stride *= i + 1 == extents_.size() ? last : extents_[i];
    }
    return out;
  }
  uint64_t bytes(int64_t last, Dtype dtype) const {
    uint64_t count = uint64_t(last);
    for (size_t i = 0; i + 1 < extents_.size(); ++i) count *= uint64_t(extents_[i]);
    return count * dtype_bytes(dtype);
  }
  std::vector<CopyAxis> axes(const RealSide& to, const RealSide& from, int64_t last) const {
    std::vector<CopyAxis> out;
    for (size_t i = 0; i < extents_.size(); ++i) {
      const int64_t extent = i + 1 == extents_.size() ? last : extents_[i];
      if (extent > 1)
        out.push_back({extent, to.strides[i] * dtype_bytes(to.dtype), from.strides[i] * dtype_bytes(from.dtype)});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const CopyAxis& a, const CopyAxis& b) { return std::abs(a.to) > std::abs(b.to); });
    return out;
  }
  void copy(const RealSide& to, const RealSide& from, int64_t last, bool conjugate = false) {
    CopyProblem problem{to.data, from.data, to.dtype, from.dtype, dtype_bytes(to.dtype), axes(to, from, last)};
    if (conjugate) return copy_conjugated(device_, problem, stream_);
    if (to.dtype == from.dtype) problem.to_dtype = problem.from_dtype = TENON_DTYPE(1, dtype_bits(to.dtype), 1);
    device_.run(problem, stream_);
  }
  void scale(const RealSide& complex) {
    scale_complex(device_, complex.data, p_.dtype, axes(complex, complex, half_), p_.scale, stream_);
  }

  // The problem from one side to another.
  FftProblem between(const RealSide& to, const RealSide& from) const {
    FftProblem out = p_;
    out.to = to.data;
    out.from = from.data;
    out.scale = 1;
    size_t i = 0;
    for (auto* list : {&out.batch, &out.axes})
      for (FftAxis& a : *list) a.to = to.strides[i], a.from = from.strides[i], ++i;
    return out;
  }
  // All axes at once. The halved axis is the plan's last one; the others are ordered from the outermost to the
  // innermost.
  FftProblem whole(const RealSide& to, const RealSide& from) const {
    FftProblem p = between(to, from);
    std::stable_sort(p.axes.begin(), p.axes.end() - 1,
                     [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
    merge(p.batch);
    return p;
  }
  // The last axis alone: every other one is a batch axis.
  FftProblem last_axis(const RealSide& to, const RealSide& from) const {
    FftProblem p = between(to, from);
    p.batch.insert(p.batch.end(), p.axes.begin(), p.axes.end() - 1);
    p.axes.erase(p.axes.begin(), p.axes.end() - 1);
    merge(p.batch);
    return p;
  }
  void execute(const FftProblem& p) { cuda::execute(device_, p, *layout_of(p), stream_); }
  // Runs one plan; false: no plan can describe these strides.
  bool plan(const FftProblem& p) {
    const void* real = to_real_ ? p.to : p.from;
    if (reinterpret_cast<uintptr_t>(real) % uint64_t(complex_bytes(p))) return false;
    const std::optional<Layout> layout = layout_of(p);
    if (!good(layout, p)) return false;
    if (p.dtype == TENON_COMPLEX32 && (to_real_ ? layout->key.out_stride : layout->key.in_stride) != 1) return false;
    for (const FftAxis& a : layout->loops)
      if ((to_real_ ? a.to : a.from) % 2) return false;
    cuda::execute(device_, p, *layout, stream_);
    return true;
  }
  // Clears the imaginary parts of number 0 and, for an even length, of number n / 2 along the last axis of a packed
  // side.
  void clear_meaningless(const RealSide& packed) {
    const int64_t size = dtype_bytes(p_.dtype), lines = int64_t(bytes(1, p_.dtype)) / size;
    FillProblem zero{static_cast<char*>(packed.data) + size / 2, uint32_t(size / 2), {}, {{lines, half_ * size, 0}}};
    if (n_ % 2 == 0) zero.axes.push_back({2, (half_ - 1) * size, 0});
    device_.run(zero, stream_);
  }
  // All axes but the last, for complex numbers, in place.
  void others(const RealSide& complex) {
    if (p_.axes.size() == 1) return;
    FftProblem p = between(complex, complex);
    p.kind = FftKind::complex;
    p.inverse = to_real_;  // the direction of cuFFT's transforms between real and complex numbers
    p.axes.back().extent = half_;
    p.batch.push_back(p.axes.back());
    p.axes.pop_back();
    fft_complex(device_, p, stream_);
  }

  CudaDevice& device_;
  const FftProblem& p_;
  Stream& stream_;
  const Dtype real_;
  const int64_t n_, half_;
  const bool to_real_;
  std::vector<int64_t> extents_;
};

}  // namespace

void fft_real_to_complex(CudaDevice& device, const FftProblem& p, Stream& stream) {
  RealFft(device, p, stream).forward();
}
void fft_complex_to_real(CudaDevice& device, const FftProblem& p, Stream& stream) {
  RealFft(device, p, stream).backward();
}

}  // namespace tenon::cuda
