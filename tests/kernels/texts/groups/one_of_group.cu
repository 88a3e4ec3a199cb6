// One thread of each group does the work.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void one(int* y, const int* x) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(warp, [&] { atomicAdd(&y[0], 1); });
  if (x[threadIdx.x] > 50) {
    const auto active = cg::coalesced_threads();
    const int sum = cg::invoke_one_broadcast(active, [&] { return 1000 + (int)active.size(); });
    y[1 + threadIdx.x] = sum;
  }
}
