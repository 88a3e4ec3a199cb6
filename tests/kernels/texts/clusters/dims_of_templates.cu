// Kernels with clusters whose sizes are constants of templates.
// kernels: blocks<2>, blocks<3>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <int N> __global__ void __cluster_dims__(N, 1, 1) blocks(int* y) {
  __shared__ int mine;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = blockIdx.x + 1;
  cluster.sync();
  int sum = 0;
  for (int r = 0; r < cluster.num_blocks(); ++r) sum = sum * 10 + *cluster.map_shared_rank(&mine, r);
  cluster.sync();
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
