// Ranks and extents of blocks of three dimensions.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void shapes(int* y) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const dim3 at = block.group_index(), me = block.thread_index(), size = block.group_dim();
  const int all = (at.x * 10 + at.y) * 1000 + me.x * 100 + me.y * 10 + me.z + 100000 * size.x * size.y * size.z;
  y[grid.thread_rank()] = all + 10000000 * (int)(grid.size() / block.size());
}
