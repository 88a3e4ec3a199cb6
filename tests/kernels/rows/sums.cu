// Grid-stride loops that keep something for their thread, and run early, in the order of memory, on the CPU. All take the same
// arguments; y has room for 4096 threads.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)
#define PUT(v) if (TID < 4000) y[TID] = (v)

KERNEL(sum) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(s);
}
KERNEL(added_by_atomic) {
  int s = m;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  atomicAdd(y, s);
}
KERNEL(by_while) {
  int i = threadIdx.x + blockIdx.x * blockDim.x, s = 0;
  while (i < n) {
    s += x[i] * x[i];
    i += blockDim.x * gridDim.x;
  }
  PUT(s + i);
}
KERNEL(index_is_used_after) {
  int i = TID, s = 1;
  for (; i < n; i += STRIDE) s = (s * 3 + x[i]) % 1009;
  PUT(s ^ i);
}
KERNEL(wide_index) {
  long long s = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) s = (s * 7 + x[i]) % 10007;
  PUT((int)s);
}
KERNEL(unsigned_inclusive) {
  if (n < 1) return;
  unsigned s = 0;
  for (unsigned i = TID; i <= (unsigned)n - 1; i += STRIDE) s = s * 5u + x[i];
  PUT((int)(s & 0xffffff));
}
KERNEL(largest_and_where) {
  int best = -1, at = -1;
  for (int i = TID; i < n; i += STRIDE) {
    const int v = x[i] ^ (i * 37 & 63);
    if (v > best) {
      best = v;
      at = i;
    }
  }
  PUT(best * 5000 + at);
}
KERNEL(counts) {
  int even = 0, small = 0;
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] % 2 == 0) ++even;
    if (x[i] < m) small++;
  }
  PUT(even * 1000 + small);
}
KERNEL(skips) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) {
    if (x[i] % 3 == 0) continue;
    s = (s * 2 + x[i]) % 1009;
  }
  PUT(s);
}
struct Moments {
  int count;
  long long sum, squares;
};
KERNEL(members) {
  Moments a = {m, 0, 0};
  for (int i = TID; i < n; i += STRIDE) {
    ++a.count;
    a.sum += x[i];
    a.squares += x[i] * x[i];
  }
  PUT((int)(a.count + 3 * a.sum + 7 * a.squares));
}
KERNEL(vectors) {
  int2 s = make_int2(0, 1);
  for (int i = TID; i < n; i += STRIDE) {
    s.x += x[i];
    s.y = (s.y * 3 + s.x) % 1009;
  }
  PUT(s.x ^ s.y);
}
KERNEL(inner_loops) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) {
    int t = x[i] % 7, u = m;
    for (int k = 0; k < 3; ++k) t += u * k, u ^= t;
    for (int k = 0; k < x[i] % 4; ++k) s = (s * 2 + t + u) % 1009;
  }
  PUT(s);
}
KERNEL(starts_from_memory) {
  int s = n > 0 ? x[0] : 5;
  for (int i = TID; i < n; i += STRIDE) s = (s * 3 + x[i]) % 1009;
  PUT(s);
}
KERNEL(under_a_condition_of_all) {
  int s = 3;
  if (m > 2)
    for (int i = TID; i < n; i += STRIDE) s += x[i];
  else
    for (int i = TID; i < n; i += STRIDE) s = (s * 3 - x[i]) % 1009;
  if (m == 4) PUT(s);
}
KERNEL(two_loops) {
  int s = 0, t = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  for (int i = TID; i < n; i += STRIDE) t += x[i] * (s & 3);
  PUT(s * 3 + t);
}
KERNEL(rounds) {
  int s = 0;
  for (int r = 0; r < m; ++r) {
    for (int i = TID; i < n; i += STRIDE) s = (s * 3 + x[i]) % 1009;
    PUT(s + r);
  }
}
__device__ void into(const int* x, int* y, int n, int by) {
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += by * x[i];
  PUT(s);
}
KERNEL(in_function) { into(x, y, n, m); }
KERNEL(function_twice) {
  into(x, y, n, m);
  into(x, y, n / 2, 2);
}
template <class T> __device__ void total_of(const T* x, T* y, int n) {
  T s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(s);
}
KERNEL(in_template) { total_of<int>(x, y, n); }
KERNEL(reference) {
  int place = m;
  int& s = place;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  PUT(place);
}
KERNEL(in_lambda) {
  auto sum = [&] {
    int s = 0;
    for (int i = TID; i < n; i += STRIDE) s += x[i];
    PUT(s);
  };
  sum();
}
