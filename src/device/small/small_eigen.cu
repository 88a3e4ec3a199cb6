// device/small/small_eigen.cu: eigenvalues and eigenvectors of small Hermitian matrices by Jacobi's method, a team of
// threads each.
//
// A sweep has even - 1 rounds of even / 2 rotations that do not share a row: rows and columns 2 p and 2 p + 1 are pair
// p, and after each round they move as the players of a tournament do (Brent and Luk 1985), so that each pair of
// players meets once, and after a sweep all are where they began. All rotations of a round are applied at once, to 2 x
// 2 blocks of the upper triangle. The method is as accurate as any other for every matrix (Demmel and Veselic 1992).
namespace tenon_own {

constexpr int kMostSweeps = 40;

// 1 / sqrt(x) and 1 / x, of numbers near 1 and of numbers from 1 to 2: by Newton's method, without the branches that
// exactly rounded functions have, and the same bits on every device.
__device__ inline float inverse_root(float x) {
  float y = float_of(0x5f375a86u - (bits_of(x) >> 1));
  const float half = -0.5f * x;
#pragma unroll
  for (int i = 0; i < 3; ++i) y = y * fmaf(half * y, y, 1.5f);
  return y;
}
__device__ inline double inverse_root(double x) {
  double y = double_of(0x5fe6eb50c7b537a9ull - (bits_of(x) >> 1));
  const double half = -0.5 * x;
#pragma unroll
  for (int i = 0; i < 5; ++i) y = y * fma(half * y, y, 1.5);
  return y;
}
template <class R> __device__ inline R inverse_of(R x) {
  R y = mad(R(-0.47), x, R(1.4571));  // within 5 % of it
#pragma unroll
  for (int i = 0; i < (sizeof(R) == 4 ? 3 : 4); ++i) y = mad(y, mad(-x, y, R(1)), y);
  return y;
}

// The rotation of columns p and q that makes the off-diagonal element `between` of a 2 x 2 Hermitian matrix with the
// diagonal (first, first + difference) vanish. With sine s and cosine c, half is s / (1 + c): what is added to numbers
// is small for small angles, so that rounding errors are, too (Rutishauser 1966).
template <class T> struct Rotation {
  using R = RealOf<T>;
  T sine, half;
  TENON_METHOD Rotation() : sine(Make<T>::of(0)), half(Make<T>::of(0)) {}
  // size: |between|, not 0; the numbers are near 1. The diagonal changes by -shift and shift.
  TENON_METHOD Rotation(R difference, T between, R size, R& shift) {
    const R twice = size + size, distance = size_of(difference);
    const R square = mad(distance, distance, twice * twice), far = square * inverse_root(square);
    const R sum = distance + far, scale = inverse_root(far * (sum + sum));  // 1 / sqrt(sum^2 + twice^2)
    const T direction = phase(between, size, difference < R(0));
    const R s = twice * scale, change = size * (twice * ((far + far) * (scale * scale)));
    sine = times(s, direction);
    half = times(s * inverse_of(mad(sum, scale, R(1))), direction);
    shift = difference < R(0) ? -change : change;
  }
  // between / size, or its negative.
  TENON_METHOD static T phase(T between, R size, bool opposite) {
    if constexpr (Number<T>::complex) return times((opposite ? R(-1) : R(1)) / size, between);
    else return (between < T(0)) != opposite ? T(-1) : T(1);
  }
  // (x, y) becomes (c x - conj(s) y, s x + c y).
  TENON_METHOD void turn(T& x, T& y) const {
    const T first = mad(negative(conj_of(sine)), mad(half, x, y), x);
    y = mad(sine, mad(negative(conj_of(half)), y, x), y);
    x = first;
  }
  // The rotation of rows that belongs to this one of columns.
  TENON_METHOD Rotation adjoint() const {
    Rotation out;
    out.sine = conj_of(sine);
    out.half = conj_of(half);
    return out;
  }
};

// Where a player goes after a round.
__device__ inline int next_place(int place, int even) {
  const int pair = place / 2, last = even / 2 - 1;
  if (last == 0 || place == 0) return place;
  if (place % 2 == 0) return pair == last ? place + 1 : place + 2;
  return pair == 0 ? 2 : place - 2;
}

// The upper triangle of a team's matrix, `even` rows and columns, by columns ld apart; and v, or NULL.
template <class T, int N> struct Spectrum {
  enum : int { ld = N + 1 };
  T *a, *v;
  Rotation<T>* rotations;
  int n, even;
  TENON_METHOD T* at(int i, int j) const { return a + i + j * ld; }
};

// What a thread does in each round; addresses are found once. Elements are read before the rotations are known and
// written after, so that every place may change at once.
template <class T, int N, int L> struct Share {
  enum : int {
    pairs = (N / 2 + L - 1) / L,
    blocks = (N / 2 * (N / 2 - 1) / 2 + L - 1) / L,
    rows = (N * (N / 2) + L - 1) / L  // of v, one pair each
  };
  using R = RealOf<T>;
  bool has_pair[pairs], has_block[blocks], has_row[rows], flipped[blocks][4], pair_flipped[pairs];
  int first_pair, block_row[blocks], block_column[blocks], row_pair[rows];
  T *first[pairs], *to_first[pairs], *to_second[pairs], *to_between[pairs];
  T *block[blocks], *to_block[blocks][4], *row[rows], *to_row[rows][2];
  R old_first[pairs], old_second[pairs];
  T old_between[pairs], x[blocks][4], y[rows][2];

  TENON_METHOD T* place(const Spectrum<T, N>& m, int i, int j, bool& flips) const {
    const int k = next_place(i, m.even), l = next_place(j, m.even);
    flips = k > l;
    return flips ? m.at(l, k) : m.at(k, l);
  }

  TENON_METHOD Share(const Spectrum<T, N>& m, int lane) {
    const int all = m.even / 2;
    bool same;
    first_pair = lane;
#pragma unroll
    for (int k = 0; k < pairs; ++k) {
      const int p = 2 * (lane + k * L), q = p + 1;
      has_pair[k] = q < m.even;
      if (!has_pair[k]) continue;
      first[k] = m.at(p, p);
      to_first[k] = place(m, p, p, same);
      to_second[k] = place(m, q, q, same);
      to_between[k] = place(m, p, q, pair_flipped[k]);
    }
#pragma unroll
    for (int k = 0; k < blocks; ++k) {
      const int index = lane + k * L, one = index % all, other = one + 1 + index / all;
      const int wrapped = other < all ? other : other - all;
      has_block[k] = index < all * (all - 1) / 2;
      block_row[k] = one < wrapped ? one : wrapped;
      block_column[k] = one < wrapped ? wrapped : one;
      if (!has_block[k]) continue;
      const int i = 2 * block_row[k], j = 2 * block_column[k];
      block[k] = m.at(i, j);
      for (int l = 0; l < 4; ++l) to_block[k][l] = place(m, i + l % 2, j + l / 2, flipped[k][l]);
    }
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const int index = lane + k * L, i = index % N, of = index / N;
      has_row[k] = m.v && i < m.n && of < all;
      row_pair[k] = of;
      if (!has_row[k]) continue;
      row[k] = m.v + i + 2 * of * m.ld;
      for (int l = 0; l < 2; ++l) to_row[k][l] = m.v + i + next_place(2 * of + l, m.even) * m.ld;
    }
  }

