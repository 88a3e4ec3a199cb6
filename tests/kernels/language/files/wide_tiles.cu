// Groups of more than one warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// Each tile sums its part; its first thread writes.
template <unsigned Size> __device__ void sums(const int* x, int* y) {
  __shared__ cg::block_tile_memory<512> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const int value = x[blockIdx.x * blockDim.x + block.thread_rank()];
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  const int first = tile.shfl(value, 0), last = tile.shfl(value, (int)Size - 1);
  const bool any = tile.any(value == 7), all = tile.all(value >= 0);
  if (tile.thread_rank() == Size / 2) {
    int* out = y + 6 * (blockIdx.x * tile.meta_group_size() + tile.meta_group_rank());
    out[0] = sum, out[1] = first, out[2] = last, out[3] = any, out[4] = all, out[5] = (int)tile.size();
  }
}
extern "C" __global__ void sums_64(const int* x, int* y) { sums<64>(x, y); }
extern "C" __global__ void sums_256(const int* x, int* y) { sums<256>(x, y); }
extern "C" __global__ void sums_512(const int* x, int* y) { sums<512>(x, y); }

// Tiles go through shared memory at their own pace, and have tiles of their own.
extern "C" __global__ void shift(int* y) {
  __shared__ int row[256];
  __shared__ cg::block_tile_memory<256> memory;
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  const auto warp = cg::tiled_partition<32>(tile);
  int* const mine = row + 128 * tile.meta_group_rank();
  int value = (int)threadIdx.x;
  for (int round = 0; round < 3 + 4 * (int)tile.meta_group_rank(); ++round) {
    mine[tile.thread_rank()] = value;
    tile.sync();
    value = mine[(tile.thread_rank() + 1) % tile.num_threads()];
    tile.sync();
  }
  y[2 * threadIdx.x] = value;
  y[2 * threadIdx.x + 1] = (int)(warp.meta_group_rank() * 10 + warp.meta_group_size());
}
