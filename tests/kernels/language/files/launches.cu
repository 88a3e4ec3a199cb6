// Kernels that launch kernels.

// Children run after the kernel, in the order of the launches of a thread, and see what it wrote.
__global__ void add(int* y, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += by;
}
template <class T, int Factor> __global__ void scale(T* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] *= T(Factor);
}
extern "C" __global__ void steps(int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i;
  if (i != 0) return;
  add<<<(n + 63) / 64, 64>>>(y, 1, n);
  scale<int, 3><<<dim3(2), dim3(32)>>>(y, n);
  add<<<(n + 63) / 64, 64, 0, nullptr>>>(y, -2, n);
}

// Each level halves its range, as quicksort does: threads launch kernels that launch kernels.
__global__ void fill(int* y, int first, int last, int depth) {
  if (last - first <= 4) {
    for (int i = first; i < last; ++i) y[i] = 100 * depth + i - first;
    return;
  }
  const int middle = (first + last) / 2;
  fill<<<1, 1, 0, cudaStreamFireAndForget>>>(y, first, middle, depth + 1);
  fill<<<1, 1, 0, cudaStreamFireAndForget>>>(y, middle, last, depth + 1);
}
extern "C" __global__ void divide(int* y, int n) {
  if (threadIdx.x == 0) fill<<<1, 1>>>(y, 0, n, 0);
}

// A tail launch follows all that its kernel launched. It may launch itself, as iterations do.
struct Step {
  int* y;
  double scale;
  int round, rounds;
};
__global__ void reduce(const int* x, int* sum, int n) {
  __shared__ int parts[64];
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i];
  parts[threadIdx.x] = mine;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *sum = parts[0];
}
__global__ void next(Step step) {
  if (threadIdx.x != 0) return;
  if (step.round == step.rounds) {
    step.y[33] = step.round;
    return;
  }
  step.y[34] = (int)(step.y[32] * step.scale) % 7;
  add<<<1, 32>>>(step.y, step.y[34] - 2, 32);
  reduce<<<1, 64>>>(step.y, step.y + 32, 32);
  ++step.round;
  next<<<1, 32, 0, cudaStreamTailLaunch>>>(step);
}
extern "C" __global__ void iterate(int* y, int rounds) {
  if (threadIdx.x != 0) return;
  const Step step = {y, 0.0625, 0, rounds};
  next<<<1, 32, 0, cudaStreamTailLaunch>>>(step);
  reduce<<<1, 64>>>(y, y + 32, 32);
}

// Many threads launch, with dynamic shared memory and streams of their own.
__global__ void reverse(int* y, int n) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = copy[n - 1 - threadIdx.x];
}
extern "C" __global__ void rows(int* y, int n) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int* const row = y + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  reverse<<<1, n, n * sizeof(int), stream>>>(row, n);
  add<<<1, n, 0, stream>>>(row, (int)threadIdx.x, n);
  cudaStreamDestroy(stream);
}
