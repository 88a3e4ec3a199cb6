// device/small/small_svd.cu: singular values and vectors of small matrices by one-sided Jacobi rotations, a team of
// threads each. Appended to small_eigen.cu.
//
// The columns of x = a (or a^H, which must not be wider than tall) are rotated until they are orthogonal: x v = u
// diag(s) (Hestenes 1958; Demmel and Veselic 1992). Each pair of columns of a round has `group` threads, which share
// the rows.
namespace tenon_own {

// The players of pair `pair` in a round of a tournament of an even number of players: player 0 stays, the others move
// in a circle.
__device__ inline void pair_of(int pair, int round, int even, int& p, int& q) {
  const int circle = even - 1;
  const auto player = [&](int place) {
    const int at = place + round;
    return 1 + (at < circle ? at : at - circle);
  };
  p = pair == 0 ? 0 : player(pair);
  q = pair == 0 ? player(0) : player(circle - pair);
}

// x has m rows and v, which may be NULL, n rows; both are followed by rows of zeros, so that `group` threads have four
// rows each, or a multiple of that.
template <class T> struct Columns {
  T *x, *v;
  int* order;  // the column in place k of the result
  RealOf<T>* values;
  int m, n, even, count;  // count: of columns that x has room for
  int rows, ld, vector_rows, vector_ld, group;
};

// Four numbers that are read and written at once.
template <class T> struct alignas(16) Four {
  T at[4];
};
template <class T> __device__ inline Four<T>& four(T* x) { return *reinterpret_cast<Four<T>*>(x); }

// Sums over groups of `group` neighbouring threads, a power of two not above 32.
template <class V> __device__ inline V group_sum(V x, int group) {
  for (int step = 1; step < group; step *= 2) x = plus(x, from_lane(x, step));
  return x;
}

template <class T>
__device__ inline void turn_columns(const Rotation<T>& rotation, T* x, T* y, int first, int step, int rows) {
  for (int i = first; i < rows; i += step) {
    Four<T> a = four(x + i), b = four(y + i);
#pragma unroll
    for (int k = 0; k < 4; ++k) rotation.turn(a.at[k], b.at[k]);
    four(x + i) = a;
    four(y + i) = b;
  }
}

// One round of rotations of columns whose cosine is above 1 / scale. Returns whether one of this thread's pairs turned
// by more than `large`, or had a larger cosine. The numbers are scaled, because their squares may overflow or vanish.
template <int L, class T> __device__ inline bool rotate_columns(const Team<L>& team, const Columns<T>& c, int round,
                                                                RealOf<T> scale, RealOf<T> large) {
  using R = RealOf<T>;
  const int group = c.group, pairs = c.even / 2, step = L / group, first_pair = team.lane / group;
  const int row = 4 * (team.lane - first_pair * group), rows = 4 * group;
  bool far = false;
  for (int start = 0; start < pairs; start += step) {
    const int pair = start + first_pair;
    int p, q;
    pair_of(pair < pairs ? pair : 0, round, c.even, p, q);
    T *const x = c.x + p * c.ld, *const y = c.x + q * c.ld;
    R first = 0, second = 0;
    T between = Make<T>::of(0);
    for (int i = row; i < c.rows; i += rows) {
      const Four<T> a = four(x + i), b = four(y + i);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        first = square_mad(a.at[k], first);
        second = square_mad(b.at[k], second);
        between = conj_mad(a.at[k], b.at[k], between);
      }
    }
    first = group_sum(first, group);
    second = group_sum(second, group);
    between = group_sum(between, group);
    const R more = first < second ? second : first, less = first < second ? first : second;
    const R factor = PowerOfTwo<R>::of(-exponent_of(more)), product = (more * factor) * (less * factor);
    between = times(factor, between);
    const R size = modulus(between), cosine = size * scale;
    if (pair >= pairs || !(cosine * cosine > product) || less <= Limits<R>::negligible() * Limits<R>::negligible())
      continue;
    R shift;
    const Rotation<T> rotation(second * factor - first * factor, between, size, shift);
    turn_columns(rotation, x, y, row, rows, c.rows);
    if (c.v) turn_columns(rotation, c.v + p * c.vector_ld, c.v + q * c.vector_ld, row, rows, c.vector_rows);
    far = far || largest_part(rotation.sine) > large || size * size > large * large * product;
  }
  return far;
}

