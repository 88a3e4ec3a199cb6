// One pass of a radix sort by four bits: counts per block, their scan, and a stable scatter.
#define BINS 16
extern "C" __global__ void count(const unsigned* keys, unsigned* counts, int n, int shift) {
  __shared__ unsigned local[BINS];
  if (threadIdx.x < BINS) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[keys[i] >> shift & (BINS - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < BINS) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}
// Exclusive, by one block.
extern "C" __global__ void scan(unsigned* counts, int n) {
  extern __shared__ unsigned sums[];
  unsigned carry = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    const int i = base + threadIdx.x;
    const unsigned mine = i < n ? counts[i] : 0;
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
      const unsigned other = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
      __syncthreads();
      sums[threadIdx.x] += other;
      __syncthreads();
    }
    if (i < n) counts[i] = carry + sums[threadIdx.x] - mine;
    carry += sums[blockDim.x - 1];
    __syncthreads();
  }
}
extern "C" __global__ void scatter(const unsigned* keys, const unsigned* offsets, unsigned* out, int n, int shift) {
  __shared__ unsigned char digits[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned key = i < n ? keys[i] : 0, digit = i < n ? key >> shift & (BINS - 1) : BINS;
  digits[threadIdx.x] = (unsigned char)digit;
  __syncthreads();
  if (i >= n) return;
  unsigned rank = 0;
  for (unsigned k = 0; k < threadIdx.x; ++k) rank += digits[k] == digit;
  out[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}
