// backend/cuda/linalg/products/blas_lists.cpp: products of matrices at arbitrary addresses, by cuBLAS's routines that
// take lists of addresses.
#include "backend/cuda/linalg/blas.hpp"
#include "backend/cuda/graph.hpp"
#include "backend/cuda/kernels/numbers/numbers.hpp"

namespace tenon::cuda {
namespace {

// The addresses of all matrices of problems in device memory: those of a, then of b, then of c.
class Lists {
 public:
  Lists(CudaDevice& device, std::span<const GemmProblem> problems, Stream& stream)
      : count_(total(problems)), memory_(device, uint64_t(3 * count_) * sizeof(void*), stream) {
    std::vector<const void*> list;
    list.reserve(size_t(3 * count_));
    const auto add = [&](auto of_list, auto of_one) {
      for (const GemmProblem& p : problems)
        if (p.list) list.insert(list.end(), ((*p.list).*of_list).begin(), ((*p.list).*of_list).end());
        else
          for (int64_t i = 0; i < p.batch; ++i) list.push_back((p.*of_one)(i));
    };
    add(&GemmList::a, &GemmProblem::a_at);
    add(&GemmList::b, &GemmProblem::b_at);
    add(&GemmList::c, &GemmProblem::c_at);
    put_addresses(device, memory_.data(), list, stream);
  }
  const void* const* a() const { return static_cast<const void* const*>(memory_.data()); }
  const void* const* b() const { return a() + count_; }
  void* const* c() const { return static_cast<void* const*>(memory_.data()) + 2 * count_; }

 private:
  static int64_t total(std::span<const GemmProblem> problems) {
    int64_t count = 0;
    for (const GemmProblem& p : problems) count += p.batch;
    return count;
  }
  int64_t count_;
  Scratch memory_;
};

// Problems with different extents that cuBLAS takes in groups: of one type, real, and without anything that a list does
// not support.
bool grouped_fits(CudaDevice& device, const std::vector<GemmProblem>& problems, Stream& stream) {
  // During a capture the library's use of the host's lists of extents is undocumented.
  if (!cublas().cublasGemmGroupedBatchedEx_64 || static_cast<CudaStream&>(stream).capture() || stream.capturing())
    return false;
  for (const GemmProblem& p : problems) {
    if (p.factors_on_device()) return false;
    if (p.dtype != TENON_FLOAT32 && p.dtype != TENON_FLOAT64) return false;
    if (p.dtype != problems[0].dtype || p.result_dtype() != p.dtype || p.compute != problems[0].compute || p.tune ||
        p.has_epilogue())
      return false;
    if ((p.batch > 1 && !p.list) || parts_fit(device, p)) return false;
  }
  return true;
}

// False: the library does not support these after all, and nothing was done.
bool multiply_groups(CudaDevice& device, const std::vector<GemmProblem>& problems, Stream& stream) {
  const Lists lists(device, problems, stream);
  const GemmTypes t = types_of(problems[0]);
  const size_t count = problems.size();
  std::vector<int> op_a(count), op_b(count);
  std::vector<int64_t> m(count), n(count), k(count), lda(count), ldb(count), ldc(count), sizes(count);
  std::vector<double> alpha(count), beta(count);  // large enough for float too
  for (size_t i = 0; i < count; ++i) {
    const GemmProblem& p = problems[i];
    op_a[i] = op_of(p.op_a), op_b[i] = op_of(p.op_b);
    m[i] = p.m, n[i] = p.n, k[i] = p.k;
    lda[i] = p.lda, ldb[i] = p.ldb, ldc[i] = p.ldc;
    sizes[i] = p.batch;
    const GemmTypes own = types_of(p);
    if (p.dtype == TENON_FLOAT64) alpha[i] = own.alpha.d, beta[i] = own.beta.d;
    else reinterpret_cast<float*>(alpha.data())[i] = own.alpha.f, reinterpret_cast<float*>(beta.data())[i] = own.beta.f;
  }
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const int status = cublas().cublasGemmGroupedBatchedEx_64(
      lease.handle(), op_a.data(), op_b.data(), m.data(), n.data(), k.data(), alpha.data(), lists.a(), t.data,
      lda.data(), lists.b(), t.data, ldb.data(), beta.data(), lists.c(), t.result, ldc.data(), int64_t(count),
      sizes.data(), t.compute);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return false;
  check_blas(device, status, "cublasGemmGroupedBatchedEx");
  return true;
}

}  // namespace

bool listed_fits(CudaDevice& device, const GemmProblem& p) {
  return (dtype_floating(p.dtype) || dtype_complex(p.dtype)) && !p.tune && !p.has_epilogue() &&
         !p.factors_on_device() && !parts_fit(device, p.one(0));
}

void multiply_list(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  const Lists lists(device, {&p, 1}, stream);
  const GemmTypes t = types_of(p);
  const Cublas& blas = cublas();
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const RelaxedCapture relaxed(device, stream);
  int status;
  if (blas.cublasGemmBatchedEx_64) {
    status = blas.cublasGemmBatchedEx_64(lease.handle(), op_of(p.op_a), op_of(p.op_b), p.m, p.n, p.k, &t.alpha,
                                         lists.a(), t.data, p.lda, lists.b(), t.data, p.ldb, &t.beta, lists.c(),
                                         t.result, p.ldc, p.batch, t.compute, CUBLAS_GEMM_DEFAULT);
  } else {
    require_int(p);
    status = blas.cublasGemmBatchedEx(lease.handle(), op_of(p.op_a), op_of(p.op_b), int(p.m), int(p.n), int(p.k),
                                      &t.alpha, lists.a(), t.data, int(p.lda), lists.b(), t.data, int(p.ldb), &t.beta,
                                      lists.c(), t.result, int(p.ldc), int(p.batch), t.compute, CUBLAS_GEMM_DEFAULT);
  }
  check_blas(device, status, "cublasGemmBatchedEx");
}

void run(CudaDevice& device, const GroupedGemmProblem& group, Stream& stream) {
  const std::vector<GemmProblem>& problems = group.products;
  if (grouped_fits(device, problems, stream) && multiply_groups(device, problems, stream)) return;
  for (const GemmProblem& p : problems) run(device, p, stream);
}

}  // namespace tenon::cuda
