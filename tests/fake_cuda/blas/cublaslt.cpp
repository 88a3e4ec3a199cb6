// tests/fake_cuda/blas/cublaslt.cpp: a libcublasLt.so without a GPU. Products are made on the host when the fake
// driver's stream gets there. It is as strict about attributes, layouts and float8 as NVIDIA's is documented to be.
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include "cublas.hpp"
#include "product.hpp"
#include "../quiet.hpp"
#include "workspace.hpp"

#define API extern "C" __attribute__((visibility("default")))

extern "C" void fake_cuda_enqueue(void* stream, const std::function<void()>& work);

namespace {

using namespace fake_product;

constexpr int kOk = 0, kInvalid = 7, kUnsupported = 15;

FakeCublas control;
QuietMutex mutex;  // of its counters

void misuse(const std::string& text) {
  ++control.misuses;
  snprintf(control.misuse, sizeof control.misuse, "%s", text.c_str());
}

void count(long change) {
  std::lock_guard lock(mutex);
  control.objects += change;
}

struct Matmul {
  int compute, scale;
  int32_t op[2] = {0, 0};
  uint32_t epilogue = 1;
  const void* bias = nullptr;
  int32_t bias_type = -1;
};
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t ld;
  int32_t batch = 1;
  int64_t stride = 0;
};
struct Preference {
  uint64_t workspace = 0;
  uint32_t reductions = 7;
  uint32_t alignment[4] = {256, 256, 256, 256};
};
struct Algorithm {
  uint64_t data[8];
};  // its number and a mark
struct Result {
  Algorithm algorithm;
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
constexpr uint64_t kMark = 0x616c676f72697468;

// Sets an attribute if its size is correct, as in the library.
template <class T> int set(T& to, const void* value, size_t bytes) {
  if (!value || bytes != sizeof(T)) return misuse("an attribute's size is wrong"), kInvalid;
  std::memcpy(&to, value, bytes);
  return kOk;
}

bool eight(int type) { return type == kE4M3 || type == kE5M2; }

// The products for which kernels exist.
bool possible(const Matmul& m, const Layout& a, const Layout& b, const Layout& c, const Preference& p) {
  const bool fused = m.epilogue != 1;
  if (m.epilogue & 4 && !m.bias) return false;
  if (c.type == kDouble && fused) return false;
  if (!eight(a.type)) return a.type == b.type;
  if (a.type == kE5M2 && b.type == kE5M2) return false;
  if (m.op[0] == 0 || m.op[1] != 0 || (c.type != kHalf && c.type != kBfloat && c.type != kFloat)) return false;
  if (m.epilogue & 4 && (c.type == kFloat ? kBfloat : c.type) != m.bias_type) return false;
  for (int64_t x : {int64_t(c.rows), int64_t(c.columns), int64_t(a.rows), a.ld, b.ld})
    if (x % 16) return false;
  return p.alignment[0] >= 16 && p.alignment[1] >= 16 && p.alignment[2] >= 16;
}

}  // namespace

API FakeCublas* fake_cublas() { return &control; }

