// backend/cuda/fft/spectrum.cpp: products of spectra, and frequencies (fft.cu).
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

void run(CudaDevice& device, const SpectraProductProblem& p, Stream& stream) {
  const uint64_t count = uint64_t(p.count);
  launch<Template::spectra_product>(device, {element_of(dtype_real(p.dtype))}, {striding_blocks(device, count)}, stream,
                                    p.to, p.from, count, uint64_t(p.period), uint32_t(p.conjugated));
}

void run(CudaDevice& device, const FrequenciesProblem& p, Stream& stream) {
  const uint64_t count = uint64_t(p.count);
  launch<Template::frequencies>(device, {}, {striding_blocks(device, count)}, stream, p.to, count, uint64_t(p.negative),
                                p.scale);
}

}  // namespace tenon::cuda
