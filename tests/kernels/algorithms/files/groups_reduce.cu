#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
// out[0]: sum by tiles of 32 and the block; out[1 + i / 8]: sums of tiles of 8; the odd ones among the lanes are counted too.
extern "C" __global__ void reduce(const int* x, int* out, int* odd, int n) {
  __shared__ int of_tile[32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  int i = block.group_index().x * block.size() + block.thread_rank();
  int value = i < n ? x[i] : 0;
  int sum8 = cg::reduce(eight, value, cg::plus<int>());
  if (eight.thread_rank() == 0) out[1 + i / 8] = sum8;
  for (unsigned step = warp.size() / 2; step > 0; step /= 2) value += warp.shfl_down(value, step);
  if (warp.thread_rank() == 0) of_tile[warp.meta_group_rank()] = value;
  block.sync();
  if (block.thread_rank() == 0) {
    int sum = 0;
    for (unsigned k = 0; k < warp.meta_group_size(); ++k) sum += of_tile[k];
    atomicAdd(&out[0], sum);
  }
  if (i < n && (x[i] & 1)) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(odd, (int)active.size());
  }
}
