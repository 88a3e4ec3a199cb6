// backend/cuda/kernels/numbers.cpp: launches the kernels of numbers.cu.
#include "backend/cuda/kernels/numbers.hpp"

#include <algorithm>
#include <bit>
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

void scale_and_perturb(CudaDevice& device, void* to, const void* from, int64_t count, double factor, double noise,
                       Stream& stream) {
  const uint64_t n = uint64_t(count);
  void* params[] = {&to, &from, const_cast<uint64_t*>(&n), &factor, &noise};
  launch(device, {Template::scale_and_perturb}, striding_blocks(device, count), params, stream);
}

void eigen_defect(CudaDevice& device, Dtype dtype, void* s, const void* g, void* w, int64_t n, Stream& stream) {
  uint32_t size = uint32_t(n);
  void* params[] = {&s, &g, &w, &size};
  launch(device, {Template::eigen_defect, element_of(dtype)}, n, params, stream);
}

void eigen_gaps(CudaDevice& device, Dtype dtype, const void* s, const void* w, void* gaps, int64_t n, double top,
                double bound, Stream& stream) {
  uint32_t size = uint32_t(n);
  void* params[] = {&s, &w, &gaps, &size, &top, &bound};
  launch(device, {Template::eigen_gaps, element_of(dtype)}, n, params, stream);
}

void eigen_correction(CudaDevice& device, Dtype dtype, void* s, const void* g, const void* w, const void* gaps,
                      int64_t n, Stream& stream) {
  uint32_t size = uint32_t(n);
  void* params[] = {&s, &g, &w, &gaps, &size};
  launch(device, {Template::eigen_correction, element_of(dtype)}, n, params, stream);
}

void gather_columns(CudaDevice& device, void* to, const void* from, const void* from_column, int64_t columns,
                    int64_t bytes, Stream& stream) {
  const uint64_t rows = uint64_t(bytes) / 8;
  void* params[] = {&to, &from, &from_column, const_cast<uint64_t*>(&rows)};
  launch(device, {Template::gather_columns}, columns, params, stream);
}

namespace {

void find_not_finite(CudaDevice& device, const void* data, Dtype real, int64_t count, uint64_t* least, Stream& stream) {
  void* params[] = {&data, &count, &least};
  launch(device, {Template::find_not_finite, element_of(real)}, striding_blocks(device, count), params, stream);
}

}  // namespace

void run(CudaDevice& device, const FirstNotFiniteProblem& p, Stream& stream) {
  find_not_finite(device, p.data, dtype_real(p.dtype), p.count * (dtype_complex(p.dtype) ? 2 : 1), p.least, stream);
}

void run(CudaDevice& device, const FirstZeroProblem& p, Stream& stream) {
  const void* data = p.data;
  int64_t count = p.count;
  uint64_t* least = p.least;
  void* params[] = {&data, &count, &least};
  launch(device, {Template::find_zero, element_of(p.dtype)}, striding_blocks(device, count), params, stream);
}

void run(CudaDevice& device, const FirstInfoProblem& p, Stream& stream) {
  const int32_t* infos = p.info;
  int64_t count = p.count;
  uint64_t* least = p.least;
  void* params[] = {&infos, &count, &least};
  launch(device, {Template::find_info}, striding_blocks(device, count), params, stream);
}

void run(CudaDevice& device, const BoundPivotsProblem& p, Stream& stream) {
  int64_t *pivots = p.pivots, count = p.count, rows = p.rows;
  uint64_t* least = p.least;
  void* params[] = {&pivots, &count, &rows, &least};
  launch(device, {Template::bound_pivots}, striding_blocks(device, count), params, stream);
}

bool all_finite(CudaDevice& device, const void* data, Dtype real, int64_t count, Stream& stream) {
  Scratch least(device, 8, stream);
  {
    auto scope = device.activate();
    device.check(device.driver().cuMemsetD32Async(address(least.data()), ~0u, 2, handle_of(stream)),
                 "cuMemsetD32Async");
  }
  find_not_finite(device, data, real, count, static_cast<uint64_t*>(least.data()), stream);
  uint64_t found = 0;
  device.download(&found, least.data(), 8, false, stream);
  return found == ~uint64_t(0);
}

