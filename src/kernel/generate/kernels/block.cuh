// kernel/generate/kernels/block.cuh: combining accumulators within a warp and a block.
template <class tenon_g_A> TENON_G_DEVICE tenon_g_A tenon_g_shuffle_down(const tenon_g_A& a, int by, int width) {
  unsigned int words[(sizeof(tenon_g_A) + 3) / 4];
  TENON_G_COPY(words, &a, sizeof(tenon_g_A));
#pragma unroll
  for (int w = 0; w < (int)(sizeof(words) / 4); ++w) words[w] = __shfl_down_sync(0xffffffffu, words[w], by, width);
  tenon_g_A out;
  TENON_G_COPY(&out, words, sizeof(tenon_g_A));
  return out;
}
// Groups of tenon_g_W neighbouring threads, a power of two up to a warp; the result is in the first of each.
template <int tenon_g_W> TENON_G_DEVICE tenon_g_sum tenon_g_join_group(tenon_g_sum a) {
#pragma unroll
  for (int by = tenon_g_W / 2; by > 0; by /= 2) a = tenon_g_join(a, tenon_g_shuffle_down(a, by, tenon_g_W));
  return a;
}
// The whole block, of warps; the result is in thread 0.
TENON_G_DEVICE tenon_g_sum tenon_g_join_block(tenon_g_sum a) {
  __shared__ __align__(16) unsigned char room[32 * sizeof(tenon_g_sum)];
  tenon_g_sum* const sums = reinterpret_cast<tenon_g_sum*>(room);
  const int warps = blockDim.x / 32;
  a = tenon_g_join_group<32>(a);
  if (warps == 1) return a;
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x < 32) {
    a = (int)threadIdx.x < warps ? sums[threadIdx.x] : tenon_g_nothing();
    a = tenon_g_join_group<32>(a);
  }
  return a;
}
