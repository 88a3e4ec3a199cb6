template <class T, int N = 4> struct Vector {
  T v[N];
  using value_type = T;
  __device__ T& operator[](int i) { return v[i]; }
  __device__ T dot(const Vector& o) const {
    T sum{};
    for (int i = 0; i < N; ++i) sum += v[i] * o.v[i];
    return sum;
  }
};
template <class T> using Triple = Vector<T, 3>;
template <template <class, int> class V, class T> __device__ T norm(const V<T, 3>& v) { return v.dot(v); }
template <class V> __device__ typename V::value_type first(V v) { return v[0]; }
__global__ void aliases(long long* y) {
  const int t = threadIdx.x;
  Triple<long long> a = {{t, t + 1, t + 2}};
  Vector<int> b = {{t, 1}};
  y[t] = norm(a) + 100000 * first(b) + b.dot(b) * 10000000ll + decltype(a)::value_type(sizeof(b)) * 1000000000ll;
}
