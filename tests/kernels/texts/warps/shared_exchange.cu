// Lanes write to shared memory and meet at __syncwarp.
__global__ void rotate(int* y, const int* x) {
  __shared__ int line[4][33];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int value = x[threadIdx.x];
  for (int round = 0; round < 3; ++round) {
    line[warp][lane] = value;
    __syncwarp();
    value = line[warp][(lane + 5) % 32] + round;
    __syncwarp();
  }
  y[threadIdx.x] = value;
}
