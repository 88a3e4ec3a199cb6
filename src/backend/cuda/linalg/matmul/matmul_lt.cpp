// backend/cuda/linalg/matmul/matmul_lt.cpp: selects the products for cuBLASLt, and stores the algorithms chosen for
// them.
#include <tenon/linalg.h>
#include <climits>
#include <cmath>
#include <map>
#include <optional>
#include "backend/cuda/graph.hpp"
#include "backend/cuda/linalg/matmul/matmul.hpp"
#include "backend/cuda/linalg/matmul/matmul_plan.hpp"
#include "backend/cuda/kernels/numbers/numbers.hpp"
#include "backend/cuda/linalg/plan_cache.hpp"
#include "base/half.hpp"
#include "base/json.hpp"

namespace tenon::cuda {

struct MatmulState {
  PlanCache<MatmulKey, MatmulPlan> plans{256};
  std::mutex mutex;  // for the members below
  std::optional<const CublasLt*> library;
  // Whether ReLU keeps NaN in the kernels of an algorithm, by its id and the types of the operands and the result.
  std::map<std::array<int64_t, 4>, bool> keeps_nan;
  uint64_t measured = 0;
};

namespace {

MatmulState& matmul_state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.matmul_state) device.matmul_state = std::make_shared<MatmulState>();
  return *device.matmul_state;
}

const CublasLt* library_of(MatmulState& state) {
  std::lock_guard lock(state.mutex);
  if (!state.library) state.library = usable_cublaslt();
  return *state.library;
}

bool narrow(Dtype dtype) { return dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16; }

// Can cuBLASLt compute all of it, and is that more than cuBLAS can?
bool fits(const GemmProblem& p) {
  const bool bytes = dtype_float8(p.dtype);
  if (p.dtype == TENON_INT8 || p.batch > INT_MAX || small_products_fit(p)) return false;
  if (bytes && !packed_form(p)) return false;
  if (!p.has_epilogue()) return bytes || p.tune;
  if (p.bias && (p.bias_of_columns || reinterpret_cast<uintptr_t>(p.bias) % kBiasAlignment)) return false;
  // Its GELU is the tanh form, which is accurate enough for float16 and bfloat16; it has none for float64.
  return p.result_dtype() != TENON_FLOAT64 && (p.epilogue != TENON_EPILOGUE_GELU || narrow(p.result_dtype()));
}

bool is_nan(const void* element, Dtype dtype) {
  uint32_t bits = 0;
  std::memcpy(&bits, element, dtype_bytes(dtype));
  if (dtype == TENON_FLOAT16) return std::isnan(base::half_to_float(uint16_t(bits)));
  return std::isnan(std::bit_cast<float>(dtype == TENON_BFLOAT16 ? bits << 16 : bits));
}

// The vendor's documentation specifies max(x, 0), without mentioning NaN. So the first product of an algorithm is
// tested with NaN for alpha, into a separate result, which must then be all NaN.
bool keeps_nan(MatmulPlan& plan, const cublasLtMatmulHeuristicResult_t& algorithm, const GemmProblem& p,
               Stream& stream) {
  CudaDevice& device = plan.device;
  int32_t number = 0;
  size_t written = 0;
  if (plan.lt.cublasLtMatmulAlgoConfigGetAttribute(&algorithm.algo, CUBLASLT_ALGO_CONFIG_ID, &number, sizeof number,
                                                   &written))
    return false;
  const std::array<int64_t, 4> key{number, plan.key.data_a, plan.key.data_b, plan.key.result};
  MatmulState& state = matmul_state_of(device);
  {
    std::lock_guard lock(state.mutex);
    if (const auto found = state.keeps_nan.find(key); found != state.keeps_nan.end()) return found->second;
  }
  GemmProblem trial = p;
  trial.alpha = NAN;
  trial.beta = 0;
  const uint32_t size = dtype_bytes(p.result_dtype());
  const Scratch result(device, result_bytes(p), stream);
  bool kept = plan.run(algorithm, trial, types_of(trial), result.data(), stream) == CUBLAS_STATUS_SUCCESS;
  for (const uint64_t at : {uint64_t(0), result.bytes() - size}) {
    char element[4];
    device.download(element, static_cast<const char*>(result.data()) + at, size, false, stream);
    kept = kept && is_nan(element, p.result_dtype());
  }
  std::lock_guard lock(state.mutex);
  return state.keeps_nan.try_emplace(key, kept).first->second;
}

