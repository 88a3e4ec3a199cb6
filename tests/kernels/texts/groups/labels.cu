// Lanes with equal labels count themselves.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void labels(int* y, const int* x) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto same = cg::labeled_partition(warp, x[threadIdx.x] % 5);
  const auto half = cg::binary_partition(warp, x[threadIdx.x] > 50);
  y[threadIdx.x] = same.thread_rank() + 100 * same.size() + 10000 * half.thread_rank() + 1000000 * half.size();
}
