// device/order/select.cu: the positions of true elements, and what stands there.
namespace tenon_own {

// A bit for each of the thread's 16 bytes that is not 0.
__device__ inline u32 true_bytes(const u8* mask, i64 count, i64 first) {
  u32 result = 0;
  if (first + kTileEach <= count && reinterpret_cast<u64>(mask + first) % 16 == 0) {
    const uint4 bytes = *reinterpret_cast<const uint4*>(mask + first);
    const u32 words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
#pragma unroll
    for (int k = 0; k < kTileEach; ++k) result |= u32((words[k / 4] >> 8 * (k % 4) & 255u) != 0) << k;
  } else {
    for (int k = 0; k < kTileEach; ++k) result |= u32(first + k < count && mask[first + k] != 0) << k;
  }
  return result;
}

// counts[b]: the number of bytes of block b that are not 0.
__global__ void select_count(const u8* mask, i64 count, i64* counts) {
  __shared__ u32 sums[kTileThreads / 32];
  const u32 own = __popc(true_bytes(mask, count, i64(blockIdx.x) * kTileElements + threadIdx.x * kTileEach));
  const u32 before = block_sum_before(own, sums);
  if (threadIdx.x == kTileThreads - 1) counts[blockIdx.x] = before + own;
}

// Lists of count + 1 numbers, one block each: each number becomes the sum of those before it, the last one the total.
__global__ void select_sum(i64* lists, i64 count) {
  __shared__ i64 sums[kTileThreads / 32];
  __shared__ i64 total;
  i64* const numbers = lists + i64(blockIdx.x) * (count + 1);
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (i64 part = 0; part < count; part += kTileElements) {
    const i64 first = part + threadIdx.x * kTileEach;
    i64 own[kTileEach], sum = 0;
#pragma unroll
    for (int k = 0; k < kTileEach; ++k) sum += own[k] = first + k < count ? numbers[first + k] : 0;
    i64 before = total + block_sum_before(sum, sums);
    __syncthreads();
    if (threadIdx.x == kTileThreads - 1) total = before + sum;
#pragma unroll
    for (int k = 0; k < kTileEach; before += own[k++])
      if (first + k < count) numbers[first + k] = before;
    __syncthreads();
  }
  if (threadIdx.x == 0) numbers[count] = total;
}

// The positions within the block's tile of the bytes that are not 0, in order.
__device__ inline void find_in_tile(const u8* mask, i64 count, u16 (&found)[kTileElements]) {
  __shared__ u32 sums[kTileThreads / 32];
  const i64 base = i64(blockIdx.x) * kTileElements;
  const int first = threadIdx.x * kTileEach;
  const u32 own = true_bytes(mask, count, base + first);
  u32 to = block_sum_before(u32(__popc(own)), sums);
#pragma unroll
  for (int k = 0; k < kTileEach; ++k)
    if (own >> k & 1) found[to++] = u16(first + k);
  __syncthreads();
}

// The positions of the bytes that are not 0, in order; starts: the sums before each block.
__global__ void select_places(const u8* mask, i64 count, const i64* starts, i64* places) {
  __shared__ u16 found[kTileElements];
  find_in_tile(mask, count, found);
  const i64 start = starts[blockIdx.x], all = starts[blockIdx.x + 1] - start, base = i64(blockIdx.x) * kTileElements;
  for (i64 i = threadIdx.x; i < all; i += kTileThreads) places[start + i] = base + found[i];
}

// The same, but what `from` has at these positions. S: an unsigned integer of the element's size.
template <class S> __global__ void select_elements(const u8* mask, i64 count, const i64* starts, const S* from, S* to) {
  __shared__ u16 found[kTileElements];
  find_in_tile(mask, count, found);
  const i64 start = starts[blockIdx.x], all = starts[blockIdx.x + 1] - start, base = i64(blockIdx.x) * kTileElements;
  for (i64 i = threadIdx.x; i < all; i += kTileThreads) to[start + i] = from[base + found[i]];
}

}  // namespace tenon_own
