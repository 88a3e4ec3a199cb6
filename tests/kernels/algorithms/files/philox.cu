// Philox 4x32-10: four random words from a counter and a key; uniform floats in (0, 1].
__device__ uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned hi0 = __umulhi(0xD2511F53u, counter.x), lo0 = 0xD2511F53u * counter.x;
    const unsigned hi1 = __umulhi(0xCD9E8D57u, counter.z), lo1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(hi1 ^ counter.y ^ key.x, lo1, hi0 ^ counter.w ^ key.y, lo0);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}
extern "C" __global__ void uniform(unsigned long long seed, uint4* words, float4* numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 w = philox(make_uint4((unsigned)i, 0u, 0u, 0u), make_uint2((unsigned)seed, (unsigned)(seed >> 32)));
  words[i] = w;
  const float unit = 2.3283064e-10f;
  numbers[i] = make_float4(__fmul_rn((float)w.x, unit), __fmul_rn((float)w.y, unit), __fmul_rn((float)w.z, unit), __fmul_rn((float)w.w, unit));
}
