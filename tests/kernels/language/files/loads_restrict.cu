// Loads through the read-only cache and with other hints, stores with hints; indices beyond 32 bits in the arithmetic.
template <typename T> __device__ __forceinline__ T gathered(const T* __restrict__ table, long long index) { return __ldg(&table[index]); }
extern "C" __global__ void gather(const double* __restrict__ values, const int4* __restrict__ where, double* __restrict__ out, const long long n) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int4 w = __ldg(where + i);
  const double sum = gathered(values, w.x) + __ldcg(values + w.y) + __ldcs(values + w.z) + __ldca(values + w.w);
  __stcs(out + i, sum);
  __stwt(out + n + i, -sum);
}
