// backend/cuda/linalg/products/sparse.cpp: products of CSR matrices on cuSPARSE, by the algorithms whose results are
// the same on every run. ops/sparse/sparse.cpp passes what these can take, and uses kernels of its own for everything
// else.
#include <cstring>
#include "backend/cuda/device.hpp"
#include "backend/cuda/operations.hpp"
#include "base/half.hpp"
#include "core/problem/problem.hpp"

namespace tenon::cuda {

// One handle per device, used by one call at a time: the routines get their memory from the caller.
struct SparseState {
  CudaDevice& device;
  std::mutex mutex;
  cusparseHandle_t handle = nullptr;

  explicit SparseState(CudaDevice& d) : device(d) {}
  ~SparseState() {
    if (!handle || !device.usable()) return;
    try {
      auto scope = device.activate();
      cusparse().cusparseDestroy(handle);
    } catch (...) {  // the device is lost, and so is its handle
    }
  }
};

namespace {

void check_sparse(CudaDevice& device, int status, const char* call) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  const bool memory = status == CUSPARSE_STATUS_ALLOC_FAILED;
  device.fail_vendor(call, status, memory ? "out of device memory" : "see cusparseStatus_t",
                     memory ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR_VENDOR);
}

SparseState& sparse_state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.sparse_state) device.sparse_state = std::make_shared<SparseState>(device);
  return *device.sparse_state;
}

struct SparseTypes {
  int data, compute;  // cudaDataType
};

// data: -1: not a dtype of cuSPARSE.
SparseTypes sparse_types(Dtype dtype) {
  switch (dtype) {
    case TENON_FLOAT16: return {CUDA_R_16F, CUDA_R_32F};
    case TENON_BFLOAT16: return {CUDA_R_16BF, CUDA_R_32F};
    case TENON_FLOAT32: return {CUDA_R_32F, CUDA_R_32F};
    case TENON_FLOAT64: return {CUDA_R_64F, CUDA_R_64F};
    case TENON_COMPLEX64: return {CUDA_C_32F, CUDA_C_32F};
    case TENON_COMPLEX128: return {CUDA_C_64F, CUDA_C_64F};
    default: return {-1, -1};
  }
}

// A factor in the dtype of the computation. bytes: an element of `dtype`.
struct SparseFactor {
  alignas(16) unsigned char value[16] = {};
  SparseFactor(Dtype dtype, const void* bytes, bool given) {
    if (!given) return;
    uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    if (dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16) {
      const float wide = dtype == TENON_FLOAT16 ? base::half_to_float(bits) : base::bfloat_to_float(bits);
      std::memcpy(value, &wide, sizeof wide);
    } else {
      std::memcpy(value, bytes, dtype_bytes(dtype));
    }
  }
};

// A descriptor of a matrix or vector, which lives on the host and as long as the call.
template <class Handle> struct Descriptor {
  using Destroy = int (*)(const Cusparse&, Handle);
  Handle get = nullptr;
  Destroy destroy;
  explicit Descriptor(Destroy d) : destroy(d) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (get) destroy(cusparse(), get);
  }
};

constexpr auto kDestroyMatrix = [](const Cusparse& s, auto m) { return s.cusparseDestroySpMat(m); };
constexpr auto kDestroyVector = [](const Cusparse& s, auto v) { return s.cusparseDestroyDnVec(v); };
constexpr auto kDestroyDense = [](const Cusparse& s, auto m) { return s.cusparseDestroyDnMat(m); };

struct SparseCall {
  CudaDevice& device;
  const Cusparse& library;
  cusparseHandle_t handle;
  const SparseProductProblem& p;
  SparseTypes types;
  SparseFactor alpha, beta;
  cusparseConstSpMatDescr_t a;
  Stream& stream;

  void check(int status, const char* call) const { check_sparse(device, status, call); }

