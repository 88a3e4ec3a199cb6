// Keys go into an open table; each is counted once.
__global__ void insert(unsigned* table, unsigned* fresh, const unsigned* keys, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (unsigned at = keys[i] * 2654435761u >> 7;; ++at) {
    const unsigned old = atomicCAS(&table[at & mask], 0u, keys[i]);
    if (old == 0) atomicAdd(fresh, 1u);
    if (old == 0 || old == keys[i]) return;
  }
}
