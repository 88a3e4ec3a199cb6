// device/small_eigen.cu: eigenvalues and eigenvectors of small Hermitian matrices by Jacobi's method, a team of threads
// each.
//
// A sweep has even - 1 rounds of even / 2 rotations that do not share a row, in the order of a round-robin tournament:
// player 0 stays, the others move in a circle (Brent and Luk 1985). All rotations of a round are applied at once, to
// 2 x 2 blocks. The method is as accurate as any other for every matrix (Demmel and Veselic 1992).
namespace tenon_own {

constexpr int kMostSweeps = 40;

// The players of pair `pair` in a round of a tournament of an even number of players.
__device__ inline void pair_of(int pair, int round, int even, int& p, int& q) {
  const int circle = even - 1;
  const auto player = [&](int place) {
    const int at = place + round;
    return 1 + (at < circle ? at : at - circle);
  };
  p = pair == 0 ? 0 : player(pair);
  q = pair == 0 ? player(0) : player(circle - pair);
}

// The rotation of columns p and q that makes the off-diagonal element `between` of a 2 x 2 Hermitian matrix with the
// diagonal (first, first + difference) vanish; the diagonal then changes by -shift and shift. size: |between|, not 0.
// With sine s and cosine c, half is s / (1 + c): what is added to numbers is small for small angles, so that rounding
// errors are, too (Rutishauser 1966).
template <class T> struct Rotation {
  using R = RealOf<T>;
  T sine, half;
  R shift;
  TENON_METHOD Rotation() : sine(Make<T>::of(0)), half(Make<T>::of(0)), shift(0) {}
  // One division stands for all three, because each takes a large part of a round's time.
  TENON_METHOD Rotation(R difference, T between, R size) {
    const R twice = size + size, distance = size_of(difference);
    const R sum = distance + root_of(mad(distance, distance, twice * twice));
    const R hypotenuse = root_of(mad(sum, sum, twice * twice)), more = hypotenuse + sum;
    const R two = hypotenuse * more, over_all = twice / (two * sum);
    const T direction = phase(between, size, difference < R(0));
    sine = times(over_all * (more * sum), direction);
    half = times(over_all * (hypotenuse * sum), direction);
    shift = size * (over_all * two);
    if (difference < R(0)) shift = -shift;
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
  TENON_METHOD bool turns() const { return largest_part(sine) != R(0); }
};

// One team's matrices: a, n x n padded to `even`; v, which may be NULL; and room for the rotations of two rounds.
template <class T> struct Spectrum {
  T *a, *v;
  Rotation<T>* rotations;
  int n, even, ld;
};

// The rotations of a round, by `lanes` threads: elements above `least` become 0. Raises the largest sine and element of
// this thread.
template <class T> __device__ inline void find_rotations(const Spectrum<T>& m, Rotation<T>* rotations, int lane,
                                                         int lanes, int round, RealOf<T> least, RealOf<T>& sine,
                                                         RealOf<T>& largest) {
  using R = RealOf<T>;
  for (int pair = lane; pair < m.even / 2; pair += lanes) {
    int p, q;
    pair_of(pair, round, m.even, p, q);
    const T between = m.a[p + q * m.ld];
    const R size = modulus(between), first = real_of(m.a[p + p * m.ld]), second = real_of(m.a[q + q * m.ld]);
    Rotation<T> rotation;
    if (size > least) {
      rotation = Rotation<T>(second - first, between, size);
      m.a[p + p * m.ld] = Make<T>::of(first - rotation.shift);
      m.a[q + q * m.ld] = Make<T>::of(second + rotation.shift);
      m.a[p + q * m.ld] = m.a[q + p * m.ld] = Make<T>::of(0);
      sine = Largest::of(sine, largest_part(rotation.sine));
      largest = Largest::of(largest, size);
    }
    rotations[pair] = rotation;
  }
}

// The 2 x 2 block of the rows of one pair and the columns of another, and its mirror image.
template <class T> __device__ inline void rotate_block(const Spectrum<T>& m, const Rotation<T>* rotations, int round,
                                                       int rows, int columns) {
  int i1, i2, j1, j2;
  pair_of(rows, round, m.even, i1, i2);
  pair_of(columns, round, m.even, j1, j2);
  T *const x = m.a + j1 * m.ld, *const y = m.a + j2 * m.ld;
  T x1 = x[i1], x2 = x[i2], y1 = y[i1], y2 = y[i2];
  const Rotation<T> right = rotations[columns], left = rotations[rows].adjoint();
  right.turn(x1, y1);
  right.turn(x2, y2);
  left.turn(x1, x2);
  left.turn(y1, y2);
  x[i1] = x1;
  x[i2] = x2;
  y[i1] = y1;
  y[i2] = y2;
  m.a[j1 + i1 * m.ld] = conj_of(x1);
  m.a[j1 + i2 * m.ld] = conj_of(x2);
  m.a[j2 + i1 * m.ld] = conj_of(y1);
  m.a[j2 + i2 * m.ld] = conj_of(y2);
}

template <class T> __device__ inline void rotate_blocks(const Spectrum<T>& m, const Rotation<T>* rotations, int lane,
                                                        int lanes, int round) {
  const int pairs = m.even / 2, blocks = pairs * (pairs - 1) / 2;
  int pair = lane % pairs, distance = 1 + lane / pairs;
  for (int block = lane; block < blocks; block += lanes) {
    const int other = pair + distance < pairs ? pair + distance : pair + distance - pairs;
    rotate_block(m, rotations, round, pair, other);
    pair += lanes % pairs;
    distance += lanes / pairs;
    if (pair >= pairs) pair -= pairs, ++distance;
  }
}

// Applies the rotations to v: a thread works in one row, or in several if there are fewer threads than rows.
template <class T> __device__ inline void rotate_vectors(const Spectrum<T>& m, const Rotation<T>* rotations, int lane,
                                                         int lanes, int round) {
  const int groups = lanes > m.n ? lanes / m.n : 1, group = lane / m.n;
  if (lanes > m.n && group >= groups) return;
  for (int row = lanes > m.n ? lane - group * m.n : lane; row < m.n; row += lanes) {
#pragma unroll 4
    for (int pair = lanes > m.n ? group : 0; pair < m.even / 2; pair += groups) {
      int p, q;
      pair_of(pair, round, m.even, p, q);
      rotations[pair].turn(m.v[row + p * m.ld], m.v[row + q * m.ld]);
    }
  }
}

// Diagonalises a, whose largest element is near 1. False: some elements have not become small. In teams of several
// warps, one half of the threads applies the rotations of the round before to v, while the other half works on a.
template <int L, class T> __device__ inline bool diagonalise(const Team<L>& team, const Spectrum<T>& m) {
  using R = RealOf<T>;
  constexpr bool kTwoParts = L > 32;
  constexpr int kLanes = kTwoParts ? L / 2 : L;
  const int lane = team.lane % kLanes, pairs = m.even / 2;
  const bool works_on_a = team.lane < kLanes, works_on_v = m.v && (!kTwoParts || !works_on_a);
  const R least = Limits<R>::epsilon() / 8;
  bool active = true;
  int last = -1;  // the round whose rotations have not been applied to v
  Rotation<T>*now = m.rotations, *before = m.rotations + pairs;
  for (int sweep = 0; sweep < kMostSweeps && team.anyone(active); ++sweep) {
    R sine = 0, largest = 0;
    for (int round = 0; round < m.even - 1; ++round) {
      if (works_on_a) find_rotations(m, now, lane, kLanes, round, active ? least : R(1e30), sine, largest);
      if (kTwoParts && works_on_v && last >= 0) rotate_vectors(m, before, lane, kLanes, last);
      team.sync();
      if (works_on_a) rotate_blocks(m, now, lane, kLanes, round);
      if (!kTwoParts && works_on_v) rotate_vectors(m, now, lane, kLanes, round);
      team.sync();
      last = round;
      Rotation<T>* const other = now;
      now = before;
      before = other;
    }
    // What the sweep leaves at the place of a rotation comes from the later rotations.
    const R turned = team.largest(sine), left = team.largest(largest);
    active = active && R(m.n) * turned * left > least;
  }
  if (kTwoParts && works_on_v) rotate_vectors(m, before, lane, kLanes, last);
  team.sync();
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

template <class T, int L> __global__ void small_eigh(SmallSpectrumWork w) {
  using R = RealOf<T>;
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const int n = w.n, even = n + n % 2, ld = even | 1;
  const bool vectors = w.left.data != nullptr;
  Spectrum<T> m;
  m.n = n;
  m.even = even;
  m.ld = ld;
  m.a = p.template take<T>(ld * even);
  m.rotations = p.template take<Rotation<T>>(even);
  int* const place = p.template take<int>(even);
  m.v = vectors ? p.template take<T>(ld * even) : nullptr;
  load_hermitian(p, w.a, n, w.upper != 0, m.a, ld, w.a_not_finite);
  for (int i = p.team.lane; i < even && even > n; i += L) m.a[i + n * ld] = m.a[n + i * ld] = Make<T>::of(0);
  if (vectors)
    for_elements<L>(p.team.lane, n, even, false, [&](int i, int j) { m.v[i + j * ld] = Make<T>::of(i == j ? R(1) : R(0)); });
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
