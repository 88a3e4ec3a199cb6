// ops/compute/compute.hpp: elementwise functions, reductions and scans, as specified in compute.h. A device with code
// of its own for them gets a problem in normal form (core/problem/compute.hpp); for others a kernel is generated from
// the table's text and kept by the context.
#pragma once
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "core/problem/compute.hpp"
#include "functions/table.hpp"
#include "kernel/generate/generated.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

// An operand: an array, a number with a dtype, or a number without a dtype of its own (weak).
struct ComputeArg {
  const Array* array = nullptr;
  const char* name = "x";
  Dtype dtype = 0;
  bool weak = false;
  alignas(16) unsigned char number[16] = {};
};

// The common dtype of the operands.
Dtype result_type(std::span<const ComputeArg> args);

struct ComputeOptions {
  bool compiled = false;  // TENON_APPLY_COMPILED
};
// f of 1 or 2 operands.
Ref<Array> elementwise(const functions::Function& f, std::span<ComputeArg> args, const ComputeOptions& options,
                       Stream* stream, const Output& out = {});
Ref<Array> select(std::span<ComputeArg, 3> args, const ComputeOptions& options, Stream* stream, const Output& out = {});
// A bound without a dtype (0) and without an array is not given.
Ref<Array> clip(std::span<ComputeArg, 3> args, const ComputeOptions& options, Stream* stream, const Output& out = {});
Ref<Array> cast(ComputeArg& x, Dtype dtype, const ComputeOptions& options, Stream* stream, const Output& out = {});

struct ReduceOptions {        // as in compute.h
  std::vector<int32_t> axes;  // normal, ascending
  bool keep = false, compiled = false;
  Dtype dtype = 0;
  double correction = 0;
};
Ref<Array> reduce(const functions::Function& f, ComputeArg& x, const ReduceOptions& options, Stream* stream,
                  const Output& out = {});

struct AccumulateOptions {
  int32_t axis = 0;
  bool exclusive = false, compiled = false;
  Dtype dtype = 0;
};
Ref<Array> accumulate(const functions::Function& f, ComputeArg& x, const AccumulateOptions& options, Stream* stream,
                      const Output& out = {});

// The axes of a reduction as a caller gives them, normal and ascending; none: all. Throws INVALID_ARGUMENT for one
// given twice.
std::vector<int32_t> reduced_axes(std::span<const int32_t> given, int32_t rank);
// The shape without the axes, or with 1 in their places.
Dims reduced_shape(const Dims& shape, const std::vector<int32_t>& axes, bool keep);

// --- shared by the files that implement this header ---

Device& device_of(std::span<const ComputeArg> args, const Array* given);
// Whether the function compares int64 with uint64, which have no common integer dtype: their common dtype, float64,
// would call neighbouring numbers equal.
bool mixes_signs(int32_t code, Dtype x, Dtype y);
// Whether the comparison holds if its first operand (else its second) is below the other one.
bool holds_below(int32_t code, bool first);
// Converts the number to bytes of `dtype` if it has no dtype yet; throws OVERFLOW and DTYPE.
void give_dtype(ComputeArg& arg, Dtype dtype);
ComputeOperand operand_of(const ComputeArg& arg);
// x as an array: a number becomes an array of rank 0.
Ref<Array> array_of(const ComputeArg& x, Device& device, Stream& stream);

// The final step for a sum: division by the count minus a correction, and the square root.
struct Finish {
  bool divide = false, root = false;
  double correction = 0;
};

// compute_reduce.cpp: the dtypes of a reduction's elements and of its result, and those of a scan. requested: the dtype
// in the options, or 0.
struct ReduceDtypes {
  Dtype in, result;
};
ReduceDtypes reduce_dtypes(const functions::Function& f, Dtype x, Dtype requested = 0);
struct ScanDtypes {
  Dtype accumulator, result;
};
ScanDtypes scan_dtypes(const functions::Function& f, Dtype x, Dtype requested);

// One pass over the elements: a reduction of the table, and before it a function of an element, or of an element and
// another operand.
struct ReducePass {
  int32_t function = 0, map = 0;
  Dtype mapped = 0, accumulator = 0;
  Finish finish;
};
// How f is computed from elements of dtype `in`, if that takes a single pass.
std::optional<ReducePass> only_pass(const functions::Function& f, Dtype in);

// What a kernel reduces or scans: an expression over its declared inputs.
struct Mapped {
  Dtype dtype;
  std::string declared, expression, preamble;
  bool complex_functions = false;  // the preamble has them
};

// compute_compiled.cpp: the same by kernels made from the table's text.
Ref<Reduction> reduction_of(const functions::Function& f, const ReducePass& pass, const Mapped& x, Dtype out,
                            GeneratedOptions options);
Ref<Scan> scan_of(const functions::Function& f, Dtype accumulator, const Mapped& x, Dtype out, bool exclusive,
                  GeneratedOptions options);
void elementwise_compiled(const functions::Function& f, Dtype compute, std::span<const ComputeArg> args, Array& out,
                          Stream& stream);
void reduce_compiled(const functions::Function& f, const ReducePass& pass, const Array& x, const Array* y,
                     std::span<const int32_t> axes, Array& out, Stream& stream);
// y = alpha x + y and x = alpha x, with one rounding per sum of real numbers; x broadcasts to y.
void axpy_compiled(std::complex<double> alpha, const Array& x, Array& y, Stream& stream);
void scal_compiled(std::complex<double> alpha, Array& x, Stream& stream);
// Euclidean norms along the last axis, which neither overflow nor vanish: in float64 for shorter dtypes, else in three
// sums for large, middle and small numbers (Blue 1978; Anderson, Algorithm 978, 2017). out: of the other axes, of the
// real dtype.
void nrm2_compiled(const Array& x, Array& out, Stream& stream);
void accumulate_compiled(const functions::Function& f, Dtype accumulator, const Array& x, int32_t axis, bool exclusive,
                         Array& out, Stream& stream);

}  // namespace tenon::ops
