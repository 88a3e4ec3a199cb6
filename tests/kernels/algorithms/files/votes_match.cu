extern "C" __global__ void votes(const int* x, unsigned* ballot, int* any, int* all, unsigned* match, unsigned* match_all, int* same,
                                 unsigned* sum, int* least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = x[i];
  ballot[i] = __ballot_sync(0xffffffffu, value > 3);
  any[i] = __any_sync(0xffffffffu, value == 9);
  all[i] = __all_sync(0xffffffffu, value < 9);
  match[i] = __match_any_sync(0xffffffffu, value);
  match_all[i] = __match_all_sync(0xffffffffu, value / 10, &same[i]);
#if __CUDA_ARCH__ >= 800
  sum[i] = __reduce_add_sync(0xffffffffu, (unsigned)value);
  least[i] = __reduce_min_sync(0xffffffffu, value - 5);
#else
  sum[i] = 0;
  least[i] = 0;
#endif
}
