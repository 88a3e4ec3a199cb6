// device/order/select.cuh: per-element operations around selections.
namespace tenon_own {

struct Lengths {
  TENON_MEMBER void at(const UniqueWork& w, i64 k) {
    w.to[k] = (k + 1 < w.runs ? w.starts[k + 1] : w.count) - w.starts[k];
  }
};

// to[order[i]] = the index of the run that sorted element i belongs to.
struct Inverse {
  TENON_MEMBER void at(const UniqueWork& w, i64 i) { w.to[w.order[i]] = place_of(w.starts, w.runs, i, true) - 1; }
};

struct Unravel {
  TENON_MEMBER void at(const UnravelWork& w, i64 i) {
    i64 place = w.places[i];
    for (int d = w.rank - 1; d >= 0; --d) {
      const i64 next = place / w.extent[d];
      w.to[d * w.count + i] = place - next * w.extent[d];
      place = next;
    }
  }
};

// S: an unsigned integer of the element's size.
template <class S> struct Triangle {
  TENON_MEMBER void at(const TriangleWork& w, i64 i) {
    const i64 line = i / w.columns, column = i - line * w.columns, row = line % w.rows;
    const bool kept = w.upper ? column - row >= w.diagonal : column - row <= w.diagonal;
    S x = static_cast<const S*>(w.from)[i];
    if (!kept) memset(&x, 0, sizeof(S));
    static_cast<S*>(w.to)[i] = x;
  }
};

}  // namespace tenon_own
