// backend/cuda/blas.cpp: matrix products on cuBLAS.
#include "backend/cuda/blas.hpp"

#include <tenon/linalg.h>
#include <algorithm>
#include <climits>
#include "backend/cuda/graph.hpp"
#include "backend/cuda/numbers.hpp"

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
    } catch (...) {  // the device went away: so did its handles
    }
  }
};

void fail_blas(CudaDevice& device, const char* call, int status) {
  const char* text = cublas().cublasGetStatusString ? cublas().cublasGetStatusString(status) : "see cublasStatus_t";
  const int32_t meaning = status == CUBLAS_STATUS_ALLOC_FAILED ? TENON_ERROR_OUT_OF_MEMORY
                          : status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH ? TENON_ERROR_UNSUPPORTED
                                                                                                           : TENON_ERROR_VENDOR;
  device.fail_vendor(call, status, text, meaning);
}

namespace {

BlasState& state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.blas_state) device.blas_state = std::make_shared<BlasState>(device);
  return *device.blas_state;
}

// What cuBLAS asks for by its documentation; one block of the pool, kept by the stream's bins.
void add_handle(CudaDevice& device, BlasState& state) {
  const Cublas& blas = cublas();
  auto scope = device.activate();
  BlasHandle made;
  check_blas(device, blas.cublasCreate(&made.handle), "cublasCreate");
  try {
    check_blas(device, blas.cublasSetMathMode(made.handle, CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
               "cublasSetMathMode");
    std::lock_guard lock(state.mutex);
    state.idle.push_back(made);
  } catch (...) {
    blas.cublasDestroy(made.handle);
    throw;
  }
}

uint64_t workspace_bytes(const CudaDevice& device) { return uint64_t(device.info().compute_major >= 9 ? 32 : 4) << 20; }

}  // namespace

