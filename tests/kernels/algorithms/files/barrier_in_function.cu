// The barrier is in a function that compilers do not inline, and the shared array never has its address taken.
__shared__ int outside[128];
__device__ __noinline__ void meet() { __syncthreads(); }
extern "C" __global__ void neighbours(const int* x, int* y) {
  __shared__ int inside[128];
  int t = threadIdx.x;
  inside[t] = x[t];
  outside[t] = -x[t];
  meet();
  int right = inside[(t + 1) % 128], left = outside[(t + 127) % 128];
  meet();
  inside[t] = right + left;
  meet();
  y[t] = inside[127 - t];
}
