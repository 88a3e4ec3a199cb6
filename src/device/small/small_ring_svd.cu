// device/small/small_ring_svd.cu: singular values and vectors in the way of small_ring.cu, for matrices whose longer
// side is at most N. Appended to small_svd.cu and small_ring.cu.
namespace tenon_own {

// The reciprocal of the largest power of two that is not above a normal number below half the largest number.
__device__ inline float inverse_power(float x) { return float_of(0x7f000000u - (bits_of(x) & 0x7f800000u)); }
__device__ inline double inverse_power(double x) {
  return double_of(0x7fe0000000000000ull - (bits_of(x) & 0x7ff0000000000000ull));
}

// The columns x and v of small_svd.cu.
template <class T, int N, int L> struct RingColumns : Line<N, L> {
  using R = RealOf<T>;
  using Line<N, L>::rows, Line<N, L>::group;
  T x[2][rows], v[2][rows];
  TENON_METHOD explicit RingColumns(int lane) : Line<N, L>(lane) {}

  template <class V> TENON_METHOD static V whole(V even, V odd) {
    V out = plus(even, odd);
#pragma unroll
    for (int step = 1; step < group; step *= 2) out = plus(out, from_lane(out, step));
    return out;
  }

  // Scales a column to norm 1, unless it is 0, and returns the norm that it had.
  TENON_METHOD static R normalise(T (&column)[rows]) {
    R largest = 0, sum = 0;
#pragma unroll
    for (int i = 0; i < rows; ++i) largest = Largest::of(largest, largest_part(column[i]));
#pragma unroll
    for (int step = 1; step < group; step *= 2) largest = Largest::of(largest, from_lane(largest, step));
    const int exponent = exponent_of(largest);
    const R factor = PowerOfTwo<R>::of(-exponent);
#pragma unroll
    for (int i = 0; i < rows; ++i) sum = square_mad(times(factor, column[i]), sum);
    const R norm = root_of(whole(sum, R(0)));
    if (norm > R(0))
#pragma unroll
      for (int i = 0; i < rows; ++i) column[i] = over(times(factor, column[i]), norm);
    return norm * PowerOfTwo<R>::of(exponent);
  }

  // As rotate_columns.
  template <bool Odd, bool Vectors> TENON_METHOD bool round(R scale, R large) {
    R first[2] = {0, 0}, second[2] = {0, 0};
    T between[2] = {Make<T>::of(0), Make<T>::of(0)};  // two sums each, half as long
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      first[i % 2] = square_mad(x[0][i], first[i % 2]);
      second[i % 2] = square_mad(x[1][i], second[i % 2]);
      between[i % 2] = conj_mad(x[0][i], x[1][i], between[i % 2]);
    }
    const R p = whole(first[0], first[1]), q = whole(second[0], second[1]);
    const R more = p < q ? q : p, less = p < q ? p : q, factor = inverse_power(more);
    const T product = times(factor, whole(between[0], between[1]));
    const R size = modulus(product), cosine = size * scale, bound = (more * factor) * (less * factor);
    const Rotation<T> found = turning((q - p) * factor, plus(product, product), size + size);
    Rotation<T> own;
    const bool turns =
        cosine * cosine > bound && less > Limits<R>::negligible() * Limits<R>::negligible() && !(Odd && this->last());
    if (turns) own = found;
#pragma unroll
    for (int i = 0; i < rows; ++i) own.turn(x[0][i], x[1][i]);
    this->template move<Odd>(x);
    if constexpr (Vectors) {
#pragma unroll
      for (int i = 0; i < rows; ++i) own.turn(v[0][i], v[1][i]);
      this->template move<Odd>(v);
    }
    return turns && (largest_part(own.sine) > large || size * size > large * large * bound);
  }
};

template <class T, int L, int N, bool Vectors> __device__ inline void ring_svd_of(const SmallSpectrumWork& w) {
  using R = RealOf<T>;
  extern __shared__ double small_memory[];
  Place<L> p(reinterpret_cast<char*>(small_memory), w.batch, w.team_bytes);
  SvdResult<T> out(p, w);
  const Columns<T>& c = out.columns;
  RingColumns<T, N, L> m(p.team.lane);
  constexpr int rows = RingColumns<T, N, L>::rows;
  bool bad = false;
  R largest = 0;
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int i = m.part * rows + r, j = 2 * m.pair + k;
      T value = Make<T>::of(0);
      if (p.live && i < c.m && j < c.n)
        value = out.wide ? conj_of(Stored<T>::get(w.a, p.matrix, j, i)) : Stored<T>::get(w.a, p.matrix, i, j);
      if (!finite(value)) bad = true, value = Make<T>::of(0);
      largest = Largest::of(largest, largest_part(value));
      m.x[k][r] = value;
      m.v[k][r] = Make<T>::of(i == j ? R(1) : R(0));
    }
  if (bad) report(w.a_not_finite, p.matrix);
  const int exponent = exponent_of(p.team.largest(largest));
  const R tame = PowerOfTwo<R>::of(-exponent);
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int r = 0; r < rows; ++r) m.x[k][r] = times(tame, m.x[k][r]);

  const R least = Limits<R>::epsilon() / 2 * root_of(R(c.m)), large = root_of(least / R(c.n));
  bool reversed;
  const bool done = sweep_until_done(p.team, m, reversed, [&](bool active) {
    const R scale = active ? R(1) / least : R(0);
    const bool far = m.template round<false, Vectors>(scale, large);
    return m.template round<true, Vectors>(scale, large) || far;
  });

#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int j = reversed ? N - 1 - (2 * m.pair + k) : 2 * m.pair + k;
    const R norm = m.normalise(m.x[k]);
    if (j >= c.n) continue;
    if (m.part == 0) c.values[j] = norm;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int i = m.part * rows + r;
      if (i < c.m) c.x[i + j * c.ld] = m.x[k][r];
      if (Vectors && i < c.n) c.v[i + j * c.vector_ld] = m.v[k][r];
    }
  }
  p.team.sync();
  out.put(p, w, exponent, done);
}

template <class T, int L, int N, bool Vectors> __global__ void ring_svd(SmallSpectrumWork w) {
  ring_svd_of<T, L, N, Vectors>(w);
}

}  // namespace tenon_own
