// ops/solve/small.cpp: launches of the kernels for batches of small matrices.
#include "ops/solve/small.hpp"

#include <algorithm>
#include "device/texts.hpp"
#include "device/work.hpp"
#include "ops/own.hpp"

namespace tenon::ops {

namespace {

using tenon_own::SmallMatrices;

constexpr int64_t kMost = 64;  // rows and columns

// Are the matrices of x evenly spaced? Then `step` is the distance.
bool evenly_spaced(const Array& x, int32_t axes, int64_t& step) {
  int64_t extent = 1;
  step = 0;
  for (int32_t d = axes; d-- > 0;) {
    if (x.shape()[d] == 1) continue;
    if (extent == 1) step = x.strides()[d];
    else if (x.strides()[d] != step * extent) return false;
    extent *= x.shape()[d];
  }
  return true;
}

bool regular(const Array& x, int32_t axes) {
  int64_t step;
  return evenly_spaced(x, axes, step);
}

SmallMatrices matrices(const Array& x) {
  SmallMatrices out{x.data(), 0, x.strides()[x.rank() - 2], x.strides()[x.rank() - 1]};
  evenly_spaced(x, x.rank() - 2, out.step);
  return out;
}

// Vectors as matrices of one row.
SmallMatrices vectors(const Array& x) {
  SmallMatrices out{x.data(), 0, 0, x.strides()[x.rank() - 1]};
  evenly_spaced(x, x.rank() - 1, out.step);
  return out;
}

// x for that batch, as a view if its matrices are then evenly spaced, else as a copy.
Ref<Array> for_batch(const Array& x, Extents batch, Stream& stream) {
  const Dims shape = with_matrix(batch, rows_of(x), cols_of(x));
  const Ref<Array> view = x.broadcast(shape);
  return regular(*view, view->rank() - 2) ? view : copy_of(x, shape, stream);
}

// The number of threads per matrix for problems of up to that many rows and columns, chosen from measurements of
// float32 on an H100 (1000 matrices of 16 and 32, 100 of 64, 10,000 of 3): among the fastest for all routines of a
// table. More threads share the work of one matrix, but what they do alike is then done more often. (eigh of 64 takes 7
// % less with 512 threads, which have too few registers for complex128.)
struct Threads {
  int32_t size, threads;
};
constexpr Threads kByColumns[] = {{8, 8}, {32, 32}, {kMost, 128}};  // about one column per thread
constexpr Threads kEigh[] = {{32, 64}, {kMost, 256}};
constexpr Threads kSvd[] = {{16, 32}, {32, 32}, {kMost, 256}};
// Of the kernels of small_ring.cu, which hold the matrices in registers.
constexpr Threads kRings[] = {{4, 4}, {8, 8}, {16, 32}};

const Threads* ring_for(int64_t size) {
  for (const Threads& row : kRings)
    if (size <= row.size) return &row;
  return nullptr;
}

template <size_t N> const Threads& row_for(const Threads (&table)[N], int64_t size) {
  for (const Threads& row : table)
    if (size <= row.size) return row;
  return table[N - 1];
}

// Bytes of a team's memory, in the order of Place::take.
class Memory {
 public:
  Memory(Dtype dtype, int32_t threads)
      : number_(dtype_bytes(dtype)),
        real_(dtype_bytes(dtype_real(dtype))),
        bytes_(threads > 32 ? threads / 32 * 16 : 0) {}
  Memory& numbers(int64_t count) { return add(count * number_); }
  Memory& reals(int64_t count) { return add(count * real_); }
  Memory& integers(int64_t count) { return add(count * 4); }
  int32_t bytes() const { return int32_t(bytes_); }

