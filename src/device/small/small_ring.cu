// device/small/small_ring.cu: eigenvalues and singular values of matrices of at most N rows and columns, by Jacobi's
// method in the registers of a team of at most 32 threads. Appended to small_eigen.cu and small_svd.cu, which are for
// larger ones.
//
// The columns stand in N places in a line, two of them with a group of L / (N / 2) threads that share the rows. In even
// rounds the columns in places 2 k and 2 k + 1 meet, in odd rounds those in places 2 k + 1 and 2 k + 2 (the last and
// the first one do not), and those that met change places: so each group gets one column from a neighbour and gives one
// away. After N rounds, a sweep, all pairs have met once and the line is reversed (odd-even transposition; Luk and Park
// 1989, "On parallel Jacobi orderings"). The round's latency is what counts, a few warps being all that an SM has,
// hence registers, shuffles and angles by polynomials.
namespace tenon_own {

// 1 / sqrt(x) to 5e-6.
__device__ inline float rough_inverse_root(float x) {
  float y = float_of(0x5f375a86u - (bits_of(x) >> 1));
  const float half = -0.5f * x;
#pragma unroll
  for (int i = 0; i < 2; ++i) y = y * fmaf(half * y, y, 1.5f);
  return y;
}

// The rotation of Rotation's constructor, of twice the element, its angle to 1e-5 of it in float: a rotation to the
// last bit all the same. With 2 t the angle between 0 and pi / 2 whose tangent is twice / |difference|, half is tan(t /
// 2): sin(2 t) / (1 + cos(2 t) + sqrt(2 + 2 cos(2 t))).
template <class T> __device__ inline Rotation<T> turning(RealOf<T> difference, T twice_between, RealOf<T> twice) {
  using R = RealOf<T>;
  Rotation<T> out;
  if constexpr (sizeof(R) == 4) {
    const R distance = size_of(difference), scale = rough_inverse_root(mad(distance, distance, twice * twice));
    const R c = distance * scale, square = c * c;
    const R low = mad(mad(R(-0.189035522f), c, R(0.235118034f)), square, mad(R(-0.292757169f), c, R(0.414212219f)));
    const R high = mad(R(0.0130592504f), square, mad(R(-0.0600160412f), c, R(0.129420041f)));
    const R tangent = (twice * scale) * mad(high, square * square, low);
    const R x = tangent * tangent;  // at most 0.1716; 1 / (1 + x)
    const R guess = mad(mad(R(-0.723838637f), x, R(0.972404852f)), x * x, mad(R(-0.999079095f), x, R(0.999995085f)));
    const R inverse = mad(guess, mad(-guess, x + R(1), R(1)), guess);
    const T direction = Rotation<T>::phase(twice_between, twice, difference < R(0));
    out.sine = times((tangent + tangent) * inverse, direction);
    out.half = times(tangent, direction);
  } else {
    R shift;
    out = Rotation<T>(difference, times(R(0.5), twice_between), R(0.5) * twice, shift);
  }
  return out;
}

template <class T> __device__ inline T of_lane(T x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
template <class R> __device__ inline Complex<R> of_lane(Complex<R> x, int lane) {
  return {of_lane(x.re, lane), of_lane(x.im, lane)};
}
template <class T> __device__ inline Rotation<T> of_lane(const Rotation<T>& x, int lane) {
  Rotation<T> out;
  out.sine = of_lane(x.sine, lane);
  out.half = of_lane(x.half, lane);
  return out;
}

// Where a thread is in its team, and what moves between rounds.
template <int N, int L> struct Line {
  enum : int { pairs = N / 2, group = L / pairs, rows = N / group };
  int first, pair, part;  // the team's first lane; the thread's group, and its place there
  TENON_METHOD explicit Line(int lane) : first(threadIdx.x % 32 - lane), pair(lane / group), part(lane % group) {}
  TENON_METHOD int lane_of(int of_pair, int of_part) const { return first + of_pair * group + of_part; }
  TENON_METHOD int before() const { return lane_of((pair + pairs - 1) % pairs, part); }
  TENON_METHOD int behind() const { return lane_of((pair + 1) % pairs, part); }
  TENON_METHOD bool last() const { return pair == pairs - 1; }

  // The columns change places after a round, and each group then has those that meet next.
  template <bool Odd, class T> TENON_METHOD void move(T (&x)[2][rows]) const {
#pragma unroll
    for (int i = 0; i < rows; ++i)
      if constexpr (Odd) {
        const T goes = last() ? x[1][i] : x[0][i];
        x[1][i] = last() ? x[0][i] : x[1][i];
        x[0][i] = of_lane(goes, before());
      } else {
        x[1][i] = of_lane(x[1][i], behind());
      }
  }
  // The same for rows.
  template <bool Odd, class T> TENON_METHOD void move_rows(T (&x)[rows]) const {
    if constexpr (Odd) {
      const bool end = part == group - 1;
      const T goes = end ? x[rows - 1] : x[rows - 2];
      x[rows - 1] = end ? x[rows - 2] : x[rows - 1];
#pragma unroll
      for (int i = rows - 2; i > 0; i -= 2) x[i] = x[i - 2];
      x[0] = of_lane(goes, lane_of(pair, (part + group - 1) % group));
    } else {
      const T comes = of_lane(x[1], lane_of(pair, (part + 1) % group));
#pragma unroll
      for (int i = 1; i < rows - 1; i += 2) x[i] = x[i + 2];
      x[rows - 1] = comes;
    }
  }
  // Is it true for a thread of this team?
  TENON_METHOD bool anyone(bool x) const {
    const unsigned lanes = __ballot_sync(0xffffffffu, x) >> first;
    return (L == 32 ? lanes : lanes & ((1u << L % 32) - 1)) != 0;
  }
};

// Calls round(even or odd, active) until its team is done, which is when no round of a sweep was far from the end.
// False: some teams are not. reversed: do the columns now stand in the opposite order?
template <int N, int L, class F>
__device__ inline bool sweep_until_done(const Team<L>& team, const Line<N, L>& line, bool& reversed, F&& round) {
  bool active = true;
  reversed = false;
  for (int sweep = 0; sweep < kMostSweeps && team.anyone(active); ++sweep) {
    bool far = false;
#pragma unroll 1
    for (int k = 0; k < N / 2; ++k) far = round(active) || far;
    reversed = !reversed;
    active = line.anyone(far) && active;
  }
  return !active;
}

// A Hermitian matrix and its eigenvectors.
template <class T, int N, int L> struct RingSpectrum : Line<N, L> {
  using R = RealOf<T>;
  using Line<N, L>::rows, Line<N, L>::pairs, Line<N, L>::group, Line<N, L>::pair, Line<N, L>::part;
  T a[2][rows], v[2][rows];
  TENON_METHOD explicit RingSpectrum(int lane) : Line<N, L>(lane) {}

  // The part of a group that has the rows of its own pair, and where.
  TENON_METHOD int diagonal_part() const { return 2 * pair / rows; }
  TENON_METHOD int diagonal_lane() const { return this->lane_of(pair, diagonal_part()); }
  // Element (row, column) of the 2 x 2 block in the thread's rows that its group's pair would have.
  TENON_METHOD T block(int row, int column) const {
    T out = a[column][row];
#pragma unroll
    for (int j = 1; j < rows / 2; ++j)  // with ==, compilers make an index of it, and memory of the array
      if (j <= 2 * pair % rows / 2) out = a[column][2 * j + row];
    return out;
  }

  template <bool Odd, bool Vectors> TENON_METHOD bool round(R least, R large) {
    // Rounding makes the matrix a little unsymmetric: its Hermitian part is what counts.
    const T twice_between = plus(block(0, 1), conj_of(block(1, 0)));
    const R twice = modulus(twice_between);
    const Rotation<T> found = turning(real_of(block(1, 1)) - real_of(block(0, 0)), twice_between, twice);
    Rotation<T> own;
    const bool turns = twice > least + least && !(Odd && this->last());
    if (turns) own = found;
    const bool far = turns && part == diagonal_part() && (largest_part(own.sine) > large || twice > large + large);
    const Rotation<T> right = of_lane(own, diagonal_lane());
    Rotation<T> left[rows / 2];
#pragma unroll
    for (int j = 0; j < rows / 2; ++j) left[j] = of_lane(own, this->lane_of(part * (rows / 2) + j, part)).adjoint();
#pragma unroll
    for (int i = 0; i < rows; ++i) right.turn(a[0][i], a[1][i]);
#pragma unroll
    for (int j = 0; j < rows / 2; ++j)
      for (int k = 0; k < 2; ++k) left[j].turn(a[k][2 * j], a[k][2 * j + 1]);
    for (int k = 0; k < 2; ++k) this->template move_rows<Odd>(a[k]);
    this->template move<Odd>(a);
    if constexpr (Vectors) {
#pragma unroll
      for (int i = 0; i < rows; ++i) right.turn(v[0][i], v[1][i]);
      this->template move<Odd>(v);
    }
    return far;
  }
};

template <class T, int L, int N, bool Vectors> __device__ inline void ring_eigh_of(const SmallSpectrumWork& w) {
  using R = RealOf<T>;
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const int n = w.n;
  RingSpectrum<T, N, L> m(p.team.lane);
  constexpr int rows = RingSpectrum<T, N, L>::rows;
  bool bad = false;
  R largest = 0;
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int i = m.part * rows + r, j = 2 * m.pair + k;
      T value = Make<T>::of(0);
      if (p.live && i < n && j < n) {
        const bool stored = w.upper ? i <= j : i >= j;
        const T read = Stored<T>::get(w.a, p.matrix, stored ? i : j, stored ? j : i);
        value = i == j ? Make<T>::of(real_of(read)) : stored ? read : conj_of(read);
      }
      if (!finite(value)) bad = true, value = Make<T>::of(0);
      largest = Largest::of(largest, largest_part(value));
      m.a[k][r] = value;
      m.v[k][r] = Make<T>::of(i == j ? R(1) : R(0));
    }
  if (bad) report(w.a_not_finite, p.matrix);
  const int exponent = exponent_of(p.team.largest(largest));
  const R tame = PowerOfTwo<R>::of(-exponent), factor = PowerOfTwo<R>::of(exponent);
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int r = 0; r < rows; ++r) m.a[k][r] = times(tame, m.a[k][r]);

