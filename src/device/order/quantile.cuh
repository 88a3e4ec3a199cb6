// device/order/quantile.cuh: quantiles of sorted rows (Hyndman and Fan, Sample Quantiles in Statistical Packages,
// 1996).
namespace tenon_own {

TENON_DEVICE i64 whole_below(double x) {  // the largest integer that is not above x; x is small enough
  const i64 k = i64(x);
  return double(k) > x ? k - 1 : k;
}

// Where in a list of n elements: between `low` and the next one, at `part` of the way.
struct QuantilePlace {
  i64 low;
  double part;
};

// Methods as TENON_QUANTILE_*.
TENON_DEVICE QuantilePlace quantile_place(int method, i64 n, double q) {
  const double count = double(n), linear = (count - 1) * q;
  double a = 1, b = 1, at = linear;
  const i64 below = whole_below(linear);
  const double rest = linear - double(below);
  switch (method) {
    case 0: break;
    case 1: return {below, 0};
    case 2: return {below, rest > 0 ? 1.0 : 0.0};
    case 3: return {below, rest > 0 ? 0.5 : 0.0};
    case 4: return {below, rest > 0.5 || (rest == 0.5 && (below & 1)) ? 1.0 : 0.0};
    case 5:
    case 6:
    case 7: {
      at = count * q - 1;
      if (method == 7) at -= 0.5;
      const i64 before = whole_below(at);
      const bool exact = at == double(before);
      if (method == 6) return {before, exact ? 0.5 : 1.0};
      return {before, exact && (method == 5 || (before & 1)) ? 0.0 : 1.0};
    }
    case 8: a = 0, b = 1; break;
    case 9: a = b = 0.5; break;
    case 10: a = b = 0; break;
    case 11: a = b = 1.0 / 3; break;
    default: a = b = 3.0 / 8;
  }
  if (method) at = count * q + (a + q * (1 - a - b)) - 1;
  const i64 before = whole_below(at);
  return {before, at - double(before)};
}

// Between two numbers, exactly symmetrical; equal and infinite ones are not subtracted.
TENON_DEVICE double between(double a, double b, double part) {
  if (a == b || part == 0) return a;
  if (part == 1) return b;
  const double distance = b - a, most = double_of(0x7fefffffffffffffull);
  if (!(distance <= most && distance >= -most)) return a * (1 - part) + b * part;
  return part >= 0.5 ? b - distance * (1 - part) : a + distance * part;
}

template <class S> struct QuantileValue {
  TENON_MEMBER double of(const S& x) { return double(x); }
};
template <> struct QuantileValue<half> {
  TENON_MEMBER double of(const half& x) { return double(half_value(x.bits)); }
};
template <> struct QuantileValue<bfloat> {
  TENON_MEMBER double of(const bfloat& x) { return double(bfloat_value(x.bits)); }
};
template <> struct QuantileValue<boolean> {
  TENON_MEMBER double of(const boolean& x) { return double(x.value); }
};

template <class R> struct QuantileResult {
  TENON_MEMBER R nan() {
    using Key = typename Order<R>::Key;
    const Key bits = Key(Key(Infinity<R>::bits()) | Key(Key(Infinity<R>::bits()) >> 1));
    R x;
    memcpy(&x, &bits, sizeof(R));
    return x;
  }
  template <class S> TENON_MEMBER R of(const S& a, const S& b, double part) {
    return Store<R>::of(between(QuantileValue<S>::of(a), QuantileValue<S>::of(b), part));
  }
};
// Part by part.
template <class R> struct QuantileResult<Pair<R>> {
  TENON_MEMBER Pair<R> nan() { return {QuantileResult<R>::nan(), QuantileResult<R>::nan()}; }
  TENON_MEMBER Pair<R> of(const Pair<R>& a, const Pair<R>& b, double part) {
    return {QuantileResult<R>::of(a.re, b.re, part), QuantileResult<R>::of(a.im, b.im, part)};
  }
};

// The number of elements of a sorted row before the first NaN.
template <class S> TENON_DEVICE i64 numbers_in(const S* row, i64 n) {
  if (Sign<S>::is_float == 0 || n == 0 || !Order<S>::is_nan(row[n - 1])) return n;
  i64 low = 0, count = n;
  while (count > 0) {
    const i64 middle = count / 2;
    const bool number = !Order<S>::is_nan(row[low + middle]);
    low = number ? low + middle + 1 : low;
    count = number ? count - middle - 1 : middle;
  }
  return low;
}

// Places of one end are that end.
template <class S> TENON_DEVICE i64 limit_place(QuantilePlace& p, i64 n) {
  if (p.low < 0) p.low = 0, p.part = 0;
  if (p.low >= n - 1) p.low = n - 1, p.part = 0;
  return p.low;
}

// Result i: quantile i / rows of row i % rows, of the dtype of the elements.
template <class S> struct QuantileElement {
  TENON_MEMBER void at(const QuantileWork& w, i64 i) {
    const i64 k = i / w.rows, line = i - k * w.rows;
    const S* const row = static_cast<const S*>(w.sorted) + line * w.n;
    const i64 n = numbers_in(row, w.n);
    S* const to = static_cast<S*>(w.to) + i;
    if (n == 0 || (n < w.n && !w.ignore_nan)) {
      *to = QuantileResult<S>::nan();
      return;
    }
    QuantilePlace p = quantile_place(w.method, n, w.probability[k]);
    const i64 low = limit_place<S>(p, n);
    *to = p.part == 0 ? row[low] : row[low + 1];
  }
};

// The same, interpolated, as R.
template <class S, class R> struct QuantileNumber {
  TENON_MEMBER void at(const QuantileWork& w, i64 i) {
    const i64 k = i / w.rows, line = i - k * w.rows;
    const S* const row = static_cast<const S*>(w.sorted) + line * w.n;
    const i64 n = numbers_in(row, w.n);
    R* const to = static_cast<R*>(w.to) + i;
    if (n == 0 || (n < w.n && !w.ignore_nan)) {
      *to = QuantileResult<R>::nan();
      return;
    }
    QuantilePlace p = quantile_place(w.method, n, w.probability[k]);
    const i64 low = limit_place<S>(p, n), high = p.part == 0 ? low : low + 1;
    *to = QuantileResult<R>::of(row[low], row[high], p.part);
  }
};

}  // namespace tenon_own
