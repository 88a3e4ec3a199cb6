// backend/cuda/kernels/numbers/numbers.cpp: launches the kernels of numbers.cu.
#include "backend/cuda/kernels/numbers/numbers.hpp"

#include <algorithm>
#include <bit>
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

void scale_and_perturb(CudaDevice& device, void* to, const void* from, int64_t count, double factor, double noise,
                       Stream& stream) {
  launch<Template::scale_and_perturb>(device, {}, {striding_blocks(device, uint64_t(count))}, stream, to, from,
                                      uint64_t(count), factor, noise);
}

void eigen_defect(CudaDevice& device, Dtype dtype, void* s, const void* g, void* w, int64_t n, Stream& stream) {
  launch<Template::eigen_defect>(device, {element_of(dtype)}, {n}, stream, s, g, w, uint32_t(n));
}

void eigen_gaps(CudaDevice& device, Dtype dtype, const void* s, const void* w, void* gaps, int64_t n, double top,
                double bound, Stream& stream) {
  launch<Template::eigen_gaps>(device, {element_of(dtype)}, {n}, stream, s, w, gaps, uint32_t(n), top, bound);
}

void eigen_correction(CudaDevice& device, Dtype dtype, void* s, const void* g, const void* w, const void* gaps,
                      int64_t n, Stream& stream) {
  launch<Template::eigen_correction>(device, {element_of(dtype)}, {n}, stream, s, g, w, gaps, uint32_t(n));
}

void gather_columns(CudaDevice& device, void* to, const void* from, const void* from_column, int64_t columns,
                    int64_t bytes, Stream& stream) {
  launch<Template::gather_columns>(device, {}, {columns}, stream, to, from, from_column, uint64_t(bytes) / 8);
}

namespace {

void find_not_finite(CudaDevice& device, const void* data, Dtype real, int64_t count, tenon_finding* finding,
                     Stream& stream) {
  launch<Template::find_not_finite>(device, {element_of(real)}, {striding_blocks(device, uint64_t(count))}, stream,
                                    data, uint64_t(count), finding);
}

}  // namespace

void run(CudaDevice& device, const FirstNotFiniteProblem& p, Stream& stream) {
  find_not_finite(device, p.data, dtype_real(p.dtype), p.count * (dtype_complex(p.dtype) ? 2 : 1), p.finding, stream);
}

void run(CudaDevice& device, const FirstZeroProblem& p, Stream& stream) {
  launch<Template::find_zero>(device, {element_of(p.dtype)}, {striding_blocks(device, uint64_t(p.count))}, stream,
                              p.data, uint64_t(p.count), p.finding);
}

void run(CudaDevice& device, const FirstInfoProblem& p, Stream& stream) {
  launch<Template::find_info>(device, {}, {striding_blocks(device, uint64_t(p.count))}, stream, p.info,
                              uint64_t(p.count), p.finding);
}

void run(CudaDevice& device, const BoundPivotsProblem& p, Stream& stream) {
  launch<Template::bound_pivots>(device, {}, {striding_blocks(device, uint64_t(p.count))}, stream, p.pivots,
                                 uint64_t(p.count), p.rows, p.finding);
}

bool all_finite(CudaDevice& device, const void* data, Dtype real, int64_t count, Stream& stream) {
  Scratch finding(device, sizeof(tenon_finding), stream);
  {
    auto scope = device.activate();
    device.check(
        device.driver().cuMemsetD32Async(address(finding.data()), ~0u, sizeof(tenon_finding) / 4, handle_of(stream)),
        "cuMemsetD32Async");
  }
  find_not_finite(device, data, real, count, static_cast<tenon_finding*>(finding.data()), stream);
  tenon_finding found;
  device.download(&found, finding.data(), sizeof found, false, stream);
  return found.least == ~0ull;
}

void line_norms(CudaDevice& device, void* out, Dtype out_dtype, const void* a, Dtype dtype, const NormLines& lines,
                int64_t batch, int kind, Stream& stream) {
  const int64_t blocks = lines.count * batch;
  TENON_REQUIRE(blocks <= INT32_MAX, TENON_ERROR_UNSUPPORTED,
                "norms of %lld lines were requested at once: at most 2^31 - 1 are allowed",
                static_cast<long long>(blocks));
  launch<Template::line_norms>(device, {element_of(out_dtype), element_of(dtype)}, {blocks}, stream, out, a,
                               uint64_t(lines.count), uint64_t(lines.length), uint64_t(lines.last), lines.line_step,
                               lines.step, lines.stride, uint32_t(kind));
}

void put_addresses(CudaDevice& device, void* to, const std::vector<const void*>& list, Stream& stream) {
  if (!static_cast<CudaStream&>(stream).capture())
    return device.upload(to, list.data(), list.size() * sizeof(void*), false, stream);
  // A graph would read host memory whenever it runs, so the addresses are passed with launches instead.
  work::Addresses chunk{};
  for (size_t first = 0; first < list.size(); first += std::size(chunk.at)) {
    uint32_t count = uint32_t(std::min(std::size(chunk.at), list.size() - first));
    for (uint32_t i = 0; i < count; ++i) chunk.at[i] = reinterpret_cast<uint64_t>(list[first + i]);
    launch<Template::write_addresses>(device, {}, {1}, stream, static_cast<const void**>(to) + first, chunk, count);
  }
}

