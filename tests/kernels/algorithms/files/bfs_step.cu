// One step of a breadth-first search: the frontier's neighbours that are new get a distance and a place in the next frontier.
// The lanes that found one take their places with one atomic for the warp.
__device__ int places(int* counter) {
  const unsigned active = __activemask(), lane = threadIdx.x & 31u;
  const int leader = __ffs(active) - 1;
  int base = 0;
  if ((int)lane == leader) base = atomicAdd(counter, __popc(active));
  base = __shfl_sync(active, base, leader);
  return base + __popc(active & ((1u << lane) - 1u));
}
extern "C" __global__ void step(const int* start, const int* neighbour, const int* frontier, int size, int* distance, int* next, int* next_size, int depth) {
  int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= size) return;
  const int v = frontier[f];
  for (int e = start[v]; e < start[v + 1]; ++e) {
    const int w = neighbour[e];
    if (atomicCAS(&distance[w], -1, depth + 1) == -1) next[places(next_size)] = w;
  }
}
