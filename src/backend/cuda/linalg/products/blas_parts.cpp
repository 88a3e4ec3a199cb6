// backend/cuda/linalg/products/blas_parts.cpp: products of float32 by tensor cores, with float32's accuracy: the
// operands are split into a part in TF32 and parts in bfloat16 (float_parts in numbers.cu). a b = high_a high_b +
// high_a low_b + low_a high_b; the last two are 2^-11 of the first, so bfloat16's 8 bits suffice for their factors:
// their error is 2^-20 of each term, with random sign.
#include <tenon/linalg.h>
#include <algorithm>
#include "backend/cuda/linalg/blas.hpp"
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {
namespace {

// Below these sizes the split and the many calls cost more than the tensor cores gain (H200: 1.3 times as fast as
// cuBLAS at 2048^3, 2.4 times at 4096^3), and short sums have errors of their own.
constexpr int64_t kShortest = 1024;
constexpr double kLeastWork = 2048.0 * 2048 * 2048;

// Tensor cores truncate sums, so an error grows with the number of terms: each chunk is added to c in float32. cuBLAS's
// own error grows with k too, so shorter sums leave less room below it.
int64_t chunk_of(int64_t k) { return k < 4096 ? 256 : 512; }

// The parts of one operand, as packed columns that begin at multiples of 16 bytes.
struct Parts {
  int64_t rows, columns, ld;
  Scratch memory;

  Parts(CudaDevice& device, Op op, int64_t rows_of_op, int64_t columns_of_op, Stream& stream)
      : rows(op == Op::none ? rows_of_op : columns_of_op),
        columns(op == Op::none ? columns_of_op : rows_of_op),
        ld((rows + 7) / 8 * 8),
        memory(device, uint64_t(ld * columns) * 8, stream) {}
  char* high() const { return static_cast<char*>(memory.data()); }
  char* rough() const { return high() + ld * columns * 4; }
  char* low() const { return rough() + ld * columns * 2; }

  void split(CudaDevice& device, const float* from, int64_t from_ld, Stream& stream) {
    const bool whole = rows % 4 == 0 && from_ld % 4 == 0 && reinterpret_cast<uintptr_t>(from) % 16 == 0;
    launch<Template::float_parts>(device, {{}, {}, uint16_t(whole ? 4 : 1)},
                                  {std::min<int64_t>(columns, 8 * std::max(device.info().multiprocessors, 1))}, stream,
                                  from, from_ld, rows, columns, high(), rough(), low(), ld);
  }
};

}  // namespace

bool parts_fit(CudaDevice& device, const GemmProblem& p) {
  const int capability = device.capability();
  return p.compute == TENON_COMPUTE_FAST && p.dtype == TENON_FLOAT32 && std::min({p.m, p.n, p.k}) >= kShortest &&
         double(p.m) * double(p.n) * double(p.k) >= kLeastWork &&
         (capability == 80 || capability == 90 || capability == 100);
}

void multiply_parts(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  Parts a(device, p.op_a, p.m, p.k, stream), b(device, p.op_b, p.k, p.n, stream);
  const int64_t chunk = chunk_of(p.k);
  // The distance in memory between neighbours along k.
  const int64_t step_a = p.op_a == Op::none ? a.ld : 1, step_b = p.op_b == Op::none ? 1 : b.ld;
  for (int64_t g = 0; g < p.batch; ++g) {
    if (g == 0 || p.stride_a != 0) a.split(device, static_cast<const float*>(p.a) + g * p.stride_a, p.lda, stream);
    if (g == 0 || p.stride_b != 0) b.split(device, static_cast<const float*>(p.b) + g * p.stride_b, p.ldb, stream);
    GemmProblem part = p;
    part.batch = 1;
    part.lda = a.ld, part.ldb = b.ld;
    part.c = static_cast<float*>(p.c) + g * p.stride_c;
    part.dtype = TENON_BFLOAT16, part.result = TENON_FLOAT32, part.compute = TENON_COMPUTE_STRICT;
    part.a = a.rough(), part.b = b.low();
    multiply(device, part, stream);
    part.beta = 1;
    part.a = a.low(), part.b = b.rough();
    multiply(device, part, stream);
    part.dtype = TENON_FLOAT32, part.compute = TENON_COMPUTE_TF32;
    for (int64_t first = 0; first < p.k; first += chunk) {
      part.k = std::min(chunk, p.k - first);
      part.a = a.high() + first * step_a * 4, part.b = b.high() + first * step_b * 4;
      multiply(device, part, stream);
    }
  }
}

}  // namespace tenon::cuda
