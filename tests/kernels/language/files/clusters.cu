// Thread block clusters: blocks that meet, and reach each other's shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each block counts its own part of the bins, which all blocks of the cluster add to.
extern "C" __global__ void __cluster_dims__(4, 1, 1) histogram(const int* x, int n, unsigned* bins) {
  __shared__ unsigned mine[16];  // bins [16 * rank, 16 * rank + 16)
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  cluster.sync();
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (unsigned i = first; i < (unsigned)n; i += all) {
    const int bin = x[i];
    atomicAdd(cluster.map_shared_rank(mine, bin / 16) + bin % 16, 1u);
  }
  cluster.sync();
  if (threadIdx.x < 16) atomicAdd(&bins[cluster.block_rank() * 16 + threadIdx.x], mine[threadIdx.x]);
}

// Rows move around the ring of the cluster, through dynamic shared memory; the launch gives the dimensions.
extern "C" __global__ void ring(int* y, int rounds) {
  extern __shared__ int slots[];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), count = cluster.num_blocks(), t = threadIdx.x;
  int value = (int)(blockIdx.x * 1000 + t);
  cluster.sync();  // a block that has not begun has no memory yet
  for (int round = 0; round < rounds; ++round) {
    cluster.map_shared_rank(slots, (rank + 1) % count)[t] = value + 1;
    cluster.barrier_arrive();
    value = 0;
    cluster.barrier_wait();
    value = slots[t];
    cluster.sync();
  }
  y[blockIdx.x * blockDim.x + t] = value;
}

// Who is where: ten numbers per thread.
extern "C" __global__ void __cluster_dims__(2, 2, 1) places(int* y) {
  const cg::cluster_group cluster = cg::this_cluster();
  const dim3 at = cluster.block_index(), dims = cluster.dim_blocks(), place = __clusterIdx();
  const cg::thread_block block = cg::this_thread_block();
  const unsigned number = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int* out = y + 10 * (number * block.size() + block.thread_rank());
  __shared__ int own;
  if (block.thread_rank() == 0) own = (int)number;
  cluster.sync();
  const int* last = cluster.map_shared_rank(&own, (int)cluster.num_blocks() - 1);
  out[0] = (int)at.x, out[1] = (int)at.y, out[2] = (int)cluster.block_rank(), out[3] = (int)dims.y;
  out[4] = (int)cluster.thread_rank(), out[5] = (int)cluster.num_threads(), out[6] = (int)place.x;
  out[7] = (int)cluster.query_shared_rank(last), out[8] = *last, out[9] = (int)__clusterSizeInBlocks();
  cluster.sync();
}

// Without a cluster, a block is its own.
extern "C" __global__ void alone(int* y) {
  __shared__ int own;
  if (threadIdx.x == 0) own = 7;
  cg::this_cluster().sync();
  y[threadIdx.x] = *cg::this_cluster().map_shared_rank(&own, 0) + 10 * (int)cg::this_cluster().num_blocks();
}

// Threads that end early are not waited for.
extern "C" __global__ void __cluster_dims__(2, 1, 1) early(int* y) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  if (threadIdx.x >= 16) return;
  atomicAdd(cluster.map_shared_rank(&sum, cluster.block_rank() ^ 1), (int)threadIdx.x);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
