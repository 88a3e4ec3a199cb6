// device/index.cuh: reading and writing elements selected by integer arrays.
namespace tenon_own {

// The step in bytes to element `index` along the axis of index array k; inside: it is within the extent.
TENON_DEVICE i64 reach_of(const IndexWork& w, int k, i64 index, bool& inside) {
  if (index < 0) index += w.limit[k];
  inside = u64(index) < u64(w.limit[k]);
  return index * w.reach[k];
}

TENON_DEVICE void report(const IndexWork& w, int k, i64 position) {
#ifdef TENON_DEVICE_TEXT
  if (w.bad) tenon_report(w.bad + k, u64(position));
#else
  (void)w, (void)k, (void)position;  // the host checks before
#endif
}

// The positions of element i of v and of its partner in x. False: an index is out of range, and there is no partner.
TENON_DEVICE bool locate(const IndexWork& w, i64 i, i64& x, i64& v) {
  i64 at[kIndexArrays];
  for (int k = 0; k < w.arrays; ++k) at[k] = 0;
  x = v = 0;
  for (int d = w.rank - 1; d >= 0; --d) {
    const i64 next = d ? i / w.extent[d] : 0, c = i - next * w.extent[d];
    i = next;
    x += c * w.x_step[d];
    v += c * w.v_step[d];
    for (int k = 0; k < w.arrays; ++k) at[k] += c * w.index_step[k][d];
  }
  bool all = true;
  for (int k = 0; k < w.arrays; ++k) {
    bool inside;
    x += reach_of(w, k, w.index[k][at[k]], inside);
    if (!inside) report(w, k, at[k]);
    all = all && inside;
  }
  return all;
}

// Combines an old and a new element: for least and most, NaN wins. The comparison is apart from that with NaN, as it is
// then one instruction, and no branch whose way is hard to predict.
template <int Kind, class S> struct Combine {
  TENON_MEMBER S of(S a, S b) {
    if (Kind == kAdd) return S(a + b);
    const S best = Kind == kLeast ? (b < a ? b : a) : (b > a ? b : a);
    return b != b ? b : best;
  }
};
template <int Kind> struct Combine<Kind, i32> {
  TENON_MEMBER i32 of(i32 a, i32 b) {
    return Kind == kAdd ? i32(u32(a) + u32(b)) : Kind == kLeast ? (b < a ? b : a) : (b > a ? b : a);
  }
};
template <int Kind> struct Combine<Kind, i64> {
  TENON_MEMBER i64 of(i64 a, i64 b) {
    return Kind == kAdd ? i64(u64(a) + u64(b)) : Kind == kLeast ? (b < a ? b : a) : (b > a ? b : a);
  }
};
template <int Kind> struct Combine<Kind, half> {
  TENON_MEMBER half of(half a, half b) {
    return {half_bits(Combine<Kind, float>::of(half_value(a.bits), half_value(b.bits)))};
  }
};
template <int Kind> struct Combine<Kind, bfloat> {
  TENON_MEMBER bfloat of(bfloat a, bfloat b) {
    return {bfloat_bits(Combine<Kind, float>::of(bfloat_value(a.bits), bfloat_value(b.bits)))};
  }
};
template <int Kind> struct Combine<Kind, boolean> {
  TENON_MEMBER boolean of(boolean a, boolean b) {
    return {u8(Kind == kLeast ? a.value != 0 && b.value != 0 : a.value != 0 || b.value != 0)};
  }
};

}  // namespace tenon_own
