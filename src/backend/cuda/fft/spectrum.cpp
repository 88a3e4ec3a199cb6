// backend/cuda/fft/spectrum.cpp: products of spectra, and frequencies (fft.cu).
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

void run(CudaDevice& device, const SpectraProductProblem& p, Stream& stream) {
  uint64_t count = uint64_t(p.count), period = uint64_t(p.period);
  uint32_t conjugates = p.conjugated;
  void* to = p.to;
  const void* from = p.from;
  void* params[] = {&to, &from, &count, &period, &conjugates};
  launch(device, {Template::spectra_product, element_of(dtype_real(p.dtype))}, striding_blocks(device, p.count), params,
         stream);
}

void run(CudaDevice& device, const FrequenciesProblem& p, Stream& stream) {
  void* to = p.to;
  uint64_t count = uint64_t(p.count), negative = uint64_t(p.negative);
  double scale = p.scale;
  void* params[] = {&to, &count, &negative, &scale};
  launch(device, {Template::frequencies}, striding_blocks(device, p.count), params, stream);
}

}  // namespace tenon::cuda
