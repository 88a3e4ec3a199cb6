// Kernels in the manner of the introductions to CuPy's RawKernel, PyCUDA's SourceModule, PyTorch's _compile_kernel, Numba and cuda.core.
extern "C" {
__global__ void my_add(const float* x1, const float* x2, float* y) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  y[tid] = x1[tid] + x2[tid];
}
__global__ void doublify(float *a) {
  int idx = threadIdx.x + threadIdx.y*4;
  a[idx] *= 2;
}
__global__ void multiply_them(float *dest, float *a, float *b) {
  const int i = threadIdx.x;
  dest[i] = a[i] * b[i];
}
__global__ void add_tensors(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
__global__ void squared_diff(const double* x, const double* y, double* z, unsigned long long size) {
  size_t start = blockIdx.x * (size_t)blockDim.x + threadIdx.x, stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = start; i < size; i += stride) { double d = x[i] - y[i]; z[i] = d * d; }
}
__global__ void increment_by_one(int* an_array, int size) {
  int tx = threadIdx.x; int ty = blockIdx.x; int bw = blockDim.x;
  int pos = tx + ty * bw;
  if (pos < size)
    an_array[pos] += 1;
}
__global__ void where_positive(const bool* mask, const signed char* x, short* y, long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = mask[i] ? x[i] : static_cast<short>(-1);
}
}
template <typename T>
__global__ void saxpy(const T a, const T* x, const T* y, T* out, size_t N) {
  const unsigned int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (size_t i=tid; i<N; i+=gridDim.x*blockDim.x) {
    out[tid] = a * x[tid] + y[tid];
  }
}
