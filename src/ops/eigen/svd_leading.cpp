// ops/eigen/svd_leading.cpp: the leading singular triplets by projection on a small space: a block Krylov space, or the
// range of a random projection.
//
// Vectors are stored as rows, so that a basis grows at its end: `rows` holds V^H, p x n, and `images` (a V)^H, p x m.
// All large work is matrix products; small matrices (the Gram matrix of a block) are decomposed on the host, in double
// precision.
#include <tenon/linalg.h>
#include <tenon/solve.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/eigen/svd.hpp"

namespace tenon::ops {

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

namespace {

using Complex = std::complex<double>;

constexpr int64_t kSteps = 32;     // after so many steps a flat spectrum has usually converged, and is checked
constexpr int64_t kMoreSteps = 8;  // then again after so many more each time
constexpr int64_t kMostSteps = 64;
constexpr double kFalling = 0.1;  // new directions this much shorter than halfway: triplets are checked earlier
constexpr int64_t kLook = 4;      // steps between two checks for values that the space may have missed
constexpr int64_t kMostLooks = 8;

int64_t block_of(int64_t k) { return std::clamp<int64_t>((k / 3 + 4) / 8 * 8, 8, 128); }

// f, r x b, with f g f^H = 1 for a Gram matrix g, b x b, of which r rows are independent: by pivoted Cholesky of g
// scaled to a unit diagonal; `least` is the smallest pivot. Rows whose square is below `floor` count as zero. T is
// double for real matrices. The device waits for this between two products, so all loops run along rows.
template <class T> struct Independent {
  std::vector<T> f;
  int64_t r;
  double least;
};

double conjugate(double x) { return x; }
Complex conjugate(Complex x) { return std::conj(x); }

template <class T> Independent<T> independent_rows(const std::vector<T>& g, int64_t b, double floor, double epsilon) {
  const size_t n = size_t(b);
  std::vector<double> inverse(n), left(n);  // of a row's length; the part of its square not explained yet
  std::vector<size_t> row(n);
  for (size_t i = 0; i < n; ++i) {
    const double square = std::real(g[i * n + i]);
    inverse[i] = square > floor && std::isfinite(square) ? 1 / std::sqrt(square) : 0;
    left[i] = inverse[i] > 0 ? 1 : 0;
    row[i] = i;
  }
  // rest: g minus what the pivots so far explain, in the order of `row`; l: the factor's columns, as rows.
  std::vector<T> rest(n * n), l(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) rest[i * n + j] = g[i * n + j] * (inverse[i] * inverse[j]);
  size_t r = 0;
  double least = 1;
  for (; r < n; ++r) {
    const size_t best = size_t(std::max_element(left.begin() + int64_t(r), left.end()) - left.begin());
    if (!(left[best] > double(b) * epsilon)) break;  // the rest is rounding error
    if (best != r) {
      std::swap(left[r], left[best]);
      std::swap(row[r], row[best]);
      std::swap_ranges(&rest[r * n], &rest[r * n] + n, &rest[best * n]);
      for (size_t i = r; i < n; ++i) std::swap(rest[i * n + r], rest[i * n + best]);
      for (size_t k = 0; k < r; ++k) std::swap(l[k * n + r], l[k * n + best]);
    }
    least = left[r];
    const double pivot = std::sqrt(least);
    T* const column = &l[r * n];  // l(i, r) for i from r on: the conjugates of rest's row r, which is Hermitian
    column[r] = pivot;
    for (size_t i = r + 1; i < n; ++i) column[i] = left[i] == 0 ? T(0) : conjugate(rest[r * n + i]) / pivot;
    for (size_t i = r + 1; i < n; ++i) {
      const T factor = column[i];
      T* const of_row = &rest[i * n];
      for (size_t j = r + 1; j < n; ++j) of_row[j] -= factor * conjugate(column[j]);
      left[i] = std::max(0.0, left[i] - std::norm(factor));
    }
  }
  // l^-1, row by row; then its columns are moved back to the rows' original positions.
  Independent<T> out{std::vector<T>(r * n), int64_t(r), least};
  std::vector<T> inverse_l(r * r);
  for (size_t i = 0; i < r; ++i) {
    T* const x = &inverse_l[i * r];
    for (size_t k = 0; k < i; ++k) {
      const T factor = l[k * n + i];
      const T* const earlier = &inverse_l[k * r];
      for (size_t j = 0; j <= k; ++j) x[j] -= factor * earlier[j];
    }
    const double scale = 1 / std::real(l[i * n + i]);
    for (size_t j = 0; j < i; ++j) x[j] *= scale;
    x[i] = scale;
    for (size_t j = 0; j <= i; ++j) out.f[i * n + row[j]] = x[j] * inverse[row[j]];
  }
  return out;
}

// An orthonormal basis, and the images of its vectors under a.
class Basis {
 public:
  Basis(const Array& a, int64_t capacity, Stream& stream)
      : a_(a),
        stream_(stream),
        epsilon_(epsilon_of(a.dtype())),
        rows_(Array::create(stream.device(), a.dtype(), Dims{capacity, cols_of(a)}, stream)),
        images_(Array::create(stream.device(), a.dtype(), Dims{capacity, rows_of(a)}, stream)) {}

