// device/segment.cuh: what reductions and scans of segments combine. An operation has accumulators (Sum): `of` makes
// one of an element, `merged` combines an earlier and a later one, `element` is the result.
namespace tenon_own {

template <int Kind, class S> struct SegmentOp;

template <class S> struct SegmentOp<kSegmentSum, S> {
  using Element = S;
  using Sum = typename Wide<S>::type;
  TENON_MEMBER Sum neutral() { return Wide<S>::zero(); }
  TENON_MEMBER Sum of(const S& x) { return Wide<S>::of(x); }
  TENON_MEMBER Sum merged(const Sum& a, const Sum& b) { return added(a, b); }
  TENON_MEMBER S element(const Sum& a) { return Wide<S>::to(a); }
};

template <class S> struct SegmentOp<kSegmentProduct, S> {
  using Element = S;
  using Sum = typename Wide<S>::type;
  TENON_MEMBER Sum neutral() { return Wide<S>::one(); }
  TENON_MEMBER Sum of(const S& x) { return Wide<S>::of(x); }
  TENON_MEMBER Sum merged(const Sum& a, const Sum& b) { return multiplied(a, b); }
  TENON_MEMBER S element(const Sum& a) { return Wide<S>::to(a); }
};

// The smallest and the largest value of a type; infinities of floating-point types.
template <class S> struct EndOf {
  using Key = typename Order<S>::Key;
  TENON_MEMBER S of(bool largest) {
    if (Sign<S>::is_float == 0) return Order<S>::element(largest ? Key(~Key(0)) : Key(0), false);
    const Key bits = Key(Key(Infinity<S>::bits()) | (largest ? Key(0) : Order<S>::sign()));
    S x;
    memcpy(&x, &bits, sizeof(S));
    return x;
  }
};
template <> struct EndOf<boolean> {
  TENON_MEMBER boolean of(bool largest) { return {u8(largest ? 1 : 0)}; }
};
template <class T> struct EndOf<Complex<T>> {
  TENON_MEMBER Complex<T> of(bool largest) { return {EndOf<T>::of(largest), EndOf<T>::of(largest)}; }
};

// Complex numbers in the order of maximum (functions/table.py): by the real, then by the imaginary part.
template <int Kind, class T> struct Combine<Kind, Complex<T>> {
  TENON_MEMBER bool before(T a, T b) { return Kind == kLeast ? a < b : a > b; }
  TENON_MEMBER Complex<T> of(const Complex<T>& a, const Complex<T>& b) {
    if (a.re != a.re || a.im != a.im) return a;
    const bool better = before(b.re, a.re) || (b.re == a.re && before(b.im, a.im));
    return better || b.re != b.re || b.im != b.im ? b : a;
  }
};

template <int Kind, class S> struct SegmentExtreme {
  using Element = S;
  using Sum = S;
  TENON_MEMBER S neutral() { return EndOf<S>::of(Kind == kSegmentLeast); }
  TENON_MEMBER S of(const S& x) { return x; }
  TENON_MEMBER S merged(const S& a, const S& b) {
    return Combine < Kind == kSegmentLeast ? kLeast : kMost, S > ::of(a, b);
  }
  TENON_MEMBER S element(const S& a) { return a; }
};
template <class S> struct SegmentOp<kSegmentLeast, S> : SegmentExtreme<kSegmentLeast, S> {};
template <class S> struct SegmentOp<kSegmentMost, S> : SegmentExtreme<kSegmentMost, S> {};

// log(sum(exp(x))) as the largest x and the sum of exp(x - largest).
struct LogSum {
  double top, sum;
};
template <class S> struct SegmentOp<kSegmentLogSum, S> {
  using Element = S;
  using Sum = LogSum;
  TENON_MEMBER LogSum neutral() { return {-double_of(0x7ff0000000000000ull), 0.0}; }
  TENON_MEMBER LogSum of(const S& x) { return {Wide<S>::of(x), 1.0}; }
  TENON_MEMBER LogSum merged(const LogSum& a, const LogSum& b) {
    if (a.top == b.top) return {a.top, a.sum + b.sum};
    if (a.top != a.top) return a;
    if (b.top != b.top) return b;
    const LogSum &high = a.top > b.top ? a : b, &low = a.top > b.top ? b : a;
    return {high.top, high.sum + low.sum * exp_of(low.top - high.top)};
  }
  TENON_MEMBER S element(const LogSum& a) {
    const double most = double_of(0x7ff0000000000000ull);
    return Wide<S>::to(a.top == most || a.top == -most || a.top != a.top ? a.top : a.top + log_of(a.sum));
  }
};

template <class S> struct SegmentTile {
  enum : int { value = sizeof(S) <= 4 ? kSegmentTile4 : sizeof(S) == 8 ? kSegmentTile8 : kSegmentTile16 };
};

// The number of offsets, among `count` that never decrease, that are below `limit` (or at it).
TENON_DEVICE i64 offsets_below(const i64* offsets, i64 count, i64 limit, bool or_at) {
  i64 low = 0;
  while (count > 0) {
    const i64 middle = count / 2;
    const bool after = or_at ? offsets[low + middle] <= limit : offsets[low + middle] < limit;
    low = after ? low + middle + 1 : low;
    count = after ? count - middle - 1 : middle;
  }
  return low;
}

struct Heads {
  TENON_MEMBER void at(const HeadsWork& w, i64 s) {
    const i64 begin = w.offsets[s];
    if (begin >= 0 && begin < w.n) w.heads[begin] = 1;
  }
};

}  // namespace tenon_own
