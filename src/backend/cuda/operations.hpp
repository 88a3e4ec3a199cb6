// backend/cuda/operations.hpp: the operations of core/problem/operations.hpp on CUDA, which the device's table lists.
#pragma once
#include "core/problem/operations.hpp"

namespace tenon {
class Stream;
}

namespace tenon::cuda {

class CudaDevice;

// Enqueues the operation on the stream. kernels/ defines `run` for operations done by our own kernels, linalg/ and fft/
// for the others.
#define TENON_ROW(problem, name, waits) void run(CudaDevice& device, const problem& p, Stream& stream);
TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW

}  // namespace tenon::cuda
