// tests/fake_cuda/cublas.cpp: a libcublas.so without a GPU: handles, and the product, made on the host.
#include "cublas.hpp"
#include <atomic>
#include <cstdio>
#include <functional>
#include "product.hpp"
#include "workspace.hpp"

#define API extern "C" __attribute__((visibility("default")))

extern "C" void fake_cuda_enqueue(void* stream, const std::function<void()>& work);

namespace {

using namespace fake_product;

struct Handle {
  void* stream = nullptr;
  void* workspace = nullptr;
  std::atomic<int> callers{0};
};

void misuse(const char* what) {
  if (!fake_cublas()->misuses++) std::snprintf(fake_cublas()->misuse, sizeof fake_cublas()->misuse, "%s", what);
}

// A handle is one call's at a time: cuBLAS has no lock of its own.
struct Caller {
  explicit Caller(Handle* h) : handle(h) {
    if (h->callers.fetch_add(1)) misuse("two calls use one cuBLAS handle at the same time");
  }
  ~Caller() { handle->callers.fetch_sub(1); }
  Handle* handle;
};

int scale_of(int type_a) { return type_a == kDouble || type_a == kComplex || type_a == kDoubleComplex ? type_a : kFloat; }

}  // namespace

API int cublasCreate_v2(Handle** out) {
  *out = new Handle;
  ++fake_cublas()->objects;
  return 0;
}
API int cublasDestroy_v2(Handle* handle) { return delete handle, --fake_cublas()->objects, 0; }
API int cublasSetStream_v2(Handle* handle, void* stream) {
  Caller caller(handle);
  return handle->stream = stream, handle->workspace = nullptr, 0;
}
API int cublasSetWorkspace_v2(Handle* handle, void* workspace, size_t) {
  Caller caller(handle);
  return handle->workspace = workspace, 0;
}
API int cublasSetMathMode(Handle*, int) { return 0; }
API const char* cublasGetStatusString(int) { return "a made-up failure"; }

API int cublasGemmStridedBatchedEx_64(Handle* handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void* alpha, const void* a, int type_a,
                                      int64_t lda, long long stride_a, const void* b, int type_b, int64_t ldb, long long stride_b, const void* beta, void* c,
                                      int type_c, int64_t ldc, long long stride_c, int64_t batch, int, int) {
  Caller caller(handle);
  const int scale = scale_of(type_a);
  const Problem p{type_a, type_b, type_c, m, n, k, op_a, op_b, a, b, c, lda, ldb, ldc, batch, stride_a, stride_b, stride_c,
                  scalar(scale, alpha), scalar(scale, beta)};
  ++fake_cublas()->plain_runs;
  fake_cublas()->last_result = c;
  fake_cuda_enqueue(handle->stream, with_workspace(handle->workspace, handle->stream, misuse, [p] { run(p); }));
  for (int i = 1; i < fake_cublas()->plain_steps; ++i) fake_cuda_enqueue(handle->stream, {});
  return 0;
}
API int cublasGemmEx_64(Handle* handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void* alpha, const void* a, int type_a, int64_t lda,
                        const void* b, int type_b, int64_t ldb, const void* beta, void* c, int type_c, int64_t ldc, int compute, int algorithm) {
  return cublasGemmStridedBatchedEx_64(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb, 0, beta, c, type_c, ldc, 0,
                                       1, compute, algorithm);
}