 private:
  Memory& add(int64_t bytes) {
    bytes_ += (bytes + 15) / 16 * 16;
    return *this;
  }
  int64_t number_, real_, bytes_;
};

constexpr int64_t kStaticShared = 4096;  // at most, of a kernel

// A block has whole warps.
int32_t teams_of_a_warp(int32_t threads) { return std::max(1, 32 / threads); }

// A kernel's file and its texts, which follow kSmallText.
struct Source {
  const char* file;
  const char* texts[4];
};
constexpr Source kFactor = {"tenon/small_factor.cu", {device::kSmallFactorKernels}};
constexpr Source kEigen = {"tenon/small_eigen.cu", {device::kSmallEigenKernels}};
constexpr Source kRing = {"tenon/small_ring.cu", {device::kSmallEigenKernels, device::kSmallRingKernels}};
constexpr Source kSingularValues = {"tenon/small_svd.cu", {device::kSmallEigenKernels, device::kSmallSvdKernels}};
constexpr Source kRingSingular = {
    "tenon/small_ring_svd.cu",
    {device::kSmallEigenKernels, device::kSmallSvdKernels, device::kSmallRingKernels, device::kSmallRingSvdKernels}};

// more: the template's other arguments.
template <class Work> void launch(const char* routine, const Source& source, Dtype dtype, int32_t threads,
                                  const Work& work, Stream& stream, const std::string& more = "") {
  const OwnKernel kernel{
      source.file,
      {device::kSmallText, source.texts[0], source.texts[1], source.texts[2], source.texts[3]},
      {format("tenon_own::%s<%s, %d%s>", routine, number_name(dtype, "a"), int(threads), more.c_str())}};
  const int64_t room = int64_t(stream.device().info().shared_per_block_max) - kStaticShared;
  const int32_t teams = int32_t(
      std::clamp<int64_t>(room / std::max(work.team_bytes, 1), teams_of_a_warp(threads), std::max(1, 64 / threads)));
  Work value = work;
  void* addresses[] = {&value};
  const ValueShape shapes[] = {ValueShape{uint32_t(sizeof value)}};
  Geometry geometry;
  geometry.grid[0] = uint32_t((work.batch + teams - 1) / teams);
  geometry.block[0] = uint32_t(teams * threads);
  geometry.shared_bytes = uint32_t(teams * work.team_bytes);
  launch_own(stream.device(), kernel, geometry, Values(addresses, shapes, 1), stream);
}

int64_t odd(int64_t n) { return n | 1; }
int64_t even(int64_t n) { return n + n % 2; }
int64_t padded(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

// Of a pair of columns of that many rows, four rows per thread: a power of two, at most a warp.
int32_t threads_per_pair(int32_t threads, int64_t rows, int64_t pairs) {
  int32_t out = 1;
  while (out < 32 && 2 * out * pairs <= threads && 4 * out < rows) out *= 2;
  return out;
}

std::string ring_arguments(int32_t size, const Array* vectors) {
  return format(", %d, %s", int(size), vectors ? "true" : "false");
}

constexpr const char* kNotConverged = "has eigenvalues that did not converge";

}  // namespace

// Measured on an H100 for float32 and the batches above: in the same run the faster of CuPy and PyTorch, which call
// cuSOLVER and cuBLAS, takes 1.1 (Cholesky of 100 x 64 x 64) to 4000 times (QR of 10,000 x 3 x 3) as long. Other dtypes
// and single matrices have not been compared.
bool small_pays(const Device& device, Dtype dtype, int64_t rows, int64_t columns) {
  const int64_t size = std::max(rows, columns), room = size <= 32 ? 32 : kMost;  // two padded matrices in shared memory
  return size <= kMost && prefers_own(device) &&
         uint64_t(2 * (room + 8) * room * dtype_bytes(dtype)) + kStaticShared <= device.info().shared_per_block_max;
}

Ref<Array> open_regular(const Output& out, Dtype dtype, Extents shape, Stream& stream,
                        std::initializer_list<Input> inputs) {
  out.check(dtype, shape, stream.device(), inputs);
  if (out.given() && regular(*out.given(), out.given()->rank() - 2)) return Ref<Array>(out.given());
  return Array::create(stream.device(), dtype, shape, stream);
}

void small_solve(const Array& given_a, const Array* given_b, Op op, const Array& x, Checks& checks, Stream& stream) {
  const Ref<Array> a = for_batch(given_a, batch_of(x), stream),
                   b = given_b ? for_batch(*given_b, batch_of(x), stream) : Ref<Array>();
  const int64_t n = rows_of(*a), k = cols_of(x), batch = count_of(batch_of(x));
  const int32_t threads = row_for(kByColumns, n).threads;
  tenon_own::SmallSolveWork w{};
  w.a = matrices(*a);
  if (b) w.b = matrices(*b);
  w.x = matrices(x);
  w.batch = batch;
  w.n = int32_t(n);
  w.k = int32_t(k);
  w.op = op == Op::transpose ? 1 : op == Op::conjugate_transpose ? 2 : 0;
  w.team_bytes = Memory(x.dtype(), threads).numbers(odd(n) * (n + k)).bytes();
  use({a.get(), b.get()}, {&x}, stream);
  const int64_t matrices_of_a = count_of(batch_of(given_a));
  w.a_not_finite = checks.place_for_finite("a", matrices_of_a == 1 ? 1 : batch);
  w.singular = checks.place_for_info(matrices_of_a == 1 ? 1 : batch, TENON_ERROR_SINGULAR, "getrf",
                                     "is singular: its factor U has a zero on the diagonal");
  w.overflow = checks.place_for_result(batch, TENON_ERROR_OVERFLOW, "has factors that overflow its dtype");
  if (b) w.b_not_finite = checks.place_for_finite("b", batch);
  w.result_not_finite = checks.place_for_result(batch, TENON_ERROR_SINGULAR,
                                                b ? "is singular to working precision: the solution overflows"
                                                  : "is singular to working precision: its inverse overflows");
  launch("small_solve", kFactor, x.dtype(), threads, w, stream);
}

namespace {

tenon_own::SmallFactorWork factor_work(const Array& a, Checks& checks) {
  tenon_own::SmallFactorWork w{};
  w.a = matrices(a);
  w.batch = count_of(batch_of(a));
  w.m = int32_t(rows_of(a));
  w.n = int32_t(cols_of(a));
  w.a_not_finite = checks.place_for_finite("a", w.batch);
  return w;
}

}  // namespace

void small_cholesky(const Array& given, bool upper, const Array& factor, Checks& checks, Stream& stream) {
  const Ref<Array> a = for_batch(given, batch_of(factor), stream);
  const int32_t threads = row_for(kByColumns, rows_of(*a)).threads;
  tenon_own::SmallFactorWork w = factor_work(*a, checks);
  w.first = matrices(factor);
  w.upper = upper;
  w.team_bytes = Memory(a->dtype(), threads).numbers(odd(w.n) * w.n).bytes();
  use({a.get()}, {&factor}, stream);
  w.failed =
      checks.place_for_info(w.batch, TENON_ERROR_SINGULAR, "potrf", "is not positive definite: a leading minor is not");
  launch("small_cholesky", kFactor, a->dtype(), threads, w, stream);
}

void small_qr(const Array& given, const Array* q, const Array& r, Checks& checks, Stream& stream) {
  const Ref<Array> a = for_batch(given, batch_of(r), stream);
  tenon_own::SmallFactorWork w = factor_work(*a, checks);
  const int32_t threads = row_for(kByColumns, std::max(w.m, w.n)).threads;
  w.k = int32_t(rows_of(r));
  if (q) w.first = matrices(*q);
  w.second = matrices(r);
  w.team_bytes = Memory(a->dtype(), threads)
                     .numbers(odd(w.m) * w.n)
                     .numbers(std::min(w.m, w.n))
                     .reals(1)
                     .numbers(q ? odd(w.m) * w.k : 0)
                     .bytes();
  use({a.get()}, {q, &r}, stream);
  w.failed = checks.place_for_result(w.batch, TENON_ERROR_OVERFLOW, "has a factor R that overflows its dtype");
  w.second_failed = checks.place_for_result(w.batch, TENON_ERROR_OVERFLOW, "has reflections that overflow its dtype");
  launch("small_qr", kFactor, a->dtype(), threads, w, stream);
}

void small_eigh(const Array& given, bool upper, const Array& values, const Array* v, Checks& checks, Stream& stream) {
  const Ref<Array> a = for_batch(given, batch_of(given), stream);
  const int64_t n = rows_of(*a);
  const Threads* const ring = ring_for(n);
  const auto& [size, threads] = ring ? *ring : row_for(kEigh, n);
  tenon_own::SmallSpectrumWork w{};
  w.a = matrices(*a);
  w.values = vectors(values);
  if (v) w.left = matrices(*v);
  w.batch = count_of(batch_of(*a));
  w.m = w.n = int32_t(n);
  w.upper = upper;
  const int64_t square = (size + 1) * even(n);
  if (!ring)
    w.team_bytes = Memory(a->dtype(), threads)
                       .numbers(square)
                       .numbers(2 * (even(n) / 2))  // rotations
                       .integers(even(n))
                       .numbers(v ? square : 0)
                       .bytes();
  use({a.get()}, {&values, v}, stream);
  w.a_not_finite = checks.place_for_finite("a", w.batch);
  w.not_converged = checks.place_for_info(w.batch, TENON_ERROR_NOT_CONVERGED, "Jacobi's method", kNotConverged);
  w.overflow = checks.place_for_result(w.batch, TENON_ERROR_OVERFLOW, "has eigenvalues that overflow its dtype");
  if (ring) launch("ring_eigh", kRing, a->dtype(), threads, w, stream, ring_arguments(size, v));
  else launch("small_eigh", kEigen, a->dtype(), threads, w, stream, format(", %d", int(size)));
}

namespace {

int32_t svd_memory(Dtype dtype, int32_t threads, const tenon_own::SmallSpectrumWork& w, int64_t longer,
                   int64_t shorter) {
  const auto ld = [&](int64_t rows) { return 4 * (padded(rows, 4 * w.group) / 4 | 1); };
  const int64_t count = std::max<int64_t>(w.m < w.n ? w.right_rows : w.left_columns, shorter);
  return Memory(dtype, threads)
      .numbers(ld(longer) * std::max(count, even(shorter)))
      .integers(count)
      .reals(shorter)
      .numbers(count)
      .numbers(w.left.data ? ld(shorter) * shorter : 0)
      .bytes();
}

bool fits(const Device& device, int32_t threads, int64_t team_bytes) {
  return teams_of_a_warp(threads) * team_bytes + kStaticShared <= int64_t(device.info().shared_per_block_max);
}

}  // namespace

void small_svd(const Array& given, const Array* u, const Array& s, const Array* vh, Checks& checks, Stream& stream) {
  const Ref<Array> a = for_batch(given, batch_of(given), stream);
  const int64_t m = rows_of(*a), n = cols_of(*a), longer = std::max(m, n), shorter = std::min(m, n);
  tenon_own::SmallSpectrumWork w{};
  w.a = matrices(*a);
  w.values = vectors(s);
  if (u) w.left = matrices(*u), w.right = matrices(*vh);
  w.batch = count_of(batch_of(*a));
  w.m = int32_t(m);
  w.n = int32_t(n);
  w.left_columns = int32_t(u ? cols_of(*u) : 0);
  w.right_rows = int32_t(vh ? rows_of(*vh) : 0);
  const Threads* const ring = ring_for(longer);
  int32_t threads = ring ? ring->threads : 0;
  if (ring) {
    w.group = 1;
    w.team_bytes = svd_memory(a->dtype(), threads, w, longer, shorter);
  } else
    for (const Threads& row : kSvd) {  // long matrices of few columns take the memory of more columns
      threads = row.threads;
      w.group = threads_per_pair(threads, longer, even(shorter) / 2);
      w.team_bytes = svd_memory(a->dtype(), threads, w, longer, shorter);
      if (shorter <= row.size && fits(stream.device(), threads, w.team_bytes)) break;
    }
  use({a.get()}, {&s, u, vh}, stream);
  w.a_not_finite = checks.place_for_result(w.batch, TENON_ERROR_NOT_FINITE,
                                           "contains NaN or infinity, so it has no singular values");
  w.not_converged = checks.place_for_info(w.batch, TENON_ERROR_NOT_CONVERGED, "Jacobi's method",
                                          "has singular values that did not converge");
  w.overflow = checks.place_for_result(w.batch, TENON_ERROR_OVERFLOW, "has singular values that overflow its dtype");
  if (ring) launch("ring_svd", kRingSingular, a->dtype(), threads, w, stream, ring_arguments(ring->size, u));
  else launch("small_svd", kSingularValues, a->dtype(), threads, w, stream);
}

}  // namespace tenon::ops
