// backend/cuda/linalg/matmul/matmul_plan.cpp: describes products to cuBLASLt, requests algorithms from it, and enqueues
// them.
#include "backend/cuda/linalg/matmul/matmul_plan.hpp"

#include <tenon/linalg.h>
#include <algorithm>
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {
namespace {

int64_t alignment(const void* data) {
  const auto address = reinterpret_cast<uintptr_t>(data);
  return int64_t(std::min<uintptr_t>(address & (~address + 1), 256));
}

int scale_type(int compute, bool is_complex) {
  if (compute == CUBLAS_COMPUTE_64F) return is_complex ? CUDA_C_64F : CUDA_R_64F;
  return is_complex ? CUDA_C_32F : CUDA_R_32F;
}

bool is_complex(int64_t data) { return data == CUDA_C_32F || data == CUDA_C_64F; }

uint32_t epilogue_of(const MatmulKey& key) {
  uint32_t out = key.biased ? CUBLASLT_EPILOGUE_BIAS : 0;
  if (key.epilogue == TENON_EPILOGUE_RELU) out |= CUBLASLT_EPILOGUE_RELU;
  if (key.epilogue == TENON_EPILOGUE_GELU) out |= CUBLASLT_EPILOGUE_GELU;
  return out ? out : CUBLASLT_EPILOGUE_DEFAULT;
}

}  // namespace

MatmulKey key_of(const GemmProblem& p) {
  const GemmTypes t = types_of(p);
  return {t.data,
          data_type_of(p.b_dtype()),
          t.result,
          t.compute,
          p.m,
          p.n,
          p.k,
          op_of(p.op_a),
          op_of(p.op_b),
          p.lda,
          p.ldb,
          p.ldc,
          p.batch,
          p.stride_a,
          p.stride_b,
          p.stride_c,
          p.epilogue,
          p.bias != nullptr,
          p.beta != 0.0,
          alignment(p.a),
          alignment(p.b),
          alignment(p.c)};
}

const CublasLt* usable_cublaslt() {
  try {
    const CublasLt& lt = cublaslt();
    return std::all_of(lt.rows.begin(), lt.rows.end(), [](const SymbolRow* row) { return bool(*row); }) ? &lt : nullptr;
  } catch (const Error& error) {
    if (error.status != TENON_ERROR_MISSING_LIBRARY) throw;
    return nullptr;
  }
}

uint64_t result_bytes(const GemmProblem& p) {
  return uint64_t(p.stride_c * (p.batch - 1) + p.ldc * (p.n - 1) + p.m) * dtype_bytes(p.result_dtype());
}

MatmulPlan::MatmulPlan(CudaDevice& d, const CublasLt& library, const GemmProblem& problem)
    : device(d), lt(library), key(key_of(problem)) {
  try {
    set_up();
  } catch (...) {
    destroy();
    throw;
  }
}

MatmulPlan::~MatmulPlan() { destroy(); }

void MatmulPlan::destroy() noexcept {
  if (!device.usable()) return;  // the library may have been unloaded
  for (cublasLtMatrixLayout_t layout : {a_, b_, c_})
    if (layout) lt.cublasLtMatrixLayoutDestroy(layout);
  if (matmul_) lt.cublasLtMatmulDescDestroy(matmul_);
}

void MatmulPlan::set_up() {
  check_blas(
      device,
      lt.cublasLtMatmulDescCreate(&matmul_, int(key.compute), scale_type(int(key.compute), is_complex(key.data_a))),
      "cublasLtMatmulDescCreate");
  const auto describe = [this](int attribute, const auto& value) {
    check_blas(device, lt.cublasLtMatmulDescSetAttribute(matmul_, attribute, &value, sizeof value),
               "cublasLtMatmulDescSetAttribute");
  };
  describe(CUBLASLT_MATMUL_DESC_TRANSA, int32_t(key.op_a));
  describe(CUBLASLT_MATMUL_DESC_TRANSB, int32_t(key.op_b));
  describe(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(key));
  if (key.biased) {
    // Without a computation only its alignment matters.
    describe(CUBLASLT_MATMUL_DESC_BIAS_POINTER, reinterpret_cast<const void*>(kBiasAlignment));
    // For other types the bias has the result's type by default.
    if (key.data_a == CUDA_R_8F_E4M3 || key.data_a == CUDA_R_8F_E5M2)
      describe(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, int32_t(key.result));
  }
  const auto layout = [this](cublasLtMatrixLayout_t& out, int64_t type, int64_t op, int64_t rows, int64_t columns,
                             int64_t ld, int64_t stride) {
    if (op != CUBLAS_OP_N) std::swap(rows, columns);
    check_blas(device, lt.cublasLtMatrixLayoutCreate(&out, int(type), uint64_t(rows), uint64_t(columns), ld),
               "cublasLtMatrixLayoutCreate");
    if (key.batch == 1) return;
    const auto count = int32_t(key.batch);
    check_blas(device,
               lt.cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
               "cublasLtMatrixLayoutSetAttribute");
    check_blas(
        device,
        lt.cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
        "cublasLtMatrixLayoutSetAttribute");
  };
  layout(a_, key.data_a, key.op_a, key.m, key.k, key.lda, key.stride_a);
  layout(b_, key.data_b, key.op_b, key.k, key.n, key.ldb, key.stride_b);
  layout(c_, key.result, CUBLAS_OP_N, key.m, key.n, key.ldc, key.stride_c);
}

std::vector<cublasLtMatmulHeuristicResult_t> MatmulPlan::offers(int most, Stream& stream) {
  struct Preference {
    const CublasLt& lt;
    cublasLtMatmulPreference_t handle = nullptr;
    ~Preference() {
      if (handle) lt.cublasLtMatmulPreferenceDestroy(handle);
    }
  } preference{lt};
  check_blas(device, lt.cublasLtMatmulPreferenceCreate(&preference.handle), "cublasLtMatmulPreferenceCreate");
  const auto prefer = [&](int attribute, const auto& value) {
    check_blas(device, lt.cublasLtMatmulPreferenceSetAttribute(preference.handle, attribute, &value, sizeof value),
               "cublasLtMatmulPreferenceSetAttribute");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, blas_workspace_bytes(device));
  // Partial sums are added in the compute type, never in the result's type.
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, uint32_t(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, uint32_t(key.align_a));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, uint32_t(key.align_b));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, uint32_t(key.align_c));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, uint32_t(key.align_c));

  std::vector<cublasLtMatmulHeuristicResult_t> results(size_t(most), cublasLtMatmulHeuristicResult_t{});
  int found = 0;
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const RelaxedCapture relaxed(device, stream);
  std::lock_guard lock(mutex_);
  const int status = lt.cublasLtMatmulAlgoGetHeuristic(lease.lt_handle(), matmul_, a_, b_, c_, c_, preference.handle,
                                                       most, results.data(), &found);
  // The library reports in several ways that it has no algorithm.
  for (int none : {CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_INVALID_VALUE, CUBLAS_STATUS_ARCH_MISMATCH})
    if (status == none) return {};
  check_blas(device, status, "cublasLtMatmulAlgoGetHeuristic");
  results.resize(size_t(std::clamp(found, 0, most)));
  std::erase_if(results, [this](const auto& one) {
    return one.state != CUBLAS_STATUS_SUCCESS || one.workspaceSize > blas_workspace_bytes(device);
  });
  return results;
}

int MatmulPlan::run(const cublasLtMatmulHeuristicResult_t& algorithm, const GemmProblem& p, const GemmTypes& factors,
                    void* c, Stream& stream) {
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const RelaxedCapture relaxed(device, stream);
  std::lock_guard lock(mutex_);
  if (p.bias)
    check_blas(device,
               lt.cublasLtMatmulDescSetAttribute(matmul_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &p.bias, sizeof p.bias),
               "cublasLtMatmulDescSetAttribute");
  return lt.cublasLtMatmul(lease.lt_handle(), matmul_, &factors.alpha, p.a, a_, p.b, b_, &factors.beta, c, c_, c, c_,
                           &algorithm.algo, lease.workspace(), size_t(blas_workspace_bytes(device)), handle_of(stream));
}

}  // namespace tenon::cuda
