#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void scan(int2* y, const int* x) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int v = x[threadIdx.x];
  y[threadIdx.x] = make_int2(cg::inclusive_scan(tile, v, cg::greater<int>()), cg::exclusive_scan(tile, v));
}
