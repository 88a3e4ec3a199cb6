struct Results {
  int add, sub, exch_seen, least, most, conj, disj, exor;
  unsigned uadd, inc, dec, umin, umax, cas;
  unsigned long long wide_add, wide_max, wide_cas;
  long long wide_min;
  float fadd, fexch;
  double dadd;
};
extern "C" __global__ void atomics(Results* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&r->add, i);
  atomicSub(&r->sub, i);
  atomicExch(&r->exch_seen, 7);
  atomicMin(&r->least, -i);
  atomicMax(&r->most, i);
  atomicAnd(&r->conj, ~(1 << (i % 16)));
  atomicOr(&r->disj, 1 << (i % 16));
  atomicXor(&r->exor, i);
  atomicAdd(&r->uadd, 3u);
  atomicInc(&r->inc, 99u);
  atomicDec(&r->dec, 99u);
  atomicMin(&r->umin, (unsigned)i + 5u);
  atomicMax(&r->umax, (unsigned)i);
  atomicAdd(&r->wide_add, 1ull << 33);
  atomicMax(&r->wide_max, (unsigned long long)i << 40);
  atomicMin(&r->wide_min, -((long long)i << 40));
  atomicAdd(&r->fadd, 0.5f);
  atomicExch(&r->fexch, 2.5f);
  atomicAdd(&r->dadd, 0.25);
  unsigned old = r->cas, seen;
  do {
    seen = old;
    old = atomicCAS(&r->cas, seen, seen + 2u);
  } while (old != seen);
  unsigned long long wide_old = r->wide_cas, wide_seen;
  do {
    wide_seen = wide_old;
    wide_old = atomicCAS(&r->wide_cas, wide_seen, wide_seen + 5ull);
  } while (wide_old != wide_seen);
}
extern "C" __global__ void scoped(int* out, int n) {
  __shared__ int s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd_block(&s[0], 1);
  atomicMax_block(&s[1], (int)threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd_system(&out[0], s[0]);
    atomicMax(&out[1], s[1]);
  }
}
