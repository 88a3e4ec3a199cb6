// backend/cuda/linalg/matmul/matmul.hpp: matrix products beyond plain cuBLAS: fused epilogues, float8 and measured
// algorithms by cuBLASLt, and operands packed into the form that products of one-byte elements require.
#pragma once
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

// Runs the whole problem, including its epilogue, by cuBLASLt. False: that is impossible or was not requested, and
// nothing was done.
bool matmul_lt(CudaDevice& device, const GemmProblem& problem, Stream& stream);
// A product of float8 in the packed form, without its epilogue. Throws UNSUPPORTED if the device has no such product.
void matmul_float8(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// Products of one-byte elements (int8, float8) require k along the unit stride of both operands, and extents, leading
// dimensions and addresses that are multiples of 16 bytes. Does the problem have this form?
bool packed_form(const GemmProblem& problem);
// Runs problems by `product`, which only gets the packed form: other operands are copied, matrix by matrix, and padded
// with zeros.
void multiply_packed(CudaDevice& device, const GemmProblem& problem, Stream& stream,
                     void (*product)(CudaDevice&, const GemmProblem&, Stream&));

}  // namespace tenon::cuda