  const R least = Limits<R>::epsilon() / 8, large = root_of(least / R(n));
  bool reversed;
  const bool done = sweep_until_done(p.team, m, reversed, [&](bool active) {
    const R limit = active ? least : R(1e30);
    const bool far = m.template round<false, Vectors>(limit, large);
    return m.template round<true, Vectors>(limit, large) || far;
  });
  if (!done && p.team.lane == 0) report_info(w.not_converged, p.matrix, 1);

  // The values of the group's columns, their numbers, and their places in ascending order.
  R value[2];
  int number[2], place[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    value[k] = of_lane(real_of(m.block(k, k)), m.diagonal_lane());
    number[k] = reversed ? N - 1 - (2 * m.pair + k) : 2 * m.pair + k;
  }
#pragma unroll
  for (int other = 0; other < N; ++other) {
    const R number_value = of_lane(value[other % 2], m.lane_of(other / 2, 0));
    const int its = reversed ? N - 1 - other : other;
    for (int k = 0; k < 2; ++k)
      place[k] += its < n && (number_value < value[k] || (number_value == value[k] && its < number[k]));
  }
  for (int k = 0; k < 2; ++k) {
    if (!p.live || number[k] >= n) continue;
    const R result = value[k] * factor;
    if (m.part == 0) {
      if (!finite(result)) report(w.overflow, p.matrix);
      Stored<R>::put(w.values, p.matrix, 0, place[k], result);
    }
    if constexpr (Vectors)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (m.part * rows + r < n) Stored<T>::put(w.left, p.matrix, m.part * rows + r, place[k], m.v[k][r]);
  }
}

template <class T, int L, int N, bool Vectors> __global__ void ring_eigh(SmallSpectrumWork w) {
  ring_eigh_of<T, L, N, Vectors>(w);
}

}  // namespace tenon_own
