// tests/fake_cuda/numerics/cusparse.cpp: a libcusparse.so without a GPU. A product is made on the host, by its
// definition, when the stream gets there, with the descriptors that the call had.
#include "cusparse.hpp"
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include "../quiet.hpp"

#define API extern "C" __attribute__((visibility("default")))

extern "C" {
void fake_cuda_enqueue(void* stream, const std::function<void()>& work);
bool fake_cuda_holds(const void* data, size_t bytes);
}

namespace {

constexpr int kOk = 0, kInvalidValue = 3, kNotSupported = 10;
constexpr int kFloat = 0, kDouble = 1, kComplex = 4, kComplexWide = 5;
constexpr size_t kWork = 512;  // bytes that every product asks for

FakeCusparse control;
QuietMutex mutex;

void misuse(const std::string& text) {
  ++control.misuses;
  snprintf(control.misuse, sizeof control.misuse, "%s", text.c_str());
}

bool fails(int& code) {
  if (!control.fail_at || --control.fail_at) return false;
  code = control.fail_code;
  return true;
}
#define ENTER()                \
  std::lock_guard lock(mutex); \
  int code = kOk;              \
  if (fails(code)) return code

struct Handle {
  void* stream = nullptr;
};
struct Sparse {
  int64_t rows, columns, elements;
  const void *offsets, *indices, *values;
  bool wide;  // indices of 64 bits
  int type;
};
struct Dense {
  int64_t rows, columns, ld;
  void* values;
  bool by_rows;
  int type;
};

template <class T> T number(const void* at, int64_t i) { return static_cast<const T*>(at)[i]; }
int64_t index_at(const Sparse& a, const void* list, int64_t i) {
  return a.wide ? number<int64_t>(list, i) : number<int32_t>(list, i);
}
template <class T> T& element(const Dense& x, int64_t row, int64_t column) {
  return static_cast<T*>(x.values)[x.by_rows ? row * x.ld + column : column * x.ld + row];
}

template <class T> void multiply(const Sparse& a, const Dense& b, const Dense& c, const char* factors) {
  T alpha, beta;
  memcpy(&alpha, factors, sizeof(T));
  memcpy(&beta, factors + 16, sizeof(T));
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t column = 0; column < b.columns; ++column) {
      T sum{};
      for (int64_t j = index_at(a, a.offsets, row); j < index_at(a, a.offsets, row + 1); ++j)
        sum += number<T>(a.values, j) * element<T>(b, index_at(a, a.indices, j), column);
      T& to = element<T>(c, row, column);
      to = beta == T{} ? alpha * sum : alpha * sum + beta * to;  // the old value is not read
    }
}

size_t bytes_of(int type) { return type == kFloat ? 4 : type == kComplexWide ? 16 : 8; }

int product(void* handle, const Sparse& a, const Dense& b, const Dense& c, const void* alpha, const void* beta,
            int compute, void* work) {
  if (a.type != b.type || a.type != c.type || a.type != compute) return kNotSupported;
  if (a.columns != b.rows || a.rows != c.rows || b.columns != c.columns) return kInvalidValue;
  if (!fake_cuda_holds(work, kWork)) misuse("a product without its work area");
  std::string factors(32, '\0');
  memcpy(factors.data(), alpha, bytes_of(compute));
  memcpy(factors.data() + 16, beta, bytes_of(compute));
  fake_cuda_enqueue(static_cast<Handle*>(handle)->stream, [=] {
    if (!fake_cuda_holds(a.values, 1) || !fake_cuda_holds(b.values, 1) || !fake_cuda_holds(c.values, 1))
      return misuse("a product ran on memory that was freed");
    switch (compute) {
      case kFloat: return multiply<float>(a, b, c, factors.data());
      case kDouble: return multiply<double>(a, b, c, factors.data());
      case kComplex: return multiply<std::complex<float>>(a, b, c, factors.data());
      case kComplexWide: return multiply<std::complex<double>>(a, b, c, factors.data());
      default: misuse("a product of a type that the fake does not have");
    }
  });
  return kOk;
}

