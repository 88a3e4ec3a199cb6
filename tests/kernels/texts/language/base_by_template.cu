// Curiously recurring templates, specialisations and traits.
template <class D> struct Scaled {
  __device__ int scaled(int v) const { return static_cast<const D*>(this)->factor() * v; }
};
struct Two : Scaled<Two> {
  __device__ int factor() const { return 2; }
};
struct Ten : Scaled<Ten> {
  int extra;
  __device__ int factor() const { return 10 + extra; }
};
template <class T> struct Name { static constexpr int value = 1; };
template <class T> struct Name<T*> { static constexpr int value = 10 + Name<T>::value; };
template <> struct Name<float> { static constexpr int value = 5; };
template <int N> struct Factorial { static constexpr int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr int value = 1; };
__global__ void bases(int* y) {
  const int t = threadIdx.x;
  Ten ten;
  ten.extra = t;
  y[t] = Two().scaled(t) + ten.scaled(3) * 100 + Name<float**>::value * 100000 + Factorial<5>::value * 1000000;
}
