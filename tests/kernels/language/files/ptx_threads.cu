// Inline PTX by which threads meet: special registers, memory, warps, barriers, copies.
extern "C" __global__ void places(unsigned* out) {
  unsigned lane, tid, warp, below, ctas;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%tid.x;\n\tmov.u32 %1, %%warpid;" : "=r"(tid), "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("{ .reg .u32 i, n; mov.u32 i, %%ctaid.x; mov.u32 n, %%ntid.x; mad.lo.u32 %0, i, n, %1; }"
      : "=r"(ctas)
      : "r"(tid));
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(after));
  out[ctas] = lane + 100 * warp + 10000 * __popc(below) + (after >= before ? 1000000 : 0);
}

extern "C" __global__ void memory(const float* x, float* y, int* counts, unsigned long long* wide) {
  __shared__ __align__(128) float tile[256];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x * 4]);
  const float* from = x + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "l"(from));
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};\n\tst.shared.f32 [%0+8], %3;\n\tst.shared.f32 [%0+12], %4;" ::"r"(at),
               "f"(d), "f"(c), "f"(b), "f"(a)
               : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  const unsigned other = at ^ 16;
  unsigned r0, r1;
  asm volatile("ld.shared.v2.b32 {%0, %1}, [%2 + %3];" : "=r"(r0), "=r"(r1) : "r"(other), "n"(8));
  unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counts), "r"(1u) : "memory");
  asm volatile("red.relaxed.gpu.global.max.s32 [%0+4], %1;" ::"l"(counts), "r"(threadIdx.x) : "memory");
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 3; @p st.global.cs.u32 [%0+8], %1; }" ::"l"(counts),
               "r"(threadIdx.x));
  if (threadIdx.x == 0) {
    unsigned long long before, after;
    asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(before) : "l"(wide + blockIdx.x), "l"(7ull), "l"(9ull << 40));
    asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(after) : "l"(wide + blockIdx.x), "l"(before + 5));
    if (after != (9ull << 40)) y[0] = -1;
  }
  asm volatile("fence.acq_rel.gpu;\n\tmembar.gl;" ::: "memory");
  float* to = y + (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  asm volatile("st.global.wt.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(__uint_as_float(r0)), "f"(__uint_as_float(r1)));
  unsigned small;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(small) : "l"(counts + 1));
  if (old == 0xffffffffu || small > 255) y[0] = -1;
}

extern "C" __global__ void warps(const unsigned* x, unsigned* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const unsigned v = x[i];
  unsigned ballot, moved, got, active, same, sum;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 500; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(ballot)
               : "r"(v));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %1, 3, 0x1f, 0xffffffff; @!p mov.b32 %0, 7; }"
               : "=r"(moved)
               : "r"(v));
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
               : "=r"(got)
               : "r"(v), "r"(5), "r"(((32 - 8) << 8) | 0x1f), "r"(~0u));
  asm volatile("activemask.b32 %0;" : "=r"(active));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(v % 4));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(v));
  asm volatile("bar.warp.sync 0xffffffff;");
  y[i] = ballot;
  y[n + i] = moved;
  y[2 * n + i] = got;
  y[3 * n + i] = active;
  y[4 * n + i] = same;
  y[5 * n + i] = sum;
}

// Two warps hand data to the other two by barriers with numbers, and all by an mbarrier.
extern "C" __global__ void barriers(const int* x, int* y) {
  __shared__ int tile[64];
  __shared__ unsigned long long bar;
  const unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
  const int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(128));
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (t < 64) {
      tile[t] = x[round * 64 + t];
      asm volatile("bar.arrive 1, 128;" ::: "memory");
      asm volatile("barrier.sync 2, %0;" ::"r"(128) : "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum += tile[127 - t];
      asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    asm volatile(
        "{\n .reg .pred done;\n WAIT:\n mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n @done bra END;\n bra WAIT;\n END:\n}" ::
            "r"(at),
        "r"(round & 1)
        : "memory");
  }
  y[t] = sum;
}

template <int Left> __device__ void wait_for_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(Left)); }

extern "C" __global__ void copies(const float4* x, float* y, int last) {
  __shared__ float4 tile[2][32];
  const int t = threadIdx.x;
  for (int s = 0; s < 2; ++s) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[s][t]));
    const int bytes = s && t == last ? 8 : 16;
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;\n" ::"r"(to), "l"(x + s * 32 + t), "r"(bytes));
    asm volatile("cp.async.commit_group;\n" ::);
  }
  wait_for_copies<1>();
  __syncthreads();
  const float4 a = tile[0][31 - t];
  wait_for_copies<0>();
  __syncthreads();
  const float4 b = tile[1][t];
  y[t] = a.x + a.y + a.z + a.w + 100 * (b.x + b.w);
}