void line_norms(CudaDevice& device, void* out, Dtype out_dtype, const void* a, Dtype dtype, const NormLines& lines,
                int64_t batch, int kind, Stream& stream) {
  NormLines l = lines;
  uint32_t which = uint32_t(kind);
  void* params[] = {&out, &a, &l.count, &l.length, &l.last, &l.line_step, &l.step, &l.stride, &which};
  const int64_t blocks = l.count * batch;
  TENON_REQUIRE(blocks <= INT32_MAX, TENON_ERROR_UNSUPPORTED,
                "norms of %lld lines were requested at once: at most 2^31 - 1 are allowed",
                static_cast<long long>(blocks));
  launch(device, {Template::line_norms, element_of(out_dtype), element_of(dtype)}, blocks, params, stream);
}

void put_addresses(CudaDevice& device, void* to, const std::vector<const void*>& list, Stream& stream) {
  if (!static_cast<CudaStream&>(stream).capture())
    return device.upload(to, list.data(), list.size() * sizeof(void*), false, stream);
  // A graph would read the host's memory whenever it runs: the addresses come with launches instead.
  struct Chunk {
    const void* at[256];
  } chunk{};
  for (size_t first = 0; first < list.size(); first += std::size(chunk.at)) {
    uint32_t count = uint32_t(std::min(std::size(chunk.at), list.size() - first));
    std::copy_n(list.begin() + int64_t(first), count, chunk.at);
    void* place = static_cast<const void**>(to) + first;
    void* params[] = {&place, &chunk, &count};
    launch(device, {Template::write_addresses}, 1, params, stream);
  }
}

namespace {

struct Combination {  // as in numbers.cu
  void* y;
  const void* x;
  int64_t y_step, y_ld, y_stride, x_step, x_ld, x_stride;
  uint64_t m, n, count;
  double alpha[2];
  const void* alpha_at;
};

}  // namespace

void combine(CudaDevice& device, const OnMatrices& p, const Scalars& factor, const DenseMatrix& a, const DenseMatrix& b,
             Stream& stream) {
  Combination c{b.data,
                a.data,
                b.step,
                b.ld,
                b.stride,
                a.step,
                a.ld,
                a.stride,
                uint64_t(p.m),
                uint64_t(p.n),
                uint64_t(p.m * p.n * p.batch),
                {factor.alpha.real(), factor.alpha.imag()},
                factor.alpha_at};
  void* params[] = {&c};
  launch(device, {Template::combine, element_of(p.dtype)}, striding_blocks(device, p.m * p.n * p.batch), params,
         stream);
}

namespace {

struct Rotation {  // as in numbers.cu
  void* x;
  void* y;
  int64_t x_step, x_ld, x_stride, y_step, y_ld, y_stride;
  uint64_t m, n, count;
  double c[2], s[2];
  const void *c_at, *s_at;
};

Rotation rotation_of(const OnMatrices& p, const DenseMatrix& b, const Scalars& factors) {
  const DenseMatrix& a = p.a;
  return {a.data,
          b.data,
          a.step,
          a.ld,
          a.stride,
          b.step,
          b.ld,
          b.stride,
          uint64_t(p.m),
          uint64_t(p.n),
          uint64_t(p.m * p.n * p.batch),
          {factors.alpha.real(), 0},
          {factors.beta.real(), factors.beta.imag()},
          factors.alpha_at,
          factors.beta_at};
}

void rotate(CudaDevice& device, Rotation r, Dtype dtype, bool exchange, Stream& stream) {
  void* params[] = {&r};
  launch(device, {Template::rotate, element_of(dtype), {}, exchange}, striding_blocks(device, int64_t(r.count)), params,
         stream);
}

}  // namespace

