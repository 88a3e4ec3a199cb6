// backend/cpu/native/compute/compute_loops.hpp: the CPU device's instances of the functions of functions/table.py.
//
// compute_loops.cpp is compiled several times: once with the bodies that call library functions, and once per
// instruction set with the others. As in copy_loops.hpp, it must not define inline functions that other objects use
// too.
#pragma once
#include "backend/cpu/copy_loops.hpp"

namespace tenon::cpu {

constexpr int32_t kFunctionCodes = 512;

// p[0] is the output, then the operands; strides in bytes. An output may be exactly an operand.
typedef void (*ApplyLoop)(char* const* p, const int64_t* step, int64_t count);
// *out = the reduction of count > 0 packed elements.
typedef void (*FoldLoop)(void* out, const void* x, int64_t count);
// The same for each of `rows` rows, row_step bytes apart; the results are packed.
typedef void (*FoldRowsLoop)(char* out, const char* x, int64_t row_step, int64_t count, int64_t rows);
// Combines kJoinedRows rows of packed elements, row_step bytes apart, column by column, and then sum, which comes
// before them, with the result; `first`: there is no sum yet.
constexpr int64_t kJoinedRows = 4;
typedef void (*JoinRowsLoop)(char* sum, const char* x, int64_t row_step, int64_t count, bool first);
// The first of the packed elements that equals value, or that is NaN if value is; count: none does.
typedef int64_t (*FindLoop)(const void* x, int64_t count, const void* value);
// Element k of out = the combination of carry and elements 0 to k of x, packed; carry becomes the last one. out may be
// x.
typedef void (*ScanLoop)(void* carry, void* out, const void* x, int64_t count);

struct ComputeRow {
  int32_t code;
  ElementType type;  // of the computation
  bool is_long;      // elementwise: are many instructions needed for an element?
  ApplyLoop apply;   // for reductions and scans: combines two elements
  FoldLoop fold;
  FoldRowsLoop fold_rows;
  JoinRowsLoop join_rows;  // of sums and products
  FindLoop find;           // of the largest and the smallest
  ScanLoop scan;
};
struct ComputeRows {
  const ComputeRow* rows;
  int32_t count;
};

extern const ComputeRows compute_rows_plain, compute_rows_base;
#if defined(__x86_64__)
// AVX2 and AVX-512; nothing is contracted, so the results are identical.
extern const ComputeRows compute_rows_v3, compute_rows_v4;
#endif

}  // namespace tenon::cpu
