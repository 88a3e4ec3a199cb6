// Connected components of equal pixels: every pixel takes the least label around it until nothing changes.
extern "C" __global__ void label(int* labels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) labels[i] = i;
}
extern "C" __global__ void spread(const int* image, int* labels, int* changed, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x, dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
  int least = labels[i];
  for (int k = 0; k < 4; ++k) {
    const int nx = x + dx[k], ny = y + dy[k];
    if (nx < 0 || ny < 0 || nx >= width || ny >= height || image[ny * width + nx] != image[i]) continue;
    least = min(least, ((volatile int*)labels)[ny * width + nx]);
  }
  if (atomicMin(&labels[i], least) > least) *changed = 1;
}
