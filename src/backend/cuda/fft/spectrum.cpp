// backend/cuda/fft/spectrum.cpp: products of spectra, and frequencies (fft.cu).
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

void spectra_product(CudaDevice& device, const FftProblem& p, Stream& stream) {
  uint64_t period = uint64_t(p.axes[0].extent);
  uint64_t count = period * uint64_t(product(p.batch));
  if (!p.batch.empty() && p.batch[0].from) period = count;
  uint32_t conjugates = p.inverse;
  void* to = p.to;
  const void* from = p.from;
  void* params[] = {&to, &from, &count, &period, &conjugates};
  launch(device, {Template::spectra_product, element_of(dtype_real(p.dtype))}, striding_blocks(device, count), params,
         stream);
}

void frequencies(CudaDevice& device, const FftProblem& p, Stream& stream) {
  void* to = p.to;
  uint64_t count = uint64_t(p.axes[0].extent), negative = uint64_t(p.negative);
  double scale = p.scale;
  void* params[] = {&to, &count, &negative, &scale};
  launch(device, {Template::frequencies}, striding_blocks(device, count), params, stream);
}

}  // namespace tenon::cuda
