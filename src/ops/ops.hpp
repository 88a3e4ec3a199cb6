// ops/ops.hpp: what the operations mean: checks, result shapes, and one normal form per operation (core/problem.hpp).
#pragma once
#include "core/array.hpp"

namespace tenon::ops {

// c = alpha a b + beta c over batches; returns how many operands were packed.
int32_t gemm(std::complex<double> alpha, const Array& a, const Array& b, std::complex<double> beta, Array& c, int32_t compute,
             Stream* stream);
// axes empty with axis_count n: the last n axes.
void fft(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, int32_t direction, int32_t norm,
         Stream* stream);

struct SvdResult { Ref<Array> u, s, vh; };
SvdResult svd(const Array& a, int32_t mode, Stream* stream);

}  // namespace tenon::ops
