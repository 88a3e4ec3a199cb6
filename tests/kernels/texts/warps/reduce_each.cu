// Every operation of __reduce_*_sync.
__global__ void reduce(unsigned* y, const unsigned* x) {
  const unsigned v = x[threadIdx.x], all = 0xffffffffu;
  const unsigned found[8] = {__reduce_add_sync(all, v),
                             __reduce_min_sync(all, v),
                             __reduce_max_sync(all, v),
                             __reduce_and_sync(all, v),
                             __reduce_or_sync(all, v),
                             __reduce_xor_sync(all, v),
                             (unsigned)__reduce_min_sync(all, (int)v),
                             (unsigned)__reduce_max_sync(all, (int)v)};
  if (threadIdx.x % 32 == 7)
    for (int i = 0; i < 8; ++i) y[threadIdx.x / 32 * 8 + i] = found[i];
}
