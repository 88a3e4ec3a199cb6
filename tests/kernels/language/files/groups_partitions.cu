#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
// Tiles of every size, lanes by label and by predicate, sums and scans within each.
template <unsigned Size> __global__ void tiles(const int* x, int* sum, int* largest, int* inclusive, int* before) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  const int i = blockIdx.x * block.num_threads() + block.thread_rank();
  sum[i] = cg::reduce(tile, x[i], cg::plus<int>());
  largest[i] = cg::reduce(tile, x[i], cg::greater<int>());
  inclusive[i] = cg::inclusive_scan(tile, x[i], cg::plus<int>());
  before[i] = cg::exclusive_scan(tile, x[i], cg::plus<int>());
}
extern "C" __global__ void labels(const int* x, int* size, int* rank, int* sum, int* split) {
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::coalesced_group same = cg::labeled_partition(warp, x[i] % 5);
  size[i] = (int)same.num_threads();
  rank[i] = (int)same.thread_rank();
  sum[i] = cg::reduce(same, x[i], cg::plus<int>());
  auto half = cg::binary_partition(warp, (x[i] & 1) != 0);
  split[i] = half.shfl(x[i], 0) * 100 + (int)half.size();
}
// A counter with one atomic for the lanes that are together.
__device__ int take(int* counter) {
  auto group = cg::coalesced_threads();
  int base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(counter, (int)group.num_threads());
  return group.shfl(base, 0) + (int)group.thread_rank();
}
extern "C" __global__ void filter(const int* x, int* out, int* count, int n) {
  const int i = (int)cg::this_grid().thread_rank();
  if (i < n && x[i] > 0) out[take(count)] = x[i];
}
