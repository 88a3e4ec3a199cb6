// Loops that show only at the launch that they cannot run in the order of memory.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)

// What an iteration leaves behind is reached through a pointer, a reference in a struct or a lambda.
KERNEL(by_pointer) {
  int state = m;
  int* p = &state;
  for (int i = TID; i < n; i += STRIDE) {
    *p = *p * 3 % 1000 + x[i];
    y[i] = *p;
  }
}
struct Holder { int& r; };
KERNEL(by_struct) {
  int state = m;
  Holder h{state};
  for (int i = TID; i < n; i += STRIDE) y[i] = h.r++;
}
KERNEL(by_lambda) {
  int state = m;
  auto next = [&] { return state++; };
  for (int i = TID; i < n; i += STRIDE) y[i] = next();
}
KERNEL(by_array) {
  int state[3] = {m, m, m};
  int* p = state + n % 3;
  for (int i = TID; i < n; i += STRIDE) y[i] = (*p)++;
}
// i + stride wraps around: the iterations depend on the thread's own count.
KERNEL(wraps) {
  for (unsigned char i = TID; i < (n & 255); i += STRIDE) atomicAdd(&y[i], 1);
}