  // Makes room for this many more vectors, up to the largest possible number.
  void reserve(int64_t more) {
    const int64_t capacity = std::min(size_ + more, cols_of(a_));
    if (capacity <= rows_of(*rows_)) return;
    for (Ref<Array>* x : {&rows_, &images_}) {
      const Ref<Array> wider = Array::create(stream_.device(), a_.dtype(), Dims{capacity, cols_of(**x)}, stream_);
      copy(*part(*wider, 0, size_), *part(**x, 0, size_), &stream_);
      *x = wider;
    }
  }

  int64_t size() const { return size_; }
  int64_t room() const { return rows_of(*rows_) - size_; }
  Ref<Array> rows() const { return part(*rows_, 0, size_); }
  Ref<Array> images() const { return part(*images_, 0, size_); }
  bool whole() const { return size_ == cols_of(a_); }
  double longest() const { return longest_; }  // of the rows appended last, before they were normalised

  // Appends the independent part of these rows (which are overwritten); returns how many rows that is. Orthogonalising
  // twice is enough: the first pass leaves rounding errors relative to the rows' size, the second relative to length 1.
  int64_t append(Array& w) { return dtype_complex(a_.dtype()) ? append_as<Complex>(w) : append_as<double>(w); }

  // Appends random rows until the block has `count`.
  int64_t fill_up(int64_t have, int64_t count) {
    count = std::min(count, have + room());
    if (have >= count) return have;
    return have + append_given(*random_rows(count - have, cols_of(a_), a_.dtype(), uint64_t(size_) + 2, stream_));
  }

  // Like append, for rows whose length has nothing to do with a.
  int64_t append_given(Array& w) {
    const double longest = longest_, scale = std::exchange(scale_, 0);
    const int64_t count = append(w);
    longest_ = longest;
    scale_ = scale;
    return count;
  }

