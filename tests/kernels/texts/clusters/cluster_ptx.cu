// Blocks of a cluster meet and write to each other by PTX.
template <int N> struct Width {
  static constexpr int value = N;
};
__device__ unsigned rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__global__ void __cluster_dims__(Width<4>::value, 1, 1) ring(unsigned* y) {
  __shared__ unsigned box[33];
  const unsigned t = threadIdx.x, me = rank();
  unsigned size, id, count, x;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count));
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  if (t == 0) box[32] = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  const unsigned here = (unsigned)__cvta_generic_to_shared(&box[t]);
  unsigned there, whose, old;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"((me + 1) % size));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(me * 100 + t) : "memory");
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(whose) : "r"(there));
  unsigned long long counter;
  asm volatile("mapa.u64 %0, %1, 0;" : "=l"(counter) : "l"(&box[32]));
  asm volatile("atom.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(counter) : "memory");
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
  unsigned got, all;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(here) : "memory");
  asm volatile("ld.u32 %0, [%1];" : "=r"(all) : "l"(counter) : "memory");
  y[blockIdx.x * 32 + t] =
      got + 1000 * whose + 10000 * (id + 10 * count + 100 * (x == me) + 1000 * (old < all)) + all * 100000000u;
  asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;" ::: "memory");
}
