#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int rank_in(cg::thread_group group) {
  group.sync();
  return group.thread_rank() * 1000 + group.size();
}
__global__ void ranks(int* y, int size) {
  const cg::thread_block block = cg::this_thread_block();
  y[threadIdx.x] = rank_in(cg::tiled_partition(block, size)) + 1000000 * (rank_in(block) / 1000);
}
