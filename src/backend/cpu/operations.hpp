// backend/cpu/operations.hpp: the device's work as plain functions of a problem; each is complete on return.
#pragma once
#include <span>
#include <string>
#include "core/compute.hpp"
#include "core/problem.hpp"

namespace tenon {
struct DenseProblem;  // core/dense.hpp
}

namespace tenon::cpu {

// copy.cpp
void copy_bytes(void* to, const void* from, uint64_t bytes);  // disjoint; at memory speed, on the pool
void copy(const CopyProblem& problem);
void fill(const FillProblem& problem);

// linalg/, fft/
void gemm(std::span<const GemmProblem> problems);  // independent of each other
void dense(const DenseProblem& problem);
void svd(const SvdProblem& problem);
void fft(const FftProblem& problem);  // a transform
void spectra_product(const FftProblem& problem);
void frequencies(const FftProblem& problem);

// native/compute.cpp
void elementwise(const ElementwiseProblem& problem);
void reduce(const ReduceProblem& problem);
void scan(const ScanProblem& problem);

// A JSON object: which BLAS serves, from where and why; what serves FFTs. Opens nothing.
std::string blas_report();
std::string fft_report();

}  // namespace tenon::cpu
