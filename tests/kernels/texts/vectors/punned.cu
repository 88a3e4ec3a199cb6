// A vector, its words and its bytes by a union and by casts.
union Word {
  int4 whole;
  int words[4];
  unsigned char bytes[16];
};
__global__ void pun(int4* y, const int4* x) {
  Word w;
  w.whole = x[threadIdx.x];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) sum += w.bytes[i];
  w.words[3] ^= w.words[0];
  w.words[1] = sum;
  const long2 pair = *reinterpret_cast<const long2*>(&x[threadIdx.x]);
  w.words[2] = (int)(pair.y >> 32);
  y[threadIdx.x] = w.whole;
}
