// device/wide.cuh: in what elements are added and multiplied where many are combined: float64 for floating-point
// numbers, 64 bits for integers, which wrap around, and truth values for bools.
namespace tenon_own {

template <class T> struct Complex {
  T re, im;
};
struct Truth {
  u8 value;
};

TENON_DEVICE double added(double a, double b) { return a + b; }
TENON_DEVICE double multiplied(double a, double b) { return a * b; }
TENON_DEVICE u64 added(u64 a, u64 b) { return a + b; }
TENON_DEVICE u64 multiplied(u64 a, u64 b) { return a * b; }
TENON_DEVICE Truth added(Truth a, Truth b) { return {u8(a.value | b.value)}; }
TENON_DEVICE Truth multiplied(Truth a, Truth b) { return {u8(a.value & b.value)}; }
TENON_DEVICE Complex<double> added(Complex<double> a, Complex<double> b) { return {a.re + b.re, a.im + b.im}; }
TENON_DEVICE Complex<double> multiplied(Complex<double> a, Complex<double> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// of: an element in that type; to: back. zero, one: as that type.
template <class S> struct Wide {  // integers
  using type = u64;
  TENON_MEMBER u64 of(S x) { return u64(x); }
  TENON_MEMBER S to(u64 x) { return S(x); }
  TENON_MEMBER u64 zero() { return 0; }
  TENON_MEMBER u64 one() { return 1; }
};
template <> struct Wide<boolean> {
  using type = Truth;
  TENON_MEMBER Truth of(boolean x) { return {u8(x.value != 0)}; }
  TENON_MEMBER boolean to(Truth x) { return {x.value}; }
  TENON_MEMBER Truth zero() { return {0}; }
  TENON_MEMBER Truth one() { return {1}; }
};
struct WideReal {
  using type = double;
  TENON_MEMBER double zero() { return 0; }
  TENON_MEMBER double one() { return 1; }
};
template <> struct Wide<half> : WideReal {
  TENON_MEMBER double of(half x) { return double(half_value(x.bits)); }
  TENON_MEMBER half to(double x) { return Store<half>::of(x); }
};
template <> struct Wide<bfloat> : WideReal {
  TENON_MEMBER double of(bfloat x) { return double(bfloat_value(x.bits)); }
  TENON_MEMBER bfloat to(double x) { return Store<bfloat>::of(x); }
};
template <> struct Wide<float> : WideReal {
  TENON_MEMBER double of(float x) { return double(x); }
  TENON_MEMBER float to(double x) { return float(x); }
};
template <> struct Wide<double> : WideReal {
  TENON_MEMBER double of(double x) { return x; }
  TENON_MEMBER double to(double x) { return x; }
};
template <class T> struct Wide<Complex<T>> {
  using type = Complex<double>;
  TENON_MEMBER Complex<double> of(Complex<T> x) { return {double(x.re), double(x.im)}; }
  TENON_MEMBER Complex<T> to(Complex<double> x) { return {T(x.re), T(x.im)}; }
  TENON_MEMBER Complex<double> zero() { return {0, 0}; }
  TENON_MEMBER Complex<double> one() { return {1, 0}; }
};

}  // namespace tenon_own
