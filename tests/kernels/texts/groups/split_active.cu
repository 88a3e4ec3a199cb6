// Tiles of the threads that are active.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void split(int* y, const int* x) {
  if (x[threadIdx.x] % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    const cg::coalesced_group four = cg::tiled_partition(active, 4);
    y[threadIdx.x] = four.thread_rank() + 10 * four.size() + 100 * cg::reduce(four, x[threadIdx.x], cg::plus<int>());
  }
}