  TENON_METHOD void read() {
#pragma unroll
    for (int k = 0; k < pairs; ++k)
      if (has_pair[k]) {
        old_first[k] = real_of(first[k][0]);
        old_second[k] = real_of(first[k][Spectrum<T, N>::ld + 1]);
        old_between[k] = first[k][Spectrum<T, N>::ld];
      }
#pragma unroll
    for (int k = 0; k < blocks; ++k)
      if (has_block[k]) {
        x[k][0] = block[k][0];
        x[k][1] = block[k][1];
        x[k][2] = block[k][Spectrum<T, N>::ld];
        x[k][3] = block[k][Spectrum<T, N>::ld + 1];
      }
#pragma unroll
    for (int k = 0; k < rows; ++k)
      if (has_row[k]) y[k][0] = row[k][0], y[k][1] = row[k][Spectrum<T, N>::ld];
  }

  // The rotations of this thread's pairs whose elements are above `least`.
  TENON_METHOD void find(const Spectrum<T, N>& m, R least, R& sine, R& largest) {
#pragma unroll
    for (int k = 0; k < pairs; ++k) {
      if (!has_pair[k]) continue;
      const R size = modulus(old_between[k]);
      Rotation<T> rotation;
      if (size > least) {
        R shift;
        rotation = Rotation<T>(old_second[k] - old_first[k], old_between[k], size, shift);
        old_first[k] -= shift;
        old_second[k] += shift;
        old_between[k] = Make<T>::of(0);
        sine = Largest::of(sine, largest_part(rotation.sine));
        largest = Largest::of(largest, size);
      }
      m.rotations[first_pair + k * L] = rotation;
    }
  }

