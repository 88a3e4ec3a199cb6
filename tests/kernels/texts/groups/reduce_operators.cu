// Every operator of cg::reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void reduce(int* y, const int* x) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int v = x[threadIdx.x];
  const int all[7] = {cg::reduce(warp, v, cg::plus<int>()),    cg::reduce(warp, v, cg::less<int>()),
                      cg::reduce(warp, v, cg::greater<int>()), cg::reduce(warp, v, cg::bit_and<int>()),
                      cg::reduce(warp, v, cg::bit_or<int>()),  cg::reduce(warp, v, cg::bit_xor<int>()),
                      cg::reduce(warp, v, [](int a, int b) { return a * b % 1009; })};
  if (warp.thread_rank() == 31)
    for (int i = 0; i < 7; ++i) y[warp.meta_group_rank() * 7 + i] = all[i];
}
