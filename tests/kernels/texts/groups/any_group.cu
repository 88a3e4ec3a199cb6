// A function that takes whatever group it gets.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class Group> __device__ int sum_of(const Group& group, int* room, int value) {
  const int rank = group.thread_rank();
  for (int step = group.size() / 2; step > 0; step /= 2) {
    room[rank] = value;
    group.sync();
    if (rank < step) value += room[rank + step];
    group.sync();
  }
  return value;
}
__global__ void sums(int* y, const int* x) {
  __shared__ int room[128];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int by_warp = sum_of(warp, room + threadIdx.x / 32 * 32, x[threadIdx.x]);
  cg::sync(block);
  const int by_block = sum_of(block, room, x[threadIdx.x]);
  if (warp.thread_rank() == 0) y[1 + threadIdx.x / 32] = by_warp;
  if (block.thread_rank() == 0) y[0] = by_block;
}
