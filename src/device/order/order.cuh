// device/order/order.cuh: unsigned keys in the order of elements, for sorting and searching: numbers by value, -0 equal
// to 0, NaN after all others in both directions.
namespace tenon_own {

template <int Bytes> struct Unsigned;
template <> struct Unsigned<1> {
  using type = u8;
};
template <> struct Unsigned<2> {
  using type = u16;
};
template <> struct Unsigned<4> {
  using type = u32;
};
template <> struct Unsigned<8> {
  using type = u64;
};

template <class S> struct Sign {
  enum : int { is_signed = S(-1) < S(0), is_float = 0 };
};
template <> struct Sign<boolean> {
  enum : int { is_signed = 0, is_float = 0 };
};
template <> struct Sign<half> {
  enum : int { is_signed = 1, is_float = 0x7c00 };
};
template <> struct Sign<bfloat> {
  enum : int { is_signed = 1, is_float = 0x7f80 };
};
template <> struct Sign<float> {
  enum : int { is_signed = 1, is_float = 1 };
};
template <> struct Sign<double> {
  enum : int { is_signed = 1, is_float = 1 };
};

template <class S> struct Infinity {
  TENON_MEMBER u64 bits() { return u64(Sign<S>::is_float); }
};
template <> struct Infinity<float> {
  TENON_MEMBER u64 bits() { return 0x7f800000u; }
};
template <> struct Infinity<double> {
  TENON_MEMBER u64 bits() { return 0x7ff0000000000000ull; }
};

template <class S> struct Order {
  using Key = typename Unsigned<sizeof(S)>::type;
  TENON_MEMBER Key sign() { return Key(Key(1) << (8 * sizeof(S) - 1)); }
  TENON_MEMBER Key raw(const S& x) {
    Key bits;
    memcpy(&bits, &x, sizeof(S));
    return bits;
  }
  TENON_MEMBER bool is_nan(const S& x) {
    return Sign<S>::is_float != 0 && Key(raw(x) & Key(~sign())) > Key(Infinity<S>::bits());
  }
  TENON_MEMBER Key nan_key() { return Key(~Key(0)); }
  TENON_MEMBER Key zero_key(bool descending) { return descending ? Key(~sign()) : sign(); }
  // Bits from which keys are computed in fewer steps, and back; without branches, because sorts need the keys of many
  // elements at once. All bits of an element are kept: sorts move elements in this form.
  TENON_MEMBER Key moved(Key bits) {
    return Sign<S>::is_float == 0 ? bits : Key(bits ^ Key(sign() | Key(Key(0) - Key(bits >> (8 * sizeof(S) - 1)))));
  }
  TENON_MEMBER Key unmoved(Key bits) {
    return Sign<S>::is_float == 0 ? bits : Key(bits ^ Key(sign() | Key(Key(bits >> (8 * sizeof(S) - 1)) - Key(1))));
  }
  TENON_MEMBER Key key_of_moved(Key bits, bool descending) {
    const Key inverted = Key(descending ? ~Key(0) : Key(0));
    if (Sign<S>::is_float == 0) return Key((Sign<S>::is_signed != 0 ? Key(bits ^ sign()) : bits) ^ inverted);
    // From -infinity to infinity; what lies outside is NaN.
    const Key least = moved(Key(sign() | Key(Infinity<S>::bits()))), most = moved(Key(Infinity<S>::bits()));
    const Key ordered = Key(bits + Key(bits == Key(~sign())));                                       // -0 is equal to 0
    return Key(Key(ordered ^ inverted) | Key(Key(0) - Key(Key(bits - least) > Key(most - least))));  // NaN: all ones
  }
  TENON_MEMBER Key key_of(Key bits, bool descending) { return key_of_moved(moved(bits), descending); }
  TENON_MEMBER Key key(const S& x, bool descending) { return key_of(raw(x), descending); }
  // The element with that key; one of them for zeros and NaNs, which have several.
  TENON_MEMBER S element(Key key, bool descending) {
    Key bits = descending ? Key(~key) : key;
    bits = Sign<S>::is_float == 0 && Sign<S>::is_signed != 0 ? Key(bits ^ sign()) : unmoved(bits);
    S x;
    memcpy(&x, &bits, sizeof(S));
    return x;
  }
};

// Complex numbers of two S: by the real, then by the imaginary part; those with NaN after all others, first those whose
// real part is a number.
template <class S> struct Pair {
  S re, im;
};
template <class S> struct Sign<Pair<S>> {
  enum : int { is_signed = 1, is_float = Sign<S>::is_float };
};
template <class S> struct PairKey {
  typename Order<S>::Key re, im;
  TENON_METHOD int nans() const { return (re == Order<S>::nan_key() ? 2 : 0) + (im == Order<S>::nan_key() ? 1 : 0); }
  TENON_METHOD bool operator<(const PairKey& other) const {
    const int own = nans(), others = other.nans();
    return own != others ? own < others : re != other.re ? re < other.re : im < other.im;
  }
  TENON_METHOD bool operator<=(const PairKey& other) const { return !(other < *this); }
};
template <class S> struct Order<Pair<S>> {
  using Key = PairKey<S>;
  TENON_MEMBER bool is_nan(const Pair<S>& x) { return Order<S>::is_nan(x.re) || Order<S>::is_nan(x.im); }
  TENON_MEMBER Key key(const Pair<S>& x, bool descending) {
    return {Order<S>::key(x.re, descending), Order<S>::key(x.im, descending)};
  }
};

// The number of elements, among n sorted by their keys Keys::of(element), that come before the key (right: or equal
// it). Count: an unsigned type that can represent n.
template <class Keys, class Element, class Count, class Key>
TENON_DEVICE Count place_among(const Element* sorted, Count n, Key key, bool right) {
  Count low = 0;
  while (n > 0) {
    const Count middle = n / 2;
    const Key there = Keys::of(sorted[low + middle]);
    const bool after = right ? there <= key : there < key;
    low = after ? low + middle + 1 : low;
    n = after ? n - middle - 1 : middle;
  }
  return low;
}
template <class S> struct KeyOfElement {
  TENON_MEMBER typename Order<S>::Key of(const S& x) { return Order<S>::key(x, false); }
};
template <class S> TENON_DEVICE i64 place_of(const S* sorted, i64 n, const S& x, bool right) {
  using Keys = KeyOfElement<S>;
  const typename Order<S>::Key key = Keys::of(x);
  return n >> 32 ? i64(place_among<Keys>(sorted, u64(n), key, right))
                 : i64(place_among<Keys>(sorted, u32(n), key, right));
}

template <class S> struct Search {
  TENON_MEMBER void at(const SearchWork& w, i64 i) {
    w.to[i] = place_of(static_cast<const S*>(w.sorted), w.n, static_cast<const S*>(w.wanted)[i], w.right != 0);
  }
};

template <class S> struct Runs {
  TENON_MEMBER void at(const RunsWork& w, i64 i) {
    const S* const x = static_cast<const S*>(w.sorted);
    w.first[i] = i == 0 || Order<S>::key(x[i], false) != Order<S>::key(x[i - 1], false) ||
                 (!w.nan_equal && Order<S>::is_nan(x[i]));
  }
};

// All complex numbers with NaN are equal or distinct, whichever part it is.
template <class S> struct Runs<Pair<S>> {
  using Of = Order<Pair<S>>;
  TENON_MEMBER void at(const RunsWork& w, i64 i) {
    const Pair<S>* const z = static_cast<const Pair<S>*>(w.sorted) + i;
    w.first[i] =
        i == 0 || (Of::is_nan(*z) ? !w.nan_equal || !Of::is_nan(z[-1]) : Of::key(z[-1], false) < Of::key(*z, false));
  }
};

template <class S> struct Range {
  TENON_MEMBER void at(const RangeWork& w, i64 i) {
    static_cast<S*>(w.to)[i] = Store<S>::of(w.has_last && i + 1 == w.count ? w.last : w.start + double(i) * w.distance);
  }
};
template <class S> struct WholeRange {
  TENON_MEMBER void at(const RangeWork& w, i64 i) { static_cast<S*>(w.to)[i] = S(u64(w.first) + u64(i) * u64(w.step)); }
};

}  // namespace tenon_own
