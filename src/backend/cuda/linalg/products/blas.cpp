// backend/cuda/linalg/products/blas.cpp: matrix products on cuBLAS.
#include "backend/cuda/linalg/blas.hpp"

#include <tenon/linalg.h>
#include <algorithm>
#include <climits>
#include <cstring>
#include "backend/cuda/graph.hpp"
#include "backend/cuda/linalg/matmul/matmul.hpp"
#include "backend/cuda/kernels/numbers/numbers.hpp"

namespace tenon::cuda {

// Idle handles.
struct BlasState {
  CudaDevice& device;
  std::mutex mutex;
  std::vector<BlasHandle> idle;

  explicit BlasState(CudaDevice& d) : device(d) {}
  ~BlasState() {
    if (!device.usable()) return;
    try {
      auto scope = device.activate();
      for (BlasHandle& h : idle) cublas().cublasDestroy(h.handle);
    } catch (...) {  // the device is lost, and so are its handles
    }
  }
};

void fail_blas(CudaDevice& device, const char* call, int status) {
  const char* text = cublas().cublasGetStatusString ? cublas().cublasGetStatusString(status) : "see cublasStatus_t";
  const int32_t meaning = status == CUBLAS_STATUS_ALLOC_FAILED ? TENON_ERROR_OUT_OF_MEMORY
                          : status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH
                              ? TENON_ERROR_UNSUPPORTED
                              : TENON_ERROR_VENDOR;
  device.fail_vendor(call, status, text, meaning);
}

namespace {

BlasState& blas_state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.blas_state) device.blas_state = std::make_shared<BlasState>(device);
  return *device.blas_state;
}

void add_handle(CudaDevice& device, BlasState& state) {
  const Cublas& blas = cublas();
  auto scope = device.activate();
  BlasHandle made;
  check_blas(device, blas.cublasCreate(&made.handle), "cublasCreate");
  try {
    check_blas(
        device,
        blas.cublasSetMathMode(made.handle, CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
        "cublasSetMathMode");
    std::lock_guard lock(state.mutex);
    state.idle.push_back(made);
  } catch (...) {
    blas.cublasDestroy(made.handle);
    throw;
  }
}

}  // namespace

// The size that cuBLAS's documentation recommends; one block of the pool, kept in the stream's bins.
uint64_t blas_workspace_bytes(const CudaDevice& device) {
  return uint64_t(device.info().compute_major >= 9 ? 32 : 4) << 20;
}

BlasLease::BlasLease(CudaDevice& device, Stream& stream)
    : state_(blas_state_of(device)), workspace_(device, blas_workspace_bytes(device), stream) {
  const CUstream native = handle_of(stream);
  const Cublas& blas = cublas();
  take(native);
  while (!h_.handle) {
    device.beside_capture(stream, "cuBLAS must be initialised",
                          [&device, &state = state_] { add_handle(device, state); });
    take(native);
  }
  try {
    if (h_.stream != native || h_.workspace != workspace_.data()) {
      h_.workspace = nullptr;
      check_blas(device, blas.cublasSetStream(h_.handle, native), "cublasSetStream");  // this resets the workspace
      check_blas(device, blas.cublasSetWorkspace(h_.handle, workspace_.data(), workspace_.bytes()),
                 "cublasSetWorkspace");
      h_.stream = native;
      h_.workspace = workspace_.data();
    }
  } catch (...) {
    give_back();
    throw;
  }
}

void BlasLease::take(CUstream stream) {
  std::lock_guard lock(state_.mutex);
  auto& idle = state_.idle;
  if (idle.empty()) return;
  auto same = std::find_if(idle.begin(), idle.end(), [&](const BlasHandle& h) { return h.stream == stream; });
  if (same == idle.end()) same = idle.end() - 1;
  h_ = *same;
  *same = idle.back();
  idle.pop_back();
}

