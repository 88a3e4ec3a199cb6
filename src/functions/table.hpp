// functions/table.hpp: the rows of table.py, and the properties that depend on dtypes alone: the dtype of a
// computation, and promotion.
#pragma once
#include <string>
#include "core/dtype.hpp"

namespace tenon::functions {

enum class FunctionKind { unary, binary, ternary, reduction, scan };

// Results whose dtype depends on the operands.
constexpr Dtype kSame = 0, kReal = 1;

// The library's own functions of three operands, and the first of the casts to integers: int8 to int64, then uint8 to
// uint64.
constexpr int32_t kNextFloat16 = 203, kNextBfloat16 = 204;
constexpr int32_t kClip = 201, kSelect = 202, kToInteger = 211;
constexpr int32_t kSquare = 5, kAbsSquared = 58, kDivide = 104, kSquaredDifference = 137, kExpDifference = 138,
                  kLogSum = 139;

struct Function {
  int32_t code;
  const char* name;  // "add"
  FunctionKind kind;
  const char* takes;     // letters of kind_of
  Dtype result;          // kSame, kReal or a dtype
  const char* body[5];   // CUDA C for each of "biufc"; NULL: that kind is not accepted
  const char* identity;  // of reductions and scans; "": none

  bool computes_in(char kind) const;
  const char* body_of(char kind) const;
};

// NULL: there is no function with that code.
const Function* find(int32_t code);
// The row with that code; throws INVALID_ARGUMENT, naming `call`, unless it is of that kind.
const Function& need(int32_t code, FunctionKind kind, const char* call);

// 'b', 'i', 'u', 'f' (float16 and bfloat16 too), 'c'; 0 for dtypes without arithmetic.
char kind_of(Dtype dtype);
// float32 for float16 and bfloat16; other dtypes unchanged.
Dtype wide_of(Dtype dtype);
// The dtype to which both are converted. Both must have arithmetic.
Dtype promoted(Dtype a, Dtype b);
// The dtype in which f is computed for operands of `dtype`; throws DTYPE if it accepts none of that kind.
Dtype computed_in(const Function& f, Dtype dtype);
// The row that computes f in this dtype: f's own, but for what depends on the digits of a 16-bit type.
const Function& row_for(const Function& f, Dtype compute);
// The result's dtype if f is computed in `dtype`.
Dtype result_of(const Function& f, Dtype dtype);

// The CUDA C of complex.cuh, real.cuh and complex_functions.cuh.
extern const char kComplexText[], kRealText[], kComplexFunctionsText[];

}  // namespace tenon::functions
