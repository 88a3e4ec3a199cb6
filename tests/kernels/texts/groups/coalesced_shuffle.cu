// Threads that took the branch work as a group of their own.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void evens(int* y, const int* x) {
  if (x[threadIdx.x] % 2) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  const int first = active.shfl(x[threadIdx.x], 0), next = active.shfl_down(x[threadIdx.x], 1),
            before = active.shfl_up(x[threadIdx.x], 1);
  y[threadIdx.x] = active.thread_rank() + 100 * active.num_threads() + 10000 * first + (next + before) * 1000000;
}
