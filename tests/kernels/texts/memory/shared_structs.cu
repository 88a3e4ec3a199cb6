// Two-dimensional arrays of structs, a struct with an array, and a pointer to a row.
struct Cell {
  float weight;
  short links[3];
};
struct Board {
  Cell cells[4][9];
  int used;
};
__global__ void board(float* y) {
  __shared__ Board all;
  __shared__ Cell (*rows)[9];
  const int t = threadIdx.x, r = t / 8, c = t % 8;
  if (t == 0) all.used = 0, rows = all.cells;
  __syncthreads();
  all.cells[r][c].weight = t;
  for (int k = 0; k < 3; ++k) rows[r][c].links[k] = (short)((c + k) % 8);
  atomicAdd(&all.used, 1);
  __syncthreads();
  float sum = all.used * 1000;
  for (int k = 0; k < 3; ++k) sum += rows[(r + 1) % 4][rows[r][c].links[k]].weight;
  y[t] = sum;
}
