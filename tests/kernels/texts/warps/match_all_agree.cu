__global__ void agree(unsigned* y, const unsigned long long* x) {
  int all;
  const unsigned lanes = __match_all_sync(0xffffffffu, x[threadIdx.x], &all);
  y[threadIdx.x] = lanes ^ (unsigned)all;
}