void BlasLease::give_back() noexcept {
  if (!h_.handle) return;
  try {
    std::lock_guard lock(state_.mutex);
    state_.idle.push_back(h_);
  } catch (...) {  // no memory to remember it
    cublas().cublasDestroy(h_.handle);
  }
  h_.handle = nullptr;
}

BlasFactors::BlasFactors(CudaDevice& device, const BlasLease& lease, const void* alpha, const void* alpha_at,
                         const void* beta, const void* beta_at, Stream& stream)
    : handle_(lease.handle()), alpha_(alpha_at ? alpha_at : alpha), beta_(beta_at ? beta_at : beta) {
  if (!alpha_at && !beta_at) return;
  if (!alpha_at || !beta_at) {
    // The other factor is copied to the device as well: its 16 bytes are written as if they were two addresses.
    std::vector<const void*> bits(2);
    std::memcpy(bits.data(), alpha_at ? beta : alpha, 16);
    copies_.emplace(device, 16, stream);
    put_addresses(device, copies_->data(), bits, stream);
    (alpha_at ? beta_ : alpha_) = copies_->data();
  }
  check_blas(device, cublas().cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
  on_device_ = true;
}

BlasFactors::~BlasFactors() {
  if (on_device_) cublas().cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST);
}

int op_of(Op op) {
  switch (op) {
    case Op::none: return CUBLAS_OP_N;
    case Op::transpose: return CUBLAS_OP_T;
    case Op::conjugate_transpose: return CUBLAS_OP_C;
    case Op::conjugate: break;
  }
  fail(TENON_ERROR_INTERNAL, "cuBLAS has no conjugation without transposition");
}

int data_type_of(Dtype dtype) {
  switch (dtype) {
    case TENON_FLOAT16: return CUDA_R_16F;
    case TENON_BFLOAT16: return CUDA_R_16BF;
    case TENON_FLOAT32: return CUDA_R_32F;
    case TENON_FLOAT64: return CUDA_R_64F;
    case TENON_COMPLEX64: return CUDA_C_32F;
    case TENON_COMPLEX128: return CUDA_C_64F;
    case TENON_INT8: return CUDA_R_8I;
    case TENON_INT32: return CUDA_R_32I;
    case TENON_FLOAT8_E4M3FN: return CUDA_R_8F_E4M3;
    case TENON_FLOAT8_E5M2: return CUDA_R_8F_E5M2;
  }
  fail(TENON_ERROR_DTYPE, "cuBLAS does not support matrix products of %s", dtype_name(dtype).c_str());
}

GemmTypes types_of(const GemmProblem& p) {
  GemmTypes t{};
  t.data = data_type_of(p.dtype);
  t.result = data_type_of(p.result_dtype());
  t.compute = CUBLAS_COMPUTE_32F;
  t.alpha.f = float(p.alpha.real());
  t.beta.f = float(p.beta.real());
  switch (p.dtype) {
    case TENON_FLOAT32:
      if (p.compute == TENON_COMPUTE_TF32) t.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
      if (p.compute == TENON_COMPUTE_BF16) t.compute = CUBLAS_COMPUTE_32F_FAST_16BF;
      break;
    case TENON_FLOAT64:
      t.compute = CUBLAS_COMPUTE_64F;
      t.alpha.d = p.alpha.real();
      t.beta.d = p.beta.real();
      break;
    case TENON_COMPLEX64:
      t.alpha.c[1] = float(p.alpha.imag());
      t.beta.c[1] = float(p.beta.imag());
      break;
    case TENON_COMPLEX128:
      t.compute = CUBLAS_COMPUTE_64F;
      t.alpha.z[0] = p.alpha.real();
      t.alpha.z[1] = p.alpha.imag();
      t.beta.z[0] = p.beta.real();
      t.beta.z[1] = p.beta.imag();
      break;
    case TENON_INT8:
      t.compute = CUBLAS_COMPUTE_32I;
      t.alpha.i = int32_t(p.alpha.real());
      t.beta.i = int32_t(p.beta.real());
      break;
  }
  return t;
}

