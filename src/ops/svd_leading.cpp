// ops/svd_leading.cpp: the leading singular triplets by projection on a small space: a block Krylov space, or the range of a
// random projection.
//
// Vectors are rows here, so that a basis grows at its end: `rows` holds V^H, p x n, and `images` (a V)^H, p x m. All that is large
// is a matrix product; what is small (the Gram matrix of a block) is decomposed on the host, in double precision.
#include <tenon/linalg.h>
#include <tenon/solve.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include "ops/ops.hpp"
#include "ops/svd.hpp"

namespace tenon::ops {
namespace {

using Complex = std::complex<double>;

constexpr int64_t kSteps = 32;       // after which a flat spectrum has usually converged, and is looked at
constexpr int64_t kMoreSteps = 8;    // then after every so many
constexpr int64_t kMostSteps = 64;
constexpr double kFalling = 0.1;     // new directions this much shorter than halfway: worth a look before

int64_t block_of(int64_t k) { return std::clamp<int64_t>((k / 3 + 4) / 8 * 8, 8, 128); }

// Numbers in [-1, 1), always the same ones.
Ref<Array> random_rows(int64_t rows, int64_t cols, Dtype dtype, uint64_t seed, Stream& stream) {
  std::vector<float> values(size_t(rows * cols) * (dtype_complex(dtype) ? 2 : 1));
  uint64_t state = seed * 0xd1342543de82ef95ull;
  for (float& value : values) {
    uint64_t x = state += 0x9e3779b97f4a7c15ull;  // splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    value = float(int64_t(x ^ (x >> 31)) >> 40) * 0x1p-23f;
  }
  const Dtype single = dtype_complex(dtype) ? TENON_COMPLEX64 : TENON_FLOAT32;
  const Ref<Array> out = Array::create(stream.device(), single, Dims{rows, cols}, stream);
  from_host(*out, values.data(), values.size() * sizeof(float), &stream);
  return dtype == single ? out : convert(*out, dtype, stream.device(), &stream);
}

// f, r x b, with f g f^H = 1 of a Gram matrix g, b x b, of which r rows are independent: by Cholesky's factors of g with its
// diagonal brought to 1, pivoted. Rows whose square is below `floor` count as nothing.
// T is double for real matrices: between two products on the device this is what is waited for.
struct Independent { std::vector<Complex> f; int64_t r; };

double conjugate(double x) { return x; }
Complex conjugate(Complex x) { return std::conj(x); }
template <class T> T number(Complex x) {
  if constexpr (std::is_same_v<T, double>) return x.real();
  else return x;
}

template <class T> Independent independent_rows_of(const std::vector<Complex>& g, int64_t b, double floor, double epsilon) {
  const auto at = [b](auto& x, int64_t i, int64_t j) -> auto& { return x[size_t(i * b + j)]; };
  std::vector<double> length(static_cast<size_t>(b)), left(static_cast<size_t>(b));
  std::vector<int64_t> row(static_cast<size_t>(b));
  for (int64_t i = 0; i < b; ++i) {
    const double square = at(g, i, i).real();
    length[size_t(i)] = square > floor && std::isfinite(square) ? std::sqrt(square) : 0;
    left[size_t(i)] = length[size_t(i)] > 0 ? 1 : 0;
    row[size_t(i)] = i;
  }
  std::vector<T> l(size_t(b * b));  // of the rows in their new order
  int64_t r = 0;
  for (; r < b; ++r) {
    const int64_t best = std::max_element(left.begin() + r, left.end()) - left.begin();
    if (!(left[size_t(best)] > double(b) * epsilon)) break;  // what is left is rounding
    std::swap(left[size_t(r)], left[size_t(best)]);
    std::swap(row[size_t(r)], row[size_t(best)]);
    for (int64_t j = 0; j < r; ++j) std::swap(at(l, r, j), at(l, best, j));
    const double pivot = std::sqrt(left[size_t(r)]);
    at(l, r, r) = pivot;
    for (int64_t i = r + 1; i < b; ++i) {
      if (left[size_t(i)] == 0) continue;
      T sum = number<T>(at(g, row[size_t(i)], row[size_t(r)])) / (length[size_t(row[size_t(i)])] * length[size_t(row[size_t(r)])]);
      for (int64_t j = 0; j < r; ++j) sum -= at(l, i, j) * conjugate(at(l, r, j));
      at(l, i, r) = sum / pivot;
      left[size_t(i)] = std::max(0.0, left[size_t(i)] - std::norm(at(l, i, r)));
    }
  }
  // l^-1, then columns back to where the rows came from.
  Independent out{std::vector<Complex>(size_t(r * b)), r};
  for (int64_t j = 0; j < r; ++j) {
    std::vector<T> x(static_cast<size_t>(r));
    for (int64_t i = j; i < r; ++i) {
      T sum = i == j ? 1 : 0;
      for (int64_t k = j; k < i; ++k) sum -= at(l, i, k) * x[size_t(k)];
      x[size_t(i)] = sum / at(l, i, i);
      out.f[size_t(i * b + row[size_t(j)])] = x[size_t(i)] / length[size_t(row[size_t(j)])];
    }
  }
  return out;
}

Independent independent_rows(const std::vector<Complex>& g, int64_t b, Dtype dtype, double floor, double epsilon) {
  return dtype_complex(dtype) ? independent_rows_of<Complex>(g, b, floor, epsilon) : independent_rows_of<double>(g, b, floor, epsilon);
}

// An orthonormal basis, and the images of its vectors.
class Basis {
 public:
  Basis(const Array& a, int64_t capacity, Stream& stream)
      : a_(a), stream_(stream), epsilon_(epsilon_of(a.dtype())),
        rows_(Array::create(stream.device(), a.dtype(), Dims{capacity, cols_of(a)}, stream)),
        images_(Array::create(stream.device(), a.dtype(), Dims{capacity, rows_of(a)}, stream)) {}