// False: some columns have not become orthogonal.
template <int L, class T> __device__ inline bool orthogonalise(const Team<L>& team, const Columns<T>& c) {
  using R = RealOf<T>;
  const R least = Limits<R>::epsilon() / 2 * root_of(R(c.m)), large = root_of(least / R(c.n));
  bool active = true;
  for (int sweep = 0; sweep < kMostSweeps && team.anyone(active); ++sweep) {
    bool far = false;
    for (int round = 0; round < c.even - 1; ++round) {
      far = rotate_columns(team, c, round, active ? R(1) / least : R(0), large) || far;
      team.sync();
    }
    // What the sweep leaves at the place of a rotation comes from the later rotations: products of two small numbers.
    const bool again = team.largest(far ? 1 : 0) != 0;
    active = active && again;
  }
  return !active;
}

__device__ inline int padded(int n, int unit) { return (n + unit - 1) / unit * unit; }
// At least n, and an odd multiple of four, so that columns begin in different banks.
__device__ inline int four_odd(int n) { return 4 * (padded(n, 4) / 4 | 1); }

// The columns' norms, and columns of norm 1.
template <int L, class T> __device__ inline void normalise_columns(const Team<L>& team, const Columns<T>& c) {
  using R = RealOf<T>;
  for (int j = team.lane; j < c.n; j += L) {
    T* const x = c.x + j * c.ld;
    R largest = 0, sum = 0;
#pragma unroll 1
    for (int i = 0; i < c.m; ++i) largest = Largest::of(largest, largest_part(x[i]));
    const int exponent = exponent_of(largest);
    const R factor = PowerOfTwo<R>::of(-exponent);
#pragma unroll 1
    for (int i = 0; i < c.m; ++i) sum = square_mad(times(factor, x[i]), sum);
    const R norm = root_of(sum);
    if (norm > R(0))
#pragma unroll 1
      for (int i = 0; i < c.m; ++i) x[i] = over(times(factor, x[i]), norm);
    c.values[j] = norm * PowerOfTwo<R>::of(exponent);
  }
  team.sync();
}

// The descending order of the columns' norms. Returns the number of columns that are not negligible.
template <int L, class T> __device__ inline int sort_columns(const Team<L>& team, const Columns<T>& c) {
  using R = RealOf<T>;
  int rank = 0;
  for (int j = 0; j < c.n; ++j) rank += c.values[j] > Limits<R>::negligible();
  for (int j = team.lane; j < c.count; j += L) {
    const int place = j < c.n ? rank_among<R>(j, c.n, [&](int k) { return -c.values[k]; }) : j;
    c.order[place] = j;
  }
  team.sync();
  return rank;
}

// The row whose unit vector is farthest from the space of the first k columns of the result.
template <int L, class T> __device__ inline int farthest_row(const Team<L>& team, const Columns<T>& c, int k) {
  using R = RealOf<T>;
  Pivot<R> own{R(-1), c.m};
  for (int i = team.lane; i < c.m; i += L) {
    R covered = 0;
#pragma unroll 1
    for (int j = 0; j < k; ++j) covered = square_mad(c.x[i + c.order[j] * c.ld], covered);
    own = BetterPivot::of(own, Pivot<R>{R(2) - covered, i});
  }
  return team.template all<BetterPivot>(own).row;
}

// Replaces column k of the result by one that is orthogonal to those before it, if `wanted`: by the Gram-Schmidt
// process on a unit vector, twice.
template <int L, class T>
__device__ inline void complete_column(const Team<L>& team, const Columns<T>& c, int k, bool wanted, T* products) {
  using R = RealOf<T>;
  const int row = farthest_row(team, c, k);
  T* const y = c.x + c.order[k] * c.ld;
  for (int i = team.lane; i < c.m && wanted; i += L) y[i] = Make<T>::of(i == row ? R(1) : R(0));
  team.sync();
#pragma unroll 1
  for (int time = 0; time < 2; ++time) {
    for (int j = team.lane; j < k; j += L) {
      const T* const x = c.x + c.order[j] * c.ld;
      T sum = Make<T>::of(0);
#pragma unroll 1
      for (int i = 0; i < c.m; ++i) sum = conj_mad(x[i], y[i], sum);
      products[j] = negative(sum);
    }
    team.sync();
    R own = 0;
    for (int i = team.lane; i < c.m; i += L) {
      T value = y[i];
#pragma unroll 1
      for (int j = 0; j < k; ++j) value = mad(products[j], c.x[i + c.order[j] * c.ld], value);
      own = square_mad(value, own);
      if (wanted) y[i] = value;
    }
    const R scale = R(1) / root_of(team.sum(own));
    for (int i = team.lane; i < c.m && wanted; i += L) y[i] = times(scale, y[i]);
    team.sync();
  }
}

