// backend/cuda/linalg/matmul/matmul_measure.cpp: determines the fastest algorithm for a product, by running it.
#include <algorithm>
#include <cmath>
#include "backend/cuda/linalg/matmul/matmul_plan.hpp"

namespace tenon::cuda {
namespace {

constexpr int kOffers = 16;
constexpr int kRounds = 4;       // after a first one, which removes the slow algorithms
constexpr double kSlow = 1.25;   // relative to the best
constexpr double kRound = 1.0;   // approximate duration in milliseconds of runs that are timed together
constexpr double kEnough = 100;  // milliseconds per run above which a run is not repeated

struct Candidate {
  cublasLtMatmulHeuristicResult_t algorithm;
  bool cublas;
  double time;  // milliseconds per run, the best so far
};

}  // namespace

void measure(MatmulPlan& plan, const GemmProblem& problem, Stream& stream, const Accepts& accepts) {
  CudaDevice& device = plan.device;
  const GemmTypes factors = types_of(problem);
  // The caller's c is not changed.
  const Scratch result(device, result_bytes(problem), stream);
  {
    auto scope = device.activate();
    device.check(device.driver().cuMemsetD8Async(address(result.data()), 0, result.bytes(), handle_of(stream)),
                 "cuMemsetD8Async");
  }
  GemmProblem elsewhere = problem;
  elsewhere.c = result.data();
  const auto run = [&](const Candidate& one) {
    if (!one.cublas) return plan.run(one.algorithm, problem, factors, result.data(), stream);
    multiply(device, elsewhere, stream);
    return CUBLAS_STATUS_SUCCESS;
  };

  std::vector<Candidate> candidates;
  for (const auto& offer : plan.offers(kOffers, stream)) candidates.push_back({offer, false, INFINITY});
  if (!problem.has_epilogue() && !dtype_float8(problem.dtype)) candidates.push_back({{}, true, INFINITY});
  // The first run of each algorithm loads its code.
  std::erase_if(candidates, [&](const Candidate& one) {
    return run(one) != CUBLAS_STATUS_SUCCESS || !(one.cublas || accepts(one.algorithm));
  });
  if (candidates.empty()) return;

  const auto fastest = [&] {
    return std::min_element(candidates.begin(), candidates.end(),
                            [](const Candidate& x, const Candidate& y) { return x.time < y.time; });
  };
  const Ref<Event> start = device.create_event(true), end = device.create_event(true);
  const auto time = [&](Candidate& one, int runs) {
    start->record(stream);
    for (int i = 0; i < runs; ++i) check_blas(device, run(one), "cublasLtMatmul");
    end->record(stream);
    end->synchronize();
    one.time = std::min(one.time, end->elapsed_since(*start) / runs);
  };
  if (candidates.size() > 1)
    for (Candidate& one : candidates) time(one, 1);
  for (int round = 0; round < kRounds && candidates.size() > 1 && fastest()->time < kEnough; ++round) {
    const double best = fastest()->time;
    // The time of a single run includes its launch: the next round, with several runs, is fairer to fast algorithms.
    std::erase_if(candidates, [&](const Candidate& one) { return one.time > best * kSlow + (round ? 0 : 0.02); });
    const int runs = int(std::clamp(kRound / std::max(best, 1e-3), 1.0, 50.0));
    for (Candidate& one : candidates) time(one, runs);
  }
  plan.chosen = fastest()->algorithm;
  plan.by_cublas = fastest()->cublas;
  plan.possible = true;
}

}  // namespace tenon::cuda
