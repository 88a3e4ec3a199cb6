// backend/cuda/kernels/numbers/numbers.hpp: linear algebra in addition to cuBLAS and cuSOLVER.
#pragma once
#include "backend/cuda/device.hpp"
#include "backend/cuda/operations.hpp"
#include "core/problem/dense.hpp"

namespace tenon::cuda {

// Is this product faster here than with cuBLAS? Many small ones of float32 or float64 are.
bool small_products_fit(const GemmProblem& problem);
void small_products(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// c = epilogue(c + bias), as described by the problem.
void apply_epilogue(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// to[i] = from[i] * factor + a random number in [-noise, noise), in float64; always the same numbers.
void scale_and_perturb(CudaDevice& device, void* to, const void* from, int64_t count, double factor, double noise,
                       Stream& stream);

// Steps of the refinement of eigenvectors in numbers.cu; w and gaps: n numbers of float64; dtype: TENON_FLOAT64 or
// TENON_COMPLEX128.
void eigen_defect(CudaDevice& device, Dtype dtype, void* s, const void* g, void* w, int64_t n, Stream& stream);
void eigen_gaps(CudaDevice& device, Dtype dtype, const void* s, const void* w, void* gaps, int64_t n, double top,
                double bound, Stream& stream);
void eigen_correction(CudaDevice& device, Dtype dtype, void* s, const void* g, const void* w, const void* gaps,
                      int64_t n, Stream& stream);
// Copies columns of `bytes` bytes, a multiple of 8, in the order of from_column (uint32, on the device).
void gather_columns(CudaDevice& device, void* to, const void* from, const void* from_column, int64_t columns,
                    int64_t bytes, Stream& stream);

// Are all `count` real numbers (TENON_FLOAT32 or 64) finite? Waits for the result.
bool all_finite(CudaDevice& device, const void* data, Dtype real, int64_t count, Stream& stream);
// numbers.cpp also defines `run` for the checks and for Rot, Swap, Rotg, Rotm, Rotmg and ExtremeProblem.

// Writes addresses to device memory, in order with the stream's other work; also in a graph of ours.
void put_addresses(CudaDevice& device, void* to, const std::vector<const void*>& list, Stream& stream);

// b = alpha a + b, or without a, b = alpha b, for m x n numbers of `batch` matrices with any strides (float16 to
// complex128). shape: m, n, batch and the dtype.
void combine(CudaDevice& device, const OnMatrices& shape, const Scalars& factor, const DenseMatrix& a,
             const DenseMatrix& b, Stream& stream);

struct NormLines {
  int64_t count, length, line_step, step, stride, last;
};  // strides in elements; last: the length of the last line
// A norm of every line of `batch` matrices (float16 to complex128), packed in `out`, which is real. kind: 0 the sum of
// absolute values, 1 the largest, 2 the Euclidean norm.
void line_norms(CudaDevice& device, void* out, Dtype out_dtype, const void* a, Dtype dtype, const NormLines& lines,
                int64_t batch, int kind, Stream& stream);
// Column-major m x n matrices keep one triangle; with `unit` the diagonal becomes 1.
void keep_triangle(CudaDevice& device, Dtype dtype, void* a, int64_t ld, int64_t stride, int64_t m, int64_t n,
                   int64_t batch, bool upper, bool unit, Stream& stream);

// Can jacobi() process matrices of this size? It can if they are small.
bool jacobi_fits(CudaDevice& device, int64_t m, int64_t n, int64_t uc);
// Singular value decompositions of `batch` matrices, packed, column-major, m x n with m >= n: u is m x uc, vh n x n,
// both NULL for values only. Returns the index of a matrix that did not converge, or -1. Waits.
int64_t jacobi(CudaDevice& device, Dtype dtype, int64_t m, int64_t n, int64_t uc, int64_t batch, const void* a, void* s,
               void* u, void* vh, Stream& stream);

}  // namespace tenon::cuda
