// Loops that look like those of sums.cu and must run as they are written.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)
#define PUT(v) if (TID < 4000) y[TID] = (v)

KERNEL(starts_with_thread) {
  int s = threadIdx.x;
  for (int i = TID; i < n; i += STRIDE) s = (s * 3 + x[i]) % 1009;
  PUT(s);
}
KERNEL(starts_from_own_memory) {
  int s = x[TID & 1023];
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(s);
}
KERNEL(uses_thread) {
  int s = 0;
  const int lane = threadIdx.x & 31;
  for (int i = TID; i < n; i += STRIDE) s += x[i] * lane;
  PUT(s);
}
KERNEL(uses_block) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i] + blockIdx.x;
  PUT(s);
}
KERNEL(not_all_threads) {
  int s = 0;
  if (TID < 5)
    for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(s);
}
KERNEL(some_return) {
  if (TID >= 7) return;
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(s);
}
KERNEL(writes_before) {
  int s = 0;
  if (TID < 4000) y[TID] = m;
  for (int i = TID; i < n; i += STRIDE) s += y[i];
  PUT(s);
}
KERNEL(adds_before) {
  int s = 0;
  atomicAdd(&y[4090], 1);
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(s);
}
KERNEL(writes_in_it) {
  int last = 0;
  for (int i = TID; i < n; i += STRIDE) {
    y[i] = last;
    last = x[i];
  }
}
KERNEL(adds_in_it) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) {
    s += x[i];
    atomicAdd(&y[4091], 1);
  }
  PUT(s);
}
KERNEL(leaves) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] == 50) break;
    s += x[i];
  }
  PUT(s);
}
KERNEL(moves) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] & 1) i += STRIDE;
    if (i < n) s += x[i];
  }
  PUT(s);
}
KERNEL(elements) {
  int s[2] = {0, 0};
  for (int i = TID; i < n; i += STRIDE) s[i & 1] += x[i];
  PUT(s[0] * 3 + s[1]);
}
__device__ int returned(const int* x, int n) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  return s;
}
KERNEL(in_function_with_result) { PUT(returned(x, n)); }
KERNEL(asserts_in_it) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) {
    assert(x[i] >= 0);
    s += x[i];
  }
  PUT(s);
}
KERNEL(volatile_in_it) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += *(volatile const int*)(x + i);
  PUT(s);
}
KERNEL(strides_otherwise) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];
  PUT(s);
}
__device__ void add(int& s, int v) { s += v; }
KERNEL(by_function) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) add(s, x[i]);
  PUT(s);
}
__device__ int kept = 0;
KERNEL(global_variable) {
  for (int i = TID; i < n; i += STRIDE) kept += x[i];
  if (TID == 0) y[0] = kept & 0;
}
KERNEL(flag_of_all) {
  for (int i = TID; i < n; i += STRIDE)
    if (x[i] == 77) kept = 1;
  if (TID == 0) y[0] = kept;
}
KERNEL(reference_to_memory) {
  int& s = y[4093];
  for (int i = TID; i < n; i += STRIDE)
    if (x[i] == 78) s = 1;
}
KERNEL(changes_what_it_reads) {
  int s = 0, factor = m;
  int* const p = &factor;
  for (int i = TID; i < n; i += STRIDE) {
    s += x[i] * factor;
    *p += 1;
  }
  PUT(s);
}
KERNEL(stores_once_it_has_seen_something) {
  int s = 0, seen = 0;
  for (int i = TID; i < n; i += STRIDE) {
    if (seen && TID < 4000) y[TID] = s;
    seen = 1;
    s = (s * 3 + x[i]) % 1009;
  }
  PUT(s);
}
