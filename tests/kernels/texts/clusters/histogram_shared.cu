// Each block of a cluster holds a part of the bins.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int kParts = 2, kEach = 16;
__global__ void __cluster_dims__(kParts) histogram(int* y, const int* x, int n) {
  __shared__ int bins[kEach];
  const auto cluster = cg::this_cluster();
  if (threadIdx.x < kEach) bins[threadIdx.x] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads())
    atomicAdd(cluster.map_shared_rank(&bins[x[i] % kEach], x[i] / kEach), 1);
  cluster.sync();
  if (threadIdx.x < kEach) atomicAdd(&y[cluster.block_rank() * kEach + threadIdx.x], bins[threadIdx.x]);
}
