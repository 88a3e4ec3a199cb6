// Lambdas: by value and reference, generic, mutable, passed on, and kept in structs.
template <class F> __device__ int apply(F f, int v) { return f(v); }
template <class F, class G> struct Composed {
  F f;
  G g;
  __device__ int operator()(int v) const { return f(g(v)); }
};
template <class F, class G> __device__ Composed<F, G> compose(F f, G g) { return {f, g}; }
__global__ void closures(int* y, int shift) {
  const int t = threadIdx.x;
  int calls = 0;
  const auto more = [=](int v) { return v + shift; };
  const auto counted = [&](int v) {
    ++calls;
    return v * 2;
  };
  auto next = [state = t]() mutable { return state += 3; };
  const auto either = [](auto a, auto b) { return a < b ? a : b; };
  next();
  y[t] = apply(compose(more, counted), t) + 1000 * next() + 100000 * calls + 1000000 * either(t, 7) +
         [&]() -> int { return either(0.5f, (float)t) > 0 ? 10000000 : 0; }();
}
