__global__ void bits(unsigned* y, const unsigned* x) {
  const unsigned v = x[threadIdx.x];
  atomicAnd(&y[0], ~(1u << v));
  atomicOr(&y[1], 1u << v);
  atomicXor(&y[2], 1u << v);
  unsigned long long* wide = (unsigned long long*)(y + 4);
  atomicAnd(wide, ~(1ull << (v + 32)));
  atomicOr(wide + 1, 1ull << (v + 32));
  atomicXor(wide + 2, 1ull << (v + 32));
}
