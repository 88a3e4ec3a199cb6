#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void nested(int* y) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto part = cg::tiled_partition<8>(warp);
  const auto pair = cg::tiled_partition<2>(part);
  const cg::thread_block_tile<4> four = cg::tiled_partition<4>(part);
  y[threadIdx.x] = pair.thread_rank() + 10 * pair.meta_group_rank() +
                   100 * pair.meta_group_size() * four.meta_group_size() + 1000 * part.meta_group_rank() +
                   10000 * part.shfl(part.thread_rank(), 5) + 100000 * pair.shfl_xor(pair.thread_rank(), 1);
}