void run(CudaDevice& device, const RotProblem& p, Stream& stream) {
  rotate(device, rotation_of(p, p.b, p), p.dtype, false, stream);
}

void run(CudaDevice& device, const SwapProblem& p, Stream& stream) {
  rotate(device, rotation_of(p, p.b, {}), p.dtype, true, stream);
}

void run(CudaDevice& device, const RotmProblem& p, Stream& stream) {
  Rotation r = rotation_of(p, p.b, {});
  const void* h = p.param;
  void* params[] = {&r, &h};
  launch(device, {Template::rotate_modified, element_of(p.dtype)}, striding_blocks(device, int64_t(r.count)), params,
         stream);
}

void run(CudaDevice& device, const RotmgProblem& p, Stream& stream) {
  void *d1 = p.d1, *d2 = p.d2, *x1 = p.x1, *h = p.param;
  uint64_t count = uint64_t(p.count);
  void* params[] = {&d1, &d2, &x1, &h, &count};
  launch(device, {Template::givens_modified, element_of(p.dtype)}, striding_blocks(device, p.count), params, stream);
}

void run(CudaDevice& device, const RotgProblem& p, Stream& stream) {
  void *a = p.a, *b = p.b, *c = p.c;
  uint64_t count = uint64_t(p.count);
  void* params[] = {&a, &b, &c, &count};
  launch(device, {Template::givens, element_of(p.dtype), element_of(dtype_real(p.dtype))},
         striding_blocks(device, p.count), params, stream);
}

void run(CudaDevice& device, const ExtremeProblem& p, Stream& stream) {
  const auto launch_lines = [&](void* out, const void* candidates, int64_t lines, int64_t length, int64_t last) {
    const void* a = p.a.data;
    int64_t step = p.a.step, stride = p.a.stride;
    uint32_t smallest = p.smallest;
    void* params[] = {&out, &a, &candidates, &lines, &length, &last, &step, &stride, &smallest};
    const int64_t blocks = lines * p.batch;
    TENON_REQUIRE(blocks <= INT32_MAX, TENON_ERROR_UNSUPPORTED,
                  "the extreme places of %lld vectors were requested at once: at most 2^31 - 1 are allowed",
                  static_cast<long long>(blocks));
    launch(device, {Template::line_places, element_of(p.dtype)}, blocks, params, stream);
  };
  // A few long vectors are cut into lines, so that many blocks have work.
  constexpr int64_t kLine = 8192;
  if (p.m <= kLine || p.batch >= 8 * std::max(device.info().multiprocessors, 1))
    return launch_lines(p.found, nullptr, 1, p.m, p.m);
  const int64_t lines = (p.m + kLine - 1) / kLine;
  Scratch places(device, uint64_t(lines) * uint64_t(p.batch) * 8, stream);
  launch_lines(places.data(), nullptr, lines, kLine, p.m - (lines - 1) * kLine);
  launch_lines(p.found, places.data(), 1, lines, lines);
}

void keep_triangle(CudaDevice& device, Dtype dtype, void* a, int64_t ld, int64_t stride, int64_t m, int64_t n,
                   int64_t batch, bool upper, bool unit, Stream& stream) {
  uint32_t part = upper, diagonal = unit;
  void* params[] = {&a, &ld, &stride, &m, &n, &batch, &part, &diagonal};
  launch(device, {Template::keep_triangle, element_of(dtype)}, striding_blocks(device, m * n * batch), params, stream);
}

