// histogram.cu: how many elements there are in each of equal intervals from low to high; the last one holds high
// itself.
#if HALF
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ inline float wide(__half x) { return __half2float(x); }
__device__ inline float wide(__nv_bfloat16 x) { return __bfloat162float(x); }
#endif
template <class T> __device__ inline T wide(T x) { return x; }

// Rounded twice, as NumPy has it: a compiler that made one fused operation of it would put values that lie on edges
// elsewhere.
__device__ inline double edge_of(int bin, double low, double step) {
  return __dadd_rn(low, __dmul_rn(double(bin), step));
}

template <class T> __device__ inline int bin_of(T x, double low, double high, int bins) {
  const double value = double(wide(x));
  if (!(value >= low && value <= high)) return -1;
  int bin = int((value - low) / (high - low) * bins);
  if (bin >= bins) bin = bins - 1;
  // Division may have rounded across an edge.
  const double step = (high - low) / bins;
  if (value < edge_of(bin, low, step)) --bin;
  else if (bin + 1 < bins && value >= edge_of(bin + 1, low, step)) ++bin;
  return bin;
}

// A few threads, each of which counts a part in a row of its own.
template <class T>
__global__ void count_rows(const T* x, long long* rows, long long n, int bins, double low, double high, int threads) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  long long* const mine = rows + (long long)thread * bins;
  for (int b = 0; b < bins; ++b) mine[b] = 0;
  for (long long i = n * thread / threads; i < n * (thread + 1) / threads; ++i) {
    const int bin = bin_of(x[i], low, high, bins);
    if (bin >= 0) ++mine[bin];
  }
}

__global__ void add_rows(const long long* rows, long long* y, int bins, int threads) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= bins) return;
  long long sum = 0;
  for (int t = 0; t < threads; ++t) sum += rows[(long long)t * bins + b];
  y[b] = sum;
}

// A block counts in shared memory (`bins` counters), then adds to y, which is zero before.
template <class T>
__global__ void count_blocks(const T* x, long long* y, long long n, int bins, double low, double high) {
  extern __shared__ unsigned counters[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) counters[b] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    const int bin = bin_of(x[i], low, high, bins);
    if (bin >= 0) atomicAdd(&counters[bin], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    if (counters[b]) atomicAdd((unsigned long long*)&y[b], (unsigned long long)counters[b]);
}
