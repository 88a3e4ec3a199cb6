// backend/cuda/kernels/copy/copy.hpp: the strided kernels that the other files of this backend use too.
#pragma once
#include <vector>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

// Like CudaDevice::copy for complex numbers (TENON_COMPLEX64 or 128, the same on both sides), conjugating them.
void copy_conjugated(CudaDevice& device, const CopyProblem& problem, Stream& stream);

// Multiplies complex numbers by a real factor in place; `from` strides are unused.
void scale_complex(CudaDevice& device, void* data, Dtype dtype, const std::vector<CopyAxis>& axes, double factor,
                   Stream& stream);

}  // namespace tenon::cuda