// Skips a trial for lack of memory; true means that it was not skipped.
template <class F> bool with_memory(F&& trial) {
  try {
    trial();
    return true;
  } catch (const Error& error) {
    if (error.status != TENON_ERROR_OUT_OF_MEMORY) throw;
    return false;
  }
}

std::shared_ptr<MatmulPlan> add_plan(CudaDevice& device, const CublasLt& lt, const GemmProblem& p, bool tune,
                                     Stream& stream) {
  MatmulState& state = matmul_state_of(device);
  auto plan = std::make_shared<MatmulPlan>(device, lt, p);
  const bool tried = p.epilogue == TENON_EPILOGUE_RELU;
  const Accepts accepts = [&](const cublasLtMatmulHeuristicResult_t& one) {
    return !tried || keeps_nan(*plan, one, p, stream);
  };
  if (tune && with_memory([&] { measure(*plan, p, stream, accepts); })) {
    std::lock_guard lock(state.mutex);
    ++state.measured;
  }
  plan->tuned = tune;
  if (!tune || !plan->possible)
    with_memory([&] {
      for (const auto& one : plan->offers(tried ? 8 : 1, stream)) {
        if (!accepts(one)) continue;
        plan->chosen = one;
        plan->possible = true;
        return;
      }
    });
  return state.plans.add(plan->key, plan, true);
}

std::shared_ptr<MatmulPlan> plan_of(CudaDevice& device, const CublasLt& lt, const GemmProblem& p, Stream& stream) {
  std::shared_ptr<MatmulPlan> found = matmul_state_of(device).plans.find(key_of(p));
  // While another library captures the stream, nothing can be waited for.
  const bool tune = p.tune && !(found && found->tuned) && !stream.capturing();
  if (found && !tune) return found;
  if (!tune && p.epilogue != TENON_EPILOGUE_RELU) return add_plan(device, lt, p, tune, stream);
  device.refuse_foreign_capture(stream, "cuBLASLt's ReLU must be tested with NaN");
  auto made = std::make_shared<std::shared_ptr<MatmulPlan>>();
  Stream& tried = static_cast<CudaStream&>(stream).captured_by_us() ? device.default_stream() : stream;
  device.beside_capture(stream, "cuBLASLt's algorithms must be measured",
                        [&device, &lt, p, tune, &tried, made] { *made = add_plan(device, lt, p, tune, tried); });
  return *made;
}

// False: there is no algorithm.
bool run(CudaDevice& device, const CublasLt& lt, const GemmProblem& p, Stream& stream) {
  const std::shared_ptr<MatmulPlan> plan = plan_of(device, lt, p, stream);
  if (!plan->possible) return false;
  if (plan->by_cublas) return multiply(device, p, stream), true;
  const int status = plan->run(plan->chosen, p, types_of(p), p.c, stream);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return plan->possible = false;  // it does not support what it offered
  check_blas(device, status, "cublasLtMatmul");
  return true;
}

}  // namespace

bool matmul_lt(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  TENON_REQUIRE(
      !dtype_float8(p.dtype) || device.capability() >= 89, TENON_ERROR_UNSUPPORTED,
      "a matrix product of float8 needs compute capability 8.9 or later, and %s has %d.%d: use operands of float16 "
      "there",
      device.name().c_str(), device.capability() / 10, device.capability() % 10);
  if (!fits(p)) return false;
  const CublasLt* lt = library_of(matmul_state_of(device));
  return lt && run(device, *lt, p, stream);
}

void matmul_float8(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  for (const SymbolRow* row : cublaslt().rows)
    if (!*row) missing_symbol(*row);
  GemmProblem product = p;
  product.epilogue = TENON_EPILOGUE_NONE;
  product.bias = nullptr;
  TENON_REQUIRE(run(device, cublaslt(), product, stream), TENON_ERROR_UNSUPPORTED,
                "cuBLASLt has no algorithm on %s for a product of %s and %s to %s: use operands of float16 there",
                device.name().c_str(), dtype_name(p.dtype).c_str(), dtype_name(p.b_dtype()).c_str(),
                dtype_name(p.result_dtype()).c_str());
}

std::string matmul_plans_report(CudaDevice& device) {
  MatmulState& state = matmul_state_of(device);
  base::Json out = state.plans.report();
  std::lock_guard lock(state.mutex);
  out["measured"] = state.measured;
  return out.dump();
}

}  // namespace tenon::cuda
