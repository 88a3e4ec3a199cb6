// A transform of 2^LOG points a block: radix two, in shared memory, bits reversed on the way in.
template <int LOG, bool INVERSE> __global__ void fft(const float2* in, float2* out) {
  constexpr int n = 1 << LOG;
  __shared__ float2 s[n];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[__brev((unsigned)i) >> (32 - LOG)] = in[blockIdx.x * n + i];
  __syncthreads();
#pragma unroll
  for (int level = 0; level < LOG; ++level) {
    const int half = 1 << level;
    for (int t = threadIdx.x; t < n / 2; t += blockDim.x) {
      const int k = t & (half - 1), i = ((t >> level) << (level + 1)) + k, j = i + half;
      float sine, cosine;
      sincospif((INVERSE ? 1.0f : -1.0f) * (float)k / (float)half, &sine, &cosine);
      const float2 a = s[i], b = s[j];
      const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
      s[i] = make_float2(a.x + turned.x, a.y + turned.y);
      s[j] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = INVERSE ? make_float2(s[i].x / n, s[i].y / n) : s[i];
}
