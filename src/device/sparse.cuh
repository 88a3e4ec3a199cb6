// device/sparse.cuh: sparse matrices, one row or element at a time. S: the values, I: the indices.
namespace tenon_own {

// The first of `count` sorted numbers that is not below x.
template <class I> TENON_DEVICE i64 first_from(const I* sorted, i64 count, u64 x) {
  i64 low = 0;
  while (count > 0) {
    const i64 middle = count / 2;
    const bool after = u64(sorted[low + middle]) < x;
    low = after ? low + middle + 1 : low;
    count = after ? count - middle - 1 : middle;
  }
  return low;
}

// The part of the values that belongs to a row; always inside of them.
template <class I> struct SparseRow {
  i64 begin, end;
  TENON_METHOD SparseRow(const SparseWork& w, i64 row) {
    const I* const offsets = static_cast<const I*>(w.offsets);
    begin = offsets[row], end = offsets[row + 1];
    begin = begin < 0 ? 0 : begin;
    end = end > w.elements ? w.elements : end;
  }
};

// The key of element i of a COO matrix: its place in the dense one. K: u32 or u64.
template <class I, class K> struct CooKeys {
  TENON_MEMBER void at(const SparseWork& w, i64 i) {
    static_cast<K*>(w.to)[i] =
        K(u64(static_cast<const I*>(w.other)[i]) * u64(w.columns) + u64(static_cast<const I*>(w.indices)[i]));
  }
};
// The column of a key.
template <class I, class K> struct KeyColumns {
  TENON_MEMBER void at(const SparseWork& w, i64 i) {
    static_cast<I*>(w.to)[i] = I(u64(static_cast<const K*>(w.other)[i]) % u64(w.columns));
  }
};
// Where each row begins among sorted keys; i up to the number of rows.
template <class I, class K> struct KeyOffsets {
  TENON_MEMBER void at(const SparseWork& w, i64 i) {
    static_cast<I*>(w.to)[i] =
        I(i == w.rows ? w.elements : first_from(static_cast<const K*>(w.other), w.elements, u64(i) * u64(w.columns)));
  }
};
// The row of each element.
template <class I> struct CsrRows {
  TENON_MEMBER void at(const SparseWork& w, i64 i) {
    static_cast<I*>(w.to)[i] = I(first_from(static_cast<const I*>(w.offsets), w.rows + 1, u64(i) + 1) - 1);
  }
};

TENON_DEVICE Complex<double> conjugated_if(Complex<double> x, bool yes) { return {x.re, yes ? -x.im : x.im}; }
TENON_DEVICE double conjugated_if(double x, bool) { return x; }
TENON_DEVICE u64 conjugated_if(u64 x, bool) { return x; }
TENON_DEVICE Truth conjugated_if(Truth x, bool) { return x; }

// Adds the elements of row i to a dense matrix, of zeros before.
template <class S, class I> struct CsrDense {
  TENON_MEMBER void at(const SparseWork& w, i64 row) {
    const I* const columns = static_cast<const I*>(w.indices);
    const S* const values = static_cast<const S*>(w.values);
    S* const to = static_cast<S*>(w.to) + row * w.to_row;
    const SparseRow<I> part(w, row);
    for (i64 j = part.begin; j < part.end; ++j) {
      if (u64(columns[j]) >= u64(w.columns)) continue;
      S& there = to[i64(columns[j]) * w.to_column];
      there = Wide<S>::to(added(Wide<S>::of(there), Wide<S>::of(values[j])));
    }
  }
};

// to = alpha sum + beta to
template <class S> TENON_DEVICE void finish_sparse(const SparseWork& w, S& to, typename Wide<S>::type sum) {
  S factor;
  memcpy(&factor, w.alpha, sizeof(S));
  typename Wide<S>::type result = multiplied(Wide<S>::of(factor), sum);
  if (w.has_beta) {
    memcpy(&factor, w.beta, sizeof(S));
    result = added(result, multiplied(Wide<S>::of(factor), Wide<S>::of(to)));
  }
  to = Wide<S>::to(result);
}

// The products of every `step`-th element of a row with a column of b.
template <class S, class I> TENON_DEVICE typename Wide<S>::type row_sum(const SparseWork& w, const SparseRow<I>& part,
                                                                        i64 first, i64 step, i64 column) {
  const I* const columns = static_cast<const I*>(w.indices);
  const S* const values = static_cast<const S*>(w.values);
  const S* const b = static_cast<const S*>(w.b) + column * w.b_column;
  typename Wide<S>::type sum = Wide<S>::zero();
  for (i64 j = part.begin + first; j < part.end; j += step) {
    if (u64(columns[j]) >= u64(w.columns)) continue;
    sum = added(sum, multiplied(conjugated_if(Wide<S>::of(values[j]), w.conjugated != 0),
                                Wide<S>::of(b[i64(columns[j]) * w.b_row])));
  }
  return sum;
}

}  // namespace tenon_own
