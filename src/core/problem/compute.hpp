// core/problem/compute.hpp: the normal form of elementwise functions, reductions and scans, for devices with
// compiled-in code for them. ops/ has checked everything: dtypes, extents, devices, overlap; sizes are positive.
#pragma once
#include <cstdint>
#include "core/dtype.hpp"

namespace tenon {

constexpr int32_t kComputeAxes = 64, kComputeOperands = 4;

// An operand in memory, or a number.
struct ComputeOperand {
  void* data = nullptr;  // address of element 0; NULL: the operand is the number
  Dtype dtype = 0;
  alignas(16) unsigned char number[16] = {};
};

// A loop over kComputeOperands operands; strides in bytes, 0 for numbers and for operands that the problem does not
// have. Axes are merged where all strides allow it.
struct ComputeLoop {
  int32_t rank = 0;
  int64_t extent[kComputeAxes];
  int64_t stride[kComputeOperands][kComputeAxes];
};

// operand[0] = function(operand[1], ...), computed in `compute`; the function returns `result`, which is converted to
// operand[0]'s dtype. select computes in operand[0]'s dtype, and its first operand is the condition. Axes are sorted by
// operand[0]'s strides.
struct ElementwiseProblem {
  int32_t function = 0;
  Dtype compute = 0, result = 0;
  int32_t operands = 0;
  ComputeOperand operand[kComputeOperands];
  ComputeLoop loop;
};

// operand[0] = the reduction of operand[1] over the axes [kept, rank), which are in C order of x (for argmax, the
// position counts in this order). Each element is converted to `mapped`; `map`, if not 0, is applied to it (and to
// operand[2], if there is one, which has stride 0 along the reduced axes); the value is converted to `accumulator`, in
// which the reduction is done. The result is divided by `divisor`, and its square root is taken if requested.
struct ReduceProblem {
  int32_t function = 0;  // TENON_FN_SUM, PROD, MAX, MIN, ALL, ANY, ARGMAX, ARGMIN
  int32_t map = 0;
  Dtype mapped = 0, accumulator = 0;
  int32_t operands = 2;
  ComputeOperand operand[3];
  int32_t kept = 0;
  ComputeLoop loop;
  bool divide = false, root = false;
  double divisor = 0;
};

// operand[0] = the scan of operand[1] along the last axis, in `accumulator`.
struct ScanProblem {
  int32_t function = 0;
  Dtype accumulator = 0;
  bool exclusive = false;
  ComputeOperand operand[2];
  ComputeLoop loop;
};

}  // namespace tenon
