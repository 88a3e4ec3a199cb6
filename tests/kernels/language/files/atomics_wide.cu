// Atomic functions of 64 bits, and what is built from compare-and-swap: largest float, least double, a product, a lock-free stack.
__device__ float atomic_max_float(float* at, float value) {
  int* bits = (int*)at;
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ double atomic_min_double(double* at, double value) {
  unsigned long long int* bits = (unsigned long long int*)at;
  unsigned long long int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(fmin(value, __longlong_as_double((long long)assumed))));
  } while (assumed != old);
  return __longlong_as_double((long long)old);
}
struct Wide {
  unsigned long long add, most, least, conj, disj, exor, product;
  long long signed_most, signed_least;
  double sum, low;
  float high;
  int head;
};
extern "C" __global__ void wide(Wide* w, const float* x, int* next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long big = (unsigned long long)i << 33 | 5ull;
  atomicAdd(&w->add, big);
  atomicMax(&w->most, big);
  atomicMin(&w->least, big);
  atomicAnd(&w->conj, ~(1ull << (i % 60)));
  atomicOr(&w->disj, 1ull << (i % 60));
  atomicXor(&w->exor, big);
  atomicMax(&w->signed_most, -(long long)big);
  atomicMin(&w->signed_least, -(long long)big);
  atomicAdd(&w->sum, 0.5);
  atomic_max_float(&w->high, x[i]);
  atomic_min_double(&w->low, (double)x[i]);
  unsigned long long seen = w->product, was;
  do {
    was = seen;
    seen = atomicCAS(&w->product, was, was * 3ull);
  } while (seen != was);
  // Push onto a list.
  int head = w->head;
  for (;;) {
    next[i] = head;
    const int got = atomicCAS(&w->head, head, i);
    if (got == head) break;
    head = got;
  }
  // Take and give back: the sum of all swaps is what was there.
  const unsigned long long mine = atomicExch((unsigned long long*)&next[n + 2], (unsigned long long)i + 1);
  atomicAdd((unsigned long long*)&next[n + 4], mine);
}