  int64_t size() const { return size_; }
  int64_t room() const { return rows_of(*rows_) - size_; }
  Ref<Array> rows() const { return part(*rows_, 0, size_); }
  Ref<Array> images() const { return part(*images_, 0, size_); }
  double longest() const { return longest_; }  // of the rows appended last, before they were brought to length 1

  // Appends what is independent of the basis in these rows (which are lost); returns how many that were. Twice is enough: the first
  // pass leaves rounding errors of the size of the rows, the second those of length 1.
  int64_t append(Array& w) {
    project(w);
    const std::vector<Complex> gram = gram_of(w);
    double largest = 0;
    for (int64_t i = 0; i < rows_of(w); ++i) largest = std::max(largest, gram[size_t(i * (rows_of(w) + 1))].real());
    longest_ = std::sqrt(largest);
    scale_ = std::max(scale_, longest_);
    const double noise = 10 * epsilon_ * scale_;
    const Independent first = independent_rows(gram, rows_of(w), a_.dtype(), noise * noise, epsilon_);
    const int64_t taken = std::min(first.r, room());
    if (taken == 0) return 0;
    const Ref<Array> q = product(*matrix(first, taken, rows_of(w)), w, stream_);
    project(*q);
    const Independent second = independent_rows(gram_of(*q), taken, a_.dtype(), 0.1, epsilon_);
    if (second.r == 0) return 0;
    gemm(1.0, *matrix(second, second.r, taken), Op::none, *q, Op::none, 0.0, *part(*rows_, size_, second.r), TENON_COMPUTE_STRICT, &stream_);
    gemm(1.0, *part(*rows_, size_, second.r), Op::none, a_, Op::conjugate_transpose, 0.0, *part(*images_, size_, second.r),
         TENON_COMPUTE_STRICT, &stream_);
    size_ += second.r;
    return second.r;
  }

  // Random rows until the block has `count`.
  int64_t fill_up(int64_t have, int64_t count) {
    count = std::min(count, have + room());
    if (have >= count) return have;
    return have + append(*random_rows(count - have, cols_of(a_), a_.dtype(), uint64_t(size_) + 2, stream_));
  }

