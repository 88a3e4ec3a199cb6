// Components of a graph by union-find without locks: roots are hooked under lesser roots with compare-and-swap.
__device__ int root(int* parent, int v) {
  int p = ((volatile int*)parent)[v];
  while (p != v) {
    const int next = ((volatile int*)parent)[p];
    parent[v] = next;
    v = p;
    p = ((volatile int*)parent)[v];
  }
  return v;
}
extern "C" __global__ void unite(const int2* edges, int* parent, int count) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count) return;
  int a = root(parent, edges[e].x), b = root(parent, edges[e].y);
  while (a != b) {
    if (a < b) { int t = a; a = b; b = t; }
    if (atomicCAS(&parent[a], a, b) == a) break;
    a = root(parent, a);
    b = root(parent, b);
  }
}
extern "C" __global__ void flatten(int* parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) parent[v] = root(parent, v);
}
