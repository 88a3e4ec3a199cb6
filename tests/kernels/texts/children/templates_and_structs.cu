struct Job {
  int* to;
  int count;
  double factor;
};
template <class T, int N> __global__ void work(Job job, T extra) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < job.count) job.to[i] = (int)(i * job.factor) + (int)extra + N;
}
template <class T> __global__ void finish(T* y, int n) {
  extern __shared__ T room[];
  room[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = room[n - 1 - threadIdx.x];
}
__global__ void start(int* y, int n) {
  if (threadIdx.x == 0) {
    work<float, 7><<<(n + 31) / 32, 32>>>(Job{y, n, 1.5}, 0.25f);
    finish<int><<<1, n, n * sizeof(int), cudaStreamTailLaunch>>>(y, n);
  }
}