  // a^H a v of the last `count` vectors, as rows.
  Ref<Array> next(int64_t count) const { return product(*part(*images_, size_ - count, count), a_, stream_); }

 private:
  static Ref<Array> part(const Array& x, int64_t first, int64_t count) {
    return x.with({count, cols_of(x)}, x.strides(), first * cols_of(x), false);
  }

  void project(Array& w) const {
    if (size_ == 0) return;
    const Ref<Array> own = rows(), c = product(w, Op::none, *own, Op::conjugate_transpose, stream_);
    gemm(-1.0, *c, Op::none, *own, Op::none, 1.0, w, TENON_COMPUTE_STRICT, &stream_);
  }

  std::vector<Complex> gram_of(const Array& w) const {
    return host_values(*product(w, Op::none, w, Op::conjugate_transpose, stream_), stream_);
  }

  Ref<Array> matrix(const Independent& x, int64_t rows, int64_t cols) const {
    return from_values(std::vector<Complex>(x.f.begin(), x.f.begin() + rows * cols), a_.dtype(), Dims{rows, cols}, stream_);
  }

  const Array& a_;
  Stream& stream_;
  const double epsilon_;
  const Ref<Array> rows_, images_;
  int64_t size_ = 0;
  double longest_ = 0, scale_ = 0;
};

// w (p x k) and s of the k best approximations within the basis: the triplets of its images.
struct Ritz { Ref<Array> turned_u, vh; std::vector<double> s; };  // in double precision; turned_u: u^H, k x m

std::optional<Ritz> ritz(const Basis& basis, int64_t k, Dtype dtype, Stream& stream) {
  const int64_t p = basis.size();
  const Ref<Array> images = in_double(*basis.images(), stream), rows = in_double(*basis.rows(), stream);
  Ritz out;
  if (dtype_real(dtype) == TENON_FLOAT32) {  // squares in double precision keep what single precision can show
    const EigenResult e =
        eigh(*product(*images, Op::none, *images, Op::conjugate_transpose, stream), true, false, p - k, k, &stream);
    const Ref<Array> w = reversed_columns(*e.v, stream);
    out.s = host_reals(*e.w, stream);
    std::reverse(out.s.begin(), out.s.end());
    std::vector<double> inverse;
    for (double& x : out.s) {
      x = std::sqrt(std::max(x, 0.0));
      if (!(x > 1e-6 * out.s[0])) return {};  // so small that its square says nothing of its left vector
      inverse.push_back(1 / x);
    }
    out.turned_u = scaled_rows(*product(*w, Op::conjugate_transpose, *images, Op::none, stream), inverse, stream);
    out.vh = product(*w, Op::conjugate_transpose, *rows, Op::none, stream);
    return out;
  }
  const QrResult f = qr(*adjoint_of(*images, stream), TENON_QR_REDUCED, &stream);  // a V = q r
  const SvdResult small = svd(*f.r, TENON_SVD_ECONOMY, &stream);
  const auto leading = [k](const Array& x, bool columns) {
    return x.with(columns ? Dims{rows_of(x), k} : Dims{k, cols_of(x)}, x.strides(), 0, false);
  };
  out.s = host_reals(*small.s, stream);
  out.s.resize(size_t(k));
  out.turned_u = product(*leading(*small.u, true), Op::conjugate_transpose, *f.q, Op::conjugate_transpose, stream);
  out.vh = product(*leading(*small.vh, false), *rows, stream);
  return out;
}

// The triplets if their residuals are as small as asked for. `hopeless`: more room would not help.
Triplets checked(const Array& a, const Basis& basis, int64_t k, double tolerance, bool& hopeless, Stream& stream) {
  const std::optional<Ritz> found = ritz(basis, k, a.dtype(), stream);
  hopeless = !found;
  if (!found) return {};
  const Ref<Array> turned_u = convert(*found->turned_u, a.dtype(), stream.device(), &stream);
  Triplets out;
  out.vh = convert(*found->vh, a.dtype(), stream.device(), &stream);
  const Ref<Array> rest = scaled_rows(*out.vh, found->s, stream);  // a V = U S holds by construction; a^H U = V S is to be seen
  gemm(1.0, *turned_u, Op::none, a, Op::none, -1.0, *rest, TENON_COMPUTE_STRICT, &stream);
  const std::vector<double> residuals = row_norms(*rest, stream);
  const double rounding = double(std::max(rows_of(a), cols_of(a))) * epsilon_of(a.dtype()) * found->s[0];
  for (size_t i = 0; i < residuals.size(); ++i)
    if (!(residuals[i] <= std::max(std::sqrt(tolerance) / 2 * found->s[i], rounding))) return {};
  hopeless = true;  // if it fails now, it is not for want of room
  if (!(skew_of_rows(*turned_u, stream) <= kSvdThreshold) || !(skew_of_rows(*out.vh, stream) <= kSvdThreshold)) return {};
  out.s = from_values(found->s, dtype_real(a.dtype()), Dims{k}, stream);
  out.u = adjoint_of(*turned_u, stream);
  return out;
}

}  // namespace

bool krylov_pays(int64_t m, int64_t n, int64_t k) { return kSteps * block_of(k) <= std::min(m, n) / 2 && 10 * k <= std::min(m, n); }

// The space of a^H x, (a^H a) a^H x, ... for a block x of random vectors, each new block made orthogonal to all before it. Its
// best approximations to the leading triplets converge even where the values lie close together (Musco and Musco 2015).
Triplets svd_by_krylov(const Array& a, int64_t k, double tolerance, Stream& stream) {
  if (rows_of(a) < cols_of(a))
    return svd_of_transpose(a, [&](const Array& x, Stream&) { return svd_by_krylov(x, k, tolerance, stream); }, stream);
  const int64_t n = cols_of(a), block = std::min(block_of(k), n);
  const int64_t most = std::min(n, std::max(kMostSteps * block, 2 * k + kMoreSteps * block));
  Basis basis(a, most, stream);
  Ref<Array> w = product(*random_rows(block, rows_of(a), a.dtype(), 1, stream), a, stream);
  std::vector<double> lengths;
  int64_t early = 2 * k + block;  // the next size at which falling values are looked at
  for (int64_t step = 1;; ++step) {
    const int64_t before = basis.size();
    const bool whole = basis.fill_up(basis.append(*w), block) == 0 || basis.size() == n;  // nothing is left to be found
    lengths.push_back(basis.longest());
    const int64_t p = basis.size();
    const bool falling = p >= early && lengths.back() < kFalling * lengths[lengths.size() / 2];
    const bool due = whole || basis.room() == 0 || falling || (step >= kSteps && (step - kSteps) % kMoreSteps == 0);
    if (due && p >= k) {
      bool hopeless = false;
      if (Triplets found = checked(a, basis, k, tolerance, hopeless, stream)) return found;
      if (hopeless) return {};
      if (falling) early = 2 * p;
    }
    if (whole || basis.room() == 0) return {};
    w = basis.next(p - before);
  }
}

// a^H a, applied twice to the range of a^H x (Halko, Martinsson, Tropp 2011).
Triplets svd_by_projection(const Array& a, int64_t k, double tolerance, Stream& stream) {
  if (rows_of(a) < cols_of(a))
    return svd_of_transpose(a, [&](const Array& x, Stream&) { return svd_by_projection(x, k, tolerance, stream); }, stream);
  const int64_t n = cols_of(a), width = std::min(n, k + std::max<int64_t>(10, k / 4));
  Ref<Array> w = product(*random_rows(width, rows_of(a), a.dtype(), 1, stream), a, stream);
  for (int round = 0;; ++round) {
    Basis basis(a, width, stream);
    if (basis.fill_up(basis.append(*w), width) < k) return {};
    bool hopeless = false;
    if (round == 2) return checked(a, basis, k, tolerance, hopeless, stream);
    w = basis.next(basis.size());
  }
}

}  // namespace tenon::ops
