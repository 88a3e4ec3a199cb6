// device/select.cu: the places of true elements, and what is done with an element each.
namespace tenon_own {

enum : int { kSelectThreads = 256, kSelectPerBlock = 4096 };

// counts[b]: how many of the bytes of block b are not 0.
__global__ void select_count(const u8* mask, i64 count, i64* counts) {
  __shared__ i64 partial[kSelectThreads];
  const i64 first = i64(blockIdx.x) * kSelectPerBlock, last = first + kSelectPerBlock < count ?
      first + kSelectPerBlock : count;
  i64 sum = 0;
  for (i64 i = first + threadIdx.x; i < last; i += kSelectThreads) sum += mask[i] != 0;
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = kSelectThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = partial[0];
}

// Each number becomes the sum of those before it, the total goes to numbers[count]; one block for each of the lists.
__global__ void select_sum(i64* lists, i64 count, i64 list_step) {
  __shared__ i64 partial[kSelectThreads];
  i64* const numbers = lists + i64(blockIdx.x) * list_step;
  const i64 each = (count + kSelectThreads - 1) / kSelectThreads, first = i64(threadIdx.x) * each;
  const i64 last = first + each < count ? first + each : count;
  i64 sum = 0;
  for (i64 i = first; i < last; ++i) sum += numbers[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    i64 before = 0;
    for (int t = 0; t < kSelectThreads; ++t) {
      const i64 own = partial[t];
      partial[t] = before;
      before += own;
    }
    numbers[count] = before;
  }
  __syncthreads();
  i64 before = partial[threadIdx.x];
  for (i64 i = first; i < last; ++i) {
    const i64 own = numbers[i];
    numbers[i] = before;
    before += own;
  }
}

// The numbers of the bytes that are not 0, in order; starts: the sums before each block.
__global__ void select_places(const u8* mask, i64 count, const i64* starts, i64* places) {
  __shared__ i64 partial[kSelectThreads];
  enum : int { kEach = kSelectPerBlock / kSelectThreads };
  const i64 first = i64(blockIdx.x) * kSelectPerBlock + i64(threadIdx.x) * kEach;
  const i64 last = first + kEach < count ? first + kEach : count;
  i64 sum = 0;
  for (i64 i = first; i < last; ++i) sum += mask[i] != 0;
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    i64 before = starts[blockIdx.x];
    for (int t = 0; t < kSelectThreads; ++t) {
      const i64 own = partial[t];
      partial[t] = before;
      before += own;
    }
  }
  __syncthreads();
  i64* to = places + partial[threadIdx.x];
  for (i64 i = first; i < last; ++i)
    if (mask[i]) *to++ = i;
}

// Op::at(work, i) for every i below count.
template <class Op, class Work> __global__ void each(Work w, i64 count) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x) Op::at(w, i);
}

}  // namespace tenon_own
