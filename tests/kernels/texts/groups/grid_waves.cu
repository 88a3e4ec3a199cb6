// A wave over the whole grid, step by step.
#include <cooperative_groups.h>
__global__ void wave(int* a, int* b, int n, int steps) {
  const auto grid = cooperative_groups::this_grid();
  for (int step = 0; step < steps; ++step) {
    const int i = grid.thread_rank();
    if (i < n) b[i] = a[i] + a[(i + 1) % n] % 7;
    grid.sync();
    int* const t = a;
    a = b;
    b = t;
  }
}