int make_dense(void** out, int64_t rows, int64_t columns, int64_t ld, const void* values, int type, bool by_rows) {
  ENTER();
  if (ld < (by_rows ? columns : rows)) return kInvalidValue;
  *out = new Dense{rows, columns, ld, const_cast<void*>(values), by_rows, type};
  ++control.descriptors;
  return kOk;
}

template <class T> int destroy(const void* descriptor) {
  std::lock_guard lock(mutex);
  delete static_cast<const T*>(descriptor);
  --control.descriptors;
  return kOk;
}

}  // namespace

API FakeCusparse* fake_cusparse() { return &control; }

API int cusparseCreate(void** handle) {
  ENTER();
  *handle = new Handle;
  ++control.handles;
  return kOk;
}
API int cusparseDestroy(void* handle) {
  std::lock_guard lock(mutex);
  delete static_cast<Handle*>(handle);
  --control.handles;
  return kOk;
}
API int cusparseSetStream(void* handle, void* stream) {
  ENTER();
  static_cast<Handle*>(handle)->stream = stream;
  return kOk;
}

API int cusparseCreateConstCsr(void** out, int64_t rows, int64_t columns, int64_t elements, const void* offsets,
                               const void* indices, const void* values, int offset_type, int index_type, int base,
                               int type) {
  ENTER();
  if (offset_type != index_type || (index_type != 2 && index_type != 3) || base != 0) return kInvalidValue;
  *out = new Sparse{rows, columns, elements, offsets, indices, values, index_type == 3, type};
  ++control.descriptors;
  return kOk;
}
API int cusparseDestroySpMat(const void* matrix) { return destroy<Sparse>(matrix); }
API int cusparseCreateConstDnVec(void** out, int64_t size, const void* values, int type) {
  return make_dense(out, size, 1, size, values, type, false);
}
API int cusparseCreateDnVec(void** out, int64_t size, void* values, int type) {
  return make_dense(out, size, 1, size, values, type, false);
}
API int cusparseDestroyDnVec(const void* vector) { return destroy<Dense>(vector); }
API int cusparseCreateConstDnMat(void** out, int64_t rows, int64_t columns, int64_t ld, const void* values, int type,
                                 int order) {
  return make_dense(out, rows, columns, ld, values, type, order == 2);
}
API int cusparseCreateDnMat(void** out, int64_t rows, int64_t columns, int64_t ld, void* values, int type, int order) {
  return make_dense(out, rows, columns, ld, values, type, order == 2);
}
API int cusparseDestroyDnMat(const void* matrix) { return destroy<Dense>(matrix); }

API int cusparseSpMV_bufferSize(void*, int op, const void*, const void*, const void*, const void*, void*, int,
                                int algorithm, size_t* bytes) {
  ENTER();
  if (op != 0 || algorithm != 3) return kNotSupported;  // what is deterministic
  *bytes = kWork;
  return kOk;
}
API int cusparseSpMV(void* handle, int op, const void* alpha, const void* a, const void* x, const void* beta, void* y,
                     int compute, int algorithm, void* work) {
  ENTER();
  if (op != 0 || algorithm != 3) return kNotSupported;
  ++control.vectors;
  return product(handle, *static_cast<const Sparse*>(a), *static_cast<const Dense*>(x), *static_cast<Dense*>(y), alpha,
                 beta, compute, work);
}
API int cusparseSpMM_bufferSize(void*, int op_a, int op_b, const void*, const void*, const void*, const void*, void*,
                                int, int algorithm, size_t* bytes) {
  ENTER();
  if (op_a != 0 || op_b != 0 || algorithm != 12) return kNotSupported;
  *bytes = kWork;
  return kOk;
}
API int cusparseSpMM(void* handle, int op_a, int op_b, const void* alpha, const void* a, const void* b,
                     const void* beta, void* c, int compute, int algorithm, void* work) {
  ENTER();
  if (op_a != 0 || op_b != 0 || algorithm != 12) return kNotSupported;
  ++control.matrices;
  return product(handle, *static_cast<const Sparse*>(a), *static_cast<const Dense*>(b), *static_cast<Dense*>(c), alpha,
                 beta, compute, work);
}