void combine(CudaDevice& device, const OnMatrices& p, const Scalars& factor, const DenseMatrix& a, const DenseMatrix& b,
             Stream& stream) {
  const work::Combination c{b.data,
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
  launch<Template::combine>(device, {element_of(p.dtype)}, {striding_blocks(device, c.count)}, stream, c);
}

namespace {

work::Rotation rotation_of(const OnMatrices& p, const DenseMatrix& b, const Scalars& factors) {
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

void rotate(CudaDevice& device, const work::Rotation& r, Dtype dtype, bool exchange, Stream& stream) {
  launch<Template::rotate>(device, {element_of(dtype), {}, exchange}, {striding_blocks(device, r.count)}, stream, r);
}

}  // namespace

void run(CudaDevice& device, const RotProblem& p, Stream& stream) {
  rotate(device, rotation_of(p, p.b, p), p.dtype, false, stream);
}

void run(CudaDevice& device, const SwapProblem& p, Stream& stream) {
  rotate(device, rotation_of(p, p.b, {}), p.dtype, true, stream);
}

void run(CudaDevice& device, const RotmProblem& p, Stream& stream) {
  const work::Rotation r = rotation_of(p, p.b, {});
  launch<Template::rotate_modified>(device, {element_of(p.dtype)}, {striding_blocks(device, r.count)}, stream, r,
                                    p.param);
}

void run(CudaDevice& device, const RotmgProblem& p, Stream& stream) {
  launch<Template::givens_modified>(device, {element_of(p.dtype)}, {striding_blocks(device, uint64_t(p.count))}, stream,
                                    p.d1, p.d2, p.x1, p.param, uint64_t(p.count));
}

void run(CudaDevice& device, const RotgProblem& p, Stream& stream) {
  launch<Template::givens>(device, {element_of(p.dtype), element_of(dtype_real(p.dtype))},
                           {striding_blocks(device, uint64_t(p.count))}, stream, p.a, p.b, p.c, uint64_t(p.count));
}

void run(CudaDevice& device, const ExtremeProblem& p, Stream& stream) {
  const auto launch_lines = [&](void* out, const void* candidates, int64_t lines, int64_t length, int64_t last) {
    const int64_t blocks = lines * p.batch;
    TENON_REQUIRE(blocks <= INT32_MAX, TENON_ERROR_UNSUPPORTED,
                  "the extreme places of %lld vectors were requested at once: at most 2^31 - 1 are allowed",
                  static_cast<long long>(blocks));
    launch<Template::line_places>(device, {element_of(p.dtype)}, {blocks}, stream, out, p.a.data, candidates,
                                  uint64_t(lines), uint64_t(length), uint64_t(last), p.a.step, p.a.stride,
                                  uint32_t(p.smallest));
  };
  // A few long vectors are divided into lines, so that many blocks have work.
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
  launch<Template::keep_triangle>(device, {element_of(dtype)}, {striding_blocks(device, uint64_t(m * n * batch))},
                                  stream, a, ld, stride, uint64_t(m), uint64_t(n), uint64_t(batch), uint32_t(upper),
                                  uint32_t(unit));
}

namespace {

constexpr int64_t kManyParts = 64;

template <class T> void run_products(CudaDevice& device, const GemmProblem& p, Element element, Stream& stream) {
  const work::Products<T> products{static_cast<const T*>(p.a),
                                   static_cast<const T*>(p.b),
                                   static_cast<T*>(p.c),
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
  const int64_t shared_bytes = 4 * int64_t(sizeof(T)) * (p.m * p.k + p.n * (p.k + 1));
  launch<Template::small_products>(device, {element, {}, tiles(p.m, 8), tiles(p.n, 4)},
                                   {(p.batch + 3) / 4, shared_bytes, 128}, stream, products);
}

}  // namespace

void apply_epilogue(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  launch<Template::gemm_epilogue>(device, {element_of(p.result_dtype())},
                                  {striding_blocks(device, uint64_t(p.m * p.n * p.batch))}, stream, p.c, p.bias, p.ldc,
                                  p.stride_c, p.m, p.n, p.batch, uint32_t(p.epilogue), uint32_t(p.bias_of_columns));
}

bool small_products_fit(const GemmProblem& p) {
  return (p.dtype == TENON_FLOAT32 || p.dtype == TENON_FLOAT64) && p.m <= work::kSmallProduct &&
         p.n <= work::kSmallProduct && p.k <= work::kSmallProduct && p.batch >= kManyParts && p.batch <= INT32_MAX;
}

void small_products(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  if (p.dtype == TENON_FLOAT32) run_products<float>(device, p, Element::f32, stream);
  else run_products<double>(device, p, Element::f64, stream);
}

namespace {

constexpr int64_t kMostRows = 256;

int64_t jacobi_memory(int64_t m, int64_t n, int64_t uc, int64_t number) {
  return number * (m * std::max(n, uc) + n * n);
}

}  // namespace

bool jacobi_fits(CudaDevice& device, int64_t m, int64_t n, int64_t uc) {
  return n <= work::kJacobiColumns && uc <= work::kJacobiColumns && m <= kMostRows &&
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
  const uint32_t pairs = uint32_t(std::max<int64_t>((n + 1) / 2, 1));
  launch<Template::jacobi>(device, {element_of(dtype), element_of(dtype_real(dtype))},
                           {batch, jacobi_memory(m, n, u ? uc : 0, is_complex ? 16 : 8), 32 * pairs}, stream, a, s, u,
                           vh, failed.data(), uint32_t(m), uint32_t(n), uint32_t(uc), tolerance);
  uint32_t number = 0;
  device.download(&number, failed.data(), 4, false, stream);
  return int64_t(number) - 1;
}

}  // namespace tenon::cuda
