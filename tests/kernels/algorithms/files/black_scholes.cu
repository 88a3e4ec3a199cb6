// European options after Black and Scholes, calls and puts, in either precision.
template <typename T> __device__ __forceinline__ T cumulative(T x) { return normcdf(x); }
template <typename T> __global__ void price(const T* __restrict__ spot, const T* __restrict__ strike, const T* __restrict__ years, T rate, T volatility, T* calls, T* puts, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  const T s = spot[i], k = strike[i], t = years[i], root = sqrt(t) * volatility;
  const T d1 = (log(s / k) + (rate + T(0.5) * volatility * volatility) * t) / root, d2 = d1 - root;
  const T discount = exp(-rate * t) * k;
  calls[i] = s * cumulative(d1) - discount * cumulative(d2);
  puts[i] = discount * cumulative(-d2) - s * cumulative(-d1);
}
