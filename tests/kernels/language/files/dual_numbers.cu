// Derivatives by dual numbers: a class template with operators, friends, conversions and overloads.
template <typename T> class Dual {
 public:
  T v, d;
  __host__ __device__ constexpr Dual(T value = T(0), T slope = T(0)) : v(value), d(slope) {}
  __device__ Dual operator-() const { return {-v, -d}; }
  __device__ Dual& operator+=(const Dual& o) { v += o.v, d += o.d; return *this; }
  __device__ friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  __device__ friend Dual operator-(const Dual& a, const Dual& b) { return a + -b; }
  __device__ friend Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  __device__ friend Dual operator/(const Dual& a, const Dual& b) { return {a.v / b.v, (a.d * b.v - a.v * b.d) / (b.v * b.v)}; }
  __device__ friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  __device__ explicit operator T() const { return v; }
};
template <typename T> __device__ Dual<T> exp(const Dual<T>& x) { return {::exp(x.v), ::exp(x.v) * x.d}; }
template <typename T> __device__ Dual<T> sin(const Dual<T>& x) { return {::sin(x.v), ::cos(x.v) * x.d}; }
template <typename D> __device__ D curve(const D& x) { return x < D(0) ? x * x : exp(x) * sin(x) / (D(1) + x * x); }
extern "C" __global__ void slopes(const double* x, double* values, double* slope, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Dual<double> y = curve(Dual<double>(x[i], 1.0));
  values[i] = double(y);
  slope[i] = y.d;
}