// Where a decomposition is made: a = u diag(s) vh, with left_columns columns of u and right_rows rows of vh.
template <class T> struct SvdResult {
  using R = RealOf<T>;
  Columns<T> columns;
  T* products;
  bool wide;

  template <int L> TENON_METHOD SvdResult(Place<L>& p, const SmallSpectrumWork& w) : wide(w.m < w.n) {
    Columns<T>& c = columns;
    c.m = wide ? w.n : w.m;
    c.n = wide ? w.m : w.n;
    c.even = c.n + c.n % 2;
    c.count = wide ? w.right_rows : w.left_columns;
    if (c.count < c.n) c.count = c.n;
    c.group = w.group;
    c.rows = padded(c.m, 4 * c.group);
    c.vector_rows = padded(c.n, 4 * c.group);
    c.ld = four_odd(c.rows);
    c.vector_ld = four_odd(c.vector_rows);
    c.x = p.template take<T>(c.ld * (c.count > c.even ? c.count : c.even));
    c.order = p.template take<int>(c.count);
    c.values = p.template take<R>(c.n);
    products = p.template take<T>(c.count);
    c.v = w.left.data ? p.template take<T>(c.vector_ld * c.n) : nullptr;
  }

  // Of columns of norm 1 that are orthogonal if `done`, and which were scaled.
  template <int L> TENON_METHOD void put(const Place<L>& p, const SmallSpectrumWork& w, int exponent, bool done) const {
    const Columns<T>& c = columns;
    if (!done && p.team.lane == 0) report_info(w.not_converged, p.matrix, 1);
    const int rank = sort_columns(p.team, c);
    const R factor = PowerOfTwo<R>::of(exponent);
    for (int k = p.team.lane; k < c.n && p.live; k += L) {
      const R value = c.values[c.order[k]] * factor;
      if (!finite(value)) report(w.overflow, p.matrix);
      Stored<R>::put(w.values, p.matrix, 0, k, value);
    }
    if (!c.v) return;
    const int last = wide ? w.right_rows : w.left_columns;
    for (int k = 0; k < last; ++k)
      if (p.team.anyone(k >= rank)) complete_column(p.team, c, k, k >= rank, products);
    if (!p.live) return;
    const SmallMatrices& of_x = wide ? w.right : w.left;  // vh has the adjoint of its vectors
    const SmallMatrices& of_v = wide ? w.left : w.right;
    for_elements<L>(p.team.lane, c.m, last, wide != by_rows(of_x), [&](int i, int k) {
      const T value = c.x[i + c.order[k] * c.ld];
      if (wide) Stored<T>::put(of_x, p.matrix, k, i, conj_of(value));
      else Stored<T>::put(of_x, p.matrix, i, k, value);
    });
    for_elements<L>(p.team.lane, c.n, c.n, wide == by_rows(of_v), [&](int i, int k) {
      const T value = c.v[i + c.order[k] * c.vector_ld];
      if (wide) Stored<T>::put(of_v, p.matrix, i, k, value);
      else Stored<T>::put(of_v, p.matrix, k, i, conj_of(value));
    });
  }
};

template <class T, int L> __global__ void small_svd(SmallSpectrumWork w) {
  using R = RealOf<T>;
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  const SvdResult<T> out(p, w);
  const Columns<T>& c = out.columns;
  for_elements<L>(p.team.lane, c.rows, c.even, false, [&](int i, int j) {
    if (i >= c.m || j >= c.n) c.x[i + j * c.ld] = Make<T>::of(0);
  });
  load(p, w.a, c.m, c.n, out.wide, c.x, c.ld, w.a_not_finite);
  if (c.v)
    for_elements<L>(p.team.lane, c.vector_rows, c.n, false,
                    [&](int i, int j) { c.v[i + j * c.vector_ld] = Make<T>::of(i == j ? R(1) : R(0)); });
  p.team.sync();
  const int exponent = tame(p.team, c.x, c.m, c.n, c.ld);
  const bool done = orthogonalise(p.team, c);
  normalise_columns(p.team, c);
  out.put(p, w, exponent, done);
}

}  // namespace tenon_own
