// device/order/interpolate.cuh: a function given by its values at some points, linear between them. After order.cuh and
// quantile.cuh.
namespace tenon_own {

template <class T> struct Interpolate {
  TENON_MEMBER double value(const InterpolateWork& w, T x) {
    const T* const points = static_cast<const T*>(w.points);
    const T* const values = static_cast<const T*>(w.values);
    if (x != x) return double(x);
    if (x < points[0]) return w.has_below ? w.below : double(values[0]);
    if (x > points[w.n - 1]) return w.has_above ? w.above : double(values[w.n - 1]);
    const i64 after = place_of(points, w.n, x, true), low = after > 0 ? after - 1 : 0;
    const double start = double(points[low]), away = double(x) - start;
    if (after >= w.n || away == 0) return double(values[low]);
    return between(double(values[low]), double(values[after]), away / (double(points[after]) - start));
  }
  TENON_MEMBER void at(const InterpolateWork& w, i64 i) {
    static_cast<T*>(w.to)[i] = T(value(w, static_cast<const T*>(w.x)[i]));
  }
};

}  // namespace tenon_own
