// shim/sync/tenon_cluster.h: thread block clusters: blocks that run together and reach each other's shared memory. A
// block that was launched without clusters is a cluster of its own.
#ifndef TENON_CLUSTER_H
#define TENON_CLUSTER_H

#if !TENON_PROBE  // a text that uses these is not asked about its loops

TENON_INLINE dim3 __clusterDim() {
  const tenon_index& c = tenon_this_frame->cluster;
  return dim3(c.x, c.y, c.z);
}
TENON_INLINE bool __clusterDimIsSpecified() { return tenon_this_frame->clusters != 0; }
TENON_INLINE dim3 __clusterRelativeBlockIdx() {
  const tenon_index& c = tenon_this_frame->cluster;
  return dim3(blockIdx.x % c.x, blockIdx.y % c.y, blockIdx.z % c.z);
}
TENON_INLINE dim3 __clusterIdx() {
  const tenon_index& c = tenon_this_frame->cluster;
  return dim3(blockIdx.x / c.x, blockIdx.y / c.y, blockIdx.z / c.z);
}
TENON_INLINE dim3 __clusterGridDimInClusters() {
  const tenon_index& c = tenon_this_frame->cluster;
  return dim3(gridDim.x / c.x, gridDim.y / c.y, gridDim.z / c.z);
}
TENON_INLINE unsigned __clusterRelativeBlockRank() {
  const tenon_index& c = tenon_this_frame->cluster;
  const dim3 at = __clusterRelativeBlockIdx();
  return at.x + c.x * (at.y + c.y * at.z);
}
TENON_INLINE unsigned __clusterSizeInBlocks() {
  const tenon_index& c = tenon_this_frame->cluster;
  return c.x * c.y * c.z;
}

// Shared memory of a block is the module's memory of its host thread, which has the same layout on each: an address
// moves to another block with the distance of their windows (tenon_sync.h).
TENON_INLINE size_t tenon_window_of(unsigned rank) {
  return (size_t)(tenon_this_frame->clusters ? tenon_this_frame->windows[rank] : tenon_window);
}
TENON_STATE __thread tenon_extent tenon_cluster_memory;  // the module's memory on this host thread
TENON_INLINE unsigned __cluster_query_shared_rank(const void* at) {
  const size_t before = (size_t)tenon_window - tenon_cluster_memory.first;
  const size_t size = tenon_cluster_memory.last - tenon_cluster_memory.first;
  for (unsigned rank = 0; rank < __clusterSizeInBlocks(); ++rank)
    if ((size_t)at - (tenon_window_of(rank) - before) < size) return rank;
  return __clusterRelativeBlockRank();  // not shared memory: undefined in CUDA
}
TENON_INLINE void* __cluster_map_shared_rank(const void* at, unsigned rank) {
  if (rank >= __clusterSizeInBlocks()) tenon_fault("map_shared_rank: the cluster has no block of this rank", "", 0);
  size_t address = (size_t)at - tenon_window_of(__cluster_query_shared_rank(at)) + tenon_window_of(rank);
  __asm__("" : "+r"(address));  // hides that the result does not point into the given object
  return (void*)address;
}

// A block arrives when its last thread has; threads that have ended are not waited for.
TENON_INLINE void __cluster_barrier_arrive() {
#if TENON_EXECUTION == 3
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  tenon_fence();
  tenon_calls->cluster_arrive(tenon_this_worker);
#endif
}
TENON_INLINE void __cluster_barrier_arrive_relaxed() { __cluster_barrier_arrive(); }
TENON_INLINE TENON_CONVERGENT void __cluster_barrier_wait() { (void)tenon_block_step(TENON_BLOCK_CLUSTER, 0); }
TENON_INLINE void __threadfence_cluster() { __threadfence(); }

#endif

#endif