API int cublasLtMatmulDescCreate(Matmul** out, int compute, int scale) {
  *out = new Matmul{compute, scale};
  count(1);
  return kOk;
}
API int cublasLtMatmulDescDestroy(Matmul* matmul) { return delete matmul, count(-1), kOk; }
API int cublasLtMatmulDescSetAttribute(Matmul* matmul, int attribute, const void* value, size_t bytes) {
  switch (attribute) {
    case 3:
    case 4: return set(matmul->op[attribute - 3], value, bytes);
    case 7: return set(matmul->epilogue, value, bytes);
    case 8: return set(matmul->bias, value, bytes);
    case 26: return set(matmul->bias_type, value, bytes);
  }
  return misuse("an unknown attribute of a product"), kInvalid;
}
API int cublasLtMatrixLayoutCreate(Layout** out, int type, uint64_t rows, uint64_t columns, int64_t ld) {
  if (ld < int64_t(rows)) return misuse("a leading dimension is too small"), kInvalid;
  *out = new Layout{type, rows, columns, ld};
  count(1);
  return kOk;
}
API int cublasLtMatrixLayoutDestroy(Layout* layout) { return delete layout, count(-1), kOk; }
API int cublasLtMatrixLayoutSetAttribute(Layout* layout, int attribute, const void* value, size_t bytes) {
  switch (attribute) {
    case 5: return set(layout->batch, value, bytes);
    case 6: return set(layout->stride, value, bytes);
  }
  return misuse("an unknown attribute of a layout"), kInvalid;
}
API int cublasLtMatmulPreferenceCreate(Preference** out) {
  *out = new Preference;
  count(1);
  return kOk;
}
API int cublasLtMatmulPreferenceDestroy(Preference* preference) { return delete preference, count(-1), kOk; }
API int cublasLtMatmulPreferenceSetAttribute(Preference* preference, int attribute, const void* value, size_t bytes) {
  switch (attribute) {
    case 1: return set(preference->workspace, value, bytes);
    case 3: return set(preference->reductions, value, bytes);
    case 5:
    case 6:
    case 7:
    case 8: return set(preference->alignment[attribute - 5], value, bytes);
  }
  return misuse("an unknown preference"), kInvalid;
}

API int cublasLtMatmulAlgoGetHeuristic(void* handle, Matmul* matmul, Layout* a, Layout* b, Layout* c, Layout* d,
                                       Preference* preference, int most, Result* results, int* found) {
  std::lock_guard lock(mutex);
  ++control.asked;
  *found = 0;
  if (!handle || most < 1 || c != d) return kInvalid;
  if (preference->reductions != 2) misuse("parts of sums may be added in the result's type");
  if (!possible(*matmul, *a, *b, *c, *preference)) return kUnsupported;
  for (int i = 0; i < most && i < control.offers; ++i)
    results[(*found)++] = {{{uint64_t(i), kMark}}, size_t(i) << 10, kOk, 1.0f, {}};
  return kOk;
}
API int cublasLtMatmulAlgoConfigGetAttribute(const Algorithm* algorithm, int attribute, void* value, size_t bytes,
                                             size_t* written) {
  if (attribute != 0 || bytes != 4 || algorithm->data[1] != kMark) return kInvalid;
  const auto number = int32_t(algorithm->data[0]);
  std::memcpy(value, &number, 4);
  *written = 4;
  return kOk;
}

API int cublasLtMatmul(void* handle, Matmul* matmul, const void* alpha, const void* a, Layout* layout_a, const void* b,
                       Layout* layout_b, const void* beta, const void* c, Layout* layout_c, void* d, Layout* layout_d,
                       const Algorithm* algorithm, void* workspace, size_t bytes, void* stream) {
  if (!handle || layout_c != layout_d || c != d || algorithm->data[1] != kMark) return kInvalid;
  std::lock_guard lock(mutex);
  const auto number = int(algorithm->data[0]);
  if (bytes < size_t(number) << 10 || !workspace) return misuse("the workspace is too small"), kInvalid;
  ++control.runs;
  if (control.refuses) return kUnsupported;
  control.last_algorithm = number;
  control.last_epilogue = matmul->epilogue;
  control.last_result = d;
  Problem p{layout_a->type,
            layout_b->type,
            layout_c->type,
            int64_t(layout_c->rows),
            int64_t(layout_c->columns),
            int64_t(matmul->op[0] ? layout_a->rows : layout_a->columns),
            matmul->op[0],
            matmul->op[1],
            a,
            b,
            d,
            layout_a->ld,
            layout_b->ld,
            layout_c->ld,
            layout_c->batch,
            layout_a->stride,
            layout_b->stride,
            layout_c->stride,
            scalar(matmul->scale, alpha),
            scalar(matmul->scale, beta)};
  p.bias = matmul->epilogue & 4 ? matmul->bias : nullptr;
  p.relu = matmul->epilogue & 2, p.gelu = matmul->epilogue & 32;
  p.keeps_nan = control.keeps_nan[number];
  fake_cuda_enqueue(stream, with_workspace(workspace, stream, misuse, [p] { run(p); }));
  for (int i = 1; i < control.steps[number]; ++i) fake_cuda_enqueue(stream, {});
  return kOk;
}