  void vector() const {
    const auto& w = p.work;
    Descriptor<cusparseConstDnVecDescr_t> x(kDestroyVector);
    Descriptor<cusparseDnVecDescr_t> y(kDestroyVector);
    check(library.cusparseCreateConstDnVec(&x.get, w.columns, w.b, types.data), "cusparseCreateConstDnVec");
    check(library.cusparseCreateDnVec(&y.get, w.rows, w.to, types.data), "cusparseCreateDnVec");
    size_t bytes = 0;
    const int op = CUSPARSE_OPERATION_NON_TRANSPOSE, algorithm = CUSPARSE_SPMV_CSR_ALG2;
    check(library.cusparseSpMV_bufferSize(handle, op, alpha.value, a, x.get, beta.value, y.get, types.compute,
                                          algorithm, &bytes),
          "cusparseSpMV_bufferSize");
    const Scratch work(device, bytes, stream);
    check(library.cusparseSpMV(handle, op, alpha.value, a, x.get, beta.value, y.get, types.compute, algorithm,
                               work.data()),
          "cusparseSpMV");
  }

  void matrix() const {
    const auto& w = p.work;
    Descriptor<cusparseConstDnMatDescr_t> b(kDestroyDense);
    Descriptor<cusparseDnMatDescr_t> c(kDestroyDense);
    // With a stride of 1 along both axes, one of them has a single element: cuSPARSE wants the order that fits.
    const auto by_rows = [&](int64_t row, int64_t column) { return column == 1 && row >= w.width; };
    const auto order = [&](int64_t row, int64_t column) {
      return by_rows(row, column) ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    };
    const auto ld = [&](int64_t row, int64_t column) { return by_rows(row, column) ? row : column; };
    check(library.cusparseCreateConstDnMat(&b.get, w.columns, w.width, ld(w.b_row, w.b_column), w.b, types.data,
                                           order(w.b_row, w.b_column)),
          "cusparseCreateConstDnMat");
    check(library.cusparseCreateDnMat(&c.get, w.rows, w.width, ld(w.to_row, w.to_column), w.to, types.data,
                                      order(w.to_row, w.to_column)),
          "cusparseCreateDnMat");
    size_t bytes = 0;
    const int op = CUSPARSE_OPERATION_NON_TRANSPOSE, algorithm = CUSPARSE_SPMM_CSR_ALG3;
    check(library.cusparseSpMM_bufferSize(handle, op, op, alpha.value, a, b.get, beta.value, c.get, types.compute,
                                          algorithm, &bytes),
          "cusparseSpMM_bufferSize");
    const Scratch work(device, bytes, stream);
    check(library.cusparseSpMM(handle, op, op, alpha.value, a, b.get, beta.value, c.get, types.compute, algorithm,
                               work.data()),
          "cusparseSpMM");
  }
};

}  // namespace

// See Device::has_sparse. A library that is missing now is looked for again by the next call.
bool CudaDevice::has_sparse(Dtype dtype) {
  if (sparse_types(dtype).data < 0) return false;
  try {
    return bool(cusparse().cusparseSpMM) && bool(cusparse().cusparseCreateConstCsr);
  } catch (const Error& error) {
    if (error.status != TENON_ERROR_MISSING_LIBRARY) throw;
    return false;
  }
}

void run(CudaDevice& device, const SparseProductProblem& p, Stream& stream) {
  const auto& w = p.work;
  const Cusparse& library = cusparse();
  const SparseTypes types = sparse_types(p.dtype);
  auto scope = device.activate();
  SparseState& state = sparse_state_of(device);
  std::lock_guard lock(state.mutex);
  if (!state.handle) check_sparse(device, library.cusparseCreate(&state.handle), "cusparseCreate");
  check_sparse(device, library.cusparseSetStream(state.handle, handle_of(stream)), "cusparseSetStream");
  const int index = p.index == TENON_INT32 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
  Descriptor<cusparseConstSpMatDescr_t> a(kDestroyMatrix);
  check_sparse(device,
               library.cusparseCreateConstCsr(&a.get, w.rows, w.columns, w.elements, w.offsets, w.indices, w.values,
                                              index, index, CUSPARSE_INDEX_BASE_ZERO, types.data),
               "cusparseCreateConstCsr");
  const SparseCall call{
      device, library, state.handle, p, types, {p.dtype, w.alpha, true}, {p.dtype, w.beta, w.has_beta != 0},
      a.get,  stream};
  if (w.width == 1 && w.b_row == 1 && w.to_row == 1) call.vector();
  else call.matrix();
}

}  // namespace tenon::cuda