  // The norm of a on the rows from `first` on.
  double norm_from(int64_t first) const {
    const Ref<Array> images = in_double(*part(*images_, first, size_ - first), stream_);
    const Ref<Array> gram = product(*images, Op::none, *images, Op::conjugate_transpose, stream_);
    return std::sqrt(
        std::max(host_reals(*eigh(*gram, false, false, size_ - first - 1, 1, &stream_).w, stream_)[0], 0.0));
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

  template <class T> std::vector<T> gram_of(const Array& w) const {
    const Ref<Array> gram = product(w, Op::none, w, Op::conjugate_transpose, stream_);
    if constexpr (std::is_same_v<T, double>) return host_reals(*gram, stream_);
    else return host_values(*gram, stream_);
  }

  template <class T> Ref<Array> matrix(const Independent<T>& x, int64_t rows, int64_t cols) const {
    return from_values(std::vector<T>(x.f.begin(), x.f.begin() + rows * cols), a_.dtype(), Dims{rows, cols}, stream_);
  }

  template <class T> int64_t append_as(Array& w) {
    project(w);
    const std::vector<T> gram = gram_of<T>(w);
    double largest = 0;
    for (int64_t i = 0; i < rows_of(w); ++i) largest = std::max(largest, std::real(gram[size_t(i * (rows_of(w) + 1))]));
    longest_ = std::sqrt(largest);
    scale_ = std::max(scale_, longest_);
    const double noise = 10 * epsilon_ * scale_;
    const Independent<T> first = independent_rows(gram, rows_of(w), noise * noise, epsilon_);
    const int64_t taken = std::min(first.r, room());
    const double b_epsilon = double(rows_of(w)) * epsilon_;
    if (taken == 0) return 0;
    const Ref<Array> q = product(*matrix(first, taken, rows_of(w)), w, stream_);
    project(*q);
    if (b_epsilon * b_epsilon < epsilon_ * first.least * first.least) {
      // q q^H differs from 1 by b epsilon / least. One Newton step to the nearest orthonormal rows squares that
      // difference, which makes it a rounding error, and needs no wait for the device.
      const Ref<Array> next = part(*rows_, size_, taken),
                       own = product(*q, Op::none, *q, Op::conjugate_transpose, stream_);
      copy(*next, *q, &stream_);
      gemm(-0.5, *own, Op::none, *q, Op::none, 1.5, *next, TENON_COMPUTE_STRICT, &stream_);
      return took(taken);
    }
    const Independent<T> second = independent_rows(gram_of<T>(*q), taken, 0.1, epsilon_);
    if (second.r == 0) return 0;
    gemm(1.0, *matrix(second, second.r, taken), Op::none, *q, Op::none, 0.0, *part(*rows_, size_, second.r),
         TENON_COMPUTE_STRICT, &stream_);
    return took(second.r);
  }

  // Computes the images of `count` rows that were written after the others, and adds both to the basis.
  int64_t took(int64_t count) {
    gemm(1.0, *part(*rows_, size_, count), Op::none, a_, Op::conjugate_transpose, 0.0, *part(*images_, size_, count),
         TENON_COMPUTE_STRICT, &stream_);
    size_ += count;
    return count;
  }

  const Array& a_;
  Stream& stream_;
  const double epsilon_;
  Ref<Array> rows_, images_;
  int64_t size_ = 0;
  double longest_ = 0, scale_ = 0;
};

// w (p x k) and s of the k best approximations within the basis: the triplets of its images.
struct Ritz {
  Ref<Array> turned_u, vh;
  std::vector<double> s;
};  // in double precision; turned_u: u^H, k x m

std::optional<Ritz> ritz(const Basis& basis, int64_t k, Dtype dtype, Stream& stream) {
  const int64_t p = basis.size();
  const Ref<Array> images = in_double(*basis.images(), stream), rows = in_double(*basis.rows(), stream);
  Ritz out;
  if (dtype_real(dtype) == TENON_FLOAT32) {  // squares in double precision keep all of single precision
    const EigenResult e =
        eigen_pairs(*product(*images, Op::none, *images, Op::conjugate_transpose, stream), p - k, k, stream);
    const Ref<Array> w = reversed_columns(*e.v, stream);
    out.s = host_reals(*e.w, stream);
    std::reverse(out.s.begin(), out.s.end());
    std::vector<double> inverse;
    for (double& x : out.s) {
      x = std::sqrt(std::max(x, 0.0));
      if (!(x > 1e-6 * out.s[0])) return {};  // so small that its square does not determine its left vector
      inverse.push_back(1 / x);
    }
    out.turned_u = scaled_rows(*product(*w, Op::conjugate_transpose, *images, Op::none, stream), inverse, stream);
    out.vh = product(*w, Op::conjugate_transpose, *rows, Op::none, stream);
    return out;
  }
  const QrResult f = qr(*adjoint_of(*images, stream), TENON_QR_REDUCED, &stream);  // a V = q r
  const SvdResult small = svd(*f.r, TENON_SVD_MODE_ECONOMY, &stream);
  const auto leading = [k](const Array& x, bool columns) {
    return x.with(columns ? Dims{rows_of(x), k} : Dims{k, cols_of(x)}, x.strides(), 0, false);
  };
  out.s = host_reals(*small.s, stream);
  out.s.resize(size_t(k));
  out.turned_u = product(*leading(*small.u, true), Op::conjugate_transpose, *f.q, Op::conjugate_transpose, stream);
  out.vh = product(*leading(*small.vh, false), *rows, stream);
  return out;
}

// The triplets if their residuals are as small as requested. `hopeless`: a larger basis would not help.
Triplets checked(const Array& a, const Basis& basis, int64_t k, double tolerance, bool& hopeless, Stream& stream) {
  const std::optional<Ritz> found = ritz(basis, k, a.dtype(), stream);
  hopeless = !found;
  if (!found) return {};
  const Ref<Array> turned_u = convert(*found->turned_u, a.dtype(), stream.device(), &stream);
  Triplets out;
  out.vh = convert(*found->vh, a.dtype(), stream.device(), &stream);
  const Ref<Array> rest =
      scaled_rows(*out.vh, found->s, stream);  // a V = U S holds by construction; a^H U = V S must be verified
  gemm(1.0, *turned_u, Op::none, a, Op::none, -1.0, *rest, TENON_COMPUTE_STRICT, &stream);
  const std::vector<double> residuals = row_norms(*rest, stream);
  const double rounding = double(std::max(rows_of(a), cols_of(a))) * epsilon_of(a.dtype()) * found->s[0];
  for (size_t i = 0; i < residuals.size(); ++i)
    if (!(residuals[i] <= std::max(std::sqrt(tolerance) / 2 * found->s[i], rounding))) return {};
  hopeless = true;  // a failure now is not caused by too small a basis
  if (!(skew_of_rows(*turned_u, stream) <= kSvdThreshold) || !(skew_of_rows(*out.vh, stream) <= kSvdThreshold))
    return {};
  out.s = from_values(found->s, dtype_real(a.dtype()), Dims{k}, stream);
  out.u = adjoint_of(*turned_u, stream);
  return out;
}

// Does a have a value above `least` outside the basis? Computes the norm of a on another Krylov space, of random rows
// orthogonal to the basis, which contain whatever the basis lacks.
bool missing(Basis& basis, double least, int64_t block) {
  const int64_t first = basis.size();
  double before = 0;
  basis.reserve(kMostLooks * kLook * block);
  int64_t added = basis.fill_up(0, block);
  for (int64_t step = 1; added > 0; ++step) {
    if (step % kLook == 0) {
      const double norm = basis.norm_from(first);
      if (norm > least) return true;
      // Growth slows down from check to check, so it will not exceed this.
      if (step == kMostLooks * kLook || (step > kLook && norm + 4 * (norm - before) <= least)) return false;
      before = norm;
    }
    added = basis.append(*basis.next(added));
  }
  return basis.size() > first && basis.norm_from(first) > least;
}

// The k leading triplets in the space of a^H x, (a^H a) a^H x, ... for a block x of random vectors, with each new block
// made orthogonal to the basis before it. They converge even if the values lie close together (Musco and Musco 2015).
Triplets converged(const Array& a, Basis& basis, int64_t k, int64_t block, double tolerance, uint64_t seed,
                   Stream& stream) {
  Ref<Array> w = product(*random_rows(block, rows_of(a), a.dtype(), seed, stream), a, stream);
  std::vector<double> lengths;
  int64_t early = basis.size() + 2 * k + block;  // the next size at which decreasing values are checked
  for (int64_t step = 1;; ++step) {
    const int64_t before = basis.size();
    const bool whole = basis.fill_up(basis.append(*w), block) == 0 || basis.whole();  // nothing is left to find
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

}  // namespace

bool krylov_pays(int64_t m, int64_t n, int64_t k) {
  return kSteps * block_of(k) <= std::min(m, n) / 2 && 10 * k <= std::min(m, n);
}

// A block Krylov space contains about as many vectors of an eigenspace as the block has rows, and the triplets found in
// it do not reveal whether there are more. So a second space searches for values that were missed; if it finds one, the
// basis is kept and another space is added.
Triplets svd_by_krylov(const Array& a, int64_t k, double tolerance, Stream& stream) {
  if (rows_of(a) < cols_of(a))
    return svd_of_transpose(a, [&](const Array& x, Stream&) { return svd_by_krylov(x, k, tolerance, stream); }, stream);
  const int64_t n = cols_of(a), block = std::min(block_of(k), n);
  const int64_t most = std::max(kMostSteps * block, 2 * k + kMoreSteps * block), rounds = 2 + (k + block - 1) / block;
  Triplets found;
  for (int64_t round = 0; round < rounds; ++round) {
    Basis basis(a, std::min(n, most + (found ? k : 0)), stream);
    if (found) basis.append_given(*found.vh);
    found = converged(a, basis, k, block, tolerance, uint64_t(round) + 1, stream);
    if (!found) return {};
    if (!missing(basis, host_reals(*found.s, stream).back() * (1 + tolerance), block)) return found;
  }
  return {};
}

// a^H a, applied twice to the range of a^H x (Halko, Martinsson, Tropp 2011).
Triplets svd_by_projection(const Array& a, int64_t k, double tolerance, Stream& stream) {
  if (rows_of(a) < cols_of(a))
    return svd_of_transpose(
        a, [&](const Array& x, Stream&) { return svd_by_projection(x, k, tolerance, stream); }, stream);
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
