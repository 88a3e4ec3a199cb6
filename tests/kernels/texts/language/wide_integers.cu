__global__ void wide(unsigned long long* y, const unsigned long long* x) {
  const unsigned long long a = x[2 * threadIdx.x], b = x[2 * threadIdx.x + 1];
  const unsigned __int128 p = (unsigned __int128)a * b;
  y[4 * threadIdx.x] = (unsigned long long)p;
  y[4 * threadIdx.x + 1] = (unsigned long long)(p >> 64) ^ __umul64hi(a, b);
  y[4 * threadIdx.x + 2] = (unsigned long long)(p % 1000000007u);
  y[4 * threadIdx.x + 3] = (unsigned long long)((__int128)(long long)a * (long long)b >> 64) - __mul64hi(a, b);
}
