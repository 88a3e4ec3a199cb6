// printf with the conversions that kernels use.
extern "C" __global__ void speak(int n) {
  if (threadIdx.x == 0)
    printf("block %u of %d: %5.2f %e %g %c %s %x %lld %llu %%\n", blockIdx.x, n, 1.5, 0.25, 1e10, 'x', "text", 255u, -5000000000ll, 5000000000ull);
}
