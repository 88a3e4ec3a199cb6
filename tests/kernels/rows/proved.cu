// Grid-stride loops that run in the order of memory on the CPU. All take the same arguments; y[i] is a function of x alone.
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)

KERNEL(plain_int) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(unsigned_index) {
  if (n < 0) return;
  for (unsigned i = threadIdx.x + blockDim.x * blockIdx.x; i < (unsigned)n; i += blockDim.x * gridDim.x) { y[i] = 3 * x[i] + m; }
}
KERNEL(wide_index) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(size_index) {
  const size_t count = n < 0 ? 0 : n;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < static_cast<size_t>(count); i += static_cast<size_t>(gridDim.x) * blockDim.x)
    y[i] = 3 * x[i] + m;
}
KERNEL(named) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += stride) {
    y[i] = 3 * x[i]
           + m;
  }
}
KERNEL(named_wide) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, stride = blockDim.x * gridDim.x;
  for (long i = tid; i < n; i += stride) y[i] = 3 * x[i] + m;
}
KERNEL(inclusive) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n - 1; i += gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(turned) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; n > i; i = i + gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(declared_before) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(assigned) {
  int i;
  for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i = gridDim.x * blockDim.x + i) y[i] = 3 * x[i] + m;
}
KERNEL(deduced) {
  const unsigned count = n < 0 ? 0 : n;
  for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(short_index) {
  for (short i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 3 * x[i] + m;
}
KERNEL(by_macro_of_the_text) {
  CUDA_KERNEL_LOOP(i, n) {
    if (x[i] % 3 == 0) continue;
    y[i] = 3 * x[i] + m;
  }
}
KERNEL(inner_control) {
  CUDA_KERNEL_LOOP(i, n) {
    int sum = 0;
    for (int k = 0; k < 9; ++k) {
      if (k == x[i] % 5) continue;
      if (k == 7) break;
      switch (x[i] % 3) {
        case 0: sum += k; break;
        case 1: sum -= k; break;
        default: continue;
      }
      do sum += 1; while (sum % 4);
    }
    if (sum > 5) y[i] = sum; else y[i] = -sum;
  }
}
KERNEL(two_loops) {
  CUDA_KERNEL_LOOP(i, n) y[i] = 3 * x[i];
  CUDA_KERNEL_LOOP(i, n / 2) y[i] += y[i] + m;
}
KERNEL(rounds) {
  for (int r = 0; r < m; ++r)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = y[i] * 3 + x[i] + r;
}
KERNEL(under_condition) {
  if (m > 2 && n > 0) {
    CUDA_KERNEL_LOOP(i, n) y[i] = 3 * x[i] + m;
  } else
    CUDA_KERNEL_LOOP(i, n) y[i] = m;
}
template <class T> __device__ void scale(const T* x, T* y, int n, T by) {
  for (T i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = by * x[i];
}
KERNEL(in_function) { scale<int>(x, y, n, m); }
struct Where {
  const int* x;
  int* y;
  int n;
  __device__ int from(int i) const { return x[i] * 2; }
};
KERNEL(by_members) {
  const Where w{x, y, n};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w.n; i += gridDim.x * blockDim.x) w.y[i] = w.from(i) + m;
}
KERNEL(with_lambda) {
  CUDA_KERNEL_LOOP(i, n) {
    auto twice = [&](int v) { v *= 2; y[i] = v + m; };
    twice(x[i]);
  }
}
KERNEL(with_table) {
  int weights[4] = {1, m, 3, n};
  CUDA_KERNEL_LOOP(i, n) y[i] = weights[i & 3] * x[i];
}
KERNEL(atomics_in_it) {
  CUDA_KERNEL_LOOP(i, n) {
    atomicAdd(&y[x[i] & 15], 1);
    atomicMax(&y[16], x[i]);
  }
}
// Each thread reads what it wrote an iteration before.
KERNEL(recurrence) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = (i >= stride ? y[i - stride] * 5 % 1000 : 1) + x[i];
}
KERNEL(asserts) {
  assert(m > 0);
  CUDA_KERNEL_LOOP(i, n) {
    assert(x[i] != -77);
    y[i] = 3 * x[i] + m;
  }
}
// Rows along x only; n is the width, m the height.
KERNEL(two_dimensions) {
  for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < m; j += gridDim.y * blockDim.y)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 8; i += gridDim.x * blockDim.x) y[j * (n / 8) + i] = 3 * x[j * (n / 8) + i] + j;
}
