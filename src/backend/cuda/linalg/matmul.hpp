// backend/cuda/linalg/matmul.hpp: matrix products beyond plain cuBLAS: fused epilogues, float8 and measured algorithms
// by cuBLASLt, and operands packed into the form that products of bytes take.
#pragma once
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

// The whole problem, its epilogue with it, by cuBLASLt. False: that is not possible or not asked for, and nothing was
// done.
bool matmul_lt(CudaDevice& device, const GemmProblem& problem, Stream& stream);
// A product of float8 of the packed form, without its epilogue. Throws UNSUPPORTED where the device has none.
void matmul_float8(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// Products of one-byte elements (int8, float8) want k along the unit stride of both operands, extents and leading
// dimensions of whole 16 bytes, and memory aligned to them. Is the problem of this form?
bool packed_form(const GemmProblem& problem);
// By `product`, which gets problems of this form: what is not so goes through copies, matrix by matrix, filled up with
// zeros.
void multiply_packed(CudaDevice& device, const GemmProblem& problem, Stream& stream,
                     void (*product)(CudaDevice&, const GemmProblem&, Stream&));

}  // namespace tenon::cuda