BlasLease::BlasLease(CudaDevice& device, Stream& stream) : state_(state_of(device)), workspace_(device, workspace_bytes(device), stream) {
  const CUstream native = handle_of(stream);
  const Cublas& blas = cublas();
  take(native);
  while (!h_.handle) {
    const auto add = [&device, &state = state_] { add_handle(device, state); };
    device.need_before_capture(stream, "cuBLAS has to be started", add);
    add();
    take(native);
  }
  try {
    if (h_.stream != native || h_.workspace != workspace_.data()) {
      h_.workspace = nullptr;
      check_blas(device, blas.cublasSetStream(h_.handle, native), "cublasSetStream");  // forgets the workspace
      check_blas(device, blas.cublasSetWorkspace(h_.handle, workspace_.data(), workspace_.bytes()), "cublasSetWorkspace");
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

namespace {

int op_of(Op op) {
  switch (op) {
    case Op::none: return CUBLAS_OP_N;
    case Op::transpose: return CUBLAS_OP_T;
    case Op::conjugate_transpose: return CUBLAS_OP_C;
    case Op::conjugate: break;
  }
  fail(TENON_ERROR_INTERNAL, "cuBLAS has no conjugation without transposition");
}

// Data type, compute type, and the factors in the type cuBLAS reads them in.
struct Types {
  int data, result, compute;
  // As aligned as cuDoubleComplex: cuBLAS reads them with aligned 16-byte loads.
  union alignas(16) { float f; double d; float c[2]; double z[2]; int32_t i; } alpha, beta;
};

Types types_of(const GemmProblem& p) {
  Types t{};
  t.compute = CUBLAS_COMPUTE_32F;
  t.alpha.f = float(p.alpha.real());
  t.beta.f = float(p.beta.real());
  switch (p.dtype) {
    case TENON_FLOAT16: t.data = CUDA_R_16F; break;
    case TENON_BFLOAT16: t.data = CUDA_R_16BF; break;
    case TENON_FLOAT32:
      t.data = CUDA_R_32F;
      if (p.compute == TENON_COMPUTE_TF32) t.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
      break;
    case TENON_FLOAT64:
      t.data = CUDA_R_64F;
      t.compute = CUBLAS_COMPUTE_64F;
      t.alpha.d = p.alpha.real();
      t.beta.d = p.beta.real();
      break;
    case TENON_COMPLEX64:
      t.data = CUDA_C_32F;
      t.alpha.c[1] = float(p.alpha.imag());
      t.beta.c[1] = float(p.beta.imag());
      break;
    case TENON_COMPLEX128:
      t.data = CUDA_C_64F;
      t.compute = CUBLAS_COMPUTE_64F;
      t.alpha.z[0] = p.alpha.real(); t.alpha.z[1] = p.alpha.imag();
      t.beta.z[0] = p.beta.real(); t.beta.z[1] = p.beta.imag();
      break;
    case TENON_INT8:
      t.data = CUDA_R_8I;
      t.compute = CUBLAS_COMPUTE_32I;
      t.alpha.i = int32_t(p.alpha.real());
      t.beta.i = int32_t(p.beta.real());
      break;
    default: fail(TENON_ERROR_DTYPE, "cuBLAS has no matrix product of %s", dtype_name(p.dtype).c_str());
  }
  t.result = p.dtype == TENON_INT8 ? CUDA_R_32I : p.result_dtype() == TENON_FLOAT32 ? CUDA_R_32F : t.data;
  return t;
}

// Before cuBLAS 12 there is only the interface with int.
void require_int(const GemmProblem& p) {
  for (int64_t v : {p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.batch})
    TENON_REQUIRE(v <= INT_MAX, TENON_ERROR_UNSUPPORTED,
                  "a matrix product with an extent or leading dimension of %lld needs cuBLAS 12 or later", static_cast<long long>(v));
}

}  // namespace

namespace {

// By cuBLAS.
void multiply(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  const Types t = types_of(p);
  const Cublas& blas = cublas();
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const RelaxedCapture relaxed(device, stream);
  cublasHandle_t h = lease.handle();
  const int op_a = op_of(p.op_a), op_b = op_of(p.op_b);
  int status;
  const char* call;
  if (p.batch == 1) {
    call = "cublasGemmEx";
    if (blas.cublasGemmEx_64) {
      status = blas.cublasGemmEx_64(h, op_a, op_b, p.m, p.n, p.k, &t.alpha, p.a, t.data, p.lda, p.b, t.data, p.ldb, &t.beta, p.c,
                                    t.result, p.ldc, t.compute, CUBLAS_GEMM_DEFAULT);
    } else {
      require_int(p);
      status = blas.cublasGemmEx(h, op_a, op_b, int(p.m), int(p.n), int(p.k), &t.alpha, p.a, t.data, int(p.lda), p.b, t.data,
                                 int(p.ldb), &t.beta, p.c, t.result, int(p.ldc), t.compute, CUBLAS_GEMM_DEFAULT);
    }
  } else {
    call = "cublasGemmStridedBatchedEx";
    if (blas.cublasGemmStridedBatchedEx_64) {
      status = blas.cublasGemmStridedBatchedEx_64(h, op_a, op_b, p.m, p.n, p.k, &t.alpha, p.a, t.data, p.lda, p.stride_a, p.b, t.data,
                                                  p.ldb, p.stride_b, &t.beta, p.c, t.result, p.ldc, p.stride_c, p.batch, t.compute,
                                                  CUBLAS_GEMM_DEFAULT);
    } else {
      require_int(p);
      status = blas.cublasGemmStridedBatchedEx(h, op_a, op_b, int(p.m), int(p.n), int(p.k), &t.alpha, p.a, t.data, int(p.lda),
                                               p.stride_a, p.b, t.data, int(p.ldb), p.stride_b, &t.beta, p.c, t.result, int(p.ldc),
                                               p.stride_c, int(p.batch), t.compute, CUBLAS_GEMM_DEFAULT);
    }
  }
  check_blas(device, status, call);
}

// ---- int8 ----

// cuBLAS's tensor-core kernels for int8 want both operands' inner dimension dense, extents that are multiples of 4 and aligned
// matrices, and its other kernels do not exist on every processor.
constexpr int64_t kMultiple = 16;

int64_t padded(int64_t x) { return (x + kMultiple - 1) / kMultiple * kMultiple; }

bool multiples(std::initializer_list<int64_t> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](int64_t x) { return x % kMultiple == 0; });
}

bool takes_int8(const GemmProblem& p) {
  return p.op_a != Op::none && p.op_b == Op::none && multiples({p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.stride_a, p.stride_b, p.stride_c}) &&
         (reinterpret_cast<uintptr_t>(p.a) | reinterpret_cast<uintptr_t>(p.b) | reinterpret_cast<uintptr_t>(p.c)) % kMultiple == 0;
}

// rows x cols elements of `bytes` bytes, the rows of `to` dense, between column-major or row-major places.
void copy_block(CudaDevice& device, void* to, int64_t to_row, int64_t to_col, const void* from, int64_t from_row, int64_t from_col, int64_t rows,
                int64_t cols, int64_t bytes, Stream& stream) {
  const Dtype plain = TENON_DTYPE(1, uint32_t(bytes * 8), 1);
  CopyProblem problem{to, from, plain, plain, uint32_t(bytes), {}};
  if (cols > 1) problem.axes.push_back({cols, to_col * bytes, from_col * bytes});
  if (rows > 1) problem.axes.push_back({rows, to_row * bytes, from_row * bytes});
  device.copy(problem, stream);
}

// Matrix by matrix, in memory of the form that cuBLAS takes, filled up with zeros.
void multiply_int8(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  if (takes_int8(p)) return multiply(device, p, stream);
  const int64_t m = padded(p.m), n = padded(p.n), k = padded(p.k);
  Scratch a(device, uint64_t(m * k), stream), b(device, uint64_t(k * n), stream), c(device, uint64_t(m * n) * 4, stream);
  for (const Scratch* memory : {&a, &b, &c}) {
    auto scope = device.activate();
    device.check(device.driver().cuMemsetD32Async(address(memory->data()), 0, memory->bytes() / 4, handle_of(stream)), "cuMemsetD32Async");
  }
  GemmProblem one = p;
  one.batch = 1;
  one.m = m, one.n = n, one.k = k;
  one.op_a = Op::transpose, one.op_b = Op::none;
  one.a = a.data(), one.b = b.data(), one.c = c.data();
  one.lda = one.ldb = k;
  one.ldc = m;
  for (int64_t g = 0; g < p.batch; ++g) {
    const auto* from_a = static_cast<const int8_t*>(p.a) + g * p.stride_a;
    const auto* from_b = static_cast<const int8_t*>(p.b) + g * p.stride_b;
    auto* to = static_cast<int32_t*>(p.c) + g * p.stride_c;
    const bool plain_a = p.op_a == Op::none, plain_b = p.op_b == Op::none;
    copy_block(device, a.data(), 1, k, from_a, plain_a ? p.lda : 1, plain_a ? 1 : p.lda, p.k, p.m, 1, stream);
    copy_block(device, b.data(), 1, k, from_b, plain_b ? 1 : p.ldb, plain_b ? p.ldb : 1, p.k, p.n, 1, stream);
    if (p.beta != 0.0) copy_block(device, c.data(), 1, m, to, 1, p.ldc, p.m, p.n, 4, stream);
    multiply(device, one, stream);
    copy_block(device, to, 1, p.ldc, c.data(), 1, m, p.m, p.n, 4, stream);
  }
}

}  // namespace

void CudaDevice::do_gemm(const GemmProblem& p, Stream& stream) {
  if (p.dtype == TENON_INT8) multiply_int8(*this, p, stream);
  else if (small_products_fit(p)) small_products(*this, p, stream);
  else multiply(*this, p, stream);
  if (p.has_epilogue()) apply_epilogue(*this, p, stream);
}

}  // namespace tenon::cuda