// Before cuBLAS 12 only the interface with int exists.
void require_int(const GemmProblem& p) {
  for (int64_t v : {p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.batch})
    TENON_REQUIRE(v <= INT_MAX, TENON_ERROR_UNSUPPORTED,
                  "a matrix product with an extent or leading dimension of %lld needs cuBLAS 12 or later",
                  static_cast<long long>(v));
}

void multiply(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  if (p.list) return multiply_list(device, p, stream);
  const GemmTypes t = types_of(p);
  const Cublas& blas = cublas();
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const BlasFactors factors(device, lease, &t.alpha, p.alpha_at, &t.beta, p.beta_at, stream);
  const RelaxedCapture relaxed(device, stream);
  cublasHandle_t h = lease.handle();
  const int op_a = op_of(p.op_a), op_b = op_of(p.op_b);
  int status;
  const char* call;
  if (p.batch == 1) {
    call = "cublasGemmEx";
    if (blas.cublasGemmEx_64) {
      status = blas.cublasGemmEx_64(h, op_a, op_b, p.m, p.n, p.k, factors.alpha(), p.a, t.data, p.lda, p.b, t.data,
                                    p.ldb, factors.beta(), p.c, t.result, p.ldc, t.compute, CUBLAS_GEMM_DEFAULT);
    } else {
      require_int(p);
      status = blas.cublasGemmEx(h, op_a, op_b, int(p.m), int(p.n), int(p.k), factors.alpha(), p.a, t.data, int(p.lda),
                                 p.b, t.data, int(p.ldb), factors.beta(), p.c, t.result, int(p.ldc), t.compute,
                                 CUBLAS_GEMM_DEFAULT);
    }
  } else {
    call = "cublasGemmStridedBatchedEx";
    if (blas.cublasGemmStridedBatchedEx_64) {
      status = blas.cublasGemmStridedBatchedEx_64(h, op_a, op_b, p.m, p.n, p.k, factors.alpha(), p.a, t.data, p.lda,
                                                  p.stride_a, p.b, t.data, p.ldb, p.stride_b, factors.beta(), p.c,
                                                  t.result, p.ldc, p.stride_c, p.batch, t.compute, CUBLAS_GEMM_DEFAULT);
    } else {
      require_int(p);
      status = blas.cublasGemmStridedBatchedEx(h, op_a, op_b, int(p.m), int(p.n), int(p.k), factors.alpha(), p.a,
                                               t.data, int(p.lda), p.stride_a, p.b, t.data, int(p.ldb), p.stride_b,
                                               factors.beta(), p.c, t.result, int(p.ldc), p.stride_c, int(p.batch),
                                               t.compute, CUBLAS_GEMM_DEFAULT);
    }
  }
  check_blas(device, status, call);
}

void run(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  const bool factors_here = p.factors_on_device();
  if (p.list && !listed_fits(device, p)) {
    for (int64_t i = 0; i < p.batch; ++i) run(device, p.one(i), stream);
    return;
  }
  if (p.list) return multiply(device, p, stream);
  const bool parts = !factors_here && parts_fit(device, p);
  if (!factors_here && !parts && matmul_lt(device, p, stream)) return;  // including the epilogue
  if (p.dtype == TENON_INT8) multiply_packed(device, p, stream, multiply);
  else if (dtype_float8(p.dtype)) multiply_packed(device, p, stream, matmul_float8);
  else if (vector_fits(p)) multiply_vector(device, p, stream);
  else if (!factors_here && small_products_fit(p)) small_products(device, p, stream);
  else if (parts) multiply_parts(device, p, stream);
  else multiply(device, p, stream);
  if (p.has_epilogue()) apply_epilogue(device, p, stream);
}

}  // namespace tenon::cuda