  TENON_METHOD void turn_and_write(const Spectrum<T, N>& m) {
#pragma unroll
    for (int k = 0; k < pairs; ++k)
      if (has_pair[k]) {
        *to_first[k] = Make<T>::of(old_first[k]);
        *to_second[k] = Make<T>::of(old_second[k]);
        *to_between[k] = pair_flipped[k] ? conj_of(old_between[k]) : old_between[k];
      }
#pragma unroll
    for (int k = 0; k < blocks; ++k)
      if (has_block[k]) {
        const Rotation<T> right = m.rotations[block_column[k]], left = m.rotations[block_row[k]].adjoint();
        right.turn(x[k][0], x[k][2]);
        right.turn(x[k][1], x[k][3]);
        left.turn(x[k][0], x[k][1]);
        left.turn(x[k][2], x[k][3]);
#pragma unroll
        for (int l = 0; l < 4; ++l) *to_block[k][l] = flipped[k][l] ? conj_of(x[k][l]) : x[k][l];
      }
#pragma unroll
    for (int k = 0; k < rows; ++k)
      if (has_row[k]) {
        m.rotations[row_pair[k]].turn(y[k][0], y[k][1]);
        *to_row[k][0] = y[k][0];
        *to_row[k][1] = y[k][1];
      }
  }
};

// Diagonalises a, whose largest element is near 1. False: some elements have not become small.
template <int L, class T, int N> __device__ inline bool diagonalise(const Team<L>& team, const Spectrum<T, N>& m) {
  using R = RealOf<T>;
  const R least = Limits<R>::epsilon() / 8;
  Share<T, N, L> share(m, team.lane);
  bool active = true;
  for (int sweep = 0; sweep < kMostSweeps && team.anyone(active); ++sweep) {
    R sine = 0, largest = 0;
    for (int round = 0; round < m.even - 1; ++round) {
      share.read();
      share.find(m, active ? least : R(1e30), sine, largest);
      team.sync();
      share.turn_and_write(m);
      team.sync();
    }
    // What the sweep leaves at the place of a rotation comes from the later rotations.
    const R turned = team.largest(sine), left = team.largest(largest);
    active = active && R(m.n) * turned * left > least;
  }
  return !active;
}

// The place of number k among n in ascending order.
template <class R, class F> __device__ inline int rank_among(int k, int n, F&& number) {
  const R own = number(k);
  int rank = 0;
  for (int j = 0; j < n; ++j) {
    const R other = number(j);
    rank += other < own || (other == own && j < k);
  }
  return rank;
}

// n is at most N.
template <class T, int L, int N> __global__ void small_eigh(SmallSpectrumWork w) {
  using R = RealOf<T>;
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const int n = w.n, even = n + n % 2;
  constexpr int ld = Spectrum<T, N>::ld;
  const bool vectors = w.left.data != nullptr;
  Spectrum<T, N> m;
  m.n = n;
  m.even = even;
  m.a = p.template take<T>(ld * even);
  m.rotations = p.template take<Rotation<T>>(even / 2);
  int* const place = p.template take<int>(even);
  m.v = vectors ? p.template take<T>(ld * even) : nullptr;
  load_hermitian(p, w.a, n, w.upper != 0, m.a, ld, w.a_not_finite);
  for (int i = p.team.lane; i < even && even > n; i += L) m.a[i + n * ld] = m.a[n + i * ld] = Make<T>::of(0);
  if (vectors)
    for_elements<L>(p.team.lane, n, even, false,
                    [&](int i, int j) { m.v[i + j * ld] = Make<T>::of(i == j ? R(1) : R(0)); });
  p.team.sync();
  const int exponent = tame(p.team, m.a, n, n, ld);
  const bool done = diagonalise(p.team, m);
  if (!done && p.team.lane == 0) report_info(w.not_converged, p.matrix, 1);
  const R factor = PowerOfTwo<R>::of(exponent);
  for (int k = p.team.lane; k < n && p.live; k += L) {
    place[k] = rank_among<R>(k, n, [&](int j) { return real_of(m.a[j + j * ld]); });
    const R value = real_of(m.a[k + k * ld]) * factor;
    if (!finite(value)) report(w.overflow, p.matrix);
    Stored<R>::put(w.values, p.matrix, 0, place[k], value);
  }
  p.team.sync();
  if (!vectors || !p.live) return;
  for_elements<L>(p.team.lane, n, n, false,
                  [&](int i, int j) { Stored<T>::put(w.left, p.matrix, i, place[j], m.v[i + j * ld]); });
}

}  // namespace tenon_own
