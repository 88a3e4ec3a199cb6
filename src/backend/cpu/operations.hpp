// backend/cpu/operations.hpp: the device's work as plain functions of a problem; each is complete on return.
#pragma once
#include <string>
#include "core/problem/compute.hpp"
#include "core/problem/dense.hpp"
#include "core/problem/operations.hpp"

namespace tenon::cpu {

// One `run` per operation: copy.cpp, and the files of linalg/, fft/ and native/.
#define TENON_ROW(problem, name, waits) void run(const problem&);
TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW

void copy_bytes(void* to, const void* from, uint64_t bytes);  // disjoint; at memory speed, on the pool

// A JSON object: the BLAS in use, its path and why it was chosen; the FFT library in use. Opens nothing.
std::string blas_report();
std::string fft_report();

}  // namespace tenon::cpu