namespace {

constexpr int64_t kSmall = 32;  // rows, columns and inner extent of a product, as in numbers.cu
constexpr int64_t kMany = 64;

template <class T> struct Products {  // as in numbers.cu
  const void* a;
  const void* b;
  void* c;
  int64_t lda, ldb, ldc, stride_a, stride_b, stride_c;
  uint32_t m, n, k, batch;
  uint32_t turn_a, turn_b;
  T alpha, beta;
};

template <class T> void run_products(CudaDevice& device, const GemmProblem& p, Element element, Stream& stream) {
  Products<T> products{p.a,
                       p.b,
                       p.c,
                       p.lda,
                       p.ldb,
                       p.ldc,
                       p.stride_a,
                       p.stride_b,
                       p.stride_c,
                       uint32_t(p.m),
                       uint32_t(p.n),
                       uint32_t(p.k),
                       uint32_t(p.batch),
                       p.op_a != Op::none,
                       p.op_b != Op::none,
                       T(p.alpha.real()),
                       T(p.beta.real())};
  auto tiles = [](int64_t extent, int64_t step) {
    return uint16_t(std::bit_ceil(uint64_t((extent + step - 1) / step)));
  };
  void* params[] = {&products};
  launch(device, {Template::small_products, element, {}, tiles(p.m, 8), tiles(p.n, 4)}, (p.batch + 3) / 4, params,
         stream, 4 * int64_t(sizeof(T)) * (p.m * p.k + p.n * (p.k + 1)), 128);
}

}  // namespace

void apply_epilogue(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  void* c = p.c;
  const void* bias = p.bias;
  int64_t ld = p.ldc, stride = p.stride_c, m = p.m, n = p.n, batch = p.batch;
  uint32_t kind = uint32_t(p.epilogue), of_columns = p.bias_of_columns;
  void* params[] = {&c, &bias, &ld, &stride, &m, &n, &batch, &kind, &of_columns};
  launch(device, {Template::gemm_epilogue, element_of(p.result_dtype())}, striding_blocks(device, m * n * batch),
         params, stream);
}

bool small_products_fit(const GemmProblem& p) {
  return (p.dtype == TENON_FLOAT32 || p.dtype == TENON_FLOAT64) && p.m <= kSmall && p.n <= kSmall && p.k <= kSmall &&
         p.batch >= kMany && p.batch <= INT32_MAX;
}

void small_products(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  if (p.dtype == TENON_FLOAT32) run_products<float>(device, p, Element::f32, stream);
  else run_products<double>(device, p, Element::f64, stream);
}

namespace {

constexpr int64_t kMostColumns = 64;  // as in numbers.cu
constexpr int64_t kMostRows = 256;

int64_t jacobi_memory(int64_t m, int64_t n, int64_t uc, int64_t number) {
  return number * (m * std::max(n, uc) + n * n);
}

}  // namespace

bool jacobi_fits(CudaDevice& device, int64_t m, int64_t n, int64_t uc) {
  return n <= kMostColumns && uc <= kMostColumns && m <= kMostRows &&
         uint64_t(jacobi_memory(m, n, uc, 16)) + 1024 <= device.info().shared_per_block_max;
}

int64_t jacobi(CudaDevice& device, Dtype dtype, int64_t m, int64_t n, int64_t uc, int64_t batch, const void* a, void* s,
               void* u, void* vh, Stream& stream) {
  const bool is_complex = dtype_complex(dtype), single = dtype_bytes(dtype_real(dtype)) == 4;
  const double tolerance = single ? 1e-9 : 1e-15;
  Scratch failed(device, 4, stream);
  {
    auto scope = device.activate();
    device.check(device.driver().cuMemsetD32Async(address(failed.data()), 0, 1, handle_of(stream)), "cuMemsetD32Async");
  }
  uint32_t rows = uint32_t(m), columns = uint32_t(n), vectors = uint32_t(uc);
  void* flag = failed.data();
  void* params[] = {&a, &s, &u, &vh, &flag, &rows, &columns, &vectors, const_cast<double*>(&tolerance)};
  const uint32_t pairs = uint32_t(std::max<int64_t>((n + 1) / 2, 1));
  launch(device, {Template::jacobi, element_of(dtype), element_of(dtype_real(dtype))}, batch, params, stream,
         jacobi_memory(m, n, u ? uc : 0, is_complex ? 16 : 8), 32 * pairs);
  uint32_t number = 0;
  device.download(&number, failed.data(), 4, false, stream);
  return int64_t(number) - 1;
}

}  // namespace tenon::cuda
