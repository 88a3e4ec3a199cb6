#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void votes(unsigned* y, const int* x) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int v = x[threadIdx.x];
  int agreed = 0;
  const unsigned same = tile.match_any(v % 3), all = tile.match_all(v > 1000, agreed);
  y[threadIdx.x] = tile.ballot(v % 2) | same << 8 | all << 16 | (unsigned)tile.any(v > 90) << 24 |
                   (unsigned)tile.all(v > 5) << 25 | (unsigned)agreed << 26;
}
