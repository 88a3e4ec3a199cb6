template <class F> __device__ float fold(const float* x, int n, F step) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum = step(sum, x[i]);
  return sum;
}
__device__ __forceinline__ float twice(float v) { return v + v; }
enum Kind : int { SUM, LARGEST };
extern "C" __global__ void rows(const float* x, float* out, int columns, int kind) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float* from = x + row * columns;
  float (*last)(float) = twice;
  switch ((Kind)kind) {
    case SUM: out[row] = last(fold(from, columns, [](float a, float b) { return a + b; })); break;
    case LARGEST: {
      float scale = 0.5f;
      out[row] = fold(from, columns, [=](float a, float b) { return fmaxf(a, scale * b); });
      break;
    }
  }
}
