// device/product.cuh: matrix products of integers, modulo 2^bits, and of bools, whose sum is "or" and product "and".
namespace tenon_own {

// Elements are multiplied and summed in unsigned integers, which wrap around.
template <class S> struct Terms {
  using Sum = u32;
  TENON_MEMBER Sum of(const S& x) { return Sum(x); }
  TENON_MEMBER Sum add(Sum sum, Sum x, Sum y) { return sum + x * y; }
  TENON_MEMBER S element(Sum sum) { return S(sum); }
};
template <> struct Terms<i64> {
  using Sum = u64;
  TENON_MEMBER Sum of(i64 x) { return Sum(x); }
  TENON_MEMBER Sum add(Sum sum, Sum x, Sum y) { return sum + x * y; }
  TENON_MEMBER i64 element(Sum sum) { return i64(sum); }
};
template <> struct Terms<u64> {
  using Sum = u64;
  TENON_MEMBER Sum of(u64 x) { return x; }
  TENON_MEMBER Sum add(Sum sum, Sum x, Sum y) { return sum + x * y; }
  TENON_MEMBER u64 element(Sum sum) { return sum; }
};
template <> struct Terms<boolean> {
  using Sum = u32;
  TENON_MEMBER Sum of(boolean x) { return x.value != 0; }
  TENON_MEMBER Sum add(Sum sum, Sum x, Sum y) { return sum | (x & y); }
  TENON_MEMBER boolean element(Sum sum) { return {u8(sum)}; }
};

// c = alpha sum + beta c
template <class S> TENON_DEVICE void finish_product(const ProductWork& w, S& c, typename Terms<S>::Sum sum) {
  using T = Terms<S>;
  using Sum = typename T::Sum;
  const Sum scaled = T::add(0, Sum(w.alpha), sum);
  c = T::element(w.beta ? T::add(scaled, Sum(w.beta), T::of(c)) : scaled);
}

// Element i of c, counted along its columns, then along its rows, then over the batch.
template <class S> struct Product {
  TENON_MEMBER void at(const ProductWork& w, i64 i) {
    const i64 row = i % w.m, column = i / w.m % w.n, matrix = i / w.m / w.n;
    const S* const a = static_cast<const S*>(w.a) + matrix * w.a_matrix + row * w.a_row;
    const S* const b = static_cast<const S*>(w.b) + matrix * w.b_matrix + column * w.b_column;
    typename Terms<S>::Sum sum = 0;
    for (i64 k = 0; k < w.k; ++k)
      sum = Terms<S>::add(sum, Terms<S>::of(a[k * w.a_column]), Terms<S>::of(b[k * w.b_row]));
    finish_product(w, static_cast<S*>(w.c)[matrix * w.c_matrix + row * w.c_row + column * w.c_column], sum);
  }
};

}  // namespace tenon_own
