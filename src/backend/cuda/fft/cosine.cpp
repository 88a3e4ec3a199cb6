// backend/cuda/fft/cosine.cpp: cosine and sine transforms: cuFFT's transforms between two kernels (fft.cu), axis after
// axis.
#include <algorithm>
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

namespace {

// One axis of a problem: its rows, packed.
class Cosine {
 public:
  Cosine(CudaDevice& device, const FftProblem& p, Stream& stream)
      : device_(device), p_(p), stream_(stream), real_(dtype_real(p.dtype)), bytes_(dtype_bytes(real_)) {
    for (const auto* list : {&p.batch, &p.axes})
      for (const FftAxis& a : *list) axes_.push_back(a), size_ *= uint64_t(a.extent);
  }

  // `axis` of p.axes; the first one reads the source, the others the destination.
  void run(size_t axis) {
    const size_t at = p_.batch.size() + axis;
    const uint64_t n = uint64_t(axes_[at].extent), rows = size_ / n;
    const bool sine = p_.kind == FftKind::sine, plain = p_.type <= 2;
    const uint64_t before = p_.type == 1   ? (sine ? 2 * (n + 1) : 2 * (n - 1))
                            : p_.type == 2 ? n
                            : p_.type == 3 ? n / 2 + 1
                            : n % 2        ? 2 * n
                                           : n / 2;
    const uint64_t after = plain ? before / 2 + 1 : p_.type == 3 ? n : before;
    const uint64_t complex_bytes = 2 * uint64_t(bytes_);
    Scratch packed(device_, size_ * uint64_t(bytes_), stream_),
        middle(device_, rows * before * (plain ? uint64_t(bytes_) : complex_bytes), stream_);
    Scratch result(device_, p_.type == 4 ? 0 : rows * after * (plain ? complex_bytes : uint64_t(bytes_)), stream_);
    copy(packed.data(), at, axis == 0, true);
    kernel<Template::cosine_before>(packed.data(), middle.data(), rows, n, rows * before, 1);

    FftProblem fft{};
    fft.kind = plain ? FftKind::real_to_complex : p_.type == 3 ? FftKind::complex_to_real : FftKind::complex;
    fft.dtype = p_.dtype;
    fft.from = middle.data();
    fft.to = p_.type == 4 ? middle.data() : result.data();
    fft.inverse = p_.type == 3;
    fft.scale = 1;
    fft.axes = {{int64_t(p_.type == 3 ? n : before), 1, 1}};
    if (rows > 1) fft.batch = {{int64_t(rows), int64_t(after), int64_t(before)}};
    if (plain) fft_real_to_complex(device_, fft, stream_);
    else if (p_.type == 3) fft_complex_to_real(device_, fft, stream_);
    else fft_complex(device_, fft, stream_);

    kernel<Template::cosine_after>(fft.to, packed.data(), rows, n, size_, axis == 0 ? p_.scale : 1);
    copy(packed.data(), at, false, false);
  }

 private:
  // Copies between the packed rows and the problem's source or destination.
  void copy(void* packed, size_t along, bool source, bool gather) {
    std::vector<CopyAxis> list;
    int64_t stride = bytes_;
    const auto add = [&](size_t i) {
      const int64_t given = (source ? axes_[i].from : axes_[i].to) * bytes_;
      if (axes_[i].extent > 1) list.push_back({axes_[i].extent, gather ? stride : given, gather ? given : stride});
      stride *= axes_[i].extent;
    };
    add(along);
    for (size_t i = axes_.size(); i-- > 0;)
      if (i != along) add(i);
    std::stable_sort(list.begin(), list.end(),
                     [](const CopyAxis& a, const CopyAxis& b) { return std::abs(a.to) > std::abs(b.to); });
    const Dtype plain = TENON_DTYPE(1, uint32_t(bytes_ * 8), 1);
    void* there = source ? const_cast<void*>(p_.from) : p_.to;
    device_.run(CopyProblem{gather ? packed : there, gather ? there : packed, plain, plain, uint32_t(bytes_), list},
                stream_);
  }

  template <Template which>
  void kernel(const void* from, void* to, uint64_t rows, uint64_t n, uint64_t numbers, double scale) {
    const work::CosineRows arguments{from,          to,   rows, n, uint32_t(p_.type), p_.kind == FftKind::sine,
                                     p_.orthogonal, scale};
    launch<which>(device_, {element_of(real_)}, {striding_blocks(device_, numbers)}, stream_, arguments);
  }

  CudaDevice& device_;
  const FftProblem& p_;
  Stream& stream_;
  const Dtype real_;
  const int64_t bytes_;
  std::vector<FftAxis> axes_;  // the batch's, then the transformed ones
  uint64_t size_ = 1;
};

}  // namespace

void fft_cosine(CudaDevice& device, const FftProblem& p, Stream& stream) {
  Cosine cosine(device, p, stream);
  for (size_t i = 0; i < p.axes.size(); ++i) cosine.run(i);
}

}  // namespace tenon::cuda
