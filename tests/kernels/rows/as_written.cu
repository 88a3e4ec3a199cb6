// Loops that look like those of proved.cu, or are, but must run as they are written.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)

KERNEL(captured_thread) {
  int c = x[threadIdx.x & 7];
  for (int i = TID; i < n; i += STRIDE) y[i] = c * x[i];
}
KERNEL(thread_in_body) {
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i] + threadIdx.x;
}
KERNEL(block_in_body) {
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i] + blockIdx.x;
}
__device__ int lane() { return threadIdx.x & 31; }
KERNEL(thread_in_function) {
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i] + lane();
}
KERNEL(last_of_thread) {
  int last = 0;
  for (int i = TID; i < n; i += STRIDE) {
    y[i] = last;
    last = x[i];
  }
}
KERNEL(count_in_struct) {
  struct { int k; } c{0};
  for (int i = TID; i < n; i += STRIDE) y[i] = c.k++;
}
KERNEL(one_thread) {
  if (threadIdx.x == 1)
    for (int i = TID; i < n; i += STRIDE) y[i] = x[i];
}
KERNEL(not_all_threads) {
  if (TID >= 5) return;
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i];
}
KERNEL(leaves) {
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] % 11 == 3) break;
    y[i] = x[i];
  }
}
KERNEL(two_conditions) {
  for (int i = TID; i < n && n > 0; i += STRIDE) y[i] = x[i];
}
KERNEL(returns) {
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] % 11 == 3) return;
    y[i] = x[i];
  }
}
KERNEL(jumps) {
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] % 11 == 3) goto out;
    y[i] = x[i];
  }
out:;
}
KERNEL(writes_before) {
  if (TID < 4096) y[TID] = m;
  for (int i = TID; i < n; i += STRIDE) y[i] += x[i];
}
KERNEL(writes_after) {
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i];
  atomicAdd(y + 4095, 1);
}
KERNEL(starts_later) {
  for (int i = TID + 1; i < n; i += STRIDE) y[i] = x[i];
}
KERNEL(within_block) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i];
}
KERNEL(steps_wider) {
  for (int i = TID; i < n; i += STRIDE * 2) y[i] = x[i];
}
KERNEL(moves) {
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] & 1) i += STRIDE;
    if (i < n) y[i] = x[i];
  }
}
KERNEL(uses_index_after) {
  int i = TID;
  for (; i < n; i += STRIDE) y[i] = x[i];
  if (i == n + 2) atomicAdd(y + 4095, 1);
}
KERNEL(goes_on_after) {
  int i = TID;
  for (; i < n / 2; i += STRIDE) y[i] = x[i];
  for (; i < n; i += STRIDE) y[i] = -x[i];
}
KERNEL(reference_to_memory) {
  const int& r = y[5];
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i] + (STRIDE == 1 ? r : 1);
}
KERNEL(bound_in_memory) {
  y[4090] = n;
  for (int i = TID; i < y[4090]; i += STRIDE) y[i] = x[i];
}
KERNEL(bound_read) {
  for (int i = TID; i < (y[4091] ? n : n - 1); i += STRIDE) y[i] = x[i];
}
KERNEL(shared_scratch) {
  __shared__ int s[4];
  for (int i = TID; i < n; i += STRIDE) {
    s[i & 3] = x[i];
    y[i] = s[i & 3] * 2;
  }
}
KERNEL(shared_by_name) {
  extern __shared__ int scratch[];
  for (int i = TID; i < n; i += STRIDE) {
    scratch[0] = x[i];
    y[i] = scratch[0] + m;
  }
}
KERNEL(pairs) {
  for (int i = TID; i < n / 64; i += STRIDE)
    for (int j = TID; j < n / 64; j += STRIDE) atomicAdd(&y[i], x[j]);
}
__device__ void from(int at, const int* x, int* y, int n) {
  for (int i = at; i < n; i += STRIDE) atomicAdd(&y[i], x[i]);
}
KERNEL(one_loop_two_starts) {
  from(TID, x, y, n);
  from(TID + 1, x, y, n);
}
KERNEL(other_axis) {
  for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < n; i += gridDim.y * blockDim.y) y[i] = x[i];
}
struct Cheat {
  mutable int k;
  __device__ int next() const { return k++; }
};
KERNEL(mutable_member) {
  const Cheat c{m};
  for (int i = TID; i < n; i += STRIDE) y[i] = c.next();
}
struct Two {
  int k;
  __device__ int next() const { return 1; }
  __device__ int next() { return ++k; }
};
KERNEL(overloaded) {
  Two t{m};
  for (int i = TID; i < n; i += STRIDE) y[i] = t.next();
}
KERNEL(cast_away) {
  int k = n + m;
  for (int i = TID; i < n; i += STRIDE) y[i] = x[i] + ++*const_cast<int*>(&static_cast<const int&>(k));
}
