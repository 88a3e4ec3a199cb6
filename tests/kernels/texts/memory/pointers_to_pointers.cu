__global__ void gather(int* y, const int* x, int rows, int width) {
  const int* lines[8];
  for (int r = 0; r < rows; ++r) lines[r] = x + r * width;
  const int** at = lines;
  int sum = 0;
  for (int r = 0; r < rows; ++r, ++at) sum += (*at)[threadIdx.x] * (r + 1);
  const int* volatile last = lines[rows - 1];
  y[threadIdx.x] = sum + last[0] * 1000000 + (int)(&lines[3][0] - lines[1]);
}
