// backend/cuda/fft/plans.hpp: cuFFT's plans, kept per device and shared by its streams, and how strided axes become
// one.
#pragma once
#include <mutex>
#include <optional>
#include <vector>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

constexpr int kMaxPlanAxes = 3;  // limit of one cuFFT plan

// Everything that determines a plan. Compared and hashed as words.
struct PlanKey {
  int64_t type = 0, rank = 0, batch = 0;  // type: CUFFT_C2C ..., or the FftKind for complex32
  int64_t n[kMaxPlanAxes] = {}, in_embed[kMaxPlanAxes] = {}, out_embed[kMaxPlanAxes] = {};
  int64_t in_stride = 0, in_distance = 0, out_stride = 0, out_distance = 0;
};

// A problem as one plan and the axes over which a loop repeats it.
struct Layout {
  PlanKey key;
  std::vector<FftAxis> loops;
  int64_t launches = 1;
};

// Empty if no plan can describe the strides. The order of p.axes is the plan's.
std::optional<Layout> layout_of(const FftProblem& p);
// Is one plan enough, with few launches or large ones?
bool good(const std::optional<Layout>& layout, const FftProblem& p);
// Runs the plan, without p.scale. Real data must be aligned like complex numbers. May destroy the source of a transform
// to real numbers.
void execute(CudaDevice& device, const FftProblem& p, const Layout& layout, Stream& stream);

inline int64_t complex_bytes(const FftProblem& p) { return dtype_bytes(p.dtype); }

int64_t product(const std::vector<FftAxis>& axes);
// Merges batch axes that are contiguous with each other on both sides.
void merge(std::vector<FftAxis>& batch);
// The problem as an in-place one in the destination's memory.
FftProblem in_place(FftProblem p);

// fft.cpp: complex to complex, without p.scale. real.cpp: the others, with it.
void fft_complex(CudaDevice& device, const FftProblem& p, Stream& stream);
void fft_real_to_complex(CudaDevice& device, const FftProblem& p, Stream& stream);
void fft_complex_to_real(CudaDevice& device, const FftProblem& p, Stream& stream);
// cosine.cpp
void fft_cosine(CudaDevice& device, const FftProblem& p, Stream& stream);
// spectrum.cpp

}  // namespace tenon::cuda
